//! Mistakes of the calculator that were found by reading it against the sources, each with a question that shows it.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod asking;

use asking::{field, has_note, later, new_policy, quote, usd, with_fees};
use bordereau_contract::{EntityType, Jurisdiction};
use bordereau_tax::{
    Confidence, FeeChargedBy, KentuckyTable, LinesTable, LocalTables, Occupancy, Quote, QuoteInput, RuleBook,
    RuleProblem, check_rule_file,
};

fn note<'q>(quote: &'q Quote, code: &str) -> &'q str {
    let found = quote.notes.iter().find(|note| &*note.code == code);
    found.map_or("", |note| &*note.text)
}

/// The charge's explanation, of the first charge on the field.
fn why(quote: &Quote, kind: &str) -> String {
    let charge = quote.charges.iter().find(|charge| &*charge.kind == kind);
    charge.map_or_else(|| "no trace".into(), |charge| charge.explanation.to_string())
}

/// 1: whole dollars are the base of the charges; what the insured owes stays as it is.
#[test]
fn a_rounded_base_leaves_the_premium_as_it_was_asked() {
    for (premium, tax, total) in
        [("100.50", "4.00", "104.50"), ("12345.50", "432.00", "12782.50"), ("100.49", "4.00", "104.49")]
    {
        let answer = quote(&new_policy("IL", &format!("GEN-1002={premium}"), "2026-03-01"));
        assert_eq!(field(&answer, "premium"), premium);
        assert_eq!(field(&answer, "sl_tax"), tax, "{premium}");
        assert_eq!(field(&answer, "total"), total, "{premium}");
        assert_eq!(answer.lines[0].premium, usd(premium));
    }
    let charged = quote(&new_policy("IL", "GEN-1002=100.50", "2026-03-01"));
    assert_eq!(charged.charges[0].basis.premium, usd("101"));
}

/// 2: a policy of several years has no date of its own in the question, so none is promised.
#[test]
fn no_anniversary_is_promised() {
    for state in ["IL", "TX"] {
        let answer = quote(&new_policy(state, "GEN-1002=1000", "2026-03-01"));
        assert!(note(&answer, "annual_term").contains("one annual term at a time"), "{state}");
        for charge in &answer.charges {
            assert!(!charge.dated_by.contains("anniversary") && !charge.dated_by.contains("multi-year"));
        }
    }
}

/// 3: days between a rate whose end was not found and the next one are not answered with the next one.
#[test]
fn days_between_two_known_rates_are_unknown() {
    let fee = |day: &str| {
        let answer = quote(&new_policy("NY", "GEN-1002=10000", day));
        (field(&answer, "stamping_fee"), has_note(&answer, "no_rate_in_force"))
    };
    assert_eq!(fee("2005-07-01"), ("20.00".into(), false));
    for day in ["2005-07-02", "2015-01-01"] {
        assert_eq!(fee(day), ("0.00".into(), true), "{day}");
    }
    assert_eq!(fee("2022-12-31"), ("17.00".into(), false));
    let office = |day: &str| field(&quote(&new_policy("NC", "GEN-1002=10000", day)), "stamping_fee");
    assert_eq!(["2017-01-02", "2022-12-31", "2023-01-01"].map(office), ["40.00", "40.00", "30.00"]);
}

/// 4: a back-out undoes a policy as a flat cancellation does.
#[test]
fn a_back_out_gives_back_what_a_flat_cancellation_does() {
    let policy = new_policy("ID", "GEN-1002=10000", "2026-03-01");
    for (transaction, fee) in [("BO", "-50.00"), ("FC", "-50.00"), ("PC", "0.00")] {
        assert_eq!(field(&quote(&later(policy.clone(), transaction, "2026-03-01")), "stamping_fee"), fee);
    }
}

