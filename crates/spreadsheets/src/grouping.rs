//! Which rows are data, and which of them make one transaction. Every row of a source has an outcome here.

use std::collections::BTreeMap;

use bordereau_mapping::{Field, Mapping, RowGrouping};
use bordereau_tables::{ImportSource, Table, trim_blanks};
use serde::{Deserialize, Serialize};

use crate::layout::ColumnLayout;
use crate::totals::{begins_totals, says_totals};

/// What became of a row of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TableRowOutcome {
    /// Above the headers, or what is there once more on a further page.
    AboveHeader,
    /// What the rows below have in common, which is in a column of its own.
    GroupHeading,
    /// The headers, or the headers once more further down.
    Header,
    /// Without any text.
    Blank,
    /// A transaction, or its first row.
    Transaction,
    /// A further row of a transaction.
    FurtherRow,
}

/// The transactions of a source.
#[derive(Clone, Debug)]
pub struct TransactionRows {
    outcomes: Vec<TableRowOutcome>,
    /// Rows in the order of transactions.
    rows: Vec<u32>,
    /// Where each transaction's rows begin; `None` when each row is one.
    begins: Option<Vec<u32>>,
    /// The transaction of a row, by row of the table; only when rows are grouped.
    of_row: Vec<u32>,
    /// How rows are put together.
    keys: RowKeys,
}

/// What rows of one transaction have in common.
#[derive(Clone, Debug, Default)]
struct RowKeys {
    /// Rows with the same of these are one transaction, where they say whose they are.
    fields: Vec<Field>,
    /// Columns of which a row that goes on with the transaction above has one: its line of business, or its charge.
    parts: Vec<u16>,
}

/// Fields of which a row that goes on with the transaction above has none.
const WHOSE_FIELDS: [Field; 4] = [Field::Id, Field::PolicyNumber, Field::InvoiceNumber, Field::InsuredName];
/// Keys that say whose a row is; a type and a date don't.
const NAMING_KEYS: [Field; 3] = [Field::Id, Field::PolicyNumber, Field::InvoiceNumber];

const NONE: u32 = u32::MAX;

impl TransactionRows {
    pub(crate) fn from_source(
        source: &ImportSource,
        layout: &ColumnLayout,
        mapping: &Mapping,
        threads: usize,
    ) -> TransactionRows {
        TransactionRows::of_first(source, layout, mapping, threads, source.table.row_count())
    }

    /// Of the first rows of a source alone.
    pub(crate) fn of_first(
        source: &ImportSource,
        layout: &ColumnLayout,
        mapping: &Mapping,
        threads: usize,
        count: usize,
    ) -> TransactionRows {
        let keys = row_keys(layout, mapping);
        let outcomes = detect_outcomes(source, threads, count);
        let is_data = |row: &u32| outcomes[*row as usize] == TableRowOutcome::Transaction;
        let all = (0..u32::try_from(outcomes.len()).unwrap_or(u32::MAX)).filter(is_data);
        let rows: Vec<u32> = all.collect();
        let each = TransactionRows { outcomes, rows, begins: None, of_row: Vec::new(), keys };
        if each.keys.fields.is_empty() { each } else { each.group_rows(source, layout) }
    }

