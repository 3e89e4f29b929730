//! How soon the first rows of a dropped file are there with their problems, how soon all of it is, and how soon its
//! rows are filtered, sorted, changed and added up.
//!
//! Through the operations the window calls, from the drop to the page of rows; beside it the bare reading of the
//! same bytes. 100,000 rows of 44 columns as CSV and as XLSX, 1,000,000 rows of 15 columns as CSV.
//! `BORDEREAU_BENCH_ROWS` has one file of so many rows instead, of 15 columns from 1,000,000 rows on.
//! `cargo bench -p bordereau-desk --bench first_rows`.

mod generated_bordereau;
mod no_ports;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use bordereau_desk::api::{
    AreaChange, AreaContent, CellArea, ColumnFilter, ColumnSort, ReviewAreas, ReviewFigures, ReviewId,
    ReviewSource, ReviewStage, ReviewStart, ReviewView, RowsQuery, RowsRequest,
};
use bordereau_desk::{Desk, DeskConfig, MemorySecrets, Ports, SystemClock};
use generated_bordereau::{cells, csv, head};
use no_ports::NoPorts;

const ROUNDS: usize = 5;
/// What a person waits for at most, the drawing included.
const FIRST_MS: u128 = 300;
/// What a filter or an order may take until its first page, and a sum of all cells.
const ASKED_MS: u128 = 1_000;

fn main() {
    let asked = std::env::var("BORDEREAU_BENCH_ROWS").ok().and_then(|rows| rows.parse().ok());
    let runtime = tokio::runtime::Runtime::new().expect("a runtime starts");
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    if let Some(rows) = asked {
        runtime.block_on(measure(at, &csv(at, rows, rows < 1_000_000)));
        return;
    }
    runtime.block_on(measure(at, &csv(at, 100_000, true)));
    runtime.block_on(measure(at, &xlsx(at, 100_000)));
    runtime.block_on(measure(at, &csv(at, 1_000_000, false)));
}

fn xlsx(folder: &Path, rows: usize) -> PathBuf {
    let mut workbook = rust_xlsxwriter::Workbook::new();
    let sheet = workbook.add_worksheet();
    for (column, name) in (0u16..).zip(head(true)) {
        sheet.write(0, column, name).expect("a cell");
    }
    for row in 0..rows {
        for (column, text) in (0u16..).zip(cells(row, true)).filter(|(_, text)| !text.is_empty()) {
            sheet.write(u32::try_from(row).expect("small") + 1, column, text).expect("a cell");
        }
    }
    let path = folder.join(format!("{rows}.xlsx"));
    workbook.save(&path).expect("room for a file");
    path
}

/// One way of a file: until something is answered, until rows with problems are there, until all is read.
struct Way {
    answered: Duration,
    first: Duration,
    whole: Duration,
}

async fn measure(folder: &Path, path: &Path) {
    let began = Instant::now();
    let bytes = std::fs::read(path).expect("it is there").len();
    let bare = began.elapsed();
    let mut ways = Vec::new();
    measure_queries(&folder.join(format!("desk-asked-{bytes}")), path).await;
    for round in 0..ROUNDS {
        ways.push(one(&folder.join(format!("desk-{round}-{bytes}")), path).await);
    }
    let median = |of: fn(&Way) -> Duration| {
        let mut times: Vec<u128> = ways.iter().map(|way| of(way).as_millis()).collect();
        times.sort_unstable();
        times[times.len() / 2]
    };
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let first = median(|way| way.first);
    println!(
        "{name}, {} MB: bare reading {} ms, answered {} ms, all rows {} ms",
        bytes / 1_000_000,
        bare.as_millis(),
        median(|way| way.answered),
        median(|way| way.whole)
    );
    let verdict = if first <= FIRST_MS { "pass" } else { "MISS" };
    println!(
        "first rows with problems of {name}, at the core | {first} ms | at most {FIRST_MS} ms | {verdict}"
    );
}

fn open_desk(data_dir: &Path) -> Desk {
    let ports = Ports {
        clock: Arc::new(SystemClock),
        secrets: Arc::new(MemorySecrets::new()),
        practice: Arc::new(NoPorts),
        dialogs: Arc::new(NoPorts),
        browser: Arc::new(NoPorts),
        policy: Arc::default(),
        sign_in: None,
    };
    Desk::open(DeskConfig { data_dir: data_dir.to_owned(), ports }).expect("the desk opens")
}

