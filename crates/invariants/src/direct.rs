//! The direct engine: tree automata over rewriting trees, computed from the leaves up.
//!
//! It reads downwards as counterexample-guided inductive synthesis (CEGIS): [`Learner::settle`] computes a
//! fixpoint, [`Learner::learn`] refutes the markings at which it fails, and what refutes them is learnt for
//! the next fixpoint.
//!
//! The question "is there an instance and a marking of it that is in every invariant and in the error
//! set" is answered by [`fixpoint`] over a binary [`grammar`], with the [`sets`] learnt so far. A
//! failing configuration gives an instance and a marking ([`derivation`]); [`refute`] looks for a set
//! that excludes that marking in that instance. If there is one, what it shows at every node is
//! learnt, and the fixpoint starts again; if not, the marking is a genuine candidate: in every
//! invariant there is. Every round learns something, and there are finitely many things to learn, so
//! the loop ends; it ends early because what one instance teaches holds in all.
//!
//! Which question comes next is not decided here but by the [strategy](crate::strategy). What has been
//! learnt for one question serves all later ones.

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
mod stronger;

use std::convert::Infallible;

use crate::firing::InteractionFiring;
use crate::kind::InvariantKind;
use crate::outcome::{self, Scout};
use crate::strategy::{Answer, InvariantChoice, Prover, QUICK_STATES, Subject, THOROUGH_STATES, run};
use paramcheck_certificate::data::{Certificate, Proof};
use paramcheck_model::error::{ErrorFormula, NamedError};
use paramcheck_model::system::System;
use paramcheck_nets::instance::marking;
use paramcheck_nets::instance::unfold::{NotUnfolded, try_unfold};
use paramcheck_text::limits::{Budget, Phase, Stop};

use dead::DeadInteractions;
use derivation::Derivation;
use error::ErrorAutomaton;
use exclusive::Exclusive;
use fixpoint::{Fixpoint, Halt};
use frame::Frame;
use grammar::{Grammar, SymbolId};
use place::Places;
use sets::{Parts, SetState, Sets};

pub use stronger::{Excluded, excluded};

/// What the engine found, with the certificate of a proof.
pub type Outcome = outcome::Outcome<Box<Certificate>>;

/// The direct engine for one system.
pub struct Direct<'a> {
    system: &'a System,
    places: Places,
    grammar: Grammar,
    max_effort: u64,
}

impl<'a> Direct<'a> {
    /// Prepares the engine for `system`.
    pub fn new(system: &'a System) -> Self {
        let Ok(engine) = Self::prepared(system, &mut || Ok::<_, Infallible>(()));
        engine
    }

    /// The same, within limits: rules with thousands of variables take their time.
    ///
    /// # Errors
    /// `budget` ended before it was prepared.
    pub fn within(system: &'a System, budget: &Budget) -> Result<Self, Stop> {
        Self::prepared(system, &mut || budget.check())
    }

    fn prepared<E>(system: &'a System, step: &mut impl FnMut() -> Result<(), E>) -> Result<Self, E> {
        let places = Places::new(system);
        let grammar = Grammar::new(system, &places, step)?;
        Ok(Direct { system, places, grammar, max_effort: u64::MAX })
    }

    /// With no more than that many joins for any question to some kinds of invariants.
    #[must_use]
    pub fn with_effort(self, joins: u64) -> Self {
        Direct { max_effort: joins, ..self }
    }

    /// Decides whether some instance has a marking in the error set and in all invariants that may be used.
    /// They are tried in the order of [`InvariantChoice::attempts`] until some prove, or `scout` finds an
    /// instance that reaches the error.
    pub fn decide(
        &self,
        error: &NamedError,
        invariants: &InvariantChoice,
        scout: &mut dyn Scout,
        budget: &Budget,
    ) -> Outcome {
        let automaton = match ErrorAutomaton::new(&error.formula) {
            Ok(automaton) => automaton,
            Err(error::Unsupported(what)) => {
                // There is no proof; an error may be found all the same.
                let _found = scout.finds(QUICK_STATES) || scout.finds(THOROUGH_STATES);
                return Outcome::Unsupported(what);
            }
        };
        budget.progress.enter(Phase::Proving);
        let mut session = Session::new(self, automaton, budget);
        let (proved, findings) = run(&mut session, self.system, &invariants.attempts(), scout);
        let Session { learner, dropped, .. } = session;
        match proved {
            Ok(Some((_, proof))) => Outcome::Proved {
                invariants: kinds_of(&proof, &dropped),
                dropped: dropped.len(),
                exclusive: learner.exclusive.pairs.len(),
                evidence: Box::new(certify::certificate(
                    self.system,
                    error,
                    &dropped,
                    &learner.exclusive,
                    proof,
                )),
            },
            Ok(None) => findings.without_proof(firings(dropped)),
            Err(stop) => findings.unfinished(stop.into(), firings(dropped)),
        }
    }

