//! Imports a file in chunks: each is read, checked and sent as a batch of its own, and recorded before anything of
//! it is sent. After a stop the next run continues behind the last recorded chunk; nothing is sent twice.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use bordereau_contract::{format_count, pluralize, pluralize_as};
use bordereau_desk::api::{BatchCounts, BatchId, BatchView, Nothing, ReviewId, ReviewView};
use bordereau_desk::{Desk, ImportChunk, ImportRun};
use bordereau_spreadsheets::FileChunk;
use serde_json::json;

use super::chunk_report::ChunkReport;
use super::chunked_file::{ChunkReader, ChunkedFile};
use super::findings::{NOTHING, ReviewFindings};
use super::{answers, keep_warnings, repair_review, report, save_rejects, send, without_sent};
use crate::environment::confirm_production;
use crate::exit::CommandExit;
use crate::file_target::FileTarget;
use crate::import_arguments::{ImportArguments, ReadingArguments, SendChoice, SendingArguments};
use crate::shared_arguments::GlobalArgs;
use crate::{log, output};

/// Rows after which reading stops if none can be sent: the mapping is probably wrong.
const HOPELESS_ROWS: u32 = 100_000;

/// An import of one file in chunks.
struct ChunkedRun<'r> {
    desk: &'r Desk,
    target: &'r FileTarget,
    asked: &'r ImportArguments,
    file: &'r ChunkedFile,
    id: String,
    mapping: String,
    is_json: bool,
    /// The confirmation word for the day's first send to production; `--yes` replaces it.
    typed: String,
    report: ChunkReport,
    /// The batches, oldest first, and how many of them the service is known to have.
    batches: Vec<String>,
    arrived: usize,
    begun: Instant,
    /// Rows read by this process, to compute its speed.
    rows: u64,
}

/// Reads, checks and sends a file in chunks.
pub(crate) async fn import_chunks(
    place: &GlobalArgs,
    desk: &Desk,
    target: &FileTarget,
    asked: &ImportArguments,
    file: ChunkedFile,
) -> Result<(), CommandExit> {
    if asked.documents.is_some() {
        return Err(CommandExit::usage_error(
            "--documents goes with a file that is read at once: split the file, or send the documents with `bordereau document`",
        ));
    }
    let typed = confirm_rows(desk, asked, &file).await?;
    let (id, mapping, recorded) = open_run(desk, asked, &file).await?;
    let rows = file.surveyed.lines.saturating_sub(1);
    log::log_line(&format!(
        "{} has about {} rows: {} in about {} chunks of {} rows",
        file.name,
        format_count(rows),
        if asked.send.is_some() { "sent" } else { "checked" },
        file.chunk_count(),
        format_count(file.chunk_rows),
    ));
    let mut run = ChunkedRun {
        desk,
        target,
        asked,
        file: &file,
        id,
        mapping,
        is_json: place.json,
        typed,
        report: ChunkReport::default(),
        batches: Vec::new(),
        arrived: 0,
        begun: Instant::now(),
        rows: 0,
    };
    let done = run.work(recorded).await;
    if asked.send.is_none() || (done.is_err() && desk.run_chunks(&run.id).await?.is_empty()) {
        // A check, or a file whose first chunk couldn't be read: there is nothing to continue.
        desk.remove_run(&run.id).await?;
    }
    done?;
    run.finish().await
}

/// Refuses to send to production without confirmation.
async fn confirm_rows(
    desk: &Desk,
    asked: &ImportArguments,
    file: &ChunkedFile,
) -> Result<String, CommandExit> {
    if asked.send.is_none() {
        return Ok(String::new());
    }
    let confirmation = desk.confirmation_show(Nothing {}).await?;
    let what = format!("the rows of {}", file.name);
    confirm_production(confirmation.environment, &confirmation.profile, asked.sending.yes, &what)?;
    Ok(confirmation.type_word)
}

