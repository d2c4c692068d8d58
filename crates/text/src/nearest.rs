//! The known name that a word is probably a misspelling of.
//!
//! In: a word, and the names that would be right in its place. Out: at most one of them, for a hint. Names of a
//! rewriting system are compared by edits instead, within a budget: a file may have very many (crate *model*,
//! `lower::names`).

/// How alike a name must be to be suggested.
const MIN_LIKENESS: f64 = 0.8;

/// How alike two words are, whatever their case: from 0 to 1, the same.
pub fn likeness(word: &str, name: &str) -> f64 {
    strsim::jaro_winkler(&word.to_lowercase(), &name.to_lowercase())
}

/// The name most like `word`, if one is like it; of several the alphabetically first.
///
/// ```
/// # use paramcheck_text::nearest::nearest;
/// assert_eq!(nearest("stubborm", ["none", "stubborn"]), Some("stubborn"));
/// assert_eq!(nearest("x", ["none", "stubborn"]), None);
/// ```
pub fn nearest<'a>(word: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    names
        .into_iter()
        .map(|name| (likeness(word, name), name))
        .filter(|(likeness, _)| *likeness > MIN_LIKENESS)
        .max_by(|one, other| one.0.total_cmp(&other.0).then_with(|| other.1.cmp(one.1)))
        .map(|(_, name)| name)
}
