//! Where numbers of a sheet are shown otherwise than they are stored, in the order in which the cells are read; and which
//! rows and columns it does not show, and which rows it strikes out.

use std::collections::VecDeque;
use std::ops::RangeInclusive;

use crate::limits::COLUMNS_MAX;
use crate::number_format::DigitFormat;
use crate::struck_rows::StruckRows;
use crate::unit_format::UnitFormat;

/// How a number is shown.
#[derive(Clone, Debug)]
pub(crate) enum ShownFormat {
    /// By a format of digits.
    Digits(DigitFormat),
    /// By a format of percent or of a currency.
    Unit(UnitFormat),
    /// As a text that is beside the number in the file.
    Text(Box<str>),
}

impl ShownFormat {
    /// The format of a code, where it is one of digits or of a unit and changes anything.
    pub(crate) fn parse(code: &str) -> Option<ShownFormat> {
        let digits = DigitFormat::parse(code).map(ShownFormat::Digits);
        digits.or_else(|| UnitFormat::parse(code).map(ShownFormat::Unit))
    }

    /// What is shown of a number; `None` where that is the number as it is stored.
    pub(crate) fn shown(&self, stored: &str) -> Option<String> {
        match self {
            ShownFormat::Digits(format) => format.shown(stored),
            ShownFormat::Unit(format) => format.shown(stored),
            ShownFormat::Text(shown) => shows_digits_of(shown, stored).then(|| shown.to_string()),
        }
    }
}

/// Whether a text is a whole number with zeros before it, or dashes and parentheses between its digits. Blanks
/// alone are what some countries put between thousands, and say nothing.
fn shows_digits_of(shown: &str, stored: &str) -> bool {
    let is_mark = |c: char| matches!(c, '-' | ' ' | '(' | ')');
    let digits: String = shown.chars().filter(|c| !is_mark(*c)).collect();
    let is_formatted = digits.len() > stored.len() || shown.contains(['-', '(', ')']);
    is_formatted
        && !stored.is_empty()
        && stored.bytes().all(|byte| byte.is_ascii_digit())
        && digits.bytes().all(|byte| byte.is_ascii_digit())
        && digits.trim_start_matches('0') == stored.trim_start_matches('0')
}

/// What a sheet hides, from 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct HiddenRanges {
    /// Rows.
    pub(crate) rows: Vec<u32>,
    /// Columns.
    pub(crate) columns: Vec<u32>,
}

impl HiddenRanges {
    /// Adds columns that a sheet hides together, as far as a table may have them. A damaged file may hide the same ones a
    /// million times.
    pub(crate) fn add_columns(&mut self, columns: RangeInclusive<u32>) {
        let possible = columns.take_while(|column| (*column as usize) < COLUMNS_MAX);
        self.columns.extend(possible.take(COLUMNS_MAX.saturating_sub(self.columns.len())));
    }
}

/// Where cells have such formats, and what is hidden.
#[derive(Clone, Debug, Default)]
pub(crate) struct CellFormats {
    of_styles: Vec<Option<ShownFormat>>,
    /// Row, column and style.
    places: VecDeque<(u32, u32, usize)>,
    /// What the sheet hides.
    pub(crate) hidden: HiddenRanges,
    /// Rows with cells that are struck out.
    pub(crate) struck: StruckRows,
}

impl CellFormats {
    /// Those of a sheet whose cells have styles; cells are read in the order of rows and columns.
    pub(crate) fn of_styles(
        of_styles: Vec<Option<ShownFormat>>,
        mut places: Vec<(u32, u32, usize)>,
    ) -> CellFormats {
        places.retain(|(.., style)| matches!(of_styles.get(*style), Some(Some(_))));
        places.sort_by_key(|(row, column, _)| (*row, *column));
        CellFormats { of_styles, places: places.into(), ..CellFormats::default() }
    }

    /// Whether no style shows a number otherwise.
    pub(crate) fn is_empty(&self) -> bool {
        self.of_styles.iter().all(Option::is_none)
    }

    /// Adds the next place, in the order of the file.
    pub(crate) fn add_place(&mut self, row: u32, column: u32, style: usize) {
        if matches!(self.of_styles.get(style), Some(Some(_))) {
            self.places.push_back((row, column, style));
        }
    }

    /// Adds the next places with a format of their own.
    pub(crate) fn add_format(&mut self, row: u32, columns: std::ops::Range<u32>, format: ShownFormat) {
        let style = self.of_styles.len();
        self.of_styles.push(Some(format));
        self.places.extend(columns.map(|column| (row, column, style)));
    }

    /// The format of the next cell.
    pub(crate) fn next_of(&mut self, (row, column): (u32, u32)) -> Option<&ShownFormat> {
        // Places of cells that have no value, or that come twice.
        while self.places.pop_front_if(|(r, c, _)| (*r, *c) < (row, column)).is_some() {}
        let mut style = None;
        while let Some((.., of_place)) = self.places.pop_front_if(|(r, c, _)| (*r, *c) == (row, column)) {
            style = Some(of_place);
        }
        self.of_styles.get(style?)?.as_ref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_beside_a_number_is_taken_where_it_has_the_same_digits() {
        // Text, number, whether it is taken.
        let cases = [
            ("00123", "123", true),
            ("000", "0", true),
            ("12-345", "12345", true),
            ("(212) 555-0100", "2125550100", true),
            ("12 345", "12345", false),
            ("12345", "12345", false),
            ("12,345", "12345", false),
            ("00124", "123", false),
            ("123.00", "123", false),
            ("-5", "-5", false),
            ("", "", false),
        ];
        for (shown, stored, is_taken) in cases {
            assert_eq!(shows_digits_of(shown, stored), is_taken, "{shown} {stored}");
        }
    }

    #[test]
    fn hidden_columns_are_no_more_than_a_table_has() {
        let mut hidden = HiddenRanges::default();
        for _ in 0..100_000_000 / COLUMNS_MAX {
            hidden.add_columns(3..=u32::MAX);
        }
        assert_eq!((hidden.columns.len(), hidden.columns[0]), (COLUMNS_MAX, 3));
    }

    #[test]
    fn formats_are_found_where_cells_are_missing_or_come_twice() {
        let of_styles = vec![None, ShownFormat::parse("000")];
        let places = vec![(2, 1, 1), (0, 0, 1), (1, 4, 1), (1, 0, 0), (1, 4, 1), (1, 2, 1)];
        let mut formats = CellFormats::of_styles(of_styles, places);
        let mut has = |row, column| formats.next_of((row, column)).is_some();
        assert!(has(0, 0) && !has(0, 1) && !has(1, 0) && has(1, 4) && !has(2, 0) && has(2, 1));
    }
}
