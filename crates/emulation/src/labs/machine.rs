//! A system prepared to run: its triples compiled for each agent, and the fields of its states.
//!
//! In: a system, its triples, the rules of a run, and the values of its cells. Out: what [`step`](super::step)
//! needs to make successors without looking anything up by name.

use paramcheck_labs::model::{AgentId, GuardId, KindId, NameId, System, TupleId};
use paramcheck_labs::number::Width;
use paramcheck_labs::semantics::step::{Rules, Schedule, Semantics};
use paramcheck_text::index::{Idx, IndexVec};

use super::Unfit;
use super::code::Code;
use super::compile::{ActionCode, Compiler};
use super::pack::Layout;
use super::slice;
use super::tabulate::Tabulator;
use super::triples::{Structure, Triple};
use super::values::Values;
use super::word::{is_halt, is_true};

/// The most agents that have copies of a tuple, and the most tuples of an agent.
pub(crate) const MAX_COPIES: usize = 60;

/// A prepared system.
#[derive(Debug)]
pub(crate) struct Machine<'a> {
    pub(crate) system: &'a System,
    pub(crate) rules: Rules,
    pub(crate) layout: Layout,
    pub(crate) agents: Vec<Agent>,
    pub(crate) tuples: Vec<Tuple>,
    /// The field of the turn.
    pub(crate) turn: usize,
    /// The fields of the program counters.
    pub(crate) counters: std::ops::Range<usize>,
    /// The field of a run's place with respect to scopes.
    pub(crate) scope: usize,
    pub(crate) assumptions: Vec<Code>,
    /// The cells that are not left out, if some are.
    pub(crate) kept: Option<Vec<bool>>,
}

/// An agent.
#[derive(Debug)]
pub(crate) struct Agent {
    /// The fields of its pending messages: bits of its tuples, in their order.
    pub(crate) confirm: usize,
    pub(crate) propagate: usize,
    /// The field of its first component.
    pub(crate) counter: usize,
    pub(crate) components: Vec<Component>,
    pub(crate) triples: Vec<Prepared>,
    /// The tuples of which it has copies, and its position among those that have.
    pub(crate) held: Vec<(TupleId, usize)>,
    /// Where it is at first.
    pub(crate) initial: i64,
}

/// An element of the program counter.
#[derive(Debug)]
pub(crate) struct Component {
    pub(crate) parent: Option<usize>,
    pub(crate) children: Vec<usize>,
    /// Per location the triples offered.
    pub(crate) offers: Vec<Vec<usize>>,
    /// Per location where it goes when all operands have ended.
    pub(crate) joined: Vec<Option<i64>>,
}

/// A triple of an agent.
#[derive(Debug)]
pub(crate) struct Prepared {
    pub(crate) guards: Vec<(Code, bool)>,
    pub(crate) action: Option<ActionCode>,
    /// Fields of components, and where they are put.
    pub(crate) exit: Vec<(usize, i64)>,
    /// The component that acts, if it is an operand.
    pub(crate) operand: Option<usize>,
    /// Positions among the agent's tuples: those assigned.
    pub(crate) renewed: Vec<usize>,
    /// The bits of the tuples to be propagated, and to be confirmed.
    pub(crate) propagates: i64,
    pub(crate) confirms: i64,
    pub(crate) chooses: bool,
}

/// A tuple.
#[derive(Debug)]
pub(crate) struct Tuple {
    pub(crate) copies: Vec<Copy>,
    /// The first field of their ranks, which follow one another.
    pub(crate) ranks: usize,
    /// Whether the second hears the first, by the positions of their copies, by rows.
    pub(crate) links: Vec<Code>,
    /// Per copy, as bits, the copies whose agents always hear its agent, and those that it depends on.
    pub(crate) hearers: Vec<Hearers>,
}

/// The copies whose agents hear an agent, as bits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hearers {
    pub(crate) always: u64,
    pub(crate) sometimes: u64,
}

impl Tuple {
    fn new(copies: Vec<Copy>, ranks: usize, links: Vec<Code>) -> Tuple {
        let row = |from: usize| &links[from * copies.len()..(from + 1) * copies.len()];
        let of = |from: usize| {
            let mut hearers = Hearers { always: 0, sometimes: 0 };
            for (to, link) in row(from).iter().enumerate().filter(|(to, _)| *to != from) {
                match link.constant() {
                    Some(word) if is_true(word) => hearers.always |= 1 << to,
                    Some(word) if !is_halt(word) => {}
                    _ => hearers.sometimes |= 1 << to,
                }
            }
            hearers
        };
        let hearers = (0..copies.len()).map(of).collect();
        Tuple { copies, ranks, links, hearers }
    }