/// 5: a charge that falls once is traced on everything that follows, with the reason why it is nothing.
#[test]
fn a_charge_that_falls_once_is_explained_every_time() {
    for (state, kind, line) in [
        ("OR", "surplus_lines_service_charge", "GEN-1002=1000"),
        ("PA", "stamping_fee", "GEN-1002=1000"),
        ("FL", "empa_surcharge", "GEN-1001=1000"),
    ] {
        let policy = new_policy(state, line, "2026-03-01");
        for (transaction, reason) in [
            ("FC", "not given back on this kind of return"),
            ("BO", "not given back on this kind of return"),
            ("PC", "not given back on this kind of return"),
            ("BD", "charged once: with the policy, not with its binder"),
            ("RI", "charged once: already charged on the policy"),
            ("APE", "charged once: already charged on the policy"),
        ] {
            let answer = quote(&later(policy.clone(), transaction, "2026-03-01"));
            assert_eq!(why(&answer, kind), reason, "{state} {transaction}");
        }
        assert!(note(&quote(&policy), "charged_once").contains("canceled flat"), "{state}");
        assert!(!has_note(&quote(&later(policy, "PR", "2026-03-01")), "charged_once"), "{state}");
    }
}

/// 6: what a cancellation kept is not charged again when the policy is reinstated, unless the state does so.
#[test]
fn a_reinstatement_does_not_charge_a_kept_fee_again() {
    let kept = "credit = \"flat_cancellation_only\"";
    let input = later(new_policy("CT", "GEN-1002=10000", "2026-03-01"), "RI", "2026-06-01");
    let back = answer(&book(&rules(kept, "rate = \"0.01\"")), &input);
    assert_eq!(field(&back, "sl_tax"), "0.00");
    assert_eq!(why(&back, "premium_tax"), "charged once: already charged on the policy");
    assert!(note(&back, "reinstated").contains("canceled flat"));
    let again = format!("{kept}\nreinstatement_charged = true");
    let back = answer(&book(&rules(&again, "rate = \"0.01\"")), &input);
    assert_eq!((field(&back, "sl_tax"), has_note(&back, "reinstated")), ("100.00".into(), false));
    let idaho = quote(&later(new_policy("ID", "GEN-1002=10000", "2026-03-01"), "RI", "2026-06-01"));
    assert_eq!((field(&idaho, "stamping_fee"), field(&idaho, "sl_tax")), ("50.00".into(), "150.00".into()));
}

fn kentucky(entity: EntityType, tax_exempt: bool) -> QuoteInput {
    let mut input = new_policy("KY", "GEN-1002=1000", "2026-03-01");
    input.location.municipality = Some("Lexington-Fayette".into());
    (input.entity, input.tax_exempt) = (entity, tax_exempt);
    input
}

/// 7: who is exempt pays no city and county tax either, and a tax is one on whatever field it is.
#[test]
fn an_exemption_goes_by_the_charge() {
    let amounts = |input: &QuoteInput| {
        let answer = quote(input);
        ["sl_tax", "stamping_fee", "municipal_fee"].map(|name| field(&answer, name))
    };
    assert_eq!(amounts(&kentucky(EntityType::Commercial, false)), ["30.00", "18.00", "50.00"]);
    assert_eq!(amounts(&kentucky(EntityType::Governmental, false)), ["30.00", "18.00", "0.00"]);
    assert_eq!(amounts(&kentucky(EntityType::Federal, false)), ["30.00", "0.00", "0.00"]);
    assert_eq!(amounts(&kentucky(EntityType::Commercial, true)), ["0.00", "0.00", "0.00"]);
    assert!(has_note(&quote(&kentucky(EntityType::Commercial, true)), "local_tax_exempt"));
    let mut workers = new_policy("KY", "GEN-1016=1000", "2026-03-01");
    workers.location.municipality = Some("Lexington-Fayette".into());
    assert_eq!(amounts(&workers), ["30.00", "0.00", "0.00"]);
    for (state, service) in [("MS", "30.00"), ("MI", "0.00"), ("OR", "10.00")] {
        let mut input = new_policy(state, "GEN-1002=1000", "2026-03-01");
        input.tax_exempt = true;
        let answer = quote(&input);
        assert_eq!(field(&answer, "sl_service_charge"), service, "{state}");
        assert!(note(&answer, "tax_exempt").contains("Surplus Lines Tax"), "{state}");
    }
    let mut texas = new_policy("TX", "GEN-1002=1000", "2026-03-01");
    texas.tax_exempt = true;
    assert_eq!(
        note(&quote(&texas), "tax_exempt"),
        "The insured is marked tax exempt. Not charged: Surplus Lines Tax. Still charged: Stamping Fee. Keep the proof of exemption."
    );
}

