//! `bordereau import`: reads, checks, sends and follows; made for nightly jobs.

pub(crate) mod answers;
mod chunk_report;
mod chunked_file;
mod chunked_run;
pub(crate) mod findings;
mod input;
pub(crate) mod report;
pub(crate) mod send;
mod watch;

use bordereau_contract::pluralize_as;
use std::path::PathBuf;
use std::sync::Arc;

use bordereau_desk::api::{
    BatchView, IssueGroupView, ReviewDocuments, ReviewFix, ReviewId, ReviewKeep, ReviewView, SaveRejects,
    SendScope,
};
use bordereau_desk::{Desk, ResumedDraft};
use bordereau_host::{DataFolder, ImportLock};
use serde_json::{Value, json};

use crate::exit::CommandExit;
use crate::file_target::{FileTarget, table_format};
pub(crate) use crate::import::answers::wait_until_ready;
use crate::import::findings::ReviewFindings;
use crate::import_arguments::{ImportArguments, SendChoice};
use crate::shared_arguments::GlobalArgs;
use crate::{log, open_desk, output};

/// Code of rows that were sent before.
const SENT_BEFORE: &str = "sent_before";

pub(crate) async fn run_import(place: &GlobalArgs, asked: ImportArguments) -> Result<(), CommandExit> {
    if let Some(file) = &asked.rejects {
        table_format(file)?;
    }
    if asked.sending.wait && asked.send.is_none() && !asked.resume {
        return Err(CommandExit::usage_error(
            "--wait goes with --send or --resume: a check sends nothing to wait for",
        ));
    }
    match &asked.watch {
        Some(folder) => watch::run_watch(place, &asked, folder).await,
        None => import_files(place, &asked, &asked.files).await,
    }
}

/// Reads, checks and sends these files as one batch; with `--resume` none.
async fn import_files(
    place: &GlobalArgs,
    asked: &ImportArguments,
    files: &[PathBuf],
) -> Result<(), CommandExit> {
    let data = DataFolder::find(place.data_dir.clone())?;
    data.create_folder()?;
    let sends = asked.send.is_some() || asked.resume;
    let _lock =
        if sends { Some(ImportLock::acquire(&data).map_err(CommandExit::with_failure)?) } else { None };
    let target = Arc::new(FileTarget::default());
    let desk = open_desk::open_desk_to_save(place, Arc::clone(&target))?;
    // A check stores no copy of its file, unless that is read again because the header row is only known then.
    let only_checks = !sends && asked.reading.header_row.is_none();
    let here = if !sends && desk.work_in_memory()? {
        desk.work_unattended(only_checks);
        None
    } else {
        Some(log::enter_draft_work(&data, &desk, only_checks).await?)
    };
    desk.read_files_as(chunked_file::read_options(&asked.reading)?);
    let mut sent_with = None;
    let desk = if sends {
        let (desk, view) = open_desk::on_profile(place, desk).await?;
        desk.set_outbox_pace(asked.outbox_pace());
        desk.start_work();
        send::finish_earlier(&desk, &view.profile.name, &asked.sending).await?;
        sent_with = Some(view.profile.name);
        desk
    } else {
        // A check never signs in: it works without a service.
        let view = open_desk::find_profile(&desk, place.profile.as_deref()).await?;
        desk.with_profile(&view.profile.id)
    };
    if files.is_empty() {
        return check_undecided(&desk, sent_with.as_deref()).await;
    }
    let given = input::open_inputs(files, &data)?;
    if let Some(file) = chunked_file::survey(&given.paths, asked).await? {
        chunked_run::import_chunks(place, &desk, &target, asked, file).await?;
        return check_undecided(&desk, sent_with.as_deref()).await;
    }
    let is_alone = here.as_ref().is_some_and(|here| here.is_alone);
    let stopped = if sends && is_alone { resumed_draft(&desk, &given.paths).await? } else { None };
    let (draft, made_of_it) = stopped.map_or((None, None), |left| (Some(left.review), left.batch));
    let mut review = answers::read(&desk, &given.paths, draft, &asked.reading).await?;
    let done = of_review(place, &desk, &target, asked, &mut review, made_of_it).await;
    if asked.send.is_some() && done.as_ref().is_err_and(CommandExit::is_failed) {
        // As if it was stopped: the next run with this file continues.
        return done;
    }
    // Sent or refused rows aren't kept as a draft; rows that need work stay one for the window.
    let is_left = asked.send.is_some() && asked.rejects.is_none() && review.counts.errors > 0;
    if is_left {
        desk.hand_over_draft(&review.id).await?;
    } else {
        let _ = desk.review_close(ReviewId { id: review.id }).await;
    }
    done?;
    check_undecided(&desk, sent_with.as_deref()).await
}

