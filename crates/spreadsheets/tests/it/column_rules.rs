//! Values that no column has by itself: one for every row, parts of a column, columns merged.

use std::collections::BTreeMap;

use bordereau_money::Usd;
use bordereau_spreadsheets::{
    Code, ColumnMerge, ColumnName, ColumnRules, ColumnSplit, Field, LineColumn, LinePremiums, Mapping,
    MappingError, ReadOptions, Review, RowAmounts, RowGrouping, TextCut, propose_mapping, read,
};

use crate::reviews::with_checks;

fn reviewed(text: &str, change: impl FnOnce(&mut Mapping)) -> Review {
    let source = read("x.csv", text.into(), &ReadOptions::default()).unwrap();
    let mut mapping = propose_mapping(&source, &[]).mapping;
    change(&mut mapping);
    let mapping = mapping.with_checked_rules().unwrap();
    with_checks(|checks| Review::new(source, mapping, checks))
}

fn name(header: &str) -> ColumnName {
    ColumnName { header: header.into(), occurrence: 0 }
}

fn place_split() -> ColumnSplit {
    ColumnSplit {
        from: name("Location"),
        cut: TextCut::Separators(vec![",".into(), " ".into()]),
        fields: vec![Some(Field::PhysicalCity), Some(Field::PhysicalState), Some(Field::PhysicalZip)],
    }
}

fn text_of(review: &Review, row: usize, field: Field) -> &str {
    review.source().table.text_at(row, usize::from(review.layout().column_of(field)))
}

#[test]
fn one_column_fills_several_fields() {
    let review = reviewed("id,Location\n1,\"Houston, TX 77002\"\n2,\"Austin\"\n3,\n", |mapping| {
        mapping.rules.splits.push(place_split());
    });
    assert_eq!(review.to_wire(0).physical_state.as_deref(), Some("TX"));
    assert_eq!(text_of(&review, 1, Field::PhysicalZip), "77002");
    assert_eq!(text_of(&review, 2, Field::PhysicalCity), "Austin");
    assert_eq!(text_of(&review, 2, Field::PhysicalZip), "");
    let effect = &review.rule_effects().splits[0];
    assert_eq!((effect.short_rows, effect.examples[0].join("|").as_str()), (1, "Houston|Austin"));
    let missing = |row| {
        let is_state =
            |finding: &&bordereau_spreadsheets::Finding| finding.field() == Some(Field::PhysicalState);
        review.findings_of(row).iter().filter(is_state).map(|finding| finding.code()).collect::<Vec<_>>()
    };
    assert_eq!(missing(2), [Code::Missing], "what a split does not find is missing");
    let finding = review.findings_of(2).iter().find(|f| f.field() == Some(Field::PhysicalState)).unwrap();
    let message = review.describe_finding(finding).message;
    assert!(message.contains("State of the risk (from column B)"), "{message}");
}

#[test]
fn a_changed_cell_changes_what_is_made_of_it() {
    let mut review = reviewed("id,Location\n1,\"Houston TX\"\n", |mapping| {
        mapping.rules.splits.push(place_split());
    });
    assert!(review.to_wire(0).physical_state.is_none());
    let edit = |review: &mut Review, column: usize, text: Option<&str>| {
        with_checks(|checks| review.edit_cells(&[(1, column, text.map(str::to_owned))], checks));
    };
    edit(&mut review, 1, Some("Houston, TX 77002"));
    assert_eq!(review.to_wire(0).physical_state.as_deref(), Some("TX"));
    let state = usize::from(review.layout().column_of(Field::PhysicalState));
    edit(&mut review, state, Some("LA"));
    assert_eq!(review.to_wire(0).physical_state.as_deref(), Some("LA"), "a cell of its own goes first");
    edit(&mut review, state, Some(""));
    assert!(review.to_wire(0).physical_state.is_none(), "emptied by a person it is empty");
    edit(&mut review, state, None);
    edit(&mut review, 1, None);
    assert_eq!(text_of(&review, 1, Field::PhysicalState), "");
}

