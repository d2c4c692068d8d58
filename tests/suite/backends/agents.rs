//! Other verifiers on agents: their answers, and this program's own; the runs that they find are replayed by
//! the rules on the way, or are no answers.

use std::time::Duration;

use paramcheck_emulation::backend::{About, Backend, esbmc, nusmv, spin, z3};
use paramcheck_emulation::program::Program;
use paramcheck_labs::model::{Modality, Property, System};
use paramcheck_labs::semantics::step::Rules;
use paramcheck_labs::{Parameters, load};
use paramcheck_text::limits::Budget;
use paramcheck_verdict::Status;
use paramcheck_verdict::labs::verifiers::{Options, Question, VerifierAnswers, query};
use paramcheck_verdict::labs::{Options as Limits, decide};
use paramcheck_verdict::process::{Verifier, VerifierRun};

use crate::suite::labs::known::{each_run, rules};
use crate::suite::support::dialogue::said_within;

/// A back end whose tools are run here.
struct Tool {
    backend: &'static dyn Backend,
    patience: Duration,
}

impl Verifier for Tool {
    fn about(&self) -> About {
        self.backend.about()
    }

    fn query(&self, program: &Program<'_>, _: &Budget) -> VerifierRun {
        let (answer, outputs) = said_within(self.backend, program, self.patience);
        VerifierRun { answer, elapsed: Duration::ZERO, memory: None, transcript: format!("{outputs:#?}") }
    }
}

/// How many answers there were.
#[derive(Debug, Default)]
struct Count {
    proved: usize,
    violated: usize,
    none: usize,
}

/// Holds what a back end answers about the properties of a system against what is expected of each.
fn compare(
    (what, system, properties): (&str, &System, &[Property]),
    tool: &Tool,
    rules: Rules,
    steps: Option<usize>,
    expected: impl Fn(&Property) -> Option<bool>,
    count: &mut Count,
) {
    let options = Options { max_steps: steps, patience: None, budget: Budget::unlimited() };
    let question = Question { name: what, text: "", system, properties, rules };
    let ((), answers) = query(question, &[tool], &options, || ()).unwrap();
    let [VerifierAnswers { answers, .. }] = answers.as_slice() else { panic!("{what}") };
    for (property, answer) in properties.iter().zip(answers) {
        let what = format!("{:?} on {what}, {}, {rules:?}, {steps:?}", tool.backend, property.name);
        match (&answer.status, expected(property)) {
            (Status::Violated(_), Some(false)) => count.violated += 1,
            (Status::Proved(_), Some(true)) => count.proved += 1,
            (Status::Unknown(why), _) if why.code() == "not-replayed" || why.code() == "no-run" => {
                panic!("{what}: {why}\n{}", answer.transcript)
            }
            (Status::Unknown(why), _) if why.code() == "tool-failed" => {
                panic!("{what}: {why}\n{}", answer.transcript)
            }
            // Bounded runs are never proved.
            (Status::Unknown(why), Some(true))
                if steps.is_some() && why.to_string().contains("no run of at most") =>
            {
                count.proved += 1;
            }
            (Status::Unknown(why), Some(false)) if why.to_string().contains("no run of at most") => {
                panic!("{what}: not found\n{}", answer.transcript)
            }
            (Status::Unknown(_), _) => count.none += 1,
            (status, expected) => panic!("{what}: {status:?}, expected {expected:?}\n{}", answer.transcript),
        }
    }
}

/// All models with known answers, of no more stores than a number.
fn known(tool: &Tool, most_stores: u64) -> Count {
    let mut count = Count::default();
    for folder in ["points", "examples"] {
        each_run(folder, |what, system, run| {
            if run["error"].is_string() || run["stores"].as_u64().is_none_or(|stores| stores > most_stores) {
                return;
            }
            let expected = |property: &Property| match run["properties"][&property.name]["verdict"].as_str() {
                Some("holds") => Some(true),
                Some("violated") => Some(false),
                _ => None,
            };
            let asked: Vec<Property> =
                system.properties.iter().filter(|one| expected(one).is_some()).cloned().collect();
            compare((what, system, &asked), tool, rules(run)[0], None, expected, &mut count);
        });
    }
    count
}

