//! A form begun from a quote or from a transaction.

use std::collections::BTreeMap;

use bordereau_contract::{ImportTransaction, TransactionRecord};
use bordereau_money::Usd;

use crate::required_documents::record_of;
use crate::target::UploadTarget;
use bordereau_api::{
    BoundaryError, DocumentTarget, FieldError, FormsPrefill, FormsRequest, Nothing, QuoteRequest,
};
use bordereau_session::Context;
use bordereau_session::reference::reference_data;
use bordereau_session::settings::settings_load;
use bordereau_transactions::sent_last;

/// What a quote or a transaction already says, as the beginning of a form.
///
/// # Errors
/// [`bordereau_api::ErrorCode::Validation`] where neither is given; [`bordereau_api::ErrorCode::NotFound`] for an unknown transaction;
/// those of asking the service for it.
pub async fn form_prefill(ctx: &Context, request: FormsPrefill) -> Result<FormsRequest, BoundaryError> {
    let mut begun = match (&request.quote, request.transaction_id.trim()) {
        (Some(quote), _) => request_of_quote(ctx, quote).await?,
        (None, "") => {
            let message = "Give the number of a transaction, or a quote.";
            return Err(BoundaryError::invalid_field("/transaction_id", message));
        }
        (None, id) => request_of_transaction(ctx, id).await?,
    };
    let agency = settings_load(ctx, Nothing {}).await?.agency;
    if !agency.trim().is_empty() {
        begun.values.insert("producer_agency".into(), agency.trim().to_owned());
    }
    begun.values.retain(|_, value| !value.trim().is_empty());
    Ok(begun)
}

/// From the index, else from the service; and from what this desk sent, which says more.
async fn request_of_transaction(ctx: &Context, id: &str) -> Result<FormsRequest, BoundaryError> {
    let target = DocumentTarget { transaction_id: id.to_owned(), ..DocumentTarget::default() };
    let target = UploadTarget::read(&target).map_err(|error| {
        let at = |field: FieldError| FieldError::at_pointer("/transaction_id", field.message);
        BoundaryError::invalid_fields(error.details.into_iter().map(at).collect())
    })?;
    let record = record_of(ctx, &target).await?;
    let sent = sent_last(ctx, &record).await?.unwrap_or_default();
    let names = line_names(ctx).await?;
    Ok(of_transaction(&record, &sent, &names))
}

/// Names of lines of business by their codes in capitals.
async fn line_names(ctx: &Context) -> Result<BTreeMap<String, String>, BoundaryError> {
    let lines = reference_data(ctx, Nothing {}).await?.lines;
    Ok(lines.into_iter().map(|line| (line.code.to_ascii_uppercase(), line.name)).collect())
}

async fn request_of_quote(ctx: &Context, quote: &QuoteRequest) -> Result<FormsRequest, BoundaryError> {
    let names = line_names(ctx).await?;
    let covered: Vec<String> = quote.lines.iter().map(|line| line_name(&names, &line.code)).collect();
    let location = [&quote.address, &quote.city, &quote.zip].map(|part| part.trim());
    let location: Vec<&str> = location.into_iter().filter(|part| !part.is_empty()).collect();
    let values = [
        ("insured_name", quote.insured.trim().to_owned()),
        ("coverage_description", covered.join("; ")),
        ("risk_location", location.join(", ")),
        ("premium", total_premium(quote)),
    ];
    Ok(FormsRequest {
        state: quote.state.trim().to_ascii_uppercase(),
        transaction_type: quote.transaction_type.trim().to_ascii_uppercase(),
        policy_effective_date: quote.policy_effective.trim().to_owned(),
        ecp: quote.ecp,
        export_list: quote.export_list,
        values: values.into_iter().map(|(name, value)| (name.to_owned(), value)).collect(),
        ..FormsRequest::default()
    })
}

/// The premium of all lines; empty where one cannot be read.
fn total_premium(quote: &QuoteRequest) -> String {
    let mut sum = Usd::ZERO;
    for line in &quote.lines {
        let Ok(premium) = Usd::parse_typed(&line.premium) else { return String::new() };
        let Some(more) = sum.checked_add(premium) else { return String::new() };
        sum = more;
    }
    if sum.is_zero() { String::new() } else { sum.to_grouped() }
}

/// The line's name, or its code where it is not known.
fn line_name(names: &BTreeMap<String, String>, code: &str) -> String {
    let code = code.trim();
    names.get(&code.to_ascii_uppercase()).cloned().unwrap_or_else(|| code.to_owned())
}

/// What is given of the parts, with the separator between.
fn join_parts<'p>(parts: impl IntoIterator<Item = &'p Option<String>>, separator: &str) -> String {
    let given = parts.into_iter().flatten().map(|part| part.trim());
    given.filter(|part| !part.is_empty()).collect::<Vec<_>>().join(separator)
}

/// `12 Main Street, Austin, TX 78701`.
fn address_line(
    street: &Option<String>,
    city: &Option<String>,
    state: &Option<String>,
    zip: &Option<String>,
) -> String {
    let region = Some(join_parts([state, zip], " "));
    join_parts([street, city, &region], ", ")
}

