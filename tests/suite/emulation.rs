//! Sequential emulation: triple structures, and the programs made of them for others.

mod agents;
mod program;
