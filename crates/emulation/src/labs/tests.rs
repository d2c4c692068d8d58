//! What the parts of the engine promise.

use paramcheck_labs::model::System;
use paramcheck_labs::number::Width;
use paramcheck_labs::semantics::step::Rules;
use paramcheck_labs::{Parameters, load};
use paramcheck_nets::explore::system::State;
use paramcheck_text::index::Idx;
use paramcheck_text::limits::{Budget, Stop};
use pretty_assertions::assert_eq;

use super::Unfit;
use super::analysis::analyse;
use super::code::{Choices, Code, Context};
use super::compile::Compiler;
use super::engine::{Engine, Options, Outcome, Reason};
use super::pack::Layout;
use super::table::Table;
use super::tabulate::Tabulator;
use super::triples::{Texts, encode, table};
use super::values::Values;
use super::word::UNDEFINED;

fn system(text: &str) -> System {
    let loaded = load(text, &Parameters::new());
    loaded.system.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics))
}

/// The values of a system's cells, as intervals and whether undefined.
fn values_of(text: &str) -> Vec<(Vec<(i64, i64)>, bool)> {
    let system = system(text);
    let triples = encode(&system, &Budget::unlimited()).expect("it is small");
    let values = analyse(&system, &triples, Width::default(), &Budget::unlimited()).expect("no limit");
    values.iter().map(|one| (one.intervals().to_vec(), one.is_undefined)).collect()
}

#[test]
fn a_call_at_the_end_shares_the_triples_of_its_definition() {
    let text = "system { spawn = A: 1 }
        agent A { interface = x: 0
          Behavior = (x = 0 -> x <- 1; Behavior) ++ (x = 1 -> x <- 0; Behavior) }";
    let system = system(text);
    let all = encode(&system, &Budget::unlimited()).expect("it is small");
    let structure = all.iter().next().expect("a kind");
    assert_eq!(structure.triples.len(), 2);
    // The end, and where both are offered.
    assert_eq!(structure.components.iter().next().expect("a component").locations.len(), 2);
}

#[test]
fn parallel_operands_do_not_multiply() {
    // Eight operands of two steps each have 3^8 terms, and hardly more triples than steps.
    let operand = |number: usize| format!("(x{number} <- 1; x{number} <- 2)");
    let operands: Vec<String> = (0..8).map(operand).collect();
    let attributes: Vec<String> = (0..8).map(|number| format!("x{number}: 0")).collect();
    let (attributes, operands) = (attributes.join("; "), operands.join(" || "));
    let text = format!(
        "system {{ spawn = A: 1 }}
         agent A {{ interface = {attributes} Behavior = ({operands}); Behavior }}"
    );
    let system = system(&text);
    let all = encode(&system, &Budget::unlimited()).expect("it is small");
    let structure = all.iter().next().expect("a kind");
    // Two per operand, and a copy of each first one that starts the others.
    assert_eq!((structure.triples.len(), structure.components.len()), (24, 9));
    let engine = Engine::new(&system, Rules::default(), &Budget::unlimited()).expect("it fits");
    let counts = engine.explore(None, &Options::default(), &Budget::unlimited()).expect("it has states");
    // In each round all combinations of beginning, middle and end but for all at the end. The first round differs
    // from others where an operand is at its beginning.
    let round = 3u64.pow(8) - 1;
    assert_eq!((counts.states, counts.stuck_stores), (2 * round - (2u64.pow(8) - 1), 0));
}

#[test]
fn triples_are_written_as_a_table() {
    let text = "system { spawn = A: 1 }
agent A { interface = x: 0  Behavior = x = 0 => (x <- 1 || Skip); x <- 2 }";
    let system = system(text);
    let all = encode(&system, &Budget::unlimited()).expect("it is small");
    let texts = Texts { system: &system, text, rules: Rules::default() };
    let lines = table(texts, &all, &Budget::unlimited()).expect("there is no limit");
    let (_, lines) = lines.split_once("\ntriples\n").expect("there are some");
    assert_eq!(
        lines,
        "  ⟨1 · ·⟩  x = 0        x <- 1  ⟨w 0 6⟩
  ⟨2 · ·⟩  x = 0        Skip    ⟨w 5 0⟩
  ⟨3 · ·⟩  not (x = 0)  Skip    ⟨0 · ·⟩
  ⟨4 · ·⟩               x <- 2  ⟨0 · ·⟩
  ⟨· 5 ·⟩               x <- 1  ⟨· 0 ·⟩
  ⟨· · 6⟩               Skip    ⟨· · 0⟩

locations
  pc0 =     0
  pc0 = 1,2,3  initial
  pc0 =     4
  pc0 =     w  waits, then 4
  pc1 = 0  initial
  pc1 = 5
  pc2 = 0  initial
  pc2 = 6
"
    );
}