/// A run that sends fails while a batch of its profile waits for a decision.
async fn check_undecided(desk: &Desk, profile: Option<&str>) -> Result<(), CommandExit> {
    match profile {
        Some(profile) => send::check_decided(desk, profile).await,
        None => Ok(()),
    }
}

/// The draft of this file that a stopped run left.
async fn resumed_draft(desk: &Desk, files: &[PathBuf]) -> Result<Option<ResumedDraft>, CommandExit> {
    let left = desk.resume_draft(files).await?;
    match left.as_ref().map(|left| left.batch.as_deref()) {
        None => {}
        Some(None) => log::log_line(
            "An earlier run with this file was stopped before it sent anything; continuing with it",
        ),
        Some(Some(batch)) => log::log_line(&format!(
            "An earlier run with this file was stopped after it stored batch {batch}; its rows are not sent again"
        )),
    }
    Ok(left)
}

/// `made_of_it`: the batch that a stopped run sent from it.
async fn of_review(
    place: &GlobalArgs,
    desk: &Desk,
    target: &FileTarget,
    asked: &ImportArguments,
    review: &mut ReviewView,
    made_of_it: Option<String>,
) -> Result<(), CommandExit> {
    for file in &review.left_out {
        log::log_line(&format!("{} was not read: {}", file.name, file.why));
    }
    for (column, proposed) in review.columns.iter().filter_map(|c| Some((c, c.proposed.as_ref()?))) {
        let (letters, header) = (&column.letters, column.header.trim());
        let how = if proposed.field.is_some() { " --accept-matches imports it." } else { "" };
        log::log_line(&format!("Column {letters} \"{header}\" is not imported. {}{how}", proposed.reason));
    }
    let made = report::fields_of_rules(review);
    if !made.is_empty() {
        log::log_line(&format!(
            "Made by rules, because no column of the file has them: {}.",
            made.join(", ")
        ));
    }
    for proposed in review.values.iter().filter_map(|value| value.proposed.as_ref()) {
        log::log_line(&format!("{} --accept-matches reads it so.", proposed.reason));
    }
    if let Some(folder) = &asked.documents {
        *review = attach_folder(desk, &review.id, folder.clone()).await?;
    }
    if answers::open_questions(review, &asked.reading).is_empty() {
        *review = repair_review(desk, review.clone(), &asked.repairs).await?;
        *review = keep_warnings(desk, review.clone(), &asked.keeps).await?;
        if asked.send == Some(SendChoice::All) && !asked.again {
            *review = without_sent(desk, review.clone()).await?;
        }
    }
    let found =
        ReviewFindings::from_review(desk, review, answers::open_questions(review, &asked.reading)).await?;
    let sends = asked.send.filter(|_| found.questions.is_empty());
    match sends {
        Some(_) => {}
        None if place.json => output::write_json(&report::report_json(&found))?,
        None => output::write(&report::report_text(&found))?,
    }
    let rejects = asked.rejects.as_deref();
    if let Some(file) = rejects.filter(|_| review.counts.to_correct() > 0 && found.questions.is_empty()) {
        let file = if sends.is_none() { file.to_owned() } else { rejects_path(file) };
        save_rejects(desk, target, (&review.id, false), &file).await?;
    }
    let Some(which) = sends else { return found.to_exit() };
    if review.counts.rows == 0 {
        return Err(CommandExit::rejected(findings::NOTHING));
    }
    if review.counts.ready == 0 && which == SendChoice::Valid && made_of_it.is_none() {
        return Err(CommandExit::rejected(found.no_rows_ready_text()));
    }
    let sent = send::send(desk, &review.id, which.into(), &asked.sending, made_of_it).await?;
    output::write_answer(place, &sent_json(&found, &sent), || send::outcome_text(&sent))?;
    if let Some(file) = rejects.filter(|_| send::has_returned_rows(&sent)) {
        save_rejects(desk, target, (&sent.id, false), file).await?;
    }
    let left = if matches!(SendScope::from(which), SendScope::Valid) { review.counts.errors } else { 0 };
    send::send_exit(&sent, left)?;
    found.check_all_read()
}

/// "All rows" sends no row twice: rows sent before are excluded.
async fn without_sent(desk: &Desk, review: ReviewView) -> Result<ReviewView, CommandExit> {
    let Some(group) = review.groups.iter().find(|group| group.code == SENT_BEFORE) else { return Ok(review) };
    log::log_line(&format!(
        "{} sent before and excluded; use --again to send them once more",
        pluralize_as(group.rows, "row was", "rows were")
    ));
    let fix = ReviewFix {
        id: review.id.clone(),
        code: SENT_BEFORE.into(),
        fix: "exclude".into(),
        ..ReviewFix::default()
    };
    Ok(desk.review_fix(fix).await?.review)
}

