//! A file looked through piece by piece before it is read in chunks: how long it is, and in which encoding.

use encoding_rs::Encoding;

use crate::encoding::{Utf8Count, choose_encoding, detect_encoding, named_encoding};
use crate::file_check::{is_workbook, other_kind};
use crate::limits::{FILE_BYTES_MAX, LINE_BYTES_MAX, ROWS_MAX};
use crate::refusal::ImportRefusal;
use crate::source::ReadOptions;

/// Bytes kept from the beginning: what detects delimiter and headers.
const START_BYTES: usize = 1 << 20;

/// A file of which some pieces were seen.
#[derive(Debug, Default)]
pub struct FileSurvey {
    bytes: u64,
    lines: u64,
    start: Vec<u8>,
    /// Behind the last line break: a character may be cut in it.
    rest: Vec<u8>,
    utf8: Utf8Count,
    /// The last one seen was a carriage return: a line feed behind it is no line break of its own.
    is_after_return: bool,
}

/// A file that was looked through.
#[derive(Clone, Debug)]
pub struct SurveyedFile {
    /// Its size.
    pub bytes: u64,
    /// Its lines; each record has one or more.
    pub lines: u64,
    pub(crate) start: Vec<u8>,
    pub(crate) encoding: &'static Encoding,
}

impl FileSurvey {
    /// Looks at the next piece.
    ///
    /// # Errors
    /// [`ImportRefusal::LineTooLong`].
    pub fn push(&mut self, piece: &[u8]) -> Result<(), ImportRefusal> {
        self.bytes += piece.len() as u64;
        let room = START_BYTES.saturating_sub(self.start.len());
        self.start.extend_from_slice(piece.get(..room.min(piece.len())).unwrap_or_default());
        if is_workbook(&self.start) {
            // It has no lines of a table.
            return Ok(());
        }
        let Some(last) = memchr::memrchr2(b'\n', b'\r', piece) else {
            self.rest.extend_from_slice(piece);
            return self.check_line(self.rest.len());
        };
        let (whole, rest) = piece.split_at(last + 1);
        self.rest.extend_from_slice(whole);
        let seen = std::mem::replace(&mut self.rest, rest.to_vec());
        self.count_lines(&seen)
    }

    fn count_lines(&mut self, seen: &[u8]) -> Result<(), ImportRefusal> {
        let mut begin = 0;
        for end in memchr::memchr2_iter(b'\n', b'\r', seen).chain([seen.len()]) {
            self.check_line(end - begin)?;
            let found = seen.get(end);
            // Of a carriage return and a line feed one counts.
            let is_pair = self.is_after_return && end == begin && found == Some(&b'\n');
            self.lines += u64::from(found.is_some() && !is_pair);
            // A piece may end right behind a carriage return, and the next one begin with the line feed.
            if end > begin || found.is_some() {
                self.is_after_return = found == Some(&b'\r');
            }
            begin = end + 1;
        }
        self.utf8.add(seen);
        Ok(())
    }

    fn check_line(&self, length: usize) -> Result<(), ImportRefusal> {
        if length <= LINE_BYTES_MAX {
            return Ok(());
        }
        let line = usize::try_from(self.lines + 1).unwrap_or(usize::MAX);
        Err(ImportRefusal::LineTooLong { line, megabytes: LINE_BYTES_MAX >> 20 })
    }

    /// What was seen; `None` for a workbook or an archive, which is not read in chunks.
    ///
    /// # Errors
    /// [`ImportRefusal`] for what is no table, and for an encoding that is not known.
    pub fn finish(mut self, options: &ReadOptions) -> Result<Option<SurveyedFile>, ImportRefusal> {
        if is_workbook(&self.start) {
            return Ok(None);
        }
        let rest = std::mem::take(&mut self.rest);
        if !rest.is_empty() {
            self.count_lines(&rest)?;
            self.lines += 1;
        }
        if self.start.iter().all(u8::is_ascii_whitespace) && self.bytes <= START_BYTES as u64 {
            return Err(ImportRefusal::Empty);
        }
        if let Some(found) = other_kind(&self.start) {
            return Err(ImportRefusal::NotATable { found: found.to_owned() });
        }
        let encoding = match &options.encoding {
            Some(name) => named_encoding(name)?,
            None => match detect_encoding(&self.start) {
                Some((encoding, _)) => encoding,
                None => choose_encoding(&self.utf8),
            },
        };
        Ok(Some(SurveyedFile { bytes: self.bytes, lines: self.lines, start: self.start, encoding }))
    }
}

impl SurveyedFile {
    /// Whether it is more than is read at once.
    pub fn is_beyond_one_table(&self) -> bool {
        self.bytes > FILE_BYTES_MAX as u64 || self.lines > ROWS_MAX as u64
    }
}
