//! Random trees, from a seed. They have parentheses here and there; those that are needed the printer adds.

use crate::ast::{
    AgentSection, Arrow, Assignment, AssumeSection, Assumption, CheckSection, Declaration, Definition, Expr,
    ExprKind, File, Initial, Modality, Operator, Pick, Process, ProcessKind, Property, Quantifier, Reference,
    Section, Spawn, Statement, StigmergySection, SystemSection, Target, Tuple, Variable, Who, Within,
};
use crate::parser::expression::Place;
use crate::vocabulary::Labs;
use paramcheck_text::reading::{Ident, TokenKind, lex};
use paramcheck_text::source::Span;

/// The tokens of a text.
pub(super) fn tokens(text: &str) -> Vec<String> {
    let tokens = lex(Labs, text).tokens;
    tokens
        .iter()
        .filter(|token| token.kind != TokenKind::End)
        .map(|token| token.text(text).to_owned())
        .collect()
}

/// Names of variables: words that begin sections, parts and properties are not reserved.
const LOW: [&str; 9] = ["x", "y", "agent", "spawn", "link", "from", "until", "c1", "dirX"];
const UP: [&str; 5] = ["Behavior", "Move", "A", "B", "Left"];
const EXTERN: [&str; 2] = ["_n", "_size"];

const OPERATORS: [Operator; 14] = [
    Operator::Add,
    Operator::Subtract,
    Operator::Multiply,
    Operator::Divide,
    Operator::RoundDivide,
    Operator::Modulo,
    Operator::Equal,
    Operator::NotEqual,
    Operator::Less,
    Operator::AtMost,
    Operator::Greater,
    Operator::AtLeast,
    Operator::And,
    Operator::Or,
];

/// Makes trees.
pub(super) struct Random {
    state: u64,
}

impl Random {
    pub(super) fn new(seed: u64) -> Random {
        Random { state: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x2545_f491_4f6c_dd1d }
    }

    /// A number below `bound`, by splitmix64.
    pub(super) fn below(&mut self, bound: usize) -> usize {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((mixed ^ (mixed >> 31)) % bound.max(1) as u64).unwrap()
    }

    fn flip(&mut self) -> bool {
        self.below(2) == 0
    }

    fn many<T>(&mut self, least: usize, most: usize, mut one: impl FnMut(&mut Random) -> T) -> Vec<T> {
        let count = least + self.below(most - least + 1);
        (0..count).map(|_| one(self)).collect()
    }

    fn name(&mut self, names: &[&str]) -> Ident {
        Ident { text: names[self.below(names.len())].to_owned(), span: Span::default() }
    }

    pub(super) fn file(&mut self) -> File {
        let sections = self.many(0, 4, |random| {
            let span = Span::default();
            match random.below(5) {
                0 => Section::System(SystemSection {
                    span,
                    externs: random.many(0, 2, |random| random.name(&EXTERN)),
                    environment: random.declarations(),
                    spawn: random
                        .many(0, 2, |random| Spawn { kind: random.name(&UP), count: random.constant(2) }),
                    definitions: random.definitions(),
                }),
                1 => Section::Stigmergy(StigmergySection {
                    span,
                    name: random.name(&UP),
                    link: Some(random.expr(Place::Pair, 3)),
                    tuples: random.many(1, 3, |random| Tuple {
                        variables: random.many(1, 2, Random::variable),
                        initials: random.many(1, 2, Random::initial),
                    }),
                }),
                2 => Section::Agent(AgentSection {
                    span,
                    name: random.name(&UP),
                    interface: random.declarations(),
                    stigmergies: random.many(0, 2, |random| random.name(&UP)),
                    definitions: random.definitions(),
                }),
                3 => Section::Assume(AssumeSection {
                    span,
                    assumptions: random.many(0, 2, |random| Assumption {
                        name: random.name(&UP),
                        formula: random.formula(Place::Property),
                    }),
                }),
                _ => Section::Check(CheckSection { span, properties: random.many(0, 3, Random::property) }),
            }
        });
        File { sections }
    }

    fn property(&mut self) -> Property {
        let modality = match self.below(6) {
            0 => Modality::Always,
            1 => Modality::Eventually { is_finally: self.flip() },
            2 => Modality::Fairly,
            3 => Modality::FairlyInfinite,
            _ => Modality::Scope {
                is_open: self.flip(),
                opens: self.formula(Place::Property),
                closes: self.formula(Place::Property),
                within: match self.below(3) {
                    0 => Within::ThereIs,
                    1 => Within::Always,
                    _ => Within::Precedes(self.formula(Place::Property)),
                },
            },
        };
        Property { name: self.name(&UP), modality, formula: self.formula(Place::Property) }
    }

    fn declarations(&mut self) -> Vec<Declaration> {
        self.many(0, 3, |random| Declaration { variable: random.variable(), initial: random.initial() })
    }

    fn definitions(&mut self) -> Vec<Definition> {
        self.many(0, 3, |random| Definition { name: random.name(&UP), body: random.process(4) })
    }

    fn variable(&mut self) -> Variable {
        let count = self.below(4).saturating_sub(1);
        Variable { name: self.name(&LOW), extents: self.many(0, count, |random| random.constant(2)) }
    }

    fn initial(&mut self) -> Initial {
        match self.below(4) {
            0 => Initial::Undefined(Span::default()),
            1 => Initial::OneOf(self.many(1, 3, |random| random.constant(2))),
            2 => Initial::Range(self.constant(2), self.constant(2)),
            _ => Initial::Value(self.constant(2)),
        }
    }

