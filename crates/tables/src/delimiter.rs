//! Which character separates the cells of a text file.

use crate::delimited_text;
use crate::detection::DetectedValue;
use crate::limits::SAMPLE_BYTES;

/// The delimiters looked for, the most usual first.
pub const DELIMITERS: [char; 4] = [',', ';', '\t', '|'];

/// In the place of a delimiter where there is none.
pub(crate) const FIXED_WIDTH: char = ' ';

struct DelimiterSplit {
    delimiter: char,
    columns: usize,
    agreeing: usize,
    rows: usize,
}

/// The delimiter that splits the most rows into the same number of columns, more than one.
pub(crate) fn detect_delimiter(text: &str, asked: Option<char>) -> DetectedValue<char> {
    if let Some(chosen) = asked.filter(char::is_ascii) {
        return DetectedValue::new(chosen, "chosen by you, or a paste with tabs".to_owned(), &DELIMITERS);
    }
    if let Some(named) = named_delimiter(text) {
        return DetectedValue::new(
            named,
            format!("the first line says \"sep=\" and {}", name(named)),
            &DELIMITERS,
        );
    }
    let sample = sample_lines(text);
    let splits: Vec<DelimiterSplit> = DELIMITERS.iter().filter_map(|d| measure_split(sample, *d)).collect();
    let best = splits.iter().filter(|s| s.columns > 1).max_by_key(|s| {
        (s.agreeing * 1000 / s.rows.max(1) * usize::from(s.agreeing * 2 > s.rows), s.columns)
    });
    let Some(best) = best else {
        return DetectedValue::new(',', "no delimiter was found: one column".to_owned(), &DELIMITERS);
    };
    let evidence = format!(
        "{} splits {} of the first {} rows into {} columns",
        name(best.delimiter),
        best.agreeing,
        best.rows,
        best.columns
    );
    DetectedValue::new(best.delimiter, evidence, &DELIMITERS)
}

/// The delimiter's name as people say it.
pub fn name(delimiter: char) -> &'static str {
    match delimiter {
        ',' => "a comma",
        ';' => "a semicolon",
        '\t' => "a tab",
        '|' => "a vertical bar",
        FIXED_WIDTH => "fixed width",
        _ => "this character",
    }
}

fn named_delimiter(text: &str) -> Option<char> {
    let first = text.lines().next()?;
    let rest = first.get(..4).filter(|s| s.eq_ignore_ascii_case("sep=")).map(|_| &first[4..])?;
    let mut chars = rest.chars();
    chars.next().filter(|c| c.is_ascii() && chars.next().is_none())
}

/// Whole lines from the start.
fn sample_lines(text: &str) -> &str {
    if text.len() <= SAMPLE_BYTES {
        return text;
    }
    let mut end = SAMPLE_BYTES;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text[..end].rfind('\n').map_or(&text[..end], |at| &text[..=at])
}

fn measure_split(sample: &str, delimiter: char) -> Option<DelimiterSplit> {
    let table = delimited_text::read(sample.to_owned(), u8::try_from(delimiter).ok()?, None).ok()?.table;
    let mut counts = std::collections::BTreeMap::<usize, usize>::new();
    for row in 0..table.row_count() {
        let columns = table.raw_len(row);
        if columns > 0 {
            *counts.entry(columns).or_default() += 1;
        }
    }
    let rows = counts.values().sum();
    let (columns, agreeing) = counts.into_iter().max_by_key(|(columns, n)| (*n, *columns))?;
    Some(DelimiterSplit { delimiter, columns, agreeing, rows })
}
