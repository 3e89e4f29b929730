//! A transaction as its rows make it: typed values, lines, insurers, syndicates.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use bordereau_mapping::{AMOUNTS, CHARGE_FIELDS, DATES, FLAGS, Field, RowAmounts, ValueKind};

use crate::issue::{Code, Finding, FindingData};
use crate::row::TypedRow;
use crate::row_reader::{CellFindings, RowReader};
use crate::share;

/// An entry of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ListItem<'t> {
    pub row: u32,
    pub column: u16,
    pub text: &'t str,
    /// Cents for a line, millionths of a percent otherwise.
    pub share: Option<i64>,
}

/// A list of a transaction.
#[derive(Default)]
pub(crate) struct EntryList<'t> {
    pub items: Vec<ListItem<'t>>,
    /// Whether any share was given, readable or not.
    pub shared: bool,
    /// Whether a share could not be read: sums say nothing then.
    pub unread: bool,
}

impl EntryList<'_> {
    fn clear(&mut self) {
        self.items.clear();
        self.shared = false;
        self.unread = false;
    }

    /// The sum of the shares; `None` when one is missing or could not be read.
    pub(crate) fn sum(&self) -> Option<i64> {
        if self.unread || self.items.is_empty() {
            return None;
        }
        self.items.iter().try_fold(0i64, |sum, item| sum.checked_add(item.share?))
    }
}

/// A transaction being gathered; reused for the next one.
#[derive(Default)]
pub(crate) struct GatheredTransaction<'t> {
    /// Its first row.
    pub row: usize,
    pub rows: Vec<u32>,
    pub typed: TypedRow,
    pub lines: EntryList<'t>,
    pub insurers: EntryList<'t>,
    pub syndicates: EntryList<'t>,
}

impl<'t> GatheredTransaction<'t> {
    /// Reads the rows of one transaction. What is wrong with a cell is found at its own row.
    pub(crate) fn read(&mut self, reader: &RowReader<'t>, rows: &[u32], findings: &mut Vec<Finding>) {
        self.row = rows.first().map_or(0, |r| *r as usize);
        self.rows.clear();
        self.rows.extend(rows);
        self.typed = TypedRow::default();
        self.lines.clear();
        self.insurers.clear();
        self.syndicates.clear();
        // The payee of a tax is no insurer, and its line of business no further line: rows of the premium have them.
        let has_premium = |row: &u32| {
            let (_, cell) = reader.field_cell(*row as usize, Field::Premium);
            !cell.text.trim().is_empty()
        };
        let only_of_premium = !reader.charges.is_empty() && rows.iter().any(has_premium);
        // An amount in each row is the whole premium, not the line's.
        let is_repeated = reader.mapping.row_amounts == Some(RowAmounts::Repeat);
        let mut totals = Vec::new();
        for (nth, row) in rows.iter().enumerate() {
            let has_lists = !only_of_premium || has_premium(row);
            let row = *row as usize;
            reader.find_lost_charges(row, findings);
            let [premium, total] = if nth == 0 {
                reader.read(row, &mut self.typed, findings);
                [Field::Premium, Field::Total].map(|field| self.typed.amount_cents(field))
            } else {
                let mut further = TypedRow::default();
                reader.read(row, &mut further, findings);
                self.merge_row(reader, row, &further, findings);
                [Field::Premium, Field::Total].map(|field| further.amount_cents(field))
            };
            totals.extend(total);
            if !has_lists {
                continue;
            }
            let lines = self.lines.items.len();
            self.read_list(reader, row, Field::LineOfBusiness, findings);
            // The one line of a row of several has the premium of its row.
            if rows.len() > 1
                && !is_repeated
                && let [only] = &mut self.lines.items[lines..]
                && only.share.is_none()
            {
                only.share = premium;
                self.lines.shared |= premium.is_some();
            }
            self.read_list(reader, row, Field::InsuranceCompany, findings);
            self.read_list(reader, row, Field::Syndicate, findings);
        }
        if rows.len() > 1 {
            if reader.mapping.row_amounts == Some(RowAmounts::Add) {
                find_repeated_rows(reader, rows, findings);
            }
            if is_repeated {
                without_repeats(&mut self.lines);
            } else {
                add_repeats(&mut self.lines);
            }
            without_repeats(&mut self.insurers);
            without_repeats(&mut self.syndicates);
        }
        if rows.len() > 1 && reader.mapping.row_amounts == Some(RowAmounts::Add) {
            self.read_repeated_total(&totals);
        }
        // Premiums of the lines are the premium where no column says it.
        if !self.typed.is_present(Field::Premium)
            && let Some(sum) = self.lines.sum()
        {
            self.typed.set_cents(Field::Premium, Some(sum));
        }
    }

