//! What a state would do, simulated by the person who trains: filing, payments, numbers, stamp wording. Every
//! change and the event that reports it are one transaction.

use std::collections::HashSet;
use std::sync::Arc;

use bordereau_contract::{
    ActedOn, Charge, ChargePaid, CoverageItem, EventBody, EventKind, FiledEvent, ImportTransaction,
    Jurisdiction, NumberAssigned, PaidCharge, PracticeAnswer, STAMP_WORDING_CHARS_MAX, StampWordingChanged,
    TaxRule, TaxesAndFeesPaid, TransactionStatus, TransactionType, WhichTransactions, parse_calendar_day,
};
use bordereau_money::Usd;
use bordereau_service_store::filings::{self, Filing, StateProgress};
use bordereau_service_store::state::{self, ChangedWording};
use bordereau_service_store::{StoreError, webhooks};
use chrono::{DateTime, Utc};
use chrono::{Datelike, NaiveDate};
use rusqlite::Connection;

use crate::Clock;
use crate::imports;
use crate::refusal::Refusal;
use crate::service::{AppState, Service};
use crate::webhooks::outbox;

/// Transactions one action is for.
const NAMED_MAX: usize = 20_000;
/// Transactions that are changed in one transaction of the database.
const PART: usize = 64;
/// Transactions one answer lists.
const LISTED_MAX: usize = 1_000;
/// Characters of an invoice id or a state's number.
const ID_CHARS_MAX: usize = 100;

type Done = rusqlite::Result<Result<(), String>>;

/// The day that was given, or today by the service's clock.
fn given_day(app: &Service, given: Option<&str>) -> Result<String, Refusal> {
    match given {
        None => Ok(app.clock.now().date_naive().to_string()),
        Some(text) => {
            let day = parse_calendar_day(text.trim());
            day.map(|day| day.to_string())
                .ok_or_else(|| Refusal::invalid_field("/date", "A day such as 2026-03-31 is expected."))
        }
    }
}

/// Does something to each selected transaction, a number of them in one database transaction: the events of
/// the first are sent while the last are changed, and no one else waits for all of them.
async fn for_each_transaction(
    app: &AppState,
    which: WhichTransactions,
    practice_account: String,
    work: impl Fn(&Connection, &str, &Filing, DateTime<Utc>) -> Done + Send + Sync + 'static,
) -> Result<PracticeAnswer, Refusal> {
    if which.transaction_ids.len() + which.ids.len() > NAMED_MAX {
        return Err(Refusal::invalid_field(
            "/which",
            format!("At most {NAMED_MAX} transactions are allowed."),
        ));
    }
    let now = app.clock.now();
    let account = which.account.clone().unwrap_or(practice_account);
    let (owner, asked) = (account.clone(), which);
    let selected: Vec<ActedOn> = app.store.read(move |db| resolve_selection(db, &owner, &asked)).await?;
    let (mut changed, mut transactions) = (0u32, Vec::with_capacity(selected.len().min(LISTED_MAX)));
    let work = Arc::new(work);
    let mut seen = HashSet::new();
    for part in selected.chunks(PART) {
        let (work, account, part) = (Arc::clone(&work), account.clone(), part.to_vec());
        let done = app.store.with_connection(move |db| {
            let mut acted = Vec::with_capacity(part.len());
            for named in part {
                let filing = match named.transaction_id {
                    0 => filings::by_own_id(db, &account, &named.id)?,
                    number => filings::by_id(db, &account, number)?,
                };
                let Some(filing) = filing else {
                    let skipped = Some("The account has no such transaction.".to_owned());
                    acted.push(ActedOn { skipped, ..named });
                    continue;
                };
                // It may be named by its number and by its own id.
                if seen.insert(filing.id) {
                    let skipped = work(db, &account, &filing, now)?.err();
                    acted.push(ActedOn { transaction_id: filing.id, id: filing.own_id, skipped });
                }
            }
            Ok((seen, acted))
        });
        let (still_seen, acted) = done.await?;
        seen = still_seen;
        app.webhooks.wake.notify_one();
        let done = acted.iter().filter(|acted| acted.skipped.is_none()).count();
        changed = changed.saturating_add(u32::try_from(done).unwrap_or(u32::MAX));
        transactions.extend(acted);
    }
    if transactions.is_empty() {
        return Err(Refusal::invalid_field("/which", "No transaction is named, or the batch has none yet."));
    }
    transactions.truncate(LISTED_MAX);
    Ok(PracticeAnswer::Transactions { changed, transactions })
}

