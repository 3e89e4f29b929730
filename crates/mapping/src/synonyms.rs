//! Names of fields as people write them in headers.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use bordereau_contract::Jurisdiction;
use bordereau_tables::normalize_header;
use strsim::osa_distance;

use crate::field::{Field, ValueKind};
use crate::likeness::{NAME_CHARS_MAX, mistakes_allowed};
use crate::words::{self, WordMeaning};

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

/// Words of headers as agency systems cut them or other markets have them, and what they stand for.
const CUT_WORDS: [(&str, &str); 53] = [
    ("acct", "account"),
    ("addr", "address"),
    ("agcy", "agency"),
    ("amt", "amount"),
    ("begin", "effective"),
    ("beginning", "effective"),
    ("carr", "carrier"),
    ("cd", "code"),
    ("cert", "certificate"),
    ("cnty", "county"),
    ("co", "company"),
    ("coll", "collected"),
    ("commencement", "effective"),
    ("cov", "coverage"),
    ("curr", "current"),
    ("cust", "customer"),
    ("desc", "description"),
    ("descr", "description"),
    ("dt", "date"),
    ("eff", "effective"),
    ("end", "expiration"),
    ("endt", "endorsement"),
    ("exp", "expiration"),
    ("expires", "expiration"),
    ("expiry", "expiration"),
    ("inception", "effective"),
    ("insd", "insured"),
    ("insp", "inspection"),
    ("inv", "invoice"),
    ("loc", "location"),
    ("mail", "mailing"),
    ("muni", "municipal"),
    ("nbr", "number"),
    ("nm", "name"),
    ("no", "number"),
    ("num", "number"),
    ("pct", "percent"),
    ("pol", "policy"),
    ("postcode", "zip code"),
    ("prdcr", "producer"),
    ("prem", "premium"),
    ("ref", "reference"),
    ("start", "effective"),
    ("stmp", "stamp"),
    ("svc", "service"),
    ("synd", "syndicate"),
    ("tot", "total"),
    ("tran", "transaction"),
    ("trans", "transaction"),
    ("trx", "transaction"),
    ("tx", "tax"),
    ("txn", "transaction"),
    ("wrtn", "written"),
];

/// A header's words with the cut ones written out.
pub(crate) fn write_out(normal: &str) -> String {
    let whole = |word| CUT_WORDS.iter().find(|(cut, _)| *cut == word).map_or(word, |(_, whole)| *whole);
    normal.split(' ').map(whole).collect::<Vec<_>>().join(" ")
}

/// The words of a written-out name in no order: `effective date of transaction` is `transaction effective date`, and
/// `fees - policy` is `policy fees`.
fn sort_words(written_out: &str) -> String {
    let mut words: Vec<&str> = written_out.split(' ').filter(|word| !SMALL_WORDS.contains(word)).collect();
    words.sort_unstable();
    words.join(" ")
}

const SMALL_WORDS: [&str; 6] = ["a", "and", "for", "of", "or", "the"];

/// The field of a name whose words are in another order because of what is between them. Without that, the order says what
/// a name is: a tax premium is no premium tax. TX may be the state.
fn named_in_another_order(header: &str) -> Option<Field> {
    let normal = normalize_header(header);
    let has = |known: &[&str]| normal.split(' ').any(|word| known.contains(&word));
    if has(&["tx"]) || !(has(&SMALL_WORDS) || header.contains(['-', '–', ',', ':', '/'])) {
        return None;
    }
    sorted_names().get(&sort_words(&write_out(&normal))).copied().flatten()
}

/// The names written another way; one that would name two fields names none.
type RewrittenNames = BTreeMap<String, Option<Field>>;

fn rewrite_names<R: IntoIterator<Item = String>>(rewrite: fn(&str, Field) -> R) -> RewrittenNames {
    let mut names = BTreeMap::new();
    for (name, field) in field_names() {
        for rewritten in rewrite(name, *field) {
            let of_it = names.entry(rewritten).or_insert(Some(*field));
            if *of_it != Some(*field) {
                *of_it = None;
            }
        }
    }
    names
}

/// The names with their cut words written out.
fn written_out_names() -> &'static RewrittenNames {
    static NAMES: OnceLock<RewrittenNames> = OnceLock::new();
    NAMES.get_or_init(|| rewrite_names(|name, _| [write_out(name)]))
}

