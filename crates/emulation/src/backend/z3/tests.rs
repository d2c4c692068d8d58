use super::{ATTEMPTS, Z3};
use crate::backend::esbmc::tests::{question, round};
use crate::backend::{Answer, Backend, Counterexample, Next, Output, Unknown};
use crate::program::Program;
use crate::question::Question;
use crate::triple::TripleId;
use paramcheck_process::semantics::check::Schedule;
use paramcheck_text::index::Idx;
use paramcheck_text::limits::Budget;

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
(let (($x921 (query!0 false false true)))
 (let (($x109 (reach false false true)))
 (let (($x112 (forall ((A Bool) (B Bool) (C Bool) (D Bool) (E Bool) (F Bool) )(let (($x33 (reach A B C)))
 (=> $x33 (reach D E F)))) ))
 (let ((@x946 ((_ hyper-res 0 0 0 1) (asserted $x112) ((_ hyper-res 0 0 0 1) (asserted $x112) ((_ hyper-res 0 0) (asserted (reach true false false)) (reach true false false)) (reach false true false)) $x109)))
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
    for text in [
        "unsat\n",
        "unsat\n(reach A B C)\n(reach true false",
        "unsat\n(reach true false false) (reach false false true)",
        // No number, or two: no state.
        "unsat\n(reach true false false) (reach false false false) (reach true true false) (reach false false true)",
    ] {
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
    for text in ["", "(error \"line 1 column 2: unexpected\")\nsat\n"] {
        let answer = answer(&never, text);
        assert!(matches!(answer, Next::Answer(Answer::Unknown(Unknown::Failed(_)))), "{text}");
    }
}

#[test]
fn what_is_not_answered_is_asked_again_by_another_seed() {
    let (structure, question) = (round(), question(true, 2));
    let program =
        Program { model: "round", structure: &structure, question: &question, schedule: Schedule::Any };
    let printed = |stdout: &str| Output { code: Some(1), stdout: stdout.to_owned(), ..Output::default() };
    let unknown = printed("unknown\n(error \"line 40 column 10: proof is not available\")\n");
    let mut done = Vec::new();
    for number in 0..ATTEMPTS {
        let Next::Run(job) = Z3.next(&program, &done, &Budget::unlimited()) else { panic!("{done:?}") };
        let has = |word: &str| job.arguments.iter().any(|argument| argument.starts_with(word));
        assert!(has(&format!("fp.spacer.random_seed={number}")), "{job:?}");
        // Nothing but the caller's budget ends the last.
        assert_eq!((has("rlimit="), has("-T:")), (number + 1 < ATTEMPTS, number + 1 < ATTEMPTS), "{job:?}");
        assert_eq!(job.files.is_empty(), number > 0);
        done.push(if number % 2 == 0 { unknown.clone() } else { printed("timeout\n") });
    }
    let given_up = Z3.next(&program, &done, &Budget::unlimited());
    assert!(matches!(given_up, Next::Answer(Answer::Unknown(Unknown::Inconclusive(_)))), "{given_up:?}");
    // The last answer counts.
    done[ATTEMPTS - 1] = printed("sat\n(error \"line 40 column 10: proof is not available\")\n");
    assert_eq!(Z3.next(&program, &done, &Budget::unlimited()), Next::Answer(Answer::Proved));
}
