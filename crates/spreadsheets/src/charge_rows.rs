//! Files with a row for each charge of a transaction: one column says what an amount is for, another has the amounts.

use std::collections::BTreeSet;

use bordereau_mapping::{
    CHARGE_WORDS_MAX, ChargeRows, ColumnName, Field, ValueKind, charge_word, is_charge_word, is_trade_word,
    synonyms,
    words::{self, WordMeaning},
};
use bordereau_tables::{ImportSource, count_occurrences, normalize_header, source_headers};

use crate::columns::SAMPLE_ROWS;

/// Columns of a table that are looked at; it may have ten thousand.
const COLUMNS_MAX: usize = 300;

/// Different texts of a column that are looked at for words of charges.
const TEXTS_MAX: usize = 10_000;

/// Gives the known words of a column their fields, unless they have one.
#[must_use]
pub fn with_known_words(mut charges: ChargeRows, source: &ImportSource, column: usize) -> ChargeRows {
    let mut seen = BTreeSet::new();
    for text in texts_of(source, column, usize::MAX) {
        if charges.fields.len() >= CHARGE_WORDS_MAX || seen.len() >= TEXTS_MAX {
            break;
        }
        let word = charge_word(text);
        if seen.insert(text)
            && let Some(field) = charge_named(&word)
        {
            charges.fields.entry(word).or_insert(Some(field));
        }
    }
    charges
}

/// The texts of a column's first rows.
pub(crate) fn texts_of(source: &ImportSource, column: usize, rows: usize) -> impl Iterator<Item = &str> {
    let first = source.header_row().map_or(0, |row| row + 1);
    let end = source.table.row_count().min(first.saturating_add(rows));
    let texts = (first..end).map(move |row| source.table.text_at(row, column).trim());
    texts.filter(|text| !text.is_empty())
}

/// What agency systems call charges in a column of codes, beside the names that headers have.
const CHARGE_CODES: [(&str, Field); 35] = [
    ("afee", Field::AgencyFee),
    ("agyfee", Field::AgencyFee),
    ("bfee", Field::AgencyFee),
    ("bkrfee", Field::AgencyFee),
    ("brkfee", Field::AgencyFee),
    ("cfee", Field::InspectionFee),
    ("elany", Field::StampingFee),
    ("fmtx", Field::FmTax),
    ("fslso", Field::StampingFee),
    ("ifee", Field::InspectionFee),
    ("insf", Field::InspectionFee),
    ("insp", Field::InspectionFee),
    ("pfee", Field::AgencyFee),
    ("plf", Field::AgencyFee),
    ("plfe", Field::AgencyFee),
    ("polf", Field::AgencyFee),
    ("polfee", Field::AgencyFee),
    ("prm", Field::Premium),
    ("sla", Field::StampingFee),
    ("slf", Field::SlServiceCharge),
    ("slsot", Field::StampingFee),
    ("slstax", Field::SlTax),
    ("sltx", Field::SlTax),
    ("stax", Field::SlTax),
    ("stf", Field::StampingFee),
    ("stfe", Field::StampingFee),
    ("stfee", Field::StampingFee),
    ("stmf", Field::StampingFee),
    ("stmp", Field::StampingFee),
    ("stmpfee", Field::StampingFee),
    ("stmpg", Field::StampingFee),
    ("stpf", Field::StampingFee),
    ("terrorism", Field::Premium),
    ("tria", Field::Premium),
    ("tripra", Field::Premium),
];

/// Words before "premium" with which it is still what is filed; an earned, a net or a minimum one is not.
const PREMIUM_WORDS: [&str; 6] = ["annual", "base", "deposit", "policy", "terrorism", "tria"];

/// Words before a tax or a fee, beside its state's name, with which it is still the one named; a carrier's fee is not the
/// agency's, and a municipality's premium tax not the state's.
const OWNER_WORDS: [&str; 7] = ["agency", "broker", "our", "retail", "state", "wholesale", "wholesaler"];

/// The field of the amounts that a word is beside; a rate in it is not looked at ("Surplus Lines Tax 4.85%").
pub(crate) fn charge_named(word: &str) -> Option<Field> {
    // A cell may have thousands of words.
    if !is_charge_word(word) {
        return None;
    }
    let is_rate = |part: &&str| part.chars().all(|letter| !letter.is_alphabetic());
    let parts: Vec<&str> = word.split_whitespace().filter(|part| !is_rate(part)).collect();
    if let Some(field) = charge_written(&parts.join(" ")) {
        return Some(field);
    }
    // "Texas Surplus Lines Tax", "New Business Premium".
    (1..parts.len()).find_map(|at| {
        let (before, named) = parts.split_at(at);
        if named == ["premium"] {
            let known =
                is_type_word(&before.join(" ")) || before.iter().all(|part| PREMIUM_WORDS.contains(part));
            return known.then_some(Field::Premium);
        }
        let before_it = before.join(" ");
        let is_named = words::find_meaning(Field::PhysicalState, &before_it) != WordMeaning::Unknown
            || before.iter().all(|part| OWNER_WORDS.contains(part));
        if is_named && named.len() > 1 { charge_written(&named.join(" ")) } else { None }
    })
}

