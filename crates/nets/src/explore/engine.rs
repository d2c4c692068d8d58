//! The explicit-state engine: all reachable states of a transition system, breadth first.
//!
//! A search goes level by level (states at one distance). While it is small, each successor is taken in as it
//! is made ([`direct`]). After that a level is taken in batches: first the successors of the batch's states
//! are made and sorted into shards, then each shard takes in what is new; both by as many threads as wanted.
//! How a level is divided depends on numbers of states alone, so results are the same for any number of
//! threads: counts, the states within a limit, and traces.
//!
//! A goal is evaluated once per state, when its successors are known. If it holds at some level, the greatest
//! such state (in the order of [`State`]) is the one reported; its [`trace`](Exploration::trace) goes through
//! the greatest predecessor each time, by the action with the least number. It is thus a shortest trace that
//! does not depend on the order in which states were found. (The greatest, for states mostly count upwards:
//! so of several components that could have moved the first ones have, and the first of them first.)
//!
//! Limits never make an answer: a search that was ended early has its own [`End`], with the numbers so far.
//! The states found by then are still evaluated, so that no violation already found is lost; when the budget
//! ended, for a moment at most, and else as long as they have few successors ([`MAX_JUDGED`]).
//!
//! Rejected: parents beside states (half as much memory again, and a race for the first parent decides about
//! traces); one table for all threads (locks or `unsafe`, and each lookup misses the cache).

use crate::explore::system::{Goal, State, TransitionSystem};
use paramcheck_text::limits::{Budget, Stop};

mod direct;
mod parallel;
mod table;
#[cfg(test)]
mod tests;
mod visited;

pub(crate) use visited::Visited;
use visited::{Bucket, Coming, Part};

/// What a search may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchOptions {
    /// How many threads work; at least one does.
    pub threads: usize,
    /// How many states may be found: exactly this many are when there are more.
    pub max_states: usize,
    /// How many bytes states and tables may use.
    pub memory: Option<usize>,
    /// Whether to end when every goal is reached, or one could not be decided, instead of exploring on.
    pub stops_at_goals: bool,
}

impl Default for SearchOptions {
    fn default() -> Self {
        SearchOptions { threads: 1, max_states: usize::MAX, memory: None, stops_at_goals: false }
    }
}

/// Why a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Every reachable state was seen.
    Exhausted,
    /// Every goal was reached, and that was to be the end.
    Reached,
    /// A goal could not be decided in some state, and was not reached by then; that was to be the end.
    Undecided,
    /// There are more reachable states than allowed.
    StateLimit,
    /// There is a system too large to be made: the end of a sweep over several, never of the search of one.
    TooLarge,
    /// The budget ended, or the memory.
    Stopped(Stop),
}

/// What was found about a goal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GoalFound<S> {
    /// In how many of the states seen it holds.
    pub(crate) count: u64,
    /// In how many it could not be decided.
    pub(crate) undecided: u64,
    /// The greatest state of the first level in which it holds in one, and that level.
    pub first: Option<(usize, S)>,
}

/// What a search found.
#[derive(Clone, Debug)]
pub struct Exploration<S> {
    /// Why it ended.
    pub end: End,
    /// How often an action is enabled in a state, over all states whose successors were made.
    pub transitions: u64,
    /// How many of these have none.
    pub(crate) dead: u64,
    /// How many levels have a state: the distance of the last is one less.
    pub(crate) levels: usize,
    /// The goals, in the order of the call.
    pub goals: Vec<GoalFound<S>>,
    /// The states.
    pub visited: Visited<S>,
    /// The most bytes that states, tables and what was on its way there used.
    pub(crate) peak_bytes: usize,
}

/// A state of a trace, and the action that leads there (none for the first).
pub(crate) type Step<S> = (Option<u32>, S);

/// Into how many parts a batch is divided: as many threads can make successors.
const LANES: usize = 32;
/// Successors that a batch should have, at least in a search with several shards, at most in one with one.
const BATCH: usize = 1 << 13;
/// The part of all states that the successors of a batch should be at most, where that is more.
const BATCH_FRACTION: usize = 6;
/// The part of all states that they should be in a search with one shard, and at least how many: what waits
/// takes memory.
const SMALL_BATCH_FRACTION: usize = 16;
const SMALL_BATCH: usize = 1 << 8;
/// How many states at most are expected to come for each found, in a search with one shard; in others, one.
const MAX_GROWTH: usize = 3;
/// How many levels ahead sizes are extrapolated.
const MAX_LEVELS_AHEAD: usize = 64;
/// How many states a part of a batch should have, at least.
const LANE: usize = 16;
/// From how much work on threads are started.
const WORTH_THREADS: usize = 1 << 14;
/// How many actions may be enabled, for each state found, in all states that are only evaluated, because no more
/// may be found; and in how many at least. A few states may have very many successors.
const MAX_JUDGED: u64 = 16;
const MIN_JUDGED: u64 = 1 << 20;
/// How much work lies between two checks of the budget.
const WORK_PER_CHECK: usize = 1 << 12;
/// How many words of successors of one state are kept between two looks at the budget: some milliseconds.
const WORDS_PER_CHECK: usize = 1 << 17;

