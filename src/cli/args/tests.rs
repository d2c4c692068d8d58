use clap::{CommandFactory, Parser};

use super::*;

fn check(words: &[&str]) -> CheckArguments {
    Arguments::try_parse_from([&["paramcheck"], words].concat()).unwrap().check
}

#[test]
fn the_definition_is_consistent() {
    Arguments::command().debug_assert();
}

#[test]
fn lists_of_invariants() {
    let choice = |text: &str| parse_invariants(text).unwrap();
    assert_eq!(choice("trap").stages, vec![vec![InvariantKind::TRAP]]);
    assert_eq!(choice("mutex, trap,mutex").stages, vec![vec![InvariantKind::TRAP, InvariantKind::MUTEX]]);
    assert_eq!(choice("exactly:2,at-most:3").kinds(), [InvariantKind::Exactly(2), InvariantKind::AtMost(3)]);
    assert_eq!(choice("all").kinds(), InvariantKind::all_up_to(2));
    assert_eq!(choice("all:4").kinds(), InvariantKind::all_up_to(4));
    assert_eq!(choice("linear,modulo:3").kinds(), [InvariantKind::Linear(4), InvariantKind::Modulo(3)]);
    assert_eq!(choice("linear:2").kinds(), [InvariantKind::Linear(2)]);
    assert!(!choice("trap").dead_interactions);
    assert!(choice("dead,trap").dead_interactions);
    let (without, with) = (choice("trap,dead"), choice("exclusive,trap"));
    assert!(!without.exclusive && with.exclusive && !with.dead_interactions);
    assert_eq!(with.kinds(), [InvariantKind::TRAP]);
}

#[test]
fn bad_lists_of_invariants() {
    let message = |text: &str| parse_invariants(text).unwrap_err();
    assert!(message("trpa").ends_with("did you mean `trap`?"), "{}", message("trpa"));
    assert!(message("at-leats:2").ends_with("did you mean `at-least`?"));
    assert!(!message("zzz").contains("did you mean"));
    assert!(message("linaer:2").ends_with("did you mean `linear`?"));
    assert!(message("exclsive").ends_with("did you mean `exclusive`?"));
    for bad in [
        "",
        "dead",
        "exclusive",
        "dead,exclusive",
        "trap,exclusive:2",
        "all:0",
        "all:101",
        "all:x",
        "exactly:0",
        "at-least:0",
        "mutex:2",
        "trap,,mutex",
    ] {
        message(bad);
    }
    for bad in ["linear:0", "linear:101", "modulo", "modulo:1", "modulo:2", "modulo:17"] {
        message(bad);
    }
    // The range in the message is the range that is accepted.
    for (kind, least, most) in [
        ("at-least", 1, 100),
        ("exactly", 1, 100),
        ("at-most", 0, 100),
        ("linear", 1, 100),
        ("modulo", 3, 16),
    ] {
        for taken in [least, most] {
            assert_eq!(parse_invariants(&format!("{kind}:{taken}")).unwrap().kinds().len(), 1);
        }
        for bad in ["x".to_owned(), (most + 1).to_string(), "-1".to_owned(), "1000".to_owned()] {
            let text = message(&format!("{kind}:{bad}"));
            assert!(text.ends_with(&format!("give a number from {least} to {most}")), "{text}");
        }
    }
    assert_eq!(message("exactly:0"), "`exactly:0` is `siphon`: say that, or give a number from 1 to 100");
}

#[test]
fn limits() {
    let arguments = check(&["a.rs", "--time-limit", "0.25", "--memory-limit", "64", "--max-states", "1_000"]);
    assert_eq!(arguments.limits.time_limit, Some(Duration::from_millis(250)));
    assert_eq!((arguments.limits.memory_limit, arguments.max_states), (Some(64), 1000));
    for bad in ["-1", "nan", "inf", "1e300", "soon", ""] {
        assert!(parse_seconds(bad).is_err(), "{bad}");
    }
    for bad in ["", "_", "-1", "1.5"] {
        assert!(parse_count(bad).is_err(), "{bad}");
    }
}

#[test]
fn files_called_like_commands_need_a_folder() {
    let words = |words: &[&str]| Arguments::try_parse_from([&["paramcheck"], words].concat()).unwrap();
    assert!(matches!(words(&["fmt", "a.rs"]).command, Some(Command::Fmt(_))));
    assert!(words(&["./fmt", "a.rs"]).command.is_none());
    // A command comes first; reading the file `fmt` then fails with a hint.
    assert!(words(&["--json", "fmt", "a.rs"]).command.is_none());
}

#[test]
fn colours_are_known_before_parsing() {
    let color = |words: &[&str]| color_of(&words.iter().map(OsString::from).collect::<Vec<_>>());
    assert_eq!(color(&["paramcheck", "a.rs"]), Color::Auto);
    assert_eq!(color(&["paramcheck", "--color=never", "a.rs"]), Color::Never);
    assert_eq!(color(&["paramcheck", "a.rs", "--color", "always"]), Color::Always);
    assert_eq!(color(&["paramcheck", "--", "--color", "always"]), Color::Auto);
    assert_eq!(color(&["paramcheck", "--color", "sometimes"]), Color::Auto);
}

#[test]
fn names_near_by() {
    let names = ["exclusion", "deadlock"];
    assert_eq!(nearest("exlusion", names), Some("exclusion"));
    assert_eq!(nearest("DEADLOCK", names), Some("deadlock"));
    assert_eq!(nearest("x", names), None);
}