/// Insurers by name, and those named by their NAIC or alien number only.
fn insurer_names(sent: &ImportTransaction) -> (String, String) {
    let is_number = |item: &&str| {
        let rest = item.strip_prefix("AA-").unwrap_or(item);
        !rest.is_empty() && rest.chars().all(|c| c.is_ascii_digit())
    };
    let items = sent.insurance_company_list.iter().map(|company| company.item.trim());
    let (numbers, names): (Vec<&str>, Vec<&str>) =
        items.filter(|item| !item.is_empty()).partition(|item| is_number(item));
    (names.join("; "), numbers.join("; "))
}

fn of_transaction(
    record: &TransactionRecord,
    sent: &ImportTransaction,
    names: &BTreeMap<String, String>,
) -> FormsRequest {
    let text = |text: &Option<String>| text.as_deref().map(str::trim).unwrap_or_default().to_owned();
    let day = |date: &Option<String>| text(date).chars().take(10).collect::<String>();
    let amount = |amount: Option<Usd>| amount.map(|amount| amount.abs().to_grouped()).unwrap_or_default();
    let mut covered: Vec<String> =
        sent.line_of_business_list.iter().map(|line| line_name(names, &line.item)).collect();
    covered.extend(sent.risk_description.clone());
    covered.retain(|part| !part.trim().is_empty());
    let mailing = address_line(
        &sent.mailing_address,
        &sent.mailing_city,
        &sent.mailing_state_code,
        &sent.mailing_zip_code,
    );
    let risk = join_parts([&sent.physical_address, &sent.physical_city, &sent.physical_zip_code], ", ");
    let (insurer_name, insurer_naic) = insurer_names(sent);
    let values = [
        ("insured_name", text(&record.mailing_insured_name)),
        ("insured_address", mailing),
        ("risk_location", risk),
        ("policy_number", text(&record.policy_number)),
        ("policy_expiration_date", day(&record.policy_expiration_date)),
        ("coverage_description", covered.join("; ")),
        ("insurer_name", insurer_name),
        ("insurer_naic", insurer_naic),
        ("limits", amount(sent.policy_limit.or(sent.property_limit))),
        ("premium", amount(record.premium)),
        ("producer_name", text(&sent.retail_producer)),
        ("broker_name", text(&record.filed_under_license_name)),
        ("broker_license", text(&record.filed_under_license_number)),
    ];
    FormsRequest {
        state: text(&record.physical_state).to_ascii_uppercase(),
        transaction_type: text(&record.transaction_type).to_ascii_uppercase(),
        policy_effective_date: day(&record.policy_effective_date),
        ecp: sent.ecp == Some(1),
        values: values.into_iter().map(|(name, value)| (name.to_owned(), value)).collect(),
        ..FormsRequest::default()
    }
}

#[cfg(test)]
mod tests {
    use bordereau_contract::CoverageItem;

    use super::*;

    #[test]
    fn a_record_and_what_was_sent_for_it_begin_a_form() {
        let some = |text: &str| Some(text.to_owned());
        let record = TransactionRecord {
            transaction_type: some("pn"),
            physical_state: some("NY"),
            policy_number: some("0010"),
            policy_effective_date: some("2026-01-26"),
            policy_expiration_date: some("2027-01-26 00:00:00"),
            mailing_insured_name: some(" Harbor Bakery LLC "),
            premium: Usd::parse("24427.19").ok(),
            filed_under_license_name: some("B. Broker"),
            ..TransactionRecord::default()
        };
        let item = |item: &str| CoverageItem { item: item.into(), coverage: None };
        let sent = ImportTransaction {
            mailing_address: some("12 Main Street"),
            mailing_state_code: some("NY"),
            mailing_zip_code: some("10001"),
            line_of_business_list: vec![item("gen-1002"), item("OWN")],
            risk_description: some("Bakery"),
            insurance_company_list: vec![item("AA-1120337"), item("Surplus Insurance")],
            retail_producer: some("P. Agent"),
            ecp: Some(1),
            ..ImportTransaction::default()
        };
        let names = BTreeMap::from([("GEN-1002".to_owned(), "General liability".to_owned())]);
        let begun = of_transaction(&record, &sent, &names);
        assert_eq!((begun.state.as_str(), begun.transaction_type.as_str(), begun.ecp), ("NY", "PN", true));
        assert_eq!(begun.policy_effective_date, "2026-01-26");
        for (name, expected) in [
            ("insured_name", "Harbor Bakery LLC"),
            ("insured_address", "12 Main Street, NY 10001"),
            ("policy_expiration_date", "2027-01-26"),
            ("coverage_description", "General liability; OWN; Bakery"),
            ("insurer_name", "Surplus Insurance"),
            ("insurer_naic", "AA-1120337"),
            ("premium", "24,427.19"),
            ("producer_name", "P. Agent"),
            ("broker_name", "B. Broker"),
        ] {
            assert_eq!(begun.values[name], expected, "{name}");
        }
        let bare = of_transaction(&record, &ImportTransaction::default(), &names);
        assert_eq!((bare.values["insured_address"].as_str(), bare.values["limits"].as_str()), ("", ""));
    }
}
