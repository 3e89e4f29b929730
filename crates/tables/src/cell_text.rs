//! A workbook's cells as text: the one place where a spreadsheet's numbers become decimals.
//!
//! A workbook stores numbers as binary floats. Each is written here, once, as the shortest decimal text that
//! reads back as the same number: that is what the spreadsheet shows for what a person typed. From here on an
//! amount is text and then whole cents; no float goes any further.

use std::fmt::Write as _;

use calamine::{Data, DataRef, ExcelDateTime};

use crate::table::CellKind;

/// Writes a cell's value as text and says what kind it is.
pub(crate) fn write_cell(value: &DataRef<'_>, text: &mut String) -> CellKind {
    // Writing to a text cannot fail.
    match value {
        DataRef::Int(number) => {
            let _ = write!(text, "{number}");
            CellKind::Number
        }
        DataRef::Float(number) => {
            let _ = write!(text, "{number}");
            CellKind::Number
        }
        DataRef::String(found) | DataRef::DurationIso(found) => {
            text.push_str(found);
            CellKind::Text
        }
        DataRef::SharedString(found) => {
            text.push_str(found);
            CellKind::Text
        }
        DataRef::Bool(truth) => {
            text.push_str(if *truth { "TRUE" } else { "FALSE" });
            CellKind::Flag
        }
        DataRef::DateTime(day) => write_date(day, text),
        DataRef::DateTimeIso(found) => {
            text.push_str(found.split('T').next().unwrap_or(found));
            CellKind::Date
        }
        DataRef::Error(error) => {
            let _ = write!(text, "{error}");
            CellKind::Error
        }
        DataRef::Empty => CellKind::Text,
    }
}

/// Days of both epochs; the time of day says nothing here. Durations stay the numbers they are.
fn write_date(day: &ExcelDateTime, text: &mut String) -> CellKind {
    if day.is_duration() {
        let _ = write!(text, "{day}");
        return CellKind::Number;
    }
    let (year, month, date, ..) = day.to_ymd_hms_milli();
    let _ = write!(text, "{year:04}-{month:02}-{date:02}");
    CellKind::Date
}

/// The same value without owning its text.
pub(crate) fn data_ref(value: &Data) -> DataRef<'_> {
    match value {
        Data::Int(number) => DataRef::Int(*number),
        Data::Float(number) => DataRef::Float(*number),
        Data::String(text) => DataRef::SharedString(text),
        Data::Bool(truth) => DataRef::Bool(*truth),
        Data::DateTime(day) => DataRef::DateTime(*day),
        Data::DateTimeIso(text) => DataRef::DateTimeIso(text.clone()),
        Data::DurationIso(text) => DataRef::SharedString(text),
        Data::Error(error) => DataRef::Error(error.clone()),
        Data::Empty => DataRef::Empty,
    }
}
