//! Values that no column of a file has by itself: one for every row, parts of a column, several columns in one.
//!
//! They are a part of the mapping. What they make has the place of its field behind the last column, where it
//! is read, checked and changed as any cell; a field that a column of the file is matched to keeps that column.

use std::collections::{BTreeMap, BTreeSet};

use bordereau_tables::amount;
use bordereau_tables::date::{self, DateReading};
use bordereau_tables::{Cell, CellKind, DateOrder, DecimalMark, TextCut};
use chrono::NaiveDate;
use serde::{Deserialize, Serialize};

use crate::field::{Field, ValueKind};
use crate::words::{self, WordMeaning};

/// Rules of one kind in a mapping.
const RULES_MAX: usize = 50;
/// Parts of a column, and columns of a merge.
pub const COLUMN_PARTS_MAX: usize = 12;
/// Different words that a column of charges may have; more are what the charges are of, not what they are.
pub const CHARGE_WORDS_MAX: usize = 200;
/// Characters of such a word.
const WORD_CHARS_MAX: usize = 100;
/// Characters of a line's code.
const LINE_CHARS_MAX: usize = 60;
/// Characters of a separator.
const SEPARATOR_MAX: usize = 20;

/// A column by its header.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ColumnName {
    /// Header as found.
    pub header: String,
    /// Which of several columns with this header, from 0.
    #[serde(default)]
    pub occurrence: u16,
}

/// One column split into several fields.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ColumnSplit {
    /// The column.
    pub from: ColumnName,
    /// Where it is cut.
    pub cut: TextCut,
    /// The field of each part; `None` leaves the part out.
    pub fields: Vec<Option<Field>>,
}

/// Several columns merged into one field.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ColumnMerge {
    /// The columns in order; empty cells are skipped.
    pub from: Vec<ColumnName>,
    /// What is put between them. Amounts are added (`+`), or those behind the first are taken off it (`-`), as a credit
    /// from a debit.
    pub separator: String,
    /// The field.
    pub field: Field,
}

/// Columns with the premium of one line of business each: in a row, those that aren't empty or 0 are its lines.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LinePremiums {
    /// The columns in order.
    pub columns: Vec<LineColumn>,
}

/// The column with the premium of a line of business.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LineColumn {
    /// The column.
    pub from: ColumnName,
    /// Code of the line, such as `GEN-1002`.
    pub line: String,
}

impl LinePremiums {
    /// The fields that it makes.
    pub const FIELDS: [Field; 2] = [Field::LineOfBusiness, Field::LinePremium];

    /// The premium of all lines together.
    pub fn premium(&self) -> ColumnMerge {
        let from = self.columns.iter().map(|column| column.from.clone()).collect();
        ColumnMerge { from, separator: "+".to_owned(), field: Field::Premium }
    }

    fn check(&self) -> Result<(), String> {
        let is_line = |column: &LineColumn| {
            let line = column.line.trim();
            (1..=LINE_CHARS_MAX).contains(&line.chars().count())
                && !line.contains(['|', ';', '\n', '=', ':', '%'])
        };
        let columns: BTreeSet<&ColumnName> = self.columns.iter().map(|column| &column.from).collect();
        let sentence = if !(1..=COLUMN_PARTS_MAX).contains(&self.columns.len()) {
            "Choose 1 to 12 columns with the premium of a line of business each."
        } else if columns.len() < self.columns.len() {
            "A column has the premium of one line. Choose each column once."
        } else if !self.columns.iter().all(is_line) {
            "Choose the line of business of each column."
        } else {
            return Ok(());
        };
        Err(sentence.to_owned())
    }
}

/// Rows that have one charge each. What they belong to is put together by the mapping's grouping.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChargeRows {
    /// The column that says what each amount is for.
    pub charge: ColumnName,
    /// The column of the amounts.
    pub amount: ColumnName,
    /// The field of the amounts with each word, in lower case; `None` isn't imported. An amount with another word is
    /// an issue.
    pub fields: BTreeMap<String, Option<Field>>,
    /// Whether the premium's words are the transaction's type as well, as `NB` beside `SLT`.
    #[serde(default)]
    pub is_type: bool,
}

impl ChargeRows {
    /// The fields that it makes.
    pub fn made_fields(&self) -> BTreeSet<Field> {
        let mut fields: BTreeSet<Field> = self.fields.values().flatten().copied().collect();
        if self.is_type {
            fields.insert(Field::TransactionType);
        }
        fields
    }

    /// The words whose amounts are the field's.
    pub fn words_of(&self, field: Field) -> BTreeSet<String> {
        let own = self.fields.iter().filter(|(_, of)| **of == Some(field));
        own.map(|(word, _)| word.clone()).collect()
    }

