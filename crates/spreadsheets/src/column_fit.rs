//! Whether the cells of a column can be what its heading names: "County" may be a fee or the name of a county.

use bordereau_mapping::{
    Field, ValueKind, is_trade_word, line_named,
    words::{self, WordMeaning},
};
use bordereau_tables::amount;
use bordereau_tables::date::{self, DateReading};
use bordereau_tables::{Cell, DecimalMark};

use crate::message::shorten_text;
use crate::row_reader::is_failed_formula;

/// Words of cells that say only that there is nothing.
const BLANK_WORDS: [&str; 10] =
    ["n/a", "na", "none", "null", "tbd", "tba", "unknown", "pending", "included", "incl"];

/// Why a column isn't the field that its heading names, and what its cells are instead, where there is a field for it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct ColumnMisfit {
    pub(crate) fitting: Option<Field>,
    pub(crate) reason: String,
}

/// `None` where some cell can be the field's value, or no cell says anything.
pub(crate) fn find_misfit<'a>(field: Field, cells: impl Iterator<Item = Cell<'a>>) -> Option<ColumnMisfit> {
    // A formula without a result says nothing of its column, and is told in its row.
    let mut telling: Vec<Cell<'a>> = cells.filter(|cell| !is_failed_formula(*cell)).collect();
    if telling.iter().any(|cell| can_be(field, *cell)) {
        return None;
    }
    // Agency systems call a policy's line of business its type, or whether it is new or a renewal.
    let is_line = |cell: &Cell<'_>| is_trade_word(Field::LineOfBusiness, cell.text);
    let is_transaction = |cell: &Cell<'_>| is_known_word(Field::TransactionType, cell.text);
    let are_transactions = telling.iter().all(is_transaction);
    let may_be_line = field == Field::PolicyType && telling.iter().any(is_line);
    if matches!(field, Field::PolicyType | Field::AccountWrittenAs) && !are_transactions && !may_be_line {
        return None;
    }
    telling.retain(|cell| is_telling(cell.text));
    let first = telling.first()?;
    let all = |test: &dyn Fn(Cell<'a>) -> bool| telling.iter().all(|cell| test(*cell));
    let fitting = match field {
        Field::Rpg if all(&|cell| has_letter(cell.text)) => Some(Field::PurchasingGroupName),
        Field::LineOfBusiness if all(&is_amount) => Some(Field::PolicyLimit),
        Field::PolicyType | Field::AccountWrittenAs if are_transactions => Some(Field::TransactionType),
        Field::PolicyType => Some(Field::LineOfBusiness),
        Field::AgentId => Some(Field::RetailProducer),
        _ => None,
    };
    let expected = match field.kind() {
        ValueKind::Amount => "no amounts",
        ValueKind::Percent => "no percentages",
        ValueKind::Date => "no dates",
        ValueKind::Flag => "neither yes nor no",
        ValueKind::Code => "none of its codes",
        ValueKind::Identifier => "names",
        _ => "numbers",
    };
    let reason = format!(
        "Not matched to {}: its cells are {expected}, such as \"{}\".",
        field.title(),
        shorten_text(first.text.trim())
    );
    Some(ColumnMisfit { fitting, reason })
}

/// Marks and words for nothing tell nothing of a column.
fn is_telling(text: &str) -> bool {
    let text = text.trim();
    text.chars().filter(|c| c.is_alphanumeric()).nth(1).is_some()
        && !BLANK_WORDS.contains(&text.to_lowercase().as_str())
}

/// Whether a cell can be a value of the field. Words that aren't known yet can be codes and lines.
fn can_be(field: Field, cell: Cell<'_>) -> bool {
    match field.kind() {
        ValueKind::Amount if matches!(field, Field::PolicyLimit | Field::PropertyLimit) => {
            // Two limits in one cell aren't asked for.
            let is_one = !cell.text.contains('/');
            is_amount(cell) || (is_one && amount::limit_cents(cell.text, DecimalMark::Point).is_some())
        }
        ValueKind::Amount => is_amount(cell),
        ValueKind::Percent => amount::rate_millionths(cell, DecimalMark::Point).is_some(),
        ValueKind::Date => date::read(cell, None) != DateReading::Unreadable,
        ValueKind::Flag => words::parse_flag(cell.text).is_some(),
        // Schedules call the use of a building so, too: it is a dwelling's where a cell says how one is held.
        ValueKind::Code
            if matches!(field, Field::Occupancy | Field::PolicyType | Field::AccountWrittenAs) =>
        {
            is_known_word(field, cell.text)
        }
        // Words that nobody knows yet are an office's own; numbers are a tax or a fee of the state.
        ValueKind::Code if field == Field::PhysicalState => has_letter(cell.text),
        ValueKind::Text => has_letter(cell.text),
        // "Agent" may be an agent's name.
        ValueKind::Identifier if field == Field::AgentId => {
            !cell.text.trim().contains(' ') || cell.text.contains(|letter: char| letter.is_ascii_digit())
        }
        ValueKind::List if field == Field::LineOfBusiness => !is_amount(cell) || is_whole(cell.text),
        _ => true,
    }
}

/// Whether a word is a code of the field, usual for one, or the name of a line of business.
pub(crate) fn is_known_word(field: Field, text: &str) -> bool {
    let word = text.trim();
    words::find_meaning(field, word) != WordMeaning::Unknown
        || is_trade_word(field, text)
        || (field == Field::LineOfBusiness && line_named(word).is_some())
}

fn is_amount(cell: Cell<'_>) -> bool {
    let reads = |mark| amount::parse_cents(cell, mark) != Err(amount::AmountFault::Unreadable);
    reads(DecimalMark::Point) || reads(DecimalMark::Comma)
}

fn has_letter(text: &str) -> bool {
    text.contains(char::is_alphabetic)
}

/// A number of a few digits can be an office's own code.
fn is_whole(text: &str) -> bool {
    let text = text.trim();
    text.len() <= 5 && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use bordereau_tables::CellKind;

    use super::*;

    #[test]
    fn cells_of_another_kind_are_told_with_an_example() {
        use Field as F;
        /// A field, cells of its column, and the field they fit with the reason; none where they fit.
        type Case<'c> = (Field, &'c [&'c str], Option<(Option<Field>, &'c str)>);
        let cases: [Case; 35] = [
            (
                F::AccountWrittenAs,
                &["New", "Renew"],
                Some((Some(F::TransactionType), "codes, such as \"New\"")),
            ),
            (F::AccountWrittenAs, &["House account", "New"], None),
            (F::PolicyType, &["New", "Renewal"], Some((Some(F::TransactionType), "codes, such as \"New\""))),
            (F::PolicyType, &["New", "CGL"], Some((Some(F::LineOfBusiness), "codes, such as \"New\""))),
            (F::PolicyType, &["New", "Special"], None),
            (F::CountyFee, &["Travis", "Harris"], Some((None, "no amounts, such as \"Travis\""))),
            (F::CountyFee, &["12.50", "Harris"], None),
            (F::CountyFee, &["#N/A", "#REF!"], None),
            (F::CountyFee, &["#N/A", "Harris"], Some((None, "no amounts, such as \"Harris\""))),
            (
                F::CommissionReceived,
                &["150.00", "10%"],
                Some((None, "neither yes nor no, such as \"150.00\"")),
            ),
            (F::CommissionReceived, &["Yes", "150.00"], None),
            (F::PolicyLimit, &["1M/2M"], Some((None, "no amounts, such as \"1M/2M\""))),
            (F::PolicyLimit, &["1M/2M", "1.5M"], None),
            (F::PropertyLimit, &["5% of TIV"], Some((None, "no amounts, such as \"5% of TIV\""))),
            (F::Premium, &["1.5M"], Some((None, "no amounts"))),
            (F::PolicyLimit, &["$1,000,000"], None),
            (F::PolicyLimit, &["1.000.000,00"], None),
            (F::InspectionFee, &["03/01/2026"], Some((None, "no amounts"))),
            (F::LayeredRisk, &["maybe", "0"], None),
            (F::InvoiceDate, &["Yes", "No"], Some((None, "no dates"))),
            (F::InvoiceDate, &["03/01/2026"], None),
            (F::Rpg, &["Diners Group Inc"], Some((Some(F::PurchasingGroupName), "neither yes nor no"))),
            (F::LineOfBusiness, &["1,000,000", "2,000,000"], Some((Some(F::PolicyLimit), "numbers"))),
            (F::LineOfBusiness, &["CGL", "1,000,000"], None),
            (F::LineOfBusiness, &["10012"], None),
            (F::InsuredName, &["1001", "1002"], Some((None, "numbers, such as \"1001\""))),
            (F::Occupancy, &["Warehouse", "Owner occupied"], None),
            (F::Occupancy, &["Warehouse"], Some((None, "none of its codes"))),
            (F::PolicyType, &["CGL", "Spaceships"], Some((Some(F::LineOfBusiness), "none of its codes"))),
            (F::PolicyType, &["CGL", "Standard"], None),
            (F::PolicyType, &["Claims made"], None),
            // Nothing is said of the column.
            (F::Premium, &["N/A", "-", "x", ""], None),
            (F::TransactionType, &["NBUS"], None),
            (F::PhysicalState, &["$53.35", "97.00"], Some((None, "none of its codes"))),
            (F::PhysicalState, &["Tejas"], None),
        ];
        for (field, texts, expected) in cases {
            let cells = texts.iter().map(|text| Cell { text, kind: CellKind::Text });
            let found = find_misfit(field, cells);
            assert_eq!(
                found.as_ref().map(|misfit| misfit.fitting),
                expected.map(|(field, _)| field),
                "{texts:?}"
            );
            if let (Some(found), Some((_, reason))) = (found, expected) {
                assert!(found.reason.contains(reason), "{}", found.reason);
            }
        }
    }
}
