//! Spin on emitted instances.

use std::fs;
use std::process::Command;

use paramcheck_emulation::emit::promela;
use paramcheck_model::error::ErrorFormula;
use paramcheck_nets::instance::term::parse_term;

use crate::suite::support::tools::{Scratch, output, program};

use super::{Explored, instances, system};

/// A compiler that takes a twentieth of gcc's time for the verifiers that Spin writes.
const COMPILER: &str = "tcc";

/// A verifier in a folder of its own.
struct Verifier {
    folder: Scratch,
}

impl Verifier {
    fn new(text: &str) -> Verifier {
        let folder = Scratch::new();
        fs::write(folder.path().join("instance.pml"), text).unwrap();
        let output = output(program("spin").args(["-a", "instance.pml"]).current_dir(folder.path()));
        assert!(!output.to_lowercase().contains("error"), "{output}\n{text}");
        Verifier { folder }
    }

    fn compile(&self, name: &str, options: &[&str]) {
        let mut command = program(COMPILER);
        command.args(["-w", "-DNOREDUCE", "-DSAFETY", "-DVECTORSZ=32768"]).args(options);
        let said = output(command.args(["-o", name, "pan.c"]).current_dir(self.folder.path()));
        assert!(self.folder.path().join(name).exists(), "{said}");
    }

    /// States stored and errors found.
    fn run(&self, name: &str, options: &[&str]) -> (usize, usize) {
        let program = self.folder.path().join(name);
        let options = [&["-m50000", "-w18", "-n"], options].concat();
        let report = output(Command::new(program).args(options).current_dir(self.folder.path()));
        assert!(!report.contains("max search depth too small"), "{report}");
        let number = |after: &str, before: &str| {
            let line = report.lines().find(|line| line.contains(before) && line.contains(after));
            let line = line.unwrap_or_else(|| panic!("{report}"));
            let rest = &line[line.find(after).unwrap() + after.len()..];
            rest.split(before).next().unwrap().trim().parse::<usize>().unwrap()
        };
        let errors = report
            .split("errors: ")
            .nth(1)
            .unwrap_or_else(|| panic!("{report}"))
            .split_whitespace()
            .next()
            .unwrap();
        (number("", " states, stored"), errors.parse().unwrap())
    }
}

pub(super) fn check(explored: &Explored) {
    let name = &explored.name;
    let text = promela(&explored.instance()).unwrap();
    let verifier = Verifier::new(&text);
    verifier.compile("plain", &["-DNOCLAIM"]);
    let found = verifier.run("plain", &["-c0"]);
    assert_eq!(found, (explored.states, explored.reached[0]), "{name}: states, deadlocks\n{text}");
    if explored.errors.len() > 1 {
        verifier.compile("claims", &[]);
    }
    // The claims as the text itself names them.
    let mut claims = text.lines().filter_map(|line| line.split(" -ltl ").nth(1)?.strip_suffix(" FILE"));
    for (error, reached) in explored.errors.iter().zip(&explored.reached) {
        if error.formula == ErrorFormula::Deadlock {
            continue;
        }
        let (states, errors) = verifier.run("claims", &["-N", claims.next().unwrap()]);
        assert_eq!(errors > 0, *reached > 0, "{name}: {}\n{text}", error.name);
        if errors == 0 {
            assert_eq!(states, explored.states, "{name}: {}\n{text}", error.name);
        }
    }
}

agrees_on_all_models!("runs Spin: PARAMCHECK_LONG=1");

/// Runs a heading's commands as they stand there; the output of Spin for each.
fn follow(text: &str) -> Vec<String> {
    let folder = Scratch::new();
    fs::write(folder.path().join("instance.pml"), text).unwrap();
    let commands = text.lines().filter_map(|line| line.strip_prefix(" *   ")?.strip_suffix(" FILE"));
    let run = |command: &str| {
        let words = command.split(' ').skip(1).chain(["instance.pml"]);
        output(program("spin").args(words).current_dir(folder.path()))
    };
    commands.map(run).collect()
}

#[test]
#[cfg_attr(not(long_tests), ignore = "runs Spin: PARAMCHECK_LONG=1")]
fn the_heading_says_how_to_run_it() {
    let text = include_str!("../../../examples/philosophers/alt-philo-sym.rs");
    let explored = instances("alt-philo-sym.rs", text).remove(1);
    let said = follow(&promela(&explored.instance()).unwrap());
    assert_eq!(said.len(), 3, "{said:?}");
    assert!(said[0].contains("invalid end state (at depth"), "{}", said[0]);
    assert!(said[1].contains("errors: 0"), "{}", said[1]);
    // Of the last run that found something, which was the first.
    assert!(said[2].contains(": first(Phil#1) take(Fork#"), "{}", said[2]);

    // More bytes than Spin has room for by default.
    let still =
        "component C { states a, b, c; init a; } A() <- new x . B(x); B(x) <- C(x) | new y . (C(x), B(y));";
    let system = system(still);
    let tree = parse_term(&system, "A.1(B.2^1299(B.1))").unwrap();
    let explored = Explored::new("still", &system, tree).unwrap();
    let said = follow(&promela(&explored.instance()).unwrap());
    assert!(
        said[0].contains("invalid end state (at depth") && said[0].contains("1 states, stored"),
        "{}",
        said[0]
    );
}
