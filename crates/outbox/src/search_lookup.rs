//! Looks up rows by a search over their policies' dates, the only such question in the specification itself.

use std::collections::{HashMap, HashSet};

use bordereau_client::SearchOptions;
use bordereau_contract::{
    DateRange, ImportTransaction, RecordMatch, SearchRequest, TransactionRecord, match_record,
    parse_calendar_day, plain,
};
use bordereau_store::Store;
use chrono::NaiveDate;

use super::job::{Service, ServiceTrouble};
use super::lookup_keys::{KnownRow, WaitingRow, is_number_of_other};
use super::transition::OpenPart;

/// Records that one lookup reads at most; beyond them nothing is proven.
const RECORDS_MAX: usize = 5_000;
/// Searches in one lookup; more days than that are merged into wider ranges.
const RANGES_MAX: usize = 6;
/// Days between two dates that one search covers.
const GAP_DAYS: i64 = 3;

/// What a search shows about one row.
pub(super) enum SearchedRow {
    Here(Box<TransactionRecord>),
    /// It isn't among the transactions of its days, all of which were read.
    Absent,
    /// It may be there: says why that isn't certain, or is empty.
    Unclear(String),
}

/// What the service has for some days.
struct FoundDays {
    records: Vec<TransactionRecord>,
    /// All its records of these days were read.
    is_whole: bool,
}

/// Looks for rows among the transactions of their days; `None` where the service has no search.
pub(super) async fn search_rows(
    store: &Store,
    service: &Service,
    part: &OpenPart,
    rows: &[WaitingRow],
) -> Result<Option<HashMap<i64, SearchedRow>>, ServiceTrouble> {
    let days: Vec<NaiveDate> = rows.iter().filter_map(|row| effective_day(&row.transaction)).collect();
    let Some(found) = search_days(service, &days).await? else { return Ok(None) };
    let mut by_policy: HashMap<String, Vec<&TransactionRecord>> = HashMap::new();
    let mut by_id: HashMap<&str, Vec<&TransactionRecord>> = HashMap::new();
    for record in &found.records {
        let own_id = record.unique_id.as_deref().map(str::trim).unwrap_or_default();
        by_id.entry(own_id).or_default().push(record);
        by_policy.entry(policy_key(record.policy_number.as_deref())).or_default().push(record);
    }
    let (mut searched, mut taken) = (HashMap::new(), HashMap::<i64, Vec<i64>>::new());
    for row in rows {
        let policy = policy_key(row.transaction.policy_number.as_deref());
        let named = by_id.get(row.transaction.id.trim()).into_iter();
        let alike = by_policy.get(&policy).filter(|_| !policy.is_empty()).into_iter();
        let mut seen = HashSet::new();
        let candidates: Vec<&TransactionRecord> =
            named.chain(alike).flatten().copied().filter(|record| seen.insert(record.id)).collect();
        let outcome = match_row(row, &candidates, part.sent_ms, found.is_whole);
        if let SearchedRow::Here(record) = &outcome {
            let is_named = record.unique_id.as_deref().map(str::trim) == Some(row.transaction.id.trim());
            taken.entry(record.id).or_default().push(row.row);
            // Matched by content only: the record may belong to another row sent from here.
            if !is_named
                && is_number_of_other(store, &part.destination.profile_id, record.id, &row.transaction.id)
                    .await?
            {
                searched.insert(row.row, unclear_row(record.id, "belongs to another row"));
                continue;
            }
        }
        searched.insert(row.row, outcome);
    }
    for (number, rows) in taken.iter().filter(|(_, rows)| rows.len() > 1) {
        for row in rows {
            searched.insert(*row, unclear_row(*number, "may be either of two rows with the same content"));
        }
    }
    Ok(Some(searched))
}

/// Whether a search returns transactions that the service is known to have, each equal to what was sent. A service
/// that writes policies or types in its own way wouldn't be found again.
pub(super) async fn knows_search(service: &Service, known: &[KnownRow]) -> Result<bool, ServiceTrouble> {
    let days: Vec<NaiveDate> = known.iter().filter_map(|row| effective_day(&row.sent)).collect();
    let Some(found) = search_days(service, &days).await? else { return Ok(false) };
    let is_shown = |row: &KnownRow| {
        let record = found.records.iter().find(|record| record.id == row.transaction_id);
        record.is_some_and(|record| {
            service.is_fresh(record)
                && policy_key(record.policy_number.as_deref())
                    == policy_key(row.sent.policy_number.as_deref())
                && match_record(record, &row.sent, 0) != RecordMatch::Other
        })
    };
    Ok(known.iter().any(|row| effective_day(&row.sent).is_some() && is_shown(row)))
}

fn match_row(
    row: &WaitingRow,
    candidates: &[&TransactionRecord],
    sent_ms: i64,
    is_whole: bool,
) -> SearchedRow {
    let (mut same, mut hint) = (Vec::new(), String::new());
    for record in candidates {
        match match_record(record, &row.transaction, sent_ms) {
            RecordMatch::Same => same.push(*record),
            RecordMatch::Unclear(why) => hint = why,
            RecordMatch::Other => {}
        }
    }
    match same.as_slice() {
        [record] => SearchedRow::Here(Box::new((*record).clone())),
        [one, ..] => unclear_row(one.id, "and others have the same content"),
        [] if hint.is_empty() && is_whole && effective_day(&row.transaction).is_some() => SearchedRow::Absent,
        [] => SearchedRow::Unclear(hint),
    }
}

