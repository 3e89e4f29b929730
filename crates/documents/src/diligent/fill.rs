//! Filling: by the service where it answers, otherwise here with the same templates; each form says which.

use std::collections::HashSet;

use bordereau_client::{ClientError, DownloadedDocument, FetchedForm, FetchedForms};
use bordereau_contract::{FilledForm, pluralize};
use bordereau_forms::{FormData, FormTemplate, PRACTICE_MARK};
use bordereau_pdf::FontSet;

use super::offer::missing_views;
use super::{MergedFormBook, own_pdf};
use crate::diligent::DiligentFiles;
use crate::diligent::offer::load_forms;
use bordereau_api::{
    BoundaryError, Environment, ErrorCode, FilledFormView, FilledForms, FormMissing, FormPage, FormsRequest,
    to_u32,
};
use bordereau_session::failure::from_client;
use bordereau_session::files;
use bordereau_session::printed_pages::page_views;
use bordereau_session::profile::active_profile;
use bordereau_session::profile::open_session;
use bordereau_session::reading_process::fill_own_pdf;
use bordereau_session::{Context, run_off_thread};
use bordereau_store::declining_carriers::remember_carriers;

/// Forms of one state that are filled at once.
const FORMS_MAX: usize = 20;

/// A form with its file, filled here or by the service.
struct FormResult {
    /// Key of the template; empty for a form only the service knows.
    key: String,
    name: String,
    code: String,
    missing: Vec<FormMissing>,
    complete: bool,
    pages: Vec<FormPage>,
    content: Vec<u8>,
    extension: String,
    /// From a template of one's own, which no service fills.
    own: bool,
    by_service: bool,
}

/// What the service filled, and why not all.
#[derive(Default)]
struct ServiceForms {
    forms: Vec<FetchedForm>,
    practice: bool,
    /// It answered with forms, or with an empty list of them.
    has_answered: bool,
    notes: Vec<String>,
}

/// Fills the forms wanted, complete or in part, and remembers the carriers.
///
/// # Errors
/// [`ErrorCode::Validation`] names what cannot be read; [`ErrorCode::NotFound`] where the state has no form
/// for it; [`ErrorCode::Rejected`] where the service names fields.
pub async fn form_fill(ctx: &Context, request: FormsRequest) -> Result<FilledForms, BoundaryError> {
    let data = super::request::form_data(&request)?;
    let book = load_forms(ctx).await?;
    let wanted: Vec<FormTemplate> =
        book.wanted_templates(&data, &request.keys)?.into_iter().take(FORMS_MAX).cloned().collect();
    if wanted.is_empty() {
        let text = book.forms.requirement_of(data.state).map_or("", |requirement| requirement.text.as_str());
        let state = data.state.title();
        let message = format!("There is no form of {state} for this transaction and date. {text}");
        return Err(BoundaryError::with_code(ErrorCode::NotFound, message));
    }
    let built_in = |template: &&FormTemplate| !book.is_own(template);
    let codes: Vec<String> = wanted.iter().filter(built_in).map(|template| template.code.clone()).collect();
    let mut served = if request.offline || codes.is_empty() {
        ServiceForms::default()
    } else {
        fill_by_service(ctx, &request, codes).await?
    };
    let mark = if served.practice { PRACTICE_MARK } else { "" };
    let filled_here = laid_out(ctx, data, book, wanted, mark).await?;
    save_carriers(ctx, &request).await;
    let joined = join_forms(filled_here, &mut served);
    Ok(FilledForms { note: served.notes.join(" "), forms: keep_forms(ctx, joined, &request) })
}

/// Has the service fill them; where it cannot be asked, says why.
async fn fill_by_service(
    ctx: &Context,
    request: &FormsRequest,
    codes: Vec<String>,
) -> Result<ServiceForms, BoundaryError> {
    let profile = active_profile(ctx).await?;
    let practice = profile.environment == Environment::Practice;
    let nothing = |why: &str| {
        let note = format!("Filled on this computer, because the service did not fill them: {why}");
        Ok(ServiceForms { notes: vec![note], ..ServiceForms::default() })
    };
    let session = match open_session(ctx, &profile).await {
        Ok(session) => session,
        Err(error) => return nothing(&error.message),
    };
    let asked = session.client.fill_forms(&super::request::wire_request(request, codes)).await;
    ctx.sessions().note_call(&profile.id, asked.as_ref().err(), 0);
    match asked {
        Ok(FetchedForms { forms, unread }) => {
            let note = format!("{} of the service's answer could not be read.", pluralize(unread, "form"));
            let notes = if unread > 0 { vec![note] } else { Vec::new() };
            Ok(ServiceForms { forms, practice, has_answered: true, notes })
        }
        // Filling them here would hide why the service does not.
        Err(error) if is_refusal(&error) => Err(from_client(error)),
        Err(error) => nothing(&from_client(error).message),
    }
}

