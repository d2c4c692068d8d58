//! Why an answer is right, as lines.
//!
//! A proof: each set with its places, spelled out in one instance, and what the error would do to it. A
//! violation: its last steps. An unknown: the candidate, and what was tried on it.

use itertools::Itertools;

use super::{Lines, formula, plural, step, unknown};
use crate::report::why::Why;
use crate::report::{Answer, Question};
use paramcheck_invariants::kind::InvariantKind;

use paramcheck_explanation::{Explanation, Place, Reason, ShownSet, letter};

/// A trace of no more steps is shown whole.
const MAX_STEPS: usize = 8;
/// Of a longer one, the last steps before the error.
const MAX_LAST_STEPS: usize = 3;
/// Where there are more sets, those that are needed in larger instances only are counted.
const MAX_ALL: usize = 5;
/// No more sets of one family are spelled out.
const MAX_SETS: usize = 3;
/// No more families of the same states are said.
const MAX_ALIKE: usize = 3;

impl Lines<'_> {
    /// What `paramcheck why` says of a question.
    pub(super) fn why(&mut self, question: &Question) {
        self.fact("error", &formula::on_its_own(&question.formula));
        match question.verdict {
            Answer::Proved => match &question.why {
                Some(Why::Explained(explanation)) => self.explanation(explanation, question),
                Some(Why::Unexplained { unexplained }) => {
                    self.fact("why", &format!("not in words: {unexplained}"))
                }
                None => {}
            },
            Answer::Violated => self.last_steps(question),
            Answer::Unknown => {
                if question.instance.is_some() {
                    self.fact(
                        "why",
                        "the candidate below is an error, and no set of the kinds tried excludes it",
                    );
                }
                unknown::unknown(question, self);
            }
        }
    }

    /// A proof in a few lines: its sets, and what the error would do to them.
    pub(super) fn briefly(&mut self, why: &Why) {
        match why {
            Why::Explained(explanation) => {
                let (shown, _) = shown(&explanation.reason);
                for (position, set) in shown {
                    self.set(&format!("set {}", position + 1), set);
                }
                self.so(&explanation.reason);
            }
            Why::Unexplained { unexplained } => self.fact("sets", &format!("not in words: {unexplained}")),
        }
    }

    fn explanation(&mut self, explanation: &Explanation, question: &Question) {
        self.reason(false, &explanation.reason, explanation);
        for (position, never) in explanation.never_fires.iter().enumerate() {
            let number = position + 1;
            self.fact(
                &format!("never {number}"),
                &format!("in {}, {} never happens", never.rule, never.text),
            );
            self.reason(true, &never.reason, explanation);
        }
        let looked_at = match explanation.of_instances {
            Some(all) if all == explanation.instances && all > 1 => format!("all {all} instances"),
            Some(all) if all > explanation.instances => {
                format!("{} of the {all} instances", explanation.instances)
            }
            _ => plural(explanation.instances, "instance"),
        };
        let mut shown = format!(
            "these sets exclude every marking that is an error in {looked_at} of up to {}",
            plural(explanation.up_to_size, "component"),
        );
        if explanation.of_instances.is_some_and(|all| all > explanation.instances) {
            shown.push_str(" (more would take too long)");
        }
        if explanation.reason.open > 0 {
            shown = format!("{shown}, but for {}", plural(explanation.reason.open, "marking"));
        }
        if explanation.reason.shapes > 0 {
            self.fact("shown", &shown);
        }
        if let Some(tree) = &explanation.smallest_with_all {
            self.more(&format!(
                "no node of these instances is by {}; trees with such nodes may need further sets. The smallest \
                 is {tree}{}",
                explanation.missing_rules.join(" or "),
                match explanation.is_all_too_large {
                    true => "; it has too many markings to look at them",
                    false => "; --tree looks at it",
                },
            ));
        }
        let mut parts = vec![format!(
            "{} of sets, of which {} here",
            plural(explanation.reason.shapes, "shape"),
            match explanation.reason.used_shapes {
                1 => "1 is".to_owned(),
                used => format!("{used} are"),
            }
        )];
        if explanation.dropped > 0 {
            let dropped = plural(explanation.dropped, "interaction");
            parts.push(format!("{dropped} that never fire, of which {} here", explanation.never_fires.len()));
        }
        if question.exclusive_pairs > 0 {
            let pairs = plural(question.exclusive_pairs, "pair");
            parts.push(format!(
                "{pairs} of states that exclude each other, of which {} here",
                explanation.reason.exclusive.len()
            ));
        }
        self.fact("proof", &format!("the certificate, which the checker accepts, has {}", parts.join("; ")));
    }

    fn reason(&mut self, is_never: bool, reason: &Reason, explanation: &Explanation) {
        let (shown, more) = shown(reason);
        let mut said: Vec<(&str, String)> = Vec::new();
        for (position, set) in shown {
            // As in the sentences of the explanation.
            let name = if is_never { letter(position) } else { (position + 1).to_string() };
            self.set(&format!("set {name}"), set);
            match said.iter().find(|(known, _)| *known == set.because) {
                Some((_, like)) => self.more(&format!("for the same reason as set {like}")),
                None => {
                    self.more(&format!("because {}", set.because));
                    said.push((&set.because, name));
                }
            }
            self.instance_of(set, explanation);
        }
        if more > 0 {
            self.fact("more", &format!("{} needed in larger instances", plural_are(more, "set")));
        }
        for (position, pair) in reason.exclusive.iter().enumerate() {
            self.fact("exclusive", &pair.says);
            if reason.exclusive.get(position + 1).is_none_or(|next| next.because != pair.because) {
                self.more(&format!("because {}", pair.because));
            }
        }
        self.so(reason);
    }

    fn set(&mut self, name: &str, set: &ShownSet) {
        if set.nodes.is_empty() {
            self.fact(name, &format!("{} ({}):", set.says, set.kind));
        } else {
            self.fact(name, &format!("{} ({})", set.summary, set.kind));
        }
        for node in &set.nodes {
            self.wrapped(" ".repeat(19), node);
        }
        for line in &set.places {
            self.wrapped(" ".repeat(19), &format!("- {line}"));
        }
        self.alike(set);
    }

    /// Where the other sets of the same states are.
    fn alike(&mut self, set: &ShownSet) {
        let all = [&set.summary].into_iter().chain(&set.alike_summaries);
        let others: Vec<&String> = all.unique().skip(1).collect();
        for other in others.iter().take(MAX_ALIKE) {
            self.more(&format!("likewise, {other}"));
        }
        // Those that the sentence does not tell apart are told by their places.
        let more = set.alike.len() - others.len().min(MAX_ALIKE);
        if more > 0 {
            self.more(&format!("and likewise {} of the same states at other places", plural(more, "set")));
        }
    }

    fn instance_of(&mut self, set: &ShownSet, explanation: &Explanation) {
        let starts = set.initially.iter().copied().map(Some).chain(std::iter::repeat(None));
        let all = set.sets.iter().chain(&set.alike_sets).zip(starts);
        let all: Vec<_> =
            all.filter(|(places, _)| !places.is_empty()).unique_by(|(places, _)| *places).collect();
        if all.is_empty() {
            self.more(&format!("{} has no such nodes", explanation.instance));
            return;
        }
        self.more(&format!("in {}, for instance:", explanation.instance));
        for (places, start) in all.iter().take(MAX_SETS) {
            let start = start.filter(|_| all.len() == 1);
            let is_weighted = set.kind.parse().is_ok_and(InvariantKind::is_weighted);
            let start = start.map_or(String::new(), |start| match (is_weighted, start) {
                (true, _) => format!(" (which add up to {start} at the start)"),
                (false, 0) => " (none is marked at the start)".to_owned(),
                (false, 1) => " (1 is marked at the start)".to_owned(),
                (false, _) => format!(" ({start} are marked at the start)"),
            });
            self.wrapped(" ".repeat(19), &format!("{{ {} }}{start}", listed(places)));
        }
        if all.len() > MAX_SETS {
            self.more(&format!("  and {} more", all.len() - MAX_SETS));
        }
    }

    fn so(&mut self, reason: &Reason) {
        for (position, sentence) in reason.contradiction.iter().enumerate() {
            if position == 0 { self.fact("so", sentence) } else { self.more(sentence) }
        }
    }

    fn last_steps(&mut self, question: &Question) {
        let (Some(instance), Some(steps)) = (&question.instance, question.trace.as_deref()) else { return };
        self.instance("instance", instance);
        if steps.is_empty() {
            return self.fact("why", "the initial marking is an error");
        }
        let before = if steps.len() <= MAX_STEPS { 0 } else { steps.len() - MAX_LAST_STEPS };
        self.fact(
            "why",
            &match before {
                0 => "these steps lead to the error".to_owned(),
                before => format!("after {before} steps before them, these lead to the error"),
            },
        );
        for (number, one) in steps.iter().enumerate().skip(before) {
            self.wrapped(" ".repeat(8), &format!("{}. {}", number + 1, step(one)));
        }
        if let Some(marking) = &question.marking {
            self.fact("reached", "");
            self.marking(instance, marking);
        }
    }
}

/// The sets to be shown with their positions, and how many are left out.
fn shown(reason: &Reason) -> (Vec<(usize, &ShownSet)>, usize) {
    // In an instance that is too large no error markings are counted.
    let is_all = reason.sets.len() <= MAX_ALL || reason.error_markings == 0;
    let sets = reason.sets.iter().enumerate().filter(|(_, set)| is_all || set.excludes > 0);
    let sets: Vec<_> = sets.collect();
    let more = reason.sets.len() - sets.len();
    (sets, more)
}

fn plural_are(count: usize, noun: &str) -> String {
    format!("{} {}", plural(count, noun), if count == 1 { "is" } else { "are" })
}

/// `Node#1 busy, Node#2 busy`, with weights where one is not 1.
fn listed(places: &[Place]) -> String {
    let is_plain = places.iter().all(|place| place.weight == 1);
    let places = places.iter().map(|Place { component, state, weight, .. }| match is_plain {
        true => format!("{component} {state}"),
        false => format!("{weight:+} {component} {state}"),
    });
    itertools::join(places, ", ")
}
