//! The world of one instance: its markings, and the transitions that are enabled.
//!
//! Only steps are remembered by who walks, no markings: a step records what it changes, so it can be taken back.

use super::command::HELP;
use super::{Simulator, Walk, World};
use crate::report::trace::{FORMAT, TraceDocument, VERSION};
use crate::report::{Instance, Step, build, names, text};
use paramcheck_model::error::NamedError;
use paramcheck_model::system::System;
use paramcheck_model::tree::RewritingTree;
use paramcheck_nets::instance::marking::{ErrorCheck, Marking};
use paramcheck_nets::instance::net::{Net, NetTransitionId};
use paramcheck_text::columns;

/// A marking of an instance.
pub struct Markings<'a> {
    system: &'a System,
    net: &'a Net,
    instance: Instance,
    errors: Vec<(NamedError, ErrorCheck)>,
    marking: Marking,
    /// Where it stands before the first step.
    start: Marking,
}

impl<'a> Simulator<'a> {
    /// A simulator at the initial marking of `net`, the instance of `tree`. `steps` is a firing sequence to
    /// go along, `seed` makes the random walk.
    pub fn new(
        system: &'a System,
        tree: &RewritingTree,
        net: &'a Net,
        steps: Vec<NetTransitionId>,
        seed: u64,
    ) -> Self {
        let errors = std::iter::once(System::deadlock()).chain(system.errors.iter().cloned());
        let errors = errors.map(|error| {
            let check = ErrorCheck::new(system, net, &error.formula);
            (error, check)
        });
        let world = Markings {
            system,
            net,
            instance: names::instance(system, tree, net),
            errors: errors.collect(),
            marking: net.initial(),
            start: net.initial(),
        };
        Walk::through(world, steps, seed)
    }

    /// The same, but it begins at `start`, which may not be reachable, and not along any trace.
    #[must_use]
    pub fn standing_at(self, start: Marking) -> Self {
        let world = Markings { marking: start.clone(), start, ..self.world };
        Walk::through(world, Vec::new(), self.seed)
    }
}

impl Markings<'_> {
    /// Whether it began where the instance starts.
    fn is_from_initial(&self) -> bool {
        self.start == self.net.initial()
    }

    /// The errors that hold here, as far as that can be decided.
    fn errors_here(&self) -> impl Iterator<Item = &NamedError> {
        let holds = |check: &ErrorCheck| check.holds(self.net, &self.marking) == Some(true);
        self.errors.iter().filter(move |(_, check)| holds(check)).map(|(error, _)| error)
    }

    fn reported(&self, transition: NetTransitionId) -> Step {
        build::step(self.system, self.net, &self.net.transitions()[transition])
    }
}

impl World for Markings<'_> {
    type Step = NetTransitionId;
    type Shown = Step;
    type Document = TraceDocument;

    fn is_terminated(&self) -> bool {
        self.net.components().enumerate().all(|(id, component)| {
            self.system.types[component.component_type].states[self.marking[id]].is_final
        })
    }

    fn greeting(&self) -> String {
        let mut lines = text::instance(&self.instance);
        if !self.is_from_initial() {
            lines += "it stands at a given marking, which may not be reachable:\n";
            lines += &self.standing();
        }
        lines
    }

    fn help(&self) -> &'static str {
        HELP
    }

    fn wrong(&self) -> &'static str {
        "error"
    }

    fn ends_walk(&self) -> &'static str {
        "the walk ends here: an error holds\n"
    }

    fn enabled(&self) -> usize {
        self.net.enabled(&self.marking).count()
    }

    fn step(&self, number: usize) -> Option<NetTransitionId> {
        self.net.enabled(&self.marking).nth(number)
    }

    fn steps(&self, most: usize) -> Vec<NetTransitionId> {
        self.net.enabled(&self.marking).take(most).collect()
    }

    fn shown(&self, step: &NetTransitionId) -> Step {
        self.reported(*step)
    }

    fn line(&self, step: &NetTransitionId) -> String {
        text::step(&self.reported(*step))
    }

    fn take(&mut self, step: &NetTransitionId) {
        for one in &self.net.transitions()[*step].moves {
            self.marking[one.component] = one.to;
        }
    }

    fn take_back(&mut self, step: &NetTransitionId) {
        for one in &self.net.transitions()[*step].moves {
            self.marking[one.component] = one.from;
        }
    }

    fn holding(&self) -> Vec<String> {
        self.errors_here().map(|error| error.name.clone()).collect()
    }

    fn answers(&self) -> String {
        let width = columns::width(self.errors.iter().map(|(error, _)| error.name.as_str()), columns::NAMES);
        let lines = self.errors.iter().map(|(error, check)| {
            let answer = match check.holds(self.net, &self.marking) {
                Some(true) => "holds",
                Some(false) => "does not hold",
                None => "too much work to decide",
            };
            format!("  {:<width$}  {answer}\n", error.name)
        });
        lines.collect()
    }

    fn standing(&self) -> String {
        let marking = build::marking(self.system, self.net, &self.marking);
        text::marking(&self.instance, &marking)
    }

    /// The trace up to here; to the first error that holds here, if one does.
    fn document(&self, steps: &[NetTransitionId]) -> TraceDocument {
        let error = self.errors_here().next();
        TraceDocument {
            format: FORMAT.to_owned(),
            version: VERSION,
            system: self.system.name().to_owned(),
            error: error.map(|error| error.name.clone()),
            formula: error
                .map(|error| paramcheck_model::error::print::print_formula(self.system, &error.formula)),
            instance: self.instance.clone(),
            trace: steps.iter().map(|&step| self.reported(step)).collect(),
            marking: build::marking(self.system, self.net, &self.marking),
            property: None,
        }
    }

    fn unsaved(&self) -> Option<&'static str> {
        let reason = "a trace begins where the instance starts, and these steps do not";
        (!self.is_from_initial()).then_some(reason)
    }
}
