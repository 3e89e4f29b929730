//! What is charged on a transaction beside its premium: the one table of names, titles, who is paid and in what order.

use bordereau_money::Usd;
use serde::{Deserialize, Serialize};

use crate::PaidCharge::{OtherTaxes, SlTax, StampingFee};
use crate::{
    CalculateResponse, ImportTransaction, PaidCharge, TransactionRecord, TransactionType, leading_day,
};

/// Whose money a charge is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChargeGroup {
    /// A premium tax or the like, paid to a state, city or county.
    Tax,
    /// A fee or surcharge paid to a state, its stamping office or its association.
    StateFee,
    /// Kept by the agency, the carrier or whoever collects a tax; nothing of it goes to a state.
    AgencyFee,
}

macro_rules! charges {
    ($($charge:ident = $name:ident of $records:ident, $title:literal, $printed:literal, $group:ident, $payment:expr, $optional:literal;)+) => {
        /// A charge: one amount field of the contract (section 2; which field is whose is ours, see `docs/contract.md`).
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum Charge { $(#[doc = $title] $charge,)+ }

        impl Charge {
            /// Every charge, in the order it is shown.
            pub const ALL: [Charge; Charge::COUNT] = [$(Charge::$charge,)+];

            /// How many there are.
            pub const COUNT: usize = [$($title,)+].len();

            /// The contract's name of its field.
            pub const fn name(self) -> &'static str {
                match self { $(Charge::$charge => stringify!($name),)+ }
            }

            /// The plain title, where neither a service nor a rule gives the state's own.
            pub const fn title(self) -> &'static str {
                match self { $(Charge::$charge => $title,)+ }
            }

            /// The title as most states print it, where a state's rules give no other.
            pub const fn printed_title(self) -> &'static str {
                match self { $(Charge::$charge => $printed,)+ }
            }

            /// Whose money it is.
            pub const fn group(self) -> ChargeGroup {
                match self { $(Charge::$charge => ChargeGroup::$group,)+ }
            }

            /// Which payment of a record settles it (section 8); `None` where nobody reports a payment.
            pub const fn payment(self) -> Option<PaidCharge> {
                match self { $(Charge::$charge => $payment,)+ }
            }

            /// Whether the calculator's answer has it only where the state has it (section 2).
            pub const fn is_optional(self) -> bool {
                match self { $(Charge::$charge => $optional,)+ }
            }
        }

        impl CalculateResponse {
            /// The amount of a charge as it came, USD; `None` where it has none.
            pub fn charge(&self, charge: Charge) -> Option<Usd> {
                match charge { $(Charge::$charge => self.$name,)+ }
            }

            /// The same, to change it.
            pub fn charge_mut(&mut self, charge: Charge) -> &mut Option<Usd> {
                match charge { $(Charge::$charge => &mut self.$name,)+ }
            }
        }

        impl ImportTransaction {
            /// The amount of a charge as it came, USD; `None` where it has none.
            pub fn charge(&self, charge: Charge) -> Option<Usd> {
                match charge { $(Charge::$charge => charges!(@$records self $name),)+ }
            }
        }

        impl TransactionRecord {
            /// The amount of a charge as it came, USD; `None` where it has none.
            pub fn given_charge(&self, charge: Charge) -> Option<Usd> {
                match charge { $(Charge::$charge => charges!(@$records self $name),)+ }
            }
        }
    };
    (@all $record:ident $name:ident) => { $record.$name };
    (@answer $record:ident $name:ident) => { None };
}

// The collection fee of a local tax is kept by the insurer or broker that collects the tax (KRS 91A.080(4),
// 806 KAR 2:150): it is no tax, and no payment to a state or city settles it.
// A charge of `all` is a field of the calculator's answer, of an import and of the record; of `answer`, of the answer alone.
charges! {
    AgencyFee = agency_fee of all, "Agency fee", "Agency fee", AgencyFee, None, false;
    InspectionFee = inspection_fee of all, "Inspection fee", "Inspection fee", AgencyFee, None, false;
    CollectionFee = collection_fee of all, "Collection fee", "Collection Fee", AgencyFee, None, false;
    SlTax = sl_tax of all, "Surplus lines tax", "Surplus Lines Tax", Tax, Some(SlTax), false;
    StampingFee = stamping_fee of all, "Stamping fee", "Stamping Fee", StateFee, Some(StampingFee), false;
    SlServiceCharge = sl_service_charge of all, "Service charge", "Surplus Lines Service Charge", StateFee, Some(OtherTaxes), false;
    FmTax = fm_tax of all, "Fire marshal tax", "Fire Marshal Tax", Tax, Some(OtherTaxes), false;
    EmpaTax = empa_tax of all, "EMPA surcharge", "EMPA Surcharge", StateFee, Some(OtherTaxes), false;
    MunicipalFee = municipal_fee of all, "Municipal tax", "Municipal Tax", Tax, Some(OtherTaxes), true;
    CountyFee = county_fee of all, "County tax", "County Tax", Tax, Some(OtherTaxes), true;
    PremiumTax = premium_tax of answer, "Premium tax", "Premium Tax", Tax, None, true;
    PremiumTaxLife = premium_tax_life of answer, "Premium tax (life)", "Premium Tax (Life)", Tax, None, true;
}

impl Charge {
    /// Whether it is part of a total: the life rate applies instead of the premium tax, never beside it.
    pub const fn is_counted(self) -> bool {
        !matches!(self, Charge::PremiumTaxLife)
    }

    /// Whether it is a fee as asked in the question, which no rule charges.
    pub const fn is_asked(self) -> bool {
        matches!(self, Charge::AgencyFee | Charge::InspectionFee)
    }

