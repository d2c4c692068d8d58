//! A property as `temporal` decides it: atoms are conditions on states, labels, whether a step is possible, and
//! observations.
//!
//! In: a property. Out: a formula, and with an engine a [`Checked`], whose letters say which atoms hold.

use std::cell::{Cell, OnceCell};

use paramcheck_rcheck::model::{Comparison, Formula, Observation, StateAtom, System, Term};
use paramcheck_temporal::formula::{self, Atom, Binary, Modality, Unary};
use paramcheck_temporal::letter::set;
use paramcheck_temporal::system::{self, Kind};
use paramcheck_text::index::Idx;

use super::code::Code;
use super::engine::{Engine, Halt};
use super::observed::{Observer, Producer, Seen};

/// A formula over atoms.
type Made = formula::Formula<Atom>;

/// What an atom of the kind [`Kind::Step`] or [`Kind::Last`] means, or where the code of a condition is.
#[derive(Clone, Debug, PartialEq)]
enum Meaning {
    State(Code<usize>),
    /// The label of a command that sends or supplies, by its number among those of all instances.
    Sends(usize),
    /// The label of a command that receives or gets.
    Receives(usize),
    Progress,
    /// An observation, by its place in the property.
    Observed(usize),
}

/// The atoms that a step makes true when this command sends or supplies: codes, by the number of the atom.
#[derive(Debug)]
struct OfProducer {
    observer: Observer,
    atoms: Vec<(u32, Code<Seen>)>,
}

/// A property of a system.
#[derive(Debug)]
pub struct Question<'a> {
    system: &'a System,
    observations: &'a [Observation],
    formula: Made,
    meanings: Vec<Meaning>,
    kinds: Vec<Kind>,
    /// Per command, once it was needed.
    of_producers: Vec<OnceCell<OfProducer>>,
    /// Per command the atom of its label, if it receives or gets.
    received: Vec<Option<u32>>,
    has_received: bool,
    /// Some condition or observation had no value.
    is_undefined: Cell<bool>,
}

