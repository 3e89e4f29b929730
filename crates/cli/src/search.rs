//! `bordereau search`: transactions by dates and words, from the service and from earlier searches.

use std::path::PathBuf;
use std::sync::Arc;

use bordereau_contract::format_short_day;
use bordereau_desk::Desk;
use bordereau_desk::api::{
    DayRange, Nothing, RefreshStage, TableFormat, TransactionRow, TransactionsExport, TransactionsFilter,
    TransactionsRefresh, TransactionsSearch,
};
use bordereau_desk::text::group_thousands;
use clap::Args;
use serde_json::json;

use crate::exit::CommandExit;
use crate::file_target::{FileTarget, table_format};
use crate::shared_arguments::{GlobalArgs, parse_state};
use crate::{log, open_desk, output};
use bordereau_host::terminal_text::on_one_line;

/// Rows of a window.
const WINDOW: u32 = 500;
/// Rows shown to a person; a file or `--json` has all of them.
const TOLD: usize = 50;

#[derive(Args, Debug)]
pub(crate) struct SearchArguments {
    /// Words: insured, policy, invoice, amount, anything
    words: Vec<String>,
    /// Filed on these days, such as 01/01/2026..03/31/2026; either end may be omitted
    #[arg(long, value_name = "A..B", value_parser = parse_range, default_value = "", hide_default_value = true)]
    filed: DayRange,
    /// Policies effective on these days
    #[arg(long, value_name = "A..B", value_parser = parse_range, default_value = "", hide_default_value = true)]
    policy_effective: DayRange,
    /// Transactions effective on these days
    #[arg(long, value_name = "A..B", value_parser = parse_range, default_value = "", hide_default_value = true)]
    transaction_effective: DayRange,
    /// The same as WORDS
    #[arg(long, value_name = "WORDS", default_value = "", hide_default_value = true)]
    text: String,
    /// Only these states, such as TX or TX,FL
    #[arg(long, value_name = "STATES", value_delimiter = ',', value_parser = parse_state)]
    state: Vec<String>,
    /// Search only what was fetched before, without asking the service
    #[arg(long)]
    offline: bool,
    /// Save the results as CSV
    #[arg(long, value_name = "FILE", conflicts_with = "xlsx")]
    csv: Option<PathBuf>,
    /// Save the results as an Excel workbook
    #[arg(long, value_name = "FILE")]
    xlsx: Option<PathBuf>,
}

/// One day, or two with `..` between them.
fn parse_range(typed: &str) -> Result<DayRange, String> {
    let (from, to) = typed.split_once("..").unwrap_or((typed, typed));
    Ok(DayRange { from: from.trim().to_owned(), to: to.trim().to_owned() })
}

pub(crate) async fn run_search(place: &GlobalArgs, asked: SearchArguments) -> Result<(), CommandExit> {
    let saved = asked.csv.as_ref().map(|file| (file, TableFormat::Csv));
    let saved = saved.or_else(|| asked.xlsx.as_ref().map(|file| (file, TableFormat::Xlsx)));
    if let Some((file, format)) = saved
        && table_format(file)? != format
    {
        let message = format!("{} does not end with .{}", file.display(), format.extension());
        return Err(CommandExit::usage_error(message));
    }
    let target = Arc::new(FileTarget::new(saved.map(|(file, _)| file.clone())));
    let (desk, _) = open_desk::on_profile(place, open_desk::open_desk_to_save(place, target)?).await?;
    if !asked.offline {
        refresh_index(&desk, &asked).await?;
    }
    let filter = TransactionsFilter {
        text: format!("{} {}", asked.words.join(" "), asked.text).trim().to_owned(),
        filed: asked.filed.clone(),
        policy_effective: asked.policy_effective.clone(),
        transaction_effective: asked.transaction_effective.clone(),
        states: asked.state.clone(),
        ..TransactionsFilter::default()
    };
    let search = TransactionsSearch { filter, count: WINDOW, ..TransactionsSearch::default() };
    if let Some((_, format)) = saved {
        return save_search(place, &desk, format, search).await;
    }
    let (rows, total) = load_rows(&desk, &search, if place.json { usize::MAX } else { TOLD }).await?;
    let totals = desk.transactions_summary(search.filter).await?.totals;
    if place.json {
        let found = json!({ "total": total, "undated": totals.undated, "transactions": rows });
        return output::write_json(&found);
    }
    if total == 0 && desk.transactions_overview(Nothing {}).await?.records == 0 {
        let hint =
            if asked.offline { ": load them without --offline" } else { " at the service in these days" };
        return output::write(&format!("0 found; no transactions on this computer yet{hint}\n"));
    }
    let mut text: String = rows.iter().map(row_line).collect();
    let [premium, taxes, sum] =
        [&totals.premium, &totals.taxes, &totals.total].map(|sum| group_thousands(sum));
    text.push_str(&format!("{total} found, premium {premium}, taxes {taxes}, total {sum}"));
    for (count, what) in [
        (totals.without_amounts, "with amounts missing"),
        (totals.undated, "more without an effective date that can be read"),
    ] {
        text.push_str(&if count > 0 { format!("; {count} {what}") } else { String::new() });
    }
    text.push('\n');
    if (total as usize) > rows.len() {
        text.push_str(&format!(
            "only the first {} are listed; --csv, --xlsx and --json have all of them\n",
            rows.len()
        ));
    }
    output::write(&text)
}

