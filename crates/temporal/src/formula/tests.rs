use paramcheck_text::diagnostic::codes::process::syntax as codes;
use paramcheck_text::diagnostic::render::render;
use paramcheck_text::random::Random;
use paramcheck_text::reading::{Codes, Input, ParseResult, Spelt, TokenKind, Vocabulary, read};
use paramcheck_text::source::SourceFile;
use pretty_assertions::assert_eq;

use super::parser::{MAX_DEPTH, Notation, formula};
use super::{Binary, Formula, Modality, Unary};
use crate::twin::random;

/// A language whose atoms are names, and comparisons of numbers in parentheses: `(1 = 2)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Plain;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sign {
    Any(&'static str),
}

impl Spelt for Sign {
    const SPELLINGS: &'static [(&'static str, Sign)] = &[
        ("<->", Sign::Any("<->")),
        ("->", Sign::Any("->")),
        ("<<", Sign::Any("<<")),
        (">>", Sign::Any(">>")),
        ("[[", Sign::Any("[[")),
        ("]]", Sign::Any("]]")),
        ("&&", Sign::Any("&&")),
        ("&", Sign::Any("&")),
        ("||", Sign::Any("||")),
        ("|", Sign::Any("|")),
        ("!", Sign::Any("!")),
        ("(", Sign::Any("(")),
        (")", Sign::Any(")")),
        ("=", Sign::Any("=")),
        (";", Sign::Any(";")),
    ];
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NoWord {}

impl Spelt for NoWord {
    const SPELLINGS: &'static [(&'static str, NoWord)] = &[];
}

impl Vocabulary for Plain {
    type Keyword = NoWord;
    type Symbol = Sign;

    const CODES: Codes = Codes {
        unreadable: &codes::UNREADABLE,
        unterminated_comment: &codes::UNTERMINATED_COMMENT,
        bad_number: &codes::BAD_NUMBER,
        reserved_word: &codes::RESERVED_WORD,
        unexpected: &codes::UNEXPECTED,
        missing_comma: &codes::MISSING_COMMA,
        unclosed_bracket: &codes::UNCLOSED_BRACKET,
        too_many: &codes::TOO_MANY,
    };

    fn hint(_: &str) -> Option<&'static str> {
        None
    }
}

impl Notation for Plain {
    type Language = Plain;
    type Atom = String;

    const TOO_DEEP: paramcheck_text::diagnostic::Code = &codes::NESTED_TOO_DEEP;
    const WRONG_OPERATOR: paramcheck_text::diagnostic::Code = &codes::WRONG_OPERATOR;

