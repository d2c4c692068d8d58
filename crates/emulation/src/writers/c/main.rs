//! `main`.

use super::{Mode, Shape, Target, Writer};

impl Writer<'_> {
    /// Whether this is the step of a proof by induction.
    pub(super) fn is_step(&self) -> bool {
        self.is_bounded() && matches!(self.options.shape, Shape::Step(_))
    }

    pub(super) fn main(&self, text: &mut String) {
        let Target::Verifier(_) = self.options.target else { return self.standalone_main(text) };
        let allowed = match self.program.structure.assumption {
            Some(_) => "    if (!allowed()) {\n        return 0;\n    }\n",
            None => "",
        };
        let save = if self.mode == Mode::Lasso { "        save();\n" } else { "" };
        let body = match (self.mode, self.options.shape) {
            (Mode::Termination, _) => format!(
                "    init();\n{allowed}    while (!holds()) {{\n        if (stuck()) {{\n            \
                 for (;;) {{\n                /* a run that ends without the condition */\n            }}\n        \
                 }}\n        next();\n        step();\n    }}\n    return 0;\n"
            ),
            (_, Shape::Loop) => format!(
                "    init();\n    check();\n    for (;;) {{\n{save}        next();\n        step();\n        \
                 check();\n    }}\n"
            ),
            (_, Shape::Base(steps)) => format!(
                "    unsigned step_number;\n\n    init();\n    check();\n    for (step_number = 0; step_number \
                 < {steps}; step_number++) {{\n{save}        next();\n        step();\n        check();\n    \
                 }}\n    return 0;\n"
            ),
            (_, Shape::Step(steps)) => return self.step_main(steps.max(1), text),
        };
        text.push_str(&format!("\nint main(void)\n{{\n{body}}}\n"));
    }

    fn step_main(&self, steps: u32, text: &mut String) {
        self.past(text);
        let [save, avoid] = match self.mode {
            Mode::Lasso => ["        save();\n", "    assume(!holds());\n"],
            _ => [""; 2],
        };
        let inside = avoid.replace("    ", "        ");
        let (before, after) = if self.remembered().is_some() {
            (
                "        remember(step_number);\n",
                "            for (other = 0; other <= step_number; other++) {\n                \
                 assume(differs(other));\n            }\n",
            )
        } else {
            ("", "")
        };
        let other = if after.is_empty() { "" } else { "    unsigned other;\n" };
        text.push_str(&format!(
            "\nint main(void)\n{{\n    unsigned step_number;\n{other}\n    init();\n{avoid}    \
             assume(!violated());\n    for (step_number = 0; step_number < {steps}; step_number++) {{\n\
             {before}{save}        next();\n        step();\n{inside}        if (step_number < {last}) {{\n            \
             assume(!violated());\n{after}        }}\n    }}\n    if (violated()) {{\n        reach_error();\n    \
             }}\n    return 0;\n}}\n",
            last = steps - 1,
        ));
    }
}
