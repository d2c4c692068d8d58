//! Runs that are ended: by time, memory or Ctrl-C.

use super::{THIEF, run};
#[cfg(target_os = "linux")]
use super::{file, folder};

/// How long a run whose limit has passed is waited for: only one that hangs takes so long.
#[cfg(target_os = "linux")]
const PATIENCE: std::time::Duration = std::time::Duration::from_secs(240);

/// Runs the program to its end: the exit code, the output and the most resident memory seen, in KiB.
#[cfg(target_os = "linux")]
#[track_caller]
fn ends(arguments: &[&str]) -> (i32, String, u64) {
    let mut child = super::command(arguments).spawn().unwrap();
    let status = format!("/proc/{}/status", child.id());
    let begin = std::time::Instant::now();
    let mut peak = 0;
    let code = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status.code().unwrap_or(-1);
        }
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let used = line.and_then(|line| line.trim().strip_suffix(" kB")?.trim().parse().ok());
        peak = used.unwrap_or(0).max(peak);
        if begin.elapsed() > PATIENCE {
            child.kill().unwrap();
            panic!("{arguments:?} goes on after its limit");
        }
        std::thread::sleep(std::time::Duration::from_millis(5));
    };
    let mut output = String::new();
    std::io::Read::read_to_string(&mut child.stdout.take().unwrap(), &mut output).unwrap();
    (code, output, peak)
}

/// `count` names, `x0, x1, …`.
#[cfg(target_os = "linux")]
fn names(count: usize) -> Vec<String> {
    (0..count).map(|number| format!("x{number}")).collect()
}

/// One rule with that many components, and the interactions given.
#[cfg(target_os = "linux")]
fn wide(count: usize, interactions: &str) -> String {
    let names = names(count);
    let atoms: Vec<_> = names.iter().map(|name| format!("A({name})")).collect();
    format!(
        "component A {{ states s, t; init s; s -p-> t; t -q-> s; }}\n\
         M() <- new {} . {interactions} ({});\n",
        names.join(", "),
        atoms.join(", ")
    )
}

/// A chain of predicates that each create a component, all of which are in every instance.
#[cfg(target_os = "linux")]
fn many_rules(count: usize) -> String {
    let rule = |number| format!("P{number}(x) <- new y . <o(x) i(y)> (N(x), P{}(y));\n", number + 1);
    let rules: String = (0..count).map(rule).collect();
    format!(
        "component N {{ states a, b; init a; a -o-> b; b -i-> a; }}\n\
         S() <- new x, y . <o(x) i(y)> (P0(x), N(y));\n{rules}P{count}(x) <- N(x);\n"
    )
}

/// A chain of so many predicates that only hand on to the next one, and one component at its end.
#[cfg(target_os = "linux")]
fn handed_on(count: usize) -> String {
    let rules: String = (0..count).map(|number| format!("A{number}() <- A{}();\n", number + 1)).collect();
    format!(
        "component Box {{ states empty, full; init empty; empty -fill-> full; }}\n\
         S() <- A0();\n{rules}A{count}() <- new b . <fill(b)> Box(b);\n"
    )
}

