//! All steps from a state, on packed states.
//!
//! The order is that of the reference (`paramcheck_rcheck::semantics::step`). States and moves have numbers.
//! What was found of a state is kept as long as there is room, so that all properties of a system share it.

use paramcheck_rcheck::model::{BROADCAST, System};
use paramcheck_rcheck::semantics::initial::{Initial, initial_states};
use paramcheck_rcheck::semantics::step::{Executed, MAX_STEPS, State};
use paramcheck_text::index::Idx;

use super::Unfit;
use super::code::Code;
use super::pool::Pool;
use super::program::{Assign, Edge, Get, Place, Program, Receive, Supply, Unit, Whom, number};

/// Why the steps from a state are not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Halt {
    /// The state shows an error of the model.
    Fault,
    /// A message can be received in too many ways.
    TooMany,
    /// There are too many states to be numbered.
    Full,
}

/// A step: the number of its move, and of the state that it leads to.
pub type Step = (u32, u32);

/// What is known of a state.
#[derive(Clone, Copy, Debug)]
enum Known {
    Nothing,
    /// Where its steps are kept, and how many they are.
    Steps(usize, u32),
    Halts(Halt),
}

/// A system whose steps are made as they are needed.
#[derive(Debug)]
pub struct Engine<'a> {
    pub(super) system: &'a System,
    pub(super) program: Program,
    pub(super) states: Pool,
    /// Per move the commands that are executed: of the producer first.
    moves: Pool,
    initial: Vec<u32>,
    known: Vec<Known>,
    kept: Vec<Step>,
    /// The most bytes that kept steps may take.
    room: usize,
    /// Steps that were not kept.
    made: Vec<Step>,
    scratch: Scratch,
}

/// What is made for one state.
#[derive(Debug, Default)]
struct Scratch {
    values: Vec<i64>,
    base: Vec<u64>,
    next: Vec<u64>,
    sent: Vec<i64>,
    reply: Vec<i64>,
    executed: Vec<u64>,
    /// The receivers of a message: the instance, and where its commands that are ready begin and end.
    groups: Vec<(usize, usize, usize)>,
    ready: Vec<usize>,
    chosen: Vec<usize>,
}

/// What places stand for.
#[derive(Clone, Copy)]
struct Sight<'v> {
    own: &'v [i64],
    other: &'v [i64],
    sent: &'v [i64],
    channel: i64,
    myself: usize,
    yourself: usize,
}

impl Sight<'_> {
    #[inline]
    fn value(&self, code: &Code<Place>) -> Result<i64, Halt> {
        let value = code.value(&mut |place| match place {
            Place::Own(at) => self.own.get(at).copied(),
            Place::Other(at) => self.other.get(at).copied(),
            Place::Sent(at) => self.sent.get(at).copied(),
            Place::Channel => Some(self.channel),
            Place::Myself => Some(number(self.myself)),
            Place::Yourself => Some(number(self.yourself)),
        });
        value.ok_or(Halt::Fault)
    }
}

/// The most bytes of kept steps, if there is no limit on memory.
const MAX_KEPT: usize = 1 << 30;

