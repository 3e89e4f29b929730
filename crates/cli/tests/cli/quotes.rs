//! Quotes, offline and from the practice service.

use crate::command::Place;

const TEXAS: &str = "quote --state TX --type PN --line GEN-1002=9521 --agency-fee 400 --inspection-fee 150.42 \
                     --effective 2026-02-23";

/// A line a case: what is asked, and amounts that must be in the answer.
#[test]
fn amounts_are_right_to_the_cent() {
    let cases: &[(&str, &[(&str, &str)])] = &[
        (TEXAS, &[("sl_tax", "488.46"), ("stamping_fee", "4.03"), ("total", "10563.91")]),
        (
            "quote --state TX --type PN --line GEN-1002=9000 --line GEN-1004=521 --agency-fee $400 \
             --inspection-fee 150.42 --effective 2026-02-23",
            &[("sl_tax", "488.46"), ("stamping_fee", "4.03")],
        ),
        (
            "quote --state KY --line GEN-1002=9521 --agency-fee 100 --inspection-fee 50 \
             --municipality Lexington-Fayette --effective 2026-02-18",
            &[("sl_tax", "290.13"), ("stamping_fee", "174.08"), ("municipal_fee", "483.55")],
        ),
        ("quote --state IA --line GEN-1002=10000 --effective 2026-12-31", &[("sl_tax", "92.50")]),
        ("quote --state IA --line GEN-1002=10000 --effective 2027-01-01", &[("sl_tax", "90.00")]),
        (
            "quote --state TX --type RPE --line GEN-1002=1000 --effective 2026-02-23 \
             --transaction-effective 2026-05-01",
            &[
                ("premium", "-1000.00"),
                ("sl_tax", "-48.50"),
                ("stamping_fee", "-0.40"),
                ("total", "-1048.90"),
            ],
        ),
    ];
    let place = Place::new();
    for (asked, amounts) in cases {
        for way in ["--offline", ""] {
            let answer = place.json(&format!("{asked} {way}"));
            for (field, amount) in *amounts {
                assert_eq!(answer[field], *amount, "{field} of: {asked} {way}");
            }
            assert!(answer["trace"].as_array().is_some_and(|t| !t.is_empty()), "every charge is explained");
        }
    }
}

#[test]
fn the_service_and_the_rules_agree() {
    let place = Place::new();
    for state in ["CA", "FL", "IL", "OR", "NY", "NJ"] {
        let asked = format!(
            "quote --state {state} --line GEN-1001=5000 --line GEN-1002=800 --agency-fee 50 --effective 2026-03-01"
        );
        let (offline, service) = (place.json(&format!("{asked} --offline")), place.json(&asked));
        for field in ["premium", "sl_tax", "stamping_fee", "sl_service_charge", "fm_tax", "empa_tax", "total"]
        {
            assert_eq!(offline[field], service[field], "{field} in {state}");
        }
    }
}

#[test]
fn every_jurisdiction_answers_offline() {
    let place = Place::new();
    for state in bordereau_contract::Jurisdiction::ALL {
        let ended = place.line(&format!("quote --state {state} --line GEN-1002=1000 --offline"));
        assert_eq!(ended.code, 0, "{state}: {}", ended.err);
        assert!(ended.out.contains(state.title()), "{state}: {}", ended.out);
    }
}

#[test]
fn people_read_a_table_that_says_who_answered() {
    let place = Place::new();
    let offline = place.line(&format!("{TEXAS} --offline")).out;
    for part in ["Texas", "9,521.00", "488.46", "4.03", "10,563.91", "4.85%"] {
        assert!(offline.contains(part), "{part} in:\n{offline}");
    }
    assert!(offline.to_lowercase().contains("estimate"), "an estimate says so:\n{offline}");
    assert!(!offline.contains("PRACTICE"), "nobody was asked:\n{offline}");
    let service = place.line(TEXAS).out;
    assert!(service.starts_with("PRACTICE"), "the environment comes first:\n{service}");
    assert!(service.contains("Practice"), "the profile is named:\n{service}");
}

#[test]
fn states_stand_side_by_side() {
    let place = Place::new();
    let asked = "compare --states TX,CA,FL --line GEN-1002=1000 --effective 2026-03-01";
    for way in ["--offline", ""] {
        let columns = place.json(&format!("{asked} {way}"));
        let states: Vec<_> = columns["columns"].as_array().unwrap().iter().map(|c| &c["state"]).collect();
        assert_eq!(states, ["TX", "CA", "FL"]);
        assert_eq!(columns["columns"][0]["answer"]["sl_tax"], "48.50");
        let table = place.line(&format!("{asked} {way}")).out;
        assert!(table.contains("TX") && table.contains("FL") && table.contains("48.90"), "{table}");
    }
}

#[test]
fn one_state_at_fault_does_not_hide_the_others() {
    let ended = Place::new().line("compare --states TX,XX --line GEN-1002=1000 --offline");
    assert_eq!(ended.code, 3, "{ended:?}");
    assert!(ended.out.contains("48.50") || ended.out.contains("TX"), "{ended:?}");
}

