use std::time::{Duration, Instant};

use super::share;
use paramcheck_text::limits::{Budget, Stop, StopSwitch};

#[test]
fn mona_leaves_most_of_the_time_to_the_other_engine() {
    let before = Instant::now();
    let hour = Duration::from_secs(3600);
    let budget = Budget { deadline: Some(before + hour), ..Budget::default() };
    let given = share(&budget).deadline.expect("a part of a limit is a limit");
    let after = Instant::now();
    assert!(given >= before + (hour - (after - before)) / 3, "MONA gets its third of what is left");
    assert!(given <= after + hour / 3, "and no more");
}

#[test]
fn what_has_no_end_or_is_over_stays_so() {
    assert_eq!(share(&Budget::unlimited()).deadline, None);
    let over = Budget { deadline: Some(Instant::now()), ..Budget::default() };
    assert_eq!(share(&over).check(), Err(Stop::Time));
    let switch = StopSwitch::default();
    let given = share(&Budget { switch: switch.clone(), ..Budget::default() });
    switch.stop(Stop::Interrupted);
    assert_eq!(given.check(), Err(Stop::Interrupted), "who stops both stops MONA too");
}
