//! Where every value is: parameters, kinds, agents, variables, tuples, cells and their initial values.

use std::collections::BTreeMap;

use paramcheck_text::diagnostic::Diagnostic;
use paramcheck_text::diagnostic::codes::labs::meaning as codes;
use paramcheck_text::index::{Idx, IndexVec};
use paramcheck_text::source::Span;

use super::constant::constant;
use super::names::{duplicates, unknown};
use super::{MAX_AGENTS, MAX_CELLS, empty};
use crate::Parameters;
use crate::ast::{self, AgentSection, File, Section, StigmergySection, SystemSection};
use crate::model::{
    AgentId, DefinitionId, Expr, Initial, Kind, KindId, Name, NameId, Place, Stigmergy, StigmergyId, System,
    Tuple, TupleId, Variable,
};

/// The most elements of an array.
const MAX_ELEMENTS: i64 = 100_000;

/// The sections of a file by what they are.
struct Sections<'a> {
    system: &'a SystemSection,
    stigmergies: Vec<&'a StigmergySection>,
    /// In alphabetical order.
    agents: Vec<&'a AgentSection>,
}

/// A system that has all but its processes and formulas; `None` where nothing can be laid out.
pub(super) fn layout(
    file: &File,
    parameters: &Parameters,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<System> {
    let sections = sections(file, diagnostics)?;
    let mut system = empty();
    system.parameters = self::parameters(sections.system, parameters, diagnostics);
    if diagnostics.iter().any(Diagnostic::is_error) {
        return None;
    }
    let mut layout = Layout { system, diagnostics };
    layout.environment(sections.system);
    layout.stigmergies(&sections.stigmergies);
    layout.kinds(&sections)?;
    layout.initial(&sections)?;
    Some(layout.system)
}

fn sections<'a>(file: &'a File, diagnostics: &mut Vec<Diagnostic>) -> Option<Sections<'a>> {
    let mut system: Option<&SystemSection> = None;
    let (mut stigmergies, mut agents) = (Vec::new(), Vec::new());
    for section in &file.sections {
        match section {
            Section::System(section) => match system {
                None => system = Some(section),
                Some(first) => diagnostics.push(
                    Diagnostic::new(
                        &codes::DUPLICATE,
                        "there are two sections `system`",
                        head(section.span),
                        "again here",
                    )
                    .label(head(first.span), "first here"),
                ),
            },
            Section::Stigmergy(section) => stigmergies.push(section),
            Section::Agent(section) => agents.push(section),
            Section::Assume(_) | Section::Check(_) => {}
        }
    }
    duplicates("the stigmergy", stigmergies.iter().map(|one| &one.name), diagnostics);
    duplicates("the kind", agents.iter().map(|one| &one.name), diagnostics);
    agents.sort_by(|one, other| one.name.text.cmp(&other.name.text));
    let Some(system) = system else {
        let message = "there is no section `system`";
        diagnostics.push(
            Diagnostic::new(&codes::NO_AGENTS, message, Span::new(0, 0), "")
                .help("it says which agents there are: `system { spawn = Kind: 3 }`"),
        );
        return None;
    };
    Some(Sections { system, stigmergies, agents })
}

/// The first word of a section.
fn head(span: Span) -> Span {
    Span::new(span.start, span.start.saturating_add("system".len()).min(span.end))
}

