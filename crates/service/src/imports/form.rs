//! The form of an imported transaction: what can be read. Missing values are checked elsewhere.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bordereau_contract::{
    Charge, DOCUMENT_BYTES_MAX, DOCUMENT_TOO_LARGE, EntityType, FOUND_CHARS, FeeChargedBy, FieldProblem,
    ImportDocument, ImportTransaction, Jurisdiction, Occupancy, POLICY_NUMBER_CHARS_MAX, POLICY_TYPES,
    TRANSACTION_ID_CHARS_MAX, TransactionType, WrittenAs, parse_day, shorten_text,
};

/// Documents one transaction may bring along.
pub(crate) const DOCUMENTS_MAX: usize = 50;
/// Entries of a list.
const LIST_MAX: usize = 100;
/// Characters of any other text.
const TEXT_CHARS_MAX: usize = 4_000;
/// Characters of a document's texts.
const DOCUMENT_TEXT_CHARS_MAX: usize = 255;

/// Collects what is wrong with one transaction.
struct ProblemCollector<'a> {
    at: &'a str,
    problems: &'a mut Vec<FieldProblem>,
}

impl ProblemCollector<'_> {
    fn add_fault(&mut self, field: &str, detail: impl Into<String>) {
        self.problems.push(FieldProblem { pointer: format!("{}/{field}", self.at), detail: detail.into() });
    }

    fn check_code<T: std::str::FromStr<Err = bordereau_contract::CodeError>>(
        &mut self,
        field: &str,
        text: Option<&str>,
    ) {
        if let Some(Err(error)) = nonblank_text(text).map(str::parse::<T>) {
            self.add_fault(field, format!("{field} must be {}, found \"{}\".", error.expected, error.found));
        }
    }

    fn check_date(&mut self, field: &str, text: Option<&str>) {
        let Some(text) = nonblank_text(text) else { return };
        if parse_day(text).is_none() {
            self.add_fault(
                field,
                format!("\"{}\" is not a date; write it like 2026-02-23.", shorten_text(text, FOUND_CHARS)),
            );
        }
    }

    fn check_flag(&mut self, field: &str, flag: Option<u8>) {
        if let Some(found) = flag.filter(|flag| *flag > 1) {
            self.add_fault(field, format!("{field} must be 0 or 1, found {found}."));
        }
    }
}

/// A text that is not blank.
pub(crate) fn nonblank_text(text: Option<&str>) -> Option<&str> {
    text.map(str::trim).filter(|text| !text.is_empty())
}

/// Everything that cannot be read in a transaction; `at` is its place in the body.
pub(crate) fn check_form(row: &ImportTransaction, at: &str, problems: &mut Vec<FieldProblem>) {
    let mut found = ProblemCollector { at, problems };
    id(row, &mut found);
    let number = row.policy_number.as_deref().unwrap_or_default();
    if number.chars().count() > POLICY_NUMBER_CHARS_MAX {
        let detail = format!("The policy number is longer than {POLICY_NUMBER_CHARS_MAX} characters.");
        found.add_fault("policy_number", detail);
    }
    found.check_code::<TransactionType>("transaction_type", row.transaction_type.as_deref());
    found.check_code::<Jurisdiction>("physical_state", row.physical_state.as_deref());
    found.check_code::<EntityType>("insured_entity", row.insured_entity.as_deref());
    found.check_code::<WrittenAs>("account_written_as", row.account_written_as.as_deref());
    found.check_code::<FeeChargedBy>("agency_fee_charged_by", row.agency_fee_charged_by.as_deref());
    found.check_code::<Occupancy>("occupancy", row.occupancy.as_deref());
    if let Some(kind) = nonblank_text(row.policy_type.as_deref()).filter(|kind| !POLICY_TYPES.contains(kind))
    {
        found.add_fault(
            "policy_type",
            format!(
                "policy_type must be one of {}, found \"{}\".",
                POLICY_TYPES.join(", "),
                shorten_text(kind, FOUND_CHARS)
            ),
        );
    }
    check_dates(row, &mut found);
    check_flags(row, &mut found);
    check_amounts(row, &mut found);
    check_texts(row, &mut found);
    check_documents(&row.documents, at, problems);
}

fn id(row: &ImportTransaction, found: &mut ProblemCollector<'_>) {
    if row.id.trim().is_empty() {
        found.add_fault("id", "id is required: the caller's own, by which the transaction is known again.");
    } else if row.id.chars().count() > TRANSACTION_ID_CHARS_MAX {
        found.add_fault("id", format!("The id is longer than {TRANSACTION_ID_CHARS_MAX} characters."));
    }
}

fn check_dates(row: &ImportTransaction, found: &mut ProblemCollector<'_>) {
    for (field, text) in [
        ("policy_effective_date", &row.policy_effective_date),
        ("policy_expiration_date", &row.policy_expiration_date),
        ("transaction_effective_date", &row.transaction_effective_date),
        ("invoice_date", &row.invoice_date),
    ] {
        found.check_date(field, text.as_deref());
    }
}

