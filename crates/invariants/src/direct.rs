//! The direct engine: tree automata over rewriting trees, computed from the leaves up.
//!
//! The question "is there an instance and a marking of it that is in every invariant and in the error
//! set" is answered by [`fixpoint`] over a binary [`grammar`], with the [`sets`] learnt so far. A
//! failing configuration gives an instance and a marking ([`derivation`]); [`refute`] looks for a set
//! that excludes that marking in that instance. If there is one, what it shows at every node is
//! learnt, and the fixpoint starts again; if not, the marking is a genuine candidate: in every
//! invariant there is. Every round learns something, and there are finitely many things to learn, so
//! the loop ends; it ends early because what one instance teaches holds in all.
//!
//! Dead interactions: where the question is left open, each interaction is suspected to be one that
//! never fires, and the engine asks itself. What is proved dead is dropped, and the question is
//! asked again, until nothing changes. At last the same is tried with further kinds of invariants, which cost
//! more and are needed rarely.

mod certify;
mod dead;
mod derivation;
mod error;
mod exclusive;
mod fixpoint;
mod frame;
mod grammar;
mod intern;
mod level;
mod place;
mod refute;
mod sets;

use crate::kind::InvariantKind;
use paramcheck_certificate::data::{Certificate, Proof};
use paramcheck_model::component::{TransitionId, TypeId};
use paramcheck_model::error::NamedError;
use paramcheck_model::system::System;
use paramcheck_model::tree::{RewritingTree, TreeMarking};
use paramcheck_nets::instance::{marking, unfold::unfold};
use paramcheck_text::limits::{Budget, Phase, Stop};

use crate::outcome::{self, Scout};

use dead::{Combination, DeadInteractions};
use derivation::Derivation;
use error::ErrorAutomaton;
use exclusive::Exclusive;
use fixpoint::{Fixpoint, Halt};
use frame::{Frame, Suspect};
use grammar::{Grammar, SymbolId};
use place::Places;
use sets::{Parts, SetState, Sets};

/// What the engine found, with the certificate of a proof.
pub type Outcome = outcome::Outcome<Box<Certificate>>;

/// The direct engine for one system.
pub struct Direct<'a> {
    system: &'a System,
    places: Places,
    grammar: Grammar,
    last_resort: Vec<InvariantKind>,
    exclusive: bool,
    most_effort: u64,
}

/// One learnt state, independent of the run it was learnt in.
type Learnt = (SymbolId, SetState);

/// What came of a question to some kinds of invariants.
enum Answer {
    /// A closed fixpoint, written down.
    Proved(Proof),
    /// A marking that no set of these kinds refutes.
    Candidate(RewritingTree, TreeMarking),
    /// Not settled with the effort allowed.
    TooHard,
}

/// How many joins each set of kinds may take, the cheap ones first, before it is left for the next round: what
/// is hard for one kind is often easy for another.
const EFFORTS: [u64; 3] = [100_000, 2_000_000, u64::MAX];

/// How many joins a question to the kinds of the last resort may take.
const LAST_EFFORT: u64 = 2_000_000;

/// How many joins a set of kinds may take before small instances are looked at: there may be nothing to prove.
const UNSCOUTED: u64 = 60_000;

/// A question with what doesn't depend on the sets learnt.
struct Question<'a> {
    frame: Frame<'a>,
    bare: Bare,
}

/// What is known of a question without any set: every stage begins there.
enum Bare {
    /// So many joins were not enough.
    Beyond(u64),
    /// The failing markings, ordered by size.
    Failing(Vec<Derivation>),
}

/// A question in the course of being answered: everything learnt so far.
struct Session<'e, 'a> {
    engine: &'e Direct<'a>,
    budget: &'e Budget,
    parts: Parts,
    learnt: Vec<Learnt>,
    dead: DeadInteractions,
    dropped: Vec<(Suspect, Proof)>,
    exclusive: Exclusive,
    /// Whether something was not settled when interactions that never fire were looked for the last time.
    was_too_hard: bool,
}

impl<'a> Direct<'a> {
    /// Prepares the engine for `system`.
    pub fn new(system: &'a System) -> Self {
        let places = Places::new(system);
        let grammar = Grammar::new(system, &places);
        Direct { system, places, grammar, last_resort: Vec::new(), exclusive: false, most_effort: u64::MAX }
    }

    /// Giving up on a question to some kinds of invariants after so many joins.
    #[must_use]
    pub fn with_effort(self, joins: u64) -> Self {
        Direct { most_effort: joins, ..self }
    }

