//! The clauses.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::cell::{Cell, functions, integer};
use super::expression::DIVISION;
use super::{NotWritable, Options, Writer, all_of, any_of};
use crate::question::Demand;
use crate::triple::{Triple, TripleId};
use crate::writers::bounds;
use paramcheck_process::semantics::check::Schedule;
use paramcheck_text::index::Idx;

/// The triples by number, and what each makes of something.
type Changes = Vec<(usize, Vec<String>)>;

impl Writer<'_> {
    pub(super) fn text(&self, options: Options) -> Result<String, NotWritable> {
        let mut text = self.heading();
        if options.with_proof {
            text.push_str("\n(set-option :produce-proofs true)");
        }
        text.push_str("\n(set-logic HORN)\n");
        if !self.program.structure.variables.is_empty() {
            text.push_str(DIVISION);
        }
        let cells = self.cells();
        text.push_str(&functions(cells.iter().copied(), &self.choice));
        let sorts = cells.iter().flat_map(|cell| {
            let (names, sort) = cell.variables();
            names.into_iter().map(move |_| sort)
        });
        let _ = writeln!(text, "(declare-fun reach ({}) Bool)", itertools::join(sorts, " "));
        text.push_str("\n; at first\n");
        self.initial(&cells, &mut text);
        text.push_str("\n; a step\n");
        self.step(&cells, &mut text)?;
        self.budget.check()?;
        text.push_str("\n; an error\n");
        self.error(&cells, &mut text)?;
        text.push_str("\n(check-sat)\n");
        if options.with_proof {
            text.push_str("(get-proof)\n");
        }
        Ok(text)
    }

    /// `(reach …)` of some cells.
    fn reach<'c>(cells: impl IntoIterator<Item = &'c Cell>) -> String {
        let names = cells.into_iter().flat_map(|cell| cell.variables().0);
        format!("(reach {})", itertools::join(names, " "))
    }

    /// Writes the clause that `body` implies `head`, for all values of some cells.
    fn clause<'c>(cells: impl IntoIterator<Item = &'c Cell>, body: &str, head: &str, text: &mut String) {
        let bound = cells.into_iter().flat_map(|cell| {
            let (names, sort) = cell.variables();
            names.into_iter().map(move |name| format!("({name} {sort})"))
        });
        let bound = itertools::join(bound, " ");
        let _ = if bound.is_empty() {
            writeln!(text, "(assert (=>\n  {body}\n  {head}))")
        } else {
            writeln!(text, "(assert (forall ({bound}) (=>\n  {body}\n  {head})))")
        };
    }

    fn initial(&self, cells: &[&Cell], text: &mut String) {
        let structure = self.program.structure;
        let mut parts = Vec::new();
        for (id, counter) in structure.counters.enumerate() {
            parts.push(self.counter(id).is_only(counter.initial.index()));
        }
        for (id, variable) in structure.variables.enumerate() {
            let name = self.variable(id).variables().0.concat();
            let mut ranges: Vec<(i64, i64)> = Vec::new();
            for &value in &variable.initial {
                match ranges.last_mut() {
                    Some((_, last)) if *last + 1 == value => *last = value,
                    _ => ranges.push((value, value)),
                }
            }
            let ranges = ranges
                .iter()
                .map(|&(first, last)| format!("(<= {} {name} {})", integer(first), integer(last)));
            parts.push(any_of(&ranges.collect::<Vec<_>>()));
        }
        parts.extend(structure.assumption.iter().map(|assumption| self.truth(assumption)));
        parts.extend(self.agent.iter().chain(&self.did).map(|cell| cell.is_only(0)));
        if let Some((flag, copies)) = &self.saved {
            parts.push(flag.is_only(0));
            // Of no meaning yet; what is fixed need not be found out.
            parts.extend(copies.iter().map(|cell| cell.is_only(0)));
        }
        parts.extend(self.flags.iter().flatten().map(|cell| cell.is_only(0)));
        Self::clause(cells.iter().copied(), &all_of(&parts), &Self::reach(cells.iter().copied()), text);
    }

    /// Opens a `let` for which triples may be taken, and what follows from that; how many parentheses
    /// have to close it.
    fn definitions(&self, inner: &mut String) -> Result<usize, NotWritable> {
        let structure = self.program.structure;
        for (id, definition) in structure.definitions.enumerate() {
            let value = &definition.value;
            let value = if value.is_condition() { self.truth(value) } else { self.number(value) };
            let _ = write!(inner, "(let (({} {value}))\n  ", Self::definition(id));
        }
        let mut may = Vec::new();
        for (id, triple) in structure.triples.enumerate() {
            self.budget.check()?;
            may.push(format!("({} {})", Self::may(id), all_of(&self.entry(id, triple)?)));
        }
        let all =
            |triples: &mut dyn Iterator<Item = TripleId>| any_of(&triples.map(Self::may).collect::<Vec<_>>());
        let mut second = vec![
            format!("(settled (not {}))", all(&mut structure.silent().map(|(id, _)| id))),
            format!("(stuck (not {}))", all(&mut structure.steps().map(|(id, _)| id))),
        ];
        if self.agent.is_some() || !self.flags.is_empty() {
            second.extend(structure.steps_by_agent().iter().enumerate().map(|(agent, own)| {
                let own: Vec<String> = own.iter().copied().map(Self::may).collect();
                format!("(able{agent} {})", any_of(&own))
            }));
        }
        let mut depth = 1 + structure.definitions.len();
        if !may.is_empty() {
            let _ = write!(inner, "(let ({})\n  ", may.join("\n    "));
            depth += 1;
        }
        let _ = write!(inner, "(let ({})\n  ", second.join("\n    "));
        if let Some(agent) = &self.agent {
            let turns = (0..structure.agents.len())
                .map(|number| all_of(&[agent.is(number), format!("able{number}")]));
            let turns = any_of(&turns.collect::<Vec<_>>());
            let some_agent = any_of(
                &(0..structure.agents.len()).map(|number| format!("able{number}")).collect::<Vec<_>>(),
            );
            let _ = write!(inner, "(let ((on_turn {turns}) (some_agent {some_agent}))\n  ");
            depth += 1;
        }
        Ok(depth)
    }

    fn entry(&self, id: TripleId, triple: &Triple) -> Result<Vec<String>, NotWritable> {
        let structure = self.program.structure;
        let mut parts: Vec<String> = triple
            .entry
            .iter()
            .map(|&(counter, offer)| self.counter(counter).is_in(&self.offers.of(counter, offer)))
            .collect();
        if !triple.guard.is_true() {
            parts.extend(self.defined(&triple.guard));
            parts.push(self.truth(&triple.guard));
        }
        for assignment in &triple.assignments {
            let variable = &structure.variables[assignment.variable];
            parts.extend(self.defined(&assignment.value));
            if !bounds::values(structure, id, &assignment.value)?.is_within(variable.least, variable.greatest)
            {
                let value = self.number(&assignment.value);
                parts.push(format!(
                    "(<= {} {value} {})",
                    integer(variable.least),
                    integer(variable.greatest)
                ));
            }
        }
        Ok(parts)
    }

    /// That the condition of an "eventually" does not hold; `None` for other questions.
    fn avoids(&self) -> Result<Option<String>, NotWritable> {
        match &self.program.question.demand {
            Demand::Never(_) | Demand::Recoverable { .. } => Ok(None),
            Demand::Eventually(condition) => Ok(Some(format!("(not {})", self.condition(condition)?))),
        }
    }

    fn step(&self, cells: &[&Cell], text: &mut String) -> Result<(), NotWritable> {
        let structure = self.program.structure;
        let mut parts = vec![Self::reach(cells.iter().copied())];
        parts.extend(self.invariants(cells));
        let mut body = String::new();
        let depth = self.definitions(&mut body)?;
        let mut steps = Vec::new();
        let mut enabled = Vec::new();
        for (id, triple) in structure.triples.enumerate() {
            let chosen = self.choice.is(id.index());
            if triple.label().is_some() {
                steps.push(all_of(&[chosen, self.may_now(id)]));
            } else {
                enabled.push(all_of(&[chosen, Self::may(id)]));
            }
        }
        let save = Cell::boolean("save");
        let mut step = vec!["settled".to_owned(), any_of(&steps)];
        step.extend(self.avoids()?);
        enabled.push("stepping".to_owned());
        if self.agent.is_some() {
            let pass = self.choice.is(structure.triples.len());
            enabled.push(all_of(&[
                pass,
                "settled".to_owned(),
                "some_agent".to_owned(),
                "(not on_turn)".to_owned(),
            ]));
        }
        let mut moves = Vec::new();
        let values = self.next_values(&save, &mut moves);
        let _ = write!(
            body,
            "(let ({})\n  ",
            [vec![format!("(stepping {})", all_of(&step))], moves].concat().join("\n    ")
        );
        let mut inner = vec![any_of(&enabled)];
        // Not that one is: with that, Z3 4.8.12 does not end on some of the smallest systems.
        inner.extend(self.choice.is_at_most_one());
        let next: Vec<Cell> = cells.iter().map(|cell| cell.next()).collect();
        if let Some((flag, _)) = &self.saved {
            inner.push(format!("(=> save (and stepping {}))", flag.is(0)));
        }
        for (after, values) in next.iter().zip(values) {
            for (name, value) in after.variables().0.iter().zip(values) {
                inner.push(format!("(= {name} {value})"));
            }
        }
        let _ = write!(body, "(and {})){}", inner.join("\n    "), ")".repeat(depth));
        parts.push(body);
        let saves = self.saved.is_some().then_some(&save);
        let bound = cells.iter().copied().chain([&self.choice]).chain(saves).chain(&next);
        Self::clause(bound, &all_of(&parts), &Self::reach(&next), text);
        Ok(())
    }

    /// What steps assume of every state, and the error proves: that one of some Booleans is true, and which
    /// values variables have.
    fn invariants(&self, cells: &[&Cell]) -> Vec<String> {
        let of_variables = self.program.structure.invariants.iter().map(|one| self.truth(one));
        cells.iter().filter_map(|cell| cell.is_one()).chain(of_variables).collect()
    }

    /// Per counter and variable, what it becomes by which triples.
    fn changes(&self) -> Vec<Changes> {
        let structure = self.program.structure;
        let mut changes: Vec<Changes> = vec![Vec::new(); self.places.len()];
        for (id, triple) in structure.triples.enumerate() {
            for (counter, location) in &triple.exit {
                let value = self.counter(*counter).literal(location.index() as i64);
                changes[counter.index()].push((id.index(), value));
            }
            for assignment in &triple.assignments {
                let position = structure.counters.len() + assignment.variable.index();
                changes[position].push((id.index(), vec![self.number(&assignment.value)]));
            }
        }
        changes
    }

    /// What the variables of each cell are after a step, in the order of [`Writer::cells`]; what is to be
    /// defined for that is added to `moves`.
    fn next_values(&self, save: &Cell, moves: &mut Vec<String>) -> Vec<Vec<String>> {
        let mut values: Vec<Vec<String>> = Vec::new();
        for (place, changes) in self.places.iter().zip(self.changes()) {
            values.push(self.changed(place, changes, moves));
        }
        values.extend(self.agent.iter().map(|agent| self.next_turn(agent)));
        if let Some(did) = &self.did {
            let number = |triple: &Triple| triple.label().map_or(0, |label| label.index() as i64 + 1);
            let steps = self.program.structure.steps();
            let changes = steps.map(|(id, triple)| (id.index(), did.literal(number(triple)))).collect();
            values.push(self.changed(did, changes, moves));
        }
        if let Some((_, copies)) = &self.saved {
            values.push(vec!["(or is_saved save)".to_owned()]);
            for (copy, origin) in copies.iter().zip(self.places.iter().chain(&self.agent)) {
                let names = copy.variables().0.into_iter().zip(origin.variables().0);
                values.push(names.map(|(own, origin)| format!("(ite save {origin} {own})")).collect());
            }
        }
        let acts = self.program.structure.steps_by_agent();
        for (agent, ([acted, other], acts)) in self.flags.iter().zip(acts).enumerate() {
            let acts: Vec<String> = acts.iter().map(|id| self.choice.is(id.index())).collect();
            let news = match self.program.schedule {
                Schedule::WeaklyFair => format!("(and stepping (not able{agent}))"),
                _ => format!("(and stepping able{agent})"),
            };
            values.push(vec![Self::next_flag(acted, &any_of(&acts), save)]);
            values.push(vec![Self::next_flag(other, &news, save)]);
        }
        values
    }

    /// That one of these is chosen.
    fn chosen<'i>(&self, ids: impl IntoIterator<Item = &'i usize>) -> String {
        any_of(&ids.into_iter().map(|id| self.choice.is(*id)).collect::<Vec<_>>())
    }

    /// What the variables of a cell are after a step, by what is chosen; what is to be defined for that is
    /// added to `moves`.
    fn changed(&self, cell: &Cell, changes: Changes, moves: &mut Vec<String>) -> Vec<String> {
        if changes.is_empty() {
            return cell.variables().0;
        }
        if cell.is_one().is_some() {
            // Where it comes to, and where it stays: in as many words as there are changes.
            let name = format!("moves_{}", cell.name());
            moves.push(format!("({name} {})", self.chosen(changes.iter().map(|(id, _)| id))));
            let mut entering: Vec<Vec<usize>> = vec![Vec::new(); cell.variables().0.len()];
            for (id, value) in &changes {
                if let Some(number) = value.iter().position(|is_there| is_there == "true") {
                    entering[number].push(*id);
                }
            }
            let next = |(ids, own): (&Vec<usize>, String)| format!("(ite {name} {} {own})", self.chosen(ids));
            return entering.iter().zip(cell.variables().0).map(next).collect();
        }
        // What it becomes, by the numbers of triples.
        let mut by_value: BTreeMap<Vec<String>, Vec<usize>> = BTreeMap::new();
        for (id, value) in changes {
            by_value.entry(value).or_default().push(id);
        }
        let cases = by_value.into_iter().map(|(value, ids)| (self.chosen(&ids), value));
        by_case(cases.collect(), cell.variables().0)
    }

    /// After a step the turn is with the next one, as after passing.
    fn next_turn(&self, agent: &Cell) -> Vec<String> {
        let structure = self.program.structure;
        let agents = structure.agents.len();
        let mut ids: Vec<usize> =
            structure.steps().filter(|(_, triple)| self.has_turn(triple)).map(|(id, _)| id.index()).collect();
        ids.push(structure.triples.len());
        let chosen = self.chosen(&ids);
        let cases = (0..agents.saturating_sub(1)).map(|now| (agent.is(now), agent.literal(now as i64 + 1)));
        let next = by_case(cases.collect(), agent.literal(0));
        by_case(vec![(chosen, next)], agent.variables().0)
    }

    /// What is known of an agent since the state was saved: what was, or is news.
    fn next_flag(flag: &Cell, news: &str, save: &Cell) -> String {
        let [own, save] = [flag, save].map(|cell| cell.variables().0.concat());
        format!("(or (and {own} (not {save})) {news})")
    }

    fn error(&self, cells: &[&Cell], text: &mut String) -> Result<(), NotWritable> {
        let mut parts = vec![Self::reach(cells.iter().copied())];
        let mut body = String::new();
        let depth = self.definitions(&mut body)?;
        let mut inner = vec!["settled".to_owned()];
        if self.agent.is_some() {
            inner.push("(or on_turn (not some_agent))".to_owned());
        }
        match (self.avoids()?, &self.saved) {
            (Some(avoids), Some((flag, copies))) => {
                inner.push(avoids);
                let mut lasso = vec![flag.is(1)];
                let places = self.places.iter().chain(&self.agent);
                lasso.extend(places.zip(copies).map(|(place, copy)| place.equals(copy)));
                let wanted = usize::from(self.program.schedule == Schedule::WeaklyFair);
                lasso
                    .extend(self.flags.iter().map(|[acted, other]| any_of(&[acted.is(1), other.is(wanted)])));
                inner.push(any_of(&["stuck".to_owned(), all_of(&lasso)]));
            }
            _ => inner.push(self.condition(self.program.question.demand.condition())?),
        }
        let _ = write!(body, "{}{}", all_of(&inner), ")".repeat(depth));
        // What steps rely on is proved together with the question: so nothing is trusted, and Spacer is much
        // quicker than with a clause for each (see `docs/emulation-programs.md`).
        let ones = self.invariants(cells);
        let is_broken = (!ones.is_empty()).then(|| format!("(not {})", all_of(&ones)));
        parts.push(any_of(&[body].into_iter().chain(is_broken).collect::<Vec<_>>()));
        Self::clause(cells.iter().copied(), &all_of(&parts), "false", text);
        Ok(())
    }
}

/// Values of several variables by case: of the last case that is so, else `otherwise`. Written from the
/// outside in, each text once.
fn by_case(cases: Vec<(String, Vec<String>)>, otherwise: Vec<String>) -> Vec<String> {
    let nested = |(position, otherwise): (usize, String)| {
        let mut text = String::new();
        for (is_so, values) in cases.iter().rev() {
            let _ = write!(text, "(ite {is_so} {} ", values[position]);
        }
        text + &otherwise + &")".repeat(cases.len())
    };
    otherwise.into_iter().enumerate().map(nested).collect()
}