/// The selected transactions, as they were named.
fn resolve_selection(
    db: &Connection,
    account: &str,
    which: &WhichTransactions,
) -> rusqlite::Result<Vec<ActedOn>> {
    let mut numbers = which.transaction_ids.clone();
    if let Some(batch) = &which.batch_id {
        numbers.extend(state::of_batch(db, account, batch)?);
    }
    let mut seen = HashSet::new();
    numbers.retain(|number| seen.insert(*number));
    let numbered = |number| ActedOn { transaction_id: number, ..ActedOn::default() };
    let named = |own_id: &String| ActedOn { id: own_id.clone(), ..ActedOn::default() };
    Ok(numbers.into_iter().map(numbered).chain(which.ids.iter().map(named)).collect())
}

/// Files transactions with the state, or sets a status before that.
pub(super) async fn file_transactions(
    app: &AppState,
    account: String,
    which: WhichTransactions,
    status: Option<i64>,
    date: Option<String>,
) -> Result<PracticeAnswer, Refusal> {
    use TransactionStatus as S;
    let status = match status.map(TransactionStatus::from_number) {
        None => S::Filed,
        Some(Some(status @ (S::ReadyToFile | S::SentToState | S::Filed))) => status,
        Some(_) => return Err(Refusal::invalid_field("/status", "2, 3 or 4 is expected.")),
    };
    let day = given_day(app, date.as_deref())?;
    for_each_transaction(app, which, account, move |db, account, filing, now| {
        if filing.status == S::Saved.wire_number() {
            return Ok(Err("It is incomplete (Saved), so the state would not accept it.".into()));
        }
        if filing.status >= status.wire_number() {
            return Ok(Err("It already has this status.".into()));
        }
        move_to(db, account, filing, status.wire_number(), &day, now)?;
        Ok(Ok(()))
    })
    .await
}

/// Sets a status, and announces a filing.
pub(super) fn move_to(
    db: &Connection,
    account: &str,
    filing: &Filing,
    status: i64,
    day: &str,
    now: DateTime<Utc>,
) -> rusqlite::Result<()> {
    filings::set_status(db, account, &filing.own_id, status, day)?;
    if status != TransactionStatus::Filed.wire_number() || filing.status == status {
        return Ok(());
    }
    let row = imported_row(filing);
    let state = state_of(&row);
    let filed = || FiledEvent {
        policy_number: row.policy_number.clone(),
        transaction_id: Some(filing.id),
        invoice_number: row.invoice_number.clone(),
        physical_state: row.physical_state.clone(),
        transaction_type: row.transaction_type.clone(),
        transaction_status: Some(status),
        date_filed: Some(filing.date_filed.clone().unwrap_or_else(|| day.to_owned())),
    };
    outbox::announce_event(db, account, EventKind::Filed, state, || Ok(EventBody::Filed(filed())), now)
}

/// The transaction as it was imported; a body that cannot be read is empty.
fn imported_row(filing: &Filing) -> ImportTransaction {
    serde_json::from_str(&filing.body).unwrap_or_default()
}

fn state_of(row: &ImportTransaction) -> &str {
    row.physical_state.as_deref().unwrap_or_default()
}

/// What a transaction owes, and the state's rule for it.
struct OwedTaxes {
    sl_tax: Usd,
    stamping_fee: Usd,
    other: Usd,
    rule: TaxRule,
}

