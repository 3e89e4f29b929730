//! 10,000 rows whose truth is known, written in every way the readers know, read through the whole import into the
//! practice service and compared there field by field: right, or told; never silently wrong. Seeds are fixed.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use bordereau_desk::Desk;
use bordereau_desk::api::*;
use chrono::{Datelike, Days, Months, NaiveDate};
use rust_xlsxwriter::{Format, Workbook};
use serde_json::Value;

use crate::outbox_fixture::{OutboxFixture, ended};
use crate::workbook_writers::{WrittenCell, WrittenHidden, fill_sheet, ods, ods_rows, xls, xlsb};

/// What a row means, whatever its file looks like.
#[derive(Clone)]
struct TrueRow {
    id: String,
    policy: String,
    invoice: String,
    effective: NaiveDate,
    expires: NaiveDate,
    cents: i64,
    tax: i64,
    stamping: i64,
    name: String,
    city: String,
    zip: String,
    description: String,
    insurer: &'static str,
}

const COLUMNS: [&str; 17] = [
    "Unique ID",
    "Policy No",
    "Invoice #",
    "Eff Date",
    "Exp Date",
    "Type",
    "State",
    "LOB",
    "Carrier",
    "Premium",
    "SL Tax",
    "Stamping Fee",
    "Invoice Total",
    "Named Insured",
    "City",
    "Zip",
    "Description",
];

/// Numbers that look as if they came by chance, the same in every run.
struct Seeded(u64);

impl Seeded {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 40).unwrap() % end
    }

    fn one_of<T: Copy>(&mut self, values: &[T]) -> T {
        values[self.below(values.len())]
    }
}

fn true_rows(way: &str, seed: u64, count: usize) -> Vec<TrueRow> {
    let mut seeded = Seeded(seed);
    let names = [
        "Café Zoë LLC",
        "O'Brien & Sons",
        "Größe, Müller GmbH",
        "\"The Diner\" Inc",
        "St. Mary's Church",
        "ACME",
        "1st Street Deli",
        "Smith, John A.",
    ];
    let row = |at: usize| {
        let effective = NaiveDate::from_ymd_opt(2025, 3, 1).unwrap() + Days::new(seeded.below(330) as u64);
        let cents = match seeded.below(6) {
            0 => 100 * (1 + seeded.below(900)) as i64,
            1 => 100_000 * (1 + seeded.below(90)) as i64,
            2 => 10 * (1 + seeded.below(99_999)) as i64,
            _ => (1 + seeded.below(99_999_999)) as i64,
        };
        TrueRow {
            id: format!("{way}-{at:05}"),
            policy: match seeded.below(4) {
                0 => format!("{:010}", 1_000 + at * 37),
                1 => format!("SL-{:07}", at * 13),
                2 => format!("{}E{:05}", 1 + seeded.below(8), at),
                _ => format!("{:010}", 4_100_000_000_usize + at * 7),
            },
            invoice: format!("{:06}", 17 + at * 3),
            effective,
            expires: effective + Months::new(12),
            cents,
            // 4.85% and 0.04% of Texas, to the cent.
            tax: (cents * 485 + 5_000) / 10_000,
            stamping: (cents * 4 + 5_000) / 10_000,
            name: seeded.one_of(&names).to_owned(),
            city: seeded.one_of(&["Austin", "Dallas", "El Paso", "São Tomé", ""]).to_owned(),
            zip: seeded.one_of(&["02139", "00501", "78701", "78701-1234", "07001"]).to_owned(),
            description: seeded
                .one_of(&["Shop", "Bar; grill", "Roofing | siding", "Warehouse\twith tabs", "Hotel"])
                .to_owned(),
            insurer: seeded.one_of(&["10899", "AA-1120337", "20443"]),
        }
    };
    (0..count).map(row).collect()
}

fn decimal(cents: i64) -> String {
    format!("{}.{:02}", cents / 100, cents % 100)
}

