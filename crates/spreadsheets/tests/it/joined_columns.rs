//! Columns that have one field in several, or several in one.

use bordereau_contract::CoverageItem;
use bordereau_spreadsheets::{Code, Field, Review};

use crate::charge_rows::proposed;
use crate::reviews::review;

#[test]
fn parts_of_a_name_and_of_a_place_are_put_where_they_belong() {
    let text = "Policy #,Insured First Name,MI,Insured Last Name,City/State/Zip,Risk City State,Prem,SL Tax (TX)\n\
        P1,Maria,,Delgado,\"Brownsville, TX 78520\",\"El Paso, Texas\",100,4.85\n\
        P2,,,Acme Rentals LLC,\"San Antonio, TX 78040-1234\",\"Laredo, TX\",100,4.85\n";
    let (proposal, review) = proposed(&text.replace(",MI,", ",Note,"));
    let [first, second] = [review.to_wire(0), review.to_wire(1)];
    assert_eq!(first.mailing_insured_name.as_deref(), Some("Maria Delgado"));
    assert_eq!(second.mailing_insured_name.as_deref(), Some("Acme Rentals LLC"));
    assert_eq!(first.physical_city.as_deref(), Some("El Paso"));
    assert_eq!(first.physical_state.as_deref(), Some("TX"));
    assert_eq!(
        (second.mailing_city.as_deref(), second.physical_city.as_deref()),
        (Some("San Antonio"), Some("Laredo"))
    );
    let tax = &proposal.columns[7];
    assert_eq!((tax.field, tax.suggestion.as_ref().and_then(|it| it.field)), (None, Some(Field::SlTax)));

    let (_, review) = proposed(&text.replace("Risk City State", "Note").replace("P2,,,", "P2,Ann,B.,"));
    let second = review.to_wire(1);
    assert_eq!(second.mailing_insured_name.as_deref(), Some("Ann B. Acme Rentals LLC"));
    assert_eq!(second.mailing_city.as_deref(), Some("San Antonio"));
    assert_eq!(second.physical_state.as_deref(), Some("TX"));
    assert_eq!(second.mailing_zip_code.as_deref(), Some("78040-1234"));
}

#[test]
fn of_columns_with_one_field_the_one_that_says_it_best_is_read() {
    for (headers, cells, field, column) in [
        ("State,Home State", "OK,TX", Field::PhysicalState, 1),
        ("Risk State,Filing State", "OK,TX", Field::PhysicalState, 1),
        ("State,Risk State", "OK,TX", Field::PhysicalState, 1),
        (
            "Transaction Date,Transaction Effective Date",
            "02/01/2026,01/25/2026",
            Field::TransactionEffectiveDate,
            1,
        ),
        ("Cov Code,Cov Desc", "334,Commercial General Liability", Field::LineOfBusiness, 1),
        ("LOB,LOB Description", "GL,Liability of contractors", Field::LineOfBusiness, 0),
    ] {
        let (proposal, _) = proposed(&format!("Policy #,Premium,{headers}\nP1,100,{cells}\n"));
        let of_field: Vec<usize> =
            proposal.columns.iter().filter(|c| c.field == Some(field)).map(|c| c.column).collect();
        assert_eq!(of_field, [2 + column], "{headers}");
    }
}

#[test]
fn amounts_that_may_be_cents_are_asked_about() {
    for (cells, field) in [
        (["0000100000", "0001234567"], None),
        (["-000100000", "1000012345"], None),
        (["0000100000", "1000.00"], Some(Field::Premium)),
        (["001000", "002000"], Some(Field::Premium)),
        (["1000000", "2500000"], Some(Field::Premium)),
    ] {
        let (proposal, _) = proposed(&format!("Policy #,Prem\nP1,{}\nP2,{}\n", cells[0], cells[1]));
        assert_eq!(proposal.columns[1].field, field, "{cells:?}");
        let told = proposal.columns[1].suggestion.as_ref().is_some_and(|it| it.reason.contains("cents"));
        assert_eq!(told, field.is_none(), "{cells:?}");
    }
}

