//! Numbered taxes: "Tax 1 - Tax Type" beside "Tax 1 - Tax Amount", as coverholders' reports have them.

use std::collections::BTreeSet;

use bordereau_mapping::{CHARGE_WORDS_MAX, Field, charge_word};
use bordereau_tables::{ImportSource, normalize_header};

use crate::charge_rows::{charge_named, texts_of};
use crate::proposed_column::{MappingReason, ProposedColumn, release_column};

/// What the header of a column of a numbered tax says.
#[derive(Clone, Copy, PartialEq, Eq)]
struct NumberedTax {
    number: u32,
    part: TaxPart,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum TaxPart {
    Amount,
    /// Which tax or fee it is, in words.
    Kind,
}

impl NumberedTax {
    fn from_header(header: &str) -> Option<NumberedTax> {
        // "Tax 1 - %" is its rate.
        if header.contains('%') {
            return None;
        }
        let normal = normalize_header(header);
        let rest = normal.strip_prefix("tax")?.trim_start();
        let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        let (number, rest) = rest.split_at(digits);
        let says = |words: &[&str]| rest.split_whitespace().all(|word| words.contains(&word));
        let part = if says(&["amount", "amounts", "amt", "tax", "usd"]) {
            TaxPart::Amount
        } else if says(&["code", "desc", "description", "kind", "name", "tax", "type"]) {
            TaxPart::Kind
        } else {
            return None;
        };
        Some(NumberedTax { number: number.parse().ok()?, part })
    }
}

/// Gives each amount of a numbered tax the field that the column of its kind names in every row. Where that says nothing
/// or several things, none has a field but the first of those without a kind.
pub(crate) fn name_numbered_taxes(source: &ImportSource, columns: &mut [ProposedColumn]) {
    let taxes: Vec<Option<NumberedTax>> =
        columns.iter().map(|column| NumberedTax::from_header(&column.header)).collect();
    for at in 0..columns.len() {
        let Some(NumberedTax { number, part: TaxPart::Amount }) = taxes[at] else { continue };
        if matches!(columns[at].reason, MappingReason::Remembered | MappingReason::Template) {
            continue;
        }
        if number > 1 && !has_amounts(source, at) {
            (columns[at].field, columns[at].reason) = (None, MappingReason::Unknown);
            columns[at].suggestion = None;
            continue;
        }
        let kind = taxes.iter().position(|tax| *tax == Some(NumberedTax { number, part: TaxPart::Kind }));
        match kind.map(|kind| (kind, charge_of_all_rows(source, kind))) {
            Some((_, Some(field))) => {
                (columns[at].field, columns[at].reason) = (Some(field), MappingReason::Content);
                columns[at].suggestion = None;
            }
            Some((kind, None)) => {
                let header = columns[kind].header.clone();
                let reason = format!(
                    "Column \"{header}\" doesn't name the same known tax or fee in each row. Match it to its field: what isn't matched isn't sent."
                );
                release_column(&mut columns[at], &reason);
            }
            None if number > 1 => {
                let reason =
                    "It has amounts of a tax or a fee. Match it to its field: what isn't matched isn't sent.";
                release_column(&mut columns[at], reason);
            }
            None => {}
        }
    }
}

/// Whether a cell has another amount than zero. A third tax that no transaction has is no question.
fn has_amounts(source: &ImportSource, column: usize) -> bool {
    texts_of(source, column, usize::MAX)
        .any(|text| text.contains(|c: char| !matches!(c, '0' | '.' | ',' | '$' | '-')))
}

/// The field that all words of a column are names of, down to its last row: an amount of another charge would be filed
/// as this one's.
fn charge_of_all_rows(source: &ImportSource, column: usize) -> Option<Field> {
    let words: BTreeSet<&str> = texts_of(source, column, usize::MAX).collect();
    if words.len() > CHARGE_WORDS_MAX {
        return None;
    }
    let mut fields = words.into_iter().map(|word| charge_named(&charge_word(word)));
    let first = fields.next()?.filter(|field| *field != Field::Premium)?;
    fields.all(|field| field == Some(first)).then_some(first)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ReadOptions, propose_mapping, read};

    /// The fields of the columns of amounts.
    fn amount_fields(text: &str) -> Vec<Option<Field>> {
        let source = read("taxes.csv", text.as_bytes().to_vec(), &ReadOptions::default()).expect("a table");
        let columns = propose_mapping(&source, &[]).columns;
        let amounts = columns.into_iter().filter(|column| column.header.contains("Amount"));
        amounts.map(|column| column.field).collect()
    }

    /// Without a column that says what they are, the first is the state's.
    #[test]
    fn numbered_taxes_are_what_the_columns_beside_them_say() {
        let head = "Policy No,Insured,Premium,Tax 1 - Tax Type,Tax 1 - Tax Amount,Tax 2 - Tax Type,Tax 2 - Tax Amount";
        for (taxes, expected) in [
            (&["Surplus Lines Tax,5,FSLSO Fee,1"][..], [Some(Field::SlTax), Some(Field::StampingFee)]),
            (&["Stamping Fee,1,FL SL Tax,5", ",,SL Tax,5"], [Some(Field::StampingFee), Some(Field::SlTax)]),
            (&["SL Tax,5,FSLSO Fee,1", "SL Tax,5,Fire Marshal Tax,1"], [Some(Field::SlTax), None]),
            (&["Kitchen levy,5,,"], [None, None]),
        ] {
            let rows: String = taxes.iter().map(|taxes| format!("1,Diner LLC,100,{taxes}\n")).collect();
            assert_eq!(amount_fields(&format!("{head}\n{rows}")), expected, "{taxes:?}");
        }
        let many = "1,Diner LLC,100,SL Tax,5,Stamping Fee,1\n".repeat(30_000);
        let last = "2,Diner LLC,100,SL Tax,5,Fire Marshal Tax,1\n";
        assert_eq!(amount_fields(&format!("{head}\n{many}{last}")), [Some(Field::SlTax), None]);
        let plain = "Policy No,Insured,Premium,Tax 1 Amount,Tax 2 Amount\n1,Diner LLC,100,5,1\n";
        assert_eq!(amount_fields(plain), [Some(Field::SlTax), None]);
        assert_eq!(NumberedTax::from_header("Tax 1 - %").map(|tax| tax.number), None);
        assert_eq!(NumberedTax::from_header("Tax 1 - Amount of Taxable Premium").map(|tax| tax.number), None);
    }

    #[test]
    fn a_tax_that_no_row_has_is_no_question() {
        let text = "Policy,Premium,Tax1Name,Tax1,Tax2Name,Tax2\nP-1,100,SL Tax,4.85,,0.0000\nP-2,200,SL Tax,9.70,,\n";
        let source = read("taxes.csv", text.as_bytes().to_vec(), &ReadOptions::default()).expect("a table");
        let column = propose_mapping(&source, &[]).columns.pop().expect("six columns");
        let asks = column.suggestion.is_some_and(|suggestion| suggestion.reason.contains("Match it"));
        assert_eq!((column.field, asks), (None, false));
        // The first one is the tax, and may be zero in each row.
        assert_eq!(amount_fields("Policy,Premium,Tax 1 Amount\nP-1,100,0.00\n"), [Some(Field::SlTax)]);
    }
}
