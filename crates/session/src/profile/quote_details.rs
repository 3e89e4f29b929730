//! A profile's defaults for who charges the agency fee, how a dwelling is held and an assessment's rate, and whether
//! they are sent to its service.

use bordereau_contract::{FeeChargedBy, ImportTransaction};

use super::PRACTICE;
use super::active_profile;
use super::rules::charger_fault;
use super::view::profile_view;
use crate::Context;
use bordereau_api::{BoundaryError, FeeChargedByChoice, Profile, ProfileView};
use bordereau_store::ValueName;
use bordereau_store::profiles::store_profile;

/// Who charges the agency fee by default, as the person chose before.
pub fn remembered_charger(profile: &Profile) -> Option<FeeChargedBy> {
    profile.fee_charged_by.parse().ok()
}

/// Adapts a row to this profile's service: adds who charges the fee if the row doesn't say, or drops answers that
/// the service doesn't understand.
pub fn fit_details(profile: &Profile, row: &mut ImportTransaction) {
    if !profile.sends_quote_details {
        (row.agency_fee_charged_by, row.occupancy, row.assessment_rate) = (None, None, None);
    } else if row.agency_fee.is_some_and(|fee| !fee.is_zero()) && row.agency_fee_charged_by.is_none() {
        row.agency_fee_charged_by = remembered_charger(profile).map(|who| who.code().to_owned());
    }
}

/// Remembers who charges the agency fee for the active profile; empty forgets it.
///
/// # Errors
/// [`bordereau_api::ErrorCode::Validation`] for any other code.
pub async fn profile_fee_charged_by_save(
    ctx: &Context,
    request: FeeChargedByChoice,
) -> Result<ProfileView, BoundaryError> {
    if let Some(fault) = charger_fault(&request.fee_charged_by) {
        return Err(BoundaryError::invalid_fields(vec![fault]));
    }
    let profile = Profile { fee_charged_by: request.fee_charged_by, ..active_profile(ctx).await? };
    let store = ctx.store();
    let profile = if profile.id == PRACTICE {
        store.save_value(ValueName::PracticeFeeChargedBy, &profile.fee_charged_by, ctx.now_text()).await?;
        profile
    } else {
        store.with_connection(|db| store_profile(db, profile)).await?
    };
    profile_view(ctx, profile).await
}

#[cfg(test)]
mod tests {
    use bordereau_money::{Rate, Usd};

    use super::*;
    use crate::profile::new_practice_profile;

    #[test]
    fn a_row_tells_the_service_what_it_understands() {
        let answered = ImportTransaction {
            agency_fee: Some(Usd::from_cents(10_000)),
            agency_fee_charged_by: Some("retail_agent".into()),
            occupancy: Some("tenant".into()),
            assessment_rate: Some(Rate::from_percent(6)),
            ..ImportTransaction::default()
        };
        let open = ImportTransaction { agency_fee_charged_by: None, ..answered.clone() };
        let without_fee = ImportTransaction { agency_fee: Some(Usd::ZERO), ..open.clone() };
        let told = Profile { fee_charged_by: "surplus_lines_licensee".into(), ..new_practice_profile() };
        let untold = Profile { sends_quote_details: false, ..told.clone() };
        for (name, profile, row, charger, is_whole) in [
            ("the row's own answer wins", &told, &answered, Some("retail_agent"), true),
            ("else the profile's", &told, &open, Some("surplus_lines_licensee"), true),
            ("nobody remembered", &new_practice_profile(), &open, None, true),
            ("no fee, no question", &told, &without_fee, None, true),
            ("another service is not told", &untold, &answered, None, false),
        ] {
            let mut fitted = row.clone();
            fit_details(profile, &mut fitted);
            assert_eq!(fitted.agency_fee_charged_by.as_deref(), charger, "{name}");
            assert_eq!((fitted.occupancy.is_some(), fitted.assessment_rate.is_some()), (is_whole, is_whole));
        }
    }
}
