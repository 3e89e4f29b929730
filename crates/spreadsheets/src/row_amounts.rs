//! What the amounts of several rows of one policy are: of its lines, again in the row of each insurer or the insurer's part, or
//! in rows below it.

use bordereau_mapping::{CHARGE_FIELDS, Field, Mapping, RowAmounts, RowGrouping};
use bordereau_tables::{ImportSource, amount};

use crate::columns::{SAMPLE_ROWS, detect_values};
use crate::grouping::TransactionRows;
use crate::layout::ColumnLayout;

/// A hundred percent, in millionths of a percent.
const WHOLE: i64 = 100_000_000;

/// Whether the rows of a transaction are what they are taken for.
type RowsTest<'a> = &'a dyn Fn(&[u32]) -> bool;

/// What amounts mean that are in several rows of a policy, where all its rows are its lines, its insurers, or go on with the
/// first one; `None` where they aren't, or where each row is a transaction.
pub(crate) fn find_row_amounts(source: &ImportSource, mapping: &Mapping) -> Option<RowAmounts> {
    let layout = ColumnLayout::new(source, mapping);
    let grouping = Mapping { grouping: RowGrouping::ByPolicy, ..Mapping::default() };
    let [line, name, share, premium, whose, policy] = [
        Field::LinePremium,
        Field::LineOfBusiness,
        Field::InsurerShare,
        Field::Premium,
        Field::InsuredName,
        Field::PolicyNumber,
    ]
    .map(|field| match layout.columns_of(field) {
        [only] => Some(*only),
        _ => None,
    });
    let policy = policy?;
    let made = mapping.rules.merges.iter().find(|merge| merge.field == Field::Premium);
    let of_merge = made.map(|made| made.from.iter().filter_map(|name| layout.column_named(name)).collect());
    let premiums: Vec<u16> = premium.map(|only| vec![only]).or(of_merge)?;
    let mark = detect_values(source, &layout, mapping).decimal_mark.value;
    let text = |row: u32, column: u16| source.table.text_at(row as usize, usize::from(column)).trim();
    let cell = |row: u32, column: u16| source.table.cell(row as usize, usize::from(column));
    let cents = |row: u32, column: u16| amount::parse_cents(cell(row, column), mark).ok();
    // Debits and credits alike: what matters is whether they are there, and the same.
    let premium = |row: u32| {
        let is_amount = |column: &u16| {
            let text = text(row, *column);
            !text.is_empty() && amount::credit_word(text).is_none()
        };
        let mut said = premiums.iter().filter(|column| is_amount(column)).peekable();
        said.peek()?;
        said.try_fold(0_i64, |sum, column| sum.checked_add(cents(row, *column)?))
    };
    let says_premium = |row: u32| premiums.iter().any(|column| !text(row, *column).is_empty());
    let is_below = |row: u32| text(row, policy).is_empty();
    // The premium of the whole is in each row that says its policy.
    let repeated_premium = |rows: &[u32]| {
        let said = rows.iter().filter(|row| !is_below(**row) || says_premium(**row));
        let mut premiums = said.map(|row| premium(*row));
        let first = premiums.next().flatten();
        first.filter(|_| premiums.all(|other| other == first))
    };
    let are_lines = |rows: &[u32]| {
        let cents = |row: &u32| cents(*row, line?);
        let sum = rows.iter().try_fold(0_i64, |sum, row| sum.checked_add(cents(row)?));
        sum.is_some() && repeated_premium(rows) == sum
    };
    let shares_of = |rows: &[u32]| {
        let read = |row: &u32| amount::percent_millionths(cell(*row, share?), mark).ok();
        let shares: Vec<i64> = rows.iter().map(read).collect::<Option<_>>()?;
        (shares.iter().try_fold(0_i64, |sum, share| sum.checked_add(*share)) == Some(WHOLE)).then_some(shares)
    };
    let are_insurers = |rows: &[u32]| shares_of(rows).is_some() && repeated_premium(rows).is_some();
    // Each insurer's row has its part of the premium, and of each fee and tax that is in more than one of them. A fee that is
    // the same in each row would be due once for each insurer.
    let charges: Vec<&[u16]> = CHARGE_FIELDS.iter().map(|(_, field)| layout.columns_of(*field)).collect();
    let are_insurers_parts = |rows: &[u32]| {
        let Some(shares) = shares_of(rows) else { return false };
        let premiums: Option<Vec<i64>> = rows.iter().map(|row| premium(*row)).collect();
        let parts_of = |columns: &&[u16]| {
            let own = |row: &u32| columns.iter().map(|column| cents(*row, *column).unwrap_or(0)).sum();
            rows.iter().map(own).collect::<Vec<i64>>()
        };
        let is_in_one = |amounts: &Vec<i64>| amounts.iter().filter(|amount| **amount != 0).count() < 2;
        premiums.is_some_and(|premiums| are_parts_by_share(&premiums, &shares))
            && charges.iter().map(parts_of).all(|own| is_in_one(&own) || are_parts_by_share(&own, &shares))
    };
    // A row below has a line and its premium, and what is the policy's only where it is said.
    let are_parts = |rows: &[u32]| {
        let has_part = |row: &u32| {
            let is_line = name.is_some_and(|name| !text(*row, name).is_empty());
            is_below(*row) && is_line && premium(*row).is_some()
        };
        rows.iter().skip(1).all(has_part)
    };
    let has_one = |row: u32| {
        let names = [name, whose].into_iter().flatten();
        names.into_iter().any(|name| !text(row, name).is_empty())
    };
    let group = |count| TransactionRows::of_first(source, &layout, &grouping, 1, count);
    let are_all = |are: RowsTest<'_>, grouped: &TransactionRows, bad: usize| {
        let all = (0..grouped.count()).map(|transaction| grouped.rows_of(transaction));
        let has_several = all.clone().any(|rows| rows.len() > 1);
        // A line of totals names no line.
        let is_bad = |rows: &&[u32]| has_one(rows[0]) && !are(rows);
        has_several && all.filter(is_bad).nth(bad).is_none()
    };
    let count = source.table.row_count();
    // To group a hundred thousand rows takes as long as to read them: the first ones tell that they aren't. Some of their
    // policies may go on further down.
    let beginning = if count <= SAMPLE_ROWS { None } else { Some(group(SAMPLE_ROWS)) };
    let ways: [(RowsTest<'_>, RowAmounts); 4] = [
        (&are_lines, RowAmounts::Repeat),
        (&are_insurers, RowAmounts::Repeat),
        (&are_insurers_parts, RowAmounts::Add),
        (&are_parts, RowAmounts::Add),
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

/// Whether each amount is its share of all of them together, to the cent or to the hundredth of a percent.
fn are_parts_by_share(amounts: &[i64], shares: &[i64]) -> bool {
    let whole: i128 = amounts.iter().map(|amount| i128::from(*amount)).sum();
    let mistake_max = i128::from(WHOLE) + whole.abs() * 5_000;
    amounts.iter().zip(shares).all(|(amount, share)| {
        (i128::from(*amount) * i128::from(WHOLE) - i128::from(*share) * whole).abs() <= mistake_max
    })
}
