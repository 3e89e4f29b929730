//! Stores a text that is larger than a keychain entry in several entries.
//!
//! The first entry is the text itself, or says how many parts there are and which of two sets is complete. A new
//! text is written into the other set before the first entry names it, so that a crash midway leaves the old text
//! readable.

use zeroize::Zeroizing;

use super::{SecretText, SecretsError};

/// UTF-16 units of an entry in the Windows credential manager, which holds 2,560 bytes.
const ITEM_UNITS_MAX: usize = 1_280;

/// More than any sign-in needs; limits what a damaged first entry can ask for.
const PARTS_MAX: usize = 32;

const PARTS_MARK: &str = "bordereau-parts ";
const SETS: [&str; 2] = ["a", "b"];

/// The entries of a keychain, by name.
pub trait KeychainItems {
    /// The text of an entry, `None` where there is none.
    fn read_item(&self, name: &str) -> Result<Option<SecretText>, SecretsError>;
    /// Creates or replaces an entry.
    fn write_item(&self, name: &str, text: &str) -> Result<(), SecretsError>;
    /// Removes an entry; a missing one is fine.
    fn remove_item(&self, name: &str) -> Result<(), SecretsError>;
}

/// Location of a text's parts.
#[derive(Clone, Copy, PartialEq, Eq)]
struct PartSet {
    set: &'static str,
    count: usize,
}

impl PartSet {
    fn parse(first: &str) -> Option<Result<PartSet, SecretsError>> {
        let mut words = first.strip_prefix(PARTS_MARK)?.split(' ');
        let set = words.next().and_then(|word| SETS.into_iter().find(|set| *set == word));
        let count = words.next().and_then(|word| word.parse().ok()).filter(|count| *count <= PARTS_MAX);
        Some(set.zip(count).map(|(set, count)| PartSet { set, count }).ok_or(SecretsError::Damaged))
    }

    fn item_names(self, name: &str) -> impl Iterator<Item = String> {
        (1..=self.count).map(move |number| format!("{name}/{}{number}", self.set))
    }
}

/// Reads a text of any size.
pub(super) fn read_text(items: &impl KeychainItems, name: &str) -> Result<Option<SecretText>, SecretsError> {
    let Some(first) = items.read_item(name)? else { return Ok(None) };
    let Some(parts) = PartSet::parse(&first) else { return Ok(Some(first)) };
    let mut text = Zeroizing::new(String::new());
    for part in parts?.item_names(name) {
        text.push_str(&items.read_item(&part)?.ok_or(SecretsError::Damaged)?);
    }
    Ok(Some(text))
}

/// Writes a text of any size, and removes the parts of the previous one.
pub(super) fn write_text(items: &impl KeychainItems, name: &str, text: &str) -> Result<(), SecretsError> {
    let before = stored_parts(items, name);
    let pieces = split_text(text);
    if let [only] = &pieces[..] {
        items.write_item(name, only)?;
    } else {
        if pieces.len() > PARTS_MAX {
            let limit = PARTS_MAX * ITEM_UNITS_MAX * 2;
            return Err(SecretsError::TooLarge { bytes: text.encode_utf16().count() * 2, limit });
        }
        let set = SETS[usize::from(before.is_some_and(|before| before.set == SETS[0]))];
        let parts = PartSet { set, count: pieces.len() };
        for (part, piece) in parts.item_names(name).zip(&pieces) {
            items.write_item(&part, piece)?;
        }
        items.write_item(name, &format!("{PARTS_MARK}{set} {}", parts.count))?;
    }
    remove_parts(items, name, before)
}

/// Removes a text with all its parts.
pub(super) fn remove_text(items: &impl KeychainItems, name: &str) -> Result<(), SecretsError> {
    let before = stored_parts(items, name);
    items.remove_item(name)?;
    remove_parts(items, name, before)
}

/// `None` if the first entry can't be read: a damaged one is replaced.
fn stored_parts(items: &impl KeychainItems, name: &str) -> Option<PartSet> {
    let first = items.read_item(name).ok()??;
    PartSet::parse(&first)?.ok()
}

