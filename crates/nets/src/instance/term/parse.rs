//! Terms to rewriting trees: total, without recursion, and with a place for whatever is wrong.

use rustc_hash::FxHashMap;

use paramcheck_model::component::StateId;
use paramcheck_model::rule::{InstanceAtom, Predicate, PredicateId, RuleId};
use paramcheck_model::syntax::vocabulary::{Rewriting, Symbol, Token, TokenKind};
use paramcheck_model::system::System;
use paramcheck_model::tree::{RewritingTree, TreeNode};
use paramcheck_text::diagnostic::Diagnostic;
use paramcheck_text::diagnostic::codes::input::NO_SUCH_TREE;
use paramcheck_text::reading::{self, shortened};
use paramcheck_text::source::Span;

use super::{MAX_TERM_SIZE, choices};

/// No list of names in a message is longer.
const NAMES_LISTED: usize = 8;

/// The rewriting tree that `text` writes as a term (see the module's text), its nodes in preorder.
///
/// # Errors
/// What is wrong, with places in `text`: what can't be read, and what is no rewriting tree of `system`.
/// A tree of more than [`MAX_TERM_SIZE`] nodes or components is refused.
pub fn parse_term(system: &System, text: &str) -> Result<RewritingTree, Vec<Diagnostic>> {
    let lexed = reading::lex(Rewriting, text);
    if !lexed.diagnostics.is_empty() {
        return Err(lexed.diagnostics);
    }
    let predicates = system.predicates.enumerate().map(|(id, predicate)| (predicate.name.as_str(), id));
    let labels = system.rules.enumerate().map(|(id, rule)| (rule.label.as_str(), id));
    let parser = Parser {
        system,
        text,
        tokens: &lexed.tokens,
        position: 0,
        predicates: predicates.collect(),
        labels: labels.collect(),
        nodes: Vec::new(),
        components: 0,
    };
    parser.term().map_err(|diagnostic| vec![diagnostic])
}

/// What was read, or what is wrong.
type Parsed<T> = Result<T, Diagnostic>;

struct Parser<'a> {
    system: &'a System,
    text: &'a str,
    tokens: &'a [Token],
    position: usize,
    predicates: FxHashMap<&'a str, PredicateId>,
    labels: FxHashMap<&'a str, RuleId>,
    /// The tree so far, in preorder.
    nodes: Vec<TreeNode>,
    /// How many components these create.
    components: usize,
}

/// A node whose children are being read.
struct Open {
    node: usize,
    rule: RuleId,
    /// Where the rule is named.
    span: Span,
    /// The parenthesis before the children.
    parenthesis: Span,
}

impl<'a> Parser<'a> {
    /// The whole text.
    fn term(mut self) -> Parsed<RewritingTree> {
        let mut open: Vec<Open> = Vec::new();
        loop {
            let (node, rule, span) = self.node(open.last())?;
            let mut is_leaf = self.system.rules[rule].predicate_atoms().next().is_none();
            if is_leaf {
                self.no_children(rule, span)?;
            } else {
                let parenthesis = self.opening(rule, span)?;
                open.push(Open { node, rule, span, parenthesis });
            }
            // Behind a complete subtree comes a sibling, or the end of the parent.
            while is_leaf {
                let Some(parent) = open.last() else {
                    return match self.peek().kind {
                        TokenKind::End => Ok(RewritingTree { nodes: self.nodes }),
                        _ => {
                            let message = format!("the tree is complete before {}", self.found());
                            Err(problem(message, self.here(), "expected the end"))
                        }
                    };
                };
                let read = self.nodes.get(parent.node).map_or(0, |node| node.children.len());
                let wanted = self.system.rules[parent.rule].predicate_atoms().count();
                if read < wanted {
                    self.comma(parent, read)?;
                    is_leaf = false;
                } else {
                    self.closing(parent, wanted)?;
                    open.pop();
                }
            }
        }
    }

