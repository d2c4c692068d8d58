//! R-CHECK for NuSMV: one module, whose transitions are the steps of the system.
//!
//! Each instance has its locals and its location as variables. An input selects the step: a command that sends, a
//! pair of a supplier and a getter, or, where nothing is possible, none. For each step and each instance there is one
//! `TRANS` of what that instance does by the table of the rules (`docs/rcheck.md`); NuSMV keeps them apart. (Rejected:
//! one disjunction of the steps, which took NuSMV minutes where this takes a second.) What holds of a command in a state is a
//! definition, so that the text grows with commands times instances. Receives are parenthesised, each with its own
//! location. Observations and labels are bits of the next state ([`specs`]).
//!
//! A step that leaves a range has no next state, so `fault$` must be false for the properties to mean anything: it
//! is an invariant beside them ([`faults`]). The definitions and the steps are made in [`steps`].
//!
//! Refused is what NuSMV has no finite means for: an unbounded `int`, a division by what may be 0, very many values
//! of property variables.

mod faults;
mod names;
mod observed;
mod specs;
mod steps;
mod terms;
mod values;

use itertools::Itertools;
use paramcheck_rcheck::model::{
    Action, Arithmetic, Atom, Command, Expr, InstanceId, Spec, System, Term, Type,
};
use rustc_hash::FxHashSet;

use names::Names;
use observed::Observed;
use specs::Specs;
use terms::{Terms, all, any};
use values::Values;

/// Why a system can't be written for NuSMV.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotWritten {
    /// A variable may have infinitely many values.
    #[error("`{0}` has no range, and NuSMV wants one")]
    Unbounded(String),
    /// Something divides by what is no constant, or by 0.
    #[error("a division by what may be 0 can't be written for NuSMV")]
    Division,
    /// A number is too large.
    #[error("NuSMV computes with numbers up to {MAX_NUMBER} only")]
    Number,
    /// An observation of property variables has too many cases.
    #[error("an observation is about more than {MAX_CASES} values of property variables")]
    Cases,
}

/// The greatest absolute value of a bound or constant.
pub const MAX_NUMBER: i64 = 1_000_000;
/// The most values of the property variables that an observation is about.
pub const MAX_CASES: u64 = 4_096;

/// A command of an instance, by its position.
type Executed = (InstanceId, usize);

/// A system for NuSMV, with the properties at these positions.
///
/// # Errors
/// Why it can't be written.
pub fn smv(system: &System, specs: &[usize]) -> Result<String, NotWritten> {
    let names = Names::new(system);
    let chosen: Vec<(usize, &Spec)> =
        specs.iter().filter_map(|spec| Some((*spec, system.specs.get(*spec)?))).collect();
    let mut labels = FxHashSet::default();
    for (_, spec) in &chosen {
        specs::labels(&spec.formula, &mut labels);
    }
    let writer = Writer { system, names: &names, labels, values: Values::new(system) };
    writer.check()?;
    let observed = Observed::new(&writer, &chosen)?;
    let mut text = String::from("MODULE main\n");
    writer.declare(&chosen, &mut text);
    writer.define(&mut text);
    writer.steps(&observed, &mut text);
    let faults = writer.faults();
    text += &format!("INVARSPEC NAME no_fault := !{};\n", Names::FAULT);
    text += &format!("DEFINE {} := {};\n", Names::FAULT, any(&faults));
    let local = |id, local| writer.local(id, local);
    let written = Specs { system, names: &names, local: &local };
    for (position, spec) in chosen {
        text += &format!("-- {}\n", paramcheck_text::comment::brief_line(&spec.text));
        let formula = written.formula(position, &spec.formula);
        text += &format!("LTLSPEC NAME {} := {formula};\n", Names::spec(position));
    }
    Ok(text)
}

/// How the property at a position is called in the text.
pub fn name_of(spec: usize) -> String {
    Names::spec(spec)
}

/// Writes the parts.
struct Writer<'a> {
    system: &'a System,
    names: &'a Names,
    /// The labels of which properties speak.
    labels: FxHashSet<Executed>,
    values: Values,
}

/// What terms of the model are about, from the point of view of an instance.
#[derive(Clone, Copy)]
struct View<'a> {
    instance: InstanceId,
    /// Who sends, and by which command: whose data `Message` means.
    data: Option<(InstanceId, &'a Command)>,
    /// Whose property variables are meant.
    addressed: Option<InstanceId>,
    /// The channel as a number.
    channel: Option<&'a str>,
}

