//! Documents attached to transactions: matched by policy number, invoice number or a `documents.csv`.

use std::path::PathBuf;

use super::changes::{DraftChange, change, slot_with_rows};
use super::draft::AttachedDocument;
use super::folder::{self, Found};
use super::matched::{Numbers, Target};
use super::session::ReviewSession;
use super::slots::{blocking, view_of, with_session};
use bordereau_api::{BoundaryError, DocumentMatch, DocumentsOutcome, ReviewDocuments};
use bordereau_session::Context;
use bordereau_session::dropped::Dropped;
use bordereau_session::dropped::dropped;

struct Matched {
    view: DocumentMatch,
    path: PathBuf,
    bytes: u64,
}

/// Matches files to transactions: a preview, or attached.
///
/// # Errors
/// [`bordereau_api::ErrorCode::NotFound`] for an unknown review or handle.
pub async fn review_documents(
    ctx: &Context,
    request: ReviewDocuments,
) -> Result<DocumentsOutcome, BoundaryError> {
    let slot = slot_with_rows(ctx, &request.id).await?;
    let paths = documents_asked(ctx, &request).await?;
    let Some(paths) = paths else {
        let review = view_of(&slot).await?;
        return Ok(DocumentsOutcome { attached: false, matched: Vec::new(), unmatched: Vec::new(), review });
    };
    Dropped::of(ctx).remember_documents(&request.id, paths.clone());
    let held = std::sync::Arc::clone(&slot);
    let all = blocking(move || {
        // Files are read without the review's lock: hashing a folder takes its time.
        let files = folder::files(&paths);
        with_session(&held, |session| Ok(matches(session, files)))
    })
    .await??;
    let (matched, unmatched): (Vec<Matched>, Vec<Matched>) =
        all.into_iter().partition(|found| found.view.row.is_some());
    let attached = request.attach && !matched.is_empty();
    let views = |found: &[Matched]| found.iter().map(|m| m.view.clone()).collect::<Vec<_>>();
    let (shown, left) = (views(&matched), views(&unmatched));
    if attached {
        change(ctx, &request.id, move |session| {
            attach(session, matched);
            Ok((DraftChange::State, ()))
        })
        .await?;
    }
    Ok(DocumentsOutcome { attached, matched: shown, unmatched: left, review: view_of(&slot).await? })
}

async fn documents_asked(
    ctx: &Context,
    request: &ReviewDocuments,
) -> Result<Option<Vec<PathBuf>>, BoundaryError> {
    if !request.handles.is_empty() {
        return request.handles.iter().map(|handle| dropped(ctx, handle)).collect::<Result<_, _>>().map(Some);
    }
    // What was shown is attached: nothing is asked twice.
    if let Some(paths) = Dropped::of(ctx).documents(&request.id).filter(|_| request.attach) {
        return Ok(Some(paths));
    }
    let chosen = ctx.ports().dialogs.open_folder("Choose the folder with the documents".into()).await;
    Ok(chosen.map(|path| vec![path]))
}

fn matches(session: &ReviewSession, files: Vec<Found>) -> Vec<Matched> {
    let numbers = Numbers::of(session);
    let list = folder::list(&files);
    files
        .into_iter()
        .filter(|file| !file.is_list)
        .map(|file| {
            let target = match &file.refused {
                Some(why) => Err(why.clone()),
                None => numbers.target(session, &file.name, list.get(&file.name.to_lowercase())),
            };
            let (row, policy_number, code, reason) = match target {
                Ok(Target { row, policy_number, code, reason }) => (Some(row), policy_number, code, reason),
                Err(why) => (None, String::new(), String::new(), why),
            };
            let view = DocumentMatch {
                file_name: file.name,
                bytes: u32::try_from(file.bytes).unwrap_or(u32::MAX),
                sha256: file.sha256,
                code,
                row,
                policy_number,
                reason,
            };
            Matched { view, path: file.path, bytes: file.bytes }
        })
        .collect()
}

fn attach(session: &mut ReviewSession, matched: Vec<Matched>) {
    for found in matched {
        let Some(row) = found.view.row else { continue };
        let attached = AttachedDocument {
            row,
            path: found.path.to_string_lossy().into_owned(),
            file_name: found.view.file_name,
            code: found.view.code,
            bytes: found.bytes,
            sha256: found.view.sha256,
        };
        // The same file again replaces itself.
        session.draft.documents.retain(|d| d.row != row || d.file_name != attached.file_name);
        session.draft.documents.push(attached);
    }
    session.check_again();
}
