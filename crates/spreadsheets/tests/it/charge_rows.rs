//! Files with a row for each premium, tax and fee of a transaction.

use bordereau_money::Usd;
use bordereau_spreadsheets::{
    ChargeRows, Code, Field, Mapping, MappingProposal, MappingReason, ReadOptions, Review, RowGrouping,
    propose_mapping, read,
};

use crate::reviews::with_checks;

/// A file with the mapping that is proposed for it, and its review.
pub fn proposed(text: &str) -> (MappingProposal, Review) {
    let source = read("x.csv", text.into(), &ReadOptions::default()).unwrap();
    let proposal = propose_mapping(&source, &[]);
    let mapping = proposal.mapping.clone();
    (proposal, with_checks(|checks| Review::new(source, mapping, checks)))
}

const HEADER: &str = "Policy Number,Named Insured,Effective Date,Tran Code,Company,LOB,State,Amount\n";

/// Each row has a code of its own; the premium's is the type.
#[test]
fn rows_of_charges_are_one_transaction_of_their_policy() {
    let rows = "P1,Diner LLC,02/23/2026,SLTX,State of Texas,CGL,TX,48.50\n\
        P1,Diner LLC,02/23/2026,NEW,Lloyd's AA-1122000,CGL,TX,\"1,000.00\"\n\
        P1,Diner LLC,02/23/2026,STMP,SLTX Office,CGL,TX,0.40\n\
        P2,Cafe Inc,03/01/2026,REN,10899,CGL,TX,500\n\
        P2,Cafe Inc,03/01/2026,Policy Fee,Agency,CGL,TX,75\n\
        P2,Cafe Inc,03/01/2026,Policy Fee,Agency,CGL,TX,25\n";
    let (proposal, review) = proposed(&format!("{HEADER}{rows}"));
    assert_eq!(proposal.mapping.grouping, RowGrouping::ByPolicy);
    let charges = &proposal.mapping.rules.charges[0];
    assert_eq!((charges.charge.header.as_str(), charges.amount.header.as_str()), ("Tran Code", "Amount"));
    assert!(charges.is_type);
    let of_charges = proposal.columns.iter().filter(|c| ["Tran Code", "Amount"].contains(&c.header.as_str()));
    assert!(of_charges.clone().all(|c| c.field.is_none() && c.reason == MappingReason::Unknown));

    assert_eq!(review.transactions().count(), 2);
    let [first, second] = [review.to_wire(0), review.to_wire(1)];
    let usd = |text: &str| Usd::parse(text).ok();
    assert_eq!((first.premium, first.sl_tax, first.stamping_fee), (usd("1000"), usd("48.50"), usd("0.40")));
    assert_eq!((second.premium, second.agency_fee, second.sl_tax), (usd("500"), usd("100"), None));
    assert_eq!([&first, &second].map(|sent| sent.transaction_type.as_deref()), [Some("PN"), Some("PR")]);
    // Who is paid a tax is no insurer, and a charge's line of business no further line.
    assert_eq!(first.insurance_company_list.len(), 1);
    assert_eq!(first.line_of_business_list.len(), 1);
    let differing = review.findings().iter().filter(|finding| finding.code() == Code::GroupDiffers).count();
    assert_eq!(differing, 0);
}

/// The description says what the code says: it is no risk's.
#[test]
fn a_description_of_charges_is_no_risk_description() {
    let head = "Policy,Client,Eff,Code,Description,Amt,St,LOB\n";
    let rows = "P-1,Blue Fox LLC,03/21/2026,NB,New Business Premium,2000,FL,General Liability\n\
        P-1,Blue Fox LLC,03/21/2026,SLT,Surplus Lines Tax 4.94%,98.80,FL,General Liability\n\
        P-1,Blue Fox LLC,03/21/2026,FSLSO,Stamping Fee .06%,1.20,FL,General Liability\n";
    let (proposal, review) = proposed(&format!("{head}{rows}"));
    assert_eq!(proposal.mapping.rules.charges[0].charge.header, "Code");
    assert!(proposal.columns.iter().all(|column| column.field != Some(Field::RiskDescription)));
    let sent = review.to_wire(0);
    let usd = |text: &str| Usd::parse(text).ok();
    assert_eq!((sent.premium, sent.sl_tax, sent.stamping_fee), (usd("2000"), usd("98.80"), usd("1.20")));
    assert_eq!(sent.transaction_type.as_deref(), Some("PN"));
}

