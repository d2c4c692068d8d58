//! `paramcheck draw --what proof`: a set of places that a proof rests on.

use paramcheck::picture::{self, DrawnSet, TooLarge};
use paramcheck::report::text::plural;
use paramcheck::report::why;
use paramcheck_model::system::System;
use paramcheck_text::diagnostic::codes::input as codes;
use paramcheck_text::limits::Budget;
use paramcheck_text::source::SourceFile;
use paramcheck_verdict::{Options, decide};

use crate::cli::args::{DrawArguments, WantedSet};
use crate::cli::console::Console;
use crate::cli::exit::Exit;
use crate::cli::{Failure, bug, files, model, selected};

/// How much work may be spent on a proof that is to be drawn, in looks at the budget: what is drawn does not depend on
/// how quick a machine is.
const MAX_WORK: u64 = 4_000_000;

/// A picture, or with which exit code there is none, the reason reported.
type Drawn = Result<Result<String, TooLarge>, Exit>;

/// The picture that is wanted.
pub(super) fn drawn(
    system: &System,
    source: &SourceFile,
    arguments: &DrawArguments,
    console: &mut Console,
) -> Result<Drawn, Failure> {
    let wanted = arguments.error.as_deref().unwrap_or_default();
    let error = match model::question(system, wanted) {
        Ok((error, found)) => {
            console.diagnostics(&found.diagnostics, &found.source);
            error
        }
        Err(problem) => {
            console.diagnostics(&problem.diagnostics, &problem.source);
            return Ok(Err(Exit::InputError));
        }
    };
    let tree = if arguments.instance.is_given() {
        let budget = Budget::unlimited().with_work(MAX_WORK);
        match selected::find(system, source, &arguments.instance, &budget, console)? {
            Ok(one) => Some(one.tree),
            Err(reason) => return Ok(Err(reason.exit())),
        }
    } else {
        None
    };
    let budget = Budget::unlimited().with_work(MAX_WORK);
    let options = Options { budget: budget.clone(), ..Options::default() };
    let verdict = match decide(system, &error, &options) {
        Ok(verdict) => verdict,
        Err(found) => {
            let kept = bug::keep((system, source), &error, &found, "", 0);
            console.diagnostic(&kept.diagnostic, None);
            return Ok(Err(Exit::Bug));
        }
    };
    let mut refuse = |message: String| {
        console.diagnostic(&files::plain(&codes::UNDRAWABLE, message), None);
        Ok(Err(Exit::InputError))
    };
    let explained = match why::of(system, &verdict, tree.as_ref(), true, &budget) {
        Some(Ok(explained)) => explained,
        Some(Err(reason)) => {
            return refuse(format!("the proof of `{}` can't be drawn: {reason}", error.name));
        }
        None => return refuse(format!("`{}` is not proved: there is no set to draw", error.name)),
    };
    let sets = &explained.explanation.reason.sets;
    let instance = &explained.explanation.instance;
    let (number, one) = match arguments.set.unwrap_or(WantedSet::One(1, 1)) {
        WantedSet::One(number, one) => (number, one),
        WantedSet::All => {
            let all = sets.iter().enumerate().filter_map(|(position, set)| {
                let places = set.sets.first().or(set.alike_sets.first())?;
                Some(DrawnSet { number: position + 1, set, places })
            });
            let mut all: Vec<_> = all.collect();
            if all.len() > picture::MAX_SETS {
                let shown = picture::MAX_SETS;
                console.note(&format!("note: of {} the first {shown} are drawn", plural(all.len(), "set")));
                all.truncate(shown);
            }
            if !all.is_empty() {
                return Ok(Ok(picture::proof(system, &explained, &all)));
            }
            (1, 1)
        }
    };
    let mut refuse = |message: String| {
        console.diagnostic(&files::plain(&codes::UNDRAWABLE, message), None);
        Ok(Err(Exit::InputError))
    };
    let Some(set) = sets.get(number - 1) else {
        return refuse(match sets.len() {
            0 => format!("the proof of `{}` rests on no set of places", error.name),
            count => format!(
                "there is no set {number}: the proof of `{}` has {}",
                error.name,
                plural(count, "set")
            ),
        });
    };
    let all: Vec<_> = set.sets.iter().chain(&set.alike_sets).collect();
    let Some(places) = all.get(one - 1) else {
        return refuse(format!("{instance} has {} of set {number}", plural(all.len(), "set")));
    };
    if sets.len() > 1 || all.len() > 1 {
        console.note(&format!(
            "note: set {number}.{one}; of {} this is set {number}, of which there are {} in {instance}",
            plural(sets.len(), "set"),
            all.len(),
        ));
    }
    Ok(Ok(picture::proof(system, &explained, &[DrawnSet { number, set, places }])))
}
