//! A pack of rules: the files of all jurisdictions, their changelog and worked examples in one signed file.
//!
//! ```text
//! bordereau-rules-pack 1
//! key BASE64          the public key it is signed with
//! signature BASE64    Ed25519 over the first line and everything behind this one
//! {"version": ..., "engine": ..., "tax": {...}, "calendar": {...}, "changes": ..., "examples": ...}
//! ```

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use bordereau_calendar::Calendar;
use bordereau_contract::Jurisdiction;
use bordereau_tax::{RuleBook, RuleChange, check_worked_examples};
use serde::{Deserialize, Serialize};

use crate::{PublicKey, RULES_ENGINE, RuleSet, RulesVersion};

/// Largest pack, in bytes; the built-in rules make one of half a megabyte.
pub const PACK_BYTES_MAX: u64 = 4 * 1024 * 1024;
pub(crate) const FIRST_LINE: &str = "bordereau-rules-pack 1";

/// Why a pack is not used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PackProblem {
    /// Too large.
    #[error("it is larger than {} MiB", PACK_BYTES_MAX / 1024 / 1024)]
    TooLarge,
    /// Another file.
    #[error("it is not a rules pack that this version of Bordereau knows")]
    NotAPack,
    /// There is no signature in it.
    #[error("it is not signed")]
    Unsigned,
    /// Signed by somebody else.
    #[error("it is signed with a key that is not trusted here ({0})")]
    UnknownKey(PublicKey),
    /// Changed after it was signed, or never signed by this key.
    #[error("its signature is wrong: it was changed after it was signed")]
    WrongSignature,
    /// For another calculator.
    #[error(
        "it is for engine {found} of the calculator, and this version of Bordereau has engine {}",
        RULES_ENGINE
    )]
    OtherEngine {
        /// What it says.
        found: u64,
    },
    /// Not newer than what is used.
    #[error("it has version {found}, which is not newer than version {used} in use")]
    NotNewer {
        /// Its version.
        found: RulesVersion,
        /// The version in use.
        used: RulesVersion,
    },
    /// Some of it cannot be read.
    #[error("{place} cannot be used: {reason}")]
    Unusable {
        /// What of it.
        place: String,
        /// What is wrong.
        reason: String,
    },
}

/// What is signed.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PackPayload {
    pub(crate) version: RulesVersion,
    pub(crate) engine: u64,
    /// Rule files of the calculator by jurisdiction.
    pub(crate) tax: BTreeMap<Jurisdiction, String>,
    /// Rule files of the due dates.
    pub(crate) calendar: BTreeMap<Jurisdiction, String>,
    /// `CHANGES.md`.
    pub(crate) changes: String,
    /// `examples.csv`.
    pub(crate) examples: String,
}

/// The engine alone: a pack for another one may have another form.
#[derive(Deserialize)]
struct PackEngine {
    engine: u64,
}

/// The rules of a pack, after all of it was checked: size, form, signature by one of the keys, engine, newer than
/// `used`, every rule file, and the worked examples.
///
/// # Errors
/// The first thing that is wrong. Before the signature is right, nothing behind it is looked at.
pub fn verify_pack(bytes: &[u8], keys: &[PublicKey], used: RulesVersion) -> Result<RuleSet, PackProblem> {
    let (key, payload) = verify_signature(bytes, keys)?;
    let engine: PackEngine = read_json(payload)?;
    if engine.engine != u64::from(RULES_ENGINE) {
        return Err(PackProblem::OtherEngine { found: engine.engine });
    }
    let payload: PackPayload = read_json(payload)?;
    if payload.version <= used {
        return Err(PackProblem::NotNewer { found: payload.version, used });
    }
    read_rules(&payload, key)
}

fn verify_signature<'p>(bytes: &'p [u8], keys: &[PublicKey]) -> Result<(PublicKey, &'p [u8]), PackProblem> {
    if bytes.len() as u64 > PACK_BYTES_MAX {
        return Err(PackProblem::TooLarge);
    }
    let (first, rest) = split_line(bytes).ok_or(PackProblem::NotAPack)?;
    if first != FIRST_LINE {
        return Err(PackProblem::NotAPack);
    }
    let (key, rest) = named_line(rest, "key ")?;
    let (signature, payload) = named_line(rest, "signature ")?;
    let key: PublicKey = key.parse().map_err(|_| PackProblem::Unsigned)?;
    if BASE64.decode(signature).is_err() {
        return Err(PackProblem::Unsigned);
    }
    if !keys.contains(&key) {
        return Err(PackProblem::UnknownKey(key));
    }
    if !key.has_signed(&signed_bytes(payload), signature) {
        return Err(PackProblem::WrongSignature);
    }
    Ok((key, payload))
}

/// What the signature is over: it holds for no other kind of file, and no other form of a pack.
pub(crate) fn signed_bytes(payload: &[u8]) -> Vec<u8> {
    [FIRST_LINE.as_bytes(), b"\n", payload].concat()
}

fn split_line(bytes: &[u8]) -> Option<(&str, &[u8])> {
    const LINE_MAX: usize = 200;
    let end = bytes.iter().take(LINE_MAX).position(|byte| *byte == b'\n')?;
    Some((std::str::from_utf8(&bytes[..end]).ok()?, &bytes[end + 1..]))
}

fn named_line<'p>(bytes: &'p [u8], name: &str) -> Result<(&'p str, &'p [u8]), PackProblem> {
    let (line, rest) = split_line(bytes).ok_or(PackProblem::Unsigned)?;
    Ok((line.strip_prefix(name).ok_or(PackProblem::Unsigned)?, rest))
}

fn unusable(place: impl Into<String>, reason: impl ToString) -> PackProblem {
    PackProblem::Unusable { place: place.into(), reason: reason.to_string() }
}

fn read_json<'p, T: Deserialize<'p>>(payload: &'p [u8]) -> Result<T, PackProblem> {
    serde_json::from_slice(payload).map_err(|error| unusable("its content", error))
}

fn read_rules(payload: &PackPayload, key: PublicKey) -> Result<RuleSet, PackProblem> {
    let changes = RuleChange::parse_all(&payload.changes).map_err(|why| unusable("its changelog", why))?;
    if RulesVersion::from_changes(&changes) != Some(payload.version) {
        return Err(unusable("its version", "it is not that of the newest changes in its changelog"));
    }
    let files: Vec<(Jurisdiction, &str)> =
        payload.tax.iter().map(|(state, text)| (*state, text.as_str())).collect();
    let book = RuleBook::read(&files)
        .map_err(|(state, problem)| unusable(format!("the rules of {}", state.title()), problem))?;
    let dates: Vec<&str> = payload.calendar.values().map(String::as_str).collect();
    let calendar = Calendar::read(&dates).map_err(|problem| unusable("the due dates", problem))?;
    check_worked_examples(&payload.examples, &book).map_err(|why| unusable("a worked example", why))?;
    Ok(RuleSet::from_pack(payload.version, key, book, calendar, changes))
}
