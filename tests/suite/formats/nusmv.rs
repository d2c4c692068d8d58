//! NuSMV on emitted instances.

use std::fs;
use std::process::Command;

use paramcheck::emit::smv::smv;

use crate::suite::support::tools::{Scratch, is_installed, output};

use super::{Explored, corpus};

fn check(explored: &Explored) {
    let name = &explored.name;
    let text = smv(&explored.instance()).unwrap();
    let folder = Scratch::new();
    fs::write(folder.path().join("instance.smv"), &text).unwrap();
    let report = output(Command::new("NuSMV").args(["-dcx", "-r", "instance.smv"]).current_dir(folder.path()));
    let count = report.split("reachable states: ").nth(1).unwrap_or_else(|| panic!("{report}\n{text}"));
    let count: f64 = count.split_whitespace().next().unwrap().parse().unwrap();
    assert_eq!(count, explored.states as f64, "{name}: states\n{text}");
    let answers: Vec<bool> = report
        .lines()
        .filter(|line| line.starts_with("-- invariant"))
        .map(|line| line.ends_with("is false"))
        .collect();
    let expected: Vec<bool> = explored.reached.iter().map(|&reached| reached > 0).collect();
    assert_eq!(answers, expected, "{name}\n{report}\n{text}");
}

fn check_folder(number: usize) {
    if is_installed("NuSMV") {
        corpus(super::FOLDERS[number]).for_each(|explored| check(&explored));
    }
}

#[test]
fn agrees_on_the_examples() {
    check_folder(0);
}

#[test]
fn agrees_on_table1() {
    check_folder(1);
}

#[test]
fn agrees_on_more() {
    check_folder(2);
}

#[test]
fn agrees_on_classic() {
    check_folder(3);
}