/// Options that must be the same for a run to continue.
fn settings_of(asked: &ImportArguments, chunk_rows: u32) -> Result<String, CommandExit> {
    let mapping = asked.reading.mapping.as_deref();
    let mapping = match mapping.filter(|named| Path::new(named).is_file()) {
        Some(file) => Some(answers::mapping_text(Path::new(file))?),
        None => mapping.map(str::to_owned),
    };
    let settings = json!({
        "reading": asked.reading.detection_overrides(),
        "mapping": mapping,
        "send": asked.send.map(|which| which == SendChoice::All),
        "again": asked.again,
        "repairs": asked.repairs,
        "keeps": asked.keeps,
        "chunk_rows": chunk_rows,
    });
    Ok(settings.to_string())
}

/// The stopped run of this file, or a new one.
async fn open_run(
    desk: &Desk,
    asked: &ImportArguments,
    file: &ChunkedFile,
) -> Result<(String, String, Vec<ImportChunk>), CommandExit> {
    let settings = settings_of(asked, file.chunk_rows)?;
    let path = std::fs::canonicalize(&file.path).unwrap_or_else(|_| file.path.clone());
    let path = path.to_string_lossy().into_owned();
    let stopped = if asked.send.is_some() { desk.unfinished_runs().await? } else { Vec::new() };
    for run in stopped {
        let is_same = run.sha256 == file.sha256 && run.bytes == file.surveyed.bytes;
        if !is_same && run.path != path {
            continue;
        }
        if asked.start_over {
            desk.remove_run(&run.id).await?;
            log::log_line(
                "Forgot where an earlier run was stopped; rows it sent are found by what was sent before",
            );
            continue;
        }
        let chunks = desk.run_chunks(&run.id).await?;
        let sent = chunks.iter().filter(|chunk| chunk.batch.is_some()).count();
        let so_far = format!("{} sent", pluralize_as(sent, "chunk of it was", "chunks of it were"));
        if !is_same {
            return Err(CommandExit::rejected(format!(
                "{} changed since an earlier run with it was stopped ({so_far}). Nothing more was sent. Import it as it \
                 was, or add --start-over: rows that were sent are then found as sent before",
                file.name
            )));
        }
        if run.settings != settings {
            return Err(CommandExit::rejected(format!(
                "an earlier run with {} was stopped ({so_far}) and had other options. Nothing more was sent. Give the same \
                 options, or add --start-over: rows that were sent are then found as sent before",
                file.name
            )));
        }
        log::log_line(&format!("An earlier run with this file was stopped ({so_far}); continuing with it"));
        return Ok((run.id, run.mapping, chunks));
    }
    let run = ImportRun {
        only_checks: asked.send.is_none(),
        path,
        bytes: file.surveyed.bytes,
        sha256: file.sha256.clone(),
        settings,
        ..ImportRun::default()
    };
    Ok((desk.begin_run(run).await?, String::new(), Vec::new()))
}

/// Whether it has anything but blanks.
fn has_rows(chunk: &FileChunk) -> bool {
    chunk.rows > 0 && chunk.text.chars().any(|character| !character.is_whitespace())
}

