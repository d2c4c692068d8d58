//! Terms to rewriting trees: total, without recursion, and with a place for whatever is wrong.
//!
//! The tokens are those of rewriting systems, read by [`Input`]. Each node is checked against the system at
//! once, so that diagnostics can name what fits there.

use itertools::Itertools;

use paramcheck_model::component::StateId;
use paramcheck_model::rule::{InstanceAtom, Predicate, Rule, RuleId};
use paramcheck_model::syntax::vocabulary::{Rewriting, Symbol, TokenKind};
use paramcheck_model::system::System;
use paramcheck_model::tree::{RewritingTree, TreeNode};
use paramcheck_text::diagnostic::Diagnostic;
use paramcheck_text::diagnostic::codes::input::NO_SUCH_TREE;
use paramcheck_text::nearest;
use paramcheck_text::reading::{Input, Spelt, read, shortened};
use paramcheck_text::source::Span;

use super::{MAX_TERM_SIZE, choices};

/// The longest list of names in a message.
const MAX_LISTED: usize = 8;

/// The rewriting tree that `text` writes as a term (see the module's text), its nodes in preorder.
///
/// # Errors
/// What is wrong, with places in `text`: what can't be read, and what is no rewriting tree of `system`.
/// A tree of more than [`MAX_TERM_SIZE`] nodes or components is refused.
pub fn parse_term(system: &System, text: &str) -> Result<RewritingTree, Vec<Diagnostic>> {
    let read =
        read(Rewriting, text, |input| Parser { system, input, nodes: Vec::new(), components: 0 }.term());
    // What is no token comes before what is no tree.
    if read.diagnostics.is_empty() { read.value.map_err(|wrong| vec![wrong]) } else { Err(read.diagnostics) }
}

/// What was read, or what is wrong.
type Parsed<T> = Result<T, Diagnostic>;

struct Parser<'a> {
    system: &'a System,
    input: Input<'a, Rewriting>,
    /// The tree so far, in preorder.
    nodes: Vec<TreeNode>,
    /// How many components these create.
    components: usize,
}

/// A node whose children are being read.
struct Open<'a> {
    node: usize,
    rule: &'a Rule,
    /// Where the rule is named.
    span: Span,
    /// The parenthesis before the children.
    parenthesis: Span,
}

impl<'a> Parser<'a> {
    /// The whole text.
    fn term(mut self) -> Parsed<RewritingTree> {
        let mut open: Vec<Open<'a>> = Vec::new();
        loop {
            let (rule, span) = self.node(open.last())?;
            if rule.predicate_atoms().next().is_some() {
                let parenthesis = self.opening(rule, span)?;
                open.push(Open { node: self.nodes.len() - 1, rule, span, parenthesis });
                continue;
            }
            self.no_children(rule, span)?;
            // Behind a complete subtree comes a sibling, or the end of the parent.
            while let Some(parent) = open.last() {
                if self.has_sibling(parent)? {
                    break;
                }
                open.pop();
            }
            if open.is_empty() {
                let message = || format!("the tree is complete before {}", self.found());
                return match self.input.is_at_end() {
                    true => Ok(RewritingTree { nodes: self.nodes }),
                    false => Err(problem(message(), self.here(), "expected the end")),
                };
            }
        }
    }

    /// A rule, its initial states and its repetitions.
    fn node(&mut self, parent: Option<&Open<'a>>) -> Parsed<(&'a Rule, Span)> {
        let (id, span) = self.rule(parent)?;
        let rule = &self.system.rules[id];
        let initial = self.initial(rule, span)?;
        let repetitions = self.repetitions(rule, span)?;
        self.components = self.components.saturating_add(initial.len().saturating_mul(repetitions));
        if self.nodes.len().saturating_add(repetitions).max(self.components) > MAX_TERM_SIZE {
            let message = format!("the tree has more than {MAX_TERM_SIZE} nodes or components");
            return Err(problem(message, self.input.span_from(span), "it becomes too large here"));
        }
        let mut above = parent.map(|parent| parent.node);
        for position in self.nodes.len()..self.nodes.len() + repetitions {
            if let Some(above) = above.replace(position) {
                self.nodes[above].children.push(position);
            }
            self.nodes.push(TreeNode { rule: id, initial: initial.clone(), children: Vec::new() });
        }
        Ok((rule, span))
    }

