//! What each jurisdiction answers.

use bordereau_contract::{Jurisdiction, TransactionType};
use bordereau_forms::{EffortStatus, FormBook};

use crate::{data, text_of};

/// State, its status on 2026-02-23, declinations of its first form, codes of the forms of a new policy.
const STATES: &[(&str, EffortStatus, Option<usize>, &[&str])] = &[
    ("AK", EffortStatus::Required, None, &["DEF"]),
    ("AL", EffortStatus::NotFound, None, &[]),
    ("AR", EffortStatus::Required, Some(3), &["AFFIDC"]),
    ("AZ", EffortStatus::Required, None, &["DEF"]),
    ("CA", EffortStatus::Required, None, &["D1DISC", "SL1", "SL2", "SL2-ADD"]),
    ("CO", EffortStatus::Required, Some(3), &["DEF"]),
    ("CT", EffortStatus::Required, Some(3), &["DEF"]),
    ("DC", EffortStatus::Required, None, &["AFFIDC"]),
    ("DE", EffortStatus::Required, None, &["DEF"]),
    ("FL", EffortStatus::Repealed, None, &["DISCL"]),
    ("GA", EffortStatus::Required, None, &["DEF"]),
    ("HI", EffortStatus::Required, None, &["DEF"]),
    ("IA", EffortStatus::Required, None, &["DEF"]),
    ("ID", EffortStatus::Required, None, &["DEF"]),
    ("IL", EffortStatus::Required, None, &["DILEF"]),
    ("IN", EffortStatus::Required, Some(3), &["DEF"]),
    ("KS", EffortStatus::NotFound, None, &[]),
    ("KY", EffortStatus::Required, None, &["DSF"]),
    ("LA", EffortStatus::Repealed, None, &[]),
    ("MA", EffortStatus::Required, None, &["AFFIDC"]),
    ("MD", EffortStatus::Required, None, &["AFFIDC"]),
    ("ME", EffortStatus::NotFound, None, &[]),
    ("MI", EffortStatus::Required, Some(3), &["DEF"]),
    ("MN", EffortStatus::Required, Some(3), &["DEF"]),
    ("MO", EffortStatus::NotFound, None, &[]),
    ("MS", EffortStatus::Repealed, None, &[]),
    ("MT", EffortStatus::Required, None, &["DEF"]),
    ("NC", EffortStatus::Required, None, &["DEF"]),
    ("ND", EffortStatus::Required, None, &["DEF"]),
    ("NE", EffortStatus::Required, None, &["DEF"]),
    ("NH", EffortStatus::NotFound, None, &[]),
    ("NJ", EffortStatus::Required, Some(3), &["DEF", "DISCL"]),
    ("NM", EffortStatus::Required, None, &["AFFIDC"]),
    ("NV", EffortStatus::Required, Some(3), &["DEF"]),
    ("NY", EffortStatus::Required, None, &["AFFIDC", "AFFIDCA", "NOOELP"]),
    ("OH", EffortStatus::Required, None, &["DEF"]),
    ("OK", EffortStatus::NotFound, None, &[]),
    ("OR", EffortStatus::Required, None, &["DSF"]),
    ("PA", EffortStatus::Required, None, &["AFFIDC", "DEF"]),
    ("PR", EffortStatus::Required, None, &["DEF"]),
    ("RI", EffortStatus::Required, Some(3), &["AFFIDC"]),
    ("SC", EffortStatus::Repealed, None, &[]),
    ("SD", EffortStatus::Required, Some(3), &["DEF"]),
    ("TN", EffortStatus::Required, Some(3), &["DEF"]),
    ("TX", EffortStatus::Required, Some(3), &["DEF"]),
    ("UT", EffortStatus::NotFound, None, &[]),
    ("VA", EffortStatus::Repealed, None, &[]),
    ("VI", EffortStatus::Required, None, &["AFFIDC"]),
    ("VT", EffortStatus::NotFound, None, &[]),
    ("WA", EffortStatus::Required, None, &["DEF"]),
    ("WI", EffortStatus::Repealed, None, &[]),
    ("WV", EffortStatus::NotFound, None, &[]),
    ("WY", EffortStatus::Required, None, &["AFFIDC", "DEF"]),
];

