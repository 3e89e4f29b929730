//! Days as they travel: `yyyy-mm-dd`, in UTC (section 3).

use chrono::{DateTime, Datelike, NaiveDate, Utc, Weekday};
use serde::{Deserialize, Deserializer, Serializer, de::Error as _};
use serde_json::{Map, Value};

use crate::DateRange;

/// Reads `yyyy-mm-dd`, a day of the calendar between 1900 and 2199; anything else is none.
pub fn parse_day(text: &str) -> Option<NaiveDate> {
    parse_calendar_day(text).filter(|date| (1900..=2199).contains(&date.year()))
}

/// Reads `yyyy-mm-dd`, any day of the years 0001 to 9999; anything else is none. chrono itself also takes single digits,
/// blanks, signs and longer years, so texts from outside are read here.
pub fn parse_calendar_day(text: &str) -> Option<NaiveDate> {
    let [a, b, c, d, b'-', e, f, b'-', g, h] = *text.as_bytes() else { return None };
    let number = |digits: &[u8]| {
        digits
            .iter()
            .try_fold(0u32, |n, digit| digit.is_ascii_digit().then(|| n * 10 + u32::from(digit - b'0')))
    };
    let year = number(&[a, b, c, d])?.cast_signed();
    NaiveDate::from_ymd_opt(year, number(&[e, f])?, number(&[g, h])?).filter(is_writable)
}

/// The day that a date of an answer begins with, whatever time follows; none where it is no date.
#[must_use]
pub fn leading_day(text: &str) -> Option<NaiveDate> {
    parse_calendar_day(text.trim().get(..10)?)
}

/// A date of an answer. One that databases write where there is none is absent; another way of writing a day becomes
/// `yyyy-mm-dd`, read as Americans write it: 03/04/2026 is March 4. All else stays as it came.
pub(crate) fn deserialize_date<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<String>, D::Error> {
    let text = Option::<DateText>::deserialize(deserializer)?;
    Ok(text
        .map(|DateText(text)| text)
        .filter(|text| !is_no_date(text))
        .map(|text| unusual_day(&text).map_or(text, |day| day.to_string())))
}

/// A date or time of an answer as text. Java writes `[2026, 2, 23, 10, 0]`, PHP `{"date", "timezone"}`, databases
/// `{"$date"}`; what is none of these is the text of what came.
struct DateText(String);

impl<'de> Deserialize<'de> for DateText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(DateText(match Value::deserialize(deserializer)? {
            Value::String(text) => text,
            Value::Array(parts) => parts_text(&parts).unwrap_or_else(|| Value::Array(parts).to_string()),
            Value::Object(members) => {
                members_text(&members).unwrap_or_else(|| Value::Object(members).to_string())
            }
            other => other.to_string(),
        }))
    }
}

/// Year, month and day, then hour, minute and second where they are there.
fn parts_text(parts: &[Value]) -> Option<String> {
    let number = |at: usize, most: u64| parts.get(at)?.as_u64().filter(|number| *number <= most);
    let day = format!("{:04}-{:02}-{:02}", number(0, 9999)?, number(1, 12)?, number(2, 31)?);
    let is_day = parse_calendar_day(&day).is_some() && parts.len() <= 7;
    let time = || Some((number(3, 23)?, number(4, 59)?, if parts.len() > 5 { number(5, 59)? } else { 0 }));
    match (parts.len(), time()) {
        (3, _) => Some(day),
        (_, Some((hour, minute, second))) => Some(format!("{day} {hour:02}:{minute:02}:{second:02}")),
        _ => None,
    }
    .filter(|_| is_day)
}

/// The text of the one member that is the date, with the time zone beside it.
fn members_text(members: &Map<String, Value>) -> Option<String> {
    let date = match members.get("date").or_else(|| members.get("$date"))? {
        Value::String(date) => date.trim().to_owned(),
        Value::Number(number) => number.to_string(),
        _ => return None,
    };
    let zone = members.get("timezone").and_then(Value::as_str).unwrap_or_default();
    // A day alone has no zone.
    Some(match date.strip_suffix(" 00:00:00.000000") {
        Some(day) => day.to_owned(),
        None => format!("{date} {zone}").trim_end().to_owned(),
    })
}

/// Days that databases and platforms write where there is none: the first ones that they know.
const NO_DATES: [&str; 7] =
    ["0000-00-00", "0001-01-01", "1753-01-01", "1899-12-30", "1899-12-31", "1900-01-01", "1970-01-01"];

