//! NuSMV: sets of states as decision diagrams. Knows fairness.

use crate::program::Program;
use crate::question::Demand;
use crate::triple::{Structure, TripleId};
use crate::writers::smv::{PROPERTY, STEP, smv};
use paramcheck_text::index::Idx;

use super::{About, Answer, Backend, Command, Counterexample, Job, Next, Output, Tool};
use paramcheck_text::limits::Budget;

/// NuSMV.
#[derive(Clone, Copy, Debug)]
pub struct NuSmv;

const TOOLS: &[Tool] =
    &[Tool { names: &["NuSMV"], package: "Python package pyboolnet 3.0.16, which has the program in it" }];

const FILE: &str = "program.smv";
const COMMANDS: &str = "commands";

impl Backend for NuSmv {
    fn about(&self) -> About {
        About {
            name: "nusmv",
            title: "NuSMV",
            technique: "symbolic model checking with BDDs",
            tools: TOOLS,
            is_tested: true,
        }
    }

    fn next(&self, program: &Program<'_>, done: &[Output], budget: &Budget) -> Next {
        let check = match program.question.demand {
            Demand::Never(_) => "check_invar",
            Demand::Eventually(_) => "check_ltlspec",
            Demand::Recoverable { .. } => "check_ctlspec",
        };
        let Some(output) = done.first() else {
            return match smv(program, budget) {
                Ok(text) => {
                    // Traces with all values in every state: nothing has to be carried over.
                    let commands = format!(
                        "set on_failure_script_quits 1\nset default_trace_plugin 1\nread_model -i {FILE}\ngo\n{check} -P \
                         {PROPERTY}\nquit\n"
                    );
                    let files = vec![(FILE.to_owned(), text), (COMMANDS.to_owned(), commands)];
                    let arguments = ["-source", COMMANDS].map(str::to_owned).to_vec();
                    Next::Run(Job { files, command: Command::Tool(0), arguments, makes: None })
                }
                Err(reason) => reason.into(),
            };
        };
        Next::Answer(answer(program.structure, output))
    }
}

fn answer(structure: &Structure, output: &Output) -> Answer {
    let is_verdict = |line: &&str| {
        (line.starts_with("-- invariant ") || line.starts_with("-- specification "))
            && (line.ends_with(" is true") || line.ends_with(" is false"))
    };
    let verdicts: Vec<&str> = output.whole_lines().filter(is_verdict).collect();
    match verdicts.as_slice() {
        [verdict] if output.code == Some(0) && verdict.ends_with(" is true") => Answer::Proved,
        [_] if output.code == Some(0) => match run(structure, &output.stdout) {
            Some(run) => Answer::Violated(Some(run)),
            None => output.failure("the steps of the run can't be read"),
        },
        _ => output.failure("no verdict"),
    }
}

/// The run that is printed: states, and inputs between them.
fn run(structure: &Structure, output: &str) -> Option<Counterexample> {
    let mut run = Counterexample::default();
    let mut states = 0;
    let mut step = None;
    for line in output.lines().map(str::trim) {
        if line == "-- Loop starts here" {
            run.loop_start.get_or_insert(run.steps.len());
        } else if line.starts_with("-> State:") {
            states += 1;
        } else if let Some(taken) =
            line.strip_prefix(STEP[0]).and_then(|rest| rest.trim_start().strip_prefix('='))
        {
            let taken = taken.trim();
            if taken == "none" {
                continue;
            }
            let number: u32 = taken.strip_prefix(STEP[1])?.parse().ok()?;
            step = Some(TripleId::new(number as usize));
        }
        // Start and join triples are no steps.
        if let Some(id) = step.take()
            && structure.triples.get(id)?.label().is_some()
        {
            run.steps.push(id);
        }
    }
    if states == 0 {
        return None;
    }
    // A loop without a step is a state in which nothing is possible.
    run.loop_start = run.loop_start.filter(|start| *start < run.steps.len());
    Some(run)
}
