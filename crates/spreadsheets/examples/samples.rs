//! Writes the sample batches into `samples/batches`: good, bad, nasty, and a messy workbook of 5,000 rows.
//!
//! `cargo run -p bordereau-spreadsheets --example samples`. The seed is fixed: the same rows come again. All names
//! are invented; numbers of insurers are of the right form and belong to no one in particular.

use std::path::{Path, PathBuf};

use bordereau_contract::{Charge, Jurisdiction, TransactionType};
use bordereau_money::Usd;
use bordereau_spreadsheets::{CHARGE_FIELDS, Field};
use bordereau_tax::{LineInput, LocalTables, Quote, QuoteInput, RuleBook};
use chrono::{Datelike, Days, Months, NaiveDate};
use rust_xlsxwriter::{DocProperties, ExcelDateTime, Format, Workbook, Worksheet};

/// Small steps of a linear congruence: enough disorder for samples, and the same on every machine.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides
    }

    fn chance(&mut self, percent: u64) -> bool {
        self.roll(100) < percent
    }

    fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        let at = self.roll(from.len() as u64);
        &from[usize::try_from(at).expect("a small number")]
    }
}

const STATES: [Jurisdiction; 8] = [
    Jurisdiction::Tx,
    Jurisdiction::Ca,
    Jurisdiction::Fl,
    Jurisdiction::Il,
    Jurisdiction::Ny,
    Jurisdiction::Ok,
    Jurisdiction::Ga,
    Jurisdiction::Tn,
];
const LINES: [(&str, &str); 5] = [
    ("GEN-1002", "CGL"),
    ("GEN-1001", "PROP"),
    ("GEN-1008", "XS"),
    ("GEN-1006", "PROF"),
    ("GEN-1004", "PKG"),
];
const INSURERS: [&str; 4] = ["AA-1120337", "10899", "20443", "AA-1126623"];
const TRADES: [&str; 6] = ["Diner", "Roofing", "Trucking", "Bakery", "Apartments", "Brewery"];
const PLACES: [&str; 6] = ["Harbor", "Prairie", "Summit", "Lakeside", "Cedar", "Old Mill"];

/// A transaction with its right taxes.
struct Sale {
    number: u64,
    kind: TransactionType,
    state: Jurisdiction,
    line: usize,
    insurer: &'static str,
    insured: String,
    policy: String,
    effective: NaiveDate,
    transaction: NaiveDate,
    premium: Usd,
    fee: Usd,
    inspection: Usd,
    quote: Quote,
}

fn sale(dice: &mut Dice, number: u64) -> Sale {
    use TransactionType as T;
    let kind =
        *dice.pick(&[T::New, T::New, T::New, T::Renewal, T::Renewal, T::AdditionalPremium, T::ReturnPremium]);
    let state = *dice.pick(&STATES);
    let line = usize::try_from(dice.roll(LINES.len() as u64)).expect("a small number");
    let begin = NaiveDate::from_ymd_opt(2026, 1, 2).expect("a date");
    let later = |day: NaiveDate, days: u64| day.checked_add_days(Days::new(days)).expect("a date");
    let effective = later(begin, dice.roll(55));
    let transaction = if kind.starts_policy() { effective } else { later(effective, 1 + dice.roll(30)) };
    let cents = |amount: u64| Usd::from_cents(i64::try_from(amount).expect("small"));
    let premium = cents(50_000 + dice.roll(2_500_000));
    let charged = !kind.is_credit() && kind.starts_policy();
    let fee = if charged { cents(dice.roll(40) * 500) } else { Usd::ZERO };
    let inspection = if charged && dice.chance(40) { cents(dice.roll(300) * 100) } else { Usd::ZERO };
    let input = QuoteInput {
        transaction_type: kind,
        agency_fee: fee,
        inspection_fee: inspection,
        transaction_effective: transaction,
        today: NaiveDate::from_ymd_opt(2026, 3, 1).expect("a date"),
        ..QuoteInput::new_policy(state, vec![LineInput { code: LINES[line].0.into(), premium }], effective)
    };
    let quote =
        RuleBook::builtin().calculate(&input, &LocalTables::default()).expect("a question with an answer");
    Sale {
        number,
        kind,
        state,
        line,
        insurer: dice.pick::<&'static str>(&INSURERS),
        insured: format!("{} {} LLC", dice.pick(&PLACES), dice.pick(&TRADES)),
        policy: format!("00{:08}", 10_000_000 + number * 37),
        effective,
        transaction,
        premium,
        // Where a state restricts fees, the sample charges what is allowed.
        fee: quote.amounts.of(Charge::AgencyFee).abs(),
        inspection: quote.amounts.of(Charge::InspectionFee).abs(),
        quote,
    }
}

