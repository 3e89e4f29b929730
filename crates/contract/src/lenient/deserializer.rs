//! How the types of the contract take their members and entries from an answer.

use serde::de::{self, DeserializeSeed, Deserializer, IntoDeserializer, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::*;
use crate::changes_text_direction;

/// The members of an object as they are taken.
struct MemberAccess<'a> {
    members: std::vec::IntoIter<(String, &'a RawValue)>,
    value: Option<(String, &'a RawValue)>,
    reading: &'a AnswerReading,
}

impl<'a> MapAccess<'a> for MemberAccess<'a> {
    type Error = ReadError;

    fn next_key_seed<K: DeserializeSeed<'a>>(&mut self, seed: K) -> Result<Option<K::Value>, ReadError> {
        let reading = self.reading;
        let Some((name, value)) = self.members.find(|(_, value)| !reading.is_lost(value)) else {
            return Ok(None);
        };
        let key = seed.deserialize(name.as_str().into_deserializer())?;
        reading.named.set(Some(address_of(value)));
        self.value = Some((name, value));
        Ok(Some(key))
    }

    fn next_value_seed<V: DeserializeSeed<'a>>(&mut self, seed: V) -> Result<V::Value, ReadError> {
        let Some((name, value)) = self.value.take() else {
            return Err(de::Error::custom("a member is expected"));
        };
        self.reading.step(Step::Member(name), (value, None), seed, |error| {
            let is_exact = self.reading.exact.get() == Some(address_of(value));
            if is_exact && !self.reading.is_in_rule() {
                error.cost = ErrorCost::Record
            }
            error.cost == ErrorCost::Part
        })
    }
}

/// The entries of a list as they are taken.
struct EntryAccess<'a> {
    entries: std::iter::Enumerate<std::vec::IntoIter<ListEntry<'a>>>,
    reading: &'a AnswerReading,
}

impl<'a> SeqAccess<'a> for EntryAccess<'a> {
    type Error = ReadError;

    fn next_element_seed<V: DeserializeSeed<'a>>(&mut self, seed: V) -> Result<Option<V::Value>, ReadError> {
        let reading = self.reading;
        let next = self.entries.find(|(_, entry)| !reading.is_lost(entry.raw) && entry.raw.get() != "null");
        let Some((at, ListEntry { raw, key })) = next else { return Ok(None) };
        reading.step(Step::Entry(at), (raw, key), seed, |error| error.cost != ErrorCost::Nothing).map(Some)
    }
}

/// An entry of a list, and its name there as it is written.
pub(super) struct ListEntry<'a> {
    pub(super) raw: &'a RawValue,
    key: Option<&'a RawValue>,
}

/// The entries of a list called `name`. Anything but a list is its one entry; an empty text is an empty list. An object
/// with only the list, or whose members are the entries by number or id, is read as the list.
pub(super) fn entries_of<'a>(raw: &'a RawValue, name: &str) -> Vec<ListEntry<'a>> {
    let listed = |raw: &'a RawValue| -> Vec<ListEntry<'a>> {
        let entries: Vec<&'a RawValue> = serde_json::from_str(raw.get()).unwrap_or_default();
        entries.into_iter().map(|raw| ListEntry { raw: element_value(raw), key: None }).collect()
    };
    match raw.get() {
        _ if is_blank(raw) => return Vec::new(),
        text if text.starts_with('[') => return listed(raw),
        _ => {}
    }
    let Some(members) = members_of(raw) else { return vec![ListEntry { raw, key: None }] };
    match inner_list(&members, name) {
        Some(list) if list.get().starts_with('[') => listed(list),
        Some(entry) => vec![ListEntry { raw: entry, key: None }],
        None if is_counted(&members) || is_keyed(&members) || is_outcome_list(&members, name) => {
            named_entries(raw)
        }
        None => vec![ListEntry { raw, key: None }],
    }
}

/// Whether an object called `name` has the service's number for each own id.
fn is_outcome_list(members: &Members<'_>, name: &str) -> bool {
    let is_number = |value: &RawValue| {
        let digits = value.get().trim_matches('"');
        value.get() == "null" || (!digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()))
    };
    matches!(name, "transactions" | "results" | "responses")
        && !members.is_empty()
        && members.iter().all(|(_, value)| is_number(value))
}

