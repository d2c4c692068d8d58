//! Lists that are one thing: operands joined by a connective, unless there is only one.

/// The only part, or all parts (none, or several) joined.
pub fn joined<T>(mut parts: Vec<T>, join: impl FnOnce(Vec<T>) -> T) -> T {
    match parts.pop() {
        Some(only) if parts.is_empty() => only,
        last => {
            parts.extend(last);
            join(parts)
        }
    }
}