    pub(crate) fn link(&self, sender: usize, receiver: usize) -> &Code {
        &self.links[sender * self.copies.len() + receiver]
    }
}

/// An agent's copy of a tuple.
#[derive(Debug)]
pub(crate) struct Copy {
    pub(crate) agent: usize,
    /// The fields of the agent's pending messages.
    pub(crate) confirm: usize,
    pub(crate) propagate: usize,
    pub(crate) cells: Vec<usize>,
    /// The field of its rank.
    pub(crate) rank: usize,
    /// The bit of the tuple among the agent's.
    pub(crate) bit: i64,
}

impl<'a> Machine<'a> {
    /// Prepares a system; `values` are those of its cells, `scope` those of a run's
    /// place with respect to scopes. Cells that are not `kept` are left out.
    pub(crate) fn new(
        system: &'a System,
        rules: Rules,
        triples: &IndexVec<KindId, Structure>,
        values: &[Values],
        scope: Values,
        kept: Option<&[bool]>,
    ) -> Result<Machine<'a>, Unfit> {
        let mut fields: Vec<Values> = values.to_vec();
        for (cell, _) in kept.into_iter().flatten().enumerate().filter(|(_, kept)| !**kept) {
            fields[cell] = system.initial[cell].value(0).map_or_else(Values::undefined, Values::one);
        }
        let mut add = |values: Values| {
            fields.push(values);
            fields.len() - 1
        };
        let mut compiler = Compiler::new(system, rules.width);
        let mut tabulator = Tabulator::new(values, rules.width);
        let mut agents = Vec::new();
        for (_, kind) in system.agents.enumerate() {
            let held: Vec<(TupleId, usize)> = held(system, *kind).map(|tuple| (tuple, 0)).collect();
            if held.len() > MAX_COPIES {
                return Err(Unfit::TooLarge);
            }
            let pending = Values::between(0, (1 << held.len()) - 1);
            let (confirm, propagate) = (add(pending.clone()), add(pending));
            agents.push(Agent {
                confirm,
                propagate,
                counter: 0,
                components: Vec::new(),
                triples: Vec::new(),
                held,
                initial: 0,
            });
        }
        let mut tuples = Vec::new();
        for (id, tuple) in system.tuples.enumerate() {
            let holders: Vec<AgentId> = system.holders(id).collect();
            if holders.len() > MAX_COPIES {
                return Err(Unfit::TooLarge);
            }
            let mut copies = Vec::new();
            for (position, holder) in holders.iter().enumerate() {
                let agent = &mut agents[holder.index()];
                let mut bit = 0;
                for (at, (held, own)) in agent.held.iter_mut().enumerate() {
                    if *held == id {
                        (*own, bit) = (position, 1 << at);
                    }
                }
                let cells = system.cells_of(id, *holder).collect();
                let rank = add(Values::between(0, number(holders.len()) - 1));
                let Agent { confirm, propagate, .. } = *agent;
                copies.push(Copy { agent: holder.index(), confirm, propagate, cells, rank, bit });
            }
            let link = &system.stigmergies[tuple.stigmergy].link;
            let pairs = holders.iter().flat_map(|first| holders.iter().map(move |second| (*first, *second)));
            let links = pairs.map(|(first, second)| {
                let code = compiler.pair(first, second, link);
                tabulator.tabulated(slice::folded(code, values, rules.width))
            });
            let links = links.collect();
            let ranks = copies.first().map_or(0, |copy| copy.rank);
            tuples.push(Tuple::new(copies, ranks, links));
        }
        let mut counters: Vec<usize> = Vec::new();
        for (id, kind) in system.agents.enumerate() {
            let structure = &triples[*kind];
            let agent = &mut agents[id.index()];
            for (at, component) in structure.components.iter().enumerate() {
                let field = add(Values::between(0, number(component.locations.len()) - 1));
                counters.push(field);
                if at == 0 {
                    agent.counter = field;
                }
            }
        }
        // They follow one another.
        let counters = counters.first().map_or(0..0, |first| *first..first + counters.len());
        let has_turns = rules.schedule != Schedule::Free && !agents.is_empty();
        let turn = add(Values::between(0, if has_turns { number(agents.len()) - 1 } else { 0 }));
        let scope = add(scope);
        for (id, kind) in system.agents.enumerate() {
            prepare(
                &mut agents[id.index()],
                system,
                &rules,
                id,
                &triples[*kind],
                &mut Makers { compiler: &mut compiler, tabulator: &mut tabulator },
            );
        }
        for triple in agents.iter_mut().flat_map(|agent| &mut agent.triples) {
            if let (Some(kept), Some(action)) = (kept, &mut triple.action) {
                slice::leave_out(action, kept);
                let guards = triple.guards.iter().any(|(guard, _)| guard.chooses());
                triple.chooses = guards || action.chooses();
            }
        }
        let assumptions = system.assumptions.iter().map(|one| compiler.formula(&one.formula)).collect();
        if compiler.has_foreign {
            return Err(Unfit::Foreign);
        }
        if compiler.is_too_large() {
            return Err(Unfit::TooLarge);
        }
        let layout = Layout::new(&fields).ok_or(Unfit::TooLarge)?;
        let kept = kept.map(<[bool]>::to_vec);
        Ok(Machine { system, rules, layout, agents, tuples, turn, counters, scope, assumptions, kept })
    }

    pub(crate) fn width(&self) -> Width {
        self.rules.width
    }
}

