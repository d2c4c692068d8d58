//! Measures the engine for LAbS: `labs FILE [k=v …] [round-robin|strict] [sliver] [sync] [threads=N] [steps=N]
//! [reduction=none|messages|symmetry|all] [NAME …]`.
//!
//! Without a name the reachable states are counted; with names these properties are decided. One whose name
//! begins with `+` is not in the file but the text that follows, as in `"+P = always true"`.
#![allow(clippy::print_stdout)]

use std::error::Error;
use std::time::Instant;

use paramcheck_emulation::labs::engine::{Engine, Options, Outcome};
use paramcheck_emulation::labs::reduce::Reductions;
use paramcheck_labs::Parameters;
use paramcheck_labs::semantics::step::{Rules, Schedule, Semantics};
use paramcheck_text::limits::Budget;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let mut text = std::fs::read_to_string(arguments.next().ok_or("which file?")?)?;
    let (mut rules, mut options) = (Rules::default(), Options::default());
    let (mut parameters, mut names) = (Parameters::new(), Vec::new());
    let mut steps = None;
    for argument in arguments {
        match argument.as_str() {
            "round-robin" => rules.schedule = Schedule::RoundRobin,
            "strict" => rules.schedule = Schedule::StrictTurns,
            "sliver" => rules.semantics = Semantics::Sliver,
            "sync" => rules.is_sync = true,
            one => match (one.split_once('='), one.strip_prefix('+')) {
                (_, Some(property)) => {
                    names.push(property.split(' ').next().unwrap_or("").to_owned());
                    text = format!("{text}\ncheck {{ {property} }}\n");
                }
                (Some(("threads", value)), _) => options.threads = value.parse()?,
                (Some(("reduction", value)), _) => {
                    options.reductions = Reductions {
                        messages: matches!(value, "messages" | "all"),
                        symmetry: matches!(value, "symmetry" | "all"),
                    };
                }
                (Some(("steps", value)), _) => steps = Some(value.parse()?),
                (Some((name, value)), _) => {
                    parameters.insert(name.to_owned(), value.parse()?);
                }
                (None, None) => names.push(one.to_owned()),
            },
        }
    }
    let begin = Instant::now();
    let loaded = paramcheck_labs::load(&text, &parameters);
    let system = loaded.system.ok_or_else(|| format!("{:?}", loaded.diagnostics))?;
    let budget = Budget::unlimited();
    let engine = Engine::new(&system, rules, &budget)?;
    println!("{} bits", engine.bits());
    if names.is_empty() {
        println!("{:?}", engine.explore(None, &options, &budget)?);
    }
    for property in system.properties.iter().filter(|one| names.contains(&one.name)) {
        let outcome = match steps {
            Some(steps) => engine.decide_within(property, steps, &options, &budget)?,
            None => engine.decide(property, &options, &budget)?,
        };
        let what = match outcome {
            Outcome::Holds(states) => format!("holds, {states} states"),
            Outcome::Within(steps, states) => format!("not within {steps} steps, {states} states"),
            Outcome::Violated(evidence) => {
                let (steps, cycle, searched) = (evidence.len(), evidence.cycle, evidence.searched);
                format!("violated, {steps} steps, cycle from {cycle:?}, {searched:?} searched behind")
            }
            Outcome::Fault(fault, evidence) => format!("{fault}, after {} steps", evidence.len()),
            Outcome::Unknown(reason) => format!("unknown: {reason:?}"),
        };
        println!("{}: {what}", property.name);
    }
    println!("{:.2} s", begin.elapsed().as_secs_f64());
    Ok(())
}