/// The members of an object as entries; names that only number them are dropped.
fn named_entries(raw: &RawValue) -> Vec<ListEntry<'_>> {
    struct Pairs;
    impl<'de> Visitor<'de> for Pairs {
        type Value = Vec<ListEntry<'de>>;
        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object")
        }
        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Vec<ListEntry<'de>>, A::Error> {
            let mut entries = Vec::new();
            while let Some((key, raw)) = map.next_entry::<&RawValue, &RawValue>()? {
                entries.push(ListEntry { raw, key: Some(key) });
            }
            Ok(entries)
        }
    }
    let mut entries =
        serde_json::Deserializer::from_str(raw.get()).deserialize_map(Pairs).unwrap_or_default();
    let number = |entry: &ListEntry<'_>| entry.key?.get().trim_matches('"').parse::<usize>().ok();
    let first = entries.first().and_then(number).unwrap_or(usize::MAX);
    if first <= 1 && entries.iter().enumerate().all(|(at, entry)| number(entry) == Some(first + at)) {
        entries.iter_mut().for_each(|entry| entry.key = None);
    }
    entries
}

/// Whether a value is a text of nothing but blanks.
fn is_blank(raw: &RawValue) -> bool {
    let inner = raw.get().strip_prefix('"').and_then(|text| text.strip_suffix('"'));
    inner.is_some_and(|text| text.trim().is_empty())
}

/// A reason without its line and column, which are those within one member.
fn plain_reason(error: serde_json::Error) -> ReadError {
    let text = error.to_string();
    de::Error::custom(text.split(" at line ").next().unwrap_or_default())
}

/// Whether a character is a control character other than blanks and line ends, or changes the direction of a text.
fn is_control(c: char) -> bool {
    changes_text_direction(c) || (c.is_control() && !matches!(c, '\n' | '\r' | '\t'))
}

macro_rules! whole_numbers {
    ($($method:ident $visit:ident),+) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
            visitor.$visit(self.bounded_number())
        })+
    };
}

