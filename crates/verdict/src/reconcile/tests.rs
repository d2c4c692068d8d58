use super::*;
use paramcheck_invariants::outcome::MonaFailure;
use paramcheck_text::limits::Stop;

fn open() -> [Finding; 4] {
    [
        Finding::Unknown(Reason::Stopped(Stop::Memory)),
        Finding::Unknown(Reason::MonaFailed { what: MonaFailure::Nodes, at: None }),
        Finding::Unknown(Reason::Unsupported("not counted".to_owned())),
        Finding::Unknown(Reason::NoFormula("too large".to_owned())),
    ]
}

fn with_candidate() -> [Finding; 3] {
    [Finding::Violated, Finding::Unknown(Reason::Spurious), Finding::Unknown(Reason::CandidateTooLarge)]
}

#[test]
fn a_proof_contradicts_every_candidate() {
    for other in with_candidate() {
        assert!(contradict(&Finding::Proved, &other) && contradict(&other, &Finding::Proved), "{other:?}");
    }
}

#[test]
fn nothing_else_contradicts() {
    let mut all = Vec::from(open());
    all.extend(with_candidate());
    for one in &all {
        assert!(all.iter().all(|other| !contradict(one, other)), "{one:?}");
    }
    for other in open().iter().chain([&Finding::Proved]) {
        assert!(!contradict(&Finding::Proved, other) && !contradict(other, &Finding::Proved), "{other:?}");
    }
}

#[test]
fn only_a_reached_error_contradicts_a_proof_beyond_formulas() {
    assert!(contradict_beyond_formulas(&Finding::Violated));
    let others = [Finding::Proved, Finding::Unknown(Reason::Spurious)];
    assert!(open().iter().chain(&others).all(|other| !contradict_beyond_formulas(other)));
}