#[test]
fn values_are_found_under_guards() {
    let counter = "system { spawn = A: 1 }
        agent A { interface = x: 0; y: undef  Behavior = x < 100 -> { x <- x + 1; y <- x % 7 - 20 }; Behavior }";
    // Widened, and taken back by the guard.
    assert_eq!(values_of(counter), [(vec![(0, 100)], false), (vec![(-20, -14)], true)]);
    let signs = "system { spawn = A: 2 }
        stigmergy S { link = true  d: [-1, 1] }
        agent A { interface = n: 0..3; m: id  stigmergies = S  Behavior = n <- (n + d) % 3; Behavior }";
    let sign = (vec![(-1, -1), (1, 1)], false);
    let [n, m0, m1] = [(0, 2), (0, 0), (1, 1)].map(|one| (vec![one], false));
    assert_eq!(values_of(signs), [n.clone(), m0, sign.clone(), n, m1, sign]);
    let endless = "system { environment = e: 0  spawn = A: 1 }
        agent A { interface = x: 0  Behavior = e <-- e + 1; Behavior }";
    assert_eq!(values_of(endless), [(vec![(0, 32767)], false), (vec![(0, 0)], false)]);
}

#[test]
fn assumptions_narrow_the_environment() {
    let text = "system { environment = e: 0..100  spawn = A: 1 }
        agent A { interface = x: 0  Behavior = x <- e }
        assume { E = e > 3 and e <= 6 }";
    assert_eq!(values_of(text), [(vec![(4, 6)], false), (vec![(0, 0), (4, 6)], false)]);
}

#[test]
fn sets_of_values_have_few_intervals() {
    let mut values = Values::none();
    for number in 0..20 {
        values.add(number * number, number * number);
    }
    assert_eq!(values.intervals().len(), super::values::MAX_INTERVALS);
    assert_eq!(values.bounds(), Some((0, 361)));
    values.add(2, 400);
    assert_eq!(values.intervals(), [(0, 400)]);
    let values = Values::between(0, 5);
    assert_eq!(values.without(3).intervals(), [(0, 2), (4, 5)]);
    assert_eq!(values.meet(&Values::between(4, 9)).intervals(), [(4, 5)]);
    assert!(values.meet(&Values::undefined()).has_no_number());
}

#[test]
fn states_are_packed_one_to_one_and_never_cut_short() {
    let mut gaps = Values::one(-5);
    gaps.add(3, 4);
    gaps.add(1_000, 1_000);
    let fields = [gaps.clone().or_undefined(true), Values::between(-3, 60_000), Values::one(9), gaps];
    let layout = Layout::new(&fields).expect("it fits");
    assert_eq!((layout.bits(), layout.words()), (3 + 16 + 2, 1));
    for all in [[UNDEFINED, -3, 9, 4], [3, 60_000, 9, -5], [1_000, 77, 9, 1_000], [-5, 0, 9, 3]] {
        let state: [u64; 1] = layout.pack(&all).expect("there is room");
        let mut unpacked = Vec::new();
        layout.unpack(&state, &mut unpacked);
        assert_eq!(unpacked, all);
        assert_eq!(layout.fault(&state), None);
        let mut state = state;
        for (field, word) in [(0, 5), (0, 999), (1, -4), (1, 60_001), (2, 10), (3, UNDEFINED)] {
            assert!(!layout.set(&mut state, field, word), "{field} {word}");
        }
        assert_eq!(layout.pack::<[u64; 1]>(&all), Some(state));
    }
}

#[test]
fn tables_have_the_words_of_their_expressions() {
    let text = "system { spawn = A: 2 }
        agent A { interface = x: [-2, 0, 3]; y: undef  Behavior = y <- x }
        check { P = always forall A a, exists A b, x of a / y of b >= 1 or y of a = 3 }";
    let system = system(text);
    let triples = encode(&system, &Budget::unlimited()).expect("it is small");
    let values = analyse(&system, &triples, Width::default(), &Budget::unlimited()).expect("no limit");
    let code = Compiler::new(&system, Width::default()).formula(&system.properties[0].formula);
    let tabulated = Tabulator::new(&values, Width::default()).tabulated(code.clone());
    assert!(matches!(tabulated, Code::Table(..)));
    // What the table has, and what it has not.
    let all = [-3, -2, 0, 1, 3, 4, UNDEFINED];
    for number in 0..all.len().pow(4) {
        let cell = |at: u32| all[number / all.len().pow(at) % all.len()];
        let cells: Vec<i64> = (0..4).map(cell).collect();
        let word = |code: &Code| {
            let mut choices = Choices::default();
            let cells = cells.as_slice();
            code.word(&mut Context { cells, locals: &[], choices: &mut choices, width: Width::default() })
        };
        assert_eq!(word(&tabulated), word(&code), "{cells:?}");
    }
}

#[test]
fn a_table_numbers_states_as_they_come() {
    let mut states: Table<[u64; 2]> = Table::new();
    let state = |number: u64| [number, number.wrapping_mul(77)];
    for number in 0..5_000 {
        let state = state(number);
        assert_eq!(states.add(&state, state.hash()), Some((number as u32, true)));
    }
    for number in (0..5_000).rev() {
        let state = state(number);
        assert_eq!(states.add(&state, state.hash()), Some((number as u32, false)));
        assert_eq!(states.get(number as u32), &state);
    }
    assert_eq!(states.len(), 5_000);
}

