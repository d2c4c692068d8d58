//! The words of the glossary, with examples.

use paramcheck_text::nearest::nearest;

/// The glossary: a table of terms, with their meanings in the second column.
const GLOSSARY: &str = include_str!("../../../docs/glossary.md");
/// Examples, a section per term.
const EXAMPLES: &str = include_str!("words.md");
/// What the names say that answers print and that are no terms: `- \`name\`: meaning`.
const NAMES: &str = include_str!("names.md");
/// How wide lines are.
const WIDTH: usize = 100;

/// A term of the glossary and its meaning.
struct Word {
    term: &'static str,
    meaning: &'static str,
}

/// All terms, in the order of the glossary.
fn all() -> impl Iterator<Item = Word> {
    let rows = GLOSSARY.lines().skip_while(|line| !line.starts_with("| term")).skip(2);
    rows.filter_map(|row| {
        let mut cells = row.strip_prefix('|')?.split(" | ");
        Some(Word { term: cells.next()?.trim(), meaning: cells.next()?.trim() })
    })
}

impl Word {
    /// The term without what stands in brackets.
    fn name(&self) -> &'static str {
        self.term.split(" (").next().unwrap_or(self.term)
    }

    /// Whether `wanted`, in small letters, means this term: as it is, or without "set", "pair" and the like.
    fn is_called(&self, wanted: &str) -> bool {
        let name = self.name().to_lowercase();
        let bare =
            ["set", "pair", "interaction"].iter().find_map(|end| name.strip_suffix(end)?.strip_suffix(' '));
        name == wanted
            || bare.is_some_and(|bare| bare == wanted)
            || name.split(", ").any(|one| one == wanted)
            || self.term.contains(&format!("({wanted})"))
    }
}

/// The terms, in the order of the glossary.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    all().map(|word| word.name())
}

/// The terms, in lines.
pub(super) fn list() -> String {
    let mut text = "\nWords: ".to_owned();
    let mut width = text.len() - 1;
    let names: Vec<&str> = all().map(|word| word.name()).collect();
    for (position, name) in names.iter().enumerate() {
        let end = if position + 1 == names.len() { "" } else { "," };
        let length = name.chars().count() + end.len() + 1;
        if width + length > WIDTH {
            text = text.trim_end().to_owned() + "\n  ";
            width = 2;
        }
        text.push_str(&format!("{name}{end} "));
        width += length;
    }
    text.trim_end().to_owned() + "\n"
}

/// The term that `wanted` means, its meaning and an example; a kind may have its bound, as in `exactly:2`.
pub(super) fn explain(wanted: &str) -> Option<(&'static str, String)> {
    let wanted = wanted.trim().to_lowercase();
    let bare = wanted.split_once(':').filter(|(_, bound)| bound.parse::<u32>().is_ok());
    let bare = bare.map_or(wanted.as_str(), |(kind, _)| kind);
    let bare = if bare == "at-most-one" { "at-most" } else { bare };
    let exact = all().find(|word| word.name().to_lowercase() == bare);
    let Some(word) = exact.or_else(|| all().find(|word| word.is_called(bare))) else {
        let (name, meaning) = printed().find(|(name, _)| *name == bare)?;
        let meaning = itertools::join(meaning.split_whitespace(), " ");
        let mut text = wrapped(&format!("{name}: {meaning}"));
        // `history-state` is a term too, spelt otherwise.
        if let Some((_, term)) =
            Some(bare.replace('-', " ")).filter(|term| term != bare).and_then(|term| explain(&term))
        {
            text.push('\n');
            text.push_str(&term);
        }
        return Some((name, text));
    };
    let mut text = wrapped(&format!("{}: {}", word.term, without_links(word.meaning)));
    if let Some(example) = example(word.name()) {
        text.push('\n');
        text.push_str(&wrapped(&example));
    }
    Some((word.name(), text))
}

/// The names that answers print beside terms, with what they say.
fn printed() -> impl Iterator<Item = (&'static str, &'static str)> {
    NAMES.split("\n- `").skip(1).filter_map(|item| item.split("\n\n").next()?.split_once("`: "))
}

/// The term or name that is spelled most like `wanted`.
pub(super) fn nearest_to(wanted: &str) -> Option<&'static str> {
    let names = all().map(|word| word.name()).chain(printed().map(|(name, _)| name));
    nearest(&wanted.trim().to_lowercase(), names)
}

