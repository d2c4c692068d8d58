//! Places in a text as the protocol counts them: lines, and columns in UTF-16 units or in bytes.
//!
//! In: byte offsets and spans, or positions of an editor. Out: the other of the two. A line ends with `\n`,
//! `\r\n` or `\r`. A position beyond the end of its line, or within a character, is taken as the next one
//! before it.

use lsp_types::{Position, PositionEncodingKind, Range};
use paramcheck_text::source::Span;

/// In what columns are counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Encoding {
    /// Bytes, if the editor offers it.
    Utf8,
    /// UTF-16 units, which every editor can.
    #[default]
    Utf16,
}

impl Encoding {
    /// The best of those that an editor offers.
    pub(crate) fn of_offered(offered: Option<&[PositionEncodingKind]>) -> Self {
        match offered {
            Some(kinds) if kinds.contains(&PositionEncodingKind::UTF8) => Encoding::Utf8,
            _ => Encoding::Utf16,
        }
    }

    /// Its name in the protocol.
    pub(crate) fn kind(self) -> PositionEncodingKind {
        match self {
            Encoding::Utf8 => PositionEncodingKind::UTF8,
            Encoding::Utf16 => PositionEncodingKind::UTF16,
        }
    }

    fn width(self, character: char) -> usize {
        match self {
            Encoding::Utf8 => character.len_utf8(),
            Encoding::Utf16 => character.len_utf16(),
        }
    }
}

/// Where the lines of a text begin.
#[derive(Clone, Debug)]
pub(crate) struct Lines {
    starts: Vec<usize>,
    encoding: Encoding,
}

impl Lines {
    /// The lines of `text`.
    pub(crate) fn new(text: &str, encoding: Encoding) -> Self {
        let mut starts = vec![0];
        let bytes = text.as_bytes();
        for (position, &byte) in bytes.iter().enumerate() {
            let ends_line = byte == b'\n' || byte == b'\r' && bytes.get(position + 1) != Some(&b'\n');
            if ends_line {
                starts.push(position + 1);
            }
        }
        Lines { starts, encoding }
    }

    /// What a line consists of, without its end.
    fn line<'a>(&self, text: &'a str, line: usize) -> &'a str {
        let start = self.starts.get(line).copied().unwrap_or(text.len());
        let end = self.starts.get(line + 1).copied().unwrap_or(text.len());
        text.get(start..end).unwrap_or("").trim_end_matches(['\n', '\r'])
    }

    /// The position of a byte.
    pub(crate) fn position(&self, text: &str, offset: usize) -> Position {
        let offset = offset.min(text.len());
        let line = self.starts.partition_point(|&start| start <= offset).saturating_sub(1);
        let start = self.starts.get(line).copied().unwrap_or(0);
        let before =
            self.line(text, line).char_indices().take_while(|(at, c)| start + at + c.len_utf8() <= offset);
        let column: usize = before.map(|(_, character)| self.encoding.width(character)).sum();
        Position { line: number(line), character: number(column) }
    }

    /// The range of a span.
    pub(crate) fn range(&self, text: &str, span: Span) -> Range {
        Range { start: self.position(text, span.start), end: self.position(text, span.end.max(span.start)) }
    }

    /// The byte at a position.
    pub(crate) fn offset(&self, text: &str, position: Position) -> usize {
        let line = position.line as usize;
        let Some(&start) = self.starts.get(line) else { return text.len() };
        let mut left = position.character as usize;
        let content = self.line(text, line);
        for (at, character) in content.char_indices() {
            let width = self.encoding.width(character);
            if left < width {
                return start + at;
            }
            left -= width;
        }
        start + content.len()
    }

    /// The span of a range; an end before its start is taken as the start.
    pub(crate) fn span(&self, text: &str, range: Range) -> Span {
        let start = self.offset(text, range.start);
        Span::new(start, self.offset(text, range.end).max(start))
    }

    /// The position behind the last character.
    pub(crate) fn end(&self, text: &str) -> Position {
        self.position(text, text.len())
    }
}

fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `a𝜈b`, a line of CRLF, a lone CR, no end of line at last.
    const TEXT: &str = "a\u{1d708}b\r\nc\rd\n\ne";

    #[test]
    fn every_offset_comes_back() {
        for encoding in [Encoding::Utf8, Encoding::Utf16] {
            let lines = Lines::new(TEXT, encoding);
            for (offset, _) in TEXT.char_indices().chain([(TEXT.len(), ' ')]) {
                let is_within_end = TEXT[offset..].starts_with('\n') && TEXT[..offset].ends_with('\r');
                let expected = if is_within_end { offset - 1 } else { offset };
                assert_eq!(
                    lines.offset(TEXT, lines.position(TEXT, offset)),
                    expected,
                    "{encoding:?} {offset}"
                );
            }
        }
    }

    #[test]
    fn astral_letters_are_two_units() {
        let position = |encoding, offset| Lines::new(TEXT, encoding).position(TEXT, offset);
        assert_eq!(position(Encoding::Utf16, 5), Position::new(0, 3));
        assert_eq!(position(Encoding::Utf8, 5), Position::new(0, 5));
        assert_eq!(position(Encoding::Utf16, 10), Position::new(2, 0));
        // Within the letter: before it. Beyond the line: its end. Beyond the text: the end.
        let lines = Lines::new(TEXT, Encoding::Utf16);
        let offsets = [(0, 2), (0, 99), (9, 0)].map(|(line, at)| lines.offset(TEXT, Position::new(line, at)));
        assert_eq!(offsets, [1, 6, TEXT.len()]);
        let backwards = Range { start: Position::new(1, 0), end: Position::new(0, 0) };
        assert_eq!(lines.span(TEXT, backwards), Span::new(8, 8));
    }
}