/// The names by their words in no order.
fn sorted_names() -> &'static RewrittenNames {
    static NAMES: OnceLock<RewrittenNames> = OnceLock::new();
    NAMES.get_or_init(|| rewrite_names(|name, _| [sort_words(&write_out(name))]))
}

/// Shorter headers run together may be anything.
const JOINED_CHARS_MIN: usize = 5;

/// The names as they are written without blanks, also with their words cut: `POLNUM`, `EFFDT`, `PREMAMT`.
fn joined_names() -> &'static RewrittenNames {
    static NAMES: OnceLock<RewrittenNames> = OnceLock::new();
    NAMES.get_or_init(|| rewrite_names(join_words))
}

fn join_words(name: &str, field: Field) -> Vec<String> {
    let written_out = write_out(name);
    let is_bare_amount = field.kind() == ValueKind::Amount && !written_out.ends_with("amount");
    let mut joined = vec![String::new()];
    for word in written_out.split(' ').chain(is_bare_amount.then_some("amount")) {
        let cuts = CUT_WORDS.iter().filter(|(_, whole)| *whole == word).map(|(cut, _)| *cut);
        let forms: Vec<&str> = cuts.chain([word]).collect();
        joined =
            joined.iter().flat_map(|begun| forms.iter().map(move |form| format!("{begun}{form}"))).collect();
    }
    joined.push(name.replace(' ', ""));
    joined
}

/// `PolEffDate` and `NAICCode` with a blank where a word begins.
pub fn split_words(header: &str) -> String {
    let letters: Vec<char> = header.chars().collect();
    let mut text = String::with_capacity(header.len() + 8);
    for (at, letter) in letters.iter().enumerate() {
        let before = at.checked_sub(1).map(|before| letters[before]);
        let ends_word = |before: char| before.is_lowercase() || before.is_ascii_digit();
        let is_next_lower = letters.get(at + 1).is_some_and(|next| next.is_lowercase());
        let begins = letter.is_uppercase()
            && before.is_some_and(|before| ends_word(before) || (before.is_uppercase() && is_next_lower));
        if begins {
            text.push(' ');
        }
        text.push(*letter);
    }
    text
}

/// Longer headers, in bytes, are no names: a cell may have 32,767 characters, and a table ten thousand columns.
const HEADER_MAX: usize = 200;

/// The field a header names: as it is, with its words apart, or run together (`POLICYNUMBER`).
pub fn field_named(header: &str) -> Option<Field> {
    if header.len() > HEADER_MAX {
        return None;
    }
    let in_one_word = || {
        let joined = normalize_header(header).replace(' ', "");
        if joined.len() < JOINED_CHARS_MIN { None } else { joined_names().get(&joined).copied().flatten() }
    };
    // "NAIC(s)" is one or several.
    let header = &without_date_format(&without_entry_notes(&header.replace("(s)", "")));
    // "FL SL Tax 4.94%" has amounts, as "Premium 100%" has.
    let plain = without_percentages(header);
    let amount = if plain == *header { None } else { field_named(&plain) };
    if amount.is_some_and(|field| field.kind() == ValueKind::Amount) {
        return amount;
    }
    let field = named_as_written(header)
        .or_else(|| named_as_written(&split_words(header)))
        .or_else(in_one_word)
        .or_else(|| named_in_another_order(header))
        .or_else(|| premium_with_charges(&split_words(header)).and_then(|(with, taxes)| with.field(taxes)));
    field
        .filter(|field| {
            field.kind() != ValueKind::Amount || !(is_rate(header) || other_unit(header).is_some())
        })
        .filter(|field| can_name_field(header, *field))
}

/// Whether a header can be the name of this field: "Client #" is no insured's name.
fn can_name_field(header: &str, field: Field) -> bool {
    !header.trim_end().ends_with('#') || !matches!(field.kind(), ValueKind::Text | ValueKind::Amount)
}

/// What templates say of a column's cells in brackets.
const ENTRY_NOTES: [&str; 6] =
    ["(2 letter)", "(2 letters)", "(if applicable)", "(mandatory)", "(optional)", "(required)"];

