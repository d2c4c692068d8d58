//! What a program needs from its reader: nondeterministic values, assumptions, errors.

use std::fmt::Write as _;

use super::{Mode, Shape, Target, Verifier, Writer};

impl Verifier {
    fn name(self) -> &'static str {
        match self {
            Verifier::Esbmc => "ESBMC",
            Verifier::Cbmc => "CBMC",
            Verifier::CpaChecker => "CPAchecker",
            Verifier::Symbiotic => "Symbiotic",
        }
    }

    /// How it is called for reachability, and for termination.
    fn calls(self) -> [&'static str; 2] {
        match self {
            Verifier::Esbmc => {
                ["esbmc FILE --boolector --unwind 20 --no-unwinding-assertions", "esbmc FILE --termination"]
            }
            Verifier::Cbmc => ["cbmc FILE --unwind 20 --trace", "(CBMC does not prove termination)"],
            Verifier::CpaChecker => [
                "cpachecker --svcomp26 --spec unreach-call.prp FILE",
                "cpachecker --svcomp26 --spec termination.prp FILE",
            ],
            Verifier::Symbiotic => {
                ["symbiotic --prp=unreach-call.prp FILE", "symbiotic --prp=termination.prp FILE"]
            }
        }
    }

    /// The function that gives any value of a type.
    fn any(self, kind: &str) -> String {
        let short = match kind {
            "unsigned" => "uint",
            "unsigned char" => "uchar",
            "unsigned short" => "ushort",
            "long long" => "longlong",
            other => other,
        };
        match self {
            Verifier::Cbmc => format!("nondet_{short}"),
            _ => format!("__VERIFIER_nondet_{short}"),
        }
    }
}

impl Writer<'_> {
    /// How the text is to be read and called.
    pub(super) fn usage(&self) -> String {
        let name = &self.program.question.name;
        let what = match (self.mode, self.options.shape) {
            (Mode::Standalone, _) => {
                return "Runs one random schedule and prints it:\n  gcc -std=c11 -Wall -Wextra -Wpedantic FILE -o \
                        prog\n  ./prog [SEED [STEPS]]\nExit code 0, or 1 where the question is violated.\n"
                    .to_owned();
            }
            (_, Shape::Base(steps)) => {
                format!("An error is reached exactly if {name} is violated within {steps} steps.")
            }
            (_, Shape::Step(steps)) => format!(
                "If no error is reached, neither here nor in the program of {steps} steps from the initial \
                 state, {name} holds."
            ),
            (Mode::Termination, Shape::Loop) => format!("It always ends exactly if {name} holds."),
            (_, Shape::Loop) => format!("An error is reached exactly if {name} is violated."),
        };
        let Target::Verifier(verifier) = self.options.target else { return what };
        let [reach, end] = verifier.calls();
        let call = match (self.mode, self.options.shape, verifier) {
            (Mode::Termination, _, _) => end,
            (_, Shape::Base(_) | Shape::Step(_), Verifier::Esbmc) => "esbmc FILE --boolector",
            _ => reach,
        };
        let tested = if verifier == Verifier::Esbmc { "" } else { " (untested)" };
        format!("{what}\nFor {}{tested}:\n  {call}\n", verifier.name())
    }

    pub(super) fn prelude(&self, text: &mut String) {
        let Target::Verifier(verifier) = self.options.target else {
            text.push_str("#include <stdio.h>\n#include <stdlib.h>\n\n");
            self.random(text);
            return;
        };
        let mut kinds = vec!["unsigned"];
        if self.is_step() {
            kinds.extend(self.places().iter().chain(&self.memory()).map(|cell| cell.kind));
        }
        kinds.sort_unstable();
        kinds.dedup();
        for kind in kinds {
            let _ = writeln!(text, "extern {kind} {}(void);", verifier.any(kind));
        }
        if self.mode == Mode::Termination {
            return;
        }
        let (assume, error) = match verifier {
            Verifier::Esbmc => (
                "extern void __VERIFIER_assume(int);\n\nstatic void assume(int holds)\n{\n    \
                 __VERIFIER_assume(holds);\n}\n",
                "void __ESBMC_assert(_Bool, const char *);\n\nvoid reach_error(void)\n{\n    \
                 __ESBMC_assert(0, \"reach_error\");\n}\n",
            ),
            Verifier::Cbmc => (
                "static void assume(int holds)\n{\n    __CPROVER_assume(holds);\n}\n",
                "void reach_error(void)\n{\n    __CPROVER_assert(0, \"reach_error\");\n}\n",
            ),
            Verifier::CpaChecker | Verifier::Symbiotic => (
                "extern void abort(void);\n\nstatic void assume(int holds)\n{\n    if (!holds) {\n        \
                 abort();\n    }\n}\n",
                "extern void __assert_fail(const char *, const char *, unsigned int, const char *)\n    \
                 __attribute__((__nothrow__, __leaf__)) __attribute__((__noreturn__));\n\n\
                 void reach_error(void)\n{\n    __assert_fail(\"0\", \"program.c\", 1, \"reach_error\");\n}\n",
            ),
        };
        let _ = write!(text, "{assume}\n{error}");
    }

    /// A value of some type that may be any.
    pub(super) fn any(&self, kind: &str) -> String {
        match self.options.target {
            Target::Verifier(verifier) => format!("{}()", verifier.any(kind)),
            Target::Standalone => "random_number()".to_owned(),
        }
    }

    /// `assume(…);`, where anything is assumed at all.
    pub(super) fn assume(&self, what: &str) -> String {
        match self.mode {
            Mode::Never | Mode::Lasso => format!("    assume({what});\n"),
            Mode::Standalone | Mode::Termination => String::new(),
        }
    }
}
