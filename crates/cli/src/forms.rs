//! `bordereau forms`.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use bordereau_contract::DiligentRequest;
use bordereau_contract::format_day_text;
use bordereau_desk::Desk;
use bordereau_desk::api::{
    FilledFormView, FormDeclination, FormHandle, FormList, FormUpload, FormsQuestion, FormsRequest, Nothing,
    UploadState,
};
use clap::{Args, Subcommand};
use serde_json::json;

use crate::environment::confirm_production;
use crate::exit::CommandExit;
use crate::file_target::{FileTarget, make_folder, read_data};
use crate::shared_arguments::{GlobalArgs, parse_state, transaction_type};
use crate::{document, open_desk, output};

#[derive(Debug, Subcommand)]
pub(crate) enum FormsCommand {
    /// List a state's requirements, its forms and their fields
    List(QuestionArguments),
    /// Fill a state's forms and save them as PDF
    Fill(FillArguments),
}

#[derive(Args, Debug)]
pub(crate) struct QuestionArguments {
    /// State of the risk, such as TX
    #[arg(long, value_name = "STATE", value_parser = parse_state)]
    state: String,
    /// Transaction type
    #[arg(long = "type", value_name = "TYPE", default_value = "PN", value_parser = transaction_type)]
    kind: String,
    /// Policy effective date, yyyy-mm-dd [default: today]
    #[arg(long, value_name = "DATE", default_value = "", hide_default_value = true)]
    effective: String,
}

#[derive(Args, Debug)]
pub(crate) struct FillArguments {
    /// State of the risk, such as TX
    #[arg(long, value_name = "STATE", value_parser = parse_state)]
    state: String,
    /// Values and declinations as JSON, as in section 5 of the contract; - reads standard input
    #[arg(long, value_name = "FILE")]
    data: PathBuf,
    /// Folder to save the forms in; created if missing
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Upload them to this transaction too
    #[arg(long, value_name = "ID")]
    upload: Option<String>,
    /// Fill on this computer, without the service
    #[arg(long)]
    offline: bool,
    /// Confirm the upload to a production profile
    #[arg(long, requires = "upload")]
    yes: bool,
}

pub(crate) async fn run_forms(place: &GlobalArgs, command: FormsCommand) -> Result<(), CommandExit> {
    let target = Arc::new(FileTarget::default());
    let desk = open_desk::open_desk_to_save(place, Arc::clone(&target))?;
    match command {
        FormsCommand::List(asked) => {
            let question = FormsQuestion {
                state: asked.state,
                transaction_type: asked.kind,
                policy_effective_date: asked.effective,
                ..FormsQuestion::default()
            };
            let offer = desk.form_list(question).await?;
            output::write_answer(place, &offer, || offer_text(&offer))
        }
        FormsCommand::Fill(asked) => {
            let (desk, view) = open_desk::on_profile(place, desk).await?;
            if asked.upload.is_some() {
                confirm_production(view.profile.environment, &view.profile.name, asked.yes, "the forms")?;
            }
            fill_forms(place, &desk, &target, asked).await
        }
    }
}

async fn fill_forms(
    place: &GlobalArgs,
    desk: &Desk,
    target: &FileTarget,
    asked: FillArguments,
) -> Result<(), CommandExit> {
    let request = forms_request(&asked)?;
    let filled = desk.form_fill(request).await?;
    make_folder(&asked.out)?;
    let mut saved = Vec::new();
    for form in &filled.forms {
        let path = asked.out.join(&form.file_name);
        target.point_at(&path);
        desk.form_save(FormHandle { handle: form.handle.clone() }).await?;
        saved.push(path);
    }
    let mut uploads = Vec::new();
    if let Some(id) = &asked.upload {
        desk.start_work();
        let mut ids = Vec::new();
        // --yes replaces the confirmation word.
        let typed = desk.confirmation_show(Nothing {}).await?.type_word;
        for form in &filled.forms {
            let upload =
                FormUpload { handle: form.handle.clone(), transaction_id: id.clone(), typed: typed.clone() };
            ids.push(desk.form_upload(upload).await?.id);
        }
        uploads = document::follow_uploads(desk, &ids, document::FollowUntil::ServiceFails).await?;
    }
    let forms: Vec<_> = filled.forms.iter().zip(&saved).map(|(form, path)| in_json(form, path)).collect();
    output::write_answer(place, &json!({ "note": filled.note, "forms": forms, "uploads": uploads }), || {
        let mut text = if filled.note.is_empty() { String::new() } else { format!("{}\n", filled.note) };
        text.extend(filled.forms.iter().zip(&saved).map(|(form, path)| form_text(form, path)));
        text.extend(uploads.iter().map(document::upload_line));
        text
    })?;
    match uploads.iter().filter(|upload| upload.state != UploadState::Sent).count() {
        0 => Ok(()),
        left => Err(CommandExit::with_failure(format!(
            "{left} forms were not uploaded; they are stored: `bordereau document queue --wait` sends them"
        ))),
    }
}

