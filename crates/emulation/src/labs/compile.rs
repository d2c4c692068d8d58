//! Expressions and actions of a system as code, for one agent at a time.
//!
//! Who acts, sends, receives, or is bound by a quantifier is known then, so variables become cells and
//! quantifiers become lists. What is constant is computed.

use paramcheck_labs::ast::Operator;
use paramcheck_labs::model::{Action, AgentId, Expr, Place, Statement, System, Target, Variable, Who};
use paramcheck_labs::number::Width;
use paramcheck_text::index::Idx;

use super::code::{Array, Choices, Code, Context};
use super::word::{NO_AGENT, UNDEFINED, fit, is_number};

/// The most parts of all code together.
pub(crate) const MAX_CODE: usize = 4_000_000;

/// What an agent does in one step.
#[derive(Clone, Debug)]
pub(crate) struct ActionCode {
    pub(crate) statements: Vec<StatementCode>,
    pub(crate) locals: usize,
}

impl ActionCode {
    /// Whether something is chosen in it.
    pub(crate) fn chooses(&self) -> bool {
        self.statements.iter().any(|statement| match statement {
            StatementCode::Pick { .. } => true,
            StatementCode::Assign(all) => all.iter().any(|(place, code)| {
                let in_place = match place {
                    PlaceCode::Element(_, indices) => indices.iter().any(Code::chooses),
                    PlaceCode::Cell(_) | PlaceCode::Local(_) | PlaceCode::Nowhere => false,
                };
                in_place || code.chooses()
            }),
        })
    }
}

/// A statement.
#[derive(Clone, Debug)]
pub(crate) enum StatementCode {
    /// All places and words are computed, then all are assigned.
    Assign(Vec<(PlaceCode, Code)>),
    /// Distinct agents, into locals from the first on.
    Pick {
        local: usize,
        count: usize,
        /// Who may be picked, and when.
        candidates: Vec<(i64, Option<Code>)>,
    },
}

/// Where a word goes.
#[derive(Clone, Debug)]
pub(crate) enum PlaceCode {
    Cell(usize),
    Element(Array, Vec<Code>),
    Local(usize),
    /// Nowhere: the kind doesn't have the variable.
    Nowhere,
}

/// Makes code.
pub(crate) struct Compiler<'a> {
    system: &'a System,
    width: Width,
    first: Option<AgentId>,
    second: Option<AgentId>,
    bound: Vec<AgentId>,
    /// How many parts were made.
    parts: usize,
    /// Whether a function of the C program is called.
    pub(crate) has_foreign: bool,
}

impl<'a> Compiler<'a> {
    pub(crate) fn new(system: &'a System, width: Width) -> Self {
        Compiler { system, width, first: None, second: None, bound: Vec::new(), parts: 0, has_foreign: false }
    }

    /// Whether there is more code than is allowed; what was made then is of no use.
    pub(crate) fn is_too_large(&self) -> bool {
        self.parts > MAX_CODE
    }

    /// An expression about the store alone.
    pub(crate) fn formula(&mut self, expr: &Expr) -> Code {
        (self.first, self.second) = (None, None);
        self.expr(expr)
    }

    /// An expression of an agent that acts.
    pub(crate) fn own(&mut self, agent: AgentId, expr: &Expr) -> Code {
        (self.first, self.second) = (Some(agent), None);
        self.expr(expr)
    }

    /// An expression of two agents.
    pub(crate) fn pair(&mut self, first: AgentId, second: AgentId, expr: &Expr) -> Code {
        (self.first, self.second) = (Some(first), Some(second));
        let code = self.expr(expr);
        self.second = None;
        code
    }

    /// An action of an agent.
    pub(crate) fn action(&mut self, agent: AgentId, action: &Action) -> ActionCode {
        (self.first, self.second) = (Some(agent), None);
        let statements = action.statements.iter().map(|one| self.statement(agent, one)).collect();
        ActionCode { statements, locals: action.locals }
    }

    fn statement(&mut self, agent: AgentId, statement: &Statement) -> StatementCode {
        match statement {
            Statement::Assign(all) => {
                let all = all.iter().map(|(to, value)| (self.place(agent, to), self.own(agent, value)));
                StatementCode::Assign(all.collect())
            }
            Statement::Pick { local, count, kind, condition } => {
                let mut candidates = Vec::new();
                for (candidate, of_kind) in self.system.agents.enumerate() {
                    if candidate == agent || kind.is_some_and(|kind| kind != *of_kind) {
                        continue;
                    }
                    let code = condition.as_ref().map(|one| self.pair(agent, candidate, one));
                    candidates.push((word_of(candidate), code));
                }
                StatementCode::Pick { local: *local, count: *count, candidates }
            }
        }
    }

    fn place(&mut self, agent: AgentId, target: &Target) -> PlaceCode {
        let (array, indices) = match target {
            Target::Environment(at, indices) => (environment(&self.system.environment[*at]), indices),
            Target::Own(name, indices) => {
                let place = &self.system.names[*name].places[self.system.agents[agent]];
                let Some(place) = place else { return PlaceCode::Nowhere };
                (self.array(agent, place), indices)
            }
            Target::Local(at) => return PlaceCode::Local(*at),
        };
        let indices: Vec<Code> = indices.iter().map(|index| self.own(agent, index)).collect();
        match known(&array, &indices) {
            Some(cell) => PlaceCode::Cell(cell),
            None => PlaceCode::Element(array, indices),
        }
    }

    fn array(&self, agent: AgentId, place: &Place) -> Array {
        let first = self.system.first_cells[agent] + place.offset;
        Array { first, extents: place.extents.as_slice().into() }
    }

