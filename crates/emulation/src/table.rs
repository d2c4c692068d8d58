//! Structures as tables, written as the figures of the paper are: entry condition, action, exit condition.
//!
//! Conditions are vectors with an element per counter, `·` where it does not matter, or, where there are many
//! counters, conjunctions.

use std::fmt::Write as _;

use super::triple::{Action, CounterId, Location, LocationId, OfferId, Structure, Triple};
use paramcheck_text::columns::width;
use paramcheck_text::index::Idx;
use paramcheck_text::limits::{Budget, Stop};

/// More counters are not written as vectors.
pub(crate) const MAX_VECTOR_LENGTH: usize = 8;

/// Per counter, by its number, what is offered or required; counters that do not matter are left out.
pub(crate) type Entries = Vec<(usize, String)>;

/// A line of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Row {
    /// The entry condition.
    pub(crate) entry: Entries,
    /// What has to be true of values besides; may be empty.
    pub(crate) guard: String,
    /// The action.
    pub(crate) action: String,
    /// The exit condition.
    pub(crate) exit: Entries,
    /// A remark; may be empty.
    pub(crate) note: String,
}

/// Lines with a title.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Section {
    /// The title.
    pub(crate) title: String,
    /// The lines.
    pub(crate) rows: Vec<Row>,
}

/// A structure as tables: per agent, then what agents do together, then what the numbers stand for.
///
/// # Errors
/// The budget ended.
pub fn table(structure: &Structure, budget: &Budget) -> Result<String, Stop> {
    let mut pace = budget.pace();
    let mut text = counted(structure);
    let mut sections: Vec<Section> = structure
        .agents
        .iter()
        .map(|agent| Section { title: agent.name.clone(), rows: Vec::new() })
        .chain(std::iter::once(Section { title: "together".to_owned(), rows: Vec::new() }))
        .collect();
    for triple in &structure.triples {
        pace()?;
        let section = match triple.agents.as_slice() {
            [only] => *only as usize,
            _ => structure.agents.len(),
        };
        if let Some(section) = sections.get_mut(section) {
            section.rows.push(row(structure, triple));
        }
    }
    let counters: Vec<&str> = structure.counters.iter().map(|counter| counter.name.as_str()).collect();
    text.push_str(&write(&counters, &sections));
    text.push_str("\nlocations\n");
    for (id, counter) in structure.counters.enumerate() {
        pace()?;
        let offers: Vec<String> =
            counter.locations.indices().map(|location| offered(structure, id, location)).collect();
        let width = width(offers.iter().map(String::as_str), MAX_COLUMN_WIDTH);
        let own = format!("pc{}", id.index());
        for (offers, location) in offers.iter().zip(&counter.locations) {
            let _ = writeln!(text, "  {own} = {}  {}", padded(offers, width, true), location.name);
        }
    }
    Ok(text)
}

/// How many triples there are, by kind.
fn counted(structure: &Structure) -> String {
    let count = |is: &dyn Fn(&Triple) -> bool| structure.triples.iter().filter(|triple| is(triple)).count();
    let all = structure.triples.len();
    let starts = count(&|triple| triple.action == Action::Start);
    let joins = count(&|triple| triple.action == Action::Join);
    let together = count(&|triple| triple.label().is_some() && triple.entry.len() > 1);
    format!(
        "{all} {}: {starts} start, {} of one action, {together} of several together, {joins} join\n",
        if all == 1 { "triple" } else { "triples" },
        all - starts - joins - together,
    ) + &key(starts + joins > 0, joins > 0)
}

/// How a table is read: its signs mean something else than the paper's.
fn key(has_silent: bool, has_joins: bool) -> String {
    let mut text = String::from(
        "a list is a set of ids, all offered, none chosen yet; an entry k asks that k is offered; \
         0: terminated, -: stuck\n",
    );
    if has_silent {
        text.push_str("λ goes first, is no step and takes no turn");
        if has_joins {
            text.push_str("; a join asks for the parallel composition's id, and that its operands are at 0");
        }
        text.push('\n');
    }
    text
}

/// A triple as a line.
pub(crate) fn row(structure: &Structure, triple: &Triple) -> Row {
    Row {
        entry: triple
            .entry
            .iter()
            .map(|(counter, offer)| (counter.index(), wanted(structure, *counter, *offer)))
            .collect(),
        guard: String::new(),
        action: action(structure, triple),
        exit: triple
            .exit
            .iter()
            .map(|(counter, location)| (counter.index(), offered(structure, *counter, *location)))
            .collect(),
        note: String::new(),
    }
}

