//! Syntax tree to canonical text: reading it again gives the same tree.
//!
//! One item per line; a line longer than 100 columns is broken before operators and after `;`. Comments
//! are not in the tree: see [`format`](super::format).

use super::ast::{
    Action, ActionKind, Atom, CheckItem, Formula, Goal, Item, Model, ParallelOperator, Place, Postfix,
    PostfixKind, Process, ProcessKind,
};
use super::show::Level;
use paramcheck_text::reading::Ident;

#[cfg(test)]
mod tests;

/// Longer lines are broken where they can be.
const WIDTH: usize = 100;

impl std::fmt::Display for Atom {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Atom::Did(action) => write!(f, "did {}", self::action(action)),
            Atom::Can(action) => write!(f, "can {}", self::action(action)),
            Atom::Terminated(_) => f.write_str("terminated"),
            Atom::Takes(action) => f.write_str(&self::action(action)),
            Atom::TakesAny(_) => f.write_str("true"),
        }
    }
}

/// The canonical text of a tree, with a line break at the end of every item.
pub fn print(model: &Model) -> String {
    let mut text = String::new();
    for item in &model.items {
        text.push_str(&self::item(item));
        text.push('\n');
    }
    text
}

/// An item with its `;`, in one or several lines.
pub(crate) fn item(item: &Item) -> String {
    let mut writer = Writer::default();
    match item {
        Item::Definition(definition) => {
            writer.text(&definition.name.text);
            writer.text(" = ");
            writer.process(&definition.body, Level::Parallel);
        }
        Item::System(system) => {
            writer.text("system ");
            writer.process(&system.body, Level::Parallel);
        }
        Item::Check(check) => writer.check(check),
    }
    writer.text(";");
    writer.finish()
}

/// An action.
pub(crate) fn action(action: &Action) -> String {
    match &action.kind {
        ActionKind::Tau => "tau".to_owned(),
        ActionKind::Visible { name, is_co, place } => {
            let quote = if *is_co { "'" } else { "" };
            let place = match place {
                Place::Anywhere => String::new(),
                Place::At(peer) => format!("@{}", peer.text),
                Place::Between(one, other) => format!("@[{},{}]", one.text, other.text),
            };
            format!("{quote}{}{place}", name.text)
        }
    }
}

fn level(process: &Process) -> Level {
    match &process.kind {
        ProcessKind::Nil | ProcessKind::Constant(_) | ProcessKind::Action(_) | ProcessKind::Loop(_) => {
            Level::Atom
        }
        ProcessKind::Prefix(..) => Level::Prefix,
        ProcessKind::Postfix(..) => Level::Postfix,
        ProcessKind::Sequence(_) => Level::Sequence,
        ProcessKind::Choice(_) => Level::Choice,
        ProcessKind::Parallel(..) => Level::Parallel,
    }
}

/// Collects text in pieces that stay on one line.
#[derive(Default)]
struct Writer {
    pieces: Vec<String>,
}

impl Writer {
    /// Goes on in the piece at hand.
    fn text(&mut self, text: &str) {
        match self.pieces.last_mut() {
            Some(last) => last.push_str(text),
            None => self.pieces.push(text.to_owned()),
        }
    }

    /// A blank where the line may be broken.
    fn blank(&mut self) {
        self.pieces.push(String::new());
    }

    /// The pieces filled into lines.
    fn finish(self) -> String {
        let mut text = String::new();
        let mut column = 0;
        for (position, piece) in self.pieces.iter().enumerate() {
            let width = piece.chars().count();
            if position > 0 && column + 1 + width > WIDTH {
                text.push_str("\n    ");
                column = 4;
            } else if position > 0 {
                text.push(' ');
                column += 1;
            }
            text.push_str(piece);
            column += width;
        }
        text
    }

