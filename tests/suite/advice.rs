//! What is advised where a question is open: who follows it has an answer.

use std::time::Duration;

use paramcheck_invariants::kind::InvariantKind;
use paramcheck_model::error::NamedError;
use paramcheck_model::history::{History, with_history};
use paramcheck_model::system::System;
use paramcheck_text::limits::Budget;
use paramcheck_verdict::advice::{Advice, Suggestion, advise};
use paramcheck_verdict::{InvariantChoice, Options, Reason, Status, Unknown, decide};

use super::support::system;

const PIPE: &str = include_str!("../cases/open/pipe.rs");
const PIPE_CLOSED: &str = include_str!("../cases/open/pipe-closed.rs");
const LOCK_COUPLING: &str = include_str!("../cases/open/lock-coupling.rs");
const DETECTION: &str = include_str!("../cases/open/detection.rs");
const TWO_CELLS: &str = include_str!("../cases/open/two-cells.rs");
const FIFO: &str = include_str!("../../examples/chains/fifo.rs");
const ONE_PORT: &str = include_str!("../../examples/unknown/one-port.rs");
const TWO_PORTS: &str = include_str!("../../examples/modelling/phase-ports.rs");
const VOTES: &str = include_str!("../../examples/unknown/votes.rs");
const WHOSE_VOTE: &str = include_str!("../../examples/unknown/whose-vote.rs");
const THIEF: &str = include_str!("../cases/classic/loose-mutex-thief.rs");

/// An error of a text, which is open with these options, and what is said about it.
fn open(text: &str, error: &str, options: &Options) -> (System, NamedError, Unknown, Advice) {
    let system = system(text);
    let error = system.error_named(error).unwrap();
    let Status::Unknown(unknown) = decide(&system, &error, options).unwrap().status else {
        panic!("{} is not open", error.name)
    };
    let advice = advise(&system, &error, &unknown, options);
    (system, error, unknown, advice)
}

/// Few states: nothing here is found by searching long.
fn quick() -> Options {
    Options { max_states: 20_000, ..Options::default() }
}

#[test]
fn who_follows_the_advice_to_remember_has_a_proof() {
    let cases = [
        (PIPE, "late", "Cell", "eof"),
        (PIPE, "deadlock", "Cell", "eof"),
        (LOCK_COUPLING, "overtake", "Cell", "r"),
        (FIFO, "overtaken", "Cell", "a"),
    ];
    for (text, error, component, state) in cases {
        let (system, error, _, advice) = open(text, error, &quick());
        let [Suggestion::History(found)] = &advice.suggestions[..] else {
            panic!("{:?}", advice.suggestions)
        };
        let [memory] = &found.memories[..] else { panic!("{found:?}") };
        let History::Visited(visited) = memory.history else { panic!("{found:?}") };
        assert_eq!(system.state_name(memory.component, visited), format!("{component}.{state}"));
        let after = with_history(&system, &error, memory.component, memory.history).unwrap();
        assert_eq!((&after.system, &after.error), (&found.system, &found.error));
        is_proved(&after.system, &after.error);
    }
}

fn is_proved(system: &System, error: &NamedError) {
    let status = decide(system, error, &Options::default()).unwrap().status;
    let Status::Proved(proved) = status else { panic!("{}: {status:?}", error.name) };
    assert!(proved.certificate.is_some());
}

/// Where no type alone can remember enough.
#[test]
fn two_types_may_have_to_remember() {
    let (system, error, _, advice) = open(TWO_CELLS, "late", &quick());
    let [Suggestion::History(found)] = &advice.suggestions[..] else { panic!("{:?}", advice.suggestions) };
    let visited = found.memories.iter().map(|memory| match memory.history {
        History::Visited(state) => system.state_name(memory.component, state),
        History::CameBy(_) => panic!("{memory:?}"),
    });
    assert_eq!(visited.collect::<Vec<_>>(), ["Shelf.mark", "Cell.eof"]);
    is_proved(&found.system, &found.error);
    // Neither of them suffices alone.
    for memory in &found.memories {
        let after = with_history(&system, &error, memory.component, memory.history).unwrap();
        let status = decide(&after.system, &after.error, &quick()).unwrap().status;
        assert!(matches!(status, Status::Unknown(_)), "{memory:?}: {status:?}");
    }
}