/// The values of the parameters.
fn parameters(
    section: &SystemSection,
    given: &Parameters,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<(String, i64)> {
    duplicates("the parameter", &section.externs, diagnostics);
    let mut values: Vec<(String, i64)> = Vec::new();
    for name in &section.externs {
        let bare = name.text.strip_prefix('_').unwrap_or(&name.text);
        match given.get(bare) {
            Some(value) => values.push((bare.to_owned(), *value)),
            None => diagnostics.push(
                Diagnostic::new(
                    &codes::MISSING_PARAMETER,
                    format!("the parameter `{}` has no value", name.text),
                    name.span,
                    "",
                )
                .help(format!("give it one behind the file: `{bare}=3`")),
            ),
        }
    }
    let known = section.externs.iter().map(|one| one.text.strip_prefix('_').unwrap_or(&one.text));
    for name in given.keys().filter(|name| !known.clone().any(|known| known == name.as_str())) {
        let span = section.externs.first().map_or(head(section.span), |one| one.span);
        let ident = paramcheck_text::reading::Ident { text: name.clone(), span };
        diagnostics.push(unknown(&codes::UNKNOWN_PARAMETER, "parameter", &ident, known.clone()));
    }
    values
}

struct Layout<'d> {
    system: System,
    diagnostics: &'d mut Vec<Diagnostic>,
}

