//! Sequential programs in the languages of verifiers, and what these share.
//!
//! In comes a [`Program`] (a structure, a question, a scheduler), or for Spin and NuSMV an instance with all
//! its errors and a [`Legend`]; out goes text whose length is linear in the size of the structure. Every text
//! means what [`evolution`](super::evolution) defines: the states between steps are those of the structure,
//! start and join triples taken.
//!
//! What is shared: which locations an entry condition means ([`Ranges`]), what a condition requires of the
//! rest of a program ([`Needs`]) and what it is made of (`atom`), within which numbers expressions stay
//! ([`bounds`]), where offers are made (`offers`), and descriptions for comments; by Spin and NuSMV, what is
//! evaluated when (`plan`), and their names with the conditions over them (`terms`).

use paramcheck_process::semantics::check::Schedule;
use paramcheck_text::index::{Idx, IndexVec};
use paramcheck_text::limits::Stop;
use paramcheck_text::names::Names;

use super::expression::{Variable, VariableId};
use super::program::Program;
use super::question::{Condition, Demand};
use super::triple::{Action, CounterId, LocationId, Structure, Triple, TripleId};

mod atom;
pub(crate) mod bounds;
pub mod c;
pub mod chc;
mod infix;
mod offers;
pub(crate) mod plan;
pub mod promela;
pub mod smv;
mod terms;

/// Why a program can't be written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotWritable {
    /// A number may be too large.
    #[error("an expression of triple {} may leave the integers of 64 bits", .0.index())]
    Overflow(TripleId),
    /// A number may be too large for the target.
    #[error("numbers may leave the integers of 32 bits")]
    Narrow,
    /// Spin's fairness is about processes.
    #[error("Spin knows no fairness between the agents of one process")]
    OneProcess,
    /// A sum may be too large.
    #[error("a sum of the question may leave the integers of 64 bits")]
    Sum,
    /// A program that ends when the condition holds has no fair runs only.
    #[error("whether a program ends does not depend on fair runs only: ask for a lasso instead")]
    Fairness,
    /// Only NuSMV has a logic of trees of runs.
    #[error(
        "what can still be reached is a question about trees of runs: of these languages only NuSMV's has it"
    )]
    Branching,
    /// The budget ended.
    #[error("{0}")]
    Stopped(Stop),
}

impl From<Stop> for NotWritable {
    fn from(stop: Stop) -> Self {
        NotWritable::Stopped(stop)
    }
}

/// What a condition depends on beside where counters are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Needs {
    /// What the last step did.
    pub(crate) did: bool,
    /// Which steps are possible.
    pub(crate) can: bool,
    /// Whether none is.
    pub(crate) stuck: bool,
    /// Whether all agents have terminated.
    pub(crate) terminated: bool,
}

impl Needs {
    /// Of all of these conditions together.
    pub(crate) fn of<'c>(conditions: impl IntoIterator<Item = &'c Condition>) -> Needs {
        let mut needs = Needs::default();
        for condition in conditions {
            condition.each_atom(|atom| match atom {
                Condition::Did(_) => needs.did = true,
                Condition::Can(_) => needs.can = true,
                Condition::Stuck => needs.stuck = true,
                Condition::Terminated => needs.terminated = true,
                _ => {}
            });
        }
        needs
    }
}

/// What the text of an instance has for people, who run Spin or NuSMV themselves: the model's names of
/// states, and where everything comes from.
#[derive(Clone, Debug)]
pub(crate) struct Legend {
    /// What the text begins with, without marks of comments.
    pub(crate) heading: String,
    /// The names of the types of components, whether they occur or not.
    pub(crate) types: Vec<String>,
    /// Per counter the position of its type. Counters of one type have locations of the same names.
    pub(crate) type_of: IndexVec<CounterId, usize>,
    /// Per counter where the component comes from.
    pub(crate) counters: IndexVec<CounterId, String>,
    /// Per triple where the transition comes from.
    pub(crate) triples: IndexVec<TripleId, String>,
}

/// Numbers up to some number, as intervals: ascending, neither overlapping nor adjacent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Ranges {
    /// First and last number of each.
    pub(crate) ranges: Vec<(usize, usize)>,
    /// The least and the greatest number there is; they bound nothing.
    pub(crate) whole: (usize, usize),
}

impl Ranges {
    /// `numbers` ascend, and lie in `whole`.
    pub(crate) fn new(numbers: impl IntoIterator<Item = usize>, whole: (usize, usize)) -> Ranges {
        let mut ranges = Ranges { ranges: Vec::new(), whole };
        numbers.into_iter().for_each(|number| ranges.push(number));
        ranges
    }

    /// Adds a number that is greater than all, or the last one again.
    pub(crate) fn push(&mut self, number: usize) {
        match self.ranges.last_mut() {
            Some((_, last)) if *last == number => {}
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => self.ranges.push((number, number)),
        }
    }

    /// Where a counter is at one of these locations (ascending).
    pub(crate) fn at(
        structure: &Structure,
        counter: CounterId,
        locations: impl IntoIterator<Item = LocationId>,
    ) -> Ranges {
        let last = structure.counters[counter].locations.len().saturating_sub(1);
        Ranges::new(locations.into_iter().map(Idx::index), (0, last))
    }

