//! Verifiers of C that were never run here, since they have no package: CBMC, CPAchecker, 2LS. The templates
//! follow the tools' documentation only, and are marked *untested* wherever they are listed.
//!
//! All get the programs of [`writers::c`](crate::writers::c), and "eventually" as reachability of a lasso.
//! CBMC is queried as ESBMC is, by induction over programs without loops; CPAchecker and 2LS get the program
//! that goes on for ever, and prove it by their own means. A run is read from CBMC's trace only.

use crate::program::Program;
use crate::triple::TripleId;
use crate::writers::c::{CHOICE, Liveness, Options, Shape, Target, Verifier, c};
use paramcheck_text::index::Idx;

use super::{About, Answer, Backend, Command, Counterexample, Job, Next, Output, Tool, Unknown};
use crate::writers::NotWritable;
use paramcheck_text::limits::Budget;

/// The numbers of steps that CBMC is queried about.
const STEPS: [u32; 6] = [2, 4, 8, 16, 32, 64];

/// CBMC.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cbmc;

/// CPAchecker.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CpaChecker;

/// 2LS.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TwoLs;

fn text(
    program: &Program<'_>,
    verifier: Verifier,
    shape: Shape,
    budget: &Budget,
) -> Result<String, NotWritable> {
    let options = Options { target: Target::Verifier(verifier), shape, liveness: Liveness::Safety };
    c(program, options, budget)
}

fn job(name: &str, text: Result<String, NotWritable>, more: &[(&str, &str)], arguments: &[&str]) -> Next {
    match text {
        Err(reason) => reason.into(),
        Ok(text) => {
            let mut files = vec![(name.to_owned(), text)];
            files.extend(more.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())));
            let arguments = arguments.iter().chain([&name]).map(|&word| word.to_owned()).collect();
            Next::Run(Job { files, command: Command::Tool(0), arguments, makes: None })
        }
    }
}

/// Whether a line of the output is exactly this.
fn contains_words(output: &Output, words: &str) -> bool {
    output.whole_lines().any(|line| line.trim() == words)
}

/// What CBMC and its relatives report: whether no error is reached; `None` where they report neither.
fn verdict(output: &Output) -> Option<bool> {
    match (
        contains_words(output, "VERIFICATION SUCCESSFUL"),
        contains_words(output, "VERIFICATION FAILED"),
        output.code,
    ) {
        (true, false, Some(0)) => Some(true),
        (false, true, Some(10)) => Some(false),
        _ => None,
    }
}

impl Backend for Cbmc {
    fn about(&self) -> About {
        About {
            name: "cbmc",
            title: "CBMC",
            technique: "induction over the number of steps, by SAT solving",
            tools: &[Tool { names: &["cbmc"], package: "diffblue.github.io/cbmc" }],
            is_tested: false,
        }
    }

    fn next(&self, program: &Program<'_>, done: &[Output], budget: &Budget) -> Next {
        let is_step = done.len() % 2 == 1;
        if let Some(last) = done.last() {
            // The last one was the other half.
            match (verdict(last), is_step) {
                (Some(true), true) | (Some(false), false) => {}
                (Some(true), false) => return Next::Answer(Answer::Proved),
                (Some(false), true) => return Next::Answer(Answer::Violated(trace(last))),
                (None, _) => return Next::Answer(last.failure("CBMC gives no verdict")),
            }
        }
        let Some(&steps) = STEPS.get(done.len() / 2) else {
            let most = STEPS.last().copied().unwrap_or(0);
            let reason = format!("no error within {most} steps, and no proof by induction over as many");
            return Next::Answer(Answer::Unknown(Unknown::Inconclusive(reason)));
        };
        let shape = if is_step { Shape::Step(steps) } else { Shape::Base(steps) };
        job(
            "program.c",
            text(program, Verifier::Cbmc, shape, budget),
            &[],
            &["--trace", "--unwinding-assertions"],
        )
    }
}

/// The steps of a trace of CBMC: lines like `choice=3u (00000000 …)`.
fn trace(output: &Output) -> Option<Counterexample> {
    let mut run = Counterexample::default();
    for line in output.stdout.lines().map(str::trim) {
        let Some((name, value)) = line.split_once('=') else { continue };
        let digits: String = value.chars().take_while(char::is_ascii_digit).collect();
        if name == CHOICE {
            run.steps.push(TripleId::new(digits.parse::<u32>().ok()? as usize));
        } else if name == "is_saved" && digits == "1" && run.loop_start.is_none() {
            run.loop_start = Some(run.steps.len());
        }
    }
    run.loop_start = run.loop_start.filter(|start| *start < run.steps.len());
    (!run.steps.is_empty()).then_some(run)
}

impl Backend for CpaChecker {
    fn about(&self) -> About {
        About {
            name: "cpachecker",
            title: "CPAchecker",
            technique: "abstraction, k-induction and others in a portfolio",
            tools: &[Tool { names: &["cpachecker", "cpa.sh"], package: "cpachecker.sosy-lab.org" }],
            is_tested: false,
        }
    }

    fn next(&self, program: &Program<'_>, done: &[Output], budget: &Budget) -> Next {
        let Some(last) = done.last() else {
            let property = "CHECK( init(main()), LTL(G ! call(reach_error())) )\n";
            let more = [("unreach-call.prp", property)];
            let arguments = ["--svcomp26", "--spec", "unreach-call.prp"];
            return job(
                "program.c",
                text(program, Verifier::CpaChecker, Shape::Loop, budget),
                &more,
                &arguments,
            );
        };
        let result = last.whole_lines().find_map(|line| line.trim().strip_prefix("Verification result: "));
        let word = result.and_then(|result| result.split([' ', '.']).next());
        Next::Answer(match (word, last.code) {
            (Some("TRUE"), Some(0)) => Answer::Proved,
            (Some("FALSE"), Some(0)) => Answer::Violated(None),
            (Some("UNKNOWN"), _) => Answer::Unknown(Unknown::Inconclusive(last.last_words())),
            _ => last.failure("CPAchecker gives no verdict"),
        })
    }
}

impl Backend for TwoLs {
    fn about(&self) -> About {
        About {
            name: "2ls",
            title: "2LS",
            technique: "k-induction with invariants by templates",
            tools: &[Tool { names: &["2ls"], package: "github.com/diffblue/2ls" }],
            is_tested: false,
        }
    }

    fn next(&self, program: &Program<'_>, done: &[Output], budget: &Budget) -> Next {
        let Some(last) = done.last() else {
            return job(
                "program.c",
                text(program, Verifier::Cbmc, Shape::Loop, budget),
                &[],
                &["--k-induction"],
            );
        };
        Next::Answer(match verdict(last) {
            Some(true) => Answer::Proved,
            Some(false) => Answer::Violated(None),
            None if contains_words(last, "VERIFICATION INCONCLUSIVE") => {
                Answer::Unknown(Unknown::Inconclusive(last.last_words()))
            }
            None => last.failure("2LS gives no verdict"),
        })
    }
}