#[test]
fn several_columns_make_one_field() {
    let review = reviewed("id,One,Other\n1,Ada,Lovelace\n2,,Acme LLC\n3,#REF!,X\n", |mapping| {
        mapping.rules.merges.push(ColumnMerge {
            from: vec![name("One"), name("Other")],
            separator: " ".into(),
            field: Field::InsuredName,
        });
    });
    let names: Vec<&str> = (1..=2).map(|row| text_of(&review, row, Field::InsuredName)).collect();
    assert_eq!(names, ["Ada Lovelace", "Acme LLC"]);
    assert_eq!(review.rule_effects().merges[0][..2], ["Ada Lovelace", "Acme LLC"]);
}

#[test]
fn amounts_of_several_columns_are_added_or_taken_off_the_first() {
    let text = "id,Charged,Given back\n1,\"1.000,50\",\n2,,\"250,25\"\n3,\"100\",\"30,10\"\n4,,\n5,100,soon\n6,,soon\n";
    let premiums = |sign: &str| {
        let review = reviewed(text, |mapping| {
            mapping.rules.merges.push(ColumnMerge {
                from: vec![name("Charged"), name("Given back")],
                separator: sign.into(),
                field: Field::Premium,
            });
        });
        let codes: Vec<Code> = review.findings_of(5).iter().map(|finding| finding.code()).collect();
        assert!(codes.contains(&Code::AmountUnreadable));
        assert_eq!(text_of(&review, 5, Field::Premium), format!("100 {sign} soon"));
        (0..6).map(|row| review.to_wire(row).premium.map(|usd| usd.to_string())).collect::<Vec<_>>()
    };
    let texts = |all: [&str; 3]| all.map(|text| Some(text.to_owned())).into_iter().chain([None, None, None]);
    assert_eq!(premiums("-"), texts(["1000.50", "-250.25", "69.90"]).collect::<Vec<_>>());
    assert_eq!(premiums("+"), texts(["1000.50", "250.25", "130.10"]).collect::<Vec<_>>());

    let merge = |separator: &str| ColumnMerge {
        from: vec![name("A"), name("B")],
        separator: separator.into(),
        field: Field::Premium,
    };
    let rules = ColumnRules { merges: vec![merge(" ")], ..ColumnRules::default() };
    assert_eq!(rules.normalized().unwrap().merges[0].separator, "+", "there is nothing between amounts");
}

#[test]
fn a_column_of_a_line_has_one_line() {
    let column = |header: &str, line: &str| LineColumn { from: name(header), line: line.into() };
    for (columns, refusal) in [
        (vec![column("A", "GEN-1002"), column("B", " GEN-1001 ")], None),
        (vec![column("A", "GEN-1002"), column("A", "GEN-1001")], Some("Choose each column once.")),
        (vec![column("A", " ")], Some("Choose the line of business of each column.")),
        (vec![column("A", "GEN-1002 | GEN-1001")], Some("Choose the line of business of each column.")),
        (Vec::new(), Some("Choose 1 to 12 columns")),
    ] {
        let rules = ColumnRules { lines: vec![LinePremiums { columns }], ..ColumnRules::default() };
        let read = rules.clone().normalized();
        assert_eq!(read.is_ok(), refusal.is_none(), "{rules:?}");
        assert!(read.err().is_none_or(|why| why.contains(refusal.unwrap_or_default())), "{rules:?}");
    }
    let text = "id,A,B,Line\n1,100,50,GEN-1003\n";
    let review = reviewed(text, |mapping| {
        mapping
            .rules
            .lines
            .push(LinePremiums { columns: vec![column("A", "GEN-1002"), column("B", "GEN-1001")] });
    });
    assert_eq!(review.rule_effects().lines, [["GEN-1003"]], "a column of the file goes first");
}