#[test]
fn a_date_in_three_columns_is_one() {
    let text = "Policy #,Eff Mo,Eff Day,Eff Yr,Exp Month,Exp Day,Exp Year,Trans Mo,Trans Dy,Trans Yr,Prem\n\
        P1,1,5,2026,1,5,2027,13,1,2026,100\nP2,02,06,2026,02,06,2027,2,6,2026,100\n";
    let (proposal, review) = proposed(text);
    let days = |row: usize| {
        let wire = review.to_wire(row);
        let days = [wire.policy_effective_date, wire.policy_expiration_date, wire.transaction_effective_date];
        days.map(|day| day.map(|day| day.to_string()).unwrap_or_default())
    };
    assert_eq!(days(0), ["2026-01-05", "2027-01-05", ""]);
    assert_eq!(days(1), ["2026-02-06", "2027-02-06", ""]);
    assert_eq!(proposal.mapping.rules.merges.len(), 2, "13 is no month");
    assert!(!review.findings().iter().any(|finding| finding.code() == Code::DateOrderOpen));
}

#[test]
fn whole_addresses_and_periods_in_one_cell_are_taken_apart() {
    let text = "Policy #,Insured,Address,Risk Location,Term,Prem\n\
        P1,A LLC,\"PO Box 9, Reno NV 89501\",\"400 Congress Ave, Suite 4, Austin, TX 78701\",09/15/2026 - 09/15/2027,1\n\
        P2,B LLC,\"1 Main St, Las Vegas NV 89101\",\"9 Elm St, El Paso, Texas 79901-1234\",10/1/26 - 10/1/27,2\n";
    let (proposal, review) = proposed(text);
    let [first, second] = [review.to_wire(0), review.to_wire(1)];
    assert_eq!(first.physical_address.as_deref(), Some("400 Congress Ave, Suite 4"));
    assert_eq!(
        (first.physical_city.as_deref(), first.physical_state.as_deref()),
        (Some("Austin"), Some("TX"))
    );
    assert_eq!(second.physical_zip_code.as_deref(), Some("79901-1234"));
    assert_eq!(second.physical_state.as_deref(), Some("TX"));
    assert_eq!(
        (first.mailing_address.as_deref(), first.mailing_city.as_deref()),
        (Some("PO Box 9"), Some("Reno"))
    );
    assert_eq!(second.mailing_state_code.as_deref(), Some("NV"));
    let days = |row: usize| {
        let wire = review.to_wire(row);
        [wire.policy_effective_date, wire.policy_expiration_date].map(|day| day.unwrap().to_string())
    };
    assert_eq!(days(0), ["2026-09-15", "2027-09-15"]);
    assert_eq!(days(1), ["2026-10-01", "2027-10-01"]);
    assert_eq!(proposal.columns[3].field, None);

    // Lines of a cell.
    let text = "Policy #,Risk Address\nP1,\"9 Elm St, Apt 2\nEl Paso, TX 79901\"\nP2,\"1 Oak St\nLas Cruces, NM 88001\"\n";
    let (_, review) = proposed(text);
    let [first, second] = [review.to_wire(0), review.to_wire(1)];
    assert_eq!(
        (first.physical_address.as_deref(), first.physical_city.as_deref()),
        (Some("9 Elm St, Apt 2"), Some("El Paso"))
    );
    assert_eq!(second.physical_city.as_deref(), Some("Las Cruces"));

    // The state has a column, and keeps it; streets alone are streets.
    let text =
        "Policy #,Risk Address,State,Mailing Address\nP1,\"9 Elm St, El Paso, TX 79901\",NM,PO Box 9\n";
    let (proposal, review) = proposed(text);
    let wire = review.to_wire(0);
    assert_eq!(
        (wire.physical_city.as_deref(), wire.physical_state.as_deref()),
        (Some("El Paso"), Some("NM"))
    );
    assert_eq!(proposal.mapping.rules.splits.len(), 1);
}

#[test]
fn periods_are_cut_as_people_write_them() {
    for period in [
        "09/15/2026 - 09/15/2027",
        "09/15/2026-09/15/2027 (12 mo)",
        "From 9/15/26 To 9/15/27",
        "9/15/26 to 9/15/27 both days inclusive",
        "Sep 15 2026 – Sep 15 2027",
        "2026-09-15 TO 2027-09-15",
        "09/15/2026 12:01 AM thru 09/15/2027 12:01 AM",
    ] {
        let (_, review) = proposed(&format!("Policy #,Term,Prem\nP1,{period},1\nP2,{period},2\n"));
        let wire = review.to_wire(1);
        let days = [wire.policy_effective_date, wire.policy_expiration_date];
        let days = days.map(|day| day.map(|day| day.to_string()).unwrap_or_default());
        assert_eq!(days, ["2026-09-15", "2027-09-15"], "{period}");
        assert_eq!(review.rule_effects().splits[0].short_rows, 0, "{period}");
    }
}