fn sent_json(found: &ReviewFindings<'_>, sent: &BatchView) -> Value {
    json!({ "review": report::report_json(found), "batch": sent })
}

/// `may.csv` as `may-not-sent.csv`: beside the rows that the service rejected.
fn rejects_path(file: &std::path::Path) -> PathBuf {
    let stem = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let extension = file.extension().unwrap_or_default().to_string_lossy().into_owned();
    file.with_file_name(format!("{stem}-not-sent.{extension}"))
}

/// Saves the rejected rows of a review or a batch, with those that have warnings where asked.
pub(crate) async fn save_rejects(
    desk: &Desk,
    target: &FileTarget,
    (id, with_warnings): (&str, bool),
    file: &std::path::Path,
) -> Result<(), CommandExit> {
    target.point_at(file);
    let format = table_format(file)?;
    let saved = desk.rejects_save(SaveRejects { id: id.to_owned(), format, with_warnings }).await?;
    log::log_line(&format!("Rows to be corrected saved: {}, {} bytes", file.display(), saved.bytes));
    Ok(())
}

async fn attach_folder(desk: &Desk, review: &str, folder: PathBuf) -> Result<ReviewView, CommandExit> {
    if !folder.is_dir() {
        return Err(CommandExit::usage_error(format!("{} is not a folder", folder.display())));
    }
    let handles = desk.choose_files(vec![folder]).into_iter().map(|file| file.handle).collect();
    let request = ReviewDocuments { id: review.to_owned(), handles, attach: true };
    let outcome = desk.review_documents(request).await?;
    log::log_line(&format!(
        "Documents: {} attached, {} not matched",
        outcome.matched.len(),
        outcome.unmatched.len()
    ));
    for document in &outcome.unmatched {
        log::log_line(&format!("  not matched: {} ({})", document.file_name, document.reason));
    }
    Ok(outcome.review)
}

/// Kinds of repair available for these rows.
pub(crate) fn offered_repairs(review: &ReviewView) -> String {
    let mut kinds: Vec<&str> = review.groups.iter().filter_map(|group| group.fix.as_deref()).collect();
    kinds.retain(|kind| !matches!(*kind, "match_values" | "set_value"));
    kinds.sort_unstable();
    kinds.dedup();
    if kinds.is_empty() {
        "there is none for all of them".to_owned()
    } else {
        format!("there are: {}", kinds.join(", "))
    }
}

/// Keeps the warnings with these codes, each with its reason.
pub(crate) async fn keep_warnings(
    desk: &Desk,
    mut review: ReviewView,
    keeps: &[(String, String)],
) -> Result<ReviewView, CommandExit> {
    for (code, reason) in keeps {
        let is_warning = |group: &&IssueGroupView| group.severity == "warning";
        let is_it =
            |group: &&IssueGroupView| group.code == *code || group.code.split(':').next() == Some(code);
        let groups: Vec<(String, u32)> = review
            .groups
            .iter()
            .filter(is_warning)
            .filter(is_it)
            .map(|group| (group.code.clone(), group.rows))
            .collect();
        if groups.is_empty() {
            let codes: Vec<&str> =
                review.groups.iter().filter(is_warning).map(|group| group.code.as_str()).collect();
            let there = if codes.is_empty() { "none".to_owned() } else { codes.join(", ") };
            log::log_line(&format!("No row has the warning {code}; there are: {there}"));
        }
        for (code, rows) in groups {
            let keep = ReviewKeep {
                id: review.id.clone(),
                code: code.clone(),
                row: None,
                column: None,
                keep: true,
                reason: reason.clone(),
            };
            review = desk.review_keep(keep).await?;
            log::log_line(&format!(
                "Kept {code} in {}: {reason}",
                bordereau_contract::pluralize(rows, "row")
            ));
        }
    }
    Ok(review)
}

/// Applies all certain repairs of these kinds, group by group.
pub(crate) async fn repair_review(
    desk: &Desk,
    mut review: ReviewView,
    kinds: &[String],
) -> Result<ReviewView, CommandExit> {
    for kind in kinds {
        let groups: Vec<String> = review
            .groups
            .iter()
            .filter(|group| group.fix.as_deref() == Some(kind.as_str()))
            .map(|group| group.code.clone())
            .collect();
        if groups.is_empty() {
            log::log_line(&format!("No row needs the repair {kind}; {}", offered_repairs(&review)));
        }
        for code in groups {
            let fix = ReviewFix {
                id: review.id.clone(),
                code: code.clone(),
                fix: kind.clone(),
                ..ReviewFix::default()
            };
            let outcome = desk.review_fix(fix).await?;
            log::log_line(&format!(
                "Repaired {code} with {kind}: {}",
                bordereau_contract::pluralize(outcome.total, "change")
            ));
            review = outcome.review;
        }
    }
    Ok(review)
}
