//! How values are written for people: one function for each kind. The wire, `--json` and files keep the forms of
//! [`crate::parse_day`] and [`crate::format_instant`].

use bordereau_money::{Rate, Usd};
use chrono::{DateTime, NaiveDate, TimeZone};

use crate::parse_calendar_day;

/// A sentence without the numbers that the standard library puts behind what the system says: `No such file or
/// directory (os error 2)`.
pub fn without_error_numbers(text: impl Into<String>) -> String {
    const BEFORE: &str = " (os error ";
    let mut text = text.into();
    while let Some(start) = text.find(BEFORE) {
        let Some(length) = text[start..].find(')') else { break };
        text.replace_range(start..=start + length, "");
    }
    text
}

/// `Feb 23, 2026`: a day in a sentence.
pub fn format_long_day(day: NaiveDate) -> String {
    day.format("%b %-d, %Y").to_string()
}

/// `02/23/2026`: a day in a column.
pub fn format_day(day: NaiveDate) -> String {
    day.format("%m/%d/%Y").to_string()
}

/// `02/23/2026` of a text that is a day of the wire; any other text stays as it is.
pub fn format_short_day(text: &str) -> String {
    parse_calendar_day(text).map_or_else(|| text.to_owned(), format_day)
}

/// `Feb 23, 2026` of a text that is a day of the wire or begins with one; any other text stays as it is.
pub fn format_day_text(text: &str) -> String {
    let day = match text.split_once(['T', ' ']) {
        Some((day, _)) => day,
        None => text,
    };
    parse_calendar_day(day).map_or_else(|| text.to_owned(), format_long_day)
}

/// `Feb 23, 2026, 3:08 PM` in the zone of the instant.
pub fn format_timestamp<Z: TimeZone>(at: &DateTime<Z>) -> String {
    let local = at.naive_local();
    format!("{}, {}", format_long_day(local.date()), local.format("%-I:%M %p"))
}

/// `Nov 21, 2026, 10:15 PM UTC`, from milliseconds since 1970: where there is no time zone.
pub fn utc_clock(ms: i64) -> String {
    DateTime::from_timestamp_millis(ms).map(|at| format!("{} UTC", format_timestamp(&at))).unwrap_or_default()
}

