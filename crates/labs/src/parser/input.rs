//! What the parsers of LAbS share: looking ahead, names, lists, frequent messages.

use crate::vocabulary::{Keyword, Labs, Symbol, TokenKind};
use paramcheck_text::diagnostic::Diagnostic;
use paramcheck_text::diagnostic::codes::labs::syntax as codes;
use paramcheck_text::reading::{self, Ident};
use paramcheck_text::source::Span;

/// The tokens still to be read.
pub(crate) type Input<'a> = reading::Input<'a, Labs>;

/// The result of a parser.
pub(crate) type ParseResult<'a, T> = reading::ParseResult<'a, Labs, T>;

/// Why a construct could not be read.
pub(crate) type SyntaxError<'a> = reading::SyntaxError<'a, Labs>;

/// How deep parentheses, signs, guards and `if` may be nested.
pub(crate) const MAX_DEPTH: usize = 100;

/// The words that begin sections.
pub(crate) const SECTIONS: [&str; 5] = ["system", "stigmergy", "agent", "assume", "check"];

/// The words that begin parts of sections.
pub(crate) const PARTS: [&str; 6] = ["extern", "environment", "spawn", "link", "interface", "stigmergies"];

/// The forms of names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// `x`: variables
    Low,
    /// `X`: kinds, stigmergies, processes, properties
    Up,
    /// `_x`: parameters
    Extern,
}

impl Form {
    fn of(word: &str) -> Option<Form> {
        let is_low = |word: &str| word.starts_with(|first: char| first.is_lowercase());
        match word.strip_prefix('_') {
            Some(rest) => is_low(rest).then_some(Form::Extern),
            None if is_low(word) => Some(Form::Low),
            None => word.starts_with(char::is_uppercase).then_some(Form::Up),
        }
    }

    fn rule(self) -> &'static str {
        match self {
            Form::Low => "begins with a small letter",
            Form::Up => "begins with a capital letter",
            Form::Extern => "begins with `_` and a small letter",
        }
    }
}

/// How the parsers of LAbS read the next tokens.
pub(crate) trait LabsInput<'a>: Copy {
    /// Whether the next token is a name of this form, or would be with other letters.
    fn at_form(self, form: Form) -> bool;
    /// Whether the next token is this word.
    fn at_word(self, word: &str) -> bool;
    /// Whether a section begins here, beyond doubt.
    fn begins_section(self) -> bool;
    /// Whether a definition, or another part of a section, begins here.
    fn begins_part(self) -> bool;
    /// Whether an expression goes on here.
    fn compares(self) -> bool;
    /// Whether a process that was complete ends here: it neither goes on, nor is something missing in it.
    fn ends_process(self) -> bool;
    /// Whether a process could begin here.
    fn begins_process(self) -> bool;
    /// The input behind the partner of the bracket that is next, as far as the brackets are those of the same
    /// part of the same section; the end of that part if there is none.
    fn behind_bracket(self) -> Self;
    /// The next token as a name.
    fn ident(self) -> Ident;
}

impl<'a> LabsInput<'a> for Input<'a> {
    fn at_form(self, form: Form) -> bool {
        self.kind() == TokenKind::Name && Form::of(self.word()) == Some(form)
    }

    fn at_word(self, word: &str) -> bool {
        self.kind() == TokenKind::Name && self.word() == word
    }

    fn begins_section(self) -> bool {
        match self.kind() {
            TokenKind::Name => match self.word() {
                "system" | "assume" | "check" => self.is_ahead(1, Symbol::LeftBrace),
                "agent" | "stigmergy" => {
                    self.is_ahead(2, Symbol::LeftBrace) && self.advance().at_form(Form::Up)
                }
                _ => false,
            },
            _ => false,
        }
    }

    fn begins_part(self) -> bool {
        if self.kind() != TokenKind::Name || !self.is_ahead(1, Symbol::Equal) {
            return false;
        }
        // A variable may be called as a part is, and be compared.
        let behind = self.advance().advance();
        match self.word() {
            "spawn" | "stigmergies" => behind.at_form(Form::Up),
            "extern" => behind.at_form(Form::Extern) && !behind.advance().compares(),
            "environment" | "interface" => {
                let ends = [Symbol::Colon, Symbol::LeftBracket, Symbol::Comma];
                behind.at_form(Form::Low) && ends.iter().any(|end| behind.is_ahead(1, *end))
            }
            _ => self.at_form(Form::Up),
        }
    }

    fn compares(self) -> bool {
        matches!(self.kind(), TokenKind::Keyword(Keyword::And | Keyword::Or))
            || matches!(self.kind(), TokenKind::Symbol(symbol) if symbol != Symbol::Comma && symbol != Symbol::RightBrace)
    }

    fn ends_process(self) -> bool {
        let ends = [Symbol::RightParen, Symbol::RightBrace, Symbol::RightBracket];
        self.is_at_end()
            || ends.iter().any(|end| self.at(*end))
            || self.begins_part()
            || self.begins_section()
    }

    fn begins_process(self) -> bool {
        let is_definition =
            self.at_form(Form::Up) && (self.is_ahead(1, Symbol::Equal) || self.is_ahead(1, Symbol::Colon));
        match self.kind() {
            TokenKind::Name => !is_definition && !self.begins_part() && !self.begins_section(),
            TokenKind::Keyword(keyword) => matches!(
                keyword,
                Keyword::Skip | Keyword::Nil | Keyword::Id | Keyword::True | Keyword::False | Keyword::If
            ),
            TokenKind::Symbol(symbol) => {
                matches!(symbol, Symbol::LeftParen | Symbol::LeftBrace | Symbol::Not)
            }
            _ => false,
        }
    }

    fn behind_bracket(self) -> Self {
        let mut input = self;
        let mut depth = 0_usize;
        loop {
            match input.kind() {
                TokenKind::End => return input,
                TokenKind::Name if depth > 0 && (input.begins_part() || input.begins_section()) => {
                    return input;
                }
                TokenKind::Symbol(Symbol::LeftParen | Symbol::LeftBracket | Symbol::LeftBrace) => depth += 1,
                TokenKind::Symbol(Symbol::RightParen | Symbol::RightBracket | Symbol::RightBrace) => {
                    depth = depth.saturating_sub(1);
                }
                _ => {}
            }
            input = input.advance();
            if depth == 0 {
                return input;
            }
        }
    }

    fn ident(self) -> Ident {
        Ident { text: self.word().to_owned(), span: self.peek().span }
    }
}