/// Were it a charge's, each row would be a transaction, and its tax a premium.
#[test]
fn a_limit_and_a_total_are_in_each_row_of_a_transaction() {
    let head = "Policy Number,Insured,Effective Date,Type,LOB,Limit,Description,Line Amt,Invoice Total\n";
    let rows = "P1,Diner LLC,02/23/2026,New,CGL,1000000,Premium,1000,1048.90\n\
        P1,Diner LLC,02/23/2026,New,CGL,1000000,SL Tax,48.50,1048.90\n\
        P1,Diner LLC,02/23/2026,New,CGL,1000000,Stamping Fee,0.40,1048.90\n\
        P2,Cafe Inc,02/23/2026,New,CGL,1000000,Premium,400,400\n\
        P2,Cafe Inc,02/23/2026,New,CGL,2000000,Policy Fee,400,400\n";
    let (_, review) = proposed(&format!("{head}{rows}"));
    let wires = [review.to_wire(0), review.to_wire(1)];
    let usd = |amount: Option<Usd>| amount.map(|usd| usd.to_string()).unwrap_or_default();
    let of_first = &wires[0];
    let [premium, tax, fee] = [of_first.premium, of_first.sl_tax, of_first.stamping_fee].map(usd);
    assert_eq!([premium, tax, fee], ["1000.00", "48.50", "0.40"]);
    assert_eq!(wires.each_ref().map(|wire| usd(wire.policy_limit)), ["1000000.00"; 2]);
    // Where the charges are as much as the totals together, each row has its own.
    assert_eq!(wires.each_ref().map(|wire| usd(wire.total)), ["1048.90", "800.00"]);
    let differing: Vec<_> = review.findings().iter().filter(|it| it.code() == Code::GroupDiffers).collect();
    assert_eq!(
        differing.iter().map(|it| (it.row(), it.field())).collect::<Vec<_>>(),
        [(5, Some(Field::PolicyLimit))]
    );
}

/// All rows of the transaction get its type: else its tax would be another one.
#[test]
fn a_return_among_rows_of_charges_is_made_one_in_all_of_them() {
    let head = "Policy Number,Insured,Type,Description,Amount\n";
    let rows =
        "P1,Diner LLC,AP,SL Tax,-14.55\nP1,Diner LLC,AP,Return Premium,-300\nP1,Diner LLC,AP,TRIA,-10\n";
    let (_, mut review) = proposed(&format!("{head}{rows}"));
    let is_return = |finding: &&bordereau_spreadsheets::Finding| finding.code() == Code::ReturnAsCharge;
    let fix = review.describe_finding(review.findings().iter().find(is_return).unwrap()).fix.unwrap();
    let cells: Vec<_> = fix.changes.iter().map(|it| (it.row, it.column, Some(it.text.clone()))).collect();
    with_checks(|checks| review.edit_cells(&cells, checks));
    assert_eq!(review.transactions().count(), 1);
    let sent = review.to_wire(0);
    assert_eq!((sent.transaction_type.as_deref(), sent.premium), (Some("RPE"), Usd::parse("310").ok()));
    assert_eq!(sent.sl_tax, Usd::parse("-14.55").ok());
}

/// No rule gives the amounts of charges their signs.
#[test]
fn charges_that_are_credits_by_a_word_beside_them_are_left_to_a_person() {
    let head = "Policy Number,Insured,Type,Description,Amount,DR/CR\n";
    let rows = "P1,Diner LLC,New,Premium,1000,DR\nP1,Diner LLC,New,SL Tax,48.50,DR\nP1,Diner LLC,End,Premium,100,CR\n";
    let (proposal, review) = proposed(&format!("{head}{rows}"));
    assert!(proposal.mapping.rules.is_empty());
    assert_eq!(proposal.columns[4].suggestion.as_ref().map(|it| it.field), Some(None));
    assert_eq!(review.to_wire(0).premium, None);
}

