//! Questions to the calculator, written short.

#![allow(dead_code, reason = "each test file uses its part")]

use std::str::FromStr;

use bordereau_contract::{Charge, EntityType, Jurisdiction, TransactionType};
use bordereau_money::Usd;
use bordereau_tax::{Input, LineInput, Local, Location, Quote, RuleBook};
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
pub fn new_policy(code: &str, lines: &str, effective: &str) -> Input {
    let lines = lines
        .split('|')
        .map(|line| {
            let (code, premium) = line.trim().split_once('=').unwrap();
            LineInput { code: code.into(), premium: usd(premium) }
        })
        .collect();
    Input {
        state: state(code),
        transaction_type: TransactionType::New,
        lines,
        agency_fee: Usd::ZERO,
        inspection_fee: Usd::ZERO,
        policy_effective: date(effective),
        transaction_effective: date(effective),
        entity: EntityType::Commercial,
        rpg: false,
        tax_exempt: false,
        ecp: false,
        export_list: false,
        commission_received: false,
        admitted: false,
        written_as: None,
        location: Location::default(),
        details: bordereau_tax::RiskDetails::default(),
        today: date("2026-11-21"),
    }
}

pub fn with_fees(mut input: Input, agency: &str, inspection: &str) -> Input {
    input.agency_fee = usd(agency);
    input.inspection_fee = usd(inspection);
    input
}

pub fn later(mut input: Input, transaction: &str, effective: &str) -> Input {
    input.transaction_type = TransactionType::from_str(transaction).unwrap();
    input.transaction_effective = date(effective);
    input
}

pub fn quote(input: &Input) -> Quote {
    RuleBook::builtin().calculate(input, &Local::default()).unwrap()
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
