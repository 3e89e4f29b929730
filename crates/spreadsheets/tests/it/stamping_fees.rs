//! Stamping fees by their amounts.

use bordereau_spreadsheets::{Field, ReadOptions, propose_mapping, read};

/// Florida's stamping fee is called a service fee, as an agency's own may be: the amounts tell them apart.
#[test]
fn a_fee_that_is_a_small_part_of_each_premium_is_the_stamping_fee() {
    let fields = |header: &str, rows: [(&str, &str); 3]| {
        let rows = rows.map(|(premium, fee)| format!("FL-1,FL,{premium},{fee}\n"));
        let text = format!("Policy Number,State,Premium,{header}\n{}", rows.concat());
        let source = read("a.csv", text.into_bytes(), &ReadOptions::default()).unwrap();
        let fee = propose_mapping(&source, &[]).columns.pop().unwrap();
        (fee.field, fee.suggestion.and_then(|suggestion| suggestion.field))
    };
    let (stamping, agency) = (Some(Field::StampingFee), Some(Field::AgencyFee));
    for (header, rows, expected) in [
        ("Service Fee", [("12000", "7.29"), ("300", "0.18"), ("1500", "0.90")], (stamping, None)),
        ("Fee", [("12000.00", "30.00"), ("300.00", "0.54"), ("1500.00", "0")], (stamping, None)),
        ("SF", [("12000", "7.29"), ("300", "0.18"), ("1500", "0.90")], (None, stamping)),
        ("Service Fee", [("12000", "150"), ("300", "25"), ("1500", "50")], (agency, None)),
        ("Service Fee", [("120000", "250"), ("90000", "250"), ("150000", "250")], (agency, None)),
        ("Service Fee", [("12000", "600"), ("300", "15"), ("1500", "75")], (agency, None)),
        ("Item #", [("10000", "1"), ("20000", "2"), ("30000", "3")], (None, None)),
        ("Commission", [("12000", "12.5"), ("9000", "10"), ("15000", "15")], (None, None)),
        ("SF", [("12000", "7.29"), ("300", "0.18"), ("300", "0.18")], (None, None)),
        ("Units", [("12000", "1"), ("300", "1"), ("1500", "2")], (None, None)),
    ] {
        assert_eq!(fields(header, rows), expected, "{header} {rows:?}");
    }
}
