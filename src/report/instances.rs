//! The document of `paramcheck instances`: the instances of a system, counted by size and listed, or one of
//! them in full. The field names are keys of its JSON document (`docs/json.md`).

use std::fmt::Write;
use std::ops::RangeInclusive;

use serde::Serialize;

use crate::report::explored::end_word;
use crate::report::text::table::{Align, Table};
use crate::report::text::{self, grouped, plural};
use crate::report::{Step, build};
use paramcheck_model::system::System;
use paramcheck_model::tree::RewritingTree;
use paramcheck_nets::explore::engine::End;
use paramcheck_nets::instance::census::SizeCount;
use paramcheck_nets::instance::net::Net;
use paramcheck_nets::instance::path::Paths;
use paramcheck_nets::instance::term::print_term;
use paramcheck_text::limits::{Budget, Phase};

/// What the document has of a file: the count.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Instances {
    /// One entry per size gone through, ascending.
    pub sizes: Vec<Size>,
    /// The instances, those with few components first, up to the limit; in the document they are the results.
    #[serde(skip)]
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
    /// How many nets they have that are not isomorphic: at least and at most.
    pub nets: Range,
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
    /// Which net it has, among those of its size that are not isomorphic, from 1; `None` where that takes
    /// too much work to find out.
    pub net: Option<usize>,
    /// The number of places.
    pub places: usize,
    /// The number of transitions.
    pub transition_count: usize,
    /// The rewriting tree as a term.
    pub term: String,
}

/// A result: an instance.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum InstanceResult {
    /// In a list.
    Listed(Listed),
    /// In full.
    Full(NetReport),
}

/// One instance in full, or as much of it as is wanted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NetReport {
    /// The number of components.
    pub size: usize,
    /// The rewriting tree as a term.
    pub term: String,
    /// The number of places.
    pub places: usize,
    /// The number of transitions.
    pub transition_count: usize,
    /// The number of local patterns that can occur.
    pub pattern_count: usize,
    /// The components, in preorder of the tree; where they start is the initial marking.
    pub components: Vec<NamedComponent>,
    /// The transitions, in preorder of the tree.
    pub transitions: Vec<Step>,
    /// The local patterns, in preorder of the tree.
    pub patterns: Vec<NamedPattern>,
    /// A stable word: `complete`, or why the lists end early, whatever the limit: `time-limit`,
    /// `memory-limit` or `interrupted`. In the document it stands with the file.
    #[serde(skip)]
    pub end: &'static str,
}

/// A component with its place in the tree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NamedComponent {
    /// Its name: the component type and a number from 1.
    pub name: String,
    /// Its component type.
    #[serde(rename = "type")]
    pub component_type: String,
    /// The state it starts in.
    pub initial: String,
    /// Where it stands in the tree, as in `Ring.1/Chain.2^3:x`.
    pub path: String,
    /// The node of the tree that creates it, in preorder.
    pub node: usize,
}

/// A local pattern of an instance.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NamedPattern {
    /// The error it is part of.
    pub error: String,
    /// The components that must be in certain states all at once.
    pub conditions: Vec<Condition>,
}

/// A component in some states.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Condition {
    /// The component's name.
    pub component: String,
    /// The states.
    pub states: Vec<String>,
}

impl Listed {
    /// The instance of `tree`. `net` is its net, `class` which of those that are not isomorphic.
    pub fn new(system: &System, tree: &RewritingTree, net: &Net, class: Option<usize>) -> Self {
        Listed {
            size: net.components().len(),
            net: class,
            places: net.place_count(),
            transition_count: net.transitions().len(),
            term: print_term(system, tree),
        }
    }
}

impl From<&RangeInclusive<usize>> for Range {
    fn from(range: &RangeInclusive<usize>) -> Self {
        Range { least: *range.start(), greatest: *range.end() }
    }
}

impl Range {
    /// `4`, `4..6`.
    fn text(self) -> String {
        let Range { least, greatest } = self;
        if least == greatest { grouped(least) } else { format!("{}..{}", grouped(least), grouped(greatest)) }
    }
}

