//! How wide the columns of a text are.

/// The widest that a column of names gets.
pub const NAMES: usize = 60;

/// The width of a column with these texts, in characters: as many as the longest has, but for those with more
/// than `widest`, which stick out. (One long text does not push all others out; and `format!` pads to 65,535
/// at the most.)
pub fn width<'a>(texts: impl IntoIterator<Item = &'a str>, widest: usize) -> usize {
    let widths = texts.into_iter().map(|text| text.chars().count());
    widths.filter(|width| *width <= widest).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_too_wide_sticks_out() {
        assert_eq!(width(["é", "four", "longer"], 4), 4);
        assert_eq!((width([], 4), width(["longer"], 4)), (0, 0));
    }
}
