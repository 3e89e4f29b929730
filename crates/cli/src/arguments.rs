//! The command line's arguments.

use std::net::SocketAddr;
use std::path::PathBuf;

use bordereau_contract::{EntityType, Occupancy, TransactionType};
use bordereau_desk::api::{QuoteLine, QuoteRequest, ReturnMethod, SheetDetails};
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Args, Command, CommandFactory, FromArgMatches, Parser, Subcommand};
use clap_complete::Shell;

use crate::assign::AssignArguments;
use crate::audit::AuditCommand;
use crate::backup::{BackupCommand, ExportArguments};
use crate::batch::BatchCommand;
use crate::choice_names::choice_names;
use crate::data::DataCommand;
use crate::document::DocumentCommand;
use crate::due::DueArguments;
use crate::events::EventsArguments;
use crate::forms::FormsCommand;
use crate::idle_lock::LockCommand;
use crate::import_arguments::ImportArguments;
use crate::listen::ListenArguments;
use crate::mapping::MappingCommand;
use crate::practice::PracticeCommand;
use crate::profile_arguments::ProfileCommand;
use crate::rate_changes::RateChangesArguments;
use crate::rates::RatesArguments;
use crate::rules::RulesCommand;
use crate::saved_quotes::SavedCommand;
use crate::search::SearchArguments;
use crate::shared_arguments::{CertificateArgs, ChargerName, GlobalArgs, charger_code};
use crate::status::StatusArguments;
use crate::transaction::TransactionCommand;
use crate::webhook::WebhookCommand;
use crate::work::WorkArguments;
use crate::workspace::WorkspaceCommand;

const AFTER_HELP: &str = "\
Exit codes: 0 done; 2 wrong usage, or what is named is not there; 3 rejected by validation;
4 not authorized; 5 service, network or this machine.

Environment: BORDEREAU_DATA_DIR moves all state. For unattended use BORDEREAU_API_KEY and
BORDEREAU_PASSWORD are read at run time for the profile in use and never stored; with _FILE behind
its name, a variable names a file that holds the secret and that only its owner can read.";

/// Names of values that may not be empty. A shell variable that isn't set gives an empty text, which would mean today,
/// all there is, or the usual folder.
const NEVER_EMPTY: [&str; 9] = ["DATE", "A..B", "PERCENT", "USD", "NUMBER", "ID", "DIR", "KIND", "B|DC"];

/// The arguments of this process.
pub(crate) fn parse_arguments() -> Result<CliArguments, clap::Error> {
    let mut command = CliArguments::command();
    let matches = command.try_get_matches_from_mut(std::env::args_os())?;
    if let Some(option) = find_empty(&command, &matches) {
        let text = format!("--{option} is empty: give it a value, or leave it out");
        return Err(command.error(clap::error::ErrorKind::InvalidValue, text));
    }
    CliArguments::from_arg_matches(&matches).map_err(|error| error.format(&mut command))
}

/// An option that was given an empty text and needs one that is not.
fn find_empty(command: &Command, matches: &ArgMatches) -> Option<String> {
    let is_never_empty = |argument: &&Arg| {
        argument
            .get_value_names()
            .is_some_and(|names| names.iter().any(|name| NEVER_EMPTY.contains(&name.as_str())))
    };
    let is_empty = |argument: &&Arg| {
        let id = argument.get_id().as_str();
        matches.value_source(id) == Some(ValueSource::CommandLine)
            && matches.get_raw(id).is_some_and(|mut given| given.any(|text| text.is_empty()))
    };
    let found = command.get_opts().filter(is_never_empty).find(is_empty);
    found.and_then(Arg::get_long).map(str::to_owned).or_else(|| {
        let (name, matches) = matches.subcommand()?;
        find_empty(command.find_subcommand(name)?, matches)
    })
}

