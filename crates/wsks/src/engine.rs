//! The paper's engine: questions about systems as WSκS formulas, decided by MONA.
//!
//! Each question to the invariants of some kinds is one formula (Theorem 1): unsatisfiable, and no instance
//! has such a marking; satisfiable, and its model is an instance and a marking. Which question is next is
//! decided by the [strategy](paramcheck_invariants::strategy) that the direct engine follows too. Nothing is
//! learnt from one formula for the next. A proof is MONA's word: there is no certificate, only the record of
//! the queries ([`QueryRecord`]).
//!
//! What is not here: formulas ([`question`](crate::question)), automata ([`crate::mona`]), what becomes of a
//! candidate (crate `verdict`).

use std::time::{Duration, Instant};

use crate::encoding::EncodeError;
use crate::mona::{self, Means, Undecided};
use crate::print::Summaries;
use crate::question::{Goal, Question, question};
use crate::tracks::DecodeError;
use paramcheck_invariants::firing::InteractionFiring;
use paramcheck_invariants::kind::InvariantKind;
use paramcheck_invariants::outcome::{MonaFailure, Outcome, Scout, Unfinished};
use paramcheck_invariants::record::{Automaton, Finding, QueryRecord};
use paramcheck_invariants::strategy::{Answer, InvariantChoice, Prover, Subject, run};
use paramcheck_model::error::NamedError;
use paramcheck_model::system::System;
use paramcheck_text::limits::Phase;

/// How long the texts of subformulas in a record are, in characters.
const SUMMARY_WIDTH: usize = 80;

/// The engine for one system.
#[derive(Debug)]
pub struct Wsks<'a> {
    system: &'a System,
    means: &'a Means,
    queries: Vec<QueryRecord>,
}

/// What stands in the way of an answer.
enum Obstacle {
    /// The system or the error has no formula.
    NoFormula(EncodeError),
    /// MONA failed, at this subformula.
    Failed(MonaFailure, Option<String>),
    /// MONA's model is no instance: a bug.
    Model(DecodeError),
}

impl<'a> Wsks<'a> {
    /// Prepares the engine for `system`.
    pub fn new(system: &'a System, means: &'a Means) -> Self {
        Wsks { system, means, queries: Vec::new() }
    }

    /// The formulas decided so far.
    pub fn into_queries(self) -> Vec<QueryRecord> {
        self.queries
    }

    /// Decides whether some instance has a marking in the error set and in all invariants that may be used.
    /// They are tried in the order of [`InvariantChoice::attempts_by_formulas`] until some prove, or `scout`
    /// finds an instance that reaches the error.
    ///
    /// # Errors
    /// MONA's model of a formula is no instance with a marking: a bug.
    pub fn decide(
        &mut self,
        error: &NamedError,
        invariants: &InvariantChoice,
        scout: &mut dyn Scout,
    ) -> Result<Outcome<()>, DecodeError> {
        self.means.budget.progress.enter(Phase::Proving);
        let system = self.system;
        let mut session = Session { engine: self, error, dropped: Vec::new() };
        let (proved, findings) = run(&mut session, system, &invariants.attempts_by_formulas(), scout);
        let dropped = session.dropped;
        Ok(match proved {
            Ok(Some((invariants, ()))) => {
                Outcome::Proved { invariants, dropped: dropped.len(), exclusive: 0, evidence: () }
            }
            Ok(None) => findings.without_proof(dropped),
            Err(Obstacle::NoFormula(error)) => Outcome::Unsupported(error.to_string()),
            Err(Obstacle::Failed(what, at)) => {
                let reason = match what.stop() {
                    Some(stop) if at.is_none() => Unfinished::Stopped(stop),
                    _ => Unfinished::Mona { what, at },
                };
                findings.unfinished(reason, dropped)
            }
            Err(Obstacle::Model(error)) => return Err(error),
        })
    }
}

/// The questions about one error.
struct Session<'s, 'a> {
    engine: &'s mut Wsks<'a>,
    error: &'s NamedError,
    dropped: Vec<InteractionFiring>,
}

impl Prover for Session<'_, '_> {
    type Proof = ();
    type Failure = Obstacle;

    fn ask(&mut self, subject: &Subject, kinds: &[InvariantKind], _: u64) -> Result<Answer<()>, Obstacle> {
        let begin = Instant::now();
        let goal = match subject {
            Subject::Error => Goal::Error(&self.error.formula),
            Subject::Enabled(firing) => Goal::Enabled(firing),
        };
        let Wsks { system, means, .. } = *self.engine;
        let question =
            question(system, goal, kinds, &self.dropped).map_err(Obstacle::NoFormula)?.simplified();
        let query =
            mona::Question { store: &question.store, formula: question.formula, successors: question.kappa };
        let decision = mona::decide(&query, means);
        let mut summaries = Summaries::new(&question.store, question.formula, &question.definitions);
        let (answer, finding, built) = match decision {
            Ok(mona::Decision { answer: mona::Answer::Unsatisfiable, built }) => {
                (Ok(Answer::Proved(())), Finding::Unsatisfiable, built)
            }
            Ok(mona::Decision { answer: mona::Answer::Satisfiable(witness), built }) => {
                let found = question.decode(&witness.sets());
                let answer = found.map(|(tree, marking)| Answer::Candidate(tree, marking));
                (answer.map_err(Obstacle::Model), Finding::Satisfiable, built)
            }
            Err(Undecided { what, at, built }) => {
                let at = at.map(|at| summaries.of(at, SUMMARY_WIDTH));
                (Err(Obstacle::Failed(what.clone(), at)), Finding::Failed(what), built)
            }
        };
        self.engine.queries.push(QueryRecord {
            subject: subject.clone(),
            kinds: kinds.to_vec(),
            dropped: self.dropped.len(),
            subformulas: question.store.size(question.formula).distinct,
            finding,
            automata: automata(&question, &mut summaries, &built),
            time: begin.elapsed(),
        });
        answer
    }

    fn drop_dead(&mut self, firing: InteractionFiring, (): ()) {
        self.dropped.push(firing);
    }

    /// There is no formula for exclusive states.
    fn leave_out_exclusive(&mut self) -> Result<bool, Obstacle> {
        Ok(false)
    }
}

fn automata(question: &Question, summaries: &mut Summaries<'_>, built: &[mona::Built]) -> Vec<Automaton> {
    built
        .iter()
        .map(|built| Automaton {
            subformula: built
                .formula
                .filter(|&formula| formula != question.formula)
                .map(|formula| summaries.of(formula, SUMMARY_WIDTH)),
            states: built.states,
            nodes: built.nodes,
            time: Duration::from_micros(built.micros),
        })
        .collect()
}
