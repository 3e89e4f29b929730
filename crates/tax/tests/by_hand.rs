//! Quotes calculated by hand from the collected rates, apart from the rule files: each figure is written out
//! of the published rate and its base, and the sums beside it say how.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod asking;

use asking::{field, later, new_policy, quote, with_fees};

/// State, transaction and its date (empty for a new policy), lines, agency fee, inspection fee, policy date,
/// the expected amounts.
type Quoted = (
    &'static str,
    &'static str,
    &'static str,
    &'static str,
    &'static str,
    &'static str,
    &'static [(&'static str, &'static str)],
);

#[rustfmt::skip]
const QUOTED: &[Quoted] = &[
    // 12,696.16 × 4.85% = 615.76376; × 0.04% = 5.078464.
    ("TX", "", "GEN-1002=12345.67", "250.50", "99.99", "2026-02-23", &[("sl_tax", "615.76"), ("stamping_fee", "5.08"), ("total", "13317.00")]),
    ("TX", "", "GEN-1002=10000", "0", "0", "2023-12-31", &[("stamping_fee", "7.50")]),
    ("TX", "", "GEN-1002=10000", "0", "0", "2024-01-01", &[("stamping_fee", "4.00")]),
    // An extension takes the rate of its own date, an endorsement that of its policy.
    ("TX", "XE 2024-02-01", "GEN-1002=10000", "0", "0", "2023-06-01", &[("stamping_fee", "4.00")]),
    ("TX", "APE 2024-02-01", "GEN-1002=10000", "0", "0", "2023-06-01", &[("stamping_fee", "7.50")]),
    ("TX", "RPE 2024-02-01", "GEN-1002=10000", "0", "0", "2023-06-01", &[("premium", "-10000.00"), ("sl_tax", "-485.00"), ("stamping_fee", "-7.50"), ("total", "-10492.50")]),
    // 999.99 × 4.94% = 49.399506; × 0.06% = 0.599994.
    ("FL", "", "GEN-1002=999.99", "0", "0", "2020-07-01", &[("sl_tax", "49.40"), ("stamping_fee", "0.60")]),
    ("FL", "", "GEN-1002=1000", "0", "10", "2020-06-30", &[("sl_tax", "50.50"), ("stamping_fee", "0.61")]),
    ("FL", "", "GEN-1002=10000", "0", "0", "2020-03-31", &[("sl_tax", "500.00"), ("stamping_fee", "10.00")]),
    ("FL", "", "GEN-1001=1000 | GEN-1002=500", "0", "0", "2026-03-01", &[("sl_tax", "74.10"), ("stamping_fee", "0.90"), ("empa_tax", "4.00"), ("total", "1579.00")]),
    ("FL", "", "GEN-1005=1000", "0", "0", "2026-03-01", &[("empa_tax", "2.00")]),
    // (4,321.09 + 75) × 3% = 131.8827; × 0.18% = 7.912962.
    ("CA", "", "GEN-1002=4321.09", "500", "75", "2026-03-01", &[("sl_tax", "131.88"), ("stamping_fee", "7.91"), ("total", "5035.88")]),
    ("CA", "APE 2023-05-01", "GEN-1002=10000", "0", "0", "2022-12-31", &[("stamping_fee", "25.00")]),
    ("CA", "XE 2023-05-01", "GEN-1002=10000", "0", "0", "2022-12-31", &[("stamping_fee", "18.00")]),
    // 1,050 × 0.95% = 9.975, half up; × 0.925% = 9.7125.
    ("IA", "", "GEN-1002=999.99", "0.01", "50", "2025-12-31", &[("sl_tax", "9.98")]),
    ("IA", "", "GEN-1002=999.99", "0.01", "50", "2026-01-01", &[("sl_tax", "9.71")]),
    // The charges are on whole dollars: 10,000.49 counts as 10,000 and 10,000.50 as 10,001, of which 3.5% is 350.035.
    ("IL", "", "GEN-1002=10000.49", "0", "0", "2026-03-01", &[("premium", "10000.49"), ("sl_tax", "350.00"), ("stamping_fee", "4.00")]),
    ("IL", "", "GEN-1002=10000.50", "0", "0", "2026-03-01", &[("premium", "10000.50"), ("sl_tax", "350.00"), ("stamping_fee", "4.00")]),
    // 1% of 1,235 = 12.35 and of a quarter of 2,000 = 5, each in whole dollars.
    ("IL", "", "GEN-1001=1234.56 | GEN-1003=2000", "0", "0", "2026-03-01", &[("premium", "3234.56"), ("fm_tax", "17.00"), ("sl_tax", "113.00"), ("stamping_fee", "1.00")]),
    ("IL", "RPE 2026-04-01", "GEN-1001=1234.56 | GEN-1003=2000", "0", "0", "2026-03-01", &[("premium", "-3234.56"), ("fm_tax", "-17.00"), ("sl_tax", "-113.00"), ("stamping_fee", "-1.00")]),
    ("KS", "", "GEN-1002=1000", "0", "0", "2023-12-31", &[("sl_tax", "60.00"), ("stamping_fee", "0.00")]),
    ("KS", "PC 2026-09-01", "GEN-1002=1000", "0", "0", "2026-01-01", &[("sl_tax", "-30.00"), ("stamping_fee", "-1.75")]),
    ("KY", "", "GEN-1002=1000", "100", "50", "2026-03-01", &[("sl_tax", "34.50"), ("stamping_fee", "20.70"), ("municipal_fee", "none"), ("total", "1205.20")]),
    ("KY", "", "GEN-1002=1000", "0", "0", "2010-03-31", &[("stamping_fee", "15.00")]),
    ("KY", "", "GEN-1002=1000", "0", "0", "2010-04-01", &[("stamping_fee", "18.00")]),
    // Broker's fee out, company's fee in: 1,100 × 5%, × 0.3%.
    ("NC", "", "GEN-1002=1000", "75", "100", "2026-03-01", &[("sl_tax", "55.00"), ("stamping_fee", "3.30")]),
    ("OH", "", "GEN-1002=1000", "75", "100", "2026-03-01", &[("sl_tax", "55.00")]),
    ("WV", "", "GEN-1002=1000", "100", "100", "2026-03-01", &[("sl_tax", "54.60")]),
    ("HI", "", "GEN-1002=1000", "100", "0", "2026-03-01", &[("sl_tax", "46.80")]),
    // 1,234.56 × 2% = 24.6912; × 0.5% = 6.1728.
    ("MI", "", "GEN-1002=1234.56", "0", "0", "2026-03-01", &[("sl_tax", "24.69"), ("sl_service_charge", "6.17")]),
    ("PA", "APE 2026-04-01", "GEN-1002=1000", "0", "0", "2026-03-01", &[("sl_tax", "30.00"), ("stamping_fee", "0.00")]),
    ("PA", "PC 2026-04-01", "GEN-1002=1000", "0", "0", "2026-03-01", &[("sl_tax", "-30.00"), ("stamping_fee", "0.00")]),
    ("OR", "FC 2026-04-01", "GEN-1002=1000", "0", "0", "2026-03-01", &[("sl_tax", "-20.00"), ("fm_tax", "-3.00"), ("sl_service_charge", "0.00")]),
    ("OR", "", "GEN-1025=1000", "0", "0", "2026-03-01", &[("sl_tax", "7.50")]),
    ("AK", "", "GEN-1025=1000 | GEN-1002=1000", "0", "0", "2026-03-01", &[("sl_tax", "34.50"), ("stamping_fee", "20.00")]),
    // Fire 3%, the rest 2.5%; 0.175% on all; property 0.175% and inland marine 0.075% of fire tax.
    ("SD", "", "GEN-1001=1000 | GEN-1002=1000", "0", "0", "2026-03-01", &[("sl_tax", "55.00"), ("stamping_fee", "3.50"), ("fm_tax", "0.00")]),
    ("SD", "", "GEN-1003=1000 | GEN-1007=1000", "0", "0", "2026-03-01", &[("sl_tax", "50.00"), ("fm_tax", "2.50")]),
    ("MT", "", "GEN-1012=1000", "0", "0", "2026-03-01", &[("sl_tax", "7.50"), ("stamping_fee", "1.75")]),
    ("MT", "", "GEN-1012=1000 | GEN-1011=1000", "0", "0", "2026-03-01", &[("sl_tax", "35.00")]),
    ("UT", "", "GEN-1025=1000 | GEN-1002=1000", "0", "0", "2026-03-01", &[("sl_tax", "42.50")]),
    ("OK", "", "GEN-1002=1000", "0", "0", "2023-12-31", &[("sl_tax", "60.00"), ("stamping_fee", "0.00")]),
    ("OK", "", "GEN-1002=1000", "0", "0", "2024-01-01", &[("sl_tax", "60.00"), ("stamping_fee", "1.75")]),
    ("CO", "APE 2025-06-01", "GEN-1002=1000", "0", "0", "2024-12-31", &[("sl_tax", "30.00"), ("stamping_fee", "0.00")]),
    ("CO", "", "GEN-1002=1000", "0", "0", "2025-01-01", &[("stamping_fee", "1.75")]),
    ("DE", "", "GEN-1002=1000", "0", "0", "2014-07-29", &[("sl_tax", "20.00")]),
    ("DE", "", "GEN-1002=1000", "0", "0", "2014-07-30", &[("sl_tax", "30.00")]),
    ("TN", "", "GEN-1002=1000", "0", "100", "2026-03-01", &[("sl_tax", "55.00"), ("stamping_fee", "1.93")]),
    ("AZ", "ARE 2026-05-01", "GEN-1002=1234.50", "0", "0", "2026-03-01", &[("sl_tax", "-37.04"), ("stamping_fee", "-2.47")]),
    ("NH", "BO 2011-01-01", "GEN-1002=1000", "0", "0", "2010-06-30", &[("sl_tax", "-20.00")]),
    ("PR", "", "GEN-1002=1000", "0", "0", "2026-03-01", &[("sl_tax", "90.00")]),
];