impl<'de> Deserializer<'de> for Reader<'de> {
    type Error = ReadError;

    whole_numbers!(
        deserialize_i8 visit_i8, deserialize_i16 visit_i16, deserialize_i32 visit_i32, deserialize_i64 visit_i64,
        deserialize_u8 visit_u8, deserialize_u16 visit_u16, deserialize_u32 visit_u32, deserialize_u64 visit_u64
    );

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        match self.text().as_bytes().first() {
            Some(b'{') => self.deserialize_map(visitor),
            Some(b'[') => self.deserialize_seq(visitor),
            // As text: a number with decimals never becomes a float.
            Some(b'-' | b'0'..=b'9') => match self.text().parse::<i64>() {
                Ok(number) => visitor.visit_i64(number),
                Err(_) => visitor.visit_str(self.text()),
            },
            Some(b'"') => self.deserialize_string(visitor),
            _ => {
                serde_json::Deserializer::from_str(self.text()).deserialize_any(visitor).map_err(plain_reason)
            }
        }
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        let word = self.scalar().unwrap_or_default();
        let truth = match word.as_ref() {
            word if is_true(word) => true,
            word if is_false(word) => false,
            _ => self.lose_value("true or false", false),
        };
        visitor.visit_bool(truth)
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        match self.scalar() {
            // What moves a cursor has no place in a text, nor have the blanks that fill up a column of fixed width.
            Some(text) => visitor.visit_string(text.replace(is_control, "").trim().to_owned()),
            None => visitor.visit_str(self.lose_value("a text", "")),
        }
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        self.deserialize_string(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        // Many services write an empty text where there is nothing.
        if self.text() == "null" || is_blank(self.raw) {
            visitor.visit_none()
        } else {
            visitor.visit_some(self)
        }
    }

    /// An amount asks for its text: its record is lost with it.
    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, ReadError> {
        if name != RAW_VALUE {
            return visitor.visit_newtype_struct(self);
        }
        self.reading.exact.set(Some(address_of(self.raw)));
        let mut digits = serde_json::Deserializer::from_str(self.text());
        digits.deserialize_newtype_struct(name, visitor).map_err(plain_reason)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        if self.reading.path.borrow().len() > DEPTH_MAX {
            return Err(de::Error::custom("it is nested too deep"));
        }
        let name = match self.reading.path.borrow().last() {
            Some(Step::Member(name)) => name.clone(),
            _ => String::new(),
        };
        let entries = entries_of(self.raw, &name);
        if entries.len() > ENTRIES_MAX {
            return Err(de::Error::custom(format_args!("it has more than {ENTRIES_MAX} entries")));
        }
        visitor.visit_seq(EntryAccess { entries: entries.into_iter().enumerate(), reading: self.reading })
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, ReadError> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: usize,
        visitor: V,
    ) -> Result<V::Value, ReadError> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        if self.reading.path.borrow().len() > DEPTH_MAX {
            return Err(de::Error::custom("it is nested too deep"));
        }
        let members = members_of(self.raw).ok_or_else(|| de::Error::custom("an object is expected"))?;
        let members: Vec<_> = members.into_iter().map(|(name, value)| (name.into_owned(), value)).collect();
        visitor.visit_map(MemberAccess { members: members.into_iter(), value: None, reading: self.reading })
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        type_name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ReadError> {
        // A note may be only its text, a result only the id of its row.
        let alone =
            ["note", "transaction_id"].into_iter().find(|name| fields.contains(name) && !self.is_root);
        let alone = alone.filter(|_| self.text().starts_with('"'));
        let name = |field| if field == "note" { field } else { "id" };
        // Or the service's number under its own id.
        let is_number = self.text().trim_matches('"').bytes().all(|b| b.is_ascii_digit());
        let number = self.key.filter(|_| fields.contains(&"transaction_id") && is_number);
        let numbered = number
            .map(|key| (vec![(Cow::Borrowed("id"), key), (Cow::Borrowed("transaction_id"), self.raw)], 2));
        let text =
            || numbered.or_else(|| alone.map(|field| (vec![(Cow::Borrowed(name(field)), self.raw)], 1)));
        let (members, own_members) = self
            .find_members(fields)
            .or_else(text)
            .ok_or_else(|| de::Error::custom("an object is expected"))?;
        if self.is_root {
            self.reading.note_unknown(&members, fields);
        }
        // A record may have its number under the name that results have.
        let is_number = |(name, value): &&(Cow<'_, str>, &RawValue)| {
            fields.contains(&"transaction_status")
                && normalize_name(name) == "transactionid"
                && value.get().trim_matches('"').bytes().all(|b| b.is_ascii_digit())
        };
        let key = members.iter().find(is_number).map(|(_, value)| *value).or(self.key);
        // A number alone is no record.
        let says_more = |(name, _): &(Cow<'_, str>, &RawValue)| {
            let name = normalize_name(name);
            !matches!(name.as_str(), "id" | "transactionid")
                && fields.iter().any(|field| is_named(field, &name))
        };
        let is_number_alone = type_name == "TransactionRecord" && !members.iter().any(says_more);
        let listed = members.into_iter().filter(|(name, value)| !is_count(name, value, fields));
        let listed: Members<'_> = listed.collect();
        let guessed = self.members_by_form(&listed, fields);
        let mut known = known_members(listed, fields);
        known.extend(guessed);
        // Any object could be read as a type without required members. One with none of the members is something
        // else, as is one with only a sentence.
        let is_wrapping = known.iter().all(|(name, value)| is_wrapper(name, value));
        let is_other = self.is_root && own_members == 0 && (is_wrapping || self.reading.has_words.get());
        if known.is_empty() || is_other || is_number_alone {
            return Err(de::Error::custom("it has nothing of what was asked for"));
        }
        let mut members: Vec<_> = known.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        // An entry without an id has its name in the list as its id.
        let is_unnamed = fields.contains(&"id") && members.iter().all(|(name, _)| name != "id");
        members.extend(key.filter(|_| is_unnamed).map(|key| ("id".to_owned(), key)));
        let access = MemberAccess { members: members.into_iter(), value: None, reading: self.reading };
        visitor.visit_map(access).map_err(|mut error| {
            if error.cost == ErrorCost::Repeated {
                // Read again without it; nothing is lost by that.
                self.reading.lost.borrow_mut().extend(self.reading.named.get());
                error.cost = ErrorCost::Nothing;
            }
            error
        })
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ReadError> {
        let word = self.scalar().ok_or_else(|| de::Error::custom("a word is expected"))?;
        let same = variants.iter().find(|variant| normalize_name(variant) == normalize_name(&word));
        visitor.visit_enum(same.map_or(word.as_ref(), |variant| *variant).into_deserializer())
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        self.deserialize_string(visitor)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        visitor.visit_unit()
    }

    // No type of the contract is a float; these two are here because the trait asks for them.
    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        self.deserialize_any(visitor)
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        self.deserialize_any(visitor)
    }

    serde::forward_to_deserialize_any! { i128 u128 char bytes byte_buf unit unit_struct }
}
