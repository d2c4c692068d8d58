//! Structures with variables, guards and assignments, made by hand: no language of models has them yet.

use paramcheck_emulation::Structure;
use paramcheck_emulation::backend::{Answer, Backend, Next, Unknown, nusmv, spin, z3};
use paramcheck_emulation::expression::{Assignment, Expression, Operator, Variable, VariableId};
use paramcheck_emulation::question::{Condition, Demand, Question};
use paramcheck_emulation::triple::{
    Action, Agent, Counter, CounterId, Location, LocationId, OfferId, Triple,
};
use paramcheck_process::semantics::check::Schedule;
use paramcheck_text::index::Idx;
use paramcheck_text::limits::Budget;

use super::holds;

fn number(value: i64) -> Expression {
    Expression::Constant(value)
}

fn variable(id: usize) -> Expression {
    Expression::Variable(VariableId::new(id))
}

fn binary(left: Expression, operator: Operator, right: Expression) -> Expression {
    Expression::Binary(operator, Box::new(left), Box::new(right))
}

/// A structure of one agent with the program counter 0, 1, …, the last of which is final; each has one offer.
struct Builder(Structure);

impl Builder {
    fn new(locations: usize, labels: &[&str]) -> Builder {
        let mut structure = Structure::default();
        for label in labels {
            structure.labels.push((*label).to_owned());
        }
        structure.agents.push(Agent { name: "A".to_owned(), counter: CounterId::new(0) });
        let location = |position: usize| Location {
            offers: vec![OfferId(position as u32 + 1)],
            is_final: position + 1 == locations,
            name: format!("l{position}"),
        };
        structure.counters.push(Counter {
            name: "A".to_owned(),
            agent: 0,
            parent: None,
            locations: (0..locations).map(location).collect(),
            initial: LocationId::new(0),
        });
        Builder(structure)
    }

    fn variable(mut self, (least, greatest): (i64, i64), initial: &[i64]) -> Builder {
        let name = format!("v{}", self.0.variables.len());
        self.0.variables.push(Variable { name, agent: None, least, greatest, initial: initial.to_vec() });
        self
    }

    fn step(
        mut self,
        (from, to): (usize, usize),
        label: usize,
        guard: Expression,
        assignments: &[(usize, Expression)],
    ) -> Builder {
        let assign = |(id, value): &(usize, Expression)| Assignment {
            variable: VariableId::new(*id),
            value: value.clone(),
        };
        self.0.triples.push(Triple {
            entry: vec![(CounterId::new(0), OfferId(from as u32 + 1))],
            guard,
            action: Action::Step(Idx::new(label)),
            assignments: assignments.iter().map(assign).collect(),
            exit: vec![(CounterId::new(0), LocationId::new(to))],
            agents: vec![0],
            via: None,
            parts: Vec::new(),
        });
        self
    }
}

/// These agree on whether a demand holds.
fn say(backends: &[&dyn Backend], expected: bool, structure: &Structure, demand: Demand) {
    let question = Question { name: "q".to_owned(), demand };
    for backend in backends {
        let found = holds(*backend, "data", structure, &question, Schedule::Any);
        assert_eq!(found, expected, "{backend:?}: {question:?}");
    }
}

/// Spin, NuSMV and Z3 agree on whether a demand holds. (Others may not know.)
fn all_say(expected: bool, structure: &Structure, demand: Demand) {
    say(&[&spin::Spin, &nusmv::NuSmv, &z3::Z3], expected, structure, demand);
}

/// The same where numbers are divided, of which Spacer may know nothing.
fn all_but_z3_say(expected: bool, structure: &Structure, demand: Demand) {
    say(&[&spin::Spin, &nusmv::NuSmv], expected, structure, demand);
}

fn at(location: usize) -> Condition {
    Condition::At(CounterId::new(0), vec![LocationId::new(location)])
}

#[test]
#[cfg_attr(not(long_tests), ignore = "runs Spin, NuSMV and Z3: PARAMCHECK_LONG=1")]
fn a_swap_is_made_at_once() {
    // x, y := y, x; and where x is 2 the end is reached.
    let structure = Builder::new(2, &["swap", "stop"])
        .variable((0, 3), &[1])
        .variable((0, 3), &[2])
        .step((0, 0), 0, Expression::TRUE, &[(0, variable(1)), (1, variable(0))])
        .step(
            (0, 1),
            1,
            binary(
                binary(variable(0), Operator::Equal, number(2)),
                Operator::And,
                binary(variable(1), Operator::Equal, number(1)),
            ),
            &[],
        )
        .0;
    all_say(false, &structure, Demand::Never(at(1)));
    // Swapping may go on for ever.
    all_say(false, &structure, Demand::Eventually(at(1)));
    all_say(true, &structure, Demand::Eventually(Condition::Can(vec![Idx::new(1)])));
}

