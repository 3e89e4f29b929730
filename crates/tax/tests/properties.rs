//! What holds for every question, tried with generated ones.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod asking;

use std::str::FromStr;

use asking::{new_policy, quote};
use bordereau_contract::{Charge, Jurisdiction, TransactionType};
use bordereau_money::Usd;
use bordereau_tax::{LineInput, LinesTable, LocalTables, Quote, QuoteAmounts, QuoteInput, RuleBook};
use chrono::{NaiveDate, TimeDelta};
use proptest::prelude::*;

fn amount(most_cents: i64) -> impl Strategy<Value = Usd> {
    (0..=most_cents).prop_map(Usd::from_cents)
}

fn line() -> impl Strategy<Value = LineInput> {
    let codes: Vec<String> = LinesTable::builtin().iter().map(|line| line.code.to_string()).collect();
    (prop::sample::select(codes), amount(9_999_999_999))
        .prop_map(|(code, premium)| LineInput { code, premium })
}

prop_compose! {
    fn question()(
        state in prop::sample::select(Jurisdiction::ALL),
        transaction in prop::sample::select(TransactionType::ALL),
        lines in prop::collection::vec(line(), 1..6),
        fees in (amount(500_000), amount(500_000)),
        days in (0..9_000i64, 0..800i64),
        flags in any::<[bool; 6]>(),
        place in prop::sample::select(vec!["", "Lexington-Fayette", "Covington", "Clark County", "Nowhere"]),
    ) -> QuoteInput {
        let mut input = new_policy(state.code(), "GEN-1002=0", "2002-01-01");
        input.transaction_type = transaction;
        input.lines = lines;
        if transaction == TransactionType::ZeroPremium {
            input.lines.iter_mut().for_each(|line| line.premium = Usd::ZERO);
        }
        (input.agency_fee, input.inspection_fee) = fees;
        input.policy_effective = NaiveDate::from_ymd_opt(2002, 1, 1).unwrap() + TimeDelta::days(days.0);
        input.transaction_effective = input.policy_effective + TimeDelta::days(days.1);
        [input.rpg, input.tax_exempt, input.ecp, input.export_list, input.commission_received, _] = flags;
        input.admitted = flags[5] && input.state == Jurisdiction::Ky;
        input.location.municipality = (!place.is_empty()).then(|| place.into());
        input
    }
}

