//! Templates of state documents. Their addresses are valid for one minute and one request: the question
//! is asked again when the person wants one, and no address is ever stored.

use super::{CalculatorQuestion, from_rules, html};
use crate::ask_service::fetch_response;
use bordereau_api::{BoundaryError, DocumentDownload, ErrorCode, FileOutcome};
use bordereau_contract::DOCUMENT_BYTES_MAX;
use bordereau_session::Context;
use bordereau_session::files;
use bordereau_session::ports::FileFilter;
use bordereau_session::profile::active_profile;
use bordereau_session::profile::open_session;

/// Fetches a template and asks where to save it.
///
/// # Errors
/// [`ErrorCode::NotFound`] when the service no longer offers it; those of asking and of writing.
pub async fn form_template_download(
    ctx: &Context,
    request: DocumentDownload,
) -> Result<FileOutcome, BoundaryError> {
    let profile = active_profile(ctx).await?;
    let asked = CalculatorQuestion::read_now(ctx, &request.request, &profile)?;
    let session = open_session(ctx, &profile).await?;
    let (response, _) = fetch_response(ctx, &asked, &session).await?;
    let offered = &response.tax_rule.state_documents;
    let keys = from_rules::document_views(offered.iter(), None, true);
    let document = keys.iter().zip(offered).find(|(view, _)| view.key == request.key).map(|(_, found)| found);
    let document = document.ok_or_else(|| BoundaryError::not_found("document"))?;
    let link =
        document.document_download_link.as_deref().filter(|link| !link.is_empty()).ok_or_else(|| {
            BoundaryError::with_code(
                ErrorCode::NotFound,
                format!(
                    "The service offers no template of \"{}\". Ask the state or your stamping office for it.",
                    document.name
                ),
            )
        })?;
    // The address dies while a dialog is open: fetch first, ask where to put it then.
    let download = session
        .client
        .download_document(link, DOCUMENT_BYTES_MAX as u64)
        .await
        .map_err(bordereau_session::failure::from_client)?;
    // Its address says little: "a5.pdf" may be any form.
    let extension = files::file_extension(&download.file_name).unwrap_or_else(|| "pdf".into());
    let name = files::safe_name(&html::plain_text(&document.name), &document.code);
    let name = match name.as_str() {
        "" => files::safe_name(&download.file_name, "document.pdf"),
        name => format!("{name}.{extension}"),
    };
    let filter = FileFilter {
        name: "Document".into(),
        extensions: files::file_extension(&name).into_iter().collect(),
    };
    files::save_download(ctx.ports(), name, filter, download.bytes).await
}
