use insta::assert_snapshot;

use super::advice::{Advice, Difference, Nearest};
use super::document::Document;
use super::text::{Detail, Style, grouped, header, question, time};
use super::*;
use paramcheck_model::statistics::Statistics;
use paramcheck_text::diagnostic::Diagnostic;
use paramcheck_text::diagnostic::codes::input;
use paramcheck_text::source::{SourceFile, Span};

fn component(name: &str, initial: &str, node: usize) -> Component {
    let (component_type, number) = name.split_once('#').unwrap();
    Component {
        name: name.into(),
        component_type: component_type.into(),
        initial: initial.into(),
        node,
        variable: format!("x{number}"),
    }
}

fn node(rule: &str, parent: Option<usize>, children: &[usize]) -> Node {
    Node { rule: rule.into(), parent, children: children.to_vec() }
}

fn ring() -> Instance {
    Instance {
        size: 4,
        term: "Ring.1(Chain.2^2(Chain.1))".into(),
        components: vec![
            component("Node#1", "idle", 1),
            component("Node#2", "idle", 2),
            component("Node#3", "busy", 3),
            component("Root#1", "go", 3),
        ],
        tree: vec![
            node("Ring.1", None, &[1]),
            node("Chain.2", Some(0), &[2]),
            node("Chain.2", Some(1), &[3]),
            node("Chain.1", Some(2), &[]),
        ],
    }
}

fn marking(states: [&str; 4]) -> Vec<Place> {
    let names = ["Node#1", "Node#2", "Node#3", "Root#1"];
    let place = |(component, state): (&str, &str)| Place { component: component.into(), state: state.into() };
    names.into_iter().zip(states).map(place).collect()
}

fn participant(component: &str, port: Option<&str>, from: &str, to: &str) -> Participant {
    Participant {
        component: component.into(),
        port: port.map(str::to_owned),
        from: from.into(),
        to: to.into(),
    }
}

fn open() -> Question {
    Question {
        is_shortest: true,
        error: "lost".into(),
        formula: "#Node.busy == 0".into(),
        verdict: Answer::Unknown,
        invariants: vec![],
        dropped_interactions: 0,
        exclusive_pairs: 0,
        smallest_instance: Instance {
            size: 1,
            term: "Ring.1".into(),
            components: vec![component("Node#1", "idle", 0)],
            tree: vec![node("Ring.1", None, &[])],
        },
        instance: None,
        marking: None,
        candidates: vec![],
        trace: None,
        remarks: vec![],
        vacuous: None,
        time_ms: 12.34,
        engines: vec![],
        reason: Some(Reason { code: "time-limit", text: "the time limit was reached".into(), at: None }),
        tried: vec!["trap".into()],
        explored: Some(Explored { up_to_size: 0, instances: 0, states: 0 }),
        nearest: None,
        advice: vec![Advice {
            code: "more-time",
            text: "give it more time (`--time-limit`)".into(),
            command: None,
            model: None,
        }],
        proof: None,
        certificate: None,
        why: None,
    }
}

fn proved() -> Question {
    Question {
        is_shortest: true,
        verdict: Answer::Proved,
        invariants: vec!["trap".into(), "exactly:2".into()],
        dropped_interactions: 1,
        reason: None,
        tried: vec![],
        explored: None,
        advice: vec![],
        proof: Some(ProofSize { configurations: 12, sets: 1234, parts: 1 }),
        certificate: Some("lost.json".into()),
        ..open()
    }
}

fn violated() -> Question {
    let exchange = Step {
        rule: "Chain.2".into(),
        node: 2,
        interaction: Some(0),
        text: "out(x1) in(y)".into(),
        participants: vec![
            participant("Node#3", Some("out"), "busy", "idle"),
            participant("Root#1", Some("in"), "go", "go"),
        ],
    };
    let internal = Step {
        rule: "Chain.2".into(),
        node: 1,
        interaction: None,
        text: String::new(),
        participants: vec![participant("Node#1", None, "idle", "off")],
    };
    Question {
        is_shortest: true,
        verdict: Answer::Violated,
        reason: None,
        tried: vec![],
        explored: None,
        instance: Some(ring()),
        marking: Some(marking(["off", "idle", "idle", "go"])),
        trace: Some(vec![exchange, internal]),
        remarks: vec![Remark { code: "idle-components", text: "Node#2 takes part in nothing".into() }],
        advice: vec![draw("paramcheck draw a".into())],
        ..open()
    }
}

