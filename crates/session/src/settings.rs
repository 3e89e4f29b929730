//! Settings, the file dialog, the browser.

use bordereau_forms::FormBook;
use url::Url;

use crate::Context;
use crate::dropped_files::choose_files;
use crate::ports::FileFilter;
use crate::profile::active_profile;
use crate::web_address::{check_address, first_address};
use bordereau_api::{
    BoundaryError, ChooseFile, ChosenFile, DUE_NOTICE_DAYS, ErrorCode, FieldError, FilePurpose, Nothing,
    OpenAddress, Settings,
};
use bordereau_store::ValueName;

const ZOOM: std::ops::RangeInclusive<u32> = 80..=200;
const AGENCY_MAX: usize = 100;
const ADDRESS_MAX: usize = 400;
/// A logo of 128 KB in Base64.
const LOGO_TEXT_MAX: usize = 180_000;
const VIEW_NAME_MAX: usize = 40;

/// Settings, or the defaults.
pub async fn settings_load(ctx: &Context, _request: Nothing) -> Result<Settings, BoundaryError> {
    Ok(ctx
        .store()
        .load_value::<Settings>(ValueName::Settings)
        .await?
        .map(|(settings, _)| settings)
        .unwrap_or_default())
}

/// Saves settings.
///
/// # Errors
/// [`ErrorCode::Validation`] names the fields at fault.
pub async fn settings_save(ctx: &Context, request: Settings) -> Result<Settings, BoundaryError> {
    let mut faults = Vec::new();
    if !ZOOM.contains(&request.zoom) {
        let message = format!(
            "{}% isn't possible. Choose a value from {} to {}%.",
            request.zoom,
            ZOOM.start(),
            ZOOM.end()
        );
        faults.push(FieldError::at_pointer("/zoom", message));
    }
    if request.agency.trim().chars().count() > AGENCY_MAX {
        let message = format!("The name of the agency is longer than {AGENCY_MAX} characters. Shorten it.");
        faults.push(FieldError::at_pointer("/agency", message));
    }
    for (pointer, text, most) in [
        ("/agency_address", &request.agency_address, ADDRESS_MAX),
        ("/agency_license", &request.agency_license, AGENCY_MAX),
        ("/sheet_template", &request.sheet_template, AGENCY_MAX),
        ("/agency_logo", &request.agency_logo, LOGO_TEXT_MAX),
    ] {
        if text.chars().count() > most {
            faults.push(FieldError::at_pointer(
                pointer,
                format!("This is longer than {most} characters. Shorten it."),
            ));
        }
    }
    if request.first_view.len() > VIEW_NAME_MAX {
        faults.push(FieldError::at_pointer("/first_view", "There's no view of this name."));
    }
    if request.due_notice_days.iter().any(|days| !DUE_NOTICE_DAYS.contains(days)) {
        let days = DUE_NOTICE_DAYS.map(|days| days.to_string()).join(", ");
        let message = format!("Notices come {days} days ahead; 0 is the day itself.");
        faults.push(FieldError::at_pointer("/due_notice_days", message));
    }
    for (pointer, address) in
        [("/rules_address", &request.rules_address), ("/updates_address", &request.updates_address)]
    {
        let fault = Some(address.trim()).filter(|text| !text.is_empty()).map(check_address);
        faults.extend(fault.and_then(Result::err).map(|message| FieldError::at_pointer(pointer, message)));
    }
    if !faults.is_empty() {
        return Err(BoundaryError::invalid_fields(faults));
    }
    let settings = Settings {
        rules_address: request.rules_address.trim().to_owned(),
        updates_address: request.updates_address.trim().to_owned(),
        agency: request.agency.trim().to_owned(),
        ..request
    };
    ctx.store().save_value(ValueName::Settings, &settings, ctx.now_text()).await?;
    Ok(settings)
}

/// Asks for a file with the open dialog.
pub async fn choose_file(ctx: &Context, request: ChooseFile) -> Result<ChosenFile, BoundaryError> {
    let (title, name, extensions): (&str, &str, &[&str]) = match request.purpose {
        FilePurpose::Lines => ("Table of lines of business", "CSV table", &["csv"]),
        FilePurpose::KentuckyRates => ("Table of Kentucky local rates", "CSV table", &["csv"]),
        FilePurpose::CaFile => ("Extra CA certificate", "PEM certificate", &["pem", "crt", "cer"]),
        FilePurpose::OfficeCertificate => ("Your certificate", "PEM certificate", &["pem", "crt", "cer"]),
        FilePurpose::OfficeKey => ("Key of your certificate", "PEM key", &["pem", "key"]),
    };
    let filter =
        FileFilter { name: name.into(), extensions: extensions.iter().map(ToString::to_string).collect() };
    let chosen = ctx.ports().dialogs.open(title.into(), filter).await;
    let file = choose_files(ctx, chosen.into_iter().collect()).pop();
    Ok(file.map_or_else(ChosenFile::default, |file| ChosenFile { handle: file.handle, name: file.name }))
}

/// Opens a source of the rules, or a page of the active profile's host, in the system's browser.
///
/// # Errors
/// [`ErrorCode::Validation`] for any other address; [`ErrorCode::NoProgram`] when no browser opens.
pub async fn open_address(ctx: &Context, request: OpenAddress) -> Result<Nothing, BoundaryError> {
    let refused = |message: &str| BoundaryError::invalid_field("/url", message);
    let url = Url::parse(&request.url).map_err(|_| refused("This is not an address."))?;
    if url.scheme() != "https" || !url.username().is_empty() || url.password().is_some() {
        return Err(refused("Only https:// addresses without a username are opened."));
    }
    let rules = ctx.rules();
    let versions = settings_load(ctx, Nothing {}).await?.updates_address;
    let versions = first_address(&ctx.ports().policy.updates.address, &versions);
    let known = rules.book().source_addresses().any(|source| source == request.url)
        || rules.calendar().source_addresses().any(|source| source == request.url)
        || FormBook::builtin().source_addresses().any(|source| source == request.url)
        || versions.is_some_and(|list| list.origin() == url.origin())
        || Url::parse(&active_profile(ctx).await?.base_url).is_ok_and(|own| own.origin() == url.origin());
    if !known {
        return Err(refused(
            "Only sources that the rules name, the list of versions, and the profile's own host are opened.",
        ));
    }
    ctx.ports().browser.open(&request.url).map_err(|why| {
        BoundaryError::with_code(ErrorCode::NoProgram, format!("The browser cannot be opened: {why}"))
    })?;
    Ok(Nothing {})
}
