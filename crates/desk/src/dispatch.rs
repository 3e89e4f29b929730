//! Dispatches operations by name, for every host.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::Desk;
use bordereau_api::*;
use bordereau_batches::Reviews;
use bordereau_session::idle_lock;

/// The functions of all crates, by the names of the list.
mod rooms {
    use bordereau_api::{BoundaryError, Nothing, Profile, ProfileId, ProfileView};
    use bordereau_session::Context;

    pub(super) use bordereau_batches::*;
    pub(super) use bordereau_documents::diligent::*;
    pub(super) use bordereau_documents::*;
    pub(super) use bordereau_events::*;
    pub(super) use bordereau_outbox::*;
    pub(super) use bordereau_quotes::pdf::*;
    pub(super) use bordereau_quotes::*;
    pub(super) use bordereau_session::assignments::*;
    pub(super) use bordereau_session::audit_log::{audit_check_head, audit_export, audit_list};
    pub(super) use bordereau_session::backup::*;
    pub(super) use bordereau_session::confirmation::*;
    pub(super) use bordereau_session::idle_lock::{
        lock_change, lock_now, lock_postpone, lock_status, unlock, unlock_with_system,
    };
    pub(super) use bordereau_session::policy_view::policy_show;
    pub(super) use bordereau_session::practice::*;
    pub(super) use bordereau_session::profile::*;
    pub(super) use bordereau_session::reference::*;
    pub(super) use bordereau_session::retention::*;
    pub(super) use bordereau_session::rules::{rules_fetch, rules_install, rules_reset, rules_show};
    pub(super) use bordereau_session::settings::*;
    pub(super) use bordereau_session::updates::{updates_check, updates_show};
    pub(super) use bordereau_session::workspace::{
        office_copy, office_files_key, office_leave, office_news, office_show, office_test, office_use,
    };
    pub(super) use bordereau_transactions::due::*;
    pub(super) use bordereau_transactions::*;

    pub(super) use crate::diagnostics::{diagnostics_save, diagnostics_show, logs_open};
    pub(super) use crate::install_update::updates_install;
    pub(super) use crate::today::today_show;

    /// Also tells the receiver how the profile's deliveries are verified.
    pub(super) async fn profile_save(ctx: &Context, request: Profile) -> Result<ProfileView, BoundaryError> {
        let saved = bordereau_session::profile::profile_save(ctx, request).await?;
        EventInbox::from_context(ctx).reset();
        Ok(saved)
    }

    /// Also removes the stored data of the profile's service.
    pub(super) async fn profile_remove(ctx: &Context, request: ProfileId) -> Result<Nothing, BoundaryError> {
        let id = request.id.clone();
        let removed = bordereau_session::profile::profile_remove(ctx, request).await?;
        forget_profile(ctx, &id);
        Ok(removed)
    }
}

/// Operations after which open reviews are checked again: the profile, the rules, or what was sent is another.
const CHANGES_CHECKS: &[&str] = &[
    "batch_cancel",
    "profile_fee_charged_by_save",
    "profile_save",
    "profile_select",
    "rules_fetch",
    "rules_reset",
    "rules_install",
];

/// What is served while the office can't be used that this computer is to work on: all else would show this computer's
/// own data in its place.
pub const SERVED_WITHOUT_OFFICE: [&str; 10] = [
    "choose_file",
    "lock_now",
    "lock_status",
    "logs_open",
    "office_leave",
    "office_show",
    "office_test",
    "office_use",
    "unlock",
    "unlock_with_system",
];

macro_rules! serve {
    ($($name:ident: $request:ty => $answer:ty;)+) => {
        /// Names that [`dispatch`] serves, in the order of the list.
        pub const SERVED: &[&str] = &[$(stringify!($name),)+];

        /// Runs the named operation with a JSON request and returns JSON; while the window is locked only operations
        /// that unlock it.
        ///
        /// # Errors
        /// The operation's errors; [`ErrorCode::Internal`] for an unknown name or unreadable request;
        /// [`ErrorCode::Locked`].
        pub async fn dispatch(desk: &Desk, operation: &str, request: Value) -> Result<Value, BoundaryError> {
            let is_guarded = !idle_lock::SERVED_WHILE_LOCKED.contains(&operation);
            if is_guarded && idle_lock::is_locked(&desk.context).await? {
                return Err(idle_lock::locked_error());
            }
            if let Some(trouble) = desk.office_trouble()
                && !SERVED_WITHOUT_OFFICE.contains(&operation)
            {
                return Err(trouble.clone());
            }
            let answer = serve(desk, operation, request).await?;
            // Don't show a result requested before the window was locked.
            if is_guarded && idle_lock::is_locked(&desk.context).await? {
                return Err(idle_lock::locked_error());
            }
            Ok(answer)
        }

        async fn serve(desk: &Desk, operation: &str, request: Value) -> Result<Value, BoundaryError> {
            match operation {
                $(stringify!($name) => {
                    let request: $request = read(stringify!($name), request)?;
                    let answer: $answer = Box::pin(desk.$name(request)).await?;
                    write(&answer)
                })+
                _ => Err(BoundaryError::with_code(ErrorCode::Internal, "This operation is not known.")),
            }
        }

        impl Desk {
            $(
                #[doc = concat!("The operation `", stringify!($name), "`.")]
                pub async fn $name(&self, request: $request) -> Result<$answer, BoundaryError> {
                    let answer = rooms::$name(&self.context, request).await?;
                    if CHANGES_CHECKS.contains(&stringify!($name)) {
                        Reviews::of(&self.context).evict_all();
                    }
                    Ok(answer)
                }
            )+
        }
    };
}

bordereau_api::for_each_operation!(serve);

/// The parser's reason isn't passed on: it could quote a secret from the request.
fn read<T: DeserializeOwned>(operation: &'static str, request: Value) -> Result<T, BoundaryError> {
    serde_json::from_value(request).map_err(|error| {
        tracing::warn!(operation, column = error.column(), "request cannot be read");
        BoundaryError::with_code(ErrorCode::Internal, format!("The request of {operation} cannot be read."))
    })
}

fn write<T: Serialize>(answer: &T) -> Result<Value, BoundaryError> {
    serde_json::to_value(answer).map_err(|_| BoundaryError::internal_error("writing the answer"))
}
