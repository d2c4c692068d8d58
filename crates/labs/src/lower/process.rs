//! Processes: definitions kind by kind, guards, actions.

use std::collections::{BTreeMap, BTreeSet};

use paramcheck_text::diagnostic::Diagnostic;
use paramcheck_text::diagnostic::codes::labs::meaning as codes;
use paramcheck_text::index::{Idx, IndexVec};
use paramcheck_text::reading::Ident;
use paramcheck_text::source::Span;

use super::constant::constant;
use super::expression::{Local, Resolver, Setting};
use super::names::{duplicates, unknown};
use crate::ast::{self, Arrow, Assignment, File, Pick, ProcessKind, Section};
use crate::model::{
    Action, ActionId, Definition, DefinitionId, Expr, Guard, GuardId, KindId, NameId, Process, ProcessId,
    Statement, System, Target,
};

/// The process that runs.
pub(super) const BEHAVIOR: &str = "Behavior";

/// The most nodes of all processes: a definition of the system is there once per kind that calls it.
const MAX_NODES: usize = 1_000_000;

/// All processes of a system.
pub(super) struct Behaviors {
    processes: IndexVec<ProcessId, Process>,
    definitions: IndexVec<DefinitionId, Definition>,
    guards: IndexVec<GuardId, Guard>,
    actions: IndexVec<ActionId, Action>,
    /// Per kind what its agents do.
    behavior: Vec<DefinitionId>,
}

impl Behaviors {
    pub(super) fn move_into(self, system: &mut System) {
        system.processes = self.processes;
        system.definitions = self.definitions;
        system.guards = self.guards;
        system.actions = self.actions;
        for (kind, behavior) in system.kinds.iter_mut().zip(self.behavior) {
            kind.behavior = behavior;
        }
    }
}

/// The definitions of a file, and whether one was called.
struct Definitions<'a> {
    common: Vec<&'a ast::Definition>,
    own: BTreeMap<&'a str, Vec<&'a ast::Definition>>,
}

/// The processes of all kinds.
pub(super) fn behaviors(file: &File, system: &System, diagnostics: &mut Vec<Diagnostic>) -> Behaviors {
    let mut all = Definitions { common: Vec::new(), own: BTreeMap::new() };
    for section in &file.sections {
        match section {
            Section::System(section) => {
                duplicates("the process", section.definitions.iter().map(|one| &one.name), diagnostics);
                all.common = section.definitions.iter().collect();
            }
            Section::Agent(section) => {
                duplicates("the process", section.definitions.iter().map(|one| &one.name), diagnostics);
                all.own.insert(&section.name.text, section.definitions.iter().collect());
            }
            Section::Stigmergy(_) | Section::Assume(_) | Section::Check(_) => {}
        }
    }
    let mut made = Behaviors {
        processes: IndexVec::new(),
        definitions: IndexVec::new(),
        guards: IndexVec::new(),
        actions: IndexVec::new(),
        behavior: Vec::new(),
    };
    for section in &file.sections {
        if let Section::Agent(section) = section
            && let Some((kind, _)) = system.kinds.enumerate().find(|(_, kind)| kind.name == section.name.text)
        {
            let own = all.own.get(section.name.text.as_str()).map_or(&[][..], Vec::as_slice);
            let mut maker = Maker {
                system,
                kind,
                own,
                common: &all.common,
                known: Vec::new(),
                made: &mut made,
                diagnostics,
            };
            maker.kind(&section.name);
        }
    }
    // Kinds are in alphabetical order, sections in that of the file.
    let of_kind = |kind: KindId| {
        let is_behavior = |one: &Definition| one.kind == kind && one.name == BEHAVIOR;
        made.definitions.enumerate().find(|(_, one)| is_behavior(one)).map(|(id, _)| id)
    };
    made.behavior =
        system.kinds.indices().map(|kind| of_kind(kind).unwrap_or(DefinitionId::new(0))).collect();
    made
}