impl<'a> View<'a> {
    fn of(instance: InstanceId) -> View<'a> {
        View { instance, data: None, addressed: None, channel: None }
    }
}

impl Writer<'_> {
    /// That all can be written.
    fn check(&self) -> Result<(), NotWritten> {
        for (id, instance) in self.system.instances.enumerate() {
            let agent = self.system.agent_of(id);
            for local in &agent.locals {
                let Some((low, high)) = self.system.bounds(local.ty) else {
                    return Err(NotWritten::Unbounded(format!("{}.{}", instance.name, local.name)));
                };
                numbers(&[low, high])?;
            }
            check_term(&agent.init)?;
            check_term(&instance.init)?;
            check_term(&agent.receive_guard)?;
            agent.relabels.iter().flatten().try_for_each(check_term)?;
            for command in &agent.commands {
                check_term(&command.guard)?;
                command.data.iter().chain(&command.update).try_for_each(|(_, term)| check_term(term))?;
                match &command.action {
                    Action::Send { channel, to } => [channel, to].into_iter().try_for_each(check_term)?,
                    Action::Receive { channel } => check_term(channel)?,
                    Action::GetFrom(term) | Action::GetBy(term) => check_term(term)?,
                    Action::Supply { .. } => {}
                }
            }
        }
        Ok(())
    }

    /// The bounds of a type, all of which have some.
    fn bounds(&self, ty: Type) -> (i64, i64) {
        self.system.bounds(ty).unwrap_or((0, 0))
    }

    /// An atom as a number.
    fn atom(&self, view: View<'_>, atom: Atom) -> String {
        match atom {
            Atom::Local(local) => self.local(view.instance, local),
            Atom::Myself => view.instance.number().to_string(),
            Atom::Channel => view.channel.unwrap_or("0").to_owned(),
            Atom::Message(id) => {
                let sent = view.data.and_then(|(sender, command)| {
                    let (_, term) = command.data.iter().find(|(variable, _)| *variable == id)?;
                    Some(self.number(View::of(sender), term))
                });
                sent.unwrap_or_else(|| "0".to_owned())
            }
            Atom::Property(id) => {
                let relabelled = view.addressed.and_then(|of| {
                    let term = self.system.agent_of(of).relabels.get(id)?.as_ref()?;
                    Some(self.number(View::of(of), term))
                });
                relabelled.unwrap_or_else(|| "0".to_owned())
            }
        }
    }

    /// A local as a number: its value, where it has but one for ever.
    fn local(&self, id: InstanceId, local: usize) -> String {
        match self.constant(id, local) {
            Some(value) if value < 0 => format!("({value})"),
            Some(value) => value.to_string(),
            None => self.names.local(id, local),
        }
    }

    /// The value of a local that never has another one.
    fn constant(&self, id: InstanceId, local: usize) -> Option<i64> {
        let values = self.values.of(id, local)?;
        values.first().copied().filter(|_| values.len() == 1)
    }

    fn number(&self, view: View<'_>, term: &Expr) -> String {
        Terms { number: &|atom| self.atom(view, atom) }.number(term)
    }

    fn condition(&self, view: View<'_>, term: &Expr) -> String {
        Terms { number: &|atom| self.atom(view, atom) }.condition(term)
    }

    fn instances(&self) -> Vec<InstanceId> {
        self.system.instances.indices().collect()
    }

    /// The commands of an instance.
    fn commands(&self, id: InstanceId) -> impl Iterator<Item = (usize, &Command)> {
        self.system.agent_of(id).commands.iter().enumerate()
    }

    /// The commands that send on channels.
    fn sends(&self) -> Vec<(Executed, &Command, &Expr, &Expr)> {
        let of = |id| {
            self.commands(id).filter_map(move |(position, command)| match &command.action {
                Action::Send { channel, to } => Some(((id, position), command, channel, to)),
                _ => None,
            })
        };
        self.instances().into_iter().flat_map(of).collect()
    }

    /// The commands that supply, each with those that may get from it.
    fn exchanges(&self) -> Vec<(Executed, &Command, Executed, &Command)> {
        let mut found = Vec::new();
        for supplier in self.instances() {
            for (position, command) in self.commands(supplier) {
                let Action::Supply { is_myself } = command.action else { continue };
                for getter in self.instances().into_iter().filter(|getter| *getter != supplier) {
                    for (other, getting) in self.commands(getter) {
                        let meets = match &getting.action {
                            Action::GetFrom(_) => true,
                            Action::GetBy(_) => !is_myself,
                            _ => false,
                        };
                        // Who needs what the other one does not send is never ready.
                        let is_complete = !lacks(command, getting) && !lacks(getting, command);
                        if meets && is_complete {
                            found.push(((supplier, position), command, (getter, other), getting));
                        }
                    }
                }
            }
        }
        found
    }

    fn declare(&self, specs: &[(usize, &Spec)], text: &mut String) {
        let mut initial = Vec::new();
        for id in self.instances() {
            let (agent, instance) = (self.system.agent_of(id), &self.system.instances[id]);
            let location = self.names.location(id);
            *text += &format!("VAR {location} : 0..{};\n", agent.locations.max(1) - 1);
            initial.push(format!("({location} = 0)"));
            for (local, variable) in agent.locals.iter().enumerate() {
                if self.constant(id, local).is_some() {
                    continue;
                }
                let (low, high) = self.bounds(variable.ty);
                let values = match self.values.of(id, local) {
                    Some(values) => format!("{{{}}}", values.iter().join(", ")),
                    None => format!("{low}..{high}"),
                };
                let kind = if self.is_frozen(id, local) { "FROZENVAR" } else { "VAR" };
                *text += &format!("{kind} {} : {values};\n", self.names.local(id, local));
            }
            for term in [&agent.init, &instance.init] {
                initial.push(self.condition(View::of(id), term));
            }
        }
        for bit in self.bits(specs) {
            *text += &format!("VAR {bit} : boolean;\n");
            initial.push(format!("!{bit}"));
        }
        *text += &format!("INIT {};\n", all(&initial));
    }

    /// All bits of the last step: labels, and observations.
    fn bits(&self, specs: &[(usize, &Spec)]) -> Vec<String> {
        let mut bits = Vec::new();
        for id in self.instances() {
            let labelled = self.commands(id).filter(|(position, _)| self.labels.contains(&(id, *position)));
            bits.extend(labelled.map(|(position, _)| self.names.label(id, position)));
        }
        for (position, spec) in specs {
            let observations = 0..spec.observations.len();
            bits.extend(observations.map(|observation| self.names.observation(*position, observation)));
        }
        bits
    }

    /// The channel on which a command sends, as a number.
    fn channel(&self, id: InstanceId, channel: &Expr) -> String {
        self.number(View::of(id), channel)
    }

    /// That an instance is where a command begins.
    fn at(&self, id: InstanceId, command: &Command) -> String {
        format!("({} = {})", self.names.location(id), command.source)
    }
}

