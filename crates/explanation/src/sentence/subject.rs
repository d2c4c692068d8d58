//! The components that a set is about, as one says them to someone who knows the model.

use std::collections::BTreeSet;

use super::nodes::{Nodes, Reached, ordinal};

/// No more nodes are said.
const MAX_PARTS: usize = 3;
/// No more relations of one node are said.
const MAX_RELATIONS: usize = 2;

/// `each Inner and its first child (Leaf)`.
pub(super) fn subject(nodes: &Nodes<'_>) -> String {
    let mut parts: Vec<String> = Vec::new();
    let is_one_set = nodes.is_one_set();
    let mut last = None;
    let mut excludes_others = false;
    for role in nodes.order.iter().copied() {
        let types = types(nodes, role);
        if types.is_empty() {
            continue;
        }
        // "Its" is the first node's; further on that would be a guess.
        let its = if parts.len() <= 1 { "its" } else { "that one's" };
        let own = part(nodes, role, &types, last.map(|last| (last, its)));
        // Where a tree has one such set at most, all nodes of a letter belong to it.
        let own = match own.strip_prefix("any one ").filter(|_| is_one_set) {
            Some(rest) => format!("every {rest} ({})", nodes.letter(role)),
            None => own,
        };
        let is_optional = last.is_some() && nodes.may_lack(role);
        let own = match is_optional {
            true => if_there(&own),
            false => own,
        };
        excludes_others |= is_optional && nodes.by(role).is_some() && nodes.is_the_only(role);
        let is_again = parts.contains(&own);
        parts.push(if is_again { own.replacen("any one ", "another ", 1) } else { own });
        last = Some(role);
    }
    let is_vague = parts.len() > MAX_PARTS;
    let subject = match parts.split_last() {
        _ if parts.len() > MAX_PARTS => {
            let mut all: Vec<&str> = nodes.order.iter().flat_map(|role| types(nodes, *role)).collect();
            all.sort_unstable();
            all.dedup();
            format!("some nodes of the tree ({})", all.join(", "))
        }
        Some((last, [])) => last.clone(),
        Some((last, [only])) if !only.contains(',') => format!("{only} and {last}"),
        Some((last, others)) => format!("{}, and {last}", others.join(", ")),
        None => "nothing".to_owned(),
    };
    // The first node is any of its rules, the others may restrict what is below it.
    let is_restricted = |role: &usize| {
        let is_any = matches!(nodes.reached(*role).0.first(), Some(Reached::Down(None, _)));
        let has_starts = nodes.stops(*role).any(|way| !way.starts.is_empty());
        has_starts || !is_any && nodes.by(*role).is_some()
    };
    // Nodes below which the set may end, or go on elsewhere, need not be there.
    let always = always_there(nodes);
    // A set from the root on is there once or not at all.
    let is_once = nodes.order.first().is_some_and(|role| nodes.reached(*role).0.contains(&Reached::Root));
    match (always.iter().any(is_restricted), is_once) {
        // The others need not be there, but no other node may be in their place.
        (false, _) if excludes_others && !is_vague => {
            format!("{subject}, only where no other node is there instead")
        }
        (true, true) => format!("only in trees that have such nodes: {subject}"),
        (true, false) => format!("{subject}, only where there are such nodes"),
        (false, _) => subject,
    }
}

/// `that one's second child (Worker) where it has one`: of a child that some nodes lack.
fn if_there(part: &str) -> String {
    let (head, rest) = match part.split_once("), ") {
        Some((head, rest)) => (format!("{head})"), format!(", {rest}")),
        None => (part.to_owned(), String::new()),
    };
    // What is further down, or any one of several, is not said to be a certain child.
    if !head.contains(" child") || head.contains("any one") {
        return part.to_owned();
    }
    let there = if head.contains(" children") { "where there are any" } else { "where there is one" };
    format!("{head} {there}{rest}")
}

/// The roles of nodes that are there wherever the set is.
fn always_there(nodes: &Nodes<'_>) -> BTreeSet<usize> {
    let mut open: Vec<usize> = nodes.order.first().copied().into_iter().collect();
    let mut always = BTreeSet::new();
    while let Some(role) = open.pop() {
        if always.insert(role) {
            open.extend(nodes.needed_below(role));
        }
    }
    always
}

/// The types of which a node has components in the set.
fn types<'a>(nodes: &Nodes<'a>, role: usize) -> Vec<&'a str> {
    let mut types: Vec<&str> = Vec::new();
    for places in nodes.stops(role).flat_map(|way| &way.places) {
        if !types.contains(&places.component.as_str()) {
            types.push(&places.component);
        }
    }
    types
}

