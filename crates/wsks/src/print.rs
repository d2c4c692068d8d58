//! Formulas as text: mathematical notation for people, MONA's syntax for MONA.
//!
//! The text is linear in the number of different subformulas: one that is large and occurs twice
//! becomes a definition (a `pred` of MONA), written before its first use, and so does each subformula
//! that the caller has named ([`Definition`]). Free variables of the whole formula are global; a
//! definition takes as arguments only what is bound around it. MONA compiles the body of a `pred` for
//! every call, but recognises calls that differ in variables only where these are in the same order,
//! and compiles such bodies once; so definitions cost it nothing, and save it parsing.

use std::fmt::Write as _;

use paramcheck_text::comment::{brief_line, lines};
use rustc_hash::{FxHashMap, FxHashSet};

use super::formula::{Formula, FormulaId, Store, TermId, Variable};

mod names;

use names::Names;

/// Subformulas below this number of symbols are repeated rather than defined.
const SMALLEST_SHARED: u64 = 12;
/// Where brevity is wanted, more arguments than these are left out.
const BRIEF_ARGUMENTS: usize = 3;
/// Lines are broken beyond this many characters.
const WIDTH: usize = 100;

/// A subformula that is to stand under a name of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    /// The subformula.
    pub formula: FormulaId,
    /// Its name.
    pub name: String,
    /// Its meaning, in a line or several.
    pub(crate) comment: String,
}

/// How formulas are spelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Notation {
    Mathematics,
    /// MONA's, with the branching degree.
    Mona(u8),
}

/// Why a formula can't be written for MONA.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PrintError {
    /// MONA knows words and binary trees.
    #[error("MONA knows trees of degree 1 and 2, not {0}")]
    Degree(u8),
    /// A successor beyond the degree.
    #[error("the formula speaks of child {child} in trees of degree {degree}")]
    Child {
        /// The child.
        child: u8,
        /// The degree.
        degree: u8,
    },
}

/// The formula in mathematical notation, its definitions first.
pub fn mathematics(store: &Store, formula: FormulaId, definitions: &[Definition]) -> String {
    Printer::new(store, formula, definitions, Notation::Mathematics).print(|_| String::new())
}

/// A program for MONA that decides whether the formula is satisfiable: `ws1s` where `kappa` is 1, `ws2s`
/// where it is 2. `describe` may say what a free variable stands for.
///
/// # Errors
/// Another degree, or a successor beyond it.
pub fn mona(
    store: &Store,
    formula: FormulaId,
    definitions: &[Definition],
    kappa: u8,
    describe: impl Fn(Variable) -> String,
) -> Result<String, PrintError> {
    if !(1..=2).contains(&kappa) {
        return Err(PrintError::Degree(kappa));
    }
    for part in store.parts_of(formula) {
        let terms: &[TermId] = match store.get(part) {
            Formula::Equal(left, right) => &[*left, *right],
            Formula::Member(node, _) => std::slice::from_ref(node),
            _ => &[],
        };
        for &term in terms {
            if let Some(child) = store.term_path(term).1.into_iter().find(|&c| c == 0 || c > kappa) {
                return Err(PrintError::Child { child, degree: kappa });
            }
        }
    }
    Ok(Printer::new(store, formula, definitions, Notation::Mona(kappa)).print(describe))
}

/// Subformulas on one line each, in mathematical notation, for lists of them.
pub(crate) struct Summaries<'a>(Printer<'a>);

impl<'a> Summaries<'a> {
    /// Of subformulas of `formula`. Those that have a definition are written as calls of it.
    pub(crate) fn new(store: &'a Store, formula: FormulaId, definitions: &[Definition]) -> Self {
        let mut printer = Printer::unprepared(store, formula, Notation::Mathematics);
        printer.define_named(definitions);
        printer.is_brief = true;
        Summaries(printer)
    }

