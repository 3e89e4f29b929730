//! `import` and `batch` as people type them.

use std::path::PathBuf;

use bordereau_desk::api::{Coded, SendScope};
use clap::{Args, Subcommand, ValueEnum};

const AFTER_IMPORT: &str = "\
Without --send nothing leaves this computer: the file is read and checked, the issues are listed.

Exit codes: 0 no errors, or everything sent; 2 wrong usage, or --yes is missing for production; 3 rows
with errors, rows the service did not take, no row at all, or an open question; 4 not authorized; 5 service, network,
another import at work in the data folder, or a batch whose answer was lost waits for your decision. What
could not be sent stays in the outbox: the next run of `bordereau import` sends it first, after looking up
what the service has already. Where the service cannot be asked, nothing is sent again until you have said
`bordereau batch arrived ID` or `bordereau batch send-again ID`.";

/// How long a batch is followed.
const AT_MOST_MINUTES: u32 = 120;

/// Read a spreadsheet, check it, send it
#[derive(Args, Debug)]
#[command(after_help = AFTER_IMPORT)]
pub(crate) struct ImportArguments {
    /// CSV, XLSX, XLSM, XLS or ODS file; - reads standard input
    #[arg(required_unless_present = "resume")]
    pub(crate) file: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) reading: Reading,
    /// Only check; the default without --send
    #[arg(long, conflicts_with = "send")]
    pub(crate) check: bool,
    /// Send the rows without errors, or all
    #[arg(long, value_enum, value_name = "WHICH")]
    pub(crate) send: Option<Which>,
    /// With --send all: also send rows again that were sent before
    #[arg(long, requires = "send")]
    pub(crate) again: bool,
    /// Folder of documents to attach, matched by policy or invoice number or its documents.csv
    #[arg(long, value_name = "DIR")]
    pub(crate) documents: Option<PathBuf>,
    /// Apply all certain repairs of this kind first, such as use_calculated; may be repeated
    #[arg(long = "repair", value_name = "KIND")]
    pub(crate) repairs: Vec<String>,
    /// Save rows with errors to this file, CSV or XLSX, ready to be imported again
    #[arg(long, value_name = "FILE")]
    pub(crate) rejects: Option<PathBuf>,
    /// Send nothing new: finish what an earlier run started
    #[arg(long, conflicts_with_all = ["file", "check", "send", "documents", "rejects", "repairs"])]
    pub(crate) resume: bool,
    #[command(flatten)]
    pub(crate) sending: Sending,
}

/// How the file is read, where detection is not wanted.
#[derive(Args, Debug)]
#[command(next_help_heading = "Reading")]
pub(crate) struct Reading {
    /// Sheet of a workbook
    #[arg(long, value_name = "NAME")]
    pub(crate) sheet: Option<String>,
    /// A saved mapping by its name, or a mapping file
    #[arg(long, value_name = "NAME|FILE")]
    pub(crate) mapping: Option<String>,
    /// Accept columns that were matched by their content
    #[arg(long)]
    pub(crate) accept_matches: bool,
    /// Order of day and month in dates such as 03/04/2026
    #[arg(long, value_enum, value_name = "mdy|dmy")]
    pub(crate) date_order: Option<Order>,
    /// Decimal mark of amounts
    #[arg(long, value_enum, value_name = "point|comma")]
    pub(crate) decimal_mark: Option<Mark>,
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
    pub(crate) group: Option<Group>,
    /// How amounts in several rows of one transaction are treated
    #[arg(long, value_enum)]
    pub(crate) row_amounts: Option<Amounts>,
}

impl Reading {
    /// The options as the review's answers: what, and its value; first those that need the file read again.
    pub(crate) fn overrides(&self) -> Vec<Coded> {
        let order = self.date_order.map(|order| match order {
            Order::Mdy => "month_first".to_owned(),
            Order::Dmy => "day_first".to_owned(),
        });
        let mark = self.decimal_mark.map(|mark| match mark {
            Mark::Point => "point".to_owned(),
            Mark::Comma => "comma".to_owned(),
        });
        let group = self.group.map(|group| match group {
            Group::None => "none".to_owned(),
            Group::Id => "by_id".to_owned(),
            Group::Policy => "by_policy".to_owned(),
        });
        let amounts = self.row_amounts.map(|amounts| match amounts {
            Amounts::Add => "add".to_owned(),
            Amounts::Repeat => "repeat".to_owned(),
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
        given.into_iter().filter_map(|(code, name)| Some(Coded { code: code.into(), name: name? })).collect()
    }
}

/// How a batch is sent and followed.
#[derive(Args, Debug, Clone)]
#[command(next_help_heading = "Sending")]
pub(crate) struct Sending {
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

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Which {
    /// Rows without an error
    Valid,
    /// All rows
    All,
}

impl Default for Sending {
    fn default() -> Sending {
        Sending { wait: false, at_most: AT_MOST_MINUTES, yes: false }
    }
}

impl From<Which> for SendScope {
    fn from(which: Which) -> SendScope {
        match which {
            Which::Valid => SendScope::Valid,
            Which::All => SendScope::All,
        }
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Order {
    /// mm/dd/yyyy
    Mdy,
    /// dd/mm/yyyy
    Dmy,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Mark {
    /// 1,250.50
    Point,
    /// 1.250,50
    Comma,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Group {
    /// Each row is one
    None,
    /// Rows with the same id
    Id,
    /// Rows with the same policy, type, date and invoice
    Policy,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Amounts {
    /// Parts to be added
    Add,
    /// The same amount again
    Repeat,
}

#[derive(Debug, Subcommand)]
pub(crate) enum BatchCommand {
    /// List all batches, newest first
    List,
    /// One batch and its results, row by row
    Show {
        /// Id, as `batch list` shows it
        id: String,
    },
    /// Repair rejected rows and send the changed rows again
    Resend {
        /// Id, as `batch list` shows it
        id: String,
        /// The kind of repair to apply, such as use_calculated; may be repeated
        #[arg(long = "repair", value_name = "KIND", required = true)]
        repairs: Vec<String>,
        #[command(flatten)]
        sending: Sending,
    },
    /// Confirm that a batch without an answer arrived at the service
    Arrived {
        /// Id, as `batch list` shows it
        id: String,
        /// The service's number of the batch, if its portal shows one: its results are then fetched
        #[arg(long, value_name = "NUMBER")]
        number: Option<String>,
    },
    /// Confirm that a batch without an answer did not arrive, and send it again
    SendAgain {
        /// Id, as `batch list` shows it
        id: String,
        #[command(flatten)]
        sending: Sending,
    },
    /// Look up a batch without an answer once more
    LookAgain {
        /// Id, as `batch list` shows it
        id: String,
        #[command(flatten)]
        sending: Sending,
    },
    /// Save the rows that were rejected, CSV or XLSX, ready to be imported again
    Rejects {
        /// Id, as `batch list` shows it
        id: String,
        /// File to save
        #[arg(default_value = "rejects.csv")]
        file: PathBuf,
    },
}
