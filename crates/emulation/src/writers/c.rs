//! Emulation programs in C, as in Listing 1 of the paper: a function per triple with the entry condition as
//! an assumption and the exit condition as assignments, `init`, `next`, `check`, and a `main` that goes
//! round.
//!
//! A triple's function is guarded by another, `may_…`, for whether the triple may be taken; both are named
//! after the label, with the triple's number. Start and join triples are taken by `settle` after every step.
//! The variable `choice` is the number of the triple that is taken, so that a verifier's counterexample can
//! be read back.
//!
//! What `main` is depends on the [`Shape`] and the question:
//!
//! - *never*: `check` calls `reach_error` where the condition holds. What is not enabled is pruned by
//!   assumptions, which takes no state away.
//! - *eventually*, as termination ([`Liveness::Termination`]): the program ends exactly when the condition
//!   holds. Nothing is pruned: a choice that is not possible becomes the first that is, and a run that is
//!   stuck loops.
//! - *eventually*, as reachability ([`Liveness::Safety`]): at some moment the state is saved; that it comes
//!   back, or that nothing is possible, before the condition ever holds, is the error. (Biere, Artho,
//!   Schuppan, *Liveness Checking as Safety Checking*, 2002.) Only this can count fair runs only.
//! - [`Shape::Base`] and [`Shape::Step`] are the halves of a proof by induction over that many steps.
//! - [`Target::Standalone`] runs: one random schedule, printed.

use std::fmt::Write as _;

use rustc_hash::FxHashMap;

use crate::expression::{DefinitionId, VariableId};
use crate::program::Program;
use crate::question::Demand;
use crate::triple::{CounterId, LocationId, OfferId, TripleId};
use paramcheck_text::comment;
use paramcheck_text::index::{Idx, IndexVec};
use paramcheck_text::limits::Budget;
use paramcheck_text::names::Names;

use super::infix::Named;
use super::offers::Offers;
use super::{DataNames, Needs, NotWritable, Ranges};
use expression::{Expressions, Width};

mod condition;
mod expression;
mod main;
mod prelude;
mod standalone;
mod state;
mod step;

/// Who reads the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// A compiler for C11: the program runs by itself.
    Standalone,
    /// A verifier.
    Verifier(Verifier),
}

/// A verifier of C programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verifier {
    /// ESBMC.
    Esbmc,
    /// CBMC. Untested: it was never run on these programs.
    Cbmc,
    /// CPAchecker. Untested: it was never run on these programs.
    CpaChecker,
    /// Symbiotic. Untested: it was never run on these programs.
    Symbiotic,
}

/// How far the program goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// For ever.
    Loop,
    /// This many steps from the initial state, none of which violates the question. Together with
    /// [`Shape::Step`] of as many it is a proof; alone it is bounded model checking.
    Base(u32),
    /// From any state within ranges this many steps, at least one: if the states before the last are all
    /// different and do not violate the question, neither does the last.
    Step(u32),
}

/// What becomes of "eventually".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Liveness {
    /// A question of termination. Only as [`Shape::Loop`].
    Termination,
    /// A question of reachability.
    Safety,
}

/// How a program is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// For whom.
    pub target: Target,
    /// How far it goes. (A program that stands alone always is a loop.)
    pub shape: Shape,
    /// What becomes of "eventually".
    pub liveness: Liveness,
}

/// The name of the variable that holds the number of the triple that is taken.
pub(crate) const CHOICE: &str = "choice";

/// The name of the variable whose first 1 means that the state is saved before the next step, which is where
/// the loop of an infinite run begins.
pub(crate) const SAVES: &str = "saves";

/// The program in C.
///
/// # Errors
/// What C can't express, or `budget` ended.
pub fn c(program: &Program<'_>, options: Options, budget: &Budget) -> Result<String, NotWritable> {
    let writer = Writer::new(program, options, budget)?;
    let mut text = writer.heading();
    writer.prelude(&mut text);
    writer.state(&mut text);
    writer.meanings(&mut text);
    writer.offers(&mut text);
    writer.triples(&mut text)?;
    writer.settle(&mut text);
    writer.turns(&mut text);
    budget.check()?;
    writer.choose(&mut text);
    writer.step(&mut text);
    budget.check()?;
    writer.init(&mut text);
    writer.question(&mut text)?;
    writer.main(&mut text);
    Ok(text)
}

/// What the program does about its question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    /// Runs by itself.
    Standalone,
    /// Reaches an error where a condition holds.
    Never,
    /// Ends where a condition holds.
    Termination,
    /// Reaches an error where a state comes back, or nothing is possible, before a condition holds.
    Lasso,
}

