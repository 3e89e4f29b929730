//! Whose key or token this is: answered from memory, so that a calculator call costs no database access.

use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::RwLock;

use crate::secrets::SecretHash;
use crate::store::accounts::{self, Account, KeyOwner};
use crate::store::tokens::{self, TokenKind};
use crate::store::{Store, StoreError};

/// Entries kept of each kind; beyond it the memory is started afresh.
const KEPT_MAX: usize = 10_000;

#[derive(Default)]
struct Known {
    /// Grows with every change; what was read before a change must not be kept after it.
    generation: u64,
    keys: HashMap<SecretHash, Arc<Account>>,
    bearers: HashMap<SecretHash, (Arc<Account>, i64)>,
}

/// What a key or token was found to be.
pub(crate) enum Found<T> {
    Live(T),
    /// A key that was replaced by a newer one.
    Replaced,
    Unknown,
}

/// Accounts by key and by access token.
pub(crate) struct Directory {
    store: Store,
    known: RwLock<Known>,
}

impl Directory {
    pub(crate) fn new(store: Store) -> Directory {
        Directory { store, known: RwLock::default() }
    }

    /// Forgets everything: an account, key or password changed. Call it after the change is committed.
    pub(crate) fn forget(&self) {
        let mut known = self.known.write();
        known.generation += 1;
        known.keys.clear();
        known.bearers.clear();
    }

    /// The account of an API key.
    pub(crate) async fn by_key(&self, key: SecretHash) -> Result<Found<Arc<Account>>, StoreError> {
        let generation = {
            let known = self.known.read();
            if let Some(account) = known.keys.get(&key) {
                return Ok(Found::Live(Arc::clone(account)));
            }
            known.generation
        };
        let account = match self.store.run(move |db| accounts::by_key(db, &key)).await? {
            Some(KeyOwner::Live(account)) => Arc::new(account),
            Some(KeyOwner::Replaced) => return Ok(Found::Replaced),
            None => return Ok(Found::Unknown),
        };
        let mut known = self.known.write();
        if known.generation == generation {
            if known.keys.len() >= KEPT_MAX {
                known.keys.clear();
            }
            known.keys.insert(key, Arc::clone(&account));
        }
        Ok(Found::Live(account))
    }

    /// The account of an access token, and when the token expires (seconds since 1970).
    pub(crate) async fn by_bearer(
        &self,
        token: SecretHash,
    ) -> Result<Found<(Arc<Account>, i64)>, StoreError> {
        let generation = {
            let known = self.known.read();
            if let Some(found) = known.bearers.get(&token) {
                return Ok(Found::Live(found.clone()));
            }
            known.generation
        };
        let found = self.store.run(move |db| tokens::find(db, &token, TokenKind::Access)).await?;
        let Some((account, expires_at)) = found else { return Ok(Found::Unknown) };
        let found = (Arc::new(account), expires_at);
        let mut known = self.known.write();
        if known.generation == generation {
            if known.bearers.len() >= KEPT_MAX {
                known.bearers.clear();
            }
            known.bearers.insert(token, found.clone());
        }
        Ok(Found::Live(found))
    }
}