/// Makes the processes of a kind.
struct Maker<'a> {
    system: &'a System,
    kind: KindId,
    own: &'a [&'a ast::Definition],
    common: &'a [&'a ast::Definition],
    /// The definitions made or to be made, with their trees.
    known: Vec<(DefinitionId, &'a ast::Definition)>,
    made: &'a mut Behaviors,
    diagnostics: &'a mut Vec<Diagnostic>,
}

impl<'a> Maker<'a> {
    fn kind(&mut self, name: &Ident) {
        if !self.own.iter().any(|one| one.name.text == BEHAVIOR) {
            let message = format!("the kind `{}` has no process `{BEHAVIOR}`", name.text);
            self.diagnostics.push(
                Diagnostic::new(&codes::NO_BEHAVIOR, message, name.span, "")
                    .help(format!("it says what its agents do: `{BEHAVIOR} = …`")),
            );
        }
        // All of the agent's own, called or not: their errors are errors. Of the system's those that are called.
        for definition in self.own {
            self.definition(definition);
        }
        let mut next = 0;
        while let Some((id, definition)) = self.known.get(next).copied() {
            let body = self.process(&definition.body);
            self.made.definitions[id].body = body;
            next += 1;
        }
    }

    /// The definition, known or to be made.
    fn definition(&mut self, definition: &'a ast::Definition) -> DefinitionId {
        if let Some((id, _)) = self.known.iter().find(|(_, known)| std::ptr::eq(*known, definition)) {
            return *id;
        }
        let name = definition.name.text.clone();
        // The body is made later.
        let id = self.made.definitions.push(Definition { name, kind: self.kind, body: ProcessId::new(0) });
        self.known.push((id, definition));
        id
    }

    fn processes(&mut self, processes: &[ast::Process]) -> Vec<ProcessId> {
        processes.iter().map(|process| self.process(process)).collect()
    }

    fn process(&mut self, process: &ast::Process) -> ProcessId {
        let made = match &process.kind {
            ProcessKind::Parallel(parts) => Process::Parallel(self.processes(parts)),
            ProcessKind::Choice(parts) => Process::Choice(self.processes(parts)),
            ProcessKind::Sequence(parts) => Process::Sequence(self.processes(parts)),
            ProcessKind::Guarded { guard, is_conditional, body } => {
                self.warn_of_swallowed(process.span, body);
                let guard = self.guard(guard);
                Process::Guarded { guard, is_conditional: *is_conditional, body: self.process(body) }
            }
            ProcessKind::Block(statements) => Process::Act(self.block(process.span, statements)),
            ProcessKind::Assign(assignment) => {
                let statement = ast::Statement::Assign(assignment.clone());
                Process::Act(self.action(process.span, std::slice::from_ref(&statement), false))
            }
            ProcessKind::Skip => Process::Act(self.action(process.span, &[], false)),
            ProcessKind::Nil => Process::Nil,
            ProcessKind::Call(name) => match self.called(name) {
                Some(id) => Process::Call(id),
                None => Process::Nil,
            },
            ProcessKind::Parenthesised(inner) => return self.process(inner),
        };
        if self.made.processes.len() == MAX_NODES {
            let message = "the processes are too large";
            self.diagnostics.push(Diagnostic::new(&codes::TOO_LARGE, message, process.span, "").help(
                format!(
                    "all processes together can have {MAX_NODES} parts, those of the system once per kind"
                ),
            ));
        }
        self.made.processes.push(made)
    }

    fn called(&mut self, name: &Ident) -> Option<DefinitionId> {
        let definition = self.own.iter().chain(self.common).find(|one| one.name.text == name.text);
        if let Some(definition) = definition {
            return Some(self.definition(definition));
        }
        let known: Vec<&str> = self.own.iter().chain(self.common).map(|one| one.name.text.as_str()).collect();
        self.diagnostics.push(unknown(&codes::UNKNOWN_PROCESS, "process", name, known.into_iter()));
        None
    }

