//! Whose key or token this is: answered from memory, so that a calculator call costs no database access.

use std::collections::HashMap;
use std::sync::Arc;

use bordereau_service_store::accounts::{self, Account, KeyOwner};
use bordereau_service_store::tokens::{self, TokenKind};
use bordereau_service_store::{Store, StoreError};
use parking_lot::RwLock;

/// Entries kept of each kind; beyond it the memory is started afresh.
const KEPT_MAX: usize = 10_000;

#[derive(Default)]
struct KnownAccounts {
    /// Grows with every change; what was read before a change must not be kept after it.
    generation: u64,
    keys: HashMap<String, Arc<Account>>,
    bearers: HashMap<String, (Arc<Account>, i64)>,
}

/// What a key or token was found to be.
pub(crate) enum CredentialLookup<T> {
    Live(T),
    /// A key that was replaced by a newer one.
    Replaced,
    Unknown,
}

/// Accounts by key and by access token.
pub(crate) struct AccountDirectory {
    store: Store,
    known: RwLock<KnownAccounts>,
}

impl AccountDirectory {
    pub(crate) fn new(store: Store) -> AccountDirectory {
        AccountDirectory { store, known: RwLock::default() }
    }

    /// Forgets everything: an account, key or password changed. Call it after the change is committed.
    pub(crate) fn forget_all(&self) {
        let mut known = self.known.write();
        known.generation += 1;
        known.keys.clear();
        known.bearers.clear();
    }

    /// The account of an API key.
    pub(crate) async fn by_key(
        &self,
        key_hash: String,
    ) -> Result<CredentialLookup<Arc<Account>>, StoreError> {
        let generation = {
            let known = self.known.read();
            if let Some(account) = known.keys.get(&key_hash) {
                return Ok(CredentialLookup::Live(Arc::clone(account)));
            }
            known.generation
        };
        let hash = key_hash.clone();
        let account = match self.store.read(move |db| accounts::by_key(db, &hash)).await? {
            Some(KeyOwner::Live(account)) => Arc::new(account),
            Some(KeyOwner::Replaced) => return Ok(CredentialLookup::Replaced),
            None => return Ok(CredentialLookup::Unknown),
        };
        let mut known = self.known.write();
        if known.generation == generation {
            if known.keys.len() >= KEPT_MAX {
                known.keys.clear();
            }
            known.keys.insert(key_hash, Arc::clone(&account));
        }
        Ok(CredentialLookup::Live(account))
    }

    /// The account of an access token, and when the token expires (seconds since 1970).
    pub(crate) async fn by_bearer(
        &self,
        token_hash: String,
    ) -> Result<CredentialLookup<(Arc<Account>, i64)>, StoreError> {
        let generation = {
            let known = self.known.read();
            if let Some(found) = known.bearers.get(&token_hash) {
                return Ok(CredentialLookup::Live(found.clone()));
            }
            known.generation
        };
        let hash = token_hash.clone();
        let found = self.store.read(move |db| tokens::find_token(db, &hash, TokenKind::Access)).await?;
        let Some((account, expires_at)) = found else { return Ok(CredentialLookup::Unknown) };
        let found = (Arc::new(account), expires_at);
        let mut known = self.known.write();
        if known.generation == generation {
            if known.bearers.len() >= KEPT_MAX {
                known.bearers.clear();
            }
            known.bearers.insert(token_hash, found.clone());
        }
        Ok(CredentialLookup::Live(found))
    }
}
