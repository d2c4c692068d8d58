//! What back ends make of the output of tools, without the tools: only a whole and orderly report counts.

use super::{ALL, Answer, Command, Counterexample, Next, Output, Unknown, named};
use crate::Structure;
use crate::process::encode;
use crate::program::Program;
use crate::question::Question;
use paramcheck_process::semantics::check::Schedule;
use paramcheck_process::{Language, load};
use paramcheck_text::index::Idx;
use paramcheck_text::limits::{Budget, Stop};

/// Queries the check `name` of a system: `a` for ever, or `b` once.
fn with<T>(name: &str, schedule: Schedule, work: impl FnOnce(&Program<'_>) -> T) -> T {
    let text = "A = a.A + b.0; system A; check never = always !did b; check comes = eventually did b;";
    let system = load(text, Language::Ccs).system.unwrap();
    let structure: Structure = encode(&system, &Budget::unlimited()).unwrap();
    let question = Question::of_check(system.check_named(name).unwrap()).unwrap();
    work(&Program { model: "a", structure: &structure, question: &question, schedule })
}

fn output(code: i32, stdout: &str) -> Output {
    Output { code: Some(code), stdout: stdout.to_owned(), ..Output::default() }
}

/// The answer after these outputs; each but the last must lead to another job.
fn answer(backend: &str, check: &str, outputs: &[Output]) -> Answer {
    let backend = named(backend).unwrap();
    with(check, Schedule::Any, |program| {
        for number in 0..outputs.len() {
            let next = backend.next(program, &outputs[..number], &Budget::unlimited());
            assert!(matches!(next, Next::Run(_)), "{number}: {next:?}");
        }
        match backend.next(program, outputs, &Budget::unlimited()) {
            Next::Answer(answer) => answer,
            Next::Run(job) => panic!("asks for {job:?}"),
        }
    })
}

fn has_failed(answer: &Answer) -> bool {
    matches!(answer, Answer::Unknown(Unknown::Failed(_)))
}

#[test]
fn names_are_words_of_their_own() {
    let names: std::collections::BTreeSet<_> = ALL.iter().map(|backend| backend.about().name).collect();
    assert_eq!(names.len(), ALL.len());
    for backend in ALL {
        let about = backend.about();
        assert!(about.name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit()));
        assert!(!["native", "all"].contains(&about.name) && !about.tools.is_empty());
        assert_eq!(named(about.name).map(|found| found.about()), Some(about));
    }
    assert!(named("native").is_none());
}

#[test]
fn dialogues_are_functions_of_outputs() {
    with("comes", Schedule::Any, |program| {
        for backend in ALL {
            let first = backend.next(program, &[], &Budget::unlimited());
            assert_eq!(first, backend.next(program, &[], &Budget::unlimited()), "{backend:?}");
            let Next::Run(job) = first else { panic!("{backend:?}: {first:?}") };
            assert!(matches!(job.command, Command::Tool(0)), "{backend:?}");
            // Whatever comes out of it, there is a next move.
            for output in [Output::default(), output(0, "\u{0}garbage"), output(1, "")] {
                assert!(!matches!(
                    backend.next(program, &[output], &Budget::unlimited()),
                    Next::Answer(Answer::Proved | Answer::Violated(_))
                ));
            }
        }
    });
}

const CLEAN: &str = "(Spin Version 6.5.2 -- 6 December 2019)\n\nFull statespace search for:\n\nState-vector 20 byte, \
                     depth reached 2, errors: 0\n        3 states, stored\n\npan: elapsed time 0 seconds\n";