    /// A rule, its initial states and its repetitions. Gives the last of the nodes made.
    fn node(&mut self, parent: Option<&Open>) -> Parsed<(usize, RuleId, Span)> {
        let (rule, span) = self.rule(parent)?;
        let initial = self.initial(rule, span)?;
        let repetitions = self.repetitions(rule, span)?;
        self.components = self.components.saturating_add(initial.len().saturating_mul(repetitions));
        if self.nodes.len().saturating_add(repetitions).max(self.components) > MAX_TERM_SIZE {
            let message = format!("the tree has more than {MAX_TERM_SIZE} nodes or components");
            return Err(problem(message, self.since(span), "it becomes too large here"));
        }
        let mut above = parent.map(|parent| parent.node);
        for _ in 0..repetitions {
            let position = self.nodes.len();
            self.nodes.push(TreeNode { rule, initial: initial.clone(), children: Vec::new() });
            if let Some(parent) = above.and_then(|above| self.nodes.get_mut(above)) {
                parent.children.push(position);
            }
            above = Some(position);
        }
        Ok((self.nodes.len() - 1, rule, span))
    }

    /// `Predicate.Number`, or `Predicate` where that has one rule.
    fn rule(&mut self, parent: Option<&Open>) -> Parsed<(RuleId, Span)> {
        let wanted = self.wanted(parent);
        let predicate = &self.system.predicates[wanted];
        let name = self.peek();
        if name.kind != TokenKind::Name {
            let expected = format!("a rule of `{}`", shortened(&predicate.name));
            return Err(self.expected(&expected).help(self.rules_of(predicate)));
        }
        self.position += 1;
        let word = name.text(self.text);
        let Some(&named) = self.predicates.get(word) else {
            let message = format!("the system has no predicate `{}`", shortened(word));
            let help = match self.nearest(word) {
                Some(near) => format!("did you mean `{near}`?"),
                None => self.rules_of(predicate),
            };
            return Err(problem(message, name.span, "no predicate of this name").help(help));
        };
        let is_numbered = self.at(Symbol::Dot);
        let mut span = name.span;
        if is_numbered {
            self.position += 1;
            let number = self.peek();
            if number.kind != TokenKind::Number {
                let expected = format!("the number of a rule of `{}`", shortened(word));
                let help = self.rules_of(&self.system.predicates[named]);
                return Err(self.expected(&expected).help(help));
            }
            self.position += 1;
            span = span.to(number.span);
            if named == wanted {
                let digits = number.text(self.text);
                let label = format!("{word}.{}", digits.trim_start_matches('0'));
                return match self.labels.get(label.as_str()) {
                    Some(&rule) => Ok((rule, span)),
                    None => {
                        let message = format!("`{}` has no rule {}", shortened(word), shortened(digits));
                        let help = self.rules_of(predicate);
                        Err(problem(message, span, "no rule of this number").help(help))
                    }
                };
            }
        }
        if named != wanted {
            return Err(self.misplaced(parent, word, span, wanted));
        }
        match predicate.rules[..] {
            [rule] => Ok((rule, span)),
            _ => {
                let message = format!("which rule of `{}` is not said", shortened(word));
                let help = self.rules_of(predicate);
                Err(problem(message, span, "it has several rules").help(help))
            }
        }
    }

    /// The predicate that the next node must rewrite.
    fn wanted(&self, parent: Option<&Open>) -> PredicateId {
        let atom = parent.and_then(|parent| {
            let read = self.nodes.get(parent.node)?.children.len();
            self.system.rules[parent.rule].predicate_atoms().nth(read)
        });
        atom.map_or(self.system.root, |atom| atom.predicate)
    }

    fn misplaced(&self, parent: Option<&Open>, word: &str, span: Span, wanted: PredicateId) -> Diagnostic {
        let predicate = &self.system.predicates[wanted];
        let name = shortened(&predicate.name);
        let word = shortened(word);
        let found = match parent {
            None => problem(
                format!("the tree begins with a rule of `{name}`, not of `{word}`"),
                span,
                format!("expected a rule of `{name}`"),
            ),
            Some(parent) => {
                let label = shortened(&self.system.rules[parent.rule].label);
                let message = format!("here `{label}` goes on with a rule of `{name}`, not of `{word}`");
                let diagnostic = problem(message, span, format!("expected a rule of `{name}`"));
                diagnostic.label(parent.span, "below this")
            }
        };
        found.help(self.rules_of(predicate))
    }

