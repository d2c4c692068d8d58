//! The paper's engine: questions about systems as WSκS formulas (`logic`), decided by MONA.
//!
//! Each question to the invariants of some kinds is one formula (Theorem 1): unsatisfiable, and no
//! instance has such a marking; satisfiable, and its model is an instance and a marking. The stages of
//! kinds are asked in order, then, as in the [direct engine](super::direct), interactions are suspected
//! of never firing, and what is proved dead is dropped. Nothing is learnt from one formula for the
//! next. A proof is MONA's word: there is no certificate, only the record of what was [`Asked`].
//!
//! What is not here: formulas (`logic`), automata ([`super::mona`]), what becomes of a candidate
//! (`verdict`).

use std::time::{Duration, Instant};

use rustc_hash::FxHashSet;

use crate::encoding::{EncodeError, MAX_FIRINGS};
use crate::flow::{InteractionFiring, firings};
use crate::mona::{self, Answer, GaveOut, Means};
use crate::print::Summaries;
use crate::question::{Goal, Question, question};
use crate::tracks::DecodeError;
use paramcheck_invariants::kind::InvariantKind;
use paramcheck_invariants::outcome::{GaveUp, MonaFailure, Outcome, Scout};
use paramcheck_model::error::NamedError;
use paramcheck_model::system::System;
use paramcheck_model::tree::{RewritingTree, TreeMarking};
use paramcheck_text::limits::Phase;

/// How long the texts of subformulas in a record are, in characters.
const SUMMARY_WIDTH: usize = 80;

/// What a formula asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Subject {
    /// A marking of the error.
    Error,
    /// A marking that enables an interaction.
    Enabled(InteractionFiring),
}

/// What became of a formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finding {
    /// No instance has such a marking.
    Unsatisfiable,
    /// Some instance has.
    Satisfiable,
    /// MONA gave out.
    GaveOut(MonaFailure),
}

/// An automaton that MONA built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Automaton {
    /// The subformula that it is for, shortened; `None` for a product of conjuncts of the whole.
    pub subformula: Option<String>,
    /// Its states.
    pub states: u32,
    /// The nodes of its diagrams.
    pub nodes: u32,
    /// How long it took, without its parts.
    pub time: Duration,
}

/// A formula that was decided, or was not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// What it asks for.
    pub subject: Subject,
    /// The kinds of invariants that the marking is to be in.
    pub kinds: Vec<InvariantKind>,
    /// How many interactions had been dropped.
    pub dropped: usize,
    /// How many different subformulas it has.
    pub subformulas: usize,
    /// What became of it.
    pub finding: Finding,
    /// The automata built, in this order.
    pub automata: Vec<Automaton>,
    /// How long it took, from making the formula to the answer.
    pub time: Duration,
}

/// The engine for one system.
#[derive(Debug)]
pub struct Wsks<'a> {
    system: &'a System,
    means: &'a Means,
    /// What was asked so far.
    asked: Vec<Asked>,
}

/// What stands in the way of an answer.
enum Obstacle {
    /// The system or the error has no formula.
    NoFormula(EncodeError),
    /// MONA gave out, at this subformula.
    GaveOut(MonaFailure, Option<String>),
    /// MONA's model is no instance: a bug.
    Model(DecodeError),
}

/// Whether some instance has a marking that is looked for: then here it is.
type Found = Option<(RewritingTree, TreeMarking)>;

impl<'a> Wsks<'a> {
    /// Prepares the engine for `system`.
    pub fn new(system: &'a System, means: &'a Means) -> Self {
        Wsks { system, means, asked: Vec::new() }
    }

    /// What was asked so far.
    pub fn into_asked(self) -> Vec<Asked> {
        self.asked
    }

    /// Decides whether some instance has a marking in all invariants of the last stage and in the
    /// error set. The stages are tried in order until one proves, or `scout` confirms one's candidate.
    /// `dead_interactions` says whether to drop what never fires before giving up.
    ///
    /// # Errors
    /// MONA's model of a formula is no instance with a marking: a bug.
    pub fn decide(
        &mut self,
        error: &NamedError,
        stages: &[Vec<InvariantKind>],
        dead_interactions: bool,
        scout: &mut dyn Scout,
    ) -> Result<Outcome<()>, DecodeError> {
        self.means.budget.progress.enter(Phase::Proving);
        let mut run = Run { engine: self, error, dropped: Vec::new(), candidate: None, failed: Vec::new() };
        let proved = run.run(stages, dead_interactions, scout);
        let Run { dropped, candidate, failed, .. } = run;
        let dropped = dropped.len();
        Ok(match (proved, candidate) {
            (Ok(Some(invariants)), _) => Outcome::Proved { invariants, dropped, exclusive: 0, evidence: () },
            (Ok(None), Some((tree, marking))) => Outcome::Candidate {
                tree,
                marking,
                kinds: InvariantKind::sorted(failed),
                exclusive: false,
                dropped,
            },
            (Ok(None), None) => Outcome::Unsettled { dropped },
            (Err(Obstacle::NoFormula(error)), _) => Outcome::Unsupported(error.to_string()),
            (Err(Obstacle::GaveOut(what, at)), candidate) => {
                let reason = match what.stop() {
                    Some(stop) if at.is_none() => GaveUp::Stopped(stop),
                    _ => GaveUp::Mona { what, at },
                };
                Outcome::Stopped { reason, candidate, tried: InvariantKind::sorted(failed), dropped }
            }
            (Err(Obstacle::Model(error)), _) => return Err(error),
        })
    }

