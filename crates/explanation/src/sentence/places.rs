//! The places of a pattern, by rule and variable, a line each.
//!
//! Where every instance has the set, and a rule contributes the same wherever it is applied, nodes need no names.
//! Else each role is a node with a letter, and first it is said where that node is and by which rules: the set is
//! there only where a tree has such nodes. Roles that only hand on to another are what lies between.

use std::collections::{BTreeMap, BTreeSet};

use paramcheck_model::system::System;

use crate::pattern::{Pattern, Places, Way, Weighted};

/// A rule and a variable for which it makes a component.
type Made<'a> = (&'a str, &'a str);

/// How nodes are called, and the places.
pub(crate) fn places(
    system: &System,
    pattern: &Pattern,
    is_everywhere: bool,
    is_weighted: bool,
) -> (Vec<String>, Vec<String>) {
    if is_everywhere && let Some(by_rule) = pattern.uniform(system) {
        return (Vec::new(), everywhere(system, &by_rule, is_weighted));
    }
    let names = Names::of(system, pattern);
    let nodes = names.shown.iter().map(|(role, letter)| format!("{letter}: {}", names.where_is(*role)));
    let walk = names
        .is_ambiguous()
        .then(|| "(where such nodes can be chosen in several ways, each way gives a set)".to_owned());
    let nodes = nodes.chain(walk);
    let mut lines: BTreeMap<(usize, &str, &[Weighted]), Vec<Made<'_>>> = BTreeMap::new();
    for (position, (role, _)) in names.shown.iter().enumerate() {
        for way in &pattern.roles[*role].ways {
            for Places { variable, component, states } in &way.places {
                lines.entry((position, component, states)).or_default().push((&way.rule, variable));
            }
        }
    }
    let lines = lines.into_iter().map(|((position, component, states), made)| {
        let (_, letter) = &names.shown[position];
        format!(
            "{} of the {component} that {letter} makes as {}",
            states_of(states, is_weighted),
            by_rules(&made)
        )
    });
    (nodes.collect(), lines.collect())
}

/// The places of a set in which a rule contributes the same wherever it is applied.
fn everywhere(system: &System, by_rule: &BTreeMap<&str, &[Places]>, is_weighted: bool) -> Vec<String> {
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
        match (made.len() == all, is_once && made.len() == 1) {
            (true, true) => format!("{} of the {component}", states_of(states, is_weighted)),
            (true, false) => format!("{} of every {component}", states_of(states, is_weighted)),
            (false, true) => {
                format!("{} of the {component} made by {}", states_of(states, is_weighted), by_rules(&made))
            }
            (false, false) => {
                format!("{} of every {component} made by {}", states_of(states, is_weighted), by_rules(&made))
            }
        }
    };
    lines.into_iter().map(line).collect()
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

/// `busy` or `waiting`, with their weights if the kind has some.
fn states_of(states: &[Weighted], is_weighted: bool) -> String {
    let words: Vec<String> = states
        .iter()
        .map(|one| {
            if !is_weighted {
                format!("`{}`", one.state)
            } else {
                format!("{:+} for `{}`", one.weight, one.state)
            }
        })
        .collect();
    words.join(", ")
}

/// Letters for the roles that are more than a way to others: those with places, those that branch, and those below
/// which certain rules only may be used.
struct Names<'a> {
    system: &'a System,
    pattern: &'a Pattern,
    /// Role and letter, from the root downwards.
    shown: Vec<(usize, String)>,
}

/// How a role is reached from those above.
#[derive(Default)]
struct Reached {
    /// Directly below these: `the node below A`.
    directly: BTreeSet<String>,
    /// Somewhere below these.
    through: BTreeSet<String>,
    /// The roles without a letter on the way.
    between: BTreeSet<usize>,
    /// Whether it may be below itself.
    is_repeated: bool,
}

impl Reached {
    /// All of it; `any node below A` includes the one just below.
    fn places(&self) -> Vec<String> {
        let is_new = |one: &&String| {
            let mut all = self.through.iter();
            !all.any(|through| through.starts_with(one.as_str()) || through.ends_with(after_below(one)))
        };
        self.through.iter().chain(self.directly.iter().filter(is_new)).cloned().collect()
    }
}

