//! Profiles: where the service is and who signs in. No secret is ever part of an answer.

use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr};
use ts_rs::TS;

use crate::RetentionRules;

/// The environment, which the band and the word show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, TS, IntoStaticStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Environment {
    /// The practice service on this machine.
    Practice,
    /// A provider's test site.
    #[default]
    Sandbox,
    /// The real thing.
    Production,
}

/// Client type (contract section 1): both have the same capabilities, and the specification names no other difference.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum ClientType {
    /// Enterprise filing management.
    #[default]
    Enterprise,
    /// Outsourced filing.
    Outsourced,
}

/// How the profile signs in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum SignIn {
    #[default]
    ApiKey,
    /// Username and password.
    User,
    /// Both together.
    Both,
}

/// What a word of the service is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS, EnumString, IntoStaticStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum WordKind {
    /// The status of a transaction, such as `4` or `Complete`.
    Transaction,
    /// The state of a batch.
    Batch,
    /// The status of a row in the results of a batch.
    Row,
    Event,
}

/// A word or number that the service uses, and what it means.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
pub struct ServiceWord {
    /// What it is about.
    pub kind: WordKind,
    /// As the service writes it; case does not matter.
    pub word: String,
    /// Of a transaction the words to show, such as `Filed`; of a batch `queued`, `processing`, `processed` or
    /// `failed`; of a row `success`, `failed` or `saved`; of an event its identifier in the contract.
    pub meaning: String,
}

/// How deliveries are verified.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum DeliveryProofKind {
    /// Its signature, and the agreed header where there is one.
    #[default]
    Signature,
    /// Only the agreed header. Weaker: anyone who knows its value can send anything.
    HeaderPair,
}

/// How a signature is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum SignatureForm {
    /// Hexadecimal or base64.
    #[default]
    Any,
    /// Hexadecimal.
    Hex,
    /// Base64.
    Base64,
}

/// A profile as saved; secrets are set by operations of their own.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Profile {
    /// Id; empty for a new one. The built-in practice profile is `practice`.
    pub id: String,
    pub name: String,
    pub environment: Environment,
    /// `https://...`; empty for practice.
    pub base_url: String,
    pub client_type: ClientType,
    pub sign_in: SignIn,
    /// Username, where it signs in with one.
    pub username: String,
    /// Extra CA file in PEM, or empty: the copy in the data folder, or the handle of a file just chosen.
    pub ca_file: String,
    /// Path of the token endpoint, or empty for the contract's.
    pub token_path: String,
    /// Path of the calculator, or empty for the contract's.
    pub calculator_path: String,
    /// Path of the batch import, or empty for the contract's.
    #[serde(default)]
    pub import_path: String,
    /// Path of a batch's results, or empty for the contract's.
    #[serde(default)]
    pub results_path: String,
    /// Path of the search, or empty for the contract's.
    #[serde(default)]
    pub search_path: String,
    /// Path of one transaction's status, or empty for the contract's.
    #[serde(default)]
    pub status_path: String,
    /// Path of the document import, or empty for the contract's.
    #[serde(default)]
    pub documents_path: String,
    /// Path of the diligent effort forms, or empty for the contract's.
    #[serde(default)]
    pub forms_path: String,
    /// Path of the single import, or empty for the contract's.
    #[serde(default)]
    pub single_path: String,
    /// Path of the webhooks, or empty for the contract's.
    #[serde(default)]
    pub webhooks_path: String,
    /// Where newer rules packs are fetched from while the profile is in use, or empty for the settings' address.
    #[serde(default)]
    pub rules_address: String,
    /// The service has no calculator: quotes are estimates.
    #[serde(default)]
    pub has_no_calculator: bool,
    /// What the service's own words mean.
    #[serde(default)]
    pub words: Vec<ServiceWord>,
    /// What shows that a delivery of a webhook comes from the service.
    #[serde(default)]
    pub delivery_proof: DeliveryProofKind,
    /// Header of the signature, or empty for the contract's.
    #[serde(default)]
    pub signature_header: String,
    /// How the signature is written.
    #[serde(default)]
    pub signature_form: SignatureForm,
    /// The text before the signature, such as `sha256=`; empty for nothing.
    #[serde(default)]
    pub signature_prefix: String,
    /// Requests per minute the client stays under; 0 for the contract's.
    pub requests_per_minute: u32,
    /// Transactions in one request of an import; 0 for [`bordereau_contract::ROWS_PER_REQUEST`].
    #[serde(default)]
    pub rows_per_request: u32,
    /// CSV file with an own table of lines of business, or empty; as the CA file.
    pub lines_file: String,
    /// CSV file with the person's own Kentucky local rates, or empty; as the CA file.
    pub kentucky_file: String,
    /// Who charges the agency fee where a quote or a row does not say: `retail_agent`, `surplus_lines_licensee`, or
    /// empty for nobody.
    #[serde(default)]
    pub fee_charged_by: String,
    /// The service understands who charges the agency fee, how a dwelling is held and an assessment's rate: they are
    /// sent to it.
    #[serde(default)]
    pub sends_quote_details: bool,
    /// How long its data stays on this computer; null for the default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional = nullable)]
    pub retention: Option<RetentionRules>,
    /// The person of an office whose own it is: nobody else sees or uses it; empty for everyone's.
    #[serde(default)]
    pub owner: String,
    /// The revision that was read; null replaces whatever is there. It isn't stored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional = nullable)]
    pub revision: Option<String>,
}

