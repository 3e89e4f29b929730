//! Every jurisdiction at once, against a table computed apart from the rule files.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod asking;

use asking::{date, field, later, new_policy, quote};
use bordereau_contract::Jurisdiction;
use bordereau_tax::{Confidence, RuleBook, StateSummary};

/// Premium 10,000 of general liability, new policy, 2026-03-01: tax, stamping fee, service charge, fire tax.
/// Computed from the collected figures by another program, not from the rule files.
#[rustfmt::skip]
const EXPECTED: &[(&str, &str, &str, &str, &str)] = &[
    ("AK", "270.00", "100.00", "0.00", "0.00"),
    ("AL", "600.00", "17.50", "0.00", "0.00"),
    ("AR", "400.00", "0.00", "0.00", "0.00"),
    ("AZ", "300.00", "20.00", "0.00", "0.00"),
    ("CA", "300.00", "18.00", "0.00", "0.00"),
    ("CO", "300.00", "17.50", "0.00", "0.00"),
    ("CT", "400.00", "0.00", "0.00", "0.00"),
    ("DC", "200.00", "0.00", "0.00", "0.00"),
    ("DE", "300.00", "0.00", "0.00", "0.00"),
    ("FL", "494.00", "6.00", "0.00", "0.00"),
    ("GA", "400.00", "0.00", "0.00", "0.00"),
    ("HI", "468.00", "0.00", "0.00", "0.00"),
    ("IA", "92.50", "0.00", "0.00", "0.00"),
    ("ID", "150.00", "50.00", "0.00", "0.00"),
    ("IL", "350.00", "4.00", "0.00", "0.00"),
    ("IN", "250.00", "0.00", "0.00", "0.00"),
    ("KS", "300.00", "17.50", "0.00", "0.00"),
    ("KY", "300.00", "180.00", "0.00", "0.00"),
    ("LA", "485.00", "0.00", "0.00", "0.00"),
    ("MA", "400.00", "0.00", "0.00", "0.00"),
    ("MD", "300.00", "0.00", "0.00", "0.00"),
    ("ME", "300.00", "0.00", "0.00", "0.00"),
    ("MI", "200.00", "0.00", "50.00", "0.00"),
    ("MN", "300.00", "4.00", "0.00", "0.00"),
    ("MO", "500.00", "0.00", "0.00", "0.00"),
    ("MS", "400.00", "25.00", "300.00", "0.00"),
    ("MT", "275.00", "17.50", "0.00", "0.00"),
    ("NC", "500.00", "30.00", "0.00", "0.00"),
    ("ND", "175.00", "0.00", "0.00", "0.00"),
    ("NE", "300.00", "0.00", "0.00", "0.00"),
    ("NH", "300.00", "0.00", "0.00", "0.00"),
    ("NJ", "500.00", "0.00", "0.00", "0.00"),
    ("NM", "300.30", "0.00", "0.00", "0.00"),
    ("NV", "350.00", "40.00", "0.00", "0.00"),
    ("NY", "360.00", "15.00", "0.00", "0.00"),
    ("OH", "500.00", "0.00", "0.00", "0.00"),
    ("OK", "600.00", "17.50", "0.00", "0.00"),
    ("OR", "200.00", "0.00", "10.00", "30.00"),
    ("PA", "300.00", "20.00", "0.00", "0.00"),
    ("PR", "900.00", "0.00", "0.00", "0.00"),
    ("RI", "400.00", "0.00", "0.00", "0.00"),
    ("SC", "600.00", "0.00", "0.00", "0.00"),
    ("SD", "250.00", "17.50", "0.00", "0.00"),
    ("TN", "500.00", "17.50", "0.00", "0.00"),
    ("TX", "485.00", "4.00", "0.00", "0.00"),
    ("UT", "425.00", "18.00", "0.00", "0.00"),
    ("VA", "225.00", "0.00", "0.00", "0.00"),
    ("VI", "500.00", "0.00", "0.00", "0.00"),
    ("VT", "300.00", "0.00", "0.00", "0.00"),
    ("WA", "200.00", "30.00", "0.00", "0.00"),
    ("WI", "300.00", "0.00", "0.00", "0.00"),
    ("WV", "455.00", "0.00", "0.00", "0.00"),
    ("WY", "300.00", "17.50", "0.00", "0.00"),
];

