//! Arguments of `import` and `batch`.

use std::path::PathBuf;

use bordereau_desk::OutboxPace;
use bordereau_desk::api::{NamedCode, SendScope};
use clap::{Args, ValueEnum};

use crate::choice_names::choice_names;

const AFTER_IMPORT: &str = "\
Without --send nothing leaves this computer: the file is read and checked, the issues are listed.

Exit codes: 0 no errors, or everything sent; 2 wrong usage, or --yes is missing for production; 3 rows
with errors, rows the service did not take, no row at all, or an open question; 4 not authorized; 5 service, network,
another import at work in the data folder, or a batch whose answer was lost waits for your decision. What
could not be sent stays in the outbox: the next run of `bordereau import` sends it first, after looking up
what the service has already. Where the service cannot be asked, nothing is sent again until you have said
`bordereau batch arrived ID` or `bordereau batch send-again ID`.";

/// Allowed rows of a chunk: each chunk is a batch, so not too few, and is held in memory, so not too many.
const CHUNK_ROWS_RANGE: std::ops::RangeInclusive<i64> = 100..=50_000;

/// How long a batch is followed.
const AT_MOST_MINUTES: u32 = 120;

/// Read a spreadsheet, check it, send it
#[derive(Args, Debug)]
#[command(after_help = AFTER_IMPORT)]
pub(crate) struct ImportArguments {
    /// CSV, XLSX, XLSM, XLS or ODS file, web page or XML with tables, or a zip of them; several are one batch; - reads
    /// standard input
    #[arg(required_unless_present_any = ["resume", "watch"], value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Watch this folder until the command is stopped: each new file is imported with these options once it
    /// stops growing, the same content only once
    #[arg(long, value_name = "DIR", conflicts_with_all = ["files", "rejects"])]
    pub(crate) watch: Option<PathBuf>,
    /// With --watch: stop once every file there has been read, for a scheduled job
    #[arg(long, requires = "watch")]
    pub(crate) once: bool,
    #[command(flatten)]
    pub(crate) reading: ReadingArguments,
    /// Only check; the default without --send
    #[arg(long, conflicts_with = "send")]
    pub(crate) check: bool,
    /// Send the rows without errors, or all
    #[arg(long, value_enum, value_name = "WHICH")]
    pub(crate) send: Option<SendChoice>,
    /// With --send all: also send rows again that were sent before
    #[arg(long, requires = "send")]
    pub(crate) again: bool,
    /// Folder of documents to attach, matched by policy or invoice number or its documents.csv
    #[arg(long, value_name = "DIR")]
    pub(crate) documents: Option<PathBuf>,
    /// Apply all repairs of this kind first, such as use_calculated; may be repeated, or several with commas
    #[arg(long = "repair", value_name = "KIND", value_delimiter = ',')]
    pub(crate) repairs: Vec<String>,
    /// Keep the warnings of this code as they are, such as tax_differs="rate of the filing": the reason goes into
    /// the audit log; may be repeated
    #[arg(long = "keep", value_name = "CODE=REASON", value_parser = parse_keep)]
    pub(crate) keeps: Vec<(String, String)>,
    /// Save rows with errors to this file, CSV or XLSX, ready to be imported again
    #[arg(long, value_name = "FILE")]
    pub(crate) rejects: Option<PathBuf>,
    /// Read and send the file in chunks of this many rows; a file with more than a million rows is always
    /// read in chunks
    #[arg(long, value_name = "ROWS", value_parser = clap::value_parser!(u32).range(CHUNK_ROWS_RANGE))]
    pub(crate) chunk_rows: Option<u32>,
    /// Batches being sent at the same time, 1 to 8
    #[arg(long, value_name = "COUNT", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=8))]
    pub(crate) in_flight: u8,
    /// With a file in chunks: start over at the first row, not where an earlier run stopped
    #[arg(long, requires = "send")]
    pub(crate) start_over: bool,
    /// Send nothing new: finish what an earlier run started
    #[arg(long, conflicts_with_all = ["files", "watch", "check", "send", "documents", "rejects", "repairs", "keeps", "chunk_rows"])]
    pub(crate) resume: bool,
    #[command(flatten)]
    pub(crate) sending: SendingArguments,
}

pub(crate) fn parse_keep(typed: &str) -> Result<(String, String), String> {
    match typed.split_once('=').map(|(code, reason)| (code.trim(), reason.trim())) {
        Some((code, reason)) if !code.is_empty() && !reason.is_empty() => {
            Ok((code.to_owned(), reason.to_owned()))
        }
        _ => Err("write it as CODE=REASON, with the code that a check shows".to_owned()),
    }
}

