//! Checks in linear temporal logic: the graph of runs as a system of the crate `temporal`.
//!
//! What is not known, where there are too many states, is a fault of that system: a violation in the known part
//! counts, and otherwise nothing is known. A run that has ended keeps its last step: its last state repeats.
//!
//! `eventually φ` is `F φ`, with φ as the only atom: whether it holds at a moment is part of the state.

use paramcheck_temporal::check::{Answer, Options, Reason, check};
use paramcheck_temporal::evaluate::{Prefix, Word};
use paramcheck_temporal::formula::{Atom as Bit, Formula};
use paramcheck_temporal::letter::{Letter, set};
use paramcheck_temporal::system::{End, Kind, System};

use super::formula::Valuation;
use super::runs::Runs;
use super::{Found, Schedule, Way};
use crate::model::{Atom, LabelId};
use crate::semantics::lts::Lts;
use paramcheck_text::limits::{Budget, Stop};

/// The most pairs of a state and a state of the automaton, per state.
const PAIRS_PER_STATE: usize = 1_000;

/// The atoms of a formula: a bit for each that is different.
pub(crate) struct Atoms<'f> {
    atoms: Vec<&'f Atom>,
    kinds: Vec<Kind>,
    /// The formula over the bits.
    pub(crate) formula: Formula<Bit>,
}

impl<'f> Atoms<'f> {
    pub(crate) fn new(formula: &'f Formula<Atom>) -> Atoms<'f> {
        let mut atoms: Vec<&Atom> = Vec::new();
        for atom in formula.atoms() {
            if !atoms.contains(&atom) {
                atoms.push(atom);
            }
        }
        let bit = |atom: &Atom| {
            // All atoms are among them.
            let position = atoms.iter().position(|other| *other == atom).unwrap_or(0);
            Bit(position as u32)
        };
        let over_bits = formula
            .try_map(&mut |atom| Ok::<_, std::convert::Infallible>(Formula::Atom(bit(atom))), &mut |atom| {
                Ok(bit(atom))
            });
        let Ok(over_bits) = over_bits;
        let kind = |atom: &&Atom| match atom {
            Atom::Did(_) => Kind::Last,
            Atom::Can(_) | Atom::Terminated => Kind::State,
            Atom::Takes(_) | Atom::TakesAny => Kind::Step,
        };
        let kinds = atoms.iter().map(kind).collect();
        Atoms { atoms, kinds, formula: over_bits }
    }

    /// Sets the bits of the atoms that hold.
    fn each(&self, letter: &mut [u64], holds: impl Fn(&Atom) -> bool) {
        for (bit, _) in self.atoms.iter().enumerate().filter(|(_, atom)| holds(atom)) {
            set(letter, Bit(bit as u32));
        }
    }

    /// Which atoms hold at a moment of a run, where `can` is whether a step is possible with one of these labels.
    pub(crate) fn letter(
        &self,
        last: Option<LabelId>,
        next: Option<LabelId>,
        is_terminated: bool,
        can: impl Fn(&[LabelId]) -> bool,
    ) -> Letter {
        let mut letter = vec![0; self.atoms.len().div_ceil(64)];
        let is_one =
            |labels: &[LabelId], label: Option<LabelId>| label.is_some_and(|label| labels.contains(&label));
        self.each(&mut letter, |atom| match atom {
            Atom::Did(labels) => is_one(labels, last),
            Atom::Can(labels) => can(labels),
            Atom::Terminated => is_terminated,
            Atom::Takes(labels) => is_one(labels, next),
            Atom::TakesAny => next.is_some(),
        });
        letter
    }

    /// Whether a run violates the formula: by its letters, one per moment. Of an infinite run, the last moment is
    /// where the loop began; `before` is how many steps come before the loop. A run that has ended repeats its last
    /// moment; of one that goes on, nothing more is known.
    pub(crate) fn is_violated(
        &self,
        mut letters: Vec<Letter>,
        before: Option<usize>,
        has_ended: bool,
    ) -> bool {
        let last = letters.len().saturating_sub(1);
        match before {
            Some(before) => {
                // The last step of the loop is seen where it begins again, but not the first time.
                let again = letters.get(before + 1..last).unwrap_or_default().to_vec();
                letters.extend(again);
                let is_step = vec![true; letters.len()];
                !Word { letters, back: last, is_step }.satisfies(&self.formula)
            }
            None if has_ended => {
                let mut is_step = vec![true; letters.len()];
                is_step.iter_mut().next_back().into_iter().for_each(|is_step| *is_step = false);
                !Word { letters, back: last, is_step }.satisfies(&self.formula)
            }
            None => {
                let mut step_atoms = vec![0; self.atoms.len().div_ceil(64)];
                self.each(&mut step_atoms, |atom| matches!(atom, Atom::Takes(_) | Atom::TakesAny));
                Prefix { letters, step_atoms }.value(&self.formula) == Some(false)
            }
        }
    }
}

/// The graph of runs. A step is the position of an edge.
struct Graph<'a> {
    runs: &'a Runs<'a>,
    lts: &'a Lts,
    atoms: &'a Atoms<'a>,
}

