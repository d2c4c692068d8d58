//! `step`: sessions in a pipe.

use std::fs;

use insta::assert_snapshot;

use super::{HERMAN, RING, file, folder, run, run_with};

#[test]
fn a_session() {
    let folder = folder("step");
    let model = file(&folder, "ring.rs", RING);
    let path = folder.join("walk.json");
    let path = path.to_str().unwrap();
    let lines = format!("1\nb\nrandom 4\ng 2\nmarking\nerrors\nfoo\nsave {path}\nn\nquit\nnot read\n");
    let session = run_with(&["step", &model, "--size", "3", "--seed", "5"], lines).output_of(0);
    assert_snapshot!("session", session.replace(path, "PATH"));
    // What was saved is a trace like others.
    let replays =
        "replays: 2 steps, ends in a marking that is in `moved` (#Node.idle >= 2 & #Node.busy == 1)\n";
    assert_eq!(run(&["replay", &model, path, "-q"]).output_of(0), replays);
    let again = run_with(&["step", &model, "--trace", path], "n 2\nn\nb\n1\nreset\n").output_of(0);
    assert_snapshot!("along-a-trace", again);
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn what_cannot_be_saved() {
    let folder = folder("step-save");
    let model = file(&folder, "ring.rs", RING);
    let lines = format!("save {model}\nsave -\nsave no-such-folder/x.json\nsave {}", folder.display());
    let session = run_with(&["step", &model, "--size", "2"], lines).output_of(0);
    let answers: Vec<&str> =
        session.lines().filter(|line| line.starts_with("not saved") || line.starts_with("give")).collect();
    assert_eq!(answers.len(), 4, "{session}");
    assert!(answers[0].contains("is the model itself") && answers[2].contains("No such file"), "{session}");
    assert_eq!(fs::read_to_string(&model).unwrap(), RING);
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn names_of_files_may_stand_in_quotes() {
    let folder = folder("step-quotes");
    let model = file(&folder, "ring.rs", RING);
    let at = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let (plain, spaced, quoted) = (at("plain.json"), at("with a space.json"), at("it's.json"));
    let lines = format!(
        "save \"{plain}\"\ns {spaced}\ns \"{quoted}\"\nsave '{spaced}'\nsave \"{plain}\nsave ''\nsave '{plain}' x\n"
    );
    let session = run_with(&["step", &model, "--size", "2"], lines).output_of(0);
    let told: Vec<&str> = session
        .lines()
        .skip_while(|line| !line.starts_with("saved"))
        .filter(|line| !line.starts_with("> "))
        .collect();
    assert_eq!(told[..3], [&plain, &spaced, &quoted].map(|path| format!("saved to `{path}`")));
    assert_eq!(told[3], format!("saved to `{spaced}`, in place of the file that was there"));
    assert_eq!(told[4], "the name begins with \" but does not end with it");
    assert!(told[5].starts_with("give the name of a file"), "{}", told[5]);
    assert_eq!(told[6], "nothing can stand behind the name in quotes");
    let mut names: Vec<_> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(names, ["it's.json", "plain.json", "ring.rs", "with a space.json"]);
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn input_of_all_kinds() {
    for input in [&b""[..], b"quit", b"\n\n\n", b"\xff\xfe\x00\n1\n", &b"x".repeat(1 << 20), b"r 5\nb 5\r\nl"]
    {
        let session = run_with(&["step", HERMAN, "--size", "2"], input);
        assert!(session.code == 0 && session.output.contains("instance:"), "{session:?}");
        assert!(session.output.chars().all(|one| one == '\n' || !one.is_control()), "{session:?}");
        assert!(session.output.len() < 10_000, "{}", session.output.len());
    }
}

#[test]
fn calls_that_are_wrong() {
    let mut all = String::new();
    for wrong in [
        &[HERMAN][..],
        &[HERMAN, "--size", "0"],
        &[HERMAN, "--size", "1"],
        &["examples/philosophers/alt-philo-sym.rs", "--size", "7"],
        &[HERMAN, "--size", "3", "--trace", "x.json"],
        &[HERMAN, "--trace", "no-such-file"],
        &[HERMAN, "--trace", "README.md"],
        &[HERMAN, "--trace", "-"],
        &["-", "--size", "3"],
        &[HERMAN, "--size", "3", "--seed", "x"],
    ] {
        let call = [&["step"], wrong].concat();
        all += &format!("$ paramcheck {}\n{}\n", call.join(" "), run(&call).errors_of(2));
    }
    assert_snapshot!("wrong-steps", all);
}

#[test]
fn help() {
    assert_snapshot!("step-help", run(&["step", "--help"]).output_of(0));
}
