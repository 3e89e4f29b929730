//! A quote as a print-ready PDF: US Letter, text that can be copied, fonts embedded.

mod agency;
mod email;
pub(crate) mod sheet;
mod template;
mod template_list;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bordereau_pdf::{FontSet, PageImage, render_pdf};

use bordereau_api::{
    AnsweredBy, BoundaryError, Environment, FieldError, FileOutcome, FormPage, Nothing, QuoteAnswer,
    QuotePdfRequest, QuoteRequest, QuoteSheet, SheetTemplate,
};
use bordereau_contract::{format_timestamp, parse_instant};
use bordereau_session::files;
use bordereau_session::ports::FileFilter;
use bordereau_session::printed_pages::page_views;
use bordereau_session::reference::reference_data;
use bordereau_session::settings::settings_load;
use bordereau_session::{Context, run_off_thread};
use bordereau_store::profiles::list_profiles;

use crate::installments::plan_payments;

pub use agency::{agency_logo_choose, sheet_template_show};
pub use email::quote_email;
pub use template_list::{sheet_template_delete, sheet_template_list, sheet_template_save};

const TEXT_MAX: usize = 200;
const ADDRESS_MAX: usize = 400;
const SUBJECT_TO_MAX: usize = 4_000;

/// What the printed sheet says beside question and answer.
#[derive(Clone, Debug)]
pub struct PdfContext {
    /// Name of the agency, or empty.
    pub agency: String,
    /// Its address, lines; or empty.
    pub agency_address: String,
    /// Its license number, or empty.
    pub agency_license: String,
    /// Its logo.
    pub logo: Option<PageImage>,
    /// What is on the sheet, and in which order.
    pub template: SheetTemplate,
    /// Environment that answered, marked on the sheet; `None` for an offline estimate.
    pub environment: Option<Environment>,
    /// When it was answered, on the person's clock.
    pub answered: String,
    /// When it is printed, on the same.
    pub printed: String,
    /// Names of the lines of business by code; a code without a name is printed alone.
    pub line_names: Vec<(String, String)>,
}

impl Default for PdfContext {
    /// An agency that has set up nothing.
    fn default() -> PdfContext {
        PdfContext {
            agency: String::new(),
            agency_address: String::new(),
            agency_license: String::new(),
            logo: None,
            template: template::built_in_template(),
            environment: None,
            answered: String::new(),
            printed: String::new(),
            line_names: Vec::new(),
        }
    }
}

/// The sheet as bytes of a PDF, US Letter.
pub fn quote_pdf_bytes(
    request: &QuoteRequest,
    answer: &QuoteAnswer,
    context: &PdfContext,
) -> Result<Vec<u8>, BoundaryError> {
    let laid_out = || {
        let fonts = FontSet::embedded()?;
        let paper = sheet::lay_out(&fonts, request, answer, context);
        render_pdf(&fonts, &paper, &document_title(answer))
    };
    laid_out().ok_or_else(|| BoundaryError::internal_error("making the PDF"))
}

fn document_title(answer: &QuoteAnswer) -> String {
    format!("Surplus lines tax quote, {}", answer.state_name)
}

/// Makes the sheet and asks where to save it.
pub async fn quote_pdf(ctx: &Context, request: QuotePdfRequest) -> Result<FileOutcome, BoundaryError> {
    let name = suggested_name(&request.request, &request.answer);
    let bytes = sheet_bytes(ctx, request).await?;
    files::save_through(ctx.ports(), name, pdf_filter(), bytes).await
}

/// The pages of the sheet, as the window shows and prints them.
///
/// # Errors
/// [`bordereau_api::ErrorCode::Storage`].
pub async fn quote_sheet_show(ctx: &Context, request: QuotePdfRequest) -> Result<QuoteSheet, BoundaryError> {
    let context = checked_context(ctx, &request).await?;
    Ok(QuoteSheet { pages: lay_out_pages(request, context).await? })
}

async fn lay_out_pages(
    request: QuotePdfRequest,
    context: PdfContext,
) -> Result<Vec<FormPage>, BoundaryError> {
    let lay_out = move || {
        let fonts = FontSet::embedded()?;
        let paper = sheet::lay_out(&fonts, &request.request, &request.answer, &context);
        Some(page_views(&fonts, &paper))
    };
    let what = "laying out the sheet";
    run_off_thread(what, lay_out).await?.ok_or_else(|| BoundaryError::internal_error(what))
}

async fn sheet_bytes(ctx: &Context, request: QuotePdfRequest) -> Result<Vec<u8>, BoundaryError> {
    let context = checked_context(ctx, &request).await?;
    let make = move || quote_pdf_bytes(&request.request, &request.answer, &context);
    run_off_thread("making the PDF", make).await?
}

fn pdf_filter() -> FileFilter {
    FileFilter { name: "PDF document".into(), extensions: vec!["pdf".into()] }
}

