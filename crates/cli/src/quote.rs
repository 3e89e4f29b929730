//! `bordereau quote`.

use std::path::Path;
use std::sync::Arc;

use bordereau_contract::format_money_text;
use bordereau_desk::Desk;
use bordereau_desk::api::{
    CancellationRequest, DocumentDownload, DocumentView, EndorsementRequest, PremiumSearch, QuoteAnswer,
    QuotePayments, QuotePdfRequest, QuoteRequest, SaveQuote,
};
use bordereau_desk::text;
use serde_json::{Value, json};

use crate::arguments::QuoteArguments;
use crate::environment::environment_line;
use crate::exit::CommandExit;
use crate::file_target::{FileTarget, can_be_saved, make_folder};
use crate::shared_arguments::GlobalArgs;
use crate::{log, open_desk, output};
use bordereau_host::terminal_text::on_one_line;

pub(crate) async fn run_quote(place: &GlobalArgs, asked: QuoteArguments) -> Result<(), CommandExit> {
    let mut request = asked.transaction.quote_request(&asked.state);
    asked.pdf.as_deref().map_or(Ok(()), can_be_saved)?;
    let target = Arc::new(FileTarget::default());
    let desk = open_desk::open_desk_to_save(place, Arc::<FileTarget>::clone(&target))?;
    let (desk, answered_by) = if asked.transaction.offline && place.profile.is_none() {
        (desk, None)
    } else {
        let (desk, view) = open_desk::on_profile(place, desk).await?;
        (desk, Some(view.profile))
    };
    let mut searched_total = None;
    if let Some(total) = &asked.total {
        let (found, total) = find_premium(&desk, request, total).await?;
        (request, searched_total) = (found, Some(total));
    }
    let change = find_policy_change(&desk, &request, &asked).await?;
    if let Some(change) = &change {
        request = change.request.clone();
    }
    let answer = if asked.transaction.offline {
        desk.quote_estimate(request.clone()).await?
    } else {
        desk.quote_calculate(request.clone()).await.map_err(CommandExit::of_quote)?
    };
    let sheet = QuotePdfRequest { request: request.clone(), answer: answer.clone() };
    let payments = desk.quote_payments_list(sheet).await?;
    if place.json {
        output::write_json(&quote_json(&answer, change, &payments))?;
    } else {
        let environment = answered_by.filter(|_| !asked.transaction.offline).map(|p| p.environment);
        let changed = change.map(|change| change.table).unwrap_or_default();
        let payments = text::payments_table(&payments);
        let environment = environment_line(environment);
        output::write(&format!("{environment}{changed}{}{payments}", text::quote_table(&answer)))?;
    }
    if let Some(total) = searched_total {
        note_other_total(&total, &answer);
    }
    if asked.all_documents && !place.json {
        output::write(&documents_text(&answer.documents))?;
    }
    if let Some(folder) = &asked.templates {
        save_templates(&desk, &target, &request, &answer.documents, folder).await?;
    }
    if let Some(name) = asked.save {
        let (request, answer) = (request.clone(), Some(answer.clone()));
        let save = SaveQuote { id: None, name, request, answer, revision: None };
        let saved = desk.quote_save(save).await?;
        log::log_line(&format!("Saved as {} \"{}\"", saved.id, on_one_line(&saved.name)));
    }
    if let Some(pdf) = asked.pdf {
        target.point_at(&pdf);
        desk.quote_pdf(QuotePdfRequest { request, answer }).await?;
    }
    Ok(())
}

/// The answer as JSON, with cancellation or endorsement and payments if requested.
fn quote_json(answer: &QuoteAnswer, change: Option<PolicyChange>, payments: &QuotePayments) -> Value {
    let mut written = text::quote_json(answer);
    if let Some(change) = change {
        written[change.key] = change.json;
    }
    if !payments.payments.is_empty() {
        written["payments"] = json!(payments);
    }
    written
}

/// The request with the premium that gives the total, and the total without its sign.
async fn find_premium(
    desk: &Desk,
    mut request: QuoteRequest,
    total: &str,
) -> Result<(QuoteRequest, String), CommandExit> {
    let search = PremiumSearch { request: request.clone(), total: total.to_owned() };
    let found = desk.quote_premium_find(search).await?;
    let Some(exact) = found.exact else {
        let near = [found.below, found.above].into_iter().flatten();
        let near: Vec<String> = near
            .map(|near| format!("{} with the premium {}", format_money_text(&near.total), near.premium))
            .collect();
        return Err(CommandExit::rejected(format!(
            "no premium comes to exactly this total; the nearest: {}",
            near.join(", ")
        )));
    };
    if let Some(line) = request.lines.get_mut(found.line as usize) {
        line.premium = exact.premium;
    }
    Ok((request, exact.total))
}