/// `Insured Name (required)` without what it says of its cells.
fn without_entry_notes(header: &str) -> String {
    let lower = header.to_ascii_lowercase();
    let note = ENTRY_NOTES.iter().find_map(|note| lower.split_once(note));
    note.map_or_else(
        || header.to_owned(),
        |(before, behind)| [&header[..before.len()], &header[header.len() - behind.len()..]].concat(),
    )
}

/// `Inception (mm/dd/yy)` without how its dates are written.
fn without_date_format(header: &str) -> String {
    let is_part = |part: &str| matches!(part, "m" | "mm" | "d" | "dd" | "yy" | "yyyy");
    without_words(header, |word| {
        let word = word.to_lowercase();
        let parts: Vec<&str> = word.split(['/', '-', '.']).collect();
        parts.len() == 3 && parts.into_iter().all(is_part)
    })
}

/// A header without percentages such as `4.85%` and `.15%`, written in one word.
fn without_percentages(header: &str) -> String {
    let is_number = |digits: &str| {
        digits.bytes().any(|byte| byte.is_ascii_digit())
            && digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
    };
    without_words(header, |word| word.strip_suffix('%').is_some_and(is_number))
}

/// A header without the words, in brackets or not, that say nothing of its field.
fn without_words(header: &str, says_nothing: impl Fn(&str) -> bool) -> String {
    let bare = |word: &str| says_nothing(word.trim_start_matches('(').trim_end_matches(')'));
    if !header.split_whitespace().any(bare) {
        return header.to_owned();
    }
    header.split_whitespace().filter(|word| !bare(word)).collect::<Vec<_>>().join(" ")
}

/// "SL Tax %" beside "SL Tax" is not a second tax.
pub(crate) fn is_rate(header: &str) -> bool {
    let normal = normalize_header(&split_words(header));
    header.contains('%')
        || normal.split(' ').any(|word| matches!(word, "percent" | "percentage" | "pct" | "rate" | "rates"))
}

/// Words of a header whose amounts aren't in dollars: `Premium ($000)` read as it is would be a thousandth.
pub(crate) const UNIT_WORDS: [(&str, &str); 6] = [
    ("000", "thousands"),
    ("000s", "thousands"),
    ("cents", "cents"),
    ("thousand", "thousands"),
    ("thousands", "thousands"),
    ("ths", "thousands"),
];

/// In what a header says that its amounts are, if not in dollars.
pub(crate) fn other_unit(header: &str) -> Option<&'static str> {
    let normal = normalize_header(header);
    let unit = |word: &str| UNIT_WORDS.iter().find(|(known, _)| *known == word);
    normal.split(' ').find_map(unit).map(|(_, unit)| *unit)
}

/// Whether a premium's header names taxes and fees as a part of it.
#[derive(Clone, Copy)]
pub(crate) enum PremiumCharges {
    Excluded,
    Included,
}

impl PremiumCharges {
    /// Without them it is the premium, and with taxes the total; with fees alone it is neither.
    fn field(self, has_taxes: bool) -> Option<Field> {
        match (self, has_taxes) {
            (PremiumCharges::Excluded, _) => Some(Field::Premium),
            (PremiumCharges::Included, true) => Some(Field::Total),
            (PremiumCharges::Included, false) => None,
        }
    }
}

/// `Premium excl. fees` and `Gross premium incl. taxes`: whether they are a part of it, and whether there are taxes among
/// them.
pub(crate) fn premium_with_charges(header: &str) -> Option<(PremiumCharges, bool)> {
    let normal = normalize_header(header);
    let words: Vec<&str> = normal.split(' ').collect();
    let says = |word: &str| match word {
        "before" | "ex" | "excl" | "excluding" | "less" | "without" => Some(PremiumCharges::Excluded),
        "inc" | "incl" | "including" | "plus" | "with" => Some(PremiumCharges::Included),
        _ => None,
    };
    let (at, with) = words.iter().enumerate().find_map(|(at, word)| Some((at, says(word)?)))?;
    let (premium, charges) = (words.get(..at)?.join(" "), words.get(at + 1..)?);
    let is_tax = |word: &&str| matches!(*word, "tax" | "taxes");
    let is_charge =
        |word: &&str| is_tax(word) || matches!(*word, "and" | "fee" | "fees" | "stamping" | "surcharges");
    let is_it =
        named(&premium) == Some(Field::Premium) && !charges.is_empty() && charges.iter().all(is_charge);
    is_it.then(|| (with, charges.iter().any(is_tax)))
}

