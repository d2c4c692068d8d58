//! Tests of the engine on systems that are no nets: a walk on a grid, and counters that overflow.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::*;

/// Two numbers below `side`; actions add 1 to one of them, or take 1 from it, or exchange the two.
struct Grid {
    side: u64,
    /// Whether predecessors are reported.
    tells: bool,
    /// The weight that each state reports.
    weight: usize,
}

impl Grid {
    fn neighbours(&self, [cell]: [u64; 1]) -> Vec<(u32, [u64; 1])> {
        let (x, y) = (cell / self.side, cell % self.side);
        let mut list = Vec::new();
        let mut go = |action, x: u64, y: u64| list.push((action, [x * self.side + y]));
        // Some cells lead nowhere.
        if (x * 7 + y * 3) % 11 == 10 {
            return list;
        }
        if x + 1 < self.side {
            go(0, x + 1, y);
        }
        if y + 1 < self.side {
            go(1, x, y + 1);
        }
        if x > 0 && y % 5 == 0 {
            go(2, x - 1, y);
        }
        go(3, y, x);
        list
    }
}

impl TransitionSystem for Grid {
    type State = [u64; 1];
    type Scratch = ();

    fn initial(&self) -> Vec<[u64; 1]> {
        vec![[0], [self.side + 1], [0]]
    }

    fn successors(
        &self,
        state: &[u64; 1],
        _: Option<u32>,
        (): &mut (),
        each: &mut impl FnMut(u32, [u64; 1]),
    ) -> usize {
        let neighbours = self.neighbours(*state);
        neighbours.iter().for_each(|&(action, next)| each(action, next));
        neighbours.len()
    }

    fn possible_predecessors(&self, state: &[u64; 1]) -> Option<Vec<[u64; 1]>> {
        self.tells.then(|| {
            let all = (0..self.side * self.side).map(|cell| [cell]);
            all.filter(|cell| self.neighbours(*cell).iter().any(|(_, next)| next == state)).collect()
        })
    }

    fn weight(&self) -> usize {
        self.weight
    }
}

/// The distance of every reachable state, by the textbook.
fn distances(grid: &Grid) -> BTreeMap<[u64; 1], usize> {
    let mut distances = BTreeMap::new();
    let mut queue: VecDeque<_> = grid.initial().into();
    queue.iter().for_each(|state| {
        distances.insert(*state, 0);
    });
    while let Some(state) = queue.pop_front() {
        for (_, next) in grid.neighbours(state) {
            if !distances.contains_key(&next) {
                distances.insert(next, distances[&state] + 1);
                queue.push_back(next);
            }
        }
    }
    distances
}

type Ask = fn(&[u64; 1], bool) -> Option<bool>;

fn goals(asks: &[Ask]) -> Vec<Goal<'static, [u64; 1]>> {
    asks.iter().map(|&ask| Goal::new(ask)).collect()
}

const ASKS: [Ask; 4] = [
    |_, is_dead| Some(is_dead),
    |state, _| Some(state[0] % 1009 == 1008),
    |_, _| Some(false),
    |state, _| (state[0] % 2003 != 7).then_some(state[0] % 4001 == 4000),
];

