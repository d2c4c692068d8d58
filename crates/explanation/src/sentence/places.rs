//! The places of a pattern, by rule and variable, a line each.
//!
//! Where every instance has the set, and a rule contributes the same wherever it is applied, nodes need no names.
//! Else nodes have letters (`nodes`), and places are those of their components: the set is there only where a
//! tree has such nodes.

use std::collections::{BTreeMap, BTreeSet};

use paramcheck_model::system::System;

use super::nodes::{Nodes, ordinal, with_starts};
use super::sums::Sides;
use crate::pattern::{Pattern, Places, Way, Weighted};

/// A rule and a variable for which it makes a component.
type Made<'a> = (&'a str, &'a str);

/// A pattern in words.
pub(crate) struct Words {
    /// How nodes are called; empty where none needs a name.
    pub nodes: Vec<String>,
    /// The places.
    pub places: Vec<String>,
    /// The components that they are of, as the subject of a sentence; `None` where no node has a name.
    pub subject: Option<String>,
}

/// How many letters it takes to say which nodes a pattern is about.
pub(crate) fn length(system: &System, pattern: &Pattern) -> usize {
    Nodes::of(system, pattern).lines().iter().map(String::len).sum()
}

/// The pattern in words.
pub(crate) fn words(system: &System, pattern: &Pattern, is_everywhere: bool, is_weighted: bool) -> Words {
    let sides = is_weighted.then(|| Sides::of(pattern));
    if is_everywhere && let Some(by_rule) = pattern.uniform(system) {
        return Words { nodes: Vec::new(), places: everywhere(system, &by_rule, sides), subject: None };
    }
    let nodes = Nodes::of(system, pattern);
    let mut places = Vec::new();
    for role in &nodes.order {
        let alternatives = alternatives(&nodes, *role, sides);
        if !alternatives.is_empty() {
            places.extend(alternatives);
            continue;
        }
        let mut lines: BTreeMap<(&str, &[Weighted]), BTreeSet<BTreeSet<Made<'_>>>> = BTreeMap::new();
        for way in nodes.stops(*role) {
            let mut own: BTreeMap<(&str, &[Weighted]), BTreeSet<Made<'_>>> = BTreeMap::new();
            for Places { variable, component, states } in &way.places {
                own.entry((component, states)).or_default().insert((&way.rule, variable));
            }
            for (key, made) in own {
                lines.entry(key).or_default().insert(made);
            }
        }
        // What ways by different rules make is said together, unless ways by one rule differ in it.
        let lines = lines.into_iter().flat_map(|(key, made)| {
            let rules: BTreeSet<&str> = made.iter().flatten().map(|(rule, _)| *rule).collect();
            let is_one = rules.len() == made.len();
            let together: BTreeSet<Made<'_>> = made.iter().flatten().copied().collect();
            let made = if is_one { vec![together] } else { made.into_iter().collect() };
            made.into_iter().map(move |made| (key, made))
        });
        // The same states of several types are one line: a node has only one of them.
        let mut said: Vec<(String, Vec<String>, String)> = Vec::new();
        for ((component, states), made) in lines {
            let (what, of_which) = component_of(&nodes, *role, component, &made);
            let after = format!("{of_which}{}", in_which(&nodes, *role, (component, states), &made));
            for states in states_of(states, sides) {
                match said.iter_mut().find(|(known, _, end)| (known, end) == (&states, &after)) {
                    Some((_, components, _)) => components.push(what.clone()),
                    None => said.push((states, vec![what.clone()], after.clone())),
                }
            }
        }
        places.extend(said.into_iter().map(|(states, mut components, after)| {
            components.sort();
            format!("{states} of {}{after}", one_of(&components))
        }));
    }
    if !places.iter().any(|line| line.starts_with("either ")) {
        places.sort_by_key(|line| line.starts_with("right"));
    }
    Words { nodes: nodes.lines(), places, subject: Some(super::subject::subject(&nodes)) }
}

