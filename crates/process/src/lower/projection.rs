//! The system: for CCS the term itself, for a choreography its peers in parallel, by natural projection.
//!
//! A peer's projection is the choreography with everything that the peer does not see replaced by `tau`,
//! and then simplified: `tau; P`, `P; tau` and `tau || P` are P, `tau + tau` and `*(tau)` are `tau`. (What is
//! invisible can't decide anything for the peer, nor keep it waiting.) So a projection is either `tau`
//! altogether, or has `tau` only beside something visible in a choice.

use std::collections::BTreeMap;

use super::Report;
use super::arena::Arena;
use super::reach::Reach;
use super::terms::Terms;
use crate::Language;
use crate::model::{Constant, ConstantId, Label, Peer, PeerId, Synchronisation, System, Term, TermId, tau};
use paramcheck_text::diagnostic::Diagnostic;
use paramcheck_text::diagnostic::codes::process::meaning as codes;
use paramcheck_text::index::{Idx, IndexVec};

/// More peers are refused.
const MAX_PEERS: usize = 500;

/// The system without its checks; `None`, with an error, where there is none.
pub(crate) fn project(
    terms: Terms,
    reach: &Reach<'_>,
    language: Language,
    report: &mut Report,
) -> Option<System> {
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
                Diagnostic::new(&codes::NO_PEER, message, reach.system, "it has no action")
                    .help("somebody has to act: `a@x` is an action of peer x, `a@[x, y]` a communication"),
            );
            return None;
        }
        let seen = projections(&mut arena, &constants, root);
        for (position, name) in reach.peers.iter().enumerate() {
            let projection = seen.get(&PeerId::new(position)).copied();
            let projection = projection.unwrap_or_else(|| skip(&mut arena));
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

/// What a peer sees of a term, for each peer that sees anything.
type Seen = BTreeMap<PeerId, TermId>;

/// What each peer sees of `root`: all in one pass, in which a term is looked at by those only that see
/// something of it. (Once per peer would take the length of the text times the number of peers.) Without
/// recursion: the parts of a term are projected before it, with a stack of its own.
fn projections(arena: &mut Arena, constants: &IndexVec<ConstantId, Constant>, root: TermId) -> Seen {
    let mut uses = uses(arena, constants, root);
    // Of each term: nothing yet, or what is seen of it, which may be nothing.
    let mut seen: Vec<Option<Seen>> = vec![None; uses.len()];
    let mut stack = vec![(root, false)];
    while let Some((id, are_parts_done)) = stack.pop() {
        if seen[id.index()].is_some() {
            continue;
        }
        if !are_parts_done {
            stack.push((id, true));
            stack.extend(parts(arena, constants, id).into_iter().map(|part| (part, false)));
            continue;
        }
        // Whoever uses a part last takes it, so that long sequences pass on what they are given.
        let mut take = |part: TermId| {
            let left = &mut uses[part.index()];
            *left = left.saturating_sub(1);
            if *left == 0 { seen[part.index()].take() } else { seen[part.index()].clone() }
                .unwrap_or_default()
        };
        let term = arena.terms.items[id].clone();
        let result = match &term {
            Term::Prefix(label, _) => sees(&arena.labels.items[*label]).map(|peer| (peer, id)).collect(),
            Term::Constant(constant) => take(constants[*constant].body),
            Term::Sequence(first, second) => {
                let (first, second) = (take(*first), take(*second));
                sequence(arena, first, second)
            }
            Term::InternalChoice(parts) => {
                let number = parts.len();
                let parts = by_peer(parts.iter().copied().map(take)).into_iter();
                parts.map(|(peer, seen)| (peer, choice(arena, &seen, number))).collect()
            }
            Term::Loop(part) => {
                let part = take(*part).into_iter();
                part.map(|(peer, part)| (peer, arena.term(Term::Loop(part)))).collect()
            }
            Term::Parallel(synchronisation, parts) => {
                let parts = by_peer(parts.iter().copied().map(take)).into_iter();
                let together = parts.map(|(peer, seen)| match seen.as_slice() {
                    [(_, only)] => (peer, *only),
                    several => {
                        let several = several.iter().map(|(_, part)| *part).collect();
                        (peer, arena.term(Term::Parallel(*synchronisation, several)))
                    }
                });
                together.collect()
            }
            // No other term is made of a choreography.
            Term::Nil | Term::Choice(_) | Term::Restrict(..) | Term::Relabel(..) => Seen::new(),
        };
        seen[id.index()] = Some(result);
    }
    seen[root.index()].take().unwrap_or_default()
}

/// The terms whose projections make up that of a term.
fn parts(arena: &Arena, constants: &IndexVec<ConstantId, Constant>, id: TermId) -> Vec<TermId> {
    match &arena.terms.items[id] {
        Term::Constant(constant) => vec![constants[*constant].body],
        Term::Prefix(..) => Vec::new(),
        term => term.parts().collect(),
    }
}

/// How often each term is a part of one that `root` is made of.
fn uses(arena: &Arena, constants: &IndexVec<ConstantId, Constant>, root: TermId) -> Vec<usize> {
    let mut uses = vec![0; arena.terms.items.len()];
    let mut stack = vec![root];
    while let Some(id) = stack.pop() {
        for part in parts(arena, constants, id) {
            uses[part.index()] += 1;
            if uses[part.index()] == 1 {
                stack.push(part);
            }
        }
    }
    uses
}

/// One after the other. What fewer peers see is added to the rest.
fn sequence(arena: &mut Arena, mut first: Seen, mut second: Seen) -> Seen {
    let mut both = |first, second| arena.term(Term::Sequence(first, second));
    if first.len() < second.len() {
        for (peer, first) in first {
            second.entry(peer).and_modify(|second| *second = both(first, *second)).or_insert(first);
        }
        return second;
    }
    for (peer, second) in second {
        first.entry(peer).and_modify(|first| *first = both(*first, second)).or_insert(second);
    }
    first
}

/// What each peer sees of which parts, by their positions.
fn by_peer(parts: impl Iterator<Item = Seen>) -> BTreeMap<PeerId, Vec<(usize, TermId)>> {
    let mut by_peer: BTreeMap<PeerId, Vec<(usize, TermId)>> = BTreeMap::new();
    for (position, part) in parts.enumerate() {
        for (peer, seen) in part {
            by_peer.entry(peer).or_default().push((position, seen));
        }
    }
    by_peer
}

/// `tau`
fn skip(arena: &mut Arena) -> TermId {
    let nil = arena.term(Term::Nil);
    arena.term(Term::Prefix(tau(), nil))
}

/// A choice between `number` parts of what is seen of some; all invisible parts are one, where the first of
/// them is.
fn choice(arena: &mut Arena, seen: &[(usize, TermId)], number: usize) -> TermId {
    let mut operands: Vec<TermId> = seen.iter().map(|(_, part)| *part).collect();
    if seen.len() < number {
        let gap = seen.iter().enumerate().find(|(expected, (position, _))| expected != position);
        operands.insert(gap.map_or(seen.len(), |(expected, _)| expected), skip(arena));
    }
    arena.term(Term::InternalChoice(operands))
}

/// Who sees it.
fn sees(label: &Label) -> impl Iterator<Item = PeerId> + '_ {
    let (one, several) = match label {
        Label::Local { peer, .. } => (Some(*peer), &[][..]),
        Label::Communication { peers, .. } => (None, peers.as_slice()),
        Label::Tau | Label::Action { .. } => (None, &[][..]),
    };
    one.into_iter().chain(several.iter().copied())
}
