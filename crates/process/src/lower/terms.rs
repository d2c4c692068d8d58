//! Syntax tree to terms, with every reference to a constant and how it stands there.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::Report;
use super::arena::{Arena, Table};
use super::reach::Scope;
use crate::Language;
use crate::ast::{
    Action, ActionKind, ParallelOperator, Place, Postfix, PostfixKind, Process, ProcessKind, Renaming,
};
use crate::model::{
    Constant, ConstantId, Label, LabelId, PeerId, RelabellingId, Synchronisation, Term, TermId, tau,
};
use crate::vocabulary::is_foreign_end;
use paramcheck_text::diagnostic::Diagnostic;
use paramcheck_text::diagnostic::codes::process::meaning as codes;
use paramcheck_text::diagnostic::codes::process::syntax::BAD_COPIES;
use paramcheck_text::index::{Idx, IndexVec};
use paramcheck_text::nearest::nearest;
use paramcheck_text::reading::Ident;
use paramcheck_text::source::Span;

/// Terms of definitions and of the system.
pub(crate) struct Terms {
    pub(crate) arena: Arena,
    pub(crate) constants: IndexVec<ConstantId, Constant>,
    pub(crate) peers: Table<PeerId, String>,
    /// The system; [`Term::Nil`] if there is none.
    pub(crate) root: TermId,
    /// Every reference to a constant.
    pub(crate) references: Vec<Reference>,
    /// What must have terminated before a reference is reached; a guard's `before` has a smaller number.
    pub(crate) guards: Vec<Guard>,
}

/// A reference to a constant.
pub(crate) struct Reference {
    /// The constant in whose definition it stands; `None` for the system.
    pub(crate) from: Option<ConstantId>,
    /// The constant that it names.
    pub(crate) to: ConstantId,
    /// Its place.
    pub(crate) span: Span,
    /// How it stands there.
    pub(crate) context: Context,
}

/// How a part of a process stands in the whole.
#[derive(Clone, Copy, Default)]
pub(crate) struct Context {
    /// Whether there is an action before it.
    pub(crate) is_prefixed: bool,
    /// What stands before it at the left of `;`, if anything: a position in [`Terms::guards`].
    pub(crate) guard: Option<usize>,
    /// The innermost construct that makes it no tail, and its place.
    pub(crate) construct: Option<(Construct, Span)>,
}

/// Something at the left of a `;`.
pub(crate) struct Guard {
    /// The left side.
    pub(crate) left: TermId,
    /// What else must have terminated.
    pub(crate) before: Option<usize>,
}

/// Constructs that recursion must not go through.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Construct {
    Parallel,
    Copies,
    LeftOfSequence,
    Restriction,
    Relabelling,
}

/// The largest number of copies that all `^ n` of a file may make together.
const MAX_COPIES: usize = 1 << 20;

/// Among more names no near one is looked for.
const MAX_NAMES: usize = 10_000;

/// Lowers the definitions at `positions` (ascending) and the system; `peers` are numbered first. What is
/// wrong is reported and taken as [`Term::Nil`].
pub(crate) fn lower(
    scope: &Scope<'_>,
    positions: &[usize],
    peers: &[&Ident],
    language: Language,
    report: &mut Report,
) -> Terms {
    let ids: FxHashMap<&str, ConstantId> = positions
        .iter()
        .enumerate()
        .map(|(id, position)| (scope.definitions[*position].name.text.as_str(), ConstantId::new(id)))
        .collect();
    let mut lowering = Lowering {
        terms: Terms {
            arena: Arena::new(),
            constants: IndexVec::new(),
            peers: Table::default(),
            root: TermId::new(0),
            references: Vec::new(),
            guards: Vec::new(),
        },
        ids: &ids,
        from: None,
        copies: 0,
        is_chor: language == Language::Chor,
        report,
    };
    lowering.terms.arena.term(Term::Nil);
    for peer in peers {
        lowering.terms.peers.intern(peer.text.clone());
    }
    if let Some(system) = scope.system {
        lowering.terms.root = lowering.process(system, Context::default());
    }
    for (id, position) in positions.iter().enumerate() {
        let definition = scope.definitions[*position];
        lowering.from = Some(ConstantId::new(id));
        let body = lowering.process(&definition.body, Context::default());
        lowering.terms.constants.push(Constant { name: definition.name.text.clone(), body });
    }
    lowering.terms
}

