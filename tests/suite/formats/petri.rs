//! Emitted PNML, read back.