fn grouped(cents: i64, thousands: char, point: char) -> String {
    let whole = (cents / 100).to_string();
    let mut text = String::new();
    for (at, digit) in whole.chars().enumerate() {
        if at > 0 && (whole.len() - at).is_multiple_of(3) {
            text.push(thousands);
        }
        text.push(digit);
    }
    format!("{text}{point}{:02}", cents % 100)
}

/// How the values of a text are written.
struct TextStyle {
    date: &'static str,
    amount: fn(i64) -> String,
}

impl TrueRow {
    fn amounts(&self) -> [i64; 4] {
        [self.cents, self.tax, self.stamping, self.cents + self.tax + self.stamping]
    }

    fn texts(&self, style: &TextStyle) -> Vec<String> {
        let day = |day: NaiveDate| day.format(style.date).to_string();
        let [premium, tax, stamping, total] = self.amounts().map(style.amount);
        vec![
            self.id.clone(),
            self.policy.clone(),
            self.invoice.clone(),
            day(self.effective),
            day(self.expires),
            "PN".into(),
            "TX".into(),
            "GEN-1002".into(),
            self.insurer.into(),
            premium,
            tax,
            stamping,
            total,
            self.name.clone(),
            self.city.clone(),
            self.zip.clone(),
            self.description.clone(),
        ]
    }

    /// The cells of a workbook: days and amounts as numbers, whole numbers with leading zeros by their format.
    fn cells(&self) -> Vec<WrittenCell> {
        let style = TextStyle { date: "%Y-%m-%d", amount: decimal };
        let mut cells: Vec<WrittenCell> = self.texts(&style).into_iter().map(WrittenCell::Text).collect();
        let serial = |day: NaiveDate| u32::try_from(day.num_days_from_ce() - 693_594).unwrap();
        for (at, day) in [(3, self.effective), (4, self.expires)] {
            cells[at] = WrittenCell::Date(serial(day), day.format("%Y-%m-%d").to_string());
        }
        for (at, cents) in (9..).zip(self.amounts()) {
            #[allow(clippy::cast_precision_loss, reason = "a workbook has floats")]
            let number = cents as f64 / 100.0;
            cells[at] = WrittenCell::Number(number, "", decimal(cents));
        }
        if self.city.is_empty() {
            cells[14] = WrittenCell::Blank;
        }
        for (at, code) in [(1, "0000000000"), (2, "000000"), (15, "00000")] {
            if let WrittenCell::Text(text) = &cells[at]
                && text.len() == code.len()
                && let Ok(number) = text.parse::<u32>()
            {
                cells[at] = WrittenCell::Number(f64::from(number), code, text.clone());
            }
        }
        cells
    }

    /// What the service has to have of it, by member of the import.
    fn expected(&self) -> BTreeMap<&'static str, String> {
        let [premium, tax, stamping, total] = self.amounts().map(decimal);
        let day = |day: NaiveDate| day.format("%Y-%m-%d").to_string();
        BTreeMap::from([
            ("policy_number", self.policy.clone()),
            ("invoice_number", self.invoice.clone()),
            ("policy_effective_date", day(self.effective)),
            ("policy_expiration_date", day(self.expires)),
            ("transaction_type", "PN".into()),
            ("physical_state", "TX".into()),
            ("line_of_business_list", "GEN-1002".into()),
            ("insurance_company_list", self.insurer.into()),
            ("premium", premium),
            ("sl_tax", tax),
            ("stamping_fee", stamping),
            ("total", total),
            ("mailing_insured_name", self.name.clone()),
            ("mailing_city", self.city.clone()),
            ("mailing_zip_code", self.zip.clone()),
            ("risk_description", self.description.clone()),
        ])
    }
}

