//! Typical mistakes and what is reported.

use super::{NODE, show};

/// Snapshots of a text behind `component Node`.
macro_rules! mistakes {
    ($($name:ident: $text:literal)*) => {$(
        #[test]
        fn $name() {
            insta::assert_snapshot!(stringify!($name), show(&format!("{NODE}{}", $text)));
        }
    )*};
}

mistakes! {
    two_component_types_of_one_name: "component Node { states a; init a; }\nSys() <- new x . <out(x) + in(x)> (Node(x));"
    two_states_of_one_name: "component Two { states a, b, a; init a; }\nSys() <- new x . (Two(x));"
    init_and_final_twice: "component Two { states a, b; init a; init b; final a; final *; }\nSys() <- new x . (Two(x));"
    a_predicate_named_as_a_component_type: "Sys() <- new x . (Node(x));\nNode(x) <- <out(x)> (Node(x));"
    no_states_at_all: "component None { }\nSys() <- new x . (None(x));"
    transition_from_unknown_state: "component Two { states left, right; init left; left -go-> rigth; l -go-> right; }\nSys() <- new x . <go(x)> (Two(x));"
    init_of_unknown_state: "component Two { states left, right; init lefft, middle; left -go-> right; }\nSys() <- new x . <go(x)> (Two(x));"
    no_init_and_no_brackets: "component Two { states left, right; left -go-> right; }\nSys() <- new x, y . <go(x) + go(y)> (Two(x), Two[right](y));"
    brackets_behind_a_predicate: "Sys() <- new x . <out(x) + in(x)> (Sub[idle](x));\nSub(x) <- Node[*](x);"
    brackets_with_unknown_state: "Sys() <- new x . <out(x) + in(x)> (Node[bussy](x));"
    unknown_predicate: "Sys() <- new x, y . <out(x) in(y)> (Chian(x, y), Other(x));\nChain(x, y) <- <out(x) in(y)> (Node(x), Node(y));"
    unknown_port_everywhere: "Sys() <- new x, y . <outt(x) in(y) + outt(y) in(x)> (Node(x), Node(y));"
    state_where_a_port_is_meant: "Sys() <- new x, y . <busy(x) in(y)> (Node(x), Node(y));"
    port_where_a_state_is_meant: "Sys() <- new x, y . <out(x) in(y)> forbid <out(x) out(y)> (Node(x), Node(y));"
    too_many_arguments: "Sys() <- new x, y . <out(x, y) in(y)> (Node(x, y), Node(y));"
    rules_of_different_arity: "Sys() <- new x, y . <out(x) in(y)> (Sub(x, y));\nSub(x, y) <- (Node(x), Node(y));\nSub(x) <- Node(x);"
    first_rule_of_another_arity: "Sys() <- new x, y . <out(x) in(y)> (Sub(x, y));\nSub(x) <- Node(x);\nSub(x, y) <- (Node(x), Node(y));"
    one_argument_too_few: "Sys() <- new f, l . <out(l) in(f)> (Chain(f, l));\nChain(x, z) <- <out(x) in(z)> (Node(x), Node[busy](z));\nChain(x, z) <- new y . <out(x) in(y)> (Node(x), Chain(y));"
    nothing_is_near: "link pass(x, y) = <out(x) in(y)>;\nSys() <- new x, y . <send(x) in(y) + send2(x, y) + pass(x, y)> forbid <closed(x)> (Node(x), Node(y));\nerror full = #qqqq >= 1 | #Zzzz.idle >= 1 | wwww;"
    unbound_variables: "Sys() <- new first, x . <out(frist) in(x)> (Node(first), Node(x), Node(z));"
    variables_bound_twice: "Sys() <- new x, y, x . <out(x) in(y)> (Sub(x, y));\nSub(a, a) <- new a . <out(a)> (Node(a));"
    one_argument_twice: "Sys() <- new x . (Sub(x, x));\nSub(x, y) <- <out(x) in(y)> (Node(x), Node(y));"
    a_component_meets_itself: "Sys() <- new x . <out(x) in(x)> forbid <busy(x) idle(x)> (Node(x));"
    never_created: "Sys() <- new x, y . <out(x) in(y)> (Sub(x, y));\nSub(x, y) <- new z . <out(y) in(z)> (Node(x), Node(z));"
    created_twice_by_predicates: "Sys() <- new x, y . <out(x) in(y)> (Node(y), Sub(x), Sub(y));\nSub(x) <- Node(x);"
    created_in_one_rule_only: "Sys() <- new x, y . <out(x) in(y)> (Sub(x, y));\nSub(x, y) <- Node(x) | new z . <out(z)> (Node(x), Node(z), Rest(y));\nRest(y) <- Node(y);"
    port_of_another_type: "component Plain { states p, q; init p; p -tick-> q; }\nSys() <- new x, y . <tick(x) in(y) + tick(y)> (Chain(x), Plain(y));\nChain(x) <- new y . <out(x) in(y) + in(x) out(y)> (Node(x), Chain(y)) | <out(x)> (Plain(x)) | Node(x);"
    port_of_another_type_by_a_link: "component Plain { states p; init p; p -tick-> p; }\nlink pass(x, y) = <out(x) in(y)>;\nSys() <- new x, y . <pass(x, y) + tick(y) + in(x)> (Node(x), Plain(y));"
    state_of_another_type: "component Plain { states p; init p; p -tick-> p; }\nSys() <- new x, y . <out(x) tick(y) + in(x)> forbid <p(x) p(y) + Plain.p(x) + Node.idel(x) + Nod.idle(x)> (Node(x), Plain(y));"
    a_link_inside_an_interaction: "link pass(x, y) = <out(x) in(y)>;\nSys() <- new x, y . <pass(x, y) in(y) + pas(x, y) + pass(x)> (Node(x), Node(y));"
    a_link_that_lets_a_variable_meet_itself: "link pass(x, y) = <in(x) + out(x) in(y)>;\nlink both(x, y) = <pass(x, y) + pass(y, x)>;\nSys() <- new x . <both(x, x)> (Node(x));"
    cyclic_links: "link a(x) = <b(x)>;\nlink b(x) = <c(x) + out(x)>;\nlink c(x) = <a(x)>;\nlink d(x) = <a(x) + d(x)>;\nSys() <- new x . <d(x)> (Node(x));"
    a_link_named_as_a_port: "link out(x, y) = <out(x) in(y)>;\nSys() <- new x, y . <out(x, y)> (Node(x), Node(y));"
    unknown_names_in_errors: "Sys() <- new x . <out(x) + in(x)> (Node(x));\nerror crowd = #bussy >= 2 | #Node.idel >= 1 | #Nod.idle == 0;\nerror twice = crowds | critical | busy | forbidden;"
    cyclic_errors: "Sys() <- new x . <out(x) + in(x)> (Node(x));\nerror one = two & deadlock;\nerror two = !three;\nerror three = one | one;\nerror four = four;"
    names_of_errors_that_are_not_free: "Sys() <- new x . <out(x) + in(x)> forbid near <busy(x)> forbid deadlock <busy(x)> (Node(x));\nerror near = #busy >= 2;\nerror deadlock = #busy >= 2;\nerror more = deadlock;\nerror more = near;"
    comparisons_that_never_change: "Sys() <- new x . <out(x) + in(x)> (Node(x));\nerror always = #busy >= 0;\nerror never = #busy < 0 | #busy + #busy == 3;"
    no_rule: ""
    first_rule_with_parameters: "Sub(x) <- <out(x) + in(x)> (Node(x));\nSys() <- new x . (Sub(x));"
    only_rules_with_parameters: "Sub(x) <- <out(x) + in(x)> (Node(x));"
    system_named_wrongly: "Sys() <- new x . <out(x) + in(x)> (Node(x));\nsystem Sis;"
    system_is_a_component_type: "Sys() <- new x . <out(x) + in(x)> (Node(x));\nsystem Node;"
    system_twice_and_with_parameters: "Sys() <- new x . (Sub(x));\nSub(x) <- <out(x) + in(x)> (Node(x));\nsystem Sub;\nsystem Sys;"
    no_finite_tree: "Sys() <- new x, y . <out(x) in(y)> (A(x), B(y));\nA(x) <- new y . <out(x) in(y)> (Node(x), C(y));\nC(x) <- A(x);\nB(x) <- Node(x);\nB(x) <- B(x);"
    written_twice: "Sys() <- new x, y . <out(x) in(y) + in(y) out(x)> forbid <busy(x) busy(y) + busy(y) busy(x)> (Node(x), Node(y));\nSys() <- new b, a . <out(a) in(b)> forbid <busy(a) busy(b)> (Node(b), Node(a));\nSys() <- new b, a . <out(a) in(b)> (Node(b), Node(a));"
    never_used: "component Spare { states s; init s; s -go-> s; }\ncomponent Half { states s; init s; s -go-> s; s -stop-> s; s -out-> s; final s; }\nlink used(x, y, z) = <out(x) in(y)>;\nlink never(x) = <out(x)>;\nSys() <- new x, y, h . <used(x, y, h) + go(h)> (Node(x), Node(y), Sub(h, x));\nSub(h, x) <- Half(h) | Sub(h, x);\nAlone() <- new h . (Half(h));\nFrom(x) <- (Node(x), Alone());"
    never_final: "component Half { states s; init s; final s; s -go-> s; }\ncomponent Other { states s; init s; s -go-> s; }\nSys() <- new x, y, h . <out(x) in(y) + out(y) in(x) + go(h)> (Node(x), Node(y), Half(h));\nAlone() <- new h . <go(h)> (Other(h));"
    system_named_quite_wrongly: "Sys() <- new x . <out(x) + in(x)> (Node(x));\nsystem Zebra;"
    unknown_names_in_formulas_over_components: "Sys() <- new x . <out(x) + in(x)> (Node(x));\nerror a = wsks { ex1 x: x in bussy & y in Node & x in Nod & x in Node.idel & x in No.idle };\nerror b = wsks { ex2 Set: Sett sub Set & z = z };"
    components_and_sets_confused: "Sys() <- new x . <out(x) + in(x)> (Node(x));\nerror a = wsks { ex1 x: ex2 X: X in busy | x in x | x = X | X = x | x sub X | busy in Node | x != busy | Node = x };"
    variables_of_formulas_that_hide_or_do_nothing: "Sys() <- new x . <out(x) + in(x)> (Node(x));\nerror a = wsks { ex1 x, y, busy: x in busy => (ex2 x: all2 Node: x sub Node) };\nerror b = wsks { all1 x, x: x = x };"
    ambiguous_names_in_formulas: "Sys() <- new x . <out(x) + in(x)> (Node(x));\ncomponent both { states both, idle; init both; both -out-> idle; }\nerror a = wsks { all1 x: x in both | x in idle | x in both.both | both = both };"
}
