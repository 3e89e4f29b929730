//! The sample batches: good has nothing wrong, bad and nasty show what they are for, nothing is lost.

use std::collections::BTreeSet;

use crate::certain_repairs;
use crate::reviews::with_checks;
use bordereau_spreadsheets::{Code, Field, Mapping, ReadOptions, RepairKind, Review, propose_mapping, read};

fn review(name: &str, change: impl FnOnce(&mut Mapping)) -> Review {
    let path = format!("{}/../../samples/batches/{name}", env!("CARGO_MANIFEST_DIR"));
    let source = read(name, std::fs::read(path).unwrap(), &ReadOptions::default()).unwrap();
    let mut mapping = propose_mapping(&source, &[]).mapping;
    change(&mut mapping);
    with_checks(|checks| Review::new(source, mapping, checks))
}

fn codes(review: &Review) -> BTreeSet<Code> {
    review.findings().iter().map(|f| f.code()).collect()
}

#[test]
fn good_has_nothing_wrong() {
    let review = review("good.csv", |_| {});
    let issues: Vec<String> = review.findings().iter().map(|f| review.describe_finding(f).message).collect();
    assert_eq!(issues, Vec::<String>::new());
    assert_eq!(review.transactions().count(), 60);
}

#[test]
fn bad_shows_each_mistake() {
    let found = codes(&review("bad.csv", |_| {}));
    use Code as C;
    for code in [
        C::ValueMapped,
        C::AmountUnreadable,
        C::DateUnreadable,
        C::TaxDiffers,
        C::MissingWanted,
        C::IdentifierRounded,
        C::LineUnknown,
        C::CodeUnknown,
        C::SharesNotWhole,
        C::DuplicateId,
        C::DatesOutOfOrder,
        C::ZipZeroLost,
        C::FlagUnreadable,
        C::DocumentMissing,
        C::TotalDiffers,
        C::Untrimmed,
        C::EmailUnlikely,
    ] {
        assert!(found.contains(&code), "{code:?} in {found:?}");
    }
}

#[test]
fn nasty_files_lose_no_row() {
    for (name, rows) in
        [("nasty-european-utf16.csv", 60), ("nasty-quotes.csv", 10), ("nasty-windows-1252.csv", 10)]
    {
        let review = review(name, |_| {});
        let count = review.transactions().count();
        // A quote that does not close may part a row in two, never join or lose one.
        assert!(count >= rows && count <= rows + 1, "{name}: {count}");
    }
    let european = review("nasty-european-utf16.csv", |_| {});
    assert!(!codes(&european).contains(&Code::AmountUnreadable));
    assert!(!codes(&european).contains(&Code::DateUnreadable));
    assert!(codes(&review("nasty-quotes.csv", |_| {})).contains(&Code::QuoteNotClosed));
}

#[test]
fn the_messy_workbook_is_repaired_mostly_by_group() {
    let mut review = review("messy-5000.xlsx", |mapping| {
        for (word, code) in [
            ("CGL", "GEN-1002"),
            ("PROP", "GEN-1001"),
            ("XS", "GEN-1008"),
            ("PROF", "GEN-1006"),
            ("PKG", "GEN-1004"),
        ] {
            mapping.remember_value(Field::LineOfBusiness, word, code);
        }
    });
    assert_eq!(review.transactions().count(), 5_001, "5,000 and a line of totals");
    let before = codes(&review);
    use Code as C;
    for code in [
        C::ValueMapped,
        C::DuplicateId,
        C::TaxDiffers,
        C::MissingWanted,
        C::AmountUnreadable,
        C::DateUnreadable,
        C::Untrimmed,
        C::LooksLikeTotal,
        C::ZipZeroLost,
    ] {
        assert!(before.contains(&code), "{code:?}");
    }
    for kind in [
        RepairKind::Trim,
        RepairKind::MapValue,
        RepairKind::ZipZero,
        RepairKind::SetDate,
        RepairKind::UseCalculated,
    ] {
        let changes: Vec<_> = certain_repairs(&review, kind)
            .into_iter()
            .flat_map(|fix| fix.changes)
            .map(|c| (c.row, c.column, Some(c.text.clone())))
            .collect();
        with_checks(|checks| review.edit_cells(&changes, checks));
    }
    let after = codes(&review);
    for code in [C::Untrimmed, C::ValueMapped, C::ZipZeroLost, C::TaxDiffers] {
        assert!(!after.contains(&code), "{code:?} is repaired");
    }
}
