//! Tests of lowering: locations, names and types beyond the examples of the codes, bounds of nesting.

use pretty_assertions::assert_eq;

use crate::load;
use crate::model::{Formula, StateAtom, System, Term};
use crate::parser::Options;
use crate::semantics::check::{Answer, Fairness, check};
use crate::semantics::explore::explore;
use paramcheck_text::limits::Budget;

fn codes(text: &str) -> Vec<&'static str> {
    load(text, Options::default()).diagnostics.iter().map(|one| one.code.id).collect()
}

fn system(text: &str) -> System {
    let loaded = load(text, Options::default());
    assert_eq!(loaded.diagnostics, [], "{text}");
    loaded.system.unwrap()
}

/// The edges of a process, by label.
fn edges(process: &str, is_article: bool) -> Vec<(String, usize, usize)> {
    let (head, command) =
        if is_article { ("channels: c\n", "<TRUE> c? []") } else { ("enum channel {c}\n", "{true} c? []") };
    let mut text = String::new();
    for letter in process.chars() {
        match letter {
            'a'..='q' => text.push_str(&format!("{letter}_: {command} ")),
            'R' => text.push_str("rep "),
            other => text.push(other),
        }
    }
    let truth = if is_article { "TRUE" } else { "true" };
    let text = format!("{head}agent A repeat: {text}\nsystem = A(one, {truth})");
    let loaded = load(&text, Options::default());
    let agents = loaded.system.unwrap().agents;
    let commands = agents.iter().flat_map(|agent| agent.commands.clone());
    commands.map(|one| (one.label.unwrap().replace('_', ""), one.source, one.target)).collect()
}

#[test]
fn locations_are_numbered_as_the_tool_does() {
    let of = |process, is_article| -> String {
        let edges = edges(process, is_article);
        edges.iter().map(|(label, source, target)| format!("{source}{label}{target} ")).collect()
    };
    assert_eq!(of("a", false), "0a0 ");
    assert_eq!(of("a;b;c", false), "0a2 2b1 1c0 ");
    assert_eq!(of("a;b;c", true), "0a1 1b2 2c0 ");
    assert_eq!(of("a;(b;c)", false), "0a1 1b2 2c0 ");
    assert_eq!(of("(a;b)+(c;d)", false), "0a1 1b0 0c2 2d0 ");
    assert_eq!(of("(a;b);(c;d)", false), "0a2 2b1 1c3 3d0 ");
    assert_eq!(of("a;(R(b;c)+d)", false), "0a1 1b2 2c1 1d0 ");
    assert_eq!(of("Ra+b", false), "0a0 0b0 ");
}

const MODEL: &str = "enum channel {c, d}\nenum colour {red}\nmessage-structure: M : bool, N : 0..3\n\
    property-variables: p : bool, q : int\nguard both(a : bool, b : bool) := a & b;\n\
    agent A local: x : bool, n : int, to : channel, l : location init: !x & n = 0 & to = c & l = myself\n\
      relabel: p <- x q <- n receive-guard: chan = to repeat: ( s: {x} to! (@p & M)(M := x)[n := n + 1]; r: {both(M, x)} c? [x := M] )\n\
    agent B local: x : colour relabel: p <- false repeat: ( s: {true} *! (true)()[] )\n\
    system = A(one, true) || A(two, true) || B(three, true)\n";

#[test]
fn a_model_that_is_right_has_no_message() {
    let made = system(MODEL);
    assert_eq!(made.channels, ["*", "c", "d"]);
    assert_eq!(made.instances.as_slice()[1].bounds, [(0, 0), (0, 0), (1, 1), (1, 1)]);
}

#[test]
fn properties_are_checked_for_what_they_name() {
    let of = |spec: &str| codes(&format!("{MODEL}SPEC {spec}"));
    for right in [
        "forall k : A . G (k-x -> k-n = 0)",
        "one-l = two & one != two",
        "forall k : Agent . F k-s",
        "[[producer = one & N < 3 & supplier-p]] false",
        "<<forall(p -> @p) & !exists(!p)>> true",
        "(F one-x) <-> (G two-x)",
        "one-to = * | one-to != c",
    ] {
        assert_eq!(of(right), [""; 0], "{right}");
    }
    for (wrong, code) in [
        // The colour of B and the truth of A.
        ("forall k : A | B . G (k-x = k-x)", "E1007"),
        ("x", "E1002"),
        ("forall k : C . true", "E1004"),
        ("one-n", "E1007"),
        ("one-n = three-x", "E1007"),
        ("one-x < two-x", "E1007"),
        ("M", "E1010"),
        ("@p", "E1010"),
        ("chan = c", "E1010"),
        ("one-l = myself", "E1010"),
        ("<<one-x>> true", "E1010"),
        ("<<F M>> true", "E1009"),
        ("(F one-x) = two-x", "E1009"),
        ("forall(p)", "E1009"),
        ("<<exists(q = 1)>> true", "E1019"),
        ("<<myself = one>> true", "E1010"),
        ("both(one-x, 1)", "E1007"),
    ] {
        let mut found = of(wrong);
        found.dedup();
        assert_eq!(found, [code], "{wrong}");
    }
}

