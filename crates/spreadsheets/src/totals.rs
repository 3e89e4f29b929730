//! Words of a line of totals.

/// Words of a line of totals.
const TOTALS: [&str; 4] = ["total", "totals", "subtotal", "subtotals"];

/// Longer texts are sentences.
const TOTAL_WORDS_MAX: usize = 4;

/// `Total 5`, `Grand total`, `Sum of all`.
pub(crate) fn begins_totals(text: &str) -> bool {
    let word = text.split([' ', ':']).next().unwrap_or_default();
    TOTALS.iter().chain(&["sum", "grand"]).any(|known| word.eq_ignore_ascii_case(known))
}

/// `Page total`, `Totals:`, `Sub-total`, `Subtotal TX`, `Total for Texas`.
pub(crate) fn is_totals(text: &str) -> bool {
    let plain = text.to_lowercase().replace("sub-", "sub").replace("sub total", "subtotal");
    let words: Vec<&str> = plain.split([' ', ':']).filter(|word| !word.is_empty()).collect();
    let is_word = |word: Option<&&str>| word.is_some_and(|word| TOTALS.contains(word));
    words.len() <= TOTAL_WORDS_MAX
        && (is_word(words.last())
            || plain.starts_with("subtotal")
            || (is_word(words.first()) && words.get(1) == Some(&"for")))
}

/// Whether a cell anywhere in a row says that the row is a line of totals.
pub(crate) fn says_totals(text: &str) -> bool {
    begins_totals(text) || is_totals(text)
}
