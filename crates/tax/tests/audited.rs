//! Cases found by calculating the data again, apart from the rule files: amounts of official pages, dates and
//! places where a rule is easily applied too widely, and what has to be said beside an answer.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod asking;

use asking::{field, has_note, later, new_policy, quote, usd, with_fees};
use bordereau_contract::{Charge, EntityType};
use bordereau_tax::QuoteInput;

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
    // idahosurplusline.org, FAQ: the stamping fee to the nearest dollar, .50 up and .49 down; 50.50 and 50.495.
    ("ID", "GEN-1002=10100", "0", "0", "2026-03-01", &[("stamping_fee", "51.00")]),
    ("ID", "GEN-1002=10099", "0", "0", "2026-03-01", &[("stamping_fee", "50.00")]),
    ("OR", "GEN-1002=1000", "60", "40", "2026-03-01", &[("sl_tax", "22.00"), ("fm_tax", "3.30"), ("sl_service_charge", "10.00")]),
    ("UT", "GEN-1002=1000", "60", "40", "2026-03-01", &[("sl_tax", "46.75"), ("stamping_fee", "1.98")]),
    ("MN", "GEN-1002=10000", "100", "100", "2026-03-01", &[("sl_tax", "306.00"), ("stamping_fee", "4.08")]),
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

/// State, what is special (a kind of insured, `rpg`, `tax_exempt`, a transaction on 2026-06-01), lines, agency fee, inspection fee,
/// date, expected amounts.
type OfficialCase = (
    &'static str,
    &'static str,
    &'static str,
    &'static str,
    &'static str,
    &'static str,
    &'static [(&'static str, &'static str)],
);

