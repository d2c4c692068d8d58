//! Errors: `error`, `critical` and groups of patterns; names of other errors replaced by their meaning.

use std::collections::BTreeMap;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::component::Components;
use super::draft::{Draft, FORBIDDEN, forbids, group_name};
use super::exclusion::excluding;
use super::link::report_cycle;
use super::names::{Report, listed, with_help};
use super::resolve::{find_state, find_type};
use super::wsks::lower_wsks;
use crate::component::{StateId, TypeId};
use crate::error::{Comparison, Count, ErrorFormula, NamedError};
use crate::syntax::ast::{self, CountTerm, ErrorExpression};
use crate::system::System;
use paramcheck_text::diagnostic::Diagnostic;
use paramcheck_text::diagnostic::codes::model::{errors, warnings};
use paramcheck_text::reading::Ident;
use paramcheck_text::source::Span;

/// How deep formulas may be nested, names replaced. The only recursion of lowering is this deep.
pub(super) const MAX_FORMULA_DEPTH: usize = 200;

/// How many parts a formula may have, names replaced.
const MAX_FORMULA_SIZE: usize = 100_000;

/// How many parts all formulas of a text may have together.
const MAX_TOTAL_SIZE: usize = 1_000_000;

/// Of more errors than these no list is made for a hint.
const MAX_SORTED: usize = 100;

const DEADLOCK: &str = "deadlock";
const CRITICAL: &str = "critical";

/// Lowers an error that is not in the text of the system but given beside it. The error comes with the
/// warnings about it, places being in *its* text.
///
/// # Errors
/// What is wrong with the definition, places likewise: unknown names, a name that is not free.
pub fn lower_error(
    system: &System,
    definition: &ast::ErrorDefinition,
) -> Result<(NamedError, Vec<Diagnostic>), Vec<Diagnostic>> {
    let mut report = Report::default();
    check_name(&definition.name, &mut report);
    let name = &definition.name.text;
    if system.errors.iter().any(|error| error.name == *name) && !is_reserved(name) {
        let message = format!("the system has an error `{name}` already");
        let label = "not free";
        report.add(
            Diagnostic::new(&errors::DUPLICATE_DEFINITION, message, definition.name.span, label)
                .help("ask about that one by its name alone, or give the definition another name"),
        );
    }
    let components = Components::of_system(system);
    let formula = Lowerer::of_system(system, &components).formula(&definition.body, &mut report);
    match formula {
        Some(formula) if !report.has_errors() => {
            let error = NamedError { name: name.clone(), formula };
            Ok((error, report.into_diagnostics()))
        }
        _ => Err(report.into_diagnostics()),
    }
}

/// Lowers the errors of a text, in source order. Patterns belong to the groups of the draft.
pub(super) fn lower_errors<'a>(
    model: &'a ast::Model,
    draft: &Draft<'a>,
    report: &mut Report,
) -> Vec<NamedError> {
    let definitions = definitions(model, draft, report);
    let mut lowerer = Lowerer { components: &draft.components, known: FxHashMap::default() };
    let critical = lowerer.critical(model, report);
    if let Some(critical) = critical {
        lowerer.known.insert(CRITICAL, Some(Meaning::leaf(critical)));
    }
    for group in draft.groups.groups.indices() {
        let meaning = Meaning::leaf(ErrorFormula::Pattern(group));
        lowerer.known.insert(draft.groups.groups[group].0, Some(meaning));
    }
    // Not known yet while it is needed: on a cycle.
    for name in definitions.keys().copied() {
        lowerer.known.entry(name).or_insert(None);
    }
    let mut total = 0;
    for definition in in_order(&definitions, report) {
        let meaning = lowerer.expression(&definition.body, 1, report);
        total += meaning.as_ref().map_or(0, |meaning| meaning.size);
        if total > MAX_TOTAL_SIZE {
            too_large(Some(definition.span), report);
            break;
        }
        lowerer.known.insert(&definition.name.text, meaning);
    }
    in_source_order(model, &lowerer.known)
}

