//! `bordereau compare`.

use std::sync::Arc;

use bordereau_desk::api::{CompareColumn, CompareRequest};
use bordereau_desk::text;
use serde_json::{Value, json};

use crate::arguments::CompareArguments;
use crate::environment::environment_line;
use crate::exit::CommandExit;
use crate::shared_arguments::GlobalArgs;
use crate::{open_desk, output};

pub(crate) async fn run_compare(place: &GlobalArgs, asked: CompareArguments) -> Result<(), CommandExit> {
    let offline = asked.transaction.offline;
    let desk = open_desk::open_desk_to_save(place, Arc::default())?;
    let (desk, view) = open_desk::on_profile(place, desk).await?;
    let request =
        CompareRequest { request: asked.transaction.quote_request(""), states: asked.states, offline };
    let comparison = desk.quote_compare(request).await?;
    if place.json {
        let columns: Vec<Value> = comparison.columns.iter().map(column_json).collect();
        output::write_json(&json!({ "columns": columns }))?;
    } else {
        let environment = (!offline).then_some(view.profile.environment);
        output::write(&format!("{}{}", environment_line(environment), text::comparison_table(&comparison)))?;
    }
    // Everything is shown first; the first state without an answer then decides the exit.
    comparison.columns.into_iter().find_map(|column| column.error).map_or(Ok(()), |error| Err(error.into()))
}

fn column_json(column: &CompareColumn) -> Value {
    json!({
        "state": column.state,
        "answer": column.answer.as_ref().map(text::quote_json),
        "error": column.error,
    })
}
