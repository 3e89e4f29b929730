//! Published figures and figures of a service with this interface, to the cent.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod asking;

use asking::{field, has_note, later, new_policy, quote, usd, with_fees};
use bordereau_contract::{Charge, EntityType};
use bordereau_tax::{BUILTIN_EXAMPLES, LocalTables, RuleBook, check_worked_examples};

/// Texas at the rates of another year.
const WRONG: &str = "state,lines,agency_fee,inspection_fee,effective,expected,source\n\
    TX,GEN-1002=10000,0,0,2026-03-01,sl_tax=484.00,nobody\n";

#[test]
fn every_published_amount_is_met_to_the_cent() {
    let book = RuleBook::builtin();
    assert_eq!(check_worked_examples(BUILTIN_EXAMPLES, book), Ok(()));
    let refusals = [
        (WRONG.to_owned(), "TX GEN-1002=10000 on 2026-03-01: sl_tax is 485.00, 484.00 expected (nobody)"),
        (WRONG.replace("sl_tax=484.00", "sl_tax=485"), "fewer than 10 examples are given"),
        (WRONG.replace("TX,", "XX,"), "row 2 cannot be read"),
        (WRONG.replace("=10000", "=a lot"), "row 2 cannot be read"),
        (WRONG.replace("sl_tax=", "tax of all="), "row 2 cannot be read"),
        (WRONG.replace("GEN-1002", "GEN-0000"), "row 2 has no answer"),
        (WRONG.replace("expected", "wanted"), "column \"expected\" is missing"),
        (String::new(), "the file is empty"),
    ];
    for (text, reason) in refusals {
        let found = check_worked_examples(&text, book).unwrap_err();
        assert!(found.contains(reason), "{found}, expected {reason}");
    }
}

#[test]
fn titles_are_the_states_own() {
    let florida = quote(&new_policy("FL", "GEN-1002=100", "2026-02-05"));
    assert_eq!(
        (florida.titles.of(Charge::SlTax), florida.titles.of(Charge::StampingFee)),
        ("Florida Tax", "FSLSO Fee")
    );
    let kentucky = quote(&new_policy("KY", "GEN-1002=100", "2026-02-05"));
    assert_eq!(
        (kentucky.titles.of(Charge::StampingFee), kentucky.titles.of(Charge::MunicipalFee)),
        ("Surcharge", "Municipal Tax")
    );
}

/// Public API examples, 2026: Lexington-Fayette, casualty liability only.
#[test]
fn kentucky_with_a_municipality() {
    let mut input = with_fees(
        new_policy("KY", "GEN-1002=400 | GEN-1006=1299 | GEN-1008=7822", "2026-02-18"),
        "100",
        "50",
    );
    input.location.municipality = Some("lexington fayette".into());
    let answer = quote(&input);
    for (name, amount) in [
        ("sl_tax", "290.13"),
        ("stamping_fee", "174.08"),
        ("municipal_fee", "483.55"),
        ("county_fee", "none"),
    ] {
        assert_eq!(field(&answer, name), amount, "{name}");
    }
    assert_eq!(answer.local.len(), 1);
    assert_eq!((&*answer.local[0].0, answer.local[0].1), ("Lexington-Fayette", "casualty_liability_only"));
    assert_eq!(answer.tax_rule.municipal_fee_amount, Some(usd("5")));
}

/// FSLSO service fee by policy effective date (fslso.com, tax, fee and assessment table).
#[test]
fn florida_service_fee_bands() {
    let bands = [
        ("2004-03-31", "30.00"),
        ("2004-04-01", "25.00"),
        ("2006-04-01", "20.00"),
        ("2007-04-01", "10.00"),
        ("2013-04-01", "20.00"),
        ("2014-04-01", "17.50"),
        ("2016-04-01", "15.00"),
        ("2017-04-01", "10.00"),
        ("2020-04-01", "6.00"),
    ];
    for (effective, fee) in bands {
        let answer = quote(&new_policy("FL", "GEN-1002=10000", effective));
        assert_eq!(field(&answer, "stamping_fee"), fee, "{effective}");
        assert!(has_note(&answer, "outside_kept_years"), "{effective}");
    }
}

