//! The answers of the match step, given as options.

use std::path::{Path, PathBuf};
use std::time::Duration;

use bordereau_contract::pluralize;
use bordereau_desk::api::{
    ColumnChange, ColumnMatch, ColumnRuleSet, ErrorCode, NamedCode, ProposedCode, ReviewId, ReviewMatch,
    ReviewSource, ReviewStage, ReviewStart, ReviewView, ValueMatch,
};
use bordereau_desk::{Desk, rules_by_column};
use bordereau_spreadsheets::{
    ColumnName, DateOrder, DecimalMark, Field, Mapping, RowAmounts, RowGrouping, RuleEffects,
};

use crate::exit::CommandExit;
use crate::import_arguments::ReadingArguments;
use crate::log::log_line;
use bordereau_host::terminal_text::on_one_line;

/// Bytes of a mapping file.
const MAPPING_BYTES_MAX: u64 = 16 << 20;
/// Pause between checks of a file that is being read.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// Reads the file with the options: from the start, or from the draft that a stopped run saved.
pub(crate) async fn read(
    desk: &Desk,
    files: &[PathBuf],
    draft: Option<String>,
    reading: &ReadingArguments,
) -> Result<ReviewView, CommandExit> {
    let review = match draft {
        Some(id) => desk.review_state(ReviewId { id }).await?,
        None => {
            let mut handles: Vec<String> =
                desk.choose_files(files.to_vec()).into_iter().map(|file| file.handle).collect();
            let source = match handles.len() {
                1 => ReviewSource::Dropped { handle: handles.remove(0) },
                _ => ReviewSource::Together { handles },
            };
            desk.review_start(ReviewStart { source }).await?
        }
    };
    let review = wait_until_ready(desk, review).await?;
    answer_file(desk, review, reading).await
}

/// Answers the questions about a file; if that fails, the file is closed.
pub(crate) async fn answer_file(
    desk: &Desk,
    review: ReviewView,
    reading: &ReadingArguments,
) -> Result<ReviewView, CommandExit> {
    let (from_file, use_mapping) = match &reading.mapping {
        None => (None, String::new()),
        Some(named) if Path::new(named).is_file() => (Some(mapping_file(Path::new(named))?), String::new()),
        Some(named) => (None, named.clone()),
    };
    let id = review.id.clone();
    let answered = answer_questions(desk, review, reading, use_mapping, from_file).await;
    if answered.is_err() {
        let _ = desk.review_close(ReviewId { id }).await;
    }
    answered
}

/// An answer that nobody was asked for.
fn answer_to(review: &ReviewView) -> ReviewMatch {
    ReviewMatch { id: review.id.clone(), keeps_proposals: true, ..ReviewMatch::default() }
}

async fn answer_questions(
    desk: &Desk,
    mut review: ReviewView,
    reading: &ReadingArguments,
    use_mapping: String,
    from_file: Option<Mapping>,
) -> Result<ReviewView, CommandExit> {
    check_file_options(&review, reading)?;
    // First the sheet and other options of reading: the columns depend on them.
    let own = ReviewMatch { overrides: reading.detection_overrides(), use_mapping, ..answer_to(&review) };
    if !own.overrides.is_empty() || !own.use_mapping.is_empty() {
        let named = own.use_mapping.clone();
        let matched = desk.review_match(own).await.map_err(|error| match error.code {
            ErrorCode::NotFound if !named.is_empty() => CommandExit::usage_error(format!(
                "{named} is neither a mapping file nor the name of a mapping that was remembered in the window"
            )),
            _ => error.into(),
        })?;
        review = wait_until_ready(desk, matched).await?;
    }
    if let Some(mapping) = from_file {
        let request = as_answers(&mapping, &review, reading)?;
        review = wait_until_ready(desk, desk.review_match(request).await?).await?;
    }
    if reading.accept_matches {
        review = accept_proposals(desk, review).await?;
    }
    if review.stage == ReviewStage::Match && open_questions(&review, reading).is_empty() {
        let done = ReviewMatch { done: true, ..answer_to(&review) };
        review = wait_until_ready(desk, desk.review_match(done).await?).await?;
    }
    Ok(review)
}

