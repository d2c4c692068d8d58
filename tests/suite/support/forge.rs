//! Ways to spoil a certificate, one small edit at a time.
//!
//! [`edits`] lists every edit of a certificate; [`Edit::apply`] makes the spoilt copy (so that a test of
//! a large certificate can choose some, instead of holding thousands of copies). A spoilt certificate
//! must be refused unless it is still a proof: [`need`] decides by a plain rule when that is so for
//! a removed configuration.

use std::collections::BTreeSet;
use std::fmt;

use paramcheck_certificate::data::{
    Certificate, Configuration, DroppedInteraction, ErrorState, PredicateSet, Proof, Refuting,
};
use paramcheck_model::system::System;

/// The kinds that an edit tries; certificates may have others.
const KINDS: [&str; 10] = [
    "trap",
    "mutex",
    "siphon",
    "at-most-one",
    "parity",
    "at-least:2",
    "exactly:2",
    "at-most:2",
    "linear:4",
    "modulo:3",
];

/// Which proof of a certificate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Which {
    /// That of the error.
    Main,
    /// That of a dropped interaction.
    Dropped(usize),
}

/// One change of a certificate. Positions are those of the unchanged document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Edit {
    /// Another format, version, system, error or formula.
    Header(&'static str),
    /// A configuration is gone.
    RemoveConfiguration(Which, usize),
    /// All configurations are gone.
    RemoveAllConfigurations(Which),
    /// A claim is gone: the configuration is weaker.
    RemoveClaim(Which, usize, usize),
    /// A claim states another count.
    ChangeMarked(Which, usize, usize, i64),
    /// A configuration claims one set more.
    AddClaim(Which, usize, Refuting),
    /// A place of a configuration is another state.
    ChangePlace(Which, usize, usize, String),
    /// The error state of a configuration is another.
    ChangeError(Which, usize, ErrorState),
    /// A state of a set's parameter goes in or out.
    ToggleInSet(Which, usize, usize, String),
    /// A state of a set's parameter weighs something else.
    ChangeWeightInSet(Which, usize, usize, usize, i64),
    /// A set starts with another count.
    ChangeInitial(Which, usize, u64),
    /// A set is of another kind.
    ChangeSetKind(Which, usize, &'static str),
    /// A set is gone, and all claims of it.
    RemoveSet(Which, usize),
    /// A part is gone.
    RemovePart(Which, usize),
    /// A state of a part goes in or out.
    ToggleInPart(Which, usize, String),
    /// A state of a part weighs something else.
    ChangeWeightInPart(Which, usize, usize, i64),
    /// A part is of another kind.
    ChangePartKind(Which, usize, &'static str),
    /// Two states no longer exclude each other.
    RemoveExclusive(usize),
    /// Another state is excluded as well.
    ChangeExclusive(usize, String),
    /// A dropped interaction is no longer dropped.
    RemoveDropped(usize),
    /// A dropped interaction and the next change places.
    SwapDropped(usize),
    /// A dropped interaction is there twice.
    DuplicateDropped(usize),
    /// One more interaction is dropped, with a proof that proves nothing.
    ForgeDropped(DroppedInteraction),
    /// A dropped interaction has the proof of another.
    StealProof(usize, usize),
}

impl fmt::Display for Edit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            // Its proof would fill the screen.
            Edit::ForgeDropped(dropped) => {
                write!(
                    f,
                    "ForgeDropped({}, {}, {:?})",
                    dropped.rule, dropped.interaction, dropped.combination
                )
            }
            edit => write!(f, "{edit:?}"),
        }
    }
}

/// The proofs of a certificate.
pub(crate) fn proofs(certificate: &Certificate) -> Vec<(Which, &Proof)> {
    let dropped = certificate.dropped.iter().enumerate();
    let dropped = dropped.map(|(index, dropped)| (Which::Dropped(index), &dropped.proof));
    dropped.chain([(Which::Main, &certificate.proof)]).collect()
}

