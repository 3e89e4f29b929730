//! What an import needs: the one table of what a transaction must and should have (section 3). The desk's check and the
//! practice service read it, each with its own words about it.

use crate::{TransactionType, WrittenAs};

/// Policy types by their titles (section 3).
pub const POLICY_TYPE_TITLES: [(&str, &str); 4] = [
    ("standard", "Standard"),
    ("master", "Master"),
    ("cert", "Certificate"),
    ("reporting_form", "Reporting form"),
];

/// Policy types (section 3).
pub const POLICY_TYPES: [&str; 4] =
    [POLICY_TYPE_TITLES[0].0, POLICY_TYPE_TITLES[1].0, POLICY_TYPE_TITLES[2].0, POLICY_TYPE_TITLES[3].0];

/// Which transactions need a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    Every,
    /// All but an endorsement without premium.
    WithPremium,
    /// Those that start a policy.
    Starting,
    /// Those that change a policy in force.
    Changing,
    Renewal,
    /// Those written through a retail agent.
    ThroughBroker,
}

/// A field that a transaction must or should have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Requirement {
    /// The contract's name of the field.
    pub field: &'static str,
    /// Without it a transaction is Saved, incomplete; where this is false the service only warns.
    pub is_required: bool,
    /// Which transactions need it.
    pub scope: Scope,
    pub message: &'static str,
}

macro_rules! requirements {
    ($($field:literal $required:literal $scope:ident $message:literal;)+) => {
        /// Everything that is required or warned of. The own id is not here: without it nothing can be imported.
        pub const REQUIREMENTS: &[Requirement] = &[$(Requirement {
            field: $field, is_required: $required, scope: Scope::$scope, message: $message,
        },)+];
    };
}

// The invoice number is ours.
requirements! {
    "policy_number" true Every "Policy number not provided";
    "policy_effective_date" true Every "Policy effective date not provided";
    "transaction_type" true Every "Transaction type not provided";
    "physical_state" true Every "State not provided";
    "line_of_business_list" true Every "Line of business not provided";
    "mailing_insured_name" true Every "Name of the insured not provided";
    "premium" true WithPremium "Premium not provided";
    "invoice_number" false Every "Invoice number not provided";
    "insurance_company_list" false Every "Missing Insurance Company";
    "risk_description" false Every "Description of risk not provided or not found";
    "retail_producer" false ThroughBroker "Retail producer not provided";
    "layered_risk" false Starting "Layered risk not provided";
    "risk_retention_group" false Starting "Risk retention group not provided";
    "transaction_effective_date" true Changing "Transaction effective date not provided";
    "expiring_policy_number" true Renewal "Expiring policy number not provided";
}

impl Requirement {
    /// Whether it is asked of a transaction of this type, `None` where the type is not known.
    pub fn applies(&self, kind: Option<TransactionType>, written_as: Option<WrittenAs>) -> bool {
        match self.scope {
            Scope::Every => true,
            Scope::WithPremium => kind != Some(TransactionType::ZeroPremium),
            Scope::Starting => kind.is_some_and(TransactionType::starts_policy),
            Scope::Changing => kind.is_some_and(|kind| !kind.starts_policy()),
            Scope::Renewal => kind == Some(TransactionType::Renewal),
            Scope::ThroughBroker => written_as == Some(WrittenAs::Broker),
        }
    }
}

/// The key by which a service's messages name a field: `sl_tax` is `slTax`, `line_of_business_list` is
/// `lineOfBusiness` (section 3).
pub fn message_key(field: &str) -> String {
    let mut words = field.trim_end_matches("_list").split('_');
    let mut key = words.next().unwrap_or_default().to_owned();
    for word in words {
        let mut letters = word.chars();
        key.extend(letters.next().map(|letter| letter.to_ascii_uppercase()));
        key.push_str(letters.as_str());
    }
    key
}