/// Takes the fields and codes that are proposed: the fields first, because the words depend on them.
async fn accept_proposals(desk: &Desk, review: ReviewView) -> Result<ReviewView, CommandExit> {
    let columns = review.columns.iter().filter_map(|column| {
        let field = column.proposed.as_ref()?.field.clone()?;
        let (header, title) = (column.header.trim(), title_of(&field));
        log_line(&format!("Column {} \"{header}\" is imported as {title}.", column.letters));
        Some(ColumnChange { column: column.column, field: Some(field) })
    });
    let request = ReviewMatch { columns: columns.collect(), ..answer_to(&review) };
    let review = wait_until_ready(desk, desk.review_match(request).await?).await?;
    let values = review.values.iter().filter_map(|value| {
        let ProposedCode { code, reason } = value.proposed.clone()?;
        // The reason may be of its beginning alone.
        let word = value.found.trim();
        let named = if reason.contains(word) { reason } else { format!("\"{word}\": {reason}") };
        log_line(&format!("{named} It is read so in {}.", pluralize(value.rows, "row")));
        Some(ValueMatch { code: Some(code), proposed: None, ..value.clone() })
    });
    let request = ReviewMatch { values: values.collect(), ..answer_to(&review) };
    wait_until_ready(desk, desk.review_match(request).await?).await
}

/// Options for the other kind of file are a mistake, most likely with the wrong file.
fn check_file_options(review: &ReviewView, reading: &ReadingArguments) -> Result<(), CommandExit> {
    let is_workbook = !review.sheets.is_empty();
    let of_workbook = [("--sheet", reading.sheet.is_some())];
    let of_text = [("--delimiter", reading.delimiter.is_some()), ("--encoding", reading.encoding.is_some())];
    let (unfit, kind): (&[_], _) = if is_workbook {
        (&of_text, "a workbook: --sheet chooses what is read")
    } else {
        (&of_workbook, "not a workbook: it has no sheets")
    };
    match unfit.iter().find(|(_, is_given)| *is_given) {
        Some((option, _)) => {
            let name = on_one_line(&review.name);
            Err(CommandExit::usage_error(format!("{option} does not fit {name}, which is {kind}")))
        }
        None => Ok(()),
    }
}

/// Waits until the file is read; reports a refused one.
pub(crate) async fn wait_until_ready(desk: &Desk, mut review: ReviewView) -> Result<ReviewView, CommandExit> {
    while review.stage == ReviewStage::Reading {
        tokio::time::sleep(LOOK_EVERY).await;
        review = desk.review_state(ReviewId { id: review.id }).await?;
    }
    if review.stage != ReviewStage::Refused {
        return Ok(review);
    }
    let why = review.refusal.clone().unwrap_or_else(|| "The file cannot be read.".to_owned());
    let _ = desk.review_close(ReviewId { id: review.id }).await;
    let line = format!("{}: {why}", review.name);
    Err(if review.refused_for_now { CommandExit::with_failure(line) } else { CommandExit::rejected(line) })
}

/// The text of a mapping file.
pub(crate) fn mapping_text(path: &Path) -> Result<String, CommandExit> {
    bordereau_desk::files::read_chosen(path, MAPPING_BYTES_MAX)
        .and_then(|bytes| String::from_utf8(bytes).map_err(|_| "it is not UTF-8 text".to_owned()))
        .map_err(|why| CommandExit::usage_error(format!("{} cannot be read: {why}", path.display())))
}

fn mapping_file(path: &Path) -> Result<Mapping, CommandExit> {
    let text = mapping_text(path)?;
    Mapping::from_file(&text)
        .map_err(|error| CommandExit::usage_error(format!("{}: {error}", path.display())))
}

/// A mapping file as answers to this review. Options on the command line have precedence.
fn as_answers(
    mapping: &Mapping,
    review: &ReviewView,
    reading: &ReadingArguments,
) -> Result<ReviewMatch, CommandExit> {
    let mut columns = Vec::new();
    let mut missing = Vec::new();
    for choice in &mapping.columns {
        let found = nth_column(&review.columns, &choice.header, usize::from(choice.occurrence));
        match found {
            Some(column) => columns.push(ColumnChange {
                column: column.column,
                field: choice.field.map(|field| field.name().to_owned()),
            }),
            None if choice.field.is_some() => missing.push(format!("\"{}\"", choice.header)),
            None => {}
        }
    }
    if !missing.is_empty() {
        let missing = missing.join(", ");
        return Err(CommandExit::rejected(format!(
            "the mapping names columns the file does not have: {missing}"
        )));
    }
    let value = |field: &bordereau_spreadsheets::Field, (found, code): (&String, &String)| ValueMatch {
        field: field.name().to_owned(),
        found: found.clone(),
        code: Some(code.clone()),
        rows: 0,
        proposed: None,
    };
    let values =
        mapping.values.iter().flat_map(|(field, words)| words.iter().map(move |pair| value(field, pair)));
    let rules = rules_as_answers(mapping, review)?;
    let said = reading.detection_overrides();
    let overrides =
        mapping_overrides(mapping).into_iter().filter(|o| !said.iter().any(|s| s.code == o.code)).collect();
    Ok(ReviewMatch {
        id: review.id.clone(),
        overrides,
        columns,
        values: values.collect(),
        rules: (!mapping.rules.is_empty()).then_some(rules),
        ..ReviewMatch::default()
    })
}

