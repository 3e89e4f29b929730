//! Days as they travel: `yyyy-mm-dd`, in UTC (section 3).

use jiff::civil::Date;
use serde::{Deserialize, Deserializer, Serializer, de::Error as _};

/// Reads `yyyy-mm-dd`, a day of the calendar between 1900 and 2199; anything else is none.
#[must_use]
pub fn parse_day(text: &str) -> Option<Date> {
    let shape = text.len() == 10
        && text.bytes().enumerate().all(|(at, byte)| match at {
            4 | 7 => byte == b'-',
            _ => byte.is_ascii_digit(),
        });
    let date: Date = if shape { text.parse().ok()? } else { return None };
    Some(date).filter(|date| (1900..=2199).contains(&date.year()))
}

pub(crate) fn serialize<S: Serializer>(day: &Date, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(day)
}

pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Date, D::Error> {
    let text = String::deserialize(deserializer)?;
    parse_day(&text).ok_or_else(|| {
        let found: String = text.chars().take(40).collect();
        D::Error::custom(format!("\"{found}\" is not a date; write it like 2026-02-23"))
    })
}