/// The field of a name as it is, or without the number of a repeated column (`Carrier 2`).
fn named_as_written(header: &str) -> Option<Field> {
    let normal = normalize_header(header);
    // "Transaction #" is its number, where "Transaction" alone is its type.
    if header.contains('#')
        && let Some(field) = field_names().get(&format!("{normal} no"))
    {
        return Some(*field);
    }
    // "Carrier 1 %" is its percentage, where "Carrier 1" is its number.
    if header.contains('%')
        && let Some(field) = named_without_numbers(&format!("{normal} percent"))
    {
        return Some(field);
    }
    if let Some(field) = named(&normal) {
        return Some(field);
    }
    if let Some(field) = named_without_numbers(&normal) {
        return Some(field);
    }
    let bare = normal.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end();
    // Units behind a name say nothing: "Premium ($)" is "premium", "Insurer share %" is "insurer share".
    if let Some(short) = bare.strip_suffix(" usd").or_else(|| bare.strip_suffix(" pct")) {
        return field_names().get(short).copied();
    }
    let with_kind = |name: Option<&str>, kind| name.and_then(named).filter(|field| field.kind() == kind);
    let is_answer = bare.strip_suffix(" y n").or_else(|| bare.strip_suffix(" yes no"));
    with_kind(is_answer, ValueKind::Flag)
        .or_else(|| with_kind(write_out(bare).strip_suffix(" amount"), ValueKind::Amount))
}

/// The field of a name with the number of a repeated column in it, such as `carrier 1 percent` and `address1`.
fn named_without_numbers(normal: &str) -> Option<Field> {
    let words = normal.split(' ').map(|word| word.trim_end_matches(|c: char| c.is_ascii_digit()));
    let bare = words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
    named(&bare)
}

/// The field of a name, or of one whose cut words are written out.
pub(crate) fn named(name: &str) -> Option<Field> {
    // The primary layer's premium is not the whole.
    if let Some(rest) = name.strip_prefix("primary ") {
        return named(rest).filter(|field| field.kind() != ValueKind::Amount);
    }
    let is_long = name.len() > 2;
    field_names().get(name).copied().or_else(|| {
        // Two letters alone may be anything: TX is a state.
        if is_long { written_out_names().get(&write_out(name)).copied().flatten() } else { None }
    })
}

/// Shorter headers are like too many names.
const LIKE_CHARS_MIN: usize = 5;

/// The field with the one nearest name, and that name, where a header is no name but a misspelled one.
pub fn field_like(header: &str) -> Option<(Field, &'static str)> {
    let plain = write_out(&normalize_header(&split_words(header)));
    let bare = plain.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end();
    let letters = bare.chars().count();
    if !(LIKE_CHARS_MIN..=NAME_CHARS_MAX).contains(&letters) {
        return None;
    }
    let mut nearest: Option<(usize, Field, &'static str)> = None;
    let mut is_alone = true;
    for (name, field) in field_names() {
        // A letter more or less is a mistake each: most names need no closer look.
        if name.len().abs_diff(bare.len()) > mistakes_allowed(letters) {
            continue;
        }
        let mistakes = osa_distance(bare, name);
        if mistakes > mistakes_allowed(letters) || !are_words_like(bare, name) {
            continue;
        }
        match nearest {
            Some((fewest, known, _)) if mistakes == fewest => is_alone &= known == *field,
            Some((fewest, _, _)) if mistakes > fewest => {}
            _ => {
                nearest = Some((mistakes, *field, name));
                is_alone = true;
            }
        }
    }
    nearest
        .filter(|(_, field, _)| is_alone && can_name_field(header, *field))
        .map(|(_, field, name)| (field, name))
}

/// The field that a header names with what is in brackets before it, as "Policy Fee (Carrier)" does, or without it, as
/// "Broker Fee (Non-Taxable)" and "SL Tax (TX)" do; and which of both.
pub fn field_beside_brackets(header: &str) -> Option<(Field, &'static str)> {
    let (before, behind) = header.split_once('(').filter(|(before, _)| !before.trim().is_empty())?;
    let inside = behind.split(')').next().unwrap_or_default();
    let with = field_named(&format!("{inside} {before}")).map(|field| (field, "With"));
    with.or_else(|| Some((field_named(before)?, "Without")))
}

/// Whether a text is a state's name, or its code in capital letters.
fn is_state(text: &str) -> bool {
    match text.len() {
        2 => text.bytes().all(|byte| byte.is_ascii_uppercase()) && text.parse::<Jurisdiction>().is_ok(),
        _ => words::find_meaning(Field::PhysicalState, text) != WordMeaning::Unknown,
    }
}

/// The label that a group's heading of a report has without saying it: a state's name alone.
pub fn heading_label(heading: &str) -> Option<&'static str> {
    is_state(heading).then_some("State")
}

