//! Where in its file a chunk is.

use serde::{Deserialize, Serialize};

/// Where in its file a chunk is that begins with the rows up to the file's headers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChunkPlace {
    /// Rows up to the headers.
    pub head_rows: u32,
    /// Bytes of text that these rows have: a quote that stays open in them is not closed by one behind them.
    pub head_bytes: usize,
    /// The line of the first row behind them, as the file counts it.
    pub first_line: u32,
}
