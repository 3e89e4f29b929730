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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DocumentKind {
    /// Portable Document Format.
    Pdf,
    /// PNG image.
    Png,
    /// JPEG image.
    Jpeg,
    /// GIF image.
    Gif,
    /// TIFF image, as fax and scanner programs write it.
    Tiff,
    /// WebP image.
    Webp,
    /// BMP image.
    Bmp,
    /// HEIC or HEIF image, as phones write it.
    Heic,
    /// Word, Excel and PowerPoint since 2007.
    OpenXml,
    /// OpenDocument text, table or presentation.
    OpenDocument,
    /// Word, Excel, PowerPoint and Outlook messages of the older form.
    Ole,
    /// Rich Text Format.
    Rtf,
}

impl DocumentKind {
    /// The kind of a file, by its content; none where the import does not take it.
    pub fn from_content(content: &[u8]) -> Option<DocumentKind> {
        use DocumentKind as K;
        let begins = |magic: &[u8]| content.starts_with(magic);
        let at =
            |place: usize, magic: &[u8]| content.get(place..).is_some_and(|rest| rest.starts_with(magic));
        // Some programs write a few bytes before the PDF begins; readers look through the first 1,024.
        if contains(content.get(..1_029).unwrap_or(content), b"%PDF-") {
            return Some(K::Pdf);
        }
        [
            (K::Png, begins(b"\x89PNG\r\n\x1a\n")),
            (K::Jpeg, begins(b"\xff\xd8\xff")),
            (K::Gif, begins(b"GIF87a") || begins(b"GIF89a")),
            (K::Tiff, begins(b"II*\0") || begins(b"MM\0*")),
            (K::Webp, begins(b"RIFF") && at(8, b"WEBP")),
            (K::Bmp, begins(b"BM") && at(6, b"\0\0\0\0")),
            (K::Heic, [b"ftyphe", b"ftypmi"].iter().any(|brand| at(4, *brand))),
            (K::Ole, begins(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")),
            (K::Rtf, begins(b"{\\rtf")),
            (K::OpenDocument, begins(b"PK\x03\x04") && at(30, b"mimetypeapplication/vnd.oasis.opendocument")),
            (K::OpenXml, begins(b"PK\x03\x04") && near_an_end(content, b"[Content_Types].xml")),
        ]
        .into_iter()
        .find_map(|(kind, found)| found.then_some(kind))
    }

    /// What it is called in a sentence.
    pub const fn name_in_sentence(self) -> &'static str {
        match self {
            DocumentKind::Pdf => "a PDF",
            DocumentKind::Png => "a PNG image",
            DocumentKind::Jpeg => "a JPEG image",
            DocumentKind::Gif => "a GIF image",
            DocumentKind::Tiff => "a TIFF image",
            DocumentKind::Webp => "a WebP image",
            DocumentKind::Bmp => "a BMP image",
            DocumentKind::Heic => "an HEIC image",
            DocumentKind::OpenXml => "an Office file",
            DocumentKind::OpenDocument => "an OpenDocument file",
            DocumentKind::Ole => "an older Office file",
            DocumentKind::Rtf => "an RTF file",
        }
    }

    /// Endings of file names of this kind, in lower case.
    pub const fn file_extensions(self) -> &'static [&'static str] {
        match self {
            DocumentKind::Pdf => &["pdf"],
            DocumentKind::Png => &["png"],
            DocumentKind::Jpeg => &["jpg", "jpeg", "jpe", "jfif"],
            DocumentKind::Gif => &["gif"],
            DocumentKind::Tiff => &["tif", "tiff"],
            DocumentKind::Webp => &["webp"],
            DocumentKind::Bmp => &["bmp"],
            DocumentKind::Heic => &["heic", "heif"],
            DocumentKind::OpenXml => &["docx", "docm", "dotx", "xlsx", "xlsm", "xlsb", "pptx", "pptm"],
            DocumentKind::OpenDocument => &["odt", "ods", "odp"],
            DocumentKind::Ole => &["doc", "dot", "xls", "ppt", "msg"],
            DocumentKind::Rtf => &["rtf", "doc"],
        }
    }

    const ALL: [DocumentKind; 12] = [
        DocumentKind::Pdf,
        DocumentKind::Png,
        DocumentKind::Jpeg,
        DocumentKind::Gif,
        DocumentKind::Tiff,
        DocumentKind::Webp,
        DocumentKind::Bmp,
        DocumentKind::Heic,
        DocumentKind::OpenXml,
        DocumentKind::OpenDocument,
        DocumentKind::Ole,
        DocumentKind::Rtf,
    ];
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
    let Some(kind) = DocumentKind::from_content(content) else {
        return Some("The content is none of PDF, image or Office file.".to_owned());
    };
    let (_, ending) = file_name.rsplit_once('.')?;
    let ending = ending.trim().to_ascii_lowercase();
    let said =
        DocumentKind::ALL.into_iter().find(|kind| kind.file_extensions().contains(&ending.as_str()))?;
    if kind.file_extensions().contains(&ending.as_str()) {
        return None;
    }
    Some(format!(
        "The file name says {}, the content is {}.",
        said.name_in_sentence(),
        kind.name_in_sentence()
    ))
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
            (&b"%PDF-1.7\n"[..], Some(DocumentKind::Pdf)),
            (b"\xef\xbb\xbf  %PDF-1.4", Some(DocumentKind::Pdf)),
            (b"\x89PNG\r\n\x1a\n....", Some(DocumentKind::Png)),
            (b"\xff\xd8\xff\xe0..JFIF", Some(DocumentKind::Jpeg)),
            (b"MM\0*....", Some(DocumentKind::Tiff)),
            (b"RIFF\x10\0\0\0WEBPVP8 ", Some(DocumentKind::Webp)),
            (b"\0\0\0\x18ftypheic", Some(DocumentKind::Heic)),
            (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", Some(DocumentKind::Ole)),
            (b"{\\rtf1\\ansi", Some(DocumentKind::Rtf)),
            (
                b"PK\x03\x04\x14\0\x06\0........................[Content_Types].xml",
                Some(DocumentKind::OpenXml),
            ),
            (b"PK\x03\x04 any other archive", None),
            (b"MZ\x90\0 a program", None),
            (b"<html>", None),
            (b"hello", None),
            (b"", None),
        ] {
            assert_eq!(DocumentKind::from_content(content), kind, "{}", String::from_utf8_lossy(content));
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