/// Every edit of `certificate`.
pub(crate) fn edits(system: &System, certificate: &Certificate) -> Vec<Edit> {
    let mut edits: Vec<Edit> =
        ["format", "version", "system", "error", "formula"].into_iter().map(Edit::Header).collect();
    for (which, proof) in proofs(certificate) {
        edits_of_configurations(system, which, proof, &mut edits);
        edits_of_sets(system, which, proof, &mut edits);
        edits_of_parts(system, which, proof, &mut edits);
    }
    edits_of_dropped(system, certificate, &mut edits);
    for (position, pair) in certificate.exclusive.iter().enumerate() {
        edits.push(Edit::RemoveExclusive(position));
        for rule in system.rules.iter().filter(|rule| rule.label == pair.rule) {
            let variable = rule.variables.indices().find(|v| rule.variables[*v].name == pair.first.variable);
            let types = variable.map(|variable| rule.variables[variable].types.clone());
            let states = types.into_iter().flatten().flat_map(|id| system.types[id].states.iter());
            let others = states.filter(|state| state.name != pair.first.state);
            edits.extend(others.map(|state| Edit::ChangeExclusive(position, state.name.clone())));
        }
    }
    edits
}

/// Every spoilt copy of `certificate` with the name of the edit, made one by one.
pub(crate) fn mutations(
    system: &System,
    certificate: &Certificate,
) -> impl Iterator<Item = (String, Certificate)> {
    let edits = edits(system, certificate);
    edits.into_iter().map(|edit| (edit.to_string(), edit.apply(system, certificate)))
}

/// Certificates that claim without proof, whatever the system is: no configurations, configurations
/// without claims, configurations that claim everything, no parts.
pub(crate) fn forgeries(certificate: &Certificate) -> Vec<(&'static str, Certificate)> {
    let change = |edit: &dyn Fn(&mut Proof)| {
        let mut forged = certificate.clone();
        forged.dropped.iter_mut().for_each(|dropped| edit(&mut dropped.proof));
        edit(&mut forged.proof);
        forged
    };
    let empty = |proof: &mut Proof| {
        *proof = Proof { parts: Vec::new(), sets: Vec::new(), configurations: Vec::new() };
    };
    let claim_everything = |proof: &mut Proof| {
        let sets = proof.sets.clone();
        for configuration in &mut proof.configurations {
            let fitting = sets.iter().enumerate().filter(|(_, set)| fits(configuration, set));
            let claims = fitting.flat_map(|(set, _)| (-1..3).map(move |marked| Refuting { set, marked }));
            configuration.refuting = claims.collect();
        }
    };
    vec![
        ("empty", change(&empty)),
        ("no configurations", change(&|proof| proof.configurations.clear())),
        ("no parts", change(&|proof| proof.parts.clear())),
        ("no claims", change(&|proof| proof.configurations.iter_mut().for_each(|c| c.refuting.clear()))),
        ("all claims", change(&claim_everything)),
        ("nothing excluded", Certificate { exclusive: Vec::new(), ..certificate.clone() }),
        ("nothing dropped", Certificate { dropped: Vec::new(), ..certificate.clone() }),
    ]
}

/// Whether a claim of `set` in `configuration` is well-formed.
fn fits(configuration: &Configuration, set: &PredicateSet) -> bool {
    set.predicate == configuration.predicate
        && set
            .parameters
            .iter()
            .map(|parameter| &parameter.component)
            .eq(configuration.places.iter().map(|place| &place.component))
}

/// Whether a certificate stays one without a configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Need {
    /// No other configuration shows the same: without it, what it covers is not covered.
    Needed,
    /// Another one shows the same and claims no more: it covers the same.
    Redundant,
    /// Another one shows the same and claims other things; perhaps they follow as well. (An engine may
    /// leave out claims that others make superfluous.)
    Unclear,
}

/// Whether the proof is still one without the configuration at `position`, which follows from others.
pub(crate) fn need(proof: &Proof, position: usize) -> Need {
    let claims = |configuration: &Configuration| -> BTreeSet<(PredicateSet, i64)> {
        let claim = |claim: &Refuting| (proof.sets[claim.set].clone(), claim.marked);
        configuration.refuting.iter().map(claim).collect()
    };
    let removed = &proof.configurations[position];
    let shows_the_same = |(other, configuration): &(usize, &Configuration)| {
        *other != position
            && configuration.predicate == removed.predicate
            && configuration.places == removed.places
            && configuration.error == removed.error
    };
    let mut others = proof.configurations.iter().enumerate().filter(shows_the_same).peekable();
    if others.peek().is_none() {
        return Need::Needed;
    }
    let removed = claims(removed);
    match others.any(|(_, other)| claims(other).is_subset(&removed)) {
        true => Need::Redundant,
        false => Need::Unclear,
    }
}

