//! Speed and memory of a large import, as ratios measured in one run.
//!
//! 100,000 rows of 44 columns: CSV to typed, validated rows and issues against a plain pass of the `csv` crate
//! over the same bytes (at most 4), peak memory against the file's size (at most 4); the same rows as XLSX
//! against calamine's raw range read (at most 1.2); 1,000,000 rows of 15 columns in at most 5 seconds.
//! `BORDEREAU_BENCH_ROWS` changes the number of rows of the first two.
//!
//! A machine is seldom at rest, and seldom for long: both sides of a ratio take turns, round by round. The ratio
//! of a round is of two runs that were neighbors in time; the median over all rounds is the figure that counts,
//! and the ratio of the best run of each side is printed beside it.

use std::alloc::{GlobalAlloc, Layout, System};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicIsize, Ordering};
use std::time::{Duration, Instant};

use bordereau_spreadsheets::{Checks, Field, ReadOptions, Review, SentKeys, propose, read};
use bordereau_tax::{Local, RuleBook};
use calamine::{Reader, Xlsx};
use chrono::NaiveDate;

/// Counts what is allocated while [`COUNTS`], so that the peak is the program's own and not the machine's. While
/// time is measured it does not: threads that count together wait for one another at every row.
struct Counting;

static COUNTS: AtomicBool = AtomicBool::new(false);
static NOW: AtomicIsize = AtomicIsize::new(0);
static PEAK: AtomicIsize = AtomicIsize::new(0);

fn count(by: isize) {
    if COUNTS.load(Ordering::Relaxed) {
        let now = NOW.fetch_add(by, Ordering::Relaxed) + by;
        PEAK.fetch_max(now, Ordering::Relaxed);
    }
}

/// The most bytes that were in use at once beyond those in use before.
fn peak_of<T>(run: impl FnOnce() -> T) -> (isize, T) {
    NOW.store(0, Ordering::Relaxed);
    PEAK.store(0, Ordering::Relaxed);
    COUNTS.store(true, Ordering::Relaxed);
    let result = run();
    COUNTS.store(false, Ordering::Relaxed);
    (PEAK.load(Ordering::Relaxed), result)
}

#[allow(unsafe_code, reason = "an allocator is unsafe by its trait; this one only counts and passes on")]
// SAFETY: every call goes to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size().cast_signed());
        // SAFETY: passed on unchanged.
        unsafe { System.alloc(layout) }
    }
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size().cast_signed());
        // SAFETY: passed on unchanged.
        unsafe { System.alloc_zeroed(layout) }
    }
    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        count(-layout.size().cast_signed());
        // SAFETY: passed on unchanged.
        unsafe { System.dealloc(at, layout) }
    }
    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size.cast_signed() - layout.size().cast_signed());
        // SAFETY: passed on unchanged.
        unsafe { System.realloc(at, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The first 44 columns of the template, those of the money among them.
fn columns() -> &'static [Field] {
    &Field::ALL[..44]
}

fn cell(row: usize, field: Field) -> String {
    let effective = format!("{:02}/{:02}/2026", row % 12 + 1, row % 28 + 1);
    match field {
        Field::Id => format!("INV-{row}"),
        Field::PolicyNumber => format!("00{row:08}"),
        Field::PolicyEffectiveDate | Field::TransactionEffectiveDate | Field::InvoiceDate => effective,
        Field::PolicyExpirationDate => effective.replace("2026", "2027"),
        Field::InvoiceNumber => format!("{row}"),
        Field::TransactionType => "PN".into(),
        Field::Premium => format!("{}.{:02}", 500 + row % 20_000, row % 100),
        Field::LineOfBusiness => ["GEN-1002", "GEN-1001", "GEN-1008"][row % 3].into(),
        Field::LinePremium | Field::InsurerShare | Field::PropertyLimit => String::new(),
        Field::InsuranceCompany => "AA-1120337".into(),
        Field::SlTax => "100.00".into(),
        Field::Total => format!("{}.{:02}", 600 + row % 20_000, row % 100),
        Field::InsuredName => format!("Example Diner {row} LLC, {} Main Street", row % 900),
        Field::RiskDescription => "Restaurant with a bar and live music on week-ends".into(),
        _ => field.example().into(),
    }
}

/// The state is in the 44th column.
fn header(field: Field) -> &'static str {
    if field == Field::MailingAddress { Field::PhysicalState.name() } else { field.name() }
}

fn value(row: usize, field: Field) -> String {
    if field == Field::MailingAddress { ["TX", "CA", "FL", "OK"][row % 4].into() } else { cell(row, field) }
}

