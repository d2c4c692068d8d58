//! Text in comments of other languages: whatever it is, it neither ends the comment nor begins another one.
//!
//! Texts come from models (names, terms) and from calls (names of files). One function per syntax.

/// Comments to the end of the line, one per line of `text`, each begun by `mark` (`"// "`, `"-- "`, `"# "`).
pub fn lines(mark: &str, text: &str) -> String {
    text.lines().map(|line| format!("{mark}{}", one_line(line)).trim_end().to_owned() + "\n").collect()
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
        assert_eq!(block("a*/ b\n??/"), "/*\n * a* / b\n * ? ?/\n */\n");
        assert_eq!(remark("/*\na\\\n*/"), "/* / * a/ * / */");
        assert!(!remark("*//*/**/").trim_end_matches("*/").contains("*/"));
        for text in ["-->", "--->", "----"] {
            assert!(!in_xml(text).contains("--"), "{text}");
        }
    }
}
