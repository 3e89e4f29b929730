//! What has to be done by a due date.

use serde::{Deserialize, Serialize};

use crate::PaidCharge;

/// What has to be done.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    strum::EnumString,
    strum::IntoStaticStr,
)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum DueKind {
    /// The transaction is filed.
    Filing,
    /// An affidavit is handed in.
    Affidavit,
    /// A report or return of a period.
    Report,
    /// The premium tax is paid.
    Tax,
    /// The stamping fee, or the fee in its field, is paid.
    StampingFee,
    /// Another tax is paid: fire marshal, municipal.
    OtherTax,
}

impl DueKind {
    /// Every kind.
    pub const ALL: [DueKind; 6] = [
        DueKind::Filing,
        DueKind::Affidavit,
        DueKind::Report,
        DueKind::Tax,
        DueKind::StampingFee,
        DueKind::OtherTax,
    ];

    /// As in the rule file.
    pub fn word(self) -> &'static str {
        self.into()
    }

    /// The payment that settles it; `None` where it is no payment.
    pub const fn payment(self) -> Option<PaidCharge> {
        match self {
            DueKind::Tax => Some(PaidCharge::SlTax),
            DueKind::StampingFee => Some(PaidCharge::StampingFee),
            DueKind::OtherTax => Some(PaidCharge::OtherTaxes),
            DueKind::Filing | DueKind::Affidavit | DueKind::Report => None,
        }
    }

    /// Whether a record tells by itself that it was done; an affidavit or a report of a period is marked by
    /// the person.
    pub const fn is_on_record(self) -> bool {
        !matches!(self, DueKind::Affidavit | DueKind::Report)
    }
}
