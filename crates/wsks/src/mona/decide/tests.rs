use super::*;
use crate::formula::Store;

#[test]
fn labels_become_values() {
    let mut store = Store::new();
    let x = Variable::Node(store.new_node("x"));
    let y = Variable::Node(store.new_node("y"));
    let set = Variable::Set(store.new_set("X"));
    let labelling =
        Labelling { nodes: vec![None, Some((0, 2)), Some((1, 1))], tracks: vec![vec![2], vec![0, 1]] };
    let found = witness(&[x, set, y], labelling);
    assert_eq!(found.value(x), Some(&Value::Node(2)));
    assert_eq!(found.value(set), Some(&Value::Set(vec![0, 1])));
    // Nothing constrains y.
    assert_eq!(found.value(y), Some(&Value::Node(0)));
    assert_eq!((found.address(0), found.address(2)), (vec![], vec![2, 1]));
    assert_eq!(witness(&[set], Labelling::default()).nodes, [None]);
}
