//! Observations of steps: whether what a command sends satisfies them, in the state in which it is sent.

use paramcheck_rcheck::model::{Atom, Command, Expr, InstanceId, MessageAtom, Observation, Spec, Term};

use super::terms::{FALSE, TRUE, Terms, all, any, not};
use super::{MAX_CASES, NotWritten, View, Writer, check_term};

/// The observations of the properties that are written.
pub(super) struct Observed<'a> {
    writer: &'a Writer<'a>,
    specs: &'a [(usize, &'a Spec)],
}

/// A message, as far as it is known of a command.
#[derive(Clone, Copy)]
struct Message<'a> {
    producer: InstanceId,
    command: &'a Command,
    /// Whom it is for, and on which channel; none point to point.
    on: Option<(&'a Expr, &'a str)>,
    /// Who gets; none on a channel.
    getter: Option<InstanceId>,
    /// The values of property variables within a quantifier over them, `None` where they are not mentioned.
    properties: Option<&'a [Option<i64>]>,
}

impl<'a> Observed<'a> {
    pub(super) fn new(writer: &'a Writer<'a>, specs: &'a [(usize, &'a Spec)]) -> Result<Self, NotWritten> {
        for observation in specs.iter().flat_map(|(_, spec)| &spec.observations) {
            check(observation)?;
            // Whatever the send guard mentions, these are at most as many.
            if mentions(observation) {
                let bounds = writer.system.properties.iter().map(|declared| writer.bounds(declared.ty));
                let sizes = bounds.map(|(low, high)| low.abs_diff(high).saturating_add(1));
                if sizes.fold(1_u64, u64::saturating_mul) > MAX_CASES {
                    return Err(NotWritten::Cases);
                }
            }
        }
        Ok(Observed { writer, specs })
    }

    /// The bits after a command has sent on a channel.
    pub(super) fn of_send(
        &self,
        (producer, command): (InstanceId, &Command),
        to: &Expr,
        on: &str,
    ) -> Vec<String> {
        let message = Message { producer, command, on: Some((to, on)), getter: None, properties: None };
        self.bits(|observation| self.holds(message, observation))
    }

    /// The bits after a command has supplied.
    pub(super) fn of_exchange(
        &self,
        (producer, command): (InstanceId, &Command),
        getter: InstanceId,
    ) -> Vec<String> {
        let message = Message { producer, command, on: None, getter: Some(getter), properties: None };
        self.bits(|observation| self.holds(message, observation))
    }

    /// The bits where nothing happens.
    pub(super) fn of_nothing(&self) -> Vec<String> {
        self.bits(|_| FALSE.to_owned())
    }

    fn bits(&self, holds: impl Fn(&Observation) -> String) -> Vec<String> {
        let mut bits = Vec::new();
        for (position, spec) in self.specs {
            for (number, observation) in spec.observations.iter().enumerate() {
                let bit = self.writer.names.observation(*position, number);
                bits.push(match holds(observation).as_str() {
                    TRUE => format!("next({bit})"),
                    FALSE => format!("!next({bit})"),
                    condition => format!("(next({bit}) <-> {condition})"),
                });
            }
        }
        bits
    }

    /// The recursion is bounded by the height of observations.
    fn holds(&self, message: Message<'_>, observation: &Observation) -> String {
        let part = |observation: &Observation| self.holds(message, observation);
        match observation {
            Observation::Truth(truth) => if *truth { TRUE } else { FALSE }.to_owned(),
            Observation::Not(inner) => not(&part(inner)),
            Observation::All(parts) => all(&parts.iter().map(part).collect::<Vec<_>>()),
            Observation::Any(parts) => any(&parts.iter().map(part).collect::<Vec<_>>()),
            Observation::Iff(left, right) => format!("({} <-> {})", part(left), part(right)),
            Observation::Atom(term) => self.atom(message, term),
            Observation::Addressed { is_universal, body } => self.addressed(message, *is_universal, body),
        }
    }

    /// An atom is false if the message lacks something that it is about.
    fn atom(&self, message: Message<'_>, term: &Term<MessageAtom>) -> String {
        let mut is_lacking = false;
        term.atoms(&mut |atom| is_lacking |= self.value(message, atom).is_none());
        if is_lacking {
            return FALSE.to_owned();
        }
        let number = |atom| self.value(message, atom).unwrap_or_default();
        Terms { number: &number }.condition(term)
    }

    fn value(&self, message: Message<'_>, atom: MessageAtom) -> Option<String> {
        let producer = message.producer.number().to_string();
        let getter = || message.getter.map(|getter| getter.number().to_string());
        match atom {
            MessageAtom::Channel => message.on.map(|(_, on)| on.to_owned()),
            MessageAtom::Sender => message.on.map(|_| producer),
            MessageAtom::Supplier => message.getter.map(|_| producer),
            MessageAtom::Getter => getter(),
            MessageAtom::Producer => Some(producer),
            MessageAtom::Initiator => getter().or(Some(producer)),
            MessageAtom::PointToPoint => Some(u8::from(message.getter.is_some()).to_string()),
            MessageAtom::Message(id) => {
                let (_, term) = message.command.data.iter().find(|(variable, _)| *variable == id)?;
                Some(self.writer.number(View::of(message.producer), term))
            }
            MessageAtom::SupplierProperty(id) => message.getter.and_then(|_| self.of_producer(message, id)),
            MessageAtom::Property(id) => match message.properties {
                Some(values) => values.get(id).copied().flatten().map(|value| format!("({value})")),
                // Point to point both quantifiers are about the supplier.
                None => message.getter.and_then(|_| self.of_producer(message, id)),
            },
        }
    }

    /// A property variable of the producer.
    fn of_producer(&self, message: Message<'_>, id: usize) -> Option<String> {
        let term = self.writer.system.agent_of(message.producer).relabels.get(id)?.as_ref()?;
        Some(self.writer.number(View::of(message.producer), term))
    }

    /// All values of the property variables that are mentioned are cases.
    fn addressed(&self, message: Message<'_>, is_universal: bool, body: &Observation) -> String {
        let Some((to, _)) = message.on else { return self.holds(message, body) };
        let properties = &self.writer.system.properties;
        let mut mentioned = vec![false; properties.len()];
        to.atoms(&mut |atom| {
            if let Atom::Property(id) = atom {
                mentioned[id] = true;
            }
        });
        body.atoms(&mut |atom| {
            if let MessageAtom::Property(id) = atom {
                mentioned[id] = true;
            }
        });
        let mut cases: Vec<Vec<Option<i64>>> = vec![Vec::new()];
        for (declared, is_mentioned) in properties.iter().zip(mentioned) {
            let (low, high) = self.writer.bounds(declared.ty);
            let values: Vec<Option<i64>> =
                if is_mentioned { (low..=high).map(Some).collect() } else { vec![None] };
            let with = |case: &Vec<Option<i64>>, value| case.iter().copied().chain([value]).collect();
            cases =
                cases.iter().flat_map(|case| values.iter().map(move |value| with(case, *value))).collect();
        }
        let case = |values: &Vec<Option<i64>>| {
            let to = self.send_guard(message, to, values);
            let body = self.holds(Message { properties: Some(values), ..message }, body);
            if is_universal { any(&[not(&to), body]) } else { all(&[to, body]) }
        };
        let cases: Vec<String> = cases.iter().map(case).collect();
        if is_universal { all(&cases) } else { any(&cases) }
    }

    /// Whether the send guard holds of these values.
    fn send_guard(&self, message: Message<'_>, to: &Expr, values: &[Option<i64>]) -> String {
        let view = View {
            data: Some((message.producer, message.command)),
            channel: message.on.map(|(_, on)| on),
            ..View::of(message.producer)
        };
        let number = |atom| match atom {
            Atom::Property(id) => {
                let value = values.get(id).copied().flatten().unwrap_or_default();
                format!("({value})")
            }
            atom => self.writer.atom(view, atom),
        };
        Terms { number: &number }.condition(to)
    }
}

/// Whether an observation is about those addressed.
fn mentions(observation: &Observation) -> bool {
    match observation {
        Observation::Truth(_) | Observation::Atom(_) => false,
        Observation::Not(inner) => mentions(inner),
        Observation::All(parts) | Observation::Any(parts) => parts.iter().any(mentions),
        Observation::Iff(left, right) => mentions(left) || mentions(right),
        Observation::Addressed { .. } => true,
    }
}

/// That NuSMV can compute the terms of an observation.
fn check(observation: &Observation) -> Result<(), NotWritten> {
    match observation {
        Observation::Truth(_) => Ok(()),
        Observation::Atom(term) => check_term(term),
        Observation::Not(inner) | Observation::Addressed { body: inner, .. } => check(inner),
        Observation::All(parts) | Observation::Any(parts) => parts.iter().try_for_each(check),
        Observation::Iff(left, right) => {
            check(left)?;
            check(right)
        }
    }
}