/// 8: the limit of the collection fee is told where only a county taxes, too.
#[test]
fn a_county_alone_has_a_collection_fee() {
    let mut input = new_policy("KY", "GEN-1002=1000", "2026-03-01");
    input.location.municipality = Some("Clark County".into());
    let answer = quote(&input);
    assert_eq!(
        (field(&answer, "municipal_fee"), field(&answer, "county_fee")),
        ("none".into(), "40.00".into())
    );
    assert!(note(&answer, "collection_fee_limit").contains("at most 6.00"));
}

/// The age of a local rate is beside its number; a person's own table comes first.
#[test]
fn a_local_rate_says_of_when_it_is() {
    let answer = quote(&kentucky(EntityType::Commercial, false));
    let local = answer.charges.iter().find(|c| &*c.kind == "local_government_premium_tax").unwrap();
    assert!(local.note.as_deref().unwrap().starts_with("Rate: "), "{:?}", local.note);
    let own = KentuckyTable::from_csv("jurisdiction,kind,category,rate\nLexington-Fayette,city,all,0.01\n")
        .unwrap();
    let local = LocalTables { kentucky: vec![own, KentuckyTable::builtin()], ..LocalTables::default() };
    let mine = RuleBook::builtin().calculate(&kentucky(EntityType::Commercial, false), &local).unwrap();
    assert_eq!(field(&mine, "municipal_fee"), "10.00");
    let charge = mine.charges.iter().find(|c| &*c.kind == "local_government_premium_tax").unwrap();
    assert_eq!(charge.note.as_deref(), Some("Rate: from the user's own table."));
}

/// 11: forms of homeowners insurance have its code in Illinois; what has none says what to enter.
#[test]
fn illinois_lines_by_coverage_code() {
    for line in ["GEN-1005", "GEN-2004", "GEN-2005", "GEN-2006"] {
        let answer = quote(&new_policy("IL", &format!("{line}=10000"), "2026-03-01"));
        assert_eq!(field(&answer, "fm_tax"), "40.00", "{line}");
        assert!(!has_note(&answer, "no_state_code"), "{line}");
    }
    for line in ["GEN-1018", "GEN-2026", "GEN-2002"] {
        let answer = quote(&new_policy("IL", &format!("{line}=10000"), "2026-03-01"));
        assert_eq!(field(&answer, "fm_tax"), "0.00", "{line}");
        assert!(note(&answer, "no_state_code").contains("fire (1001)"), "{line}");
    }
}

/// A rule file in which one thing after another is tried.
fn rules(charge: &str, rates: &str) -> String {
    format!(
        r#"
state = "CT"
checked_on = "2026-11-21"
[fees]
assumed = "retail_agent"
[fees.retail]
taxed = false
text = "Not taxed."
checked = {{ level = "secondary", text = "tables of 2026" }}
source = [ {{ title = "A table, 2026 (private)", private = true }} ]
[fees.licensee]
taxed = true
text = "Taxed."
checked = {{ level = "confirmed", text = "bulletin of 2026" }}
source = [ {{ title = "a bulletin", url = "https://example.org/a" }}, {{ title = "A table, 2026 (private)", private = true }} ]
[fees.inspection]
taxed = false
text = "Not taxed."
checked = {{ level = "older", text = "older" }}
source = [ {{ title = "a", url = "https://www.example.org/a" }}, {{ title = "b", url = "https://example.org/b" }} ]
[[charge]]
kind = "premium_tax"
field = "sl_tax"
basis = "premium_and_taxable_fees"
basis_text = "premium and taxable fees"
dated_by = "policy effective date"
{charge}
[[charge.rate]]
{rates}
status = "enacted"
checked = {{ level = "confirmed", text = "confirmed 2026" }}
source = [ {{ title = "a bulletin", url = "https://example.org/a" }} ]
"#
    )
}

/// 13: a charge picks personal lines, single lines, and how the dwelling is held. (The book with one file changed.)
fn book(file: &str) -> RuleBook {
    let mut files: Vec<(Jurisdiction, String)> = Jurisdiction::ALL
        .iter()
        .map(|state| {
            let path = format!("{}/rules/{}.toml", env!("CARGO_MANIFEST_DIR"), state.code().to_lowercase());
            (*state, std::fs::read_to_string(path).unwrap())
        })
        .collect();
    files.iter_mut().find(|(state, _)| *state == Jurisdiction::Ct).unwrap().1 = file.into();
    let files: Vec<_> = files.iter().map(|(state, text)| (*state, text.as_str())).collect();
    RuleBook::read(&files).unwrap()
}