impl<'a> Engine<'a> {
    /// The engine of a system, and a limit of memory for it.
    ///
    /// # Errors
    /// The initial states are not known.
    pub fn new(system: &'a System, memory: Option<usize>) -> Result<Engine<'a>, Unfit> {
        let program = Program::new(system);
        let states = match initial_states(system) {
            Initial::Values(states) => states,
            Initial::TooMany => return Err(Unfit::TooManyInitial),
            Initial::NoValue(id, why) => return Err(Unfit::NoValue(id, why)),
        };
        let words = program.layout.words();
        let scratch = Scratch {
            values: vec![0; program.layout.fields()],
            sent: vec![0; program.messages],
            reply: vec![0; program.messages],
            ..Scratch::default()
        };
        let mut engine = Engine {
            system,
            program,
            states: Pool::new(Some(words)),
            moves: Pool::new(None),
            initial: Vec::new(),
            known: Vec::new(),
            kept: Vec::new(),
            room: memory.map_or(MAX_KEPT, |memory| memory / 4),
            made: Vec::new(),
            scratch,
        };
        for state in &states {
            let packed = engine.packed(state);
            let number = engine.states.number(&packed).ok_or(Unfit::TooManyInitial)?;
            engine.initial.push(number);
        }
        Ok(engine)
    }

    /// The initial states.
    pub fn initial(&self) -> &[u32] {
        &self.initial
    }

    /// How many states were met.
    pub fn len(&self) -> usize {
        self.states.len()
    }

    /// Whether there is no state at all.
    pub fn is_empty(&self) -> bool {
        self.states.len() == 0
    }

    /// Bytes used, about.
    pub fn bytes(&self) -> usize {
        self.states.bytes()
            + self.moves.bytes()
            + self.known.capacity() * size_of::<Known>()
            + self.kept.capacity() * size_of::<Step>()
    }

    /// Whether some step may be an error of the model, as far as bounds of expressions show.
    pub fn may_fail(&self) -> bool {
        self.program.may_fail
    }

    fn packed(&self, state: &State) -> Vec<u64> {
        let layout = &self.program.layout;
        let mut words = vec![0; layout.words()];
        for ((unit, location), locals) in self.program.units.iter().zip(&state.locations).zip(&state.locals) {
            layout.set(&mut words, unit.base, number(*location));
            for (at, value) in locals.iter().enumerate() {
                layout.set(&mut words, unit.base + 1 + at, *value);
            }
        }
        words
    }

    /// A state as the reference has it.
    pub fn state(&self, number: u32) -> State {
        let words = self.states.get(number);
        let layout = &self.program.layout;
        let units = &self.program.units;
        let location = |unit: &Unit| usize::try_from(layout.get(words, unit.base)).unwrap_or(0);
        let locals = |unit: &Unit| {
            (0..unit.locals).map(|at| layout.get(words, unit.base + 1 + at)).collect::<Vec<i64>>()
        };
        State { locations: units.iter().map(location).collect(), locals: units.iter().map(locals).collect() }
    }

    /// The commands that a move executes: of who sends or supplies, then of those that receive or get.
    pub fn executed(&self, number: u32) -> Vec<Executed> {
        self.commands(number)
            .map(|command| {
                let unit = self.program.unit_of(command);
                let first = self.program.units.get(unit).map_or(0, |unit| unit.first_command);
                (Idx::new(unit), command - first)
            })
            .collect()
    }

    /// The same by the numbers of commands among those of all instances.
    pub(super) fn commands(&self, number: u32) -> impl Iterator<Item = usize> + '_ {
        self.moves.get(number).iter().map(|command| *command as usize)
    }

    /// All steps from a state, in the order of the instances that send or supply.
    ///
    /// # Errors
    /// They are not known.
    pub fn steps(&mut self, state: u32) -> Result<&[Step], Halt> {
        let at = state as usize;
        if self.known.len() <= at {
            self.known.resize(self.states.len().max(at + 1), Known::Nothing);
        }
        match self.known[at] {
            Known::Halts(halt) => return Err(halt),
            Known::Steps(begin, count) => return Ok(&self.kept[begin..begin + count as usize]),
            Known::Nothing => {}
        }
        self.made.clear();
        if let Err(halt) = self.make(state) {
            self.known[at] = Known::Halts(halt);
            return Err(halt);
        }
        let begin = self.kept.len();
        let count = self.made.len();
        if (begin + count) * size_of::<Step>() <= self.room
            && let Ok(count) = u32::try_from(count)
        {
            self.kept.extend_from_slice(&self.made);
            self.known[at] = Known::Steps(begin, count);
            return Ok(&self.kept[begin..]);
        }
        Ok(&self.made)
    }

    fn make(&mut self, state: u32) -> Result<(), Halt> {
        let mut maker = Maker {
            program: &self.program,
            states: &mut self.states,
            moves: &mut self.moves,
            made: &mut self.made,
        };
        maker.make(state, &mut self.scratch)
    }
}

/// Makes the steps of one state.
struct Maker<'e> {
    program: &'e Program,
    states: &'e mut Pool,
    moves: &'e mut Pool,
    made: &'e mut Vec<Step>,
}