/// Surplus lines taxes, fees and stamp wording from the command line.
#[derive(Debug, Parser)]
#[command(name = "bordereau", version, after_help = AFTER_HELP, max_term_width = 100, disable_help_subcommand = true)]
pub(crate) struct CliArguments {
    #[command(flatten)]
    pub(crate) place: GlobalArgs,
    #[command(subcommand)]
    pub(crate) command: CliCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum CliCommand {
    /// What needs attention now: due dates, rows to correct, documents, events, quotes
    Today,
    /// Taxes and fees of one transaction
    Quote(Box<QuoteArguments>),
    /// The same transaction in several states
    Compare(Box<CompareArguments>),
    /// Saved and recent quotes
    #[command(subcommand)]
    Saved(SavedCommand),
    /// Enter one transaction by hand; its result is shown as soon as it's sent
    #[command(subcommand)]
    Transaction(TransactionCommand),
    /// What each state charges today, charged before, and will charge
    Rates(RatesArguments),
    /// What changed in the tax rules, newest first
    RateChanges(RateChangesArguments),
    /// The rules in use: built in, or from a newer signed pack
    #[command(subcommand)]
    Rules(RulesCommand),
    /// Check for a newer version, at the address in the settings or the policy
    Updates,
    /// Manage profiles: the service's address and sign-in
    #[command(subcommand)]
    Profile(ProfileCommand),
    /// Read a spreadsheet, check it, send it
    Import(Box<ImportArguments>),
    /// Saved mappings: list, copy, rename, remove, share as a file, restore an earlier version
    #[command(subcommand)]
    Mapping(MappingCommand),
    /// Batches that were sent, and their results
    #[command(subcommand)]
    Batch(BatchCommand),
    /// The audit log, who sent, kept or decided what: list, verify, save for an examiner
    #[command(subcommand)]
    Audit(AuditCommand),
    /// Find transactions by dates and words, also offline
    Search(Box<SearchArguments>),
    /// One transaction: its filing status and amounts
    Status(StatusArguments),
    /// Documents of transactions: upload, download, list what is missing
    #[command(subcommand)]
    Document(DocumentCommand),
    /// Diligent effort forms and affidavits: requirements of a state, filled as PDF
    #[command(subcommand)]
    Forms(FormsCommand),
    /// Filing and payment due dates, overdue first
    Due(DueArguments),
    /// Events that the service announced; list them, or print them as they arrive
    Events(EventsArguments),
    /// Receive events on a server, for other computers running Bordereau, until Ctrl-C
    Listen(ListenArguments),
    /// Send an office's queued work and follow it until it is done, until Ctrl-C
    Work(WorkArguments),
    /// Assign a batch, a file, an event or a due date to a person of the office
    Assign(AssignArguments),
    /// Webhooks: addresses that the service sends events to
    #[command(subcommand)]
    Webhook(WebhookCommand),
    /// Backups of the data folder: make, check, restore
    #[command(subcommand)]
    Backup(BackupCommand),
    /// Erase an insured or a year from this computer
    #[command(subcommand)]
    Data(DataCommand),
    /// The lock of the window
    #[command(subcommand)]
    Lock(LockCommand),
    /// The database that an office shares: create it, check it, copy data into it
    #[command(subcommand)]
    Workspace(WorkspaceCommand),
    /// Export all data in open file formats
    Export(ExportArguments),
    /// Simulate the state and service failures on the Practice profile
    #[command(subcommand)]
    Practice(PracticeCommand),
    /// Run the practice service until Ctrl-C
    Serve(ServeArguments),
    /// Print a completion script for a shell
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Write the manual pages and all completion scripts into a folder, for packages
    #[command(hide = true)]
    Manual {
        /// The folder
        folder: PathBuf,
    },
}

#[derive(Args, Debug)]
pub(crate) struct QuoteArguments {
    /// State of the risk, such as TX
    #[arg(long, value_name = "STATE")]
    pub(crate) state: String,
    #[command(flatten)]
    pub(crate) transaction: TransactionArguments,
    /// Find the premium for this total, of the line without one: --line GEN-1002=
    #[arg(long, value_name = "USD", allow_negative_numbers = true)]
    pub(crate) total: Option<String>,
    #[command(flatten)]
    pub(crate) cancellation: CancellationArguments,
    #[command(flatten)]
    pub(crate) endorsement: EndorsementArguments,
    /// Save the quote as PDF
    #[arg(long, value_name = "FILE")]
    pub(crate) pdf: Option<PathBuf>,
    /// Save the quote under this name; see `bordereau saved`
    #[arg(long, value_name = "NAME")]
    pub(crate) save: Option<String>,
    /// Save the templates of the documents that the state asks for in this folder
    #[arg(long, value_name = "DIR", conflicts_with = "offline")]
    pub(crate) templates: Option<PathBuf>,
    /// List every document of the answer, also those for other types, dates and kinds of business
    #[arg(long)]
    pub(crate) all_documents: bool,
}

/// A canceled policy: the answer is its credit.
#[derive(Args, Debug)]
#[command(next_help_heading = "Cancellation")]
pub(crate) struct CancellationArguments {
    /// Day the policy is canceled; --line has its premiums, --expires its last day [default: a year]
    #[arg(long, value_name = "DATE", conflicts_with = "total", group = "by_days")]
    pub(crate) cancel: Option<String>,
    /// How the returned premium is computed; --minimum-earned stays with the carrier
    #[arg(long, value_name = "METHOD", value_enum, default_value_t = MethodName::ProRata, requires = "cancel")]
    pub(crate) method: MethodName,
    /// Short rate: percent of the pro rata return that is kept [default: 10%]
    #[arg(long, value_name = "PERCENT", default_value = "", hide_default_value = true, requires = "cancel")]
    pub(crate) penalty: String,
    /// Use a factor with three decimals, as in printed tables; also with --endorse
    #[arg(long, requires = "by_days")]
    pub(crate) three_decimals: bool,
}

/// A policy that is changed in its term: the answer is its endorsement.
#[derive(Args, Debug)]
#[command(next_help_heading = "Endorsement")]
pub(crate) struct EndorsementArguments {
    /// Day the policy is changed; --line has the premiums until then, --expires its last day [default: a year]
    #[arg(long, value_name = "DATE", conflicts_with = "total", requires = "after", group = "by_days")]
    pub(crate) endorse: Option<String>,
    /// A line's premium of the whole term after the change, 0 where it ends; may be repeated
    #[arg(long, value_name = "CODE=PREMIUM", requires = "endorse", value_parser = parse_line)]
    pub(crate) after: Vec<QuoteLine>,
}

#[derive(Args, Debug)]
pub(crate) struct CompareArguments {
    /// States to compare, such as TX,CA,FL
    #[arg(long, value_name = "STATES", value_delimiter = ',', required = true)]
    pub(crate) states: Vec<String>,
    #[command(flatten)]
    pub(crate) transaction: TransactionArguments,
}

fn type_help() -> String {
    let codes: Vec<&str> = TransactionType::ALL.iter().map(|kind| kind.code()).collect();
    format!("Transaction type: {}", codes.join(", "))
}

fn entity_help() -> String {
    let codes: Vec<&str> = EntityType::ALL.iter().map(|kind| kind.code()).collect();
    format!("Kind of insured: {}", codes.join(", "))
}

/// A transaction, without its state.
#[derive(Args, Debug)]
pub(crate) struct TransactionArguments {
    #[arg(long = "type", value_name = "TYPE", default_value = "PN", help = type_help())]
    pub(crate) kind: String,
    /// Line of business and its premium, such as GEN-1002=9521; may be repeated
    #[arg(long = "line", value_name = "CODE=PREMIUM", required = true, value_parser = parse_line)]
    pub(crate) lines: Vec<QuoteLine>,
    /// All fees that are not the carrier's, USD
    #[arg(
        long,
        value_name = "USD",
        default_value = "",
        hide_default_value = true,
        allow_negative_numbers = true
    )]
    pub(crate) agency_fee: String,
    /// The carrier's or underwriting fees, USD
    #[arg(
        long,
        value_name = "USD",
        default_value = "",
        hide_default_value = true,
        allow_negative_numbers = true
    )]
    pub(crate) inspection_fee: String,
    /// Effective date of the policy, such as 02/23/2026 [default: today]
    #[arg(long, value_name = "DATE", default_value = "", hide_default_value = true)]
    pub(crate) effective: String,
    /// Effective date of the transaction [default: the policy's]
    #[arg(long, value_name = "DATE", default_value = "", hide_default_value = true)]
    pub(crate) transaction_effective: String,
    #[arg(long, value_name = "KIND", default_value = "", hide_default_value = true, help = entity_help())]
    pub(crate) entity: String,
    /// Name of the insured, for the printed quote; not sent
    #[arg(long, value_name = "NAME", default_value = "", hide_default_value = true)]
    pub(crate) insured: String,
    #[command(flatten)]
    pub(crate) sheet: SheetArguments,
    /// Risk purchasing group
    #[arg(long)]
    pub(crate) rpg: bool,
    /// Exempt commercial purchaser
    #[arg(long)]
    pub(crate) ecp: bool,
    /// The insured is tax exempt
    #[arg(long)]
    pub(crate) tax_exempt: bool,
    /// The coverage is on the state's export list
    #[arg(long)]
    pub(crate) export_list: bool,
    /// New Hampshire: a commission is received
    #[arg(long)]
    pub(crate) commission_received: bool,
    /// Kentucky: admitted business
    #[arg(long)]
    pub(crate) admitted: bool,
    /// Written through a retail agent (B) or direct (DC)
    #[arg(long, value_name = "B|DC", default_value = "", hide_default_value = true)]
    pub(crate) written_as: String,
    /// Kentucky: street address
    #[arg(long, value_name = "ADDRESS", default_value = "", hide_default_value = true)]
    pub(crate) address: String,
    /// Kentucky: city
    #[arg(long, value_name = "CITY", default_value = "", hide_default_value = true)]
    pub(crate) city: String,
    /// Kentucky: ZIP code
    #[arg(long, value_name = "ZIP", default_value = "", hide_default_value = true)]
    pub(crate) zip: String,
    /// Kentucky: taxing city or county, by name
    #[arg(long, value_name = "NAME", default_value = "", hide_default_value = true)]
    pub(crate) municipality: String,
    /// Who charges the agency fee, where the state taxes the two differently [default: the profile's setting]
    #[arg(long, value_name = "WHO", value_enum)]
    pub(crate) fee_charged_by: Option<ChargerName>,
    /// How the insured holds the dwelling, where the state's charge depends on it
    #[arg(long, value_name = "KIND", value_enum)]
    pub(crate) occupancy: Option<OccupancyName>,
    /// Current rate of an assessment that the rules do not have, in percent, such as 6%
    #[arg(long, value_name = "PERCENT", default_value = "", hide_default_value = true)]
    pub(crate) assessment_rate: String,
    /// Estimate from the built-in rules, without the service
    #[arg(long)]
    pub(crate) offline: bool,
}

