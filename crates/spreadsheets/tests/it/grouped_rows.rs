//! Rows that are put together because of what is in them: insurers of one policy, and rows that go on with the one above.

use bordereau_contract::CoverageItem;
use bordereau_spreadsheets::{Code, Field, RowAmounts, RowGrouping};

use crate::charge_rows::proposed;
use crate::reviews::{review, with_checks};

fn entries(items: &[CoverageItem]) -> Vec<String> {
    let share = |item: &CoverageItem| item.coverage.map_or(String::new(), |share| format!(" {share}"));
    items.iter().map(|item| format!("{}{}", item.item, share(item))).collect()
}

#[test]
fn insurers_of_one_policy_are_one_transaction() {
    let text = "Policy #,Insured,LOB,Premium,NAIC #,Participation %\n\
        SH-1,Theta LLC,GEN-1001,1000,19437,60%\nSH-1,Theta LLC,GEN-1001,1000,35378,40%\nSH-2,Iota LLC,GEN-1002,400,19437,100%\n";
    let (proposal, review) = proposed(text);
    assert_eq!(
        (proposal.mapping.grouping, proposal.mapping.row_amounts),
        (RowGrouping::ByPolicy, Some(RowAmounts::Repeat))
    );
    assert_eq!(review.transactions().count(), 2);
    let wire = review.to_wire(0);
    assert_eq!(wire.premium.map(|usd| usd.to_string()).as_deref(), Some("1000.00"));
    assert_eq!(entries(&wire.line_of_business_list), ["GEN-1001 1000.00"]);
    assert_eq!(entries(&wire.insurance_company_list), ["19437 60.00", "35378 40.00"]);
    let codes: Vec<Code> = review.findings_of(1).iter().map(|finding| finding.code()).collect();
    assert!(!codes.contains(&Code::LinesNotPremium) && !codes.contains(&Code::SharesNotWhole), "{codes:?}");

    // What doesn't add up is left to a person.
    for other in [text.replace("40%", "30%"), text.replace("1000,35378", "900,35378")] {
        assert_eq!(proposed(&other).0.mapping.grouping, RowGrouping::None, "{other}");
    }
}

/// Each insurer's row has its part of the premium and of the tax; a fee is in one of them.
#[test]
fn parts_of_insurers_are_one_transaction() {
    let head = "Policy #,Insured,LOB,Premium,Policy Fee,SL Tax,Total,NAIC #,Share\n";
    let text = format!(
        "{head}SH-1,Theta LLC,GEN-1001,6000,75,291,,19437,60%\nSH-1,Theta LLC,GEN-1001,4000,,194,,35378,40%\n\
         SH-2,Iota LLC,GEN-1002,500.01,,,500.01,19437,50%\nSH-2,Iota LLC,GEN-1002,500,,,500,35378,50%\n\
         SH-3,Eta LLC,GEN-1002,700,,,700,19437,100%\n"
    );
    let (proposal, review) = proposed(&text);
    assert_eq!(proposal.mapping.row_amounts, Some(RowAmounts::Add));
    assert_eq!(review.transactions().count(), 3);
    let wire = review.to_wire(0);
    let usd = |amount: Option<bordereau_money::Usd>| amount.map(|usd| usd.to_string()).unwrap_or_default();
    assert_eq!([wire.premium, wire.agency_fee, wire.sl_tax].map(usd), ["10000.00", "75.00", "485.00"]);
    assert_eq!(entries(&wire.line_of_business_list), ["GEN-1001 10000.00"]);
    assert_eq!(entries(&wire.insurance_company_list), ["19437 60.00", "35378 40.00"]);
    let wire = review.to_wire(1);
    assert_eq!([wire.premium, wire.total].map(usd), ["1000.01", "1000.01"]);

    // A fee that is the same for each insurer may be one, and a part that is none is nobody's.
    for other in [text.replace(",4000,,", ",4000,75,"), text.replace(",4000,", ",4001,")] {
        assert_eq!(proposed(&other).0.mapping.grouping, RowGrouping::None, "{other}");
    }
}

/// A report names a policy once, in the first of its rows.
#[test]
fn rows_below_a_policy_go_on_with_it() {
    let text = "Policy #,Insured,State,LOB,Line Premium,Premium\n\
        ML-1,Delta LLC,TX,GEN-1002,1000,1500\n,,,GEN-1001,500,\nML-2,Eta LLC,TX,GEN-1002,700,700\n";
    let (proposal, review) = proposed(text);
    assert_eq!(proposal.mapping.row_amounts, Some(RowAmounts::Repeat));
    let wire = review.to_wire(0);
    assert_eq!(review.transactions().count(), 2);
    assert_eq!(entries(&wire.line_of_business_list), ["GEN-1002 1000.00", "GEN-1001 500.00"]);

    // Each row has its own premium; a sum at the end is nobody's line.
    let text = "Policy #,Insured,State,LOB,Premium\n\
        ML-1,Delta LLC,TX,GEN-1002,1000\n,,,GEN-1001,500\nML-2,Eta LLC,TX,GEN-1002,700\n,,,,2200\n";
    let (proposal, review) = proposed(text);
    assert_eq!(proposal.mapping.row_amounts, Some(RowAmounts::Add));
    assert_eq!(review.transactions().count(), 3);
    let premium = |transaction| review.to_wire(transaction).premium.map(|usd| usd.to_string());
    assert_eq!([premium(0), premium(1)], [Some("1500.00".to_owned()), Some("700.00".to_owned())]);
    assert_eq!(entries(&review.to_wire(0).line_of_business_list), ["GEN-1002 1000.00", "GEN-1001 500.00"]);

    let text = text.replace("Premium", "Premium Debit,Premium Credit").replace(",500", ",,500");
    let (proposal, review) = proposed(&text);
    assert_eq!(proposal.mapping.row_amounts, Some(RowAmounts::Add), "the premium is in two columns");
    assert_eq!(review.to_wire(0).premium.map(|usd| usd.to_string()).as_deref(), Some("500.00"));

    // Two transactions of one policy are two; so are rows that say whose they are.
    for rows in [
        "ML-1,Delta LLC,TX,GEN-1002,1000\nML-1,Delta LLC,TX,GEN-1002,50\n,,,GEN-1001,500\n",
        "ML-1,Delta LLC,TX,GEN-1002,1000\n,Eta LLC,,GEN-1001,500\n",
        "ML-1,Delta LLC,TX,GEN-1002,1000\n,,,GEN-1001,\n",
    ] {
        let (proposal, review) = proposed(&format!("Policy #,Insured,State,LOB,Premium\n{rows}"));
        assert_eq!(proposal.mapping.grouping, RowGrouping::None, "{rows}");
        assert_eq!(review.transactions().count(), rows.lines().count());
    }
}

