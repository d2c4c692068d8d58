//! Which constructs of the language a model uses: what the syntax tree contains, and for the spelling what
//! the text contains.

use std::collections::BTreeSet;

use paramcheck_model::lower::lower;
use paramcheck_model::rule::Ownership;
use paramcheck_model::syntax::ast::{
    Body, Component, ComponentItem, CountTerm, ErrorExpression, Forbid, Interaction, Item, StateSet,
    WsksFormula, WsksRelation,
};
use paramcheck_model::syntax::parse;

/// Every construct that some example must show: all of the language.
pub(super) const ALL: &[&str] = &[
    "/* comment */",
    "// comment",
    "<-",
    "new x .",
    "ν",
    "⟨ ⟩",
    "·",
    "←",
    "init of one state",
    "init of several states",
    "init *",
    "final of some states",
    "final *",
    "internal transition",
    "port of several transitions of a type",
    "port of several types",
    "interaction of one",
    "interaction of two",
    "interaction of three or more",
    "several interactions",
    "no interactions",
    "single atom without parentheses",
    "rule of one instance atom",
    "rule of more than two predicate atoms",
    "alternatives |",
    "Type[state]",
    "Type[*]",
    "link",
    "link with forbid",
    "system P",
    "critical",
    "critical twice",
    "forbid",
    "forbid name",
    "forbid of several patterns",
    "pattern with Type.state",
    "error: #state",
    "error: #Type.state",
    "error: sum",
    "error: >=",
    "error: <=",
    "error: ==",
    "error: !=",
    "error: <",
    "error: >",
    "error: &",
    "error: |",
    "error: !",
    "error: (…)",
    "error: deadlock",
    "error: name of an error",
    "error: name of a pattern group",
    "wsks: in",
    "wsks: notin",
    "wsks: sub",
    "wsks: =",
    "wsks: !=",
    "wsks: Type.state",
    "wsks: !",
    "wsks: &",
    "wsks: |",
    "wsks: =>",
    "wsks: <=>",
    "wsks: ex1",
    "wsks: all1",
    "wsks: ex2",
    "wsks: all2",
    "borrowed parameter",
    "owned parameter",
];

/// The constructs that `text` uses.
pub(super) fn of(text: &str) -> BTreeSet<&'static str> {
    let mut found = Found::default();
    found.spelling(text);
    let model = parse(text).model;
    let mut critical = 0;
    let mut ports: Vec<BTreeSet<&str>> = Vec::new();
    for item in &model.items {
        match item {
            Item::Component(component) => ports.push(found.component(component)),
            Item::Rule(rule) => {
                found.note(rule.bodies.len() > 1, "alternatives |");
                rule.bodies.iter().for_each(|body| found.body(body));
            }
            Item::Link(link) => {
                found.note(true, "link");
                found.note(!link.forbids.is_empty(), "link with forbid");
                found.interactions(&link.interactions);
                link.forbids.iter().for_each(|forbid| found.forbid(forbid));
            }
            Item::Error(error) => found.formula(&error.body),
            Item::Critical(_) => critical += 1,
            Item::System(_) => found.note(true, "system P"),
        }
    }
    found.note(critical >= 1, "critical");
    found.note(critical >= 2, "critical twice");
    let several = |port: &&str| ports.iter().filter(|of_type| of_type.contains(*port)).count() >= 2;
    found.note(ports.iter().flatten().any(several), "port of several types");
    found.names(&model.items);
    found.ownership(text);
    found.constructs
}

#[derive(Default)]
struct Found {
    constructs: BTreeSet<&'static str>,
}

impl Found {
    fn note(&mut self, is_used: bool, construct: &'static str) {
        if is_used {
            self.constructs.insert(construct);
        }
    }

