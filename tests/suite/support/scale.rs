//! How much the tests do: one switch, `PARAMCHECK_LONG`, and two finer knobs for random systems.

use std::ops::Range;

/// Whether the tests were built with `PARAMCHECK_LONG=1`, as `.ci/run` does: long random runs, and tests that
/// run other verifiers (ignored else), which must then be installed. The build script turns the variable into
/// a `cfg`.
pub(crate) const LONG: bool = cfg!(long_tests);

/// How many random things to try.
pub(crate) const fn count(short: u64, long: u64) -> u64 {
    if LONG { long } else { short }
}

/// The seeds of the random systems to try. `PARAMCHECK_SYSTEMS` gives their number (10,000 in the longest
/// run) where these are not enough, `PARAMCHECK_SEED` where to begin.
pub(crate) fn seeds(short: u64, long: u64) -> Range<u64> {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let first = number("PARAMCHECK_SEED").unwrap_or(1);
    first..first + number("PARAMCHECK_SYSTEMS").unwrap_or(count(short, long))
}
