//! `verify --backend`: other verifiers, real ones and such that lie.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::json::document_of;
use super::{Run, redact, run};
use crate::suite::support::tools::Scratch;

const TWO_PHASE: &str = "examples/ccs/2pc.ccs";
const PHILOSOPHERS: &str = "examples/philosophers/alt-philo-sym.rs";

/// The program with these folders of tools and nothing else but the most usual programs.
fn run_with_tools(folder: &Path, arguments: &[&str]) -> Run {
    let output = Command::new(env!("CARGO_BIN_EXE_paramcheck"))
        .args(arguments)
        .env("PARAMCHECK_TOOLS", folder)
        .env("PATH", "/usr/bin:/bin")
        .env("TMPDIR", folder)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    Run {
        output: redact(&String::from_utf8(output.stdout).unwrap()),
        errors: String::from_utf8(output.stderr).unwrap(),
        code: output.status.code().unwrap(),
    }
}

/// A folder with a program of this name that is a shell script.
fn fake(name: &str, script: &str) -> Scratch {
    let folder = Scratch::new();
    add_fake(&folder, name, script);
    folder
}

/// One more of them.
fn add_fake(folder: &Scratch, name: &str, script: &str) {
    let path = folder.path().join(name);
    fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
}

/// What is left in the folder for temporary files, beside the tool: nothing but bug reports.
fn left_in(folder: &Path, tool: &str) -> Vec<String> {
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.filter(|name| name != tool).collect()
}

/// The reason that a fake NuSMV leaves for not knowing about the deadlock of 2PC, which there is.
fn reason_with(script: &str, more: &[&str]) -> (String, String) {
    let folder = fake("NuSMV", script);
    let arguments = ["verify", TWO_PHASE, "--check", "deadlock", "--backend", "nusmv", "--json"];
    let run = run_with_tools(folder.path(), &[&arguments[..], more].concat());
    let document = document_of("verify", &run, 3);
    let result = &document["results"][0];
    assert_eq!(result["verdict"], "unknown");
    assert_eq!(result["backends"][0]["reason"], result["reason"]);
    assert_eq!(left_in(folder.path(), "NuSMV"), Vec::<String>::new(), "{script}");
    let text = |key: &str| result["reason"][key].as_str().unwrap().to_owned();
    (text("code"), text("text"))
}

/// The words of the reason why a back end does not know of 2PC, with a fake tool that fails.
fn unknown_with(backend: &str, tool: &str, script: &str) -> String {
    unknown_in(&fake(tool, script), backend, script)
}

/// The same with the fake tools of a folder.
fn unknown_in(folder: &Scratch, backend: &str, script: &str) -> String {
    let arguments = ["verify", TWO_PHASE, "--check", "no_rollback", "--backend", backend, "--json"];
    let run = run_with_tools(folder.path(), &arguments);
    let document = document_of("verify", &run, 3);
    let reason = &document["results"][0]["reason"];
    assert_eq!(reason["code"], "tool-failed", "{script}: {reason}");
    reason["text"].as_str().unwrap().to_owned()
}

#[test]
fn a_proof_of_who_crashes_is_none() {
    let no_proof = "(error \"line 40 column 10: proof is not available\")";
    for script in [
        "echo sat; kill -SEGV $$",
        "printf sat; exit 1",
        "echo sat; exit 139",
        "echo sat",
        "echo sat; echo '(error \"out of memory\")'; exit 101",
        "echo sat; echo '(error \"out of memory\")'; exit 1",
        &format!("echo sat; echo '{no_proof}'; kill -ABRT $$"),
        &format!("echo sat; printf '{no_proof}'; exit 1"),
    ] {
        let words = unknown_with("z3", "z3", script);
        assert!(!script.contains("SEGV") || words.contains("ended by signal 11: sat"), "{words}");
    }
    let proved = fake("z3", &format!("echo sat; echo '{no_proof}'; exit 1"));
    run_with_tools(proved.path(), &["verify", TWO_PHASE, "--check", "no_rollback", "--backend", "z3"])
        .output_of(0);
}

#[test]
fn who_asks_nothing_asks_about_deadlock() {
    let folder = Scratch::new();
    let path = folder.path().join("none.ccs");
    for (text, code, verdict) in
        [("system 0;", 0, "proved    deadlock"), ("system a.0 \\ {a};", 1, "violated  deadlock")]
    {
        fs::write(&path, text).unwrap();
        for backend in ["native", "all"] {
            let output = run(&["verify", path.to_str().unwrap(), "--backend", backend, "-q"]).output_of(code);
            assert!(output.starts_with(verdict), "{output}");
        }
    }
    let missing = run(&["verify", TWO_PHASE, "--check", "nope"]);
    assert_eq!((missing.code, missing.output.as_str()), (2, ""), "{}", missing.errors);
}