impl Sale {
    fn value(&self, field: Field) -> String {
        let amounts = &self.quote.amounts;
        let text = |amount: Usd| if amount.is_zero() { String::new() } else { amount.abs().to_string() };
        match field {
            Field::Id => format!("INV-{}", 20_000 + self.number),
            Field::PolicyNumber => self.policy.clone(),
            Field::PolicyEffectiveDate => american(self.effective),
            Field::PolicyExpirationDate => american(self.expiration()),
            Field::TransactionEffectiveDate => american(self.transaction),
            Field::ExpiringPolicyNumber if self.kind == TransactionType::Renewal => self.expiring(),
            Field::InvoiceDate => american(self.transaction),
            Field::InvoiceNumber => format!("{}", 20_000 + self.number),
            Field::TransactionType => self.kind.code().into(),
            Field::PolicyType => "standard".into(),
            Field::AccountWrittenAs => "DC".into(),
            Field::LayeredRisk | Field::RiskRetentionGroup => "0".into(),
            Field::RiskDescription => self.insured.split(' ').rev().nth(1).unwrap_or("Risk").into(),
            Field::LineOfBusiness => LINES[self.line].0.into(),
            Field::InsuranceCompany => self.insurer.into(),
            Field::Premium => self.premium.to_string(),
            Field::AgencyFee => text(self.fee),
            Field::InspectionFee => text(self.inspection),
            Field::Total => self.quote.total.abs().to_string(),
            Field::InsuredName => self.insured.clone(),
            Field::PhysicalState => self.state.code().into(),
            Field::Documents => self.documents(),
            field => {
                let charge = CHARGE_FIELDS.into_iter().find(|(_, own)| *own == field);
                charge.map_or_else(String::new, |(charge, _)| text(amounts.of(charge)))
            }
        }
    }

    fn documents(&self) -> String {
        let required = self.quote.documents.iter().filter(|d| d.required_for_filing && d.upload_required);
        let mut codes: Vec<&str> = required.map(|d| d.code.as_str()).collect();
        codes.sort_unstable();
        codes.dedup();
        codes.iter().map(|code| format!("{code}: {}-{code}.pdf", self.policy)).collect::<Vec<_>>().join(" | ")
    }

    fn expiration(&self) -> NaiveDate {
        self.effective.checked_add_months(Months::new(12)).expect("a date")
    }

    fn expiring(&self) -> String {
        format!("00{:08}", 9_000_000 + self.number * 37)
    }
}

fn american(day: NaiveDate) -> String {
    format!("{:02}/{:02}/{}", day.month(), day.day(), day.year())
}

fn csv_of(sales: &[Sale], change: impl Fn(&Sale, Field, String) -> String) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(Field::ALL.iter().map(|f| f.name())).expect("memory");
    for sale in sales {
        writer.write_record(Field::ALL.iter().map(|f| change(sale, *f, sale.value(*f)))).expect("memory");
    }
    String::from_utf8(writer.into_inner().expect("memory")).expect("text")
}

/// One mistake a row, each of another kind.
fn mistaken(sale: &Sale, field: Field, value: String) -> String {
    match (sale.number % 20, field) {
        (0, Field::TransactionType) => "NP".into(),
        (1, Field::Premium) => "about 900".into(),
        (2, Field::PolicyEffectiveDate) => "02/30/2026".into(),
        (3, Field::SlTax) => "1.00".into(),
        (4, Field::InvoiceNumber | Field::RiskDescription) => String::new(),
        (5, Field::PolicyNumber) => "1.2E+15".into(),
        (6, Field::LineOfBusiness) => "Widgets".into(),
        (7, Field::PhysicalState) => "XX".into(),
        (8, Field::InsuranceCompany) => "AA-1120337 60% | 10899 30%".into(),
        (9, Field::Id) => "INV-20000".into(),
        (10, Field::PolicyExpirationDate) => "01/01/2020".into(),
        (11, Field::MailingZip) => "2139".into(),
        (12, Field::LayeredRisk) => "perhaps".into(),
        (13, Field::Documents) => String::new(),
        (14, Field::Total) => "1".into(),
        (15, Field::Premium) => format!("-{value}"),
        (16, Field::PolicyNumber) => format!(" {value} "),
        (17, Field::TransactionEffectiveDate) => "01/01/2025".into(),
        (18, Field::InsuredEmail) => "nobody at example.com".into(),
        _ => value,
    }
}

