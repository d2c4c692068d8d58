//! Pictures of agents of LAbS: all states and triples, runs with their messages, and no text on another.

use std::fs;

use paramcheck::picture::agents;
use paramcheck::report::labs::document::{FORMAT, LabsTrace, RulesOfRun, VERSION};
use paramcheck::report::labs::{End, RunReport};
use paramcheck_emulation::labs::triples::{Texts, encode};
use paramcheck_labs::model::System;
use paramcheck_labs::semantics::explore::initial_values;
use paramcheck_labs::semantics::run::Ending;
use paramcheck_labs::semantics::step::{Label, Rules, State, Stepper};
use paramcheck_text::limits::Budget;
use paramcheck_text::random::Random;
use paramcheck_text::source::SourceFile;
use paramcheck_verdict::labs::ReplayedRun;
use roxmltree::{Document, Node};

use super::labels::{area, check_texts};
use super::{check_frame, groups, number, texts, title, words};
use crate::suite::labs::known::{each_run, folder};

/// Where a text of several pictures in one is.
fn placed(text: &Node) -> [f64; 4] {
    let mut place = area(text);
    for above in text.ancestors() {
        let Some(moved) = above.attribute("transform") else { continue };
        let way = moved.trim_start_matches("translate(").trim_end_matches(')');
        let (x, y) = way.split_once(' ').unwrap();
        let (x, y): (f64, f64) = (x.parse().unwrap(), y.parse().unwrap());
        place = [place[0] + x, place[1] + y, place[2] + x, place[3] + y];
    }
    place
}

/// No text of several pictures in one lies on another.
fn check_placed(name: &str, document: &Document) {
    let all: Vec<Node> = texts(document).collect();
    for (position, text) in all.iter().enumerate() {
        let one = placed(text);
        for other in &all[..position] {
            let two = placed(other);
            let is_apart = one[2].min(two[2]) - one[0].max(two[0]) < 0.5
                || one[3].min(two[3]) - one[1].max(two[1]) < 0.5;
            assert!(is_apart, "{name}: {:?} and {:?}", text.text(), other.text());
        }
    }
}

#[test]
fn what_agents_do_is_drawn() {
    let mut count = 0;
    for folder_of in ["examples", "points"] {
        each_run(folder_of, |name, system, _| {
            let file = name.split(' ').next().unwrap();
            let text = fs::read_to_string(folder(folder_of).join(file)).unwrap();
            let structures = encode(system, &Budget::unlimited()).unwrap();
            let texts_of = Texts { system, text: &text, rules: Rules::default() };
            let picture = agents::agents(texts_of, &structures, name).unwrap();
            let document = Document::parse(&picture).unwrap_or_else(|error| panic!("{name}: {error}"));
            check_frame(name, &document);
            check_placed(name, &document);
            let words = words(&document);
            let heads = document.descendants().filter(|node| node.has_tag_name("polygon")).count();
            let arrows = groups(&document, "transition").len() + groups(&document, "initial").len();
            assert_eq!(heads, arrows, "{name}");
            let labels: String = groups(&document, "transition")
                .into_iter()
                .map(|group| format!("{}\n", title(group)))
                .collect();
            let legends = words.join("\n");
            for (kind, structure) in structures.enumerate() {
                assert!(words.contains(&texts_of.heading(kind).as_str()), "{name}: {words:?}");
                for triple in &structure.triples {
                    let action = texts_of.action(triple);
                    let begin: String = action.chars().take(20).collect();
                    assert!(labels.contains(&begin) || legends.contains(&begin), "{name}: {action}");
                }
            }
            assert_eq!(picture, agents::agents(texts_of, &structures, name).unwrap(), "{name}");
            let dot = agents::dot(texts_of, &structures, name);
            assert!(dot.starts_with("digraph") && dot.contains("subgraph cluster_0"), "{name}: {dot}");
            count += 1;
        });
    }
    assert!(count > 40, "{count}");
}

