//! Lines of totals, and of the report itself, among the rows: they are not transactions.

use bordereau_mapping::{Field, ValueKind};
use bordereau_tables::amount::parse_cents;

use crate::row_reader::RowReader;
use crate::totals::{begins_totals, is_totals};
use crate::transaction::GatheredTransaction;

/// Blank rows that a sheet may have behind its sums.
const BLANK_ROWS_MAX: usize = 20;

/// Shorter words without a digit may be a number of somebody's own.
const TITLE_BYTES_MIN: usize = 6;
/// Fewer words may be a policy's number.
const REPORT_WORDS_MIN: usize = 3;

/// The column of the text that says that the row is a line of totals or of the report.
pub(super) fn find_report_text(reader: &RowReader<'_>, gathered: &GatheredTransaction<'_>) -> Option<usize> {
    let (typed, row) = (&gathered.typed, gathered.row);
    // A value that every row has says nothing of this one.
    let is_own = |field| !reader.table.is_default(row, usize::from(reader.field_column(row, field)));
    if (typed.transaction_type.is_some() && is_own(Field::TransactionType))
        || (typed.date(Field::PolicyEffectiveDate).is_some() && is_own(Field::PolicyEffectiveDate))
    {
        return None;
    }
    let columns = 0..reader.table.row_len(row);
    let own = columns.map(|column| (column, reader.table.own_text(row, column).trim()));
    let texts: Vec<(usize, &str)> = own.filter(|(_, text)| !text.is_empty()).collect();
    let (first, text) = *texts.first()?;
    let is_report = || is_report_text(reader.layout.field_of(first), text);
    // The foot of a page has its number at the end.
    let is_foot = || texts.len() <= 3 && texts.iter().any(|(_, text)| is_page_number(text));
    // "Certified by:" and a line to sign on.
    let is_label = || texts.len() <= 3 && text.ends_with(':');
    if begins_totals(text) || (texts.len() == 1 && is_report()) || is_foot() || is_label() {
        return Some(first);
    }
    // The word may be in the column before the amounts. A row with a policy of its own is a transaction's.
    let has_policy = typed.is_present(Field::PolicyNumber) && is_own(Field::PolicyNumber);
    if has_policy {
        return None;
    }
    let named = texts.iter().find(|(_, text)| is_totals(text) || is_count(text)).map(|(column, _)| *column);
    named.or_else(|| are_sums_of_all(reader, row, &texts).then_some(first))
}

/// Whether a last row has amounts alone, and one of them is the sum of its column: the formulas at a sheet's end.
fn are_sums_of_all(reader: &RowReader<'_>, row: usize, texts: &[(usize, &str)]) -> bool {
    let table = reader.table;
    let is_amount =
        |column: usize| reader.layout.field_of(column).is_some_and(|field| field.kind() == ValueKind::Amount);
    let is_last = || (row + 1..table.row_count()).all(|after| table.is_blank(after));
    let is_near_end = table.row_count() - row <= BLANK_ROWS_MAX;
    if texts.len() < 2 || !is_near_end || !texts.iter().all(|(column, _)| is_amount(*column)) || !is_last() {
        return false;
    }
    texts.iter().any(|(column, _)| {
        let cents = |row: usize| parse_cents(table.cell(row, *column), reader.mark).ok();
        let above: Vec<i64> = (0..row).filter_map(cents).collect();
        let sum = above.iter().try_fold(0_i64, |sum, cents| sum.checked_add(*cents));
        above.len() > 1 && sum.is_some_and(|sum| sum != 0 && cents(row) == Some(sum))
    })
}

/// `3 policies`, `41 transactions`.
fn is_count(text: &str) -> bool {
    let lower = text.to_lowercase();
    let mut words = lower.split_whitespace();
    let is_number =
        words.next().is_some_and(|word| word.bytes().all(|byte| byte.is_ascii_digit() || byte == b','));
    let counted =
        ["policy", "policies", "transactions", "items", "records", "rows", "lines", "entries", "invoices"];
    is_number && words.next().is_some_and(|word| counted.contains(&word)) && words.next().is_none()
}

