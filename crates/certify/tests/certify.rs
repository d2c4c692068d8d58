//! The program, called as users call it.

#![allow(clippy::expect_used, missing_docs, reason = "a test")]

use std::path::PathBuf;
use std::process::Command;

const MODEL: &str = "component Node { states idle, busy; init idle; busy -out-> idle; idle -in-> busy; }
    Ring() <- new x, y . <out(y) in(x)> (Chain(x, y));
    Chain(x, y) <- <out(x) in(y)> (Node(x), Node[busy](y));
    Chain(x, y) <- new z . <out(x) in(z)> (Node(x), Chain(z, y));
    error exclusion = #busy >= 2;
";

/// Written by `paramcheck --certificate`, of the model above.
const CERTIFICATE: &str = include_str!("exclusion.json");

/// Two files to call the program with.
struct Call {
    folder: tempfile::TempDir,
}

impl Call {
    fn new(model: &str, certificate: &str) -> Self {
        let call = Call { folder: tempfile::tempdir().expect("a folder") };
        std::fs::write(call.path("model.rs"), model).expect("a file");
        std::fs::write(call.path("certificate.json"), certificate).expect("a file");
        call
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn run<S: AsRef<std::ffi::OsStr>>(&self, more: &[S]) -> (i32, String, String) {
        let (model, certificate) = (self.path("model.rs"), self.path("certificate.json"));
        let program = program().arg(model).arg(certificate).args(more).output();
        answer(program.expect("the program runs"))
    }
}

fn program() -> Command {
    Command::new(env!("CARGO_BIN_EXE_paramcheck-certify"))
}

/// Exit code, standard output, standard error.
fn answer(output: std::process::Output) -> (i32, String, String) {
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (output.status.code().expect("an exit code"), text(output.stdout), text(output.stderr))
}

#[test]
fn a_certificate_is_accepted() {
    let (code, output, errors) = Call::new(MODEL, CERTIFICATE).run::<&str>(&[]);
    assert_eq!((code, errors.as_str()), (0, ""));
    assert_eq!(output, "accepted: no instance of Ring reaches `exclusion` (#Node.busy >= 2)\n");
}

#[test]
fn an_error_may_be_defined_in_the_call() {
    let without = MODEL.replace("error exclusion = #busy >= 2;", "");
    let call = Call::new(&without, CERTIFICATE);
    let (code, output, _) = call.run::<&str>(&[]);
    let whose = "(#Node.busy >= 2); the certificate defines this error, the model does not\n";
    assert!(code == 0 && output.ends_with(whose), "{output}");
    let (code, _, errors) = Call::new(&without, &CERTIFICATE.replace("#Node", "#Nod")).run::<&str>(&[]);
    assert!(code == 2 && errors.contains("`exclusion`, an error that the model does not define"), "{errors}");
    assert_eq!(call.run(&["exclusion = #busy >= 2"]).0, 0);
    let (code, output, _) = call.run(&["exclusion = #busy >= 1"]);
    assert!(code == 1 && output.starts_with("refused: the certificate's formula is"), "{output}");
    let (code, _, errors) = call.run(&["exclusion = #bsy >= 2"]);
    assert!(code == 2 && errors.contains("^^^"), "{errors}");
}

#[test]
fn forged_certificates_are_refused() {
    let mut refused = 0;
    for (right, wrong) in [("\"initial\": 1", "\"initial\": 0"), ("\"marked\": 2", "\"marked\": 0")] {
        for (at, _) in CERTIFICATE.match_indices(right) {
            let mut forged = CERTIFICATE.to_owned();
            forged.replace_range(at..at + right.len(), wrong);
            let (code, output, errors) = Call::new(MODEL, &forged).run::<&str>(&[]);
            assert_eq!((code, errors.as_str()), (1, ""), "{output}");
            assert!(output.starts_with("refused: "), "{output}");
            refused += 1;
        }
    }
    assert!(refused > 4, "{refused}");
}

#[test]
fn a_certificate_of_another_model_is_refused() {
    let other = MODEL.replace("(Node(x), Node[busy](y))", "(Node[busy](x), Node[busy](y))");
    let (code, output, _) = Call::new(&other, CERTIFICATE).run::<&str>(&[]);
    assert!(code == 1 && output.starts_with("refused: "), "{output}");
}

#[test]
fn bad_input_is_shown() {
    let (code, output, errors) =
        Call::new(&MODEL.replace("init idle", "init asleep"), CERTIFICATE).run::<&str>(&[]);
    assert_eq!((code, output.as_str()), (2, ""));
    assert!(errors.contains("model.rs:1:") && errors.contains("^^^^^^"), "{errors}");
    let (code, _, errors) = Call::new(MODEL, "{").run::<&str>(&[]);
    assert!(code == 2 && errors.contains("certificate.json` is no certificate: EOF"), "{errors}");
    let (code, _, errors) = answer(program().args(["/nonexistent", "/nonexistent"]).output().expect("runs"));
    assert!(code == 2 && errors.contains("cannot read `/nonexistent`"), "{errors}");
}

#[test]
fn help_and_version() {
    let with = |arguments: &[&str]| answer(program().args(arguments).output().expect("the program runs"));
    let (code, help, _) = with(&["--help"]);
    assert!(code == 0 && help.contains("Usage: paramcheck-certify MODEL CERTIFICATE"), "{help}");
    assert_eq!(with(&["--version"]).1, format!("paramcheck-certify {}\n", env!("CARGO_PKG_VERSION")));
    assert_eq!(with(&[]), (2, String::new(), help));
}

/// It is not left out: the certificate's own error is not the one in question then.
#[cfg(unix)]
#[test]
fn an_error_that_is_no_text_is_bad_input() {
    use std::os::unix::ffi::OsStrExt;
    let call = Call::new(MODEL, CERTIFICATE);
    let (code, output, errors) = call.run(&[std::ffi::OsStr::from_bytes(b"two = #busy >= 2\xff")]);
    assert_eq!((code, output.as_str(), errors.as_str()), (2, "", "error: ERROR is no text in UTF-8\n"));
}
