//! The question in C: `holds`, and what it calls; `check`.

use std::fmt::Write as _;

use super::state::{any_of, saved};
use super::{Mode, SAVES, Writer, function};
use crate::expression::Expression;
use crate::question::Term;
use crate::triple::{CounterId, LocationId};
use crate::writers::NotWritable;
use crate::writers::atom::{Atoms, Words};
use paramcheck_model::error::Comparison;
use paramcheck_process::model::LabelId;
use paramcheck_process::semantics::check::Schedule;
use paramcheck_text::comment::remark;
use paramcheck_text::index::Idx;

const WORDS: Words = Words { constants: ["0", "1"], connectives: [" && ", " || "] };

impl Writer<'_> {
    /// `holds`, `check` and all they call.
    pub(super) fn question(&self, text: &mut String) -> Result<(), NotWritable> {
        let structure = self.program.structure;
        if self.needs.stuck {
            let may: Vec<String> =
                structure.steps().map(|(id, _)| format!("{}()", self.triples[id][1])).collect();
            let body = format!("    return !(\n        {});\n", any_of(&may));
            function(text, "int", "stuck", &body);
        }
        if self.needs.terminated {
            let parts = structure.agents.iter().map(|agent| self.is_final(agent.counter).apart());
            let parts: Vec<String> = parts.collect();
            let parts = if parts.is_empty() { "1".to_owned() } else { parts.join("\n        && ") };
            function(text, "int", "terminated", &format!("    return {parts};\n"));
        }
        let holds = self.infix_condition(self.program.question.demand.condition(), WORDS)?;
        let what = format!("the condition of {}", self.program.question.name);
        let _ = write!(text, "\n{}", remark(&what));
        function(text, "int", "holds", &format!("    return {holds};\n"));
        match self.mode {
            Mode::Standalone | Mode::Termination => {}
            Mode::Never => function(text, "int", "violated", "    return holds();\n"),
            Mode::Lasso => self.lasso(text),
        }
        if matches!(self.mode, Mode::Never | Mode::Lasso) && !self.is_step() {
            let mut body = String::new();
            if self.mode == Mode::Lasso {
                body.push_str(&self.assume("!holds()"));
            }
            body.push_str("    if (violated()) {\n        reach_error();\n    }\n");
            function(text, "void", "check", &body);
        }
        Ok(())
    }

    /// `save` and `violated`, where the question is whether a state comes back.
    fn lasso(&self, text: &mut String) {
        let places = self.places();
        let mut same: Vec<String> = vec!["is_saved == 1".to_owned()];
        same.extend(places.iter().map(|cell| format!("{} == {}", cell.name, saved(&cell.name))));
        let agents = self.program.structure.agents.len();
        let (second, begin) = match self.program.schedule {
            Schedule::WeaklyFair => ("idle", "!"),
            Schedule::StronglyFair => ("able_in_loop", ""),
            Schedule::Any | Schedule::RoundRobin => ("", ""),
        };
        if self.program.is_fair() {
            let wanted = usize::from(self.program.schedule == Schedule::WeaklyFair);
            same.extend(
                (0..agents).map(|agent| format!("(acted_{agent} == 1 || {second}_{agent} == {wanted})")),
            );
        }
        let body = format!("    return stuck()\n        || ({});\n", same.join("\n        && "));
        text.push_str("\n/* nothing is possible, or the saved state comes back */");
        function(text, "int", "violated", &body);
        let mut body = format!(
            "    {SAVES} = {};\n    if (is_saved == 0 && {SAVES} == 1) {{\n        is_saved = 1;\n",
            self.any("unsigned")
        );
        for cell in &places {
            let _ = writeln!(body, "        {} = {};", saved(&cell.name), cell.name);
        }
        if self.program.is_fair() {
            for agent in 0..agents {
                let _ = writeln!(body, "        acted_{agent} = 0;\n        {second}_{agent} = 0;");
            }
        }
        body.push_str("    }\n");
        if self.program.is_fair() {
            for agent in 0..agents {
                let _ = writeln!(
                    body,
                    "    if ({begin}able_{agent}()) {{\n        {second}_{agent} = 1;\n    }}"
                );
            }
        }
        text.push_str("\n/* before each step; a state may be saved at any moment */");
        function(text, "void", "save", &body);
    }
}

impl Atoms for Writer<'_> {
    fn did(&self, labels: &[LabelId]) -> String {
        let numbers = labels.iter().map(|label| label.index() + 1);
        Self::is_one_of("did", numbers, self.program.structure.labels.len()).apart()
    }

    fn can(&self, labels: &[LabelId]) -> String {
        let such = self.program.structure.steps_of(labels);
        let such: Vec<String> = such.map(|(id, _)| self.may(id)).collect();
        format!("({})", any_of(&such))
    }

    fn stuck(&self) -> String {
        "stuck()".to_owned()
    }

    fn terminated(&self) -> String {
        "terminated()".to_owned()
    }

    fn at(&self, counter: CounterId, locations: &[LocationId]) -> String {
        self.is_at(counter, locations.iter().copied()).apart()
    }

    fn truth_of(&self, expression: &Expression) -> String {
        self.expressions().condition(expression)
    }

    fn count(&self, terms: &[Term], comparison: Comparison, bound: u64) -> Result<String, NotWritable> {
        // A weight above the bound decides like any other above it.
        let cap = bound.saturating_add(1);
        let most = terms.iter().try_fold(0_u64, |sum, term| sum.checked_add(term.weight.min(cap)));
        let most = most.filter(|most| *most < u64::MAX).ok_or(NotWritable::Sum)?;
        // No sum comes to this, whatever is beyond it.
        let bound = bound.min(most + 1);
        let suffix = if most < i32::MAX as u64 { "" } else { "ULL" };
        let parts = terms.iter().map(|term| {
            let is_at = self.is_at(term.counter, term.locations.iter().copied()).apart();
            format!("({is_at} ? {}{suffix} : 0{suffix})", term.weight.min(cap))
        });
        let parts: Vec<String> = parts.collect();
        let sum = if parts.is_empty() { format!("0{suffix}") } else { parts.join("\n        + ") };
        let sign = match comparison {
            Comparison::Equal => "==",
            other => other.symbol(),
        };
        Ok(format!("({sum} {sign} {bound}{suffix})"))
    }
}