struct Lowering<'a, 'r> {
    terms: Terms,
    ids: &'a FxHashMap<&'a str, ConstantId>,
    from: Option<ConstantId>,
    /// How many copies all `^ n` have made.
    copies: usize,
    is_chor: bool,
    report: &'r mut Report,
}

impl Lowering<'_, '_> {
    fn term(&mut self, term: Term) -> TermId {
        self.terms.arena.term(term)
    }

    /// Recursion is bounded by the parser's limit on nesting.
    fn process(&mut self, process: &Process, context: Context) -> TermId {
        match &process.kind {
            ProcessKind::Nil => self.term(Term::Nil),
            ProcessKind::Constant(name) => self.constant(name, process.span, context),
            ProcessKind::Prefix(actions, inside) => {
                let inside = self.process(inside, Context { is_prefixed: true, ..context });
                let labels: Vec<LabelId> = actions.iter().map(|action| self.label(action)).collect();
                labels.into_iter().rev().fold(inside, |rest, label| self.term(Term::Prefix(label, rest)))
            }
            ProcessKind::Action(action) => {
                let label = self.label(action);
                let nil = self.term(Term::Nil);
                self.term(Term::Prefix(label, nil))
            }
            ProcessKind::Loop(inside) => {
                // Like the left side of `;`: the loop goes on behind it. Choreographies have no recursion
                // at all, so nothing more is to be known.
                let inside = self.process(inside, context);
                self.term(Term::Loop(inside))
            }
            ProcessKind::Sequence(parts) => self.sequence(parts, process.span, context),
            ProcessKind::Choice(parts) => {
                let parts = parts.iter().map(|part| self.process(part, context)).collect();
                self.term(if self.is_chor { Term::InternalChoice(parts) } else { Term::Choice(parts) })
            }
            ProcessKind::Parallel(parts, operator) => {
                let inner = Context { construct: Some((Construct::Parallel, process.span)), ..context };
                let parts = parts.iter().map(|part| self.process(part, inner)).collect();
                let synchronisation = self.synchronisation(operator);
                self.term(Term::Parallel(synchronisation, parts))
            }
            ProcessKind::Postfix(inside, operators) => {
                let mut inner = context;
                for operator in operators {
                    inner.construct = Some((construct(operator), operator.span));
                }
                let inside = self.process(inside, inner);
                operators.iter().fold(inside, |inside, operator| self.postfix(inside, operator))
            }
        }
    }

    fn constant(&mut self, name: &str, span: Span, context: Context) -> TermId {
        let Some(&to) = self.ids.get(name) else {
            if self.report.is_full() {
                return self.term(Term::Nil);
            }
            // Of very many names none is looked for: that would take long, fifty times.
            let names = self.ids.keys().copied().filter(|_| self.ids.len() <= MAX_NAMES);
            let near = nearest(name, names);
            let diagnostic = Diagnostic::new(
                &codes::UNKNOWN_CONSTANT,
                format!("unknown process `{name}`"),
                span,
                "not defined in this file",
            );
            self.report.push(match near {
                _ if is_foreign_end(name)
                    && near.is_none_or(|near| near.to_lowercase() != name.to_lowercase()) =>
                {
                    diagnostic.help("the process that has ended is written `0`")
                }
                Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
                None => diagnostic.help(format!("define it: `{name} = …;`")),
            });
            return self.term(Term::Nil);
        };
        self.terms.references.push(Reference { from: self.from, to, span, context });
        self.term(Term::Constant(to))
    }

    fn sequence(&mut self, parts: &[Process], span: Span, context: Context) -> TermId {
        let mut operands = Vec::with_capacity(parts.len());
        let mut guard = context.guard;
        for (position, part) in parts.iter().enumerate() {
            let mut inner = Context { guard, ..context };
            if position + 1 < parts.len() {
                inner.construct = Some((Construct::LeftOfSequence, span));
            }
            let operand = self.process(part, inner);
            self.terms.guards.push(Guard { left: operand, before: guard });
            guard = Some(self.terms.guards.len() - 1);
            operands.push(operand);
        }
        self.terms.arena.sequence(operands)
    }

