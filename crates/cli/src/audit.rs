//! `bordereau audit`.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use bordereau_contract::pluralize_as;
use bordereau_desk::Desk;
use bordereau_desk::api::{AuditEntry, AuditExport, AuditExportKind, AuditHeadFile, Nothing};
use clap::Subcommand;
use serde_json::json;

use crate::exit::CommandExit;
use crate::file_target::{FileTarget, can_be_saved};
use crate::shared_arguments::GlobalArgs;
use crate::{open_desk, output};
use bordereau_host::terminal_text::on_one_line;

#[derive(Debug, Subcommand)]
pub(crate) enum AuditCommand {
    /// Entries, newest first
    List {
        /// At most this many entries
        #[arg(long, value_name = "COUNT", default_value_t = 50)]
        limit: u32,
    },
    /// Check that no entry was changed or removed
    Verify {
        /// Compare with a checkpoint saved earlier, which also shows a log that was replaced
        #[arg(long, alias = "head", value_name = "FILE")]
        checkpoint: Option<PathBuf>,
    },
    /// Save the last entry's day, number and hash; keep it where this computer can't write
    #[command(alias = "head")]
    Checkpoint {
        /// The file
        #[arg(long, value_name = "FILE")]
        to: PathBuf,
    },
    /// Save all entries for an examiner, as CSV or PDF
    Export {
        /// The file; its name ends in .csv or .pdf
        #[arg(long, value_name = "FILE")]
        to: PathBuf,
    },
}

pub(crate) async fn run_audit(place: &GlobalArgs, command: AuditCommand) -> Result<(), CommandExit> {
    match command {
        AuditCommand::List { limit } => list_entries(place, &open(place, None)?, limit as usize).await,
        AuditCommand::Verify { checkpoint } => verify(place, &open(place, None)?, checkpoint).await,
        AuditCommand::Checkpoint { to } => save(place, &to, AuditExportKind::Head).await,
        AuditCommand::Export { to } => {
            let extension = to.extension().map(|end| end.to_string_lossy().to_lowercase());
            let kind = match extension.as_deref() {
                Some("csv") => AuditExportKind::Csv,
                Some("pdf") => AuditExportKind::Pdf,
                _ => return Err(CommandExit::usage_error("the file's name must end in .csv or .pdf")),
            };
            save(place, &to, kind).await
        }
    }
}

fn open(place: &GlobalArgs, file: Option<PathBuf>) -> Result<Desk, CommandExit> {
    open_desk::open_desk_to_save(place, Arc::new(FileTarget::new(file)))
}

async fn save(place: &GlobalArgs, file: &Path, kind: AuditExportKind) -> Result<(), CommandExit> {
    can_be_saved(file)?;
    let saved = open(place, Some(file.to_owned()))?.audit_export(AuditExport { kind }).await?;
    output::write_answer(place, &saved, || format!("Saved {}.\n", saved.file_name))
}

async fn verify(place: &GlobalArgs, desk: &Desk, checkpoint: Option<PathBuf>) -> Result<(), CommandExit> {
    let log = desk.audit_list(Nothing {}).await?;
    let count = pluralize_as(log.entries.len(), "entry", "entries");
    let (holds, message, head) = match checkpoint {
        Some(file) => {
            let handle = desk.choose_files(vec![file]).pop().map(|file| file.handle).unwrap_or_default();
            let check = desk.audit_check_head(AuditHeadFile { handle }).await?;
            (check.holds, check.message, check.head)
        }
        None if log.intact => (true, "No entry was changed or removed.".to_owned(), None),
        None => (false, "The hash chain is broken: entries were changed or removed.".to_owned(), None),
    };
    if place.json {
        output::write_json(
            &json!({ "entries": log.entries.len(), "holds": holds, "message": message, "head": head }),
        )?;
    } else if holds {
        output::write(&format!("{count}. {message}\n"))?;
    }
    if holds { Ok(()) } else { Err(CommandExit::with_failure(message)) }
}

async fn list_entries(place: &GlobalArgs, desk: &Desk, limit: usize) -> Result<(), CommandExit> {
    let mut log = desk.audit_list(Nothing {}).await?;
    let (all, intact) = (log.entries.len(), log.intact);
    log.entries.truncate(limit);
    if place.json {
        output::write_json(&json!(log))?;
    } else {
        let line = |entry: &AuditEntry| {
            format!(
                "{:>6}  {:<22}  {}  {}\n",
                entry.number,
                output::local_time(&entry.at),
                on_one_line(&entry.author()),
                on_one_line(&entry.text)
            )
        };
        let mut text: String = log.entries.iter().map(line).collect();
        text.push_str(&format!("{} of {}", log.entries.len(), pluralize_as(all, "entry", "entries")));
        text.push_str(if intact {
            "; the log is whole\n"
        } else {
            "; THE LOG WAS CHANGED: entries do not fit together\n"
        });
        output::write(&text)?;
    }
    if intact {
        Ok(())
    } else {
        Err(CommandExit::with_failure("the audit log was changed outside of Bordereau"))
    }
}