/// Rows asked for in other ways than all of them in the order of the file, each for the first time.
async fn measure_queries(data_dir: &Path, path: &Path) {
    let desk = open_desk(data_dir);
    let handle = desk.drop_files(vec![path.to_owned()]).remove(0).handle;
    let start = ReviewStart { source: ReviewSource::Dropped { handle } };
    let mut view = desk.review_start(start).await.expect("it starts");
    while view.stage == ReviewStage::Reading {
        tokio::time::sleep(Duration::from_millis(20)).await;
        view = state(&desk, &view).await;
    }
    let count = view.counts.rows;
    let having = |column: u32, text: &str, values: &[&str]| RowsQuery {
        columns: vec![ColumnFilter {
            column,
            text: text.into(),
            values: values.iter().map(|value| (*value).into()).collect(),
        }],
        ..RowsQuery::default()
    };
    let sorted = |column: u32| RowsQuery {
        sort: Some(ColumnSort { column, descending: true }),
        ..RowsQuery::default()
    };
    let queries = [
        ("filtered by a text", having(9, "insured 99", &[])),
        ("filtered by a value", having(7, "", &["50.00"])),
        ("sorted by a date", sorted(2)),
        ("sorted by an amount", sorted(7)),
        ("sorted by a text", sorted(9)),
    ];
    for (way, rows) in queries {
        let began = Instant::now();
        let page = RowsRequest { id: view.id.clone(), rows, from: 0, count: 100 };
        assert_eq!(desk.review_rows(page).await.expect("rows").rows.len(), 100);
        tell(&format!("{count} rows {way}, until the first page"), began);
    }
    let all =
        |columns: std::ops::Range<u32>| CellArea { first: 0, last: u32::MAX, columns: columns.collect() };
    for (what, columns) in [("a column", 6..7), ("15 columns", 0..15)] {
        let began = Instant::now();
        let request =
            ReviewFigures { id: view.id.clone(), rows: RowsQuery::default(), areas: vec![all(columns)] };
        assert!(desk.review_figures(request).await.expect("figures").amounts >= count);
        tell(&format!("{what} of {count} rows added up"), began);
    }
    let began = Instant::now();
    let fill = AreaChange { area: all(13..14), content: AreaContent::Text { text: "Bakery".into() } };
    let rows = RowsQuery::default();
    let request = ReviewAreas {
        seen_changes: None,
        id: view.id.clone(),
        rows,
        verb: "Fill".into(),
        changes: vec![fill],
    };
    let done = desk.review_areas(request).await.expect("a step");
    println!("{} cells of {count} rows filled, stored: {} ms", done.total, began.elapsed().as_millis());
    desk.review_close(ReviewId { id: view.id }).await.expect("it is closed");
}

fn tell(what: &str, began: Instant) {
    let taken = began.elapsed().as_millis();
    let verdict = if taken <= ASKED_MS { "pass" } else { "MISS" };
    println!("{what} | {taken} ms | at most {ASKED_MS} ms | {verdict}");
}

async fn one(data_dir: &Path, path: &Path) -> Way {
    let desk = open_desk(data_dir);
    let began = Instant::now();
    let handle = desk.drop_files(vec![path.to_owned()]).remove(0).handle;
    let source = ReviewSource::Dropped { handle };
    let mut view = desk.review_start(ReviewStart { source }).await.expect("it starts");
    let answered = began.elapsed();
    let mut first = None;
    while first.is_none() || view.stage == ReviewStage::Reading {
        if view.counts.rows > 0 && first.is_none() {
            let page = RowsRequest { id: view.id.clone(), rows: RowsQuery::default(), from: 0, count: 100 };
            let page = desk.review_rows(page).await.expect("rows");
            if page.rows.iter().any(|row| !row.marks.is_empty()) && !view.groups.is_empty() {
                first = Some(began.elapsed());
                continue;
            }
        }
        tokio::time::sleep(Duration::from_millis(2)).await;
        view = state(&desk, &view).await;
    }
    let way = Way { answered, first: first.unwrap_or_default(), whole: began.elapsed() };
    desk.review_close(ReviewId { id: view.id }).await.expect("it is closed");
    way
}

async fn state(desk: &Desk, view: &ReviewView) -> ReviewView {
    desk.review_state(ReviewId { id: view.id.clone() }).await.expect("the review")
}
