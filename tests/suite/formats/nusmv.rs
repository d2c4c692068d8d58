//! NuSMV on emitted instances.

use std::fs;

use paramcheck_emulation::emit::smv;

use crate::suite::support::tools::{Scratch, output, program};

use super::Explored;

pub(super) fn check(explored: &Explored) {
    let name = &explored.name;
    let text = smv(&explored.instance()).unwrap();
    let folder = Scratch::new();
    fs::write(folder.path().join("instance.smv"), &text).unwrap();
    // One question after the other, by name: NuSMV answers all at once in an order of its own.
    let names = text.lines().filter_map(|line| line.strip_prefix("INVARSPEC NAME ")?.split(" := ").next());
    let questions: String = names.map(|name| format!("check_invar -P {name}\n")).collect();
    let commands = format!("read_model -i instance.smv\ngo\n{questions}print_reachable_states\nquit\n");
    fs::write(folder.path().join("commands"), commands).unwrap();
    let report = output(program("NuSMV").args(["-dcx", "-source", "commands"]).current_dir(folder.path()));
    let count = report.split("reachable states: ").nth(1).unwrap_or_else(|| panic!("{report}\n{text}"));
    let count: f64 = count.split_whitespace().next().unwrap().parse().unwrap();
    assert_eq!(count, explored.states as f64, "{name}: states\n{text}");
    let answers = report.lines().filter(|line| line.starts_with("-- invariant"));
    let answers: Vec<bool> = answers.map(|line| line.ends_with("is false")).collect();
    let expected: Vec<bool> = explored.reached.iter().map(|&reached| reached > 0).collect();
    assert_eq!(answers, expected, "{name}\n{report}\n{text}");
}

agrees_on_all_models!("runs NuSMV: PARAMCHECK_LONG=1");
