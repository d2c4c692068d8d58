//! Programs of agents: what they look like, that strict compilers take them, that their runs are runs of the
//! language, and that the texts for CADP have the form that they claim.

use insta::assert_snapshot;

use paramcheck_emulation::evolution::State;
use paramcheck_emulation::labs::program::{AgentProgram, Goal, cadp, program};
use paramcheck_emulation::program::Program;
use paramcheck_emulation::writers::c::{Liveness, Options, Shape, Target, Verifier, c};
use paramcheck_emulation::writers::chc::{Encoding, Options as Clauses, chc};
use paramcheck_emulation::writers::promela::promela;
use paramcheck_emulation::writers::smv::smv;
use paramcheck_labs::model::System;
use paramcheck_labs::number::Fault;
use paramcheck_labs::semantics::run::{Ending, Run, replay_all};
use paramcheck_labs::semantics::step::{Rules, Schedule as Turns};
use paramcheck_labs::{Parameters, load};
use paramcheck_process::semantics::check::Schedule;
use paramcheck_text::limits::Budget;

use super::program::triple;
use crate::suite::labs::known::{each_run, rules};
use crate::suite::support::tools::{Scratch, output, program as tool};

/// Two agents, one of which says a number, and the other repeats it.
const RUMOUR: &str = "system { spawn = A: 2 }
stigmergy S { link = true  v: 0 }
agent A { interface = heard: [0, 1]  stigmergies = S
  Behavior = (id = 0 -> v <~ 5) ++ (v > 0 -> heard <- v + 1; Nil) }
check { Few = always forall A a, heard of a < 6 }
";

/// Leaves its array sooner or later.
const FAULTY: &str = "system { environment = a[3]: 0..2  spawn = A: 2 }
agent A { interface = i: undef; j: 0  Behavior = (i <- j ++ a[j] <-- j / 2); j <- j + [0..3]; Behavior }
";

fn system(text: &str) -> System {
    load(text, &Parameters::new()).system.unwrap()
}

fn made(system: &System, text: &str, rules: Rules, goal: Goal<'_>) -> AgentProgram {
    program(system, text, rules, goal, None, &Budget::unlimited()).unwrap()
}

fn written<'a>(own: &'a AgentProgram) -> Program<'a> {
    let AgentProgram { structure, question, .. } = own;
    Program { model: "rumour.labs", structure, question, schedule: Schedule::Any }
}

#[test]
fn programs_of_agents_are_as_shown() {
    let system = system(RUMOUR);
    let own = made(&system, RUMOUR, Rules::default(), Goal::Property(&system.properties[0]));
    let (budget, own) = (Budget::unlimited(), written(&own));
    assert_snapshot!("agents-promela", promela(&own, &budget).unwrap());
    assert_snapshot!("agents-smv", smv(&own, &budget).unwrap());
    let verifier = Target::Verifier(Verifier::Esbmc);
    let options = Options { target: verifier, shape: Shape::Loop, liveness: Liveness::Termination };
    assert_snapshot!("agents-c", c(&own, options, &budget).unwrap());
    let clauses = Clauses { encoding: Encoding::OneHot, with_proof: false };
    assert_snapshot!("agents-chc", chc(&own, clauses, &budget).unwrap());
    assert_snapshot!(
        "agents-lnt",
        cadp::lnt(&system, RUMOUR, "rumour.labs", Rules::default(), &budget).unwrap()
    );
    let mcl = cadp::mcl(&system, "rumour.labs", &system.properties[0], Rules::default()).unwrap();
    assert_snapshot!("agents-mcl", mcl);
}

const STANDALONE: Options =
    Options { target: Target::Standalone, shape: Shape::Loop, liveness: Liveness::Termination };

