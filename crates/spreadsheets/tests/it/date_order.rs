//! Which of day and month is first.

use bordereau_spreadsheets::{Code, DateOrder};

use crate::date;
use crate::reviews::{codes, review};

#[test]
fn an_ambiguous_date_order_is_a_question() {
    let day = |text: &str, order: Option<DateOrder>| {
        let review = review(&format!("id,Eff Date\n1,{text}\n"), |m| m.date_order = order);
        let question = review.values().date_order.value.is_none();
        (review.to_wire(0).policy_effective_date.map(|day| day.parse().unwrap()), question)
    };
    let (month, dayf) = (Some(DateOrder::MonthFirst), Some(DateOrder::DayFirst));
    let cases: [(&str, Option<DateOrder>, Option<chrono::NaiveDate>, bool); 20] = [
        ("03/04/2026", None, None, true),
        ("03/04/2026", month, Some(date(2026, 3, 4)), false),
        ("03/04/2026", dayf, Some(date(2026, 4, 3)), false),
        ("02/23/2026", None, Some(date(2026, 2, 23)), false),
        ("23.02.2026", None, Some(date(2026, 2, 23)), false),
        ("04/04/2026", None, Some(date(2026, 4, 4)), false),
        ("2026-03-04", None, Some(date(2026, 3, 4)), false),
        ("2026/3/4", None, Some(date(2026, 3, 4)), false),
        ("20260304", None, Some(date(2026, 3, 4)), false),
        ("2026-03-04T00:00:00Z", None, Some(date(2026, 3, 4)), false),
        ("2/23/2026 12:00:00 AM", None, Some(date(2026, 2, 23)), false),
        ("\"Mar 4, 2026\"", None, Some(date(2026, 3, 4)), false),
        ("4-Mar-26", None, Some(date(2026, 3, 4)), false),
        ("\"Wednesday, March 4, 2026\"", None, Some(date(2026, 3, 4)), false),
        ("2/23/26", None, Some(date(2026, 2, 23)), false),
        ("46085", None, Some(date(2026, 3, 4)), false),
        ("2026-02-29", None, None, false),
        ("2/30/2026", None, None, false),
        ("13/13/2026", None, None, false),
        ("soon", None, None, false),
    ];
    for (text, order, expected, question) in cases {
        assert_eq!(day(text, order), (expected, question), "{text} {order:?}");
    }
    let mixed = review("id,Eff Date\n1,02/23/2026\n2,23/02/2026\n3,03/04/2026\n", |_| {});
    assert_eq!(mixed.values().date_order.value, None, "the file contradicts itself");
    assert!(mixed.values().date_order.evidence.contains("but"), "{}", mixed.values().date_order.evidence);
    assert_eq!(codes(&mixed, 3)[0], Code::DateOrderOpen);
    for (header, other, order) in [
        ("Inception (mm/dd/yy)", "Expiration", month),
        ("\"Eff Date\ndd-mm-yyyy\"", "Expiration", dayf),
        ("Effective (dd/mm/yyyy)", "Expiration (mm/dd/yyyy)", None),
        ("Effective", "Notes (mm/dd/yyyy)", None),
    ] {
        let review = review(&format!("id,{header},{other}\n1,03/04/2026,03/04/2027\n"), |_| {});
        assert_eq!(review.values().date_order.value, order, "{header} {other}");
    }
}
