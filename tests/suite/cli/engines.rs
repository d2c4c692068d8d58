//! The choice of the engine.

/// A formula that is true needs no child, where there is MONA.
#[test]
fn a_library_without_mona_says_so() {
    use paramcheck_invariants::outcome::MonaFailure;
    use paramcheck_text::limits::Budget;
    use paramcheck_wsks::formula::Store;
    use paramcheck_wsks::mona::{IS_BUILT, Means, Question, Worker, decide};

    let mut store = Store::new();
    let formula = store.truth();
    let worker = Worker { program: "/nonexistent".into() };
    let means = Means { worker, budget: Budget::unlimited(), memory: None };
    let answer = decide(&Question { store: &store, formula, successors: 1 }, &means);
    if IS_BUILT {
        assert!(answer.is_ok());
    } else {
        let gave_out = answer.unwrap_err();
        assert_eq!(gave_out.what, MonaFailure::NotBuilt);
        let words = "this build has no MONA; run mona/vendor, then build with --features mona";
        assert_eq!(gave_out.to_string(), words);
    }
}

#[cfg(not(feature = "mona"))]
#[test]
fn without_mona_the_program_says_so() {
    for engine in ["mona", "both"] {
        let errors = super::run(&[super::MUX, "--engine", engine]).errors_of(2);
        assert!(errors.contains("no MONA") && errors.contains("--features mona"), "{errors}");
    }
    assert_eq!(super::run(&["-q", super::MUX, "--engine", "direct"]).code, 0);
}

#[cfg(feature = "mona")]
mod with_mona {
    use insta::assert_snapshot;
    use serde_json::Value;

    use super::super::json::document;
    use super::super::{HERMAN, MUX, THIEF, command, file, folder, run, run_with};
    use crate::suite::support::large_ring as large;

    const ASK: [&str; 7] = ["-", "--engine", "mona", "--error", "two", "--invariants", "trap,mutex"];

