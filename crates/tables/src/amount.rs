//! Amounts and percents as spreadsheets write them, into whole units; never through a float.

use crate::detection::DecimalMark;
use crate::table::{Cell, CellKind};

/// The largest amount accepted, in cents: 999,999,999,999.99 USD.
const CENTS_MAX: i64 = 99_999_999_999_999;

/// Why a text is not an amount. It is never taken for zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AmountFault {
    /// No amount.
    Unreadable,
    /// More decimals than the unit has; with the value rounded half away from zero.
    TooPrecise(i64),
    /// Beyond the largest amount.
    TooLarge,
}

/// Cents of an amount cell (USD). The text is not empty.
///
/// # Errors
/// Why it is no amount.
#[inline]
pub fn parse_cents(cell: Cell<'_>, mark: DecimalMark) -> Result<i64, AmountFault> {
    if let Some(plain) = plain_cents(cell.text.as_bytes(), mark) {
        return Ok(plain);
    }
    let value = match parse_scaled(cell, mark, 2) {
        // A formula's 93.26000000000001 is what floats do to 93.26; the spreadsheet shows 93.26.
        Err(AmountFault::TooPrecise(rounded)) if cell.kind == CellKind::Number && is_noise(cell.text) => {
            rounded
        }
        other => other?,
    };
    if value.abs() > CENTS_MAX { Err(AmountFault::TooLarge) } else { Ok(value) }
}

/// Whether a text has dashes, and nothing else but the currency's sign, as accounting formats write nothing.
pub fn is_dash(text: &str) -> bool {
    text.contains(['-', '–', '—']) && text.chars().all(|c| c.is_whitespace() || "-–—$".contains(c))
}

/// Cents of a limit as the trade cuts it: `500K`, `1.5M`, `$5MM`, `2 million`; of `1M/2M`, the limit of each occurrence
/// before that of all of them, the first. `None` where it is none of these.
pub fn limit_cents(text: &str, mark: DecimalMark) -> Option<i64> {
    let mut parts = text.split('/').map(|part| {
        let part = part.trim();
        let end = part.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
        let factor = match part.get(end.len()..)?.to_ascii_lowercase().as_str() {
            "" => 1,
            "k" => 1_000,
            "m" | "mm" | "mil" | "mill" | "mio" | "million" => 1_000_000,
            _ => return None,
        };
        let cents = parse_cents(Cell { text: end, kind: CellKind::Text }, mark).ok()?;
        cents.checked_mul(factor).filter(|cents| (1..=CENTS_MAX).contains(cents))
    });
    let first = parts.next()??;
    parts.all(|part| part.is_some()).then_some(first)
}

/// Whether a text says of the amount beside it that it is a credit, or that it is a debit; `None` where it says neither.
pub fn credit_word(text: &str) -> Option<bool> {
    match text.trim().trim_end_matches('.').to_ascii_lowercase().as_str() {
        "c" | "cr" | "credit" => Some(true),
        "d" | "db" | "dr" | "debit" => Some(false),
        _ => None,
    }
}

/// Millionths of a percent of a share cell: `60`, `60%`, `33.3333`.
///
/// # Errors
/// Why it is no percent.
pub fn percent_millionths(cell: Cell<'_>, mark: DecimalMark) -> Result<i64, AmountFault> {
    match parse_percent(cell, mark) {
        Err(AmountFault::TooPrecise(rounded)) => Ok(rounded),
        other => other,
    }
}

/// Millionths of a percent of a rate cell, 0 to 100 percent: `6`, `6%`, `6.25%`. Nothing is rounded. Below 1 the
/// sign has to be there: 0.06 is also what a spreadsheet keeps of 6%.
pub fn rate_millionths(cell: Cell<'_>, mark: DecimalMark) -> Option<u32> {
    let rate = parse_percent(cell, mark).ok().and_then(|millionths| u32::try_from(millionths).ok())?;
    let is_clear = rate == 0 || rate >= 1_000_000 || cell.text.trim().ends_with('%');
    (is_clear && rate <= 100_000_000).then_some(rate)
}

fn parse_percent(cell: Cell<'_>, mark: DecimalMark) -> Result<i64, AmountFault> {
    let text = cell.text.trim().trim_end_matches('%').trim_end();
    parse_scaled(Cell { text, ..cell }, mark, 6)
}

/// The usual form, `1250` or `1250.5` or `-1250.50`, without looking for anything else.
fn plain_cents(bytes: &[u8], mark: DecimalMark) -> Option<i64> {
    let (negative, digits) = match bytes.split_first()? {
        (b'-', rest) => (true, rest),
        _ => (false, bytes),
    };
    if digits.is_empty() || digits.len() > 15 {
        return None;
    }
    let point = if mark == DecimalMark::Point { b'.' } else { b',' };
    // The place behind the mark; 0 without one.
    let (mut number, mut mark_at) = (0i64, 0);
    for (at, byte) in (1..).zip(digits) {
        let digit = byte.wrapping_sub(b'0');
        if digit <= 9 {
            number = number * 10 + i64::from(digit);
        } else if *byte == point && mark_at == 0 {
            mark_at = at;
        } else {
            return None;
        }
    }
    let value = match (mark_at, digits.len() - mark_at) {
        (0, _) => number * 100,
        (_, 1) => number * 10,
        (_, 2) => number,
        _ => return None,
    };
    (value <= CENTS_MAX).then_some(if negative { -value } else { value })
}

