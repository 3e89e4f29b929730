//! Cases found by calculating the data again, apart from the rule files: amounts of official pages, dates and
//! places where a rule is easily applied too widely, and what has to be said beside an answer.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod asking;

use asking::{field, has_note, later, new_policy, quote, usd, with_fees};
use bordereau_contract::{Charge, EntityType};
use bordereau_tax::Input;

/// State, lines, agency fee, inspection fee, date, expected amounts.
type Case = (
    &'static str,
    &'static str,
    &'static str,
    &'static str,
    &'static str,
    &'static [(&'static str, &'static str)],
);

#[rustfmt::skip]
const CASES: &[Case] = &[
    // slai.org, multi-line fire marshal tax, method 1: each peril for itself, 50 + 5.
    ("IL", "GEN-1002=15000 | GEN-1001=5000 | GEN-1007=3000", "0", "0", "2026-03-01", &[("fm_tax", "55.00"), ("sl_tax", "805.00"), ("stamping_fee", "9.00")]),
    // Fees are never in the base of Illinois; 12,345.50 counts as 12,346.
    ("IL", "GEN-1001=12345.50", "100", "50", "2026-03-01", &[("premium", "12345.50"), ("sl_tax", "432.00"), ("stamping_fee", "5.00"), ("fm_tax", "123.00")]),
    ("ID", "GEN-1002=1033.33", "0", "0", "2026-03-01", &[("sl_tax", "15.00"), ("stamping_fee", "5.00")]),
    ("ID", "GEN-1002=1000", "100", "100", "2026-03-01", &[("sl_tax", "18.00"), ("stamping_fee", "6.00")]),
    ("OR", "GEN-1002=1000", "60", "40", "2026-03-01", &[("sl_tax", "22.00"), ("fm_tax", "3.30"), ("sl_service_charge", "10.00")]),
    ("UT", "GEN-1002=1000", "60", "40", "2026-03-01", &[("sl_tax", "46.75"), ("stamping_fee", "1.98")]),
    ("MN", "GEN-1002=10000", "100", "100", "2026-03-01", &[("sl_tax", "306.00"), ("stamping_fee", "4.00")]),
    ("MS", "GEN-1002=1000", "0", "100", "2026-03-01", &[("sl_tax", "44.00"), ("stamping_fee", "2.75"), ("sl_service_charge", "33.00")]),
    ("MS", "GEN-1002=1000", "0", "0", "2012-06-30", &[("sl_service_charge", "50.00")]),
    ("MS", "GEN-1002=1000", "0", "0", "2012-07-01", &[("sl_service_charge", "30.00")]),
    ("NJ", "GEN-1002=1000", "0", "0", "2009-06-30", &[("sl_tax", "30.00")]),
    ("NJ", "GEN-1002=1000", "0", "0", "2009-07-01", &[("sl_tax", "50.00")]),
    ("NM", "GEN-1002=10000", "50", "50", "2026-03-01", &[("sl_tax", "303.30")]),
    ("CA", "GEN-1002=10000", "500", "250", "2026-03-01", &[("sl_tax", "307.50"), ("stamping_fee", "18.45")]),
    ("NY", "GEN-1002=10000", "500", "0", "2026-03-01", &[("sl_tax", "360.00"), ("stamping_fee", "15.00")]),
    ("NY", "GEN-1002=10000", "0", "0", "2022-12-31", &[("stamping_fee", "17.00")]),
    ("NV", "GEN-1002=10000", "100", "100", "2026-03-01", &[("sl_tax", "357.00"), ("stamping_fee", "40.80")]),
    ("AL", "GEN-1002=10000", "0", "0", "2025-12-31", &[("stamping_fee", "0.00")]),
    ("AL", "GEN-1002=10000", "0", "0", "2026-01-01", &[("stamping_fee", "17.50")]),
    ("MT", "GEN-1002=10000", "0", "0", "2025-12-31", &[("stamping_fee", "0.00")]),
    ("MT", "GEN-1002=10000", "0", "0", "2026-01-01", &[("stamping_fee", "17.50")]),
];