fn spurious() -> Question {
    Question {
        is_shortest: true,
        instance: Some(ring()),
        marking: Some(marking(["idle", "busy", "busy", "go"])),
        reason: Some(Reason {
            code: "spurious",
            text: "the invariants allow the candidate below".into(),
            at: None,
        }),
        tried: vec!["trap".into(), "mutex".into()],
        dropped_interactions: 2,
        explored: Some(Explored { up_to_size: 7, instances: 1, states: 12345 }),
        nearest: Some(Nearest {
            differences: vec![Difference {
                component: "Node#2".into(),
                candidate: "busy".into(),
                reached: "idle".into(),
            }],
            of_all: true,
        }),
        advice: vec![
            Advice {
                code: "history-state",
                text: "let each Node remember".into(),
                command: Some("paramcheck a c".into()),
                model: Some("component Node {\n    states a;\n}".into()),
            },
            Advice {
                code: "more-states",
                text: "more states".into(),
                command: Some("paramcheck a b".into()),
                model: None,
            },
            draw("paramcheck draw a".into()),
        ],
        ..open()
    }
}

fn draw(command: String) -> Advice {
    Advice { code: "draw", text: "draw it".into(), command: Some(command), model: None }
}

fn shown(report: &Question, detail: Detail) -> String {
    question(report, "  ", &Style { detail, name_width: 6, ..Style::default() })
}

#[test]
fn a_proof_is_one_line() {
    assert_snapshot!(shown(&proved(), Detail::Normal), @"  proved    lost    for every size, by trap + exactly:2, 1 dead transition dropped  (12 ms)");
}

