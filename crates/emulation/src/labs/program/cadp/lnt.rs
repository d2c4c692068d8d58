//! A system of agents as a module in LNT.
//!
//! A state is a `Sys`: the agents with their attributes, copies, pending messages, ages and places, the
//! environment, and what is shared. Functions say when each triple is possible; `MAIN` selects among those
//! that are.

use std::fmt::Write as _;

use paramcheck_labs::model::{AgentId, System};
use paramcheck_labs::semantics::step::Rules;
use paramcheck_text::index::{Idx, IndexVec};
use paramcheck_text::limits::Budget;

use super::{NotWritten, cell, heading, undefined};
use crate::Structure;
use crate::expression::{Expression, Operator, VariableId};
use crate::labs::program::cells::Place;
use crate::labs::program::{AgentProgram, Goal, NotProgrammed, program};
use crate::triple::{CounterId, Triple, TripleId};

/// What every module has: numbers by case, and division that is total.
const HELPERS: &str = "
function ite (c : Bool, a, b : Int) : Int is
  if c then return a else return b end if
end function

function quotient (a, b : Int) : Int is
  if b == 0 then return 0 else return a div b end if
end function

function remains (a, b : Int) : Int is
  if b == 0 then return 0 else return a rem b end if
end function
";

/// The system in LNT; `text` is what it was read from, for comments.
///
/// # Errors
/// It can't be written.
pub fn lnt(
    system: &System,
    text: &str,
    model: &str,
    rules: Rules,
    budget: &Budget,
) -> Result<String, NotWritten> {
    let own = program(system, text, rules, Goal::Fault, None, budget)?;
    let writer = Writer::new(system, &own, undefined(rules.width), rules.is_sync);
    let mut text = heading(
        model,
        &format!(
            "signals:   ASSIGN !id !\"variable\" !value, DONE, FAULT (undefined is {})",
            writer.undefined
        ),
        system,
        &rules,
        ["-- ", ""],
    );
    text.push_str("module AGENTS is\n");
    writer.types(&mut text);
    text.push_str(HELPERS);
    writer.put(&mut text);
    writer.functions(&mut text);
    writer.settle(&mut text);
    writer.main(&mut text, budget)?;
    text.push_str("\nend module\n");
    Ok(text)
}

/// Where a part of the state is.
#[derive(Clone, Copy, Debug)]
enum Slot {
    /// Of an agent: field and position.
    Agent(usize, &'static str, usize),
    /// Of the environment.
    Environment(usize),
    /// Of neither: the turn, a fault.
    Shared(usize),
}

struct Writer<'a> {
    system: &'a System,
    own: &'a AgentProgram,
    slots: IndexVec<VariableId, Slot>,
    counters: IndexVec<CounterId, Slot>,
    /// Per variable the cell it is.
    cells: Vec<Option<usize>>,
    /// How many positions each field has at most.
    extents: [(&'static str, &'static str, usize); 5],
    environment: usize,
    shared: usize,
    undefined: i64,
    is_sync: bool,
}

