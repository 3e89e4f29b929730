//! Inspects a file while it is read: its size, its kind by content, whether it is whole. Its name only has to agree.

use bordereau_contract::{
    ARCHIVE_MARK, DOCUMENT_HEAD_BYTES, DOCUMENT_MARK_BYTES_MAX, DocumentKind, contains_bytes,
    document_size_fault,
};
use sha2::{Digest, Sha256};

/// Files that states accept.
const ACCEPTED: &str = "Documents are PDF, images (PNG, JPEG, TIFF, GIF, BMP, WebP, HEIC) or Office files (Word, \
                        Excel, PowerPoint, OpenDocument, RTF).";
/// Bytes at the end that are kept: an archive's list of parts is there, before a comment of at most 64 KiB.
const TAIL: usize = 66_000;
/// A PDF's end mark is within this many bytes of the end.
const PDF_MARK_WITHIN: usize = 4_096;

/// Extensions of all accepted kinds, for dialogs.
pub fn accepted_extensions() -> Vec<String> {
    let all = DocumentKind::ALL.iter().flat_map(|kind| kind.extensions);
    let mut extensions: Vec<String> = Vec::new();
    for extension in all {
        if !extensions.iter().any(|known| known == extension) {
            extensions.push((*extension).to_owned());
        }
    }
    extensions
}

/// A file that may be sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckedFile {
    /// Its kind by content.
    pub kind: DocumentKind,
    /// Safe on every system, with an extension that fits.
    pub file_name: String,
    /// Size in bytes.
    pub bytes: u64,
    /// Hexadecimal.
    pub sha256: String,
}

/// SHA-256 of what is read piece by piece, hexadecimal.
pub fn sha256_of(mut source: impl std::io::Read) -> std::io::Result<String> {
    let mut hasher = Sha256::new();
    std::io::copy(&mut source, &mut hasher)?;
    Ok(hex_digest(hasher))
}

fn hex_digest(hasher: Sha256) -> String {
    bordereau_contract::hex_text(&hasher.finalize())
}

/// Inspects a file while it is read piece by piece: keeps its two ends, its hash, and the parts that tell archives
/// apart. Stays small however large the file is.
#[derive(Default)]
pub struct FileInspector {
    hasher: Sha256,
    bytes: u64,
    head: Vec<u8>,
    tail: Vec<u8>,
    /// End of the previous piece, where a mark may begin.
    seam: Vec<u8>,
    /// Names of parts of an archive that were found.
    parts: Vec<&'static [u8]>,
}

impl FileInspector {
    /// The next piece.
    pub fn add_piece(&mut self, piece: &[u8]) {
        self.hasher.update(piece);
        self.bytes += piece.len() as u64;
        let room = DOCUMENT_HEAD_BYTES.saturating_sub(self.head.len()).min(piece.len());
        self.head.extend_from_slice(piece.get(..room).unwrap_or_default());
        if self.head.starts_with(ARCHIVE_MARK) {
            self.look_for_parts(piece);
        }
        keep_last_bytes(&mut self.tail, piece, TAIL);
    }

    fn look_for_parts(&mut self, piece: &[u8]) {
        // Look again only at bytes that may hold a mark across the border.
        let begins = piece.get(..piece.len().min(DOCUMENT_MARK_BYTES_MAX)).unwrap_or_default();
        let border = [self.seam.as_slice(), begins].concat();
        for part in DocumentKind::archive_parts() {
            if !self.parts.contains(&part) && (contains_bytes(&border, part) || contains_bytes(piece, part)) {
                self.parts.push(part);
            }
        }
        keep_last_bytes(&mut self.seam, piece, DOCUMENT_MARK_BYTES_MAX);
    }

    /// Concludes the kind after the last piece; `name` is the file's own.
    ///
    /// # Errors
    /// A sentence on why it can't be sent.
    pub fn finish_check(self, name: &str) -> Result<CheckedFile, String> {
        if let Some(fault) = document_size_fault(self.bytes) {
            return Err(fault.to_owned());
        }
        let kind = self.detect_kind()?;
        let file_name = safe_name(name, kind)?;
        Ok(CheckedFile { kind, file_name, bytes: self.bytes, sha256: hex_digest(self.hasher) })
    }