fn quoted(text: &str, delimiter: char) -> String {
    if text.contains(['"', '\n', delimiter]) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

fn delimited(rows: &[TrueRow], delimiter: char, style: &TextStyle) -> String {
    let line = |cells: Vec<String>| {
        let cells: Vec<String> = cells.iter().map(|cell| quoted(cell, delimiter)).collect();
        cells.join(&delimiter.to_string()) + "\r\n"
    };
    let mut text = line(COLUMNS.map(str::to_owned).to_vec());
    text.extend(rows.iter().map(|row| line(row.texts(style))));
    text
}

fn table(rows: &[TrueRow]) -> Vec<Vec<WrittenCell>> {
    let headers = COLUMNS.map(|header| WrittenCell::Text(header.into())).to_vec();
    std::iter::once(headers).chain(rows.iter().map(TrueRow::cells)).collect()
}

fn xlsx(rows: &[TrueRow]) -> Vec<u8> {
    let mut workbook = Workbook::new();
    fill_sheet(workbook.add_worksheet(), 0, &table(rows));
    workbook.save_to_buffer().unwrap()
}

/// A workbook as people make it: instructions first, a title, headers again in the middle, hidden rows and columns, a
/// merged title and a line of totals.
fn untidy_xlsx(rows: &[TrueRow]) -> Vec<u8> {
    let mut workbook = Workbook::new();
    let sheet = workbook.add_worksheet().set_name("Read me").unwrap();
    sheet.write(0, 0, "Fill in the sheet Export.").unwrap();
    let sheet = workbook.add_worksheet().set_name("Export").unwrap();
    sheet.merge_range(0, 0, 0, 5, "Premiums of the month", &Format::new()).unwrap();
    let table = table(rows);
    let (above, below) = table.split_at(table.len() / 2);
    fill_sheet(sheet, 2, above);
    let middle = 2 + u32::try_from(above.len()).unwrap();
    fill_sheet(sheet, middle, &table[..1]);
    fill_sheet(sheet, middle + 1, below);
    let end = middle + 1 + u32::try_from(below.len()).unwrap();
    let sum: i64 = rows.iter().map(|row| row.cents).sum();
    sheet.write(end, 0, "Total").unwrap();
    #[allow(clippy::cast_precision_loss, reason = "a workbook has floats")]
    sheet.write(end, 9, sum as f64 / 100.0).unwrap();
    sheet.set_row_hidden(5).unwrap();
    sheet.set_column_hidden(16).unwrap();
    workbook.add_worksheet().set_name("Archive").unwrap().write(0, 0, "old").unwrap();
    workbook.save_to_buffer().unwrap()
}

/// A file or a paste.
enum Written {
    File(Vec<u8>),
    Paste(String),
}

fn utf16(text: &str) -> Vec<u8> {
    std::iter::once(0xfeff).chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect()
}

/// One byte for each character, which these all have in windows-1252.
fn windows_1252(text: &str) -> Vec<u8> {
    text.chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect()
}

const AMERICAN: TextStyle =
    TextStyle { date: "%m/%d/%Y", amount: |cents| format!("${}", grouped(cents, ',', '.')) };
const EUROPEAN: TextStyle = TextStyle { date: "%d.%m.%Y", amount: |cents| grouped(cents, '.', ',') };
const PLAIN: TextStyle = TextStyle { date: "%Y-%m-%d", amount: decimal };
const SPOKEN: TextStyle =
    TextStyle { date: "%b %d, %Y", amount: |cents| format!("USD {}", grouped(cents, ',', '.')) };

/// Titles above, the headers once more in the middle, a line of totals at the end.
fn untidy_csv(rows: &[TrueRow]) -> String {
    let (above, below) = rows.split_at(rows.len() / 2);
    let sum: i64 = rows.iter().map(|row| row.cents).sum();
    let mut text = String::from("Premiums of the month\r\n\r\n");
    text += &delimited(above, '|', &AMERICAN);
    text += &delimited(below, '|', &AMERICAN);
    let _ = write!(text, "Total||||||||| {}\r\n", (AMERICAN.amount)(sum));
    text
}

type Way = (&'static str, usize, fn(&[TrueRow]) -> Written);

/// Every way and its count of rows: 10,000 together.
const WAYS: [Way; 11] = [
    ("plain", 1_500, |rows| Written::File(delimited(rows, ',', &PLAIN).into_bytes())),
    ("european", 1_000, |rows| Written::File(windows_1252(&delimited(rows, ';', &EUROPEAN)))),
    ("utf16", 1_000, |rows| Written::File(utf16(&delimited(rows, '\t', &AMERICAN)))),
    ("untidy", 1_000, |rows| Written::File(untidy_csv(rows).into_bytes())),
    ("spoken", 500, |rows| Written::File(delimited(rows, ',', &SPOKEN).into_bytes())),
    ("pasted", 1_000, |rows| Written::Paste(delimited(rows, '\t', &AMERICAN))),
    ("xlsx", 1_000, |rows| Written::File(xlsx(rows))),
    ("sheets", 1_000, |rows| Written::File(untidy_xlsx(rows))),
    ("ods", 700, |rows| Written::File(ods(&ods_rows(&table(rows), &WrittenHidden::default())))),
    ("xls", 700, |rows| Written::File(xls(&table(rows), &WrittenHidden::default()))),
    ("xlsb", 600, |rows| Written::File(xlsb(&table(rows), &WrittenHidden::default()))),
];

async fn opened(desk: &Desk, folder: &std::path::Path, way: &str, written: Written) -> ReviewView {
    let source = match written {
        Written::Paste(text) => ReviewSource::Pasted { text },
        Written::File(bytes) => {
            let path = folder.join(format!("{way}.data"));
            std::fs::write(&path, bytes).unwrap();
            let handle = desk.drop_files(vec![path]).remove(0).handle;
            ReviewSource::Dropped { handle }
        }
    };
    let mut view = desk.review_start(ReviewStart { source }).await.unwrap();
    while view.stage == ReviewStage::Reading {
        view = desk.review_state(ReviewId { id: view.id }).await.unwrap();
    }
    assert_ne!(view.stage, ReviewStage::Refused, "{way}: {:?}", view.refusal);
    if view.stage == ReviewStage::Match {
        let done = ReviewMatch { id: view.id.clone(), done: true, ..ReviewMatch::default() };
        view = desk.review_match(done).await.unwrap();
    }
    view
}

/// What the service has stored, by own id.
fn stored(test: &OutboxFixture) -> BTreeMap<String, Value> {
    let mut files = std::fs::read_dir(test.folder.path().join("service")).unwrap().flatten();
    let path = files.find(|file| file.path().extension().is_some_and(|end| end == "sqlite")).unwrap().path();
    let database = rusqlite::Connection::open(path).unwrap();
    let mut found = database.prepare("SELECT own_id, body FROM filing").unwrap();
    let rows = found.query_map([], |row| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?))).unwrap();
    rows.map(|row| row.unwrap()).map(|(id, body)| (id, serde_json::from_str(&body).unwrap())).collect()
}

