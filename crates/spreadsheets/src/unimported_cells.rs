//! What columns that are not imported say of a row: that it is void or a quote only, so that nothing took effect that is
//! to be filed, or that its amounts are in another currency.

use bordereau_tables::{ImportSource, normalize_header, source_headers};

use crate::issue::{Code, Finding};
use crate::layout::ColumnLayout;

/// Words of a header before "status".
const STATUS_OWNERS: [&str; 12] = [
    "",
    "policy",
    "pol",
    "transaction",
    "trans",
    "tran",
    "txn",
    "invoice",
    "item",
    "bind",
    "quote",
    "submission",
];

/// What a row's status is where nothing took effect; a cancellation did, and was filed.
const UNBOUND_WORDS: [&str; 17] = [
    "closed lost",
    "declined",
    "deleted",
    "do not file",
    "draft",
    "indication",
    "lost",
    "not bound",
    "not taken",
    "not taken up",
    "ntu",
    "quote",
    "quote only",
    "quoted",
    "unbound",
    "void",
    "voided",
];

/// Names of a column of currencies.
const CURRENCY_HEADERS: [&str; 11] = [
    "ccy",
    "currency",
    "currency code",
    "currency iso code",
    "currency of premium",
    "iso currency code",
    "policy currency",
    "premium currency",
    "settlement ccy",
    "settlement currency",
    "transaction currency",
];

/// A column of these counts where there is none of settlement, in whose currency the amounts are then.
const ORIGINAL_CURRENCY: &str = "original currency";

/// Codes [ISO 4217] and names of currencies that premiums of risks in the United States are paid in besides US dollars.
const OTHER_CURRENCIES: [&str; 24] = [
    "aud",
    "bmd",
    "brl",
    "cad",
    "canadian dollar",
    "canadian dollars",
    "chf",
    "cny",
    "eur",
    "euro",
    "euros",
    "gbp",
    "hkd",
    "inr",
    "jpy",
    "kyd",
    "mxn",
    "nok",
    "nzd",
    "pound sterling",
    "pounds sterling",
    "sek",
    "sgd",
    "sterling",
];

/// The cells that call their row void or not bound.
pub(crate) fn find_unbound_rows(source: &ImportSource, layout: &ColumnLayout) -> Vec<Finding> {
    let is_status = |header: &str| {
        header.strip_suffix("status").is_some_and(|owner| STATUS_OWNERS.contains(&owner.trim()))
    };
    let columns = unimported_columns(source, layout, is_status);
    find_words(source, &columns, &UNBOUND_WORDS, Code::NotBound)
}

/// The cells that name another currency than US dollars: the amounts of their rows would be filed as dollars.
pub(crate) fn find_other_currencies(source: &ImportSource, layout: &ColumnLayout) -> Vec<Finding> {
    let mut columns = unimported_columns(source, layout, |header| CURRENCY_HEADERS.contains(&header));
    if columns.is_empty() {
        columns = unimported_columns(source, layout, |header| header == ORIGINAL_CURRENCY);
    }
    find_words(source, &columns, &OTHER_CURRENCIES, Code::OtherCurrency)
}

fn unimported_columns(
    source: &ImportSource,
    layout: &ColumnLayout,
    is_named: impl Fn(&str) -> bool,
) -> Vec<usize> {
    let headers = source_headers(source);
    let named = headers.iter().enumerate().filter(|(_, header)| is_named(&normalize_header(header)));
    named.map(|(column, _)| column).filter(|column| layout.field_of(*column).is_none()).collect()
}

fn find_words(source: &ImportSource, columns: &[usize], words: &[&str], code: Code) -> Vec<Finding> {
    let first = source.header_row().map_or(0, |row| row + 1);
    let of_column = |column: &usize| {
        let column = *column;
        let is_told = move |row: &usize| {
            let text = source.table.own_text(*row, column);
            text.len() <= 40 && words.contains(&normalize_header(text).as_str())
        };
        let rows = (first..source.table.row_count()).filter(is_told);
        rows.map(move |row| Finding::at_cell(code, row, column))
    };
    columns.iter().flat_map(of_column).collect()
}
