//! `fmt`, `explain`, `certify`, `completions`, `man`, and streams that end early.

use std::fs;
use std::process::{Command, Stdio};

use insta::assert_snapshot;

use super::{HERMAN, MUX, RING, THIEF, command, file, folder, run, run_with};

/// The question whether a multiplexer deadlocks, as a formula.
const EMIT: [&str; 4] = ["emit", MUX, "--as", "formula"];

const UNTIDY: &str = "component N{states a;init a;a-t->a;}S()<-new x.<t(x)>(N(x)); // end\n";

#[test]
fn fmt_prints() {
    let text = run_with(&["fmt", "-"], UNTIDY).output_of(0);
    assert_snapshot!(text, @r#"
    component N {
        states a;
        init a;
        a -t-> a;
    }

    S() <- new x . <t(x)> (N(x)); // end
    "#);
    assert_eq!(run_with(&["fmt", "-"], &text).output_of(0), text);
}

#[test]
fn fmt_checks_and_writes() {
    let folder = folder("fmt");
    let (tidy, untidy) = (file(&folder, "tidy.rs", ""), file(&folder, "untidy.rs", UNTIDY));
    fs::write(&tidy, run_with(&["fmt", "-"], UNTIDY).output).unwrap();
    let check = |paths: &[&String]| {
        let words: Vec<&str> =
            ["fmt", "--check"].into_iter().chain(paths.iter().map(|path| path.as_str())).collect();
        run(&words)
    };
    assert_eq!(check(&[&tidy]).output_of(0), "");
    assert_eq!(check(&[&tidy, &untidy]).output_of(1), format!("{untidy}: not in canonical form\n"));
    assert_eq!(fs::read_to_string(&untidy).unwrap(), UNTIDY);
    assert_eq!(run(&["fmt", "--write", &untidy, &tidy]).output_of(0), "");
    assert_eq!(fs::read_to_string(&untidy).unwrap(), fs::read_to_string(&tidy).unwrap());
    assert_eq!(check(&[&tidy, &untidy]).output_of(0), "");
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn fmt_shows_what_it_would_change() {
    let folder = folder("fmt-diff");
    let tidy = run_with(&["fmt", "-"], UNTIDY).output;
    let same = super::file(&folder, "same.rs", &tidy);
    assert_eq!(run(&["fmt", "--diff", &same]).output_of(0), "");
    let diff = run_with(&["fmt", "--diff", "-"], UNTIDY).output_of(1);
    assert!(diff.starts_with("--- <stdin>\n+++ <stdin> (canonical)\n@@ -1"), "{diff}");
    // What is left and what is taken away make the text; what is left and what is added the canonical one.
    let side = |without: char, with: char| -> String {
        let lines = diff.lines().skip(2).filter(|line| !line.starts_with(['@', '\\', without]));
        lines.map(|line| format!("{}\n", line.strip_prefix([' ', with]).unwrap())).collect()
    };
    assert_eq!(side('-', '+'), tidy);
    assert_eq!(side('+', '-').trim_end(), UNTIDY.trim_end());
    let errors = run(&["fmt", "--diff", "--write", &same]).errors_of(2);
    assert!(errors.contains("cannot be used with"), "{errors}");
}

/// A mark at the beginning of a file is part of what changes: else the difference would not fit the file.
#[test]
fn fmt_takes_away_the_mark_of_utf_8() {
    let folder = folder("fmt-mark");
    let tidy = run_with(&["fmt", "-"], UNTIDY).output;
    for (name, text) in [("untidy.rs", UNTIDY), ("tidy.rs", &tidy)] {
        let path = super::file(&folder, name, format!("\u{feff}{text}"));
        let diff = run(&["fmt", "--diff", &path]).output_of(1);
        let first = text.lines().next().unwrap();
        assert!(diff.contains(&format!("\n-\u{feff}{first}\n")), "{diff}");
        assert!(!diff.replace("-\u{feff}", "").contains('\u{feff}'), "{diff}");
        // Where the program `patch` is, it takes the difference.
        let patched = super::file(&folder, "patched.rs", format!("\u{feff}{text}"));
        let patch = super::file(&folder, "difference", diff);
        let status = Command::new("patch").args(["--silent", &patched, &patch]).status();
        assert!(status.is_err() || fs::read_to_string(&patched).unwrap() == tidy, "{name}");
        assert!(run(&["fmt", "--check", &path]).output_of(1).contains("not in canonical form"));
        assert_eq!(run(&["fmt", &path]).output_of(0), tidy);
        run(&["fmt", "--write", &path]).output_of(0);
        assert_eq!(fs::read_to_string(&path).unwrap(), tidy);
        run(&["fmt", "--check", &path]).output_of(0);
    }
}

#[test]
fn fmt_leaves_broken_files_alone() {
    let folder = folder("fmt-broken");
    let (broken, untidy) = (file(&folder, "broken.rs", "component {"), file(&folder, "untidy.rs", UNTIDY));
    let run = run(&["fmt", "--write", &broken, &untidy]);
    assert_eq!(run.code, 2);
    assert!(run.errors.contains("broken.rs"), "{}", run.errors);
    assert_eq!(fs::read_to_string(&broken).unwrap(), "component {");
    assert_ne!(fs::read_to_string(&untidy).unwrap(), UNTIDY);
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn fmt_is_told_the_language() {
    let process = "system a.0|'a.0;";
    let tidy = run_with(&["fmt", "-", "--language", "ccs"], process).output_of(0);
    assert_eq!(tidy, "system a.0 | 'a.0;\n");
    let errors = run_with(&["fmt", "-"], process).errors_of(2);
    assert!(errors.contains("`--language ccs` or `--language chor`"), "{errors}");
    let folder = folder("fmt-language");
    let (named, unnamed) = (file(&folder, "a.txt", process), file(&folder, "a.rs", "component {"));
    assert!(run(&["fmt", &named]).errors_of(2).contains("--language"));
    assert_eq!(run(&["fmt", "--write", "--language", "ccs", &named]).output_of(0), "");
    assert_eq!(fs::read_to_string(&named).unwrap(), tidy);
    // What ends in `.rs` is a rewriting system.
    assert!(!run(&["fmt", &unnamed]).errors_of(2).contains("--language"));
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn explain() {
    assert_snapshot!("explain", run(&["explain", "e0004"]).output_of(0));
    let list = run(&["explain"]).output_of(0);
    // Behind the codes stand the words.
    let (list, words) = list.split_once("\n\nWords: ").unwrap();
    assert!(words.contains("trap,") && words.contains("mutex,"), "{words}");
    let codes: Vec<&str> = list.lines().map(|line| line.split(' ').next().unwrap()).collect();
    assert!(codes.len() > 20, "{list}");
    for letter in ["E", "W"] {
        assert!(codes.iter().filter(|code| code.starts_with(letter)).is_sorted(), "{list}");
    }
    for code in codes {
        let text = run(&["explain", code]).output_of(0);
        assert!(text.starts_with(code) && text.lines().count() > 3, "{text}");
    }
    assert_snapshot!(run(&["explain", "E9999"]).errors_of(2), @r#"
    error: there is no code `E9999`
      `paramcheck explain` lists all codes and words
    "#);
}

#[test]
fn certificates_come_and_go() {
    let folder = folder("certify");
    let path = folder.join("lost.json");
    let name = path.to_str().unwrap();
    run(&["-q", THIEF, "--error", "lost", "--certificate", name]).output_beside_warnings(0);
    assert_snapshot!(run(&["certify", THIEF, name]).output_of(0), @"accepted: no instance of Ring reaches `lost` (#Node.t + #First.t == 0)");
    let text = fs::read_to_string(&path).unwrap();
    // The certificate of another model.
    let refused = run_with(&["certify", MUX, "-"], &text).output_of(1);
    assert!(refused.starts_with("refused: "), "{refused}");
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);

    let spoilt = text.replacen("\"marked\": 1", "\"marked\": 0", 1);
    assert_ne!(spoilt, text);
    let run_spoilt = run_with(&["certify", THIEF, "-"], spoilt);
    assert!(run_spoilt.output.starts_with("refused: "), "{}", run_spoilt.output);
    assert_eq!(run_spoilt.code, 1);

    assert_snapshot!(run_with(&["certify", THIEF, "-"], "{\n  \"format\": 1\n}").errors_of(2), @r#"
    error[E0015]: `<stdin>` is no certificate: invalid type: integer `1`, expected a string
     --> <stdin>:2:13
      |
    2 |   "format": 1
      |             ^ here
      |
      = help: docs/certificate.md says what stands where
    "#);
    let empty = run_with(&["certify", THIEF, "-"], "").errors_of(2);
    assert!(empty.contains("E0015") && empty.contains("the text ends too early"), "{empty}");
    assert_eq!(run(&["certify", "no-such-file.rs", name]).code, 2);
    assert_eq!(run(&["certify", THIEF, "no-such-file.json"]).code, 2);
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn certificates_of_errors_defined_on_the_spot() {
    let folder = folder("certify-defined");
    let model = file(&folder, "ring.rs", RING);
    let certificate = folder.join("two.json");
    let certificate = certificate.to_str().unwrap();
    run(&["-q", &model, "--error", "two = #busy >= 2", "--certificate", certificate]).output_of(0);
    // Its own definition is what it claims.
    assert_snapshot!(run(&["certify", &model, certificate]).output_of(0), @"accepted: no instance of Ring reaches `two` (#Node.busy >= 2); the certificate defines this error, the model does not");
    let text = fs::read_to_string(certificate).unwrap();
    let other = text.replace("#Node.busy >= 2", "#Node.busy >= 1");
    assert_ne!(text, other);
    let refused = run_with(&["certify", &model, "-"], &other).output_of(1);
    assert!(refused.starts_with("refused") && refused.contains("the certificate defines"), "{refused}");
    let unknown = run_with(&["certify", &model, "-"], text.replace("#Node.busy", "#Node.bussy"));
    assert_eq!(unknown.code, 2, "{}", unknown.output);
    let run_defined = run(&["certify", &model, certificate, "--error", "two = #busy >= 2"]);
    assert_snapshot!(run_defined.output_of(0), @"accepted: no instance of Ring reaches `two` (#Node.busy >= 2)");
    assert_eq!(run(&["certify", &model, certificate, "--error", "two = #busy >= 1"]).code, 1);
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn no_certificate_without_proof() {
    let folder = folder("no-proof");
    let path = folder.join("one.json");
    let run = run(&["-q", HERMAN, "--error", "one", "--certificate", path.to_str().unwrap()]);
    assert_eq!(run.code, 1);
    assert!(run.errors.contains("no certificate written"), "{}", run.errors);
    assert!(!path.exists());
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_certificate_never_replaces_its_model() {
    let folder = folder("own-model");
    let model = folder.join("ring.rs");
    fs::copy(MUX, &model).unwrap();
    let before = fs::read(&model).unwrap();
    let same = folder.join("..").join(folder.file_name().unwrap()).join("ring.rs");
    let run = run(&[model.to_str().unwrap(), "--error", "deadlock", "--certificate", same.to_str().unwrap()]);
    assert_eq!(run.code, 2, "{}", run.errors);
    assert!(run.errors.contains("names the model itself"), "{}", run.errors);
    assert_eq!(fs::read(&model).unwrap(), before);
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn certificates_that_cannot_be_written() {
    let run = run(&["-q", MUX, "--error", "lost", "--certificate", "no-such-folder/lost.json"]);
    assert_eq!(run.code, 2);
    assert!(run.output.starts_with("proved"), "{}", run.output);
    assert!(run.errors.contains("no-such-folder/lost.json"), "{}", run.errors);
}

#[test]
fn completions() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = run(&["completions", shell]).output_of(0);
        assert!(script.contains("paramcheck") && script.contains("max-states"), "{shell}: {script}");
    }
}

#[test]
fn the_manual_page_has_every_command() {
    let pages = run(&["man"]).output_of(0);
    let help = run(&["--help"]).output_of(0);
    let commands = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let commands =
        commands.take_while(|line| !line.is_empty()).filter_map(|line| line.split_whitespace().next());
    let commands: Vec<&str> = commands.filter(|command| *command != "help").collect();
    assert!(commands.len() > 12, "{commands:?}");
    assert_eq!(pages.matches("\n.TH ").count(), 1 + commands.len(), "{pages}");
    for name in
        commands.iter().map(|command| format!("paramcheck-{command}")).chain(["paramcheck".to_owned()])
    {
        assert!(pages.contains(&format!(".TH {name} 1 ")), "{name}: {pages}");
    }
    // An option of the program and one of a command.
    assert!(pages.contains("certificate") && pages.contains("standalone"), "{pages}");
}

#[test]
fn a_reader_that_has_seen_enough_is_no_failure() {
    for call in [
        &["--help"][..],
        &["explain"],
        &[MUX],
        &["--json", MUX],
        &["fmt", MUX],
        &EMIT,
        &["draw", MUX],
        &["step", MUX, "--size", "3"],
        &["completions", "bash"],
        &["man"],
    ] {
        let mut child = command(call).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!((output.status.code(), output.stderr.is_empty()), (Some(0), true), "{call:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told() {
    for call in [
        &["explain"][..],
        &[MUX],
        &["--json", MUX],
        &["fmt", MUX],
        &EMIT,
        &["draw", MUX],
        &["--help"],
        &["-h"],
        &["--version"],
        &["help"],
        &["help", "explore"],
        &["step", "--help"],
    ] {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = command(call).stdout(Stdio::from(full)).output().unwrap();
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{call:?}");
        assert!(errors.contains("cannot write to standard output: No space left on device"), "{errors}");
    }
}

/// What only shows after parsing is reported with the same usage as what the parser finds.
#[test]
fn mistakes_are_told_with_the_usage_of_their_command() {
    let ring = "examples/ring.rs";
    let calls: [(&str, &[&str]); 9] = [
        ("", &["-", "-"]),
        ("", &[ring, "--certificate", "x.json"]),
        (" crosscheck", &["-", "-", "--max-size", "3"]),
        (" draw", &[ring, "--what", "trace"]),
        (" emit", &[ring, "--as", "dot"]),
        (" explore", &[ring]),
        (" instances", &[ring]),
        (" step", &[ring]),
        (" step", &["-", "--size", "3"]),
    ];
    for (command, words) in calls {
        let call: Vec<&str> = command.split_whitespace().chain(words.iter().copied()).collect();
        let errors = run(&call).errors_of(2);
        assert!(errors.contains(&format!("Usage: paramcheck{command} [OPTIONS]")), "{call:?}: {errors}");
        assert!(errors.starts_with("error: ") && errors.contains("try '--help'"), "{call:?}: {errors}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_ends_every_command_with_its_exit_code() {
    use super::limits::press;
    use std::io::Read;

    let folder = folder("commands-interrupted");
    let certificate = folder.join("certificate.json");
    let certificate = certificate.to_str().unwrap();
    run(&[MUX, "--error", "critical", "--certificate", certificate, "-q"]).output_of(0);
    for call in [
        &["step", MUX, "--size", "3"][..],
        &["draw", "-"],
        &["fmt", "-"],
        &["emit", "-", "--as", "mona"],
        &["replay", MUX, "-"],
        &["replay", "-", certificate],
        &["certify", MUX, "-"],
        &["certify", "-", certificate],
        &["explore", "-", "--size", "3"],
        &["instances", "-", "--size", "3"],
        &["crosscheck", "-", "--max-size", "3"],
    ] {
        let mut child = command(call).stdin(Stdio::piped()).spawn().unwrap();
        // Held open here: `wait` would close the child's input.
        let input = child.stdin.take();
        // The key is caught once the program's table of signals shows it.
        let status = format!("/proc/{}/status", child.id());
        let catches = || {
            let text = fs::read_to_string(&status).unwrap();
            let caught = text.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap().trim();
            u64::from_str_radix(caught, 16).unwrap() & 2 != 0
        };
        while !catches() {
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        press(&child);
        let mut errors = String::new();
        child.stderr.take().unwrap().read_to_string(&mut errors).unwrap();
        assert_eq!((child.wait().unwrap().code(), errors.as_str()), (Some(130), ""), "{call:?}");
        drop(input);
    }
    fs::remove_dir_all(folder).unwrap();
}
