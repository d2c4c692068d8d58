//! The closure check: whatever a rule makes of listed configurations is covered by a listed one.
//!
//! For each rule, all combinations of its children's configurations, of initial and current states of
//! the components it creates, and of guesses for borrowed parameters that no child knows are formed
//! by joining one [`Table`] per atom. What remains over the head's parameters must be covered.
//!
//! Invariant: no combination is lost. A row disappears only where a dropped transition is enabled
//! (such a marking is not reachable) or where the error cannot come true any more.

use rustc_hash::{FxHashMap, FxHashSet};

use super::kind::Kind;
use super::premises;
use super::question::{Item, Question};
use super::rejection::{Fault, Nearest, Rejection, Section};
use super::resolve::{Claim, PartId, Resolved, Set, SetId, parameter_types, unpassed_parameters};
use super::table::{Entry, EntrySetId, Joiner, Meter, Plan, Rows, Shown, Store, Table};
use paramcheck_model::component::TypeId;
use paramcheck_model::rule::{Atom, InstanceAtom, PredicateAtom, PredicateId, Rule, RuleId, VariableId};
use paramcheck_text::index::{Idx, IndexVec};
use paramcheck_text::limits::{Budget, Stop};

/// Checks one proof.
///
/// # Errors
/// [`Fault::NotClosed`] or [`Fault::NotRefuted`] for the first failure, [`Rejection::Stopped`].
pub(super) fn check(
    question: &Question<'_>,
    resolved: &Resolved,
    section: Section,
    budget: &Budget,
) -> Result<(), Rejection> {
    let mut closure = Closure::new(question, resolved, section, budget);
    for rule in premises::occurring_rules(question.system) {
        closure.check_rule(rule)?;
    }
    closure.check_root()
}

/// What is known of the sets of a marking.
#[derive(Default)]
struct Available {
    /// Sets with their counts.
    counts: FxHashSet<(SetId, i64)>,
    /// Sets of kinds whose claims are lower bounds, with the best.
    bounds: FxHashMap<SetId, i64>,
}

impl Available {
    /// Whether `claim` follows. (No set is in both: it has one kind.)
    fn supports(&self, claim: &Claim) -> bool {
        self.counts.contains(&(claim.set, claim.marked))
            || self.bounds.get(&claim.set).is_some_and(|best| claim.marked <= *best)
    }
}

/// In how many tables each variable is.
struct Occurrences(FxHashMap<VariableId, usize>);

impl Occurrences {
    fn of(tables: &[Table]) -> Self {
        let mut counts = FxHashMap::default();
        for variable in tables.iter().flat_map(|table| &table.variables) {
            *counts.entry(*variable).or_insert(0) += 1;
        }
        Occurrences(counts)
    }

    /// Leaves a table out.
    fn remove(&mut self, table: &Table) {
        for variable in &table.variables {
            if let Some(count) = self.0.get_mut(variable) {
                *count = count.saturating_sub(1);
            }
        }
    }

    /// Whether a variable is in another table than the one of them that has the variables `own`.
    fn is_beside(&self, variable: VariableId, own: &[VariableId]) -> bool {
        let count = self.0.get(&variable).copied().unwrap_or(0);
        count > usize::from(own.contains(&variable))
    }
}

/// Configurations with the same predicate, places and error state.
type Covers = FxHashMap<(PredicateId, Shown), Vec<usize>>;

struct Closure<'a> {
    question: &'a Question<'a>,
    resolved: &'a Resolved,
    section: Section,
    store: Store,
    meter: Meter<'a>,
    /// Per predicate its configurations, as rows.
    configurations: IndexVec<PredicateId, Rows>,
    /// The configurations by what must be equal for one to cover a marking.
    covers: Covers,
}

