//! One document being sent, or looked up where its answer was lost.

use bordereau_api::{StageEvidence, UploadState};
use bordereau_client::{
    ClientError, DocumentContent, DocumentFile, DocumentPresence, DocumentTarget, UploadedDocument,
};
use bordereau_contract::DocumentOutcome;
use bordereau_outbox::OutboxPace;
use bordereau_outbox::job::{
    DeliveryProof, JobMemory, JobPriority, JobProgress, OutboxJob, Service, ServiceTrouble, service_of,
};
use bordereau_outbox::{look_for, lost_reason, not_there_audit};
use bordereau_session::Context;
use bordereau_session::failure::{capitalize_first, end_sentence};
use bordereau_store::uploads::{
    OpenUpload, UploadChange, add_observed, change_upload, keep_upload_message, known_uploads, open_uploads,
    recover_uploads, upload_content,
};
use bordereau_store::{Destination, Store, StoreError};

use super::arrival::note_arrival;
use super::upload_worker::UploadWorker;

/// Uploads sent at once, so that many small ones don't wait for each round trip.
const AT_ONCE: usize = 4;
/// Bytes sent at once; beyond them the next file waits. On a slow line each upload must end within its time limit.
const BYTES_AT_ONCE: u64 = 48 * 1024 * 1024;
/// Documents asked for because the service is known to have them.
const KNOWN: u32 = 3;

/// A document being sent.
#[derive(Clone, Debug)]
pub(super) struct UploadJob(OpenUpload);

impl OutboxJob for UploadJob {
    const KIND: &'static str = "upload";

    fn key(&self) -> (i64, i64) {
        (self.0.seq, 0)
    }

    fn destination(&self) -> &Destination {
        &self.0.destination
    }

    fn priority(&self) -> JobPriority {
        if self.0.state == UploadState::Queued { JobPriority::Waiting } else { JobPriority::Lost }
    }

    fn can_run_with(&self, running: &[&Self], _: &OutboxPace) -> bool {
        let bytes: u64 = running.iter().map(|other| other.0.bytes).sum();
        running.is_empty() || (running.len() < AT_ONCE && bytes + self.0.bytes <= BYTES_AT_ONCE)
    }

    fn observed_ms(&self) -> i64 {
        self.0.observed_ms
    }

    fn lost_reason(&self, store: &Store) -> &'static str {
        lost_reason(store, self.0.was_sent)
    }

    async fn list_open(store: &Store, only: Option<(i64, i64)>) -> Result<Vec<Self>, StoreError> {
        Ok(open_uploads(store, only.map(|(upload, _)| upload)).await?.into_iter().map(UploadJob).collect())
    }

    async fn recover(ctx: &Context, only: Option<(i64, i64)>) -> Result<(), StoreError> {
        recover_uploads(ctx.store(), only.map(|(upload, _)| upload)).await
    }

    async fn run_step(&self, ctx: &Context, memory: &mut JobMemory) -> Result<JobProgress, ServiceTrouble> {
        match self.0.state {
            UploadState::Queued => send_upload(ctx, &self.0).await,
            _ => look_for(ctx, self, memory).await,
        }
    }

    async fn keep_message(&self, store: &Store, text: String) -> Result<(), StoreError> {
        keep_upload_message(store, self.0.seq, text).await
    }

    async fn add_observed(&self, store: &Store, ms: i64) -> Result<(), StoreError> {
        add_observed(store, self.0.seq, ms).await
    }

    async fn look_up(&self, ctx: &Context, service: &Service) -> Result<bool, ServiceTrouble> {
        if ask_arrival(service, &self.0).await? != DocumentPresence::Arrived {
            return Ok(false);
        }
        let evidence = StageEvidence::of(
            format!("documents of {}", target_words(&self.0)),
            format!("{} with SHA-256 {}", self.0.code, self.0.sha256),
        );
        let sent = UploadChange {
            message: match self.0.was_sent {
                true => "The response didn't confirm it; the service has it, compared by content.".to_owned(),
                false => "The service already has this document (same content), so it wasn't sent again."
                    .to_owned(),
            },
            evidence: Some(evidence),
            ..UploadChange::to(UploadState::Sent)
        };
        change(ctx, &self.0, sent).await?;
        Ok(true)
    }

    async fn judge_delivery(
        &self,
        ctx: &Context,
        service: &Service,
    ) -> Result<DeliveryProof, ServiceTrouble> {
        let hint = match ask_arrival(service, &self.0).await? {
            DocumentPresence::NotListed if service.is_practice => return Ok(DeliveryProof::Absent),
            DocumentPresence::NotListed => {
                for known in known_uploads(ctx.store(), &self.0, KNOWN).await? {
                    if ask_arrival(service, &known).await? == DocumentPresence::Arrived {
                        return Ok(DeliveryProof::Absent);
                    }
                }
                "the transaction lists no such document, and shows none that is known to be there"
            }
            DocumentPresence::Unsure => {
                "the transaction lists documents of this kind that could not be compared"
            }
            DocumentPresence::NoTransaction => "the service shows no such transaction",
            // Found after all: the next lookup adopts it.
            DocumentPresence::Arrived => return Ok(DeliveryProof::Adopted),
        };
        Ok(DeliveryProof::Unproven(hint.to_owned()))
    }

    async fn send_again(&self, ctx: &Context) -> Result<(), ServiceTrouble> {
        let evidence = StageEvidence::of(
            format!("documents of {}", target_words(&self.0)),
            "it is not there, and the same question finds others that are",
        );
        let again = UploadChange {
            message: match self.0.was_sent {
                true => {
                    "The response didn't confirm it and the service doesn't have it, so it was sent again."
                        .to_owned()
                }
                false => String::new(),
            },
            evidence: Some(evidence),
            audit: not_there_audit(ctx.store(), self.0.was_sent),
            ..UploadChange::to(UploadState::Queued)
        };
        change(ctx, &self.0, again).await
    }

    async fn wait_for_decision(&self, ctx: &Context, hint: String) -> Result<(), ServiceTrouble> {
        let upload = &self.0;
        let message = format!(
            "{} and {hint}. Look in the service's portal for {} ({}, {} bytes) at {}; then choose: it was received, or send again. Until then nothing is sent.",
            lost_reason(ctx.store(), upload.was_sent),
            upload.file_name,
            upload.code,
            upload.bytes,
            target_words(upload)
        );
        let asked = UploadChange {
            message,
            audit: "a person is asked whether it arrived.".to_owned(),
            asks: true,
            ..UploadChange::to(UploadState::Unknown)
        };
        change(ctx, upload, asked).await
    }
}

