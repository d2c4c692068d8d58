//! From verdict to report: ids become names.

use crate::report::{
    Answer, Candidate, Explored, Participant, Place, ProofSize, Question, Reason, Remark, Step, engines,
    names,
};
use paramcheck_certificate::data::{Certificate, Proof};
use paramcheck_invariants::kind::InvariantKind;
use paramcheck_invariants::outcome::MonaFailure;
use paramcheck_model::error::print::print_formula;
use paramcheck_model::system::System;
use paramcheck_nets::instance::marking::Marking;
use paramcheck_nets::instance::net::{Net, NetTransition};
use paramcheck_nets::instance::unfold::unfold;
use paramcheck_text::limits::Stop;
use paramcheck_verdict::{Status, Verdict};

mod vacuous;

/// The report of `verdict`, an answer about `system`.
pub fn question(system: &System, verdict: &Verdict) -> Question {
    let smallest = &verdict.smallest;
    let mut question = Question {
        error: verdict.error.name.clone(),
        formula: print_formula(system, &verdict.error.formula),
        verdict: Answer::Unknown,
        invariants: Vec::new(),
        dropped_interactions: 0,
        exclusive_pairs: 0,
        smallest_instance: names::instance(system, smallest, &unfold(system, smallest)),
        instance: None,
        marking: None,
        candidates: Vec::new(),
        trace: None,
        remarks: Vec::new(),
        vacuous: None,
        time_ms: verdict.elapsed.as_secs_f64() * 1000.0,
        engines: verdict
            .engines
            .iter()
            .map(|run| engines::engine(system, &verdict.error.name, run))
            .collect(),
        is_shortest: true,
        reason: None,
        tried: Vec::new(),
        explored: None,
        nearest: None,
        advice: Vec::new(),
        proof: None,
        certificate: None,
        why: None,
    };
    match &verdict.status {
        Status::Proved(proved) => {
            question.verdict = Answer::Proved;
            question.invariants = kinds(&proved.invariants);
            question.dropped_interactions = proved.dropped;
            question.exclusive_pairs = proved.exclusive;
            question.proof = proved.certificate.as_ref().map(proof_size);
            if let Some(found) = &proved.vacuous {
                question.remarks = vacuous::remarks(system, found);
                question.vacuous = vacuous::report(system, found);
            }
        }
        Status::Violated(violated) => {
            let paramcheck_verdict::Violated { tree, net, trace, is_shortest, remarks } = violated;
            question.verdict = Answer::Violated;
            question.instance = Some(names::instance(system, tree, net));
            question.marking = trace.markings.last().map(|last| marking(system, net, last));
            let transitions = trace.steps.iter().filter_map(|&step| net.transitions().get(step));
            question.trace = Some(transitions.map(|transition| step(system, net, transition)).collect());
            question.is_shortest = *is_shortest;
            question.remarks = remarks.iter().map(|remark| remark_report(system, net, remark)).collect();
        }
        Status::Unknown(unknown) => {
            question.dropped_interactions = unknown.dropped.len();
            question.reason = Some(reason(&unknown.reason));
            question.tried = kinds(&unknown.tried);
            question.tried.extend(unknown.exclusive.then(|| "exclusive".to_owned()));
            question.candidates =
                unknown.candidate.iter().chain(&unknown.others).map(|one| candidate(system, one)).collect();
            if let Some(first) = question.candidates.first() {
                question.instance = Some(first.instance.clone());
                question.marking = Some(first.marking.clone());
            }
            let paramcheck_verdict::Explored { up_to_size, instances, states } = unknown.explored;
            question.explored = Some(Explored { up_to_size, instances, states });
        }
    }
    question
}

pub(super) fn kinds(kinds: &[InvariantKind]) -> Vec<String> {
    kinds.iter().map(InvariantKind::to_string).collect()
}

fn candidate(system: &System, candidate: &paramcheck_verdict::Candidate) -> Candidate {
    let paramcheck_verdict::Candidate { tree, net, marking: allowed, reach } = candidate;
    Candidate {
        instance: names::instance(system, tree, net),
        marking: marking(system, net, allowed),
        explored: match reach {
            paramcheck_verdict::Reach::Unreached => "not-reached",
            // That an error is reached is no candidate any more, but an answer.
            paramcheck_verdict::Reach::Reached | paramcheck_verdict::Reach::Undecided => "undecided",
        },
    }
}

fn proof_size(certificate: &Certificate) -> ProofSize {
    let mut size = ProofSize { configurations: 0, sets: 0, parts: 0 };
    let dropped = certificate.dropped.iter().map(|dropped| &dropped.proof);
    for Proof { parts, sets, configurations } in dropped.chain([&certificate.proof]) {
        size.configurations += configurations.len();
        size.sets += sets.len();
        size.parts += parts.len();
    }
    size
}

