//! Reads workbooks and an agency's own PDFs in a separate process of the same program, with limits on memory and
//! time. A file made to exhaust them ends that process, and becomes an error message here. Programs that can serve
//! as that process ([`READ_WORKBOOK`], [`FILL_PDF`]) declare it at start by [`run_if_requested`]; without one, as in
//! a library's tests, only the readers' own limits apply.

use std::cell::Cell;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::PathBuf;
use std::process::{ChildStdout, Command, ExitCode, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use bordereau_forms::{AcroFormError, PdfFieldValue};
use bordereau_spreadsheets::limits::FILE_BYTES_MAX;
use bordereau_spreadsheets::{ImportRefusal, SheetRequest, SheetSink, receive_workbook, send_workbook};

/// Argument that starts a program as reader of one workbook.
pub const READ_WORKBOOK: &str = "--read-workbook";
/// Argument that starts a program to fill one PDF.
pub const FILL_PDF: &str = "--fill-pdf";
/// Request to read all sheets of a workbook.
const ALL: &str = "all";
/// Prefix of a request to read one sheet by name.
const NAMED: &str = "named ";
/// Bytes of a request besides the file: a sheet's name, the values of fields.
const QUESTION_BYTES_MAX: u32 = 1 << 20;
/// Bytes of a filled PDF: its packed parts may be unpacked in it.
const FILLED_BYTES_MAX: u32 = 64 << 20;
/// Time a process may need to start on a slow machine.
const PROCESS_START: Duration = Duration::from_millis(100);
/// How often the reader checks its own usage.
const LOOK_AGAIN: Duration = Duration::from_millis(10);

/// Whether this program answers [`READ_WORKBOOK`] and [`FILL_PDF`].
static IS_ANSWERED: AtomicBool = AtomicBool::new(false);

/// Does the work and writes the result.
type ReaderAnswer = fn(ReaderRequest, &mut dyn Write) -> io::Result<()>;

/// Must be called first by every program. If the program was started as a reader, does that work and returns the
/// exit code.
pub fn run_if_requested() -> Option<ExitCode> {
    IS_ANSWERED.store(true, Ordering::Relaxed);
    let argument = std::env::args_os().nth(1)?;
    let (answer, limits): (ReaderAnswer, fn(u64) -> ReaderLimits) = match argument.to_str()? {
        READ_WORKBOOK => (answer_workbook, ReaderLimits::for_file),
        FILL_PDF => (answer_pdf, ReaderLimits::for_pdf),
        _ => return None,
    };
    let mut target = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    let answered =
        read_request(&mut io::stdin().lock(), limits).and_then(|request| answer(request, &mut target));
    Some(if answered.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The reader for the workbooks of one import of this many bytes. Together they may take the time of one workbook of
/// that size: otherwise a hundred workbooks in an archive could take a hundred times as long. Starting a process
/// isn't counted.
pub fn workbook_reader(
    import_bytes: usize,
) -> impl Fn(&[u8], SheetRequest<'_>, SheetSink<'_>) -> Result<(), ImportRefusal> {
    let left = Cell::new(ReaderLimits::for_file(import_bytes as u64).patience());
    move |bytes, asked, sink| {
        if left.get().is_zero() {
            return Err(ImportRefusal::ReaderEnded);
        }
        let began = Instant::now();
        let read = read_workbook(bytes, asked, sink);
        left.set(time_left(left.get(), began.elapsed()));
        read
    }
}

fn time_left(before: Duration, took: Duration) -> Duration {
    before.saturating_sub(took.saturating_sub(PROCESS_START))
}

/// Reads a workbook's cells, in a separate process where this program can be one. [`ImportRefusal::ReaderEnded`]
/// when it hit a limit.
fn read_workbook(bytes: &[u8], asked: SheetRequest<'_>, sink: SheetSink<'_>) -> Result<(), ImportRefusal> {
    if !IS_ANSWERED.load(Ordering::Relaxed) {
        return bordereau_spreadsheets::read_workbook(bytes, asked, sink);
    }
    let question = match asked {
        SheetRequest::First => String::new(),
        SheetRequest::Named(name) => format!("{NAMED}{name}"),
        SheetRequest::All => ALL.to_owned(),
    };
    let read = ask_process(READ_WORKBOOK, question.as_bytes(), bytes, |answer| match answer {
        Some(answer) => receive_workbook(answer, sink),
        None => Err(ImportRefusal::ReaderEnded),
    });
    read.unwrap_or_else(|error| Err(ImportRefusal::ReaderMissing { why: error.kind().to_string() }))
}

/// Fills an agency's own PDF, in a separate process where this program can be one.
///
/// # Errors
/// [`AcroFormError`]; [`AcroFormError::ReaderEnded`] when it hit a limit.
pub fn fill_own_pdf(bytes: &[u8], values: &[PdfFieldValue]) -> Result<Vec<u8>, AcroFormError> {
    if !IS_ANSWERED.load(Ordering::Relaxed) {
        return bordereau_forms::fill_own_pdf(bytes, values);
    }
    let question = serde_json::to_vec(values).unwrap_or_default();
    let filled = ask_process(FILL_PDF, &question, bytes, |answer| {
        answer.and_then(|answer| receive_pdf(answer).ok()).unwrap_or(Err(AcroFormError::ReaderEnded))
    });
    filled.unwrap_or_else(|error| Err(AcroFormError::ReaderMissing(error.kind().to_string())))
}

/// Starts this program for one file and reads its result; `None` without output.
fn ask_process<T>(
    job: &str,
    question: &[u8],
    file: &[u8],
    receive: impl FnOnce(Option<&mut BufReader<ChildStdout>>) -> T,
) -> io::Result<T> {
    let mut command = Command::new(own_program()?);
    command.arg(job).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    // A reader must not see keys and passwords.
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("BORDEREAU_"))
    {
        command.env_remove(name);
    }
    let mut reader = command.spawn()?;
    if let Some(mut input) = reader.stdin.take() {
        // The reader may end before it has read everything; its answer says why.
        drop(write_request(&mut input, question, file));
    }
    let mut output = reader.stdout.take().map(|output| BufReader::with_capacity(1 << 16, output));
    let outcome = receive(output.as_mut());
    drop(reader.kill());
    drop(reader.wait());
    Ok(outcome)
}

/// The path of this program, also after an update replaced its file.
fn own_program() -> io::Result<PathBuf> {
    if cfg!(target_os = "linux") { Ok("/proc/self/exe".into()) } else { std::env::current_exe() }
}

fn write_request(target: &mut impl Write, question: &[u8], file: &[u8]) -> io::Result<()> {
    for part in [question, file] {
        write_part(target, part)?;
    }
    target.flush()
}

fn write_part(target: &mut (impl Write + ?Sized), part: &[u8]) -> io::Result<()> {
    target.write_all(&u32::try_from(part.len()).unwrap_or(u32::MAX).to_le_bytes())?;
    target.write_all(part)
}

/// A request to the process.
struct ReaderRequest {
    question: Vec<u8>,
    file: Vec<u8>,
}

/// Reads the request; from then on the limits apply to this process.
fn read_request(source: &mut impl Read, limits: fn(u64) -> ReaderLimits) -> io::Result<ReaderRequest> {
    let question = read_part(source, QUESTION_BYTES_MAX)?;
    let length = read_length(source, u32::try_from(FILE_BYTES_MAX).unwrap_or(u32::MAX))?;
    limit_process(limits(u64::from(length)));
    Ok(ReaderRequest { question, file: read_exactly(source, length)? })
}

/// The cells of a workbook.
fn answer_workbook(request: ReaderRequest, target: &mut dyn Write) -> io::Result<()> {
    let question = String::from_utf8(request.question).map_err(io::Error::other)?;
    let asked = match question.strip_prefix(NAMED) {
        Some(name) => SheetRequest::Named(name),
        None if question == ALL => SheetRequest::All,
        None => SheetRequest::First,
    };
    if asked == SheetRequest::All {
        let read = |sink: SheetSink<'_>| bordereau_spreadsheets::read_workbook(&request.file, asked, sink);
        return send_workbook(read, target);
    }
    // Send one sheet only after its workbook was dropped: the receiver needs memory, too.
    let mut sheets = Vec::new();
    let outcome = bordereau_spreadsheets::read_workbook(&request.file, asked, &mut |sheet| {
        sheets.push(sheet);
        Ok(())
    });
    drop(request.file);
    send_workbook(|sink| sheets.into_iter().try_for_each(sink).and(outcome), target)
}

/// Fills the PDF.
fn answer_pdf(request: ReaderRequest, target: &mut dyn Write) -> io::Result<()> {
    let values: Vec<PdfFieldValue> = serde_json::from_slice(&request.question)?;
    let filled = bordereau_forms::fill_own_pdf(&request.file, &values);
    drop(request.file);
    let (outcome, pdf) = match filled {
        Ok(pdf) => (Ok(()), pdf),
        Err(error) => (Err(error), Vec::new()),
    };
    write_part(target, &serde_json::to_vec(&outcome)?)?;
    write_part(target, &pdf)?;
    target.flush()
}

fn receive_pdf(source: &mut impl Read) -> io::Result<Result<Vec<u8>, AcroFormError>> {
    let outcome: Result<(), AcroFormError> = serde_json::from_slice(&read_part(source, QUESTION_BYTES_MAX)?)?;
    let pdf = read_part(source, FILLED_BYTES_MAX)?;
    Ok(outcome.map(|()| pdf))
}

fn read_part(source: &mut impl Read, most: u32) -> io::Result<Vec<u8>> {
    let length = read_length(source, most)?;
    read_exactly(source, length)
}

fn read_length(source: &mut impl Read, most: u32) -> io::Result<u32> {
    let mut length = [0; 4];
    source.read_exact(&mut length)?;
    let length = u32::from_le_bytes(length);
    if length > most { Err(io::ErrorKind::InvalidData.into()) } else { Ok(length) }
}

fn read_exactly(source: &mut impl Read, length: u32) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; length as usize];
    source.read_exact(&mut bytes)?;
    Ok(bytes)
}