fn csv_bytes(rows: usize, columns: &[Field]) -> Vec<u8> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(columns.iter().map(|f| header(*f))).expect("memory");
    for row in 0..rows {
        writer.write_record(columns.iter().map(|f| value(row, *f))).expect("memory");
    }
    writer.into_inner().expect("memory")
}

fn xlsx_bytes(rows: usize) -> Vec<u8> {
    let mut workbook = rust_xlsxwriter::Workbook::new();
    let sheet = workbook.add_worksheet();
    for (column, field) in (0u16..).zip(columns()) {
        sheet.write(0, column, header(*field)).expect("a cell");
    }
    for row in 0..rows {
        for (column, field) in (0u16..).zip(columns()) {
            let text = value(row, *field);
            let at = u32::try_from(row).expect("small") + 1;
            let is_number = field.kind() == bordereau_spreadsheets::Kind::Amount && !text.is_empty();
            match text.parse::<f64>() {
                Ok(number) if is_number => sheet.write(at, column, number),
                _ => sheet.write(at, column, text),
            }
            .expect("a cell");
        }
    }
    workbook.save_to_buffer().expect("memory")
}

fn reviewed(bytes: Vec<u8>, threads: usize) -> Review {
    let source = read("bench", bytes, &ReadOptions::default()).expect("a table");
    let mapping = propose(&source, &[]).mapping;
    let (local, sent, attached) = (Local::default(), SentKeys::default(), BTreeMap::new());
    let checks = Checks {
        today: NaiveDate::from_ymd_opt(2026, 3, 1).expect("a date"),
        book: RuleBook::builtin(),
        local: &local,
        fee_charged_by: None,
        sent: &sent,
        attached: &attached,
        threads,
    };
    Review::new(source, mapping, &checks)
}

/// The best of several runs: what the machine can do when nothing else disturbs it.
fn best<T>(runs: usize, mut run: impl FnMut() -> T) -> (Duration, T) {
    let mut best = None;
    for _ in 0..runs {
        let start = Instant::now();
        let result = run();
        let took = start.elapsed();
        if best.as_ref().is_none_or(|(least, _)| took < *least) {
            best = Some((took, result));
        }
    }
    best.expect("at least one run")
}

fn plain_pass(bytes: &[u8]) -> usize {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(bytes);
    let (mut record, mut cells) = (csv::StringRecord::new(), 0);
    while reader.read_record(&mut record).expect("a record") {
        cells += record.len();
    }
    cells
}

fn main() {
    if std::env::args().any(|a| a == "--csv-only") {
        return csv_figures(rows(), 1);
    }
    if let Some(phase) = std::env::args().skip_while(|a| a != "--phase").nth(1) {
        return one_phase(&phase);
    }
    let rows = rows();
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    RuleBook::builtin();
    csv_figures(rows, threads);
    xlsx_figures(rows, threads);
    million_figure(threads);
}

fn rows() -> usize {
    std::env::var("BORDEREAU_BENCH_ROWS").ok().and_then(|n| n.parse().ok()).unwrap_or(100_000)
}

/// Ten times one thing alone, for a profiler or a count of instructions; `none` for what comes before.
fn one_phase(phase: &str) {
    let is_workbook = matches!(phase, "range" | "workbook");
    let bytes = if is_workbook { xlsx_bytes(rows()) } else { csv_bytes(rows(), columns()) };
    for _ in 0..10 {
        match phase {
            "plain" => _ = std::hint::black_box(plain_pass(&bytes)),
            "read" => drop(read("bench", bytes.clone(), &ReadOptions::default()).expect("a table")),
            "intake" | "workbook" => drop(reviewed(bytes.clone(), 1)),
            "range" => _ = std::hint::black_box(raw_range(&bytes)),
            _ => drop(bytes.clone()),
        }
    }
}

fn csv_figures(rows: usize, threads: usize) {
    let bytes = csv_bytes(rows, columns());
    let size = bytes.len();
    let turns = Turns::of(
        || (),
        |()| plain_pass(&bytes),
        // The file is handed over as it was read; that is not measured.
        || bytes.clone(),
        |copy| reviewed(copy, threads),
    );
    println!("csv: {rows} rows x 44 columns, {:.1} MB, {threads} threads", mb(size));
    let (alone, source) = best(3, || read("bench", bytes.clone(), &ReadOptions::default()).expect("a table"));
    let (proposing, _) = best(3, || propose(&source, &[]));
    println!("csv_read_ms: {:.1} (with a copy of the bytes)", ms(alone));
    println!("csv_propose_ms: {:.1}", ms(proposing));
    drop(source);
    turns.print("csv", "plain_pass");
    turns.figures("CSV to rows and issues / a plain pass", 4.0);
    // What is measured holds the file, too.
    let (peak, review) = peak_of(|| reviewed(bytes.clone(), threads));
    figure("CSV: peak memory / the file", peak as f64 / size as f64, 4.0);
    println!("csv_issues: {}", review.findings().len());
}

