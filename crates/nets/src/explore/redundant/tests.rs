use std::collections::BTreeSet;

use super::*;
use crate::instance::enumerate::trees;
use crate::instance::unfold::unfold;
use paramcheck_model::lower::load;

/// The transitions left out after each, by their names: rule's interaction and participants do not matter,
/// numbers do.
fn left_out(net: &Net) -> Vec<(usize, usize)> {
    let budget = Budget::unlimited();
    let after = After::independent(net, &budget).unwrap().refined(net, &budget).unwrap();
    let count = net.transitions().len();
    let pairs = (0..count).flat_map(|first| (0..count).map(move |second| (first, second)));
    pairs
        .filter(|(first, second)| after.row(*first as u32).unwrap()[second / 64] >> (second % 64) & 1 == 0)
        .collect()
}

fn net(text: &str) -> Net {
    let system = load(text).system.unwrap();
    let tree = trees(&system, 3).next().unwrap();
    unfold(&system, &tree)
}

const HEARS: &str = "
    component Child { states s, t; init s; s -say-> t; }
    component Parent { states none, a, b, both; init none;
        none -a-> a; none -b-> b; a -b-> both; b -a-> both; both -back-> a; }
    Main() <- new p, x, y . <a(p) say(x) + b(p) say(y) + back(p)> (Parent(p), Child(x), Child(y));
";

#[test]
fn of_two_orders_with_one_effect_the_second_is_left_out() {
    let net = net(HEARS);
    let names: Vec<String> = net
        .transitions()
        .iter()
        .map(|transition| {
            let moves = transition.moves.iter();
            moves.map(|m| format!("{}{}{}", m.component.index(), m.from.index(), m.to.index())).collect()
        })
        .collect();
    let number = |name: &str| names.iter().position(|other| other == name).unwrap();
    let [a, b] = ["001101", "002201"].map(number);
    let [b_after_a, a_after_b] = ["013201", "023101"].map(number);
    let found = left_out(&net);
    // Of the two ways from none to both the one whose second step has the greater number stays.
    let ways = [(a, b_after_a), (b, a_after_b)];
    let stays = ways.iter().max_by_key(|way| way.1).unwrap();
    let goes = ways.iter().min_by_key(|way| way.1).unwrap();
    assert!(found.contains(goes) && !found.contains(stays), "{ways:?}, {found:?}");
    // Saying b and going back changes what nothing else changes: that stays.
    assert!(!found.contains(&(b_after_a, number("031"))), "{found:?}");
}

#[test]
fn what_is_taken_back_is_left_out() {
    let net = net("
        component C { states s, t, u; init s; s -go-> t; t -back-> s; t -on-> u; s -jump-> u; }
        Main() <- new x, y, z . <go(x) + back(x) + on(x) + jump(x) + go(y) + back(y) + on(y) + jump(y) + go(z) + back(z) + on(z) + jump(z)> (C(x), C(y), C(z));
    ");
    let number = |from: usize, to: usize| {
        net.transitions()
            .iter()
            .position(|t| (t.moves[0].from.index(), t.moves[0].to.index()) == (from, to))
            .unwrap()
    };
    let [go, back, on, jump] = [(0, 1), (1, 0), (1, 2), (0, 2)].map(|(from, to)| number(from, to));
    let own: Vec<_> = left_out(&net).into_iter().filter(|(first, second)| first / 4 == second / 4).collect();
    // Taken back, whatever came before, or done by one step: for each of the three components.
    let always = [go, back, on, jump].map(|first| (first, back));
    let of_first = [always.as_slice(), &[(back, go), (go, on), (back, jump)]].concat();
    let of = |one: usize| of_first.iter().map(move |(first, second)| (first + 4 * one, second + 4 * one));
    let expected: BTreeSet<_> = (0..3).flat_map(of).collect();
    assert_eq!(own.into_iter().collect::<BTreeSet<_>>(), expected);
}

/// Philosophers `count`, who take one fork after the other, and put both down.
fn philosophers(count: usize) -> Net {
    let system = load(include_str!("../../../../../examples/philosophers/alt-philo-sym.rs")).system.unwrap();
    let tree = trees(&system, 2 * count).next().unwrap();
    unfold(&system, &tree)
}

#[test]
fn putting_down_both_forks_is_never_needed() {
    let net = philosophers(4);
    let redundant = inverse::redundant(&net, &Budget::unlimited()).unwrap();
    let expected: Vec<_> = net
        .transitions()
        .enumerate()
        .filter(|(_, transition)| transition.moves.len() == 3)
        .map(|(id, _)| id)
        .collect();
    assert_eq!(expected.len(), 4);
    assert_eq!(redundant, expected);
}

#[test]
fn what_others_may_have_used_is_not_taken_back() {
    // The lamp that x lights may have been looked at by y meanwhile: without it, y would not be where it is.
    let seen = |sees: &str| {
        net(&format!(
            "component C {{ states s, t; init s; s -light-> t; t -dark-> s; }}
             component Lamp {{ states off, on; init off; off -lit-> on; on -out-> off; on -see-> on; }}
             component D {{ states a, b; init a; a -look-> b; }}
             Main() <- new x, l, y . <light(x) lit(l) + dark(x) out(l){sees}> (C(x), Lamp(l), D(y));"
        ))
    };
    let redundant = |net: &Net| inverse::redundant(net, &Budget::unlimited()).unwrap().len();
    assert_eq!(redundant(&seen("")), 1);
    assert_eq!(redundant(&seen(" + see(l) look(y)")), 0);
}

#[test]
fn what_others_may_have_moved_on_is_not_taken_back() {
    // y may have used what x put down, and put down the like, without which x could not go on.
    let text = |takes: &str| {
        format!(
            "component C {{ states s, t; init s; s -put-> t; t -back-> s; }}
             component Box {{ states empty, full; init empty; empty -fill-> full; full -take-> empty; }}
             component D {{ states a, b; init a; a -get-> b; b -give-> a; }}
             Main() <- new x, l, y . <put(x) fill(l) + back(x) take(l){takes}> (C(x), Box(l), D(y));"
        )
    };
    // Who takes part in what is redundant, the boxes left out.
    let redundant = |takes: &str| {
        let net = net(&text(takes));
        let found = inverse::redundant(&net, &Budget::unlimited()).unwrap();
        let names = found.iter().map(|id| net.transitions()[*id].moves.iter());
        let names = names.flat_map(|moves| moves.map(|m| net.components()[m.component].name.clone()));
        names.filter(|name| !name.starts_with("Box")).collect::<Vec<_>>()
    };
    assert_eq!(redundant(""), ["C#1"]);
    // While y has it, x waits: y can only give it back.
    assert_eq!(redundant(" + get(y) take(l) + give(y) fill(l)"), ["D#1"]);
}
