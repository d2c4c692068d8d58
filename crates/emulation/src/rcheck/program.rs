//! A system with everything compiled once that steps need: per kind of agents and location its commands, per
//! pair of kinds the send guards with the receiver's relabels put in.
//!
//! In: the resolved model. Out: a [`Program`], over places in the values of two agents, a message and a
//! channel. The values of a state stand in one vector, per instance its location and then its locals.

use paramcheck_rcheck::model::{Action, Agent, AgentId, Atom, Command, Expr, System, Type};
use paramcheck_text::index::Idx;

use super::code::{ANY, Bounds, Code};
use super::layout::Layout;

/// Where a value is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Place {
    /// A local of the agent.
    Own(usize),
    /// A local of the agent that may be addressed.
    Other(usize),
    /// What the message has.
    Sent(usize),
    Channel,
    Myself,
    /// The instance that may be addressed.
    Yourself,
}

/// Which message variables; bit `id % 64` of word `id / 64`.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Fields(Vec<u64>);

impl Fields {
    fn new(ids: impl Iterator<Item = usize>, count: usize) -> Fields {
        let mut words = vec![0; count.div_ceil(64)];
        for id in ids {
            if let Some(word) = words.get_mut(id / 64) {
                *word |= 1 << (id % 64);
            }
        }
        Fields(words)
    }

    pub(super) fn has(&self, id: usize) -> bool {
        self.0.get(id / 64).is_some_and(|word| word >> (id % 64) & 1 == 1)
    }

    /// Whether all of them are among others.
    #[inline]
    pub(super) fn are_in(&self, others: &Fields) -> bool {
        self.0.iter().zip(&others.0).all(|(own, others)| own & !others == 0)
    }
}

/// A value given to a local or a message variable.
#[derive(Clone, Debug)]
pub(super) struct Assign {
    pub(super) to: usize,
    pub(super) value: Code<Place>,
}

/// What all commands have.
#[derive(Clone, Debug)]
pub(super) struct Edge {
    /// Its position among the commands of the agent.
    pub(super) position: usize,
    pub(super) target: i64,
    pub(super) guard: Code<Place>,
    pub(super) data: Vec<Assign>,
    pub(super) update: Vec<Assign>,
    /// What it sends.
    pub(super) gives: Fields,
    /// What its guard and its update need of what it receives.
    pub(super) needs: Fields,
}

#[derive(Clone, Debug)]
pub(super) struct Send {
    pub(super) edge: Edge,
    pub(super) channel: Code<Place>,
    /// Per kind whether an agent of it is addressed.
    pub(super) to: Vec<Code<Place>>,
}

#[derive(Clone, Debug)]
pub(super) struct Receive {
    pub(super) edge: Edge,
    pub(super) channel: Code<Place>,
}

#[derive(Clone, Debug)]
pub(super) struct Supply {
    pub(super) edge: Edge,
    pub(super) is_myself: bool,
}

/// Whom a command gets from.
#[derive(Clone, Debug)]
pub(super) enum Whom {
    Named(Code<Place>),
    /// Per kind whether an agent of it is meant.
    Such(Vec<Code<Place>>),
}

#[derive(Clone, Debug)]
pub(super) struct Get {
    pub(super) edge: Edge,
    pub(super) whom: Whom,
}

/// The commands at a location, each kind in the order of the text.
#[derive(Clone, Debug, Default)]
pub(super) struct Commands {
    pub(super) sends: Vec<Send>,
    pub(super) receives: Vec<Receive>,
    pub(super) supplies: Vec<Supply>,
    pub(super) gets: Vec<Get>,
}

/// A kind of agents.
#[derive(Clone, Debug)]
pub(super) struct Kind {
    pub(super) receive_guard: Code<Place>,
    /// Per location.
    pub(super) at: Vec<Commands>,
}

/// An instance.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unit {
    pub(super) kind: usize,
    /// The place of its location among all values; its locals follow.
    pub(super) base: usize,
    /// How many locals it has.
    pub(super) locals: usize,
    /// The number of its first command among those of all instances.
    pub(super) first_command: usize,
}

/// A compiled system.
#[derive(Clone, Debug)]
pub(super) struct Program {
    pub(super) kinds: Vec<Kind>,
    pub(super) units: Vec<Unit>,
    pub(super) layout: Layout,
    /// How many message variables there are.
    pub(super) messages: usize,
    /// Whether all that decides who receives a message surely has a value.
    pub(super) are_roles_sure: bool,
    /// Whether some step may be an error of the model.
    pub(super) may_fail: bool,
    /// How many commands all instances have.
    pub(super) commands: usize,
}