impl ChunkedRun<'_> {
    async fn work(&mut self, recorded: Vec<ImportChunk>) -> Result<(), CommandExit> {
        let mut reader = ChunkReader::open(self.file)?;
        let mut recorded = recorded.into_iter().peekable();
        let mut number = 0;
        loop {
            let (back, chunk) = next_chunk(reader).await?;
            reader = back;
            let Some(chunk) = chunk.filter(|_| !self.is_hopeless()) else { return Ok(()) };
            match recorded.next_if(|known| known.chunk == number) {
                Some(known) if self.settle_recorded(&known).await? => {}
                _ if has_rows(&chunk) => self.take_chunk(number, chunk).await?,
                _ => {}
            }
            number += 1;
        }
    }

    /// Whether no row so far can be sent. Behind rows that were sent before, new ones may follow.
    fn is_hopeless(&self) -> bool {
        self.asked.send != Some(SendChoice::All)
            && self.report.counts().rows >= HOPELESS_ROWS
            && self.report.counts().ready == 0
            && !self.report.has_group("sent_before")
    }

    /// Continues with a chunk recorded by an earlier run; false where nothing of it was sent.
    async fn settle_recorded(&mut self, known: &ImportChunk) -> Result<bool, CommandExit> {
        if known.batch.is_none() && !known.is_done {
            self.desk.forget_chunk(&self.id, known.chunk).await?;
            return Ok(false);
        }
        let report: ChunkReport = serde_json::from_str(&known.report).map_err(|_| {
            CommandExit::with_failure("what an earlier run recorded cannot be read; add --start-over")
        })?;
        if !known.is_done {
            self.settle_draft(&known.review, &report).await;
            self.desk.finish_chunk(&self.id, known.chunk).await?;
        }
        self.batches.extend(known.batch.clone());
        self.report.add(&self.file.name, report);
        Ok(true)
    }

    /// Reads, checks, records and sends a chunk.
    async fn take_chunk(&mut self, number: u32, chunk: FileChunk) -> Result<(), CommandExit> {
        let first_line = chunk.options.chunk.map_or(0, |place| place.first_line);
        let name = format!("{}, chunk {}", self.file.name, number + 1);
        let review = self.desk.start_chunk(name, chunk, &self.mapping).await?;
        let review = answers::wait_until_ready(self.desk, review).await?;
        let id = review.id.clone();
        let done = self.check_and_send(number, first_line, review).await;
        if done.as_ref().is_err_and(|exit| !exit.is_failed()) {
            let _ = self.desk.review_close(ReviewId { id }).await;
        }
        done
    }

    async fn check_and_send(
        &mut self,
        number: u32,
        first_line: u32,
        review: ReviewView,
    ) -> Result<(), CommandExit> {
        let (desk, asked) = (self.desk, self.asked);
        let review = self.match_columns(review).await?;
        let review = repair_review(desk, review, &asked.repairs).await?;
        let review = keep_warnings(desk, review, &asked.keeps).await?;
        let mut review = if review.counts.rows == 0 {
            review
        } else {
            desk.find_chunk_duplicates(&self.id, number, &review.id).await?
        };
        if asked.send == Some(SendChoice::All) && !asked.again {
            review = without_sent(desk, review).await?;
        }
        let found = ReviewFindings::from_review(desk, &review, Vec::new()).await?;
        let mut report = ChunkReport::of_findings(&found);
        let counts = review.counts;
        if let Some(file) = asked.rejects.as_deref().filter(|_| counts.to_correct() > 0) {
            let file = if asked.send.is_some() { super::rejects_path(file) } else { file.to_owned() };
            save_rejects(desk, self.target, (&review.id, false), &numbered(&file, number)).await?;
        }
        report.drafts = u32::from(self.leaves_draft(&report));
        let text = serde_json::to_string(&report)
            .map_err(|_| CommandExit::with_failure("what was found in a chunk could not be recorded"))?;
        desk.record_chunk(&self.id, number, &review.id, text).await?;
        let mut sent = None;
        if let Some(which) = asked.send {
            self.wait_for_room().await?;
            sent = desk.send_chunk(&review.id, which.into(), &self.typed).await?;
            // Once a day is enough.
            self.typed.clear();
        }
        self.settle_draft(&review.id, &report).await;
        desk.finish_chunk(&self.id, number).await?;
        self.report.add(&self.file.name, report);
        self.rows += u64::from(counts.rows);
        self.log_progress(number, first_line, &review, sent.as_ref());
        self.batches.extend(sent.map(|batch| batch.id));
        Ok(())
    }

    /// Matches the first chunk like a file; the others are read with its mapping.
    async fn match_columns(&mut self, review: ReviewView) -> Result<ReviewView, CommandExit> {
        let reading = self.asked.reading.without_text_options();
        let review = match self.mapping.is_empty() {
            true => answers::answer_file(self.desk, review, &reading).await?,
            false => review,
        };
        let questions = answers::open_questions(&review, &reading);
        if !questions.is_empty() {
            let found = ReviewFindings::from_review(self.desk, &review, questions).await?;
            self.write_report(&found)?;
            found.to_exit()?;
        }
        if self.mapping.is_empty() && review.counts.rows > 0 {
            self.mapping = self.desk.chunk_mapping(&review.id).await?;
            self.desk.keep_run_mapping(&self.id, self.mapping.clone()).await?;
        }
        Ok(review)
    }

    fn write_report(&self, found: &ReviewFindings<'_>) -> Result<(), CommandExit> {
        match self.is_json {
            true => output::write_json(&report::report_json(found)),
            false => output::write(&report::report_text(found)),
        }
    }

    /// Rows that couldn't be sent stay a draft for the window, as in a file read at once.
    fn leaves_draft(&self, report: &ChunkReport) -> bool {
        self.asked.send.is_some() && self.asked.rejects.is_none() && report.counts().errors > 0
    }

    /// Deals with the draft of a chunk that was sent; a missing draft is fine.
    async fn settle_draft(&self, review: &str, report: &ChunkReport) {
        if self.leaves_draft(report) {
            let _ = self.desk.hand_over_draft(review).await;
        } else {
            let _ = self.desk.review_close(ReviewId { id: review.to_owned() }).await;
        }
    }

    /// Waits until the number of batches that the service may not have is below `--in-flight`.
    async fn wait_for_room(&mut self) -> Result<(), CommandExit> {
        let most = usize::from(self.asked.in_flight);
        while self.batches.len() - self.arrived >= most {
            self.follow_next(false).await?;
        }
        Ok(())
    }

    /// Follows the oldest batch that the service may not have.
    async fn follow_next(&mut self, wait: bool) -> Result<Option<BatchView>, CommandExit> {
        let Some(id) = self.batches.get(self.arrived) else { return Ok(None) };
        let batch = self.desk.batch_show(BatchId { id: id.clone() }).await?;
        let spent = u32::try_from(self.begun.elapsed().as_secs() / 60).unwrap_or(u32::MAX);
        let at_most = self.asked.sending.at_most.saturating_sub(spent);
        let sending = SendingArguments { wait, at_most, ..self.asked.sending.clone() };
        let followed = send::follow_batch(self.desk, batch, &sending).await;
        let batch = self.desk.batch_show(BatchId { id: id.clone() }).await?;
        if !batch.asks || batch.goes_on {
            followed?;
        } else {
            // This holds up no other batch, and is reported at the end.
            log::log_line(&format!("Batch {id} waits for a decision: {}", batch.trouble));
        }
        self.arrived += 1;
        Ok(Some(batch))
    }

    fn log_progress(&self, number: u32, first_line: u32, review: &ReviewView, sent: Option<&BatchView>) {
        let counts = review.counts;
        let mut line = format!(
            "Chunk {} of about {}: {} from line {first_line}, {} with errors",
            number + 1,
            self.file.chunk_count(),
            pluralize(counts.rows, "row"),
            format_count(counts.errors),
        );
        if let Some(batch) = sent {
            line.push_str(&format!(", batch {} with {}", batch.id, pluralize(batch.counts.total, "row")));
        }
        let all = self.file.surveyed.lines.saturating_sub(1);
        let done = u64::from(self.report.counts().rows);
        let took = self.begun.elapsed();
        let per_second = self.rows * 1000 / u64::try_from(took.as_millis()).unwrap_or(u64::MAX).max(1);
        if per_second > 0 && done < all {
            let left = Duration::from_secs((all - done) / per_second);
            let end = chrono::Local::now() + left;
            line.push_str(&format!(
                "; {} rows a second, expected to end at {}",
                format_count(per_second),
                end.format("%-I:%M %p")
            ));
        }
        log::log_line(&line);
    }

    /// Follows the batches as far as requested, and reports the result of the file.
    async fn finish(mut self) -> Result<(), CommandExit> {
        if self.report.counts().rows == 0 {
            return Err(CommandExit::rejected(NOTHING));
        }
        let hopeless = self.is_hopeless().then(|| {
            let (rows, name) = (format_count(self.report.counts().rows), &self.file.name);
            format!(
                "none of the first {rows} rows can be sent, so the rest of {name} was not read. \
                 `bordereau import` without --send shows why"
            )
        });
        let Some(which) = self.asked.send else {
            let report = std::mem::take(&mut self.report);
            let found = report.findings();
            self.write_report(&found)?;
            return hopeless.map_or_else(|| found.to_exit(), |why| Err(CommandExit::rejected(why)));
        };
        if self.batches.is_empty() {
            self.desk.remove_run(&self.id).await?;
            return Err(CommandExit::rejected(hopeless.unwrap_or_else(|| match which {
                SendChoice::Valid => self.report.findings().no_rows_ready_text(),
                SendChoice::All => send::NO_ROW.to_owned(),
            })));
        }
        let wait = self.asked.sending.wait;
        if wait {
            self.arrived = 0;
        }
        let mut batches = Vec::new();
        while let Some(batch) = self.follow_next(wait).await? {
            batches.push(batch);
        }
        // Batches that arrived while the file was read.
        if batches.len() < self.batches.len() {
            batches.clear();
            for id in &self.batches {
                batches.push(self.desk.batch_show(BatchId { id: id.clone() }).await?);
            }
        }
        let counts = batches.iter().fold(BatchCounts::default(), |sum, batch| sum.plus(batch.counts));
        if self.is_json {
            let found = self.report.findings();
            let ids: Vec<&str> = batches.iter().map(|batch| batch.id.as_str()).collect();
            output::write_json(&json!({
                "review": report::report_json(&found),
                "batches": ids,
                "counts": counts,
            }))?;
        } else {
            output::write(&self.outcome_text(batches.len(), counts))?;
        }
        if let Some(file) = &self.asked.rejects {
            for (at, batch) in batches.iter().enumerate().filter(|(_, batch)| send::has_returned_rows(batch))
            {
                let number = u32::try_from(at).unwrap_or(u32::MAX);
                save_rejects(self.desk, self.target, (&batch.id, false), &numbered(file, number)).await?;
            }
        }
        // Now the file is done: the next run with it starts at the first row.
        self.desk.remove_run(&self.id).await?;
        let left = if which == SendChoice::Valid { self.report.counts().errors } else { 0 };
        batches.iter().try_for_each(send::state_exit)?;
        send::counts_exit(counts, left)
    }

    fn outcome_text(&self, batches: usize, counts: BatchCounts) -> String {
        let mut text = format!("{}: {}\n", self.file.name, pluralize_as(batches, "batch", "batches"));
        text.push_str(&send::counts_text(counts));
        if self.report.counts().errors > 0 {
            let found = self.report.findings();
            text.push_str(&report::errors_text(&found));
        }
        text
    }
}

/// Cutting takes time: not on the threads of the outbox.
async fn next_chunk(mut reader: ChunkReader) -> Result<(ChunkReader, Option<FileChunk>), CommandExit> {
    let cut = tokio::task::spawn_blocking(move || reader.next_chunk().map(|chunk| (reader, chunk)));
    cut.await.map_err(|_| CommandExit::with_failure("the file could not be read in chunks"))?
}

/// `may.csv` as `may-3.csv`: rows of the third chunk.
fn numbered(file: &Path, number: u32) -> PathBuf {
    let stem = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let extension = file.extension().unwrap_or_default().to_string_lossy().into_owned();
    file.with_file_name(format!("{stem}-{}.{extension}", number.saturating_add(1)))
}

impl ReadingArguments {
    /// Without options for the file's text, which apply when its chunks are read.
    fn without_text_options(&self) -> ReadingArguments {
        let mut reading = self.clone();
        (reading.delimiter, reading.encoding, reading.header_row) = (None, None, None);
        reading
    }
}
