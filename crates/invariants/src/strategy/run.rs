//! The loop over the table of attempts, the same for every engine.
//!
//! An engine ([`Prover`]) answers one question at a time; [`run`] decides which one is next, calls the
//! [`Scout`] in between, and keeps what was found.

use std::ops::ControlFlow::{self, Break, Continue};

use paramcheck_model::system::System;
use paramcheck_model::tree::{RewritingTree, TreeMarking};

use super::{Attempt, QUICK_STATES};
use crate::firing::{InteractionFiring, suspects};
use crate::kind::InvariantKind;
use crate::outcome::{Outcome, Scout, Unfinished};

/// Which markings a question is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Subject {
    /// Those of the error.
    Error,
    /// Those that enable an interaction.
    Enabled(InteractionFiring),
}

/// The answer to one question.
#[derive(Debug)]
pub enum Answer<P> {
    /// No instance has such a marking; the proof.
    Proved(P),
    /// An instance with such a marking.
    Candidate(RewritingTree, TreeMarking),
    /// The effort was not enough.
    Exhausted,
}

/// An engine, as the strategy sees it.
pub trait Prover {
    /// What a proof consists of.
    type Proof;
    /// What ends a run: a limit, or a question that can't be answered.
    type Failure;

    /// Whether some instance has a marking of `subject` that is in every invariant of these kinds and enables
    /// no dropped interaction. `effort` bounds the work, if the engine can bound it.
    ///
    /// # Errors
    /// The run can't go on.
    fn ask(
        &mut self,
        subject: &Subject,
        kinds: &[InvariantKind],
        effort: u64,
    ) -> Result<Answer<Self::Proof>, Self::Failure>;

    /// Drops an interaction that was proved never to fire, from every later question.
    fn drop_dead(&mut self, firing: InteractionFiring, proof: Self::Proof);

    /// Leaves markings with exclusive states out of every later question; false if there are none.
    ///
    /// # Errors
    /// The run can't go on.
    fn leave_out_exclusive(&mut self) -> Result<bool, Self::Failure>;
}

/// What was found on the way.
#[derive(Debug, Default)]
pub struct Findings {
    /// The last candidate.
    candidate: Option<(RewritingTree, TreeMarking)>,
    /// The sets of kinds that left a candidate. (Neither can a part of one prove.)
    failed: Vec<Vec<InvariantKind>>,
    /// Whether the candidate has no states that exclude each other.
    exclusive: bool,
}

impl Findings {
    /// The outcome of a run that ended without a proof. `dropped` are the interactions dropped.
    pub fn without_proof<E>(self, dropped: Vec<InteractionFiring>) -> Outcome<E> {
        let kinds = self.tried();
        match self.candidate {
            Some((tree, marking)) => {
                Outcome::Candidate { tree, marking, kinds, exclusive: self.exclusive, dropped }
            }
            // An error was found before any stage ended, or there is no stage at all.
            None => Outcome::Unsettled { dropped },
        }
    }

    /// The outcome of a run that was ended.
    pub fn unfinished<E>(self, reason: Unfinished, dropped: Vec<InteractionFiring>) -> Outcome<E> {
        let tried = self.tried();
        Outcome::Stopped { reason, candidate: self.candidate, tried, dropped }
    }

    fn tried(&self) -> Vec<InvariantKind> {
        InvariantKind::sorted(self.failed.iter().flatten().copied())
    }

    /// Whether these kinds, or more, left a candidate.
    fn have_failed(&self, kinds: &[InvariantKind]) -> bool {
        self.failed.iter().any(|failed| kinds.iter().all(|kind| failed.contains(kind)))
    }
}

/// The kinds of the question that was answered by a proof, and the proof.
pub(crate) type Proved<P> = (Vec<InvariantKind>, <P as Prover>::Proof);

/// Goes through the attempts until one of them proves that no instance has a marking of the error, or `scout`
/// finds one that reaches it.
pub fn run<P: Prover>(
    prover: &mut P,
    system: &System,
    attempts: &[Attempt],
    scout: &mut dyn Scout,
) -> (Result<Option<Proved<P>>, P::Failure>, Findings) {
    let findings = Findings::default();
    let mut run = Run { prover, system, scout, findings, explored: 0, suspects: None, is_exhausted: false };
    let result = run.all(attempts);
    (result, run.findings)
}

/// Whether the run ends, and with which proof.
type Step<P> = Result<ControlFlow<Option<Proved<P>>>, <P as Prover>::Failure>;

struct Run<'r, P> {
    prover: &'r mut P,
    system: &'r System,
    scout: &'r mut dyn Scout,
    findings: Findings,
    /// How many states of small instances could be visited so far.
    explored: usize,
    /// The interactions that may never fire; `None` while they are not looked for.
    suspects: Option<Vec<InteractionFiring>>,
    /// Whether the effort was not enough for a question of the last [`Attempt::DropDead`].
    is_exhausted: bool,
}