/// SLA table of transaction types at the change of 2023-01-01 (slacal.com): only an extension takes the new rate.
#[test]
fn california_keeps_the_rate_of_the_policy() {
    let policy = new_policy("CA", "GEN-1002=10000", "2022-06-01");
    assert_eq!(field(&quote(&policy), "stamping_fee"), "25.00");
    for (transaction, fee) in [
        ("APE", "25.00"),
        ("AE", "25.00"),
        ("RPE", "-25.00"),
        ("FC", "-25.00"),
        ("PC", "-25.00"),
        ("ARE", "-25.00"),
        ("XE", "18.00"),
    ] {
        let answer = quote(&later(policy.clone(), transaction, "2023-06-01"));
        assert_eq!(field(&answer, "stamping_fee"), fee, "{transaction}");
    }
    for transaction in ["PN", "PR"] {
        let answer =
            quote(&later(new_policy("CA", "GEN-1002=10000", "2023-01-01"), transaction, "2023-01-01"));
        assert_eq!(field(&answer, "stamping_fee"), "18.00", "{transaction}");
    }
}

/// KID examples (insurancejournal.com, 2023-12-08) and the extension of Illinois (slai.org).
#[test]
fn endorsements_and_extensions_by_their_date() {
    let kansas = new_policy("KS", "GEN-1002=10000", "2024-01-01");
    assert_eq!(field(&quote(&later(kansas.clone(), "APE", "2024-06-01")), "sl_tax"), "300.00");
    assert_eq!(field(&quote(&later(kansas, "PC", "2024-08-01")), "sl_tax"), "-300.00");
    let before = new_policy("KS", "GEN-1002=10000", "2023-07-01");
    assert_eq!(field(&quote(&later(before, "APE", "2024-06-01")), "sl_tax"), "600.00");
    let illinois = new_policy("IL", "GEN-1002=10000", "2002-09-01");
    assert_eq!(field(&quote(&later(illinois, "XE", "2003-09-01")), "sl_tax"), "350.00");
    let texas = new_policy("TX", "GEN-1002=10000", "2023-09-01");
    assert_eq!(field(&quote(&later(texas.clone(), "XE", "2024-09-01")), "stamping_fee"), "4.00");
    assert_eq!(field(&quote(&later(texas, "APE", "2024-03-01")), "stamping_fee"), "7.50");
}

/// 3108.50 at 3% is 93.255: only half up gives 93.26 (an import result of a service with this interface).
/// Arizona has these rates and does not tax an agency fee.
#[test]
fn half_a_cent_goes_up() {
    let answer = quote(&new_policy("VT", "GEN-1002=3108.50", "2026-03-01"));
    assert_eq!(field(&answer, "sl_tax"), "93.26");
    let arizona = quote(&with_fees(new_policy("AZ", "GEN-1002=3108.50", "2026-03-01"), "200", "0"));
    let amounts = ["sl_tax", "stamping_fee", "total"].map(|name| field(&arizona, name));
    assert_eq!(amounts, ["93.26", "6.22", "3407.98"]);
}

#[test]
fn fee_limits() {
    for (state, lines, fee, expected) in [
        ("PA", "GEN-1005=3000", "300", "150.00"),
        ("PA", "GEN-1005=5000", "300", "200.00"),
        // Commercial lines have no limit there.
        ("PA", "GEN-1002=5000", "300", "300.00"),
        // Connecticut: the better of $250 flat and 5%, at most $500.
        ("CT", "GEN-1002=4000", "800", "250.00"),
        ("CT", "GEN-1002=20000", "800", "500.00"),
        ("NV", "GEN-1002=10000", "2500", "2000.00"),
        ("TX", "GEN-1002=10000", "9000", "9000.00"),
    ] {
        let answer = quote(&with_fees(new_policy(state, lines, "2026-03-01"), fee, "0"));
        let found = (field(&answer, "agency_fee"), has_note(&answer, "fee_adjusted"));
        let is_lowered = expected.trim_end_matches(".00") != fee;
        assert_eq!(found, (expected.to_owned(), is_lowered), "{state} {lines} {fee}");
    }
}

