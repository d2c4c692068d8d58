//! Instances for Spin: one process that fires one transition per step.
//!
//! Spin tells states apart by variables and by where processes are. Here each component is a variable, and
//! the only process is always at the same place: a step is one option of its loop, a `d_step`, which leaves
//! no state behind in the middle. So Spin's states are exactly the markings, as long as it looks at all of
//! them (`-DNOREDUCE`) and no never claim beside them (`-noclaim`).
//!
//! Where no option can be chosen, Spin sees an *invalid end state*: so dead markings are its deadlocks. In
//! those with every component in a final state there is one more option that changes nothing; it adds no
//! state, and takes no step away from any marking.
//!
//! Errors are never claims, of which a run checks one: the claim ends, and so is violated, as soon as the
//! marking is the error. Rejected: LTL formulas, whose text Spin copies around in buffers of fixed size;
//! and assertions in the process, which would be steps of their own, possible where nothing else is.

use std::fmt::Write as _;

use crate::emit::condition::{Condition, Language, Term, all_final, is_at_rest};
use crate::emit::names::Names;
use crate::emit::{Instance, NotWritable, commented};
use paramcheck_model::component::{StateId, TypeId};
use paramcheck_model::error::{Comparison, ErrorFormula};
use paramcheck_nets::instance::net::{ComponentId, NetTransitionId};
use paramcheck_text::index::IndexVec;

/// What a name must not be: words of Promela, of its formulas, and of the C that they become.
#[rustfmt::skip]
pub const KEYWORDS: &[&str] = &[
    "accept", "active", "always", "assert", "atomic", "bit", "bool", "break", "byte", "c_code", "c_decl", "c_expr",
    "c_state", "c_track", "chan", "D_proctype", "d_proctype", "d_step", "defined", "do", "else", "empty",
    "enabled", "end", "equivalent", "eval", "eventually", "false", "fi", "for", "full", "get_priority", "global",
    "goto", "hidden", "if", "implies", "in", "init", "inline", "int", "len", "local", "ltl", "mtype", "nempty",
    "never", "next", "nfull", "non_progress", "notrace", "np_", "od", "of", "pc_value", "pid", "printf",
    "printm", "priority", "proctype", "progress", "provided", "release", "return", "run", "select",
    "set_priority", "short", "show", "skip", "STDIN", "stronguntil", "timeout", "trace", "true", "typedef",
    "unless", "unsigned", "until", "weakuntil", "xr", "xs",
    "auto", "case", "char", "const", "continue", "default", "double", "enum", "extern", "float", "linux", "long",
    "main", "register", "signed", "sizeof", "static", "struct", "switch", "union", "unix", "void", "volatile", "while",
];

/// The instance in Promela.
///
/// # Errors
/// An error, by its position, that Promela can't say.
pub fn promela(instance: &Instance<'_>) -> Result<String, (usize, NotWritable)> {
    let writer = Writer::new(instance);
    let mut text = writer.heading();
    writer.declarations(&mut text);
    writer.process(&mut text);
    writer.claims(&mut text)?;
    Ok(text)
}

/// The names of everything, chosen before anything is written.
struct Writer<'a> {
    instance: &'a Instance<'a>,
    /// Per component its variable.
    variables: IndexVec<ComponentId, String>,
    /// Per type and state the macro for its number; none for types that don't occur.
    states: IndexVec<TypeId, IndexVec<StateId, String>>,
    /// Per error its claim.
    claims: Vec<String>,
    dead: String,
    all_final: String,
    process: String,
}

