//! Decimal mark and date order of the mapped columns, with the evidence.

use bordereau_contract::{FOUND_CHARS, pluralize, shorten_text};
use bordereau_mapping::{Field, Mapping, ValueKind};
use bordereau_tables::date::{self, DateOrderClue};
use bordereau_tables::{
    Cell, CellKind, DateOrder, DecimalMark, DetectedValue, ImportSource, column_letters, normalize_header,
    source_headers,
};

use crate::detection::ValueDetection;
use crate::layout::ColumnLayout;

/// Rows looked at to detect decimal mark, order of dates and kinds of columns.
pub(crate) const SAMPLE_ROWS: usize = 2_000;

pub(crate) fn detect_values(
    source: &ImportSource,
    layout: &ColumnLayout,
    mapping: &Mapping,
) -> ValueDetection {
    ValueDetection {
        decimal_mark: decimal_mark(source, layout, mapping),
        date_order: date_order(source, layout, mapping),
    }
}

fn cells_of_kind<'s>(
    source: &'s ImportSource,
    layout: &'s ColumnLayout,
    kind: ValueKind,
    rows: usize,
) -> impl Iterator<Item = (usize, usize, &'s str)> {
    let first = source.detection.header.value.map_or(0, |row| row as usize + 1);
    let fields = Field::ALL.iter().filter(move |f| f.kind() == kind);
    let made = source.table.computed().columns().filter(move |column| {
        let column = usize::from(*column);
        !layout.is_in_file(column) && layout.field_of(column).is_some_and(|field| field.kind() == kind)
    });
    let columns = fields.flat_map(|f| layout.columns_of(*f).iter().map(|c| usize::from(*c)));
    let columns = columns.chain(made.map(usize::from));
    let end = source.table.row_count().min(first.saturating_add(rows));
    columns.flat_map(move |column| {
        (first..end).filter_map(move |row| {
            let cell = source.table.cell(row, column);
            (cell.kind == CellKind::Text && !cell.text.is_empty()).then_some((row, column, cell.text))
        })
    })
}

/// The text of a cell with its place in the file; of a made one, with that of the column it is from.
fn say_where(source: &ImportSource, (row, column, text): (usize, usize, &str)) -> String {
    let behind =
        u16::try_from(column).map_or(&[][..], |column| source.table.computed().columns_behind(column));
    let letters = column_letters(behind.first().map_or(column, |first| usize::from(*first)));
    format!("\"{}\" in {letters}{}", shorten_text(text, FOUND_CHARS), source.table.line(row))
}

const MARKS: [DecimalMark; 2] = [DecimalMark::Point, DecimalMark::Comma];

fn decimal_mark(
    source: &ImportSource,
    layout: &ColumnLayout,
    mapping: &Mapping,
) -> DetectedValue<DecimalMark> {
    if let Some(chosen) = mapping.decimal_mark {
        return DetectedValue::new(chosen, "chosen by you, or remembered".to_owned(), &MARKS);
    }
    let (mut point, mut comma) = (None, None);
    let (mut points, mut commas) = (0usize, 0usize);
    for (row, column, text) in cells_of_kind(source, layout, ValueKind::Amount, SAMPLE_ROWS) {
        match mark_of(text) {
            Some(DecimalMark::Point) => {
                points += 1;
                point.get_or_insert((row, column, text));
            }
            Some(DecimalMark::Comma) => {
                commas += 1;
                comma.get_or_insert((row, column, text));
            }
            None => {}
        }
    }
    let (value, example) =
        if commas > points { (DecimalMark::Comma, comma) } else { (DecimalMark::Point, point) };
    let mut evidence = match example {
        Some((row, column, text)) => {
            format!("{} such as {}", points.max(commas), say_where(source, (row, column, text)))
        }
        None => "no amount decides it; a point is usual in the United States".to_owned(),
    };
    if points > 0 && commas > 0 {
        let others = points.min(commas);
        let say = if others == 1 { "says" } else { "say" };
        evidence.push_str(&format!("; {} {say} otherwise", pluralize(others, "cell")));
    }
    DetectedValue::new(value, evidence, &MARKS)
}

/// The first rows behind the headers.
pub(crate) fn sample_rows(source: &ImportSource) -> std::ops::Range<usize> {
    let first = source.header_row().map_or(0, |row| row + 1);
    first..source.table.row_count().min(first.saturating_add(SAMPLE_ROWS))
}

/// Cells of a column in the first rows that are not empty.
pub(crate) fn sample_cells(source: &ImportSource, column: usize) -> impl Iterator<Item = Cell<'_>> {
    let cells = sample_rows(source).map(move |row| source.table.cell(row, column));
    cells.filter(|cell| !cell.text.trim().is_empty())
}

/// The decimal mark that most cells of some columns have.
pub(crate) fn column_mark(source: &ImportSource, columns: &[u16]) -> DecimalMark {
    let cells = columns
        .iter()
        .flat_map(|column| sample_rows(source).map(move |row| source.table.cell(row, usize::from(*column))));
    let marks = cells.filter(|cell| cell.kind == CellKind::Text).filter_map(|cell| mark_of(cell.text));
    let lead = marks.map(|mark| if mark == DecimalMark::Comma { 1 } else { -1 }).sum::<i64>();
    if lead > 0 { DecimalMark::Comma } else { DecimalMark::Point }
}