#[test]
#[cfg_attr(not(long_tests), ignore = "runs Spin, NuSMV and Z3: PARAMCHECK_LONG=1")]
fn values_out_of_bounds_are_no_steps() {
    // x counts from -1 to 3, and can't go further.
    let next = binary(variable(0), Operator::Add, number(1));
    let structure = Builder::new(2, &["count"])
        .variable((-1, 3), &[-1])
        .step((0, 0), 0, Expression::TRUE, &[(0, next)])
        .0;
    all_say(false, &structure, Demand::Never(Condition::Stuck));
    all_say(true, &structure, Demand::Eventually(Condition::Stuck));
}

#[test]
#[cfg_attr(not(long_tests), ignore = "runs Spin, NuSMV and Z3: PARAMCHECK_LONG=1")]
fn guards_ask_for_values_before_the_step() {
    // x goes from 0 to 4 by ones, y adds up what x was: at the end x is 4 and y is 6.
    let less = binary(variable(0), Operator::Less, number(4));
    let next = binary(variable(0), Operator::Add, number(1));
    let sum = binary(variable(1), Operator::Add, variable(0));
    let ends = |right| {
        let is_sum = binary(variable(1), Operator::Equal, number(right));
        let at_end = binary(variable(0), Operator::Equal, number(4));
        Builder::new(3, &["add", "end"])
            .variable((0, 9), &[0])
            .variable((0, 9), &[0])
            .step((0, 0), 0, less.clone(), &[(0, next.clone()), (1, sum.clone())])
            .step((0, 1), 1, binary(at_end, Operator::And, is_sum), &[(0, number(0))])
            .step((1, 2), 1, Expression::Not(Box::new(less.clone())), &[])
            .0
    };
    all_say(false, &ends(6), Demand::Never(at(1)));
    all_say(true, &ends(6), Demand::Eventually(at(1)));
    // x is 0 again then.
    all_say(true, &ends(6), Demand::Never(at(2)));
    for wrong in [5, 7] {
        all_say(true, &ends(wrong), Demand::Never(at(1)));
        all_say(false, &ends(wrong), Demand::Eventually(at(1)));
    }
}

#[test]
#[cfg_attr(not(long_tests), ignore = "runs Spin and NuSMV: PARAMCHECK_LONG=1")]
fn a_quotient_by_zero_is_no_value() {
    // x is 0 or 7 or -7; 10 / x is 1 or -1, and no step where there is no value.
    let quotient = || binary(number(10), Operator::Divide, variable(0));
    let remainder = || binary(variable(0), Operator::Remainder, number(4));
    let structure = Builder::new(5, &["a"])
        .variable((-7, 7), &[-7, 0, 7])
        .step((0, 1), 0, binary(quotient(), Operator::Equal, number(1)), &[])
        .step((0, 2), 0, binary(quotient(), Operator::Equal, number(-1)), &[])
        .step((0, 3), 0, binary(remainder(), Operator::Equal, number(-3)), &[])
        // Not strict: the right side is not evaluated.
        .step(
            (0, 4),
            0,
            binary(
                binary(variable(0), Operator::Equal, number(0)),
                Operator::Or,
                binary(quotient(), Operator::Less, number(-5)),
            ),
            &[],
        )
        .0;
    for location in 1..=4 {
        all_but_z3_say(false, &structure, Demand::Never(at(location)));
    }
    let never = Builder::new(3, &["a"])
        .variable((0, 7), &[0])
        .step((0, 1), 0, binary(quotient(), Operator::Less, number(100)), &[])
        .step((0, 1), 0, Expression::TRUE, &[(0, quotient())])
        .step((0, 2), 0, Expression::Not(Box::new(binary(quotient(), Operator::Less, number(100)))), &[])
        .0;
    all_but_z3_say(true, &never, Demand::Never(Condition::Or(vec![at(1), at(2)])));
}

#[test]
fn what_would_overflow_is_refused() {
    let square = binary(variable(0), Operator::Multiply, variable(0));
    let structure = Builder::new(2, &["a"])
        .variable((0, 100_000), &[0])
        .step((0, 1), 0, binary(square, Operator::Less, number(5)), &[])
        .0;
    let question = Question { name: "q".to_owned(), demand: Demand::Never(at(1)) };
    for name in ["spin", "nusmv"] {
        let backend = paramcheck_emulation::backend::named(name).unwrap();
        let program = paramcheck_emulation::program::Program {
            model: "data",
            structure: &structure,
            question: &question,
            schedule: Schedule::Any,
        };
        let first = backend.next(&program, &[], &Budget::unlimited());
        let Next::Answer(Answer::Unknown(Unknown::Refused(reason))) = first else { panic!("{first:?}") };
        assert!(reason.contains("32 bits"), "{name}: {reason}");
    }
}