/// Where ways of a node by one rule can't be told by the nodes that come next: a line per way, with its
/// condition; where that is the same for several, `either …`, `or …`.
fn alternatives(nodes: &Nodes<'_>, role: usize, sides: Option<Sides>) -> Vec<String> {
    let ways: Vec<&Way> = nodes.stops(role).collect();
    let key = |way: &Way| {
        let below: Vec<Option<String>> =
            way.below.iter().map(|one| one.map(|one| nodes.letters(one))).collect();
        (way.rule.clone(), below)
    };
    let is_told = |(at, one): (usize, &&Way)| {
        ways[..at].iter().all(|other| key(other) != key(one) || other.places == one.places)
    };
    if ways.iter().enumerate().all(is_told) {
        return Vec::new();
    }
    // What a node has under a condition, in the order of the rules; where it may have several, each gives a set.
    let mut by_condition: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for way in &ways {
        let own = way.places.iter().flat_map(|Places { variable, component, states }| {
            let states = states_of(states, sides).into_iter();
            states.map(move |states| format!("{states} of the {component} {variable}"))
        });
        let own: Vec<String> = own.collect();
        let own = if own.is_empty() { "nothing".to_owned() } else { own.join("; ") };
        by_condition.entry(condition(nodes, role, way, &ways)).or_default().insert(own);
    }
    let lines = by_condition.into_iter().flat_map(|(condition, all)| {
        let count = all.len();
        all.into_iter().enumerate().map(move |(at, own)| match (count, at) {
            (1, _) => format!("{own} ({condition})"),
            (_, 0) => format!("either {own} ({condition}; each of these {count} choices gives a set)"),
            _ => format!("or {own} ({condition})"),
        })
    });
    lines.collect()
}

/// `C by Chain.1`, and where another way by this rule goes on elsewhere, where this one does.
fn condition(nodes: &Nodes<'_>, role: usize, way: &Way, ways: &[&Way]) -> String {
    let letters = |way: &Way| -> Vec<Option<String>> {
        way.below.iter().map(|one| one.map(|one| nodes.letters(one))).collect()
    };
    let own = letters(way);
    let by = format!("{} by {}", nodes.letter(role), with_starts(way));
    if ways.iter().all(|other| other.rule != way.rule || letters(other) == own) {
        return by;
    }
    let on = own.iter().enumerate().filter_map(|(at, letters)| Some((at, letters.clone()?)));
    format!("{by}, where {}", goes_on(own.len(), &on.collect::<Vec<_>>()))
}

/// `the Inner`, `the Inner or Leaf`, `the End, Inner or Leaf x`.
fn one_of(components: &[String]) -> String {
    match components {
        [first, between @ .., last] => {
            let name = |one: &String| one.strip_prefix("the ").unwrap_or(one).to_owned();
            let others = between.iter().map(|one| format!(", {}", name(one)));
            format!("{first}{} or {}", others.collect::<String>(), name(last))
        }
        [only] => only.clone(),
        [] => String::new(),
    }
}

/// Of several ways by one rule, some may have other places: those that have these, by the nodes that come next.
fn in_which(
    nodes: &Nodes<'_>,
    role: usize,
    (component, states): (&str, &[Weighted]),
    made: &BTreeSet<Made<'_>>,
) -> String {
    let ways = nodes.stops(role).filter(|way| made.iter().any(|(rule, _)| way.rule == **rule));
    let (mut with, mut without) = (BTreeSet::new(), BTreeSet::new());
    for way in ways {
        let own = way.places.iter().filter(|one| one.component == component && one.states == states);
        let own: BTreeSet<Made<'_>> = own.map(|one| (way.rule.as_str(), one.variable.as_str())).collect();
        let has = own.is_subset(made) && !own.is_empty();
        let on = way.below.iter().enumerate();
        let on: Vec<(usize, String)> =
            on.filter_map(|(at, below)| Some((at, nodes.letters((*below)?)))).collect();
        if has {
            with.insert((way.below.len(), on));
        } else {
            without.insert((way.below.len(), on));
        }
    }
    match without.is_empty() {
        true => String::new(),
        false => {
            let words: Vec<String> = with.iter().map(|(count, on)| goes_on(*count, on)).collect();
            format!(", where {}", words.join(", or "))
        }
    }
}

/// `the first node below is B`, of so many below.
fn goes_on(count: usize, on: &[(usize, String)]) -> String {
    if on.is_empty() {
        return "the set ends there".to_owned();
    }
    let words = on.iter().map(|(at, letters)| match count {
        1 => format!("the node below is {letters}"),
        _ => format!("the {} node below is {letters}", ordinal(*at)),
    });
    words.collect::<Vec<_>>().join(" and ")
}