#[test]
fn every_file_is_read() {
    let book = FormBook::read_builtin().unwrap();
    assert_eq!(book.templates().len(), 50);
}

#[test]
fn every_jurisdiction_answers() {
    let book = FormBook::builtin();
    assert_eq!(STATES.len(), Jurisdiction::ALL.len());
    let day = "2026-02-23".parse().unwrap();
    for (code, status, declinations, codes) in STATES {
        let state: Jurisdiction = code.parse().unwrap();
        let requirement = book.requirement_of(state).unwrap();
        assert_eq!(requirement.status_on(day), *status, "{code}");
        assert!(!requirement.sources.is_empty() && !requirement.checked.text.is_empty(), "{code}");
        let forms: Vec<_> =
            book.applicable_templates(state, TransactionType::New, day, false, false).collect();
        let found: Vec<&str> = forms.iter().map(|form| form.code.as_str()).collect();
        assert_eq!(found, *codes, "{code}");
        assert_eq!(forms.first().and_then(|form| form.declinations), *declinations, "{code}");
    }
}

#[test]
fn what_was_repealed_was_required_before() {
    let book = FormBook::builtin();
    let florida = Jurisdiction::Fl;
    for (day, status, codes) in [
        ("2025-06-30", EffortStatus::Required, vec!["DILEF", "DISCL"]),
        ("2025-07-01", EffortStatus::Repealed, vec!["DISCL"]),
    ] {
        let day = day.parse().unwrap();
        assert_eq!(book.requirement_of(florida).unwrap().status_on(day), status);
        let forms = book.applicable_templates(florida, TransactionType::New, day, false, false);
        assert_eq!(forms.map(|form| form.code.as_str()).collect::<Vec<_>>(), codes);
    }
}

#[test]
fn exempt_purchasers_and_endorsements_need_none() {
    let book = FormBook::builtin();
    let day = "2026-02-23".parse().unwrap();
    let count = |transaction, ecp, listed| {
        book.applicable_templates(Jurisdiction::Tx, transaction, day, ecp, listed).count()
    };
    assert_eq!(count(TransactionType::New, false, false), 1);
    assert_eq!(count(TransactionType::New, true, false), 0);
    assert_eq!(count(TransactionType::New, false, true), 0);
    assert_eq!(count(TransactionType::ReturnPremium, false, false), 0);
}

/// In parts, which run side by side.
#[test]
fn every_form_is_filled_and_says_what_it_is_a_to_c() {
    says_what_it_is("AK", "CT");
}

#[test]
fn every_form_is_filled_and_says_what_it_is_d_to_l() {
    says_what_it_is("DC", "LA");
}

#[test]
fn every_form_is_filled_and_says_what_it_is_m_to_ne() {
    says_what_it_is("MA", "NJ");
}

#[test]
fn every_form_is_filled_and_says_what_it_is_nm_to_p() {
    says_what_it_is("NM", "PR");
}

#[test]
fn every_form_is_filled_and_says_what_it_is_r_to_w() {
    says_what_it_is("RI", "WY");
}

fn says_what_it_is(first: &str, last: &str) {
    let book = FormBook::builtin();
    let within = |code: &str| first <= code && code <= last;
    for template in book.templates().iter().filter(|template| within(template.state.code())) {
        let data = data(template.state.code());
        let filled = template.fill_form(&data, "", None).unwrap();
        assert_eq!(filled.missing, [], "{}", template.key);
        let text = text_of(&filled.pdf);
        for part in [
            "Café Zürich & Søn LLC",
            &template.title,
            template.state.title(),
            "are not the state's form",
            &template.sources[0].title,
            "02/23/2026",
        ] {
            assert!(text.contains(part), "{}: {part} in {text}", template.key);
        }
        if template.lists_declinations() {
            for part in ["Admitted Carrier 1", "10003", "Underwriter 2, 555-0102", "02/03/2026"] {
                assert!(text.contains(part), "{}: {part} in {text}", template.key);
            }
        }
    }
}
