//! Instants as they travel and as they are kept: RFC 3339 in UTC with `Z`.

use chrono::{DateTime, SecondsFormat, Utc};

/// Writes `2026-11-22T10:00:00Z`; a fraction of a second has as many digits as it needs.
pub fn format_instant(at: DateTime<Utc>) -> String {
    let text = at.to_rfc3339_opts(SecondsFormat::AutoSi, true);
    match text.strip_suffix('Z') {
        Some(head) if head.contains('.') => format!("{}Z", head.trim_end_matches('0')),
        _ => text,
    }
}

/// Reads an instant of RFC 3339, with `Z` or an offset; anything else is none.
pub fn parse_instant(text: &str) -> Option<DateTime<Utc>> {
    DateTime::parse_from_rfc3339(text).ok().map(|at| at.to_utc())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instants_keep_their_form() {
        for (text, written) in [
            ("2026-11-22T10:00:00Z", "2026-11-22T10:00:00Z"),
            ("2026-11-22T10:00:00.5Z", "2026-11-22T10:00:00.5Z"),
            ("2026-11-22T10:00:00.120Z", "2026-11-22T10:00:00.12Z"),
            ("2026-11-22T10:00:00.123456789Z", "2026-11-22T10:00:00.123456789Z"),
            ("2026-11-22T10:00:00.000000010Z", "2026-11-22T10:00:00.00000001Z"),
            ("2026-11-22T05:00:00-05:00", "2026-11-22T10:00:00Z"),
        ] {
            assert_eq!(parse_instant(text).map(format_instant).as_deref(), Some(written), "{text}");
        }
        for text in
            ["", "2026-11-22", "2026-11-22T10:00:00", "2026-11-22T10:00Z", "2026-11-31T10:00:00Z", "now"]
        {
            assert_eq!(parse_instant(text), None, "{text:?}");
        }
    }
}
