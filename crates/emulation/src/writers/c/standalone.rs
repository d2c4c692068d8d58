//! Programs that run by themselves: one random schedule, every enabled step as likely as the others.

use std::fmt::Write as _;

use super::{CHOICE, Writer, function};
use crate::question::{Condition, Demand};
use paramcheck_text::index::Idx;

/// The longest label that is printed, in bytes as C has them. (C promises literals of 4,095 characters.)
const MAX_LINE_LENGTH: usize = 3_000;

impl Writer<'_> {
    /// Random numbers: xorshift with 64 bits.
    pub(super) fn random(&self, text: &mut String) {
        text.push_str(
            "static unsigned long long random_state;\n\nstatic unsigned long long random_number(void)\n{\n    \
             random_state ^= random_state << 13;\n    random_state &= 0xffffffffffffffffULL;\n    random_state ^= \
             random_state >> 7;\n    random_state ^= random_state << 17;\n    random_state &= \
             0xffffffffffffffffULL;\n    return random_state;\n}\n\n",
        );
        let structure = self.program.structure;
        let is_chosen = structure.steps().next().is_some()
            || structure.variables.iter().any(|variable| variable.initial.len() > 1);
        // Compilers complain of functions that are never called.
        if is_chosen {
            text.push_str(
                "static unsigned below(unsigned bound)\n{\n    return (unsigned)((random_number() >> 16) % \
                 bound);\n}\n\n",
            );
        }
    }

    /// `next`, which reports how many steps are possible and chooses one; the names of the steps.
    pub(super) fn random_choice(&self, text: &mut String) {
        let structure = self.program.structure;
        let mut body = "    unsigned count = 0;\n".to_owned();
        for (id, _) in structure.steps() {
            let _ = writeln!(
                body,
                "    if ({} && below(++count) == 0) {{\n        {CHOICE} = {};\n    }}",
                self.may(id),
                id.index()
            );
        }
        body.push_str("    return count;\n");
        text.push_str("\n/* how many steps are possible; chooses one of them */");
        function(text, "unsigned", "next", &body);
        let mut body = format!("    switch ({CHOICE}) {{\n");
        for (id, triple) in structure.steps() {
            let agents = structure.agent_words(triple);
            let agents = if agents.is_empty() { agents } else { format!(", by {agents}") };
            let words = literal(&format!("{}{agents}", structure.action_words(triple)));
            let _ = writeln!(body, "    case {}:\n        return \"{words}\";", id.index());
        }
        body.push_str("    default:\n        return \"\";\n    }\n");
        function(text, "const char *", "words", &body);
    }

    /// `show`, which prints the variables, and its call; nothing where there are none.
    fn show(&self, text: &mut String) -> &'static str {
        if self.variables.is_empty() {
            return "";
        }
        let mut body = String::new();
        for (variable, name) in self.program.structure.variables.iter().zip(&self.variables) {
            let separator = if body.is_empty() { "  " } else { "," };
            let words = literal(&variable.name);
            let _ = writeln!(body, "    printf(\"{separator} %s = %lld\", \"{words}\", (long long){name});");
        }
        body.push_str("    printf(\"\\n\");\n");
        function(text, "void", "show", &body);
        "show();\n"
    }

    pub(super) fn standalone_main(&self, text: &mut String) {
        let name = literal(&self.program.question.name);
        let demand = &self.program.question.demand;
        let has_question =
            *demand.condition() != Condition::Constant(false) || matches!(demand, Demand::Eventually(_));
        let is_never = matches!(demand, Demand::Never(_));
        let (looks, ends) = match (has_question, is_never) {
            (false, _) => (String::new(), ""),
            (true, true) => (
                format!(
                    "        if (holds()) {{\n            printf(\"%s violated at step %lu\\n\", \"{name}\", \
                     number);\n            return 1;\n        }}\n"
                ),
                "",
            ),
            (true, false) => (
                format!(
                    "        if (holds()) {{\n            printf(\"%s holds at step %lu\\n\", \"{name}\", \
                     number);\n            return 0;\n        }}\n"
                ),
                "            return 1;\n",
            ),
        };
        let ends = if ends.is_empty() {
            "            return 0;\n".to_owned()
        } else {
            format!("            printf(\"%s violated at step %lu\\n\", \"{name}\", number);\n{ends}")
        };
        let show = self.show(text);
        let [show_first, show_next] = ["    ", "        "]
            .map(|indent| if show.is_empty() { String::new() } else { format!("{indent}{show}") });
        let unused = if has_question { "" } else { "    (void)holds();\n" };
        text.push_str(&format!(
            "
static int read_number(const char *text, unsigned long *number)
{{
    char *end;
    if (*text < '0' || *text > '9') {{
        return 0;
    }}
    *number = strtoul(text, &end, 10);
    return *end == '\\0';
}}

int main(int count, char **arguments)
{{
    unsigned long seed = 1;
    unsigned long steps = 100;
    unsigned long number;

    if (count > 3 || (count > 1 && !read_number(arguments[1], &seed))
        || (count > 2 && !read_number(arguments[2], &steps))) {{
        fprintf(stderr, \"usage: %s [SEED [STEPS]]\\n\", count > 0 ? arguments[0] : \"prog\");
        return 2;
    }}
    random_state = seed * 6364136223846793005ULL + 1442695040888963407ULL;
    if (random_state == 0) {{
        random_state = 1;
    }}
    for (number = 0; number < 8; number++) {{
        (void)random_number();
    }}
{unused}    init();
{show_first}    for (number = 0;; number++) {{
{looks}        if (number == steps) {{
            printf(\"%lu steps used up\\n\", number);
            return 0;
        }}
        if (next() == 0) {{
            printf(\"%s after %lu steps\\n\", terminated() ? \"terminated\" : \"stuck\", number);
{ends}        }}
        printf(\"%lu. [%u] %s\\n\", number + 1, {CHOICE}, words());
        step();
{show_next}    }}
}}
"
        ));
    }
}

/// Text in a literal of C: ASCII, the rest by numbers; cut where it is very long.
fn literal(text: &str) -> String {
    let mut literal = String::new();
    for byte in text.bytes() {
        if literal.len() > MAX_LINE_LENGTH {
            literal.push_str("...");
            break;
        }
        match byte {
            b'"' | b'\\' | b'?' | 0..0x20 | 0x7f.. => {
                let _ = write!(literal, "\\{byte:03o}");
            }
            _ => literal.push(char::from(byte)),
        }
    }
    literal
}