/// What a cell says about the decimal mark: the last mark, when at most two digits follow it or both occur.
fn mark_of(text: &str) -> Option<DecimalMark> {
    let bytes = match text.as_bytes() {
        // The usual form has nothing around it.
        bytes @ [first, .., last] if first.is_ascii_graphic() && last.is_ascii_digit() => bytes,
        _ => text.trim().trim_end_matches([')', '%', '-', ' ']).as_bytes(),
    };
    let last = bytes.iter().rposition(|b| matches!(b, b'.' | b','))?;
    let (before, decimals) = (&bytes[..last], &bytes[last + 1..]);
    let is_point = bytes[last] == b'.';
    let both = before.contains(if is_point { &b',' } else { &b'.' });
    let same_again = before.contains(&bytes[last]);
    if same_again || !decimals.iter().all(u8::is_ascii_digit) {
        return None;
    }
    match (is_point, decimals.len(), both) {
        (true, 1 | 2, _) | (true, _, true) => Some(DecimalMark::Point),
        (false, 1 | 2, _) | (false, _, true) => Some(DecimalMark::Comma),
        _ => None,
    }
}

fn date_order(
    source: &ImportSource,
    layout: &ColumnLayout,
    mapping: &Mapping,
) -> DetectedValue<Option<DateOrder>> {
    let all = [Some(DateOrder::MonthFirst), Some(DateOrder::DayFirst)];
    if let Some(chosen) = mapping.date_order {
        return DetectedValue::new(Some(chosen), "chosen by you, or remembered".to_owned(), &all);
    }
    let mut found = collect_clues(source, layout, SAMPLE_ROWS);
    if !found.is_decided() && source.table.row_count() > SAMPLE_ROWS {
        // One date late in the file can decide what a thousand before it leave open.
        found = collect_clues(source, layout, usize::MAX);
    }
    if found.either.is_some() && !found.is_decided() {
        // The program that wrote the file writes its other dates in the same order.
        let others = clues_of(unmatched_cells(source, layout));
        if others.month.is_some() != others.day.is_some() {
            (found.month, found.day) = (others.month, others.day);
        }
    }
    let say = |cell| say_where(source, cell);
    match (found.month, found.day, found.either) {
        (Some(m), None, _) => DetectedValue::new(
            Some(DateOrder::MonthFirst),
            format!("{} can only be mm/dd/yyyy", say(m)),
            &all,
        ),
        (None, Some(d), _) => {
            DetectedValue::new(Some(DateOrder::DayFirst), format!("{} can only be dd/mm/yyyy", say(d)), &all)
        }
        (Some(m), Some(d), _) => {
            DetectedValue::new(None, format!("{} is mm/dd/yyyy, but {} is dd/mm/yyyy", say(m), say(d)), &all)
        }
        (None, None, Some(e)) => match order_of_headers(source, layout) {
            Some((order, header)) => {
                let evidence = format!("the header \"{}\" says so", header.replace('\n', " "));
                DetectedValue::new(Some(order), evidence, &all)
            }
            None => DetectedValue::new(
                None,
                format!("{} can be either; no date in the file decides it", say(e)),
                &all,
            ),
        },
        (None, None, None) => DetectedValue::new(
            Some(DateOrder::MonthFirst),
            "no date in the file depends on it".to_owned(),
            &all,
        ),
    }
}

/// The order that the headers of the dates name, as "Effective (mm/dd/yy)" does, and one of these headers.
fn order_of_headers(source: &ImportSource, layout: &ColumnLayout) -> Option<(DateOrder, String)> {
    let is_date =
        |column: usize| layout.field_of(column).is_some_and(|field| field.kind() == ValueKind::Date);
    let named = |(column, header): (usize, String)| {
        let words = format!(" {} ", normalize_header(&header));
        let says = |texts: [&str; 4]| texts.iter().any(|text| words.contains(text));
        let (month, day) =
            (says([" mm dd", " mmdd", " m d y", " mdy"]), says([" dd mm", " ddmm", " d m y", " dmy"]));
        let order = if month { DateOrder::MonthFirst } else { DateOrder::DayFirst };
        (is_date(column) && month != day).then_some((order, header))
    };
    let mut found = source_headers(source).into_iter().enumerate().filter_map(named);
    let first = found.next()?;
    found.all(|other| other.0 == first.0).then_some(first)
}

type Located<'s> = Option<(usize, usize, &'s str)>;

#[derive(Default)]
struct DateClues<'s> {
    month: Located<'s>,
    day: Located<'s>,
    either: Located<'s>,
}

impl DateClues<'_> {
    fn is_decided(&self) -> bool {
        self.month.is_some() || self.day.is_some()
    }
}

/// The texts of the columns that are not imported.
fn unmatched_cells<'s>(
    source: &'s ImportSource,
    layout: &'s ColumnLayout,
) -> impl Iterator<Item = (usize, usize, &'s str)> {
    let first = source.detection.header.value.map_or(0, |row| row as usize + 1);
    let end = source.table.row_count().min(first + SAMPLE_ROWS);
    let columns = (0..source.table.width()).filter(|column| layout.field_of(*column).is_none());
    columns.flat_map(move |column| {
        (first..end).filter_map(move |row| {
            let cell = source.table.cell(row, column);
            (cell.kind == CellKind::Text).then_some((row, column, cell.text))
        })
    })
}

fn collect_clues<'s>(source: &'s ImportSource, layout: &'s ColumnLayout, rows: usize) -> DateClues<'s> {
    clues_of(cells_of_kind(source, layout, ValueKind::Date, rows))
}

fn clues_of<'s>(cells: impl Iterator<Item = (usize, usize, &'s str)>) -> DateClues<'s> {
    let mut found = DateClues::default();
    for (row, column, text) in cells {
        let slot = match date::order_clue(text) {
            DateOrderClue::MonthFirst => &mut found.month,
            DateOrderClue::DayFirst => &mut found.day,
            DateOrderClue::Either => &mut found.either,
            DateOrderClue::None => continue,
        };
        slot.get_or_insert((row, column, text));
        if found.month.is_some() && found.day.is_some() {
            break;
        }
    }
    found
}
