//! What instances do in a step: conditions on the state that say what is possible, and what each step makes of
//! each instance.

use paramcheck_rcheck::model::{Action, Command, Comparison, InstanceId};

use super::names::Names;
use super::observed::Observed;
use super::terms::{FALSE, TRUE, all, any, compared, not};
use super::{Executed, View, Writer, lacks};

impl Writer<'_> {
    /// What holds of a state.
    pub(super) fn define(&self, text: &mut String) {
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
    pub(super) fn is_frozen(&self, id: InstanceId, local: usize) -> bool {
        let updated = self.commands(id).flat_map(|(_, command)| &command.update);
        !updated.map(|(updated, _)| updated).any(|updated| *updated == local)
    }

    /// The commands by which an instance may receive what a command sends: each with when it is ready.
    pub(super) fn receives(
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

    /// The steps, one after the other: what selects them is an input.
    pub(super) fn steps(&self, observed: &Observed<'_>, text: &mut String) {
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
}