/// The same question has the same advice however much time there is: what it may cost is counted. A run that
/// must end has less of it.
#[test]
fn advice_does_not_depend_on_time() {
    let hour = Budget::for_duration(Duration::from_secs(3600));
    let mut cases = 0;
    for (text, error) in [(PIPE, "late"), (TWO_CELLS, "late"), (DETECTION, "early")] {
        let (system, error, unknown, advice) = open(text, error, &quick());
        let again = advise(&system, &error, &unknown, &Options { budget: hour.clone(), ..quick() });
        assert_eq!(again.suggestions, advice.suggestions, "{}", error.name);
        let over = Budget::for_duration(Duration::ZERO);
        let less = advise(&system, &error, &unknown, &Options { budget: over, ..quick() });
        assert_eq!(less.suggestions, [], "{}", error.name);
        cases += 1;
    }
    assert_eq!(cases, 3);
}

/// Where nothing is settled by remembering, at least what could be remembered is named.
#[test]
fn what_could_be_remembered_is_named() {
    let (system, _, _, advice) = open(DETECTION, "early", &quick());
    let Some(Suggestion::Order(memorable)) = advice.suggestions.first() else { panic!("{advice:?}") };
    let names = memorable
        .iter()
        .flat_map(|(component, states)| states.iter().map(|&state| system.state_name(*component, state)));
    let names: Vec<String> = names.collect();
    assert_eq!(names, ["Node.ab", "Node.pw", "Node.pb", "Tok.no", "Tok.w", "Tok.b"]);
}

/// As a person follows it: what can't happen after the mark is left out, and the errors are as they were.
#[test]
fn the_advice_can_be_followed_by_hand() {
    let system = system(PIPE_CLOSED);
    for error in ["deadlock", "late", "twoeof", "losteof"] {
        let error = system.error_named(error).unwrap();
        let status = decide(&system, &error, &quick()).unwrap().status;
        assert!(matches!(status, Status::Proved(_)), "{}: {status:?}", error.name);
    }
}

#[test]
fn a_candidate_is_near_to_what_is_reached() {
    let (_, _, unknown, advice) = open(PIPE, "late", &quick());
    let (candidate, nearest) = (unknown.candidate.unwrap(), advice.nearest.unwrap());
    assert!(nearest.is_of_all);
    let [differing] = nearest.differing[..] else { panic!("{nearest:?}") };
    assert_eq!(candidate.net.components()[differing].name, "Cell#2");
}

#[test]
fn stronger_invariants_are_advised_only_if_they_were_not_tried() {
    // By default it is proved; with traps alone it is open.
    let invariants = InvariantChoice::only([InvariantKind::TRAP]);
    let options = Options { invariants, ..quick() };
    let (_, _, _, advice) = open(THIEF, "lost", &options);
    assert_eq!(advice.suggestions, [Suggestion::DefaultInvariants]);
    // No set of any kind excludes this one, so nobody is sent for larger bounds.
    let (_, _, _, advice) = open(DETECTION, "early", &quick());
    assert!(matches!(advice.suggestions[..], [Suggestion::Order(_), Suggestion::Sizes(_)]), "{advice:?}");
}

#[test]
fn what_is_too_large_wants_more_states() {
    let options = Options { max_states: 5_000, sweep_states: Some(0), ..Options::default() };
    let text = format!("{PIPE} error many = late & #empty >= 15; error stuck = deadlock & #empty >= 15;");
    let suggestions = |error| {
        let (_, _, unknown, advice) = open(&text, error, &options);
        assert_eq!(unknown.reason, Reason::CandidateTooLarge);
        assert!(advice.nearest.is_some_and(|nearest| !nearest.is_of_all));
        advice.suggestions
    };
    assert_eq!(suggestions("many").first(), Some(&Suggestion::States(50_000)));
    let found = suggestions("stuck");
    let is_as_expected =
        matches!(found[..], [Suggestion::States(50_000), Suggestion::Stubborn, Suggestion::History(_)]);
    assert!(is_as_expected, "{found:?}");
}

/// With ports of their own for phases. A barrier of two phases in a tree is proved so as well, which takes
/// long.
#[test]
fn phases_of_one_port_are_told_apart() {
    let (system, error, _, advice) = open(ONE_PORT, "late", &quick());
    let [Suggestion::SplitPorts(found)] = &advice.suggestions[..] else { panic!("{:?}", advice.suggestions) };
    assert_eq!((found.never_fired.all, found.never_fired.never, found.never_fired.others), (8, 4, 3));
    assert!(found.phases.mixes(&found.never_fired.example.combination));
    assert_eq!(found.ports.len(), 4);
    let split = found.phases.split(&system);
    let status = decide(&split, &error, &Options::default()).unwrap().status;
    assert!(matches!(&status, Status::Proved(proved) if proved.certificate.is_some()), "{status:?}");
    // As a person follows it.
    let by_hand = super::support::system(TWO_PORTS);
    let status = decide(&by_hand, &by_hand.error_named("late").unwrap(), &quick()).unwrap().status;
    assert!(matches!(status, Status::Proved(_)), "{status:?}");
}

