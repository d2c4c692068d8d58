//! Every figure in the documents of `explore`, `instances` and `verify`, counted once more: instances by the
//! naive explorer, processes by following the rules from state to state.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use paramcheck_model::system::System;
use paramcheck_nets::instance::enumerate::trees;
use paramcheck_nets::instance::isomorphism::canonical_form;
use paramcheck_nets::instance::marking::{ErrorCheck, Marking};
use paramcheck_nets::instance::net::Net;
use paramcheck_nets::instance::term::print_term;
use paramcheck_nets::instance::unfold::unfold;
use paramcheck_process::model::System as Process;
use paramcheck_process::semantics::explore::{after, with_interpreter};
use paramcheck_process::semantics::network::{Interpreter, Step};
use paramcheck_process::{Language, load, show};
use paramcheck_text::limits::Budget;
use serde_json::{Value, json};

use super::json::document_of;
use super::run;
use crate::suite::support::plain::{self, numbers};
use crate::suite::support::{errors, system};

/// Models with several instances of a size, with final states, and with sizes of which there is no instance.
const MODELS: [&str; 6] = [
    "examples/ring.rs",
    "examples/chains/election.rs",
    "examples/rings/token-ring-generic.rs",
    "examples/philosophers/alt-philo-sym.rs",
    "examples/stars/jury.rs",
    "examples/trees/two-phase-impatient.rs",
];
const MAX_SIZE: usize = 6;

fn model(file: &str) -> System {
    system(&fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(file)).unwrap())
}

/// The entry of `explore` about an instance, without what is measured, by the naive explorer.
fn explored(system: &System, net: &Net) -> Value {
    let mut markings: Vec<Marking> = Vec::new();
    let plain = plain::explore(net, 20_000, |marking| markings.push(marking.clone())).unwrap();
    let is_dead = |marking: &&Marking| net.transitions().indices().all(|id| net.fire(id, marking).is_none());
    let rests = |marking: &&Marking| {
        let mut components = net.components().iter().zip(marking.iter());
        components.all(|(component, &state)| system.types[component.component_type].states[state].is_final)
    };
    let dead: Vec<&Marking> = markings.iter().filter(is_dead).collect();
    let of_error = |error: &paramcheck_model::error::NamedError| {
        let check = ErrorCheck::new(system, net, &error.formula);
        let found = markings.iter().filter(|marking| check.holds(net, marking) == Some(true));
        let distances: Vec<usize> = found.map(|marking| plain.distances[&numbers(marking)]).collect();
        json!({
            "error": error.name,
            "verdict": if distances.is_empty() { "not-reached" } else { "reached" },
            "states": distances.len(),
            "steps": distances.iter().min(),
        })
    };
    json!({
        "size": net.components().len(),
        "states": plain.distances.len(),
        "transitions": plain.transitions,
        "dead": dead.len(),
        "terminated": dead.into_iter().filter(rests).count(),
        "depth": plain.distances.values().max(),
        "end": "complete",
        "errors": errors(system).iter().map(of_error).collect::<Vec<_>>(),
    })
}

/// Asserts that `found` has all that `expected` has.
fn has_all(found: &Value, expected: &Value, about: &str) {
    for (key, value) in expected.as_object().unwrap() {
        assert_eq!(&found[key], value, "{about}: {key}");
    }
}

