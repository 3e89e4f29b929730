//! Answers that others have published for a question of their own, each with where it is from and what it is.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod asking;

use asking::{later, new_policy, quote, usd, with_fees};
use bordereau_contract::Charge;
use bordereau_money::Usd;
use bordereau_tax::{FeeChargedBy, Input, Occupancy, Quote};

/// The evidence for an answer.
#[derive(Clone, Copy, Debug, PartialEq)]
enum SourceKind {
    /// The state's own page, or that of its stamping office.
    State,
    /// An agents' association that passes on the state's notice.
    Association,
    /// A carrier's own tests: a strong hint, not the state's word.
    Carrier,
}

struct Published {
    state: &'static str,
    /// First and last day on which the answer holds.
    days: [&'static str; 2],
    /// Ours that the answer's line may be.
    lines: &'static [&'static str],
    occupancy: Option<Occupancy>,
    premium: &'static str,
    /// Charged by the surplus lines licensee, USD.
    agency_fee: &'static str,
    inspection_fee: &'static str,
    /// Taxes and charges together, without premium and fees, USD.
    charges: &'static str,
    /// Premium, fees and charges, USD.
    total: &'static str,
    /// By how much our answer may differ, USD, and why.
    tolerance: (&'static str, &'static str),
    kind: SourceKind,
    source: &'static str,
}

const EXACT: (&str, &str) = ("0.00", "the answer is met to the cent");
const PARTS: (&str, &str) =
    ("0.01", "the carrier rounds the tax of the premium and of each fee by itself and adds them up");
/// The days are inferred: the tests name no year, and the rates in them are those of these two.
const CARRIER_DAYS: [&str; 2] = ["2023-01-01", "2024-12-31"];
const CARRIER_TESTS: &str = "a homeowners carrier's public regression tests, 2023-24";

/// A new homeowners policy on an owned dwelling under construction, inspection fee 350.
const fn homeowners(
    state: &'static str,
    premium: &'static str,
    agency_fee: &'static str,
    charges: &'static str,
    total: &'static str,
    tolerance: (&'static str, &'static str),
) -> Published {
    Published {
        state,
        days: CARRIER_DAYS,
        lines: &["GEN-1005", "GEN-2026"],
        occupancy: Some(Occupancy::OwnedDwelling),
        premium,
        agency_fee,
        inspection_fee: "350",
        charges,
        total,
        tolerance,
        kind: SourceKind::Carrier,
        source: CARRIER_TESTS,
    }
}

#[rustfmt::skip]
const PUBLISHED: &[Published] = &[
    // 4,805 × 4% = 192.20, and 12.00 for the Healthy Homes Fund.
    homeowners("CT", "4805", "250", "204.20", "5609.20", EXACT),
    // (4,638 + 350 + 350) × 3%.
    homeowners("DE", "4638", "350", "160.14", "5498.14", EXACT),
    // (5,413 + 350 + 100) × 3%.
    homeowners("ME", "5413", "100", "175.89", "6038.89", EXACT),
    // (8,108 + 350) × 2.75% = 232.595; 60% of 8,108 × 2.5% = 121.62.
    homeowners("MT", "8108", "50", "354.22", "8862.22", EXACT),
    // 5,054 × 4%.
    homeowners("RI", "5054", "350", "202.16", "5956.16", EXACT),
    // (5,454 + 350 + 350) × 6%.
    homeowners("SC", "5454", "350", "369.24", "6523.24", EXACT),
    // 6,635 × 2% = 132.70, × 0.3% = 19.905, and 10.00 once.
    homeowners("OR", "5935", "350", "162.61", "6797.61", EXACT),
    // 5,031 × 2.25% = 113.1975; in parts 97.45 + 7.88 + 7.88.
    homeowners("VA", "4331", "350", "113.21", "5144.21", PARTS),
    // 8,964 × 2% = 179.28, × 0.1% = 8.964.
    homeowners("WA", "8264", "350", "188.24", "9152.24", EXACT),
    // 6,541 × 3% = 196.23, × 0.175% = 11.44675; in parts 10.22 + 0.61 + 0.61.
    homeowners("WY", "5841", "350", "207.67", "6748.67", PARTS),
    // (7,409 + 350 + 350) × 4%.
    homeowners("AR", "7409", "350", "324.36", "8433.36", EXACT),
    // 10,544 × 4% = 421.76, × 3% = 316.32, × 0.25% = 26.36; the last in parts 24.61 + 0.88 + 0.88.
    homeowners("MS", "9844", "350", "764.45", "11308.45", PARTS),
    // 6% of tax and 6% for the Medical Malpractice Association.
    Published {
        state: "SC", days: ["2020-01-01", "2020-12-31"], lines: &["GEN-1011"], occupancy: None, premium: "1000",
        agency_fee: "0", inspection_fee: "0", charges: "120.00", total: "1120.00", tolerance: EXACT,
        kind: SourceKind::Association, source: "iiabsc.com, Medical Malpractice Assessment on Surplus Lines Insurance, 2020",
    },
];