impl<'a> Writer<'a> {
    fn new(system: &'a System, own: &'a AgentProgram, undefined: i64, is_sync: bool) -> Self {
        let structure = &own.structure;
        let mut cells = vec![None; structure.variables.len()];
        for (number, place) in own.cells.places.iter().enumerate() {
            if let Place::Variable { id, .. } = place {
                cells[id.index()] = Some(number);
            }
        }
        let mut extents = [
            ("iface", "Iface", 0),
            ("lstig", "Lstig", 0),
            ("pending", "Pending", 0),
            ("ages", "Ages", 0),
            ("places", "Places", 0),
        ];
        let agents = system.agents.len();
        let mut next = vec![[0usize; 5]; agents];
        let (mut environment, mut shared) = (0, 0);
        let mut take = |agent: usize, field: usize| {
            let at = next[agent][field];
            next[agent][field] += 1;
            extents[field].2 = extents[field].2.max(at + 1);
            Slot::Agent(agent, extents[field].0, at)
        };
        let slot = |(id, variable): (VariableId, &crate::expression::Variable)| match (
            cells[id.index()],
            variable.agent,
        ) {
            (Some(number), Some(agent)) => {
                let name = system.cell_name(number).1;
                take(agent as usize, usize::from(system.is_stigmergic(&name)))
            }
            (Some(_), None) => {
                environment += 1;
                Slot::Environment(environment - 1)
            }
            // Ranks have more than two values where there are more than two copies; bits are named so.
            (None, Some(agent)) => {
                take(agent as usize, if variable.name.contains("_rank_of_") { 3 } else { 2 })
            }
            (None, None) => {
                shared += 1;
                Slot::Shared(shared - 1)
            }
        };
        let slots = structure.variables.enumerate().map(slot).collect();
        let mut place = |counter: &crate::triple::Counter| {
            let agent = counter.agent as usize;
            let at = next[agent][4];
            next[agent][4] += 1;
            extents[4].2 = extents[4].2.max(at + 1);
            Slot::Agent(agent, "places", at)
        };
        let counters = structure.counters.iter().map(&mut place).collect();
        Writer { system, own, slots, counters, cells, extents, environment, shared, undefined, is_sync }
    }

