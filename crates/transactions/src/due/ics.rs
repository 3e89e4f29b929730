//! Due dates as an iCalendar file (RFC 5545), written by the `icalendar` crate.

use bordereau_contract::parse_calendar_day;
use chrono::{DateTime, Utc};
use icalendar::{Calendar, Component, Event, EventLike};

use bordereau_api::DueEntry;
use bordereau_contract::{format_day_text, format_money_text, pluralize};

/// Octets of a line, without its end (section 3.1).
const LINE_OCTETS: usize = 75;

/// The file; entries without a date are omitted. `stamp` is when it is written.
pub(super) fn build_calendar(entries: &[DueEntry], stamp: DateTime<Utc>) -> String {
    let mut calendar = Calendar::empty();
    for property in [
        ("VERSION", "2.0"),
        ("PRODID", "-//Bordereau//Due dates//EN"),
        ("CALSCALE", "GREGORIAN"),
        ("METHOD", "PUBLISH"),
        ("X-WR-CALNAME", "Surplus lines due dates"),
    ] {
        calendar.append_property(property);
    }
    calendar.extend(entries.iter().filter_map(|entry| build_event(entry, stamp)));
    let mut text = String::new();
    // The crate leaves room for the blank in front of a folded line only where another line follows: its last one may
    // have 76 octets.
    for line in calendar.to_string().replace("\r\n ", "").split_terminator("\r\n") {
        fold_line(&mut text, line);
    }
    text
}

fn build_event(entry: &DueEntry, stamp: DateTime<Utc>) -> Option<Event> {
    let day = parse_calendar_day(entry.due.as_deref()?)?;
    // The same identifier for the same thing: an import of a newer file changes the entry instead of doubling it.
    let mut event = Event::with_uid(&format!("{}@due.bordereau", entry.id));
    event
        .timestamp(stamp)
        // Programs take the higher one for the newer: minutes, which grow with each file and fit for 4,000 years.
        .sequence(u32::try_from(stamp.timestamp() / 60).unwrap_or_default())
        .starts(day)
        .ends(day.succ_opt()?)
        .summary(&strip_controls(&event_summary(entry)))
        .description(&strip_controls(&event_description(entry)))
        .categories([strip_controls(&entry.state)])
        .add_property("TRANSP", "TRANSPARENT");
    if let Some(source) = entry.sources.first() {
        event.url(&source.url.replace(|c: char| c.is_control() || c == ' ', ""));
    }
    Some(event)
}

fn event_summary(entry: &DueEntry) -> String {
    let whose = match entry.count {
        1 => format!("{} {}", entry.policy_number, entry.insured),
        count => pluralize(count, "transaction"),
    };
    format!("{}: {}, {}", entry.state, entry.title, whose.trim())
}

fn event_description(entry: &DueEntry) -> String {
    let mut lines = vec![entry.rule.clone()];
    lines.extend(entry.amount.as_ref().map(|amount| format!("Amount: {}", format_money_text(amount))));
    lines.extend(entry.act_by.as_ref().map(|day| {
        format!(
            "The date is a weekend or holiday, and it isn't known whether it moves: act by {}",
            format_day_text(day)
        )
    }));
    lines.extend(
        entry
            .statutory
            .as_ref()
            .map(|day| format!("Moved from {}, a weekend or holiday", format_day_text(day))),
    );
    lines.extend(entry.assumed.as_ref().map(|assumed| format!("Assumed: {assumed}")));
    lines.extend(entry.condition.clone());
    lines.extend(entry.note.clone());
    lines.extend(entry.late.clone());
    lines.extend(entry.mark.as_ref().map(|mark| format!("Note: {}", mark.note)));
    lines.push(format!("How sure: {}", entry.checked));
    lines.extend(entry.sources.iter().map(|source| source.url.clone()));
    lines.join("\n")
}

/// Without control characters, which a value may not have (section 3.3.11); the crate escapes the ends of lines.
fn strip_controls(text: &str) -> String {
    text.chars().filter(|c| *c == '\n' || !c.is_control()).collect()
}

