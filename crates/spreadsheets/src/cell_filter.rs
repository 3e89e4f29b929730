//! Which cells a filter or a search finds.

use std::collections::HashSet;

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

    /// Whether a cell with this text is shown.
    pub fn passes(&self, text: &str) -> bool {
        (self.text.is_empty() || contains_text(text, &self.text))
            && (self.values.is_empty() || self.values.contains(text.trim()))
    }
}

/// Whether the text has the needle, which is in lower case.
pub fn contains_text(text: &str, needle: &str) -> bool {
    if text.len() < needle.len() && text.is_ascii() {
        return false;
    }
    if text.is_ascii() && needle.is_ascii() {
        return text
            .as_bytes()
            .windows(needle.len())
            .any(|part| part.eq_ignore_ascii_case(needle.as_bytes()));
    }
    text.to_lowercase().contains(needle)
}