#[test]
fn of_explored_instances() {
    for file in MODELS {
        let system = model(file);
        let size = MAX_SIZE.to_string();
        let call = ["explore", file, "--max-size", &size, "--reduction", "none", "--limit", "1000", "--json"];
        let run = run(&call);
        let code = run.code;
        let document = document_of("explore", &run, code);
        let about = &document["files"][0];
        let listed = about["instances"].as_array().unwrap();
        let mut entries = Vec::new();
        for size in 1..=MAX_SIZE {
            for tree in trees(&system, size) {
                let entry = explored(&system, &unfold(&system, &tree));
                let found = &listed[entries.len()];
                assert_eq!(found["term"], print_term(&system, &tree));
                has_all(found, &entry, &format!("{file}, {}", found["term"]));
                entries.push(entry);
            }
        }
        assert_eq!((listed.len(), &about["left_out"]), (entries.len(), &json!(0)), "{file}");
        // The sums by size, and over all of them by error.
        for (size, total) in (1..=MAX_SIZE).zip(document["files"][0]["sizes"].as_array().unwrap()) {
            let of_size: Vec<&Value> = entries.iter().filter(|entry| entry["size"] == size).collect();
            let sum = |key: &str| of_size.iter().map(|entry| entry[key].as_u64().unwrap()).sum::<u64>();
            let mut expected = json!({ "size": size, "instances": of_size.len(), "complete": true });
            for key in ["states", "transitions", "dead", "terminated"] {
                expected[key] = sum(key).into();
            }
            has_all(total, &expected, &format!("{file}, size {size}"));
        }
        let mut is_reached = false;
        for (number, error) in errors(&system).iter().enumerate() {
            let reaching: Vec<&Value> = entries
                .iter()
                .map(|entry| &entry["errors"][number])
                .filter(|one| one["verdict"] == "reached")
                .collect();
            let found = &document["results"][number];
            let about = format!("{file}, {}", error.name);
            assert_eq!(found["instances"], reaching.len(), "{about}");
            let answer = if reaching.is_empty() { "not-reached" } else { "reached" };
            assert_eq!((&found["error"], &found["verdict"]), (&json!(error.name), &json!(answer)), "{about}");
            let steps = found["trace"]["trace"].as_array().map(Vec::len);
            assert_eq!(
                json!(steps),
                reaching.first().map_or(Value::Null, |one| one["steps"].clone()),
                "{about}"
            );
            is_reached |= !reaching.is_empty();
        }
        assert_eq!(code, i32::from(is_reached), "{file}");
    }
}

#[test]
fn of_counted_instances() {
    for file in MODELS {
        let system = model(file);
        let size = MAX_SIZE.to_string();
        let call = ["instances", file, "--max-size", &size, "--limit", "1000", "--json"];
        let document = document_of("instances", &run(&call), 0);
        let mut listed = document["results"].as_array().unwrap().iter();
        for (size, total) in (1..=MAX_SIZE).zip(document["files"][0]["sizes"].as_array().unwrap()) {
            let about = format!("{file}, size {size}");
            let mut forms = Vec::new();
            let (mut places, mut transitions) = (BTreeSet::new(), BTreeSet::new());
            for tree in trees(&system, size) {
                let net = unfold(&system, &tree);
                let form = canonical_form(&net, &Budget::unlimited()).unwrap();
                let known = forms.iter().position(|known| *known == form);
                let number = known.unwrap_or_else(|| {
                    forms.push(form);
                    forms.len() - 1
                });
                let components = net.components().iter();
                let count =
                    components.map(|one| system.types[one.component_type].states.len()).sum::<usize>();
                places.insert(count);
                transitions.insert(net.transitions().len());
                let expected = json!({
                    "file": file,
                    "size": size,
                    "net": number + 1,
                    "places": count,
                    "transition_count": net.transitions().len(),
                    "term": print_term(&system, &tree),
                });
                assert_eq!(listed.next(), Some(&expected), "{about}");
            }
            let range = |numbers: &BTreeSet<usize>| match (numbers.first(), numbers.last()) {
                (Some(least), Some(greatest)) => json!({ "least": least, "greatest": greatest }),
                _ => Value::Null,
            };
            let expected = json!({
                "size": size,
                "trees": trees(&system, size).count(),
                "nets": { "least": forms.len(), "greatest": forms.len() },
                "places": range(&places),
                "transitions": range(&transitions),
                "complete": true,
            });
            assert_eq!(total, &expected, "{about}");
        }
        assert_eq!((listed.next(), &document["files"][0]["left_out"]), (None, &json!(0)), "{file}");
    }
}

