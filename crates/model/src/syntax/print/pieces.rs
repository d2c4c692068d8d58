//! Cuts statements and items into pieces of text that stay on one line.
//!
//! Only the spelling is decided here, not where lines end.

use itertools::Itertools;

use crate::syntax::ast::{
    Atom, Body, ComponentItem, Count, CountTerm, Critical, ErrorDefinition, ErrorExpression, Forbid,
    Interaction, Link, PortAtom, Rule, StateSet, SystemDeclaration, Transition, Wsks,
};
use paramcheck_text::reading::Ident;

mod wsks;

/// Text that stays on one line, and the place in the source before which comments may stand.
pub(crate) struct Piece {
    /// Comments that begin before this place in the source are written before the piece.
    pub(crate) at: usize,
    /// The text.
    pub(crate) text: String,
}

impl Piece {
    fn new(at: usize, text: impl Into<String>) -> Self {
        Piece { at, text: text.into() }
    }
}

/// Pieces that are filled into lines together.
pub(crate) type Segment = Vec<Piece>;

/// How a construct that does not fit in one line is broken.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    /// The pieces follow the head, as many to a line as fit.
    Filled,
    /// The head stands alone, every segment begins a line.
    Block,
}

/// A statement or item, without its `;`.
pub(crate) struct Construct {
    /// What comes first.
    pub(crate) head: String,
    /// How it is broken.
    pub(crate) style: Style,
    /// What follows the head: alternatives (joined by `|`) of segments. Never empty segments.
    pub(crate) bodies: Vec<Vec<Segment>>,
}

impl Construct {
    fn filled(head: impl Into<String>, pieces: Segment) -> Self {
        let bodies = if pieces.is_empty() { Vec::new() } else { vec![vec![pieces]] };
        Construct { head: head.into(), style: Style::Filled, bodies }
    }

    /// All pieces in order.
    pub(crate) fn pieces(&self) -> impl DoubleEndedIterator<Item = &Piece> {
        self.bodies.iter().flatten().flatten()
    }
}

/// A statement of a component.
pub(crate) fn statement(item: &ComponentItem) -> Construct {
    match item {
        ComponentItem::States(names) => Construct::filled("states", name_pieces(names)),
        ComponentItem::Init(set) => Construct::filled("init", set_pieces(set)),
        ComponentItem::Final(set) => Construct::filled("final", set_pieces(set)),
        ComponentItem::Transition(transition) => Construct::filled(transition_text(transition), Vec::new()),
    }
}

/// A rule.
pub(crate) fn rule(rule: &Rule) -> Construct {
    let mut head = format!("{}({}) <-", rule.head.text, names(&rule.parameters));
    let mut bodies: Vec<Vec<Segment>> = rule.bodies.iter().map(body).collect();
    if let [body] = bodies.as_mut_slice()
        && rule.bodies.iter().all(|body| !body.fresh.is_empty())
    {
        for binder in body.remove(0) {
            head.push(' ');
            head.push_str(&binder.text);
        }
    }
    Construct { head, style: Style::Block, bodies }
}

/// A link.
pub(crate) fn link(link: &Link) -> Construct {
    let head = format!("link {}({}) =", link.name.text, names(&link.parameters));
    let mut segments = Vec::new();
    if !link.interactions.is_empty() || link.forbids.is_empty() {
        segments.push(group("", link.span.end, &link.interactions));
    }
    segments.extend(link.forbids.iter().map(forbid));
    Construct { head, style: Style::Block, bodies: vec![segments] }
}

/// An error definition.
pub(crate) fn error(definition: &ErrorDefinition) -> Construct {
    let mut pieces = Vec::new();
    Formula { pieces: &mut pieces, prefix: String::new() }.add(&definition.body);
    Construct::filled(format!("error {} =", definition.name.text), pieces)
}

/// A formula over components in one line.
pub(crate) fn wsks_text(wsks: &Wsks) -> String {
    let mut pieces = Vec::new();
    Formula { pieces: &mut pieces, prefix: String::new() }.wsks(wsks);
    pieces.iter().map(|piece| &piece.text).join(" ")
}

/// A `critical` item.
pub(crate) fn critical(item: &Critical) -> Construct {
    let pieces = item.states.iter().map(|term| Piece::new(term.span.start, counted(term))).collect();
    Construct::filled("critical", with_commas(pieces))
}

/// A `system` item.
pub(crate) fn system(item: &SystemDeclaration) -> Construct {
    Construct::filled(format!("system {}", item.predicate.text), Vec::new())
}

fn names(names: &[Ident]) -> String {
    names.iter().map(|name| name.text.as_str()).join(", ")
}

fn name_pieces(names: &[Ident]) -> Segment {
    with_commas(names.iter().map(|name| Piece::new(name.span.start, name.text.as_str())).collect())
}

fn set_pieces(set: &StateSet) -> Segment {
    match set {
        StateSet::All(span) => vec![Piece::new(span.start, "*")],
        StateSet::Names(names) => name_pieces(names),
    }
}

fn with_commas(mut pieces: Segment) -> Segment {
    if let Some((_, others)) = pieces.split_last_mut() {
        others.iter_mut().for_each(|piece| piece.text.push(','));
    }
    pieces
}

