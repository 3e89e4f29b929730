//! Documents that the state asks for, and which of them are missing.

use bordereau_api::to_u32;
use std::collections::HashSet;

use bordereau_contract::{GENERAL_DOCUMENTS, StateDocument, TransactionRecord, contains_words};
use bordereau_money::Usd;
use bordereau_rules::RuleSet;
use bordereau_tax::{LineInput, LinesTable, LocalTables, QuoteInput, RuleBook};
use chrono::NaiveDate;

use super::target::UploadTarget;
use bordereau_api::*;
use bordereau_session::profile::active_profile;
use bordereau_session::profile::open_session;
use bordereau_session::{Context, run_off_thread};
use bordereau_store::uploads::{self as queue, AvailableCodes};
use bordereau_transactions::active_index;
use bordereau_transactions::due::{duty_subject, filing_due};

/// Entries of the work list.
const LISTED: usize = 1_000;
/// Documents of a transaction that are there or being sent, by code.
#[derive(Clone, Debug, Default)]
struct AvailableDocuments {
    there: HashSet<String>,
    queued: HashSet<String>,
}

/// The documents the state asks for on this transaction, required ones first.
fn documents_for(record: &TransactionRecord, today: NaiveDate, book: &RuleBook) -> Vec<StateDocument> {
    let Some(subject) = duty_subject(record) else { return Vec::new() };
    // The list depends on state, type and date; any line will do.
    let lines = LinesTable::builtin();
    let Some(line) = lines.iter().next() else { return Vec::new() };
    let line = LineInput { code: line.code.to_string(), premium: Usd::ZERO };
    let input = QuoteInput {
        transaction_type: subject.transaction_type,
        transaction_effective: subject.effective,
        today,
        ..QuoteInput::new_policy(subject.state, vec![line], subject.policy_effective)
    };
    let quote = match book.calculate(&input, &LocalTables::default()) {
        Ok(quote) => quote,
        Err(problems) => {
            tracing::debug!(?problems, state = subject.state.code(), "no list of documents");
            return Vec::new();
        }
    };
    let mut documents: Vec<StateDocument> = quote.documents.iter().map(|d| (**d).clone()).collect();
    documents.sort_by_key(|document| (!is_required(document), !document.upload_required));
    documents
}

/// Required for the filing and uploaded by the broker: the service warns when it is missing.
fn is_required(document: &StateDocument) -> bool {
    document.required_for_filing && document.upload_required
}

fn missing_documents(documents: Vec<StateDocument>, have: &AvailableDocuments) -> Vec<WantedDocument> {
    let view = |document: StateDocument| WantedDocument {
        required: is_required(&document),
        upload: document.upload_required,
        signature: document.signature_requirements.filter(|who| who != "None").unwrap_or_default(),
        note: document.document_note.unwrap_or_default(),
        there: have.there.contains(&document.code),
        queued: have.queued.contains(&document.code),
        code: document.code,
        name: document.name,
    };
    documents.into_iter().map(view).collect()
}

fn general_documents() -> Vec<WantedDocument> {
    let view = |(code, name): (&str, &str)| WantedDocument {
        code: code.to_owned(),
        name: name.to_owned(),
        required: false,
        upload: false,
        signature: String::new(),
        note: String::new(),
        there: false,
        queued: false,
    };
    GENERAL_DOCUMENTS.into_iter().map(view).collect()
}

fn available_documents(record: &TransactionRecord, on_their_way: &AvailableCodes) -> AvailableDocuments {
    let codes = record.transaction_documents.iter().map(|document| document.code.trim().to_ascii_uppercase());
    let mut have = AvailableDocuments { there: codes.collect(), queued: HashSet::new() };
    for (id, invoice, code, is_sent) in on_their_way {
        let by_invoice = id.is_none() && invoice.is_some() && *invoice == record.extra_invoice_number;
        if *id == Some(record.id) || by_invoice {
            let codes = if *is_sent { &mut have.there } else { &mut have.queued };
            codes.insert(code.clone());
        }
    }
    have
}

