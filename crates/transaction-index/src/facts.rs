//! The table `facts`: the values of a record that are filtered, counted and summed.

use strum::{EnumString, FromRepr, IntoStaticStr};

/// What is paid of a transaction's taxes: a number in the index, a word in the filter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumString, FromRepr, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
#[repr(i64)]
pub enum PaymentState {
    /// Nothing is owed.
    #[strum(serialize = "nothing")]
    NothingDue,
    /// Nothing of what is owed.
    Unpaid,
    /// Some of it.
    #[strum(serialize = "partly")]
    PartlyPaid,
    /// All of it.
    Paid,
}

/// A record in numbers. Amounts are hundredths of a cent, days `yyyy-mm-dd`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordFacts {
    /// Code of the state.
    pub state: String,
    /// Code of the transaction's type.
    pub kind: String,
    /// The status as it came: a number or a word; empty where none came.
    pub status: String,
    /// How many documents there are.
    pub documents: i64,
    /// What is paid.
    pub paid: PaymentState,
    /// When the filing is due.
    pub due: Option<String>,
    /// It may still change.
    pub open: bool,
    /// Effective day of the policy.
    pub policy_effective: Option<String>,
    /// Effective day of the transaction.
    pub transaction_effective: Option<String>,
    /// Day of the filing.
    pub filed: Option<String>,
    /// Premium.
    pub premium: i64,
    /// Agency and inspection fee.
    pub fees: i64,
    /// Taxes and state fees.
    pub taxes: i64,
    /// All of these together.
    pub total: i64,
    /// The service did not give an amount that records have: the sums are without it.
    pub lacks_amounts: bool,
}
