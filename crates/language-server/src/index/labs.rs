//! The names of a system of agents.
//!
//! A variable of agents or of the environment is its name: `x of e` may be that of any kind that has it, so all
//! declarations of a name are one, as ports are in rewriting systems. Locals of blocks and names bound by
//! quantifiers belong to their scope. A process belongs to its kind, or to the system.

use rustc_hash::FxHashSet;

use super::{Builder, Index, Kind};
use paramcheck_labs::ast::{
    Arrow, Assignment, Declaration, Definition, Expr, ExprKind, File, Initial, Modality, Pick, Process,
    ProcessKind, Property, Quantifier, Section, Statement, Variable, Who, Within,
};
use paramcheck_text::reading::Ident;

/// The index of a text.
pub(crate) fn index(file: &File) -> Index {
    let of_system = file.sections.iter().filter_map(|section| match section {
        Section::System(section) => Some(&section.definitions),
        _ => None,
    });
    let shared = of_system.flatten().map(|definition| definition.name.text.as_str()).collect();
    let mut walk =
        Walk { builder: Builder::default(), shared, own: FxHashSet::default(), kind: String::new() };
    file.sections.iter().for_each(|section| walk.section(section));
    walk.builder.finish()
}

/// Names in scope and their scopes, the innermost last.
type Bound = Vec<(String, String)>;

struct Walk<'a> {
    builder: Builder,
    /// The processes of the system.
    shared: FxHashSet<&'a str>,
    /// Those of the kind that is being read.
    own: FxHashSet<&'a str>,
    /// Its name; empty in the system.
    kind: String,
}

impl<'a> Walk<'a> {
    fn section(&mut self, section: &'a Section) {
        self.kind.clear();
        self.own.clear();
        match section {
            Section::System(system) => {
                system.externs.iter().for_each(|name| self.builder.define(Kind::Parameter, "", name));
                system.environment.iter().for_each(|one| self.declaration(one));
                for spawn in &system.spawn {
                    self.builder.mention(Kind::Agents, "", &spawn.kind);
                    self.expr(&spawn.count, &mut Vec::new());
                }
                system.definitions.iter().for_each(|one| self.definition(one));
            }
            Section::Stigmergy(stigmergy) => {
                self.builder.define(Kind::Stigmergy, "", &stigmergy.name);
                stigmergy.link.iter().for_each(|link| self.expr(link, &mut Vec::new()));
                for tuple in &stigmergy.tuples {
                    tuple.variables.iter().for_each(|one| self.declared(one));
                    tuple.initials.iter().for_each(|one| self.initial(one));
                }
            }
            Section::Agent(agent) => {
                self.builder.define(Kind::Agents, "", &agent.name);
                agent.interface.iter().for_each(|one| self.declaration(one));
                agent.stigmergies.iter().for_each(|name| self.builder.mention(Kind::Stigmergy, "", name));
                self.kind.clone_from(&agent.name.text);
                self.own = agent.definitions.iter().map(|one| one.name.text.as_str()).collect();
                agent.definitions.iter().for_each(|one| self.definition(one));
            }
            Section::Assume(section) => {
                for one in &section.assumptions {
                    self.builder.define(Kind::Assumption, "", &one.name);
                    self.expr(&one.formula, &mut Vec::new());
                }
            }
            Section::Check(section) => section.properties.iter().for_each(|one| self.property(one)),
        }
    }

    fn declaration(&mut self, declaration: &Declaration) {
        self.declared(&declaration.variable);
        self.initial(&declaration.initial);
    }

    fn declared(&mut self, variable: &Variable) {
        self.builder.define(Kind::Variable, "", &variable.name);
        variable.extents.iter().for_each(|extent| self.expr(extent, &mut Vec::new()));
    }

    fn initial(&mut self, initial: &Initial) {
        let all: Vec<&Expr> = match initial {
            Initial::Undefined(_) => Vec::new(),
            Initial::OneOf(values) => values.iter().collect(),
            Initial::Range(low, high) => vec![low, high],
            Initial::Value(value) => vec![value],
        };
        all.into_iter().for_each(|value| self.expr(value, &mut Vec::new()));
    }

    fn definition(&mut self, definition: &Definition) {
        let kind = self.kind.clone();
        self.builder.define(Kind::Definition, &kind, &definition.name);
        self.process(&definition.body);
    }

    fn property(&mut self, property: &Property) {
        self.builder.define(Kind::Property, "", &property.name);
        if let Modality::Scope { opens, closes, within, .. } = &property.modality {
            self.expr(opens, &mut Vec::new());
            self.expr(closes, &mut Vec::new());
            if let Within::Precedes(first) = within {
                self.expr(first, &mut Vec::new());
            }
        }
        self.expr(&property.formula, &mut Vec::new());
    }

