//! `bordereau document`.

use bordereau_contract::{format_short_day, pluralize, pluralize_as};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use bordereau_desk::api::{
    DocumentTarget, DocumentsUpload, FileInspectionRequest, KeptDocument, LostDecision, MissingEntry,
    MissingRequest, Nothing, RefusedFile, TransactionDocuments, UploadDecision, UploadFile, UploadState,
    UploadView, WantedDocument,
};
use bordereau_desk::{Desk, FetchedDocument};
use clap::{Args, Subcommand};
use serde_json::json;

use crate::environment::confirm_production;
use crate::exit::CommandExit;
use crate::file_target::make_folder;
use crate::shared_arguments::GlobalArgs;
use crate::{log, open_desk, output};
use bordereau_host::terminal_text::on_one_line;

/// How long failures of the service are retried.
const PATIENCE: Duration = Duration::from_secs(45);

#[derive(Debug, Subcommand)]
pub(crate) enum DocumentCommand {
    /// Upload documents to a transaction
    Upload(UploadArguments),
    /// Download documents of a transaction; an existing file is never overwritten
    Download(DownloadArguments),
    /// List a transaction's documents and those still missing
    List {
        #[command(flatten)]
        transaction: TransactionChoice,
    },
    /// Everything that is still missing, earliest due date first
    Missing,
    /// Uploads and their status
    Queue {
        /// Send what an earlier run queued, and wait until it is uploaded
        #[arg(long)]
        wait: bool,
    },
    /// Confirm that a document without an answer arrived at the service
    Arrived(LostUpload),
    /// Confirm that a document without an answer did not arrive, and send it again
    SendAgain(LostUpload),
    /// Look up a document without an answer once more
    LookAgain(LostUpload),
}

#[derive(Args, Debug)]
pub(crate) struct LostUpload {
    /// Id of the upload, as `bordereau document queue` shows it
    id: String,
    /// Confirm sending it again to a production profile
    #[arg(long)]
    yes: bool,
}

/// Selects a transaction.
#[derive(Args, Debug)]
#[group(required = true, multiple = false)]
pub(crate) struct TransactionChoice {
    /// The service's number of the transaction
    #[arg(long, value_name = "ID")]
    transaction: Option<String>,
    /// Its invoice number
    #[arg(long, value_name = "NUMBER")]
    invoice: Option<String>,
}

#[derive(Args, Debug)]
pub(crate) struct UploadArguments {
    /// PDF, images or Office files, or folders of them
    #[arg(required = true, value_name = "FILES")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    transaction: TransactionChoice,
    /// Document code, such as POLIC
    #[arg(long, value_name = "CODE")]
    code: String,
    /// Confirm the upload to a production profile
    #[arg(long)]
    yes: bool,
}

#[derive(Args, Debug)]
pub(crate) struct DownloadArguments {
    /// The service's number of the transaction
    #[arg(value_name = "ID")]
    id: String,
    /// All of its documents
    #[arg(long, conflicts_with = "number")]
    all: bool,
    /// Only the document at this position of the list, from 1
    #[arg(long, value_name = "N")]
    number: Option<u32>,
    /// Folder to save them in; created if missing
    #[arg(long, value_name = "DIR")]
    to: PathBuf,
}

impl TransactionChoice {
    fn into_target(self) -> DocumentTarget {
        DocumentTarget {
            transaction_id: self.transaction.unwrap_or_default(),
            invoice_number: self.invoice.unwrap_or_default(),
        }
    }
}

pub(crate) async fn run_document(place: &GlobalArgs, command: DocumentCommand) -> Result<(), CommandExit> {
    let desk = open_desk::open_desk(place)?;
    let (desk, view) = open_desk::on_profile(place, desk).await?;
    match command {
        DocumentCommand::Upload(asked) => {
            let files = pluralize(asked.files.len(), "file");
            confirm_production(view.profile.environment, &view.profile.name, asked.yes, &files)?;
            upload_files(place, &desk, asked).await
        }
        DocumentCommand::Download(asked) => download_documents(place, &desk, asked).await,
        DocumentCommand::List { transaction } => {
            list_documents(place, &desk, transaction.into_target()).await
        }
        DocumentCommand::Missing => list_missing(place, &desk).await,
        DocumentCommand::Queue { wait } => show_queue(place, &desk, wait).await,
        DocumentCommand::Arrived(lost) => decide(place, &desk, lost, LostDecision::Arrived).await,
        DocumentCommand::SendAgain(lost) => decide(place, &desk, lost, LostDecision::SendAgain).await,
        DocumentCommand::LookAgain(lost) => decide(place, &desk, lost, LostDecision::LookAgain).await,
    }
}

