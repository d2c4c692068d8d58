//! A property in MCL: fixpoints whose parameters are the values that its formula depends on.

use std::collections::BTreeMap;

use paramcheck_labs::model::{Modality, Property, System};
use paramcheck_labs::semantics::step::Rules;
use paramcheck_text::index::Idx;

use super::{NotWritten, cell, heading, undefined};
use crate::Structure;
use crate::expression::{Expression, Operator, VariableId};
use crate::labs::compile::Compiler;
use crate::labs::program::NotProgrammed;
use crate::labs::program::act::of_store;
use crate::labs::program::cells::Cells;
use crate::labs::program::define::Definitions;
use crate::labs::values::Values;

/// The property in MCL.
///
/// # Errors
/// It can't be written.
pub fn mcl(system: &System, model: &str, property: &Property, rules: Rules) -> Result<String, NotWritten> {
    let (low, high) = rules.width.bounds();
    // Nothing is known of values here: the least number but one is that of undefined.
    let any = Values::between(low, high).or_undefined(true);
    let mut structure = Structure::default();
    let cells = Cells::new(system, &vec![any; system.initial.len()], &mut structure);
    let mut compiler = Compiler::new(system, rules.width);
    let code = compiler.formula(&property.formula);
    if compiler.has_foreign {
        return Err(NotProgrammed::Foreign.into());
    }
    if compiler.is_too_large() {
        return Err(NotProgrammed::Formula.into());
    }
    let arrays = structure.arrays.clone();
    let mut definitions = Definitions::new(structure);
    definitions.is_inlined = true;
    let formula = of_store(&code, &cells, rules.width, &mut definitions)?.is_true();
    let mut text = heading(
        model,
        &format!("property:  {} (undefined is {})", property.name, undefined(rules.width)),
        system,
        &rules,
        ["(* ", " *)"],
    );
    let mut writer = Writer { system, arrays, used: BTreeMap::new() };
    let predicate = writer.condition(&formula);
    let used = writer.used;
    let body = match &property.modality {
        Modality::Scope { .. } => return Err(NotWritten::Scope),
        Modality::Always => invariant("Inv", &used, &predicate),
        Modality::FairlyInfinite => {
            let reach = reach(&used, &predicate);
            invariant("Inv", &used, &reach)
        }
        Modality::Fairly => unless(&used, &predicate, &reach(&used, &predicate)),
        Modality::Eventually { .. } => inevitable(&used, &predicate),
    };
    text.push_str(&body);
    Ok(text)
}

/// The values that a formula depends on: by variable its parameter, its owner and its name.
type Used = BTreeMap<VariableId, (String, i64, String)>;

/// `(x0:Int := 0, …)`, with the values of `initial`.
fn bound(used: &Used, initial: impl Fn(&str) -> String) -> String {
    if used.is_empty() {
        return String::new();
    }
    let all = used.values().map(|(name, ..)| format!("{name}:Int := {}", initial(name)));
    format!(" ({})", itertools::join(all, ", "))
}

/// `Name (x0, v, x2)`: where one value, if any, is `v`.
fn call(name: &str, used: &Used, changed: Option<VariableId>) -> String {
    if used.is_empty() {
        return name.to_owned();
    }
    let value = |(id, (own, ..)): (&VariableId, &(String, i64, String))| {
        if Some(*id) == changed { "v".to_owned() } else { own.clone() }
    };
    format!("{name} ({})", itertools::join(used.iter().map(value), ", "))
}

fn signal(owner: i64, name: &str, value: &str) -> String {
    let owner = if owner < 0 { format!("({owner})") } else { owner.to_string() };
    format!("{{ASSIGN !{owner} !\"{name}\" {value}}}")
}

/// An action of which no value is of interest, and that ends no step.
fn other(used: &Used) -> String {
    let mut parts: Vec<String> =
        used.values().map(|(_, owner, name)| signal(*owner, name, "?any of Int")).collect();
    parts.push("DONE".to_owned());
    format!("not ({})", parts.join(" or "))
}

/// What follows each action, put together by a modality and a connective.
fn follow(name: &str, used: &Used, [open, close]: [&str; 2], connective: &str, at_done: &str) -> String {
    let mut parts: Vec<String> = used
        .iter()
        .map(|(id, (_, owner, variable))| {
            format!("{open}{}{close} {}", signal(*owner, variable, "?v:Int"), call(name, used, Some(*id)))
        })
        .collect();
    parts.push(format!("{open}{}{close} {}", other(used), call(name, used, None)));
    parts.push(format!("{open}DONE{close} {at_done}"));
    parts.join(&format!("\n  {connective} "))
}

/// At every `DONE` something holds.
fn invariant(name: &str, used: &Used, holds: &str) -> String {
    let at_done = format!("({holds} and {})", call(name, used, None));
    let body = follow(name, used, ["[", "]"], "and", &at_done);
    format!("nu {name}{} . (\n  {body}\n)\n", bound(used, |_| "0".to_owned()))
}

/// A `DONE` at which the predicate holds can be reached, or it holds now.
fn reach(used: &Used, predicate: &str) -> String {
    let at_done = format!("({predicate} or {})", call("R", used, None));
    let body = follow("R", used, ["<", ">"], "or", &at_done);
    format!("({predicate} or mu R{} . (\n  {body}\n))", bound(used, str::to_owned))
}

/// At every `DONE` the predicate holds, or it can be reached and so on.
fn unless(used: &Used, predicate: &str, reach: &str) -> String {
    let at_done = format!("({predicate} or ({reach} and {}))", call("Inv", used, None));
    let body = follow("Inv", used, ["[", "]"], "and", &at_done);
    format!("nu Inv{} . (\n  {body}\n)\n", bound(used, |_| "0".to_owned()))
}