    fn process(&mut self, depth: usize) -> Process {
        let inner = depth.saturating_sub(1);
        let operands = |random: &mut Random| random.many(2, 3, |random| random.process(inner));
        let kind = match if depth == 0 { 6 + self.below(4) } else { self.below(12) } {
            0 => ProcessKind::Parallel(operands(self)),
            1 => ProcessKind::Choice(operands(self)),
            2 | 10 => ProcessKind::Sequence(operands(self)),
            3 | 11 => ProcessKind::Guarded {
                guard: self.expr(Place::Process, 3),
                is_conditional: self.flip(),
                body: Box::new(self.process(inner)),
            },
            4 => ProcessKind::Parenthesised(Box::new(self.process(inner))),
            5 => ProcessKind::Block(self.many(1, 3, Random::statement)),
            6 => ProcessKind::Skip,
            7 => ProcessKind::Nil,
            8 => ProcessKind::Call(self.name(&UP)),
            _ => ProcessKind::Assign(self.assignment(false)),
        };
        Process { span: Span::default(), kind }
    }

    fn statement(&mut self) -> Statement {
        let is_pick = self.below(4) == 0;
        if !is_pick {
            return Statement::Assign(self.assignment(true));
        }
        Statement::Pick(Pick {
            span: Span::default(),
            local: self.name(&LOW),
            count: self.constant(2),
            kind: self.flip().then(|| self.name(&UP)),
            condition: self.flip().then(|| self.expr(Place::Pair, 3)),
        })
    }

    fn assignment(&mut self, is_in_block: bool) -> Assignment {
        let arrows = [Arrow::Attribute, Arrow::Stigmergy, Arrow::Environment, Arrow::Local];
        let arrow = arrows[self.below(if is_in_block { 4 } else { 3 })];
        let targets = self.many(1, 2, |random| {
            let count = random.below(3);
            let indices = random.many(0, count, |random| random.expr(Place::Process, 1));
            Target { name: random.name(&LOW), indices }
        });
        let values = if arrow == Arrow::Local && targets.len() == 1 {
            vec![match self.below(3) {
                0 => self.count(),
                _ => self.formula(Place::Process),
            }]
        } else {
            targets.iter().map(|_| self.expr(Place::Process, 3)).collect()
        };
        let span = Span::default();
        Assignment { span, targets, arrow, arrow_span: span, values }
    }

    fn count(&mut self) -> Expr {
        let condition = Box::new(self.expr(Place::Process, 2));
        let kind = ExprKind::Count { kind: self.name(&UP), variable: self.name(&LOW), condition };
        Expr { span: Span::default(), kind }
    }

    fn formula(&mut self, place: Place) -> Expr {
        let quantifiers = self.many(0, 2, |random| Quantifier {
            is_universal: random.flip(),
            kind: random.name(&UP),
            variable: random.name(&LOW),
        });
        let body = self.expr(place, 3);
        if quantifiers.is_empty() {
            return body;
        }
        Expr { span: Span::default(), kind: ExprKind::Quantified(quantifiers, Box::new(body)) }
    }

    fn constant(&mut self, depth: usize) -> Expr {
        self.expr(Place::Constant, depth)
    }

    fn expr(&mut self, place: Place, depth: usize) -> Expr {
        let inner = depth.saturating_sub(1);
        let boxed = |random: &mut Random| Box::new(random.expr(place, inner));
        let kind = match if depth == 0 { self.below(5) } else { self.below(18) } {
            0 => ExprKind::Number(i64::try_from(self.below(20)).unwrap()),
            1 => ExprKind::Extern(self.name(&EXTERN).text),
            2 => ExprKind::Truth(self.flip()),
            3 => {
                let is_owned = matches!(place, Place::Pair | Place::Property) && self.flip();
                ExprKind::Id(is_owned.then(|| Box::new(self.who(place, 0))))
            }
            4 | 5 if place != Place::Constant => {
                let count = self.below(2);
                ExprKind::Reference(Reference {
                    name: self.name(&LOW),
                    indices: self.many(0, count, |random| random.expr(place, inner)),
                    of: (depth > 0 && self.flip()).then(|| Box::new(self.who(place, inner))),
                })
            }
            4 | 5 => ExprKind::Number(7),
            6 => ExprKind::Negative(boxed(self)),
            7 => ExprKind::Not(boxed(self)),
            8 if place != Place::Constant => ExprKind::AnyOf(boxed(self), boxed(self)),
            9 => ExprKind::Absolute(boxed(self)),
            10 => ExprKind::Extreme {
                is_max: self.flip(),
                operands: Box::new([self.expr(place, inner), self.expr(place, inner)]),
            },
            11 => ExprKind::If(Box::new([(); 3].map(|()| self.expr(place, inner)))),
            12 => ExprKind::Foreign("f".to_owned(), self.many(0, 2, |random| random.expr(place, inner))),
            13 => ExprKind::Parenthesised(boxed(self)),
            // `[a..b]` is a range where initial values stand.
            _ => ExprKind::Binary(OPERATORS[self.below(OPERATORS.len())], boxed(self), boxed(self)),
        };
        Expr { span: Span::default(), kind }
    }

    fn who(&mut self, place: Place, depth: usize) -> Who {
        let span = Span::default();
        match place {
            Place::Pair => Who::Party { is_second: self.flip(), span },
            Place::Process => Who::Agent(self.expr(place, depth)),
            Place::Property | Place::Constant if self.flip() => Who::Name(self.name(&LOW)),
            Place::Property | Place::Constant => Who::Agent(Expr { span, kind: ExprKind::Number(3) }),
        }
    }
}
