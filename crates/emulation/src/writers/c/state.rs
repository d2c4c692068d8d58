//! The variables of a program, their first values, any values, and copies of them.

use std::fmt::Write as _;

use super::{CHOICE, Mode, SAVES, Shape, Writer, function};
use crate::expression::VariableId;
use crate::writers::Ranges;
use paramcheck_process::semantics::check::Schedule;
use paramcheck_text::comment::{in_block, remark};
use paramcheck_text::index::Idx;

/// A variable that is part of the state.
pub(super) struct Cell {
    pub(super) name: String,
    /// What is declared for it: nothing, where the first element of its array declares all.
    declared: Option<String>,
    pub(super) kind: &'static str,
    /// The least value, where that is not the type's.
    least: Option<String>,
    /// The greatest value.
    greatest: String,
}

/// The smallest type for numbers up to one.
pub(super) fn unsigned(greatest: usize) -> &'static str {
    match greatest {
        0..=0xff => "unsigned char",
        0x100..=0xffff => "unsigned short",
        _ => "unsigned",
    }
}

impl Writer<'_> {
    fn cell(name: &str, greatest: usize) -> Cell {
        Cell {
            name: name.to_owned(),
            declared: Some(name.to_owned()),
            kind: unsigned(greatest),
            least: None,
            greatest: greatest.to_string(),
        }
    }

    /// The variables that make up the state.
    pub(super) fn places(&self) -> Vec<Cell> {
        let structure = self.program.structure;
        let mut cells: Vec<Cell> = structure
            .counters
            .iter()
            .zip(&self.counters)
            .map(|(counter, name)| Self::cell(name, counter.locations.len().saturating_sub(1)))
            .collect();
        cells.extend(structure.variables.enumerate().map(|(id, variable)| Cell {
            name: self.variables[id.index()].clone(),
            declared: self.declared(id),
            kind: self.width.name(),
            least: Some(self.width.literal(variable.least)),
            greatest: self.width.literal(variable.greatest),
        }));
        if self.program.is_round_robin() {
            cells.push(Self::cell("agent", structure.agents.len().saturating_sub(1)));
        }
        cells
    }

    /// What is declared for a variable: nothing, where the first element of its array declares all.
    fn declared(&self, variable: VariableId) -> Option<String> {
        let arrays = self.arrays.iter().zip(&self.program.structure.arrays);
        let mut found = arrays.filter_map(|(name, array)| Some((name, array, array.position(variable)?)));
        match found.next() {
            None => Some(self.variables[variable.index()].clone()),
            Some((name, array, 0)) => Some(format!("{name}[{}]", array.count)),
            Some(_) => None,
        }
    }

    /// What else the future depends on: what was last done, what is saved.
    pub(super) fn memory(&self) -> Vec<Cell> {
        let mut cells = Vec::new();
        if self.has_did() {
            cells.push(Self::cell("did", self.program.structure.labels.len()));
        }
        if self.mode == Mode::Lasso {
            cells.push(Self::cell("is_saved", 1));
            cells.extend(self.places().into_iter().map(|cell| Cell {
                name: saved(&cell.name),
                declared: cell.declared.as_deref().map(saved),
                ..cell
            }));
            cells.extend(self.flags().map(|name| Self::cell(&name, 1)));
        }
        cells
    }

    /// Of each agent what fairness is about, since the state was saved.
    pub(super) fn flags(&self) -> impl Iterator<Item = String> + use<> {
        let kinds: &[&str] = match self.program.schedule {
            _ if self.mode != Mode::Lasso => &[],
            Schedule::WeaklyFair => &["acted", "idle"],
            Schedule::StronglyFair => &["acted", "able_in_loop"],
            Schedule::Any | Schedule::RoundRobin => &[],
        };
        let agents = self.program.structure.agents.len();
        kinds.iter().flat_map(move |kind| (0..agents).map(move |agent| format!("{kind}_{agent}")))
    }

    pub(super) fn state(&self, text: &mut String) {
        let structure = self.program.structure;
        for (agent, name) in structure.agents.iter().map(|agent| &agent.name).enumerate() {
            let _ = writeln!(text, "{}", remark(&format!("agent {agent}: {name}")));
        }
        for (id, counter) in structure.counters.enumerate() {
            let _ = write!(text, "\n/* where {} is:\n", in_block(&counter.name));
            for (location, what) in counter.locations.enumerate() {
                let is_final = if what.is_final { " (final)" } else { "" };
                let _ = writeln!(text, " *   {} = {}{is_final}", location.index(), in_block(&what.name));
            }
            let kind = unsigned(counter.locations.len().saturating_sub(1));
            let _ = writeln!(text, " */\nstatic {kind} {};", self.counters[id]);
        }
        for (id, variable) in structure.variables.enumerate() {
            let what = format!("{}: from {} to {}", variable.name, variable.least, variable.greatest);
            let _ = writeln!(text, "\n{}", remark(&what));
            if let Some(declared) = self.declared(id) {
                let _ = writeln!(text, "static {} {declared};", self.width.name());
            }
        }
        let _ = writeln!(text, "\n/* the triple that is taken */\nstatic unsigned {CHOICE};");
        if self.has_did() {
            let kind = unsigned(structure.labels.len());
            text.push_str("/* what the last step did: the number of a label, and 1; 0 before the first */\n");
            let _ = writeln!(text, "static {kind} did;");
        }
        if self.program.is_round_robin() {
            let kind = unsigned(structure.agents.len().saturating_sub(1));
            let _ = writeln!(text, "/* who has the turn */\nstatic {kind} agent;");
        }
        if self.mode == Mode::Lasso {
            let _ = writeln!(
                text,
                "\n/* 1 where the state is to be saved, if none is */\nstatic unsigned {SAVES};"
            );
            text.push_str("\n/* the saved state */\n");
            for cell in self.memory().iter().filter(|cell| cell.name != "did") {
                if let Some(declared) = &cell.declared {
                    let _ = writeln!(text, "static {} {declared};", cell.kind);
                }
            }
        }
        if let Some(steps) = self.remembered() {
            text.push_str("\n/* the states before */\n");
            for cell in self.places().iter().chain(&self.memory()) {
                if let Some(declared) = &cell.declared {
                    let _ = writeln!(text, "static {} {}[{steps}];", cell.kind, past(declared));
                }
            }
        }
    }

    /// How many states are remembered, if any.
    pub(super) fn remembered(&self) -> Option<u32> {
        match self.options.shape {
            Shape::Step(steps) if steps > 1 && self.mode != Mode::Standalone => Some(steps),
            _ => None,
        }
    }

    /// The first state, start triples taken.
    pub(super) fn init(&self, text: &mut String) {
        let structure = self.program.structure;
        if let Shape::Step(_) = self.options.shape
            && self.mode != Mode::Standalone
        {
            return self.any_state(text);
        }
        let mut body = String::new();
        for (name, counter) in self.counters.iter().zip(&structure.counters) {
            let what = counter.locations.get(counter.initial).map_or("", |location| &location.name);
            let _ = writeln!(body, "    {name} = {}; {}", counter.initial.index(), remark(what));
        }
        for (name, variable) in self.variables.iter().zip(&structure.variables) {
            match variable.initial[..] {
                [] => {}
                [only] => {
                    let _ = writeln!(body, "    {name} = {};", self.width.literal(only));
                }
                [first, ..] => {
                    let values = variable.initial.iter().map(|value| self.width.literal(*value));
                    let _ = write!(body, "{}", self.one_of(name, first, values));
                }
            }
        }
        if self.has_did() {
            body.push_str("    did = 0;\n");
        }
        if self.program.is_round_robin() {
            body.push_str("    agent = 0;\n");
        }
        if let Some(assumption) = &structure.assumption {
            let allowed = format!("    return {};\n", self.expressions().condition(assumption));
            text.push_str("\n/* what is assumed of initial values */");
            function(text, "int", "allowed", &allowed);
            match self.mode {
                Mode::Standalone => body = format!("    do {{\n{body}    }} while (!allowed());\n"),
                _ => body.push_str(&self.assume("allowed()")),
            }
        }
        body.push_str(&self.afterwards());
        function(text, "void", "init", &body);
    }

    /// Gives a variable one of some values, ascending from `first`; several, so that the type is no matter.
    fn one_of(&self, name: &str, first: i64, values: impl Iterator<Item = String>) -> String {
        let values: Vec<String> = values.collect();
        let count = values.len();
        let mut body = if self.mode == Mode::Standalone {
            format!("    switch (below({count})) {{\n")
        } else {
            format!("    switch ({}) {{\n", self.any("unsigned"))
        };
        for (number, value) in values.iter().enumerate().skip(1) {
            let _ = writeln!(body, "    case {number}:\n        {name} = {value};\n        break;");
        }
        let _ = writeln!(
            body,
            "    default:\n        {name} = {};\n        break;\n    }}",
            self.width.literal(first)
        );
        body
    }

    /// Any state within ranges in which no start or join triple is enabled.
    fn any_state(&self, text: &mut String) {
        let mut body = String::new();
        for cell in self.places().iter().chain(&self.memory()) {
            let _ = writeln!(body, "    {} = {};", cell.name, self.any(cell.kind));
            if let Some(least) = &cell.least {
                body.push_str(&self.assume(&format!("{} >= {least}", cell.name)));
            }
            body.push_str(&self.assume(&format!("{} <= {}", cell.name, cell.greatest)));
        }
        for invariant in &self.program.structure.invariants {
            body.push_str(&self.assume(&self.expressions().condition(invariant)));
        }
        for (id, _) in self.program.structure.silent() {
            body.push_str(&self.assume(&format!("!{}()", self.triples[id][1])));
        }
        if self.program.is_round_robin() {
            body.push_str("    pass();\n");
        }
        function(text, "void", "init", &body);
    }

    /// `remember` and `differs`, which keep the states before and compare with them.
    pub(super) fn past(&self, text: &mut String) {
        if self.remembered().is_none() {
            return;
        }
        let cells: Vec<Cell> = self.places().into_iter().chain(self.memory()).collect();
        let kept = cells.iter().map(|cell| format!("    {}[when] = {};\n", past(&cell.name), cell.name));
        let _ = write!(
            text,
            "\nstatic void remember(unsigned when)\n{{\n    (void)when;\n{}}}\n",
            kept.collect::<String>()
        );
        let differences = cells.iter().map(|cell| format!("{} != {}[when]", cell.name, past(&cell.name)));
        let differences: Vec<String> = differences.collect();
        let differences = any_of(&differences);
        let _ = write!(
            text,
            "\nstatic int differs(unsigned when)\n{{\n    (void)when;\n    return {differences};\n}}\n"
        );
    }

    /// That a number is one of these (ascending).
    pub(super) fn is_one_of(
        name: &str,
        numbers: impl IntoIterator<Item = usize>,
        most: usize,
    ) -> super::super::Infix {
        Ranges::new(numbers, (0, most)).infix(name, ["0", "1"], [" && ", " || "])
    }
}

/// The variable that has the saved value of another.
pub(super) fn saved(name: &str) -> String {
    format!("saved_{name}")
}

/// The array that has the values before.
fn past(name: &str) -> String {
    format!("past_{name}")
}

/// A disjunction, a line for each.
pub(super) fn any_of(parts: &[String]) -> String {
    if parts.is_empty() { "0".to_owned() } else { parts.join("\n        || ") }
}
