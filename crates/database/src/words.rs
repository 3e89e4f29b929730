//! Enumerations as their words, the same that cross to the UI.

use std::str::FromStr;

use crate::{DatabaseError, FromValue, OfKind, ToValue, Value, ValueKind};

/// A value of an enumeration as its word.
#[derive(Clone, Copy, Debug)]
pub struct Word<T>(pub T);

impl<T> OfKind for Word<T> {
    const KIND: ValueKind = ValueKind::Text;
}

impl<T: Copy + Into<&'static str>> ToValue for Word<T> {
    fn to_value(&self) -> Value<'_> {
        Value::Text(self.0.into())
    }
}

impl<T: FromStr> FromValue for Word<T> {
    fn from_value(value: Value<'_>) -> Result<Self, DatabaseError> {
        let word = value.as_str()?.parse();
        word.map(Word).map_err(|_| DatabaseError::UnexpectedValue("a word that this version knows"))
    }
}