#[test]
fn an_amount_of_an_unknown_charge_is_an_error_until_its_field_is_chosen() {
    let rows = "P1,Diner LLC,02/23/2026,Premium,10899,CGL,TX,1000\n\
        P1,Diner LLC,02/23/2026,SL Tax,,CGL,TX,48.50\n\
        P1,Diner LLC,02/23/2026,Kitchen levy,,CGL,TX,12.34\n\
        P1,Diner LLC,02/23/2026,,,CGL,TX,5\n\
        P1,Diner LLC,02/23/2026,SL Tax,,CGL,TX,abc\n";
    let (proposal, review) = proposed(&format!("{HEADER}{rows}"));
    assert!(!proposal.mapping.rules.charges[0].is_type, "\"Premium\" is no type");
    let unknown = |review: &Review| {
        let is_it = |f: &&bordereau_spreadsheets::Finding| f.code() == Code::ChargeUnknown;
        review.findings().iter().filter(is_it).map(|f| (f.row(), f.text().to_owned())).collect::<Vec<_>>()
    };
    assert_eq!(unknown(&review), [(3, "Kitchen levy".to_owned()), (4, String::new())]);
    assert!(review.findings_of(5).iter().any(|finding| finding.code() == Code::AmountUnreadable));
    let words: Vec<_> = review.rule_effects().charges[0].iter().map(|w| (w.word.as_str(), w.rows)).collect();
    assert_eq!(words, [("SL Tax", 2), ("Kitchen levy", 1), ("Premium", 1)]);

    for (field, fee) in [(Some(Field::AgencyFee), Usd::parse("12.34").ok()), (None, None)] {
        let mut mapping = proposal.mapping.clone();
        mapping.rules.charges[0].fields.insert("kitchen levy".into(), field);
        let mapping = mapping.with_checked_rules().unwrap();
        assert_eq!(Mapping::from_file(&mapping.to_file()).as_ref(), Ok(&mapping));
        let review = with_checks(|checks| review.clone().with_mapping(mapping, checks));
        assert_eq!(unknown(&review), [(4, String::new())]);
        assert_eq!(review.to_wire(0).agency_fee, fee);
    }
}

/// What was exported twice would be due twice; two fees that differ somewhere are two.
#[test]
fn a_row_that_is_there_twice_is_told() {
    let rows = "P1,Diner LLC,02/23/2026,NEW,10899,GEN-1002,TX,1000\n\
        P1,Diner LLC,02/23/2026,Policy Fee,Agency,GEN-1002,TX,25\n\
        P1,Diner LLC,02/23/2026,NEW,10899,GEN-1002,TX,1000\n\
        P1,Diner LLC,02/23/2026,Policy Fee,Broker,GEN-1002,TX,25\n";
    let (_, mut review) = proposed(&format!("{HEADER}{rows}"));
    let repeated = |review: &Review| {
        let is_it = |f: &&bordereau_spreadsheets::Finding| f.code() == Code::RowRepeated;
        review.findings().iter().filter(is_it).map(|f| f.row()).collect::<Vec<_>>()
    };
    assert_eq!(repeated(&review), [3]);
    let finding = review.findings().iter().find(|finding| finding.code() == Code::RowRepeated).unwrap();
    let fix = review.describe_finding(finding).fix.unwrap();
    let changes: Vec<_> = fix.changes.into_iter().map(|c| (c.row, c.column, Some(c.text))).collect();
    with_checks(|checks| review.edit_cells(&changes, checks));
    assert!(repeated(&review).is_empty());
    assert_eq!(review.to_wire(0).premium, Usd::parse("1000").ok());
}

/// A file saved with its amounts in columns of their own, and corrected in the column they came from.
#[test]
fn amounts_beside_a_column_of_their_own_are_not_lost() {
    let head = "Policy Number,Named Insured,Effective Date,Tran Code,LOB,State,Amount,sl_tax\n";
    let rows = "P1,Diner LLC,02/23/2026,NEW,GEN-1002,TX,1000,\n\
        P1,Diner LLC,02/23/2026,SLT,GEN-1002,TX,48.50,\n\
        P2,Cafe LLC,02/23/2026,NEW,GEN-1002,TX,1000,\n\
        P2,Cafe LLC,02/23/2026,SLT,GEN-1002,TX,50.00,48.50\n\
        P3,Deli LLC,02/23/2026,SLT,GEN-1002,TX,48.50,48.50\n";
    let source = read("x.csv", format!("{head}{rows}").into(), &ReadOptions::default()).unwrap();
    let mut mapping = propose_mapping(&source, &[]).mapping;
    let rule =
        proposed(&format!("{HEADER}{}", "P1,D,02/23/2026,NEW,X,CGL,TX,1\nP1,D,02/23/2026,SLT,X,CGL,TX,1\n"));
    mapping.rules.charges = rule.0.mapping.rules.charges;
    (mapping.grouping, mapping.row_amounts) = (RowGrouping::ByPolicy, rule.0.mapping.row_amounts);
    let review = with_checks(|checks| Review::new(source, mapping, checks));
    let differing: Vec<(usize, &str)> = review
        .findings()
        .iter()
        .filter(|finding| finding.code() == Code::ColumnsDiffer)
        .map(|finding| (finding.row(), finding.text()))
        .collect();
    assert_eq!(differing, [(4, "48.50")]);
    let taxes: Vec<_> = (0..3).map(|at| review.to_wire(at).sl_tax).collect();
    assert_eq!(taxes, [Usd::parse("48.50").ok(); 3]);
}

