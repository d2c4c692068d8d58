//! The system: for CCS the term itself, for a choreography its peers in parallel, by natural projection.
//!
//! A peer's projection is the choreography with everything that the peer does not see replaced by `tau`,
//! and then simplified: `tau; P`, `P; tau` and `tau || P` are P, `tau + tau` and `*(tau)` are `tau`. (What is
//! invisible can't decide anything for the peer, nor keep it waiting.) So a projection is either `tau`
//! altogether, or has `tau` only beside something visible in a choice.

use super::Report;
use super::arena::Arena;
use super::reach::Reach;
use super::terms::Terms;
use crate::diagnostic::Diagnostic;
use crate::diagnostic::codes::process::meaning as codes;
use crate::process::Language;
use crate::process::model::{
    Constant, ConstantId, Label, Peer, PeerId, Synchronisation, System, Term, TermId, tau,
};
use crate::support::index::{Idx, IndexVec};

/// More peers are refused.
const MAX_PEERS: usize = 500;

/// The system without its checks; `None`, with an error, where there is none.
pub fn project(terms: Terms, reach: &Reach<'_>, language: Language, report: &mut Report) -> Option<System> {
    let Terms { mut arena, constants, root, .. } = terms;
    let mut peers = IndexVec::new();
    let mut system_root = root;
    if language == Language::Chor {
        if let Some(first) = reach.peers.get(MAX_PEERS) {
            let message = format!("more than {MAX_PEERS} peers");
            report.push(Diagnostic::new(&codes::TOO_MANY_PEERS, message, first.span, "one more"));
            return None;
        }
        if reach.peers.is_empty() {
            let message = "the choreography has no peers";
            report.push(
                Diagnostic::new(&codes::NO_PEER, message, reach.system, "nobody does anything here")
                    .help("somebody has to act: `a@x` is an action of peer x, `a@[x, y]` a communication"),
            );
            return None;
        }
        for (position, name) in reach.peers.iter().enumerate() {
            let peer = PeerId::new(position);
            let projection = projection(&mut arena, &constants, root, peer);
            peers.push(Peer { name: name.text.clone(), projection });
        }
        let rendezvous = arena.synchronisations.intern(Synchronisation::Rendezvous);
        let operands = peers.iter().map(|peer: &Peer| peer.projection).collect();
        system_root = arena.term(Term::Parallel(rendezvous, operands));
    }
    Some(System {
        language,
        labels: arena.labels.items,
        peers,
        terms: arena.terms.items,
        constants,
        synchronisations: arena.synchronisations.items,
        restrictions: arena.restrictions.items,
        relabellings: arena.relabellings.items,
        root: system_root,
        checks: Vec::new(),
    })
}

/// What `peer` sees of `root`, which is not nothing. Without recursion: the parts of a term are projected
/// before it, with a stack of its own.
fn projection(
    arena: &mut Arena,
    constants: &IndexVec<ConstantId, Constant>,
    root: TermId,
    peer: PeerId,
) -> TermId {
    // Of each term: nothing yet, or what is seen of it, which may be nothing.
    let mut seen: Vec<Option<Option<TermId>>> = vec![None; arena.terms.items.len()];
    let mut stack = vec![(root, false)];
    while let Some((id, are_parts_done)) = stack.pop() {
        if seen[id.index()].is_some() {
            continue;
        }
        let term = arena.terms.items[id].clone();
        if !are_parts_done {
            stack.push((id, true));
            match &term {
                Term::Constant(constant) => stack.push((constants[*constant].body, false)),
                Term::Prefix(..) => {}
                _ => stack.extend(term.parts().map(|part| (part, false))),
            }
            continue;
        }
        let of = |part: &TermId| seen[part.index()].flatten();
        let result = match &term {
            Term::Prefix(label, _) => is_seen(&arena.labels.items[*label], peer).then_some(id),
            Term::Constant(constant) => of(&constants[*constant].body),
            Term::Sequence(first, second) => match (of(first), of(second)) {
                (Some(first), Some(second)) => Some(arena.term(Term::Sequence(first, second))),
                (one, other) => one.or(other),
            },
            Term::InternalChoice(parts) => {
                let parts: Vec<Option<TermId>> = parts.iter().map(of).collect();
                choice(arena, &parts)
            }
            Term::Loop(part) => of(part).map(|part| arena.term(Term::Loop(part))),
            Term::Parallel(synchronisation, parts) => {
                let parts: Vec<TermId> = parts.iter().filter_map(of).collect();
                match parts.as_slice() {
                    [] => None,
                    [only] => Some(*only),
                    _ => Some(arena.term(Term::Parallel(*synchronisation, parts))),
                }
            }
            // No other term is made of a choreography.
            Term::Nil | Term::Choice(_) | Term::Restrict(..) | Term::Relabel(..) => None,
        };
        seen[id.index()] = Some(result);
    }
    seen[root.index()].flatten().unwrap_or_else(|| skip(arena))
}

/// `tau`
fn skip(arena: &mut Arena) -> TermId {
    let nil = arena.term(Term::Nil);
    arena.term(Term::Prefix(tau(), nil))
}

/// A choice of what is seen; several invisible parts are one.
fn choice(arena: &mut Arena, parts: &[Option<TermId>]) -> Option<TermId> {
    if parts.iter().all(Option::is_none) {
        return None;
    }
    let skip = skip(arena);
    let mut has_skip = false;
    let mut operands = Vec::with_capacity(parts.len());
    for part in parts {
        if part.is_none() && std::mem::replace(&mut has_skip, true) {
            continue;
        }
        operands.push(part.unwrap_or(skip));
    }
    Some(arena.term(Term::InternalChoice(operands)))
}

fn is_seen(label: &Label, peer: PeerId) -> bool {
    match label {
        Label::Local { peer: own, .. } => *own == peer,
        Label::Communication { peers, .. } => peers.contains(&peer),
        Label::Tau | Label::Action { .. } => false,
    }
}
