//! The simulator: whatever its input, it stands where its steps lead.

use paramcheck::replay::replay;
use paramcheck::report::trace::TraceDocument;
use paramcheck::simulate::{Effect, Simulator};
use paramcheck_model::system::System;
use paramcheck_nets::instance::enumerate::trees;
use paramcheck_nets::instance::net::Net;
use paramcheck_nets::instance::unfold::unfold;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use super::support::{case, random, seeds, system};

fn with_simulator(system: &System, size: usize, seed: u64, run: impl FnOnce(&Net, Simulator)) {
    let Some(tree) = trees(system, size).next() else { return };
    let net = unfold(system, &tree);
    run(&net, Simulator::new(system, &tree, &net, Vec::new(), seed));
}

fn saved(simulator: &mut Simulator) -> TraceDocument {
    match simulator.react("save x.json").effect {
        Effect::Save { path, document } if path == "x.json" => *document,
        other => panic!("{other:?}"),
    }
}

fn say(simulator: &mut Simulator, line: &str) -> String {
    let reaction = simulator.react(line);
    assert_eq!(reaction.effect, Effect::None, "{line}");
    reaction.text
}

#[test]
fn it_stands_where_its_steps_lead() {
    let words = [
        "1", "2", "3", "17", "b", "b 3", "n", "f 2", "r", "r 7", "g 0", "g 4", "g 99", "reset", "e", "m", "?",
    ];
    let mut steps = 0;
    for seed in seeds(60, 60) {
        let Some((text, system)) = random::system(seed) else { continue };
        for size in 1..5 {
            with_simulator(&system, size, seed, |_, mut simulator| {
                let mut random = StdRng::seed_from_u64(seed);
                for _ in 0..40 {
                    say(&mut simulator, words[random.random_range(0..words.len())]);
                    let document = saved(&mut simulator);
                    assert_eq!(document.trace.len(), simulator.now());
                    // The document ends where the simulator reports that it stands, so the steps lead there.
                    replay(&system, &document)
                        .unwrap_or_else(|reason| panic!("seed {seed}: {reason}\n{text}"));
                    steps += document.trace.len();
                }
            });
        }
    }
    assert!(steps > 1000, "{steps}");
}

#[test]
fn a_seed_gives_one_walk() {
    let system = case("table1/star.rs");
    let walk = |seed| {
        let mut all = Vec::new();
        with_simulator(&system, 8, seed, |_, mut simulator| {
            let first = say(&mut simulator, "random 150");
            say(&mut simulator, "reset");
            assert_eq!(say(&mut simulator, "r 150"), first);
            all = saved(&mut simulator).trace;
        });
        all
    };
    let walks = [walk(1), walk(1), walk(2)];
    assert!(walks[0] == walks[1] && walks[0] != walks[2]);
    assert_eq!(walks[0].len(), 150);
}

#[test]
fn back_and_forth() {
    let system = case("table1/alt-philo-sym.rs");
    with_simulator(&system, 6, 0, |_, mut simulator| {
        let first = say(&mut simulator, "1");
        let second = say(&mut simulator, "2");
        assert_eq!(say(&mut simulator, "b"), first);
        assert_eq!(say(&mut simulator, "next"), second);
        assert_eq!(say(&mut simulator, "g 1"), first);
        // Another way makes the one known forgotten; the same one does not.
        say(&mut simulator, "b");
        say(&mut simulator, "1");
        assert_eq!(say(&mut simulator, "n"), second);
        say(&mut simulator, "b 2");
        assert_ne!(say(&mut simulator, "2"), first);
        assert!(say(&mut simulator, "n").contains("end of the way"));
        assert!(say(&mut simulator, "reset").starts_with("at the start\n"));
        assert!(say(&mut simulator, "next").contains("no way known"));
        // Fewer steps than wanted are reported.
        assert_eq!(say(&mut simulator, "back 3"), "at the start already: there is no step to take back\n");
        say(&mut simulator, "1");
        let start = say(&mut simulator, "back");
        say(&mut simulator, "1");
        assert_eq!(say(&mut simulator, "back 3"), format!("only 1 step to take back\n{start}"));
    });
}

#[test]
fn an_error_ends_a_walk_and_goes_into_the_trace() {
    let system = case("table1/alt-philo-sym.rs");
    for seed in 0..10 {
        with_simulator(&system, 6, seed, |net, mut simulator| {
            let text = say(&mut simulator, "random 100000");
            let document = saved(&mut simulator);
            assert_eq!(document.error.as_deref(), Some("deadlock"));
            assert!(text.ends_with("  error: `deadlock`\n  nothing is enabled\n"), "{text}");
            assert!(net.is_dead(&replay(&system, &document).unwrap().last()));
            assert!(say(&mut simulator, "1").contains("nothing is enabled"));
        });
    }
}

/// Where every component is in a final state, nothing is wrong, and that is said.
#[test]
fn a_walk_to_the_end_says_that_all_is_final() {
    let system = system(
        "component Node { states on, off; init on; final off; on -> off; }
         Row() <- new x, y, z . (Node(x), Node(y), Node(z));",
    );
    with_simulator(&system, 3, 0, |_, mut simulator| {
        let text = say(&mut simulator, "random 100");
        let end = "the walk ends here:\n  nothing is enabled: every component is in a final state\n";
        assert!(text.ends_with(end), "{text}");
        assert_eq!(text.matches("nothing is enabled").count(), 1, "{text}");
    });
}

#[test]
fn long_lists_and_walks_are_cut() {
    let system = case("table1/star.rs");
    with_simulator(&system, 40, 0, |_, mut simulator| {
        assert!(simulator.greeting().contains("… and 19 more; `list` shows all"), "{}", simulator.greeting());
        assert_eq!(say(&mut simulator, "l").lines().count(), 39);
        let text = say(&mut simulator, "r 5000");
        let told: Vec<&str> = text.lines().filter(|line| line.starts_with("step ") || *line == "…").collect();
        assert_eq!((told.len(), told[100]), (102, "…"));
        assert!(told[101].starts_with("step 5000 "), "{}", told[101]);
    });
}

#[test]
fn lines_that_mean_nothing() {
    let system = case("table1/star.rs");
    with_simulator(&system, 3, 0, |_, mut simulator| {
        let lines = [
            "0",
            "99999999999999999999999",
            "1 2",
            "-1",
            "b x",
            "b 0",
            "r 1000001",
            "g",
            "g -1",
            "save",
            "savee",
            "quit now",
            "marknig",
            "\u{1b}[31m",
            &"x".repeat(100_000),
            "é",
        ];
        let answers: Vec<String> = lines.iter().map(|line| say(&mut simulator, line)).collect();
        assert_eq!(say(&mut simulator, "  \t "), "");
        assert_eq!(simulator.now(), 0);
        insta::assert_snapshot!("simulator-refuses", answers.concat());
        assert_eq!(simulator.react(" quit ").effect, Effect::Quit);
    });
}