#[test]
fn options_of_no_use_to_a_program_are_refused() {
    let refused = |options: &[&str]| run(&[&["emulate", TWO_PHASE], options].concat()).errors_of(2);
    let dot = refused(&["--as", "dot", "--paper"]);
    assert!(dot.contains("Usage: paramcheck emulate "), "{dot}");
    let lasso = refused(&["--as", "c", "--lasso", "--check", "deadlock"]);
    assert!(lasso.contains("--lasso is about `eventually`"), "{lasso}");
    refused(&["--as", "c", "--lasso", "--standalone", "--check", "done"]);
    run(&["emulate", TWO_PHASE, "--as", "c", "--lasso", "--check", "done"]).output_of(0);
}

#[test]
fn a_tool_that_makes_nothing_is_told_so() {
    let words = unknown_with("spin", "spin", "echo 'model read'");
    assert!(words.contains("spin writes no pan.c: exit code 0: model read"), "{words}");
    let folder = fake("spin", "touch pan.c");
    add_fake(&folder, "tcc", "exit 0");
    let words = unknown_in(&folder, "spin", "exit 0");
    assert!(words.contains("tcc writes no verifier: exit code 0: it says nothing"), "{words}");
}

/// What NuSMV would say of a run with these steps.
fn claim(verdict: &str, steps: &[&str]) -> String {
    let mut text = format!("cat <<'END'\n-- invariant !(bad)  is {verdict}\n-> State: 1.1 <-\n");
    for (number, step) in steps.iter().enumerate() {
        text += &format!("-> Input: 1.{0} <-\n  step = {step}\n-> State: 1.{0} <-\n", number + 2);
    }
    text + "END"
}

#[test]
fn a_tool_that_lies_is_found_out() {
    let code = |script: &str| reason_with(script, &[]).0;
    // Prints nothing, or what is not understood, or fails after its verdict, or has two.
    assert_eq!(code("exit 0"), "tool-failed");
    assert_eq!(code("head -c 100000 /dev/urandom"), "tool-failed");
    assert_eq!(code("echo '-- invariant !(bad)  is true'; exit 1"), "tool-failed");
    assert_eq!(code("echo '-- invariant a  is true'; echo '-- invariant b  is false'"), "tool-failed");
    assert_eq!(code("echo '-- invariant !(bad)  is true'; kill -9 $$"), "tool-failed");
    let (kind, words) = reason_with("echo 'no licence' >&2; exit 7", &[]);
    assert_eq!(kind, "tool-failed");
    assert!(words.contains("exit code 7: no licence"), "{words}");
    // Claims a violation: no run, steps that there are not, steps in another order, too few steps.
    assert_eq!(code("echo '-- invariant !(bad)  is false'"), "tool-failed");
    assert_eq!(code(&claim("false", &["t9999"])), "tool-failed");
    assert_eq!(code(&claim("false", &["tausend"])), "tool-failed");
    assert_eq!(code(&claim("false", &[])), "not-replayed");
    let (kind, words) = reason_with(&claim("false", &["t1", "t1"]), &[]);
    assert_eq!(kind, "not-replayed");
    assert!(words.contains("NuSMV claims a violation, but its run is none: step 1"), "{words}");
}

#[test]
fn a_tool_that_takes_too_much_is_ended() {
    let limited = ["--time-limit", "1"];
    // Hangs, with children that hang, and does not mind signals.
    assert_eq!(reason_with("trap '' TERM INT; sleep 600 & sleep 600", &limited).0, "time-limit");
    // Writes for ever.
    let (code, words) = reason_with("yes", &[]);
    assert_eq!(code, "tool-failed");
    assert!(words.contains("writes more than 64 MiB"), "{words}");
    // Eats memory: all of it in one child, which waits for the end of a line without one.
    assert_eq!(reason_with("exec tail /dev/zero", &["--memory-limit", "200"]).0, "memory-limit");
}

#[test]
fn nobody_is_left_behind() {
    let folder = fake("NuSMV", "sleep 321 & echo $! > ../child; sleep 321");
    let arguments = ["verify", TWO_PHASE, "--check", "deadlock", "--backend", "nusmv", "--time-limit", "2"];
    assert_eq!(run_with_tools(folder.path(), &arguments).code, 3);
    let child = fs::read_to_string(folder.path().join("child")).unwrap();
    wait_until_gone(&child);
}

/// Starts a call that queries a tool for ever, and waits until the tool runs, with a child of its own.
/// Signals have their usual effect, whatever the parent of the tests has done to them.
fn start_endless(folder: &Path) -> std::process::Child {
    let child = Command::new("env")
        .args(["--default-signal=HUP,INT,TERM", env!("CARGO_BIN_EXE_paramcheck")])
        .args(["verify", TWO_PHASE, "--backend", "nusmv", "--json"])
        .env("PARAMCHECK_TOOLS", folder)
        .env("TMPDIR", folder)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    while !folder.join("begun").exists() {
        std::thread::sleep(Duration::from_millis(5));
    }
    child
}

