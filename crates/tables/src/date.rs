//! Dates as spreadsheets and agency systems write them.

use std::ops::RangeInclusive;

use chrono::{Datelike, Days, NaiveDate};

use crate::detection::DateOrder;
use crate::table::{Cell, CellKind, trim_blanks};

/// What a date cell says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DateReading {
    /// This day.
    Day(NaiveDate),
    /// Either, depending on the order: month first, day first.
    Either(NaiveDate, NaiveDate),
    /// A spreadsheet's day number where a date was expected.
    Serial(NaiveDate),
    /// No date.
    Unreadable,
}

/// What a cell tells about the order of its column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DateOrderClue {
    /// Only the month can be first.
    MonthFirst,
    /// Only the day can be first.
    DayFirst,
    /// Both can be first.
    Either,
    /// Nothing: it is no date, or has its month in letters or its year first.
    None,
}

/// Reads a cell that is not empty.
pub fn read(cell: Cell<'_>, order: Option<DateOrder>) -> DateReading {
    let text = trim_blanks(cell.text);
    if let Some(day) = parse_iso(text.as_bytes()) {
        return DateReading::Day(day);
    }
    let Some(parts) = parse_slashed(text.as_bytes()).or_else(|| DateParts::from_text(text)) else {
        return DateReading::Unreadable;
    };
    match parts {
        DateParts::Known(year, month, day) => {
            civil_date(year, month, day).map_or(DateReading::Unreadable, DateReading::Day)
        }
        DateParts::Serial(number) => {
            let likely = cell.kind == CellKind::Number || text.len() == 5;
            serial_date(number).filter(|_| likely).map_or(DateReading::Unreadable, DateReading::Serial)
        }
        DateParts::Open(a, b, year) => open(|| civil_date(year, a, b), || civil_date(year, b, a), order),
    }
}

fn open(
    month_first: impl Fn() -> Option<NaiveDate>,
    day_first: impl Fn() -> Option<NaiveDate>,
    order: Option<DateOrder>,
) -> DateReading {
    let day = match order {
        Some(DateOrder::MonthFirst) => month_first(),
        Some(DateOrder::DayFirst) => day_first(),
        None => match (month_first(), day_first()) {
            (Some(m), Some(d)) if m != d => return DateReading::Either(m, d),
            (month_first, day_first) => month_first.or(day_first),
        },
    };
    day.map_or(DateReading::Unreadable, DateReading::Day)
}

/// The day of a text that is `yyyy-mm-dd` and nothing else.
pub fn iso_day(text: &str) -> Option<NaiveDate> {
    parse_iso(trim_blanks(text).as_bytes())
}

/// What the cell says about the order of day and month.
pub fn order_clue(text: &str) -> DateOrderClue {
    let text = trim_blanks(text);
    if parse_iso(text.as_bytes()).is_some() {
        return DateOrderClue::None;
    }
    match parse_slashed(text.as_bytes()).or_else(|| DateParts::from_text(text)) {
        Some(DateParts::Open(a, b, year)) => match (civil_date(year, a, b), civil_date(year, b, a)) {
            (Some(_), Some(_)) if a == b => DateOrderClue::None,
            (Some(_), Some(_)) => DateOrderClue::Either,
            (Some(_), None) => DateOrderClue::MonthFirst,
            (None, Some(_)) => DateOrderClue::DayFirst,
            (None, None) => DateOrderClue::None,
        },
        _ => DateOrderClue::None,
    }
}

/// The day of a spreadsheet's serial number in the 1900 epoch, from 1970 to 2119.
fn serial_date(number: u32) -> Option<NaiveDate> {
    if !(25_569..80_000).contains(&number) {
        return None;
    }
    NaiveDate::default().checked_add_days(Days::new(u64::from(number - 25_569)))
}

fn civil_date(year: u32, month: u32, day: u32) -> Option<NaiveDate> {
    // Tried for both orders of every date: most of the wrong ones end here.
    if !(1..=12).contains(&month) || !(1..=31).contains(&day) {
        return None;
    }
    NaiveDate::from_ymd_opt(i32::try_from(year).ok()?, month, day)
}

