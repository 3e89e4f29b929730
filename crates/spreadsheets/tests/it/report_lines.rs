//! Lines of totals, and of the report itself, among the rows.

use bordereau_spreadsheets::{
    Code, Field, ReadOptions, RepairKind, Review, TableRowOutcome, propose_mapping, read, source_headers,
};

use crate::charge_rows::proposed;
use crate::reviews::{review, with_checks};

/// A printed report: its title on each page, the headers below it, the totals in the column before the amounts.
#[test]
fn pages_of_a_report_leave_its_transactions_alone() {
    let page =
        |number: u32| format!("Production report,,,,Page {number} of 2\nPol#,Insured,Eff,Type,ST,Prem\n");
    let totals = |word: &str| format!(",,,,{word},900.00\n");
    let row = |number: u32| format!("77{number},Shop {number},10/13/2026,NB,TX,450.00\n");
    let (first, second) = ([row(1), row(2)].concat(), [row(3), row(4)].concat());
    let text =
        [page(1), first, totals("Page total"), page(2), second, totals("Page total"), totals("Grand total")];
    let review = review(&format!("{}*** END OF REPORT ***\n,Shop 5,,,,\n", text.concat()), |_| {});
    let excluded: Vec<usize> = review
        .findings()
        .iter()
        .filter(|finding| finding.code() == Code::LooksLikeTotal)
        .filter_map(|finding| review.describe_finding(finding).fix?.exclude)
        .collect();
    assert_eq!(excluded, [4, 9, 10, 11]);
    // Eight rows of the report, and one in which somebody began to type.
    assert_eq!(review.transactions().count(), 4 + excluded.len() + 1);
}

/// The formulas at the end of a sheet have no word beside them; what doesn't add up is nobody's sum.
#[test]
fn sums_below_the_last_row_are_a_line_of_totals() {
    let rows = "Pol#,Insured,Eff,Type,ST,Prem,SL Tax\n1,A,10/13/2026,NB,TX,100.00,4.85\n2,B,10/13/2026,NB,TX,50.00,2.43\n";
    let cases = [
        (",,,,,150.00,7.28\n", true),
        (",,,,,150.00,9.99\n\n\n", true),
        (",,,,,60.00,2.91\n", false),
        (",,,,,150.00,\n", false),
        (",C,,,,150.00,7.28\n", false),
        (",2 policies,,,,60.00,1\n", true),
        ("Certified by:,__________,,,,,\n", true),
        ("Chef: Home of Ribs,C,,,,50.00,2.43\n", false),
    ];
    for (last, expected) in cases {
        let review = review(&format!("{rows}{last}"), |_| {});
        let found = review.findings().iter().any(|finding| finding.code() == Code::LooksLikeTotal);
        assert_eq!(found, expected, "{last}");
    }
}

