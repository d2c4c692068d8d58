//! Which formulas MONA decided and what that took: details, with `--verbose`.

use std::fmt::Write;

use rustc_hash::FxHashMap;

use super::{Lines, grouped, plural, time};
use crate::report::{Engine, Formula};

/// How many subformulas are listed (more, if some took the same time): those that took longest.
const SUBFORMULAS_LISTED: usize = 8;

impl Lines<'_> {
    /// Which formulas MONA decided, and what that took.
    pub(super) fn engine(&mut self, engine: &Engine) {
        if let Some(reason) = &engine.reason {
            self.fact("engine", &format!("{}: {}", engine.engine, reason.text));
        }
        for formula in &engine.formulas {
            let Formula { asks, invariants, subformulas, answer, automaton_count, .. } = formula;
            let mut what = match invariants.as_slice() {
                [] => format!("{asks} in any marking"),
                kinds => format!("{asks} in {}", kinds.join(", ")),
            };
            if formula.dropped_interactions > 0 {
                let _ = write!(what, " without {}", plural(formula.dropped_interactions, "interaction"));
            }
            let size = [plural(*subformulas, "subformula"), automata(*automaton_count)];
            let time = time(formula.time_ms);
            self.fact("formula", &format!("{what}: {answer} ({}, {time})", size.join(", ")));
            self.automata(formula);
        }
    }

    /// The subformulas of a formula that took longest, in the order of building. Automata for one
    /// subformula, or for several that look alike, are one line: the largest numbers, the time of all.
    fn automata(&mut self, formula: &Formula) {
        let mut groups: Vec<Group<'_>> = Vec::new();
        let mut positions: FxHashMap<&str, usize> = FxHashMap::default();
        for automaton in &formula.automata {
            let what = automaton.subformula.as_deref().unwrap_or("conjuncts so far");
            let position = *positions.entry(what).or_insert(groups.len());
            if position == groups.len() {
                groups.push(Group { what, count: 0, states: 0, nodes: 0, time_ms: 0.0 });
            }
            let Some(group) = groups.get_mut(position) else { continue };
            group.count += 1;
            group.states = group.states.max(automaton.states);
            group.nodes = group.nodes.max(automaton.nodes);
            group.time_ms += automaton.time_ms;
        }
        let mut times: Vec<f64> = groups.iter().map(|group| group.time_ms).collect();
        times.sort_by(|one, other| other.total_cmp(one));
        let least = times.get(SUBFORMULAS_LISTED - 1).copied().unwrap_or(0.0);
        let (listed, others): (Vec<_>, Vec<_>) = groups.into_iter().partition(|group| group.time_ms >= least);
        if !listed.is_empty() {
            let _ = writeln!(self.text, "        {:>8} {:>8} {:>8}  subformula", "states", "nodes", "time");
        }
        for group in &listed {
            self.group(group, &group.name());
        }
        if !others.is_empty() {
            let total = Group {
                what: "",
                count: 1,
                states: others.iter().map(|group| group.states).max().unwrap_or(0),
                nodes: others.iter().map(|group| group.nodes).max().unwrap_or(0),
                time_ms: others.iter().map(|group| group.time_ms).sum(),
            };
            self.group(
                &total,
                &format!("{}: the largest numbers, the time of all", plural(others.len(), "other")),
            );
        }
    }

    fn group(&mut self, group: &Group<'_>, name: &str) {
        let [states, nodes] = [group.states, group.nodes].map(|number| grouped(number as usize));
        let _ = writeln!(self.text, "        {states:>8} {nodes:>8} {:>8}  {name}", time(group.time_ms));
    }
}

fn automata(count: usize) -> String {
    if count == 1 { "1 automaton".to_owned() } else { format!("{} automata", grouped(count)) }
}

/// Automata of subformulas that look alike.
struct Group<'a> {
    what: &'a str,
    count: usize,
    states: u32,
    nodes: u32,
    time_ms: f64,
}

impl Group<'_> {
    fn name(&self) -> String {
        if self.count == 1 { self.what.to_owned() } else { format!("{} ({}×)", self.what, self.count) }
    }
}
