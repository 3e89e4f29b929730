//! Which column is which field, and which value is mapped to which code: remembered, shared as a file.

use std::collections::BTreeMap;

use bordereau_tables::{DateOrder, DecimalMark, normalize_header};
use serde::{Deserialize, Serialize};

use crate::column_rules::{ColumnName, ColumnRules};
use crate::field::{Field, ValueKind};

/// Which rows belong to one transaction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RowGrouping {
    /// Each row is a transaction.
    #[default]
    None,
    /// Rows with the same id.
    ById,
    /// Rows with the same policy number, type, transaction date and invoice number.
    ByPolicy,
}

/// What amounts mean that stand in several rows of one transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RowAmounts {
    /// Parts to be added.
    Add,
    /// The same amount again; they must be equal.
    Repeat,
}

/// One column of a mapping.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ColumnChoice {
    /// Header as found.
    pub header: String,
    /// Which of several columns with this header, from 0.
    #[serde(default)]
    pub occurrence: u16,
    /// The field; `None` leaves the column out.
    pub field: Option<Field>,
}

/// A mapping: serialises as a file that can be shared and given to the command line.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Mapping {
    /// Version of the file's form: 1.
    pub version: u32,
    /// Its name.
    pub name: String,
    /// The columns.
    pub columns: Vec<ColumnChoice>,
    /// The date order, once a person has said it.
    pub date_order: Option<DateOrder>,
    /// The decimal mark, once a person has said it.
    pub decimal_mark: Option<DecimalMark>,
    /// Words and the codes they stand for, by field; words in lower case.
    pub values: BTreeMap<Field, BTreeMap<String, String>>,
    /// Which rows belong together.
    pub grouping: RowGrouping,
    /// What amounts in several rows mean; `None` is an open question.
    pub row_amounts: Option<RowAmounts>,
    /// Values that no column has by itself.
    #[serde(skip_serializing_if = "ColumnRules::is_empty")]
    pub rules: ColumnRules,
}

/// Why a mapping file was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MappingError {
    /// Not the form of a mapping.
    #[error("This is not a mapping file: {0}. Export one from the review and change that.")]
    Unreadable(String),
    /// A rule that cannot be.
    #[error("The mapping file has a rule that cannot be used. {0}")]
    Rule(String),
    /// A newer version.
    #[error("The mapping file is of version {0}; this program reads version 1. Update Bordereau.")]
    Newer(u32),
}

impl Mapping {
    /// The columns of a table that was written here, as an American office writes it: nothing has to be asked.
    pub fn of_own_table(columns: impl IntoIterator<Item = (String, Option<Field>)>) -> Mapping {
        let choice = |(header, field)| ColumnChoice { header, occurrence: 0, field };
        Mapping {
            version: 1,
            columns: columns.into_iter().map(choice).collect(),
            date_order: Some(DateOrder::MonthFirst),
            decimal_mark: Some(DecimalMark::Point),
            ..Mapping::default()
        }
    }

    /// The text of a mapping file (JSON).
    pub fn to_file(&self) -> String {
        serde_json::to_string_pretty(self).unwrap_or_default()
    }

    /// Reads a mapping file.
    ///
    /// # Errors
    /// [`MappingError`] when it is none, or of a newer version.
    pub fn from_file(text: &str) -> Result<Mapping, MappingError> {
        let mapping: Mapping =
            serde_json::from_str(text).map_err(|error| MappingError::Unreadable(error.to_string()))?;
        if mapping.version > 1 {
            return Err(MappingError::Newer(mapping.version));
        }
        mapping.with_checked_rules().map_err(MappingError::Rule)
    }

    /// The mapping with its rules as they are read.
    ///
    /// # Errors
    /// What cannot be, and what to do, as a sentence.
    pub fn with_checked_rules(self) -> Result<Mapping, String> {
        let rules = self.rules.normalized()?;
        let is_amount = |field: &&Field| field.kind() == ValueKind::Amount;
        let is_added = self.grouping != RowGrouping::None && self.row_amounts == Some(RowAmounts::Add);
        match rules.defaults.keys().find(is_amount).filter(|_| is_added) {
            Some(field) => Err(format!(
                "{} would be added once for each row of a transaction. Remove its value for every row, or say that \
                 amounts in several rows are the same amount again.",
                field.title()
            )),
            None => Ok(Mapping { rules, ..self }),
        }
    }

    /// Remembers the code that a word is mapped to.
    pub fn remember_value(&mut self, field: Field, word: &str, code: &str) {
        self.values.entry(field).or_default().insert(word.trim().to_lowercase(), code.to_owned());
    }

    /// The code a word was remembered to stand for.
    pub fn remembered_code(&self, field: Field, word: &str) -> Option<&str> {
        if self.values.is_empty() {
            return None;
        }
        self.values.get(&field)?.get(&word.trim().to_lowercase()).map(String::as_str)
    }

    /// The column of this name among those of the mapping.
    pub fn column_named(&self, name: &ColumnName) -> Option<usize> {
        let wanted = normalize_header(&name.header);
        let is_it = |choice: &ColumnChoice| {
            choice.occurrence == name.occurrence && normalize_header(&choice.header) == wanted
        };
        self.columns.iter().position(is_it)
    }

    /// The choices by header and occurrence, for many columns: a table may have ten thousand.
    pub fn column_choices(&self) -> ColumnChoices {
        let mut choices = BTreeMap::new();
        for column in &self.columns {
            let place = (normalize_header(&column.header), column.occurrence);
            choices.entry(place).or_insert(column.field);
        }
        ColumnChoices(choices)
    }
}

/// What a mapping says of columns, the first of equal ones.
pub struct ColumnChoices(BTreeMap<(String, u16), Option<Field>>);

impl ColumnChoices {
    /// The field of a column, its header as [`normalize_header`] gives it; the outer `None` when the mapping
    /// does not know the column.
    pub fn choice_for(&self, normal: &str, occurrence: u16) -> Option<Option<Field>> {
        self.0.get(&(normal.to_owned(), occurrence)).copied()
    }
}
