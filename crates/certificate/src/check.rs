//! The certificate checker: does this document prove that the system never reaches the error?
//!
//! It is written to be believed, not to be fast (though it is fast enough): no automata, no
//! minimisation, no search. It reads the document against the model ([`resolve`]), and then verifies
//! what the document claims by going once over every rule ([`closure`]). `docs/certificate.md` gives
//! the argument why a document that passes is a proof.
//!
//! Invariant: nothing here is shared with the engine. The imports are the model, the limits and the
//! document; the table of invariant kinds ([`kind`]), the evaluation of errors ([`formula`]) and the
//! meaning of interactions ([`question`]) are written a second time on purpose.

mod closure;
mod exclusive;
mod formula;
mod intern;
mod kind;
mod premises;
mod question;
pub mod rejection;
mod resolve;
mod table;

use rustc_hash::FxHashSet;

use self::exclusive::Exclusive;
use self::formula::Formula;
use self::question::{Combination, Question};
use self::rejection::Section;
use self::resolve::Names;
use crate::data::{self, Certificate, Proof};
use paramcheck_model::component::{PortId, StateId, TypeId};
use paramcheck_model::error::{NamedError, print::print_formula};
use paramcheck_model::rule::InteractionId;
use paramcheck_model::system::System;
use paramcheck_text::index::Idx;
use paramcheck_text::limits::Budget;

pub use self::rejection::Rejection;

/// What the `format` of a certificate is.
pub const FORMAT: &str = "paramcheck-certificate";

/// Checks that `certificate` proves that no instance of `system` reaches `error`.
///
/// # Errors
/// A [`Rejection`] that names what fails first. [`Rejection::Stopped`] means that the budget was used
/// up, and implies nothing about the certificate.
pub fn check(
    system: &System,
    error: &NamedError,
    certificate: &Certificate,
    budget: &Budget,
) -> Result<(), Rejection> {
    check_header(system, error, certificate)?;
    let formula = Formula::new(&error.formula)?;
    premises::check(system)?;
    let names = Names::of(system);
    let dropped = resolve_dropped(system, &names, &certificate.dropped)?;
    let exclusive = exclusive::check(system, &names, &certificate.exclusive, budget)?;
    let checker = Checker { system, names, offers: question::offers(system), budget };
    let nothing = Exclusive::default();
    for (index, (combination, claim)) in dropped.iter().zip(&certificate.dropped).enumerate() {
        // Only what was shown never to fire before may be left out.
        let (before, _) = dropped.split_at(index);
        let section = Section::Dropped(index);
        checker.check(
            section,
            Formula::single_pattern(),
            Some(combination),
            (before, &nothing),
            &claim.proof,
        )?;
    }
    checker.check(Section::Main, formula, None, (&dropped, &exclusive), &certificate.proof)
}

fn check_header(system: &System, error: &NamedError, certificate: &Certificate) -> Result<(), Rejection> {
    let fields = [
        ("format", certificate.format.clone(), FORMAT.to_owned()),
        ("version", certificate.version.to_string(), data::VERSION.to_string()),
        ("system", certificate.system.clone(), system.name().to_owned()),
        ("error", certificate.error.clone(), error.name.clone()),
        ("formula", certificate.formula.clone(), print_formula(system, &error.formula)),
    ];
    for (field, found, expected) in fields {
        if found != expected {
            return Err(Rejection::Header { field, found, expected });
        }
    }
    Ok(())
}

/// Reads the dropped interactions: each must be a net transition of the model, and none given twice.
fn resolve_dropped(
    system: &System,
    names: &Names<'_>,
    dropped: &[data::DroppedInteraction],
) -> Result<Vec<Combination>, Rejection> {
    let mut combinations: Vec<Combination> = Vec::with_capacity(dropped.len());
    for (index, interaction) in dropped.iter().enumerate() {
        let refuse = |problem| Rejection::Dropped { index, problem };
        let combination = resolve_combination(system, names, interaction).map_err(refuse)?;
        if combinations.contains(&combination) {
            return Err(refuse("it is given twice".to_owned()));
        }
        combinations.push(combination);
    }
    Ok(combinations)
}

fn resolve_combination(
    system: &System,
    names: &Names<'_>,
    dropped: &data::DroppedInteraction,
) -> Result<Combination, String> {
    let rule_id = names.rule(&dropped.rule)?;
    let rule = &system.rules[rule_id];
    if dropped.interaction >= rule.interactions.len() {
        return Err(format!("rule {} has no interaction {}", dropped.rule, dropped.interaction));
    }
    let id = InteractionId::new(dropped.interaction);
    let participants = &rule.interactions[id].participants;
    if participants.len() != dropped.combination.len() {
        let (found, expected) = (dropped.combination.len(), participants.len());
        return Err(format!("{found} transitions for {expected} participants"));
    }
    let mut moves = Vec::with_capacity(participants.len());
    for ((port, variable), given) in participants.iter().zip(&dropped.combination) {
        let component = names.component(&given.component)?;
        if !rule.variables[*variable].types.contains(&component) {
            let name = &rule.variables[*variable].name;
            return Err(format!("`{name}` cannot be a `{}`", given.component));
        }
        let from = resolve::state(system, component, &given.from)?;
        let to = resolve::state(system, component, &given.to)?;
        let has_it = system.types[component].transitions_on(*port).any(|(_, t)| (t.from, t.to) == (from, to));
        if !has_it {
            let port = &system.ports[*port];
            let problem =
                format!("`{}` has no transition {} -{port}-> {}", given.component, given.from, given.to);
            return Err(problem);
        }
        moves.push((component, from, to));
    }
    Ok(Combination { rule: rule_id, interaction: id, moves })
}

/// What all proofs of one certificate have in common.
struct Checker<'a> {
    system: &'a System,
    names: Names<'a>,
    offers: FxHashSet<(TypeId, StateId, PortId)>,
    budget: &'a Budget,
}

impl Checker<'_> {
    /// Checks one proof: of the error `formula` or, where there is a `suspect`, that its pre-places are
    /// never all marked; with the transitions of the dropped interactions gone, and for markings without the
    /// exclusive pairs.
    fn check(
        &self,
        section: Section,
        formula: Formula,
        suspect: Option<&Combination>,
        (dropped, exclusive): (&[Combination], &Exclusive),
        proof: &Proof,
    ) -> Result<(), Rejection> {
        self.budget.check()?;
        let malformed = |fault| Rejection::Proof { section, fault };
        let resolved = resolve::resolve(self.system, &self.names, &formula, proof).map_err(malformed)?;
        let offers = &self.offers;
        let question = Question { system: self.system, formula, suspect, dropped, exclusive, offers };
        closure::check(&question, &resolved, section, self.budget)
    }
}
