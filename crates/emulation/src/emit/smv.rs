//! Instances for NuSMV: one module that fires one transition per step.
//!
//! Each component is a variable over its states; an input variable says which transition fires, and may
//! only choose an enabled one. In dead markings it chooses none and the marking stays: NuSMV wants a next
//! state everywhere. So the reachable states are the reachable markings, and every error an invariant that
//! must hold in none of them.
//!
//! Each transition is mentioned once per component that it moves, so the text is linear. Rejected: a
//! disjunction of transitions, each of which would have to say of every other component that it stays.

use std::fmt::Write as _;

use itertools::Itertools;

use crate::emit::condition::{Condition, Language, Term, all_final, is_at_rest};
use crate::emit::names::Names;
use crate::emit::{Instance, NotWritable, commented};
use paramcheck_model::component::{StateId, TypeId};
use paramcheck_model::error::Comparison;
use paramcheck_nets::instance::net::{ComponentId, NetTransitionId};
use paramcheck_text::index::IndexVec;

/// What a name must not be.
#[rustfmt::skip]
pub const KEYWORDS: &[&str] = &[
    "A", "ABF", "ABG", "abs", "AF", "AG", "array", "ASSIGN", "AX", "bool", "boolean", "BU", "case", "COMPASSION",
    "COMPID", "COMPUTE", "COMPWFF", "CONSTANTS", "CONSTARRAY", "CONSTRAINT", "count", "CTLSPEC", "CTLWFF",
    "DEFINE", "E", "EBF", "EBG", "EF", "EG", "esac", "EX", "extend", "F", "FAIRNESS", "FALSE", "floor",
    "FROZENVAR", "FUN", "G", "GOTO", "H", "IN", "in", "INCONTEXT", "INIT", "init", "integer", "INVAR", "INVARSPEC",
    "ISA", "ITYPE", "IVAR", "JUSTICE", "LTLSPEC", "LTLWFF", "max", "MAX", "MDEFINE", "min", "MIN", "MIRROR",
    "mod", "MODULE", "NAME", "next", "NEXT", "noncontinuous", "O", "of", "PARSYNTH", "pi", "PRED", "PREDICATES",
    "process", "PSLSPEC", "PSLWFF", "READ", "real", "resize", "S", "self", "signed", "SIMPWFF", "sizeof",
    "SPEC", "swconst", "T", "time", "TRANS", "TRUE", "typeof", "U", "union", "unsigned", "URGENT", "uwconst",
    "V", "VALID", "VAR", "Wants", "word", "word1", "WRITE", "X", "xnor", "xor", "Y", "Z",
    "always", "assert", "assume", "before", "clock", "const", "cover", "endpoint", "eventually", "fairness",
    "forall", "forany", "inf", "inherit", "instance", "is", "main", "never", "next_a", "next_e", "next_event",
    "property", "report", "rose", "fell", "prev", "sequence", "strong", "true", "false", "until", "vmode",
    "vprop", "vunit", "whilenot", "within", "abort", "not", "and", "or", "to", "rest",
];

/// The instance for NuSMV.
///
/// # Errors
/// An error, by its position, that NuSMV can't say.
pub fn smv(instance: &Instance<'_>) -> Result<String, (usize, NotWritable)> {
    let writer = Writer::new(instance);
    let mut text = writer.heading();
    writer.variables(&mut text);
    writer.definitions(&mut text);
    writer.transitions(&mut text);
    writer.invariants(&mut text)?;
    Ok(text)
}

/// The names of everything, chosen before anything is written.
struct Writer<'a> {
    instance: &'a Instance<'a>,
    /// Per component its variable.
    variables: IndexVec<ComponentId, String>,
    /// Per type and state its value; states of one name have one value.
    states: IndexVec<TypeId, IndexVec<StateId, String>>,
    /// Per transition the value that says it fires, and what says that it may.
    transitions: IndexVec<NetTransitionId, [String; 2]>,
    /// Per error the name of its invariant.
    errors: Vec<String>,
    fire: String,
    none: String,
    dead: String,
    all_final: String,
}

impl Language for Writer<'_> {
    const CONSTANTS: [&'static str; 2] = ["FALSE", "TRUE"];
    const CONNECTIVES: [&'static str; 2] = [" & ", " | "];

    fn comparison(&self, comparison: Comparison) -> &'static str {
        match comparison {
            Comparison::Equal => "=",
            other => other.symbol(),
        }
    }

    fn dead(&self) -> String {
        self.dead.clone()
    }

    fn is_final(&self) -> String {
        self.all_final.clone()
    }

    fn is_in(&self, component: ComponentId, states: &[StateId]) -> String {
        let variable = &self.variables[component];
        match states {
            &[state] => format!("{variable} = {}", self.state(component, state)),
            _ => {
                let values = itertools::join(states.iter().map(|&state| self.state(component, state)), ", ");
                format!("({variable} in {{{values}}})")
            }
        }
    }

    fn sum(&self, terms: &[Term]) -> String {
        // One count per weight.
        let mut weights: Vec<u64> = terms.iter().map(|term| term.weight).collect();
        weights.sort_unstable();
        weights.dedup();
        let counts = weights.iter().map(|&weight| {
            let alike = terms.iter().filter(|term| term.weight == weight);
            let inside = itertools::join(alike.map(|term| self.is_in(term.component, &term.states)), ", ");
            let factor = if weight == 1 { String::new() } else { format!("{weight} * ") };
            format!("{factor}count({inside})")
        });
        itertools::join(counts, " + ")
    }
}