    /// A proof that no instance reaches `error`, by sets of these kinds alone, if it is found with at most `effort`
    /// joins.
    pub fn prove_by(
        &self,
        error: &NamedError,
        kinds: &[InvariantKind],
        effort: u64,
        budget: &Budget,
    ) -> Option<Box<Certificate>> {
        let automaton = ErrorAutomaton::new(&error.formula).ok()?;
        let mut session = Session::new(self, automaton, budget);
        let Ok(Answer::Proved(proof)) = session.ask(&Subject::Error, kinds, effort) else { return None };
        let exclusive = &session.learner.exclusive;
        Some(Box::new(certify::certificate(self.system, error, &session.dropped, exclusive, proof)))
    }

    /// Proves that none of these firings ever happens, with these kinds of invariants: the certificate drops
    /// them, and what it proves besides is that nothing is an error that never holds, given with it. `None`
    /// where that is not proved.
    pub fn never_fire(
        &self,
        firings: Vec<InteractionFiring>,
        kinds: &[InvariantKind],
        budget: &Budget,
    ) -> Option<(NamedError, Box<Certificate>)> {
        let error = NamedError { name: "nothing".to_owned(), formula: ErrorFormula::Or(Vec::new()) };
        let mut session = Session::new(self, ErrorAutomaton::new(&error.formula).ok()?, budget);
        for firing in firings {
            let subject = Subject::Enabled(firing.clone());
            let Ok(Answer::Proved(proof)) = session.ask(&subject, kinds, u64::MAX) else { return None };
            session.drop_dead(firing, proof);
        }
        let Ok(Answer::Proved(proof)) = session.ask(&Subject::Error, kinds, u64::MAX) else { return None };
        let Session { learner, dropped, .. } = session;
        let certificate = certify::certificate(self.system, &error, &dropped, &learner.exclusive, proof);
        Some((error, Box::new(certificate)))
    }
}

/// The questions about one error.
struct Session<'e, 'a> {
    learner: Learner<'e, 'a>,
    /// The question about the error itself.
    question: Question<'e>,
    /// Whether something was dropped or left out since that question was prepared.
    is_stale: bool,
    dropped: Vec<(InteractionFiring, Proof)>,
}

impl<'e, 'a> Session<'e, 'a> {
    fn new(engine: &'e Direct<'a>, automaton: ErrorAutomaton, budget: &'e Budget) -> Self {
        let learner = Learner {
            engine,
            budget,
            parts: Parts::default(),
            learnt: vec![],
            dead: DeadInteractions::default(),
            exclusive: Exclusive::default(),
        };
        let question = learner.question(None, automaton);
        Session { learner, question, is_stale: false, dropped: vec![] }
    }
}

impl Prover for Session<'_, '_> {
    type Proof = Proof;
    type Failure = Stop;

    fn ask(
        &mut self,
        subject: &Subject,
        kinds: &[InvariantKind],
        effort: u64,
    ) -> Result<Answer<Proof>, Stop> {
        let Session { learner, question, .. } = self;
        let effort = effort.min(learner.engine.max_effort);
        if let Subject::Enabled(firing) = subject {
            let mut question = learner.question(Some(firing), ErrorAutomaton::suspect());
            return learner.settle(&mut question, kinds, effort);
        }
        if std::mem::take(&mut self.is_stale) {
            *question = learner.question(None, question.frame.take_error());
        }
        Ok(match learner.settle(question, kinds, effort)? {
            Answer::Proved(proof) => Answer::Proved(learner.minimise_kinds(question, kinds, proof)),
            open => open,
        })
    }

    fn drop_dead(&mut self, firing: InteractionFiring, proof: Proof) {
        self.learner.dead.insert(firing.rule, firing.interaction, firing.combination.clone());
        self.dropped.push((firing, proof));
        self.is_stale = true;
    }

    fn leave_out_exclusive(&mut self) -> Result<bool, Stop> {
        let Direct { system, places, grammar, .. } = self.learner.engine;
        self.learner.exclusive = Exclusive::new(system, places, grammar, self.learner.budget)?;
        self.is_stale = true;
        Ok(!self.learner.exclusive.is_empty())
    }
}

/// A question with what doesn't depend on the sets learnt.
struct Question<'a> {
    frame: Frame<'a>,
    without_sets: WithoutSets,
}

/// What is known of a question without any set: it begins there for every set of kinds.
enum WithoutSets {
    /// This many joins were not enough.
    Beyond(u64),
    /// The failing markings, ordered by size.
    Failing(Vec<Derivation>),
}

/// One learnt state, independent of the run it was learnt in.
type Learnt = (SymbolId, SetState);

/// Everything learnt so far, and what later questions may leave out.
struct Learner<'e, 'a> {
    engine: &'e Direct<'a>,
    budget: &'e Budget,
    parts: Parts,
    learnt: Vec<Learnt>,
    dead: DeadInteractions,
    exclusive: Exclusive,
}