#[test]
fn ten_thousand_in_every_jurisdiction() {
    assert_eq!(EXPECTED.len(), 53);
    for (state, sl_tax, stamping_fee, service_charge, fm_tax) in EXPECTED {
        let answer = quote(&new_policy(state, "GEN-1002=10000", "2026-03-01"));
        let found =
            ["sl_tax", "stamping_fee", "sl_service_charge", "fm_tax"].map(|name| field(&answer, name));
        assert_eq!(
            found,
            [sl_tax, stamping_fee, service_charge, fm_tax].map(|s| (*s).to_string()),
            "{state}"
        );
    }
}

#[test]
fn every_charge_says_where_it_comes_from_and_how_it_is_calculated() {
    for state in Jurisdiction::ALL {
        let answer = quote(&new_policy(state.code(), "GEN-1001=1234.56 | GEN-1007=99", "2026-03-01"));
        assert!(!answer.charges.is_empty(), "{state}");
        for charge in &answer.charges {
            assert!(!charge.sources.is_empty(), "{state} {}", charge.kind);
            assert!(
                !charge.title.is_empty() && !charge.dated_by.is_empty() && !charge.checked.text.is_empty()
            );
            assert!(!charge.lines.is_empty(), "{state} {}", charge.kind);
            assert!(charge.explanation.to_string().contains(['×', 'f']), "{}", charge.explanation);
        }
    }
}

#[test]
fn what_is_not_sure_is_said_beside_the_amount() {
    for state in Jurisdiction::ALL {
        let input = asking::with_fees(new_policy(state.code(), "GEN-1002=1000", "2026-03-01"), "10", "10");
        let answer = quote(&input);
        for charge in answer.charges.iter().filter(|charge| charge.checked.level != Confidence::Confirmed) {
            let said = answer.notes.iter().any(|note| note.code.starts_with("rate_"));
            assert!(said, "{state} {} is {:?}", charge.kind, charge.checked);
        }
        for (known, code) in
            [(answer.agency_fee_taxable, "agency fee"), (answer.inspection_fee_taxable, "inspection fee")]
        {
            let said =
                answer.notes.iter().any(|note| &*note.code == "fee_not_found" && note.text.contains(code));
            assert_eq!(known.is_none(), said, "{state} {code}");
        }
    }
}

#[test]
fn sources_are_addresses() {
    let mut count = 0;
    for source in RuleBook::builtin().source_addresses() {
        assert!(source.starts_with("http") && !source.contains(' '), "{source}");
        count += 1;
    }
    assert!(count > 100, "{count}");
}

#[test]
fn no_rate_is_a_note_and_no_charge() {
    let answer = quote(&new_policy("UT", "GEN-1002=10000", "2010-01-01"));
    assert_eq!(
        (field(&answer, "sl_tax").as_str(), field(&answer, "stamping_fee").as_str()),
        ("425.00", "0.00")
    );
    assert!(asking::has_note(&answer, "no_rate_in_force"));
    let hawaii = quote(&new_policy("HI", "GEN-1002=10000", "2011-07-20"));
    assert_eq!(field(&hawaii, "sl_tax"), "0.00");
    assert!(asking::has_note(&hawaii, "no_rate_in_force"));
    // Nor is a tax that is known to have ended there after its last day.
    let wisconsin = quote(&new_policy("WI", "GEN-1002=10000 | GEN-1025=10000", "2026-03-01"));
    assert!(!asking::has_note(&wisconsin, "no_rate_in_force") && wisconsin.charges.len() == 1);
    // A fee that is known to begin on a day is simply not there before.
    let colorado = quote(&new_policy("CO", "GEN-1002=10000", "2024-12-31"));
    assert!(!asking::has_note(&colorado, "no_rate_in_force"));
}

