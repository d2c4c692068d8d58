//! Texts in another language, given where a rewriting system is expected: met by one message.
//!
//! Only a text that can't be read is looked at, and only one without a component or an error, so no model is
//! ever refused by this. Lines that begin as in one of the languages decide, the language with most of them.

use paramcheck_text::diagnostic::Diagnostic;
use paramcheck_text::diagnostic::codes::syntax::OTHER_LANGUAGE;
use paramcheck_text::source::Span;

/// More lines are not looked at.
const MAX_LINES: usize = 1_000;

/// A language that is none of rewriting systems.
struct Language {
    /// What a text in it is called.
    what: &'static str,
    /// What to do with it.
    help: &'static str,
    /// Whether a line, without white space around, belongs to it, where it is known whether `@` stands in the
    /// text.
    has: fn(&str, bool) -> bool,
}

/// Of equally many lines the first language wins.
const LANGUAGES: [Language; 9] = [
    Language {
        what: "Cubicle",
        help: "it is for Cubicle: `cubicle FILE`; paramcheck reads rewriting systems, see docs/language.md",
        has: |line, _| {
            begins(line, "array transition unsafe number_procs") && !line.starts_with("unsafe {")
                || ["type ", "var ", "const ", "init ("].iter().any(|begin| line.starts_with(begin))
                    && !line.ends_with(';')
        },
    },
    Language {
        what: "Rust",
        help: "rewriting systems end in `.rs` too, and are another language: name the file of a model",
        has: |line, _| {
            begins(line, "fn pub use mod impl struct enum trait let extern unsafe async")
                || ["#![", "#[", "macro_rules!"].iter().any(|begin| line.starts_with(begin))
        },
    },
    Language {
        what: "CCS",
        help: "processes are checked with `paramcheck verify FILE`: end the file in `.ccs`, or give `--language ccs`",
        has: |line, has_peers| !has_peers && is_of_process(line),
    },
    Language {
        what: "a choreography",
        help: "choreographies are checked with `paramcheck verify FILE`: end the file in `.chor`, or give \
               `--language chor`",
        has: |line, has_peers| has_peers && is_of_process(line),
    },
    Language {
        what: "Promela",
        help: "it is for Spin: `spin -search FILE`; paramcheck writes Promela, and reads none",
        has: |line, _| {
            begins(line, "proctype active mtype chan byte bit bool int short never ltl inline typedef do od")
                || line.starts_with("init {")
                || line.starts_with("#define")
        },
    },
    Language {
        what: "TLA+",
        help: "it is for TLC or Apalache; paramcheck reads rewriting systems, see docs/language.md",
        has: |line, _| {
            line.starts_with("----")
                || line.starts_with("====")
                || line.contains(" == ") && !line.contains('#')
                || begins(line, "EXTENDS CONSTANT CONSTANTS VARIABLE VARIABLES ASSUME THEOREM")
        },
    },
    Language {
        what: "MONA",
        help: "it is for MONA: `mona FILE`; paramcheck writes such programs (`emit --as mona`), and reads none",
        has: |line, _| {
            begins(
                line,
                "ws1s ws2s m2l var0 var1 var2 pred macro defaultwhere1 defaultwhere2 all1 all2 ex1 ex2",
            )
        },
    },
    Language {
        what: "SMV",
        help: "it is for NuSMV: `NuSMV FILE`; paramcheck writes SMV (`emit --as smv`), and reads none",
        has: |line, _| {
            begins(line, "MODULE VAR IVAR DEFINE ASSIGN TRANS INIT INVAR INVARSPEC LTLSPEC CTLSPEC SPEC")
        },
    },
    Language {
        what: "XML, as PNML is",
        help: "paramcheck writes PNML (`emit --as pnml`), and reads none",
        has: |line, _| ["<?xml", "<pnml", "</"].iter().any(|begin| line.starts_with(begin)),
    },
];

/// What to say of a text that can't be read, if it is in another language.
pub(super) fn recognised(text: &str) -> Option<Diagnostic> {
    let mut counts = [0_usize; LANGUAGES.len()];
    let mut first = [None; LANGUAGES.len()];
    let (has_peers, mut begin) = (text.contains('@'), 0);
    for whole in text.split_inclusive('\n').take(MAX_LINES) {
        let line = whole.trim();
        if begins(line, "component error critical link forbid") {
            return None;
        }
        let start = begin + (whole.len() - whole.trim_start().len());
        for (number, language) in LANGUAGES.iter().enumerate() {
            if (language.has)(line, has_peers) {
                counts[number] += 1;
                first[number].get_or_insert(Span::new(start, start + line.len()));
            }
        }
        begin += whole.len();
    }
    let most = counts.iter().copied().max().filter(|most| *most > 0)?;
    let number = counts.iter().position(|count| *count == most)?;
    let (language, span) = (&LANGUAGES[number], first[number]?);
    let message = format!("this is no rewriting system: it looks like {}", language.what);
    Some(Diagnostic::new(&OTHER_LANGUAGE, message, span, "").help(language.help))
}

