//! The one line that recomputes a charge, put into words only when somebody reads it.

use std::fmt;

use bordereau_money::{Rate, Rounding, Usd};

use crate::FeeChargedBy;

/// One line that recomputes a charge: `2,800.00 × 3.5% = 98.00, to the dollar, half up`, with the parts of the
/// base where it has several: `2,850.00 (premium 2,800.00 + agency fee 50.00) × ...`.
///
/// It keeps the numbers and writes the words on demand: an answer of the calculator is made far more
/// often than it is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChargeExplanation {
    /// What the rate is applied to, USD.
    pub base: Usd,
    /// The premium before its portion is taken, where only a portion counts, USD.
    pub portion_of: Option<(Usd, Rate)>,
    /// Premium, agency fee and inspection fee in the base, where it is more than one of them, USD.
    pub sum_of: Option<(Usd, Usd, Usd)>,
    /// Who charges the agency fee, where the state treats the two fees differently.
    pub fee_charged_by: Option<FeeChargedBy>,
    /// Rate as a fraction; `None` for a flat charge.
    pub rate: Option<Rate>,
    /// The most that is charged, where that is less than the rate's share, USD.
    pub at_most: Option<Usd>,
    /// Rounding applied.
    pub rounding: Rounding,
    /// The result, USD; negative for a credit.
    pub amount: Usd,
    /// Why nothing was charged although the rule applies, where that is so.
    pub waived: Option<WaiverReason>,
}

/// Why a charge that applies is zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WaiverReason {
    /// The insured's kind is exempt.
    Entity,
    /// The insured is tax exempt.
    TaxExempt,
    /// The state gives no credit for it on this kind of return.
    NoCredit,
    /// It falls once on a policy, and this is not its beginning.
    AlreadyCharged,
    /// It falls on the policy, not on the binder before it.
    WithPolicy,
    /// The insured does not hold the dwelling so that it is due.
    Occupancy,
    /// It is not on policies of risk purchasing groups.
    PurchasingGroup,
}

impl WaiverReason {
    fn reason_text(self) -> &'static str {
        match self {
            WaiverReason::Entity => "exempt: the insured's kind is exempt in this state",
            WaiverReason::TaxExempt => "exempt: the insured is tax exempt",
            WaiverReason::NoCredit => "not given back on this kind of return",
            WaiverReason::AlreadyCharged => "charged once: already charged on the policy",
            WaiverReason::WithPolicy => "charged once: with the policy, not with its binder",
            WaiverReason::Occupancy => "not charged on a dwelling held in this way",
            WaiverReason::PurchasingGroup => "not charged to a risk purchasing group",
        }
    }
}

/// What a base is made of, in words: `premium 9,521.00`, `agency fee 400.00`.
fn name_base_parts(
    (premium, agency_fee, inspection_fee): (Usd, Usd, Usd),
    charged_by: Option<FeeChargedBy>,
) -> impl Iterator<Item = String> {
    let agency = match charged_by {
        None => "agency fee",
        Some(FeeChargedBy::RetailAgent) => "agency fee (charged by the retail agent)",
        Some(FeeChargedBy::SurplusLinesLicensee) => "agency fee (charged by the surplus lines licensee)",
    };
    let all = [("premium", premium), (agency, agency_fee), ("inspection fee", inspection_fee)];
    let there = all.into_iter().filter(|(_, amount)| !amount.is_zero());
    there.map(|(name, amount)| format!("{name} {}", format_cents(amount)))
}

/// A fee's share in a base may be a long decimal; it is read to the cent.
pub(crate) fn format_cents(amount: Usd) -> String {
    amount.round(Rounding::Cent).to_grouped()
}

impl fmt::Display for ChargeExplanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(waived) = self.waived {
            return f.write_str(waived.reason_text());
        }
        let Some(rate) = self.rate else {
            return write!(f, "flat {}", self.amount.to_grouped());
        };
        match self.portion_of {
            Some((whole, portion)) => write!(f, "{} × {}%", whole.to_grouped(), portion.to_percent())?,
            // Fees that follow a part of the premium have more decimals than money; the amount is made of them all.
            None => f.write_str(&format_cents(self.base))?,
        }
        if let Some(parts) = self.sum_of {
            write!(f, " ({})", name_base_parts(parts, self.fee_charged_by).collect::<Vec<_>>().join(" + "))?;
        }
        write!(f, " × {}%", rate.to_percent())?;
        if let Some(most) = self.at_most {
            write!(f, ", at most {}", most.to_grouped())?;
        }
        write!(f, " = {}, ", self.amount.to_grouped())?;
        f.write_str(match self.rounding {
            Rounding::Cent => "to the cent, half up",
            Rounding::Dollar => "to the dollar, half up",
        })
    }
}