fn answer(book: &RuleBook, input: &QuoteInput) -> Quote {
    book.calculate(input, &LocalTables::default()).unwrap()
}

#[test]
fn a_charge_picks_its_lines() {
    let all: Vec<String> = LinesTable::builtin().iter().map(|line| format!("{}=1", line.code)).collect();
    for (charge, lines) in [
        ("lines = [\"GEN-2001\", \"GEN-1001\"]", "GEN-1001 GEN-2001"),
        (
            "classes = [\"dwelling\"]\nlines = [\"GEN-1001\"]\nexcept_lines = [\"GEN-2004\"]",
            "GEN-1001 GEN-2002",
        ),
        (
            "classes = [\"homeowners\", \"builders_risk\"]\npersonal = true",
            "GEN-1005 GEN-2005 GEN-2006 GEN-2026",
        ),
        ("classes = [\"builders_risk\"]\npersonal = false", "GEN-1018"),
        (
            "classes = [\"homeowners\", \"dwelling\"]\noccupancy = [\"tenant\", \"mobile_home\"]",
            "GEN-1005 GEN-2002 GEN-2004 GEN-2006",
        ),
    ] {
        let book = book(&rules(charge, "rate = \"0.01\""));
        let answer = answer(&book, &new_policy("CT", &all.join("|"), "2026-03-01"));
        let on: Vec<String> = answer.charges[0].lines.iter().map(ToString::to_string).collect();
        assert_eq!(on.join(" "), lines, "{charge}");
    }
}

#[test]
fn a_dwelling_nobody_told_of_is_charged_and_asked_for() {
    let book =
        book(&rules("classes = [\"homeowners\"]\noccupancy = [\"owned_dwelling\"]", "rate = \"0.01\""));
    let asked = |line: &str, occupancy: Option<Occupancy>| {
        let mut input = new_policy("CT", &format!("{line}=1000"), "2026-03-01");
        input.details.occupancy = occupancy;
        let answer = answer(&book, &input);
        (field(&answer, "sl_tax"), has_note(&answer, "occupancy_not_answered"), why(&answer, "premium_tax"))
    };
    let due = "1,000.00 × 1% = 10.00, to the cent, half up".to_owned();
    assert_eq!(asked("GEN-1005", None), ("10.00".into(), true, due.clone()));
    assert_eq!(asked("GEN-1005", Some(Occupancy::OwnedDwelling)), ("10.00".into(), false, due));
    let not = "not charged on a dwelling held in this way".to_owned();
    assert_eq!(asked("GEN-1005", Some(Occupancy::Tenant)), ("0.00".into(), false, not.clone()));
    // The line itself says that it is a tenant's.
    assert_eq!(asked("GEN-2006", Some(Occupancy::OwnedDwelling)), ("0.00".into(), false, not));
    assert_eq!(book.state_summary(Jurisdiction::Ct).asks_occupancy_on, ["GEN-1005"]);
}

/// The fee of the retail agent and that of the surplus lines licensee are two.
#[test]
fn the_agency_fee_goes_by_who_charges_it() {
    let book = book(&rules("", "rate = \"0.01\""));
    assert!(book.state_summary(Jurisdiction::Ct).asks_fee_charged_by);
    let asked = |by: Option<FeeChargedBy>| {
        let mut input = with_fees(new_policy("CT", "GEN-1002=1000", "2026-03-01"), "100", "0");
        input.details.fee_charged_by = by;
        let answer = answer(&book, &input);
        (
            field(&answer, "sl_tax"),
            note(&answer, "fee_charged_by").to_owned(),
            why(&answer, "premium_tax"),
            answer.agency_fee_taxable,
        )
    };
    let (tax, told, _, taxed) = asked(None);
    assert_eq!((tax.as_str(), taxed), ("10.00", Some(false)));
    assert!(
        told.contains("nothing says who charges it") && told.contains("retail agent, and is not taxed"),
        "{told}"
    );
    assert_eq!(asked(Some(FeeChargedBy::RetailAgent)).0, "10.00");
    let (tax, told, why, taxed) = asked(Some(FeeChargedBy::SurplusLinesLicensee));
    assert_eq!((tax.as_str(), taxed), ("11.00", Some(true)));
    assert!(
        told.starts_with("Agency fee: it is charged by the surplus lines licensee, and is taxed"),
        "{told}"
    );
    assert!(why.contains("agency fee (charged by the surplus lines licensee) 100.00"), "{why}");
    // Where no charge is on the fee, the answer changes nothing and is not asked for.
    let premium_only =
        self::book(&rules("", "rate = \"0.01\"").replace("premium_and_taxable_fees", "premium"));
    assert!(!premium_only.state_summary(Jurisdiction::Ct).asks_fee_charged_by);
}