/// Texas with a limit of the agency fee that changes in 2027, and a charge that begins then and has a maximum.
const CHANGED_TEXAS: &str = concat!(
    include_str!("../rules/tx.toml"),
    r#"
[[fee_cap]]
lines = "all"
until = "2026-12-31"
enforced = true
alternative = [ { flat = "300.00" } ]
text = "An older limit."
checked = { level = "confirmed", text = "confirmed 2026" }
source = [ { title = "a statute", url = "https://example.org/a" } ]
[[fee_cap]]
lines = "all"
from = "2027-01-01"
enforced = true
alternative = [ { flat = "200.00" } ]
text = "A newer limit."
checked = { level = "confirmed", text = "confirmed 2026" }
source = [ { title = "a statute", url = "https://example.org/a" } ]
[[charge]]
kind = "new_fee"
field = "fm_tax"
basis = "premium"
basis_text = "premium"
credit = "mirrored"
dated_by = "policy effective date"
begins = true
[[charge.rate]]
from = "2027-01-01"
rate = "0.01"
at_most = "50.00"
status = "enacted"
checked = { level = "confirmed", text = "confirmed 2026" }
source = [ { title = "a statute", url = "https://example.org/a" } ]
"#
);

#[test]
fn a_limit_and_a_maximum_hold_from_their_first_day() {
    let mut files = RuleBook::builtin_files();
    let texas = asking::state("TX");
    files.iter_mut().filter(|(state, _)| *state == texas).for_each(|(_, text)| *text = CHANGED_TEXAS);
    let book = RuleBook::read(&files).unwrap();
    let new = |premium: &str, day: &str| {
        with_fees(new_policy("TX", &format!("GEN-1002={premium}"), day), "500", "0")
    };
    let credit = later(with_fees(new("9000", "2027-01-01"), "0", "0"), "RPE", "2027-02-01");
    for (asked, fee, charge, words) in [
        (new("9000", "2026-12-31"), "300.00", "0.00", ""),
        (new("3000", "2027-01-01"), "200.00", "30.00", "3,000.00 × 1% = 30.00"),
        (new("9000", "2027-01-01"), "200.00", "50.00", "9,000.00 × 1%, at most 50.00 = 50.00"),
        (credit, "0.00", "-50.00", "-9,000.00 × 1%, at most 50.00 = -50.00"),
    ] {
        let answer = book.calculate(&asked, &LocalTables::default()).unwrap();
        assert_eq!((&*field(&answer, "agency_fee"), &*field(&answer, "fm_tax")), (fee, charge), "{asked:?}");
        let trace = answer.charges.iter().find(|trace| &*trace.kind == "new_fee");
        let explained = trace.map_or_else(String::new, |trace| trace.explanation.to_string());
        assert_eq!(explained.trim_end_matches(", to the cent, half up"), words);
        assert_eq!(has_note(&answer, "charged_before"), charge == "-50.00");
    }
}

#[test]
fn new_hampshire_has_no_fee_beside_a_commission() {
    let mut input = with_fees(new_policy("NH", "GEN-1002=1000", "2026-03-01"), "100", "0");
    assert_eq!(field(&quote(&input), "total"), "1130.00");
    input.commission_received = true;
    let answer = quote(&input);
    assert_eq!(
        (field(&answer, "agency_fee").as_str(), field(&answer, "total").as_str()),
        ("0.00", "1030.00")
    );
    assert!(has_note(&answer, "fee_adjusted"));
    assert!(answer.tax_rule.ask_if_commission_received);
}

