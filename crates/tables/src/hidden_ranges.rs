//! Rows and columns that a sheet hides: by a filter, by hand, or as the details of an outline. The workbook reader gives them
//! like the others.

use std::collections::BTreeMap;

use memchr::memmem;
use quick_xml::events::Event;

use crate::cell_formats::HiddenRanges;
use crate::limits::{COLUMNS_MAX, NOTES_MAX, ROWS_MAX};
use crate::note::{CellNote, NoteKind};
use crate::table_filler::TableFiller;
use crate::xlsb_formats::{open_parts, part, relation_target};

/// By the path of the sheet's part in lower case.
#[derive(Default)]
pub(crate) struct HiddenOfSheets(pub BTreeMap<String, HiddenRanges>);

/// Adds the hidden rows and columns whose tags begin in this much of a sheet's XML. Each byte is looked at once: what is no
/// sheet may have millions of attributes without a tag.
pub(crate) fn scan_hidden_ranges(window: &[u8], own: usize, hidden: &mut HiddenRanges) {
    let mut from = 0;
    while let Some(found) = memmem::find(&window[from..], b" hidden=") {
        let at = from + found;
        let begin = memchr::memrchr(b'<', &window[from..at]).map(|before| from + before);
        if begin.unwrap_or(at) > own {
            return;
        }
        // A tag ends where the next one begins, at the latest.
        let end = memchr::memchr2(b'>', b'<', &window[at..]).map_or(window.len(), |length| at + length);
        if let Some(begin) = begin.filter(|begin| *begin > 0 && hidden.rows.len() < ROWS_MAX) {
            add_hidden(&window[begin + 1..end], hidden);
        }
        from = end;
    }
}

/// Adds the row or the columns of a tag, where it hides them; it counts from 1.
fn add_hidden(tag: &[u8], hidden: &mut HiddenRanges) -> Option<()> {
    let name = &tag[..memchr::memchr(b' ', tag)?];
    let name = name.rsplit(|byte| *byte == b':').next()?;
    if !(name == b"row" || (name == b"col" && hidden.columns.len() < COLUMNS_MAX)) {
        return None;
    }
    let value = |name: &str| {
        let at = memmem::find(tag, name.as_bytes())? + name.len();
        let (quote, rest) = tag.get(at..)?.split_first()?;
        let end = memchr::memchr(*quote, rest).filter(|_| matches!(quote, b'"' | b'\''))?;
        std::str::from_utf8(&rest[..end]).ok()
    };
    if !matches!(value(" hidden=")?, "1" | "true") {
        return None;
    }
    let number = |name: &str| value(name)?.parse::<u32>().ok()?.checked_sub(1);
    if name == b"row" {
        hidden.rows.push(number(" r=")?);
    } else {
        hidden.add_columns(number(" min=")?..=number(" max=")?);
    }
    Some(())
}

impl HiddenOfSheets {
    /// Notes the rows and columns of a sheet that it hides and that have cells.
    pub(crate) fn note_ranges(&self, archive: &[u8], sheet: &str, filling: &mut TableFiller) {
        if self.0.is_empty() {
            return;
        }
        let path = sheet_path(archive, sheet).unwrap_or_default();
        if let Some(hidden) = self.0.get(&path) {
            filling.note_hidden(hidden);
        }
    }
}

impl TableFiller {
    /// Notes rows and columns that the sheet hides and that have cells.
    pub(crate) fn note_hidden(&mut self, hidden: &HiddenRanges) {
        self.note_rows(NoteKind::RowHidden, &hidden.rows);
        let columns = hidden.columns.iter().map(|column| *column as usize);
        let own = columns.filter(|column| *column < self.table.width());
        self.notes.extend(own.map(|column| CellNote::new(NoteKind::ColumnHidden, 0, column)));
    }

    /// Notes the same of rows that have cells.
    pub(crate) fn note_rows(&mut self, kind: NoteKind, rows: &[u32]) {
        let there = self.table.row_count();
        let rows = rows.iter().map(|row| *row as usize);
        let own = rows.filter(|row| *row < there && !self.table.is_blank(*row));
        let notes: Vec<CellNote> = own.map(|row| CellNote::new(kind, row, 0)).collect();
        let room = NOTES_MAX.saturating_sub(self.notes.len());
        self.notes.extend(notes.into_iter().take(room));
    }
}

/// The path of a sheet's part, in lower case.
fn sheet_path(archive: &[u8], sheet: &str) -> Option<String> {
    let mut parts = open_parts(archive)?;
    let workbook = String::from_utf8(part(&mut parts, "xl/workbook.xml")?).ok()?;
    let mut reader = quick_xml::Reader::from_str(&workbook);
    reader.config_mut().expand_empty_elements = true;
    let relation = loop {
        let tag = match reader.read_event().ok()? {
            Event::Eof => return None,
            Event::Start(tag) if tag.local_name().as_ref() == "sheet" => tag,
            _ => continue,
        };
        let mut attributes = tag.attributes().flatten();
        let is_it = tag
            .try_get_attribute("name")
            .ok()?
            .is_some_and(|name| quick_xml::escape::unescape(&name.value).is_ok_and(|name| name == sheet));
        let id = attributes.find(|attribute| attribute.key.as_ref().ends_with(":id"));
        if is_it {
            break id?.value.into_owned();
        }
    };
    let relations = part(&mut parts, "xl/_rels/workbook.xml.rels")?;
    let target = relation_target(relations, &relation)?;
    let path = target.strip_prefix('/').map_or_else(|| format!("xl/{target}"), str::to_owned);
    Some(path.to_ascii_lowercase())
}