    /// With kinds of invariants that are added to those of the last stage when all else has failed.
    #[must_use]
    pub fn with_last_resort(self, kinds: &[InvariantKind]) -> Self {
        Direct { last_resort: kinds.to_vec(), ..self }
    }

    /// Looking, at the very last, for states that exclude each other; or not, as without this.
    #[must_use]
    pub fn with_exclusive(self, exclusive: bool) -> Self {
        Direct { exclusive, ..self }
    }

    /// Decides whether some instance has a marking in all invariants of the last stage and in the
    /// error set. The stages are tried in order until one proves, or `scout` confirms one's
    /// candidate. `dead_interactions` says whether to drop what never fires before giving up. The last resort
    /// comes after all this, then states that exclude each other.
    pub fn decide(
        &self,
        error: &NamedError,
        stages: &[Vec<InvariantKind>],
        dead_interactions: bool,
        scout: &mut dyn Scout,
        budget: &Budget,
    ) -> Outcome {
        let automaton = match ErrorAutomaton::new(&error.formula) {
            Ok(automaton) => automaton,
            Err(error::Unsupported(what)) => {
                // No proof to be had; an error may be found all the same.
                let _found = scout.finds(0) || scout.finds(1);
                return Outcome::Unsupported(what);
            }
        };
        budget.progress.enter(Phase::Proving);
        let mut session = Session {
            engine: self,
            budget,
            parts: Parts::default(),
            learnt: vec![],
            dead: DeadInteractions::default(),
            dropped: vec![],
            exclusive: Exclusive::default(),
            was_too_hard: false,
        };
        let mut finished = Finished::default();
        match session.run(automaton, stages, dead_interactions, scout, &mut finished) {
            Ok(Some(proof)) => {
                let invariants = kinds_of(&proof, &session.dropped);
                let certificate = Box::new(session.certificate(error, proof));
                Outcome::Proved {
                    invariants,
                    dropped: session.dropped.len(),
                    exclusive: session.exclusive.pairs.len(),
                    evidence: certificate,
                }
            }
            Ok(None) => match finished.candidate {
                Some((tree, marking)) => Outcome::Candidate {
                    tree,
                    marking,
                    kinds: InvariantKind::sorted(finished.failed.into_iter().flatten()),
                    exclusive: finished.exclusive,
                    dropped: session.dropped.len(),
                },
                // An error found before any stage ended, or no stage at all.
                None => Outcome::Unsettled { dropped: session.dropped.len() },
            },
            Err(reason) => {
                let Finished { candidate, failed, .. } = finished;
                let tried = InvariantKind::sorted(failed.into_iter().flatten());
                let dropped = session.dropped.len();
                Outcome::Stopped { reason: reason.into(), candidate, tried, dropped }
            }
        }
    }
}

/// What the stages came to that ended without a proof.
#[derive(Default)]
struct Finished {
    /// The last one's candidate.
    candidate: Option<(RewritingTree, TreeMarking)>,
    /// Kinds that can't prove it. (Neither can any of them alone.)
    failed: Vec<Vec<InvariantKind>>,
    /// Whether the candidate has no states that exclude each other.
    exclusive: bool,
}

