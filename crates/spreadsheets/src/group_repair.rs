//! What one click, or one value, repairs in all rows of a group; each is shown first and can be undone.

use std::collections::BTreeMap;

use bordereau_contract::{parse_calendar_day, pluralize};
use bordereau_mapping::{Field, ValueKind, normalize_default};

use crate::issue::{CellChange, Code, Finding, RepairKind};
use crate::review::Review;
use crate::written_day::written_day;
use bordereau_tables::DecimalMark;

impl RepairKind {
    /// Whether one click repairs all rows, after a preview: certain repairs, and those that a preview is enough for.
    #[must_use]
    pub const fn is_offered(self, certain: bool) -> bool {
        use RepairKind as K;
        certain
            || matches!(
                self,
                K::FillPolicyNumber
                    | K::FillId
                    | K::PadZeros
                    | K::UsePolicyDate
                    | K::UseCalculated
                    | K::LikelyDate
                    | K::ClearCell
                    | K::OwnId
                    | K::Exclude
                    | K::SetNo
                    | K::SetZero
                    | K::Round
                    | K::WriteOut
                    | K::RemoveMinus
                    | K::MakeReturn
                    | K::UseLineSum
                    | K::UseZipState
                    | K::UseMailingState
                    | K::FillAbove
                    | K::Shorten
            )
    }

    /// The text of a button that repairs this many rows.
    #[must_use]
    pub fn group_label(self, rows: usize) -> String {
        let n = pluralize(rows, "row");
        match self {
            RepairKind::UseCalculated => format!("Use calculated in {n}"),
            RepairKind::MapValue => format!("Put the code in {n}"),
            RepairKind::SetDate => format!("Set the date in {n}"),
            RepairKind::UsePolicyDate => format!("Use the policy's effective date in {n}"),
            RepairKind::LikelyDate => format!("Set the likely date in {n}"),
            RepairKind::ClearCell => format!("Leave it empty in {n}"),
            RepairKind::OwnId => format!("Make the ID unique in {n}"),
            RepairKind::Trim => format!("Trim in {n}"),
            RepairKind::InsurerNumber => format!("Correct the number in {n}"),
            RepairKind::ZipZero => format!("Restore the ZIP code in {n}"),
            RepairKind::PadZeros => format!("Put the leading zeros back in {n}"),
            RepairKind::RemoveMinus => format!("Remove the minus in {n}"),
            RepairKind::MakeReturn => format!("Make it a return premium in {n}"),
            RepairKind::Percentages => format!("Write as percentages in {n}"),
            RepairKind::Round => format!("Round to the cent in {n}"),
            RepairKind::WriteOut => format!("Write the limit out in {n}"),
            RepairKind::SetZero => format!("Set to 0 in {n}"),
            RepairKind::SetNo => format!("Set to no in {n}"),
            RepairKind::Exclude => format!("Exclude {n}"),
            RepairKind::FillId => format!("Give an id of policy number and line in {n}"),
            RepairKind::FillPolicyNumber => format!("Fill from policy number in {n}"),
            RepairKind::MatchValues => format!("Match values in {n}"),
            RepairKind::UseLineSum => format!("Use the sum of the lines as the premium in {n}"),
            RepairKind::UseZipState => format!("Use the ZIP code's state in {n}"),
            RepairKind::UseMailingState => format!("Use the mailing address's state in {n}"),
            RepairKind::FillAbove => format!("Fill from the rows above in {n}"),
            RepairKind::Shorten => format!("Shorten in {n}"),
            RepairKind::SetValue => format!("Set one value in {n}"),
        }
    }
}

/// Whether "Match values" repairs it: a word that needs a code.
#[must_use]
pub const fn is_word_without_code(code: Code) -> bool {
    matches!(code, Code::CodeUnknown | Code::FlagUnreadable | Code::LineUnknown | Code::InsurerUnnumbered)
}

/// Whether a person can give all rows of its group one value: nothing is there, or nothing that can be read. No row
/// shares its id or its policy with all others.
#[must_use]
pub fn takes_one_value(finding: &Finding) -> bool {
    let is_own =
        matches!(finding.field(), None | Some(Field::Id | Field::PolicyNumber | Field::InvoiceNumber));
    let is_open = matches!(
        finding.code(),
        Code::Missing
            | Code::MissingWanted
            | Code::AmountUnreadable
            | Code::DateUnreadable
            | Code::DateOutOfRange
            | Code::PercentUnreadable
    );
    is_open && !is_own
}

/// Gives the cells of findings of one field a value, each as its column writes it.
///
/// # Errors
/// A sentence, where the value is none of the field's.
pub fn set_value(review: &Review, findings: &[&Finding], typed: &str) -> Result<Vec<CellChange>, String> {
    let mut written: BTreeMap<usize, String> = BTreeMap::new();
    let mut changes = Vec::with_capacity(findings.len());
    for finding in findings.iter().filter(|finding| takes_one_value(finding)) {
        let Some(field) = finding.field() else { continue };
        let column = finding.column().unwrap_or_else(|| usize::from(review.layout().column_of(field)));
        let text = match written.get(&column) {
            Some(text) => text.clone(),
            None => written.entry(column).or_insert(value_text(review, field, column, typed)?).clone(),
        };
        changes.push(CellChange { row: finding.row(), column, text });
    }
    Ok(changes)
}

/// A typed value in its column's own form, so that it reads back the same.
fn value_text(review: &Review, field: Field, column: usize, typed: &str) -> Result<String, String> {
    if typed.trim().is_empty() {
        return Err("Type the value first.".to_owned());
    }
    let plain = normalize_default(field, typed)?;
    Ok(match field.kind() {
        ValueKind::Date => match parse_calendar_day(&plain) {
            Some(day) => written_day(review, Some(column), day),
            None => plain,
        },
        ValueKind::Amount if review.values().decimal_mark.value == DecimalMark::Comma => {
            plain.replace('.', ",")
        }
        _ => plain,
    })
}
