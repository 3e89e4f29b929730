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

/// How far from the beginning or the end the parts of an office file are looked for.
const LOOKED_AT: usize = 64 * 1024;

/// A kind of file the document import takes \[ours]: PDF, images, Office files.
struct DocumentKind {
    /// What it is called in a sentence.
    name: &'static str,
    /// Endings of its file names, in lower case.
    endings: &'static [&'static str],
    is_content: fn(&[u8]) -> bool,
}

const fn kind(
    name: &'static str,
    endings: &'static [&'static str],
    is_content: fn(&[u8]) -> bool,
) -> DocumentKind {
    DocumentKind { name, endings, is_content }
}

const KINDS: [DocumentKind; 12] = [
    // Some programs write a few bytes before the PDF begins; readers look through the first 1,024.
    kind("a PDF", &["pdf"], |content| contains(content.get(..1_029).unwrap_or(content), b"%PDF-")),
    kind("a PNG image", &["png"], |content| content.starts_with(b"\x89PNG\r\n\x1a\n")),
    kind("a JPEG image", &["jpg", "jpeg", "jpe", "jfif"], |content| content.starts_with(b"\xff\xd8\xff")),
    kind("a GIF image", &["gif"], |content| content.starts_with(b"GIF87a") || content.starts_with(b"GIF89a")),
    // As fax and scanner programs write it.
    kind("a TIFF image", &["tif", "tiff"], |content| {
        content.starts_with(b"II*\0") || content.starts_with(b"MM\0*")
    }),
    kind("a WebP image", &["webp"], |content| content.starts_with(b"RIFF") && has_at(content, 8, b"WEBP")),
    kind("a BMP image", &["bmp"], |content| content.starts_with(b"BM") && has_at(content, 6, b"\0\0\0\0")),
    // As phones write it.
    kind("an HEIC image", &["heic", "heif"], |content| {
        has_at(content, 4, b"ftyphe") || has_at(content, 4, b"ftypmi")
    }),
    // Word, Excel, PowerPoint and Outlook messages of the older form.
    kind("an older Office file", &["doc", "dot", "xls", "ppt", "msg"], |content| {
        content.starts_with(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")
    }),
    kind("an RTF file", &["rtf", "doc"], |content| content.starts_with(b"{\\rtf")),
    kind("an OpenDocument file", &["odt", "ods", "odp"], |content| {
        is_archive(content) && has_at(content, 30, b"mimetypeapplication/vnd.oasis.opendocument")
    }),
    // Word, Excel and PowerPoint since 2007.
    kind("an Office file", &["docx", "docm", "dotx", "xlsx", "xlsm", "xlsb", "pptx", "pptm"], |content| {
        is_archive(content) && near_an_end(content, b"[Content_Types].xml")
    }),
];

fn is_archive(content: &[u8]) -> bool {
    content.starts_with(b"PK\x03\x04")
}

fn has_at(content: &[u8], place: usize, magic: &[u8]) -> bool {
    content.get(place..).is_some_and(|rest| rest.starts_with(magic))
}

/// What is said of a file of more than [`crate::DOCUMENT_BYTES_MAX`].
pub const DOCUMENT_TOO_LARGE: &str = "The file is larger than 25 MB.";
const _: () = assert!(crate::DOCUMENT_BYTES_MAX == 25 << 20, "the sentence names the limit");

/// Why a file cannot be imported as it is; a sentence for a person. None where it can.
pub fn document_fault(file_name: &str, content: &[u8]) -> Option<String> {
    if content.is_empty() {
        return Some("The file is empty.".to_owned());
    }
    if content.len() > crate::DOCUMENT_BYTES_MAX {
        return Some(DOCUMENT_TOO_LARGE.to_owned());
    }
    let Some(kind) = KINDS.iter().find(|kind| (kind.is_content)(content)) else {
        return Some("The content is none of PDF, image or Office file.".to_owned());
    };
    let (_, ending) = file_name.rsplit_once('.')?;
    let ending = ending.trim().to_ascii_lowercase();
    let has_ending = |kind: &&DocumentKind| kind.endings.contains(&ending.as_str());
    let named = KINDS.iter().find(has_ending)?;
    (!has_ending(&kind)).then(|| format!("The file name says {}, the content is {}.", named.name, kind.name))
}

fn near_an_end(content: &[u8], wanted: &[u8]) -> bool {
    let first = content.get(..LOOKED_AT).unwrap_or(content);
    let last = content.get(content.len().saturating_sub(LOOKED_AT)..).unwrap_or(content);
    contains(first, wanted) || contains(last, wanted)
}

fn contains(content: &[u8], wanted: &[u8]) -> bool {
    content.windows(wanted.len()).any(|window| window == wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_by_content() {
        for (content, kind) in [
            (&b"%PDF-1.7\n"[..], Some("a PDF")),
            (b"\xef\xbb\xbf  %PDF-1.4", Some("a PDF")),
            (b"\x89PNG\r\n\x1a\n....", Some("a PNG image")),
            (b"\xff\xd8\xff\xe0..JFIF", Some("a JPEG image")),
            (b"MM\0*....", Some("a TIFF image")),
            (b"RIFF\x10\0\0\0WEBPVP8 ", Some("a WebP image")),
            (b"\0\0\0\x18ftypheic", Some("an HEIC image")),
            (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", Some("an older Office file")),
            (b"{\\rtf1\\ansi", Some("an RTF file")),
            (b"PK\x03\x04\x14\0\x06\0........................[Content_Types].xml", Some("an Office file")),
            (b"PK\x03\x04 any other archive", None),
            (b"MZ\x90\0 a program", None),
            (b"<html>", None),
            (b"hello", None),
            (b"", None),
        ] {
            let found = KINDS.iter().find(|kind| (kind.is_content)(content)).map(|kind| kind.name);
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
                Some("The file name says a PDF, the content is a PNG image."),
            ),
            ("policy.pdf", b"hello", Some("The content is none of PDF, image or Office file.")),
            ("policy.pdf", b"", Some("The file is empty.")),
        ] {
            assert_eq!(document_fault(name, content).as_deref(), said, "{name}");
        }
        let large = vec![b'%'; crate::DOCUMENT_BYTES_MAX + 1];
        assert!(document_fault("x.pdf", &large).is_some_and(|why| why.contains("larger")));
    }
}
