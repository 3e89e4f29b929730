//! `bordereau saved`: the quotes of the view "Saved quotes".

use std::path::PathBuf;
use std::sync::Arc;

use bordereau_desk::Desk;
use bordereau_desk::api::{
    ErrorCode, Nothing, QuoteId, QuotePdfRequest, QuoteSummary, SaveQuote, SavedQuote,
};
use bordereau_desk::text::{self, group_thousands};
use clap::Subcommand;
use serde_json::json;

use crate::exit::CommandExit;
use crate::file_target::{FileTarget, can_be_saved};
use crate::shared_arguments::GlobalArgs;
use crate::{open_desk, output};
use bordereau_host::terminal_text::on_one_line;

#[derive(Debug, Subcommand)]
pub(crate) enum SavedCommand {
    /// Saved quotes and the last twenty calculated, newest first
    List,
    /// One quote with its answer
    Show {
        /// Id, as `saved list` shows it
        id: String,
        /// Save it as PDF
        #[arg(long, value_name = "FILE")]
        pdf: Option<PathBuf>,
    },
    /// Give a quote a name; a recent quote becomes a saved one
    Name {
        /// Id, as `saved list` shows it
        id: String,
        /// The new name
        name: String,
    },
    /// Remove a quote
    Remove {
        /// Id, as `saved list` shows it
        id: String,
    },
}

pub(crate) async fn run_saved(place: &GlobalArgs, command: SavedCommand) -> Result<(), CommandExit> {
    let pdf = match &command {
        SavedCommand::Show { pdf, .. } => pdf.clone(),
        _ => None,
    };
    pdf.as_deref().map_or(Ok(()), can_be_saved)?;
    let desk = open_desk::open_desk_to_save(place, Arc::new(FileTarget::new(pdf)))?;
    match command {
        SavedCommand::List => list_quotes(place, &desk).await,
        SavedCommand::Show { id, pdf } => show_quote(place, &desk, &id, pdf.is_some()).await,
        SavedCommand::Name { id, name } => {
            let quote = find_quote(&desk, &id).await?;
            let is_saved =
                desk.quote_list(Nothing {}).await?.saved.iter().any(|summary| summary.id == quote.id);
            let SavedQuote { id, request, answer, revision, .. } = quote;
            let (id, revision) = (is_saved.then_some(id), Some(revision));
            let saved = desk.quote_save(SaveQuote { id, name, request, answer, revision }).await?;
            print_saved(place, &saved)
        }
        SavedCommand::Remove { id } => {
            let quote = find_quote(&desk, &id).await?;
            desk.quote_remove(QuoteId { id: quote.id.clone() }).await?;
            output::write_answer(place, &json!({ "removed": quote.id }), || "Removed.\n")
        }
    }
}

/// Prints the id of a saved quote.
pub(crate) fn print_saved(place: &GlobalArgs, saved: &SavedQuote) -> Result<(), CommandExit> {
    output::write_answer(place, &saved, || {
        format!("Saved as {} \"{}\".\n", saved.id, on_one_line(&saved.name))
    })
}

/// The quote, or advice when none has this id.
pub(crate) async fn find_quote(desk: &Desk, id: &str) -> Result<SavedQuote, CommandExit> {
    desk.quote_open(QuoteId { id: id.to_owned() }).await.map_err(|error| match error.code {
        ErrorCode::NotFound => {
            CommandExit::usage_error(format!("there is no quote {id}; see: bordereau saved list"))
        }
        _ => error.into(),
    })
}

async fn list_quotes(place: &GlobalArgs, desk: &Desk) -> Result<(), CommandExit> {
    let list = desk.quote_list(Nothing {}).await?;
    output::write_answer(place, &list, || {
        output::list_lines(list.saved.iter().chain(&list.recent).map(quote_line), "No quotes yet.\n")
    })
}

fn quote_line(quote: &QuoteSummary) -> String {
    format!(
        "{}  {:<22}  {:<6}  {:<2} {:<3} {:>14}  {}\n",
        quote.id,
        output::local_time(&quote.at),
        if quote.saved { "saved" } else { "recent" },
        quote.state,
        quote.transaction_type,
        quote.total.as_deref().map(group_thousands).unwrap_or_default(),
        on_one_line(&quote.name),
    )
}

async fn show_quote(place: &GlobalArgs, desk: &Desk, id: &str, saves: bool) -> Result<(), CommandExit> {
    let quote = find_quote(desk, id).await?;
    if saves && quote.answer.is_none() {
        return Err(CommandExit::usage_error(format!(
            "quote {id} was saved without an answer; calculate it in the window, or with `bordereau quote`"
        )));
    }
    output::write_answer(place, &quote, || {
        let heading = format!(
            "{} \"{}\", {}\n",
            quote.id,
            on_one_line(&quote.name),
            output::local_time(&quote.saved_at)
        );
        let answer =
            quote.answer.as_ref().map_or_else(|| "Saved without an answer.\n".to_owned(), text::quote_table);
        heading + &answer
    })?;
    if let Some(answer) = quote.answer.filter(|_| saves) {
        desk.quote_pdf(QuotePdfRequest { request: quote.request, answer }).await?;
    }
    Ok(())
}