fn states_of<'a>(system: &'a System, component: &str) -> impl Iterator<Item = &'a String> {
    let component = system.types.iter().find(|known| known.name == component);
    component.into_iter().flat_map(|component| component.states.iter().map(|state| &state.name))
}

/// Adds or removes `state`, keeping the order of the component type.
fn toggle(
    system: &System,
    component: &str,
    states: &mut Vec<String>,
    weights: &mut Option<Vec<i64>>,
    state: &str,
) {
    let toggled = |known: &&String| states.contains(known) != (known.as_str() == state);
    let after: Vec<String> = states_of(system, component).filter(toggled).cloned().collect();
    if let Some(weights) = weights {
        let known = |state: &String| states.iter().position(|known| known == state);
        let weight = |state: &String| known(state).map_or(1, |position| weights[position]);
        *weights = after.iter().map(weight).collect();
    }
    *states = after;
}

/// Gives weights of 1 to the states of a kind that has weights, and takes those of others.
fn reweigh(kind: &str, states: &[String], weights: &mut Option<Vec<i64>>) {
    let is_weighted = kind.starts_with("linear") || kind.starts_with("modulo");
    *weights = is_weighted.then(|| weights.take().unwrap_or_else(|| vec![1; states.len()]));
}

/// Other weights for each of some states, by position.
fn other_weights(weights: Option<&Vec<i64>>) -> Vec<(usize, i64)> {
    let others = |(position, weight): (usize, &i64)| {
        let weight = *weight;
        [-1, 1, 2].into_iter().filter(move |other| *other != weight).map(move |other| (position, other))
    };
    weights.into_iter().flatten().enumerate().flat_map(others).collect()
}

fn edits_of_configurations(system: &System, which: Which, proof: &Proof, edits: &mut Vec<Edit>) {
    edits.push(Edit::RemoveAllConfigurations(which));
    for (position, configuration) in proof.configurations.iter().enumerate() {
        edits.push(Edit::RemoveConfiguration(which, position));
        for (entry, claim) in configuration.refuting.iter().enumerate() {
            edits.push(Edit::RemoveClaim(which, position, entry));
            let others = (-3..=3).filter(|marked| *marked != claim.marked);
            edits.extend(others.map(|marked| Edit::ChangeMarked(which, position, entry, marked)));
        }
        for (set, description) in proof.sets.iter().enumerate() {
            if fits(configuration, description) {
                let claims = (0..=2).map(|marked| Refuting { set, marked });
                let new = claims.filter(|claim| !configuration.refuting.contains(claim));
                edits.extend(new.map(|claim| Edit::AddClaim(which, position, claim)));
            }
        }
        for (parameter, place) in configuration.places.iter().enumerate() {
            let others = states_of(system, &place.component).filter(|state| **state != place.state);
            edits.extend(others.map(|state| Edit::ChangePlace(which, position, parameter, state.clone())));
        }
        let change = |change: &dyn Fn(&mut ErrorState)| {
            let mut error = configuration.error.clone();
            change(&mut error);
            Edit::ChangeError(which, position, error)
        };
        edits.push(change(&|error| error.live = !error.live));
        edits.push(change(&|error| error.unfinished = !error.unfinished));
        for bit in 0..configuration.error.patterns.len() {
            edits.push(change(&|error| error.patterns[bit] = !error.patterns[bit]));
        }
        for (index, sum) in configuration.error.counts.iter().enumerate() {
            edits.push(change(&|error| error.counts[index] += 1));
            if *sum > 0 {
                edits.push(change(&|error| error.counts[index] -= 1));
            }
        }
    }
}

