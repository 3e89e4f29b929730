//! From a total back to the premium, in every jurisdiction.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod asking;

use asking::{new_policy, quote, usd, with_fees};
use bordereau_contract::{Jurisdiction, TransactionType};
use bordereau_money::Usd;
use bordereau_tax::{LineInput, LinesTable, LocalTables, PremiumForTotal, QuoteInput, RuleBook};
use proptest::prelude::*;

fn find(input: &QuoteInput, line: usize, total: Usd) -> PremiumForTotal {
    RuleBook::builtin().find_premium(input, line, total, &LocalTables::default()).unwrap()
}

fn total_with(input: &QuoteInput, line: usize, premium: Usd) -> Usd {
    let mut input = input.clone();
    input.lines[line].premium = premium;
    quote(&input).total.abs()
}

fn amount(most_cents: i64) -> impl Strategy<Value = Usd> {
    (0..=most_cents).prop_map(Usd::from_cents)
}

fn line_code() -> impl Strategy<Value = String> {
    let codes: Vec<String> = LinesTable::builtin().iter().map(|line| line.code.to_string()).collect();
    prop::sample::select(codes)
}

prop_compose! {
    fn question()(
        state in prop::sample::select(Jurisdiction::ALL),
        transaction in prop::sample::select(TransactionType::ALL),
        lines in prop::collection::vec((line_code(), amount(50_000_000)), 1..4),
        fees in (amount(200_000), amount(200_000)),
        place in prop::sample::select(vec!["", "Lexington-Fayette", "Covington", "Clark County"]),
    ) -> QuoteInput {
        let mut input = new_policy(state.code(), "GEN-1002=0", "2026-02-23");
        let is_zero = transaction == TransactionType::ZeroPremium;
        input.transaction_type = if is_zero { TransactionType::New } else { transaction };
        input.lines = lines.into_iter().map(|(code, premium)| LineInput { code, premium }).collect();
        (input.agency_fee, input.inspection_fee) = fees;
        input.location.municipality = (!place.is_empty()).then(|| place.into());
        input
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever a quote comes to, a premium is found that comes to it again.
    #[test]
    fn the_total_of_a_quote_leads_back_to_it(input in question()) {
        let line = input.lines.len() - 1;
        let total = quote(&input).total.abs();
        let PremiumForTotal::Exact(found) = find(&input, line, total) else {
            return Err(TestCaseError::fail(format!("{}: no premium for {total}", input.state)));
        };
        prop_assert_eq!(found.total, total);
        prop_assert_eq!(total_with(&input, line, found.premium), total);
    }

    /// Any total: an exact premium, or the nearest on both sides, each as the calculator says.
    #[test]
    fn what_is_answered_is_what_the_calculator_says(input in question(), total in amount(90_000_000)) {
        match find(&input, 0, total) {
            PremiumForTotal::Exact(found) => {
                prop_assert_eq!(total_with(&input, 0, found.premium), total);
            }
            PremiumForTotal::Nearest { below, above } => {
                let above = above.unwrap();
                prop_assert!(above.total > total);
                prop_assert_eq!(total_with(&input, 0, above.premium), above.total);
                if let Some(below) = below {
                    prop_assert!(below.total < total);
                    prop_assert_eq!(total_with(&input, 0, below.premium), below.total);
                }
            }
        }
    }
}

/// One line in every jurisdiction with round totals: the answer, or two premiums a cent apart.
#[test]
fn every_jurisdiction_answers_round_totals() {
    for state in Jurisdiction::ALL {
        let input = with_fees(new_policy(state.code(), "GEN-1002=0", "2026-02-23"), "250", "100");
        for total in ["1000", "2500", "9999.99", "10000", "123456.78"].map(usd) {
            match find(&input, 0, total) {
                PremiumForTotal::Exact(found) => assert_eq!(total_with(&input, 0, found.premium), total),
                PremiumForTotal::Nearest { below, above } => {
                    let (below, above) = (below.unwrap(), above.unwrap());
                    let step = above.premium.checked_sub(below.premium);
                    assert_eq!(step, Some(Usd::from_cents(1)), "{state}: {below:?} {above:?}");
                }
            }
        }
    }
}

#[test]
fn less_than_the_fees_has_nothing_below() {
    let input = with_fees(new_policy("TX", "GEN-1002=0", "2026-02-23"), "250", "100");
    let PremiumForTotal::Nearest { below: None, above: Some(above) } = find(&input, 0, usd("300")) else {
        panic!("the fees alone are more");
    };
    assert_eq!((above.premium, above.total), (Usd::ZERO, total_with(&input, 0, Usd::ZERO)));
}

#[test]
fn a_question_with_a_fault_is_refused() {
    let refused = |input: &QuoteInput, line: usize, total: &str| {
        RuleBook::builtin().find_premium(input, line, usd(total), &LocalTables::default()).is_err()
    };
    let mut input = new_policy("TX", "GEN-1002=0", "2026-02-23");
    assert!(!refused(&input, 0, "1000"));
    assert!(refused(&input, 1, "1000"), "there is no second line");
    assert!(refused(&input, 0, "1000.005"));
    assert!(refused(&input, 0, "200000000000"), "more than can be asked");
    input.transaction_type = TransactionType::ZeroPremium;
    assert!(refused(&input, 0, "1000"));
}
