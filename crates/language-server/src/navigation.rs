//! From a name to where it is defined, and to all its places.

use lsp_types::{DocumentHighlight, DocumentHighlightKind, Location, Position, Uri};
use paramcheck_text::source::Span;

use crate::document::Document;

/// Where the name at a position is defined.
pub(crate) fn definition(document: &mut Document, uri: &Uri, position: Position) -> Vec<Location> {
    let analysis = document.analysis();
    let found = analysis.index.at(document.offset(position));
    let spans = found.iter().flat_map(|one| analysis.index.definitions(one.symbol));
    locations(document, uri, spans)
}

/// Where the name at a position is written; its definitions too, if they are wanted.
pub(crate) fn references(
    document: &mut Document,
    uri: &Uri,
    position: Position,
    with_definitions: bool,
) -> Vec<Location> {
    let analysis = document.analysis();
    let found = analysis.index.at(document.offset(position));
    let all = found.iter().flat_map(|one| analysis.index.of(one.symbol));
    let spans = all.filter(|one| with_definitions || !one.is_definition).map(|one| one.span);
    locations(document, uri, spans)
}

/// The places of the name at a position, to be marked.
pub(crate) fn highlights(document: &mut Document, position: Position) -> Vec<DocumentHighlight> {
    let analysis = document.analysis();
    let found = analysis.index.at(document.offset(position));
    let all = found.iter().flat_map(|one| analysis.index.of(one.symbol));
    let kind = |is_definition| {
        if is_definition { DocumentHighlightKind::WRITE } else { DocumentHighlightKind::READ }
    };
    all.map(|one| DocumentHighlight { range: document.range(one.span), kind: Some(kind(one.is_definition)) })
        .collect()
}

fn locations(document: &Document, uri: &Uri, spans: impl Iterator<Item = Span>) -> Vec<Location> {
    let mut spans: Vec<Span> = spans.collect();
    spans.sort();
    spans.dedup();
    spans.into_iter().map(|span| Location { uri: uri.clone(), range: document.range(span) }).collect()
}