/// The rules of a mapping file with the columns of this file.
fn rules_as_answers(mapping: &Mapping, review: &ReviewView) -> Result<ColumnRuleSet, CommandExit> {
    let column = |name: &ColumnName| {
        nth_column(&review.columns, &name.header, usize::from(name.occurrence)).map(|column| column.column)
    };
    match mapping.rules.column_names().find(|name| column(name).is_none()) {
        Some(name) => Err(CommandExit::rejected(format!(
            "the mapping has a rule for a column that the file does not have: \"{}\"",
            on_one_line(&name.header)
        ))),
        None => Ok(rules_by_column(&mapping.rules, &RuleEffects::default(), column)),
    }
}

fn nth_column<'c>(columns: &'c [ColumnMatch], header: &str, occurrence: usize) -> Option<&'c ColumnMatch> {
    let same = |column: &&ColumnMatch| {
        !matches!(column.reason.as_str(), "added" | "rule")
            && column.header.trim().eq_ignore_ascii_case(header.trim())
    };
    columns.iter().filter(same).nth(occurrence)
}

fn mapping_overrides(mapping: &Mapping) -> Vec<NamedCode> {
    let coded = |code: &str, name: &str| NamedCode { code: code.to_owned(), name: name.to_owned() };
    let mut overrides = Vec::new();
    overrides.extend(mapping.date_order.map(|order| match order {
        DateOrder::MonthFirst => coded("date_order", "month_first"),
        DateOrder::DayFirst => coded("date_order", "day_first"),
    }));
    overrides.extend(mapping.decimal_mark.map(|mark| match mark {
        DecimalMark::Point => coded("decimal_mark", "point"),
        DecimalMark::Comma => coded("decimal_mark", "comma"),
    }));
    overrides.extend(match mapping.grouping {
        RowGrouping::None => None,
        RowGrouping::ById => Some(coded("grouping", "by_id")),
        RowGrouping::ByPolicy => Some(coded("grouping", "by_policy")),
    });
    overrides.extend(mapping.row_amounts.map(|amounts| match amounts {
        RowAmounts::Add => coded("row_amounts", "add"),
        RowAmounts::Repeat => coded("row_amounts", "repeat"),
    }));
    overrides
}

/// Questions that only a person can answer, each with its option.
pub(crate) fn open_questions(review: &ReviewView, reading: &ReadingArguments) -> Vec<String> {
    let mut questions = Vec::new();
    for detected in review.detected.iter().filter(|detected| detected.value.is_none()) {
        let option = match detected.what.as_str() {
            "date_order" => "--date-order mdy or --date-order dmy",
            "row_amounts" => "--row-amounts add or --row-amounts repeat",
            "grouping" => "--group none, --group id or --group policy",
            "decimal_mark" => "--decimal-mark point or --decimal-mark comma",
            _ => "--mapping",
        };
        questions.push(format!(
            "{}: {}. Answer with {option}.",
            detected.title,
            without_period(&detected.evidence)
        ));
    }
    if !reading.accept_matches && reading.mapping.is_none() {
        let guessed = review.columns.iter().filter(|column| column.reason == "content");
        questions.extend(guessed.map(|column| {
            format!(
                "Column {} \"{}\" looks like {}. Answer with --accept-matches, or say what it is with --mapping.",
                column.letters,
                on_one_line(&column.header),
                title_of(column.field.as_deref().unwrap_or("nothing")),
            )
        }));
    }
    questions
}

/// The title of a field, as in the window and in messages.
fn title_of(field: &str) -> &str {
    Field::by_name(field).map_or(field, |known| known.title())
}

fn without_period(evidence: &str) -> &str {
    evidence.trim_end_matches('.')
}