/// The tax or fee that a header names behind a state, as "FL SL Tax" and "New York SLT" do, and the state.
pub fn field_behind_state(header: &str) -> Option<(&str, Field)> {
    let header = header.trim();
    let cuts = header.match_indices(' ').map(|(at, _)| header.split_at(at)).take(STATE_WORDS_MAX);
    let (state, rest) = cuts.filter(|(state, _)| is_state(state)).last()?;
    let field = field_named(rest.trim_start()).filter(|field| field.kind() == ValueKind::Amount);
    field.map(|field| (state, field))
}

/// Words of a state's name, as in "District of Columbia".
const STATE_WORDS_MAX: usize = 3;

/// Whether no word is another one altogether, where there are as many: "Insured first" is not "Insured st".
fn are_words_like(header: &str, name: &str) -> bool {
    let count = |text: &str| text.split(' ').count();
    let is_like = |(word, known): (&str, &str)| osa_distance(word, known) <= word.chars().count() / 3;
    count(header) != count(name) || header.split(' ').zip(name.split(' ')).all(is_like)
}

/// Whether a header calls something a reference: a transaction's id only where nothing is called its id.
pub fn is_reference(header: &str) -> bool {
    normalize_header(header).split(' ').any(|word| matches!(word, "ref" | "reference"))
}

/// The number of the field that a header names.
pub fn field_number(header: &str) -> Option<usize> {
    (header.len() < 80).then(|| field_named(header))?.map(Field::index)
}

/// Whether a header is the template's own name of a field.
pub fn is_template(header: &str) -> Option<Field> {
    Field::by_name(header.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_charge_is_named_behind_its_state() {
        for (header, found) in [
            ("FL SL Tax", Some(("FL", Field::SlTax))),
            ("Texas SLT", Some(("Texas", Field::SlTax))),
            ("New York Stamping Fee", Some(("New York", Field::StampingFee))),
            ("West Virginia SL Tax", Some(("West Virginia", Field::SlTax))),
            ("Virginia", None),
            ("in tax", None),
            ("Texas Policy Number", None),
        ] {
            assert_eq!(field_behind_state(header), found, "{header}");
        }
    }

    #[test]
    fn headers_with_notes_charges_or_units_are_what_they_say() {
        for (header, field) in [
            ("Premium excl. Tax", Some(Field::Premium)),
            ("Gross Premium before taxes and fees", Some(Field::Premium)),
            ("Premium (excl. fees)", Some(Field::Premium)),
            ("Total Premium incl. taxes & fees", Some(Field::Total)),
            ("Premium plus tax", Some(Field::Total)),
            ("GrossPremiumInclTax", Some(Field::Total)),
            ("Premium incl. fees", None),
            ("Premium excl. Commission", None),
            ("Commission incl. tax", None),
            ("Premium ($000)", None),
            ("Premium (000's)", None),
            ("Total in thousands", None),
            ("Non-Admitted Premium", Some(Field::Premium)),
            ("Premium (required)", Some(Field::Premium)),
            ("Risk State (2 Letter)", Some(Field::PhysicalState)),
            ("Insured Name (Optional) *", Some(Field::InsuredName)),
        ] {
            assert_eq!(field_named(header), field, "{header}");
        }
    }

    #[test]
    fn every_name_is_its_fields_run_together_as_well() {
        for (name, field) in field_names() {
            assert_eq!(field_named(name), Some(*field), "{name}");
            let joined = name.replace(' ', "").to_uppercase();
            let is_long = joined.len() >= JOINED_CHARS_MIN;
            assert_eq!(field_named(&joined).filter(|_| is_long), Some(*field).filter(|_| is_long), "{name}");
        }
    }
}