/// What never fires is counted, and more is not claimed, where it is no matter of phases, or that is not found.
#[test]
fn ports_are_left_alone_where_nothing_is_to_be_gained() {
    for (text, error) in
        [(PIPE, "late"), (LOCK_COUPLING, "overtake"), (FIFO, "overtaken"), (DETECTION, "early")]
    {
        let (_, _, _, advice) = open(text, error, &quick());
        let is_split = |one: &Suggestion| matches!(one, Suggestion::SplitPorts(_));
        assert!(!advice.suggestions.iter().any(is_split), "{error}: {:?}", advice.suggestions);
    }
    // Interactions that never fire are left out of account first.
    let invariants = InvariantChoice { dead_interactions: false, ..InvariantChoice::default() };
    let (_, _, _, advice) = open(ONE_PORT, "late", &Options { invariants, ..quick() });
    assert!(!advice.suggestions.iter().any(|one| matches!(one, Suggestion::SplitPorts(_))), "{advice:?}");
}

/// Who follows advice about invariants comes to an end: what was tried is not advised, nor what was in use.
#[test]
fn advice_about_invariants_is_not_circular() {
    let mut followed = 0;
    for (text, error) in [(PIPE, "late"), (FIFO, "overtaken"), (DETECTION, "early"), (THIEF, "two")] {
        let system = system(text);
        let Some(error) = system.error_named(error).or_else(|| system.errors.iter().next().cloned()) else {
            continue;
        };
        for first in [
            InvariantChoice::default(),
            InvariantChoice::only([InvariantKind::TRAP]),
            InvariantChoice {
                dead_interactions: true,
                exclusive: true,
                ..InvariantChoice::only([InvariantKind::MUTEX])
            },
        ] {
            let mut tried: Vec<InvariantChoice> = vec![first];
            loop {
                let invariants = tried.last().unwrap().clone();
                let options = Options { invariants, max_states: 2_000, ..Options::default() };
                let Status::Unknown(unknown) = decide(&system, &error, &options).unwrap().status else {
                    break;
                };
                let advice = advise(&system, &error, &unknown, &options);
                let next = advice.suggestions.iter().find_map(|suggestion| match suggestion {
                    Suggestion::DefaultInvariants => Some(InvariantChoice::default()),
                    Suggestion::Invariants(kinds) => Some(InvariantChoice {
                        dead_interactions: true,
                        exclusive: true,
                        ..InvariantChoice::only(kinds.iter().copied())
                    }),
                    _ => None,
                });
                let Some(next) = next else { break };
                assert!(!tried.contains(&next), "{}: {next:?} after {tried:?}", error.name);
                tried.push(next);
                followed += 1;
            }
        }
    }
    assert!(followed > 0);
}

/// Who counts votes, and not whose they were, is told so; who remembers it has a proof.
#[test]
fn who_counts_what_comes_from_several_is_told_to_remember_whose_it_was() {
    let (system, _, _, advice) = open(VOTES, "mixed", &Options::default());
    let found = advice.suggestions.iter().find_map(|one| match one {
        Suggestion::PortPerPartner(shared) => Some(shared),
        _ => None,
    });
    let shared = found.unwrap_or_else(|| panic!("{advice:?}"));
    let rule = &system.rules[shared.rule];
    let partners: Vec<&str> = shared.partners.iter().map(|one| rule.variables[*one].name.as_str()).collect();
    assert_eq!(system.ports[shared.port].to_string(), "vote");
    assert_eq!((rule.label.as_str(), &partners[..]), ("Main.1", &["y", "z"][..]));
    let after = self::system(WHOSE_VOTE);
    is_proved(&after, &after.error_named("mixed").unwrap());
    // A queue counts nothing.
    let (.., advice) = open(FIFO, "overtaken", &quick());
    let is_there = advice.suggestions.iter().any(|one| matches!(one, Suggestion::PortPerPartner(_)));
    assert!(!is_there, "{advice:?}");
}