/// The `error` items by name, those with a name of their own.
fn definitions<'a>(
    model: &'a ast::Model,
    draft: &Draft<'a>,
    report: &mut Report,
) -> FxHashMap<&'a str, &'a ast::ErrorDefinition> {
    let mut definitions: FxHashMap<&str, &ast::ErrorDefinition> = FxHashMap::default();
    for item in &model.items {
        let ast::Item::Error(definition) = item else { continue };
        let name = &definition.name;
        check_name(name, report);
        let first = definitions.get(name.text.as_str()).map(|first| first.name.span);
        let group = draft.groups.named.get(name.text.as_str()).map(|&group| draft.groups.groups[group].1);
        let group = group.filter(|_| !is_reserved(&name.text));
        if let Some(first) = first {
            report.add(
                Diagnostic::new(
                    &errors::DUPLICATE_DEFINITION,
                    format!("the error `{}` is defined twice", name.text),
                    name.span,
                    "defined again here",
                )
                .label(first, "first defined here"),
            );
        } else if let Some(group) = group {
            report.add(
                Diagnostic::new(
                    &errors::DUPLICATE_DEFINITION,
                    format!("`{}` is an error and a named `forbid`", name.text),
                    name.span,
                    "the error",
                )
                .label(group, "the patterns of this name")
                .help("a named `forbid` is itself an error: give one of them another name"),
            );
        }
        definitions.entry(&name.text).or_insert(definition);
    }
    for name in model.items.iter().flat_map(forbids).filter_map(|forbid| forbid.name.as_ref()) {
        check_name(name, report);
    }
    definitions
}

/// Whether the name has a meaning of its own.
fn is_reserved(name: &str) -> bool {
    [DEADLOCK, CRITICAL, FORBIDDEN].contains(&name)
}

/// Complains of a name that is not free.
fn check_name(name: &Ident, report: &mut Report) {
    if !is_reserved(&name.text) {
        return;
    }
    let help = match name.text.as_str() {
        DEADLOCK => "`deadlock` is always there and needs no definition",
        CRITICAL => "write `critical s, t;`, or choose another name",
        _ => "`forbidden` is every pattern of a `forbid` without a name; choose another name",
    };
    report.add(
        Diagnostic::new(
            &errors::RESERVED_NAME,
            format!("the name `{}` is not free", name.text),
            name.span,
            "has a meaning of its own",
        )
        .help(help),
    );
}

/// The definitions, those named before those that name them; cyclic ones are reported and left out.
fn in_order<'a>(
    definitions: &FxHashMap<&'a str, &'a ast::ErrorDefinition>,
    report: &mut Report,
) -> Vec<&'a ast::ErrorDefinition> {
    let mut starts: Vec<&ast::ErrorDefinition> = definitions.values().copied().collect();
    starts.sort_by_key(|definition| definition.span);
    // Per name begun whether it is done.
    let mut marks: FxHashMap<&str, bool> = FxHashMap::default();
    let mut order = Vec::new();
    for start in starts {
        if marks.contains_key(start.name.text.as_str()) {
            continue;
        }
        marks.insert(&start.name.text, false);
        let mut path = vec![(start, names_in(&start.body))];
        while let Some((definition, waiting)) = path.last_mut() {
            let Some(next) = waiting.pop() else {
                marks.insert(&definition.name.text, true);
                order.push(*definition);
                path.pop();
                continue;
            };
            let Some(&next) = definitions.get(next) else { continue };
            match marks.get(next.name.text.as_str()) {
                Some(true) => {}
                None => {
                    marks.insert(&next.name.text, false);
                    path.push((next, names_in(&next.body)));
                }
                Some(false) => {
                    let on_cycle = path.iter().map(|(definition, _)| &definition.name);
                    let cycle: Vec<&Ident> =
                        on_cycle.skip_while(|name| name.text != next.name.text).collect();
                    report_cycle("error", &errors::CYCLIC_ERROR, &cycle, report);
                }
            }
        }
    }
    order
}

