//! The stand-alone program `mona`: run it on a program, read its answer and its example.

use std::collections::BTreeMap;
use std::fs;
use std::time::{Duration, Instant};

use paramcheck_wsks::formula::{SetVariable, Variable};
use paramcheck_wsks::question::Question;
use paramcheck_wsks::tracks::{NodePath, Witness};

use super::tools::{Scratch, program as tool};

/// How far a run may go.
#[derive(Clone, Copy)]
pub(crate) struct Limits {
    /// From its start.
    pub time: Duration,
    /// Of its address space, in bytes.
    pub memory: u64,
}

/// What `mona` prints for a program that it must accept and get done with.
pub(crate) fn run(program: &str) -> String {
    let limits = Limits { time: Duration::from_secs(600), memory: 8 << 30 };
    match run_within(program, limits) {
        Ok(output) => output,
        Err(how) => panic!("{how}\n{program}"),
    }
}

/// What `mona` prints for a program.
///
/// # Errors
/// How it ended without an answer.
pub(crate) fn run_within(program: &str, limits: Limits) -> Result<String, String> {
    let scratch = Scratch::new();
    let [file, output] = ["question.mona", "output"].map(|name| scratch.path().join(name));
    fs::write(&file, program).unwrap();
    let kibibytes = (limits.memory >> 10).to_string();
    let output_file = fs::File::create(&output).unwrap();
    let mut mona = tool("sh")
        .args(["-c", "ulimit -v \"$0\" && exec \"$1\" -q \"$2\"", &kibibytes])
        .arg(tool("mona").get_program())
        .arg(&file)
        .current_dir(scratch.path())
        .stderr(output_file.try_clone().unwrap())
        .stdout(output_file)
        .spawn()
        .unwrap();
    let start = Instant::now();
    let mut pause = Duration::from_millis(1);
    let status = loop {
        if let Some(status) = mona.try_wait().unwrap() {
            break status;
        }
        if start.elapsed() > limits.time {
            mona.kill().unwrap();
            mona.wait().unwrap();
            return Err("the time limit was reached".to_owned());
        }
        std::thread::sleep(pause);
        pause = (pause * 3 / 2).min(Duration::from_millis(50));
    };
    let text = String::from_utf8_lossy(&fs::read(&output).unwrap()).into_owned();
    if status.success() { Ok(text) } else { Err(format!("{status}: {text}")) }
}

/// Whether the output states that the formula has a model.
pub(crate) fn is_satisfiable(output: &str) -> bool {
    if output.contains("Formula is unsatisfiable") {
        return false;
    }
    assert!(output.contains("satisfying example") || output.contains("Formula is valid"), "{output}");
    true
}

/// The example in the output of a word question, or of a tree question.
pub(crate) fn witness(question: &Question, output: &str) -> Witness {
    // MONA's names are those of the emitted program, in the order of the free variables.
    let free: Vec<SetVariable> = question
        .store
        .free_variables(question.formula)
        .iter()
        .map(|variable| match variable {
            Variable::Set(set) => *set,
            Variable::Node(_) => panic!("a free first-order variable"),
        })
        .collect();
    let example = &output[output.find("satisfying example").unwrap()..];
    let mut nodes: BTreeMap<NodePath, Vec<SetVariable>> = BTreeMap::new();
    if question.kappa == 1 {
        let lines = example.lines().filter_map(|line| line.split_once(" = {"));
        for ((_, positions), &set) in lines.zip(&free) {
            for position in positions.trim_end_matches('}').split(',').filter(|text| !text.is_empty()) {
                let depth: usize = position.parse().unwrap();
                nodes.entry(vec![1; depth]).or_default().push(set);
            }
        }
    } else {
        let tree = example.lines().skip_while(|line| !line.starts_with("Universe")).nth(1).unwrap();
        let mut path = NodePath::new();
        for (position, c) in tree.char_indices() {
            match c {
                '(' => {
                    let bits = &tree[position + 1..];
                    let bits = bits.chars().take_while(|c| "01X".contains(*c));
                    let sets = bits.zip(&free).filter(|(bit, _)| *bit == '1').map(|(_, &set)| set);
                    nodes.insert(path.clone(), sets.collect());
                }
                ',' if tree[position + 1..].starts_with('(') => {
                    // After a node's bits its first child, after that its second.
                    if tree[..position].ends_with(')') {
                        *path.last_mut().unwrap() = 2;
                    } else {
                        path.push(1);
                    }
                }
                ')' if !tree[..position].ends_with('(') => {
                    path.pop();
                }
                _ => {}
            }
        }
    }
    nodes
}