    /// The subformula `part`, in no more than `width` characters; `…` stands for the rest.
    pub(crate) fn of(&mut self, part: FormulaId, width: usize) -> String {
        let printer = &mut self.0;
        printer.out.clear();
        let mut open = vec![Task::Formula { id: part, indent: 0, is_head: false }];
        // A character has one byte or more: what is longer than this is cut off.
        while printer.out.chars().nth(width).is_none()
            && let Some(task) = open.pop()
        {
            printer.task(task, &mut open);
        }
        let is_whole = open.is_empty() && printer.out.chars().nth(width).is_none();
        if is_whole {
            return printer.out.clone();
        }
        let mut text: String = printer.out.chars().take(width.saturating_sub(1)).collect();
        text.push('…');
        text
    }
}

/// What is still to be written.
enum Task {
    Text(&'static str),
    /// Ends the line and indents the next.
    Line(usize),
    Formula {
        id: FormulaId,
        indent: usize,
        /// The head of a definition: don't write the call.
        is_head: bool,
    },
}

struct Printer<'a> {
    store: &'a Store,
    root: FormulaId,
    notation: Notation,
    names: Names,
    /// Parts before wholes.
    parts: Vec<FormulaId>,
    /// Name and comment of each definition.
    defined: FxHashMap<FormulaId, (String, String)>,
    globals: FxHashSet<Variable>,
    /// Per part its length on one line.
    widths: FxHashMap<FormulaId, usize>,
    /// Whether long lists of arguments are left out.
    is_brief: bool,
    out: String,
}

impl<'a> Printer<'a> {
    fn new(store: &'a Store, root: FormulaId, definitions: &[Definition], notation: Notation) -> Self {
        let mut printer = Printer::unprepared(store, root, notation);
        printer.define_named(definitions);
        printer.define_shared();
        printer.measure();
        printer
    }

    /// Without definitions, everything on one line.
    fn unprepared(store: &'a Store, root: FormulaId, notation: Notation) -> Self {
        let parts = store.parts_of(root);
        let mut names = match notation {
            Notation::Mathematics => Names::for_people(),
            Notation::Mona(_) => Names::for_mona(),
        };
        // A variable that is also bound somewhere is passed on, lest an inner binding is missed.
        let bound: FxHashSet<Variable> = parts.iter().filter_map(|&part| store.get(part).bound()).collect();
        let free = store.free_variables(root).iter().copied();
        let globals: FxHashSet<Variable> = free.filter(|variable| !bound.contains(variable)).collect();
        for &variable in store.free_variables(root) {
            names.add_variable(variable, store.name(variable));
        }
        for &part in &parts {
            let formula = store.get(part);
            for variable in formula.bound().into_iter().chain(store.free_variables(part).iter().copied()) {
                names.add_variable(variable, store.name(variable));
            }
        }
        Printer {
            store,
            root,
            notation,
            names,
            parts,
            defined: FxHashMap::default(),
            globals,
            widths: FxHashMap::default(),
            is_brief: false,
            out: String::new(),
        }
    }

    /// What the caller has named becomes a definition.
    fn define_named(&mut self, definitions: &[Definition]) {
        let present: FxHashSet<FormulaId> = self.parts.iter().copied().collect();
        for definition in definitions {
            let is_whole = definition.formula == self.root;
            let is_constant = self.store.free_variables(definition.formula).is_empty();
            if present.contains(&definition.formula) && !is_whole && !is_constant {
                let name = self.names.fresh(&definition.name);
                self.defined.entry(definition.formula).or_insert((name, definition.comment.clone()));
            }
        }
    }

    /// What is large and occurs twice becomes a definition.
    fn define_shared(&mut self) {
        let mut uses: FxHashMap<FormulaId, usize> = FxHashMap::default();
        let mut symbols: FxHashMap<FormulaId, u64> = FxHashMap::default();
        for &part in &self.parts {
            let formula = self.store.get(part);
            let mut size = 1_u64;
            for inner in formula.parts() {
                *uses.entry(*inner).or_default() += 1;
                size = size.saturating_add(symbols.get(inner).copied().unwrap_or(1));
            }
            symbols.insert(part, size);
        }
        let mut number = 0;
        for &part in &self.parts {
            let is_shared = uses.get(&part).is_some_and(|&count| count > 1)
                && symbols.get(&part).is_some_and(|&size| size >= SMALLEST_SHARED);
            if is_shared && !self.defined.contains_key(&part) {
                number += 1;
                let name = self.names.fresh(&format!("part{number}"));
                self.defined.insert(part, (name, String::new()));
            }
            // MONA has no ∃₁: its body is named, to be used twice.
            if let (Formula::ExistsOneNode(_, inner), Notation::Mona(_)) =
                (self.store.get(part), self.notation)
                && !self.defined.contains_key(inner)
            {
                number += 1;
                let name = self.names.fresh(&format!("part{number}"));
                self.defined.insert(*inner, (name, String::new()));
            }
        }
    }