    /// `Predicate.Number`, or `Predicate` where that has one rule.
    fn rule(&mut self, parent: Option<&Open<'a>>) -> Parsed<(RuleId, Span)> {
        let system = self.system;
        let atom = parent.and_then(|parent| parent.rule.predicate_atoms().nth(self.children(parent)));
        let wanted = &system.predicates[atom.map_or(system.root, |atom| atom.predicate)];
        let rules = || rules_of(system, wanted);
        let expected = format!("a rule of `{}`", shortened(&wanted.name));
        let (mut span, name) = self.expect(TokenKind::Name, &expected, rules)?;
        let word = shortened(name);
        let named = std::iter::once(wanted).chain(&system.predicates).find(|one| one.name == name);
        let Some(named) = named else {
            let message = format!("the system has no predicate `{word}`");
            let help = nearest(system, name).map_or_else(rules, |near| format!("did you mean `{near}`?"));
            return Err(problem(message, span, "no predicate of this name").help(help));
        };
        let mut number = None;
        if self.take(Symbol::Dot).is_some() {
            let what = format!("the number of a rule of `{word}`");
            let (place, digits) = self.expect(TokenKind::Number, &what, || rules_of(system, named))?;
            (span, number) = (span.to(place), Some(digits));
        }
        let wrong = |message, label: &str| Err(problem(message, span, label).help(rules()));
        if named.name != wanted.name {
            let label = format!("expected {expected}");
            let Some(parent) = parent else {
                return wrong(format!("the tree begins with {expected}, not of `{word}`"), &label);
            };
            let above = shortened(&parent.rule.label);
            let message = format!("here `{above}` goes on with {expected}, not of `{word}`");
            return wrong(message, &label).map_err(|found| found.label(parent.span, "below this"));
        }
        let Some(digits) = number else {
            return match wanted.rules[..] {
                [rule] => Ok((rule, span)),
                _ => wrong(format!("the rule of `{word}` is missing"), "it has several rules"),
            };
        };
        let label = format!("{name}.{}", digits.trim_start_matches('0'));
        match wanted.rules.iter().find(|&&rule| system.rules[rule].label == label) {
            Some(&rule) => Ok((rule, span)),
            None => wrong(format!("`{word}` has no rule {}", shortened(digits)), "no rule of this number"),
        }
    }

    /// `[s, t]`: a state per component that may start in several; nothing where there is none.
    fn initial(&mut self, rule: &Rule, rule_span: Span) -> Parsed<Vec<StateId>> {
        let system = self.system;
        // Every atom has at least one state; those with one have no choice.
        let mut initial: Vec<StateId> =
            rule.instance_atoms().filter_map(|atom| atom.initial.first().copied()).collect();
        let choices: Vec<(usize, &InstanceAtom)> = choices(rule).collect();
        let label = shortened(&rule.label);
        let Some(bracket) = self.take(Symbol::LeftBracket) else {
            let Some((_, first)) = choices.first() else { return Ok(initial) };
            let (components, placeholder) = match choices.len() {
                1 => ("a component".to_owned(), "`[STATE]`".to_owned()),
                2 => ("2 components".to_owned(), "`[STATE, STATE]`".to_owned()),
                count => (format!("{count} components"), format!("`[STATE, …]`, {count} states")),
            };
            let message = format!("`{label}` creates {components} that may start in several states");
            let gap = Span::new(rule_span.end, rule_span.end);
            let found = problem(message, gap, format!("expected {placeholder}"));
            return Err(found.help(states_of(system, first)));
        };
        let there_are = match choices.len() {
            0 => "is no initial state",
            1 => "is one initial state",
            count => &format!("are {count} initial states"),
        };
        let there_are = format!("there {there_are} to choose at `{label}`");
        if choices.is_empty() {
            return Err(problem(there_are, bracket, "leave out the brackets"));
        }
        for (read, &(position, atom)) in choices.iter().enumerate() {
            if read > 0 && self.take(Symbol::Comma).is_none() {
                let message = format!("{there_are}, {}", only(read));
                return Err(problem(message, self.here(), "expected `,` and a state"));
            }
            let (span, word) = self.expect(TokenKind::Name, "a state", || states_of(system, atom))?;
            let known = system.types[atom.component].state_named(word);
            let Some(state) = known.filter(|state| atom.initial.contains(state)) else {
                let (name, word) = (shortened(&system.types[atom.component].name), shortened(word));
                let message = match known {
                    Some(_) => format!("`{name}` may not start in `{word}` here"),
                    None => format!("`{name}` has no state `{word}`"),
                };
                return Err(problem(message, span, "not an initial state").help(states_of(system, atom)));
            };
            initial[position] = state;
        }
        if self.input.at(Symbol::Comma) {
            return Err(problem(there_are, self.here(), "expected `]`"));
        }
        self.close(bracket, Symbol::RightBracket)?;
        Ok(initial)
    }

