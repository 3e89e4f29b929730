//! Removes finished data after the time that each profile sets.

use std::fs;

use bordereau_api::*;
use bordereau_contract::format_instant;
use bordereau_store::profiles::{list_profiles, store_profile};
use bordereau_store::retention::{
    ProfileExpiry, count_expired, count_expired_quotes, profiles_with_data, remove_expired,
};
use bordereau_store::{ValueName, audit};
use chrono::{DateTime, TimeDelta};

use crate::Context;
use crate::profile::{PRACTICE, active_profile, profile_by_id};

/// A hundred years; longer means forever.
const DAYS_MAX: u32 = 36_500;

/// The rules of the profile in use, and what they would remove now.
pub async fn data_retention(ctx: &Context, _request: Nothing) -> Result<RetentionView, BoundaryError> {
    let profile = active_profile(ctx).await?;
    view_rules(ctx, profile.name, profile.id, profile.retention.unwrap_or_default()).await
}

/// What these rules would remove now.
///
/// # Errors
/// [`ErrorCode::Validation`] for more than a hundred years.
pub async fn data_retention_preview(
    ctx: &Context,
    request: RetentionRules,
) -> Result<RetentionView, BoundaryError> {
    check_rules(&request)?;
    let profile = active_profile(ctx).await?;
    view_rules(ctx, profile.name, profile.id, request).await
}

/// Saves the rules of the profile in use and applies them.
///
/// # Errors
/// As [`data_retention_preview`]; errors of writing.
pub async fn data_retention_save(
    ctx: &Context,
    request: RetentionRules,
) -> Result<RetentionView, BoundaryError> {
    check_rules(&request)?;
    let profile = Profile { retention: Some(request), ..active_profile(ctx).await? };
    let (name, now) = (profile.name.clone(), ctx.now_stamp());
    if profile.id == PRACTICE {
        ctx.store().save_value(ValueName::PracticeRetention, &request, ctx.now_text()).await?;
    } else {
        ctx.store().with_connection(|db| store_profile(db, profile)).await?;
    }
    let text = format!("Retention of profile \"{name}\": {}.", request.describe());
    ctx.store().with_connection(move |db| audit::append_entry(db, &now.at, &now.by, &text)).await?;
    let counts = apply_retention(ctx).await?;
    Ok(RetentionView { profile: name, rules: request, counts })
}

/// Removes data whose time under its profile's rules is over, also that of removed profiles.
pub async fn apply_retention(ctx: &Context) -> Result<RetentionCounts, BoundaryError> {
    let mut known = ctx.store().with_connection(|db| list_profiles(db)).await?;
    known.push(profile_by_id(ctx, PRACTICE).await?);
    let mut profiles: Vec<(String, RetentionRules)> =
        known.into_iter().map(|profile| (profile.id, profile.retention.unwrap_or_default())).collect();
    // A quote belongs to no profile: the shortest time of all profiles applies.
    let quotes = profiles.iter().filter_map(|(_, rules)| rules.quotes).min().map(|days| until(ctx, days));
    for id in ctx.store().with_connection(|db| profiles_with_data(db)).await? {
        if !profiles.iter().any(|(known, _)| *known == id) {
            profiles.push((id, RetentionRules::default()));
        }
    }
    let expiry: Vec<ProfileExpiry> =
        profiles.into_iter().map(|(id, rules)| profile_expiry(ctx, id, &rules)).collect();
    let mut counts = RetentionCounts::default();
    loop {
        let (expiry, quotes, now) = (expiry.clone(), quotes.clone(), ctx.now_stamp());
        let work = move |db: &mut _| remove_expired(db, &expiry, quotes.as_deref(), &now);
        let expired = ctx.store().run_durably(work).await?;
        counts = counts.plus(expired.counts);
        let uploads = ctx.store().folder().join("uploads");
        for file in expired.files.iter().filter(|file| !file.is_empty()) {
            let _ = fs::remove_file(uploads.join(file));
        }
        if !expired.is_more {
            return Ok(counts);
        }
    }
}

async fn view_rules(
    ctx: &Context,
    profile: String,
    id: String,
    rules: RetentionRules,
) -> Result<RetentionView, BoundaryError> {
    let expiry = profile_expiry(ctx, id, &rules);
    let quotes = rules.quotes.map(|days| until(ctx, days));
    let counts = ctx.store().with_connection(move |db| {
        let quotes = quotes.map(|until| count_expired_quotes(db, &until)).transpose()?;
        Ok(RetentionCounts { quotes: quotes.unwrap_or_default(), ..count_expired(db, &expiry)? })
    });
    Ok(RetentionView { profile, rules, counts: counts.await? })
}

fn profile_expiry(ctx: &Context, profile_id: String, rules: &RetentionRules) -> ProfileExpiry {
    let until = |days: Option<u32>| days.map(|days| until(ctx, days));
    ProfileExpiry {
        profile_id,
        documents: until(rules.documents),
        rows: until(rules.rows),
        events: until(rules.events),
        uploads: until(rules.uploads),
        drafts: until(rules.drafts),
    }
}

/// This many days ago, in whole seconds like everything in the store.
fn until(ctx: &Context, days: u32) -> String {
    let then = ctx.ports().clock.now() - TimeDelta::days(days.into());
    format_instant(DateTime::from_timestamp(then.timestamp(), 0).unwrap_or(then))
}

fn check_rules(rules: &RetentionRules) -> Result<(), BoundaryError> {
    let faults: Vec<FieldError> = rules
        .named_days()
        .into_iter()
        .filter(|(_, days)| days.is_some_and(|days| days > DAYS_MAX))
        .map(|(name, _)| {
            let message = "At most 36,500 days. Leave it empty to keep it always.";
            FieldError::at_pointer(format!("/{name}"), message)
        })
        .collect();
    if faults.is_empty() { Ok(()) } else { Err(BoundaryError::invalid_fields(faults)) }
}
