//! Taxes that nobody can compute: what a file has of them is no mistake.

use bordereau_spreadsheets::Code;

use crate::reviews::review;

#[test]
fn a_local_tax_that_the_table_has_not_is_left_as_it_was_given() {
    let head = "id,State,City of the risk,Policy effective date,Transaction type,Lines of business,Premium,SL tax,Municipal tax,Total";
    let codes = |city: &str, sl_tax: &str, municipal: &str, total: &str| {
        let row = format!("1,KY,{city},2026-03-04,PN,GEN-1002,1000,{sl_tax},{municipal},{total}");
        let review = review(&format!("{head}\n{row}\n"), |_| {});
        let told = [Code::TaxDiffers, Code::TotalDiffers, Code::NotCalculated];
        let of_taxes = review.findings().iter().filter(|finding| told.contains(&finding.code()));
        of_taxes.map(|finding| finding.code()).collect::<Vec<Code>>()
    };
    use Code as C;
    for (city, sl_tax, municipal, total, expected) in [
        ("", "30.00", "50.00", "1098.00", vec![C::NotCalculated]),
        ("Nowhere", "30.00", "50.00", "1098.00", vec![C::NotCalculated]),
        ("", "30.00", "", "1048.00", vec![C::NotCalculated]),
        // The state's own tax is known, and so is what a total has at the least; more may be what nobody can compute.
        ("", "31.00", "50.00", "1099.00", vec![C::TaxDiffers, C::NotCalculated]),
        ("", "30.00", "50.00", "1000.00", vec![C::NotCalculated, C::TotalDiffers]),
        // Of a city in the table the amount is known.
        ("Louisville", "30.00", "1.00", "", vec![C::TaxDiffers]),
    ] {
        let mut found = codes(city, sl_tax, municipal, total);
        found.sort_unstable_by_key(|code| expected.iter().position(|known| known == code));
        assert_eq!(found, expected, "{city} {sl_tax} {municipal} {total}");
    }
}

/// Connecticut's surcharge is due on dwellings that their owners live in, and a file seldom says who does.
#[test]
fn a_surcharge_that_may_be_due_or_not_is_left_as_it_was_given() {
    let head = "id,State,Policy effective date,Transaction type,Lines of business,Premium,SL tax,SL service charge,Total";
    for (given, total, expected) in [
        ("0", "1040.00", vec![]),
        ("12.00", "1052.00", vec![]),
        ("", "1040.00", vec![]),
        ("", "1052.00", vec![]),
        ("0", "1052.00", vec![Code::TotalDiffers]),
        ("12.00", "1040.00", vec![Code::TotalDiffers]),
        ("5.00", "1045.00", vec![Code::TaxDiffers, Code::TotalDiffers]),
    ] {
        let row = format!("1,CT,2026-03-04,PN,GEN-2026,1000,40.00,{given},{total}");
        let review = review(&format!("{head}\n{row}\n"), |_| {});
        let told = [Code::TaxDiffers, Code::TaxMissing, Code::TotalDiffers];
        let of_taxes = review.findings().iter().filter(|finding| told.contains(&finding.code()));
        assert_eq!(of_taxes.map(|finding| finding.code()).collect::<Vec<_>>(), expected, "{given} {total}");
    }
}
