//! `bordereau practice`: the window's practice panel on the command line.

use std::sync::Arc;

use bordereau_desk::api::{AccountRole, Nothing, PracticeAct, PracticeFault, PracticeState};
use clap::{Args, Subcommand};

use crate::choice_names::choice_names;
use crate::exit::CommandExit;
use crate::shared_arguments::{GlobalArgs, parse_state};
use crate::{open_desk, output};
use bordereau_host::terminal_text::on_one_line;

const AFTER_PRACTICE: &str = "\
It acts on the practice service of this data folder only. Transactions and batches are named by the service's
own numbers: `bordereau batch show` and `bordereau search` have them.";

/// Simulate the state and service failures on the Practice profile
#[derive(Debug, Subcommand)]
#[command(after_help = AFTER_PRACTICE)]
pub(crate) enum PracticeCommand {
    /// The service's clock, its queue, mail and dialects
    Show,
    /// The state accepts transactions: they are filed today
    File(SubjectArguments),
    /// Taxes and fees of transactions are paid today
    Pay(SubjectArguments),
    /// The state gives transactions its own numbers
    AssignNumbers(SubjectArguments),
    /// A batch that is being processed fails as a whole
    FailBatch {
        /// The service's number of the batch
        batch: String,
    },
    /// Change a state's stamp wording; without --text, back to its own
    StampWording {
        /// State, such as TX
        #[arg(value_parser = parse_state)]
        state: String,
        /// Plain text
        #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
        text: String,
    },
    /// The next requests fail
    #[command(alias = "trouble")]
    SimulateFailures {
        /// Which failure
        #[arg(value_enum)]
        fault: FaultName,
        /// How many requests
        #[arg(long, value_name = "COUNT", default_value_t = 1)]
        times: u32,
        /// For a delay: milliseconds
        #[arg(long, value_name = "MS", default_value_t = 3_000)]
        delay_ms: u32,
    },
    /// End the failures
    #[command(alias = "end-trouble")]
    EndFailures,
    /// Respond as other providers might; without a name, as the contract says
    Dialects {
        /// Names, as `practice show` lists them
        #[arg(value_delimiter = ',')]
        names: Vec<String>,
    },
    /// Process batches at this pace
    Speed {
        /// Rows a second, 0 to pause [default: as fast as possible]
        rows_per_second: Option<u32>,
    },
    /// Move the service's clock
    MoveClock {
        /// Seconds; negative goes back
        #[arg(allow_negative_numbers = true)]
        seconds: i32,
    },
    /// Create a new API key for the account; the old one stops working at once
    NewKey,
    /// Give the account a role
    Role {
        /// What the account may do
        #[arg(value_enum)]
        role: RoleName,
    },
}

/// Selects transactions.
#[derive(Args, Debug)]
#[group(required = true, multiple = true)]
pub(crate) struct SubjectArguments {
    /// The service's numbers of transactions
    transactions: Vec<String>,
    /// The service's number of a whole batch; may be repeated
    #[arg(long = "batch", value_name = "NUMBER")]
    batches: Vec<String>,
}

choice_names! {
    FaultName => PracticeFault {
        /// The answer comes late
        Delay => Delay,
        /// Error 500 before anything was done
        ErrorBefore => ErrorBefore,
        /// Everything is done, then error 500
        ErrorAfter => ErrorAfter,
        /// Everything is done, then the connection is cut
        Cut => Cut,
        /// 429 until the next minute begins
        RateLimit => RateLimit,
        /// 200 with half a body
        Malformed => Malformed,
    }

    RoleName => AccountRole {
        /// Generates the account's own key
        AgencyAdministrator => AgencyAdministrator,
        /// Also resets keys of other accounts
        FilingAgencyAdministrator => FilingAgencyAdministrator,
        /// Also resets keys of other accounts
        Support => Support,
        /// Works with the key that others generate
        User => User,
    }
}

fn practice_act(command: PracticeCommand) -> Option<PracticeAct> {
    use PracticeCommand as C;
    Some(match command {
        C::Show => return None,
        C::File(SubjectArguments { batches, transactions }) => PracticeAct::File { batches, transactions },
        C::Pay(SubjectArguments { batches, transactions }) => PracticeAct::Pay { batches, transactions },
        C::AssignNumbers(SubjectArguments { batches, transactions }) => {
            PracticeAct::AssignNumbers { batches, transactions }
        }
        C::FailBatch { batch } => PracticeAct::FailBatch { batch },
        C::StampWording { state, text } => PracticeAct::StampWording { state, text },
        C::SimulateFailures { fault, times, delay_ms } => {
            PracticeAct::SimulateFailures { fault: fault.into(), times, delay_ms }
        }
        C::EndFailures => PracticeAct::EndFailures {},
        C::Dialects { names } => PracticeAct::Dialects { names },
        C::Speed { rows_per_second } => PracticeAct::Speed { rows_per_second },
        C::MoveClock { seconds } => PracticeAct::MoveClock { seconds },
        C::NewKey => PracticeAct::NewKey {},
        C::Role { role } => PracticeAct::Role { role: role.into() },
    })
}

pub(crate) async fn run_practice(place: &GlobalArgs, command: PracticeCommand) -> Result<(), CommandExit> {
    let desk = open_desk::open_desk_to_save(place, Arc::default())?;
    let (desk, _) = open_desk::on_profile(place, desk).await?;
    let Some(act) = practice_act(command) else {
        let state = desk.practice_show(Nothing {}).await?;
        return output::write_answer(place, &state, || state_text(&state));
    };
    let outcome = desk.practice_act(act).await?;
    let mut text = format!("{}\n", on_one_line(&outcome.text));
    if !outcome.secret.is_empty() {
        text.push_str(&format!("API key: {}\nKeep it now: it is not shown again.\n", outcome.secret));
    }
    output::write_answer(place, &outcome, || text)
}

fn state_text(state: &PracticeState) -> String {
    let mut text = format!("Clock: {}", state.now);
    if state.moved_seconds != 0 {
        text.push_str(&format!(", moved by {} s", state.moved_seconds));
    }
    text.push_str(&format!(
        "\nRole: {}\nFailures still to come: {}\nDeliveries waiting: {}\n",
        <&str>::from(state.role).replace('_', " "),
        state.faults,
        state.deliveries_waiting
    ));
    for batch in &state.batches {
        text.push_str(&format!("Batch {}: {}\n", on_one_line(&batch.id), on_one_line(&batch.what)));
    }
    for mail in &state.mail {
        text.push_str(&format!(
            "Mail {} to {}: {}\n",
            mail.sent_at,
            on_one_line(&mail.to),
            on_one_line(&mail.subject)
        ));
    }
    for dialect in &state.dialects {
        let mark = if dialect.spoken { "*" } else { " " };
        text.push_str(&format!("{mark} {:<28} {}\n", dialect.name, on_one_line(&dialect.sentence)));
    }
    text
}
