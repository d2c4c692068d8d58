//! `--deny`: the warnings that a call does not allow.

use paramcheck_text::diagnostic::codes::{all, find};
use paramcheck_text::diagnostic::{Code, Severity};
use paramcheck_text::nearest::nearest;

/// All of them.
const ALL: &str = "warnings";

/// Warnings that a call does not allow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Denied {
    /// All.
    All,
    /// Those of this kind.
    Kind(Code),
}

impl Denied {
    /// Whether a warning of this kind is denied.
    pub(crate) fn includes(self, code: Code) -> bool {
        match self {
            Denied::All => code.severity == Severity::Warning,
            Denied::Kind(kind) => kind.id == code.id,
        }
    }
}

pub(super) fn parse_denied(text: &str) -> Result<Denied, String> {
    let text = text.trim();
    if text.eq_ignore_ascii_case(ALL) {
        return Ok(Denied::All);
    }
    match find(text) {
        Some(code) if code.severity == Severity::Warning => Ok(Denied::Kind(code)),
        Some(code) => Err(format!("{} is an error, which no call allows", code.id)),
        None => {
            let codes = all().filter(|code| code.severity == Severity::Warning).map(|code| code.id);
            Err(match nearest(&text.to_uppercase(), codes).or_else(|| nearest(text, [ALL])) {
                Some(near) => {
                    format!("no warning has this code; did you mean `{near}`? `paramcheck explain` lists all")
                }
                None => format!(
                    "no warning has this code: give `{ALL}`, or codes such as W0206; `paramcheck explain` \
                     lists all"
                ),
            })
        }
    }
}
