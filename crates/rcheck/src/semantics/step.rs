//! Steps: what an agent offers in a state, and what the others do about it.
//!
//! A message on a channel is offered by a command ([`offers`]); the table of the rules gives each other agent
//! its [`Role`]. If one blocks, there is no step; otherwise all that must receive do, each by any of its
//! commands that are ready. Point to point, a supplier and a getter move alone. An assignment outside the
//! type of its variable is a [`Fault`]: an error of the model.

use paramcheck_text::source::Span;

use super::evaluate::{NoValue, evaluate};
use crate::model::{Action, Agent, Atom, BROADCAST, Command, Expr, InstanceId, System, Type};
use paramcheck_text::index::Idx;

/// A state of all instances.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct State {
    /// Per instance the location of its structure automaton.
    pub locations: Vec<usize>,
    /// Per instance the values of its locals.
    pub locals: Vec<Vec<i64>>,
}

/// A command of an instance, by its position.
pub type Executed = (InstanceId, usize);

/// What is sent in a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// Who sends or supplies.
    pub producer: Executed,
    /// Who receives; point to point, who gets.
    pub receivers: Vec<Executed>,
    /// The channel; none point to point.
    pub channel: Option<i64>,
    /// What the producer sends, by message variable.
    pub data: Vec<Option<i64>>,
    /// What the getter sends.
    pub reply: Vec<Option<i64>>,
}

impl Message {
    /// Whether an instance takes part.
    pub fn involves(&self, id: InstanceId) -> bool {
        self.producer.0 == id || self.receivers.iter().any(|(receiver, _)| *receiver == id)
    }

    /// Whether this command is executed.
    pub fn executes(&self, executed: Executed) -> bool {
        self.producer == executed || self.receivers.contains(&executed)
    }
}

/// A step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// What is sent.
    pub message: Message,
    /// The state behind it.
    pub target: State,
}

/// An error of the model that a state shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Whose command, relabel or guard.
    pub instance: InstanceId,
    /// The command.
    pub span: Span,
    /// What is wrong.
    pub message: String,
}

/// Why the steps from a state are not known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Halt {
    /// The state shows an error of the model.
    Fault(Fault),
    /// There are more than [`MAX_STEPS`].
    TooMany,
}

impl From<Fault> for Halt {
    fn from(fault: Fault) -> Halt {
        Halt::Fault(fault)
    }
}

/// The most steps by one message: receivers with several commands multiply them.
pub const MAX_STEPS: usize = 100_000;

/// What an agent does about a message on a channel: a cell of the table of the rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Role {
    /// It does not take part.
    Stays(Reason),
    /// It must receive, by any of these commands.
    Receives(Vec<usize>),
    /// The message can't be sent.
    Blocks(Reason),
}

/// Why an agent does not receive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// Its receive guard does not hold for the channel.
    NotConnected,
    /// The send guard does not hold of it.
    NotAddressed,
    /// None of its commands can receive: per receiving command at its location, why.
    NotReady(Vec<(usize, NotReady)>),
}

/// Why a command can't receive a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotReady {
    /// It receives on another channel.
    OtherChannel(i64),
    /// The message lacks this message variable.
    Lacks(usize),
    /// Its condition does not hold.
    Condition,
}

/// A message that an agent could send as far as it is concerned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offer {
    /// The command.
    pub sender: Executed,
    /// The channel.
    pub channel: i64,
    /// What is sent, by message variable.
    pub data: Vec<Option<i64>>,
    /// What all others do.
    pub roles: Vec<(InstanceId, Role)>,
}

impl Offer {
    /// Whether no agent blocks it.
    pub fn is_possible(&self) -> bool {
        !self.roles.iter().any(|(_, role)| matches!(role, Role::Blocks(_)))
    }
}

/// What atoms of the model are about, from the point of view of an instance.
struct View<'a> {
    system: &'a System,
    id: InstanceId,
    locals: &'a [i64],
    data: &'a [Option<i64>],
    channel: Option<i64>,
    /// Whose property variables the condition is about.
    addressed: Option<(InstanceId, &'a [i64])>,
}

