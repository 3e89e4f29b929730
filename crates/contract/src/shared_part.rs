//! Parts of answers that many answers have.

use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use serde::{Deserialize, Deserializer, Serialize, Serializer, ser::Error as _};
use serde_json::value::{RawValue, to_raw_value};

/// A part that answers share: its JSON is written once for all of them. The notes of a rule are most of what an
/// answer of the calculator says.
#[derive(Clone, Debug, Default)]
pub struct SharedPart<T>(Arc<PartWithJson<T>>);

#[derive(Debug, Default)]
struct PartWithJson<T> {
    part: T,
    json: OnceLock<Box<RawValue>>,
}

impl<T> From<T> for SharedPart<T> {
    fn from(part: T) -> Self {
        SharedPart(Arc::new(PartWithJson { part, json: OnceLock::new() }))
    }
}

impl<T> Deref for SharedPart<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0.part
    }
}

impl<T: PartialEq> PartialEq for SharedPart<T> {
    fn eq(&self, other: &SharedPart<T>) -> bool {
        **self == **other
    }
}

impl<T: Eq> Eq for SharedPart<T> {}

impl<T: Serialize> Serialize for SharedPart<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let json = match self.0.json.get() {
            Some(json) => json,
            None => {
                let json = to_raw_value(&self.0.part).map_err(S::Error::custom)?;
                self.0.json.get_or_init(|| json)
            }
        };
        json.serialize(serializer)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for SharedPart<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        T::deserialize(deserializer).map(SharedPart::from)
    }
}