    /// What an arrow takes although it may not be intended.
    fn warn_of_swallowed(&mut self, span: Span, body: &ast::Process) {
        let operator = match &body.kind {
            ProcessKind::Choice(_) => "++",
            ProcessKind::Parallel(_) => "||",
            _ => return,
        };
        let message =
            format!("the guard is in front of all alternatives of `{operator}`, not of the first alone");
        let message = if operator == "||" {
            "the guard is in front of both sides of `||`, not of the first alone".to_owned()
        } else {
            message
        };
        self.diagnostics.push(
            Diagnostic::new(&codes::SWALLOWED, message, span, "an arrow takes everything to its right")
                .help("put parentheses around the guard and what it guards"),
        );
    }

    fn guard(&mut self, guard: &ast::Expr) -> GuardId {
        let mut resolver = Resolver::new(self.system, Setting::Process(self.kind), self.diagnostics);
        let condition = resolver.expr(guard);
        let reads = resolver.reads.into_iter().collect();
        self.made.guards.push(Guard { span: guard.span, condition, reads })
    }

    fn block(&mut self, span: Span, statements: &[ast::Statement]) -> ActionId {
        self.action(span, statements, true)
    }

    fn action(&mut self, span: Span, statements: &[ast::Statement], is_block: bool) -> ActionId {
        let mut resolver = Resolver::new(self.system, Setting::Process(self.kind), self.diagnostics);
        resolver.later = statements.iter().flat_map(locals_of).map(str::to_owned).collect();
        let mut maker =
            ActionMaker { resolver, kind: self.kind, is_block, locals: 0, writes: BTreeSet::new() };
        let statements = statements.iter().filter_map(|statement| maker.statement(statement)).collect();
        let ActionMaker { resolver, locals, writes, .. } = maker;
        let [reads, writes] = [resolver.reads, writes].map(|names| names.into_iter().collect());
        self.made.actions.push(Action { span, statements, locals, reads, writes })
    }
}

/// The locals that a statement sets.
fn locals_of(statement: &ast::Statement) -> impl Iterator<Item = &str> {
    let (assigned, picked) = match statement {
        ast::Statement::Assign(assignment) if assignment.arrow == Arrow::Local => {
            (assignment.targets.as_slice(), None)
        }
        ast::Statement::Assign(_) => (&[][..], None),
        ast::Statement::Pick(pick) => (&[][..], Some(pick.local.text.as_str())),
    };
    assigned.iter().map(|target| target.name.text.as_str()).chain(picked)
}

/// Makes an action.
struct ActionMaker<'a> {
    resolver: Resolver<'a>,
    kind: KindId,
    is_block: bool,
    locals: usize,
    /// The variables of stigmergies that are assigned.
    writes: BTreeSet<NameId>,
}