/// Who charges the agency fee, for the active profile to remember.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct FeeChargedByChoice {
    /// `retail_agent`, `surplus_lines_licensee`, or empty to forget it.
    pub fee_charged_by: String,
}

/// A profile with its stored state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ProfileView {
    pub profile: Profile,
    /// The one in use.
    pub active: bool,
    /// Built in: cannot be changed or removed.
    pub built_in: bool,
    /// An API key is stored.
    pub has_key: bool,
    /// A sign-in is stored.
    pub signed_in: bool,
    /// RFC 3339 UTC when the stored sign-in ends and the password is asked for again; null where there is none.
    pub sign_in_ends: Option<String>,
    /// That is within seven days, or past.
    pub sign_in_ends_soon: bool,
    /// What is missing before it can be used; empty when ready.
    pub missing: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ProfileList {
    /// Profiles, Practice first.
    pub profiles: Vec<ProfileView>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ProfileId {
    pub id: String,
}

/// A profile's file to be opened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct OpenProfile {
    /// Its handle; empty asks with the open dialog.
    pub handle: String,
}

/// A profile as a file has it; not saved yet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct OpenedProfile {
    /// The profile, without id; null when the person canceled.
    pub profile: Option<Profile>,
}

/// Store an API key; an empty key removes it.
#[derive(Clone, PartialEq, Eq, Deserialize, TS)]
pub struct SetApiKey {
    pub id: String,
    /// The key: goes in, never comes out.
    pub key: String,
}

/// Sign in with username and password; the password is not stored, the refresh token is.
#[derive(Clone, PartialEq, Eq, Deserialize, TS)]
pub struct SignInRequest {
    pub id: String,
    pub username: String,
    /// Password: used once.
    pub password: String,
}

/// One step of a connection test.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct TestStep {
    /// `Address`, `Name lookup`, `Connection`, `Certificate`, `Sign-in`, `Calculator`.
    pub name: String,
    /// `ok`, `failed` or `skipped`.
    pub outcome: TestOutcome,
    /// Details: address, port, issuer, status.
    pub detail: String,
    /// What to do when it failed.
    pub remedy: String,
}

/// Outcome of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum TestOutcome {
    /// Worked.
    Ok,
    Failed,
    /// Not reached.
    Skipped,
}

/// A connection test.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct TestReport {
    /// All steps worked.
    pub ok: bool,
    /// Steps in order.
    pub steps: Vec<TestStep>,
    /// Milliseconds altogether.
    pub took_ms: u32,
}

/// The keychain.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct SecretsStatus {
    /// `keychain`, `memory` or `unavailable`.
    pub kind: SecretsKind,
    /// Why it is not available, and how to get it.
    pub message: String,
}

/// Where secrets go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum SecretsKind {
    /// The operating system's keychain.
    Keychain,
    /// Memory of this run only, as the person agreed.
    Memory,
    /// Nowhere yet.
    Unavailable,
}
