//! `why`: proofs in words, last steps, candidates; `explain` of words; `draw --what proof`.

use insta::assert_snapshot;

use super::json::document_of;
use super::{HERMAN, RING, run, run_with};

const PHILOSOPHERS: &str = "examples/philosophers/alt-philo-sym.rs";

/// Switches that are only turned in pairs: their number stays even.
const SWITCHES: &str = "component Switch { states off, on; init off; off -flip-> on; on -flip-> off; }
S() <- new x, y . <flip(x) flip(y)> (Switch(x), Row(y));
Row(x) <- new y . <flip(x) flip(y)> (Switch(x), Row(y));
Row(x) <- Switch(x);
error odd = #on == 1;";

/// Nobody is let in but by somebody who is in.
const CLUB: &str =
    "component User { states out, crit; init out; out -enter-> crit; crit -host-> crit; crit -leave-> out; }
S() <- new x, y . <enter(x) host(y) + enter(y) host(x) + leave(x)> (User(x), Row(y));
Row(x) <- new y . <enter(x) host(y) + enter(y) host(x) + leave(x)> (User(x), Row(y));
Row(x) <- <leave(x)> (User(x));
error any = #crit >= 1;";

/// A ring whose nodes would double the token in a state that none enters.
const GHOST: &str = "component Node { states idle, busy, ghost; init idle; busy -out-> idle; idle -in-> busy; ghost -double-> busy; }
Ring() <- new x, y . <out(y) in(x)> (Chain(x, y));
Chain(x, y) <- <out(x) in(y) + double(x) in(y)> (Node(x), Node[busy](y));
Chain(x, z) <- new y . <out(x) in(y) + double(x) in(y)> (Node(x), Chain(y, z));
error exclusion = #busy >= 2;";

#[test]
fn a_ring() {
    assert_snapshot!("why-ring", run(&["why", "examples/ring.rs"]).output_of(0));
    let verbose = run(&["examples/ring.rs", "--error", "exclusion", "--verbose"]).output_of(0);
    assert_snapshot!("why-ring-verbose", verbose);
}

#[test]
fn philosophers() {
    assert_snapshot!("why-philosophers", run(&["why", PHILOSOPHERS]).output_of(1));
}

#[test]
fn a_star_and_a_tree() {
    assert_snapshot!("why-star", run(&["why", "examples/stars/star.rs"]).output_of(0));
    assert_snapshot!("why-tree", run(&["why", "examples/trees/tree-back-root.rs"]).output_of(0));
    // Sets that are needed in larger trees only are counted.
    let tokens = run(&["why", "examples/trees/raymond.rs", "--error", "tokens"]).output_of(0);
    assert_snapshot!("why-many-sets", tokens);
}

#[test]
fn an_instance_that_is_too_large_is_searched() {
    let large = run(&["why", "examples/ring.rs", "--error", "exclusion", "--size", "24"]).output_of(0);
    assert!(large.contains("Node#24 busy"), "{large}");
    let large = large.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(large.contains("a search through all its markings finds none"), "{large}");
}

/// A ring in which an error needs three nodes, each with clocks: where it has a marking, there are more than can be
/// counted.
fn clocks() -> String {
    let names = |separator: &str, item: &dyn Fn(usize) -> String| -> String {
        (0..30).map(item).collect::<Vec<_>>().join(separator)
    };
    format!(
        "component Node {{ states idle, busy; init idle; busy -out-> idle; idle -in-> busy; }}
         component Clock {{ states {}; init s0; {} }}
         Ring() <- new x, y . <out(y) in(x)> (Chain(x, y));
         Chain(x, y) <- new c, d . <out(x) in(y)> (Node(x), Node[busy](y), Clock(c), Clock(d));
         Chain(x, z) <- new y, c, d . <out(x) in(y)> (Node(x), Chain(y, z), Clock(c), Clock(d));
         error crowd = #busy >= 3;
         error here = wsks {{ ex1 x, y, z: x in busy & y in busy & z in busy & x != y & y != z & x != z }};",
        names(", ", &|number| format!("s{number}")),
        names(" ", &|number| format!("s{number} -> s{};", (number + 1) % 30)),
    )
}

