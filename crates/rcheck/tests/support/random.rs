//! Random systems that have a meaning, in today's syntax, with properties.
//!
//! Two kinds of agents with a local of each type, all property variables relabelled. What is bounded by
//! itself keeps numbers small; a system that is `wild` leaves ranges now and then.

use paramcheck_text::random::Random;

/// Makes texts.
pub(crate) struct Systems {
    random: Random,
    is_wild: bool,
    labels: usize,
}

/// What an expression may be about.
#[derive(Clone, Copy, Default)]
struct Sight<'a> {
    sent: &'a [usize],
    has_properties: bool,
    has_channel: bool,
}

const SENT: [&str; 5] = ["MB", "MN", "MI", "MC", "ML"];
const LOCALS: [&str; 5] = ["b", "n", "i", "h", "l"];
const PROPERTIES: [&str; 5] = ["pb", "pn", "pi", "ph", "pl"];

/// The types, by their position in these lists.
const BOOL: usize = 0;

impl Systems {
    /// The same systems for the same seed.
    pub(crate) fn new(seed: u64) -> Systems {
        Systems { random: Random::new(seed), is_wild: seed.is_multiple_of(4), labels: 0 }
    }

    fn below(&mut self, bound: usize) -> usize {
        self.random.below(bound as u64) as usize
    }

    fn one(&mut self, of: &[&str]) -> String {
        let at = self.below(of.len());
        of[at].to_owned()
    }

    /// A constant of a type.
    fn constant(&mut self, ty: usize) -> String {
        match ty {
            0 => self.one(&["true", "false"]),
            1 => self.one(&["0", "1", "2"]),
            2 => self.one(&["red", "blue", "green"]),
            3 => self.one(&["*", "c", "d"]),
            _ => self.one(&["u", "v", "w"]),
        }
    }

    /// An atom of a type.
    fn atom(&mut self, ty: usize, sight: Sight<'_>) -> String {
        match self.below(7) {
            0 | 1 => self.constant(ty),
            2 if sight.has_properties => format!("@{}", PROPERTIES[ty]),
            3 if sight.has_channel && ty == 3 => "chan".to_owned(),
            4 | 5 if sight.sent.contains(&ty) => SENT[ty].to_owned(),
            6 if ty == 4 && !sight.has_properties => "myself".to_owned(),
            _ => LOCALS[ty].to_owned(),
        }
    }

    /// A value that can be assigned.
    fn value(&mut self, ty: usize, sight: Sight<'_>) -> String {
        match (ty, self.below(6)) {
            (1, 0) if self.is_wild => format!("{} + 1", self.atom(ty, sight)),
            (1, 1) if self.is_wild => format!("{} * {}", self.atom(ty, sight), self.atom(ty, sight)),
            (1, 0) => "2 - n".to_owned(),
            (BOOL, 0 | 1) => self.condition(1, sight),
            _ => self.atom(ty, sight),
        }
    }

    fn condition(&mut self, depth: usize, sight: Sight<'_>) -> String {
        let kind = if depth == 0 { self.below(3) } else { self.below(9) };
        match kind {
            0 => self.atom(BOOL, sight),
            1 | 2 => {
                let ty = self.below(5);
                let signs: &[&str] = if ty == 1 { &["=", "!=", "<", ">=", ">", "<="] } else { &["=", "!="] };
                format!("({} {} {})", self.atom(ty, sight), self.one(signs), self.atom(ty, sight))
            }
            3 => format!("!({})", self.condition(depth - 1, sight)),
            4 if self.is_wild => format!("(2 / n {} 1)", self.one(&["=", ">"])),
            _ => {
                let sign = self.one(&["&", "|", "->", "<->"]);
                format!("({} {sign} {})", self.condition(depth - 1, sight), self.condition(depth - 1, sight))
            }
        }
    }

