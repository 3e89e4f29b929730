//! `bordereau quote`.

use std::sync::Arc;

use bordereau_desk::api::{Environment, QuotePdfRequest};
use bordereau_desk::text;

use crate::arguments::QuoteArguments;
use crate::ending::Ending;
use crate::file_target::{FileTarget, can_be_saved};
use crate::shared_arguments::Place;
use crate::{output, workplace};

pub(crate) async fn run(place: &Place, asked: QuoteArguments) -> Result<(), Ending> {
    let request = asked.transaction.request(&asked.state);
    let saves = asked.pdf.is_some();
    asked.pdf.as_deref().map_or(Ok(()), can_be_saved)?;
    let desk = workplace::open(place, Arc::new(FileTarget::new(asked.pdf)))?;
    let (desk, answered_by) = if asked.transaction.offline && place.profile.is_none() {
        (desk, None)
    } else {
        let (desk, view) = workplace::on_profile(place, desk).await?;
        (desk, Some(view.profile))
    };
    let answer = if asked.transaction.offline {
        desk.quote_estimate(request.clone()).await?
    } else {
        desk.quote_calculate(request.clone()).await?
    };
    if place.json {
        output::write_json(&text::quote_json(&answer))?;
    } else {
        let environment = answered_by.filter(|_| !asked.transaction.offline).map(|p| p.environment);
        output::write(&format!("{}{}", environment_line(environment), text::quote_table(&answer)))?;
    }
    if saves {
        desk.quote_pdf(QuotePdfRequest { request, answer }).await?;
    }
    Ok(())
}

/// The environment first, in capitals: nobody shall take practice for production.
pub(crate) fn environment_line(environment: Option<Environment>) -> &'static str {
    match environment {
        None => "",
        Some(Environment::Practice) => "PRACTICE: nothing leaves this computer\n",
        Some(Environment::Sandbox) => "SANDBOX\n",
        Some(Environment::Production) => "PRODUCTION\n",
    }
}