    fn detect_kind(&self) -> Result<DocumentKind, String> {
        let is_archive = self.head.starts_with(ARCHIVE_MARK);
        if is_archive && !contains_bytes(&self.tail, b"PK\x05\x06") {
            return Err("The file is incomplete and can't be read. Save or copy it again.".to_owned());
        }
        let end = self.tail.get(self.tail.len().saturating_sub(PDF_MARK_WITHIN)..).unwrap_or_default();
        match DocumentKind::detect(&self.head, |part| self.parts.contains(&part)) {
            Some(kind) if kind.has_extension("pdf") && !contains_bytes(end, b"%%EOF") => {
                Err("The PDF is incomplete and can't be read. Save or scan it again.".to_owned())
            }
            Some(kind) => Ok(kind),
            None if is_archive => {
                Err(format!("It's an archive: unpack it and upload the documents in it. {ACCEPTED}"))
            }
            None => Err(format!("{} {ACCEPTED}", describe_content(&self.head))),
        }
    }
}

/// Keeps the last `most` bytes.
fn keep_last_bytes(end: &mut Vec<u8>, piece: &[u8], most: usize) {
    if piece.len() >= most {
        end.clear();
    }
    let over = (end.len() + piece.len().min(most)).saturating_sub(most);
    end.drain(..over);
    end.extend_from_slice(piece.get(piece.len().saturating_sub(most)..).unwrap_or_default());
}

/// The file's name made safe, with an extension that fits its kind.
fn safe_name(name: &str, kind: DocumentKind) -> Result<String, String> {
    let usual = kind.extensions.first().copied().unwrap_or_default();
    let safe = bordereau_client::safe_file_name(name);
    let safe = if safe.is_empty() { "document".to_owned() } else { safe };
    let extension = crate::files::file_extension(&safe).unwrap_or_default();
    if kind.has_extension(&extension) {
        return Ok(safe);
    }
    match DocumentKind::by_extension(&extension) {
        Some(named) => Err(format!(
            "It's named as {} (.{extension}), but its content is {}. Rename it to .{usual} if that's right.",
            named.with_article(),
            kind.with_article()
        )),
        None => Ok(format!("{safe}.{usual}")),
    }
}

fn describe_content(content: &[u8]) -> &'static str {
    match content {
        [b'M', b'Z', ..] | [0x7f, b'E', b'L', b'F', ..] => "It is a program, not a document.",
        [b'<', ..] => "It is a web page or XML, not a document.",
        _ if content.iter().take(1_024).all(|byte| byte.is_ascii_graphic() || byte.is_ascii_whitespace()) => {
            "It is plain text, not a document: print it to PDF."
        }
        _ => "Its content isn't a known type of document.",
    }
}

