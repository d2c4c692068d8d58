//! Triples of agents as text: per kind a table of entry condition, guard, action, exit condition and the messages
//! caused; then the messages themselves, which are emulation functions without a program counter.
//!
//! The numbers are those of tables of processes: a list has the ids offered, an entry one that is asked for.
//! [`table`] writes lines, [`dot`](fn@super::dot) the same for Graphviz.

use std::fmt::Write as _;

use paramcheck_labs::model::{GuardId, KindId, NameId, System, TupleId};
use paramcheck_labs::semantics::step::{Rules, Schedule, Semantics};
use paramcheck_text::columns;
use paramcheck_text::index::{Idx, IndexVec};
use paramcheck_text::limits::{Budget, Stop};
use paramcheck_text::source::Span;

use super::{ComponentId, LocationId, Structure, Triple, TripleId};
use crate::process::counter_name;
use crate::table::{Entries, Row, Section, write};

/// What the conditions of all triples have in common is said once, above them.
const KEY: &str = "\
a list is a set of ids, all offered, none chosen yet; an entry k asks that k is offered; 0: ended, -: stuck,
w: waits until its operands are at 0, which is no step
";

/// What is printed besides the triples themselves.
#[derive(Clone, Copy, Debug)]
pub struct Texts<'a> {
    /// The system.
    pub system: &'a System,
    /// What it was read from.
    pub text: &'a str,
    /// Whose rules messages follow, and who acts next.
    pub rules: Rules,
}

/// The triples of all kinds as tables.
///
/// # Errors
/// The budget ended.
pub fn table(texts: Texts<'_>, all: &IndexVec<KindId, Structure>, budget: &Budget) -> Result<String, Stop> {
    let mut pace = budget.pace();
    let Texts { system, rules, .. } = texts;
    let count = all.iter().map(|structure| structure.triples.len()).sum::<usize>();
    let mut out = counted(count, "triple");
    let agents = system.agents.len();
    let held: usize = system.tuples.indices().map(|tuple| system.holders(tuple).count()).sum();
    let _ = writeln!(
        out,
        " of {}, {} of {}",
        counted(all.len(), "kind"),
        counted(2 * held, "message"),
        counted(agents, "agent")
    );
    out.push_str(KEY);
    let _ = writeln!(out, "{}", enabled(rules));
    for (kind, structure) in all.enumerate() {
        let mut rows = Vec::new();
        for (id, triple) in structure.triples.enumerate() {
            pace()?;
            rows.push(texts.row(kind, structure, id, triple));
        }
        let names = counters(system, kind, structure);
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let _ = writeln!(out, "\n{}", texts.heading(kind));
        out.push_str(&write(&names, &[Section { title: "triples".to_owned(), rows }]));
        out.push_str("\nlocations\n");
        for (component, known) in structure.components.enumerate() {
            let offers: Vec<String> =
                known.locations.indices().map(|location| offered(structure, component, location)).collect();
            let width = columns::width(offers.iter().map(String::as_str), columns::NAMES);
            for (location, offers) in known.locations.indices().zip(&offers) {
                pace()?;
                let what = what_is(structure, component, location);
                let line = format!("  pc{} = {offers:>width$}  {what}", component.index());
                let _ = writeln!(out, "{}", line.trim_end());
            }
        }
    }
    out.push_str(&messages(texts));
    Ok(out)
}

fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// What every triple asks besides its own condition.
pub(super) fn enabled(rules: Rules) -> String {
    let turn = match rules.schedule {
        Schedule::Free => "",
        Schedule::RoundRobin => ", and it is its turn, which passes agents that can't act",
        Schedule::StrictTurns => ", and it is its turn",
    };
    let at_once = if rules.is_sync { "; all messages are sent within the step that causes them" } else { "" };
    format!("a triple is enabled if its guard is true and its agent has no message to send{turn}{at_once}")
}

/// What the counters of a kind are called: that of the agent, and those of operands of `||`.
pub fn counters(system: &System, kind: KindId, structure: &Structure) -> Vec<String> {
    let name = &system.kinds[kind].name;
    let of = |component: ComponentId| match component.index() {
        0 => name.clone(),
        number => counter_name(name, number),
    };
    structure.components.indices().map(of).collect()
}

/// The ids offered by a location; 0 where it has ended, `w` where operands run, `-` where nothing can be done.
pub(super) fn offered(structure: &Structure, component: ComponentId, location: LocationId) -> String {
    let known = &structure.components[component].locations[location];
    match known.offers.as_slice() {
        _ if known.joined.is_some() => "w".to_owned(),
        [] if location.index() == 0 => "0".to_owned(),
        [] => "-".to_owned(),
        offers => itertools::join(offers.iter().map(|offer| offer.index() + 1), ","),
    }
}

/// What there is to say of a location besides its offers.
fn what_is(structure: &Structure, component: ComponentId, location: LocationId) -> String {
    let known = &structure.components[component].locations[location];
    let is_initial = match component.index() {
        0 => structure.initial == location,
        _ => location.index() == 0,
    };
    match known.joined {
        Some(joined) => format!("waits, then {}", offered(structure, component, joined)),
        None if is_initial => "initial".to_owned(),
        None => String::new(),
    }
}

