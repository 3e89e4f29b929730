//! What comes over the network.

use bordereau_client::{FeedBuffer, FeedEntry, check_authorities};
use bordereau_contract::{
    CalculateResponse, DiligentForms, DocumentsImported, Event, ImportAccepted, ImportResults, SearchAnswer,
    TokenResponse, TransactionRecord, WebhookDeliveries, read_answer,
};
use serde_json::Value;

/// An answer as each kind of it: noise makes no record, and a record that is written is read as the same.
pub fn check_answer(bytes: &[u8]) {
    // A tab or a line break in a text is read as a blank.
    let blank = |byte: &u8| if byte.is_ascii_control() { b' ' } else { *byte };
    let plain: Vec<u8> = bytes.iter().map(blank).collect();
    let ids = serde_json::from_slice(&plain).map_or(0, |answer| count_ids(&answer));
    if let Ok(record) = read_answer::<TransactionRecord>(bytes) {
        assert!(ids > 0, "a record without a number: {:?}", record.value);
        assert!(record.value.id > 0);
        if record.losses.is_empty() {
            let written = serde_json::to_vec(&record.value).expect("it is written");
            let again = read_answer::<TransactionRecord>(&written).expect("it is read again");
            assert_eq!(again.value, record.value);
        }
    }
    if let Ok(answer) = read_answer::<SearchAnswer>(bytes) {
        assert!(answer.value.data.len() <= ids, "more records than numbers: {:?}", answer.value.data);
    }
    if let Ok(accepted) = read_answer::<ImportAccepted>(bytes) {
        // In the place of a number there may be the results themselves.
        let accepted = accepted.value;
        assert!(
            accepted.batch_id != "0" && (!accepted.batch_id.is_empty() || !accepted.transactions.is_empty())
        );
    }
    drop(read_answer::<ImportResults>(bytes));
    drop(read_answer::<CalculateResponse>(bytes));
    drop(read_answer::<DocumentsImported>(bytes));
    drop(read_answer::<DiligentForms>(bytes));
    drop(read_answer::<TokenResponse>(bytes));
    drop(read_answer::<WebhookDeliveries>(bytes));
}

/// Members that a record's number may be in, or be the name of.
fn count_ids(value: &Value) -> usize {
    let is_id = |name: &str| {
        let plain: String = name.chars().filter(char::is_ascii_alphanumeric).collect();
        let is_number = plain.starts_with(|first: char| first.is_ascii_digit());
        is_number || ["id", "transactionid"].iter().any(|known| plain.eq_ignore_ascii_case(known))
    };
    match value {
        Value::Object(members) => {
            members.iter().map(|(name, value)| usize::from(is_id(name)) + count_ids(value)).sum()
        }
        Value::Array(entries) => entries.iter().map(count_ids).sum(),
        _ => 0,
    }
}

/// The body of a delivery: an event is written as one that is read as the same kind.
pub fn check_event(bytes: &[u8]) {
    let Ok(event) = Event::read(bytes) else { return };
    let _ = event.subject();
    let again = Event::read(event.to_json().as_bytes()).expect("what is written is an event");
    assert_eq!(again.kind(), event.kind());
}

/// A feed: the same entries, wherever the network cuts it. The first byte says where.
pub fn check_feed(bytes: &[u8]) {
    let Some((size, feed)) = bytes.split_first() else { return };
    let whole = entries_of(feed, feed.len().max(1));
    assert_eq!(entries_of(feed, usize::from(*size).max(1)), whole);
}

fn entries_of(feed: &[u8], size: usize) -> Vec<FeedEntry> {
    let (mut buffer, mut entries) = (FeedBuffer::default(), Vec::new());
    for piece in feed.chunks(size) {
        buffer.add_piece(piece);
        while let Ok(Some(entry)) = buffer.next_entry() {
            entries.push(entry);
        }
    }
    entries
}

/// A file of authorities.
pub fn check_pem(bytes: &[u8]) {
    drop(check_authorities(&String::from_utf8_lossy(bytes)));
}