/// Options for reading the file, instead of detection.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Reading")]
pub(crate) struct ReadingArguments {
    /// Sheet of a workbook; * for all sheets with columns in common
    #[arg(long, value_name = "NAME")]
    pub(crate) sheet: Option<String>,
    /// A saved mapping by its name, or a mapping file
    #[arg(long, value_name = "NAME|FILE")]
    pub(crate) mapping: Option<String>,
    /// Accept columns that were matched by their content, and what is proposed for other columns and for words; each is
    /// named
    #[arg(long)]
    pub(crate) accept_matches: bool,
    /// Order of day and month in dates such as 03/04/2026
    #[arg(long, value_enum, value_name = "mdy|dmy")]
    pub(crate) date_order: Option<DateOrderChoice>,
    /// Decimal mark of amounts
    #[arg(long, value_enum, value_name = "point|comma")]
    pub(crate) decimal_mark: Option<DecimalMarkChoice>,
    /// Character between cells
    #[arg(long, value_name = "CHARACTER")]
    pub(crate) delimiter: Option<String>,
    /// Encoding: UTF-8, UTF-16LE, UTF-16BE or windows-1252
    #[arg(long, value_name = "NAME")]
    pub(crate) encoding: Option<String>,
    /// Header row, counted as in the file, or none
    #[arg(long, value_name = "ROW|none")]
    pub(crate) header_row: Option<String>,
    /// Which rows make one transaction
    #[arg(long, value_enum)]
    pub(crate) group: Option<GroupingChoice>,
    /// How amounts in several rows of one transaction are treated
    #[arg(long, value_enum)]
    pub(crate) row_amounts: Option<AmountChoice>,
}

impl ReadingArguments {
    /// The options as answers to the review, by name and value; first those that need the file read again.
    pub(crate) fn detection_overrides(&self) -> Vec<NamedCode> {
        let order = self.date_order.map(|order| match order {
            DateOrderChoice::Mdy => "month_first".to_owned(),
            DateOrderChoice::Dmy => "day_first".to_owned(),
        });
        let mark = self.decimal_mark.map(|mark| match mark {
            DecimalMarkChoice::Point => "point".to_owned(),
            DecimalMarkChoice::Comma => "comma".to_owned(),
        });
        let group = self.group.map(|group| match group {
            GroupingChoice::None => "none".to_owned(),
            GroupingChoice::Id => "by_id".to_owned(),
            GroupingChoice::Policy => "by_policy".to_owned(),
        });
        let amounts = self.row_amounts.map(|amounts| match amounts {
            AmountChoice::Add => "add".to_owned(),
            AmountChoice::Repeat => "repeat".to_owned(),
        });
        let delimiter = self.delimiter.clone().map(|d| if d == "\\t" { "\t".to_owned() } else { d });
        let given = [
            ("sheet", self.sheet.clone()),
            ("encoding", self.encoding.clone()),
            ("delimiter", delimiter),
            ("header_row", self.header_row.clone()),
            ("decimal_mark", mark),
            ("date_order", order),
            ("grouping", group),
            ("row_amounts", amounts),
        ];
        given
            .into_iter()
            .filter_map(|(code, name)| Some(NamedCode { code: code.into(), name: name? }))
            .collect()
    }
}

/// Options for sending and following a batch.
#[derive(Args, Debug, Clone)]
#[command(next_help_heading = "Sending")]
pub(crate) struct SendingArguments {
    /// Wait until the service has processed every row
    #[arg(long)]
    pub(crate) wait: bool,
    /// Stop waiting after this many minutes; the next run continues with the batch
    #[arg(long, value_name = "MINUTES", default_value_t = AT_MOST_MINUTES)]
    pub(crate) at_most: u32,
    /// Send to production without asking
    #[arg(long)]
    pub(crate) yes: bool,
}

impl ImportArguments {
    /// The outbox's pace for a command.
    pub(crate) fn outbox_pace(&self) -> OutboxPace {
        OutboxPace { parts_in_flight: usize::from(self.in_flight), ..OutboxPace::default() }
    }
}

choice_names! {
    SendChoice => SendScope {
        /// Rows without an error
        Valid => Valid,
        /// All rows
        All => All,
    }
}

impl Default for SendingArguments {
    fn default() -> SendingArguments {
        SendingArguments { wait: false, at_most: AT_MOST_MINUTES, yes: false }
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum DateOrderChoice {
    /// mm/dd/yyyy
    Mdy,
    /// dd/mm/yyyy
    Dmy,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum DecimalMarkChoice {
    /// 1,250.50
    Point,
    /// 1.250,50
    Comma,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum GroupingChoice {
    /// Each row is one
    None,
    /// Rows with the same id
    Id,
    /// Rows with the same policy, type, date and invoice
    Policy,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum AmountChoice {
    /// Parts to be added
    Add,
    /// The same amount again
    Repeat,
}
