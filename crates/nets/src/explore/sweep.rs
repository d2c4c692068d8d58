//! A sweep: all instances of a selection explored, the smallest first.
//!
//! [`Sweep`] makes one instance after the other and explores it. It is an iterator whose steps may each have
//! a budget of their own ([`Sweep::next_within`]). It ends in one [`End`]: all instances are explored, or the
//! reason why not. Meanwhile it adds up what was found per size. What a sweep is for is the caller's.

use std::ops::RangeInclusive;
use std::time::{Duration, Instant};

use crate::explore::Reach;
use crate::explore::engine::{End, SearchOptions};
use crate::explore::search::{NetExploration, Reduction, explore_net};
use crate::explore::trace::Trace;
use crate::instance::net::Net;
use crate::instance::select::{Nets, Part, Selection};
use crate::instance::unfold::NotUnfolded;
use paramcheck_model::error::ErrorFormula;
use paramcheck_model::system::System;
use paramcheck_model::tree::RewritingTree;
use paramcheck_text::limits::Budget;

#[cfg(test)]
mod tests;

/// A reachable error.
#[derive(Clone, Debug)]
pub struct ReachedError {
    /// The rewriting tree of the instance.
    pub tree: RewritingTree,
    /// The instance.
    pub net: Net,
    /// A firing sequence that ends in the error.
    pub trace: Trace,
    /// Whether no shorter one does in this instance.
    pub is_shortest: bool,
}

/// An instance, and what was found in it.
#[derive(Clone, Debug)]
pub struct ExploredInstance {
    /// Its rewriting tree.
    pub tree: RewritingTree,
    /// The instance.
    pub net: Net,
    /// What was found.
    pub found: NetExploration,
    /// How long it took to make and to explore it.
    pub elapsed: Duration,
}

/// What was found in the instances of one size together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SizeTotal {
    /// The number of components.
    pub size: usize,
    /// How many instances were explored, the last one perhaps not to its end. One per rewriting tree (without
    /// idle rounds, see `enumerate`); may be 0.
    pub instances: usize,
    /// How many of these were explored to their end.
    pub exhausted: usize,
    /// Markings found.
    pub states: usize,
    /// How often a transition is enabled in them.
    pub transitions: u64,
    /// In how many none is enabled.
    pub dead: u64,
    /// In how many of these every component may rest.
    pub terminated: u64,
    /// Per error whether some instance reaches it, as far as was explored.
    pub reached: Vec<Reach>,
    /// Wall-clock time.
    pub elapsed: Duration,
    /// Whether these are all instances of the size, explored to their end.
    pub is_complete: bool,
}

/// A sweep in progress. See the module's text.
pub struct Sweep<'a> {
    system: &'a System,
    errors: Vec<&'a ErrorFormula>,
    reduction: Reduction,
    /// How each instance is explored. May be changed from one to the next.
    pub options: SearchOptions,
    /// How many markings may still be found in all instances together.
    left: usize,
    /// The sizes that are left, and the instances that are left of the size before these.
    parts: Box<dyn Iterator<Item = Part<'a>> + 'a>,
    instances: Option<Nets<'a>>,
    /// When the size began.
    begin: Instant,
    sizes: Vec<SizeTotal>,
    end: Option<End>,
}