#[test]
fn spin_is_read() {
    let ok = output(0, "");
    let of = |check: &str, outputs: &[Output]| {
        answer("spin", check, &[&[ok.clone(), ok.clone()], outputs].concat())
    };
    assert_eq!(of("never", &[output(0, CLEAN)]), Answer::Proved);
    // Cut off, ended early, ended badly, or of no search at all.
    let early = CLEAN.replace("\n\nFull", "\nWarning: Search not completed\n\nFull");
    for wrong in [&CLEAN[..100], &early, "errors: 0\n", "", &CLEAN.replace("errors: 0", "errors: none")] {
        assert!(has_failed(&of("never", &[output(0, wrong)])), "{wrong}");
    }
    assert!(has_failed(&of("never", &[output(1, CLEAN)])));
    assert!(has_failed(&of("never", &[Output { code: None, ..output(0, CLEAN) }])));
    assert!(has_failed(&answer("spin", "never", &[output(1, "spin: syntax error")])));
    assert!(has_failed(&answer("spin", "never", &[ok.clone(), output(1, "")])));
    // Deeper, and then too deep.
    let deep = format!("error: max search depth too small\n{CLEAN}");
    assert_eq!(of("comes", &[output(0, &deep), output(0, CLEAN)]), Answer::Proved);
    let too_deep = of("comes", &[output(0, &deep), output(0, &deep)]);
    assert!(matches!(too_deep, Answer::Unknown(Unknown::Inconclusive(_))), "{too_deep:?}");
    // A run.
    let found =
        output(0, &format!("pan: wrote program.pml.trail\n{}", CLEAN.replace("errors: 0", "errors: 1")));
    let run = |trail: &str| of("comes", &[found.clone(), output(0, trail)]);
    let trail = "          step 1: b, A\n  <<<<<START OF CYCLE>>>>>\n          step 0: a, A\nspin: trail ends after 9 \
                 steps\n";
    let expected = Counterexample { steps: vec![Idx::new(1), Idx::new(0)], loop_start: Some(1) };
    assert_eq!(run(trail), Answer::Violated(Some(expected)));
    let ends = "step 1: b\n<<<<<START OF CYCLE>>>>>\nspin: trail ends after 9 steps";
    assert_eq!(
        run(ends),
        Answer::Violated(Some(Counterexample { steps: vec![Idx::new(1)], loop_start: None }))
    );
    assert!(has_failed(&run("step 1: b")) && has_failed(&run("step one: b\nspin: trail ends after 1 steps")));
}

/// Per back end the outputs that make a proof.
fn proofs() -> Vec<(&'static str, Vec<Output>)> {
    let success = output(0, "VERIFICATION SUCCESSFUL\n");
    let no_proof = "sat\n(error \"line 40 column 10: proof is not available\")\n";
    vec![
        ("spin", vec![output(0, ""), output(0, ""), output(0, CLEAN)]),
        ("nusmv", vec![output(0, "*** This is NuSMV\n\n-- invariant !(bad)  is true\n")]),
        ("esbmc", vec![success.clone(), success.clone()]),
        ("z3", vec![output(1, no_proof)]),
        ("cbmc", vec![success.clone(), success.clone()]),
        ("cpachecker", vec![output(0, "Verification result: TRUE. No property violation found.\n")]),
        ("2ls", vec![success]),
    ]
}

/// A tool that crashes may do so anywhere, also behind its verdict; then the verdict is worth nothing.
#[test]
fn only_an_orderly_end_proves() {
    let proofs = proofs();
    assert_eq!(proofs.len(), ALL.len());
    for (name, outputs) in proofs {
        assert_eq!(answer(name, "never", &outputs), Answer::Proved, "{name}");
        let (last, before) = outputs.split_last().unwrap();
        let refused = |changed: Output| {
            let found = answer(name, "never", &[before, std::slice::from_ref(&changed)].concat());
            assert!(matches!(found, Answer::Unknown(_)), "{name}: {changed:?}: {found:?}");
        };
        refused(Output { code: None, signal: Some(11), ..last.clone() });
        for code in [0, 1, 2, 7, 10, 101, 134, 139, 255] {
            if last.code != Some(code) {
                refused(Output { code: Some(code), ..last.clone() });
            }
        }
        // Cut off at any letter, with whatever exit code goes with that.
        for end in 0..last.stdout.len() {
            for code in [0, 1] {
                refused(Output { code: Some(code), ..output(0, &last.stdout[..end]) });
            }
        }
    }
}

