//! Colours of states: tints of the palette of Okabe and Ito, which people with any colour vision can
//! distinguish. Black letters stay readable on each, also in grey; and the state's name always stands beside
//! its colour.

/// The tints, the first for a type's first state.
const TINTS: [&str; 10] = [
    "#ffffff", "#f3c677", "#9fd3f2", "#8fd6bd", "#f4a98a", "#d9b3cf", "#f5ee9b", "#90b9dc", "#c9c9c9",
    "#c7e29c",
];

/// The colour of the state with this number in its type. After the last they begin again.
pub(super) fn of_state(number: usize) -> &'static str {
    TINTS.get(number % TINTS.len()).copied().unwrap_or("#ffffff")
}
