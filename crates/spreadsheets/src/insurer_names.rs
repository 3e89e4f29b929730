//! Numbers of insurers that a file has beside their names: a name in the place of a number is one of them.

use std::collections::HashMap;

use bordereau_mapping::{CodeProposal, Field, synonyms};
use bordereau_tables::source_headers;

use crate::insurer_number::is_insurer_number;
use crate::review::Review;

/// Names of insurers with the one number that the file has beside each.
#[derive(Clone, Debug, Default)]
pub struct InsurerNames {
    header: String,
    /// By name in lower case; `None` where the file has several numbers.
    numbers: HashMap<String, Option<String>>,
}

impl InsurerNames {
    /// Of the first column that is headed as one of insurers and isn't read as their numbers.
    #[must_use]
    pub fn of_file(review: &Review) -> InsurerNames {
        let (source, layout) = (review.source(), review.layout());
        let headers = source_headers(source);
        let is_named = |column: &usize| {
            layout.field_of(*column).is_none()
                && synonyms::field_named(&headers[*column]) == Some(Field::InsuranceCompany)
        };
        let (Some(names), [numbers]) =
            ((0..headers.len()).find(is_named), layout.columns_of(Field::InsuranceCompany))
        else {
            return InsurerNames::default();
        };
        let mut of_file = InsurerNames { header: headers[names].clone(), ..InsurerNames::default() };
        let first = source.header_row().map_or(0, |row| row + 1);
        for row in first..source.table.row_count() {
            let name = source.table.text_at(row, names).trim();
            let number = source.table.text_at(row, usize::from(*numbers)).trim();
            if name.is_empty() || !is_insurer_number(number) {
                continue;
            }
            let known = of_file.numbers.entry(name.to_lowercase()).or_insert_with(|| Some(number.to_owned()));
            if known.as_deref() != Some(number) {
                *known = None;
            }
        }
        of_file
    }

    /// The number of a name, where the file has one, with the reason.
    #[must_use]
    pub fn propose_number(&self, name: &str) -> Option<CodeProposal> {
        let code = self.numbers.get(&name.trim().to_lowercase())?.clone()?;
        let reason = format!("Rows with \"{}\" in column \"{}\" have {code}.", name.trim(), self.header);
        Some(CodeProposal { code, reason })
    }
}