impl<'a> Closure<'a> {
    fn new(question: &'a Question<'a>, resolved: &'a Resolved, section: Section, budget: &'a Budget) -> Self {
        let mut store = Store::new();
        let mut configurations: IndexVec<PredicateId, Rows> =
            question.system.predicates.iter().map(|_| Rows::default()).collect();
        let mut covers = Covers::default();
        for (position, configuration) in resolved.configurations.iter().enumerate() {
            let error = store.errors.number(question, configuration.error.clone());
            let entries = configuration.refuting.iter().map(|claim| {
                let set = resolved.sets.get(claim.set);
                let (kind, parts, initial) = (set.kind, set.parts.clone(), set.initial);
                Entry { kind, parts, initial, marked: claim.marked }
            });
            let entries = store.entry_set(entries);
            let shown = Shown { places: configuration.places.clone(), error };
            covers.entry((configuration.predicate, shown.clone())).or_default().push(position);
            configurations[configuration.predicate].entry(shown).or_default().insert(entries);
        }
        let meter = Meter::new(budget);
        Closure { question, resolved, section, store, meter, configurations, covers }
    }

    fn fault(&self, fault: Fault) -> Rejection {
        Rejection::Proof { section: self.section, fault: Box::new(fault) }
    }

    fn check_rule(&mut self, rule_id: RuleId) -> Result<(), Rejection> {
        let rule = &self.question.system.rules[rule_id];
        let mut items = self.question.items(rule_id);
        let result = self.fold(rule_id, rule, &mut items)?;
        let heads: Vec<VariableId> = (0..rule.parameter_count).map(VariableId::new).collect();
        if !items.is_empty() || result.variables != heads {
            let problem = "some variable has no owner".to_owned();
            return Err(Rejection::Model { rule: rule.label.clone(), problem });
        }
        let mut available: FxHashMap<EntrySetId, Available> = FxHashMap::default();
        for (shown, entry_sets) in result.rows {
            let key = (rule.head, shown);
            let candidates = self.covers.get(&key).map_or(&[][..], Vec::as_slice);
            for entries in entry_sets {
                self.meter.tick()?;
                let available =
                    available.entry(entries).or_insert_with(|| self.available(rule.head, entries));
                let follows = |candidate: &usize| {
                    let claims = &self.resolved.configurations[*candidate].refuting;
                    claims.iter().all(|claim| available.supports(claim))
                };
                if !candidates.iter().any(follows) {
                    let nearest = candidates.first().map(|candidate| {
                        let claims = self.resolved.configurations[*candidate].refuting.iter();
                        let is_unfounded = |claim: &&Claim| !available.supports(claim);
                        let unfounded = claims.filter(is_unfounded).map(|claim| claim.position).collect();
                        Nearest { configuration: *candidate, unfounded }
                    });
                    return Err(self.fault(self.not_closed(rule, &key.1, nearest)));
                }
            }
        }
        Ok(())
    }

    /// The listed sets, with counts, that a set of entries over the head's parameters amounts to.
    fn available(&self, predicate: PredicateId, entries: EntrySetId) -> Available {
        let mut available = Available::default();
        for number in self.store.entry_sets.get(entries) {
            let entry = self.store.entries.get(*number);
            let (kind, parts, initial) = (entry.kind, entry.parts.clone(), entry.initial);
            // A set that is not listed cannot be claimed: nothing is lost by leaving it out.
            let Some(set) = self.resolved.sets.find(&Set { predicate, kind, parts, initial }) else {
                continue;
            };
            if kind.is_lower_bound() {
                let best = available.bounds.entry(set).or_insert(entry.marked);
                *best = entry.marked.max(*best);
            } else {
                available.counts.insert((set, entry.marked));
            }
        }
        available
    }

    fn not_closed(&self, rule: &Rule, shown: &Shown, nearest: Option<Nearest>) -> Fault {
        let system = self.question.system;
        Fault::NotClosed {
            rule: rule.label.clone(),
            predicate: system.predicates[rule.head].name.clone(),
            places: shown
                .places
                .iter()
                .map(|(component, state)| system.state_name(*component, *state))
                .collect(),
            error: self.store.errors.get(shown.error).clone(),
            nearest,
        }
    }

