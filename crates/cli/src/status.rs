//! `bordereau status`: asks the service about one transaction.

use bordereau_contract::format_day_text;
use bordereau_desk::api::{ComparedAmount, TransactionDetail, TransactionQuestion};
use bordereau_desk::text::group_thousands;
use clap::Args;

use crate::exit::CommandExit;
use crate::shared_arguments::GlobalArgs;
use crate::{open_desk, output};
use bordereau_host::terminal_text::on_one_line;

#[derive(Args, Debug)]
#[group(required = true, multiple = false)]
pub(crate) struct StatusArguments {
    /// The service's number of the transaction
    id: Option<String>,
    /// Ask by invoice number instead
    #[arg(long, value_name = "NUMBER")]
    invoice: Option<String>,
}

pub(crate) async fn run_status(place: &GlobalArgs, asked: StatusArguments) -> Result<(), CommandExit> {
    let desk = open_desk::open_desk(place)?;
    let (desk, _) = open_desk::on_profile(place, desk).await?;
    let question = TransactionQuestion {
        id: asked.id.unwrap_or_default(),
        invoice_number: asked.invoice.unwrap_or_default(),
    };
    let detail = desk.transaction_status(question).await?;
    output::write_answer(place, &detail, || status_text(&detail))
}

fn status_text(detail: &TransactionDetail) -> String {
    let row = &detail.row;
    let mut text = format!(
        "{} {}, {} ({} {}), invoice {}: {}\n",
        row.id,
        on_one_line(&row.policy_number),
        on_one_line(&row.insured),
        row.state,
        row.transaction_type,
        if row.invoice_number.is_empty() { "none".into() } else { on_one_line(&row.invoice_number) },
        row.status_word
    );
    for step in &detail.timeline {
        let mark = if step.done { "x" } else { " " };
        // An instant as services write it, or a day.
        let instant = step.on.strip_suffix(" UTC").map(|at| format!("{}Z", at.replacen(' ', "T", 1)));
        let on = instant.map_or_else(|| format_day_text(&step.on), |at| output::local_time(&at));
        let (on, note) = (on_one_line(&on), on_one_line(&step.note));
        let line = format!("  [{mark}] {:<18} {on:<24} {note}", step.title);
        text.push_str(&format!("{}\n", line.trim_end()));
    }
    let head = ["Provided", "Calculated", "Invoiced", "Paid"].map(|title| format!("{title:>13}")).concat();
    text.push_str(&format!("  {:<24}{head}\n", ""));
    detail.amounts.iter().for_each(|amount| text.push_str(&amount_line(amount)));
    if !detail.no_calculation.is_empty() {
        text.push_str(&format!("  {}\n", detail.no_calculation));
    }
    for document in &detail.documents {
        let (code, name) = (on_one_line(&document.code), on_one_line(&document.name));
        text.push_str(&format!("  document {code} {name}\n"));
    }
    text
}

fn amount_line(amount: &ComparedAmount) -> String {
    let four = [&amount.provided, &amount.calculated, &amount.invoiced, &amount.paid];
    let four = four
        .map(|amount| format!("{:>13}", amount.as_deref().map(group_thousands).unwrap_or_default()))
        .concat();
    let mark = if amount.differs { "  differs" } else { "" };
    let line = format!("  {:<24}{four}{mark}", amount.title.chars().take(24).collect::<String>());
    format!("{}\n", line.trim_end())
}
