//! `bordereau data`.

use std::path::PathBuf;
use std::sync::Arc;

use bordereau_contract::pluralize;
use bordereau_desk::api::{DataSafety, EraseRequest, EraseView, Nothing, RetentionRules, RetentionView};
use clap::{Args, Subcommand};
use serde_json::json;

use crate::exit::CommandExit;
use crate::file_target::FileTarget;
use crate::shared_arguments::GlobalArgs;
use crate::{file_target, open_desk, output};

#[derive(Debug, Subcommand)]
pub(crate) enum DataCommand {
    /// Show whether the data folder is encrypted
    Status,
    /// Encrypt the data folder with a key in the keychain, or in the key file
    ///
    /// Without a keychain, make a key file with `bordereau data key new` and name it with --data-key-file.
    ///
    /// This happens once nothing else has the folder open: now, or at the next start. Each file is rewritten and checked
    /// before it replaces the old one.
    Encrypt,
    /// Remove the encryption of the data folder
    Decrypt {
        /// Confirm: anyone who can read the files can then read the data
        #[arg(long)]
        yes: bool,
    },
    /// The key of the data folder
    #[command(subcommand)]
    Key(KeyCommand),
    /// Erase an insured or a year from this computer; without --yes it only shows what would be erased
    ///
    /// The service keeps its own records. Earlier backups that still have the data are listed.
    Erase(EraseArguments),
    /// Show or change how many days finished data of the profile in use is kept on this computer
    ///
    /// Unfinished work, items that wait for you, and only copies are always kept. Without --yes nothing is
    /// changed; it only shows what would be deleted.
    Retention(RetentionArguments),
}

#[derive(Debug, Subcommand)]
pub(crate) enum KeyCommand {
    /// Make a new key as a file, to encrypt a data folder with where there is no keychain
    ///
    /// Name it with --data-key-file when you create the folder or run `bordereau data encrypt`, and each time you open
    /// the folder. Without the file nobody can open the folder or its backups: keep a copy of it.
    New {
        /// File to save it in, readable by its owner only; an existing file is not overwritten
        #[arg(long, value_name = "FILE")]
        to: PathBuf,
    },
    /// Save the key as a file, for commands without a keychain and for another computer
    ///
    /// It is the recovery key: it opens backups as well.
    Save {
        /// File to save it in, readable by its owner only; keep it away from the data folder and the backups
        #[arg(long, value_name = "FILE")]
        to: PathBuf,
    },
}

#[derive(Args, Debug)]
pub(crate) struct RetentionArguments {
    /// Documents of rows that the service accepted; 0: as soon as their batch has ended
    #[arg(long, value_name = "DAYS", value_parser = read_days)]
    documents: Option<KeptDays>,
    /// What was sent of a row, and the service's messages on it
    #[arg(long, value_name = "DAYS", value_parser = read_days)]
    rows: Option<KeptDays>,
    /// Bodies of events that were read, and refused deliveries
    #[arg(long, value_name = "DAYS", value_parser = read_days)]
    events: Option<KeptDays>,
    /// Copies of documents whose upload was refused or canceled
    #[arg(long, value_name = "DAYS", value_parser = read_days)]
    uploads: Option<KeptDays>,
    /// Drafts that were sent as a whole
    #[arg(long, value_name = "DAYS", value_parser = read_days)]
    drafts: Option<KeptDays>,
    /// Quotes that were calculated and not saved
    #[arg(long, value_name = "DAYS", value_parser = read_days)]
    quotes: Option<KeptDays>,
    /// Confirm: deleted data can't be recovered
    #[arg(long)]
    yes: bool,
}

/// A number of days, or always.
#[derive(Clone, Copy, Debug)]
struct KeptDays(Option<u32>);

fn read_days(text: &str) -> Result<KeptDays, String> {
    match text {
        "always" => Ok(KeptDays(None)),
        days => days
            .parse()
            .map(|days| KeptDays(Some(days)))
            .map_err(|_| "Enter a number of days, or always.".to_owned()),
    }
}

#[derive(Args, Debug)]
pub(crate) struct EraseArguments {
    /// Name of the insured; capitals and spaces don't matter
    #[arg(long, value_name = "NAME", required_unless_present = "year", conflicts_with = "year")]
    insured: Option<String>,
    /// Year of what was sent, received, quoted or drafted, and of the transactions
    #[arg(long, value_name = "YEAR")]
    year: Option<u32>,
    /// Confirm: it cannot be undone
    #[arg(long)]
    yes: bool,
}

pub(crate) async fn run_data(place: &GlobalArgs, command: DataCommand) -> Result<(), CommandExit> {
    match command {
        DataCommand::Status => {
            print_encryption(place, &open_desk::open_desk(place)?.backup_list(Nothing {}).await?)
        }
        DataCommand::Encrypt => {
            open_desk::open_desk(place)?.data_encrypt(Nothing {}).await?;
            print_reopened(place).await
        }
        DataCommand::Decrypt { yes: false } => Err(CommandExit::usage_error(
            "whoever can read the files of the data folder can read what is in them then. Add --yes to do it",
        )),
        DataCommand::Decrypt { yes: true } => {
            open_desk::open_desk(place)?.data_decrypt(Nothing {}).await?;
            print_reopened(place).await
        }
        DataCommand::Key(KeyCommand::New { to }) => make_key_file(to).await,
        DataCommand::Key(KeyCommand::Save { to }) => save_recovery_key(place, to).await,
        DataCommand::Erase(asked) => run_erase(place, asked).await,
        DataCommand::Retention(asked) => run_retention(place, asked).await,
    }
}