/// The section of a term in the examples, as one line.
fn example(name: &str) -> Option<String> {
    let mut sections = EXAMPLES.split("\n## ").skip(1);
    let section =
        sections.find_map(|section| section.split_once('\n').filter(|(title, _)| *title == name))?;
    Some(section.1.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// Markdown without the targets of its links, and without the backslashes before bars.
fn without_links(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("](") {
        plain.push_str(&before.replacen('[', "", 1));
        rest = after.split_once(')').map_or("", |(_, rest)| rest);
    }
    plain.push_str(rest);
    plain.replace("\\|", "|")
}

fn wrapped(text: &str) -> String {
    let mut lines = String::new();
    let mut width = 0;
    for word in text.split(' ') {
        let length = word.chars().count() + 1;
        if width > 0 && width + length > WIDTH {
            lines = lines.trim_end().to_owned() + "\n";
            width = 0;
        }
        lines.push_str(word);
        lines.push(' ');
        width += length;
    }
    lines.trim_end().to_owned() + "\n"
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    #[test]
    fn every_section_is_a_term_of_the_glossary() {
        let titles: Vec<&str> =
            EXAMPLES.split("\n## ").skip(1).filter_map(|section| section.lines().next()).collect();
        assert!(titles.len() > 20);
        for title in &titles {
            assert!(all().any(|word| word.name() == *title), "`{title}` is not in docs/glossary.md");
            let (_, text) = explain(title).expect("it is there");
            let lines = text.lines().filter(|line| !line.is_empty()).count();
            assert!((2..=6).contains(&lines), "{lines} lines:\n{text}");
        }
    }

    #[test]
    fn every_kind_and_answer_has_an_example() {
        for word in [
            "trap",
            "mutex",
            "siphon",
            "at-least:2",
            "exactly",
            "at-most",
            "at-most-one",
            "parity",
            "linear:4",
            "modulo:3",
            "exclusive",
            "dead",
            "proved",
            "violated",
            "unknown",
            "candidate",
            "certificate",
            "kappa",
            "instance",
            "marking",
            "place",
            "interaction",
            "rewriting rule",
            "rewriting tree",
            "invariant",
            "vacuous",
            "error",
            "Trap",
            "κ",
        ] {
            let (_, text) = explain(word).unwrap_or_else(|| panic!("no `{word}`"));
            assert!(text.contains("\n\n"), "no example of `{word}`: {text}");
        }
        assert_eq!(explain("tarp"), None);
        assert_eq!(nearest_to("tarp"), Some("trap"));
    }

    /// The keys of the schema whose enumerations are names of answers. Those of formats, commands and subjects of
    /// pictures are the words of calls.
    const KEYS: [&str; 11] = [
        "answer",
        "code",
        "end",
        "engine",
        "exploration_end",
        "explored",
        "relation",
        "schedule",
        "severity",
        "up_to",
        "verdict",
    ];

    /// Adds the names that are enumerated in `value`, the schema of `key`.
    fn add_names(value: &Value, key: &str, found: &mut Vec<String>) {
        match value {
            Value::Object(entries) => {
                for (name, inner) in entries {
                    match (name.as_str(), inner) {
                        ("enum", Value::Array(values)) if KEYS.contains(&key) => {
                            found.extend(values.iter().filter_map(Value::as_str).map(str::to_owned));
                        }
                        ("anyOf" | "oneOf" | "items", _) => add_names(inner, key, found),
                        _ => add_names(inner, name, found),
                    }
                }
            }
            Value::Array(values) => values.iter().for_each(|value| add_names(value, key, found)),
            _ => {}
        }
    }

    #[test]
    fn every_name_that_a_document_has_can_be_explained() {
        let schema = serde_json::from_str(include_str!("../../../docs/json.schema.json")).unwrap();
        let mut names = Vec::new();
        add_names(&schema, "", &mut names);
        names.sort();
        names.dedup();
        for name in &names {
            let (_, text) = explain(name).unwrap_or_else(|| panic!("no `{name}`"));
            assert!(text.len() > name.len() + 10, "{name}");
        }
        assert!(names.len() > 75, "{names:?}");
        // None is explained that there is not.
        for (name, _) in super::printed() {
            assert!(names.iter().any(|known| known == name), "{name}");
        }
    }

    #[test]
    fn every_term_can_be_explained() {
        let mut terms = 0;
        for word in all() {
            assert!(
                explain(word.name()).is_some_and(|(_, text)| text.starts_with(word.term)),
                "{}",
                word.term
            );
            terms += 1;
        }
        assert!(terms > 90, "{terms}");
    }
}