/// `the second child of any of these`: where a node is that child of each node before it.
fn child_of_these(nodes: &Nodes<'_>, role: usize, forward: &BTreeSet<Reached>) -> Option<String> {
    let mut positions = BTreeSet::new();
    let mut from = BTreeSet::new();
    for one in forward {
        let Reached::Below(node, at, 2.., _) = one else { return None };
        let [position] = at[..] else { return None };
        positions.insert(position);
        from.insert(*node);
    }
    let before: BTreeSet<usize> = nodes.order.iter().copied().take_while(|one| *one != role).collect();
    match Vec::from_iter(positions)[..] {
        [position] if from.len() > 1 && from == before => {
            Some(format!("the {} child of any of these", ordinal(position)))
        }
        _ => None,
    }
}

/// Whether a node lies somewhere below one with an earlier letter.
fn is_below_named(reached: &Reached) -> bool {
    match reached {
        Reached::Below(..) => true,
        Reached::Down(Some(from), _) => is_below_named(from),
        Reached::Root | Reached::BelowRoot(..) | Reached::Down(None, _) => false,
    }
}

/// One node, seen from `last`, the node before it, of which something is called `its`.
fn part(nodes: &Nodes<'_>, role: usize, types: &[&str], last: Option<(usize, &str)>) -> String {
    let (forward, own) = nodes.reached(role);
    // Several rules make one component each, one rule may make several.
    let is_choice = nodes.stops(role).all(|way| way.places.len() <= 1);
    let listed = |word: &str| types.join(&format!(" {word} "));
    let some = listed(if is_choice { "or" } else { "and" });
    let all = listed("and");
    let whose = |from: usize| match (last, self::types(nodes, from).is_empty()) {
        (Some((last, its)), _) if last == from => its.to_owned(),
        (_, false) => format!("the {}'s", self::types(nodes, from).join(" or ")),
        (_, true) => "the root's".to_owned(),
    };
    let child = |whose: String, positions: &[usize], count: usize| match (positions, count) {
        (_, 1) => format!("{whose} child"),
        ([], _) => format!("any one of {whose} children"),
        ([one], _) => format!("{whose} {} child", ordinal(*one)),
        (all, count) if all.len() == count => format!("{whose} children"),
        (all, _) => {
            let words: Vec<String> = all.iter().map(|one| ordinal(*one)).collect();
            format!("{whose} {} child", words.join(" and "))
        }
    };
    let is_plain = forward.iter().all(|one| match one {
        Reached::Below(from, ..) => {
            !self::types(nodes, *from).is_empty() || nodes.reached(*from).0.contains(&Reached::Root)
        }
        _ => true,
    });
    let mut below: Vec<String> = (forward.iter())
        .filter_map(|one| match one {
            Reached::Below(from, positions, count, _) => Some(child(whose(*from), positions, *count)),
            _ => None,
        })
        .collect();
    if let Some(of_these) = child_of_these(nodes, role, &forward) {
        below = vec![of_these];
    }
    // Where a node may have one child or several: `its child or children`.
    if let [one, other] = &below[..]
        && (format!("{one}ren") == *other || format!("{other}ren") == *one)
    {
        below = vec![format!("{} or children", if one.len() < other.len() { one } else { other })];
    }
    let first = match (forward.first(), &below[..]) {
        (Some(Reached::Root), _) => format!("the {all}"),
        (Some(Reached::Down(None, None)), _) => {
            let rules: BTreeSet<&str> = nodes.stops(role).map(|way| way.rule.as_str()).collect();
            let makers = nodes.system.rules.iter().filter(|rule| !rules.contains(rule.label.as_str()));
            let mut others = makers.flat_map(|rule| rule.instance_atoms());
            let is_all = !others.any(|one| types.contains(&nodes.system.types[one.component].name.as_str()));
            match (is_all, types.len() == 1 || is_choice) {
                (true, true) => format!("each {some}"),
                (false, true) => format!("each {some} by {}", Vec::from_iter(rules).join(" or ")),
                (_, false) => format!("each node by {} ({some})", Vec::from_iter(rules).join(" or ")),
            }
        }
        // What takes several relations, or letters, is said below.
        (_, below)
            if (1..=MAX_RELATIONS).contains(&below.len())
                && forward.iter().all(|one| matches!(one, Reached::Below(..)))
                && is_plain =>
        {
            format!("{} ({some})", below.join(" or "))
        }
        // Only what is reached from a node before it is said to lie below one.
        _ if last.is_some() && forward.iter().all(is_below_named) => format!("any one {some} further down"),
        _ if forward.iter().all(|one| matches!(one, Reached::BelowRoot(..))) => {
            format!("any one {some} below the root")
        }
        _ => format!("any one {some} of the tree"),
    };
    match own.first() {
        None => first,
        Some(Reached::Below(_, positions, count, _)) => {
            let one = if first.contains("children") && !first.contains("any one of") {
                "their"
            } else {
                "that one's"
            };
            format!("{first}, {} and so on", child(one.to_owned(), positions, *count))
        }
        Some(_) => format!("{first}, and others from there on down"),
    }
}
