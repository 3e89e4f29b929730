//! Documents that go along with transactions: matched by policy number, invoice number or a `documents.csv`.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::folder::{self, Found};
use super::matched::{Numbers, Target};
use super::open::Open;
use super::operations::{Kept, with};
use super::reading::blocking;
use crate::review::operations::change;
use crate::review::operations::slot_with_rows;
use crate::review::reading::view_of;
use bordereau_api::{BoundaryError, DocumentMatch, DocumentsOutcome, ReviewDocuments};
use bordereau_session::Context;
use bordereau_session::dropped::Dropped;
use bordereau_session::dropped::dropped;

/// A file attached to a transaction. Its content stays where it is until it is sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attached {
    /// First row of the transaction.
    pub row: u32,
    /// Where the file is on this machine.
    pub path: String,
    /// Its name, without its folder.
    pub file_name: String,
    /// Document code, such as `POLIC`.
    pub code: String,
    /// Its size.
    pub bytes: u64,
    /// SHA-256 of the content, hexadecimal.
    pub sha256: String,
}

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
        with(&held, |open| Ok(matches(open, files)))
    })
    .await??;
    let (matched, unmatched): (Vec<Matched>, Vec<Matched>) =
        all.into_iter().partition(|found| found.view.row.is_some());
    let attached = request.attach && !matched.is_empty();
    let views = |found: &[Matched]| found.iter().map(|m| m.view.clone()).collect::<Vec<_>>();
    let (shown, left) = (views(&matched), views(&unmatched));
    if attached {
        change(ctx, &request.id, move |open| {
            attach(open, matched);
            Ok((Kept::State, ()))
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

fn matches(open: &Open, files: Vec<Found>) -> Vec<Matched> {
    let numbers = Numbers::of(open);
    let list = folder::list(&files);
    files
        .into_iter()
        .filter(|file| !file.is_list)
        .map(|file| {
            let target = match &file.refused {
                Some(why) => Err(why.clone()),
                None => numbers.target(open, &file.name, list.get(&file.name.to_lowercase())),
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

fn attach(open: &mut Open, matched: Vec<Matched>) {
    for found in matched {
        let Some(row) = found.view.row else { continue };
        let attached = Attached {
            row,
            path: found.path.to_string_lossy().into_owned(),
            file_name: found.view.file_name,
            code: found.view.code,
            bytes: found.bytes,
            sha256: found.view.sha256,
        };
        // The same file again replaces itself.
        open.body.documents.retain(|d| d.row != row || d.file_name != attached.file_name);
        open.body.documents.push(attached);
    }
    open.check_again();
}
