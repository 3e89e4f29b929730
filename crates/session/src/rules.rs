//! Rules packs: installed from a file or an address, shown with their changes, removed again.

use bordereau_rules::{PACK_BYTES_MAX, RuleDifference, RuleSet, rule_differences, verify_pack};
use url::Url;

use crate::dropped_files::dropped_path;
use crate::files::read_chosen;
use crate::policy::{RulesPolicy, switched_off};
use crate::ports::FileFilter;
use crate::profile::active_profile;
use crate::public_files::fetch_file;
use crate::rules_in_use::trusted_keys;
use crate::settings::settings_load;
use crate::web_address::first_address;
use crate::{Context, run_off_thread};
use bordereau_api::{BoundaryError, ErrorCode, InstallRules, Nothing, RuleDifferenceView, RulesView};

/// The rules in use, and what a pack changed.
///
/// # Errors
/// [`ErrorCode::Storage`].
pub async fn rules_show(ctx: &Context, _request: Nothing) -> Result<RulesView, BoundaryError> {
    let policy = &ctx.ports().policy.rules;
    let held = ctx.rules_in_use();
    let rules = held.current();
    let builtin = RuleSet::builtin();
    let named = pack_address(ctx).await?;
    let keys = trusted_keys(policy);
    let from_pack = rules.pack_key().is_some();
    let differences = if from_pack { rule_differences(&builtin, &rules) } else { Vec::new() };
    Ok(RulesView {
        version: rules.version().to_string(),
        day: rules.version().day().to_string(),
        builtin_version: builtin.version().to_string(),
        from_pack,
        signed_by: rules.pack_key().map(|key| key.to_string()).unwrap_or_default(),
        differences: differences.into_iter().map(difference_view).collect(),
        trusted_keys: keys.iter().map(ToString::to_string).collect(),
        address: named.address.map(|url| url.to_string()).unwrap_or_default(),
        address_by_policy: named.is_of_policy,
        address_by_profile: named.is_of_profile,
        obstacle: obstacle(policy).unwrap_or_default(),
        unused: held.unused(),
    })
}

/// Why no pack can be used.
fn obstacle(policy: &RulesPolicy) -> Option<String> {
    if !policy.packs {
        return Some("Rules packs are switched off by the policy of this computer.".to_owned());
    }
    trusted_keys(policy).is_empty().then(|| {
        "Rules packs can't be used, because there is no key to check their signature with: this version was built \
         without the project's key, and the policy of this computer names none."
            .to_owned()
    })
}

fn difference_view(difference: RuleDifference) -> RuleDifferenceView {
    let RuleDifference { state, is_new, text } = difference;
    RuleDifferenceView { state: state.code().to_owned(), is_new, text }
}

/// Uses the rules of a pack file; closing the dialog changes nothing.
///
/// # Errors
/// [`ErrorCode::Validation`] says why the pack isn't used; errors of writing.
pub async fn rules_install(ctx: &Context, request: InstallRules) -> Result<RulesView, BoundaryError> {
    ensure_packs_allowed(ctx)?;
    let path = if request.handle.is_empty() {
        let filter = FileFilter { name: "Rules pack".to_owned(), extensions: vec!["rules".to_owned()] };
        ctx.ports().dialogs.open("Use a rules pack".to_owned(), filter).await
    } else {
        Some(dropped_path(ctx, &request.handle)?)
    };
    if let Some(path) = path {
        let read = move || read_chosen(&path, PACK_BYTES_MAX);
        let read = run_off_thread("reading a rules pack", read).await?;
        take_pack(ctx, read.map_err(|why| refused(&why))?).await?;
    }
    rules_show(ctx, Nothing {}).await
}

/// Downloads the newest pack from the address in policy, profile or settings, and uses its rules.
///
/// # Errors
/// [`ErrorCode::Validation`] without an address, or says why the pack isn't used; network errors.
pub async fn rules_fetch(ctx: &Context, _request: Nothing) -> Result<RulesView, BoundaryError> {
    ensure_packs_allowed(ctx)?;
    let address = pack_address(ctx).await?.address.ok_or_else(|| {
        BoundaryError::with_code(
            ErrorCode::Validation,
            "No address of rules packs is known. Enter one first.",
        )
    })?;
    let bytes = fetch_file(ctx, &address, PACK_BYTES_MAX).await?;
    take_pack(ctx, bytes).await?;
    rules_show(ctx, Nothing {}).await
}

/// Uses the built-in rules again; the pack is removed.
///
/// # Errors
/// [`ErrorCode::Storage`].
pub async fn rules_reset(ctx: &Context, _request: Nothing) -> Result<RulesView, BoundaryError> {
    let held = ctx.rules_in_use();
    held.replace(RuleSet::builtin(), None)?;
    rules_show(ctx, Nothing {}).await
}

fn ensure_packs_allowed(ctx: &Context) -> Result<(), BoundaryError> {
    let policy = &ctx.ports().policy.rules;
    if !policy.packs {
        return Err(switched_off(ErrorCode::Validation, "Rules packs are switched off"));
    }
    obstacle(policy).map_or(Ok(()), |why| Err(BoundaryError::with_code(ErrorCode::Validation, why)))
}

/// The address of packs, and who names it.
struct PackAddress {
    address: Option<Url>,
    is_of_policy: bool,
    is_of_profile: bool,
}

/// That of the policy, else of the profile in use, else of the settings.
async fn pack_address(ctx: &Context) -> Result<PackAddress, BoundaryError> {
    let policy = &ctx.ports().policy.rules;
    let profile = active_profile(ctx).await?;
    let settings = settings_load(ctx, Nothing {}).await?;
    let is_of_policy = !policy.address.is_empty();
    let is_of_profile = !is_of_policy && !profile.rules_address.is_empty();
    let setting = if is_of_profile { &profile.rules_address } else { &settings.rules_address };
    Ok(PackAddress { address: first_address(&policy.address, setting), is_of_policy, is_of_profile })
}

fn refused(why: &str) -> BoundaryError {
    let message = format!("This rules pack isn't used: {why}. Nothing was changed.");
    BoundaryError::with_code(ErrorCode::Validation, message)
}

/// Checks a pack, stores it, then uses it.
async fn take_pack(ctx: &Context, bytes: Vec<u8>) -> Result<(), BoundaryError> {
    let held = ctx.rules_in_use();
    let (used, keys) = (held.current().version(), trusted_keys(&ctx.ports().policy.rules));
    let work = move || -> Result<String, BoundaryError> {
        let rules = verify_pack(&bytes, &keys, used).map_err(|problem| refused(&problem.to_string()))?;
        let version = rules.version().to_string();
        held.replace(rules, Some(&bytes))?;
        Ok(version)
    };
    let version = run_off_thread("checking a rules pack", work).await??;
    tracing::info!(%version, "the rules of a pack are used");
    Ok(())
}