#[test]
fn amounts_by_the_words_of_the_data() {
    for (state, lines, agency, inspection, effective, expected) in CASES {
        let answer = quote(&with_fees(new_policy(state, lines, effective), agency, inspection));
        for (name, amount) in *expected {
            assert_eq!(field(&answer, name), *amount, "{state} {lines} on {effective}: {name}");
        }
    }
}

fn kentucky(lines: &str, effective: &str, municipality: &str, city: &str) -> Input {
    let mut input = new_policy("KY", lines, effective);
    let given = |name: &str| (!name.is_empty()).then(|| name.to_owned());
    (input.location.municipality, input.location.city) = (given(municipality), given(city));
    input
}

/// KY-Covington-auto: from 10% to 12% on 2015-07-01.
#[test]
fn a_city_by_the_first_day_of_the_term() {
    for (effective, tax) in [("2015-06-30", "136.00"), ("2015-07-01", "163.20")] {
        let policy = kentucky("GEN-1026=1360", effective, "Covington", "");
        assert_eq!(field(&quote(&policy), "municipal_fee"), tax, "{effective}");
    }
    let before = kentucky("GEN-1026=1360", "2015-01-01", "Covington", "");
    for (transaction, tax) in [("APE", "163.20"), ("RPE", "-136.00"), ("PC", "-136.00")] {
        let answer = quote(&later(before.clone(), transaction, "2015-08-01"));
        assert_eq!(field(&answer, "municipal_fee"), tax, "{transaction}");
    }
    assert!(
        quote(&kentucky("GEN-1026=1", "2026-01-01", "Covington", ""))
            .notes
            .iter()
            .any(|note| { &*note.code == "local_rate_age" && note.text.contains("sunset clause") })
    );
}

/// Clark County's ordinance is not limited to the parts outside cities, those of Kenton County are.
#[test]
fn a_county_and_a_city_that_is_not_in_the_table() {
    let clark = quote(&kentucky("GEN-1002=1000", "2026-03-01", "Clark County", "Winchester"));
    assert_eq!(
        (field(&clark, "municipal_fee"), field(&clark, "county_fee")),
        ("none".into(), "40.00".into())
    );
    assert!(has_note(&clark, "local_city_not_found"));
    let alone = quote(&kentucky("GEN-1002=1000", "2026-03-01", "Clark County", ""));
    assert!(!has_note(&alone, "local_city_not_found"));
    let kenton = quote(&kentucky("GEN-1002=1000", "2026-03-01", "Kenton County", "Covington"));
    assert_eq!(
        (field(&kenton, "municipal_fee"), field(&kenton, "county_fee")),
        ("120.00".into(), "none".into())
    );
    assert_eq!(kenton.tax_rule.municipal_fee_amount, Some(usd("12")), "the city's rate, not the county's");
}

#[test]
fn what_the_surcharge_of_kentucky_leaves_out_is_told() {
    let mut input = kentucky("GEN-1001=1000", "2026-03-01", "Covington", "");
    input.entity = EntityType::Governmental;
    let answer = quote(&input);
    assert_eq!(
        (field(&answer, "stamping_fee"), field(&answer, "municipal_fee")),
        ("18.00".into(), "none".into())
    );
    assert!(has_note(&answer, "exempt_entity") && has_note(&answer, "local_tax_exempt"));
    assert!(!has_note(&answer, "entity_not_exempt"));
    input.entity = EntityType::Federal;
    assert_eq!(field(&quote(&input), "stamping_fee"), "0.00");
}

/// An extension's rule is told by the date its charge goes by.
#[test]
fn the_rule_of_an_extension_is_that_of_its_date() {
    let texas = new_policy("TX", "GEN-1002=10000", "2023-09-01");
    let rate = |input: &Input| quote(input).tax_rule.stamping_fee_amount;
    assert_eq!(rate(&later(texas.clone(), "XE", "2024-09-01")), Some(usd("0.04")));
    assert_eq!(rate(&later(texas, "APE", "2024-03-01")), Some(usd("0.075")));
}

