//! The answer of each engine, and the formulas that MONA decided.

use crate::report::{Answer, Automaton, Engine, Formula, build, names};
use paramcheck_invariants::firing::InteractionFiring;
use paramcheck_invariants::record::{Finding, QueryRecord};
use paramcheck_invariants::strategy::Subject;
use paramcheck_model::system::System;
use paramcheck_verdict::EngineRun;

/// The report of a run of one engine about the error called `error`.
pub(super) fn engine(system: &System, error: &str, run: &EngineRun) -> Engine {
    let (verdict, reason) = match &run.finding {
        paramcheck_verdict::Finding::Proved => (Answer::Proved, None),
        paramcheck_verdict::Finding::Violated => (Answer::Violated, None),
        paramcheck_verdict::Finding::Unknown(reason) => (Answer::Unknown, Some(build::reason(reason))),
    };
    Engine {
        engine: run.engine.to_string(),
        verdict,
        reason,
        time_ms: run.elapsed.as_secs_f64() * 1000.0,
        formulas: run.queries.iter().map(|query| formula(system, error, query)).collect(),
    }
}

fn formula(system: &System, error: &str, query: &QueryRecord) -> Formula {
    let automata = query.automata.iter().map(|automaton| Automaton {
        subformula: automaton.subformula.clone(),
        states: automaton.states,
        nodes: automaton.nodes,
        time_ms: automaton.time.as_secs_f64() * 1000.0,
    });
    Formula {
        asks: match &query.subject {
            Subject::Error => error.to_owned(),
            Subject::Enabled(firing) => enabled(system, firing),
        },
        invariants: build::kinds(&query.kinds),
        dropped_interactions: query.dropped,
        subformulas: query.subformulas,
        answer: match query.finding {
            Finding::Unsatisfiable => "unsatisfiable",
            Finding::Satisfiable => "satisfiable",
            Finding::Failed(_) => "gave-out",
        },
        time_ms: query.time.as_secs_f64() * 1000.0,
        automaton_count: query.automata.len(),
        automata: automata.collect(),
    }
}

/// `Ring.1: out(y2) in(y1) with Node busy -> idle, Node idle -> busy`
fn enabled(system: &System, firing: &InteractionFiring) -> String {
    let rule = &system.rules[firing.rule];
    let interaction = rule
        .interactions
        .get(firing.interaction)
        .map_or_else(String::new, |interaction| names::interaction(system, rule, interaction));
    let moves = firing.combination.iter().map(|&(component, transition)| {
        let component = &system.types[component];
        let transition = &component.transitions[transition];
        let [from, to] = [transition.from, transition.to].map(|state| &component.states[state].name);
        format!("{} {from} -> {to}", component.name)
    });
    format!("{}: {interaction} with {}", rule.label, itertools::join(moves, ", "))
}
