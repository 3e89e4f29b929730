//! A look at the beginning of a large file, while the rest is still being read.
//!
//! The rows of a look are the rows [`read`](crate::read) gives, and what is detected and found in them is the same,
//! but for what [`Rest::may_change`] names: that is for the rows further down to settle. A later row may be wider
//! than all of these, which adds columns at the right; blank rows at the end of a look are left out.

use crate::columns;
use crate::delimited;
use crate::encoding;
use crate::header::ROWS_LOOKED_AT;
use crate::limits::{FILE_BYTES_MAX, LOOK_BYTES, LOOK_ROWS, SAMPLE_BYTES, SAMPLE_ROWS};
use crate::mapping::Grouping;
use crate::refusal::Refusal;
use crate::review::Review;
use crate::source::{ReadOptions, Source, is_workbook, of_text, other_kind, read};

/// The first rows of a file.
#[derive(Clone, Debug)]
pub struct Look {
    /// The first rows, as a source of their own: a mapping can be proposed for it, and it can be reviewed.
    pub source: Source,
    /// What was not looked at; `None` where these are all rows of the file.
    pub rest: Option<Rest>,
}

/// The rest of a file that was looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rest {
    /// Whether no byte further down can make the first rows read as other text.
    is_encoding_settled: bool,
}

/// What only the rest of a file can settle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unsettled {
    /// Bytes further down may show that the text is of another encoding.
    Encoding,
    /// Amounts further down may say which character is the decimal mark.
    DecimalMark,
    /// A date further down may decide the order of day and month, or contradict what is taken for it.
    DateOrder,
    /// Rows further down may belong to transactions of these.
    Grouping,
}

impl Rest {
    /// What the rest may change in the rows that were looked at.
    #[must_use]
    pub fn may_change(self, review: &Review) -> Vec<Unsettled> {
        let (source, layout, mapping) = (review.source(), review.layout(), review.mapping());
        let questions = [
            (Unsettled::Encoding, self.is_encoding_settled),
            (Unsettled::DecimalMark, columns::is_decimal_mark_settled(source, mapping)),
            (Unsettled::DateOrder, columns::is_date_order_settled(source, layout, mapping)),
            (Unsettled::Grouping, mapping.grouping == Grouping::None),
        ];
        questions.into_iter().filter(|(_, is_settled)| !is_settled).map(|(open, _)| open).collect()
    }
}

/// Reads the first rows of a file from its first bytes: as many as [`ReadOptions::first_rows`] says, or
/// [`LOOK_ROWS`], with which detection sees as much as in the whole.
///
/// `beginning` is the file's first [`LOOK_BYTES`], or all of it, and `size` the whole file's bytes. It takes a few
/// milliseconds, however large the file is. `None` where the beginning alone does not say enough: a workbook of which
/// a part is missing (its directory stands at its end), rows of tens of thousands of bytes, a quote that stays open.
///
/// # Errors
/// [`Refusal`] where [`read`](crate::read) refuses the whole file for what its beginning says.
pub fn look(
    file: &str,
    beginning: &[u8],
    size: usize,
    options: &ReadOptions,
) -> Result<Option<Look>, Refusal> {
    if size > FILE_BYTES_MAX {
        return Err(Refusal::TooLarge { megabytes: size.div_ceil(1 << 20) });
    }
    let most = options.first_rows.unwrap_or(LOOK_ROWS);
    let options = ReadOptions { first_rows: Some(most), ..options.clone() };
    let has_all = beginning.len() >= size;
    if has_all && (is_workbook(beginning) || size <= LOOK_BYTES) {
        let source = read(file, beginning.to_vec(), &options)?;
        let rest = (source.table.row_count() >= most).then_some(Rest { is_encoding_settled: true });
        return Ok(Some(Look { source, rest }));
    }
    let first = first_lines(&beginning[..beginning.len().min(LOOK_BYTES)]);
    if is_workbook(first) || first.iter().all(|byte| *byte == 0 || byte.is_ascii_whitespace()) {
        return Ok(None);
    }
    if let Some(found) = other_kind(first) {
        return Err(Refusal::NotATable { found: found.to_owned() });
    }
    let asked = options.encoding.as_deref();
    let rest = Rest { is_encoding_settled: encoding::is_settled(first, asked) };
    let mut decoded = encoding::decode(first.to_vec(), asked)?;
    let end = decoded.text.rfind('\n').map_or(0, |at| at + 1);
    decoded.text.truncate(end);
    if end < SAMPLE_BYTES {
        return Ok(None);
    }
    let read = |text, separator| delimited::read_beginning(text, separator, most);
    let source = match of_text(file, decoded, &options, read) {
        // Its first row goes on behind the beginning.
        Err(Refusal::Empty) => return Ok(None),
        source => source?,
    };
    let is_enough = source.table.row_count() >= most.min(ROWS_LOOKED_AT + 1 + SAMPLE_ROWS / 10);
    Ok(is_enough.then_some(Look { source, rest: Some(rest) }))
}

/// The whole lines of a file's first bytes. In UTF-16 the last of them may lack its last byte, and is left out later.
fn first_lines(beginning: &[u8]) -> &[u8] {
    let end = memchr::memrchr(b'\n', beginning).map_or(0, |at| at + 1);
    beginning.get(..end).unwrap_or_default()
}
