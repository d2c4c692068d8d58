//! Tests of the lexer: kinds, places, both spellings, and totality on small pieces.
