//! Families of models that grow in one direction each: states, parameters, rules.
//!
//! Each function gives the text of a model whose questions have the same answers at every size, so that
//! only the cost changes.

use std::fmt::Write;

/// A token ring whose stations pass through `states` (≥ 2) states, one of them holding the token while
/// it works its way from `s1` to the last: deadlock-free, and never two stations busy.
pub fn ring_with_states(states: usize) -> String {
    let names: Vec<String> = (0..states).map(|i| format!("s{i}")).collect();
    let last = states - 1;
    let mut text = String::new();
    let steps: Vec<String> = (1..last).map(|i| format!("step{i}")).collect();
    let transitions: String = (1..last).map(|i| format!("s{i} -step{i}-> s{}; ", i + 1)).collect();
    let _ = writeln!(
        text,
        "component Station {{ states {}; init s0; s0 -in-> s1; {transitions}s{last} -out-> s0; }}",
        names.join(", ")
    );
    let work = |x: &str| steps.iter().map(|step| format!(" + {step}({x})")).collect::<String>();
    let _ = writeln!(text, "Ring() <- new x, y . <out(y) in(x){}> (Chain(x, y));", work("y"));
    let _ = writeln!(text, "Chain(x, y) <- <out(x) in(y){}> (Station(x), Station[s1](y));", work("x"));
    let _ = writeln!(text, "Chain(x, y) <- new z . <out(x) in(z){}> (Station(x), Chain(z, y));", work("x"));
    let busy: Vec<String> = (1..states).map(|i| format!("#s{i}")).collect();
    let _ = writeln!(text, "error exclusion = {} >= 2;", busy.join(" + "));
    text
}

/// A crowd of workers that take `locks` (≥ 1) locks, all known to everybody, in one order: the
/// predicate has `locks` parameters. Deadlock-free, and never two workers hold the last lock.
pub fn crowd_with_locks(locks: usize) -> String {
    let list = |f: &dyn Fn(usize) -> String, separator: &str| {
        (1..=locks).map(f).collect::<Vec<_>>().join(separator)
    };
    let parameters = list(&|i| format!("l{i}"), ", ");
    let states: String = (0..=locks).map(|i| format!("h{i}")).collect::<Vec<_>>().join(", ");
    let takes = list(&|i| format!("h{} -take{i}-> h{i};", i - 1), " ");
    let interactions = format!(
        "{} + done(w) {}",
        list(&|i| format!("take{i}(w) acquire(l{i})"), " + "),
        list(&|i| format!("release(l{i})"), " ")
    );
    let mut text = String::new();
    let _ = writeln!(text, "component Lock {{ states free, taken; init free; free -acquire-> taken; taken -release-> free; }}");
    let _ = writeln!(text, "component Worker {{ states {states}; init h0; {takes} h{locks} -done-> h0; }}");
    let _ = writeln!(text, "Crowd() <- new {parameters} . (W({parameters}));");
    let _ = writeln!(text, "W({parameters}) <- new w . <{interactions}> (Worker(w), W({parameters}));");
    let owners = list(&|i| format!("Lock(l{i})"), ", ");
    let _ = writeln!(text, "W({parameters}) <- new w . <{interactions}> (Worker(w), {owners});");
    let _ = writeln!(text, "critical h{locks};");
    text
}

/// A token ring whose members are of any of `kinds` (≥ 1) types, one rule each: `kinds` + 2 rules.
/// Deadlock-free, and never two members busy.
pub fn ring_with_rules(kinds: usize) -> String {
    let mut text = String::new();
    for i in 0..kinds {
        let _ = writeln!(
            text,
            "component Node{i} {{ states idle, busy; init idle; idle -in-> busy; busy -out-> idle; }}"
        );
    }
    let _ = writeln!(text, "Ring() <- new x, y . <out(y) in(x)> (Chain(x, y));");
    let _ = writeln!(text, "Chain(x, y) <- <out(x) in(y)> (Node0(x), Node0[busy](y));");
    for i in 0..kinds {
        let _ = writeln!(text, "Chain(x, y) <- new z . <out(x) in(z)> (Node{i}(x), Chain(z, y));");
    }
    let _ = writeln!(text, "error exclusion = #busy >= 2;");
    text
}
