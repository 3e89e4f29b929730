//! Documents attached to transactions: matched by policy number, invoice number or a `documents.csv`.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::changes::{DraftChange, change_review, slot_with_rows};
use super::document_target::{MatchedTransaction, TransactionNumbers};
use super::draft::AttachedDocument;
use super::folder::{self, FolderFile, ListedDocument};
use super::session::ReviewSession;
use super::slots::{blocking, view_of, with_session};
use bordereau_api::{BoundaryError, DocumentMatch, DocumentsOutcome, ReviewDocuments, to_u32};
use bordereau_session::Context;
use bordereau_session::dropped_files::DroppedFiles;
use bordereau_session::dropped_files::dropped_path;

struct MatchedDocument {
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
    let paths = requested_documents(ctx, &request).await?;
    let Some(paths) = paths else {
        let review = view_of(&slot).await?;
        return Ok(DocumentsOutcome { attached: false, matched: Vec::new(), unmatched: Vec::new(), review });
    };
    DroppedFiles::from_context(ctx).remember_documents(&request.id, paths.clone());
    let held = std::sync::Arc::clone(&slot);
    let all = blocking(move || {
        // Files are read without the review's lock: hashing a folder takes its time.
        let mut files = folder::list_files(&paths);
        let listed = folder::read_lists(&mut files);
        with_session(&held, |session| Ok(match_files(session, files, &listed)))
    })
    .await??;
    let (matched, unmatched): (Vec<MatchedDocument>, Vec<MatchedDocument>) =
        all.into_iter().partition(|found| found.view.row.is_some());
    let attached = request.attach && !matched.is_empty();
    let views = |found: &[MatchedDocument]| found.iter().map(|m| m.view.clone()).collect::<Vec<_>>();
    let (shown, left) = (views(&matched), views(&unmatched));
    if attached {
        change_review(ctx, &request.id, move |session| {
            attach_files(session, matched);
            Ok((DraftChange::State, ()))
        })
        .await?;
    }
    Ok(DocumentsOutcome { attached, matched: shown, unmatched: left, review: view_of(&slot).await? })
}

async fn requested_documents(
    ctx: &Context,
    request: &ReviewDocuments,
) -> Result<Option<Vec<PathBuf>>, BoundaryError> {
    if !request.handles.is_empty() {
        return request
            .handles
            .iter()
            .map(|handle| dropped_path(ctx, handle))
            .collect::<Result<_, _>>()
            .map(Some);
    }
    // What was shown is attached: nothing is asked twice.
    if let Some(paths) = DroppedFiles::from_context(ctx).documents_of(&request.id).filter(|_| request.attach)
    {
        return Ok(Some(paths));
    }
    let chosen = ctx.ports().dialogs.open_folder("Choose the folder with the documents".into()).await;
    Ok(chosen.map(|path| vec![path]))
}

fn match_files(
    session: &ReviewSession,
    files: Vec<FolderFile>,
    listed: &BTreeMap<String, ListedDocument>,
) -> Vec<MatchedDocument> {
    let numbers = TransactionNumbers::from_review(session);
    files
        .into_iter()
        .filter(|file| !file.is_list || file.refused.is_some())
        .map(|file| {
            let target = match &file.refused {
                Some(why) => Err(why.clone()),
                None => numbers.find_target(session, &file.name, listed.get(&file.name.to_lowercase())),
            };
            let (row, policy_number, code, reason) = match target {
                Ok(MatchedTransaction { row, policy_number, code, reason }) => {
                    (Some(row), policy_number, code, reason)
                }
                Err(why) => (None, String::new(), String::new(), why),
            };
            let view = DocumentMatch {
                file_name: file.name,
                bytes: to_u32(file.bytes),
                sha256: file.sha256,
                code,
                row,
                policy_number,
                reason,
            };
            MatchedDocument { view, path: file.path, bytes: file.bytes }
        })
        .collect()
}

fn attach_files(session: &mut ReviewSession, matched: Vec<MatchedDocument>) {
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
