//! What ESBMC and Z3 answer: proofs where there is something to prove, violations that replay.

use std::time::Instant;

use paramcheck::emulation::backend::{Answer, Backend, Command as Run, Next, Output};
use paramcheck::emulation::backend::{esbmc::Esbmc, z3::Z3};
use paramcheck::emulation::program::Program;
use paramcheck::emulation::replay::replay;
use paramcheck::semantics::check::Schedule;
use paramcheck::support::limits::Budget;

use super::{Plain, Subject, data, examples, instances, process};
use crate::suite::support::tools::{Scratch, is_installed, program};

/// What a back end answers.
fn ask(backend: &dyn Backend, question: &Program<'_>) -> Answer {
    assert_eq!(backend.refuses(question), None);
    let folder = Scratch::new();
    let mut done = Vec::new();
    loop {
        let job = match backend.next(question, &done) {
            Next::Answer(answer) => return answer,
            Next::Run(job) => job,
        };
        for (name, text) in &job.files {
            std::fs::write(folder.path().join(name), text).unwrap();
        }
        let Run::Tool(number) = job.command else { panic!("{job:?}") };
        let mut command = program("timeout");
        command.arg("20").arg(program(backend.about().tools[number].names[0]).get_program());
        let output = command.args(&job.arguments).current_dir(folder.path()).output().unwrap();
        if let Ok(path) = std::env::var("KEEP") {
            for (name, text) in &job.files {
                std::fs::write(format!("{path}/{name}"), text).unwrap();
            }
            std::fs::write(format!("{path}/out{}", done.len()), &output.stdout).unwrap();
        }
        done.push(Output {
            code: output.status.code(),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        });
    }
}

#[test]
fn measure() {
    let backends: [&dyn Backend; 2] = [&Esbmc, &Z3];
    let which = std::env::var("WHICH").unwrap_or_default();
    let mut subjects = Vec::new();
    if which.contains("data") {
        subjects.extend(data::subjects());
    }
    if which.contains("ccs") {
        subjects.extend(examples(".ccs").iter().map(|f| process(f)));
    }
    if which.contains("chor") {
        subjects.extend(examples(".chor").iter().map(|f| process(f)));
    }
    if which.contains("rs") {
        subjects.extend(examples(".rs").iter().flat_map(|f| instances(f, 4..=4)));
    }
    for subject in &subjects {
        for schedule in [Schedule::Any, Schedule::RoundRobin] {
            let plain = Plain::new(&subject.structure, schedule);
            for question in &subject.questions {
                let truth = plain.is_violated(question);
                for backend in backends {
                    if !which.contains(backend.about().name) {
                        continue;
                    }
                    let begin = Instant::now();
                    let asked = subject.program(question, schedule);
                    let answer = ask(backend, &asked);
                    let words = match &answer {
                        Answer::Proved => {
                            assert!(!truth, "WRONG");
                            "proved".to_owned()
                        }
                        Answer::Violated(Some(run)) => {
                            assert!(truth);
                            format!(
                                "violated {:?}",
                                replay(&asked, run, &Budget::unlimited()).map(|r| r.steps.len())
                            )
                        }
                        Answer::Violated(None) => {
                            assert!(truth);
                            "violated, no steps".to_owned()
                        }
                        Answer::Unknown(unknown) => format!("{unknown:?}").chars().take(150).collect(),
                    };
                    println!(
                        "{} {:?} {} {}: {} {} ms",
                        subject.name,
                        schedule,
                        question.name,
                        backend.about().name,
                        words,
                        begin.elapsed().as_millis()
                    );
                }
            }
        }
    }
}