/// Why a count or list ended early, for a person.
fn reason(end: &str) -> Option<&'static str> {
    match end {
        "time-limit" => Some("the time limit was reached"),
        "memory-limit" => Some("the memory limit was reached"),
        "interrupted" => Some("interrupted"),
        "too-large" => Some("the next instance has too many transitions"),
        _ => None,
    }
}

impl Instances {
    /// What was counted, with those `instances` that are to be listed.
    pub fn new(counts: &[SizeCount], end: End, instances: Vec<Listed>) -> Self {
        let counted: usize = counts.iter().map(|count| count.trees).sum();
        let size = |count: &SizeCount| Size {
            size: count.size,
            trees: count.trees,
            nets: Range::from(&count.nets),
            places: count.places.as_ref().map(Range::from),
            transitions: count.transitions.as_ref().map(Range::from),
            complete: count.is_complete,
        };
        Instances {
            sizes: counts.iter().map(size).collect(),
            left_out: counted.saturating_sub(instances.len()),
            instances,
            end: end_word(end),
        }
    }

    /// Nothing counted, for a report about one instance that ends as `end` says.
    pub fn none(end: &'static str) -> Self {
        Instances { sizes: Vec::new(), instances: Vec::new(), left_out: 0, end }
    }

    /// As lines for a person.
    pub fn text(&self, file: &str, system: &str) -> String {
        let mut text = format!("{file}: instances of {system}\n");
        let right = Align::Right;
        let mut table = Table::new(&[
            ("size", right),
            ("trees", right),
            ("nets", right),
            ("places", right),
            ("transitions", right),
        ]);
        let range = |range: Option<Range>| range.map_or_else(String::new, Range::text);
        for size in &self.sizes {
            let at_least = if size.complete { "" } else { "≥ " };
            table.row([
                grouped(size.size),
                format!("{at_least}{}", grouped(size.trees)),
                if size.complete { size.nets.text() } else { format!("≥ {}", grouped(size.nets.least)) },
                range(size.places),
                range(size.transitions),
            ]);
        }
        text.push_str(&table.lines(2));
        if !self.instances.is_empty() {
            text.push('\n');
            let mut table =
                Table::new(&[("size", right), ("net", right), ("transitions", right), ("tree", Align::Left)]);
            for one in &self.instances {
                let net = one.net.map_or_else(|| "?".to_owned(), grouped);
                table.row([grouped(one.size), net, grouped(one.transition_count), one.term.clone()]);
            }
            text.push_str(&table.lines(2));
        }
        if self.left_out > 0 {
            let _ = writeln!(text, "  {} not listed (--limit)", plural(self.left_out, "instance"));
        }
        let Some(reason) = reason(self.end) else { return text };
        let size = self.sizes.last().map_or(0, |last| last.size);
        let _ = writeln!(text, "  ended while counting size {}: {reason}", grouped(size));
        text
    }
}

impl NetReport {
    /// The instance of `tree`, at most `limit` of its components, transitions and patterns each. `net` is
    /// its net. In deep trees paths are long: the lists end where `budget` does.
    pub fn new(system: &System, tree: &RewritingTree, net: &Net, limit: usize, budget: &Budget) -> Self {
        budget.progress.enter(Phase::Listing);
        let may_go_on = || budget.check().is_ok();
        let paths = Paths::new(system, tree);
        let components = net.components().iter().take(limit).take_while(|_| may_go_on());
        let components = components.map(|component| {
            let component_type = &system.types[component.component_type];
            NamedComponent {
                name: component.name.clone(),
                component_type: component_type.name.clone(),
                initial: component_type.states[component.initial].name.clone(),
                path: paths.of(component),
                node: component.node,
            }
        });
        let transitions = net.transitions().iter().take(limit).take_while(|_| may_go_on());
        let patterns = net.patterns().iter().take(limit).take_while(|_| may_go_on());
        let patterns = patterns.map(|pattern| NamedPattern {
            error: system.pattern_groups[pattern.group].clone(),
            conditions: pattern
                .conditions
                .iter()
                .map(|(component, states)| {
                    let component = &net.components()[*component];
                    let known = &system.types[component.component_type].states;
                    Condition {
                        component: component.name.clone(),
                        states: states.iter().map(|&state| known[state].name.clone()).collect(),
                    }
                })
                .collect(),
        });
        NetReport {
            size: net.components().len(),
            term: print_term(system, tree),
            places: net.place_count(),
            transition_count: net.transitions().len(),
            pattern_count: net.patterns().len(),
            components: components.collect(),
            transitions: transitions.map(|transition| build::step(system, net, transition)).collect(),
            patterns: patterns.collect(),
            end: end_word(budget.check().map_or_else(End::Stopped, |()| End::Exhausted)),
        }
    }

