//! Reads JSON into the contract's types. Every field that does not fit is named, in plain words: what serde says names
//! types of Rust, and stops at the first.

use std::collections::HashSet;
use std::fmt;
use std::marker::PhantomData;

use serde::de::{DeserializeOwned, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;
use serde_path_to_error::Segment;

use crate::FieldProblem;

/// Fields that are named of one value: more than a transaction has, and a bound on the work for what has a million.
const FIELDS_MAX: usize = 100;
/// Members or items of a value that are looked at one by one.
const PARTS_MAX: usize = 1_000;
/// The member that says of what kind an action is; no other body has such a one.
const KIND_MEMBER: &str = "action";
/// Characters of a name that came with the body.
const NAME_CHARS_MAX: usize = 100;

/// Reads a value. With new `problems` it is what remains without the members at fault.
pub fn read_request<T: DeserializeOwned>(raw: &str, at: &str, problems: &mut Vec<FieldProblem>) -> Option<T> {
    // Only a value at fault is read again and again.
    if let Ok(value) = serde_json::from_str(raw) {
        return Some(value);
    }
    let (before, most) = (problems.len(), problems.len() + FIELDS_MAX);
    FaultSearch::<T> { at, problems, most, target: PhantomData }.search_value(raw, &mut Vec::new(), "", "");
    let pointers = problems[before..].iter().filter_map(|problem| problem.pointer.get(at.len() + 1..));
    let at_fault: HashSet<&str> = pointers.filter_map(|pointer| pointer.split('/').next()).collect();
    let ValueParts(parts) = serde_json::from_str(raw).ok()?;
    let is_readable = |step: &PathStep| !at_fault.contains(step.pointer_part().as_str());
    serde_json::from_str(&object_of(&parts, is_readable)).ok()
}

/// The value found, in words short enough for a message.
pub fn describe_raw(raw: &str) -> String {
    match raw.as_bytes().first() {
        Some(b'[') => "an array".into(),
        Some(b'{') => "an object".into(),
        Some(b'"') if raw.chars().count() > 42 => {
            let start: String = raw.chars().take(40).collect();
            format!("{start}…\"")
        }
        _ => raw.chars().take(42).collect(),
    }
}

/// One step of the way to a field.
#[derive(Clone, PartialEq, Eq)]
enum PathStep {
    Member(String),
    Item(usize),
}

impl PathStep {
    /// As a part of a JSON pointer (RFC 6901).
    fn pointer_part(&self) -> String {
        match self {
            PathStep::Member(name) => shorten_name(name).replace('~', "~0").replace('/', "~1"),
            PathStep::Item(number) => number.to_string(),
        }
    }
}

fn shorten_name(name: &str) -> String {
    name.chars().take(NAME_CHARS_MAX).collect()
}

/// The members of an object or the items of an array, unread.
struct ValueParts<'a>(Vec<(PathStep, &'a RawValue)>);

impl<'de> serde::Deserialize<'de> for ValueParts<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct PartsVisitor;
        impl<'de> Visitor<'de> for PartsVisitor {
            type Value = ValueParts<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object or an array")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<ValueParts<'de>, A::Error> {
                let mut parts = Vec::new();
                while let Some((name, value)) = map.next_entry()? {
                    parts.push((PathStep::Member(name), value));
                    check_count(&parts)?;
                }
                Ok(ValueParts(parts))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<ValueParts<'de>, A::Error> {
                let mut parts = Vec::new();
                while let Some(value) = items.next_element()? {
                    parts.push((PathStep::Item(parts.len()), value));
                    check_count(&parts)?;
                }
                Ok(ValueParts(parts))
            }
        }
        deserializer.deserialize_any(PartsVisitor)
    }
}

fn check_count<T, E: serde::de::Error>(parts: &[T]) -> Result<(), E> {
    if parts.len() > PARTS_MAX { Err(E::custom("there are too many parts")) } else { Ok(()) }
}

/// An object of the members chosen.
fn object_of(parts: &[(PathStep, &RawValue)], is_chosen: impl Fn(&PathStep) -> bool) -> String {
    let members = parts.iter().filter(|(step, _)| is_chosen(step)).filter_map(|(step, value)| match step {
        PathStep::Member(name) => Some(format!("{}:{}", quote_name(name), value.get())),
        PathStep::Item(_) => None,
    });
    format!("{{{}}}", members.collect::<Vec<_>>().join(","))
}