    fn all(&mut self, exprs: &[Expr]) -> Box<[Code]> {
        exprs.iter().map(|expr| self.expr(expr)).collect()
    }

    fn two(&mut self, operands: &[Expr; 2]) -> Box<[Code; 2]> {
        Box::new([self.expr(&operands[0]), self.expr(&operands[1])])
    }

    fn expr(&mut self, expr: &Expr) -> Code {
        self.parts += 1;
        if self.is_too_large() {
            return Code::Word(UNDEFINED);
        }
        let code = match expr {
            Expr::Number(number) => Code::Word(fit(*number, self.width)),
            Expr::Id(who) => self.who(who),
            Expr::Environment(at, indices) => {
                let array = environment(&self.system.environment[*at]);
                element(array, self.all(indices))
            }
            Expr::Of(who, name, indices) => {
                let who = self.who(who);
                let places = &self.system.names[*name].places;
                if let Some(word) = who.constant() {
                    if !is_number(word) {
                        return Code::Word(word);
                    }
                    let agent = AgentId::new(usize::try_from(word).unwrap_or(0));
                    let Some(place) = &places[self.system.agents[agent]] else {
                        return Code::Word(UNDEFINED);
                    };
                    let array = self.array(agent, place);
                    element(array, self.all(indices))
                } else {
                    let agents = self.system.agents.enumerate();
                    let arrays = agents
                        .map(|(agent, kind)| places[*kind].as_ref().map(|place| self.array(agent, place)));
                    let arrays = arrays.collect();
                    Code::Of(Box::new(who), arrays, self.all(indices))
                }
            }
            Expr::Local(at) => Code::Local(*at),
            Expr::Picked(first, count, index) => Code::Picked(*first, *count, Box::new(self.expr(index))),
            Expr::Negative(inner) => Code::Negative(Box::new(self.expr(inner))),
            Expr::Not(inner) => Code::Not(Box::new(self.expr(inner))),
            Expr::Binary(Operator::And, operands) => Code::And(self.two(operands)),
            Expr::Binary(Operator::Or, operands) => Code::Or(self.two(operands)),
            Expr::Binary(operator, operands) => Code::Both(*operator, self.two(operands)),
            Expr::AnyOf(ends) => Code::AnyOf(self.two(ends)),
            Expr::Absolute(inner) => Code::Absolute(Box::new(self.expr(inner))),
            Expr::Least(operands) => Code::Least(self.two(operands)),
            Expr::Greatest(operands) => Code::Greatest(self.two(operands)),
            Expr::If(parts) => {
                let [condition, then, otherwise] = parts.as_ref();
                Code::If(Box::new([self.expr(condition), self.expr(then), self.expr(otherwise)]))
            }
            Expr::Foreign(..) => {
                self.has_foreign = true;
                Code::Foreign
            }
            Expr::Quantified { is_universal, kind, body, .. } => {
                let parts = self.of_each(*kind, body);
                if *is_universal { Code::Forall(parts) } else { Code::Exists(parts) }
            }
            Expr::Count { kind, body, .. } => Code::Count(self.of_each(*kind, body)),
        };
        self.folded(code)
    }

    fn of_each(&mut self, kind: paramcheck_labs::model::KindId, body: &Expr) -> Box<[Code]> {
        let system = self.system;
        let parts = system.agents_of(kind).map(|agent| {
            self.bound.push(agent);
            let part = self.expr(body);
            self.bound.pop();
            part
        });
        parts.collect()
    }

    /// The number of an agent, or a word that is none.
    fn who(&mut self, who: &Who) -> Code {
        let known = |agent: Option<AgentId>| Code::Word(agent.map_or(NO_AGENT, word_of));
        match who {
            Who::First => known(self.first),
            Who::Second => known(self.second),
            Who::Bound(at) => known(self.bound.get(*at).copied()),
            Who::Agent(number) => {
                let number = Box::new(self.expr(number));
                self.folded(Code::Agent(number, self.system.agents.len()))
            }
        }
    }

    /// The word, if all parts are.
    fn folded(&self, code: Code) -> Code {
        let is_open = matches!(
            code,
            Code::Word(_)
                | Code::Cell(_)
                | Code::Element(..)
                | Code::Of(..)
                | Code::Local(_)
                | Code::Picked(..)
                | Code::AnyOf(_)
                | Code::Foreign
        );
        if is_open || code.parts().iter().any(|part| part.constant().is_none()) {
            return code;
        }
        let mut choices = Choices::default();
        let no_cells: &[i64] = &[];
        let mut context = Context { cells: no_cells, locals: &[], choices: &mut choices, width: self.width };
        Code::Word(code.word(&mut context))
    }
}

/// The number of an agent.
fn word_of(agent: AgentId) -> i64 {
    i64::try_from(agent.index()).unwrap_or(NO_AGENT)
}

fn environment(variable: &Variable) -> Array {
    Array { first: variable.offset, extents: variable.extents.as_slice().into() }
}

/// The cell, if all indices are known and within the array.
fn known(array: &Array, indices: &[Code]) -> Option<usize> {
    let mut flat = 0;
    for (extent, index) in array.extents.iter().zip(indices) {
        let index = usize::try_from(index.constant()?).ok().filter(|index| index < extent)?;
        flat = flat * extent + index;
    }
    Some(array.first + flat)
}

fn element(array: Array, indices: Box<[Code]>) -> Code {
    match known(&array, &indices) {
        Some(cell) => Code::Cell(cell),
        None => Code::Element(array, indices),
    }
}
