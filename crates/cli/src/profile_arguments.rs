//! Arguments of `bordereau profile`.

use std::path::PathBuf;

use bordereau_desk::api::{
    ClientType, DeliveryProofKind, Environment, ServiceWord, SignIn, SignatureForm, WordKind,
};
use clap::{Args, Subcommand};

use crate::choice_names::choice_names;
use crate::shared_arguments::ChargerName;

#[derive(Debug, Subcommand)]
pub(crate) enum ProfileCommand {
    /// Add a profile
    Add(Box<ProfileArguments>),
    /// Change a profile; options that aren't given stay as they are
    Edit(Box<ProfileEdit>),
    /// Show a profile's settings, without secrets
    Show(ProfileName),
    /// Save a profile as a file without secrets, for a colleague
    Export {
        #[command(flatten)]
        profile: ProfileName,
        /// The file to save it in
        #[arg(long, value_name = "FILE")]
        to: PathBuf,
    },
    /// Add a profile from a file
    Import {
        /// The file
        file: PathBuf,
        /// Name to add it under
        #[arg(long)]
        name: Option<String>,
    },
    /// Service responses that weren't understood, to review and send to the provider
    Answers {
        #[command(flatten)]
        profile: ProfileName,
        /// Save them as a file
        #[arg(long, value_name = "FILE")]
        save: Option<PathBuf>,
        /// Delete them
        #[arg(long, conflicts_with = "save")]
        clear: bool,
    },
    /// List all profiles
    List,
    /// Test the connection and report what failed
    Test(ProfileName),
    /// Remove a profile and its secrets
    Remove(ProfileName),
    /// Use this profile from now on
    Use(ProfileName),
    /// Store an API key, read from a prompt or standard input
    SetKey(ProfileName),
    /// Sign in with a password, read from a prompt or standard input
    SignIn {
        #[command(flatten)]
        profile: ProfileName,
        /// Username [default: the profile's]
        #[arg(long)]
        username: Option<String>,
    },
    /// Sign out: remove the stored sign-in
    SignOut(ProfileName),
}

#[derive(Args, Debug)]
pub(crate) struct ProfileName {
    /// Name or id of the profile [default: the one in use]
    pub(crate) name: Option<String>,
}

#[derive(Args, Debug)]
pub(crate) struct ProfileArguments {
    /// Name
    pub(crate) name: String,
    /// Base address, https://...
    #[arg(long, value_name = "URL")]
    pub(crate) address: String,
    /// Environment
    #[arg(long, value_enum)]
    pub(crate) environment: EnvironmentName,
    /// In an office: only you see and use it
    #[arg(long)]
    pub(crate) only_me: bool,
    #[command(flatten)]
    pub(crate) changes: ProfileChanges,
}

#[derive(Args, Debug)]
pub(crate) struct ProfileEdit {
    /// Name or id of the profile [default: the one in use]
    pub(crate) profile: Option<String>,
    /// Another name
    #[arg(long)]
    pub(crate) name: Option<String>,
    /// Another base address; the stored key and sign-in are removed
    #[arg(long, value_name = "URL")]
    pub(crate) address: Option<String>,
    /// Another environment
    #[arg(long, value_enum)]
    pub(crate) environment: Option<EnvironmentName>,
    #[command(flatten)]
    pub(crate) changes: ProfileChanges,
}

