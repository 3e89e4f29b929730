//! A state's stamp wording: repeats a question that was answered before.

use super::read_request::CalculatorQuestion;
use crate::ask_service::fetch_response;
use bordereau_api::{BoundaryError, Profile, QuoteRequest};
use bordereau_contract::StateProperties;
use bordereau_session::Context;
use bordereau_session::profile::open_session;

/// The wording (HTML) the service answers this question with, and when it says it was updated.
pub async fn stamp_wording(
    ctx: &Context,
    profile: &Profile,
    question: &QuoteRequest,
) -> Result<(Option<String>, Option<String>), BoundaryError> {
    let asked = CalculatorQuestion::read_now(ctx, question, profile)?;
    let session = open_session(ctx, profile).await?;
    let (response, _) = fetch_response(ctx, &asked, &session).await?;
    let state = StateProperties::clone(&response.state_properties);
    Ok((state.state_stamp_wording_text, state.state_stamp_wording_updated_at))
}