/// Whether the service says no to what was asked, and not that it has no such endpoint.
fn is_refusal(error: &ClientError) -> bool {
    match error {
        ClientError::Rejected { status, .. } => !matches!(status, 404 | 405 | 408 | 410 | 425),
        ClientError::NotPermitted { .. } => true,
        _ => false,
    }
}

/// Every form wanted, laid out here: what the service did not fill, and the pages for the window.
async fn laid_out(
    ctx: &Context,
    data: FormData,
    book: MergedFormBook,
    wanted: Vec<FormTemplate>,
    mark: &'static str,
) -> Result<Vec<FormResult>, BoundaryError> {
    let folder = DiligentFiles::from_context(ctx).templates_folder();
    let make = move || -> Result<Vec<FormResult>, String> {
        let fonts = FontSet::embedded().ok_or("the typeface cannot be read")?;
        let made = |template: &FormTemplate| -> Result<FormResult, String> {
            let agency = own_pdf(&folder, template)?;
            let filled = template.fill_form_with(&data, mark, agency.as_deref(), fill_own_pdf);
            let filled = filled.map_err(|error| error.to_string())?;
            Ok(FormResult {
                key: template.key.clone(),
                name: template.title.clone(),
                code: template.code.clone(),
                complete: filled.missing.is_empty(),
                missing: missing_views(filled.missing),
                pages: filled.paper.map(|paper| page_views(&fonts, &paper)).unwrap_or_default(),
                content: filled.pdf,
                extension: "pdf".into(),
                own: book.is_own(template),
                by_service: false,
            })
        };
        wanted.iter().map(made).collect()
    };
    run_off_thread("filling a form", make).await?.map_err(|why| {
        BoundaryError::with_code(ErrorCode::Storage, format!("The form can't be filled: {why}."))
    })
}

/// Each form of the service in the place of the one filled here with its code, and those that only the service has.
fn join_forms(filled_here: Vec<FormResult>, served: &mut ServiceForms) -> Vec<FormResult> {
    let mut left = std::mem::take(&mut served.forms);
    let mut joined = Vec::with_capacity(filled_here.len() + left.len());
    let mut absent = Vec::new();
    for here in filled_here {
        let is_it = |fetched: &FetchedForm| {
            !here.own && fetched.form.code.trim().eq_ignore_ascii_case(here.code.trim())
        };
        let FetchedForm { form, file } = match left.iter().position(is_it) {
            Some(at) => left.remove(at),
            None => {
                if served.has_answered && !here.own {
                    absent.push(form_words(&here.code, &here.name));
                }
                joined.push(here);
                continue;
            }
        };
        joined.push(match file {
            Ok(file) => of_service(form, file, Some(here), served.practice),
            Err(error) => {
                let why = from_client(error).message;
                let form = form_words(&here.code, &here.name);
                let note = format!(
                    "{form} was filled on this computer, because the service's file of it did not come: {why}"
                );
                served.notes.push(note);
                here
            }
        });
    }
    if !absent.is_empty() {
        let absent = absent.join(", ");
        served
            .notes
            .push(format!("Filled on this computer, because the service gave no such form: {absent}."));
    }
    for FetchedForm { form, file } in left {
        match file {
            Ok(file) => joined.push(of_service(form, file, None, served.practice)),
            Err(error) => {
                let why = from_client(error).message;
                let form = form_words(&form.code, &form.name);
                served
                    .notes
                    .push(format!("{form} of the service is missing, because its file did not come: {why}"));
            }
        }
    }
    joined
}

