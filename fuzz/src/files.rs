//! A person's own forms.

use std::sync::LazyLock;

use bordereau_contract::{Declination, DiligentRequest};
use bordereau_forms::{FormBook, FormData};

/// A form of an agency's own PDF, as `crates/forms/tests` fills it.
const OWN_FORM: &str = include_str!("own_form.toml");

static BOOK: LazyLock<FormBook> = LazyLock::new(|| {
    let mut book = FormBook::builtin().clone();
    book.add("tx-own.toml", OWN_FORM).expect("the form is whole");
    book
});

static DATA: LazyLock<FormData> = LazyLock::new(|| {
    let declination = Declination { carrier: "Admitted Carrier".into(), ..Declination::default() };
    let values = [("insured_name", "Café Zürich LLC"), ("not_lower_rate", "yes")];
    let request = DiligentRequest {
        state: "TX".into(),
        transaction_type: "PN".into(),
        policy_effective_date: "2026-02-23".into(),
        values: values.into_iter().map(|(name, value)| (name.into(), value.into())).collect(),
        declinations: vec![declination],
        ..DiligentRequest::default()
    };
    FormData::read(&request).expect("the data is right")
});

/// A template of one's own: one that is taken can be laid out.
pub fn check_template(bytes: &[u8]) {
    let mut book = BOOK.clone();
    let Ok(template) = book.add("fuzzed.toml", &String::from_utf8_lossy(bytes)) else { return };
    let _ = template.missing_fields(&DATA);
    assert!(template.blank_form("").is_ok(), "it has pages");
}

/// A fillable PDF of one's own.
pub fn check_pdf(bytes: &[u8]) {
    let template = &BOOK.templates()[0];
    drop(template.fill_form(&DATA, "", Some(bytes)));
}