/// A marking of `net` with names.
pub fn marking(system: &System, net: &Net, marking: &Marking) -> Vec<Place> {
    let places = net.components().iter().zip(marking).map(|(component, &state)| Place {
        component: component.name.clone(),
        state: system.types[component.component_type].states[state].name.clone(),
    });
    places.collect()
}

/// A transition of `net`, an instance of `system`, everything by name.
pub fn step(system: &System, net: &Net, transition: &NetTransition) -> Step {
    let rule = &system.rules[transition.rule];
    let interaction = transition.interaction.and_then(|id| Some((id, rule.interactions.get(id)?)));
    let participants = transition.moves.iter().map(|one| {
        let component = &net.components()[one.component];
        let component_type = &system.types[component.component_type];
        Participant {
            component: component.name.clone(),
            port: component_type.transitions[one.transition].port.map(|port| system.ports[port].clone()),
            from: component_type.states[one.from].name.clone(),
            to: component_type.states[one.to].name.clone(),
        }
    });
    Step {
        rule: rule.label.clone(),
        node: transition.node,
        interaction: interaction.map(|(id, _)| paramcheck_text::index::Idx::index(id)),
        text: interaction.map_or_else(String::new, |(_, one)| names::interaction(system, rule, one)),
        participants: participants.collect(),
    }
}

fn remark_report(system: &System, net: &Net, remark: &paramcheck_verdict::Remark) -> Remark {
    match remark {
        paramcheck_verdict::Remark::NoTransition => Remark {
            code: "no-transition",
            text: "nothing can happen in this instance; usually the smallest instances were not meant".into(),
        },
        paramcheck_verdict::Remark::Idle(idle) => {
            let components = net.components().as_slice();
            let names = idle.iter().filter_map(|&position| Some(components.get(position)?.name.as_str()));
            let names = itertools::join(names, ", ");
            let verb = if idle.len() == 1 { "takes" } else { "take" };
            Remark {
                code: "idle-components",
                text: format!(
                    "{names} {verb} part in nothing; usually the smallest instances were not meant"
                ),
            }
        }
        paramcheck_verdict::Remark::NotFinal(states) => {
            let names = states.iter().map(|&(id, state)| format!("`{}`", system.state_name(id, state)));
            let (they, them) = if states.len() == 1 { ("it is", "it") } else { ("they are", "them") };
            Remark {
                code: "not-final",
                text: format!(
                    "no transition leaves {}, and {they} not `final`; if a component may end there, make {them} \
                     `final`: then this marking is termination, not deadlock",
                    itertools::join(names, ", "),
                ),
            }
        }
    }
}

pub(super) fn reason(reason: &paramcheck_verdict::Reason) -> Reason {
    let (code, text) = match reason {
        paramcheck_verdict::Reason::Spurious => (
            "spurious",
            "the invariants allow the candidate below, but its instance never reaches it".to_owned(),
        ),
        paramcheck_verdict::Reason::CandidateTooLarge => (
            "candidate-too-large",
            "the invariants allow the candidate below, and its instance has more states than may be visited"
                .to_owned(),
        ),
        paramcheck_verdict::Reason::Stopped(stop) => {
            let code = match stop {
                Stop::Time | Stop::Work => "time-limit",
                Stop::Memory => "memory-limit",
                Stop::Interrupted => "interrupted",
            };
            (code, stop.to_string())
        }
        paramcheck_verdict::Reason::MonaFailed { what, at } => {
            let code = match what {
                MonaFailure::Time => "time-limit",
                MonaFailure::Memory => "memory-limit",
                MonaFailure::Interrupted => "interrupted",
                MonaFailure::Nodes | MonaFailure::Tracks(_) | MonaFailure::Successors(_) => "mona-nodes",
                MonaFailure::NotBuilt
                | MonaFailure::Died(_)
                | MonaFailure::NoChild(_)
                | MonaFailure::Refused(_) => "mona-failed",
            };
            let place = at.as_ref().map_or_else(String::new, |at| format!(", at the subformula {at}"));
            let text = format!("MONA failed: {what}{place}");
            return Reason { code, text, at: at.clone() };
        }
        paramcheck_verdict::Reason::NoFormula(why) => {
            ("no-formula", format!("there is no formula for MONA: {why}"))
        }
        paramcheck_verdict::Reason::Unsupported(what) => {
            ("unsupported", format!("this error is not decided: {what}"))
        }
    };
    Reason { code, text, at: None }
}