fn quote_name(name: &str) -> String {
    serde_json::Value::from(name).to_string()
}

/// Looks for every field that cannot be read as part of a `T`.
struct FaultSearch<'a, T> {
    at: &'a str,
    problems: &'a mut Vec<FieldProblem>,
    most: usize,
    target: PhantomData<T>,
}

impl<T: DeserializeOwned> FaultSearch<'_, T> {
    /// Reads the value at a place with nothing but the way to it around it; what is in it is searched part by part.
    fn search_value(&mut self, raw: &str, place: &mut Vec<PathStep>, open: &str, close: &str) {
        if self.problems.len() >= self.most {
            return;
        }
        let Some(mut fault) = read_fault::<T>(&format!("{open}{raw}{close}")) else { return };
        for (step, real) in fault.path.iter_mut().zip(place.iter()) {
            // Alone in its array, an item is the first.
            if matches!((&*step, real), (PathStep::Item(_), PathStep::Item(_))) {
                step.clone_from(real);
            }
        }
        if !fault.path.starts_with(place) {
            // A member that is missing around it: so it is where only the way is there.
            return;
        }
        let parts = serde_json::from_str(raw).map_or_else(|_| Vec::new(), |ValueParts(parts)| parts);
        if fault.path.len() == place.len() {
            let culprit = if place.is_empty() { find_culprit::<T>(&parts, &fault) } else { None };
            match culprit {
                Some((step, value)) => self.add_problem(&[step], Some(value.get()), &fault.sentence),
                None => self.add_problem(place, Some(raw), &fault.sentence),
            }
            return;
        }
        let before = self.problems.len();
        for (step, part) in parts {
            let (open, close) = match &step {
                PathStep::Member(name) => (format!("{open}{{{}:", quote_name(name)), format!("}}{close}")),
                PathStep::Item(_) => (format!("{open}["), format!("]{close}")),
            };
            place.push(step);
            self.search_value(part.get(), place, &open, &close);
            place.pop();
        }
        if self.problems.len() == before {
            self.add_problem(&fault.path, None, &fault.sentence);
        }
    }

    fn add_problem(&mut self, path: &[PathStep], raw: Option<&str>, sentence: &FaultSentence) {
        let pointer: String = path.iter().map(|step| format!("/{}", step.pointer_part())).collect();
        let mut name = String::new();
        for step in path {
            match step {
                PathStep::Member(member) if name.is_empty() => name = shorten_name(member),
                PathStep::Member(member) => name = format!("{name}.{}", shorten_name(member)),
                PathStep::Item(number) => name = format!("{name}[{number}]"),
            }
        }
        if name.is_empty() {
            name = if self.at.is_empty() { "The body" } else { "The transaction" }.into();
        }
        let detail = sentence.of_field(&name, raw);
        self.problems.push(FieldProblem { pointer: format!("{}{pointer}", self.at), detail });
    }
}

/// What is wrong with a field, to be written behind its name.
#[derive(PartialEq, Eq)]
struct FaultSentence {
    text: String,
    /// What was found is said with it.
    names_value: bool,
}

impl FaultSentence {
    fn of_field(&self, name: &str, raw: Option<&str>) -> String {
        let found =
            raw.filter(|_| self.names_value).map(|raw| format!(", found {}", describe_raw(raw.trim())));
        format!("{name}{}{}.", self.text, found.unwrap_or_default())
    }
}

/// A sentence on a value that could not be read.
pub fn describe_fault(name: &str, raw: &str, error: &serde_json::Error) -> String {
    plain_sentence(error).1.of_field(name, Some(raw))
}

/// The first field that does not fit.
#[derive(PartialEq, Eq)]
struct ReadFault {
    path: Vec<PathStep>,
    sentence: FaultSentence,
}