/// Checks everything that an exploration reports against the textbook.
fn check(grid: &Grid, found: &Exploration<[u64; 1]>) {
    let distances = distances(grid);
    assert_eq!(found.end, End::Exhausted);
    let all: BTreeSet<[u64; 1]> = found.visited.iter().copied().collect();
    assert!(all.iter().eq(distances.keys()), "the same states");
    assert_eq!(found.visited.len(), distances.len(), "each once");
    assert_eq!(found.levels, distances.values().max().unwrap() + 1);
    let degrees: Vec<usize> = distances.keys().map(|state| grid.neighbours(*state).len()).collect();
    assert_eq!(found.transitions, degrees.iter().sum::<usize>() as u64);
    assert_eq!(found.dead, degrees.iter().filter(|degree| **degree == 0).count() as u64);
    for (number, ask) in ASKS.iter().enumerate() {
        let ask = |state: &[u64; 1]| ask(state, grid.neighbours(*state).is_empty());
        let goal = &found.goals[number];
        assert_eq!(goal.count, distances.keys().filter(|state| ask(state) == Some(true)).count() as u64);
        assert_eq!(goal.undecided, distances.keys().filter(|state| ask(state).is_none()).count() as u64);
        let holding = distances.iter().filter(|(state, _)| ask(state) == Some(true));
        let first = holding.map(|(state, level)| (std::cmp::Reverse(*level), *state)).max();
        let first = first.map(|(level, state)| (level.0, state));
        assert_eq!(goal.first, first);
        let Some((level, state)) = first else { continue };
        let trace = found.trace_to_goal(grid, number, 2).unwrap();
        assert_eq!(trace.len(), level + 1);
        assert_eq!(trace[level].1, state);
        assert_eq!(distances[&trace[0].1], 0);
        for pair in trace.windows(2) {
            let ((_, one), (action, two)) = (pair[0], pair[1]);
            let first = grid.neighbours(one).into_iter().find(|(_, next)| *next == two).unwrap();
            assert_eq!(Some(first.0), action, "the first action");
            // The search for it takes too long in a large grid.
            if grid.side > 120 {
                continue;
            }
            let greatest = distances.iter().rev().find(|(state, level)| {
                **level + 1 == distances[&two]
                    && grid.neighbours(**state).iter().any(|(_, next)| *next == two)
            });
            assert_eq!(*greatest.unwrap().0, one, "the greatest predecessor");
        }
    }
}

#[test]
fn an_exploration_is_what_the_textbook_says() {
    for side in [1, 2, 20, 120, 560] {
        let grid = Grid { side, tells: side == 120, weight: 1 };
        check(&grid, &explore(&grid, &goals(&ASKS), &SearchOptions::default(), &Budget::unlimited()));
    }
}

#[test]
fn threads_change_nothing() {
    let grid = Grid { side: 560, tells: false, weight: 1 };
    let run = |threads, max_states| {
        let options = SearchOptions { threads, max_states, ..SearchOptions::default() };
        explore(&grid, &goals(&ASKS), &options, &Budget::unlimited())
    };
    let all = distances(&grid).len();
    for max_states in [usize::MAX, 280_001, 5_000] {
        let one = run(1, max_states);
        assert_eq!(one.visited.len(), max_states.min(all));
        assert!(one.visited.shard_count() > 1 || max_states < 1 << 18);
        for threads in [2, 4] {
            let other = run(threads, max_states);
            assert_eq!((one.end, one.transitions, one.dead), (other.end, other.transitions, other.dead));
            assert_eq!((one.levels, &one.goals), (other.levels, &other.goals));
            // The same states in the same order.
            assert!(one.visited.iter().eq(other.visited.iter()));
            for goal in 0..ASKS.len() {
                assert_eq!(one.trace_to_goal(&grid, goal, 1), other.trace_to_goal(&grid, goal, threads));
            }
        }
    }
}

#[test]
fn states_are_taken_in_one_by_one_as_in_batches() {
    for (side, max_states) in
        [(40, usize::MAX), (40, 700), (150, usize::MAX), (150, 20_000), (560, usize::MAX)]
    {
        let run = |weight, threads| {
            let options = SearchOptions { threads, max_states, ..SearchOptions::default() };
            explore(&Grid { side, tells: false, weight }, &goals(&ASKS), &options, &Budget::unlimited())
        };
        let (one, other) = (run(1, 1), run(1_000, 2));
        assert_eq!((one.end, one.transitions, one.dead), (other.end, other.transitions, other.dead));
        assert_eq!((one.levels, &one.goals), (other.levels, &other.goals));
        assert!(one.visited.iter().eq(other.visited.iter()), "the same states in the same order");
    }
}

