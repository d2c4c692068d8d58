//! Graphs in DOT, the language of Graphviz: the one writer for everything that is drawn.
//!
//! Identifiers of nodes are the caller's and must be words or numbers; all texts are quoted here.

use std::fmt::{Display, Write as _};

/// Attributes with their values, which are quoted.
pub(crate) type Attributes<'a> = &'a [(&'a str, &'a str)];

/// A graph as far as it is written.
#[derive(Clone, Debug)]
pub struct Graph {
    text: String,
    /// Between the ends of an edge.
    arrow: &'static str,
    /// How many clusters are open.
    depth: usize,
}

impl Graph {
    /// A graph whose edges have a direction. `heading` goes into comments above it.
    pub fn directed(name: &str, heading: &str) -> Graph {
        Graph::new("digraph", "->", name, heading)
    }

    /// A graph whose edges have no direction.
    pub fn undirected(name: &str, heading: &str) -> Graph {
        Graph::new("graph", "--", name, heading)
    }

    fn new(kind: &str, arrow: &'static str, name: &str, heading: &str) -> Graph {
        let heading = super::comment::lines("// ", heading);
        Graph { text: format!("{heading}{kind} {} {{\n", quoted(name)), arrow, depth: 0 }
    }

    /// Attributes of all that follows of `what` (`graph`, `node` or `edge`) in the same graph or cluster.
    pub fn defaults(&mut self, what: &str, attributes: Attributes<'_>) {
        self.statement(what, None, attributes);
    }

    /// A node, or more about one.
    pub fn node(&mut self, id: impl Display, attributes: Attributes<'_>) {
        self.statement(&id.to_string(), None, attributes);
    }

    /// An edge.
    pub fn edge(&mut self, from: impl Display, to: impl Display, attributes: Attributes<'_>) {
        self.statement(&format!("{from} {} {to}", self.arrow), None, attributes);
    }

    /// A node whose `label` is HTML, which the caller escapes.
    pub fn html_node(&mut self, id: impl Display, label: &str, attributes: Attributes<'_>) {
        self.statement(&id.to_string(), Some(format!("label=<{label}>")), attributes);
    }

    /// A node with a label of lines that begin at its left.
    pub fn note(&mut self, id: impl Display, lines: &[String], attributes: Attributes<'_>) {
        let lines: String = lines.iter().map(|line| escaped(line) + "\\l").collect();
        self.statement(&id.to_string(), Some(format!("label=\"{lines}\"")), attributes);
    }

    /// Begins a cluster; `number` is no other's. What is written up to [`end_cluster`](Self::end_cluster)
    /// is in it.
    pub fn begin_cluster(&mut self, number: usize, attributes: Attributes<'_>) {
        let _ = writeln!(self.text, "{:1$}subgraph cluster_{number} {{", "", 2 * (self.depth + 1));
        self.depth += 1;
        for (name, value) in attributes {
            self.statement(&format!("{name}={}", quoted(value)), None, &[]);
        }
    }

    /// Ends a cluster.
    pub fn end_cluster(&mut self) {
        let _ = writeln!(self.text, "{:1$}}}", "", 2 * self.depth);
        self.depth = self.depth.saturating_sub(1);
    }

    fn statement(&mut self, what: &str, first: Option<String>, attributes: Attributes<'_>) {
        let attributes = attributes.iter().map(|(name, value)| format!("{name}={}", quoted(value)));
        let attributes: Vec<String> = first.into_iter().chain(attributes).collect();
        let attributes =
            if attributes.is_empty() { String::new() } else { format!(" [{}]", attributes.join(", ")) };
        let _ = writeln!(self.text, "{:1$}{what}{attributes};", "", 2 * (self.depth + 1));
    }

    /// The whole text.
    pub fn finish(self) -> String {
        self.text + "}\n"
    }
}

/// `text` in quotes.
fn quoted(text: &str) -> String {
    format!("\"{}\"", escaped(text))
}

/// `text` for quotes. A backslash would begin an escape of Graphviz.
fn escaped(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '"' | '\\' => result.extend(['\\', letter]),
            '\n' => result.push_str("\\n"),
            letter if letter.is_control() => result.push('\u{fffd}'),
            letter => result.push(letter),
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_quoted() {
        let mut graph = Graph::directed("a \"b\"", "by\nhand");
        graph.defaults("node", &[("shape", "box")]);
        graph.begin_cluster(1, &[("label", "\\N")]);
        graph.node("t1", &[("label", "two\nlines\t"), ("style", "rounded,filled")]);
        graph.end_cluster();
        graph.edge("t1", 2, &[]);
        graph.note("n", &["left\"".to_owned()], &[("shape", "note")]);
        let expected = r#"// by
// hand
digraph "a \"b\"" {
  node [shape="box"];
  subgraph cluster_1 {
    label="\\N";
    t1 [label="two\nlines�", style="rounded,filled"];
  }
  t1 -> 2;
  n [label="left\"\l", shape="note"];
}
"#;
        pretty_assertions::assert_eq!(graph.finish(), expected);
    }
}