impl OwedTaxes {
    fn for_row(app: &Service, row: &ImportTransaction, created_at: i64) -> OwedTaxes {
        let created = DateTime::from_timestamp(created_at, 0).unwrap_or_default().date_naive();
        let quote = imports::calculate_quote(row, app.rules, &app.local, created);
        let calculated = quote.as_ref().map(|quote| quote.amounts.clone()).unwrap_or_default();
        let owed = |payment| {
            Charge::sum_payment(payment, |charge| row.charge(charge).or(calculated.charges.get(charge)))
                .unwrap_or_default()
        };
        OwedTaxes {
            sl_tax: owed(PaidCharge::SlTax),
            stamping_fee: owed(PaidCharge::StampingFee),
            other: owed(PaidCharge::OtherTaxes),
            rule: quote.map(|quote| TaxRule::clone(&quote.tax_rule)).unwrap_or_default(),
        }
    }

    fn charge_amount(&self, charge: PaidCharge) -> Usd {
        match charge {
            PaidCharge::SlTax => self.sl_tax,
            PaidCharge::StampingFee => self.stamping_fee,
            PaidCharge::OtherTaxes => self.other,
        }
    }

    /// Whether nothing of it is open.
    fn is_settled(&self, progress: &StateProgress) -> bool {
        let is_open = |charge: &PaidCharge| {
            !self.charge_amount(*charge).is_zero() && progress.paid_date(*charge).is_none()
        };
        !PaidCharge::ALL.iter().any(is_open)
    }

    fn total_owed(&self) -> Option<Usd> {
        Usd::checked_sum([self.sl_tax, self.stamping_fee, self.other])
    }
}

/// Marks charges as paid.
pub(super) async fn pay_charges(
    app: &AppState,
    account: String,
    which: WhichTransactions,
    charges: Vec<PaidCharge>,
    date: Option<String>,
    invoice_id: Option<String>,
) -> Result<PracticeAnswer, Refusal> {
    let day = given_day(app, date.as_deref())?;
    let invoice_id = invoice_id.map(|id| id.trim().to_owned()).filter(|id| !id.is_empty());
    if invoice_id.as_ref().is_some_and(|id| id.chars().count() > ID_CHARS_MAX) {
        return Err(Refusal::invalid_field(
            "/invoice_id",
            format!("At most {ID_CHARS_MAX} characters are allowed."),
        ));
    }
    let charges = if charges.is_empty() { PaidCharge::ALL.to_vec() } else { charges };
    let shared = app.clone();
    for_each_transaction(app, which, account, move |db, account, filing, now| {
        if filing.status == TransactionStatus::Saved.wire_number() {
            return Ok(Err("It is incomplete (Saved), so nothing can be paid for it.".into()));
        }
        let row = imported_row(filing);
        let owed = OwedTaxes::for_row(&shared, &row, filing.created_at);
        let due: Vec<PaidCharge> = PaidCharge::ALL
            .into_iter()
            .filter(|charge| charges.contains(charge))
            .filter(|charge| {
                !owed.charge_amount(*charge).is_zero() && filing.progress.paid_date(*charge).is_none()
            })
            .collect();
        if due.is_empty() {
            return Ok(Err("None of this is owed, or it is paid already.".into()));
        }
        let made_up = || format!("INV-{}-{}", state_of(&row), filing.id);
        let invoice = invoice_id.clone().unwrap_or_else(made_up);
        let mut progress = filing.progress.clone();
        for charge in &due {
            progress.mark_paid(*charge, &day, &invoice);
        }
        if owed.is_settled(&progress) {
            // What is paid in full goes to the general ledger.
            progress.gl_moved_date.get_or_insert_with(|| now.date_naive().to_string());
        }
        filings::set_progress(db, filing.id, &progress, now.timestamp())?;
        for charge in due {
            announce_payment(db, account, filing, &row, &owed, charge, &day, &invoice, now)?;
        }
        announce_full_payment(db, account, filing.id, progress, &row, &owed, now)?;
        Ok(Ok(()))
    })
    .await
}