/// Records what a person found in the service's portal about a document whose answer was lost, and shows the result.
async fn decide(
    place: &GlobalArgs,
    desk: &Desk,
    lost: LostUpload,
    decision: LostDecision,
) -> Result<(), CommandExit> {
    let queue = desk.documents_queue(Nothing {}).await?;
    let Some(upload) = queue.uploads.into_iter().find(|upload| upload.id == lost.id) else {
        let id = on_one_line(&lost.id).into_owned();
        return Err(CommandExit::usage_error(format!(
            "there is no upload {id}; see: bordereau document queue"
        )));
    };
    if decision == LostDecision::SendAgain {
        let again = format!("{} again", upload.file_name);
        confirm_production(upload.environment, &upload.profile, lost.yes, &again)?;
    }
    // --yes replaces the confirmation word, which is the profile's name.
    let typed = if lost.yes { upload.profile } else { String::new() };
    desk.upload_decide(UploadDecision { id: lost.id.clone(), decision, typed }).await?;
    desk.start_work();
    let uploads = follow_uploads(desk, &[lost.id], FollowUntil::ServiceFails).await?;
    output::write_answer(place, &json!({ "uploads": uploads }), || {
        uploads.iter().map(upload_line).collect::<String>()
    })?;
    uploads_exit(&uploads, 0)
}

async fn show_queue(place: &GlobalArgs, desk: &Desk, wait: bool) -> Result<(), CommandExit> {
    let mut ended = Ok(());
    if wait {
        desk.start_work();
        let left = desk.documents_queue(Nothing {}).await?.uploads;
        let ids: Vec<String> =
            left.into_iter().filter(|one| !one.state.is_ended()).map(|one| one.id).collect();
        ended = uploads_exit(&follow_uploads(desk, &ids, FollowUntil::OutcomeKnown).await?, 0);
    }
    let queue = desk.documents_queue(Nothing {}).await?;
    output::write_answer(place, &queue, || {
        output::list_lines(queue.uploads.iter().map(upload_line), "No uploads yet.\n")
    })?;
    ended
}

/// The exit for uploads; `refused` files weren't queued.
fn uploads_exit(uploads: &[UploadView], refused: usize) -> Result<(), CommandExit> {
    if let Some(asked) = uploads.iter().find(|upload| upload.asks) {
        let id = &asked.id;
        return Err(CommandExit::with_failure(format!(
            "upload {id}: {} Say `bordereau document arrived {id}`, `bordereau document send-again {id}` or `bordereau document look-again {id}`.",
            asked.message
        )));
    }
    let waiting = uploads.iter().filter(|upload| !upload.state.is_ended()).count();
    if waiting > 0 {
        return Err(CommandExit::with_failure(format!(
            "{} stored and not sent yet: `bordereau document queue --wait` continues with it",
            pluralize_as(waiting, "file was", "files were")
        )));
    }
    let by_service = uploads.iter().filter(|upload| upload.state == UploadState::Refused).count();
    let told =
        [(by_service, "refused by the service"), (refused, "not queued")].into_iter().filter(|(n, _)| *n > 0);
    let told = told.map(|(n, what)| format!("{} {what}", pluralize_as(n, "file was", "files were")));
    let told: Vec<String> = told.collect();
    if told.is_empty() { Ok(()) } else { Err(CommandExit::rejected(told.join("; "))) }
}

