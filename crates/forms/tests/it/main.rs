//! Forms: every state, filled pages, own templates, agencies' own PDFs.
#![allow(clippy::unwrap_used, reason = "in a test a panic is the answer")]

mod checks;
mod every_state;
mod own_pdf;
mod pages;
mod templates;

use bordereau_contract::{Declination, DiligentRequest};
use bordereau_forms::{FormBook, FormData, FormTemplate};

/// A whole request for a state.
pub fn request(state: &str) -> DiligentRequest {
    let values = [
        ("insured_name", "Café Zürich & Søn LLC"),
        ("insured_address", "12 Main Street, Austin, TX 78701"),
        ("coverage_description", "Commercial property, frame building, bakery"),
        ("insurer_name", "Example Surplus Insurance Company"),
        ("insurer_naic", "99991"),
        ("producer_name", "Zoë Núñez"),
        ("producer_license", "PL-1234"),
        ("broker_name", "Ångström Brokerage"),
        ("broker_license", "SL-77"),
        ("not_lower_rate", "yes"),
        ("auto_or_health", "private auto liability"),
        ("insurers_of_kind", "5"),
        ("binding_date", "2026-02-20"),
    ];
    let declination = |at: usize| Declination {
        carrier: format!("Admitted Carrier {at}"),
        naic: format!("1000{at}"),
        contact: format!("Underwriter {at}, 555-010{at}"),
        date: format!("2026-02-0{at}"),
        reason: "Class of business not written".into(),
    };
    DiligentRequest {
        state: state.into(),
        transaction_type: "PN".into(),
        policy_effective_date: "2026-02-23".into(),
        values: values.into_iter().map(|(name, value)| (name.into(), value.into())).collect(),
        declinations: (1..=3).map(declination).collect(),
        ..DiligentRequest::default()
    }
}

/// The same, read.
pub fn data(state: &str) -> FormData {
    FormData::read(&request(state)).unwrap()
}

/// A form by its key.
pub fn find_template<'b>(book: &'b FormBook, key: &str) -> Option<&'b FormTemplate> {
    book.templates().iter().find(|template| template.key == key)
}

/// The text of a PDF as a reader would copy it, on one line.
pub fn text_of(pdf: &[u8]) -> String {
    let document = lopdf::Document::load_mem(pdf).unwrap();
    let pages: Vec<u32> = document.get_pages().keys().copied().collect();
    let text = document.extract_text(&pages).unwrap();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
