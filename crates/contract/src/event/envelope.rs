//! Events as services wrap them: in an envelope of their own, in that of a notification service between, as JSON in a
//! text, or several in one delivery. Whatever is around an event, it is read with the members of section 6.

use std::borrow::Cow;

use serde_json::Value;
use serde_json::value::RawValue;

use crate::lenient::{Members, members_of, normalize_name};

/// Events of one delivery that are read as events of their own: more than a body of the largest size has, unless they say nothing.
const EVENTS_MAX: usize = 10_000;
/// Envelopes inside one another.
const LEVELS_MAX: usize = 4;

/// Names of what an event lies in, alone or with others.
const CARRIERS: [&str; 10] = [
    "event",
    "message",
    "data",
    "payload",
    "detail",
    "notification",
    "body",
    "resource",
    "object",
    "attributes",
];
/// Names of a list of events.
const LISTS: [&str; 6] = ["events", "records", "items", "notifications", "messages", "deliveries"];
/// Objects that an event is about, and the name of their `id` in an event.
const SUBJECTS: [(&str, &str); 2] = [("transaction", "transaction_id"), ("batch", "batch_id")];
/// What every event has, and what an envelope calls it.
const HEADS: [(&str, &[&str]); 3] = [
    ("event", &["event", "eventtype", "eventname", "detailtype", "type", "topic"]),
    ("event_id", &["eventid", "id", "messageid"]),
    ("timestamp", &["timestamp", "time", "eventtime", "occurredat", "createdat", "created", "sentat"]),
];

/// The events of a delivery: of one that brings several in a list, whatever that is called and in, or line by line, each with
/// what its envelope says of all. Anything else is one event, as it is written.
pub fn split_delivery(body: Vec<u8>) -> Vec<Vec<u8>> {
    let listed = list_events(&body).filter(|events| (1..=EVENTS_MAX).contains(&events.len()));
    let listed = listed.map(|events| events.into_iter().map(String::into_bytes).collect());
    listed.unwrap_or_else(|| vec![body])
}

/// The event in a body without what is around it; the body itself where it is the event.
pub fn unwrap_event(body: &[u8]) -> Cow<'_, [u8]> {
    let text = std::str::from_utf8(body).map(|text| text.trim_start_matches('\u{feff}').trim());
    let root = text.ok().and_then(|text| serde_json::from_str::<&RawValue>(text).ok());
    let event = root.and_then(|root| unwrapped(root, LEVELS_MAX));
    event.map_or(Cow::Borrowed(body), |event| Cow::Owned(event.into_bytes()))
}

fn list_events(body: &[u8]) -> Option<Vec<String>> {
    let text = std::str::from_utf8(body).ok()?.trim_start_matches('\u{feff}').trim();
    if let Ok(root) = serde_json::from_str::<&RawValue>(text) {
        return events_within(root, LEVELS_MAX);
    }
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    let lines: Vec<&RawValue> = lines.map(serde_json::from_str).collect::<Result<_, _>>().ok()?;
    are_objects(&lines).then(|| lines.iter().map(|line| line.get().to_owned()).collect())
}

fn are_objects(parts: &[&RawValue]) -> bool {
    parts.iter().all(|part| part.get().starts_with('{'))
}

fn events_within(raw: &RawValue, levels: usize) -> Option<Vec<String>> {
    if raw.get().starts_with('[') {
        let parts: Vec<&RawValue> = serde_json::from_str(raw.get()).ok()?;
        return are_objects(&parts).then(|| parts.iter().map(|part| part.get().to_owned()).collect());
    }
    let members = members_of(raw)?;
    if levels == 0 || names_subject(&members) {
        return None;
    }
    // An event of its own may have a list of this name.
    let is_event = head_of(&members, &["event"]).is_some();
    let is_place = |name: &str| CARRIERS.contains(&name) || (LISTS.contains(&name) && !is_event);
    members.iter().find_map(|(name, value)| {
        let inner = json_within(value).filter(|_| is_place(&normalize_name(name)))?;
        let events = events_within(&inner, levels - 1)?;
        Some(events.iter().map(|event| with_heads(event, &members, &[])).collect())
    })
}