/// A path of single states, then a level of `many` states with `more` successors each, and one state at the
/// end.
struct Burst {
    way: u64,
    many: u64,
    more: u64,
    weight: usize,
}

impl Burst {
    const SECOND: u64 = 1 << 32;
    const THIRD: u64 = 2 << 32;
    const END: u64 = 3 << 32;
}

impl TransitionSystem for Burst {
    type State = [u64; 1];
    type Scratch = ();

    fn initial(&self) -> Vec<[u64; 1]> {
        vec![[0]]
    }

    fn successors(
        &self,
        &[state]: &[u64; 1],
        _: Option<u32>,
        (): &mut (),
        each: &mut impl FnMut(u32, [u64; 1]),
    ) -> usize {
        let (first, count) = match state {
            _ if state + 1 < self.way => (state + 1, 1),
            _ if state < Self::SECOND => (Self::SECOND, self.many),
            _ if state < Self::THIRD => (Self::THIRD + (state - Self::SECOND) * self.more, self.more),
            _ if state < Self::END => (Self::END, 1),
            _ => (0, 0),
        };
        (0..count).for_each(|number| each(number as u32, [first + number]));
        count as usize
    }

    fn weight(&self) -> usize {
        self.weight
    }
}

#[test]
fn a_level_is_divided_before_its_end_if_it_must_be() {
    let (way, many, more) = (4_000, 1_000, 1_100);
    let third = many * more;
    let all = (way + many + third + 1) as usize;
    for (weight, threads) in [(1, 1), (1, 4), (1_000, 1), (1_000, 4)] {
        let system = Burst { way, many, more, weight };
        let far = Burst::THIRD + 700 * more;
        let questions = [
            Goal::new(move |state: &[u64; 1], _| Some((far..far + 7).contains(&state[0]))),
            Goal::of_dead(|_| true),
        ];
        let options = SearchOptions { threads, ..SearchOptions::default() };
        let found = explore(&system, &questions, &options, &Budget::unlimited());
        assert_eq!((found.end, found.visited.len(), found.dead), (End::Exhausted, all, 1));
        assert!(found.visited.shard_count() > 1);
        assert_eq!(found.transitions, way - 1 + many + 2 * third);
        assert_eq!(found.levels, way as usize + 3);
        let mut states: Vec<u64> = found.visited.iter().map(|state| state[0]).collect();
        states.sort_unstable();
        states.dedup();
        assert_eq!(states.len(), all, "each once");
        assert_eq!(found.goals[0].count, 7);
        assert_eq!(found.goals[0].first, Some((way as usize + 1, [far + 6])));
        let trace = found.trace_to_goal(&system, 0, threads).unwrap();
        assert_eq!(trace[way as usize..], [(Some(700), [Burst::SECOND + 700]), (Some(6), [far + 6])]);
        assert_eq!(found.goals[1].first, Some((way as usize + 2, [Burst::END])));
    }
    for max_states in [all - 1, (1 << 20) + 1] {
        let run = |weight, threads| {
            let options = SearchOptions { threads, max_states, ..SearchOptions::default() };
            explore(&Burst { way, many, more, weight }, &[], &options, &Budget::unlimited())
        };
        let (one, other, batches) = (run(1, 1), run(1, 3), run(1_000, 2));
        for found in [&one, &other, &batches] {
            assert_eq!((found.end, found.visited.len()), (End::StateLimit, max_states));
        }
        assert!(one.visited.iter().eq(other.visited.iter()));
    }
}

