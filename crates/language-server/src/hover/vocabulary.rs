//! What reserved words mean, a sentence or two each.

use crate::document::Language;

/// Per word of rewriting systems what it begins.
const REWRITING: [(&str, &str); 12] = [
    (
        "component",
        "**component** NAME `{ … }`: a component type, a finite automaton. `busy -out-> idle;` is a transition on the port `out`, `a -> b;` one that fires alone.",
    ),
    ("states", "**states** `a, b;` the states of the component type."),
    ("init", "**init** `a;` where components of this type start; with several, or `*`, any of them."),
    ("final", "**final** `a;` where a component may rest: a marking in which all rest is no deadlock."),
    ("new", "**new** `x, y .` binds variables: each is a component that is created here or below."),
    ("ν", "**new** `x, y .` binds variables: each is a component that is created here or below."),
    (
        "forbid",
        "**forbid** `<a(x) b(y)>` is an error wherever components of one rule are in these states at once. With a name, an error of its own.",
    ),
    (
        "link",
        "**link** `name(x, y) = <…>;` names interactions and patterns, which rules insert by `<name(x, y)>`.",
    ),
    ("error", "**error** `name = …;` is a set of markings that must never be reached, in any instance."),
    (
        "critical",
        "**critical** `s, t;` is the error that two or more components are in these states at once.",
    ),
    ("system", "**system** `P;` the predicate that is the system; else that of the first rule."),
    ("deadlock", "**deadlock**: nothing can move, and some component is in a state that is not final."),
];

/// Per word of processes what it begins.
const PROCESSES: [(&str, &str); 11] = [
    ("system", "**system** `P;` the process that is checked."),
    ("check", "**check** `name = always …;` what must hold of the system."),
    ("always", "**always** `φ`: φ holds in every state that is reached."),
    ("eventually", "**eventually** `φ`: every run comes to a state in which φ holds."),
    ("ltl", "**ltl** `φ`: every run satisfies φ, a formula with `X F G U R W`."),
    ("deadlock", "**deadlock**: no state is reached that can't move and has not terminated."),
    ("did", "**did** `a`: the last step was `a`."),
    ("can", "**can** `a`: a step `a` is possible."),
    ("terminated", "**terminated**: the state has ended well."),
    ("tau", "**tau**: the invisible action."),
    ("τ", "**tau**: the invisible action."),
];

/// Per word of systems of agents what it begins.
const AGENTS: [(&str, &str); 36] = [
    (
        "system",
        "**system** `{ extern = …  environment = …  spawn = … }`: what there is, and processes that all kinds may call.",
    ),
    ("extern", "**extern** `= _n, _m`: parameters, whose values come from the command line."),
    ("environment", "**environment** `= x: 0; y[3]: 1`: variables that all agents share."),
    ("spawn", "**spawn** `= Kind: 3, Other: _n`: so many agents of each kind."),
    (
        "stigmergy",
        "**stigmergy** NAME `{ link = …  x: 0 }`: variables of which each agent has a copy; the newest value wins.",
    ),
    ("link", "**link** `= φ`: who hears whom; `1` sends, `2` receives."),
    ("agent", "**agent** KIND `{ interface = …  stigmergies = …  Behavior = … }`: a kind of agents."),
    ("interface", "**interface** `= x: 0; y: 0..5`: attributes, with the values they may have at first."),
    ("stigmergies", "**stigmergies** `= S; T`: those of which agents of this kind have copies."),
    ("assume", "**assume** `{ NAME = φ }`: what holds in every initial state."),
    ("check", "**check** `{ NAME = always φ }`: properties."),
    ("always", "**always** `φ`: every reachable state has φ. In a scope: all of its states."),
    (
        "finally",
        "**finally** `φ`: every run comes to a state with φ. Within `--steps`: the last state has φ.",
    ),
    ("eventually", "**eventually** `φ`: every run comes to a state with φ."),
    ("fairly", "**fairly** `φ`: as long as φ has not come, it still can."),
    ("fairly_inf", "**fairly_inf** `φ`: from every reachable state φ can be reached."),
    (
        "between",
        "**between** `(p) and (q), …`: scopes from p to the next q; those that never close are not judged.",
    ),
    (
        "from",
        "**from** `(p) until (q), …`: scopes from p to the next q; those that never close are judged too.",
    ),
    (
        "until",
        "**from** `(p) until (q), …`: scopes from p to the next q; those that never close are judged too.",
    ),
    ("thereIs", "**thereIs** `r`: some state of the scope has r."),
    ("precedes", "`s` **precedes** `r`: in the scope no r before the first s."),
    ("forall", "**forall** `Kind x, φ`: φ for all agents of the kind."),
    ("exists", "**exists** `Kind x, φ`: φ for some agent of the kind."),
    ("count", "**count** `Kind x, φ`: for how many agents of the kind φ is true; in blocks."),
    ("pick", "`p[] :=` **pick** `2 Kind where φ`: different agents other than oneself; in blocks."),
    ("where", "**where** `φ`: what must be so of oneself (`1`) and the candidate (`2`)."),
    ("of", "`x` **of** `e`: the variable of the agent with this number; takes everything to its right."),
    ("id", "**id**: the number of the agent."),
    ("undef", "**undef**: no value; a comparison with it is neither true nor false."),
    ("abs", "**abs** `(a)`: the number without its sign."),
    ("min", "**min** `(a, b)`: the smaller one."),
    ("max", "**max** `(a, b)`: the greater one."),
    ("if", "**if** `c` **then** `a` **else** `b`."),
    ("Skip", "**Skip**: a step that changes nothing."),
    ("Nil", "**Nil**: no step, and no end."),
    ("Behavior", "**Behavior**: the process that agents of the kind run."),
];

/// What a reserved word means.
pub(super) fn keyword(word: &str, language: Language) -> Option<&'static str> {
    let table: &[(&str, &str)] = match language {
        Language::Rewriting => &REWRITING,
        Language::Ccs | Language::Chor => &PROCESSES,
        Language::Labs => &AGENTS,
    };
    table.iter().find(|(name, _)| *name == word).map(|(_, what)| *what)
}
