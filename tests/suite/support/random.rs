//! Random rewriting systems, as texts, from a seed.
//!
//! The rules of half of the systems are shapes known from practice (chains, rings, stars, trees, with
//! borrowed variables too), those of the other half are made at random so that every variable has one
//! owner and every predicate derives a finite tree. Component types, interactions, initial and final
//! states, patterns and errors are random in both. The types that a variable can have are computed, so
//! that interactions mostly ask for ports that exist. Most texts have a meaning; the rest is for the
//! caller to drop. Systems are small: the naive twin manages most of them.
//!
//! Systems are reproducible for ever by their seed, which is why no random number library is used.

use std::fmt::Write as _;

use paramcheck_model::lower::load;
use paramcheck_model::system::System;

/// A generator of numbers (splitmix64).
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Random(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `bound`.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    /// True in `percent` of the cases.
    pub(crate) fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    pub(crate) fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }
}

/// A component type.
struct Kind {
    name: String,
    states: Vec<String>,
    /// From, port, to.
    transitions: Vec<(usize, Option<usize>, usize)>,
}

/// An atom: of a component type (with a bracket such as `[*]`) or of a predicate.
#[derive(Clone)]
enum Atom {
    Instance { kind: usize, start: String, variable: usize },
    Call { predicate: usize, arguments: Vec<usize> },
}

/// A rule's body before interactions are added. Variables 0.. are the parameters.
#[derive(Clone)]
struct Body {
    variables: usize,
    atoms: Vec<Atom>,
}

/// A predicate: per parameter whether it is owned; its rules.
struct Predicate {
    name: String,
    owned: Vec<bool>,
    bodies: Vec<Body>,
}

const PORTS: [&str; 4] = ["p", "q", "r", "t"];

/// The random system of `seed` with its text; `None` where the text has no meaning.
pub(crate) fn system(seed: u64) -> Option<(String, System)> {
    let text = text(seed);
    let system = load(&text).system?;
    Some((text, system))
}

/// The text of the random system of `seed`.
pub(crate) fn text(seed: u64) -> String {
    let mut random = Random::new(seed);
    let kinds = kinds(&mut random);
    let predicates = if random.chance(50) {
        known_shape(&mut random, &kinds)
    } else {
        random_grammar(&mut random, &kinds)
    };
    let types = possible_types(&predicates);
    let mut text = String::new();
    let has_final = random.chance(30);
    for kind in &kinds {
        write_component(&mut text, &mut random, kind, has_final);
    }
    let mut has_patterns = false;
    for (number, predicate) in predicates.iter().enumerate() {
        for (body, types) in predicate.bodies.iter().zip(&types[number]) {
            write_rule(
                &mut text,
                &mut random,
                (&predicates, predicate),
                (body, types),
                &kinds,
                &mut has_patterns,
            );
        }
    }
    write_errors(&mut text, &mut random, &kinds, has_patterns);
    text
}

fn kinds(random: &mut Random) -> Vec<Kind> {
    let shares_names = random.chance(50);
    // Most systems are very small, for the naive twin's sake.
    let is_small = random.chance(70);
    let count = 1 + random.below(if is_small { 2 } else { 3 });
    let ports = 2 + random.below(3);
    (0..count)
        .map(|number| {
            let states = if is_small { *random.pick(&[1, 2, 2, 2]) } else { *random.pick(&[2, 2, 3]) };
            let letter = if shares_names { 's' } else { char::from(b'a' + number as u8) };
            let transitions = (0..1 + random.below(2 + states)).map(|_| {
                let port = (!random.chance(10)).then(|| random.below(ports));
                (random.below(states), port, random.below(states))
            });
            let mut transitions: Vec<_> = transitions.collect();
            transitions.sort_unstable();
            transitions.dedup();
            Kind {
                name: char::from(b'A' + number as u8).to_string(),
                states: (0..states).map(|state| format!("{letter}{state}")).collect(),
                transitions,
            }
        })
        .collect()
}

fn instance(random: &mut Random, kinds: &[Kind], variable: usize) -> Atom {
    let kind = random.below(kinds.len());
    let start = match random.below(10) {
        0 => "[*]".to_owned(),
        1 | 2 => format!("[{}]", random.pick(&kinds[kind].states)),
        _ => String::new(),
    };
    Atom::Instance { kind, start, variable }
}

fn call(predicate: usize, arguments: &[usize]) -> Atom {
    Atom::Call { predicate, arguments: arguments.to_vec() }
}