    fn measure(&mut self) {
        for index in 0..self.parts.len() {
            let part = self.parts[index];
            let formula = self.store.get(part);
            let inner = |id: &FormulaId| match self.defined.get(id) {
                Some((name, _)) => name.len() + 2 + 4 * self.store.free_variables(*id).len(),
                None => self.widths.get(id).copied().unwrap_or(8),
            };
            let width = formula
                .parts()
                .iter()
                .map(|part| inner(part).saturating_add(4))
                .fold(8, usize::saturating_add);
            self.widths.insert(part, width);
        }
    }

    fn print(mut self, describe: impl Fn(Variable) -> String) -> String {
        if let Notation::Mona(kappa) = self.notation {
            self.out += if kappa == 1 { "ws1s;\n" } else { "ws2s;\n" };
            self.out.push('\n');
            for &variable in self.store.free_variables(self.root) {
                let order = if matches!(variable, Variable::Node(_)) { 1 } else { 2 };
                let about = describe(variable);
                let about = if about.is_empty() { about } else { format!(" # {}", brief_line(&about)) };
                let _ = writeln!(self.out, "var{order} {};{about}", self.names.of(variable));
            }
        }
        let defined: Vec<_> =
            self.parts.iter().copied().filter(|part| self.defined.contains_key(part)).collect();
        for part in defined {
            self.definition(part);
        }
        self.out.push('\n');
        self.formula(self.root, 0);
        self.out += if matches!(self.notation, Notation::Mona(_)) { ";\n" } else { "\n" };
        self.out
    }

    fn definition(&mut self, part: FormulaId) {
        let Some((name, comment)) = self.defined.get(&part).cloned() else { return };
        let is_mona = matches!(self.notation, Notation::Mona(_));
        self.out.push('\n');
        self.out += &lines(if is_mona { "# " } else { "// " }, &comment);
        let arguments: Vec<String> = self
            .arguments(part)
            .iter()
            .map(|&variable| match (is_mona, variable) {
                (true, Variable::Node(_)) => format!("var1 {}", self.names.of(variable)),
                (true, Variable::Set(_)) => format!("var2 {}", self.names.of(variable)),
                (false, _) => self.names.of(variable).to_owned(),
            })
            .collect();
        let keyword = if is_mona { "pred " } else { "" };
        let sign = if is_mona { "=" } else { "≔" };
        let arguments =
            if arguments.is_empty() { String::new() } else { format!("({})", arguments.join(", ")) };
        let _ = write!(self.out, "{keyword}{name}{arguments} {sign}\n    ");
        self.formula(part, 4);
        self.out += if is_mona { ";\n" } else { "\n" };
    }

    /// What a definition takes as arguments.
    fn arguments(&self, part: FormulaId) -> Vec<Variable> {
        let free = self.store.free_variables(part).iter().copied();
        free.filter(|variable| !self.globals.contains(variable)).collect()
    }

    fn call(&self, part: FormulaId, name: &str, replaced: Option<(Variable, &str)>) -> String {
        let arguments: Vec<&str> = self
            .arguments(part)
            .into_iter()
            .map(|variable| match replaced {
                Some((old, new)) if old == variable => new,
                _ => self.names.of(variable),
            })
            .collect();
        match (arguments.is_empty(), self.notation) {
            (false, _) if self.is_brief && arguments.len() > BRIEF_ARGUMENTS => format!("{name}(…)"),
            (true, Notation::Mathematics) => name.to_owned(),
            (true, Notation::Mona(_)) => format!("{name}()"),
            (false, _) => format!("{name}({})", arguments.join(", ")),
        }
    }

