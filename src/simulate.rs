//! A simulator of one instance, or of one system of agents, driven by lines of text.
//!
//! A [`Walk`] stands somewhere in a [`World`] and knows the steps that led there and, after a step back, those
//! that led on. It takes a line ([`command`] lists them), and gives back the lines to show. It reads and
//! writes nothing itself: what it wants written is an [`Effect`] for its caller. [`markings`] is the world of
//! an instance, [`agents`] that of a system of agents.
//!
//! Invariant: where it stands is where the first [`Walk::now`] steps lead to from where it began.

pub mod agents;
pub mod command;
pub mod markings;

use std::fmt::Debug;
use std::time::Instant;

use serde::Serialize;

use crate::report::simulated::{CommandReport, WalkEnd};
use crate::report::text;
use paramcheck_text::random::Random;

use self::command::Command;
use self::markings::Markings;

/// The most enabled steps that are listed without a command.
const MAX_LISTED: usize = 20;
/// The most steps of one command that are printed one by one.
const MAX_STEPS_PRINTED: usize = 100;
/// The most enabled steps that are listed at all.
const MAX_LISTED_IN_FULL: usize = 100_000;

/// What a simulator walks through.
pub trait World {
    /// A step.
    type Step: Clone + PartialEq;
    /// A step as it is reported.
    type Shown: Serialize;
    /// The steps up to somewhere, to be kept.
    type Document: Clone + Debug + PartialEq + Serialize;

    /// What there is to see at the beginning.
    fn greeting(&self) -> String;
    /// The list of commands.
    fn help(&self) -> &'static str;
    /// What is said before the names of what holds here and should not.
    fn wrong(&self) -> &'static str;
    /// The line that says that a walk ended because something holds that should not.
    fn ends_walk(&self) -> &'static str;
    /// How many steps are enabled.
    fn enabled(&self) -> usize;
    /// The enabled step of this number, from 0.
    fn step(&self, number: usize) -> Option<Self::Step>;
    /// The first enabled steps, at most so many.
    fn steps(&self, most: usize) -> Vec<Self::Step>;
    /// A step as it is reported.
    fn shown(&self, step: &Self::Step) -> Self::Shown;
    /// A step in a line.
    fn line(&self, step: &Self::Step) -> String;
    /// Takes a step, which is enabled.
    fn take(&mut self, step: &Self::Step);
    /// Takes back the step taken last.
    fn take_back(&mut self, step: &Self::Step);
    /// The names of what holds here and should not, as far as that can be decided.
    fn holding(&self) -> Vec<String>;
    /// The answers to all questions about where it stands, a line each.
    fn answers(&self) -> String;
    /// Where it stands, in lines.
    fn standing(&self) -> String;
    /// The way here, by these steps.
    fn document(&self, steps: &[Self::Step]) -> Self::Document;
    /// Why the way here can't be kept.
    fn unsaved(&self) -> Option<&'static str>;
    /// A line behind the list of all enabled steps; may be empty.
    fn remark(&self) -> &'static str {
        ""
    }
    /// Whether the model has final states, and every component is in one.
    fn is_terminated(&self) -> bool {
        false
    }
    /// The most steps of a way.
    fn most_steps(&self) -> usize {
        usize::MAX
    }
}

/// What the caller of the simulator is to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect<D> {
    /// Nothing but to show the text.
    None,
    /// Write this trace to the file of this name, and say so.
    Save {
        /// The name.
        path: String,
        /// The trace up to here.
        document: Box<D>,
    },
    /// End.
    Quit,
}

/// What comes of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reaction<D> {
    /// Lines to show; may be empty.
    pub text: String,
    /// What else is to be done.
    pub effect: Effect<D>,
}

/// A walk through the reachable markings of one instance.
pub type Simulator<'a> = Walk<Markings<'a>>;

/// A walk.
pub struct Walk<W: World> {
    world: W,
    /// The steps known: those up to `now` were taken, those behind can be taken again.
    steps: Vec<W::Step>,
    now: usize,
    /// The steps to begin with, for `reset`.
    loaded: Vec<W::Step>,
    random: Random,
    seed: u64,
    /// When it must end.
    deadline: Option<Instant>,
}

impl<W: World> Walk<W> {
    /// A walk that begins where `world` stands. `steps` is a way to go along, `seed` makes the random walk.
    pub fn through(world: W, steps: Vec<W::Step>, seed: u64) -> Self {
        Walk { world, loaded: steps.clone(), steps, now: 0, random: Random::new(seed), seed, deadline: None }
    }

    /// The same, but it ends at `deadline`.
    #[must_use]
    pub fn until(self, deadline: Option<Instant>) -> Self {
        Walk { deadline, ..self }
    }