impl Texts<'_> {
    /// A kind, with its agents.
    pub fn heading(&self, kind: KindId) -> String {
        let kind = &self.system.kinds[kind];
        match kind.agents.len() {
            0 => format!("{}, no agent", kind.name),
            1 => format!("{}, agent {}", kind.name, kind.agents.start),
            _ => format!("{}, agents {} to {}", kind.name, kind.agents.start, kind.agents.end - 1),
        }
    }

    pub(super) fn row(&self, kind: KindId, structure: &Structure, id: TripleId, triple: &Triple) -> Row {
        let entry: Entries = vec![(triple.component.index(), (id.index() + 1).to_string())];
        let exit = triple
            .exit
            .iter()
            .map(|(component, location)| (component.index(), offered(structure, *component, *location)));
        Row {
            entry,
            guard: self.guard(triple),
            action: self.action(triple),
            exit: exit.collect(),
            note: self.caused(kind, triple),
        }
    }

    /// The guards of a triple, outermost first.
    pub fn guard(&self, triple: &Triple) -> String {
        let one = |&(guard, is_positive): &(GuardId, bool)| {
            let text = self.written(self.system.guards[guard].span);
            match (is_positive, triple.guards.len()) {
                (true, 1) => text,
                (true, _) => format!("({text})"),
                (false, _) => format!("not ({text})"),
            }
        };
        itertools::join(triple.guards.iter().map(one), " and ")
    }

    /// The action of a triple, as written.
    pub fn action(&self, triple: &Triple) -> String {
        triple.action.map_or("Skip".to_owned(), |action| self.written(self.system.actions[action].span))
    }

    /// The messages that a triple causes.
    fn caused(&self, kind: KindId, triple: &Triple) -> String {
        let system = self.system;
        let action = triple.action.map(|action| &system.actions[action]);
        let writes: &[NameId] = action.map_or(&[], |action| &action.writes);
        let mut reads: Vec<NameId> = action.map_or(Vec::new(), |action| action.reads.clone());
        reads.extend(triple.guards.iter().flat_map(|(guard, _)| &system.guards[*guard].reads));
        if self.rules.semantics == Semantics::Sliver {
            reads.retain(|name| !writes.contains(name));
        }
        let confirmed =
            system.tuples_of(kind, reads).into_iter().map(|tuple| format!("confirm {}", self.tuple(tuple)));
        let propagated = system.tuples_of(kind, writes.iter().copied()).into_iter();
        let propagated = propagated.map(|tuple| format!("propagate {}", self.tuple(tuple)));
        match itertools::join(confirmed.chain(propagated), "; ") {
            caused if caused.is_empty() => caused,
            caused => format!("to send: {caused}"),
        }
    }

    /// The variables of a tuple.
    pub(super) fn tuple(&self, tuple: TupleId) -> String {
        let names = &self.system.tuples[tuple].variables;
        itertools::join(names.iter().map(|name| &self.system.names[*name].text), ", ")
    }

    /// What stands in the text, in one line and without comments.
    fn written(&self, span: Span) -> String {
        let text = self.text.get(span.start..span.end).unwrap_or_default();
        let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default());
        itertools::join(lines.flat_map(str::split_whitespace), " ")
    }
}

/// What messages do, in the words that stand behind their names.
pub(super) fn message_rules(rules: Rules) -> [(&'static str, &'static str); 2] {
    let answers = match rules.semantics {
        Semantics::Paper => {
            "the same; and each linked agent whose values are as new or newer is to propagate them"
        }
        Semantics::Sliver => "the same; and each linked agent whose values are newer is to propagate them",
    };
    [
        (
            "propagate",
            "each linked agent with older values takes these and their age, is to propagate them, and need not \
             confirm its own",
        ),
        ("confirm", answers),
    ]
}

/// The emulation functions of messages.
fn messages(texts: Texts<'_>) -> String {
    let system = texts.system;
    let mut out = String::new();
    if system.tuples.is_empty() {
        return out;
    }
    out.push_str("\nmessages, without a program counter: enabled for an agent that is to send one\n");
    let tuples: Vec<String> = system.tuples.indices().map(|tuple| texts.tuple(tuple)).collect();
    let width = columns::width(tuples.iter().map(String::as_str), columns::NAMES);
    for (tuple, variables) in system.tuples.indices().zip(&tuples) {
        let stigmergy = &system.stigmergies[system.tuples[tuple].stigmergy].name;
        let kinds =
            system.kinds.iter().filter(|kind| kind.stigmergies.contains(&system.tuples[tuple].stigmergy));
        let kinds = itertools::join(kinds.map(|kind| &kind.name), ", ");
        for (message, _) in message_rules(texts.rules) {
            let _ = writeln!(out, "  {message:<9}  {variables:<width$}  of {stigmergy}: {kinds}");
        }
    }
    for (message, rule) in message_rules(texts.rules) {
        let _ = writeln!(out, "{message}: {rule}");
    }
    out
}
