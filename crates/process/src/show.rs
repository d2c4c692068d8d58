//! Labels and terms of a resolved system as text.
//!
//! Terms may be deep and share parts, so their text may be long: it is made without recursion and up to a
//! limit.

use std::convert::Infallible;

use super::model::{
    Atom, Formula, Goal, Label, LabelId, RelabellingId, RestrictionId, Synchronisation, System, Term, TermId,
};
use paramcheck_temporal::formula as temporal;
use paramcheck_text::index::IndexVec;
use paramcheck_text::limits::{Budget, Stop};

/// A label as it is written: `a`, `'a`, `tau`, `a@x`, `a@[x,y]`.
pub fn label(system: &System, id: LabelId) -> String {
    let peer = |peer| system.peers.get(peer).map_or("?", |peer| peer.name.as_str());
    match &system.labels[id] {
        Label::Tau => "tau".to_owned(),
        Label::Action { name, is_co: false } => name.clone(),
        Label::Action { name, is_co: true } => format!("'{name}"),
        Label::Local { name, peer: own } => format!("{name}@{}", peer(*own)),
        Label::Communication { name, peers: [first, second] } => {
            format!("{name}@[{},{}]", peer(*first), peer(*second))
        }
    }
}

/// All labels as they are written.
pub fn labels(system: &System) -> IndexVec<LabelId, String> {
    system.labels.indices().map(|id| label(system, id)).collect()
}

/// How tightly a construct binds, in trees of syntax as in resolved terms; a part that binds less needs
/// parentheses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Parallel operators.
    Parallel,
    /// `+`
    Choice,
    /// `;`
    Sequence,
    /// Restriction, relabelling.
    Postfix,
    /// `a.`
    Prefix,
    /// What never needs parentheses.
    Atom,
}

/// What is still to be written.
pub enum Todo<T> {
    /// A text.
    Text(String),
    /// A term where something that binds so tightly is wanted.
    Term(T, Level),
}

/// Writes a term-like thing: `expand` gives how tightly it binds and what it consists of. Ends with `…` after
/// about `limit` bytes.
pub fn write<T>(first: T, limit: usize, expand: impl FnMut(T) -> (Level, Vec<Todo<T>>)) -> String {
    let Ok(text) = try_write(first, limit, expand, &mut || Ok::<_, Infallible>(()));
    text
}

/// As [`write`](fn@write); `step` is called for every part, and may end the work.
fn try_write<T, E>(
    first: T,
    limit: usize,
    mut expand: impl FnMut(T) -> (Level, Vec<Todo<T>>),
    step: &mut impl FnMut() -> Result<(), E>,
) -> Result<String, E> {
    let mut output = String::new();
    let mut todo = vec![Todo::Term(first, Level::Parallel)];
    while let Some(next) = todo.pop() {
        step()?;
        match next {
            Todo::Text(text) => output.push_str(&text),
            Todo::Term(..) if output.len() > limit => {
                output.push('…');
                break;
            }
            Todo::Term(term, least) => {
                let (level, parts) = expand(term);
                let is_enclosed = level < least;
                if is_enclosed {
                    todo.push(Todo::Text(")".to_owned()));
                }
                todo.extend(parts.into_iter().rev());
                if is_enclosed {
                    todo.push(Todo::Text("(".to_owned()));
                }
            }
        }
    }
    Ok(output)
}

/// As [`term`], but whole: `None` if that takes more than `limit` bytes.
///
/// # Errors
/// `budget` ended.
pub fn whole_term(
    system: &System,
    id: TermId,
    limit: usize,
    budget: &Budget,
) -> Result<Option<String>, Stop> {
    let text = try_write(id, limit, |id| expand(system, id), &mut budget.pace())?;
    Ok(Some(text).filter(|text| text.len() <= limit))
}

/// A term as it is written, up to about `limit` bytes.
pub fn term(system: &System, id: TermId, limit: usize) -> String {
    write(id, limit, |id| expand(system, id))
}

/// A term's level and parts, for [`write`](fn@write).
pub fn expand(system: &System, id: TermId) -> (Level, Vec<Todo<TermId>>) {
    let text = |text: &str| Todo::Text(text.to_owned());
    match &system.terms[id] {
        Term::Nil => (Level::Atom, vec![text("0")]),
        Term::Constant(constant) => (Level::Atom, vec![text(&system.constants[*constant].name)]),
        Term::Prefix(action, rest) => {
            let action = label(system, *action);
            match system.language {
                super::Language::Chor => (Level::Atom, vec![Todo::Text(action)]),
                super::Language::Ccs => {
                    (Level::Prefix, vec![Todo::Text(action + "."), Todo::Term(*rest, Level::Prefix)])
                }
            }
        }
        Term::Sequence(first, second) => (
            Level::Sequence,
            vec![Todo::Term(*first, Level::Postfix), text("; "), Todo::Term(*second, Level::Sequence)],
        ),
        Term::Choice(parts) | Term::InternalChoice(parts) => {
            (Level::Choice, joined(parts.iter().copied(), " + ", Level::Sequence))
        }
        Term::Loop(inside) => {
            (Level::Atom, vec![text("*("), Todo::Term(*inside, Level::Parallel), text(")")])
        }
        Term::Parallel(synchronisation, parts) => {
            let operator = operator(system, &system.synchronisations[*synchronisation]);
            (Level::Parallel, joined(parts.iter().copied(), &operator, Level::Choice))
        }
        Term::Restrict(inside, set) => {
            (Level::Postfix, vec![Todo::Term(*inside, Level::Postfix), Todo::Text(restriction(system, *set))])
        }
        Term::Relabel(inside, map) => {
            (Level::Postfix, vec![Todo::Term(*inside, Level::Postfix), Todo::Text(relabelling(system, *map))])
        }
    }
}