/// A calculated tax takes the place of its row's amount, and a changed word moves its amount.
#[test]
fn amounts_of_charges_are_repaired_and_changed() {
    let rows =
        "P1,Diner LLC,02/23/2026,NEW,10899,GEN-1002,TX,1000\nP1,Diner LLC,02/23/2026,SLT,,GEN-1002,TX,40\n";
    let (_, mut review) = proposed(&format!("{HEADER}{rows}"));
    let is_tax = |finding: &&bordereau_spreadsheets::Finding| finding.code() == Code::TaxDiffers;
    let finding = review.findings().iter().find(is_tax).unwrap();
    assert_eq!(finding.row(), 2, "where the amount is");
    let fix = review.describe_finding(finding).fix.unwrap();
    let changes: Vec<_> = fix.changes.into_iter().map(|c| (c.row, c.column, Some(c.text))).collect();
    with_checks(|checks| review.edit_cells(&changes, checks));
    assert_eq!(review.to_wire(0).sl_tax, Usd::parse("48.50").ok());
    let undo: Vec<_> = changes.into_iter().map(|(row, column, _)| (row, column, None)).collect();
    with_checks(|checks| review.edit_cells(&undo, checks));
    with_checks(|checks| review.edit_cells(&[(2, 3, Some("Policy fee".into()))], checks));
    let sent = review.to_wire(0);
    assert_eq!((sent.sl_tax, sent.agency_fee), (None, None), "the word is not in the mapping");
    assert!(review.findings_of(2).iter().any(|finding| finding.code() == Code::ChargeUnknown));
}

#[test]
fn other_files_are_not_taken_for_rows_of_charges() {
    let texts = [
        // Amounts in columns of their own.
        "Policy Number,Tran Code,Amount,SL Tax\nP1,NEW,1000,48.50\nP2,SLT,2,3\n",
        // No other charge than premiums.
        "Policy Number,Tran Code,Amount\nP1,NEW,1000\nP2,REN,2\n",
        // No policy that they belong to.
        "Tran Code,Amount\nNEW,1000\nSLT,48.50\n",
        // Words of something else.
        "Policy Number,Payee,Amount\nP1,Smith,1000\nP1,Tax,2\nP1,Jones,2\nP1,Miller,2\nP1,Premium,2\n",
    ];
    for text in texts {
        let (proposal, _) = proposed(text);
        assert!(proposal.mapping.rules.charges.is_empty(), "{text}");
    }
}

/// Texts that say whose the charge is as well are more than anybody matches: the known ones have their fields.
#[test]
fn a_column_of_many_different_texts_keeps_the_words_that_are_known() {
    let mut rows = String::new();
    for at in 0..3_000 {
        let text = match at % 4 {
            0 => "Premium".to_owned(),
            1 => "SL Tax 4.85%".to_owned(),
            2 if at > 2_100 => format!("{} Policy Fee", "x".repeat(at)),
            3 if at > 2_100 => format!("Charge {at}"),
            _ => "Stamping Fee".to_owned(),
        };
        rows.push_str(&format!("P{},Diner LLC,02/23/2026,{text},10899,CGL,TX,10\n", at / 4));
    }
    let (proposal, review) = proposed(&format!("{HEADER}{rows}"));
    let rule = &proposal.mapping.rules.charges[0];
    assert_eq!(rule.fields.get("sl tax 4.85%"), Some(&Some(Field::SlTax)));
    assert!(proposal.mapping.clone().with_checked_rules().is_ok());
    let unknown = review.findings().iter().filter(|finding| finding.code() == Code::ChargeUnknown).count();
    assert!(unknown >= 199, "each is an error, none is lost: {unknown}");
}

#[test]
fn rules_that_cannot_be_are_refused() {
    let column = |header: &str| bordereau_spreadsheets::ColumnName { header: header.into(), occurrence: 0 };
    let rows = |charge: &str, word: &str, field| ChargeRows {
        charge: column(charge),
        amount: column("Amount"),
        fields: [(word.to_owned(), field)].into(),
        is_type: false,
    };
    let cases = [
        (rows("Amount", "tax", Some(Field::SlTax)), "and another one with the amounts"),
        (rows("Code", "tax", Some(Field::InsuredName)), "a premium, a tax, a fee"),
        (rows("Code", &"x".repeat(101), Some(Field::SlTax)), "too long ones"),
    ];
    for (charges, sentence) in cases {
        let mut mapping = Mapping { version: 1, ..Mapping::default() };
        mapping.rules.charges.push(charges);
        let refused = mapping.with_checked_rules().unwrap_err();
        assert!(refused.contains(sentence), "{refused}");
    }
}
