//! Evidence: steps and stores of a run, as the rules on process terms have them.

use paramcheck_labs::model::TupleId;
use paramcheck_labs::number::Fault;
use paramcheck_labs::semantics::step::Label;
use paramcheck_labs::semantics::store::Store;
use paramcheck_nets::explore::system::State;
use paramcheck_text::index::Idx;

use crate::labs::Unfit;
use crate::labs::machine::Machine;
use crate::labs::reduce::unfold::{Ending, unfold};
use crate::labs::space::Space;
use crate::labs::word::UNDEFINED;

/// A step of a run, and the store after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// What happens; nothing before the first store.
    pub label: Option<Label>,
    /// The store.
    pub store: Store,
}

/// A run that shows a violation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Evidence {
    /// The steps; the first one is an initial store.
    pub steps: Vec<Step>,
    /// The position of the step to whose state the last one comes back.
    pub cycle: Option<usize>,
    /// The step after these by which the run leaves the language, and how.
    pub leaves: Option<(Label, Fault)>,
    /// How many states were searched behind the last one, the last one among them, without one that fulfils the
    /// formula.
    pub searched: Option<u64>,
    /// The fields of the states, where cells were left out.
    pub(crate) fields: Vec<Vec<i64>>,
}

impl Evidence {
    /// The run along these states, or the one that they stand for.
    ///
    /// # Errors
    /// They stand for none that is found.
    pub(super) fn of_run<S: State>(
        space: &Space<'_, S>,
        run: &[(Option<u32>, S)],
        ending: Ending,
    ) -> Result<Evidence, Unfit> {
        let Some(reduction) = &space.reduction else {
            let cycle = if let Ending::Round(from) = ending { Some(from) } else { None };
            return Ok(Evidence { cycle, ..Evidence::along(space, run) });
        };
        let whole = space.whole();
        let unfolded = unfold(&whole, reduction, &space.starts, run, ending);
        whole.check()?;
        debug_assert!(unfolded.is_some() || matches!(ending, Ending::Round(_)), "it is a run of the system");
        let (run, cycle) = unfolded.ok_or(Unfit::NoRoom)?;
        Ok(Evidence { cycle, ..Evidence::along(space, &run) })
    }

    /// The run along these states.
    pub(super) fn along<S: State>(space: &Space<'_, S>, run: &[(Option<u32>, S)]) -> Evidence {
        let mut evidence = Evidence::default();
        for (action, state) in run {
            let label = action.map(|action| space.label(action));
            if space.machine.kept.is_some() {
                let mut fields = Vec::new();
                space.machine.layout.unpack(state, &mut fields);
                evidence.fields.push(fields);
            }
            match (space.machine.layout.fault(state), label) {
                (Some(fault), Some(label)) => evidence.leaves = Some((label, fault)),
                (_, label) => evidence.steps.push(Step { label, store: store(space.machine, state) }),
            }
        }
        evidence
    }

    /// How many steps the run has.
    pub fn len(&self) -> usize {
        self.steps.len().saturating_sub(1) + usize::from(self.leaves.is_some())
    }

    /// Whether nothing happens: what is shown is an initial store.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// The store of a packed state.
pub(crate) fn store<S: State>(machine: &Machine<'_>, state: &S) -> Store {
    let mut fields = Vec::new();
    machine.layout.unpack(state, &mut fields);
    store_of(machine, &fields)
}

/// The store of unpacked fields.
pub(crate) fn store_of(machine: &Machine<'_>, fields: &[i64]) -> Store {
    let system = machine.system;
    let cells = fields[..system.initial.len()].iter().map(|word| (*word != UNDEFINED).then_some(*word));
    let mut store = Store::new(system, cells.collect());
    for (agent, id) in machine.agents.iter().zip(system.agents.indices()) {
        for (position, (tuple, _)) in agent.held.iter().enumerate() {
            store.set_confirms(system, id, *tuple, fields[agent.confirm] >> position & 1 == 1);
            store.set_propagates(system, id, *tuple, fields[agent.propagate] >> position & 1 == 1);
        }
    }
    for (number, tuple) in machine.tuples.iter().enumerate() {
        let id = TupleId::new(number);
        // From the oldest to the newest: whoever comes is the newest.
        let of_rank = |rank: i64| {
            let copies = tuple.copies.iter().filter(move |copy| fields[copy.rank] == rank);
            copies.map(|copy| paramcheck_labs::model::AgentId::new(copy.agent)).collect::<Vec<_>>()
        };
        for rank in 0.. {
            let agents = of_rank(rank);
            let Some((first, others)) = agents.split_first() else { break };
            store.renew(system, *first, id);
            store.level(system, others, *first, id);
        }
    }
    store.turn = usize::try_from(fields[machine.turn]).unwrap_or(0);
    store
}

/// The different stores of states.
pub(super) struct Stores<'a, S> {
    machine: &'a Machine<'a>,
    /// Whether a state has more than its store.
    is_divided: bool,
    known: Vec<S>,
    count: u64,
}

impl<'a, S: State> Stores<'a, S> {
    pub(super) fn new(machine: &'a Machine<'a>) -> Self {
        let is_divided = !machine.layout.is_constant(machine.counters.clone());
        Stores { machine, is_divided, known: Vec::new(), count: 0 }
    }

    /// Adds the store of a state; each state is given once.
    pub(super) fn add(&mut self, state: &S) {
        if !self.is_divided {
            self.count += 1;
            return;
        }
        let mut store = state.clone();
        self.machine.layout.clear(&mut store, self.machine.counters.clone());
        self.known.push(store);
    }

    pub(super) fn count(mut self) -> u64 {
        self.known.sort_unstable();
        self.known.dedup();
        self.count + self.known.len() as u64
    }
}
