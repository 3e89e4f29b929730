//! `bordereau import`: read, check, send, follow; made for a nightly job.

pub(crate) mod answers;
mod found;
mod input;
pub(crate) mod report;
pub(crate) mod send;

use std::path::PathBuf;
use std::sync::Arc;

use bordereau_desk::api::{
    BatchView, ReviewDocuments, ReviewFix, ReviewId, ReviewView, SaveRejects, SendScope,
};
use bordereau_desk::{Desk, ResumedDraft};
use bordereau_host::DataFolder;
use serde_json::{Value, json};

use crate::ending::Ending;
use crate::file_target::{FileTarget, table_format};
pub(crate) use crate::import::answers::ready;
use crate::import::found::Found;
use crate::import_arguments::{ImportArguments, Which};
use crate::shared_arguments::Place;
use crate::{lock, log, output, workplace};

/// The code of rows that were sent before.
const SENT_BEFORE: &str = "sent_before";

pub(crate) async fn run(place: &Place, asked: ImportArguments) -> Result<(), Ending> {
    if let Some(file) = &asked.rejects {
        table_format(file)?;
    }
    if asked.sending.wait && asked.send.is_none() && !asked.resume {
        return Err(Ending::usage("--wait goes with --send or --resume: a check sends nothing to wait for"));
    }
    let data = DataFolder::find(place.data_dir.clone())?;
    data.make()?;
    let sends = asked.send.is_some() || asked.resume;
    let _lock = if sends { Some(lock::take(&data)?) } else { None };
    let target = Arc::new(FileTarget::default());
    let desk = workplace::open(place, Arc::clone(&target))?;
    let here = lock::here(&data, &desk).await?;
    let mut sent_with = None;
    let desk = if sends {
        let (desk, view) = workplace::on_profile(place, desk).await?;
        desk.work();
        send::finish_earlier(&desk, &view.profile.name, &asked.sending).await?;
        sent_with = Some(view.profile.name);
        desk
    } else {
        // A check never signs in: it works without any service.
        let view = workplace::find(&desk, place.profile.as_deref()).await?;
        desk.using(&view.profile.id)
    };
    let Some(file) = &asked.file else { return undecided(&desk, sent_with.as_deref()).await };
    let given = input::given(file, &data)?;
    let stopped = if sends && here.is_alone { resumed_draft(&desk, &given.path).await? } else { None };
    let (draft, made_of_it) = stopped.map_or((None, None), |left| (Some(left.review), left.batch));
    let mut review = answers::read(&desk, &given.path, draft, &asked.reading).await?;
    let done = of_review(place, &desk, &target, &asked, &mut review, made_of_it).await;
    if asked.send.is_some() && done.as_ref().is_err_and(Ending::is_failed) {
        // As if it had been stopped: the next run with this file goes on with it.
        return done;
    }
    // What was sent or refused is no draft; what could not be finished stays one for the window.
    let is_left = asked.send.is_some() && asked.rejects.is_none() && review.counts.errors > 0;
    if is_left {
        desk.hand_over_draft(&review.id).await?;
    } else {
        let _ = desk.review_close(ReviewId { id: review.id }).await;
    }
    done?;
    undecided(&desk, sent_with.as_deref()).await
}

/// A run that sends is no success while a batch of its profile waits for a decision.
async fn undecided(desk: &Desk, profile: Option<&str>) -> Result<(), Ending> {
    match profile {
        Some(profile) => send::decided(desk, profile).await,
        None => Ok(()),
    }
}

/// What a run that was stopped left of this file.
async fn resumed_draft(desk: &Desk, file: &std::path::Path) -> Result<Option<ResumedDraft>, Ending> {
    let left = desk.resume_draft(file).await?;
    match left.as_ref().map(|left| left.batch.as_deref()) {
        None => {}
        Some(None) => {
            log::line("An earlier run with this file was stopped before it sent anything; continuing with it")
        }
        Some(Some(batch)) => log::line(&format!(
            "An earlier run with this file was stopped after it stored batch {batch}; its rows are not sent again"
        )),
    }
    Ok(left)
}