/// Lines of at most 75 octets, never cut inside a character; what follows begins with a blank.
fn fold_line(text: &mut String, line: &str) {
    let mut room = LINE_OCTETS;
    for c in line.chars() {
        if c.len_utf8() > room {
            text.push_str("\r\n ");
            room = LINE_OCTETS - 1;
        }
        text.push(c);
        room -= c.len_utf8();
    }
    text.push_str("\r\n");
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use bordereau_api::{Confidence, DueUrgency, SourceRef};

    pub(in crate::due) fn entry(insured: &str) -> DueEntry {
        DueEntry {
            id: "42-filing-filing-with-sltx".into(),
            standing: DueUrgency::Later,
            kind: "filing".into(),
            title: "Filing with SLTX".into(),
            state: "TX".into(),
            transaction_id: "42".into(),
            count: 1,
            policy_number: "P-42".into(),
            insured: insured.into(),
            transaction_type: "PN".into(),
            due: Some("2028-02-29".into()),
            statutory: None,
            act_by: None,
            days_left: Some(3),
            period: None,
            by_filing: false,
            billed: None,
            amount: None,
            rule: "60 days after the later of effective and issue date".into(),
            assumed: None,
            condition: None,
            note: None,
            late: None,
            sureness: Confidence::Confirmed,
            checked: "confirmed (official)".into(),
            sources: vec![SourceRef { title: "sltx.org".into(), url: "https://sltx.org/a".into() }],
            mark: None,
            assigned: None,
        }
    }

    fn written(entries: &[DueEntry]) -> String {
        build_calendar(entries, bordereau_contract::parse_instant("2026-03-01T12:00:00Z").unwrap())
    }

    /// As a reader joins them again (section 3.1).
    fn unfolded(text: &str) -> String {
        text.replace("\r\n ", "")
    }

    #[test]
    fn a_day_is_an_event_of_that_day() {
        let text = unfolded(&written(&[entry("Example Diner LLC")]));
        for line in [
            "BEGIN:VCALENDAR",
            "VERSION:2.0",
            "UID:42-filing-filing-with-sltx@due.bordereau",
            "DTSTAMP:20260301T120000Z",
            "DTSTART;VALUE=DATE:20280229",
            "DTEND;VALUE=DATE:20280301",
            "METHOD:PUBLISH",
            "URL:https://sltx.org/a",
            "CATEGORIES:TX",
            "TRANSP:TRANSPARENT",
            "SUMMARY:TX: Filing with SLTX\\, P-42 Example Diner LLC",
            "END:VCALENDAR",
        ] {
            assert!(text.lines().any(|found| found == line), "{line}\n{text}");
        }
        assert!(written(&[DueEntry { due: None, ..entry("x") }]).lines().all(|line| line != "BEGIN:VEVENT"));
    }

    #[test]
    fn a_second_import_changes_an_event_and_adds_none() {
        let first = entry("Example Diner LLC");
        let moved =
            DueEntry { due: Some("2028-03-01".into()), insured: "Example LLC".into(), ..first.clone() };
        let later = bordereau_contract::parse_instant("2026-03-02T12:00:00Z").unwrap();
        let [before, after] =
            [written(&[first]), build_calendar(&[moved], later)].map(|text| unfolded(&text));
        let value = |text: &str, name: &str| {
            let mut values = text.lines().filter_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
            (values.next().map(str::to_owned), values.count())
        };
        assert_eq!(value(&before, "UID"), value(&after, "UID"));
        assert_eq!(value(&after, "UID").1, 0, "one event");
        let sequence = |text: &str| value(text, "SEQUENCE").0.and_then(|n| n.parse::<u32>().ok()).unwrap();
        assert!(sequence(&after) > sequence(&before));
        assert!(after.contains("DTSTART;VALUE=DATE:20280301") && after.contains("Example LLC"));
    }

    #[test]
    fn lines_are_folded_by_octets_and_end_with_crlf() {
        let long = "Größe; \\ und, Zürich\nEND:VEVENT 保険株式会社 ".repeat(8);
        let text = written(&[entry(&long)]);
        assert!(text.ends_with("END:VCALENDAR\r\n"));
        // Names of every length: each leaves another rest in the last line.
        let texts = (0..160).map(|length| written(&[entry(&"n".repeat(length))])).chain([text.clone()]);
        for line in texts.flat_map(|text| text.split("\r\n").map(str::to_owned).collect::<Vec<_>>()) {
            assert!(line.len() <= LINE_OCTETS, "{}: {line}", line.len());
            assert!(!line.contains(['\n', '\r']), "a bare line end");
        }
        let events = unfolded(&text).lines().filter(|line| *line == "END:VEVENT").count();
        assert_eq!(events, 1, "an insured's name ends no event");
        assert!(unfolded(&text).contains("Größe\\; \\\\ und\\, Zürich\\nEND:VEVENT 保険株式会社"));
    }
}