    fn formula(&mut self, id: FormulaId, indent: usize) {
        let mut open = vec![Task::Formula { id, indent, is_head: true }];
        while let Some(task) = open.pop() {
            self.task(task, &mut open);
        }
    }

    fn task(&mut self, task: Task, open: &mut Vec<Task>) {
        match task {
            Task::Text(text) => self.out += text,
            Task::Line(indent) => {
                self.out.truncate(self.out.trim_end_matches(' ').len());
                self.out.push('\n');
                self.out.extend(std::iter::repeat_n(' ', indent));
            }
            Task::Formula { id, indent, is_head } => self.step(id, indent, is_head, open),
        }
    }

    /// Writes the beginning of a formula and leaves the rest to `open`.
    fn step(&mut self, id: FormulaId, indent: usize, is_head: bool, open: &mut Vec<Task>) {
        if !is_head && let Some((name, _)) = self.defined.get(&id) {
            let call = self.call(id, name, None);
            self.out += &call;
            return;
        }
        let is_mona = matches!(self.notation, Notation::Mona(_));
        let [and, or, implies, iff] =
            if is_mona { [" & ", " | ", " => ", " <=> "] } else { [" ∧ ", " ∨ ", " ⇒ ", " ⇔ "] };
        match self.store.get(id) {
            Formula::True => self.out += if is_mona { "true" } else { "⊤" },
            Formula::False => self.out += if is_mona { "false" } else { "⊥" },
            Formula::Equal(left, right) => {
                let text = format!("{} = {}", self.term(*left), self.term(*right));
                self.out += &text;
            }
            Formula::Member(node, set) => {
                let sign = if is_mona { "in" } else { "∈" };
                let text = format!("{} {sign} {}", self.term(*node), self.names.of(Variable::Set(*set)));
                self.out += &text;
            }
            Formula::Subset(left, right) => {
                let sign = if is_mona { "sub" } else { "⊆" };
                let [left, right] = [left, right].map(|set| self.names.of(Variable::Set(*set)));
                let _ = write!(self.out, "{left} {sign} {right}");
            }
            Formula::SetEqual(left, right) => {
                let [left, right] = [left, right].map(|set| self.names.of(Variable::Set(*set)));
                let _ = write!(self.out, "{left} = {right}");
            }
            Formula::Not(part) => self.negation(*part, indent, open),
            Formula::And(parts) => self.list(parts, and, id, indent, is_head, open),
            Formula::Or(parts) => self.list(parts, or, id, indent, is_head, open),
            Formula::Implies(parts) => self.list(parts, implies, id, indent, is_head, open),
            Formula::Iff(parts) => self.list(parts, iff, id, indent, is_head, open),
            Formula::ExistsNode(..)
            | Formula::ForallNode(..)
            | Formula::ExistsSet(..)
            | Formula::ForallSet(..) => self.quantifiers(id, indent, open),
            Formula::ExistsOneNode(x, part) => self.exists_one(Variable::Node(*x), *part, indent, open),
        }
    }

    fn negation(&mut self, part: FormulaId, indent: usize, open: &mut Vec<Task>) {
        let is_mona = matches!(self.notation, Notation::Mona(_));
        let is_defined = self.defined.contains_key(&part);
        match self.store.get(part) {
            Formula::Member(node, set) if !is_defined => {
                let sign = if is_mona { "notin" } else { "∉" };
                let text = format!("{} {sign} {}", self.term(*node), self.names.of(Variable::Set(*set)));
                self.out += &text;
            }
            Formula::Equal(left, right) if !is_defined => {
                let sign = if is_mona { "~=" } else { "≠" };
                let text = format!("{} {sign} {}", self.term(*left), self.term(*right));
                self.out += &text;
            }
            formula if is_defined || !formula.parts().is_empty() => {
                // Calls need no parentheses, everything else that has parts brings its own.
                self.out += if is_mona { "~" } else { "¬" };
                open.push(Task::Formula { id: part, indent, is_head: false });
            }
            _ => {
                self.out += if is_mona { "~(" } else { "¬(" };
                open.push(Task::Text(")"));
                open.push(Task::Formula { id: part, indent, is_head: false });
            }
        }
    }