    /// Where amounts of several rows are added, a total that is the same in each of them is the whole's, unless the premium
    /// and the charges are as much as all of these totals together.
    fn read_repeated_total(&mut self, totals: &[i64]) {
        let Some(first) = totals.first().filter(|first| totals.iter().all(|total| total == *first)) else {
            return;
        };
        let counted = CHARGE_FIELDS.iter().filter(|(charge, _)| charge.is_counted()).map(|(_, field)| *field);
        let amounts = counted.chain([Field::Premium]).filter_map(|field| self.typed.amount_cents(field));
        let charged: i128 = amounts.map(i128::from).sum();
        if totals.len() > 1
            && self.typed.amount_cents(Field::Total).is_some_and(|sum| i128::from(sum) != charged)
        {
            self.typed.set_cents(Field::Total, Some(*first));
        }
    }

    fn list_of(&mut self, field: Field) -> &mut EntryList<'t> {
        match field {
            Field::LineOfBusiness => &mut self.lines,
            Field::InsuranceCompany => &mut self.insurers,
            _ => &mut self.syndicates,
        }
    }

    fn read_list(&mut self, reader: &RowReader<'t>, row: usize, field: Field, findings: &mut Vec<Finding>) {
        let Some(shares) = field.shares_field() else { return };
        if !self.typed.is_present(field) && !self.typed.is_present(shares) && row == self.row {
            return;
        }
        let premium = field == Field::LineOfBusiness;
        let single = [reader.layout.column_of(field)];
        let own = reader.layout.columns_of(field);
        let begin = self.list_of(field).items.len();
        for column in if own.is_empty() { &single[..] } else { own } {
            let cell = reader.table.cell(row, usize::from(*column));
            for part in share::split_entries(cell.text) {
                let entry = share::split_entry(part);
                let mut at = CellFindings { row, column: *column, field, findings };
                let value = entry.share.map(|text| share::parse_share(text, cell.kind, reader.mark, premium));
                let list = self.list_of(field);
                list.shared |= value.is_some();
                if let Some(Err(_)) = value {
                    list.unread = true;
                    at.push(Code::ShareUnreadable, FindingData::Text(part.into()));
                }
                let row = u32::try_from(row).unwrap_or(u32::MAX);
                let share = value.and_then(Result::ok);
                list.items.push(ListItem { row, column: *column, text: entry.item, share });
            }
        }
        if self.typed.is_present(shares) {
            self.assign_shares(reader, row, field, shares, begin, findings);
        }
    }

    /// Gives the entries of this row their shares, in order.
    fn assign_shares(
        &mut self,
        reader: &RowReader<'t>,
        row: usize,
        field: Field,
        shares: Field,
        begin: usize,
        findings: &mut Vec<Finding>,
    ) {
        let premium = field == Field::LineOfBusiness;
        let single = [reader.layout.column_of(shares)];
        let own = reader.layout.columns_of(shares);
        let list = self.list_of(field);
        let (mut next, mut counted) = (begin, 0usize);
        for column in if own.is_empty() { &single[..] } else { own } {
            let cell = reader.table.cell(row, usize::from(*column));
            for part in share::split_shares(cell.text) {
                counted += 1;
                let mut at = CellFindings { row, column: *column, field: shares, findings };
                list.shared = true;
                let value = share::parse_share(part, cell.kind, reader.mark, premium);
                if value.is_err() {
                    list.unread = true;
                    at.push(Code::ShareUnreadable, FindingData::Text(part.into()));
                }
                if let Some(item) = list.items.get_mut(next) {
                    item.share = value.ok();
                    next += 1;
                }
            }
        }
        let there = list.items.len() - begin;
        if counted > 0 && counted != there {
            list.unread = true;
            let small = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
            let column = reader.field_column(row, shares);
            let mut at = CellFindings { row, column, field: shares, findings };
            at.push(Code::SharesMismatch, FindingData::Counts(small(counted), small(there)));
        }
    }

    /// Values of a further row: equal, blank, or a difference the person has to decide.
    fn merge_row(
        &mut self,
        reader: &RowReader<'t>,
        row: usize,
        further: &TypedRow,
        findings: &mut Vec<Finding>,
    ) {
        for field in reader.active.iter().map(|active| active.field) {
            if !further.is_present(field) {
                continue;
            }
            let (column, cell) = reader.field_cell(row, field);
            let mut at = CellFindings { row, column, field, findings };
            let first = self.typed.is_present(field);
            self.typed.mark_present(field);
            let differs = match field.kind() {
                ValueKind::Amount => self.merge_amount(reader, field, further, first),
                ValueKind::List | ValueKind::Shares => false,
                ValueKind::Identifier | ValueKind::Text => {
                    first && reader.field_cell(self.row, field).1.text.trim() != cell.text.trim()
                }
                ValueKind::Date | ValueKind::Flag | ValueKind::Code | ValueKind::Percent if first => {
                    !is_same_value(&self.typed, further, field)
                }
                ValueKind::Date | ValueKind::Flag | ValueKind::Code | ValueKind::Percent => {
                    take_value(&mut self.typed, further, field);
                    false
                }
            };
            if differs {
                let first = u32::try_from(self.row).unwrap_or(u32::MAX);
                at.push(Code::GroupDiffers, FindingData::Row(first));
            }
        }
    }

    fn merge_amount(
        &mut self,
        reader: &RowReader<'_>,
        field: Field,
        further: &TypedRow,
        first: bool,
    ) -> bool {
        let (mine, other) = (self.typed.amount_cents(field), further.amount_cents(field));
        let (Some(mine), Some(other)) = (mine, other) else {
            if !first {
                self.typed.set_cents(field, other);
            }
            return false;
        };
        match reader.mapping.row_amounts {
            // A limit is the whole policy's in each of its rows.
            Some(RowAmounts::Add) if matches!(field, Field::PolicyLimit | Field::PropertyLimit) => {
                mine != other
            }
            Some(RowAmounts::Add) => {
                self.typed.set_cents(field, mine.checked_add(other));
                false
            }
            Some(RowAmounts::Repeat) => mine != other,
            // Premiums of the lines of one policy stand one under another; everything else has to be said.
            None if field == Field::Premium
                && !reader.layout.columns_of(Field::LineOfBusiness).is_empty() =>
            {
                self.typed.set_cents(field, mine.checked_add(other));
                false
            }
            None => mine != other,
        }
    }
}

