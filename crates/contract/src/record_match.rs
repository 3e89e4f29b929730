//! Decides whether a record of the service is the row that was sent. If that isn't certain, it doesn't count.

use bordereau_money::{Rounding, Usd};
use chrono::{DateTime, Datelike, FixedOffset, NaiveDate, NaiveDateTime, Weekday};

use crate::{ImportTransaction, TransactionRecord, TransactionType};

/// How a record compares to a row that was sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RecordMatch {
    /// This very row.
    Same,
    /// Another transaction, or no record at all.
    Other,
    /// It may be the row; says why that isn't certain.
    Unclear(String),
}

/// Compares a record with a row first sent at this time (milliseconds since 1970). It is the row if its own id
/// matches. Without an own id, policy, invoice, type and premium must all be there and equal, and the record must be
/// made after the row was sent. An absent member never counts as equal; a member that services write in their own
/// way never proves a difference.
pub fn match_record(record: &TransactionRecord, sent: &ImportTransaction, sent_ms: i64) -> RecordMatch {
    compare(record, sent, sent_ms, false)
}

/// The same of a record that the service gave for the row's own invoice, or under a number that it named for the row:
/// an invoice that it leaves away is the one asked for, and its clock may be a minute behind.
pub fn match_asked_record(record: &TransactionRecord, sent: &ImportTransaction, sent_ms: i64) -> RecordMatch {
    compare(record, sent, sent_ms, true)
}

fn compare(
    record: &TransactionRecord,
    sent: &ImportTransaction,
    sent_ms: i64,
    is_asked: bool,
) -> RecordMatch {
    // Without a number it isn't a record, whatever else it has.
    if record.id <= 0 {
        return RecordMatch::Other;
    }
    let policy = RecordComparison::of(&record.policy_number, &sent.policy_number, plain);
    let premium = match (record.premium, sent.premium) {
        (Some(theirs), Some(ours)) if theirs.abs() == ours.abs() => RecordComparison::Same,
        // Equal in whole dollars.
        (Some(theirs), Some(ours)) if dollars(theirs) == dollars(ours) => RecordComparison::Unclear,
        (Some(_), Some(_)) => RecordComparison::Other,
        _ => RecordComparison::Unknown,
    };
    let own_id = record.unique_id.as_deref().map(str::trim).filter(|id| !id.is_empty());
    let unclear = |why: &str| RecordMatch::Unclear(format!("transaction {} {why}", record.id));
    if own_id == Some(sent.id.trim()) {
        // An earlier import under the same id: this row may have been rejected because of it.
        let parts = [("policy number", &policy), ("premium", &premium)];
        return match parts.into_iter().find(|(_, part)| **part == RecordComparison::Other) {
            Some((what, _)) => unclear(&format!("has its id and another {what}")),
            None => RecordMatch::Same,
        };
    }
    let invoice = match RecordComparison::of(&record.extra_invoice_number, &sent.invoice_number, plain) {
        RecordComparison::Unknown if is_asked => RecordComparison::Same,
        compared => compared,
    };
    let kind = RecordComparison::of(&record.transaction_type, &sent.transaction_type, type_code);
    let parts = [&policy, &invoice, &kind, &premium];
    if own_id.is_some() {
        let is_other = parts.contains(&&RecordComparison::Other);
        return if is_other { RecordMatch::Other } else { unclear("has the same content and another id") };
    }
    // The service may put a number of its own into the invoice member.
    if [&policy, &kind, &premium].contains(&&RecordComparison::Other) {
        return RecordMatch::Other;
    }
    if invoice == RecordComparison::Other {
        return unclear("has the same content and another invoice number");
    }
    if parts.contains(&&RecordComparison::Unclear) {
        return unclear("has nearly the same content");
    }
    if parts.contains(&&RecordComparison::Unknown) {
        return unclear("does not say enough to tell it from others");
    }
    match record.created_date.as_deref().and_then(made_ms) {
        Some(made) if made + if is_asked { 60_000 } else { 1_000 } > sent_ms => RecordMatch::Same,
        Some(_) => unclear("has the same content and was made before this was sent"),
        None => unclear("has the same content and does not say when it was made"),
    }
}

/// How one member of a record compares to what was sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RecordComparison {
    Same,
    Other,
    /// It may be the same in another form.
    Unclear,
    /// One of the two is absent.
    Unknown,
}

