//! Tells the program what it was built from: the version, the commit where there is one, and the features;
//! tests also whether `PARAMCHECK_LONG=1` is set.
//!
//! `--version` prints `PARAMCHECK_BUILD`. Nothing is fetched, and a source tree without `.git` builds as well.

use std::process::Command;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    // How much the tests do: see tests/suite/support/scale.rs.
    println!("cargo:rerun-if-env-changed=PARAMCHECK_LONG");
    println!("cargo:rustc-check-cfg=cfg(long_tests)");
    if std::env::var_os("PARAMCHECK_LONG").is_some_and(|value| value == "1") {
        println!("cargo:rustc-cfg=long_tests");
    }
    println!("cargo:rerun-if-changed=.git/HEAD");
    println!("cargo:rerun-if-changed=.git/refs/heads");
    let version = std::env::var("CARGO_PKG_VERSION").unwrap_or_default();
    let build = match commit() {
        Some(commit) => format!("{version} ({commit})"),
        None => version,
    };
    println!("cargo:rustc-env=PARAMCHECK_BUILD={build}");
}

/// The commit that is built, shortened, and its day.
fn commit() -> Option<String> {
    let output = Command::new("git").args(["log", "-1", "--format=%h %cs"]).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    (output.status.success() && !text.trim().is_empty()).then(|| text.trim().to_owned())
}