    /// The depth of processes is bounded by the parser.
    fn process(&mut self, process: &Process) {
        match &process.kind {
            ProcessKind::Parallel(parts) | ProcessKind::Choice(parts) | ProcessKind::Sequence(parts) => {
                parts.iter().for_each(|part| self.process(part));
            }
            ProcessKind::Guarded { guard, body, .. } => {
                self.expr(guard, &mut Vec::new());
                self.process(body);
            }
            ProcessKind::Block(statements) => self.block(statements),
            ProcessKind::Assign(assignment) => {
                let locals = self.builder.scope();
                self.assignment(assignment, &locals, &mut Vec::new());
            }
            ProcessKind::Skip | ProcessKind::Nil => {}
            ProcessKind::Call(name) => {
                let is_own =
                    self.own.contains(name.text.as_str()) || !self.shared.contains(name.text.as_str());
                let kind = if is_own { self.kind.clone() } else { String::new() };
                self.builder.mention(Kind::Definition, &kind, name);
            }
            ProcessKind::Parenthesised(inner) => self.process(inner),
        }
    }

    fn block(&mut self, statements: &[Statement]) {
        let locals = self.builder.scope();
        let mut bound: Bound = Vec::new();
        for statement in statements {
            match statement {
                Statement::Assign(assignment) => self.assignment(assignment, &locals, &mut bound),
                Statement::Pick(Pick { local, count, kind, condition, .. }) => {
                    self.expr(count, &mut bound);
                    kind.iter().for_each(|kind| self.builder.mention(Kind::Agents, "", kind));
                    condition.iter().for_each(|condition| self.expr(condition, &mut bound));
                    self.local(local, &locals, &mut bound);
                }
            }
        }
    }

    /// A local that is set: the first time it is defined.
    fn local(&mut self, name: &Ident, scope: &str, bound: &mut Bound) {
        let is_known = bound.iter().any(|(known, _)| *known == name.text);
        self.builder.add(Kind::Local, scope, name, !is_known);
        if !is_known {
            bound.push((name.text.clone(), scope.to_owned()));
        }
    }

    fn assignment(&mut self, assignment: &Assignment, locals: &str, bound: &mut Bound) {
        let indices = assignment.targets.iter().flat_map(|target| &target.indices);
        indices.chain(&assignment.values).for_each(|one| self.expr(one, bound));
        for target in &assignment.targets {
            match assignment.arrow {
                Arrow::Local => self.local(&target.name, locals, bound),
                Arrow::Attribute | Arrow::Stigmergy | Arrow::Environment => {
                    self.builder.mention(Kind::Variable, "", &target.name);
                }
            }
        }
    }

    fn name(&mut self, name: &Ident, bound: &Bound) {
        match bound.iter().rev().find(|(known, _)| *known == name.text) {
            Some((_, scope)) => self.builder.mention(Kind::Local, scope, name),
            None => self.builder.mention(Kind::Variable, "", name),
        }
    }

    fn who(&mut self, who: &Who, bound: &mut Bound) {
        match who {
            Who::Party { .. } => {}
            Who::Name(name) => self.name(name, bound),
            Who::Agent(agent) => self.expr(agent, bound),
        }
    }

    /// The depth of expressions is bounded by the parser.
    fn expr(&mut self, expr: &Expr, bound: &mut Bound) {
        match &expr.kind {
            ExprKind::Number(_) | ExprKind::Truth(_) | ExprKind::Id(None) => {}
            ExprKind::Extern(name) => {
                let name = Ident { text: name.clone(), span: expr.span };
                self.builder.mention(Kind::Parameter, "", &name);
            }
            ExprKind::Id(Some(who)) => self.who(who, bound),
            ExprKind::Reference(reference) => {
                // In links and behind `where` these are the two agents.
                let is_party = matches!(reference.name.text.as_str(), "c1" | "c2") && reference.of.is_none();
                if reference.of.is_some() {
                    self.builder.mention(Kind::Variable, "", &reference.name);
                } else if !is_party || bound.iter().any(|(known, _)| *known == reference.name.text) {
                    self.name(&reference.name, bound);
                }
                reference.indices.iter().for_each(|index| self.expr(index, bound));
                reference.of.iter().for_each(|who| self.who(who, bound));
            }
            ExprKind::Negative(inner)
            | ExprKind::Not(inner)
            | ExprKind::Absolute(inner)
            | ExprKind::Parenthesised(inner) => self.expr(inner, bound),
            ExprKind::Binary(_, left, right) | ExprKind::AnyOf(left, right) => {
                self.expr(left, bound);
                self.expr(right, bound);
            }
            ExprKind::Extreme { operands, .. } => operands.iter().for_each(|one| self.expr(one, bound)),
            ExprKind::If(parts) => parts.iter().for_each(|one| self.expr(one, bound)),
            ExprKind::Foreign(_, arguments) => arguments.iter().for_each(|one| self.expr(one, bound)),
            ExprKind::Quantified(quantifiers, body) => {
                let outer = bound.len();
                for Quantifier { kind, variable, .. } in quantifiers {
                    self.bind(kind, variable, bound);
                }
                self.expr(body, bound);
                bound.truncate(outer);
            }
            ExprKind::Count { kind, variable, condition } => {
                let outer = bound.len();
                self.bind(kind, variable, bound);
                self.expr(condition, bound);
                bound.truncate(outer);
            }
        }
    }

    fn bind(&mut self, kind: &Ident, variable: &Ident, bound: &mut Bound) {
        self.builder.mention(Kind::Agents, "", kind);
        let scope = self.builder.scope();
        self.builder.define(Kind::Local, &scope, variable);
        bound.push((variable.text.clone(), scope));
    }
}
