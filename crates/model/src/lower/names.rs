//! The list of diagnostics under construction, and near names for unknown ones.

use rustc_hash::FxHashSet;

use paramcheck_text::diagnostic::{Code, Diagnostic};

/// Comparing an unknown name with all known ones is quadratic in a text full of mistakes; after this
/// many comparisons nothing is suggested any more.
const COMPARISONS: usize = 200_000;

/// How many names a hint lists.
const MAX_LISTED: usize = 5;

/// Longer names get no suggestion.
const MAX_NAME_LENGTH: usize = 60;

/// Where diagnostics go.
#[derive(Default)]
pub(super) struct Report {
    diagnostics: Vec<Diagnostic>,
    has_errors: bool,
    comparisons: usize,
    unknown: FxHashSet<(&'static str, String)>,
}

impl Report {
    /// Adds a diagnostic.
    pub(crate) fn add(&mut self, diagnostic: Diagnostic) {
        self.has_errors |= diagnostic.is_error();
        self.diagnostics.push(diagnostic);
    }

    /// Whether some diagnostic is an error.
    pub(crate) fn has_errors(&self) -> bool {
        self.has_errors
    }

    /// All diagnostics, in the order in which they were found.
    pub(crate) fn into_diagnostics(self) -> Vec<Diagnostic> {
        self.diagnostics
    }

    /// Whether `name` is mentioned for the first time in a diagnostic of this kind: a name written
    /// wrongly everywhere is reported once.
    pub(crate) fn is_first(&mut self, code: Code, name: &str) -> bool {
        self.unknown.insert((code.id, name.to_owned()))
    }

    /// `did you mean …?`, if some candidate is near.
    pub(crate) fn did_you_mean<'c>(
        &mut self,
        name: &str,
        candidates: impl IntoIterator<Item = &'c str>,
    ) -> Option<String> {
        self.nearest(name, candidates).map(|near| format!("did you mean `{near}`?"))
    }

    /// The candidate that differs from `name` by the fewest edits, if these are at most a third of its
    /// letters (at least one); ties go to the alphabetically first.
    fn nearest<'c>(&mut self, name: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
        let length = name.chars().count();
        if length > MAX_NAME_LENGTH {
            return None;
        }
        let bound = (length / 3).max(1);
        let mut best: Option<(usize, &str)> = None;
        for candidate in candidates {
            if self.comparisons >= COMPARISONS {
                return None;
            }
            self.comparisons += 1;
            let difference = if candidate.len().abs_diff(name.len()) > 4 * bound || candidate == name {
                continue;
            } else if candidate.to_lowercase() == name.to_lowercase() {
                0
            } else if length < 2 {
                continue; // every other letter would be near
            } else {
                strsim::damerau_levenshtein(name, candidate)
            };
            if difference <= bound && best.is_none_or(|old| (difference, candidate) < old) {
                best = Some((difference, candidate));
            }
        }
        best.map(|(_, candidate)| candidate)
    }
}

/// Which names there are, as in ``the ports are `in`, `out` ``; `one` and `many` say of what. `None` where
/// there are none.
pub(super) fn listed<'n>(one: &str, many: &str, names: impl IntoIterator<Item = &'n str>) -> Option<String> {
    let mut names = names.into_iter();
    let shown: Vec<String> = names.by_ref().take(MAX_LISTED).map(|name| format!("`{name}`")).collect();
    let more = if names.next().is_some() { ", …" } else { "" };
    match shown.as_slice() {
        [] => None,
        [only] if more.is_empty() => Some(format!("the only {one} is {only}")),
        _ => Some(format!("the {many} are {}{more}", shown.join(", "))),
    }
}

/// Adds help, if there is any.
pub(super) fn with_help(diagnostic: Diagnostic, help: Option<String>) -> Diagnostic {
    match help {
        Some(text) => diagnostic.help(text),
        None => diagnostic,
    }
}

/// `one` or `many`, after `count`.
pub(super) fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}