/// What the client's sheet says beside the taxes.
#[derive(Args, Debug, Default)]
#[command(next_help_heading = "Client's sheet (--pdf)")]
pub(crate) struct SheetArguments {
    /// The insured's address
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    insured_address: String,
    /// The carrier
    #[arg(long, value_name = "NAME", default_value = "", hide_default_value = true)]
    carrier: String,
    /// Number of the quote
    #[arg(long, value_name = "NUMBER", default_value = "", hide_default_value = true)]
    quote_number: String,
    /// Last day of the policy
    #[arg(long, value_name = "DATE", default_value = "", hide_default_value = true)]
    expires: String,
    /// Last day the quote is valid
    #[arg(long, value_name = "DATE", default_value = "", hide_default_value = true)]
    valid_until: String,
    /// What the quote is subject to; may be repeated
    #[arg(long, value_name = "TEXT")]
    subject_to: Vec<String>,
    /// Minimum earned premium, such as 25%
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    minimum_earned: String,
    /// Number of installments after the down payment
    #[arg(long, value_name = "NUMBER", default_value = "", hide_default_value = true)]
    installments: String,
    /// Down payment, such as 25%
    #[arg(long, value_name = "PERCENT", default_value = "", hide_default_value = true)]
    down_payment: String,
    /// Taxes and fees are paid with the down payment
    #[arg(long)]
    taxes_first: bool,
    /// Fee of each installment, USD
    #[arg(long, value_name = "USD", default_value = "", hide_default_value = true)]
    installment_fee: String,
    /// Day of the first installment [default: a month after the policy begins]
    #[arg(long, value_name = "DATE", default_value = "", hide_default_value = true)]
    first_installment: String,
    /// Template of the sheet by name [default: the one chosen last in the window]
    #[arg(long, value_name = "NAME", default_value = "", hide_default_value = true)]
    sheet_template: String,
}

