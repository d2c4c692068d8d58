use insta::assert_snapshot;

use super::*;
use crate::instance::enumerate::trees;
use crate::instance::unfold::check_tree;
use paramcheck_model::lower::load;
use paramcheck_text::diagnostic::render::render;
use paramcheck_text::source::SourceFile;

fn system(text: &str) -> System {
    let loaded = load(text);
    loaded.system.unwrap_or_else(|| panic!("{:#?}", loaded.diagnostics))
}

/// A ring and a tree in one: a root with a tree of nodes above a chain.
fn model() -> System {
    system(
        "component N { states idle, busy, off; init idle, busy; idle -t-> busy; busy -t-> idle; idle -> off; }
         component L { states l; init l; l -t-> l; }
         Sys()   <- new x, y . (Tree(x), Chain(y));
         Tree(x) <- new y, z . <t(x) t(y) t(z)> (N(x), Tree(y), Tree(z)) | L(x);
         Chain(x) <- new y . <t(x) t(y)> (L(x), Chain(y));
         Chain(x) <- new y, z . <t(x) t(y) + t(y) t(z)> (N(x), N[*](y), L(z));
         Chain(x) <- new y . <t(x) t(y)> (N(x), Chain(y));",
    )
}

#[test]
fn printed_terms_are_read_as_the_same_tree() {
    let system = model();
    let mut count = 0;
    for tree in (1..9).flat_map(|size| trees(&system, size)) {
        let text = print_term(&system, &tree);
        assert_eq!(parse_term(&system, &text).as_ref(), Ok(&tree), "{text}");
        count += 1;
    }
    assert!(count > 500, "{count}");
}

#[test]
fn a_term_has_several_spellings() {
    let system = model();
    let same = |text: &str, printed: &str| {
        let tree = parse_term(&system, text).unwrap_or_else(|problems| panic!("{problems:#?}"));
        assert_eq!(check_tree(&system, &tree), Ok(()));
        assert_eq!(print_term(&system, &tree), printed);
    };
    same("Sys(Tree.2, Chain.2[idle, off])", "Sys.1(Tree.2, Chain.2[idle, off])");
    same(
        " Sys . 1 ( Tree.02(), /* twice */ Chain.1(Chain.1(Chain.3[busy]^1(Chain.2[idle,idle]))) ) ",
        "Sys.1(Tree.2, Chain.1^2(Chain.3[busy](Chain.2[idle, idle])))",
    );
    same(
        "Sys.1(Tree.1[busy](Tree.2, Tree.2), Chain.3[busy]^2(Chain.3[idle]^2(Chain.2[busy, off])))",
        "Sys.1(Tree.1[busy](Tree.2, Tree.2), Chain.3[busy]^2(Chain.3[idle]^2(Chain.2[busy, off])))",
    );
}

#[test]
fn wrong_terms_are_reported_with_what_was_expected() {
    let system = model();
    let shown: Vec<String> = [
        "",
        "1",
        "Tree.2",
        "Sys.2(Tree.2, Chain.1)",
        "Sys.x",
        "Sys(Three.2, Chain.2[idle, off])",
        "Sys(Chain.2[idle, idle], Tree.2)",
        "Sys(Tree, Chain.2[idle, idle])",
        "Sys",
        "Sys(Tree.1[busy]",
        "Sys(Tree.2)",
        "Sys(Tree.2 Chain.1)",
        "Sys(Tree.2, Chain.2[idle, off], Tree.2)",
        "Sys(Tree.2, Chain.2[idle, off]",
        "Sys(Tree.2, Chain.2[idle, off]))",
        "Sys(Tree.2(Tree.2), Chain.2[idle, off])",
        "Sys(Tree.2, Chain.2)",
        "Sys(Tree.2, Chain.2[idle])",
        "Sys(Tree.2, Chain.2[idle, off, idle])",
        "Sys(Tree.2, Chain.2[off, off])",
        "Sys(Tree.2, Chain.2[idle, of])",
        "Sys(Tree.2, Chain.2[idle, off",
        "Sys(Tree.2[l], Chain.2[idle, off])",
        "Sys(Tree.2, Chain.1^0(Chain.2[idle, off]))",
        "Sys(Tree.2, Chain.1^(Chain.2[idle, off]))",
        "Sys(Tree.2, Chain.1^1000000(Chain.2[idle, off]))",
        "Sys(Tree.2, Chain.1^99999999999999999999999(Chain.2[idle, off]))",
        "Sys(Tree.2, Chain.2[idle, off]^2)",
        "Sys(Tree.1[idle]^2(Tree.2, Tree.2), Chain.2[idle, off])",
        "Sys(Tree.2, Chain.2[idle, off]) ↑",
        "Säs(Tree.2, Chain.2[idle, off])",
    ]
    .iter()
    .map(|text| {
        let diagnostics = parse_term(&system, text).expect_err(text);
        let file = SourceFile::new("--tree", *text);
        let rendered = diagnostics.iter().map(|diagnostic| render(&file, diagnostic, false));
        itertools::join(rendered, "\n")
    })
    .collect();
    assert_snapshot!(shown.join("\n\n"));
}

#[test]
fn deep_and_large_terms_need_no_deep_stack() {
    let system = model();
    let depth = 50_000;
    let below = "Chain.1(Chain.3[busy](".repeat(depth);
    let text = format!("Sys(Tree.2, {below}Chain.2[idle, off]{})", "))".repeat(depth));
    let tree = parse_term(&system, &text).unwrap();
    assert_eq!(tree.nodes.len(), 2 * depth + 3);
    let printed = print_term(&system, &tree);
    assert_eq!(printed.len(), text.len() + 2);
    assert_eq!(parse_term(&system, &printed), Ok(tree));
    let tree = parse_term(&system, "Sys(Tree.2, Chain.1^999990(Chain.2[idle, off]))").unwrap();
    assert_eq!(tree.size(), 999_990 + 4);
    assert_eq!(print_term(&system, &tree), "Sys.1(Tree.2, Chain.1^999990(Chain.2[idle, off]))");
    // Never closed, never opened, nothing but brackets.
    for text in [&below, "(", ")", "[", "^", &"(".repeat(100_000), &"Sys(".repeat(100_000)] {
        assert!(parse_term(&system, text).is_err());
    }
}

#[test]
fn any_change_of_a_term_is_a_tree_or_refused_in_place() {
    let system = model();
    let original = "Sys.1(Tree.1[busy](Tree.2, Tree.2), Chain.3[busy]^2(Chain.1(Chain.2[busy, off])))";
    let pieces = ["", "(", ")", "[", "]", ",", "^", ".", "1", "2", "idle", "Chain", "Tree.2", "é", " ", "/*"];
    let mut trees = 0;
    for start in 0..=original.len() {
        for length in 0..3 {
            for piece in pieces {
                let end = (start + length).min(original.len());
                let text = format!("{}{piece}{}", &original[..start], &original[end..]);
                match parse_term(&system, &text) {
                    Ok(tree) => {
                        assert_eq!(check_tree(&system, &tree), Ok(()), "{text}");
                        trees += 1;
                    }
                    Err(diagnostics) => {
                        let places: Vec<_> = diagnostics.iter().flat_map(|found| &found.labels).collect();
                        assert!(!places.is_empty(), "{text}");
                        for label in places {
                            assert!(text.get(label.span.start..label.span.end).is_some(), "{text}");
                        }
                    }
                }
            }
        }
    }
    assert!(trees > 100, "{trees}");
}
