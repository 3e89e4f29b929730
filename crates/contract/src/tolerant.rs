//! Forms a provider may choose instead of the usual one: a flag as `true` or `1`, a number in quotes, an object
//! or a list left out as null. What carries money is not among them: an amount is never assumed.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, Visitor};

/// Null is the same as absent.
pub(crate) fn null_as_default<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Default + Deserialize<'de>,
{
    Ok(Option::<T>::deserialize(deserializer)?.unwrap_or_default())
}

/// 0, 1 or a small number, also as `false`, `true`, in quotes, or null for 0.
pub(crate) fn small<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u8, D::Error> {
    let number = deserializer.deserialize_any(Form)?.number(0).map_err(D::Error::custom)?;
    u8::try_from(number).map_err(|_| D::Error::custom(format!("a small number is expected, found {number}")))
}

/// `true` or `false`, also as 1 or 0, in quotes, or null for `false`.
pub(crate) fn truth<'de, D: Deserializer<'de>>(deserializer: D) -> Result<bool, D::Error> {
    Ok(optional_truth(deserializer)?.unwrap_or_default())
}

/// The same, where null says that it is not known.
pub(crate) fn optional_truth<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<bool>, D::Error> {
    let form = deserializer.deserialize_any(Form)?;
    if form == Found::Null {
        return Ok(None);
    }
    match form.number(0).map_err(D::Error::custom)? {
        0 => Ok(Some(false)),
        1 => Ok(Some(true)),
        other => Err(D::Error::custom(format!("true or false is expected, found {other}"))),
    }
}

/// A count, also in quotes; null is 0.
pub(crate) fn count<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    let number = deserializer.deserialize_any(Form)?.number(0).map_err(D::Error::custom)?;
    u64::try_from(number).map_err(|_| D::Error::custom(format!("a count is expected, found {number}")))
}

/// A number that is kept as it stands, also in quotes; null is 0.
pub(crate) fn whole<'de, D: Deserializer<'de>>(deserializer: D) -> Result<i64, D::Error> {
    deserializer.deserialize_any(Form)?.number(0).map_err(D::Error::custom)
}

/// A number that names something, also in quotes; null is 0.
pub(crate) fn number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
    Ok(optional_count(deserializer)?.unwrap_or_default())
}

/// A small number such as points, also in quotes; null or an empty text is none.
pub(crate) fn optional_count<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u32>, D::Error> {
    let form = deserializer.deserialize_any(Form)?;
    if form == Found::Null || matches!(&form, Found::Text(text) if text.trim().is_empty()) {
        return Ok(None);
    }
    let number = form.number(0).map_err(D::Error::custom)?;
    u32::try_from(number)
        .map(Some)
        .map_err(|_| D::Error::custom(format!("a count is expected, found {number}")))
}

/// A text, also as a bare number; null is none. What is null in every example may be numbered either way.
pub(crate) fn text_or_number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    Ok(match deserializer.deserialize_any(Form)? {
        Found::Text(text) => Some(text),
        Found::Number(number) => Some(number.to_string()),
        Found::Truth(truth) => Some(truth.to_string()),
        Found::Null => None,
    })
}

/// The same, where null says nothing.
pub(crate) fn text_or_nothing<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    Ok(text_or_number(deserializer)?.unwrap_or_default())
}

/// A status number, also in quotes; null is none, which is no success.
pub(crate) fn status_or_not_told<'de, D: Deserializer<'de>>(deserializer: D) -> Result<i64, D::Error> {
    deserializer.deserialize_any(Form)?.number(crate::STATUS_NOT_TOLD).map_err(D::Error::custom)
}

/// A rate or amount of a rule, which is shown and not reckoned with: null is 0. The amounts of an answer are
/// never read like this.
pub(crate) mod shown_amount {
    use bordereau_money::{Usd, json_number_option};
    use serde::Deserializer;

    pub(crate) use bordereau_money::json_number::serialize;

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Usd, D::Error> {
        Ok(json_number_option::deserialize(deserializer)?.unwrap_or(Usd::ZERO))
    }
}

/// What stood there.
#[derive(PartialEq, Eq)]
enum Found {
    Text(String),
    Number(i64),
    Truth(bool),
    Null,
}

impl Found {
    fn number(self, for_null: i64) -> Result<i64, String> {
        match self {
            Found::Number(number) => Ok(number),
            Found::Truth(truth) => Ok(i64::from(truth)),
            Found::Null => Ok(for_null),
            Found::Text(text) => match text.trim() {
                "true" => Ok(1),
                "false" => Ok(0),
                digits => digits.parse().map_err(|_| {
                    let found: String = text.chars().take(40).collect();
                    format!("a number is expected, found \"{found}\"")
                }),
            },
        }
    }
}

struct Form;

impl<'de> Visitor<'de> for Form {
    type Value = Found;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number, true, false, a text or null")
    }

    fn visit_bool<E>(self, truth: bool) -> Result<Found, E> {
        Ok(Found::Truth(truth))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Found, E> {
        Ok(Found::Number(number))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Found, E> {
        i64::try_from(number).map(Found::Number).map_err(|_| E::custom(format!("{number} is too large")))
    }

    fn visit_str<E>(self, text: &str) -> Result<Found, E> {
        Ok(Found::Text(text.to_owned()))
    }

    fn visit_string<E>(self, text: String) -> Result<Found, E> {
        Ok(Found::Text(text))
    }

    fn visit_unit<E>(self) -> Result<Found, E> {
        Ok(Found::Null)
    }

    fn visit_none<E>(self) -> Result<Found, E> {
        Ok(Found::Null)
    }
}
