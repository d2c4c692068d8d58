//! Formulas in lines for a person: what is generated, or refers to many others, may be too long to read.

use std::borrow::Cow;

/// The most characters of a formula in a line beside other facts.
const IN_A_LINE: usize = 160;
/// The most characters of a formula that has lines of its own.
const ON_ITS_OWN: usize = 1600;

/// A formula for a line beside other facts: `always did a & did b & …`. Ends with `…`, between two words if
/// possible, where it would have more than 160 characters.
pub(crate) fn in_a_line(formula: &str) -> Cow<'_, str> {
    shortened(formula, IN_A_LINE)
}

/// The same where it has lines of its own: up to 1600 characters.
pub(super) fn on_its_own(formula: &str) -> Cow<'_, str> {
    shortened(formula, ON_ITS_OWN)
}

fn shortened(formula: &str, limit: usize) -> Cow<'_, str> {
    let mut places = formula.char_indices().map(|(place, _)| place).skip(limit.saturating_sub(2));
    let (Some(end), Some(_), Some(_)) = (places.next(), places.next(), places.next()) else {
        return Cow::Borrowed(formula);
    };
    // A blank and `…` have room behind this.
    let kept = &formula[..end];
    match kept.rfind(' ') {
        _ if formula[end..].starts_with(' ') => Cow::Owned(format!("{kept} …")),
        Some(blank) => Cow::Owned(format!("{} …", kept[..blank].trim_end())),
        None => Cow::Owned(format!("{kept}…")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_long_formulas_are_cut_and_between_words() {
        for whole in ["", "ab cd", "ééééé", "a b c"] {
            assert!(matches!(shortened(whole, 5), Cow::Borrowed(same) if same == whole));
        }
        assert_eq!(shortened("ab cdef", 5), "ab …");
        assert_eq!(shortened("abc def", 5), "abc …");
        assert_eq!(shortened("a b cdef", 6), "a b …");
        assert_eq!(shortened("éééééé", 5), "ééé…");
        let long = "did a & ".repeat(50_000);
        assert!((150..=IN_A_LINE).contains(&in_a_line(&long).chars().count()));
        assert!((1590..=ON_ITS_OWN).contains(&on_its_own(&long).chars().count()));
    }
}
