//! What the agency sets up for its sheets: the logo, and how a template looks.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bordereau_api::{
    BoundaryError, Nothing, QuoteLine, QuotePdfRequest, QuoteRequest, Settings, SheetDetails, SheetTemplate,
    SheetTemplateDraft, SheetTemplateView,
};
use bordereau_pdf::{IMAGE_BYTES_MAX, PageImage};
use bordereau_session::ports::FileFilter;
use bordereau_session::run_off_thread;
use bordereau_session::settings::{settings_load, settings_save};
use bordereau_session::{Context, files};

use super::template::{excluded_sections, read_template, write_template};
use super::{PdfContext, lay_out_pages, pdf_context};
use crate::ask_service::quote_estimate;

/// Asks for the logo's file and keeps the logo.
///
/// # Errors
/// [`bordereau_api::ErrorCode::Validation`] for what is no PNG or JPEG, or too large.
pub async fn agency_logo_choose(ctx: &Context, _request: Nothing) -> Result<Settings, BoundaryError> {
    let settings = settings_load(ctx, Nothing {}).await?;
    let extensions = ["png", "jpg", "jpeg"].map(str::to_owned).to_vec();
    let filter = FileFilter { name: "PNG or JPEG picture".into(), extensions };
    let Some(path) = ctx.ports().dialogs.open("Logo of the agency".into(), filter).await else {
        return Ok(settings);
    };
    let read = move || files::read_chosen(&path, IMAGE_BYTES_MAX as u64);
    let bytes = run_off_thread("reading the logo", read).await?;
    let logo = bytes.ok().filter(|bytes| PageImage::read(bytes).is_some()).ok_or_else(|| {
        let message =
            "This isn't a PNG or JPEG of at most 128 KB and 2,000 pixels a side. Choose another file.";
        BoundaryError::invalid_field("/agency_logo", message)
    })?;
    settings_save(ctx, Settings { agency_logo: STANDARD.encode(logo), ..settings }).await
}

/// A template in both its forms, and the sheet of a made-up quote with it. Nothing is stored.
///
/// # Errors
/// [`bordereau_api::ErrorCode::Validation`] says where it is wrong.
pub async fn sheet_template_show(
    ctx: &Context,
    request: SheetTemplateDraft,
) -> Result<SheetTemplateView, BoundaryError> {
    let (text, template) = read_draft(request)?;
    let request = example_request();
    let pages = match quote_estimate(ctx, request.clone()).await {
        Ok(answer) => {
            let context = PdfContext { template: template.clone(), ..pdf_context(ctx, &answer).await? };
            lay_out_pages(QuotePdfRequest { request, answer }, context).await?
        }
        Err(_) => Vec::new(),
    };
    Ok(SheetTemplateView { left_out: excluded_sections(&template), text, template, pages })
}

pub(super) fn read_draft(draft: SheetTemplateDraft) -> Result<(String, SheetTemplate), BoundaryError> {
    let text = draft.template.as_ref().map_or_else(|| draft.text.trim().to_owned(), write_template);
    let template = read_template(&text).map_err(|why| BoundaryError::invalid_field("/text", why))?;
    Ok((text, template))
}

/// A quote of nobody that has something to say in every section.
fn example_request() -> QuoteRequest {
    let line = QuoteLine { code: "GEN-1002".into(), premium: "10000".into() };
    let sheet = SheetDetails {
        insured_address: "123 Main Street\nAustin, TX 78701".into(),
        carrier: "Example Specialty Insurance Company".into(),
        quote_number: "Q-1001".into(),
        subject_to: "Signed application\nLoss runs of the last five years".into(),
        minimum_earned: "25%".into(),
        installments: "3".into(),
        down_payment: "25%".into(),
        ..SheetDetails::default()
    };
    QuoteRequest {
        state: "TX".into(),
        transaction_type: "PN".into(),
        lines: vec![line],
        agency_fee: "150".into(),
        insured: "Example LLC".into(),
        sheet,
        ..QuoteRequest::default()
    }
}
