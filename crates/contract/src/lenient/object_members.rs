//! The members of an object of an answer, with those of its envelopes.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::Charge;

/// Names under which a service wraps its answer.
pub(super) const ENVELOPES: [&str; 19] = [
    "data",
    "d",
    "result",
    "results",
    "transaction",
    "transactions",
    "batch",
    "response",
    "responses",
    "payload",
    "record",
    "records",
    "item",
    "items",
    "row",
    "quote",
    "webhook",
    "body",
    "value",
];
/// Members that envelopes have too, so that they don't show what an object is.
pub(super) const COMMON: [&str; 12] = [
    "status",
    "message",
    "statusmessage",
    "title",
    "error",
    "errors",
    "warnings",
    "code",
    "reason",
    "success",
    "ok",
    "issuccess",
];

/// Bytes of an object in which the name of its text is looked for.
const ELEMENT_HEAD: usize = 300;

pub(crate) type Members<'a> = Vec<(Cow<'a, str>, &'a RawValue)>;

/// The members of an object, in order.
pub(crate) fn members_of(raw: &RawValue) -> Option<Members<'_>> {
    struct Pairs;
    impl<'de> Visitor<'de> for Pairs {
        type Value = Members<'de>;
        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object")
        }
        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members<'de>, A::Error> {
            let mut members = Vec::new();
            while let Some(name) = map.next_key::<String>()? {
                members.push((Cow::Owned(name), element_value(map.next_value()?)));
            }
            Ok(members)
        }
    }
    serde_json::Deserializer::from_str(raw.get()).deserialize_map(Pairs).ok()
}

/// Names of what only counts or places the entries beside it, or says of the answer when and for which request it was
/// written.
const COUNTS: [&str; 21] = [
    "count",
    "total",
    "totalcount",
    "totalsize",
    "pagination",
    "pageinfo",
    "meta",
    "links",
    "limit",
    "offset",
    "hasmore",
    "done",
    "cursor",
    "timestamp",
    "version",
    "apiversion",
    "requestid",
    "traceid",
    "correlationid",
    "typename",
    "type",
];

/// Whether a member only says what the others are: `$type`, `@attributes`, `__typename`.
pub(super) fn is_annotation(name: &str) -> bool {
    name.starts_with(['$', '@', '#']) || name.starts_with("__")
}

/// Whether a member says something about those beside it and is none of the data.
pub(super) fn is_beside(name: &str) -> bool {
    let plain = normalize_name(name);
    is_annotation(name) || COMMON.contains(&plain.as_str()) || COUNTS.contains(&plain.as_str())
}

/// Names of the text of an element, where XML was turned into JSON, in their quotes.
const TEXT_NAMES: [&str; 7] =
    ["\"#text\"", "\"_text\"", "\"__text\"", "\"@value\"", "\"$t\"", "\"_\"", "\"$\""];

/// The text of an element that was turned into JSON with its attributes, `{"@attributes": {...}, "#text": "17"}`; null
/// where they say that it has none. Any other value stays, as does an amount in another currency than dollars.
pub(super) fn element_value(raw: &RawValue) -> &RawValue {
    struct Element;
    impl<'de> Visitor<'de> for Element {
        type Value = Option<&'de RawValue>;
        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an element")
        }
        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let (mut text, mut is_element, mut is_nil) = (None, true, false);
            while let Some((name, value)) = map.next_entry::<String, &RawValue>()? {
                let is_text = TEXT_NAMES.iter().any(|quoted| quoted.trim_matches('"') == name)
                    && !value.get().starts_with(['{', '[']);
                let plain = value.get().replace(char::is_whitespace, "");
                is_element &= is_text || name.starts_with(['@', '$', '_', '-']) || name == "attributes";
                is_nil |=
                    (name.ends_with("nil") && plain.contains("true")) || plain.contains("nil\":\"true\"");
                is_element &= !plain.contains("urrency") || plain.contains("USD");
                is_element &= !name.contains("urrency") || plain.contains("USD");
                text = text.or(is_text.then_some(value));
            }
            let null = is_nil.then(|| serde_json::from_str("null").ok()).flatten();
            Ok(text.or(null).filter(|_| is_element))
        }
    }
    let head = raw.get().get(..ELEMENT_HEAD).unwrap_or(raw.get());
    let is_marked = raw.get().starts_with('{')
        && (head.contains("nil\"") || TEXT_NAMES.iter().any(|name| head.contains(name)));
    let inner = is_marked
        .then(|| serde_json::Deserializer::from_str(raw.get()).deserialize_map(Element).ok().flatten());
    inner.flatten().unwrap_or(raw)
}