fn read_fault<T: DeserializeOwned>(text: &str) -> Option<ReadFault> {
    let mut reader = serde_json::Deserializer::from_str(text);
    let error = serde_path_to_error::deserialize::<_, T>(&mut reader).err()?;
    let steps = error.path().iter().map_while(|segment| match segment {
        Segment::Map { key } => Some(PathStep::Member(key.clone())),
        Segment::Seq { index } => Some(PathStep::Item(*index)),
        Segment::Enum { .. } | Segment::Unknown => None,
    });
    let mut path: Vec<PathStep> = steps.collect();
    let (field, sentence) = plain_sentence(error.inner());
    // serde names the object, and the member in its text.
    if let Some(field) = field.filter(|field| path.last() != Some(&PathStep::Member(field.clone()))) {
        path.push(PathStep::Member(field));
    }
    Some(ReadFault { path, sentence })
}

/// The member for which an object is at fault whose kind is in a member: there serde names no path. Without the culprit
/// the fault is another one, or none; without the member of the kind it always is.
fn find_culprit<'a, T: DeserializeOwned>(
    parts: &[(PathStep, &'a RawValue)],
    fault: &ReadFault,
) -> Option<(PathStep, &'a RawValue)> {
    let is_kind = |step: &PathStep| *step == PathStep::Member(KIND_MEMBER.into());
    let is_culprit =
        |step: &PathStep| read_fault::<T>(&object_of(parts, |other| other != step)).as_ref() != Some(fault);
    let others = parts.iter().filter(|(step, _)| !is_kind(step)).take(FIELDS_MAX);
    let mut candidates = others.chain(parts.iter().filter(|(step, _)| is_kind(step)));
    candidates.find(|(step, _)| is_culprit(step)).map(|(step, value)| (step.clone(), *value))
}

/// What an error of serde's means, and the member that it names in its text. What is not one of serde's own sentences
/// was written by the contract's readers, in plain words.
fn plain_sentence(error: &serde_json::Error) -> (Option<String>, FaultSentence) {
    let text = error.to_string();
    let text = text.rsplit_once(" at line ").map_or(text.as_str(), |(text, _)| text);
    let told = |text: String| FaultSentence { text, names_value: false };
    let with_value = |text: String| (None, FaultSentence { text, names_value: true });
    if !error.is_data() {
        // The text is JSON, so this is a code that is no string, a number without end, or half a character.
        let is_code = text == "expected value";
        return with_value(if is_code { " must be a string" } else { " cannot be read" }.into());
    }
    let (start, expected) = text.rsplit_once(", expected ").unwrap_or((text, ""));
    let named = |prefix| start.strip_prefix(prefix).map(|name: &str| name.trim_matches('`').to_owned());
    let listed = || expected.strip_prefix("one of ").unwrap_or(expected).replace('`', "");
    if let Some(field) = named("missing field ") {
        (Some(field), told(" is required".into()))
    } else if let Some(field) = named("duplicate field ") {
        (Some(field), told(" is given more than once".into()))
    } else if let Some(field) = named("unknown field ") {
        (Some(field), told(format!(" is not known; known here: {}", listed())))
    } else if start.starts_with("unknown variant ") {
        let one_of = if expected.contains(',') { "one of " } else { "" };
        with_value(format!(" must be {one_of}{}", listed()))
    } else if start.starts_with("invalid ") && !expected.is_empty() {
        with_value(
            expected_value(expected)
                .map_or_else(|| " cannot be read".into(), |what| format!(" must be {what}")),
        )
    } else if let Some((what, _)) = text.split_once(" is expected, found ") {
        with_value(format!(" must be {what}"))
    } else {
        (None, told(format!(": {text}")))
    }
}

/// What serde expects, in the words of JSON.
fn expected_value(expected: &str) -> Option<&'static str> {
    Some(match expected {
        // The contract's only numbers of this size are flags.
        "u8" => "0 or 1",
        "u32" => "a whole number from 0 to 4294967295",
        "u64" => "a whole number of at most 19 digits, 0 or more",
        "i64" => "a whole number of at most 18 digits",
        "a boolean" => "true or false",
        "a sequence" => "an array",
        "a map" => "an object",
        "a string" | "a borrowed string" | "string or map" | "variant identifier" => "a string",
        _ if expected.starts_with("struct ") || expected.starts_with("internally tagged enum ") => {
            "an object"
        }
        _ => return None,
    })
}