    /// A condition that is often true.
    fn guard(&mut self, sight: Sight<'_>) -> String {
        if self.below(3) == 0 { "true".to_owned() } else { self.condition(1, sight) }
    }

    fn some_types(&mut self) -> Vec<usize> {
        (0..5).filter(|_| self.below(2) == 0).collect()
    }

    fn update(&mut self, sight: Sight<'_>) -> String {
        let mut parts = Vec::new();
        for (ty, local) in LOCALS.iter().enumerate() {
            if self.below(4) == 0 {
                parts.push(format!("{local} := {}", self.value(ty, sight)));
            }
        }
        format!("[{}]", parts.join(", "))
    }

    fn data(&mut self, types: &[usize]) -> String {
        let parts: Vec<String> = types
            .iter()
            .map(|ty| {
                let sight = Sight::default();
                format!("{} := {}", SENT[*ty], self.value(*ty, sight))
            })
            .collect();
        format!("({})", parts.join(", "))
    }

    fn command(&mut self) -> String {
        let label = match self.below(2) {
            0 => String::new(),
            _ => {
                self.labels += 1;
                format!("k{}: ", self.labels)
            }
        };
        let (types, heard) = (self.some_types(), self.some_types());
        let channel = self.one(&["*", "*", "c", "c", "d", "h"]);
        let plain = Sight::default();
        let hears = Sight { sent: &heard, ..plain };
        let body = match self.below(9) {
            0..4 => {
                let sees = Sight { sent: &types, has_properties: true, has_channel: true };
                let to = self.guard(sees);
                format!(
                    "{{{}}} {channel}! ({to}){}{}",
                    self.guard(plain),
                    self.data(&types),
                    self.update(plain)
                )
            }
            4..7 => format!("{{{}}} {channel}? {}", self.guard(hears), self.update(hears)),
            7 => {
                let whom = if self.below(2) == 0 {
                    self.one(&["l", "u", "v"])
                } else {
                    self.condition(1, Sight { has_properties: true, ..plain })
                };
                format!("{{{}}} GET@({whom}){}{}", self.guard(hears), self.data(&types), self.update(hears))
            }
            _ => {
                let whom = self.one(&["any", "any", "myself"]);
                format!(
                    "{{{}}} SUPPLY@({whom}){}{}",
                    self.guard(hears),
                    self.data(&types),
                    self.update(hears)
                )
            }
        };
        format!("{label}{body}")
    }

    fn process(&mut self, depth: usize) -> String {
        match if depth == 0 { 0 } else { self.below(4) } {
            1 => format!("({}; {})", self.process(depth - 1), self.process(depth - 1)),
            2 | 3 => format!("({} + {})", self.process(depth - 1), self.process(depth - 1)),
            _ => self.command(),
        }
    }

    fn agent(&mut self, name: &str) -> String {
        self.labels = 0;
        let relabels: Vec<String> = (0..5)
            .map(|ty| {
                let value = if self.below(2) == 0 { LOCALS[ty].to_owned() } else { self.constant(ty) };
                let value = if ty == BOOL && self.below(2) == 0 { "n > 0".to_owned() } else { value };
                format!("{} <- {value}", PROPERTIES[ty])
            })
            .collect();
        let mut init: Vec<String> = Vec::new();
        for (ty, local) in LOCALS.iter().enumerate() {
            if self.below(8) > 0 {
                init.push(format!("{local} = {}", self.constant(ty)));
            }
        }
        if init.is_empty() {
            init.push("true".to_owned());
        }
        let connected = self.guard(Sight { has_channel: true, ..Sight::default() });
        let all = [self.process(2), self.process(1)].join(" + ");
        format!(
            "agent {name}\n  local: b : bool, n : 0..2, i : item, h : channel, l : location\n  init: {}\n  relabel: {}\n  receive-guard: {connected}\n  repeat: ( {all} )\n",
            init.join(" & "),
            relabels.join(" "),
        )
    }

