//! Random processes and choreographies as text: always with a meaning, small enough to explore.

use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

/// A source of random texts.
pub(crate) struct Generator {
    random: SmallRng,
    /// The constants that may be referred to in tail position; those with smaller numbers anywhere.
    constants: usize,
}

const ACTIONS: [&str; 3] = ["a", "b", "c"];

impl Generator {
    pub(crate) fn new(seed: u64) -> Self {
        Generator { random: SmallRng::seed_from_u64(seed), constants: 0 }
    }

    fn below(&mut self, bound: usize) -> usize {
        self.random.random_range(0..bound)
    }

    fn action(&mut self) -> String {
        match self.below(8) {
            0 => "tau".to_owned(),
            1..4 => format!("'{}", ACTIONS[self.below(3)]),
            _ => ACTIONS[self.below(3)].to_owned(),
        }
    }

    fn names(&mut self) -> String {
        let all = ACTIONS.iter().filter(|_| self.random.random_bool(0.4)).copied();
        all.collect::<Vec<_>>().join(", ")
    }

    /// A process of CCS, in parentheses where it needs any. Constants are referred to only if `is_tail`
    /// and an action stands before.
    pub(crate) fn process(&mut self, depth: usize, is_tail: bool, is_guarded: bool) -> String {
        if depth == 0 {
            return match self.below(3) {
                0 if is_tail && is_guarded && self.constants > 0 => {
                    format!("P{}", self.below(self.constants))
                }
                0 => "0".to_owned(),
                _ => format!("{}.0", self.action()),
            };
        }
        let next = depth - 1;
        match self.below(12) {
            0..3 => format!("{}.{}", self.action(), enclosed(&self.process(next, is_tail, true))),
            3..6 => format!(
                "({} + {})",
                self.process(next, is_tail, is_guarded),
                self.process(next, is_tail, is_guarded)
            ),
            6 => {
                format!("({}; {})", self.process(next, false, false), self.process(next, is_tail, is_guarded))
            }
            7 | 8 => format!("({} | {})", self.process(next, false, false), self.process(next, false, false)),
            9 => {
                let set = [self.action(), self.action()];
                let set: Vec<&str> = set.iter().map(String::as_str).filter(|name| *name != "tau").collect();
                let (left, right) = (self.process(next, false, false), self.process(next, false, false));
                format!("({left} |[{}]| {right})", set.join(", "))
            }
            10 => format!("({}) \\ {{{}}}", self.process(next, false, false), self.names()),
            _ => match self.below(3) {
                0 => format!("({}) ^ 2", self.process(next.min(1), false, false)),
                _ => {
                    let (new, old) = (ACTIONS[self.below(3)], ACTIONS[self.below(3)]);
                    format!("({})[{new}/{old}]", self.process(next, false, false))
                }
            },
        }
    }

    /// A whole file: definitions that may refer to each other, and a system.
    pub(crate) fn file(&mut self) -> String {
        self.constants = 1 + self.below(3);
        let mut text = String::new();
        for constant in 0..self.constants {
            let body = self.process(3, true, false);
            text.push_str(&format!("P{constant} = {body};\n"));
        }
        let system = match self.below(4) {
            0 => format!("P0 | {}", self.process(2, false, false)),
            1 => {
                format!("(P0 | P{} | {}) \\ {{a}}", self.below(self.constants), self.process(1, false, false))
            }
            2 => format!("P0 |[a, 'b]| ({})", self.process(2, false, false)),
            _ => "P0; a.P0".to_owned(),
        };
        text + &format!("system {system};\n")
    }

    /// A choreography, in parentheses where it needs any.
    pub(crate) fn choreography(&mut self, depth: usize) -> String {
        const PEERS: [&str; 3] = ["x", "y", "z"];
        if depth == 0 || self.below(5) == 0 {
            let (one, other) = (self.below(3), self.below(2));
            let name = ACTIONS[self.below(3)];
            return match self.below(6) {
                0 => "tau".to_owned(),
                1..4 => format!("{name}@{}", PEERS[one]),
                _ => format!("{name}@[{},{}]", PEERS[one], PEERS[(one + 1 + other) % 3]),
            };
        }
        let next = depth - 1;
        match self.below(8) {
            0..4 => format!("({}; {})", self.choreography(next), self.choreography(next)),
            4 | 5 => format!("({} + {})", self.choreography(next), self.choreography(next)),
            6 => format!("({} || {})", self.choreography(next), self.choreography(next)),
            _ => format!("*({})", self.choreography(next)),
        }
    }
}

/// A process behind a prefix.
fn enclosed(text: &str) -> String {
    format!("({text})")
}
