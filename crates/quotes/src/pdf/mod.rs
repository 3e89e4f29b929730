//! A quote as a print-ready PDF: US Letter, text that can be copied, fonts embedded.

mod sheet;

use bordereau_pdf::{FontSet, render_pdf};

use bordereau_api::{
    AnsweredBy, BoundaryError, Environment, FileOutcome, Nothing, QuoteAnswer, QuotePdfRequest, QuoteRequest,
};
use bordereau_contract::{format_timestamp, parse_instant};
use bordereau_session::Context;
use bordereau_session::files;
use bordereau_session::ports::FileFilter;
use bordereau_session::reference::reference_data;
use bordereau_session::settings::settings_load;
use bordereau_store::profiles::list_profiles;

/// What the printed sheet says beside question and answer.
#[derive(Clone, Debug, Default)]
pub struct PdfContext {
    /// Name of the agency, or empty.
    pub agency: String,
    /// Environment that answered, marked on the sheet; `None` for an offline estimate.
    pub environment: Option<Environment>,
    /// When it was answered, on the person's clock.
    pub answered: String,
    /// When it is printed, on the same.
    pub printed: String,
    /// Names of the lines of business by code; a code without a name is printed alone.
    pub line_names: Vec<(String, String)>,
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
    let context = pdf_context(ctx, &request.answer).await?;
    let name = suggested_name(&request.request, &request.answer);
    let bytes =
        tokio::task::spawn_blocking(move || quote_pdf_bytes(&request.request, &request.answer, &context))
            .await
            .map_err(|_| BoundaryError::internal_error("making the PDF"))??;
    let filter = FileFilter { name: "PDF document".into(), extensions: vec!["pdf".into()] };
    files::save_through(ctx.ports(), name, filter, bytes).await
}

/// Agency, environment and time for the sheet of an answer.
pub async fn pdf_context(ctx: &Context, answer: &QuoteAnswer) -> Result<PdfContext, BoundaryError> {
    let agency = settings_load(ctx, Nothing {}).await?.agency;
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
    Ok(PdfContext { agency, environment, answered, printed, line_names })
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
        for (charges, pages) in [(1, 1), (80, 4)] {
            let bytes =
                quote_pdf_bytes(&request, &sheet::tests::answer(charges), &PdfContext::default()).unwrap();
            assert!(bytes.starts_with(b"%PDF-"));
            let text = String::from_utf8_lossy(&bytes);
            let found = text.matches("/Type/Page/").count();
            assert_eq!(found, pages, "{charges} charges");
        }
    }
}