impl<'e> Session<'e, '_> {
    fn run(
        &mut self,
        automaton: ErrorAutomaton,
        stages: &[Vec<InvariantKind>],
        dead_interactions: bool,
        scout: &mut dyn Scout,
        finished: &mut Finished,
    ) -> Result<Option<Proof>, Stop> {
        let Finished { candidate, failed, .. } = finished;
        let mut question = self.question(None, automaton);
        let mut scouted = 0;
        for (round, effort) in EFFORTS.into_iter().enumerate() {
            // Before more effort goes into a proof: is there anything to prove?
            let is_open = |failed: &[Vec<InvariantKind>], kinds: &Vec<InvariantKind>| {
                !failed.iter().any(|more| kinds.iter().all(|kind| more.contains(kind)))
            };
            for kinds in stages {
                if !is_open(failed, kinds) {
                    continue;
                }
                let effort = effort.min(self.engine.most_effort);
                if scouted < round {
                    scouted = round;
                    if scout.finds(round - 1) {
                        return Ok(None);
                    }
                }
                let mut answer = if scouted == 0 {
                    self.ask(&mut question, kinds, effort.min(UNSCOUTED))?
                } else {
                    Answer::TooHard
                };
                if let Answer::TooHard = answer {
                    if scouted == 0 {
                        scouted = 1;
                        if scout.finds(0) {
                            return Ok(None);
                        }
                    }
                    answer = self.ask(&mut question, kinds, effort)?;
                }
                match answer {
                    Answer::Proved(proof) => return Ok(Some(self.lean(&mut question, kinds, proof))),
                    Answer::Candidate(tree, marking) => {
                        let real = scout.confirms(&tree, 0);
                        *candidate = Some((tree, marking));
                        failed.push(kinds.clone());
                        if real {
                            return Ok(None);
                        }
                    }
                    Answer::TooHard => {}
                }
            }
        }
        let Some(kinds) = stages.last() else { return Ok(None) };
        let mut suspects = None;
        if dead_interactions {
            // What comes now is dear: is there anything to prove?
            if finished.candidate.as_ref().is_some_and(|(tree, _)| scout.confirms(tree, 1)) {
                return Ok(None);
            }
            let open = suspects.insert(self.suspects(scout));
            for effort in [EFFORTS[0], u64::MAX] {
                if effort > EFFORTS[0] {
                    if !self.was_too_hard {
                        break;
                    }
                    // Again: before more effort goes into a proof.
                    if scouted < EFFORTS.len() - 1 && scout.finds(EFFORTS.len() - 2) {
                        return Ok(None);
                    }
                }
                let effort = effort.min(self.engine.most_effort);
                if let Some(proof) = self.ask_without_dead(&mut question, kinds, open, effort, finished)? {
                    return Ok(Some(proof));
                }
            }
        }
        // Once more with everything there is, and what was dropped stays dropped.
        let more = &self.engine.last_resort;
        let kinds = InvariantKind::sorted(kinds.iter().chain(more).copied());
        let is_open = !finished.failed.iter().any(|failed| kinds.iter().all(|kind| failed.contains(kind)));
        if is_open && !more.is_empty() {
            match self.ask(&mut question, &kinds, LAST_EFFORT)? {
                Answer::Proved(proof) => return Ok(Some(self.lean(&mut question, &kinds, proof))),
                Answer::Candidate(tree, marking) => {
                    finished.candidate = Some((tree, marking));
                    finished.failed.push(kinds.clone());
                }
                Answer::TooHard => return Ok(None),
            }
            if let Some(open) = &mut suspects
                && let Some(proof) =
                    self.ask_without_dead(&mut question, &kinds, open, LAST_EFFORT, finished)?
            {
                return Ok(Some(proof));
            }
        }
        match self.engine.exclusive {
            true => self.ask_without_exclusive(question, &kinds, finished),
            false => Ok(None),
        }
    }

    /// Asks once more, without the markings that private components exclude.
    fn ask_without_exclusive(
        &mut self,
        mut question: Question<'e>,
        kinds: &[InvariantKind],
        finished: &mut Finished,
    ) -> Result<Option<Proof>, Stop> {
        let Direct { system, places, grammar, last_resort, most_effort, .. } = self.engine;
        self.exclusive = Exclusive::new(system, places, grammar);
        if self.exclusive.is_empty() {
            finished.exclusive = true;
            return Ok(None);
        }
        // As a last resort it is bounded as that is; who asks for it by name wants to know.
        let effort = if last_resort.is_empty() { *most_effort } else { LAST_EFFORT };
        question = self.question(None, question.frame.take_error());
        match self.ask(&mut question, kinds, effort)? {
            Answer::Proved(proof) => Ok(Some(self.lean(&mut question, kinds, proof))),
            Answer::Candidate(tree, marking) => {
                finished.candidate = Some((tree, marking));
                finished.exclusive = true;
                Ok(None)
            }
            Answer::TooHard => Ok(None),
        }
    }

    /// A question with what is known by now.
    fn question<'q>(&self, suspect: Option<&'q Suspect>, error: ErrorAutomaton) -> Question<'q>
    where
        'e: 'q,
    {
        let Direct { system, places, grammar, .. } = self.engine;
        let known = (self.dead.clone(), self.exclusive.clone());
        Question { frame: Frame::new(system, places, grammar, known, suspect, error), bare: Bare::Beyond(0) }
    }

    /// The interactions that were not seen to fire.
    fn suspects(&self, scout: &mut dyn Scout) -> Vec<Suspect> {
        let alive = scout.alive();
        let name = |suspect: &Suspect| (suspect.rule, suspect.interaction, suspect.combination.clone());
        suspects(self.engine.system).filter(|suspect| !alive.contains(&name(suspect))).collect()
    }

    /// Drops those of `suspects` that never fire, and asks again, until nothing changes. Questions may take
    /// `effort` each.
    fn ask_without_dead(
        &mut self,
        question: &mut Question<'e>,
        kinds: &[InvariantKind],
        suspects: &mut Vec<Suspect>,
        effort: u64,
        finished: &mut Finished,
    ) -> Result<Option<Proof>, Stop> {
        self.was_too_hard = false;
        loop {
            let before = self.dropped.len();
            for suspect in std::mem::take(suspects) {
                let mut whether = self.question(Some(&suspect), ErrorAutomaton::suspect());
                match self.ask(&mut whether, kinds, effort)? {
                    Answer::Proved(proof) => {
                        self.dead.insert(suspect.rule, suspect.interaction, suspect.combination.clone());
                        self.dropped.push((suspect, proof));
                    }
                    answer => {
                        self.was_too_hard |= matches!(answer, Answer::TooHard);
                        suspects.push(suspect);
                    }
                }
            }
            if self.dropped.len() == before {
                return Ok(None);
            }
            *question = self.question(None, question.frame.take_error());
            match self.ask(question, kinds, effort)? {
                Answer::Proved(proof) => return Ok(Some(self.lean(question, kinds, proof))),
                Answer::Candidate(tree, marking) => finished.candidate = Some((tree, marking)),
                Answer::TooHard => self.was_too_hard = true,
            }
        }
    }

    /// Tries to do without kinds of invariants, dearest first, so that a proof names what it needs. If the
    /// run is stopped meanwhile, the proof at hand is as good.
    fn lean(&mut self, question: &mut Question<'_>, kinds: &[InvariantKind], proof: Proof) -> Proof {
        let mut best = proof;
        let mut used: Vec<InvariantKind> = kinds.to_vec();
        if used.len() < 2 {
            return best;
        }
        used.sort_by_key(|kind| std::cmp::Reverse(kind.cost()));
        for kind in used.clone() {
            let fewer: Vec<_> = used.iter().copied().filter(|&other| other != kind).collect();
            let was_used = best.sets.iter().any(|set| set.kind == kind.to_string());
            if !was_used {
                used = fewer;
                continue;
            }
            let dead = self.dead.clone();
            let sets = self.sets(&dead, &fewer);
            let answer = self.check(&mut question.frame, &sets, &mut u64::MAX.clone());
            self.parts = sets.into_parts();
            match answer {
                Ok(Ok(proof)) => {
                    best = proof;
                    used = fewer;
                }
                Ok(Err(_)) => {}
                Err(_) => return best,
            }
        }
        best
    }

    /// Learns until the question is settled for these kinds, or `effort` joins were tried. What has been
    /// learnt stays.
    fn ask(
        &mut self,
        question: &mut Question<'_>,
        kinds: &[InvariantKind],
        effort: u64,
    ) -> Result<Answer, Stop> {
        let dead = self.dead.clone();
        let mut sets = self.sets(&dead, kinds);
        let mut left = effort;
        let answer = loop {
            let is_bare = sets.is_empty();
            let checked;
            let failing = match &question.bare {
                Bare::Failing(known) if is_bare => known,
                Bare::Beyond(tried) if is_bare && effort <= *tried => break Answer::TooHard,
                _ => {
                    let found = match self.check(&mut question.frame, &sets, &mut left) {
                        Ok(Ok(proof)) => break Answer::Proved(proof),
                        Ok(Err(failing)) => failing,
                        Err(Halt::Effort) => {
                            if is_bare {
                                question.bare = Bare::Beyond(effort);
                            }
                            break Answer::TooHard;
                        }
                        Err(Halt::Stopped(stop)) => return Err(stop),
                    };
                    if is_bare {
                        question.bare = Bare::Failing(found);
                        continue;
                    }
                    checked = found;
                    &checked
                }
            };
            let candidate = self.learn(&mut sets, kinds, failing)?;
            if let Some(Derivation { tree, marking, .. }) = candidate {
                break Answer::Candidate(tree, marking);
            }
        };
        self.parts = sets.into_parts();
        Ok(answer)
    }

    /// What has been learnt of these kinds.
    fn sets<'s>(&mut self, dead: &'s DeadInteractions, kinds: &[InvariantKind]) -> Sets<'s>
    where
        'e: 's,
    {
        let mut sets =
            Sets::new(self.engine.system, &self.engine.grammar, dead, std::mem::take(&mut self.parts));
        for (symbol, state) in &self.learnt {
            if kinds.contains(&state.kind) {
                sets.learn(*symbol, state.clone());
            }
        }
        sets
    }

    /// Learns from failing markings, ordered by size, or returns the first of the smallest that no set
    /// refutes. (A larger one that no set refutes says nothing yet: a smaller one may have been overlooked.)
    fn learn(
        &mut self,
        sets: &mut Sets<'_>,
        kinds: &[InvariantKind],
        failing: &[Derivation],
    ) -> Result<Option<Derivation>, Stop> {
        let system = self.engine.system;
        let before = self.learnt.len();
        let smallest = failing.first().map_or(0, |derivation| derivation.tree.size());
        let mut last = None;
        for derivation in failing {
            // What another marking taught may do for this one too.
            if derivation.is_refuted(system, sets) {
                last = Some(derivation);
                continue;
            }
            let net = unfold(system, &derivation.tree);
            let Some(marked) = marking::from_tree(&net, &derivation.marking) else {
                return Ok(Some(derivation.clone()));
            };
            let component = |created: Option<derivation::Owner>| net.component_at(created?.0, created?.1);
            let joins = derivation.joins().map(|(created, parts)| (component(created), parts)).collect();
            let mut refuted = None;
            for &kind in kinds {
                refuted = refute::find(&net, &joins, &self.dead, kind, &marked, self.budget)?
                    .map(|set| (kind, set));
                if refuted.is_some() {
                    break;
                }
            }
            let Some((kind, set)) = refuted else {
                if derivation.tree.size() == smallest {
                    return Ok(Some(derivation.clone()));
                }
                continue;
            };
            let weight = |node: usize, atom: usize, state| {
                net.component_at(node, atom).map_or(0, |component| set[net.place(component, state)])
            };
            for (symbol, state) in derivation.states(system, &mut sets.parts, kind, weight) {
                if sets.learn(symbol, state.clone()) {
                    self.learnt.push((symbol, state));
                }
            }
            last = Some(derivation);
        }
        // Whatever fails, fails for want of something to learn. Were that ever wrong, the honest end
        // is an open question, not a loop.
        debug_assert!(self.learnt.len() > before);
        Ok(if self.learnt.len() > before { None } else { last.cloned() })
    }

    /// One fixpoint with what has been learnt: a proof, or markings that nothing learnt refutes.
    fn check(
        &self,
        frame: &mut Frame<'_>,
        sets: &Sets<'_>,
        effort: &mut u64,
    ) -> Result<Result<Proof, Vec<Derivation>>, Halt> {
        let Direct { system, places, grammar, .. } = self.engine;
        let mut fixpoint = Fixpoint::new(frame, sets);
        let failing = fixpoint.run(self.budget, effort)?;
        if failing.is_empty() {
            let needed = fixpoint.needed(self.budget)?;
            return Ok(Ok(certify::proof(system, places, grammar, sets, &fixpoint, &needed)));
        }
        let derivations =
            failing.into_iter().map(|root| Derivation::new(system, places, grammar, &fixpoint, root));
        Ok(Err(derivations.collect()))
    }

    fn certificate(&self, error: &NamedError, proof: Proof) -> Certificate {
        certify::certificate(self.engine.system, error, &self.dropped, &self.exclusive, proof)
    }
}

