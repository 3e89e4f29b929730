//! Amounts as people type and read them.

use crate::amount::{AmountError, Usd, message_excerpt};

/// See [`Usd::parse_typed`].
pub(crate) fn parse(text: &str) -> Result<Usd, AmountError> {
    let not_an_amount = || AmountError::NotAnAmount(message_excerpt(text.trim()));
    if text.trim().is_empty() {
        return Err(AmountError::Empty);
    }
    let (negative, rest) = strip_sign(text).ok_or_else(not_an_amount)?;
    let (whole, cents) = rest.split_once('.').map_or((rest, None), |(w, c)| (w, Some(c)));
    let whole = strip_separators(whole).ok_or_else(not_an_amount)?;
    let cents = cents.unwrap_or("");
    if !cents.bytes().all(|b| b.is_ascii_digit()) || (whole.is_empty() && cents.is_empty()) {
        return Err(not_an_amount());
    }
    if cents.trim_end_matches('0').len() > 2 {
        return Err(AmountError::TooPrecise(message_excerpt(text.trim())));
    }
    let cents: String = cents.chars().chain("00".chars()).take(2).collect();
    let whole = if whole.is_empty() { "0" } else { &whole };
    let amount = Usd::parse(&format!("{whole}.{cents}"))?;
    Ok(if negative { amount.negated() } else { amount })
}

/// Takes blanks, one sign and the currency away from an amount as people write it: whether it is below zero, and its
/// digits with their marks. `None` where nothing is left, where two signs stand, or where it is far too long.
///
/// The same: `-$42.10`, `$-42.10`, `42.10-`, `(42.10)`, `$ (42.10)`; `$42`, `US$ 42`, `USD 42`, `42 USD`, `+42`, `42 DR`. A sign
/// behind the digits and brackets are how accounting systems write a credit.
#[must_use]
pub fn strip_sign(text: &str) -> Option<(bool, &str)> {
    let mut rest = text.trim();
    if rest.len() > 60 {
        return None;
    }
    let (mut sign, mut has_currency) = (None, false);
    // Sign and currency stand in any order.
    for _ in 0..2 {
        let bare = without_currency(rest);
        if !has_currency && bare.len() < rest.len() {
            (rest, has_currency) = (bare, true);
        }
        if let Some((is_negative, inner)) = without_sign(rest) {
            if sign.is_some() {
                return None;
            }
            (rest, sign) = (inner.trim(), Some(is_negative));
        }
    }
    (!rest.is_empty()).then_some((sign.unwrap_or_default(), rest))
}

/// Whether a sign says that an amount is below zero, and the amount without it.
fn without_sign(text: &str) -> Option<(bool, &str)> {
    const MINUS: [char; 2] = ['-', '\u{2212}'];
    let brackets = || text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
    // Accounting systems print `500.00CR` for a credit, and `500.00DR` for a debit.
    let ends_with = |letters: &str| {
        let (rest, end) = text.split_at_checked(text.len().checked_sub(2)?)?;
        end.eq_ignore_ascii_case(letters).then(|| rest.trim_end())
    };
    let minus = text.strip_prefix(MINUS).or_else(|| text.strip_suffix(MINUS)).or_else(brackets);
    let plus = || text.strip_prefix('+').or_else(|| text.strip_suffix('+')).or_else(|| ends_with("dr"));
    let negative = minus.or_else(|| ends_with("cr")).map(|rest| (true, rest));
    negative.or_else(|| plus().map(|rest| (false, rest)))
}

/// Without a dollar sign, and without the currency's letters at one end.
fn without_currency(text: &str) -> &str {
    let is = |part: Option<&str>, letters: &str| part.is_some_and(|p| p.eq_ignore_ascii_case(letters));
    let text = if is(text.get(..3), "us$") { text.get(2..).unwrap_or(text) } else { text };
    if is(text.get(..3), "usd") {
        let rest = text.get(3..).unwrap_or_default().trim_start();
        return rest.strip_prefix('$').map_or(rest, str::trim_start);
    }
    let behind = text.strip_prefix('$').map(str::trim_start);
    let text = behind.unwrap_or(text);
    let tail = text.len().checked_sub(3).and_then(|at| text.split_at_checked(at));
    match tail {
        Some((rest, tail)) if is(Some(tail), "usd") => rest.trim_end(),
        _ if behind.is_none() => text.strip_suffix('$').map_or(text, str::trim_end),
        _ => text,
    }
}

/// Digits without the thousands separators; `None` when a separator is elsewhere.
fn strip_separators(whole: &str) -> Option<String> {
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
pub(crate) fn add_separators(canonical: &str) -> String {
    let (sign, digits) = canonical.strip_prefix('-').map_or(("", canonical), |d| ("-", d));
    let (whole, cents) = digits.split_once('.').unwrap_or((digits, "00"));
    format!("{sign}{}.{cents}", group_digits(whole))
}

/// Puts thousands separators into a number without sign and decimals: `1207` is `1,207`.
#[must_use]
pub fn group_digits(digits: &str) -> String {
    let mut grouped = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}