/// What a run with a short limit may come to: an answer before the limit, or none because of it.
#[cfg(target_os = "linux")]
#[track_caller]
fn keeps_the_time(model: &str, rest: &[&str], answer: i32) {
    for limit in ["0", "0.1", "1"] {
        let (code, output, _) = ends(&[&["-q", model, "--time-limit", limit], rest].concat());
        assert!(code == 3 && output.contains("time limit reached") || code == answer, "{code}: {output}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn time_runs_out_in_every_phase() {
    let cases = [
        ("limit-count.rs", "many", 1),
        ("wide-interaction-260.rs", "deadlock", 1),
        ("wide-new-10000.rs", "deadlock", 1),
        ("wide-clique-100.rs", "deadlock", 0),
    ];
    for (model, error, answer) in cases {
        keeps_the_time(&format!("tests/cases/found/{model}"), &["--error", error], answer);
    }
    // While the many successors of one state, each of many components, are put in order for symmetry.
    let model = "tests/cases/found/limit-count.rs";
    let (code, output, _) = ends(&["-q", model, "--error", "many", "--time-limit", "3"]);
    assert!(code == 3 && output.contains("time limit reached") || code == 1, "{code}: {output}");
}

/// The same for larger models of these kinds: what looks at no limit would go on for hours.
#[cfg(target_os = "linux")]
#[test]
fn time_runs_out_in_rules_without_bound() {
    let folder = folder("time-wide");
    let participants: Vec<_> = names(1500).iter().map(|name| format!("p({name})")).collect();
    let pairs =
        names(300).windows(2).map(|pair| format!("p({}) q({})", pair[0], pair[1])).collect::<Vec<_>>();
    let models = [
        ("interaction.rs", wide(1500, &format!("<{}>", participants.join(" ")))),
        ("pairs.rs", wide(300, &format!("<{}>", pairs.join(" + ")))),
        ("rules.rs", many_rules(20_000)),
        ("chain.rs", handed_on(30_000)),
    ];
    for (name, text) in models {
        let model = file(&folder, name, text);
        // All are violated: nothing is enabled at the start, or after one step.
        keeps_the_time(&model, &[], 1);
    }
}

/// Instances whose number of states grows sixtyfold with each clock, and whose states are large. There
/// is one token, but siphons alone can't know that.
#[cfg(target_os = "linux")]
fn endless() -> String {
    let list = |count: usize, separator: &str, item: &dyn Fn(usize) -> String| {
        (0..count).map(item).collect::<Vec<_>>().join(separator)
    };
    format!(
        "component Stone {{ states lies; init lies; }}\n\
         component Clock {{ states {}; init s0; {} }}\n\
         component Cell {{ states none, token; init none; token -out-> none; none -in-> token; }}\n\
         Heap() <- new p, q, t, {} . <out(p) in(q) + out(q) in(p)>\n\
           (Cell(p), Cell[token](q), Clocks(t), {});\n\
         Clocks(t) <- (Clock(t));\n\
         Clocks(t) <- new u . (Clock(t), Clocks(u));\n\
         error two = #token >= 2;\n",
        list(60, ", ", &|number| format!("s{number}")),
        list(60, " ", &|number| format!("s{number} -> s{};", (number + 1) % 60)),
        list(250, ", ", &|number| format!("x{number}")),
        list(250, ", ", &|number| format!("Stone(x{number})")),
    )
}

/// The arguments for [`endless`] in the file `model`: what siphons leave open, and a search that
/// would fill any memory.
#[cfg(target_os = "linux")]
fn search(model: &str) -> [&str; 7] {
    [model, "--error", "two", "--invariants", "siphon", "--max-states", "1000000000000"]
}

#[test]
fn no_time_at_all() {
    let run = run(&["-q", THIEF, "--time-limit", "0"]);
    assert_eq!(run.code, 3, "{}", run.output);
    assert!(run.output.lines().all(|line| line.contains("time limit reached")), "{}", run.output);
}

#[cfg(target_os = "linux")]
#[test]
fn time_runs_out() {
    let folder = folder("time");
    let model = file(&folder, "endless.rs", endless());
    let run = run(&[&search(&model)[..], &["--time-limit", "0.5"]].concat());
    assert_eq!(run.code, 3, "{}", run.output);
    assert!(run.output.contains("time limit reached"), "{}", run.output);
}

/// A question that takes all the time it gets leaves some to those that come later, and stands before them.
#[cfg(target_os = "linux")]
#[test]
fn each_question_has_a_share_of_the_time() {
    let folder = folder("shares");
    let model = file(&folder, "endless.rs", endless() + "error ticks = #s1 >= 1;\n");
    let arguments = [&search(&model)[..], &["--error", "ticks", "--time-limit", "2", "--json"]].concat();
    let run = run(&arguments);
    assert_eq!(run.code, 1, "{}", run.output);
    let document: serde_json::Value = serde_json::from_str(&run.output).unwrap();
    let verdict = |number: usize| {
        let result = &document["results"][number];
        (result["error"].as_str().unwrap(), result["verdict"].as_str().unwrap())
    };
    assert_eq!([verdict(0), verdict(1)], [("two", "unknown"), ("ticks", "violated")]);
    assert_eq!(document["results"][0]["reason"]["code"], "time-limit");
}

/// What would help with a question that stays open is looked for after the others; the answers keep their order.
#[cfg(target_os = "linux")]
#[test]
fn a_hard_question_does_not_starve_easy_ones() {
    let model = "tests/cases/found/termination-both.rws";
    let errors = ["tokens", "wrong", "stuck", "deadlock"];
    let asked: Vec<&str> = errors.iter().flat_map(|error| ["--error", error]).collect();
    let run = run(&[&[model, "--time-limit", "8"], &asked[..]].concat());
    assert_eq!(run.code, 3, "{}", run.output);
    let answers: Vec<(&str, &str)> = (run.output.lines())
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
        .filter_map(|line| line.trim().split_once(' '))
        .filter_map(|(verdict, rest)| Some((rest.split_whitespace().next()?, verdict)))
        .collect();
    let wanted = [("tokens", "proved"), ("wrong", "unknown"), ("stuck", "proved"), ("deadlock", "proved")];
    assert_eq!(answers, wanted, "{}", run.output);
}

#[cfg(target_os = "linux")]
#[test]
fn memory_runs_out() {
    let folder = folder("memory");
    let model = file(&folder, "endless.rs", endless());
    let run = run(&[&search(&model)[..], &["--memory-limit", "32"]].concat());
    assert_eq!(run.code, 3, "{}", run.output);
    assert!(run.output.contains("memory limit reached"), "{}", run.output);
}

/// A bound that only large instances reach: what is made of these counts too.
#[cfg(target_os = "linux")]
#[test]
fn memory_runs_out_with_large_instances() {
    let call = ["-q", "tests/cases/found/limit-count.rs", "--error", "many", "--memory-limit", "60"];
    let (code, output, peak) = ends(&call);
    assert_eq!(code, 3, "{output}");
    assert!(output.contains("memory limit reached"), "{output}");
    // Half as much again for evidence, and what is taken between two looks, on a busy machine.
    assert!(peak < 200 * 1024, "{peak} KiB");
}

#[cfg(target_os = "linux")]
#[test]
fn a_request_to_end_is_heeded_with_large_instances() {
    let call = ["-q", "tests/cases/found/limit-count.rs", "--error", "many"];
    let mut child = super::command(&call).spawn().unwrap();
    wait_until_busy(&child);
    let pid = child.id().to_string();
    assert!(std::process::Command::new("kill").args(["-TERM", &pid]).status().unwrap().success());
    let mut output = String::new();
    std::io::Read::read_to_string(&mut child.stdout.take().unwrap(), &mut output).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130), "{output}");
    assert!(output.contains("interrupted"), "{output}");
}