/// An action: a label, for an invisible one with what it was made of; λ.
pub(crate) fn action(structure: &Structure, triple: &Triple) -> String {
    let label = |id| structure.labels.get(id).map_or("?", String::as_str);
    match (triple.action, triple.via) {
        (Action::Start, _) => "λ start".to_owned(),
        (Action::Join, _) => "λ join".to_owned(),
        (Action::Step(own), Some(via)) => format!("{} ({})", label(own), label(via)),
        (Action::Step(own), None) => label(own).to_owned(),
    }
}

/// An id in an entry condition; 0 for "has terminated".
pub(crate) fn wanted(structure: &Structure, counter: CounterId, offer: OfferId) -> String {
    if structure.is_done(counter, offer) { "0".to_owned() } else { offer.0.to_string() }
}

/// The ids offered by a location; 0 where it has terminated, `-` where nothing can be done.
pub(crate) fn offered(structure: &Structure, counter: CounterId, location: LocationId) -> String {
    let found = structure.counters.get(counter).and_then(|counter| counter.locations.get(location));
    let Some(Location { offers, is_final, .. }) = found else { return String::new() };
    match offers.as_slice() {
        [] if *is_final => "0".to_owned(),
        [] => "-".to_owned(),
        _ => {
            let ids: Vec<String> = offers.iter().map(|offer| wanted(structure, counter, *offer)).collect();
            ids.join(",")
        }
    }
}

/// Sections of lines in columns, without those that are empty; first what the counters are called.
pub(crate) fn write(counters: &[&str], sections: &[Section]) -> String {
    let rows = || sections.iter().flat_map(|section| &section.rows);
    let is_vector = counters.len() <= MAX_VECTOR_LENGTH;
    // Elements of vectors stand below each other.
    let mut widths = vec![[0; 2]; if is_vector { counters.len() } else { 0 }];
    if is_vector {
        for row in rows() {
            for (side, condition) in [&row.entry, &row.exit].into_iter().enumerate() {
                for (counter, text) in condition {
                    let known = &mut widths[*counter][side];
                    *known = (*known).max(width([text.as_str()], MAX_COLUMN_WIDTH));
                }
            }
        }
    }
    let condition = |condition: &Entries, side: usize| {
        if !is_vector {
            let parts: Vec<String> =
                condition.iter().map(|(counter, text)| format!("pc{counter}={text}")).collect();
            return parts.join(" ");
        }
        let elements: Vec<String> = (0..counters.len())
            .map(|counter| {
                let own = condition.iter().find(|(known, _)| *known == counter);
                padded(own.map_or("·", |(_, text)| text), widths[counter][side].max(1), true)
            })
            .collect();
        format!("⟨{}⟩", elements.join(" "))
    };
    let mut text = String::new();
    if !counters.is_empty() {
        let _ = writeln!(text, "\nprogram counter");
    }
    for (number, name) in counters.iter().enumerate() {
        let _ = writeln!(text, "  pc{number}  {name}");
    }
    for section in sections.iter().filter(|section| !section.rows.is_empty()) {
        let _ = writeln!(text, "\n{}", section.title);
        let entries: Vec<String> = section.rows.iter().map(|row| condition(&row.entry, 0)).collect();
        let exits: Vec<String> = section.rows.iter().map(|row| condition(&row.exit, 1)).collect();
        let entry_width = width(entries.iter().map(String::as_str), MAX_COLUMN_WIDTH);
        let guard_width = width(section.rows.iter().map(|row| row.guard.as_str()), MAX_COLUMN_WIDTH);
        let action_width = width(section.rows.iter().map(|row| row.action.as_str()), MAX_COLUMN_WIDTH);
        let exit_width = width(exits.iter().map(String::as_str), MAX_COLUMN_WIDTH);
        for ((row, entry), exit) in section.rows.iter().zip(&entries).zip(&exits) {
            let guard = match guard_width {
                0 => String::new(),
                width => format!("  {}", padded(&row.guard, width, false)),
            };
            let line = format!(
                "  {}{guard}  {}  {}  {}",
                padded(entry, entry_width, false),
                padded(&row.action, action_width, false),
                padded(exit, exit_width, false),
                row.note
            );
            let _ = writeln!(text, "{}", line.trim_end());
        }
    }
    text
}

/// The widest that a column gets.
const MAX_COLUMN_WIDTH: usize = 40;

pub(crate) fn padded(text: &str, width: usize, is_right: bool) -> String {
    if is_right { format!("{text:>width$}") } else { format!("{text:<width$}") }
}
