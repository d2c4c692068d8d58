//! Random systems of agents as text, the same for the same seed. Small, so that all states can be listed by the
//! rules on process terms, and with all that the language has.
//!
//! Included by the tests of several crates; not a test by itself.

use std::fmt::Write as _;

/// Numbers by chance (SplitMix64).
pub(crate) struct Chance(u64);

impl Chance {
    pub(crate) fn new(seed: u64) -> Self {
        Chance(seed.wrapping_mul(0x2545_f491_4f6c_dd1d))
    }

    /// One of so many numbers from 0.
    pub(crate) fn below(&mut self, of: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % of
    }

    fn is(&mut self, one_of: u64) -> bool {
        self.below(one_of) == 0
    }

    fn pick<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[self.below(all.len() as u64) as usize]
    }
}

/// The kinds, and what each has.
struct Kind {
    name: &'static str,
    agents: u64,
    has_stigmergy: bool,
}

struct Writer {
    chance: Chance,
    kinds: Vec<Kind>,
    agents: u64,
    /// The kind that acts.
    own: usize,
    locals: Vec<String>,
    /// Whether something is picked: the name of what is.
    picked: Option<String>,
    has_faults: bool,
    /// Whether no number of an agent is said, so that agents of a kind are alike.
    is_anonymous: bool,
}

/// A system; of each fourth seed one whose agents are alike.
pub(crate) fn system(seed: u64) -> String {
    let mut chance = Chance::new(seed);
    let is_anonymous = seed % 4 == 3;
    let has_second = !chance.is(3);
    let more = u64::from(is_anonymous);
    let mut kinds =
        vec![Kind { name: "A", agents: 1 + more + chance.below(2), has_stigmergy: !chance.is(4) }];
    if has_second {
        let has_stigmergy = chance.is(2);
        kinds.push(Kind { name: "B", agents: 1 + chance.below(2), has_stigmergy });
    }
    let agents = kinds.iter().map(|kind| kind.agents).sum();
    let has_faults = chance.is(8);
    let locals = Vec::new();
    Writer { chance, kinds, agents, own: 0, locals, picked: None, has_faults, is_anonymous }.system()
}

impl Writer {
    fn is(&mut self, one_of: u64) -> bool {
        self.chance.is(one_of)
    }