async fn upload_files(place: &GlobalArgs, desk: &Desk, asked: UploadArguments) -> Result<(), CommandExit> {
    let target = asked.transaction.into_target();
    let handles = desk.choose_files(asked.files).into_iter().map(|file| file.handle).collect();
    let looked = desk.documents_inspect(FileInspectionRequest { handles, target: target.clone() }).await?;
    let mut refused: Vec<RefusedFile> = Vec::new();
    let mut files = Vec::new();
    for file in looked.files {
        match file.refused {
            Some(reason) => refused.push(RefusedFile { file_name: file.file_name, reason }),
            None => files.push((file.handle, file.sha256)),
        }
    }
    let mut uploads = Vec::new();
    if !files.is_empty() {
        // --yes replaces the confirmation word.
        let typed = desk.confirmation_show(Nothing {}).await?.type_word;
        desk.start_work();
        let upload =
            |(handle, sha256)| UploadFile { handle, sha256, code: asked.code.clone(), ..Default::default() };
        let files = files.into_iter().map(upload).collect();
        let queued = desk.documents_upload(DocumentsUpload { target, files, typed }).await?;
        refused.extend(queued.refused);
        let ids: Vec<String> = queued.uploads.iter().map(|upload| upload.id.clone()).collect();
        uploads = follow_uploads(desk, &ids, FollowUntil::ServiceFails).await?;
    }
    let refused_line =
        |file: &RefusedFile| format!("not queued  {}: {}\n", on_one_line(&file.file_name), file.reason);
    output::write_answer(place, &json!({ "uploads": uploads, "refused": refused }), || {
        uploads.iter().map(upload_line).chain(refused.iter().map(refused_line)).collect::<String>()
    })?;
    uploads_exit(&uploads, refused.len())?;
    if uploads.is_empty() {
        return Err(CommandExit::rejected("none of the given paths contains a file"));
    }
    Ok(())
}

/// How long to follow an upload whose answer was lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FollowUntil {
    /// As long as any other failure is retried.
    ServiceFails,
    /// Until it is known whether it arrived, or a person must decide.
    OutcomeKnown,
}

/// Waits until all have ended, or the service can't be reached for a while. Reports a failure once.
pub(crate) async fn follow_uploads(
    desk: &Desk,
    ids: &[String],
    until: FollowUntil,
) -> Result<Vec<UploadView>, CommandExit> {
    let mut told = String::new();
    let mut moved = Instant::now();
    let mut open = usize::MAX;
    loop {
        let one_look = tokio::time::timeout(Duration::from_secs(1), desk.documents_wait(ids)).await;
        if let Ok(ended) = one_look {
            return Ok(ended?);
        }
        let queue = desk.documents_queue(Nothing {}).await?;
        let own: Vec<UploadView> =
            queue.uploads.into_iter().filter(|upload| ids.contains(&upload.id)).collect();
        let left = own.iter().filter(|upload| !upload.state.is_ended()).count();
        if left < open {
            open = left;
            moved = Instant::now();
        }
        let trouble =
            own.iter().filter(|upload| !upload.state.is_ended()).find(|upload| !upload.message.is_empty());
        match trouble {
            Some(upload) if upload.message != told => {
                log::log_line(&upload.message);
                told.clone_from(&upload.message);
            }
            _ => {}
        }
        let waits =
            |upload: &&UploadView| until == FollowUntil::OutcomeKnown && upload.state == UploadState::Unknown;
        if trouble.is_some_and(|upload| !waits(&upload)) && moved.elapsed() > PATIENCE {
            return Ok(own);
        }
    }
}

pub(crate) fn upload_line(upload: &UploadView) -> String {
    let word = match upload.state {
        UploadState::Queued => "queued",
        UploadState::Sending => "sending",
        UploadState::Unknown if upload.asks => "undecided",
        UploadState::Unknown => "asking",
        UploadState::Sent => "sent",
        UploadState::Refused => "refused",
        UploadState::Canceled => "canceled",
    };
    let target = if upload.transaction_id.is_empty() {
        format!("invoice {}", on_one_line(&upload.invoice_number))
    } else {
        format!("transaction {}", upload.transaction_id)
    };
    let message =
        if upload.message.is_empty() { String::new() } else { format!("\n            {}", upload.message) };
    format!(
        "{word:<10}  {}  {}  {}  {target}  {} bytes  SHA-256 {}{message}\n",
        upload.id,
        upload.code,
        on_one_line(&upload.file_name),
        upload.bytes,
        upload.sha256
    )
}

