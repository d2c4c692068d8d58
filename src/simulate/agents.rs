//! The world of a system of agents: first its initial values are chosen, one after the other, then agents act and
//! send messages, by the rules on process terms.
//!
//! Each value of a choice is a step of its own, as is each outcome of `[a..b]` and `pick`. Who walks remembers
//! steps, this world the states that they lead to.

use std::cell::RefCell;
use std::rc::Rc;

use super::command::HELP_OF_AGENTS;
use super::{Walk, World};
use crate::report::labs::document::{FORMAT, LabsTrace, RulesOfRun, VERSION};
use crate::report::labs::text::owners;
use crate::report::labs::{
    Action, End, FAULT, FaultReport, RunReport, StepReport, cell, pending, what, write_ages,
};
use paramcheck_labs::model::{Initial, Modality, Property, System};
use paramcheck_labs::number::Fault;
use paramcheck_labs::semantics::evaluate::Value;
use paramcheck_labs::semantics::explore::holds_in;
use paramcheck_labs::semantics::step::{Label, Outcome, Rules, State, Stepper};
use paramcheck_text::columns;
use paramcheck_text::source::SourceFile;

/// So many outcomes of what an agent can do in a state are looked at.
const MAX_OUTCOMES: usize = 2_000;
/// The longest way that is kept: each of its states is remembered.
const MAX_WAY: usize = 100_000;
/// So many combinations of initial values are looked at, to leave out values that no assumption allows.
const MAX_COMBINATIONS: usize = 100_000;
/// Of a choice of more values all are offered, whatever is assumed.
const MAX_FILTERED: u64 = 1_000;

/// A step.
#[derive(Clone, Debug)]
pub enum AgentStep {
    /// A cell gets an initial value.
    Choose(usize, Value),
    /// Something happens in a state.
    Do {
        /// The state.
        before: Rc<State>,
        /// What happens.
        label: Label,
        /// Where it leads.
        outcome: Rc<Outcome>,
    },
}

impl PartialEq for AgentStep {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (AgentStep::Choose(cell, value), AgentStep::Choose(other, chosen)) => {
                (cell, value) == (other, chosen)
            }
            (AgentStep::Do { label, outcome, .. }, AgentStep::Do { label: other, outcome: led, .. }) => {
                label == other && outcome == led
            }
            _ => false,
        }
    }
}

/// Where the world stands.
#[derive(Clone, Debug)]
enum Place {
    /// These cells have their initial values; the others are still to be chosen.
    Choosing(Vec<Value>, usize),
    /// In a state.
    At(Rc<State>),
    /// Behind a step that left the language, from this state.
    Left(Rc<State>, Label, Fault),
}

/// What can be done somewhere.
#[derive(Debug)]
enum Enabled {
    /// All values of a cell.
    All(usize, Initial),
    /// These.
    Some(Vec<AgentStep>),
}

/// A state of a system of agents.
pub struct Agents<'a> {
    system: &'a System,
    source: &'a SourceFile,
    properties: &'a [Property],
    rules: Rules,
    stepper: RefCell<Stepper<'a>>,
    /// Where it stood before each step.
    before: Vec<Place>,
    place: Place,
    enabled: Enabled,
}

impl<'a> Agents<'a> {
    /// A system before its initial values are chosen. `source` is what it was read from.
    pub fn new(system: &'a System, source: &'a SourceFile, rules: Rules) -> Self {
        let mut agents = Agents {
            system,
            source,
            properties: &system.properties,
            rules,
            stepper: RefCell::new(Stepper::limited(system, rules, MAX_OUTCOMES)),
            before: Vec::new(),
            place: Place::Choosing(Vec::new(), 0),
            enabled: Enabled::Some(Vec::new()),
        };
        let cells = system.initial.iter().map(|initial| initial.value(0)).collect();
        agents.stand(agents.chosen(cells, 0));
        agents
    }

    /// Whether some initial values are allowed; true, if that is too much work to say.
    pub fn has_start(&self) -> bool {
        let mut cells: Vec<Value> = self.system.initial.iter().map(|initial| initial.value(0)).collect();
        let mut left = MAX_COMBINATIONS;
        self.is_completed(&mut cells, 0, &mut left)
    }

