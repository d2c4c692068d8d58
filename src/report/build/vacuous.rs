//! What makes a proof look vacuous: as data, and in words.

use crate::report::text::plural;
use crate::report::{EverySize, InteractionName, Remark, UpTo, Vacuous, names};
use paramcheck_model::rule::{InteractionId, RuleId};
use paramcheck_model::system::System;
use paramcheck_text::index::Idx;

/// At most this many states, or interactions, are named in a remark.
const MAX_NAMED: usize = 4;

/// As data.
pub(super) fn report(system: &System, vacuous: &paramcheck_verdict::Vacuous) -> Option<Vacuous> {
    Some(Vacuous {
        states: vacuous.states.iter().map(|&((owner, state), _)| system.state_name(owner, state)).collect(),
        interactions: vacuous.interactions.iter().map(|&(one, _)| interaction(system, one)).collect(),
        up_to: match vacuous.up_to()? {
            paramcheck_verdict::UpTo::Size(size) => UpTo::Size(size),
            paramcheck_verdict::UpTo::EverySize => UpTo::Proved(EverySize::EverySize),
        },
    })
}

/// In words: what is proved for every size, and what was only explored, apart.
pub(super) fn remarks(system: &System, vacuous: &paramcheck_verdict::Vacuous) -> Vec<Remark> {
    let state = |&((owner, state), up_to): &(_, _)| (format!("`{}`", system.state_name(owner, state)), up_to);
    let states: Vec<_> = vacuous.states.iter().map(state).collect();
    let mut remarks: Vec<Remark> = grouped(&states)
        .map(|(names, up_to)| {
            let verb = if names.len() == 1 { "is" } else { "are" };
            let states = listed(&names);
            let text =
                format!("{states}, of which the error speaks, {verb} never entered {}", where_so(up_to));
            Remark { code: "never-entered", text }
        })
        .collect();
    if vacuous.all_interactions && !vacuous.interactions.is_empty() {
        if let Some(up_to) = vacuous.interactions.iter().map(|&(_, up_to)| up_to).min() {
            let text = format!("no interaction ever fires {}", where_so(up_to));
            remarks.push(Remark { code: "nothing-fires", text });
        }
        return remarks;
    }
    let firing = |&(one, up_to): &(_, _)| {
        let InteractionName { rule, text, .. } = interaction(system, one);
        (format!("`{text}` of {rule}"), up_to)
    };
    let interactions: Vec<_> = vacuous.interactions.iter().map(firing).collect();
    remarks.extend(grouped(&interactions).map(|(names, up_to)| {
        let verb = if names.len() == 1 { "fires" } else { "fire" };
        let text = format!("{} never {verb} {}", listed(&names), where_so(up_to));
        Remark { code: "never-fires", text }
    }));
    remarks
}

fn interaction(system: &System, (rule, interaction): (RuleId, InteractionId)) -> InteractionName {
    let definition = &system.rules[rule];
    InteractionName {
        rule: definition.label.clone(),
        interaction: interaction.index(),
        text: names::interaction(system, definition, &definition.interactions[interaction]),
    }
}

/// The names by what they are about; what is proved comes first.
fn grouped(
    all: &[(String, paramcheck_verdict::UpTo)],
) -> impl Iterator<Item = (Vec<&str>, paramcheck_verdict::UpTo)> {
    let mut groups: Vec<paramcheck_verdict::UpTo> = all.iter().map(|&(_, up_to)| up_to).collect();
    groups.sort_by_key(|&up_to| std::cmp::Reverse(up_to));
    groups.dedup();
    let members = |group| all.iter().filter(move |(_, up_to)| *up_to == group).map(|(name, _)| name.as_str());
    groups.into_iter().map(move |group| (members(group).collect(), group))
}

/// `a, b and 3 more`
fn listed(names: &[&str]) -> String {
    let shown = names.get(..MAX_NAMED).filter(|_| names.len() > MAX_NAMED + 1).unwrap_or(names);
    match (shown, names.len() - shown.len()) {
        ([one], 0) => (*one).to_owned(),
        ([first @ .., last], 0) => format!("{} and {last}", first.join(", ")),
        (shown, more) => format!("{} and {more} more", shown.join(", ")),
    }
}

fn where_so(up_to: paramcheck_verdict::UpTo) -> String {
    match up_to {
        paramcheck_verdict::UpTo::EverySize => "in any instance".to_owned(),
        paramcheck_verdict::UpTo::Size(size) => {
            format!("in any instance of up to {}", plural(size, "component"))
        }
    }
}
