use super::*;

#[test]
fn equal_formulas_are_one() {
    let mut store = Store::new();
    let (x, a, b) = (store.new_node("x"), store.new_set("A"), store.new_set("B"));
    let term = store.node(x);
    let (in_a, in_b) = (store.member(term, a), store.member(term, b));
    let one = store.and([in_a, in_b]);
    assert_eq!(one, store.and([in_a, in_b, in_a]));
    assert_ne!(one, store.and([in_b, in_a]), "operands stay in their order");
    assert_eq!(store.parts_of(one), vec![in_a, in_b, one]);
    let all = store.forall_node(x, one);
    assert_eq!(store.free_variables(all), [Variable::Set(a), Variable::Set(b)]);
    assert_eq!(store.size(all), FormulaSize { distinct: 4, symbols: 4, quantifier_depth: 1 });
}

#[test]
fn constants_are_evaluated() {
    let mut store = Store::new();
    let (x, a) = (store.new_node("x"), store.new_set("A"));
    let (top, bottom, term) = (store.truth(), store.falsity(), store.node(x));
    let atom = store.member(term, a);
    let negated = store.not(atom);
    assert_eq!(store.not(negated), atom);
    assert_eq!(store.and([]), top);
    assert_eq!(store.or([bottom, atom]), atom);
    assert_eq!(store.and([atom, bottom]), bottom);
    assert_eq!(store.implies(atom, bottom), negated);
    assert_eq!(store.iff(bottom, atom), negated);
    assert_eq!(store.equal(term, term), top);
    let y = store.new_node("y");
    assert_eq!(store.exists_node(y, atom), atom);
    assert_eq!(store.exists_one_node(y, atom), bottom);
}

#[test]
fn substitution_replaces_free_variables_only_and_at_once() {
    let mut store = Store::new();
    let (x, y, a, b) = (store.new_node("x"), store.new_node("y"), store.new_set("A"), store.new_set("B"));
    let (tx, ty) = (store.node(x), store.node(y));
    let (xa, yb) = (store.member(tx, a), store.member(ty, b));
    let exists = store.exists_node(x, xa);
    let whole = store.and([xa, yb, exists]);
    let child = store.child(ty, 1);
    let swap = Substitution::new().with_node(x, child).with_node(y, tx).with_set(a, b).with_set(b, a);
    let result = store.substitute(whole, &swap);
    let (cb, xa2, xb) = (store.member(child, b), store.member(tx, a), store.member(tx, b));
    let exists_b = store.exists_node(x, xb);
    assert_eq!(result, store.and([cb, xa2, exists_b]));
}

#[test]
fn substitution_does_not_capture() {
    let mut store = Store::new();
    let (x, y, a, b) = (store.new_node("x"), store.new_node("y"), store.new_set("A"), store.new_set("B"));
    let (tx, ty) = (store.node(x), store.node(y));
    let equal = store.equal(tx, ty);
    let exists = store.exists_node(x, equal);
    let below = store.child(tx, 1);
    let result = store.substitute(exists, &Substitution::new().with_node(y, below));
    let Formula::ExistsNode(renamed, part) = *store.get(result) else { panic!("not a quantifier") };
    assert_ne!(renamed, x);
    assert_eq!(store.name(Variable::Node(renamed)), "x");
    let tr = store.node(renamed);
    assert_eq!(part, store.equal(tr, below));
    assert_eq!(store.free_variables(result), [Variable::Node(x)]);

    let subset = store.subset(a, b);
    let all = store.forall_set(a, subset);
    let result = store.substitute(all, &Substitution::new().with_set(b, a));
    assert_eq!(store.free_variables(result), [Variable::Set(a)]);
    let same = store.substitute(all, &Substitution::new().with_set(a, b));
    assert_eq!(same, all, "bound variables are not replaced");
}

#[test]
fn deep_formulas_need_no_stack() {
    let mut store = Store::new();
    let (x, a, b) = (store.new_node("x"), store.new_set("A"), store.new_set("B"));
    let term = store.node(x);
    let (in_a, in_b) = (store.member(term, a), store.member(term, b));
    let mut deep = in_a;
    for step in 0..50_000 {
        deep = if step % 2 == 0 { store.implies(in_b, deep) } else { store.iff(deep, in_b) };
    }
    assert_eq!(store.size(deep).distinct, 50_002);
    let result = store.substitute(deep, &Substitution::new().with_set(a, b));
    assert_eq!(store.free_variables(result), [Variable::Node(x), Variable::Set(b)]);
}
