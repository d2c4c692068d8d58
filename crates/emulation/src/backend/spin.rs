//! Spin: explicit states, by the verifier that it writes in C.
//!
//! *Never* is searched breadth first, which finds a shortest run and needs no bound on its length;
//! *eventually* depth first for an acceptance cycle, deeper where the first bound was not enough. The run is
//! then printed by Spin itself from the trail. Fairness is refused: Spin's own is about processes, and there
//! is only one.

use crate::program::Program;
use crate::question::Demand;
use crate::triple::TripleId;
use crate::writers::promela::{STEP, promela, vector_bytes};
use paramcheck_text::index::Idx;

use super::{About, Answer, Backend, Command, Counterexample, Job, Next, Output, Tool, Unknown};
use paramcheck_text::limits::Budget;

/// Spin.
#[derive(Clone, Copy, Debug)]
pub struct Spin;

const TOOLS: &[Tool] = &[
    Tool { names: &["spin"], package: "Debian package spin" },
    // tcc takes a twentieth of gcc's time for a verifier, and most searches are short.
    Tool { names: &["tcc", "cc", "gcc", "clang"], package: "Debian package tcc or gcc" },
];

const FILE: &str = "program.pml";
const VERIFIER: &str = "verifier";

/// How many steps deep it looks, one bound after the other.
const DEPTHS: [u32; 2] = [100_000, 10_000_000];

impl Backend for Spin {
    fn about(&self) -> About {
        About {
            name: "spin",
            title: "Spin",
            technique: "explicit-state model checking",
            tools: TOOLS,
            is_tested: true,
        }
    }

    fn next(&self, program: &Program<'_>, done: &[Output], budget: &Budget) -> Next {
        let is_live = matches!(program.question.demand, Demand::Eventually(_));
        let job = |command, arguments: &[String], makes| {
            Next::Run(Job { files: Vec::new(), command, arguments: arguments.to_vec(), makes })
        };
        let words = |line: &str| line.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let [written, compiled, searches @ ..] = done else {
            let Some(written) = done.first() else {
                return match promela(program, budget) {
                    Ok(text) => Next::Run(Job {
                        files: vec![(FILE.to_owned(), text)],
                        command: Command::Tool(0),
                        arguments: words(&format!("-a {FILE}")),
                        makes: Some("pan.c"),
                    }),
                    Err(reason) => reason.into(),
                };
            };
            if written.code != Some(0) {
                return Next::Answer(written.failure("Spin does not read the program"));
            }
            let vector = vector_bytes(program.structure).div_ceil(64) * 64;
            let kind = if is_live { "" } else { "-DSAFETY -DBFS " };
            let line = format!("-w -O1 -DNOREDUCE {kind}-DVECTORSZ={} -o {VERIFIER} pan.c", vector.max(1024));
            return job(Command::Tool(1), &words(&line), Some(VERIFIER));
        };
        if written.code != Some(0) || compiled.code != Some(0) {
            return Next::Answer(compiled.failure("the verifier does not compile"));
        }
        let search = |depth: u32| {
            let kind = if is_live { format!(" -a -m{depth}") } else { String::new() };
            job(Command::Made(VERIFIER), &words(&format!("-n -w18{kind}")), None)
        };
        // Searches, then the trail.
        for (position, output) in searches.iter().enumerate() {
            match read(output) {
                Search::Clean if is_live || position == 0 => return Next::Answer(Answer::Proved),
                Search::Violated => {
                    return match searches.get(position + 1) {
                        None => job(Command::Tool(0), &words(&format!("-t {FILE}")), None),
                        Some(trail) => Next::Answer(run(trail)),
                    };
                }
                Search::TooDeep if position + 1 < DEPTHS.len() => {}
                Search::TooDeep => {
                    let reason = format!("some runs are longer than {} steps", DEPTHS[DEPTHS.len() - 1]);
                    return Next::Answer(Answer::Unknown(Unknown::Inconclusive(reason)));
                }
                Search::Clean | Search::Failed => return Next::Answer(output.failure("the search")),
            }
        }
        search(DEPTHS[searches.len().min(DEPTHS.len() - 1)])
    }
}

/// What a search reports.
enum Search {
    /// All states were looked at, without error.
    Clean,
    Violated,
    TooDeep,
    Failed,
}

/// Only a report that is whole counts.
fn read(output: &Output) -> Search {
    let text = &output.stdout;
    let errors = text.lines().find_map(|line| line.split("errors: ").nth(1)?.trim().parse::<u64>().ok());
    let is_searched = text.contains("Full statespace search for:");
    let ends = || output.whole_lines().any(|line| line.starts_with("pan: elapsed time "));
    let is_whole = is_searched && text.ends_with('\n') && ends() && text.contains(" states, stored");
    match errors {
        Some(1..) if is_searched && text.contains("pan: wrote ") => Search::Violated,
        Some(0) if is_whole && text.contains("max search depth too small") => Search::TooDeep,
        Some(0) if is_whole && output.code == Some(0) && !text.contains("Search not completed") => {
            Search::Clean
        }
        _ => Search::Failed,
    }
}

/// The run that Spin prints from a trail.
fn run(trail: &Output) -> Answer {
    let mut run = Counterexample::default();
    let mut has_ended = false;
    for line in trail.stdout.lines().map(str::trim) {
        if line.starts_with("<<<<<START OF CYCLE>>>>>") {
            run.loop_start = Some(run.steps.len());
        } else if let Some(step) = line.strip_prefix(STEP) {
            let number = step.split(':').next().and_then(|number| number.parse::<u32>().ok());
            let Some(number) = number else { return trail.failure("the steps of the run can't be read") };
            run.steps.push(TripleId::new(number as usize));
        } else if line.starts_with("spin: trail ends after ") {
            has_ended = true;
        }
    }
    if !has_ended {
        return trail.failure("the steps of the run can't be read");
    }
    // A cycle without a step is a state in which nothing is possible.
    run.loop_start = run.loop_start.filter(|start| *start < run.steps.len());
    Answer::Violated(Some(run))
}