/// The names in a definition, last first.
fn names_in(body: &ErrorExpression) -> Vec<&str> {
    let mut names = Vec::new();
    let mut waiting = vec![body];
    while let Some(expression) = waiting.pop() {
        match expression {
            ErrorExpression::Name(name) => names.push(name.text.as_str()),
            ErrorExpression::Not(inner, _) => waiting.push(inner),
            ErrorExpression::And(parts) | ErrorExpression::Or(parts) => waiting.extend(parts),
            ErrorExpression::Deadlock(_) | ErrorExpression::Count(_) | ErrorExpression::Wsks(_) => {}
        }
    }
    names
}

/// The errors in the order in which the text first speaks of them.
fn in_source_order(model: &ast::Model, known: &FxHashMap<&str, Option<Meaning>>) -> Vec<NamedError> {
    let mut found = Vec::new();
    let mut seen = rustc_hash::FxHashSet::default();
    for item in &model.items {
        let names: Vec<&str> = match item {
            ast::Item::Error(definition) => vec![&definition.name.text],
            ast::Item::Critical(_) => vec![CRITICAL],
            other => forbids(other).into_iter().map(|forbid| group_name(forbid).0).collect(),
        };
        for name in names {
            if let Some(Some(meaning)) = known.get(name)
                && seen.insert(name)
            {
                found.push(NamedError { name: name.to_owned(), formula: meaning.formula.clone() });
            }
        }
    }
    found
}

/// A formula with its size.
#[derive(Clone)]
struct Meaning {
    formula: ErrorFormula,
    size: usize,
    depth: usize,
}

impl Meaning {
    /// Measures a formula (not deeper than formulas may be).
    fn measured(formula: ErrorFormula) -> Self {
        fn measure(formula: &ErrorFormula) -> (usize, usize) {
            let parts = match formula {
                ErrorFormula::Not(inner) => std::slice::from_ref(&**inner),
                ErrorFormula::And(parts) | ErrorFormula::Or(parts) => parts.as_slice(),
                _ => &[],
            };
            let measures = parts.iter().map(measure);
            let (size, depth) = measures.fold((0, 0), |all, one| (all.0 + one.0, usize::max(all.1, one.1)));
            (size + own_size(formula), depth + 1)
        }
        let (size, depth) = measure(&formula);
        Meaning { formula, size, depth }
    }

    /// A formula without parts.
    fn leaf(formula: ErrorFormula) -> Self {
        Meaning { size: own_size(&formula), formula, depth: 1 }
    }
}

/// The size of a formula without that of its parts.
fn own_size(formula: &ErrorFormula) -> usize {
    match formula {
        ErrorFormula::Count(count) => 1 + count.weights.len(),
        ErrorFormula::Components(formula) => formula.parts().len(),
        _ => 1,
    }
}

/// Lowers formulas; knows what names mean (`None`: a broken definition).
pub(super) struct Lowerer<'c, 'n, 'a> {
    components: &'c Components<'a>,
    known: FxHashMap<&'n str, Option<Meaning>>,
}

impl<'c, 'n, 'a> Lowerer<'c, 'n, 'a> {
    /// For what stands in a text beside that of the system: its errors are known.
    pub(super) fn of_system(system: &'n System, components: &'c Components<'a>) -> Self {
        let known = system
            .errors
            .iter()
            .map(|error| (error.name.as_str(), Some(Meaning::measured(error.formula.clone()))));
        Lowerer { components, known: known.collect() }
    }
}