/// What makes code.
struct Makers<'a, 's, 'v> {
    compiler: &'a mut Compiler<'s>,
    tabulator: &'a mut Tabulator<'v>,
}

fn number(of: usize) -> i64 {
    i64::try_from(of).unwrap_or(i64::MAX)
}

/// The tuples of which agents of a kind have copies.
fn held(system: &System, kind: KindId) -> impl Iterator<Item = TupleId> + '_ {
    let stigmergies = &system.kinds[kind].stigmergies;
    let all = system.tuples.enumerate().filter(|(_, tuple)| stigmergies.contains(&tuple.stigmergy));
    all.map(|(id, _)| id)
}

fn prepare(
    agent: &mut Agent,
    system: &System,
    rules: &Rules,
    id: AgentId,
    structure: &Structure,
    makers: &mut Makers<'_, '_, '_>,
) {
    agent.initial = number(structure.initial.index());
    agent.components = structure
        .components
        .iter()
        .map(|component| Component {
            parent: component.parent.map(Idx::index),
            children: component.children.iter().map(|child| child.index()).collect(),
            offers: component
                .locations
                .iter()
                .map(|location| location.offers.iter().map(|triple| triple.index()).collect())
                .collect(),
            joined: component
                .locations
                .iter()
                .map(|location| location.joined.map(|joined| number(joined.index())))
                .collect(),
        })
        .collect();
    agent.triples = structure
        .triples
        .iter()
        .map(|triple| prepared(agent, system, rules, id, triple, structure, makers))
        .collect();
}

fn prepared(
    agent: &Agent,
    system: &System,
    rules: &Rules,
    id: AgentId,
    triple: &Triple,
    structure: &Structure,
    makers: &mut Makers<'_, '_, '_>,
) -> Prepared {
    let kind = system.agents[id];
    let (reads, writes) = variables(system, rules, triple);
    let positions = |names: Vec<NameId>| -> Vec<usize> {
        let tuples = system.tuples_of(kind, names);
        let held = agent.held.iter().enumerate();
        held.filter(|(_, (tuple, _))| tuples.contains(tuple)).map(|(position, _)| position).collect()
    };
    let bits = |positions: &[usize]| positions.iter().fold(0i64, |bits, at| bits | 1 << at);
    let renewed = positions(writes);
    let confirms = bits(&positions(reads));
    let guards: Vec<(Code, bool)> = triple
        .guards
        .iter()
        .map(|(guard, positive)| {
            let code = makers.compiler.own(id, &system.guards[*guard].condition);
            (makers.tabulator.tabulated(code), *positive)
        })
        .collect();
    let action = triple.action.map(|action| &system.actions[action]);
    let action = action.filter(|action| !action.statements.is_empty());
    let action = action.map(|action| makers.compiler.action(id, action));
    let chooses =
        guards.iter().any(|(guard, _)| guard.chooses()) || action.as_ref().is_some_and(ActionCode::chooses);
    let exit = triple.exit.iter();
    let is_operand = structure.components[triple.acting].parent.is_some();
    Prepared {
        guards,
        action,
        exit: exit.map(|(at, to)| (agent.counter + at.index(), number(to.index()))).collect(),
        operand: is_operand.then_some(triple.acting.index()),
        propagates: bits(&renewed),
        renewed,
        confirms,
        chooses,
    }
}

/// The variables of stigmergies that a step has to confirm, and those it assigns.
fn variables(system: &System, rules: &Rules, triple: &Triple) -> (Vec<NameId>, Vec<NameId>) {
    let action = triple.action.map(|action| &system.actions[action]);
    let writes = action.map_or(Vec::new(), |action| action.writes.clone());
    let guard = |(guard, _): &(GuardId, bool)| system.guards[*guard].reads.clone();
    let mut reads: Vec<NameId> = triple.guards.iter().flat_map(guard).collect();
    reads.extend(action.iter().flat_map(|action| action.reads.iter().copied()));
    if rules.semantics == Semantics::Sliver {
        reads.retain(|name| !writes.contains(name));
    }
    (reads, writes)
}