fn remove_parts(items: &impl KeychainItems, name: &str, parts: Option<PartSet>) -> Result<(), SecretsError> {
    parts.into_iter().flat_map(|parts| parts.item_names(name)).try_for_each(|part| items.remove_item(&part))
}

/// Splits into pieces that fit; at least one.
fn split_text(text: &str) -> Vec<SecretText> {
    let mut pieces = vec![Zeroizing::new(String::new())];
    let mut units = 0;
    for c in text.chars() {
        if units + c.len_utf16() > ITEM_UNITS_MAX {
            pieces.push(Zeroizing::new(String::new()));
            units = 0;
        }
        units += c.len_utf16();
        if let Some(piece) = pieces.last_mut() {
            piece.push(c);
        }
    }
    pieces
}

#[cfg(test)]
mod tests {
    use std::cell::{Cell, RefCell};
    use std::collections::BTreeMap;

    use super::*;

    /// A credential manager with Windows's limits that fails after some writes.
    #[derive(Default)]
    struct SmallItems {
        items: RefCell<BTreeMap<String, String>>,
        writes_left: Cell<Option<u32>>,
    }

    impl KeychainItems for SmallItems {
        fn read_item(&self, name: &str) -> Result<Option<SecretText>, SecretsError> {
            Ok(self.items.borrow().get(name).cloned().map(Zeroizing::new))
        }

        fn write_item(&self, name: &str, text: &str) -> Result<(), SecretsError> {
            match self.writes_left.get() {
                Some(0) => return Err(SecretsError::Locked("locked".into())),
                Some(left) => self.writes_left.set(Some(left - 1)),
                None => {}
            }
            let bytes = text.encode_utf16().count() * 2;
            assert!(bytes <= 2_560, "{name} has {bytes} bytes");
            self.items.borrow_mut().insert(name.to_owned(), text.to_owned());
            Ok(())
        }

        fn remove_item(&self, name: &str) -> Result<(), SecretsError> {
            self.items.borrow_mut().remove(name);
            Ok(())
        }
    }

    #[test]
    fn a_text_of_any_size_is_read_back_and_leaves_nothing_behind() {
        let items = SmallItems::default();
        for (length, entries) in [(10, 1), (1_280, 1), (1_281, 3), (10_000, 9), (3_000, 4), (20, 1)] {
            let text = "k".repeat(length);
            write_text(&items, "p", &text).unwrap();
            assert_eq!(read_text(&items, "p").unwrap().unwrap().as_str(), text);
            assert_eq!(items.items.borrow().len(), entries, "{length} characters");
        }
        let emoji = "🗝".repeat(2_000);
        write_text(&items, "p", &emoji).unwrap();
        assert_eq!(read_text(&items, "p").unwrap().unwrap().as_str(), emoji);
        remove_text(&items, "p").unwrap();
        assert!(items.items.borrow().is_empty());
        assert!(write_text(&items, "p", &"k".repeat(50_000)).is_err());
    }

    #[test]
    fn a_write_that_stops_anywhere_leaves_the_text_before() {
        for writes in 0..4 {
            let items = SmallItems::default();
            let (before, after) = ("o".repeat(4_000), "n".repeat(3_000));
            write_text(&items, "p", &before).unwrap();
            items.writes_left.set(Some(writes));
            let outcome = write_text(&items, "p", &after);
            let expected = if outcome.is_ok() { after } else { before };
            assert_eq!(read_text(&items, "p").unwrap().unwrap().as_str(), expected, "{writes} writes");
        }
    }

    #[test]
    fn a_part_that_is_gone_is_a_damaged_text() {
        let items = SmallItems::default();
        write_text(&items, "p", &"k".repeat(3_000)).unwrap();
        items.remove_item("p/a2").unwrap();
        assert_eq!(read_text(&items, "p").unwrap_err(), SecretsError::Damaged);
        items.write_item("p", "bordereau-parts a 9999999").unwrap();
        assert_eq!(read_text(&items, "p").unwrap_err(), SecretsError::Damaged);
    }
}
