//! `bordereau backup` and `bordereau export`.

use std::path::PathBuf;

use bordereau_contract::{pluralize, pluralize_as};
use bordereau_desk::Desk;
use bordereau_desk::api::{BackupName, BackupView, DataSafety, Nothing};
use clap::{Args, Subcommand};

use crate::data::save_recovery_key;
use crate::exit::CommandExit;
use crate::secret_entry::ask_secret;
use crate::shared_arguments::GlobalArgs;
use crate::{open_desk, output};

/// Name for the newest backup.
const NEWEST: &str = "newest";

#[derive(Debug, Subcommand)]
pub(crate) enum BackupCommand {
    /// List backups, and risks to the data
    List,
    /// Make a backup now; fourteen are kept
    Make,
    /// Check the data file from end to end, or a backup
    Check {
        /// Name of the backup, or newest [default: the data file]
        name: Option<String>,
    },
    /// Restore a backup; the current data file is kept
    ///
    /// Anything unsent in the backup is looked up at the service before it is sent.
    Restore {
        /// Name of the backup, newest, or the file of a backup from elsewhere
        name: String,
        /// Ask for the recovery key of the computer that made it, or read it from standard input
        #[arg(long)]
        recovery_key: bool,
        /// Confirm: work done since the backup is not in it
        #[arg(long)]
        yes: bool,
    },
    /// Save the recovery key: opens sealed backups on another computer, or when the keychain is lost
    RecoveryKey {
        /// File to save it in, readable by its owner only; keep it away from the backups
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
    },
    /// Confirm that no other copy of this data folder sends, so nothing is looked up first anymore
    OnlyCopy {
        /// Confirm: rows that another copy has sent would be sent twice
        #[arg(long)]
        yes: bool,
    },
}

#[derive(Args, Debug)]
pub(crate) struct ExportArguments {
    /// Everything: quotes, batches with their rows, documents, events, the audit log
    #[arg(long, value_name = "FOLDER", required = true)]
    all: PathBuf,
}

pub(crate) async fn run_backup(place: &GlobalArgs, command: BackupCommand) -> Result<(), CommandExit> {
    let desk = open_desk::open_desk(place)?;
    match command {
        BackupCommand::List => print_safety(place, &desk.backup_list(Nothing {}).await?),
        BackupCommand::Make => print_safety(place, &desk.backup_make(Nothing {}).await?),
        BackupCommand::Check { name: None } => print_safety(place, &desk.data_check(Nothing {}).await?),
        BackupCommand::Check { name: Some(name) } => {
            let checked = desk.backup_check(find_backup(&desk, name).await?).await?;
            output::write_answer(place, &checked, || {
                format!(
                    "{} is sound: {} with {}, {} waiting to be uploaded.\n",
                    checked.name,
                    pluralize_as(checked.batches, "batch", "batches"),
                    pluralize(checked.rows, "row"),
                    pluralize(checked.documents, "document")
                )
            })
        }
        BackupCommand::Restore { yes: false, .. } => Err(CommandExit::usage_error(
            "the backup doesn't have the work done since then; the current data file is kept beside it. Add \
                 --yes to restore it",
        )),
        BackupCommand::Restore { name, recovery_key, yes: true } => {
            restore(&desk, name, recovery_key).await?;
            // Opening it once more restores the backup, unless another process has the data open.
            drop(desk);
            let safety = open_desk::open_desk(place)?.backup_list(Nothing {}).await?;
            print_safety(place, &safety)
        }
        BackupCommand::RecoveryKey { out } => {
            drop(desk);
            save_recovery_key(place, out).await
        }
        BackupCommand::OnlyCopy { yes: false } => Err(CommandExit::usage_error(
            "rows that another copy of this data folder has sent would be sent twice. Add --yes where there is no other",
        )),
        BackupCommand::OnlyCopy { yes: true } => {
            print_safety(place, &desk.only_copy_confirm(Nothing {}).await?)
        }
    }
}

pub(crate) async fn run_export(place: &GlobalArgs, asked: ExportArguments) -> Result<(), CommandExit> {
    let is_empty =
        |folder: &PathBuf| std::fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_none());
    if asked.all.exists() && !is_empty(&asked.all) {
        let text = format!("{} is there already; name an empty or a new folder", asked.all.display());
        return Err(CommandExit::usage_error(text));
    }
    let done = open_desk::open_desk(place)?.export_data(asked.all).await?;
    output::write_answer(place, &done, || {
        format!(
            "saved {}: {} with {}, each as CSV and JSON, and {}\n",
            done.folder_name,
            pluralize(done.tables, "table"),
            pluralize(done.rows, "row"),
            pluralize(done.documents, "document")
        )
    })
}

async fn restore(desk: &Desk, name: String, has_recovery_key: bool) -> Result<DataSafety, CommandExit> {
    let backups = desk.backup_list(Nothing {}).await?.backups;
    let is_listed = name == NEWEST || backups.iter().any(|backup| backup.name == name);
    if is_listed && !has_recovery_key {
        return Ok(desk.backup_restore(find_backup(desk, name).await?).await?);
    }
    let key = if has_recovery_key { ask_secret("recovery key")? } else { String::new() };
    Ok(desk.restore_file(PathBuf::from(name), key).await?)
}

async fn find_backup(desk: &Desk, name: String) -> Result<BackupName, CommandExit> {
    if name != NEWEST {
        return Ok(BackupName { name });
    }
    let newest = desk.backup_list(Nothing {}).await?.backups.into_iter().next();
    let newest = newest.ok_or_else(|| CommandExit::usage_error("there is no backup yet"))?;
    Ok(BackupName { name: newest.name })
}

fn print_safety(place: &GlobalArgs, safety: &DataSafety) -> Result<(), CommandExit> {
    output::write_answer(place, safety, || safety_text(safety))
}

fn safety_text(safety: &DataSafety) -> String {
    let mut text: String = safety.backups.iter().map(backup_line).collect();
    if safety.backups.is_empty() {
        text.push_str("No backups yet.\n");
    }
    text.push_str(&format!("{}\n", safety.sealing));
    match safety.checked_at.as_str() {
        "" => text.push_str("The data file was not checked from end to end yet.\n"),
        at => text
            .push_str(&format!("The data file was checked from end to end on {}.\n", output::local_time(at))),
    }
    if safety.has_keychain && safety.recovery_key_saved_at.is_empty() {
        text.push_str("The recovery key isn't saved: bordereau backup recovery-key --out FILE\n");
    }
    for notice in [&safety.damage, &safety.obstacle] {
        if !notice.is_empty() {
            text.push_str(&format!("{notice}\n"));
        }
    }
    if !safety.copied_at.is_empty() {
        text.push_str(&format!(
            "Since {} this data folder is known as a copy or a restored backup: everything is looked up at the service before it is sent. Where no other copy sends: bordereau backup only-copy --yes\n",
            output::local_time(&safety.copied_at)
        ));
    }
    if safety.staged {
        text.push_str(
            "A backup takes its place once every Bordereau that has this data folder open is closed.\n",
        );
    }
    text
}

fn backup_line(backup: &BackupView) -> String {
    let sealed = if backup.sealed { "sealed" } else { "not sealed" };
    let made_at = output::local_time(&backup.made_at);
    format!("{}  {made_at:<22}  {:>12} bytes  {sealed}\n", backup.name, backup.bytes)
}