impl View<'_> {
    fn value(&self, expr: &Expr) -> Result<i64, NoValue> {
        evaluate(expr, &mut |atom| match atom {
            Atom::Local(local) => self.locals.get(local).copied().ok_or(NoValue::Missing),
            Atom::Message(id) => self.data.get(id).copied().flatten().ok_or(NoValue::Missing),
            Atom::Channel => self.channel.ok_or(NoValue::Missing),
            Atom::Myself => Ok(i64::from(self.id.number())),
            Atom::Property(id) => {
                let (of, locals) = self.addressed.ok_or(NoValue::Missing)?;
                property(self.system, of, locals, id)
            }
        })
    }
}

/// The value of a property variable of an instance.
///
/// # Errors
/// That it has none, or one outside of its type.
pub fn property(system: &System, of: InstanceId, locals: &[i64], id: usize) -> Result<i64, NoValue> {
    let relabel = system.agent_of(of).relabels.get(id).and_then(Option::as_ref).ok_or(NoValue::Missing)?;
    let view = View { system, id: of, locals, data: &[], channel: None, addressed: None };
    let value = view.value(relabel)?;
    let ty = system.properties.get(id).ok_or(NoValue::Missing)?.ty;
    if is_within(system, ty, value) { Ok(value) } else { Err(NoValue::OutOfRange) }
}

fn is_within(system: &System, ty: Type, value: i64) -> bool {
    system.bounds(ty).is_none_or(|(low, high)| low <= value && value <= high)
}

/// What the rules need to know at once: the system and a state.
#[derive(Clone, Copy)]
struct Now<'a> {
    system: &'a System,
    state: &'a State,
}