fn charge_written(word: &str) -> Option<Field> {
    let by_code = CHARGE_CODES.iter().find(|(code, _)| *code == word).map(|(_, field)| *field);
    let is_amount = |field: &Field| field.kind() == ValueKind::Amount;
    by_code
        .or_else(|| synonyms::field_named(word).filter(is_amount))
        .or_else(|| is_type_word(word).then_some(Field::Premium))
}

/// A letter may be a commission as well as a cancellation.
fn is_type_word(word: &str) -> bool {
    let is_known = words::find_meaning(Field::TransactionType, word) != WordMeaning::Unknown
        || is_trade_word(Field::TransactionType, word);
    is_known && word.len() > 1
}

/// Words of a header beside "amount", with which it is still that of one charge each.
const AMOUNT_WORDS: [&str; 16] = [
    "amount",
    "amt",
    "amounts",
    "billed",
    "bill",
    "charge",
    "charged",
    "detail",
    "entry",
    "gross",
    "item",
    "line",
    "posted",
    "tran",
    "trans",
    "transaction",
];

/// A file whose rows have a charge each, with its columns.
pub(crate) struct FoundChargeRows {
    pub rule: ChargeRows,
    pub charge: usize,
    pub amount: usize,
    /// Columns that say again what each amount is for, as a description beside a code.
    pub further: Vec<usize>,
}

/// The fields that a column of charges may be taken for.
const NAMING_FIELDS: [Option<Field>; 4] =
    [None, Some(Field::TransactionType), Some(Field::RiskDescription), Some(Field::LineOfBusiness)];

/// Whether at least half of a column's words are charges, a premium and another one among them.
fn is_naming_charges(source: &ImportSource, column: usize) -> bool {
    let mut words = BTreeSet::new();
    for text in texts_of(source, column, SAMPLE_ROWS) {
        if words.insert(charge_word(text)) && words.len() > CHARGE_WORDS_MAX {
            return false;
        }
    }
    let known: Vec<Field> = words.iter().filter_map(|word| charge_named(word)).collect();
    let has_others = known.iter().any(|field| *field != Field::Premium);
    known.contains(&Field::Premium) && has_others && known.len() * 2 >= words.len()
}

/// What a file is whose rows have a charge each.
pub(crate) fn find_charge_rows(source: &ImportSource, fields: &[Option<Field>]) -> Option<FoundChargeRows> {
    let headers = source_headers(source);
    let is_amount = |column: &usize| {
        let normal = normalize_header(&headers[*column]);
        let has_one = normal.split(' ').any(|word| ["amount", "amt", "amounts"].contains(&word));
        has_one && normal.split(' ').all(|word| AMOUNT_WORDS.contains(&word))
    };
    let mut amounts = (0..headers.len()).filter(is_amount);
    let (amount, None) = (amounts.next()?, amounts.next()) else { return None };
    // Amounts in columns of their own are a transaction's, and each row is one; a limit and a total may be in each row.
    let is_charge = |(column, field): (usize, &Option<Field>)| {
        let of_each_row = [Field::PolicyLimit, Field::PropertyLimit, Field::Total];
        column != amount
            && field.is_some_and(|field| field.kind() == ValueKind::Amount && !of_each_row.contains(&field))
    };
    if fields.iter().enumerate().any(is_charge) {
        return None;
    }
    let mut naming = (0..headers.len().min(COLUMNS_MAX))
        .filter(|column| *column != amount && NAMING_FIELDS.contains(&fields[*column]))
        .filter(|column| is_naming_charges(source, *column));
    let charge = naming.next()?;
    let further: Vec<usize> = naming.collect();
    let places = count_occurrences(&headers);
    let name = |column: usize| ColumnName { header: headers[column].clone(), occurrence: places[column].1 };
    let found = ChargeRows { charge: name(charge), amount: name(amount), ..ChargeRows::default() };
    let mut found = with_known_words(found, source, charge);
    // A column of codes has the type, too, where no other column does.
    let has_type = fields
        .iter()
        .enumerate()
        .any(|(column, field)| column != charge && *field == Some(Field::TransactionType));
    found.is_type = !has_type && found.words_of(Field::Premium).iter().any(|word| is_type_word(word));
    Some(FoundChargeRows { rule: found, charge, amount, further })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn charges_are_named_as_ledgers_name_them() {
        let cases = [
            ("surplus lines tax 4.94%", Some(Field::SlTax)),
            ("texas surplus lines tax (4.85 %)", Some(Field::SlTax)),
            ("new business premium", Some(Field::Premium)),
            ("terrorism premium", Some(Field::Premium)),
            ("earned premium", None),
            ("wholesale broker fee", Some(Field::AgencyFee)),
            ("new york stamping fee", Some(Field::StampingFee)),
            ("tx - stamping fee", Some(Field::StampingFee)),
            ("tax on policy fee", None),
            ("carrier policy fee", Some(Field::InspectionFee)),
            ("finance company policy fee", None),
            ("municipal premium tax", None),
            ("credit card service charge", None),
            ("stamping fee @ .04%", Some(Field::StampingFee)),
            ("non-taxable", None),
            ("nb", Some(Field::Premium)),
            ("4.85%", None),
            ("tria", Some(Field::Premium)),
            ("prm", Some(Field::Premium)),
            ("stf", Some(Field::StampingFee)),
            ("sf", None),
            ("c", None),
            ("", None),
        ];
        for (word, field) in cases {
            assert_eq!(charge_named(word), field, "{word}");
        }
    }
}
