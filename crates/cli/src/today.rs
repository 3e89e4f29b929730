//! `bordereau today`.

use bordereau_contract::{format_day_text, format_money_text, format_short_day, pluralize};
use bordereau_desk::api::{BatchView, Nothing, TodayView};

use crate::exit::CommandExit;
use crate::shared_arguments::GlobalArgs;
use crate::{open_desk, output};
use bordereau_host::terminal_text::on_one_line;

pub(crate) async fn run_today(place: &GlobalArgs) -> Result<(), CommandExit> {
    let desk = open_desk::open_desk(place)?;
    let (desk, _) = open_desk::on_profile(place, desk).await?;
    let today = desk.today_show(Nothing {}).await?;
    output::write_answer(place, &today, || today_text(&today))
}

fn today_text(today: &TodayView) -> String {
    let mut text = format!("{}\n", format_day_text(&today.today));
    let mut section = |title: &str, count: u32, lines: Vec<String>| {
        if count == 0 {
            return;
        }
        text.push_str(&format!("{title}: {count}\n"));
        lines.iter().for_each(|line| text.push_str(&format!("  {}\n", on_one_line(line))));
    };
    let mut own = today.own_work.unwrap_or_default().counts().to_vec();
    own.retain(|(count, _)| *count > 0);
    let lines = own.iter().map(|(count, what)| format!("{what}: {count}")).collect();
    section("Assigned to you", own.iter().map(|(count, _)| count).sum(), lines);
    let due = today.due.iter().map(|of| {
        let day = format_short_day(&of.first);
        format!("{}  {day}  {} overdue, {} this week; first: {}", of.state, of.overdue, of.soon, of.title)
    });
    section("Overdue or due this week", today.overdue + today.soon, due.collect());
    let of_batch = |rows, batch: &BatchView| format!("{}  {}", pluralize(rows, "row"), batch.name);
    let correct = today.to_correct.iter().map(|batch| of_batch(batch.to_correct, batch));
    section("Batches with rows to correct", today.to_correct_total, correct.collect());
    let missing = today.missing.iter().map(|entry| {
        let names: Vec<&str> =
            entry.required.iter().chain(&entry.asked).map(|each| each.name.as_str()).collect();
        let by = entry.due.as_deref().map_or_else(|| "-".to_owned(), format_short_day);
        format!("{}  {by}  {} {}: {}", entry.state, entry.policy_number, entry.insured, names.join(", "))
    });
    section("Transactions with documents missing", today.missing_total, missing.collect());
    let unread = today.events.iter().map(|event| event.title.clone()).collect();
    section("Unread events", today.events_total, unread);
    let sending = today.sending.iter().map(|batch| {
        format!("{} of {}  {}", batch.counts.total - batch.counts.pending, batch.counts.total, batch.name)
    });
    section("Batches being sent", today.sending_total, sending.collect());
    section("Documents being sent", today.uploads, Vec::new());
    let drafts = today.drafts.iter().map(|draft| format!("{}  {}", pluralize(draft.rows, "row"), draft.name));
    section("Files being prepared", today.drafts_total, drafts.collect());
    let quotes = today.quotes.iter().map(|quote| {
        format!("{}  {}", quote.name, quote.total.as_deref().map(format_money_text).unwrap_or_default())
    });
    let warned = today.with_warnings.iter().map(|batch| of_batch(batch.open_warnings, batch));
    section("Batches accepted with warnings", today.with_warnings_total, warned.collect());
    section("Quotes of the last 7 days", today.quotes_total, quotes.collect());
    today.due_gaps.iter().for_each(|gap| text.push_str(&format!("{gap}\n")));
    if !text.trim_end().contains('\n') {
        text.push_str("Nothing needs your attention.\n");
    }
    text
}
