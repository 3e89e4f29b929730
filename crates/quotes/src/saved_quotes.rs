//! Saved and recent quotes, and the draft that survives a crash.

use bordereau_api::{BoundaryError, Draft, Nothing, QuoteId, QuoteList, QuoteRequest, SaveQuote, SavedQuote};
use bordereau_contract::{format_day, parse_day};
use bordereau_session::Context;
use bordereau_session::profile::active_profile;
use bordereau_store::ValueName;
use bordereau_store::quotes::{NewQuote, find_quote, list_quotes, remove_quote, save_quote};

use super::read_request::CalculatorQuestion;

const NAME_MAX: usize = 120;

/// Saves a quote: new without an id (also a duplicate), in place with one.
///
/// # Errors
/// [`bordereau_api::ErrorCode::NotFound`] when there is no quote by the id;
/// [`bordereau_api::ErrorCode::ChangedElsewhere`] where someone else changed it since it was read.
pub async fn quote_save(ctx: &Context, request: SaveQuote) -> Result<SavedQuote, BoundaryError> {
    let name = request.name.trim();
    if name.chars().count() > NAME_MAX {
        let message = format!("The name is longer than {NAME_MAX} characters. Shorten it.");
        return Err(BoundaryError::invalid_field("/name", message));
    }
    let profile = active_profile(ctx).await?;
    let typed = match CalculatorQuestion::read_now(ctx, &request.request, &profile) {
        Ok(asked) => asked.with_codes(request.request),
        Err(_) => request.request,
    };
    let name = if name.is_empty() { name_of(&typed, &typed.state) } else { name.to_owned() };
    let quote = NewQuote {
        id: request.id.unwrap_or_default(),
        name,
        request: typed,
        answer: request.answer,
        at: ctx.now_text(),
        by: author(ctx),
        revision: request.revision,
    };
    Ok(ctx.store().with_connection(|db| save_quote(db, quote)).await?)
}

/// Whose recent quotes are kept here: each person of an office has their own.
pub(super) fn author(ctx: &Context) -> String {
    ctx.store().office().map(|seat| seat.database.user.clone()).unwrap_or_default()
}

/// Saved quotes and the last twenty that the person asked, newest first.
pub async fn quote_list(ctx: &Context, _request: Nothing) -> Result<QuoteList, BoundaryError> {
    let by = author(ctx);
    Ok(ctx.store().with_connection(move |db| list_quotes(db, &by)).await?)
}

/// A saved or recent quote.
///
/// # Errors
/// [`bordereau_api::ErrorCode::NotFound`].
pub async fn quote_open(ctx: &Context, request: QuoteId) -> Result<SavedQuote, BoundaryError> {
    Ok(ctx.store().with_connection(move |db| find_quote(db, &request.id)).await?)
}

/// Removes a saved or recent quote.
///
/// # Errors
/// [`bordereau_api::ErrorCode::NotFound`].
pub async fn quote_remove(ctx: &Context, request: QuoteId) -> Result<Nothing, BoundaryError> {
    ctx.store().with_connection(move |db| remove_quote(db, &request.id)).await?;
    Ok(Nothing {})
}

/// The form as it was last typed.
pub async fn draft_load(ctx: &Context, _request: Nothing) -> Result<Draft, BoundaryError> {
    let kept = ctx.store().load_value::<QuoteRequest>(ValueName::Draft).await?;
    Ok(kept.map_or_else(Draft::default, |(request, at)| Draft { request: Some(request), at }))
}

/// Saves the form as it is, even if unfinished.
pub async fn draft_save(ctx: &Context, request: QuoteRequest) -> Result<Draft, BoundaryError> {
    let at = ctx.now_text();
    ctx.store().save_value(ValueName::Draft, &request, at.clone()).await?;
    Ok(Draft { request: Some(request), at })
}

/// `TX PN Example LLC 02/23/2026`: what a quote is called when no one named it.
pub(super) fn name_of(request: &QuoteRequest, state: &str) -> String {
    let effective = request.policy_effective.trim();
    let effective = parse_day(effective).map_or_else(|| effective.to_owned(), format_day);
    let parts = [state, &request.transaction_type, &request.insured, &effective];
    let name: Vec<&str> = parts.into_iter().map(str::trim).filter(|part| !part.is_empty()).collect();
    if name.is_empty() { "Quote".to_owned() } else { name.join(" ").chars().take(NAME_MAX).collect() }
}