    /// `^3`; once where there is none.
    fn repetitions(&mut self, rule: &Rule, rule_span: Span) -> Parsed<usize> {
        if self.take(Symbol::Caret).is_none() {
            return Ok(1);
        }
        let (span, digits) = self.expect(TokenKind::Number, "a number of repetitions", String::new)?;
        let label = shortened(&rule.label);
        let mut atoms = rule.predicate_atoms();
        let repeats =
            matches!((atoms.next(), atoms.next()), (Some(atom), None) if atom.predicate == rule.head);
        // What does not fit is too large in any case.
        match digits.parse().unwrap_or(usize::MAX) {
            0 => Err(problem(format!("`{label}` is repeated no time at all"), span, "at least 1")),
            count if count > 1 && !repeats => {
                let message = format!("`{label}` can't be repeated");
                let predicate = shortened(&self.system.predicates[rule.head].name);
                Err(problem(message, rule_span.to(span), "not below itself alone").help(format!(
                    "only a rule with one predicate atom, which is of its own predicate \
                     (here `{predicate}`), can be"
                )))
            }
            count => Ok(count),
        }
    }

    /// A rule without predicate atoms has no parentheses, or empty ones.
    fn no_children(&mut self, rule: &Rule, span: Span) -> Parsed<()> {
        if self.take(Symbol::LeftParen).is_none() || self.take(Symbol::RightParen).is_some() {
            return Ok(());
        }
        let label = shortened(&rule.label);
        let message = format!("nothing goes on below `{label}`: it has no predicate atom");
        let place = self.input.peek().span;
        Err(problem(message, place, "nothing is expected here").label(span, "below this"))
    }

    /// The parenthesis before the children of a node.
    fn opening(&mut self, rule: &Rule, span: Span) -> Parsed<Span> {
        if let Some(parenthesis) = self.take(Symbol::LeftParen) {
            return Ok(parenthesis);
        }
        let system = self.system;
        let predicates = || rule.predicate_atoms().map(|atom| &system.predicates[atom.predicate]);
        let names: Vec<String> = predicates().map(|predicate| shortened(&predicate.name)).collect();
        let below = match &names[..] {
            [first, _, ..] if names.iter().all_equal() => format!("{} rules of `{first}`", names.len()),
            _ => list(names.iter().map(|name| format!("a rule of `{name}`"))),
        };
        let message = format!("`{}` goes on with {below}, in parentheses", shortened(&rule.label));
        let found = problem(message, self.input.gap(), "expected `(`").label(span, "this rule");
        let help = predicates().next().map_or_else(String::new, |first| rules_of(system, first));
        Err(helped(found, help))
    }

    /// Whether another child of `parent` follows, behind its comma. Else its closing parenthesis is read.
    fn has_sibling(&mut self, parent: &Open<'_>) -> Parsed<bool> {
        let wanted = parent.rule.predicate_atoms().count();
        let label = shortened(&parent.rule.label);
        let read = self.children(parent);
        let wrong = |message, place, expected| {
            Err(problem(message, place, expected).label(parent.span, "below this"))
        };
        if let Some(next) = parent.rule.predicate_atoms().nth(read) {
            if self.take(Symbol::Comma).is_some() {
                return Ok(true);
            }
            let next = shortened(&self.system.predicates[next.predicate].name);
            let message = format!("`{label}` goes on with {wanted} rules, {}", only(read));
            return wrong(message, self.here(), format!("expected `,` and a rule of `{next}`"));
        }
        if self.input.at(Symbol::Comma) {
            let plural = if wanted == 1 { "" } else { "s" };
            let message = format!("`{label}` goes on with {wanted} rule{plural}, not with more");
            return wrong(message, self.here(), "expected `)`".to_owned());
        }
        self.close(parent.parenthesis, Symbol::RightParen)?;
        Ok(false)
    }

