//! Pages: what is missing, long texts, accents, hostile input.

use bordereau_contract::{Declination, DiligentRequest};
use bordereau_forms::{FormBook, FormData};

use crate::{data, find_template, request, text_of};

#[test]
fn what_is_missing_is_named_and_the_rest_is_filled() {
    let texas = find_template(FormBook::builtin(), "tx-def").unwrap();
    let mut sent = request("TX");
    sent.values.remove("producer_license");
    sent.values.insert("insured_address".into(), "  ".into());
    sent.declinations[1].date.clear();
    sent.declinations.pop();
    let data = FormData::read(&sent).unwrap();
    let filled = texas.fill_form(&data, "", None).unwrap();
    let names: Vec<&str> = filled.missing.iter().map(|missing| missing.name.as_str()).collect();
    assert_eq!(names, ["insured_address", "producer_license", "declinations/1/date", "declinations"]);
    assert!(filled.missing[3].label.starts_with("3 declinations"), "{:?}", filled.missing[3]);
    let text = text_of(&filled.pdf);
    assert!(text.contains("Zoë Núñez") && text.contains("missing"), "{text}");
}

#[test]
fn only_carriers_that_differ_and_came_in_time_are_counted() {
    let texas = find_template(FormBook::builtin(), "tx-def").unwrap();
    let complete = |change: &dyn Fn(&mut DiligentRequest)| {
        let mut sent = request("TX");
        change(&mut sent);
        texas.missing_fields(&FormData::read(&sent).unwrap()).is_empty()
    };
    assert!(complete(&|_| {}));
    assert!(!complete(&|sent| sent.declinations[2].naic = "10001".into()), "one carrier twice");
    assert!(!complete(&|sent| sent.declinations[2].date = "2026-02-21".into()), "after it was bound");
    assert!(!complete(&|sent| sent.declinations[2].date = "2026-03-01".into()), "after it began");
    assert!(complete(&|sent| sent.declinations.push(Declination::default())), "an empty row is none");
}

#[test]
fn a_waiver_lowers_the_number() {
    for (key, field, value, asked) in [
        ("co-def", "market_knowledge", "yes", 0),
        ("co-def", "market_knowledge", "no", 3),
        ("tn-def", "one_suffices", "yes", 1),
        ("ca-sl2-2026", "fewer_reason", "Two insurers write it", 0),
        ("fl-dilef", "costly_dwelling", "yes", 1),
    ] {
        let template = find_template(FormBook::builtin(), key).unwrap();
        let mut sent = request(template.state.code());
        sent.values.insert(field.into(), value.into());
        assert_eq!(
            template.declinations_required(&FormData::read(&sent).unwrap()),
            asked,
            "{key} {field}={value}"
        );
    }
}

#[test]
fn long_texts_flow_over_pages() {
    let texas = find_template(FormBook::builtin(), "tx-def").unwrap();
    let mut sent = request("TX");
    sent.values.insert("coverage_description".into(), "Büro und Lager ".repeat(150));
    sent.values.insert("insured_name".into(), "Ł".repeat(1_500));
    sent.declinations = (0..50)
        .map(|at| Declination {
            carrier: format!("Carrier {at} of a long name that needs more than one line of its column"),
            naic: format!("{:05}", 20_000 + at),
            contact: "Ünderwriter".into(),
            date: "2026-02-01".into(),
            reason: "R".repeat(120),
        })
        .collect();
    let filled = texas.fill_form(&FormData::read(&sent).unwrap(), "", None).unwrap();
    let pages = filled.paper.unwrap().pages.len();
    assert!((4..20).contains(&pages), "{pages} pages");
    assert_eq!(lopdf::Document::load_mem(&filled.pdf).unwrap().get_pages().len(), pages);
    let text = text_of(&filled.pdf);
    assert!(text.contains("Carrier 49") && text.contains(&format!("Page {pages} of {pages}")));
}

#[test]
fn what_is_out_of_bounds_is_refused_by_its_pointer() {
    let long = "x".repeat(100_000);
    type Change = dyn Fn(&mut DiligentRequest, &str);
    let cases: &[(&str, &Change)] = &[
        ("/state", &|sent, _| sent.state = "XX".into()),
        ("/transaction_type", &|sent, _| sent.transaction_type = "?".into()),
        ("/policy_effective_date", &|sent, _| sent.policy_effective_date = "02/23/2026".into()),
        ("/ecp", &|sent, _| sent.ecp = 2),
        ("/values/insured_name", &|sent, long| drop(sent.values.insert("insured_name".into(), long.into()))),
        ("/values/binding_date", &|sent, _| drop(sent.values.insert("binding_date".into(), "soon".into()))),
        ("/declinations/1/carrier", &|sent, long| sent.declinations[1].carrier = long.into()),
        ("/declinations/0/naic", &|sent, _| sent.declinations[0].naic = "1234".into()),
        ("/declinations/2/date", &|sent, _| sent.declinations[2].date = "2026-02-30".into()),
        ("/declinations", &|sent, _| sent.declinations = vec![Declination::default(); 51]),
        ("/values", &|sent, _| sent.values = (0..201).map(|at| (format!("v{at}"), String::new())).collect()),
    ];
    for (pointer, change) in cases {
        let mut sent = request("TX");
        change(&mut sent, &long);
        let problems = FormData::read(&sent).unwrap_err();
        let pointers: Vec<&str> = problems.iter().map(|problem| problem.pointer.as_str()).collect();
        assert_eq!(pointers, [*pointer]);
    }
}

#[test]
fn strange_letters_do_not_vanish() {
    let texas = find_template(FormBook::builtin(), "tx-def").unwrap();
    let mut sent = request("TX");
    sent.values.insert("insured_name".into(), "株式会社 \u{202e}evil\u{0} \u{1f600} Ω".into());
    let filled = texas.fill_form(&FormData::read(&sent).unwrap(), "", None).unwrap();
    let text = text_of(&filled.pdf);
    assert!(text.contains('?') && text.contains("evil") && text.contains('Ω'), "{text}");
}

#[test]
fn a_mark_stands_on_the_page_and_the_text_is_tagged() {
    let texas = find_template(FormBook::builtin(), "tx-def").unwrap();
    let filled = texas.fill_form(&data("TX"), "PRACTICE", None).unwrap();
    assert!(text_of(&filled.pdf).contains("PRACTICE"));
    let document = lopdf::Document::load_mem(&filled.pdf).unwrap();
    let catalog = document.catalog().unwrap();
    assert!(catalog.has(b"StructTreeRoot"), "tagged");
    assert_eq!(catalog.get(b"Lang").unwrap().as_str().unwrap(), b"en-US");
}