/// Opens the folder once more, which carries out the request unless another process has it open.
async fn print_reopened(place: &GlobalArgs) -> Result<(), CommandExit> {
    print_encryption(place, &open_desk::open_desk(place)?.backup_list(Nothing {}).await?)
}

fn print_encryption(place: &GlobalArgs, safety: &DataSafety) -> Result<(), CommandExit> {
    if place.json {
        let (state, text) = (safety.encryption, &safety.encryption_text);
        return output::write_json(&json!({ "encryption": state, "text": text }));
    }
    output::write(&format!("{}\n", safety.encryption_text))
}

/// Makes a new key file; an existing file is never overwritten, because it may be a folder's key.
async fn make_key_file(to: PathBuf) -> Result<(), CommandExit> {
    if to.exists() {
        return Err(CommandExit::usage_error(format!("{} is there already; name a new file", to.display())));
    }
    let saved = bordereau_desk::key_file_make(to).await?;
    output::write(&format!("saved {}\n", saved.file_name))
}

/// Saves the recovery key as a file, which also serves as key file.
pub(crate) async fn save_recovery_key(place: &GlobalArgs, out: PathBuf) -> Result<(), CommandExit> {
    file_target::can_be_saved(&out)?;
    let desk = open_desk::open_desk_to_save(place, Arc::new(FileTarget::new(Some(out))))?;
    let saved = desk.recovery_key_save(Nothing {}).await?;
    output::write(&format!("saved {}\n", saved.file_name))
}

async fn run_retention(place: &GlobalArgs, asked: RetentionArguments) -> Result<(), CommandExit> {
    let desk = open_desk::open_desk(place)?;
    let now = desk.data_retention(Nothing {}).await?;
    let days = |asked: Option<KeptDays>, now: Option<u32>| asked.map_or(now, |KeptDays(days)| days);
    let rules = RetentionRules {
        documents: days(asked.documents, now.rules.documents),
        rows: days(asked.rows, now.rules.rows),
        events: days(asked.events, now.rules.events),
        uploads: days(asked.uploads, now.rules.uploads),
        drafts: days(asked.drafts, now.rules.drafts),
        quotes: days(asked.quotes, now.rules.quotes),
    };
    let view = if asked.yes {
        desk.data_retention_save(rules).await?
    } else {
        desk.data_retention_preview(rules).await?
    };
    output::write_answer(place, &view, || describe_retention(&view, rules != now.rules, asked.yes))
}

fn describe_retention(view: &RetentionView, is_change: bool, is_done: bool) -> String {
    let mut text = format!("Retention of profile {}:\n", view.profile);
    for (name, days) in view.rules.named_days() {
        let days = days.map_or("always".to_owned(), |days| pluralize(days, "day"));
        text.push_str(&format!("  {name:<10}{days}\n"));
    }
    let words = view.counts.count_words();
    let words = if words.is_empty() { "nothing".to_owned() } else { words };
    text.push_str(&format!("{}: {words}.\n", if is_done { "Let go" } else { "Would be deleted now" }));
    if is_change && !is_done {
        text.push_str("Add --yes to change it. Deleted data can't be recovered.\n");
    }
    text
}

async fn run_erase(place: &GlobalArgs, asked: EraseArguments) -> Result<(), CommandExit> {
    let desk = open_desk::open_desk(place)?;
    let request =
        EraseRequest { insured: asked.insured.unwrap_or_default(), year: asked.year.unwrap_or_default() };
    let view =
        if asked.yes { desk.data_erase(request).await? } else { desk.data_erase_preview(request).await? };
    output::write_answer(place, &view, || describe_erasure(&view))
}

fn describe_erasure(view: &EraseView) -> String {
    let is_done = !view.proof.is_empty();
    let mut text =
        format!("{}: {}.\n", if is_done { "Erased" } else { "Would be erased" }, view.count_words(),);
    if view.sending > 0 {
        text.push_str(&format!(
            "{} of them are still being sent: nothing can be erased yet.\n",
            view.sending
        ));
    }
    if view.unsearched_drafts > 0 {
        text.push_str(&format!("{} drafts aren't searched: check them yourself.\n", view.unsearched_drafts));
    }
    if view.log_entries > 0 {
        text.push_str(&format!(
            "{} entries of the audit log contain the name and are kept.\n",
            view.log_entries
        ));
    }
    if !view.copies.is_empty() {
        text.push_str(&format!("Still held by: {}\n", view.copies.join(", ")));
    }
    text.extend(view.unseen.lines().map(|line| format!("{line}\n")));
    text.push_str("The service keeps its own data: anything fetched from it again comes back.\n");
    if is_done {
        text.push_str(&format!("Proof of erasure; keep it: {}\n", view.proof));
    } else {
        text.push_str("Add --yes to erase it. It cannot be undone.\n");
    }
    text
}