impl ActionMaker<'_> {
    fn report(&mut self, diagnostic: Diagnostic) {
        self.resolver.diagnostics.push(diagnostic);
    }

    fn statement(&mut self, statement: &ast::Statement) -> Option<Statement> {
        match statement {
            ast::Statement::Assign(assignment) => self.assignment(assignment),
            ast::Statement::Pick(pick) => self.pick(pick),
        }
    }

    fn assignment(&mut self, assignment: &Assignment) -> Option<Statement> {
        let Assignment { targets, values, arrow, span, .. } = assignment;
        if targets.len() != values.len() {
            let message = format!("{} variables and {} values", targets.len(), values.len());
            self.report(
                Diagnostic::new(&codes::WRONG_NUMBER, message, *span, "")
                    .help("an assignment has one value for each variable: `x, y <- 1, 2`"),
            );
            return None;
        }
        let values: Vec<Expr> = values.iter().map(|value| self.resolver.expr(value)).collect();
        let targets: Vec<Option<Target>> =
            targets.iter().map(|target| self.target(target, assignment)).collect();
        self.check_twice(assignment, &targets);
        if *arrow == Arrow::Local {
            // From here on they can be read.
            for target in &assignment.targets {
                let known = self.resolver.locals.iter().any(|(name, _)| *name == target.name.text);
                if !known && let Some(at) = self.position_of(&target.name.text, assignment, &targets) {
                    self.resolver.locals.push((target.name.text.clone(), Local::Number(at)));
                }
            }
        }
        let targets: Option<Vec<Target>> = targets.into_iter().collect();
        Some(Statement::Assign(targets?.into_iter().zip(values).collect()))
    }

    fn position_of(&self, name: &str, assignment: &Assignment, targets: &[Option<Target>]) -> Option<usize> {
        let at = assignment.targets.iter().position(|target| target.name.text == name)?;
        match targets.get(at)? {
            Some(Target::Local(local)) => Some(*local),
            _ => None,
        }
    }

    fn target(&mut self, target: &ast::Target, assignment: &Assignment) -> Option<Target> {
        let name = &target.name;
        let environment = self.resolver.system.environment.iter().position(|one| one.name == name.text);
        let of_agents = self.resolver.system.names.iter().find(|one| one.text == name.text);
        let own = of_agents.and_then(|one| one.places[self.kind].as_ref());
        let fits = match (environment, own, of_agents) {
            (Some(_), _, _) => Some(Arrow::Environment),
            (None, Some(place), _) if place.tuple.is_some() => Some(Arrow::Stigmergy),
            (None, Some(_), _) => Some(Arrow::Attribute),
            (None, None, _) if assignment.arrow == Arrow::Local => Some(Arrow::Local),
            (None, None, _) => None,
        };
        let Some(fits) = fits else {
            let is_local = self.resolver.locals.iter().any(|(local, _)| *local == name.text)
                || self.resolver.later.contains(&name.text);
            if is_local {
                self.report_arrow(assignment, name, Arrow::Local, "a local of the block");
            } else {
                // Reports what is known of the name.
                self.resolver.own(self.kind, name);
            }
            return None;
        };
        if fits != assignment.arrow {
            let what = match fits {
                Arrow::Environment => "a variable of the environment",
                Arrow::Stigmergy => "a variable of a stigmergy",
                Arrow::Attribute => "an attribute",
                Arrow::Local => "a local of the block",
            };
            self.report_arrow(assignment, name, fits, what);
            return None;
        }
        let indices = |maker: &mut Self, wanted: usize| -> Vec<Expr> {
            maker.resolver.check_indices(name, &target.indices, wanted);
            target.indices.iter().map(|index| maker.resolver.expr(index)).collect()
        };
        Some(match (fits, environment, own) {
            (Arrow::Environment, Some(at), _) => {
                let wanted = self.resolver.system.environment[at].extents.len();
                Target::Environment(at, indices(self, wanted))
            }
            (Arrow::Attribute | Arrow::Stigmergy, _, Some(place)) => {
                let (wanted, tuple) = (place.extents.len(), place.tuple);
                let indices = indices(self, wanted);
                let (id, _) =
                    self.resolver.system.names.enumerate().find(|(_, one)| one.text == name.text)?;
                if tuple.is_some() {
                    self.writes.insert(id);
                }
                Target::Own(id, indices)
            }
            _ => {
                if !self.is_block {
                    let message = "`:=` sets a local, and locals live in blocks";
                    self.report(
                        Diagnostic::new(&codes::WRONG_ARROW, message, assignment.arrow_span, "").help(
                            "put this and the statements that use it into a block: `{ t := 1; x <- t }`",
                        ),
                    );
                    return None;
                }
                self.resolver.check_indices(name, &target.indices, 0);
                match self.resolver.locals.iter().find(|(local, _)| *local == name.text) {
                    Some((_, Local::Number(at))) => Target::Local(*at),
                    Some((_, Local::Picked(..))) => {
                        let message = format!("`{}` holds the agents that were picked", name.text);
                        self.report(
                            Diagnostic::new(&codes::WRONG_ARROW, message, name.span, "")
                                .help("choose another name"),
                        );
                        return None;
                    }
                    None => {
                        self.locals += 1;
                        Target::Local(self.locals - 1)
                    }
                }
            }
        })
    }

    fn report_arrow(&mut self, assignment: &Assignment, name: &Ident, fits: Arrow, what: &str) {
        let message = format!("`{}` is {what}: it is assigned with `{}`", name.text, fits.spelling());
        self.report(
            Diagnostic::new(
                &codes::WRONG_ARROW,
                message,
                assignment.arrow_span,
                format!("`{}` assigns {}", assignment.arrow.spelling(), assigned_by(assignment.arrow)),
            )
            .help(format!("write `{}`; what is assigned in one go has one arrow", fits.spelling())),
        );
    }

    /// Reports variables that are assigned twice at once.
    fn check_twice(&mut self, assignment: &Assignment, targets: &[Option<Target>]) {
        let is_same = |one: &Target, other: &Target| match (one, other) {
            (Target::Environment(one, at), Target::Environment(other, by)) => one == other && at == by,
            (Target::Own(one, at), Target::Own(other, by)) => one == other && at == by,
            (Target::Local(one), Target::Local(other)) => one == other,
            _ => false,
        };
        for (position, target) in targets.iter().enumerate() {
            let name = &assignment.targets[position].name;
            let first = (0..position).find(|before| {
                let twice = match (&targets[*before], target) {
                    (Some(one), Some(other)) => is_same(one, other),
                    _ => false,
                };
                let is_new_local =
                    assignment.arrow == Arrow::Local && assignment.targets[*before].name.text == name.text;
                twice || is_new_local
            });
            if let Some(first) = first {
                let message = format!("`{}` is assigned twice at once", name.text);
                let place = assignment.targets[first].name.span;
                self.report(
                    Diagnostic::new(&codes::ASSIGNED_TWICE, message, name.span, "again here")
                        .label(place, "first here")
                        .help("in a block, statements come one after the other: `{ x <- 1; x <- 2 }`"),
                );
            }
        }
    }

    fn pick(&mut self, pick: &Pick) -> Option<Statement> {
        let count = constant(&pick.count, &self.resolver.system.parameters, None);
        let count = count.map_err(|diagnostic| self.report(*diagnostic)).ok()?;
        let agents = self.resolver.system.agents.len();
        let Some(count) =
            usize::try_from(count).ok().filter(|count| *count > 0 && *count <= agents.max(1_000))
        else {
            let message = format!("{count} agents can't be picked");
            self.report(Diagnostic::new(&codes::BAD_EXTENT, message, pick.count.span, ""));
            return None;
        };
        let kind = match &pick.kind {
            Some(name) => Some(self.resolver.kind(name)?),
            None => None,
        };
        let condition = pick.condition.as_ref().map(|condition| {
            let setting = std::mem::replace(&mut self.resolver.setting, Setting::Where(self.kind, kind));
            let condition = self.resolver.expr(condition);
            self.resolver.setting = setting;
            condition
        });
        if let Some((_, known)) = self.resolver.locals.iter().find(|(name, _)| *name == pick.local.text)
            && !matches!(known, Local::Picked(_, before) if *before == count)
        {
            let message = format!("`{}` holds something else before", pick.local.text);
            self.report(
                Diagnostic::new(&codes::DUPLICATE, message, pick.local.span, "").help("choose another name"),
            );
            return None;
        }
        let local = match self.resolver.locals.iter().find(|(name, _)| *name == pick.local.text) {
            Some((_, Local::Picked(first, _))) => *first,
            _ => {
                self.locals += count;
                let first = self.locals - count;
                self.resolver.locals.push((pick.local.text.clone(), Local::Picked(first, count)));
                first
            }
        };
        Some(Statement::Pick { local, count, kind, condition })
    }
}

/// What an arrow assigns.
fn assigned_by(arrow: Arrow) -> &'static str {
    match arrow {
        Arrow::Attribute => "attributes",
        Arrow::Stigmergy => "variables of stigmergies",
        Arrow::Environment => "variables of the environment",
        Arrow::Local => "locals",
    }
}
