//! How wide a text will be. Without the reader's fonts that is an estimate: the widths of Helvetica, which
//! the usual sans serif fonts share or nearly so, and for other letters the cells that a terminal gives them.

use unicode_width::UnicodeWidthChar;

/// Thousandths of the font's size, of the printable ASCII characters from the blank on.
const WIDTHS: [u16; 95] = [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556,
    556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278,
    500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469,
    556, 333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500,
    278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
];

/// The width of `text` in letters of this size.
pub(super) fn width(text: &str, size: f64) -> f64 {
    let thousandths: f64 = text
        .chars()
        .map(|letter| match WIDTHS.get((letter as usize).wrapping_sub(0x20)) {
            Some(&width) => f64::from(width),
            None => letter.width().unwrap_or(0) as f64 * 620.0,
        })
        .sum();
    // A little more: a text too narrow for its box is better than one too wide.
    thousandths * size / 1000.0 * 1.04
}

/// The longest names that are shown whole.
const MAX_LENGTH: usize = 32;

/// `name`, its middle left out where it is very long.
pub(super) fn shortened(name: &str) -> String {
    let count = name.chars().count();
    if count <= MAX_LENGTH {
        return name.to_owned();
    }
    let (head, tail) = (MAX_LENGTH - 13, 12);
    let first: String = name.chars().take(head).collect();
    let last: String = name.chars().skip(count - tail).collect();
    format!("{first}…{last}")
}

/// `text` up to so many letters; where that is not all, an ellipsis stands at its end.
pub(super) fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", text[..end].trim_end()),
    }
}