const ENDLESS: &str = "sleep 654 & echo $$ $! > ../pids; mv ../pids ../begun; sleep 654";

fn send(signal: &str, child: &std::process::Child) {
    assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
}

/// Whatever requests the end, once or several times at once, tools end and nothing is left.
#[test]
fn signals_end_tools_too() {
    for signals in [&["-INT"][..], &["-TERM"], &["-HUP"], &["-TERM", "-HUP", "-TERM"], &["-HUP", "-HUP"]] {
        let folder = fake("NuSMV", ENDLESS);
        let mut child = start_endless(folder.path());
        for signal in signals {
            send(signal, &child);
        }
        assert_eq!(child.wait().unwrap().code(), Some(130), "{signals:?}");
        let begun = fs::read_to_string(folder.path().join("begun")).unwrap();
        for pid in begun.split_whitespace() {
            wait_until_gone(pid);
        }
        let mut left = left_in(folder.path(), "NuSMV");
        left.retain(|name| name != "begun");
        assert_eq!(left, Vec::<String>::new(), "{signals:?}");
    }
}

#[test]
fn who_ignores_hangups_goes_on() {
    let folder = fake("NuSMV", "touch ../begun; while ! test -e ../heard; do sleep 0.01; done; exit 0");
    let mut child = Command::new("nohup")
        .arg(env!("CARGO_BIN_EXE_paramcheck"))
        .args(["verify", TWO_PHASE, "--check", "deadlock", "--backend", "nusmv", "--json"])
        .env("PARAMCHECK_TOOLS", folder.path())
        .env("TMPDIR", folder.path())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    while !folder.path().join("begun").exists() {
        std::thread::sleep(Duration::from_millis(5));
    }
    send("-HUP", &child);
    fs::write(folder.path().join("heard"), "").unwrap();
    // Not 130: the tool has come to its end, and has printed nothing.
    assert_eq!(child.wait().unwrap().code(), Some(3));
}

