//! Identifiers for texts in other languages: valid there, no reserved word, and all different.
//!
//! A wanted name comes in, a free one goes out. It is kept as it is wherever that can be. Of what is not
//! valid, `Node#3` becomes `Node_3`, `x'` becomes `x_prime`, another letter its number (`ν` becomes `u3bd`).
//! Of a very long name only the beginning is kept. A reserved word gets a `_` at its end, and a name that is
//! used already a number.

use std::collections::{HashMap, HashSet};

/// How many letters a name may have, without a number at its end. Spin writes past its buffers from about 512
/// on, MONA reads no more than 2,048.
const MAX_NAME_LETTERS: usize = 200;

/// The names used in one text.
#[derive(Clone, Debug)]
pub struct Names {
    reserved: HashSet<&'static str>,
    used: HashSet<String>,
    /// Per name the next number to try, so that many equal names stay cheap.
    numbers: HashMap<String, usize>,
    /// What names may have beside ASCII letters, digits and `_`; `None` if every text is a name.
    others: Option<&'static str>,
}

impl Names {
    /// ASCII letters, digits and `_`, beginning with a letter; none of `reserved`.
    pub fn new(reserved: &[&'static str]) -> Names {
        Names {
            reserved: reserved.iter().copied().collect(),
            used: HashSet::new(),
            numbers: HashMap::new(),
            others: Some(""),
        }
    }

    /// As these, but characters of `others` are valid too, though not first.
    pub fn with_others(self, others: &'static str) -> Names {
        Names { others: Some(others), ..self }
    }

    /// Every text is a name.
    pub fn unrestricted() -> Names {
        Names { others: None, ..Names::new(&[]) }
    }

    /// A name like `wanted` that is not used, and from now on is.
    pub fn take(&mut self, wanted: &str) -> String {
        let mut base = match self.others {
            Some(others) => identifier(wanted, others),
            None => wanted.to_owned(),
        };
        while self.reserved.contains(base.as_str()) {
            base.push('_');
        }
        if self.used.insert(base.clone()) {
            return base;
        }
        let number = self.numbers.entry(base.clone()).or_insert(2);
        loop {
            let name = format!("{base}_{number}");
            *number += 1;
            if !self.reserved.contains(name.as_str()) && self.used.insert(name.clone()) {
                return name;
            }
        }
    }
}

/// `wanted` in ASCII letters, digits, `_` and `others`, beginning with a letter.
fn identifier(wanted: &str, others: &str) -> String {
    let mut name = String::with_capacity(wanted.len());
    let mut is_number_open = false;
    for character in wanted.chars() {
        let is_plain = character.is_ascii_alphanumeric() || others.contains(character);
        if is_plain && std::mem::take(&mut is_number_open) {
            name.push('_');
        }
        match character {
            _ if is_plain => name.push(character),
            '_' | '#' | '.' => name.push('_'),
            '\'' => name.push_str("_prime"),
            _ => name.push_str(&format!("_u{:x}", u32::from(character))),
        }
        is_number_open = !is_plain && !matches!(character, '_' | '#' | '.');
    }
    // Names that begin with `_` belong to the languages themselves.
    let mut name = match name.trim_start_matches('_') {
        rest if rest.starts_with(|first: char| first.is_ascii_alphabetic()) => rest.to_owned(),
        rest => format!("n{rest}"),
    };
    // All its letters are ASCII.
    name.truncate(MAX_NAME_LETTERS);
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_readable() {
        let mut names = Names::new(&["init", "x_2"]);
        let wanted =
            ["Node#3", "x'", "ν", "init", "Node_3", "Node_3", "_", "_1", "größe", "x", "x", "init", "'"];
        assert_eq!(
            wanted.map(|name| names.take(name)),
            [
                "Node_3",
                "x_prime",
                "u3bd",
                "init_",
                "Node_3_2",
                "Node_3_3",
                "n",
                "n1",
                "gr_uf6_udf_e",
                "x",
                "x_3",
                "init__2",
                "prime"
            ]
        );
    }

    #[test]
    fn languages_differ_in_their_letters() {
        let mut names = Names::new(&["in"]).with_others("'");
        assert_eq!(["x'", "in", "ν'a"].map(|name| names.take(name)), ["x'", "in_", "u3bd_'a"]);
        let mut names = Names::unrestricted();
        assert_eq!(["ν'", "ν'"].map(|name| names.take(name)), ["ν'", "ν'_2"]);
    }
    #[test]
    fn long_names_are_shortened_and_kept_apart() {
        let mut names = Names::new(&[]);
        for letter in ["x", "ν", "#", "'"] {
            let long = letter.repeat(10 * MAX_NAME_LETTERS);
            let taken = [&long[..], &format!("{long}y"), &format!("{long}z")].map(|name| names.take(name));
            assert!(taken.iter().all(|name| name.len() <= MAX_NAME_LETTERS + 2), "{taken:?}");
            let [one, two, three] = &taken;
            assert!(one != two && two != three && one != three, "{taken:?}");
        }
        let as_long = "x".repeat(MAX_NAME_LETTERS);
        assert_eq!(Names::new(&[]).take(&as_long), as_long);
        let long = "ν".repeat(10 * MAX_NAME_LETTERS);
        assert_eq!(Names::unrestricted().take(&long), long);
    }
}
