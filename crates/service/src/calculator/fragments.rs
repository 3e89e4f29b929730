//! Parts of an answer that never change, written once.
//!
//! Most of an answer's bytes are a state's notes, documents, stamp wording and rule. The rule book hands
//! the same shared values out every time, so their JSON is kept under the address of the value; the
//! value is kept alive with it, so that no other one can come to that address.

use std::any::Any;
use std::collections::HashMap;
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use bordereau_contract::{CalculateResponse, StateDocument, StateNote, StateProperties, TaxRule};
use bordereau_tax::{Documents, Note, Notes, StampWording};
use serde::Serialize;

use super::answer::{alternative_stamp, note, stamp};

/// Fragments kept; the rule book has far fewer shared values.
const KEPT_MAX: usize = 20_000;
/// Stands for a document's address while its fragment is written.
const LINK_MARK: &str = "#link#";

/// JSON of the rule book's shared values.
#[derive(Default)]
pub(crate) struct Fragments {
    /// By address: the value, so that it stays there, and its fragment.
    known: RwLock<HashMap<usize, (Kept, Arc<Fragment>)>>,
}

/// A shared value of any type, only to keep it alive.
type Kept = Box<dyn Any + Send + Sync>;

/// JSON that is completed with what changes.
struct Fragment {
    before: String,
    after: String,
}

/// What is written between the fragments.
pub(super) struct Parts<'a> {
    pub(super) tax_rule: &'a Arc<TaxRule>,
    pub(super) notes: &'a Notes,
    pub(super) stamps: &'a Arc<[StampWording]>,
    pub(super) documents: &'a Documents,
}

impl Fragments {
    /// Writes `response`, whose rule and stamp wording are still empty, with these parts in their places.
    ///
    /// The result is the same as if they had been filled in before writing.
    pub(super) fn write(
        &self,
        response: &CalculateResponse,
        parts: &Parts<'_>,
        mut link: impl FnMut(&StateDocument) -> String,
    ) -> serde_json::Result<Vec<u8>> {
        let empty = Empty::get();
        let shell = serde_json::to_string(response)?;
        // Quotes inside of strings are escaped, so nothing a caller sent can look like these.
        let (head, rest) = around(&shell, "\"state_properties\":", &empty.properties)?;
        let (middle, tail) = around(rest, "\"tax_rule\":", &empty.rule)?;
        let stamps = self.stamps(parts.stamps)?;
        let mut json = String::with_capacity(16 * 1024);
        json.push_str(head);
        json.push_str(&stamps.before);
        json.push_str(middle);
        json.push_str(&self.rule(parts.tax_rule)?.before);
        json.push_str("\"state_notes\":[");
        let start = json.len();
        for one in parts.notes {
            separate(&mut json, start);
            json.push_str(&self.note(one)?.before);
        }
        if !stamps.after.is_empty() {
            separate(&mut json, start);
            json.push_str(&stamps.after);
        }
        json.push_str("],\"state_documents\":[");
        let start = json.len();
        for document in parts.documents.iter() {
            separate(&mut json, start);
            let fragment = self.document(document)?;
            json.push_str(&fragment.before);
            // Of an address only what needs no escaping is possible, see `host_url`.
            json.push_str(&link(document));
            json.push_str(&fragment.after);
        }
        json.push_str("]}");
        json.push_str(tail);
        Ok(json.into_bytes())
    }

    fn rule(&self, rule: &Arc<TaxRule>) -> serde_json::Result<Arc<Fragment>> {
        self.keep(rule, |rule| {
            let text = serde_json::to_string(rule)?;
            let open = text.strip_suffix(EMPTY_LISTS).ok_or_else(missing)?;
            Ok(Fragment { before: open.to_owned(), after: String::new() })
        })
    }

    fn note(&self, one: &Arc<Note>) -> serde_json::Result<Arc<Fragment>> {
        self.keep(one, |one| Ok(Fragment { before: text(&note(one))?, after: String::new() }))
    }

    /// The first wording, and the others as notes.
    fn stamps(&self, stamps: &Arc<[StampWording]>) -> serde_json::Result<Arc<Fragment>> {
        self.keep(stamps, |stamps| {
            let first = stamps.first().map(stamp).unwrap_or_default();
            let others: Result<Vec<String>, _> =
                stamps.iter().skip(1).map(|other| text::<StateNote>(&alternative_stamp(other))).collect();
            Ok(Fragment { before: text::<StateProperties>(&first)?, after: others?.join(",") })
        })
    }

    fn document(&self, document: &Arc<StateDocument>) -> serde_json::Result<Arc<Fragment>> {
        self.keep(document, |document| {
            let marked = StateDocument {
                document_download_link: Some(LINK_MARK.into()),
                ..StateDocument::clone(document)
            };
            let text = text(&marked)?;
            let field = format!("\"document_download_link\":\"{LINK_MARK}\"");
            let (before, after) = text.split_once(&field).ok_or_else(missing)?;
            Ok(Fragment {
                before: format!("{before}\"document_download_link\":\""),
                after: format!("\"{after}"),
            })
        })
    }

    fn keep<T: ?Sized + Send + Sync + 'static>(
        &self,
        value: &Arc<T>,
        write: impl FnOnce(&T) -> serde_json::Result<Fragment>,
    ) -> serde_json::Result<Arc<Fragment>> {
        let address = Arc::as_ptr(value).cast::<()>() as usize;
        if let Some((_, fragment)) = self.known.read().unwrap_or_else(PoisonError::into_inner).get(&address) {
            return Ok(Arc::clone(fragment));
        }
        let fragment = Arc::new(write(value)?);
        // What only this answer holds was made for it and will not come again.
        if Arc::strong_count(value) > 1 {
            let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
            if known.len() < KEPT_MAX {
                known.insert(address, (Box::new(Arc::clone(value)), Arc::clone(&fragment)));
            }
        }
        Ok(fragment)
    }
}

/// How the last two fields of an empty rule end.
const EMPTY_LISTS: &str = "\"state_notes\":[],\"state_documents\":[]}";

/// How empty parts are written.
struct Empty {
    properties: String,
    rule: String,
}

impl Empty {
    fn get() -> &'static Empty {
        static EMPTY: OnceLock<Empty> = OnceLock::new();
        EMPTY.get_or_init(|| Empty {
            properties: serde_json::to_string(&StateProperties::default()).unwrap_or_default(),
            rule: serde_json::to_string(&TaxRule::default()).unwrap_or_default(),
        })
    }
}

/// What stands before and after an empty part, the field's name still with the first.
///
/// Only the short name is searched for: looking for the whole part costs more than writing it.
fn around<'a>(json: &'a str, name: &str, part: &str) -> serde_json::Result<(&'a str, &'a str)> {
    let at = json.find(name).ok_or_else(missing)? + name.len();
    let (before, from) = json.split_at(at);
    Ok((before, from.strip_prefix(part).ok_or_else(missing)?))
}

fn text<T: Serialize>(value: &T) -> serde_json::Result<String> {
    serde_json::to_string(value)
}

fn separate(json: &mut String, start: usize) {
    if json.len() > start {
        json.push(',');
    }
}

/// A part is not where the wire type puts it; a test compares whole answers.
fn missing() -> serde_json::Error {
    serde::ser::Error::custom("a part of the answer is not in its place")
}
