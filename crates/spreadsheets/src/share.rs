//! Several entries in one cell: `GEN-1010 | GEN-2000`, `60 | 40`, `AA-1120337 60% | 10899 40%`.

use bordereau_tables::amount::{self, AmountFault};
use bordereau_tables::{Cell, CellKind, DecimalMark, trim_blanks};

/// One entry of a list cell with the share written behind it, where there is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ShareEntry<'a> {
    pub item: &'a str,
    pub share: Option<&'a str>,
}

/// Entries of a cell: separated by a vertical bar (contract, section 2), a semicolon or a line break, or by a slash or
/// a comma behind a percentage, as in `Lloyds 60% / 19437 40%` \[ours].
pub(crate) fn split_entries(text: &str) -> impl Iterator<Item = &str> {
    split_separated(text).map(trim_blanks).filter(|part| !part.is_empty())
}

/// Every separator is one byte, so a split is never inside a character.
fn split_separated(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest?;
        let bytes = text.as_bytes();
        let is_separator = |(at, byte): (usize, &u8)| match byte {
            b'|' | b';' | b'\n' => true,
            b'/' | b',' => text[..at].trim_end().trim_end_matches(')').ends_with('%'),
            _ => false,
        };
        let at = bytes.iter().enumerate().position(is_separator);
        let (part, after) = match at {
            Some(at) => (&text[..at], Some(&text[at + 1..])),
            None => (text, None),
        };
        rest = after;
        Some(part)
    })
}

/// Shares of a cell. An empty place between two bars counts: it is a share that is missing.
pub(crate) fn split_shares(text: &str) -> impl Iterator<Item = &str> {
    let text = trim_blanks(text);
    split_separated(text).map(trim_blanks).filter(move |part| !part.is_empty() || !text.is_empty())
}

/// Takes a share behind an item off: `ABC 60%`, `ABC (60%)`, `ABC - 60%`, `ABC: 60`, `GEN-1002=9521`.
pub(crate) fn split_entry(part: &str) -> ShareEntry<'_> {
    let whole = ShareEntry { item: part, share: None };
    if !part.bytes().any(|b| matches!(b, b'=' | b':' | b'%')) {
        return whole;
    }
    // `NAIC: 19437` is a number.
    let is_share = |(item, _): &(&str, &str)| !item.trim_end().to_ascii_uppercase().ends_with("NAIC");
    if let Some((item, share)) = part.rsplit_once(['=', ':']).filter(is_share) {
        let is_number = share.trim().trim_start_matches('$').starts_with(|c: char| c.is_ascii_digit());
        return if is_number { ShareEntry { item: item.trim(), share: Some(share.trim()) } } else { whole };
    }
    let inner = part.strip_suffix(')').unwrap_or(part);
    let Some(number) = inner.strip_suffix('%') else { return whole };
    let digits = number.trim_end();
    let start = digits
        .rfind(|c: char| !(c.is_ascii_digit() || c == '.' || c == ','))
        .map_or(0, |at| at + digits[at..].chars().next().map_or(1, char::len_utf8));
    if start == 0 || start == digits.len() {
        return whole;
    }
    let item = digits[..start].trim_end_matches([' ', '(', '-', '@']);
    ShareEntry { item, share: Some(&inner[start..]) }
}

/// A share in cents for a line of business, in millionths of a percent otherwise.
pub(crate) fn parse_share(
    text: &str,
    kind: CellKind,
    mark: DecimalMark,
    premium: bool,
) -> Result<i64, AmountFault> {
    let cell = Cell { text, kind };
    if premium { amount::parse_cents(cell, mark) } else { amount::percent_millionths(cell, mark) }
}

/// 100 percent in millionths of a percent.
pub(crate) const WHOLE: i64 = 100_000_000;
/// 1, for shares written as fractions of one.
pub(crate) const ONE: i64 = 1_000_000;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_and_their_shares_are_read_as_people_write_them() {
        let cases: [(&str, &[&str]); 9] = [
            ("AA-1120337 | 10899", &["AA-1120337", "10899"]),
            ("19437 60% / 10172 40%", &["19437 has 60%", "10172 has 40%"]),
            ("19437 - 60%, 10172 - 40%", &["19437 has 60%", "10172 has 40%"]),
            ("19437 (60%), 10172 (40%)", &["19437 has 60%", "10172 has 40%"]),
            ("19437 @ 100%", &["19437 has 100%"]),
            ("AA-1120337:60", &["AA-1120337 has 60"]),
            ("NAIC: 19437", &["NAIC: 19437"]),
            ("Lexington, NAIC: 19437", &["Lexington, NAIC: 19437"]),
            ("GEN-1002=9,521.00", &["GEN-1002 has 9,521.00"]),
        ];
        for (text, expected) in cases {
            let entries =
                split_entries(text).map(split_entry).map(|ShareEntry { item, share }| match share {
                    Some(share) => format!("{item} has {share}"),
                    None => item.to_owned(),
                });
            assert_eq!(entries.collect::<Vec<_>>(), expected, "{text}");
        }
    }
}
