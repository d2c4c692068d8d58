//! Whether a message satisfies an observation.

use super::evaluate::{NoValue, evaluate};
use super::step::{Message, State, property};
use crate::model::{Action, Atom, Expr, MessageAtom, Observation, System, Term};
use paramcheck_text::index::Idx;

/// The most values of all property variables together that are gone through.
pub const MAX_ASSIGNMENTS: u64 = 1_000_000;

/// What a message is held against: the system, and the state in which it is sent.
#[derive(Clone, Copy)]
pub struct Sight<'a> {
    /// The system.
    pub system: &'a System,
    /// The state.
    pub state: &'a State,
    /// The message.
    pub message: &'a Message,
}

impl<'a> Sight<'a> {
    /// Whether the message satisfies the observation.
    ///
    /// # Errors
    /// A computation without a value, or too many values of property variables.
    pub fn satisfies(self, observation: &Observation) -> Result<bool, NoValue> {
        self.holds(observation, None)
    }

    /// `properties` has the values of the property variables within a quantifier over them.
    fn holds(self, observation: &Observation, properties: Option<&[Option<i64>]>) -> Result<bool, NoValue> {
        Ok(match observation {
            Observation::Truth(truth) => *truth,
            Observation::Not(inner) => !self.holds(inner, properties)?,
            Observation::All(all) => {
                for one in all {
                    if !self.holds(one, properties)? {
                        return Ok(false);
                    }
                }
                true
            }
            Observation::Any(all) => {
                for one in all {
                    if self.holds(one, properties)? {
                        return Ok(true);
                    }
                }
                false
            }
            Observation::Iff(left, right) => {
                self.holds(left, properties)? == self.holds(right, properties)?
            }
            Observation::Atom(term) => self.atom(term, properties)?,
            Observation::Addressed { is_universal, body } => self.addressed(*is_universal, body)?,
        })
    }

    /// An atom is false if the message lacks something that it is about, even where that would not matter.
    fn atom(self, term: &Term<MessageAtom>, properties: Option<&[Option<i64>]>) -> Result<bool, NoValue> {
        let mut is_lacking = false;
        term.atoms(&mut |atom| {
            is_lacking |= matches!(self.value(atom, properties), Err(NoValue::Missing));
        });
        if is_lacking {
            return Ok(false);
        }
        Ok(evaluate(term, &mut |atom| self.value(atom, properties))? != 0)
    }

    fn value(self, atom: MessageAtom, properties: Option<&[Option<i64>]>) -> Result<i64, NoValue> {
        let message = self.message;
        let is_point_to_point = message.channel.is_none();
        let producer = i64::from(message.producer.0.number());
        let getter = message.receivers.first().filter(|_| is_point_to_point);
        let getter = getter.map(|(getter, _)| i64::from(getter.number()));
        let found = match atom {
            MessageAtom::Channel => message.channel,
            MessageAtom::Sender => (!is_point_to_point).then_some(producer),
            MessageAtom::Supplier => is_point_to_point.then_some(producer),
            MessageAtom::Getter => getter,
            MessageAtom::Producer => Some(producer),
            MessageAtom::Initiator => {
                if is_point_to_point {
                    getter
                } else {
                    Some(producer)
                }
            }
            MessageAtom::PointToPoint => Some(i64::from(is_point_to_point)),
            MessageAtom::Message(id) => message.data.get(id).copied().flatten(),
            MessageAtom::SupplierProperty(id) if is_point_to_point => return self.of_supplier(id),
            MessageAtom::SupplierProperty(_) => None,
            MessageAtom::Property(id) => properties.and_then(|all| all.get(id).copied().flatten()),
        };
        found.ok_or(NoValue::Missing)
    }

    /// A property variable of the supplier.
    fn of_supplier(self, id: usize) -> Result<i64, NoValue> {
        let supplier = self.message.producer.0;
        property(self.system, supplier, self.locals(), id)
    }

    /// The locals of the producer.
    fn locals(self) -> &'a [i64] {
        self.state.locals.get(self.message.producer.0.index()).map_or(&[], Vec::as_slice)
    }

    fn addressed(self, is_universal: bool, body: &Observation) -> Result<bool, NoValue> {
        let count = self.system.properties.len();
        if self.message.channel.is_none() {
            let mut actual = Vec::with_capacity(count);
            for id in 0..count {
                actual.push(match self.of_supplier(id) {
                    Ok(value) => Some(value),
                    Err(NoValue::Missing) => None,
                    Err(other) => return Err(other),
                });
            }
            return self.holds(body, Some(&actual));
        }
        let Some(to) = self.send_guard() else { return Ok(is_universal) };
        // Those that nothing mentions may have any value: they are left out.
        let mut mentioned = vec![false; count];
        let mut mention = |id: usize| {
            if let Some(place) = mentioned.get_mut(id) {
                *place = true;
            }
        };
        to.atoms(&mut |atom| {
            if let Atom::Property(id) = atom {
                mention(id)
            }
        });
        body.atoms(&mut |atom| {
            if let MessageAtom::Property(id) = atom {
                mention(id)
            }
        });
        let mut bounds = Vec::new();
        let mut size: u64 = 1;
        for (id, variable) in self.system.properties.iter().enumerate() {
            if mentioned.get(id) != Some(&true) {
                continue;
            }
            let (low, high) = self.system.bounds(variable.ty).ok_or(NoValue::TooMany)?;
            size = size.saturating_mul(low.abs_diff(high).saturating_add(1));
            bounds.push((id, low, high));
        }
        if size > MAX_ASSIGNMENTS {
            return Err(NoValue::TooMany);
        }
        let mut values: Vec<Option<i64>> = vec![None; count];
        bounds.iter().for_each(|(id, low, _)| set(&mut values, *id, *low));
        loop {
            if self.addresses(to, &values)? && self.holds(body, Some(&values))? != is_universal {
                return Ok(!is_universal);
            }
            // The next ones, as a number is counted up.
            let mut goes_on = false;
            for (id, low, high) in &bounds {
                let value = values.get(*id).copied().flatten().unwrap_or(*high);
                if value < *high {
                    set(&mut values, *id, value + 1);
                    goes_on = true;
                    break;
                }
                set(&mut values, *id, *low);
            }
            if !goes_on {
                return Ok(is_universal);
            }
        }
    }

    fn send_guard(self) -> Option<&'a Expr> {
        let (producer, command) = self.message.producer;
        match &self.system.agent_of(producer).commands.get(command)?.action {
            Action::Send { to, .. } => Some(to),
            _ => None,
        }
    }

    /// Whether the send guard holds of these values.
    fn addresses(self, to: &Expr, values: &[Option<i64>]) -> Result<bool, NoValue> {
        let value = evaluate(to, &mut |atom| match atom {
            Atom::Local(local) => self.locals().get(local).copied().ok_or(NoValue::Missing),
            Atom::Message(id) => self.message.data.get(id).copied().flatten().ok_or(NoValue::Missing),
            Atom::Channel => self.message.channel.ok_or(NoValue::Missing),
            Atom::Myself => Ok(i64::from(self.message.producer.0.number())),
            Atom::Property(id) => values.get(id).copied().flatten().ok_or(NoValue::Missing),
        });
        Ok(value? != 0)
    }
}

fn set(values: &mut [Option<i64>], id: usize, value: i64) {
    if let Some(place) = values.get_mut(id) {
        *place = Some(value);
    }
}