impl SheetArguments {
    fn sheet_details(&self) -> SheetDetails {
        SheetDetails {
            insured_address: self.insured_address.clone(),
            carrier: self.carrier.clone(),
            quote_number: self.quote_number.clone(),
            policy_expires: self.expires.clone(),
            valid_until: self.valid_until.clone(),
            subject_to: self.subject_to.join("\n"),
            minimum_earned: self.minimum_earned.clone(),
            installments: self.installments.clone(),
            down_payment: self.down_payment.clone(),
            taxes_first: self.taxes_first,
            installment_fee: self.installment_fee.clone(),
            first_installment: self.first_installment.clone(),
            template: self.sheet_template.clone(),
        }
    }
}

choice_names! {
    /// How a returned premium is computed.
    MethodName => ReturnMethod {
        /// By days
        ProRata => ProRata,
        /// By days, less a penalty
        ShortRate => ShortRate,
    }

    /// How the insured holds the dwelling.
    OccupancyName => Occupancy {
        /// An owned dwelling of one to four units
        Owned => OwnedDwelling,
        /// A condominium or another common interest unit
        Condominium => Condominium,
        /// A mobile or manufactured home
        MobileHome => MobileHome,
        /// A tenant's policy
        Tenant => Tenant,
        /// A dwelling of more than four units
        LargerBuilding => LargerBuilding,
    }
}

