//! Questions that are too much for MONA: each ends with the right reason, and leaves no process behind.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::time::Duration;

use paramcheck_invariants::outcome::MonaFailure;
use paramcheck_wsks::mona::{Means, Worker};

use paramcheck_invariants::kind::InvariantKind;
use paramcheck_invariants::outcome::{Outcome, Unfinished};
use paramcheck_invariants::record::Finding;
use paramcheck_invariants::strategy::InvariantChoice;
use paramcheck_text::limits::{Budget, Stop};
use paramcheck_wsks::engine::Wsks;

use super::super::support::{NoScout, large_ring, system};

/// A program that writes down its process, to be looked up later, and becomes the worker.
struct Recorded {
    folder: PathBuf,
}

impl Recorded {
    fn new(name: &str) -> Recorded {
        let folder = std::env::temp_dir().join(format!("paramcheck-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let recorded = Recorded { folder };
        let process = recorded.process().display().to_string();
        let program = env!("CARGO_BIN_EXE_paramcheck");
        // Renamed, so that it is never seen half written.
        let text = format!(
            "#!/bin/sh\necho $$ >{process}.new && mv {process}.new {process}\nexec {program} \"$@\"\n"
        );
        fs::write(recorded.program(), text).unwrap();
        fs::set_permissions(recorded.program(), fs::Permissions::from_mode(0o755)).unwrap();
        recorded
    }

    fn program(&self) -> PathBuf {
        self.folder.join("worker")
    }

    /// The file with the number of the process started last.
    fn process(&self) -> PathBuf {
        self.folder.join("process")
    }

    /// The last process started, waiting for the first.
    fn last(&self) -> String {
        loop {
            if let Ok(text) = fs::read_to_string(self.process()) {
                return text.trim().to_owned();
            }
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    fn means(&self) -> Means {
        Means { worker: Worker { program: self.program() }, budget: Budget::unlimited(), memory: None }
    }
}

impl Drop for Recorded {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// Queries whether two components of a ring with the given number of states are in one state. Returns
/// MONA's failure, the subformula where it occurred, and the finding.
fn failure(states: usize, recorded: &Recorded, means: &Means) -> (Unfinished, Finding) {
    let system = system(&large_ring(states));
    let error = system.error_named("two").unwrap();
    let mut engine = Wsks::new(&system, means);
    let invariants = InvariantChoice::only([InvariantKind::TRAP, InvariantKind::MUTEX]);
    let outcome = engine.decide(&error, &invariants, &mut NoScout).unwrap();
    let Outcome::Stopped { reason, candidate, tried, dropped } = outcome else { panic!("{outcome:?}") };
    assert!(dropped.is_empty(), "{dropped:?}");
    assert_eq!(tried, [], "the only stage was not finished");
    assert!(candidate.is_none());
    let last = recorded.last();
    assert!(!PathBuf::from(format!("/proc/{last}")).exists(), "process {last} is still there");
    (reason, engine.into_queries().pop().unwrap().finding)
}

/// The failure of MONA, which was at work on a subformula.
#[track_caller]
fn at_work(reason: Unfinished) -> MonaFailure {
    let Unfinished::Mona { what, at: Some(_) } = reason else { panic!("{reason:?}") };
    what
}

#[test]
fn time() {
    let recorded = Recorded::new("time");
    let budget = Budget::for_duration(Duration::from_secs(1));
    let (reason, finding) = failure(20, &recorded, &Means { budget, ..recorded.means() });
    // Before the first subformula it is time itself that is the reason.
    assert!(
        matches!(&reason, Unfinished::Stopped(Stop::Time) | Unfinished::Mona { what: MonaFailure::Time, .. }),
        "{reason:?}"
    );
    assert_eq!(finding, Finding::Failed(MonaFailure::Time));
}

#[test]
fn memory() {
    let recorded = Recorded::new("memory");
    let (reason, finding) = failure(20, &recorded, &Means { memory: Some(32 << 20), ..recorded.means() });
    assert_eq!((at_work(reason), finding), (MonaFailure::Memory, Finding::Failed(MonaFailure::Memory)));
}

#[test]
fn interruption() {
    let recorded = Recorded::new("interruption");
    let means = recorded.means();
    let switch = means.budget.switch.clone();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            recorded.last();
            switch.stop(Stop::Interrupted);
        });
        let (_, finding) = failure(20, &recorded, &means);
        assert_eq!(finding, Finding::Failed(MonaFailure::Interrupted));
    });
}

/// The first formula, without invariants, may have its answer before the signal comes; the second has
/// work for hours.
#[test]
fn a_signal_from_outside() {
    let recorded = Recorded::new("signal");
    let means = recorded.means();
    std::thread::scope(|scope| {
        let asker = scope.spawn(|| failure(20, &recorded, &means));
        recorded.last();
        while !asker.is_finished() {
            let _ = std::process::Command::new("kill").args(["-KILL", &recorded.last()]).output();
            std::thread::sleep(Duration::from_millis(20));
        }
        let (_, finding) = asker.join().unwrap();
        let Finding::Failed(MonaFailure::Died(how)) = finding else { panic!("{finding:?}") };
        assert!(how.starts_with("signal 9"), "{how}");
    });
}

#[test]
fn a_system_too_large() {
    // Before any process is started, and not as a failure of MONA.
    let system = system(&large_ring(300));
    let error = system.error_named("two").unwrap();
    let means = Means {
        worker: Worker { program: "/nonexistent".into() },
        budget: Budget::unlimited(),
        memory: None,
    };
    let invariants = InvariantChoice::only([InvariantKind::TRAP]);
    let outcome = Wsks::new(&system, &means).decide(&error, &invariants, &mut NoScout).unwrap();
    let Outcome::Unsupported(why) = outcome else { panic!("{outcome:?}") };
    assert!(why.contains("too large for a formula") || why.contains("tracks"), "{why}");
}
