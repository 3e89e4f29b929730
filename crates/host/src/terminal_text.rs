//! Makes text from files and services safe for a terminal: control characters in a name can move the cursor, color
//! the screen or reverse the direction of writing, and so show an amount or a state that isn't there.

use std::borrow::Cow;
use std::io::{IsTerminal, Write};

use bordereau_contract::{changes_text_direction, format_instant};

/// Control characters of a terminal, except line ends and tabs.
fn is_acted_on(c: char) -> bool {
    match c {
        '\n' | '\t' => false,
        // Line separators, blanks without width, the byte order mark.
        '\u{200b}' | '\u{2028}' | '\u{2029}' | '\u{2060}' | '\u{feff}' => true,
        c => c.is_control() || changes_text_direction(c),
    }
}

/// Shows such characters by number, as `\u{1b}`.
pub fn escape_terminal(text: &str) -> Cow<'_, str> {
    if !text.contains(is_acted_on) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if is_acted_on(c) { shown.extend(c.escape_unicode()) } else { shown.push(c) }
    }
    Cow::Owned(shown)
}

/// The same for text inside a line: it neither ends the line nor leaves its column. A header in two lines has a blank
/// between them.
pub fn on_one_line(text: &str) -> Cow<'_, str> {
    let breaks = ['\n', '\t'];
    if text.contains(breaks) {
        return Cow::Owned(escape_terminal(&text.replace("\r\n", " ").replace(breaks, " ")).into_owned());
    }
    escape_terminal(text)
}

/// JSON with such characters escaped in its strings; its value is the same.
pub fn escape_json(text: &str) -> Cow<'_, str> {
    if !text.contains(is_acted_on) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if is_acted_on(c) { shown.push_str(&format!("\\u{:04x}", u32::from(c))) } else { shown.push(c) }
    }
    Cow::Owned(shown)
}

/// Writes a line to standard error: plain for a person at a terminal, with the time in front for a nightly job's file.
pub fn log_line(text: &str) {
    let text = on_one_line(text);
    let mut error = std::io::stderr();
    let line = if error.is_terminal() {
        format!("{text}\n")
    } else {
        let now = chrono::Utc::now();
        let now = format_instant(chrono::DateTime::from_timestamp(now.timestamp(), 0).unwrap_or(now));
        format!("{now} {text}\n")
    };
    // Standard error may be closed; the job continues.
    let _ = error.write_all(line.as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_acts_on_is_shown_as_its_number() {
        for (text, many, one) in [
            ("Café Müller & Søn", "Café Müller & Søn", "Café Müller & Søn"),
            ("שלום", "שלום", "שלום"),
            ("a\nb\tc", "a\nb\tc", "a b c"),
            ("\u{1b}[2J\u{7}gone", "\\u{1b}[2J\\u{7}gone", "\\u{1b}[2J\\u{7}gone"),
            ("\u{9b}31m", "\\u{9b}31m", "\\u{9b}31m"),
            ("invoice\u{202e}fdp.exe", "invoice\\u{202e}fdp.exe", "invoice\\u{202e}fdp.exe"),
            ("100\r999", "100\\u{d}999", "100\\u{d}999"),
            ("x\u{2028}y", "x\\u{2028}y", "x\\u{2028}y"),
        ] {
            assert_eq!((escape_terminal(text).as_ref(), on_one_line(text).as_ref()), (many, one), "{text:?}");
        }
    }

    #[test]
    fn json_says_the_same() {
        let value = serde_json::json!({ "a\u{9b}": "x\u{202e}y\u{1b}\u{7f}\n\u{feff}" });
        let text = value.to_string();
        let shown = escape_json(&text);
        assert!(!shown.contains(is_acted_on), "{shown}");
        assert_eq!(serde_json::from_str::<serde_json::Value>(&shown).unwrap(), value);
    }
}