impl Program {
    pub(super) fn new(system: &System) -> Program {
        let mut compiler = Compiler { system, are_roles_sure: true, is_sure: true };
        let kinds = system.agents.enumerate().map(|(id, agent)| compiler.kind(id, agent)).collect();
        let mut units = Vec::new();
        let mut bounds = Vec::new();
        let mut commands = 0;
        for instance in &system.instances {
            let agent = &system.agents[instance.agent];
            units.push(Unit {
                kind: instance.agent.index(),
                base: bounds.len(),
                locals: agent.locals.len(),
                first_command: commands,
            });
            commands += agent.commands.len();
            bounds.push((0, number(agent.locations.max(1)) - 1));
            for (local, variable) in agent.locals.iter().enumerate() {
                let is_assigned =
                    agent.commands.iter().any(|one| one.update.iter().any(|(to, _)| *to == local));
                let declared = system.bounds(variable.ty).unwrap_or(ANY);
                let initial = instance.bounds.get(local).copied().unwrap_or(declared);
                bounds.push(if is_assigned || initial.0 > initial.1 { declared } else { initial });
            }
        }
        Program {
            kinds,
            units,
            layout: Layout::new(bounds),
            messages: system.messages.len(),
            are_roles_sure: compiler.are_roles_sure,
            may_fail: !compiler.is_sure,
            commands,
        }
    }

    /// The instance of a command, by the number of the command among those of all instances.
    pub(super) fn unit_of(&self, command: usize) -> usize {
        self.units.partition_point(|unit| unit.first_command <= command).saturating_sub(1)
    }
}

pub(super) fn number(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

/// The bounds of the values of a type.
fn of_type(system: &System, ty: Option<Type>) -> Bounds {
    ty.and_then(|ty| system.bounds(ty)).unwrap_or(ANY)
}

/// The code of a property variable of agents of a kind, if they have it, over places that `local` and
/// `myself` give.
pub(super) fn property<A: Copy + PartialEq>(
    system: &System,
    agent: &Agent,
    id: usize,
    local: &impl Fn(usize) -> A,
    myself: &Code<A>,
    bounds: &impl Fn(A) -> Bounds,
) -> Option<Code<A>> {
    let relabel = agent.relabels.get(id).and_then(Option::as_ref)?;
    let code = Code::new(relabel, &|atom| match atom {
        Atom::Local(at) => Code::Atom(local(*at)),
        Atom::Myself => myself.clone(),
        Atom::Message(_) | Atom::Property(_) | Atom::Channel => Code::Nothing,
    });
    Some(code.within(system.properties.get(id).and_then(|one| system.bounds(one.ty)), bounds))
}

struct Compiler<'a> {
    system: &'a System,
    are_roles_sure: bool,
    is_sure: bool,
}

/// What an expression may be about besides the agent's own locals.
#[derive(Clone, Copy, Default)]
struct Sight<'a> {
    /// What was sent.
    sent: Option<&'a Fields>,
    has_channel: bool,
    /// The kind of the agent whose property variables it is about.
    other: Option<AgentId>,
}