fn check_flags(row: &ImportTransaction, found: &mut ProblemCollector<'_>) {
    for (field, flag) in [
        ("rpg", row.rpg),
        ("layered_risk", row.layered_risk),
        ("broker_of_record", row.broker_of_record),
        ("risk_retention_group", row.risk_retention_group),
        ("ecp", row.ecp),
        ("exempt", row.exempt),
        ("multi_state", row.multi_state),
        ("commission_received", row.commission_received),
    ] {
        found.check_flag(field, flag);
    }
}

fn check_amounts(row: &ImportTransaction, found: &mut ProblemCollector<'_>) {
    let others = [
        ("policy_limit", row.policy_limit),
        ("property_limit", row.property_limit),
        ("premium", row.premium),
        ("total", row.total),
    ];
    let charges = Charge::ALL.into_iter().map(|charge| (charge.name(), row.charge(charge)));
    for (field, amount) in charges.chain(others) {
        if let Some(amount) = amount.filter(|amount| !amount.is_whole_cents()) {
            found.add_fault(field, format!("{amount} has more than two decimals."));
        }
    }
    for (field, list) in [
        ("line_of_business_list", &row.line_of_business_list),
        ("insurance_company_list", &row.insurance_company_list),
        ("syndicate_list", &row.syndicate_list),
    ] {
        if list.len() > LIST_MAX {
            found.add_fault(
                field,
                format!("{} entries are given; at most {LIST_MAX} are allowed.", list.len()),
            );
        }
    }
    for (at, line) in row.line_of_business_list.iter().enumerate() {
        if let Some(premium) = line.coverage.filter(|premium| !premium.is_whole_cents()) {
            let detail = format!("{premium} has more than two decimals.");
            found.add_fault(&format!("line_of_business_list/{at}/coverage"), detail);
        }
    }
}

fn check_texts(row: &ImportTransaction, found: &mut ProblemCollector<'_>) {
    for (field, text) in [
        ("agent_id", &row.agent_id),
        ("expiring_policy_number", &row.expiring_policy_number),
        ("invoice_number", &row.invoice_number),
        ("purchasing_group_name", &row.purchasing_group_name),
        ("risk_description", &row.risk_description),
        ("mailing_insured_name", &row.mailing_insured_name),
        ("mailing_address", &row.mailing_address),
        ("mailing_city", &row.mailing_city),
        ("mailing_zip_code", &row.mailing_zip_code),
        ("mailing_state_code", &row.mailing_state_code),
        ("insured_email", &row.insured_email),
        ("insured_phone", &row.insured_phone),
        ("physical_address", &row.physical_address),
        ("physical_city", &row.physical_city),
        ("physical_zip_code", &row.physical_zip_code),
        ("retail_producer", &row.retail_producer),
    ] {
        // Bytes are never fewer than characters, so most texts need no counting.
        let long = |text: &&String| text.len() > TEXT_CHARS_MAX && text.chars().count() > TEXT_CHARS_MAX;
        if text.as_ref().filter(long).is_some() {
            found.add_fault(field, format!("The text is longer than {TEXT_CHARS_MAX} characters."));
        }
    }
}

/// Documents: named, base64, within their bounds. `at` is the place of what they belong to.
fn check_documents(documents: &[ImportDocument], at: &str, problems: &mut Vec<FieldProblem>) {
    let mut found = ProblemCollector { at, problems };
    if documents.len() > DOCUMENTS_MAX {
        let detail = format!("{} documents are given; at most {DOCUMENTS_MAX} are allowed.", documents.len());
        found.add_fault("documents", detail);
        return;
    }
    for (number, document) in documents.iter().enumerate() {
        for (field, why) in document_texts(document) {
            found.add_fault(&format!("documents/{number}/{field}"), why);
        }
        if let Some(why) = content_fault(&document.content) {
            found.add_fault(&format!("documents/{number}/content"), why);
        }
    }
}

/// What is wrong with a document's texts, by field.
pub(crate) fn document_texts(document: &ImportDocument) -> Vec<(&'static str, String)> {
    let mut faults = Vec::new();
    for (field, text, required) in [
        ("name", &document.name, false),
        ("code", &document.code, true),
        ("file_name", &document.file_name, true),
    ] {
        if required && text.trim().is_empty() {
            faults.push((field, format!("{field} is required.")));
        } else if text.chars().count() > DOCUMENT_TEXT_CHARS_MAX {
            faults.push((field, format!("The text is longer than {DOCUMENT_TEXT_CHARS_MAX} characters.")));
        }
    }
    faults
}

/// Why a document's content is not a file.
fn content_fault(content: &str) -> Option<String> {
    if content.len() > DOCUMENT_BYTES_MAX.div_ceil(3) * 4 {
        return Some(DOCUMENT_TOO_LARGE.to_owned());
    }
    match STANDARD.decode(content) {
        Ok(bytes) if bytes.is_empty() => Some("The file is empty.".into()),
        Ok(bytes) if bytes.len() > DOCUMENT_BYTES_MAX => Some(DOCUMENT_TOO_LARGE.to_owned()),
        Ok(_) => None,
        Err(_) => Some("The content is not base64.".into()),
    }
}
