//! What a document is, by its first bytes (section 4): a name can say anything.

/// Codes of documents with their names, for any state: the first four \[spec], then the public ones \[pub].
pub const GENERAL_DOCUMENTS: [(&str, &str); 14] = [
    ("POLIC", "Policy"),
    ("AFFIDC", "Affidavit"),
    ("AFFIDCA", "Affidavit of the producing broker"),
    ("NOOELP", "Notice of excess line placement"),
    ("DEF", "Diligent Effort Form"),
    ("DILEF", "Statement of Diligent Effort"),
    ("DSF", "Diligent Search Form"),
    ("DISCL", "Disclosure"),
    ("SL1", "Confidential Report of Surplus Line Placement (SL-1)"),
    ("SL2", "Diligent Search Report (SL-2)"),
    ("D1DISC", "D-1 Disclosure"),
    ("D2NOT", "D-2 Notice"),
    ("SFP", "Sample Face Page"),
    ("MISC", "Another document"),
];

/// Every code of a document: the general ones and those of the state rules \[ours].
pub fn document_codes() -> impl Iterator<Item = &'static str> {
    GENERAL_DOCUMENTS.into_iter().map(|(code, _)| code).chain(["FLCE", "RDOP", "SL2-ADD"])
}

/// Bytes at the beginning of a file by which its kind is told. Some programs write a few before the PDF begins.
pub const DOCUMENT_HEAD_BYTES: usize = 1_024;
/// The longest mark of an archive's part has fewer bytes.
pub const DOCUMENT_MARK_BYTES_MAX: usize = 64;
/// First bytes of an archive, as Office files are since 2007.
pub const ARCHIVE_MARK: &[u8] = b"PK\x03\x04";

/// A kind of file the document import takes \[ours]: PDF, images, Office files. The one table of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DocumentKind {
    article: &'static str,
    /// What people call it.
    pub name: &'static str,
    /// Endings of its file names in lower case, the usual one first.
    pub extensions: &'static [&'static str],
    mark: KindMark,
}

