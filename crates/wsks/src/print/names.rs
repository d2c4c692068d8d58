//! The names of variables and definitions in a printed formula, by [`paramcheck_text::names`].

use paramcheck_text::names;
use rustc_hash::FxHashMap;

use crate::formula::Variable;

/// Words that MONA keeps for itself.
#[rustfmt::skip]
const RESERVED: &[&str] = &[
    "all0", "all1", "all2", "allpos", "and", "assert", "const", "defaultwhere1", "defaultwhere2", "empty",
    "ex0", "ex1", "ex2", "execute", "export", "false", "guide", "import", "in", "include", "inter",
    "lastpos", "let0", "let1", "let2", "linear", "m2l-str", "m2l-tree", "macro", "max", "min", "notin",
    "or", "pconst", "pred", "prefix", "restrict", "root", "sub", "sometype", "tree", "true", "type",
    "union", "universe", "var0", "var1", "var2", "variant", "verify", "where", "ws1s", "ws2s", "minus",
    "next", "in_state_space", "const_tree", "sing", "succ", "tree_root",
];

/// Which name each variable has in a text.
#[derive(Debug)]
pub(crate) struct Names {
    by_variable: FxHashMap<Variable, String>,
    names: names::Names,
}

impl Names {
    /// Any name is good as it is.
    pub(crate) fn for_people() -> Self {
        Names { by_variable: FxHashMap::default(), names: names::Names::unrestricted() }
    }

    /// Names must be identifiers of MONA.
    pub(crate) fn for_mona() -> Self {
        let names = names::Names::new(RESERVED).with_others("'");
        Names { by_variable: FxHashMap::default(), names }
    }

    /// Gives a variable its name, if it has none.
    pub(crate) fn add_variable(&mut self, variable: Variable, wanted: &str) {
        let Names { by_variable, names } = self;
        by_variable.entry(variable).or_insert_with(|| names.take(wanted));
    }

    /// A name like `wanted` that nothing else has.
    pub(crate) fn fresh(&mut self, wanted: &str) -> String {
        self.names.take(wanted)
    }

    /// The name of a variable.
    pub(crate) fn of(&self, variable: Variable) -> &str {
        self.by_variable.get(&variable).map_or("?", String::as_str)
    }
}