/// Whether a command needs a message variable that another one does not send.
fn lacks(command: &Command, sent: &Command) -> bool {
    let mut is_lacking = false;
    let mut look = |term: &Expr| {
        term.atoms(&mut |atom| {
            if let Atom::Message(id) = atom {
                is_lacking |= !sent.data.iter().any(|(variable, _)| *variable == id);
            }
        });
    };
    look(&command.guard);
    command.update.iter().for_each(|(_, term)| look(term));
    is_lacking
}

fn numbers(numbers: &[i64]) -> Result<(), NotWritten> {
    let is_small = |number: &i64| number.unsigned_abs() <= MAX_NUMBER.unsigned_abs();
    if numbers.iter().all(is_small) { Ok(()) } else { Err(NotWritten::Number) }
}

/// That NuSMV can compute a term. The recursion is bounded by the height of terms.
fn check_term<A>(term: &Term<A>) -> Result<(), NotWritten> {
    match term {
        Term::Constant(value) => numbers(&[*value]),
        Term::Atom(_) => Ok(()),
        Term::Not(inner) | Term::Negative(inner) => check_term(inner),
        Term::All(parts) | Term::Any(parts) => parts.iter().try_for_each(check_term),
        Term::Compute(Arithmetic::Divide, left, right) => match right.as_ref() {
            Term::Constant(value) if *value != 0 => check_term(left),
            _ => Err(NotWritten::Division),
        },
        Term::Implies(left, right)
        | Term::Iff(left, right)
        | Term::Compare(_, left, right)
        | Term::Compute(_, left, right) => {
            check_term(left)?;
            check_term(right)
        }
    }
}