    /// `[s, t]`: a state per component that may start in several; nothing where there is none.
    fn initial(&mut self, rule: RuleId, rule_span: Span) -> Parsed<Vec<StateId>> {
        let rule = &self.system.rules[rule];
        // Every atom has at least one state; those with one have no choice.
        let mut initial: Vec<StateId> =
            rule.instance_atoms().filter_map(|atom| atom.initial.first().copied()).collect();
        let choices: Vec<(usize, &InstanceAtom)> = choices(rule).collect();
        let label = shortened(&rule.label);
        let bracket = self.peek();
        if !self.at(Symbol::LeftBracket) {
            let Some((_, first)) = choices.first() else { return Ok(initial) };
            let message = match choices.len() {
                1 => format!("`{label}` creates a component that may start in several states"),
                count => format!("`{label}` creates {count} components that may start in several states"),
            };
            let gap = Span::new(rule_span.end, rule_span.end);
            let diagnostic = problem(message, gap, format!("expected {}", placeholder(choices.len())));
            return Err(diagnostic.help(self.states_of(first)));
        }
        self.position += 1;
        if choices.is_empty() {
            let message = format!("there is no initial state to choose at `{label}`");
            return Err(problem(message, bracket.span, "leave out the brackets"));
        }
        for (number, &(position, atom)) in choices.iter().enumerate() {
            if number > 0 {
                self.next_state(&label, number, choices.len())?;
            }
            let token = self.peek();
            if token.kind != TokenKind::Name {
                return Err(self.expected("a state").help(self.states_of(atom)));
            }
            self.position += 1;
            let word = token.text(self.text);
            let component_type = &self.system.types[atom.component];
            let state = component_type.state_named(word).filter(|state| atom.initial.contains(state));
            let Some(state) = state else {
                let is_state = component_type.state_named(word).is_some();
                let (name, word) = (shortened(&component_type.name), shortened(word));
                let message = match is_state {
                    true => format!("`{name}` may not start in `{word}` here"),
                    false => format!("`{name}` has no state `{word}`"),
                };
                let diagnostic = problem(message, token.span, "not an initial state");
                return Err(diagnostic.help(self.states_of(atom)));
            };
            if let Some(slot) = initial.get_mut(position) {
                *slot = state;
            }
        }
        if self.at(Symbol::Comma) {
            let message = match choices.len() {
                1 => format!("there is one initial state to choose at `{label}`"),
                count => format!("there are {count} initial states to choose at `{label}`"),
            };
            return Err(problem(message, self.peek().span, "expected `]`"));
        }
        if !self.at(Symbol::RightBracket) {
            let message = format!("missing `]` before {}", self.found());
            let diagnostic = problem(message, self.gap(), "expected `]`");
            return Err(diagnostic.label(bracket.span, "to close this"));
        }
        self.position += 1;
        Ok(initial)
    }

    /// The comma before the next of `wanted` initial states.
    fn next_state(&mut self, label: &str, read: usize, wanted: usize) -> Parsed<()> {
        if self.at(Symbol::Comma) {
            self.position += 1;
            return Ok(());
        }
        let given = if read == 1 { "only 1 is given".to_owned() } else { format!("only {read} are given") };
        let message = format!("there are {wanted} initial states to choose at `{label}`, {given}");
        Err(problem(message, self.here(), "expected `,` and a state"))
    }