impl<'a> Sweep<'a> {
    /// A sweep over the instances of `system` in `selection`. Each is explored by `options`, for all `errors`
    /// at once. It ends early at the first one that is not explored to its end.
    pub fn new(
        system: &'a System,
        selection: &Selection,
        errors: impl IntoIterator<Item = &'a ErrorFormula>,
        options: SearchOptions,
    ) -> Sweep<'a> {
        Sweep {
            system,
            errors: errors.into_iter().collect(),
            reduction: Reduction::default(),
            options,
            left: usize::MAX,
            parts: Box::new(selection.by_size(system)),
            instances: None,
            begin: Instant::now(),
            sizes: Vec::new(),
            end: None,
        }
    }

    /// A search of all instances with `sizes` components for one that reaches `error`. It ends there, or when
    /// it can't be decided whether a marking is one, or after `max_states` markings in all instances
    /// together.
    pub fn search(
        system: &'a System,
        error: &'a ErrorFormula,
        sizes: RangeInclusive<usize>,
        max_states: usize,
    ) -> Sweep<'a> {
        let options = SearchOptions { stops_at_goals: true, ..SearchOptions::default() };
        Sweep::new(system, &Selection::Sizes(sizes), [error], options).within(max_states)
    }

    /// The same, but at most `max_states` markings in all instances together.
    pub fn within(self, max_states: usize) -> Sweep<'a> {
        Sweep { left: max_states, ..self }
    }

    /// The same, each instance reduced as far as that is sound for the errors.
    pub fn reduced(self, reduction: Reduction) -> Sweep<'a> {
        Sweep { reduction, ..self }
    }

    /// Why it ended: [`End::Exhausted`] where every instance was explored to its end. `None` before.
    pub fn end(&self) -> Option<End> {
        self.end
    }

    /// What was found of each size, ascending and without gaps. All are complete but perhaps the last.
    pub fn sizes(&self) -> &[SizeTotal] {
        &self.sizes
    }

    /// As [`Sweep::sizes`], when it is over.
    pub fn into_sizes(self) -> Vec<SizeTotal> {
        self.sizes
    }

    /// How many markings were found in all instances together.
    pub fn states(&self) -> usize {
        self.sizes.iter().map(|size| size.states).sum()
    }

    /// The next instance, explored; `None` where the sweep has ended. An instance in which nothing was found,
    /// since a limit came first, is left out.
    pub fn next_within(&mut self, budget: &Budget) -> Option<ExploredInstance> {
        if self.end.is_some() {
            return None;
        }
        let next = self.advance(budget);
        if let Some(size) = self.sizes.last_mut() {
            size.elapsed = self.begin.elapsed();
        }
        next.unwrap_or_else(|end| {
            self.end = Some(end);
            None
        })
    }

    /// Goes on to the first instance that reaches the first error.
    pub fn find(&mut self, budget: &Budget) -> Option<Box<ReachedError>> {
        loop {
            let ExploredInstance { tree, net, mut found, .. } = self.next_within(budget)?;
            if let Some(trace) = found.errors.first_mut()?.trace.take() {
                return Some(Box::new(ReachedError { tree, net, trace, is_shortest: true }));
            }
        }
    }

    /// `Err` where nothing more comes.
    fn advance(&mut self, budget: &Budget) -> Result<Option<ExploredInstance>, End> {
        loop {
            // Checked here too: most sizes may have no tree at all, and many small instances may never reach
            // a check within one of them.
            let Some(instances) = &mut self.instances else {
                let part = self.parts.next().ok_or(End::Exhausted)?;
                self.begin = Instant::now();
                self.sizes.push(SizeTotal::new(part.size(), self.errors.len()));
                self.instances = Some(part.nets());
                budget.check().map_err(End::Stopped)?;
                continue;
            };
            let start = Instant::now();
            let next = instances.next_within(budget)?;
            let Some(size) = self.sizes.last_mut() else { return Err(End::Exhausted) };
            let Some((tree, net)) = next else {
                (size.is_complete, size.elapsed) = (true, self.begin.elapsed());
                self.instances = None;
                continue;
            };
            let max_states = self.options.max_states.min(self.left);
            let options = SearchOptions { max_states, ..self.options };
            let found = explore_net(self.system, &net, &self.errors, self.reduction, &options, budget);
            if found.end != End::Exhausted {
                self.end = Some(found.end);
                if found.states == 0 {
                    return Ok(None);
                }
            }
            self.left = self.left.saturating_sub(found.states);
            size.add(&found);
            return Ok(Some(ExploredInstance { tree, net, found, elapsed: start.elapsed() }));
        }
    }
}

impl SizeTotal {
    fn new(size: usize, errors: usize) -> SizeTotal {
        SizeTotal { size, reached: vec![Reach::Unreached; errors], ..SizeTotal::default() }
    }

    fn add(&mut self, found: &NetExploration) {
        self.instances += 1;
        self.exhausted += usize::from(found.end == End::Exhausted);
        self.states += found.states;
        self.transitions += found.transitions;
        self.dead += found.dead;
        self.terminated += found.terminated;
        for (known, reach) in self.reached.iter_mut().zip(&found.errors) {
            *known = reach.so_far().max(*known);
        }
    }
}

impl From<NotUnfolded> for End {
    fn from(reason: NotUnfolded) -> End {
        match reason {
            NotUnfolded::TooLarge => End::TooLarge,
            NotUnfolded::Stopped(stop) => End::Stopped(stop),
        }
    }
}
