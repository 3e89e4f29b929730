//! A bordereau whose tax is wrong here and there, so that there are problems from the first screen on. A wide one has
//! as many columns as the template, most of them empty as in a real export: every fourth has a text. All are the
//! template's own, so that nothing is asked before the grid is shown.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

const HEAD: &str = "id,policy_number,policy_effective_date,transaction_type,physical_state,line_of_business_list,premium,\
                    sl_tax,stamping_fee,mailing_insured_name,invoice_number,insurance_company_list,risk_description,\
                    layered_risk,risk_retention_group";
const MORE: [&str; 29] = [
    "agent_id",
    "policy_expiration_date",
    "transaction_effective_date",
    "expiring_policy_number",
    "purchasing_group_name",
    "invoice_date",
    "policy_type",
    "account_written_as",
    "mailing_address",
    "rpg",
    "broker_of_record",
    "ecp",
    "mailing_city",
    "exempt",
    "multi_state",
    "policy_limit",
    "physical_address",
    "property_limit",
    "line_of_business_coverage",
    "insurance_company_coverage",
    "physical_city",
    "syndicate_list",
    "syndicate_coverage",
    "agency_fee",
    "retail_producer",
    "inspection_fee",
    "collection_fee",
    "total",
    "insured_phone",
];

pub fn cells(row: usize, wide: bool) -> Vec<String> {
    let tax = if row % 7 == 3 { "50.00" } else { "48.50" };
    let text = format!(
        "ID-{row},00{row},2026-02-23,PN,TX,GEN-1002,1000,{tax},0.40,Insured {row},I-{row},10899,Shop,0,0"
    );
    let more = if wide { MORE.len() } else { 0 };
    let filling = (0..more).map(|column| if column % 4 == 0 { "value" } else { "" }.to_owned());
    text.split(',').map(str::to_owned).chain(filling).collect()
}

pub fn head(wide: bool) -> Vec<&'static str> {
    HEAD.split(',').chain(if wide { MORE.to_vec() } else { Vec::new() }).collect()
}

pub fn csv(folder: &Path, rows: usize, wide: bool) -> PathBuf {
    let mut text = head(wide).join(",") + "\n";
    for row in 0..rows {
        let _ = writeln!(text, "{}", cells(row, wide).join(","));
    }
    let path = folder.join(format!("{rows}.csv"));
    std::fs::write(&path, text).expect("room for a file");
    path
}
