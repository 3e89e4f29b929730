//! Bytes into text: which encoding, and why.

use std::borrow::Cow;

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};

use crate::detection::DetectedValue;
use crate::limits::DECODED_BYTES_MAX;
use crate::refusal::ImportRefusal;

/// Names of the encodings a person can choose.
pub const ENCODINGS: [&str; 4] = ["UTF-8", "UTF-16LE", "UTF-16BE", "windows-1252"];

/// Bytes decoded at a time.
const PIECE_BYTES: usize = 1 << 20;

/// Bytes as text, which is the bytes themselves where they are UTF-8: no second copy.
pub(crate) struct DecodedText<'b> {
    pub text: Cow<'b, str>,
    pub encoding: DetectedValue<String>,
    /// Whether bytes that did not fit may have become U+FFFD.
    pub replaced: bool,
}

/// The text, and the encoding it was read by. Bytes that do not fit become U+FFFD.
pub(crate) fn decode_bytes<'b>(
    bytes: Cow<'b, [u8]>,
    asked: Option<&str>,
) -> Result<DecodedText<'b>, ImportRefusal> {
    let (encoding, evidence) = match asked {
        Some(name) => (named_encoding(name)?, "chosen by you".to_owned()),
        None => match detect_encoding(&bytes) {
            Some(found) => found,
            None => return utf8_or_windows(bytes),
        },
    };
    let mark = mark_len(&bytes, encoding);
    let text = if encoding == UTF_8 && mark == 0 {
        match own_text(bytes) {
            Ok(text) => text,
            Err((bytes, _)) => decode_pieces(&bytes, encoding, DECODED_BYTES_MAX)?.into(),
        }
    } else {
        decode_pieces(&bytes[mark..], encoding, DECODED_BYTES_MAX)?.into()
    };
    Ok(DecodedText::new(text, encoding, evidence))
}

/// The bytes as the text that they are, or themselves and how many of them are UTF-8.
fn own_text(bytes: Cow<'_, [u8]>) -> Result<Cow<'_, str>, (Cow<'_, [u8]>, usize)> {
    match bytes {
        Cow::Borrowed(bytes) => std::str::from_utf8(bytes)
            .map(Cow::Borrowed)
            .map_err(|error| (Cow::Borrowed(bytes), error.valid_up_to())),
        Cow::Owned(bytes) => String::from_utf8(bytes).map(Cow::Owned).map_err(|error| {
            let at = error.utf8_error().valid_up_to();
            (Cow::Owned(error.into_bytes()), at)
        }),
    }
}

/// The encoding of this name.
pub(crate) fn named_encoding(name: &str) -> Result<&'static Encoding, ImportRefusal> {
    Encoding::for_label(name.as_bytes())
        .ok_or_else(|| ImportRefusal::UnknownEncoding(name.chars().take(40).collect()))
}

/// The text in pieces, as far as it may be kept. It may be longer than the file: two bytes of UTF-16
/// become three, and a byte that does not fit does.
fn decode_pieces(bytes: &[u8], encoding: &'static Encoding, most: usize) -> Result<String, ImportRefusal> {
    let mut decoder = encoding.new_decoder_without_bom_handling();
    // Room for all that may be kept, of which only what is written takes memory: growing would hold it twice.
    let room = bytes.len().saturating_mul(3).min(most) + 3 * PIECE_BYTES.min(bytes.len()) + 16;
    let mut text = String::with_capacity(room);
    let mut pieces = bytes.chunks(PIECE_BYTES).peekable();
    while let Some(piece) = pieces.next() {
        text.reserve(decoder.max_utf8_buffer_length(piece.len()).unwrap_or_default());
        let _ = decoder.decode_to_string(piece, &mut text, pieces.peek().is_none());
        if text.len() > most {
            return Err(ImportRefusal::TooMuchText { megabytes: most >> 20 });
        }
    }
    text.shrink_to_fit();
    Ok(text)
}

impl<'b> DecodedText<'b> {
    fn new(text: Cow<'b, str>, encoding: &'static Encoding, evidence: String) -> DecodedText<'b> {
        let may_be = memchr::memchr(REPLACEMENT_START, text.as_bytes()).is_some();
        let replaced = may_be && text.contains('\u{fffd}');
        let encoding = detected_encoding(encoding, evidence);
        DecodedText { text, encoding, replaced }
    }
}

/// The first byte of U+FFFD in UTF-8, which is quickly looked for in a large file.
const REPLACEMENT_START: u8 = 0xEF;

fn detected_encoding(encoding: &'static Encoding, evidence: String) -> DetectedValue<String> {
    DetectedValue::new(encoding.name().to_owned(), evidence, &ENCODINGS.map(str::to_owned))
}

