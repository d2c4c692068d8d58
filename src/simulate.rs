//! A simulator of one instance, driven by lines of text.
//!
//! [`Simulator`] stands at a marking and knows the steps that led there and, after a step back, those that
//! led on. It takes a line ([`command`] lists them), and gives back the lines to show. It reads and
//! writes nothing itself: what it wants written is an [`Effect`] for its caller.
//!
//! Invariant: the marking is the one that the first [`Simulator::now`] steps lead to from where it began,
//! which is the initial one unless another was given.
//! Only steps are remembered, no markings: a step records what it changes, so it can be taken back.

pub mod command;

use crate::report::simulated::{CommandReport, WalkEnd};
use crate::report::trace::{FORMAT, TraceDocument, VERSION};
use crate::report::{Instance, build, names, text};
use paramcheck_model::error::NamedError;
use paramcheck_model::system::System;
use paramcheck_model::tree::RewritingTree;
use paramcheck_nets::instance::marking::{ErrorCheck, Marking};
use paramcheck_nets::instance::net::{Net, NetTransitionId};
use paramcheck_text::columns;
use paramcheck_text::random::Random;

use self::command::{Command, HELP};

/// The most enabled transitions that are listed without a command.
const MAX_LISTED: usize = 20;
/// The most steps of one command that are printed one by one.
const MAX_STEPS_PRINTED: usize = 100;

/// What the caller of the simulator is to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Nothing but to show the text.
    None,
    /// Write this trace to the file of this name, and say so.
    Save {
        /// The name.
        path: String,
        /// The trace up to here.
        document: Box<TraceDocument>,
    },
    /// End.
    Quit,
}

/// What comes of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reaction {
    /// Lines to show; may be empty.
    pub text: String,
    /// What else is to be done.
    pub effect: Effect,
}