/// Reports are printed by state, and by company within it: what the rows of a group have in common is above them.
#[test]
fn headings_of_groups_are_a_column_of_the_rows_below() {
    let text = "Register\nPolicy,Insured,Eff,Exp,Type,Premium,Tax\n\
        State: TX\n,Company:,Example Specialty\n\
        P-1,Able Co,6/1/2026,6/13/2027,NB,1000,48.50\nP-2,Baker Co,6/2/2026,6/2/2027,NB,2000,97.00\n\
        Total: 3000\nSubtotal TX,,,,,3000,145.50\n\
        State: FL\nPolicy,Insured,Eff,Exp,Type,Premium,Tax\nP-3,Charlie Co,6/3/2026,6/3/2027,NB,1000,49.40\n";
    let (proposal, review) = proposed(text);
    let headers: Vec<&str> = proposal.columns.iter().map(|column| column.header.as_str()).collect();
    assert_eq!(headers[7..], ["State", "Company"]);
    let rows: Vec<_> = (0..review.transactions().count())
        .map(|at| review.to_wire(at))
        .filter(|row| row.mailing_insured_name.is_some())
        .map(|row| (row.policy_number.unwrap(), row.physical_state, row.insurance_company_list.len()))
        .collect();
    let state = |code: &str| Some(code.to_owned());
    let expected =
        [("P-1".into(), state("TX"), 1), ("P-2".into(), state("TX"), 1), ("P-3".into(), state("FL"), 0)];
    assert_eq!(rows, expected);
    let outcomes = review.transactions().row_outcomes();
    let headings = outcomes.iter().filter(|outcome| **outcome == TableRowOutcome::GroupHeading).count();
    assert_eq!((headings, outcomes[9]), (3, TableRowOutcome::Header));
    assert_eq!(outcomes.len(), 11, "every row has an outcome");

    // Where the rows have it themselves, and where a label comes below the first rows, nothing is added.
    for text in [
        "Policy,Insured,State\nState: TX\nP-1,Able Co,TX\n",
        "Policy,Insured,Premium\nP-1,Able Co,100\nState: TX\nP-2,Baker Co,200\n",
        "Policy,Insured,Premium\nPrepared by: A. Smith\nP-1,Able Co,100\n",
    ] {
        assert_eq!(proposed(text).0.columns.len(), 3, "{text}");
    }
}

/// Reports name a state alone, and may have a column for it with nothing in it.
#[test]
fn a_state_alone_is_a_heading() {
    let state = |code: &str| Some(code.to_owned());
    let row = |number: &str, state: &str| format!("{number},Able Co,{state}6/1/2026,6/1/2027,NB,1000\n");
    let (plain, blank) =
        ("Policy,Insured,Eff,Exp,Type,Premium\n", "Policy,Insured,State,Eff,Exp,Type,Premium\n");
    // The header, what is between its columns and the third one's, what is between two rows, the states of both.
    let cases = [
        (plain, "", "Texas", "Florida", [state("TX"), state("FL")]),
        (plain, "", "TX", "\nPUERTO RICO", [state("TX"), state("PR")]),
        (plain, "", "TX", "Page 2 of 3", [state("TX"), state("TX")]),
        (plain, "", "TX", ",dba Able's", [state("TX"), state("TX")]),
        // The rows below are of another state, whichever that is.
        (plain, "", "TX", "FLORIDA (12)", [state("TX"), None]),
        (plain, "", "TX", "Total Texas", [state("TX"), None]),
        (plain, "", "Tx.", "Florida", [None, None]),
        (blank, ",", "State: TX", "State: FL", [state("TX"), state("FL")]),
        (blank, ",", "Texas", "Florida", [state("TX"), state("FL")]),
        (blank, "OK,", "Texas", "Florida", [state("OK"), state("OK")]),
    ];
    for (header, own, first, second, expected) in cases {
        let text = format!("{header}{first}\n{}{second}\n{}", row("P-1", own), row("P-2", own));
        let (_, review) = proposed(&text);
        let rows: Vec<_> = (0..review.transactions().count())
            .map(|at| review.to_wire(at))
            .filter(|row| row.mailing_insured_name.as_deref() == Some("Able Co"))
            .map(|row| row.physical_state)
            .collect();
        assert_eq!(rows, expected, "{text}");
        assert_eq!(review.source().table.width(), if expected[0].is_none() { 6 } else { 7 }, "{text}");
    }
}

/// A row is never of the group before the one that it is in: a tax would be another state's.
#[test]
fn a_heading_that_cannot_be_read_ends_the_group_before() {
    let head =
        "Policy,Insured,Eff,Exp,Type,Premium,Tax\nState: TX\nP-1,Able Co,6/1/2026,6/13/2027,NB,1000,48.50\n";
    for (heading, transactions) in
        [("State:", 2), ("State: FL,,,,,,Page 3", 3), ("State: FL,,,,,3000,145.50", 3)]
    {
        let (_, review) =
            proposed(&format!("{head}{heading}\nP-2,Baker Co,6/2/2026,6/2/2027,NB,2000,97.00\n"));
        let last = review.transactions().count() - 1;
        assert_eq!(last + 1, transactions, "{heading}: a row with more than a heading is looked at");
        assert_eq!(review.to_wire(0).physical_state.as_deref(), Some("TX"));
        assert_eq!(review.to_wire(last).physical_state, None, "{heading}");
    }
}

