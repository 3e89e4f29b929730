//! The one reader of a service's answers. Services write the same data in different ways; this reads all of them to
//! the same values, and lists what it could not read.
//!
//! It is a serde deserializer, so it works with the `Deserialize` of every wire type. Member names are matched without
//! case and underscores, numbers and flags may be quoted, null is absent, a list of one may be written as its entry,
//! and an answer may be wrapped in an envelope. A member or an entry of a list that cannot be read is omitted and
//! listed. Amounts are the exception: where one is given and cannot be read, its whole record is omitted.
//!
//! serde cannot go back when a value turns out to be unreadable. So the answer is read again without the unreadable
//! values, until no more are found; the bounds below limit that.

mod answer_words;
mod deserializer;
mod object_members;

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::collections::HashSet;
use std::fmt;

use bordereau_money::means_none;
use serde::Deserialize;
use serde::de::{self, DeserializeOwned, DeserializeSeed, Deserializer};
use serde_json::value::RawValue;

use answer_words::{AnswerWords, has_proof, is_false, is_true, words_of};
pub use answer_words::{has_entries, is_nothing};
use object_members::{
    COMMON, ENVELOPES, add_lacking, element_value, grouped_members, inner_list, is_annotation, is_beside,
    is_counted, is_envelope, is_keyed, is_named, is_only, merge_body, object_of, wrapped_objects,
};
pub(crate) use object_members::{Members, members_of, normalize_name};
pub use object_members::{failure_inside, without_quotes};

/// Unreadable parts of one answer that are listed.
const LOSSES_MAX: usize = 2_000;
/// Times an answer is read; beyond it too much of it is lost.
const PASSES_MAX: usize = 500;
/// Bytes read in all passes together.
const WORK_BYTES_MAX: usize = 1 << 29;
/// Characters kept of a part that could not be read.
const FOUND_CHARS_MAX: usize = 2_000;
/// Levels of nesting that are followed.
const DEPTH_MAX: usize = 24;
/// Entries of a list: an entry of a few bytes becomes a record of a kilobyte.
const ENTRIES_MAX: usize = 100_000;
/// Members with unknown names that are listed, and the characters of each.
const UNKNOWN_MAX: usize = 200;
const UNKNOWN_CHARS_MAX: usize = 80;
/// The member of a quote whose amounts are rates and limits, not amounts of the quote.
const RULE: &str = "tax_rule";
/// The name under which serde_json asks for a number's text.
const RAW_VALUE: &str = "$serde_json::private::RawValue";
/// Envelopes inside one another.
const ENVELOPES_MAX: usize = 3;
/// Names of the lists, where results come in two, and of counts of results.
const RESULT_LISTS: [&str; 13] = [
    "accepted",
    "successful",
    "succeeded",
    "successes",
    "success",
    "imported",
    "created",
    "rejected",
    "failed",
    "failures",
    "refused",
    "invalid",
    "errors",
];
/// The lists of whole answers.
const LISTS: [&str; 5] = ["transactions", "data", "webhooks", "forms", "documents"];
/// How a PDF, an image or an Office file begins in base64.
const FILE_STARTS: [&str; 5] = ["JVBERi0", "iVBORw0K", "/9j/", "UEsDB", "0M8R4KGx"];
/// How an address begins, and parts of what that of a file is called.
const ADDRESS_STARTS: [&str; 3] = ["https://", "https:\\/\\/", "/"];
const ADDRESS_NAMES: [&str; 6] = ["file", "download", "signed", "pdf", "documenturl", "documentlink"];

/// A part of an answer that could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnswerLoss {
    /// The path, such as `transactions[3].warnings`.
    pub path: String,
    /// The text there as it came; at most 2,000 characters.
    pub found: String,
    /// What was expected.
    pub reason: String,
    /// Whether a whole entry of a list is missing, not only one of its members.
    pub is_record: bool,
}

