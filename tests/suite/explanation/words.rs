//! What an explanation says can be read: letters stand for nodes that matter, each told from those before it.

use std::collections::BTreeSet;

use paramcheck_explanation::pattern::{Pattern, Role, Way};
use paramcheck_explanation::{Explained, ShownSet};
use paramcheck_model::system::System;

/// No set has more lines of nodes and places.
const MOST_LINES: usize = 40;
/// Half of the sets have at most so many.
const MEDIAN_LINES: usize = 6;

/// All sets that are shown are said well; how many lines each takes is added to `lines`.
pub(super) fn assert_plain(system: &System, explained: &Explained, what: &str, lines: &mut Vec<usize>) {
    let never = explained.explanation.never_fires.iter().map(|one| &one.reason);
    let reasons = [&explained.explanation.reason].into_iter().chain(never);
    for set in reasons.flat_map(|reason| &reason.sets) {
        assert_told_in_order(set, what);
        assert_each_matters(set, what);
        assert_nothing_twice(set, what);
        assert_none_is_free(system, &set.pattern, what);
        assert_one_list(set, what);
        assert_conditions_are_told(set, what);
        assert_alternatives_are_told_apart(set, what);
        let count = set.nodes.len() + set.places.len();
        assert!(count <= MOST_LINES, "{what}: {count} lines\n{set:#?}");
        assert!(set.summary.contains(": "), "{what}: {}", set.summary);
        lines.push(count);
    }
}

/// What a node has under one condition is said once, or as a choice.
fn assert_alternatives_are_told_apart(set: &ShownSet, what: &str) {
    if !set.places.iter().any(|line| line.starts_with("either ")) {
        return;
    }
    let condition = |line: &str| {
        let condition = line.rsplit_once(" (")?.1.trim_end_matches(')').split(';').next()?;
        condition.contains(" by ").then(|| condition.to_owned())
    };
    let mut known = BTreeSet::new();
    for line in &set.places {
        let Some(condition) = condition(line) else { continue };
        let is_new = known.insert(condition);
        assert_eq!(is_new, !line.starts_with("or "), "{what}: {line}\n{:#?}", set.places);
    }
}

/// Half of the sets are short.
pub(super) fn assert_short(mut lines: Vec<usize>) {
    lines.sort_unstable();
    let median = lines[lines.len() / 2];
    assert!(median <= MEDIAN_LINES, "the median set has {median} lines");
}

/// The letter that a line of a node tells, and its text.
fn node(line: &str) -> Option<(&str, &str)> {
    line.split_once(": ").filter(|(letter, _)| is_letter(letter))
}

fn is_letter(word: &str) -> bool {
    word.len() == 1 && word.chars().all(|one| one.is_ascii_uppercase())
}

/// The letters in a line.
fn letters(text: &str) -> BTreeSet<&str> {
    text.split_whitespace()
        .map(|word| word.trim_matches([',', ';', '(', ')']))
        .filter(|word| is_letter(word))
        .collect()
}

/// A line speaks only of letters before its own.
fn assert_told_in_order(set: &ShownSet, what: &str) {
    let mut known = BTreeSet::new();
    for (letter, text) in set.nodes.iter().filter_map(|line| node(line)) {
        let new: Vec<&str> = letters(text).into_iter().filter(|one| !known.contains(one)).collect();
        assert!(new.is_empty(), "{what}: {new:?} is not known yet\n{:#?}", set.nodes);
        known.insert(letter);
    }
}

/// A node with a letter has places, is by certain rules, or has nodes below it that do.
fn assert_each_matters(set: &ShownSet, what: &str) {
    for (position, line) in set.nodes.iter().enumerate() {
        let Some((letter, text)) = node(line) else { continue };
        let has_places = set.places.iter().any(|line| letters(line).contains(letter));
        let later = set.nodes[position + 1..].iter().filter_map(|line| node(line));
        let leads = later.into_iter().any(|(_, text)| letters(text).contains(letter));
        let is_restricted = text.contains("by ");
        assert!(has_places || leads || is_restricted, "{what}: {letter} does not matter\n{set:#?}");
    }
}

/// No variable stands twice in a list.
fn assert_nothing_twice(set: &ShownSet, what: &str) {
    for line in &set.places {
        for list in line.split('(').skip(1).filter_map(|rest| rest.split_once(')')).map(|(list, _)| list) {
            let words: Vec<&str> = list.split(", ").collect();
            let different: BTreeSet<&&str> = words.iter().collect();
            assert_eq!(words.len(), different.len(), "{what}: {line}");
        }
    }
    let different: BTreeSet<&String> = set.places.iter().collect();
    assert_eq!(set.places.len(), different.len(), "{what}: {:#?}", set.places);
}

/// A list belongs to one set: where a node that is there once goes on in several ways by one rule, these differ only in
/// which node below is meant.
fn assert_one_list(set: &ShownSet, what: &str) {
    let roles = &set.pattern.roles;
    let is_pass = |way: &Way| way.places.is_empty() && way.below.iter().flatten().count() == 1;
    let leads_back = |role: usize| {
        let (mut seen, mut open) = (BTreeSet::new(), vec![role]);
        while let Some(from) = open.pop() {
            let ways = roles[from].ways.iter().filter(|way| from != role || !is_pass(way));
            let below = ways.flat_map(|way| &way.below).flatten();
            open.extend(below.copied().filter(|one| seen.insert(*one)));
        }
        seen.contains(&role)
    };
    for (number, role) in roles.iter().enumerate().filter(|(number, _)| !leads_back(*number)) {
        let ways: Vec<&Way> = role.ways.iter().filter(|way| !is_pass(way)).collect();
        for (position, one) in ways.iter().enumerate() {
            for other in &ways[position + 1..] {
                let below = |way: &Way| {
                    let mut below = way.below.clone();
                    below.sort_unstable();
                    below
                };
                let is_alike = one.places == other.places && below(one) == below(other);
                let is_by_one = (&one.rule, &one.starts) == (&other.rule, &other.starts);
                // Where no node that comes next tells them apart, they are said to be alternatives.
                let is_alike = is_alike || set.places.iter().any(|line| line.starts_with("either "));
                assert!(!is_by_one || is_alike, "{what}: role {number} has two lists\n{set:#?}");
            }
        }
    }
}

/// The rules of a node can't be taken for those of another one that is a condition.
fn assert_conditions_are_told(set: &ShownSet, what: &str) {
    for (_, text) in set.nodes.iter().filter_map(|line| node(line)) {
        let after = text.split_once("(where ").map_or("", |(_, after)| after);
        assert!(!after.contains(", by "), "{what}: {text}");
        assert!(!text.contains("in some of these"), "{what}: {text}");
    }
    assert!(!set.places.iter().any(|line| line.contains("in some of these")), "{what}: {:#?}", set.places);
}

/// A role without places that accepts whatever is there is left out.
fn assert_none_is_free(system: &System, pattern: &Pattern, what: &str) {
    for role in pattern.roles.iter().skip(1) {
        let is_nothing = |role: &Role| {
            let mut ways = role.ways.iter();
            ways.all(|way| {
                way.places.is_empty() && way.starts.is_empty() && way.below.iter().all(Option::is_none)
            })
        };
        let by: BTreeSet<&str> = role.ways.iter().map(|way| way.rule.as_str()).collect();
        let mut rules =
            system.rules.iter().filter(|rule| system.predicates[rule.head].name == role.predicate);
        let is_total = rules.all(|rule| by.contains(rule.label.as_str()));
        assert!(!(is_nothing(role) && is_total), "{what}: {role:?}");
    }
}