/// Whether a character is not seen and changes the direction of the text around it: it makes `exe.pdf` out of
/// `fdp.exe` on a screen, and a number copied from a web page often brings one along.
pub const fn changes_text_direction(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// `0a1f`: bytes as hexadecimal digits in lower case, a digest say.
pub fn hex_text<'b>(bytes: impl IntoIterator<Item = &'b u8>) -> String {
    bytes.into_iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Characters of what was typed that a sentence shows.
pub const FOUND_CHARS: usize = 40;

/// The beginning of a text as it is shown in a sentence: on one line, without blanks around it, and with `…` where it
/// goes on.
pub fn shorten_text(text: &str, chars_max: usize) -> String {
    let mut chars = text.trim().chars();
    let mut shown: String =
        chars.by_ref().take(chars_max).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if chars.next().is_some() {
        shown.push('…');
    }
    shown
}

/// Whether every typed word is in one of the texts, in capitals or not; nothing typed is in all.
pub fn contains_words(texts: &[&str], typed: &str) -> bool {
    let texts = texts.join(" ").to_lowercase();
    typed.to_lowercase().split_whitespace().all(|word| texts.contains(word))
}

/// `1,207`.
pub fn format_count(count: impl TryInto<u64>) -> String {
    let digits = count.try_into().unwrap_or(u64::MAX).to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `1 row`, `2,140 rows`.
pub fn pluralize(count: impl TryInto<u64>, noun: &str) -> String {
    pluralize_as(count, noun, &format!("{noun}s"))
}

/// The same where the plural is another word: `2 entries`.
pub fn pluralize_as(count: impl TryInto<u64>, one: &str, many: &str) -> String {
    let count = count.try_into().unwrap_or(u64::MAX);
    format!("{} {}", format_count(count), if count == 1 { one } else { many })
}

/// `$10,563.91`: an amount with its sign. Below zero the sign is in front: `-$42.10`.
pub fn format_money(amount: Usd) -> String {
    let sign = if amount.is_negative() { "-" } else { "" };
    format!("{sign}${}", amount.abs().to_grouped())
}

/// The same of an amount of the wire; any other text stays as it is.
pub fn format_money_text(amount: &str) -> String {
    Usd::parse(amount).map_or_else(|_| amount.to_owned(), format_money)
}

/// `4.85%`.
pub fn format_percent(rate: Rate) -> String {
    format!("{}%", rate.to_percent())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse_instant;

    #[test]
    fn what_the_system_says_has_no_numbers() {
        let missing = std::io::Error::from_raw_os_error(2).to_string();
        let text = without_error_numbers(format!("a.csv: {missing}; b.csv: {missing}."));
        assert!(missing.contains("(os error 2)") && !text.contains("os error"), "{text}");
        assert!(text.ends_with('.') && !text.contains(" ;") && !text.contains(" ."), "{text}");
        assert_eq!(without_error_numbers("cut (os error "), "cut (os error ");
    }

    #[test]
    fn a_text_that_is_cut_says_so() {
        for (text, shown) in
            [("  Acme ", "Acme"), ("A\nB", "A B"), ("été 2026", "été 2026"), ("été 2026.", "été 2026…")]
        {
            assert_eq!(shorten_text(text, 8), shown);
        }
        assert_eq!(hex_text(&[0, 10, 255]), "000aff");
        let turning = ['\u{61c}', '\u{200e}', '\u{200f}', '\u{202a}', '\u{202e}', '\u{2066}', '\u{2069}'];
        assert!(turning.into_iter().all(changes_text_direction));
        assert!(!"aé\u{5e9}\u{200b}\u{2028}\n".chars().any(changes_text_direction));
    }

    #[test]
    fn values_are_written_as_an_office_reads_them() -> Result<(), Box<dyn std::error::Error>> {
        let day = NaiveDate::from_ymd_opt(2026, 2, 3).ok_or("a day")?;
        assert_eq!((format_day(day).as_str(), format_long_day(day).as_str()), ("02/03/2026", "Feb 3, 2026"));
        for (text, shown) in [
            ("2026-02-23", "Feb 23, 2026"),
            ("2026-02-23 00:00:00", "Feb 23, 2026"),
            ("2026-02-23T22:15:00Z", "Feb 23, 2026"),
            ("31/02/20", "31/02/20"),
            ("", ""),
        ] {
            assert_eq!(format_day_text(text), shown, "{text}");
        }
        let east = chrono::FixedOffset::west_opt(5 * 3600).ok_or("a zone")?;
        for (text, shown) in [
            ("2026-11-23T03:08:07Z", "Nov 22, 2026, 10:08 PM"),
            ("2026-11-22T17:00:00Z", "Nov 22, 2026, 12:00 PM"),
            ("2026-11-22T05:04:59.5Z", "Nov 22, 2026, 12:04 AM"),
        ] {
            let at = parse_instant(text).ok_or("an instant")?;
            assert_eq!(format_timestamp(&at.with_timezone(&east)), shown);
        }
        for (count, shown) in [(0_u64, "0 rows"), (1, "1 row"), (2, "2 rows"), (2_140_000, "2,140,000 rows")]
        {
            assert_eq!(pluralize(count, "row"), shown);
        }
        assert_eq!(pluralize_as(2_usize, "entry", "entries"), "2 entries");
        for (amount, shown) in [("10563.91", "$10,563.91"), ("-42.1", "-$42.10"), ("0", "$0.00")] {
            assert_eq!(format_money(Usd::parse(amount)?), shown);
        }
        assert_eq!(format_percent(Rate::parse("0.0485")?), "4.85%");
        Ok(())
    }
}