    fn group_rows(mut self, source: &ImportSource, layout: &ColumnLayout) -> TransactionRows {
        let mut groups: Vec<Vec<u32>> = Vec::new();
        let mut known: BTreeMap<String, usize> = BTreeMap::new();
        let mut above: Option<usize> = None;
        for row in &self.rows {
            let text = |column: u16| source.table.text_at(*row as usize, usize::from(column)).trim();
            let parts: Vec<&str> =
                self.keys.fields.iter().map(|field| text(layout.column_of(*field))).collect();
            let mut named = self.keys.fields.iter().zip(&parts);
            // "Total" in the column of policies is the policy of no row.
            let names_one = |part: &str| !part.is_empty() && !begins_totals(part);
            let is_known = named.any(|(field, part)| NAMING_KEYS.contains(field) && names_one(part));
            // A value for every row says nothing of this one, and a line of totals is nobody's.
            let table = &source.table;
            let has_own = |column: &u16| {
                let column = usize::from(*column);
                !table.is_default(*row as usize, column)
                    && !table.text_at(*row as usize, column).trim().is_empty()
            };
            let is_total = || {
                let columns = 0..table.row_len(*row as usize);
                let mut texts = columns.map(|column| table.own_text(*row as usize, column).trim());
                texts.any(says_totals)
            };
            let goes_on = || {
                WHOSE_FIELDS.iter().all(|field| text(layout.column_of(*field)).is_empty())
                    && self.keys.parts.iter().any(has_own)
                    && !is_total()
            };
            let group = match above {
                _ if is_known => known.get(&parts.join("\u{1f}")).copied(),
                Some(above) if goes_on() => Some(above),
                // Whose row it is nobody knows.
                _ => None,
            };
            let at = group.unwrap_or(groups.len());
            if group.is_none() {
                groups.push(Vec::new());
                if is_known {
                    known.insert(parts.join("\u{1f}"), at);
                }
            }
            groups[at].push(*row);
            above = Some(at);
        }
        self.of_row = vec![NONE; self.outcomes.len()];
        let mut begins = Vec::with_capacity(groups.len());
        self.rows.clear();
        for (transaction, group) in groups.into_iter().enumerate() {
            begins.push(u32::try_from(self.rows.len()).unwrap_or(NONE));
            for (nth, row) in group.into_iter().enumerate() {
                self.of_row[row as usize] = u32::try_from(transaction).unwrap_or(NONE);
                if nth > 0 {
                    self.outcomes[row as usize] = TableRowOutcome::FurtherRow;
                }
                self.rows.push(row);
            }
        }
        self.begins = Some(begins);
        self
    }

    /// Whether a transaction may have several rows.
    pub(crate) fn is_grouped(&self) -> bool {
        self.begins.is_some()
    }

    /// How many transactions.
    pub fn count(&self) -> usize {
        self.begins.as_ref().map_or(self.rows.len(), Vec::len)
    }

    /// The rows of a transaction, at least one.
    pub fn rows_of(&self, transaction: usize) -> &[u32] {
        let Some(begins) = &self.begins else { return &self.rows[transaction..=transaction] };
        let begin = begins[transaction] as usize;
        let end = begins.get(transaction + 1).map_or(self.rows.len(), |b| *b as usize);
        &self.rows[begin..end]
    }

    /// The transaction of a row of the table.
    pub fn of_row(&self, row: usize) -> Option<usize> {
        if self.begins.is_none() {
            return self.rows.binary_search(&u32::try_from(row).ok()?).ok();
        }
        self.of_row.get(row).filter(|t| **t != NONE).map(|t| *t as usize)
    }

    /// What became of each row of the table.
    pub fn row_outcomes(&self) -> &[TableRowOutcome] {
        &self.outcomes
    }

    /// Whether a change of a column, which is of this field, moves rows between transactions.
    pub(crate) fn depends_on(&self, column: usize, field: Option<Field>) -> bool {
        let keys = &self.keys;
        let is_key = |field| keys.fields.contains(&field) || WHOSE_FIELDS.contains(&field);
        self.is_grouped()
            && (field.is_some_and(is_key) || keys.parts.iter().any(|part| usize::from(*part) == column))
    }
}

fn row_keys(layout: &ColumnLayout, mapping: &Mapping) -> RowKeys {
    let charges = &mapping.rules.charges;
    let by_policy =
        [Field::PolicyNumber, Field::TransactionType, Field::TransactionEffectiveDate, Field::InvoiceNumber];
    // The type is in the premium's row alone; the other rows are of the same.
    let is_of_charges =
        |field: &Field| *field == Field::TransactionType && charges.iter().any(|charges| charges.is_type);
    let fields = match mapping.grouping {
        RowGrouping::None => return RowKeys::default(),
        RowGrouping::ById => vec![Field::Id],
        RowGrouping::ByPolicy => by_policy.into_iter().filter(|field| !is_of_charges(field)).collect(),
    };
    let of_charges = charges.iter().filter_map(|charges| layout.column_named(&charges.charge));
    RowKeys {
        fields,
        parts: [layout.column_of(Field::LineOfBusiness)].into_iter().chain(of_charges).collect(),
    }
}