/// One of the usual shapes, with random component types in it.
fn known_shape(random: &mut Random, kinds: &[Kind]) -> Vec<Predicate> {
    let shape = random.below(7);
    let mut new = |variable| instance(random, kinds, variable);
    let body = |variables, atoms| Body { variables, atoms };
    let predicate = |name: &str, owned: &[bool], bodies| Predicate {
        name: name.to_owned(),
        owned: owned.to_vec(),
        bodies,
    };
    const OWNED: bool = true;
    const BORROWED: bool = false;
    match shape {
        // A ring.
        0 => vec![
            predicate("Ring", &[], vec![body(2, vec![call(1, &[0, 1])])]),
            predicate(
                "Chain",
                &[OWNED, OWNED],
                vec![body(2, vec![new(0), new(1)]), body(3, vec![new(0), call(1, &[2, 1])])],
            ),
        ],
        // A line that begins with a component of its own.
        1 => vec![
            predicate("Line", &[], vec![body(2, vec![new(0), call(1, &[1])])]),
            predicate("Rest", &[OWNED], vec![body(1, vec![new(0)]), body(2, vec![new(0), call(1, &[1])])]),
        ],
        // A star; the hub is created at the end.
        2 => vec![
            predicate("Star", &[], vec![body(1, vec![call(1, &[0])])]),
            predicate(
                "Slaves",
                &[OWNED],
                vec![body(2, vec![new(1), new(0)]), body(2, vec![new(1), call(1, &[0])])],
            ),
        ],
        // A star; the hub is created at the beginning.
        3 => vec![
            predicate("Star", &[], vec![body(1, vec![new(0), call(1, &[0])])]),
            predicate(
                "Slaves",
                &[BORROWED],
                vec![body(2, vec![new(1)]), body(2, vec![new(1), call(1, &[0])])],
            ),
        ],
        // A tree.
        4 => vec![
            predicate("Root", &[], vec![body(3, vec![new(0), call(1, &[1]), call(1, &[2])])]),
            predicate(
                "Tree",
                &[OWNED],
                vec![body(1, vec![new(0)]), body(3, vec![new(0), call(1, &[1]), call(1, &[2])])],
            ),
        ],
        // A tree whose nodes all know the root.
        5 => vec![
            predicate("Root", &[], vec![body(2, vec![new(0), call(1, &[1, 0])])]),
            predicate(
                "Tree",
                &[OWNED, BORROWED],
                vec![body(2, vec![new(0)]), body(4, vec![new(0), call(1, &[2, 1]), call(1, &[3, 1])])],
            ),
        ],
        // A ring whose nodes share a resource.
        _ => vec![
            predicate("Ring", &[], vec![body(3, vec![new(2), call(1, &[0, 1, 2])])]),
            predicate(
                "Chain",
                &[OWNED, OWNED, BORROWED],
                vec![body(3, vec![new(0), new(1)]), body(4, vec![new(0), call(1, &[3, 1, 2])])],
            ),
        ],
    }
}

/// Predicates with random parameters and rules. The first rule of a predicate only calls later ones,
/// so each derives a finite tree.
fn random_grammar(random: &mut Random, kinds: &[Kind]) -> Vec<Predicate> {
    let count = 2 + random.below(3);
    let mut predicates: Vec<Predicate> = (0..count)
        .map(|number| {
            let arity = if number == 0 { 0 } else { random.below(3) + usize::from(random.chance(20)) };
            Predicate {
                name: format!("P{number}"),
                owned: (0..arity).map(|_| random.chance(65)).collect(),
                bodies: Vec::new(),
            }
        })
        .collect();
    for number in 0..count {
        for rule in 0..1 + random.below(3) {
            let calls = match random.below(10) {
                0..3 => 0,
                3..8 => 1,
                _ => 2,
            };
            let first_callee = match rule {
                0 => number + 1,
                _ if random.chance(30) => 1,
                _ => number.max(1),
            };
            let callees: Vec<usize> = if first_callee < count {
                // The root calls something, for a system of one component is of little use.
                let calls = if number == 0 { calls.max(1) } else { calls };
                (0..calls).map(|_| first_callee + random.below(count - first_callee)).collect()
            } else {
                Vec::new()
            };
            let body = random_body(random, kinds, &predicates, number, &callees);
            predicates[number].bodies.push(body);
        }
    }
    predicates
}