    /// As lines for a person.
    pub fn text(&self, file: &str) -> String {
        let mut text = format!("{file}: {}\n", self.term);
        let mut counts = vec![
            plural(self.size, "component"),
            plural(self.places, "place"),
            plural(self.transition_count, "transition"),
        ];
        if self.pattern_count > 0 {
            counts.push(plural(self.pattern_count, "pattern"));
        }
        let _ = writeln!(text, "  {}", counts.join(", "));
        let left = Align::Left;
        let mut table = Table::new(&[("component", left), ("starts in", left), ("path", left)]);
        for one in &self.components {
            table.row([one.name.clone(), one.initial.clone(), one.path.clone()]);
        }
        let hint = if self.end == "complete" { " (--limit)" } else { "" };
        section(&mut text, &table, self.size - self.components.len(), "component", hint);
        let mut table = Table::new(&[("transition", left), ("changes", left)]);
        for step in &self.transitions {
            table.row([text::what(step), text::changes(step)]);
        }
        let left_out = self.transition_count - self.transitions.len();
        section(&mut text, &table, left_out, "transition", hint);
        let mut table = Table::new(&[("error", left), ("pattern", left)]);
        for pattern in &self.patterns {
            let conditions = pattern.conditions.iter().map(|condition| {
                let states = condition.states.join(" or ");
                format!("{} in {states}", condition.component)
            });
            table.row([pattern.error.clone(), itertools::join(conditions, ", ")]);
        }
        section(&mut text, &table, self.pattern_count - self.patterns.len(), "pattern", hint);
        if let Some(reason) = reason(self.end) {
            let _ = writeln!(text, "  ended early: {reason}");
        }
        text
    }
}

/// A table after an empty line, and how much was left out of it.
fn section(text: &mut String, table: &Table, left_out: usize, noun: &str, hint: &str) {
    let lines = table.lines(2);
    if !lines.is_empty() {
        text.push('\n');
        text.push_str(&lines);
    }
    if left_out > 0 {
        let _ = writeln!(text, "  {} not listed{hint}", plural(left_out, noun));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use paramcheck_text::limits::Stop;

    #[test]
    fn what_is_not_decided_is_shown_as_such() {
        let count = |size, trees, nets, is_complete| SizeCount {
            size,
            trees,
            nets,
            places: Some(4..=4),
            transitions: Some(2..=3),
            is_complete,
        };
        let listed = |net| Listed { size: 2, net, places: 4, transition_count: 2, term: "S.1".to_owned() };
        let counts = [count(2, 1000, 1..=12, true), count(3, 7, 2..=3, false)];
        let end = End::Stopped(Stop::Memory);
        let report = Instances::new(&counts, end, vec![listed(Some(1)), listed(None)]);
        insta::assert_snapshot!(report.text("a.rs", "S"), @r"
        a.rs: instances of S
          size  trees   nets  places  transitions
             2  1,000  1..12       4         2..3
             3    ≥ 7    ≥ 2       4         2..3

          size  net  transitions  tree
             2    1            2  S.1
             2    ?            2  S.1
          1,005 instances not listed (--limit)
          ended while counting size 3: the memory limit was reached
        ");
        assert_eq!((report.left_out, report.end), (1005, "memory-limit"));
    }
}