    /// Joins the tables of all atoms, choosing each time the one after which the fewest variables have
    /// to be remembered.
    fn fold(
        &mut self,
        rule_id: RuleId,
        rule: &Rule,
        items: &mut Vec<(Vec<VariableId>, Item)>,
    ) -> Result<Table, Stop> {
        let is_parameter = |variable: VariableId| variable.index() < rule.parameter_count;
        let everything = self.unit();
        let mut waiting = Vec::new();
        let atoms = self.atom_tables(rule_id, rule);
        let occurrences = Occurrences::of(&atoms);
        for table in &atoms {
            self.meter.check()?;
            // First what an atom can be relieved of by itself.
            let is_elsewhere = |variable| occurrences.is_beside(variable, &table.variables);
            let plan = Plan::new(&[], &table.variables, items, |v| is_parameter(v) || is_elsewhere(v));
            waiting.push(self.join(rule_id, &everything, table, &plan)?);
        }
        let mut result = everything;
        let mut occurrences = Occurrences::of(&waiting);
        while !waiting.is_empty() {
            let mut best: Option<((usize, usize), usize)> = None;
            for (chosen, table) in waiting.iter().enumerate() {
                self.meter.check()?;
                let is_elsewhere = |variable| occurrences.is_beside(variable, &table.variables);
                let is_needed = |variable| is_parameter(variable) || is_elsewhere(variable);
                let (width, done) = Plan::cost(&result.variables, &table.variables, items, is_needed);
                let cost = (width, usize::MAX - done);
                if best.is_none_or(|(least, _)| cost < least) {
                    best = Some((cost, chosen));
                }
            }
            let Some((_, chosen)) = best else { break };
            let table = waiting.remove(chosen);
            occurrences.remove(&table);
            let is_needed = |variable| is_parameter(variable) || occurrences.is_beside(variable, &[]);
            let plan = Plan::new(&result.variables, &table.variables, items, is_needed);
            result = self.join(rule_id, &result, &table, &plan)?;
        }
        Ok(result)
    }

    fn join(&mut self, rule: RuleId, left: &Table, right: &Table, plan: &Plan) -> Result<Table, Stop> {
        let (question, parts) = (self.question, &self.resolved.parts);
        let mut joiner = Joiner { question, parts, rule, store: &mut self.store, meter: &mut self.meter };
        joiner.join(left, right, plan)
    }

    /// The table of no atom at all: one row, and the empty set of every kind in use.
    fn unit(&mut self) -> Table {
        let kinds: FxHashSet<_> = self.resolved.sets.iter().map(|set| set.kind).collect();
        let entries = kinds.into_iter().map(|kind| Entry { kind, parts: [].into(), initial: 0, marked: 0 });
        let entries = self.store.entry_set(entries);
        let error = self.store.errors.number(self.question, self.question.formula.empty_state());
        let shown = Shown { places: [].into(), error };
        let rows = Rows::from_iter([(shown, FxHashSet::from_iter([entries]))]);
        Table { variables: Vec::new(), rows }
    }

    /// One table per atom, and one per borrowed parameter that no atom knows.
    fn atom_tables(&mut self, rule_id: RuleId, rule: &Rule) -> Vec<Table> {
        let mut tables = Vec::new();
        for atom in &rule.atoms {
            tables.push(match atom {
                Atom::Instance(instance) => self.instance_table(rule_id, instance),
                Atom::Predicate(call) => self.predicate_table(rule, call),
            });
        }
        let unpassed: Vec<VariableId> = unpassed_parameters(self.question.system, rule).collect();
        tables.extend(unpassed.into_iter().map(|variable| self.guess_table(rule_id, rule, variable)));
        tables
    }

    /// The configurations of a predicate, its parameters named as the atom does. Another rule may pass
    /// the predicate a component of a type that this one never has; such configurations don't count.
    /// (That the types of a variable are all that it can have is a premise, see `premises`.)
    fn predicate_table(&self, rule: &Rule, call: &PredicateAtom) -> Table {
        let fits = |shown: &Shown| {
            let mut arguments = call.arguments.iter().zip(&shown.places);
            arguments.all(|(variable, (component, _))| rule.variables[*variable].types.contains(component))
        };
        let all = self.configurations[call.predicate].iter();
        let fitting = all.filter(|(shown, _)| fits(shown));
        let rows = fitting.map(|(shown, entries)| (shown.clone(), entries.clone())).collect();
        Table { variables: call.arguments.clone(), rows }
    }

