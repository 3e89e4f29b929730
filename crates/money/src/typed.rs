//! Amounts as people type and read them.

use crate::amount::{AmountError, Usd, excerpt};

/// See [`Usd::parse_typed`].
pub(crate) fn parse(text: &str) -> Result<Usd, AmountError> {
    let not_an_amount = || AmountError::NotAnAmount(excerpt(text.trim()));
    let mut rest = text.trim_matches(|c: char| c.is_whitespace() || c == '\u{a0}' || c == '\u{202f}');
    if rest.is_empty() {
        return Err(AmountError::Empty);
    }
    if rest.len() > 60 {
        return Err(not_an_amount());
    }
    let mut negative = false;
    if let Some(inner) = rest.strip_prefix('(').and_then(|r| r.strip_suffix(')')) {
        negative = true;
        rest = inner.trim();
    } else if let Some(inner) = strip_minus(rest) {
        negative = true;
        rest = inner.trim_start();
    }
    rest = rest.strip_prefix('$').map_or(rest, str::trim_start);
    rest = strip_usd(rest);
    // "$-42.10" is how some exports write a credit.
    if !negative && let Some(inner) = strip_minus(rest) {
        negative = true;
        rest = inner;
    }
    let (whole, cents) = rest.split_once('.').map_or((rest, None), |(w, c)| (w, Some(c)));
    let whole = ungroup(whole).ok_or_else(not_an_amount)?;
    let cents = cents.unwrap_or("");
    if !cents.bytes().all(|b| b.is_ascii_digit()) || (whole.is_empty() && cents.is_empty()) {
        return Err(not_an_amount());
    }
    if cents.trim_end_matches('0').len() > 2 {
        return Err(AmountError::TooPrecise(excerpt(text.trim())));
    }
    let cents: String = cents.chars().chain("00".chars()).take(2).collect();
    let whole = if whole.is_empty() { "0" } else { &whole };
    let amount = Usd::parse(&format!("{whole}.{cents}"))?;
    Ok(if negative { amount.negated() } else { amount })
}

fn strip_minus(text: &str) -> Option<&str> {
    text.strip_prefix('-').or_else(|| text.strip_prefix('\u{2212}'))
}

fn strip_usd(text: &str) -> &str {
    let tail = text.len().checked_sub(3).filter(|at| text.is_char_boundary(*at));
    match tail {
        Some(at) if text[at..].eq_ignore_ascii_case("usd") => text[..at].trim_end(),
        _ => text,
    }
}

/// Digits with the thousands separators taken out; `None` when a separator stands elsewhere.
fn ungroup(whole: &str) -> Option<String> {
    if !whole.bytes().all(|b| b.is_ascii_digit() || b == b',') {
        return None;
    }
    let mut groups = whole.split(',');
    let first = groups.next().unwrap_or_default();
    if whole.contains(',')
        && (first.is_empty() || first.len() > 3 || whole.split(',').skip(1).any(|g| g.len() != 3))
    {
        return None;
    }
    Some(whole.replace(',', ""))
}

/// Puts thousands separators into the canonical text of an amount.
pub(crate) fn group(canonical: &str) -> String {
    let (sign, digits) = canonical.strip_prefix('-').map_or(("", canonical), |d| ("-", d));
    let (whole, cents) = digits.split_once('.').unwrap_or((digits, "00"));
    let mut grouped = String::with_capacity(whole.len() + whole.len() / 3);
    for (at, digit) in whole.chars().enumerate() {
        if at > 0 && (whole.len() - at) % 3 == 0 {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    format!("{sign}{grouped}.{cents}")
}
