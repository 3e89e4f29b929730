//! Questions to the calculator, written short.

#![allow(dead_code, reason = "each test file uses its part")]

use std::str::FromStr;

use bordereau_contract::{Charge, Jurisdiction, TransactionType};
use bordereau_money::Usd;
use bordereau_tax::{LineInput, LocalTables, Quote, QuoteInput, RuleBook};
use chrono::NaiveDate;

pub fn usd(text: &str) -> Usd {
    Usd::parse(text).unwrap()
}

pub fn date(text: &str) -> NaiveDate {
    NaiveDate::from_str(text).unwrap()
}

pub fn state(code: &str) -> Jurisdiction {
    Jurisdiction::from_str(code).unwrap()
}

/// A new policy; `lines` is `GEN-1002=9521 | GEN-1004=100`.
pub fn new_policy(code: &str, lines: &str, effective: &str) -> QuoteInput {
    let lines = lines
        .split('|')
        .map(|line| {
            let (code, premium) = line.trim().split_once('=').unwrap();
            LineInput { code: code.into(), premium: usd(premium) }
        })
        .collect();
    QuoteInput { today: date("2026-11-21"), ..QuoteInput::new_policy(state(code), lines, date(effective)) }
}

pub fn with_fees(mut input: QuoteInput, agency: &str, inspection: &str) -> QuoteInput {
    input.agency_fee = usd(agency);
    input.inspection_fee = usd(inspection);
    input
}

pub fn later(mut input: QuoteInput, transaction: &str, effective: &str) -> QuoteInput {
    input.transaction_type = TransactionType::from_str(transaction).unwrap();
    input.transaction_effective = date(effective);
    input
}

pub fn quote(input: &QuoteInput) -> Quote {
    RuleBook::builtin().calculate(input, &LocalTables::default()).unwrap()
}

/// Amounts by the contract's field name.
pub fn field(quote: &Quote, name: &str) -> String {
    let a = &quote.amounts;
    if let Some(charge) = Charge::ALL.into_iter().find(|charge| charge.name() == name) {
        return a.charges.get(charge).map_or_else(|| "none".into(), |amount| amount.to_string());
    }
    match name {
        "premium" => a.premium.to_string(),
        "total" => quote.total.to_string(),
        other => panic!("no field {other}"),
    }
}

pub fn has_note(quote: &Quote, code: &str) -> bool {
    quote.notes.iter().any(|note| &*note.code == code)
}