#[rustfmt::skip]
const OFFICIAL: &[OfficialCase] = &[
    // Ins. Code 1760.5: marine insurance and aircraft are neither reported nor taxed.
    ("CA", "", "GEN-1025=10000", "0", "0", "2026-03-01", &[("sl_tax", "0.00"), ("stamping_fee", "0.00"), ("total", "10000.00")]),
    ("CA", "", "GEN-2016=10000", "0", "0", "2026-03-01", &[("sl_tax", "0.00"), ("stamping_fee", "0.00")]),
    ("CA", "", "GEN-1020=10000", "0", "0", "2026-03-01", &[("sl_tax", "0.00"), ("stamping_fee", "0.00")]),
    ("CA", "", "GEN-1021=10000", "0", "0", "2026-03-01", &[("sl_tax", "0.00"), ("stamping_fee", "0.00")]),
    ("CA", "", "GEN-1002=10000 | GEN-1025=10000", "0", "0", "2026-03-01", &[("sl_tax", "300.00"), ("stamping_fee", "18.00")]),
    // slai.org: don't submit wet marine, and charge nothing on it; aircraft are exempt in interstate commerce only.
    ("IL", "", "GEN-1025=10000", "0", "0", "2026-03-01", &[("sl_tax", "0.00"), ("stamping_fee", "0.00"), ("fm_tax", "0.00")]),
    ("IL", "", "GEN-2016=10000", "0", "0", "2026-03-01", &[("sl_tax", "0.00"), ("stamping_fee", "0.00"), ("fm_tax", "0.00")]),
    ("IL", "", "GEN-1020=10000", "0", "0", "2026-03-01", &[("sl_tax", "350.00"), ("stamping_fee", "4.00")]),
    // fslso.com, tax statuses 1 and 3: no tax, but the service fee.
    ("FL", "", "GEN-1025=1000", "0", "0", "2026-03-01", &[("sl_tax", "0.00"), ("stamping_fee", "0.60")]),
    ("FL", "", "GEN-1020=1000", "0", "0", "2026-03-01", &[("sl_tax", "0.00"), ("stamping_fee", "0.60")]),
    ("FL", "", "GEN-1021=1000", "0", "0", "2026-03-01", &[("sl_tax", "0.00"), ("stamping_fee", "0.60")]),
    ("FL", "", "GEN-1002=500 | GEN-1020=500", "0", "0", "2026-03-01", &[("sl_tax", "24.70"), ("stamping_fee", "0.60")]),
    ("FL", "", "GEN-2014=1000", "0", "0", "2026-03-01", &[("sl_tax", "0.00"), ("stamping_fee", "0.60")]),
    ("FL", "", "GEN-1007=1000", "0", "0", "2026-03-01", &[("sl_tax", "49.40"), ("stamping_fee", "0.60")]),
    ("FL", "governmental", "GEN-1025=1000", "0", "0", "2026-03-01", &[("sl_tax", "0.00"), ("stamping_fee", "0.00")]),
    // Status 4: property of hospital alliances pays the EMPA surcharge only. 500 and half of the fee of 100 are taxed.
    ("FL", "hospital_alliance", "GEN-1001=1000", "0", "0", "2026-03-01", &[("sl_tax", "0.00"), ("stamping_fee", "0.00"), ("empa_tax", "4.00"), ("total", "1004.00")]),
    ("FL", "hospital_alliance", "GEN-1001=500 | GEN-1002=500", "0", "100", "2026-03-01", &[("sl_tax", "27.17"), ("stamping_fee", "0.33"), ("empa_tax", "4.00")]),
    ("FL", "hospital_alliance", "GEN-1011=1000", "0", "0", "2026-03-01", &[("sl_tax", "49.40"), ("stamping_fee", "0.60")]),
    ("FL", "hospital_alliance PC", "GEN-1001=1000", "0", "0", "2026-03-01", &[("sl_tax", "0.00"), ("stamping_fee", "0.00"), ("empa_tax", "0.00")]),
    // The association's FAQ: broker fees are deemed premium, and reinstatements are subject to the stamping fee.
    ("ID", "", "GEN-1002=10000", "1000", "0", "2026-03-01", &[("sl_tax", "165.00"), ("stamping_fee", "55.00")]),
    ("ID", "", "GEN-1002=10000", "500", "500", "2026-03-01", &[("sl_tax", "165.00"), ("stamping_fee", "55.00")]),
    ("ID", "RI", "GEN-1002=10000", "0", "0", "2026-03-01", &[("sl_tax", "150.00"), ("stamping_fee", "50.00")]),
    ("ID", "PC", "GEN-1002=10000", "0", "0", "2026-03-01", &[("sl_tax", "-150.00"), ("stamping_fee", "0.00")]),
    ("ID", "FC", "GEN-1002=10000", "0", "0", "2026-03-01", &[("sl_tax", "-150.00"), ("stamping_fee", "-50.00")]),
    // ncsla.com, tax statuses 1 and 2, and purchasing groups.
    ("NC", "", "GEN-1020=10000", "0", "0", "2026-03-01", &[("sl_tax", "0.00"), ("stamping_fee", "30.00")]),
    ("NC", "", "GEN-1021=10000", "0", "0", "2026-03-01", &[("sl_tax", "0.00"), ("stamping_fee", "30.00")]),
    ("NC", "tribal", "GEN-1002=10000", "0", "0", "2026-03-01", &[("sl_tax", "0.00"), ("stamping_fee", "30.00")]),
    ("NC", "federal", "GEN-1002=10000", "0", "0", "2026-03-01", &[("sl_tax", "0.00"), ("stamping_fee", "30.00")]),
    ("NC", "governmental", "GEN-1002=10000", "0", "0", "2026-03-01", &[("sl_tax", "500.00"), ("stamping_fee", "30.00")]),
    ("NC", "rpg", "GEN-1002=10000", "0", "0", "2026-03-01", &[("sl_tax", "500.00"), ("stamping_fee", "0.00")]),
    ("NC", "rpg PC", "GEN-1002=10000", "0", "0", "2026-03-01", &[("sl_tax", "-500.00"), ("stamping_fee", "0.00")]),
    // Md. Ins. 3-302(a)(5), Ark. Code 23-65-302(1), W.S. 26-11-102(a): outside the law with its tax.
    ("MD", "", "GEN-1025=10000", "0", "0", "2026-03-01", &[("sl_tax", "0.00")]),
    ("MD", "", "GEN-2016=10000", "0", "0", "2026-03-01", &[("sl_tax", "0.00")]),
    ("MD", "", "GEN-2015=10000", "0", "0", "2026-03-01", &[("sl_tax", "300.00")]),
    ("AR", "", "GEN-1025=10000", "0", "0", "2026-03-01", &[("sl_tax", "0.00")]),
    ("AR", "", "GEN-2016=10000", "0", "0", "2026-03-01", &[("sl_tax", "0.00")]),
    ("WY", "", "GEN-1025=10000", "0", "0", "2026-03-01", &[("sl_tax", "0.00"), ("stamping_fee", "0.00")]),
    // Opinion of the New York Insurance Department of 2003-03-20; ARS 20-420(A)(1): the report and the tax
    // of surplus lines do not apply.
    ("NY", "", "GEN-1025=10000", "0", "0", "2026-03-01", &[("sl_tax", "0.00"), ("stamping_fee", "0.00"), ("total", "10000.00")]),
    ("NY", "", "GEN-2016=10000", "0", "0", "2026-03-01", &[("sl_tax", "0.00"), ("stamping_fee", "0.00")]),
    ("NY", "", "GEN-1007=10000", "0", "0", "2026-03-01", &[("sl_tax", "360.00"), ("stamping_fee", "15.00")]),
    ("AZ", "", "GEN-1025=10000", "0", "0", "2026-03-01", &[("sl_tax", "0.00"), ("stamping_fee", "0.00")]),
    ("AZ", "", "GEN-1002=10000 | GEN-2016=10000", "0", "0", "2026-03-01", &[("sl_tax", "300.00"), ("stamping_fee", "20.00")]),
    // Whether Delaware taxes it was not found: it stays, with a warning.
    ("DE", "", "GEN-1025=10000", "0", "0", "2026-03-01", &[("sl_tax", "300.00")]),
    // slipplus.com: allied lines (code 1019) pay the fire tax since Montana is in SLIP+.
    ("MT", "", "GEN-1003=10000", "0", "0", "2026-03-01", &[("sl_tax", "275.00"), ("stamping_fee", "17.50"), ("fm_tax", "250.00")]),
    ("MT", "", "GEN-1038=10000", "0", "0", "2026-01-01", &[("fm_tax", "250.00")]),
    ("MT", "", "GEN-1003=10000", "0", "0", "2025-12-31", &[("fm_tax", "0.00")]),
    ("MT", "APE", "GEN-1003=10000", "0", "0", "2025-12-31", &[("fm_tax", "0.00")]),
    // sltx.org, table of the stamping fee since 1989; Sep 1989 is before the first day of a question.
    ("TX", "", "GEN-1002=10000", "0", "0", "1990-12-31", &[("sl_tax", "485.00"), ("stamping_fee", "40.00")]),
    ("TX", "", "GEN-1002=10000", "0", "0", "1991-12-31", &[("stamping_fee", "23.00")]),
    ("TX", "", "GEN-1002=10000", "0", "0", "1992-01-01", &[("stamping_fee", "10.00")]),
    ("TX", "", "GEN-1002=10000", "0", "0", "2000-03-31", &[("stamping_fee", "15.00")]),
    ("TX", "", "GEN-1002=10000", "0", "0", "2000-04-01", &[("stamping_fee", "25.00")]),
    ("TX", "", "GEN-1002=10000", "0", "0", "2002-08-01", &[("stamping_fee", "15.00")]),
    ("TX", "APE", "GEN-1002=10000", "0", "0", "2002-06-30", &[("stamping_fee", "25.00")]),
    // 34 TAC 3.822 exempts three kinds of federal insureds: for others the tax stays, with a warning.
    ("TX", "federal", "GEN-1002=10000", "0", "0", "2026-03-01", &[("sl_tax", "485.00"), ("stamping_fee", "4.00")]),
    ("TX", "", "GEN-1025=10000", "0", "0", "2026-03-01", &[("sl_tax", "485.00"), ("stamping_fee", "4.00")]),
    // slai.org, bulletin 46 and trade press of 2014; when 0.125% ended is not known.
    ("IL", "", "GEN-1002=10000", "0", "0", "2014-06-01", &[("stamping_fee", "10.00")]),
    ("IL", "APE", "GEN-1002=10000", "0", "0", "2014-12-31", &[("stamping_fee", "10.00")]),
    ("IL", "", "GEN-1002=10000", "0", "0", "2015-01-01", &[("stamping_fee", "20.00")]),
    ("IL", "", "GEN-1002=10000", "0", "0", "2017-12-31", &[("stamping_fee", "20.00")]),
    ("IL", "APE", "GEN-1002=10000", "0", "0", "2018-01-01", &[("stamping_fee", "13.00")]),
    ("IL", "", "GEN-1002=10000", "0", "0", "2018-03-01", &[("stamping_fee", "13.00")]),
    ("IL", "", "GEN-1002=10000", "0", "0", "2019-06-01", &[("stamping_fee", "0.00")]),
    ("IL", "", "GEN-1002=10000", "0", "0", "2021-07-30", &[("stamping_fee", "0.00")]),
    ("IL", "", "GEN-1002=10000", "0", "0", "2021-07-31", &[("stamping_fee", "8.00")]),
    ("IL", "", "GEN-1002=10000", "0", "0", "2022-12-31", &[("stamping_fee", "8.00")]),
    // slai.org: federal credit unions are outside the law; nonprofits and governmental entities are in it.
    ("IL", "federal", "GEN-1001=10000", "0", "0", "2026-03-01", &[("sl_tax", "0.00"), ("stamping_fee", "0.00"), ("fm_tax", "0.00")]),
    ("IL", "governmental", "GEN-1001=10000", "0", "0", "2026-03-01", &[("sl_tax", "350.00"), ("stamping_fee", "4.00"), ("fm_tax", "100.00")]),
    ("IL", "tax_exempt", "GEN-1001=10000", "0", "0", "2026-03-01", &[("sl_tax", "350.00"), ("stamping_fee", "4.00"), ("fm_tax", "100.00")]),
    // elany.org: the tax is on the broker, so an exempt insured pays what is passed on; so does a tribe.
    ("NY", "tax_exempt", "GEN-1002=10000", "0", "0", "2026-03-01", &[("sl_tax", "360.00"), ("stamping_fee", "15.00")]),
    ("NY", "tribal", "GEN-1002=10000", "0", "0", "2026-03-01", &[("sl_tax", "360.00"), ("stamping_fee", "15.00")]),
    // ELANY's fee: 0.18% until the end of 2016, 0.17% until the end of 2022.
    ("NY", "", "GEN-1002=10000", "0", "0", "2016-12-31", &[("stamping_fee", "18.00")]),
    ("NY", "", "GEN-1002=10000", "0", "0", "2017-01-01", &[("stamping_fee", "17.00")]),
    ("NY", "APE", "GEN-1002=10000", "0", "0", "2022-06-01", &[("stamping_fee", "17.00")]),
    ("NY", "", "GEN-1002=10000", "0", "0", "2023-01-01", &[("stamping_fee", "15.00")]),
    // The clearinghouse's fee: South Dakota from 2013, Wyoming from April 2013, 0.3% until June 2015.
    ("SD", "", "GEN-1002=10000", "0", "0", "2012-12-31", &[("stamping_fee", "0.00")]),
    ("SD", "APE", "GEN-1002=10000", "0", "0", "2012-12-31", &[("stamping_fee", "0.00")]),
    ("SD", "", "GEN-1002=10000", "0", "0", "2013-01-01", &[("stamping_fee", "30.00")]),
    ("SD", "", "GEN-1002=10000", "0", "0", "2015-06-30", &[("stamping_fee", "30.00")]),
    ("SD", "", "GEN-1002=10000", "0", "0", "2015-07-01", &[("stamping_fee", "17.50")]),
    ("WY", "", "GEN-1002=10000", "0", "0", "2013-03-31", &[("stamping_fee", "0.00")]),
    ("WY", "", "GEN-1002=10000", "0", "0", "2013-04-01", &[("stamping_fee", "30.00")]),
    ("WY", "", "GEN-1002=10000", "0", "0", "2015-07-01", &[("stamping_fee", "17.50")]),
    // Act 386 of 2015 and Bulletin 2015-06 of Louisiana.
    ("LA", "", "GEN-1002=10000", "0", "0", "2015-09-30", &[("sl_tax", "500.00")]),
    ("LA", "RPE", "GEN-1002=10000", "0", "0", "2015-05-01", &[("sl_tax", "-500.00")]),
    ("LA", "", "GEN-1002=10000", "0", "0", "2015-10-01", &[("sl_tax", "485.00")]),
    ("LA", "governmental", "GEN-1002=10000", "0", "0", "2026-03-01", &[("sl_tax", "485.00")]),
    ("LA", "tax_exempt", "GEN-1002=10000", "0", "0", "2026-03-01", &[("sl_tax", "0.00")]),
    // slipplus.com, tax status 7: an insured that the state has approved as exempt pays the transaction fee only.
    ("AL", "tax_exempt", "GEN-1002=10000", "0", "0", "2026-03-01", &[("sl_tax", "0.00"), ("stamping_fee", "17.50")]),
    ("MT", "tax_exempt", "GEN-1001=10000", "0", "0", "2026-03-01", &[("sl_tax", "0.00"), ("fm_tax", "0.00"), ("stamping_fee", "17.50")]),
    ("SD", "tax_exempt", "GEN-1003=10000", "0", "0", "2026-03-01", &[("sl_tax", "0.00"), ("fm_tax", "0.00"), ("stamping_fee", "17.50")]),
    // oci.wi.gov: Act 224 put ocean marine from 0.5% to 3% on April 20, 2012.
    ("WI", "", "GEN-1025=10000", "0", "0", "2011-06-01", &[("sl_tax", "50.00")]),
    ("WI", "APE", "GEN-1025=10000", "0", "0", "2012-04-19", &[("sl_tax", "50.00")]),
    ("WI", "", "GEN-1025=10000", "0", "0", "2012-04-20", &[("sl_tax", "300.00")]),
    ("WI", "", "GEN-1002=10000 | GEN-1025=10000", "0", "0", "2012-04-19", &[("sl_tax", "350.00")]),
    ("WI", "", "GEN-1002=10000 | GEN-1025=10000", "0", "0", "2026-03-01", &[("sl_tax", "600.00")]),
    // cca.hawaii.gov and a table of 2012: 4.68% was the tax before the single rate, too.
    ("HI", "", "GEN-1002=10000", "0", "0", "2018-06-01", &[("sl_tax", "468.00")]),
    ("HI", "", "GEN-1002=10000", "0", "0", "2019-10-01", &[("sl_tax", "468.00")]),
    // mnsla.com: the premium that is filed includes related charges, commissions and fees; invoices of 2022.
    ("MN", "", "GEN-1026=13589.76", "0", "499", "2022-09-01", &[("sl_tax", "422.66"), ("stamping_fee", "5.64")]),
    ("MN", "", "GEN-1026=14131.80", "500", "499", "2022-09-01", &[("sl_tax", "453.92"), ("stamping_fee", "6.05")]),
    // Idaho Code 41-1229, by the effective date of the policy.
    ("ID", "APE", "GEN-1002=10000", "0", "0", "2006-12-31", &[("sl_tax", "275.00")]),
    ("ID", "", "GEN-1002=10000", "0", "0", "2007-01-01", &[("sl_tax", "150.00")]),
    ("ID", "", "GEN-1002=10000", "0", "0", "2003-12-31", &[("sl_tax", "0.00")]),
    // Bulletin 2012-08 of South Carolina: 4% of the state before it collected the municipal 2% as well.
    ("SC", "", "GEN-1002=10000", "0", "0", "2011-12-31", &[("sl_tax", "400.00")]),
    ("SC", "", "GEN-1002=10000", "0", "0", "2012-01-01", &[("sl_tax", "600.00")]),
    // TCA 56-14-113 as it stood until the law of June 2011; the first day of 5% is inferred.
    ("TN", "", "GEN-1002=10000", "0", "0", "2010-06-01", &[("sl_tax", "250.00"), ("stamping_fee", "0.00")]),
    ("TN", "", "GEN-1001=10000", "0", "0", "2010-06-01", &[("sl_tax", "325.00")]),
    ("TN", "RPE", "GEN-1016=10000", "0", "0", "2010-06-01", &[("sl_tax", "-440.00")]),
    ("TN", "", "GEN-1002=10000", "0", "0", "2011-07-01", &[("sl_tax", "0.00")]),
    ("TN", "", "GEN-1001=10000", "0", "0", "2011-07-21", &[("sl_tax", "500.00")]),
    // What Oklahoma and Delaware may exempt stays, with a warning.
    ("OK", "tribal", "GEN-1002=10000", "0", "0", "2026-03-01", &[("sl_tax", "600.00")]),
    ("DE", "governmental", "GEN-1002=10000", "0", "0", "2026-03-01", &[("sl_tax", "300.00")]),
    // W. Va. Code 33-12C-7: 4.55% since July 2011 is the tax of 4% and the surcharge of 0.55% on the premium.
    ("WV", "", "GEN-1002=10000", "1000", "0", "2010-08-01", &[("sl_tax", "440.00"), ("sl_service_charge", "55.00")]),
    ("WV", "", "GEN-1002=10000", "1000", "0", "2011-07-01", &[("sl_tax", "500.50"), ("sl_service_charge", "0.00")]),
    // R590-157 of Utah: 0.25% in April 2007, 0.15% when the rule change of October 2017 was filed.
    ("UT", "", "GEN-1002=10000", "0", "0", "2007-04-15", &[("stamping_fee", "25.00")]),
    ("UT", "", "GEN-1002=10000", "0", "0", "2007-06-01", &[("stamping_fee", "0.00")]),
    ("UT", "", "GEN-1002=10000", "0", "0", "2017-12-31", &[("stamping_fee", "15.00")]),
    // A governmental insured of Oklahoma may be a school district or not: the tax stays, with a warning.
    ("OK", "governmental", "GEN-1002=10000", "0", "0", "2026-03-01", &[("sl_tax", "600.00"), ("stamping_fee", "17.50")]),
];

