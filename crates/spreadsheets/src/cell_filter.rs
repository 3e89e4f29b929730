//! Which cells a filter or a search finds.

use std::collections::HashSet;

use crate::review::Review;
use crate::shown_text::{has_cell_text, shown_text};

/// What one column asks of a row: a text in its cell, one of these values, or both.
pub struct CellFilter<'f> {
    text: String,
    values: HashSet<&'f str>,
}

impl<'f> CellFilter<'f> {
    /// Without regard to case; an empty text and no values ask nothing.
    pub fn new(text: &str, values: &'f [String]) -> CellFilter<'f> {
        CellFilter { text: text.to_lowercase(), values: values.iter().map(|value| value.trim()).collect() }
    }

    /// Whether a cell is shown: values are those that a person reads.
    pub fn passes(&self, review: &Review, row: usize, column: usize) -> bool {
        (self.text.is_empty() || has_cell_text(review, row, column, &self.text))
            && (self.values.is_empty() || self.values.contains(shown_text(review, row, column).trim()))
    }
}