/// Whether the service has it. An answer from a service without that endpoint proves nothing.
async fn ask_arrival(service: &Service, upload: &OpenUpload) -> Result<DocumentPresence, ServiceTrouble> {
    match service.client.document_arrived(&document_target(upload), &upload.code, &upload.sha256).await {
        Err(error) if error.is_unsupported_endpoint(service.is_practice) => {
            Ok(DocumentPresence::NoTransaction)
        }
        asked => Ok(asked?),
    }
}

async fn send_upload(ctx: &Context, upload: &OpenUpload) -> Result<JobProgress, ServiceTrouble> {
    let service = service_of(ctx, &upload.destination).await?;
    let document = DocumentFile {
        name: upload.name.clone(),
        code: upload.code.clone(),
        file_name: upload.file_name.clone(),
        content: content_of(ctx, upload).await?,
        sha256: Some(upload.sha256.clone()),
    };
    let sending = UploadChange::to(UploadState::Sending);
    if !change_upload(ctx.store(), upload, sending, ctx.now_stamp()).await? {
        return Ok(JobProgress::Moved);
    }
    let upload = &OpenUpload { state: UploadState::Sending, ..upload.clone() };
    let on_sent = UploadWorker::from_context(ctx).note_sent(&upload.id);
    let outcome = service.client.upload_document(&document_target(upload), &document, on_sent).await;
    UploadWorker::from_context(ctx).forget_sent(&upload.id);
    let said = |error: &ClientError| end_sentence(&capitalize_first(&error.to_string()));
    let refused = |message: String, error: &ClientError| UploadChange {
        message,
        evidence: Some(StageEvidence::of("upload of the document", error.to_string())),
        ..UploadChange::to(UploadState::Refused)
    };
    let to = match outcome {
        Ok(answer) => answer_state(upload, answer),
        Err(error) if error.is_outcome_unknown() => unknown(&said(&error), error.to_string()),
        Err(error @ ClientError::Rejected { .. }) => refused(said(&error), &error),
        Err(error @ ClientError::NotSendable { .. }) => {
            refused(format!("{} Choose the file again.", said(&error)), &error)
        }
        // Nothing was received: it waits for the service.
        Err(error) => {
            change(ctx, upload, UploadChange::to(UploadState::Queued)).await?;
            return Err(error.into());
        }
    };
    let progress = if to.to == UploadState::Unknown { JobProgress::Recheck } else { JobProgress::Moved };
    change(ctx, upload, to).await?;
    Ok(progress)
}