impl Lowerer<'_, '_, '_> {
    /// Lowers a formula.
    pub(super) fn formula(&self, expression: &ErrorExpression, report: &mut Report) -> Option<ErrorFormula> {
        self.expression(expression, 1, report).map(|meaning| meaning.formula)
    }

    /// Lowers a formula that stands at the depth given.
    fn expression(&self, expression: &ErrorExpression, depth: usize, report: &mut Report) -> Option<Meaning> {
        if depth > MAX_FORMULA_DEPTH {
            too_large(place(expression), report);
            return None;
        }
        match expression {
            ErrorExpression::Deadlock(_) => Some(Meaning::leaf(ErrorFormula::Deadlock)),
            ErrorExpression::Count(count) => self.count(count, report).map(Meaning::leaf),
            ErrorExpression::Wsks(wsks) => lower_wsks(self.components, wsks, report)
                .map(|formula| Meaning::leaf(ErrorFormula::Components(Arc::new(formula)))),
            ErrorExpression::Name(name) => {
                let meaning = self.name(name, report)?;
                if depth + meaning.depth > MAX_FORMULA_DEPTH {
                    too_large(Some(name.span), report);
                    return None;
                }
                Some(meaning.clone())
            }
            ErrorExpression::Not(inner, _) => {
                let inner = self.expression(inner, depth + 1, report)?;
                Some(Meaning {
                    formula: ErrorFormula::Not(Box::new(inner.formula)),
                    size: inner.size + 1,
                    depth: inner.depth + 1,
                })
            }
            ErrorExpression::And(parts) => {
                let meaning = self.parts(parts, depth, ErrorFormula::And, report)?;
                if let ErrorFormula::And(formulas) = &meaning.formula {
                    warn_of_exclusion(parts, formulas, report);
                }
                Some(meaning)
            }
            ErrorExpression::Or(parts) => self.parts(parts, depth, ErrorFormula::Or, report),
        }
    }

    /// Lowers the parts of a conjunction or disjunction.
    fn parts(
        &self,
        parts: &[ErrorExpression],
        depth: usize,
        join: fn(Vec<ErrorFormula>) -> ErrorFormula,
        report: &mut Report,
    ) -> Option<Meaning> {
        let mut formulas = Vec::new();
        let (mut size, mut deepest) = (1, 0);
        let mut is_broken = false;
        for part in parts {
            let Some(part_meaning) = self.expression(part, depth + 1, report) else {
                is_broken = true;
                continue;
            };
            size += part_meaning.size;
            deepest = deepest.max(part_meaning.depth);
            if size > MAX_FORMULA_SIZE {
                too_large(place(part), report);
                return None;
            }
            formulas.push(part_meaning.formula);
        }
        (!is_broken).then(|| Meaning { formula: join(formulas), size, depth: deepest + 1 })
    }

    /// What a name means; `None` if it is unknown (reported) or its definition broken.
    fn name(&self, name: &Ident, report: &mut Report) -> Option<&Meaning> {
        if let Some(meaning) = self.known.get(name.text.as_str()) {
            return meaning.as_ref();
        }
        if !report.is_first(&errors::UNKNOWN_ERROR, &name.text) {
            return None;
        }
        let help = match name.text.as_str() {
            CRITICAL => Some("say which states are critical: `critical s, t;`".to_owned()),
            FORBIDDEN => Some("no rule has a `forbid` without a name".to_owned()),
            _ if self.components.states_named.contains_key(name.text.as_str()) => {
                Some(format!("`{}` is a state: count it, as in `#{} >= 1`", name.text, name.text))
            }
            text => {
                let near = report.did_you_mean(text, self.known.keys().copied().chain([DEADLOCK]));
                near.or_else(|| {
                    if self.known.len() > MAX_SORTED {
                        return None;
                    }
                    let mut names: Vec<&str> = self.known.keys().copied().collect();
                    names.sort_unstable();
                    listed("error", "errors", std::iter::once(DEADLOCK).chain(names))
                })
            }
        };
        let diagnostic = Diagnostic::new(
            &errors::UNKNOWN_ERROR,
            format!("unknown error `{}`", name.text),
            name.span,
            "neither an error nor a group of patterns",
        );
        report.add(with_help(diagnostic, help));
        None
    }

    /// Lowers a comparison.
    fn count(&self, count: &ast::Count, report: &mut Report) -> Option<ErrorFormula> {
        let weights = self.sum(&count.terms, report)?;
        if let Some(holds) = constant(count.comparison, count.bound, weights.values().copied()) {
            report.add(Diagnostic::new(
                &warnings::CONSTANT_COMPARISON,
                format!("this comparison holds {}", if holds { "always" } else { "never" }),
                count.span,
                if holds { "always true" } else { "always false" },
            ));
        }
        let weights = weights.into_iter().map(|((component, state), weight)| (component, state, weight));
        Some(ErrorFormula::Count(Count {
            weights: weights.collect(),
            comparison: count.comparison,
            bound: count.bound,
        }))
    }

    /// The weight of every state in a sum; `None` if a term is broken (reported).
    fn sum(&self, terms: &[CountTerm], report: &mut Report) -> Option<BTreeMap<(TypeId, StateId), u64>> {
        let mut weights = BTreeMap::new();
        let mut is_broken = false;
        for term in terms {
            let Some(states) = self.states(term, report) else {
                is_broken = true;
                continue;
            };
            for state in states {
                let weight: &mut u64 = weights.entry(state).or_default();
                *weight = weight.saturating_add(1);
            }
        }
        (!is_broken).then_some(weights)
    }

    /// The states that a term means; `None` if there is none (reported).
    fn states(&self, term: &CountTerm, report: &mut Report) -> Option<Vec<(TypeId, StateId)>> {
        match &term.component {
            Some(component) => {
                let component = find_type(self.components, component, report)?;
                let state = self.components.state_of(component, &term.state, report)?;
                Some(vec![(component, state)])
            }
            None => {
                find_state(self.components, &term.state, report);
                self.components.states_named.get(term.state.text.as_str()).cloned()
            }
        }
    }

    /// The error `critical`: two components in the states of all `critical` items.
    fn critical(&self, model: &ast::Model, report: &mut Report) -> Option<ErrorFormula> {
        let mut weights = BTreeMap::new();
        for item in &model.items {
            let ast::Item::Critical(critical) = item else { continue };
            for states in critical.states.iter().filter_map(|term| self.states(term, report)) {
                weights.extend(states.into_iter().map(|state| (state, 1)));
            }
        }
        let weights: Vec<_> =
            weights.into_iter().map(|((component, state), weight)| (component, state, weight)).collect();
        (!weights.is_empty()).then_some(ErrorFormula::Count(Count {
            weights,
            comparison: Comparison::AtLeast,
            bound: 2,
        }))
    }
}

