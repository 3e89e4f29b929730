//! Every jurisdiction asked the same questions, against amounts calculated by hand from the published rates.
//!
//! The questions and their answers stand in `asking/every_jurisdiction.csv`; no figure in it comes from the
//! calculator. A note in the last column has to be said with the answer.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod asking;

use std::collections::BTreeMap;
use std::str::FromStr;

use asking::{field, has_note, later, new_policy, quote, usd, with_fees};
use bordereau_contract::{EntityType, Jurisdiction};
use bordereau_money::Usd;
use bordereau_tax::{FeeChargedBy, Input, Occupancy};

const TABLE: &str = include_str!("asking/every_jurisdiction.csv");
const CHARGES: [&str; 5] = ["sl_tax", "stamping_fee", "sl_service_charge", "fm_tax", "empa_tax"];

/// One row, by the name of the column.
struct Row(BTreeMap<&'static str, &'static str>);

impl Row {
    fn get(&self, column: &str) -> &'static str {
        self.0[column]
    }

    fn input(&self) -> Input {
        let policy = new_policy(self.get("state"), self.get("lines"), self.get("policy_date"));
        let mut input = with_fees(policy, self.get("agency_fee"), self.get("inspection_fee"));
        if let Some((transaction, date)) = self.get("transaction").split_once(' ') {
            input = later(input, transaction, date);
        }
        input.details.fee_charged_by = Some(match self.get("charged_by") {
            "retail" => FeeChargedBy::RetailAgent,
            "licensee" => FeeChargedBy::SurplusLinesLicensee,
            other => panic!("charged by {other}"),
        });
        match self.get("insured") {
            "tax_exempt" => input.tax_exempt = true,
            "owned_dwelling" => input.details.occupancy = Some(Occupancy::OwnedDwelling),
            "tenant" => input.details.occupancy = Some(Occupancy::Tenant),
            "mobile_home" => input.details.occupancy = Some(Occupancy::MobileHome),
            entity => input.entity = EntityType::from_str(entity).unwrap(),
        }
        input
    }

    fn name(&self) -> String {
        format!("{}, {}", self.get("state"), self.get("question"))
    }
}

fn rows() -> Vec<Row> {
    let mut lines = TABLE.lines().filter(|line| !line.starts_with('#'));
    let columns: Vec<&str> = lines.next().unwrap().split(',').collect();
    let row = |line: &'static str| {
        let cells: Vec<&str> = line.split(',').collect();
        assert_eq!(cells.len(), columns.len(), "{line}");
        Row(columns.iter().copied().zip(cells).collect())
    };
    lines.map(row).collect()
}

#[test]
fn every_amount_is_met_to_the_cent() {
    let mut wrong = Vec::new();
    for row in rows() {
        let answer = quote(&row.input());
        for name in CHARGES.into_iter().chain(["total"]) {
            let (ours, by_hand) = (field(&answer, name), row.get(name));
            if ours != by_hand {
                wrong.push(format!("{}: {name} {ours} instead of {by_hand}", row.name()));
            }
        }
    }
    assert!(wrong.is_empty(), "{} amounts:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn every_caution_is_said() {
    let mut silent = Vec::new();
    for row in rows() {
        let answer = quote(&row.input());
        for code in row.get("notes").split_whitespace().filter(|code| !has_note(&answer, code)) {
            let said: Vec<&str> = answer.notes.iter().map(|note| &*note.code).collect();
            silent.push(format!("{}: {code} not in {said:?}", row.name()));
        }
    }
    assert!(silent.is_empty(), "{} notes:\n{}", silent.len(), silent.join("\n"));
}

/// The table's own sums: a slip of the pen would show.
#[test]
fn the_parts_of_every_row_make_its_total() {
    for row in rows() {
        let input = row.input();
        let asked =
            input.lines.iter().map(|line| line.premium).chain([input.agency_fee, input.inspection_fee]);
        let credit = input.transaction_type.is_credit();
        let asked = asked.map(|amount| if credit { amount.negated() } else { amount });
        let sum = Usd::checked_sum(asked.chain(CHARGES.map(|name| usd(row.get(name))))).unwrap();
        assert_eq!(sum, usd(row.get("total")), "{}", row.name());
    }
}

#[test]
fn no_jurisdiction_is_asked_less_than_another() {
    let table = rows();
    for state in Jurisdiction::ALL {
        let of_state: Vec<&Row> = table.iter().filter(|row| row.get("state") == state.code()).collect();
        let asked = |about: &dyn Fn(&Row) -> bool| of_state.iter().any(|row| about(row));
        let fees = |agency: bool, inspection: bool| {
            asked(&|row| {
                (row.get("agency_fee") != "0", row.get("inspection_fee") != "0") == (agency, inspection)
            })
        };
        assert!(fees(true, true) && fees(true, false) && fees(false, true), "{state}: fees");
        assert!(asked(&|row| row.get("charged_by") == "retail"), "{state}: a retail agent's fee");
        assert!(asked(&|row| row.get("transaction").starts_with("APE")), "{state}: an endorsement");
        assert!(asked(&|row| row.get("transaction").starts_with("RPE")), "{state}: a return");
        assert!(asked(&|row| row.get("insured") == "governmental"), "{state}: a public insured");
        assert!(asked(&|row| row.get("insured") == "tax_exempt"), "{state}: a tax exempt insured");
        assert!(asked(&|row| row.get("lines").starts_with("GEN-1025")), "{state}: ocean marine");
    }
}