    /// How many children of `parent` are read.
    fn children(&self, parent: &Open<'_>) -> usize {
        self.nodes[parent.node].children.len()
    }

    /// The partner of the bracket at `open`.
    fn close(&mut self, open: Span, partner: Symbol) -> Parsed<()> {
        if self.take(partner).is_some() {
            return Ok(());
        }
        let closing = partner.spelling();
        let message = format!("missing `{closing}` before {}", self.found());
        let found = problem(message, self.input.gap(), format!("expected `{closing}`"));
        Err(found.label(open, "to close this"))
    }

    /// The place of this symbol, if it is the next token, which is then read.
    fn take(&mut self, symbol: Symbol) -> Option<Span> {
        let is_there = self.input.at(symbol);
        is_there.then(|| self.next().0)
    }

    /// A token of this kind, its place and text.
    fn expect(
        &mut self,
        kind: TokenKind,
        what: &str,
        help: impl FnOnce() -> String,
    ) -> Parsed<(Span, &'a str)> {
        if self.input.kind() == kind {
            return Ok(self.next());
        }
        let message = format!("expected {what}, found {}", self.found());
        Err(helped(problem(message, self.here(), format!("expected {what}")), help()))
    }

    fn next(&mut self) -> (Span, &'a str) {
        let next = (self.input.peek().span, self.input.word());
        self.input = self.input.advance();
        next
    }

    /// How the next token is called in a message.
    fn found(&self) -> String {
        if self.input.is_at_end() { "the end of the term".to_owned() } else { self.input.found() }
    }

    /// The place of the next token; at the end, that just behind the last one.
    fn here(&self) -> Span {
        if self.input.is_at_end() { self.input.gap() } else { self.input.peek().span }
    }
}

fn problem(message: impl Into<String>, span: Span, label: impl Into<String>) -> Diagnostic {
    Diagnostic::new(&NO_SUCH_TREE, message, span, label)
}

/// With `help`, unless that is empty.
fn helped(found: Diagnostic, help: String) -> Diagnostic {
    if help.is_empty() { found } else { found.help(help) }
}

fn only(read: usize) -> String {
    if read == 1 { "only 1 is given".to_owned() } else { format!("only {read} are given") }
}

/// `the rules of Chain are Chain.1 and Chain.2`
fn rules_of(system: &System, predicate: &Predicate) -> String {
    let rules = if predicate.rules.len() == 1 { "rule" } else { "rules" };
    let are = if predicate.rules.len() == 1 { "is" } else { "are" };
    let labels = predicate.rules.iter().map(|&rule| quoted(&system.rules[rule].label));
    format!("the {rules} of {} {are} {}", quoted(&predicate.name), list(labels))
}

/// `Node may start in idle and busy`
fn states_of(system: &System, atom: &InstanceAtom) -> String {
    let component_type = &system.types[atom.component];
    let states = atom.initial.iter().map(|&state| quoted(&component_type.states[state].name));
    format!("{} may start in {}", quoted(&component_type.name), list(states))
}

/// The predicate whose name is most like `word`.
fn nearest(system: &System, word: &str) -> Option<String> {
    let word: String = word.chars().take(60).collect();
    let names = system.predicates.iter().map(|predicate| predicate.name.as_str());
    nearest::nearest(&word, names).map(shortened)
}

fn quoted(name: &str) -> String {
    format!("`{}`", shortened(name))
}

/// `a`, `a and b`, `a, b and c`; `a, b, …` where there are more than can be listed.
fn list(names: impl Iterator<Item = String>) -> String {
    let mut names: Vec<String> = names.take(MAX_LISTED + 1).collect();
    match names.pop() {
        Some(_) if names.len() == MAX_LISTED => format!("{}, …", names.join(", ")),
        Some(last) if names.is_empty() => last,
        Some(last) => format!("{} and {last}", names.join(", ")),
        None => String::new(),
    }
}