    fn check(&self) -> Result<(), String> {
        let is_amount = |field: &Option<Field>| field.is_none_or(|field| field.kind() == ValueKind::Amount);
        let sentence = if self.charge == self.amount {
            "Choose one column that says what the amounts are for, and another one with the amounts."
        } else if self.fields.len() > CHARGE_WORDS_MAX || !self.fields.keys().all(|word| is_charge_word(word))
        {
            "The column has too many different texts, or too long ones, to say what the amounts are for. Choose another one."
        } else if !self.fields.values().all(is_amount) {
            "The amounts of charges are for a premium, a tax, a fee or a total. Choose one of these."
        } else {
            return Ok(());
        };
        Err(sentence.to_owned())
    }
}

/// Whether a text is short enough to say what an amount is for.
pub fn is_charge_word(word: &str) -> bool {
    word.chars().count() <= WORD_CHARS_MAX
}

/// A text as a word of charges.
pub fn charge_word(text: &str) -> String {
    text.trim().to_lowercase()
}

/// The rules of a mapping.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ColumnRules {
    /// What a field has in rows without a value: dates as yyyy-mm-dd, amounts as 1250.50.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub defaults: BTreeMap<Field, String>,
    /// Columns split into several fields.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub splits: Vec<ColumnSplit>,
    /// Columns merged into one field.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub merges: Vec<ColumnMerge>,
    /// Rows that have one charge each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub charges: Vec<ChargeRows>,
    /// Columns with the premium of one line of business each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<LinePremiums>,
}

impl ColumnRules {
    /// Whether there is no rule.
    pub fn is_empty(&self) -> bool {
        self.defaults.is_empty()
            && self.splits.is_empty()
            && self.merges.is_empty()
            && self.charges.is_empty()
            && self.lines.is_empty()
    }

    /// The fields that are made of columns.
    pub fn made_fields(&self) -> impl Iterator<Item = Field> {
        let parts = self.splits.iter().flat_map(|split| split.fields.iter().flatten().copied());
        let charges = self.charges.iter().flat_map(ChargeRows::made_fields);
        let lines = self.lines.iter().flat_map(|_| LinePremiums::FIELDS);
        parts.chain(self.merges.iter().map(|merge| merge.field)).chain(charges).chain(lines)
    }

    /// The columns that fields are made of.
    pub fn column_names(&self) -> impl Iterator<Item = &ColumnName> {
        let of_charges = self.charges.iter().flat_map(|rows| [&rows.charge, &rows.amount]);
        let split = self.splits.iter().map(|split| &split.from);
        let of_lines = self.lines.iter().flat_map(|lines| lines.columns.iter().map(|column| &column.from));
        split.chain(self.merges.iter().flat_map(|merge| &merge.from)).chain(of_charges).chain(of_lines)
    }

    /// A field that a column is matched to is made by no rule anymore; nor is anything of that column's amounts, which
    /// are of one field now.
    pub fn release_field(&mut self, field: Field, matched: &ColumnName) {
        self.merges.retain(|merge| merge.field != field);
        for split in &mut self.splits {
            for part in split.fields.iter_mut().filter(|part| **part == Some(field)) {
                *part = None;
            }
        }
        self.splits.retain(|split| split.fields.iter().any(Option::is_some));
        for charges in &mut self.charges {
            charges.fields.retain(|_, of| *of != Some(field));
            charges.is_type &= field != Field::TransactionType;
        }
        self.charges.retain(|charges| charges.amount != *matched);
        self.lines.retain(|_| !LinePremiums::FIELDS.contains(&field));
    }

    /// The rules with their values as they are read, whatever the file's own dates and amounts are like.
    ///
    /// # Errors
    /// What cannot be, and what to do, as a sentence.
    pub fn normalized(mut self) -> Result<ColumnRules, String> {
        for (field, value) in &mut self.defaults {
            *value = normalize_default(*field, value)?;
        }
        let counts = [self.splits.len(), self.merges.len(), self.charges.len(), self.lines.len()];
        if counts.iter().any(|count| *count > RULES_MAX) {
            return Err("There are more than 50 of these rules. Remove some.".to_owned());
        }
        self.splits.iter().try_for_each(check_split)?;
        for merge in self.merges.iter_mut().filter(|merge| merge.field.kind() == ValueKind::Amount) {
            merge.separator = if merge.separator.trim() == "-" { "-" } else { "+" }.to_owned();
        }
        self.merges.iter().try_for_each(check_merge)?;
        self.charges.iter().try_for_each(ChargeRows::check)?;
        self.lines.iter().try_for_each(LinePremiums::check)?;
        let mut seen = BTreeSet::new();
        let twice = self.made_fields().find(|field| !seen.insert(*field));
        match twice {
            Some(field) => Err(format!("{} is filled twice. Choose another field.", field.title())),
            None => Ok(self),
        }
    }
}