    /// Whether some instance has a marking that is in every invariant of `kinds` and is looked for.
    ///
    /// # Errors
    /// What stands in the way of an answer.
    fn ask(
        &mut self,
        error: &NamedError,
        subject: Subject,
        kinds: &[InvariantKind],
        dropped: &[InteractionFiring],
    ) -> Result<Found, Obstacle> {
        let begin = Instant::now();
        let goal = match &subject {
            Subject::Error => Goal::Error(&error.formula),
            Subject::Enabled(firing) => Goal::Enabled(firing),
        };
        let question = question(self.system, goal, kinds, dropped).map_err(Obstacle::NoFormula)?.simplified();
        let asked =
            mona::Question { store: &question.store, formula: question.formula, successors: question.kappa };
        let decision = mona::decide(&asked, self.means);
        let mut summaries = Summaries::new(&question.store, question.formula, &question.definitions);
        let (result, finding, built) = match decision {
            Ok(mona::Decision { answer: Answer::Unsatisfiable, built }) => {
                (Ok(None), Finding::Unsatisfiable, built)
            }
            Ok(mona::Decision { answer: Answer::Satisfiable(witness), built }) => {
                let found = question.decode(&witness.sets()).map(Some).map_err(Obstacle::Model);
                (found, Finding::Satisfiable, built)
            }
            Err(GaveOut { what, at, built }) => {
                let at = at.map(|at| summaries.of(at, SUMMARY_WIDTH));
                (Err(Obstacle::GaveOut(what.clone(), at)), Finding::GaveOut(what), built)
            }
        };
        self.asked.push(Asked {
            subject,
            kinds: kinds.to_vec(),
            dropped: dropped.len(),
            subformulas: question.store.size(question.formula).distinct,
            finding,
            automata: record(&question, &mut summaries, &built),
            time: begin.elapsed(),
        });
        result
    }
}

fn record(question: &Question, summaries: &mut Summaries<'_>, built: &[mona::Built]) -> Vec<Automaton> {
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

/// A question in the course of being answered.
struct Run<'r, 'a> {
    engine: &'r mut Wsks<'a>,
    error: &'r NamedError,
    dropped: Vec<InteractionFiring>,
    candidate: Found,
    /// The kinds of the stages that did not prove.
    failed: Vec<InvariantKind>,
}

impl Run<'_, '_> {
    /// The kinds that prove, if any do.
    fn run(
        &mut self,
        stages: &[Vec<InvariantKind>],
        dead_interactions: bool,
        scout: &mut dyn Scout,
    ) -> Result<Option<Vec<InvariantKind>>, Obstacle> {
        // With no invariant at all it shows whether any marking is an error.
        if !stages.is_empty() && self.ask(&[])? {
            return Ok(Some(Vec::new()));
        }
        self.candidate = None;
        for kinds in stages {
            if self.ask(kinds)? {
                return Ok(Some(kinds.clone()));
            }
            self.failed.extend(kinds);
            if let Some((tree, _)) = &self.candidate
                && scout.confirms(tree, 0)
            {
                return Ok(None);
            }
        }
        let Some(kinds) = stages.last().filter(|_| dead_interactions) else { return Ok(None) };
        let mut suspects = self.suspects(scout);
        loop {
            let before = self.dropped.len();
            let mut open = Vec::new();
            for suspect in suspects {
                let subject = Subject::Enabled(suspect.clone());
                match self.engine.ask(self.error, subject, kinds, &self.dropped)? {
                    None => self.dropped.push(suspect),
                    Some(_) => open.push(suspect),
                }
            }
            if self.dropped.len() == before {
                return Ok(None);
            }
            suspects = open;
            if self.ask(kinds)? {
                return Ok(Some(kinds.clone()));
            }
        }
    }

    /// Whether these kinds prove; if not, there is a candidate.
    fn ask(&mut self, kinds: &[InvariantKind]) -> Result<bool, Obstacle> {
        let found = self.engine.ask(self.error, Subject::Error, kinds, &self.dropped)?;
        if found.is_some() {
            self.candidate = found;
            return Ok(false);
        }
        Ok(true)
    }

    /// Every interaction of every rule in every combination, but those seen to fire: the same as the direct
    /// engine suspects, for what is dropped decides what is proved.
    fn suspects(&self, scout: &mut dyn Scout) -> Vec<InteractionFiring> {
        let Some(all) = firings(self.engine.system, &[], MAX_FIRINGS) else { return Vec::new() };
        let alive: FxHashSet<_> = scout.alive();
        let named = all.alive.iter().flat_map(|firing| firing.combinations());
        named
            .filter_map(|firing| firing.name())
            .filter(|name| !alive.contains(&(name.rule, name.interaction, name.combination.clone())))
            .collect()
    }
}