/// Nothing, or one of [`NO_DATES`] in any writing: `0001-01-01T00:00:00`, `1/1/1900`, `0`.
fn is_no_date(text: &str) -> bool {
    let text = text.trim();
    let is_first = |text: &str| NO_DATES.iter().any(|first| text.starts_with(first));
    bordereau_money::means_none(text)
        || text == "0"
        || is_first(text)
        || unusual_day(text).is_some_and(|day| is_first(&day.to_string()))
}

/// Other ways in which American services write a day, the month first. A time may follow.
const UNUSUAL: [&str; 7] =
    ["%Y/%m/%d", "%m/%d/%Y", "%m-%d-%Y", "%B %d, %Y", "%B %d %Y", "%d %B %Y", "%d-%B-%Y"];

/// A time of an answer in seconds or milliseconds since 1970; some exports put the milliseconds in `/Date(...)/`.
fn epoch_instant(text: &str) -> Option<DateTime<Utc>> {
    let digits = text.strip_prefix("/Date(").and_then(|rest| rest.strip_suffix(")/")).unwrap_or(text);
    match (digits.len(), digits.parse::<u64>().ok()?.try_into().ok()?) {
        (10, seconds) => DateTime::from_timestamp_secs(seconds),
        (13, milliseconds) => DateTime::from_timestamp_millis(milliseconds),
        _ => None,
    }
}

/// When something was made, as it came; seconds since 1970 become `yyyy-mm-dd hh:mm:ss UTC`.
pub(crate) fn deserialize_created<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<String>, D::Error> {
    let text = Option::<DateText>::deserialize(deserializer)?;
    let read = |DateText(text): DateText| match epoch_instant(text.trim()) {
        Some(at) => at.format("%Y-%m-%d %H:%M:%S UTC").to_string(),
        None => text,
    };
    Ok(text.map(read))
}

/// A day as `20260223`, in one of the ways of [`UNUSUAL`], behind a weekday, or as a time since 1970.
fn unusual_day(text: &str) -> Option<NaiveDate> {
    let text = text.trim();
    // Nearly every date: none of the ways has to be tried.
    if leading_day(text).is_some() {
        return None;
    }
    if text.len() == 8 && text.bytes().all(|byte| byte.is_ascii_digit()) {
        return parse_calendar_day(&format!("{}-{}-{}", &text[..4], &text[4..6], &text[6..]));
    }
    if let Some(at) = epoch_instant(text) {
        return Some(at.date_naive());
    }
    let is_weekday = |word: &str| word.trim_end_matches(',').parse::<Weekday>().is_ok();
    let day = text.split_once(' ').filter(|(first, _)| is_weekday(first)).map_or(text, |(_, rest)| rest);
    let read = |form: &&str| {
        let (day, rest) = NaiveDate::parse_and_remainder(day, form).ok()?;
        let is_whole = rest.is_empty() || rest.starts_with([' ', ',', 'T']);
        (is_whole && (1753..=2199).contains(&day.year())).then_some(day)
    };
    UNUSUAL.iter().find_map(read)
}

/// Whether a day has the form `yyyy-mm-dd`: arithmetic may go beyond its years.
pub fn is_writable(day: &NaiveDate) -> bool {
    (1..=9999).contains(&day.year())
}

pub(crate) fn serialize<S: Serializer>(day: &NaiveDate, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(day)
}

pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<NaiveDate, D::Error> {
    let text = String::deserialize(deserializer)?;
    parse_day(&text).ok_or_else(|| {
        let found: String = text.chars().take(40).collect();
        D::Error::custom(format!("\"{found}\" is not a date; write it like 2026-02-23"))
    })
}

