//! `labs --simulate`: runs at random, and how often each property held in them.

use std::time::Instant;

use paramcheck::report::Answer;
use paramcheck::report::labs::{LabsReport, LabsResult, SimulatedReport, sliver_simulation};
use paramcheck::report::text::plural;
use paramcheck_verdict::labs::NoAnswer;
use paramcheck_verdict::labs::simulate::{Simulation, simulate};

use super::answers::{Asked, LabsSession, Request, all_threads, asked, report_bug, style};
use super::no_start;
use crate::cli::Failure;
use crate::cli::exit::Exit;

/// Simulates and prints.
pub(super) fn run(
    request: &Request<'_>,
    runs: usize,
    steps: usize,
    seed: u64,
    session: &mut LabsSession<'_>,
) -> Result<Option<Vec<LabsResult>>, Failure> {
    let begin = Instant::now();
    let Some(Asked { loaded, questions, properties, watch }) = asked(request, session)? else {
        return Ok(None);
    };
    let simulated = watch.run(&loaded.source.name, |budget| {
        let threads = request.threads.unwrap_or_else(all_threads);
        let keeps_runs = request.is_sliver;
        let simulation = Simulation { runs, steps, seed, threads, keeps_runs, budget };
        simulate(&loaded.system, &properties, request.rules, &simulation)
    });
    if watch.interrupt.is_pressed() {
        session.raise(Exit::Interrupted);
    }
    let simulated = match simulated {
        Ok(simulated) => simulated,
        Err(reason) => {
            session.diagnostic(&no_start(&loaded.source, &loaded.system, reason), Some(&loaded.source));
            return Ok(None);
        }
    };
    if let Some(stop) = simulated.stopped {
        session.console.note(&format!("note: {stop} after {}", plural(simulated.count, "run")));
    }
    let (system, source) = (&loaded.system, &loaded.source);
    let mut results: Vec<LabsResult> =
        simulated.fault.iter().map(|fault| LabsResult::of_fault(system, source, fault)).collect();
    for (question, frequency) in questions.iter().zip(&simulated.properties) {
        let name = question.property.name.clone();
        if let Some(bug) = &frequency.bug {
            report_bug(&name, bug, session);
            continue;
        }
        let report = SimulatedReport::new(&frequency.held, steps, seed);
        let violation = frequency.violation.as_ref();
        // Why there is none, where it did not hold in all of them.
        let open = match (&simulated.fault, frequency.held.contains(&false)) {
            (_, false) => simulated.stopped,
            (Some(_), true) => Some(NoAnswer::Fault),
            (None, true) => Some(NoAnswer::Unchecked),
        };
        results.push(LabsResult::of_simulation(
            system,
            source,
            (name, question.formula.clone()),
            report,
            violation.ok_or(open),
        ));
    }
    results.iter().for_each(|result| {
        session.raise(match result.verdict {
            Answer::Proved => Exit::AllProved,
            Answer::Violated => Exit::Violated,
            Answer::Unknown => Exit::Unknown,
        });
    });
    let report = LabsReport::of_simulation(system, request.rules, steps, begin.elapsed());
    let style = style(request, &results, session);
    let mut text = String::new();
    if request.is_sliver {
        let names: Vec<&str> = properties.iter().map(|one| one.name.as_str()).collect();
        text.push_str(&sliver_simulation(system, source, &simulated, &names));
    } else if !request.is_quiet {
        text.push_str(&report.simulation_header(&source.name, &simulated, seed, &style));
    }
    results.iter().for_each(|result| text.push_str(&report.result(result, &style)));
    session.lines(&text)?;
    results.iter().cloned().for_each(|result| session.document.add(result));
    session.found(report);
    Ok(Some(results))
}