#[test]
fn quantifiers_are_expanded_in_the_order_of_the_system() {
    let made =
        system(&format!("{MODEL}SPEC forall k : A . k-x; SPEC exists k : A . forall j : A . k = j | F j-x"));
    let Formula::State(Term::All(all)) = &made.specs[0].formula else { panic!("{:?}", made.specs[0]) };
    let ids: Vec<_> = made.instances.indices().collect();
    assert_eq!(all[..], [0, 1].map(|at| Term::Atom(StateAtom::Local(ids[at], 0))));
    let Formula::Any(any) = &made.specs[1].formula else { panic!("{:?}", made.specs[1]) };
    assert_eq!(any.len(), 2);
}

#[test]
fn a_quantifier_over_nothing_is_checked_all_the_same() {
    let text = "message-structure: M : bool\nagent A local: x : bool repeat: ( {true} *! (true)()[] )\n\
                agent B local: y : bool repeat: ( {true} *! (true)()[] )\nsystem = A(one, true)\nSPEC ";
    let made = system(&format!("{text} forall k : B . k-y; SPEC exists k : B . k-y"));
    let space = explore(&made, 10, &Budget::unlimited()).unwrap();
    let holds = |spec| check(&made, &space, &made.specs[spec], Fairness::Unfair) == Answer::Holds;
    assert!(holds(0) && !holds(1));
    assert_eq!(codes(&format!("{text} forall k : B . k-x")), ["E1006"]);
}

#[test]
fn what_is_nested_as_deep_as_may_be_has_a_meaning() {
    let wide: String = (0..90).map(|_| "(one-x -> (one-x | ").collect();
    let spec = format!("{wide} one-x{}", ")".repeat(180));
    let mut text = "message-structure: M : bool\n".to_owned();
    let mut guard = "b".to_owned();
    for _ in 0..45 {
        guard = format!("(b -> ({guard} | b))");
    }
    text += &format!("guard g(b : bool) := {guard};\n");
    text += "agent A local: x : bool init: !x repeat: ( {g(!x)} *! (g(x))(M := x)[x := !x] )\nsystem = A(one, true)\n";
    // Too deep for the parser, or just not.
    assert_eq!(codes(&format!("{text}SPEC {spec}")), ["E0906"]);
    let half: String = (0..49).map(|_| "(F one-x -> G (one-x | ").collect();
    let made = load(&format!("{text}SPEC {half} one-x{}", ")".repeat(98)), Options::default()).system;
    let made = made.unwrap_or_else(|| system(&format!("{text}SPEC true")));
    assert!(explore(&made, 10, &Budget::unlimited()).is_ok());
    let chain = format!("{text}SPEC one-x{}", " -> one-x".repeat(200));
    assert!(load(&chain, Options { as_rcheck: true }).diagnostics.iter().all(|one| one.code.id != "E0908"));
    let made = load(&chain, Options::default()).system.unwrap();
    let space = explore(&made, 10, &Budget::unlimited()).unwrap();
    assert_eq!(check(&made, &space, &made.specs[0], Fairness::Unfair), Answer::Holds);
    let chain = format!("{text}SPEC F one-x{}", " <-> F one-x".repeat(60));
    assert!(load(&chain, Options::default()).system.is_some());
}

#[test]
fn an_agent_that_nobody_asks_need_not_relabel() {
    let text = |system: &str| {
        format!(
            "message-structure: M : bool\nproperty-variables: p : bool\n\
             agent A repeat: ( {{true}} *! (@p)()[] )\nagent B relabel: p <- true repeat: ( {{true}} *? [] )\nsystem = {system}"
        )
    };
    assert_eq!(codes(&text("A(one, true) || B(two, true)")), [""; 0]);
    assert_eq!(codes(&text("A(one, true) || A(two, true)")), ["E1011"]);
}
