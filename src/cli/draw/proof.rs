//! `paramcheck draw --what proof`: a set of places that a proof rests on.

use paramcheck::picture::{self, DrawnSet, TooLarge};
use paramcheck::report::text::plural;
use paramcheck::report::why;
use paramcheck_explanation::Explained;
use paramcheck_model::system::System;
use paramcheck_model::tree::RewritingTree;
use paramcheck_nets::instance::net::Net;
use paramcheck_nets::instance::select::MAX_TRANSITIONS;
use paramcheck_nets::instance::term::parse_term;
use paramcheck_nets::instance::unfold::unfold_within;
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
    let explained = match why::of(system, &verdict, tree.as_ref(), true, &budget) {
        Some(Ok(explained)) => explained,
        Some(Err(reason)) => {
            let message = format!("the proof of `{}` can't be drawn: {reason}", error.name);
            return Ok(Err(refuse(console, message, None)));
        }
        None => {
            let message = format!("`{}` is not proved: there is no set to draw", error.name);
            return Ok(Err(refuse(console, message, None)));
        }
    };
    let sets = &explained.explanation.reason.sets;
    let shown = Spelled::of(system, &explained, arguments.set);
    let (number, one) = match arguments.set.unwrap_or(WantedSet::One(1, 1)) {
        WantedSet::One(number, one) => (number, one),
        WantedSet::All => (1, 1),
    };
    let Some(set) = sets.get(number - 1) else {
        let (message, help) = match sets.len() {
            0 => (
                format!(
                    "the proof of `{}` rests on no set of places: {}",
                    error.name,
                    explained.explanation.reason.contradiction.join("; "),
                ),
                Some("`paramcheck why FILE --error NAME` says why the error is not reached"),
            ),
            count => (
                format!(
                    "there is no set {number}: the proof of `{}` has {}",
                    error.name,
                    plural(count, "set")
                ),
                None,
            ),
        };
        return Ok(Err(refuse(console, message, help)));
    };
    let Some(Spelled { tree, net, term }) = shown else {
        return Ok(Err(refuse(console, format!("the instance of set {number} is too large"), None)));
    };
    if arguments.set == Some(WantedSet::All) {
        let all = sets.iter().enumerate().filter(|(_, set)| set.elsewhere.is_none());
        let all = all.filter_map(|(position, set)| {
            let (places, _) = set.spelled_out().first().copied()?;
            Some(DrawnSet { number: position + 1, set, places })
        });
        let mut all: Vec<_> = all.collect();
        if all.len() < sets.len() {
            let others = plural(sets.len() - all.len(), "set");
            console.note(&format!(
                "note: {term} does not need {others} of the proof; --set K draws one of them"
            ));
        }
        if all.len() > picture::MAX_SETS {
            let shown = picture::MAX_SETS;
            console.note(&format!("note: of {} the first {shown} are drawn", plural(all.len(), "set")));
            all.truncate(shown);
        }
        if !all.is_empty() {
            return Ok(Ok(picture::proof(system, (&tree, &net), &all)));
        }
    }
    let all = set.spelled_out();
    let Some((places, _)) = all.get(one - 1).copied() else {
        let message = match all.len() {
            0 => format!("{term} has no such nodes as set {number} is about"),
            count => format!("{term} has {} of set {number}", plural(count, "set")),
        };
        let help = all.is_empty().then_some("--tree TERM draws it in another instance");
        return Ok(Err(refuse(console, message, help)));
    };
    if sets.len() > 1 || all.len() > 1 || set.elsewhere.is_some() {
        console.note(&format!(
            "note: set {number}.{one}; of {} this is set {number}, of which there {} {} in {term}",
            plural(sets.len(), "set"),
            if all.len() == 1 { "is" } else { "are" },
            all.len(),
        ));
    }
    Ok(Ok(picture::proof(system, (&tree, &net), &[DrawnSet { number, set, places }])))
}

/// Reports why there is no picture.
fn refuse(console: &mut Console, message: String, help: Option<&str>) -> Exit {
    let diagnostic = files::plain(&codes::UNDRAWABLE, message);
    console.diagnostic(&help.into_iter().fold(diagnostic, |known, help| known.help(help)), None);
    Exit::InputError
}

/// The instance in which the wanted set is spelled out.
struct Spelled {
    tree: RewritingTree,
    net: Net,
    term: String,
}

impl Spelled {
    /// That of the explanation, unless the set is only needed elsewhere; `None` where it has no net.
    fn of(system: &System, explained: &Explained, wanted: Option<WantedSet>) -> Option<Spelled> {
        let number = match wanted {
            Some(WantedSet::One(number, _)) => number,
            None => 1,
            Some(WantedSet::All) => 0,
        };
        let set = number.checked_sub(1).and_then(|at| explained.explanation.reason.sets.get(at));
        let Some(elsewhere) = set.and_then(|set| set.elsewhere.as_ref()) else {
            let Explained { tree, net, .. } = explained;
            let term = explained.explanation.instance.clone();
            return Some(Spelled { tree: tree.clone(), net: net.clone(), term });
        };
        let tree = parse_term(system, &elsewhere.instance).ok()?;
        let net = unfold_within(system, &tree, MAX_TRANSITIONS)?;
        Some(Spelled { tree, net, term: elsewhere.instance.clone() })
    }
}