/// A name of this form. One of another form and a reserved word are reported, and taken as the name.
pub(crate) fn name<'a>(input: Input<'a>, form: Form, what: &'static str) -> ParseResult<'a, Ident> {
    match input.kind() {
        TokenKind::Keyword(_) => input.report_reserved_word(what),
        TokenKind::Name if !input.at_form(form) => input.report(wrong_name(input, form, what)),
        TokenKind::Name if !input.word().is_ascii() => input.report(
            Diagnostic::new(
                &codes::WRONG_NAME,
                format!("{} has letters that names in LAbS don't have", input.found()),
                input.peek().span,
                "",
            )
            .help("names consist of the letters a to z and A to Z, digits and `_`"),
        ),
        TokenKind::Name => {}
        _ => return input.expected(what),
    }
    Ok((input.advance(), input.ident()))
}

/// The name that is next is not of the form of what is expected.
pub(crate) fn wrong_name(input: Input<'_>, form: Form, what: &str) -> Diagnostic {
    let rest = input.word().trim_start_matches('_');
    let mut letters = rest.chars();
    let first = letters.next().unwrap_or('x');
    let wanted = match form {
        Form::Low => first.to_lowercase().chain(letters).collect(),
        Form::Up => first.to_uppercase().chain(letters).collect(),
        Form::Extern => format!("_{}", first.to_lowercase().chain(letters).collect::<String>()),
    };
    let diagnostic =
        Diagnostic::new(&codes::WRONG_NAME, format!("{what} {}", form.rule()), input.peek().span, "");
    match Form::of(&wanted) == Some(form) && wanted != input.word() {
        true => diagnostic.help(format!("write `{wanted}`")),
        false => diagnostic,
    }
}

/// Elements separated by commas, at least one.
pub(crate) fn list<'a, T>(
    mut input: Input<'a>,
    element: impl Fn(Input<'a>) -> ParseResult<'a, T>,
) -> ParseResult<'a, Vec<T>> {
    let mut elements = Vec::new();
    loop {
        let (rest, next) = element(input)?;
        elements.push(next);
        if !rest.at(Symbol::Comma) {
            return Ok((rest, elements));
        }
        input = rest.advance();
    }
}

/// Skips a sign that is next; another one that is next in its place is reported, and taken for it.
pub(crate) fn defining<'a>(
    input: Input<'a>,
    right: Symbol,
    wrong: &[Symbol],
    help: &str,
) -> ParseResult<'a, ()> {
    use paramcheck_text::reading::Spelt;
    if input.at(right) {
        return Ok((input.advance(), ()));
    }
    let sign = right.spelling();
    let span = input.peek().span;
    let message = format!("expected `{sign}`, found {}", input.found());
    if wrong.iter().any(|wrong| input.at(*wrong)) {
        let label = format!("expected `{sign}`");
        input.report(Diagnostic::new(&codes::WRONG_DEFINING_SIGN, message, span, label).help(help));
        return Ok((input.advance(), ()));
    }
    input.fail(Diagnostic::new(&codes::UNEXPECTED, message, span, format!("expected `{sign}`")).help(help))
}

/// The sign that is next stands where the other one, `right`, separates.
pub(crate) fn wrong_separator(input: Input<'_>, right: char, help: &str) -> Diagnostic {
    let message = format!("expected `{right}`, found {}", input.found());
    let label = format!("expected `{right}`");
    Diagnostic::new(&codes::WRONG_SEPARATOR, message, input.peek().span, label).help(help)
}

/// The sign that is next separates nothing.
pub(crate) fn extra_separator(input: Input<'_>) -> Diagnostic {
    let found = input.found();
    let message = format!("nothing comes behind this {found}");
    Diagnostic::new(&codes::EXTRA_SEPARATOR, message, input.peek().span, "not needed here")
        .help(format!("leave it out: {found} stands between two things"))
}

/// The partner of the bracket at `open`. A missing one is reported and taken as written where the process
/// ends.
pub(crate) fn close<'a>(input: Input<'a>, open: Span, partner: Symbol) -> ParseResult<'a, ()> {
    match input.ends_process() {
        true => input.close(open, partner),
        false => input.fail(input.unclosed(open, partner)),
    }
}

/// A `;` is missing before the next token.
pub(crate) fn missing_semicolon(input: Input<'_>, help: &str) -> Diagnostic {
    let message = format!("missing `;` before {}", input.found());
    Diagnostic::new(&codes::MISSING_SEPARATOR, message, input.gap(), "expected `;`").help(help)
}

/// The diagnostic for one level too many.
pub(crate) fn too_deep(span: Span) -> Diagnostic {
    Diagnostic::new(
        &codes::NESTED_TOO_DEEP,
        format!("nested deeper than {MAX_DEPTH} levels"),
        span,
        "one level too many",
    )
    .help("give inner processes names of their own; compute parts of an expression in a block first")
}
