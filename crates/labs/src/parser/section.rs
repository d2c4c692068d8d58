//! Sections and their parts. A mistake in one part does not hide one in the next.

use super::declaration::{declarations, spawned, tuples};
use super::expression::{Place, Scope, condition};
use super::input::{
    Form, Input, LabsInput, PARTS, ParseResult, SECTIONS, SyntaxError, defining, extra_separator, name,
    wrong_name, wrong_separator,
};
use super::process::process;
use super::property::{assumption, property};
use crate::ast::{
    AgentSection, AssumeSection, CheckSection, Definition, Section, StigmergySection, SystemSection,
};
use crate::vocabulary::{Symbol, TokenKind};
use paramcheck_text::diagnostic::Diagnostic;
use paramcheck_text::diagnostic::codes::labs::syntax as codes;
use paramcheck_text::nearest::nearest;
use paramcheck_text::reading::Ident;
use paramcheck_text::source::Span;

/// One section; `None` for what is reported and skipped.
pub(crate) fn section(input: Input<'_>) -> ParseResult<'_, Option<Section>> {
    let start = input.peek().span;
    if let TokenKind::Symbol(Symbol::RightParen | Symbol::RightBrace | Symbol::RightBracket) = input.kind() {
        input.report(unmatched(input));
        return Ok((input.advance(), None));
    }
    if let TokenKind::Symbol(Symbol::Semicolon | Symbol::Comma) = input.kind() {
        input.report(extra_separator(input));
        return Ok((input.advance(), None));
    }
    let (input, word) = section_word(input)?;
    let (input, section) = match word {
        "system" => {
            let (input, section) = system(input, start)?;
            (input, Section::System(section))
        }
        "stigmergy" => {
            let (input, section) = stigmergy(input, start)?;
            (input, Section::Stigmergy(section))
        }
        "agent" => {
            let (input, section) = agent(input, start)?;
            (input, Section::Agent(section))
        }
        "assume" => {
            let (input, open) = opening(input)?;
            let mut assumptions = Vec::new();
            let (input, ()) = parts(input, open, |input| {
                let (input, assumption) = assumption(input)?;
                assumptions.push(assumption);
                Ok((input, ()))
            })?;
            (input, Section::Assume(AssumeSection { span: input.span_from(start), assumptions }))
        }
        _ => {
            let (input, open) = opening(input)?;
            let mut properties = Vec::new();
            let (input, ()) = parts(input, open, |input| {
                let (input, property) = property(input)?;
                properties.push(property);
                Ok((input, ()))
            })?;
            (input, Section::Check(CheckSection { span: input.span_from(start), properties }))
        }
    };
    Ok((input, Some(section)))
}

/// The bracket that is next closes none.
fn unmatched(input: Input<'_>) -> Diagnostic {
    let message = format!("{} without its partner", input.found());
    Diagnostic::new(&codes::UNMATCHED_BRACKET, message, input.peek().span, "no bracket is open here")
}

/// The word that begins a section; one that is nearly one is reported, and taken for it.
fn section_word(input: Input<'_>) -> ParseResult<'_, &'static str> {
    let word = if input.kind() == TokenKind::Name { input.word() } else { "" };
    if let Some(exact) = SECTIONS.iter().find(|section| **section == word) {
        return Ok((input.advance(), exact));
    }
    let message =
        format!("expected `system`, `stigmergy`, `agent`, `assume` or `check`, found {}", input.found());
    let diagnostic = Diagnostic::new(&codes::UNKNOWN_PART, message, input.peek().span, "expected a section");
    let near = nearest(word, SECTIONS).and_then(|near| SECTIONS.iter().find(|section| **section == near));
    match near {
        Some(near) => {
            input.report(diagnostic.help(format!("did you mean `{near}`?")));
            Ok((input.advance(), near))
        }
        None if input.begins_part() => input
            .fail(diagnostic.help("a `}` before it closes its section too early, or the section is missing")),
        None => input.fail(diagnostic),
    }
}

/// The `{` of a section. A missing one is reported.
fn opening(input: Input<'_>) -> ParseResult<'_, Span> {
    let span = input.peek().span;
    if input.at(Symbol::LeftBrace) {
        return Ok((input.advance(), span));
    }
    let message = format!("missing `{{` before {}", input.found());
    let diagnostic = Diagnostic::new(&codes::UNCLOSED_BRACKET, message, input.gap(), "expected `{`")
        .help("what belongs to a section stands in braces");
    if input.kind() == TokenKind::Name {
        input.report(diagnostic);
        return Ok((input, input.gap()));
    }
    input.fail(diagnostic)
}

/// Parts of a section up to its `}`. An error in one is reported, and reading goes on at the next.
fn parts<'a>(
    mut input: Input<'a>,
    open: Span,
    mut part: impl FnMut(Input<'a>) -> ParseResult<'a, ()>,
) -> ParseResult<'a, ()> {
    while !input.is_at_end() && !input.at(Symbol::RightBrace) && !input.begins_section() {
        if let TokenKind::Symbol(Symbol::Semicolon | Symbol::Comma) = input.kind() {
            input.report(extra_separator(input));
            input = input.advance();
            continue;
        }
        let start = input;
        let result = match input.kind() {
            TokenKind::Symbol(Symbol::RightParen | Symbol::RightBracket) => input.fail(unmatched(input)),
            _ => part(input),
        };
        match result {
            Ok((rest, ())) => input = rest,
            Err(error) => {
                let at = SyntaxError::of(error).map_or(start, |error| {
                    let at = error.at;
                    error.report();
                    at
                });
                input = next_part(start, at);
            }
        }
    }
    input.close(open, Symbol::RightBrace)
}

/// Where to go on after an error at `at` in the part that begins at `start`: at the next part or section, or
/// at the `}` of the section.
fn next_part<'a>(start: Input<'a>, at: Input<'a>) -> Input<'a> {
    let mut input = start;
    let mut depth = 0_usize;
    loop {
        let is_behind = input.position() >= at.position() && input.position() > start.position();
        if input.is_at_end() || is_behind && (input.begins_part() || input.begins_section()) {
            return input;
        }
        if input.at(Symbol::LeftBrace) {
            depth += 1;
        } else if input.at(Symbol::RightBrace) {
            if depth == 0 && is_behind {
                return input;
            }
            depth = depth.saturating_sub(1);
        }
        input = input.advance();
    }
}

/// `system { … }` behind its first word.
fn system(input: Input<'_>, start: Span) -> ParseResult<'_, SystemSection> {
    let (input, open) = opening(input)?;
    let mut section = SystemSection {
        span: start,
        externs: Vec::new(),
        environment: Vec::new(),
        spawn: Vec::new(),
        definitions: Vec::new(),
    };
    let mut given = Given::default();
    let (input, ()) = parts(input, open, |input| {
        let (rest, word) = part_word(input, &["extern", "environment", "spawn"], &mut given)?;
        match word {
            "extern" => {
                let (rest, mut names) = externs(rest)?;
                section.externs.append(&mut names);
                Ok((rest, ()))
            }
            "environment" => {
                let (rest, mut variables) = declarations(rest)?;
                section.environment.append(&mut variables);
                Ok((rest, ()))
            }
            "spawn" => {
                let (rest, mut kinds) = spawned(rest)?;
                section.spawn.append(&mut kinds);
                Ok((rest, ()))
            }
            _ => defined(input, &mut section.definitions),
        }
    })?;
    section.span = input.span_from(start);
    Ok((input, section))
}

/// `agent NAME { … }` behind its first word.
fn agent(input: Input<'_>, start: Span) -> ParseResult<'_, AgentSection> {
    let (input, name) = name(input, Form::Up, "a kind of agents")?;
    let (input, open) = opening(input)?;
    let mut section = AgentSection {
        span: start,
        name,
        interface: Vec::new(),
        stigmergies: Vec::new(),
        definitions: Vec::new(),
    };
    let mut given = Given::default();
    let (input, ()) = parts(input, open, |input| {
        let (rest, word) = part_word(input, &["interface", "stigmergies"], &mut given)?;
        match word {
            "interface" => {
                let (rest, mut variables) = declarations(rest)?;
                section.interface.append(&mut variables);
                Ok((rest, ()))
            }
            "stigmergies" => {
                let (rest, mut names) = stigmergies(rest)?;
                section.stigmergies.append(&mut names);
                Ok((rest, ()))
            }
            _ => defined(input, &mut section.definitions),
        }
    })?;
    section.span = input.span_from(start);
    Ok((input, section))
}

/// `stigmergy NAME { … }` behind its first word.
fn stigmergy(input: Input<'_>, start: Span) -> ParseResult<'_, StigmergySection> {
    let (input, name) = name(input, Form::Up, "a stigmergy")?;
    let (input, open) = opening(input)?;
    let mut section = StigmergySection { span: start, name, link: None, tuples: Vec::new() };
    let mut given = Given::default();
    let (input, ()) = parts(input, open, |input| {
        let is_first = section.link.is_none() && input.is_ahead(1, Symbol::Colon);
        let is_link = input.at_word("link") && (input.is_ahead(1, Symbol::Equal) || is_first);
        if is_link || input.is_ahead(1, Symbol::Equal) && !input.at_form(Form::Low) {
            let (rest, word) = part_word(input, &["link"], &mut given)?;
            if word.is_empty() {
                return input.fail(unknown_part(input, &["link"]));
            }
            let (rest, link) = condition(rest, Scope::new(Place::Pair))?;
            section.link = Some(link);
            return Ok((rest, ()));
        }
        let (rest, mut tuples) = tuples(input)?;
        section.tuples.append(&mut tuples);
        Ok((rest, ()))
    })?;
    section.span = input.span_from(start);
    Ok((input, section))
}

/// Which parts of a section have been given, and where.
#[derive(Default)]
struct Given(Vec<(&'static str, Span)>);

/// The word that begins a part of a section, and its `=`; the empty word, and the input as it was, where a
/// definition stands. A word that is nearly one of them is reported, and taken for it.
fn part_word<'a>(
    input: Input<'a>,
    words: &[&'static str],
    given: &mut Given,
) -> ParseResult<'a, &'static str> {
    if !input.at_form(Form::Low) {
        return Ok((input, ""));
    }
    let known = input.word();
    let span = input.peek().span;
    let word = match words.iter().find(|word| **word == known) {
        Some(word) => *word,
        None if !input.is_ahead(1, Symbol::Equal) && !input.is_ahead(1, Symbol::Colon) => {
            return input.fail(unknown_part(input, words));
        }
        None => match nearest(known, words.iter().copied()) {
            Some(near) => {
                input.report(unknown_part(input, words).help(format!("did you mean `{near}`?")));
                words.iter().find(|word| **word == near).copied().unwrap_or("")
            }
            None if PARTS.contains(&known) || is_foreign(known) => {
                return input.fail(unknown_part(input, words));
            }
            // A definition, with a small letter.
            None => return Ok((input, "")),
        },
    };
    if let Some((_, first)) = given.0.iter().find(|(earlier, _)| *earlier == word) {
        let message = format!("`{word}` is given twice");
        input.report(
            Diagnostic::new(&codes::PART_TWICE, message, span, "the second time")
                .label(*first, "the first time")
                .help("put both together"),
        );
    }
    given.0.push((word, span));
    let help = format!("write `{word} = …`");
    let (rest, ()) = defining(input.advance(), Symbol::Equal, &[Symbol::Colon, Symbol::ToLocal], &help)?;
    Ok((rest, word))
}

/// Words of other languages for parts of sections.
fn is_foreign(word: &str) -> bool {
    ["attributes", "variables", "init", "state", "behavior_of", "agents"].contains(&word)
}

fn unknown_part(input: Input<'_>, words: &[&str]) -> Diagnostic {
    let listed: Vec<String> = words.iter().map(|word| format!("`{word} = …`")).collect();
    let listed = listed.join(", ");
    let message = format!("expected {listed} or a definition, found {}", input.found());
    let message = match words {
        ["link"] => format!("expected `link = …` or a variable, found {}", input.found()),
        _ => message,
    };
    let diagnostic = Diagnostic::new(&codes::UNKNOWN_PART, message, input.peek().span, "");
    match input.word() {
        "attributes" | "variables" => diagnostic.help("attributes stand behind `interface =`"),
        word if PARTS.contains(&word) && !words.contains(&word) => {
            diagnostic.help(format!("`{word}` belongs to another section"))
        }
        _ => diagnostic,
    }
}

/// `_n, _m`
fn externs(mut input: Input<'_>) -> ParseResult<'_, Vec<Ident>> {
    let mut names = Vec::new();
    loop {
        let (rest, extern_name) = name(input, Form::Extern, "a parameter")?;
        names.push(extern_name);
        let next = rest.advance();
        let goes_on = next.kind() == TokenKind::Name && !next.begins_part();
        if rest.at(Symbol::Comma) {
            if !goes_on {
                rest.report(extra_separator(rest));
                return Ok((next, names));
            }
            input = next;
        } else if rest.at(Symbol::Semicolon) && goes_on {
            rest.report(wrong_separator(rest, ',', "parameters are separated by commas"));
            input = next;
        } else if rest.at_form(Form::Extern) {
            rest.report_missing_comma("parameters are separated by commas");
            input = rest;
        } else {
            return Ok((rest, names));
        }
    }
}

/// `Left; Right`
fn stigmergies(mut input: Input<'_>) -> ParseResult<'_, Vec<Ident>> {
    let mut names = Vec::new();
    loop {
        let (rest, stigmergy) = name(input, Form::Up, "a stigmergy")?;
        names.push(stigmergy);
        let next = rest.advance();
        let goes_on = next.kind() == TokenKind::Name && !next.begins_part();
        if rest.at(Symbol::Semicolon) {
            if !goes_on {
                rest.report(extra_separator(rest));
                return Ok((next, names));
            }
            input = next;
        } else if rest.at(Symbol::Comma) && goes_on {
            rest.report(wrong_separator(rest, ';', "stigmergies are separated by semicolons: `Left; Right`"));
            input = next;
        } else {
            return Ok((rest, names));
        }
    }
}

/// A definition, among the others.
fn defined<'a>(input: Input<'a>, definitions: &mut Vec<Definition>) -> ParseResult<'a, ()> {
    let (rest, definition) = definition(input)?;
    definitions.push(definition);
    Ok((rest, ()))
}

/// `NAME = process`
fn definition(input: Input<'_>) -> ParseResult<'_, Definition> {
    const HELP: &str = "a definition is written `NAME = …`";
    if input.kind() != TokenKind::Name {
        return input.expected("a definition `NAME = …`");
    }
    if !input.at_form(Form::Up) {
        input.report(wrong_name(input, Form::Up, "a process"));
    }
    let (rest, mut name) = (input.advance(), input.ident());
    if name.text == "Behaviour" {
        name.text = "Behavior".to_owned();
    }
    let (rest, ()) = defining(rest, Symbol::Equal, &[Symbol::Colon, Symbol::ToLocal], HELP)?;
    let (rest, body) = process(rest, Scope::new(Place::Process))?;
    Ok((rest, Definition { name, body }))
}