impl<P: Prover> Run<'_, P> {
    fn all(&mut self, attempts: &[Attempt]) -> Result<Option<Proved<P>>, P::Failure> {
        for (position, attempt) in attempts.iter().enumerate() {
            if self.is_due(&attempts[position..])
                && let Break(end) = self.attempt(attempt)?
            {
                return Ok(end);
            }
        }
        Ok(None)
    }

    /// Whether the first attempt is worth making.
    fn is_due(&self, attempts: &[Attempt]) -> bool {
        let Some((attempt, later)) = attempts.split_first() else { return false };
        match attempt {
            Attempt::Try { kinds, .. } => self.explored == 0 && !self.findings.have_failed(kinds),
            Attempt::Prove { kinds, .. } | Attempt::LastResort { kinds, .. } => {
                !self.findings.have_failed(kinds)
            }
            Attempt::Explore { states } => self.explored < *states && self.is_due(later),
            Attempt::DropDead { .. } => self.suspects.is_none() || self.is_exhausted,
            Attempt::NoInvariant | Attempt::Confirm { .. } | Attempt::Exclusive { .. } => true,
        }
    }

    fn attempt(&mut self, attempt: &Attempt) -> Step<P> {
        match attempt {
            Attempt::NoInvariant => self.no_invariant(),
            Attempt::Try { kinds, effort } | Attempt::Prove { kinds, effort } => self.prove(kinds, *effort),
            Attempt::Explore { states } => {
                self.explored = *states;
                Ok(end_if(self.scout.finds(*states)))
            }
            Attempt::Confirm { states } => {
                let candidate = self.findings.candidate.as_ref();
                Ok(end_if(
                    candidate.is_some_and(|(tree, marking)| self.scout.confirms(tree, marking, *states)),
                ))
            }
            Attempt::DropDead { kinds, effort } => {
                let suspects = match self.suspects.take() {
                    Some(left) => left,
                    None => suspects(self.system, &self.scout.alive()),
                };
                self.drop_dead(suspects, kinds, *effort)
            }
            Attempt::LastResort { kinds, effort } => self.last_resort(kinds, *effort),
            Attempt::Exclusive { kinds, effort } => self.exclusive(kinds, *effort),
        }
    }

    fn no_invariant(&mut self) -> Step<P> {
        Ok(match self.prover.ask(&Subject::Error, &[], u64::MAX)? {
            Answer::Proved(proof) => Break(Some((Vec::new(), proof))),
            Answer::Candidate(..) | Answer::Exhausted => Continue(()),
        })
    }

    fn prove(&mut self, kinds: &[InvariantKind], effort: u64) -> Step<P> {
        Ok(match self.prover.ask(&Subject::Error, kinds, effort)? {
            Answer::Proved(proof) => Break(Some((kinds.to_vec(), proof))),
            Answer::Candidate(tree, marking) => {
                let is_reached = self.scout.confirms(&tree, &marking, QUICK_STATES);
                self.findings.candidate = Some((tree, marking));
                self.findings.failed.push(kinds.to_vec());
                end_if(is_reached)
            }
            Answer::Exhausted => Continue(()),
        })
    }

    /// Drops those of `suspects` that never fire, and puts the question again, until nothing changes.
    fn drop_dead(
        &mut self,
        mut suspects: Vec<InteractionFiring>,
        kinds: &[InvariantKind],
        effort: u64,
    ) -> Step<P> {
        self.is_exhausted = false;
        loop {
            let before = suspects.len();
            let mut open = Vec::new();
            for suspect in suspects {
                match self.prover.ask(&Subject::Enabled(suspect.clone()), kinds, effort)? {
                    Answer::Proved(proof) => self.prover.drop_dead(suspect, proof),
                    Answer::Candidate(..) => open.push(suspect),
                    Answer::Exhausted => {
                        self.is_exhausted = true;
                        open.push(suspect);
                    }
                }
            }
            if open.len() == before {
                self.suspects = Some(open);
                return Ok(Continue(()));
            }
            suspects = open;
            match self.prover.ask(&Subject::Error, kinds, effort)? {
                Answer::Proved(proof) => return Ok(Break(Some((kinds.to_vec(), proof)))),
                Answer::Candidate(tree, marking) => self.findings.candidate = Some((tree, marking)),
                Answer::Exhausted => self.is_exhausted = true,
            }
        }
    }

    fn last_resort(&mut self, kinds: &[InvariantKind], effort: u64) -> Step<P> {
        match self.prover.ask(&Subject::Error, kinds, effort)? {
            Answer::Proved(proof) => return Ok(Break(Some((kinds.to_vec(), proof)))),
            Answer::Candidate(tree, marking) => {
                self.findings.candidate = Some((tree, marking));
                self.findings.failed.push(kinds.to_vec());
            }
            Answer::Exhausted => return Ok(Break(None)),
        }
        match self.suspects.take() {
            Some(suspects) => self.drop_dead(suspects, kinds, effort),
            None => Ok(Continue(())),
        }
    }

    fn exclusive(&mut self, kinds: &[InvariantKind], effort: u64) -> Step<P> {
        if !self.prover.leave_out_exclusive()? {
            self.findings.exclusive = true;
            return Ok(Continue(()));
        }
        Ok(match self.prover.ask(&Subject::Error, kinds, effort)? {
            Answer::Proved(proof) => Break(Some((kinds.to_vec(), proof))),
            Answer::Candidate(tree, marking) => {
                self.findings.candidate = Some((tree, marking));
                self.findings.exclusive = true;
                Continue(())
            }
            Answer::Exhausted => Continue(()),
        })
    }
}

/// Ends the run without a proof if an instance reaches the error.
fn end_if<T>(is_reached: bool) -> ControlFlow<Option<T>> {
    if is_reached { Break(None) } else { Continue(()) }
}
