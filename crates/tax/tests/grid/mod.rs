//! The grid of questions in `data/amounts_before.csv`: one row is a question and the amounts it was answered with.

#![allow(dead_code, reason = "the example that writes the grid and the test that reads it each use a part")]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "../asking/mod.rs"]
mod asking;

use bordereau_contract::Charge;
use bordereau_money::Usd;
use bordereau_tax::{Input, Local, RuleBook};

pub const HEADER: &str =
    "state,type,policy,transaction,lines,agency_fee,inspection_fee,insured,flags,amounts";

/// The columns of a question; `transaction` is empty where it is the policy's date.
#[derive(Clone, Debug)]
pub struct Question {
    pub state: String,
    pub transaction_type: String,
    pub policy: String,
    pub transaction: String,
    /// `GEN-1002=9521|GEN-1004=100`
    pub lines: String,
    pub agency_fee: String,
    pub inspection_fee: String,
    pub insured: String,
    /// Words such as `exempt admitted in:Kenton_County city:Covington`.
    pub flags: String,
}

impl Question {
    /// The question and the amounts of one row.
    pub fn read(row: &str) -> (Question, &str) {
        let cells: Vec<&str> = row.split(',').collect();
        let [
            state,
            transaction_type,
            policy,
            transaction,
            lines,
            agency_fee,
            inspection_fee,
            insured,
            flags,
            amounts,
        ] = cells[..]
        else {
            panic!("ten cells are expected in {row}")
        };
        let question = Question {
            state: state.into(),
            transaction_type: transaction_type.into(),
            policy: policy.into(),
            transaction: transaction.into(),
            lines: lines.into(),
            agency_fee: agency_fee.into(),
            inspection_fee: inspection_fee.into(),
            insured: insured.into(),
            flags: flags.into(),
        };
        (question, amounts)
    }

    /// The row with the amounts of today's rules.
    pub fn row(&self) -> String {
        let Question { state, transaction_type, policy, transaction, lines, .. } = self;
        let Question { agency_fee, inspection_fee, insured, flags, .. } = self;
        let amounts = self.amounts();
        format!(
            "{state},{transaction_type},{policy},{transaction},{lines},{agency_fee},{inspection_fee},{insured},{flags},{amounts}"
        )
    }

    /// `sl_tax=60.00 total=1060.00`: what is not zero; premium and fees only where they are not as asked.
    pub fn amounts(&self) -> String {
        let input = self.input();
        let Ok(answer) = RuleBook::builtin().calculate(&input, &Local::default()) else {
            return "refused=yes".into();
        };
        let signed = |amount: Usd| if input.transaction_type.is_credit() { amount.negated() } else { amount };
        let premium = signed(Usd::checked_sum(input.lines.iter().map(|line| line.premium)).unwrap());
        let a = &answer.amounts;
        let mut found = Vec::new();
        if a.premium != premium {
            found.push(format!("premium={}", a.premium));
        }
        let (optional, always): (Vec<Charge>, _) =
            Charge::ALL.into_iter().partition(|charge| charge.is_optional());
        for charge in always {
            let asked = match charge {
                Charge::AgencyFee => signed(input.agency_fee),
                Charge::InspectionFee => signed(input.inspection_fee),
                _ => Usd::ZERO,
            };
            if a.of(charge) != asked {
                found.push(format!("{}={}", charge.name(), a.of(charge)));
            }
        }
        for charge in optional {
            found.extend(a.charges.get(charge).map(|amount| format!("{}={amount}", charge.name())));
        }
        found.push(format!("total={}", answer.total));
        found.join(" ")
    }

    fn input(&self) -> Input {
        let mut input = asking::with_fees(
            asking::new_policy(&self.state, &self.lines, &self.policy),
            or_zero(&self.agency_fee),
            or_zero(&self.inspection_fee),
        );
        let transaction = if self.transaction.is_empty() { &self.policy } else { &self.transaction };
        input = asking::later(input, &self.transaction_type, transaction);
        input.entity = self.insured.parse().unwrap();
        for flag in self.flags.split_whitespace() {
            match flag {
                "exempt" => input.tax_exempt = true,
                "rpg" => input.rpg = true,
                "ecp" => input.ecp = true,
                "export" => input.export_list = true,
                "commission" => input.commission_received = true,
                "admitted" => input.admitted = true,
                place => {
                    let (kind, name) = place.split_once(':').unwrap();
                    let name = Some(name.replace('_', " "));
                    if kind == "city" {
                        input.location.city = name;
                    } else {
                        input.location.municipality = name;
                    }
                }
            }
        }
        input
    }
}

fn or_zero(amount: &str) -> &str {
    if amount.is_empty() { "0" } else { amount }
}
