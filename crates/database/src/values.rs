//! Values as they go into statements and come out of rows: whole numbers, texts and bytes, nothing else is stored.

use crate::DatabaseError;

/// A value of a database, borrowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value<'v> {
    /// None, of this kind.
    Null(ValueKind),
    /// A whole number; yes is 1 and no is 0.
    Integer(i64),
    /// Text.
    Text(&'v str),
    /// Bytes.
    Blob(&'v [u8]),
}

/// What a value is, also where there is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ValueKind {
    /// A whole number.
    Integer,
    /// Text.
    Text,
    /// Bytes.
    Blob,
}

impl<'v> Value<'v> {
    /// What it is.
    pub(crate) const fn kind(self) -> ValueKind {
        match self {
            Value::Null(kind) => kind,
            Value::Integer(_) => ValueKind::Integer,
            Value::Text(_) => ValueKind::Text,
            Value::Blob(_) => ValueKind::Blob,
        }
    }

    /// The text.
    pub fn as_str(self) -> Result<&'v str, DatabaseError> {
        match self {
            Value::Text(text) => Ok(text),
            _ => Err(DatabaseError::UnexpectedValue("a text")),
        }
    }

    /// The bytes.
    pub fn as_blob(self) -> Result<&'v [u8], DatabaseError> {
        match self {
            Value::Blob(bytes) => Ok(bytes),
            _ => Err(DatabaseError::UnexpectedValue("bytes")),
        }
    }

    /// The number.
    pub fn as_integer(self) -> Result<i64, DatabaseError> {
        match self {
            Value::Integer(number) => Ok(number),
            _ => Err(DatabaseError::UnexpectedValue("a whole number")),
        }
    }
}

/// What can be the value of a statement.
pub trait ToValue {
    /// As the database takes it.
    fn to_value(&self) -> Value<'_>;
}

/// What kind a type is, without a value of it.
pub trait OfKind {
    /// The kind.
    const KIND: ValueKind;
}

/// What can be read from a column.
pub trait FromValue: Sized {
    /// Reads it.
    fn from_value(value: Value<'_>) -> Result<Self, DatabaseError>;
}

impl<T: ToValue + ?Sized> ToValue for &T {
    fn to_value(&self) -> Value<'_> {
        (**self).to_value()
    }
}

impl<T: OfKind + ?Sized> OfKind for &T {
    const KIND: ValueKind = T::KIND;
}

impl ToValue for Box<dyn ToValue> {
    fn to_value(&self) -> Value<'_> {
        self.as_ref().to_value()
    }
}

impl<T: ToValue + OfKind> ToValue for Option<T> {
    fn to_value(&self) -> Value<'_> {
        self.as_ref().map_or(Value::Null(T::KIND), ToValue::to_value)
    }
}

impl<T: FromValue> FromValue for Option<T> {
    fn from_value(value: Value<'_>) -> Result<Self, DatabaseError> {
        match value {
            Value::Null(_) => Ok(None),
            value => T::from_value(value).map(Some),
        }
    }
}

macro_rules! numbers {
    ($($type:ty),+) => { $(
        impl OfKind for $type {
            const KIND: ValueKind = ValueKind::Integer;
        }

        impl ToValue for $type {
            fn to_value(&self) -> Value<'_> {
                Value::Integer((*self).into())
            }
        }
    )+ };
}

numbers!(i64, i32, u32, bool);

impl FromValue for i64 {
    fn from_value(value: Value<'_>) -> Result<Self, DatabaseError> {
        value.as_integer()
    }
}

impl FromValue for i32 {
    fn from_value(value: Value<'_>) -> Result<Self, DatabaseError> {
        i32::try_from(value.as_integer()?).map_err(|_| DatabaseError::UnexpectedValue("a smaller number"))
    }
}

impl FromValue for u32 {
    fn from_value(value: Value<'_>) -> Result<Self, DatabaseError> {
        u32::try_from(value.as_integer()?).map_err(|_| DatabaseError::UnexpectedValue("a smaller number"))
    }
}

impl FromValue for u64 {
    fn from_value(value: Value<'_>) -> Result<Self, DatabaseError> {
        u64::try_from(value.as_integer()?).map_err(|_| DatabaseError::UnexpectedValue("a number from 0"))
    }
}

impl FromValue for bool {
    fn from_value(value: Value<'_>) -> Result<Self, DatabaseError> {
        Ok(value.as_integer()? != 0)
    }
}

macro_rules! texts {
    ($($type:ty),+) => { $(
        impl OfKind for $type {
            const KIND: ValueKind = ValueKind::Text;
        }

        impl ToValue for $type {
            fn to_value(&self) -> Value<'_> {
                Value::Text(self)
            }
        }
    )+ };
}

texts!(str, String);

impl FromValue for String {
    fn from_value(value: Value<'_>) -> Result<Self, DatabaseError> {
        value.as_str().map(str::to_owned)
    }
}

macro_rules! bytes {
    ($($type:ty),+) => { $(
        impl OfKind for $type {
            const KIND: ValueKind = ValueKind::Blob;
        }

        impl ToValue for $type {
            fn to_value(&self) -> Value<'_> {
                Value::Blob(self)
            }
        }
    )+ };
}

bytes!([u8], Vec<u8>);

impl FromValue for Vec<u8> {
    fn from_value(value: Value<'_>) -> Result<Self, DatabaseError> {
        value.as_blob().map(<[u8]>::to_vec)
    }
}

/// The values of one statement.
pub trait Parameters {
    /// How many there are.
    fn count(&self) -> usize;
    /// One of them, from 0.
    fn value(&self, at: usize) -> Value<'_>;
}

impl Parameters for [&dyn ToValue; 0] {
    fn count(&self) -> usize {
        0
    }

    fn value(&self, _at: usize) -> Value<'_> {
        Value::Null(ValueKind::Text)
    }
}

impl Parameters for &[&dyn ToValue] {
    fn count(&self) -> usize {
        self.len()
    }

    fn value(&self, at: usize) -> Value<'_> {
        self[at].to_value()
    }
}

impl Parameters for &[Box<dyn ToValue>] {
    fn count(&self) -> usize {
        self.len()
    }

    fn value(&self, at: usize) -> Value<'_> {
        self[at].to_value()
    }
}

macro_rules! arrays {
    ($($count:literal),+) => { $(
        impl<T: ToValue> Parameters for [T; $count] {
            fn count(&self) -> usize {
                $count
            }

            fn value(&self, at: usize) -> Value<'_> {
                self[at].to_value()
            }
        }
    )+ };
}

arrays!(1, 2, 3, 4, 5);
