//! Texts, and what every other crate stands on: sources, diagnostics, typed indices, run limits, graph
//! algorithms, the reading of languages.
//!
//! Here live places in texts ([`source`]), messages with stable codes and their rendering ([`diagnostic`]),
//! what the languages share when they are read ([`reading`]: lexer, tokens, the input of parsers; a language
//! is a [`Vocabulary`](reading::Vocabulary)), what writers of other languages share ([`names`], [`comment`],
//! [`dot`]), laying out text with its comments ([`document`]), typed indices ([`index`]), run limits
//! ([`limits`]), numbers from a seed ([`random`]) and small algorithms on graphs and columns of text. No
//! language and no model lives here, no file is read and nothing is printed.
//!
//! A text comes in as a string. Tokens, diagnostics and rendered messages go out.
//!
//! # Example
//!
//! ```
//! use paramcheck_text::diagnostic::{Diagnostic, codes::input::NO_SUCH_ERROR, render::render};
//! use paramcheck_text::source::{SourceFile, Span};
//!
//! let file = SourceFile::new("ring.rs", "error two = #busy >= 2;\nerror far = too;");
//! let place = Span::new(36, 39);
//! let diagnostic = Diagnostic::new(&NO_SUCH_ERROR, "there is no error `too`", place, "unknown")
//!     .help("did you mean `two`?");
//!
//! assert_eq!(file.line_column(place.start), (2, 13));
//! let shown = render(&file, &diagnostic, false);
//! assert!(shown.starts_with("error[E0004]: there is no error `too`\n --> ring.rs:2:13"));
//! assert!(shown.contains("^^^ unknown") && shown.ends_with("= help: did you mean `two`?"));
//! ```

pub mod columns;
pub mod comment;
pub mod diagnostic;
pub mod document;
pub mod dot;
pub mod graph;
pub mod index;
pub mod join;
pub mod limits;
pub mod names;
pub mod nearest;
pub mod random;
pub mod reading;
pub mod source;