fn parse_scaled(cell: Cell<'_>, mark: DecimalMark, places: u32) -> Result<i64, AmountFault> {
    let mark = if cell.kind == CellKind::Number { DecimalMark::Point } else { mark };
    let (negative, body) = bordereau_money::strip_sign(cell.text).ok_or(AmountFault::Unreadable)?;
    let point = if mark == DecimalMark::Point { '.' } else { ',' };
    let (whole, decimals) = match body.split_once(point) {
        Some((whole, decimals)) => (whole, decimals),
        None => (body, ""),
    };
    let whole = strip_separators(whole, mark).ok_or(AmountFault::Unreadable)?;
    if !decimals.bytes().all(|b| b.is_ascii_digit()) || (whole.is_empty() && decimals.is_empty()) {
        return Err(AmountFault::Unreadable);
    }
    let value = assemble_number(&whole, decimals, places)?;
    let sign = if negative { -1 } else { 1 };
    match value {
        (value, true) => Ok(value * sign),
        (value, false) => Err(AmountFault::TooPrecise(value * sign)),
    }
}

/// The number in units of ten to the minus `places`, and whether nothing was cut off.
fn assemble_number(whole: &str, decimals: &str, places: u32) -> Result<(i64, bool), AmountFault> {
    let mut value = 0i64;
    let step = |value: i64, digit: u8| {
        value
            .checked_mul(10)
            .and_then(|v| v.checked_add(i64::from(digit - b'0')))
            .ok_or(AmountFault::TooLarge)
    };
    for digit in whole.bytes() {
        value = step(value, digit)?;
    }
    let kept = places as usize;
    for digit in decimals.bytes().chain(std::iter::repeat_n(b'0', kept)).take(kept) {
        value = step(value, digit)?;
    }
    let rest = decimals.get(kept..).unwrap_or_default().trim_end_matches('0');
    if rest.is_empty() {
        return Ok((value, true));
    }
    if rest.as_bytes()[0] >= b'5' {
        value = value.checked_add(1).ok_or(AmountFault::TooLarge)?;
    }
    Ok((value, false))
}

/// Digits without thousands separators; `None` when a separator is elsewhere than at thousands.
fn strip_separators(whole: &str, mark: DecimalMark) -> Option<String> {
    let usual = if mark == DecimalMark::Point { ',' } else { '.' };
    let is_separator = |c: char| c == usual || matches!(c, ' ' | '\u{a0}' | '\u{202f}' | '\'' | '\u{2019}');
    let mut groups = whole.split(is_separator);
    let first = groups.next().unwrap_or_default();
    let mut digits = String::with_capacity(whole.len());
    let all_digits = |part: &str| part.bytes().all(|b| b.is_ascii_digit());
    let mut grouped = false;
    if !all_digits(first) {
        return None;
    }
    digits.push_str(first);
    for group in groups {
        grouped = true;
        if group.len() != 3 || !all_digits(group) {
            return None;
        }
        digits.push_str(group);
    }
    (!grouped || (1..=3).contains(&first.len())).then_some(digits)
}

/// Whether what follows the cents is only what a float's last bits leave: zeros or nines, then a little.
fn is_noise(text: &str) -> bool {
    let rest = text.split_once('.').map_or("", |(_, decimals)| decimals.get(2..).unwrap_or_default());
    rest.len() >= 5 && (rest.starts_with("00000") || rest.starts_with("99999"))
}

/// Cents as a person writes them: `1250.50`.
pub fn cents_text(cents: impl Into<i128>) -> String {
    let cents: i128 = cents.into();
    let (sign, size) = (if cents < 0 { "-" } else { "" }, cents.unsigned_abs());
    format!("{sign}{}.{:02}", size / 100, size % 100)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{limit_cents, parse_scaled, plain_cents};
    use crate::detection::DecimalMark;
    use crate::table::{Cell, CellKind};

    #[test]
    fn limits_are_written_out() {
        let cases = [
            ("1M/2M", Some(1_000_000)),
            ("$1,000,000/$2,000,000", Some(1_000_000)),
            ("$5MM", Some(5_000_000)),
            ("1.5 m", Some(1_500_000)),
            ("500K", Some(500_000)),
            ("2 million", Some(2_000_000)),
            ("1M/none", None),
            ("5%", None),
            ("1B", None),
            ("M", None),
            ("-1M", None),
            ("0K", None),
            ("1M per occurrence", None),
            ("999999999M", None),
        ];
        for (text, dollars) in cases {
            assert_eq!(limit_cents(text, DecimalMark::Point), dollars.map(|it| it * 100), "{text}");
        }
    }

    proptest! {
        #[test]
        fn the_short_way_reads_what_the_long_way_reads(text in "-?[0-9]{0,4}[.,]?[0-9]{0,3}[.,0-9-]?", comma in any::<bool>()) {
            let mark = if comma { DecimalMark::Comma } else { DecimalMark::Point };
            if let Some(cents) = plain_cents(text.as_bytes(), mark) {
                prop_assert_eq!(parse_scaled(Cell { text: &text, kind: CellKind::Text }, mark, 2), Ok(cents));
            }
        }
    }
}