/// A walk through the reachable markings of one instance.
pub struct Simulator<'a> {
    system: &'a System,
    net: &'a Net,
    instance: Instance,
    errors: Vec<(NamedError, ErrorCheck)>,
    /// The steps known: those up to `now` were taken, those behind can be taken again.
    steps: Vec<NetTransitionId>,
    now: usize,
    marking: Marking,
    /// The steps to begin with, for `reset`.
    loaded: Vec<NetTransitionId>,
    random: Random,
    seed: u64,
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
        Simulator {
            system,
            net,
            instance: names::instance(system, tree, net),
            errors: errors.collect(),
            loaded: steps.clone(),
            steps,
            now: 0,
            marking: net.initial(),
            random: Random::new(seed),
            seed,
            start: net.initial(),
        }
    }

    /// The same, but it begins at `start`, which may not be reachable, and not along any trace.
    #[must_use]
    pub fn standing_at(self, start: Marking) -> Self {
        let (steps, loaded) = (Vec::new(), Vec::new());
        Simulator { marking: start.clone(), start, steps, loaded, now: 0, ..self }
    }

    /// Whether it began where the instance starts.
    fn is_from_initial(&self) -> bool {
        self.start == self.net.initial()
    }

    /// What there is to see at the beginning.
    pub fn greeting(&self) -> String {
        let mut lines = text::instance(&self.instance);
        if !self.loaded.is_empty() {
            lines +=
                &format!("a trace of {} is loaded: `next` goes along\n", count(self.loaded.len(), "step"));
        }
        if !self.is_from_initial() {
            let marking = build::marking(self.system, self.net, &self.start);
            lines += "it stands at a given marking, which may not be reachable:\n";
            lines += &text::marking(&self.instance, &marking);
        }
        lines + &self.situation()
    }

    /// The steps taken so far.
    pub fn now(&self) -> usize {
        self.now
    }

    /// Obeys one line.
    pub fn react(&mut self, line: &str) -> Reaction {
        let show = |text| Reaction { text, effect: Effect::None };
        match command::parse(line) {
            Err(problem) => show(format!("{problem}\n")),
            Ok(Command::Nothing) => show(String::new()),
            Ok(Command::Fire(number)) => show(self.choose(number)),
            Ok(Command::Back(count)) => show(self.back(count)),
            Ok(Command::Forward(count)) if self.now == self.steps.len() => {
                let end = if self.steps.is_empty() {
                    "there is no way known"
                } else {
                    "this is the end of the way known"
                };
                let what = if count == 1 { "a step" } else { "steps" };
                show(format!("{end}; choose {what} by number, or `random`\n"))
            }
            Ok(Command::Forward(count)) => {
                show(self.go(self.now.saturating_add(count).min(self.steps.len())))
            }
            Ok(Command::Goto(step)) if step > self.steps.len() => {
                let known = self.steps.len();
                show(format!(
                    "there is no step {step}: {known} {} known\n",
                    if known == 1 { "is" } else { "are" }
                ))
            }
            Ok(Command::Goto(step)) => show(self.go(step)),
            Ok(Command::Random(count)) => show(self.walk(count)),
            Ok(Command::Reset) => {
                self.steps.clone_from(&self.loaded);
                self.random = Random::new(self.seed);
                self.now = 0;
                self.marking = self.start.clone();
                show(self.position() + &self.situation())
            }
            Ok(Command::List) => show(self.enabled(usize::MAX)),
            Ok(Command::Marking) => {
                let marking = build::marking(self.system, self.net, &self.marking);
                show(text::marking(&self.instance, &marking))
            }
            Ok(Command::Errors) => show(self.all_errors()),
            Ok(Command::Help) => show(HELP.to_owned()),
            Ok(Command::Save(_)) if !self.is_from_initial() => show(
                "not saved: a trace begins where the instance starts, and these steps do not\n".to_owned(),
            ),
            Ok(Command::Save(path)) => {
                let document = Box::new(self.document());
                Reaction { text: String::new(), effect: Effect::Save { path, document } }
            }
            Ok(Command::Quit) => Reaction { text: String::new(), effect: Effect::Quit },
        }
    }

    /// The trace up to here; to the first error that holds here, if one does.
    pub fn document(&self) -> TraceDocument {
        let error = self.holding().next();
        let steps = self.steps.iter().take(self.now);
        TraceDocument {
            format: FORMAT.to_owned(),
            version: VERSION,
            system: self.system.name().to_owned(),
            error: error.map(|error| error.name.clone()),
            formula: error
                .map(|error| paramcheck_model::error::print::print_formula(self.system, &error.formula)),
            instance: self.instance.clone(),
            trace: steps.map(|&step| self.step(step)).collect(),
            marking: build::marking(self.system, self.net, &self.marking),
        }
    }

    /// What came of `input`, which was answered with `text`.
    pub fn report(&self, input: String, text: String) -> CommandReport {
        CommandReport {
            input,
            text,
            position: self.now,
            step: self.last().map(|step| self.step(step)),
            errors: self.holding().map(|error| error.name.clone()).collect(),
            enabled: self.net.enabled(&self.marking).count(),
        }
    }

    /// Where the simulator stands.
    pub fn end(&self) -> WalkEnd {
        let enabled = self.net.enabled(&self.marking).map(|step| self.step(step));
        WalkEnd { trace: self.document(), enabled: enabled.collect() }
    }

    /// The step that led here.
    fn last(&self) -> Option<NetTransitionId> {
        self.now.checked_sub(1).and_then(|before| self.steps.get(before)).copied()
    }

    /// The errors that hold here, as far as that can be decided.
    fn holding(&self) -> impl Iterator<Item = &NamedError> {
        let holds = |check: &ErrorCheck| check.holds(self.net, &self.marking) == Some(true);
        self.errors.iter().filter(move |(_, check)| holds(check)).map(|(error, _)| error)
    }

    fn step(&self, transition: NetTransitionId) -> crate::report::Step {
        build::step(self.system, self.net, &self.net.transitions()[transition])
    }

    /// Takes the step with this number among those enabled.
    fn choose(&mut self, number: usize) -> String {
        let chosen = number.checked_sub(1).and_then(|position| self.net.enabled(&self.marking).nth(position));
        let Some(transition) = chosen else {
            let enabled = self.net.enabled(&self.marking).count();
            return match enabled {
                0 => "nothing is enabled here: go `back`\n".to_owned(),
                1 => format!("there is no {number}: 1 step is enabled\n"),
                _ => format!("there is no {number}: 1 to {enabled} are enabled\n"),
            };
        };
        self.take(transition);
        self.position() + &self.situation()
    }

    /// Fires `transition`, which is enabled. Another way on than the one known makes that forgotten.
    fn take(&mut self, transition: NetTransitionId) {
        if self.steps.get(self.now) != Some(&transition) {
            self.steps.truncate(self.now);
            self.steps.push(transition);
        }
        self.move_to(self.now + 1);
    }

    /// Goes along the way known to the marking after `step` steps.
    fn move_to(&mut self, step: usize) {
        while self.now < step {
            let Some(&transition) = self.steps.get(self.now) else { return };
            for one in &self.net.transitions()[transition].moves {
                self.marking[one.component] = one.to;
            }
            self.now += 1;
        }
        while self.now > step {
            self.now -= 1;
            let Some(&transition) = self.steps.get(self.now) else { return };
            for one in &self.net.transitions()[transition].moves {
                self.marking[one.component] = one.from;
            }
        }
    }

    /// Takes back as many of `steps` as there are, and reports how many where these are fewer.
    fn back(&mut self, steps: usize) -> String {
        match self.now {
            0 if steps > 0 => "at the start already: there is no step to take back\n".to_owned(),
            now if steps > now => format!("only {} to take back\n", count(now, "step")) + &self.go(0),
            now => self.go(now - steps),
        }
    }

    /// Goes along the known run, and prints it.
    fn go(&mut self, step: usize) -> String {
        if step <= self.now + 1 {
            self.move_to(step);
            return self.position() + &self.situation();
        }
        let mut text = String::new();
        let first = self.now;
        while self.now < step {
            self.move_to(self.now + 1);
            text += &self.lines_of(first, step);
        }
        text + &self.situation()
    }

    /// The next random choice among `count`, which is far below 2^32, so the bias is of no consequence.
    fn chosen(&mut self, count: usize) -> usize {
        (self.random.number() % count.max(1) as u64) as usize
    }

    /// A random walk of this many steps, or until nothing is enabled or an error begins to hold.
    fn walk(&mut self, count: usize) -> String {
        let mut text = String::new();
        let first = self.now;
        let mut held: Vec<String> = self.holding().map(|error| error.name.clone()).collect();
        let mut enabled: Vec<NetTransitionId> = Vec::new();
        let mut why = "";
        for _ in 0..count {
            enabled.clear();
            enabled.extend(self.net.enabled(&self.marking));
            let Some(&transition) = enabled.get(self.chosen(enabled.len())) else {
                why = "the walk ends here:\n";
                break;
            };
            self.take(transition);
            text += &self.lines_of(first, first + count);
            let holding: Vec<String> = self.holding().map(|error| error.name.clone()).collect();
            if holding.iter().any(|name| !held.contains(name)) {
                why = if self.now - first < count { "the walk ends here: an error holds\n" } else { "" };
                break;
            }
            held = holding;
        }
        // What was left out at the end is printed where it ended early.
        if self.now - first > MAX_STEPS_PRINTED && self.now != first + count {
            text += &self.position();
        }
        text + why + &self.situation()
    }

    /// The line of the step just taken, on a run from `first` to `last`; of a long run only some are printed.
    fn lines_of(&self, first: usize, last: usize) -> String {
        let done = self.now - first;
        if done <= MAX_STEPS_PRINTED || self.now == last {
            self.position()
        } else if done == MAX_STEPS_PRINTED + 1 {
            "…\n".to_owned()
        } else {
            String::new()
        }
    }

    /// The position in the run, and the step that led there.
    fn position(&self) -> String {
        match self.last() {
            None => "at the start\n".to_owned(),
            Some(transition) => format!("step {}  {}\n", self.now, text::step(&self.step(transition))),
        }
    }

    /// The errors that hold here, and what is enabled.
    fn situation(&self) -> String {
        let holding = itertools::join(self.holding().map(|error| format!("`{}`", error.name)), ", ");
        let errors = if holding.is_empty() { String::new() } else { format!("  error: {holding}\n") };
        errors + &self.enabled(MAX_LISTED)
    }

    /// The enabled transitions by number, at most this many of them.
    fn enabled(&self, most: usize) -> String {
        let mut text = String::new();
        let enabled: Vec<NetTransitionId> = self.net.enabled(&self.marking).collect();
        let digits = enabled.len().min(most).to_string().len();
        for (position, &transition) in enabled.iter().enumerate().take(most) {
            let number = position + 1;
            text += &format!("  {number:>digits$}. {}\n", text::step(&self.step(transition)));
        }
        match enabled.len() {
            0 if self.is_terminated() => {
                "  nothing is enabled: every component is in a final state\n".to_owned()
            }
            0 => "  nothing is enabled\n".to_owned(),
            all if all > most => format!("{text}  … and {} more; `list` shows all\n", all - most),
            _ => text,
        }
    }

    /// Whether the model has final states, and every component is in one.
    fn is_terminated(&self) -> bool {
        self.net.components().enumerate().all(|(id, component)| {
            self.system.types[component.component_type].states[self.marking[id]].is_final
        })
    }

    fn all_errors(&self) -> String {
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
}

/// `1 step`, `12 steps`.
fn count(number: usize, noun: &str) -> String {
    text::plural(number, noun)
}
