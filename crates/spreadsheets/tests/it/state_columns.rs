//! Columns of one state's tax each.

use bordereau_spreadsheets::{Field, ReadOptions, propose_mapping, read};

#[test]
fn taxes_of_several_states_are_none_of_them_the_tax() {
    let suggested = |text: &str, column: usize| {
        let source = read("x.csv", text.as_bytes().to_vec(), &ReadOptions::default()).unwrap();
        let suggestion = propose_mapping(&source, &[]).columns[column].suggestion.clone();
        suggestion.map(|suggestion| (suggestion.field, suggestion.reason)).unwrap()
    };
    let several = "Policy Number,Insured,TX Tax,FL Tax,Home State\nP-1,Diner LLC,24.25,14.82,TX\nP-2,Diner LLC,,14.82,FL\n";
    assert_eq!(
        suggested(several, 2),
        (
            None,
            "It has Surplus lines tax of TX, and other columns have other states'. Match the one that is due."
                .to_owned()
        )
    );
    assert_eq!(suggested(several, 3).0, None);
    let one = "Policy Number,Insured,TX Tax,Home State\nP-1,Diner LLC,24.25,TX\n";
    assert_eq!(suggested(one, 2).0, Some(Field::SlTax));
}
