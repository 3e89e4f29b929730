//! A premium for terrorism in a column of its own: whether the premium of another column has it in it.

use bordereau_mapping::Field;
use bordereau_tables::{ImportSource, amount, normalize_header};

use crate::column_fit::find_misfit;
use crate::columns::{column_mark, sample_cells, sample_rows};
use crate::proposed_column::{MappingReason, ProposedColumn, release_column};

/// Words of a premium for terrorism (Terrorism Risk Insurance Act) in a header.
const TERRORISM_WORDS: [&str; 7] = ["terr", "terror", "terrorism", "tria", "tripra", "trip", "certified"];

/// Words before what a premium is without.
const WITHOUT_WORDS: [&str; 6] = ["before", "ex", "excl", "excluding", "non", "without"];

/// "Premium", "TRIA", "Total premium": the transaction's premium is the one that is as much as the others together. Beside one
/// premium alone a person is told, since a part that isn't sent isn't taxed.
pub(crate) fn whole_premium(source: &ImportSource, columns: &mut [ProposedColumn]) {
    let is_open =
        |column: &&ProposedColumn| column.field.is_none() && column.reason == MappingReason::Unknown;
    let has_word = |column: &ProposedColumn, words: &[&str]| {
        normalize_header(&column.header).split(' ').any(|word| words.contains(&word))
    };
    let names_terrorism = |column: &&ProposedColumn| {
        has_word(column, &TERRORISM_WORDS)
            && find_misfit(Field::Premium, sample_cells(source, column.column)).is_none()
    };
    // "Premium excl TRIA" is what there is beside that for terrorism.
    let (others, of_terrorism): (Vec<&ProposedColumn>, Vec<&ProposedColumn>) = columns
        .iter()
        .filter(is_open)
        .filter(names_terrorism)
        .partition(|column| has_word(column, &WITHOUT_WORDS));
    let parts: Vec<usize> = of_terrorism.into_iter().map(|column| column.column).collect();
    let is_premium = |column: &&ProposedColumn| {
        column.field == Some(Field::Premium) && column.reason == MappingReason::Name
    };
    let premiums: Vec<usize> =
        columns.iter().filter(is_premium).chain(others).map(|column| column.column).collect();
    let Some(first) = premiums.first().filter(|_| !parts.is_empty()) else { return };
    let small = |column: &usize| u16::try_from(*column).unwrap_or(u16::MAX);
    let mark = column_mark(source, &premiums.iter().map(small).collect::<Vec<_>>());
    let cents = |row: usize, column: usize| {
        let cell = source.table.cell(row, column);
        let is_nothing = cell.text.trim().is_empty() || amount::is_dash(cell.text);
        if is_nothing { Some(0) } else { amount::parse_cents(cell, mark).ok() }
    };
    let part_of = |row| parts.iter().try_fold(0_i64, |sum, part| sum.checked_add(cents(row, *part)?));
    let rows: Vec<(usize, i64)> = sample_rows(source).filter_map(|row| Some((row, part_of(row)?))).collect();
    if rows.iter().all(|(_, part)| *part == 0) {
        return;
    }
    let is_sum = |whole: usize, rest: usize| {
        let fits = |(row, part): &(usize, i64)| {
            cents(*row, whole)
                .zip(cents(*row, rest))
                .is_some_and(|(whole, rest)| rest.checked_add(*part) == Some(whole))
        };
        whole != rest && rows.iter().all(fits)
    };
    let pairs = premiums.iter().flat_map(|whole| premiums.iter().map(|rest| (*whole, *rest)));
    if let Some((whole, rest)) = pairs.clone().find(|(whole, rest)| is_sum(*whole, *rest)) {
        let reason = format!("It is a part of the premium in column \"{}\".", columns[whole].header);
        parts.iter().chain([&rest]).for_each(|column| release_column(&mut columns[*column], &reason));
        return;
    }
    let reason =
        format!("Column \"{}\" may be without it. Merge the two columns if it is.", columns[*first].header);
    parts.iter().for_each(|column| release_column(&mut columns[*column], &reason));
}
