//! A pattern with the same sets and as few roles and ways as can be found.
//!
//! A pattern is a tree automaton. Shapes of a certificate tell component types apart, so one place of a tree may
//! be reached by many roles that together accept every tree there with nothing in the set. Here roles that a node
//! may have by turns are put together (a subset construction from the root downwards), roles that come to the
//! same are one, and those that accept every tree and have nothing in the set are left out. That is decided
//! exactly: `classes` are the sets of roles that accept some tree, over all trees there are.

use std::collections::{BTreeMap, BTreeSet};

use paramcheck_model::rule::Rule;
use paramcheck_model::system::System;

use super::{Pattern, Role, Start, Way};

/// More roles are not put together: the pattern stays as it is.
const MAX_ROLES: usize = 200;
/// No more classes of trees are told apart, and no more ways to put them together are tried.
const MAX_CLASSES: usize = 64;
const MAX_TUPLES: usize = 20_000;
/// No more ways to start are told apart at one node.
const MAX_STARTS: usize = 256;
/// Putting together may allow for more of it: so often at most.
const MAX_ROUNDS: usize = 8;

/// Roles that a node may have by turns.
type Any = BTreeSet<usize>;

/// A way in which the roles below are sets of roles.
type Wide = (Way, Vec<Any>);

impl Pattern {
    /// See the module's text.
    pub(crate) fn simplified(mut self, system: &System) -> Pattern {
        for _ in 0..MAX_ROUNDS {
            let Some(next) = round(system, &self) else { break };
            if next == self {
                break;
            }
            self = next;
        }
        self
    }
}

/// The rule with this label.
fn rule<'a>(system: &'a System, label: &str) -> Option<&'a Rule> {
    system.rules.iter().find(|rule| rule.label == label)
}

/// The rules of a predicate.
pub(crate) fn rules_of<'a>(system: &'a System, predicate: &str) -> Vec<&'a Rule> {
    system.rules.iter().filter(|rule| system.predicates[rule.head].name == predicate).collect()
}

/// The ways in which the components of a rule may start, as states by variable; `None` where there are too many.
fn starts_of<'a>(system: &'a System, rule: &'a Rule) -> Option<Vec<Vec<(&'a str, &'a str)>>> {
    let mut all = vec![Vec::new()];
    for atom in rule.instance_atoms() {
        let variable = rule.variables[atom.variable].name.as_str();
        let states = &system.types[atom.component].states;
        all = (all.iter())
            .flat_map(|start: &Vec<_>| {
                atom.initial.iter().map(move |state| {
                    start.iter().copied().chain([(variable, states[*state].name.as_str())]).collect()
                })
            })
            .take(MAX_STARTS + 1)
            .collect();
        if all.len() > MAX_STARTS {
            return None;
        }
    }
    Some(all)
}

impl Way {
    fn allows(&self, starts: &[(&str, &str)]) -> bool {
        self.starts.iter().all(|one| {
            let mut own = starts.iter().filter(|(variable, _)| *variable == one.variable);
            own.all(|(_, state)| one.states.iter().any(|known| known == state))
        })
    }
}

/// The roles with nothing in the set at the node and below, whatever way is taken.
fn without_places(roles: &[Role]) -> Any {
    let mut empty: Any = (0..roles.len()).collect();
    loop {
        let is_empty = |role: &usize| {
            let mut ways = roles[*role].ways.iter();
            ways.all(|way| way.places.is_empty() && way.below.iter().flatten().all(|one| empty.contains(one)))
        };
        let left: Any = empty.iter().copied().filter(is_empty).collect();
        if left.len() == empty.len() {
            return left;
        }
        empty = left;
    }
}

/// Per predicate, for each tree of it that there is, the roles of `among` that accept it; `None` where there are
/// too many.
fn classes<'a>(system: &'a System, roles: &[Role], among: &Any) -> Option<BTreeMap<&'a str, BTreeSet<Any>>> {
    let mut classes: BTreeMap<&str, BTreeSet<Any>> = BTreeMap::new();
    loop {
        let before: usize = classes.values().map(BTreeSet::len).sum();
        for rule in system.rules.iter().filter(|rule| system.predicates[rule.head].is_reachable) {
            let head = system.predicates[rule.head].name.as_str();
            let mut below: Vec<Vec<&Any>> = vec![Vec::new()];
            for call in rule.predicate_atoms() {
                let known = classes.get(system.predicates[call.predicate].name.as_str());
                below = (below.iter())
                    .flat_map(|start| {
                        let known = known.into_iter().flatten();
                        known.map(move |one| start.iter().copied().chain([one]).collect())
                    })
                    .collect();
                if below.len() > MAX_TUPLES {
                    return None;
                }
            }
            let mut new = BTreeSet::new();
            for starts in starts_of(system, rule)? {
                for below in &below {
                    let accepts = |role: &usize| {
                        let ways = &roles[*role].ways;
                        roles[*role].predicate == head
                            && ways.iter().any(|way| {
                                let mut pairs = way.below.iter().zip(below);
                                way.rule == rule.label
                                    && way.allows(&starts)
                                    && pairs.all(|(role, class)| role.is_none_or(|one| class.contains(&one)))
                            })
                    };
                    new.insert(among.iter().copied().filter(accepts).collect::<Any>());
                }
            }
            classes.entry(head).or_default().extend(new);
        }
        let after: usize = classes.values().map(BTreeSet::len).sum();
        if after > MAX_CLASSES {
            return None;
        }
        if after == before {
            return Some(classes);
        }
    }
}