/// An answer that was read, and what could not be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadAnswer<T> {
    /// The answer, without what was lost.
    pub value: T,
    /// What was lost; empty where everything was understood.
    pub losses: Vec<AnswerLoss>,
    /// Texts, numbers and flags that the answer itself has under names that are not known.
    pub unknown: Vec<(String, String)>,
}

/// Why an answer was not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadFaultKind {
    /// The service says that it did not do what was asked: `{"success": false, "error": "..."}`.
    Refusal,
    /// It says so, and gives the number of something that it did, a batch or a transaction, or names a document that it
    /// has imported.
    Contradiction,
    /// The service says something else than was asked for: `{"message": "..."}`.
    Sentence,
    /// It is not what was expected.
    Garbled,
}

/// An answer that was not understood.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{detail}")]
pub struct AnswerFault {
    /// What kind of answer it is.
    pub kind: ReadFaultKind,
    /// The field at fault, such as `tax_rule.sl_tax_amount`; empty for the whole.
    pub path: String,
    /// What was found, what was expected.
    pub detail: String,
}

/// Reads an answer of a service.
///
/// # Errors
/// [`AnswerFault`] where it is not JSON, or not what was asked for: an object with none of the members expected, or
/// without one that must be there, or with an amount that cannot be read.
pub fn read_answer<T: DeserializeOwned>(body: &[u8]) -> Result<ReadAnswer<T>, AnswerFault> {
    let garbled = |detail: String| AnswerFault { kind: ReadFaultKind::Garbled, path: String::new(), detail };
    let text = std::str::from_utf8(body).map_err(|_| garbled("it is not text in UTF-8".to_owned()))?;
    // Tabs and line breaks in a text, which JSON does not allow, become blanks; a zero stays, as in UTF-16 it is half
    // of a character.
    let text = text.trim_end_matches('\0');
    let plain = serde_json::from_str::<&RawValue>(text)
        .is_err()
        .then(|| without_nan(&text.replace(|c: char| c.is_ascii_control() && c != '\0', " ")));
    let text = plain.as_deref().unwrap_or(text);
    let root: &RawValue = serde_json::from_str(text).map_err(|error| {
        let is_cut = error.classify() == serde_json::error::Category::Eof;
        garbled(if is_cut { "it ends in the middle" } else { "it is not JSON" }.to_owned())
    })?;
    let words = words_of(root);
    if words == AnswerWords::Refusal {
        let kind = if has_proof(root, ENVELOPES_MAX) {
            ReadFaultKind::Contradiction
        } else {
            ReadFaultKind::Refusal
        };
        return Err(AnswerFault { kind, ..garbled("the service refused".to_owned()) });
    }
    read_past_losses(root, words != AnswerWords::None).map_err(|mut fault| {
        if words != AnswerWords::None {
            fault.kind = ReadFaultKind::Sentence;
        }
        fault
    })
}

/// Python writes `NaN` where there is no number, which is no JSON: it is null here, and stays in texts.
fn without_nan(json: &str) -> String {
    // Every other part between quotes is a text; a backslash takes the quote behind it for a character.
    let (mut plain, mut is_text, mut rest) = (String::with_capacity(json.len()), false, json);
    while let Some(at) = rest.find(['"', '\\']) {
        let (before, mark) = rest.split_at(at);
        plain.push_str(&if is_text { Cow::Borrowed(before) } else { before.replace("NaN", "null").into() });
        let length =
            if mark.starts_with('\\') { 1 + mark.chars().nth(1).map_or(0, char::len_utf8) } else { 1 };
        is_text ^= mark.starts_with('"');
        plain.push_str(&mark[..length]);
        rest = &mark[length..];
    }
    plain.push_str(&rest.replace("NaN", "null"));
    plain
}

/// Reads an answer that also says that it failed: see [`ReadFaultKind::Contradiction`]. `None` where nothing of what was asked
/// for is in it.
pub fn read_in_spite<T: DeserializeOwned>(body: &[u8]) -> Option<ReadAnswer<T>> {
    read_past_losses(serde_json::from_slice(body).ok()?, true).ok()
}

