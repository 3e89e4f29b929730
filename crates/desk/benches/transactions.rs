//! Searching and saving transactions, against SQLite and the workbook writer alone.
//!
//! Search: words over 1,000,000 generated transactions by the product's operation (the rows of the first window
//! included), against the bare FTS5 query on the same file with the same settings. Every round asks other words
//! in between, so that no answer is remembered. Among them are the beginnings of words and words that very many
//! transactions have, as they stand in the field while a person types. Export: 100,000 of them saved as XLSX by the
//! desk's own operation, against the same cells written to a file from memory. `cargo bench -p bordereau-desk --bench transactions`; `BORDEREAU_BENCH_ROWS` makes it smaller.

mod generated_records;
mod no_ports;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use bordereau_contract::TransactionRecord;
use bordereau_desk::api::{TableFormat, TransactionsExport, TransactionsFilter, TransactionsSearch};
use bordereau_desk::{
    BoxFuture, Desk, DeskConfig, FileDialogs, FileFilter, MemorySecrets, Ports, SystemClock,
};
use bordereau_money::Usd;
use generated_records::{ASKED, BROAD, record};
use no_ports::NoPorts;
use rusqlite::Connection;
use rust_xlsxwriter::{ExcelDateTime, Format, Workbook};

const ROWS: usize = 1_000_000;
const ROUNDS: usize = 7;
const EVERY_NAME: &str = "words of every transaction";
const SAVED: &str = "transactions.xlsx";
/// Words that every transaction has: only compared, since SQLite alone may need longer to name them all.
const EVERY: [(&str, &str); 4] =
    [("llc", "\"llc\"*"), ("pn", "\"pn\"*"), ("office", "\"office\"*"), ("esx", "\"esx\"*")];
/// As the view has them.
const COLUMNS: [&str; 11] = [
    "policy_number",
    "insured",
    "state",
    "transaction_type",
    "status",
    "transaction_effective",
    "premium",
    "taxes",
    "total",
    "invoice_number",
    "own_id",
];

/// Files are saved here.
struct SaveAs(PathBuf);

impl FileDialogs for SaveAs {
    fn choose_save_path(
        &self,
        _name: String,
        _filter: FileFilter,
    ) -> BoxFuture<'_, Option<std::path::PathBuf>> {
        Box::pin(async { Some(self.0.clone()) })
    }

    fn open(&self, _title: String, _filter: FileFilter) -> BoxFuture<'_, Option<std::path::PathBuf>> {
        Box::pin(async { None })
    }
}

fn main() {
    tokio::runtime::Runtime::new().expect("a runtime starts").block_on(run());
}

async fn run() {
    let rows = std::env::var("BORDEREAU_BENCH_ROWS").ok().and_then(|n| n.parse().ok()).unwrap_or(ROWS);
    let folder = tempfile::tempdir().expect("a folder");
    let desk = desk(folder.path());
    let began = Instant::now();
    for part in (1..=rows).collect::<Vec<_>>().chunks(20_000) {
        let records = part.iter().map(|n| record(*n)).collect();
        desk.store_records(records).await.expect("records are stored");
    }
    println!("{rows} records stored: {} s", began.elapsed().as_secs());
    search(&desk, folder.path(), rows, "words", &ASKED).await;
    search(&desk, folder.path(), rows, "beginnings and frequent words", &BROAD).await;
    search(&desk, folder.path(), rows, EVERY_NAME, &EVERY).await;
    export(&desk, folder.path(), rows).await;
}

fn desk(folder: &Path) -> Desk {
    let ports = Ports {
        clock: Arc::new(SystemClock),
        secrets: Arc::new(MemorySecrets::new()),
        practice: Arc::new(NoPorts),
        dialogs: Arc::new(SaveAs(folder.join(SAVED))),
        browser: Arc::new(NoPorts),
        policy: Arc::default(),
        sign_in: None,
    };
    Desk::open(DeskConfig { data_dir: folder.to_owned(), ports }).expect("the desk opens")
}