/// On every run there is a `DONE` at which the predicate holds.
fn inevitable(used: &Used, predicate: &str) -> String {
    let at_done = format!("({predicate} or {})", call("F", used, None));
    let body = follow("F", used, ["[", "]"], "and", &at_done);
    format!("mu F{} . (\n  <true> true\n  and {body}\n)\n", bound(used, |_| "0".to_owned()))
}

/// A number by cases: MCL has none.
enum Cases {
    One(String),
    If(String, Box<Cases>, Box<Cases>),
}

impl Cases {
    fn map(self, make: &impl Fn(String) -> String) -> Cases {
        match self {
            Cases::One(text) => Cases::One(make(text)),
            Cases::If(condition, then, otherwise) => {
                Cases::If(condition, Box::new(then.map(make)), Box::new(otherwise.map(make)))
            }
        }
    }

    fn with(self, other: &Cases, make: &impl Fn(&str, &str) -> String) -> Cases {
        match self {
            Cases::One(left) => other.each(&|right| make(&left, right)),
            Cases::If(condition, then, otherwise) => {
                Cases::If(condition, Box::new(then.with(other, make)), Box::new(otherwise.with(other, make)))
            }
        }
    }

    fn each(&self, make: &impl Fn(&str) -> String) -> Cases {
        match self {
            Cases::One(text) => Cases::One(make(text)),
            Cases::If(condition, then, otherwise) => {
                Cases::If(condition.clone(), Box::new(then.each(make)), Box::new(otherwise.each(make)))
            }
        }
    }

    /// The cases of a condition as one.
    fn joined(self) -> String {
        match self {
            Cases::One(text) => text,
            Cases::If(condition, then, otherwise) => by_case(&condition, &then.joined(), &otherwise.joined()),
        }
    }
}

fn by_case(condition: &str, then: &str, otherwise: &str) -> String {
    format!("(({condition} and {then}) or (not ({condition}) and {otherwise}))")
}

struct Writer<'a> {
    system: &'a System,
    arrays: Vec<crate::expression::Array>,
    used: Used,
}

impl Writer<'_> {
    /// The parameter for a variable.
    fn variable(&mut self, id: VariableId) -> String {
        let system = self.system;
        let parameter = |id: VariableId| {
            // Variables are the cells, in their order.
            let (owner, name) = cell(system, id.index());
            (format!("x{}", id.index()), owner, name)
        };
        self.used.entry(id).or_insert_with(|| parameter(id)).0.clone()
    }

    fn number(&mut self, expression: &Expression) -> Cases {
        match expression {
            Expression::Constant(number) if *number < 0 => Cases::One(format!("({number})")),
            Expression::Constant(number) => Cases::One(number.to_string()),
            Expression::Variable(id) => Cases::One(self.variable(*id)),
            Expression::Known(inner, ..) => self.number(inner),
            Expression::Negate(inner) => self.number(inner).map(&|inner| format!("(- {inner})")),
            Expression::If(parts) => {
                let [condition, then, otherwise] = parts.as_ref();
                let condition = self.condition(condition);
                Cases::If(condition, Box::new(self.number(then)), Box::new(self.number(otherwise)))
            }
            Expression::Element(array, index) => {
                let index = self.number(index);
                let variables: Vec<VariableId> = self.arrays[*array].variables().collect();
                let mut sum = Cases::One("0".to_owned());
                for (position, id) in variables.into_iter().enumerate().rev() {
                    let name = self.variable(id);
                    let is_it = index.each(&|index| format!("({index} = {position})")).joined();
                    sum = Cases::If(is_it, Box::new(Cases::One(name)), Box::new(sum));
                }
                sum
            }
            Expression::Binary(operator, left, right) if !operator.is_condition() => {
                let sign = match operator {
                    Operator::Divide => "div",
                    // Of the sign of the dividend, as in LNT.
                    Operator::Remainder => "rem",
                    other => other.symbol(),
                };
                let (left, right) = (self.number(left), self.number(right));
                left.with(&right, &|left, right| format!("({left} {sign} {right})"))
            }
            // Definitions are written out, and there are no counters.
            condition => {
                let condition = self.condition(condition);
                Cases::If(
                    condition,
                    Box::new(Cases::One("1".to_owned())),
                    Box::new(Cases::One("0".to_owned())),
                )
            }
        }
    }

    fn condition(&mut self, expression: &Expression) -> String {
        match expression {
            Expression::Constant(number) => (*number != 0).to_string(),
            Expression::Not(inner) => format!("(not {})", self.condition(inner)),
            Expression::Known(inner, ..) => self.condition(inner),
            Expression::If(parts) if expression.is_condition() => {
                let [condition, then, otherwise] = parts.as_ref();
                let condition = self.condition(condition);
                by_case(&condition, &self.condition(then), &self.condition(otherwise))
            }
            Expression::Binary(Operator::And, left, right) => {
                format!("({} and {})", self.condition(left), self.condition(right))
            }
            Expression::Binary(Operator::Or, left, right) => {
                format!("({} or {})", self.condition(left), self.condition(right))
            }
            Expression::Binary(operator, left, right) if operator.is_condition() => {
                let sign = if *operator == Operator::Equal { "=" } else { operator.symbol() };
                let (left, right) = (self.number(left), self.number(right));
                left.with(&right, &|left, right| format!("({left} {sign} {right})")).joined()
            }
            number => self.number(number).map(&|number| format!("({number} <> 0)")).joined(),
        }
    }
}