/// A part of a batch, and its results.
struct Lane<S: State, M> {
    parts: Vec<Part>,
    /// How many of the states of `parts` were visited.
    done: usize,
    scratch: M,
    /// Per shard the successors.
    buckets: Vec<Bucket<S>>,
    seen: Seen<S>,
    stopped: Option<Stop>,
}

/// What was seen in some states.
struct Seen<S> {
    transitions: u64,
    dead: u64,
    /// Per goal: how often it holds, how often it was not decided, the greatest state where it holds.
    goals: Vec<(u64, u64, Option<S>)>,
}

impl<S: State> Seen<S> {
    fn new(goals: usize) -> Self {
        let goals = (0..goals).map(|_| (0, 0, None)).collect();
        Seen { transitions: 0, dead: 0, goals }
    }

    /// Evaluates the goals in a state in which `count` actions are enabled.
    #[inline]
    fn look(&mut self, goals: &[Goal<'_, S>], state: &S, count: usize) {
        self.transitions += count as u64;
        self.dead += u64::from(count == 0);
        for (goal, (holds, undecided, greatest)) in goals.iter().zip(&mut self.goals) {
            match goal.holds(state, count == 0) {
                Some(false) => {}
                Some(true) => {
                    *holds += 1;
                    if greatest.as_ref().is_none_or(|greatest| state > greatest) {
                        *greatest = Some(state.clone());
                    }
                }
                None => *undecided += 1,
            }
        }
    }
}

/// Explores `system` and evaluates every goal of `goals` in every state.
pub fn explore<T: TransitionSystem>(
    system: &T,
    goals: &[Goal<'_, T::State>],
    options: &SearchOptions,
    budget: &Budget,
) -> Exploration<T::State>
where
    T::Scratch: Send,
{
    let mut search = Search {
        system,
        goals,
        options,
        budget: budget.clone(),
        lanes: Vec::new(),
        level: 0,
        expanded: 0,
        made: 0,
        scratch: T::Scratch::default(),
        found: Exploration {
            end: End::Exhausted,
            transitions: 0,
            dead: 0,
            levels: 0,
            goals: goals.iter().map(|_| GoalFound { count: 0, undecided: 0, first: None }).collect(),
            visited: Visited::new(),
            peak_bytes: 0,
        },
    };
    search.found.end = match search.run().unwrap_or_else(|end| end) {
        End::Stopped(stop) => search.judge_found(stop),
        end => end,
    };
    search.found
}

struct Search<'a, T: TransitionSystem> {
    system: &'a T,
    goals: &'a [Goal<'a, T::State>],
    options: &'a SearchOptions,
    budget: Budget,
    lanes: Vec<Lane<T::State, T::Scratch>>,
    /// The level gone through.
    level: usize,
    /// States whose successors were made and taken in, and how many these were.
    expanded: usize,
    made: usize,
    /// Of the thread that takes in successors as they are made.
    scratch: T::Scratch,
    found: Exploration<T::State>,
}

