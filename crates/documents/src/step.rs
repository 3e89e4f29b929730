//! One step of one upload: send it, or look whether it arrived.

use std::time::Duration;

use bordereau_client::{
    Arrival, Client, ClientError, DocumentContent, DocumentFile, DocumentTarget, UploadedDocument,
};

use crate::UploadWorker;
use crate::operations::document_arrived;
use bordereau_api::{BoundaryError, UploadState};
use bordereau_batches::outbox::Outbox;
use bordereau_session::Context;
use bordereau_session::failure::{capital, ended};
use bordereau_session::profile::profile_by_id;
use bordereau_session::profile::session;
use bordereau_store::StoreError;
use bordereau_store::uploads::OpenUpload;
use bordereau_store::uploads::end_upload;
use bordereau_store::uploads::move_upload;
use bordereau_store::uploads::upload_content;

/// How an upload went on.
pub(super) enum Progress {
    /// It stands elsewhere now.
    Moved,
    /// Not found yet: look once more after the pause for that.
    Recheck,
    /// The service cannot be used now: wait, at least this long.
    Rest(Option<Duration>),
}

enum Trouble {
    Client(ClientError),
    Other(BoundaryError),
}

impl From<ClientError> for Trouble {
    fn from(error: ClientError) -> Self {
        Trouble::Client(error)
    }
}

impl From<BoundaryError> for Trouble {
    fn from(error: BoundaryError) -> Self {
        Trouble::Other(error)
    }
}

impl From<StoreError> for Trouble {
    fn from(error: StoreError) -> Self {
        Trouble::Other(error.into())
    }
}

/// One step of an upload.
pub(super) async fn upload_step(ctx: &Context, upload: &OpenUpload) -> Progress {
    let outcome = match upload.state {
        UploadState::Queued => send_upload(ctx, upload).await,
        _ => look_for_upload(ctx, upload).await,
    };
    match outcome {
        Ok(progress) => progress,
        Err(trouble) => rest(ctx, upload, trouble).await,
    }
}

/// What it waits for is shown with it.
async fn rest(ctx: &Context, upload: &OpenUpload, trouble: Trouble) -> Progress {
    let (text, pause) = match trouble {
        Trouble::Client(error) => {
            let pause = match &error {
                ClientError::RateLimited { retry_after } => Some(*retry_after),
                _ => None,
            };
            let advice = match &error {
                ClientError::NotAuthorized { .. }
                | ClientError::NoCredentials
                | ClientError::SignInAgain { .. } => {
                    "It goes on by itself once the profile has a valid key or sign-in."
                }
                _ => "It goes on by itself when the service answers.",
            };
            (format!("{} {advice}", ended(&capital(&error.to_string()))), pause)
        }
        Trouble::Other(error) => (error.message, None),
    };
    if let Err(error) = move_upload(ctx.store(), upload, upload.state, text, upload.not_found).await {
        tracing::warn!(%error, "uploads");
    }
    Progress::Rest(pause)
}

async fn client_for(ctx: &Context, upload: &OpenUpload) -> Result<Client, Trouble> {
    let profile = profile_by_id(ctx, &upload.profile_id).await?;
    Ok(session(ctx, &profile).await?.client)
}

async fn send_upload(ctx: &Context, upload: &OpenUpload) -> Result<Progress, Trouble> {
    let store = &ctx.store();
    let client = client_for(ctx, upload).await?;
    let document = DocumentFile {
        name: upload.name.clone(),
        code: upload.code.clone(),
        file_name: upload.file_name.clone(),
        content: content_of(ctx, upload).await?,
        sha256: Some(upload.sha256.clone()),
    };
    if !move_upload(store, upload, UploadState::Sending, String::new(), 0).await? {
        return Ok(Progress::Moved);
    }
    let upload = &OpenUpload { state: UploadState::Sending, ..upload.clone() };
    let on_sent = UploadWorker::of(ctx).note_sent(&upload.id);
    let outcome = client.upload_document(&target(upload), &document, on_sent).await;
    UploadWorker::of(ctx).forget_sent(&upload.id);
    let error = match outcome {
        Ok(answer) => {
            let id = answer.transaction_id;
            let (to, message) = answered(upload, answer);
            end(ctx, upload, to, message, id).await?;
            return Ok(Progress::Moved);
        }
        Err(error) => error,
    };
    match &error {
        error if error.is_outcome_unknown() => {
            let said = ended(&capital(&error.to_string()));
            let message = format!("{said} The service is asked what it has before anything is sent again.");
            move_upload(store, upload, UploadState::Unknown, message, 0).await?;
            Ok(Progress::Recheck)
        }
        ClientError::Rejected { .. } | ClientError::NotSendable { .. } => {
            let said = ended(&capital(&error.to_string()));
            let message = match &error {
                ClientError::NotSendable { .. } => format!("{said} Choose the file again."),
                _ => said,
            };
            end(ctx, upload, UploadState::Refused, message, None).await?;
            Ok(Progress::Moved)
        }
        // Nothing was taken: it waits for the service.
        _ => {
            move_upload(store, upload, UploadState::Queued, String::new(), 0).await?;
            let waiting = OpenUpload { state: UploadState::Queued, ..upload.clone() };
            Ok(rest(ctx, &waiting, error.into()).await)
        }
    }
}