#[test]
fn amounts_by_official_pages() {
    for (state, special, lines, agency, inspection, effective, expected) in OFFICIAL {
        let mut input = with_fees(new_policy(state, lines, effective), agency, inspection);
        for word in special.split_whitespace() {
            match word.parse() {
                Ok(entity) => input.entity = entity,
                Err(_) if word == "rpg" => input.rpg = true,
                Err(_) if word == "tax_exempt" => input.tax_exempt = true,
                Err(_) => input = later(input, word, "2026-06-01"),
            }
        }
        let answer = quote(&input);
        for (name, amount) in *expected {
            assert_eq!(field(&answer, name), *amount, "{state} {special} {lines} on {effective}: {name}");
        }
    }
}

/// What is not charged, or charged although it may not be due, is told with the reason.
#[test]
fn an_official_exemption_is_told() {
    for (state, special, line, code) in [
        ("CA", "commercial", "GEN-1020", "line_exempt"),
        ("IL", "commercial", "GEN-1025", "line_exempt"),
        ("IL", "commercial", "GEN-1021", "aircraft"),
        ("IL", "commercial", "GEN-2021", "railroad"),
        ("AZ", "commercial", "GEN-2021", "railroad"),
        ("CA", "commercial", "GEN-2021", "railroad"),
        ("WY", "commercial", "GEN-2021", "railroad"),
        ("ID", "commercial", "GEN-2021", "railroad"),
        ("ID", "commercial", "GEN-1020", "aircraft"),
        ("WA", "commercial", "GEN-2021", "railroad"),
        ("WA", "commercial", "GEN-1021", "aircraft"),
        ("FL", "hospital_alliance", "GEN-1001", "exempt_entity"),
        ("NC", "commercial", "GEN-1021", "line_exempt"),
        ("NC", "governmental", "GEN-1002", "exempt_entity"),
        ("NC", "federal", "GEN-1002", "exempt_entity"),
        ("MD", "commercial", "GEN-1025", "line_exempt"),
        ("MD", "commercial", "GEN-1020", "aircraft"),
        ("AR", "commercial", "GEN-2016", "line_exempt"),
        ("WY", "commercial", "GEN-1025", "line_exempt"),
        ("OK", "governmental", "GEN-1002", "exempt_entity"),
        ("NY", "commercial", "GEN-2016", "line_exempt"),
        ("AZ", "commercial", "GEN-1025", "line_exempt"),
        ("DE", "commercial", "GEN-1025", "wet_marine"),
        ("AL", "commercial", "GEN-1025", "wet_marine"),
        ("KY", "commercial", "GEN-1025", "wet_marine"),
        ("NM", "commercial", "GEN-1025", "wet_marine"),
        ("TX", "commercial", "GEN-1025", "wet_marine"),
        ("OH", "commercial", "GEN-1025", "wet_marine"),
        ("MA", "commercial", "GEN-1025", "wet_marine"),
        ("TX", "federal", "GEN-1002", "exempt_entity"),
        ("IL", "federal", "GEN-1002", "exempt_entity"),
        ("IL", "governmental", "GEN-1002", "exempt_entity"),
        ("NY", "tribal", "GEN-1002", "exempt_entity"),
        ("OK", "tribal", "GEN-1002", "exempt_entity"),
        ("DE", "governmental", "GEN-1002", "exempt_entity"),
        ("WY", "commercial", "GEN-1021", "aircraft"),
        ("FL", "commercial", "GEN-2014", "line_exempt"),
        ("UT", "commercial", "GEN-1025", "line_exempt"),
        ("LA", "governmental", "GEN-1002", "exempt_entity"),
        ("MT", "commercial", "GEN-1004", "portion_not_known"),
    ] {
        let mut input = new_policy(state, &format!("{line}=1000"), "2026-03-01");
        input.entity = special.parse().unwrap();
        let answer = quote(&input);
        assert!(has_note(&answer, code), "{state} {special} {line}: {code}");
        assert!(!has_note(&answer, "entity_not_exempt"), "{state} {special}");
    }
    let montana = |day: &str| quote(&new_policy("MT", "GEN-1003=1000", day));
    assert!(has_note(&montana("2025-12-31"), "portion_not_known"));
    assert!(!has_note(&montana("2026-01-01"), "portion_not_known"));
    let mut oklahoma = new_policy("OK", "GEN-1002=1000", "2021-10-31");
    oklahoma.entity = EntityType::Governmental;
    assert!(has_note(&quote(&oklahoma), "entity_not_exempt"));
    let mut group = new_policy("NC", "GEN-1002=1000", "2026-03-01");
    group.rpg = true;
    let why = |charge: &bordereau_tax::ChargeTrace| charge.explanation.to_string();
    assert!(quote(&group).charges.iter().map(why).any(|why| why == "not charged to a risk purchasing group"));
}