/// Names of a list that is alone in an object, as in an answer that was converted from XML, or of entries among pages.
const ENTRY_NAMES: [&str; 13] = [
    "item",
    "items",
    "entry",
    "element",
    "row",
    "record",
    "transaction",
    "document",
    "result",
    "values",
    "nodes",
    "edges",
    "list",
];

/// The list or the one entry in an object called `name` that has nothing else: `{"item": [...]}`, `{"$values": [...]}`,
/// `{"edges": [...], "pageInfo": {...}}`.
pub(super) fn inner_list<'a>(members: &Members<'a>, name: &str) -> Option<&'a RawValue> {
    let is_list_name = |name: &str| ENTRY_NAMES.contains(&normalize_name(name).as_str());
    let mut inner = members.iter().filter(|(name, _)| !is_beside(name) || is_list_name(name));
    let (only, value) = inner.next().filter(|_| inner.next().is_none())?;
    let is_singular =
        || normalize_name(name).strip_suffix('s').is_some_and(|one| one == normalize_name(only));
    match value.get().as_bytes().first() {
        Some(b'[') => (is_list_name(only) || is_singular()).then_some(value),
        Some(b'{') => (is_list_name(only) && members.len() == 1).then_some(value),
        _ => None,
    }
}

/// Parts of names of objects that are about a failure, a place or a request, and not what was asked for.
const OTHER_NAMES: [&str; 11] = [
    "error",
    "fault",
    "problem",
    "exception",
    "fail",
    "warning",
    "message",
    "link",
    "request",
    "trace",
    "user",
];

/// Whether a member is the only one of an object that is data, and an object: an envelope with a name of the service's
/// own, such as that of an operation.
pub(super) fn is_only(members: &Members<'_>, name: &str, value: &RawValue) -> bool {
    if !value.get().starts_with('{') {
        return false;
    }
    let plain = normalize_name(name);
    let mut data = members.iter().filter(|(name, _)| !is_beside(name));
    data.next().is_some_and(|(only, _)| only == name)
        && data.next().is_none()
        && !OTHER_NAMES.iter().any(|part| plain.contains(part))
}

/// A name without case and separators.
pub(crate) fn normalize_name(name: &str) -> String {
    // Every name of an answer is asked for more than once: room for all of it at once.
    let mut plain = String::with_capacity(name.len());
    plain.extend(name.bytes().filter(u8::is_ascii_alphanumeric).map(|b| char::from(b.to_ascii_lowercase())));
    plain
}

pub(super) fn is_envelope(name: &str, value: &RawValue) -> bool {
    value.get().starts_with('{')
        && ENVELOPES.contains(&normalize_name(name).as_str())
        && members_of(value)
            .is_some_and(|members| members.is_empty() || !(is_counted(&members) || is_keyed(&members)))
}