impl<'a> Question<'a> {
    /// The question whether a formula over these observations holds.
    pub fn new(engine: &Engine<'a>, formula: &Formula, observations: &'a [Observation]) -> Question<'a> {
        let mut question = Question {
            system: engine.system,
            observations,
            formula: Made::True,
            meanings: Vec::new(),
            kinds: Vec::new(),
            of_producers: (0..engine.program.commands).map(|_| OnceCell::new()).collect(),
            received: vec![None; engine.program.commands],
            has_received: false,
            is_undefined: Cell::new(false),
        };
        question.formula = question.made(engine, formula);
        question.kinds = question.meanings.iter().map(kind).collect();
        for (atom, meaning) in (0u32..).zip(&question.meanings) {
            if let Meaning::Receives(command) = meaning {
                question.has_received = true;
                if let Some(place) = question.received.get_mut(*command) {
                    *place = Some(atom);
                }
            }
        }
        question
    }

    /// Its formula.
    pub fn formula(&self) -> &Made {
        &self.formula
    }

    /// Whether some condition or observation had no value where a search came.
    pub fn is_undefined(&self) -> bool {
        self.is_undefined.get()
    }

    /// The recursion is bounded by the height of formulas.
    fn made(&mut self, engine: &Engine<'_>, formula: &Formula) -> Made {
        match formula {
            Formula::State(term) => self.condition(engine, term),
            Formula::Not(inner) => self.made(engine, inner).negated(),
            Formula::All(all) => Made::And(all.iter().map(|one| self.made(engine, one)).collect()),
            Formula::Any(all) => Made::Or(all.iter().map(|one| self.made(engine, one)).collect()),
            Formula::Iff(left, right) => {
                let [left, right] = [left, right].map(|one| Box::new(self.made(engine, one)));
                Made::Iff(left, right)
            }
            Formula::Next(inner) => Made::Unary(Unary::Next, Box::new(self.made(engine, inner))),
            Formula::Finally(inner) => Made::Unary(Unary::Finally, Box::new(self.made(engine, inner))),
            Formula::Globally(inner) => Made::Unary(Unary::Globally, Box::new(self.made(engine, inner))),
            Formula::Until(left, right) => self.binary(engine, Binary::Until, left, right),
            Formula::Release(left, right) => self.binary(engine, Binary::Release, left, right),
            Formula::WeakUntil(left, right) => self.binary(engine, Binary::WeakUntil, left, right),
            Formula::Observed { is_diamond, observation, body } => {
                let modality = if *is_diamond { Modality::Diamond } else { Modality::Box };
                let atom = self.atom(Meaning::Observed(*observation));
                Made::Observation(modality, atom, Box::new(self.made(engine, body)))
            }
        }
    }

    fn binary(&mut self, engine: &Engine<'_>, operator: Binary, left: &Formula, right: &Formula) -> Made {
        let [left, right] = [left, right].map(|one| Box::new(self.made(engine, one)));
        Made::Binary(operator, left, right)
    }

    /// A condition: one atom if it is about the state alone; labels are atoms of their own.
    fn condition(&mut self, engine: &Engine<'_>, term: &Term<StateAtom>) -> Made {
        let mut is_plain = true;
        term.atoms(&mut |atom| is_plain &= matches!(atom, StateAtom::Local(..) | StateAtom::Location(_)));
        if is_plain {
            return match plain(engine, term) {
                Code::Constant(0) => Made::False,
                Code::Constant(_) => Made::True,
                code => Made::Atom(self.atom(Meaning::State(code))),
            };
        }
        let mut part = |term: &Term<StateAtom>| self.condition(engine, term);
        match term {
            Term::Not(inner) => part(inner).negated(),
            Term::All(all) => Made::And(all.iter().map(part).collect()),
            Term::Any(all) => Made::Or(all.iter().map(part).collect()),
            Term::Implies(left, right) => Made::Implies(Box::new(part(left)), Box::new(part(right))),
            // What compares a label compares truth values.
            Term::Iff(left, right) | Term::Compare(Comparison::Equal, left, right) => {
                Made::Iff(Box::new(part(left)), Box::new(part(right)))
            }
            Term::Compare(Comparison::NotEqual, left, right) => {
                Made::Iff(Box::new(part(left)), Box::new(part(right))).negated()
            }
            Term::Atom(StateAtom::Progress) => Made::Atom(self.atom(Meaning::Progress)),
            Term::Atom(StateAtom::Label(instance, command)) => {
                let first = engine.program.units.get(instance.index()).map_or(0, |unit| unit.first_command);
                let known = self.system.agent_of(*instance).commands.get(*command);
                let meaning = match known.is_some_and(|known| known.action.produces()) {
                    true => Meaning::Sends(first + command),
                    false => Meaning::Receives(first + command),
                };
                Made::Atom(self.atom(meaning))
            }
            // Types rule out that labels are computed with.
            Term::Constant(_) | Term::Atom(_) | Term::Negative(_) | Term::Compare(..) | Term::Compute(..) => {
                self.is_undefined.set(true);
                Made::False
            }
        }
    }

    fn atom(&mut self, meaning: Meaning) -> Atom {
        let known = self.meanings.iter().position(|one| *one == meaning);
        let at = known.unwrap_or_else(|| {
            self.meanings.push(meaning);
            self.meanings.len() - 1
        });
        Atom(u32::try_from(at).unwrap_or(u32::MAX))
    }

    fn of_producer(&self, engine: &Engine<'_>, command: usize) -> Option<&OfProducer> {
        let place = self.of_producers.get(command)?;
        Some(place.get_or_init(|| {
            let mut observer = Observer::default();
            let unit = engine.program.unit_of(command);
            let first = engine.program.units.get(unit).map_or(0, |unit| unit.first_command);
            let instance = Idx::new(unit);
            let known = self.system.agent_of(instance).commands.get(command - first);
            let mut atoms = Vec::new();
            for (atom, meaning) in (0u32..).zip(&self.meanings) {
                let code = match (meaning, known) {
                    (Meaning::Progress, _) => Code::Constant(1),
                    (Meaning::Sends(one), _) => Code::Constant(i64::from(*one == command)),
                    (Meaning::Observed(at), Some(known)) => {
                        let producer = Producer {
                            system: self.system,
                            program: &engine.program,
                            instance,
                            command: known,
                        };
                        let observation = self.observations.get(*at);
                        observation.map_or(Code::Nothing, |one| observer.code(producer, one, false))
                    }
                    _ => continue,
                };
                if code != Code::Constant(0) {
                    atoms.push((atom, code));
                }
            }
            OfProducer { observer, atoms }
        }))
    }
}