    /// `^3`; once where there is none.
    fn repetitions(&mut self, rule: RuleId, rule_span: Span) -> Parsed<usize> {
        if !self.at(Symbol::Caret) {
            return Ok(1);
        }
        self.position += 1;
        let number = self.peek();
        if number.kind != TokenKind::Number {
            return Err(self.expected("a number of repetitions"));
        }
        self.position += 1;
        // What does not fit is too large in any case.
        let count = number.text(self.text).parse().unwrap_or(usize::MAX);
        let rule = &self.system.rules[rule];
        let label = shortened(&rule.label);
        if count == 0 {
            let message = format!("`{label}` is repeated no time at all");
            return Err(problem(message, number.span, "at least 1"));
        }
        let mut atoms = rule.predicate_atoms();
        let repeats_itself =
            matches!((atoms.next(), atoms.next()), (Some(atom), None) if atom.predicate == rule.head);
        if count > 1 && !repeats_itself {
            let message = format!("`{label}` can't be repeated");
            let predicate = shortened(&self.system.predicates[rule.head].name);
            return Err(problem(message, rule_span.to(number.span), "not below itself alone").help(format!(
                "only a rule with one predicate atom, which is of its own predicate \
                     (here `{predicate}`), can be"
            )));
        }
        Ok(count)
    }

    /// A rule without predicate atoms has no parentheses, or empty ones.
    fn no_children(&mut self, rule: RuleId, span: Span) -> Parsed<()> {
        if !self.at(Symbol::LeftParen) {
            return Ok(());
        }
        self.position += 1;
        if self.at(Symbol::RightParen) {
            self.position += 1;
            return Ok(());
        }
        let label = shortened(&self.system.rules[rule].label);
        let message = format!("nothing goes on below `{label}`: it has no predicate atom");
        Err(problem(message, self.peek().span, "nothing is expected here").label(span, "below this"))
    }

    /// The parenthesis before the children of a node.
    fn opening(&mut self, rule: RuleId, span: Span) -> Parsed<Span> {
        let token = self.peek();
        if self.at(Symbol::LeftParen) {
            self.position += 1;
            return Ok(token.span);
        }
        let rule = &self.system.rules[rule];
        let label = shortened(&rule.label);
        let names: Vec<&str> =
            rule.predicate_atoms().map(|atom| self.system.predicates[atom.predicate].name.as_str()).collect();
        let below = match names[..] {
            [first, ref others @ ..] if !others.is_empty() && others.iter().all(|name| *name == first) => {
                format!("{} rules of `{}`", names.len(), shortened(first))
            }
            _ => {
                let names: Vec<String> =
                    names.iter().map(|name| format!("a rule of `{}`", shortened(name))).collect();
                list(&names)
            }
        };
        let message = format!("`{label}` goes on with {below}, in parentheses");
        let diagnostic = problem(message, self.gap(), "expected `(`").label(span, "this rule");
        let first = rule.predicate_atoms().next();
        let help = first.map(|atom| self.rules_of(&self.system.predicates[atom.predicate]));
        Err(match help {
            Some(help) => diagnostic.help(help),
            None => diagnostic,
        })
    }

    /// The comma before the next child.
    fn comma(&mut self, parent: &Open, read: usize) -> Parsed<()> {
        if self.at(Symbol::Comma) {
            self.position += 1;
            return Ok(());
        }
        let rule = &self.system.rules[parent.rule];
        let wanted = rule.predicate_atoms().count();
        let label = shortened(&rule.label);
        let next = rule
            .predicate_atoms()
            .nth(read)
            .map_or("", |atom| self.system.predicates[atom.predicate].name.as_str());
        let given = if read == 1 { "only 1 is given".to_owned() } else { format!("only {read} are given") };
        let message = format!("`{label}` goes on with {wanted} rules, {given}");
        let place = self.here();
        let expected = format!("expected `,` and a rule of `{}`", shortened(next));
        Err(problem(message, place, expected).label(parent.span, "below this"))
    }

    /// The parenthesis behind the children of a node.
    fn closing(&mut self, parent: &Open, wanted: usize) -> Parsed<()> {
        if self.at(Symbol::RightParen) {
            self.position += 1;
            return Ok(());
        }
        let label = shortened(&self.system.rules[parent.rule].label);
        if self.at(Symbol::Comma) {
            let message = format!(
                "`{label}` goes on with {wanted} rule{}, not with more",
                if wanted == 1 { "" } else { "s" }
            );
            let diagnostic = problem(message, self.peek().span, "expected `)`");
            return Err(diagnostic.label(parent.span, "below this"));
        }
        let message = format!("missing `)` before {}", self.found());
        Err(problem(message, self.gap(), "expected `)`").label(parent.parenthesis, "to close this"))
    }