#[test]
fn sets_are_shown_though_no_instance_with_an_error_is_small() {
    let of = |call: &[&str]| {
        let output = run_with(&[&["why", "-", "--error"], call].concat(), clocks()).output_of(0);
        output.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    for call in [&["crowd"][..], &["crowd", "--size", "13"], &["two = #busy >= 2 & #s7 >= 4"]] {
        let output = of(call);
        assert!(output.contains("`busy` of every Node"), "{output}");
        assert!(output.contains("a search through all its markings finds none"), "{output}");
        assert!(!output.contains("has no such nodes"), "{output}");
    }
    // Where there is no error, that is said of the instance by its name.
    let smallest = of(&["crowd", "--size", "4"]);
    assert!(smallest.contains("`busy` of every Node"), "{smallest}");
    assert!(smallest.contains("no marking of Ring.1(Chain.1) is an error, reachable or not"), "{smallest}");
    // A formula over components is not searched for: then nothing is claimed.
    let open = of(&["here", "--size", "13"]);
    assert!(open.contains("whether these sets are enough in"), "{open}");
    let folder = super::folder("why-large");
    let model = super::file(&folder, "clocks.rs", clocks());
    let picture = folder.join("set.svg");
    let picture = picture.to_str().unwrap();
    let call =
        ["draw", &model, "--what", "proof", "--error", "more = #busy >= 3 & #s3 >= 1", "--output", picture];
    assert_eq!(run(&call).code, 0, "{}", run(&call).errors);
    assert!(std::fs::read_to_string(picture).unwrap().contains("busy"));
    std::fs::remove_dir_all(folder).unwrap();
}

/// What is shown is the clearest proof that is found with little effort, unless kinds are chosen.
#[test]
fn a_set_of_which_exactly_one_is_marked_is_shown_instead_of_a_trap() {
    let call = ["why", "-", "--error", "lost = #busy == 0"];
    let output = run_with(&call, RING).output_of(0);
    assert!(output.contains("by trap") && output.contains("exactly one of these places"), "{output}");
    assert!(output.contains("mutex: another proof"), "{output}");
    let chosen = run_with(&[&call[..], &["--invariants", "trap"]].concat(), RING).output_of(0);
    assert!(chosen.contains("at least one of these places") && !chosen.contains("another proof"), "{chosen}");
}

/// Sets that only other instances need are spelled out in one that needs them.
#[test]
fn sets_that_other_instances_need_are_spelled_out_there() {
    let tree = "Main.1(T.1(T.4, T.4))";
    let call = ["why", "tests/cases/found/feedback-tree.rws", "--error", "early", "--tree", tree];
    let output = run(&call).output_of(0);
    assert!(output.contains("it is there for other instances, such as Main.1(T.2(T.4)):"), "{output}");
    assert_snapshot!("why-feedback", output);
}

#[test]
fn a_sum_that_never_changes_is_one_set() {
    let output = run(&["why", "tests/cases/classic/unknown-pairs.rs", "--error", "deadlock"]).output_of(0);
    assert!(output.contains("left = right, always"), "{output}");
    assert!(!output.contains("set 2:"), "{output}");
}

#[test]
fn kinds_that_are_not_traps() {
    let linear = run(&["why", "examples/stars/car-park.rs", "--error", "overfull"]).output_of(0);
    assert_snapshot!("why-linear", linear);
    let by = |model, error, kinds| {
        // Such models come with warnings.
        let run = run_with(&["why", "-", "--error", error, "--invariants", kinds], model);
        assert_eq!(run.code, 0, "{}", run.errors);
        run.output
    };
    assert_snapshot!("why-parity", by(SWITCHES, "odd", "parity"));
    assert_snapshot!("why-siphon", by(CLUB, "any", "siphon"));
    assert_snapshot!("why-dead", by(GHOST, "exclusion", "siphon,mutex,dead"));
    let exclusive = run(&["why", "tests/cases/classic/abp-chain.rs", "--error", "forbidden"]).output_of(0);
    assert_snapshot!("why-exclusive", exclusive);
}

#[test]
fn the_last_steps_and_a_candidate() {
    assert_snapshot!("why-violated", run(&["why", HERMAN]).output_of(1));
    let arguments = ["why", "examples/chains/fifo.rs", "--error", "overtaken", "--max-states", "2000"];
    assert_snapshot!("why-unknown", run(&arguments).output_of(3));
}

#[test]
fn another_instance() {
    let run_in = |instance: [&str; 2]| {
        run(&["why", "examples/ring.rs", "--error", "exclusion", instance[0], instance[1]])
    };
    let five = run_in(["--size", "5"]).output_of(0);
    assert!(five.contains("Node#5 busy") && five.contains("Ring.1(Chain.2^3(Chain.1))"), "{five}");
    assert_eq!(run_in(["--tree", "Ring.1(Chain.2^3(Chain.1))"]).output_of(0), five);
    assert_snapshot!("why-no-tree", run_in(["--tree", "Ring.1(Chain.3)"]).errors);
    let none = run_in(["--size", "1"]);
    assert_eq!(none.code, 2, "{}", none.errors);
}

#[test]
fn as_json() {
    let document = document_of("why", &run_with(&["why", "-", "--json", "--error", "exclusion"], RING), 0);
    let why = &document["results"][0]["why"];
    assert_eq!(why["instance"], "Ring.1(Chain.2(Chain.1))");
    assert_eq!(why["sets"][0]["kind"], "mutex");
    assert_eq!(why["sets"][0]["sets"][0][2]["component"], "Node#3");
    assert_eq!(why["sets"][0]["pattern"]["roles"][0]["predicate"], "Ring");
    assert_eq!((&why["open"], &why["error_markings"]), (&0.into(), &4.into()));
    // Checking has it with --verbose only, and of proofs only.
    for (options, has_it) in [(&["--json"][..], false), (&["--json", "--verbose"], true)] {
        let document = document_of("check", &run_with(&[options, &["-"]].concat(), RING), 1);
        let results = document["results"].as_array().unwrap();
        for result in results {
            assert_eq!(result.get("why").is_some(), has_it && result["verdict"] == "proved", "{result}");
        }
        assert!(results.len() > 2);
    }
    let abp = ["why", "tests/cases/classic/abp-chain.rs", "--error", "forbidden", "--json"];
    document_of("why", &run(&abp), 0);
    let dead = ["why", "-", "--invariants", "siphon,mutex,dead", "--error", "exclusion", "--json"];
    let document = document_of("why", &run_with(&dead, GHOST), 0);
    assert!(!document["results"][0]["why"]["never_fires"].as_array().unwrap().is_empty());
}

#[test]
fn words_are_explained() {
    for word in ["trap", "linear:4", "kappa"] {
        assert_snapshot!(format!("explain-{}", word.replace(':', "-")), run(&["explain", word]).output_of(0));
    }
    assert_snapshot!(run(&["explain", "tarp"]).errors_of(2), @r"
    error: there is no code or word `tarp`
      did you mean trap? `paramcheck explain` lists all codes and words
    ");
}

/// A term of two words needs no quotes; several codes and words are explained one after the other.
#[test]
fn several_words_are_explained() {
    let explained = |call: &[&str]| run(&[&["explain"], call].concat()).output_of(0);
    assert_eq!(explained(&["history", "state"]), explained(&["history state"]));
    assert_eq!(explained(&["rewriting", "tree", "--json"]), explained(&["rewriting tree", "--json"]));
    let both = explained(&["E0201", "trap"]);
    assert_eq!(both, format!("{}\n{}", explained(&["E0201"]), explained(&["trap"])));
    let document = document_of("explain", &run(&["explain", "E0201", "trap", "--json"]), 0);
    assert_eq!(document["results"].as_array().unwrap().len(), 2);
    assert!(explained(&["never-offered"]).contains("no reachable state offers"));
    // A name that is a term in another spelling has both.
    assert!(explained(&["history-state"]).contains(&explained(&["history", "state"])));
    for (call, unknown) in [(["histori", "stat"], "`histori stat`"), (["E0201", "E9999"], "code `E9999`")] {
        let errors = run(&[&["explain"], &call[..]].concat()).errors_of(2);
        assert!(errors.contains(unknown), "{errors}");
    }
    let errors = run(&["explain", "never-ofered"]).errors_of(2);
    assert!(errors.contains("did you mean never-offered?"), "{errors}");
}

#[test]
fn a_set_is_drawn() {
    let drawn = run(&["draw", "examples/ring.rs", "--what", "proof", "--error", "exclusion"]).output_of(0);
    assert!(drawn.contains("exactly one of these places is always marked"), "{drawn}");
    let document = roxmltree::Document::parse(&drawn).unwrap();
    let places = document.descendants().filter(|node| node.attribute("class") == Some("place"));
    let places: Vec<_> = places
        .map(|place| {
            let text = place.children().find(|node| node.has_tag_name("text")).unwrap();
            (text.text().unwrap(), text.attribute("font-weight") == Some("bold"))
        })
        .collect();
    // The third node is busy at the start.
    assert_eq!(places, [("busy", false), ("busy", false), ("busy", true)]);
    let three = ["draw", PHILOSOPHERS, "--what", "proof", "--error", "forbidden", "--set", "1.3"];
    let three = run(&three);
    assert_eq!((three.code, three.errors.starts_with("note: set 1.3")), (0, true), "{}", three.errors);
    for (arguments, what) in [
        (&["--what", "proof"][..], "--error"),
        (&["--what", "proof", "--error", "exclusion", "--set", "9"], "there is no set 9"),
        (&["--what", "proof", "--error", "exclusion", "--set", "0"], "give the number of a set"),
        (&["--what", "proof", "--error", "exclusion", "--as", "dot"], "SVG only"),
        (&["--what", "proof", "--error", "no = #busy == 1"], "is not proved"),
        (&["--set", "1"], "--what proof"),
        (&["--what", "proof", "--error", "exclusion", "--set", "some"], "or all"),
    ] {
        let run = run(&[&["draw", "examples/ring.rs"], arguments].concat());
        assert!(run.code == 2 && run.errors.contains(what), "{arguments:?}: {}", run.errors);
    }
}

#[test]
fn all_sets_are_drawn_in_colours() {
    let model = "examples/modelling/phase-ports.rs";
    let call = ["draw", model, "--what", "proof", "--error", "deadlock", "--set", "all"];
    let drawn = run(&call);
    assert_eq!((drawn.code, &drawn.errors[..]), (0, "note: of 8 sets the first 6 are drawn\n"));
    let document = roxmltree::Document::parse(&drawn.output).unwrap();
    let sets = document.descendants().filter(|node| node.attribute("class") == Some("set"));
    let begins = |set: roxmltree::Node<'_, '_>| {
        let text = set.descendants().find(|node| node.tag_name().name() == "text").unwrap();
        text.text().unwrap().chars().take(6).collect::<String>()
    };
    let begins: Vec<String> = sets.map(begins).collect();
    assert_eq!(begins, ["set 1:", "set 2:", "set 3:", "set 4:", "set 5:", "set 6:"]);
}
