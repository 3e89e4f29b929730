//! Lines of totals, and of the report itself, among the rows.

use bordereau_spreadsheets::Code;

use crate::reviews::review;

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
    ];
    for (last, expected) in cases {
        let review = review(&format!("{rows}{last}"), |_| {});
        let found = review.findings().iter().any(|finding| finding.code() == Code::LooksLikeTotal);
        assert_eq!(found, expected, "{last}");
    }
}
