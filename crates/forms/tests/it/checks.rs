//! Findings while the person types.

use bordereau_contract::{Declination, DiligentRequest};
use bordereau_forms::{FindingWeight, FormBook, FormData, check_forms};

use crate::{find_template, request};

#[test]
fn each_thing_out_of_order_is_found_where_it_stands() {
    type Change = dyn Fn(&mut DiligentRequest);
    let cases: &[(&Change, &[(&str, FindingWeight)])] = &[
        (&|_| {}, &[]),
        (
            &|sent| {
                sent.declinations[1] = Declination {
                    carrier: "ADMITTED carrier 1, Inc.".into(),
                    naic: String::new(),
                    ..sent.declinations[1].clone()
                }
            },
            &[],
        ),
        (
            &|sent| {
                for declination in &mut sent.declinations[..2] {
                    declination.naic.clear();
                }
                sent.declinations[1].carrier = "The ADMITTED carrier-1 Company".into();
            },
            &[("/declinations/1/carrier", FindingWeight::Problem)],
        ),
        (
            &|sent| sent.declinations[2].naic = "10002".into(),
            &[("/declinations/2/carrier", FindingWeight::Problem)],
        ),
        (
            &|sent| sent.declinations[0].date = "2026-02-21".into(),
            &[
                ("/declinations/0/date", FindingWeight::Problem),
                ("/declinations/1/date", FindingWeight::Warning),
            ],
        ),
        (
            &|sent| sent.declinations[0].date = "2026-02-05".into(),
            &[("/declinations/1/date", FindingWeight::Warning)],
        ),
        (
            &|sent| sent.declinations[0].naic = "99991".into(),
            &[("/declinations/0/carrier", FindingWeight::Problem)],
        ),
        (
            &|sent| drop(sent.values.insert("policy_expiration_date".into(), "2026-02-23".into())),
            &[("/values/policy_expiration_date", FindingWeight::Problem)],
        ),
        (
            &|sent| drop(sent.values.insert("binding_date".into(), "2026-02-24".into())),
            &[("/values/binding_date", FindingWeight::Warning)],
        ),
        (
            &|sent| drop(sent.values.insert("not_lower_rate".into(), "maybe".into())),
            &[("/values/not_lower_rate", FindingWeight::Problem)],
        ),
    ];
    let template = find_template(FormBook::builtin(), "wy-def").unwrap();
    for (number, (change, expected)) in cases.iter().enumerate() {
        let mut sent = request("WY");
        change(&mut sent);
        let found = check_forms(&[template], &FormData::read(&sent).unwrap(), None);
        let found: Vec<(&str, FindingWeight)> =
            found.iter().map(|f| (f.pointer.as_str(), f.weight)).collect();
        assert_eq!(found, *expected, "case {number}");
    }
}

#[test]
fn a_day_to_come_is_no_declination_yet() {
    let template = find_template(FormBook::builtin(), "wy-def").unwrap();
    let data = FormData::read(&request("WY")).unwrap();
    let found = check_forms(&[template], &data, Some("2026-02-02".parse().unwrap()));
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].pointer, "/declinations/2/date");
}