/// A body with the calls wanted: owned positions get variables that have no owner yet, borrowed ones
/// any; variables left without an owner get a component.
fn random_body(
    random: &mut Random,
    kinds: &[Kind],
    predicates: &[Predicate],
    head: usize,
    callees: &[usize],
) -> Body {
    let owned = &predicates[head].owned;
    let mut variables = owned.len();
    let mut ownerless: Vec<usize> = (0..variables).filter(|&v| owned[v]).collect();
    for _ in 0..random.below(3) {
        ownerless.push(variables);
        variables += 1;
    }
    let mut atoms = Vec::new();
    for &predicate in callees {
        let mut arguments: Vec<Option<usize>> = vec![None; predicates[predicate].owned.len()];
        for (position, &is_owned) in predicates[predicate].owned.iter().enumerate() {
            if is_owned {
                if ownerless.is_empty() || random.chance(20) {
                    ownerless.push(variables);
                    variables += 1;
                }
                let chosen = random.below(ownerless.len());
                arguments[position] = Some(ownerless.swap_remove(chosen));
            }
        }
        for position in 0..arguments.len() {
            if arguments[position].is_none() {
                let free: Vec<usize> = (0..variables).filter(|v| !arguments.contains(&Some(*v))).collect();
                arguments[position] = Some(if free.is_empty() {
                    ownerless.push(variables);
                    variables += 1;
                    variables - 1
                } else {
                    *random.pick(&free)
                });
            }
        }
        atoms.push(Atom::Call { predicate, arguments: arguments.into_iter().flatten().collect() });
    }
    // A body has an atom; a rule that only borrows creates something nevertheless.
    if atoms.is_empty() && ownerless.is_empty() {
        ownerless.push(variables);
        variables += 1;
    }
    for variable in ownerless {
        let atom = instance(random, kinds, variable);
        let position = random.below(atoms.len() + 1);
        atoms.insert(position, atom);
    }
    Body { variables, atoms }
}

/// Per predicate, rule and variable, the component types possible (a bit for each).
fn possible_types(predicates: &[Predicate]) -> Vec<Vec<Vec<u8>>> {
    let mut parameters: Vec<Vec<u8>> = predicates.iter().map(|p| vec![0; p.owned.len()]).collect();
    let mut variables: Vec<Vec<Vec<u8>>> =
        predicates.iter().map(|p| p.bodies.iter().map(|body| vec![0; body.variables]).collect()).collect();
    loop {
        let before = (parameters.clone(), variables.clone());
        for (number, predicate) in predicates.iter().enumerate() {
            for (body, types) in predicate.bodies.iter().zip(&mut variables[number]) {
                for atom in &body.atoms {
                    match atom {
                        Atom::Instance { kind, variable, .. } => types[*variable] |= 1 << kind,
                        Atom::Call { predicate: callee, arguments } => {
                            for (position, &argument) in arguments.iter().enumerate() {
                                if predicates[*callee].owned[position] {
                                    types[argument] |= parameters[*callee][position];
                                } else {
                                    parameters[*callee][position] |= types[argument];
                                }
                            }
                        }
                    }
                }
                for (position, &is_owned) in predicate.owned.iter().enumerate() {
                    if is_owned {
                        parameters[number][position] |= types[position];
                    } else {
                        types[position] |= parameters[number][position];
                    }
                }
            }
        }
        if before == (parameters.clone(), variables.clone()) {
            return variables;
        }
    }
}

fn write_component(text: &mut String, random: &mut Random, kind: &Kind, has_final: bool) {
    write!(text, "component {} {{ states {};", kind.name, kind.states.join(", ")).unwrap();
    let initial = match random.below(10) {
        0 => "*".to_owned(),
        1 if kind.states.len() > 1 => kind.states[..2].join(", "),
        _ => random.pick(&kind.states).clone(),
    };
    write!(text, " init {initial};").unwrap();
    for &(from, port, to) in &kind.transitions {
        let port = port.map_or(String::new(), |port| format!("-{}", PORTS[port]));
        write!(text, " {} {port}-> {};", kind.states[from], kind.states[to]).unwrap();
    }
    if has_final && random.chance(70) {
        write!(text, " final {};", random.pick(&kind.states)).unwrap();
    }
    text.push_str(" }\n");
}

