use super::*;
use crate::formula::{Formula, FormulaId, Store, Variable};

fn plan(store: &Store, formula: FormulaId) -> Lowered {
    let lowered = lower(store, formula, 2).unwrap();
    assert!(lowered.plan.check().is_some(), "{lowered:#?}");
    assert_eq!(lowered.plan.steps.len(), lowered.sources.len());
    lowered
}

/// ∃x. x ∈ X for a new x
fn inhabited(store: &mut Store, set: crate::formula::SetVariable) -> FormulaId {
    let x = store.new_node("x");
    let node = store.node(x);
    let member = store.member(node, set);
    store.exists_node(x, member)
}

#[test]
fn subformulas_that_differ_in_names_are_one_step() {
    let mut store = Store::new();
    let (left, right) = (store.new_set("X"), store.new_set("Y"));
    let left = inhabited(&mut store, left);
    let right = inhabited(&mut store, right);
    let both = store.and([left, right]);
    let lowered = plan(&store, both);
    assert_eq!(
        lowered.plan.steps,
        [Step::Basic(Relation::Member(1, 0)), Step::Project { step: 0, negated: false, track: 1 }]
    );
    let tracks: Vec<_> = lowered.plan.conjuncts.iter().map(|conjunct| &*conjunct.operand.tracks).collect();
    assert_eq!(tracks, [[0], [1]]);
}

#[test]
fn negation_is_no_step() {
    let mut store = Store::new();
    let set = store.new_set("X");
    let some = inhabited(&mut store, set);
    let none = store.not(some);
    let (some, none) = (plan(&store, none), plan(&store, some));
    // The quantifier of `some` is in front, so it is dropped.
    assert_eq!((some.plan.steps.len(), none.plan.steps.len()), (2, 1));
    assert!(some.plan.conjuncts[0].negated && !none.plan.conjuncts[0].negated);
}

#[test]
fn implication_disjunction_and_conjunction_share_products() {
    let mut store = Store::new();
    let (x, y, z) = (store.new_set("X"), store.new_set("Y"), store.new_set("Z"));
    let (a, b) = (store.subset(x, y), store.subset(y, z));
    let not_a = store.not(a);
    let not_b = store.not(b);
    let or = store.or([not_a, b]);
    let implies = store.implies(a, b);
    let and = store.and([not_b, a]);
    let not_and = store.not(and);
    let all = store.and([or, implies, not_and]);
    let lowered = plan(&store, all);
    // X ⊆ Y and Y ⊆ Z are one relation on other tracks, and the three are one product of it with itself.
    assert_eq!(lowered.plan.steps.len(), 2, "{lowered:#?}");
    assert!(lowered.plan.conjuncts.windows(2).all(|pair| pair[0] == pair[1]));
}

#[test]
fn quantifiers_in_front_are_dropped_and_their_variables_kept() {
    let mut store = Store::new();
    let (x, y) = (store.new_set("X"), store.new_set("Y"));
    let part = store.subset(x, y);
    let formula = store.exists_set(y, part);
    let lowered = plan(&store, formula);
    assert_eq!(lowered.variables, [Variable::Set(x), Variable::Set(y)]);
    assert_eq!(lowered.plan.steps, [Step::Basic(Relation::Subset(0, 1))]);
    assert_eq!(lowered.sources, [part]);

    // The inner quantifier binds the variable again: its value is another's.
    let inner = store.exists_set(y, part);
    let outer = store.insert(Formula::ExistsSet(y, inner));
    let lowered = plan(&store, outer);
    assert_eq!(lowered.variables, [Variable::Set(x), Variable::Set(y)]);
    assert_eq!(lowered.plan.steps.len(), 2);
}

#[test]
fn terms_are_followed_with_two_tracks_at_a_time() {
    let mut store = Store::new();
    let (x, set) = (store.new_node("x"), store.new_set("X"));
    let node = store.node(x);
    let far = (0..1000_u16).fold(node, |far, step| store.child(far, 1 + (step % 2) as u8));
    let member = store.member(far, set);
    let lowered = plan(&store, member);
    let widths = lowered.plan.check().unwrap();
    assert_eq!(widths.iter().max(), Some(&3));
    // On words a way is one relation.
    let far = (0..1000).fold(node, |far, _| store.child(far, 1));
    let member = store.member(far, set);
    let lowered = lower(&store, member, 1).unwrap();
    assert!(lowered.plan.steps.contains(&Step::Basic(Relation::Child { child: 1, parent: 0, number: 1000 })));
}

#[test]
fn nothing_lies_below_itself_or_past_the_last_child() {
    let mut store = Store::new();
    let x = store.new_node("x");
    let node = store.node(x);
    let child = store.child(node, 1);
    let third = store.child(node, 3);
    let below_itself = store.equal(node, child);
    assert!(plan(&store, below_itself).impossible);
    let root = store.root();
    let past = store.equal(root, third);
    assert!(plan(&store, past).impossible);
    assert!(!lower(&store, past, 3).unwrap().impossible);
}

#[test]
fn depth_costs_no_stack() {
    let mut store = Store::new();
    let (x, y) = (store.new_set("X"), store.new_set("Y"));
    let mut formula = store.subset(x, y);
    for _ in 0..100_000 {
        formula = store.insert(Formula::Not(formula));
        formula = store.insert(Formula::ForallSet(x, formula));
    }
    // A quantifier over what is quantified already changes nothing: the signs cancel.
    let lowered = plan(&store, formula);
    assert_eq!(lowered.plan.steps.len(), 2);
}

#[test]
fn what_is_no_plan_is_told_apart() {
    let operand = |step, tracks: &[u16]| Operand { step, tracks: tracks.into() };
    let basic = Step::Basic(Relation::Subset(0, 1));
    let product = |left: &[u16], right: &[u16]| Step::Product {
        left: operand(0, left),
        right: operand(0, right),
        table: 8,
    };
    let check = |steps: &[Step]| Plan { steps: steps.to_vec(), conjuncts: vec![] }.check();
    assert_eq!(check(&[basic.clone(), product(&[0, 1], &[1, 2])]), Some(vec![2, 3]));
    for wrong in [
        vec![product(&[0, 1], &[1, 2])],
        vec![basic.clone(), product(&[0, 1], &[2, 1])],
        vec![basic.clone(), product(&[0, 1], &[1, 3])],
        vec![basic.clone(), product(&[0], &[0, 1])],
        vec![basic.clone(), Step::Project { step: 0, negated: false, track: 2 }],
        vec![Step::Project { step: 0, negated: false, track: 0 }],
        vec![Step::Basic(Relation::Subset(1, 1))],
        vec![Step::Basic(Relation::Subset(0, 2))],
    ] {
        assert_eq!(check(&wrong), None, "{wrong:?}");
    }
    let conjunct = Conjunct { operand: operand(0, &[4]), negated: false };
    assert_eq!(Plan { steps: vec![], conjuncts: vec![conjunct] }.check(), None);
}