/// Waits until the program is where it can be interrupted. When it is not there yet, it ends at once and
/// without a document; so this waits until it has used some time.
#[cfg(target_os = "linux")]
pub(super) fn wait_until_busy(child: &std::process::Child) {
    let stat = format!("/proc/{}/stat", child.id());
    let ticks = || -> u64 {
        let text = std::fs::read_to_string(&stat).unwrap();
        text.rsplit(") ").next().unwrap().split(' ').nth(11).unwrap().parse().unwrap()
    };
    while ticks() < 20 {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
}

/// Ctrl-C, as far as the program can tell.
#[cfg(target_os = "linux")]
pub(super) fn press(child: &std::process::Child) {
    let pid = child.id().to_string();
    let status = std::process::Command::new("kill").args(["-INT", &pid]).status().unwrap();
    assert!(status.success());
}

#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_keeps_what_was_found() {
    use std::io::{BufRead, BufReader, Read};

    // The first question is answered before the key is pressed: its line has been read.
    let folder = folder("interrupt");
    let model = file(&folder, "endless.rs", endless());
    let mut call = vec!["-q", &model, "--error", "none = #lies == 0"];
    call.extend(&search(&model)[1..]);
    let mut child = super::command(&call).spawn().unwrap();
    let mut reader = BufReader::new(child.stdout.take().unwrap());
    let mut output = String::new();
    reader.read_line(&mut output).unwrap();
    assert!(output.starts_with("proved    none"), "{output}");
    press(&child);
    reader.read_to_string(&mut output).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(output.contains("unknown   two") && output.contains("interrupted"), "{output}");
}

#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_still_gives_a_document() {
    use std::io::Read;

    let folder = folder("interrupt-json");
    let model = file(&folder, "endless.rs", endless());
    let mut child = super::command(&[&search(&model)[..], &["--json"]].concat()).spawn().unwrap();
    wait_until_busy(&child);
    press(&child);
    let mut output = String::new();
    child.stdout.take().unwrap().read_to_string(&mut output).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let document: serde_json::Value = serde_json::from_str(&output).unwrap();
    assert_eq!(document["results"][0]["reason"]["code"], "interrupted");
}

#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_ends_the_wait_for_input() {
    let mut child = super::command(&["-"]).stdin(std::process::Stdio::piped()).spawn().unwrap();
    // Held open here: `wait` would close the child's input.
    let input = child.stdin.take();
    // Caught or not yet, the key ends the program; only before it is caught it may be ignored, as it is
    // for programs that a script puts into the background.
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        press(&child);
        std::thread::sleep(std::time::Duration::from_millis(10));
    };
    drop(input);
    let is_killed = std::os::unix::process::ExitStatusExt::signal(&status) == Some(2);
    assert!(status.code() == Some(130) || is_killed, "{status:?}");
}

/// How far the smallest instances are explored can be set, and the two limits are distinguished.
#[test]
fn small_instances_are_explored_up_to_a_size_or_a_number_of_states() {
    let fifo = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/chains/fifo.rs");
    let explored = |limits: &[&str]| {
        let call = [&["--json", fifo, "--error", "overtaken"], limits].concat();
        let document: serde_json::Value = serde_json::from_str(&run(&call).output_of(3)).unwrap();
        let result = document["results"][0].clone();
        assert!(result["candidates"].as_array().unwrap().len() > 1, "{result}");
        assert_eq!(result["candidates"][0]["marking"], result["marking"]);
        assert_eq!(result["candidates"][0]["explored"], "not-reached");
        // The smallest instance has three components, and there is one of each size.
        let instances = result["explored"]["instances"].as_u64().unwrap();
        assert_eq!(result["explored"]["up_to_size"], instances + 2, "{result}");
        instances
    };
    assert_eq!(explored(&["--max-size", "6"]), 4);
    assert_eq!(explored(&["--budget", "0"]), 0);
    assert!(explored(&["--budget", "1000"]) < explored(&["--budget", "10_000"]));
    assert_eq!(run(&[fifo, "--max-size", "many"]).code, 2);
}
