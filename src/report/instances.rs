//! What `paramcheck instances` says: the instances of a system, counted by size and listed.

use std::fmt::Write;

use serde::Serialize;

use crate::instance::census::{CensusEnd, SizeCount};
use crate::instance::net::Net;
use crate::instance::term::print_term;
use crate::model::system::System;
use crate::model::tree::RewritingTree;
use crate::report::text::table::{Align, Table};
use crate::report::text::{grouped, plural};
use crate::support::limits::Stop;

/// Instances, counted by size and listed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Instances {
    /// One entry per size gone through, ascending.
    pub sizes: Vec<Size>,
    /// The instances, those with few components first, up to the limit.
    pub instances: Vec<Listed>,
    /// How many more were counted than are listed.
    pub left_out: usize,
    /// A stable word: `complete`, or why the count ended early: `time-limit`, `memory-limit`, `interrupted`
    /// or `too-large`.
    pub end: &'static str,
}

/// The instances of one size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Size {
    /// The number of components.
    pub size: usize,
    /// How many rewriting trees there are.
    pub trees: usize,
    /// The numbers of places of their nets; `None` where there is no tree.
    pub places: Option<Range>,
    /// The numbers of transitions of their nets.
    pub transitions: Option<Range>,
    /// Whether all instances of the size were counted.
    pub complete: bool,
}

/// From the least to the greatest number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Range {
    /// The least.
    pub least: usize,
    /// The greatest.
    pub greatest: usize,
}

/// An instance in a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Listed {
    /// The number of components.
    pub size: usize,
    /// The number of places of its net.
    pub places: usize,
    /// The number of transitions of its net.
    pub transitions: usize,
    /// Its rewriting tree.
    pub tree: String,
}

impl Listed {
    /// The instance of `tree`. `net` is its net.
    pub fn new(system: &System, tree: &RewritingTree, net: &Net) -> Self {
        Listed {
            size: net.components().len(),
            places: net.place_count(),
            transitions: net.transitions().len(),
            tree: print_term(system, tree),
        }
    }
}

impl Instances {
    /// What was counted, with those `instances` that are to be listed.
    pub fn new(counts: &[SizeCount], end: Option<CensusEnd>, instances: Vec<Listed>) -> Self {
        let counted: usize = counts.iter().map(|count| count.trees).sum();
        let range =
            |range: &std::ops::RangeInclusive<usize>| Range { least: *range.start(), greatest: *range.end() };
        let size = |count: &SizeCount| Size {
            size: count.size,
            trees: count.trees,
            places: count.places.as_ref().map(range),
            transitions: count.transitions.as_ref().map(range),
            complete: count.is_complete,
        };
        Instances {
            sizes: counts.iter().map(size).collect(),
            left_out: counted.saturating_sub(instances.len()),
            instances,
            end: match end {
                None => "complete",
                Some(CensusEnd::Stopped(Stop::Time)) => "time-limit",
                Some(CensusEnd::Stopped(Stop::Memory)) => "memory-limit",
                Some(CensusEnd::Stopped(Stop::Interrupted)) => "interrupted",
                Some(CensusEnd::TooLarge) => "too-large",
            },
        }
    }

    /// As lines for a person.
    pub fn text(&self, file: &str, system: &str) -> String {
        let mut text = format!("{file}: instances of {system}\n");
        let right = Align::Right;
        let mut table =
            Table::new(&[("size", right), ("trees", right), ("places", right), ("transitions", right)]);
        for size in &self.sizes {
            let trees = grouped(size.trees);
            let trees = if size.complete { trees } else { format!("≥ {trees}") };
            table.row([grouped(size.size), trees, range(size.places), range(size.transitions)]);
        }
        text.push_str(&table.lines(2));
        if !self.instances.is_empty() {
            text.push('\n');
            let mut table = Table::new(&[("size", right), ("transitions", right), ("tree", Align::Left)]);
            for one in &self.instances {
                table.row([grouped(one.size), grouped(one.transitions), one.tree.clone()]);
            }
            text.push_str(&table.lines(2));
        }
        if self.left_out > 0 {
            let _ = writeln!(text, "  {} not listed (`--limit`)", plural(self.left_out, "instance"));
        }
        text
    }
}

/// `4`, `4..6`, nothing.
fn range(range: Option<Range>) -> String {
    match range {
        Some(Range { least, greatest }) if least == greatest => grouped(least),
        Some(Range { least, greatest }) => format!("{}..{}", grouped(least), grouped(greatest)),
        None => String::new(),
    }
}