/// Whether a line begins with one of these words.
fn begins(line: &str, words: &str) -> bool {
    let end = line.find(|letter: char| !(letter.is_alphanumeric() || letter == '_')).unwrap_or(line.len());
    let (word, rest) = line.split_at(end);
    // What has parameters or a `<-` is, or was to be, a rule.
    !word.is_empty() && words.split(' ').any(|one| one == word) && !rest.contains("<-")
}

/// Whether a line is one of a process or choreography: a check, the system, or a definition with a prefix.
fn is_of_process(line: &str) -> bool {
    if line.contains("<-") || line.contains('#') {
        return false;
    }
    if begins(line, "check agent") {
        return true;
    }
    let has_process = |text: &str| [".", "|", "@", "\\"].iter().any(|sign| text.contains(sign));
    if begins(line, "system") {
        return has_process(line);
    }
    let Some((name, body)) = line.split_once('=') else { return false };
    let name = name.trim();
    let is_name = name.starts_with(char::is_uppercase)
        && name.chars().all(|letter| letter.is_alphanumeric() || letter == '_');
    is_name && !body.starts_with(['=', '>']) && has_process(body)
}

#[cfg(test)]
mod tests {
    use paramcheck_text::diagnostic::codes::syntax::OTHER_LANGUAGE;

    use crate::syntax::parser::parse;

    const TEXTS: [(&str, &str); 15] = [
        (
            "Cubicle",
            "type state = Idle | Crit\narray A[proc] : state\nvar Turn : proc\n\ninit (z) { A[z] = Idle }\n\nunsafe (z1 z2) { A[z1] = Crit && A[z2] = Crit }\n\ntransition enter (i)\nrequires { A[i] = Idle }\n{ A[i] := Crit; }\n",
        ),
        ("Rust", "use std::fmt;\n\npub struct Node {\n    state: u8,\n}\n\nfn main() {\n    let x = 1;\n}\n"),
        ("Rust", "//! A crate.\n#![forbid(unsafe_code)]\nmod a;\n"),
        ("Rust", "fn main() { println!(\"component\"); }"),
        ("CCS", "P = a.'b.P;\nQ = b.Q;\nsystem (P | Q) \\ {b};\ncheck deadlock;\n"),
        ("CCS", "system a.0 | 'a.0;"),
        ("CCS", "agent P = a.P;\nagent Q = 'a.Q;\n"),
        ("a choreography", "system buy@[c, s]; (ok@[s, c] + no@[s, c]);\ncheck e = always !did ok;\n"),
        (
            "Promela",
            "mtype = { a, b };\nbyte n = 0;\nactive proctype P() {\n  do\n  :: n < 3 -> n++\n  od\n}\n",
        ),
        ("Promela", "#define N 3\ninit { skip }\nltl p { [] true }\n"),
        (
            "TLA+",
            "---- MODULE Ring ----\nEXTENDS Naturals\nVARIABLES x\nInit == x = 0\nNext == x' = x + 1\n====\n",
        ),
        ("MONA", "ws1s;\nvar2 X;\nvar1 x where x in X;\npred p(var1 y) = y in X;\np(x);\n"),
        ("MONA", "# a comment\nm2l-str;\nex1 x: x = 0;\n"),
        ("SMV", "MODULE main\nVAR\n  x : boolean;\nINVARSPEC x;\n"),
        ("XML", "<?xml version=\"1.0\"?>\n<pnml>\n</pnml>\n"),
    ];

    #[test]
    fn other_languages_are_met_with_one_message() {
        for (what, text) in TEXTS {
            let found = parse(text).diagnostics;
            let [one] = found.as_slice() else { panic!("{text}: {found:?}") };
            assert_eq!(one.code, &OTHER_LANGUAGE, "{text}");
            assert!(one.message.contains(&format!("looks like {what}")) && one.help.is_some(), "{one:?}");
        }
    }

    #[test]
    fn models_with_mistakes_are_models() {
        let node = "component Node { states idle; init idle; }\n";
        for text in [
            &format!("{node}fn main() {{ }}\nRing() <- new x . Node(x);"),
            "Ring() <- new x . Node(x)",
            "Chain(x) = new y . <a(x)> (Node(x), Chain(y));",
            "error two = #busy >= 2",
            "two = #busy >= 2;",
            "error e = wsks { ex1 x y: x -> y == x };",
            "system Ring",
            "link Ring.1",
            "",
            "nonsense",
        ] {
            let found = parse(text).diagnostics;
            assert!(found.iter().all(|one| one.code != &OTHER_LANGUAGE), "{text}: {found:?}");
        }
    }
}
