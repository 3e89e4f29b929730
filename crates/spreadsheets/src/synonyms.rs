//! Names of fields as people write them in headers.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use bordereau_tables::normalize_header;

use crate::field::Field;

fn field_names() -> &'static BTreeMap<String, Field> {
    static NAMES: OnceLock<BTreeMap<String, Field>> = OnceLock::new();
    NAMES.get_or_init(|| {
        let table: BTreeMap<Field, Vec<String>> =
            toml::from_str(include_str!("../data/synonyms.toml")).expect("the synonyms are tested");
        let own = Field::ALL
            .iter()
            .flat_map(|f| [(normalize_header(f.name()), *f), (normalize_header(f.title()), *f)]);
        let listed = table.into_iter().flat_map(|(field, names)| names.into_iter().map(move |n| (n, field)));
        // Own names come last and win.
        listed.chain(own).collect()
    })
}

/// The field a header names: as it is, or without the number of a repeated column (`Carrier 2`).
pub(crate) fn field_named(header: &str) -> Option<Field> {
    let normal = normalize_header(header);
    // "Transaction #" is its number, where "Transaction" alone is its type.
    if header.contains('#')
        && let Some(field) = field_names().get(&format!("{normal} no"))
    {
        return Some(*field);
    }
    if let Some(field) = field_names().get(&normal) {
        return Some(*field);
    }
    let bare = normal.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end();
    if bare.len() < normal.len()
        && let Some(field) = field_names().get(bare)
    {
        return Some(*field);
    }
    // Units behind a name say nothing: "Premium ($)" is "premium", "Insurer share %" is "insurer share".
    let short = bare.strip_suffix(" usd").or_else(|| bare.strip_suffix(" pct"))?;
    field_names().get(short).copied()
}

/// Whether a header calls something a reference: a transaction's id only where nothing is called its id.
pub(crate) fn is_reference(header: &str) -> bool {
    normalize_header(header).split(' ').any(|word| matches!(word, "ref" | "reference"))
}

/// The number of the field that a header names.
pub(crate) fn field_number(header: &str) -> Option<usize> {
    (header.len() < 80).then(|| field_named(header))?.map(Field::index)
}

/// Whether a header is the template's own name of a field.
pub(crate) fn is_template(header: &str) -> Option<Field> {
    Field::by_name(header.trim())
}
