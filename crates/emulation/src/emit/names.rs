//! Names of a model in languages that only know ASCII letters, digits and `_`, and have keywords.
//!
//! A name is kept as it is wherever that can be: `Node#3` becomes `Node_3`, `x'` becomes `x_prime`, another
//! letter its number (`ν` becomes `u3bd`), and what is a keyword or taken gets a `_`, then numbers, behind.

use rustc_hash::FxHashSet;

/// The names taken in one text.
#[derive(Clone, Debug)]
pub(crate) struct Names {
    taken: FxHashSet<String>,
}

impl Names {
    /// No name is taken but those that mean something to the language.
    pub(crate) fn new(keywords: &[&str]) -> Names {
        Names { taken: keywords.iter().map(|&word| word.to_owned()).collect() }
    }

    /// A name like `wanted` that nothing else has, and that from now on is taken.
    pub(crate) fn take(&mut self, wanted: &str) -> String {
        let plain = plain(wanted);
        let mut name = plain.clone();
        let mut number = 1;
        while !self.taken.insert(name.clone()) {
            name = if number == 1 { format!("{plain}_") } else { format!("{plain}_{number}") };
            number += 1;
        }
        name
    }
}

/// `wanted` in ASCII letters, digits and `_`, beginning with a letter. Names that begin with `_` belong to
/// Spin.
fn plain(wanted: &str) -> String {
    let mut plain = String::with_capacity(wanted.len());
    let mut is_number_open = false;
    for character in wanted.chars() {
        match character {
            'a'..='z' | 'A'..='Z' | '0'..='9' => {
                if std::mem::take(&mut is_number_open) {
                    plain.push('_');
                }
                plain.push(character);
                continue;
            }
            '_' | '#' | '.' => plain.push('_'),
            '\'' => plain.push_str("_prime"),
            _ => plain.push_str(&format!("_u{:x}", u32::from(character))),
        }
        is_number_open = !matches!(character, '_' | '#' | '.');
    }
    match plain.trim_start_matches('_') {
        rest if rest.starts_with(|first: char| first.is_ascii_alphabetic()) => rest.to_owned(),
        rest => format!("n{rest}"),
    }
}
