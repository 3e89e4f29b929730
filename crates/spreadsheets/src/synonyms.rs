//! Names of fields as people write them in headers.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use crate::field::Field;

fn names() -> &'static BTreeMap<String, Field> {
    static NAMES: OnceLock<BTreeMap<String, Field>> = OnceLock::new();
    NAMES.get_or_init(|| {
        let table: BTreeMap<Field, Vec<String>> =
            toml::from_str(include_str!("../data/synonyms.toml")).expect("the synonyms are tested");
        let own = Field::ALL.iter().flat_map(|f| [(normal(f.name()), *f), (normal(f.title()), *f)]);
        let listed = table.into_iter().flat_map(|(field, names)| names.into_iter().map(move |n| (n, field)));
        // Own names come last and win.
        listed.chain(own).collect()
    })
}

/// Lower case, letters and digits, one blank between words.
pub(crate) fn normal(header: &str) -> String {
    let mut text = String::with_capacity(header.len());
    for c in header.chars() {
        if c.is_alphanumeric() {
            text.extend(c.to_lowercase());
        } else if !c.is_whitespace() && matches!(c, '\'' | '’' | '.') {
            // "Insured's", "No." and "S.L." are words without their marks.
        } else if !text.is_empty() && !text.ends_with(' ') {
            text.push(' ');
        }
    }
    text.truncate(text.trim_end().len());
    text
}

/// The field a header names: as it is, or without the number of a repeated column (`Carrier 2`).
pub(crate) fn field(header: &str) -> Option<Field> {
    let normal = normal(header);
    // "Transaction #" is its number, where "Transaction" alone is its type.
    if header.contains('#')
        && let Some(field) = names().get(&format!("{normal} no"))
    {
        return Some(*field);
    }
    if let Some(field) = names().get(&normal) {
        return Some(*field);
    }
    let bare = normal.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end();
    if bare.len() < normal.len()
        && let Some(field) = names().get(bare)
    {
        return Some(*field);
    }
    // Units behind a name say nothing: "Premium ($)" is "premium", "Insurer share %" is "insurer share".
    let short = bare.strip_suffix(" usd").or_else(|| bare.strip_suffix(" pct"))?;
    names().get(short).copied()
}

/// Whether a header calls something a reference: a transaction's id only where nothing is called its id.
pub(crate) fn is_reference(header: &str) -> bool {
    normal(header).split(' ').any(|word| matches!(word, "ref" | "reference"))
}

/// Whether a header names a field.
pub(crate) fn knows(header: &str) -> bool {
    header.len() < 80 && field(header).is_some()
}

/// Whether a header is the template's own name of a field.
pub(crate) fn is_template(header: &str) -> Option<Field> {
    Field::by_name(header.trim())
}
