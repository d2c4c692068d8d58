//! Text in comments of other languages: whatever it is, it neither ends the comment nor begins another one.
//!
//! Texts come from models (names, terms) and from calls (names of files). One function per syntax.

/// How many letters of a text a line of comment has. MONA reads no comment of more than 8,192 bytes.
const MAX_LINE_LETTERS: usize = 1_000;

/// Comments to the end of the line, one per line of `text`, or several where it is very long; each begun by
/// `mark` (`"// "`, `"-- "`, `"# "`).
pub fn lines(mark: &str, text: &str) -> String {
    let mut comments = String::new();
    for line in text.lines() {
        let line = one_line(line);
        let mut rest = line.as_str();
        loop {
            let end = rest.char_indices().nth(MAX_LINE_LETTERS).map_or(rest.len(), |(at, _)| at);
            let (part, after) = rest.split_at(end);
            comments.push_str(format!("{mark}{part}").trim_end());
            comments.push('\n');
            rest = after;
            if rest.is_empty() {
                break;
            }
        }
    }
    comments
}

/// The beginning of `text` for a comment to the end of the line, all of it unless it is very long.
pub fn brief_line(text: &str) -> String {
    let mut letters = text.chars();
    let mut line = one_line(&letters.by_ref().take(MAX_LINE_LETTERS).collect::<String>());
    if letters.next().is_some() {
        line.push('…');
    }
    line
}

/// `text` for a comment to the end of the line.
pub fn one_line(text: &str) -> String {
    text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect()
}

/// A comment of C and Promela with the lines of `text`, each on a line of its own.
pub fn block(text: &str) -> String {
    format!("/*\n{} */\n", lines(" * ", &in_block(text)))
}

/// A comment of C and Promela on one line.
pub fn remark(text: &str) -> String {
    format!("/* {} */", one_line(&in_block(text)))
}

/// `text` for a comment of C and Promela: between `/*` and `*/`. (Trigraphs and continued lines are C's.)
pub fn in_block(text: &str) -> String {
    text.replace("*/", "* /").replace("/*", "/ *").replace("??", "? ?").replace('\\', "/")
}

/// `text` for a comment of XML: between `<!--` and `-->`.
pub fn in_xml(text: &str) -> String {
    // Two hyphens in a row end the comment.
    text.replace("--", "- - ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_leaves_its_comment() {
        assert_eq!(lines("-- ", "a\n\nb\rc"), "-- a\n--\n-- b c\n");
        let long = "ν".repeat(2 * MAX_LINE_LETTERS + 1);
        let found = lines("# ", &format!("{long}\na"));
        assert_eq!(found.lines().map(|line| line.chars().count()).collect::<Vec<_>>(), [1_002, 1_002, 3, 3]);
        assert_eq!(found.replace("# ", "").replace('\n', ""), format!("{long}a"));
        assert_eq!(brief_line(&long).chars().count(), MAX_LINE_LETTERS + 1);
        assert_eq!(brief_line("a\nb"), "a b");
        assert_eq!(block("a*/ b\n??/"), "/*\n * a* / b\n * ? ?/\n */\n");
        assert_eq!(remark("/*\na\\\n*/"), "/* / * a/ * / */");
        assert!(!remark("*//*/**/").trim_end_matches("*/").contains("*/"));
        for text in ["-->", "--->", "----"] {
            assert!(!in_xml(text).contains("--"), "{text}");
        }
    }
}
