//! What is said about an open question: what would settle it, and the commands that take its candidate up. Of a
//! violated one, the commands that take its evidence up ([`violated`]).
//!
//! From the [`Advice`](paramcheck_verdict::advice::Advice) of a verdict to lines with names of the model, and
//! commands for a shell. Whether a command is worth giving is decided here; what would help is not.

mod memory;
mod never;
pub mod violated;

use std::path::Path;

use serde::Serialize;

use crate::report::reproducer::quoted;
use crate::report::{Candidate, Question};
use paramcheck_invariants::kind::InvariantKind;
use paramcheck_model::component::{StateId, TypeId};
use paramcheck_model::error::NamedError;
use paramcheck_model::error::print::print_formula;
use paramcheck_model::system::System;
use paramcheck_nets::explore::symmetry::is_symmetric;
use paramcheck_nets::instance::enumerate::trees;
use paramcheck_nets::instance::select::MAX_TRANSITIONS;
use paramcheck_nets::instance::unfold::unfold_within;
use paramcheck_text::limits::Budget;
use paramcheck_verdict::advice::{self, SharedPort, Suggestion};
use paramcheck_verdict::{Reach, Unknown};

/// Something that can be done about an open question, or about a violation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Advice {
    /// A stable word; see `docs/json.md`.
    pub code: &'static str,
    /// What to do, in words.
    pub text: String,
    /// The command that does it, for a shell; `None` where it is something to do to the model. Where there is
    /// `model`, what asks then.
    pub command: Option<String>,
    /// What is to stand in the model in place of the component types of these names; `None` where that is left
    /// to whoever writes it.
    pub model: Option<String>,
}

impl Advice {
    fn new(code: &'static str, text: impl Into<String>) -> Advice {
        Advice { code, text: text.into(), command: None, model: None }
    }

    fn by(self, command: String) -> Advice {
        Advice { command: Some(command), ..self }
    }
}

/// The reachable marking that looks most like the candidate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Nearest {
    /// The components in which the two differ.
    pub differences: Vec<Difference>,
    /// Whether all reachable markings of the instance were looked at.
    pub of_all: bool,
}

/// A component that is in different states.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// Its name.
    pub component: String,
    /// Its state in the candidate.
    pub candidate: String,
    /// Its state in the reachable marking.
    pub reached: String,
}

/// What the commands are about.
pub struct Call<'a> {
    /// The model, as a word of a command.
    pub file: &'a str,
    /// Where the candidate is written, if it is.
    pub candidate: Option<&'a str>,
    /// Where the trace is written, if it is.
    pub trace: Option<&'a str>,
    /// Options of the call that an answer may rest on, each after a blank.
    pub options: &'a str,
}

/// Adds what is to be said about `unknown`, the answer to `question`, to its report.
pub fn add(
    question: &mut Question,
    system: &System,
    unknown: &Unknown,
    found: &advice::Advice,
    call: &Call<'_>,
) {
    question.nearest = found.nearest.as_ref().zip(unknown.candidate.as_ref()).map(|(nearest, candidate)| {
        let differences = nearest.differing.iter().map(|&id| {
            let component = &candidate.net.components()[id];
            let state = |state: StateId| system.types[component.component_type].states[state].name.clone();
            Difference {
                component: component.name.clone(),
                candidate: state(candidate.marking[id]),
                reached: state(nearest.marking[id]),
            }
        });
        Nearest { differences: differences.collect(), of_all: nearest.is_of_all }
    });
    let commands = Commands { system, question, call };
    let mut all: Vec<Advice> = match (&unknown.candidate, &question.reason) {
        (None, Some(reason)) => commands.about_limits(reason.code),
        (Some(_), Some(reason)) if found.nearest.is_none() && found.suggestions.is_empty() => {
            commands.about_limits(reason.code)
        }
        _ => found.suggestions.iter().map(|one| commands.suggestion(one)).collect(),
    };
    if let Some((first, candidate)) = question.candidates.first().zip(unknown.candidate.as_ref()) {
        let is_dead = candidate.net.is_dead(&candidate.marking);
        all.extend(commands.take_up(first, candidate.reach == Reach::Undecided, is_dead));
    }
    question.advice = all;
}

struct Commands<'a> {
    system: &'a System,
    question: &'a Question,
    call: &'a Call<'a>,
}

