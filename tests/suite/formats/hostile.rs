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

/// What NuSMV 2.6 refuses as a name, tried word by word, and the words of Promela's manual: written down
/// without a look at the lists of the writers.
const WORDS: &str = "A ABF ABG AF AG ASSIGN AX BU COMPASSION COMPID COMPUTE COMPWFF CONSTANTS CONSTARRAY \
    CONSTRAINT CTLSPEC CTLWFF DEFINE E EBF EBG EF EG EX F FAIRNESS FALSE FROZENVAR FUN G H IN INIT INVAR \
    INVARSPEC ISA ITYPE IVAR JUSTICE LTLSPEC LTLWFF MAX MDEFINE MIN MODULE NAME NEXTWFF O PSLSPEC READ S \
    SIMPWFF SPEC T TRANS TRUE U V VAR WRITE Word X Y Z abs array bool boolean case count esac extend in max min \
    mod next of process resize self signed sizeof swconst toint typeof union unsigned uwconst word word1 xnor xor \
    active assert atomic bit break byte c_code c_decl c_expr c_state c_track chan D_proctype d_step do else empty \
    enabled eval false fi for full get_priority goto hidden if inline int len local ltl mtype nempty never nfull \
    notrace np_ od pc_value pid printf printm priority proctype provided return run select set_priority short \
    show skip timeout trace true typedef unless unsigned until xr xs";

#[test]
#[cfg_attr(not(long_tests), ignore = "runs Spin and NuSMV: PARAMCHECK_LONG=1")]
fn keywords_are_names() {
    // What the language of models does not keep for itself.
    let own =
        ["component", "states", "init", "final", "new", "forbid", "link", "error", "critical", "system"];
    let mut words: Vec<&str> = promela::KEYWORDS.iter().chain(smv::KEYWORDS).copied().collect();
    words.extend(WORDS.split_whitespace());
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

/// Spin fails at names of 512 letters, and at strings of 2,048 bytes.
#[test]
#[cfg_attr(not(long_tests), ignore = "runs Spin and NuSMV: PARAMCHECK_LONG=1")]
fn names_longer_than_other_programs_read() {
    for letters in [190, 250, 500, 1_000, 2_100, 9_000] {
        let states = ["a", "b", "c"].map(|end| format!("s{}{end}", "x'".repeat(letters / 2)));
        let component = format!("N{}", "n".repeat(letters));
        let [one, two] = ["d", "e"].map(|end| format!("{}{end}", "e".repeat(letters)));
        let errors =
            format!("error {one} = #{} == 2; error {two} = #{component}.{} >= 1;", states[2], states[1]);
        let states: Vec<&str> = states.iter().map(String::as_str).collect();
        check(&format!("{letters} letters"), &chain(&component, &states, &errors));
    }
    let found = include_str!("../../cases/found/long-name.rs");
    check("long-name.rs", found);
}

#[test]
#[cfg_attr(not(long_tests), ignore = "runs Spin and NuSMV: PARAMCHECK_LONG=1")]
fn words_of_other_programs_as_states_and_errors() {
    check("smv-toint.rs", include_str!("../../cases/found/smv-toint.rs"));
}

#[test]
#[cfg_attr(not(long_tests), ignore = "runs Spin and NuSMV: PARAMCHECK_LONG=1")]
fn letters_that_only_models_know() {
    let errors = "error größe = #μ' >= 1;\nerror größe' = #名 == 2 | #μ'' == 0;\n";
    check(
        "unicode",
        &chain("Überträger'", &["μ", "μ'", "μ''", "名", "_", "_a", "_'", "u3bc", "μ'a", "_'_'x"], errors),
    );
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
