//! Which sheet of a workbook is read.

use serde::{Deserialize, Serialize};

use crate::header::{HeaderFields, HeaderNames, ROWS_LOOKED_AT, has_header};
use crate::note::CellNote;
use crate::refusal::ImportRefusal;
use crate::table::Table;
use crate::table_filler::TableFiller;

/// A sheet of a workbook.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkbookSheet {
    /// Its name.
    pub name: String,
    /// Whether the spreadsheet program hides it.
    pub hidden: bool,
    /// Whether it has rows under the headers of the sheet that is read instead of it.
    pub is_alike: bool,
}

impl WorkbookSheet {
    /// A sheet of which no more is known.
    pub(crate) const fn new(name: String, hidden: bool) -> WorkbookSheet {
        WorkbookSheet { name, hidden, is_alike: false }
    }
}

/// A sheet's cells, and the sheets there are.
#[derive(Debug)]
pub struct WorkbookContent {
    pub(crate) sheets: Vec<WorkbookSheet>,
    pub(crate) sheet: String,
    pub(crate) table: Table,
    pub(crate) notes: Vec<CellNote>,
}

/// The sheets to try, in order.
fn candidate_sheets(sheets: &[WorkbookSheet], asked: SheetRequest<'_>) -> Result<Vec<String>, ImportRefusal> {
    let SheetRequest::Named(asked) = asked else {
        let visible = sheets.iter().filter(|s| !s.hidden).chain(sheets.iter().filter(|s| s.hidden));
        return Ok(visible.map(|s| s.name.clone()).collect());
    };
    let found = sheets.iter().find(|s| s.name == asked);
    let found = found.or_else(|| sheets.iter().find(|s| s.name.eq_ignore_ascii_case(asked)));
    found.map(|s| vec![s.name.clone()]).ok_or_else(|| ImportRefusal::NoSuchSheet {
        asked: asked.chars().take(60).collect(),
        there: sheets.iter().map(|s| s.name.as_str()).collect::<Vec<_>>().join(", "),
    })
}

/// Which sheets of a workbook are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SheetRequest<'a> {
    /// The first with names of fields.
    First,
    /// The one of this name.
    Named(&'a str),
    /// The first with names of fields, then every other visible one with cells.
    All,
}

/// Takes the sheets that are read, one after the other; a refusal ends the reading.
pub type SheetSink<'s> = &'s mut dyn FnMut(WorkbookContent) -> Result<(), ImportRefusal>;

/// Which sheets are read.
#[derive(Clone, Copy)]
pub(crate) struct SheetChoice<'a> {
    pub(crate) asked: SheetRequest<'a>,
    pub(crate) fields: HeaderFields,
}

/// Sheets that are compared with the one that is read.
const SHEETS_COMPARED_MAX: usize = 60;

