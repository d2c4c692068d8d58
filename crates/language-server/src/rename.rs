//! Renaming: every place of a name, or a reason why not.
//!
//! The new text is read again before it is offered: each name must mean in it what it meant before, and
//! nothing may be wrong with it that was not. So a clash, a name that has a meaning of its own and a variable
//! that would be hidden are all refused by one rule.

use lsp_types::{Position, Range, TextEdit};
use paramcheck_text::source::Span;
use rustc_hash::FxHashMap;

use crate::analysis::Analysis;
use crate::document::{Document, Language};
use crate::index::{Index, Kind};
use crate::words::is_name;

/// The name at a position, if it can be renamed.
pub(crate) fn prepare(document: &mut Document, position: Position) -> Option<Range> {
    let analysis = document.analysis();
    let found = analysis.index.at(document.offset(position));
    found.first().map(|one| document.range(one.span))
}

/// The changes that give the name at a position another name.
///
/// # Errors
/// Why it can't have that name.
pub(crate) fn rename(
    document: &mut Document,
    position: Position,
    new_name: &str,
) -> Result<Vec<TextEdit>, String> {
    let analysis = document.analysis();
    let found = analysis.index.at(document.offset(position));
    let Some(first) = found.first() else { return Err("there is no name here".to_owned()) };
    if found.len() > 1 {
        let symbols = found.iter().filter_map(|one| analysis.index.symbols.get(one.symbol));
        let types = itertools::join(symbols.map(|symbol| format!("`{}`", symbol.container)), " and ");
        return Err(format!("this is a state of {types}: rename it in one of them, and name the type here"));
    }
    is_name(new_name, document.language)?;
    if let Some(why) = wrong_case(&analysis.index, first.symbol, new_name, document.language) {
        return Err(why);
    }
    let mut spans: Vec<Span> = analysis.index.of(first.symbol).map(|one| one.span).collect();
    spans.sort();
    spans.dedup();
    check(document, &analysis, &spans, new_name)?;
    let edit = |span: &Span| TextEdit { range: document.range(*span), new_text: new_name.to_owned() };
    Ok(spans.iter().map(edit).collect())
}

/// In processes the first letter says what a name is.
fn wrong_case(index: &Index, symbol: usize, new_name: &str, language: Language) -> Option<String> {
    let kind = index.symbols.get(symbol)?.kind;
    let is_capital = new_name.starts_with(char::is_uppercase);
    if language == Language::Labs {
        return wrong_case_of_agents(kind, new_name);
    }
    language.process()?;
    match kind {
        Kind::Definition if !is_capital => {
            Some("the name of a process begins with a capital letter".to_owned())
        }
        Kind::Action | Kind::Peer if is_capital => {
            Some(format!("the name of {} begins with a small letter", with_article(kind)))
        }
        _ => None,
    }
}

/// In systems of agents, too: small letters are variables, capital ones all else, parameters begin with `_`.
fn wrong_case_of_agents(kind: Kind, new_name: &str) -> Option<String> {
    let (is_right, how) = match kind {
        Kind::Parameter => (new_name.starts_with('_'), "`_`"),
        Kind::Variable | Kind::Local => {
            (new_name.starts_with(|c: char| c.is_ascii_lowercase()), "a small letter")
        }
        _ => (new_name.starts_with(|c: char| c.is_ascii_uppercase()), "a capital letter"),
    };
    (!is_right).then(|| format!("the name of {} begins with {how}", with_article(kind)))
}

fn with_article(kind: Kind) -> String {
    let word = kind.word();
    let article = if word.starts_with(['a', 'e', 'i', 'o']) { "an" } else { "a" };
    format!("{article} {word}")
}

/// Whether the text means the same once `new_name` stands in these places.
fn check(document: &Document, before: &Analysis, spans: &[Span], new_name: &str) -> Result<(), String> {
    let mut text = document.text.to_string();
    for span in spans.iter().rev() {
        text.replace_range(span.start..span.end, new_name);
    }
    let after = Analysis::new(&text, document.language);
    let codes = |analysis: &Analysis| -> Vec<&str> {
        let mut codes: Vec<&str> = analysis.diagnostics.iter().map(|diagnostic| diagnostic.code.id).collect();
        codes.sort_unstable();
        codes
    };
    let known = codes(before);
    if let Some(new) = after.diagnostics.iter().find(|diagnostic| !known.contains(&diagnostic.code.id)) {
        return Err(format!("`{new_name}` can't be its name: {}", new.message));
    }
    if !is_same(&before.index, &after.index) || codes(before) != codes(&after) {
        return Err(format!("`{new_name}` has a meaning here already: choose another name"));
    }
    Ok(())
}

/// Whether names mean the same in two texts that differ in their spelling only: occurrence by occurrence, the
/// same thing wherever it was the same thing.
fn is_same(before: &Index, after: &Index) -> bool {
    if before.occurrences.len() != after.occurrences.len() {
        return false;
    }
    let group = |index: &Index| {
        let mut groups: Vec<Vec<usize>> = Vec::new();
        let mut last: Option<Span> = None;
        for one in &index.occurrences {
            match groups.last_mut() {
                Some(group) if last == Some(one.span) => group.push(one.symbol),
                _ => groups.push(vec![one.symbol]),
            }
            last = Some(one.span);
        }
        groups
    };
    let (one, other) = (group(before), group(after));
    let mut to: FxHashMap<usize, usize> = FxHashMap::default();
    let mut from: FxHashMap<usize, usize> = FxHashMap::default();
    one.len() == other.len()
        && one.iter().zip(&other).all(|(one, other)| {
            one.len() == other.len()
                && one.iter().zip(other).all(|(&one, &other)| {
                    let is_kind = before.symbols.get(one).map(|symbol| symbol.kind)
                        == after.symbols.get(other).map(|symbol| symbol.kind);
                    is_kind
                        && *to.entry(one).or_insert(other) == other
                        && *from.entry(other).or_insert(one) == one
                })
        })
}