async fn search(desk: &Desk, folder: &Path, rows: usize, name: &str, asked: &[(&'static str, &str)]) {
    let bare = Connection::open(folder.join("transactions/practice.sqlite")).expect("the index is there");
    bare.pragma_update(None, "cache_size", -32_768).expect("a pragma");
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    let mut slowest = (Duration::ZERO, "");
    for round in 0..=ROUNDS {
        for (typed, question) in asked.iter().copied() {
            let found_bare = Instant::now();
            let there = matches(&bare, question);
            let bare_time = found_bare.elapsed();
            let filter = TransactionsFilter { text: typed.into(), ..TransactionsFilter::default() };
            let request = TransactionsSearch { filter, count: 100, ..TransactionsSearch::default() };
            let found = Instant::now();
            let page = desk.transactions_search(request).await.expect("a search");
            let our_time = found.elapsed();
            assert_eq!(page.total as usize, there, "{typed}");
            // The first round warms up.
            if round > 0 {
                ours.push(our_time);
                theirs.push(bare_time);
                slowest = slowest.max((our_time, typed));
            }
            if round == 1 {
                println!("{typed}: {there} found, {our_time:?}, bare {bare_time:?}");
            }
        }
    }
    println!("slowest: {} in {:?}", slowest.1, slowest.0);
    let sum = |times: &[Duration]| times.iter().sum::<Duration>();
    let percent = sum(&ours).as_micros() * 100 / sum(&theirs).as_micros().max(1);
    let worst = median_of_slowest(&ours, asked.len());
    if name == EVERY_NAME {
        println!("{name}: slowest question, median, {:.1} ms", worst.as_secs_f64() * 1000.0);
    } else {
        within_50_ms(name, rows, worst);
    }
    println!(
        "{name} over {rows} transactions / bare FTS5 | {}.{:02} | at most 1.5 | {}",
        percent / 100,
        percent % 100,
        if percent <= 150 { "pass" } else { "MISS" }
    );
}

fn within_50_ms(name: &str, rows: usize, worst: Duration) {
    println!(
        "{name} over {rows} transactions, slowest question, median | {:.1} ms | at most 50 ms | {}",
        worst.as_secs_f64() * 1000.0,
        if worst <= Duration::from_millis(50) { "pass" } else { "MISS" }
    );
}

/// Of the questions' medians the largest.
fn median_of_slowest(times: &[Duration], questions: usize) -> Duration {
    let of = |question: usize| median(times.iter().skip(question).step_by(questions).copied().collect());
    (0..questions).map(of).max().unwrap_or_default()
}

fn matches(db: &Connection, question: &str) -> usize {
    let sql = "SELECT rowid FROM words WHERE words MATCH ?1 ORDER BY rowid DESC";
    let mut statement = db.prepare_cached(sql).expect("FTS5");
    let mut rows = statement.query([question]).expect("a question");
    let mut count = 0;
    while rows.next().expect("a row").is_some() {
        count += 1;
    }
    count
}

async fn export(desk: &Desk, folder: &Path, rows: usize) {
    let filter = TransactionsFilter { states: vec!["TX".into()], ..TransactionsFilter::default() };
    let request = TransactionsExport {
        search: TransactionsSearch { filter, ..TransactionsSearch::default() },
        format: TableFormat::Xlsx,
        columns: COLUMNS.map(str::to_owned).to_vec(),
    };
    let lines: Vec<TransactionRecord> = (1..=rows).filter(|n| n % 10 == 0).rev().map(record).collect();
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for round in 0..4 {
        let began = Instant::now();
        let alone = alone(&lines, &folder.join("alone.xlsx"));
        let alone_time = began.elapsed();
        let began = Instant::now();
        let file = desk.transactions_export(request.clone()).await.expect("a file");
        let our_time = began.elapsed();
        assert!(file.saved && u64::from(file.bytes) > alone / 2, "the same cells: {file:?}, {alone} bytes");
        if round > 0 {
            ours.push(our_time);
            theirs.push(alone_time);
        }
    }
    let (our_time, alone_time) = (median(ours), median(theirs));
    let percent = our_time.as_millis() * 100 / alone_time.as_millis().max(1);
    println!("export {} ms, alone {} ms", our_time.as_millis(), alone_time.as_millis());
    println!(
        "XLSX of {} transactions / rust_xlsxwriter alone | {}.{:02} | at most 1.3 | {}",
        lines.len(),
        percent / 100,
        percent % 100,
        if percent <= 130 { "pass" } else { "MISS" }
    );
}

/// The same cells, from memory; bytes of the file.
fn alone(lines: &[TransactionRecord], path: &Path) -> u64 {
    let mut workbook = Workbook::new();
    let text = Format::new().set_num_format("@");
    let date = Format::new().set_num_format("yyyy-mm-dd");
    let amount = Format::new().set_num_format("#,##0.00");
    let sheet = workbook.add_worksheet();
    for (row, line) in lines.iter().enumerate() {
        let row = u32::try_from(row + 1).expect("it fits");
        let texts = [
            (0, &line.policy_number),
            (1, &line.mailing_insured_name),
            (2, &line.physical_state),
            (3, &line.transaction_type),
            (9, &line.extra_invoice_number),
            (10, &line.unique_id),
        ];
        for (column, cell) in texts {
            let cell = cell.as_deref().unwrap_or_default();
            sheet.write_string_with_format(row, column, cell, &text).expect("a cell");
        }
        sheet.write_string_with_format(row, 4, "Submitted", &text).expect("a cell");
        let day = line.transaction_effective_date.as_deref().unwrap_or_default();
        let day = ExcelDateTime::parse_from_str(day).expect("a date");
        sheet.write_datetime_with_format(row, 5, &day, &date).expect("a cell");
        let premium = line.premium.unwrap_or(Usd::ZERO).as_decimal().mantissa() as f64 / 100.0;
        for (column, number) in [(6, premium), (7, premium / 20.0), (8, premium * 1.05)] {
            sheet.write_number_with_format(row, column, number, &amount).expect("a cell");
        }
    }
    workbook.save(path).expect("a workbook");
    std::fs::metadata(path).expect("a file").len()
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}