/// A run at random of so many steps, with what its document has.
fn walk(system: &System, rules: Rules, steps: usize) -> Option<(LabsTrace, Vec<Label>, Vec<State>)> {
    let mut random = Random::new(7);
    let initial = initial_values(system, &rules, 100_000, &Budget::unlimited()).ok()?;
    let mut stepper = Stepper::new(system, rules);
    let mut states = vec![stepper.initial(initial.into_iter().next()?)];
    let mut labels = Vec::new();
    while labels.len() < steps {
        let next = stepper.successors(states.last().unwrap()).into_iter();
        let next: Vec<(Label, State)> =
            next.filter_map(|(label, outcome)| Some((label, outcome.ok()?))).collect();
        if next.is_empty() {
            break;
        }
        let (label, state) = next[(random.number() % next.len() as u64) as usize].clone();
        labels.push(label);
        states.push(state);
    }
    let run = ReplayedRun {
        places: labels.iter().map(|_| None).collect(),
        labels: labels.clone(),
        stores: states.iter().map(|state| state.store.clone()).collect(),
        ending: Ending::Open,
    };
    let document = LabsTrace {
        format: FORMAT.to_owned(),
        version: VERSION,
        system: "agents".to_owned(),
        rules: RulesOfRun::new(rules, &system.parameters),
        check: Some("P".to_owned()),
        formula: Some("always true".to_owned()),
        run: RunReport::new(system, &SourceFile::new("", ""), &run),
        fault: None,
    };
    assert_eq!(document.run.end, Some(End::Open));
    Some((document, labels, states))
}

#[test]
fn runs_show_each_step_and_who_takes_a_message() {
    let (mut steps, mut arrows) = (0, 0);
    for folder_of in ["examples", "points"] {
        for is_sync in [false, true] {
            each_run(folder_of, |name, system, _| {
                let rules = Rules { is_sync, ..Rules::default() };
                let Some((document, labels, states)) = walk(system, rules, 40) else { return };
                let drawn = agents::run::run(system, &document, (&labels, &states), false);
                let picture = drawn.unwrap_or_else(|error| panic!("{name}: {error}"));
                let parsed = Document::parse(&picture).unwrap_or_else(|error| panic!("{name}: {error}"));
                check_frame(name, &parsed);
                check_texts(name, &parsed);
                let shown = groups(&parsed, "step");
                assert_eq!(shown.len(), labels.len(), "{name}");
                for ((group, label), pair) in shown.iter().zip(&labels).zip(states.windows(2)) {
                    let is_tag = |node: &Node, tag: &str| node.has_tag_name(tag);
                    let heads = group.children().filter(|node| is_tag(node, "polygon")).count();
                    arrows += heads;
                    let discs = group.children().filter(|node| is_tag(node, "circle")).count();
                    let boxes = group.children().filter(|node| is_tag(node, "rect")).count();
                    match label {
                        Label::Act(_) => assert_eq!((discs, boxes), (0, 1), "{name}"),
                        Label::Propagate(sender, tuple) | Label::Confirm(sender, tuple) => {
                            assert_eq!((discs, boxes), (1, 0), "{name}");
                            let rank = |state: &State, agent| state.store.rank(system, agent, *tuple);
                            let older = |agent| rank(&pair[0], agent) < rank(&pair[0], *sender);
                            let equal = |agent| rank(&pair[1], agent) == rank(&pair[1], *sender);
                            let takers = system.holders(*tuple);
                            let takers = takers.filter(|agent| older(*agent) && equal(*agent)).count();
                            assert_eq!(heads, takers, "{name}");
                        }
                    }
                    steps += 1;
                }
                // Time goes downwards.
                let heights: Vec<f64> = shown
                    .iter()
                    .map(|group| {
                        number(group.children().find(|node| node.has_tag_name("text")).unwrap(), "y")
                    })
                    .collect();
                assert!(heights.windows(2).all(|pair| pair[0] < pair[1]), "{name}: {heights:?}");
            });
        }
    }
    assert!(steps > 1000 && arrows > 100, "{steps} {arrows}");
}

#[test]
fn long_runs_are_cut_and_large_ones_refused() {
    let mut cut = 0;
    each_run("examples", |name, system, _| {
        if !name.starts_with("leader.labs") && !name.starts_with("flock.labs") {
            return;
        }
        let Some((document, labels, states)) = walk(system, Rules::default(), 90) else { return };
        if labels.len() < 90 {
            return;
        }
        let picture = agents::run::run(system, &document, (&labels, &states), false).unwrap();
        let parsed = Document::parse(&picture).unwrap();
        check_texts(name, &parsed);
        assert_eq!(groups(&parsed, "step").len(), 40, "{name}");
        assert!(words(&parsed).contains(&"… 50 more steps …"), "{name}");
        let whole = agents::run::run(system, &document, (&labels, &states), true).unwrap();
        assert_eq!(groups(&Document::parse(&whole).unwrap(), "step").len(), 90, "{name}");
        cut += 1;
    });
    assert!(cut > 0);
}