fn edits_of_sets(system: &System, which: Which, proof: &Proof, edits: &mut Vec<Edit>) {
    for (position, set) in proof.sets.iter().enumerate() {
        edits.push(Edit::RemoveSet(which, position));
        for (parameter, part) in set.parameters.iter().enumerate() {
            let states = states_of(system, &part.component);
            edits.extend(states.map(|state| Edit::ToggleInSet(which, position, parameter, state.clone())));
            let others = other_weights(part.weights.as_ref()).into_iter();
            edits.extend(
                others.map(|(state, weight)| {
                    Edit::ChangeWeightInSet(which, position, parameter, state, weight)
                }),
            );
        }
        let others = (0..=3).filter(|initial| *initial != set.initial);
        edits.extend(others.map(|initial| Edit::ChangeInitial(which, position, initial)));
        let kinds = KINDS.into_iter().filter(|kind| *kind != set.kind);
        edits.extend(kinds.map(|kind| Edit::ChangeSetKind(which, position, kind)));
    }
}

fn edits_of_parts(system: &System, which: Which, proof: &Proof, edits: &mut Vec<Edit>) {
    for (position, part) in proof.parts.iter().enumerate() {
        edits.push(Edit::RemovePart(which, position));
        let states = states_of(system, &part.component);
        edits.extend(states.map(|state| Edit::ToggleInPart(which, position, state.clone())));
        let others = other_weights(part.weights.as_ref()).into_iter();
        edits.extend(others.map(|(state, weight)| Edit::ChangeWeightInPart(which, position, state, weight)));
        let kinds = KINDS.into_iter().filter(|kind| *kind != part.kind);
        edits.extend(kinds.map(|kind| Edit::ChangePartKind(which, position, kind)));
    }
}

fn edits_of_dropped(system: &System, certificate: &Certificate, edits: &mut Vec<Edit>) {
    let count = certificate.dropped.len();
    for index in 0..count {
        edits.push(Edit::RemoveDropped(index));
        edits.push(Edit::DuplicateDropped(index));
        edits.extend((index + 1 < count).then_some(Edit::SwapDropped(index)));
        edits.extend((0..count).filter(|other| *other != index).map(|other| Edit::StealProof(index, other)));
    }
    let nothing = Proof { parts: Vec::new(), sets: Vec::new(), configurations: Vec::new() };
    let is_dropped = |forged: &DroppedInteraction| {
        let key = |d: &DroppedInteraction| (d.rule.clone(), d.interaction, d.combination.clone());
        certificate.dropped.iter().any(|dropped| key(dropped) == key(forged))
    };
    for combination in first_combinations(system) {
        let mut proofs = vec![nothing.clone(), certificate.proof.clone()];
        proofs.extend(certificate.dropped.iter().map(|dropped| dropped.proof.clone()));
        let forged = proofs.into_iter().map(|proof| DroppedInteraction { proof, ..combination.clone() });
        edits.extend(forged.filter(|forged| !is_dropped(forged)).map(Edit::ForgeDropped));
    }
}

/// For each interaction of each rule one of its net transitions, with an empty proof.
pub(crate) fn first_combinations(system: &System) -> Vec<DroppedInteraction> {
    let mut combinations = Vec::new();
    for rule in system.rules.iter() {
        for (interaction, definition) in rule.interactions.iter().enumerate() {
            let mut combination = Vec::new();
            for (port, variable) in &definition.participants {
                let types = rule.variables[*variable].types.iter().map(|component| &system.types[*component]);
                let found = types.into_iter().find_map(|component| {
                    let (_, transition) = component.transitions_on(*port).next()?;
                    Some(paramcheck_certificate::data::Move {
                        component: component.name.clone(),
                        from: component.states[transition.from].name.clone(),
                        to: component.states[transition.to].name.clone(),
                    })
                });
                combination.extend(found);
            }
            if combination.len() == definition.participants.len() {
                let proof = Proof { parts: Vec::new(), sets: Vec::new(), configurations: Vec::new() };
                let rule = rule.label.clone();
                combinations.push(DroppedInteraction { rule, interaction, combination, proof });
            }
        }
    }
    combinations
}