/// Whether an object is a list with numbers for names; an empty one is.
pub(super) fn is_counted(members: &[(Cow<'_, str>, &RawValue)]) -> bool {
    let is_number =
        |name: &str| !name.is_empty() && name.len() < 19 && name.bytes().all(|b| b.is_ascii_digit());
    members.iter().all(|(name, _)| is_number(name))
}

/// Whether an object is a list of results by their own ids.
pub(super) fn is_keyed(members: &[(Cow<'_, str>, &RawValue)]) -> bool {
    let is_result = |(name, value): &(Cow<'_, str>, &RawValue)| {
        let is_outcome = |(name, _): &(Cow<'_, str>, &RawValue)| {
            matches!(normalize_name(name).as_str(), "status" | "transactionid")
        };
        !ENVELOPES.contains(&normalize_name(name).as_str())
            && members_of(value).is_some_and(|members| members.iter().any(is_outcome))
    };
    !members.is_empty() && members.iter().all(is_result)
}

/// Members that a gateway adds beside the body of an answer.
const OUTER: [&str; 5] =
    ["statuscode", "statusdescription", "headers", "multivalueheaders", "isbase64encoded"];

/// The status and the body of a failure that a gateway wrote into an answer of its own:
/// `{"statusCode": 422, "body": "{\"message\": \"...\"}"}`. `None` for every other answer, and where anything else is in it.
#[must_use]
pub fn failure_inside(body: &[u8]) -> Option<(u16, Vec<u8>)> {
    let body = body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(body);
    let members = members_of(serde_json::from_slice(body).ok()?)?;
    let of = |wanted: &str| {
        members.iter().find(|(name, _)| normalize_name(name) == wanted).map(|(_, value)| *value)
    };
    let status = of("statuscode")?.get().trim_matches('"').parse().ok();
    let status = status.filter(|status| (400..600).contains(status))?;
    let is_outer = |name: &str| name == "body" || OUTER.contains(&name);
    let inner = of("body").filter(|_| members.iter().all(|(name, _)| is_outer(&normalize_name(name))))?;
    let text = serde_json::from_str::<String>(inner.get());
    Some((status, text.unwrap_or_else(|_| inner.get().to_owned()).into_bytes()))
}

/// The body without the text around it, where the answer or what is in its envelope was written as a text once more:
/// `"{\"batch_id\": 17}"`. One level; no other body changes, nor one with anything of its own beside that text, such as
/// a delivery with the body that was sent.
#[must_use]
pub fn without_quotes(body: &[u8]) -> Option<Vec<u8>> {
    let quoted = |value: &RawValue| {
        let text = serde_json::from_str::<String>(value.get()).ok()?;
        let is_json = text.trim_start().starts_with(['{', '[']);
        serde_json::from_str::<Box<RawValue>>(text.trim()).ok().filter(|_| is_json)
    };
    let body = body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(body);
    let root: &RawValue = serde_json::from_slice(body).ok()?;
    if let Some(inner) = quoted(root) {
        return Some(inner.get().as_bytes().to_vec());
    }
    let mut members = members_of(root)?;
    let is_quoted = |(name, value): &(Cow<'_, str>, &RawValue)| {
        ENVELOPES.contains(&normalize_name(name).as_str()) && quoted(value).is_some()
    };
    let at = members.iter().position(is_quoted)?;
    let is_outer = |name: &str| COMMON.contains(&name) || OUTER.contains(&name);
    if !members.iter().enumerate().all(|(other, (name, _))| other == at || is_outer(&normalize_name(name))) {
        return None;
    }
    let inner = quoted(members[at].1)?;
    members[at].1 = &inner;
    let pairs = members.iter().map(|(name, value)| format!("{}:{value}", Value::from(name.as_ref())));
    Some(format!("{{{}}}", pairs.collect::<Vec<_>>().join(",")).into_bytes())
}

/// The members of an object with those of its `attributes`, where JSON:API has them, and those that HAL embeds in it;
/// its own ones count first. Of a whole answer in the first form those of its `data`, with what it has `included`.
fn flat_members(raw: &RawValue) -> Option<Members<'_>> {
    let mut members = members_of(raw)?;
    let of = |members: &Members<'_>, name: &str| members.iter().position(|(found, _)| found == name);
    if let (Some(data), Some(included)) = (of(&members, "data"), of(&members, "included"))
        && let Some(mut inner) = flat_members(members[data].1)
    {
        inner.push(members.swap_remove(included));
        return Some(inner);
    }
    let at = of(&members, "attributes").filter(|_| of(&members, "id").is_some());
    if let Some(inner) = at.and_then(|at| members_of(members[at].1)) {
        // Known members are taken by their last name.
        members.splice(0..0, inner);
    }
    let hal = hal_members(&members);
    members.splice(0..0, hal);
    Some(members)
}

/// What HAL and formats like it have in an object: embedded objects, links to the pages before and after, and the page
/// number.
fn hal_members<'a>(members: &Members<'a>) -> Members<'a> {
    let mut below = Vec::new();
    for (name, value) in members {
        match name.as_ref() {
            "_embedded" => {
                let named = |(name, value): (Cow<'a, str>, &'a RawValue)| {
                    // Named after the type of its entries.
                    let is_list = value.get().starts_with('[') && normalize_name(&name).ends_with("list");
                    (if is_list { Cow::Borrowed("items") } else { name }, value)
                };
                below.extend(members_of(value).unwrap_or_default().into_iter().map(named));
            }
            "_links" | "links" => {
                for (name, target) in links_of(value) {
                    let name = match name.as_ref() {
                        "next" => "next",
                        "prev" | "previous" => "previous",
                        "download" | "content" | "file" | "enclosure" => "download_url",
                        _ => continue,
                    };
                    below.push((Cow::Borrowed(name), target));
                }
            }
            "page" if value.get().starts_with('{') => below.push((Cow::Borrowed("pagination"), *value)),
            "meta" => {
                below.extend(members_of(value).unwrap_or_default().into_iter().find_map(|(name, inner)| {
                    let is_place =
                        matches!(name.as_ref(), "pagination" | "page") && inner.get().starts_with('{');
                    is_place.then_some((Cow::Borrowed("pagination"), inner))
                }))
            }
            _ => {}
        }
    }
    below
}

/// Links by what they lead to: in an object, or in a list of those that name it (`rel`).
fn links_of(links: &RawValue) -> Members<'_> {
    let of = |link: &Members<'_>, wanted: &str| link.iter().position(|(name, _)| name == wanted);
    let listed: Vec<&RawValue> = serde_json::from_str(links.get()).unwrap_or_default();
    let listed = listed.into_iter().filter_map(|link| {
        let link = members_of(link)?;
        let name = serde_json::from_str::<String>(link[of(&link, "rel")?].1.get()).ok()?;
        Some((Cow::Owned(name), link[of(&link, "href")?].1))
    });
    let named = members_of(links).unwrap_or_default().into_iter().map(|(name, link)| {
        let target = members_of(link).and_then(|inner| Some(inner[of(&inner, "href")?].1));
        (name, target.unwrap_or(link))
    });
    named.chain(listed).collect()
}

