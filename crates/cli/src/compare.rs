//! `bordereau compare`.

use std::sync::Arc;

use bordereau_desk::api::{CompareColumn, CompareRequest};
use bordereau_desk::text;
use serde_json::{Value, json};

use crate::arguments::CompareArguments;
use crate::ending::Ending;
use crate::quote::environment_line;
use crate::shared_arguments::Place;
use crate::{output, workplace};

pub(crate) async fn run(place: &Place, asked: CompareArguments) -> Result<(), Ending> {
    let offline = asked.transaction.offline;
    let desk = workplace::open(place, Arc::default())?;
    let (desk, view) = workplace::on_profile(place, desk).await?;
    let request = CompareRequest { request: asked.transaction.request(""), states: asked.states, offline };
    let comparison = desk.quote_compare(request).await?;
    if place.json {
        let columns: Vec<Value> = comparison.columns.iter().map(column).collect();
        output::write_json(&json!({ "columns": columns }))?;
    } else {
        let environment = (!offline).then_some(view.profile.environment);
        output::write(&format!("{}{}", environment_line(environment), text::comparison_table(&comparison)))?;
    }
    // Everything is shown first; then the first state that could not be answered decides how it ends.
    comparison.columns.into_iter().find_map(|column| column.error).map_or(Ok(()), |error| Err(error.into()))
}

fn column(column: &CompareColumn) -> Value {
    json!({
        "state": column.state,
        "answer": column.answer.as_ref().map(text::quote_json),
        "error": column.error,
    })
}