#[allow(clippy::too_many_arguments, reason = "one event's members")]
fn announce_payment(
    db: &Connection,
    account: &str,
    filing: &Filing,
    row: &ImportTransaction,
    owed: &OwedTaxes,
    charge: PaidCharge,
    day: &str,
    invoice: &str,
    now: DateTime<Utc>,
) -> rusqlite::Result<()> {
    let rule = &owed.rule;
    let (kind, title, amount, active, amount_type) = match charge {
        PaidCharge::SlTax => (
            EventKind::SlTaxPaid,
            &rule.sl_tax_title,
            rule.sl_tax_amount,
            rule.is_sl_tax_active,
            rule.sl_tax_amount_type,
        ),
        PaidCharge::StampingFee => (
            EventKind::StampingFeePaid,
            &rule.stamping_fee_title,
            rule.stamping_fee_amount,
            rule.is_stamping_fee_active,
            rule.stamping_fee_amount_type,
        ),
        // The contract has no event for the others alone.
        PaidCharge::OtherTaxes => return Ok(()),
    };
    let paid = ChargePaid {
        policy_number: row.policy_number.clone(),
        transaction_id: Some(filing.id),
        invoice_number: row.invoice_number.clone(),
        title: Some(title.clone()).filter(|title| !title.is_empty()),
        invoice_id: Some(invoice.to_owned()),
        paid_date: Some(format!("{day} 00:00:00")),
        amount,
        active,
        amount_type: Some(if amount_type == 2 { "fixed" } else { "percentage" }.to_owned()),
        charged: Some(owed.charge_amount(charge)),
    };
    let body = match kind {
        EventKind::SlTaxPaid => EventBody::SlTaxPaid(paid),
        _ => EventBody::StampingFeePaid(paid),
    };
    outbox::announce_event(db, account, kind, state_of(row), || Ok(body), now)
}

/// Once nothing is owed any more.
fn announce_full_payment(
    db: &Connection,
    account: &str,
    transaction_id: i64,
    progress: StateProgress,
    row: &ImportTransaction,
    owed: &OwedTaxes,
    now: DateTime<Utc>,
) -> rusqlite::Result<()> {
    if !owed.is_settled(&progress) {
        return Ok(());
    }
    let paid = TaxesAndFeesPaid {
        policy_number: row.policy_number.clone(),
        transaction_id: Some(transaction_id),
        invoice_number: row.invoice_number.clone(),
        sl_tax_paid_date: progress.sl_tax_paid_date,
        stamping_fee_paid_date: progress.stamping_fee_paid_date,
        other_taxes_paid_date: progress.other_taxes_paid_date,
        taxes_and_fees: owed.total_owed(),
    };
    let body = EventBody::TaxesAndFeesPaid(paid);
    outbox::announce_event(db, account, EventKind::TaxesAndFeesPaid, state_of(row), || Ok(body), now)
}

/// Gives transactions the state's own number.
pub(super) async fn assign_number(
    app: &AppState,
    account: String,
    which: WhichTransactions,
    number: Option<String>,
) -> Result<PracticeAnswer, Refusal> {
    let number = number.map(|number| number.trim().to_owned()).filter(|number| !number.is_empty());
    if number.as_ref().is_some_and(|number| number.chars().count() > ID_CHARS_MAX) {
        return Err(Refusal::invalid_field(
            "/number",
            format!("At most {ID_CHARS_MAX} characters are allowed."),
        ));
    }
    let several = which.batch_id.is_some() || which.ids.len() + which.transaction_ids.len() > 1;
    if number.is_some() && several {
        return Err(Refusal::invalid_field(
            "/number",
            "A number is for one transaction; omit it for several.",
        ));
    }
    let year = app.clock.now().year();
    for_each_transaction(app, which, account, move |db, account, filing, now| {
        let row = imported_row(filing);
        let made_up = || format!("{}-{year}-{:07}", state_of(&row), filing.id);
        let number = number.clone().unwrap_or_else(made_up);
        if filing.progress.transaction_id_number.as_ref() == Some(&number) {
            return Ok(Err("It has this number already.".into()));
        }
        let progress =
            StateProgress { transaction_id_number: Some(number.clone()), ..filing.progress.clone() };
        filings::set_progress(db, filing.id, &progress, now.timestamp())?;
        let assigned = NumberAssigned {
            policy_number: row.policy_number.clone(),
            transaction_id: Some(filing.id),
            invoice_number: row.invoice_number.clone(),
            physical_state: row.physical_state.clone(),
            transaction_id_number: Some(number),
        };
        let body = EventBody::NumberAssigned(assigned);
        outbox::announce_event(db, account, EventKind::NumberAssigned, state_of(&row), || Ok(body), now)?;
        Ok(Ok(()))
    })
    .await
}