impl Compiler<'_> {
    /// The bounds of a place, seen by an agent of a kind, and of another.
    fn bounds(&self, own: AgentId, other: Option<AgentId>) -> impl Fn(Place) -> Bounds + '_ {
        let local = |agent: AgentId, at: usize| {
            of_type(self.system, self.system.agents[agent].locals.get(at).map(|one| one.ty))
        };
        move |place| match place {
            Place::Own(at) => local(own, at),
            Place::Other(at) => other.map_or(ANY, |other| local(other, at)),
            Place::Sent(at) => of_type(self.system, self.system.messages.get(at).map(|one| one.ty)),
            Place::Channel => of_type(self.system, Some(Type::Channel)),
            Place::Myself | Place::Yourself => of_type(self.system, Some(Type::Location)),
        }
    }

    fn code(&self, own: AgentId, expr: &Expr, sight: Sight<'_>) -> Code<Place> {
        let bounds = self.bounds(own, sight.other);
        Code::new(expr, &|atom| match atom {
            Atom::Local(at) => Code::Atom(Place::Own(*at)),
            Atom::Myself => Code::Atom(Place::Myself),
            Atom::Message(id) if sight.sent.is_some_and(|sent| sent.has(*id)) => Code::Atom(Place::Sent(*id)),
            Atom::Channel if sight.has_channel => Code::Atom(Place::Channel),
            Atom::Property(id) => sight
                .other
                .and_then(|other| {
                    let agent = &self.system.agents[other];
                    let yourself = Code::Atom(Place::Yourself);
                    property(self.system, agent, *id, &Place::Other, &yourself, &bounds)
                })
                .unwrap_or(Code::Nothing),
            Atom::Message(_) | Atom::Channel => Code::Nothing,
        })
    }

    /// Notes whether a code surely has a value.
    fn noted(
        &mut self,
        own: AgentId,
        other: Option<AgentId>,
        code: Code<Place>,
        is_role: bool,
    ) -> Code<Place> {
        if code.bounds(&self.bounds(own, other)).is_none() {
            self.is_sure = false;
            self.are_roles_sure &= !is_role;
        }
        code
    }

    fn kind(&mut self, id: AgentId, agent: &Agent) -> Kind {
        let of_channel = Sight { has_channel: true, ..Sight::default() };
        let receive_guard = self.code(id, &agent.receive_guard, of_channel);
        let receive_guard = self.noted(id, None, receive_guard, true);
        let mut at = vec![Commands::default(); agent.locations.max(1)];
        for (position, command) in agent.commands.iter().enumerate() {
            let edge = self.edge(id, position, command);
            let Some(commands) = at.get_mut(command.source) else { continue };
            match &command.action {
                Action::Send { channel, to } => {
                    let channel = self.plain(id, channel);
                    let to = self.per_kind(id, to, Some(&edge.gives));
                    commands.sends.push(Send { edge, channel, to });
                }
                Action::Receive { channel } => {
                    let channel = self.code(id, channel, Sight::default());
                    let channel = self.noted(id, None, channel, true);
                    commands.receives.push(Receive { edge, channel });
                }
                Action::GetFrom(whom) => {
                    commands.gets.push(Get { edge, whom: Whom::Named(self.plain(id, whom)) });
                }
                Action::GetBy(condition) => {
                    let whom = Whom::Such(self.per_kind(id, condition, None));
                    commands.gets.push(Get { edge, whom });
                }
                Action::Supply { is_myself } => {
                    commands.supplies.push(Supply { edge, is_myself: *is_myself });
                }
            }
        }
        Kind { receive_guard, at }
    }

    fn plain(&mut self, id: AgentId, expr: &Expr) -> Code<Place> {
        let code = self.code(id, expr, Sight::default());
        self.noted(id, None, code, false)
    }

    /// A condition on the property variables of agents of each kind.
    fn per_kind(&mut self, id: AgentId, condition: &Expr, sent: Option<&Fields>) -> Vec<Code<Place>> {
        let kinds: Vec<AgentId> = self.system.agents.indices().collect();
        let mut codes = Vec::with_capacity(kinds.len());
        for other in kinds {
            let sight = Sight { sent, has_channel: sent.is_some(), other: Some(other) };
            let code = self.code(id, condition, sight);
            // Of a kind without instances nobody is addressed.
            let is_there = self.system.instances.iter().any(|instance| instance.agent == other);
            codes.push(if is_there { self.noted(id, Some(other), code, sent.is_some()) } else { code });
        }
        codes
    }

    fn edge(&mut self, id: AgentId, position: usize, command: &Command) -> Edge {
        let count = self.system.messages.len();
        let mut needed = Vec::new();
        let mut need = |expr: &Expr| {
            expr.atoms(&mut |atom| {
                if let Atom::Message(id) = atom {
                    needed.push(id);
                }
            });
        };
        need(&command.guard);
        command.update.iter().for_each(|(_, value)| need(value));
        let needs = Fields::new(needed.into_iter(), count);
        // What sends sees nothing of a message in its guard and its update.
        let is_send = matches!(command.action, Action::Send { .. });
        let is_receive = matches!(command.action, Action::Receive { .. });
        let sight = Sight { sent: (!is_send).then_some(&needs), ..Sight::default() };
        let guard = self.code(id, &command.guard, sight);
        let guard = self.noted(id, None, guard, is_receive);
        let data = command.data.iter().map(|(to, value)| {
            let declared = self.system.messages.get(*to).map(|one| one.ty);
            (*to, self.code(id, value, Sight::default()), declared)
        });
        let data: Vec<_> = data.collect();
        let update = command.update.iter().map(|(to, value)| {
            let declared = self.system.agents[id].locals.get(*to).map(|one| one.ty);
            (*to, self.code(id, value, sight), declared)
        });
        let update: Vec<_> = update.collect();
        let mut assigned = |all: Vec<(usize, Code<Place>, Option<Type>)>| -> Vec<Assign> {
            let mut made = Vec::with_capacity(all.len());
            for (to, value, declared) in all {
                let wanted = declared.and_then(|ty| self.system.bounds(ty));
                let value = value.within(wanted, &self.bounds(id, None));
                made.push(Assign { to, value: self.noted(id, None, value, false) });
            }
            made
        };
        Edge {
            position,
            target: number(command.target),
            guard,
            data: assigned(data),
            update: assigned(update),
            gives: Fields::new(command.data.iter().map(|(to, _)| *to), count),
            needs,
        }
    }
}