fn read_past_losses<T: DeserializeOwned>(
    root: &RawValue,
    has_words: bool,
) -> Result<ReadAnswer<T>, AnswerFault> {
    let reading = AnswerReading::default();
    reading.has_words.set(has_words);
    let passes = PASSES_MAX.min(WORK_BYTES_MAX / root.get().len().max(1)).max(4);
    let mut detail = "too many parts of it cannot be read".to_owned();
    for _ in 0..passes {
        let known = reading.lost.borrow().len();
        let outcome = T::deserialize(Reader::new(root, &reading));
        let is_new = reading.lost.borrow().len() > known;
        match outcome {
            Ok(value) if !is_new => {
                let (losses, unknown) = (reading.losses.into_inner(), reading.unknown.into_inner());
                return Ok(ReadAnswer { value, losses, unknown });
            }
            Err(error) if !is_new => {
                return Err(AnswerFault {
                    kind: ReadFaultKind::Garbled,
                    path: error.path,
                    detail: error.detail,
                });
            }
            Ok(_) => {}
            Err(error) => detail = error.detail,
        }
        reading.path.borrow_mut().clear();
    }
    Err(AnswerFault { kind: ReadFaultKind::Garbled, path: String::new(), detail })
}

/// One step of a path.
#[derive(Clone)]
enum Step {
    Member(String),
    Entry(usize),
}

/// What is known across the passes over one answer. A value is identified by the address of its text.
#[derive(Default)]
struct AnswerReading {
    lost: RefCell<HashSet<usize>>,
    losses: RefCell<Vec<AnswerLoss>>,
    unknown: RefCell<Vec<(String, String)>>,
    path: RefCell<Vec<Step>>,
    /// The last value whose text was asked for, as amounts do.
    exact: Cell<Option<usize>>,
    /// The last member that was named and not yet read.
    named: Cell<Option<usize>>,
    /// Whether the answer has a sentence of the service.
    has_words: Cell<bool>,
}

impl AnswerReading {
    fn path(&self) -> String {
        let mut text = String::new();
        for step in self.path.borrow().iter() {
            match step {
                Step::Member(name) if text.is_empty() => text.push_str(name),
                Step::Member(name) => {
                    text.push('.');
                    text.push_str(name);
                }
                Step::Entry(at) => text.push_str(&format!("[{at}]")),
            }
        }
        text
    }

    fn is_lost(&self, value: &RawValue) -> bool {
        self.lost.borrow().contains(&address_of(value))
    }

    fn record_loss(&self, value: &RawValue, path: String, reason: String, is_record: bool) {
        if self.lost.borrow_mut().insert(address_of(value)) && self.losses.borrow().len() < LOSSES_MAX {
            let found = value.get().chars().take(FOUND_CHARS_MAX).collect();
            self.losses.borrow_mut().push(AnswerLoss { path, found, reason, is_record });
        }
    }

    fn note_unknown(&self, members: &Members<'_>, fields: &[&str]) {
        let is_unknown = |(name, value): &&(Cow<'_, str>, &RawValue)| {
            let is_plain = !value.get().starts_with(['{', '[']) && value.get().len() <= UNKNOWN_CHARS_MAX;
            let name = normalize_name(name);
            is_plain && name.len() <= UNKNOWN_CHARS_MAX && !fields.iter().any(|field| is_named(field, &name))
        };
        let unknown = members.iter().filter(is_unknown).take(UNKNOWN_MAX);
        let written = |(name, value): &(Cow<'_, str>, &RawValue)| {
            let text = serde_json::from_str::<String>(value.get());
            (name.clone().into_owned(), text.unwrap_or_else(|_| value.get().to_owned()))
        };
        *self.unknown.borrow_mut() = unknown.map(written).collect();
    }

    /// Whether what is read now belongs to a rule that comes with a quote.
    fn is_in_rule(&self) -> bool {
        matches!(self.path.borrow().first(), Some(Step::Member(name)) if name == RULE)
    }

