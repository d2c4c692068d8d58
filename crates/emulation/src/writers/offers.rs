//! Where counters make offers.

use rustc_hash::{FxHashMap, FxHashSet};

use super::Ranges;
use crate::triple::{CounterId, OfferId, Structure};
use paramcheck_text::index::Idx;

/// The locations of all offers. All at once: looking through a counter's locations for each triple would take
/// the square of its size.
pub(super) struct Offers<'a> {
    structure: &'a Structure,
    ranges: FxHashMap<(CounterId, OfferId), Ranges>,
}

impl<'a> Offers<'a> {
    pub(super) fn new(structure: &'a Structure) -> Self {
        let mut ranges: FxHashMap<(CounterId, OfferId), Ranges> = FxHashMap::default();
        for (counter, own) in structure.counters.enumerate() {
            for (location, about) in own.locations.enumerate() {
                for offer in &about.offers {
                    let here = ranges.entry((counter, *offer));
                    here.or_insert_with(|| Ranges::at(structure, counter, [])).push(location.index());
                }
            }
        }
        Offers { structure, ranges }
    }

    /// Where a counter makes an offer.
    pub(super) fn of(&self, counter: CounterId, offer: OfferId) -> Ranges {
        let found = self.ranges.get(&(counter, offer)).cloned();
        found.unwrap_or_else(|| Ranges::at(self.structure, counter, []))
    }

    /// What takes more than one comparison and is part of more than one entry condition, in a fixed order:
    /// what should have a name.
    pub(super) fn nameworthy(&self) -> Vec<(CounterId, OfferId)> {
        let long = |place: &&(CounterId, OfferId)| {
            self.ranges.get(*place).is_some_and(|ranges| ranges.ranges.len() > 1)
        };
        let (mut seen, mut named) = (FxHashSet::default(), FxHashSet::default());
        let places = self.structure.triples.iter().flat_map(|triple| &triple.entry).filter(long);
        places.copied().filter(|place| !seen.insert(*place) && named.insert(*place)).collect()
    }
}
