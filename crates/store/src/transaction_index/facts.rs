//! The table `facts`: what of a record is filtered, counted and summed.

/// What is paid of a transaction's taxes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PaymentState {
    /// Nothing is owed.
    NothingDue,
    /// Nothing of what is owed.
    Unpaid,
    /// Some of it.
    PartlyPaid,
    /// All of it.
    Paid,
}

impl PaymentState {
    /// In the order in which they are looked for.
    pub const ALL: [PaymentState; 4] =
        [PaymentState::Unpaid, PaymentState::PartlyPaid, PaymentState::Paid, PaymentState::NothingDue];

    /// As it stands in the index.
    pub const fn number(self) -> i64 {
        self as i64
    }

    /// That of a number.
    pub fn of_number(number: i64) -> PaymentState {
        PaymentState::ALL.into_iter().find(|state| state.number() == number).unwrap_or(PaymentState::Unpaid)
    }

    /// That of a word of the filter.
    pub fn of_word(word: &str) -> Option<PaymentState> {
        PaymentState::ALL.into_iter().find(|state| state.word() == word)
    }

    /// As the filter has it.
    pub const fn word(self) -> &'static str {
        match self {
            PaymentState::NothingDue => "nothing",
            PaymentState::Unpaid => "unpaid",
            PaymentState::PartlyPaid => "partly",
            PaymentState::Paid => "paid",
        }
    }
}

/// A record in numbers. Amounts are hundredths of a cent, days `yyyy-mm-dd`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordFacts {
    /// Code of the state.
    pub state: String,
    /// Code of the transaction's type.
    pub kind: String,
    /// The service's number of the status.
    pub status: i64,
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
}
