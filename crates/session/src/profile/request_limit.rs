//! The request limit shared by the desks of an office, counted in its database.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use bordereau_api::{BoundaryError, Profile};
use bordereau_client::{Credentials, Reservation, SharedLimit};
use bordereau_store::workspace::{RequestReservation, reserve_requests};
use bordereau_store::{Store, StoreError};
use sha2::{Digest, Sha256};

use super::address_origin;
use crate::Context;

/// Bytes of a hash that identifies a key: too few to find the key from it. Two keys with the same hash only send
/// more slowly.
const ACCOUNT_BYTES: usize = 3;

/// The limit of one key, or of one signed-in person.
#[derive(Clone)]
struct OfficeLimit {
    store: Store,
    account: String,
}

impl std::fmt::Debug for OfficeLimit {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(to, "limit of {}", self.account)
    }
}

/// The shared limit of this profile's requests; `None` where this desk sends alone.
pub(super) fn shared_limit(
    ctx: &Context,
    profile: &Profile,
    credentials: &Credentials,
) -> Option<Arc<dyn SharedLimit>> {
    ctx.store().office()?;
    let origin = address_origin(&profile.base_url).unwrap_or_default();
    let account = match &credentials.api_key {
        Some(key) => {
            let hash = Sha256::digest(format!("{origin} {}", key.expose()));
            bordereau_contract::hex_text(hash.iter().take(ACCOUNT_BYTES))
        }
        None => format!("{} of {}", ctx.person(), profile.id),
    };
    Some(Arc::new(OfficeLimit { store: ctx.store().clone(), account }))
}

impl SharedLimit for OfficeLimit {
    fn reserve(
        &self,
        wanted: u32,
        limit: u32,
        slots: (Duration, u32),
    ) -> Pin<Box<dyn Future<Output = Reservation> + Send + '_>> {
        let account = self.account.clone();
        Box::pin(async move {
            let reserve = self.store.with_connection(move |connection| {
                reserve_requests(connection, &account, wanted, limit, slots)
            });
            match reserve.await {
                Ok(RequestReservation::Given(given)) => Reservation::Given(given),
                Ok(RequestReservation::Full(wait)) => Reservation::Full(wait),
                Err(error) => {
                    tracing::debug!(%error, "requests can't be counted");
                    let waits = matches!(&error, StoreError::Database(error) if error.is_waiting());
                    let reason = BoundaryError::from(error).message;
                    if waits { Reservation::Unreachable(reason) } else { Reservation::Refused(reason) }
                }
            }
        })
    }
}