/// `yyyy-mm-dd`, alone or followed by midnight; the form most cells have.
fn parse_iso(bytes: &[u8]) -> Option<NaiveDate> {
    if bytes.len() != 10 || bytes[4] != b'-' || bytes[7] != b'-' {
        return None;
    }
    let digits = |range: std::ops::Range<usize>| {
        bytes[range].iter().try_fold(0u32, |n, b| b.is_ascii_digit().then(|| n * 10 + u32::from(b - b'0')))
    };
    civil_date(digits(0..4)?, digits(5..7)?, digits(8..10)?)
}

/// `mm/dd/yyyy` or `dd/mm/yyyy` in ten characters: the form most cells have.
fn parse_slashed(bytes: &[u8]) -> Option<DateParts> {
    let [a, b, b'/', c, d, b'/', e, f, g, h] = *bytes else { return None };
    let [month, day, century, year] = digit_pairs([a, b, c, d, e, f, g, h])?;
    Some(DateParts::Open(month, day, century * 100 + year))
}

/// The numbers of two digits each. All eight bytes are looked at and put together at once, in one word: a large file
/// has hundreds of thousands of dates.
fn digit_pairs(digits: [u8; 8]) -> Option<[u32; 4]> {
    const ONES: u64 = 0x0101_0101_0101_0101;
    // A digit leaves its value; anything else a byte that 0x76 takes beyond 0x7F, or that is there already.
    let values = u64::from_le_bytes(digits) ^ (ONES * 0x30);
    if (values.wrapping_add(ONES * 0x76) | values) & (ONES * 0x80) != 0 {
        return None;
    }
    let [a, _, b, _, c, _, d, _] = (values * 10 + (values >> 8)).to_le_bytes();
    Some([a, b, c, d].map(u32::from))
}

/// What eight digits in a row begin with where it is a year.
const YEARS: RangeInclusive<u32> = 1900..=2199;

enum DateParts {
    Known(u32, u32, u32),
    /// First, second, year: which is the month is open.
    Open(u32, u32, u32),
    Serial(u32),
}

#[derive(Clone, Copy)]
enum DateToken {
    Number(u32, usize),
    Month(u32),
}

impl DateParts {
    fn from_text(text: &str) -> Option<DateParts> {
        if text.is_empty() || text.len() > 40 {
            return None;
        }
        let mut tokens = [DateToken::Month(0); 3];
        let count = tokenize_date(without_time(text), &mut tokens)?;
        match (tokens[0], tokens[1], tokens[2], count) {
            // `01152026`: what it begins with is no year.
            (DateToken::Number(n, 8), _, _, 1) if !YEARS.contains(&(n / 10_000)) => {
                Some(DateParts::Open(n / 1_000_000, n / 10_000 % 100, n % 10_000))
            }
            (DateToken::Number(n, 8), _, _, 1) => Some(DateParts::Known(n / 10_000, n / 100 % 100, n % 100)),
            (DateToken::Number(n, 5), _, _, 1) => Some(DateParts::Serial(n)),
            (DateToken::Number(y, 4), DateToken::Number(m, 1 | 2), DateToken::Number(d, 1 | 2), 3)
            | (DateToken::Number(y, 4), DateToken::Month(m), DateToken::Number(d, 1 | 2), 3) => {
                Some(DateParts::Known(y, m, d))
            }
            (DateToken::Month(m), DateToken::Number(d, 1 | 2), DateToken::Number(y, n @ (2 | 4)), 3)
            | (DateToken::Number(d, 1 | 2), DateToken::Month(m), DateToken::Number(y, n @ (2 | 4)), 3) => {
                Some(DateParts::Known(full_year(y, n), m, d))
            }
            (
                DateToken::Number(a, 1 | 2),
                DateToken::Number(b, 1 | 2),
                DateToken::Number(y, n @ (2 | 4)),
                3,
            ) => Some(DateParts::Open(a, b, full_year(y, n))),
            _ => None,
        }
    }
}

/// Two digits are 1970 to 2069, as spreadsheets nearly do.
fn full_year(year: u32, digits: usize) -> u32 {
    match digits {
        2 if year < 70 => 2000 + year,
        2 => 1900 + year,
        _ => year,
    }
}