impl Commands<'_> {
    fn suggestion(&self, suggestion: &Suggestion) -> Advice {
        match suggestion {
            Suggestion::History(settling) => memory::advice(self, settling),
            Suggestion::SplitPorts(split) => {
                Advice::new("split-port", never::split(self.system, split, &self.question.error))
            }
            Suggestion::NeverFired(found) => Advice::new("never-fired", never::fired(self.system, found)),
            Suggestion::PortPerPartner(shared) => Advice::new("port-per-partner", self.partners(shared)),
            Suggestion::Order(memorable) => Advice::new("order-of-events", self.order(memorable)),
            Suggestion::DefaultInvariants => {
                Advice::new("default-invariants", "leave `--invariants` out: more is tried without it")
                    .by(self.check(""))
            }
            Suggestion::Invariants(kinds) => {
                Advice::new("stronger-invariants", "try stronger invariants: some exclude this candidate")
                    .by(self.check(&format!(" --invariants {}", list(kinds))))
            }
            Suggestion::States(states) => {
                Advice::new("more-states", "let the search visit more states of the candidate's instance")
                    .by(self.check(&format!(" --max-states {states}")))
            }
            Suggestion::Stubborn => Advice::new(
                "stubborn-sets",
                "explore the candidate's instance by stubborn sets, which keep every deadlock",
            )
            .by(format!(
                "paramcheck explore {} --tree {} --error {} --reduction all",
                self.file(),
                quoted(self.question.instance.as_ref().map_or("", |instance| &instance.term)),
                self.error()
            )),
            Suggestion::Sizes(size) => {
                Advice::new("larger-instances", format!("explore all instances of up to {size} components"))
                    .by(format!(
                        "paramcheck explore {} --max-size {size} --error {}{}",
                        self.file(),
                        self.error(),
                        if self.is_symmetric(*size) { " --reduction symmetry" } else { "" }
                    ))
            }
        }
    }

    /// Whether components can be exchanged in the first of the largest instances of up to this size: else a reduction by
    /// symmetry would only cost time.
    fn is_symmetric(&self, size: usize) -> bool {
        let Some(error) = self.system.error_named(&self.question.error) else { return true };
        let tree = (1..=size).rev().find_map(|size| trees(self.system, size).next());
        let net = tree.and_then(|tree| unfold_within(self.system, &tree, MAX_TRANSITIONS));
        net.is_none_or(|net| is_symmetric(&net, &error.formula, &Budget::unlimited()).unwrap_or(true))
    }

    /// What is known where nothing that was tried would settle the question.
    fn order(&self, memorable: &[(TypeId, Vec<StateId>)]) -> String {
        let difference = self.question.nearest.iter().flat_map(|nearest| &nearest.differences).next();
        let what = difference.and_then(|Difference { component, candidate, .. }| {
            let name = component.split('#').next()?;
            let id = self.system.types.enumerate().find(|(_, one)| one.name == name)?.0;
            let ways = self.ways(id, self.system.types[id].state_named(candidate)?);
            Some(format!("what keeps {component} from being `{candidate}` (by {ways})"))
        });
        format!(
            "no set of places excludes the candidate, whatever its kind and bound, and no component type has a \
             history state that settles it. Perhaps {} is an order of several events: {}",
            what.as_deref().unwrap_or("what keeps it from being reached"),
            memory::of_several(self.system, memorable, self.question),
        )
    }

    /// That a port meets several components alike, and what can be done about it.
    fn partners(&self, shared: &SharedPort) -> String {
        let SharedPort { component, port, rule, partners } = shared;
        let rule = &self.system.rules[*rule];
        let name = |number: usize| format!("`{}{number}`", self.system.ports[*port]);
        let variables = partners.iter().map(|one| rule.variables[*one].name.as_str());
        format!(
            "{} goes on by `{}` more than once, and meets {} of {} alike by it: it knows how often, not whose it was.              Perhaps it is to remember that: a port for each ({}), and states that tell who came first",
            self.system.types[*component].name,
            self.system.ports[*port],
            itertools::join(variables, " and "),
            rule.label,
            itertools::join((1..=partners.len()).map(name), ", "),
        )
    }

    /// The transitions that lead to a state: `item -getitem-> empty, …`.
    fn ways(&self, component: TypeId, state: StateId) -> String {
        let component_type = &self.system.types[component];
        let name = |state: StateId| &component_type.states[state].name;
        let ways = component_type.transitions.iter().filter(|one| one.to == state);
        itertools::join(
            ways.map(|one| match one.port {
                Some(port) => format!("`{} -{}->`", name(one.from), self.system.ports[port]),
                None => format!("`{} ->`", name(one.from)),
            }),
            ", ",
        )
    }

    /// What helps where a limit, or the engine, ended the run.
    fn about_limits(&self, code: &str) -> Vec<Advice> {
        let direct = || self.check(" --engine direct");
        vec![match code {
            "time-limit" => Advice::new(
                "more-time",
                "give it more time (`--time-limit`); fewer invariants (`--invariants trap,mutex`) take less, and prove \
                 less",
            ),
            "memory-limit" => Advice::new(
                "more-memory",
                "give it more memory (`--memory-limit`), fewer states (`--max-states`) or fewer invariants \
                 (`--invariants trap,mutex`)",
            ),
            "interrupted" => {
                Advice::new("run-to-the-end", "let it run to the end, or set a limit (`--time-limit`)")
            }
            "mona-nodes" | "mona-failed" => Advice::new(
                "other-engine",
                "ask the other engine (`--engine direct`), or use fewer invariants (`--invariants trap,mutex`)",
            )
            .by(direct()),
            "no-formula" => {
                Advice::new("other-engine", "ask the other engine (`--engine direct`)").by(direct())
            }
            // A candidate that there is no more to say about.
            "spurious" | "candidate-too-large" => return Vec::new(),
            _ => Advice::new(
                "other-question",
                "ask MONA (`--engine mona`), or ask about counts, local patterns or `deadlock` instead",
            ),
        }]
    }

    /// The commands that take up the candidate. Its instance is to be explored where it is open whether it is
    /// reached; where the candidate is dead, there is no step to take.
    fn take_up(&self, candidate: &Candidate, is_open: bool, is_dead: bool) -> Vec<Advice> {
        let file = self.file();
        let which = match self.call.candidate {
            Some(path) => format!("--candidate {}", quoted(path)),
            None => {
                format!("--tree {} --marking {}", quoted(&candidate.instance.term), quoted(&moved(candidate)))
            }
        };
        let error = match self.call.candidate {
            // The file names it.
            Some(_) => String::new(),
            None => format!(" --error {}", self.error()),
        };
        let picture = file_for(self.call.file, &self.question.error, "candidate.svg");
        let draw = format!("paramcheck draw {file} {which}{error} --output {picture}");
        let mut all = vec![Advice::new("draw", "draw the candidate").by(draw)];
        if is_open {
            let explore = format!("paramcheck explore {file} {which}");
            all.push(Advice::new("explore", "explore its instance: is it reached?").by(explore));
        } else if !is_dead {
            let step = format!("paramcheck step {file} {which}");
            all.push(Advice::new("step", "go on from it, step by step").by(step));
        }
        all
    }

    /// The call that checks this question, with further options.
    fn check(&self, options: &str) -> String {
        format!("paramcheck {} --error {}{options}", self.file(), self.error())
    }

    fn file(&self) -> String {
        quoted(self.call.file)
    }

    /// The error as a word of a command: its name, or its definition where the model does not have it.
    fn error(&self) -> String {
        let Question { error, formula, .. } = self.question;
        if self.is_named() { quoted(error) } else { quoted(&format!("{error} = {formula}")) }
    }

    /// Whether the model has the error.
    fn is_named(&self) -> bool {
        let Question { error, formula, .. } = self.question;
        let is_formula = |known: &NamedError| print_formula(self.system, &known.formula) == *formula;
        self.system.error_named(error).as_ref().is_some_and(is_formula)
    }
}