/// `Page 3`, `Page 1 of 2`.
fn is_page_number(text: &str) -> bool {
    let lower = text.to_lowercase();
    let mut words = lower.split_whitespace();
    let is_number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
    words.next() == Some("page")
        && words.next().is_some_and(is_number)
        && match (words.next(), words.next()) {
            (None, _) => true,
            (Some(of), Some(count)) => matches!(of, "of" | "/") && is_number(count) && words.next().is_none(),
            (Some(_), None) => false,
        }
}

/// `*** END OF REPORT ***`, `Printed by J. Doe on 10/31/2026`: marks, or words where the column has numbers.
fn is_report_text(field: Option<Field>, text: &str) -> bool {
    let begins_with_mark = text.starts_with(['*', '=', '_']) || text.starts_with("--");
    // "ABC 22 0000" is a number, "Commercial general liability" a line that somebody began with.
    let is_word =
        |word: &&str| word.len() > 1 && word.bytes().all(|byte| byte.is_ascii_alphabetic() || byte == b'.');
    let has_words = || text.split_whitespace().filter(is_word).count() >= REPORT_WORDS_MIN;
    let takes_numbers = field.is_none_or(|field| {
        matches!(field.kind(), ValueKind::Identifier | ValueKind::Date | ValueKind::Amount)
    });
    // "Endorsements" alone in its row is the title of those below it; a policy's number has a digit.
    let is_title = || {
        text.len() >= TITLE_BYTES_MIN && text.bytes().all(|byte| byte.is_ascii_alphabetic() || byte == b' ')
    };
    // "Broker: Smith & Co" is the heading of those below it.
    let is_labeled = || {
        let label = text.split_once(':').map(|(label, _)| label.trim()).unwrap_or_default();
        label.len() > 1 && label.bytes().all(|byte| byte.is_ascii_alphabetic() || byte == b' ')
    };
    begins_with_mark || (takes_numbers && (has_words() || is_title() || is_labeled()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_totals_and_of_the_report_are_told_by_their_words() {
        for text in [
            "Total",
            "TOTALS:",
            "Page total",
            "Sub-total",
            "Subtotal TX",
            "sub total",
            "Totals for TX",
            "Agency 12 Totals",
        ] {
            assert!(is_totals(text), "{text}");
        }
        for text in ["Total Wine & More", "Totally Fit LLC", "The sum of all totals is this", "TX", ""] {
            assert!(!is_totals(text), "{text}");
        }
        assert!(["3 policies", "1,204 Transactions"].into_iter().all(is_count));
        assert!(!["3 Lines Inc", "policies", "3", ""].into_iter().any(is_count));
        assert!(["Page 3", "PAGE 1 of 12"].into_iter().all(is_page_number));
        assert!(!["Page", "Page Brothers LLC", "Page 1 of", "Page 2 Diner"].into_iter().any(is_page_number));
        let number = Some(Field::PolicyNumber);
        for (field, text, expected) in [
            (number, "*** END OF REPORT ***", true),
            (number, "Printed by J. Doe", true),
            (None, "Report printed at 10/31/2026 08:15", true),
            (Some(Field::LineOfBusiness), "Commercial general liability", false),
            (Some(Field::Premium), "End of report", true),
            (number, "ABC 22 0000", false),
            (number, "Endorsements", true),
            (number, "New Business", true),
            (number, "Broker: Smith & Co", true),
            (number, "Branch: 12", true),
            (number, "12:345", false),
            (Some(Field::InsuredName), "Attn: Bob", false),
            (number, "ABCD", false),
            (number, "POLICY-A", false),
            (Some(Field::InsuredName), "---------", true),
            (Some(Field::InsuredName), "Lone Star Roofing LLC", false),
            (number, "ESX 220000", false),
        ] {
            assert_eq!(is_report_text(field, text), expected, "{text}");
        }
    }
}