/// `the Inner` ` of A`, `the Phil q` ` of A`, `the Phil` ` of A made by Chain.1 (q)`.
fn component_of(
    nodes: &Nodes<'_>,
    role: usize,
    component: &str,
    made: &BTreeSet<Made<'_>>,
) -> (String, String) {
    let system = nodes.system;
    let of = format!(" of {}", nodes.letter(role));
    let makes = |rule: &str| -> usize {
        let rules = system.rules.iter().filter(|one| one.label == rule);
        let atoms = rules.flat_map(|rule| rule.instance_atoms());
        atoms.filter(|atom| system.types[atom.component].name == component).count()
    };
    let rules: BTreeSet<&str> = nodes.stops(role).map(|way| way.rule.as_str()).collect();
    let makers: BTreeSet<&str> = rules.into_iter().filter(|rule| makes(rule) > 0).collect();
    let used: BTreeSet<&str> = made.iter().map(|(rule, _)| *rule).collect();
    let per_rule = |rule: &str| -> Vec<&str> {
        made.iter().filter(|(own, _)| *own == rule).map(|(_, variable)| *variable).collect()
    };
    let all_of = used.iter().all(|rule| per_rule(rule).len() == makes(rule));
    if makers == used && all_of {
        let is_one = used.iter().all(|rule| makes(rule) == 1);
        return (format!("{} {component}", if is_one { "the" } else { "every" }), of);
    }
    let variables: BTreeSet<Vec<&str>> = used.iter().map(|rule| per_rule(rule)).collect();
    if makers == used && variables.len() == 1 {
        let variables = variables.into_iter().flatten().collect::<Vec<_>>().join(" and ");
        return (format!("the {component} {variables}"), of);
    }
    let made: Vec<Made<'_>> = made.iter().copied().collect();
    (format!("the {component}"), format!("{of} made by {}", by_rules(&made)))
}

/// The places of a set in which a rule contributes the same wherever it is applied.
fn everywhere(system: &System, by_rule: &BTreeMap<&str, &[Places]>, sides: Option<Sides>) -> Vec<String> {
    let mut lines: BTreeMap<(&str, &[Weighted]), Vec<Made<'_>>> = BTreeMap::new();
    // In the order of the rules in the text.
    for rule in system.rules.iter() {
        for Places { variable, component, states } in
            by_rule.get(rule.label.as_str()).copied().unwrap_or_default()
        {
            lines.entry((component, states)).or_default().push((&rule.label, variable));
        }
    }
    let line = |((component, states), made): ((&str, &[Weighted]), Vec<Made<'_>>)| {
        let makers = system.rules.iter().filter(|rule| system.predicates[rule.head].is_reachable);
        let atoms = makers.flat_map(|rule| rule.instance_atoms());
        let all = atoms.filter(|atom| system.types[atom.component].name == component).count();
        let is_once = made.iter().all(|(label, _)| is_once(system, label));
        let which = match (made.len() == all, is_once && made.len() == 1) {
            (true, true) => format!("the {component}"),
            (true, false) => format!("every {component}"),
            (false, true) => format!("the {component} made by {}", by_rules(&made)),
            (false, false) => format!("every {component} made by {}", by_rules(&made)),
        };
        states_of(states, sides).into_iter().map(move |states| format!("{states} of {which}"))
    };
    let mut lines: Vec<String> = lines.into_iter().flat_map(line).collect();
    lines.sort_by_key(|line| line.starts_with("right"));
    lines
}

/// Whether a rule occurs once in a tree: it rewrites the root, and nothing leads back there.
fn is_once(system: &System, label: &str) -> bool {
    let is_root = system.rules.iter().any(|rule| rule.label == label && rule.head == system.root);
    let mut calls = system.rules.iter().flat_map(|rule| rule.predicate_atoms());
    is_root && calls.all(|call| call.predicate != system.root)
}

/// `Chain.1 (x, z) or Chain.2 (x)`.
fn by_rules(made: &[(&str, &str)]) -> String {
    let rules = made.chunk_by(|one, other| one.0 == other.0).map(|chunk| {
        let variables: Vec<&str> = chunk.iter().map(|(_, variable)| *variable).collect();
        format!("{} ({})", chunk.first().map_or("", |one| one.0), variables.join(", "))
    });
    let rules: Vec<String> = rules.collect();
    match rules.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
        None => String::new(),
    }
}

/// `busy`, `waiting`; of a sum its terms, a text per side.
fn states_of(states: &[Weighted], sides: Option<Sides>) -> Vec<String> {
    match sides {
        Some(sides) => sides.terms(states),
        None => {
            let words: Vec<String> = states.iter().map(|one| format!("`{}`", one.state)).collect();
            vec![words.join(", ")]
        }
    }
}