/// The run that a program prints, and how it ends, held against the rules.
fn replay(what: &str, system: &System, rules: Rules, own: &AgentProgram, said: &str) -> usize {
    let mut shown = said.lines().filter_map(|line| line.strip_prefix("   ")).map(|line| {
        let values = line.split(", ").map(|value| value.split_once(" = ").unwrap().1.parse().unwrap());
        let mut state = State::default();
        state.values = values.collect();
        own.store(system, &state)
    });
    // Without variables nothing is shown, and nothing changes.
    let plain = own.store(system, &State::default());
    let initial = shown.next().map_or_else(|| plain.cells.clone(), |store| store.cells);
    let mut run = Run { initial, steps: Vec::new() };
    let mut endings = vec![Ending::Open];
    let taken = said.lines().filter_map(|line| line.split_once(". [")?.1.split_once(']'));
    for (number, _) in taken {
        let (label, is_fault) = own.meaning(triple(number.parse().unwrap())).unwrap();
        let store = shown.next().unwrap_or_else(|| plain.clone());
        if is_fault {
            let all = [Fault::Overflow, Fault::ZeroDivisor, Fault::Index, Fault::NoAgent];
            endings = all.into_iter().map(|fault| Ending::Fault(label.clone(), fault)).collect();
            break;
        }
        run.steps.push((label.clone(), store));
    }
    if endings == [Ending::Open] && (said.contains("stuck after") || said.contains("terminated after")) {
        endings = vec![Ending::Stuck];
    }
    let replayed = endings.iter().any(|ending| replay_all(system, rules, &run, ending).is_ok());
    assert!(replayed, "{what}: no run\n{said}");
    run.steps.len()
}

/// All programs by the strictest compiler, and their runs by a quick one.
#[test]
#[cfg_attr(not(long_tests), ignore = "runs gcc and tcc: PARAMCHECK_LONG=1")]
fn programs_in_c_run_as_the_rules_say() {
    let folder = Scratch::new();
    let mut files = Vec::new();
    let mut steps = 0;
    let mut check = |what: &str, system: &System, rules: Rules| {
        let made = program(system, "", rules, Goal::Fault, None, &Budget::unlimited());
        let Ok(own) = made else { return };
        let text = c(&written(&own), STANDALONE, &Budget::unlimited()).unwrap();
        let file = format!("program{}.c", files.len());
        std::fs::write(folder.path().join(&file), text).unwrap();
        // With messages within steps, what is printed is no run by itself.
        for seed in (1..4).filter(|_| !rules.is_sync) {
            let mut tcc = tool("tcc");
            let call = tcc.current_dir(folder.path()).args(["-run", &file, &seed.to_string(), "40"]);
            steps += replay(what, system, rules, &own, &output(call));
        }
        files.push(file);
    };
    check("faulty", &system(FAULTY), Rules::default());
    for models in ["points", "examples"] {
        each_run(models, |what, system, run| {
            // What is very large takes long to compile, and shows nothing new.
            if !run["error"].is_string() && run["stores"].as_u64().is_some_and(|stores| stores < 3_000) {
                let rules = rules(run)[0];
                check(what, system, rules);
                // Turns have conditions that nothing else has.
                check(what, system, Rules { schedule: Turns::RoundRobin, ..rules });
            }
        });
    }
    assert!(files.len() > 50 && steps > 1_000, "{} {steps}", files.len());
    let strict = ["-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror", "-S"];
    for some in files.chunks(20) {
        assert_eq!(output(tool("gcc").current_dir(folder.path()).args(strict).args(some)), "");
    }
}

/// The words of a text for CADP; signals are one word each.
fn words(text: &str) -> Vec<String> {
    let text: String =
        text.lines().filter(|line| !line.trim_start().starts_with("--")).collect::<Vec<_>>().join("\n");
    let text = text.split("(*").map(|part| part.split_once("*)").map_or(part, |(_, rest)| rest));
    let mut words = Vec::new();
    let mut word = String::new();
    for letter in text.collect::<String>().chars() {
        if letter.is_alphanumeric() || letter == '_' {
            word.push(letter);
            continue;
        }
        if !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        if !letter.is_whitespace() {
            words.push(letter.to_string());
        }
    }
    words.push(word);
    words
}

