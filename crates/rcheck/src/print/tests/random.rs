//! Random trees, from a seed. They have parentheses here and there; those that are needed the printer adds.

use crate::ast::{
    Action, Agent, Assignment, Channel, Command, Declaration, Expr, ExprKind, File, Guard, Instance, Item,
    ItemKind, Operator, Part, PartKind, Process, ProcessKind, Temporal, TypeName, Word,
};
use crate::vocabulary::{Rcheck, Syntax};
use paramcheck_text::random::Random as Numbers;
use paramcheck_text::reading::{Ident, TokenKind, lex};
use paramcheck_text::source::Span;

/// The tokens of a text.
pub(super) fn tokens(text: &str) -> Vec<String> {
    let tokens = lex(Rcheck::default(), text).tokens;
    let tokens = tokens.iter().filter(|token| token.kind != TokenKind::End);
    tokens.map(|token| token.text(text).to_owned()).collect()
}

const NAMES: [&str; 7] = ["x", "y", "state", "message", "supply", "automaton", "p2p"];

const OPERATORS: [Operator; 17] = [
    Operator::Iff,
    Operator::Implies,
    Operator::Or,
    Operator::And,
    Operator::Until,
    Operator::Release,
    Operator::WeakUntil,
    Operator::Equal,
    Operator::NotEqual,
    Operator::Less,
    Operator::AtMost,
    Operator::Greater,
    Operator::AtLeast,
    Operator::Add,
    Operator::Subtract,
    Operator::Multiply,
    Operator::Divide,
];

/// Where an expression stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Plain,
    Spec,
    Observation,
}

/// Makes trees.
pub(super) struct Random {
    numbers: Numbers,
    syntax: Syntax,
}

impl Random {
    pub(super) fn new(seed: u64) -> Random {
        let syntax = if seed.is_multiple_of(2) { Syntax::Today } else { Syntax::Article };
        Random { numbers: Numbers::new(seed), syntax }
    }

    pub(super) fn below(&mut self, bound: usize) -> usize {
        self.numbers.below(bound as u64) as usize
    }

    fn name(&mut self) -> Ident {
        let at = self.below(NAMES.len());
        Ident { text: NAMES[at].to_owned(), span: Span::default() }
    }

    fn some<T>(&mut self, most: usize, make: impl Fn(&mut Self) -> T) -> Vec<T> {
        (0..=self.below(most)).map(|_| make(self)).collect()
    }

    fn declaration(&mut self) -> Declaration {
        let ty = match self.below(5) {
            0 => TypeName::Bool,
            1 => TypeName::Int,
            2 => TypeName::Range(-3, 7),
            3 => TypeName::Location,
            _ => TypeName::Named("channel".to_owned()),
        };
        Declaration { name: self.name(), span: Span::default(), ty }
    }

    pub(super) fn file(&mut self) -> File {
        let mut items = Vec::new();
        if self.syntax == Syntax::Article {
            items.push(ItemKind::Channels(self.some(3, Random::name)));
        }
        for _ in 0..self.below(6) {
            items.push(match self.below(5) {
                0 => ItemKind::Enum(self.name(), self.some(3, Random::name)),
                1 => ItemKind::Messages(self.some(3, Random::declaration)),
                2 => ItemKind::Properties(self.some(3, Random::declaration)),
                3 => {
                    let parameters =
                        if self.below(2) == 0 { Vec::new() } else { self.some(3, Random::declaration) };
                    ItemKind::Guard(Guard { name: self.name(), parameters, body: self.expr(Place::Plain, 3) })
                }
                _ => ItemKind::Agent(self.agent()),
            });
        }
        let instances = ["i", "j"].map(|name| Instance {
            span: Span::default(),
            agent: self.name(),
            name: Ident { text: name.to_owned(), span: Span::default() },
            init: self.expr(Place::Plain, 2),
        });
        items.push(ItemKind::System(instances.into()));
        items.extend((0..self.below(4)).map(|_| ItemKind::Spec(self.expr(Place::Spec, 5))));
        let items = items.into_iter().map(|kind| Item { span: Span::default(), kind }).collect();
        File { syntax: self.syntax, items }
    }

    fn agent(&mut self) -> Agent {
        let mut parts = Vec::new();
        if self.below(2) == 0 {
            parts.push(PartKind::Local(self.some(3, Random::declaration)));
        }
        if self.below(2) == 0 {
            parts.push(PartKind::Init(self.expr(Place::Plain, 3)));
        }
        if self.below(2) == 0 {
            let relabel = |random: &mut Random| (random.name(), random.expr(Place::Plain, 2));
            parts.push(PartKind::Relabel(self.some(3, relabel)));
        }
        if self.below(2) == 0 {
            parts.push(PartKind::ReceiveGuard(self.expr(Place::Plain, 3)));
        }
        parts.push(PartKind::Repeat(self.process(3)));
        let parts = parts.into_iter().map(|kind| Part { span: Span::default(), kind }).collect();
        Agent { name: self.name(), parts }
    }

