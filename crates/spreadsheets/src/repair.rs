//! Repairs: what one click would change, and whether it can be done for all at once.

use crate::amount::{cents_text, percent_millionths};
use crate::detection::DecimalMark;
use crate::field::{Field, Kind};
use crate::issue::{Change, Code, Data, Fix};
use crate::message::{Words, percent_text, short};
use crate::reading::is_unseen;
use crate::share;
use crate::table::{Cell, CellKind};

impl Words<'_> {
    pub(crate) fn fix(&self) -> Option<Fix> {
        let amount = |cents| self.amount_text(cents);
        match (&self.finding.code, &self.finding.data) {
            (Code::Untrimmed, _) => {
                let clean: String =
                    self.found().chars().filter(|c| *c == '\u{a0}' || !is_unseen(*c)).collect();
                let clean = clean.replace('\u{a0}', " ").trim().to_owned();
                // Whether a line break inside of an identifier means a blank or nothing is for the person to say.
                let certain = !self.found().trim().contains(char::is_control);
                self.set("Trim", "trim", certain, clean)
            }
            (Code::ValueMapped, _) => {
                let (word, code) = self.mapped();
                let text = if self.finding.field == Some(Field::LineOfBusiness) {
                    self.found().replacen(word, code, 1)
                } else {
                    code.to_owned()
                };
                self.set(&format!("Map \"{}\" to {code}", short(word)), "map_value", true, text)
            }
            (Code::IdentifierShort, Data::Text(padded)) => {
                self.set("Put the leading zeros back", "pad_zeros", false, padded.to_string())
            }
            (Code::ZipZeroLost, Data::Text(zip)) => {
                self.set("Restore the leading zero", "zip_zero", true, zip.to_string())
            }
            (Code::DateSerial, Data::Dates(day, _)) => {
                self.set(&format!("Set {day}"), "set_date", true, day.to_string())
            }
            (Code::TransactionDateDiffers, Data::Dates(_, policy)) => {
                self.set(&format!("Set {policy}"), "set_date", true, policy.to_string())
            }
            (Code::TaxDiffers | Code::TaxMissing | Code::TotalDiffers, Data::Cents(_, calculated)) => {
                let label = format!("Use calculated {}", cents_text(*calculated));
                self.set(&label, "use_calculated", true, amount(*calculated))
            }
            (Code::AmountTooPrecise, Data::Cents(rounded, _)) => {
                self.set(&format!("Round to {}", cents_text(*rounded)), "round", false, amount(*rounded))
            }
            (Code::CreditNegative, Data::Cents(_, positive)) => {
                self.set("Remove the minus", "remove_minus", true, amount(*positive))
            }
            (Code::PremiumNotZero, _) => self.set("Set to 0", "set_zero", false, "0".into()),
            (Code::SharesAreFractions, _) => {
                self.set("Write as percentages", "percentages", true, as_percentages(self.found())?)
            }
            (Code::MissingWanted, _) if self.finding.field.is_some_and(|f| f.kind() == Kind::Flag) => {
                self.set("Set to no", "set_no", false, "0".into())
            }
            (Code::LooksLikeTotal | Code::DuplicateId | Code::DuplicateTransaction | Code::SentBefore, _) => {
                Some(Fix {
                    label: "Exclude the row".into(),
                    kind: "exclude".into(),
                    certain: self.finding.code == Code::LooksLikeTotal,
                    changes: Vec::new(),
                    exclude: Some(self.finding.row()),
                })
            }
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

    fn set(&self, label: &str, kind: &str, certain: bool, text: String) -> Option<Fix> {
        let column = self.finding.column()?;
        let changes = vec![Change { row: self.finding.row(), column, text }];
        Some(Fix { label: label.to_owned(), kind: kind.to_owned(), certain, changes, exclude: None })
    }
}

/// `0.6 | 0.4` as `60 | 40`; `None` where the shares stand behind the entries.
fn as_percentages(text: &str) -> Option<String> {
    let parts: Option<Vec<String>> = share::shares(text)
        .map(|part| {
            let cell = Cell { text: part, kind: CellKind::Number };
            let value = percent_millionths(cell, DecimalMark::Point).ok()?;
            Some(percent_text(value.checked_mul(100)?))
        })
        .collect();
    parts.map(|p| p.join(" | "))
}