    /// The steps of a run by what happens in each and the states that it comes through.
    pub fn steps_of(&self, labels: &[Label], states: &[State]) -> Vec<AgentStep> {
        let states: Vec<Rc<State>> = states.iter().cloned().map(Rc::new).collect();
        let initial = states.first().map_or(&[][..], |state| &state.store.cells);
        let choices = self.system.initial.iter().zip(initial).enumerate();
        let choices = choices.filter(|(_, (initial, _))| initial.count() > 1);
        let mut steps: Vec<AgentStep> =
            choices.map(|(cell, (_, value))| AgentStep::Choose(cell, *value)).collect();
        for (label, pair) in labels.iter().zip(states.windows(2)) {
            let [before, after] = pair else { continue };
            let outcome = Rc::new(Ok(State::clone(after)));
            steps.push(AgentStep::Do { before: Rc::clone(before), label: label.clone(), outcome });
        }
        steps
    }

    /// A walk through it, along `steps`.
    pub fn walk(self, steps: Vec<AgentStep>, seed: u64) -> Walk<Self> {
        Walk::through(self, steps, seed)
    }

    /// Where one stands when all cells before `from` have their values.
    fn chosen(&self, cells: Vec<Value>, from: usize) -> Place {
        let mut open = self.system.initial.iter().enumerate().skip(from);
        match open.find(|(_, initial)| initial.count() > 1) {
            Some((cell, _)) => Place::Choosing(cells, cell),
            None => Place::At(Rc::new(self.stepper.borrow_mut().initial(cells))),
        }
    }

    /// Stands there.
    fn stand(&mut self, place: Place) {
        self.enabled = match &place {
            Place::Left(..) => Enabled::Some(Vec::new()),
            Place::At(state) if self.is_excluded(state) => Enabled::Some(Vec::new()),
            Place::At(state) => {
                let all = self.stepper.borrow_mut().successors(state).into_iter();
                Enabled::Some(
                    all.map(|(label, outcome)| AgentStep::Do {
                        before: Rc::clone(state),
                        label,
                        outcome: Rc::new(outcome),
                    })
                    .collect(),
                )
            }
            Place::Choosing(cells, cell) => {
                let initial = &self.system.initial[*cell];
                if self.system.assumptions.is_empty() || initial.count() > MAX_FILTERED {
                    Enabled::All(*cell, initial.clone())
                } else {
                    let mut left = MAX_COMBINATIONS;
                    let mut cells = cells.clone();
                    let mut values: Vec<Value> = (0..initial.count()).map(|at| initial.value(at)).collect();
                    values.retain(|value| {
                        cells[*cell] = *value;
                        self.is_completed(&mut cells, cell + 1, &mut left)
                    });
                    let steps = values.into_iter().map(|value| AgentStep::Choose(*cell, value));
                    Enabled::Some(steps.collect())
                }
            }
        };
        self.place = place;
    }

    /// Whether no run begins in this state, where it is the first one.
    fn is_excluded(&self, state: &State) -> bool {
        self.before.iter().all(|place| matches!(place, Place::Choosing(..)))
            && self.excluding(&state.store.cells).is_some()
    }

    /// An assumption that does not allow these initial values.
    fn excluding(&self, cells: &[Value]) -> Option<&str> {
        let is_false = |formula| holds_in(self.system, formula, cells, &self.rules) != Ok(true);
        let found = self.system.assumptions.iter().find(|assumption| is_false(&assumption.formula));
        found.map(|assumption| assumption.name.as_str())
    }

    /// Whether the cells from one on have values that are allowed; true, if that is too much work to say.
    fn is_completed(&self, cells: &mut [Value], from: usize, left: &mut usize) -> bool {
        let open: Vec<usize> =
            (from..cells.len()).filter(|cell| self.system.initial[*cell].count() > 1).collect();
        let mut numbers = vec![0u64; open.len()];
        loop {
            if *left == 0 {
                return true;
            }
            *left -= 1;
            for (cell, number) in open.iter().zip(&numbers) {
                cells[*cell] = self.system.initial[*cell].value(*number);
            }
            if self.excluding(cells).is_none() {
                return true;
            }
            let mut places = numbers.iter_mut().zip(&open).rev();
            let is_over = places.all(|(number, cell)| {
                *number += 1;
                let is_last = *number == self.system.initial[*cell].count();
                if is_last {
                    *number = 0;
                }
                is_last
            });
            if is_over {
                return false;
            }
        }
    }

    fn agents(&self) -> Vec<String> {
        self.system.agents.indices().map(|agent| self.system.agent_name(agent)).collect()
    }

