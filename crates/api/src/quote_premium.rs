//! Premiums that follow from something else: from a total, a cancellation, and an endorsement.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::{QuoteAnswer, QuoteLine, QuoteRequest};

/// From what the client pays in all to the premium.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct PremiumSearch {
    /// The question; the premium of one line is searched: the only line, or the one without a premium.
    pub request: QuoteRequest,
    /// What the client pays in all, as typed.
    pub total: String,
}

/// A premium and the total that comes of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct PremiumMatch {
    /// USD.
    pub premium: String,
    /// Premium, fees and taxes, USD.
    pub total: String,
}

/// What was found for a total, by the built-in rules.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct PremiumSearchResult {
    /// Place of the line that was searched, from 0.
    pub line: u32,
    /// The premium whose quote comes to exactly the total, or null.
    pub exact: Option<PremiumMatch>,
    /// Where none does: the nearest total below; null where the fees and the other lines come to more.
    pub below: Option<PremiumMatch>,
    /// Where none does: the nearest total above, or null.
    pub above: Option<PremiumMatch>,
}

/// How the premium that a canceled policy returns is computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum ReturnMethod {
    /// By days.
    #[default]
    ProRata,
    /// By days, less a penalty.
    ShortRate,
}

/// A policy that is canceled: what goes back.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct CancellationRequest {
    /// The policy as it was quoted. Its effective date, `sheet.policy_expires` (empty: a year later) and
    /// `sheet.minimum_earned` count.
    pub request: QuoteRequest,
    /// Day on which it ends, as typed.
    pub canceled_on: String,
    pub method: ReturnMethod,
    /// Short rate: percent of the pro rata return that stays with the carrier, as typed; empty is 10%.
    pub penalty: String,
    /// The factor has three decimals, as in printed tables.
    pub three_decimals: bool,
}

/// A line of a canceled policy.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ReturnedLine {
    pub code: String,
    /// USD.
    pub premium: String,
    /// What stays with the carrier, USD.
    pub earned: String,
    /// What goes back, USD.
    pub returned: String,
}

/// What a cancellation returns.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct CancellationAnswer {
    /// `yyyy-mm-dd`.
    pub effective: String,
    /// `yyyy-mm-dd`.
    pub expires: String,
    /// `yyyy-mm-dd`.
    pub canceled_on: String,
    /// Days of the policy.
    pub days: u32,
    /// Days from the cancellation to the end.
    pub days_left: u32,
    /// Part of the premium that goes back, such as `0.748`; before the minimum earned premium.
    pub factor: String,
    /// Canceled on its first day: everything goes back.
    pub flat: bool,
    /// What is earned at least, USD, where it left less to return; else null.
    pub minimum_earned: Option<String>,
    pub lines: Vec<ReturnedLine>,
    /// All lines, USD.
    pub premium: String,
    /// All lines, USD.
    pub earned: String,
    /// All lines, USD.
    pub returned: String,
    /// The question of the credit, with the returned premiums.
    pub request: QuoteRequest,
    /// Its estimate by the built-in rules.
    pub answer: QuoteAnswer,
}

/// A policy that is changed in its term: what the days left cost more or less.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct EndorsementRequest {
    /// The policy as it was quoted, with the premiums of its whole term. Its effective date and `sheet.policy_expires`
    /// (empty: a year later) count.
    pub request: QuoteRequest,
    /// Day on which the change begins, as typed.
    pub endorsed_on: String,
    /// The lines with the premium that each would have for the whole term after the change; a line of the policy that
    /// isn't among them stays as it is, and 0 removes it.
    pub after: Vec<QuoteLine>,
    /// The factor has three decimals, as in printed tables.
    pub three_decimals: bool,
}

/// A line of a policy that is changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct EndorsedLine {
    pub code: String,
    /// Premium of the whole term until now, USD.
    pub before: String,
    /// Premium of the whole term from now on, USD.
    pub after: String,
    /// What the days left cost more; negative where less, USD.
    pub difference: String,
}

/// What an endorsement adds to a policy, or returns.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct EndorsementAnswer {
    /// `yyyy-mm-dd`.
    pub effective: String,
    /// `yyyy-mm-dd`.
    pub expires: String,
    /// `yyyy-mm-dd`.
    pub endorsed_on: String,
    /// Days of the policy.
    pub days: u32,
    /// Days from the change to the end.
    pub days_left: u32,
    /// Part of the difference that is for the days left, such as `0.748`.
    pub factor: String,
    pub lines: Vec<EndorsedLine>,
    /// All lines, USD.
    pub before: String,
    /// All lines, USD.
    pub after: String,
    /// All lines: additional premium, or return premium where negative, USD.
    pub difference: String,
    /// The question of the endorsement, with its premiums.
    pub request: QuoteRequest,
    /// Its estimate by the built-in rules.
    pub answer: QuoteAnswer,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct PlannedPayment {
    /// `Down payment` or `Installment 1`.
    pub title: String,
    /// `yyyy-mm-dd`.
    pub due: String,
    /// Its part of the total, USD.
    pub amount: String,
    /// Fee of the installment, USD.
    pub fee: String,
    /// Both, USD.
    pub payment: String,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct QuotePayments {
    /// In order of their days; none where everything is paid at once.
    pub payments: Vec<PlannedPayment>,
    /// All fees of installments, USD; zero where there are none.
    pub fees: String,
    /// The total with them, USD.
    pub total: String,
}