/// FSLSO: the surcharge is on policies from Jan 1, 2006. Pennsylvania's bulletins with older amounts were not found.
#[test]
fn a_charge_before_its_first_known_day_is_not_owed_or_told() {
    let unknown = |state: &str, lines: &str, day: &str| {
        let answer = quote(&new_policy(state, lines, day));
        let notes = answer.notes.iter().filter(|note| &*note.code == "no_rate_in_force");
        notes.map(|note| note.text.to_string()).collect::<Vec<_>>()
    };
    assert!(unknown("FL", "GEN-1001=1000", "2005-12-31").is_empty());
    let florida = |day: &str| field(&quote(&new_policy("FL", "GEN-1001=1000", day)), "empa_tax");
    assert_eq!((florida("2005-12-31").as_str(), florida("2006-01-01").as_str()), ("0.00", "4.00"));
    let words = unknown("PA", "GEN-1002=1000", "2016-12-31");
    assert!(words.len() == 1 && words[0].contains("Oct 13, 2010"), "{words:?}");
    assert!(unknown("PA", "GEN-1002=1000", "2017-01-01").is_empty());
}

/// Where the state has its own word on insureds that are marked tax exempt, it is said with the amounts.
#[test]
fn a_tax_exempt_insured_is_told_what_the_state_says() {
    for (state, start, words) in [
        ("IL", "The insured is marked tax exempt, but nothing is taken off.", "on the surplus line producer"),
        ("NY", "The insured is marked tax exempt, but nothing is taken off.", "Total Cost Form"),
        (
            "LA",
            "The insured is marked tax exempt. Not charged: Surplus Lines Tax.",
            "colleges and universities",
        ),
        (
            "MT",
            "The insured is marked tax exempt. Not charged: Surplus Lines Tax. Still charged: SLIP+ Transaction Fee.",
            "transaction fee only",
        ),
        (
            "OK",
            "The insured is marked tax exempt. Not charged: Surplus Lines Tax. Still charged: SLIP+ Transaction Fee.",
            "public school districts",
        ),
    ] {
        let mut input = new_policy(state, "GEN-1002=1000", "2026-03-01");
        input.tax_exempt = true;
        let answer = quote(&input);
        let note = answer.notes.iter().find(|note| &*note.code == "tax_exempt").unwrap();
        assert!(note.text.starts_with(start) && note.text.contains(words), "{state}: {}", note.text);
        assert!(note.source.is_some(), "{state}");
    }
}

