//! Tests of unfolding on a system built by hand; more, on texts, in `tests/suite/instance.rs`.

use super::*;
use crate::instance::enumerate::trees;
use crate::instance::tests::token_ring;
use paramcheck_model::component::StateId;
use paramcheck_model::tree::TreeNode;

fn ring_of(size: usize) -> (System, RewritingTree) {
    let system = token_ring();
    let tree = trees(&system, size).next().unwrap();
    (system, tree)
}

#[test]
fn a_ring_has_one_interaction_per_node() {
    for size in 2..6 {
        let (system, tree) = ring_of(size);
        assert_eq!(check_tree(&system, &tree), Ok(()));
        let net = unfold(&system, &tree);
        assert_eq!(net.components().len(), size);
        assert_eq!(net.transitions().len(), size);
        assert_eq!(net.place_count(), 2 * size);
        assert!(unfold_within(&system, &tree, size).is_some());
        assert!(unfold_within(&system, &tree, size - 1).is_none());
        let fewer = try_unfold(&system, &tree, size - 1, &Budget::unlimited());
        assert_eq!(fewer.err(), Some(NotUnfolded::TooLarge));
        assert_eq!(net.patterns().len(), 1);
        for component in net.components().indices() {
            assert_eq!(net.transitions_of(component).len(), 2);
        }
    }
}

#[test]
fn components_are_named_in_preorder() {
    let (system, tree) = ring_of(3);
    let net = unfold(&system, &tree);
    let names: Vec<_> = net.components().iter().map(|component| component.name.as_str()).collect();
    assert_eq!(names, ["Node#1", "Node#2", "Node#3"]);
    let shown: Vec<_> = net.transitions().indices().map(|t| net.transition_name(&system, t)).collect();
    // The root's rule closes the ring; the last chain rule joins the last two.
    assert_eq!(shown, ["out(Node#3) in(Node#1)", "out(Node#1) in(Node#2)", "out(Node#2) in(Node#3)"]);
}

#[test]
fn the_token_moves_where_it_may() {
    let (system, tree) = ring_of(3);
    let net = unfold(&system, &tree);
    let mut marking = net.initial();
    for (step, expected) in [(0, 0), (1, 1), (2, 2)] {
        let enabled: Vec<_> = net.enabled(&marking).collect();
        assert_eq!(enabled, [NetTransitionId::new(step)]);
        assert!(net.fire(NetTransitionId::new((step + 1) % 3), &marking).is_none());
        marking = net.fire(enabled[0], &marking).unwrap();
        let busy: Vec<_> =
            marking.enumerate().filter(|(_, s)| s.index() == 1).map(|(c, _)| c.index()).collect();
        assert_eq!(busy, [expected]);
    }
    assert_eq!(marking, net.initial());
}

#[test]
fn a_very_deep_tree_is_unfolded() {
    let system = token_ring();
    let depth = 100_000;
    let state = StateId::new;
    let mut nodes = vec![TreeNode { rule: RuleId::new(0), initial: vec![], children: vec![1] }];
    for position in 1..depth {
        nodes.push(TreeNode { rule: RuleId::new(2), initial: vec![state(0)], children: vec![position + 1] });
    }
    nodes.push(TreeNode { rule: RuleId::new(1), initial: vec![state(0), state(1)], children: vec![] });
    let tree = RewritingTree { nodes };
    assert_eq!(check_tree(&system, &tree), Ok(()));
    let net = unfold(&system, &tree);
    assert_eq!(net.components().len(), depth + 1);
    assert_eq!(net.enabled(&net.initial()).count(), 1);
}

#[test]
fn wrong_trees_are_told_from_right_ones() {
    let (system, tree) = ring_of(3);
    let broken = |change: &dyn Fn(&mut Vec<TreeNode>)| {
        let mut nodes = tree.nodes.clone();
        change(&mut nodes);
        check_tree(&system, &RewritingTree { nodes })
    };
    assert_eq!(broken(&|_| ()), Ok(()));
    assert_eq!(broken(&|nodes| nodes.clear()), Err(TreeError::Empty));
    assert_eq!(broken(&|nodes| nodes[0].rule = RuleId::new(1)), Err(TreeError::Rule(0)));
    assert_eq!(broken(&|nodes| nodes[2].rule = RuleId::new(9)), Err(TreeError::Rule(2)));
    assert_eq!(broken(&|nodes| nodes[2].initial[1] = StateId::new(0)), Err(TreeError::Initial(2)));
    assert_eq!(broken(&|nodes| nodes[1].initial.push(StateId::new(0))), Err(TreeError::Initial(1)));
    assert_eq!(broken(&|nodes| nodes[1].children[0] = 1), Err(TreeError::Children(1)));
    assert_eq!(broken(&|nodes| nodes[1].children.clear()), Err(TreeError::Children(1)));
    assert_eq!(broken(&|nodes| nodes.push(nodes[2].clone())), Err(TreeError::Parents(3)));
}

#[test]
fn work_is_ended_wherever_it_is() {
    let (system, tree) = ring_of(20);
    // Ends at the step with this number; whether there was one.
    let ended = |mut left: usize| {
        let step = &mut || {
            left = left.checked_sub(1).ok_or(Stop::Time)?;
            Ok::<_, Stop>(())
        };
        let layout = Layout::new(&system, &tree, step)?;
        layout.transition_count(&system, &tree, step)?;
        layout.net(&system, &tree, step)
    };
    // Each of the twenty nodes is a step when components are made, transitions counted, and made.
    for steps in 0..60 {
        assert!(ended(steps).is_err(), "{steps}");
    }
    assert!(ended(1_000).is_ok());
    let budget = Budget::unlimited();
    budget.switch.stop(Stop::Memory);
    let unfolded = try_unfold(&system, &tree, usize::MAX, &budget);
    assert_eq!(unfolded.err(), Some(NotUnfolded::Stopped(Stop::Memory)));
}
