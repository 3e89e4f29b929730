//! Repairs: what one click would change, and whether it can be done for all at once.

use bordereau_contract::{format_long_day, format_money, states_of_zip};
use bordereau_mapping::{
    Field, ValueKind,
    words::{self, WordMeaning},
};
use bordereau_money::Usd;
use bordereau_tables::amount::{cents_text, limit_cents, parse_cents, percent_millionths};
use bordereau_tables::{Cell, CellKind, DecimalMark};
use chrono::NaiveDate;

use crate::issue::{CellChange, Code, FindingData, IssueRepair, RepairKind};
use crate::message::{IssueWording, percent_text, shorten_text};
use crate::row_reader::is_unseen;
use crate::share;
use crate::written_day::written_day;

/// Rows above an empty cell, and below it, by which it is told whether its column leaves out what repeats.
const ROWS_NEAR: usize = 100;
/// A cell with so many characters may have had more.
const CELL_CHARS: u32 = 32_767;

impl IssueWording<'_> {
    pub(crate) fn propose_repair(&self) -> Option<IssueRepair> {
        let amount = |cents| self.amount_text(cents);
        match (&self.finding.code, &self.finding.data) {
            (Code::Untrimmed, _) => {
                let clean: String =
                    self.found_text().chars().filter(|c| *c == '\u{a0}' || !is_unseen(*c)).collect();
                let clean = clean.replace('\u{a0}', " ").trim().to_owned();
                // Whether a line break inside of an identifier means a blank or nothing is for the person to say.
                let certain = !self.found_text().trim().contains(char::is_control);
                self.set_cell("Trim", RepairKind::Trim, certain, clean)
            }
            (Code::ValueMapped, _) => {
                let (word, code) = self.mapped_value();
                let text = if self.finding.field == Some(Field::LineOfBusiness) {
                    self.found_text().replacen(word, code, 1)
                } else {
                    code.to_owned()
                };
                self.set_cell(
                    &format!("Map \"{}\" to {code}", shorten_text(word)),
                    RepairKind::MapValue,
                    true,
                    text,
                )
            }
            (Code::InsurerNumberUnlikely, FindingData::Text(text)) => {
                let (word, number) = text.rsplit_once('=')?;
                let whole = self.found_text().replacen(word, number, 1);
                self.set_cell(&format!("Write {number}"), RepairKind::InsurerNumber, true, whole)
            }
            (Code::IdentifierShort, FindingData::Text(padded)) => {
                self.set_cell("Put the leading zeros back", RepairKind::PadZeros, false, padded.to_string())
            }
            (Code::ZipZeroLost, FindingData::Text(zip)) => {
                self.set_cell("Restore the leading zero", RepairKind::ZipZero, true, zip.to_string())
            }
            (Code::ZipUnlikely, FindingData::Text(zip)) => {
                self.set_cell(&format!("Write {zip}"), RepairKind::ZipZero, true, zip.to_string())
            }
            (Code::DateSerial, FindingData::Dates(day, _)) => self.set_cell(
                &format!("Set {}", format_long_day(*day)),
                RepairKind::SetDate,
                true,
                self.day_text(*day),
            ),
            (Code::DateUnreadable, FindingData::Dates(day, _)) => {
                let (day_text, by) = (format_long_day(*day), self.likely_day_source());
                self.set_cell(
                    &format!("Set {day_text}, {by}"),
                    RepairKind::LikelyDate,
                    false,
                    self.day_text(*day),
                )
            }
            (Code::DateUnreadable, _) if self.finding.field == Some(Field::InvoiceDate) => {
                self.set_cell("Leave it empty", RepairKind::ClearCell, false, String::new())
            }
            (Code::TermNotDated, FindingData::Dates(_, day)) => {
                let label = format!("Set {}, by the term", format_long_day(*day));
                self.set_cell(&label, RepairKind::SetDate, true, self.day_text(*day))
            }
            (Code::TransactionDateDiffers, FindingData::Dates(_, policy)) => {
                let label = format!("Set {}", format_long_day(*policy));
                self.set_cell(&label, RepairKind::SetDate, true, self.day_text(*policy))
            }
            (Code::EndorsementDateMissing, FindingData::Dates(policy, _)) => {
                let label = format!("Use the policy's effective date {}", format_long_day(*policy));
                self.set_cell(&label, RepairKind::UsePolicyDate, false, self.day_text(*policy))
            }
            (Code::TaxDiffers | Code::TaxMissing | Code::TotalDiffers, FindingData::Cents(_, calculated)) => {
                let label = format!("Use calculated {}", format_money(Usd::from_cents(*calculated)));
                self.set_whole_amount(&label, RepairKind::UseCalculated, true, amount(*calculated))
            }
            (Code::AmountUnreadable, FindingData::Cents(_, calculated)) => {
                let label = format!("Use calculated {}", format_money(Usd::from_cents(*calculated)));
                self.set_whole_amount(&label, RepairKind::UseCalculated, false, amount(*calculated))
            }
            (Code::AmountUnreadable, _)
                if matches!(self.finding.field, Some(Field::PolicyLimit | Field::PropertyLimit)) =>
            {
                let cents = limit_cents(self.found_text(), self.review.values().decimal_mark.value)?;
                let label = format!("Write {}", format_money(Usd::from_cents(cents)));
                let is_certain = !self.found_text().contains('/');
                self.set_cell(&label, RepairKind::WriteOut, is_certain, self.amount_text(cents))
            }
            // Accounting formats write "$ -" for nothing.
            (Code::AmountUnreadable, _)
                if self.finding.field != Some(Field::Premium)
                    && bordereau_tables::amount::is_dash(self.found_text()) =>
            {
                self.set_cell("Set to 0", RepairKind::SetZero, false, "0".into())
            }
            (Code::AmountTooPrecise, FindingData::Cents(rounded, _)) => self.set_cell(
                &format!("Round to {}", format_money(Usd::from_cents(*rounded))),
                RepairKind::Round,
                false,
                amount(*rounded),
            ),
            (Code::CreditNegative | Code::NegativePremium, _) => self.remove_minus(),
            (Code::ReturnAsCharge, FindingData::Text(kind)) => {
                let label = format!("Make it {kind}, a return premium");
                let mut repair =
                    self.set_field(Field::TransactionType, &label, RepairKind::MakeReturn, kind.to_string())?;
                // Rows of another type would be another transaction.
                let first = repair.changes.first().cloned()?;
                let rows =
                    self.transaction_rows().iter().map(|row| *row as usize).filter(|row| *row != first.row);
                repair.changes.extend(rows.map(|row| CellChange { row, ..first.clone() }));
                repair.changes.extend(self.remove_minus()?.changes);
                Some(repair)
            }
            (Code::LinesNotPremium, FindingData::Cents(sum, _)) if self.is_row_alone() => {
                let label = format!("Use the sum of the lines {}", format_money(Usd::from_cents(*sum)));
                self.set_field(Field::Premium, &label, RepairKind::UseLineSum, amount(*sum))
            }
            (Code::ZipOfOtherState, _) => {
                let [state] = states_of_zip(self.found_text().trim()) else { return None };
                let state = state.code();
                let label = format!("Set the state to {state}");
                self.set_field(Field::PhysicalState, &label, RepairKind::UseZipState, state.to_owned())
            }
            (Code::Missing, _) if self.finding.field == Some(Field::PhysicalState) => self.set_likely_state(),
            (Code::Missing | Code::MissingWanted, _)
                if self.finding.field.is_some_and(|f| f.kind() != ValueKind::Flag) =>
            {
                self.set_value_above()
            }
            // Of a cell that was cut off more is lost than a person sees.
            (Code::TextTooLong, FindingData::Counts(count, max))
                if *count < CELL_CHARS && self.finding.field.is_some_and(|f| f.kind() == ValueKind::Text) =>
            {
                let short: String = self.found_text().chars().take(*max as usize).collect();
                let label = format!("Shorten to {max} characters");
                self.set_cell(&label, RepairKind::Shorten, false, short.trim_end().to_owned())
            }
            (Code::PremiumNotZero, _) => {
                self.set_whole_amount("Set to 0", RepairKind::SetZero, false, "0".into())
            }
            (Code::SharesAreFractions, _) => self.set_cell(
                "Write as percentages",
                RepairKind::Percentages,
                true,
                as_percentages(self.found_text())?,
            ),
            (Code::MissingWanted, _) if self.finding.field.is_some_and(|f| f.kind() == ValueKind::Flag) => {
                self.set_cell("Set to no", RepairKind::SetNo, false, "0".into())
            }
            (Code::DuplicateId, FindingData::Row(other)) if !self.is_same_transaction(*other as usize) => {
                let line = self.review.source().table.line(self.finding.row());
                let id = format!("{}-{line}", self.found_text().trim());
                self.set_cell(&format!("Make it {id}"), RepairKind::OwnId, false, id)
            }
            // Of rows of charges: the rest of such a row adds nothing to its transaction.
            (Code::RowRepeated, _) if self.review.layout().field_of(self.finding.column()?).is_none() => {
                self.set_cell("Clear the amount", RepairKind::ClearCell, false, String::new())
            }
            (
                Code::LooksLikeTotal
                | Code::RowHidden
                | Code::RowStruckOut
                | Code::NotBound
                | Code::OtherCurrency
                | Code::DuplicateId
                | Code::DuplicateTransaction
                | Code::PolicyBegunTwice
                | Code::SentBefore,
                _,
            ) => Some(IssueRepair {
                label: "Exclude the row".into(),
                kind: RepairKind::Exclude,
                certain: self.finding.code == Code::LooksLikeTotal,
                changes: Vec::new(),
                exclude: Some(self.finding.row()),
            }),
            _ => None,
        }
    }

    /// An amount in the file's own decimal mark, so that it reads back the same.
    fn amount_text(&self, cents: i64) -> String {
        let text = cents_text(cents);
        match self.review.values().decimal_mark.value {
            DecimalMark::Point => text,
            DecimalMark::Comma => text.replace('.', ","),
        }
    }

    fn day_text(&self, day: NaiveDate) -> String {
        written_day(self.review, self.finding.column(), day)
    }

    /// Which of the row's other dates says what one is that cannot be read.
    fn likely_day_source(&self) -> &'static str {
        match self.finding.field {
            Some(Field::PolicyExpirationDate) => "by the policy's start",
            Some(Field::PolicyEffectiveDate) => "by the other dates",
            _ => "the policy's effective date",
        }
    }

    /// Whether more than the id is another row's.
    fn is_same_transaction(&self, other: usize) -> bool {
        let table = &self.review.source().table;
        let text = |row, field| table.text_at(row, usize::from(self.review.layout().column_of(field))).trim();
        let told_apart = [Field::PolicyNumber, Field::TransactionType, Field::Premium];
        told_apart.iter().all(|field| text(self.finding.row(), *field) == text(other, *field))
    }

    /// Whether the row is a transaction of its own: of several rows each may have a part of the premium.
    fn is_row_alone(&self) -> bool {
        self.transaction_rows().len() == 1
    }

    fn transaction_rows(&self) -> &[u32] {
        let transactions = self.review.transactions();
        transactions.of_row(self.finding.row()).map_or(&[], |of| transactions.rows_of(of))
    }

    /// The state of the risk by its ZIP code, else that of the mailing address.
    fn set_likely_state(&self) -> Option<IssueRepair> {
        let (table, layout) = (&self.review.source().table, self.review.layout());
        let text = |field| table.text_at(self.finding.row(), usize::from(layout.column_of(field))).trim();
        let set = |state: &str, kind, by: &str| {
            self.set_field(Field::PhysicalState, &format!("Set {state}, {by}"), kind, state.to_owned())
        };
        if let [state] = states_of_zip(text(Field::PhysicalZip)) {
            return set(state.code(), RepairKind::UseZipState, "by the ZIP code of the risk");
        }
        if let Some(repair) = self.set_value_above() {
            return Some(repair);
        }
        match words::find_meaning(Field::MailingState, text(Field::MailingState)) {
            WordMeaning::Code(state) | WordMeaning::StandsFor(state) => {
                set(state, RepairKind::UseMailingState, "as in the mailing address")
            }
            WordMeaning::Unknown => None,
        }
    }

    /// The value above, where the column has one only in the first of the rows that share it: a report leaves out what
    /// repeats, and merged cells are read as that. Of an amount each row would have the whole.
    fn set_value_above(&self) -> Option<IssueRepair> {
        let field = self.finding.field?;
        let is_shared =
            matches!(field.kind(), ValueKind::Text | ValueKind::Date | ValueKind::Code | ValueKind::List);
        let [column] = *self.review.layout().columns_of(field) else { return None };
        let (source, row) = (self.review.source(), self.finding.row());
        let first = source.header_row().map_or(0, |header| header + 1);
        let has_row = |row: &usize| !self.review.is_excluded(*row) && !source.table.is_blank(*row);
        let text = |row: usize| source.table.text_at(row, usize::from(column)).trim();
        if !is_shared || (first..row).take(ROWS_NEAR).find(has_row).is_none_or(|row| text(row).is_empty()) {
            return None;
        }
        let near = first.max(row.saturating_sub(ROWS_NEAR))..source.table.row_count().min(row + ROWS_NEAR);
        let rows: Vec<usize> = near.filter(has_row).collect();
        let empty = rows.iter().filter(|row| text(**row).is_empty()).count();
        let above = rows
            .iter()
            .rev()
            .filter(|other| **other < row)
            .map(|row| text(*row))
            .find(|text| !text.is_empty())?;
        // A cell that somebody forgot is one, or one of many.
        if empty < 2 || empty * 4 < rows.len() {
            return None;
        }
        let label = format!("Set {}, as in the rows above", shorten_text(above));
        self.set_field(field, &label, RepairKind::FillAbove, above.to_owned())
    }

    /// Another field of the finding's row; only where one column has it.
    fn set_field(&self, field: Field, label: &str, kind: RepairKind, text: String) -> Option<IssueRepair> {
        let layout = self.review.layout();
        if layout.columns_of(field).len() > 1 {
            return None;
        }
        let column = usize::from(layout.column_of(field));
        let changes = vec![CellChange { row: self.finding.row(), column, text }];
        Some(IssueRepair { label: label.to_owned(), kind, certain: false, changes, exclude: None })
    }

    /// The cells that make the field of the finding's transaction, in several rows or columns, with their texts.
    fn filled_cells(&self) -> Vec<(usize, usize, &str)> {
        let (transactions, layout) = (self.review.transactions(), self.review.layout());
        let Some((transaction, field)) = transactions.of_row(self.finding.row()).zip(self.finding.field)
        else {
            return Vec::new();
        };
        let single = [layout.column_of(field)];
        let own = layout.columns_of(field);
        let columns = if own.is_empty() { &single[..] } else { own };
        let cells = transactions.rows_of(transaction).iter().flat_map(|row| {
            columns.iter().map(move |column| {
                let (row, column) = (*row as usize, usize::from(*column));
                (row, column, self.review.source().table.text_at(row, column).trim())
            })
        });
        cells.filter(|(.., text)| !text.is_empty()).collect()
    }

    /// The amount of the whole transaction: the finding's cell has it, and further ones with a part of it are emptied.
    fn set_whole_amount(
        &self,
        label: &str,
        kind: RepairKind,
        certain: bool,
        text: String,
    ) -> Option<IssueRepair> {
        let mut repair = self.set_cell(label, kind, certain, text)?;
        let at = Some((self.finding.row(), self.finding.column()?));
        let others = self.filled_cells().into_iter().filter(|(row, column, _)| Some((*row, *column)) != at);
        repair.changes.extend(others.map(|(row, column, _)| CellChange { row, column, text: String::new() }));
        Some(repair)
    }

    /// Certain for a credit. Amounts of several rows have all a minus, or none is taken away.
    fn remove_minus(&self) -> Option<IssueRepair> {
        let (table, mark) = (&self.review.source().table, self.review.values().decimal_mark.value);
        let changes = self.filled_cells().into_iter().map(|(row, column, text)| {
            let cents =
                parse_cents(table.cell(row, column), mark).ok().filter(|cents| *cents < 0)?.checked_neg()?;
            let plain = text.replace(['-', '\u{2212}', '(', ')'], "").trim().to_owned();
            let is_same = parse_cents(Cell { text: &plain, kind: CellKind::Text }, mark) == Ok(cents);
            Some(CellChange { row, column, text: if is_same { plain } else { self.amount_text(cents) } })
        });
        let certain = self.finding.code == Code::CreditNegative;
        Some(IssueRepair {
            label: "Remove the minus".into(),
            kind: RepairKind::RemoveMinus,
            certain,
            changes: changes.collect::<Option<Vec<_>>>()?,
            exclude: None,
        })
    }

    fn set_cell(&self, label: &str, kind: RepairKind, certain: bool, text: String) -> Option<IssueRepair> {
        let column = self.finding.column()?;
        let changes = vec![CellChange { row: self.finding.row(), column, text }];
        Some(IssueRepair { label: label.to_owned(), kind, certain, changes, exclude: None })
    }
}

/// `0.6 | 0.4` as `60 | 40`; `None` where the shares stand behind the entries.
fn as_percentages(text: &str) -> Option<String> {
    let parts: Option<Vec<String>> = share::split_shares(text)
        .map(|part| {
            let cell = Cell { text: part, kind: CellKind::Number };
            let value = percent_millionths(cell, DecimalMark::Point).ok()?;
            Some(percent_text(value.checked_mul(100)?))
        })
        .collect();
    parts.map(|p| p.join(" | "))
}