#[test]
fn limits_are_no_answers() {
    let text = "system { environment = e: 0  spawn = A: 2 }
        agent A { interface = x: 0  Behavior = e <-- (e + 1) % 20000; Behavior }
        check {
          Small = always e < 20000
          Ends = eventually e = 19999
          Comes = fairly_inf e = 19999
          Scope = from (e = 1) until (e = 2), always e = 1
        }";
    let system = system(text);
    let engine = Engine::new(&system, Rules::default(), &Budget::unlimited()).expect("it fits");
    let few = Options { max_states: 1_000, ..Options::default() };
    let stopped = Budget::unlimited();
    stopped.switch.stop(Stop::Time);
    for property in &system.properties {
        let outcome = engine.decide(property, &Options::default(), &Budget::unlimited());
        assert!(matches!(outcome, Ok(Outcome::Holds(states)) if states >= 20_000), "{}", property.name);
        let outcome = engine.decide(property, &few, &Budget::unlimited());
        assert_eq!(outcome, Ok(Outcome::Unknown(Reason::States)), "{}", property.name);
        let outcome = engine.decide(property, &Options::default(), &stopped);
        let is_stopped = matches!(
            outcome,
            Ok(Outcome::Unknown(Reason::Stopped(Stop::Time))) | Err(super::Unfit::Stopped(Stop::Time))
        );
        assert!(is_stopped, "{}: {outcome:?}", property.name);
    }
}

#[test]
fn what_happens_for_ever_is_shown_by_a_shortest_way_round() {
    let text = "system { environment = e: 0  spawn = A: 1 }
        agent A { interface = x: 0  Behavior = e <-- if e < 5 then e + 1 else e - 2; Behavior }
        check { Nine = eventually e = 9  Zero = fairly_inf e = 0 }";
    let system = system(text);
    let engine = Engine::new(&system, Rules::default(), &Budget::unlimited()).expect("it fits");
    let violated =
        |at: usize| match engine.decide(&system.properties[at], &Options::default(), &Budget::unlimited()) {
            Ok(Outcome::Violated(evidence)) => evidence,
            other => panic!("{other:?}"),
        };
    let lasso = violated(0);
    let values = |position: usize| lasso.steps[position].store.cells[0];
    // 3 4 5 3 is the cycle; the way to it is 0 1 2 3.
    assert_eq!((lasso.len(), lasso.cycle, values(3), values(6)), (6, Some(3), Some(3), Some(3)));
    let never = violated(1);
    // It never comes back from 1, and 5 values lie behind.
    assert_eq!((never.len(), never.searched), (1, Some(5)));
    assert_eq!(never.steps[0].label, None);
    assert_eq!(system.agents.indices().map(Idx::index).collect::<Vec<_>>(), [0]);
}

#[test]
fn limits_hold_before_anything_is_explored() {
    let alternatives: Vec<String> = (0..2_000).map(|number| format!("x <- {number}")).collect();
    let text = format!(
        "system {{ spawn = A: 1 }} agent A {{ interface = x: 0  Behavior = ({}); Behavior }}",
        alternatives.join(" ++ ")
    );
    let system = system(&text);
    let (mut reasons, mut looks) = (Vec::new(), 0);
    let budget = |looks| Budget::unlimited().with_work(looks);
    while let Err(reason) = Engine::new(&system, Rules::default(), &budget(looks)) {
        reasons.push(reason);
        looks += 1;
    }
    // Triples, locations, and values: each looks now and then.
    assert!(reasons.iter().all(|reason| *reason == Unfit::Stopped(Stop::Work)), "{reasons:?}");
    assert!(reasons.len() > 10, "{}", reasons.len());
}

#[test]
fn what_was_found_is_not_lost_when_no_shorter_run_can_be_looked_for() {
    let text = "system { spawn = A: 3 }
        stigmergy S { link = true  s: 0 }
        agent A { stigmergies = S  Behavior = s < 3 -> s <~ s + 1; Behavior }
        check {
          Low = always forall A a, s of a < 2
          End = eventually forall A a, s of a = 9
          Back = fairly_inf forall A a, s of a = 0
        }";
    let system = system(text);
    let engine = Engine::new(&system, Rules::default(), &Budget::unlimited()).expect("it fits");
    for property in &system.properties {
        let (mut is_found, mut has_begun, mut were_open) = (false, false, 0);
        for looks in 0..60 {
            let budget = Budget::unlimited().with_work(looks);
            let outcome = engine.decide(property, &Options::default(), &budget);
            let is_violated = matches!(outcome, Ok(Outcome::Violated(_)));
            let is_lost = is_found && !is_violated || has_begun && outcome.is_err();
            assert!(!is_lost, "{}, {looks} looks: {outcome:?}", property.name);
            has_begun |= outcome.is_ok();
            is_found = is_violated;
            were_open += usize::from(!is_found);
        }
        assert!(is_found && were_open > 0, "{}: {is_found} {were_open}", property.name);
    }
}