#[test]
fn amounts_calculated_by_hand() {
    for (state, transaction, lines, agency, inspection, effective, expected) in QUOTED {
        let mut input = with_fees(new_policy(state, lines, effective), agency, inspection);
        if let Some((kind, date)) = transaction.split_once(' ') {
            input = later(input, kind, date);
        }
        let answer = quote(&input);
        for (name, amount) in *expected {
            assert_eq!(field(&answer, name), *amount, "{state} {transaction} {lines} on {effective}: {name}");
        }
    }
}

/// Adairville: 10% on fire and allied perils, 5% on casualty; the fee follows the premium, 60 and 40.
#[test]
fn a_citys_two_categories_share_the_fee() {
    let mut input = with_fees(new_policy("KY", "GEN-1001=600 | GEN-1002=400", "2026-03-01"), "100", "0");
    input.location.municipality = Some("Adairville".into());
    let answer = quote(&input);
    for (name, amount) in
        [("municipal_fee", "88.00"), ("sl_tax", "33.00"), ("stamping_fee", "19.80"), ("total", "1240.80")]
    {
        assert_eq!(field(&answer, name), amount, "{name}");
    }
    let (back, was) = (quote(&later(input.clone(), "PC", "2026-06-01")), answer.total);
    assert_eq!(back.total, was.negated());
}
