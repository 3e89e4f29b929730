//! What each jurisdiction answers.

use bordereau_contract::{Jurisdiction, TransactionType};
use bordereau_forms::{FormBook, Status};

use crate::{data, text_of};

/// State, its status on 2026-02-23, declinations of its first form, codes of the forms of a new policy.
const STATES: &[(&str, Status, Option<usize>, &[&str])] = &[
    ("AK", Status::Required, None, &["DEF"]),
    ("AL", Status::NotFound, None, &[]),
    ("AR", Status::Required, Some(3), &["AFFIDC"]),
    ("AZ", Status::Required, None, &["DEF"]),
    ("CA", Status::Required, None, &["D1DISC", "SL1", "SL2", "SL2-ADD"]),
    ("CO", Status::Required, Some(3), &["DEF"]),
    ("CT", Status::Required, Some(3), &["DEF"]),
    ("DC", Status::Required, None, &["AFFIDC"]),
    ("DE", Status::Required, None, &["DEF"]),
    ("FL", Status::Repealed, None, &["DISCL"]),
    ("GA", Status::Required, None, &["DEF"]),
    ("HI", Status::Required, None, &["DEF"]),
    ("IA", Status::Required, None, &["DEF"]),
    ("ID", Status::Required, None, &["DEF"]),
    ("IL", Status::Required, None, &["DILEF"]),
    ("IN", Status::Required, Some(3), &["DEF"]),
    ("KS", Status::NotFound, None, &[]),
    ("KY", Status::Required, None, &["DSF"]),
    ("LA", Status::Repealed, None, &[]),
    ("MA", Status::Required, None, &["AFFIDC"]),
    ("MD", Status::Required, None, &["AFFIDC"]),
    ("ME", Status::NotFound, None, &[]),
    ("MI", Status::Required, Some(3), &["DEF"]),
    ("MN", Status::Required, Some(3), &["DEF"]),
    ("MO", Status::NotFound, None, &[]),
    ("MS", Status::Repealed, None, &[]),
    ("MT", Status::Required, None, &["DEF"]),
    ("NC", Status::Required, None, &["DEF"]),
    ("ND", Status::Required, None, &["DEF"]),
    ("NE", Status::Required, None, &["DEF"]),
    ("NH", Status::NotFound, None, &[]),
    ("NJ", Status::Required, Some(3), &["DEF", "DISCL"]),
    ("NM", Status::Required, None, &["AFFIDC"]),
    ("NV", Status::Required, Some(3), &["DEF"]),
    ("NY", Status::Required, None, &["AFFIDC", "AFFIDCA", "NOOELP"]),
    ("OH", Status::Required, None, &["DEF"]),
    ("OK", Status::NotFound, None, &[]),
    ("OR", Status::Required, None, &["DSF"]),
    ("PA", Status::Required, None, &["AFFIDC", "DEF"]),
    ("PR", Status::Required, None, &["DEF"]),
    ("RI", Status::Required, Some(3), &["AFFIDC"]),
    ("SC", Status::Repealed, None, &[]),
    ("SD", Status::Required, Some(3), &["DEF"]),
    ("TN", Status::Required, Some(3), &["DEF"]),
    ("TX", Status::Required, Some(3), &["DEF"]),
    ("UT", Status::NotFound, None, &[]),
    ("VA", Status::Repealed, None, &[]),
    ("VI", Status::Required, None, &["AFFIDC"]),
    ("VT", Status::NotFound, None, &[]),
    ("WA", Status::Required, None, &["DEF"]),
    ("WI", Status::Repealed, None, &[]),
    ("WV", Status::NotFound, None, &[]),
    ("WY", Status::Required, None, &["AFFIDC", "DEF"]),
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
        let requirement = book.requirement(state).unwrap();
        assert_eq!(requirement.status_on(day), *status, "{code}");
        assert!(!requirement.sources.is_empty() && !requirement.checked.text.is_empty(), "{code}");
        let forms: Vec<_> = book.applying(state, TransactionType::New, day, false, false).collect();
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
        ("2025-06-30", Status::Required, vec!["DILEF", "DISCL"]),
        ("2025-07-01", Status::Repealed, vec!["DISCL"]),
    ] {
        let day = day.parse().unwrap();
        assert_eq!(book.requirement(florida).unwrap().status_on(day), status);
        let forms = book.applying(florida, TransactionType::New, day, false, false);
        assert_eq!(forms.map(|form| form.code.as_str()).collect::<Vec<_>>(), codes);
    }
}

#[test]
fn exempt_purchasers_and_endorsements_need_none() {
    let book = FormBook::builtin();
    let day = "2026-02-23".parse().unwrap();
    let count =
        |transaction, ecp, listed| book.applying(Jurisdiction::Tx, transaction, day, ecp, listed).count();
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
        let filled = template.fill(&data, "", None).unwrap();
        assert_eq!(filled.missing, [], "{}", template.key);
        let text = text_of(&filled.pdf);
        for part in [
            "Café Zürich & Søn LLC",
            &template.title,
            template.state.title(),
            "are not the state's form",
            &template.sources[0].title,
            "2026-02-23",
        ] {
            assert!(text.contains(part), "{}: {part} in {text}", template.key);
        }
        if template.lists_declinations() {
            for part in ["Admitted Carrier 1", "10003", "Underwriter 2, 555-0102", "2026-02-03"] {
                assert!(text.contains(part), "{}: {part} in {text}", template.key);
            }
        }
    }
}
