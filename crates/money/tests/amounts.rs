//! What people type, what travels, and what rounding does.

use bordereau_money::{AmountError, Rate, Rounding, Usd};
use proptest::prelude::*;
use rust_decimal::{Decimal, RoundingStrategy};
use serde::{Deserialize, Serialize};

#[test]
fn amounts_as_people_type_them() {
    let cases: Vec<(String, Option<String>)> =
        serde_json::from_str(include_str!("typed_amounts.json")).expect("the cases are JSON");
    for (typed, expected) in cases {
        let read = Usd::parse_typed(&typed).ok().map(|a| a.to_string());
        assert_eq!(read, expected, "typed {typed:?}");
    }
    assert_eq!(Usd::parse_typed("12.345"), Err(AmountError::TooPrecise("12.345".into())));
}

#[test]
fn the_largest_amount_is_what_it_says() {
    assert_eq!(Usd::MAX.to_string(), "999999999999.99");
    assert_eq!(Usd::MAX.to_grouped(), "999,999,999,999.99");
    let grouped = ["0", "-0.5", "999.9", "1000", "-123456.70", "1234567.125"]
        .map(|text| Usd::parse(text).map(Usd::to_grouped));
    let expected = ["0.00", "-0.50", "999.90", "1,000.00", "-123,456.70", "1,234,567.125"];
    assert_eq!(grouped, expected.map(|text| Ok(text.to_owned())));
    assert!(Usd::MAX.checked_add(Usd::from_cents(1)).is_none(), "arithmetic is bounded");
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Wire {
    #[serde(with = "bordereau_money::json_number")]
    a: Usd,
    #[serde(with = "bordereau_money::json_number_option", default)]
    b: Option<Usd>,
}

#[test]
fn json_numbers_keep_their_digits() {
    let wire: Wire = serde_json::from_str(r#"{"a": 4224.80, "b": "0.1"}"#).expect("reads");
    assert_eq!(wire, Wire { a: Usd::from_cents(422_480), b: Some(Usd::from_cents(10)) });
    assert_eq!(serde_json::to_string(&wire).expect("writes"), r#"{"a":4224.80,"b":0.10}"#);
    for bad in [r#"{"a": null}"#, r#"{"a": true}"#, r#"{"a": "x"}"#, r#"{"a": 1e99}"#, r#"{"a": [1]}"#] {
        assert!(serde_json::from_str::<Wire>(bad).is_err(), "{bad} is not an amount");
    }
}

#[test]
fn half_a_cent_goes_up_as_decimals_say() {
    // 3108.50 at 3% is 93.255: a float makes it 93.25.
    let tax = Usd::parse("3108.50").map(|p| p.checked_mul(Rate::parse("0.03").expect("rate")).expect("fits"));
    assert_eq!(tax.expect("amount").round(Rounding::Cent).to_string(), "93.26");
    assert_eq!(Usd::from_cents(-93_255).round(Rounding::Dollar).to_string(), "-933.00");
}

#[test]
fn the_largest_amount_is_the_limit_whatever_the_decimals() {
    for (text, fits) in [
        ("999999999999", true),
        ("1000000000000", false),
        ("-1000000000000", false),
        ("999999999999.9", true),
        ("1000000000000.0", false),
        ("-999999999999.99", true),
        ("999999999999.990000000000000", true),
        ("999999999999.990000000000001", false),
        ("-999999999999.9900000000000001", false),
        ("7.9228162514264337593543950335", true),
        ("79228162514264337593543950335", false),
    ] {
        assert_eq!(Usd::parse(text).is_ok(), fits, "{text}");
    }
}

/// Amounts with up to eight decimals, as they are before rounding, halves of a unit among them.
fn unrounded() -> impl Strategy<Value = Usd> {
    let digits = prop_oneof![-99_999_999_999_999i64..=99_999_999_999_999, -3_000i64..=3_000];
    (digits, 0usize..=8, any::<bool>()).prop_map(|(units, places, half)| {
        let units = if half { units / 10 * 10 + 5 * units.signum() } else { units };
        let digits = format!("{:0>1$}", units.unsigned_abs(), places + 1);
        let (whole, rest) = digits.split_at(digits.len() - places);
        let sign = if units < 0 { "-" } else { "" };
        let text = if rest.is_empty() { format!("{sign}{whole}") } else { format!("{sign}{whole}.{rest}") };
        Usd::parse(&text).unwrap_or(Usd::MAX)
    })
}

proptest! {
    #[test]
    fn arithmetic_is_that_of_bounded_decimals(a in unrounded(), b in unrounded(), rate in 0u32..=100_000_000) {
        let bounded = |value: Decimal| (value.abs() <= Usd::MAX.as_decimal()).then_some(value);
        let rate = Decimal::new(i64::from(rate), 8);
        let fraction = Rate::parse(&rate.to_string()).expect("a rate");
        let sum = a.as_decimal() + b.as_decimal();
        prop_assert_eq!(a.checked_add(b).map(Usd::as_decimal), bounded(sum));
        let product = a.as_decimal() * rate;
        prop_assert_eq!(a.checked_mul(fraction).map(Usd::as_decimal), bounded(product));
        for (rounding, places) in [(Rounding::Cent, 2), (Rounding::Dollar, 0)] {
            let rounded = a.as_decimal().round_dp_with_strategy(places, RoundingStrategy::MidpointAwayFromZero);
            prop_assert_eq!(a.round(rounding).as_decimal(), rounded, "{} {:?}", a, rounding);
        }
    }

    #[test]
    fn shares_add_and_round_as_decimals_do(
        fee in 1i64..1_000_000_000, part in 1i64..1_000_000_000, whole in 1i64..1_000_000_000, other in unrounded()
    ) {
        let [fee, part, whole] = [fee, part, whole].map(Usd::from_cents);
        let Some(share) = fee.checked_share(part, whole) else { return Ok(()) };
        let sum = share.as_decimal() + other.as_decimal();
        let bounded = (sum.abs() <= Usd::MAX.as_decimal()).then_some(sum);
        let found = share.checked_add(other).map(Usd::as_decimal);
        prop_assert_eq!(found, bounded);
        prop_assert_eq!(found.map(|sum| sum.scale()), bounded.map(|sum| sum.scale()));
        for (rounding, places) in [(Rounding::Cent, 2), (Rounding::Dollar, 0)] {
            let how = RoundingStrategy::MidpointAwayFromZero;
            let rounded = share.as_decimal().round_dp_with_strategy(places, how);
            prop_assert_eq!(share.round(rounding).as_decimal(), rounded, "{} {:?}", share, rounding);
        }
    }

    #[test]
    fn text_is_that_of_decimals(amount in unrounded()) {
        let value = amount.as_decimal().normalize();
        let text = if value.is_zero() { "0.00".into() } else { format!("{value:.*}", value.scale().max(2) as usize) };
        prop_assert_eq!(amount.to_string(), &*text);
        prop_assert_eq!(amount.to_grouped().replace(',', ""), text);
    }

    #[test]
    fn text_and_amount_are_one_to_one(cents in -99_999_999_999_999i64..=99_999_999_999_999) {
        let amount = Usd::from_cents(cents);
        prop_assert_eq!(Usd::parse(&amount.to_string()).expect("canonical"), amount);
        prop_assert_eq!(Usd::parse_typed(&amount.to_grouped()).expect("grouped"), amount);
    }

    #[test]
    fn a_credit_is_the_exact_negative(cents in 0i64..10_000_000_000, rate in 0u32..100_000) {
        let rate = Rate::parse(&format!("0.{rate:05}")).expect("rate");
        let charge = Usd::from_cents(cents).checked_mul(rate).expect("fits").round(Rounding::Cent);
        let credit = Usd::from_cents(cents).negated().checked_mul(rate).expect("fits").round(Rounding::Cent);
        prop_assert_eq!(credit, charge.negated());
    }
}

#[test]
fn a_percent_is_read_as_people_type_it() {
    for (typed, fraction) in [
        ("6", Some("0.06")),
        (" 6% ", Some("0.06")),
        ("6.25 %", Some("0.0625")),
        ("0.06", Some("0.0006")),
        ("0", Some("0")),
        ("100", Some("1")),
        ("0.000001", Some("0.00000001")),
        ("0.0000001", None),
        ("100.01", None),
        ("-6", None),
        ("+6", None),
        ("1_0", None),
        ("6,25", None),
        ("six", None),
        ("%", None),
        ("", None),
        ("0.06 of it", None),
    ] {
        assert_eq!(
            Rate::parse_percent(typed).ok().map(|rate| rate.to_string()).as_deref(),
            fraction,
            "{typed}"
        );
    }
    assert_eq!(Rate::from_percent_millionths(6_250_000), Rate::parse("0.0625").ok());
    assert_eq!(Rate::from_percent_millionths(100_000_001), None);
}

#[test]
fn a_rate_is_a_fraction_on_the_wire() {
    #[derive(Debug, PartialEq, serde::Serialize, serde::Deserialize)]
    struct Wire {
        #[serde(with = "bordereau_money::json_rate_option", default)]
        rate: Option<Rate>,
    }
    for (text, rate) in [
        (r#"{"rate":0.0625}"#, Some("0.0625")),
        (r#"{"rate":"0.06"}"#, Some("0.06")),
        (r#"{"rate":null}"#, None),
        ("{}", None),
    ] {
        let wire: Wire = serde_json::from_str(text).expect("reads");
        assert_eq!(wire.rate, rate.map(|rate| Rate::parse(rate).expect("a rate")), "{text}");
        let written = serde_json::to_string(&wire).expect("writes");
        assert_eq!(written, format!(r#"{{"rate":{}}}"#, rate.unwrap_or("null")));
    }
    for bad in [r#"{"rate":6}"#, r#"{"rate":-0.06}"#, r#"{"rate":"6%"}"#, r#"{"rate":0.000000001}"#] {
        assert!(serde_json::from_str::<Wire>(bad).is_err(), "{bad}");
    }
}
