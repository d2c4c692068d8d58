use paramcheck_text::random::Random;

use super::{Prefix, Word};
use crate::twin::random;

#[test]
fn what_a_prefix_decides_no_continuation_changes() {
    let (mut decided, mut open) = (0, 0);
    for seed in 0..5000 {
        let mut random = Random::new(seed);
        let formula = random::formula(&mut random, 1 + seed % 4);
        let known = 1 + random.below(4) as usize;
        let mut letter = |mask: u64| vec![random.number() & mask];
        let letters: Vec<Vec<u64>> = (0..known).map(|_| letter(0b11_1111)).collect();
        let step_atoms = vec![0b1_0100];
        let prefix = Prefix { letters: letters.clone(), step_atoms };
        let Some(value) = prefix.value(&formula) else {
            open += 1;
            continue;
        };
        decided += 1;
        for rest in 0..6 {
            let mut letters = letters.clone();
            // Which step is taken at the last position is not known.
            letters[known - 1][0] ^= letter(0b1_0100)[0];
            letters.extend((0..rest).map(|_| letter(0b11_1111)));
            let is_step = vec![true; letters.len()];
            let word = Word { back: letters.len() - 1 - rest / 2, letters, is_step };
            assert_eq!(word.satisfies(&formula), value, "seed {seed}: {formula:?} on {word:?}");
        }
    }
    assert!(decided > 500 && open > 500, "{decided} {open}");
}
