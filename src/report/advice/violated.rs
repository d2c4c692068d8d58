//! The commands that take up the evidence of a violation: what writes it down, if it is not yet, and what
//! replays, draws and goes on from it.

use super::{Advice, Call, Commands};
use crate::report::Question;
use crate::report::reproducer::quoted;
use paramcheck_model::system::System;

/// Where the commands write the evidence.
const WRITTEN: &str = "trace.json";

/// Adds the commands to the report of a question about a rewriting system that is *violated*.
pub fn add(question: &mut Question, system: &System, call: &Call<'_>) {
    let commands = Commands { system, question, call };
    let file = commands.file();
    // The document of an error that the model has names it.
    let error = if commands.is_named() { String::new() } else { format!(" --error {}", commands.error()) };
    let path = quoted(call.trace.unwrap_or(WRITTEN));
    let mut all = Vec::new();
    if call.trace.is_none() {
        let write = commands.check(&format!("{} --trace {path} --quiet", call.options));
        all.push(Advice::new("write", "write the trace down").by(write));
    }
    all.push(Advice::new("replay", "replay the trace").by(format!("paramcheck replay {file} {path}{error}")));
    all.extend(of_trace(&file, &path, &error));
    question.advice = all;
}

/// The commands about the trace of an instance, which this call writes down.
pub fn of_instance(file: &str, call: &str, error: &str) -> Vec<Advice> {
    let file = quoted(file);
    let mut all = vec![write(call)];
    let replay = format!("paramcheck replay {file} {WRITTEN}{error}");
    all.push(Advice::new("replay", "replay the trace").by(replay));
    all.extend(of_trace(&file, WRITTEN, error));
    all
}

/// The commands about the run of a process, which this call writes down.
pub fn of_process(file: &str, call: &str) -> Vec<Advice> {
    let draw = format!("paramcheck draw {} --trace {WRITTEN} --output trace.svg", quoted(file));
    vec![write(call), Advice::new("draw", "draw the run").by(draw)]
}

fn write(call: &str) -> Advice {
    Advice::new("write", "write the evidence down").by(format!("{call} --json >{WRITTEN}"))
}

fn of_trace(file: &str, path: &str, error: &str) -> [Advice; 2] {
    let draw = format!("paramcheck draw {file} --trace {path}{error} --output trace.svg");
    let step = format!("paramcheck step {file} --trace {path}");
    [
        Advice::new("draw", "draw the trace").by(draw),
        Advice::new("step", "go along it, step by step").by(step),
    ]
}
