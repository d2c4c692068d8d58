//! In which instances a proof is looked at: that the one shown can be in the error, and that what is claimed of the
//! others is true.

use super::*;

/// How many instances are looked at again to see whether a claim about all of them is true.
const MOST_CLAIMED: usize = 60;
/// No instance with more markings.
const MOST_MARKINGS: usize = 1 << 12;

/// The sets, and what else is said, exclude every marking that is an error in all instances of up to the size that is
/// claimed. How many instances were looked at.
pub(super) fn assert_claim(system: &System, error: &NamedError, explained: &Explained, what: &str) -> usize {
    let explanation = &explained.explanation;
    let smallest = usize::try_from(smallest_size(system)).expect("small");
    let all: usize = (smallest..=explanation.all_up_to_size).map(|size| trees(system, size).count()).sum();
    assert_eq!(all, explanation.all_instances, "{what}");
    assert!(explanation.all_instances <= explanation.instances, "{what}");
    let reason = &explanation.reason;
    // What rests on more than sets, or excludes not everything, is looked at elsewhere.
    if explanation.no_error_up_to.is_some() || reason.open > 0 || !reason.enabled.is_empty() {
        return 0;
    }
    let claimed = (smallest..=explanation.all_up_to_size).flat_map(|size| trees(system, size));
    let mut looked_at = 0;
    for tree in claimed.take(MOST_CLAIMED) {
        let net = unfold(system, &tree);
        let markings = net.components().iter().map(|one| one.state_count).fold(1, usize::saturating_mul);
        if markings > MOST_MARKINGS || !reason.exclusive.is_empty() {
            continue;
        }
        looked_at += 1;
        let initial = net.initial();
        let mut sets = Vec::new();
        for set in &reason.sets {
            let kind: InvariantKind = set.kind.parse().expect("a kind");
            for pattern in [&set.pattern].into_iter().chain(&set.alike) {
                let own = pattern.sets_in(system, &tree, &net).into_iter();
                sets.extend(own.map(|one| (kind, set.is_exact, weight(&one, &initial), one)));
            }
        }
        sets.retain(|(kind, _, start, _)| kind.admits_initial(*start));
        let check = ErrorCheck::new(system, &net, &error.formula);
        for_each_marking(&net, |marking| {
            if check.holds(&net, marking) == Some(true) {
                let is_excluded = sets.iter().any(|(kind, is_exact, start, set)| {
                    let now = weight(set, marking);
                    kind.refutes(*start, now) || *is_exact && now != *start
                });
                assert!(is_excluded, "{what}: {marking:?} of {tree:?}");
            }
        });
    }
    looked_at
}

fn for_each_marking(net: &Net, mut look: impl FnMut(&Marking)) {
    let mut marking: Marking = net.components().iter().map(|_| StateId::new(0)).collect();
    let mut more = true;
    while more {
        look(&marking);
        more = net.components().enumerate().any(|(id, component)| {
            let next = (marking[id].index() + 1) % component.state_count;
            marking[id] = StateId::new(next);
            next > 0
        });
    }
}

/// A lock for `writers` kinds of clients that write, and for `others` kinds that do nothing of interest; the error is
/// that so many write at once.
fn lock(writers: usize, others: usize, many: usize) -> String {
    let mut text =
        "component Permit { states free, held; init free; free -get-> held; held -put-> free; }\n".to_owned();
    let mut clients = Vec::new();
    for kind in 0..others {
        text.push_str(&format!(
            "component Other{kind} {{ states calm, busy; init calm; calm -> busy; busy -> calm; }}\n"
        ));
        clients.push(format!("(Other{kind}(c))"));
    }
    for kind in 0..writers {
        text.push_str(&format!(
            "component Writer{kind} {{ states idle, writing; init idle; idle -start-> writing; writing -stop-> idle; }}\n"
        ));
        clients.push(format!("<start(c) get(p) + stop(c) put(p)> (Writer{kind}(c))"));
    }
    let rules: Vec<String> = clients.iter().map(|client| format!("Client(c, p) <- {client};\n")).collect();
    format!(
        "{text}Main() <- new p . (Permit(p), Clients(p));
         Clients(p) <- new c . (Client(c, p), Clients(p));
         Clients(p) <- new c . (Client(c, p));
         {}error many = #writing >= {many};",
        rules.concat(),
    )
}

