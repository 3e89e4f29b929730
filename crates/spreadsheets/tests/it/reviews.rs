//! Rows under review: values, groups, changes, totals, what is sent.

use bordereau_money::Usd;
use bordereau_spreadsheets::{
    CheckSettings, Code, DateOrder, DecimalMark, Field, Mapping, ReadOptions, RecheckScope, RepairKind,
    Review, RowAmounts, RowGrouping, SameTransaction, SentKeys, TableRowOutcome, propose_mapping, read,
};
use chrono::{Datelike, Days};

use crate::fixture::check_settings;
use crate::{certain_repairs, date};

pub fn with_checks<T>(test: impl FnOnce(&CheckSettings<'_>) -> T) -> T {
    test(&check_settings(&SentKeys::default(), 2))
}

pub fn review(text: &str, change: impl FnOnce(&mut Mapping)) -> Review {
    let source = read("x.csv", text.into(), &ReadOptions::default()).unwrap();
    let mut mapping = propose_mapping(&source, &[]).mapping;
    change(&mut mapping);
    with_checks(|checks| Review::new(source, mapping, checks))
}

pub fn codes(review: &Review, row: usize) -> Vec<Code> {
    review.findings_of(row).iter().map(|f| f.code()).collect()
}

#[test]
fn amounts_as_people_write_them() {
    let cases: [(&str, Option<&str>); 31] = [
        ("1250.50", Some("1250.50")),
        ("\"1,250.50\"", Some("1250.50")),
        ("$900", Some("900.00")),
        ("(42.10)", Some("-42.10")),
        ("-$42.10", Some("-42.10")),
        ("$-42.10", Some("-42.10")),
        ("42.10-", Some("-42.10")),
        ("\u{2212}5", Some("-5.00")),
        ("US$ 12", Some("12.00")),
        ("12 USD", Some("12.00")),
        ("USD 12", Some("12.00")),
        ("USD12", Some("12.00")),
        ("US$12", Some("12.00")),
        ("$ (12)", Some("-12.00")),
        ("(USD 12)", Some("-12.00")),
        ("12- USD", Some("-12.00")),
        ("-USD 12", Some("-12.00")),
        ("(-12)", None),
        ("-12-", None),
        ("1 250.50", Some("1250.50")),
        (".5", Some("0.50")),
        ("5.", Some("5.00")),
        ("0", Some("0.00")),
        ("\"1,25\"", None),
        ("\"12,34,567\"", None),
        ("1.2.3", None),
        ("1e3", None),
        ("abc", None),
        ("--5", None),
        ("(5", None),
        ("n/a", None),
    ];
    for (cell, expected) in cases {
        let review =
            review(&format!("id,premium\n1,{cell}\n"), |m| m.decimal_mark = Some(DecimalMark::Point));
        let amount = review.to_wire(0).premium;
        assert_eq!(amount, expected.map(|e| Usd::parse(e).unwrap()), "{cell}");
        let unreadable = codes(&review, 1).contains(&Code::AmountUnreadable);
        assert_eq!(unreadable, expected.is_none(), "{cell}: an unreadable amount is an issue, never zero");
    }
}

#[test]
fn the_decimal_mark_is_detected() {
    let cases = [
        ("id;premium\n1;1.250,50\n2;3,5\n", DecimalMark::Comma, Some("1250.50")),
        ("id;premium\n1;1,250.50\n2;3.5\n", DecimalMark::Point, Some("1250.50")),
        ("id;premium\n1;1,250\n2;3,500\n", DecimalMark::Point, Some("1250.00")),
    ];
    for (text, mark, first) in cases {
        let review = review(text, |_| {});
        assert_eq!(review.values().decimal_mark.value, mark, "{text}");
        assert_eq!(review.to_wire(0).premium, first.map(|f| Usd::parse(f).unwrap()), "{text}");
    }
}

proptest::proptest! {
    #[test]
    fn every_day_is_read_in_every_form(offset in 0..40_000u64) {
        let day = date(1990, 1, 1).checked_add_days(Days::new(offset)).unwrap();
        let (y, m, d) = (day.year(), day.month(), day.day());
        let forms = [
            (format!("{m:02}/{d:02}/{y}"), DateOrder::MonthFirst),
            (format!("{d}.{m}.{y}"), DateOrder::DayFirst),
            (format!("{y}-{m:02}-{d:02}"), DateOrder::DayFirst),
            (format!("{y}{m:02}{d:02}"), DateOrder::MonthFirst),
        ];
        for (text, order) in forms {
            let review = review(&format!("id,Eff Date\n1,{text}\n"), |mapping| mapping.date_order = Some(order));
            proptest::prop_assert_eq!(review.to_wire(0).policy_effective_date, Some(day.to_string()), "{}", text);
        }
    }
}

#[test]
fn every_row_has_an_outcome() {
    let text = "Title\n\nid,policy_number\n1,A\n\nid,policy_number\n1,B\n2,C\n,\n";
    let review = review(text, |m| m.grouping = RowGrouping::ById);
    use TableRowOutcome as O;
    let expected = [
        O::AboveHeader,
        O::AboveHeader,
        O::Header,
        O::Transaction,
        O::Blank,
        O::Header,
        O::FurtherRow,
        O::Transaction,
    ];
    assert_eq!(review.transactions().row_outcomes(), expected);
    assert_eq!(review.transactions().rows_of(0), [3, 6]);
    assert_eq!(review.transactions().of_row(6), Some(0));
}

#[test]
fn rows_of_one_transaction_are_put_together() {
    let text = "id,line_of_business_list,premium,insurance_company_list,agency_fee\n\
                1,GEN-1002,100,10899,5\n1,GEN-1008,200,10899,\n2,GEN-1002,7,10899,1\n";
    let review = review(text, |m| m.grouping = RowGrouping::ById);
    let wire = review.to_wire(0);
    assert_eq!(wire.premium, Usd::parse("300").ok());
    assert_eq!(wire.agency_fee, Usd::parse("5").ok());
    let lines: Vec<_> = wire.line_of_business_list.iter().map(|l| (l.item.as_str(), l.coverage)).collect();
    assert_eq!(lines, [("GEN-1002", Usd::parse("100").ok()), ("GEN-1008", Usd::parse("200").ok())]);
    assert_eq!(wire.insurance_company_list.len(), 1, "the same insurer in both rows is one");
    assert!(!codes(&review, 2).contains(&Code::GroupDiffers));
}

/// What a word is shown to stand for is what is sent.
#[test]
fn a_line_named_in_words_is_sent_as_its_code() {
    for (word, sent) in [
        ("inland marine", "GEN-1007"),
        ("Commercial general liability", "GEN-1002"),
        ("cyber", "cyber"),
        ("gen-1002", "GEN-1002"),
        ("GEN-1002", "GEN-1002"),
        ("GLIAB", "GLIAB"),
    ] {
        let review = review(&format!("id,line_of_business_list,premium\n1,{word},100\n"), |_| {});
        assert_eq!(review.to_wire(0).line_of_business_list[0].item, sent, "{word}");
        let is_known = !codes(&review, 1).contains(&Code::LineUnknown);
        assert_eq!(is_known, sent.starts_with("GEN-"), "{word}: what is not known is not sent as known");
    }
}

#[test]
fn fees_in_several_rows_are_asked_about() {
    let text = "id,policy_number,agency_fee\n1,P,5\n1,P,7\n";
    let asked = review(text, |m| m.grouping = RowGrouping::ById);
    assert!(codes(&asked, 2).contains(&Code::GroupDiffers));
    let added = review(text, |m| {
        m.grouping = RowGrouping::ById;
        m.row_amounts = Some(RowAmounts::Add);
    });
    assert_eq!(added.to_wire(0).agency_fee, Usd::parse("12").ok());
    assert!(!codes(&added, 2).contains(&Code::GroupDiffers));
}

#[test]
fn entries_of_a_cell() {
    type Entries = &'static [(&'static str, Option<&'static str>)];
    let cases: [(&str, &str, Entries); 8] = [
        ("AA-1120337 | 10899", "60 | 40", &[("AA-1120337", Some("60")), ("10899", Some("40"))]),
        ("AA-1120337 60% | 10899 40%", "", &[("AA-1120337", Some("60")), ("10899", Some("40"))]),
        ("AA-1120337 60% / 10899 40%", "", &[("AA-1120337", Some("60")), ("10899", Some("40"))]),
        ("AA-1120337 (60%)|10899 (40%)", "", &[("AA-1120337", Some("60")), ("10899", Some("40"))]),
        ("AA-1120337: 60; 10899: 40", "", &[("AA-1120337", Some("60")), ("10899", Some("40"))]),
        ("10899", "", &[("10899", Some("100"))]),
        ("10899 | 20443", "33.3333% | 66.6667%", &[("10899", Some("33.3333")), ("20443", Some("66.6667"))]),
        ("10899 | 20443", "", &[("10899", None), ("20443", None)]),
    ];
    for (items, shares, expected) in cases {
        let text = format!("id,insurance_company_list,insurance_company_coverage\n1,{items},{shares}\n");
        let wire = review(&text, |_| {}).to_wire(0);
        let found: Vec<_> =
            wire.insurance_company_list.iter().map(|i| (i.item.as_str(), i.coverage)).collect();
        let expected: Vec<_> =
            expected.iter().map(|(i, s)| (*i, s.map(|s| Usd::parse(s).unwrap()))).collect();
        assert_eq!(found, expected, "{items} {shares}");
    }
}

#[test]
fn repeated_columns_belong_together() {
    let text = "id,Carrier 1,Share 1,Carrier 2,Share 2,Fee,Policy Fee,Address 1,Address Line\n\
                1,10899,60,20443,40,5,7,1 Main Street,Suite 2\n";
    let review = review(text, |_| {});
    let wire = review.to_wire(0);
    assert_eq!(wire.insurance_company_list.len(), 2);
    assert_eq!(wire.insurance_company_list[1].coverage, Usd::parse("40").ok());
    assert_eq!(wire.agency_fee, Usd::parse("12").ok());
    assert_eq!(wire.mailing_address.as_deref(), Some("1 Main Street, Suite 2"));
}

const TEXAS: &str = "id,policy_number,policy_effective_date,transaction_type,physical_state,\
    line_of_business_list,premium,sl_tax,stamping_fee,total,mailing_insured_name\n";

#[test]
fn taxes_are_compared_and_repaired_at_once() {
    let text = format!(
        "{TEXAS}1,P1,2026-02-23,PN,TX,GEN-1002,1000,40.00,0.40,1040.40,A\n2,P2,2026-02-23,PN,TX,GEN-1002,1000,48.50,0.40,1048.90,B\n"
    );
    with_checks(|checks| {
        let mut review = review(&text, |_| {});
        let differs = |r: &Review, row| codes(r, row).contains(&Code::TaxDiffers);
        assert!(differs(&review, 1));
        assert!(!differs(&review, 2), "{:?}", codes(&review, 2));
        let finding = review.findings_of(1).iter().find(|f| f.code() == Code::TaxDiffers).unwrap();
        let issue = review.describe_finding(finding);
        assert_eq!((issue.provided, issue.calculated), (Usd::parse("40").ok(), Usd::parse("48.50").ok()));
        assert_eq!(issue.difference, Usd::parse("8.50").ok());
        let fixes = certain_repairs(&review, RepairKind::UseCalculated);
        let changes: Vec<_> = fixes
            .iter()
            .flat_map(|f| f.changes.clone())
            .map(|c| (c.row, c.column, Some(c.text.clone())))
            .collect();
        assert_eq!(review.edit_cells(&changes, checks), RecheckScope::Rows(vec![1]));
        assert!(!differs(&review, 1));
        assert_eq!(review.to_wire(0).total, Usd::parse("1048.90").ok());
        let undo: Vec<_> = changes.iter().map(|c| (c.0, c.1, None)).collect();
        review.edit_cells(&undo, checks);
        assert!(differs(&review, 1), "undone as one step");
    });
}

/// The calculated tax is the transaction's: beside a part of it that stays it would be too much.
#[test]
fn a_repaired_amount_is_the_whole_of_several_rows_and_columns() {
    let start = "P1,2026-02-23,2026-02-23,PN,TX,GEN-1002";
    let rows = format!("1,{start},1000,20,,0.40,1040.40,A\n1,,,,,,,,20,,,,\n");
    let columns = format!("1,{start},1000,20,20,0.40,1040.40,A\n");
    let returned =
        rows.replace("PN", "RPE").replace(",1000,20", ",\"(1,000.00)\",-20").replace(",,20,", ",,-20,");
    let dates = "policy_effective_date,transaction_effective_date";
    let head = TEXAS.replace("sl_tax", "sl_tax,sl_tax").replace("policy_effective_date", dates);
    for text in [&rows, &columns, &returned].map(|rows| format!("{head}{rows}")) {
        let mut review = review(&text, |m| {
            (m.grouping, m.row_amounts) = (RowGrouping::ById, Some(RowAmounts::Add));
        });
        for kind in [RepairKind::UseCalculated, RepairKind::RemoveMinus] {
            let changes = certain_repairs(&review, kind).into_iter().flat_map(|fix| fix.changes);
            let changes: Vec<_> = changes.map(|c| (c.row, c.column, Some(c.text))).collect();
            with_checks(|checks| review.edit_cells(&changes, checks));
        }
        let sent = review.to_wire(0);
        assert_eq!(sent.premium, Usd::parse("1000").ok(), "{text}");
        assert_eq!(sent.sl_tax.map(Usd::abs), Usd::parse("48.50").ok(), "{text}");
        assert!(!codes(&review, 1).contains(&Code::TaxDiffers), "{text}");
    }
}

#[test]
fn a_change_of_an_id_is_seen_by_its_twin() {
    with_checks(|checks| {
        let mut review = review("id,policy_number\nA,1\nA,2\nB,3\n", |_| {});
        assert!(codes(&review, 2).contains(&Code::DuplicateId));
        assert_eq!(review.edit_cells(&[(1, 0, Some("C".into()))], checks), RecheckScope::Rows(vec![1, 2]));
        assert!(!codes(&review, 2).contains(&Code::DuplicateId));
        review.edit_cells(&[(3, 0, Some("A".into()))], checks);
        assert!(codes(&review, 3).contains(&Code::DuplicateId));
        review.exclude_all(&[(2, true)], checks);
        assert!(!codes(&review, 3).contains(&Code::DuplicateId), "an excluded row has no duplicate");
    });
}

#[test]
fn a_value_can_be_entered_where_the_file_has_no_column() {
    with_checks(|checks| {
        let mut review = review("id,policy_number\n1,P\n", |_| {});
        let column = usize::from(review.layout().column_of(Field::PhysicalState));
        assert!(!review.layout().is_in_file(column));
        review.edit_cells(&[(1, column, Some("TX".into()))], checks);
        assert_eq!(review.to_wire(0).physical_state.as_deref(), Some("TX"));
    });
}

#[test]
fn what_was_sent_before_is_known() {
    let text = format!("{TEXAS}1,P1,2026-02-23,PN,TX,GEN-1002,1000,48.50,0.40,1048.90,A\n");
    let first = review(&text, |_| {});
    let mut sent = SentKeys::default();
    sent.add("other", first.duplicate_key(0), "2026-02-24");
    let again = Review::new(first.source().clone(), first.mapping().clone(), &check_settings(&sent, 1));
    assert!(codes(&again, 1).contains(&Code::SentBefore));
}

#[test]
fn a_return_is_at_most_what_was_charged_for_its_policy() {
    // Rows of the file with whether each is told to return too much; of policy P, 1,000.00 was sent.
    let cases: [&[(&str, bool)]; 9] = [
        &[("P,RPE,1000", false)],
        &[("P,RPE,1000.01", true)],
        &[("P,FC,-1000.01", true)],
        &[("P,RPE,1200", false), ("P,APE,200", false)],
        &[("P,RPE,600", false), ("P,PC,400", false), ("P,ARE,0.01", true)],
        &[("Q,RPE,600", false)],
        &[("Q,APE,100", false), ("Q,RPE,600", false)],
        &[("Q,PR,500", false), ("Q,BO,500.01", true)],
        &[("P,ZPE,5000", false), ("P,RPE,abc", false)],
    ];
    for rows in cases {
        let text = rows
            .iter()
            .fold("policy_number,transaction_type,premium".to_owned(), |text, (row, _)| text + "\n" + row);
        let source = read("x.csv", text.into(), &ReadOptions::default()).unwrap();
        let mapping = propose_mapping(&source, &[]).mapping;
        for is_of_chunk in [false, true] {
            let mut sent = if is_of_chunk { SentKeys::of_chunk() } else { SentKeys::default() };
            let key = SameTransaction {
                policy_number: "P".into(),
                transaction_type: "PN".into(),
                effective_date: "2026-02-23".into(),
                premium: "1000.00".into(),
            };
            sent.add("1", Some(key), "2026-02-24");
            let review = Review::new(source.clone(), mapping.clone(), &check_settings(&sent, 1));
            for (at, (row, is_told)) in rows.iter().enumerate() {
                let found = codes(&review, at + 1).contains(&Code::ReturnTooLarge);
                assert_eq!(found, *is_told && !is_of_chunk, "{row} of {rows:?}, in chunks: {is_of_chunk}");
            }
        }
    }
}

#[test]
fn what_few_states_ask_is_read_checked_and_sent() {
    let text = "id,Fee charged by,Occupancy,Assessment rate\n\
                1,Retail agent,condominium,6%\n2,surplus lines licensee,mobile_home,6.25\n3,,,\n4,nobody,castle,0.06\n5,,,0.5 %\n6,,,101\n";
    let review = review(text, |_| {});
    let sent = |transaction: usize| {
        let wire = review.to_wire(transaction);
        let rate = wire.assessment_rate.map(|rate| rate.to_string());
        (wire.agency_fee_charged_by, wire.occupancy, rate)
    };
    let expected = |charger: &str, occupancy: &str, rate: &str| {
        let text = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
        (text(charger), text(occupancy), text(rate))
    };
    assert_eq!(sent(0), expected("retail_agent", "condominium", "0.06"));
    assert_eq!(sent(1), expected("surplus_lines_licensee", "mobile_home", "0.0625"));
    assert_eq!(sent(2), expected("", "", ""));
    assert_eq!(sent(3), expected("", "", ""), "what cannot be read is not sent");
    assert_eq!(sent(4), expected("", "", "0.005"));
    assert_eq!(sent(5), expected("", "", ""));
    let of = |row: usize, code: Code| codes(&review, row).iter().filter(|found| **found == code).count();
    assert_eq!((of(4, Code::CodeUnknown), of(4, Code::PercentUnreadable)), (2, 1));
    assert_eq!((of(1, Code::CodeUnknown), of(1, Code::PercentUnreadable)), (0, 0));
    assert_eq!(of(6, Code::PercentUnreadable), 1);
}

#[test]
fn the_use_of_a_building_is_no_dwelling() {
    let field = |text: &str| {
        let source = read("x.csv", text.into(), &ReadOptions::default()).unwrap();
        propose_mapping(&source, &[]).columns[1].field
    };
    assert_eq!(field("Policy,Occupancy\nP-1,Restaurant\nP-2,Office\n"), None);
    assert_eq!(field("Policy,Occupancy\nP-1,Condo\nP-2,Office\n"), Some(Field::Occupancy));
}

/// Maine taxes the licensee's fee and not the retail agent's: 3% of 1,100 or of 1,000.
#[test]
fn taxes_are_compared_as_the_row_or_the_profile_says_who_charges_the_fee() {
    use bordereau_tax::FeeChargedBy::{RetailAgent, SurplusLinesLicensee};
    for (said, remembered, tax, differs) in [
        ("retail agent", None, "30.00", false),
        ("retail agent", None, "33.00", true),
        ("surplus lines licensee", None, "33.00", false),
        ("", Some(RetailAgent), "30.00", false),
        ("", Some(SurplusLinesLicensee), "30.00", true),
        ("surplus lines licensee", Some(RetailAgent), "33.00", false),
    ] {
        let text = format!(
            "policy_effective_date,transaction_type,physical_state,line_of_business_list,premium,agency_fee,\
             agency_fee_charged_by,sl_tax\n02/23/2026,PN,ME,GEN-1002,1000.00,100.00,{said},{tax}\n"
        );
        let source = read("x.csv", text.into(), &ReadOptions::default()).unwrap();
        let mapping = propose_mapping(&source, &[]).mapping;
        let found = with_checks(|checks| {
            let checks = CheckSettings { fee_charged_by: remembered, ..*checks };
            codes(&Review::new(source, mapping, &checks), 1).contains(&Code::TaxDiffers)
        });
        assert_eq!(found, differs, "{said} {remembered:?} {tax}");
    }
}

/// Only where the neighbors are padded with zeros is a shorter number one that lost them.
#[test]
fn a_number_shorter_than_its_neighbors_is_noticed() {
    let head = "id,policy_number,premium\n";
    let rows = |numbers: &[&str]| -> Vec<(usize, String)> {
        let line = |(at, number): (usize, &&str)| format!("A-{at},{number},1.00\n");
        let text: String = numbers.iter().enumerate().map(line).collect();
        let review = review(&format!("{head}{text}"), |_| {});
        let short = review.findings().iter().filter(|finding| finding.code() == Code::IdentifierShort);
        short
            .map(|finding| {
                (finding.row(), review.describe_finding(finding).fix.unwrap().changes[0].text.clone())
            })
            .collect()
    };
    let padded: Vec<String> = (1..=12).map(|n| format!("00{n:04}")).collect();
    let mut numbers: Vec<&str> = padded.iter().map(String::as_str).collect();
    numbers.push("77");
    assert_eq!(rows(&numbers), [(13, "000077".to_owned())]);
    let growing: Vec<String> = (95..=140).map(|n: u32| n.to_string()).collect();
    assert_eq!(rows(&growing.iter().map(String::as_str).collect::<Vec<_>>()), []);
    assert_eq!(rows(&["001", "002", "3"]), [], "too few");
}

#[test]
fn a_repaired_date_is_written_as_its_column_writes_dates() {
    for (policy, other, wrong, repaired) in [
        ("02/23/2026", "03/25/2026", "02/24/2026", "02/23/2026"),
        ("23/02/2026", "25/03/2026", "24/02/2026", "23/02/2026"),
        ("2026-02-23", "2026-03-25", "2026-02-24", "2026-02-23"),
    ] {
        let text = format!(
            "id,policy_number,policy_effective_date,transaction_effective_date,transaction_type\n\
             1,P1,{other},{other},PN\n2,P2,{policy},{wrong},PN\n"
        );
        with_checks(|checks| {
            let mut review = review(&text, |_| {});
            let fixes = certain_repairs(&review, RepairKind::SetDate);
            assert_eq!(fixes.iter().map(|fix| fix.label.as_str()).collect::<Vec<_>>(), ["Set Feb 23, 2026"]);
            let changes: Vec<_> = fixes
                .iter()
                .flat_map(|fix| fix.changes.clone())
                .map(|c| (c.row, c.column, Some(c.text.clone())))
                .collect();
            assert_eq!(changes[0].2.as_deref(), Some(repaired), "{wrong}");
            review.edit_cells(&changes, checks);
            assert!(!codes(&review, 2).contains(&Code::TransactionDateDiffers), "{wrong}");
        });
    }
}

#[test]
fn a_term_says_when_a_policy_ends_that_has_no_expiration_date() {
    let text = "id,policy_number,policy_effective_date,policy_expiration_date,Term,transaction_type\n\
                1,P1,02/28/2026,,6 mos,PN\n2,P2,02/28/2026,,12,PN\n3,P3,02/28/2026,03/28/2026,6,PN\n4,P4,08/31/2026,,18,PN\n";
    with_checks(|checks| {
        let mut review = review(text, |_| {});
        let proposal = propose_mapping(review.source(), &[]);
        let term = proposal.columns[4].suggestion.as_ref().map(|suggestion| suggestion.reason.as_str());
        assert!(term.is_some_and(|reason| reason.starts_with("Terms of policies.")), "{term:?}");
        let has_term = |review: &Review, row| codes(review, row).contains(&Code::TermNotDated);
        assert_eq!([1, 2, 3, 4].map(|row| has_term(&review, row)), [true, false, false, true]);
        let fixes = certain_repairs(&review, RepairKind::SetDate);
        let changes = fixes.into_iter().flat_map(|fix| fix.changes);
        let changes: Vec<_> = changes.map(|c| (c.row, c.column, Some(c.text))).collect();
        let dates: Vec<_> = changes.iter().filter_map(|(.., text)| text.as_deref()).collect();
        assert_eq!(dates, ["08/28/2026", "02/29/2028"]);
        review.edit_cells(&changes, checks);
        assert!((1..=4).all(|row| !has_term(&review, row)));
    });
}

#[test]
fn a_missing_yes_or_no_is_asked_for_as_such() {
    let text = "id,Transaction type,Layered risk\n1,PN,\n";
    let review = review(text, |_| ());
    let flag = |finding: &&bordereau_spreadsheets::Finding| finding.field() == Some(Field::LayeredRisk);
    let message = review.describe_finding(review.findings_of(1).iter().find(flag).unwrap()).message;
    assert!(message.contains("expected the layered risk (yes or no)"), "{message}");
}

/// One value for all rows of a card is written as its column writes values; what is none of the field's is refused.
#[test]
fn one_value_is_set_in_all_rows_of_a_group() {
    let text = "id,Policy,Effective date,Layered risk,Inspection fee,Premium\n\
                1,P-1,02/23/2026,maybe,see invoice,1\n2,P-2,TBD soon,0,\"1.250,50\",2\n3,P-3,02/30/2026,often,,3\n";
    let review = review(text, |mapping| mapping.decimal_mark = Some(DecimalMark::Comma));
    let of = |code: Code| -> Vec<_> { review.findings().iter().filter(|f| f.code() == code).collect() };
    let set = |code: Code, typed: &str| {
        let changes = bordereau_spreadsheets::set_value(&review, &of(code), typed);
        changes.map(|all| all.into_iter().map(|change| (change.row, change.text)).collect::<Vec<_>>())
    };
    let both = |text: &str| Ok(vec![(2, text.to_owned()), (3, text.to_owned())]);
    assert_eq!(set(Code::DateUnreadable, "2026-03-01"), both("03/01/2026"));
    assert_eq!(set(Code::DateUnreadable, "3/1/2026"), both("03/01/2026"));
    assert!(set(Code::DateUnreadable, "soon").unwrap_err().contains("such as 02/23/2026"));
    assert!(set(Code::DateUnreadable, " ").is_err());
    assert_eq!(set(Code::AmountUnreadable, "12.50"), Ok(vec![(1, "12,50".into())]));
    // Each policy has a number of its own.
    assert!(!of(Code::Missing).iter().any(|f| f.field() == Some(Field::PolicyNumber)));
}

#[test]
fn what_is_wrong_beside_the_cell_is_repaired_where_it_is_sure() {
    let text = "id,premium,transaction_type,physical_state,physical_zip_code,line_of_business_list,\
                line_of_business_coverage\n\
                1,\"(1,000.00)\",PN,TX,33101,GEN-1002 | GEN-1008,600 | 500\n";
    let review = review(text, |_| {});
    let fixes: Vec<(RepairKind, bool, usize, String)> = review
        .findings()
        .iter()
        .filter_map(|finding| review.describe_finding(finding).fix)
        .filter_map(|fix| Some((fix.kind, fix.kind.is_offered(fix.certain), fix.changes.first()?.clone())))
        .map(|(kind, is_offered, change)| (kind, is_offered, change.column, change.text))
        .collect();
    for expected in [
        (RepairKind::RemoveMinus, true, 1, "1,000.00".to_owned()),
        (RepairKind::UseZipState, true, 3, "FL".to_owned()),
    ] {
        assert!(fixes.contains(&expected), "{expected:?} of {fixes:?}");
    }
    for (zip, kind) in [("33101", RepairKind::UseZipState), ("", RepairKind::UseMailingState)] {
        let text = format!("id,Insured state,Risk zip\n1,Florida,{zip}\n");
        let review = self::review(&text, |_| {});
        let is_state = |finding: &&bordereau_spreadsheets::Finding| {
            (finding.code(), finding.field()) == (Code::Missing, Some(Field::PhysicalState))
        };
        let fix = review.describe_finding(review.findings().iter().find(is_state).unwrap()).fix.unwrap();
        assert_eq!((fix.kind, fix.changes[0].text.as_str()), (kind, "FL"), "{}", fix.label);
        assert!(fix.kind.is_offered(fix.certain));
    }
    let text = text.replace("(1,000.00)", "1,000.00");
    let review = self::review(&text, |_| {});
    let sum = review.findings().iter().find(|finding| finding.code() == Code::LinesNotPremium).unwrap();
    let fix = review.describe_finding(sum).fix.unwrap();
    assert_eq!((fix.kind, fix.certain, fix.changes[0].column), (RepairKind::UseLineSum, false, 1));
    assert_eq!(fix.changes[0].text, "1100.00");
}

/// Which of two limits is meant a person decides.
#[test]
fn a_limit_is_written_out() {
    let text = "Policy #,Limit\nP1,\"$1,000,000\"\nP2,2.5M\nP3,1M/2M\nP4,full value\n";
    let review = self::review(text, |_| {});
    let is_limit = |finding: &&bordereau_spreadsheets::Finding| finding.code() == Code::AmountUnreadable;
    let fixes: Vec<_> =
        review.findings().iter().filter(is_limit).map(|it| review.describe_finding(it).fix).collect();
    let written = |fix: &Option<bordereau_spreadsheets::IssueRepair>| {
        fix.as_ref().map(|fix| (fix.label.clone(), fix.certain, fix.changes[0].text.clone()))
    };
    let expected = [
        Some(("Write $2,500,000.00".to_owned(), true, "2500000.00".to_owned())),
        Some(("Write $1,000,000.00".to_owned(), false, "1000000.00".to_owned())),
        None,
    ];
    assert_eq!(fixes.iter().map(written).collect::<Vec<_>>(), expected);
}

/// Exports call an endorsement and its return alike; with the minus it is a return, and is never made a charge.
#[test]
fn a_return_that_is_entered_as_a_charge_is_made_the_return_it_is() {
    for (word, premium, made) in [
        ("APE", "-450.00", Some(("RPE", "450.00"))),
        ("AP", "(1,450.00)", Some(("RPE", "1,450.00"))),
        ("Audit", "450.00-", Some(("ARE", "450.00"))),
        ("rp", "-450.00", Some(("RPE", "450.00"))),
        ("PR", "-450.00", None),
        ("PN", "-450.00", None),
        ("APE", "450.00", None),
        ("RPE", "-450.00", None),
    ] {
        // A renewal called "RP" beside it: the word alone doesn't say which one it is.
        let file = format!("id,transaction_type,premium\n1,{word},\"{premium}\"\n2,RP,450.00\n");
        let review = review(&file, |_| {});
        let found = review.findings().iter().find(|finding| finding.code() == Code::ReturnAsCharge);
        let fix = found.map(|finding| review.describe_finding(finding).fix.expect("a repair"));
        let texts = fix.map(|fix| {
            assert_eq!((fix.kind, fix.certain), (RepairKind::MakeReturn, false));
            fix.changes.into_iter().map(|change| (change.column, change.text)).collect::<Vec<_>>()
        });
        let made = made.map(|(kind, premium)| vec![(1, kind.to_owned()), (2, premium.to_owned())]);
        assert_eq!(texts, made, "{word} {premium}");
    }
}
