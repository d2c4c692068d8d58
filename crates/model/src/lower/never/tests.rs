use crate::lower::load;

/// The texts that the warnings W0215 and W0216 about a model point at, the first place of each.
fn warned(text: &str) -> Vec<String> {
    let lowered = load(text);
    assert!(lowered.system.is_some(), "{text}: {:?}", lowered.diagnostics);
    let found = lowered.diagnostics.iter().filter(|one| ["W0215", "W0216"].contains(&one.code.id));
    let place = found.map(|one| (one.code.id, one.labels.first().unwrap().span));
    place.map(|(id, span)| format!("{id} {}", &text[span.start..span.end])).collect()
}

/// A lock and its user, with these lines for the lock.
fn locked(lock: &str) -> String {
    format!(
        "component Lock {{ {lock} }}
         component User {{ states idle, busy; init idle; idle -enter-> busy; busy -leave-> idle; }}
         Sys() <- new l, u . <enter(u) take(l) + leave(u) give(l)> (Lock(l), User(u));"
    )
}

#[test]
fn states_to_which_nothing_leads_are_warned_of() {
    let lock = "states free, taken, lost; init free; free -take-> taken; taken -give-> free;";
    assert_eq!(warned(&locked(lock)), ["W0215 lost"]);
    // A transition from the state itself, or to elsewhere, does not help.
    assert_eq!(warned(&locked(&format!("{lock} lost -> lost; lost -take-> free;"))), ["W0215 lost"]);
    assert_eq!(warned(&locked(&format!("{lock} taken -> lost;"))), [""; 0]);
    // States that lead to each other are not led to.
    let pair = format!("{} lost -> gone; gone -> lost;", lock.replace("lost", "lost, gone"));
    assert_eq!(warned(&locked(&pair)), ["W0215 lost"]);
}

#[test]
fn where_components_start_depends_on_the_rules_that_occur() {
    let types = "component Node { states a, b; init a; a -tick-> a; b -tick-> b; }\n";
    assert_eq!(warned(&format!("{types} Sys() <- new x . <tick(x)> (Node(x));")), ["W0215 b"]);
    assert_eq!(warned(&format!("{types} Sys() <- new x . <tick(x)> (Node[b](x));")), ["W0215 a"]);
    assert_eq!(warned(&format!("{types} Sys() <- new x . <tick(x)> (Node[*](x));")), [""; 0]);
    let spare = "Sys() <- new x . <tick(x)> (Node(x)); Spare() <- new x . <tick(x)> (Node[b](x));";
    assert_eq!(warned(&format!("{types} {spare}")), ["W0215 b"]);
    // Of a type without components nothing is expected.
    let other = "component Other { states c, d; init c; } Sys() <- new x . <tick(x)> (Node[a, b](x));";
    assert_eq!(warned(&format!("{types} {other}")), [""; 0]);
}

#[test]
fn ports_that_wait_for_each_other_are_warned_of() {
    let turned = "states free, taken; init taken; free -take-> taken; taken -give-> free;";
    assert_eq!(warned(&locked(turned)), ["W0216 give", "W0216 enter"]);
    assert_eq!(warned(&locked(&turned.replace("init taken", "init free"))), [""; 0]);
    assert_eq!(warned(&locked(&format!("{turned} taken -> free;"))), [""; 0]);
    // The cause may be a state that is never entered, or a port that nothing uses.
    let lost = "states free, taken, lost; init free; lost -take-> taken; taken -give-> free;";
    assert_eq!(
        warned(&locked(&format!("{lost} free -> taken;"))),
        ["W0215 lost", "W0216 give", "W0216 enter"]
    );
    assert_eq!(warned(&locked(&format!("{lost} free -steal-> lost;"))), ["W0216 enter"]);
}

#[test]
fn partners_of_one_cause_are_one_warning() {
    let text = "component Door { states shut, open; init shut; open -pass-> open; shut -> shut; }
        component Man { states out, in1; init out; out -go-> in1; in1 -> out; }
        component Dog { states far, near; init far; far -run-> near; near -> far; }
        Sys() <- new d, m, h . <pass(d) go(m) run(h)> (Door(d), Man(m), Dog(h));";
    let lowered = load(text);
    let found: Vec<_> = lowered.diagnostics.iter().map(|one| (one.code.id, one.labels.len())).collect();
    // The port of the man, that of the dog, the interaction, and that of the door.
    assert_eq!(found, [("W0215", 1), ("W0216", 4)]);
}

#[test]
fn a_partner_that_can_be_of_several_types_is_ready_if_one_of_them_is() {
    let text = |start: &str| {
        format!(
            "component A {{ states a, b; init {start}; b -serve-> b; }}
             component B {{ states c; init c; c -serve-> c; }}
             component User {{ states idle; init idle; idle -call-> idle; }}
             Sys() <- new x, y . <call(x) serve(y)> (User(x), Server(y));
             Server(y) <- A(y) | B(y);"
        )
    };
    assert_eq!(warned(&text("b")), ["W0215 a"]);
    assert_eq!(warned(&text("a")), ["W0215 b"]);
}