async fn download_documents(
    place: &GlobalArgs,
    desk: &Desk,
    asked: DownloadArguments,
) -> Result<(), CommandExit> {
    let target = DocumentTarget { transaction_id: asked.id, ..DocumentTarget::default() };
    let documents = desk.transaction_documents(target.clone()).await?.documents;
    let numbers = match (asked.number, documents.as_slice()) {
        (_, []) => return Err(CommandExit::rejected("the transaction has no documents")),
        (Some(number), all) if all.iter().any(|document| document.number == number) => vec![number],
        (Some(number), all) => {
            return Err(CommandExit::usage_error(format!(
                "there is no document {number}; there are {}",
                document_names(all)
            )));
        }
        (None, [_]) => Vec::new(),
        (None, _) if asked.all => Vec::new(),
        (None, all) => {
            return Err(CommandExit::usage_error(format!(
                "the transaction has {}: {}; add --all or --number N",
                pluralize(all.len(), "document"),
                document_names(all)
            )));
        }
    };
    make_folder(&asked.to)?;
    let fetched = desk.documents_fetch(&target, &numbers, &asked.to).await?;
    let in_json = |file: &FetchedDocument| {
        json!({ "number": file.number, "code": file.code, "path": file.path, "bytes": file.bytes,
                "sha256": file.sha256, "already": file.already })
    };
    let line = |file: &FetchedDocument| {
        let already = if file.already { " (was there already)" } else { "" };
        let FetchedDocument { code, bytes, sha256, .. } = file;
        format!("{code}  {}  {bytes} bytes  SHA-256 {sha256}{already}\n", file.path.display())
    };
    let all: Vec<_> = fetched.iter().map(in_json).collect();
    output::write_answer(place, &json!({ "documents": all }), || fetched.iter().map(line).collect::<String>())
}

fn document_names(documents: &[KeptDocument]) -> String {
    let named: Vec<String> = documents
        .iter()
        .map(|document| format!("{} {} ({})", document.number, document.name, document.code))
        .collect();
    named.join(", ")
}

async fn list_documents(place: &GlobalArgs, desk: &Desk, target: DocumentTarget) -> Result<(), CommandExit> {
    let view = desk.transaction_documents(target).await?;
    output::write_answer(place, &view, || documents_text(&view))
}

fn documents_text(view: &TransactionDocuments) -> String {
    let mut text = format!(
        "Transaction {}  {}  {}  {} {}\n",
        view.transaction_id,
        on_one_line(&view.policy_number),
        on_one_line(&view.insured),
        on_one_line(&view.state),
        on_one_line(&view.transaction_type)
    );
    for document in &view.documents {
        text.push_str(&format!(
            "  {:>3}  {:<8} {}\n",
            document.number,
            on_one_line(&document.code),
            on_one_line(&document.name)
        ));
    }
    for document in view.wanted.iter().filter(|document| !document.there && document.upload) {
        let how = match (document.queued, document.required) {
            (true, _) => "being sent",
            (false, true) => "MISSING, required for the filing",
            (false, false) => "asked for",
        };
        text.push_str(&format!("    -  {:<8} {}: {how}\n", document.code, document.name));
    }
    text
}

async fn list_missing(place: &GlobalArgs, desk: &Desk) -> Result<(), CommandExit> {
    let list = desk.documents_missing(MissingRequest::default()).await?;
    output::write_answer(place, &list, || {
        output::list_lines(list.entries.iter().map(missing_line), "No document is missing.\n")
    })
}

fn missing_line(entry: &MissingEntry) -> String {
    let told = |what: &str, documents: &[WantedDocument]| {
        let codes = documents.iter().map(|document| document.code.as_str()).collect::<Vec<_>>().join(", ");
        if codes.is_empty() { codes } else { format!("  {what}: {codes}") }
    };
    let (required, asked) = (told("required", &entry.required), told("asked for", &entry.asked));
    format!(
        "{:<10}  {}  transaction {}  {} {}{required}{asked}\n",
        entry.due.as_deref().map_or_else(|| "-".to_owned(), format_short_day),
        entry.state,
        entry.transaction_id,
        on_one_line(&entry.policy_number),
        on_one_line(&entry.insured),
    )
}