fn utf16(text: &str) -> Vec<u8> {
    std::iter::once(0xfeff).chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect()
}

/// Amounts with a decimal comma, dates by day, semicolons: a European export, in UTF-16.
fn european(sales: &[Sale]) -> Vec<u8> {
    let fields = [
        Field::Id,
        Field::PolicyNumber,
        Field::PolicyEffectiveDate,
        Field::TransactionType,
        Field::PhysicalState,
        Field::LineOfBusiness,
        Field::Premium,
        Field::SlTax,
        Field::InsuredName,
    ];
    let mut text = String::from(
        "sep=;\r\nTransaction ID;Policy No.;Eff. Date;Trans. Type;State;LOB;Gross Premium;SL Tax;Named Insured\r\n",
    );
    for sale in sales {
        let cells = fields.map(|field| match field {
            Field::Premium => sale.premium.to_grouped().replace(',', " ").replace('.', ","),
            Field::SlTax => sale.value(field).replace('.', ","),
            Field::PolicyEffectiveDate => {
                format!("{:02}.{:02}.{}", sale.effective.day(), sale.effective.month(), sale.effective.year())
            }
            Field::InsuredName => sale.insured.replace("Old Mill", "Café Zoë"),
            _ => sale.value(field),
        });
        text += &(cells.join(";") + "\r\n");
    }
    utf16(&text)
}

const HEADERS: [&str; 25] = [
    "Unique ID",
    "Policy No.",
    "Eff Date",
    "Exp Date",
    "Trans Date",
    "Prior Policy",
    "Invoice #",
    "Inv Date",
    "Type",
    "Layered",
    "RRG",
    "Description",
    "LOB",
    "Carrier",
    "Gross Premium",
    "Policy Fee",
    "Carrier Fee",
    "SL Tax",
    "Stamping Fee",
    "Service Charge",
    "Fire Marshal Tax",
    "Invoice Total",
    "Named Insured",
    "Zip",
    "State",
];

/// The messy workbook: titles above the headers, dates of every kind, NP and RP, own codes of lines, amounts
/// as text, wrong taxes, ids twice, invoice numbers missing, a line of totals at the end.
fn messy(path: &Path, dice: &mut Dice) {
    let mut workbook = Workbook::new();
    let made = ExcelDateTime::from_ymd(2026, 3, 1).expect("a date");
    workbook.set_properties(&DocProperties::new().set_creation_datetime(&made));
    let sheet = workbook.add_worksheet();
    sheet.set_name("Export").expect("a name");
    sheet.write(0, 0, "Example Agency: invoices January to March 2026").expect("a cell");
    for (column, header) in (0u16..).zip(HEADERS) {
        sheet.write(2, column, header).expect("a cell");
    }
    for number in 0..5_000 {
        let sale = sale(dice, number);
        let row = u32::try_from(number).expect("small") + 3;
        messy_row(sheet, row, &sale, dice);
    }
    sheet.write(5_003, 0, "Total").expect("a cell");
    sheet.write(5_003, 14, 1_234_567.89).expect("a cell");
    workbook.save(path).expect("the samples' folder");
}