    fn pick<'a>(&mut self, all: &[&'a str]) -> &'a str {
        self.chance.pick(all)
    }

    fn system(&mut self) -> String {
        let mut out = String::from("system {\n");
        let (e, f) = (self.init(), self.init());
        let _ = writeln!(out, "  environment = e: {e}; f[2]: {f}");
        let spawn: Vec<String> =
            self.kinds.iter().map(|kind| format!("{}: {}", kind.name, kind.agents)).collect();
        let _ = writeln!(out, "  spawn = {}", spawn.join(", "));
        self.own = 0;
        let _ = writeln!(out, "}}");
        let (s, t, u, v) = (self.init(), self.init(), self.init(), self.init());
        let link = self.link();
        let _ = writeln!(out, "stigmergy S {{ link = {link}\n  s, t: {s}, {t}; u: {u}; v[2]: {v} }}");
        for own in 0..self.kinds.len() {
            self.own = own;
            out += &self.agent();
        }
        if self.is(5) {
            let _ = writeln!(out, "assume {{ H = {} }}", self.property());
        }
        out += "check {\n";
        for (number, modality) in
            ["always", "eventually", "finally", "fairly", "fairly_inf", "always"].iter().enumerate()
        {
            let _ = writeln!(out, "  P{number} = {modality} {}", self.property());
        }
        for number in 0..3 {
            let (opens, closes) = (self.property(), self.property());
            let within = match self.chance.below(3) {
                0 => "thereIs".to_owned(),
                1 => "always".to_owned(),
                _ => format!("{} precedes", self.property()),
            };
            let (first, second) = if self.is(2) { ("between", "and") } else { ("from", "until") };
            let formula = self.property();
            let _ = writeln!(out, "  Q{number} = {first} ({opens}) {second} ({closes}), {within} {formula}");
        }
        out += "}\n";
        out
    }

    fn init(&mut self) -> &'static str {
        self.chance.pick(&["0", "1", "0..2", "[0, 2]", "undef", "0"])
    }

    fn link(&mut self) -> String {
        let mut atoms = vec!["true", "e = 0", "s of c1 >= u of c2"];
        if self.is_anonymous {
            atoms.push("true");
        } else {
            atoms.extend(["id of c1 < id of c2", "id of c1 != id of c2"]);
        }
        if self.kinds.len() == 1 {
            atoms.extend(["x of c1 = x of c2", "x of c1 + y of c2 < 3"]);
        }
        let first = self.chance.pick(&atoms).to_owned();
        if self.is(4) { format!("({first}) or ({})", self.chance.pick(&atoms)) } else { first }
    }

    fn agent(&mut self) -> String {
        let kind = &self.kinds[self.own];
        let (name, has_stigmergy) = (kind.name, kind.has_stigmergy);
        let (x, y) = (self.init(), self.init());
        let mut out = format!("agent {name} {{\n  interface = x: {x}; y: {y}");
        // An attribute of one kind alone.
        if self.own == 0 {
            let _ = write!(out, "; z[2]: {}", self.init());
        }
        out += "\n";
        if has_stigmergy {
            out += "  stigmergies = S\n";
        }
        let behavior = match self.chance.below(5) {
            0 => self.process(2),
            1 | 2 => format!("{}; Behavior", self.process(2)),
            3 => {
                let (first, second) = (self.condition(1), self.process(1));
                format!("({first} -> {second}; Behavior) ++ {}; Loop", self.process(1))
            }
            _ => format!("{}; Loop", self.process(1)),
        };
        let _ = writeln!(out, "  Behavior = {behavior}");
        let (guard, first, second) = (self.condition(1), self.action(), self.process(1));
        let arrow = self.chance.pick(&["->", "=>"]);
        let _ = writeln!(out, "  Loop = ({guard} {arrow} {first}; Loop) ++ ({second}; Behavior)");
        let _ = writeln!(out, "  Sub = {}", self.sub());
        out + "}\n"
    }

    fn sub(&mut self) -> String {
        let (first, second) = (self.action(), self.action());
        match self.chance.below(4) {
            0 => first,
            1 => format!("{first}; {second}"),
            2 => format!("({first} || {second})"),
            _ => format!("({} -> {first}) ++ {second}", self.condition(1)),
        }
    }

    /// A process that ends; what is composed is in parentheses.
    fn process(&mut self, depth: u32) -> String {
        if depth == 0 {
            return match self.chance.below(12) {
                0 => "Skip".to_owned(),
                1 => "Sub".to_owned(),
                2 if self.is(4) => "Nil".to_owned(),
                _ => self.action(),
            };
        }
        let (first, second) = (self.process(depth - 1), self.process(depth - 1));
        match self.chance.below(9) {
            0 | 1 => format!("({first}; {second})"),
            2 => format!("({first} ++ {second})"),
            3 | 4 => format!("({first} || {second})"),
            5 => format!("({} -> {first})", self.condition(1)),
            6 => format!("({} => {first})", self.condition(1)),
            7 => format!("({} -> ({first} || {second}))", self.condition(1)),
            _ => first,
        }
    }

    fn action(&mut self) -> String {
        let has_stigmergy = self.kinds[self.own].has_stigmergy;
        match self.chance.below(12) {
            0 => format!("e <-- {}", self.number(2)),
            1 => format!("f[{}] <-- {}", self.index(), self.number(1)),
            2 => format!("x, y <- {}, {}", self.number(1), self.number(1)),
            3 if self.own == 0 => format!("z[{}] <- {}", self.index(), self.number(1)),
            4 | 5 if has_stigmergy => format!("s <~ {}", self.number(1)),
            6 if has_stigmergy => format!("t, u <~ {}, {}", self.number(1), self.number(1)),
            7 if has_stigmergy => format!("v[{}] <~ {}", self.index(), self.number(1)),
            8 => self.block(),
            9 => format!("y <- {}", self.number(2)),
            _ => format!("x <- {}", self.number(2)),
        }
    }

    fn block(&mut self) -> String {
        let mut statements = Vec::new();
        match self.chance.below(4) {
            0 => {
                statements.push(format!("l := {}", self.number(1)));
                self.locals.push("l".to_owned());
            }
            1 => {
                let kind = self.chance.pick(&["", " A"]);
                let count = 1 + self.chance.below(2);
                let condition = self.chance.pick(&["", " where x of 1 = x of 2", " where x of 2 > 0"]);
                statements.push(format!("q[] := pick {count}{kind}{condition}"));
                self.picked = Some(format!("q[{}]", self.chance.below(count)));
            }
            2 => {
                statements.push(format!("l := count A a, x of a > {}", self.chance.below(2)));
                self.locals.push("l".to_owned());
            }
            _ => {
                statements.push(format!("l := exists A a, x of a = {}", self.number(0)));
                self.locals.push("l".to_owned());
            }
        }
        for _ in 0..1 + self.chance.below(2) {
            let action = match self.chance.below(4) {
                0 => format!("e <-- {}", self.number(1)),
                1 if self.kinds[self.own].has_stigmergy => format!("s <~ {}", self.number(1)),
                2 => format!("y <- {}", self.number(1)),
                _ => format!("x <- {}", self.number(1)),
            };
            statements.push(action);
        }
        self.locals.clear();
        self.picked = None;
        format!("{{ {} }}", statements.join("; "))
    }

    fn index(&mut self) -> String {
        if self.has_faults && self.is(3) {
            return self.number(1);
        }
        match self.chance.below(3) {
            0 => "0".to_owned(),
            1 => "1".to_owned(),
            _ => format!("abs({} % 2)", self.number(0)),
        }
    }

    /// A number, mostly from 0 to 2.
    fn number(&mut self, depth: u32) -> String {
        if depth == 0 {
            return self.small();
        }
        let (first, second) = (self.number(depth - 1), self.number(depth - 1));
        match self.chance.below(14) {
            0..=3 => format!("(({first} + {second}) % 3)"),
            4 => format!("min({first}, {second})"),
            5 => format!("max({first}, {second})"),
            6 => format!("(if {} then {first} else {second})", self.condition(depth - 1)),
            7 => format!("abs({first} - {second})"),
            8 => "[0..2]".to_owned(),
            9 => format!("(({first} * {second}) % 3)"),
            10 if self.has_faults => format!("({first} / {second})"),
            10 => format!("({first} / 2)"),
            11 if self.has_faults => format!("({first} + {second})"),
            11 => format!("(({first} : 2) % 3)"),
            12 => format!("({} = {second})", first),
            _ => first,
        }
    }

    fn small(&mut self) -> String {
        let has_stigmergy = self.kinds[self.own].has_stigmergy;
        if let Some(local) = self.locals.last().filter(|_| self.chance.is(2)) {
            return local.clone();
        }
        match (self.chance.below(16), self.picked.clone()) {
            (0 | 1, Some(picked)) => format!("(x of {picked})"),
            (0..=2, _) => self.chance.below(3).to_string(),
            (3, _) => "e".to_owned(),
            (4, _) => format!("f[{}]", self.chance.below(2)),
            (5, _) if !self.is_anonymous => "id % 2".to_owned(),
            (6, _) if self.own == 0 => format!("z[{}]", self.chance.below(2)),
            (7 | 8, _) if has_stigmergy => self.pick(&["s", "t", "u", "v[0]", "v[1]"]).to_owned(),
            (9, _) if !self.is_anonymous => {
                let others = if self.has_faults { self.agents + 1 } else { self.agents };
                let who = self.chance.below(others);
                let all_have = self.kinds.iter().all(|kind| kind.has_stigmergy);
                let name = if all_have { self.pick(&["x", "y", "s"]) } else { self.pick(&["x", "y"]) };
                format!("({name} of {who})")
            }
            (10 | 11, _) => "y".to_owned(),
            _ => "x".to_owned(),
        }
    }

    fn condition(&mut self, depth: u32) -> String {
        let comparison = self.comparison();
        if depth == 0 {
            return comparison;
        }
        let other = self.condition(depth - 1);
        match self.chance.below(8) {
            0 => format!("({comparison}) and ({other})"),
            1 => format!("({comparison}) or ({other})"),
            2 => format!("!({comparison})"),
            3 => self.small(),
            4 => "true".to_owned(),
            _ => comparison,
        }
    }

    fn comparison(&mut self) -> String {
        let (first, second) = (self.number(0), self.number(0));
        format!("{first} {} {second}", self.chance.pick(&["=", "!=", "<", "<=", ">", ">="]))
    }

    fn property(&mut self) -> String {
        let kind = self.kinds[self.chance.below(self.kinds.len() as u64) as usize].name;
        let (quantifier, constant) = (self.pick(&["forall", "exists"]), self.chance.below(3));
        let operator = self.pick(&["=", "!=", "<", ">="]);
        match self.chance.below(8) {
            0 => format!("e {operator} {constant}"),
            1 => format!("f[0] {operator} e or e = {constant}"),
            2 => {
                let second = self.pick(&["forall", "exists"]);
                format!("{quantifier} {kind} a, {second} {kind} b, x of a {operator} y of b")
            }
            3 if self.kinds[0].has_stigmergy => {
                format!("{quantifier} A a, s of a {operator} u of a or v[1] of a = {constant}")
            }
            4 if !self.is_anonymous => {
                format!("{quantifier} {kind} a, y of a = {constant} or id of a > 0")
            }
            _ => format!("{quantifier} {kind} a, x of a {operator} {constant}"),
        }
    }
}
