//! What a group of findings is called: how many rows have the problem.

use crate::{Code, Field};
use bordereau_contract::{TransactionType, format_count, pluralize, pluralize_as};

/// How many rows have the problem: `4 renewals start on another day than their policy`.
pub fn group_headline(code: Code, field: Option<Field>, rows: u32, kind: Option<TransactionType>) -> String {
    let field = field.map_or_else(String::new, |field| in_sentence(field.title()));
    let (one, many) = match code {
        Code::LooksLikeTotal => {
            ("row is a line of totals or of the report", "rows are lines of totals or of the report")
        }
        Code::NotBound => {
            ("row is void or not bound by its status", "rows are void or not bound by their status")
        }
        Code::OtherCurrency => ("row is in another currency", "rows are in another currency"),
        Code::RowHidden => ("row is hidden in the sheet", "rows are hidden in the sheet"),
        Code::RowStruckOut => ("row is struck out in the sheet", "rows are struck out in the sheet"),
        Code::Missing => ("row has no {}", "rows have no {}"),
        Code::MissingWanted => {
            ("row has no {}, which the service asks for", "rows have no {}, which the service asks for")
        }
        Code::CodeUnknown => {
            ("row has a value for {} that is not known", "rows have values for {} that are not known")
        }
        Code::ValueMapped => {
            ("row has a word for {} instead of its code", "rows have words for {} instead of codes")
        }
        Code::AmountUnreadable | Code::DateUnreadable | Code::FlagUnreadable | Code::PercentUnreadable => {
            ("row has a value for {} that cannot be read", "rows have values for {} that cannot be read")
        }
        Code::DateOutOfRange => {
            ("row has a value for {} in an unlikely year", "rows have values for {} in an unlikely year")
        }
        Code::SharesMismatch => {
            ("row has more or fewer shares than entries", "rows have more or fewer shares than entries")
        }
        Code::ExpiringMissing => {
            ("renewal does not name the policy it renews", "renewals do not name the policy they renew")
        }
        Code::EndorsementDateMissing => return of_changes(rows, kind, "has no date", "have no date"),
        Code::TermNotDated => (
            "row has a term of other than a year and no expiration date",
            "rows have terms of other than a year and no expiration date",
        ),
        Code::TransactionDateDiffers => {
            let (one, many) = match kind {
                Some(TransactionType::Renewal) => ("renewal", "renewals"),
                Some(TransactionType::New) => ("new policy", "new policies"),
                _ => ("transaction", "transactions"),
            };
            let (noun, rest) = if rows == 1 {
                (one, "starts on another day than its policy")
            } else {
                (many, "start on another day than their policy")
            };
            return format!("{} {noun} {rest}", format_count(rows as usize));
        }
        Code::OutsidePolicy => {
            return of_changes(
                rows,
                kind,
                "is outside its policy's dates",
                "are outside their policy's dates",
            );
        }
        Code::PremiumNotZero => {
            ("zero premium endorsement has a premium", "zero premium endorsements have a premium")
        }
        Code::AmountSplit => (
            "row has an amount whose comma moved its cells",
            "rows have amounts whose commas moved their cells",
        ),
        Code::TaxMissing => ("row lacks a tax that is due", "rows lack a tax that is due"),
        Code::DocumentMissing => {
            ("row lacks a document that the state requires", "rows lack a document that the state requires")
        }
        Code::DuplicateId => ("row has the ID of another row", "rows have the ID of another row"),
        Code::DuplicateTransaction => {
            ("row repeats the transaction of another row", "rows repeat the transaction of another row")
        }
        Code::PolicyBegunTwice => {
            ("row begins a policy that another row begins", "rows begin policies that other rows begin")
        }
        Code::SentBefore => ("row was sent before", "rows were sent before"),
        Code::ReturnTooLarge => (
            "return is larger than the premium of its policy",
            "returns are larger than the premiums of their policies",
        ),
        Code::ChargeUnknown => {
            ("amount is of a charge that is not matched", "amounts are of charges that are not matched")
        }
        Code::RowRepeated => ("row is in its transaction twice", "rows are in their transactions twice"),
        Code::GroupDiffers => (
            "row differs from the others of its transaction",
            "rows differ from the others of their transaction",
        ),
        _ => {
            let verb = if rows == 1 { "has" } else { "have" };
            return format!("{} {verb} {}", pluralize(rows, "row"), in_sentence(code.title()));
        }
    };
    let rest = if rows == 1 { one } else { many };
    format!("{} {}", format_count(rows as usize), rest.replace("{}", &field))
}

/// What rows that change a policy are called, and what is said of one or of many.
fn of_changes(rows: u32, kind: Option<TransactionType>, one: &str, many: &str) -> String {
    let nouns = match kind {
        Some(TransactionType::ProRataCancellation | TransactionType::FlatCancellation) => {
            ("cancellation", "cancellations")
        }
        Some(TransactionType::Audit | TransactionType::AuditReturn) => ("audit", "audits"),
        Some(TransactionType::Reinstatement) => ("reinstatement", "reinstatements"),
        Some(_) => ("endorsement", "endorsements"),
        None => ("change of a policy", "changes of policies"),
    };
    format!("{} {}", pluralize_as(rows, nouns.0, nouns.1), if rows == 1 { one } else { many })
}

/// A title within a sentence: `Policy number` becomes `policy number`, `ZIP code` stays.
fn in_sentence(title: &str) -> String {
    let mut letters = title.chars();
    match (letters.next(), letters.next()) {
        (Some(first), Some(second)) if !second.is_uppercase() => {
            first.to_lowercase().chain(title.chars().skip(1)).collect()
        }
        _ => title.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_card_says_how_many_rows_have_what() {
        let cases = [
            (Code::TransactionDateDiffers, None, 4, "4 renewals start on another day than their policy"),
            (Code::TransactionDateDiffers, None, 1, "1 renewal starts on another day than its policy"),
            (Code::TaxDiffers, None, 1, "1 row has a tax that differs from the calculation"),
            (Code::ZipZeroLost, None, 1_200, "1,200 rows have a ZIP code without its leading zero"),
            (Code::Missing, Some(Field::PolicyNumber), 2, "2 rows have no policy number"),
        ];
        for (code, field, rows, expected) in cases {
            assert_eq!(group_headline(code, field, rows, Some(TransactionType::Renewal)), expected);
        }
        for (kind, rows, expected) in [
            (Some(TransactionType::ProRataCancellation), 2, "2 cancellations have no date"),
            (Some(TransactionType::Audit), 1, "1 audit has no date"),
            (Some(TransactionType::ReturnPremium), 3, "3 endorsements have no date"),
            (None, 1, "1 change of a policy has no date"),
            (None, 2, "2 changes of policies have no date"),
        ] {
            assert_eq!(group_headline(Code::EndorsementDateMissing, None, rows, kind), expected);
        }
        for code in Code::ALL {
            let text = group_headline(*code, Some(Field::Premium), 2, None);
            assert!(text.starts_with("2 ") && !text.contains('_') && !text.contains("{}"), "{text}");
        }
    }
}
