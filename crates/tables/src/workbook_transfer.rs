//! A workbook's cells between the process that reads it and the one that asked.
//!
//! Of each sheet first a head as JSON with its length before it, then row by row the cells: kind, length, text; behind the
//! last a head of none, or the refusal. Whoever receives it trusts nothing: every length has its bound, and the table is filled as by a reader.

use std::io::{self, Read, Write};

use serde::{Deserialize, Serialize};

use crate::limits::{CELL_BYTES_MAX, CELLS_MAX, COLUMNS_MAX, ROWS_MAX, TEXT_BYTES_MAX};
use crate::note::CellNote;
use crate::refusal::ImportRefusal;
use crate::sheet_choice::{SheetSink, WorkbookContent, WorkbookSheet};
use crate::table::{CellKind, Table, to_u32};

/// Bytes of a head: names of sheets, and notes on cells.
const HEAD_BYTES_MAX: u32 = 16 << 20;
/// Marks a cell whose shown text follows the stored one.
const IS_FORMATTED: u8 = 0x80;
const KINDS: [CellKind; 5] =
    [CellKind::Text, CellKind::Number, CellKind::Date, CellKind::Flag, CellKind::Error];

#[derive(Serialize, Deserialize)]
struct WorkbookHead {
    sheets: Vec<WorkbookSheet>,
    sheet: String,
    from_1904: bool,
    rows: u32,
    notes: Vec<CellNote>,
}

/// What came of reading one more sheet; none behind the last.
type NextHead = Result<Option<WorkbookHead>, ImportRefusal>;