impl TransactionArguments {
    /// The arguments in the quote form's format: as typed, empty if not given.
    pub(crate) fn quote_request(&self, state: &str) -> QuoteRequest {
        QuoteRequest {
            state: state.to_owned(),
            transaction_type: self.kind.clone(),
            lines: self.lines.clone(),
            agency_fee: self.agency_fee.clone(),
            inspection_fee: self.inspection_fee.clone(),
            policy_effective: self.effective.clone(),
            transaction_effective: self.transaction_effective.clone(),
            entity: self.entity.clone(),
            rpg: self.rpg,
            ecp: self.ecp,
            tax_exempt: self.tax_exempt,
            export_list: self.export_list,
            commission_received: self.commission_received,
            admitted: self.admitted,
            written_as: self.written_as.clone(),
            address: self.address.clone(),
            city: self.city.clone(),
            zip: self.zip.clone(),
            municipality: self.municipality.clone(),
            fee_charged_by: charger_code(self.fee_charged_by),
            occupancy: self.occupancy.map(|name| Occupancy::from(name).code().to_owned()).unwrap_or_default(),
            assessment_rate: self.assessment_rate.clone(),
            insured: self.insured.clone(),
            sheet: self.sheet.sheet_details(),
        }
    }
}

fn parse_line(typed: &str) -> Result<QuoteLine, String> {
    let (code, premium) = typed.split_once('=').ok_or("write it as CODE=PREMIUM, such as GEN-1002=9521")?;
    Ok(QuoteLine { code: code.trim().to_owned(), premium: premium.trim().to_owned() })
}

#[derive(Args, Debug)]
pub(crate) struct ServeArguments {
    /// Address and port to listen on; without a certificate on this computer only; port 0 picks a free port
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:0")]
    pub(crate) listen: SocketAddr,
    #[command(flatten)]
    pub(crate) certificate: CertificateArgs,
    /// Where accounts and the certificate authority are kept [default: `serve` in the data folder]
    #[arg(long, value_name = "DIR")]
    pub(crate) data: Option<PathBuf>,
    /// Write the generated API key and password as JSON into this file, readable by its owner only; the next start
    /// with it uses them again
    #[arg(long, value_name = "FILE")]
    pub(crate) credentials_file: Option<PathBuf>,
    /// Respond as other providers might: names separated by commas, or `list` to see them
    #[arg(long, value_name = "NAMES", default_value = "", hide_default_value = true)]
    pub(crate) dialect: String,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;
    use crate::shared_arguments::parse_state;

    #[test]
    fn the_command_line_is_well_formed() {
        CliArguments::command().debug_assert();
    }

    /// What the image for servers starts with, as its file says it.
    #[test]
    fn the_container_starts_a_service_that_other_computers_reach_with_a_certificate() {
        let file = include_str!("../../../packaging/Containerfile");
        let line = file.lines().find_map(|line| line.strip_prefix("CMD ")).unwrap();
        let words: Vec<String> = serde_json::from_str(line).unwrap();
        let parsed = CliArguments::try_parse_from(["bordereau".to_owned()].into_iter().chain(words)).unwrap();
        let CliCommand::Serve(served) = parsed.command else { panic!("{line}") };
        assert!(served.listen.ip().is_unspecified() && served.certificate.cert.is_some());
        // Its folder is in the one that belongs to the user of the image.
        let volume = file.lines().find_map(|line| line.strip_prefix("VOLUME ")).unwrap();
        assert!(served.data.is_none() && file.contains(&format!("BORDEREAU_DATA_DIR={volume}/")));
    }

    #[test]
    fn a_state_is_two_letters() {
        assert_eq!(parse_state(" tx"), Ok("TX".to_owned()));
        for typed in ["Texas", "XX", "", "T X"] {
            assert!(parse_state(typed).is_err(), "{typed}");
        }
    }

    #[test]
    fn a_line_is_a_code_and_a_premium() {
        let read = |typed: &str| parse_line(typed).map(|l| (l.code, l.premium)).ok();
        let pair = |a: &str, b: &str| Some((a.to_owned(), b.to_owned()));
        assert_eq!(read("GEN-1002=9521"), pair("GEN-1002", "9521"));
        assert_eq!(read(" GEN-1002 = 1,250.50"), pair("GEN-1002", "1,250.50"));
        assert_eq!(read("GEN-1002"), None);
        assert_eq!(read("=5"), pair("", "5"), "the desk says what is missing");
    }
}
