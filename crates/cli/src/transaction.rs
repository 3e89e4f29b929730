//! `bordereau transaction`: one transaction entered by hand, checked as in a review and answered at once.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bordereau_desk::Desk;
use bordereau_desk::api::{
    BatchRowsRequest, BatchView, NewTransaction, ReviewId, ReviewSource, ReviewStart, ReviewView, SendScope,
};
use bordereau_host::DataFolder;
use clap::{Args, Subcommand};
use serde_json::json;
use serde_json::value::RawValue;

use crate::exit::CommandExit;
use crate::file_target::{FileTarget, read_data};
use crate::import::findings::ReviewFindings;
use crate::import::{self, report, send};
use crate::import_arguments::{SendingArguments, parse_keep};
use crate::shared_arguments::GlobalArgs;
use crate::{batch, log, open_desk, output, saved_quotes};

const AFTER_NEW: &str = "\
The file of --data is one JSON object with the columns of the import template, such as \
{\"policy_number\": \"0012345678\", \"premium\": \"9521.00\", \"physical_state\": \"TX\"}. Several lines or insurers are \
written as in a spreadsheet: \"GEN-1002 | GEN-1004\", or as a list.

Without --send it is checked and stays as a draft, also for the window. Exit codes as of `bordereau import`.";

#[derive(Debug, Subcommand)]
pub(crate) enum TransactionCommand {
    /// Check a transaction, keep it as a draft or send it
    New(Box<NewArguments>),
    /// Send a draft
    Send {
        /// Id of the draft, as `transaction new` prints it
        id: String,
        #[command(flatten)]
        handling: HandlingArguments,
    },
}

#[derive(Args, Debug)]
#[command(after_help = AFTER_NEW)]
pub(crate) struct NewArguments {
    /// File this quote: its id, as `bordereau saved list` shows it
    #[arg(long, value_name = "ID", required_unless_present = "data")]
    from_quote: Option<String>,
    /// JSON file with the values; - reads standard input. They replace those of the quote
    #[arg(long, value_name = "FILE")]
    data: Option<PathBuf>,
    /// Send it, unless it has errors
    #[arg(long)]
    send: bool,
    #[command(flatten)]
    handling: HandlingArguments,
}

/// What to do before a transaction is sent, and how to send it.
#[derive(Args, Debug)]
pub(crate) struct HandlingArguments {
    /// Apply all certain repairs of this kind first, such as use_calculated; may be repeated
    #[arg(long = "repair", value_name = "KIND")]
    repairs: Vec<String>,
    /// Keep the warnings of this code as they are, with the reason for it; may be repeated
    #[arg(long = "keep", value_name = "CODE=REASON", value_parser = parse_keep)]
    keeps: Vec<(String, String)>,
    /// Stop waiting after this many minutes; the next run continues
    #[arg(long, value_name = "MINUTES", default_value_t = SendingArguments::default().at_most)]
    at_most: u32,
    /// Send to production without asking
    #[arg(long)]
    yes: bool,
}

pub(crate) async fn run_transaction(
    place: &GlobalArgs,
    command: TransactionCommand,
) -> Result<(), CommandExit> {
    let target = Arc::new(FileTarget::default());
    match command {
        TransactionCommand::New(asked) => {
            // Report errors in the file before anything is opened.
            let values = asked.data.as_deref().map(read_values).transpose()?.unwrap_or_default();
            if asked.send {
                let (_alone, desk) = batch::open_alone(place, target).await?;
                let (desk, _) = open_desk::on_profile(place, desk).await?;
                let review = begin(&desk, asked.from_quote.as_deref(), values).await?;
                return send_draft(place, &desk, review, &asked.handling).await;
            }
            let data = DataFolder::find(place.data_dir.clone())?;
            data.create_folder()?;
            let desk = open_desk::open_desk_to_save(place, target)?;
            let _here = log::enter_draft_work(&data, &desk, false).await?;
            // A check never signs in: it works without a service.
            let view = open_desk::find_profile(&desk, place.profile.as_deref()).await?;
            let desk = desk.with_profile(&view.profile.id);
            let review = begin(&desk, asked.from_quote.as_deref(), values).await?;
            check_draft(place, &desk, review, &asked.handling).await
        }
        TransactionCommand::Send { id, handling } => {
            let (_alone, desk) = batch::open_alone(place, target).await?;
            let (desk, _) = open_desk::on_profile(place, desk).await?;
            let review =
                import::wait_until_ready(&desk, desk.review_state(ReviewId { id: id.clone() }).await?)
                    .await?;
            if !review.is_single {
                return Err(CommandExit::usage_error(format!("{id} is a file, not a transaction by hand")));
            }
            send_draft(place, &desk, review, &handling).await
        }
    }
}

async fn begin(
    desk: &Desk,
    quote: Option<&str>,
    values: BTreeMap<String, String>,
) -> Result<ReviewView, CommandExit> {
    let mut begin = NewTransaction { values, ..NewTransaction::default() };
    if let Some(id) = quote {
        let quote = saved_quotes::find_quote(desk, id).await?;
        (begin.quote, begin.answer) = (Some(quote.request), quote.answer);
    }
    let source = ReviewSource::Transaction(Box::new(begin));
    import::wait_until_ready(desk, desk.review_start(ReviewStart { source }).await?).await
}