/// The code that the words of a file name suggest.
pub fn code_by_name(file_name: &str, codes: &[String]) -> String {
    let name = file_name.to_ascii_lowercase();
    let words: Vec<&str> =
        name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|w| !w.is_empty()).collect();
    let has_code = |code: &&String| {
        let code = code.to_ascii_lowercase();
        words.contains(&code.as_str()) || words.windows(2).any(|pair| pair.concat() == code)
    };
    if let Some(code) = codes.iter().find(has_code) {
        return code.clone();
    }
    let guesses: [(&[&str], &[&str]); 4] = [
        (&["policy", "polic", "dec", "declarations", "binder"], &["POLIC"]),
        (&["affidavit"], &["AFFIDC", "AFFIDCA"]),
        (&["diligent", "declination", "declinations", "search"], &["DEF", "DILEF", "DSF", "SL2"]),
        (&["disclosure"], &["DISCL", "D1DISC"]),
    ];
    let fits = |(marks, _): &&(&[&str], &[&str])| marks.iter().any(|mark| words.contains(mark));
    let guessed = guesses.iter().filter(fits).flat_map(|(_, codes)| codes.iter());
    let mut known = guessed.filter_map(|guess| codes.iter().find(|code| code.as_str() == *guess));
    known.next().cloned().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks it all at once, and in pieces that are each too small to identify it.
    fn check(name: &str, content: &[u8]) -> Result<CheckedFile, String> {
        let looked = |size: usize| {
            let mut look = FileInspector::default();
            content.chunks(size).for_each(|piece| look.add_piece(piece));
            look.finish_check(name)
        };
        let whole = looked(content.len().max(1));
        for size in [1, 7, 40, 1_000].into_iter().filter(|size| content.len() / size < 10_000) {
            assert_eq!(looked(size), whole, "{name} in pieces of {size}");
        }
        whole
    }

    const WHOLE: &[u8] = b"%PDF-1.7\n1 0 obj\nendobj\ntrailer\n%%EOF\n";

    fn office(part: &str) -> Vec<u8> {
        [b"PK\x03\x04...[Content_Types].xml...", part.as_bytes(), b"...PK\x05\x06...................."]
            .concat()
    }

    #[test]
    fn what_a_file_is_by_its_content() {
        let (word, sheet) = (office("word/document.xml"), office("xl/workbook.xml"));
        let open = office("mimetypeapplication/vnd.oasis.opendocument.text");
        let cases: &[(&str, &[u8], &str, &str)] = &[
            ("Policy 1.pdf", WHOLE, "PDF document", "Policy 1.pdf"),
            ("POLICY.PDF", WHOLE, "PDF document", "POLICY.PDF"),
            ("scan", WHOLE, "PDF document", "scan.pdf"),
            ("policy.2026", WHOLE, "PDF document", "policy.2026.pdf"),
            ("a.png", b"\x89PNG\r\n\x1a\n....", "PNG image", "a.png"),
            ("a.jpeg", b"\xff\xd8\xff\xe0....", "JPEG image", "a.jpeg"),
            ("a.tif", b"II*\0....", "TIFF image", "a.tif"),
            ("a.docx", &word, "Word document", "a.docx"),
            ("a.xlsx", &sheet, "Excel workbook", "a.xlsx"),
            ("a.odt", &open, "OpenDocument text", "a.odt"),
            ("a.doc", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1....", "Office document (older format)", "a.doc"),
            ("a.rtf", b"{\\rtf1 x}", "RTF document", "a.rtf"),
            ("a.doc", b"{\\rtf1 x}", "RTF document", "a.doc"),
            ("photo.HEIC", b"\0\0\0\x18ftypheic....", "HEIC image", "photo.HEIC"),
            ("../../etc/policy.pdf", WHOLE, "PDF document", "policy.pdf"),
            ("C:\\secret\\policy.pdf", WHOLE, "PDF document", "policy.pdf"),
            ("policy\u{202e}fdp.pdf", WHOLE, "PDF document", "policyfdp.pdf"),
            ("con.pdf", WHOLE, "PDF document", "_con.pdf"),
            ("...", WHOLE, "PDF document", "document.pdf"),
        ];
        for (name, content, kind, file_name) in cases {
            let found = check(name, content).unwrap();
            assert_eq!((found.kind.name, found.file_name.as_str()), (*kind, *file_name), "{name}");
            assert_eq!(found.sha256.len(), 64);
        }
    }

    #[test]
    fn what_is_refused_says_why() {
        let (archive, sheet) = (office("notes.txt"), office("xl/workbook.xml"));
        let cases: &[(&str, &[u8], &str)] = &[
            ("a.pdf", b"", "empty"),
            ("a.pdf", b"%PDF-1.7 and then nothing", "is incomplete"),
            ("a.pdf", b"MZ\x90\0", "a program"),
            ("a.pdf", b"\x7fELF....", "a program"),
            ("a.pdf", b"just text", "plain text"),
            ("a.html", b"<html>", "web page"),
            ("a.docx", b"PK\x03\x04 and then nothing", "is incomplete"),
            ("a.zip", &archive, "an archive"),
            ("a.pdf", &sheet, "named as a PDF document (.pdf), but its content is an Excel workbook"),
            ("a.png", WHOLE, "named as a PNG image (.png), but its content is a PDF document"),
            ("a.pdf", b"\x00\x01\x02\xff", "isn't a known type of document"),
        ];
        for (name, content, expected) in cases {
            let found = check(name, content).unwrap_err();
            assert!(found.contains(expected), "{name}: {found}");
        }
    }

    #[test]
    fn the_ends_of_a_large_file_are_enough() {
        let filling = vec![b' '; 200_000];
        let cases: [(&[u8], &[u8], bool); 4] = [
            (b"%PDF-1.7\n", b"%%EOF\n", true),
            (b"%PDF-1.7\n%%EOF\n", b"", false),
            (b"PK\x03\x04 word/document.xml", b"PK\x05\x06", true),
            (b"PK\x03\x04 PK\x05\x06 word/document.xml", b"", false),
        ];
        for (begins, ends, is_whole) in cases {
            let content = [begins, &filling, ends].concat();
            let found = check("file", &content);
            assert_eq!(found.is_ok(), is_whole, "{found:?}");
            let known = found.is_ok_and(|found| found.bytes == content.len() as u64);
            assert_eq!(known, is_whole);
        }
    }

    #[test]
    fn a_name_tells_the_code() {
        let codes: Vec<String> = ["POLIC", "DEF", "SL2"].map(str::to_owned).to_vec();
        for (name, expected) in [
            ("Policy POL-1.pdf", "POLIC"),
            ("P-1_POLIC.pdf", "POLIC"),
            ("SL-2 signed.pdf", "SL2"),
            ("diligent search.pdf", "DEF"),
            ("photo.jpg", ""),
            ("disclosure.pdf", ""),
        ] {
            assert_eq!(code_by_name(name, &codes), expected, "{name}");
        }
    }
}