    /// Reads a part; one that cannot be read is recorded as lost where `is_lost_here` says so.
    fn step<'a, S: DeserializeSeed<'a>>(
        &'a self,
        step: Step,
        (value, key): (&'a RawValue, Option<&'a RawValue>),
        seed: S,
        is_lost_here: impl FnOnce(&mut ReadError) -> bool,
    ) -> Result<S::Value, ReadError> {
        let is_record = matches!(step, Step::Entry(_));
        self.path.borrow_mut().push(step);
        let outcome = seed.deserialize(Reader { raw: value, reading: self, is_root: false, key });
        let outcome = outcome.map_err(|mut error| {
            if error.path.is_empty() {
                error.path = self.path();
            }
            if is_lost_here(&mut error) {
                self.record_loss(value, self.path(), error.detail.clone(), is_record);
                error.cost = ErrorCost::Nothing;
            }
            error
        });
        self.path.borrow_mut().pop();
        outcome
    }
}

fn address_of(value: &RawValue) -> usize {
    value.get().as_ptr() as usize
}

#[derive(Debug)]
struct ReadError {
    path: String,
    detail: String,
    cost: ErrorCost,
}

/// How much is omitted because of an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ErrorCost {
    /// The part with the error.
    Part,
    /// The record with the error.
    Record,
    /// A member that repeats another one under another name.
    Repeated,
    /// Nothing more: the part is omitted already.
    Nothing,
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.detail)
    }
}

impl std::error::Error for ReadError {}

impl de::Error for ReadError {
    fn missing_field(field: &'static str) -> ReadError {
        ReadError { path: field.to_owned(), detail: format!("it has no \"{field}\""), cost: ErrorCost::Part }
    }

    fn duplicate_field(field: &'static str) -> ReadError {
        let detail = format!("it has \"{field}\" more than once");
        ReadError { path: field.to_owned(), detail, cost: ErrorCost::Repeated }
    }

    fn custom<D: fmt::Display>(detail: D) -> ReadError {
        ReadError { path: String::new(), detail: detail.to_string(), cost: ErrorCost::Part }
    }
}

/// A value of the answer.
struct Reader<'a> {
    raw: &'a RawValue,
    reading: &'a AnswerReading,
    /// It is the answer itself, which may be in an envelope.
    is_root: bool,
    /// Its name, in a list that names its entries.
    key: Option<&'a RawValue>,
}

/// The members that a type knows, under its own names. Of several an exact name wins, then the last.
fn known_members<'a>(
    members: Members<'a>,
    fields: &'static [&'static str],
) -> Vec<(&'static str, &'a RawValue)> {
    let mut known: Vec<(&'static str, &'a RawValue, bool)> = Vec::new();
    for (name, value) in members {
        let exact = fields.iter().find(|field| **field == name);
        let same = || {
            let name = normalize_name(&name);
            fields.iter().find(|field| is_named(field, &name))
        };
        let Some(field) = exact.or_else(same) else { continue };
        let is_exact = exact.is_some();
        match known.iter_mut().find(|(there, _, _)| there == field) {
            Some(there) if is_exact || !there.2 => *there = (field, value, is_exact),
            Some(_) => {}
            None => known.push((field, value, is_exact)),
        }
    }
    known.retain(|(_, value, _)| value.get() != "null");
    // An alias with a value is used before an empty one.
    known.sort_by_key(|(_, value, _)| matches!(value.get(), "\"\"" | "[]" | "{}"));
    known.into_iter().map(|(field, value, _)| (field, value)).collect()
}

/// Whether a member has the name of a list of results but is a count or a flag.
fn is_count(name: &str, value: &RawValue, fields: &[&str]) -> bool {
    // A single result has no list of those that failed.
    fields.contains(&"succeeded")
        && fields.contains(&"failed")
        && RESULT_LISTS.contains(&normalize_name(name).as_str())
        && !value.get().starts_with(['[', '{'])
}

/// Whether a member is an envelope, and not a list that lies in an object.
fn is_wrapper(name: &str, value: &RawValue) -> bool {
    is_envelope(name, value) && members_of(value).is_none_or(|members| inner_list(&members, name).is_none())
}