/// The values of the locals of an instance.
#[inline]
fn locals<'v>(values: &'v [i64], unit: &Unit) -> &'v [i64] {
    &values[unit.base + 1..unit.base + 1 + unit.locals]
}

fn sight<'v>(values: &'v [i64], unit: &Unit, myself: usize, sent: &'v [i64]) -> Sight<'v> {
    Sight { own: locals(values, unit), other: &[], sent, channel: BROADCAST, myself, yourself: myself }
}

/// Gives message variables their values.
fn give(data: &[Assign], sight: Sight<'_>, sent: &mut [i64]) -> Result<(), Halt> {
    for assign in data {
        sent[assign.to] = sight.value(&assign.value)?;
    }
    Ok(())
}

impl Maker<'_> {
    fn make(&mut self, state: u32, scratch: &mut Scratch) -> Result<(), Halt> {
        let program = self.program;
        scratch.base.clear();
        scratch.base.extend_from_slice(self.states.get(state));
        let mut values = std::mem::take(&mut scratch.values);
        program.layout.unpack(&scratch.base, &mut values);
        let mut outcome = Ok(());
        for myself in 0..program.units.len() {
            outcome = self.sends(&values, myself, scratch);
            if outcome.is_ok() {
                outcome = self.supplies(&values, myself, scratch);
            }
            if outcome.is_err() {
                break;
            }
        }
        scratch.values = values;
        outcome
    }

    fn sends(&mut self, values: &[i64], myself: usize, scratch: &mut Scratch) -> Result<(), Halt> {
        let program = self.program;
        let unit = &program.units[myself];
        let commands = &program.kinds[unit.kind].at[values[unit.base] as usize];
        for send in &commands.sends {
            let own = sight(values, unit, myself, &[]);
            if own.value(&send.edge.guard)? == 0 {
                continue;
            }
            let channel = own.value(&send.channel)?;
            give(&send.edge.data, own, &mut scratch.sent)?;
            let is_broadcast = channel == BROADCAST;
            let Scratch { sent, groups, ready, .. } = &mut *scratch;
            groups.clear();
            ready.clear();
            let mut is_blocked = false;
            for (yourself, other) in program.units.iter().enumerate() {
                if yourself == myself {
                    continue;
                }
                let kind = &program.kinds[other.kind];
                let theirs = Sight { channel, ..sight(values, other, yourself, sent) };
                if !is_broadcast && theirs.value(&kind.receive_guard)? == 0 {
                    continue;
                }
                let both = Sight { other: theirs.own, yourself, channel, sent, ..own };
                let begin = ready.len();
                if both.value(&send.to[other.kind])? != 0 {
                    let receives = &kind.at[values[other.base] as usize].receives;
                    for (at, receive) in receives.iter().enumerate() {
                        if theirs.value(&receive.channel)? == channel
                            && receive.edge.needs.are_in(&send.edge.gives)
                            && theirs.value(&receive.edge.guard)? != 0
                        {
                            ready.push(at);
                        }
                    }
                }
                if ready.len() > begin {
                    groups.push((yourself, begin, ready.len()));
                } else if !is_broadcast {
                    is_blocked = true;
                    if program.are_roles_sure {
                        break;
                    }
                }
            }
            if !is_blocked {
                self.all_choices(values, (myself, &send.edge), scratch)?;
            }
        }
        Ok(())
    }

    /// The steps of a message: all choices of the receivers, of the last one first.
    fn all_choices(
        &mut self,
        values: &[i64],
        (myself, edge): (usize, &Edge),
        scratch: &mut Scratch,
    ) -> Result<(), Halt> {
        let program = self.program;
        let Scratch { base, next, sent, executed, groups, ready, chosen, .. } = scratch;
        let mut count: usize = 1;
        for (_, begin, end) in groups.iter() {
            count = count.saturating_mul(end - begin);
            if count > MAX_STEPS {
                return Err(Halt::TooMany);
            }
        }
        chosen.clear();
        chosen.extend(groups.iter().map(|(_, begin, _)| *begin));
        let unit = &program.units[myself];
        let own = sight(values, unit, myself, &[]);
        for _ in 0..count {
            next.clear();
            next.extend_from_slice(base);
            executed.clear();
            self.execute(next, executed, unit, edge, own)?;
            for ((yourself, ..), chosen) in groups.iter().zip(chosen.iter()) {
                let other = &program.units[*yourself];
                let receives: &[Receive] =
                    &program.kinds[other.kind].at[values[other.base] as usize].receives;
                let receive = &receives[ready[*chosen]];
                let theirs = sight(values, other, *yourself, sent);
                self.execute(next, executed, other, &receive.edge, theirs)?;
            }
            self.add(next, executed)?;
            for ((_, begin, end), chosen) in groups.iter().zip(chosen.iter_mut()).rev() {
                *chosen += 1;
                if *chosen < *end {
                    break;
                }
                *chosen = *begin;
            }
        }
        Ok(())
    }

    #[inline]
    fn execute(
        &self,
        next: &mut [u64],
        executed: &mut Vec<u64>,
        unit: &Unit,
        edge: &Edge,
        sight: Sight<'_>,
    ) -> Result<(), Halt> {
        let layout = &self.program.layout;
        for assign in &edge.update {
            layout.set(next, unit.base + 1 + assign.to, sight.value(&assign.value)?);
        }
        layout.set(next, unit.base, edge.target);
        executed.push((unit.first_command + edge.position) as u64);
        Ok(())
    }

    #[inline]
    fn add(&mut self, next: &[u64], executed: &[u64]) -> Result<(), Halt> {
        let executed = self.moves.number(executed).ok_or(Halt::Full)?;
        let target = self.states.number(next).ok_or(Halt::Full)?;
        self.made.push((executed, target));
        Ok(())
    }

    fn supplies(&mut self, values: &[i64], myself: usize, scratch: &mut Scratch) -> Result<(), Halt> {
        let program = self.program;
        let unit = &program.units[myself];
        for supply in &program.kinds[unit.kind].at[values[unit.base] as usize].supplies {
            for (yourself, other) in program.units.iter().enumerate() {
                if yourself == myself {
                    continue;
                }
                for get in &program.kinds[other.kind].at[values[other.base] as usize].gets {
                    self.exchange(values, (myself, supply), (yourself, get), scratch)?;
                }
            }
        }
        Ok(())
    }

    /// The step in which a supplier and a getter exchange their data, if they can.
    fn exchange(
        &mut self,
        values: &[i64],
        (supplier, supply): (usize, &Supply),
        (getter, get): (usize, &Get),
        scratch: &mut Scratch,
    ) -> Result<(), Halt> {
        let program = self.program;
        let (unit, other) = (&program.units[supplier], &program.units[getter]);
        let theirs = sight(values, other, getter, &[]);
        let meets = match &get.whom {
            Whom::Named(whom) => theirs.value(whom)? == number(supplier),
            Whom::Such(kinds) if !supply.is_myself => {
                let both = Sight { other: locals(values, unit), yourself: supplier, ..theirs };
                both.value(&kinds[unit.kind])? != 0
            }
            Whom::Such(_) => false,
        };
        if !meets {
            return Ok(());
        }
        give(&supply.edge.data, sight(values, unit, supplier, &[]), &mut scratch.sent)?;
        give(&get.edge.data, theirs, &mut scratch.reply)?;
        if !supply.edge.needs.are_in(&get.edge.gives) || !get.edge.needs.are_in(&supply.edge.gives) {
            return Ok(());
        }
        let Scratch { base, next, sent, reply, executed, .. } = scratch;
        let own = sight(values, unit, supplier, reply);
        let theirs = sight(values, other, getter, sent);
        if own.value(&supply.edge.guard)? == 0 || theirs.value(&get.edge.guard)? == 0 {
            return Ok(());
        }
        next.clear();
        next.extend_from_slice(base);
        executed.clear();
        self.execute(next, executed, unit, &supply.edge, own)?;
        self.execute(next, executed, other, &get.edge, theirs)?;
        self.add(next, executed)
    }
}
