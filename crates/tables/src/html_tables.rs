//! Tables of a web page, each as a sheet. The page is taken apart by the tokenizer of the crate html5ever, which makes no
//! tree: a page is as deep as it likes, and nothing of it is run.

use std::cell::RefCell;
use std::collections::BTreeMap;

use html5ever::tendril::StrTendril;
use html5ever::tokenizer::states::RawKind;
use html5ever::tokenizer::{
    BufferQueue, Tag, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts,
};

use crate::limits::{CELL_BYTES_MAX, COLUMNS_MAX, MARKUP_ROWS_MAX, ROWS_MAX, TABLES_MAX};
use crate::literal;
use crate::markup::decode_markup;
use crate::note::note_unreadable_cells;
use crate::refusal::ImportRefusal;
use crate::sheet_choice::{SheetChoice, SheetSink, WorkbookSheet, choose_table};
use crate::table::CellKind;
use crate::table_filler::TableFiller;

/// Bytes handed to the tokenizer at a time.
const PIECE_BYTES: usize = 1 << 16;
/// Characters of a table's caption.
const CAPTION_CHARS: usize = 60;

/// Reads the tables asked for.
pub(crate) fn read_html(
    bytes: &[u8],
    choice: SheetChoice<'_>,
    sink: SheetSink<'_>,
) -> Result<(), ImportRefusal> {
    let decoded = decode_markup(bytes)?;
    let tokenizer = Tokenizer::new(PageSink::default(), TokenizerOpts::default());
    let queue = BufferQueue::default();
    let mut rest: &str = &decoded.text;
    while !rest.is_empty() {
        let mut end = rest.len().min(PIECE_BYTES);
        while !rest.is_char_boundary(end) {
            end -= 1;
        }
        queue.push_back(StrTendril::from_slice(&rest[..end]));
        rest = &rest[end..];
        let _ = tokenizer.feed(&queue);
        if tokenizer.sink.page.borrow().refusal.is_some() {
            break;
        }
    }
    if rest.is_empty() {
        tokenizer.end();
    }
    let mut page = tokenizer.sink.page.into_inner();
    for table in &mut page.tables {
        table.end_cell();
        page.refusal = page.refusal.take().or(table.refusal.take());
    }
    if let Some(refusal) = page.refusal {
        return Err(refusal);
    }
    if page.tables.is_empty() {
        return Err(ImportRefusal::NotATable { found: "a web page without a table".into() });
    }
    let mut names = BTreeMap::new();
    let tables = page.tables.into_iter().enumerate().map(|(at, mut table)| {
        if table.has_row {
            table.filling.end_row();
        }
        let shown: String = table.caption.trim().chars().take(CAPTION_CHARS).collect();
        let name = if shown.is_empty() { format!("Table {}", at + 1) } else { shown };
        let count = names.entry(name.clone()).and_modify(|count| *count += 1).or_insert(1);
        let name = if *count == 1 { name } else { format!("{name} ({count})") };
        (WorkbookSheet::new(name, false), table.filling)
    });
    let tables = tables.collect();
    choose_table(tables, choice, &mut |mut content| {
        if decoded.replaced {
            note_unreadable_cells(&content.table, &mut content.notes);
        }
        literal::unwrap_literals(&mut content.table);
        sink(content)
    })
}

/// What the tokenizer hands its tokens to; it has shared access only.
#[derive(Default)]
struct PageSink {
    page: RefCell<PageWalk>,
}

impl TokenSink for PageSink {
    type Handle = ();

    fn process_token(&self, token: Token, _line: u64) -> TokenSinkResult<()> {
        let mut page = self.page.borrow_mut();
        match token {
            Token::TagToken(tag) => match page.read_tag(&tag) {
                Ok(Some(raw)) => return TokenSinkResult::RawData(raw),
                Ok(None) => {}
                Err(refusal) => page.refuse(refusal),
            },
            Token::CharacterTokens(text) => page.add_text(&text),
            _ => {}
        }
        TokenSinkResult::Continue
    }
}

/// Where the walk through a page is.
#[derive(Default)]
struct PageWalk {
    tables: Vec<PageTable>,
    /// Those that are open, the innermost last. A table within a cell is a table of its own.
    open: Vec<usize>,
    /// Within a script or a style: its text is none of the page's.
    is_skipping: bool,
    /// Rows of all tables.
    rows: usize,
    refusal: Option<ImportRefusal>,
}

#[derive(Default)]
struct PageTable {
    filling: TableFiller,
    caption: String,
    is_in_caption: bool,
    has_row: bool,
    row: u32,
    column: u32,
    cell: Option<PageCell>,
    /// By column: the row before which a cell of a row above reaches down.
    taken_until: Vec<u32>,
    refusal: Option<ImportRefusal>,
}

struct PageCell {
    column: u32,
    text: String,
}

impl PageWalk {
    fn refuse(&mut self, refusal: ImportRefusal) {
        self.refusal.get_or_insert(refusal);
    }