/// Every interaction of every rule in every combination that its variables' types allow.
fn suspects(system: &System) -> impl Iterator<Item = Suspect> + '_ {
    let reachable = system.rules.enumerate().filter(|(_, rule)| system.predicates[rule.head].is_reachable);
    reachable.flat_map(move |(rule_id, rule)| {
        rule.interactions.enumerate().flat_map(move |(interaction, definition)| {
            let mut combinations: Vec<Combination> = vec![vec![]];
            for &(port, variable) in &definition.participants {
                let choices: Vec<(TypeId, TransitionId)> = rule.variables[variable]
                    .types
                    .iter()
                    .flat_map(|&component| {
                        system.types[component].transitions_on(port).map(move |(id, _)| (component, id))
                    })
                    .collect();
                combinations = combinations
                    .iter()
                    .flat_map(|begun| {
                        choices.iter().map(move |&choice| {
                            let mut longer = begun.clone();
                            longer.push(choice);
                            longer
                        })
                    })
                    .collect();
            }
            combinations.into_iter().map(move |combination| Suspect {
                rule: rule_id,
                interaction,
                combination,
            })
        })
    })
}

/// The kinds of sets that a proof and the proofs it rests on use, cheapest first.
fn kinds_of(proof: &Proof, dropped: &[(Suspect, Proof)]) -> Vec<InvariantKind> {
    let kinds = std::iter::once(proof)
        .chain(dropped.iter().map(|(_, proof)| proof))
        .flat_map(|proof| proof.sets.iter().filter_map(|set| set.kind.parse().ok()));
    InvariantKind::sorted(kinds)
}

#[cfg(test)]
mod tests;
