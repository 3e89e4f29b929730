//! Issues in words: where, found, expected, what to do.

use bordereau_contract::format_money;
use bordereau_mapping::Field;
use bordereau_money::Usd;
use bordereau_tables::{amount, column_letters};

use crate::issue::{Code, Finding, FindingData, Issue, IssueLocation};
use crate::review::Review;
use crate::shown_text::text_with_day;

/// Characters of a cell that a message shows.
const FOUND_CHARS: usize = 80;

impl Review {
    /// The finding in words.
    pub fn describe_finding(&self, finding: &Finding) -> Issue {
        let words = IssueWording { review: self, finding };
        let location = words.location();
        let (expected, advice) = words.expected_and_advice();
        let message = words.build_sentence(&location, &expected, &advice);
        let amounts = words.compared_amounts();
        Issue {
            code: finding.code,
            severity: finding.severity(),
            field: finding.field,
            message,
            expected,
            advice,
            provided: amounts.map(|(provided, _)| provided),
            calculated: amounts.map(|(_, calculated)| calculated),
            difference: amounts.and_then(|(provided, calculated)| calculated.checked_sub(provided)),
            fix: words.propose_repair(),
            location,
        }
    }
}

pub(crate) struct IssueWording<'r> {
    pub review: &'r Review,
    pub finding: &'r Finding,
}

impl IssueWording<'_> {
    fn location(&self) -> IssueLocation {
        let source = self.review.source();
        let column = self.finding.column();
        let in_file = column.filter(|c| self.review.layout().is_in_file(*c));
        IssueLocation {
            file: source.part_of(self.finding.row()).map_or(&source.file, |part| &part.name).clone(),
            sheet: source.sheet.clone(),
            row: source.table.line(self.finding.row()),
            // Of several files the letters would be those of neither.
            column: in_file.filter(|_| source.parts.is_empty()).map(column_letters),
            header: in_file.map(|c| self.review.layout().header_of(c).to_owned()),
            found: column.map_or(String::new(), |column| {
                let text = source.table.text_at(self.finding.row(), column);
                text_with_day(self.review, column, text).into_owned()
            }),
        }
    }

    /// What was given and what was calculated, where the finding is about that.
    fn compared_amounts(&self) -> Option<(Usd, Usd)> {
        let compared = matches!(
            self.finding.code,
            Code::TaxDiffers | Code::TaxMissing | Code::TotalDiffers | Code::LinesNotPremium
        );
        self.finding.amounts().filter(|_| compared)
    }

    /// The amount of several columns or rows together, where the cell that is named has only a part of it.
    fn sum_of_parts(&self) -> Option<Usd> {
        let (provided, _) = self.compared_amounts()?;
        let cell = self.review.source().table.cell(self.finding.row(), self.finding.column()?);
        let own = amount::parse_cents(cell, self.review.values().decimal_mark.value).ok()?;
        (own.checked_abs()? != provided.to_cents()?.checked_abs()?).then_some(provided)
    }

    fn build_sentence(&self, location: &IssueLocation, expected: &str, advice: &str) -> String {
        let title = self.finding.field.map(Field::title);
        let is_one_of_several = self.review.source().part_of(self.finding.row()).is_some();
        let row = match is_one_of_several {
            true => format!("Row {} of {}", location.row, location.file),
            false => format!("Row {}", location.row),
        };
        let place = match (&location.column, &location.header, title) {
            (Some(letters), Some(header), _) if !header.is_empty() => {
                format!("{row}, column {letters} \"{}\"", shorten_text(header))
            }
            (Some(letters), _, _) => format!("{row}, column {letters}"),
            (None, Some(header), _) if !header.is_empty() => {
                format!("{row}, column \"{}\"", shorten_text(header))
            }
            (None, _, Some(title)) => format!("{row}, {title} ({})", self.origin()),
            (None, _, None) => row,
        };
        let found = match location.found.trim() {
            _ if self.finding.code == Code::RowHidden => "a hidden row".to_owned(),
            _ if self.finding.code == Code::RowStruckOut => "a row that is struck out".to_owned(),
            "" => "nothing".to_owned(),
            found => match self.sum_of_parts() {
                Some(sum) => {
                    format!("\"{}\", {} in all", shorten_text(found), format_money(sum))
                }
                None => format!("\"{}\"", self.quote_found(&location.found)),
            },
        };
        format!("{place}: found {found}, expected {expected}. {advice}.")
    }

    /// Where a cell comes from that no column of the file is matched to.
    fn origin(&self) -> String {
        let table = &self.review.source().table;
        let Some(column) = self.finding.column() else { return "the file has no such column".to_owned() };
        let behind = u16::try_from(column).map_or(&[][..], |column| table.computed().columns_behind(column));
        match behind {
            _ if table.is_default(self.finding.row(), column) => "the value for every row".to_owned(),
            [] => "the file has no such column".to_owned(),
            [only] => format!("from column {}", column_letters(usize::from(*only))),
            [first, .., last] => {
                let letters = |column: u16| column_letters(usize::from(column));
                format!("from columns {} to {}", letters(*first), letters(*last))
            }
        }
    }

    /// What was found; with its blanks where they are what is wrong.
    fn quote_found(&self, found: &str) -> String {
        match self.finding.code {
            Code::Untrimmed => found.chars().take(FOUND_CHARS).collect(),
            _ => shorten_text(found),
        }
    }

    pub(crate) fn found_text(&self) -> &str {
        self.finding.column().map_or("", |c| self.review.source().table.text_at(self.finding.row(), c))
    }

    pub(crate) fn finding_text(&self) -> &str {
        if let FindingData::Text(text) = &self.finding.data { text } else { "" }
    }

    /// Word and code of a mapped value: `General Liability=GEN-1002` for an entry, the code alone for a cell.
    pub(crate) fn mapped_value(&self) -> (&str, &str) {
        self.finding_text().rsplit_once('=').unwrap_or((self.found_text().trim(), self.finding_text()))
    }
}

/// The beginning of a text as it is shown in a sentence: on one line, without blanks around it.
#[must_use]
pub fn shorten_text(text: &str) -> String {
    bordereau_contract::shorten_text(text, FOUND_CHARS)
}

/// Millionths of a percent as a percentage: `99.99`.
pub(crate) fn percent_text(millionths: i64) -> String {
    let (whole, rest) = (millionths / 1_000_000, (millionths % 1_000_000).abs());
    let decimals = format!("{rest:06}");
    let decimals = decimals.trim_end_matches('0');
    if decimals.is_empty() { whole.to_string() } else { format!("{whole}.{decimals}") }
}
