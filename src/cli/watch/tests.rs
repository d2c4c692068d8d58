use super::*;

fn watch() -> Watch {
    let (interrupt, begin) = (Interrupt::default(), Instant::now());
    Watch { interrupt, begin, deadline: None, memory: None, shows_progress: false }
}

/// Works until the budget ends it.
fn forever(budget: Budget) -> Stop {
    loop {
        if let Err(stop) = budget.check() {
            return stop;
        }
        std::thread::yield_now();
    }
}

#[test]
fn work_without_limits_goes_to_its_end() {
    assert_eq!(watch().run("", |budget| budget.check()), Ok(()));
}

#[test]
fn a_deadline_ends_work() {
    let watch = Watch { deadline: Some(Instant::now()), ..watch() };
    assert_eq!(watch.run("", forever), Stop::Time);
}

#[test]
fn an_interrupt_ends_work_that_runs() {
    let watch = watch();
    let interrupt = watch.interrupt.clone();
    let result = watch.run("", |budget| {
        interrupt.is_final.store(true, Ordering::SeqCst);
        forever(budget)
    });
    assert_eq!(result, Stop::Interrupted);
    assert_eq!(watch.run("", |budget| budget.check()), Err(Stop::Interrupted));
}

#[cfg(target_os = "linux")]
#[test]
fn full_memory_ends_work() {
    assert!(resident_memory().unwrap() > 1 << 20);
    let watch = Watch { memory: Some(1 << 20), ..watch() };
    assert_eq!(watch.run("", forever), Stop::Memory);
}

#[test]
fn a_panic_does_not_wait_for_the_watcher() {
    let watch = || Watch { memory: Some(u64::MAX), ..watch() };
    let result = std::panic::catch_unwind(|| watch().run("", |_| panic!("on purpose")));
    assert!(result.is_err());
}

#[test]
fn the_progress_line_fits_a_terminal() {
    let budget = Budget::unlimited();
    budget.progress.enter(Phase::Exploring);
    budget.progress.set(12345);
    let text = line("ring.rs: exclusion", &budget, Duration::from_millis(3200));
    assert_eq!(text, "ring.rs: exclusion: exploring, 12,345 states, 3.2 s");
    assert_eq!(line(&"ü".repeat(200), &budget, Duration::ZERO).chars().count(), 79);
}
