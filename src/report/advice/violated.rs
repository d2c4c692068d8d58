//! The commands that take up the evidence of a violation: what writes it down, if it is not yet, and what
//! replays, draws and goes on from it.

use super::{Advice, Call, Commands, file_for};
use crate::report::Question;
use crate::report::reproducer::quoted;
use paramcheck_model::system::System;

/// Adds the commands to the report of a question about a rewriting system that is *violated*.
pub fn add(question: &mut Question, system: &System, call: &Call<'_>) {
    let commands = Commands { system, question, call };
    let file = commands.file();
    // The document of an error that the model has names it.
    let error = if commands.is_named() { String::new() } else { format!(" --error {}", commands.error()) };
    let own = file_for(call.file, &question.error, "trace.json");
    let path = quoted(call.trace.unwrap_or(&own));
    let mut all = Vec::new();
    if call.trace.is_none() {
        let write = commands.check(&format!("{} --trace {path} --quiet", call.options));
        all.push(Advice::new("write", "write the trace down").by(write));
    }
    all.push(Advice::new("replay", "replay the trace").by(format!("paramcheck replay {file} {path}{error}")));
    let picture = file_for(call.file, &question.error, "trace.svg");
    all.extend(of_trace(&file, &path, &error, &picture));
    question.advice = all;
}

/// The commands about the trace of an instance, which this call about `question` writes down.
pub fn of_instance(file: &str, question: &str, call: &str, error: &str) -> Vec<Advice> {
    let (path, picture) = (file_for(file, question, "trace.json"), file_for(file, question, "trace.svg"));
    let file = quoted(file);
    let mut all = vec![write(call, &path)];
    let replay = format!("paramcheck replay {file} {path}{error}");
    all.push(Advice::new("replay", "replay the trace").by(replay));
    all.extend(of_trace(&file, &path, error, &picture));
    all
}

/// The commands about the run of a process, which this call about `question` writes down.
pub fn of_process(file: &str, question: &str, call: &str) -> Vec<Advice> {
    let (path, picture) = (file_for(file, question, "run.json"), file_for(file, question, "run.svg"));
    let draw = format!("paramcheck draw {} --trace {path} --output {picture}", quoted(file));
    vec![write(call, &path), Advice::new("draw", "draw the run").by(draw)]
}

fn write(call: &str, path: &str) -> Advice {
    Advice::new("write", "write the evidence down").by(format!("{call} --json >{path}"))
}

fn of_trace(file: &str, path: &str, error: &str, picture: &str) -> [Advice; 2] {
    let draw = format!("paramcheck draw {file} --trace {path}{error} --output {picture}");
    let step = format!("paramcheck step {file} --trace {path}");
    [
        Advice::new("draw", "draw the trace").by(draw),
        Advice::new("step", "go along it, step by step").by(step),
    ]
}