/// A member as text: amounts to the cent, the first item of a list.
fn member(body: &Value, name: &str) -> String {
    match &body[name] {
        Value::String(text) => text.clone(),
        Value::Array(items) => items[0]["item"].as_str().unwrap_or_default().to_owned(),
        Value::Number(number) => bordereau_money::Usd::parse(&number.to_string())
            .map_or_else(|_| number.to_string(), |usd| usd.to_string()),
        _ => String::new(),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn ten_thousand_rows_arrive_as_they_were_meant_or_are_told() {
    let test = OutboxFixture::new().await;
    let desk = test.desk();
    let mut meant = BTreeMap::new();
    let mut told = BTreeMap::new();
    for (seed, (way, count, write)) in (1..).zip(WAYS) {
        let rows = true_rows(way, seed, count);
        let view = opened(&desk, test.folder.path(), way, write(&rows)).await;
        let mut from = 0;
        loop {
            let request = RowsRequest {
                id: view.id.clone(),
                rows: RowsQuery { filter: RowFilter::Errors, ..RowsQuery::default() },
                from,
                count: 500,
            };
            let page = desk.review_rows(request).await.unwrap();
            from += u32::try_from(page.rows.len()).unwrap();
            told.extend(page.rows.iter().map(|row| (row.cells[0].clone(), way)));
            if page.rows.is_empty() {
                break;
            }
        }
        println!("{way}: {count} meant, {:?}", view.counts);
        for group in view.groups.iter().filter(|group| group.severity == "error") {
            println!("  {} {} {}", group.code, group.rows, group.summary);
        }
        let scope = SendScope::Valid;
        let preview = SendReviewPreview { id: view.id.clone(), scope };
        let confirmed = desk.review_send_preview(preview).await.unwrap().totals;
        let send = SendReview { id: view.id.clone(), scope, confirmed, typed: String::new() };
        let batch = desk.review_send(send).await.unwrap();
        ended(&desk, &batch.id).await;
        meant.extend(rows.into_iter().map(|row| (row.id.clone(), row)));
    }
    assert_eq!(meant.len(), 10_000);
    let stored = stored(&test);
    for id in stored.keys() {
        assert!(meant.contains_key(id), "{id} was never written");
    }
    let (mut wrong, mut missing) = (Vec::new(), Vec::new());
    for (id, row) in &meant {
        let Some(body) = stored.get(id) else {
            if !told.contains_key(id) {
                missing.push(id.as_str());
            }
            continue;
        };
        for (name, expected) in row.expected() {
            let found = member(body, name);
            if found != expected {
                wrong.push(format!("{id} {name}: {found:?} for {expected:?}"));
            }
        }
    }
    assert_eq!(missing, Vec::<&str>::new(), "neither sent nor told");
    assert!(wrong.is_empty(), "{} silently wrong: {:#?}", wrong.len(), &wrong[..wrong.len().min(20)]);
    // What is right is not held back: all but totals and repeated headers is there.
    assert!(stored.len() >= 9_990, "{} of 10,000 were sent; told: {:?}", stored.len(), told.len());
}

/// Cells that can be misread: the column, what is written, and what it means; empty where it has no sure meaning.
const MISREAD: &[(&str, &str, &str)] = &[
    ("Eff Date", "02/30/2026", ""),
    ("Eff Date", "2026-02-29", ""),
    ("Eff Date", "20260223", "2026-02-23"),
    ("Eff Date", "Feb 23 2026", "2026-02-23"),
    ("Eff Date", "2026-02-23 00:00:00", "2026-02-23"),
    ("Eff Date", "2026-02-23T00:00:00Z", "2026-02-23"),
    ("Eff Date", "46076", "2026-02-23"),
    ("Eff Date", "0000-00-00", ""),
    ("Eff Date", "TBD", ""),
    // Two separators, signs, currencies, words.
    ("Premium", "1,234.50", "1234.50"),
    ("Premium", "1.234,50", ""),
    ("Premium", "1,234,50", ""),
    ("Premium", "12,34", ""),
    ("Premium", "1.234.567", ""),
    ("Premium", "1'234.50", "1234.50"),
    ("Premium", "1 234.50", "1234.50"),
    ("Premium", "$1,234.50", "1234.50"),
    ("Premium", "USD 1,234.50", "1234.50"),
    ("Premium", "\u{20ac}1234.50", ""),
    ("Premium", "1,234.50 EUR", ""),
    ("Premium", "CAD 1,234.50", ""),
    ("Premium", "1,234.50 CR", ""),
    ("Premium", "(1,234.50)", "-1234.50"),
    ("Premium", "1,234.50-", "-1234.50"),
    ("Premium", "(-1,234.50)", ""),
    ("Premium", "1.2345E+03", ""),
    ("Premium", "1234.505", ""),
    ("Premium", "12%", ""),
    ("Premium", "1.2k", ""),
    ("Premium", "n/a", ""),
    ("Premium", "TBD", ""),
    ("Premium", "-", ""),
    ("Premium", "1234.50 / 2", ""),
    ("Premium", "=A1*2", ""),
    ("Premium", "#REF!", ""),
    ("Premium", "########", ""),
    // Numbers of things, shortened or worked out on the way.
    ("Policy No", "1.23457E+15", ""),
    ("Policy No", "=\"0012345\"", "0012345"),
    ("Policy No", "#N/A", ""),
    ("Policy No", "#NAME?", ""),
    ("Policy No", "########", ""),
    ("Policy No", "Err:508", ""),
    ("Policy No", "#SPILL!", ""),
    ("Policy No", "0012345", "0012345"),
    ("Policy No", "1-2", "1-2"),
    ("Policy No", "12E45", "12E45"),
    ("Invoice #", "2.02611E+11", ""),
    ("Zip", "2139", "02139"),
    ("Zip", "501", "00501"),
];

/// The member of an import that a column becomes.
fn member_of(column: &str) -> &'static str {
    match column {
        "Eff Date" => "policy_effective_date",
        "Premium" => "premium",
        "Policy No" => "policy_number",
        "Invoice #" => "invoice_number",
        _ => "mailing_zip_code",
    }
}

/// The third of April or the fourth of March: nothing goes on before a person says which.
#[tokio::test(flavor = "multi_thread")]
async fn a_date_that_can_be_read_in_two_ways_is_asked_about() {
    let test = OutboxFixture::new().await;
    let desk = test.desk();
    for date in ["03/04/2026", "3-4-26"] {
        let mut cells = true_rows("ambiguous", 7, 1)[0].texts(&PLAIN);
        cells[3] = date.to_owned();
        let text = format!(
            "{}\r\n{}\r\n",
            COLUMNS.join(","),
            cells.iter().map(|cell| quoted(cell, ',')).collect::<Vec<_>>().join(",")
        );
        let view = opened(&desk, test.folder.path(), "ambiguous", Written::File(text.into_bytes())).await;
        assert_eq!(view.stage, ReviewStage::Match, "{date}: {view:?}");
    }
}

/// Each cell alone among rows that are plain: what reaches the service is what was meant, or the review said something
/// at that very cell.
#[tokio::test(flavor = "multi_thread")]
async fn a_cell_that_can_be_misread_is_right_or_told() {
    let test = OutboxFixture::new().await;
    let desk = test.desk();
    let rows = true_rows("misread", 99, MISREAD.len());
    let mut table: Vec<Vec<String>> = rows.iter().map(|row| row.texts(&PLAIN)).collect();
    for (cells, (column, text, _)) in table.iter_mut().zip(MISREAD) {
        cells[COLUMNS.iter().position(|name| name == column).unwrap()] = (*text).to_owned();
    }
    let headers = COLUMNS.map(str::to_owned).to_vec();
    let line = |cells: &Vec<String>| {
        cells.iter().map(|cell| quoted(cell, ',')).collect::<Vec<_>>().join(",") + "\r\n"
    };
    let text: String = std::iter::once(&headers).chain(&table).map(line).collect();
    let view = opened(&desk, test.folder.path(), "misread", Written::File(text.into_bytes())).await;
    let request = RowsRequest { id: view.id.clone(), count: 500, ..RowsRequest::default() };
    let page = desk.review_rows(request).await.unwrap();
    assert_eq!(page.rows.len(), MISREAD.len());
    // A person sends all of it, whatever was said.
    let scope = SendScope::All;
    let preview = SendReviewPreview { id: view.id.clone(), scope };
    let confirmed = desk.review_send_preview(preview).await.unwrap().totals;
    let batch =
        desk.review_send(SendReview { id: view.id.clone(), scope, confirmed, typed: String::new() }).await;
    ended(&desk, &batch.unwrap().id).await;
    let stored = stored(&test);
    let mut silent = Vec::new();
    for (at, (column, text, meant)) in MISREAD.iter().enumerate() {
        let place = u32::try_from(COLUMNS.iter().position(|name| name == column).unwrap()).unwrap();
        let is_told = page.rows[at].marks.iter().any(|mark| mark.column == Some(place));
        let found = stored.get(&rows[at].id).map(|body| member(body, member_of(column)));
        let is_right = !meant.is_empty() && found.as_deref().is_none_or(|found| found == *meant);
        // Nothing that has no meaning arrives as if it had one.
        if !is_right && !is_told {
            silent.push(format!("{column} {text:?}: {found:?} for {meant:?}"));
        }
    }
    assert!(silent.is_empty(), "silently wrong: {silent:#?}");
}