/// A note on a line or a fee is said where the line or the fee is asked.
#[test]
fn a_note_on_a_line_or_a_fee_is_not_on_every_answer() {
    for state in ["FL", "UT"] {
        assert!(
            !has_note(&quote(&new_policy(state, "GEN-1002=1000", "2026-03-01")), "line_exempt"),
            "{state}"
        );
    }
    let georgia = new_policy("GA", "GEN-1002=1000", "2026-03-01");
    assert!(!has_note(&quote(&georgia), "fee_not_permitted"));
    for (agency, inspection) in [("10", "0"), ("0", "10")] {
        assert!(has_note(&quote(&with_fees(georgia.clone(), agency, inspection)), "fee_not_permitted"));
    }
}

/// What a return gives back is said by a source, so the answer no longer asks for one.
#[test]
fn returns_that_a_source_settles() {
    for (state, settled) in [
        ("CA", "Surplus Lines Tax"),
        ("CO", "Surplus Lines Tax"),
        ("CO", "SLIP+ Transaction Fee"),
        ("FL", "FSLSO Fee"),
        ("LA", "Surplus Lines Tax"),
        ("MS", "Stamping Fee"),
        ("MT", "Surplus Lines Tax"),
        ("NV", "Stamping Fee"),
        ("TN", "Surplus Lines Tax"),
        ("TN", "SLIP+ Transaction Fee"),
    ] {
        let policy = new_policy(state, "GEN-1002=1000", "2026-03-01");
        let answer = quote(&later(policy, "RPE", "2026-06-01"));
        assert!(answer.charges.iter().any(|charge| &*charge.title == settled), "{state}: {settled}");
        let open = answer.notes.iter().filter(|note| &*note.code == "return_not_found");
        assert!(open.clone().all(|note| !note.text.starts_with(settled)), "{state}: {settled}");
    }
}

fn kentucky(lines: &str, effective: &str, municipality: &str, city: &str) -> QuoteInput {
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
        ("18.00".into(), "0.00".into())
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
    let rate = |input: &QuoteInput| quote(input).tax_rule.stamping_fee_amount;
    assert_eq!(rate(&later(texas.clone(), "XE", "2024-09-01")), Some(usd("0.04")));
    assert_eq!(rate(&later(texas, "APE", "2024-03-01")), Some(usd("0.075")));
}

#[test]
fn a_line_left_out_of_the_tax_is_named() {
    for (state, line, told) in [
        ("FL", "GEN-1021", true),
        ("FL", "GEN-1025", true),
        ("FL", "GEN-2014", true),
        ("FL", "GEN-1001", false),
        ("CA", "GEN-1020", true),
        ("IL", "GEN-2016", true),
        ("IL", "GEN-1020", false),
        ("NC", "GEN-1021", true),
        ("MD", "GEN-1025", true),
        ("AR", "GEN-1025", true),
        ("WY", "GEN-1025", true),
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
