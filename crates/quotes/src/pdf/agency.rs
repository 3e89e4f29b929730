//! What the agency sets up for its sheets: logo and template.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bordereau_api::{BoundaryError, FieldError, Nothing, Settings, SheetTemplateText};
use bordereau_pdf::{IMAGE_BYTES_MAX, PageImage};
use bordereau_session::ports::FileFilter;
use bordereau_session::settings::{settings_load, settings_save};
use bordereau_session::{Context, files};
use bordereau_store::ValueName;

use super::template::{BUILT_IN, SheetTemplate};

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
    let bytes = tokio::task::spawn_blocking(read).await;
    let bytes = bytes.map_err(|_| BoundaryError::internal_error("reading the logo"))?;
    let logo = bytes.ok().filter(|bytes| PageImage::read(bytes).is_some()).ok_or_else(|| {
        let message =
            "This isn't a PNG or JPEG of at most 128 KB and 2,000 pixels a side. Choose another file.";
        BoundaryError::invalid_fields(vec![FieldError::at_pointer("/agency_logo", message)])
    })?;
    settings_save(ctx, Settings { agency_logo: STANDARD.encode(logo), ..settings }).await
}

/// The template in use.
///
/// # Errors
/// [`bordereau_api::ErrorCode::Storage`].
pub async fn sheet_template_load(
    ctx: &Context,
    _request: Nothing,
) -> Result<SheetTemplateText, BoundaryError> {
    let own = ctx.store().load_value::<String>(ValueName::SheetTemplate).await?;
    let own = own.map(|(text, _)| text).filter(|text| !text.is_empty());
    Ok(SheetTemplateText { built_in: own.is_none(), text: own.unwrap_or_else(|| BUILT_IN.to_owned()) })
}

/// Keeps a template; an empty one brings the built-in one back.
///
/// # Errors
/// [`bordereau_api::ErrorCode::Validation`] says where it is wrong.
pub async fn sheet_template_save(
    ctx: &Context,
    request: SheetTemplateText,
) -> Result<SheetTemplateText, BoundaryError> {
    let text = request.text.trim().to_owned();
    if !text.is_empty() {
        SheetTemplate::read(&text)
            .map_err(|why| BoundaryError::invalid_fields(vec![FieldError::at_pointer("/text", why)]))?;
    }
    ctx.store().save_value(ValueName::SheetTemplate, &text, ctx.now_text()).await?;
    sheet_template_load(ctx, Nothing {}).await
}

/// The template for a sheet; one that can no longer be read is not used.
pub(super) async fn load_template(ctx: &Context) -> Result<SheetTemplate, BoundaryError> {
    let text = sheet_template_load(ctx, Nothing {}).await?.text;
    Ok(SheetTemplate::read(&text).unwrap_or_default())
}