impl Language for Writer<'_> {
    const CONSTANTS: [&'static str; 2] = ["false", "true"];
    const CONNECTIVES: [&'static str; 2] = [" && ", " || "];

    fn comparison(&self, comparison: Comparison) -> &'static str {
        comparison.symbol()
    }

    fn dead(&self) -> String {
        self.dead.clone()
    }

    fn is_final(&self) -> String {
        self.all_final.clone()
    }

    fn is_in(&self, component: ComponentId, states: &[StateId]) -> String {
        let alternatives = states.iter().map(|&state| self.is_at(component, state));
        let text = itertools::join(alternatives, " || ");
        if states.len() == 1 { text } else { format!("({text})") }
    }

    fn sum(&self, terms: &[Term]) -> String {
        let terms = terms.iter().map(|term| {
            let inside = match term.states[..] {
                [state] => format!("({})", self.is_at(term.component, state)),
                _ => self.is_in(term.component, &term.states),
            };
            if term.weight == 1 { inside } else { format!("{} * {inside}", term.weight) }
        });
        itertools::join(terms, " + ")
    }
}

impl<'a> Writer<'a> {
    fn new(instance: &'a Instance<'a>) -> Self {
        let (system, net) = (instance.system, instance.net);
        let mut names = Names::new(KEYWORDS);
        let claims = instance.errors.iter().map(|error| names.take(&error.name)).collect();
        let variables = net.components().iter().map(|component| names.take(&component.name)).collect();
        let mut occurs = vec![false; system.types.len()];
        for component in net.components() {
            use paramcheck_text::index::Idx;
            occurs[component.component_type.index()] = true;
        }
        let states = system.types.iter().zip(occurs).map(|(component_type, occurs)| {
            let states = component_type.states.iter().filter(|_| occurs);
            states.map(|state| names.take(&format!("{}_{}", component_type.name, state.name))).collect()
        });
        let states = states.collect();
        let [dead, all_final, process] = ["dead", "all_final", "instance"].map(|name| names.take(name));
        Writer { instance, variables, states, claims, dead, all_final, process }
    }

    fn state(&self, component: ComponentId, state: StateId) -> &str {
        &self.states[self.instance.net.components()[component].component_type][state]
    }

    fn is_at(&self, component: ComponentId, state: StateId) -> String {
        format!("{} == {}", self.variables[component], self.state(component, state))
    }

    fn guard(&self, transition: NetTransitionId) -> String {
        let moves = &self.instance.net.transitions()[transition].moves;
        itertools::join(moves.iter().map(|m| self.is_at(m.component, m.from)), " && ")
    }

    fn heading(&self) -> String {
        let mut text = self.instance.heading(true);
        // Spin's state vector has 1024 bytes, some of them for the process, unless it is told otherwise.
        let bits: usize = self.instance.net.components().iter().map(|c| bits(c.state_count)).sum();
        let vector = bits.div_ceil(64) * 8 + 256;
        let vector = if vector > 1024 { format!("-DVECTORSZ={vector} ") } else { String::new() };
        let _ = write!(
            text,
            "\nIts states in Spin are its reachable markings, and its invalid end states the deadlocks:\n  \
             spin -search -DNOREDUCE {vector}-m1000000 -noclaim FILE\n"
        );
        for (error, claim) in self.instance.errors.iter().zip(&self.claims) {
            if error.formula != ErrorFormula::Deadlock {
                let _ = writeln!(text, "Whether it reaches `{}`:", error.name);
                let _ = writeln!(text, "  spin -search -DNOREDUCE {vector}-m1000000 -ltl {claim} FILE");
            }
        }
        text += "-m is how many steps deep Spin looks; it says so if that is not enough. The steps found, by name:\n  \
                 spin -t FILE\n";
        let text = text.replace("*/", "* /");
        format!("/*\n{} */\n\n", commented(&text, " * "))
    }

    fn declarations(&self, text: &mut String) {
        let Instance { system, net, tree, .. } = *self.instance;
        for (component_type, states) in system.types.iter().zip(&self.states) {
            for (number, (name, state)) in states.iter().zip(&component_type.states).enumerate() {
                let comment = format!("/* {}.{} */", component_type.name, state.name);
                let _ = writeln!(text, "#define {name} {number}  {comment}");
            }
        }
        text.push('\n');
        let preorder = self.instance.preorder();
        for (id, component) in net.components().enumerate() {
            let kind = match bits(component.state_count) {
                1 => "bit",
                8 => "byte",
                16 => "short",
                _ => "int",
            };
            let rule = &system.rules[tree.nodes[component.node].rule].label;
            let _ = writeln!(
                text,
                "{kind} {} = {};  /* {}: {rule} at node {} */",
                self.variables[id],
                self.state(id, component.initial),
                component.name,
                preorder[component.node],
            );
        }
        text.push('\n');
    }