    fn structure(&self) -> &'a Structure {
        &self.own.structure
    }

    fn types(&self, text: &mut String) {
        let agents = self.system.agents.len();
        let _ = writeln!(
            text,
            "\ntype ID is\n  range 0 .. {} of Nat\n  with \"==\", \"!=\"\nend type",
            agents.max(1) - 1
        );
        let array = |text: &mut String, name: &str, count: usize, of: &str| {
            let _ = writeln!(
                text,
                "\ntype {name} is\n  array [0 .. {}] of {of}\n  with \"get\", \"set\"\nend type",
                count.max(1) - 1
            );
        };
        for (_, name, count) in self.extents {
            array(text, name, count, "Int");
        }
        let fields =
            itertools::join(self.extents.iter().map(|(field, name, _)| format!("{field} : {name}")), ", ");
        let _ =
            writeln!(text, "\ntype Agent is\n  agent (id : ID, {fields})\n  with \"get\", \"set\"\nend type");
        array(text, "Agents", agents, "Agent");
        array(text, "Env", self.environment, "Int");
        array(text, "Shared", self.shared, "Int");
        text.push_str(
            "\ntype Sys is\n  sys (agents : Agents, env : Env, shared : Shared)\n  with \"get\", \"set\"\nend type\n",
        );
    }

    /// The functions that change one number of a state.
    fn put(&self, text: &mut String) {
        for (field, name, _) in self.extents {
            let _ = write!(
                text,
                "\nfunction put_{field} (in out s : Sys, a, k : Nat, v : Int) is\n  var all : Agents, one : Agent, own : \
                 {name} in\n    all := s.agents;\n    one := all[a];\n    own := one.{field};\n    own[k] := v;\n    \
                 one := one.{{{field} -> own}};\n    all[a] := one;\n    s := s.{{agents -> all}}\n  end var\nend \
                 function\n"
            );
        }
        for (field, name) in [("env", "Env"), ("shared", "Shared")] {
            let _ = write!(
                text,
                "\nfunction put_{field} (in out s : Sys, k : Nat, v : Int) is\n  var own : {name} in\n    own := \
                 s.{field};\n    own[k] := v;\n    s := s.{{{field} -> own}}\n  end var\nend function\n"
            );
        }
    }

    fn read(slot: Slot) -> String {
        match slot {
            Slot::Agent(agent, field, at) => format!("s.agents[{agent}].{field}[{at}]"),
            Slot::Environment(at) => format!("s.env[{at}]"),
            Slot::Shared(at) => format!("s.shared[{at}]"),
        }
    }

    fn write(slot: Slot, value: &str) -> String {
        match slot {
            Slot::Agent(agent, field, at) => format!("eval put_{field} (!?s, {agent}, {at}, {value})"),
            Slot::Environment(at) => format!("eval put_env (!?s, {at}, {value})"),
            Slot::Shared(at) => format!("eval put_shared (!?s, {at}, {value})"),
        }
    }

    fn number(&self, expression: &Expression) -> String {
        match expression {
            Expression::Constant(number) if *number < 0 => format!("(-{})", number.unsigned_abs()),
            Expression::Constant(number) => number.to_string(),
            Expression::Variable(id) => Self::read(self.slots[*id]),
            Expression::Known(inner, ..) => self.number(inner),
            Expression::Negate(inner) => format!("(-{})", self.number(inner)),
            Expression::If(parts) => {
                let [condition, then, otherwise] = parts.as_ref();
                format!(
                    "ite ({}, {}, {})",
                    self.condition(condition),
                    self.number(then),
                    self.number(otherwise)
                )
            }
            Expression::Element(array, index) => {
                let index = self.number(index);
                let variables: Vec<VariableId> = self.structure().arrays[*array].variables().collect();
                let cases = variables.into_iter().enumerate().rev();
                cases.fold("0".to_owned(), |rest, (position, id)| {
                    format!("ite ({index} == {position}, {}, {rest})", Self::read(self.slots[id]))
                })
            }
            Expression::Defined(id) => format!("def_{} (s)", id.index()),
            Expression::Binary(operator, left, right) if !operator.is_condition() => {
                let (left, right) = (self.number(left), self.number(right));
                match operator {
                    Operator::Divide => format!("quotient ({left}, {right})"),
                    Operator::Remainder => format!("remains ({left}, {right})"),
                    other => format!("({left} {} {right})", other.symbol()),
                }
            }
            condition => format!("ite ({}, 1, 0)", self.condition(condition)),
        }
    }

    fn condition(&self, expression: &Expression) -> String {
        match expression {
            Expression::Constant(number) => (*number != 0).to_string(),
            Expression::Not(inner) => format!("not ({})", self.condition(inner)),
            Expression::Known(inner, ..) => self.condition(inner),
            Expression::Truth(id) => format!("def_{} (s)", id.index()),
            Expression::At(counter, locations) => {
                let place = Self::read(self.counters[*counter]);
                let parts = locations.iter().map(|location| format!("({place} == {})", location.index()));
                let parts: Vec<String> = parts.collect();
                if parts.is_empty() { "false".to_owned() } else { format!("({})", parts.join(" or ")) }
            }
            Expression::If(parts) if expression.is_condition() => {
                let [condition, then, otherwise] = parts.as_ref().each_ref().map(|part| self.condition(part));
                format!("(({condition} and {then}) or (not ({condition}) and {otherwise}))")
            }
            Expression::Binary(Operator::And, left, right) => {
                format!("({} and {})", self.condition(left), self.condition(right))
            }
            Expression::Binary(Operator::Or, left, right) => {
                format!("({} or {})", self.condition(left), self.condition(right))
            }
            Expression::Binary(operator, left, right) if operator.is_condition() => {
                format!("({} {} {})", self.number(left), operator.symbol(), self.number(right))
            }
            number => format!("({} != 0)", self.number(number)),
        }
    }

    /// Definitions, and when triples are possible.
    fn functions(&self, text: &mut String) {
        for (id, definition) in self.structure().definitions.enumerate() {
            let value = &definition.value;
            let (kind, value) = match value.is_condition() {
                true => ("Bool", self.condition(value)),
                false => ("Int", self.number(value)),
            };
            let name = id.index();
            let _ =
                write!(text, "\nfunction def_{name} (s : Sys) : {kind} is\n  return {value}\nend function\n");
        }
        for (id, triple) in self.structure().triples.enumerate() {
            let _ = write!(
                text,
                "\nfunction may_{} (s : Sys) : Bool is\n  return {}\nend function\n",
                id.index(),
                self.may(triple)
            );
        }
    }

    fn may(&self, triple: &Triple) -> String {
        let mut parts: Vec<String> = triple
            .entry
            .iter()
            .map(|(counter, offer)| {
                let locations = self.structure().counters[*counter].locations.enumerate();
                let offering = locations.filter(|(_, location)| location.offers.contains(offer));
                let offering = offering.map(|(id, _)| id).collect();
                self.condition(&Expression::At(*counter, offering))
            })
            .collect();
        if !triple.guard.is_true() {
            parts.push(self.condition(&triple.guard));
        }
        if parts.is_empty() { "true".to_owned() } else { parts.join(" and ") }
    }

    /// What joins operands that have ended.
    fn settle(&self, text: &mut String) {
        text.push_str("\nfunction settle (in out s : Sys) is\n");
        let mut lines: Vec<String> = Vec::new();
        for (id, triple) in self.structure().silent() {
            let exit = triple.exit.iter().map(|(counter, location)| {
                Self::write(self.counters[*counter], &location.index().to_string())
            });
            let exit = itertools::join(exit, "; ");
            lines.push(format!("  if may_{} (s) then {exit} end if", id.index()));
        }
        if lines.is_empty() {
            lines.push("  null".to_owned());
        }
        let _ = writeln!(text, "{}\nend function", lines.join(";\n"));
    }

    /// The number of a variable as it is shown: undefined is one for all.
    fn shown(&self, id: VariableId, value: &str) -> String {
        let place = self.cells[id.index()].map(|number| &self.own.cells.places[number]);
        match place {
            Some(Place::Variable { undefined: Some(own), .. }) => {
                let own = if *own < 0 { format!("(-{})", own.unsigned_abs()) } else { own.to_string() };
                format!("ite ({value} == {own}, (-{}), {value})", self.undefined.unsigned_abs())
            }
            _ => value.to_owned(),
        }
    }

    fn signal(&self, number: usize, value: &str) -> String {
        let (owner, name) = cell(self.system, number);
        let owner = if owner < 0 { "(-1)".to_owned() } else { owner.to_string() };
        format!("ASSIGN (!{owner}, !\"{name}\", !{value})")
    }

    fn main(&self, text: &mut String, budget: &Budget) -> Result<(), NotWritten> {
        let structure = self.structure();
        text.push_str(
            "\nchannel ASSIGNMENT is\n  (Int, String, Int)\nend channel\n\nprocess MAIN [ASSIGN : ASSIGNMENT, DONE, FAULT : \
             none] is\n  var s : Sys, v : Int in\n",
        );
        let agent = |agent: AgentId| {
            let fields = self.extents.map(|(_, name, _)| format!("{name} (0)"));
            format!("agent (ID ({}), {})", agent.index(), fields.join(", "))
        };
        let agents = itertools::join(self.system.agents.indices().map(agent), ", ");
        let _ = writeln!(text, "    s := sys (Agents ({agents}), Env (0), Shared (0));");
        for (id, counter) in structure.counters.enumerate() {
            let _ = writeln!(
                text,
                "    {};",
                Self::write(self.counters[id], &counter.initial.index().to_string())
            );
        }
        for (id, variable) in structure.variables.enumerate() {
            match variable.initial.as_slice() {
                [only] => {
                    let value =
                        if *only < 0 { format!("(-{})", only.unsigned_abs()) } else { only.to_string() };
                    let _ = writeln!(text, "    {};", Self::write(self.slots[id], &value));
                }
                several => {
                    let parts = several.iter().map(|value| match *value < 0 {
                        true => format!("(v == (-{}))", value.unsigned_abs()),
                        false => format!("(v == {value})"),
                    });
                    let any = itertools::join(parts, " or ");
                    let _ = writeln!(
                        text,
                        "    v := any Int where {};\n    {};",
                        if any.is_empty() { "false" } else { &any },
                        Self::write(self.slots[id], "v")
                    );
                }
            }
        }
        let assumption = structure.assumption.as_ref().map_or("true".to_owned(), |own| self.condition(own));
        let _ = writeln!(text, "    only if {assumption} then");
        for (number, place) in self.own.cells.places.iter().enumerate() {
            let value = match place {
                Place::Fixed(Some(value)) if *value < 0 => format!("(-{})", value.unsigned_abs()),
                Place::Fixed(Some(value)) => value.to_string(),
                Place::Fixed(None) => format!("(-{})", self.undefined.unsigned_abs()),
                Place::Variable { id, .. } => self.shown(*id, &Self::read(self.slots[*id])),
            };
            let _ = writeln!(text, "      {};", self.signal(number, &value));
        }
        text.push_str("      DONE;\n      loop\n        select\n");
        let mut is_first = true;
        for (id, triple) in structure.steps() {
            budget.check().map_err(NotProgrammed::Stopped)?;
            if !std::mem::replace(&mut is_first, false) {
                text.push_str("        []\n");
            }
            self.branch(id, triple, text);
        }
        if is_first {
            text.push_str("          stop\n");
        }
        text.push_str("        end select\n      end loop\n    end if\n  end var\nend process\n");
        Ok(())
    }

    /// The end of a step; where messages are sent within it, once none is pending.
    fn done(&self) -> String {
        if !self.is_sync {
            return "DONE".to_owned();
        }
        let copies = self.own.shared.copies.iter().flatten();
        let bits = copies.flat_map(|copy| copy.confirm.into_iter().chain(copy.propagate));
        let none: Vec<String> = bits.map(|bit| format!("({} == 0)", Self::read(self.slots[bit]))).collect();
        if none.is_empty() {
            "DONE".to_owned()
        } else {
            format!("if {} then DONE end if", none.join(" and "))
        }
    }

    /// What a triple does: new values first, then their signals, then `DONE`.
    fn branch(&self, id: TripleId, triple: &Triple, text: &mut String) {
        let structure = self.structure();
        let what = format!("{}, {}", structure.action_words(triple), structure.agent_words(triple));
        let _ = writeln!(text, "          -- {}", paramcheck_text::comment::one_line(&what));
        let _ = writeln!(text, "          only if may_{} (s) then", id.index());
        let is_fault = self.own.meanings.get(id).and_then(Option::as_ref).is_some_and(|own| own.is_fault);
        if is_fault {
            text.push_str("            FAULT;\n            stop\n          end if\n");
            return;
        }
        let assignments: Vec<_> = triple.assignments.iter().enumerate().collect();
        if !assignments.is_empty() {
            let names =
                itertools::join(assignments.iter().map(|(number, _)| format!("n{number}, o{number}")), ", ");
            let _ = writeln!(text, "            var {names} : Int in");
        }
        let mut lines: Vec<String> = Vec::new();
        for (number, one) in &assignments {
            lines.push(format!("n{number} := {}", self.number(&one.value)));
            lines.push(format!("o{number} := {}", Self::read(self.slots[one.variable])));
        }
        for (number, one) in &assignments {
            lines.push(Self::write(self.slots[one.variable], &format!("n{number}")));
        }
        for (counter, location) in &triple.exit {
            lines.push(Self::write(self.counters[*counter], &location.index().to_string()));
        }
        lines.push("eval settle (!?s)".to_owned());
        for (number, one) in &assignments {
            if let Some(own) = self.cells[one.variable.index()] {
                let value = self.shown(one.variable, &format!("n{number}"));
                lines.push(format!("if n{number} != o{number} then {} end if", self.signal(own, &value)));
            }
        }
        lines.push(self.done());
        let indent = if assignments.is_empty() { "            " } else { "              " };
        let _ = writeln!(text, "{indent}{}", lines.join(&format!(";\n{indent}")));
        if !assignments.is_empty() {
            text.push_str("            end var\n");
        }
        text.push_str("          end if\n");
    }
}