impl<'a> Now<'a> {
    fn agent(self, id: InstanceId) -> &'a Agent {
        self.system.agent_of(id)
    }

    fn locals(self, id: InstanceId) -> &'a [i64] {
        self.state.locals.get(id.index()).map_or(&[], Vec::as_slice)
    }

    /// The commands at the location of an instance.
    fn commands(self, id: InstanceId) -> impl Iterator<Item = (usize, &'a Command)> {
        let location = self.state.locations.get(id.index()).copied().unwrap_or(0);
        self.agent(id).commands.iter().enumerate().filter(move |(_, one)| one.source == location)
    }

    fn view(self, id: InstanceId, data: &'a [Option<i64>]) -> View<'a> {
        View { system: self.system, id, locals: self.locals(id), data, channel: None, addressed: None }
    }

    fn fault(self, instance: InstanceId, command: &Command, why: NoValue) -> Fault {
        let message = why.message().to_owned();
        Fault { instance, span: command.span, message }
    }

    /// What a command sends.
    fn data(self, id: InstanceId, command: &Command) -> Result<Vec<Option<i64>>, Fault> {
        let mut data = vec![None; self.system.messages.len()];
        let view = self.view(id, &[]);
        for (variable, expr) in &command.data {
            let value = view.value(expr).map_err(|why| self.fault(id, command, why))?;
            let (Some(place), Some(declared)) =
                (data.get_mut(*variable), self.system.messages.get(*variable))
            else {
                continue;
            };
            self.check_range(id, command, &declared.name, declared.ty, value)?;
            *place = Some(value);
        }
        Ok(data)
    }

    fn check_range(
        self,
        instance: InstanceId,
        command: &Command,
        name: &str,
        ty: Type,
        value: i64,
    ) -> Result<(), Fault> {
        if is_within(self.system, ty, value) {
            return Ok(());
        }
        let (low, high) = self.system.bounds(ty).unwrap_or((i64::MIN, i64::MAX));
        let message = format!("`{name} := {value}` leaves the range {low}..{high}");
        Err(Fault { instance, span: command.span, message })
    }

    /// Executes a command of an instance, in the state that is to be.
    fn execute(
        self,
        target: &mut State,
        (id, position): Executed,
        data: &[Option<i64>],
    ) -> Result<(), Fault> {
        let agent = self.agent(id);
        let Some(command) = agent.commands.get(position) else { return Ok(()) };
        let view = self.view(id, data);
        for (local, expr) in &command.update {
            let value = view.value(expr).map_err(|why| self.fault(id, command, why))?;
            if let Some(declared) = agent.locals.get(*local) {
                self.check_range(id, command, &declared.name, declared.ty, value)?;
            }
            if let Some(place) = target.locals.get_mut(id.index()).and_then(|all| all.get_mut(*local)) {
                *place = value;
            }
        }
        if let Some(place) = target.locations.get_mut(id.index()) {
            *place = command.target;
        }
        Ok(())
    }

    /// What an instance does about a message.
    fn role(self, id: InstanceId, offer: &Offer, sender: &Command, to: &Expr) -> Result<Role, Fault> {
        let is_broadcast = offer.channel == BROADCAST;
        if !is_broadcast {
            let view = View { channel: Some(offer.channel), ..self.view(id, &[]) };
            let is_connected = view.value(&self.agent(id).receive_guard);
            if is_connected.map_err(|why| self.fault(id, sender, why))? == 0 {
                return Ok(Role::Stays(Reason::NotConnected));
            }
        }
        let refuses = if is_broadcast { Role::Stays } else { Role::Blocks };
        let view = View {
            channel: Some(offer.channel),
            addressed: Some((id, self.locals(id))),
            ..self.view(offer.sender.0, &offer.data)
        };
        if view.value(to).map_err(|why| self.fault(offer.sender.0, sender, why))? == 0 {
            return Ok(refuses(Reason::NotAddressed));
        }
        let mut ready = Vec::new();
        let mut others = Vec::new();
        for (position, command) in self.commands(id) {
            let Action::Receive { channel } = &command.action else { continue };
            match self.readiness(id, command, channel, offer)? {
                None => ready.push(position),
                Some(why) => others.push((position, why)),
            }
        }
        Ok(if ready.is_empty() { refuses(Reason::NotReady(others)) } else { Role::Receives(ready) })
    }

    /// Why a command can't receive a message; nothing if it can.
    fn readiness(
        self,
        id: InstanceId,
        command: &Command,
        channel: &Expr,
        offer: &Offer,
    ) -> Result<Option<NotReady>, Fault> {
        let view = self.view(id, &offer.data);
        let channel = view.value(channel).map_err(|why| self.fault(id, command, why))?;
        if channel != offer.channel {
            return Ok(Some(NotReady::OtherChannel(channel)));
        }
        if let Some(lacking) = lacks(command, &offer.data) {
            return Ok(Some(NotReady::Lacks(lacking)));
        }
        let holds = view.value(&command.guard).map_err(|why| self.fault(id, command, why))?;
        Ok((holds == 0).then_some(NotReady::Condition))
    }

    /// What an instance can send on channels.
    fn offers_of(self, id: InstanceId) -> Result<Vec<Offer>, Fault> {
        let mut offers = Vec::new();
        for (position, command) in self.commands(id) {
            let Action::Send { channel, to } = &command.action else { continue };
            let view = self.view(id, &[]);
            let value = |expr| view.value(expr).map_err(|why| self.fault(id, command, why));
            if value(&command.guard)? == 0 {
                continue;
            }
            let channel = value(channel)?;
            let data = self.data(id, command)?;
            let mut offer = Offer { sender: (id, position), channel, data, roles: Vec::new() };
            for other in self.system.instances.indices().filter(|other| *other != id) {
                let role = self.role(other, &offer, command, to)?;
                offer.roles.push((other, role));
            }
            offers.push(offer);
        }
        Ok(offers)
    }

    /// The steps that an offer makes possible: all choices of the receivers.
    fn steps_of(self, offer: &Offer, steps: &mut Vec<Step>) -> Result<(), Halt> {
        if !offer.is_possible() {
            return Ok(());
        }
        let mut choices: Vec<Vec<Executed>> = vec![Vec::new()];
        for (id, role) in &offer.roles {
            let Role::Receives(commands) = role else { continue };
            if choices.len().saturating_mul(commands.len()) > MAX_STEPS {
                return Err(Halt::TooMany);
            }
            let with = |choice: &Vec<Executed>, command: usize| {
                let mut longer = choice.clone();
                longer.push((*id, command));
                longer
            };
            choices = choices
                .iter()
                .flat_map(|choice| commands.iter().map(move |command| with(choice, *command)))
                .collect();
        }
        for receivers in choices {
            let mut target = self.state.clone();
            self.execute(&mut target, offer.sender, &[])?;
            for receiver in &receivers {
                self.execute(&mut target, *receiver, &offer.data)?;
            }
            let message = Message {
                producer: offer.sender,
                receivers,
                channel: Some(offer.channel),
                data: offer.data.clone(),
                reply: Vec::new(),
            };
            steps.push(Step { message, target });
        }
        Ok(())
    }

    /// The steps in which a supplier supplies.
    fn supplies(self, supplier: InstanceId, steps: &mut Vec<Step>) -> Result<(), Fault> {
        for (position, command) in self.commands(supplier) {
            let Action::Supply { is_myself } = &command.action else { continue };
            for getter in self.system.instances.indices().filter(|getter| *getter != supplier) {
                for (other, getting) in self.commands(getter) {
                    let pair = [(supplier, position, command), (getter, other, getting)];
                    if let Some(step) = self.exchange(pair, *is_myself)? {
                        steps.push(step);
                    }
                }
            }
        }
        Ok(())
    }

    /// The step in which a supplier and a getter exchange their data, if they can.
    fn exchange(
        self,
        [(supplier, position, command), (getter, other, getting)]: [(InstanceId, usize, &Command); 2],
        is_myself: bool,
    ) -> Result<Option<Step>, Fault> {
        let meets = match &getting.action {
            Action::GetFrom(whom) => {
                let whom = self.view(getter, &[]).value(whom);
                whom.map_err(|why| self.fault(getter, getting, why))? == i64::from(supplier.number())
            }
            Action::GetBy(condition) if !is_myself => {
                let addressed = Some((supplier, self.locals(supplier)));
                let view = View { addressed, ..self.view(getter, &[]) };
                view.value(condition).map_err(|why| self.fault(getter, getting, why))? != 0
            }
            _ => return Ok(None),
        };
        if !meets {
            return Ok(None);
        }
        let data = self.data(supplier, command)?;
        let reply = self.data(getter, getting)?;
        if lacks(command, &reply).is_some() || lacks(getting, &data).is_some() {
            return Ok(None);
        }
        let holds = |id, data, command: &Command| {
            let value = self.view(id, data).value(&command.guard);
            value.map(|value| value != 0).map_err(|why| self.fault(id, command, why))
        };
        if !holds(supplier, reply.as_slice(), command)? || !holds(getter, data.as_slice(), getting)? {
            return Ok(None);
        }
        let mut target = self.state.clone();
        self.execute(&mut target, (supplier, position), &reply)?;
        self.execute(&mut target, (getter, other), &data)?;
        let (producer, receivers) = ((supplier, position), vec![(getter, other)]);
        Ok(Some(Step { message: Message { producer, receivers, channel: None, data, reply }, target }))
    }
}