#[test]
fn a_quote_is_saved_as_pdf() {
    let place = Place::new();
    let file = place.folder().join("quote.pdf");
    let ended = place.line(&format!("{TEXAS} --offline --pdf {}", file.display()));
    assert_eq!(ended.code, 0, "{ended:?}");
    assert!(std::fs::read(&file).unwrap().starts_with(b"%PDF-"), "a PDF");
    let nowhere = place.line(&format!("{TEXAS} --offline --pdf /nonexistent/quote.pdf"));
    assert_eq!(nowhere.code, 5, "{nowhere:?}");
}

#[test]
fn what_few_states_ask_is_read_from_the_command_line() {
    let place = Place::new();
    let asked = "quote --state IL --line GEN-1002=1000 --agency-fee 100 --effective 2026-03-01 --offline";
    let taken =
        place.json(&format!("{asked} --fee-charged-by retail --occupancy mobile-home --assessment-rate 6%"));
    assert_eq!(taken["total"], place.json(asked)["total"], "Illinois asks none of it");
    assert!(taken.get("agency_fee_charged_by").is_none(), "{taken}");
    for (asked, name, value, field, amount) in [
        (
            "--state ME --line GEN-1002=1000 --agency-fee 100 --fee-charged-by retail",
            "agency_fee_charged_by",
            "retail_agent",
            "sl_tax",
            "30.00",
        ),
        (
            "--state CT --line GEN-1005=1000 --occupancy owned",
            "occupancy",
            "owned_dwelling",
            "sl_service_charge",
            "12.00",
        ),
        (
            "--state SC --line GEN-1011=1000 --assessment-rate 6.25%",
            "assessment_percent",
            "6.25",
            "sl_service_charge",
            "62.50",
        ),
    ] {
        for way in ["--offline", ""] {
            let answer = place.json(&format!("quote {asked} --effective 2026-03-01 {way}"));
            assert_eq!((&answer[name], &answer[field]), (&value.into(), &amount.into()), "{asked} {way}");
        }
    }
    let table =
        place.line("quote --state ME --line GEN-1002=1000 --agency-fee 100 --fee-charged-by licensee").out;
    assert!(table.contains("charged by the surplus lines licensee"), "{table}");
    for (wrong, code) in
        [("--assessment-rate six", 3), ("--fee-charged-by both", 2), ("--occupancy castle", 2)]
    {
        let ended = place.line(&format!("{asked} {wrong}"));
        assert_eq!(ended.code, code, "{wrong}: {ended:?}");
    }
    let help = place.line("quote --help").out;
    for part in ["retail", "licensee", "mobile-home", "larger-building", "--assessment-rate"] {
        assert!(help.contains(part), "{part} in:\n{help}");
    }
}

#[test]
fn the_changes_of_the_rules_are_listed_by_day_and_state() {
    let place = Place::new();
    let all = place.line("rate-changes");
    assert_eq!((all.code, all.err.as_str()), (0, ""));
    let place_of = |day: &str| all.out.find(&format!("\n{day}\n"));
    assert!(place_of("Nov 26, 2026").is_some_and(|at| Some(at) < place_of("Nov 22, 2026")), "{}", all.out);
    let washington = place.line("rate-changes --state wa");
    let changes = || washington.out.lines().filter(|line| line.starts_with("  "));
    let fee = "  WA, from Jan 1, 2025: stamping fee 0.10% -> 0.30%";
    assert!(changes().any(|line| line.starts_with(fee)), "{}", washington.out);
    let names_it = |line: &str| line.split(':').next().is_some_and(|states| states.contains("WA"));
    assert!(changes().all(names_it), "{}", washington.out);
    let json: serde_json::Value =
        serde_json::from_str(&place.line("rate-changes --state WA --json").out).unwrap();
    let changes = json["changes"].as_array().unwrap();
    let change = changes.iter().find(|change| change["from"] == "2025-01-01").unwrap();
    assert!(change["until"].is_null(), "{change}");
    assert_eq!(place.line("rate-changes --state XX").code, 2);
}

#[test]
fn a_total_leads_back_to_its_premium() {
    let place = Place::new();
    let asked =
        "quote --state TX --line GEN-1002= --agency-fee 400 --inspection-fee 150.42 --effective 2026-02-23";
    for way in ["--offline", ""] {
        let answer = place.json(&format!("{asked} --total $10,563.91 {way}"));
        assert_eq!((&answer["premium"], &answer["total"]), (&"9521.00".into(), &"10563.91".into()), "{way}");
    }
    let credit = place.json("quote --state TX --type RPE --line GEN-1002= --effective 2026-02-23 --transaction-effective 2026-05-01 --total=-1048.90 --offline");
    assert_eq!((&credit["premium"], &credit["total"]), (&"-1000.00".into(), &"-1048.90".into()));
    // Idaho's tax is in whole dollars: not every total has a premium.
    let nearest =
        place.line("quote --state ID --line GEN-1002= --effective 2026-02-23 --total 986 --offline");
    assert_eq!(nearest.code, 3, "{nearest:?}");
    assert!(nearest.err.contains("the nearest: $985.66 with the premium 966.66, $986.67"), "{nearest:?}");
    let closed = place.line("quote --state TX --line GEN-1002=1 --line GEN-1004=2 --total 100 --offline");
    assert_eq!(closed.code, 3, "{closed:?}");
    let without = place.line("quote --state TX --line GEN-1002= --offline");
    assert_eq!(without.code, 3, "a premium is missing: {without:?}");
}

