//! Formulas over components: one piece per quantifier with its variables, and per atom.

use super::{Formula, names};
use crate::syntax::ast::{Wsks, WsksAtom, WsksFormula, WsksName};

impl Formula<'_> {
    /// `wsks { … }`
    pub(super) fn wsks(&mut self, wsks: &Wsks) {
        self.operand(wsks.span.start, "wsks {");
        self.wsks_formula(&wsks.formula, true);
        self.append(" }");
    }

    /// A formula; `is_last` where it goes on to the next closing parenthesis or brace: there, a quantifier
    /// needs no parentheses. Recursion is bounded by the parser's limit on nesting.
    fn wsks_formula(&mut self, formula: &WsksFormula, is_last: bool) {
        use WsksFormula::{And, Atom, Constant, Iff, Implies, Not, Or, Quantified};
        match formula {
            Constant(value, span) => self.operand(span.start, if *value { "true" } else { "false" }),
            Atom(atom) => self.operand(atom.span.start, &atom_text(atom)),
            Not(inner, _) => {
                self.prefix.push('!');
                let is_joined = matches!(**inner, And(_) | Or(_) | Implies(..) | Iff(..));
                self.wsks_part(inner, is_joined, is_last);
            }
            And(parts) => self.wsks_parts(parts, "& ", is_last, |part| {
                matches!(part, And(_) | Or(_) | Implies(..) | Iff(..))
            }),
            Or(parts) => {
                self.wsks_parts(parts, "| ", is_last, |part| matches!(part, Or(_) | Implies(..) | Iff(..)));
            }
            Implies(left, right) => {
                self.wsks_part(left, matches!(**left, Implies(..) | Iff(..)), false);
                self.prefix.push_str("=> ");
                self.wsks_part(right, matches!(**right, Iff(..)), is_last);
            }
            Iff(left, right) => {
                self.wsks_part(left, matches!(**left, Implies(..) | Iff(..)), false);
                self.prefix.push_str("<=> ");
                self.wsks_part(right, matches!(**right, Implies(..) | Iff(..)), is_last);
            }
            Quantified(quantified) => {
                let text = format!("{} {}:", quantified.quantifier.word(), names(&quantified.variables));
                self.operand(quantified.span.start, &text);
                self.wsks_formula(&quantified.body, is_last);
            }
        }
    }

    fn wsks_parts(
        &mut self,
        parts: &[WsksFormula],
        sign: &str,
        is_last: bool,
        is_loose: impl Fn(&WsksFormula) -> bool,
    ) {
        for (position, part) in parts.iter().enumerate() {
            self.prefix.push_str(if position == 0 { "" } else { sign });
            self.wsks_part(part, is_loose(part), is_last && position + 1 == parts.len());
        }
    }

    fn wsks_part(&mut self, part: &WsksFormula, is_loose: bool, is_last: bool) {
        let is_open = matches!(part, WsksFormula::Quantified(_)) && !is_last;
        if is_loose || is_open {
            self.prefix.push('(');
            self.wsks_formula(part, true);
            self.append(")");
        } else {
            self.wsks_formula(part, is_last);
        }
    }
}

fn atom_text(atom: &WsksAtom) -> String {
    format!("{} {} {}", name(&atom.left), atom.relation.spelling(), name(&atom.right))
}

fn name(name: &WsksName) -> String {
    match &name.component {
        Some(component) => format!("{}.{}", component.text, name.name.text),
        None => name.name.text.clone(),
    }
}