fn kind(meaning: &Meaning) -> Kind {
    match meaning {
        Meaning::State(_) => Kind::State,
        Meaning::Sends(_) | Meaning::Progress | Meaning::Observed(_) => Kind::Step,
        Meaning::Receives(_) => Kind::Last,
    }
}

/// A condition on a state, over its fields.
fn plain(engine: &Engine<'_>, term: &Term<StateAtom>) -> Code<usize> {
    let base = |instance: usize| engine.program.units.get(instance).map_or(0, |unit| unit.base);
    Code::new(term, &|atom| match atom {
        StateAtom::Location(instance) => Code::Atom(base(instance.index())),
        StateAtom::Local(instance, local) => Code::Atom(base(instance.index()) + 1 + local),
        StateAtom::Label(..) | StateAtom::Progress => Code::Nothing,
    })
}

/// A question about the system of an engine.
#[derive(Debug)]
pub struct Checked<'e, 'a> {
    /// The engine.
    pub engine: &'e mut Engine<'a>,
    /// The question.
    pub question: &'e Question<'a>,
}

impl system::System for Checked<'_, '_> {
    type State = u32;
    type Step = u32;
    type Fault = Halt;

    fn atoms(&self) -> &[Kind] {
        &self.question.kinds
    }

    fn initial(&mut self) -> Vec<u32> {
        self.engine.initial().to_vec()
    }

    fn steps(&mut self, state: &u32, each: &mut dyn FnMut(u32, u32)) -> Result<(), Halt> {
        self.engine.steps(*state)?.iter().for_each(|(executed, target)| each(*executed, *target));
        Ok(())
    }

    fn state_letter(&self, state: &u32, letter: &mut [u64]) {
        let (layout, words) = (&self.engine.program.layout, self.engine.states.get(*state));
        for (atom, meaning) in (0u32..).zip(&self.question.meanings) {
            let Meaning::State(code) = meaning else { continue };
            match code.value(&mut |field| Some(layout.get(words, field))) {
                Some(0) => {}
                Some(_) => set(letter, Atom(atom)),
                None => self.question.is_undefined.set(true),
            }
        }
    }

    fn step_letter(&self, from: &u32, executed: &u32, _: &u32, letter: &mut [u64]) {
        let mut commands = self.engine.commands(*executed);
        let Some(producer) = commands.next() else { return };
        let words = self.engine.states.get(*from);
        if let Some(of_producer) = self.question.of_producer(self.engine, producer) {
            let layout = &self.engine.program.layout;
            for (atom, code) in &of_producer.atoms {
                let getter = || self.engine.commands(*executed).nth(1);
                let getter = getter().map_or(0, |command| self.engine.program.unit_of(command));
                match of_producer.observer.value(code, layout, words, getter) {
                    Some(0) => {}
                    Some(_) => set(letter, Atom(*atom)),
                    None => self.question.is_undefined.set(true),
                }
            }
        }
        if self.question.has_received {
            for command in commands {
                if let Some(Some(atom)) = self.question.received.get(command) {
                    set(letter, Atom(*atom));
                }
            }
        }
    }

    fn units(&self) -> usize {
        self.engine.program.units.len()
    }

    fn actors(&self, _: &u32, executed: &u32, units: &mut [u64]) {
        for command in self.engine.commands(*executed) {
            let unit = self.engine.program.unit_of(command);
            if let Some(word) = units.get_mut(unit / 64) {
                *word |= 1 << (unit % 64);
            }
        }
    }

    fn bytes(&self) -> usize {
        self.engine.bytes()
    }
}
