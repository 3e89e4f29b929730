//! One transaction, looked up (contract sections 3 and 8).

use axum::extract::{Request, State};
use axum::response::Response;
use bordereau_contract::{
    Charge, ImportTransaction, RecordDocument, TransactionRecord, is_writable, parse_calendar_day,
};
use bordereau_dialects::ServiceEndpoint;
use bordereau_service_store::accounts::Account;
use bordereau_service_store::documents::{self, DocumentEntry};
use bordereau_service_store::filings::{self, Filing};
use chrono::{DateTime, Months};

use super::documents::download_path;
use crate::answer::json_answer;
use crate::imports;
use crate::refusal::Refusal;
use crate::service::{AppState, Service};

/// `GET` by `transaction_id` \[spec], `invoice_number` \[pub] or `id` \[ours].
pub(crate) async fn get_status(State(app): State<AppState>, request: Request) -> Response {
    let answer = async |request| Ok(json_answer(&look_up(&app, request).await?));
    app.answer(ServiceEndpoint::TransactionStatus, request, answer).await
}

async fn look_up(app: &AppState, request: Request) -> Result<TransactionRecord, Refusal> {
    let (parts, _) = request.into_parts();
    let account = app.admit_caller(&parts).await?;
    let base_url = crate::calculator::host_url(&parts, &app.base_url);
    let asked = |name| imports::query_value(parts.uri.query(), name).map(std::borrow::Cow::into_owned);
    let (number, invoice, own_id) = (asked("transaction_id"), asked("invoice_number"), asked("id"));
    if number.is_none() && invoice.is_none() && own_id.is_none() {
        return Err(Refusal::invalid_field(
            "/transaction_id",
            "transaction_id or invoice_number is required.",
        ));
    }
    let account_id = account.id.clone();
    let found = app
        .store
        .read(move |db| {
            let filing = match (number, invoice, own_id) {
                // What is not a number is no transaction's number.
                (Some(number), _, _) => match number.trim().parse() {
                    Ok(number) => filings::by_id(db, &account_id, number)?,
                    Err(_) => None,
                },
                (None, Some(invoice), _) => filings::by_invoice(db, &account_id, &invoice)?,
                (None, None, Some(own_id)) => filings::by_own_id(db, &account_id, &own_id)?,
                (None, None, None) => None,
            };
            let Some(filing) = filing else { return Ok(None) };
            let documents = documents::list_documents(db, filing.id)?;
            Ok(Some((filing, documents)))
        })
        .await?;
    let (filing, documents) =
        found.ok_or_else(|| Refusal::not_found("The account has no such transaction."))?;
    build_record(app, &account, &base_url, filing, documents)
}

/// The record of a stored transaction. What it was imported without is calculated.
pub(super) fn build_record(
    app: &Service,
    account: &Account,
    base_url: &str,
    filing: Filing,
    documents: Vec<DocumentEntry>,
) -> Result<TransactionRecord, Refusal> {
    let row: ImportTransaction = serde_json::from_str(&filing.body).map_err(|error| {
        tracing::error!(%error, id = filing.id, "a stored transaction cannot be read");
        Refusal::internal_error("The stored transaction cannot be read.")
    })?;
    let created = DateTime::from_timestamp(filing.created_at, 0).unwrap_or_default();
    let quote = imports::calculate_quote(&row, app.rules, &app.local, created.date_naive());
    let local = quote.as_ref().and_then(|quote| quote.local.first());
    let local = local.map(|(name, category, _)| (name.to_string(), (*category).to_owned()));
    let (municipal_name, municipal_category) = local.unzip();
    let calculated = quote.map(|quote| quote.amounts).unwrap_or_default();
    let zero = bordereau_money::Usd::ZERO;
    let credit = row.transaction_type.as_deref().and_then(|code| code.parse().ok());
    let credit = credit.is_some_and(bordereau_contract::TransactionType::is_credit);
    // A credit is submitted as the positive difference and is negative in the record.
    let signed = |amount: bordereau_money::Usd| if credit { amount.abs().negated() } else { amount };
    let amount = |given: Option<_>, calculated| Some(given.map_or(calculated, signed));
    let sum =
        || bordereau_money::Usd::checked_sum(row.line_of_business_list.iter().filter_map(|l| l.coverage));
    Ok(TransactionRecord {
        id: filing.id,
        transaction_type: row.transaction_type,
        transaction_status: filing.status.into(),
        policy_number: row.policy_number,
        policy_expiration_date: row
            .policy_expiration_date
            .or_else(|| a_year_later(row.policy_effective_date.as_deref()?)),
        transaction_effective_date: row
            .transaction_effective_date
            .or_else(|| row.policy_effective_date.clone()),
        policy_effective_date: row.policy_effective_date,
        date_filed: filing.date_filed,
        date_ready_to_file: filing.date_ready_to_file,
        premium: Some(signed(row.premium.or_else(sum).unwrap_or(zero))),
        agency_fee: amount(row.agency_fee, calculated.of(Charge::AgencyFee)),
        inspection_fee: amount(row.inspection_fee, calculated.of(Charge::InspectionFee)),
        sl_tax: amount(row.sl_tax, calculated.of(Charge::SlTax)),
        stamping_fee: amount(row.stamping_fee, calculated.of(Charge::StampingFee)),
        sl_service_charge: amount(row.sl_service_charge, calculated.of(Charge::SlServiceCharge)),
        municipal_fee: amount(row.municipal_fee, calculated.of(Charge::MunicipalFee)),
        fm_tax: amount(row.fm_tax, calculated.of(Charge::FmTax)),
        empa_tax: amount(row.empa_tax, calculated.of(Charge::EmpaTax)),
        collection_fee: amount(row.collection_fee, calculated.of(Charge::CollectionFee)),
        county_fee: row.county_fee.map(signed).or(calculated.charges.get(Charge::CountyFee)),
        filed_under_license_name: Some(account.name.clone()),
        filed_under_license_number: Some(account.id.to_uppercase()),
        mailing_insured_name: row.mailing_insured_name,
        physical_state: row.physical_state,
        extra_invoice_number: row.invoice_number,
        created_by: Some(account.username.clone()),
        created_date: Some(created.format("%Y-%m-%d %H:%M:%S UTC").to_string()),
        transaction_documents: documents
            .into_iter()
            .map(|document| RecordDocument {
                download_url: format!("{base_url}{}", download_path(filing.id, document.id)),
                name: document.name,
                code: document.code,
            })
            .collect(),
        sl_tax_paid_date: filing.progress.sl_tax_paid_date,
        stamping_fee_paid_date: filing.progress.stamping_fee_paid_date,
        other_taxes_paid_date: filing.progress.other_taxes_paid_date,
        sl_tax_invoice_id: filing.progress.sl_tax_invoice_id,
        stamping_fee_invoice_id: filing.progress.stamping_fee_invoice_id,
        unique_id: Some(filing.own_id),
        gl_moved_date: filing.progress.gl_moved_date,
        municipal_name,
        municipal_category,
        transaction_id_number: filing.progress.transaction_id_number,
    })
}

/// The effective date plus twelve months.
fn a_year_later(date: &str) -> Option<String> {
    let date = parse_calendar_day(date.trim())?;
    date.checked_add_months(Months::new(12)).filter(is_writable).map(|date| date.to_string())
}
