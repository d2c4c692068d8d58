//! When a step would leave a range: an error of the model, behind which NuSMV has no next state.

use paramcheck_rcheck::model::{Atom, Command, Expr, InstanceId, Term, Type};

use super::terms::{all, within};
use super::{View, Writer};

impl Writer<'_> {
    /// When a step would leave a range.
    pub(super) fn faults(&self) -> Vec<String> {
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