#[test]
fn nothing_is_written_once_the_budget_has_ended() {
    let budget = Budget::unlimited();
    budget.switch.stop(Stop::Memory);
    with("comes", Schedule::Any, |program| {
        for backend in ALL {
            let next = backend.next(program, &[], &budget);
            let expected = Next::Answer(Answer::Unknown(Unknown::Stopped(Stop::Memory)));
            assert_eq!(next, expected, "{backend:?}");
        }
    });
}

#[test]
fn how_it_ended_is_told() {
    let words = |output: Output| match output.failure("it failed") {
        Answer::Unknown(Unknown::Failed(words)) => words,
        other => panic!("{other:?}"),
    };
    assert_eq!(words(output(7, "no licence")), "it failed: exit code 7: no licence");
    let killed = Output { signal: Some(9), ..Output::default() };
    assert_eq!(words(killed), "it failed: ended by signal 9: it says nothing");
}

#[test]
fn fairness_is_refused_by_spin_where_it_matters() {
    let spin = named("spin").unwrap();
    let refuses = |check, schedule| {
        let begin = |program: &Program<'_>| spin.next(program, &[], &Budget::unlimited());
        matches!(with(check, schedule, begin), Next::Answer(Answer::Unknown(Unknown::Refused(_))))
    };
    assert!(refuses("comes", Schedule::WeaklyFair) && refuses("comes", Schedule::StronglyFair));
    assert!(!refuses("never", Schedule::WeaklyFair) && !refuses("comes", Schedule::RoundRobin));
}

#[test]
fn nusmv_is_read() {
    let of = |text: &str| answer("nusmv", "comes", &[output(0, text)]);
    assert_eq!(of("-- specification  F did = 1  is true\n"), Answer::Proved);
    let printed = "-- specification  F did = 1  is false\n-- Loop starts here\n-> State: 1.1 <-\n  did = 0\n-> Input: 1.2 \
                <-\n  step = t1\n-> State: 1.2 <-\n";
    let found = of(printed);
    assert!(
        matches!(&found, Answer::Violated(Some(run)) if run.steps == [Idx::new(1)] && run.loop_start == Some(0))
    );
    assert!(has_failed(&of(&printed.replace("t1", "t99"))));
    assert!(has_failed(&of("")) && has_failed(&of("-- specification  F did = 1  is false\n")));
    assert!(has_failed(&answer("nusmv", "comes", &[output(1, "-- specification  F did = 1  is true\n")])));
}

#[test]
fn verifiers_of_c_are_read() {
    let yes = output(0, "VERIFICATION SUCCESSFUL\n");
    let no = output(10, "State 5\n  choice=1u (00000000)\nVERIFICATION FAILED\n");
    assert_eq!(answer("cbmc", "never", &[yes.clone(), yes.clone()]), Answer::Proved);
    let violated = |steps: Vec<_>| Answer::Violated(Some(Counterexample { steps, loop_start: None }));
    assert_eq!(answer("cbmc", "never", &[yes.clone(), no.clone(), no.clone()]), violated(vec![Idx::new(1)]));
    assert!(has_failed(&answer("cbmc", "never", &[output(0, "VERIFICATION FAILED\n")])));
    assert!(has_failed(&answer("cbmc", "never", &[output(6, "VERIFICATION SUCCESSFUL\n")])));
    assert_eq!(answer("2ls", "never", std::slice::from_ref(&yes)), Answer::Proved);
    assert_eq!(answer("2ls", "never", &[no]), Answer::Violated(None));
    assert!(matches!(
        answer("2ls", "never", &[output(5, "VERIFICATION INCONCLUSIVE\n")]),
        Answer::Unknown(Unknown::Inconclusive(_))
    ));
    let says = |word: &str| {
        answer("cpachecker", "never", &[output(0, &format!("Verification result: {word}. More words.\n"))])
    };
    assert_eq!(says("TRUE"), Answer::Proved);
    assert_eq!(says("FALSE"), Answer::Violated(None));
    assert!(matches!(says("UNKNOWN"), Answer::Unknown(Unknown::Inconclusive(_))));
    assert!(has_failed(&says("TRUEISH")));
}
