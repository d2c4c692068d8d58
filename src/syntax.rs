//! Text to syntax tree and back: lexer, parser, abstract syntax, printer.
//!
//! [`parser`] is total: any text gives a tree of what could be read plus diagnostics.
//! [`print`] gives canonical text whose tree is the same. Names are plain text here; what they mean
//! is found out by `model::lower`.

pub mod ast;