/// What tells a kind from others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum KindMark {
    /// Anywhere among the first bytes.
    Within(&'static [u8]),
    /// One of these begins the file.
    First(&'static [&'static [u8]]),
    /// The first begins the file, and one of the others is at the place.
    FirstAndAt(&'static [u8], usize, &'static [&'static [u8]]),
    /// An archive with a part of this name, which archives store in clear.
    Part(&'static [u8]),
}

use KindMark::{First, FirstAndAt, Part, Within};

const fn kind(
    article: &'static str,
    name: &'static str,
    extensions: &'static [&'static str],
    mark: KindMark,
) -> DocumentKind {
    DocumentKind { article, name, extensions, mark }
}

impl DocumentKind {
    /// Every kind.
    #[rustfmt::skip]
    pub const ALL: [DocumentKind; 16] = [
        kind("a", "PDF document", &["pdf"], Within(b"%PDF-")),
        kind("a", "PNG image", &["png"], First(&[b"\x89PNG\r\n\x1a\n"])),
        kind("a", "JPEG image", &["jpg", "jpeg", "jpe", "jfif"], First(&[b"\xff\xd8\xff"])),
        kind("a", "GIF image", &["gif"], First(&[b"GIF87a", b"GIF89a"])),
        // As fax and scanner programs write it.
        kind("a", "TIFF image", &["tif", "tiff"], First(&[b"II*\0", b"MM\0*"])),
        kind("a", "BMP image", &["bmp"], FirstAndAt(b"BM", 6, &[b"\0\0\0\0"])),
        kind("a", "WebP image", &["webp"], FirstAndAt(b"RIFF", 8, &[b"WEBP"])),
        // As phones write it.
        kind("an", "HEIC image", &["heic", "heif"], FirstAndAt(b"", 4, &[b"ftyphe", b"ftypmi"])),
        // Word, Excel, PowerPoint and Outlook messages of the older form.
        kind("an", "Office document (older format)", &["doc", "xls", "ppt", "dot", "msg"],
            First(&[b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"])),
        kind("an", "RTF document", &["rtf", "doc"], First(&[b"{\\rtf"])),
        // Before the others: an OpenDocument file may have one of them inside.
        kind("an", "OpenDocument text", &["odt"], Part(b"mimetypeapplication/vnd.oasis.opendocument.text")),
        kind("an", "OpenDocument spreadsheet", &["ods"],
            Part(b"mimetypeapplication/vnd.oasis.opendocument.spreadsheet")),
        kind("an", "OpenDocument presentation", &["odp"],
            Part(b"mimetypeapplication/vnd.oasis.opendocument.presentation")),
        kind("a", "Word document", &["docx", "docm", "dotx"], Part(b"word/document")),
        kind("an", "Excel workbook", &["xlsx", "xlsm", "xlsb", "xltx"], Part(b"xl/workbook")),
        kind("a", "PowerPoint presentation", &["pptx", "pptm", "ppsx"], Part(b"ppt/presentation")),
    ];

    /// What a file is by its first bytes ([`DOCUMENT_HEAD_BYTES`]) and, where it is an archive, by the parts in it.
    pub fn detect(head: &[u8], has_part: impl Fn(&[u8]) -> bool) -> Option<DocumentKind> {
        let is_archive = head.starts_with(ARCHIVE_MARK);
        let has_at = |place: usize, mark: &[u8]| head.get(place..).is_some_and(|rest| rest.starts_with(mark));
        DocumentKind::ALL.into_iter().find(|kind| match kind.mark {
            // An archive may have such a file inside, in clear.
            Within(mark) => !is_archive && contains_bytes(head, mark),
            First(marks) => marks.iter().any(|mark| head.starts_with(mark)),
            FirstAndAt(first, place, marks) => {
                head.starts_with(first) && marks.iter().any(|mark| has_at(place, mark))
            }
            Part(name) => is_archive && has_part(name),
        })
    }

    /// The names of parts by which archives are told apart.
    pub fn archive_parts() -> impl Iterator<Item = &'static [u8]> {
        DocumentKind::ALL.into_iter().filter_map(|kind| match kind.mark {
            Part(name) => Some(name),
            _ => None,
        })
    }

    /// The kind that a file name's extension says, in lower case.
    pub fn by_extension(extension: &str) -> Option<DocumentKind> {
        DocumentKind::ALL.into_iter().find(|kind| kind.has_extension(extension))
    }

    /// Whether files of this kind may have the extension, in lower case.
    pub fn has_extension(self, extension: &str) -> bool {
        self.extensions.contains(&extension)
    }

    /// As part of a sentence: `an Excel workbook`.
    pub fn with_article(self) -> String {
        format!("{} {}", self.article, self.name)
    }
}

/// What is said of a file of more than [`crate::DOCUMENT_BYTES_MAX`].
pub const DOCUMENT_TOO_LARGE: &str = "The file is larger than 25 MB.";
const _: () = assert!(crate::DOCUMENT_BYTES_MAX == 25 << 20, "the sentence names the limit");

/// Why a file of this size cannot be sent; a sentence for a person. None where it can.
pub fn document_size_fault(bytes: u64) -> Option<&'static str> {
    match bytes {
        0 => Some("The file is empty."),
        bytes if bytes > crate::DOCUMENT_BYTES_MAX as u64 => Some(DOCUMENT_TOO_LARGE),
        _ => None,
    }
}

/// Why a file cannot be imported as it is; a sentence for a person. None where it can.
pub fn document_fault(file_name: &str, content: &[u8]) -> Option<String> {
    if let Some(fault) = document_size_fault(content.len() as u64) {
        return Some(fault.to_owned());
    }
    let head = content.get(..DOCUMENT_HEAD_BYTES).unwrap_or(content);
    let Some(kind) = DocumentKind::detect(head, |part| contains_bytes(content, part)) else {
        return Some("The content is none of PDF, image or Office file.".to_owned());
    };
    let (_, extension) = file_name.rsplit_once('.')?;
    let extension = extension.trim().to_ascii_lowercase();
    let named = DocumentKind::by_extension(&extension)?;
    (!kind.has_extension(&extension)).then(|| {
        format!("The file name says {}, the content is {}.", named.with_article(), kind.with_article())
    })
}

/// Whether the mark is somewhere in the content.
pub fn contains_bytes(content: &[u8], mark: &[u8]) -> bool {
    let mut from = content;
    // Search for the first byte, which is quick, then compare the rest.
    while let Some(at) = mark.first().and_then(|first| from.iter().position(|byte| byte == first)) {
        match from.get(at..) {
            Some(rest) if rest.starts_with(mark) => return true,
            Some([_, rest @ ..]) => from = rest,
            _ => return false,
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_by_content() {
        for (content, kind) in [
            (&b"%PDF-1.7\n"[..], Some("PDF document")),
            (b"\xef\xbb\xbf  %PDF-1.4", Some("PDF document")),
            (b"\x89PNG\r\n\x1a\n....", Some("PNG image")),
            (b"\xff\xd8\xff\xe0..JFIF", Some("JPEG image")),
            (b"MM\0*....", Some("TIFF image")),
            (b"RIFF\x10\0\0\0WEBPVP8 ", Some("WebP image")),
            (b"\0\0\0\x18ftypheic", Some("HEIC image")),
            (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", Some("Office document (older format)")),
            (b"{\\rtf1\\ansi", Some("RTF document")),
            (b"PK\x03\x04\x14\0\x06\0...[Content_Types].xml...xl/workbook.xml", Some("Excel workbook")),
            (b"PK\x03\x04...mimetypeapplication/vnd.oasis.opendocument.text", Some("OpenDocument text")),
            (b"PK\x03\x04 any other archive", None),
            (b"PK\x03\x04 policy.pdf %PDF-1.7", None),
            (b"MZ\x90\0 a program", None),
            (b"<html>", None),
            (b"hello", None),
            (b"", None),
        ] {
            let found =
                DocumentKind::detect(content, |part| contains_bytes(content, part)).map(|kind| kind.name);
            assert_eq!(found, kind, "{}", String::from_utf8_lossy(content));
        }
    }

    #[test]
    fn faults_are_sentences() {
        for (name, content, said) in [
            ("policy.pdf", &b"%PDF-1.7"[..], None),
            ("policy", b"%PDF-1.7", None),
            ("POLICY.PDF", b"%PDF-1.7", None),
            ("policy.v2", b"%PDF-1.7", None),
            ("letter.doc", b"{\\rtf1", None),
            (
                "policy.pdf",
                b"\x89PNG\r\n\x1a\n",
                Some("The file name says a PDF document, the content is a PNG image."),
            ),
            (
                "rows.pdf",
                b"PK\x03\x04...xl/workbook.xml",
                Some("The file name says a PDF document, the content is an Excel workbook."),
            ),
            ("template.xltx", b"PK\x03\x04...xl/workbook.xml", None),
            ("photo.heic", b"\0\0\0\x18ftypheic", None),
            ("policy.pdf", b"hello", Some("The content is none of PDF, image or Office file.")),
            ("policy.pdf", b"", Some("The file is empty.")),
        ] {
            assert_eq!(document_fault(name, content).as_deref(), said, "{name}");
        }
        let large = vec![b'%'; crate::DOCUMENT_BYTES_MAX + 1];
        assert!(document_fault("x.pdf", &large).is_some_and(|why| why.contains("larger")));
    }

    #[test]
    fn no_mark_of_a_part_is_longer_than_the_seam_between_two_pieces() {
        assert!(DocumentKind::archive_parts().all(|part| part.len() <= DOCUMENT_MARK_BYTES_MAX));
    }
}
