//! Sections, in the order of the source; their parts too.

use super::Printer;
use crate::ast::{
    AgentSection, Assumption, Declaration, Definition, Expr, File, Initial, Modality, Property, Section,
    Spawn, StigmergySection, SystemSection, Tuple, Variable, Within,
};
use paramcheck_text::document::Doc;
use paramcheck_text::reading::Ident;
use paramcheck_text::source::Span;

/// A part of a section, and where it begins.
struct Part {
    doc: Doc,
    start: usize,
    is_definition: bool,
}

impl Printer<'_> {
    pub(super) fn file(self, file: &File) -> Vec<Doc> {
        let mut parts = Vec::new();
        for section in &file.sections {
            if !parts.is_empty() {
                parts.push(Doc::Apart);
            }
            parts.push(self.section(section));
        }
        parts
    }

    fn section(self, section: &Section) -> Doc {
        let span = section.span();
        let (head, end, parts) = match section {
            Section::System(system) => ("system".to_owned(), span.start + 6, self.system(system)),
            Section::Stigmergy(stigmergy) => {
                let name = &stigmergy.name;
                (format!("stigmergy {}", name.text), name.span.end, self.stigmergy(stigmergy))
            }
            Section::Agent(agent) => {
                (format!("agent {}", agent.name.text), agent.name.span.end, self.agent(agent))
            }
            Section::Assume(assume) => {
                let parts = assume.assumptions.iter().map(|one| self.assumption(one)).collect();
                ("assume".to_owned(), span.start + 6, parts)
            }
            Section::Check(check) => {
                let parts = check.properties.iter().map(|one| self.property(one)).collect();
                ("check".to_owned(), span.start + 5, parts)
            }
        };
        let mut inside = Vec::new();
        let mut was_definition = true;
        for part in parts {
            let is_apart = part.is_definition && !was_definition && !inside.is_empty();
            inside.push(if is_apart { Doc::Apart } else { Doc::Hard });
            inside.push(part.doc);
            was_definition = part.is_definition;
        }
        let (open, close) = (self.behind("{", end), self.text("}", span.end.saturating_sub(1)));
        let parts =
            vec![self.text(head, span.start), Doc::Blank, open, Doc::Indented(inside), Doc::Hard, close];
        Doc::group(parts, true)
    }

    fn system(self, system: &SystemSection) -> Vec<Part> {
        let SystemSection { externs, environment, spawn, definitions, .. } = system;
        let externs = externs.iter().map(|name| (self.name(name), name.span)).collect();
        let mut parts = vec![
            self.listed("extern", externs, ","),
            self.declarations("environment", environment),
            self.listed("spawn", spawn.iter().map(|spawn| self.spawn(spawn)).collect(), ","),
        ];
        self.definitions(&mut parts, definitions);
        sorted(parts)
    }

    fn agent(self, agent: &AgentSection) -> Vec<Part> {
        let AgentSection { interface, stigmergies, definitions, .. } = agent;
        let stigmergies = stigmergies.iter().map(|name| (self.name(name), name.span)).collect();
        let mut parts =
            vec![self.declarations("interface", interface), self.listed("stigmergies", stigmergies, ";")];
        self.definitions(&mut parts, definitions);
        sorted(parts)
    }

    fn definitions(self, parts: &mut Vec<Option<Part>>, definitions: &[Definition]) {
        parts.extend(definitions.iter().map(|definition| {
            let (doc, start) = (self.definition(definition), definition.name.span.start);
            Some(Part { doc, start, is_definition: true })
        }));
    }

    fn stigmergy(self, stigmergy: &StigmergySection) -> Vec<Part> {
        let link = stigmergy.link.as_ref().map(|link| {
            let (head, equal, start) = self.part_word("link", link.span.start);
            let doc = self.group(
                vec![head, Doc::Blank, equal, Doc::Indented(vec![Doc::Line, self.condition(link, false)])],
                Span::new(start, link.span.end),
                self.ends_line(start, link.span.start),
            );
            Part { doc, start, is_definition: false }
        });
        // Those before the link, if it is not the first, and those behind it.
        let at = link.as_ref().map_or(0, |link| link.start);
        let (before, behind): (Vec<&Tuple>, Vec<&Tuple>) = stigmergy
            .tuples
            .iter()
            .partition(|tuple| tuple.variables.first().is_some_and(|first| first.name.span.start < at));
        sorted(vec![self.tuples(&before), link, self.tuples(&behind)])
    }

    fn tuples(self, tuples: &[&Tuple]) -> Option<Part> {
        let start = tuples.first()?.variables.first()?.name.span.start;
        let parts = tuples.iter().map(|tuple| self.tuple(tuple)).collect();
        Some(Part { doc: self.separated(parts, ";"), start, is_definition: false })
    }

    fn tuple(self, tuple: &Tuple) -> (Doc, Span) {
        let variables: Vec<(Doc, Span)> = tuple.variables.iter().map(|one| self.variable(one)).collect();
        let initials: Vec<(Doc, Span)> = tuple.initials.iter().map(|one| self.initial(one)).collect();
        let span = |parts: &[(Doc, Span)]| match (parts.first(), parts.last()) {
            (Some((_, first)), Some((_, last))) => first.to(*last),
            _ => Span::default(),
        };
        let (left, right) = (span(&variables), span(&initials));
        let colon = self.behind(":", left.end);
        let parts = vec![self.separated(variables, ","), colon, Doc::Blank, self.separated(initials, ",")];
        (self.group(parts, left.to(right), false), left.to(right))
    }

    fn spawn(self, spawn: &Spawn) -> (Doc, Span) {
        let Spawn { kind, count } = spawn;
        let parts =
            vec![self.name(kind), self.behind(":", kind.span.end), Doc::Blank, self.number(count, false)];
        let span = kind.span.to(count.span);
        (self.group(parts, span, false), span)
    }

    /// `word = …`; nothing if there is nothing.
    fn listed(self, word: &str, parts: Vec<(Doc, Span)>, sign: &str) -> Option<Part> {
        let first = parts.first()?.1.start;
        let (head, equal, start) = self.part_word(word, first);
        let whole = Span::new(start, parts.last()?.1.end);
        let inside = self.separated(parts, sign);
        let doc = vec![head, Doc::Blank, equal, Doc::Indented(vec![Doc::Line, inside])];
        let doc = self.group(doc, whole, self.ends_line(start, first));
        Some(Part { doc, start, is_definition: false })
    }

    /// A word and its `=` before what begins at `first`, and where the word stands.
    fn part_word(self, word: &str, first: usize) -> (Doc, Doc, usize) {
        let start = self.source.word_before(word, first).unwrap_or(first);
        (self.text(word, start), self.behind("=", start + word.len()), start)
    }

    fn declarations(self, word: &str, declarations: &[Declaration]) -> Option<Part> {
        let parts = declarations.iter().map(|declaration| {
            let (variable, name) = self.variable(&declaration.variable);
            let (initial, value) = self.initial(&declaration.initial);
            let span = name.to(value);
            (self.group(vec![variable, self.behind(":", name.end), Doc::Blank, initial], span, false), span)
        });
        self.listed(word, parts.collect(), ";")
    }

    fn variable(self, variable: &Variable) -> (Doc, Span) {
        let mut parts = vec![self.name(&variable.name)];
        self.indices(&mut parts, &variable.extents, false);
        let mut span = variable.name.span;
        if let Some(last) = variable.extents.last() {
            // Up to the bracket.
            let end = self.source.next(last.span.end).map_or(last.span.end, |bracket| bracket + 1);
            span.end = end;
        }
        (Doc::group(parts, false), span)
    }

    fn initial(self, initial: &Initial) -> (Doc, Span) {
        match initial {
            Initial::Undefined(span) => (self.text("undef", span.start), *span),
            Initial::Value(value) => (self.number(value, false), value.span),
            Initial::Range(low, high) => {
                let parts =
                    vec![self.number(low, false), self.behind("..", low.span.end), self.number(high, false)];
                let span = low.span.to(high.span);
                (self.group(parts, span, false), span)
            }
            Initial::OneOf(values) => {
                let span = match (values.first(), values.last()) {
                    (Some(first), Some(last)) => first.span.to(last.span),
                    _ => Span::default(),
                };
                let values = values.iter().map(|value| (self.number(value, false), value.span)).collect();
                let signs = ["[", "{"].iter();
                let at = signs.filter_map(|sign| self.source.word_before(sign, span.start)).max();
                let (open, close) = (Doc::Text("[".to_owned(), at), Doc::Text("]".to_owned(), None));
                (self.group(vec![open, self.separated(values, ","), close], span, false), span)
            }
        }
    }

    /// `NAME =` and what stands behind it.
    fn named(self, name: &Ident, parts: Vec<Doc>, span: Span) -> Part {
        let ends_line = self.ends_line(name.span.end, span.start);
        let mut inside = vec![Doc::Line];
        inside.extend(parts);
        let head = vec![self.name(name), Doc::Blank, self.behind("=", name.span.end), Doc::Indented(inside)];
        let doc = self.group(head, name.span.to(span), ends_line);
        Part { doc, start: name.span.start, is_definition: false }
    }

    fn assumption(self, assumption: &Assumption) -> Part {
        let Assumption { name, formula } = assumption;
        self.named(name, vec![self.condition(formula, false)], formula.span)
    }

    fn property(self, property: &Property) -> Part {
        let Property { name, modality, formula } = property;
        let word =
            |word: &str| self.behind(word, self.source.next(name.span.end).map_or(0, |equal| equal + 1));
        let condition = |expr: &Expr| self.condition(expr, false);
        let mut parts = match modality {
            Modality::Always => vec![word("always"), Doc::Blank],
            Modality::Eventually { is_finally: false } => vec![word("eventually"), Doc::Blank],
            Modality::Eventually { is_finally: true } => vec![word("finally"), Doc::Blank],
            Modality::Fairly => vec![word("fairly"), Doc::Blank],
            Modality::FairlyInfinite => vec![word("fairly_inf"), Doc::Blank],
            Modality::Scope { is_open, opens, closes, within } => {
                let [first, second] = if *is_open { ["from", "until"] } else { ["between", "and"] };
                let enclosed = |expr: &Expr| {
                    let Span { start, end } = expr.span;
                    [self.before("(", start), condition(expr), self.behind(")", end)]
                };
                let mut parts = vec![word(first), Doc::Blank];
                parts.extend(enclosed(opens));
                parts.extend([Doc::Blank, self.behind(second, opens.span.end), Doc::Blank]);
                parts.extend(enclosed(closes));
                parts.extend([self.behind(",", closes.span.end), Doc::Line]);
                match within {
                    Within::ThereIs => {
                        parts.extend([self.before("thereIs", formula.span.start), Doc::Blank]);
                    }
                    Within::Always => parts.extend([self.before("always", formula.span.start), Doc::Blank]),
                    Within::Precedes(first) => {
                        let precedes = self.behind("precedes", first.span.end);
                        parts.extend([condition(first), Doc::Blank, precedes, Doc::Blank]);
                    }
                }
                parts
            }
        };
        parts.push(condition(formula));
        let start = self.source.next(name.span.end).and_then(|equal| self.source.next(equal + 1));
        let span = Span::new(start.unwrap_or(formula.span.start), formula.span.end);
        self.named(name, parts, span)
    }
}

/// Those that are there, in the order of the source; without one, as they are.
fn sorted(parts: Vec<Option<Part>>) -> Vec<Part> {
    let mut parts: Vec<Part> = parts.into_iter().flatten().collect();
    parts.sort_by_key(|part| part.start);
    parts
}
