//! Transactions made from their numbers, and what people search among them.

use bordereau_contract::TransactionRecord;
use bordereau_money::Usd;

const STATES: [&str; 10] = ["TX", "FL", "CA", "NY", "IL", "GA", "LA", "NJ", "WA", "CO"];
const FIRST: [&str; 20] = [
    "Harbor", "Blue", "Summit", "Cedar", "Iron", "Golden", "River", "Stone", "Maple", "Lake", "Bright",
    "Union", "Pioneer", "Eagle", "Coastal", "Prairie", "Canyon", "Valley", "North", "Example",
];
const SECOND: [&str; 20] = [
    "Diner",
    "Roofing",
    "Logistics",
    "Trucking",
    "Brewery",
    "Marina",
    "Hotel",
    "Farms",
    "Builders",
    "Bakery",
    "Foundry",
    "Theatre",
    "Storage",
    "Apartments",
    "Winery",
    "Clinic",
    "Salvage",
    "Towing",
    "Events",
    "Textiles",
];
/// What people type, and the same as FTS5 takes it.
pub const ASKED: [(&str, &str); 8] = [
    ("harbor roofing 4", "\"harbor\"* AND \"roofing\"* AND (\"4\"* OR \"\u{298}4d\"*)"),
    ("ESX-2026-0012", "\"esx20260012\"*"),
    ("canyon winery tx", "\"canyon\"* AND \"winery\"* AND \"tx\"*"),
    ("$1,250.50", "(\"125050\"* OR \"\u{298}1250d50\"*)"),
    ("INV-77", "\"inv77\"*"),
    ("summit clin", "\"summit\"* AND \"clin\"*"),
    ("eagle foundry llc", "\"eagle\"* AND \"foundry\"* AND \"llc\"*"),
    ("00077123", "\"00077123\"*"),
];
/// What is typed in the field meanwhile.
pub const BROAD: [(&str, &str); 4] =
    [("h", "\"h\"*"), ("harbor", "\"harbor\"*"), ("tx", "\"tx\"*"), ("tx marina", "\"tx\"* AND \"marina\"*")];

/// The transaction of this number, from 1.
pub fn record(n: usize) -> TransactionRecord {
    let mixed = n.wrapping_mul(2_654_435_761) % 1_000_003;
    let usd = |cents: usize| Usd::from_cents(i64::try_from(cents).unwrap_or_default());
    let day = format!("2026-{:02}-{:02}", mixed % 12 + 1, mixed % 28 + 1);
    let premium = 10_000 + mixed * 7;
    TransactionRecord {
        id: i64::try_from(n).unwrap_or_default(),
        transaction_type: Some("PN".into()),
        transaction_status: i64::try_from(mixed % 5).unwrap_or_default().into(),
        policy_number: Some(format!("ESX-2026-{n:08}")),
        policy_effective_date: Some(day.clone()),
        transaction_effective_date: Some(day),
        premium: Some(usd(premium)),
        sl_tax: Some(usd(premium / 20)),
        stamping_fee: Some(usd(premium / 2500)),
        mailing_insured_name: Some(format!(
            "{} {} {} LLC",
            FIRST[mixed % 20],
            SECOND[mixed / 20 % 20],
            mixed % 997
        )),
        physical_state: Some(STATES[n % 10].into()),
        extra_invoice_number: Some(format!("INV-{n}")),
        unique_id: Some(format!("own-{n}")),
        created_by: Some("office".into()),
        ..TransactionRecord::default()
    }
}