/// Parts with an operator between them.
pub fn joined<T>(parts: impl Iterator<Item = T>, operator: &str, least: Level) -> Vec<Todo<T>> {
    let mut todo = Vec::new();
    for part in parts {
        if !todo.is_empty() {
            todo.push(Todo::Text(operator.to_owned()));
        }
        todo.push(Todo::Term(part, least));
    }
    todo
}

/// A parallel operator with blanks around it.
pub(crate) fn operator(system: &System, synchronisation: &Synchronisation) -> String {
    match synchronisation {
        Synchronisation::Ccs => " | ".to_owned(),
        Synchronisation::Rendezvous => " || ".to_owned(),
        Synchronisation::Hoare(_) if system.language == super::Language::Chor => " || ".to_owned(),
        Synchronisation::Hoare(set) => {
            let names: Vec<String> = set.iter().map(|id| label(system, *id)).collect();
            format!(" |[{}]| ", names.join(", "))
        }
    }
}

/// ` \ {a, b}`
pub(crate) fn restriction(system: &System, id: RestrictionId) -> String {
    let names: Vec<&str> = system.restrictions[id].iter().filter_map(|id| plain(system, *id)).collect();
    format!(" \\ {{{}}}", names.join(", "))
}

/// `[b/a]`
pub(crate) fn relabelling(system: &System, id: RelabellingId) -> String {
    let pairs: Vec<String> = system.relabellings[id]
        .iter()
        .filter_map(|(old, new)| Some(format!("{}/{}", plain(system, *new)?, plain(system, *old)?)))
        .collect();
    format!("[{}]", pairs.join(", "))
}

/// The name of an action that is no co-action.
fn plain(system: &System, id: LabelId) -> Option<&str> {
    match &system.labels[id] {
        Label::Action { name, is_co: false } => Some(name),
        _ => None,
    }
}

/// A check's goal: `always !did nok`.
pub fn goal(system: &System, goal: &Goal) -> String {
    match goal {
        Goal::NoDeadlock => "deadlock".to_owned(),
        Goal::Always(inner) => format!("always {}", formula(system, inner, 0)),
        Goal::Eventually(inner) => format!("eventually {}", formula(system, inner, 0)),
        Goal::Ltl(inner) => {
            let named = inner.try_map(
                &mut |one| Ok::<_, Infallible>(temporal::Formula::Atom(atom(system, one))),
                &mut |one| Ok(atom(system, one)),
            );
            let Ok(named) = named;
            format!("ltl {named}")
        }
    }
}

/// An atom of a temporal formula.
fn atom(system: &System, atom: &Atom) -> String {
    match atom {
        Atom::Did(labels) => format!("did {}", action(system, labels)),
        Atom::Can(labels) => format!("can {}", action(system, labels)),
        Atom::Terminated => "terminated".to_owned(),
        Atom::Takes(labels) => action(system, labels),
        Atom::TakesAny => "true".to_owned(),
    }
}

/// `least`: 0 for any formula, 1 for conjunctions, 2 for atoms and negations. Recursion is bounded by the
/// parser's limit on nesting.
fn formula(system: &System, inner: &Formula, least: u8) -> String {
    let join = |parts: &[Formula], sign: &str, least| {
        let parts: Vec<String> = parts.iter().map(|part| formula(system, part, least)).collect();
        parts.join(sign)
    };
    let (text, level) = match inner {
        Formula::Did(labels) => (format!("did {}", action(system, labels)), 2),
        Formula::Can(labels) => (format!("can {}", action(system, labels)), 2),
        Formula::Terminated => ("terminated".to_owned(), 2),
        Formula::Not(inner) => (format!("!{}", formula(system, inner, 2)), 2),
        Formula::And(parts) => (join(parts, " & ", 2), 1),
        Formula::Or(parts) => (join(parts, " | ", 1), 0),
    };
    if level < least { format!("({text})") } else { text }
}

/// The action of a check that these labels stand for: several are one action at all its places.
pub fn action(system: &System, labels: &[LabelId]) -> String {
    match labels {
        [only] => label(system, *only),
        [first, ..] => {
            let text = label(system, *first);
            text.split_once('@').map_or(text.clone(), |(name, _)| name.to_owned())
        }
        [] => String::new(),
    }
}