async fn prepare(
    desk: &Desk,
    review: ReviewView,
    handling: &HandlingArguments,
) -> Result<ReviewView, CommandExit> {
    let review = import::repair_review(desk, review, &handling.repairs).await?;
    import::keep_warnings(desk, review, &handling.keeps).await
}

async fn check_draft(
    place: &GlobalArgs,
    desk: &Desk,
    review: ReviewView,
    handling: &HandlingArguments,
) -> Result<(), CommandExit> {
    let review = prepare(desk, review, handling).await?;
    desk.hand_over_draft(&review.id).await?;
    let found = ReviewFindings::from_review(desk, &review, Vec::new()).await?;
    let id = &review.id;
    output::write_answer(place, &json!({ "draft": id, "review": report::report_json(&found) }), || {
        let text = report::findings_text(&found);
        format!("{text}\nDraft {id}; send it with: bordereau transaction send {id}\n")
    })?;
    found.to_exit()
}

/// Sends it and shows the answer. A transaction that wasn't sent stays a draft.
async fn send_draft(
    place: &GlobalArgs,
    desk: &Desk,
    review: ReviewView,
    handling: &HandlingArguments,
) -> Result<(), CommandExit> {
    let sent = try_send(desk, review.clone(), handling).await;
    let batch = match sent {
        Ok(batch) => batch,
        Err(exit) => {
            desk.hand_over_draft(&review.id).await?;
            log::log_line(&format!("It stays as draft {}", review.id));
            return Err(exit);
        }
    };
    let _ = desk.review_close(ReviewId { id: review.id }).await;
    let request = BatchRowsRequest { id: batch.id.clone(), count: 1, ..Default::default() };
    let rows = desk.batch_rows(request).await?.rows;
    output::write_answer(place, &json!({ "batch": batch, "row": rows.first() }), || {
        let mut text = send::outcome_text(&batch);
        for row in &rows {
            if let Some(number) = &row.transaction_id {
                text.push_str(&format!("  transaction {number} of the service\n"));
            }
            text.push_str(&batch::row_text(row));
        }
        text
    })?;
    send::send_exit(&batch, 0)
}

async fn try_send(
    desk: &Desk,
    review: ReviewView,
    handling: &HandlingArguments,
) -> Result<BatchView, CommandExit> {
    let review = prepare(desk, review, handling).await?;
    let found = ReviewFindings::from_review(desk, &review, Vec::new()).await?;
    if review.counts.errors > 0 {
        for line in report::findings_text(&found).lines() {
            log::log_line(line);
        }
        found.to_exit()?;
    }
    desk.start_work();
    let sending = SendingArguments { wait: true, at_most: handling.at_most, yes: handling.yes };
    send::send(desk, &review.id, SendScope::Valid, &sending, None).await
}

/// The values of a JSON object, as if they were typed.
fn read_values(file: &Path) -> Result<BTreeMap<String, String>, CommandExit> {
    let wrong = |why: String| CommandExit::usage_error(format!("{}: {why}", file.display()));
    let text = read_data(file)?;
    let members: BTreeMap<String, Box<RawValue>> = serde_json::from_str(&text).map_err(|error| {
        wrong(format!("expected one JSON object with the columns of the import template: {error}"))
    })?;
    members
        .into_iter()
        .map(|(name, value)| {
            let text = value_text(value.get(), true).ok_or_else(|| {
                wrong(format!("{name} is neither a text, a number, yes or no, nor a list of them"))
            })?;
            Ok((name, text))
        })
        .collect()
}

/// The digits of a number as in the file: no amount goes through a float.
fn value_text(value: &str, may_be_list: bool) -> Option<String> {
    match value.as_bytes().first()? {
        b'"' => serde_json::from_str(value).ok(),
        b'n' => Some(String::new()),
        b't' => Some("1".to_owned()),
        b'f' => Some("0".to_owned()),
        b'[' if may_be_list => {
            let items: Vec<Box<RawValue>> = serde_json::from_str(value).ok()?;
            let texts: Option<Vec<String>> = items.iter().map(|item| value_text(item.get(), false)).collect();
            Some(texts?.join(" | "))
        }
        b'[' | b'{' => None,
        _ => Some(value.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read_as_they_would_be_typed() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("one.json");
        let read = |text: &str| {
            std::fs::write(&file, text).unwrap();
            read_values(&file)
        };
        let values = read(
            r#"{"policy_number": "0012", "premium": 9521.10, "rpg": true, "line_of_business_list": ["GEN-1002", "GEN-1004"]}"#,
        )
        .unwrap();
        let shown: Vec<(&str, &str)> = values.iter().map(|(k, v)| (k.as_str(), v.as_str())).collect();
        assert_eq!(
            shown,
            [
                ("line_of_business_list", "GEN-1002 | GEN-1004"),
                ("policy_number", "0012"),
                ("premium", "9521.10"),
                ("rpg", "1"),
            ]
        );
        for wrong in ["", "[]", "7", r#"{"a": {"b": 1}}"#, r#"{"a": [[1]]}"#] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