/// Notes where the service's total differs: the premium is found by the rules on this computer.
fn note_other_total(total: &str, answer: &QuoteAnswer) {
    if answer.total.trim_start_matches('-') != total {
        log::log_line(&format!(
            "The estimate comes to this total; the service comes to {}.",
            format_money_text(&answer.total)
        ));
    }
}

/// What happens to a policy in its term: the quote of that, what it follows from, and the key of it in the JSON.
struct PolicyChange {
    request: QuoteRequest,
    table: String,
    key: &'static str,
    json: Value,
}

/// What a cancellation returns, or an endorsement adds or returns, if requested.
async fn find_policy_change(
    desk: &Desk,
    policy: &QuoteRequest,
    asked: &QuoteArguments,
) -> Result<Option<PolicyChange>, CommandExit> {
    let (request, three_decimals) = (policy.clone(), asked.cancellation.three_decimals);
    if let Some(endorsed_on) = asked.endorsement.endorse.clone() {
        let after = asked.endorsement.after.clone();
        let request = EndorsementRequest { request, endorsed_on, after, three_decimals };
        let answer = desk.quote_endorsement(request).await?;
        let (table, json) = (text::endorsement_table(&answer), text::endorsement_json(&answer));
        return Ok(Some(PolicyChange { request: answer.request, table, key: "endorsement", json }));
    }
    let Some(canceled_on) = asked.cancellation.cancel.clone() else { return Ok(None) };
    let (method, penalty) = (asked.cancellation.method.into(), asked.cancellation.penalty.clone());
    let request = CancellationRequest { request, canceled_on, method, penalty, three_decimals };
    let answer = desk.quote_cancellation(request).await?;
    let (table, json) = (text::cancellation_table(&answer), text::cancellation_json(&answer));
    Ok(Some(PolicyChange { request: answer.request, table, key: "cancellation", json }))
}

/// Every document with all details; those that don't apply have the reason.
fn documents_text(documents: &[DocumentView]) -> String {
    let mut text = "\nEvery document\n".to_owned();
    for document in documents {
        let flags = [
            (document.required_for_binding, "before binding"),
            (document.required_for_filing, "for filing"),
            (document.upload_required, "to upload"),
            (document.include_with_policy, "with the policy"),
            (document.include_in_diligent_effort, "diligent effort"),
            (document.keep_on_hand, "keep on hand"),
            (document.downloadable, "template"),
        ];
        let mut words: Vec<String> =
            flags.into_iter().filter(|(is_set, _)| *is_set).map(|(_, word)| word.to_owned()).collect();
        words.extend(document.conditions.iter().cloned());
        if !document.transaction_types.is_empty() {
            words.push(document.transaction_types.join("/"));
        }
        let mark = if document.left_out.is_some() { "-" } else { "*" };
        text.push_str(&format!(
            "  {mark} {:<8} {}: {}\n",
            on_one_line(&document.code),
            on_one_line(&document.name),
            on_one_line(&words.join(", "))
        ));
        if let Some(why) = &document.left_out {
            text.push_str(&format!("             does not apply: {}\n", on_one_line(why)));
        }
    }
    text
}

/// Saves the templates of the documents that apply, each as a file in the folder.
async fn save_templates(
    desk: &Desk,
    target: &FileTarget,
    request: &QuoteRequest,
    documents: &[DocumentView],
    folder: &Path,
) -> Result<(), CommandExit> {
    make_folder(folder)?;
    let offered: Vec<&DocumentView> =
        documents.iter().filter(|document| document.downloadable && document.left_out.is_none()).collect();
    if offered.is_empty() {
        log::log_line("The service offers no template for this transaction");
    }
    let mut failed = None;
    for document in offered {
        target.point_at(folder);
        let download = DocumentDownload { request: request.clone(), key: document.key.clone() };
        match desk.form_template_download(download).await {
            Ok(file) => {
                let path = folder.join(&file.file_name);
                log::log_line(&format!("Saved {} ({} bytes)", path.display(), file.bytes));
            }
            Err(error) => {
                log::log_line(&format!("{} was not saved: {}", on_one_line(&document.name), error.message));
                failed.get_or_insert(error);
            }
        }
    }
    failed.map_or(Ok(()), |error| Err(error.into()))
}