fn unwrapped(raw: &RawValue, levels: usize) -> Option<String> {
    let members = members_of(raw)?;
    let is_place = |name: &str| {
        let name = normalize_name(name);
        CARRIERS.contains(&name.as_str()) || SUBJECTS.iter().any(|(subject, _)| *subject == name)
    };
    let carried = members.iter().enumerate().filter(|(_, (name, _))| levels > 0 && is_place(name));
    let mut carried = carried.filter_map(|(at, (_, value))| {
        json_within(value).filter(|inner| inner.get().starts_with('{')).map(|inner| (at, inner))
    });
    match carried.next() {
        Some((at, inner)) => {
            let is_subject = SUBJECTS.iter().any(|(name, _)| *name == normalize_name(&members[at].0));
            let event = if is_subject { inner.get().to_owned() } else { unwrapped(&inner, levels - 1)? };
            let raw = serde_json::from_str::<&RawValue>(&event).ok()?;
            Some(with_heads(&event, &members, &beside_event(raw, &members, at)))
        }
        None => Some(with_heads(raw.get(), &members, &[])),
    }
}

/// A value that has JSON in it, also as a text.
fn json_within(value: &RawValue) -> Option<Cow<'_, RawValue>> {
    if value.get().starts_with(['{', '[']) {
        return Some(Cow::Borrowed(value));
    }
    let text = serde_json::from_str::<String>(value.get()).ok()?;
    let inner = serde_json::from_str::<Box<RawValue>>(text.trim()).ok()?;
    inner.get().starts_with(['{', '[']).then_some(Cow::Owned(inner))
}

/// Whether an object says itself what it is about.
fn names_subject(members: &Members<'_>) -> bool {
    let is_subject = |name: &str| {
        matches!(
            normalize_name(name).as_str(),
            "batchid" | "transactionid" | "policynumber" | "invoicenumber" | "statestampwordingtext"
        )
    };
    members.iter().any(|(name, value)| is_subject(name) && value.get() != "null")
}

/// A text or number under the first of these names that says something.
fn head_of<'m>(members: &'m Members<'_>, names: &[&str]) -> Option<&'m RawValue> {
    // A notification service calls so what it carries.
    let is_said = |value: &RawValue| {
        !value.get().starts_with(['{', '[', 'n']) && !matches!(value.get(), "\"\"" | "\"Notification\"")
    };
    let named = |wanted: &&str| {
        members.iter().find(|(name, value)| normalize_name(name) == *wanted && is_said(value))
    };
    // JSON in a text is what is carried, and no name.
    names.iter().find_map(named).map(|(_, value)| *value).filter(|value| !value.get().starts_with("\"{"))
}

/// An event with what every event has, from its envelope where it lacks it, and under the names of section 6.
fn with_heads<'m>(event: &str, outer: &'m Members<'m>, more: &[(String, &RawValue)]) -> String {
    let inner = serde_json::from_str::<&RawValue>(event).ok().and_then(members_of).unwrap_or_default();
    let mut added: Vec<(String, &RawValue)> = Vec::new();
    for (head, names) in HEADS {
        if head_of(&inner, &names[..1]).is_none()
            && let Some(value) = head_of(outer, names)
        {
            added.push((head.to_owned(), value));
        }
    }
    added.extend(more.iter().map(|(name, value)| (name.clone(), *value)));
    if added.is_empty() {
        return event.to_owned();
    }
    let is_new = |name: &str| !added.iter().any(|(new, _)| normalize_name(new) == normalize_name(name));
    let own = inner.iter().map(|(name, value)| (name.as_ref(), *value)).filter(|(name, _)| is_new(name));
    let added = added.iter().map(|(name, value)| (name.as_str(), *value));
    let pairs = own.chain(added).map(|(name, value)| format!("{}:{value}", Value::from(name)));
    format!("{{{}}}", pairs.collect::<Vec<_>>().join(","))
}

/// The members of an envelope that the event in it lacks, but for the event itself, at `carrier`; the `id` of an object that
/// it is about as the number of that.
fn beside_event<'m>(event: &'m RawValue, outer: &Members<'m>, carrier: usize) -> Vec<(String, &'m RawValue)> {
    let inner = members_of(event).unwrap_or_default();
    let has = |name: &str| inner.iter().any(|(own, _)| normalize_name(own) == normalize_name(name));
    let name = normalize_name(&outer[carrier].0);
    let number = SUBJECTS.iter().find(|(subject, id)| *subject == name && !has(id)).and_then(|(_, id)| {
        let (_, value) = inner.iter().find(|(name, _)| normalize_name(name) == "id")?;
        Some(((*id).to_owned(), *value))
    });
    let others = outer.iter().enumerate().filter(|(at, (name, _))| *at != carrier && !has(name));
    number.into_iter().chain(others.map(|(_, (name, value))| (name.clone().into_owned(), *value))).collect()
}