/// A row for each coverage, and what is due for all of them in one.
#[test]
fn rows_that_a_total_adds_up_are_one_transaction() {
    let head = "Policy #,Insured,LOB,Premium,Policy Fee,SL Tax,Total\n";
    let text = format!(
        "{head}C1,Delta LLC,GEN-1002,1000,150,,\nC1,Delta LLC,GEN-1001,2000,,152.78,3302.78\n\
         C2,Eta LLC,GEN-1035,800,100,43.65,943.65\n"
    );
    let (proposal, review) = proposed(&text);
    assert_eq!(proposal.mapping.row_amounts, Some(RowAmounts::Add));
    assert_eq!(review.transactions().count(), 2);
    let wire = review.to_wire(0);
    assert_eq!(entries(&wire.line_of_business_list), ["GEN-1002 1000.00", "GEN-1001 2000.00"]);
    let amounts = [wire.premium, wire.agency_fee, wire.sl_tax, wire.total];
    let amounts = amounts.map(|usd| usd.map(|usd| usd.to_string()).unwrap_or_default());
    assert_eq!(amounts, ["3000.00", "150.00", "152.78", "3302.78"]);
    // Another sum, the same line twice, and premium that is given back are transactions of their own.
    for rows in [
        "C1,Delta LLC,GEN-1002,1000,150,,\nC1,Delta LLC,GEN-1001,2000,,152.78,2152.78\n",
        "C1,Delta LLC,GEN-1002,1000,150,,\nC1,Delta LLC,GEN-1002,2000,,152.78,3302.78\n",
        "C1,Delta LLC,GEN-1002,1000,,,\nC1,Delta LLC,GEN-1001,-200,,,800\n",
        "C1,Delta LLC,GEN-1002,1000,,,1000\nC1,Delta LLC,GEN-1001,200,,,1200\n",
    ] {
        let (proposal, review) = proposed(&format!("{head}{rows}"));
        assert_eq!(proposal.mapping.grouping, RowGrouping::None, "{rows}");
        assert_eq!(review.transactions().count(), 2);
    }
}

/// Added to the last transaction, the sum of all would be sent as its premium.
#[test]
fn a_line_of_totals_goes_on_with_no_transaction() {
    let head = "Policy #,Insured,State,LOB,Note,Premium\nML-1,Delta LLC,TX,GEN-1002,,1000\n";
    for below in [",,,Total,,1000\n", ",,,Totals:,,1000\n", ",,,GEN-1002,Page total,1000\n"] {
        let (proposal, review) = proposed(&format!("{head}{below}"));
        assert_eq!(proposal.mapping.grouping, RowGrouping::None, "{below}");
        assert_eq!(review.transactions().count(), 2);
    }
    let mut edited = review(&format!("{head},,,GEN-1001,,500\n"), |mapping| {
        (mapping.grouping, mapping.row_amounts) = (RowGrouping::ByPolicy, Some(RowAmounts::Add));
    });
    let mut count_with = |note: Option<&str>| {
        with_checks(|checks| edited.edit_cells(&[(2, 4, note.map(str::to_owned))], checks));
        edited.transactions().count()
    };
    assert_eq!([count_with(Some("Page total")), count_with(None)], [2, 1], "as soon as it says so");
    // A line that every row has is not the row's own.
    let text = "Policy #,Insured,Premium\nML-1,Delta LLC,1000\nML-2,Eta LLC,500\n,,1500\n";
    let review = review(text, |mapping| {
        (mapping.grouping, mapping.row_amounts) = (RowGrouping::ByPolicy, Some(RowAmounts::Add));
        mapping.rules.defaults.insert(Field::LineOfBusiness, "GEN-1002".into());
    });
    assert_eq!(review.transactions().count(), 3);
    assert_eq!(review.to_wire(1).premium.map(|usd| usd.to_string()).as_deref(), Some("500.00"));
}

/// Rows without a policy number are not each other's.
#[test]
fn rows_that_nobody_knows_stay_apart() {
    let text = "Policy #,Type,Insured,LOB,Premium\n,PN,Delta LLC,GEN-1002,1000\n,PN,Eta LLC,GEN-1002,500\n";
    let review = review(text, |mapping| mapping.grouping = RowGrouping::ByPolicy);
    assert_eq!(review.transactions().count(), 2);
    assert_eq!(review.transactions().of_row(2), Some(1));
}
