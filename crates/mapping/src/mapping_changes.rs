//! What differs between two versions of a mapping, in words.

use std::collections::BTreeMap;

use crate::field::Field;
use crate::mapping::{ColumnChoice, Mapping};

/// Changes that are listed.
const CHANGES_MAX: usize = 40;

/// What would change from one version to the other.
pub fn mapping_changes(from: &Mapping, to: &Mapping) -> Vec<String> {
    let mut changes = column_changes(from, to);
    changes.extend(value_changes(from, to));
    let settings = [
        ("Order of dates", from.date_order != to.date_order),
        ("Decimal mark", from.decimal_mark != to.decimal_mark),
        ("Rows of one transaction", from.grouping != to.grouping || from.row_amounts != to.row_amounts),
        ("Fixed values", from.rules.defaults != to.rules.defaults),
        ("Split columns", from.rules.splits != to.rules.splits),
        ("Merged columns", from.rules.merges != to.rules.merges),
        ("Rows of charges", from.rules.charges != to.rules.charges),
        ("Premiums of lines", from.rules.lines != to.rules.lines),
    ];
    changes.extend(
        settings.iter().filter(|(_, is_other)| *is_other).map(|(title, _)| format!("{title}: changed")),
    );
    let more = changes.len().saturating_sub(CHANGES_MAX);
    changes.truncate(CHANGES_MAX);
    if more > 0 {
        changes.push(format!("{more} more"));
    }
    changes
}

fn column_changes(from: &Mapping, to: &Mapping) -> Vec<String> {
    let fields = |mapping: &Mapping| -> BTreeMap<(String, u16), Option<Field>> {
        let place = |choice: &ColumnChoice| (choice.header.clone(), choice.occurrence);
        mapping.columns.iter().map(|choice| (place(choice), choice.field)).collect()
    };
    let (before, after) = (fields(from), fields(to));
    let title = |field: Option<Field>| field.map_or("not imported", Field::title);
    let all = before.keys().chain(after.keys().filter(|place| !before.contains_key(place)));
    all.filter_map(|place| {
        let (old, new) = (before.get(place).copied().flatten(), after.get(place).copied().flatten());
        (old != new).then(|| format!("Column \"{}\": {}, now {}", place.0, title(new), title(old)))
    })
    .collect()
}

fn value_changes(from: &Mapping, to: &Mapping) -> Vec<String> {
    let words = |mapping: &Mapping| -> BTreeMap<(Field, String), String> {
        let of = |(field, words): (&Field, &BTreeMap<String, String>)| {
            let field = *field;
            words.clone().into_iter().map(move |(word, code)| ((field, word), code)).collect::<Vec<_>>()
        };
        mapping.values.iter().flat_map(of).collect()
    };
    let (before, after) = (words(from), words(to));
    let all = before.keys().chain(after.keys().filter(|word| !before.contains_key(word)));
    let code = |code: Option<&String>| code.cloned().unwrap_or_else(|| "no code".to_owned());
    all.filter_map(|word| {
        let (old, new) = (before.get(word), after.get(word));
        (old != new).then(|| format!("\"{}\": {}, now {}", word.1, code(new), code(old)))
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mapping::RowGrouping;

    #[test]
    fn each_difference_is_one_line() {
        let column = |header: &str, field| ColumnChoice { header: header.into(), occurrence: 0, field };
        let mut now = Mapping {
            columns: vec![column("Amt", Some(Field::Premium)), column("Ref", None)],
            ..Mapping::default()
        };
        now.remember_value(Field::TransactionType, "NB", "PN");
        let mut before = now.clone();
        assert_eq!(mapping_changes(&now, &before), Vec::<String>::new());
        before.columns = vec![column("Amt", Some(Field::Total)), column("Ref", Some(Field::Id))];
        before.values.clear();
        before.grouping = RowGrouping::ById;
        assert_eq!(
            mapping_changes(&now, &before),
            [
                "Column \"Amt\": Total, now Premium",
                "Column \"Ref\": Transaction ID, now not imported",
                "\"nb\": no code, now PN",
                "Rows of one transaction: changed",
            ]
        );
    }
}