/// The names of everything, chosen before anything is written.
struct Writer<'a> {
    program: &'a Program<'a>,
    options: Options,
    mode: Mode,
    needs: Needs,
    width: Width,
    counters: IndexVec<CounterId, String>,
    variables: Vec<String>,
    arrays: Vec<String>,
    /// The functions of definitions.
    definitions: Vec<String>,
    /// The functions of triples: what takes it, and whether it may be taken.
    triples: IndexVec<TripleId, [String; 2]>,
    offers: Offers<'a>,
    /// The functions for offers that have one.
    named: FxHashMap<(CounterId, OfferId), String>,
    budget: &'a Budget,
}

/// What a name must not be: words of C up to C23, what compilers define beside them, and those that the
/// program itself uses.
#[rustfmt::skip]
pub(crate) const KEYWORDS: &[&str] = &[
    "auto", "break", "case", "char", "const", "continue", "default", "do", "double", "else", "enum", "extern",
    "float", "for", "goto", "if", "inline", "int", "long", "register", "restrict", "return", "short", "signed",
    "sizeof", "static", "struct", "switch", "typedef", "union", "unsigned", "void", "volatile", "while", "asm",
    "alignas", "alignof", "bool", "constexpr", "false", "nullptr", "static_assert", "thread_local", "true", "typeof",
    "typeof_unqual", "i386", "linux", "unix",
    "able", "agent", "allowed", "any", "assume", "below", "changed", "check", "choice", "did", "differs", "first", "holds", "init", "main",
    "may", "next", "pass", "random", "reach_error", "remember", "save", "saved", "saves", "settle", "show", "step", "stuck",
    "terminated", "violated", "words",
];

impl<'a> Writer<'a> {
    fn new(program: &'a Program<'a>, options: Options, budget: &'a Budget) -> Result<Self, NotWritable> {
        let structure = program.structure;
        let is_safe = options.liveness == Liveness::Safety || options.shape != Shape::Loop;
        let mode = match (options.target, &program.question.demand) {
            (Target::Standalone, _) => Mode::Standalone,
            (_, Demand::Recoverable { .. }) => return Err(NotWritable::Branching),
            (_, Demand::Never(_)) => Mode::Never,
            (_, Demand::Eventually(_)) if is_safe => Mode::Lasso,
            (_, Demand::Eventually(_)) if program.is_fair() => return Err(NotWritable::Fairness),
            (_, Demand::Eventually(_)) => Mode::Termination,
        };
        let mut names = Names::new(KEYWORDS);
        let DataNames { counters, variables, arrays, definitions } = structure.names("pc_", true, &mut names);
        let triples = structure.triples.enumerate().map(|(id, triple)| {
            let name = names.take(&format!("{}_{}", structure.word(triple), id.index()));
            let may = names.take(&format!("may_{name}"));
            [name, may]
        });
        let triples = triples.collect();
        let mut needs = Needs::of([program.question.demand.condition()]);
        needs.stuck |= matches!(mode, Mode::Termination | Mode::Lasso);
        needs.terminated |= mode == Mode::Standalone;
        let width = Width::of(super::bounds::bounds(structure)?);
        let offers = Offers::new(structure);
        let name = |place: (CounterId, OfferId)| {
            let name = names.take(&format!("offers_{}_{}", place.1.0, counters[place.0]));
            (place, name)
        };
        let named = offers.nameworthy().into_iter().map(name).collect();
        Ok(Writer {
            program,
            options,
            mode,
            needs,
            width,
            counters,
            variables,
            arrays,
            definitions,
            triples,
            offers,
            named,
            budget,
        })
    }

    /// That a counter is at one of these locations.
    fn is_at(&self, counter: CounterId, locations: impl IntoIterator<Item = LocationId>) -> super::Infix {
        let ranges = Ranges::at(self.program.structure, counter, locations);
        ranges.infix(&self.counters[counter], ["0", "1"], [" && ", " || "])
    }

    fn expressions(&self) -> Expressions<'_> {
        Expressions { names: self, width: self.width }
    }

    /// Whether `did` is part of the program.
    fn has_did(&self) -> bool {
        self.needs.did
    }

    fn heading(&self) -> String {
        let mut text = self.program.heading();
        text.push('\n');
        text.push_str(&self.usage());
        format!("{}\n", comment::block(&text))
    }
}

impl Named for Writer<'_> {
    fn variable(&self, variable: VariableId) -> String {
        self.variables[variable.index()].clone()
    }

    fn array(&self, array: usize) -> Option<String> {
        self.arrays.get(array).cloned()
    }

    fn elements(&self, array: usize) -> Vec<VariableId> {
        self.program.structure.arrays[array].variables().collect()
    }

    fn at(&self, counter: CounterId, locations: &[LocationId]) -> String {
        // In parentheses, for a negation may stand before it.
        format!("({})", self.is_at(counter, locations.iter().copied()).text)
    }

    fn definition(&self, definition: DefinitionId) -> String {
        format!("{}()", self.definitions[definition.index()])
    }
}

/// Writes a function without parameters.
fn function(text: &mut String, result: &str, name: &str, body: &str) {
    let _ = writeln!(text, "\nstatic {result} {name}(void)\n{{\n{body}}}");
}
