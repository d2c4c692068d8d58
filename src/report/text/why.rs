//! Why an answer is right, as lines.
//!
//! A proof: each set with its places, spelled out in one instance, and what the error would do to it. A
//! violation: its steps. An unknown: the candidate, and what was tried on it.

use itertools::Itertools;

use super::{Detail, Lines, formula, plural, step, unknown};
use crate::report::why::Why;
use crate::report::{Answer, Question};
use paramcheck_invariants::kind::InvariantKind;

use paramcheck_explanation::{Explanation, Place, Reason, ShownSet, letter, term};

/// A trace of no more steps is shown whole.
const MAX_STEPS: usize = 20;
/// Of a longer one, so many at the beginning and at the end.
const MAX_END_STEPS: usize = 5;
/// Where there are more sets, those that are needed in other instances only are counted.
const MAX_ALL: usize = 16;
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
            Answer::Violated => self.steps_to_error(question),
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
                let (shown, _) = shown(&explanation.reason, self.at_most(MAX_ALL));
                let mut sums = 0;
                for (position, set) in shown {
                    sums += usize::from(is_sum(set));
                    self.set(&format!("set {}", position + 1), set, sums == 1 && is_sum(set));
                }
                self.so(&explanation.reason);
            }
            Why::Unexplained { unexplained } => self.fact("sets", &format!("not in words: {unexplained}")),
        }
    }

    /// As many as `most`, unless nothing is to be left out.
    fn at_most(&self, most: usize) -> usize {
        if self.style.detail == Detail::WhyInFull { usize::MAX } else { most }
    }

    fn explanation(&mut self, explanation: &Explanation, question: &Question) {
        if let Some(kinds) = &explanation.instead {
            self.fact(
                "shown by",
                &format!("{kinds}: another proof than the one found first, easier to follow"),
            );
        }
        self.reason(false, &explanation.reason, explanation);
        for (position, never) in explanation.never_fires.iter().enumerate() {
            let number = position + 1;
            self.fact(
                &format!("never {number}"),
                &format!("in {}, {} never happens", never.rule, never.text),
            );
            self.reason(true, &never.reason, explanation);
        }
        let shown = shown_for(explanation);
        if explanation.reason.shapes > 0 && explanation.no_error_up_to.is_none() {
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
        let of_all = |used: usize, all: usize, what: &str| match used == all {
            true if all == 1 => format!("its one {what}"),
            true => format!("all of its {all} {what}s"),
            false => format!("{used} of its {all} {what}s"),
        };
        let Reason { shapes, used_shapes, exclusive, .. } = &explanation.reason;
        let mut parts = Vec::new();
        if *shapes > 0 {
            parts.push(of_all(*used_shapes, *shapes, "shape"));
        }
        if explanation.dropped > 0 {
            parts.push(of_all(explanation.never_fires.len(), explanation.dropped, "dead interaction"));
        }
        if question.exclusive_pairs > 0 {
            parts.push(of_all(exclusive.len(), question.exclusive_pairs, "exclusive pair"));
        }
        let used =
            if parts.is_empty() { String::new() } else { format!("; used here: {}", parts.join(", ")) };
        self.fact("proof", &format!("for every size: the certificate, which the checker accepts{used}"));
    }

    fn reason(&mut self, is_never: bool, reason: &Reason, explanation: &Explanation) {
        let (shown, more) = shown(reason, self.at_most(MAX_ALL));
        let mut said: Vec<(&str, String)> = Vec::new();
        let mut sums = 0;
        for (position, set) in shown {
            // As in the sentences of the explanation.
            let name = if is_never { letter(position) } else { (position + 1).to_string() };
            sums += usize::from(is_sum(set));
            self.set(&format!("set {name}"), set, sums == 1 && is_sum(set));
            match said.iter().find(|(known, _)| *known == set.because) {
                Some((_, like)) => self.more(&format!("for the same reason as set {like}")),
                None => {
                    let colon = if set.steps.is_empty() { "" } else { ":" };
                    self.more(&format!("because {}{colon}", set.because));
                    for step in &set.steps {
                        self.wrapped(" ".repeat(19), &format!("- {step}"));
                    }
                    if set.steps.is_empty() {
                        said.push((&set.because, name));
                    }
                }
            }
            self.instance_of(set, explanation);
        }
        if more > 0 {
            self.fact(
                "more",
                &format!("{} needed in other instances: see --verbose", plural_are(more, "set")),
            );
        }
        for (position, pair) in reason.exclusive.iter().enumerate() {
            self.fact("exclusive", &pair.says);
            if reason.exclusive.get(position + 1).is_none_or(|next| next.because != pair.because) {
                self.more(&format!("because {}", pair.because));
            }
        }
        self.so(reason);
    }

    /// A set with its places; of a sum, what stands in brackets is told if `has_legend`.
    fn set(&mut self, name: &str, set: &ShownSet, has_legend: bool) {
        let legend = if has_legend { "; […]: how many are in such a state" } else { "" };
        if set.nodes.is_empty() {
            self.fact(name, &format!("{} ({}{legend}):", set.says, set.kind));
        } else {
            self.fact(name, &format!("{} ({}{legend})", set.summary, set.kind));
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
        let most = self.at_most(MAX_ALIKE);
        for other in others.iter().take(most) {
            self.more(&format!("likewise, {other}"));
        }
        // Those that the sentence does not tell apart are told by their places.
        let more = set.alike.len() - others.len().min(most);
        if more > 0 {
            self.more(&format!("and likewise {} of the same states at other places", plural(more, "set")));
        }
    }

    fn instance_of(&mut self, set: &ShownSet, explanation: &Explanation) {
        let all = set.spelled_out();
        if let Some(elsewhere) = &set.elsewhere {
            self.more(&format!("it is there for other instances, such as {}:", elsewhere.instance));
            return self.spelled_out(set, &all);
        }
        if all.is_empty() {
            self.more(&format!("{} has no such nodes", explanation.instance));
            return;
        }
        self.more(&format!("in {}, for instance:", explanation.instance));
        self.spelled_out(set, &all);
    }

    /// Sets of places, each with what is marked of it at the start, where there is only one.
    fn spelled_out(&mut self, set: &ShownSet, all: &[(&[Place], i64)]) {
        let most = self.at_most(MAX_SETS);
        for (places, start) in all.iter().take(most) {
            if let Some(kind) = set.kind.parse::<InvariantKind>().ok().filter(|kind| kind.is_weighted()) {
                self.wrapped(" ".repeat(19), &equation(kind, set.is_exact, places, *start));
                continue;
            }
            let start = match start {
                _ if all.len() > 1 => String::new(),
                0 => " (none is marked at the start)".to_owned(),
                1 => " (1 is marked at the start)".to_owned(),
                _ => format!(" ({start} are marked at the start)"),
            };
            self.wrapped(" ".repeat(19), &format!("{{ {} }}{start}", listed(places)));
        }
        if all.len() > most {
            self.more(&format!("  and {} more", all.len() - most));
        }
    }

    fn so(&mut self, reason: &Reason) {
        for (position, sentence) in reason.contradiction.iter().enumerate() {
            if position == 0 { self.fact("so", sentence) } else { self.more(sentence) }
        }
    }

    fn steps_to_error(&mut self, question: &Question) {
        let (Some(instance), Some(steps)) = (&question.instance, question.trace.as_deref()) else { return };
        self.instance("instance", instance);
        if steps.is_empty() {
            return self.fact("why", "the initial marking is an error");
        }
        let left_out = match steps.len() <= self.at_most(MAX_STEPS) {
            true => 0..0,
            false => MAX_END_STEPS..steps.len() - MAX_END_STEPS,
        };
        self.fact("why", &format!("{} to the error", plural_lead(steps.len())));
        for (number, one) in steps.iter().enumerate() {
            if number == left_out.start && !left_out.is_empty() {
                let all = "(`--verbose` shows them all)";
                self.wrapped(" ".repeat(8), &format!("… {} {all}", plural(left_out.len(), "step")));
            }
            if !left_out.contains(&number) {
                self.wrapped(" ".repeat(8), &format!("{}. {}", number + 1, step(one)));
            }
        }
        if let Some(marking) = &question.marking {
            self.fact("reached", "");
            self.marking(instance, marking);
        }
    }
}

/// For which instances the sets were shown to be enough.
fn shown_for(explanation: &Explanation) -> String {
    let Explanation { reason, instances, all_up_to_size, all_instances, .. } = explanation;
    let mut parts = Vec::new();
    if reason.is_enough == Some(true) {
        parts.push(explanation.instance.clone());
    }
    if *all_instances > 0 {
        let all = if *all_instances == 1 {
            "the one instance".to_owned()
        } else {
            format!("all {all_instances} instances")
        };
        parts.push(format!("{all} of up to {}", plural(*all_up_to_size, "component")));
    }
    let others = instances.saturating_sub(*all_instances);
    if others > 0 {
        let larger = if *all_instances > 0 { "larger ones" } else { "instances" };
        let larger = if others == 1 { larger.trim_end_matches('s') } else { larger };
        parts.push(format!("{others} {larger} of up to {}", plural(explanation.up_to_size, "component")));
    }
    let open = match reason.open {
        0 => String::new(),
        open => format!(", but for {}", plural(open, "marking")),
    };
    format!("these sets exclude every marking that is an error in {}{open}", parts.join(" and in "))
}

/// The sets to be shown with their positions, and how many are left out; where there are more than `most`, those that
/// are needed in other instances.
fn shown(reason: &Reason, most: usize) -> (Vec<(usize, &ShownSet)>, usize) {
    let is_all = reason.sets.len() <= most;
    let sets = reason.sets.iter().enumerate().filter(|(_, set)| is_all || set.elsewhere.is_none());
    let sets: Vec<_> = sets.collect();
    let more = reason.sets.len() - sets.len();
    (sets, more)
}

/// Whether places of a set have weights.
fn is_sum(set: &ShownSet) -> bool {
    set.kind.parse().is_ok_and(InvariantKind::is_weighted)
}

/// What always holds of a sum: `[Leaf#1 ready] ≤ [Root#1 w1] + 2·[Root#1 all]`. At the start both sides are equal.
fn equation(kind: InvariantKind, is_exact: bool, places: &[Place], start: i64) -> String {
    let side = |is_left: bool, constant: i64| {
        let mut terms: Vec<(&str, i64, Vec<&str>)> = Vec::new();
        for Place { component, state, weight, .. } in places.iter().filter(|one| (one.weight > 0) == is_left)
        {
            match terms.iter_mut().find(|(known, other, _)| (&**known, *other) == (component, weight.abs())) {
                Some((.., states)) => states.push(state),
                None => terms.push((component, weight.abs(), vec![state])),
            }
        }
        let mut words: Vec<String> = (terms.iter())
            .map(|(component, weight, states)| term(*weight, &format!("{component} {}", states.join(" or "))))
            .collect();
        if constant > 0 || words.is_empty() {
            words.push(constant.max(0).to_string());
        }
        words.join(" + ")
    };
    if let InvariantKind::Modulo(modulus) = kind {
        let remainder = start.rem_euclid(i64::from(modulus));
        return format!("{} leaves {remainder} when divided by {modulus}", side(true, 0));
    }
    let sign = if is_exact { '=' } else { '≤' };
    format!("{} {sign} {}", side(true, -start), side(false, start))
}

/// "these 9 steps lead".
fn plural_lead(steps: usize) -> String {
    match steps {
        1 => "this step leads".to_owned(),
        _ => format!("these {} lead", plural(steps, "step")),
    }
}

fn plural_are(count: usize, noun: &str) -> String {
    format!("{} {}", plural(count, noun), if count == 1 { "is" } else { "are" })
}

/// `Node#1 busy, Node#2 busy`.
fn listed(places: &[Place]) -> String {
    itertools::join(places.iter().map(|Place { component, state, .. }| format!("{component} {state}")), ", ")
}
