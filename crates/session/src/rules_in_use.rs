//! The rules in use: the built-in ones, or those of a newer signed pack. The pack stays in the data folder and is
//! checked again at every start as if it were new.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bordereau_rules::{PACK_BYTES_MAX, PackProblem, PublicKey, RuleSet, project_keys, verify_pack};
use bordereau_store::file_error;
use parking_lot::Mutex;

use crate::files::read_chosen;
use crate::policy::RulesPolicy;
use bordereau_api::BoundaryError;

/// File of the pack in the data folder.
const PACK_FILE: &str = "rules.pack";

/// The rules of a context.
pub(crate) struct RulesInUse {
    file: PathBuf,
    current: Mutex<CurrentRules>,
}

struct CurrentRules {
    rules: Arc<RuleSet>,
    /// Why the pack in the data folder isn't used.
    unused: String,
}

impl RulesInUse {
    /// Why the pack of the data folder isn't used; empty where it is, or there is none.
    pub(crate) fn unused(&self) -> String {
        self.current.lock().unused.clone()
    }

    /// Uses these rules from now on; their pack replaces an older one.
    pub(crate) fn replace(&self, rules: RuleSet, pack: Option<&[u8]>) -> Result<(), BoundaryError> {
        match pack {
            Some(bytes) => store_pack(&self.file, bytes)?,
            None => remove_pack(&self.file)?,
        }
        *self.current.lock() = CurrentRules { rules: Arc::new(rules), unused: String::new() };
        Ok(())
    }

    /// The rules in use.
    pub(crate) fn current(&self) -> Arc<RuleSet> {
        Arc::clone(&self.current.lock().rules)
    }

    /// Loads the rules of a data folder.
    pub(crate) fn load(folder: &Path, policy: &RulesPolicy) -> RulesInUse {
        let file = folder.join(PACK_FILE);
        let current = match read_stored(&file, policy) {
            Ok(rules) => CurrentRules { rules: Arc::new(rules), unused: String::new() },
            Err(unused) => {
                if !unused.is_empty() {
                    tracing::warn!(%unused, "the rules pack of the data folder");
                }
                CurrentRules { rules: Arc::new(RuleSet::builtin()), unused }
            }
        };
        RulesInUse { file, current: Mutex::new(current) }
    }
}

/// The rules of the data folder's pack; the built-in rules without one.
fn read_stored(file: &Path, policy: &RulesPolicy) -> Result<RuleSet, String> {
    if !file.exists() {
        return Ok(RuleSet::builtin());
    }
    let unused = |why: String| format!("The installed rules pack isn't used: {why}.");
    if !policy.packs {
        return Err(unused("the policy of this computer switches rules packs off".to_owned()));
    }
    let bytes = read_chosen(file, PACK_BYTES_MAX).map_err(unused)?;
    let builtin = RuleSet::builtin().version();
    match verify_pack(&bytes, &trusted_keys(policy), builtin) {
        Ok(rules) => Ok(rules),
        // Its changes are built in by now.
        Err(PackProblem::NotNewer { .. }) => Err(String::new()),
        Err(problem) => Err(unused(problem.to_string())),
    }
}

/// Keys that a pack may be signed with.
pub(crate) fn trusted_keys(policy: &RulesPolicy) -> Vec<PublicKey> {
    let mut keys = project_keys();
    keys.extend(&policy.keys);
    keys
}

/// Stores the pack completely or not at all.
fn store_pack(file: &Path, bytes: &[u8]) -> Result<(), BoundaryError> {
    let part = file.with_extension("part");
    let written = std::fs::File::create(&part)
        .and_then(|mut made| made.write_all(bytes).and_then(|()| made.sync_all()))
        .and_then(|()| std::fs::rename(&part, file));
    written.map_err(|error| file_error(&error, "The rules pack cannot be stored.".to_owned()))
}

fn remove_pack(file: &Path) -> Result<(), BoundaryError> {
    match std::fs::remove_file(file) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(file_error(&error, "The rules pack cannot be removed.".to_owned()))
        }
        _ => Ok(()),
    }
}
