//! What the numbers of an import's results and of a transaction's status mean (section 3).

/// `status` of one transaction in the results of an import: 0 [pub], the others [ours].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ResultStatus {
    /// 0: stored, perhaps with warnings; also what was there already with the same content.
    Success,
    /// 1: not stored, or not changed; `errors` says why.
    Failed,
    /// 2: kept as Saved, because required values are missing; `errors` names them.
    SavedIncomplete,
}

impl ResultStatus {
    /// The number as it travels.
    #[must_use]
    pub const fn wire_number(self) -> i64 {
        match self {
            ResultStatus::Success => 0,
            ResultStatus::Failed => 1,
            ResultStatus::SavedIncomplete => 2,
        }
    }

    /// What a number means. Any other than 0 is a failure, of whatever kind a provider has.
    #[must_use]
    pub const fn from_number(number: i64) -> ResultStatus {
        match number {
            0 => ResultStatus::Success,
            2 => ResultStatus::SavedIncomplete,
            _ => ResultStatus::Failed,
        }
    }
}

/// `transaction_status` of a record, as the practice service numbers it (4 and 1 [pub], the others [ours]).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TransactionStatus {
    /// 0: kept, incomplete.
    Saved,
    /// 1: imported, not yet filed.
    Submitted,
    /// 2: ready to file.
    ReadyToFile,
    /// 3: sent to the state.
    SentToState,
    /// 4: filed.
    Filed,
}

impl TransactionStatus {
    /// The number as it travels.
    #[must_use]
    pub const fn wire_number(self) -> i64 {
        self as i64
    }

    /// What a number means at the practice service.
    #[must_use]
    pub const fn from_number(number: i64) -> Option<TransactionStatus> {
        use TransactionStatus as S;
        match number {
            0 => Some(S::Saved),
            1 => Some(S::Submitted),
            2 => Some(S::ReadyToFile),
            3 => Some(S::SentToState),
            4 => Some(S::Filed),
            _ => None,
        }
    }
}
