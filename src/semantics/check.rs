//! Whether what is asked of a system holds.
