//! Structures with data, made by hand: guards, assignments, start and join triples, steps without an agent.

use paramcheck_emulation::Structure;
use paramcheck_emulation::expression::{Assignment, Expression, Operator, Variable, VariableId};
use paramcheck_emulation::question::{Condition, Demand, Question};
use paramcheck_emulation::triple::{
    Action, Agent, Counter, CounterId, Location, LocationId, OfferId, Triple,
};
use paramcheck_process::model::LabelId;
use paramcheck_text::index::Idx;

use super::Subject;

fn binary(operator: Operator, left: Expression, right: Expression) -> Expression {
    Expression::Binary(operator, Box::new(left), Box::new(right))
}

fn variable(number: usize) -> Expression {
    Expression::Variable(VariableId::new(number))
}

fn number(value: i64) -> Expression {
    Expression::Constant(value)
}

fn set(variable: usize, value: Expression) -> Assignment {
    Assignment { variable: VariableId::new(variable), value }
}

fn counter(number: usize) -> CounterId {
    CounterId::new(number)
}

fn location(number: usize) -> LocationId {
    LocationId::new(number)
}

/// A triple of these agents with this label; entries and exits by number.
fn triple(
    label: usize,
    agents: &[u32],
    entry: &[(usize, u32)],
    exit: &[(usize, usize)],
    guard: Expression,
    assignments: Vec<Assignment>,
) -> Triple {
    Triple {
        entry: entry.iter().map(|&(at, offer)| (counter(at), OfferId(offer))).collect(),
        guard,
        action: Action::Step(LabelId::new(label)),
        assignments,
        exit: exit.iter().map(|&(at, to)| (counter(at), location(to))).collect(),
        agents: agents.to_vec(),
        via: None,
        parts: Vec::new(),
    }
}

fn place(name: &str, offers: &[u32], is_final: bool) -> Location {
    Location { offers: offers.iter().map(|&offer| OfferId(offer)).collect(), is_final, name: name.to_owned() }
}

/// Two agents: one divides and swaps, one forks into two halves that count, and joins them; a step without an
/// agent resets.
fn structure() -> Structure {
    let mut structure = Structure::default();
    for label in ["tau", "divide", "swap", "left", "right", "reset", "go??/\"%s\\", "done */"] {
        structure.labels.push(label.to_owned());
    }
    structure.agents = vec![
        Agent { name: "divider".to_owned(), counter: counter(0) },
        Agent { name: "forker".to_owned(), counter: counter(1) },
    ];
    let counters = [
        ("divider", 0, vec![place("ready", &[1, 2], false), place("rest */ /* ??/", &[2], true)], 0),
        (
            "forker",
            1,
            vec![
                place("first", &[10], false),
                place("both", &[11], false),
                place("end", &[], true),
                place("begin", &[12], false),
                place("go", &[13], false),
            ],
            3,
        ),
        (
            "forker.l",
            1,
            vec![
                place("0", &[22], true),
                place("l", &[20], false),
                place("m", &[21], false),
                place("n", &[20], false),
            ],
            0,
        ),
        ("forker.r", 1, vec![place("0", &[30], true), place("r", &[31], false)], 0),
    ];
    for (name, agent, locations, initial) in counters {
        structure.counters.push(Counter {
            name: name.to_owned(),
            agent,
            parent: None,
            locations: locations.into_iter().collect(),
            initial: location(initial),
        });
    }
    let limits = [("x", -7, 9, vec![-7, 3, 4]), ("y", -2, 5, (-2..=5).collect()), ("z", 0, 1, vec![0])];
    for (name, least, greatest, initial) in limits {
        structure.variables.push(Variable { name: name.to_owned(), agent: None, least, greatest, initial });
    }
    let defined = binary(Operator::Less, number(0), binary(Operator::Divide, variable(0), variable(1)));
    let guarded = binary(
        Operator::Or,
        binary(Operator::Equal, variable(1), number(0)),
        binary(
            Operator::And,
            binary(Operator::LessOrEqual, number(-3), binary(Operator::Remainder, variable(0), variable(1))),
            Expression::Not(Box::new(binary(Operator::Multiply, variable(2), variable(0)))),
        ),
    );
    let triples = [
        triple(
            1,
            &[0],
            &[(0, 1)],
            &[(0, 1)],
            defined,
            vec![set(0, binary(Operator::Divide, variable(0), variable(1)))],
        ),
        triple(
            2,
            &[0],
            &[(0, 2)],
            &[],
            guarded,
            vec![
                set(0, variable(1)),
                set(1, variable(0)),
                set(2, binary(Operator::Subtract, number(1), variable(2))),
            ],
        ),
        Triple { action: Action::Start, ..triple(0, &[1], &[(1, 12)], &[(1, 4)], Expression::TRUE, vec![]) },
        triple(6, &[1], &[(1, 13)], &[(1, 1), (2, 1), (3, 1)], Expression::TRUE, vec![]),
        triple(
            3,
            &[1],
            &[(2, 20)],
            &[(2, 2)],
            Expression::TRUE,
            vec![set(1, binary(Operator::Add, variable(1), number(1)))],
        ),
        triple(
            0,
            &[1],
            &[(2, 21)],
            &[(2, 3)],
            binary(Operator::Less, variable(0), number(0)),
            vec![set(0, Expression::Negate(Box::new(variable(0))))],
        ),
        triple(0, &[1], &[(2, 21)], &[(2, 0)], Expression::TRUE, vec![]),
        triple(4, &[0, 1], &[(0, 2), (3, 31)], &[(0, 0), (3, 0)], Expression::TRUE, vec![]),
        Triple {
            action: Action::Join,
            ..triple(0, &[1], &[(1, 11), (2, 22), (3, 30)], &[(1, 2)], Expression::TRUE, vec![])
        },
        triple(
            5,
            &[],
            &[],
            &[],
            binary(Operator::Less, number(3), variable(1)),
            vec![set(1, number(0)), set(0, number(8))],
        ),
        triple(7, &[1], &[(1, 11), (2, 20)], &[(2, 0)], Expression::TRUE, vec![]),
    ];
    for triple in triples {
        structure.triples.push(triple);
    }
    structure
}

/// The queries on it.
pub(super) fn questions() -> Vec<Question> {
    let not = |condition| Condition::Not(Box::new(condition));
    let label = LabelId::new;
    let question = |name: &str, demand| Question { name: name.to_owned(), demand };
    vec![
        question("resets", Demand::Never(Condition::Did(vec![label(0), label(1), label(5)]))),
        question("ends", Demand::Eventually(Condition::Terminated)),
        question("stuck", Demand::Never(Condition::And(vec![Condition::Stuck, not(Condition::Terminated)]))),
        question(
            "left",
            Demand::Eventually(Condition::Or(vec![
                Condition::Did(vec![label(3)]),
                Condition::And(vec![
                    not(Condition::Can(vec![label(1), label(2)])),
                    Condition::At(counter(2), vec![location(0), location(3)]),
                ]),
            ])),
        ),
    ]
}

/// The structure with its questions.
pub(super) fn subjects() -> Vec<Subject> {
    vec![Subject { name: "data /* \\".to_owned(), structure: structure(), questions: questions() }]
}
