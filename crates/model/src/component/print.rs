//! Component types as text, which can be read again.

use paramcheck_text::reading::Ident;
use paramcheck_text::source::Span;

use crate::component::{StateId, TypeId};
use crate::syntax::ast::{Component, ComponentItem, Item, Model, StateSet, Transition};
use crate::system::System;

/// Prints a component type in the canonical form of models. There is no line break at the end.
pub fn print_component(system: &System, component: TypeId) -> String {
    let definition = &system.types[component];
    let ident = |text: &str| Ident { text: text.to_owned(), span: Span::default() };
    let state = |id: StateId| ident(&definition.states[id].name);
    let mut items = vec![ComponentItem::States(definition.states.indices().map(state).collect())];
    if !definition.initial.is_empty() {
        items.push(ComponentItem::Init(StateSet::Names(
            definition.initial.iter().copied().map(state).collect(),
        )));
    }
    let is_final = |id: &StateId| definition.states[*id].is_final;
    let finals: Vec<Ident> = definition.states.indices().filter(is_final).map(state).collect();
    if !finals.is_empty() {
        items.push(ComponentItem::Final(StateSet::Names(finals)));
    }
    items.extend(definition.transitions.iter().map(|transition| {
        ComponentItem::Transition(Transition {
            from: state(transition.from),
            port: transition.port.map(|port| ident(&system.ports[port])),
            to: state(transition.to),
            span: Span::default(),
        })
    }));
    let component = Component { name: ident(&definition.name), items, span: Span::default() };
    crate::syntax::print(&Model { items: vec![Item::Component(component)] }).trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lower::load;

    #[test]
    fn a_component_type_is_read_again_as_it_was() {
        let text = "component Gate { states shut, open, gone; final shut, gone;
                shut -lift-> open; open -drop-> shut; open -> gone; gone -lift-> gone; }
            component Fan { states on; init on; on -lift-> on; on -drop-> on; }
            Main() <- new g, f . <lift(g) lift(f) + drop(g) drop(f)> (Gate[shut, open](g), Fan(f));";
        let system = load(text).system.unwrap();
        let (printed, rules) = (
            system.types.indices().map(|id| print_component(&system, id)).collect::<Vec<_>>(),
            text.split_once("Main").map(|(_, rules)| format!("Main{rules}")).unwrap(),
        );
        assert_eq!(printed[1].lines().next(), Some("component Fan {"));
        let again = load(&format!("{}\n{rules}", printed.join("\n"))).system.unwrap();
        assert_eq!(again.types, system.types);
        assert_eq!(printed.len(), 2);
    }
}