/// Why the steps of a state can't be given.
#[derive(Clone, Copy, Debug)]
enum Fault {
    /// Not all of them are known.
    NotKnown,
    /// The run must end.
    Stopped(Stop),
}

impl System for Graph<'_> {
    type State = u32;
    type Step = usize;
    type Fault = Fault;

    fn atoms(&self) -> &[Kind] {
        &self.atoms.kinds
    }

    fn initial(&mut self) -> Vec<u32> {
        vec![0]
    }

    fn steps(&mut self, node: &u32, each: &mut dyn FnMut(usize, u32)) -> Result<(), Fault> {
        let mut outcome = Ok(());
        for position in self.runs.edge_positions(*node) {
            // What can be done in a state decides atoms.
            let target = self.runs.edge(position).target;
            if self.runs.is_known(target) {
                each(position, target);
            } else {
                outcome = Err(Fault::NotKnown);
            }
        }
        outcome
    }

    fn state_letter(&self, node: &u32, letter: &mut [u64]) {
        let is_terminated = self.lts.is_terminated(self.runs.state(*node));
        let can = |labels: &[LabelId]| {
            let mut edges = self.runs.edge_positions(*node);
            edges.any(|edge| labels.binary_search(&self.runs.transition(edge).label).is_ok())
        };
        self.atoms.each(letter, |atom| match atom {
            Atom::Can(labels) => can(labels),
            Atom::Terminated => is_terminated,
            Atom::Did(_) | Atom::Takes(_) | Atom::TakesAny => false,
        });
    }

    fn step_letter(&self, _: &u32, edge: &usize, _: &u32, letter: &mut [u64]) {
        let label = self.runs.transition(*edge).label;
        self.atoms.each(letter, |atom| match atom {
            Atom::Did(labels) | Atom::Takes(labels) => labels.binary_search(&label).is_ok(),
            Atom::TakesAny => true,
            Atom::Can(_) | Atom::Terminated => false,
        });
    }

    fn keeps_last(&self) -> bool {
        true
    }

    fn units(&self) -> usize {
        self.lts.agents.len()
    }

    fn actors(&self, _: &u32, edge: &usize, units: &mut [u64]) {
        actors(self.runs, self.lts, *edge, units);
    }
}

/// Sets the bits of those who take part in an edge.
fn actors(runs: &Runs<'_>, lts: &Lts, edge: usize, units: &mut [u64]) {
    for agent in &lts.agent_sets[runs.transition(edge).agents] {
        set(units, Bit(*agent));
    }
}

