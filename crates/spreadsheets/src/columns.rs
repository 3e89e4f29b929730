//! Decimal mark and date order of the mapped columns, with the evidence.

use crate::date::{self, Clue};
use crate::detection::{DateOrder, DecimalMark, Detected, ValueDetection};
use crate::field::{Field, Kind};
use crate::layout::Layout;
use crate::limits::SAMPLE_ROWS;
use crate::mapping::Mapping;
use crate::source::Source;
use crate::table::CellKind;
use crate::workbook::column_letters;

pub(crate) fn detect(source: &Source, layout: &Layout, mapping: &Mapping) -> ValueDetection {
    ValueDetection {
        decimal_mark: decimal_mark(source, layout, mapping),
        date_order: date_order(source, layout, mapping),
    }
}

fn cells<'s>(
    source: &'s Source,
    layout: &'s Layout,
    kind: Kind,
    rows: usize,
) -> impl Iterator<Item = (usize, usize, &'s str)> {
    let first = source.detection.header.value.map_or(0, |row| row as usize + 1);
    let fields = Field::ALL.iter().filter(move |f| f.kind() == kind);
    let columns = fields.flat_map(|f| layout.columns_of(*f).iter().map(|c| usize::from(*c)));
    let end = source.table.row_count().min(first.saturating_add(rows));
    columns.flat_map(move |column| {
        (first..end).filter_map(move |row| {
            let cell = source.table.cell(row, column);
            (cell.kind == CellKind::Text && !cell.text.is_empty()).then_some((row, column, cell.text))
        })
    })
}

const MARKS: [DecimalMark; 2] = [DecimalMark::Point, DecimalMark::Comma];

fn decimal_mark(source: &Source, layout: &Layout, mapping: &Mapping) -> Detected<DecimalMark> {
    if let Some(chosen) = mapping.decimal_mark {
        return Detected::new(chosen, "chosen by you, or remembered".to_owned(), &MARKS);
    }
    let (mut point, mut comma) = (None, None);
    let (mut points, mut commas) = (0usize, 0usize);
    for (row, column, text) in cells(source, layout, Kind::Amount, SAMPLE_ROWS) {
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
            format!(
                "{} such as \"{}\" in {}{}",
                points.max(commas),
                short(text),
                column_letters(column),
                source.table.line(row)
            )
        }
        None => "no amount decides it; a point is usual in the United States".to_owned(),
    };
    if points > 0 && commas > 0 {
        evidence.push_str(&format!("; {} cells say otherwise", points.min(commas)));
    }
    Detected::new(value, evidence, &MARKS)
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

fn date_order(source: &Source, layout: &Layout, mapping: &Mapping) -> Detected<Option<DateOrder>> {
    let all = [Some(DateOrder::MonthFirst), Some(DateOrder::DayFirst)];
    if let Some(chosen) = mapping.date_order {
        return Detected::new(Some(chosen), "chosen by you, or remembered".to_owned(), &all);
    }
    let mut found = clues(source, layout, SAMPLE_ROWS);
    if !found.is_decided() && source.table.row_count() > SAMPLE_ROWS {
        // One date late in the file can decide what a thousand before it leave open.
        found = clues(source, layout, usize::MAX);
    }
    let say = |(row, column, text): (usize, usize, &str)| {
        format!("\"{}\" in {}{}", short(text), column_letters(column), source.table.line(row))
    };
    match (found.month, found.day, found.either) {
        (Some(m), None, _) => {
            Detected::new(Some(DateOrder::MonthFirst), format!("{} can only be mm/dd/yyyy", say(m)), &all)
        }
        (None, Some(d), _) => {
            Detected::new(Some(DateOrder::DayFirst), format!("{} can only be dd/mm/yyyy", say(d)), &all)
        }
        (Some(m), Some(d), _) => {
            Detected::new(None, format!("{} is mm/dd/yyyy, but {} is dd/mm/yyyy", say(m), say(d)), &all)
        }
        (None, None, Some(e)) => {
            Detected::new(None, format!("{} can be either; no date in the file decides it", say(e)), &all)
        }
        (None, None, None) => {
            Detected::new(Some(DateOrder::MonthFirst), "no date in the file depends on it".to_owned(), &all)
        }
    }
}

type Located<'s> = Option<(usize, usize, &'s str)>;

#[derive(Default)]
struct Clues<'s> {
    month: Located<'s>,
    day: Located<'s>,
    either: Located<'s>,
}

impl Clues<'_> {
    fn is_decided(&self) -> bool {
        self.month.is_some() || self.day.is_some()
    }
}

fn clues<'s>(source: &'s Source, layout: &'s Layout, rows: usize) -> Clues<'s> {
    let mut found = Clues::default();
    for (row, column, text) in cells(source, layout, Kind::Date, rows) {
        let slot = match date::clue(text) {
            Clue::MonthFirst => &mut found.month,
            Clue::DayFirst => &mut found.day,
            Clue::Either => &mut found.either,
            Clue::None => continue,
        };
        slot.get_or_insert((row, column, text));
        if found.month.is_some() && found.day.is_some() {
            break;
        }
    }
    found
}

fn short(text: &str) -> String {
    text.trim().chars().take(30).collect()
}
