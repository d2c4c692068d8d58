//! Models that are hard to write for other programs, each held against all of them.

use paramcheck_emulation::writers::{promela, smv};

use super::{check_all, instances};

/// All formats agree on a model, at its two smallest and one larger size.
fn check(name: &str, text: &str) {
    instances(name, text).iter().for_each(check_all);
}

/// A chain of components of one type, which take a first step together with a neighbour.
fn chain(component: &str, states: &[&str], errors: &str) -> String {
    let (first, second) = (states[0], states[states.len() - 1]);
    let step = |(number, pair): (usize, &[&str])| {
        format!("{} {} {};", pair[0], if number == 0 { "-go->" } else { "->" }, pair[1])
    };
    let steps: Vec<String> = states.windows(2).enumerate().map(step).collect();
    format!(
        "component {component} {{ states {}; init {first}; {second} -back-> {first}; {} }}\n\
         Line() <- new x, y . <go(x) go(y)> (Chain(x, y));\n\
         Chain(x, z) <- <go(x) back(z)> ({component}(x), {component}(z)) |\n\
         \u{20}              new y . <go(x) back(y)> ({component}(x), Chain(y, z));\n{errors}\n",
        states.join(", "),
        steps.join(" ")
    )
}

#[test]
#[cfg_attr(not(long_tests), ignore = "runs Spin and NuSMV: PARAMCHECK_LONG=1")]
fn keywords_are_names() {
    // What the language of models does not keep for itself.
    let own =
        ["component", "states", "init", "final", "new", "forbid", "link", "error", "critical", "system"];
    let mut words: Vec<&str> = promela::KEYWORDS.iter().chain(smv::KEYWORDS).copied().collect();
    words.retain(|word| !own.contains(word));
    words.sort_unstable();
    words.dedup();
    for states in words.chunks(20) {
        let errors: String = states.iter().map(|word| format!("error {word} = #{word} == 2;\n")).collect();
        check_all(&instances("keywords", &chain(states[0], states, &errors))[0]);
    }
}

#[test]
#[cfg_attr(not(long_tests), ignore = "runs Spin and NuSMV: PARAMCHECK_LONG=1")]
fn names_that_meet_those_of_the_text() {
    let states =
        ["t1", "step", "none", "stuck", "terminated", "may_1", "system_", "Node_1", "Node_1_2", "Node_t1"];
    let errors =
        "error stuck = #step == 2; error Node_1 = #none >= 1; error terminated = #Node_1 == 1 & !deadlock;\n";
    check("names", &chain("Node", &states, errors));
    check("names", &chain("t", &["net", "page", "units", "a1", "unit_t_1", "_1", "_"], ""));
}

#[test]
#[cfg_attr(not(long_tests), ignore = "runs Spin and NuSMV: PARAMCHECK_LONG=1")]
fn letters_that_only_models_know() {
    let errors = "error größe = #μ' >= 1;\nerror größe' = #名 == 2 | #μ'' == 0;\n";
    check("unicode", &chain("Überträger'", &["μ", "μ'", "μ''", "名", "_", "_a", "_'", "u3bc"], errors));
}

#[test]
#[cfg_attr(not(long_tests), ignore = "runs Spin and NuSMV: PARAMCHECK_LONG=1")]
fn components_of_very_many_states() {
    let states: Vec<String> = (0..300).map(|number| format!("s{number}")).collect();
    let steps: Vec<String> = (1..300).map(|number| format!("s{} -tick-> s{number};", number - 1)).collect();
    let text = format!(
        "component Clock {{ states {}; init s0; {} }}\n\
         component Beat {{ states up, down; init up; up -tock-> down; down -tock-> up; }}\n\
         A() <- new x, y . <tick(x) tock(y)> (Clock(x), Beat(y));\n\
         error far = #s299 >= 1 & #down == 1; error late = #s256 + #s299 >= 1 & #down == 0;",
        states.join(", "),
        steps.join(" ")
    );
    check("300 states", &text);
}

#[test]
#[cfg_attr(not(long_tests), ignore = "runs Spin and NuSMV: PARAMCHECK_LONG=1")]
fn nothing_ever_happens() {
    check(
        "still",
        "component C { states a, b; init *; } A() <- new x . C(x) | new x, y . (C(x), B(y)); B(x) <- C(x);",
    );
    check("still", "component C { states a; init a; } A() <- new x . C(x); error one = #a == 1;");
    check("still", "component C { states a; init a; final a; } A() <- new x . C(x); error none = #a == 0;");
}

/// Reached or not, by the kind of formula.
const FORMULAS: [&str; 22] = [
    "!(#b >= 1)",
    "!(#b >= 1 & #a >= 1) | !!(#c == 2)",
    "#b + #b + #b + #C.b >= 4",
    "#b + #b + #c != 3",
    "#a + #b + #c >= 1",
    "#a + #b + #c < 1",
    "#a + #a + #b + #c == 3",
    "#b >= 0",
    "#b < 0",
    "#c > 0 & deadlock",
    "!deadlock & #c == 2",
    "!(deadlock | #a >= 1)",
    "deadlock | #b == 2",
    "#b <= 18446744073709551615",
    "#b + #c == 18446744073709551615",
    "#b >= 4294967296",
    "(#b == 1 | #c == 1) & (#a == 1 | #c == 2)",
    "near & #c >= 1",
    "!near",
    "wsks { ex1 x, y: x in b & y in c }",
    "wsks { all1 x: x notin a } & !deadlock",
    "wsks { all2 X: b sub X => X = C }",
];

/// Three states, self-loops, internal steps, patterns; what is final is put in.
fn formulas(finals: &str) -> String {
    let errors = FORMULAS.iter().enumerate();
    let errors: String = errors.map(|(number, formula)| format!("error e{number} = {formula};\n")).collect();
    format!(
        "component C {{ states a, b, c; init a, b; {finals} a -p-> b; b -p-> b; b -> c; c -q-> c; b -q-> a; }}\n\
         A() <- new x, y . <p(x) q(y)> (B(x, y));\n\
         B(x, y) <- <p(y)> forbid near <b(x) c(y) + a(x)> (C(x), C(y));\n\
         B(x, y) <- new z . <q(x) q(z)> forbid near <C.c(x) c(z)> (C(x), B(z, y));\n{errors}"
    )
}

#[test]
#[cfg_attr(not(long_tests), ignore = "runs Spin and NuSMV: PARAMCHECK_LONG=1")]
fn every_kind_of_error() {
    for finals in ["", "final c;", "final a, c;", "final *;"] {
        check(finals, &formulas(finals));
    }
}
