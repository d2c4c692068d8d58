//! Errors: the model has no meaning.

use crate::diagnostic::{Code, CodeInfo, Severity};

kinds! { ALL:
    DUPLICATE_DEFINITION = Error "E0201" "a name is defined twice" {
        "Component types, the states of one component type, links and errors each need names of their own.\n\
         A predicate may have many rules, but it cannot have the name of a component type, and a named\n\
         `forbid` is itself an error, so it cannot have the name of an `error`. `init` and `final` stand\n\
         at most once in a component."
        wrong {
            "component Node { states idle, idle; init idle; idle -tick-> idle; }"
            "Sys() <- new x . <tick(x)> (Node(x));"
        }
        right {
            "component Node { states idle, busy; init idle; idle -tick-> busy; }"
            "Sys() <- new x . <tick(x)> (Node(x));"
        }
    }
    UNKNOWN_ATOM = Error "E0202" "neither a component type nor a predicate with a rule" {
        "An atom of a rule either creates a component (`Node(x)`, where `component Node` is defined) or\n\
         goes on with a rule of a predicate (`Chain(x, y)`, where some rule begins `Chain(x, y) <-`)."
        wrong {
            "component Node { states idle; init idle; idle -tick-> idle; }"
            "Sys() <- new x . <tick(x)> (Nodes(x));"
        }
        right {
            "component Node { states idle; init idle; idle -tick-> idle; }"
            "Sys() <- new x . <tick(x)> (Node(x));"
        }
    }
    UNKNOWN_PORT = Error "E0203" "unknown port" {
        "An interaction names ports, and a port exists because some component has a transition on it:\n\
         `busy -out-> idle;` makes `out` a port."
        wrong {
            "component Node { states idle, busy; init busy; busy -out-> idle; }"
            "Sys() <- new x . <ouut(x)> (Node(x));"
        }
        right {
            "component Node { states idle, busy; init busy; busy -out-> idle; }"
            "Sys() <- new x . <out(x)> (Node(x));"
        }
    }
    UNKNOWN_STATE = Error "E0204" "unknown state" {
        "States are named by `states …;` in a component. A state named with its type, as in `Node.busy`,\n\
         must be a state of that type; one named alone must be a state of some type."
        wrong {
            "component Node { states idle; init idle; idle -tick-> idle; }"
            "Sys() <- new x . <tick(x)> (Node(x));"
            "error bad = #busy >= 1;"
        }
        right {
            "component Node { states idle, busy; init idle; idle -tick-> busy; }"
            "Sys() <- new x . <tick(x)> (Node(x));"
            "error bad = #busy >= 1;"
        }
    }
    UNKNOWN_ERROR = Error "E0205" "unknown error" {
        "An error may be a combination of other errors: `deadlock`, those defined by `error`, `critical`\n\
         if there is a `critical …;`, `forbidden` and named patterns if some rule has them."
        wrong {
            "component Node { states idle; init idle; idle -tick-> idle; }"
            "Sys() <- new x . <tick(x)> (Node(x));"
            "error bad = deadlock | critical;"
        }
        right {
            "component Node { states idle; init idle; idle -tick-> idle; }"
            "Sys() <- new x . <tick(x)> (Node(x));"
            "critical idle;"
            "error bad = deadlock | critical;"
        }
    }
    RESERVED_NAME = Error "E0206" "this name of an error is not free" {
        "`deadlock`, `critical` and `forbidden` have a meaning of their own: the marking in which nothing\n\
         can happen, two components in the states of `critical …;`, and the patterns of a `forbid`\n\
         without a name."
        wrong {
            "component Node { states idle; init idle; idle -tick-> idle; }"
            "Sys() <- new x . <tick(x)> (Node(x));"
            "error forbidden = #idle >= 2;"
        }
        right {
            "component Node { states idle; init idle; idle -tick-> idle; }"
            "Sys() <- new x . <tick(x)> (Node(x));"
            "error crowd = #idle >= 2;"
        }
    }
    PORT_AND_LINK = Error "E0207" "a name is a port and a link" {
        "`<pass(x)>` would be an interaction and the use of a link at the same time."
        wrong {
            "component Node { states idle; init idle; idle -pass-> idle; }"
            "link pass(x) = <pass(x)>;"
            "Sys() <- new x . <pass(x)> (Node(x));"
        }
        right {
            "component Node { states idle; init idle; idle -pass-> idle; }"
            "link turn(x) = <pass(x)>;"
            "Sys() <- new x . <turn(x)> (Node(x));"
        }
    }
    NO_STATES = Error "E0208" "a component type without states" {
        "A component is a finite state machine: it is always in one of its states."
        wrong {
            "component Node { }"
            "Sys() <- new x . (Node(x));"
        }
        right {
            "component Node { states idle; init idle; }"
            "Sys() <- new x . (Node(x));"
        }
    }
    NO_INITIAL_STATE = Error "E0209" "nothing says where a component starts" {
        "Either the component type has an `init …;`, or every atom that creates such a component names\n\
         its initial states in brackets."
        wrong {
            "component Node { states idle, busy; idle -tick-> busy; }"
            "Sys() <- new x . <tick(x)> (Node(x));"
        }
        right {
            "component Node { states idle, busy; idle -tick-> busy; }"
            "Sys() <- new x . <tick(x)> (Node[idle](x));"
        }
    }
    INITIAL_OF_PREDICATE = Error "E0210" "initial states for a predicate" {
        "Only an atom that creates a component can say where it starts. A predicate stands for a subtree\n\
         of components; give the initial states where they are created."
        wrong {
            "component Node { states idle, busy; init idle; idle -tick-> busy; }"
            "Sys() <- new x . <tick(x)> (Sub[busy](x));"
            "Sub(x) <- (Node(x));"
        }
        right {
            "component Node { states idle, busy; init idle; idle -tick-> busy; }"
            "Sys() <- new x . <tick(x)> (Sub(x));"
            "Sub(x) <- (Node[busy](x));"
        }
    }
    ARITY = Error "E0211" "wrong number of arguments" {
        "All rules of a predicate have the same number of parameters, and every atom passes that many.\n\
         A component type, a port and a state take exactly one variable, a link as many as it has\n\
         parameters."
        wrong {
            "component Node { states idle; init idle; idle -tick-> idle; }"
            "Sys() <- new x . <tick(x)> (Pair(x));"
            "Pair(x, y) <- (Node(x), Node(y));"
        }
        right {
            "component Node { states idle; init idle; idle -tick-> idle; }"
            "Sys() <- new x, y . <tick(x) tick(y)> (Pair(x, y));"
            "Pair(x, y) <- (Node(x), Node(y));"
        }
    }
    UNBOUND_VARIABLE = Error "E0212" "unbound variable" {
        "A variable is a parameter of the rule or bound by `new`; in a formula over components it is bound by a\n\
         quantifier around it."
        wrong {
            "component Node { states idle; init idle; idle -tick-> idle; }"
            "Sys() <- new x . <tick(x) tick(y)> (Node(x), Node(y));"
        }
        right {
            "component Node { states idle; init idle; idle -tick-> idle; }"
            "Sys() <- new x, y . <tick(x) tick(y)> (Node(x), Node(y));"
        }
    }
    BOUND_TWICE = Error "E0213" "variable bound twice" {
        "Parameters have different names, and `new` neither hides a parameter nor binds a name twice. Nor does\n\
         one quantifier bind a name twice."
        wrong {
            "component Node { states idle; init idle; idle -tick-> idle; }"
            "Sys() <- new x, x . <tick(x)> (Node(x));"
        }
        right {
            "component Node { states idle; init idle; idle -tick-> idle; }"
            "Sys() <- new x . <tick(x)> (Node(x));"
        }
    }
    REPEATED_VARIABLE = Error "E0214" "a variable is used twice where all must differ" {
        "The arguments of an atom are different, and a component cannot take part in one interaction\n\
         twice, nor be named twice in one pattern. The same holds for what a link stands for where it is\n\
         used."
        wrong {
            "component Node { states idle, busy; init idle; busy -out-> idle; idle -in-> busy; }"
            "Sys() <- new x . <out(x) in(x)> (Node(x));"
        }
        right {
            "component Node { states idle, busy; init idle; busy -out-> idle; idle -in-> busy; }"
            "Sys() <- new x, y . <out(x) in(y)> (Node(x), Node(y));"
        }
    }
    NOT_CREATED = Error "E0215" "no component is created for a variable" {
        "A variable bound by `new` stands for one component. Some atom of the rule has to create it:\n\
         `Node(x)`, or a predicate whose rules create the component of that parameter. A predicate that\n\
         only uses its parameter in interactions borrows it and does not count."
        wrong {
            "component Node { states idle; init idle; idle -tick-> idle; }"
            "Sys() <- new x, y . <tick(x) tick(y)> (Node(x));"
        }
        right {
            "component Node { states idle; init idle; idle -tick-> idle; }"
            "Sys() <- new x, y . <tick(x) tick(y)> (Node(x), Node(y));"
        }
    }
    CREATED_TWICE = Error "E0216" "two components would be created for one variable" {
        "A variable stands for one component, created once. Two atoms of this rule would each create one\n\
         for it. If one of them is only meant to use the component in interactions, no rule of that\n\
         predicate may create it."
        wrong {
            "component Node { states idle; init idle; idle -tick-> idle; }"
            "Sys() <- new x . <tick(x)> (Node(x), Node(x));"
        }
        right {
            "component Node { states idle; init idle; idle -tick-> idle; }"
            "Sys() <- new x, y . <tick(x) + tick(y)> (Node(x), Node(y));"
        }
    }
    MIXED_OWNERSHIP = Error "E0217" "a parameter is created in one rule and not in another" {
        "The component of a parameter is either created below its predicate, in every rule, or elsewhere,\n\
         and then no rule creates it and all only use it in interactions. Otherwise some systems would\n\
         have two components for it, or none."
        wrong {
            "component Node { states idle; init idle; idle -tick-> idle; }"
            "Sys() <- new x . (Sub(x));"
            "Sub(x) <- (Node(x));"
            "Sub(x) <- new y . <tick(x) tick(y)> (Node(y));"
        }
        right {
            "component Node { states idle; init idle; idle -tick-> idle; }"
            "Sys() <- new x . (Sub(x));"
            "Sub(x) <- (Node(x));"
            "Sub(x) <- new y . <tick(x) tick(y)> (Node(x), Node(y));"
        }
    }
    PORT_OF_OTHER_TYPE = Error "E0218" "no component that the variable can be has the port" {
        "The interaction could never take place. The remarks name the component types that the variable\n\
         can be and where such components are created."
        wrong {
            "component Node { states idle; init idle; idle -tick-> idle; }"
            "component Plain { states p; init p; p -tock-> p; }"
            "Sys() <- new x, y . <tick(x) tick(y)> (Node(x), Plain(y));"
        }
        right {
            "component Node { states idle; init idle; idle -tick-> idle; }"
            "component Plain { states p; init p; p -tock-> p; }"
            "Sys() <- new x, y . <tick(x) tock(y)> (Node(x), Plain(y));"
        }
    }
    STATE_OF_OTHER_TYPE = Error "E0219" "no component that the variable can be has the state" {
        "The pattern could never occur. The remarks name the component types that the variable can be and\n\
         where such components are created."
        wrong {
            "component Node { states idle; init idle; idle -tick-> idle; }"
            "component Plain { states p; init p; p -tock-> p; }"
            "Sys() <- new x, y . <tick(x) tock(y)> forbid <p(x)> (Node(x), Plain(y));"
        }
        right {
            "component Node { states idle; init idle; idle -tick-> idle; }"
            "component Plain { states p; init p; p -tock-> p; }"
            "Sys() <- new x, y . <tick(x) tock(y)> forbid <p(y)> (Node(x), Plain(y));"
        }
    }
    LINK_IN_INTERACTION = Error "E0220" "a link inside an interaction" {
        "A link stands for whole interactions: it cannot be one participant of another. Join it to the\n\
         other interactions with `+`."
        wrong {
            "component Node { states idle; init idle; idle -tick-> idle; }"
            "link beat(x) = <tick(x)>;"
            "Sys() <- new x, y . <beat(x) tick(y)> (Node(x), Node(y));"
        }
        right {
            "component Node { states idle; init idle; idle -tick-> idle; }"
            "link beat(x) = <tick(x)>;"
            "Sys() <- new x, y . <beat(x) + tick(y)> (Node(x), Node(y));"
        }
    }
    CYCLIC_LINK = Error "E0221" "a link is defined by itself" {
        "Links are abbreviations and must come to an end."
        wrong {
            "component Node { states idle; init idle; idle -tick-> idle; }"
            "link beat(x) = <tick(x) + pulse(x)>;"
            "link pulse(x) = <beat(x)>;"
            "Sys() <- new x . <beat(x)> (Node(x));"
        }
        right {
            "component Node { states idle; init idle; idle -tick-> idle; }"
            "link beat(x) = <tick(x)>;"
            "link pulse(x) = <beat(x)>;"
            "Sys() <- new x . <pulse(x)> (Node(x));"
        }
    }
    CYCLIC_ERROR = Error "E0222" "an error is defined by itself" {
        "The definition of an error may name other errors, as long as this comes to an end."
        wrong {
            "component Node { states idle; init idle; idle -tick-> idle; }"
            "Sys() <- new x . <tick(x)> (Node(x));"
            "error one = two | deadlock;"
            "error two = !one;"
        }
        right {
            "component Node { states idle; init idle; idle -tick-> idle; }"
            "Sys() <- new x . <tick(x)> (Node(x));"
            "error one = deadlock;"
            "error two = !one;"
        }
    }
    NOTHING_TO_VERIFY = Error "E0223" "there is no rule" {
        "A model without a rule describes no system. The first rule's predicate is the system."
        wrong {
            "component Node { states idle; init idle; idle -tick-> idle; }"
        }
        right {
            "component Node { states idle; init idle; idle -tick-> idle; }"
            "Sys() <- new x . <tick(x)> (Node(x));"
        }
    }
    SYSTEM_WITH_PARAMETERS = Error "E0224" "the system has parameters" {
        "The predicate that is the system has no parameters: nobody is left to give them a meaning. The\n\
         system is the predicate of the first rule; `system P;` names another."
        wrong {
            "component Node { states idle; init idle; idle -tick-> idle; }"
            "Sub(x) <- <tick(x)> (Node(x));"
            "Sys() <- new x . (Sub(x));"
        }
        right {
            "component Node { states idle; init idle; idle -tick-> idle; }"
            "Sub(x) <- <tick(x)> (Node(x));"
            "Sys() <- new x . (Sub(x));"
            "system Sys;"
        }
    }
    SYSTEM_TWICE = Error "E0225" "several `system` declarations" {
        "A file describes one system."
        wrong {
            "component Node { states idle; init idle; idle -tick-> idle; }"
            "One() <- new x . <tick(x)> (Node(x));"
            "Two() <- (One(), One());"
            "system One;"
            "system Two;"
        }
        right {
            "component Node { states idle; init idle; idle -tick-> idle; }"
            "One() <- new x . <tick(x)> (Node(x));"
            "Two() <- (One(), One());"
            "system Two;"
        }
    }
    UNKNOWN_SYSTEM = Error "E0226" "the system is no predicate with a rule" {
        "`system P;` names a predicate that has rules."
        wrong {
            "component Node { states idle; init idle; idle -tick-> idle; }"
            "Sys() <- new x . <tick(x)> (Node(x));"
            "system Syst;"
        }
        right {
            "component Node { states idle; init idle; idle -tick-> idle; }"
            "Sys() <- new x . <tick(x)> (Node(x));"
            "system Sys;"
        }
    }
    NO_FINITE_TREE = Error "E0227" "no finite system can be derived" {
        "Every rule of the predicate needs the predicate again (perhaps by way of others), so rewriting\n\
         never ends and there is no instance at all. A system without instances must not be reported as\n\
         proved. Add a rule that ends the recursion."
        wrong {
            "component Node { states idle; init idle; idle -tick-> idle; }"
            "Sys() <- new x . <tick(x)> (Node(x), Sys());"
        }
        right {
            "component Node { states idle; init idle; idle -tick-> idle; }"
            "Sys() <- new x . <tick(x)> (Node(x), Sys());"
            "Sys() <- new x . <tick(x)> (Node(x));"
        }
    }
    TOO_LARGE = Error "E0229" "too large once abbreviations are replaced" {
        "Links in links, and errors in errors, can grow with every step. There is a limit to what they may\n\
         stand for, far beyond what is readable; a right-hand side may be nested 200 deep, and at most 64\n\
         variables of a formula over components may be in scope at once. An interaction stands for one\n\
         transition per combination of its participants' transitions on the ports: at most 10,000 of them."
        wrong {
            "component Node { states idle; init idle; idle -tick-> idle; }"
            "Sys() <- new x . <tick(x)> (Node(x));"
            "error a = deadlock | deadlock | deadlock | deadlock | deadlock | deadlock | deadlock | deadlock;"
            "error b = a | a | a | a | a | a | a | a;"
            "error c = b | b | b | b | b | b | b | b;"
            "error d = c | c | c | c | c | c | c | c;"
            "error e = d | d | d | d | d | d | d | d;"
            "error f = e | e | e | e | e | e | e | e;"
        }
        right {
            "component Node { states idle; init idle; idle -tick-> idle; }"
            "Sys() <- new x . <tick(x)> (Node(x));"
            "error f = deadlock;"
        }
    }
    QUALIFIED_PORT = Error "E0230" "a port named with its type" {
        "In an interaction the port stands alone: which component types it concerns follows from the\n\
         variable. Only patterns (`forbid`) name a state with its type."
        wrong {
            "component Node { states idle; init idle; idle -tick-> idle; }"
            "Sys() <- new x . <Node.tick(x)> (Node(x));"
        }
        right {
            "component Node { states idle; init idle; idle -tick-> idle; }"
            "Sys() <- new x . <tick(x)> (Node(x));"
        }
    }
    WRONG_ORDER = Error "E0231" "a component where a set is needed, or the reverse" {
        "In a formula over components, `ex1` and `all1` bind components, `ex2` and `all2` sets of components.\n\
         A state and a component type stand for the set of the components that are in it or of it. On the\n\
         left of `in` stands a component, on the right a set; `sub` joins sets; `=` joins two of a kind."
        wrong {
            "component Node { states idle; init idle; idle -tick-> idle; }"
            "Sys() <- new x . <tick(x)> (Node(x));"
            "error bad = wsks { ex1 x, y: x in y };"
        }
        right {
            "component Node { states idle; init idle; idle -tick-> idle; }"
            "Sys() <- new x . <tick(x)> (Node(x));"
            "error bad = wsks { ex1 x, y: x != y };"
        }
    }
    AMBIGUOUS_SET = Error "E0232" "a name is a state and a component type" {
        "In a formula over components a state means the components that are in it, a component type all of\n\
         its components. Where a name is both, the state is written with its type, as in `Node.idle`, and\n\
         the type by its states."
        wrong {
            "component idle { states idle, busy; init idle; idle -tick-> busy; }"
            "Sys() <- new x . <tick(x)> (idle(x));"
            "error bad = wsks { all1 x: x in idle };"
        }
        right {
            "component idle { states idle, busy; init idle; idle -tick-> busy; }"
            "Sys() <- new x . <tick(x)> (idle(x));"
            "error bad = wsks { all1 x: x in idle.idle };"
        }
    }
}