/// How many members an object has that only this type has: the more, the surer that it is the one.
fn count_own_members(members: &Members<'_>, fields: &[&str]) -> usize {
    let tells = |(name, value): &&(Cow<'_, str>, &RawValue)| {
        let name = normalize_name(name);
        value.get() != "null"
            && fields.iter().any(|field| is_named(field, &name))
            && !COMMON.contains(&name.as_str())
            && !is_wrapper(&name, value)
            && !is_count(&name, value, fields)
    };
    members.iter().filter(tells).count()
}

impl<'a> Reader<'a> {
    fn new(raw: &'a RawValue, reading: &'a AnswerReading) -> Reader<'a> {
        Reader { raw, reading, is_root: true, key: None }
    }

    fn text(&self) -> &'a str {
        self.raw.get()
    }

    /// A text, or a number or flag as text.
    fn scalar(&self) -> Option<Cow<'a, str>> {
        match self.text().as_bytes().first() {
            Some(b'"') => serde_json::from_str::<String>(self.text()).ok().map(Cow::Owned),
            Some(b'n' | b'{' | b'[') | None => None,
            Some(_) => Some(Cow::Borrowed(self.text())),
        }
    }

    /// Records a value of another type as lost. `placeholder` keeps this pass going, so that one pass finds many
    /// losses; the next pass omits the member.
    fn lose_value<T>(&self, expected: &str, placeholder: T) -> T {
        let found: String = self.text().chars().take(40).collect();
        let reason = format!("{expected} is expected, found {found}");
        self.reading.record_loss(self.raw, self.reading.path(), reason, false);
        placeholder
    }

    fn whole_number(&self) -> i128 {
        let text = self.scalar();
        if text.as_deref().is_some_and(means_none) {
            // Read again without it; nothing is lost by that.
            self.reading.lost.borrow_mut().insert(address_of(self.raw));
            return 0;
        }
        let number = text.and_then(|text| {
            let text = text.trim();
            match text {
                "true" => Some(1),
                "false" => Some(0),
                // A whole number may be written with a fraction of nothing.
                digits => {
                    let whole = digits.split_once('.').filter(|(_, rest)| rest.bytes().all(|b| b == b'0'));
                    whole.map_or(digits, |(whole, _)| whole).parse::<i128>().ok()
                }
            }
        });
        number.unwrap_or_else(|| self.lose_value("a whole number", 0))
    }

    fn bounded_number<N: TryFrom<i128> + Default>(&self) -> N {
        N::try_from(self.whole_number()).unwrap_or_else(|_| self.lose_value("a smaller number", N::default()))
    }

    /// The members of this object, or of one in its envelope that has more of the type's members; and how many.
    fn find_members(&self, fields: &[&'static str]) -> Option<(Members<'a>, usize)> {
        let mut outer = object_of(self.raw)?;
        let is_entry = matches!(self.reading.path.borrow().last(), Some(Step::Entry(_)));
        if is_entry {
            outer = merge_body(outer);
        }
        let own = count_own_members(&outer, fields);
        let groups = grouped_members(&outer, fields);
        // An entry of a list that has no member of the type may be in an envelope as well.
        let mut level =
            if self.is_root || (is_entry && own == 0) { wrapped_objects(&outer) } else { Vec::new() };
        // The reason of a refusal may be beside the row.
        let own_words: Members<'a> = match is_entry && own == 0 {
            true => outer
                .iter()
                .filter(|(name, _)| COMMON.contains(&normalize_name(name).as_str()))
                .cloned()
                .collect(),
            false => Vec::new(),
        };
        let mut best = (own, outer);
        for _ in 0..ENVELOPES_MAX {
            let inner = |(object, is_own): &(Members<'a>, bool)| {
                let below = wrapped_objects(object).into_iter();
                below.map(|(object, named)| (object, named || *is_own)).collect::<Vec<_>>()
            };
            let next: Vec<(Members<'a>, bool)> = level.iter().flat_map(inner).collect();
            for (object, is_own) in level {
                // In an envelope with a name of the service's own an id alone may be that of anything.
                let is_id = |(name, _): &(Cow<'_, str>, &RawValue)| is_own && normalize_name(name) == "id";
                let ids = usize::from(self.is_root && fields.contains(&"id") && object.iter().any(is_id));
                let found = count_own_members(&object, fields).saturating_sub(ids);
                if found > best.0 {
                    best = (found, own_words.iter().cloned().chain(object).collect());
                }
            }
            level = next;
        }
        let (own, mut members) = best;
        let inner = grouped_members(&members, fields);
        add_lacking(&mut members, inner.into_iter().chain(groups));
        Some((members, own))
    }

    /// What no member of this type is called, known by its form: the one list of an answer, the address of a document,
    /// and its content in base64.
    fn members_by_form(
        &self,
        members: &Members<'a>,
        fields: &'static [&'static str],
    ) -> Vec<(&'static str, &'a RawValue)> {
        let is_named = |name: &str| {
            let name = normalize_name(name);
            fields.iter().any(|field| is_named(field, &name))
        };
        let begins = |value: &RawValue, starts: &[&str]| {
            value
                .get()
                .strip_prefix('"')
                .is_some_and(|text| starts.iter().any(|start| text.starts_with(start)))
        };
        // Not the address of a template or of help, nor a picture of the file.
        let of_form = |field: &'static str, starts: &[&str], names: &[&str], others: &[&str]| {
            let is_it = |(name, value): &&(Cow<'_, str>, &RawValue)| {
                let has = |parts: &[&str]| {
                    let name = normalize_name(name);
                    parts.iter().any(|part| name.contains(part))
                };
                begins(value, starts) && has(names) && !has(others)
            };
            members.iter().find(is_it).filter(|_| fields.contains(&field)).map(|(_, value)| (field, *value))
        };
        let has_file = members.iter().any(|(name, value)| {
            (begins(value, &FILE_STARTS) || begins(value, &ADDRESS_STARTS)) && is_named(name)
        });
        let file = of_form("content", &FILE_STARTS, &[""], &["thumb", "preview", "logo", "image"])
            .or_else(|| of_form("download_url", &ADDRESS_STARTS, &ADDRESS_NAMES, &["template", "blank"]))
            .filter(|_| !has_file);
        let is_list = |(name, value): &&(Cow<'_, str>, &RawValue)| {
            let rest = value.get().strip_prefix('[').map(str::trim_start);
            let is_data = || {
                let name = normalize_name(name);
                let others = ["error", "warning", "link", "message", "detail"];
                !COMMON.contains(&name.as_str()) && !others.iter().any(|other| name.contains(other))
            };
            rest.is_some_and(|rest| rest.starts_with('{')) && is_data()
        };
        let mut lists = members.iter().filter(is_list);
        let is_known = members.iter().any(|(name, value)| value.get().starts_with('[') && is_named(name));
        let only = lists.next().filter(|_| lists.next().is_none() && !is_known);
        let wanted = LISTS.iter().find(|list| fields.contains(list) && !fields.contains(&"total_items"));
        let list = only.zip(wanted.filter(|_| self.is_root)).map(|((_, value), list)| (*list, *value));
        list.into_iter().chain(file).collect()
    }
}

/// The service's own number of something: above zero.
pub(crate) fn real_number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<i64, D::Error> {
    let number = i64::deserialize(deserializer)?;
    if number > 0 { Ok(number) } else { Err(de::Error::custom("a number above 0 is expected")) }
}

/// The same, where there may be none yet.
pub(crate) fn optional_number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<i64>, D::Error> {
    Ok(Option::<i64>::deserialize(deserializer)?.filter(|number| *number > 0))
}

/// The service's own name of something; empty where it is none, such as 0.
pub(crate) fn real_text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    Ok(optional_text(deserializer)?.unwrap_or_default())
}

/// The same, where there may be none.
pub(crate) fn optional_text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    let text = Option::<String>::deserialize(deserializer)?.map(|text| text.trim().to_owned());
    Ok(text.filter(|text| text != "0" && !means_none(text)))
}