/// However many kinds of clients there are, and however many of them an error asks for: an instance that can be in the
/// error is shown, and the sets are there.
#[test]
fn the_instance_shown_can_be_in_the_error() {
    let mut sizes = Vec::new();
    for (writers, others, many) in
        [(1, 1, 2), (2, 0, 2), (1, 4, 2), (3, 3, 2), (2, 2, 4), (1, 0, 20), (1, 3, 9)]
    {
        let system = support::system(&lock(writers, others, many));
        let error = system.error_named("many").expect("it is defined");
        let what = format!("{writers} writers, {others} others, {many} at once");
        let found = explained(&system, &error, &InvariantChoice::default()).expect("it is proved");
        let explanation = &found.explanation;
        assert_eq!(explanation.no_error_up_to, None, "{what}");
        let has_error = explanation.reason.error_markings > 0 || explanation.reason.is_enough == Some(true);
        assert!(has_error, "{what}: {explanation:?}");
        assert!(!explanation.reason.sets.is_empty(), "{what}");
        // No smaller instance has so many writers beside the permit.
        assert!(explanation.size > many, "{what}");
        assert_true(&system, &found, &what);
        assert_claim(&system, &error, &found, &what);
        if explanation.too_large.is_none() {
            assert_excludes(&system, &error, &found, &what);
        }
        sizes.push(explanation.size);
    }
    assert!(sizes.iter().all(|size| *size <= 24), "{sizes:?}");
}

/// Where no instance that is looked at can be in the error, that is said, and the sets are there all the same.
#[test]
fn an_error_that_no_instance_has_is_said_to_be_one() {
    let system = support::system(&lock(1, 0, 200));
    let error = system.error_named("many").expect("it is defined");
    let found =
        explained(&system, &error, &InvariantChoice::only([InvariantKind::MUTEX])).expect("it is proved");
    let explanation = &found.explanation;
    assert!(explanation.no_error_up_to.is_some(), "{explanation:?}");
    assert!(!explanation.reason.sets.is_empty() && explanation.reason.error_markings == 0, "{explanation:?}");
    assert_true(&system, &found, "two hundred");
    // One that contradicts itself has none at all.
    let system = support::system(&format!("{}\nerror never = #writing >= 1 & #writing == 0;", lock(1, 1, 2)));
    let error = system.error_named("never").expect("it is defined");
    let found = explained(&system, &error, &InvariantChoice::default()).expect("it is proved");
    let said = found.explanation.reason.contradiction.join(" ");
    assert!(said.contains("whatever the instance"), "{said}");
    assert!(found.explanation.missing_rules.is_empty() && found.explanation.no_error_up_to.is_none());
}

/// Counting components never passes over an instance that has a marking in the error.
#[test]
fn instances_that_are_passed_over_have_no_error() {
    let (mut errors, mut without) = (0, 0);
    for seed in support::seeds(30, 300) {
        let Some((text, system)) = random::system(seed) else { continue };
        for error in support::errors(&system) {
            let Some(found) = explained(&system, &error, &InvariantChoice::default()) else { continue };
            if found.explanation.no_error_up_to.is_none() {
                errors += 1;
                continue;
            }
            without += 1;
            let smallest = usize::try_from(smallest_size(&system)).expect("small");
            for tree in (smallest..=smallest + BEYOND).flat_map(|size| trees(&system, size).take(MOST_TREES))
            {
                let net = unfold(&system, &tree);
                let check = ErrorCheck::new(&system, &net, &error.formula);
                for_each_marking(&net, |marking| {
                    assert_ne!(check.holds(&net, marking), Some(true), "seed {seed}, {}\n{text}", error.name);
                });
            }
        }
    }
    assert!(errors > 10, "{errors} with an error, {without} without");
}