impl<T: TransitionSystem> Search<'_, T>
where
    T::Scratch: Send,
{
    fn run(&mut self) -> Result<End, End> {
        self.found.visited.begin_level();
        let mut initial = Bucket::new();
        self.system.initial().into_iter().for_each(|state| initial.push(state, None));
        let mut initial = [vec![initial]];
        if !self.found.visited.insert_all(&mut initial, 1, self.options.max_states) {
            return self.judge_rest();
        }
        loop {
            let level = self.level;
            if self.found.visited.level_len(level) == 0 {
                return Ok(End::Exhausted);
            }
            self.found.levels = level + 1;
            // At most what this level has as successors will come: better divide early than often.
            let level_len = self.found.visited.level_len(level);
            let more = level_len.saturating_mul(self.made.max(1)).div_ceil(self.expanded.max(1));
            let expected = self.found.visited.len().saturating_add(more).min(self.options.max_states);
            self.found.visited.divide(expected);
            let coming = self.coming();
            self.found.visited.begin_level();
            self.found.visited.reserve(coming, self.options.memory.unwrap_or(usize::MAX));
            self.system.expect_more(self.found.visited.len());
            if self.is_direct() && !self.expand_level()? {
                return self.judge_rest();
            }
            while self.next_batch() {
                self.visit(true)?;
                if self.is_over() {
                    // The rest of the level is only judged: what holds is known, but not yet where it does.
                    continue;
                }
                if !self.insert()? {
                    return self.judge_rest();
                }
                self.found.visited.divide_if_crowded();
            }
            self.judge_end()?;
            self.level += 1;
        }
    }

    /// What will come if levels go on as the last three did: their growth from one to the next shrinks by the
    /// same factor each time (or stays, where it has not shrunk).
    fn coming(&self) -> Coming {
        let len =
            |back: usize| self.level.checked_sub(back).map_or(0, |level| self.found.visited.level_len(level));
        let [before, last, mut level] = [len(2), len(1), len(0)].map(|len| len as f64);
        let mut coming = Coming::default();
        if before == 0.0 || last == 0.0 {
            return coming;
        }
        let found = self.found.visited.len();
        let believed =
            found.saturating_mul(if self.found.visited.shard_count() == 1 { MAX_GROWTH } else { 1 });
        let most = believed.min(self.options.max_states.saturating_sub(found));
        let mut growth = level / last;
        let slower = (growth / (last / before)).min(1.0);
        for number in 0..MAX_LEVELS_AHEAD {
            level *= growth * slower;
            growth *= slower;
            let states = (level as usize).min(most - coming.all);
            coming.all += states;
            match number {
                0 => (coming.next, coming.soon) = (states, states),
                1 => coming.soon += states,
                _ => {}
            }
            if states == 0 {
                break;
            }
        }
        coming
    }

    /// Whether nothing more is to be found but the greatest states of this level.
    fn is_over(&self) -> bool {
        self.options.stops_at_goals
            && !self.goals.is_empty()
            && self.found.goals.iter().all(|goal| goal.first.is_some())
    }

    /// Whether the search ends after a level.
    fn judge_end(&self) -> Result<(), End> {
        if self.is_over() {
            return Err(End::Reached);
        }
        let is_undecided = |goal: &GoalFound<T::State>| goal.first.is_none() && goal.undecided > 0;
        match self.options.stops_at_goals && self.found.goals.iter().any(is_undecided) {
            true => Err(End::Undecided),
            false => Ok(()),
        }
    }

    /// When no more states may be found: visits those found that were not visited, unless that takes far more
    /// work than finding them did.
    fn judge_rest(&mut self) -> Result<End, End> {
        let more = (self.found.visited.len() as u64).saturating_mul(MAX_JUDGED).max(MIN_JUDGED);
        let most = self.found.transitions.saturating_add(more);
        while self.found.visited.level_len(self.level) > 0 {
            self.found.levels = self.level + 1;
            while self.next_batch() {
                self.visit(false)?;
                if self.found.transitions > most {
                    self.judge_end()?;
                    return Ok(End::StateLimit);
                }
            }
            self.judge_end()?;
            self.level += 1;
        }
        Ok(End::StateLimit)
    }

    /// When the budget ended, or the memory: visits the states found that were not visited, for a moment at
    /// most. Returns why the search ended.
    fn judge_found(&mut self, stop: Stop) -> End {
        self.budget = self.budget.for_evidence();
        // What was made and not taken in is lost; its memory is not needed any more either.
        for lane in &mut self.lanes {
            lane.buckets = Vec::new();
            lane.stopped = None;
        }
        let rest = self.visit(false).and_then(|()| self.judge_rest());
        match rest {
            Err(End::Reached) => End::Reached,
            _ => End::Stopped(stop),
        }
    }

    /// Gives the next states of the level to the lanes, if there are any.
    fn next_batch(&mut self) -> bool {
        let visited = &mut self.found.visited;
        let left = visited.left(self.level);
        if left == 0 {
            return false;
        }
        // The numbers that this depends on are the same for any number of threads.
        let successors = match visited.shard_count() {
            1 => (visited.len() / SMALL_BATCH_FRACTION).clamp(SMALL_BATCH, BATCH),
            _ => (visited.len() / BATCH_FRACTION).max(BATCH),
        };
        let branching = self.made.div_ceil(self.expanded.max(1)).max(1);
        let most = (successors / branching).max(1);
        let per_lane = most.div_ceil(LANES).max(LANE);
        for lane in &mut self.lanes {
            lane.parts.clear();
            lane.done = 0;
        }
        let wanted = left.min(most);
        let (mut used, mut free) = (0, 0);
        for mut part in visited.give(self.level, wanted) {
            while part.len() > 0 {
                if free == 0 {
                    used += 1;
                    free = per_lane;
                    if used > self.lanes.len() {
                        self.lanes.push(Lane {
                            parts: Vec::new(),
                            done: 0,
                            scratch: T::Scratch::default(),
                            buckets: Vec::new(),
                            seen: Seen::new(self.goals.len()),
                            stopped: None,
                        });
                    }
                }
                let count = part.len().min(free);
                self.lanes[used - 1].parts.push(part.first(count));
                part = part.without_first(count);
                free -= count;
            }
        }
        true
    }

    /// Makes the successors of the batch's states and evaluates the goals, in those that were not visited;
    /// `keeps` the successors or not.
    fn visit(&mut self, keeps: bool) -> Result<(), End> {
        let keeps = keeps && !self.is_over();
        let level = self.level;
        let (system, goals, budget, visited) = (self.system, self.goals, &self.budget, &self.found.visited);
        let states: usize = self.lanes.iter().flat_map(|lane| &lane.parts).map(Part::len).sum();
        let work = states * (self.system.weight() + 8);
        let threads = if work < WORTH_THREADS { 1 } else { self.options.threads };
        let used = self.lanes.iter().take_while(|lane| !lane.parts.is_empty()).count();
        parallel::each(threads, &mut self.lanes[..used], |lane| {
            lane.buckets.resize_with(visited.shard_count(), Bucket::new);
            lane.visit(system, goals, budget, visited, keeps);
        });
        let mut stopped = None;
        for lane in &mut self.lanes[..used] {
            let seen = std::mem::replace(&mut lane.seen, Seen::new(goals.len()));
            self.found.add(level, seen);
            stopped = stopped.or(lane.stopped);
        }
        stopped.map_or(Ok(()), |stop| Err(End::Stopped(stop)))
    }

    /// Takes in what is new of the batch's successors; false if there are too many.
    fn insert(&mut self) -> Result<bool, End> {
        let used = self.lanes.iter().take_while(|lane| !lane.parts.is_empty()).count();
        let mut buckets: Vec<Vec<Bucket<T::State>>> =
            self.lanes[..used].iter_mut().map(|lane| std::mem::take(&mut lane.buckets)).collect();
        let lists = buckets.iter().flatten();
        let (length, waiting) =
            lists.fold((0, 0), |(length, bytes), list| (length + list.states.len(), bytes + list.bytes()));
        self.expanded += self.lanes[..used].iter().flat_map(|lane| &lane.parts).map(Part::len).sum::<usize>();
        self.made += length;
        let visited = &mut self.found.visited;
        if let Some(limit) = self.options.memory
            && visited.bytes_with(&buckets) + waiting > limit
        {
            return Err(End::Stopped(Stop::Memory));
        }
        let threads = if length * 4 < WORTH_THREADS { 1 } else { self.options.threads };
        let fits = visited.insert_all(&mut buckets, threads, self.options.max_states);
        self.found.peak_bytes = self.found.peak_bytes.max(visited.bytes() + waiting);
        for (lane, buckets) in self.lanes.iter_mut().zip(buckets) {
            lane.buckets = buckets;
        }
        self.budget.progress.set(visited.len() as u64);
        Ok(fits)
    }
}

