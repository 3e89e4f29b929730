//! What the amounts of several rows of one policy are: of its lines, again in the row of each insurer or the insurer's part, or
//! in rows below it.

use std::collections::BTreeSet;

use bordereau_mapping::{CHARGE_FIELDS, Field, Mapping, RowAmounts, RowGrouping};
use bordereau_tables::{DecimalMark, ImportSource, amount};

use crate::columns::{SAMPLE_ROWS, detect_values};
use crate::grouping::TransactionRows;
use crate::layout::ColumnLayout;

/// A hundred percent, in millionths of a percent.
const WHOLE: i64 = 100_000_000;

/// Whether the rows of a transaction are what they are taken for.
type RowsTest<'s> = fn(&PolicyColumns<'s>, &[u32]) -> bool;

/// What amounts mean that are in several rows of a policy, where all its rows are its lines, its insurers, or go on with the
/// first one; `None` where they aren't, or where each row is a transaction.
pub(crate) fn find_row_amounts<'s>(source: &'s ImportSource, mapping: &Mapping) -> Option<RowAmounts> {
    let layout = ColumnLayout::new(source, mapping);
    let grouping = Mapping { grouping: RowGrouping::ByPolicy, ..Mapping::default() };
    let columns = PolicyColumns::from_layout(source, mapping, &layout)?;
    let group = |count| TransactionRows::of_first(source, &layout, &grouping, 1, count);
    let are_all = |are: RowsTest<'s>, grouped: &TransactionRows, bad: usize| {
        let all = (0..grouped.count()).map(|transaction| grouped.rows_of(transaction));
        let has_several = all.clone().any(|rows| rows.len() > 1);
        // A line of totals names no line.
        let is_bad = |rows: &&[u32]| columns.names_one(rows[0]) && !are(&columns, rows);
        has_several && all.filter(is_bad).nth(bad).is_none()
    };
    let count = source.table.row_count();
    // To group a hundred thousand rows takes as long as to read them: the first ones tell that they aren't. Some of their
    // policies may go on further down.
    let beginning = if count <= SAMPLE_ROWS { None } else { Some(group(SAMPLE_ROWS)) };
    let ways: [(RowsTest<'s>, RowAmounts); 5] = [
        (PolicyColumns::are_lines, RowAmounts::Repeat),
        (PolicyColumns::are_insurers, RowAmounts::Repeat),
        (PolicyColumns::are_insurers_parts, RowAmounts::Add),
        (PolicyColumns::are_parts, RowAmounts::Add),
        (PolicyColumns::are_parts_of_total, RowAmounts::Add),
    ];
    let mut likely = ways
        .into_iter()
        .filter(|(are, _)| {
            beginning.as_ref().is_none_or(|beginning| are_all(*are, beginning, SAMPLE_ROWS / 4))
        })
        .peekable();
    likely.peek()?;
    let whole = group(count);
    likely.find(|(are, _)| are_all(*are, &whole, 0)).map(|(_, amounts)| amounts)
}

/// The columns that say what rows of a policy are to one another; those of which there is one only.
struct PolicyColumns<'s> {
    source: &'s ImportSource,
    mark: DecimalMark,
    policy: u16,
    /// One, or those that are merged.
    premiums: Vec<u16>,
    line: Option<u16>,
    line_premium: Option<u16>,
    share: Option<u16>,
    insured: Option<u16>,
    total: Option<u16>,
    /// Each charge's, and whether it is a part of the total.
    charges: Vec<(Vec<u16>, bool)>,
}