/// Checked once: large files are looked through as seldom as can be.
fn utf8_or_windows(bytes: Cow<'_, [u8]>) -> Result<DecodedText<'_>, ImportRefusal> {
    match own_text(bytes) {
        Ok(text) => {
            if !text.is_ascii() {
                return Ok(DecodedText::new(text, UTF_8, "all bytes are valid UTF-8".to_owned()));
            }
            let encoding = detected_encoding(UTF_8, "only plain ASCII characters".to_owned());
            Ok(DecodedText { text, encoding, replaced: false })
        }
        Err((bytes, at)) => {
            let line = bytes[..at].iter().filter(|b| **b == b'\n').count() + 1;
            let mut count = Utf8Count::default();
            count.add(&bytes);
            let Utf8Count { good, bad } = count;
            if choose_encoding(&count) == UTF_8 {
                // A few bytes that are not: read as another encoding, all names of the others would be garbled
                // and no one is told. As UTF-8, the cells at fault are issues.
                let evidence = format!(
                    "{good} characters beyond ASCII are UTF-8; {bad} are not, the first in line {line}"
                );
                let text = decode_pieces(&bytes, UTF_8, DECODED_BYTES_MAX)?;
                return Ok(DecodedText::new(text.into(), UTF_8, evidence));
            }
            let evidence = format!("the byte {:#04X} in line {line} is not UTF-8", bytes[at]);
            let text = decode_pieces(&bytes, WINDOWS_1252, DECODED_BYTES_MAX)?;
            Ok(DecodedText::new(text.into(), WINDOWS_1252, evidence))
        }
    }
}

/// So many places that are not UTF-8 may stand beside one that is. In Windows-1252 two letters beyond ASCII seldom
/// follow one another, and more seldom make a character of UTF-8.
const MIXED: usize = 4;

/// How many characters beyond ASCII are UTF-8, and how many places are not.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Utf8Count {
    good: usize,
    bad: usize,
}

impl Utf8Count {
    /// Counts those of a text that is not cut within a character.
    pub(crate) fn add(&mut self, bytes: &[u8]) {
        if bytes.is_ascii() {
            return;
        }
        for chunk in bytes.utf8_chunks() {
            self.good += chunk.valid().chars().filter(|c| !c.is_ascii()).count();
            self.bad += usize::from(!chunk.invalid().is_empty());
        }
    }
}

/// The encoding of a text without a byte order mark.
pub(crate) fn choose_encoding(count: &Utf8Count) -> &'static Encoding {
    let is_utf8 = count.bad == 0 || (count.good * MIXED >= count.bad && count.good > 0);
    if is_utf8 { UTF_8 } else { WINDOWS_1252 }
}

fn mark_len(bytes: &[u8], encoding: &'static Encoding) -> usize {
    match Encoding::for_bom(bytes) {
        Some((marked, len)) if marked == encoding => len,
        _ => 0,
    }
}

/// What the first bytes say; `None` where all of them have to be looked at.
pub(crate) fn detect_encoding(bytes: &[u8]) -> Option<(&'static Encoding, String)> {
    if let Some((encoding, _)) = Encoding::for_bom(bytes) {
        return Some((encoding, format!("the file begins with the byte order mark of {}", encoding.name())));
    }
    let sample = &bytes[..bytes.len().min(4096)];
    let zeros = |offset: usize| sample.iter().skip(offset).step_by(2).filter(|b| **b == 0).count();
    let half = sample.len() / 2;
    let (even, odd) = (zeros(0), zeros(1));
    // Where both are, the file ends in zeros: it was not written to its end, and is no UTF-16.
    let is_mostly = |zeros: usize, others: usize| zeros * 10 > half * 4 && others * 10 < half;
    if half > 0 && (is_mostly(odd, even) || is_mostly(even, odd)) {
        let encoding = if odd > even { UTF_16LE } else { UTF_16BE };
        let evidence = "every other byte is zero, as in UTF-16 without a byte order mark";
        return Some((encoding, evidence.to_owned()));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_in_pieces_is_the_text() {
        let words = "é€𝄞 x".repeat(PIECE_BYTES / 5);
        let wide: Vec<u8> = words.encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert!(wide.len() > PIECE_BYTES && words.len() > PIECE_BYTES);
        assert_eq!(decode_pieces(&wide, UTF_16LE, usize::MAX).unwrap(), words);
        assert_eq!(decode_pieces(words.as_bytes(), UTF_8, usize::MAX).unwrap(), words);
        // Cut in a character, and a byte that is none.
        let cut = &wide[..wide.len() - 1];
        assert_eq!(decode_pieces(cut, UTF_16LE, usize::MAX).unwrap(), UTF_16LE.decode(cut).0);
        assert_eq!(decode_pieces(b"a\xffb\xe2\x82", UTF_8, usize::MAX).unwrap(), "a\u{fffd}b\u{fffd}");
    }

    #[test]
    fn a_file_whose_text_is_much_longer_is_refused() {
        let refusal = decode_pieces(&[0xff; 30], UTF_8, 80).unwrap_err();
        assert_eq!(refusal, ImportRefusal::TooMuchText { megabytes: 0 });
    }
}