    fn process(&self, text: &mut String) {
        let Instance { system, net, .. } = *self.instance;
        let is_final = all_final(system, net);
        if is_final == Condition::Final {
            let parts = net.components().indices().map(|id| is_at_rest(system, net, id)).collect();
            let _ = writeln!(text, "#define {} ({})\n", self.all_final, Condition::And(parts).write(self));
        }
        let preorder = self.instance.preorder();
        let _ = writeln!(text, "active proctype {}() {{\n  do", self.process);
        for (id, transition) in net.transitions().enumerate() {
            let _ = writeln!(text, "  /* {} */", self.instance.origin(id, &preorder));
            let _ = write!(text, "  :: d_step {{ {} -> ", self.guard(id));
            for m in transition.moves.iter().filter(|m| m.from != m.to) {
                let _ = write!(text, "{} = {}; ", self.variables[m.component], self.state(m.component, m.to));
            }
            let _ = writeln!(text, "printf(\"{}\\n\") }}", self.instance.title(id));
        }
        if is_final != Condition::Constant(false) {
            text.push_str("  /* termination: every component may rest */\n");
            let _ = writeln!(text, "  :: d_step {{ {} -> skip }}", is_final.write(self));
        } else if net.transitions().is_empty() {
            text.push_str("  /* there is no transition */\n  :: false\n");
        }
        text.push_str("  od\n}\n");
    }

    fn claims(&self, text: &mut String) -> Result<(), (usize, NotWritable)> {
        let Instance { system, net, errors, .. } = *self.instance;
        let asked = |formula: &ErrorFormula| *formula != ErrorFormula::Deadlock;
        // A deadlock as an error of its own is an invalid end state. As a part of others it has to be said.
        let mut body = String::new();
        for (position, (error, claim)) in errors.iter().zip(&self.claims).enumerate() {
            if !asked(&error.formula) {
                continue;
            }
            let condition =
                Condition::new(system, net, &error.formula).map_err(|reason| (position, reason))?;
            let _ =
                writeln!(body, "\n/* error {} */\nnever {claim} {{\n  do", error.name.replace("*/", "* /"));
            let _ = writeln!(body, "  :: {} -> break\n  :: else\n  od\n}}", condition.write(self));
        }
        if errors.iter().any(|error| asked(&error.formula) && mentions_deadlock(&error.formula)) {
            let guards = net.transitions().indices().map(|id| format!("!({})", self.guard(id)));
            let guards = if net.transitions().is_empty() {
                "true".to_owned()
            } else {
                itertools::join(guards, " && ")
            };
            let _ = writeln!(text, "\n#define {} ({guards})", self.dead);
        }
        text.push_str(&body);
        Ok(())
    }
}

/// The bits of a variable with so many values.
fn bits(values: usize) -> usize {
    match values {
        0..=2 => 1,
        3..=0x100 => 8,
        0x101..=0x8000 => 16,
        _ => 32,
    }
}

/// Without recursion, as this is asked of any formula.
fn mentions_deadlock(formula: &ErrorFormula) -> bool {
    let mut open = vec![formula];
    while let Some(formula) = open.pop() {
        match formula {
            ErrorFormula::Deadlock => return true,
            ErrorFormula::Not(inner) => open.push(inner),
            ErrorFormula::And(parts) | ErrorFormula::Or(parts) => open.extend(parts),
            ErrorFormula::Count(_) | ErrorFormula::Pattern(_) | ErrorFormula::Components(_) => {}
        }
    }
    false
}