/// Drops ways that no tree can take to its leaves.
fn productive(roles: &[Role]) -> Vec<Role> {
    let mut ends: Any = BTreeSet::new();
    loop {
        let is_new = |role: &usize| {
            let leads = |way: &Way| way.below.iter().flatten().all(|one| ends.contains(one));
            !ends.contains(role) && roles[*role].ways.iter().any(leads)
        };
        let new: Vec<usize> = (0..roles.len()).filter(is_new).collect();
        if new.is_empty() {
            break;
        }
        ends.extend(new);
    }
    let mut roles = roles.to_vec();
    for role in &mut roles {
        role.ways.retain(|way| way.below.iter().flatten().all(|one| ends.contains(one)));
    }
    roles
}

fn round(system: &System, pattern: &Pattern) -> Option<Pattern> {
    let mut roles = productive(&pattern.roles);
    // What is left out becomes a role of its own, so that it can be put together with others.
    let mut nothing: BTreeMap<&str, usize> = BTreeMap::new();
    let count = roles.len();
    for predicate in system.predicates.iter() {
        nothing.insert(&predicate.name, roles.len());
        roles.push(Role { predicate: predicate.name.clone(), ways: Vec::new() });
    }
    let below = |rule: &Rule| -> Vec<usize> {
        let calls = rule.predicate_atoms();
        let names = calls.map(|call| system.predicates[call.predicate].name.as_str());
        names.filter_map(|name| nothing.get(name).copied()).collect()
    };
    for role in &mut roles[..count] {
        for way in &mut role.ways {
            let default = below(rule(system, &way.rule)?);
            for (one, default) in way.below.iter_mut().zip(default) {
                one.get_or_insert(default);
            }
        }
    }
    for rule in system.rules.iter() {
        let role = *nothing.get(system.predicates[rule.head].name.as_str())?;
        let below = below(rule).into_iter().map(Some).collect();
        let way = Way { rule: rule.label.clone(), starts: Vec::new(), places: Vec::new(), below };
        roles[role].ways.push(way);
    }
    let empty = without_places(&roles);
    let classes = classes(system, &roles, &empty)?;
    let canonical = |any: Any| -> Any {
        let Some(first) = any.first() else { return any };
        let predicate = roles[*first].predicate.as_str();
        let mut trees = classes.get(predicate).into_iter().flatten();
        let is_nothing = any.is_subset(&empty) && trees.all(|class| !class.is_disjoint(&any));
        match nothing.get(predicate) {
            Some(role) if is_nothing => BTreeSet::from([*role]),
            _ => any,
        }
    };
    let mut order = vec![BTreeSet::from([0])];
    let mut ways: Vec<Vec<Wide>> = Vec::new();
    while let Some(any) = order.get(ways.len()) {
        let own = any.iter().flat_map(|role| &roles[*role].ways).map(|way| {
            let below = way.below.iter().flatten().map(|role| canonical(BTreeSet::from([*role])));
            (Way { below: Vec::new(), ..way.clone() }, below.collect())
        });
        let own = put_together(system, own.collect(), &canonical);
        for one in own.iter().flat_map(|(_, below)| below) {
            if !order.contains(one) {
                order.push(one.clone());
            }
        }
        ways.push(own);
        if order.len() > MAX_ROLES {
            return None;
        }
    }
    let is_nothing = |any: &Any| any.len() == 1 && any.iter().all(|role| *role >= count);
    let new = order.iter().zip(ways).map(|(any, ways)| {
        let ways = ways.into_iter().map(|(way, below)| {
            let number = |any: &Any| {
                if is_nothing(any) { None } else { order.iter().position(|known| known == any) }
            };
            Way { below: below.iter().map(number).collect(), ..way }
        });
        let predicate = any.first().map_or_else(String::new, |role| roles[*role].predicate.clone());
        Role { predicate, ways: ways.collect() }
    });
    Some(without_twins(new.collect()))
}