/// Limits for reading one file; a small file gets little.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct ReaderLimits {
    memory_bytes: u64,
    seconds: u64,
}

impl ReaderLimits {
    fn for_file(bytes: u64) -> ReaderLimits {
        let megabytes = bytes >> 20;
        // Unoptimized code takes ten times as long.
        let slower = if cfg!(debug_assertions) { 10 } else { 1 };
        ReaderLimits {
            memory_bytes: ((256 + 16 * megabytes) << 20).min(3 << 30),
            seconds: (2 + megabytes / 2) * slower,
        }
    }

    /// A PDF has at most 10 MB, and is read and written quickly.
    fn for_pdf(bytes: u64) -> ReaderLimits {
        let file = ReaderLimits::for_file(bytes);
        ReaderLimits { seconds: file.seconds.min(ReaderLimits::for_file(2 << 20).seconds), ..file }
    }

    /// Wall-clock time may include other programs; where only it is known, it counts alone.
    fn patience(self) -> Duration {
        Duration::from_secs(if cfg!(unix) { 2 * self.seconds } else { self.seconds })
    }
}

/// Sets limits through the system where possible. A thread checks them too: on macOS and Windows a program can't
/// limit its own memory.
fn limit_process(limits: ReaderLimits) {
    #[cfg(unix)]
    {
        use rlimit::Resource;
        // On Linux writable mappings count as data; libraries don't.
        let bounds = [
            (Resource::CORE, 0),
            (Resource::CPU, limits.seconds),
            #[cfg(target_os = "linux")]
            (Resource::DATA, limits.memory_bytes),
        ];
        for (resource, most) in bounds {
            drop(resource.set(most, most));
        }
    }
    let patience = limits.patience();
    let began = Instant::now();
    std::thread::spawn(move || {
        loop {
            std::thread::sleep(LOOK_AGAIN);
            let taken = memory_stats::memory_stats().map_or(0, |taken| taken.physical_mem as u64);
            if taken > limits.memory_bytes || began.elapsed() > patience {
                std::process::exit(1);
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_file_has_no_claim_to_much() {
        let of = |megabytes: u64| ReaderLimits::for_file(megabytes << 20).memory_bytes >> 20;
        assert_eq!([of(0), of(3), of(20), of(200)], [256, 304, 576, 3_072]);
        let seconds = |megabytes: u64| ReaderLimits::for_pdf(megabytes << 20).seconds;
        assert!(seconds(0) < seconds(2) && seconds(2) == seconds(10));
    }

    #[test]
    fn many_slow_workbooks_have_the_time_of_one_and_many_quick_ones_have_enough() {
        let limits = ReaderLimits { memory_bytes: 0, seconds: 8 };
        let all = limits.patience();
        let left_after = |count: usize, each: Duration| (0..count).fold(all, |left, _| time_left(left, each));
        assert_eq!(left_after(200, Duration::from_millis(90)), all);
        assert_eq!(left_after(200, Duration::from_millis(1_500)), Duration::ZERO);
        assert!(left_after(1, 10 * all).is_zero() && !left_after(1, all).is_zero());
    }

    #[test]
    fn a_request_is_read_as_it_was_written_and_no_more_of_it() {
        let mut request = Vec::new();
        write_request(&mut request, b"March", b"a,b").unwrap();
        let mut source = request.as_slice();
        assert_eq!(read_part(&mut source, 5).unwrap(), b"March");
        assert_eq!(read_part(&mut source, 3).unwrap(), b"a,b");
        assert!(read_part(&mut request.as_slice(), 4).is_err(), "longer than it may be");
    }
}
