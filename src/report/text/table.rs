//! Tables of plain text.

/// How a column's cells stand in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// Names.
    Left,
    /// Numbers.
    Right,
}

/// A table: its columns with headings, its rows. Widths are counted in characters.
#[derive(Clone, Debug)]
pub struct Table {
    columns: Vec<(String, Align)>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table without rows.
    pub fn new(columns: &[(&str, Align)]) -> Self {
        let columns = columns.iter().map(|&(heading, align)| (heading.to_owned(), align));
        Table { columns: columns.collect(), rows: Vec::new() }
    }

    /// Adds a row: a cell per column.
    pub fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().collect());
    }

    /// The lines, each `indent` spaces to the right and with a line break behind; nothing where there is
    /// no row.
    pub fn lines(&self, indent: usize) -> String {
        if self.rows.is_empty() {
            return String::new();
        }
        let heading: Vec<String> = self.columns.iter().map(|(heading, _)| heading.clone()).collect();
        let rows: Vec<&Vec<String>> = std::iter::once(&heading).chain(&self.rows).collect();
        let width = |column: usize| {
            let cells = rows.iter().filter_map(|row| row.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..self.columns.len()).map(width).collect();
        let mut text = String::new();
        for row in rows {
            let mut line = " ".repeat(indent);
            for (column, (cell, (_, align))) in row.iter().zip(&self.columns).enumerate() {
                if column > 0 {
                    line.push_str("  ");
                }
                let missing =
                    widths.get(column).map_or(0, |width| width.saturating_sub(cell.chars().count()));
                match align {
                    Align::Right => {
                        line.extend(std::iter::repeat_n(' ', missing));
                        line.push_str(cell);
                    }
                    // Nothing stands to the right of the last column.
                    Align::Left if column + 1 == self.columns.len() => line.push_str(cell),
                    Align::Left => {
                        line.push_str(cell);
                        line.extend(std::iter::repeat_n(' ', missing));
                    }
                }
            }
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned() {
        let mut table = Table::new(&[("name", Align::Left), ("size", Align::Right), ("tree", Align::Left)]);
        assert_eq!(table.lines(0), "");
        table.row(["é".to_owned(), "1,000".to_owned(), "Ring.1(Chain.1)".to_owned()]);
        table.row(["ring".to_owned(), String::new(), String::new()]);
        assert_eq!(table.lines(2), "  name   size  tree\n  é     1,000  Ring.1(Chain.1)\n  ring\n");
    }
}
