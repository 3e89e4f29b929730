//! What a number of transactions adds up to; credits count negative.

use std::collections::BTreeMap;

use bordereau_contract::{Charge, ChargeGroup, ImportTransaction, TransactionType};
use bordereau_money::Usd;

use crate::{ReviewTotals, StateTotal};

/// The amounts of one transaction that are added up, as they stand: a credit has no sign yet.
#[derive(Clone, Copy, Default)]
pub struct TransactionAmounts {
    /// Premium, USD.
    pub premium: Usd,
    /// Taxes and state fees, USD; the stamping fee is one of them.
    pub taxes: Usd,
    /// Stamping fee, USD.
    pub stamping: Usd,
}

#[derive(Default)]
struct AmountSum {
    count: u32,
    amounts: TransactionAmounts,
}

impl AmountSum {
    fn add(&mut self, amounts: TransactionAmounts) {
        let sum = |a: Usd, b: Usd| a.checked_add(b).unwrap_or(Usd::MAX);
        self.count += 1;
        self.amounts.premium = sum(self.amounts.premium, amounts.premium);
        self.amounts.taxes = sum(self.amounts.taxes, amounts.taxes);
        self.amounts.stamping = sum(self.amounts.stamping, amounts.stamping);
    }
}

/// Totals by state of transactions: each with its type, its state and its amounts.
pub fn by_state<S: AsRef<str> + Ord>(
    rows: impl IntoIterator<Item = (Option<TransactionType>, S, TransactionAmounts)>,
) -> ReviewTotals {
    let mut whole = AmountSum::default();
    let mut states: BTreeMap<S, AmountSum> = BTreeMap::new();
    for (kind, state, amounts) in rows {
        let amounts = apply_sign(kind, amounts);
        whole.add(amounts);
        states.entry(state).or_default().add(amounts);
    }
    let state = |(state, sum): (S, AmountSum)| StateTotal {
        state: state.as_ref().to_owned(),
        count: sum.count,
        premium: sum.amounts.premium.to_string(),
        taxes: sum.amounts.taxes.to_string(),
        stamping: sum.amounts.stamping.to_string(),
    };
    ReviewTotals {
        count: whole.count,
        premium: whole.amounts.premium.to_string(),
        taxes: whole.amounts.taxes.to_string(),
        stamping: whole.amounts.stamping.to_string(),
        states: states.into_iter().map(state).collect(),
    }
}

fn apply_sign(kind: Option<TransactionType>, amounts: TransactionAmounts) -> TransactionAmounts {
    if !kind.is_some_and(TransactionType::is_credit) {
        return amounts;
    }
    let credit = |amount: Usd| amount.abs().negated();
    TransactionAmounts {
        premium: credit(amounts.premium),
        taxes: credit(amounts.taxes),
        stamping: credit(amounts.stamping),
    }
}

fn transaction_kind(row: &ImportTransaction) -> Option<TransactionType> {
    row.transaction_type.as_deref().and_then(|code| code.parse().ok())
}

/// The sum of the lines where the premium is not given itself.
fn row_amounts(row: &ImportTransaction) -> TransactionAmounts {
    let lines = || Usd::checked_sum(row.line_of_business_list.iter().filter_map(|line| line.coverage));
    TransactionAmounts {
        premium: row.premium.or_else(lines).unwrap_or(Usd::ZERO),
        taxes: Charge::sum_taxes(|charge| row.charge(charge)).unwrap_or(Usd::MAX),
        stamping: row.stamping_fee.unwrap_or(Usd::ZERO),
    }
}

/// The premium in USD; negative for a credit.
pub fn signed_premium(row: &ImportTransaction) -> Usd {
    apply_sign(transaction_kind(row), row_amounts(row)).premium
}

/// Whether it gives no tax and no state fee at all: the service calculates them.
pub fn has_no_taxes(row: &ImportTransaction) -> bool {
    let mut taxes = Charge::ALL.iter().filter(|charge| charge.group() != ChargeGroup::AgencyFee);
    taxes.all(|charge| row.charge(*charge).is_none())
}

/// Totals of these transactions.
pub fn compute_totals<'a>(rows: impl IntoIterator<Item = &'a ImportTransaction>) -> ReviewTotals {
    let row = |row: &'a ImportTransaction| {
        (transaction_kind(row), row.physical_state.as_deref().unwrap_or_default(), row_amounts(row))
    };
    by_state(rows.into_iter().map(row))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn credits_count_negative_and_a_collection_fee_is_no_tax() {
        let usd = |text: &str| Usd::parse(text).ok();
        let row = |kind: &str, premium: &str, tax: &str| ImportTransaction {
            transaction_type: Some(kind.into()),
            physical_state: Some("KY".into()),
            premium: usd(premium),
            sl_tax: usd(tax),
            municipal_fee: usd("5"),
            collection_fee: usd("0.75"),
            ..ImportTransaction::default()
        };
        let sums = compute_totals(&[row("PN", "1000", "30"), row("RPE", "200", "6")]);
        let bare =
            ImportTransaction { premium: usd("1"), agency_fee: usd("2"), ..ImportTransaction::default() };
        assert!(has_no_taxes(&bare) && !has_no_taxes(&row("PN", "1", "0")));
        assert_eq!((sums.count, sums.premium.as_str(), sums.taxes.as_str()), (2, "800.00", "24.00"));
    }
}
