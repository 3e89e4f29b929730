//! Answers of a profile's service that weren't understood: stored, shown, and saved as a file for the provider.

use bordereau_api::{
    AnswerHeader, BoundaryError, FileOutcome, Nothing, SaveAnswers, UnreadAnswerView, UnreadAnswers,
    UnreadPart, to_u32,
};
use bordereau_client::{Client, UnreadAnswer};
use bordereau_contract::format_instant;
use bordereau_store::unread_answers::{clear_unread, keep_unread, list_unread};

use super::active_profile;
use crate::Context;
use crate::files::{safe_name, save_through};
use crate::ports::FileFilter;

/// Stores answers that this client doesn't understand.
pub(super) fn keep_unread_answers(ctx: &Context, profile_id: &str, client: &Client) {
    let (store, clock, profile_id) = (ctx.store().clone(), ctx.ports().clock.clone(), profile_id.to_owned());
    client.observe_unread(Box::new(move |answer| {
        let (store, profile_id, at) = (store.clone(), profile_id.clone(), format_instant(clock.now()));
        let view = answer_view(answer);
        tokio::spawn(async move {
            let kept = store.with_connection(move |db| keep_unread(db, &profile_id, &at, &view)).await;
            if let Err(error) = kept {
                tracing::warn!(%error, "an answer that was not understood was not kept");
            }
        });
    }));
}

fn answer_view(answer: UnreadAnswer) -> UnreadAnswerView {
    UnreadAnswerView {
        operation: answer.operation,
        status: answer.status,
        headers: answer.headers.into_iter().map(|(name, value)| AnswerHeader { name, value }).collect(),
        body: answer.body,
        body_bytes: to_u32(answer.body_bytes),
        parts: answer
            .losses
            .into_iter()
            .map(|loss| UnreadPart {
                path: loss.path,
                found: loss.found,
                reason: loss.reason,
                is_record: loss.is_record,
            })
            .collect(),
        lost: to_u32(answer.lost),
    }
}

/// Answers that the profile in use didn't understand, newest first.
pub async fn unread_answers(ctx: &Context, _request: Nothing) -> Result<UnreadAnswers, BoundaryError> {
    let profile = active_profile(ctx).await?;
    let id = profile.id.clone();
    let answers = ctx.store().with_connection(move |db| list_unread(db, &id)).await?;
    Ok(UnreadAnswers { profile: profile.name, answers })
}

/// Saves them as a file.
///
/// # Errors
/// Errors of writing; [`bordereau_api::ErrorCode::NotFound`] where there are none.
pub async fn unread_answers_save(ctx: &Context, request: SaveAnswers) -> Result<FileOutcome, BoundaryError> {
    let mut found = unread_answers(ctx, Nothing {}).await?;
    found.answers.retain(|kept| request.ids.is_empty() || request.ids.contains(&kept.id));
    if found.answers.is_empty() {
        return Err(BoundaryError::not_found("answer"));
    }
    let name = format!("{} unread answers.json", safe_name(&found.profile, "service"));
    let bytes =
        serde_json::to_vec_pretty(&found).map_err(|_| BoundaryError::internal_error("writing answers"))?;
    let filter = FileFilter { name: "Answers".to_owned(), extensions: vec!["json".to_owned()] };
    save_through(ctx.ports(), name, filter, bytes).await
}

/// Removes them.
pub async fn unread_answers_clear(ctx: &Context, _request: Nothing) -> Result<Nothing, BoundaryError> {
    let id = active_profile(ctx).await?.id;
    ctx.store().with_connection(move |db| clear_unread(db, &id)).await?;
    Ok(Nothing {})
}
