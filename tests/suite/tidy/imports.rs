//! What the sources of a crate import, as rustc sees it: nested braces, `self::`, `super::super::`, other
//! crates of the project, and paths within code. Comments and strings don't count; what macros expand to is
//! not seen.
//!
//! In: a file's path below `src` and its text, or a whole `src`. Out: absolute paths, each with the module it
//! is in.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use proc_macro2::{TokenStream, TokenTree};

/// A path that a module refers to.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Import {
    /// The module that refers to it, from the root of its crate: `["engine", "direct"]`; empty for the root.
    pub module: Vec<String>,
    /// The path, first `crate` or the name of another crate: `["crate", "model", "system", "System"]`. `*` is
    /// last where everything is imported.
    pub path: Vec<String>,
}

/// The imports of all files below `src`, with their files; without those of unit tests, which may look at
/// everything.
pub(super) fn of_crate(src: &Path) -> Vec<(String, Import)> {
    let mut files = Vec::new();
    super::sources(src, &mut files);
    files.sort();
    let mut found = Vec::new();
    for path in files {
        let file = path.strip_prefix(src).unwrap().to_str().unwrap().to_owned();
        let imports = of_file(&file, &fs::read_to_string(&path).unwrap());
        let outside_tests =
            imports.into_iter().filter(|import| import.module.iter().all(|name| name != "tests"));
        found.extend(outside_tests.map(|import| (file.clone(), import)));
    }
    found
}

/// The imports of one file, whose path is below `src`.
pub(super) fn of_file(file: &str, text: &str) -> BTreeSet<Import> {
    let tokens = text.parse().unwrap_or_else(|error| panic!("{file}: {error}"));
    let mut found = BTreeSet::new();
    walk(tokens, &module_of(file), &mut found);
    found
}

/// The module that a file holds.
fn module_of(file: &str) -> Vec<String> {
    let mut names: Vec<&str> = file.strip_suffix(".rs").unwrap().split('/').collect();
    if names[0] == "bin" || matches!(names.as_slice(), ["lib" | "main"]) {
        return Vec::new();
    }
    if names.last() == Some(&"mod") {
        names.pop();
    }
    names.into_iter().map(str::to_owned).collect()
}

/// Adds the imports among these tokens, which are in `module`.
fn walk(tokens: TokenStream, module: &[String], found: &mut BTreeSet<Import>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        if let Some((name, body)) = inline_module(&tokens[at..]) {
            walk(body, &[module, &[name]].concat(), found);
            at += 3;
        } else if is_first(&tokens, at) {
            at = read(&tokens, at, Vec::new(), module, found);
        } else {
            if let TokenTree::Group(group) = token {
                walk(group.stream(), module, found);
            }
            at += 1;
        }
    }
}

/// Name and body, where the tokens begin with `mod name { … }`.
fn inline_module(tokens: &[TokenTree]) -> Option<(String, TokenStream)> {
    match tokens {
        [TokenTree::Ident(keyword), TokenTree::Ident(name), TokenTree::Group(body), ..]
            if keyword == "mod" =>
        {
            Some((name.to_string(), body.stream()))
        }
        _ => None,
    }
}

/// Whether a path that is looked for begins here.
fn is_first(tokens: &[TokenTree], at: usize) -> bool {
    let TokenTree::Ident(name) = &tokens[at] else { return false };
    let name = name.to_string();
    let is_of_crate = name == "crate" || is_other_crate(&name);
    let is_used = at > 0 && matches!(&tokens[at - 1], TokenTree::Ident(before) if before == "use");
    (is_of_crate || name == "self" || name == "super") && is_separator(tokens, at + 1)
        || is_of_crate && is_used
}

/// Whether a name is that of a crate of the project.
fn is_other_crate(name: &str) -> bool {
    name == "paramcheck" || name.starts_with("paramcheck_") || name == "mona_sys"
}

fn is_separator(tokens: &[TokenTree], at: usize) -> bool {
    let is_colon = |at| matches!(tokens.get(at), Some(TokenTree::Punct(mark)) if mark.as_char() == ':');
    is_colon(at) && is_colon(at + 1)
}

/// Reads a path or a tree of paths from `at` on, below `path`, and adds what it imports; where it ends.
fn read(
    tokens: &[TokenTree],
    mut at: usize,
    mut path: Vec<String>,
    module: &[String],
    found: &mut BTreeSet<Import>,
) -> usize {
    loop {
        match tokens.get(at) {
            Some(TokenTree::Ident(name)) => path.push(name.to_string()),
            Some(TokenTree::Punct(mark)) if mark.as_char() == '*' => path.push("*".to_owned()),
            Some(TokenTree::Group(group)) => {
                let inner: Vec<TokenTree> = group.stream().into_iter().collect();
                let is_comma =
                    |token: &TokenTree| matches!(token, TokenTree::Punct(mark) if mark.as_char() == ',');
                for item in inner.split(is_comma).filter(|item| !item.is_empty()) {
                    read(item, 0, path.clone(), module, found);
                }
                return at + 1;
            }
            // Type arguments, or a variable of a macro.
            _ => break,
        }
        at += 1;
        if !is_separator(tokens, at) {
            break;
        }
        at += 2;
    }
    found.insert(Import { module: module.to_vec(), path: resolve(&path, module) });
    at
}

