//! Rows that a column of their status calls void, or a quote only: nothing took effect that is to be filed.

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

/// The cells that say it, in columns that are not imported.
pub(crate) fn find_unbound_rows(source: &ImportSource, layout: &ColumnLayout) -> Vec<Finding> {
    let is_status = |header: &str| {
        let normal = normalize_header(header);
        normal.strip_suffix("status").is_some_and(|owner| STATUS_OWNERS.contains(&owner.trim()))
    };
    let headers = source_headers(source);
    let columns = headers.iter().enumerate().filter(|(_, header)| is_status(header));
    let first = source.header_row().map_or(0, |row| row + 1);
    let of_column = |(column, _): (usize, &String)| {
        let is_unbound = move |row: &usize| {
            let text = source.table.own_text(*row, column);
            text.len() <= 40 && UNBOUND_WORDS.contains(&normalize_header(text).as_str())
        };
        let rows = (first..source.table.row_count()).filter(is_unbound);
        rows.map(move |row| Finding::at_cell(Code::NotBound, row, column))
    };
    columns.filter(|(column, _)| layout.field_of(*column).is_none()).flat_map(of_column).collect()
}
