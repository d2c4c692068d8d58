//! Text to syntax tree and back: vocabulary, parser, abstract syntax, printer.
//!
//! [`parse`] is total: any text gives a tree of what could be read plus diagnostics. [`print`](print()) gives
//! canonical text whose tree is the same, [`format`](format()) keeps the comments of a text. Names are plain
//! text here; what they mean is found out by `model::lower`.

pub mod ast;
mod foreign;
pub mod parser;
pub mod print;
mod same_tree;
pub mod vocabulary;

pub use parser::{Parsed, parse, parse_error_definition};
pub use print::{format, print};
pub use same_tree::same_tree;