/// The ways, as few as can be: two that differ in one thing are one.
fn put_together(system: &System, mut ways: Vec<Wide>, canonical: &impl Fn(Any) -> Any) -> Vec<Wide> {
    ways.sort();
    ways.dedup();
    'again: loop {
        for one in 0..ways.len() {
            for other in one + 1..ways.len() {
                if let Some(both) = both(system, &ways[one], &ways[other], canonical) {
                    ways[one] = both;
                    ways.remove(other);
                    continue 'again;
                }
            }
        }
        ways.sort();
        return ways;
    }
}

/// One way that allows for what two do, and for no more.
fn both(system: &System, one: &Wide, other: &Wide, canonical: &impl Fn(Any) -> Any) -> Option<Wide> {
    if (&one.0.rule, &one.0.places) != (&other.0.rule, &other.0.places) {
        return None;
    }
    let differs: Vec<usize> = (0..one.1.len()).filter(|at| one.1[*at] != other.1[*at]).collect();
    if one.0.starts == other.0.starts {
        return match differs[..] {
            [] => Some(one.clone()),
            [at] => {
                let mut both = one.clone();
                both.1[at] = canonical(one.1[at].union(&other.1[at]).copied().collect());
                Some(both)
            }
            _ => None,
        };
    }
    if !differs.is_empty() {
        return None;
    }
    let rule = rule(system, &one.0.rule)?;
    let all = |way: &Way| -> Vec<Start> {
        let start = |atom: &paramcheck_model::rule::InstanceAtom| {
            let variable = rule.variables[atom.variable].name.clone();
            let known = way.starts.iter().find(|start| start.variable == variable);
            let states = &system.types[atom.component].states;
            let free = || atom.initial.iter().map(|state| states[*state].name.clone()).collect();
            Start { states: known.map_or_else(free, |start| start.states.clone()), variable }
        };
        rule.instance_atoms().map(start).collect()
    };
    let free = all(&Way { starts: Vec::new(), ..one.0.clone() });
    let (mut mine, theirs) = (all(&one.0), all(&other.0));
    let positions: Vec<usize> = (0..mine.len()).filter(|at| mine[*at] != theirs[*at]).collect();
    let [at] = positions[..] else { return None };
    let is_in = |state: &String| mine[at].states.contains(state) || theirs[at].states.contains(state);
    mine[at].states = free[at].states.iter().filter(|state| is_in(state)).cloned().collect();
    let starts = mine.into_iter().zip(free).filter(|(start, free)| start != free).map(|(start, _)| start);
    Some((Way { starts: starts.collect(), ..one.0.clone() }, one.1.clone()))
}

/// Roles that come to the same are one (partition refinement); those that nothing leads to are dropped.
fn without_twins(roles: Vec<Role>) -> Pattern {
    let mut class: Vec<usize> = vec![0; roles.len()];
    let mut count = 1;
    loop {
        let mut numbers: BTreeMap<(&str, BTreeSet<Way>), usize> = BTreeMap::new();
        let next = roles.iter().map(|role| {
            let ways = role.ways.iter().map(|way| {
                let below = way.below.iter().map(|one| one.map(|role| class[role])).collect();
                Way { below, ..way.clone() }
            });
            let number = numbers.len();
            *numbers.entry((&role.predicate, ways.collect())).or_insert(number)
        });
        class = next.collect();
        if numbers.len() == count {
            break;
        }
        count = numbers.len();
    }
    let member = |number: usize| class.iter().position(|one| *one == number);
    let mut order: Vec<usize> = class.first().copied().into_iter().collect();
    let mut position = 0;
    while let Some(role) = order.get(position).and_then(|number| member(*number)) {
        position += 1;
        for below in roles[role].ways.iter().flat_map(|way| &way.below).flatten() {
            if !order.contains(&class[*below]) {
                order.push(class[*below]);
            }
        }
    }
    let number = |role: usize| order.iter().position(|one| *one == class[role]);
    let kept = order.iter().filter_map(|number| member(*number)).map(|role| {
        let ways: BTreeSet<Way> = (roles[role].ways.iter())
            .map(|way| Way {
                below: way.below.iter().map(|one| one.and_then(number)).collect(),
                ..way.clone()
            })
            .collect();
        Role { predicate: roles[role].predicate.clone(), ways: ways.into_iter().collect() }
    });
    Pattern { roles: kept.collect() }
}