    fn observation(&mut self, depth: usize, is_addressed: bool) -> String {
        match if depth == 0 { self.below(4) } else { self.below(9) } {
            0 => format!(
                "{} = {}",
                self.one(&["sender", "getter", "supplier", "producer", "initiator"]),
                self.one(&["u", "v", "w"])
            ),
            1 => {
                let ty = self.below(5);
                format!("{} {} {}", SENT[ty], self.one(&["=", "!="]), self.constant(ty))
            }
            2 => format!("chan {} {}", self.one(&["=", "!="]), self.constant(3)),
            3 if is_addressed => {
                let ty = self.below(5);
                format!("@{} {} {}", PROPERTIES[ty], self.one(&["=", "!="]), self.constant(ty))
            }
            3 => self.one(&["p2p", "true", "supplier-pn = 1", "@pn = 1", "pb = true", "supplier-pb = MB"]),
            4 => format!("!({})", self.observation(depth - 1, is_addressed)),
            5 | 6 if !is_addressed => {
                format!("{}({})", self.one(&["forall", "exists"]), self.observation(depth - 1, true))
            }
            _ => {
                let sign = self.one(&["&", "|", "->", "<->"]);
                let [left, right] = [(), ()].map(|()| self.observation(depth - 1, is_addressed));
                format!("(({left}) {sign} ({right}))")
            }
        }
    }

    fn formula(&mut self, depth: usize) -> String {
        let kind = if depth == 0 { self.below(5) } else { self.below(16) };
        let who = self.one(&["u", "v", "w"]);
        match kind {
            0 => format!("{who}-b"),
            1 => format!("{who}-n {} {}", self.one(&["=", "<", "!="]), self.one(&["0", "1", "2"])),
            2 => format!("{who}-automaton-state = {}", self.one(&["0", "1", "2"])),
            3 => self.one(&["PROGRESS", "true", "u-i = v-i", "w-l != v", "u-h = *"]),
            // The first command of a kind is not always labelled: `?` is replaced by what is there.
            4 => "?".to_owned(),
            5 => format!("!({})", self.formula(depth - 1)),
            6 => format!("(X ({}))", self.formula(depth - 1)),
            7 => format!("(F ({}))", self.formula(depth - 1)),
            8 => format!("(G ({}))", self.formula(depth - 1)),
            9 | 10 => {
                let observation = self.observation(2, false);
                let body = self.formula(depth - 1);
                match self.below(2) {
                    0 => format!("(<<{observation}>> ({body}))"),
                    _ => format!("([[{observation}]] ({body}))"),
                }
            }
            _ => {
                let sign = self.one(&["&", "|", "->", "<->", "U", "R", "W", "U"]);
                format!("(({}) {sign} ({}))", self.formula(depth - 1), self.formula(depth - 1))
            }
        }
    }

    /// A system with so many properties.
    pub(crate) fn text(&mut self, specs: usize) -> String {
        let first = self.agent("One");
        let labels = self.labels;
        let second = self.agent("Two");
        let mut text = format!(
            "enum channel {{c, d}}\nenum item {{red, blue, green}}\n\
             message-structure: MB : bool, MN : 0..2, MI : item, MC : channel, ML : location\n\
             property-variables: pb : bool, pn : 0..2, pi : item, ph : channel, pl : location\n\
             {first}{second}system = One(u, true) || Two(v, true) || One(w, n = {})\n",
            self.below(3),
        );
        for _ in 0..specs {
            let formula = self.formula(2);
            let mut parts = formula.split('?');
            let mut made = parts.next().unwrap_or("").to_owned();
            for part in parts {
                let label = match labels {
                    0 => "u-b".to_owned(),
                    labels => format!("{}-k{}", self.one(&["u", "w"]), 1 + self.below(labels)),
                };
                made += &label;
                made += part;
            }
            text += &format!("SPEC {made};\n");
        }
        text
    }
}