#[test]
fn dates_outside_the_kept_years_are_warned_about() {
    let cases = [
        ("TX", "2024-12-31", true),
        ("TX", "2025-01-01", false),
        ("TX", "2026-11-21", false),
        ("TX", "2027-01-01", true),
        ("IA", "2027-01-01", false),
    ];
    for (state, effective, warned) in cases {
        let answer = quote(&new_policy(state, "GEN-1002=100", effective));
        assert_eq!(asking::has_note(&answer, "outside_kept_years"), warned, "{state} {effective}");
    }
}

#[test]
fn documents_go_by_transaction_date_and_flags() {
    let names = |input: &bordereau_tax::QuoteInput| {
        quote(input).documents.iter().map(|document| document.name.clone()).collect::<Vec<_>>()
    };
    let before = names(&new_policy("FL", "GEN-1002=100", "2025-06-30"));
    let after = names(&new_policy("FL", "GEN-1002=100", "2025-07-01"));
    assert!(before.contains(&"Statement of Diligent Effort".to_string()));
    assert!(!after.contains(&"Statement of Diligent Effort".to_string()));
    let mut texas = new_policy("TX", "GEN-1002=100", "2026-03-01");
    assert!(names(&texas).contains(&"Diligent Effort Form".to_string()));
    texas.ecp = true;
    assert!(!names(&texas).contains(&"Diligent Effort Form".to_string()));
    assert!(names(&texas).contains(&"Exempt Commercial Purchaser (ECP) Form".to_string()));
    assert_eq!(
        names(&later(texas, "RPE", "2026-04-01")),
        ["Non-Texas Premium/Exempt Premium Allocation Form"]
    );
}

#[test]
fn a_property_line_without_the_states_code_is_told() {
    let told = |state: &str, lines: &str| {
        asking::has_note(&quote(&new_policy(state, lines, "2026-03-01")), "no_state_code")
    };
    assert!(told("IL", "GEN-1018=100") && !told("IL", "GEN-1001=100") && !told("IL", "GEN-1002=100"));
    assert!(told("FL", "GEN-1003=100") && !told("TX", "GEN-1018=100"));
}

#[test]
fn stamps_stand_for_their_time() {
    let texts =
        |state: &str, effective: &str| quote(&new_policy(state, "GEN-1002=100", effective)).stamps.len();
    assert_eq!(texts("TX", "2026-03-01"), 2);
    assert_eq!((texts("ME", "2025-09-23"), texts("ME", "2025-09-24")), (0, 1));
}

#[test]
fn a_form_knows_what_to_ask() {
    let book = RuleBook::builtin();
    let kentucky = book.state_summary(Jurisdiction::Ky);
    assert!(kentucky.asks_location && kentucky.asks_admitted && !kentucky.asks_commission);
    assert!(kentucky.municipalities.iter().any(|name| name == "Lexington-Fayette"));
    assert!(book.state_summary(Jurisdiction::Nh).asks_commission);
    assert_eq!(book.state_summary(Jurisdiction::Il).unsure, 0);
    assert!(book.state_summary(Jurisdiction::Wa).unsure > 0);
    assert_eq!(book.rules_checked(), date("2026-11-22"));
    // Only where the answer changes an amount.
    let asks = |ask: &dyn Fn(&StateSummary) -> bool| -> Vec<&str> {
        Jurisdiction::ALL.iter().filter(|s| ask(&book.state_summary(**s))).map(|s| s.code()).collect()
    };
    let charged_by = asks(&|summary| summary.asks_fee_charged_by);
    assert_eq!(charged_by, ["AZ", "AR", "CA", "DE", "FL", "KS", "ME", "MS", "NE", "SC", "TX", "VA", "WY"]);
    assert_eq!(asks(&|summary| !summary.asks_occupancy_on.is_empty()), ["CT"]);
    let connecticut = book.state_summary(Jurisdiction::Ct).asks_occupancy_on;
    assert_eq!(connecticut, ["GEN-1005", "GEN-2002", "GEN-2026"]);
    assert_eq!(asks(&|summary| summary.assessment_title.is_some()), ["SC"]);
    assert_eq!(book.state_summary(Jurisdiction::Sc).asks_assessment_on, ["GEN-1011"]);
}
