//! Models in an editor: a server of the language server protocol.
//!
//! [`serve`] talks with one editor until it says `exit`. Documents come in as they are typed; diagnostics,
//! what names mean and where they stand, completions, formatted text and verdicts go out. Each document is
//! read once per version, into an `analysis` with an `index` of its names; every feature is a file that reads
//! these. All languages are served: rewriting systems, CCS, choreographies,
//! agents of LAbS.
//!
//! Nothing is decided here: whoever starts the server hands in a [`Decider`], and its [`Answer`]s are shown
//! over the questions of a document. It works in a thread of its own, and is interrupted by the next key. No
//! file is opened: the editor has them.
//!
//! # Example
//!
//! ```
//! use paramcheck_language_server::{Answer, Decider, Settings, Subject, serve};
//! use paramcheck_text::limits::Budget;
//!
//! struct NoAnswers;
//! impl Decider for NoAnswers {
//!     fn decide(&self, _: &Subject<'_>, _: usize, _: &Budget) -> Option<Answer> {
//!         None
//!     }
//! }
//!
//! let message = |text: &str| format!("Content-Length: {}\r\n\r\n{text}", text.len());
//! let input = message(r#"{"jsonrpc":"2.0","id":1,"method":"shutdown"}"#)
//!     + &message(r#"{"jsonrpc":"2.0","method":"exit"}"#);
//! let ended = serve(std::io::Cursor::new(input), std::io::sink(), Box::new(NoAnswers), Settings::default());
//! assert_eq!(ended, Ok(()));
//! ```

mod analysis;
mod answer;
mod completion;
mod diagnostics;
mod document;
mod format;
mod hover;
mod index;
mod lenses;
mod navigation;
mod places;
mod positions;
mod rename;
mod server;
mod symbols;
mod transport;
mod words;
mod worker;

pub use answer::{Answer, Decider, Place, Step, Subject};
pub use server::{Settings, serve};