impl<S: State, M> Lane<S, M> {
    fn visit<T: TransitionSystem<State = S, Scratch = M>>(
        &mut self,
        system: &T,
        goals: &[Goal<'_, S>],
        budget: &Budget,
        visited: &Visited<S>,
        keeps: bool,
    ) {
        let Lane { parts, done, scratch, buckets, seen, stopped } = self;
        // So that the budget is looked at before the first state too.
        let mut work = WORK_PER_CHECK;
        let weight = system.weight();
        let mut skipped = *done;
        for part in parts.iter() {
            let skip = skipped.min(part.len());
            skipped -= skip;
            let part = &part.without_first(skip);
            let mut lasts = visited.lasts_of(part);
            for state in visited.states_of(part) {
                // What is not kept is not known either.
                let last = if keeps { lasts.next().flatten() } else { None };
                if work >= WORK_PER_CHECK {
                    work = 0;
                    if let Err(stop) = budget.check() {
                        *stopped = Some(stop);
                        return;
                    }
                }
                // A state may have many successors, and these be large.
                let mut words = 0;
                let mut may_go_on = |next: &S| {
                    words += next.words().len();
                    if words >= WORDS_PER_CHECK {
                        words = 0;
                        *stopped = stopped.or(budget.check().err());
                    }
                    stopped.is_none()
                };
                let count = match (keeps, &mut buckets[..]) {
                    (false, _) => system.successor_count(state, scratch),
                    (true, [bucket]) => system.successors_while(state, last, scratch, &mut |action, next| {
                        let goes_on = may_go_on(&next);
                        if goes_on {
                            bucket.push(next, Some(action));
                        }
                        goes_on
                    }),
                    (true, buckets) => system.successors_while(state, last, scratch, &mut |action, next| {
                        let goes_on = may_go_on(&next);
                        if goes_on {
                            buckets[visited.shard_of(&next)].push(next, Some(action));
                        }
                        goes_on
                    }),
                };
                if stopped.is_some() {
                    return;
                }
                *done += 1;
                work += weight + count + 1;
                seen.look(goals, state, count);
            }
        }
    }
}

impl<S: State> Exploration<S> {
    /// Adds what was seen in some states of a level.
    fn add(&mut self, level: usize, seen: Seen<S>) {
        self.transitions += seen.transitions;
        self.dead += seen.dead;
        for (goal, (count, undecided, greatest)) in self.goals.iter_mut().zip(seen.goals) {
            goal.count += count;
            goal.undecided += undecided;
            let Some(greatest) = greatest else { continue };
            match &mut goal.first {
                Some((first, state)) if *first == level => {
                    if greatest > *state {
                        *state = greatest;
                    }
                }
                Some(_) => {}
                None => goal.first = Some((level, greatest)),
            }
        }
    }