    /// Whether it must end.
    pub fn is_over(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// What there is to see at the beginning.
    pub fn greeting(&self) -> String {
        let mut lines = self.world.greeting();
        if !self.loaded.is_empty() {
            lines +=
                &format!("a trace of {} is loaded: `next` goes along\n", count(self.loaded.len(), "step"));
        }
        lines + &self.situation()
    }

    /// The steps taken so far.
    pub fn now(&self) -> usize {
        self.now
    }

    /// Obeys one line.
    pub fn react(&mut self, line: &str) -> Reaction<W::Document> {
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
                self.move_to(0);
                self.steps.clone_from(&self.loaded);
                self.random = Random::new(self.seed);
                show(self.position() + &self.situation())
            }
            Ok(Command::List) => show(self.enabled(MAX_LISTED_IN_FULL)),
            Ok(Command::Marking) => show(self.world.standing()),
            Ok(Command::Errors) => show(self.world.answers()),
            Ok(Command::Help) => show(self.world.help().to_owned()),
            Ok(Command::Save(path)) => match self.world.unsaved() {
                Some(reason) => show(format!("not saved: {reason}\n")),
                None => {
                    let document = Box::new(self.document());
                    Reaction { text: String::new(), effect: Effect::Save { path, document } }
                }
            },
            Ok(Command::Quit) => Reaction { text: String::new(), effect: Effect::Quit },
        }
    }

    /// The way up to here.
    pub fn document(&self) -> W::Document {
        self.world.document(self.steps.get(..self.now).unwrap_or_default())
    }

    /// What came of `input`, which was answered with `text`.
    pub fn report(&self, input: String, text: String) -> CommandReport<W::Shown> {
        CommandReport {
            input,
            text,
            position: self.now,
            step: self.last().map(|step| self.world.shown(step)),
            errors: self.world.holding(),
            enabled: self.world.enabled(),
        }
    }

    /// Where the simulator stands.
    pub fn end(&self) -> WalkEnd<W::Document, W::Shown> {
        let enabled = self.world.steps(MAX_LISTED_IN_FULL);
        let enabled = enabled.iter().map(|step| self.world.shown(step)).collect();
        WalkEnd { trace: self.document(), enabled }
    }

    /// The step that led here.
    fn last(&self) -> Option<&W::Step> {
        self.now.checked_sub(1).and_then(|before| self.steps.get(before))
    }

    /// Takes the step with this number among those enabled.
    fn choose(&mut self, number: usize) -> String {
        let chosen = number.checked_sub(1).and_then(|position| self.world.step(position));
        let Some(step) = chosen else {
            return match self.world.enabled() {
                0 => "nothing is enabled here: go `back`\n".to_owned(),
                1 => format!("there is no {number}: 1 step is enabled\n"),
                enabled => format!("there is no {number}: 1 to {enabled} are enabled\n"),
            };
        };
        if self.now >= self.world.most_steps() {
            return format!("this is step {}, and no longer way is kept: go `back`, or `reset`\n", self.now);
        }
        self.take(step);
        self.position() + &self.situation()
    }

    /// Takes a step that is enabled. Another way on than the one known makes that forgotten.
    fn take(&mut self, step: W::Step) {
        if self.steps.get(self.now) != Some(&step) {
            self.steps.truncate(self.now);
            self.steps.push(step);
        }
        self.move_to(self.now + 1);
    }

    /// Goes along the way known to where it leads after `step` steps.
    fn move_to(&mut self, step: usize) {
        while self.now < step {
            let Some(next) = self.steps.get(self.now) else { return };
            self.world.take(next);
            self.now += 1;
        }
        while self.now > step {
            self.now -= 1;
            let Some(last) = self.steps.get(self.now) else { return };
            self.world.take_back(last);
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

    /// A random walk of this many steps, or until nothing is enabled or something holds that should not.
    fn walk(&mut self, count: usize) -> String {
        let mut text = String::new();
        let first = self.now;
        let mut held = self.world.holding();
        let mut why = "";
        for _ in 0..count {
            let enabled = self.world.enabled();
            let chosen = self.chosen(enabled);
            let Some(step) = self.world.step(chosen) else {
                why = "the walk ends here:\n";
                break;
            };
            if self.is_over() {
                why = "the walk ends here: the time limit was reached\n";
                break;
            }
            if self.now >= self.world.most_steps() {
                why = "the walk ends here: no longer way is kept\n";
                break;
            }
            self.take(step);
            text += &self.lines_of(first, first + count);
            let holding = self.world.holding();
            if holding.iter().any(|name| !held.contains(name)) {
                let is_early = self.now - first < count;
                why = if is_early { self.world.ends_walk() } else { "" };
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
            Some(step) => format!("step {}  {}\n", self.now, self.world.line(step)),
        }
    }

    /// What holds here and should not, and what is enabled.
    fn situation(&self) -> String {
        let holding = itertools::join(self.world.holding().iter().map(|name| format!("`{name}`")), ", ");
        let wrong = self.world.wrong();
        let errors = if holding.is_empty() { String::new() } else { format!("  {wrong}: {holding}\n") };
        errors + &self.enabled(MAX_LISTED)
    }

    /// The enabled steps by number, at most this many of them.
    fn enabled(&self, most: usize) -> String {
        let mut text = String::new();
        let all = self.world.enabled();
        let digits = all.min(most).to_string().len();
        for (position, step) in self.world.steps(most).iter().enumerate() {
            let number = position + 1;
            text += &format!("  {number:>digits$}. {}\n", self.world.line(step));
        }
        match all {
            0 if self.world.is_terminated() => {
                "  nothing is enabled: every component is in a final state\n".to_owned()
            }
            0 => "  nothing is enabled\n".to_owned(),
            all if all <= most => text + self.world.remark(),
            all => {
                let how = if most < MAX_LISTED_IN_FULL { "; `list` shows all" } else { "" };
                format!("{text}  … and {} more{how}\n{}", all - most, self.world.remark())
            }
        }
    }
}

/// `1 step`, `12 steps`.
fn count(number: usize, noun: &str) -> String {
    text::plural(number, noun)
}