/// The record of a transaction: from the index, else from the service, which then goes into the index.
pub async fn record_of(ctx: &Context, target: &UploadTarget) -> Result<TransactionRecord, BoundaryError> {
    let (_, index) = active_index(ctx).await?;
    let known = match (target.transaction_id, &target.invoice_number) {
        (Some(id), _) => index.find_record(id).await?,
        (None, Some(invoice)) => index.record_of_invoice(invoice.clone()).await?,
        (None, None) => None,
    };
    match known {
        Some(record) => Ok(record),
        None => fresh_record(ctx, target).await,
    }
}

/// The record as the service has it now; it is also stored in the index.
pub(super) async fn fresh_record(
    ctx: &Context,
    target: &UploadTarget,
) -> Result<TransactionRecord, BoundaryError> {
    use bordereau_client::TransactionLookup;
    let (profile, index) = active_index(ctx).await?;
    let session = open_session(ctx, &profile).await?;
    let lookup = match (target.transaction_id, &target.invoice_number) {
        (Some(id), _) => TransactionLookup::TransactionId(id),
        (None, invoice) => TransactionLookup::InvoiceNumber(invoice.clone().unwrap_or_default()),
    };
    let found =
        session.client.transaction_status(&lookup).await.map_err(bordereau_session::failure::from_client)?;
    // An object without a number is a message, not a record.
    let record = found.filter(|record| record.id > 0).ok_or_else(|| {
        let which = match (target.transaction_id, &target.invoice_number) {
            (Some(id), _) => format!("number {id}"),
            (None, invoice) => format!("invoice {}", invoice.as_deref().unwrap_or_default()),
        };
        BoundaryError::with_code(
            ErrorCode::NotFound,
            format!("The service shows no transaction with {which}."),
        )
    })?;
    index.keep_shown(record.clone(), ctx.ports().clock.now()).await?;
    Ok(record)
}

/// Kinds of document to choose from: the state's list, required ones first, then the general codes; only those where
/// the transaction isn't known here.
pub(super) async fn document_choices(
    ctx: &Context,
    target: &DocumentTarget,
) -> Result<Vec<WantedDocument>, BoundaryError> {
    let mut choices = match UploadTarget::read(target) {
        Err(_) => Vec::new(),
        Ok(target) => match record_of(ctx, &target).await {
            Ok(record) => required_documents(ctx, &record).await?,
            // The file can be prepared offline; the service says later whether it knows the transaction.
            Err(error) if error.retryable || error.code == ErrorCode::NoCredentials => Vec::new(),
            Err(error) => return Err(error),
        },
    };
    for general in general_documents() {
        if choices.iter().all(|choice| choice.code != general.code) {
            choices.push(general);
        }
    }
    Ok(choices)
}

async fn required_documents(
    ctx: &Context,
    record: &TransactionRecord,
) -> Result<Vec<WantedDocument>, BoundaryError> {
    let profile = active_profile(ctx).await?;
    let id = profile.id.clone();
    let on_their_way = ctx.store().with_connection(move |db| queue::available_codes(db, &id)).await?;
    Ok(missing_documents(
        documents_for(record, ctx.ports().clock.today(), ctx.rules().book()),
        &available_documents(record, &on_their_way),
    ))
}

/// The documents of one transaction: there, asked for, being sent.
///
/// # Errors
/// [`ErrorCode::NotFound`] where the service doesn't know it; errors of the request; [`ErrorCode::Storage`].
pub async fn transaction_documents(
    ctx: &Context,
    request: DocumentTarget,
) -> Result<TransactionDocuments, BoundaryError> {
    let target = UploadTarget::read(&request)?;
    // Offline the last known record answers.
    let record = match fresh_record(ctx, &target).await {
        Err(error) if error.retryable => record_of(ctx, &target).await?,
        outcome => outcome?,
    };
    let wanted = required_documents(ctx, &record).await?;
    let profile = active_profile(ctx).await?;
    let (id, invoice) = (record.id, record.extra_invoice_number.clone());
    let of = move |db: &mut bordereau_store::Connection| {
        queue::of_transaction(db, &profile.id, id, invoice.as_deref())
    };
    let uploads = ctx.store().with_connection(of).await?;
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    let documents = record.transaction_documents.iter().zip(1..).map(|(document, number)| KeptDocument {
        number,
        name: document.name.clone(),
        code: document.code.clone(),
    });
    let is_missing = |document: &&WantedDocument| document.required && !document.there && !document.queued;
    Ok(TransactionDocuments {
        transaction_id: record.id.to_string(),
        policy_number: text(&record.policy_number),
        insured: text(&record.mailing_insured_name),
        state: text(&record.physical_state),
        transaction_type: text(&record.transaction_type),
        documents: documents.collect(),
        missing: wanted.iter().filter(is_missing).map(|document| document.code.clone()).collect(),
        wanted,
        uploads,
    })
}