    fn atom(input: Input<'_, Self>) -> ParseResult<'_, Self, String> {
        match input.kind() {
            TokenKind::Name => Ok((input.advance(), input.word().to_owned())),
            _ if Self::begins_atom(input) => {
                let mut rest = input;
                let mut text = String::new();
                for _ in 0..5 {
                    text += rest.word();
                    rest = rest.advance();
                }
                Ok((rest, text))
            }
            _ => input.expected("an atom"),
        }
    }

    fn begins_atom(input: Input<'_, Self>) -> bool {
        input.word() == "(" && input.advance().kind() == TokenKind::Number
    }
}

/// The formula that a text is, all of it; or what is wrong.
fn parsed(text: &str) -> Result<Formula<String>, String> {
    let reading = read(Plain, text, |input| match formula::<Plain>(input) {
        Ok((rest, formula)) if rest.is_at_end() => Some(formula),
        Ok((rest, _)) => {
            rest.report_expected("an operator, or the end");
            None
        }
        Err(error) => {
            if let Some(error) = paramcheck_text::reading::SyntaxError::of(error) {
                error.report();
            }
            None
        }
    });
    match (reading.value, reading.diagnostics.as_slice()) {
        (Some(formula), []) => Ok(formula),
        (_, diagnostics) => {
            let file = SourceFile::new("formula", text);
            let shown: Vec<String> = diagnostics.iter().map(|one| render(&file, one, false)).collect();
            Err(shown.join("\n"))
        }
    }
}

fn atom(name: &str) -> Formula<String> {
    Formula::Atom(name.to_owned())
}

fn binary(operator: Binary, left: Formula<String>, right: Formula<String>) -> Formula<String> {
    Formula::Binary(operator, Box::new(left), Box::new(right))
}

#[test]
fn operators_bind_as_documented() {
    let same = [
        ("!a U b & c | d -> e <-> f", "((((((!a) U b) & c) | d) -> e) <-> f)"),
        ("a U b R c W d", "((a U b) R c) W d"),
        ("a -> b -> c", "a -> (b -> c)"),
        ("a <-> b <-> c", "(a <-> b) <-> c"),
        ("G a -> b", "G (a -> b)"),
        ("F a & F b", "F (a & (F b))"),
        ("a U X b U c & d", "a U (X ((b U c) & d))"),
        ("!G a | b", "!(G (a | b))"),
        ("(G a) | b", "(G a) | b"),
        ("<<o>> a | [[p]] b -> c", "<<o>> (a | ([[p]] (b -> c)))"),
        ("a & (b & c) & d", "((a & (b & c)) & d)"),
        ("!!a", "!(!a)"),
        ("(1 = 2) & a", "((1 = 2)) & a"),
        ("X F G true", "X (F (G true))"),
    ];
    for (left, right) in same {
        let whole = |text: &str| parsed(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        // The right one has its parentheses around all lists; they are lists of the left one.
        assert_eq!(flat(whole(left)), flat(whole(right)), "{left}");
    }
    assert_eq!(parsed("a & b & c").unwrap(), Formula::And(vec![atom("a"), atom("b"), atom("c")]));
    assert_eq!(
        parsed("a & (b & c)").unwrap(),
        Formula::And(vec![atom("a"), Formula::And(vec![atom("b"), atom("c")])])
    );
    assert_eq!(parsed("G a U b").unwrap(), binary(Binary::Until, atom("a"), atom("b")).globally());
}

/// The formula with lists within lists of the same kind flattened.
fn flat(formula: Formula<String>) -> Formula<String> {
    let boxed = |inner: Box<Formula<String>>| Box::new(flat(*inner));
    match formula {
        Formula::And(parts) => Formula::And(
            parts
                .into_iter()
                .map(flat)
                .flat_map(|part| if let Formula::And(parts) = part { parts } else { vec![part] })
                .collect(),
        ),
        Formula::Or(parts) => Formula::Or(
            parts
                .into_iter()
                .map(flat)
                .flat_map(|part| if let Formula::Or(parts) = part { parts } else { vec![part] })
                .collect(),
        ),
        Formula::Not(inner) => Formula::Not(boxed(inner)),
        Formula::Implies(left, right) => Formula::Implies(boxed(left), boxed(right)),
        Formula::Iff(left, right) => Formula::Iff(boxed(left), boxed(right)),
        Formula::Unary(operator, inner) => Formula::Unary(operator, boxed(inner)),
        Formula::Binary(operator, left, right) => Formula::Binary(operator, boxed(left), boxed(right)),
        Formula::Observation(modality, one, inner) => Formula::Observation(modality, one, boxed(inner)),
        leaf => leaf,
    }
}

#[test]
fn formulas_are_written_with_the_parentheses_they_need() {
    let texts = [
        "G (a -> F b)",
        "(F a) & F b",
        "a U (b U c) R !d",
        "(a -> b) -> c -> d",
        "!(G a) U X b",
        "<<o>> (a & b)",
        "[[o]] <<p>> false",
        "a <-> (b <-> c) <-> !X d",
    ];
    for text in texts {
        assert_eq!(parsed(text).unwrap().to_string(), text);
    }
}

#[test]
fn what_is_written_reads_as_the_same_formula() {
    let mut sizes = 0;
    for seed in 0..3000 {
        let formula = random::formula(&mut Random::new(seed), 1 + seed % 6);
        let named = formula
            .try_map(&mut |atom| Ok::<_, ()>(Formula::Atom(format!("p{}", atom.0))), &mut |atom| {
                Ok(format!("p{}", atom.0))
            });
        let named = named.unwrap();
        let text = named.to_string();
        assert_eq!(parsed(&text).as_ref(), Ok(&named), "seed {seed}: {text}");
        sizes += text.len();
    }
    assert!(sizes > 50_000);
}

#[test]
fn what_is_wrong_is_shown_where_it_is() {
    let wrong = [
        ("a &", "expected an atom", 4),
        ("(a | b", "missing `)`", 7),
        ("a && b", "`&&` is written `&`", 3),
        ("a | b)", "expected an operator", 6),
        ("<<o) a", "missing `>>`", 4),
        ("[[o>> a", "missing `]]`", 4),
        ("a b", "expected an operator", 3),
        ("", "expected an atom", 1),
        ("a U U b", "expected an operator", 7),
    ];
    for (text, message, column) in wrong {
        let shown = parsed(text).unwrap_err();
        let place = format!("formula:1:{column}\n");
        assert!(shown.contains(message) && shown.contains(&place) && shown.contains('^'), "{text}: {shown}");
    }
}

#[test]
fn nesting_is_bounded_and_length_is_not() {
    let deep = |count: usize| {
        [
            "!".repeat(count) + "a",
            "X ".repeat(count) + "a",
            "(".repeat(count) + "a" + &")".repeat(count),
            "a U ".repeat(count) + "a",
            "a -> ".repeat(count) + "a",
            "a <-> ".repeat(count) + "a",
            "(a & b | ".repeat(count) + "a" + &")".repeat(count),
        ]
    };
    for text in deep(MAX_DEPTH / 3) {
        assert!(parsed(&text).is_ok(), "{text}");
    }
    for text in deep(MAX_DEPTH * 100) {
        let error = parsed(&text).unwrap_err();
        assert!(error.contains("nested too deep"), "{error}");
    }
    let long = "a & ".repeat(100_000) + "a";
    assert!(matches!(parsed(&long), Ok(Formula::And(parts)) if parts.len() == 100_001));
}

#[test]
fn any_tokens_are_read() {
    let words = [
        "a", "X", "F", "G", "U", "R", "W", "!", "&", "|", "->", "<->", "(", ")", "<<", ">>", "[[", "]]",
        "&&", "true", "1", "=", "$", "and",
    ];
    let (mut right, mut wrong) = (0, 0);
    for seed in 0..20_000 {
        let mut random = Random::new(seed);
        let length = random.below(9);
        let text: Vec<&str> = (0..length).map(|_| words[random.below(words.len() as u64) as usize]).collect();
        match parsed(&text.join(" ")) {
            Ok(_) => right += 1,
            Err(error) => {
                assert!(error.contains("error["), "{text:?}: {error}");
                wrong += 1;
            }
        }
    }
    assert!(right > 100 && wrong > 100, "{right} {wrong}");
}

#[test]
fn parts_are_those_of_the_operator() {
    let whole = parsed("a -> X b").unwrap();
    let parts: Vec<String> = whole.parts().map(ToString::to_string).collect();
    assert_eq!(parts, ["a", "X b"]);
    assert_eq!(Unary::Next.spelling(), "X");
    assert_eq!(Modality::Box.brackets(), ["[[", "]]"]);
}
