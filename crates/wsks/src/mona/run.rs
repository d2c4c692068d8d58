//! Carries out a plan with MONA: the work of the child process.
//!
//! Automata are made when first needed, operands from left to right, and dropped after their last
//! use. The conjuncts are multiplied one by one, and when nothing is left no further one is built.
//! The stack of what waits is a vector, so a plan may be as deep as it likes.

use std::time::Instant;

use super::message::{Labelling, Message};
use super::plan::{Operand, Plan, Relation, Step};
use mona_sys::{Automaton, Mona, Status};

/// The product's table for "and".
const AND: u8 = 0b1000;

/// Why a plan can't be carried out.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The request is no plan: a bug of whoever made it.
    NoPlan(&'static str),
    /// The other end is closed.
    Output,
}

/// An automaton that has an example of what it accepts.
pub(crate) trait Decider: Automaton {
    /// A small accepted word or tree, with its labels on the first `tracks` tracks.
    fn example(&self, tracks: usize) -> Option<Labelling>;
}

/// Carries out `plan`, reporting each step to `report`; the result is the last report.
///
/// # Errors
///
/// If `plan` is none, or `report` fails.
pub(crate) fn run<A: Decider>(
    mona: &Mona,
    plan: &Plan,
    report: &mut dyn FnMut(&Message) -> std::io::Result<()>,
) -> Result<(), Failure> {
    plan.check().ok_or(Failure::NoPlan("steps do not fit each other"))?;
    let tracks = plan.conjuncts.iter().flat_map(|conjunct| conjunct.operand.tracks.iter()).max();
    let width = tracks.map_or(0, |&last| usize::from(last) + 1);
    let mut builder: Builder<'_, A> = Builder::new(mona, plan);
    let mut whole: Option<A> = None;
    for conjunct in &plan.conjuncts {
        builder.make(conjunct.operand.step, report)?;
        let next = builder.own(&conjunct.operand, conjunct.negated)?;
        whole = Some(match whole {
            None => next,
            Some(left) => {
                report(&Message::Begin(None)).map_err(|_| Failure::Output)?;
                let start = Instant::now();
                let product = left.product(&next, AND);
                end(None, &product, start, report)?;
                product
            }
        });
        let left_something = |left: &A| (0..left.states()).any(|state| left.status(state) == Status::Accept);
        if !whole.as_ref().is_some_and(left_something) {
            return report(&Message::Unsatisfiable).map_err(|_| Failure::Output);
        }
    }
    let answer = match &whole {
        None => Message::Satisfiable(Labelling { nodes: Vec::new(), tracks: Vec::new() }),
        Some(whole) => whole.example(width).map_or(Message::Unsatisfiable, Message::Satisfiable),
    };
    report(&answer).map_err(|_| Failure::Output)
}

fn end<A: Automaton>(
    step: Option<u32>,
    made: &A,
    start: Instant,
    report: &mut dyn FnMut(&Message) -> std::io::Result<()>,
) -> Result<(), Failure> {
    let micros = u64::try_from(start.elapsed().as_micros()).unwrap_or(u64::MAX);
    report(&Message::End { step, states: made.states(), nodes: made.nodes(), micros })
        .map_err(|_| Failure::Output)
}

struct Builder<'a, A> {
    mona: &'a Mona,
    plan: &'a Plan,
    /// Per step its automaton, while it is needed.
    made: Vec<Option<A>>,
    /// Per step how often its automaton is still to be used.
    uses: Vec<u32>,
}

impl<'a, A: Automaton> Builder<'a, A> {
    fn new(mona: &'a Mona, plan: &'a Plan) -> Self {
        let mut uses = vec![0_u32; plan.steps.len()];
        let mut needed: Vec<u32> = plan.conjuncts.iter().map(|conjunct| conjunct.operand.step).collect();
        let mut seen = vec![false; plan.steps.len()];
        // Steps that folding left unused count for nothing.
        while let Some(step) = needed.pop() {
            if let Some(uses) = uses.get_mut(step as usize) {
                *uses += 1;
            }
            if let Some(seen @ false) = seen.get_mut(step as usize) {
                *seen = true;
                needed.extend(plan.steps.get(step as usize).into_iter().flat_map(parts));
            }
        }
        Builder { mona, plan, made: plan.steps.iter().map(|_| None).collect(), uses }
    }

    /// Sees to it that the automaton of a step is there.
    fn make(
        &mut self,
        step: u32,
        report: &mut dyn FnMut(&Message) -> std::io::Result<()>,
    ) -> Result<(), Failure> {
        let mut open = vec![step];
        while let Some(&next) = open.last() {
            let is_made = |step: u32| matches!(self.made.get(step as usize), Some(Some(_)));
            let wanted = self.plan.steps.get(next as usize).ok_or(Failure::NoPlan("a step is missing"))?;
            if is_made(next) {
                open.pop();
            } else if let Some(part) = parts(wanted).find(|&part| !is_made(part)) {
                open.push(part);
            } else {
                report(&Message::Begin(Some(next))).map_err(|_| Failure::Output)?;
                let start = Instant::now();
                let automaton = self.carry_out(wanted)?;
                end(Some(next), &automaton, start, report)?;
                if let Some(place) = self.made.get_mut(next as usize) {
                    *place = Some(automaton);
                }
            }
        }
        Ok(())
    }