/// What only private sources say is never called confirmed; how many sources stand behind a value is said.
#[test]
fn sources_are_counted_and_private_ones_are_secondary() {
    let good = rules("", "rate = \"0.01\"");
    let book = book(&good);
    let mut input = with_fees(new_policy("CT", "GEN-1002=1000", "2026-03-01"), "100", "10");
    input.details.fee_charged_by = Some(FeeChargedBy::RetailAgent);
    let answer = answer(&book, &input);
    assert_eq!(&*answer.charges[0].checked.text, "confirmed 2026; 1 source");
    assert!(has_note(&answer, "fee_secondary"));
    let page = bordereau_tax::rates_page(&book);
    assert!(
        page.contains(
            "(secondary: tables of 2026; 1 source): Not taxed. A table, 2026 (private) (not public)"
        )
    );
    assert!(page.contains("(confirmed: bulletin of 2026; 2 sources)"));
    // Two pages of one site are one source.
    assert!(page.contains("(older; 1 source, checked Nov 21, 2026)"));
    let only_private = good.replace("level = \"secondary\"", "level = \"confirmed\"");
    assert!(matches!(check_rule_file(&only_private), Err(RuleProblem::Value { .. })));
    let both = good.replacen("private = true", "private = true, url = \"https://example.org/a\"", 1);
    assert!(matches!(check_rule_file(&both), Err(RuleProblem::Source { .. })));
    assert!(Confidence::Secondary > Confidence::Confirmed && Confidence::Secondary < Confidence::Older);
}

/// A charge whose present rate was not found: never silence, and the rate may be entered.
#[test]
fn a_rate_may_be_entered_where_none_was_found() {
    let book = book(&rules(
        "rate_entered = true\nbegins = true\nunknown_text = \"look it up.\"",
        "from = \"2020-01-01\"\nuntil = \"2020-12-31\"\nrate = \"0.01\"",
    ));
    let mut input = new_policy("CT", "GEN-1002=1000", "2026-03-01");
    assert!(note(&answer(&book, &input), "no_rate_in_force").ends_with("look it up."));
    input.details.assessment_rate = Some("0.04".parse().unwrap());
    let entered = answer(&book, &input);
    assert_eq!(field(&entered, "sl_tax"), "40.00");
    assert!(note(&entered, "rate_entered").contains("4%"));
    input.policy_effective = asking::date("2019-12-31");
    assert_eq!(field(&answer(&book, &input), "sl_tax"), "0.00", "it had not begun");
    let summary = book.state_summary(Jurisdiction::Ct);
    assert_eq!(summary.assessment_title.as_deref(), Some("Surplus Lines Tax"));
    assert!(summary.asks_assessment_on.len() > 60);
}

/// A charge on a part of each line's premium: known parts are charged, unknown ones are reported.
#[test]
fn a_part_of_the_premium_by_line() {
    let book = book(&rules(
        "classes = [\"homeowners\", \"dwelling\"]\nportion_advice = \"Enter the part.\"\n[[charge.portion]]\nclasses = [\"homeowners\"]\nportion = \"0.60\"\nname = \"Homeowners\"",
        "rate = \"0.01\"",
    ));
    let answer =
        answer(&book, &new_policy("CT", "GEN-1005=1000 | GEN-2002=1000 | GEN-1002=1000", "2026-03-01"));
    assert_eq!(field(&answer, "sl_tax"), "6.00");
    let told: Vec<_> = answer.notes.iter().filter(|note| &*note.code == "portion_not_known").collect();
    assert_eq!(told.len(), 1);
    assert!(told[0].text.contains("GEN-2002") && told[0].text.ends_with("Enter the part."));
}
