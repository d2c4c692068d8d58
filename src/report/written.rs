//! Texts that commands write: pictures, programs, models in canonical form. The field names are keys of their
//! JSON documents (`docs/json.md`).

use serde::Serialize;

/// A text, and where it was written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Written {
    /// What it is written as, as `--as` calls it.
    pub format: &'static str,
    /// The file; `None` where none was named.
    pub output: Option<String>,
    /// The whole text.
    pub text: String,
}

/// A picture.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Drawn {
    /// What it shows, as `--what` calls it.
    pub what: &'static str,
    /// The picture.
    #[serde(flatten)]
    pub written: Written,
}

/// A model in canonical form.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Formatted {
    /// `canonical`, or `not-canonical` for a file that differs from its canonical form.
    pub verdict: &'static str,
    /// Where the text was written; `None` where nothing was.
    pub output: Option<String>,
    /// The canonical form.
    pub text: String,
}
