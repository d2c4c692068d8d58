//! Properties: LTOL as linear temporal logic over bits of the next state.
//!
//! An observation has a bit that says whether the last step satisfies it, and so has the label of a command.
//! `<<O>>φ` is `X (o & φ)` and `[[O]]φ` is `X (o -> φ)`; the label of a receive or a GET is its bit, true after the
//! step; that of a send or a SUPPLY is `X` of its bit. A stutter clears all bits.

use rustc_hash::FxHashSet;

use paramcheck_rcheck::model::{Formula, InstanceId, StateAtom, System, Term};

use super::Executed;
use super::names::Names;
use super::terms::{FALSE, TRUE, Terms, joined};

/// Writes properties.
pub(super) struct Specs<'a> {
    pub(super) system: &'a System,
    pub(super) names: &'a Names,
    /// A local as a number.
    pub(super) local: &'a dyn Fn(InstanceId, usize) -> String,
}

impl Specs<'_> {
    /// A formula of the property at `spec`; holds together in any place. The recursion is bounded by the height of
    /// formulas.
    pub(super) fn formula(&self, spec: usize, formula: &Formula) -> String {
        let part = |formula: &Formula| self.formula(spec, formula);
        let parts =
            |parts: &[Formula], sign, none| joined(&parts.iter().map(part).collect::<Vec<_>>(), sign, none);
        match formula {
            Formula::State(term) => self.state(term),
            Formula::Not(inner) => format!("!{}", part(inner)),
            Formula::All(all) => parts(all, " & ", TRUE),
            Formula::Any(all) => parts(all, " | ", FALSE),
            Formula::Iff(left, right) => format!("({} <-> {})", part(left), part(right)),
            Formula::Next(inner) => format!("(X {})", part(inner)),
            Formula::Finally(inner) => format!("(F {})", part(inner)),
            Formula::Globally(inner) => format!("(G {})", part(inner)),
            Formula::Until(left, right) => format!("({} U {})", part(left), part(right)),
            Formula::Release(left, right) => format!("({} V {})", part(left), part(right)),
            Formula::WeakUntil(left, right) => {
                let (left, right) = (part(left), part(right));
                format!("(({left} U {right}) | (G {left}))")
            }
            Formula::Observed { is_diamond, observation, body } => {
                let sign = if *is_diamond { '&' } else { '>' };
                let bit = self.names.observation(spec, *observation);
                match sign {
                    '&' => format!("(X ({bit} & {}))", part(body)),
                    _ => format!("(X ({bit} -> {}))", part(body)),
                }
            }
        }
    }

    /// A condition on a state and the steps around it. Labels that look ahead can't stand in a comparison: both
    /// cases are written.
    fn state(&self, term: &Term<StateAtom>) -> String {
        let part = |term: &Term<StateAtom>| self.state(term);
        let parts = |parts: &[Term<StateAtom>], sign, none| {
            joined(&parts.iter().map(part).collect::<Vec<_>>(), sign, none)
        };
        match term {
            Term::Not(inner) => format!("!{}", part(inner)),
            Term::All(all) => parts(all, " & ", TRUE),
            Term::Any(all) => parts(all, " | ", FALSE),
            Term::Implies(left, right) => format!("({} -> {})", part(left), part(right)),
            Term::Iff(left, right) => format!("({} <-> {})", part(left), part(right)),
            Term::Atom(StateAtom::Label(instance, command)) => self.label(*instance, *command),
            term => self.by_cases(term, &mut Vec::new()),
        }
    }

    fn label(&self, instance: InstanceId, command: usize) -> String {
        let bit = self.names.label(instance, command);
        if self.looks_ahead(instance, command) { format!("(X {bit})") } else { bit }
    }

    fn looks_ahead(&self, instance: InstanceId, command: usize) -> bool {
        let command = self.system.agent_of(instance).commands.get(command);
        command.is_some_and(|command| command.action.produces())
    }

    /// A comparison, where these labels are known to be true or not.
    fn by_cases(&self, term: &Term<StateAtom>, known: &mut Vec<(StateAtom, bool)>) -> String {
        let mut open = None;
        term.atoms(&mut |atom| {
            if let StateAtom::Label(instance, command) = atom
                && self.looks_ahead(instance, command)
                && !known.iter().any(|(other, _)| *other == atom)
            {
                open.get_or_insert((instance, command));
            }
        });
        let Some((instance, command)) = open else {
            let number = |atom| match atom {
                StateAtom::Local(instance, local) => (self.local)(instance, local),
                StateAtom::Location(instance) => self.names.location(instance),
                StateAtom::Progress => format!("({} ? 1 : 0)", Names::PROGRESS),
                StateAtom::Label(instance, command) => match known.iter().find(|(other, _)| *other == atom) {
                    Some((_, is_true)) => u8::from(*is_true).to_string(),
                    None => format!("({} ? 1 : 0)", self.names.label(instance, command)),
                },
            };
            return Terms { number: &number }.condition(term);
        };
        let label = self.label(instance, command);
        let mut case = |is_true| {
            known.push((StateAtom::Label(instance, command), is_true));
            let text = self.by_cases(term, known);
            known.pop();
            text
        };
        let (yes, no) = (case(true), case(false));
        format!("(({label} & {yes}) | (!{label} & {no}))")
    }
}

/// Adds the labels of which a formula speaks. The recursion is bounded by the height of formulas.
pub(super) fn labels(formula: &Formula, found: &mut FxHashSet<Executed>) {
    match formula {
        Formula::State(term) => term.atoms(&mut |atom| {
            if let StateAtom::Label(instance, command) = atom {
                found.insert((instance, command));
            }
        }),
        Formula::Not(inner)
        | Formula::Next(inner)
        | Formula::Finally(inner)
        | Formula::Globally(inner)
        | Formula::Observed { body: inner, .. } => labels(inner, found),
        Formula::All(parts) | Formula::Any(parts) => parts.iter().for_each(|part| labels(part, found)),
        Formula::Iff(left, right)
        | Formula::Until(left, right)
        | Formula::Release(left, right)
        | Formula::WeakUntil(left, right) => {
            labels(left, found);
            labels(right, found);
        }
    }
}