impl<'a> Names<'a> {
    fn of(system: &'a System, pattern: &'a Pattern) -> Names<'a> {
        let is_shown = |role: &usize| !pattern.roles[*role].ways.iter().all(Way::is_pass);
        let shown = (0..pattern.roles.len()).filter(is_shown).enumerate();
        Names { system, pattern, shown: shown.map(|(number, role)| (role, letter(number))).collect() }
    }

    fn letter(&self, role: usize) -> Option<&str> {
        self.shown.iter().find(|(known, _)| *known == role).map(|(_, letter)| letter.as_str())
    }

    /// The ways from which a role is reached: their roles, which of their nodes below it is, and of how many.
    fn ways_to(&self, role: usize) -> impl Iterator<Item = (usize, &Way, usize)> {
        let roles = self.pattern.roles.iter().enumerate();
        let ways = roles.flat_map(|(parent, one)| one.ways.iter().map(move |way| (parent, way)));
        ways.flat_map(move |(parent, way)| {
            let below = way.below.iter().enumerate().filter(move |(_, below)| **below == Some(role));
            below.map(move |(position, _)| (parent, way, position))
        })
    }

    fn reached(&self, role: usize) -> Reached {
        let mut reached = Reached::default();
        let mut open = vec![(role, true)];
        let mut seen = BTreeSet::new();
        while let Some((at, is_direct)) = open.pop() {
            for (parent, way, position) in self.ways_to(at) {
                if parent == role && is_direct {
                    // A node that only hands on is on the way, one with places is there itself.
                    let has_places = self.pattern.roles[role].ways.iter().any(|way| !way.places.is_empty());
                    if way.is_pass() && has_places {
                        reached.between.insert(role);
                    } else {
                        reached.is_repeated = true;
                    }
                    continue;
                }
                let name = self.letter(parent).or((parent == 0).then_some("the root"));
                match name {
                    Some(name) if is_direct => {
                        let which = match way.below.len() {
                            1 => "the node below".to_owned(),
                            _ => format!("the {} node below", ordinal(position)),
                        };
                        let rules = self.pattern.roles[parent].ways.iter();
                        let leads = |way: &Way| way.below.contains(&Some(role));
                        let is_sure = rules.clone().all(leads);
                        let by = if is_sure { String::new() } else { format!(" if that is by {}", way.rule) };
                        reached.directly.insert(format!("{which} {name}{by}"));
                    }
                    Some(name) => {
                        reached.through.insert(format!("any node below {name}"));
                    }
                    None => {}
                }
                if self.letter(parent).is_none() && seen.insert(parent) {
                    if parent != 0 || self.ways_to(0).next().is_some() {
                        reached.between.insert(parent);
                    }
                    open.push((parent, false));
                }
            }
        }
        if !reached.between.is_empty() && reached.through.is_empty() {
            reached.through =
                reached.directly.iter().map(|one| format!("{one}, or any below that")).collect();
        }
        reached
    }

    /// Where the node of a role is, seen from others, and by which rules.
    fn where_is(&self, role: usize) -> String {
        let reached = self.reached(role);
        let rules: BTreeSet<String> = (self.pattern.roles[role].ways.iter())
            .filter(|way| !way.is_pass() || !reached.between.contains(&role))
            .map(|way| self.with_starts(way))
            .collect();
        let rules = Vec::from_iter(rules).join(" or ");
        let places = reached.places();
        let mut place = places.join(", or ");
        if role == 0 {
            let below = if reached.between.is_empty() { "the root" } else { "any node" };
            place = if place.is_empty() { below.to_owned() } else { format!("{below}, or {place}") };
        }
        if reached.is_repeated {
            place += ", and each node below that in turn";
        }
        match self.only_through(&reached.between) {
            Some(only) => format!("{place}, by {rules}; the nodes between are by {only}"),
            None => format!("{place}, by {rules}"),
        }
    }

    /// Whether a set may have the places of some of the nodes only.
    fn is_ambiguous(&self) -> bool {
        let reached: Vec<Reached> = self.shown.iter().map(|(role, _)| self.reached(*role)).collect();
        let has_two = |one: &Reached| one.places().len() > 1;
        let far = reached.iter().filter(|one| !one.through.is_empty()).count();
        !self.pattern.is_single() && (far > 1 || reached.iter().any(has_two))
    }

    /// A rule, and where its components start if that matters.
    fn with_starts(&self, way: &Way) -> String {
        let starts =
            way.starts.iter().map(|one| format!("{} starts in {}", one.variable, one.states.join(" or ")));
        let starts: Vec<String> = starts.collect();
        if starts.is_empty() {
            way.rule.clone()
        } else {
            format!("{} where {}", way.rule, starts.join(" and "))
        }
    }

    /// The rules by which nodes between may be, if not all will do.
    fn only_through(&self, between: &BTreeSet<usize>) -> Option<String> {
        let mut used: BTreeSet<(String, usize)> = BTreeSet::new();
        let mut all: BTreeSet<(String, usize)> = BTreeSet::new();
        let mut is_free = true;
        for role in between {
            let role = &self.pattern.roles[*role];
            for way in role.ways.iter().filter(|way| way.is_pass()) {
                is_free &= way.starts.is_empty();
                let below = way.below.iter().enumerate().filter(|(_, below)| below.is_some());
                used.extend(below.map(|(position, _)| (way.rule.clone(), position)));
            }
            let rules = self.system.rules.iter();
            for rule in rules.filter(|rule| self.system.predicates[rule.head].name == role.predicate) {
                all.extend(
                    (0..rule.predicate_atoms().count()).map(|position| (rule.label.clone(), position)),
                );
            }
        }
        if is_free && used == all {
            return None;
        }
        let branches = |rule: &str| {
            let rule = self.system.rules.iter().find(|one| one.label == rule);
            rule.map_or(0, |rule| rule.predicate_atoms().count())
        };
        let words = used.iter().map(|(rule, position)| match branches(rule) {
            0 | 1 => rule.clone(),
            _ => format!("{rule} ({} below)", ordinal(*position)),
        });
        Some(words.collect::<Vec<_>>().join(" or "))
    }
}

/// `below A` of `the node below A if …`.
fn after_below(text: &str) -> &str {
    let after = text.find("below ").map_or(text, |at| &text[at..]);
    after.split_once(" if ").map_or(after, |(after, _)| after)
}

fn ordinal(position: usize) -> String {
    match ["first", "second", "third", "fourth"].get(position) {
        Some(word) => (*word).to_owned(),
        None => format!("{}th", position + 1),
    }
}

/// The name of a node: `A`, `B` …
fn letter(number: usize) -> String {
    super::letter(number).to_uppercase()
}
