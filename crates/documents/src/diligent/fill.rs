//! Filling: by the service where it answers, otherwise here with the same templates; each form says which.

use bordereau_client::{ClientError, FetchedForm};
use bordereau_forms::{FormData, FormTemplate, PRACTICE_MARK};
use bordereau_pdf::FontSet;

use super::offer::missing_views;
use super::{MergedFormBook, own_pdf};
use crate::diligent::DiligentFiles;
use crate::diligent::offer::load_forms;
use bordereau_api::{
    BoundaryError, Environment, ErrorCode, FilledFormView, FilledForms, FormMissing, FormPage, FormsRequest,
};
use bordereau_session::Context;
use bordereau_session::failure::from_client;
use bordereau_session::files;
use bordereau_session::printed_pages::page_views;
use bordereau_session::profile::active_profile;
use bordereau_session::profile::open_session;
use bordereau_session::reading_process::fill_own_pdf;
use bordereau_store::declining_carriers::remember_carriers;

/// Forms of one state that are filled at once.
const FORMS_MAX: usize = 20;

/// A form filled here.
struct LocalForm {
    key: String,
    name: String,
    code: String,
    missing: Vec<FormMissing>,
    pages: Vec<FormPage>,
    pdf: Vec<u8>,
    own: bool,
}

/// What the service filled, and why not all.
struct ServiceForms {
    forms: Vec<FetchedForm>,
    practice: bool,
    note: String,
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
    let served = if request.offline || codes.is_empty() {
        ServiceForms { forms: Vec::new(), practice: false, note: String::new() }
    } else {
        fill_by_service(ctx, &request, codes).await?
    };
    let mark = if served.practice { PRACTICE_MARK } else { "" };
    let made = laid_out(ctx, data, book, wanted, mark).await?;
    save_carriers(ctx, &request).await;
    let forms = made.into_iter().map(|made| join_forms(ctx, made, &served, &request)).collect();
    Ok(FilledForms { note: served.note, forms })
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
        Ok(ServiceForms { forms: Vec::new(), practice: false, note })
    };
    let session = match open_session(ctx, &profile).await {
        Ok(session) => session,
        Err(error) => return nothing(&error.message),
    };
    let asked = session.client.fill_forms(&super::request::wire_request(request, codes)).await;
    ctx.sessions().note_call(&profile.id, asked.as_ref().err(), 0);
    match asked {
        Ok((_, forms)) => Ok(ServiceForms { forms, practice, note: String::new() }),
        // The fields are at fault: filling them here would hide what the service found.
        Err(error @ ClientError::Rejected { status: 422, .. }) => Err(from_client(error)),
        Err(error) => nothing(&from_client(error).message),
    }
}

/// Every form wanted, laid out here: what the service did not fill, and the pages for the window.
async fn laid_out(
    ctx: &Context,
    data: FormData,
    book: MergedFormBook,
    wanted: Vec<FormTemplate>,
    mark: &'static str,
) -> Result<Vec<LocalForm>, BoundaryError> {
    let folder = DiligentFiles::from_context(ctx).templates_folder();
    let make = move || -> Result<Vec<LocalForm>, String> {
        let fonts = FontSet::embedded().ok_or("the typeface cannot be read")?;
        let made = |template: &FormTemplate| -> Result<LocalForm, String> {
            let agency = own_pdf(&folder, template)?;
            let filled = template.fill_form_with(&data, mark, agency.as_deref(), fill_own_pdf);
            let filled = filled.map_err(|error| error.to_string())?;
            Ok(LocalForm {
                key: template.key.clone(),
                name: template.title.clone(),
                code: template.code.clone(),
                missing: missing_views(filled.missing),
                pages: filled.paper.map(|paper| page_views(&fonts, &paper)).unwrap_or_default(),
                pdf: filled.pdf,
                own: book.is_own(template),
            })
        };
        wanted.iter().map(made).collect()
    };
    let made = tokio::task::spawn_blocking(make).await;
    made.map_err(|_| BoundaryError::internal_error("filling a form"))?.map_err(|why| {
        BoundaryError::with_code(ErrorCode::Storage, format!("The form cannot be filled: {why}."))
    })
}

/// The service's file instead of the one filled here, where there is one.
fn join_forms(
    ctx: &Context,
    made: LocalForm,
    served: &ServiceForms,
    request: &FormsRequest,
) -> FilledFormView {
    let by_service = served.forms.iter().find(|fetched| !made.own && fetched.form.code == made.code);
    let file_name = file_name(request, &made);
    let (bytes, mut pages, mut missing) = (made.pdf, made.pages, made.missing);
    let mut complete = missing.is_empty();
    let content = match by_service {
        Some(fetched) => {
            complete = fetched.form.complete;
            missing = name_missing(&fetched.form.missing_fields, &missing);
            if !served.practice {
                // Another service has pages of its own: ours would not show what is in its file.
                pages = Vec::new();
            }
            fetched.file.bytes.clone()
        }
        None => bytes,
    };
    let length = u32::try_from(content.len()).unwrap_or(u32::MAX);
    let kept = DiligentFiles::from_context(ctx).keep_file(
        &made.name,
        &made.code,
        file_name,
        content,
        by_service.is_some(),
    );
    FilledFormView {
        handle: kept.handle.clone(),
        key: made.key,
        name: made.name,
        code: made.code,
        service: by_service.is_some(),
        complete,
        missing,
        file_name: kept.file_name.clone(),
        bytes: length,
        pages,
    }
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

fn file_name(request: &FormsRequest, made: &LocalForm) -> String {
    let insured = request.values.get("insured_name").map_or("", |name| name.trim());
    let short: String = insured.chars().take(40).collect();
    let parts = [request.state.trim(), &made.code, &made.name, &short];
    let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    format!("{}.pdf", files::safe_name(&parts.join(" "), "Form"))
}