/// Killed children may wait for a moment until somebody notices.
fn wait_until_gone(pid: &str) {
    let state = || fs::read_to_string(format!("/proc/{}/stat", pid.trim()));
    let begin = Instant::now();
    while state().is_ok_and(|stat| !stat.contains(") Z ")) {
        assert!(begin.elapsed() < Duration::from_secs(60), "the child of a tool still runs");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn contradictions_are_bugs() {
    // 2PC does stop, and `done` does hold.
    let folder = fake("NuSMV", "echo '-- invariant !(bad)  is true'");
    let arguments = ["verify", TWO_PHASE, "--check", "deadlock", "--backend", "all"];
    let run = run_with_tools(folder.path(), &arguments);
    assert_eq!(run.code, 101, "{}", run.errors);
    assert!(run.errors.contains("nusmv says that it is proved, "), "{}", run.errors);
    assert!(!run.output.contains("deadlock "), "{}", run.output);
    let files = left_in(folder.path(), "NuSMV");
    assert_eq!(files.len(), 1, "{files:?}");
    let text = fs::read_to_string(folder.path().join(&files[0])).unwrap();
    for part in
        ["MODULE main", "-- invariant !(bad)  is true", "COORD", "--check deadlock", "native: violated"]
    {
        assert!(text.contains(part), "{part}: {text}");
    }
    // How tools ended is reported in words, and no line ends with blanks.
    assert!(text.contains("NuSMV -source commands: exit code 0, standard output\n"), "{text}");
    assert!(!text.contains("Some(") && !text.lines().any(|line| line.ends_with(' ')), "{text}");
}

#[test]
fn what_is_missing_is_told() {
    let nothing = Scratch::new();
    let with = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_paramcheck"))
            .args(arguments)
            .env_remove("PARAMCHECK_TOOLS")
            .env("PATH", nothing.path())
            .output()
            .unwrap();
        let text = |bytes| redact(&String::from_utf8(bytes).unwrap());
        Run { output: text(output.stdout), errors: text(output.stderr), code: output.status.code().unwrap() }
    };
    let errors = with(&["verify", TWO_PHASE, "--backend", "spin"]).errors_of(2);
    assert!(errors.contains("error[E0507]: the back end spin is not here"), "{errors}");
    assert!(errors.contains("needs spin: Debian package spin"), "{errors}");
    let all = with(&["verify", TWO_PHASE, "--check", "done", "--backend", "all"]).output_of(0);
    assert!(all.contains("  not here: nusmv, which needs NuSMV: "), "{all}");
    let all = with(&["verify", TWO_PHASE, "--check", "done", "--backend", "all", "--json"]);
    let document = document_of("verify", &all, 0);
    assert!(document["files"][0]["missing"].as_array().unwrap().iter().any(|one| one["backend"] == "spin"));
    let errors = with(&["verify", TWO_PHASE, "--backend", "spinn"]).errors_of(2);
    assert!(errors.contains("did you mean spin?"), "{errors}");
}

/// The program with the tools that tests use.
fn run_with_all(arguments: &[&str]) -> Run {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/tools");
    let output = Command::new(env!("CARGO_BIN_EXE_paramcheck"))
        .args(arguments)
        .env("PARAMCHECK_TOOLS", own)
        .output()
        .unwrap();
    let text = |bytes| redact(&String::from_utf8(bytes).unwrap());
    Run { output: text(output.stdout), errors: text(output.stderr), code: output.status.code().unwrap() }
}

#[test]
#[cfg_attr(not(long_tests), ignore = "runs Spin and NuSMV: PARAMCHECK_LONG=1")]
fn everybody_answers_alike() {
    for (arguments, code) in [
        (&["verify", TWO_PHASE][..], 1),
        (&["verify", "examples/chor/stock.chor"], 1),
        (&["verify", "examples/ccs/flags-only.ccs", "--fair=strong", "--check", "somebody"], 1),
        (&["verify", PHILOSOPHERS, "--size", "6"], 1),
        (&["verify", "examples/ring.rs", "--tree", "Ring(Chain.2(Chain.1))", "--error", "exclusion"], 0),
    ] {
        let with = |backend: &str, code| {
            let run = run_with_all(&[arguments, &["--backend", backend, "--json"]].concat());
            document_of("verify", &run, code)["results"].as_array().unwrap().clone()
        };
        let native = with("native", code);
        for backend in ["spin", "nusmv"] {
            let refused = backend == "spin" && arguments.contains(&"--fair=strong");
            for (own, other) in native.iter().zip(with(backend, if refused { 3 } else { code })) {
                assert_eq!(own["check"], other["check"]);
                assert_eq!(other["backends"][0]["backend"], backend);
                if refused {
                    assert_eq!(other["reason"]["code"], "refused");
                    continue;
                }
                assert_eq!(own["verdict"], other["verdict"], "{backend}: {other}");
                let is_violated = other["verdict"] == "violated";
                assert_eq!(other["run"].is_null() && other["trace"].is_null(), !is_violated);
            }
        }
    }
    let all = run_with_all(&["verify", TWO_PHASE, "--check", "done", "--backend", "all", "--json"]);
    let all = document_of("verify", &all, 0);
    let backends = all["results"][0]["backends"].as_array().unwrap();
    for name in ["native", "spin", "nusmv"] {
        assert!(backends.iter().any(|one| one["backend"] == name && one["verdict"] == "proved"), "{name}");
    }
}

#[test]
#[cfg_attr(not(long_tests), ignore = "runs Spin: PARAMCHECK_LONG=1")]
fn one_answers_as_the_program_itself_does() {
    // The same run, for both find a shortest one.
    let lines = |backend: &str| {
        let run = run_with_all(&["verify", PHILOSOPHERS, "--size", "6", "--backend", backend]).output_of(1);
        let evidence = run.lines().filter(|line| line.starts_with("      "));
        // The ready command that writes it names who is asked.
        evidence.map(|line| line.replace(" --backend spin", "")).collect::<Vec<_>>()
    };
    assert_eq!(lines("spin"), lines("native"));
    let run = run_with_all(&["verify", TWO_PHASE, "--backend", "spin"]).output_of(1);
    assert!(
        run.contains("reached, and nothing can move:\n        COORD   0\n        WORKER  WORKER\n"),
        "{run}"
    );
    assert!(run.contains("in any order, by spin, 5 steps"), "{run}");
}

#[test]
fn options_of_instances_and_processes_do_not_mix() {
    let refused = |arguments: &[&str]| run(arguments).errors_of(2);
    assert!(refused(&["verify", TWO_PHASE, "--size", "3"]).contains("E0502"));
    assert!(refused(&["verify", TWO_PHASE, "--error", "deadlock"]).contains("say which one with --size"));
    assert!(
        refused(&["verify", PHILOSOPHERS, "--size", "6", "--check", "x"]).contains("--check and --language")
    );
    assert!(refused(&["verify", PHILOSOPHERS, "--size", "6", "--fair"]).contains("in any order"));
    assert!(refused(&["verify", PHILOSOPHERS, "--size", "7"]).contains("no instance of 7 components"));
    assert!(refused(&["verify", PHILOSOPHERS, "--size", "6", "--error", "no"]).contains("no error `no`"));
}
