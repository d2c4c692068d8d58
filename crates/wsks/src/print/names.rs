//! Names that are valid and differ from each other.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::formula::Variable;

/// Words that MONA keeps for itself.
const RESERVED: &[&str] = &[
    "all0",
    "all1",
    "all2",
    "allpos",
    "and",
    "assert",
    "const",
    "defaultwhere1",
    "defaultwhere2",
    "empty",
    "ex0",
    "ex1",
    "ex2",
    "execute",
    "export",
    "false",
    "guide",
    "import",
    "in",
    "include",
    "inter",
    "lastpos",
    "let0",
    "let1",
    "let2",
    "linear",
    "m2l-str",
    "m2l-tree",
    "macro",
    "max",
    "min",
    "notin",
    "or",
    "pconst",
    "pred",
    "prefix",
    "restrict",
    "root",
    "sub",
    "sometype",
    "tree",
    "true",
    "type",
    "union",
    "universe",
    "var0",
    "var1",
    "var2",
    "variant",
    "verify",
    "where",
    "ws1s",
    "ws2s",
    "minus",
    "next",
    "in_state_space",
    "const_tree",
    "sing",
];

/// Which name each variable has in a text.
#[derive(Debug)]
pub struct Names {
    is_mona: bool,
    by_variable: FxHashMap<Variable, String>,
    used: FxHashSet<String>,
    /// Per name the next number to try, so that many equal names stay cheap.
    numbers: FxHashMap<String, usize>,
}

impl Names {
    /// Any name is good as it is.
    pub fn for_people() -> Self {
        Names {
            is_mona: false,
            by_variable: FxHashMap::default(),
            used: FxHashSet::default(),
            numbers: FxHashMap::default(),
        }
    }

    /// Names must be identifiers of MONA.
    pub fn for_mona() -> Self {
        Names {
            is_mona: true,
            used: RESERVED.iter().map(|&word| word.to_owned()).collect(),
            ..Names::for_people()
        }
    }

    /// Gives a variable its name, if it has none.
    pub fn add_variable(&mut self, variable: Variable, wanted: &str) {
        if !self.by_variable.contains_key(&variable) {
            let name = self.fresh(wanted);
            self.by_variable.insert(variable, name);
        }
    }

    /// A name for a definition.
    pub fn definition(&mut self, wanted: &str) -> String {
        self.fresh(wanted)
    }

    /// A name like `wanted` that nothing else has.
    pub fn fresh(&mut self, wanted: &str) -> String {
        let base = if self.is_mona { identifier(wanted) } else { wanted.to_owned() };
        if self.used.insert(base.clone()) {
            return base;
        }
        let number = self.numbers.entry(base.clone()).or_insert(2);
        loop {
            let name = format!("{base}_{number}");
            *number += 1;
            if self.used.insert(name.clone()) {
                return name;
            }
        }
    }

    /// The name of a variable.
    pub fn of(&self, variable: Variable) -> &str {
        self.by_variable.get(&variable).map_or("?", String::as_str)
    }
}

/// `wanted` with everything that MONA does not take in names replaced.
fn identifier(wanted: &str) -> String {
    let mut name: String = wanted
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() || c == '_' || c == '\'' { c } else { '_' })
        .collect();
    if !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
        name.insert(0, 'v');
    }
    name
}