    fn synchronisation(&mut self, operator: &ParallelOperator) -> crate::model::SynchronisationId {
        let synchronisation = match operator {
            ParallelOperator::Synchronise => Synchronisation::Ccs,
            ParallelOperator::Interleave => Synchronisation::Hoare(Vec::new()),
            ParallelOperator::Hoare(set) => {
                let mut labels: Vec<LabelId> = set.iter().map(|action| self.label(action)).collect();
                labels.sort();
                labels.dedup();
                Synchronisation::Hoare(labels)
            }
        };
        self.terms.arena.synchronisations.intern(synchronisation)
    }

    fn postfix(&mut self, inside: TermId, operator: &Postfix) -> TermId {
        match &operator.kind {
            PostfixKind::Restrict(names) => {
                let mut labels: Vec<LabelId> = names
                    .iter()
                    .flat_map(|name| [self.action(name, false), self.action(name, true)])
                    .collect();
                labels.sort();
                labels.dedup();
                let restriction = self.terms.arena.restrictions.intern(labels);
                self.term(Term::Restrict(inside, restriction))
            }
            PostfixKind::Relabel(renamings) => {
                let relabelling = self.relabelling(renamings);
                self.term(Term::Relabel(inside, relabelling))
            }
            PostfixKind::Power(count) => {
                let synchronisation = self.terms.arena.synchronisations.intern(Synchronisation::Ccs);
                self.copies += *count as usize;
                if self.copies > MAX_COPIES {
                    self.report.push(Diagnostic::new(
                        &BAD_COPIES,
                        format!("more than {MAX_COPIES} copies in one file"),
                        operator.span,
                        "here it becomes too many",
                    ));
                    return inside;
                }
                self.term(Term::Parallel(synchronisation, vec![inside; *count as usize]))
            }
        }
    }

    fn relabelling(&mut self, renamings: &[Renaming]) -> RelabellingId {
        let mut map = BTreeMap::new();
        let mut known: FxHashMap<&str, Span> = FxHashMap::default();
        for Renaming { new, old } in renamings {
            if let Some(first) = known.insert(&old.text, old.span) {
                self.report.push(
                    Diagnostic::new(
                        &codes::RENAMED_TWICE,
                        format!("`{}` is relabelled twice", old.text),
                        old.span,
                        "the second time",
                    )
                    .label(first, "the first time")
                    .help(
                        "all pairs apply at once; one relabelling after the other is written `P[b/a][c/b]`",
                    ),
                );
            }
            for is_co in [false, true] {
                let (old, new) = (self.action(old, is_co), self.action(new, is_co));
                map.insert(old, new);
            }
        }
        self.terms.arena.relabellings.intern(map)
    }

    fn action(&mut self, name: &Ident, is_co: bool) -> LabelId {
        self.terms.arena.labels.intern(Label::Action { name: name.text.clone(), is_co })
    }

    fn label(&mut self, action: &Action) -> LabelId {
        let ActionKind::Visible { name, is_co, place } = &action.kind else { return tau() };
        let name = name.text.clone();
        let label = match place {
            Place::Anywhere => Label::Action { name, is_co: *is_co },
            Place::At(peer) => Label::Local { name, peer: self.terms.peers.intern(peer.text.clone()) },
            Place::Between(one, other) => {
                if one.text == other.text {
                    self.report.push(
                        Diagnostic::new(
                            &codes::SELF_COMMUNICATION,
                            format!("`{}` communicates with itself", one.text),
                            action.span,
                            "both peers are the same",
                        )
                        .help(format!("what one peer does alone is written `{name}@{}`", one.text)),
                    );
                }
                let [one, other] = [one, other].map(|peer| self.terms.peers.intern(peer.text.clone()));
                // `a@[x,y]` and `a@[y,x]` are one label, called as it is written first.
                let turned = Label::Communication { name: name.clone(), peers: [other, one] };
                if let Some(known) = self.terms.arena.labels.find(&turned) {
                    return known;
                }
                Label::Communication { name, peers: [one, other] }
            }
        };
        self.terms.arena.labels.intern(label)
    }
}

fn construct(operator: &Postfix) -> Construct {
    match operator.kind {
        PostfixKind::Restrict(_) => Construct::Restriction,
        PostfixKind::Relabel(_) => Construct::Relabelling,
        PostfixKind::Power(_) => Construct::Copies,
    }
}
