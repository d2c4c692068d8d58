//! Observations of messages, per command that sends or supplies: who sends is known then, and so is what the
//! message has.
//!
//! In: an observation and a command. Out: a code over fields of the state in which the message is sent, the
//! getter, and whom a send guard addresses. The latter is found by going through all values of the property
//! variables, once for all values of what it depends on.

use std::cell::RefCell;

use paramcheck_rcheck::model::{
    Action, Atom, Command, Expr, InstanceId, MessageAtom, Observation, System, Term,
};
use paramcheck_rcheck::semantics::observe::MAX_ASSIGNMENTS;
use paramcheck_text::index::Idx;
use rustc_hash::FxHashMap;

use super::code::{ANY, Bounds, Code};
use super::layout::Layout;
use super::program::{Program, number, property};

/// What an observation depends on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Seen {
    /// A field of the state.
    Field(usize),
    Getter,
    /// A property variable, within a quantifier over them.
    Property(usize),
    /// Whether something holds of those addressed, by its place among the [`Addressed`] of the observer.
    Addressed(usize),
}

/// What holds of all, or of some, of those that a send guard addresses.
#[derive(Debug)]
struct Addressed {
    is_universal: bool,
    to: Code<Seen>,
    body: Code<Seen>,
    /// The values of the property variables that matter; none, if there are too many.
    ranges: Option<Vec<(usize, i64, i64)>>,
    /// The fields that matter, and what was found for their values.
    fields: Vec<usize>,
    known: RefCell<FxHashMap<Vec<i64>, Option<bool>>>,
}

/// Makes codes of observations and gives them their values.
#[derive(Debug, Default)]
pub(super) struct Observer {
    addressed: Vec<Addressed>,
}

/// A command that sends or supplies.
#[derive(Clone, Copy)]
pub(super) struct Producer<'a> {
    pub(super) system: &'a System,
    pub(super) program: &'a Program,
    pub(super) instance: InstanceId,
    pub(super) command: &'a Command,
}

impl Producer<'_> {
    /// Its place among all values, to which that of a local is added.
    fn base(self) -> usize {
        self.program.units.get(self.instance.index()).map_or(0, |unit| unit.base + 1)
    }

    fn is_send(self) -> bool {
        matches!(self.command.action, Action::Send { .. })
    }

    fn bounds(self) -> impl Fn(Seen) -> Bounds {
        move |seen| match seen {
            Seen::Field(field) => self.program.layout.bounds(field),
            Seen::Getter => (0, number(self.program.units.len())),
            Seen::Property(_) => ANY,
            Seen::Addressed(_) => (0, 1),
        }
    }

    /// An expression over its locals and what it sends; within a send guard, over the property variables of who
    /// may be addressed.
    fn own(self, expr: &Expr) -> Code<Seen> {
        Code::new(expr, &|atom| match atom {
            Atom::Local(at) => Code::Atom(Seen::Field(self.base() + at)),
            Atom::Myself => Code::Constant(number(self.instance.index())),
            Atom::Message(id) => self.data(*id).unwrap_or(Code::Nothing),
            Atom::Channel => self.channel().unwrap_or(Code::Nothing),
            Atom::Property(id) => Code::Atom(Seen::Property(*id)),
        })
    }

    /// What it sends; none, if it does not.
    fn data(self, id: usize) -> Option<Code<Seen>> {
        // Of two values for one message variable the last counts.
        self.command.data.iter().rfind(|(to, _)| *to == id).map(|(_, value)| self.own(value))
    }

    fn channel(self) -> Option<Code<Seen>> {
        match &self.command.action {
            Action::Send { channel, .. } => Some(self.own(channel)),
            _ => None,
        }
    }

    /// Its property variable.
    fn property(self, id: usize) -> Option<Code<Seen>> {
        let agent = self.system.agent_of(self.instance);
        let myself = Code::Constant(number(self.instance.index()));
        property(self.system, agent, id, &|at| Seen::Field(self.base() + at), &myself, &self.bounds())
    }

    /// What an atom stands for; none, if the message lacks it.
    fn atom(self, atom: MessageAtom, is_addressed: bool) -> Option<Code<Seen>> {
        let (producer, is_send) = (Code::Constant(number(self.instance.index())), self.is_send());
        match atom {
            MessageAtom::Channel => self.channel(),
            MessageAtom::Sender => is_send.then_some(producer),
            MessageAtom::Supplier => (!is_send).then_some(producer),
            MessageAtom::Getter => (!is_send).then_some(Code::Atom(Seen::Getter)),
            MessageAtom::Producer => Some(producer),
            MessageAtom::Initiator => Some(if is_send { producer } else { Code::Atom(Seen::Getter) }),
            MessageAtom::PointToPoint => Some(Code::Constant(i64::from(!is_send))),
            MessageAtom::Message(id) => self.data(id),
            MessageAtom::SupplierProperty(id) => self.property(id).filter(|_| !is_send),
            MessageAtom::Property(id) if is_send => is_addressed.then_some(Code::Atom(Seen::Property(id))),
            MessageAtom::Property(id) => self.property(id).filter(|_| is_addressed),
        }
    }
}