    #[test]
    fn the_main_job() {
        let arguments = ["examples/ring.rs", "--error", "deadlock", "--engine", "mona"];
        assert_snapshot!(run(&arguments).output_of(0), @r"
        examples/ring.rs: system Ring, 1 component type (2 states), 2 predicates, 3 rules, 3 interactions, κ = 1
          proved    deadlock  for every size, by trap, says MONA  (TIME)
        ");
    }

    #[test]
    fn a_formula_over_components_that_is_too_much_for_counting() {
        let formula = super::super::answers::TOO_MANY_CASES;
        let ask = |engine| run_with(&["-q", "-", "--error", formula, "--engine", engine], super::super::RING);
        assert_snapshot!(ask("direct").output_of(3), @"unknown   odd  not supported  (TIME)");
        let proved = "proved    odd  for every size, by mutex, says MONA  (TIME)";
        assert_eq!(ask("mona").output_of(0).trim_end(), proved);
        assert_eq!(ask("both").output_of(0).trim_end(), proved);
        // It stays possible to find a violation.
        let other = formula.replace("y in busy", "y in idle");
        let run = run_with(&["-q", "-", "--error", &other], super::super::RING);
        assert!(run.output_of(1).starts_with("violated  odd  2 components"));
    }

    #[test]
    fn both() {
        assert_snapshot!("both-proved", run(&[MUX, "--engine", "both"]).output_of(0));
        let output = run(&[HERMAN, "--engine", "both", "--error", "one"]).output_of(1);
        assert!(output.contains("engines:   direct violated (TIME), mona violated (TIME)"), "{output}");
    }

    #[test]
    fn what_mona_did_is_told_to_who_asks() {
        let text =
            run(&[THIEF, "--engine", "mona", "--error", "lost", "--verbose"]).output_beside_warnings(0);
        assert!(text.contains("formula:   lost in trap, mutex: unsatisfiable ("), "{text}");
        assert!(text.contains("states    nodes     time  subformula"), "{text}");
        let ask = |more: &[&str]| {
            let arguments = [&[THIEF, "--engine", "both", "--error", "lost", "--json"], more].concat();
            document(&run(&arguments), 0)
        };
        let (short, long) = (ask(&[]), ask(&["--verbose"]));
        let formulas = |document: &Value| document["results"][0]["engines"][1]["formulas"].clone();
        for (short, long) in
            formulas(&short).as_array().unwrap().iter().zip(formulas(&long).as_array().unwrap())
        {
            let automata = long["automata"].as_array().unwrap();
            assert!(automata.len() > 10 && long["automaton_count"] == automata.len());
            assert_eq!(short["automaton_count"], long["automaton_count"]);
            assert_eq!(short["automata"], Value::Array(vec![]));
        }
        let last = formulas(&long).as_array().unwrap().last().unwrap().clone();
        assert_eq!(last["answer"], "unsatisfiable");
        assert_eq!(last["invariants"], serde_json::json!(["trap", "mutex"]));
    }

    #[test]
    fn mona_gives_no_certificate_and_both_engines_give_one() {
        let folder = folder("engine-certificate");
        let path = folder.join("lost.json");
        let path = path.to_str().unwrap();
        let call = [THIEF, "--error", "lost", "--certificate", path, "--engine"];
        let errors = run(&[&call[..], &["mona"]].concat()).errors_of(2);
        assert!(errors.contains("MONA gives none"), "{errors}");
        run(&[&call[..], &["both"]].concat()).output_beside_warnings(0);
        assert_eq!(run(&["certify", THIEF, path]).code, 0);
    }

    #[test]
    fn limits_end_mona_too() {
        for (limit, code, words) in [
            (["--time-limit", "1"], "time-limit", "the time limit was reached"),
            (["--memory-limit", "48"], "memory-limit", "the memory limit was reached"),
        ] {
            let run = run_with(&[&ASK[..], &limit, &["--json"]].concat(), large(14));
            let document = document(&run, 3);
            let result = &document["results"][0];
            assert_eq!(result["reason"]["code"], code, "{result}");
            assert!(result["reason"]["text"].as_str().unwrap().contains(words), "{result}");
            assert_eq!(result["tried"], serde_json::json!([]), "the one stage was not finished: {result}");
        }
    }

    #[test]
    fn what_is_too_large_for_a_formula_is_left_to_the_other_engine() {
        document(&run_with(&[&ASK[..], &["--json"]].concat(), large(300)), 3);
        let run = run_with(&ASK, large(300));
        assert_eq!(run.code, 3, "{}", run.output);
        assert!(run.output.contains("no formula for it") && run.output.contains("--engine direct"));
    }

    /// The processes that run MONA for `parent`.
    #[cfg(target_os = "linux")]
    fn workers(parent: u32) -> Vec<u32> {
        let is_worker = |pid: &u32| {
            let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
            let after = stat.rsplit(") ").next().unwrap_or_default();
            after.split(' ').nth(1) == Some(&parent.to_string())
        };
        let entries = std::fs::read_dir("/proc").unwrap();
        let pids = entries.filter_map(|entry| entry.unwrap().file_name().to_str()?.parse().ok());
        pids.filter(is_worker).collect()
    }

    /// Starts a long run and waits until MONA works for it.
    #[cfg(target_os = "linux")]
    fn start(folder_name: &str) -> (std::process::Child, u32) {
        let model = file(&folder(folder_name), "large.rs", large(20));
        let mut child = command(&[&[model.as_str()], &ASK[1..]].concat()).spawn().unwrap();
        let mut found = workers(child.id());
        while found.is_empty() {
            assert_eq!(child.try_wait().unwrap(), None, "it ended before it asked MONA");
            std::thread::sleep(std::time::Duration::from_millis(10));
            found = workers(child.id());
        }
        (child, found[0])
    }

    #[cfg(target_os = "linux")]
    fn signal(name: &str, pid: u32) {
        let status = std::process::Command::new("kill").args([name, &pid.to_string()]).status().unwrap();
        assert!(status.success());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_killed_mona_is_an_honest_unknown() {
        // The first may be about to end by itself: then the next is killed.
        let (mut child, _) = start("killed-worker");
        while child.try_wait().unwrap().is_none() {
            for worker in workers(child.id()) {
                let _ = std::process::Command::new("kill").args(["-KILL", &worker.to_string()]).status();
            }
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
        let output = child.wait_with_output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        assert_eq!(output.status.code(), Some(3), "{text}");
        assert!(text.contains("MONA failed") && text.contains("signal 9"), "{text}");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn mona_ends_with_its_parent() {
        for (name, code) in [("-INT", Some(130)), ("-KILL", None)] {
            let (mut child, worker) = start(&format!("parent{name}"));
            signal(name, child.id());
            assert_eq!(child.wait().unwrap().code(), code);
            // The operating system notifies the worker, which takes a moment.
            while std::path::Path::new(&format!("/proc/{worker}/exe")).canonicalize().is_ok() {
                std::thread::sleep(std::time::Duration::from_millis(10));
            }
        }
    }
}
