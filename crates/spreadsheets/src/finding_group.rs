//! Findings of the same kind form a group, where that tells more of the same field.

use crate::{Code, Finding};

/// Whether findings of this kind are grouped by field.
pub fn is_by_field(code: Code) -> bool {
    matches!(
        code,
        Code::Missing
            | Code::MissingWanted
            | Code::CodeUnknown
            | Code::ValueMapped
            | Code::AmountUnreadable
            | Code::DateUnreadable
            | Code::DateOutOfRange
            | Code::FlagUnreadable
            | Code::PercentUnreadable
    )
}

/// The group of a finding: the key of its card, of its filter and of its repair.
pub fn finding_group(finding: &Finding) -> String {
    let code = finding.code();
    match finding.field().filter(|_| is_by_field(code)) {
        Some(field) => format!("{}:{}", code.code(), field.name()),
        None => code.code().to_owned(),
    }
}

/// Whether the finding is in the group; of millions no text is made for it.
pub fn is_in_group(finding: &Finding, group: &str) -> bool {
    let Some(rest) = group.strip_prefix(finding.code().code()) else { return false };
    match finding.field().filter(|_| is_by_field(finding.code())) {
        Some(field) => rest.strip_prefix(':') == Some(field.name()),
        None => rest.is_empty(),
    }
}