    /// What the tokenizer has to know of the tag: the content of some is no markup.
    fn read_tag(&mut self, tag: &Tag) -> Result<Option<RawKind>, ImportRefusal> {
        let name: &str = &tag.name;
        let is_start = tag.kind == TagKind::StartTag;
        let raw = match name {
            "script" => Some(RawKind::ScriptData),
            "style" | "xmp" | "iframe" | "noembed" | "noframes" => Some(RawKind::Rawtext),
            "title" | "textarea" => Some(RawKind::Rcdata),
            _ => None,
        };
        if raw.is_some() {
            self.is_skipping = is_start;
            return Ok(raw.filter(|_| is_start));
        }
        if self.refusal.is_some() {
            return Ok(None);
        }
        match (name, is_start) {
            ("tr", true) => {
                // All tables together: each row takes room, whatever is in it.
                self.rows += 1;
                if self.rows > MARKUP_ROWS_MAX {
                    return Err(ImportRefusal::TooManyMarkupRows);
                }
                self.read_in_table(name, is_start, tag)?;
            }
            ("table", true) => {
                if self.tables.len() >= TABLES_MAX {
                    return Err(ImportRefusal::Damaged { detail: "it has more than 1,000 tables".into() });
                }
                self.open.push(self.tables.len());
                self.tables.push(PageTable::default());
            }
            ("table", false) => {
                if let Some(at) = self.open.pop() {
                    self.tables[at].end_cell();
                }
            }
            _ => self.read_in_table(name, is_start, tag)?,
        }
        Ok(None)
    }

    fn read_in_table(&mut self, name: &str, is_start: bool, tag: &Tag) -> Result<(), ImportRefusal> {
        let Some(table) = self.open.last().and_then(|at| self.tables.get_mut(*at)) else { return Ok(()) };
        table.read_tag(name, is_start, tag);
        table.refusal.take().map_or(Ok(()), Err)
    }

    fn add_text(&mut self, text: &str) {
        if self.is_skipping {
            return;
        }
        if let Some(table) = self.open.last().and_then(|at| self.tables.get_mut(*at)) {
            table.add_text(text);
        }
    }
}

impl PageTable {
    fn read_tag(&mut self, name: &str, is_start: bool, tag: &Tag) {
        match (name, is_start) {
            ("tr", true) => self.begin_row(),
            ("td" | "th", true) => self.begin_cell(tag),
            ("td" | "th" | "tr", false) => self.end_cell(),
            ("caption", _) => self.is_in_caption = is_start,
            ("br" | "p" | "div" | "li", _) => self.break_line(),
            _ => {}
        }
    }

    fn begin_row(&mut self) {
        self.end_cell();
        if self.has_row {
            self.row = self.row.saturating_add(1);
        }
        (self.has_row, self.column, self.is_in_caption) = (true, 0, false);
        if self.row as usize >= ROWS_MAX {
            self.refusal = Some(ImportRefusal::TooManyRows);
        }
    }

    fn begin_cell(&mut self, tag: &Tag) {
        if !self.has_row {
            self.begin_row();
        }
        self.end_cell();
        while self.taken_until.get(self.column as usize).is_some_and(|until| *until > self.row) {
            self.column += 1;
        }
        let span = |name: &str, most: u32| {
            let given = tag.attrs.iter().find(|attribute| &*attribute.name.local == name);
            let count: Option<u32> = given.and_then(|attribute| attribute.value.trim().parse().ok());
            count.unwrap_or(1).clamp(1, most)
        };
        let widest = u32::try_from(COLUMNS_MAX).unwrap_or(u32::MAX);
        let (columns, rows) = (span("colspan", widest), span("rowspan", 65_534));
        let end = self.column.saturating_add(columns);
        if end > widest {
            self.refusal = Some(ImportRefusal::TooManyColumns { row: self.row + 1 });
            return;
        }
        if rows > 1 {
            if self.taken_until.len() < end as usize {
                self.taken_until.resize(end as usize, 0);
            }
            self.taken_until[self.column as usize..end as usize].fill(self.row.saturating_add(rows));
        }
        self.cell = Some(PageCell { column: self.column, text: String::new() });
        // A spreadsheet shows the text of a wide cell in the first of its columns, too.
        self.column = end;
    }

    fn end_cell(&mut self) {
        let Some(cell) = self.cell.take() else { return };
        let text = cell.text.trim();
        if text.is_empty() {
            return;
        }
        let added = self.filling.add_text((self.row, cell.column), text, CellKind::Text, None);
        self.refusal = self.refusal.take().or(added.err());
    }

    fn break_line(&mut self) {
        if let Some(cell) = self.cell.as_mut().filter(|cell| !cell.text.trim_end().is_empty()) {
            cell.text.truncate(cell.text.trim_end().len());
            cell.text.push('\n');
        }
    }

    /// White space is one blank, as a page shows it; blanks that do not break are blanks.
    fn add_text(&mut self, text: &str) {
        let target = match &mut self.cell {
            Some(cell) => &mut cell.text,
            None if self.is_in_caption => &mut self.caption,
            None => return,
        };
        // A longer text is cut with an issue.
        if target.len() > CELL_BYTES_MAX {
            return;
        }
        for c in text.chars() {
            if !c.is_whitespace() {
                target.push(c);
            } else if !target.is_empty() && !target.ends_with([' ', '\n']) {
                target.push(' ');
            }
        }
    }
}
