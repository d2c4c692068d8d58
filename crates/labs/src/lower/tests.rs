use paramcheck_text::diagnostic::codes::labs::meaning;

use crate::model::{Initial, Process, System};
use crate::{Parameters, load};

fn codes(text: &str) -> Vec<&'static str> {
    load(text, &Parameters::new()).diagnostics.iter().map(|one| one.code.id).collect()
}

fn system(text: &str) -> System {
    let loaded = load(text, &Parameters::new());
    assert_eq!(loaded.diagnostics, [], "{text}");
    loaded.system.expect("it has a meaning")
}

/// The indented text behind a line.
fn example(explanation: &str, head: &str) -> String {
    let lines = explanation.lines().skip_while(|line| *line != head).skip(1);
    let lines = lines.take_while(|line| line.is_empty() || line.starts_with("    "));
    lines.map(|line| line.trim_start_matches("    ")).collect::<Vec<_>>().join("\n")
}

#[test]
fn the_examples_of_the_codes_show_them() {
    // What these say is found when a question is asked.
    let later = [meaning::NO_INITIAL_STATE.id, meaning::OUT_OF_RANGE.id];
    for code in meaning::ALL.iter().filter(|code| !later.contains(&code.id)) {
        assert_eq!(codes(&example(code.explanation, "Wrong:")), [code.id], "{}", code.explanation);
        assert_eq!(codes(&example(code.explanation, "Right:")), [] as [&str; 0], "{}", code.explanation);
    }
}

#[test]
fn cells_are_laid_out_agent_by_agent() {
    let text = "system { environment = e[2]: 0  spawn = B: 1, A: 2 }
        stigmergy S { link = true  v, w: id, 7 }
        agent A { interface = m[2, 2]: 1  stigmergies = S  Behavior = Skip }
        agent B { interface = x: 0..3  Behavior = Skip }";
    let system = system(text);
    let names: Vec<String> = (0..system.initial.len())
        .map(|cell| {
            let (agent, name) = system.cell_name(cell);
            agent.map_or(name.clone(), |agent| format!("{}: {name}", system.agent_name(agent)))
        })
        .collect();
    let of_a = |id: usize| {
        ["m[0, 0]", "m[0, 1]", "m[1, 0]", "m[1, 1]", "v", "w"].map(|name| format!("A {id}: {name}"))
    };
    let expected: Vec<String> = ["e[0]".to_owned(), "e[1]".to_owned()]
        .into_iter()
        .chain(of_a(0))
        .chain(of_a(1))
        .chain(["B 2: x".to_owned()])
        .collect();
    assert_eq!(names, expected);
    assert_eq!(system.initial[12], Initial::OneOf(vec![1]), "the id of the second agent");
    assert_eq!(system.initial[14], Initial::Range(0, 3));
}

#[test]
fn definitions_of_the_system_are_there_once_per_kind_that_calls_them() {
    let text = "system { spawn = A: 1, B: 1  Step = x <- 1; Step }
        agent A { interface = x: 0  Behavior = Step }
        agent B { interface = y: 0; x: 0  Behavior = y <- 1; Step }
        agent C { Behavior = Nil }";
    let system = system(text);
    let steps: Vec<_> = system.definitions.iter().filter(|one| one.name == "Step").collect();
    assert_eq!(steps.len(), 2);
    assert!(steps.iter().all(|one| matches!(system.processes[one.body], Process::Sequence(_))));
}

#[test]
fn recursion_needs_a_step_and_an_end() {
    let behavior = |body: &str| {
        codes(&format!(
            "system {{ spawn = A: 1 }} agent A {{ interface = x: 0  Behavior = {body}  P = x <- 1 }}"
        ))
    };
    for fine in
        ["P; Behavior", "(P ++ Skip); Behavior", "x = 0 -> P; (x = 1 -> Behavior)", "(P || P); Behavior"]
    {
        assert_eq!(behavior(fine), [] as [&str; 0], "{fine}");
    }
    for unguarded in ["Behavior", "(x = 0 -> Behavior)", "Behavior || P", "Behavior; P"] {
        assert_eq!(behavior(unguarded), ["E0712"], "{unguarded}");
    }
    for unbounded in ["P; Behavior; P", "P; (Behavior || P)", "P; (P ++ (Behavior; Skip))"] {
        assert_eq!(behavior(unbounded), ["E0713"], "{unbounded}");
    }
}

#[test]
fn parameters_are_numbers_of_the_call() {
    let text = "system { extern = _n, _m  spawn = A: _n } agent A { interface = x: 0.._m  Behavior = Skip }";
    let given = |all: &[(&str, i64)]| -> Parameters {
        all.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect()
    };
    let loaded = load(text, &given(&[("n", 2), ("m", 4)]));
    let system = loaded.system.expect("it has a meaning");
    assert_eq!((system.agents.len(), system.initial[1].count()), (2, 4));
    let loaded = load(text, &given(&[("n", 2), ("k", 4)]));
    let found: Vec<&str> = loaded.diagnostics.iter().map(|one| one.code.id).collect();
    assert_eq!(found, ["E0715", "E0714"]);
}