fn messy_row(sheet: &mut Worksheet, row: u32, sale: &Sale, dice: &mut Dice) {
    let id = if dice.chance(1) && sale.number > 10 { sale.number - 7 } else { sale.number };
    let mut text = |column: u16, value: &str| {
        if !value.is_empty() {
            sheet.write(row, column, value).expect("a cell");
        }
    };
    text(0, &format!("INV-{}", 20_000 + id));
    text(1, &if dice.chance(3) { format!("{} ", sale.policy) } else { sale.policy.clone() });
    text(5, &sale.value(Field::ExpiringPolicyNumber));
    text(6, &if dice.chance(4) { String::new() } else { sale.value(Field::InvoiceNumber) });
    text(
        8,
        match sale.kind {
            TransactionType::New if dice.chance(40) => "NP",
            TransactionType::New if dice.chance(10) => "New",
            TransactionType::Renewal if dice.chance(50) => "RP",
            kind => kind.code(),
        },
    );
    text(9, if dice.chance(90) { "No" } else { "N" });
    text(10, "No");
    text(11, &sale.value(Field::RiskDescription));
    text(12, if dice.chance(70) { LINES[sale.line].1 } else { LINES[sale.line].0 });
    text(13, sale.insurer);
    text(22, &sale.insured);
    text(24, sale.state.code());
    for (column, day) in
        [(2, sale.effective), (3, sale.expiration()), (4, sale.transaction), (7, sale.transaction)]
    {
        messy_date(sheet, row, column, day, dice);
    }
    let wrong = dice.chance(8);
    let amounts = [
        (14, Field::Premium),
        (15, Field::AgencyFee),
        (16, Field::InspectionFee),
        (17, Field::SlTax),
        (18, Field::StampingFee),
        (19, Field::SlServiceCharge),
        (20, Field::FmTax),
        (21, Field::Total),
    ];
    for (column, field) in amounts {
        let value = sale.value(field);
        let value =
            if wrong && field == Field::SlTax && !value.is_empty() { "100.00".to_owned() } else { value };
        messy_amount(sheet, row, column, &value, dice);
    }
    sheet.write(row, 23, 2_000 + u32::try_from(dice.roll(97_000)).expect("small")).expect("a cell");
}

fn messy_date(sheet: &mut Worksheet, row: u32, column: u16, day: NaiveDate, dice: &mut Dice) {
    let format = Format::new().set_num_format("mm/dd/yyyy");
    match dice.roll(100) {
        0 => sheet.write(row, column, "02/30/2026"),
        1 => sheet.write(row, column, "TBD"),
        2..12 => sheet.write(row, column, american(day)),
        12..15 => sheet.write(row, column, day.format("%b %d, %Y").to_string()),
        _ => {
            let (year, month, date) = (day.year(), day.month(), day.day());
            let small = |n: u32| u8::try_from(n).expect("a month or day");
            let cell =
                ExcelDateTime::from_ymd(u16::try_from(year).expect("a year"), small(month), small(date));
            sheet.write_with_format(row, column, cell.expect("a date"), &format)
        }
    }
    .expect("a cell");
}

fn messy_amount(sheet: &mut Worksheet, row: u32, column: u16, value: &str, dice: &mut Dice) {
    if value.is_empty() {
        return;
    }
    let amount = Usd::parse(value).expect("an amount");
    match dice.roll(200) {
        0 => sheet.write(row, column, "see invoice"),
        1..40 => sheet.write(row, column, format!("${}", amount.to_grouped())),
        _ => {
            // The workbook's own cell is a number, as in every spreadsheet.
            sheet.write(row, column, value.parse::<f64>().expect("a number"))
        }
    }
    .expect("a cell");
}

fn main() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../samples/batches");
    std::fs::create_dir_all(&folder).expect("the samples' folder");
    let write =
        |name: &str, bytes: &[u8]| std::fs::write(folder.join(name), bytes).expect("the samples' folder");
    let mut dice = Dice(2026);
    let sales: Vec<Sale> = (0..60).map(|number| sale(&mut dice, number)).collect();
    write("good.csv", csv_of(&sales, |_, _, value| value).as_bytes());
    write("bad.csv", csv_of(&sales, mistaken).as_bytes());
    write("nasty-european-utf16.csv", &european(&sales));
    let quotes = csv_of(&sales[..10], |sale, field, value| match field {
        Field::InsuredName if sale.number % 3 == 0 => format!("{value} \"the first\"\nsecond line"),
        _ => value,
    });
    write("nasty-quotes.csv", quotes.replacen("\"\"the first\"\"", "\"the first", 1).as_bytes());
    let latin = csv_of(&sales[..10], |_, _, value| value.replace("Harbor", "Zoë's"));
    write(
        "nasty-windows-1252.csv",
        &latin.chars().map(|c| u8::try_from(u32::from(c)).unwrap_or(b'?')).collect::<Vec<_>>(),
    );
    let row =
        |value: fn(Field) -> &'static str| Field::ALL.iter().map(|f| value(*f)).collect::<Vec<_>>().join(",");
    write("template.csv", format!("{}\r\n{}\r\n", row(Field::name), row(Field::example)).as_bytes());
    messy(&folder.join("messy-5000.xlsx"), &mut dice);
}