    fn peek(&self) -> Token {
        let end = Span::new(self.text.len(), self.text.len());
        self.tokens.get(self.position).copied().unwrap_or(Token {
            kind: TokenKind::End,
            span: end,
            starts_line: false,
        })
    }

    fn at(&self, symbol: Symbol) -> bool {
        self.peek().kind == TokenKind::Symbol(symbol)
    }

    /// How to speak of the next token.
    fn found(&self) -> String {
        match self.peek().kind {
            TokenKind::End => "the end of the term".to_owned(),
            _ => self.peek().describe(self.text),
        }
    }

    /// The place of the next token; at the end, that just behind the last one.
    fn here(&self) -> Span {
        if self.peek().kind == TokenKind::End { self.gap() } else { self.peek().span }
    }

    /// The place just behind the last token read.
    fn gap(&self) -> Span {
        let last = self.position.checked_sub(1).and_then(|before| self.tokens.get(before));
        last.map_or(Span::new(0, 0), |token| Span::new(token.span.end, token.span.end))
    }

    /// From `start` to the last token read.
    fn since(&self, start: Span) -> Span {
        Span::new(start.start, self.gap().end.max(start.end))
    }

    fn expected(&self, what: &str) -> Diagnostic {
        problem(format!("expected {what}, found {}", self.found()), self.here(), format!("expected {what}"))
    }

    /// `the rules of Chain are Chain.1 and Chain.2`
    fn rules_of(&self, predicate: &Predicate) -> String {
        let labels: Vec<String> = predicate
            .rules
            .iter()
            .take(NAMES_LISTED)
            .map(|&rule| format!("`{}`", shortened(&self.system.rules[rule].label)))
            .collect();
        let name = shortened(&predicate.name);
        match predicate.rules.len() {
            1 => format!("the rule of `{name}` is {}", list(&labels)),
            count if count > NAMES_LISTED => format!("the rules of `{name}` are {}, …", labels.join(", ")),
            _ => format!("the rules of `{name}` are {}", list(&labels)),
        }
    }

    /// `Node(x) may start in idle and busy`
    fn states_of(&self, atom: &InstanceAtom) -> String {
        let component_type = &self.system.types[atom.component];
        let states: Vec<String> = atom
            .initial
            .iter()
            .take(NAMES_LISTED)
            .map(|&state| format!("`{}`", shortened(&component_type.states[state].name)))
            .collect();
        let states = if atom.initial.len() > NAMES_LISTED {
            format!("{}, …", states.join(", "))
        } else {
            list(&states)
        };
        format!("`{}` may start in {states}", shortened(&component_type.name))
    }

    /// The predicate whose name is most like `word`.
    fn nearest(&self, word: &str) -> Option<String> {
        let names = self.system.predicates.iter().map(|predicate| predicate.name.as_str());
        let word: String = word.chars().take(60).collect();
        names
            .map(|name| (strsim::jaro_winkler(&word.to_lowercase(), &name.to_lowercase()), name))
            .filter(|(likeness, _)| *likeness > 0.8)
            .max_by(|one, other| one.0.total_cmp(&other.0))
            .map(|(_, name)| shortened(name))
    }
}

fn problem(message: impl Into<String>, span: Span, label: impl Into<String>) -> Diagnostic {
    Diagnostic::new(&NO_SUCH_TREE, message, span, label)
}

/// `[…]`, a place for so many states.
fn placeholder(count: usize) -> String {
    match count {
        1 => "`[STATE]`".to_owned(),
        2 => "`[STATE, STATE]`".to_owned(),
        _ => format!("`[STATE, …]`, {count} states"),
    }
}

/// `a`, `a and b`, `a, b and c`.
fn list(names: &[String]) -> String {
    match names.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => String::new(),
    }
}