/// Fetches what may have changed; rows fetched before a failure stay.
async fn refresh_index(desk: &Desk, asked: &SearchArguments) -> Result<(), CommandExit> {
    let refresh = TransactionsRefresh {
        filed: asked.filed.clone(),
        policy_effective: asked.policy_effective.clone(),
        transaction_effective: asked.transaction_effective.clone(),
        again: false,
    };
    desk.transactions_refresh(refresh).await?;
    let state = desk.transactions_refresh_wait().await?;
    if state.stage == RefreshStage::Failed {
        return Err(CommandExit::with_failure(format!(
            "{} Use --offline to search what was loaded before.",
            state.trouble
        )));
    }
    log::log_line(&format!("{} read, {} new, {} changed", state.read, state.new, state.changed));
    Ok(())
}

async fn save_search(
    place: &GlobalArgs,
    desk: &Desk,
    format: TableFormat,
    search: TransactionsSearch,
) -> Result<(), CommandExit> {
    let file = desk.transactions_export(TransactionsExport { search, format, columns: Vec::new() }).await?;
    output::write_answer(place, &json!({ "file": file }), || {
        format!("saved {} ({} bytes)\n", file.file_name, file.bytes)
    })
}

async fn load_rows(
    desk: &Desk,
    search: &TransactionsSearch,
    most: usize,
) -> Result<(Vec<TransactionRow>, u32), CommandExit> {
    let mut rows = Vec::new();
    loop {
        let from = u32::try_from(rows.len()).unwrap_or(u32::MAX);
        let count = u32::try_from(most - rows.len()).unwrap_or(WINDOW).min(WINDOW);
        let page = desk.transactions_search(TransactionsSearch { from, count, ..search.clone() }).await?;
        let is_end = page.rows.is_empty();
        rows.extend(page.rows);
        if is_end || rows.len() >= most || rows.len() >= page.total as usize {
            return Ok((rows, page.total));
        }
    }
}

fn row_line(row: &TransactionRow) -> String {
    format!(
        "{:>9}  {:<20} {:<30} {:<2} {:<3} {:<18} {:<10} {:>14} {:>12}  {}\n",
        row.id,
        on_one_line(&row.policy_number),
        on_one_line(&row.insured).chars().take(30).collect::<String>(),
        row.state,
        row.transaction_type,
        row.status_word,
        on_one_line(&format_short_day(&row.transaction_effective)),
        group_thousands(&row.premium),
        group_thousands(&row.taxes),
        on_one_line(&row.invoice_number),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_is_one_day_or_two() {
        for (typed, from, to) in [
            ("2026-01-01..2026-03-31", "2026-01-01", "2026-03-31"),
            ("2026-01-01..", "2026-01-01", ""),
            ("..2026-01-01", "", "2026-01-01"),
            ("2026-01-01", "2026-01-01", "2026-01-01"),
            ("", "", ""),
        ] {
            assert_eq!(parse_range(typed), Ok(DayRange { from: from.into(), to: to.into() }), "{typed}");
        }
    }
}
