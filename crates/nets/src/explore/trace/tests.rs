//! Tests of the replay: wrong traces are refused.

use super::*;
use crate::instance::enumerate::trees;
use crate::instance::tests::token_ring;
use crate::instance::unfold::unfold;
use paramcheck_text::index::Idx;

#[test]
fn wrong_traces_are_refused() {
    let system = token_ring();
    let net = unfold(&system, &trees(&system, 3).next().unwrap());
    let step = NetTransitionId::new;
    let after = |marking: &Marking, id| net.fire(step(id), marking).unwrap();
    let first = after(&net.initial(), 0);
    let second = after(&first, 1);
    let trace = |steps: &[usize], markings: &[&Marking]| Trace {
        steps: steps.iter().copied().map(step).collect(),
        markings: markings.iter().copied().cloned().collect(),
    };
    let initial = &net.initial();
    assert_eq!(replay(&net, &trace(&[0, 1], &[initial, &first, &second])), Ok(second.clone()));
    let refused = [
        (trace(&[0], &[&first, &first]), ReplayError::OtherMarking { step: 0 }),
        (trace(&[0, 1], &[initial, &first, &first]), ReplayError::OtherMarking { step: 2 }),
        (trace(&[0, 2], &[initial, &first, &second]), ReplayError::NotEnabled { step: 2 }),
        (trace(&[7], &[initial, &first]), ReplayError::NoTransition { step: 1 }),
        (trace(&[0], &[initial]), ReplayError::OtherMarking { step: 1 }),
        (trace(&[0], &[initial, &first, &second]), ReplayError::OtherMarking { step: 2 }),
    ];
    for (trace, error) in refused {
        assert_eq!(replay(&net, &trace), Err(error));
    }
}