fn forms_request(asked: &FillArguments) -> Result<FormsRequest, CommandExit> {
    let shown = asked.data.display();
    let unreadable = |error| CommandExit::usage_error(format!("{shown} cannot be read: {error}"));
    let text = read_data(&asked.data)?;
    let data: DiligentRequest = serde_json::from_str(&text).map_err(unreadable)?;
    if let Some(form) = data.forms.first() {
        return Err(CommandExit::usage_error(format!(
            "{shown} names the form {form}: all forms of the state are filled"
        )));
    }
    let named = data.state.trim();
    if !named.is_empty() && !named.eq_ignore_ascii_case(&asked.state) {
        return Err(CommandExit::usage_error(format!(
            "{shown} is for {named}, and --state says {}",
            asked.state
        )));
    }
    if data.policy_effective_date.trim().is_empty() {
        return Err(CommandExit::usage_error(format!(
            "{shown} names no policy_effective_date: it decides which forms are in force; write it as 2026-02-23"
        )));
    }
    let kind = if data.transaction_type.is_empty() { "PN".to_owned() } else { data.transaction_type };
    Ok(FormsRequest {
        state: asked.state.clone(),
        transaction_type: kind,
        policy_effective_date: data.policy_effective_date,
        ecp: data.ecp == 1,
        export_list: data.export_list == 1,
        keys: Vec::new(),
        values: data.values,
        declinations: data.declinations.into_iter().map(FormDeclination::from).collect(),
        offline: asked.offline,
    })
}

fn in_json(form: &FilledFormView, path: &Path) -> serde_json::Value {
    let missing: Vec<&str> = form.missing.iter().map(|missing| missing.name.as_str()).collect();
    json!({
        "name": form.name, "code": form.code, "complete": form.complete, "missing_fields": missing,
        "by_service": form.service, "file": path.display().to_string(), "bytes": form.bytes,
    })
}

fn form_text(form: &FilledFormView, path: &Path) -> String {
    let by = if form.service { "by the service" } else { "on this computer" };
    let mut text = format!("{}  {} (filled {by})\n  {}\n", form.code, form.name, path.display());
    if !form.complete && form.missing.is_empty() {
        text.push_str(
            "  incomplete: the service does not call it complete, and names nothing that is missing\n",
        );
    }
    for missing in &form.missing {
        text.push_str(&format!("  missing: {} ({})\n", missing.label, missing.name));
    }
    text
}

fn offer_text(offer: &FormList) -> String {
    let status = offer.status.replace('_', " ");
    let since =
        offer.since.as_ref().map_or(String::new(), |since| format!(" since {}", format_day_text(since)));
    let mut text = format!("{} ({}): {status}{since}\n  {}\n", offer.state_name, offer.state, offer.text);
    text.push_str(&format!("  {}\n", offer.checked));
    text.extend(offer.sources.iter().map(|source| format!("  {}\n", source.url)));
    for form in &offer.forms {
        text.push_str(&format!("\n{}  {}\n  for: {}\n", form.code, form.title, form.prepares));
        for (label, said) in
            [("exempt", &form.exemptions), ("due", &form.due), ("number", &form.declinations_text)]
        {
            if !said.is_empty() {
                text.push_str(&format!("  {label}: {said}\n"));
            }
        }
        if let Some(asked) = form.declinations {
            text.push_str(&format!("  declinations: {asked}\n"));
        }
        for field in form.sections.iter().flat_map(|section| &section.fields) {
            let mark = if field.required { "*" } else { " " };
            text.push_str(&format!("  {mark} {:<24} {} [{}]\n", field.name, field.label, field.kind));
        }
    }
    text.extend(offer.refused.iter().map(|why| format!("\nnot usable: {why}\n")));
    text
}
