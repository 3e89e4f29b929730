//! Which of the service's documents apply to a transaction: by its type, the policy's date and its flags.

use bordereau_contract::{StateDocument, format_long_day, leading_day};
use bordereau_tax::QuoteInput;

/// Codes of the transaction types it is for; none means all.
pub(super) fn type_codes(document: &StateDocument) -> Vec<String> {
    let codes = document.transaction_types.iter().map(|kind| kind.short_code.trim().to_ascii_uppercase());
    codes.filter(|code| !code.is_empty()).collect()
}

/// A yes or no of the transaction that is quoted.
type QuoteFlag = fn(&QuoteInput) -> bool;

/// Its flags (0 no, 1 yes, 2 both, none where it is not said), with what the transaction has.
fn flags(document: &StateDocument) -> [(Option<u8>, &'static str, QuoteFlag); 4] {
    [
        (document.rpg, "risk purchasing groups", |asked| asked.rpg),
        (document.ecp, "exempt commercial purchasers", |asked| asked.ecp),
        (document.exempt, "tax exempt insureds", |asked| asked.tax_exempt),
        (document.export_list, "coverage on the export list", |asked| asked.export_list),
    ]
}

fn flag_text(flag: Option<u8>, whom: &str) -> Option<String> {
    match flag {
        Some(0) => Some(format!("Not for {whom}")),
        Some(1) => Some(format!("For {whom} only")),
        _ => None,
    }
}

/// Which business it is for, in words.
pub(super) fn conditions(document: &StateDocument) -> Vec<String> {
    flags(document).into_iter().filter_map(|(flag, whom, _)| flag_text(flag, whom)).collect()
}

/// Why it does not apply; `None` where it does.
pub(super) fn exclusion_reason(document: &StateDocument, asked: &QuoteInput) -> Option<String> {
    let types = type_codes(document);
    if !types.is_empty() && !types.iter().any(|code| code == asked.transaction_type.code()) {
        return Some(format!("For {} only", types.join(", ")));
    }
    // A date that cannot be read leaves nothing out.
    let day = |text: &Option<String>| text.as_deref().and_then(leading_day);
    if let Some(from) = day(&document.date_active_from).filter(|from| asked.policy_effective < *from) {
        return Some(format!("For policies from {} on", format_long_day(from)));
    }
    if let Some(until) = day(&document.date_active_to).filter(|until| *until < asked.policy_effective) {
        return Some(format!("For policies until {}", format_long_day(until)));
    }
    flags(document).into_iter().find_map(|(flag, whom, is_set)| {
        let is_excluded = flag.is_some_and(|flag| flag < 2 && (flag == 1) != is_set(asked));
        is_excluded.then(|| flag_text(flag, whom)).flatten()
    })
}

#[cfg(test)]
mod tests {
    use bordereau_contract::{ApplicableTransaction, Jurisdiction, TransactionType};
    use chrono::NaiveDate;

    use super::*;

    fn renewal_of_a_group() -> QuoteInput {
        let day = NaiveDate::from_ymd_opt(2026, 2, 23).unwrap();
        QuoteInput {
            transaction_type: TransactionType::Renewal,
            rpg: true,
            ..QuoteInput::new_policy(Jurisdiction::Tx, Vec::new(), day)
        }
    }

    #[test]
    fn a_document_is_left_out_by_type_date_and_flag() {
        let both = || StateDocument {
            rpg: Some(2),
            ecp: Some(2),
            exempt: Some(2),
            export_list: Some(2),
            ..StateDocument::default()
        };
        let of_type = |code: &str| ApplicableTransaction { short_code: code.into(), ..Default::default() };
        let date = |text: &str| Some(text.to_owned());
        let cases = [
            (both(), None),
            (StateDocument { transaction_types: vec![of_type("PN"), of_type("pr")].into(), ..both() }, None),
            (StateDocument { transaction_types: vec![of_type("PN")].into(), ..both() }, Some("For PN only")),
            (StateDocument { date_active_from: date("2026-02-23"), ..both() }, None),
            (
                StateDocument { date_active_from: date("2026-03-01"), ..both() },
                Some("For policies from Mar 1, 2026 on"),
            ),
            (
                StateDocument { date_active_to: date("2025-12-31"), ..both() },
                Some("For policies until Dec 31, 2025"),
            ),
            (
                StateDocument { date_active_to: date("2025-12-31T00:00:00Z"), ..both() },
                Some("For policies until Dec 31, 2025"),
            ),
            (StateDocument { date_active_to: date("soon"), ..both() }, None),
            (StateDocument::default(), None),
            (StateDocument { rpg: Some(1), ..both() }, None),
            (StateDocument { rpg: Some(0), ..both() }, Some("Not for risk purchasing groups")),
            (StateDocument { ecp: Some(1), ..both() }, Some("For exempt commercial purchasers only")),
        ];
        for (document, expected) in cases {
            let reason = exclusion_reason(&document, &renewal_of_a_group());
            assert_eq!(reason.as_deref(), expected);
        }
        assert_eq!(conditions(&both()), Vec::<String>::new());
        assert_eq!(conditions(&StateDocument::default()), Vec::<String>::new());
    }
}
