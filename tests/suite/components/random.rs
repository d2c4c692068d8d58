//! Random formulas over the components of the tests' system.

use rand::RngExt;
use rand::rngs::SmallRng;

/// Variables in scope: name, and whether it is a set.
type Scope = Vec<(&'static str, bool)>;

/// A random formula, and how many set quantifiers it nests at most.
pub(crate) fn formula(rng: &mut SmallRng) -> (String, usize) {
    let mut generator = Generator { rng, deepest: 0 };
    let text = generator.formula(&mut Vec::new(), 5, 0);
    let deepest = generator.deepest;
    (text, deepest)
}

struct Generator<'a> {
    rng: &'a mut SmallRng,
    deepest: usize,
}

impl Generator<'_> {
    fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.rng.random_range(0..of.len())]
    }

    fn formula(&mut self, scope: &mut Scope, depth: usize, sets: usize) -> String {
        let is_closed = scope.is_empty();
        let choice = if depth == 0 { 0 } else { self.rng.random_range(0..if is_closed { 9 } else { 16 }) };
        match choice {
            0 if !is_closed || depth == 0 => self.atom(scope),
            1 => format!("!({})", self.formula(scope, depth - 1, sets)),
            2 | 9 => self.joined(" & ", scope, depth, sets),
            3 | 10 => self.joined(" | ", scope, depth, sets),
            4 => self.joined(" => ", scope, depth, sets),
            5 if depth > 2 => self.joined(" <=> ", scope, depth, sets),
            11..=13 => self.atom(scope),
            _ => self.quantified(scope, depth, sets),
        }
    }

    fn joined(&mut self, sign: &str, scope: &mut Scope, depth: usize, sets: usize) -> String {
        let left = self.formula(scope, depth - 1, sets);
        let right = self.formula(scope, depth - 1, sets);
        format!("({left}){sign}({right})")
    }

    fn quantified(&mut self, scope: &mut Scope, depth: usize, sets: usize) -> String {
        let is_set = sets < 3 && self.rng.random_bool(0.35);
        let word = match (is_set, self.rng.random_bool(0.5)) {
            (false, true) => "ex1",
            (false, false) => "all1",
            (true, true) => "ex2",
            (true, false) => "all2",
        };
        // Names are taken again, also those of states and types, and those of variables of the other kind.
        let names: &[&str] = if is_set {
            &["X", "Y", "Z", "s", "A", "x"]
        } else {
            &["x", "y", "z", "x", "y", "z", "X", "One"]
        };
        let mut bound = vec![self.pick(names)];
        if self.rng.random_bool(0.3) {
            let second = self.pick(names);
            if second != bound[0] && (!is_set || sets < 2) {
                bound.push(second);
            }
        }
        let outer = scope.len();
        scope.extend(bound.iter().map(|&name| (name, is_set)));
        let sets = if is_set { sets + bound.len() } else { sets };
        self.deepest = self.deepest.max(sets);
        let body = self.formula(scope, depth - 1, sets);
        scope.truncate(outer);
        format!("{word} {}: {body}", bound.join(", "))
    }

    /// The names that mean what they are in scope as.
    fn visible(scope: &Scope, is_set: bool) -> Vec<&'static str> {
        let mut names: Vec<&str> = scope.iter().map(|&(name, _)| name).collect();
        names.sort_unstable();
        names.dedup();
        names.retain(|name| {
            scope.iter().rev().find(|(bound, _)| bound == name).is_some_and(|b| b.1 == is_set)
        });
        names
    }

    fn set(&mut self, scope: &Scope) -> String {
        let variables = Self::visible(scope, true);
        if !variables.is_empty() && self.rng.random_bool(0.6) {
            return self.pick(&variables).to_owned();
        }
        let constants = ["s", "t", "u", "A", "B", "One", "A.s", "B.s", "B.w", "One.only"];
        loop {
            let constant = self.pick(&constants);
            // A variable may hide it.
            if !scope.iter().any(|(name, _)| *name == constant) {
                return constant.to_owned();
            }
        }
    }

    fn atom(&mut self, scope: &Scope) -> String {
        let components = Self::visible(scope, false);
        let kind = self.rng.random_range(0..10);
        if components.is_empty() || kind == 0 {
            let (left, right) = (self.set(scope), self.set(scope));
            let relation = self.pick(&["sub", "=", "!="]);
            return match kind {
                1 => self.pick(&["true", "false"]).to_owned(),
                _ => format!("{left} {relation} {right}"),
            };
        }
        let x = self.pick(&components);
        if kind < 4 {
            let y = self.pick(&components);
            return format!("{x} {} {y}", self.pick(&["=", "!="]));
        }
        format!("{x} {} {}", self.pick(&["in", "in", "notin"]), self.set(scope))
    }
}