#[test]
fn flat_charges_fall_once() {
    for (state, name, amount) in [("OR", "sl_service_charge", "10.00"), ("PA", "stamping_fee", "20.00")] {
        let policy = new_policy(state, "GEN-1002=1000", "2026-03-01");
        assert_eq!(field(&quote(&policy), name), amount);
        assert_eq!(field(&quote(&later(policy.clone(), "PR", "2026-03-01")), name), amount);
        for transaction in ["APE", "RPE", "FC", "PC", "AE", "ARE", "XE", "RI", "BO", "BD"] {
            assert_eq!(
                field(&quote(&later(policy.clone(), transaction, "2026-03-01")), name),
                "0.00",
                "{state} {transaction}"
            );
        }
    }
}

#[test]
fn idaho_gives_its_stamping_fee_back_on_a_flat_cancellation_only() {
    let policy = new_policy("ID", "GEN-1002=10000", "2026-03-01");
    for (transaction, fee) in [
        ("PN", "50.00"),
        ("APE", "50.00"),
        ("RPE", "0.00"),
        ("PC", "0.00"),
        ("ARE", "0.00"),
        ("FC", "-50.00"),
    ] {
        assert_eq!(
            field(&quote(&later(policy.clone(), transaction, "2026-03-01")), "stamping_fee"),
            fee,
            "{transaction}"
        );
    }
    assert_eq!(quote(&policy).tax_rule.exclude_stamping_fee_when_negative_premium, Some(true));
}

#[test]
fn lines_with_their_own_rate() {
    let cases = [
        ("AK", "GEN-1015=1000 | GEN-1025=1000", "sl_tax", "34.50"),
        ("AK", "GEN-1015=1000 | GEN-1025=1000", "stamping_fee", "20.00"),
        ("OR", "GEN-1025=10000", "sl_tax", "75.00"),
        ("MT", "GEN-1012=10000", "sl_tax", "75.00"),
        ("MT", "GEN-1002=10000", "sl_tax", "275.00"),
        ("MT", "GEN-1001=10000", "fm_tax", "250.00"),
        ("SD", "GEN-1001=10000", "sl_tax", "300.00"),
        ("SD", "GEN-1002=10000", "sl_tax", "250.00"),
        ("SD", "GEN-1007=10000", "fm_tax", "7.50"),
        ("SD", "GEN-1003=10000", "fm_tax", "17.50"),
        ("SD", "GEN-1027=10000", "fm_tax", "10.00"),
        ("PR", "GEN-1011=10000", "sl_tax", "0.00"),
        ("FL", "GEN-1025=10000", "sl_tax", "0.00"),
        ("FL", "GEN-1001=10000", "empa_tax", "4.00"),
        ("FL", "GEN-1005=10000", "empa_tax", "2.00"),
        ("MS", "GEN-1002=10000", "sl_service_charge", "300.00"),
        ("MS", "GEN-2007=10000", "sl_service_charge", "0.00"),
        ("MI", "GEN-1002=10000", "sl_service_charge", "50.00"),
        ("IL", "GEN-1009=10000", "fm_tax", "25.00"),
        ("IL", "GEN-1002=10000", "fm_tax", "0.00"),
        ("IL", "GEN-1001=1234.56", "premium", "1234.56"),
        ("VA", "GEN-1016=10000", "sl_tax", "0.00"),
    ];
    for (state, lines, name, amount) in cases {
        assert_eq!(
            field(&quote(&new_policy(state, lines, "2026-03-01")), name),
            amount,
            "{state} {lines} {name}"
        );
    }
}

#[test]
fn exemptions() {
    let mut governmental = new_policy("FL", "GEN-1001=10000", "2026-03-01");
    governmental.entity = EntityType::Governmental;
    let answer = quote(&governmental);
    assert_eq!((field(&answer, "sl_tax").as_str(), field(&answer, "empa_tax").as_str()), ("0.00", "4.00"));
    assert!(has_note(&answer, "exempt_entity"));
    governmental.state = asking::state("TX");
    assert_eq!(field(&quote(&governmental), "sl_tax"), "485.00");
    assert!(has_note(&quote(&governmental), "entity_not_exempt"));
    let mut exempt = new_policy("TX", "GEN-1001=10000", "2026-03-01");
    exempt.tax_exempt = true;
    let answer = quote(&exempt);
    assert_eq!(
        (field(&answer, "sl_tax").as_str(), field(&answer, "stamping_fee").as_str()),
        ("0.00", "4.00")
    );
    assert_eq!(answer.charges[0].explanation.to_string(), "exempt: the insured is tax exempt");
}

