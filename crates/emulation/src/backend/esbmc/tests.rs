use super::{Esbmc, STEPS};
use crate::Structure;
use crate::backend::{Answer, Backend, Counterexample, Next, Output, Unknown};
use crate::expression::Expression;
use crate::program::Program;
use crate::question::{Condition, Demand, Question};
use crate::triple::{Action, Agent, Counter, CounterId, Location, LocationId, OfferId, Triple, TripleId};
use paramcheck_process::model::LabelId;
use paramcheck_process::semantics::check::Schedule;
use paramcheck_text::index::Idx;
use paramcheck_text::limits::Budget;

/// One agent that goes round three places.
pub(in crate::backend) fn round() -> Structure {
    let mut structure = Structure::default();
    structure.labels.push("tau".to_owned());
    let counter = CounterId::new(0);
    structure.agents.push(Agent { name: "A".to_owned(), counter });
    let place =
        |number: u32| Location { offers: vec![OfferId(number)], is_final: false, name: number.to_string() };
    structure.counters.push(Counter {
        name: "A".to_owned(),
        agent: 0,
        parent: None,
        locations: (1..=3).map(place).collect(),
        initial: LocationId::new(0),
    });
    for number in 0..3 {
        structure.triples.push(Triple {
            entry: vec![(counter, OfferId(number + 1))],
            guard: Expression::TRUE,
            action: Action::Step(LabelId::new(0)),
            assignments: Vec::new(),
            exit: vec![(counter, LocationId::new((number as usize + 1) % 3))],
            agents: vec![0],
            via: None,
            parts: Vec::new(),
        });
    }
    structure
}

/// That it never, or always some time, comes to the last place.
pub(in crate::backend) fn question(is_never: bool, location: usize) -> Question {
    let at = Condition::At(CounterId::new(0), vec![LocationId::new(location)]);
    let demand = if is_never {
        Demand::Never(at)
    } else {
        Demand::Eventually(Condition::And(vec![at.clone(), Condition::Not(Box::new(at))]))
    };
    Question { name: "last".to_owned(), demand }
}

fn printed(stderr: &str, code: i32) -> Output {
    Output {
        code: Some(code),
        stdout: "ESBMC version 8.4.0 64-bit x86_64 linux\n".to_owned(),
        stderr: stderr.to_owned(),
        ..Output::default()
    }
}

fn answer(question: &Question, done: &[Output]) -> Next {
    let structure = round();
    let program = Program { model: "round", structure: &structure, question, schedule: Schedule::Any };
    Esbmc.next(&program, done, &Budget::unlimited())
}

const SUCCESS: &str =
    "Runtime decision procedure: 0.002s\n** 0 of 1 properties failed, 1 passed\n\nVERIFICATION SUCCESSFUL\n";

/// As ESBMC 8.4.0 prints it.
const TRACE: &str = "[Counterexample]

State 1 file base2.c line 101 column 5 function next thread 0
----------------------------------------------------
  choice = 0 (00000000 00000000 00000000 00000000)

State 2 file base2.c line 101 column 5 function next thread 0
----------------------------------------------------
  choice = 1 (00000000 00000000 00000000 00000001)

State 3 file base2.c line 12 column 26 function reach_error thread 0
----------------------------------------------------
Violated property:
  file base2.c line 12 column 26 function reach_error
  reach_error
  0

VERIFICATION FAILED
";

#[test]
fn base_and_step_together_are_a_proof() {
    let never = question(true, 2);
    let Next::Run(base) = answer(&never, &[]) else { panic!() };
    assert_eq!(base.arguments[..2], ["base2.c", "--boolector"]);
    assert!(base.files[0].1.contains("step_number < 2"));
    let Next::Run(step) = answer(&never, &[printed(SUCCESS, 0)]) else { panic!() };
    assert_eq!(step.arguments[0], "step2.c");
    assert_eq!(answer(&never, &[printed(SUCCESS, 0), printed(SUCCESS, 0)]), Next::Answer(Answer::Proved));
    // No induction yet: more steps.
    let Next::Run(more) = answer(&never, &[printed(SUCCESS, 0), printed(TRACE, 1)]) else { panic!() };
    assert_eq!(more.arguments[0], "base4.c");
}

#[test]
fn traces_are_read() {
    let never = question(true, 2);
    let steps = [0, 1].map(TripleId::new).to_vec();
    let expected = Answer::Violated(Some(Counterexample { steps, loop_start: None }));
    assert_eq!(answer(&never, &[printed(TRACE, 1)]), Next::Answer(expected));
    // A lasso: the state was saved after the first step.
    let round = [
        "saves = 7",
        "choice = 0",
        "saves = 1",
        "choice = 1",
        "saves = 1",
        "choice = 2",
        "saves = 0",
        "choice = 0",
    ];
    let round: String = round.iter().map(|line| format!("  {line} (00000000)\n")).collect();
    let steps = [0, 1, 2, 0].map(TripleId::new).to_vec();
    let expected = Answer::Violated(Some(Counterexample { steps, loop_start: Some(1) }));
    let outputs = [printed(&format!("{round}VERIFICATION FAILED\n"), 1)];
    assert_eq!(answer(&question(false, 2), &outputs), Next::Answer(expected));
}

#[test]
fn what_is_no_verdict_is_none() {
    let never = question(true, 2);
    for (words, code) in [
        ("error: unknown type name\nERROR: PARSING ERROR\n", 6),
        ("VERIFICATION SUCCESSFUL\n", 1),
        ("VERIFICATION FAILED\n", 0),
        ("VERIFICATION SUCCESSFUL\nVERIFICATION FAILED\n", 0),
        ("VERIFICATION UNKNOWN\n", 0),
        ("", 139),
    ] {
        let answer = answer(&never, &[printed(words, code)]);
        assert!(matches!(answer, Next::Answer(Answer::Unknown(Unknown::Failed(_)))), "{words}: {answer:?}");
    }
    let open: Vec<Output> = STEPS.iter().flat_map(|_| [printed(SUCCESS, 0), printed(TRACE, 1)]).collect();
    let answer = answer(&never, &open);
    assert!(matches!(answer, Next::Answer(Answer::Unknown(Unknown::Inconclusive(_)))), "{answer:?}");
}
