//! A text cut into parts.

use serde::{Deserialize, Serialize};

use crate::limits::CELL_BYTES_MAX;

/// Where the text of a cell is cut.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TextCut {
    /// At one separator after the other, the last of them as often as is needed.
    Separators(Vec<String>),
    /// The same, beginning at the end of the text: of "San Antonio TX 78205" the first part takes what is left.
    SeparatorsFromEnd(Vec<String>),
    /// After so many characters of the text, counted from its beginning.
    Positions(Vec<u16>),
}

/// The parts of a text, trimmed. Nothing of it is lost: where a separator is missing, one part has what is left and the
/// others are empty.
pub fn cut_text<'t>(text: &'t str, cut: &TextCut, parts: usize) -> Vec<&'t str> {
    let mut found = Vec::with_capacity(parts);
    let mut rest = text.trim();
    match cut {
        TextCut::Separators(all) => {
            for nth in 0..parts.saturating_sub(1) {
                let Some((at, end)) = separator_at(all, nth).and_then(|own| find_first(rest, own)) else {
                    break;
                };
                found.push(rest[..at].trim_end());
                rest = rest[end..].trim_start();
            }
            found.push(rest);
            found.resize(parts, "");
        }
        TextCut::SeparatorsFromEnd(all) => {
            for nth in 0..parts.saturating_sub(1) {
                let Some((at, end)) = separator_at(all, nth).and_then(|own| find_last(rest, own)) else {
                    break;
                };
                found.push(rest[end..].trim_start());
                rest = rest[..at].trim_end();
            }
            found.resize(parts.saturating_sub(1), "");
            found.push(rest);
            found.reverse();
        }
        TextCut::Positions(all) => {
            let mut begin = 0;
            for position in all {
                let at = rest.char_indices().nth(usize::from(*position)).map_or(rest.len(), |(at, _)| at);
                found.push(rest[begin..at].trim());
                begin = at;
            }
            found.push(rest[begin..].trim());
            found.resize(parts, "");
        }
    }
    found
}

fn separator_at(all: &[String], nth: usize) -> Option<&str> {
    all.get(nth).or(all.last()).map(String::as_str)
}

/// Where a separator begins and ends. A blank is any white space, and blanks around a mark such as a comma do not count.
fn find_first(text: &str, separator: &str) -> Option<(usize, usize)> {
    match bare_separator(separator) {
        "" => text.char_indices().find(|(_, c)| c.is_whitespace()).map(|(at, c)| (at, at + c.len_utf8())),
        bare => text.find(bare).map(|at| (at, at + bare.len())),
    }
}

fn find_last(text: &str, separator: &str) -> Option<(usize, usize)> {
    match bare_separator(separator) {
        "" => text.char_indices().rfind(|(_, c)| c.is_whitespace()).map(|(at, c)| (at, at + c.len_utf8())),
        bare => text.rfind(bare).map(|at| (at, at + bare.len())),
    }
}

/// A word keeps the blanks around it: " and " is in no name. A line break is itself, not any blank.
fn bare_separator(separator: &str) -> &str {
    if separator == "\n" || separator.contains(char::is_alphanumeric) { separator } else { separator.trim() }
}

/// The text cut to [`CELL_BYTES_MAX`] at a character's edge; `note` is called where anything is cut off.
pub(crate) fn cut_cell(text: &str, note: impl FnOnce()) -> &str {
    if text.len() <= CELL_BYTES_MAX {
        return text;
    }
    note();
    let mut end = CELL_BYTES_MAX;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn separators(all: &[&str]) -> Vec<String> {
        all.iter().map(|each| (*each).to_owned()).collect()
    }

    #[test]
    fn a_text_is_cut_where_the_rule_says_and_nothing_of_it_is_lost() {
        let from_start = |all: &[&str]| TextCut::Separators(separators(all));
        let from_end = |all: &[&str]| TextCut::SeparatorsFromEnd(separators(all));
        let cases: [(&str, TextCut, &[&str]); 15] = [
            ("Houston, TX 77002", from_start(&[",", " "]), &["Houston", "TX", "77002"]),
            ("New York ,  NY   10001-0001", from_start(&[", ", " "]), &["New York", "NY", "10001-0001"]),
            ("Houston", from_start(&[",", " "]), &["Houston", "", ""]),
            ("Houston, TX", from_start(&[",", " "]), &["Houston", "TX", ""]),
            ("San Antonio TX 78205", from_end(&[" "]), &["San Antonio", "TX", "78205"]),
            ("Austin", from_end(&[" "]), &["Austin", "", ""]),
            ("a;b;c;d", from_start(&[";"]), &["a", "b", "c;d"]),
            ("a;b;c;d", from_end(&[";"]), &["a;b", "c", "d"]),
            ("Brandon and Sons and Co", from_start(&[" and "]), &["Brandon", "Sons and Co"]),
            ("12 Main St\nHouston", from_start(&[" "]), &["12", "Main St\nHouston"]),
            ("12 Main St\r\nEl Paso, TX", from_end(&[",", "\n"]), &["12 Main St", "El Paso", "TX"]),
            ("TX77002", TextCut::Positions(vec![2]), &["TX", "77002"]),
            ("T", TextCut::Positions(vec![2, 5]), &["T", "", ""]),
            ("Zoë1", TextCut::Positions(vec![3]), &["Zoë", "1"]),
            ("", from_start(&[","]), &["", ""]),
        ];
        for (text, cut, parts) in cases {
            assert_eq!(cut_text(text, &cut, parts.len()), parts, "{text:?} by {cut:?}");
        }
    }
}
