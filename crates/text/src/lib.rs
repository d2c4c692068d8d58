//! Texts and what every crate stands on: sources, diagnostics, ids, limits, graph algorithms, reading.
//!
//! Here live places in texts ([`source`]), messages with stable codes and their rendering ([`diagnostic`]),
//! what the languages share when they read ([`reading`]: lexer, tokens, the input of parsers; a language is a
//! [`Vocabulary`](reading::Vocabulary)), what writers of other languages share ([`names`], [`comment`],
//! [`dot`]), typed indices ([`index`]), run limits ([`limits`]) and small algorithms on graphs and columns of
//! text. No language and no model lives here. A text comes in as a string; tokens, diagnostics and rendered
//! messages go out.

pub mod columns;
pub mod comment;
pub mod diagnostic;
pub mod dot;
pub mod graph;
pub mod index;
pub mod join;
pub mod limits;
pub mod names;
pub mod reading;
pub mod source;