/// The graph of runs, with one atom that may speak of a state and of the step before it. A state is a node and
/// whether the atom holds.
struct Moments<'a> {
    runs: &'a Runs<'a>,
    lts: &'a Lts,
    valuation: &'a Valuation<'a>,
    /// Whether it holds at first.
    at_first: bool,
}

impl System for Moments<'_> {
    type State = (u32, bool);
    type Step = usize;
    type Fault = Fault;

    fn atoms(&self) -> &[Kind] {
        &[Kind::State]
    }

    fn initial(&mut self) -> Vec<(u32, bool)> {
        vec![(0, self.at_first)]
    }

    fn steps(
        &mut self,
        (node, _): &(u32, bool),
        each: &mut dyn FnMut(usize, (u32, bool)),
    ) -> Result<(), Fault> {
        let mut outcome = Ok(());
        for position in self.runs.edge_positions(*node) {
            let target = self.runs.edge(position).target;
            if !self.runs.is_known(target) {
                outcome = Err(Fault::NotKnown);
                continue;
            }
            let last = Some(self.runs.transition(position));
            let holds = self.valuation.holds(target, last).map_err(Fault::Stopped)?;
            each(position, (target, holds));
        }
        outcome
    }

    fn state_letter(&self, (_, holds): &(u32, bool), letter: &mut [u64]) {
        letter[0] = u64::from(*holds);
    }

    fn step_letter(&self, _: &(u32, bool), _: &usize, _: &(u32, bool), _: &mut [u64]) {}

    fn units(&self) -> usize {
        self.lts.agents.len()
    }

    fn actors(&self, _: &(u32, bool), edge: &usize, units: &mut [u64]) {
        actors(self.runs, self.lts, *edge, units);
    }
}

/// Looks for a run that does not satisfy a formula.
pub(crate) fn find(
    runs: &Runs<'_>,
    lts: &Lts,
    schedule: Schedule,
    formula: &Formula<Atom>,
    budget: &Budget,
) -> Result<Found, Stop> {
    if !runs.is_known(0) {
        return Ok(Found::NotKnown);
    }
    let atoms = Atoms::new(formula);
    decide(&mut Graph { runs, lts, atoms: &atoms }, &atoms.formula, schedule, runs.len(), budget)
}

/// Looks for a run without a moment at which a formula holds.
pub(crate) fn find_avoiding(
    runs: &Runs<'_>,
    lts: &Lts,
    schedule: Schedule,
    valuation: &Valuation<'_>,
    budget: &Budget,
) -> Result<Found, Stop> {
    if !runs.is_known(0) {
        return Ok(Found::NotKnown);
    }
    let at_first = valuation.holds(0, None)?;
    let system = &mut Moments { runs, lts, valuation, at_first };
    decide(system, &Formula::Atom(Bit(0)).finally(), schedule, runs.len(), budget)
}

fn decide<S: System<Step = usize, Fault = Fault>>(
    system: &mut S,
    formula: &Formula<Bit>,
    schedule: Schedule,
    nodes: usize,
    budget: &Budget,
) -> Result<Found, Stop> {
    let fairness = schedule.fairness();
    let max_states = nodes.saturating_mul(PAIRS_PER_STATE);
    let report = check(system, formula, &Options { fairness, max_states, memory: None }, budget);
    match report.answer {
        Answer::Holds => Ok(Found::Holds),
        Answer::Fault(Fault::NotKnown, _) | Answer::Unknown(Reason::States | Reason::Formula) => {
            Ok(Found::NotKnown)
        }
        Answer::Fault(Fault::Stopped(stop), _) | Answer::Unknown(Reason::Stopped(stop)) => Err(stop),
        Answer::Violated(run) => {
            let edges = run.positions.iter().filter_map(|(_, edge)| *edge).collect();
            let loop_start = match run.end {
                End::Loop(begin) => Some(begin),
                End::Stops | End::Open => None,
            };
            Ok(Found::Violated(Way { edges, loop_start }))
        }
    }
}
