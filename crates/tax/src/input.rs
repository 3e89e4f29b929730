//! What the calculator is asked.

use bordereau_contract::{EntityType, Jurisdiction, TransactionType, WrittenAs};
pub use bordereau_contract::{FeeChargedBy, Occupancy};
use bordereau_money::{Rate, Usd};
use chrono::NaiveDate;

/// One line of business with its premium.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineInput {
    /// Generic code such as `GEN-1002`, or a state's own code.
    pub code: String,
    /// Premium in USD; for a credit the positive difference.
    pub premium: Usd,
}

/// Where the risk is, as far as local taxes need it (Kentucky).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RiskLocation {
    /// Street address.
    pub address: Option<String>,
    /// City; also tried as the name of a taxing city.
    pub city: Option<String>,
    /// ZIP code.
    pub zip: Option<String>,
    /// The taxing city, county or urban-county when the person names it; wins over `city`.
    pub municipality: Option<String>,
}

/// Answers to the questions that only some states ask.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RiskDetails {
    /// Who charges the agency fee; `None` when it was not asked.
    pub fee_charged_by: Option<FeeChargedBy>,
    /// How the insured holds the dwelling; `None` when it was not asked.
    pub occupancy: Option<Occupancy>,
    /// A fraction, entered by the person for an assessment whose present rate was not found.
    pub assessment_rate: Option<Rate>,
}

/// A question to the calculator. Dates are calendar dates without a zone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuoteInput {
    /// State of the risk.
    pub state: Jurisdiction,
    /// Transaction type.
    pub transaction_type: TransactionType,
    /// At least one line.
    pub lines: Vec<LineInput>,
    /// All fees that are not the carrier's, USD.
    pub agency_fee: Usd,
    /// The carrier's or underwriting fees, USD.
    pub inspection_fee: Usd,
    /// Effective date of the policy: decides which rules apply.
    pub policy_effective: NaiveDate,
    /// Effective date of the transaction: the endorsement's own date, the policy's for PN, PR and BD.
    pub transaction_effective: NaiveDate,
    /// The insured's kind.
    pub entity: EntityType,
    /// Risk purchasing group.
    pub rpg: bool,
    /// The insured is tax exempt.
    pub tax_exempt: bool,
    /// Exempt commercial purchaser.
    pub ecp: bool,
    /// The coverage is on the state's export list.
    pub export_list: bool,
    /// New Hampshire: a commission is received.
    pub commission_received: bool,
    /// Kentucky admitted business.
    pub admitted: bool,
    /// Through a retail agent or direct.
    pub written_as: Option<WrittenAs>,
    /// Kentucky: where the risk is.
    pub location: RiskLocation,
    /// Answers to the questions that only some states ask.
    pub details: RiskDetails,
    /// The day the question is asked, for the warning outside the kept years.
    pub today: NaiveDate,
}

impl QuoteInput {
    /// A new policy of a business without fees and without anything special, asked about on its first day.
    pub fn new_policy(state: Jurisdiction, lines: Vec<LineInput>, effective: NaiveDate) -> QuoteInput {
        QuoteInput {
            state,
            transaction_type: TransactionType::New,
            lines,
            agency_fee: Usd::ZERO,
            inspection_fee: Usd::ZERO,
            policy_effective: effective,
            transaction_effective: effective,
            entity: EntityType::Commercial,
            rpg: false,
            tax_exempt: false,
            ecp: false,
            export_list: false,
            commission_received: false,
            admitted: false,
            written_as: None,
            location: RiskLocation::default(),
            details: RiskDetails::default(),
            today: effective,
        }
    }
}

/// One thing wrong with a question, by the contract's field name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputProblem {
    /// The contract's field (section 2), such as `transaction_line_of_business_list`.
    pub field: &'static str,
    /// Index into the lines where the field is a list.
    pub line: Option<usize>,
    /// What was found, what was expected, what to do.
    pub message: String,
}
