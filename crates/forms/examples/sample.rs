//! Writes a filled form to standard output: `cargo run -p bordereau-forms --example sample -- tx-def > tx.pdf`.

use std::io::Write;

use bordereau_contract::{Declination, DiligentRequest};
use bordereau_forms::{FormBook, FormData};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let key = std::env::args().nth(1).unwrap_or_else(|| "tx-def".into());
    let template =
        FormBook::builtin().templates().iter().find(|form| form.key == key).ok_or("no such form")?;
    let values = [("insured_name", "Café Zürich LLC"), ("coverage_description", "Bakery, frame building")];
    let request = DiligentRequest {
        state: template.state.code().into(),
        transaction_type: "PN".into(),
        policy_effective_date: "2026-02-23".into(),
        values: values.into_iter().map(|(name, value)| (name.into(), value.into())).collect(),
        declinations: vec![Declination {
            carrier: "Admitted Carrier of Texas Insurance Company".into(),
            naic: "10001".into(),
            contact: "Jane Doe, 555-0101".into(),
            date: "2026-02-03".into(),
            reason: "Class of business not written".into(),
        }],
        ..DiligentRequest::default()
    };
    let data = FormData::read(&request).map_err(|_| "the sample cannot be read")?;
    let filled = template.fill_form(&data, "PRACTICE: not for filing.", None)?;
    Ok(std::io::stdout().write_all(&filled.pdf)?)
}