/// A message variable that a command needs and a message lacks.
fn lacks(command: &Command, data: &[Option<i64>]) -> Option<usize> {
    let mut lacking = None;
    let mut look = |expr: &Expr| {
        expr.atoms(&mut |atom| {
            if let Atom::Message(id) = atom
                && data.get(id).copied().flatten().is_none()
            {
                lacking = Some(id);
            }
        });
    };
    look(&command.guard);
    command.update.iter().for_each(|(_, value)| look(value));
    lacking
}

/// What all agents can send on channels, whether or not somebody blocks it.
///
/// # Errors
/// An error of the model.
pub fn offers(system: &System, state: &State) -> Result<Vec<Offer>, Fault> {
    let now = Now { system, state };
    let mut offers = Vec::new();
    for id in system.instances.indices() {
        offers.extend(now.offers_of(id)?);
    }
    Ok(offers)
}

/// All steps from a state, in the order of the instances that send or supply.
///
/// # Errors
/// An error of the model, or too many steps.
pub fn steps(system: &System, state: &State) -> Result<Vec<Step>, Halt> {
    let now = Now { system, state };
    let mut steps = Vec::new();
    for id in system.instances.indices() {
        for offer in now.offers_of(id)? {
            now.steps_of(&offer, &mut steps)?;
        }
        now.supplies(id, &mut steps)?;
    }
    Ok(steps)
}
