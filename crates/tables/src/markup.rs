//! Tables in markup: agency systems and portals save web pages and XML, and name them .xls.

use encoding_rs::Encoding;

use crate::encoding::{self, DecodedText};
use crate::refusal::ImportRefusal;

/// Bytes in which a file says what it is.
const HEAD_BYTES: usize = 4096;
/// The name of the vocabulary of an XML spreadsheet.
const SPREADSHEET_NAMES: &str = "urn:schemas-microsoft-com:office:spreadsheet";
/// What a web page, or a part of one with a table, begins with.
const PAGE_STARTS: [&str; 13] = [
    "<!doctype html",
    "<html",
    "<head",
    "<body",
    "<table",
    "<meta",
    "<title",
    "<style",
    "<div",
    "<center",
    "<font",
    "<script",
    "<thead",
];

/// What a file of markup is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MarkupKind {
    /// A web page, or a table of one.
    WebPage,
    /// A spreadsheet in the XML form of 2003.
    XmlSpreadsheet,
}

impl MarkupKind {
    /// By what the file begins with, whatever its name is.
    pub(crate) fn of_bytes(bytes: &[u8]) -> Option<MarkupKind> {
        let head = head_text(bytes);
        let head = head.trim_start_matches(|c: char| c == '\u{feff}' || c.is_whitespace());
        if !head.starts_with('<') {
            return None;
        }
        let is_xml =
            head.starts_with("<?xml") || head.starts_with("<workbook") || head.starts_with("<ss:workbook");
        if is_xml && head.contains(SPREADSHEET_NAMES) {
            return Some(MarkupKind::XmlSpreadsheet);
        }
        let is_page = PAGE_STARTS.iter().any(|start| head.starts_with(start))
            || ((head.starts_with("<?xml") || head.starts_with("<!--"))
                && (head.contains("<html") || head.contains("<table")));
        is_page.then_some(MarkupKind::WebPage)
    }
}

/// The first characters in lower case.
fn head_text(bytes: &[u8]) -> String {
    let head = &bytes[..bytes.len().min(HEAD_BYTES)];
    let text = match Encoding::for_bom(head) {
        Some((encoding, _)) => encoding.decode(head).0,
        None => String::from_utf8_lossy(head),
    };
    text.to_ascii_lowercase()
}

/// The text of a file of markup: by its mark, the encoding that it names, or what its bytes look like.
pub(crate) fn decode_markup(bytes: &[u8]) -> Result<DecodedText<'_>, ImportRefusal> {
    let has_mark = Encoding::for_bom(bytes).is_some();
    let named = if has_mark { None } else { named_encoding(&head_text(bytes)) };
    encoding::decode_bytes(bytes.into(), named.as_deref())
}

/// `charset=windows-1252`, `encoding="UTF-8"`. Who writes UTF-16 so that this can be read errs.
fn named_encoding(head: &str) -> Option<String> {
    let from = ["charset=", "encoding="].iter().find_map(|name| Some(head.find(name)? + name.len()))?;
    let name: String = head[from..]
        .trim_start_matches(['"', '\'', ' '])
        .chars()
        .take_while(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | ':' | '.'))
        .collect();
    let encoding = Encoding::for_label(name.as_bytes())?;
    // What says it is UTF-8 is often not: the bytes decide.
    let is_unsure = encoding == encoding_rs::UTF_8 || encoding.name().starts_with("UTF-16");
    (!is_unsure).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_known_by_its_content() {
        let xml = format!("<?xml version=\"1.0\"?>\n<Workbook xmlns=\"{SPREADSHEET_NAMES}\">");
        let utf16: Vec<u8> = format!("\u{feff}{xml}").encode_utf16().flat_map(u16::to_le_bytes).collect();
        let cases: [(&[u8], Option<MarkupKind>); 9] = [
            (xml.as_bytes(), Some(MarkupKind::XmlSpreadsheet)),
            (&utf16, Some(MarkupKind::XmlSpreadsheet)),
            (b"\xEF\xBB\xBF \r\n<TABLE border=1>", Some(MarkupKind::WebPage)),
            (b"<!DOCTYPE HTML PUBLIC \"x\">", Some(MarkupKind::WebPage)),
            (
                b"<?xml version=\"1.0\"?><html xmlns=\"http://www.w3.org/1999/xhtml\">",
                Some(MarkupKind::WebPage),
            ),
            (b"<!-- made at night --><table>", Some(MarkupKind::WebPage)),
            (b"<?xml version=\"1.0\"?><ACORD>", None),
            (b"policy,premium\n<html>,5", None),
            (b"", None),
        ];
        for (bytes, kind) in cases {
            assert_eq!(MarkupKind::of_bytes(bytes), kind, "{}", String::from_utf8_lossy(bytes));
        }
    }

    /// Whoever reads it holds the file's own bytes as well: a second copy of 100 MB would be too much.
    #[test]
    fn a_page_in_utf_8_is_read_where_it_is() {
        let page = "<meta charset=utf-8><td>Zoë".as_bytes();
        let decoded = decode_markup(page).unwrap();
        assert_eq!(decoded.text.as_ptr(), page.as_ptr());
    }

    #[test]
    fn the_encoding_that_a_page_names_is_taken_unless_its_bytes_know_better() {
        let decoded =
            |bytes: &[u8]| decode_markup(bytes).map(|decoded| decoded.text.into_owned()).unwrap_or_default();
        assert!(decoded(b"<meta charset=\"iso-8859-2\"><td>\xB1").ends_with('ą'));
        assert!(decoded("<meta charset=utf-8><td>Zoë".as_bytes()).ends_with("Zoë"));
        assert!(decoded(b"<meta charset=utf-8><td>Zo\xEB").ends_with("Zoë"));
        assert!(decoded(b"<meta charset=nonsense><td>Zo\xEB").ends_with("Zoë"));
    }
}