    /// The trace to the state that the goal with this number was first reached in, if it was.
    pub fn trace_to_goal<T>(&self, system: &T, goal: usize, threads: usize) -> Option<Vec<Step<S>>>
    where
        T: TransitionSystem<State = S>,
    {
        let (level, state) = self.goals.get(goal)?.first.as_ref()?;
        Some(self.trace(system, *level, state, threads))
    }

    /// The trace to a state of a level, from an initial state: through the greatest predecessor each time.
    fn trace<T>(&self, system: &T, level: usize, state: &S, threads: usize) -> Vec<Step<S>>
    where
        T: TransitionSystem<State = S>,
    {
        let mut steps = Vec::with_capacity(level + 1);
        let mut target = state.clone();
        for before in (0..level).rev() {
            let Some((state, action)) = self.predecessor(system, before, &target, threads) else { break };
            steps.push((Some(action), std::mem::replace(&mut target, state)));
        }
        steps.push((None, target));
        steps.reverse();
        steps
    }

    /// The greatest state of a level of which `target` is a successor, with the first action that leads
    /// there.
    fn predecessor<T>(&self, system: &T, level: usize, target: &S, threads: usize) -> Option<(S, u32)>
    where
        T: TransitionSystem<State = S>,
    {
        let action = |state: &S, scratch: &mut T::Scratch| {
            let mut found = None;
            system.successors(state, None, scratch, &mut |action, next| {
                if found.is_none() && next == *target {
                    found = Some(action);
                }
            });
            found
        };
        if let Some(mut possible) = system.possible_predecessors(target) {
            possible.sort_unstable();
            possible.reverse();
            let mut scratch = T::Scratch::default();
            return possible
                .into_iter()
                .filter(|state| self.visited.is_in_level(state, level))
                .find_map(|state| action(&state, &mut scratch).map(|action| (state, action)));
        }
        let parts = self.visited.parts(level, 1 << 12);
        let threads = if parts.len() > 4 { threads } else { 1 };
        let mut jobs: Vec<_> = parts.into_iter().map(|part| (part, None)).collect();
        parallel::each(threads, &mut jobs, |(part, greatest)| {
            let mut scratch = T::Scratch::default();
            for state in self.visited.states_of(part) {
                if greatest.as_ref().is_none_or(|(greatest, _)| state > greatest)
                    && let Some(action) = action(state, &mut scratch)
                {
                    *greatest = Some((state.clone(), action));
                }
            }
        });
        jobs.into_iter().filter_map(|(_, greatest)| greatest).max()
    }
}