#[test]
fn a_proof_in_full() {
    assert_snapshot!(shown(&proved(), Detail::Verbose), @r#"
    proved    lost    for every size, by trap + exactly:2, 1 dead transition dropped  (12 ms)
        error:     #Node.busy == 0
        proof:     checked: 12 configurations, 1,234 sets, 1 part
        written:   lost.json
        smallest:  1 component, Ring.1
          Node  #1 idle
    "#);
}

#[test]
fn an_error_without_markings_needs_no_invariants() {
    let report = Question { invariants: vec![], dropped_interactions: 0, ..proved() };
    assert_snapshot!(shown(&report, Detail::Normal), @"  proved    lost    for every size: no marking at all is an error  (12 ms)");
}

#[test]
fn a_violation_shows_instance_steps_and_marking() {
    assert_snapshot!(shown(&violated(), Detail::Normal), @r#"
    violated  lost    4 components, 2 steps  (12 ms)
        instance:  4 components, Ring.1(Chain.2^2(Chain.1))
          Node  #1..#2 idle, #3 busy
          Root  #1 go
        remark:    Node#2 takes part in nothing
        steps:
          1. Chain.2: out(Node#3) in(Root#1)  Node#3 busy -> idle
          2. Chain.2: Node#1 alone            Node#1 idle -> off
        reached:
          Node  #1 off, #2..#3 idle
          Root  #1 go
        draw:      paramcheck draw a
    "#);
}

#[test]
fn a_violation_may_need_no_step() {
    let report = Question { trace: Some(vec![]), remarks: vec![], ..violated() };
    assert_snapshot!(shown(&report, Detail::Normal), @r#"
    violated  lost    4 components, at the start  (12 ms)
        instance:  4 components, Ring.1(Chain.2^2(Chain.1))
          Node  #1..#2 idle, #3 busy
          Root  #1 go
        steps:     none: the initial marking is an error
        draw:      paramcheck draw a
    "#);
}

#[test]
fn an_unknown_shows_what_is_known() {
    assert_snapshot!(shown(&spurious(), Detail::Normal), @r#"
    unknown   lost    not proved, no violation found  (12 ms)
        reason:    the invariants allow the candidate below
        candidate: 4 components, Ring.1(Chain.2^2(Chain.1))
          Node  #1..#2 idle, #3 busy
          Root  #1 go
        marking:
          Node  #1 idle, #2..#3 busy
          Root  #1 go
        nearest:   the nearest marking that is reached differs from the candidate in 1 component:
                   Node#2 is `idle` there and `busy` in the candidate
        tried:     trap, mutex
        dropped:   2 transitions of interactions, dead in every instance
        explored:  no instance of up to 7 components reaches the error (1 instance, 12,345 states)
        next:      let each Node remember. Written out:
                     component Node {
                         states a;
                     }
                   paramcheck a c
        next:      more states
                   paramcheck a b
        draw:      paramcheck draw a
    "#);
}

#[test]
fn a_long_component_type_is_written_out_on_demand() {
    let lines = |count, detail| {
        let model = Some(vec!["line"; count].join("\n"));
        let advice = Advice { code: "history-state", text: "do".into(), command: Some("ask".into()), model };
        shown(&Question { advice: vec![advice], ..spurious() }, detail)
    };
    assert_eq!(lines(16, Detail::Normal).matches("  line\n").count(), 16);
    let long = lines(17, Detail::Normal);
    assert!(!long.contains("  line") && !long.contains("  ask") && long.contains("`--verbose`"), "{long}");
    assert_eq!(lines(17, Detail::Verbose).matches("  line\n").count(), 17);
}

#[test]
fn a_long_command_is_not_printed() {
    let lines =
        |length| shown(&Question { advice: vec![draw("x".repeat(length))], ..spurious() }, Detail::Normal);
    assert!(lines(400).contains("draw:      xxx"), "{}", lines(400));
    assert!(lines(401).contains("`--candidate PATH` writes the candidate"), "{}", lines(401));
}

#[test]
fn an_unknown_may_know_nothing() {
    assert_snapshot!(shown(&open(), Detail::Normal), @r#"
    unknown   lost    time limit reached  (12 ms)
        tried:     trap
        explored:  no instance was explored to the end
        next:      give it more time (`--time-limit`)
    "#);
}

#[test]
fn quiet_is_the_verdict_line() {
    assert_snapshot!(shown(&violated(), Detail::Quiet), @"  violated  lost    4 components, 2 steps  (12 ms)");
    assert_snapshot!(shown(&spurious(), Detail::Quiet), @"  unknown   lost    not proved, no violation found  (12 ms)");
}

#[test]
fn colours_only_where_wanted() {
    let style = Style { color: true, detail: Detail::Quiet, name_width: 4, full: false };
    assert_snapshot!(question(&violated(), "", &style).escape_debug(), @r#"\u{1b}[1;31mviolated\u{1b}[0m  lost  4 components, 2 steps  \u{1b}[2m(12 ms)\u{1b}[0m\n"#);
    assert!(!shown(&violated(), Detail::Verbose).contains('\x1b'));
}

fn statistics() -> Statistics {
    Statistics { types: 1, states: vec![2], predicates: 2, rules: 3, interactions: 3, kappa: 1 }
}

#[test]
fn the_header_has_the_facts() {
    assert_snapshot!(header("ring.rs", "Ring", &statistics(), &Style::default()), @"ring.rs: system Ring, 1 component type (2 states), 2 predicates, 3 rules, 3 interactions, κ = 1");
}

#[test]
fn numbers_and_times_read_well() {
    assert_eq!([0, 999, 1000, 1234567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
    let times = [0.0, 1.24, 9.96, 999.4, 999.6, 12_345.0, 119_600.0, 3_600_000.0].map(time);
    assert_eq!(times, ["0.0 ms", "1.2 ms", "10 ms", "999 ms", "1.0 s", "12 s", "2 min 0 s", "60 min 0 s"]);
}

#[test]
fn one_file_looks_like_several() {
    let mut document = Document::<(), _>::new("check");
    document.begin("ring.rs");
    document.add(violated());
    let one = serde_json::to_value(&document).unwrap();
    assert_eq!((&one["schema_version"], &one["command"]), (&2.into(), &"check".into()));
    assert_eq!(
        (&one["files"][0]["file"], &one["results"][0]["file"]),
        (&"ring.rs".into(), &"ring.rs".into())
    );
    assert_eq!(one["results"][0]["verdict"], "violated");
    assert_eq!(one["results"][0]["trace"][1]["interaction"], serde_json::Value::Null);
    document.begin("empty.rs");
    document.begin("star.rs");
    document.add(violated());
    let all = serde_json::to_value(&document).unwrap();
    assert_eq!((&all["files"][0], &all["results"][0]), (&one["files"][0], &one["results"][0]));
    assert_eq!(
        (&all["files"][2]["file"], &all["results"][1]["file"]),
        (&"star.rs".into(), &"star.rs".into())
    );
}

#[test]
fn diagnostics_have_places() {
    let source = SourceFile::new("ring.rs", "system X;\nörror y;\n");
    let found = Diagnostic::new(&input::NO_SUCH_ERROR, "no such error", Span::new(10, 16), "here").help("h");
    let report = json::diagnostic(&found, Some(&source));
    assert_eq!(
        (report.line, report.column, report.end_line, report.end_column),
        (Some(2), Some(1), Some(2), Some(6))
    );
    assert_eq!((report.code, report.severity, report.source.as_deref()), ("E0004", "error", Some("ring.rs")));
    let report = json::diagnostic(&found, None);
    assert_eq!((report.line, report.source, report.labels), (None, None, vec![]));
}