    /// As C and its relatives write that `name` is one of these numbers; `is_single` is whether it holds
    /// together in any place.
    pub(crate) fn infix(&self, name: &str, [no, yes]: [&str; 2], [and, or]: [&str; 2]) -> Infix {
        let mut parts = Vec::with_capacity(self.ranges.len());
        for &(first, last) in &self.ranges {
            parts.push(match (first == self.whole.0, last == self.whole.1) {
                _ if first == last && self.whole.0 < self.whole.1 => {
                    Infix::single(format!("{name} == {first}"))
                }
                (true, true) => return Infix::single(yes.to_owned()),
                (true, false) => Infix::single(format!("{name} <= {last}")),
                (false, true) => Infix::single(format!("{name} >= {first}")),
                (false, false) => {
                    Infix { text: format!("{name} >= {first}{and}{name} <= {last}"), is_single: false }
                }
            });
        }
        match parts.len() {
            0 => Infix::single(no.to_owned()),
            1 => parts.remove(0),
            _ => Infix { text: itertools::join(parts.iter().map(Infix::apart), or), is_single: false },
        }
    }
}

/// A condition as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Infix {
    pub(crate) text: String,
    is_single: bool,
}

impl Infix {
    pub(crate) fn single(text: String) -> Infix {
        Infix { text, is_single: true }
    }

    /// So that it holds together beside connectives.
    pub(crate) fn apart(&self) -> String {
        if self.is_single { self.text.clone() } else { format!("({})", self.text) }
    }
}

/// What counters and data are called in a text.
#[derive(Clone, Debug, Default)]
struct DataNames {
    counters: IndexVec<CounterId, String>,
    variables: Vec<String>,
    /// None, where the language has no arrays.
    arrays: Vec<String>,
    definitions: Vec<String>,
}

impl Structure {
    /// What a triple does in words: its label, and for a synchronisation what came together.
    pub(crate) fn action_words(&self, triple: &Triple) -> String {
        match triple.action {
            Action::Start => "start".to_owned(),
            Action::Join => "join".to_owned(),
            Action::Step(label) => match triple.via {
                Some(via) => format!("{} ({})", self.labels[label], self.labels[via]),
                None => self.labels[label].clone(),
            },
        }
    }

    /// The names of those who take part.
    pub(crate) fn agent_words(&self, triple: &Triple) -> String {
        itertools::join(
            triple.agents.iter().filter_map(|&agent| self.agents.get(agent as usize)).map(|a| &a.name),
            ", ",
        )
    }

    /// The names of counters, which begin with `prefix`, and of data in a text; of elements as of arrays
    /// where the language has them.
    fn names(&self, prefix: &str, has_arrays: bool, names: &mut Names) -> DataNames {
        let counters =
            self.counters.iter().map(|counter| names.take(&format!("{prefix}{}", counter.name))).collect();
        let arrays: Vec<String> = match has_arrays {
            true => self.arrays.iter().map(|array| names.take(&format!("var_{}", array.name))).collect(),
            false => Vec::new(),
        };
        let element = |id| {
            let named = arrays.iter().zip(&self.arrays);
            let mut found = named.filter_map(|(name, array)| Some((name, array.position(id)?)));
            found.next().map(|(name, position)| format!("{name}[{position}]"))
        };
        let variable = |(id, variable): (VariableId, &Variable)| {
            element(id).unwrap_or_else(|| names.take(&format!("var_{}", variable.name)))
        };
        let variables = self.variables.enumerate().map(variable).collect();
        let definitions = self.definitions.iter().map(|one| names.take(&one.name)).collect();
        DataNames { counters, variables, arrays, definitions }
    }

    /// A word for what a triple does: letters, digits and `_` where the label has ASCII letters and digits.
    pub(crate) fn word(&self, triple: &Triple) -> String {
        let (label, mut word) = match triple.action {
            Action::Start => return "start".to_owned(),
            Action::Join => return "join".to_owned(),
            Action::Step(label) => match triple.via {
                Some(via) => (&self.labels[via], "tau_".to_owned()),
                None => (&self.labels[label], String::new()),
            },
        };
        if label.starts_with('\'') {
            word.push_str("co_");
        }
        for character in label.trim_matches(|c: char| !c.is_alphanumeric()).chars() {
            match character {
                _ if character.is_alphanumeric() => word.push(character),
                _ if word.ends_with('_') => {}
                _ => word.push('_'),
            }
        }
        word
    }
}

impl Program<'_> {
    /// What a text begins with, without marks of comments: the model, the question, the scheduler.
    pub(crate) fn heading(&self) -> String {
        let structure = self.structure;
        let count =
            |number: usize, what: &str| format!("{number} {what}{}", if number == 1 { "" } else { "s" });
        let name = &self.question.name;
        let question = match &self.question.demand {
            Demand::Never(Condition::Constant(false)) => "none".to_owned(),
            Demand::Never(_) => format!("{name}: a condition that must never hold"),
            Demand::Eventually(_) => format!("{name}: a condition that every run must reach"),
            Demand::Recoverable { is_always: true, .. } => {
                format!("{name}: a condition that every state can still reach")
            }
            Demand::Recoverable { is_always: false, .. } => {
                format!("{name}: a condition that every state that is reached without it can still reach")
            }
        };
        format!(
            "model:     {}\nprogram:   {}, {}, {}, {}\nquestion:  {question}\nschedule:  {}\n",
            self.model,
            count(structure.agents.len(), "agent"),
            count(structure.counters.len(), "program counter"),
            count(structure.variables.len(), "variable"),
            count(structure.triples.len(), "triple"),
            structure.order.as_deref().unwrap_or(self.schedule.words()),
        )
    }

    /// Whether only fair runs count.
    pub(crate) fn is_fair(&self) -> bool {
        matches!(self.schedule, Schedule::WeaklyFair | Schedule::StronglyFair)
    }

    /// Whether agents take turns.
    pub(crate) fn is_round_robin(&self) -> bool {
        self.schedule == Schedule::RoundRobin
    }
}

#[cfg(test)]
mod tests;
