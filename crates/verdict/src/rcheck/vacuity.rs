//! Properties that hold for want of occasion: no step satisfies what they observe, or what they demand something
//! after never holds.

use paramcheck_emulation::rcheck::{Checked, Engine, Question};
use paramcheck_rcheck::model::{Formula, Observation, Spec, Term};
use paramcheck_temporal::check::{Answer, Options, check};
use paramcheck_text::limits::Budget;

/// The most states of a system whose properties are looked at: it takes a search for each part.
pub(super) const MAX_STATES: usize = 20_000;

/// Why a property that holds says little.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Vacuous {
    /// No step satisfies any of its observations.
    Observations,
    /// No left side of its implications ever holds.
    LeftSides,
}

impl Vacuous {
    /// The remark in words.
    pub fn text(self) -> &'static str {
        match self {
            Vacuous::Observations => "no step satisfies what it observes: nothing is demanded",
            Vacuous::LeftSides => "the left side of `->` never holds: nothing is demanded",
        }
    }
}

/// Why a property that holds says little, if it does.
pub(super) fn vacuous<'a>(engine: &mut Engine<'a>, spec: &'a Spec, budget: &Budget) -> Option<Vacuous> {
    let mut parts = Parts::default();
    parts.add(&spec.formula, false);
    let Parts { left_sides, observations } = parts;
    let mut never = |formula: &Formula| {
        let formula = Formula::Globally(Box::new(formula.clone()));
        holds(engine, &formula, &spec.observations, budget)
    };
    let all = |formulas: Vec<Formula>, never: &mut dyn FnMut(&Formula) -> bool| {
        !formulas.is_empty() && formulas.iter().all(never)
    };
    if all(left_sides, &mut never) {
        return Some(Vacuous::LeftSides);
    }
    let unobserved = observations.iter().map(|observation| Formula::Observed {
        is_diamond: false,
        observation: *observation,
        body: Box::new(Formula::State(Term::Constant(0))),
    });
    all(unobserved.collect(), &mut never).then_some(Vacuous::Observations)
}

/// Whether a formula holds, without doubt.
fn holds<'a>(
    engine: &mut Engine<'a>,
    formula: &Formula,
    observations: &'a [Observation],
    budget: &Budget,
) -> bool {
    let question = Question::new(engine, formula, observations);
    let mut checked = Checked { engine, question: &question };
    let options = Options { max_states: MAX_STATES, ..Options::default() };
    let report = check(&mut checked, question.formula(), &options, budget);
    matches!(report.answer, Answer::Holds) && !question.is_undefined()
}

/// What a property makes demands for.
#[derive(Default)]
struct Parts {
    /// The opposites of what stands left of an implication that is demanded always.
    left_sides: Vec<Formula>,
    /// The observations behind which something is demanded that may hold or not. (`G [[o]] false` says that there
    /// are none.)
    observations: Vec<usize>,
}

impl Parts {
    /// Adds the parts of a formula. The recursion is bounded by the height of formulas.
    fn add(&mut self, formula: &Formula, is_always: bool) {
        match formula {
            Formula::Globally(inner) => self.add(inner, true),
            Formula::All(parts) => parts.iter().for_each(|part| self.add(part, is_always)),
            Formula::State(Term::Implies(left, _)) if is_always => {
                self.left_sides.push(Formula::State(Term::Not(left.clone())));
            }
            // An implication was written, or what is the same.
            Formula::Any(parts) => {
                if let Some(negated @ (Formula::Not(_) | Formula::State(Term::Not(_)))) = parts.first()
                    && is_always
                {
                    self.left_sides.push(negated.clone());
                }
                parts.iter().skip(1).for_each(|part| self.add(part, false));
            }
            Formula::Observed { is_diamond: false, observation, body } => {
                if !matches!(body.as_ref(), Formula::State(Term::Constant(_))) {
                    self.observations.push(*observation);
                }
                self.add(body, false);
            }
            Formula::Finally(inner) | Formula::Next(inner) => self.add(inner, false),
            _ => {}
        }
    }
}