fn write_rule(
    text: &mut String,
    random: &mut Random,
    (predicates, predicate): (&[Predicate], &Predicate),
    (body, types): (&Body, &[u8]),
    kinds: &[Kind],
    has_patterns: &mut bool,
) {
    let names =
        |variables: &[usize]| variables.iter().map(|v| format!("x{v}")).collect::<Vec<_>>().join(", ");
    let parameters = predicate.owned.len();
    write!(text, "{}({}) <- ", predicate.name, names(&(0..parameters).collect::<Vec<_>>())).unwrap();
    if body.variables > parameters {
        write!(text, "new {} . ", names(&(parameters..body.variables).collect::<Vec<_>>())).unwrap();
    }
    // Port or state names that some possible type of a variable has.
    let ports = |variable: usize| -> Vec<&str> {
        let kinds = kinds.iter().enumerate().filter(|(kind, _)| types[variable] >> kind & 1 == 1);
        kinds.flat_map(|(_, kind)| kind.transitions.iter().filter_map(|t| Some(PORTS[t.1?]))).collect()
    };
    let states = |variable: usize| -> Vec<&str> {
        let kinds = kinds.iter().enumerate().filter(|(kind, _)| types[variable] >> kind & 1 == 1);
        kinds.flat_map(|(_, kind)| kind.states.iter().map(String::as_str)).collect()
    };
    if body.variables > 0 {
        let count = [0, 1, 1, 2, 2, 3][random.below(6)];
        let interactions = meetings(random, body.variables, count, &ports);
        if !interactions.is_empty() {
            write!(text, "<{}> ", interactions.join(" + ")).unwrap();
        }
        if random.chance(20) {
            let count = 1 + random.below(2);
            let patterns = meetings(random, body.variables, count, &states);
            if !patterns.is_empty() {
                let is_named = random.chance(15);
                *has_patterns |= !is_named;
                let name = if is_named { "meeting " } else { "" };
                write!(text, "forbid {name}<{}> ", patterns.join(" + ")).unwrap();
            }
        }
    }
    let atoms = body.atoms.iter().map(|atom| match atom {
        Atom::Instance { kind, start, variable } => format!("{}{start}(x{variable})", kinds[*kind].name),
        Atom::Call { predicate, arguments } => {
            format!("{}({})", predicates[*predicate].name, names(arguments))
        }
    });
    writeln!(text, "({});", atoms.collect::<Vec<_>>().join(", ")).unwrap();
}

/// Texts such as `p(x0) q(x2)`, each variable at most once in each.
fn meetings<'a>(
    random: &mut Random,
    variables: usize,
    count: usize,
    words: &dyn Fn(usize) -> Vec<&'a str>,
) -> Vec<String> {
    let mut result: Vec<String> = Vec::new();
    for _ in 0..count {
        let size = *random.pick(&[1, 2, 2, 2, 2, 3]);
        let mut left: Vec<usize> = (0..variables).collect();
        let mut parts = Vec::new();
        while parts.len() < size && !left.is_empty() {
            let position = random.below(left.len());
            let variable = left.swap_remove(position);
            let words = words(variable);
            if !words.is_empty() {
                parts.push(format!("{}(x{variable})", random.pick(&words)));
            }
        }
        let part = parts.join(" ");
        if !part.is_empty() && !result.contains(&part) {
            result.push(part);
        }
    }
    result
}

fn write_errors(text: &mut String, random: &mut Random, kinds: &[Kind], has_patterns: bool) {
    let term = |random: &mut Random| {
        let kind = random.pick(kinds);
        let state = random.pick(&kind.states);
        if random.chance(50) { format!("#{}.{state}", kind.name) } else { format!("#{state}") }
    };
    let count = |random: &mut Random| {
        let sum =
            if random.chance(30) { format!("{} + {}", term(random), term(random)) } else { term(random) };
        let (comparison, bound) = match random.below(6) {
            0 => ("==", random.below(3)),
            1 => ("<=", random.below(2)),
            2 => ("!=", 1),
            3 => ("<", 1),
            4 => (">", random.below(2)),
            _ => (">=", 1 + random.below(2)),
        };
        format!("{sum} {comparison} {bound}")
    };
    for number in 0..1 + random.below(2) {
        let formula = match random.below(8) {
            0 => format!("{} & {}", count(random), count(random)),
            1 => format!("{} | !({})", count(random), count(random)),
            2 => format!("deadlock & {}", count(random)),
            3 if has_patterns => format!("forbidden & {}", count(random)),
            _ => count(random),
        };
        writeln!(text, "error e{number} = {formula};").unwrap();
    }
    if random.chance(50) {
        let critical: Vec<&String> = kinds.iter().map(|kind| random.pick(&kind.states)).collect();
        let mut names: Vec<&str> = critical.iter().map(|name| name.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        writeln!(text, "critical {};", names.join(", ")).unwrap();
    }
}
