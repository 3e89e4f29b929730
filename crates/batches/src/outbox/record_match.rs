//! Whether a transaction that the service shows is the one that was sent. What cannot be told apart is not ours.

use bordereau_contract::{ImportTransaction, TransactionRecord};
use bordereau_money::Usd;
use chrono::{DateTime, NaiveDateTime};

/// What a record is to a row that was sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RecordMatch {
    /// This very row.
    Same,
    /// Another transaction, or no record at all.
    Other,
    /// It may be: says why that cannot be told.
    Unclear(String),
}

/// Compares a record with a row that was first sent at this time, in milliseconds since 1970. It is the row by its
/// own id; without one by policy, invoice, type and premium, all of them there and equal, and made after the row was
/// sent. A member that is absent is never taken for an equal one.
pub fn match_record(record: &TransactionRecord, sent: &ImportTransaction, sent_ms: i64) -> RecordMatch {
    // An object without a number is no record, whatever else is in it.
    if record.id <= 0 {
        return RecordMatch::Other;
    }
    let known = |text: &Option<String>| text.as_deref().map(plain).filter(|text| !text.is_empty());
    let policy = (known(&record.policy_number), known(&sent.policy_number));
    let own_id = record.unique_id.as_deref().map(str::trim).filter(|id| !id.is_empty());
    if own_id == Some(sent.id.trim()) {
        let premium = (record.premium.map(size_of), sent.premium.map(size_of));
        let differs = |pair: &(Option<String>, Option<String>)| matches!(pair, (Some(a), Some(b)) if a != b);
        // An earlier import under the same id: this row may have been rejected because of it.
        let other =
            [("policy number", &policy), ("premium", &premium)].into_iter().find(|(_, pair)| differs(pair));
        return match other {
            Some((what, _)) => {
                RecordMatch::Unclear(format!("transaction {} has its id and another {what}", record.id))
            }
            None => RecordMatch::Same,
        };
    }
    let pairs = [
        policy,
        (known(&record.extra_invoice_number), known(&sent.invoice_number)),
        (known(&record.transaction_type), known(&sent.transaction_type)),
        (record.premium.map(size_of), sent.premium.map(size_of)),
    ];
    if pairs.iter().any(|(theirs, ours)| theirs.is_some() && ours.is_some() && theirs != ours) {
        return RecordMatch::Other;
    }
    let unclear = |why: &str| RecordMatch::Unclear(format!("transaction {} {why}", record.id));
    if own_id.is_some() {
        return unclear("has the same content and another id");
    }
    if pairs.iter().any(|(theirs, ours)| theirs.is_none() || ours.is_none()) {
        return unclear("does not say enough to tell it from others");
    }
    match record.created_date.as_deref().and_then(made_ms) {
        Some(made) if made + 1_000 > sent_ms => RecordMatch::Same,
        Some(_) => unclear("has the same content and was made before this was sent"),
        None => unclear("has the same content and does not say when it was made"),
    }
}

/// Letters and digits alone: services write `AB-12 3` and `ab123`.
pub fn plain(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

fn size_of(amount: Usd) -> String {
    amount.abs().to_string()
}

/// `2026-02-23 10:11:12 EST` in milliseconds since 1970; nothing for a zone whose name does not say its offset.
fn made_ms(text: &str) -> Option<i64> {
    if let Ok(instant) = DateTime::parse_from_rfc3339(text.trim()) {
        return Some(instant.timestamp_millis());
    }
    let (time, zone) = text.trim().rsplit_once(' ')?;
    let hours = match zone {
        "UTC" | "GMT" | "Z" => 0,
        "EDT" => 4,
        "EST" | "CDT" => 5,
        "CST" | "MDT" => 6,
        "MST" | "PDT" => 7,
        "PST" | "AKDT" => 8,
        "AKST" => 9,
        "HST" => 10,
        _ => return None,
    };
    let time = NaiveDateTime::parse_from_str(time.trim(), "%Y-%m-%d %H:%M:%S").ok()?;
    Some(time.and_utc().timestamp_millis() + hours * 3_600_000)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SENT_MS: i64 = 1_771_840_800_000; // 2026-02-23 10:00:00 UTC

    fn sent() -> ImportTransaction {
        let text = |text: &str| Some(text.to_owned());
        ImportTransaction {
            id: "own-1".into(),
            policy_number: text("AB-123"),
            invoice_number: text("INV-1"),
            transaction_type: text("PN"),
            premium: Some(Usd::parse("1000").unwrap()),
            ..ImportTransaction::default()
        }
    }

    fn record(json: &str) -> TransactionRecord {
        serde_json::from_str(json).unwrap()
    }

    #[test]
    fn only_what_is_named_by_what_was_sent_is_the_same() {
        const ALL: &str = r#""policy_number":"ab 123","extra_invoice_number":"INV-1","transaction_type":"PN","premium":1000"#;
        let cases = [
            // Without an id, or with 0, the reader makes no record: the tests of `lenient` have that.
            (r#"{"id":7,"unique_id":"own-1"}"#.to_owned(), "same"),
            (r#"{"id":7,"unique_id":"own-1","policy_number":"ZZ-9"}"#.to_owned(), "unclear"),
            // An earlier import under the same id.
            (r#"{"id":7,"unique_id":"own-1","policy_number":"AB-123","premium":900}"#.to_owned(), "unclear"),
            (r#"{"id":7,"unique_id":"own-1","policy_number":"AB-123","premium":-1000}"#.to_owned(), "same"),
            // Another office's rows under the same policy, invoice, type and premium.
            (
                format!(r#"{{"id":7,"unique_id":"theirs",{ALL},"created_date":"2026-02-23 10:00:05 UTC"}}"#),
                "unclear",
            ),
            (format!(r#"{{"id":7,{ALL},"created_date":"2026-02-23 09:00:00 UTC"}}"#), "unclear"),
            (format!(r#"{{"id":7,{ALL}}}"#), "unclear"),
            (format!(r#"{{"id":7,{ALL},"created_date":"2026-02-23 05:00:05 America/New_York"}}"#), "unclear"),
            (format!(r#"{{"id":7,{ALL},"created_date":"2026-02-23 10:00:05 UTC"}}"#), "same"),
            (format!(r#"{{"id":7,{ALL},"created_date":"2026-02-23 05:00:05 EST"}}"#), "same"),
            // An absent member is not an equal one.
            (
                r#"{"id":7,"policy_number":"AB-123","created_date":"2026-02-23 10:00:05 UTC"}"#.to_owned(),
                "unclear",
            ),
            (r#"{"id":7,"policy_number":"AB-124"}"#.to_owned(), "other"),
        ];
        for (json, expected) in cases {
            let found = match match_record(&record(&json), &sent(), SENT_MS) {
                RecordMatch::Same => "same",
                RecordMatch::Other => "other",
                RecordMatch::Unclear(_) => "unclear",
            };
            assert_eq!(found, expected, "{json}");
        }
    }
}
