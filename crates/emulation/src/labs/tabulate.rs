//! Expressions over few cells with few values, computed beforehand.
//!
//! A link, a guard or a formula is looked at very often, and mostly depends on a handful of small cells. Then it
//! becomes a table of its words, one for each combination of values. Values that are not in the table (inside of a
//! block there may be some) are computed as before.

use paramcheck_labs::number::Width;

use super::code::{Cells, Choices, Code, Context};
use super::values::Values;
use super::word::UNDEFINED;

/// The most words of a table.
const MAX_WORDS: u64 = 1 << 12;
/// The most words of all tables together.
const MAX_ALL: u64 = 1 << 22;
/// Expressions with fewer parts are as quick themselves.
const WORTH: usize = 4;

/// The words of an expression, for each combination of values of some cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Table {
    cells: Box<[TableCell]>,
    words: Box<[i64]>,
}

/// A cell of a table: its first number, how many there are, and whether undefined comes after them.
#[derive(Clone, Debug, PartialEq, Eq)]
struct TableCell {
    cell: usize,
    low: i64,
    size: u64,
    is_undefined: bool,
}

impl Table {
    /// The word, if the table has it.
    #[inline]
    pub(crate) fn word<C: Cells + ?Sized>(&self, cells: &C) -> Option<i64> {
        let mut at = 0;
        for place in &self.cells {
            let word = cells.cell(place.cell);
            // Below the first number it is far beyond the last.
            let mut own = word.wrapping_sub(place.low) as u64;
            if own >= place.size {
                if word != UNDEFINED || !place.is_undefined {
                    return None;
                }
                own = place.size;
            }
            at = at * (place.size + u64::from(place.is_undefined)) + own;
        }
        self.words.get(at as usize).copied()
    }
}

/// Makes tables for cells with these values.
pub(crate) struct Tabulator<'a> {
    values: &'a [Values],
    width: Width,
    cells: Vec<i64>,
    left: u64,
}

impl<'a> Tabulator<'a> {
    pub(crate) fn new(values: &'a [Values], width: Width) -> Self {
        Tabulator { values, width, cells: vec![UNDEFINED; values.len()], left: MAX_ALL }
    }

    /// The same expression, with tables where they help.
    pub(crate) fn tabulated(&mut self, mut code: Code) -> Code {
        if size(&code) < WORTH {
            return code;
        }
        let mut cells = Vec::new();
        if gather(&code, &mut cells)
            && let Some(table) = self.table(&cells, &code)
        {
            return Code::Table(Box::new(table), Box::new(code));
        }
        for part in code.parts_mut() {
            let own = std::mem::replace(part, Code::Word(UNDEFINED));
            *part = self.tabulated(own);
        }
        code
    }

    fn table(&mut self, cells: &[usize], code: &Code) -> Option<Table> {
        let mut places = Vec::new();
        let mut count: u64 = 1;
        for cell in cells {
            let values = &self.values[*cell];
            let (low, high) = values.bounds().unwrap_or((0, 0));
            let size = high.abs_diff(low).checked_add(1)?;
            // The place after all numbers is that of undefined.
            let places_of = size.checked_add(u64::from(values.is_undefined))?;
            count = count.checked_mul(places_of).filter(|count| *count <= MAX_WORDS)?;
            let is_undefined = values.is_undefined;
            places.push(TableCell { cell: *cell, low, size, is_undefined });
        }
        self.left = self.left.checked_sub(count)?;
        let mut words = Vec::new();
        for number in 0..count {
            let mut rest = number;
            // The last cell is the fastest, as where it is looked up.
            for place in places.iter().rev() {
                let all = place.size + u64::from(place.is_undefined);
                let at = rest % all;
                rest /= all;
                let is_undefined = at == place.size;
                self.cells[place.cell] =
                    if is_undefined { UNDEFINED } else { place.low.wrapping_add_unsigned(at) };
            }
            let mut choices = Choices::default();
            let cells = self.cells.as_slice();
            words.push(code.word(&mut Context {
                cells,
                locals: &[],
                choices: &mut choices,
                width: self.width,
            }));
        }
        Some(Table { cells: places.into(), words: words.into() })
    }
}

fn size(code: &Code) -> usize {
    1 + code.parts().iter().map(size).sum::<usize>()
}

/// The cells that an expression depends on, if it depends on nothing else.
fn gather(code: &Code, cells: &mut Vec<usize>) -> bool {
    match code {
        Code::Cell(cell) => {
            if !cells.contains(cell) {
                cells.push(*cell);
            }
            // So many have too many values together, but for those that have one.
            cells.len() <= 16
        }
        Code::Element(..)
        | Code::Of(..)
        | Code::Local(_)
        | Code::Picked(..)
        | Code::AnyOf(_)
        | Code::Table(..)
        | Code::Foreign => false,
        _ => code.parts().iter().all(|part| gather(part, cells)),
    }
}
