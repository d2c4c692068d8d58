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
//! is an invariant beside them.
//!
//! Refused is what NuSMV has no finite means for: an unbounded `int`, a division by what may be 0, very many values
//! of property variables.

mod names;
mod observed;
mod specs;
mod terms;
mod values;

use itertools::Itertools;
use paramcheck_rcheck::model::{
    Action, Arithmetic, Atom, Command, Comparison, Expr, InstanceId, Spec, System, Term, Type,
};
use rustc_hash::FxHashSet;

use names::Names;
use observed::Observed;
use specs::Specs;
use terms::{FALSE, TRUE, Terms, all, any, compared, not, within};
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

    /// What holds of a state.
    fn define(&self, text: &mut String) {
        let mut possible = Vec::new();
        for ((id, position), command, channel, to) in self.sends() {
            let name = |what: &str| self.names.of_command(id, position, what);
            let mut define = |name: &str, value: &str| *text += &format!("DEFINE {name} := {value};\n");
            let (send, is_possible) = (name("send"), name("can"));
            let on = self.channel(id, channel);
            define(&send, &all(&[self.at(id, command), self.condition(View::of(id), &command.guard)]));
            let mut free = vec![send.clone()];
            for other in self.instances().into_iter().filter(|other| *other != id) {
                let of_pair = |what: &str| self.names.of_pair(id, position, other, what);
                let (is_connected, is_addressed, takes) =
                    (of_pair("connected"), of_pair("addressed"), of_pair("takes"));
                let guard = View { channel: Some(&on), ..View::of(other) };
                let receive_guard = self.condition(guard, &self.system.agent_of(other).receive_guard);
                define(&is_connected, &any(&[compared(Comparison::Equal, &on, "0"), receive_guard]));
                let view = View {
                    data: Some((id, command)),
                    addressed: Some(other),
                    channel: Some(&on),
                    ..View::of(id)
                };
                define(&is_addressed, &self.condition(view, to));
                let ready: Vec<String> =
                    self.receives(other, (id, command), &on).into_iter().map(|(_, _, ready)| ready).collect();
                define(&takes, &all(&[is_connected.clone(), is_addressed, any(&ready)]));
                free.push(any(&[compared(Comparison::Equal, &on, "0"), not(&is_connected), takes]));
            }
            define(&is_possible, &all(&free));
            possible.push(is_possible);
        }
        for ((supplier, position), command, (getter, other), getting) in self.exchanges() {
            let name = self.names.of_pair(supplier, position, getter, &format!("gives{other}$"));
            let meets = match &getting.action {
                Action::GetFrom(whom) => {
                    let whom = self.number(View::of(getter), whom);
                    compared(Comparison::Equal, &whom, &supplier.number().to_string())
                }
                Action::GetBy(condition) => {
                    let view = View { addressed: Some(supplier), ..View::of(getter) };
                    self.condition(view, condition)
                }
                _ => TRUE.to_owned(),
            };
            let give = View { data: Some((getter, getting)), ..View::of(supplier) };
            let get = View { data: Some((supplier, command)), ..View::of(getter) };
            let parts = [
                self.at(supplier, command),
                self.at(getter, getting),
                meets,
                self.condition(give, &command.guard),
                self.condition(get, &getting.guard),
            ];
            *text += &format!("DEFINE {name} := {};\n", all(&parts));
            possible.push(name);
        }
        *text += &format!("DEFINE {} := {};\n", Names::PROGRESS, any(&possible));
    }

    /// Whether a local may have several values in a run.
    fn changes(&self, id: InstanceId, local: usize) -> bool {
        !self.is_frozen(id, local) && self.constant(id, local).is_none()
    }

    /// Whether nothing is ever assigned to a local.
    fn is_frozen(&self, id: InstanceId, local: usize) -> bool {
        let updated = self.commands(id).flat_map(|(_, command)| &command.update);
        !updated.map(|(updated, _)| updated).any(|updated| *updated == local)
    }

    /// The channel on which a command sends, as a number.
    fn channel(&self, id: InstanceId, channel: &Expr) -> String {
        self.number(View::of(id), channel)
    }

    /// That an instance is where a command begins.
    fn at(&self, id: InstanceId, command: &Command) -> String {
        format!("({} = {})", self.names.location(id), command.source)
    }

    /// The commands by which an instance may receive what a command sends: each with when it is ready.
    fn receives(
        &self,
        id: InstanceId,
        (sender, sent): (InstanceId, &Command),
        on: &str,
    ) -> Vec<(usize, &Command, String)> {
        let ready = |(position, command): (usize, &'_ Command)| {
            let Action::Receive { channel } = &command.action else { return None };
            if lacks(command, sent) {
                return None;
            }
            let view = View { data: Some((sender, sent)), ..View::of(id) };
            let parts = [
                self.at(id, command),
                compared(Comparison::Equal, &self.number(View::of(id), channel), on),
                self.condition(view, &command.guard),
            ];
            Some((position, all(&parts)))
        };
        let found =
            self.commands(id).filter_map(|one| ready(one).map(|(position, text)| (position, one.1, text)));
        found.collect()
    }

    /// What a command makes of an instance, and its label.
    fn executes(&self, (id, position): Executed, command: &Command, view: View<'_>) -> String {
        let agent = self.system.agent_of(id);
        let mut parts = vec![format!("(next({}) = {})", self.names.location(id), command.target)];
        for local in (0..agent.locals.len()).filter(|local| self.changes(id, *local)) {
            let name = self.names.local(id, local);
            // The last one counts.
            let assigned = command.update.iter().rev().find(|(updated, _)| *updated == local);
            let value = assigned.map_or_else(|| name.clone(), |(_, term)| self.number(view, term));
            parts.push(format!("(next({name}) = {value})"));
        }
        parts.extend(self.labels(id, Some(position)));
        all(&parts)
    }

    /// That an instance stays as it is.
    fn stays(&self, id: InstanceId) -> String {
        let locals = (0..self.system.agent_of(id).locals.len()).filter(|local| self.changes(id, *local));
        let names =
            std::iter::once(self.names.location(id)).chain(locals.map(|local| self.names.local(id, local)));
        let mut parts: Vec<String> = names.map(|name| format!("(next({name}) = {name})")).collect();
        parts.extend(self.labels(id, None));
        all(&parts)
    }

    /// The labels of an instance, of which one was executed.
    fn labels(&self, id: InstanceId, executed: Option<usize>) -> Vec<String> {
        let labelled = self.commands(id).filter(|(position, _)| self.labels.contains(&(id, *position)));
        let bit = |(position, _): (usize, &Command)| {
            let sign = if executed == Some(position) { "" } else { "!" };
            format!("{sign}next({})", self.names.label(id, position))
        };
        labelled.map(bit).collect()
    }

    fn steps(&self, observed: &Observed<'_>, text: &mut String) {
        let mut steps: Vec<Vec<String>> = Vec::new();
        for ((id, position), command, channel, to) in self.sends() {
            let on = self.channel(id, channel);
            let mut parts = vec![self.names.of_command(id, position, "can")];
            parts.push(self.executes((id, position), command, View::of(id)));
            for other in self.instances().into_iter().filter(|other| *other != id) {
                let takes = self.names.of_pair(id, position, other, "takes");
                let view = View { data: Some((id, command)), ..View::of(other) };
                let receives = self.receives(other, (id, command), &on);
                let ways = receives.into_iter().map(|(receive, receiving, ready)| {
                    all(&[ready, self.executes((other, receive), receiving, view)])
                });
                let ways: Vec<String> = ways.filter(|way| way != FALSE).collect();
                parts.push(match ways.as_slice() {
                    [] => self.stays(other),
                    ways => format!("({takes} ? {} : {})", any(ways), self.stays(other)),
                });
            }
            parts.extend(observed.of_send((id, command), to, &on));
            steps.push(parts);
        }
        for ((supplier, position), command, (getter, other), getting) in self.exchanges() {
            let name = self.names.of_pair(supplier, position, getter, &format!("gives{other}$"));
            let give = View { data: Some((getter, getting)), ..View::of(supplier) };
            let get = View { data: Some((supplier, command)), ..View::of(getter) };
            let mut parts = vec![
                name,
                self.executes((supplier, position), command, give),
                self.executes((getter, other), getting, get),
            ];
            let others = self.instances().into_iter().filter(|id| *id != supplier && *id != getter);
            parts.extend(others.map(|id| self.stays(id)));
            parts.extend(observed.of_exchange((supplier, command), getter));
            steps.push(parts);
        }
        let mut idle = vec![format!("!{}", Names::PROGRESS)];
        idle.extend(self.instances().into_iter().map(|id| self.stays(id)));
        idle.extend(observed.of_nothing());
        steps.push(idle);
        *text += &format!("IVAR {} : 0..{};\n", Names::STEP, steps.len() - 1);
        for (number, parts) in steps.into_iter().enumerate() {
            for part in parts.iter().filter(|part| *part != TRUE) {
                *text += &format!("TRANS {} = {number} -> {part};\n", Names::STEP);
            }
        }
    }

    /// When a step would leave a range.
    fn faults(&self) -> Vec<String> {
        let mut faults = Vec::new();
        for ((id, position), command, channel, to) in self.sends() {
            let send = self.names.of_command(id, position, "send");
            let can = self.names.of_command(id, position, "can");
            let on = self.channel(id, channel);
            for (variable, term) in &command.data {
                let ty = self.system.messages.get(*variable).map(|declared| declared.ty);
                faults.extend(self.leaves(&send, View::of(id), term, ty));
            }
            faults.extend(self.updates(&can, id, command, View::of(id)));
            let mut mentioned = Vec::new();
            to.atoms(&mut |atom| {
                if let Atom::Property(property) = atom {
                    mentioned.push(property);
                }
            });
            for other in self.instances().into_iter().filter(|other| *other != id) {
                let is_connected = self.names.of_pair(id, position, other, "connected");
                for property in &mentioned {
                    faults.extend(self.relabels(
                        &all(&[send.clone(), is_connected.clone()]),
                        other,
                        *property,
                    ));
                }
                let takes = self.names.of_pair(id, position, other, "takes");
                let view = View { data: Some((id, command)), ..View::of(other) };
                for (_, receiving, ready) in self.receives(other, (id, command), &on) {
                    let when = all(&[can.clone(), takes.clone(), ready]);
                    faults.extend(self.updates(&when, other, receiving, view));
                }
            }
        }
        for ((supplier, position), command, (getter, other), getting) in self.exchanges() {
            let name = self.names.of_pair(supplier, position, getter, &format!("gives{other}$"));
            let give = View { data: Some((getter, getting)), ..View::of(supplier) };
            let get = View { data: Some((supplier, command)), ..View::of(getter) };
            faults.extend(self.updates(&name, supplier, command, give));
            faults.extend(self.updates(&name, getter, getting, get));
            let meet = all(&[self.at(supplier, command), self.at(getter, getting)]);
            for (id, command) in [(supplier, command), (getter, getting)] {
                for (variable, term) in &command.data {
                    let ty = self.system.messages.get(*variable).map(|declared| declared.ty);
                    faults.extend(self.leaves(&meet, View::of(id), term, ty));
                }
            }
        }
        faults
    }

    fn updates(&self, when: &str, id: InstanceId, command: &Command, view: View<'_>) -> Vec<String> {
        let locals = &self.system.agent_of(id).locals;
        let one = |(local, term): &(usize, Expr)| {
            self.leaves(when, view, term, locals.get(*local).map(|declared| declared.ty))
        };
        command.update.iter().filter_map(one).collect()
    }

    fn relabels(&self, when: &str, of: InstanceId, property: usize) -> Option<String> {
        let term = self.system.agent_of(of).relabels.get(property)?.as_ref()?;
        self.leaves(
            when,
            View::of(of),
            term,
            self.system.properties.get(property).map(|declared| declared.ty),
        )
    }

    /// When a value leaves the range of its type; nothing where it can't.
    fn leaves(&self, when: &str, view: View<'_>, term: &Expr, ty: Option<Type>) -> Option<String> {
        let Some(ty @ Type::Range(..)) = ty else { return None };
        let bounds = self.bounds(ty);
        if let Term::Constant(value) = term
            && bounds.0 <= *value
            && *value <= bounds.1
        {
            return None;
        }
        Some(format!("({when} & !{})", within(&self.number(view, term), bounds)))
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
