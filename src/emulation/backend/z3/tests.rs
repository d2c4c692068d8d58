use super::Z3;
use crate::emulation::backend::esbmc::tests::{question, round};
use crate::emulation::backend::{Answer, Backend, Counterexample, Next, Output, Unknown};
use crate::emulation::program::Program;
use crate::emulation::question::Question;
use crate::emulation::triple::TripleId;
use crate::semantics::check::Schedule;
use crate::support::index::Idx;
use crate::support::limits::Budget;

fn answer(question: &Question, stdout: &str) -> Next {
    answer_ending(question, stdout, 0)
}

fn answer_ending(question: &Question, stdout: &str, code: i32) -> Next {
    let structure = round();
    let program = Program { model: "round", structure: &structure, question, schedule: Schedule::Any };
    let Next::Run(job) = Z3.next(&program, &[], &Budget::unlimited()) else { panic!() };
    assert_eq!(job.arguments.last().unwrap(), "program.smt2");
    let output = Output { code: Some(code), stdout: stdout.to_owned(), ..Output::default() };
    Z3.next(&program, &[output], &Budget::unlimited())
}

/// As Z3 4.8.12 prints it, in the order in which it does.
const REFUTATION: &str = "unsat
((set-logic HORN)
(declare-fun query!0 (Int) Bool)
(proof
(let (($x921 (query!0 2)))
 (let (($x109 (reach 2)))
 (let (($x112 (forall ((A Int) (B Int) )(let (($x33 (reach A)))
 (=> $x33 (reach B)))) ))
 (let ((@x946 ((_ hyper-res 0 0 0 1) (asserted $x112) ((_ hyper-res 0 0 0 1) (asserted $x112) ((_ hyper-res 0 0) (asserted (reach 0)) (reach 0)) (reach 1)) $x109)))
 (mp ((_ hyper-res 0 0 0 1) (asserted $x120) @x946 $x921) (asserted (=> $x921 false)) false))))))
";

#[test]
fn refutations_are_read() {
    let steps = [0, 1].map(TripleId::new).to_vec();
    let expected = Answer::Violated(Some(Counterexample { steps, loop_start: None }));
    assert_eq!(answer(&question(true, 2), REFUTATION), Next::Answer(expected));
    // A loop is found among the states, too.
    let states =
        "unsat\n(reach 1 false 0) (reach 0 false 0) (reach 2 true 1) (reach 0 true 1) (reach 1 true 1)";
    let steps = [0, 1, 2].map(TripleId::new).to_vec();
    let expected = Answer::Violated(Some(Counterexample { steps, loop_start: Some(0) }));
    assert_eq!(answer(&question(false, 2), states), Next::Answer(expected));
    // Without the states there are no steps.
    for text in ["unsat\n", "unsat\n(reach A)\n(reach 0", "unsat\n(reach 0) (reach 2)"] {
        assert_eq!(answer(&question(true, 2), text), Next::Answer(Answer::Violated(None)), "{text}");
    }
}

#[test]
fn verdicts_are_read() {
    let never = question(true, 2);
    let proof = "sat\n(error \"line 40 column 10: proof is not available\")\n";
    assert_eq!(answer_ending(&never, proof, 1), Next::Answer(Answer::Proved));
    // What else Z3 may have called an error, before the answer or after it.
    for wrong in [
        "sat\n",
        "sat\n(error \"out of memory\")\n",
        "sat\n(error \"line 40 column 10: out of memory\")\n",
        &format!("{proof}(error \"out of memory\")\n"),
        &format!("(error \"line 3 column 1: overflow\")\n{proof}"),
    ] {
        for code in [0, 1] {
            let answer = answer_ending(&never, wrong, code);
            assert!(
                matches!(answer, Next::Answer(Answer::Unknown(Unknown::Failed(_)))),
                "{wrong}: {answer:?}"
            );
        }
    }
    let given_up = answer(&never, "unknown\n(error \"proof is not available\")\n");
    assert!(matches!(given_up, Next::Answer(Answer::Unknown(Unknown::Inconclusive(_)))));
    for text in ["", "timeout\n", "(error \"line 1 column 2: unexpected\")\nsat\n"] {
        let answer = answer(&never, text);
        assert!(matches!(answer, Next::Answer(Answer::Unknown(Unknown::Failed(_)))), "{text}");
    }
}