    fn process(&mut self, depth: usize) -> Process {
        let several = |random: &mut Random| {
            let first = random.process(depth - 1);
            let mut all = random.some(2, |random| random.process(depth - 1));
            all.push(first);
            all
        };
        let kind = match self.below(6) {
            0 | 1 if depth > 0 => ProcessKind::Choice(several(self)),
            2 | 3 if depth > 0 => ProcessKind::Sequence(several(self)),
            4 if depth > 0 => ProcessKind::Rep(Box::new(self.process(depth - 1))),
            _ => ProcessKind::Command(Box::new(self.command())),
        };
        let process = Process { span: Span::default(), kind };
        if self.below(5) > 0 {
            return process;
        }
        Process { span: Span::default(), kind: ProcessKind::Parenthesised(Box::new(process)) }
    }

    fn assignments(&mut self) -> Vec<Assignment> {
        let one =
            |random: &mut Random| Assignment { name: random.name(), value: random.expr(Place::Plain, 2) };
        if self.below(3) == 0 { Vec::new() } else { self.some(2, one) }
    }

    fn command(&mut self) -> Command {
        let name = (self.below(3) > 0).then(|| self.name().text);
        let channel = Channel { span: Span::default(), name };
        let action = match self.below(if self.syntax == Syntax::Today { 4 } else { 2 }) {
            0 => Action::Send(channel, self.expr(Place::Plain, 3)),
            1 => Action::Receive(channel),
            2 => Action::Get(self.expr(Place::Plain, 3)),
            _ => Action::Supply { is_myself: self.below(2) == 0, span: Span::default() },
        };
        let data = if matches!(action, Action::Receive(_)) { Vec::new() } else { self.assignments() };
        Command {
            label: (self.below(2) == 0).then(|| self.name()),
            guard: self.expr(Place::Plain, 3),
            action,
            data,
            update: self.assignments(),
        }
    }

    fn expr(&mut self, place: Place, depth: usize) -> Expr {
        let kind =
            if depth == 0 || self.below(5) == 0 { self.atom(place) } else { self.compound(place, depth - 1) };
        let expr = Expr { span: Span::default(), kind };
        if self.below(8) > 0 {
            return expr;
        }
        Expr { span: Span::default(), kind: ExprKind::Parenthesised(Box::new(expr)) }
    }

    fn atom(&mut self, place: Place) -> ExprKind {
        let instance = Ident { text: "i".to_owned(), span: Span::default() };
        match self.below(8) {
            0 => ExprKind::Truth(self.below(2) == 0),
            1 => ExprKind::Number(self.below(20) as i64),
            2 => ExprKind::Property(self.name().text),
            3 => ExprKind::Word(
                [Word::Chan, Word::Star, Word::Myself, Word::Sender, Word::Getter][self.below(5)],
            ),
            4 if place == Place::Spec => {
                ExprKind::Qualified(instance, Ident { text: "x".to_owned(), span: Span::default() })
            }
            5 if place == Place::Spec => ExprKind::Place(instance),
            _ => ExprKind::Name(self.name().text),
        }
    }

    fn compound(&mut self, place: Place, depth: usize) -> ExprKind {
        let inner = |random: &mut Random, place| Box::new(random.expr(place, depth));
        match self.below(12) {
            0 => ExprKind::Not(inner(self, place)),
            1 => ExprKind::Negative(inner(self, place)),
            2 => {
                let arguments = self.some(2, |random| random.expr(place, depth));
                ExprKind::Call(self.name(), arguments)
            }
            3 if place == Place::Spec => {
                let body = inner(self, place);
                ExprKind::Temporal(
                    [Temporal::Next, Temporal::Finally, Temporal::Globally][self.below(3)],
                    body,
                )
            }
            4 | 5 if place == Place::Spec => ExprKind::Observed {
                is_diamond: self.below(2) == 0,
                observation: inner(self, Place::Observation),
                body: inner(self, place),
            },
            6 if place == Place::Spec => ExprKind::Quantified {
                is_universal: self.below(2) == 0,
                variable: Ident { text: "k".to_owned(), span: Span::default() },
                kinds: self.some(2, Random::name),
                body: inner(self, place),
            },
            7 if place == Place::Observation => {
                ExprKind::Addressed { is_universal: self.below(2) == 0, body: inner(self, place) }
            }
            _ => self.chain(place, depth),
        }
    }

    fn chain(&mut self, place: Place, depth: usize) -> ExprKind {
        let operator = OPERATORS[self.below(OPERATORS.len())];
        let level = operator.level();
        let same: Vec<Operator> = OPERATORS.into_iter().filter(|one| one.level() == level).collect();
        let most = if level == crate::ast::Level::Comparison { 1 } else { 3 };
        let first = Box::new(self.expr(place, depth));
        let rest = self.some(most, |random| {
            let operator = same[random.below(same.len())];
            (operator, random.expr(place, depth))
        });
        ExprKind::Chain(first, rest)
    }
}