/// Shorter texts above the headers may be values that rows have, too.
const TITLE_LETTERS_MIN: usize = 6;

/// The first text of a row that has few cells, its digits all alike, and how many cells the row has: each page of a
/// printed report begins with its title and its number.
fn page_title(table: &Table, row: usize, width: usize) -> Option<(String, usize)> {
    let texts = (0..table.row_len(row)).map(|column| trim_blanks(table.own_text(row, column)));
    let texts: Vec<&str> = texts.filter(|text| !text.is_empty()).take(width).collect();
    let title: String =
        texts.first()?.chars().map(|letter| if letter.is_ascii_digit() { '0' } else { letter }).collect();
    let letters = title.chars().filter(|letter| letter.is_alphabetic()).count();
    (letters >= TITLE_LETTERS_MIN && texts.len() * 3 <= width).then_some((title, texts.len()))
}

/// Fewer rows are not worth a thread.
const THREAD_ROWS: usize = 10_000;

fn detect_outcomes(source: &ImportSource, threads: usize, count: usize) -> Vec<TableRowOutcome> {
    let table = &source.table;
    let header = source.detection.header.value.map(|h| h as usize);
    let width = header.map_or(0, |h| table.row_len(h));
    let is_same = |row: usize, other: usize| {
        let width = table.row_len(other);
        table.row_len(row) == width
            && (0..width).all(|c| trim_blanks(table.text_at(row, c)) == trim_blanks(table.text_at(other, c)))
    };
    let repeats_header = |row: usize| header.is_some_and(|h| is_same(row, h));
    // The first of two rows of headers.
    let above = header.and_then(|h| h.checked_sub(1)).filter(|above| !table.is_blank(*above));
    let repeats_above = |row: usize| above.is_some_and(|above| is_same(row, above));
    let titles: Vec<(String, usize)> =
        (0..header.unwrap_or(0)).filter_map(|row| page_title(table, row, width)).collect();
    let repeats_title = |row: usize| {
        !titles.is_empty()
            && page_title(table, row, width).is_some_and(|(text, cells)| {
                titles.iter().any(|(title, most)| *title == text && cells <= *most)
            })
    };
    // Most rows say at their first cell that they are none of these.
    let first_byte = |row: usize| table.text_at(row, 0).as_bytes().first().copied();
    let others: Vec<u8> = (0..header.map_or(0, |h| h + 1)).filter_map(first_byte).collect();
    let is_plain =
        |row: usize| first_byte(row).is_some_and(|byte| byte.is_ascii_graphic() && !others.contains(&byte));
    let of = |row: usize| match header {
        Some(h) if row < h => TableRowOutcome::AboveHeader,
        Some(h) if row == h => TableRowOutcome::Header,
        _ if source.is_group_heading(row) => TableRowOutcome::GroupHeading,
        _ if is_plain(row) => TableRowOutcome::Transaction,
        _ if table.is_blank(row) => TableRowOutcome::Blank,
        _ if repeats_header(row) => TableRowOutcome::Header,
        _ if repeats_title(row) || repeats_above(row) => TableRowOutcome::AboveHeader,
        _ => TableRowOutcome::Transaction,
    };
    let threads = threads.clamp(1, 16).min(count / THREAD_ROWS);
    if threads < 2 {
        return (0..count).map(of).collect();
    }
    let (each, of) = (count.div_ceil(threads), &of);
    std::thread::scope(|scope| {
        let begins = (1..threads).map(|nth| nth * each);
        let others: Vec<_> = begins
            .map(|begin| scope.spawn(move || (begin..count.min(begin + each)).map(of).collect::<Vec<_>>()))
            .collect();
        let mut outcomes = Vec::with_capacity(count);
        outcomes.extend((0..each).map(of));
        for other in others {
            outcomes.extend(other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
        outcomes
    })
}
