//! Engines: from a question to an answer.

pub mod mona;
