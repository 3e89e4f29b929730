//! A fee that is the same small part of each premium: a stamping office's, whatever its column is called. Florida's is a
//! "service fee"; an agency's own is an amount, or a larger part.

use std::collections::BTreeSet;

use bordereau_mapping::Field;
use bordereau_tables::{ImportSource, amount};

use crate::columns::{column_mark, sample_rows};
use crate::proposed_column::{FieldSuggestion, MappingReason, ProposedColumn};

/// A column without a known name is looked at where this many premiums differ: two amounts are in some proportion always.
const PREMIUMS_MIN: usize = 3;
/// No stamping office takes more than 0.5 percent of the premium, in millionths.
const RATE_MAX: i64 = 5_000;

/// Takes a column of agency fees for what it is, and suggests it for one whose header says nothing.
pub(crate) fn find_stamping_fees(source: &ImportSource, columns: &mut [ProposedColumn]) {
    if columns.iter().any(|column| column.field == Some(Field::StampingFee)) {
        return;
    }
    let Some(premium) = columns.iter().find(|column| column.field == Some(Field::Premium)) else { return };
    let premium = premium.column;
    let is_open = |column: &&mut ProposedColumn| match column.reason {
        MappingReason::Name => column.field == Some(Field::AgencyFee),
        MappingReason::Unknown => column.field.is_none() && column.suggestion.is_none(),
        _ => false,
    };
    let is_fee = |column: &&mut ProposedColumn| {
        let is_named = column.field.is_some();
        (is_named || can_be_fee(source, column)) && is_part_of(source, column.column, premium, is_named)
    };
    let Some(column) = columns.iter_mut().filter(is_open).find(is_fee) else { return };
    if column.field.is_some() {
        (column.field, column.reason) = (Some(Field::StampingFee), MappingReason::Content);
    } else {
        let reason = "Its amounts are the same small part of each premium.".to_owned();
        column.suggestion = Some(FieldSuggestion { field: Some(Field::StampingFee), reason });
    }
}

/// Numbers 1, 2 and 3 of rows, and a commission of 12.5 percent, are as small a part of premiums: a fee has cents.
fn can_be_fee(source: &ImportSource, column: &ProposedColumn) -> bool {
    let header = column.header.to_lowercase();
    let mark = column_mark(source, &[u16::try_from(column.column).unwrap_or(u16::MAX)]);
    let has_cents = |row: usize| {
        amount::parse_cents(source.table.cell(row, column.column), mark).is_ok_and(|cents| cents % 100 != 0)
    };
    !["comm", "rate", "%"].iter().any(|word| header.contains(word)) && sample_rows(source).any(has_cents)
}

/// Whether its amounts follow those of the premium, and are as small a part of them as a stamping fee. Fees of $250 on
/// large policies are as small, and the same on several.
fn is_part_of(source: &ImportSource, fees: usize, premiums: usize, is_named: bool) -> bool {
    let small = |column: usize| u16::try_from(column).unwrap_or(u16::MAX);
    let mark = column_mark(source, &[small(fees), small(premiums)]);
    let cents = |row, column| {
        amount::parse_cents(source.table.cell(row, column), mark).ok().and_then(i64::checked_abs)
    };
    let filled = |row: &usize| {
        [fees, premiums].iter().all(|column| !source.table.text_at(*row, *column).trim().is_empty())
    };
    let amounts: Option<Vec<(i64, i64)>> = sample_rows(source)
        .filter(filled)
        .map(|row| Some((cents(row, fees)?, cents(row, premiums)?)))
        .collect();
    let mut amounts = amounts.unwrap_or_default();
    amounts.retain(|(fee, premium)| *fee > 0 && *premium > 0);
    let is_small =
        |(fee, premium): &(i64, i64)| (fee - 1).saturating_mul(1_000_000) <= premium.saturating_mul(RATE_MAX);
    let of_premiums: BTreeSet<i64> = amounts.iter().map(|(_, premium)| *premium).collect();
    let of_fees: BTreeSet<i64> = amounts.iter().map(|(fee, _)| *fee).collect();
    // States take different parts, and of a small premium a rounded one.
    let parts = || amounts.iter().map(|(fee, premium)| fee.saturating_mul(1_000_000) / premium);
    let is_alike =
        parts().max().zip(parts().min()).is_some_and(|(most, least)| most <= least.saturating_mul(10));
    is_alike
        && of_premiums.len() >= if is_named { 2 } else { PREMIUMS_MIN }
        && of_fees.len() * 4 >= of_premiums.len() * 3
        && amounts.iter().all(is_small)
}
