//! Pictures of processes and choreographies: all agents, their states and steps, and runs.

use std::fs;
use std::path::Path;

use paramcheck::picture::{NotDrawn, process};
use paramcheck_process::semantics::explore::with_interpreter;
use paramcheck_process::{Language, load};
use paramcheck_text::limits::Budget;
use roxmltree::Document;

use super::{check_frame, groups, words};

#[test]
fn agents_are_drawn() {
    let mut count = 0;
    let mut refused = Vec::new();
    for folder in ["ccs", "chor"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples").join(folder);
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
            let Some(language) = Language::of_extension(extension) else { continue };
            let name = path.display().to_string();
            let system = load(&fs::read_to_string(&path).unwrap(), language).system.unwrap();
            let budget = Budget::unlimited();
            let text = match process::agents(&system, &budget) {
                Ok(text) => text,
                Err(error) => {
                    refused.push(format!("{}: {error}", path.file_name().unwrap().display()));
                    continue;
                }
            };
            let document = Document::parse(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
            check_frame(&name, &document);
            let names = with_interpreter(&system, &budget, |interpreter| interpreter.agent_names()).unwrap();
            let words = words(&document);
            for agent in names.iter().filter(|name| name.chars().count() < 20) {
                assert!(words.iter().any(|word| word.contains(agent.as_str())), "{name}: {agent}: {words:?}");
            }
            let heads = document.descendants().filter(|node| node.has_tag_name("polygon")).count();
            let arrows = groups(&document, "transition").len() + groups(&document, "initial").len();
            assert_eq!(heads, arrows, "{name}");
            count += 1;
        }
    }
    assert!(count > 25, "{count}");
    // An agent that is itself made of many in parallel.
    let expected =
        "fork-join.ccs: `ROUND` has more than 60 states, and a picture of them would not be legible";
    assert_eq!(refused, [expected]);
}

#[test]
fn each_state_and_each_action_is_there_and_the_same_agent_once() {
    let text = "P = a.b.P + c.0; system P | P | 'a.0;";
    let system = load(text, Language::Ccs).system.unwrap();
    let text = process::agents(&system, &Budget::unlimited()).unwrap();
    let document = Document::parse(&text).unwrap();
    let words = words(&document);
    for word in ["P#1, P#2", "P", "b.P", "a", "b", "c", "0", "'a"] {
        assert!(words.contains(&word), "{word}: {words:?}");
    }
    assert_eq!(groups(&document, "state").len(), 3 + 2);
    assert_eq!(groups(&document, "transition").len(), 3 + 1);
}

/// An agent with more states than can be drawn, or without end, is refused, not drawn in part.
#[test]
fn an_agent_that_is_too_large_is_refused() {
    for text in [format!("P = {}P; system P;", "a.".repeat(100)), format!("system {};", many())] {
        let system = load(&text, Language::Ccs).system.unwrap();
        let refused = process::agents(&system, &Budget::unlimited()).unwrap_err();
        assert!(!matches!(refused, NotDrawn::NoRun { .. }), "{refused}");
        assert!(refused.to_string().contains("would not be legible"), "{refused}");
    }
}

/// Agents that all differ.
fn many() -> String {
    let agents: Vec<String> = (0..61).map(|number| format!("a{number}.0")).collect();
    agents.join(" | ")
}
