//! What an answer says besides data: that it failed, a sentence, or nothing at all.

use serde_json::value::RawValue;

use super::{
    COMMON, ENVELOPES, ENVELOPES_MAX, RESULT_LISTS, deserializer, is_annotation, is_beside, is_envelope,
    is_keyed, is_only, members_of, normalize_name,
};

/// Whether an answer that says that it failed has entries all the same, such as the results of a batch.
#[must_use]
pub fn has_entries(body: &[u8]) -> bool {
    fn within(object: &RawValue, levels: usize) -> bool {
        let members = members_of(object).unwrap_or_default();
        members.iter().any(|(name, value)| {
            let is_list =
                value.get().strip_prefix('[').is_some_and(|rest| rest.trim_start().starts_with('{'))
                    || members_of(value).is_some_and(|members| is_keyed(&members));
            let is_envelope = is_list_name(&normalize_name(name));
            let is_inside = levels > 0 && (is_envelope || is_only(&members, name, value));
            (is_envelope && is_list) || (is_inside && within(value, levels - 1))
        })
    }
    serde_json::from_slice(body).is_ok_and(|root| within(root, ENVELOPES_MAX))
}

/// Whether the entries of an answer may lie under a name.
fn is_list_name(name: &str) -> bool {
    ENVELOPES.contains(&name) || RESULT_LISTS.contains(&name)
}

/// Whether the number of a batch or a transaction is in it or in one of its rows, or a document that was imported.
pub(super) fn has_proof(object: &RawValue, levels: usize) -> bool {
    let is_imported = |document: &RawValue| {
        let members = members_of(document).unwrap_or_default();
        members.iter().any(|(name, value)| normalize_name(name) == "imported" && is_true(value.get()))
    };
    let members = members_of(object).unwrap_or_default();
    members.iter().any(|(name, value)| {
        let is_own = is_only(&members, name, value);
        let is_empty = matches!(value.get(), "null" | "\"\"" | "0" | "\"0\"" | "false" | "[]" | "{}");
        match normalize_name(name).as_str() {
            "batchid" | "transactionid" if !is_empty => true,
            "documents" => serde_json::from_str::<Vec<&RawValue>>(value.get())
                .unwrap_or_default()
                .into_iter()
                .any(is_imported),
            name => {
                let entries = || deserializer::entries_of(value, name);
                levels > 0
                    && (is_own || is_list_name(name))
                    && entries().iter().any(|entry| has_proof(entry.raw, levels - 1))
            }
        }
    })
}

/// Whether an answer is a plain nothing, such as `null`, `[]` or `{"data": null}`, without a word of the service.
#[must_use]
pub fn is_nothing(body: &[u8]) -> bool {
    fn is_empty(value: &RawValue, levels: usize) -> bool {
        let Some(members) = members_of(value) else {
            return matches!(value.get().replace(char::is_whitespace, "").as_str(), "null" | "[]" | "\"\"");
        };
        members.iter().all(|(name, value)| {
            let plain = normalize_name(name);
            let is_envelope = ENVELOPES.contains(&plain.as_str());
            let is_none = members.len() == 1 && value.get() == "null";
            is_none
                || is_annotation(name)
                || COMMON.contains(&plain.as_str())
                || (is_envelope && levels > 0 && is_empty(value, levels - 1))
        })
    }
    let root: Result<&RawValue, _> = serde_json::from_slice(body);
    root.is_ok_and(|root| words_of(root) == AnswerWords::None && is_empty(root, ENVELOPES_MAX))
}

/// What an object says beside data.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum AnswerWords {
    None,
    Sentence,
    Refusal,
}

/// Of the answer or of its envelopes.
pub(super) fn words_of(root: &RawValue) -> AnswerWords {
    words_within(root, ENVELOPES_MAX)
}

fn words_within(object: &RawValue, levels: usize) -> AnswerWords {
    let Some(members) = members_of(object) else { return AnswerWords::None };
    // An object with members of its own is no envelope: objects in it are about a part.
    let is_inner = |name: &str, value: &RawValue| is_envelope(name, value) || is_only(&members, name, value);
    let is_wrapping =
        levels > 0 && members.iter().all(|(name, value)| is_inner(name, value) || is_beside(name));
    let mut words = AnswerWords::None;
    for (name, value) in &members {
        if is_wrapping && is_inner(name, value) {
            match words_within(value, levels - 1) {
                AnswerWords::Refusal => return AnswerWords::Refusal,
                AnswerWords::Sentence => words = AnswerWords::Sentence,
                AnswerWords::None => {}
            }
        }
        let text = value.get();
        let is_empty = matches!(text, "null" | "\"\"" | "[]" | "{}" | "false" | "0");
        match normalize_name(name).as_str() {
            "success" | "succeeded" | "ok" | "issuccess" if is_false(text) => return AnswerWords::Refusal,
            "message" | "error" | "errordescription" | "errormessage" | "detail" | "reason" | "errors"
                if !is_empty =>
            {
                words = AnswerWords::Sentence;
            }
            _ => {}
        }
    }
    words
}

pub(super) fn is_true(text: &str) -> bool {
    matches!(text.trim_matches('"').trim().to_ascii_lowercase().as_str(), "true" | "1" | "yes" | "y")
}

pub(super) fn is_false(text: &str) -> bool {
    matches!(text.trim_matches('"').trim().to_ascii_lowercase().as_str(), "false" | "0" | "no" | "n")
}
