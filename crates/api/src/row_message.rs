//! The service's messages on a row: their texts, and the two amounts in them, if any.

use bordereau_contract::{FieldMessages, ImportResult, amount_after};
use bordereau_money::Usd;

use crate::RowMessage;

/// All messages of a result: errors first.
pub fn result_messages(result: &ImportResult) -> Vec<RowMessage> {
    let of = |severity, texts: &FieldMessages| -> Vec<RowMessage> {
        texts.iter().map(|(field, text)| parse_message(severity, field, text)).collect()
    };
    let mut all = of("error", &result.errors);
    all.extend(of("warning", &result.warnings));
    all
}

/// Parses a message with its amounts (contract, section 3: `... Provided - 4224.80. Calculated - 3407.98`).
pub fn parse_message(severity: &str, field: &str, text: &str) -> RowMessage {
    let (provided, calculated) = (amount_after(text, "Provided"), amount_after(text, "Calculated"));
    let difference = provided.zip(calculated).and_then(|(p, c)| c.checked_sub(p));
    let shown = |amount: Option<Usd>| amount.map(|amount| amount.to_string());
    RowMessage {
        severity: severity.into(),
        field: field.into(),
        text: text.into(),
        provided: shown(provided),
        calculated: shown(calculated),
        difference: shown(difference),
        is_lookup: false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_amounts_make_a_difference() {
        let cases = [
            (
                "Transaction total values don't match. Provided - 4224.80. Calculated - 3407.98",
                Some(("4224.80", "3407.98", "-816.82")),
            ),
            (
                "SL tax values don't match. Provided - 117.00. Calculated - 93.26",
                Some(("117.00", "93.26", "-23.74")),
            ),
            (
                "Stamping fee values don't match. Provided - 0. Calculated - 1,234.50.",
                Some(("0.00", "1234.50", "1234.50")),
            ),
            ("Required document is missing", None),
            ("Provided - nothing. Calculated - 1.00", None),
        ];
        for (text, expected) in cases {
            let found = parse_message("warning", "", text);
            let all = found.provided.zip(found.calculated).zip(found.difference);
            let all = all.as_ref().map(|((p, c), d)| (p.as_str(), c.as_str(), d.as_str()));
            assert_eq!(all, expected, "{text}");
        }
    }
}