    /// What a component created here can show: any of its initial states, any current state.
    fn instance_table(&mut self, rule: RuleId, instance: &InstanceAtom) -> Table {
        let component = instance.component;
        let definition = &self.question.system.types[component];
        let choices = self.choices(rule, instance.variable, component, true);
        let mut rows = Rows::default();
        for (state, current) in definition.states.enumerate() {
            let can_move_alone = definition.internal_transitions().any(|(_, t)| t.from == state);
            let formula = &self.question.formula;
            let error = formula.component_state(component, state, current.is_final, can_move_alone);
            let error = self.store.errors.number(self.question, error);
            if !self.store.errors.is_possible(error) {
                continue;
            }
            for initial in &instance.initial {
                let entries = choices.iter().filter_map(|(kind, id)| {
                    let part = self.resolved.parts.get(*id);
                    let (start, now) = (part.weight(*initial), part.weight(state));
                    let (initial, marked) = (kind.initial_of(start), kind.marked_of(start, now));
                    let entry = Entry { kind: *kind, parts: [*id].into(), initial, marked };
                    kind.is_useful(initial, marked).then_some(entry)
                });
                let entries = self.store.entry_set(entries);
                let shown = Shown { places: [(component, state)].into(), error };
                rows.entry(shown).or_default().insert(entries);
            }
        }
        Table { variables: vec![instance.variable], rows }
    }

    /// What a component created elsewhere can show: any type the parameter can be, any state. It is
    /// counted where it is created.
    fn guess_table(&mut self, rule_id: RuleId, rule: &Rule, variable: VariableId) -> Table {
        let system = self.question.system;
        let error = self.store.errors.number(self.question, self.question.formula.empty_state());
        let mut rows = Rows::default();
        for component in parameter_types(system, rule.head, variable.index()) {
            let choices = self.choices(rule_id, variable, *component, false);
            let entries = choices
                .into_iter()
                .map(|(kind, id)| Entry { kind, parts: [id].into(), initial: 0, marked: 0 })
                .filter(|entry| entry.kind.is_useful(0, 0));
            let entries = self.store.entry_set(entries);
            for state in system.types[*component].states.indices() {
                let shown = Shown { places: [(*component, state)].into(), error };
                rows.entry(shown).or_default().insert(entries);
            }
        }
        Table { variables: vec![variable], rows }
    }

    /// The listed choices for what a set contains of a component; of one created here, its internal
    /// transitions must keep the invariant.
    fn choices(
        &self,
        rule: RuleId,
        variable: VariableId,
        component: TypeId,
        is_created: bool,
    ) -> Vec<(Kind, PartId)> {
        let listed = self.resolved.choices.get(&(rule, variable)).map_or(&[][..], Vec::as_slice);
        let is_choice = |(kind, id): &(Kind, PartId)| {
            let part = self.resolved.parts.get(*id);
            part.component == component && (!is_created || self.question.keeps_internal(*kind, part))
        };
        listed.iter().copied().filter(is_choice).collect()
    }

    /// Whether every configuration of the root that is an error is refuted.
    fn check_root(&self) -> Result<(), Rejection> {
        let root = self.question.system.root;
        for (position, configuration) in self.resolved.configurations.iter().enumerate() {
            if configuration.predicate != root || !self.question.formula.holds(&configuration.error) {
                continue;
            }
            let is_refuted = configuration.refuting.iter().any(|claim| {
                let set = self.resolved.sets.get(claim.set);
                set.kind.refutes(set.initial, claim.marked)
            });
            if !is_refuted {
                return Err(self.fault(Fault::NotRefuted { configuration: position }));
            }
        }
        Ok(())
    }
}