impl Published {
    fn input(&self, line: &str, day: &str) -> Input {
        let policy = new_policy(self.state, &format!("{line}={}", self.premium), day);
        let mut input = with_fees(policy, self.agency_fee, self.inspection_fee);
        input.details.fee_charged_by = Some(FeeChargedBy::SurplusLinesLicensee);
        input.details.occupancy = self.occupancy;
        input
    }

    fn inputs(&self) -> impl Iterator<Item = (String, Input)> {
        let asked = self.days.into_iter().flat_map(|day| self.lines.iter().map(move |line| (line, day)));
        asked.map(|(line, day)| (format!("{}, {line} on {day}", self.state), self.input(line, day)))
    }
}

/// Taxes and charges: what is paid beside premium and fees.
fn charges(answer: &Quote) -> Usd {
    Charge::sum_taxes(|charge| answer.amounts.charges.get(charge)).unwrap()
}

#[test]
fn published_totals_are_met() {
    for published in PUBLISHED {
        for (name, input) in published.inputs() {
            let answer = quote(&input);
            for (ours, theirs) in [(charges(&answer), published.charges), (answer.total, published.total)] {
                let apart = ours.checked_sub(usd(theirs)).unwrap().abs();
                assert!(
                    apart <= usd(published.tolerance.0),
                    "{name}: {ours} instead of {theirs} ({:?}: {}; {})",
                    published.kind,
                    published.source,
                    published.tolerance.1
                );
            }
        }
    }
}

/// A tolerance is a carrier's cent and nothing else: it may not hide a wrong rate.
#[test]
fn a_tolerance_is_at_most_a_carriers_cent() {
    for published in PUBLISHED {
        let allowed = if published.kind == SourceKind::Carrier { usd("0.01") } else { Usd::ZERO };
        assert!(usd(published.tolerance.0) <= allowed, "{}", published.state);
        for (name, input) in published.inputs() {
            let met = charges(&quote(&input)) == usd(published.charges);
            assert_eq!(met, published.tolerance == EXACT, "{name}: a tolerance that is not needed");
        }
    }
}

/// State, policy date, rate in force as the fee on 10,000, what it is and where it is from.
#[rustfmt::skip]
const PUBLISHED_RATES: &[(&str, &str, &str, SourceKind, &str)] = &[
    ("FL", "2013-01-01", "10.00", SourceKind::State, "fslso.com, tax, fee and assessment table: 0.1 %"),
    ("FL", "2013-04-01", "20.00", SourceKind::State, "fslso.com, tax, fee and assessment table: 0.2 %"),
    ("TN", "2016-09-30", "0.00", SourceKind::State, "TDCI bulletin of 2016-09-06: no fee on policies of 2014-10-01 to 2016-09-30"),
    ("TN", "2016-10-01", "17.50", SourceKind::State, "TDCI bulletin of 2016-09-06: 0.175 % of the gross premium"),
];

/// The fee goes by the policy's date, for the policy and for what changes it later.
#[test]
fn published_rates_are_met_on_the_policy_and_on_its_changes() {
    for (state, day, fee, kind, source) in PUBLISHED_RATES {
        let policy = new_policy(state, "GEN-1002=10000", day);
        let fee = usd(fee);
        let changes = [
            (quote(&policy), fee),
            (quote(&later(policy.clone(), "APE", "2017-02-01")), fee),
            (quote(&later(policy.clone(), "RPE", "2017-02-01")), fee.negated()),
        ];
        for (answer, expected) in changes {
            assert_eq!(
                answer.amounts.of(Charge::StampingFee),
                expected,
                "{state} on {day} ({kind:?}: {source})"
            );
        }
    }
}

/// Tennessee's tax is 5% on both sides of the day on which the fee begins.
#[test]
fn the_tax_of_tennessee_does_not_change_with_the_fee() {
    for day in ["2016-09-30", "2016-10-01"] {
        assert_eq!(
            quote(&new_policy("TN", "GEN-1002=10000", day)).amounts.of(Charge::SlTax),
            usd("500.00"),
            "{day}"
        );
    }
}