fn tokenize_date(text: &str, tokens: &mut [DateToken; 3]) -> Option<usize> {
    let mut count = 0;
    for part in text.split(['/', '-', '.', ',', ' ', '\u{a0}']) {
        let mut rest = part;
        while !rest.is_empty() {
            // `01MAR2026` has no separators.
            let run;
            (run, rest) = split_run(rest);
            let token = if run.bytes().all(|b| b.is_ascii_digit()) {
                // `1st`
                let ordinals = ["st", "nd", "rd", "th"];
                rest = if ordinals.contains(&rest.to_ascii_lowercase().as_str()) { "" } else { rest };
                DateToken::Number(run.parse().ok()?, run.len())
            } else if let Some(month) = parse_month(run) {
                DateToken::Month(month)
            } else if count == 0 && is_weekday(run) {
                continue;
            } else {
                return None;
            };
            *tokens.get_mut(count)? = token;
            count += 1;
        }
    }
    Some(count)
}

/// The digits that a text begins with, or what it has before digits; and the rest.
fn split_run(text: &str) -> (&str, &str) {
    let is_digit = |c: char| c.is_ascii_digit();
    let is_number = text.starts_with(is_digit);
    text.split_at(text.find(|c| is_digit(c) != is_number).unwrap_or(text.len()))
}

/// `2026-02-23T00:00:00Z`, `2/23/2026 12:00:00 AM`: the time of day says nothing here.
fn without_time(text: &str) -> &str {
    let Some(colon) = text.find(':') else { return text };
    let head = &text[..colon];
    head.rfind([' ', 'T', '\u{a0}']).map_or(text, |at| text[..at].trim_end())
}

fn parse_month(part: &str) -> Option<u32> {
    const NAMES: [&str; 12] = [
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
    ];
    if part.len() < 3 || !part.is_ascii() {
        return None;
    }
    let part = part.to_ascii_lowercase();
    let at =
        NAMES.iter().position(|name| name.starts_with(&part) || (part == "sept" && *name == "september"))?;
    u32::try_from(at + 1).ok()
}

fn is_weekday(part: &str) -> bool {
    const NAMES: [&str; 7] = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
    let part = part.to_ascii_lowercase();
    part.len() >= 2 && NAMES.iter().any(|name| name.starts_with(&part))
}

/// The years a date of this trade may have; outside of them it is a typing mistake.
pub fn is_likely(day: NaiveDate) -> bool {
    (1990..=2099).contains(&day.year())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Cell, CellKind, DateOrder, DateReading, digit_pairs, read};

    /// The window reads the same cases (`ui/src/values/date.test.ts`).
    #[test]
    fn dates_as_people_type_them() {
        let cases: Vec<(String, Option<String>)> =
            serde_json::from_str(include_str!("../tests/typed_dates.json")).expect("the cases are JSON");
        for (text, expected) in cases {
            let found = match read(Cell { text: &text, kind: CellKind::Text }, Some(DateOrder::MonthFirst)) {
                DateReading::Day(day) => Some(day.to_string()),
                _ => None,
            };
            assert_eq!(found, expected, "{text}");
        }
    }

    /// Files have forms that nobody types.
    #[test]
    fn dates_as_systems_write_them() {
        for (text, expected) in [
            ("01MAR2026", Some("2026-03-01")),
            ("1mar26", Some("2026-03-01")),
            ("2026MAR01", Some("2026-03-01")),
            ("March 1st, 2026", Some("2026-03-01")),
            ("22ND March 2026", Some("2026-03-22")),
            ("Sun, 01-Mar-2026", Some("2026-03-01")),
            ("MAR2026", None),
            ("1Q2026", None),
            ("1th2 2026", None),
            ("31FEB2026", None),
            ("01MAR2026X", None),
        ] {
            let found = match read(Cell { text, kind: CellKind::Text }, None) {
                DateReading::Day(day) => Some(day.to_string()),
                _ => None,
            };
            assert_eq!(found.as_deref(), expected, "{text}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn eight_digits_at_once_are_four_numbers(bytes in prop::array::uniform8(prop_oneof![9 => b'0'..=b'9', 1 => any::<u8>()])) {
            let number = |two: &[u8]| {
                two.iter().all(u8::is_ascii_digit).then(|| u32::from(two[0] - b'0') * 10 + u32::from(two[1] - b'0'))
            };
            let one_by_one: Option<Vec<u32>> = bytes.chunks(2).map(number).collect();
            prop_assert_eq!(digit_pairs(bytes).map(Vec::from), one_by_one);
        }
    }
}
