//! Documents of this program in the place of others, and of models: the message says what the document is, and
//! which command takes it.

use std::fmt::Write;

use insta::assert_snapshot;

use super::{HERMAN, MUX, file, folder, run};

const PIPE: &str = "tests/cases/open/pipe.rs";
const PROCESS: &str = "examples/ccs/2pc-unrestricted.ccs";

/// The document that a call writes or prints.
fn printed(call: &[&str]) -> String {
    run(call).output
}

#[test]
fn every_document_in_the_place_of_every_other() {
    let folder = folder("evidence");
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    run(&["-q", MUX, "--error", "lost", "--certificate", &path("certificate.json")]).output_of(0);
    run(&["-q", HERMAN, "--error", "one", "--trace", &path("trace.json")]).output_of(1);
    run(&["-q", PIPE, "--error", "late", "--candidate", &path("candidate.json")]).output_of(3);
    file(&folder, "check.json", printed(&[HERMAN, "--json"]));
    file(&folder, "verify.json", printed(&["verify", PROCESS, "--check", "outcome", "--json"]));
    file(&folder, "explain.json", printed(&["explain", "trap", "--json"]));

    let takers: [(&[&str], &[&str]); 14] = [
        (&["certify", MUX], &["certificate"]),
        (&["replay", HERMAN], &["trace", "check"]),
        (&["step", HERMAN, "--trace"], &["trace", "check"]),
        (&["draw", HERMAN, "--trace"], &["trace", "check"]),
        (&["draw", PROCESS, "--trace"], &["verify"]),
        (&["replay", PIPE, "--candidate"], &["candidate"]),
        (&["step", PIPE, "--candidate"], &["candidate"]),
        (&["draw", PIPE, "--candidate"], &["candidate"]),
        (&["explore", PIPE, "--candidate"], &["candidate"]),
        (&["-q"], &[]),
        (&["explore", "--size", "3"], &[]),
        (&["verify"], &[]),
        (&["verify", "--language", "ccs"], &[]),
        (&["fmt"], &[]),
    ];
    let (mut text, mut refused) = (String::new(), 0);
    for (call, taken) in takers {
        let _ = writeln!(text, "$ {}", call.join(" "));
        for kind in ["certificate", "trace", "candidate", "check", "verify", "explain"] {
            let document = path(&format!("{kind}.json"));
            let run = run(&[call, &[&document]].concat());
            if taken.contains(&kind) {
                assert_ne!(run.code, 2, "{call:?} {kind}: {}", run.errors);
                continue;
            }
            refused += 1;
            let errors = run.errors_of(2).replace(&document, &format!("{kind}.json"));
            assert!(
                errors.starts_with("error[E0") && errors.contains("= help: "),
                "{call:?} {kind}: {errors}"
            );
            text += &errors;
        }
    }
    assert_eq!(refused, 14 * 6 - 12);
    assert_snapshot!("evidence", text);
}

/// The model comes first.
#[test]
fn a_document_before_its_model() {
    let folder = folder("evidence-first");
    let trace = folder.join("trace.json").to_str().unwrap().to_owned();
    run(&["-q", HERMAN, "--error", "one", "--trace", &trace]).output_of(1);
    for call in [&["replay", &trace, HERMAN][..], &["certify", &trace, HERMAN]] {
        let errors = run(call).errors_of(2);
        assert!(errors.contains("is a trace, not a model"), "{errors}");
        assert!(errors.contains(&format!("`paramcheck replay MODEL {trace}`")), "{errors}");
    }
}
