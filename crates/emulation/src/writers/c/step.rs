//! The functions of triples, and what goes on around them: start and join triples, turns, choices.

use std::fmt::Write as _;

use super::state::{any_of, unsigned};
use super::{CHOICE, Mode, Shape, Target, Writer, function};
use crate::expression::Assignment;
use crate::triple::{CounterId, LocationId, OfferId, Triple, TripleId};
use crate::writers::NotWritable;
use crate::writers::bounds::values;
use paramcheck_text::comment::{in_block, remark};
use paramcheck_text::index::Idx;

impl Writer<'_> {
    /// The functions for definitions.
    pub(super) fn meanings(&self, text: &mut String) {
        let write = self.expressions();
        for (name, definition) in self.definitions.iter().zip(&self.program.structure.definitions) {
            let value = &definition.value;
            let (kind, value) = match value.is_condition() {
                true => ("int", write.condition(value)),
                false => (self.width.name(), write.number(value)),
            };
            function(text, kind, name, &format!("    return {value};\n"));
        }
    }

    /// The functions for entry conditions that take more than one comparison.
    pub(super) fn offers(&self, text: &mut String) {
        let mut offers: Vec<_> = self.named.iter().collect();
        offers.sort();
        for (&(counter, offer), name) in offers {
            let body = format!("    return {};\n", self.offering(counter, offer).text);
            function(text, "int", name, &body);
        }
    }

    fn offering(&self, counter: CounterId, offer: OfferId) -> super::super::Infix {
        let ranges = self.offers.of(counter, offer);
        ranges.infix(&self.counters[counter], ["0", "1"], [" && ", " || "])
    }

    pub(super) fn triples(&self, text: &mut String) -> Result<(), NotWritable> {
        for (id, triple) in self.program.structure.triples.enumerate() {
            self.budget.check()?;
            let [name, may] = &self.triples[id];
            let _ = write!(text, "\n{}", self.explanation(id, triple));
            let mut conditions: Vec<String> = triple
                .entry
                .iter()
                .map(|&(counter, offer)| match self.named.get(&(counter, offer)) {
                    Some(function) => format!("{function}()"),
                    None => self.offering(counter, offer).apart(),
                })
                .collect();
            if !triple.guard.is_true() {
                conditions.extend(self.expressions().defined(&triple.guard));
                conditions.push(self.expressions().condition(&triple.guard));
            }
            for assignment in &triple.assignments {
                self.is_assignable(id, assignment, &mut conditions)?;
            }
            let conditions = if conditions.is_empty() { "1".to_owned() } else { conditions.join(" && ") };
            let _ = writeln!(text, "static int {may}(void)\n{{\n    return {conditions};\n}}");
            function(text, "void", name, &self.body(id, triple));
        }
        Ok(())
    }

    /// The triple as a comment: who does what, from where to where.
    fn explanation(&self, id: TripleId, triple: &Triple) -> String {
        let structure = self.program.structure;
        let entry = triple.entry.iter().map(|(counter, offer)| {
            let first =
                self.offers.of(*counter, *offer).ranges.first().map(|(first, _)| LocationId::new(*first));
            let from = first.and_then(|first| structure.counters[*counter].locations.get(first));
            // One of them is enough to know the place again; all of them are in the condition.
            in_block(&format!(
                "{} offers {} (as at {})",
                structure.counters[*counter].name,
                offer.0,
                from.map_or("", |location| &location.name)
            ))
        });
        let exit = triple.exit.iter().map(|(counter, location)| {
            let counter = &structure.counters[*counter];
            let to = counter.locations.get(*location).map_or("", |location| &location.name);
            in_block(&format!("{} at {to}", counter.name))
        });
        let agents = in_block(&structure.agent_words(triple));
        let text = format!(
            "{}: {}{}{agents}\n *   entry: {}\n *   exit:  {}",
            id.index(),
            in_block(&structure.action_words(triple)),
            if agents.is_empty() { "" } else { ", by " },
            itertools::join(entry, "; "),
            itertools::join(exit, "; "),
        );
        format!("/* {} */\n", text)
    }

    /// That an assignment has a value within the variable's bounds.
    fn is_assignable(
        &self,
        id: TripleId,
        assignment: &Assignment,
        conditions: &mut Vec<String>,
    ) -> Result<(), NotWritable> {
        let structure = self.program.structure;
        let variable = &structure.variables[assignment.variable];
        let bounds = values(structure, id, &assignment.value)?;
        conditions.extend(self.expressions().defined(&assignment.value));
        let value = self.expressions().number(&assignment.value);
        if !bounds.is_within(variable.least, i64::MAX) {
            conditions.push(format!("{value} >= {}", self.width.literal(variable.least)));
        }
        if !bounds.is_within(i64::MIN, variable.greatest) {
            conditions.push(format!("{value} <= {}", self.width.literal(variable.greatest)));
        }
        Ok(())
    }

    /// What taking a triple does.
    fn body(&self, id: TripleId, triple: &Triple) -> String {
        let structure = self.program.structure;
        let mut body = String::new();
        if let Some(label) = triple.label() {
            body.push_str(&self.assume(&format!("{}()", self.triples[id][1])));
            if self.has_turn(triple) {
                let turn = Self::is_one_of(
                    "agent",
                    triple.agents.iter().map(|agent| *agent as usize),
                    structure.agents.len().saturating_sub(1),
                );
                if turn.text != "1" {
                    body.push_str(&self.assume(&turn.text));
                }
            }
            if self.has_did() {
                let what = remark(&structure.labels[label]);
                let _ = writeln!(body, "    did = {}; {what}", label.index() + 1);
            }
        }
        let new = |assignment: &Assignment| self.expressions().number(&assignment.value);
        match &triple.assignments[..] {
            [] => {}
            [only] => {
                let _ = writeln!(body, "    {} = {};", self.variables[only.variable.index()], new(only));
            }
            several => {
                body.push_str("    {\n");
                for (number, assignment) in several.iter().enumerate() {
                    let kind = self.width.name();
                    let _ = writeln!(body, "        const {kind} new_{number} = {};", new(assignment));
                }
                for (number, assignment) in several.iter().enumerate() {
                    let _ = writeln!(
                        body,
                        "        {} = new_{number};",
                        self.variables[assignment.variable.index()]
                    );
                }
                body.push_str("    }\n");
            }
        }
        for (counter, location) in &triple.exit {
            let _ = writeln!(body, "    {} = {};", self.counters[*counter], location.index());
        }
        if self.mode == Mode::Lasso && self.program.is_fair() && triple.label().is_some() {
            for agent in &triple.agents {
                let _ = writeln!(body, "    acted_{agent} = 1;");
            }
        }
        if self.has_turn(triple) {
            let agents = structure.agents.len();
            let _ = if agents == 1 {
                writeln!(body, "    agent = 0;")
            } else {
                writeln!(
                    body,
                    "    agent = ({})(agent == {} ? 0 : agent + 1);",
                    unsigned(agents - 1),
                    agents - 1
                )
            };
        }
        body
    }

    /// Whether the turn decides if a triple may be taken.
    pub(super) fn has_turn(&self, triple: &Triple) -> bool {
        self.program.is_round_robin() && triple.label().is_some() && !triple.agents.is_empty()
    }

    /// Start and join triples.
    pub(super) fn settle(&self, text: &mut String) {
        let mut body = String::new();
        for (id, _) in self.program.structure.silent() {
            let [name, may] = &self.triples[id];
            let _ = writeln!(body, "    if ({may}()) {{\n        {name}();\n    }}");
        }
        if !body.is_empty() {
            text.push_str("\n/* start and join triples go first, and are no steps */");
            function(text, "void", "settle", &body);
        }
    }

    /// What comes after a step, and after the first state is set.
    pub(super) fn afterwards(&self) -> String {
        let mut body = String::new();
        if self.program.structure.silent().next().is_some() {
            body.push_str("    settle();\n");
        }
        if self.program.is_round_robin() {
            body.push_str("    pass();\n");
        }
        body
    }

    /// Whether each agent can act, and the passing of turns.
    pub(super) fn turns(&self, text: &mut String) {
        let structure = self.program.structure;
        let is_round_robin = self.program.is_round_robin();
        let asks_fairness = self.program.is_fair() && self.mode == Mode::Lasso;
        if !(is_round_robin || asks_fairness) {
            return;
        }
        let mut own: Vec<Vec<String>> = vec![Vec::new(); structure.agents.len()];
        for (id, triple) in structure.steps() {
            for &agent in &triple.agents {
                if let Some(own) = own.get_mut(agent as usize) {
                    own.push(format!("{}()", self.triples[id][1]));
                }
            }
        }
        for (agent, own) in own.iter().enumerate() {
            text.push_str(&format!(
                "\n{}",
                remark(&format!("whether {} can act", structure.agents[agent].name))
            ));
            function(text, "int", &format!("able_{agent}"), &format!("    return {};\n", any_of(own)));
        }
        if !is_round_robin {
            return;
        }
        let mut body = String::new();
        for agent in 0..structure.agents.len() {
            let _ = writeln!(body, "    const int can_{agent} = able_{agent}();");
        }
        let give = |agent: usize| format!("        agent = {agent};\n        return;\n    }}\n");
        for agent in 0..structure.agents.len() {
            let _ = write!(body, "    if (can_{agent} && agent <= {agent}) {{\n{}", give(agent));
        }
        for agent in 0..structure.agents.len() {
            let _ = write!(body, "    if (can_{agent}) {{\n{}", give(agent));
        }
        text.push_str("\n/* whoever cannot act passes */");
        function(text, "void", "pass", &body);
    }

    /// The condition that a step may be taken now, by whom the scheduler lets act.
    pub(super) fn may(&self, id: TripleId) -> String {
        let structure = self.program.structure;
        let may = format!("{}()", self.triples[id][1]);
        let triple = &structure.triples[id];
        if !self.has_turn(triple) {
            return may;
        }
        let agents = triple.agents.iter().map(|agent| *agent as usize);
        let turn = Self::is_one_of("agent", agents, structure.agents.len().saturating_sub(1));
        if turn.text == "1" { may } else { format!("({may} && {})", turn.apart()) }
    }

    /// `next`: which triple is taken.
    pub(super) fn choose(&self, text: &mut String) {
        let structure = self.program.structure;
        match self.mode {
            Mode::Standalone => self.random_choice(text),
            Mode::Never | Mode::Lasso => {
                let body = format!("    {CHOICE} = {};\n", self.any("unsigned"));
                function(text, "void", "next", &body);
            }
            Mode::Termination => {
                let mut may = format!("    switch ({CHOICE}) {{\n");
                let mut first = String::new();
                for (id, _) in structure.steps() {
                    let number = id.index();
                    let _ = writeln!(may, "    case {number}:\n        return {};", self.may(id));
                    let _ = writeln!(first, "    if ({}) {{\n        return {number};\n    }}", self.may(id));
                }
                may.push_str("    default:\n        return 0;\n    }\n");
                first.push_str("    return 0;\n");
                function(text, "int", "may", &may);
                function(text, "unsigned", "first", &first);
                text.push_str("\n/* a choice that is not possible becomes the first that is */");
                let body = format!(
                    "    {CHOICE} = {};\n    if (!may()) {{\n        {CHOICE} = first();\n    }}\n",
                    self.any("unsigned")
                );
                function(text, "void", "next", &body);
            }
        }
    }

    /// `step`: takes the triple that is chosen.
    pub(super) fn step(&self, text: &mut String) {
        let mut body = format!("    switch ({CHOICE}) {{\n");
        for (id, _) in self.program.structure.steps() {
            let _ = writeln!(
                body,
                "    case {}:\n        {}();\n        break;",
                id.index(),
                self.triples[id][0]
            );
        }
        body.push_str("    default:\n");
        body.push_str(&self.assume("0").replace("    ", "        "));
        body.push_str("        break;\n    }\n");
        body.push_str(&self.afterwards());
        function(text, "void", "step", &body);
    }

    /// That a counter is at the final locations.
    pub(super) fn is_final(&self, counter: CounterId) -> super::super::Infix {
        self.is_at(counter, self.program.structure.finals(counter))
    }

    /// Whether the program is one of straight lines: a part of a proof.
    pub(super) fn is_bounded(&self) -> bool {
        matches!(self.options.target, Target::Verifier(_)) && self.options.shape != Shape::Loop
    }
}