    fn carry_out(&mut self, step: &Step) -> Result<A, Failure> {
        match step {
            Step::Basic(relation) => self.basic(*relation),
            Step::Product { left, right, table } => {
                let mut first = self.take(left.step)?;
                rename(&mut first, &left.tracks)?;
                let mut second =
                    if left.step == right.step { first.duplicate() } else { self.take(right.step)? };
                rename(&mut second, &right.tracks)?;
                let product = first.product(&second, *table);
                self.give_back(left.step, first);
                if left.step == right.step {
                    self.forget_use(right.step);
                } else {
                    self.give_back(right.step, second);
                }
                Ok(product)
            }
            Step::Project { step, negated, track } => {
                let mut of = self.take(*step)?;
                // Its tracks lie where the last use wanted them: only their order counts.
                let track = of.tracks().get(usize::from(*track)).copied();
                let track = track.ok_or(Failure::NoPlan("a track is missing"))?;
                if *negated {
                    of.negate();
                }
                let projected = of.project(track);
                if *negated {
                    of.negate();
                }
                self.give_back(*step, of);
                Ok(projected)
            }
        }
    }

    /// The automaton of a relation, which answers only where its tracks of nodes are nodes.
    fn basic(&self, relation: Relation) -> Result<A, Failure> {
        const NONE: Failure = Failure::NoPlan("a relation has no automaton");
        let mut automaton = A::basic(self.mona, native(relation)).ok_or(NONE)?;
        for node in relation.nodes() {
            let mut domain = A::first_order(self.mona, node).ok_or(NONE)?;
            domain.restrict();
            automaton = domain.product(&automaton, AND);
        }
        Ok(automaton)
    }

    /// The automaton of a step, out of the builder's hands until [`Builder::give_back`].
    fn take(&mut self, step: u32) -> Result<A, Failure> {
        self.forget_use(step);
        let place = self.made.get_mut(step as usize).and_then(Option::take);
        place.ok_or(Failure::NoPlan("an automaton is missing"))
    }

    fn forget_use(&mut self, step: u32) {
        if let Some(uses) = self.uses.get_mut(step as usize) {
            *uses = uses.saturating_sub(1);
        }
    }

    /// Keeps the automaton if it is used again.
    fn give_back(&mut self, step: u32, automaton: A) {
        if self.uses.get(step as usize).is_some_and(|&uses| uses > 0)
            && let Some(place) = self.made.get_mut(step as usize)
        {
            *place = Some(automaton);
        }
    }

    /// The automaton of a step for good, on the tracks and with the sign that are wanted.
    fn own(&mut self, operand: &Operand, negated: bool) -> Result<A, Failure> {
        let mut automaton = self.take(operand.step)?;
        if self.uses.get(operand.step as usize).is_some_and(|&uses| uses > 0) {
            let copy = automaton.duplicate();
            self.give_back(operand.step, std::mem::replace(&mut automaton, copy));
        }
        rename(&mut automaton, &operand.tracks)?;
        if negated {
            automaton.negate();
        }
        Ok(automaton)
    }
}

/// Puts an automaton on other tracks.
fn rename<A: Automaton>(automaton: &mut A, tracks: &[u16]) -> Result<(), Failure> {
    if automaton.rename(tracks) { Ok(()) } else { Err(Failure::NoPlan("tracks do not fit")) }
}

/// The steps that a step is made from.
fn parts(step: &Step) -> impl Iterator<Item = u32> {
    let (first, second) = match step {
        Step::Basic(_) => (None, None),
        Step::Product { left, right, .. } => (Some(left.step), Some(right.step)),
        Step::Project { step, .. } => (Some(*step), None),
    };
    first.into_iter().chain(second)
}

// The plan and the reading of exit codes do without MONA; here is MONA, so here they must agree.
const _: () = assert!(super::plan::MAX_TRACKS == mona_sys::MAX_TRACKS);
const _: () = assert!(super::child::EXIT_NODES == mona_sys::EXIT_NODES);

/// The relation as MONA's glue has it: the plan's goes over the wire, so it stays this crate's own.
fn native(relation: Relation) -> mona_sys::Relation {
    use mona_sys::Relation as Native;
    match relation {
        Relation::Root(node) => Native::Root(node),
        Relation::SameNode(left, right) => Native::SameNode(left, right),
        Relation::Child { child, parent, number } => Native::Child { child, parent, number },
        Relation::Member(node, set) => Native::Member(node, set),
        Relation::Subset(left, right) => Native::Subset(left, right),
        Relation::SameSet(left, right) => Native::SameSet(left, right),
    }
}