fn transition_text(transition: &Transition) -> String {
    let (from, to) = (&transition.from.text, &transition.to.text);
    match &transition.port {
        Some(port) => format!("{from} -{}-> {to}", port.text),
        None => format!("{from} -> {to}"),
    }
}

fn body(body: &Body) -> Vec<Segment> {
    let mut segments = Vec::new();
    if let Some(first) = body.fresh.first() {
        segments.push(vec![Piece::new(first.span.start, format!("new {} .", names(&body.fresh)))]);
    }
    if !body.interactions.is_empty() {
        segments.push(group("", body.span.start, &body.interactions));
    }
    segments.extend(body.forbids.iter().map(forbid));
    let mut atoms = with_commas(body.atoms.iter().map(|a| Piece::new(a.span.start, atom(a))).collect());
    if let Some(first) = atoms.first_mut() {
        first.text.insert(0, '(');
    }
    if let Some(last) = atoms.last_mut() {
        last.text.push(')');
        segments.push(atoms);
    }
    segments
}

fn forbid(forbid: &Forbid) -> Segment {
    let prefix = match &forbid.name {
        Some(name) => format!("forbid {} ", name.text),
        None => "forbid ".to_owned(),
    };
    let mut segment = group(&prefix, forbid.span.start, &forbid.patterns);
    if let Some(first) = segment.first_mut() {
        first.at = forbid.span.start;
    }
    segment
}

/// `prefix<a + b>`; `at` is its place if there is nothing between the angles.
fn group(prefix: &str, at: usize, interactions: &[Interaction]) -> Segment {
    let mut pieces: Segment = interactions
        .iter()
        .enumerate()
        .map(|(position, interaction)| {
            let before = if position == 0 { format!("{prefix}<") } else { "+ ".to_owned() };
            Piece::new(interaction.span.start, before + &interaction.atoms.iter().map(port_atom).join(" "))
        })
        .collect();
    if pieces.is_empty() {
        pieces.push(Piece::new(at, format!("{prefix}<")));
    }
    if let Some(last) = pieces.last_mut() {
        last.text.push('>');
    }
    pieces
}

fn port_atom(atom: &PortAtom) -> String {
    let arguments = names(&atom.arguments);
    match &atom.qualifier {
        Some(qualifier) => format!("{}.{}({arguments})", qualifier.text, atom.name.text),
        None => format!("{}({arguments})", atom.name.text),
    }
}

fn atom(atom: &Atom) -> String {
    let initial = match &atom.initial {
        None => String::new(),
        Some(StateSet::All(_)) => "[*]".to_owned(),
        Some(StateSet::Names(states)) => format!("[{}]", names(states)),
    };
    format!("{}{initial}({})", atom.name.text, names(&atom.arguments))
}

fn counted(term: &CountTerm) -> String {
    match &term.component {
        Some(component) => format!("{}.{}", component.text, term.state.text),
        None => term.state.text.clone(),
    }
}

/// Cuts a formula into operands; what stands before an operand waits in `prefix`.
struct Formula<'a> {
    pieces: &'a mut Segment,
    prefix: String,
}

impl Formula<'_> {
    /// Recursion is bounded by the parser's limit on nesting.
    fn add(&mut self, formula: &ErrorExpression) {
        match formula {
            ErrorExpression::Deadlock(span) => self.operand(span.start, "deadlock"),
            ErrorExpression::Name(name) => self.operand(name.span.start, &name.text),
            ErrorExpression::Count(count) => self.count(count),
            ErrorExpression::Wsks(wsks) => self.wsks(wsks),
            ErrorExpression::Not(inner, _) => {
                self.prefix.push('!');
                let is_joined = matches!(**inner, ErrorExpression::And(_) | ErrorExpression::Or(_));
                self.enclosed(inner, is_joined);
            }
            ErrorExpression::And(parts) => {
                for (position, part) in parts.iter().enumerate() {
                    self.prefix.push_str(if position == 0 { "" } else { "& " });
                    self.enclosed(part, matches!(part, ErrorExpression::And(_) | ErrorExpression::Or(_)));
                }
            }
            ErrorExpression::Or(parts) => {
                for (position, part) in parts.iter().enumerate() {
                    self.prefix.push_str(if position == 0 { "" } else { "| " });
                    self.enclosed(part, matches!(part, ErrorExpression::Or(_)));
                }
            }
        }
    }

    fn enclosed(&mut self, formula: &ErrorExpression, in_parentheses: bool) {
        if in_parentheses {
            self.prefix.push('(');
        }
        self.add(formula);
        if in_parentheses {
            self.append(")");
        }
    }

    /// Puts a closing sign behind the last piece.
    fn append(&mut self, text: &str) {
        if let Some(last) = self.pieces.last_mut() {
            last.text.push_str(text);
        }
    }

    fn operand(&mut self, at: usize, text: &str) {
        let text = std::mem::take(&mut self.prefix) + text;
        self.pieces.push(Piece { at, text });
    }

    fn count(&mut self, count: &Count) {
        for (position, term) in count.terms.iter().enumerate() {
            self.prefix.push_str(if position == 0 { "#" } else { "+ #" });
            self.operand(term.span.start, &counted(term));
        }
        if let Some(last) = self.pieces.last_mut() {
            last.text.push_str(&format!(" {} {}", count.comparison.symbol(), count.bound));
        }
    }
}