    /// The state where it stands, or from which it left the language.
    fn state(&self) -> Option<&State> {
        match &self.place {
            Place::Choosing(..) => None,
            Place::At(state) | Place::Left(state, ..) => Some(state),
        }
    }

    /// Whether the formula of a property is true here; `None` where it has no value.
    fn holds(&self, property: &Property, state: &State) -> Option<bool> {
        holds_in(self.system, &property.formula, &state.store.cells, &self.rules).ok()
    }

    /// A step as it is reported, and how the line about it begins and ends if it leaves the language.
    fn report(&self, step: &AgentStep) -> (StepReport, Option<Fault>) {
        match step {
            AgentStep::Choose(at, value) => {
                let cell = cell(self.system, *at, *value);
                let report = StepReport {
                    agent: cell.agent.clone().unwrap_or_else(|| "environment".to_owned()),
                    action: Action::Choose,
                    tuple: None,
                    line: None,
                    changes: vec![cell],
                    pending: Vec::new(),
                    ages: Vec::new(),
                };
                (report, None)
            }
            AgentStep::Do { before, label, outcome } => {
                let place = match label {
                    Label::Act(agent) => self.stepper.borrow_mut().place_of(before, *agent, outcome),
                    Label::Propagate(..) | Label::Confirm(..) => None,
                };
                let (after, fault) = match &**outcome {
                    Ok(after) => (after, None),
                    Err(fault) => (&**before, Some(*fault)),
                };
                let stores = (&before.store, &after.store);
                (StepReport::new(self.system, self.source, label, stores, place), fault)
            }
        }
    }
}

