//! Numbers from a seed. The same seed gives the same numbers on every machine and with every version of this
//! program, which no library promises.

/// A small generator of random numbers (SplitMix64: Steele, Lea, Flood, *Fast splittable pseudorandom number
/// generators*, OOPSLA 2014).
///
/// ```
/// # use paramcheck_text::random::Random;
/// let (mut one, mut other) = (Random::new(7), Random::new(7));
/// assert_eq!(one.number(), other.number());
/// assert!((0..100).all(|_| one.below(3) < 3));
/// ```
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The generator of this seed.
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// The next number, of 64 bits.
    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `count`; 0 where that is 0.
    pub fn below(&mut self, count: u64) -> u64 {
        // The high half of a product: as even as 64 bits allow.
        ((u128::from(self.number()) * u128::from(count)) >> 64) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::Random;

    #[test]
    fn the_numbers_of_a_seed_are_those_that_are_published() {
        // The first numbers of seed 1234567 in the reference implementation (prng.di.unimi.it/splitmix64.c).
        let mut random = Random::new(1_234_567);
        let numbers: Vec<u64> = (0..3).map(|_| random.number()).collect();
        assert_eq!(
            numbers,
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]
        );
        assert_eq!(random.below(0), 0);
    }
}