impl<'a> Writer<'a> {
    fn new(instance: &'a Instance<'a>) -> Self {
        let (system, net) = (instance.system, instance.net);
        let mut names = Names::new(KEYWORDS);
        let mut values: rustc_hash::FxHashMap<&str, String> = rustc_hash::FxHashMap::default();
        let mut states = IndexVec::new();
        for component_type in &system.types {
            let own: IndexVec<StateId, String> = component_type
                .states
                .iter()
                .map(|state| values.entry(&state.name).or_insert_with(|| names.take(&state.name)).clone())
                .collect();
            states.push(own);
        }
        let variables = net.components().iter().map(|component| names.take(&component.name)).collect();
        // Properties have names of their own, which may be those of variables.
        let mut properties = Names::new(KEYWORDS);
        let errors = instance.errors.iter().map(|error| properties.take(&error.name)).collect();
        let [fire, none, dead, all_final] =
            ["fire", "none", "dead", "all_final"].map(|name| names.take(name));
        let transitions = (1..=net.transitions().len())
            .map(|number| [names.take(&format!("t{number}")), names.take(&format!("enabled_{number}"))])
            .collect();
        Writer { instance, variables, states, transitions, errors, fire, none, dead, all_final }
    }

    fn state(&self, component: ComponentId, state: StateId) -> &str {
        &self.states[self.instance.net.components()[component].component_type][state]
    }

    fn heading(&self) -> String {
        let text = self.instance.heading(true)
            + "\nEach error is an invariant that is false where it is reached. NuSMV says which, how, and with -r how\n\
               many states are reachable: as many as markings.\n  NuSMV -r FILE\n\n";
        commented(&text, "-- ")
    }

    fn variables(&self, text: &mut String) {
        let Instance { system, net, tree, .. } = *self.instance;
        let preorder = self.instance.preorder();
        text.push_str("MODULE main\n\nIVAR\n");
        let values =
            itertools::join(self.transitions.iter().map(|[value, _]| value).chain([&self.none]), ", ");
        let _ = writeln!(text, "  {} : {{{values}}};", self.fire);
        text.push_str("\nVAR\n");
        for (id, component) in net.components().enumerate() {
            let states = itertools::join(&self.states[component.component_type], ", ");
            let rule = &system.rules[tree.nodes[component.node].rule].label;
            let comment = format!("-- {}: {rule} at node {}", component.name, preorder[component.node]);
            let _ = writeln!(text, "  {} : {{{states}}};  {comment}", self.variables[id]);
        }
    }

    fn definitions(&self, text: &mut String) {
        let Instance { system, net, .. } = *self.instance;
        let preorder = self.instance.preorder();
        text.push_str("\nDEFINE\n");
        for (id, transition) in net.transitions().enumerate() {
            let guard = transition.moves.iter().map(|m| self.is_in(m.component, &[m.from]));
            let _ =
                writeln!(text, "  -- {} ({})", self.instance.title(id), self.instance.origin(id, &preorder));
            let _ = writeln!(text, "  {} := {};", self.transitions[id][1], itertools::join(guard, " & "));
        }
        let enabled = itertools::join(self.transitions.iter().map(|[_, enabled]| enabled), " | ");
        let enabled = if enabled.is_empty() { "FALSE" } else { &enabled };
        let _ = writeln!(text, "  {} := !({enabled});", self.dead);
        if all_final(system, net) == Condition::Final {
            let parts = net.components().indices().map(|id| is_at_rest(system, net, id)).collect();
            let _ = writeln!(text, "  {} := {};", self.all_final, Condition::And(parts).write(self));
        }
    }

    fn transitions(&self, text: &mut String) {
        let net = self.instance.net;
        let fire = &self.fire;
        text.push('\n');
        for [value, enabled] in &self.transitions {
            let _ = writeln!(text, "TRANS {fire} = {value} -> {enabled}");
        }
        text.push_str("-- a step that changes nothing where no transition is enabled\n");
        let _ = writeln!(text, "TRANS {fire} = {} -> {}", self.none, self.dead);
        if net.components().iter().any(|component| component.state_count > 1) {
            text.push_str("\nASSIGN\n");
        }
        // NuSMV makes a variable of one value a constant, which has no assignment.
        for (id, component) in net.components().enumerate().filter(|(_, component)| component.state_count > 1)
        {
            let variable = &self.variables[id];
            let _ = writeln!(text, "  init({variable}) := {};", self.state(id, component.initial));
            // What it becomes by which transitions.
            let mut moves: Vec<(StateId, NetTransitionId)> = Vec::new();
            for &transition in net.transitions_of(id) {
                let own = net.transitions()[transition].moves.iter();
                moves.extend(own.filter(|m| m.component == id && m.from != m.to).map(|m| (m.to, transition)));
            }
            moves.sort_unstable();
            if moves.is_empty() {
                let _ = writeln!(text, "  next({variable}) := {variable};");
                continue;
            }
            let _ = writeln!(text, "  next({variable}) := case");
            for (to, group) in &moves.iter().chunk_by(|(to, _)| *to) {
                let values =
                    itertools::join(group.map(|(_, transition)| &self.transitions[*transition][0]), ", ");
                let _ = writeln!(text, "      {fire} in {{{values}}} : {};", self.state(id, to));
            }
            let _ = writeln!(text, "      TRUE : {variable};\n    esac;");
        }
    }

    fn invariants(&self, text: &mut String) -> Result<(), (usize, NotWritable)> {
        let Instance { system, net, errors, .. } = *self.instance;
        for (position, (error, name)) in errors.iter().zip(&self.errors).enumerate() {
            let condition =
                Condition::new(system, net, &error.formula).map_err(|reason| (position, reason))?;
            let _ = writeln!(text, "\n-- error {}", error.name);
            let _ = writeln!(text, "INVARSPEC NAME {name} := !({});", condition.write(self));
        }
        Ok(())
    }
}