async fn checked_context(ctx: &Context, request: &QuotePdfRequest) -> Result<PdfContext, BoundaryError> {
    check_text_lengths(&request.request)?;
    plan_payments(&request.request, &request.answer).map_err(BoundaryError::invalid_fields)?;
    let template = template_list::find_template(ctx, &request.request.sheet.template).await?;
    Ok(PdfContext { template, ..pdf_context(ctx, &request.answer).await? })
}

/// Every text of the sheet has a bound: it is printed, and part of it is the address that opens the mail program.
fn check_text_lengths(request: &QuoteRequest) -> Result<(), BoundaryError> {
    let sheet = &request.sheet;
    let texts = [
        ("/insured", &request.insured, TEXT_MAX),
        ("/sheet/insured_address", &sheet.insured_address, ADDRESS_MAX),
        ("/sheet/carrier", &sheet.carrier, TEXT_MAX),
        ("/sheet/quote_number", &sheet.quote_number, TEXT_MAX),
        ("/sheet/policy_expires", &sheet.policy_expires, TEXT_MAX),
        ("/sheet/valid_until", &sheet.valid_until, TEXT_MAX),
        ("/sheet/subject_to", &sheet.subject_to, SUBJECT_TO_MAX),
        ("/sheet/minimum_earned", &sheet.minimum_earned, TEXT_MAX),
        ("/sheet/installments", &sheet.installments, TEXT_MAX),
        ("/sheet/down_payment", &sheet.down_payment, TEXT_MAX),
        ("/sheet/installment_fee", &sheet.installment_fee, TEXT_MAX),
        ("/sheet/first_installment", &sheet.first_installment, TEXT_MAX),
        ("/sheet/template", &sheet.template, TEXT_MAX),
    ];
    let fault = |(pointer, text, most): &(&str, &String, usize)| {
        let message = format!("This is longer than {most} characters. Shorten it.");
        (text.chars().count() > *most).then(|| FieldError::at_pointer(*pointer, message))
    };
    let faults: Vec<FieldError> = texts.iter().filter_map(fault).collect();
    if faults.is_empty() { Ok(()) } else { Err(BoundaryError::invalid_fields(faults)) }
}

/// Agency, environment and time for the sheet of an answer, with the built-in template.
pub async fn pdf_context(ctx: &Context, answer: &QuoteAnswer) -> Result<PdfContext, BoundaryError> {
    let settings = settings_load(ctx, Nothing {}).await?;
    let logo = STANDARD.decode(&settings.agency_logo).ok().and_then(|bytes| PageImage::read(&bytes));
    let environment = match answer.by {
        AnsweredBy::Estimate => None,
        AnsweredBy::Service => Some(environment_of(ctx, &answer.profile).await?),
    };
    let clock = &ctx.ports().clock;
    let printed = format_timestamp(&clock.local(clock.now()));
    let answered =
        parse_instant(&answer.at).map_or_else(|| answer.at.clone(), |at| format_timestamp(&clock.local(at)));
    let lines = reference_data(ctx, Nothing {}).await?.lines;
    let line_names = lines.into_iter().map(|line| (line.code, line.name)).collect();
    Ok(PdfContext {
        agency: settings.agency,
        agency_address: settings.agency_address,
        agency_license: settings.agency_license,
        logo,
        environment,
        answered,
        printed,
        line_names,
        ..PdfContext::default()
    })
}

/// The environment of the profile that answered. A profile that is gone is taken for practice: better
/// a real sheet marked as not for filing than the other way round.
async fn environment_of(ctx: &Context, profile: &str) -> Result<Environment, BoundaryError> {
    let own = ctx.store().with_connection(|db| list_profiles(db)).await?;
    let named = own.iter().find(|own| own.name == profile);
    Ok(named.map_or(Environment::Practice, |profile| profile.environment))
}

fn suggested_name(request: &QuoteRequest, answer: &QuoteAnswer) -> String {
    let parts = ["Quote", &answer.state, &request.insured, &request.policy_effective];
    let parts: Vec<&str> = parts.into_iter().map(str::trim).filter(|part| !part.is_empty()).collect();
    format!("{}.pdf", files::safe_name(&parts.join(" ").replace('/', "-"), "Quote"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_suggested_name_has_no_folder_in_it() {
        let request = QuoteRequest {
            insured: "A/B \\ Co: \"x\"".into(),
            policy_effective: "02/23/2026".into(),
            ..QuoteRequest::default()
        };
        let name = suggested_name(&request, &sheet::tests::answer(1));
        assert_eq!(name, "Quote TX A-B Co x 02-23-2026.pdf");
    }

    #[test]
    fn a_long_quote_flows_over_numbered_pages() {
        let request = QuoteRequest { insured: "Example LLC".into(), ..QuoteRequest::default() };
        for (charges, pages) in [(1, 1), (80, 2)] {
            let bytes =
                quote_pdf_bytes(&request, &sheet::tests::answer(charges), &PdfContext::default()).unwrap();
            assert!(bytes.starts_with(b"%PDF-"));
            let text = String::from_utf8_lossy(&bytes);
            let found = text.matches("/Type/Page/").count();
            assert_eq!(found, pages, "{charges} charges");
        }
    }
}