impl RecordComparison {
    fn of(theirs: &Option<String>, ours: &Option<String>, form: impl Fn(&str) -> String) -> RecordComparison {
        let known = |text: &Option<String>| text.as_deref().map(&form).filter(|text| !text.is_empty());
        let (Some(theirs), Some(ours)) = (known(theirs), known(ours)) else {
            return RecordComparison::Unknown;
        };
        let without_zeros = |text: &str| text.trim_start_matches('0').to_owned();
        match () {
            () if theirs == ours => RecordComparison::Same,
            // Services drop leading zeros of a number, and have their own words for types.
            () if without_zeros(&theirs) == without_zeros(&ours) || theirs.contains(UNKNOWN_TYPE) => {
                RecordComparison::Unclear
            }
            () => RecordComparison::Other,
        }
    }
}

/// Marks a word for a type that isn't in the contract.
const UNKNOWN_TYPE: char = '?';

/// The code of a type, also for its title.
fn type_code(text: &str) -> String {
    let is_it =
        |kind: &&TransactionType| plain(kind.code()) == plain(text) || plain(kind.title()) == plain(text);
    match TransactionType::ALL.iter().find(is_it) {
        Some(kind) => kind.code().to_owned(),
        None if plain(text).is_empty() => String::new(),
        None => format!("{UNKNOWN_TYPE}{text}"),
    }
}

fn dollars(amount: Usd) -> Usd {
    amount.abs().round(Rounding::Dollar)
}

/// Whether two policy numbers are the same: services that read them as numbers drop leading zeros.
pub fn is_same_policy(one: &str, other: &str) -> bool {
    plain(one).trim_start_matches('0') == plain(other).trim_start_matches('0')
}