/// Everything still missing for unfiled transactions, what a filing waits for first.
pub async fn documents_missing(ctx: &Context, request: MissingRequest) -> Result<MissingList, BoundaryError> {
    let (profile, index) = active_index(ctx).await?;
    let known = index.unfiled_records().await?;
    let found = index.ids_with_words(&request.search).await?;
    let on_their_way = ctx.store().with_connection(move |db| queue::available_codes(db, &profile.id)).await?;
    let today = ctx.ports().clock.today();
    let rules = ctx.rules();
    let is_found = move |entry: &MissingEntry| {
        let has_id = |ids: &HashSet<i64>| entry.transaction_id.parse().is_ok_and(|id| ids.contains(&id));
        found.as_ref().is_none_or(has_id) || has_words(entry, &request.search)
    };
    let work = move || missing_list(&known.records, &on_their_way, today, &rules, is_found);
    run_off_thread("looking for missing documents", work).await
}

fn missing_list(
    records: &[TransactionRecord],
    on_their_way: &AvailableCodes,
    today: NaiveDate,
    rules: &RuleSet,
    is_found: impl Fn(&MissingEntry) -> bool,
) -> MissingList {
    let mut entries: Vec<MissingEntry> = records
        .iter()
        .filter_map(|record| missing_entry(record, &available_documents(record, on_their_way), today, rules))
        .filter(is_found)
        .collect();
    entries.sort_by(|a, b| {
        // What a filing waits for; the nearest filing first.
        let key = |entry: &MissingEntry| (entry.required.is_empty(), entry.due.is_none(), entry.due.clone());
        key(a).cmp(&key(b))
    });
    let count = |found: usize| to_u32(found);
    let required = count(entries.iter().filter(|entry| !entry.required.is_empty()).count());
    let total = count(entries.len());
    entries.truncate(LISTED);
    MissingList { entries, total, required }
}

fn has_words(entry: &MissingEntry, typed: &str) -> bool {
    let mut texts = vec![entry.state.as_str(), &entry.policy_number, &entry.insured];
    texts.extend(entry.required.iter().chain(&entry.asked).flat_map(|each| [&*each.code, &*each.name]));
    contains_words(&texts, typed)
}

fn missing_entry(
    record: &TransactionRecord,
    have: &AvailableDocuments,
    today: NaiveDate,
    rules: &RuleSet,
) -> Option<MissingEntry> {
    let open = missing_documents(documents_for(record, today, rules.book()), have).into_iter();
    let open: Vec<WantedDocument> =
        open.filter(|document| document.upload && !document.there && !document.queued).collect();
    let (required, asked): (Vec<_>, Vec<_>) = open.into_iter().partition(|document| document.required);
    if required.is_empty() && asked.is_empty() {
        return None;
    }
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    Some(MissingEntry {
        transaction_id: record.id.to_string(),
        policy_number: text(&record.policy_number),
        insured: text(&record.mailing_insured_name),
        invoice_number: text(&record.extra_invoice_number),
        state: text(&record.physical_state),
        transaction_type: text(&record.transaction_type),
        due: filing_due(record, rules.calendar()).map(|day| day.to_string()),
        required,
        asked,
    })
}

#[cfg(test)]
mod tests {
    use bordereau_contract::RecordDocument;

    use super::*;

    fn record(state: &str, kind: &str) -> TransactionRecord {
        TransactionRecord {
            id: 7,
            transaction_type: Some(kind.into()),
            physical_state: Some(state.into()),
            policy_effective_date: Some("2026-02-23".into()),
            transaction_effective_date: Some("2026-02-23".into()),
            extra_invoice_number: Some("INV-7".into()),
            ..TransactionRecord::default()
        }
    }