impl Layout<'_> {
    fn constant(&mut self, expr: &ast::Expr, id: Option<usize>) -> Option<i64> {
        constant(expr, &self.system.parameters, id)
            .map_err(|diagnostic| self.diagnostics.push(*diagnostic))
            .ok()
    }

    fn extents(&mut self, variable: &ast::Variable) -> Vec<usize> {
        let extents = variable.extents.iter().map(|expr| {
            let extent = self.constant(expr, None)?;
            if !(1..=MAX_ELEMENTS).contains(&extent) {
                let message = format!("an array of {extent} elements");
                self.diagnostics.push(
                    Diagnostic::new(&codes::BAD_EXTENT, message, expr.span, "")
                        .help(format!("arrays have 1 to {MAX_ELEMENTS} elements")),
                );
                return None;
            }
            usize::try_from(extent).ok()
        });
        // What is wrong is reported; the rest can be laid out all the same.
        extents.map(|extent| extent.unwrap_or(1)).collect()
    }

    fn environment(&mut self, section: &SystemSection) {
        duplicates(
            "the variable",
            section.environment.iter().map(|one| &one.variable.name),
            self.diagnostics,
        );
        let mut offset = 0;
        for declaration in &section.environment {
            let extents = self.extents(&declaration.variable);
            let variable = Variable { name: declaration.variable.name.text.clone(), offset, extents };
            offset += variable.size();
            self.system.environment.push(variable);
        }
    }

    fn stigmergies(&mut self, sections: &[&StigmergySection]) {
        let variables =
            |section: &StigmergySection| section.tuples.clone().into_iter().flat_map(|tuple| tuple.variables);
        let all: Vec<ast::Variable> = sections.iter().flat_map(|section| variables(section)).collect();
        duplicates("the variable", all.iter().map(|one| &one.name), self.diagnostics);
        for section in sections {
            let stigmergy = self
                .system
                .stigmergies
                .push(Stigmergy { name: section.name.text.clone(), link: Expr::Number(1) });
            for tuple in &section.tuples {
                if tuple.variables.len() != tuple.initials.len() {
                    let (variables, values) = (tuple.variables.len(), tuple.initials.len());
                    let message = format!("{variables} variables and {values} initial values");
                    let span = tuple.variables.first().map_or(section.span, |one| one.name.span);
                    let last = tuple.variables.last().map_or(span, |one| one.name.span);
                    self.diagnostics.push(
                        Diagnostic::new(&codes::WRONG_NUMBER, message, span.to(last), "")
                            .help("a tuple has one initial value for each variable: `a, b: 0, 0`"),
                    );
                }
                let variables = tuple.variables.iter().map(|one| self.name(&one.name.text)).collect();
                self.system.tuples.push(Tuple { stigmergy, variables });
            }
        }
    }

    /// The name, known or new.
    fn name(&mut self, text: &str) -> NameId {
        let known = self.system.names.enumerate().find(|(_, name)| name.text == text).map(|(id, _)| id);
        match known {
            Some(id) => id,
            None => self.system.names.push(Name { text: text.to_owned(), places: IndexVec::new() }),
        }
    }

    fn kinds(&mut self, sections: &Sections) -> Option<()> {
        let counts = self.counts(sections);
        let mut first = 0;
        for section in &sections.agents {
            let count = counts.get(section.name.text.as_str()).copied().unwrap_or(0);
            let stigmergies = self.listed(section, sections);
            let kind = Kind {
                name: section.name.text.clone(),
                agents: first..first + count,
                variables: Vec::new(),
                cells: 0,
                stigmergies,
                behavior: DefinitionId::new(0),
            };
            first += count;
            let kind = self.system.kinds.push(kind);
            self.variables(kind, section, sections);
        }
        let mut cell: usize = self.system.environment.iter().map(Variable::size).sum();
        let system = &mut self.system;
        for (id, kind) in system.kinds.enumerate() {
            for _ in kind.agents.clone() {
                system.agents.push(id);
                system.first_cells.push(cell);
                cell += kind.cells;
            }
        }
        let (agents, cells) = (self.system.agents.len(), cell);
        if agents == 0 && !self.diagnostics.iter().any(Diagnostic::is_error) {
            self.diagnostics.push(
                Diagnostic::new(&codes::NO_AGENTS, "there are no agents", head(sections.system.span), "")
                    .help("`spawn` says how many there are of each kind: `spawn = Kind: 3`"),
            );
        }
        if cells > MAX_CELLS {
            let message = format!("{agents} agents with {cells} values in all are too many");
            self.diagnostics.push(
                Diagnostic::new(&codes::TOO_LARGE, message, head(sections.system.span), "")
                    .help(format!("at most {MAX_CELLS} values can be laid out")),
            );
            return None;
        }
        Some(())
    }

    /// How many agents there are of each kind.
    fn counts<'a>(&mut self, sections: &Sections<'a>) -> BTreeMap<&'a str, usize> {
        duplicates(
            "the number of agents of",
            sections.system.spawn.iter().map(|one| &one.kind),
            self.diagnostics,
        );
        let mut counts = BTreeMap::new();
        let mut agents: usize = 0;
        for spawn in &sections.system.spawn {
            if !sections.agents.iter().any(|one| one.name.text == spawn.kind.text) {
                let known = sections.agents.iter().map(|one| one.name.text.as_str());
                self.diagnostics.push(unknown(&codes::UNKNOWN_KIND, "kind", &spawn.kind, known));
                continue;
            }
            let Some(count) = self.constant(&spawn.count, None) else { continue };
            let size = usize::try_from(count).ok().filter(|size| agents + size <= MAX_AGENTS);
            match size {
                Some(size) => {
                    agents += size;
                    counts.insert(spawn.kind.text.as_str(), size);
                }
                None => self.diagnostics.push(
                    Diagnostic::new(
                        &codes::TOO_LARGE,
                        format!("{count} agents of kind `{}`", spawn.kind.text),
                        spawn.count.span,
                        "",
                    )
                    .help(format!("a system has up to {MAX_AGENTS} agents, of each kind 0 or more")),
                ),
            }
        }
        counts
    }

    /// The stigmergies that a kind lists.
    fn listed(&mut self, section: &AgentSection, sections: &Sections) -> Vec<StigmergyId> {
        duplicates("the stigmergy", &section.stigmergies, self.diagnostics);
        let mut listed = Vec::new();
        for name in &section.stigmergies {
            match self.system.stigmergies.enumerate().find(|(_, one)| one.name == name.text) {
                Some((id, _)) => listed.push(id),
                None => {
                    let known = sections.stigmergies.iter().map(|one| one.name.text.as_str());
                    self.diagnostics.push(unknown(&codes::UNKNOWN_STIGMERGY, "stigmergy", name, known));
                }
            }
        }
        listed
    }

    /// Attributes and copies of stigmergic variables of a kind.
    fn variables(&mut self, kind: KindId, section: &AgentSection, sections: &Sections) {
        let mut all: Vec<(&ast::Variable, Option<TupleId>)> =
            section.interface.iter().map(|one| (&one.variable, None)).collect();
        let mut tuple = 0;
        for (id, stigmergy) in sections.stigmergies.iter().enumerate() {
            let is_listed = self.system.kinds[kind].stigmergies.contains(&StigmergyId::new(id));
            for one in &stigmergy.tuples {
                if is_listed {
                    all.extend(one.variables.iter().map(|variable| (variable, Some(TupleId::new(tuple)))));
                }
                tuple += 1;
            }
        }
        let environment = sections.system.environment.iter().map(|one| &one.variable.name);
        let own = all.iter().map(|(variable, _)| &variable.name);
        duplicates("the variable", environment.chain(own), self.diagnostics);
        let mut offset = 0;
        for (variable, tuple) in all {
            let extents = self.extents(variable);
            let place = Place { offset, extents: extents.clone(), tuple };
            let name = self.name(&variable.name.text);
            let places = &mut self.system.names[name].places;
            while places.len() <= kind.index() {
                places.push(None);
            }
            if places[kind].is_none() {
                places[kind] = Some(place.clone());
            }
            let laid_out = Variable { name: variable.name.text.clone(), offset, extents };
            offset += laid_out.size();
            self.system.kinds[kind].variables.push(laid_out);
        }
        self.system.kinds[kind].cells = offset;
    }

    /// The initial values of all cells, and a place for every name in every kind.
    fn initial(&mut self, sections: &Sections) -> Option<()> {
        let kinds = self.system.kinds.len();
        for name in self.system.names.iter_mut() {
            while name.places.len() < kinds {
                name.places.push(None);
            }
        }
        if self.diagnostics.iter().any(Diagnostic::is_error) {
            return None;
        }
        for declaration in &sections.system.environment {
            let size = self.size(&declaration.variable);
            self.add_initial(&declaration.initial, size, None);
        }
        let agents: Vec<AgentId> = self.system.agents.indices().collect();
        for agent in agents {
            let kind = self.system.agents[agent];
            let section = sections.agents.get(kind.index())?;
            for declaration in &section.interface {
                let size = self.size(&declaration.variable);
                self.add_initial(&declaration.initial, size, Some(agent.index()));
            }
            for (id, stigmergy) in sections.stigmergies.iter().enumerate() {
                if !self.system.kinds[kind].stigmergies.contains(&StigmergyId::new(id)) {
                    continue;
                }
                for tuple in &stigmergy.tuples {
                    for (variable, initial) in tuple.variables.iter().zip(&tuple.initials) {
                        let size = self.size(variable);
                        self.add_initial(initial, size, Some(agent.index()));
                    }
                }
            }
        }
        Some(())
    }

    fn size(&mut self, variable: &ast::Variable) -> usize {
        self.extents(variable).iter().product()
    }

    /// Adds the initial values of so many cells of one variable.
    fn add_initial(&mut self, initial: &ast::Initial, size: usize, id: Option<usize>) {
        let values = match initial {
            ast::Initial::Undefined(_) => Some(Initial::Undefined),
            ast::Initial::Value(expr) => self.constant(expr, id).map(|value| Initial::OneOf(vec![value])),
            ast::Initial::OneOf(exprs) => {
                let values: Option<Vec<i64>> = exprs.iter().map(|expr| self.constant(expr, id)).collect();
                values.map(|mut values| {
                    values.sort_unstable();
                    values.dedup();
                    Initial::OneOf(values)
                })
            }
            ast::Initial::Range(low, high) => {
                let span = low.span.to(high.span);
                let (low, high) = (self.constant(low, id), self.constant(high, id));
                low.zip(high).and_then(|(low, high)| {
                    if low < high {
                        return Some(Initial::Range(low, high));
                    }
                    let message =
                        format!("there is no number from {low} to {high}, the upper end not among them");
                    self.diagnostics.push(Diagnostic::new(&codes::NO_INITIAL_VALUE, message, span, ""));
                    None
                })
            }
        };
        let values = values.unwrap_or(Initial::Undefined);
        self.system.initial.extend(std::iter::repeat_n(values, size));
    }
}