#[test]
fn the_limit_of_states_is_exact() {
    let grid = Grid { side: 30, tells: false, weight: 1 };
    let all = distances(&grid);
    for max_states in [0, 1, 2, 3, 17, all.len() - 1, all.len(), all.len() + 1] {
        let options = SearchOptions { max_states, ..SearchOptions::default() };
        let found = explore(&grid, &goals(&ASKS), &options, &Budget::unlimited());
        assert_eq!(found.visited.len(), max_states.min(all.len()));
        let is_whole = max_states >= all.len();
        assert_eq!(found.end, if is_whole { End::Exhausted } else { End::StateLimit });
        // All that were found were looked at: those nearest to the beginning, whose distances are right.
        let count = |state: &&[u64; 1]| grid.neighbours(**state).is_empty();
        assert_eq!(found.dead, found.visited.iter().filter(count).count() as u64);
        let degrees = found.visited.iter().map(|state| grid.neighbours(*state).len() as u64);
        assert_eq!(found.transitions, degrees.sum::<u64>());
        let mut kept: Vec<usize> = found.visited.iter().map(|state| all[state]).collect();
        let mut nearest: Vec<usize> = all.values().copied().collect();
        kept.sort_unstable();
        nearest.sort_unstable();
        assert_eq!(kept, nearest[..kept.len()]);
    }
}

#[test]
fn the_limit_of_states_is_kept_when_the_budget_ends() {
    // A state and a thousand after it, and one after each; so much work that the budget is looked at among
    // those of one level.
    let comb = Burst { way: 1, many: 1_000, more: 1, weight: 15 };
    for max_states in 1_001..1_400 {
        let budget = Budget::unlimited();
        let ask = |state: &[u64; 1], _| {
            if state[0] > 0 {
                budget.switch.stop(Stop::Interrupted);
            }
            Some(false)
        };
        let options = SearchOptions { max_states, ..SearchOptions::default() };
        let found = explore(&comb, &[Goal::new(ask)], &options, &budget);
        assert!(found.visited.len() <= max_states, "{} of {max_states}", found.visited.len());
    }
}

#[test]
fn goals_end_a_search_where_wanted() {
    let grid = Grid { side: 200, tells: false, weight: 1 };
    let whole = distances(&grid).len();
    let options = SearchOptions { stops_at_goals: true, ..SearchOptions::default() };
    let run = |asks: &[Ask]| explore(&grid, &goals(asks), &options, &Budget::unlimited());
    let reached = run(&ASKS[..2]);
    assert_eq!(reached.end, End::Reached);
    assert!(reached.visited.len() < whole);
    // The last level is complete: the greatest state is reported.
    let full = explore(&grid, &goals(&ASKS), &SearchOptions::default(), &Budget::unlimited());
    assert_eq!(reached.goals[0].first, full.goals[0].first);
    assert_eq!(reached.goals[1].first, full.goals[1].first);
    assert_eq!(run(&[ASKS[0], ASKS[2]]).end, End::Exhausted);
    // Without goals there is nothing to end it.
    assert_eq!(run(&[]).end, End::Exhausted);
    let undecided = run(&[|state, _| (state[0] != 3).then_some(false)]);
    assert_eq!(undecided.end, End::Undecided);
    assert_eq!(undecided.goals[0].undecided, 1);
    // What is reached at the same distance as something undecided is reached.
    let both = run(&[|state, _| if state[0] == 0 { None } else { Some(true) }]);
    assert_eq!(both.end, End::Reached);
}

#[test]
fn memory_and_budget_end_a_search() {
    let grid = Grid { side: 300, tells: false, weight: 1 };
    let whole = explore(&grid, &[], &SearchOptions::default(), &Budget::unlimited());
    for memory in [0, 1_000, 100_000, whole.peak_bytes - whole.peak_bytes / 3] {
        let options = SearchOptions { memory: Some(memory), ..SearchOptions::default() };
        let found = explore(&grid, &[], &options, &Budget::unlimited());
        assert_eq!(found.end, End::Stopped(Stop::Memory));
        // The initial states are always there.
        assert!(found.peak_bytes <= memory.max(256), "{} of {memory}", found.peak_bytes);
    }
    let enough = SearchOptions { memory: Some(2 * whole.peak_bytes), ..SearchOptions::default() };
    assert_eq!(explore(&grid, &[], &enough, &Budget::unlimited()).end, End::Exhausted);
    let budget = Budget::unlimited();
    budget.switch.stop(Stop::Interrupted);
    let stopped = explore(&grid, &goals(&ASKS), &SearchOptions::default(), &budget);
    assert_eq!(stopped.end, End::Stopped(Stop::Interrupted));
    assert_eq!(stopped.visited.len(), 2);
}