#[test]
#[cfg_attr(not(long_tests), ignore = "runs Spin: PARAMCHECK_LONG=1")]
fn spin_agrees() {
    let count = known(&Tool { backend: &spin::Spin, patience: Duration::from_secs(60) }, 1_000);
    assert!(count.proved > 10 && count.violated > 20, "{count:?}");
}

#[test]
#[cfg_attr(not(long_tests), ignore = "runs NuSMV: PARAMCHECK_LONG=1")]
fn nusmv_agrees() {
    let count = known(&Tool { backend: &nusmv::NuSmv, patience: Duration::from_secs(20) }, 100);
    assert!(count.proved > 10 && count.violated > 20, "{count:?}");
}

#[test]
#[cfg_attr(not(long_tests), ignore = "runs Z3: PARAMCHECK_LONG=1")]
fn z3_agrees() {
    let count = known(&Tool { backend: &z3::Z3, patience: Duration::from_secs(4) }, 12);
    assert!(count.proved > 2 && count.violated > 2, "{count:?}");
}

/// Bounded runs, against this program's own answers.
#[test]
#[cfg_attr(not(long_tests), ignore = "runs ESBMC: PARAMCHECK_LONG=1")]
fn esbmc_agrees_on_bounded_runs() {
    const STEPS: usize = 2;
    let tool = Tool { backend: &esbmc::Esbmc, patience: Duration::from_secs(20) };
    let mut count = Count::default();
    for folder in ["points", "examples"] {
        each_run(folder, |what, system, run| {
            if run["error"].is_string() || run["stores"].as_u64().is_none_or(|stores| stores > 12) {
                return;
            }
            let is_bounded =
                |one: &&Property| !matches!(one.modality, Modality::Fairly | Modality::FairlyInfinite);
            let asked: Vec<Property> = system.properties.iter().filter(is_bounded).cloned().collect();
            let rules = rules(run)[0];
            let limits = Limits { max_steps: Some(STEPS), ..Limits::default() };
            let own = decide(system, &asked, rules, &limits).unwrap();
            let expected = |property: &Property| {
                let answer = own.answers.iter().find(|one| one.property == property.name)?;
                match &answer.status {
                    Status::Violated(_) => Some(false),
                    Status::Proved(_) => Some(true),
                    Status::Unknown(_) if own.fault.is_none() => Some(true),
                    Status::Unknown(_) => None,
                }
            };
            compare((what, system, &asked), &tool, rules, Some(STEPS), expected, &mut count);
        });
    }
    assert!(count.proved > 2 && count.violated > 2, "{count:?}");
}

/// What leaves the language is found, replayed, and keeps all properties from being proved.
#[test]
#[cfg_attr(not(long_tests), ignore = "runs Spin and NuSMV: PARAMCHECK_LONG=1")]
fn faults_are_found() {
    let text = "system { environment = a[2]: 0  spawn = A: 2 }
        agent A { interface = i: 0  Behavior = a[i] <-- 1; (i < 5 -> i <- i + 1); Behavior }
        check { P = always forall A x, i of x < 9 }";
    let system = load(text, &Parameters::new()).system.unwrap();
    let backends: [&'static dyn Backend; 2] = [&spin::Spin, &nusmv::NuSmv];
    for backend in backends {
        let tool = Tool { backend, patience: Duration::from_secs(60) };
        let options = Options { max_steps: None, patience: None, budget: Budget::unlimited() };
        let (name, rules, properties) = ("faults", Rules::default(), system.properties.as_slice());
        let question = Question { name, text, system: &system, properties, rules };
        let ((), answers) = query(question, &[&tool], &options, || ()).unwrap();
        let fault = answers[0].fault.as_ref().unwrap();
        assert_eq!(fault.fault.to_string(), "an index is outside of its array");
        assert!(matches!(answers[0].answers[0].status, Status::Unknown(_)));
    }
}