/// A path from the root of the crate, or from another crate.
fn resolve(path: &[String], module: &[String]) -> Vec<String> {
    if path[0] == "crate" || is_other_crate(&path[0]) {
        // `crate::{self}` is the crate.
        return path.iter().filter(|name| *name != "self").cloned().collect();
    }
    let mut resolved = vec!["crate".to_owned()];
    resolved.extend_from_slice(module);
    for name in path {
        match name.as_str() {
            "self" => {}
            "super" => {
                resolved.pop();
                assert!(!resolved.is_empty(), "{path:?} in {module:?} leaves the crate");
            }
            name => resolved.push(name.to_owned()),
        }
    }
    resolved
}

/// The paths that a text imports, each as one string; in `src/engine/direct.rs`.
fn paths(text: &str) -> Vec<String> {
    of_file("engine/direct.rs", text).into_iter().map(|import| import.path.join("::")).collect()
}

#[test]
fn braces_are_opened() {
    assert_eq!(
        paths("use crate::{a, b::{c, d::*, self}, e as f, g::{self as h}};"),
        ["crate::a", "crate::b", "crate::b::c", "crate::b::d::*", "crate::e", "crate::g"]
    );
    assert_eq!(
        paths("pub(crate) use {crate::a::B, super::{c, super::d}};"),
        ["crate::a::B", "crate::d", "crate::engine::c"]
    );
    assert_eq!(paths("use std::{fmt, fs}; use itertools::Itertools;"), [""; 0]);
}

#[test]
fn paths_begin_at_the_root() {
    assert_eq!(paths("use self::grammar::cut;"), ["crate::engine::direct::grammar::cut"]);
    assert_eq!(
        paths("use super::super::model; use self::super::wsks;"),
        ["crate::engine::wsks", "crate::model"]
    );
    // One level more within an inline module.
    assert_eq!(
        paths("mod inner { use super::x; mod deep { use super::super::super::y; } }"),
        ["crate::engine::direct::x", "crate::engine::y"]
    );
    for (file, module) in [("lib.rs", ""), ("bin/certify.rs", ""), ("a/mod.rs", "a"), ("a/b.rs", "a::b")] {
        assert_eq!(module_of(file).join("::"), module, "{file}");
    }
}

#[test]
fn other_crates_of_the_project_are_seen() {
    assert_eq!(
        paths(
            "use paramcheck_text::{ids, source::File}; use paramcheck_model; use mona_sys as sys; use paramcheck as all;"
        ),
        [
            "mona_sys",
            "paramcheck",
            "paramcheck_model",
            "paramcheck_text::ids",
            "paramcheck_text::source::File"
        ]
    );
    // A variable is no crate.
    assert_eq!(paths("fn f(paramcheck_model: u8) -> u8 { paramcheck_model }"), [""; 0]);
}

#[test]
fn paths_in_code_count() {
    let code = "pub(crate) fn f<T: crate::a::Trait>(x: &super::Y) -> Vec<self::Z> {
        println!(\"{}\", crate::b::g::<crate::c::D>(x));
        self.h(crate::E)
    }";
    assert_eq!(
        paths(code),
        [
            "crate::E",
            "crate::a::Trait",
            "crate::b::g",
            "crate::c::D",
            "crate::engine::Y",
            "crate::engine::direct::Z"
        ]
    );
    assert_eq!(
        paths("macro_rules! m { ($x:ident) => { $crate::a::b($x); crate::$x::c(); } }"),
        ["crate", "crate::a::b"]
    );
}

#[test]
fn words_in_comments_and_strings_do_not_count() {
    assert_eq!(
        paths(
            "//! crate::a\n/* use crate::b; /* crate::c */ crate::d */ fn f() -> &'static str { // crate::e\n \"crate::f\" }"
        ),
        [""; 0]
    );
    assert_eq!(
        paths("const R: &str = r#\"use crate::g; \"crate::h\"#; const C: char = '\"'; use crate::i;"),
        ["crate::i"]
    );
}

#[test]
fn modules_are_named() {
    let inline = of_file("a.rs", "use crate::b; #[cfg(test)] mod tests { use super::*; use crate::c; }");
    let named: Vec<String> = inline
        .into_iter()
        .map(|import| format!("{} {}", import.module.join("::"), import.path.join("::")))
        .collect();
    assert_eq!(named, ["a crate::b", "a::tests crate::a::*", "a::tests crate::c"]);
}