impl Edit {
    /// The spoilt copy.
    pub(crate) fn apply(&self, system: &System, certificate: &Certificate) -> Certificate {
        let mut spoilt = certificate.clone();
        match self.clone() {
            Edit::Header("format") => spoilt.format.push('x'),
            Edit::Header("version") => spoilt.version += 1,
            Edit::Header("system") => spoilt.system.push('x'),
            Edit::Header("error") => spoilt.error.push('x'),
            Edit::Header(_) => spoilt.formula.push('x'),
            Edit::RemoveConfiguration(which, position) => {
                proof(&mut spoilt, which).configurations.remove(position);
            }
            Edit::RemoveAllConfigurations(which) => proof(&mut spoilt, which).configurations.clear(),
            Edit::RemoveClaim(which, position, entry) => {
                proof(&mut spoilt, which).configurations[position].refuting.remove(entry);
            }
            Edit::ChangeMarked(which, position, entry, marked) => {
                proof(&mut spoilt, which).configurations[position].refuting[entry].marked = marked;
            }
            Edit::AddClaim(which, position, claim) => {
                proof(&mut spoilt, which).configurations[position].refuting.push(claim);
            }
            Edit::ChangePlace(which, position, parameter, state) => {
                proof(&mut spoilt, which).configurations[position].places[parameter].state = state;
            }
            Edit::ChangeError(which, position, error) => {
                proof(&mut spoilt, which).configurations[position].error = error;
            }
            Edit::ToggleInSet(which, position, parameter, state) => {
                let part = &mut proof(&mut spoilt, which).sets[position].parameters[parameter];
                toggle(system, &part.component, &mut part.states, &mut part.weights, &state);
            }
            Edit::ChangeWeightInSet(which, position, parameter, state, weight) => {
                let part = &mut proof(&mut spoilt, which).sets[position].parameters[parameter];
                part.weights.as_mut().expect("there are weights")[state] = weight;
            }
            Edit::ChangeWeightInPart(which, position, state, weight) => {
                let part = &mut proof(&mut spoilt, which).parts[position];
                part.weights.as_mut().expect("there are weights")[state] = weight;
            }
            Edit::ChangeInitial(which, position, initial) => {
                proof(&mut spoilt, which).sets[position].initial = initial;
            }
            Edit::ChangeSetKind(which, position, kind) => {
                let set = &mut proof(&mut spoilt, which).sets[position];
                set.kind = kind.to_owned();
                set.parameters.iter_mut().for_each(|part| reweigh(kind, &part.states, &mut part.weights));
            }
            Edit::RemoveSet(which, position) => {
                let proof = proof(&mut spoilt, which);
                proof.sets.remove(position);
                for configuration in &mut proof.configurations {
                    configuration.refuting.retain(|claim| claim.set != position);
                    let later = configuration.refuting.iter_mut().filter(|claim| claim.set > position);
                    later.for_each(|claim| claim.set -= 1);
                }
            }
            Edit::RemovePart(which, position) => {
                proof(&mut spoilt, which).parts.remove(position);
            }
            Edit::ToggleInPart(which, position, state) => {
                let part = &mut proof(&mut spoilt, which).parts[position];
                toggle(system, &part.component, &mut part.states, &mut part.weights, &state);
            }
            Edit::ChangePartKind(which, position, kind) => {
                let part = &mut proof(&mut spoilt, which).parts[position];
                part.kind = kind.to_owned();
                reweigh(kind, &part.states, &mut part.weights);
            }
            Edit::RemoveExclusive(position) => {
                spoilt.exclusive.remove(position);
            }
            Edit::ChangeExclusive(position, state) => {
                let mut another = spoilt.exclusive[position].clone();
                another.first.state = state;
                spoilt.exclusive.push(another);
            }
            Edit::RemoveDropped(index) => {
                spoilt.dropped.remove(index);
            }
            Edit::SwapDropped(index) => spoilt.dropped.swap(index, index + 1),
            Edit::DuplicateDropped(index) => {
                let copy = spoilt.dropped[index].clone();
                spoilt.dropped.push(copy);
            }
            Edit::ForgeDropped(dropped) => spoilt.dropped.push(dropped),
            Edit::StealProof(index, other) => {
                spoilt.dropped[index].proof = certificate.dropped[other].proof.clone();
            }
        }
        spoilt
    }
}

fn proof(certificate: &mut Certificate, which: Which) -> &mut Proof {
    match which {
        Which::Main => &mut certificate.proof,
        Which::Dropped(index) => &mut certificate.dropped[index].proof,
    }
}