/// The number is in the cell: nobody has to look it up.
#[test]
fn an_insurer_beside_its_number_is_repaired_into_the_number() {
    let text =
        "Policy #,Named Insured,Carrier Name/NAIC\nP1,A LLC,Example Specialty / 10899\nP2,B LLC,Example\n";
    let (_, review) = proposed(text);
    let fixes: Vec<_> = review
        .findings()
        .iter()
        .filter(|finding| matches!(finding.code(), Code::InsurerNumberUnlikely | Code::InsurerUnnumbered))
        .map(|finding| {
            (finding.code(), review.describe_finding(finding).fix.map(|fix| fix.changes[0].text.clone()))
        })
        .collect();
    let expected = [(Code::InsurerNumberUnlikely, Some("10899".to_owned())), (Code::InsurerUnnumbered, None)];
    assert_eq!(fixes, expected);
}

#[test]
fn columns_that_are_matched_or_written_otherwise_are_left_alone() {
    let texts = [
        // The name has a column.
        "Policy #,Named Insured,First Name,Last Name\nP1,A LLC,Ann,Lee\n",
        // One person's first name, another one's last.
        "Policy #,First Name,Contact Last Name\nP1,Ann,Lee\n",
        // No state where it should be.
        "Policy #,City State Zip\nP1,Houston\nP2,Dallas TX 75201\n",
        // The city has a column.
        "Policy #,City State Zip,City\nP1,Dallas TX 75201,Dallas\n",
    ];
    for text in texts {
        let (proposal, _) = proposed(text);
        assert!(proposal.mapping.rules.is_empty(), "{text}");
    }
}

/// What is given back has a minus or none; a premium of its own is taken by itself.
#[test]
fn debits_and_credits_are_one_premium() {
    for (text, premiums) in [
        ("Policy #,Premium Debit,Premium Credit\nP1,100,\nP2,0,25.50\n", [Some("100.00"), Some("-25.50")]),
        ("Policy #,Premium (DR),Premium (CR)\nP1,100,0\nP2,,(25.50)\n", [Some("100.00"), Some("-25.50")]),
        (
            "Policy #,Additional Premium,Return Premium\nP1,100,\nP2,,-25.50\n",
            [Some("100.00"), Some("-25.50")],
        ),
        ("Policy #,AP,RP\nP1,100,\nP2,,25.50\n", [Some("100.00"), Some("-25.50")]),
        ("Policy #,AP,Premium\nP1,100,7\nP2,,8\n", [Some("7.00"), Some("8.00")]),
        (
            "Policy #,Premium,Additional Premium,Return Premium\nP1,7,100,\nP2,8,,25\n",
            [Some("7.00"), Some("8.00")],
        ),
        ("Policy #,Debit,Credit\nP1,100,\nP2,,25\n", [None, None]),
        ("Policy #,Amount,DR/CR\nP1,100,DR\nP2,25.50,CR\n", [Some("100.00"), Some("-25.50")]),
        ("Policy #,Premium,Sign\nP1,\"1,100.00\",D\nP2,-25.50,C\n", [Some("1100.00"), Some("-25.50")]),
        ("Policy #,Premium,Form\nP1,100,C\nP2,25,D\n", [Some("100.00"), Some("25.00")]),
        ("Policy #,Premium,DR/CR\nP1,-100,DR\nP2,,CR\n", [None, None]),
        ("Policy #,Premium,DR/CR\nP1,100,DR\nP2,25,DR\n", [Some("100.00"), Some("25.00")]),
        ("Policy #,Premium Debit,Premium Credit\nP1,100,x\nP2,50,y\n", [None, None]),
    ] {
        let (_, review) = proposed(text);
        let found = [0, 1].map(|row| review.to_wire(row).premium.map(|usd| usd.to_string()));
        assert_eq!(found, premiums.map(|usd| usd.map(str::to_owned)), "{text}");
    }
}

fn lines_and_premium(review: &Review, row: usize) -> (Vec<String>, Option<String>) {
    let wire = review.to_wire(row);
    let line = |line: &CoverageItem| {
        format!("{} {}", line.item, line.coverage.map_or_else(String::new, |it| it.to_string()))
    };
    (wire.line_of_business_list.iter().map(line).collect(), wire.premium.map(|usd| usd.to_string()))
}

