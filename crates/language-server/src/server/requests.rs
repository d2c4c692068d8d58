//! Requests of a running session: each is read, handed to its feature, and answered.

use lsp_server::ErrorCode;
use lsp_types::{
    CodeActionParams, CodeLensParams, Command, CompletionParams, DocumentFormattingParams,
    DocumentHighlightParams, DocumentSymbolParams, ExecuteCommandParams, GotoDefinitionParams, HoverParams,
    Range, ReferenceParams, RenameParams, TextDocumentPositionParams, Uri, WorkspaceEdit,
};
use paramcheck_text::diagnostic::codes;
use serde_json::{Value, json};

use super::{Answered, Server, parse, to_value};
use crate::document::Document;
use crate::lenses::{self, SHOW_TRACE};
use crate::{completion, format, hover, navigation, rename, symbols};

/// The command that answers with what `paramcheck explain` prints about a code.
pub(super) const EXPLAIN: &str = "paramcheck.explain";

impl Server {
    /// Answers a request.
    pub(super) fn answer(&mut self, method: &str, params: Value) -> Answered {
        match method {
            "textDocument/hover" => {
                let HoverParams { text_document_position_params: at, .. } = parse(params)?;
                let Some(document) = self.documents.get_mut(at.text_document.uri.as_str()) else {
                    return none();
                };
                let shown: Vec<_> =
                    lenses::shown(document, &self.worker).into_iter().map(|(_, shown)| shown).collect();
                to_value(hover::hover(document, at.position, &shown, self.explain))
            }
            "textDocument/definition" => {
                let GotoDefinitionParams { text_document_position_params: at, .. } = parse(params)?;
                self.at(at, |document, uri, position| {
                    to_value(navigation::definition(document, uri, position))
                })
            }
            "textDocument/references" => {
                let ReferenceParams { text_document_position: at, context, .. } = parse(params)?;
                self.at(at, |document, uri, position| {
                    to_value(navigation::references(document, uri, position, context.include_declaration))
                })
            }
            "textDocument/documentHighlight" => {
                let DocumentHighlightParams { text_document_position_params: at, .. } = parse(params)?;
                self.at(at, |document, _, position| to_value(navigation::highlights(document, position)))
            }
            "textDocument/completion" => {
                let CompletionParams { text_document_position: at, .. } = parse(params)?;
                self.at(at, |document, _, position| to_value(completion::complete(document, position)))
            }
            "textDocument/prepareRename" => {
                let at: TextDocumentPositionParams = parse(params)?;
                self.at(at, |document, _, position| to_value(rename::prepare(document, position)))
            }
            "textDocument/rename" => {
                let RenameParams { text_document_position: at, new_name, .. } = parse(params)?;
                self.at(at, |document, uri, position| renamed(document, uri, position, &new_name))
            }
            "textDocument/documentSymbol" => {
                let params: DocumentSymbolParams = parse(params)?;
                self.document(&params.text_document.uri, |document| to_value(symbols::symbols(document)))
            }
            "textDocument/formatting" => {
                let params: DocumentFormattingParams = parse(params)?;
                self.document(&params.text_document.uri, |document| to_value(format::format(document)))
            }
            "textDocument/codeLens" => {
                let params: CodeLensParams = parse(params)?;
                let uri = params.text_document.uri;
                let Some(document) = self.documents.get_mut(uri.as_str()) else { return none() };
                to_value(lenses::lenses(document, &uri, &self.worker))
            }
            "textDocument/codeAction" => {
                let params: CodeActionParams = parse(params)?;
                self.document(&params.text_document.uri, |document| {
                    to_value(explanations(document, params.range))
                })
            }
            "workspace/executeCommand" => execute(parse(params)?),
            _ => Err((ErrorCode::MethodNotFound, format!("`{method}` is not known"))),
        }
    }

    /// Answers about a document; nothing, if it is none of ours.
    fn document(&mut self, uri: &Uri, answer: impl FnOnce(&mut Document) -> Answered) -> Answered {
        self.documents.get_mut(uri.as_str()).map_or_else(none, answer)
    }

    /// Answers about a position.
    fn at(
        &mut self,
        at: TextDocumentPositionParams,
        answer: impl FnOnce(&mut Document, &Uri, lsp_types::Position) -> Answered,
    ) -> Answered {
        let uri = at.text_document.uri;
        self.document(&uri, |document| answer(document, &uri, at.position))
    }
}

/// The answer that there is nothing.
fn none() -> Answered {
    Ok(Value::Null)
}

fn renamed(document: &mut Document, uri: &Uri, position: lsp_types::Position, new_name: &str) -> Answered {
    let edits =
        rename::rename(document, position, new_name).map_err(|why| (ErrorCode::RequestFailed, why))?;
    #[allow(clippy::mutable_key_type)] // the type is the protocol's
    let changes = [(uri.clone(), edits)].into_iter().collect();
    to_value(WorkspaceEdit { changes: Some(changes), ..WorkspaceEdit::default() })
}

/// Per kind of diagnostic in a range the command that explains it.
fn explanations(document: &mut Document, range: Range) -> Vec<Command> {
    let analysis = document.analysis();
    let wanted = document.lines.span(&document.text, range);
    let mut commands: Vec<Command> = Vec::new();
    for diagnostic in &analysis.diagnostics {
        let span = diagnostic.labels.first().map(|label| label.span).unwrap_or_default();
        let id = diagnostic.code.id;
        let title = format!("Explain {id}: {}", diagnostic.code.title);
        if span.start <= wanted.end
            && wanted.start <= span.end
            && commands.iter().all(|one| one.title != title)
        {
            commands.push(Command { title, command: EXPLAIN.to_owned(), arguments: Some(vec![json!(id)]) });
        }
    }
    commands
}

/// A command answers with a text.
fn execute(params: ExecuteCommandParams) -> Answered {
    let argument = params.arguments.first();
    let text = match params.command.as_str() {
        SHOW_TRACE => argument.and_then(|trace| trace.get("text")?.as_str()).map(str::to_owned),
        EXPLAIN => argument
            .and_then(Value::as_str)
            .and_then(codes::find)
            .map(|code| format!("{}: {}\n\n{}\n", code.id, code.title, code.explanation.trim())),
        _ => None,
    };
    text.map(Value::String)
        .ok_or_else(|| (ErrorCode::InvalidParams, "no such command, or nothing to show".to_owned()))
}