#[test]
fn a_line_left_out_of_the_tax_is_named() {
    for (state, line, told) in [
        ("FL", "GEN-1021", true),
        ("FL", "GEN-1025", true),
        ("FL", "GEN-1001", false),
        ("PR", "GEN-1011", true),
        ("UT", "GEN-1025", true),
        ("VA", "GEN-1016", true),
        ("AK", "GEN-1025", false),
        ("MT", "GEN-1012", false),
        ("TX", "GEN-1025", false),
    ] {
        let answer = quote(&new_policy(state, &format!("{line}=1000"), "2026-03-01"));
        assert_eq!(has_note(&answer, "line_not_taxed"), told, "{state} {line}");
        assert_eq!(field(&answer, "sl_tax") == "0.00", told, "{state} {line}");
    }
}

/// The rate of the fire tax is at the lines it falls on, and at no other.
#[test]
fn the_rate_of_the_fire_tax_by_line() {
    for (state, line, rate) in [
        ("IL", "GEN-1001", Some("0.01")),
        ("IL", "GEN-1002", None),
        ("IL", "GEN-1017", None),
        ("OR", "GEN-1002", Some("0.003")),
        ("MT", "GEN-1002", None),
        ("TX", "GEN-1001", None),
    ] {
        let answer = quote(&new_policy(state, &format!("{line}=1000"), "2026-03-01"));
        let found = answer.lines[0].fm_tax.map(|rate| rate.to_string());
        assert_eq!(found.as_deref(), rate, "{state} {line}");
    }
}

/// Limits that are only told: personal lines have their own.
#[test]
fn fee_limits_by_the_kind_of_line() {
    for (state, line, fee, told) in [
        ("MD", "GEN-1005=1000", "101", true),
        ("MD", "GEN-1005=1000", "100", false),
        ("MD", "GEN-1002=1000", "250", false),
        ("MD", "GEN-1002=1000", "250.01", true),
        ("NJ", "GEN-1005=1000", "20.01", true),
        ("NJ", "GEN-1002=1000", "100", false),
        ("NJ", "GEN-1002=1000", "150", true),
        ("NJ", "GEN-1002=10000", "200", false),
        ("NJ", "GEN-1002=100000", "250.01", true),
    ] {
        let answer = quote(&with_fees(new_policy(state, line, "2026-03-01"), fee, "0"));
        assert_eq!(has_note(&answer, "fee_above_limit"), told, "{state} {line} {fee}");
        assert_eq!(answer.amounts.of(Charge::AgencyFee), usd(fee), "only told");
    }
}

/// What the states ask for besides the five whose documents a service serves.
#[test]
fn documents_of_the_states() {
    let names = |state: &str, effective: &str, ecp: bool| {
        let mut input = new_policy(state, "GEN-1002=1000", effective);
        input.ecp = ecp;
        quote(&input).documents.iter().map(|d| format!("{} {}", d.code, d.name)).collect::<Vec<_>>()
    };
    let has = |found: &[String], wanted: &str| found.iter().any(|name| name.contains(wanted));
    let new_york = names("NY", "2026-03-01", false);
    for wanted in ["AFFIDC Part A", "AFFIDCA Part C", "NOOELP", "Total Cost Form"] {
        assert!(has(&new_york, wanted), "{wanted}");
    }
    assert!(!has(&names("NY", "2026-03-01", true), "Part C"));
    assert!(has(&names("OR", "2026-03-01", false), "DSF Diligent Search Statement"));
    assert!(
        has(&names("PA", "2026-03-01", true), "1610-A") && !has(&names("PA", "2026-03-01", true), "1609-PR")
    );
    assert!(
        has(&names("ME", "2025-09-24", false), "notice") && !has(&names("ME", "2025-09-23", false), "notice")
    );
}
