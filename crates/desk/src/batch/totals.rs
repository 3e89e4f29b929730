//! What a number of transactions adds up to; credits count negative, as in the review.

use std::collections::BTreeMap;

use bordereau_contract::{ImportTransaction, TransactionType};
use bordereau_money::Usd;

use crate::api::{ReviewTotals, StateTotal};

#[derive(Default)]
struct Sum {
    count: u32,
    premium: Usd,
    taxes: Usd,
    stamping: Usd,
}

impl Sum {
    fn add(&mut self, row: &ImportTransaction) {
        let is_credit = kind(row).is_some_and(TransactionType::is_credit);
        let signed = |amount: Usd| if is_credit { amount.abs().negated() } else { amount };
        let sum = |a: Usd, b: Usd| a.checked_add(b).unwrap_or(Usd::MAX);
        let stamping = row.stamping_fee.unwrap_or(Usd::ZERO);
        let taxes = [
            row.sl_tax,
            row.stamping_fee,
            row.sl_service_charge,
            row.municipal_fee,
            row.county_fee,
            row.fm_tax,
            row.empa_tax,
        ];
        let taxes = Usd::checked_sum(taxes.into_iter().flatten()).unwrap_or(Usd::MAX);
        self.count += 1;
        self.premium = sum(self.premium, premium(row));
        self.taxes = sum(self.taxes, signed(taxes));
        self.stamping = sum(self.stamping, signed(stamping));
    }
}

fn kind(row: &ImportTransaction) -> Option<TransactionType> {
    row.transaction_type.as_deref().and_then(|code| code.parse().ok())
}

/// The premium in USD; negative for a credit, the sum of the lines where it is not given itself.
pub(crate) fn premium(row: &ImportTransaction) -> Usd {
    let lines = || Usd::checked_sum(row.line_of_business_list.iter().filter_map(|line| line.coverage));
    let premium = row.premium.or_else(lines).unwrap_or(Usd::ZERO);
    if kind(row).is_some_and(TransactionType::is_credit) { premium.abs().negated() } else { premium }
}

/// Totals of these transactions.
pub(crate) fn totals<'a>(rows: impl IntoIterator<Item = &'a ImportTransaction>) -> ReviewTotals {
    let mut whole = Sum::default();
    let mut states: BTreeMap<&str, Sum> = BTreeMap::new();
    for row in rows {
        whole.add(row);
        states.entry(row.physical_state.as_deref().unwrap_or_default()).or_default().add(row);
    }
    let state = |(state, sum): (&str, Sum)| StateTotal {
        state: state.to_owned(),
        count: sum.count,
        premium: sum.premium.to_string(),
        taxes: sum.taxes.to_string(),
        stamping: sum.stamping.to_string(),
    };
    ReviewTotals {
        count: whole.count,
        premium: whole.premium.to_string(),
        taxes: whole.taxes.to_string(),
        stamping: whole.stamping.to_string(),
        states: states.into_iter().map(state).collect(),
    }
}