/// The parts of the names of files are cut to so many characters.
const MAX_NAME: usize = 40;

/// The name of a file for what is known of a question about a model: `ring-exclusion.trace.json`. So what one call
/// finds about several questions goes to several files.
fn file_for(model: &str, question: &str, ending: &str) -> String {
    let part = |name: &str| -> String {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let words = name.split(|c: char| !is_plain(c)).filter(|word| !word.is_empty());
        itertools::join(words, "-").chars().take(MAX_NAME).collect()
    };
    let stem = Path::new(model).file_stem().map(|stem| part(&stem.to_string_lossy()));
    let parts = [stem.unwrap_or_default(), part(question)];
    let parts = parts.iter().filter(|part| !part.is_empty());
    match itertools::join(parts, "-") {
        name if name.is_empty() => ending.to_owned(),
        name => format!("{name}.{ending}"),
    }
}

/// The components of a candidate that are not where they start: `Cell#2=item, Cons#1=done`.
fn moved(candidate: &Candidate) -> String {
    let components = candidate.instance.components.iter().zip(&candidate.marking);
    let moved = components.filter(|(component, place)| component.initial != place.state);
    itertools::join(moved.map(|(component, place)| format!("{}={}", component.name, place.state)), ", ")
}

/// Kinds as a list for `--invariants`, with what helps beside them.
fn list(kinds: &[InvariantKind]) -> String {
    let all = InvariantKind::all_up_to(2);
    let mut words = Vec::new();
    let has_all = all.iter().all(|kind| kinds.contains(kind));
    words.extend(has_all.then(|| "all".to_owned()));
    let others = kinds.iter().filter(|kind| !(has_all && all.contains(kind)));
    words.extend(others.map(InvariantKind::to_string));
    words.extend(["dead".to_owned(), "exclusive".to_owned()]);
    words.join(",")
}