#[test]
fn a_changed_policy_costs_the_difference_for_the_days_left() {
    let place = Place::new();
    let policy =
        "quote --state TX --line GEN-1002=10000 --effective 2026-02-23 --endorse 2026-05-24 --offline";
    let more = place.json(&format!("{policy} --after GEN-1002=12000"));
    assert_eq!(more["endorsement"]["days_left"], 275);
    assert_eq!(
        (&more["endorsement"]["difference"], &more["premium"]),
        (&"1506.85".into(), &"1506.85".into())
    );
    let less = place.json(&format!("{policy} --after GEN-1002=8000 --three-decimals"));
    assert_eq!(less["endorsement"]["difference"], "-1506.00");
    assert!(less["total"].as_str().unwrap().starts_with('-'), "{less}");
    assert_eq!(place.line(policy).code, 2, "without the premiums after it");
    let outside = place.line(&policy.replace("2026-05-24", "2027-05-24 --after GEN-1002=1"));
    assert!(outside.code == 3 && outside.err.contains("day of the endorsement"), "{outside:?}");
}

#[test]
fn a_canceled_policy_returns_premium_and_taxes() {
    let place = Place::new();
    let policy = "quote --line GEN-1002=10000 --effective 2026-02-23 --cancel 2026-05-24";
    for way in ["--offline", ""] {
        let texas = place.json(&format!("{policy} --state TX {way}"));
        assert_eq!(texas["transaction_type"], "PC", "{way}");
        assert_eq!(texas["cancellation"]["days_left"], 275);
        assert_eq!(texas["cancellation"]["returned"], "7534.25");
        let amounts = [&texas["premium"], &texas["sl_tax"], &texas["stamping_fee"]];
        assert_eq!(amounts, ["-7534.25", "-365.41", "-3.01"], "{way}");
    }
    let short = place.json(&format!("{policy} --state TX --method short-rate --offline"));
    assert_eq!(short["premium"], "-6780.82");
    let least = place.json(&format!("{policy} --state TX --minimum-earned 25% --offline"));
    assert_eq!(
        (&least["premium"], &least["cancellation"]["minimum_earned"]),
        (&"-7500.00".into(), &"2500.00".into())
    );
    let flat = place.json("quote --state TX --line GEN-1002=10000 --effective 2026-02-23 --cancel 02/23/2026 --minimum-earned 25% --offline");
    assert_eq!((&flat["transaction_type"], &flat["premium"]), (&"FC".into(), &"-10000.00".into()));
    // Idaho keeps its stamping fee; whether its tax goes back, no source says.
    let idaho = place.line(&format!("{policy} --state ID --offline"));
    for part in ["275 of 365 days left", "7,534.25", "not given back on this kind of return", "was not found"]
    {
        assert!(idaho.out.contains(part), "{part} in:\n{}", idaho.out);
    }
    let late = place
        .line("quote --state TX --line GEN-1002=10000 --effective 2026-02-23 --cancel 2027-05-24 --offline");
    assert_eq!(late.code, 3, "{late:?}");
    assert!(late.err.contains("from Feb 23, 2026 to Feb 23, 2027"), "{late:?}");
}

#[test]
fn installments_make_the_total_and_are_on_the_sheet() {
    let place = Place::new();
    let file = place.folder().join("plan.pdf");
    let plan = "--installments 3 --down-payment 25% --taxes-first --installment-fee 5";
    let answer = place.json(&format!("{TEXAS} {plan} --offline --pdf {}", file.display()));
    let payments = answer["payments"]["payments"].as_array().unwrap();
    assert_eq!(payments.len(), 4);
    assert_eq!(payments[0]["payment"], "3423.16", "a quarter of 9,521.00 with fees and taxes");
    assert_eq!((&payments[1]["due"], &payments[3]["payment"]), (&"2026-03-23".into(), &"2385.25".into()));
    assert_eq!(answer["payments"]["total"], "10578.91");
    assert!(std::fs::read(&file).unwrap().starts_with(b"%PDF-"));
    let table = place.line(&format!("{TEXAS} {plan} --offline")).out;
    for part in ["Payments", "Down payment", "Mar 23, 2026", "10,578.91"] {
        assert!(table.contains(part), "{part} in:\n{table}");
    }
    let many = place.line(&format!("{TEXAS} --installments many --offline"));
    assert_eq!(many.code, 3, "{many:?}");
}