/// How many states and transitions the rules give a process.
fn count(interpreter: &mut Interpreter<'_>) -> (usize, usize) {
    let initial = interpreter.initial();
    let mut known = BTreeSet::from([initial.clone()]);
    let mut transitions = BTreeSet::new();
    let mut open = vec![initial];
    while let Some(state) = open.pop() {
        for step in interpreter.steps(&state).unwrap() {
            let next = after(&state, &step);
            transitions.insert((state.clone(), step.label, next.clone()));
            if known.insert(next.clone()) {
                open.push(next);
            }
        }
    }
    (known.len(), transitions.len())
}

/// Follows the run of a result by the rules, as its words say.
fn follow(process: &Process, interpreter: &mut Interpreter<'_>, run: &Value, about: &str) {
    // The greatest length of a process's text in reports.
    const LONGEST: usize = 100;
    let names = interpreter.agent_names();
    let mut state = interpreter.initial();
    let shown: Vec<String> = state.iter().map(|one| interpreter.show(*one, LONGEST)).collect();
    assert_eq!(run["initial"], json!(shown), "{about}");
    let mut states = vec![state.clone()];
    for entry in run["steps"].as_array().unwrap() {
        let words = |step: &Step, interpreter: &Interpreter<'_>| {
            let participant = |(agent, behaviour): &(u32, _)| json!({ "agent": names[*agent as usize], "process": interpreter.show(*behaviour, LONGEST) });
            json!({
                "label": show::label(process, step.label),
                "via": step.via.map(|via| show::label(process, via)),
                "turn": Value::Null,
                "participants": step.changes.iter().map(participant).collect::<Vec<_>>(),
            })
        };
        let steps = interpreter.steps(&state).unwrap();
        let step = steps.iter().find(|step| words(step, interpreter) == *entry);
        state = after(&state, step.unwrap_or_else(|| panic!("{about}: no step: {entry}")));
        states.push(state.clone());
    }
    let is_stuck = interpreter.steps(&state).unwrap().is_empty();
    let end = match (run["loop_start"].as_u64(), is_stuck) {
        (Some(start), _) => {
            assert_eq!(states[start as usize], state, "{about}");
            Value::Null
        }
        (None, _) if interpreter.is_terminated(&state) => json!("terminated"),
        (None, true) => json!("stuck"),
        (None, false) => json!("open"),
    };
    assert_eq!(run["end"], end, "{about}");
}

#[test]
fn of_verified_processes() {
    let mut runs = 0;
    for file in [
        "examples/ccs/2pc.ccs",
        "examples/ccs/2pc-unrestricted.ccs",
        "examples/ccs/flags-only.ccs",
        "examples/ccs/peterson.ccs",
        "examples/chor/news.chor",
        "examples/chor/stock.chor",
    ] {
        let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(file)).unwrap();
        let language = Language::of_extension(file.rsplit('.').next().unwrap()).unwrap();
        let process = load(&text, language).system.unwrap();
        let run = run(&["verify", file, "--json"]);
        let code = run.code;
        let document = document_of("verify", &run, code);
        with_interpreter(&process, &Budget::unlimited(), |interpreter| {
            let (states, transitions) = count(interpreter);
            let expected = json!({
                "states": states,
                "transitions": transitions,
                "complete": true,
                "agents": interpreter.agent_names(),
            });
            has_all(&document["files"][0], &expected, file);
            let results = document["results"].as_array().unwrap();
            assert_eq!(results.len(), process.checks.len(), "{file}");
            for (check, result) in process.checks.iter().zip(results) {
                let about = format!("{file}, {}", check.name);
                let expected = json!({ "check": check.name, "formula": show::goal(&process, &check.goal) });
                has_all(result, &expected, &about);
                assert_eq!(result["run"].is_object(), result["verdict"] == "violated", "{about}");
                if result["run"].is_object() {
                    follow(&process, interpreter, &result["run"], &about);
                    let steps = result["run"]["steps"].as_array().unwrap().len();
                    assert_eq!(result["backends"][0]["steps"], steps, "{about}");
                    runs += 1;
                }
            }
        })
        .unwrap();
    }
    assert!(runs > 5, "{runs}");
}