fn check_split(split: &ColumnSplit) -> Result<(), String> {
    let sentence = match &split.cut {
        _ if !(2..=COLUMN_PARTS_MAX).contains(&split.fields.len()) => "A column is split into 2 to 12 parts.",
        _ if split.fields.iter().all(Option::is_none) => "Choose a field for at least one part.",
        TextCut::Separators(all) | TextCut::SeparatorsFromEnd(all) => {
            let is_fit = |separator: &String| (1..=SEPARATOR_MAX).contains(&separator.chars().count());
            if !all.is_empty() && all.len() < COLUMN_PARTS_MAX && all.iter().all(is_fit) {
                return Ok(());
            }
            "Type where the column is split: 1 to 11 separators of at most 20 characters."
        }
        TextCut::Positions(all) => {
            if all.len() + 1 == split.fields.len()
                && all.first() != Some(&0)
                && all.is_sorted_by(|a, b| a < b)
            {
                return Ok(());
            }
            "Type after how many characters each part ends, such as 2, 7: one number less than there are parts."
        }
    };
    Err(sentence.to_owned())
}

fn check_merge(merge: &ColumnMerge) -> Result<(), String> {
    if !(2..=COLUMN_PARTS_MAX).contains(&merge.from.len()) {
        Err("Choose 2 to 12 columns to merge.".to_owned())
    } else if merge.separator.chars().count() > SEPARATOR_MAX {
        Err("A separator has at most 20 characters.".to_owned())
    } else {
        Ok(())
    }
}

/// A value for every row, as it is read whatever the file's own dates and amounts are like.
pub fn normalize_default(field: Field, typed: &str) -> Result<String, String> {
    let text = typed.trim();
    let refuse = |expected: &str| Err(format!("{}: type {expected}.", field.title()));
    let cell = Cell { text, kind: CellKind::Text };
    if text.is_empty() {
        return refuse("a value, or remove the rule");
    }
    if text.chars().count() > field.chars_max() {
        return refuse(&format!("at most {} characters", field.chars_max()));
    }
    match field.kind() {
        ValueKind::Amount => match amount::parse_cents(cell, DecimalMark::Point) {
            Ok(cents) => Ok(bordereau_money::Usd::from_cents(cents).to_string()),
            Err(_) => refuse("an amount such as 1,250.50"),
        },
        ValueKind::Date => match date::read(cell, Some(DateOrder::MonthFirst)) {
            DateReading::Day(day) if date::is_likely(day) => Ok(iso_date(day)),
            _ => refuse("a date such as 02/23/2026"),
        },
        ValueKind::Percent => match amount::rate_millionths(cell, DecimalMark::Point) {
            Some(_) => Ok(text.to_owned()),
            None => refuse("a percent such as 6%"),
        },
        ValueKind::Flag => match words::parse_flag(text) {
            Some(flag) => Ok(if flag { "1" } else { "0" }.to_owned()),
            None => refuse("yes or no"),
        },
        ValueKind::Code => match words::find_meaning(field, text) {
            WordMeaning::Code(code) | WordMeaning::StandsFor(code) => Ok(code.to_owned()),
            WordMeaning::Unknown => refuse("one of its codes"),
        },
        ValueKind::Identifier | ValueKind::Text | ValueKind::List | ValueKind::Shares => Ok(text.to_owned()),
    }
}

fn iso_date(day: NaiveDate) -> String {
    day.format("%Y-%m-%d").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_for_every_row_is_read_the_same_in_every_file() {
        let cases = [
            (Field::AgencyFee, "$1,250.5", Ok("1250.50")),
            (Field::AgencyFee, "about 5", Err("Agency fee: type an amount such as 1,250.50.")),
            (Field::InvoiceDate, "3/4/2026", Ok("2026-03-04")),
            (Field::InvoiceDate, "soon", Err("Invoice date: type a date such as 02/23/2026.")),
            (Field::Rpg, "no", Ok("0")),
            (Field::PhysicalState, "Texas", Ok("TX")),
            (Field::PhysicalState, "Texarkana", Err("State of the risk: type one of its codes.")),
            (Field::AgentId, " 007 ", Ok("007")),
            (Field::AgentId, " ", Err("Agent ID: type a value, or remove the rule.")),
        ];
        for (field, typed, expected) in cases {
            let rules = ColumnRules {
                defaults: BTreeMap::from([(field, typed.to_owned())]),
                ..ColumnRules::default()
            };
            let read = rules.normalized().map(|rules| rules.defaults[&field].clone());
            assert_eq!(read.as_deref().map_err(String::as_str), expected, "{typed}");
            if let Ok(value) = read {
                assert_eq!(normalize_default(field, &value), Ok(value), "once more it stays");
            }
        }
    }
}