/// Where its bytes are: read piece by piece while they are sent.
async fn content_of(ctx: &Context, upload: &OpenUpload) -> Result<DocumentContent, StoreError> {
    if upload.content_file.is_empty() {
        return Ok(upload_content(ctx.store(), upload.seq).await?.into());
    }
    Ok(DocumentContent::File(UploadWorker::of(ctx).shelf().path(&upload.content_file)))
}

/// Ends an upload; what was sent needs no copy any more, and the record is read anew.
async fn end(
    ctx: &Context,
    upload: &OpenUpload,
    to: UploadState,
    message: String,
    transaction_id: Option<i64>,
) -> Result<(), StoreError> {
    end_upload(ctx.store(), upload, to, message, transaction_id, ctx.moment()).await?;
    if to == UploadState::Sent {
        let (shelf, file) = (UploadWorker::of(ctx).shelf().clone(), upload.content_file.clone());
        let _ = tokio::task::spawn_blocking(move || shelf.remove(&file)).await;
        document_arrived(ctx, upload, transaction_id).await;
    }
    Ok(())
}

/// Asks for the record's documents and compares those of the same code by content. Only when it is not
/// there again and again is it sent once more.
async fn look_for_upload(ctx: &Context, upload: &OpenUpload) -> Result<Progress, Trouble> {
    let store = &ctx.store();
    let client = client_for(ctx, upload).await?;
    match client.document_arrived(&target(upload), &upload.code, &upload.sha256).await? {
        Arrival::Arrived => {
            let message = "Its answer was lost; the service has it.".to_owned();
            end(ctx, upload, UploadState::Sent, message, None).await?;
            return Ok(Progress::Moved);
        }
        // Sending it again on a guess could double it.
        Arrival::Unsure => {
            let message = "Its answer was lost, and documents of this kind at the service could not be fetched to compare them: asked again.";
            move_upload(store, upload, upload.state, message.to_owned(), upload.not_found).await?;
            return Ok(Progress::Rest(None));
        }
        Arrival::NotArrived => {}
    }
    let not_found = upload.not_found + 1;
    if not_found <= Outbox::of(ctx).pace().rechecks {
        let message = "Its answer was lost; the service is asked what it has.".to_owned();
        move_upload(store, upload, UploadState::Unknown, message, not_found).await?;
        return Ok(Progress::Recheck);
    }
    move_upload(store, upload, UploadState::Queued, "The service does not have it: sent again.".into(), 0)
        .await?;
    Ok(Progress::Moved)
}

fn target(upload: &OpenUpload) -> DocumentTarget {
    match (upload.transaction_id, &upload.invoice_number) {
        (Some(id), _) => DocumentTarget::Transaction(id),
        (None, invoice) => DocumentTarget::Invoice(invoice.clone().unwrap_or_default()),
    }
}

fn answered(upload: &OpenUpload, answer: UploadedDocument) -> (UploadState, String) {
    if !answer.outcome.imported {
        let reason = answer.outcome.reason.unwrap_or_else(|| "it did not say why".to_owned());
        return (UploadState::Refused, format!("The service did not take it: {}", ended(&reason)));
    }
    if !answer.sha256.eq_ignore_ascii_case(&upload.sha256) {
        let message =
            "What was sent is not what was stored. Look at it at the service before you send it again.";
        return (UploadState::Refused, message.to_owned());
    }
    (UploadState::Sent, String::new())
}