#[test]
fn all_that_was_found_when_a_search_ends_is_looked_at() {
    let grid = Grid { side: 300, tells: false, weight: 1 };
    let check = |found: &Exploration<[u64; 1]>, stop| {
        assert_eq!(found.end, End::Stopped(stop));
        let degrees = || found.visited.iter().map(|state| grid.neighbours(*state).len());
        assert_eq!(found.dead, degrees().filter(|degree| *degree == 0).count() as u64);
        assert_eq!(found.transitions, degrees().sum::<usize>() as u64);
        assert_eq!(found.goals[0].count, found.dead);
    };
    for memory in [0, 1_000, 100_000] {
        let options = SearchOptions { memory: Some(memory), ..SearchOptions::default() };
        check(&explore(&grid, &goals(&ASKS[..1]), &options, &Budget::unlimited()), Stop::Memory);
    }
    for threads in [1, 4] {
        let options = SearchOptions { threads, ..SearchOptions::default() };
        for distance in [0, 10, 100] {
            // The end comes while states as far as this are looked at.
            let budget = Budget::unlimited();
            let ask = |state: &[u64; 1], is_dead| {
                if state[0] / grid.side + state[0] % grid.side == distance {
                    budget.switch.stop(Stop::Interrupted);
                }
                Some(is_dead)
            };
            let found = explore(&grid, &[Goal::new(ask)], &options, &budget);
            check(&found, Stop::Interrupted);
        }
    }
}

#[test]
fn a_goal_among_the_last_states_found_is_reached() {
    let grid = Grid { side: 30, tells: false, weight: 1 };
    let budget = Budget::unlimited();
    let ask = |state: &[u64; 1], _| {
        budget.switch.stop(Stop::Time);
        // Neither is an initial state.
        Some(state[0] == 1)
    };
    let options = SearchOptions { stops_at_goals: true, ..SearchOptions::default() };
    let found = explore(&grid, &[Goal::new(ask)], &options, &budget);
    assert_eq!(found.end, End::Reached);
    assert_eq!(found.goals[0].first, Some((1, [1])));
    assert_eq!(found.trace_to_goal(&grid, 0, 1).map(|trace| trace.len()), Some(2));
}

/// A state of many words, of which one is a counter.
struct Long(usize);

impl TransitionSystem for Long {
    type State = crate::explore::system::Wide;
    type Scratch = ();

    fn initial(&self) -> Vec<Self::State> {
        vec![State::zero(self.0)]
    }

    fn successors(
        &self,
        state: &Self::State,
        last: Option<u32>,
        (): &mut (),
        each: &mut impl FnMut(u32, Self::State),
    ) -> usize {
        let words = 0..self.0;
        let enabled = words.filter(|&word| state.words()[word] < 3);
        // The words are independent.
        let first = last.map_or(0, |last| last as usize);
        let fired = enabled.clone().filter(|word| *word >= first);
        for word in fired {
            let mut next = state.clone();
            next.words_mut()[word] += 1;
            each(word as u32, next);
        }
        enabled.count()
    }
}

#[test]
fn states_may_have_many_words() {
    let found = explore(&Long(7), &[], &SearchOptions::default(), &Budget::unlimited());
    assert_eq!((found.visited.len(), found.dead, found.levels), (4_usize.pow(7), 1, 22));
    // Three quarters of the states can go on in each word.
    assert_eq!(found.transitions, 7 * 3 * 4_u64.pow(6));
    assert!(found.peak_bytes > found.visited.len() * 7 * 8);
}
