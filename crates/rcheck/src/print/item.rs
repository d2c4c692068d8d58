//! Parts of files and agents, in the order of the source.

use super::Printer;
use super::expression::Within;
use crate::ast::{Agent, Declaration, Expr, File, Guard, Instance, Item, ItemKind, Part, PartKind, TypeName};
use paramcheck_text::document::Doc;
use paramcheck_text::reading::Ident;
use paramcheck_text::source::Span;

/// Parts of a file of one group stand together.
fn group_of(item: &Item) -> usize {
    match item.kind {
        ItemKind::Channels(_) | ItemKind::Enum(..) => 0,
        ItemKind::Messages(_) | ItemKind::Properties(_) | ItemKind::Guard(_) => 1,
        ItemKind::Agent(_) => 2,
        ItemKind::System(_) => 3,
        ItemKind::Spec(_) => 4,
    }
}

impl Printer<'_> {
    pub(super) fn file(self, file: &File) -> Vec<Doc> {
        let mut parts = Vec::new();
        let mut last: Option<usize> = None;
        for item in &file.items {
            let group = group_of(item);
            match last {
                None => {}
                Some(last) if last == group && group != 2 => parts.push(Doc::Hard),
                Some(_) => parts.push(Doc::Apart),
            }
            parts.push(self.item(item));
            last = Some(group);
        }
        parts
    }

    fn item(self, item: &Item) -> Doc {
        let start = item.span.start;
        let parts = match &item.kind {
            ItemKind::Channels(names) => return self.headed("channels:", item.span, self.names(names)),
            ItemKind::Enum(name, cases) => vec![
                self.text("enum", start),
                Doc::Blank,
                self.name(name),
                Doc::Blank,
                self.behind("{", name.span.end),
                Doc::Indented(vec![self.names(cases)]),
                self.last("}", item.span),
            ],
            ItemKind::Messages(all) => {
                return self.headed("message-structure:", item.span, self.declarations(all));
            }
            ItemKind::Properties(all) => {
                let head = if self.is_article() { "communication-variables:" } else { "property-variables:" };
                return self.headed(head, item.span, self.declarations(all));
            }
            ItemKind::Guard(guard) => return self.abbreviation(item.span, guard),
            ItemKind::Agent(agent) => return self.agent(start, agent),
            ItemKind::System(instances) => return self.system(item.span, instances),
            ItemKind::Spec(formula) => vec![
                self.text("SPEC", start),
                Doc::Blank,
                Doc::Indented(vec![self.expr(formula, Within::alone())]),
                self.behind(";", formula.span.end),
            ],
        };
        self.group(parts, item.span, false)
    }

    /// A word with a colon, and what it is about.
    fn headed(self, head: &str, span: Span, inside: Doc) -> Doc {
        let parts = vec![self.text(head, span.start), Doc::Blank, Doc::Indented(vec![inside])];
        self.group(parts, span, false)
    }

    fn names(self, names: &[Ident]) -> Doc {
        self.list(names.iter().map(|name| (self.name(name), name.span)).collect())
    }

    fn declarations(self, all: &[Declaration]) -> Doc {
        let all = all.iter().map(|declaration| {
            let Declaration { name, span, ty } = declaration;
            let ty = match ty {
                TypeName::Bool => "bool".to_owned(),
                TypeName::Int => "int".to_owned(),
                TypeName::Range(low, high) => format!("{low}..{high}"),
                TypeName::Location => "location".to_owned(),
                TypeName::Named(name) => name.clone(),
            };
            let parts = vec![
                self.name(name),
                Doc::Blank,
                self.behind(":", name.span.end),
                Doc::Blank,
                self.text(ty, span.start),
            ];
            let whole = name.span.to(*span);
            (self.group(parts, whole, false), whole)
        });
        self.list(all.collect())
    }

    fn abbreviation(self, span: Span, guard: &Guard) -> Doc {
        let Guard { name, parameters, body } = guard;
        let end = parameters.last().map_or(name.span.end, |last| last.span.end);
        let parts = vec![
            self.text("guard", span.start),
            Doc::Blank,
            self.name(name),
            self.behind("(", name.span.end),
            Doc::Indented(vec![self.declarations(parameters)]),
            self.behind(")", end),
            Doc::Blank,
            self.behind(":=", end),
            Doc::Indented(vec![Doc::Line, self.expr(body, Within::alone())]),
            self.behind(";", body.span.end),
        ];
        self.group(parts, span, self.ends_line(end, body.span.start))
    }

    fn agent(self, start: usize, agent: &Agent) -> Doc {
        let mut inside = Vec::new();
        for part in &agent.parts {
            inside.push(Doc::Hard);
            inside.push(self.part(part));
        }
        let head = vec![self.text("agent", start), Doc::Blank, self.name(&agent.name), Doc::Indented(inside)];
        Doc::group(head, true)
    }

    fn part(self, part: &Part) -> Doc {
        let condition =
            |word: &str, expr: &Expr| self.headed(word, part.span, self.expr(expr, Within::alone()));
        match &part.kind {
            PartKind::Local(all) => self.headed("local:", part.span, self.declarations(all)),
            PartKind::Init(expr) => condition("init:", expr),
            PartKind::ReceiveGuard(expr) => condition("receive-guard:", expr),
            PartKind::Relabel(all) => {
                let mut inside = Vec::new();
                for (variable, value) in all {
                    inside.push(if all.len() == 1 { Doc::Line } else { Doc::Hard });
                    inside.push(self.name(variable));
                    inside.extend([Doc::Blank, self.behind("<-", variable.span.end), Doc::Blank]);
                    inside.push(self.expr(value, Within::alone()));
                }
                let first = all.first().map_or(part.span.start, |(variable, _)| variable.span.start);
                let is_broken = self.ends_line(part.span.start, first);
                let parts = vec![self.text("relabel:", part.span.start), Doc::Indented(inside)];
                self.group(parts, part.span, is_broken)
            }
            PartKind::Repeat(process) => {
                // A comment makes a line end here, if it stands alone.
                let is_broken = self.ends_line(part.span.start, process.span.start)
                    || self.source.has_comment(part.span.start, process.span.start);
                let inside = match is_broken {
                    true => Doc::Indented(vec![Doc::Line, self.process(process)]),
                    false => self.process(process),
                };
                let blank = if is_broken { vec![] } else { vec![Doc::Blank] };
                let mut parts = vec![self.text("repeat:", part.span.start)];
                parts.extend(blank);
                parts.push(inside);
                self.group(parts, part.span, is_broken)
            }
        }
    }

    fn system(self, span: Span, instances: &[Instance]) -> Doc {
        let sign = if self.is_article() { "|" } else { "||" };
        let mut inside = Vec::new();
        let mut is_broken = false;
        let mut last: Option<Span> = None;
        for instance in instances {
            if let Some(last) = last {
                is_broken |= self.ends_line(last.end, instance.span.start);
                inside.extend([Doc::Line, self.behind(sign, last.end), Doc::Blank]);
            }
            inside.push(self.instance(instance));
            last = Some(instance.span);
        }
        let parts = vec![
            self.text("system", span.start),
            Doc::Blank,
            self.behind("=", span.start.saturating_add("system".len())),
            Doc::Blank,
            Doc::Indented(inside),
        ];
        self.group(parts, span, is_broken)
    }

    fn instance(self, instance: &Instance) -> Doc {
        let Instance { span, agent, name, init } = instance;
        let parts = vec![
            self.name(agent),
            self.behind("(", agent.span.end),
            self.name(name),
            self.behind(",", name.span.end),
            Doc::Blank,
            self.expr(init, Within::alone()),
            self.last(")", *span),
        ];
        self.group(parts, *span, false)
    }
}
