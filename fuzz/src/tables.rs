//! Tables: from bytes to the words a person would see.

use std::collections::BTreeMap;

use bordereau_spreadsheets::{
    CheckSettings, ImportSource, Mapping, ReadOptions, Review, SentKeys, TableRowOutcome, cut_beginning,
    propose_mapping, read, read_paste, read_with, read_workbook, receive_workbook, send_workbook,
};
use bordereau_tax::{KentuckyTable, LinesTable, LocalTables, RuleBook};
use chrono::NaiveDate;

/// Cells of a table that is reviewed: beyond that only its reading is tried.
const CELLS_REVIEWED: usize = 4_000;

/// A file of any kind. Its cells pass through the pipe of the reading process, which changes nothing of them.
pub fn check_file(bytes: &[u8]) {
    if let Some(first) = cut_beginning(bytes.to_vec()) {
        drop(read("fuzzed", first, &ReadOptions::default()));
    }
    let read = read_with("fuzzed", bytes.to_vec(), &ReadOptions::default(), |bytes, asked, sink| {
        let mut sent = Vec::new();
        send_workbook(|sink| read_workbook(bytes, asked, sink), &mut sent).expect("memory takes it");
        if sent.len() < 1 << 20 {
            let mut again = Vec::new();
            send_workbook(|sink| receive_workbook(&mut sent.as_slice(), sink), &mut again)
                .expect("memory takes it");
            assert!(again == sent, "what is received is what was sent");
        }
        receive_workbook(&mut sent.as_slice(), sink)
    });
    match read {
        Ok(source) => review_source(source),
        Err(refusal) => assert!(refusal.to_string().ends_with('.'), "a refusal is a sentence: {refusal}"),
    }
}

/// Text from the clipboard.
pub fn check_paste(bytes: &[u8]) {
    if let Ok(source) = read_paste(&String::from_utf8_lossy(bytes), &ReadOptions::default()) {
        review_source(source);
    }
}

/// What another process answers, which may be anything.
pub fn check_transfer(bytes: &[u8]) {
    let mut rest = bytes;
    drop(receive_workbook(&mut rest, &mut |_| Ok(())));
}

/// A mapping file: what is read is written and read as the same.
pub fn check_mapping(bytes: &[u8]) {
    if let Ok(mapping) = Mapping::from_file(&String::from_utf8_lossy(bytes)) {
        assert_eq!(Mapping::from_file(&mapping.to_file()).as_ref(), Ok(&mapping));
    }
}

/// Files of a profile: each problem names its line.
pub fn check_rates(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    drop(LinesTable::from_csv(&text));
    drop(KentuckyTable::from_csv(&text));
}

/// Mapping, checks and wire records of a table: no row is lost, each problem is a sentence.
fn review_source(source: ImportSource) {
    let rows = source.table.row_count();
    if rows.saturating_mul(source.table.width().max(1)) > CELLS_REVIEWED {
        return;
    }
    let mapping = propose_mapping(&source, &[]).mapping;
    let (local, sent, attached) = (LocalTables::default(), SentKeys::default(), BTreeMap::new());
    let checks = CheckSettings {
        today: NaiveDate::from_ymd_opt(2026, 3, 1).expect("a day"),
        book: RuleBook::builtin(),
        local: &local,
        fee_charged_by: None,
        sent: &sent,
        attached: &attached,
        threads: 1,
    };
    let review = Review::new(source, mapping, &checks);
    let transactions = review.transactions();
    let outcomes = transactions.row_outcomes();
    assert_eq!(outcomes.len(), rows, "every row has an outcome");
    let is_data = |outcome: &&TableRowOutcome| {
        matches!(outcome, TableRowOutcome::Transaction | TableRowOutcome::FurtherRow)
    };
    let gathered: usize = (0..transactions.count()).map(|at| transactions.rows_of(at).len()).sum();
    assert_eq!(gathered, outcomes.iter().filter(is_data).count(), "every row of data is in one transaction");
    for finding in review.findings().iter().take(200) {
        let message = review.describe_finding(finding).message;
        assert!(message.starts_with("Row "), "{message}");
    }
    for at in 0..transactions.count().min(20) {
        let _ = review.to_wire(at);
    }
}
