//! Gives the program what it was built from: `PARAMCHECK_BUILD`, the version with the commit and its day. Gives
//! the tests `cfg(long_tests)` where `PARAMCHECK_LONG=1` is set.
//!
//! `--version` prints it. Nothing is fetched. Outside a checkout (a package, an unpacked archive) there is no
//! commit, and the version stands alone.

use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    // How much the tests do: see tests/suite/support/scale.rs.
    println!("cargo:rerun-if-env-changed=PARAMCHECK_LONG");
    println!("cargo:rustc-check-cfg=cfg(long_tests)");
    if std::env::var_os("PARAMCHECK_LONG").is_some_and(|value| value == "1") {
        println!("cargo:rustc-cfg=long_tests");
    }
    let version = std::env::var("CARGO_PKG_VERSION").unwrap_or_default();
    let build = match commit() {
        Some(commit) => format!("{version} ({commit})"),
        None => version,
    };
    println!("cargo:rustc-env=PARAMCHECK_BUILD={build}");
}

/// The commit that is built, shortened, and its day.
fn commit() -> Option<String> {
    // Sources unpacked within another repository are not of its commit.
    let root = git(&["rev-parse", "--show-toplevel"])?;
    if Path::new(&root).canonicalize().ok()? != Path::new(".").canonicalize().ok()? {
        return None;
    }
    // Every commit and checkout adds a line here, in worktrees as well, whose `.git` is a file.
    println!("cargo:rerun-if-changed={}", git(&["rev-parse", "--git-path", "logs/HEAD"])?);
    git(&["log", "-1", "--format=%h %cs"])
}

/// What Git prints, if it is there and succeeds.
fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?.trim().to_owned();
    (output.status.success() && !text.is_empty()).then_some(text)
}
