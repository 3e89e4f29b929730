//! Diagnostics for support: versions, states and counts. They contain no name, amount, address or secret, and the
//! person reads them before sharing.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use bordereau_api::*;
use bordereau_documents::documents_queue;
use bordereau_events::events_status;
use bordereau_outbox::batch_list;
use bordereau_quotes::quote_list;
use bordereau_session::backup::backup_list;
use bordereau_session::policy_view::policy_show;
use bordereau_session::ports::FileFilter;
use bordereau_session::profile::{profile_list, secrets_status, unread_answers};
use bordereau_session::reference::reference_data;
use bordereau_session::settings::settings_load;
use bordereau_session::{Context, files};
use bordereau_transactions::transactions_overview;

/// Diagnostics for support, to be read before they are shared.
///
/// # Errors
/// [`ErrorCode::Storage`].
pub(crate) async fn diagnostics_show(ctx: &Context, _request: Nothing) -> Result<Diagnostics, BoundaryError> {
    let reference = reference_data(ctx, Nothing {}).await?;
    let profiles = profile_list(ctx, Nothing {}).await?.profiles;
    let settings = settings_load(ctx, Nothing {}).await?;
    let quotes = quote_list(ctx, Nothing {}).await?;
    let events = events_status(ctx, Nothing {}).await?;
    let safety = backup_list(ctx, Nothing {}).await?;
    let index = transactions_overview(ctx, Nothing {}).await?;
    let mut text = format!(
        "Bordereau {}, rules {} {}, checked {}\n",
        reference.version,
        if reference.rules_from_pack { "of a pack," } else { "built in," },
        reference.rules_version,
        reference.rules_checked
    );
    let mut line = |name: &str, value: String| {
        let _ = writeln!(text, "{name}: {value}");
    };
    line("System", format!("{} {}", std::env::consts::OS, std::env::consts::ARCH));
    line("Time", ctx.now_text());
    line("Policy", policy_words(&policy_show(ctx, Nothing {}).await?));
    line("Theme and size", format!("{:?}, {}%", settings.theme, settings.zoom));
    line("Keychain", format!("{:?}", secrets_status(ctx, Nothing {}).await?.kind));
    line("Profiles", count_words(profiles.iter().map(|view| format!("{:?}", view.profile.environment))));
    line("Environment in use", format!("{:?}", index.environment));
    line("Quotes saved, recent", format!("{}, {}", quotes.saved.len(), quotes.recent.len()));
    let batches = batch_list(ctx, Nothing {}).await?.batches;
    line("Batches", count_words(batches.iter().map(|batch| format!("{:?}", batch.state))));
    let uploads = documents_queue(ctx, Nothing {}).await?.uploads;
    line("Uploads", count_words(uploads.iter().map(|upload| format!("{:?}", upload.state))));
    line("Transactions, open", format!("{}, {}", index.records, index.open));
    line("Refresh", format!("{:?}", index.refresh.stage));
    line(
        "Events unread, receiver, rejected",
        format!("{}, {:?}, {}", events.unread, events.receiver, events.refused),
    );
    line("Answers not understood", unread_answers(ctx, Nothing {}).await?.answers.len().to_string());
    line("Backups", safety.backups.len().to_string());
    line("Data file damaged", yes_or_no(!safety.damage.is_empty()));
    line("Data folder not writable", yes_or_no(!safety.obstacle.is_empty()));
    Ok(Diagnostics { text })
}

/// Saves them as a file, through the save dialog.
///
/// # Errors
/// As [`diagnostics_show`], and errors of writing.
pub(crate) async fn diagnostics_save(ctx: &Context, _request: Nothing) -> Result<FileOutcome, BoundaryError> {
    let text = diagnostics_show(ctx, Nothing {}).await?.text;
    let filter = FileFilter { name: "Text".into(), extensions: vec!["txt".into()] };
    files::save_through(ctx.ports(), "Bordereau diagnostics.txt".into(), filter, text.into_bytes()).await
}

/// Opens the folder of the logs in the system's file manager.
///
/// # Errors
/// [`ErrorCode::NoProgram`] where there are none, or no file manager opens.
pub(crate) async fn logs_open(ctx: &Context, _request: Nothing) -> Result<Nothing, BoundaryError> {
    let open = ctx.ports().browser.open_logs();
    open.map(|()| Nothing {}).map_err(|why| BoundaryError::with_code(ErrorCode::NoProgram, why))
}

/// What the policy decides, without the addresses and keys in it.
fn policy_words(policy: &PolicyView) -> String {
    match (policy.place.is_empty(), policy.fault.is_empty()) {
        (true, _) => "none".to_owned(),
        (_, false) => "not used".to_owned(),
        _ => format!("{} settings", policy.sets.len()),
    }
}

fn yes_or_no(is_so: bool) -> String {
    if is_so { "yes" } else { "no" }.to_owned()
}

/// `2 Processed, 1 Failed`.
fn count_words(words: impl Iterator<Item = String>) -> String {
    let mut counts: BTreeMap<String, u32> = BTreeMap::new();
    words.for_each(|word| *counts.entry(word).or_default() += 1);
    let parts: Vec<String> = counts.into_iter().map(|(word, count)| format!("{count} {word}")).collect();
    if parts.is_empty() { "none".to_owned() } else { parts.join(", ") }
}
