//! A column with the term of each policy, such as "Term (Mos)", beside which no column says when the policy ends.

use bordereau_tables::{ImportSource, normalize_header, source_headers};
use chrono::{Days, Months, NaiveDate};

use crate::layout::ColumnLayout;
use crate::proposed_column::{FieldSuggestion, ProposedColumn, sample_column};

/// Months after which a policy ends whose expiration date isn't given [contract, import].
const USUAL_MONTHS: u32 = 12;

/// A term is at most this long.
const MONTHS_MAX: u32 = 120;

/// A number without a unit below this may be years.
const PLAIN_MONTHS_MIN: u32 = 6;

/// Days in which a year is written.
const YEAR_DAYS: [u32; 2] = [365, 366];

const HEADERS: [&str; 3] = ["policy term", "pol term", "term"];

/// In what a term is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TermUnit {
    Days,
    Months,
    Years,
}

impl TermUnit {
    fn named(word: &str) -> Option<TermUnit> {
        match word {
            "d" | "day" | "days" => Some(TermUnit::Days),
            "m" | "mo" | "month" | "months" | "mos" | "mth" | "mths" => Some(TermUnit::Months),
            "y" | "year" | "years" | "yr" | "yrs" => Some(TermUnit::Years),
            _ => None,
        }
    }
}

/// In what the header of a column of terms says that they are, if it does; `None` of other columns.
fn unit_of_header(header: &str) -> Option<Option<TermUnit>> {
    let normal = normalize_header(header);
    let rest = HEADERS.iter().find_map(|own| normal.strip_prefix(own))?.trim_start();
    let word = rest.strip_prefix("in ").unwrap_or(rest);
    let unit = TermUnit::named(word);
    (unit.is_some() != word.is_empty()).then_some(unit)
}

/// Says of a column of terms what it is for: no field takes it, but rows are checked with it.
pub(crate) fn explain_terms(source: &ImportSource, columns: &mut [ProposedColumn]) {
    let is_open = |column: &&mut ProposedColumn| column.field.is_none() && column.suggestion.is_none();
    for column in columns.iter_mut().filter(is_open) {
        let Some(unit) = unit_of_header(&column.header) else { continue };
        let Ok(of_table) = u16::try_from(column.column) else { continue };
        let term = TermColumn { column: of_table, unit };
        if sample_column(source, column.column).any(|text| term.end(text, NaiveDate::default()).is_some()) {
            let reason = "Terms of policies. They tell when a policy ends whose expiration date is missing.";
            column.suggestion = Some(FieldSuggestion { field: None, reason: reason.to_owned() });
        }
    }
}

/// The column of terms, and in what its header says that they are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TermColumn {
    /// The column.
    pub(crate) column: u16,
    unit: Option<TermUnit>,
}

impl TermColumn {
    /// The column of terms that no field takes.
    pub(crate) fn find(source: &ImportSource, layout: &ColumnLayout) -> Option<TermColumn> {
        source_headers(source).iter().enumerate().find_map(|(column, header)| {
            let unit = unit_of_header(header)?;
            let column = u16::try_from(column).ok().filter(|_| layout.field_of(column).is_none())?;
            Some(TermColumn { column, unit })
        })
    }

    /// When a policy ends that began on this day, by a term such as "6", "6 mos" or "180 days"; `None` where it isn't sure
    /// what the term is.
    pub(crate) fn end(self, text: &str, began: NaiveDate) -> Option<NaiveDate> {
        let text = text.trim();
        let digits = text.find(|character: char| !character.is_ascii_digit()).unwrap_or(text.len());
        let (number, unit) = text.split_at(digits);
        let number: u32 = number.parse().ok().filter(|number| *number > 0)?;
        let unit = match normalize_header(unit).as_str() {
            "" if number >= PLAIN_MONTHS_MIN => self.unit.unwrap_or(TermUnit::Months),
            "" => self.unit?,
            word => TermUnit::named(word)?,
        };
        let months = match unit {
            TermUnit::Days if YEAR_DAYS.contains(&number) => USUAL_MONTHS,
            TermUnit::Days => {
                return began
                    .checked_add_days(Days::new(number.into()))
                    .filter(|_| number <= MONTHS_MAX * 31);
            }
            TermUnit::Months => number,
            TermUnit::Years => number.checked_mul(12)?,
        };
        Some(months).filter(|months| *months <= MONTHS_MAX).and_then(|months| add_months(began, months))
    }
}

/// When a policy ends of which nothing else is known.
pub(crate) fn usual_end(began: NaiveDate) -> Option<NaiveDate> {
    add_months(began, USUAL_MONTHS)
}

fn add_months(began: NaiveDate, months: u32) -> Option<NaiveDate> {
    began.checked_add_months(Months::new(months))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_term_is_one_where_that_is_sure() {
        use TermUnit as U;
        let began = NaiveDate::from_ymd_opt(2026, 1, 31).unwrap();
        let cases = [
            ("6", Some(U::Months), Some("2026-07-31")),
            ("3", Some(U::Months), Some("2026-04-30")),
            ("3", None, None),
            ("12", None, Some("2027-01-31")),
            ("6 mos.", None, Some("2026-07-31")),
            ("18 Months", Some(U::Days), Some("2027-07-31")),
            ("1 year", None, Some("2027-01-31")),
            ("1", Some(U::Years), Some("2027-01-31")),
            ("3 yrs", Some(U::Months), Some("2029-01-31")),
            ("180 days", None, Some("2026-07-30")),
            ("90", Some(U::Days), Some("2026-05-01")),
            ("365", Some(U::Days), Some("2027-01-31")),
            ("180", Some(U::Months), None),
            ("180", None, None),
            ("0", Some(U::Days), None),
            ("6.5", Some(U::Months), None),
            ("annual", Some(U::Months), None),
            ("", Some(U::Months), None),
            ("4294967295 years", None, None),
            ("4294967295", Some(U::Days), None),
        ];
        for (text, unit, expected) in cases {
            let end = TermColumn { column: 0, unit }.end(text, began).map(|day| day.to_string());
            assert_eq!(end.as_deref(), expected, "{text}");
        }
    }
}