/// Letters and digits only: services write `AB-12 3` and `ab123`.
pub fn plain(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// `2026-02-23 10:11:12 EST` in milliseconds since 1970, with a fraction of a second or an offset too; `None` for a
/// zone name without a known offset.
fn made_ms(text: &str) -> Option<i64> {
    let text = text.trim();
    if let Ok(instant) = DateTime::parse_from_rfc3339(text) {
        return Some(instant.timestamp_millis());
    }
    let (time, rest) = text.split_at_checked("2026-02-23 10:11:12".len())?;
    let time = NaiveDateTime::parse_from_str(time, "%Y-%m-%d %H:%M:%S").ok()?;
    let zone = rest.trim_start_matches(|c: char| c == '.' || c.is_ascii_digit()).trim();
    if let Ok(offset) = zone.parse::<FixedOffset>() {
        return Some(time.and_utc().timestamp_millis() - i64::from(offset.local_minus_utc()) * 1_000);
    }
    let summer = i64::from(is_summer(time));
    let hours = match zone {
        "UTC" | "GMT" | "Z" | "Etc/UTC" | "Coordinated Universal Time" => 0,
        "America/New_York" | "America/Detroit" | "US/Eastern" => 5 - summer,
        "America/Chicago" | "US/Central" => 6 - summer,
        "America/Denver" | "US/Mountain" => 7 - summer,
        "America/Los_Angeles" | "US/Pacific" => 8 - summer,
        "America/Anchorage" | "US/Alaska" => 9 - summer,
        "EDT" => 4,
        "EST" | "CDT" => 5,
        "CST" | "MDT" => 6,
        "MST" | "PDT" | "America/Phoenix" | "US/Arizona" => 7,
        "PST" | "AKDT" => 8,
        "AKST" => 9,
        "HST" | "Pacific/Honolulu" | "US/Hawaii" => 10,
        _ => return None,
    };
    Some(time.and_utc().timestamp_millis() + hours * 3_600_000)
}

/// Whether daylight saving time holds in the United States (15 USC 260a); the hour that comes twice counts as the
/// earlier one.
fn is_summer(time: NaiveDateTime) -> bool {
    let sunday = |month, nth| {
        NaiveDate::from_weekday_of_month_opt(time.year(), month, Weekday::Sun, nth)?.and_hms_opt(2, 0, 0)
    };
    sunday(3, 2).is_some_and(|begin| time >= begin) && sunday(11, 1).is_some_and(|end| time < end)
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
        // All equal except one member, written another way; of two members with one name the last counts.
        let changed = |member: &str| {
            let whole = format!(r#"{{"id":7,{ALL},"created_date":"2026-02-23 10:00:05 UTC"}}"#);
            let mut value: serde_json::Value = serde_json::from_str(&whole).unwrap();
            let change: serde_json::Value = serde_json::from_str(&format!("{{{member}}}")).unwrap();
            value.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
            value.to_string()
        };
        let cases = [
            // Without an id, or with 0, there is no record: tests of `lenient` cover that.
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
            (format!(r#"{{"id":7,{ALL},"created_date":"2026-02-23 05:00:05 Mars/Olympus"}}"#), "unclear"),
            (format!(r#"{{"id":7,{ALL},"created_date":"2026-02-23 10:00:05 UTC"}}"#), "same"),
            (format!(r#"{{"id":7,{ALL},"created_date":"2026-02-23 05:00:05 EST"}}"#), "same"),
            // An absent member is not an equal one.
            (
                r#"{"id":7,"policy_number":"AB-123","created_date":"2026-02-23 10:00:05 UTC"}"#.to_owned(),
                "unclear",
            ),
            (r#"{"id":7,"policy_number":"AB-124"}"#.to_owned(), "other"),
            // Members that services write in their own way don't prove a difference.
            (changed(r#""transaction_type":"New policy""#), "same"),
            (changed(r#""transaction_type":"NB""#), "unclear"),
            (changed(r#""transaction_type":"APE""#), "other"),
            (changed(r#""extra_invoice_number":"2026-000017""#), "unclear"),
            (changed(r#""extra_invoice_number":"000INV-1""#), "unclear"),
            (changed(r#""premium":1000.4"#), "unclear"),
            (changed(r#""premium":1001"#), "other"),
            (
                r#"{"id":7,"unique_id":"own-1","policy_number":"00AB-123","premium":1000.4}"#.to_owned(),
                "same",
            ),
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

    #[test]
    fn a_record_that_was_asked_for_needs_no_invoice_of_its_own() {
        let found = |json: &str, is_asked: bool| {
            let compare = if is_asked { match_asked_record } else { match_record };
            compare(&record(json), &sent(), SENT_MS) == RecordMatch::Same
        };
        let whole = |invoice: &str, premium: &str, made: &str| {
            format!(
                r#"{{"id":7,"policy_number":"AB-123","transaction_type":"PN","premium":{premium},"extra_invoice_number":{invoice},"created_date":"{made}"}}"#
            )
        };
        const SAME: &str = "2026-02-23 10:00:05 UTC";
        for (invoice, premium, made, plainly, asked) in [
            ("\"INV-1\"", "1000", SAME, true, true),
            ("null", "1000", SAME, false, true),
            ("\"INV-2\"", "1000", SAME, false, false),
            ("null", "900", SAME, false, false),
            // Its clock is behind; or it was made before.
            ("\"INV-1\"", "1000", "2026-02-23 09:59:30 UTC", false, true),
            ("null", "1000", "2026-02-23 09:58:30 UTC", false, false),
            ("null", "1000", "", false, false),
        ] {
            let json = whole(invoice, premium, made);
            assert_eq!((found(&json, false), found(&json, true)), (plainly, asked), "{json}");
        }
    }

    #[test]
    fn times_of_every_zone_name() {
        let ten = NaiveDateTime::parse_from_str("2026-02-23 10:00:05", "%Y-%m-%d %H:%M:%S").unwrap();
        let ten = ten.and_utc().timestamp_millis();
        for text in [
            "2026-02-23 10:00:05 UTC",
            "2026-02-23 10:00:05.123 UTC",
            "2026-02-23 10:00:05 Coordinated Universal Time",
            "2026-02-23 10:00:05 +00:00",
            "2026-02-23 05:00:05-05:00",
            "2026-02-23 05:00:05 America/New_York",
            "2026-02-23 04:00:05.5 America/Chicago",
            "2026-02-23 00:00:05 Pacific/Honolulu",
        ] {
            assert_eq!(made_ms(text), Some(ten), "{text}");
        }
        let hours = |text: &str| made_ms(text).map(|made| (made - ten) / 3_600_000);
        assert_eq!(hours("2026-02-23 10:00:05 America/New_York"), Some(5));
        // Summer time from March 8 to November 1, 2026.
        let day = 24 * (365 - 31 - 22);
        for (text, expected) in [
            ("2026-03-08 01:30:05 America/New_York", Some(24 * 13 - 8 - 1 + 5)),
            ("2026-03-08 03:00:05 America/New_York", Some(24 * 13 - 7 + 4)),
            ("2026-11-01 10:00:05 America/New_York", Some(day - 24 * 61 + 5)),
            ("2026-02-23 10:00:05", None),
            ("2026-02-23", None),
            ("soon", None),
        ] {
            assert_eq!(hours(text), expected, "{text}");
        }
    }
}