/// `made_of_it`: the batch that a stopped run has sent of it.
async fn of_review(
    place: &Place,
    desk: &Desk,
    target: &FileTarget,
    asked: &ImportArguments,
    review: &mut ReviewView,
    made_of_it: Option<String>,
) -> Result<(), Ending> {
    if let Some(folder) = &asked.documents {
        *review = attach(desk, &review.id, folder.clone()).await?;
    }
    if answers::questions(review, &asked.reading).is_empty() {
        *review = repair(desk, review.clone(), &asked.repairs).await?;
        if asked.send == Some(Which::All) && !asked.again {
            *review = without_sent(desk, review.clone()).await?;
        }
    }
    let found = Found::of(desk, review, answers::questions(review, &asked.reading)).await?;
    let tells = asked.send.is_none();
    if tells && !place.json {
        output::write(&report::text(&found))?;
    }
    let rejects = asked.rejects.as_deref();
    if let Some(file) = rejects.filter(|_| review.counts.errors > 0 && found.questions.is_empty()) {
        let file = if tells { file.to_owned() } else { beside(file) };
        save_rejects(desk, target, &review.id, &file).await?;
    }
    let Some(which) = asked.send else {
        if place.json {
            output::write_json(&report::json(&found))?;
        }
        return found.ending();
    };
    if !found.questions.is_empty() {
        if place.json {
            output::write_json(&report::json(&found))?;
        } else {
            output::write(&report::text(&found))?;
        }
        return found.ending();
    }
    if review.counts.rows == 0 {
        return Err(Ending::rejected(found::NOTHING));
    }
    if review.counts.ready == 0 && which == Which::Valid && made_of_it.is_none() {
        return Err(Ending::rejected(found.nothing_ready()));
    }
    let sent = send::send(desk, &review.id, which.into(), &asked.sending, made_of_it).await?;
    if place.json {
        output::write_json(&sent_json(&found, &sent))?;
    } else {
        output::write(&send::text(&sent))?;
    }
    if let Some(file) = rejects.filter(|_| send::came_back(&sent)) {
        save_rejects(desk, target, &sent.id, file).await?;
    }
    let left = if matches!(SendScope::from(which), SendScope::Valid) { review.counts.errors } else { 0 };
    send::ending(&sent, left)
}

/// "All rows" does not send a row twice: rows that were sent before are excluded.
async fn without_sent(desk: &Desk, review: ReviewView) -> Result<ReviewView, Ending> {
    let Some(group) = review.groups.iter().find(|group| group.code == SENT_BEFORE) else { return Ok(review) };
    log::line(&format!(
        "{} sent before and excluded; use --again to send them once more",
        if group.rows == 1 { "1 row was".to_owned() } else { format!("{} rows were", group.rows) }
    ));
    let fix = ReviewFix {
        id: review.id.clone(),
        code: SENT_BEFORE.into(),
        fix: "exclude".into(),
        row: None,
        preview: false,
    };
    Ok(desk.review_fix(fix).await?.review)
}

fn sent_json(found: &Found<'_>, sent: &BatchView) -> Value {
    json!({ "review": report::json(found), "batch": sent })
}

/// `may.csv` as `may-not-sent.csv`: beside the rows that came back from the service.
fn beside(file: &std::path::Path) -> PathBuf {
    let stem = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let extension = file.extension().unwrap_or_default().to_string_lossy().into_owned();
    file.with_file_name(format!("{stem}-not-sent.{extension}"))
}

/// Saves rejected rows of a review or a batch.
pub(crate) async fn save_rejects(
    desk: &Desk,
    target: &FileTarget,
    id: &str,
    file: &std::path::Path,
) -> Result<(), Ending> {
    target.point_at(file);
    let format = table_format(file)?.to_owned();
    let saved = desk.rejects_save(SaveRejects { id: id.to_owned(), format }).await?;
    if !saved.saved {
        return Err(Ending::rejected("there are no rows to be corrected"));
    }
    log::line(&format!("Rows to be corrected saved: {}, {} bytes", file.display(), saved.bytes));
    Ok(())
}

async fn attach(desk: &Desk, review: &str, folder: PathBuf) -> Result<ReviewView, Ending> {
    if !folder.is_dir() {
        return Err(Ending::usage(format!("{} is not a folder", folder.display())));
    }
    let handles = desk.drop_files(vec![folder]).into_iter().map(|file| file.handle).collect();
    let request = ReviewDocuments { id: review.to_owned(), handles, attach: true };
    let outcome = desk.review_documents(request).await?;
    log::line(&format!(
        "Documents: {} attached, {} not matched",
        outcome.matched.len(),
        outcome.unmatched.len()
    ));
    for document in &outcome.unmatched {
        log::line(&format!("  not matched: {} ({})", document.file_name, document.reason));
    }
    Ok(outcome.review)
}

/// The kinds of repair there are for these rows.
pub(crate) fn offered(review: &ReviewView) -> String {
    let mut kinds: Vec<&str> = review.groups.iter().filter_map(|group| group.fix.as_deref()).collect();
    kinds.retain(|kind| *kind != "match_values");
    kinds.sort_unstable();
    kinds.dedup();
    if kinds.is_empty() {
        "there is none for all of them".to_owned()
    } else {
        format!("there are: {}", kinds.join(", "))
    }
}

/// All certain repairs of these kinds, group by group.
pub(crate) async fn repair(
    desk: &Desk,
    mut review: ReviewView,
    kinds: &[String],
) -> Result<ReviewView, Ending> {
    for kind in kinds {
        let groups: Vec<String> = review
            .groups
            .iter()
            .filter(|group| group.fix.as_deref() == Some(kind.as_str()))
            .map(|group| group.code.clone())
            .collect();
        if groups.is_empty() {
            log::line(&format!("No row needs the repair {kind}; {}", offered(&review)));
        }
        for code in groups {
            let fix = ReviewFix {
                id: review.id.clone(),
                code: code.clone(),
                fix: kind.clone(),
                row: None,
                preview: false,
            };
            let outcome = desk.review_fix(fix).await?;
            log::line(&format!("Repaired {code} with {kind}: {}", report::counted(outcome.total, "change")));
            review = outcome.review;
        }
    }
    Ok(review)
}