/// Every amount of an answer that makes the total.
fn amounts(quote: &Quote) -> Vec<Usd> {
    let counted = Charge::ALL.into_iter().filter(|charge| charge.is_counted());
    std::iter::once(quote.amounts.premium).chain(counted.map(|charge| quote.amounts.of(charge))).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_total_is_the_sum_of_what_is_shown(input in question()) {
        let answer = quote(&input);
        prop_assert_eq!(Usd::checked_sum(amounts(&answer)), Some(answer.total));
        for amount in amounts(&answer) {
            prop_assert!(amount.is_whole_cents());
        }
        for charge in &answer.charges {
            prop_assert_eq!(charge.unrounded.round(charge.rounding), charge.amount);
        }
    }

    #[test]
    fn amounts_alone_and_amounts_explained_are_the_same(asked in question()) {
        for state in Jurisdiction::ALL {
            let mut input = asked.clone();
            input.state = *state;
            input.admitted &= *state == Jurisdiction::Ky;
            let local = LocalTables::default();
            let calculation = RuleBook::builtin().calculate_amounts(&input, &local).unwrap();
            let answer = quote(&input);
            prop_assert_eq!(calculation.amounts(), &answer.amounts, "{}", state);
            prop_assert_eq!(calculation.total(), answer.total, "{}", state);
            prop_assert!(calculation.documents().eq(answer.documents.iter()), "{}", state);
            let kept = answer.notes.iter().find(|note| &*note.code == "outside_kept_years");
            let own = calculation.outside_rate_years();
            prop_assert_eq!(own.as_ref(), kept);
            // What the trace says of each charge gives its amount, and all of them the fields.
            let mut again = QuoteAmounts { premium: answer.amounts.premium, ..QuoteAmounts::default() };
            for fee in [Charge::AgencyFee, Charge::InspectionFee] {
                again.charges.set(fee, answer.amounts.of(fee));
            }
            for charge in &answer.charges {
                if charge.explanation.waived.is_none() && let Some(rate) = charge.rate {
                    let amount = charge.basis.total.checked_mul(rate).unwrap().round(charge.rounding);
                    prop_assert_eq!(amount, charge.amount, "{} {}", state, charge.kind);
                }
                again.charges.add(charge.field, charge.amount).unwrap();
            }
            for local in [Charge::MunicipalFee, Charge::CountyFee] {
                if answer.amounts.charges.get(local).is_some() {
                    again.charges.add(local, Usd::ZERO).unwrap();
                }
            }
            prop_assert_eq!(&again, &answer.amounts, "{}", state);
        }
    }

    #[test]
    fn a_credit_is_the_exact_negative(input in question()) {
        // An audit and an audit return differ by their sign only, where nothing is limited or earned for good.
        let mut charge = input;
        charge.transaction_type = TransactionType::Audit;
        let mut credit = charge.clone();
        credit.transaction_type = TransactionType::AuditReturn;
        let (charged, credited) = (quote(&charge), quote(&credit));
        if charge.state != Jurisdiction::Id {
            let negated: Vec<Usd> = amounts(&credited).into_iter().map(Usd::negated).collect();
            prop_assert_eq!(amounts(&charged), negated);
            prop_assert_eq!(charged.total, credited.total.negated());
        }
    }

    #[test]
    fn the_order_of_lines_is_irrelevant(input in question()) {
        let mut turned = input.clone();
        turned.lines.reverse();
        prop_assert_eq!(amounts(&quote(&input)), amounts(&quote(&turned)));
    }

    #[test]
    fn splitting_a_line_changes_nothing_but_rounding(input in question(), part in 0..=100i64) {
        let mut split = input.clone();
        let first = split.lines[0].clone();
        let cents = i64::from_str(&first.premium.to_string().replace('.', "")).unwrap();
        let lesser = Usd::from_cents(cents * part / 100);
        split.lines[0].premium = lesser;
        split.lines.push(LineInput { code: first.code, premium: first.premium.checked_sub(lesser).unwrap() });
        let (whole, parts) = (quote(&input), quote(&split));
        // Whole dollars may move by one per line rounded, cents by one per charge rounded.
        let slack = if matches!(input.state, Jurisdiction::Il | Jurisdiction::Id) { Usd::from_cents(300) } else { Usd::from_cents(2) };
        for (one, other) in amounts(&whole).into_iter().zip(amounts(&parts)) {
            let difference = one.checked_sub(other).unwrap().abs();
            prop_assert!(difference <= slack, "{} beside {}", one, other);
        }
    }

    #[test]
    fn nothing_makes_it_panic(
        code in ".{0,60}",
        premium in any::<i64>(),
        days in (0..60_000i64, -500..60_000i64),
        state in prop::sample::select(Jurisdiction::ALL),
        place in ".{0,60}",
    ) {
        let mut input = new_policy(state.code(), "GEN-1002=1", "2026-01-01");
        let premium = Usd::parse(&format!("{}.{:02}", premium / 100, (premium % 100).abs())).unwrap_or(Usd::MAX);
        input.lines.push(LineInput { code, premium });
        input.policy_effective = NaiveDate::from_ymd_opt(1950, 1, 1).unwrap() + TimeDelta::days(days.0);
        input.transaction_effective = NaiveDate::from_ymd_opt(1950, 1, 1).unwrap() + TimeDelta::days(days.1.max(0));
        input.location.municipality = Some(place.clone());
        input.location.city = Some(place);
        let _ = RuleBook::builtin().calculate(&input, &LocalTables::default());
    }
}
