//! Tests of packing, and of conditions against their definition.

use super::*;
use crate::explore::system::Wide;
use crate::instance::enumerate::trees;
use crate::instance::marking::Marking;
use crate::instance::net::{ComponentId, Net};
use crate::instance::tests::{RuleParts, component, system};
use crate::instance::unfold::unfold;
use paramcheck_model::component::StateId;

/// Components with these numbers of states and no transitions.
fn net(states: &[usize]) -> Net {
    let types = states.iter().enumerate().map(|(number, &count)| {
        let names: Vec<String> = (0..count).map(|state| format!("s{state}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        component(&format!("T{number}"), &names, &[0], &[])
    });
    let instances: Vec<(usize, &[usize], usize)> = (0..states.len()).map(|v| (v, &[0][..], v)).collect();
    let rule = RuleParts {
        head: 0,
        variables: (0, states.len()),
        instances: &instances,
        calls: &[],
        interactions: &[],
    };
    let system = system(types.collect(), &[], &[("P", &[])], &[rule]);
    unfold(&system, &trees(&system, states.len()).next().unwrap())
}

/// Numbers that look like chance.
fn numbers() -> impl FnMut(usize) -> usize {
    let mut state = 1_u64;
    move |bound| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % bound
    }
}

const NETS: [&[usize]; 5] =
    [&[1], &[2, 3, 1, 5], &[70_000, 2, 4, 1, 9], &[300; 12], &[1, 1, 64, 65, 2, 2, 2, 33, 17, 3, 1000, 1, 7]];

#[test]
fn markings_are_packed_and_unpacked_and_keep_their_order() {
    let mut number = numbers();
    for states in NETS {
        let net = net(states);
        let layout = Layout::new(&net);
        let mut last: Option<(Marking, Wide)> = None;
        for _ in 0..200 {
            let marking: Marking = states.iter().map(|&count| StateId::new(number(count))).collect();
            let packed: Wide = layout.pack(&marking);
            assert_eq!(layout.unpack(&packed), marking);
            for (component, &state) in marking.enumerate() {
                assert_eq!(StateId::from(layout.get(&packed, component)), state);
            }
            if let Some((other, other_packed)) = last {
                let (one, two) = (other.as_slice(), marking.as_slice());
                assert_eq!(one.cmp(two), other_packed.cmp(&packed));
                let mut changed = packed.clone();
                let mut differences = Vec::new();
                for (component, &state) in other.enumerate() {
                    layout.set(&mut changed, component, state);
                    differences.push(layout.difference(component, marking[component], state));
                }
                assert_eq!(changed, other_packed);
                assert_eq!(packed.changed(&Wide::delta(&differences)), other_packed);
            }
            last = Some((marking, packed));
        }
    }
}

#[test]
fn conditions_hold_where_their_definition_says_so() {
    let mut number = numbers();
    for states in NETS {
        let net = net(states);
        let layout = Layout::new(&net);
        let conditions: Vec<Condition> = (0..150)
            .map(|_| {
                let mut condition = Vec::new();
                for (component, &count) in states.iter().enumerate() {
                    if number(3) == 0 {
                        let several = if count <= 64 { 1 + number(3) } else { 1 };
                        let list = (0..several).map(|_| Value::new(number(count.min(3)))).collect();
                        condition.push((FieldId::new(component), list));
                    }
                }
                condition
            })
            .collect();
        let cubes = Cubes::new(&layout, &conditions, &Budget::unlimited()).unwrap();
        // Several states are distinguished only where they are few.
        let is_coarse = |(field, list): &(FieldId, Vec<Value>)| states[field.index()] > 64 && list.len() != 1;
        assert_eq!(cubes.is_none(), conditions.iter().flatten().any(is_coarse));
        let cubes = cubes.unwrap();
        for _ in 0..200 {
            let marking: Marking = states.iter().map(|&count| StateId::new(number(count.min(3)))).collect();
            let packed: Wide = layout.pack(&marking);
            let mut holding = Vec::new();
            cubes.holding(&packed, |condition| holding.push(condition));
            let is_met = |condition: &Condition| {
                condition
                    .iter()
                    .all(|(field, list)| list.contains(&marking[ComponentId::new(field.index())].into()))
            };
            let expected: Vec<usize> =
                (0..conditions.len()).filter(|&number| is_met(&conditions[number])).collect();
            assert_eq!(holding, expected);
            assert_eq!(cubes.any_holds(&packed), !expected.is_empty());
        }
    }
    let wide = net(&[100]);
    let several = vec![vec![(FieldId::new(0), vec![Value::new(1), Value::new(2)])]];
    let cubes = |budget| Cubes::new(&Layout::new(&wide), &several, &budget);
    assert!(cubes(Budget::unlimited()).unwrap().is_none());
}