    /// Recursion is bounded by the parser's limit on nesting.
    fn process(&mut self, process: &Process, least: Level) {
        let is_enclosed = level(process) < least;
        if is_enclosed {
            self.text("(");
        }
        match &process.kind {
            ProcessKind::Nil => self.text("0"),
            ProcessKind::Constant(name) => self.text(name),
            ProcessKind::Prefix(actions, inside) => {
                for action in actions {
                    self.text(&self::action(action));
                    self.text(".");
                }
                self.process(inside, Level::Atom);
            }
            ProcessKind::Action(action) => self.text(&self::action(action)),
            ProcessKind::Loop(inside) => {
                self.text("*(");
                self.process(inside, Level::Parallel);
                self.text(")");
            }
            ProcessKind::Postfix(inside, operators) => {
                self.process(inside, Level::Prefix);
                operators.iter().for_each(|operator| self.postfix(operator));
            }
            ProcessKind::Sequence(parts) => {
                for (position, part) in parts.iter().enumerate() {
                    if position > 0 {
                        self.text(";");
                        self.blank();
                    }
                    self.process(part, Level::Postfix);
                }
            }
            ProcessKind::Choice(parts) => self.joined(parts, "+", Level::Sequence),
            ProcessKind::Parallel(parts, operator) => {
                let operator = match operator {
                    ParallelOperator::Synchronise => "|".to_owned(),
                    ParallelOperator::Interleave => "||".to_owned(),
                    ParallelOperator::Hoare(set) => {
                        let actions: Vec<String> = set.iter().map(self::action).collect();
                        format!("|[{}]|", actions.join(", "))
                    }
                };
                self.joined(parts, &operator, Level::Choice);
            }
        }
        if is_enclosed {
            self.text(")");
        }
    }

    fn joined(&mut self, parts: &[Process], operator: &str, least: Level) {
        for (position, part) in parts.iter().enumerate() {
            if position > 0 {
                self.blank();
                self.text(operator);
                self.text(" ");
            }
            self.process(part, least);
        }
    }

    fn postfix(&mut self, operator: &Postfix) {
        match &operator.kind {
            PostfixKind::Restrict(names) => {
                self.text(" \\ {");
                self.names(names, |name| name.text.clone());
                self.text("}");
            }
            PostfixKind::Relabel(renamings) => {
                self.text("[");
                self.names(renamings, |renaming| format!("{}/{}", renaming.new.text, renaming.old.text));
                self.text("]");
            }
            PostfixKind::Power(count) => self.text(&format!(" ^ {count}")),
        }
    }

    fn names<T>(&mut self, items: &[T], text: impl Fn(&T) -> String) {
        for (position, item) in items.iter().enumerate() {
            if position > 0 {
                self.text(",");
                self.blank();
            }
            self.text(&text(item));
        }
    }

    fn check(&mut self, check: &CheckItem) {
        self.text("check ");
        if let Some(Ident { text, .. }) = &check.name {
            self.text(text);
            self.text(" = ");
        }
        match &check.goal {
            Goal::Deadlock => self.text("deadlock"),
            Goal::Always(formula) => {
                self.text("always ");
                self.formula(formula, 0);
            }
            Goal::Eventually(formula) => {
                self.text("eventually ");
                self.formula(formula, 0);
            }
            Goal::Ltl(formula) => self.text(&format!("ltl {formula}")),
        }
    }

    /// `least`: 0 for any formula, 1 for conjunctions, 2 for atoms and negations. Recursion is bounded by
    /// the parser's limit on nesting.
    fn formula(&mut self, formula: &Formula, least: u8) {
        let level = match formula {
            Formula::Or(_) => 0,
            Formula::And(_) => 1,
            _ => 2,
        };
        if level < least {
            self.text("(");
        }
        match formula {
            Formula::Did(action) => self.text(&format!("did {}", self::action(action))),
            Formula::Can(action) => self.text(&format!("can {}", self::action(action))),
            Formula::Terminated(_) => self.text("terminated"),
            Formula::Not(inner) => {
                self.text("!");
                self.formula(inner, 2);
            }
            Formula::And(parts) | Formula::Or(parts) => {
                for (position, part) in parts.iter().enumerate() {
                    if position > 0 {
                        self.blank();
                        self.text(if level == 0 { "| " } else { "& " });
                    }
                    self.formula(part, level + 1);
                }
            }
        }
        if level < least {
            self.text(")");
        }
    }
}