/// As many rows as a table may have, of the columns that every file has.
fn million_figure(threads: usize) {
    let columns = [&columns()[..14], &columns()[43..]].concat();
    let bytes = csv_bytes(1_000_000, &columns);
    let (took, _) = best(3, || reviewed(bytes.clone(), threads));
    figure("1,000,000 rows of CSV to rows and issues, in seconds", took.as_secs_f64(), 5.0);
}

/// The two sides of a ratio, measured in turns.
struct Turns {
    plain: Vec<Duration>,
    intake: Vec<Duration>,
}

/// Odd, so that there is one in the middle.
const ROUNDS: usize = 9;

impl Turns {
    /// Each round runs the plain way and then ours, each on what is made ready for it before. What they give is
    /// dropped behind the measurement.
    fn of<A, B, C, D>(
        ready: impl Fn() -> A,
        plain: impl Fn(A) -> B,
        copy: impl Fn() -> C,
        intake: impl Fn(C) -> D,
    ) -> Turns {
        let mut turns = Turns { plain: Vec::new(), intake: Vec::new() };
        for _ in 0..ROUNDS {
            turns.plain.push(timed(&ready, &plain));
            turns.intake.push(timed(&copy, &intake));
        }
        turns
    }

    /// The middle of the rounds' own ratios.
    fn median(&self) -> f64 {
        let rounds = self.intake.iter().zip(&self.plain);
        let mut ratios: Vec<f64> = rounds.map(|(i, p)| i.as_secs_f64() / p.as_secs_f64()).collect();
        ratios.sort_by(f64::total_cmp);
        ratios[ROUNDS / 2]
    }

    fn best(&self) -> f64 {
        let least = |all: &[Duration]| all.iter().min().map_or(0.0, Duration::as_secs_f64);
        least(&self.intake) / least(&self.plain)
    }

    fn print(&self, file: &str, plain: &str) {
        let all = |rounds: &[Duration]| {
            rounds.iter().map(|took| format!("{:.1}", ms(*took))).collect::<Vec<_>>().join(" ")
        };
        println!("{file}_{plain}_ms: {}", all(&self.plain));
        println!("{file}_intake_ms: {}", all(&self.intake));
    }

    fn figures(&self, what: &str, most: f64) {
        figure(&format!("{what}, median of {ROUNDS} rounds"), self.median(), most);
        figure(&format!("{what}, best of each"), self.best(), most);
    }
}

fn timed<A, B>(ready: impl Fn() -> A, run: impl Fn(A) -> B) -> Duration {
    let input = ready();
    let start = Instant::now();
    let result = std::hint::black_box(run(input));
    let took = start.elapsed();
    drop(result);
    took
}

fn raw_range(bytes: &[u8]) -> usize {
    let mut book: Xlsx<_> = Xlsx::new(std::io::Cursor::new(bytes)).expect("a workbook");
    let name = book.sheet_names()[0].clone();
    book.worksheet_range(&name).expect("a sheet").used_cells().count()
}

fn xlsx_figures(rows: usize, threads: usize) {
    let bytes = xlsx_bytes(rows);
    let raw = || raw_range(&bytes);
    println!("xlsx: {rows} rows, {:.1} MB, {} cells", mb(bytes.len()), raw());
    let turns = Turns::of(|| (), |()| raw(), || bytes.clone(), |copy| reviewed(copy, threads));
    turns.print("xlsx", "raw_range");
    turns.figures("XLSX to rows and issues / calamine's raw range", 1.2);
    println!("xlsx_issues: {}", reviewed(bytes.clone(), threads).findings().len());
}

/// A line of the table of `cargo xtask bench`.
fn figure(what: &str, ratio: f64, most: f64) {
    let verdict = if ratio <= most { "pass" } else { "MISS" };
    println!("{what} | {ratio:.2} | at most {most} | {verdict}");
}

fn ms(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1000.0
}

fn mb(bytes: usize) -> f64 {
    bytes as f64 / 1e6
}
