//! A file too large to read at once, or requested in chunks: surveys it, then cuts it into chunks.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use bordereau_desk::sha256_of;
use bordereau_spreadsheets::{
    ChunkBounds, ChunkCutter, FileChunk, FileSurvey, ImportRefusal, ReadOptions, SurveyedFile, cut_file,
};

use crate::exit::CommandExit;
use crate::import_arguments::{ImportArguments, ReadingArguments};

/// Bytes read at a time.
const PIECE_BYTES: usize = 1 << 20;
/// A file up to this size has no more rows than can be read at once: each has a character and a line break.
const SHORT_BYTES: u64 = 2_000_000;
/// Default rows of a chunk.
const CHUNK_ROWS: u32 = 25_000;
/// Most bytes of a chunk's text.
const CHUNK_BYTES: usize = 16 << 20;

/// A file that is read in chunks.
#[derive(Clone, Debug)]
pub(crate) struct ChunkedFile {
    pub(crate) path: PathBuf,
    pub(crate) name: String,
    pub(crate) surveyed: SurveyedFile,
    pub(crate) sha256: String,
    pub(crate) chunk_rows: u32,
    options: ReadOptions,
    modified: Option<SystemTime>,
}

impl ChunkedFile {
    /// Estimated number of chunks: a record may have several lines.
    pub(crate) fn chunk_count(&self) -> u64 {
        let by_bytes = self.surveyed.bytes.div_ceil(CHUNK_BYTES as u64);
        self.surveyed.lines.div_ceil(u64::from(self.chunk_rows)).max(by_bytes)
    }
}

/// Surveys the file, if it is to be read in chunks.
pub(crate) async fn survey(
    paths: &[PathBuf],
    asked: &ImportArguments,
) -> Result<Option<ChunkedFile>, CommandExit> {
    let [path] = paths else {
        return match asked.chunk_rows {
            Some(_) => Err(CommandExit::usage_error("--chunk-rows goes with one file")),
            None => Ok(None),
        };
    };
    let size = std::fs::metadata(path).map_or(0, |found| found.len());
    if size <= SHORT_BYTES && asked.chunk_rows.is_none() {
        return Ok(None);
    }
    let (path, rows) = (path.clone(), asked.chunk_rows);
    let options = read_options(&asked.reading)?;
    let surveyed = tokio::task::spawn_blocking(move || survey_file(path, options, rows)).await;
    surveyed.map_err(|_| CommandExit::with_failure("the file could not be looked through"))?
}

fn survey_file(
    path: PathBuf,
    options: ReadOptions,
    rows: Option<u32>,
) -> Result<Option<ChunkedFile>, CommandExit> {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let refused = |refusal: &ImportRefusal| CommandExit::rejected(format!("{name}: {refusal}"));
    let mut file = open_file(&path)?;
    let modified = file.metadata().ok().and_then(|found| found.modified().ok());
    let mut survey = FileSurvey::default();
    let mut piece = vec![0; PIECE_BYTES];
    loop {
        let count = file.read(&mut piece).map_err(|error| unreadable(&path, &error))?;
        if count == 0 {
            break;
        }
        survey.push(piece.get(..count).unwrap_or_default()).map_err(|refusal| refused(&refusal))?;
    }
    let found = survey.finish(&options).map_err(|refusal| refused(&refusal))?;
    let Some(surveyed) = found.filter(|found| rows.is_some() || found.is_beyond_one_table()) else {
        return Ok(None);
    };
    let options = match options.header {
        Some(Some(line)) => {
            let row = surveyed.row_of_line(&options, line).map_err(|refusal| refused(&refusal))?;
            ReadOptions { header: Some(Some(row)), ..options }
        }
        _ => options,
    };
    let sha256 = sha256_of(open_file(&path)?).map_err(|error| unreadable(&path, &error))?;
    let chunk_rows = rows.unwrap_or(CHUNK_ROWS);
    Ok(Some(ChunkedFile { path, name, surveyed, sha256, chunk_rows, options, modified }))
}

/// Refuses devices, pipes and files on other computers.
fn open_file(path: &Path) -> Result<File, CommandExit> {
    bordereau_desk::files::open_chosen(path).map_err(|why| unreadable(path, &why))
}

fn unreadable(path: &Path, error: &dyn std::fmt::Display) -> CommandExit {
    CommandExit::with_failure(format!("{} cannot be read: {error}", path.display()))
}

/// Options for reading the file; the header is a line number of it.
pub(crate) fn read_options(reading: &ReadingArguments) -> Result<ReadOptions, CommandExit> {
    let delimiter = match reading.delimiter.as_deref() {
        None => None,
        Some("\\t") => Some('\t'),
        Some(given) => match given.as_bytes() {
            [only] if only.is_ascii() => Some(char::from(*only)),
            _ => return Err(CommandExit::usage_error("--delimiter is one character, such as ;")),
        },
    };
    let header = match reading.header_row.as_deref() {
        None => None,
        Some("none") => Some(None),
        Some(line) => {
            let line = line.parse().ok();
            Some(Some(line.ok_or_else(|| CommandExit::usage_error("--header-row is a row or none"))?))
        }
    };
    let (encoding, all_sheets) = (reading.encoding.clone(), reading.sheet.as_deref() == Some("*"));
    let sheet = reading.sheet.clone().filter(|_| !all_sheets);
    Ok(ReadOptions { sheet, encoding, delimiter, header, all_sheets, ..ReadOptions::default() })
}

/// Reads a file chunk by chunk.
pub(crate) struct ChunkReader {
    source: ChunkedFile,
    file: File,
    cutter: ChunkCutter,
    is_read: bool,
}

impl ChunkReader {
    pub(crate) fn open(source: &ChunkedFile) -> Result<ChunkReader, CommandExit> {
        let bounds = ChunkBounds { rows: source.chunk_rows, bytes: CHUNK_BYTES };
        let cutter = cut_file(&source.surveyed, &source.options, bounds)
            .map_err(|refusal| CommandExit::rejected(format!("{}: {refusal}", source.name)))?;
        Ok(ChunkReader { file: open_file(&source.path)?, source: source.clone(), cutter, is_read: false })
    }

    /// The next chunk; `None` at the end of the file.
    ///
    /// # Errors
    /// Where the file changed since it was surveyed.
    pub(crate) fn next_chunk(&mut self) -> Result<Option<FileChunk>, CommandExit> {
        self.check_unchanged()?;
        let name = &self.source.name;
        let mut piece = Vec::new();
        loop {
            let cut = self.cutter.next_chunk();
            let cut = cut.map_err(|refusal| CommandExit::rejected(format!("{name}: {refusal}")))?;
            if cut.is_some() || self.is_read {
                return Ok(cut);
            }
            piece.resize(PIECE_BYTES, 0);
            let count = self.file.read(&mut piece).map_err(|error| unreadable(&self.source.path, &error))?;
            match piece.get(..count) {
                Some(read) if count > 0 => self.cutter.push(read),
                _ => {
                    self.cutter.finish();
                    self.is_read = true;
                }
            }
        }
    }

    fn check_unchanged(&self) -> Result<(), CommandExit> {
        let found = self.file.metadata().map_err(|error| unreadable(&self.source.path, &error))?;
        if found.len() == self.source.surveyed.bytes && found.modified().ok() == self.source.modified {
            return Ok(());
        }
        Err(CommandExit::rejected(format!(
            "{} changed while it was read, so nothing more of it is sent; run the command again with the file as it \
             was, or with --start-over",
            self.source.name
        )))
    }
}