impl Observer {
    /// The code of an observation of what a command sends; `is_addressed` within a quantifier over property
    /// variables.
    pub(super) fn code(
        &mut self,
        producer: Producer<'_>,
        observation: &Observation,
        is_addressed: bool,
    ) -> Code<Seen> {
        match observation {
            Observation::Truth(truth) => Code::Constant(i64::from(*truth)),
            Observation::Not(inner) => self.code(producer, inner, is_addressed).negated(),
            Observation::All(all) => {
                let parts: Vec<_> = all.iter().map(|one| self.code(producer, one, is_addressed)).collect();
                Code::all(parts.into_iter())
            }
            Observation::Any(all) => {
                let parts: Vec<_> = all.iter().map(|one| self.code(producer, one, is_addressed)).collect();
                Code::any(parts.into_iter())
            }
            Observation::Iff(left, right) => {
                let [left, right] = [left, right].map(|one| self.code(producer, one, is_addressed));
                Code::same(left, right)
            }
            Observation::Atom(term) => atom(producer, term, is_addressed),
            Observation::Addressed { is_universal, body } => {
                let body = self.code(producer, body, true);
                self.addressed(producer, *is_universal, body)
            }
        }
    }

    fn addressed(&mut self, producer: Producer<'_>, is_universal: bool, body: Code<Seen>) -> Code<Seen> {
        // Point to point it is about the supplier's actual values.
        let Action::Send { to, .. } = &producer.command.action else { return body };
        let to = producer.own(to);
        if to == Code::Constant(0) {
            return Code::Constant(i64::from(is_universal));
        }
        let mut mentioned = vec![false; producer.system.properties.len()];
        let mut fields = Vec::new();
        for code in [&to, &body] {
            code.atoms(&mut |seen| match seen {
                Seen::Property(id) => {
                    if let Some(place) = mentioned.get_mut(id) {
                        *place = true;
                    }
                }
                Seen::Field(field) => fields.push(field),
                Seen::Addressed(inner) => {
                    fields.extend(self.addressed.get(inner).into_iter().flat_map(|inner| &inner.fields));
                }
                Seen::Getter => {}
            });
        }
        fields.sort_unstable();
        fields.dedup();
        let mut ranges = Some(Vec::new());
        let mut size: u64 = 1;
        for (id, variable) in producer.system.properties.iter().enumerate().filter(|(id, _)| mentioned[*id]) {
            match (producer.system.bounds(variable.ty), &mut ranges) {
                (Some((low, high)), Some(ranges)) => {
                    size = size.saturating_mul(low.abs_diff(high).saturating_add(1));
                    ranges.push((id, low, high));
                }
                _ => ranges = None,
            }
        }
        let ranges = ranges.filter(|_| size <= MAX_ASSIGNMENTS);
        let known = RefCell::default();
        self.addressed.push(Addressed { is_universal, to, body, ranges, fields, known });
        Code::Atom(Seen::Addressed(self.addressed.len() - 1))
    }

    /// The value of a code in a state, where the message has this getter.
    pub(super) fn value(
        &self,
        code: &Code<Seen>,
        layout: &Layout,
        state: &[u64],
        getter: usize,
    ) -> Option<i64> {
        code.value(&mut |seen| match seen {
            Seen::Field(field) => Some(layout.get(state, field)),
            Seen::Getter => Some(number(getter)),
            Seen::Property(_) => None,
            Seen::Addressed(at) => self.of_addressed(at, layout, state).map(i64::from),
        })
    }

    fn of_addressed(&self, at: usize, layout: &Layout, state: &[u64]) -> Option<bool> {
        let addressed = self.addressed.get(at)?;
        let values: Vec<i64> = addressed.fields.iter().map(|field| layout.get(state, *field)).collect();
        if let Some(known) = addressed.known.borrow().get(&values) {
            return *known;
        }
        let found = self.go_through(addressed, layout, state);
        addressed.known.borrow_mut().insert(values, found);
        found
    }

    fn go_through(&self, addressed: &Addressed, layout: &Layout, state: &[u64]) -> Option<bool> {
        let ranges = addressed.ranges.as_ref()?;
        let count = ranges.iter().map(|(id, ..)| id + 1).max().unwrap_or(0);
        let mut values = vec![0; count];
        ranges.iter().for_each(|(id, low, _)| values[*id] = *low);
        loop {
            let holds = |code: &Code<Seen>| {
                let value = code.value(&mut |seen| match seen {
                    Seen::Field(field) => Some(layout.get(state, field)),
                    Seen::Property(id) => values.get(id).copied(),
                    Seen::Addressed(inner) => self.of_addressed(inner, layout, state).map(i64::from),
                    Seen::Getter => None,
                });
                value.map(|value| value != 0)
            };
            if holds(&addressed.to)? && holds(&addressed.body)? != addressed.is_universal {
                return Some(!addressed.is_universal);
            }
            let mut goes_on = false;
            for (id, low, high) in ranges {
                if values[*id] < *high {
                    values[*id] += 1;
                    goes_on = true;
                    break;
                }
                values[*id] = *low;
            }
            if !goes_on {
                return Some(addressed.is_universal);
            }
        }
    }
}

/// An atom of an observation is false if the message lacks something that it is about.
fn atom(producer: Producer<'_>, term: &Term<MessageAtom>, is_addressed: bool) -> Code<Seen> {
    let mut is_lacking = false;
    term.atoms(&mut |atom| is_lacking |= producer.atom(atom, is_addressed).is_none());
    if is_lacking {
        return Code::Constant(0);
    }
    Code::new(term, &|atom| producer.atom(*atom, is_addressed).unwrap_or(Code::Nothing))
}