/// Profile properties that can be set; an empty text is the contract's own, or none.
#[derive(Args, Debug)]
pub(crate) struct ProfileChanges {
    /// Client type [default: enterprise]
    #[arg(long, value_name = "TYPE", value_enum)]
    pub(crate) client_type: Option<ClientTypeName>,
    /// How the profile signs in [default: key]
    #[arg(long, value_name = "HOW", value_enum)]
    pub(crate) sign_in: Option<SignInName>,
    /// Username
    #[arg(long, value_name = "NAME")]
    pub(crate) username: Option<String>,
    /// Additional certificate authority to trust, PEM; the file is copied, like the tables below
    #[arg(long, value_name = "FILE")]
    pub(crate) ca_file: Option<PathBuf>,
    /// Path of the token endpoint, if the provider's differs
    #[arg(long, value_name = "PATH")]
    pub(crate) token_path: Option<String>,
    /// Path of the calculator, if the provider's differs
    #[arg(long, value_name = "PATH")]
    pub(crate) calculator_path: Option<String>,
    /// Path of the batch import, if the provider's differs
    #[arg(long, value_name = "PATH")]
    pub(crate) import_path: Option<String>,
    /// Path of the single import, if the provider's differs
    #[arg(long, value_name = "PATH")]
    pub(crate) single_path: Option<String>,
    /// Path of a batch's results, if the provider's differs
    #[arg(long, value_name = "PATH")]
    pub(crate) results_path: Option<String>,
    /// Path of the search, if the provider's differs
    #[arg(long, value_name = "PATH")]
    pub(crate) search_path: Option<String>,
    /// Path of one transaction's status, if the provider's differs
    #[arg(long, value_name = "PATH")]
    pub(crate) status_path: Option<String>,
    /// Path of the document import, if the provider's differs; it may have {transaction_id} in it
    #[arg(long, value_name = "PATH")]
    pub(crate) documents_path: Option<String>,
    /// Path of the diligent effort forms, if the provider's differs
    #[arg(long, value_name = "PATH")]
    pub(crate) forms_path: Option<String>,
    /// Path of the webhooks, if the provider's differs
    #[arg(long, value_name = "PATH")]
    pub(crate) webhooks_path: Option<String>,
    /// Address of newer rules packs while the profile is in use, instead of the one in the settings
    #[arg(long, value_name = "URL")]
    pub(crate) rules_address: Option<String>,
    /// Maximum requests per minute; 0 means the contract's limit
    #[arg(long, value_name = "COUNT")]
    pub(crate) requests_per_minute: Option<u32>,
    /// Maximum transactions in one request of an import; 0 means 1,000
    #[arg(long, value_name = "COUNT")]
    pub(crate) rows_per_request: Option<u32>,
    /// Your own table of lines of business, CSV
    #[arg(long, value_name = "FILE")]
    pub(crate) lines_file: Option<PathBuf>,
    /// Your own Kentucky local rates, CSV
    #[arg(long, value_name = "FILE")]
    pub(crate) kentucky_file: Option<PathBuf>,
    /// Who charges the agency fee, where a quote or a row does not say
    #[arg(long, value_name = "WHO", value_enum)]
    pub(crate) fee_charged_by: Option<ChargerName>,
    /// Send who charges the agency fee, how a dwelling is held and an assessment's rate: the service supports them
    #[arg(long, value_name = "YES", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    pub(crate) sends_quote_details: Option<bool>,
    /// Whether the service has a calculator; without one quotes are estimates
    #[arg(long, value_name = "YES")]
    pub(crate) has_calculator: Option<bool>,
    /// Meaning of one of the service's words: KIND:WORD=MEANING, such as transaction:4=Filed or batch:Complete=processed;
    /// without a meaning it is removed. Kinds are transaction, batch, row and event. Repeat for more
    #[arg(long = "word", value_name = "WORD", value_parser = parse_word)]
    pub(crate) words: Vec<ServiceWord>,
    /// How deliveries are verified [default: signature]
    #[arg(long, value_name = "HOW", value_enum)]
    pub(crate) deliveries: Option<DeliveriesName>,
    /// Header of the signature, if the provider's differs
    #[arg(long, value_name = "NAME")]
    pub(crate) signature_header: Option<String>,
    /// How the signature is written [default: any]
    #[arg(long, value_name = "FORM", value_enum)]
    pub(crate) signature_form: Option<SignatureFormName>,
    /// The text before the signature, such as sha256=
    #[arg(long, value_name = "TEXT")]
    pub(crate) signature_prefix: Option<String>,
}

choice_names! {
    EnvironmentName => Environment {
        /// A provider's test site
        Sandbox => Sandbox,
        /// Live filings
        Production => Production,
    }

    ClientTypeName => ClientType {
        /// Enterprise filing management
        Enterprise => Enterprise,
        /// Outsourced filing
        Outsourced => Outsourced,
    }

    SignInName => SignIn {
        /// API key
        Key => ApiKey,
        /// Username and password
        User => User,
        /// Both together
        Both => Both,
    }

    DeliveriesName => DeliveryProofKind {
        /// Its signature
        Signature => Signature,
        /// The agreed header only (weaker: anyone who knows its value can send a delivery)
        Header => HeaderPair,
    }

    SignatureFormName => SignatureForm {
        /// Hexadecimal or base64
        Any => Any,
        /// Hexadecimal
        Hex => Hex,
        /// Base64
        Base64 => Base64,
    }
}

fn parse_word(typed: &str) -> Result<ServiceWord, String> {
    let form = "write it as KIND:WORD=MEANING, such as transaction:4=Filed";
    let (kind, rest) = typed.split_once(':').ok_or(form)?;
    let (word, meaning) = rest.rsplit_once('=').ok_or(form)?;
    let kind: WordKind =
        kind.trim().parse().map_err(|_| "the kind is transaction, batch, row or event".to_owned())?;
    Ok(ServiceWord { kind, word: word.trim().to_owned(), meaning: meaning.trim().to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_has_a_kind_and_a_meaning() {
        let read = |typed: &str| parse_word(typed).map(|word| (word.kind, word.word, word.meaning)).ok();
        let word = |kind, word: &str, meaning: &str| Some((kind, word.to_owned(), meaning.to_owned()));
        assert_eq!(read("transaction:4=Filed"), word(WordKind::Transaction, "4", "Filed"));
        assert_eq!(read("batch: Complete = processed"), word(WordKind::Batch, "Complete", "processed"));
        assert_eq!(read("row:a=b="), word(WordKind::Row, "a=b", ""));
        for typed in ["4=Filed", "transaction:4", "policy:4=Filed"] {
            assert_eq!(read(typed), None, "{typed}");
        }
    }
}