/// The members of an entry with those of the body that it has beside a status of HTTP, where each entry is an
/// answer of its own. Its own ones count first, but for that status.
pub(super) fn merge_body<'a>(mut members: Members<'a>) -> Members<'a> {
    let is_status = |(name, value): &(Cow<'_, str>, &RawValue)| {
        let number = value.get().trim_matches('"').parse::<u16>();
        matches!(normalize_name(name).as_str(), "status" | "statuscode" | "httpstatuscode")
            && number.is_ok_and(|n| (200..600).contains(&n))
    };
    let body = |(name, value): &(Cow<'_, str>, &'a RawValue)| {
        is_envelope(name, value).then(|| members_of(value)).flatten()
    };
    // A body that is a list has the reasons of a refusal.
    let reasons = |(name, value): &(Cow<'_, str>, &'a RawValue)| {
        let is_list = normalize_name(name) == "body" && value.get().starts_with('[');
        is_list.then(|| vec![(Cow::Borrowed("errors"), *value)])
    };
    let body = |member: &(Cow<'_, str>, &'a RawValue)| body(member).or_else(|| reasons(member));
    if let (Some(at), Some(body)) = (members.iter().position(is_status), members.iter().find_map(body)) {
        let (_, status) = members.remove(at);
        members.splice(0..0, body);
        members.insert(0, (Cow::Borrowed("status"), status));
    }
    members
}

/// The members of an object, or of the only one in a list.
pub(super) fn object_of(raw: &RawValue) -> Option<Members<'_>> {
    flat_members(raw).or_else(|| match serde_json::from_str::<Vec<&RawValue>>(raw.get()).ok()?.as_slice() {
        [one] => flat_members(one),
        _ => None,
    })
}

