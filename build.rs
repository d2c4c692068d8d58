//! Builds MONA into the crate under the feature `mona`, and tells tests by `cfg(long_tests)` that `PARAMCHECK_LONG=1` is set.
//!
//! The source is the unpacked tree in `mona/vendor-src` (see `mona/vendor`) or in `$MONA_SRC`. This
//! script never fetches anything.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    // How much the tests do: see tests/suite/support/scale.rs.
    println!("cargo:rerun-if-env-changed=PARAMCHECK_LONG");
    println!("cargo:rustc-check-cfg=cfg(long_tests)");
    if std::env::var_os("PARAMCHECK_LONG").is_some_and(|value| value == "1") {
        println!("cargo:rustc-cfg=long_tests");
    }
    #[cfg(feature = "mona")]
    mona::build();
}

#[cfg(feature = "mona")]
mod mona {
    use std::path::{Path, PathBuf};

    /// What the engine needs of MONA: no printers, no import and export, no front end.
    const FILES: &[&str] = &[
        "BDD/bdd_cache.c",
        "BDD/bdd_double.c",
        "BDD/bdd_manager.c",
        "BDD/hash.c",
        "DFA/basic.c",
        "DFA/dfa.c",
        "DFA/makebasic.c",
        "DFA/minimize.c",
        "DFA/product.c",
        "DFA/project.c",
        "DFA/quotient.c",
        "GTA/basic.c",
        "GTA/copy.c",
        "GTA/dyn.c",
        "GTA/gta.c",
        "GTA/makebasic.c",
        "GTA/minimize.c",
        "GTA/negation.c",
        "GTA/pairhash.c",
        "GTA/product.c",
        "GTA/project.c",
        "GTA/projset.c",
        "GTA/reachable.c",
        "GTA/replace_indices.c",
        "GTA/restrict.c",
        "GTA/subsets.c",
        "Mem/mem.c",
    ];

    /// Compiled by itself: its calls that enlarge a table go through the shim, which checks the limit.
    const DIAGRAMS: &str = "BDD/bdd.c";

    pub fn build() {
        println!("cargo:rerun-if-env-changed=MONA_SRC");
        println!("cargo:rerun-if-changed=mona/shim.c");
        println!("cargo:rerun-if-changed=mona/shim.h");
        let source = source();
        for file in FILES.iter().chain([&DIAGRAMS]) {
            println!("cargo:rerun-if-changed={}", source.join(file).display());
        }

        let diagrams = compiler(&source)
            .define("double_table_sequential", "pc_double_table_sequential")
            .define("double_table_and_cache_hashed", "pc_double_table_and_cache_hashed")
            .file(source.join(DIAGRAMS))
            .compile_intermediates();
        compiler(&source)
            .files(FILES.iter().map(|file| source.join(file)))
            .file("mona/shim.c")
            .objects(diagrams)
            .compile("paramcheck_mona");

        let bindings = bindgen::Builder::default()
            .header("mona/shim.h")
            .allowlist_item("(pc|PC)_.*")
            .layout_tests(false)
            .generate_comments(false)
            .generate();
        let out = PathBuf::from(std::env::var_os("OUT_DIR").unwrap_or_default()).join("mona_bindings.rs");
        match bindings {
            Err(error) => fail(&format!("bindgen cannot read mona/shim.h: {error}")),
            Ok(bindings) => {
                if let Err(error) = bindings.write_to_file(&out) {
                    fail(&format!("cannot write {}: {error}", out.display()));
                }
            }
        }
    }

    fn compiler(source: &Path) -> cc::Build {
        let mut build = cc::Build::new();
        build
            .include(source)
            .include(source.join("BDD"))
            // MONA's inline functions mean what they meant before C99.
            .std("gnu89")
            .flag_if_supported("-fno-strict-aliasing")
            .warnings(false)
            // In debug builds too: an unoptimised MONA makes tests crawl.
            .opt_level(2);
        build
    }

    /// The source tree; ends the build where there is none.
    fn source() -> PathBuf {
        let (source, named) = match std::env::var_os("MONA_SRC") {
            Some(named) if !named.is_empty() => (PathBuf::from(named), true),
            _ => (PathBuf::from("mona/vendor-src"), false),
        };
        if let Some(missing) = FILES.iter().find(|file| !source.join(file).is_file()) {
            fail(&if named {
                format!("MONA_SRC={} is no source tree of MONA: {missing} is missing", source.display())
            } else {
                "the source of MONA is missing. Run mona/vendor, or set MONA_SRC to an unpacked tree, \
                 or build without the feature mona"
                    .to_owned()
            });
        }
        source
    }

    fn fail(message: &str) -> ! {
        println!("cargo::error={message}");
        std::process::exit(1)
    }
}