impl<'e> Learner<'e, '_> {
    /// A question with what is known by now: about a firing, or about the error.
    fn question<'q>(&self, firing: Option<&'q InteractionFiring>, error: ErrorAutomaton) -> Question<'q>
    where
        'e: 'q,
    {
        let Direct { system, places, grammar, .. } = self.engine;
        let known = (self.dead.clone(), self.exclusive.clone());
        let frame = Frame::new(system, places, grammar, known, firing, error);
        Question { frame, without_sets: WithoutSets::Beyond(0) }
    }

    /// Learns until the question is settled for these kinds, or `effort` joins were tried. What has been
    /// learnt stays.
    fn settle(
        &mut self,
        question: &mut Question<'_>,
        kinds: &[InvariantKind],
        effort: u64,
    ) -> Result<Answer<Proof>, Stop> {
        // A question may be too small for a look at the budget on the way, and there may be many.
        self.budget.check()?;
        let dead = self.dead.clone();
        let mut sets = self.sets(&dead, kinds)?;
        let mut left = effort;
        let answer = loop {
            let is_first = sets.is_empty();
            let checked;
            let failing = match &question.without_sets {
                WithoutSets::Failing(known) if is_first => known,
                WithoutSets::Beyond(tried) if is_first && effort <= *tried => break Answer::Exhausted,
                _ => {
                    let found = match self.check(&mut question.frame, &sets, &mut left) {
                        Ok(Ok(proof)) => break Answer::Proved(proof),
                        Ok(Err(failing)) => failing,
                        Err(Halt::Effort) => {
                            if is_first {
                                question.without_sets = WithoutSets::Beyond(effort);
                            }
                            break Answer::Exhausted;
                        }
                        Err(Halt::Stopped(stop)) => return Err(stop),
                    };
                    if is_first {
                        question.without_sets = WithoutSets::Failing(found);
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

    /// Learns from failing markings, ordered by size, or returns the first of the smallest that no set
    /// refutes. (A larger one that no set refutes shows nothing yet: a smaller one may have been overlooked.)
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
            self.budget.check()?;
            // What was learnt from another marking may refute this one too.
            if derivation.is_refuted(system, sets, self.budget)? {
                last = Some(derivation);
                continue;
            }
            let net = match try_unfold(system, &derivation.tree, usize::MAX, self.budget) {
                Ok(net) => net,
                Err(NotUnfolded::Stopped(stop)) => return Err(stop),
                // None is too large for no bound.
                Err(NotUnfolded::TooLarge) => return Ok(Some(derivation.clone())),
            };
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
            let states = derivation.states(system, sets, kind, weight, self.budget)?;
            for (symbol, state) in states {
                self.budget.check()?;
                if sets.learn(symbol, state.clone()) {
                    self.learnt.push((symbol, state));
                }
            }
            last = Some(derivation);
        }
        // As long as something fails there is something to learn. Were that ever wrong, an open question is a
        // better end than an endless loop.
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
            let fixpoint = (&fixpoint, &needed);
            return Ok(Ok(certify::proof(system, places, grammar, sets, fixpoint, self.budget)?));
        }
        let derivation = |root| Derivation::new(system, places, grammar, &fixpoint, root, self.budget);
        Ok(Err(failing.into_iter().map(derivation).collect::<Result<_, _>>()?))
    }

    /// Tries to do without kinds of invariants, the most expensive first, so that a proof names what it
    /// needs. If the run is stopped meanwhile, the proof at hand is as good.
    fn minimise_kinds(
        &mut self,
        question: &mut Question<'_>,
        kinds: &[InvariantKind],
        proof: Proof,
    ) -> Proof {
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
            let Ok(sets) = self.sets(&dead, &fewer) else { return best };
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

    /// What has been learnt of these kinds.
    fn sets<'s>(&mut self, dead: &'s DeadInteractions, kinds: &[InvariantKind]) -> Result<Sets<'s>, Stop>
    where
        'e: 's,
    {
        let mut sets =
            Sets::new(self.engine.system, &self.engine.grammar, dead, std::mem::take(&mut self.parts));
        for (symbol, state) in &self.learnt {
            self.budget.check()?;
            if kinds.contains(&state.kind) {
                sets.learn(*symbol, state.clone());
            }
        }
        Ok(sets)
    }
}

fn firings(dropped: Vec<(InteractionFiring, Proof)>) -> Vec<InteractionFiring> {
    dropped.into_iter().map(|(firing, _)| firing).collect()
}

/// The kinds of sets that a proof and the proofs it rests on use, cheapest first.
fn kinds_of(proof: &Proof, dropped: &[(InteractionFiring, Proof)]) -> Vec<InvariantKind> {
    let kinds = std::iter::once(proof)
        .chain(dropped.iter().map(|(_, proof)| proof))
        .flat_map(|proof| proof.sets.iter().filter_map(|set| set.kind.parse().ok()));
    InvariantKind::sorted(kinds)
}

#[cfg(test)]
mod tests;
