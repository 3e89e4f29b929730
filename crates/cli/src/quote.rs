//! `bordereau quote`.

use std::path::Path;
use std::sync::Arc;

use bordereau_desk::Desk;
use bordereau_desk::api::{
    DocumentDownload, DocumentView, Environment, QuotePdfRequest, QuoteRequest, SaveQuote,
};
use bordereau_desk::text;

use crate::arguments::QuoteArguments;
use crate::exit::CommandExit;
use crate::file_target::{FileTarget, can_be_saved, make_folder};
use crate::shared_arguments::GlobalArgs;
use crate::terminal_text::on_one_line;
use crate::{log, open_desk, output};

pub(crate) async fn run_quote(place: &GlobalArgs, asked: QuoteArguments) -> Result<(), CommandExit> {
    let request = asked.transaction.quote_request(&asked.state);
    asked.pdf.as_deref().map_or(Ok(()), can_be_saved)?;
    let target = Arc::new(FileTarget::default());
    let desk = open_desk::open_desk(place, Arc::<FileTarget>::clone(&target))?;
    let (desk, answered_by) = if asked.transaction.offline && place.profile.is_none() {
        (desk, None)
    } else {
        let (desk, view) = open_desk::on_profile(place, desk).await?;
        (desk, Some(view.profile))
    };
    let answer = if asked.transaction.offline {
        desk.quote_estimate(request.clone()).await?
    } else {
        desk.quote_calculate(request.clone()).await?
    };
    if place.json {
        output::write_json(&text::quote_json(&answer))?;
    } else {
        let environment = answered_by.filter(|_| !asked.transaction.offline).map(|p| p.environment);
        output::write(&format!("{}{}", environment_line(environment), text::quote_table(&answer)))?;
    }
    if asked.all_documents && !place.json {
        output::write(&documents_text(&answer.documents))?;
    }
    if let Some(folder) = &asked.templates {
        save_templates(&desk, &target, &request, &answer.documents, folder).await?;
    }
    if let Some(name) = asked.save {
        let save = SaveQuote { id: None, name, request: request.clone(), answer: Some(answer.clone()) };
        let saved = desk.quote_save(save).await?;
        log::log_line(&format!("Saved as {} \"{}\"", saved.id, on_one_line(&saved.name)));
    }
    if let Some(pdf) = asked.pdf {
        target.point_at(&pdf);
        desk.quote_pdf(QuotePdfRequest { request, answer }).await?;
    }
    Ok(())
}

/// Every document with all that is said of it, those that do not apply with the reason.
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

/// The templates of the documents that apply, each in a file of the folder.
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
    for document in offered {
        target.point_at(folder);
        let download = DocumentDownload { request: request.clone(), key: document.key.clone() };
        let file = desk.form_template_download(download).await?;
        log::log_line(&format!("Saved {} ({} bytes)", folder.join(&file.file_name).display(), file.bytes));
    }
    Ok(())
}

/// The environment first, in capitals: no one shall take practice for production.
pub(crate) fn environment_line(environment: Option<Environment>) -> &'static str {
    match environment {
        None => "",
        Some(Environment::Practice) => "PRACTICE: nothing leaves this computer\n",
        Some(Environment::Sandbox) => "SANDBOX\n",
        Some(Environment::Production) => "PRODUCTION\n",
    }
}