/// Changes a state's stamp wording, for everybody the service has.
pub(super) async fn change_wording(
    app: &AppState,
    state: Jurisdiction,
    text: Option<String>,
) -> Result<PracticeAnswer, Refusal> {
    let text = text.map(|text| text.trim().to_owned());
    if text.as_ref().is_some_and(|text| text.is_empty() || text.chars().count() > STAMP_WORDING_CHARS_MAX) {
        let detail = format!(
            "1 to {STAMP_WORDING_CHARS_MAX} characters are expected; none restores the wording of the rule."
        );
        return Err(Refusal::invalid_field("/text", detail));
    }
    let now = app.clock.now();
    let today = now.date_naive();
    let (code, updated_at) = (state.code(), today.to_string());
    // What the calculator answers from now on, word for word: whoever asks it finds what the event said.
    let (said, said_at) = match &text {
        Some(text) => (Some(text.clone()), Some(Some(updated_at.clone()))),
        None => own_wording(app, state, today).unzip(),
    };
    let event = StampWordingChanged {
        state: code.to_owned(),
        state_stamp_wording_text: said.as_deref().map(crate::calculator::html_paragraphs),
        state_stamp_wording_updated_at: said_at.flatten(),
    };
    let wording = text.map(|text| ChangedWording { state: code.to_owned(), text, updated_at });
    let changed = wording.is_some();
    let (changed, all) = app
        .store
        .with_connection(move |db| {
            let changed = match &wording {
                Some(wording) => state::set_wording(db, wording).map(|()| changed)?,
                None => state::restore_wording(db, code)?,
            };
            if changed {
                for account in webhooks::accounts_subscribed(db, EventKind::StampWordingChanged)? {
                    let body = || Ok(EventBody::StampWordingChanged(event.clone()));
                    outbox::announce_event(db, &account, EventKind::StampWordingChanged, code, body, now)?;
                }
            }
            Ok((changed, state::list_wordings(db)?))
        })
        .await
        .map_err(|error: StoreError| Refusal::from(error))?;
    app.wordings.replace_all(all);
    app.webhooks.wake.notify_one();
    let text = if changed {
        format!("The stamp wording of {} was changed.", state.title())
    } else {
        format!("The stamp wording of {} was never changed.", state.title())
    };
    Ok(PracticeAnswer::Done { text })
}

/// The wording of the state's own rule, and when it was updated; a rule may have none.
fn own_wording(app: &Service, state: Jurisdiction, today: NaiveDate) -> Option<(String, Option<String>)> {
    let premium = Some(Usd::from_cents(100_000));
    let policy = ImportTransaction {
        transaction_type: Some(TransactionType::New.code().to_owned()),
        physical_state: Some(state.code().to_owned()),
        policy_effective_date: Some(today.to_string()),
        premium,
        line_of_business_list: vec![CoverageItem { item: "GEN-1002".into(), coverage: premium }],
        ..ImportTransaction::default()
    };
    let stamps = imports::calculate_quote(&policy, app.rules, &app.local, today)?.stamps;
    stamps.first().map(|stamp| (stamp.text.clone(), stamp.updated_at.clone()))
}