/// Whether a sum of natural numbers with these weights always or never compares so.
fn constant(comparison: Comparison, bound: u64, weights: impl Iterator<Item = u64>) -> Option<bool> {
    let divisor = weights.fold(0, gcd);
    let is_hit = bound.is_multiple_of(divisor);
    match comparison {
        Comparison::AtLeast if bound == 0 => Some(true),
        Comparison::Less if bound == 0 => Some(false),
        Comparison::Equal if !is_hit => Some(false),
        Comparison::NotEqual if !is_hit => Some(true),
        _ => None,
    }
}

/// The greatest common divisor.
fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// Warns of parts of a conjunction that exclude each other: no marking at all is then in it.
fn warn_of_exclusion(parts: &[ErrorExpression], formulas: &[ErrorFormula], report: &mut Report) {
    let Some(positions) = excluding(formulas) else { return };
    let mut places = positions.iter().filter_map(|&position| place(parts.get(position)?));
    let Some(first) = places.next() else { return };
    let message = "these conditions exclude each other: no marking is in all of them";
    let diagnostic = Diagnostic::new(&warnings::EXCLUDED, message, first, "this one");
    let diagnostic = places.fold(diagnostic, |diagnostic, place| diagnostic.label(place, "and this one"));
    report.add(diagnostic.help("an error without markings is proved, whatever the system does"));
}

/// Some place in a formula.
fn place(expression: &ErrorExpression) -> Option<Span> {
    let mut expression = expression;
    loop {
        match expression {
            ErrorExpression::Deadlock(span) | ErrorExpression::Not(_, span) => return Some(*span),
            ErrorExpression::Name(name) => return Some(name.span),
            ErrorExpression::Count(count) => return Some(count.span),
            ErrorExpression::Wsks(wsks) => return Some(wsks.span),
            ErrorExpression::And(parts) | ErrorExpression::Or(parts) => expression = parts.first()?,
        }
    }
}

/// Complains of a formula that is too large, once.
pub(super) fn too_large(span: Option<Span>, report: &mut Report) {
    if report.is_first(&errors::TOO_LARGE, "formula") {
        report.add(
            Diagnostic::new(
                &errors::TOO_LARGE,
                "this error is too large once names are replaced",
                span.unwrap_or_default(),
                format!("more than {MAX_FORMULA_DEPTH} levels or {MAX_FORMULA_SIZE} parts"),
            )
            .help("ask about its parts one by one"),
        );
    }
}
