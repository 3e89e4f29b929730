//! One transaction: every field, its steps, its amounts four ways, and what Bordereau sent.

use bordereau_client::TransactionLookup;
use bordereau_contract::{
    ImportTransaction, PaidCharge, TransactionRecord, TransactionType, format_instant, leading_day,
};
use bordereau_money::Usd;

use super::columns::{COLUMNS, ColumnValue, RecordColumn};
use super::compare_amounts::{self, CalculatedAnswer};
use super::facts;
use super::record_reading::RecordReading;
use super::row::table_row;
use crate::transaction_indexes::active_index;
use bordereau_api::*;
use bordereau_quotes::estimate_quote;
use bordereau_session::Context;
use bordereau_session::failure::from_client;
use bordereau_session::profile::{active_profile, load_tables, open_session};
use bordereau_store::batches::sent_rows::{SentTransaction, list_sent_rows};
use bordereau_transaction_index::records::{StoredRecord, find_record};

/// Shown with a return whose amounts the service gives without a sign.
const UNSIGNED_RETURN: &str =
    "The service gives the amounts of this return as positive numbers. Bordereau counts them as a credit.";

/// The service was asked and knows of no such transaction.
fn unknown_transaction(asked: &TransactionLookup) -> BoundaryError {
    let asked = match asked {
        TransactionLookup::TransactionId(id) => format!("transaction {id}"),
        TransactionLookup::InvoiceNumber(number) => format!("transaction with invoice number {number}"),
        TransactionLookup::OwnId(id) => format!("transaction of yours with the id {id}"),
    };
    BoundaryError::with_code(ErrorCode::NotFound, format!("The service has no {asked}."))
}

/// Everything the index and the outbox know of a transaction.
///
/// # Errors
/// [`ErrorCode::NotFound`] where the index has no such transaction; [`ErrorCode::Storage`].
pub async fn transaction_detail(
    ctx: &Context,
    request: TransactionId,
) -> Result<TransactionDetail, BoundaryError> {
    let (profile, index) = active_index(ctx).await?;
    let id = parse_number(&request.id)?;
    let held = index.file.read(move |db| find_record(db, id)).await?;
    build_detail(ctx, &profile, held.ok_or_else(|| BoundaryError::not_found("transaction"))?).await
}

/// Asks the service for one transaction, keeps what it says, and shows it.
///
/// # Errors
/// [`ErrorCode::Validation`] where neither number is given; [`ErrorCode::NotFound`] where the service has no
/// such transaction; those of asking it.
pub async fn transaction_status(
    ctx: &Context,
    request: TransactionQuestion,
) -> Result<TransactionDetail, BoundaryError> {
    let invoice = request.invoice_number.trim();
    let lookup = match (request.id.trim(), invoice) {
        ("", "") => {
            let message = "Give the transaction's number or an invoice number.";
            return Err(BoundaryError::invalid_field("/id", message));
        }
        ("", invoice) => TransactionLookup::InvoiceNumber(invoice.to_owned()),
        (id, _) => TransactionLookup::TransactionId(parse_number(id)?),
    };
    let (profile, index) = active_index(ctx).await?;
    let session = open_session(ctx, &profile).await?;
    let found = session.client.transaction_status(&lookup).await;
    ctx.sessions().note_call(&profile.id, found.as_ref().err(), 0);
    let record = found.map_err(from_client)?.ok_or_else(|| unknown_transaction(&lookup))?;
    let at = ctx.ports().clock.now();
    index.keep_shown(record.clone(), at).await?;
    build_detail(ctx, &profile, StoredRecord { record, seen_at: format_instant(at) }).await
}

/// Stores records that were read elsewhere, as after an event; returns how many were new and how many changed.
pub async fn store_records(
    ctx: &Context,
    records: Vec<TransactionRecord>,
) -> Result<(u32, u32), BoundaryError> {
    let (_, index) = active_index(ctx).await?;
    let counts = index.store_records(records, ctx.ports().clock.now()).await?;
    Ok((counts.new, counts.changed))
}

/// What this desk sent last for a transaction of the active profile; `None` where it came from elsewhere.
pub async fn sent_last(
    ctx: &Context,
    record: &TransactionRecord,
) -> Result<Option<ImportTransaction>, BoundaryError> {
    let own_id = record.unique_id.as_deref().map(str::trim).unwrap_or_default().to_owned();
    let (profile, id) = (active_profile(ctx).await?, record.id);
    let rows = ctx.store().with_connection(move |db| list_sent_rows(db, &profile.id, &own_id, id)).await?;
    Ok(rows.into_iter().next().and_then(|sent| sent.wire))
}

async fn build_detail(
    ctx: &Context,
    profile: &Profile,
    held: StoredRecord,
) -> Result<TransactionDetail, BoundaryError> {
    let reading = &RecordReading::for_profile(ctx, profile);
    let today = ctx.ports().clock.today().to_string();
    let mut row = table_row(&held, reading, &today);
    let (own_id, profile_id, id) = (row.own_id.clone(), profile.id.clone(), held.record.id);
    let sent = ctx.store().with_connection(move |db| list_sent_rows(db, &profile_id, &own_id, id)).await?;
    row.batch = sent.first().map(|sent| sent.row.batch.clone());
    let calculated = calculate_answer(ctx, profile, sent.first()).await?;
    let record = &held.record;
    let documents = record.transaction_documents.iter();
    Ok(TransactionDetail {
        fields: record_fields(record, reading),
        timeline: build_timeline(record),
        amounts: compare_amounts::compare_amounts(
            record,
            sent.first().and_then(|sent| sent.wire.as_ref()),
            &calculated,
        ),
        no_calculation: calculated.err().unwrap_or_default(),
        documents: documents
            .map(|document| TransactionDocument { name: document.name.clone(), code: document.code.clone() })
            .collect(),
        sent: sent.into_iter().map(|sent| sent.row).collect(),
        row,
    })
}

