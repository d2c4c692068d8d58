//! Colours of states: light tints on which black letters stay readable, also in grey; and the state's name always
//! stands beside its colour. The first ten are tints of the palette of Okabe and Ito, which people with any colour
//! vision can distinguish; types of more states go on with others.

/// The tints, the first for a type's first state.
const TINTS: [&str; 24] = [
    "#ffffff", "#f3c677", "#9fd3f2", "#8fd6bd", "#f4a98a", "#d9b3cf", "#f5ee9b", "#90b9dc", "#c9c9c9",
    "#c7e29c", "#b8a8e0", "#e2d5ba", "#f7c3d0", "#bfeee8", "#d3ad7b", "#a3bd7a", "#dd9aa2", "#c3d0f5",
    "#d6cf8c", "#7fc4c4", "#f3d9f5", "#b8a59e", "#fbe0cc", "#e6e6e6",
];

/// The colour of the state with this number in its type. After the last they begin again.
pub(super) fn of_state(number: usize) -> &'static str {
    TINTS.get(number % TINTS.len()).copied().unwrap_or("#ffffff")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn channels(colour: &str) -> [f64; 3] {
        [1, 3, 5].map(|at| f64::from(u8::from_str_radix(&colour[at..at + 2], 16).expect("two digits")))
    }

    #[test]
    fn no_two_states_of_a_type_of_two_dozen_share_a_colour() {
        let colours: Vec<[f64; 3]> = (0..24).map(|number| channels(of_state(number))).collect();
        for (number, one) in colours.iter().enumerate() {
            // Black on it has a contrast of more than 7 to 1, by the formula of WCAG.
            let [red, green, blue] = one.map(|value| (value / 255.0).powf(2.2));
            let luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
            assert!((luminance + 0.05) / 0.05 > 7.0, "{number}");
            for other in &colours[..number] {
                let distance = one.iter().zip(other).map(|(one, other)| (one - other).powi(2)).sum::<f64>();
                assert!(distance.sqrt() > 18.0, "{one:?} and {other:?}");
            }
        }
    }
}