/// What the service's answer shows. The document arrived where the answer names it, by hash or by name and code, and
/// the transaction is known; it was refused where the answer says why. Anything else is looked up.
fn answer_state(upload: &OpenUpload, answer: UploadedDocument) -> UploadChange {
    let outcome = answer.outcome;
    let number = answer.transaction_id.filter(|number| *number > 0);
    let said = format!("{} imported: {}", outcome.file_name, outcome.imported);
    let evidence = StageEvidence::of("upload of the document", &said);
    if !outcome.imported {
        let is_nameless = outcome.name.trim().is_empty() && outcome.file_name.trim().is_empty();
        return match outcome.reason {
            Some(reason) => UploadChange {
                message: format!("The service rejected it: {}", end_sentence(&reason)),
                evidence: Some(StageEvidence::of("upload of the document", reason)),
                ..UploadChange::to(UploadState::Refused)
            },
            // One document was sent: an outcome that names no other is about it.
            None if is_nameless || names_document(&outcome, upload) => UploadChange {
                message: "The service rejected it and gave no reason.".to_owned(),
                evidence: Some(StageEvidence::of("upload of the document", said)),
                ..UploadChange::to(UploadState::Refused)
            },
            None => unknown("The service doesn't say whether it accepted the document.", said),
        };
    }
    if !answer.sha256.eq_ignore_ascii_case(&upload.sha256) {
        let message =
            "What was sent differs from what was stored. Check it at the service before you send it again.";
        return UploadChange { message: message.to_owned(), ..UploadChange::to(UploadState::Refused) };
    }
    let is_named = names_document(&outcome, upload);
    let is_its_transaction = match (upload.transaction_id, number) {
        (Some(ours), Some(theirs)) => ours == theirs,
        (ours, theirs) => ours.or(theirs).is_some(),
    };
    if !is_named || !is_its_transaction {
        return unknown("The service's response doesn't name this document and its transaction.", said);
    }
    UploadChange { evidence: Some(evidence), transaction_id: number, ..UploadChange::to(UploadState::Sent) }
}

/// Whether an outcome is about this document: by hash, file name, or name. Only one document was sent, so the name
/// alone is enough if neither code nor file name contradicts it.
fn names_document(outcome: &DocumentOutcome, upload: &OpenUpload) -> bool {
    let same = |theirs: &str, ours: &str| theirs.trim().eq_ignore_ascii_case(ours.trim());
    let same_or_absent = |theirs: &str, ours: &str| theirs.trim().is_empty() || same(theirs, ours);
    outcome.sha256.as_deref().is_some_and(|sha256| same(sha256, &upload.sha256))
        || same(&outcome.file_name, &upload.file_name)
        || (same(&outcome.name, &upload.name)
            && same_or_absent(&outcome.code, &upload.code)
            && same_or_absent(&outcome.file_name, &upload.file_name))
}

fn unknown(message: &str, answer: String) -> UploadChange {
    UploadChange {
        message: format!("{message} The service is asked what it has before anything is sent again."),
        evidence: Some(StageEvidence::of("upload of the document", answer)),
        ..UploadChange::to(UploadState::Unknown)
    }
}

async fn change(ctx: &Context, upload: &OpenUpload, change: UploadChange) -> Result<(), ServiceTrouble> {
    let (is_sent, number) = (change.to == UploadState::Sent, change.transaction_id);
    if change_upload(ctx.store(), upload, change, ctx.now_stamp()).await? && is_sent {
        note_arrival(ctx, upload, number).await;
    }
    Ok(())
}

/// The document's bytes, read piece by piece while they are sent.
async fn content_of(ctx: &Context, upload: &OpenUpload) -> Result<DocumentContent, StoreError> {
    if upload.content_file.is_empty() {
        return Ok(upload_content(ctx.store(), upload.seq).await?.into());
    }
    let (copies, file) =
        (UploadWorker::from_context(ctx).stored_copies().clone(), upload.content_file.clone());
    let read = tokio::task::spawn_blocking(move || copies.read_copy(&file)).await;
    read.map_err(|_| StoreError::Interrupted)?.map_err(StoreError::Folder)
}

fn document_target(upload: &OpenUpload) -> DocumentTarget {
    match (upload.transaction_id, &upload.invoice_number) {
        (Some(id), _) => DocumentTarget::Transaction(id),
        (None, invoice) => DocumentTarget::Invoice(invoice.clone().unwrap_or_default()),
    }
}

fn target_words(upload: &OpenUpload) -> String {
    match document_target(upload) {
        DocumentTarget::Transaction(number) => format!("transaction {number}"),
        DocumentTarget::Invoice(number) => format!("invoice {number}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_outcome_names_its_document_table() {
        let upload = OpenUpload {
            seq: 1,
            id: String::new(),
            state: UploadState::Sending,
            destination: Destination {
                profile_id: String::new(),
                environment: bordereau_api::Environment::Sandbox,
                address: String::new(),
            },
            transaction_id: Some(17),
            invoice_number: None,
            name: "Policy".into(),
            code: "POLIC".into(),
            file_name: "policy.pdf".into(),
            sha256: "ab".repeat(32),
            bytes: 1,
            content_file: String::new(),
            observed_ms: 0,
            was_sent: true,
        };
        for (name, code, file_name, expected) in [
            ("Policy", "POLIC", "", true),
            ("policy ", "", "", true),
            ("", "", "POLICY.pdf", true),
            ("Policy", "MISC", "", false),
            ("Policy", "", "other.pdf", false),
            ("Affidavit", "POLIC", "", false),
            ("", "", "", false),
            ("", "POLIC", "", false),
        ] {
            let outcome = DocumentOutcome {
                name: name.into(),
                code: code.into(),
                file_name: file_name.into(),
                imported: true,
                ..DocumentOutcome::default()
            };
            assert_eq!(names_document(&outcome, &upload), expected, "{name} {code} {file_name}");
        }
    }
}