#[test]
fn every_row_without_a_value_has_the_one_of_the_rule() {
    let text =
        "id,Premium,Agency fee,State\n1,\"1.000,50\",\"10,25\",TX\n2,\"2.000,50\",,\n\n3,\"3.000,50\",,LA\n";
    let review = reviewed(text, |mapping| {
        mapping.rules.defaults.insert(Field::AgencyFee, "$1,250.50".into());
        mapping.rules.defaults.insert(Field::PhysicalState, "Texas".into());
        mapping.rules.defaults.insert(Field::InvoiceDate, "3/4/2026".into());
    });
    let fees: Vec<Option<Usd>> = (0..3).map(|at| review.to_wire(at).agency_fee).collect();
    let cents = |cents| Some(Usd::from_cents(cents));
    assert_eq!(fees, [cents(1_025), cents(125_050), cents(125_050)], "whatever the file's decimal mark is");
    let states: Vec<_> = (0..3).filter_map(|at| review.to_wire(at).physical_state).collect();
    assert_eq!(states, ["TX", "TX", "LA"]);
    assert_eq!(review.to_wire(1).invoice_date.as_deref(), Some("2026-03-04"));
    assert_eq!(review.transactions().count(), 3, "a blank row stays blank");
    assert_eq!(review.rule_effects().default_rows[&Field::AgencyFee], 2);
}

#[test]
fn a_line_of_totals_is_known_though_every_row_has_a_type() {
    let review = reviewed("Premium,Insured,Transaction type\n5,x,\nTotal 5,,\n", |mapping| {
        mapping.rules.defaults.insert(Field::TransactionType, "PN".into());
    });
    let codes: Vec<Code> = review.findings_of(2).iter().map(|finding| finding.code()).collect();
    assert_eq!(codes, [Code::LooksLikeTotal]);
}

#[test]
fn a_column_of_the_file_goes_before_a_rule() {
    let review = reviewed("id,Location,physical_state\n1,\"Houston, TX 77002\",LA\n", |mapping| {
        mapping.rules.splits.push(place_split());
    });
    assert_eq!(review.to_wire(0).physical_state.as_deref(), Some("LA"));
    assert_eq!(text_of(&review, 1, Field::PhysicalZip), "77002");
}

#[test]
fn a_rule_that_cannot_be_is_a_sentence() {
    let default = |field, value: &str| ColumnRules {
        defaults: BTreeMap::from([(field, value.to_owned())]),
        ..ColumnRules::default()
    };
    let split = |fields: Vec<Option<Field>>, cut| ColumnRules {
        splits: vec![ColumnSplit { from: name("a"), cut, fields }],
        ..ColumnRules::default()
    };
    let comma = || TextCut::Separators(vec![",".into()]);
    let city = Some(Field::PhysicalCity);
    let cases = [
        (default(Field::Premium, "a lot"), "Premium: type an amount"),
        (split(vec![city], comma()), "2 to 12 parts"),
        (split(vec![None, None], comma()), "at least one part"),
        (split(vec![city, city], comma()), "filled twice"),
        (split(vec![city, None], TextCut::Separators(Vec::new())), "where the column is split"),
        (split(vec![city, None], TextCut::Positions(vec![0])), "how many characters"),
        (split(vec![city, None, None], TextCut::Positions(vec![5, 2])), "how many characters"),
    ];
    for (rules, sentence) in cases {
        let mapping = Mapping { version: 1, rules, ..Mapping::default() };
        let refused = mapping.clone().with_checked_rules().unwrap_err();
        assert!(refused.contains(sentence), "{refused}");
        assert!(matches!(Mapping::from_file(&mapping.to_file()), Err(MappingError::Rule(_))));
    }
    let added = Mapping {
        grouping: RowGrouping::ById,
        row_amounts: Some(RowAmounts::Add),
        rules: default(Field::AgencyFee, "50"),
        ..Mapping::default()
    };
    assert!(added.with_checked_rules().unwrap_err().contains("once for each row"));
}

#[test]
fn rules_are_remembered_with_their_columns() {
    let mut mapping = Mapping { version: 1, name: "Ours".into(), ..Mapping::default() };
    mapping.rules.splits.push(place_split());
    let again = Mapping::from_file(&mapping.to_file()).unwrap();
    assert_eq!(again, mapping);
    let proposed = |text: &str| {
        let source = read("x.csv", text.into(), &ReadOptions::default()).unwrap();
        propose_mapping(&source, std::slice::from_ref(&again))
    };
    let known = proposed("id,LOCATION\n1,x\n");
    assert_eq!(known.remembered.as_deref(), Some("Ours"));
    assert_eq!(known.mapping.rules, mapping.rules);
    assert_eq!(proposed("id,Place\n1,x\n").remembered, None, "without the column it does not fit");
}
