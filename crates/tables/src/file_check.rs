//! What a file is, by its bytes alone.

use crate::archive::check_text_nodes;
use crate::limits::{
    FILE_BYTES_MAX, LINE_BREAKS_MAX, LINE_BYTES_MAX, MARKUP_BYTES_MAX, MARKUP_TAGS_MAX, MARKUP_TEXT_BYTES_MAX,
};
use crate::markup::MarkupKind;
use crate::refusal::ImportRefusal;

/// Refuses what is no table by its bytes alone, before they are stored or copied.
///
/// # Errors
/// [`ImportRefusal`], the same as of [`crate::read_with`].
pub fn check_bytes(bytes: &[u8]) -> Result<(), ImportRefusal> {
    if bytes.len() > FILE_BYTES_MAX {
        return Err(ImportRefusal::TooLarge { megabytes: bytes.len().div_ceil(1 << 20) });
    }
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Err(ImportRefusal::Empty);
    }
    if MarkupKind::of_bytes(bytes).is_some() {
        return check_markup(bytes, MARKUP_BYTES_MAX, MARKUP_TEXT_BYTES_MAX, MARKUP_TAGS_MAX);
    }
    if is_workbook(bytes) {
        return Ok(());
    }
    match other_kind(bytes) {
        Some(found) => Err(ImportRefusal::NotATable { found: found.to_owned() }),
        None => check_lines(bytes, LINE_BYTES_MAX, LINE_BREAKS_MAX),
    }
}

/// Tags of a web page or an XML spreadsheet, or what begins as one does; of another file none.
pub(crate) fn count_tags(bytes: &[u8]) -> usize {
    MarkupKind::of_bytes(bytes).map_or(0, |_| memchr::memchr_iter(b'<', bytes).count())
}

/// What is one text, one tag or one comment for megabytes is no table; its reader would hold it several times over.
fn check_markup(
    bytes: &[u8],
    bytes_max: usize,
    text_max: usize,
    tags_max: usize,
) -> Result<(), ImportRefusal> {
    if bytes.len() > bytes_max {
        return Err(ImportRefusal::TooMuchText { megabytes: bytes_max >> 20 });
    }
    if memchr::memchr_iter(b'<', bytes).nth(tags_max).is_some() {
        return Err(ImportRefusal::TooManyCells);
    }
    check_text_nodes(&mut &*bytes, text_max).map(drop)
}

/// In every encoding a line break has one of these bytes.
pub(crate) fn check_lines(bytes: &[u8], bytes_max: usize, breaks_max: usize) -> Result<(), ImportRefusal> {
    let (mut begin, mut line) = (0, 1);
    for (breaks, end) in memchr::memchr2_iter(b'\n', b'\r', bytes).chain([bytes.len()]).enumerate() {
        if end - begin > bytes_max {
            return Err(ImportRefusal::LineTooLong { line, megabytes: bytes_max >> 20 });
        }
        if breaks > breaks_max {
            return Err(ImportRefusal::TooManyRows);
        }
        line += usize::from(bytes.get(end) == Some(&b'\n'));
        begin = end + 1;
    }
    Ok(())
}

/// Whether these are the first bytes of a workbook, of something else in such a container, or of tables in markup: what
/// is read by a process of its own.
pub fn is_workbook(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PK\x03\x04")
        || bytes.starts_with(b"PK\x05\x06")
        || bytes.starts_with(b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1")
        || MarkupKind::of_bytes(bytes).is_some()
}

/// What a file is that is neither a workbook nor text.
pub(crate) fn other_kind(bytes: &[u8]) -> Option<&'static str> {
    const KINDS: [(&[u8], &str); 9] = [
        (b"%PDF", "a PDF document"),
        (b"\x89PNG", "a picture"),
        (b"\xFF\xD8\xFF", "a picture"),
        (b"GIF8", "a picture"),
        (b"\x1F\x8B", "a gzip archive"),
        (b"7z\xBC\xAF", "a 7-Zip archive"),
        (b"Rar!", "a RAR archive"),
        (b"{\\rtf", "a text document"),
        (b"\x7FELF", "a program"),
    ];
    if bytes.iter().all(|byte| *byte == 0) {
        return Some("a file of zero bytes (it was not copied or saved to its end)");
    }
    if let Some((_, found)) = KINDS.iter().find(|(magic, _)| bytes.starts_with(magic)) {
        return Some(found);
    }
    let start = bytes[..bytes.len().min(512)].trim_ascii_start().to_ascii_lowercase();
    if start.starts_with(b"<?xml") {
        return Some("an XML document (open it in the spreadsheet program and save it as XLSX)");
    }
    let unmarked = start.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&start).trim_ascii_start();
    if let [b'[' | b'{', rest @ ..] = unmarked
        && matches!(rest.trim_ascii_start().first(), Some(b'{' | b'[' | b'"'))
        && unmarked.windows(2).any(|pair| pair == b"\":")
    {
        return Some("JSON, a file for programs (ask for the export as CSV or XLSX)");
    }
    let sample = &bytes[..bytes.len().min(4096)];
    let control = sample.iter().filter(|b| **b < 9 || (14..32).contains(*b)).filter(|b| **b != 0).count();
    (control * 20 > sample.len()).then_some("binary data")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_that_no_table_has_is_refused() {
        let rows = "<tr><td>id</td></tr>".repeat(20);
        let of = |text: String| check_markup(text.as_bytes(), 2_000, 64, 200);
        assert_eq!(of(format!("<table>{rows}</table>")), Ok(()));
        assert_eq!(
            of(format!("<table>{}", rows.repeat(9))),
            Err(ImportRefusal::TooMuchText { megabytes: 0 })
        );
        let refused = of(format!("<table>{rows}{}", "<".repeat(200)));
        assert_eq!(refused, Err(ImportRefusal::TooManyCells));
        for long in ["<td a='", "<td>", "<!--", "<script>"] {
            let refused = of(format!("<table>{rows}{long}{}{rows}", "x".repeat(90)));
            assert!(matches!(refused, Err(ImportRefusal::Damaged { .. })), "{long}: {refused:?}");
        }
    }

    #[test]
    fn json_is_none_and_what_begins_like_it_is_a_table() {
        for text in ["[{\"Policy\": 1}]", "\u{feff}{\n  \"data\": [{\"Policy\": 1}]}"] {
            assert!(other_kind(text.as_bytes()).is_some_and(|found| found.starts_with("JSON")), "{text}");
        }
        for text in ["[Policy],[Premium]\n1,2\n", "{\"Policy\",\"Premium\"}\n", "[\"a\",1]\n"] {
            assert_eq!(other_kind(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn lines_that_no_table_has_are_refused() {
        assert_eq!(check_lines(b"id,premium\r\nA-1,100\r\n", 10, 4), Ok(()));
        let long = check_lines(b"id,premium\r\nA-1,100000000", 10, 4);
        assert_eq!(long, Err(ImportRefusal::LineTooLong { line: 2, megabytes: 0 }));
        assert_eq!(check_lines(b"id\n\n\n\n\n", 10, 4), Err(ImportRefusal::TooManyRows));
    }
}
