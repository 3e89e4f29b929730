//! The rules in use: those that come with the program, or those of a signed pack that is newer.
//!
//! Pure: a pack comes in as bytes. Nothing of it is read before its signature by a known key is right, and nothing of
//! it is used before all of it went through the same readers and worked examples as the built-in rules.

mod pack;
mod pack_signature;
mod public_key;
mod rule_differences;
mod rule_set;
mod version;

pub use pack::{PACK_BYTES_MAX, PackProblem, verify_pack};
pub use pack_signature::{SigningKey, SigningKeyProblem, sign_builtin_rules, sign_payload};
pub use public_key::{PublicKey, project_keys, read_keys};
pub use rule_differences::{RuleDifference, rule_differences};
pub use rule_set::RuleSet;
pub use version::RulesVersion;

/// Counts up when rule files say something that an older calculator does not know, or would calculate otherwise.
pub const RULES_ENGINE: u32 = 1;