/// The objects in envelopes of an object, and whether an envelope has a name of the service's own. A list of one is an
/// envelope only where the object has no members of its own: the one row of a batch is not the batch.
pub(super) fn wrapped_objects<'a>(members: &Members<'a>) -> Vec<(Members<'a>, bool)> {
    let is_named = |name: &str| ENVELOPES.contains(&normalize_name(name).as_str());
    let is_bare = || members.iter().all(|(name, _)| is_named(name) || is_beside(name));
    let objects = members.iter().filter(|(_, value)| value.get().starts_with(['{', '[']));
    let wrapped = objects.filter_map(|(name, value)| {
        let is_own = !is_named(name) && is_only(members, name, value);
        if !is_named(name) && !is_own {
            return None;
        }
        let object = if is_bare() { object_of(value) } else { flat_members(value) };
        object.map(|object| (object, is_own))
    });
    wrapped.collect()
}

/// Whether a field has this normalized name.
pub(super) fn is_named(field: &str, name: &str) -> bool {
    let letters = field.bytes().filter(u8::is_ascii_alphanumeric).map(|b| b.to_ascii_lowercase());
    letters.eq(name.bytes())
}

/// Names of the objects in which a service groups the members of a record or a quote, and how the names of those
/// members begin in the contract.
const GROUPS: [(&str, &str); 16] = [
    ("amounts", ""),
    ("financials", ""),
    ("premiums", ""),
    ("taxes", ""),
    ("fees", ""),
    ("taxesandfees", ""),
    ("charges", ""),
    ("filing", ""),
    ("policy", "policy"),
    ("dates", "date"),
    ("insured", "mailinginsured"),
    ("mailing", "mailing"),
    ("license", "filedunderlicense"),
    ("invoice", "extrainvoice"),
    ("municipality", "municipal"),
    ("risk", "physical"),
];

/// Whether a field of a record or a quote is an amount in USD.
fn is_amount(field: &str) -> bool {
    field == "premium" || Charge::ALL.iter().any(|charge| charge.name() == field)
}

/// The members in the groups of a record or a quote, `{"policy": {"number": "X"}, "amounts": {"premium": 100}}`, under
/// the contract's names where it has them. Not what two groups tell differently, nor an id, a status or a total: those
/// are the group's own. Amounts lie in groups of amounts alone: the premium in `policy` may be that of the whole policy.
pub(super) fn grouped_members<'a>(members: &Members<'a>, fields: &[&'static str]) -> Members<'a> {
    // Only what has the state's taxes has such groups.
    if !fields.contains(&"sl_tax") {
        return Vec::new();
    }
    let mut grouped: Vec<(Cow<'a, str>, &'a RawValue, usize)> = Vec::new();
    for (group, value) in members.iter().filter(|(_, value)| value.get().starts_with('{')) {
        let group = normalize_name(group);
        let Some((_, begin)) = GROUPS.iter().find(|(name, _)| *name == group) else { continue };
        for (name, value) in members_of(value).unwrap_or_default() {
            let plain = normalize_name(&name);
            let is_of_group = COMMON.contains(&plain.as_str()) || matches!(plain.as_str(), "id" | "total");
            if is_of_group || value.get() == "null" {
                continue;
            }
            let of_contract = |wanted: &str| fields.iter().find(|field| is_named(field, wanted)).copied();
            let field = of_contract(&plain).or_else(|| of_contract(&format!("{begin}{plain}")));
            let has_amounts = begin.is_empty();
            let name = match field {
                Some(field) if has_amounts || !is_amount(field) => Cow::Borrowed(field),
                None if has_amounts => name,
                _ => continue,
            };
            match grouped.iter_mut().find(|(there, ..)| *there == name) {
                Some((_, same, _)) if same.get() == value.get() => {}
                Some(there) => there.2 += 1,
                None => grouped.push((name, value, 1)),
            }
        }
    }
    grouped.retain(|(.., times)| *times == 1);
    grouped.into_iter().map(|(name, value, _)| (name, value)).collect()
}

/// Adds the members that an object does not have, or has as null.
pub(super) fn add_lacking<'a>(
    members: &mut Members<'a>,
    others: impl Iterator<Item = (Cow<'a, str>, &'a RawValue)>,
) {
    for (name, value) in others {
        let is_it = |own: &str| normalize_name(own) == normalize_name(&name);
        if !members.iter().any(|(own, value)| value.get() != "null" && is_it(own)) {
            members.push((name, value));
        }
    }
}
