use std::time::{Duration, Instant};

use paramcheck_invariants::kind::InvariantKind;
use paramcheck_invariants::outcome::{Outcome, Unfinished};
use paramcheck_model::lower::load;
use paramcheck_text::limits::{Budget, Stop};

use super::{Question, engine_budget};
use crate::scout::Explorer;
use crate::{EngineName, Options, Reason, Status};

/// A ring with a token, which reaches its error with three nodes at the least.
const RING: &str = "component Node { states idle, busy, done; init idle; busy -out-> done; idle -in-> busy; }
     Ring()      <- new x, y . <out(y) in(x)> (Chain(x, y));
     Chain(x, y) <- <out(x) in(y)> (Node(x), Node[busy](y));
     Chain(x, y) <- new z . <out(x) in(z)> (Node(x), Chain(z, y));
     error two = #done >= 2;
     error never = #busy >= 2;";

#[test]
fn the_engine_has_four_fifths_of_the_time() {
    let now = Instant::now();
    let given = |seconds| {
        let budget = Budget { deadline: Some(now + Duration::from_secs(seconds)), ..Budget::default() };
        engine_budget(&budget, now).deadline.unwrap().duration_since(now)
    };
    assert_eq!(given(10), Duration::from_secs(8));
    assert_eq!(given(1), Duration::from_millis(800));
    assert_eq!(given(0), Duration::ZERO);
    // What is over stays over, and what has no end has none.
    let later = now + Duration::from_secs(5);
    let over = engine_budget(&Budget { deadline: Some(now), ..Budget::default() }, later);
    assert_eq!(over.deadline, Some(later));
    assert_eq!(engine_budget(&Budget::unlimited(), now).deadline, None);
    // Whatever else ends the run ends the engine.
    let budget = Budget { deadline: Some(later), ..Budget::default() };
    let part = engine_budget(&budget, now);
    budget.switch.stop(Stop::Memory);
    assert_eq!(part.check(), Err(Stop::Memory));
}

/// What becomes of a question whose engine was stopped for this reason, when the question has this budget.
fn stopped(error: &str, stop: Stop, budget: Budget) -> Status {
    let system = load(RING).system.expect("a model");
    let error = system.error_named(error).expect("an error");
    let options = Options { budget, max_size: Some(5), ..Options::default() };
    let explorer = Explorer::new(&system, &error, 1, &options.budget);
    let tried = vec![InvariantKind::TRAP];
    let outcome =
        Outcome::<()>::Stopped { reason: Unfinished::Stopped(stop), candidate: None, tried, dropped: vec![] };
    let question = Question { system: &system, error: &error, options: &options };
    question.settle(EngineName::Direct, outcome, explorer, |()| Ok(Ok(None))).expect("no bug")
}

#[test]
fn the_time_that_is_kept_goes_to_small_instances() {
    // The engine's time is up, that of the question is not: an error that is near is found.
    let Status::Violated(found) = stopped("two", Stop::Time, Budget::unlimited()) else {
        panic!("not found")
    };
    assert_eq!(found.tree.size(), 3);
    // One that is not there leaves the question open, with what was explored.
    let Status::Unknown(open) = stopped("never", Stop::Time, Budget::unlimited()) else { panic!("decided") };
    assert_eq!((&open.reason, open.explored.up_to_size), (&Reason::Stopped(Stop::Time), 5));
    assert_eq!(open.explored.instances, 4);
}

#[test]
fn nothing_is_explored_when_the_whole_run_must_end() {
    let over = Budget::for_duration(Duration::ZERO);
    for (stop, budget) in [(Stop::Time, over), (Stop::Memory, Budget::unlimited())] {
        let Status::Unknown(open) = stopped("two", stop, budget) else { panic!("{stop:?}: decided") };
        assert_eq!((&open.reason, open.explored.instances), (&Reason::Stopped(stop), 0));
    }
}
