//! Reads workbooks and an agency's own PDFs in a separate process of the same program, with limits on memory and
//! time. A file made to exhaust them ends that process, and becomes an error message here. Programs that can serve
//! as that process ([`READ_WORKBOOK`], [`FILL_PDF`]) declare it at start by [`run_if_requested`]; without one, as in
//! a library's tests, only the readers' own limits apply.

use std::cell::Cell;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::PathBuf;
use std::process::{ChildStdout, Command, ExitCode, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use bordereau_contract::without_error_numbers;
use bordereau_forms::{AcroFormError, PdfFieldValue};
use bordereau_spreadsheets::limits::FILE_BYTES_MAX;
use bordereau_spreadsheets::{ImportRefusal, SheetRequest, SheetSink, receive_workbook, send_workbook};
use parking_lot::Mutex;

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
/// How long past its own limit a reader may take to end.
const ENDS_WITHIN: Duration = Duration::from_secs(5);

/// Whether this program answers [`READ_WORKBOOK`] and [`FILL_PDF`].
static IS_ANSWERED: AtomicBool = AtomicBool::new(false);

/// Does the work and writes the result.
type ReaderAnswer = fn(ReaderRequest, &mut dyn Write) -> io::Result<()>;

/// How a process ended that gave no whole answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ReaderEnd {
    /// By itself: the file took more than its bounds, or is broken.
    ByItself,
    /// From outside, or it no longer answered: nothing is known of the file.
    FromOutside,
}

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
    let limits = ReaderLimits::for_file(bytes.len() as u64);
    let read = own_program(READ_WORKBOOK).and_then(|program| {
        ask_process(program, limits, question.as_bytes(), bytes, |answer| {
            match receive_workbook(answer, sink) {
                Err(ImportRefusal::ReaderEnded) => None,
                read => Some(read),
            }
        })
    });
    match read {
        Ok(Ok(read)) => read,
        Ok(Err(ReaderEnd::ByItself)) => Err(ImportRefusal::ReaderEnded),
        Ok(Err(ReaderEnd::FromOutside)) => Err(ImportRefusal::ReaderStopped),
        Err(error) => Err(ImportRefusal::ReaderMissing { why: without_error_numbers(error.to_string()) }),
    }
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
    let limits = ReaderLimits::for_pdf(bytes.len() as u64);
    let filled = own_program(FILL_PDF).and_then(|program| {
        ask_process(program, limits, &question, bytes, |answer| receive_pdf(answer).ok())
    });
    match filled {
        Ok(Ok(filled)) => filled,
        Ok(Err(ReaderEnd::ByItself)) => Err(AcroFormError::ReaderEnded),
        Ok(Err(ReaderEnd::FromOutside)) => Err(AcroFormError::ReaderStopped),
        Err(error) => Err(AcroFormError::ReaderMissing(without_error_numbers(error.to_string()))),
    }
}

/// Starts a program for one file and reads its answer, which `receive` finds none in where it breaks off. One that
/// doesn't end by its own bounds of time is ended.
fn ask_process<T>(
    mut program: Command,
    limits: ReaderLimits,
    question: &[u8],
    file: &[u8],
    receive: impl FnOnce(&mut BufReader<ChildStdout>) -> Option<T>,
) -> io::Result<Result<T, ReaderEnd>> {
    let mut reader = program.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
    let (input, output) = (reader.stdin.take(), reader.stdout.take());
    let reader = &Mutex::new(reader);
    let (done, is_done) = channel::<()>();
    std::thread::scope(|threads| {
        threads.spawn(move || {
            let waited = is_done.recv_timeout(limits.patience() + ENDS_WITHIN);
            if waited == Err(RecvTimeoutError::Timeout) {
                drop(reader.lock().kill());
            }
        });
        if let Some(mut input) = input {
            // The reader may end before it has read everything; its answer says why.
            drop(write_request(&mut input, question, file));
        }
        let received = output.and_then(|output| receive(&mut BufReader::with_capacity(1 << 16, output)));
        if received.is_some() {
            drop(reader.lock().kill());
        }
        let status = loop {
            match reader.lock().try_wait()? {
                Some(status) => break status,
                None => std::thread::sleep(LOOK_AGAIN),
            }
        };
        drop(done);
        Ok(received.ok_or(if is_from_outside(status) { ReaderEnd::FromOutside } else { ReaderEnd::ByItself }))
    })
}

/// Whether it was ended by a signal that is none of its own limits: hangup, interrupt, quit, kill, terminate.
#[cfg(unix)]
fn is_from_outside(status: ExitStatus) -> bool {
    std::os::unix::process::ExitStatusExt::signal(&status)
        .is_some_and(|signal| [1, 2, 3, 9, 15].contains(&signal))
}

/// On Windows the exit code of an ended process is chosen by whoever ends it, so it can look like the reader's own.
#[cfg(not(unix))]
fn is_from_outside(_status: ExitStatus) -> bool {
    false
}

/// This program as the process for a job, also after an update replaced its file.
fn own_program(job: &str) -> io::Result<Command> {
    let path: PathBuf =
        if cfg!(target_os = "linux") { "/proc/self/exe".into() } else { std::env::current_exe()? };
    let mut program = Command::new(path);
    program.arg(job);
    // A reader must not see keys and passwords.
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("BORDEREAU_"))
    {
        program.env_remove(name);
    }
    Ok(program)
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
        // On Linux writable mappings count as data; libraries don't. A second more than its time would end it by the
        // signal that also ends it from outside.
        let bounds = [
            (Resource::CORE, 0, 0),
            (Resource::CPU, limits.seconds, limits.seconds + 1),
            #[cfg(target_os = "linux")]
            (Resource::DATA, limits.memory_bytes, limits.memory_bytes),
        ];
        for (resource, most, never) in bounds {
            drop(resource.set(most, never));
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

    #[cfg(unix)]
    #[test]
    fn a_reader_that_hangs_or_is_killed_is_no_fault_of_its_file() {
        let limits = ReaderLimits { memory_bytes: 0, seconds: 0 };
        let ended = |script: &str| {
            let mut shell = Command::new("sh");
            shell.args(["-c", script]);
            ask_process(shell, limits, b"", b"a,b", |answer| read_length(answer, 3).ok()).unwrap()
        };
        assert_eq!(ended("printf '\\003\\000\\000\\000'; sleep 60"), Ok(3));
        let cases = [
            ("kill -9 $$", ReaderEnd::FromOutside),
            ("kill -15 $$", ReaderEnd::FromOutside),
            ("kill -STOP $$", ReaderEnd::FromOutside),
            ("exit 1", ReaderEnd::ByItself),
            ("kill -XCPU $$", ReaderEnd::ByItself),
            ("kill -ABRT $$", ReaderEnd::ByItself),
        ];
        for (script, end) in cases {
            assert_eq!(ended(script), Err(end), "{script}");
        }
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