fn form_words(code: &str, name: &str) -> String {
    let words = [code.trim(), name.trim()].into_iter().filter(|word| !word.is_empty());
    Some(words.collect::<Vec<_>>().join(" "))
        .filter(|words| !words.is_empty())
        .unwrap_or_else(|| "A form".into())
}

/// A form as the service filled it; `here` is the same filled here.
fn of_service(
    form: FilledForm,
    file: DownloadedDocument,
    here: Option<FormResult>,
    practice: bool,
) -> FormResult {
    let ours = here.as_ref().map_or(&[][..], |here| here.missing.as_slice());
    let missing = name_missing(&form.missing_fields, ours);
    let is_pdf = file.bytes.starts_with(b"%PDF");
    let extension =
        files::file_extension(&file.file_name).filter(|_| !is_pdf).unwrap_or_else(|| "pdf".into());
    let stem = file.file_name.rsplit_once('.').map_or(file.file_name.as_str(), |(stem, _)| stem);
    let own_name = [form.name.trim(), form.code.trim(), stem.trim()];
    let own_name = own_name.into_iter().find(|name| !name.is_empty()).unwrap_or("Form").to_owned();
    let (key, name, code, pages) = match here {
        Some(here) => {
            (here.key, if form.name.trim().is_empty() { here.name } else { own_name }, here.code, here.pages)
        }
        None => {
            let code = Some(form.code.trim()).filter(|code| !code.is_empty()).unwrap_or("MISC");
            (String::new(), own_name, code.to_owned(), Vec::new())
        }
    };
    FormResult {
        key,
        name,
        code,
        // What names something missing is not complete, whatever else it says.
        complete: form.complete && missing.is_empty(),
        missing,
        // Another service has pages of its own: ours would not show what is in its file.
        pages: if practice { pages } else { Vec::new() },
        content: file.bytes,
        extension,
        own: false,
        by_service: true,
    }
}

/// Keeps the files until they are saved or uploaded, each under a name of its own.
fn keep_forms(ctx: &Context, forms: Vec<FormResult>, request: &FormsRequest) -> Vec<FilledFormView> {
    let mut names = HashSet::new();
    let keep = |form: FormResult| {
        let bytes = to_u32(form.content.len());
        let file_name = free_name(&file_stem(request, &form), &form.extension, &mut names);
        let files = DiligentFiles::from_context(ctx);
        let kept = files.keep_file(&form.name, &form.code, file_name, form.content, form.by_service);
        FilledFormView {
            handle: kept.handle.clone(),
            key: form.key,
            name: form.name,
            code: form.code,
            service: form.by_service,
            complete: form.complete,
            missing: form.missing,
            file_name: kept.file_name.clone(),
            bytes,
            pages: form.pages,
        }
    };
    forms.into_iter().map(keep).collect()
}

/// A form that is filled is not withheld because the carriers cannot be written down.
async fn save_carriers(ctx: &Context, request: &FormsRequest) {
    let declinations = request.declinations.clone();
    if let Err(error) = ctx.store().with_connection(move |db| remember_carriers(db, &declinations)).await {
        tracing::warn!(%error, "declining carriers not kept");
    }
}

/// The service's names with our words where we have them.
fn name_missing(names: &[String], ours: &[FormMissing]) -> Vec<FormMissing> {
    let word = |name: &String| {
        let known = ours.iter().find(|missing| missing.name == *name);
        known.cloned().unwrap_or_else(|| FormMissing { name: name.clone(), label: name.replace('_', " ") })
    };
    names.iter().take(500).map(word).collect()
}

fn file_stem(request: &FormsRequest, form: &FormResult) -> String {
    let insured = request.values.get("insured_name").map_or("", |name| name.trim());
    let short: String = insured.chars().take(40).collect();
    let parts = [request.state.trim(), &form.code, &form.name, &short];
    let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    files::safe_name(&parts.join(" "), "Form")
}

/// The name, with a number behind it where another form of this answer has it.
fn free_name(stem: &str, extension: &str, names: &mut HashSet<String>) -> String {
    let numbered = (2..).map(|number| format!("{stem} ({number}).{extension}"));
    let mut free = std::iter::once(format!("{stem}.{extension}")).chain(numbered);
    free.find(|name| names.insert(name.to_lowercase())).unwrap_or_default()
}