fn is_same_value(a: &TypedRow, b: &TypedRow, field: Field) -> bool {
    match field.kind() {
        ValueKind::Date => a.date(field) == b.date(field),
        ValueKind::Flag => a.flag(field) == b.flag(field),
        ValueKind::Percent => a.assessment_rate == b.assessment_rate,
        _ => a.code(field) == b.code(field),
    }
}

fn take_value(a: &mut TypedRow, b: &TypedRow, field: Field) {
    if DATES.contains(&field) {
        a.set_date(field, b.date(field));
    } else if FLAGS.contains(&field) {
        a.set_flag(field, b.flag(field));
    } else if AMOUNTS.contains(&field) {
        a.set_cents(field, b.amount_cents(field));
    } else if field.kind() == ValueKind::Percent {
        a.assessment_rate = b.assessment_rate;
    } else if let Some(code) = b.code(field) {
        a.set_code(field, code);
    }
}

/// Rows that are the same in each cell of the file, where amounts of several rows are added: what was exported twice would
/// be due twice.
fn find_repeated_rows(reader: &RowReader<'_>, rows: &[u32], findings: &mut Vec<Finding>) {
    let cells = |row: u32| {
        let columns = 0..reader.table.row_len(row as usize);
        let of_file = columns.filter(|column| reader.layout.is_in_file(*column));
        of_file.map(move |column| reader.table.text_at(row as usize, column).trim())
    };
    let premium = reader.layout.column_of(Field::Premium);
    let amount = reader.charges.first().map_or(premium, |(_, amount, _)| *amount);
    let mut seen: HashMap<u64, u32> = HashMap::new();
    for row in rows {
        let mut hasher = DefaultHasher::new();
        cells(*row).for_each(|text| text.hash(&mut hasher));
        let first = *seen.entry(hasher.finish()).or_insert(*row);
        if first != *row && cells(first).eq(cells(*row)) {
            let mut finding = Finding::at_cell(Code::RowRepeated, *row as usize, usize::from(amount));
            finding.data = FindingData::Row(first);
            findings.push(finding);
        }
    }
}

/// The same line in several rows of a transaction, one for each insurer or building, is one with the premium of all.
fn add_repeats(lines: &mut EntryList<'_>) {
    let mut kept: Vec<ListItem<'_>> = Vec::with_capacity(lines.items.len());
    for item in lines.items.drain(..) {
        let same = kept.iter_mut().find(|line| line.text == item.text && line.row != item.row);
        match same.and_then(|line| Some((line.share?.checked_add(item.share?)?, line))) {
            Some((sum, line)) => line.share = Some(sum),
            None => kept.push(item),
        }
    }
    lines.items = kept;
}

/// The same entry with the same share in several rows of a transaction is one.
fn without_repeats(list: &mut EntryList<'_>) {
    let mut kept: Vec<ListItem<'_>> = Vec::with_capacity(list.items.len());
    for item in list.items.drain(..) {
        if !kept.iter().any(|k| k.text == item.text && k.share == item.share && k.row != item.row) {
            kept.push(item);
        }
    }
    list.items = kept;
}