/// Reads a workbook and writes each sheet as it comes, then how it ended.
pub fn send_workbook(
    read: impl FnOnce(SheetSink<'_>) -> Result<(), ImportRefusal>,
    target: &mut (impl Write + ?Sized),
) -> io::Result<()> {
    let mut written = Ok(());
    let outcome = read(&mut |book| {
        written = write_sheet(&book, target);
        // Nobody receives it any more.
        if written.is_ok() { Ok(()) } else { Err(ImportRefusal::ReaderEnded) }
    });
    written?;
    write_head(outcome.map(|()| None), target)?;
    target.flush()
}

fn write_head(head: NextHead, target: &mut (impl Write + ?Sized)) -> io::Result<()> {
    write_bytes(target, &serde_json::to_vec(&head)?)
}

fn write_sheet(book: &WorkbookContent, target: &mut (impl Write + ?Sized)) -> io::Result<()> {
    let head = WorkbookHead {
        sheets: book.sheets.clone(),
        sheet: book.sheet.clone(),
        from_1904: book.table.counts_from_1904(),
        rows: to_u32(book.table.row_count()),
        notes: book.notes.clone(),
    };
    write_head(Ok(Some(head)), target)?;
    let table = &book.table;
    let mut formatted = table.formatted_numbers().peekable();
    for row in 0..table.row_count() {
        target.write_all(&to_u32(table.raw_len(row)).to_le_bytes())?;
        target.write_all(&to_u32(table.row_len(row)).to_le_bytes())?;
        for column in 0..table.row_len(row) {
            match formatted.next_if(|number| (number.row, number.column) == (row, column)) {
                Some(number) => {
                    target.write_all(&[IS_FORMATTED])?;
                    write_bytes(target, number.stored.as_bytes())?;
                    write_bytes(target, number.shown.as_bytes())?;
                }
                None => {
                    let cell = table.original_cell(row, column);
                    let kind = KINDS.iter().position(|kind| *kind == cell.kind).unwrap_or_default();
                    target.write_all(&[u8::try_from(kind).unwrap_or_default()])?;
                    write_bytes(target, cell.text.as_bytes())?;
                }
            }
        }
    }
    Ok(())
}

/// Reads what [`send_workbook`] has written.
///
/// # Errors
/// [`ImportRefusal::ReaderEnded`] where it ends too early or is not as it should be, else what the reader or the sink
/// refused.
pub fn receive_workbook(source: &mut impl Read, sink: SheetSink<'_>) -> Result<(), ImportRefusal> {
    while let Some(content) = read_sheet(source).unwrap_or(Err(ImportRefusal::ReaderEnded))? {
        sink(content)?;
    }
    Ok(())
}

/// `None` where the bytes end or contradict themselves; in it, none behind the last sheet.
fn read_sheet(source: &mut impl Read) -> Option<Result<Option<WorkbookContent>, ImportRefusal>> {
    let mut bytes = Vec::new();
    read_bytes(source, HEAD_BYTES_MAX, &mut bytes)?;
    let head: NextHead = serde_json::from_slice(&bytes).ok()?;
    let head = match head {
        Ok(Some(head)) => head,
        Ok(None) => return Some(Ok(None)),
        Err(refusal) => return Some(Err(refusal)),
    };
    let mut table = Table::default();
    if head.from_1904 {
        table.count_from_1904();
    }
    let (mut stored, mut shown) = (Vec::new(), Vec::new());
    let cell_bytes_max = to_u32(CELL_BYTES_MAX);
    for row in 0..head.rows {
        let (raw, count) = (read_u32(source)?, read_u32(source)?);
        let first = table.cell_count();
        if row as usize >= ROWS_MAX || count > raw || raw as usize > 2 * COLUMNS_MAX {
            return None;
        }
        for _ in 0..count {
            let mut kind = [0];
            source.read_exact(&mut kind).ok()?;
            let text = read_text(source, cell_bytes_max, &mut stored)?;
            if kind[0] == IS_FORMATTED {
                table.push_formatted(text, read_text(source, cell_bytes_max, &mut shown)?);
            } else {
                table.push_cell(text, *KINDS.get(usize::from(kind[0]))?);
            }
        }
        if table.cell_count() > CELLS_MAX || table.text_len() > TEXT_BYTES_MAX {
            return None;
        }
        table.end_row_of(first, row + 1, raw);
    }
    Some(Ok(Some(WorkbookContent {
        sheets: head.sheets,
        sheet: head.sheet,
        table: table.trim_blank_rows(),
        notes: head.notes,
    })))
}

fn write_bytes(target: &mut (impl Write + ?Sized), bytes: &[u8]) -> io::Result<()> {
    target.write_all(&to_u32(bytes.len()).to_le_bytes())?;
    target.write_all(bytes)
}

fn read_u32(source: &mut impl Read) -> Option<u32> {
    let mut bytes = [0; 4];
    source.read_exact(&mut bytes).ok()?;
    Some(u32::from_le_bytes(bytes))
}

/// Bytes with their length before them, into `bytes`.
fn read_bytes(source: &mut impl Read, most: u32, bytes: &mut Vec<u8>) -> Option<()> {
    let length = read_u32(source).filter(|length| *length <= most)?;
    bytes.resize(length as usize, 0);
    source.read_exact(bytes).ok()
}

fn read_text<'b>(source: &mut impl Read, most: u32, bytes: &'b mut Vec<u8>) -> Option<&'b str> {
    read_bytes(source, most, bytes)?;
    std::str::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::note::NoteKind;

    fn content() -> WorkbookContent {
        let mut table = Table::default();
        table.count_from_1904();
        table.push_cell("Policy", CellKind::Text);
        table.push_cell("", CellKind::Text);
        table.push_cell("Day", CellKind::Text);
        table.push_cell("", CellKind::Text);
        table.end_row(0, 1);
        table.push_formatted("123", "00123");
        table.push_cell("TRUE", CellKind::Flag);
        table.push_cell("2026-02-23", CellKind::Date);
        table.end_row(3, 2);
        table.push_cell("#REF!", CellKind::Error);
        table.push_cell("1.5", CellKind::Number);
        table.end_row(6, 3);
        WorkbookContent {
            sheets: vec![WorkbookSheet::new("Café".into(), true)],
            sheet: "Café".into(),
            table,
            notes: vec![CellNote::new(NoteKind::CellCut, 1, 2)],
        }
    }

    fn sent(sheets: Vec<WorkbookContent>, outcome: Result<(), ImportRefusal>) -> Vec<u8> {
        let mut bytes = Vec::new();
        let read = |sink: SheetSink<'_>| sheets.into_iter().try_for_each(sink).and(outcome);
        send_workbook(read, &mut bytes).unwrap();
        bytes
    }

    fn received(mut bytes: &[u8]) -> Result<Vec<WorkbookContent>, ImportRefusal> {
        let mut sheets = Vec::new();
        receive_workbook(&mut bytes, &mut |sheet| {
            sheets.push(sheet);
            Ok(())
        })
        .map(|()| sheets)
    }

    #[test]
    fn what_is_received_is_what_was_sent() {
        let bytes = sent(vec![content(), content()], Ok(()));
        // The same bytes again: nothing was lost on the way.
        assert_eq!(sent(received(&bytes).unwrap(), Ok(())), bytes);
        let mut sheets = received(&bytes).unwrap();
        assert_eq!(sheets.len(), 2);
        let table = &mut sheets[1].table;
        assert_eq!((table.raw_len(0), table.row_len(0)), (4, 3));
        assert_eq!(table.text_at(1, 0), "00123");
        table.keep_stored_numbers();
        assert_eq!(table.text_at(1, 0), "123");
        let refusal = ImportRefusal::NoSuchSheet { asked: "a".into(), there: "b".into() };
        assert_eq!(received(&sent(vec![content()], Err(refusal.clone()))).unwrap_err(), refusal);
    }

    #[test]
    fn a_sink_that_refuses_ends_the_receiving() {
        let bytes = sent(vec![content(), content()], Ok(()));
        let ended = receive_workbook(&mut bytes.as_slice(), &mut |_| Err(ImportRefusal::TooManyFiles));
        assert_eq!(ended, Err(ImportRefusal::TooManyFiles));
    }

    #[test]
    fn what_is_cut_or_changed_on_the_way_is_refused_or_read_within_bounds() {
        let bytes = sent(vec![content()], Ok(()));
        for end in 0..bytes.len() {
            assert_eq!(received(&bytes[..end]).unwrap_err(), ImportRefusal::ReaderEnded, "{end}");
        }
        for at in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[at] ^= 0xff;
            drop(received(&changed));
        }
    }
}