    fn today() -> NaiveDate {
        NaiveDate::from_ymd_opt(2026, 3, 1).unwrap()
    }

    #[test]
    fn the_policy_is_missing_until_it_is_there_or_on_its_way() {
        let texas = record("TX", "PN");
        let found =
            missing_list(std::slice::from_ref(&texas), &Vec::new(), today(), &RuleSet::builtin(), |_| true);
        assert_eq!(found.total, 1);
        assert_eq!(found.entries[0].required[0].code, "POLIC");
        assert_eq!(found.entries[0].due.as_deref(), Some("2026-04-24"));
        let ways = [
            (Some(7), None, "POLIC", false),
            (Some(7), None, "POLIC", true),
            (None, Some("INV-7".to_owned()), "POLIC", false),
        ];
        for (id, invoice, code, sent) in ways {
            let way = vec![(id, invoice, code.to_owned(), sent)];
            assert_eq!(
                missing_list(std::slice::from_ref(&texas), &way, today(), &RuleSet::builtin(), |_| true)
                    .total,
                0
            );
        }
        let other = vec![(Some(8), None, "POLIC".to_owned(), true)];
        assert_eq!(
            missing_list(std::slice::from_ref(&texas), &other, today(), &RuleSet::builtin(), |_| true).total,
            1
        );
        let there = TransactionRecord {
            transaction_documents: vec![RecordDocument { code: "polic".into(), ..RecordDocument::default() }],
            ..texas
        };
        assert_eq!(missing_list(&[there], &Vec::new(), today(), &RuleSet::builtin(), |_| true).total, 0);
    }

    /// Every code that a state asks for or a form is filled for must be accepted by the document import.
    #[test]
    fn every_code_that_is_asked_for_or_filled_can_be_uploaded() {
        use bordereau_contract::{Jurisdiction, TransactionType, document_codes};
        let forms = bordereau_forms::FormBook::builtin().templates().iter().map(|form| form.code.clone());
        let of = |state: &Jurisdiction| {
            let kinds = TransactionType::ALL.iter();
            let asked = kinds.flat_map(|kind| {
                documents_for(&record(state.code(), kind.code()), today(), RuleBook::builtin())
            });
            asked.map(|document| document.code).collect::<Vec<_>>()
        };
        let codes = Jurisdiction::ALL.iter().flat_map(of).chain(forms);
        let codes: HashSet<String> =
            codes.chain(GENERAL_DOCUMENTS.map(|(code, _)| code.to_owned())).collect();
        let unknown: Vec<_> =
            codes.iter().filter(|code| !document_codes().any(|known| known == code.as_str())).collect();
        assert!(codes.len() > 10 && unknown.is_empty(), "{unknown:?}");
    }

    #[test]
    fn required_ones_come_first_and_what_only_is_asked_for_does_not_count_as_required() {
        let list = missing_documents(
            documents_for(&record("CA", "PN"), today(), RuleBook::builtin()),
            &AvailableDocuments::default(),
        );
        assert_eq!(list[0].code, "POLIC");
        assert!(list[0].required && list.iter().skip(1).all(|document| !document.required));
        let florida =
            missing_list(&[record("FL", "PN")], &Vec::new(), today(), &RuleSet::builtin(), |_| true);
        assert!(florida.entries[0].required.is_empty() && florida.entries[0].asked[0].code == "POLIC");
        assert_eq!((florida.total, florida.required), (1, 0));
        let both = missing_list(
            &[record("FL", "PN"), record("TX", "PN")],
            &Vec::new(),
            today(),
            &RuleSet::builtin(),
            |_| true,
        );
        assert_eq!((both.total, both.required, both.entries[0].state.as_str()), (2, 1, "TX"), "due later");
        assert_eq!(
            missing_list(
                &[record("TX", "APE"), record("", "PN")],
                &Vec::new(),
                today(),
                &RuleSet::builtin(),
                |_| true
            )
            .total,
            0
        );
    }
}