impl<'s> PolicyColumns<'s> {
    /// `None` where no column is the policy's, or the premium's.
    fn from_layout(
        source: &'s ImportSource,
        mapping: &Mapping,
        layout: &ColumnLayout,
    ) -> Option<PolicyColumns<'s>> {
        let only = |field| match layout.columns_of(field) {
            [only] => Some(*only),
            _ => None,
        };
        let made = mapping.rules.merges.iter().find(|merge| merge.field == Field::Premium);
        let of_merge =
            made.map(|made| made.from.iter().filter_map(|name| layout.column_named(name)).collect());
        let charges = CHARGE_FIELDS
            .iter()
            .map(|(charge, field)| (layout.columns_of(*field).to_vec(), charge.is_counted()));
        Some(PolicyColumns {
            source,
            mark: detect_values(source, layout, mapping).decimal_mark.value,
            policy: only(Field::PolicyNumber)?,
            premiums: only(Field::Premium).map(|only| vec![only]).or(of_merge)?,
            line: only(Field::LineOfBusiness),
            line_premium: only(Field::LinePremium),
            share: only(Field::InsurerShare),
            insured: only(Field::InsuredName),
            total: only(Field::Total),
            charges: charges.collect(),
        })
    }

    fn text(&self, row: u32, column: u16) -> &'s str {
        self.source.table.text_at(row as usize, usize::from(column)).trim()
    }

    fn cents(&self, row: u32, column: u16) -> Option<i64> {
        amount::parse_cents(self.source.table.cell(row as usize, usize::from(column)), self.mark).ok()
    }

    /// What a row has of a charge, in cents.
    fn charge_cents(&self, row: u32, columns: &[u16]) -> i64 {
        columns.iter().map(|column| self.cents(row, *column).unwrap_or(0)).sum()
    }

    /// Debits and credits alike: what matters is whether they are there, and the same.
    fn premium(&self, row: u32) -> Option<i64> {
        let is_amount = |column: &&u16| {
            let text = self.text(row, **column);
            !text.is_empty() && amount::credit_word(text).is_none()
        };
        let mut said = self.premiums.iter().filter(is_amount).peekable();
        said.peek()?;
        said.try_fold(0_i64, |sum, column| sum.checked_add(self.cents(row, *column)?))
    }

    /// Whether a row says its insured or its line.
    fn names_one(&self, row: u32) -> bool {
        let names = [self.line, self.insured].into_iter().flatten();
        names.into_iter().any(|name| !self.text(row, name).is_empty())
    }

    fn is_below(&self, row: u32) -> bool {
        self.text(row, self.policy).is_empty()
    }

    /// The premium of the whole is in each row that says its policy.
    fn repeated_premium(&self, rows: &[u32]) -> Option<i64> {
        let says_premium = |row: u32| self.premiums.iter().any(|column| !self.text(row, *column).is_empty());
        let said = rows.iter().filter(|row| !self.is_below(**row) || says_premium(**row));
        let mut premiums = said.map(|row| self.premium(*row));
        let first = premiums.next().flatten();
        first.filter(|_| premiums.all(|other| other == first))
    }

    /// Each row has a line with its premium, and that of the whole once more.
    fn are_lines(&self, rows: &[u32]) -> bool {
        let cents = |row: &u32| self.cents(*row, self.line_premium?);
        let sum = rows.iter().try_fold(0_i64, |sum, row| sum.checked_add(cents(row)?));
        sum.is_some() && self.repeated_premium(rows) == sum
    }

    /// The insurers' shares, which are a hundred percent together.
    fn shares_of(&self, rows: &[u32]) -> Option<Vec<i64>> {
        let share = self.share?;
        let read = |row: &u32| {
            let cell = self.source.table.cell(*row as usize, usize::from(share));
            amount::percent_millionths(cell, self.mark).ok()
        };
        let shares: Vec<i64> = rows.iter().map(read).collect::<Option<_>>()?;
        (shares.iter().try_fold(0_i64, |sum, share| sum.checked_add(*share)) == Some(WHOLE)).then_some(shares)
    }

    /// Each row has an insurer, and the premium of the whole.
    fn are_insurers(&self, rows: &[u32]) -> bool {
        self.shares_of(rows).is_some() && self.repeated_premium(rows).is_some()
    }

    /// Each insurer's row has its part of the premium, and of each fee and tax that is in more than one of them. A fee that
    /// is the same in each row would be due once for each insurer.
    fn are_insurers_parts(&self, rows: &[u32]) -> bool {
        let Some(shares) = self.shares_of(rows) else { return false };
        let premiums: Option<Vec<i64>> = rows.iter().map(|row| self.premium(*row)).collect();
        let is_in_one = |amounts: &[i64]| amounts.iter().filter(|amount| **amount != 0).count() < 2;
        let mut charges = self.charges.iter().map(|(columns, _)| {
            rows.iter().map(|row| self.charge_cents(*row, columns)).collect::<Vec<i64>>()
        });
        premiums.is_some_and(|premiums| are_parts_by_share(&premiums, &shares))
            && charges.all(|own| is_in_one(&own) || are_parts_by_share(&own, &shares))
    }

    /// A row below has a line and its premium, and what is the policy's only where it is said.
    fn are_parts(&self, rows: &[u32]) -> bool {
        let has_part = |row: &u32| {
            let is_line = self.line.is_some_and(|line| !self.text(*row, line).is_empty());
            self.is_below(*row) && is_line && self.premium(*row).is_some()
        };
        rows.iter().skip(1).all(has_part)
    }

    /// Each row has another line and its premium, and one of them the total of all. What gives premium back is a
    /// transaction of its own.
    fn are_parts_of_total(&self, rows: &[u32]) -> bool {
        let (Some(line), Some(total)) = (self.line, self.total) else { return false };
        if rows.len() == 1 {
            return true;
        }
        let lines: BTreeSet<&str> = rows.iter().map(|row| self.text(*row, line)).collect();
        let mut totals = rows.iter().filter(|row| !self.text(**row, total).is_empty());
        let (Some(with_total), None) = (totals.next(), totals.next()) else { return false };
        let counted = self.charges.iter().filter(|(_, is_counted)| *is_counted);
        let row_sum = |row: &u32| {
            let charges: i64 = counted.clone().map(|(columns, _)| self.charge_cents(*row, columns)).sum();
            self.premium(*row).filter(|premium| *premium >= 0)?.checked_add(charges)
        };
        let sum = rows.iter().try_fold(0_i64, |sum, row| sum.checked_add(row_sum(row)?));
        lines.len() == rows.len()
            && !lines.contains("")
            && sum.is_some()
            && sum == self.cents(*with_total, total)
    }
}

/// Whether each amount is its share of all of them together, to the cent or to the hundredth of a percent.
fn are_parts_by_share(amounts: &[i64], shares: &[i64]) -> bool {
    let whole: i128 = amounts.iter().map(|amount| i128::from(*amount)).sum();
    let mistake_max = i128::from(WHOLE) + whole.abs() * 5_000;
    amounts.iter().zip(shares).all(|(amount, share)| {
        (i128::from(*amount) * i128::from(WHOLE) - i128::from(*share) * whole).abs() <= mistake_max
    })
}