/// The first sheet with known names near its top, or the one that it is a summary of; without any, the first with cells. `cells` reads the first
/// rows of a sheet, of another than the first only as many as are looked at: instructions often stand on a sheet before the data.
pub(crate) fn choose_sheet(
    mut sheets: Vec<WorkbookSheet>,
    choice: SheetChoice<'_>,
    sink: SheetSink<'_>,
    mut cells: impl FnMut(&str, usize) -> Result<TableFiller, ImportRefusal>,
) -> Result<(), ImportRefusal> {
    let mut first = None;
    for name in candidate_sheets(&sheets, choice.asked)? {
        if first.is_none() {
            let filling = cells(&name, usize::MAX)?;
            if filling.table.cell_count() == 0 {
                continue;
            }
            let is_it = has_header(&filling.table, choice.fields);
            first = Some((name, filling));
            if is_it {
                break;
            }
        } else if is_visible(&sheets, &name)
            && cells(&name, ROWS_LOOKED_AT).is_ok_and(|look| has_header(&look.table, choice.fields))
        {
            first = Some((name.clone(), cells(&name, usize::MAX)?));
            break;
        }
    }
    let (mut chosen, mut filling) = first.ok_or(ImportRefusal::NoCells)?;
    if !matches!(choice.asked, SheetRequest::Named(_)) {
        let names_of = |filling: &TableFiller| HeaderNames::of_table(&filling.table, choice.fields);
        let mut own = names_of(&filling);
        let others = sheets.iter().filter(|sheet| !sheet.hidden && sheet.name != chosen);
        let mut looks: Vec<(String, HeaderNames)> = others
            .take(SHEETS_COMPARED_MAX)
            .filter_map(|sheet| {
                Some((sheet.name.clone(), names_of(&cells(&sheet.name, ROWS_LOOKED_AT).ok()?)))
            })
            .collect();
        if let Some(at) = looks.iter().position(|(_, other)| own.are_summary_of(other)) {
            let (name, names) = looks.swap_remove(at);
            filling = cells(&name, usize::MAX)?;
            (chosen, own) = (name, names);
        }
        for sheet in sheets.iter_mut().filter(|_| choice.asked == SheetRequest::First) {
            let look = looks.iter().find(|(name, _)| *name == sheet.name);
            sheet.is_alike = look.is_some_and(|(_, other)| own.are_those_of(other));
        }
    }
    sink(WorkbookContent::new(&sheets, &chosen, filling))?;
    if choice.asked == SheetRequest::All {
        for sheet in sheets.iter().filter(|sheet| !sheet.hidden && sheet.name != chosen) {
            let filling = cells(&sheet.name, usize::MAX)?;
            if filling.table.cell_count() > 0 {
                sink(WorkbookContent::new(&sheets, &sheet.name, filling))?;
            }
        }
    }
    Ok(())
}

impl WorkbookContent {
    fn new(sheets: &[WorkbookSheet], sheet: &str, filling: TableFiller) -> WorkbookContent {
        let (table, notes) = (filling.table.trim_blank_rows(), filling.notes);
        WorkbookContent { sheets: sheets.to_vec(), sheet: sheet.to_owned(), table, notes }
    }
}

/// The same of tables that are all read: the first with known names near its top; without any, the first with cells.
pub(crate) fn choose_table(
    mut tables: Vec<(WorkbookSheet, TableFiller)>,
    choice: SheetChoice<'_>,
    sink: SheetSink<'_>,
) -> Result<(), ImportRefusal> {
    let mut sheets: Vec<WorkbookSheet> = tables.iter().map(|(sheet, _)| sheet.clone()).collect();
    let names = candidate_sheets(&sheets, choice.asked)?;
    let candidates = names.iter().filter_map(|name| sheets.iter().position(|sheet| sheet.name == *name));
    let with_cells: Vec<usize> = candidates.filter(|at| tables[*at].1.table.cell_count() > 0).collect();
    let is_it = |at: &&usize| !sheets[**at].hidden && has_header(&tables[**at].1.table, choice.fields);
    let mut chosen = *with_cells.iter().find(is_it).or(with_cells.first()).ok_or(ImportRefusal::NoCells)?;
    if !matches!(choice.asked, SheetRequest::Named(_)) {
        let names_of = |at: usize| HeaderNames::of_table(&tables[at].1.table, choice.fields);
        let others = with_cells.iter().copied().filter(|at| !sheets[*at].hidden).take(SHEETS_COMPARED_MAX);
        let looks: Vec<(usize, HeaderNames)> = others.map(|at| (at, names_of(at))).collect();
        let own = names_of(chosen);
        chosen = looks.iter().find(|(_, other)| own.are_summary_of(other)).map_or(chosen, |(at, _)| *at);
        let own = names_of(chosen);
        for (at, other) in looks.iter().filter(|(at, _)| choice.asked == SheetRequest::First && *at != chosen)
        {
            sheets[*at].is_alike = own.are_those_of(other);
        }
    }
    let mut send =
        |at: usize| sink(WorkbookContent::new(&sheets, &sheets[at].name, std::mem::take(&mut tables[at].1)));
    send(chosen)?;
    if choice.asked == SheetRequest::All {
        for at in with_cells.into_iter().filter(|at| *at != chosen && !sheets[*at].hidden) {
            send(at)?;
        }
    }
    Ok(())
}

fn is_visible(sheets: &[WorkbookSheet], name: &str) -> bool {
    sheets.iter().any(|sheet| sheet.name == name && !sheet.hidden)
}