    /// "Taxes and state fees", USD: what goes to states, cities, counties and stamping offices. `None` when the sum
    /// is too large for an amount.
    pub fn sum_taxes(amount: impl Fn(Charge) -> Option<Usd>) -> Option<Usd> {
        Charge::sum(amount, |charge| charge.group() != ChargeGroup::AgencyFee)
    }

    /// "Fees", USD: what agency, carrier and collector keep. `None` when the sum is too large for an amount.
    pub fn sum_fees(amount: impl Fn(Charge) -> Option<Usd>) -> Option<Usd> {
        Charge::sum(amount, |charge| charge.group() == ChargeGroup::AgencyFee)
    }

    /// What one payment settles, USD; `None` where no such charge is given, or the sum is too large for an amount.
    pub fn sum_payment(payment: PaidCharge, amount: impl Fn(Charge) -> Option<Usd>) -> Option<Usd> {
        let settles = |charge: &Charge| charge.payment() == Some(payment);
        Charge::ALL.into_iter().filter(settles).find_map(&amount)?;
        Charge::sum(amount, |charge| settles(&charge))
    }

    fn sum(amount: impl Fn(Charge) -> Option<Usd>, takes: impl Fn(Charge) -> bool) -> Option<Usd> {
        let counted = Charge::ALL.into_iter().filter(|charge| charge.is_counted() && takes(*charge));
        Usd::checked_sum(counted.filter_map(amount))
    }
}

/// An amount for each charge, USD; none where there is no such charge.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChargeAmounts([Option<Usd>; Charge::COUNT]);

impl ChargeAmounts {
    /// The amount of a charge.
    pub fn get(&self, charge: Charge) -> Option<Usd> {
        self.0[charge as usize]
    }

    /// Sets the amount of a charge.
    pub fn set(&mut self, charge: Charge, amount: Usd) {
        self.0[charge as usize] = Some(amount);
    }

    /// Adds to the amount of a charge. `None` when the sum is too large for an amount.
    pub fn add(&mut self, charge: Charge, amount: Usd) -> Option<()> {
        let sum = self.get(charge).unwrap_or_default().checked_add(amount)?;
        self.set(charge, sum);
        Some(())
    }
}

impl TransactionRecord {
    /// Whether it is a return by its type that has the amounts as they were sent (section 2: the positive
    /// difference): all of them positive or zero, and premium that is returned. One below zero shows that the service
    /// gives the sign itself; without premium, what is charged may be a fee for the return.
    pub fn is_unsigned_return(&self) -> bool {
        let code = self.transaction_type.as_deref().unwrap_or_default().trim();
        let mut kinds = TransactionType::ALL.iter();
        let is_return = kinds.any(|kind| kind.is_credit() && kind.code().eq_ignore_ascii_case(code));
        let charges = || Charge::ALL.into_iter().filter_map(|charge| self.given_charge(charge));
        is_return
            && self.premium.is_none_or(|premium| premium > Usd::ZERO)
            && self.premium.into_iter().chain(charges()).any(|amount| !amount.is_zero())
            && charges().all(|amount| !amount.is_negative())
    }

    /// The premium, USD: below zero where it is returned, however the service writes a return.
    pub fn signed_premium(&self) -> Option<Usd> {
        self.signed(self.premium)
    }

    /// The amount of a charge, USD; `None` where it has none. Below zero where it is returned, as
    /// [`TransactionRecord::signed_premium`].
    pub fn charge(&self, charge: Charge) -> Option<Usd> {
        self.signed(self.given_charge(charge))
    }

    fn signed(&self, amount: Option<Usd>) -> Option<Usd> {
        if self.is_unsigned_return() { amount.map(Usd::negated) } else { amount }
    }

    /// The date on which a payment was made, as it came; `None` where it was not, or where what came is no date.
    pub fn paid_date(&self, payment: PaidCharge) -> Option<&str> {
        let date = match payment {
            SlTax => &self.sl_tax_paid_date,
            StampingFee => &self.stamping_fee_paid_date,
            OtherTaxes => &self.other_taxes_paid_date,
        };
        date.as_deref().filter(|date| leading_day(date).is_some())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Premium and tax as they came, and as they count.
    #[test]
    fn a_return_counts_below_zero_however_it_is_written() {
        let usd = |text: &str| Usd::parse(text).ok();
        for (kind, premium, tax, expected) in [
            ("RPE", "20935.24", "628.06", ("-20935.24", "-628.06")),
            ("RPE", "-20935.24", "-628.06", ("-20935.24", "-628.06")),
            (" rpe", "100", "3", ("-100.00", "-3.00")),
            ("FC", "100", "3", ("-100.00", "-3.00")),
            ("PC", "100", "3", ("-100.00", "-3.00")),
            ("ARE", "100", "0", ("-100.00", "0.00")),
            ("BO", "100", "3", ("-100.00", "-3.00")),
            // The service has a sign of its own, or nothing is returned.
            ("BO", "100", "-3", ("100.00", "-3.00")),
            ("RPE", "0", "25", ("0.00", "25.00")),
            ("PN", "100", "3", ("100.00", "3.00")),
            ("return", "100", "3", ("100.00", "3.00")),
        ] {
            let record = TransactionRecord {
                transaction_type: Some(kind.to_owned()),
                premium: usd(premium),
                sl_tax: usd(tax),
                ..TransactionRecord::default()
            };
            let shown = |amount: Option<Usd>| amount.unwrap().to_string();
            let found = (shown(record.signed_premium()), shown(record.charge(Charge::SlTax)));
            assert_eq!((found.0.as_str(), found.1.as_str()), expected, "{kind} {premium} {tax}");
            assert_eq!(record.given_charge(Charge::SlTax), usd(tax), "as it came");
        }
    }
}