/// What the built-in rules say of what was sent; a record alone has no lines of business to calculate with.
async fn calculate_answer(
    ctx: &Context,
    profile: &Profile,
    sent: Option<&SentTransaction>,
) -> Result<CalculatedAnswer, BoundaryError> {
    let Some(sent) = sent else {
        return Ok(Err("No batch sent from here is known to have this transaction, and the service doesn't return its lines of business, so taxes can't be calculated.".to_owned()));
    };
    let Some(wire) = &sent.wire else {
        return Ok(Err("What was sent is no longer on this computer: its profile keeps it for a time only, and taxes can't be calculated without it.".to_owned()));
    };
    let local = load_tables(ctx, profile).await?.local;
    let question = compare_amounts::quote_request(wire);
    Ok(estimate_quote(ctx, &question, profile, &local).map_err(|error| {
        let fields: Vec<String> = error.details.iter().map(|field| field.message.clone()).collect();
        if fields.is_empty() { error.message } else { fields.join(" ") }
    }))
}

fn parse_number(id: &str) -> Result<i64, BoundaryError> {
    id.trim().parse().map_err(|_| {
        let message =
            format!("\"{}\" is not a transaction's number.", id.chars().take(40).collect::<String>());
        BoundaryError::invalid_field("/id", message)
    })
}

fn record_fields(record: &TransactionRecord, reading: &RecordReading) -> Vec<TransactionField> {
    let field = |(name, title): (&str, &str), cell| {
        let (value, kind) = match cell {
            ColumnValue::Text(text) => (text, "text"),
            ColumnValue::Date(date) => (date, "date"),
            ColumnValue::Amount(amount) => (amount.to_string(), "amount"),
            ColumnValue::Number(number) => (number.to_string(), "text"),
            ColumnValue::Empty => (String::new(), "text"),
        };
        TransactionField { name: name.to_owned(), title: title.to_owned(), value, kind: kind.to_owned() }
    };
    let shown = |column: &RecordColumn| field((column.name, column.title), column.value_of(record, reading));
    let mut fields: Vec<TransactionField> = COLUMNS.iter().map(shown).collect();
    if record.is_unsigned_return() {
        fields.push(field(("return_sign", "Amounts"), ColumnValue::Text(UNSIGNED_RETURN.to_owned())));
    }
    fields
}

/// A date and what is known beside it.
fn build_timeline(record: &TransactionRecord) -> Vec<TimelineStep> {
    let said = |text: &Option<String>| text.as_deref().map(str::trim).unwrap_or_default().to_owned();
    let step = |step: &str, title: &str, on: String, note: String| TimelineStep {
        step: step.to_owned(),
        title: title.to_owned(),
        // A word such as N/A is shown, and proves nothing.
        done: leading_day(&on).is_some() || (step == "imported" && !on.is_empty()),
        // The note on a date says nothing before there is one.
        note: if on.is_empty() { String::new() } else { note },
        on,
    };
    let invoice = |number: &Option<String>| match said(number) {
        number if number.is_empty() => number,
        number => format!("invoice {number}"),
    };
    let number = said(&record.transaction_id_number);
    let mut steps = vec![
        step("imported", "Imported", said(&record.created_date), said(&record.created_by)),
        step("ready", "Ready to file", said(&record.date_ready_to_file), String::new()),
        step("filed", "Filed", said(&record.date_filed), said(&record.filed_under_license_name)),
        step("tax_paid", "Tax paid", said(&record.sl_tax_paid_date), invoice(&record.sl_tax_invoice_id)),
        step(
            "stamping_fee_paid",
            "Stamping fee paid",
            said(&record.stamping_fee_paid_date),
            invoice(&record.stamping_fee_invoice_id),
        ),
        step("other_paid", "Other paid", said(&record.other_taxes_paid_date), String::new()),
        TimelineStep {
            done: !number.is_empty(),
            note: number,
            ..step("state_number", "State number", String::new(), String::new())
        },
    ];
    let owed = [
        ("tax_paid", PaidCharge::SlTax),
        ("stamping_fee_paid", PaidCharge::StampingFee),
        ("other_paid", PaidCharge::OtherTaxes),
    ];
    let is_nothing = |step: &TimelineStep| {
        owed.iter().any(|(name, payment)| {
            *name == step.step
                && facts::owed(record, *payment).map_or(*payment == PaidCharge::OtherTaxes, Usd::is_zero)
        })
    };
    // Where nothing is owed there is no payment to wait for.
    steps.retain(|step| step.done || !is_nothing(step));
    steps
}

/// A credit is sent as the positive difference and counts below zero.
pub(super) fn is_credit(kind: Option<&str>) -> bool {
    kind.and_then(|code| code.parse().ok()).is_some_and(TransactionType::is_credit)
}