    fn spelling(&mut self, text: &str) {
        let comments = parse(text).comments;
        let is_block = |start: usize| text[start..].starts_with("/*");
        self.note(comments.iter().any(|comment| is_block(comment.span.start)), "/* comment */");
        self.note(comments.iter().any(|comment| !is_block(comment.span.start)), "// comment");
        let mut code = text.to_owned();
        for comment in comments.iter().rev() {
            code.replace_range(comment.span.start..comment.span.end, "");
        }
        self.note(code.contains("<-"), "<-");
        self.note(code.contains("new "), "new x .");
        self.note(code.contains('ν'), "ν");
        self.note(code.contains('⟨') && code.contains('⟩'), "⟨ ⟩");
        self.note(code.contains('·'), "·");
        self.note(code.contains('←'), "←");
        self.note(code.contains("& (") || code.contains("| ("), "error: (…)");
    }

    /// Returns the component type's ports.
    fn component<'a>(&mut self, component: &'a Component) -> BTreeSet<&'a str> {
        let mut ports = BTreeSet::new();
        for item in &component.items {
            match item {
                ComponentItem::States(_) => {}
                ComponentItem::Init(StateSet::All(_)) => self.note(true, "init *"),
                ComponentItem::Init(StateSet::Names(states)) => {
                    self.note(states.len() == 1, "init of one state");
                    self.note(states.len() > 1, "init of several states");
                }
                ComponentItem::Final(StateSet::All(_)) => self.note(true, "final *"),
                ComponentItem::Final(StateSet::Names(_)) => self.note(true, "final of some states"),
                ComponentItem::Transition(transition) => match &transition.port {
                    None => self.note(true, "internal transition"),
                    Some(port) => {
                        let is_new = ports.insert(port.text.as_str());
                        self.note(!is_new, "port of several transitions of a type");
                    }
                },
            }
        }
        ports
    }

    fn body(&mut self, body: &Body) {
        self.note(body.interactions.is_empty(), "no interactions");
        self.interactions(&body.interactions);
        body.forbids.iter().for_each(|forbid| self.forbid(forbid));
        let is_bare = matches!(&body.atoms[..], [atom] if atom.span.end == body.span.end);
        self.note(is_bare, "single atom without parentheses");
        for atom in &body.atoms {
            match &atom.initial {
                None => {}
                Some(StateSet::All(_)) => self.note(true, "Type[*]"),
                Some(StateSet::Names(_)) => self.note(true, "Type[state]"),
            }
        }
    }

    fn interactions(&mut self, interactions: &[Interaction]) {
        self.note(interactions.len() > 1, "several interactions");
        for interaction in interactions {
            match interaction.atoms.len() {
                1 => self.note(interaction.atoms[0].arguments.len() == 1, "interaction of one"),
                2 => self.note(true, "interaction of two"),
                _ => self.note(true, "interaction of three or more"),
            }
        }
    }

    fn forbid(&mut self, forbid: &Forbid) {
        self.note(forbid.name.is_none(), "forbid");
        self.note(forbid.name.is_some(), "forbid name");
        self.note(forbid.patterns.len() > 1, "forbid of several patterns");
        let mut atoms = forbid.patterns.iter().flat_map(|pattern| &pattern.atoms);
        self.note(atoms.any(|atom| atom.qualifier.is_some()), "pattern with Type.state");
    }

    fn formula(&mut self, formula: &ErrorExpression) {
        match formula {
            ErrorExpression::Deadlock(_) => self.note(true, "error: deadlock"),
            ErrorExpression::Name(_) => {} // see `names`
            ErrorExpression::Count(count) => {
                self.note(count.terms.len() > 1, "error: sum");
                let is_qualified = |term: &CountTerm| term.component.is_some();
                self.note(count.terms.iter().any(is_qualified), "error: #Type.state");
                self.note(!count.terms.iter().all(is_qualified), "error: #state");
                let construct = match count.comparison.symbol() {
                    ">=" => "error: >=",
                    "<=" => "error: <=",
                    "==" => "error: ==",
                    "!=" => "error: !=",
                    "<" => "error: <",
                    ">" => "error: >",
                    other => panic!("unknown comparison {other}"),
                };
                self.note(true, construct);
            }
            ErrorExpression::Wsks(wsks) => self.wsks(&wsks.formula),
            ErrorExpression::Not(inner, _) => {
                self.note(true, "error: !");
                self.formula(inner);
            }
            ErrorExpression::And(parts) => {
                self.note(true, "error: &");
                parts.iter().for_each(|part| self.formula(part));
            }
            ErrorExpression::Or(parts) => {
                self.note(true, "error: |");
                parts.iter().for_each(|part| self.formula(part));
            }
        }
    }

    fn wsks(&mut self, formula: &WsksFormula) {
        match formula {
            WsksFormula::Constant(..) => {}
            WsksFormula::Atom(atom) => {
                self.note(
                    true,
                    match atom.relation {
                        WsksRelation::In => "wsks: in",
                        WsksRelation::NotIn => "wsks: notin",
                        WsksRelation::Sub => "wsks: sub",
                        WsksRelation::Equal => "wsks: =",
                        WsksRelation::NotEqual => "wsks: !=",
                    },
                );
                self.note(atom.right.component.is_some(), "wsks: Type.state");
            }
            WsksFormula::Not(inner, _) => {
                self.note(true, "wsks: !");
                self.wsks(inner);
            }
            WsksFormula::And(parts) => {
                self.note(true, "wsks: &");
                parts.iter().for_each(|part| self.wsks(part));
            }
            WsksFormula::Or(parts) => {
                self.note(true, "wsks: |");
                parts.iter().for_each(|part| self.wsks(part));
            }
            WsksFormula::Implies(left, right) => {
                self.note(true, "wsks: =>");
                self.wsks(left);
                self.wsks(right);
            }
            WsksFormula::Iff(left, right) => {
                self.note(true, "wsks: <=>");
                self.wsks(left);
                self.wsks(right);
            }
            WsksFormula::Quantified(quantified) => {
                self.note(
                    true,
                    match quantified.quantifier.word() {
                        "ex1" => "wsks: ex1",
                        "all1" => "wsks: all1",
                        "ex2" => "wsks: ex2",
                        _ => "wsks: all2",
                    },
                );
                self.wsks(&quantified.body);
            }
        }
    }

    /// Names in errors, which may be of errors or of groups of patterns.
    fn names(&mut self, items: &[Item]) {
        let errors: BTreeSet<_> = items
            .iter()
            .filter_map(|item| match item {
                Item::Error(error) => Some(error.name.text.as_str()),
                _ => None,
            })
            .collect();
        for item in items {
            let Item::Error(error) = item else { continue };
            let mut open = vec![&error.body];
            while let Some(formula) = open.pop() {
                match formula {
                    ErrorExpression::Name(name) if errors.contains(name.text.as_str()) => {
                        self.note(true, "error: name of an error");
                    }
                    ErrorExpression::Name(_) => self.note(true, "error: name of a pattern group"),
                    ErrorExpression::Not(inner, _) => open.push(inner),
                    ErrorExpression::And(parts) | ErrorExpression::Or(parts) => open.extend(parts),
                    ErrorExpression::Deadlock(_) | ErrorExpression::Count(_) | ErrorExpression::Wsks(_) => {}
                }
            }
        }
    }

    fn ownership(&mut self, text: &str) {
        let system = lower(&parse(text).model).system.expect("examples have no errors");
        for parameter in system.predicates.iter().flat_map(|predicate| &predicate.parameters) {
            self.note(parameter.ownership == Ownership::Borrowed, "borrowed parameter");
            self.note(parameter.ownership == Ownership::Owned, "owned parameter");
        }
        for rule in system.rules.iter() {
            self.note(rule.predicate_atoms().count() > 2, "rule of more than two predicate atoms");
            let is_instantiation = rule.atoms.len() == 1 && rule.instance_atoms().count() == 1;
            self.note(is_instantiation, "rule of one instance atom");
        }
    }
}
