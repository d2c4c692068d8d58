//! The same questions to NuSMV, about the graph of all runs: one variable, whose values are its nodes. Under
//! weak fairness each unit is a `JUSTICE`.
//!
//! Runs where `PARAMCHECK_LONG` is set; NuSMV must then be there (`tests/tools/install`).

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use paramcheck_text::limits::Budget;
use paramcheck_text::random::Random;

use super::explicit::{Graph, Node};
use super::random::{ATOMS, Tiny, formula, seeds};
use crate::check::{Answer, Options, check};
use crate::formula::{Atom, Binary, Formula, Modality, Unary};
use crate::letter::holds;
use crate::system::Fairness;

/// How many formulas NuSMV is given about one system.
const FORMULAS: usize = 8;

fn program() -> PathBuf {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/tools");
    let paths = std::env::var_os("PATH").unwrap_or_default();
    let mut folders = std::iter::once(own).chain(std::env::split_paths(&paths));
    let found = folders.find_map(|folder| Some(folder.join("NuSMV")).filter(|path| path.is_file()));
    found.expect("this test runs NuSMV, which is not installed: see tests/tools/install")
}

fn nodes(graph: &Graph, is_one: impl Fn(&Node) -> bool) -> String {
    let found = graph.nodes.iter().enumerate().filter(|(_, node)| is_one(node));
    found.fold("FALSE".to_owned(), |text, (number, _)| text + &format!(" | s = {number}"))
}

fn spelt(formula: &Formula<Atom>) -> String {
    let list = |parts: &[Formula<Atom>], sign: &str| {
        let parts: Vec<String> = parts.iter().map(spelt).collect();
        format!("({})", parts.join(sign))
    };
    match formula {
        Formula::True => "TRUE".to_owned(),
        Formula::False => "FALSE".to_owned(),
        Formula::Atom(atom) => format!("p{}", atom.0),
        Formula::Not(inner) => format!("!{}", spelt(inner)),
        Formula::And(parts) => list(parts, " & "),
        Formula::Or(parts) => list(parts, " | "),
        Formula::Implies(left, right) => format!("({} -> {})", spelt(left), spelt(right)),
        Formula::Iff(left, right) => format!("({} <-> {})", spelt(left), spelt(right)),
        Formula::Unary(operator, inner) => {
            let operator = match operator {
                Unary::Next => "X",
                Unary::Finally => "F",
                Unary::Globally => "G",
            };
            format!("({operator} {})", spelt(inner))
        }
        Formula::Binary(operator, left, right) => {
            let (left, right) = (spelt(left), spelt(right));
            match operator {
                Binary::Until => format!("({left} U {right})"),
                Binary::Release => format!("({left} V {right})"),
                Binary::WeakUntil => format!("(({left} U {right}) | G {left})"),
            }
        }
        Formula::Observation(Modality::Diamond, observation, inner) => {
            format!("(p{} & X {})", observation.0, spelt(inner))
        }
        Formula::Observation(Modality::Box, observation, inner) => {
            format!("(p{} -> X {})", observation.0, spelt(inner))
        }
    }
}

fn model(graph: &Graph, units: usize, formulas: &[Formula<Atom>]) -> String {
    let mut text = format!("MODULE main\nVAR s : 0..{};\n", graph.nodes.len().max(2) - 1);
    let initial = graph.initial.iter().map(|node| format!("s = {node}"));
    let _ = writeln!(text, "INIT {};", initial.collect::<Vec<_>>().join(" | "));
    for (number, node) in graph.nodes.iter().enumerate() {
        let next: Vec<String> = node.next.iter().map(|next| format!("next(s) = {next}")).collect();
        let _ = writeln!(text, "TRANS s = {number} -> ({});", next.join(" | "));
    }
    for atom in 0..ATOMS.len() as u32 {
        let _ = writeln!(text, "DEFINE p{atom} := {};", nodes(graph, |node| holds(&node.letter, Atom(atom))));
    }
    for unit in 0..units {
        let is_due = |node: &Node| node.acts >> unit & 1 == 1 || node.able >> unit & 1 == 0;
        let _ = writeln!(text, "JUSTICE {};", nodes(graph, is_due));
    }
    for (number, formula) in formulas.iter().enumerate() {
        let _ = writeln!(text, "LTLSPEC NAME f{number} := {};", spelt(formula));
    }
    text
}

#[test]
fn engine_and_nusmv_agree() {
    if std::env::var_os("PARAMCHECK_LONG").is_none() {
        return;
    }
    let folder = std::env::temp_dir().join(format!("paramcheck-temporal-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let (mut violated, mut count) = (0, 0);
    for seed in seeds(20) {
        let mut random = Random::new(seed);
        let fairness = if random.below(2) == 0 { Fairness::None } else { Fairness::Weak };
        let units = if fairness == Fairness::None { 0 } else { 1 + random.below(3) };
        let mut system = Tiny::random(&mut random, 6, units);
        let graph = Graph::new(&system);
        let formulas: Vec<Formula<Atom>> = (0..FORMULAS).map(|_| formula(&mut random, 4)).collect();
        let text = model(&graph, system.units, &formulas);
        let file = folder.join("graph.smv");
        std::fs::write(&file, &text).unwrap();
        // One question after the other, by name: NuSMV answers all at once in an order of its own.
        let questions: String = (0..FORMULAS).map(|number| format!("check_ltlspec -P f{number}\n")).collect();
        let commands = format!("read_model -i {}\ngo\n{questions}quit\n", file.display());
        let script = folder.join("commands");
        std::fs::write(&script, commands).unwrap();
        let mut command = Command::new(program());
        let output = command.args(["-dcx", "-source"]).arg(&script).stdin(Stdio::null()).output().unwrap();
        let report = String::from_utf8_lossy(&output.stdout).into_owned();
        let answers = report.lines().filter(|line| line.starts_with("-- specification"));
        let answers: Vec<bool> = answers.map(|line| line.ends_with("is true")).collect();
        assert_eq!(answers.len(), FORMULAS, "seed {seed}: {report}{text}");
        for (formula, expected) in formulas.iter().zip(answers) {
            let options = Options { fairness, ..Options::default() };
            let answer = check(&mut system, formula, &options, &Budget::unlimited()).answer;
            assert_eq!(answer == Answer::Holds, expected, "seed {seed}: {}\n{text}", spelt(formula));
            violated += usize::from(!expected);
            count += 1;
        }
    }
    std::fs::remove_dir_all(&folder).unwrap();
    assert!(violated * 10 > count && violated * 10 < count * 9 && count > 0, "{violated} of {count}");
}