impl World for Agents<'_> {
    type Step = AgentStep;
    type Shown = StepReport;
    type Document = LabsTrace;

    fn greeting(&self) -> String {
        let kinds = self.system.kinds.iter().map(|kind| format!("{} {}", kind.agents.len(), kind.name));
        let rules = RulesOfRun::new(self.rules, &self.system.parameters).words();
        format!("{}: {rules}\n", itertools::join(kinds, ", "))
    }

    fn help(&self) -> &'static str {
        HELP_OF_AGENTS
    }

    fn wrong(&self) -> &'static str {
        "violated"
    }

    fn ends_walk(&self) -> &'static str {
        "the walk ends here: a property is violated\n"
    }

    fn enabled(&self) -> usize {
        match &self.enabled {
            Enabled::All(_, initial) => usize::try_from(initial.count()).unwrap_or(usize::MAX),
            Enabled::Some(steps) => steps.len(),
        }
    }

    fn step(&self, number: usize) -> Option<AgentStep> {
        match &self.enabled {
            Enabled::All(cell, initial) => {
                let number = u64::try_from(number).ok().filter(|number| *number < initial.count())?;
                Some(AgentStep::Choose(*cell, initial.value(number)))
            }
            Enabled::Some(steps) => steps.get(number).cloned(),
        }
    }

    fn steps(&self, most: usize) -> Vec<AgentStep> {
        (0..self.enabled().min(most)).filter_map(|number| self.step(number)).collect()
    }

    fn shown(&self, step: &AgentStep) -> StepReport {
        self.report(step).0
    }

    fn line(&self, step: &AgentStep) -> String {
        let before = match step {
            AgentStep::Choose(..) => Vec::new(),
            AgentStep::Do { before, .. } => pending(self.system, &before.store),
        };
        match self.report(step) {
            (report, None) => report.text(&before),
            (report, Some(fault)) => format!("{}  leaves the language: {fault}", report.actor()),
        }
    }

    fn take(&mut self, step: &AgentStep) {
        let next = match (step, &self.place) {
            (AgentStep::Choose(cell, value), Place::Choosing(cells, _)) => {
                let mut cells = cells.clone();
                cells[*cell] = *value;
                self.chosen(cells, cell + 1)
            }
            (AgentStep::Do { before, label, outcome }, _) => match &**outcome {
                Ok(after) => Place::At(Rc::new(after.clone())),
                Err(fault) => Place::Left(Rc::clone(before), label.clone(), *fault),
            },
            (_, place) => place.clone(),
        };
        self.before.push(self.place.clone());
        self.stand(next);
    }

    fn take_back(&mut self, _: &AgentStep) {
        if let Some(before) = self.before.pop() {
            self.stand(before);
        }
    }

    fn holding(&self) -> Vec<String> {
        if matches!(self.place, Place::Left(..)) {
            return vec![FAULT.to_owned()];
        }
        let Some(state) = self.state() else { return Vec::new() };
        let violated = self.properties.iter().filter(|property| {
            property.modality == Modality::Always && self.holds(property, state) == Some(false)
        });
        violated.map(|property| property.name.clone()).collect()
    }

    fn answers(&self) -> String {
        let Some(state) = self.state() else { return "  initial values are to be chosen first\n".to_owned() };
        let width = columns::width(self.properties.iter().map(|one| one.name.as_str()), columns::NAMES);
        let line = |property: &Property| {
            let answer = match self.holds(property, state) {
                Some(true) => "true here",
                Some(false) => "not true here",
                None => "has no value here",
            };
            format!("  {:<width$}  {answer:<17}  {}\n", property.name, property.text(&self.source.text))
        };
        let lines: String = self.properties.iter().map(line).collect();
        if lines.is_empty() { "  the file has no property\n".to_owned() } else { lines }
    }

    fn standing(&self) -> String {
        let cells: &[Value] = match &self.place {
            Place::Choosing(cells, open) => cells.get(..*open).unwrap_or_default(),
            Place::At(state) | Place::Left(state, ..) => &state.store.cells,
        };
        let cells: Vec<_> =
            cells.iter().enumerate().map(|(at, value)| cell(self.system, at, *value)).collect();
        let mut text: String =
            owners(&self.agents(), &cells).lines().map(|line| format!("  {line}\n")).collect();
        match &self.place {
            Place::Choosing(..) => text += "  other values are to be chosen\n",
            Place::At(state) | Place::Left(state, ..) => {
                for one in pending(self.system, &state.store) {
                    text += &format!("  to send: {} {}s {}\n", one.agent, one.action, one.tuple.join(", "));
                }
                text += &write_ages(self.system, &state.store);
            }
        }
        text
    }

    fn document(&self, steps: &[AgentStep]) -> LabsTrace {
        let places = self.before.iter().chain([&self.place]);
        let first = places.clone().find_map(|place| match place {
            Place::At(state) => Some(Rc::clone(state)),
            _ => None,
        });
        let cells = first.map(|state| state.store.cells.clone()).unwrap_or_default();
        let acts: Vec<&AgentStep> =
            steps.iter().filter(|step| matches!(step, AgentStep::Do { .. })).collect();
        let reports = acts.iter().map(|step| self.report(step));
        let reports = reports.filter(|(_, fault)| fault.is_none()).map(|(report, _)| report);
        let (end, fault) = match &self.place {
            Place::Left(state, label, fault) => {
                let outcome = Rc::new(Err(*fault));
                let step = AgentStep::Do { before: Rc::clone(state), label: label.clone(), outcome };
                let report = FaultReport {
                    text: fault.to_string(),
                    agent: Some(what(self.system, label).0),
                    line: self.report(&step).0.line,
                    property: None,
                };
                (End::Fault, Some(report))
            }
            Place::At(_) if self.enabled() == 0 => (End::Stuck, None),
            Place::At(_) | Place::Choosing(..) => (End::Open, None),
        };
        let name = self.holding().into_iter().next();
        let property = self.properties.iter().find(|one| Some(&one.name) == name.as_ref());
        let kinds = self.system.kinds.iter().map(|kind| format!("{} {}", kind.agents.len(), kind.name));
        LabsTrace {
            format: FORMAT.to_owned(),
            version: VERSION,
            system: itertools::join(kinds, ", "),
            rules: RulesOfRun::new(self.rules, &self.system.parameters),
            formula: property.map(|property| property.text(&self.source.text)),
            check: name,
            run: RunReport {
                initial: cells.iter().enumerate().map(|(at, value)| cell(self.system, at, *value)).collect(),
                steps: reports.collect(),
                loop_start: None,
                end: Some(end),
            },
            fault,
        }
    }

    fn unsaved(&self) -> Option<&'static str> {
        match &self.place {
            Place::Choosing(..) => Some("the initial values are to be chosen first"),
            Place::At(state) if self.is_excluded(state) => Some("no run begins with these values"),
            _ => None,
        }
    }

    fn remark(&self) -> &'static str {
        let is_cut = self.stepper.borrow().is_cut();
        if is_cut {
            "  … and more outcomes of choices in some states, which are not looked at\n"
        } else {
            ""
        }
    }

    fn most_steps(&self) -> usize {
        MAX_WAY
    }
}
