//! Pictures of processes and choreographies: all agents, their states and steps, and runs.

use std::fs;
use std::path::Path;

use paramcheck::picture::{NotDrawn, process};
use paramcheck_emulation::process::encode;
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
    assert!(refused.is_empty(), "{refused:?}");
}

/// The picture of a CCS text, or why there is none.
fn drawn(text: &str) -> Result<String, String> {
    let system = load(text, Language::Ccs).system.unwrap();
    process::agents(&system, &Budget::unlimited()).map_err(|error| error.to_string())
}

/// The titles of its automata, several in one as they are.
fn titles<'a>(document: &'a Document<'a>) -> Vec<&'a str> {
    let is_title = |node: &roxmltree::Node| node.attribute("font-size") == Some("14");
    let all = document.descendants().filter(|node| node.has_tag_name("text"));
    all.filter(is_title).filter_map(|node| node.text()).collect()
}

/// Components have the names of the counters of triples, and no others.
#[test]
fn components_of_an_agent_are_drawn_one_by_one() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let fork_join = fs::read_to_string(root.join("examples/ccs/fork-join.ccs")).unwrap();
    for text in [
        &fork_join,
        "A = a.(b.0 | c.0); system A | 'a.0;",
        "A = (b.B | c.0); d.A; B = (x.0 | y.0); e.0; system A;",
        "A = a.(b.0 | (c.0; (d.0 | e.0))); system A | A;",
        "A = a.((b.0 | c.0)[d/b]; e.0) + f.A; system A;",
        "A = a.((b.0 |[b]| b.c.0); A); system (A | 'a.0) \\ {a};",
    ] {
        let system = load(text, Language::Ccs).system.unwrap_or_else(|| panic!("{text}"));
        let picture = drawn(text).unwrap();
        let document = Document::parse(&picture).unwrap();
        check_frame(text, &document);
        let mut names: Vec<&str> = titles(&document).iter().flat_map(|title| title.split(", ")).collect();
        names.sort_unstable();
        let structure = encode(&system, &Budget::unlimited()).unwrap();
        let mut counters: Vec<&str> = structure.counters.iter().map(|one| one.name.as_str()).collect();
        counters.sort_unstable();
        assert_eq!(names, counters, "{text}");
        assert!(words(&document).contains(&"λ join"), "{text}");
    }
    // Of agents that are the same, components have several names.
    assert!(drawn("A = a.(b.0 | c.0); system A | A;").unwrap().contains(">.1 | .2<"));
    let picture = drawn(&fork_join).unwrap();
    let document = Document::parse(&picture).unwrap();
    let words = words(&document);
    for word in ["ROUND.1 | ROUND.2 | ROUND.3", "λ join", "summary", "s1", "s2", "s3"] {
        assert!(words.contains(&word), "{word}: {words:?}");
    }
    // Per task it may start, finish, fail and be done by hand.
    assert_eq!(groups(&document, "transition").len(), 2 + 3 * 4);
}

/// What only takes part as a whole is drawn as a whole, or refused with the reason.
#[test]
fn an_agent_that_cannot_be_taken_apart_is_drawn_as_a_whole() {
    let long = |name: &str| format!("{}0", format!("{name}.").repeat(9));
    let (p, q) = (long("p"), long("q"));
    let count = |text: &str| {
        let picture = drawn(text).unwrap();
        let document = Document::parse(&picture).unwrap();
        (titles(&document).len(), groups(&document, "state").len())
    };
    // A restriction around it: `b` only happens together.
    let restricted = "A = a.((b.c.0 | 'b.d.0) \\ {b}); system A;";
    assert_eq!(count(restricted), (1, 6));
    assert!(drawn(restricted).unwrap().contains(">τ<"));
    assert_eq!(count(&format!("A = a.(({p} | {q}) \\ {{b}}); system A;")), (3, 3 + 10 + 10));
    assert_eq!(count("A = (a.0 | b.0) + c.0; system A;"), (1, 5));
    let refused = drawn(&format!("A = ({p} | {q}) + c.0; system A;")).unwrap_err();
    assert!(refused.contains("more than 60 states") && refused.contains("alternative"), "{refused}");
    // Alternatives that share what they are made of are looked at once.
    let mut shared = String::from("A0 = a.0; ");
    for number in 1..60 {
        shared += &format!("A{number} = A{0} + A{0}; ", number - 1);
    }
    assert_eq!(count(&format!("{shared} system A59;")), (1, 2));
    let many = vec!["a.0"; 61].join(" | ");
    let refused = drawn(&format!("A = ({many}); b.0; system A;")).unwrap_err();
    assert!(refused.contains("more than 60 components"), "{refused}");
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