/// Reads a module in LNT as far as its blocks go: each is closed by what opened it. Of every branch of
/// `MAIN`, its signals and whether `DONE` comes after them.
fn read_lnt(text: &str) -> Vec<(usize, bool)> {
    let words = words(text);
    let mut open: Vec<&str> = Vec::new();
    let mut branches: Vec<(usize, bool)> = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let word = words[at].as_str();
        let is_end = at > 0 && words[at - 1] == "end";
        match word {
            "end" => {
                let opened = open.pop().unwrap_or_else(|| panic!("`end` too many"));
                assert_eq!(words[at + 1], opened, "the block is closed");
            }
            "module" | "type" | "function" | "channel" | "process" | "var" | "loop" | "select" if !is_end => {
                open.push(word);
            }
            // `only if … then` is a branch of its own.
            "if" if !is_end => {
                open.push("if");
                if at > 0 && words[at - 1] == "only" && open.contains(&"select") {
                    branches.push((0, false));
                }
            }
            "ASSIGN" if open.contains(&"select") => {
                let branch = branches.last_mut().unwrap();
                assert!(!branch.1, "a signal behind DONE");
                assert_eq!(words[at + 1..at + 3], ["(", "!"]);
                branch.0 += 1;
            }
            "DONE" | "FAULT" if open.contains(&"select") => branches.last_mut().unwrap().1 = true,
            _ => {}
        }
        at += 1;
    }
    assert_eq!(open, Vec::<&str>::new());
    branches
}

/// Reads fixpoints in MCL: parentheses, brackets and braces are closed, each name is that of a fixpoint
/// around it, with as many values as it has parameters. The fixpoints, in order, with how deep they are.
fn read_mcl(text: &str) -> Vec<(String, String, usize)> {
    let words = words(text);
    let mut fixpoints: Vec<(String, String, usize)> = Vec::new();
    let mut arities: Vec<(String, usize)> = Vec::new();
    let mut open: Vec<&str> = Vec::new();
    let count = |from: usize| {
        if words[from] != "(" {
            return 0;
        }
        let (mut depth, mut commas) = (0, 0);
        for word in &words[from..] {
            match word.as_str() {
                "(" => depth += 1,
                ")" => depth -= 1,
                "," if depth == 1 => commas += 1,
                _ => {}
            }
            if depth == 0 {
                break;
            }
        }
        commas + 1
    };
    for (at, word) in words.iter().enumerate() {
        match word.as_str() {
            "(" => open.push(")"),
            "[" => open.push("]"),
            "{" => open.push("}"),
            ")" | "]" | "}" => assert_eq!(open.pop(), Some(word.as_str())),
            "nu" | "mu" => {
                let name = words[at + 1].clone();
                arities.push((name.clone(), count(at + 2)));
                fixpoints.push((word.clone(), name, arities.len()));
            }
            "Inv" | "R" | "F" if !matches!(words[at - 1].as_str(), "nu" | "mu") => {
                let arity = arities.iter().rev().find(|(name, _)| name == word).unwrap().1;
                assert!(arity == 0 || count(at + 1) == arity, "{word} with other values");
            }
            _ => {}
        }
    }
    assert_eq!(open, Vec::<&str>::new());
    fixpoints
}

#[test]
fn texts_for_cadp_have_the_form_they_claim() {
    let (mut modules, mut formulas) = (0, 0);
    for models in ["points", "examples"] {
        each_run(models, |what, system, run| {
            if run["error"].is_string() {
                return;
            }
            let rules = rules(run)[0];
            // Very large ones take long to write without optimization, and show nothing new.
            let is_small = run["stores"].as_u64().is_some_and(|stores| stores < 3_000);
            if is_small && let Ok(text) = cadp::lnt(system, "", what, rules, &Budget::unlimited()) {
                assert!(text.contains("-- not tested with CADP"), "{what}");
                let branches = read_lnt(&text);
                assert!(branches.iter().all(|(_, is_done)| *is_done), "{what}: {branches:?}");
                modules += 1;
            }
            for property in &system.properties {
                let Ok(text) = cadp::mcl(system, what, property, rules) else { continue };
                let found = read_mcl(&text);
                let shape: Vec<(&str, &str)> =
                    found.iter().map(|(sign, name, _)| (sign.as_str(), name.as_str())).collect();
                use paramcheck_labs::model::Modality;
                let expected: &[(&str, &str)] = match property.modality {
                    Modality::Always => &[("nu", "Inv")],
                    Modality::Eventually { .. } => &[("mu", "F")],
                    Modality::Fairly | Modality::FairlyInfinite => &[("nu", "Inv"), ("mu", "R")],
                    Modality::Scope { .. } => panic!("{what}: scopes are refused"),
                };
                assert_eq!(shape, expected, "{what}: {text}");
                formulas += 1;
            }
        });
    }
    assert!(modules > 40 && formulas > 40, "{modules} {formulas}");
}