#[test]
fn kentucky_admitted() {
    let mut input = with_fees(new_policy("KY", "GEN-1002=1000", "2026-03-01"), "100", "50");
    input.admitted = true;
    input.location.municipality = Some("Lexington".into());
    let answer = quote(&input);
    let amounts = ["sl_tax", "stamping_fee", "premium_tax", "premium_tax_life", "municipal_fee", "total"]
        .map(|n| field(&answer, n));
    assert_eq!(amounts, ["0.00", "0.00", "23.00", "17.25", "57.50", "1230.50"]);
}

#[test]
fn kentucky_without_a_match_is_never_guessed() {
    for name in ["Lexingtn", "Fayetteville", "", "Covingtonn"] {
        let mut input = new_policy("KY", "GEN-1002=1000", "2026-03-01");
        input.location.municipality = Some(name.into());
        // A given name that is not found is not replaced by the address.
        input.location.city = if name.is_empty() { None } else { Some("Covington".into()) };
        let answer = quote(&input);
        assert_eq!(field(&answer, "municipal_fee"), "none", "{name}");
        assert!(has_note(&answer, "local_tax_not_found"), "{name}");
        assert!(answer.tax_rule.is_municipal_fee_input_manual);
    }
}

#[test]
fn kentucky_city_is_credited_against_the_county() {
    let table = bordereau_tax::KentuckyTable::from_csv(
        "jurisdiction,kind,category,rate,within_cities\nTown,city,all,0.04,\nTown County,county,all,0.07,yes\nOutside County,county,all,0.05,no\n",
    )
    .unwrap();
    let local = bordereau_tax::LocalTables { kentucky: vec![table], ..bordereau_tax::LocalTables::default() };
    let mut input = new_policy("KY", "GEN-1002=1000", "2026-03-01");
    input.location.city = Some("City of TOWN".into());
    let ask = |input: &bordereau_tax::QuoteInput| {
        let answer = RuleBook::builtin().calculate(input, &local).unwrap();
        (field(&answer, "municipal_fee"), field(&answer, "county_fee"))
    };
    assert_eq!(ask(&input), ("40.00".into(), "none".into()));
    input.location.municipality = Some("Town County".into());
    assert_eq!(ask(&input), ("40.00".into(), "30.00".into()));
    input.location.municipality = Some("Outside County".into());
    assert_eq!(ask(&input), ("40.00".into(), "none".into()));
    input.location.city = None;
    assert_eq!(ask(&input), ("none".into(), "50.00".into()));
}

#[test]
fn a_basis_is_short_and_its_explanation_has_the_parts() {
    let basis = |input: &bordereau_tax::QuoteInput| {
        let answer = quote(input);
        (answer.charges[0].basis.summary_text(), answer.charges[0].explanation.to_string())
    };
    let alone = new_policy("TX", "GEN-1002=9521", "2026-02-23");
    let (brief, why) = basis(&alone);
    assert_eq!(brief, "premium $9,521.00");
    assert_eq!(why, "9,521.00 × 4.85% = 461.77, to the cent, half up");
    let (brief, why) = basis(&with_fees(alone.clone(), "400", "150.42"));
    assert_eq!(brief, "$10,071.42 = premium + taxable fees");
    assert_eq!(
        why,
        "10,071.42 (premium 9,521.00 + agency fee (charged by the surplus lines licensee) 400.00 + inspection fee 150.42) × 4.85% = 488.46, to the cent, half up"
    );
    let (brief, _) = basis(&with_fees(alone, "400", "0"));
    assert_eq!(brief, "$9,921.00 = premium + agency fee");
}