/// A line without a premium is skipped, whether its cell is empty, 0 or a dash; a premium that no column has is their sum.
#[test]
fn columns_of_premium_for_each_line_are_the_lines_of_a_transaction() {
    let text = "Policy #,GL Premium,Premium - Inland Marine,Prop. Prem,Net Premium\n\
        P1,\"$1,000.00\",$ -   ,500,9\nP2,0.00,25.5,,9\nP3,(500),(10),,9\nP4,,,-,9\n";
    let (proposal, review) = proposed(text);
    let of_net = proposal.columns[4].suggestion.as_ref().and_then(|it| it.field);
    assert_eq!(of_net, None, "the premium is made of the others");
    let found = [0, 1, 2, 3].map(|row| lines_and_premium(&review, row));
    let expected: [(&[&str], Option<&str>); 4] = [
        (&["GEN-1002 1000.00", "GEN-1001 500.00"], Some("1500.00")),
        (&["GEN-1007 25.50"], Some("25.50")),
        (&["GEN-1002 -500.00", "GEN-1007 -10.00"], Some("-510.00")),
        (&[], None),
    ];
    for (found, (lines, premium)) in found.iter().zip(expected) {
        assert_eq!(
            (found.0.as_slice(), found.1.as_deref()),
            (lines.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>().as_slice(), premium)
        );
    }

    // The file's own premium has to be that of its lines; commas are read as it writes them.
    let text = "Policy #;GL Premium;Property Premium;Total Premium\nP1;1.000,50;500,00;1.500,50\nP2;1.000,50;;900,00\n";
    let (_, review) = proposed(text);
    assert_eq!(lines_and_premium(&review, 0).1.as_deref(), Some("1500.50"));
    let codes = |row| review.findings_of(row).iter().any(|finding| finding.code() == Code::LinesNotPremium);
    assert_eq!([codes(1), codes(2)], [false, true]);

    // A premium beside those of lines may be a part of them or of none, and an amount that can't be read is shown.
    for other in ["TRIA Premium", "Property Premium 2", "GL Prem"] {
        let (proposal, _) = proposed(&format!("Policy #,GL Premium,Property Premium,{other}\nP1,1,2,3\n"));
        assert!(proposal.mapping.rules.is_empty(), "{other}");
    }
    let (_, review) = proposed("Policy #,GL Premium,Property Premium\nP1,100,TBD\nP2,100,50\n");
    let codes: Vec<Code> = review.findings_of(1).iter().map(|finding| finding.code()).collect();
    assert!(codes.contains(&Code::AmountUnreadable), "{codes:?}");
}

/// A premium that isn't sent isn't taxed: the whole one is taken where the file has it, and a part is never passed over in
/// silence.
#[test]
fn a_premium_for_terrorism_is_in_the_premium_or_a_person_is_told() {
    let told = |text: &str, column: usize| {
        let (proposal, review) = proposed(text);
        let suggestion = proposal.columns[column].suggestion.clone();
        let premium = review.to_wire(0).premium.map(|usd| usd.to_string()).unwrap_or_default();
        (premium, suggestion.map(|it| it.reason).unwrap_or_default())
    };
    let whole = "Policy #,Premium,TRIA,Total Premium\nP1,1000,50,1050\nP2,500,-,500\n";
    assert_eq!(
        told(whole, 1),
        ("1050.00".into(), "It is a part of the premium in column \"Total Premium\".".into())
    );
    let without = whole.replace(",Premium,", ",Prem excl. TRIA,");
    assert_eq!(told(&without, 2), told(whole, 2));
    assert_eq!(told("Policy #,Premium incl. TRIA\nP1,1050\n", 1), ("1050.00".into(), String::new()));
    let beside = "Policy #,Base Premium,Terrorism Premium\nP1,1000,50\nP2,500,\n";
    let reason = "Column \"Base Premium\" may be without it. Merge the two columns if it is.";
    assert_eq!(told(beside, 2), ("1000.00".into(), reason.into()));
    let otherwise = whole.replace("1050", "1100");
    assert_eq!(told(&otherwise, 2).1, reason.replace("Base Premium", "Premium"));
    // None was charged, and a word of a question is no amount.
    for text in [beside.replace("50\n", "0\n"), beside.replace("50\n", "Rejected\n")] {
        assert_eq!(told(&text, 2), ("1000.00".into(), String::new()), "{text}");
    }
}

#[test]
fn an_amount_of_two_columns_is_told_as_their_sum() {
    let text = "id,State,Policy effective date,Transaction type,Lines of business,Premium,Tax,Tax\n1,TX,2026-03-04,PN,GEN-1002,1000,48.50,0.40\n";
    let review = review(text, |_| {});
    let told = review.findings().iter().find(|finding| finding.code() == Code::TaxDiffers).unwrap();
    let message = review.describe_finding(told).message;
    assert!(message.contains("found \"48.50\", $48.90 in all, expected $48.50"), "{message}");
}