fn unclear_row(number: i64, why: &str) -> SearchedRow {
    SearchedRow::Unclear(format!("transaction {number} {why}"))
}

fn effective_day(sent: &ImportTransaction) -> Option<NaiveDate> {
    sent.policy_effective_date.as_deref().and_then(parse_calendar_day)
}

/// Key that groups the records of a policy: services that read policies as numbers drop leading zeros.
fn policy_key(policy: Option<&str>) -> String {
    plain(policy.unwrap_or_default()).trim_start_matches('0').to_owned()
}

async fn search_days(service: &Service, days: &[NaiveDate]) -> Result<Option<FoundDays>, ServiceTrouble> {
    if days.is_empty() {
        return Ok(None);
    }
    let mut found = FoundDays { records: Vec::new(), is_whole: true };
    for range in join_days(days) {
        let request = SearchRequest { policy_effective_date: Some(range), ..SearchRequest::default() };
        let mut search = service
            .client
            .search_transactions(&request, SearchOptions { concurrent: 2, ..SearchOptions::default() });
        while let Some(part) = search.next().await {
            match part {
                Ok(part) => found.records.extend(part.records),
                Err(error) if error.is_unsupported_endpoint(service.is_practice) => return Ok(None),
                Err(error) => return Err(ServiceTrouble::from(&error)),
            }
            if found.records.len() >= RECORDS_MAX {
                found.is_whole = false;
                return Ok(Some(found));
            }
        }
        found.is_whole &= search.shortfalls().is_empty();
    }
    Ok(Some(found))
}

/// Merges the days into a few ranges.
fn join_days(days: &[NaiveDate]) -> Vec<DateRange> {
    let ranges = bordereau_contract::join_days(days, GAP_DAYS, i64::MAX);
    match ranges.as_slice() {
        [first, .., last] if ranges.len() > RANGES_MAX => vec![DateRange { from: first.from, to: last.to }],
        _ => ranges,
    }
}

#[cfg(test)]
mod tests {
    use bordereau_money::Usd;

    use super::*;

    fn day(text: &str) -> NaiveDate {
        parse_calendar_day(text).unwrap()
    }

    #[test]
    fn days_are_asked_for_in_a_few_ranges() {
        let ranges = |days: &[&str]| -> Vec<String> {
            let days: Vec<NaiveDate> = days.iter().map(|text| day(text)).collect();
            join_days(&days).iter().map(|range| format!("{} {}", range.from, range.to)).collect()
        };
        assert_eq!(ranges(&["2026-02-03", "2026-02-01", "2026-02-03"]), ["2026-02-01 2026-02-03"]);
        assert_eq!(ranges(&["2026-02-01", "2026-03-01"]), ["2026-02-01 2026-02-01", "2026-03-01 2026-03-01"]);
        let months: Vec<String> = (1..=9).map(|month| format!("2026-0{month}-01")).collect();
        let months: Vec<&str> = months.iter().map(String::as_str).collect();
        assert_eq!(ranges(&months), ["2026-01-01 2026-09-01"]);
    }

    #[test]
    fn a_row_is_absent_only_where_everything_was_read() {
        let text = |text: &str| Some(text.to_owned());
        let transaction = ImportTransaction {
            id: "own-1".into(),
            policy_number: text("AB-1"),
            invoice_number: text("I-1"),
            transaction_type: text("PN"),
            policy_effective_date: text("2026-02-01"),
            premium: Usd::parse("10").ok(),
            ..ImportTransaction::default()
        };
        let row = WaitingRow { row: 0, transaction, is_intact: true, evidence: None };
        let record = |id: i64, own_id: Option<&str>| TransactionRecord {
            id,
            unique_id: own_id.map(str::to_owned),
            policy_number: text("AB-1"),
            extra_invoice_number: text("I-1"),
            transaction_type: text("PN"),
            premium: Usd::parse("10").ok(),
            created_date: text("2026-02-02 10:00:00 UTC"),
            ..TransactionRecord::default()
        };
        let (named, plain, theirs) = (record(7, Some("own-1")), record(8, None), record(9, Some("other")));
        let cases: [(&str, Vec<&TransactionRecord>, bool, &str); 6] = [
            ("by its id", vec![&named], true, "here"),
            ("by its content", vec![&plain], true, "here"),
            ("two of the same content", vec![&plain, &named], true, "unclear"),
            ("another's", vec![&theirs], true, "unclear"),
            ("none", vec![], true, "absent"),
            ("none, and not all was read", vec![], false, "unclear"),
        ];
        for (what, candidates, is_whole, expected) in cases {
            let found = match match_row(&row, &candidates, 0, is_whole) {
                SearchedRow::Here(_) => "here",
                SearchedRow::Absent => "absent",
                SearchedRow::Unclear(_) => "unclear",
            };
            assert_eq!(found, expected, "{what}");
        }
    }
}