/// Days in order, those of at most `gap` days apart in one range, of at most `days_max` days each.
pub fn join_days(days: &[NaiveDate], gap: i64, days_max: i64) -> Vec<DateRange> {
    let mut days = days.to_vec();
    days.sort_unstable();
    let mut ranges: Vec<DateRange> = Vec::new();
    for day in days {
        match ranges.last_mut() {
            Some(range) if (day - range.to).num_days() <= gap && (day - range.from).num_days() < days_max => {
                range.to = day
            }
            _ => ranges.push(DateRange { from: day, to: day }),
        }
    }
    ranges
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn dates_of_answers_are_days_where_they_leave_no_doubt() {
        let read = |text: &str| {
            let date: serde_json::Value = text.into();
            deserialize_date(date).unwrap()
        };
        for (text, expected) in [
            ("2026-02-23", Some("2026-02-23")),
            // A time is shown as it came.
            ("2026-02-23T00:00:00.000Z", Some("2026-02-23T00:00:00.000Z")),
            ("20260223", Some("2026-02-23")),
            ("2026/2/23", Some("2026-02-23")),
            ("02/23/2026", Some("2026-02-23")),
            ("2/2/2026", Some("2026-02-02")),
            ("03/04/2026", Some("2026-03-04")),
            ("3/4/2026 2:15 PM", Some("2026-03-04")),
            ("03-04-2026", Some("2026-03-04")),
            ("Mar 4, 2026", Some("2026-03-04")),
            ("March 04, 2026", Some("2026-03-04")),
            ("Wed Mar 4 2026", Some("2026-03-04")),
            ("04-MAR-2026", Some("2026-03-04")),
            ("Wed, 04 Mar 2026 00:00:00 GMT", Some("2026-03-04")),
            ("1772582400", Some("2026-03-04")),
            ("1772582400000", Some("2026-03-04")),
            ("/Date(1772582400000)/", Some("2026-03-04")),
            // No month is the 23rd, and a year of two digits is no year.
            ("23/02/2026", Some("23/02/2026")),
            ("31/02/20", Some("31/02/20")),
            ("02/03/26", Some("02/03/26")),
            ("99999999", Some("99999999")),
            ("1772", Some("1772")),
            ("Mar 4, 2026x", Some("Mar 4, 2026x")),
            ("not filed", Some("not filed")),
            ("0000-00-00", None),
            ("0000-00-00 00:00:00", None),
            ("0001-01-01T00:00:00", None),
            ("1900-01-01", None),
            ("1/1/1900", None),
            ("Dec 30, 1899", None),
            ("1970-01-01T00:00:00Z", None),
            ("0", None),
            (" ", None),
        ] {
            assert_eq!(read(text).as_deref(), expected, "{text}");
        }
        for (date, expected) in [
            (json!([2026, 2, 23]), Some("2026-02-23")),
            (json!([2026, 2, 23, 10, 5]), Some("2026-02-23 10:05:00")),
            (
                json!({ "date": "2026-02-23 00:00:00.000000", "timezone_type": 3, "timezone": "UTC" }),
                Some("2026-02-23"),
            ),
            (json!({ "$date": "2026-02-23T00:00:00Z" }), Some("2026-02-23T00:00:00Z")),
            (json!({ "$date": 1_772_582_400_000_i64 }), Some("2026-03-04")),
            (json!(20260223), Some("2026-02-23")),
            (json!([1970, 1, 1]), None),
            // What it is stays as it came.
            (json!([23, 2, 2026]), Some("[23,2,2026]")),
            (json!([2026, 2, 30]), Some("[2026,2,30]")),
            (json!([2026, 2]), Some("[2026,2]")),
            (json!({ "day": "soon" }), Some(r#"{"day":"soon"}"#)),
        ] {
            assert_eq!(deserialize_date(date.clone()).unwrap().as_deref(), expected, "{date}");
        }
        let php = json!({ "date": "2026-03-04 10:00:05.000000", "timezone_type": 3, "timezone": "UTC" });
        assert_eq!(deserialize_created(php).unwrap().unwrap(), "2026-03-04 10:00:05.000000 UTC");
        let created = |text: &str| deserialize_created(serde_json::Value::from(text)).unwrap().unwrap();
        assert_eq!(created("1772618405"), "2026-03-04 10:00:05 UTC");
        assert_eq!(created("2026-03-04 10:00:05 EST"), "2026-03-04 10:00:05 EST");
        assert_eq!(leading_day("2026-02-23T00:00:00Z"), parse_day("2026-02-23"));
        assert_eq!(leading_day("not filed"), None);
    }

    #[test]
    fn only_the_one_form_is_a_day() {
        for text in ["0001-01-01", "1899-12-31", "2024-02-29", "2026-11-22", "9999-12-31"] {
            assert_eq!(parse_calendar_day(text).map(|day| day.to_string()).as_deref(), Some(text));
        }
        for text in [
            "",
            "2026-1-2",
            "2026-01-2",
            " 2026-01-02",
            "2026-01-02 ",
            "2026 -01-02",
            "+2026-01-02",
            "-2026-01-02",
            "12026-01-02",
            "0000-01-01",
            "2026-02-29",
            "2026-13-01",
            "2026-00-10",
            "2026-01-00",
            "20260102",
            "2026/01/02",
            "2026-01-02T00:00:00",
            "2026-+1-02",
            "２０26-01-02",
        ] {
            assert_eq!(parse_calendar_day(text), None, "{text:?}");
        }
        for (text, is_taken) in
            [("1899-12-31", false), ("1900-01-01", true), ("2199-12-31", true), ("2200-01-01", false)]
        {
            assert_eq!(parse_day(text).is_some(), is_taken, "{text}");
        }
    }
}