/// The changes of a stored draft are by column: it is read as it was when they were made.
#[test]
fn drafts_of_earlier_versions_keep_their_columns() {
    let stored: ReadOptions = serde_json::from_str(r#"{"sheet": null, "stored_numbers": false}"#).unwrap();
    assert!(stored.keeps_columns);
    let again: ReadOptions =
        serde_json::from_str(&serde_json::to_string(&ReadOptions::default()).unwrap()).unwrap();
    assert!(!again.keeps_columns);
    let lines = "\"Policy,Insured,Premium\"\n\"P1,A,1\"\n\"P2,B,2\"\n";
    let grouped = "Policy,Insured,Premium\nState: TX\nP1,A,1\n";
    for (text, columns_before, columns) in [(lines, 1, 3), (grouped, 3, 4)] {
        let width = |options: &ReadOptions| read("x.csv", text.into(), options).unwrap().table.width();
        assert_eq!((width(&stored), width(&again)), (columns_before, columns), "{text}");
    }
}

/// "Policy" above "Number", as printed reports have it, on each of their pages.
#[test]
fn headers_in_two_rows_are_one() {
    let head =
        "Policy,Insured,,Line of,Trans,Base,State,Stamping\nNumber,Name,Term,Business,Type,Premium,Tax,Fee\n";
    let text = format!(
        "Business written\n{head}P-1,Diner LLC,x,CGL,New,1000,48.50,0.40\n{head}P-2,Cafe Inc,y,CGL,New,500,24.25,0.20\n"
    );
    for chosen in [None, Some(Some(2))] {
        let options = ReadOptions { header: chosen, ..ReadOptions::default() };
        let source = read("x.csv", text.clone().into(), &options).unwrap();
        assert_eq!(source.detection.header.value, Some(2));
        let headers =
            ["Policy Number", "Insured Name", "Term", "Line of Business", "Trans Type", "Base Premium"];
        assert_eq!(source_headers(&source)[..6], headers);
        let mapping = propose_mapping(&source, &[]).mapping;
        let review = with_checks(|checks| Review::new(source, mapping, checks));
        let wires = [review.to_wire(0), review.to_wire(1)];
        let texts = wires
            .each_ref()
            .map(|wire| (wire.policy_number.as_deref(), wire.sl_tax.map(|usd| usd.to_string())));
        assert_eq!(texts, [(Some("P-1"), Some("48.50".into())), (Some("P-2"), Some("24.25".into()))]);
        assert_eq!(review.transactions().count(), 2);
    }
    // What is above one column belongs to its name, and what is above several is theirs.
    let text = "Policy,State Taxes,,Base,Terrorism\nNumber,SL Tax,Stamping Fee,Premium,Premium\nP-1,48.50,0.40,1000,5\n";
    let source = read("x.csv", text.into(), &ReadOptions::default()).unwrap();
    let headers = ["Policy Number", "SL Tax", "Stamping Fee", "Base Premium", "Terrorism Premium"];
    assert_eq!(source_headers(&source), headers);
    // Groups over several columns each say whose state it is.
    let text = "Policy Info,,,Location,,,Financials,\nNumber,From,To,City,St,Zip,Premium,SL Tax\n\
                P-1,3/1/2026,3/1/2027,Plano,TX,75023,1000,48.50\n";
    let source = read("x.csv", text.into(), &ReadOptions::default()).unwrap();
    let headers =
        ["Policy Number", "Policy From", "Policy To", "Location City", "Location St", "Location Zip"];
    assert_eq!(source_headers(&source)[..6], headers);
    let text = "Policy,State Taxes,,Base,Terrorism\nNumber,SL Tax,Stamping Fee,Premium,Premium\nP-1,48.50,0.40,1000,5\n";
    // A draft of an earlier version has the file's own columns.
    let options = ReadOptions { keeps_columns: true, ..ReadOptions::default() };
    let source = read("x.csv", text.into(), &options).unwrap();
    assert_eq!(source_headers(&source)[0], "Number");
    // A row of a transaction is no header, and one row is enough where it has all names.
    for text in
        ["Policy Number,Insured,State\nP-1,Diner LLC,Texas\n", "Policy,Term,Kind\nNumber,x,y\nA,B,C\n"]
    {
        let source = read("x.csv", text.into(), &ReadOptions::default()).unwrap();
        assert_eq!(source.detection.header.value, Some(0), "{text}");
    }
}

/// Sheets of months have a line of totals each: three rows with "Total" for a policy are not one transaction, and not a reason
/// to put the rows of a policy together.
#[test]
fn lines_of_totals_are_not_the_rows_of_one_policy() {
    let rows = "1,A,10/13/2026,NB,TX,100.00\n2,B,10/13/2026,NB,TX,50.00\n";
    let text = format!(
        "Pol#,Insured,Eff,Type,ST,Prem\n{rows}Total,,,,,150.00\n3,C,10/13/2026,NB,TX,50.00\nTotal,,,,,50.00\n"
    );
    let (proposal, review) = proposed(&text);
    assert_eq!(proposal.mapping.row_amounts, None);
    assert_eq!(review.transactions().count(), 5);
}

/// A report, and merged cells, have a value only in the first of the rows that share it. A cell that somebody forgot is one
/// of many, and of an amount each row would have the whole.
#[test]
fn what_a_report_leaves_out_because_it_repeats_is_taken_from_above() {
    let head = "id,State,Insured,Effective,Premium\n";
    let report = "1,TX,Cedar Bakery,01/15/2026,100\n2,,,,\n3,,Harbor Inn,02/01/2026,300\n4,FL,,,400\n";
    let forgotten = "1,TX,A,01/15/2026,100\n2,TX,B,01/15/2026,200\n3,,C,,300\n4,TX,D,01/15/2026,400\n5,TX,E,01/15/2026,5\n";
    let cases = [
        (report, Field::PhysicalState, vec![(2, "TX"), (3, "TX")]),
        (report, Field::InsuredName, vec![(2, "Cedar Bakery"), (4, "Harbor Inn")]),
        (report, Field::PolicyEffectiveDate, vec![(2, "01/15/2026"), (4, "02/01/2026")]),
        (report, Field::Premium, vec![]),
        (forgotten, Field::PhysicalState, vec![]),
        ("1,TX,A,01/15/2026,100\n2,TX,,01/15/2026,200\n3,TX,C,01/15/2026,300\n", Field::InsuredName, vec![]),
        ("1,,A,01/15/2026,100\n2,TX,B,,200\n3,,C,,300\n", Field::PhysicalState, vec![]),
    ];
    for (rows, field, expected) in cases {
        let review = review(&format!("{head}{rows}"), |_| {});
        let missing = review.findings().iter().filter(|finding| finding.field() == Some(field));
        let fixes = missing.filter_map(|finding| review.describe_finding(finding).fix);
        let filled: Vec<(usize, String)> = fixes
            .filter(|fix| {
                fix.kind == RepairKind::FillAbove && fix.kind.is_offered(fix.certain) && !fix.certain
            })
            .map(|fix| (fix.changes[0].row, fix.changes[0].text.clone()))
            .collect();
        let expected: Vec<_> = expected.into_iter().map(|(row, text)| (row, text.to_owned())).collect();
        assert_eq!(filled, expected, "{field:?} of\n{rows}");
    }
}
