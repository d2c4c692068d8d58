//! R-CHECK: what takes files that end in `.rcp`.

use super::{file, folder, run};

const SEED: &str = "tests/cases/rcheck/models/allocation-seed.rcp";

#[test]
fn files_are_formatted_and_converted() {
    let folder = folder("rcheck-fmt");
    let today = run(&["fmt", "--to", "today", SEED]).output_of(0);
    assert!(today.contains("enum channel {c, empty, g1, g2, vmm1, vmm2, vmm3, t}\n"), "{today}");
    assert!(
        today.contains("SPEC G (manager-automaton-state = 1 -> F manager-automaton-state = 0);\n"),
        "{today}"
    );
    let path = file(&folder, "today.rcp", &today);
    assert_eq!(run(&["fmt", "--check", &path]).output_of(0), "");
    assert_eq!(run(&["fmt", "--to", "today", &path]).output_of(0), today);
    let path = file(&folder, "mixed.rcp", "SPEC a | b & c");
    assert_eq!(run(&["fmt", &path]).output_of(0), "SPEC a | b & c;\n");
    assert_eq!(run(&["fmt", "--as-rcheck", &path]).output_of(0), "SPEC (a | b) & c;\n");
}

#[test]
fn what_is_wrong_is_refused() {
    let errors = run(&["fmt", "tests/cases/rcheck/bad/mixed-syntax.rcp"]).errors_of(2);
    assert!(errors.starts_with("error[E0911]"), "{errors}");
    for option in [["--to", "today"].as_slice(), &["--as-rcheck"]] {
        let call: Vec<&str> = ["fmt"].iter().chain(option).copied().chain(["examples/ring.rs"]).collect();
        let errors = run(&call).errors_of(2);
        assert!(errors.contains("`examples/ring.rs` is not in R-CHECK (.rcp)"), "{errors}");
    }
}
