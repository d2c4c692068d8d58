//! Warnings: the model has a meaning, perhaps not the intended one.

use crate::diagnostic::{Code, CodeInfo, Severity};

kinds! { ALL:
    DUPLICATE_RULE = Warning "W0201" "a rule is written twice" {
        "Two rules of one predicate are the same but for the names of variables and the order of atoms,\n\
         interactions, participants and patterns. The second is left out, the others keep their numbers;\n\
         answers are as without it."
        wrong {
            "component Node { states idle; init idle; idle -tick-> idle; }"
            "Sys() <- new x . <tick(x)> (Node(x));"
            "Sys() <- new y . <tick(y)> (Node(y));"
        }
        right {
            "component Node { states idle; init idle; idle -tick-> idle; }"
            "Sys() <- new x . <tick(x)> (Node(x));"
        }
    }
    DUPLICATE_INTERACTION = Warning "W0202" "an interaction or pattern is written twice" {
        "The order of participants does not matter: `<out(x) in(y)>` is `<in(y) out(x)>`. The second one\n\
         is left out. Links may bring it in."
        wrong {
            "component Node { states idle; init idle; idle -tick-> idle; }"
            "Sys() <- new x . <tick(x) + tick(x)> (Node(x));"
        }
        right {
            "component Node { states idle; init idle; idle -tick-> idle; }"
            "Sys() <- new x . <tick(x)> (Node(x));"
        }
    }
    DUPLICATE_TRANSITION = Warning "W0203" "a transition is written twice" {
        "Two transitions of one component type have the same states and the same port. The second is left\n\
         out."
        wrong {
            "component Node { states idle; init idle; idle -tick-> idle; idle -tick-> idle; }"
            "Sys() <- new x . <tick(x)> (Node(x));"
        }
        right {
            "component Node { states idle; init idle; idle -tick-> idle; }"
            "Sys() <- new x . <tick(x)> (Node(x));"
        }
    }
    UNREACHABLE_PREDICATE = Warning "W0204" "a predicate occurs in no system" {
        "No derivation from the system's predicate comes to the rules of this one, so they play no part in\n\
         any answer. The system is the predicate of the first rule unless `system P;` says otherwise."
        wrong {
            "component Node { states idle; init idle; idle -tick-> idle; }"
            "Sys() <- new x . <tick(x)> (Node(x));"
            "Spare(x) <- (Node(x));"
        }
        right {
            "component Node { states idle; init idle; idle -tick-> idle; }"
            "Sys() <- new x . <tick(x)> (Spare(x));"
            "Spare(x) <- (Node(x));"
        }
    }
    TYPE_NEVER_CREATED = Warning "W0205" "a component type is never instantiated" {
        "No rule creates a component of this type: let one, or delete the type."
        wrong {
            "component Node { states idle; init idle; idle -tick-> idle; }"
            "component Spare { states idle; init idle; }"
            "Sys() <- new x . <tick(x)> (Node(x));"
        }
        right {
            "component Node { states idle; init idle; idle -tick-> idle; }"
            "component Spare { states idle; init idle; }"
            "Sys() <- new x, y . <tick(x)> (Node(x), Spare(y));"
        }
    }
    PORT_NEVER_USED = Warning "W0206" "a port is never used" {
        "No interaction in which a component of this type takes part uses the port, so its transitions\n\
         never fire. A transition that fires alone is written without a port: `a -> b;`."
        wrong {
            "component Node { states idle; init idle; idle -tick-> idle; idle -tock-> idle; }"
            "Sys() <- new x . <tick(x)> (Node(x));"
        }
        right {
            "component Node { states idle; init idle; idle -tick-> idle; idle -> idle; }"
            "Sys() <- new x . <tick(x)> (Node(x));"
        }
    }
    LINK_NEVER_USED = Warning "W0207" "a link is never used" {
        "No rule inserts the link, neither itself nor by way of another link."
        wrong {
            "component Node { states idle; init idle; idle -tick-> idle; }"
            "link beat(x) = <tick(x)>;"
            "Sys() <- new x . <tick(x)> (Node(x));"
        }
        right {
            "component Node { states idle; init idle; idle -tick-> idle; }"
            "link beat(x) = <tick(x)>;"
            "Sys() <- new x . <beat(x)> (Node(x));"
        }
    }
    NEVER_FINAL = Warning "W0208" "a component type is never final" {
        "Some component type of the model says with `final` where it may rest; this one does not, so every\n\
         dead marking with such a component is a deadlock. If it may rest anywhere write `final *;`."
        wrong {
            "component Done { states d; init d; final d; d -tick-> d; }"
            "component Node { states idle; init idle; idle -tick-> idle; }"
            "Sys() <- new x, y . <tick(x) tick(y)> (Node(x), Done(y));"
        }
        right {
            "component Done { states d; init d; final d; d -tick-> d; }"
            "component Node { states idle; init idle; final *; idle -tick-> idle; }"
            "Sys() <- new x, y . <tick(x) tick(y)> (Node(x), Done(y));"
        }
    }
    UNUSED_PARAMETER = Warning "W0209" "a parameter is never used" {
        "No rule of the predicate uses the parameter in an atom, an interaction or a pattern, other than\n\
         passing it on to where it is not used either."
        wrong {
            "component Node { states idle; init idle; idle -tick-> idle; }"
            "Sys() <- new x, y . <tick(x)> (Node(x), Sub(x, y));"
            "Sub(x, y) <- (Node(y));"
        }
        right {
            "component Node { states idle; init idle; idle -tick-> idle; }"
            "Sys() <- new x, y . <tick(x)> (Node(x), Sub(y));"
            "Sub(y) <- (Node(y));"
        }
    }
    CONSTANT_COMPARISON = Warning "W0210" "a comparison that never changes" {
        "Numbers of components are never negative, and a sum that counts every component an even number\n\
         of times is never odd: such a comparison holds always, or never."
        wrong {
            "component Node { states idle; init idle; idle -tick-> idle; }"
            "Sys() <- new x . <tick(x)> (Node(x));"
            "error bad = #idle >= 0;"
        }
        right {
            "component Node { states idle; init idle; idle -tick-> idle; }"
            "Sys() <- new x . <tick(x)> (Node(x));"
            "error bad = #idle >= 2;"
        }
    }
    REPEATED_STATE = Warning "W0211" "a state is named twice in one list" {
        "Naming it once says the same."
        wrong {
            "component Node { states idle; init idle, idle; idle -tick-> idle; }"
            "Sys() <- new x . <tick(x)> (Node(x));"
        }
        right {
            "component Node { states idle; init idle; idle -tick-> idle; }"
            "Sys() <- new x . <tick(x)> (Node(x));"
        }
    }
    UNUSED_VARIABLE = Warning "W0212" "a quantified variable is never used" {
        "The quantifier says nothing then but that there is a component at all (`ex1`), or nothing at all."
        wrong {
            "component Node { states idle; init idle; idle -tick-> idle; }"
            "Sys() <- new x . <tick(x)> (Node(x));"
            "error bad = wsks { ex1 x, y: x in idle };"
        }
        right {
            "component Node { states idle; init idle; idle -tick-> idle; }"
            "Sys() <- new x . <tick(x)> (Node(x));"
            "error bad = wsks { ex1 x: x in idle };"
        }
    }
    HIDDEN_NAME = Warning "W0213" "a variable hides something of the same name" {
        "Within the scope of a quantifier its variable is what the name means, not an outer variable, a\n\
         state or a component type."
        wrong {
            "component Node { states idle; init idle; idle -tick-> idle; }"
            "Sys() <- new x . <tick(x)> (Node(x));"
            "error bad = wsks { all2 idle: ex1 x: x in idle };"
        }
        right {
            "component Node { states idle; init idle; idle -tick-> idle; }"
            "Sys() <- new x . <tick(x)> (Node(x));"
            "error bad = wsks { all2 X: ex1 x: x in X };"
        }
    }
}
