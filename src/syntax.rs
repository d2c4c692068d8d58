//! Text to syntax tree and back: lexer, parser, abstract syntax, printer.
//!
//! [`parse`] is total: any text gives a tree of what could be read plus diagnostics.
//! [`print`](print::print) gives canonical text whose tree is the same. Names are plain text here;
//! what they mean is found out by `model::lower`.

pub mod ast;
pub mod lexer;
pub mod parser;

pub use parser::{Parsed, parse, parse_error_definition};

/// At most so many diagnostics are given for one text; one more says that there are others.
pub const MAX_DIAGNOSTICS: usize = 50;
