//! What two people changed at the same time: nothing is overwritten unless someone says so.

use std::hash::{DefaultHasher, Hash, Hasher};

use bordereau_contract::{FOUND_CHARS, shorten_text};
use serde_json::Value;

use crate::{BoundaryError, ErrorCode, FieldError};

/// Differences that are named, one by one.
const NAMED_MAX: usize = 8;

/// Someone else changed something since it was read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("someone else changed this {what}")]
pub struct Conflict {
    /// What it is, such as `quote`.
    pub what: &'static str,
    /// Who changed it; empty where nothing says.
    pub by: String,
    /// The revision that is there now.
    pub revision: String,
    /// Where the two differ, and how.
    pub differences: Vec<FieldError>,
}

impl Conflict {
    /// Compares what is stored with the revision that was read; without one, whatever is there may be replaced. Who
    /// made the same change conflicts with nobody.
    ///
    /// # Errors
    /// The conflict.
    pub fn ensure_none(
        what: &'static str,
        by: &str,
        read: Option<&str>,
        theirs: &Value,
        mine: &Value,
    ) -> Result<(), Conflict> {
        let revision = revision_of(theirs);
        if theirs == mine || read.is_none_or(|read| read == revision) {
            return Ok(());
        }
        let mut differences = Vec::new();
        compare(mine, theirs, "", &mut differences);
        Err(Conflict { what, by: by.to_owned(), revision, differences })
    }
}

/// The revision of something stored: the same as long as its content is. It lives as long as what was read is on
/// screen, and goes into no file.
pub fn revision_of(content: &Value) -> String {
    let mut hasher = DefaultHasher::new();
    content.to_string().hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

fn compare(mine: &Value, theirs: &Value, pointer: &str, differences: &mut Vec<FieldError>) {
    if mine == theirs || differences.len() == NAMED_MAX {
        return;
    }
    let (fields, items) = ([mine.as_object(), theirs.as_object()], [mine.as_array(), theirs.as_array()]);
    let mut parts: Vec<String> = fields.into_iter().flatten().flat_map(|map| map.keys().cloned()).collect();
    parts.sort_unstable();
    parts.dedup();
    let count = items.into_iter().flatten().map(Vec::len).max().unwrap_or_default();
    parts.extend((0..count).map(|at| at.to_string()));
    // An empty text and none are the same on a screen.
    if parts.is_empty() && show(mine) != show(theirs) {
        let mut difference = FieldError::at_pointer(pointer, "");
        difference.message =
            format!("{}: yours is {}, theirs is {}.", difference.name(), show(mine), show(theirs));
        differences.push(difference);
    }
    for part in parts {
        let below = format!("/{part}");
        let of = |value: &Value| value.pointer(&below).cloned().unwrap_or_default();
        compare(&of(mine), &of(theirs), &format!("{pointer}{below}"), differences);
    }
}

fn show(value: &Value) -> String {
    match value {
        Value::Null => "empty".to_owned(),
        Value::String(text) if text.trim().is_empty() => "empty".to_owned(),
        Value::String(text) => format!("\"{}\"", shorten_text(text, FOUND_CHARS)),
        Value::Bool(set) => if *set { "yes" } else { "no" }.to_owned(),
        other => shorten_text(&other.to_string(), FOUND_CHARS),
    }
}

impl From<Conflict> for BoundaryError {
    fn from(conflict: Conflict) -> BoundaryError {
        let who = if conflict.by.is_empty() { "Someone else" } else { &conflict.by };
        let message = format!("{who} changed this {} meanwhile, so your change wasn't saved.", conflict.what);
        BoundaryError {
            details: conflict.differences,
            revision: Some(conflict.revision),
            ..BoundaryError::with_code(ErrorCode::ChangedElsewhere, message)
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_conflict_says_what_both_did_and_only_where_they_differ() {
        let was = json!({"name": "Diner", "lines": [{"premium": "100"}], "exempt": false, "note": ""});
        let theirs = json!({"name": "Diner", "lines": [{"premium": "200"}], "exempt": true, "note": ""});
        let mine = json!({"name": "Diner", "lines": [{"premium": "300"}, {"premium": "7"}], "exempt": false, "note": null});
        let told =
            Conflict::ensure_none("quote", "Bob", Some(&revision_of(&was)), &theirs, &mine).unwrap_err();
        let error = BoundaryError::from(told);
        assert_eq!(error.message, "Bob changed this quote meanwhile, so your change wasn't saved.");
        let said: Vec<_> =
            error.details.iter().map(|each| (each.pointer.as_str(), each.message.as_str())).collect();
        assert_eq!(
            said,
            [
                ("/exempt", "Exempt: yours is no, theirs is yes."),
                ("/lines/0/premium", "Lines 1 premium: yours is \"300\", theirs is \"200\"."),
                ("/lines/1/premium", "Lines 2 premium: yours is \"7\", theirs is empty."),
            ]
        );
        let now = error.revision;
        let cases = [
            ("theirs was seen", now.as_deref(), &mine, true),
            ("nothing was read", None, &mine, true),
            ("both made the same change", Some("another"), &theirs, true),
            ("it was removed and made again", Some(""), &mine, false),
        ];
        for (case, read, mine, is_saved) in cases {
            assert_eq!(Conflict::ensure_none("quote", "", read, &theirs, mine).is_ok(), is_saved, "{case}");
        }
    }
}