    /// Operands with `sign` between them, one per line where they are too long for one.
    fn list(
        &mut self,
        parts: &[FormulaId],
        sign: &'static str,
        id: FormulaId,
        indent: usize,
        is_head: bool,
        open: &mut Vec<Task>,
    ) {
        let is_long = self.widths.get(&id).is_some_and(|&width| width + indent > WIDTH);
        let inner = if is_head { indent } else { indent + 1 };
        if !is_head {
            self.out.push('(');
            open.push(Task::Text(")"));
        }
        for (position, &part) in parts.iter().enumerate().rev() {
            open.push(Task::Formula { id: part, indent: inner, is_head: false });
            if position > 0 {
                if is_long {
                    open.push(Task::Line(inner));
                }
                open.push(Task::Text(sign));
            }
        }
    }

    /// A block of quantifiers of one kind and what it binds them in.
    fn quantifiers(&mut self, id: FormulaId, indent: usize, open: &mut Vec<Task>) {
        let is_mona = matches!(self.notation, Notation::Mona(_));
        let of = |formula: &Formula| match *formula {
            Formula::ExistsNode(x, part) => Some((0, Variable::Node(x), part)),
            Formula::ForallNode(x, part) => Some((1, Variable::Node(x), part)),
            Formula::ExistsSet(x, part) => Some((2, Variable::Set(x), part)),
            Formula::ForallSet(x, part) => Some((3, Variable::Set(x), part)),
            _ => None,
        };
        let Some((kind, first, mut part)) = of(self.store.get(id)) else { return };
        let mut bound = vec![first];
        while let Some((next, variable, inner)) = of(self.store.get(part))
            && next == kind
            && !self.defined.contains_key(&part)
            && !bound.contains(&variable)
        {
            bound.push(variable);
            part = inner;
        }
        let sign = if is_mona { ["ex1", "all1", "ex2", "all2"] } else { ["∃", "∀", "∃", "∀"] };
        let names: Vec<&str> = bound.iter().map(|&variable| self.names.of(variable)).collect();
        let text = if is_mona {
            format!("({} {}: ", sign[kind], names.join(", "))
        } else {
            format!("({}{}. ", sign[kind], names.join(", "))
        };
        self.out += &text;
        open.push(Task::Text(")"));
        open.push(Task::Formula { id: part, indent: indent + 4, is_head: false });
        if self.widths.get(&part).is_some_and(|&width| width + indent > WIDTH)
            && !self.defined.contains_key(&part)
        {
            open.push(Task::Line(indent + 4));
        }
    }

    fn exists_one(&mut self, x: Variable, part: FormulaId, indent: usize, open: &mut Vec<Task>) {
        let name = self.names.of(x).to_owned();
        match (self.notation, self.defined.get(&part)) {
            (Notation::Mona(_), Some((definition, _))) => {
                let other = self.names.fresh(&name);
                let (one, two) =
                    (self.call(part, definition, None), self.call(part, definition, Some((x, &other))));
                let _ =
                    write!(self.out, "(ex1 {name}: ({one} & (all1 {other}: ({two} => {other} = {name}))))");
            }
            _ => {
                let _ = write!(self.out, "(∃₁{name}. ");
                open.push(Task::Text(")"));
                open.push(Task::Formula { id: part, indent: indent + 4, is_head: false });
            }
        }
    }

    fn term(&self, term: TermId) -> String {
        let (base, path) = self.store.term_path(term);
        let base = base.map(|x| self.names.of(Variable::Node(x)));
        match self.notation {
            Notation::Mathematics => {
                let mut text = base.unwrap_or("ε").to_owned();
                for child in path {
                    let _ = write!(text, ".{child}");
                }
                text
            }
            Notation::Mona(1) => {
                let base = base.unwrap_or("0");
                if path.is_empty() { base.to_owned() } else { format!("{base} + {}", path.len()) }
            }
            Notation::Mona(_) => {
                let mut text = base.unwrap_or("root").to_owned();
                for child in path {
                    // MONA counts children from 0.
                    let _ = write!(text, ".{}", child.saturating_sub(1));
                }
                text
            }
        }
    }
}
