//! Text flowing down pages. Positions are in points from the upper left corner.

use crate::fonts::{Fonts, Weight};

/// Width of US Letter, in points.
pub const PAGE_WIDTH: f32 = 612.0;
/// Height of US Letter, in points.
pub const PAGE_HEIGHT: f32 = 792.0;
/// Left, right and upper margin, in points.
pub const MARGIN: f32 = 50.0;
/// Width of the text.
pub const WIDTH: f32 = PAGE_WIDTH - 2.0 * MARGIN;
/// Below this the foot of the page begins.
const BOTTOM: f32 = PAGE_HEIGHT - 62.0;
/// Lines of text stand this many times their size apart.
const LEADING: f32 = 1.32;

/// A shade of gray or the one accent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ink {
    /// Text.
    Black,
    /// Text of less weight.
    Grey,
    /// Lines.
    Rule,
    /// Text that warns.
    Alert,
    /// The background of such text.
    AlertGround,
}

/// What a block of text is to a screen reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The title of the document.
    Title,
    /// The heading of a section.
    Heading,
    /// Anything else.
    Paragraph,
}

/// Something on a page.
#[derive(Clone, Debug)]
pub enum Mark {
    /// One line of text on its base line.
    Text {
        /// Left end, in points from the left edge.
        x: f32,
        /// Base line, in points from the upper edge.
        y: f32,
        /// Size in points.
        size: f32,
        /// Weight.
        weight: Weight,
        /// Ink.
        ink: Ink,
        /// The line.
        text: String,
        /// Number of its block in [`Paper::blocks`]; `None` for a foot line, which is not read out.
        block: Option<usize>,
    },
    /// A filled rectangle, also as a rule; the numbers are points from the upper left corner.
    Box {
        /// Left edge.
        x: f32,
        /// Upper edge.
        y: f32,
        /// Width.
        width: f32,
        /// Height.
        height: f32,
        /// Ink.
        ink: Ink,
    },
}

/// Pages that are laid out.
#[derive(Clone, Debug)]
pub struct Paper {
    /// The content of each page.
    pub pages: Vec<Vec<Mark>>,
    /// What each block of text is, in reading order.
    pub blocks: Vec<Role>,
}

/// How text looks.
#[derive(Clone, Copy)]
pub struct Style {
    /// Size in points.
    pub size: f32,
    /// Weight.
    pub weight: Weight,
    /// Ink.
    pub ink: Ink,
}

/// Text as usual.
pub const BODY: Style = Style { size: 9.5, weight: Weight::Regular, ink: Ink::Black };
/// Emphasized text.
pub const BOLD: Style = Style { size: 9.5, weight: Weight::Bold, ink: Ink::Black };
/// Remarks.
pub const SMALL: Style = Style { size: 8.0, weight: Weight::Regular, ink: Ink::Grey };
/// Labels of columns and fields.
pub const LABEL: Style = Style { size: 8.0, weight: Weight::Bold, ink: Ink::Grey };

/// A cell of a row: where it begins, how wide it is, and to which side it is set.
#[derive(Clone, Copy)]
pub struct Column {
    /// Left edge, in points from the left margin.
    pub x: f32,
    /// Width in points.
    pub width: f32,
    /// Set to the right.
    pub right: bool,
}

impl Column {
    /// Set to the left.
    #[must_use]
    pub const fn left(x: f32, width: f32) -> Column {
        Column { x, width, right: false }
    }

    /// Set to the right.
    #[must_use]
    pub const fn right(x: f32, width: f32) -> Column {
        Column { x, width, right: true }
    }
}

/// Pages being filled.
pub struct Flow<'f> {
    fonts: &'f Fonts,
    pages: Vec<Vec<Mark>>,
    blocks: Vec<Role>,
    y: f32,
}

impl<'f> Flow<'f> {
    /// One empty page.
    #[must_use]
    pub fn new(fonts: &'f Fonts) -> Self {
        Flow { fonts, pages: vec![Vec::new()], blocks: Vec::new(), y: MARGIN }
    }

    fn mark(&mut self, mark: Mark) {
        if let Some(page) = self.pages.last_mut() {
            page.push(mark);
        }
    }

    /// Begins a page where less than `height` points are left.
    pub fn keep_together(&mut self, height: f32) {
        if self.y + height > BOTTOM && self.y > MARGIN {
            self.pages.push(Vec::new());
            self.y = MARGIN;
        }
    }

    /// Leaves `height` points empty.
    pub fn space(&mut self, height: f32) {
        self.y += height;
    }

    /// A paragraph, wrapped.
    pub fn paragraph(&mut self, text: &str, style: Style) {
        self.row(&[(Column::left(0.0, WIDTH), text, style)]);
    }

    /// The title of the document.
    pub fn title(&mut self, text: &str) {
        self.titled(Role::Title, text, Style { size: 17.0, weight: Weight::Bold, ink: Ink::Black });
    }

    fn titled(&mut self, role: Role, text: &str, style: Style) {
        let block = self.blocks.len();
        self.paragraph(text, style);
        if let Some(of) = self.blocks.get_mut(block) {
            *of = role;
        }
    }

    /// A heading with a rule below; it does not stand alone at the foot of a page.
    pub fn heading(&mut self, text: &str) {
        self.space(12.0);
        self.keep_together(52.0);
        self.titled(Role::Heading, text, Style { size: 11.0, weight: Weight::Bold, ink: Ink::Black });
        self.rule(0.8, Ink::Rule);
        self.space(4.0);
    }

    /// A rule across the page.
    pub fn rule(&mut self, height: f32, ink: Ink) {
        self.space(2.0);
        let y = self.y;
        self.mark(Mark::Box { x: MARGIN, y, width: WIDTH, height, ink });
        self.space(2.0 + height);
    }

    /// A line to write on, or below what is filled in.
    pub fn writing_line(&mut self, column: Column) {
        let y = self.y;
        self.mark(Mark::Box { x: MARGIN + column.x, y, width: column.width, height: 0.5, ink: Ink::Rule });
        self.space(4.0);
    }

    /// A square to tick, before a sentence.
    pub fn tick(&mut self, ticked: bool, text: &str) {
        self.keep_together(BODY.size * LEADING);
        let y = self.y + 2.0;
        let edge =
            |x: f32, y: f32, width: f32, height: f32| Mark::Box { x, y, width, height, ink: Ink::Grey };
        for part in [
            edge(MARGIN, y, 9.0, 0.7),
            edge(MARGIN, y + 8.3, 9.0, 0.7),
            edge(MARGIN, y, 0.7, 9.0),
            edge(MARGIN + 8.3, y, 0.7, 9.0),
        ] {
            self.mark(part);
        }
        let sign = if ticked { "x" } else { "" };
        self.row(&[(Column::left(1.9, 8.0), sign, BOLD), (Column::left(15.0, WIDTH - 15.0), text, BODY)]);
    }

    /// A band across the page with a sentence in it.
    pub fn band(&mut self, text: &str) {
        let style = Style { size: 10.0, weight: Weight::Bold, ink: Ink::Alert };
        let lines = self.fonts.wrapped(text, style.weight, style.size, WIDTH - 20.0);
        let height = lines.len() as f32 * style.size * LEADING + 10.0;
        self.keep_together(height);
        let top = self.y;
        self.mark(Mark::Box { x: MARGIN, y: top, width: WIDTH, height, ink: Ink::AlertGround });
        self.mark(Mark::Box { x: MARGIN, y: top, width: 4.0, height, ink: Ink::Alert });
        self.space(5.0);
        let block = self.block();
        for line in lines {
            self.line(12.0, &line, style, block);
            self.space(style.size * LEADING);
        }
        self.y = top + height + 4.0;
    }

    fn block(&mut self) -> usize {
        self.blocks.push(Role::Paragraph);
        self.blocks.len() - 1
    }

    fn line(&mut self, x: f32, text: &str, style: Style, block: usize) {
        let y = self.y + style.size;
        let Style { size, weight, ink } = style;
        let (x, text, block) = (MARGIN + x, text.to_owned(), Some(block));
        self.mark(Mark::Text { x, y, size, weight, ink, text, block });
    }

    /// A row of cells, each wrapped in its column; a row is not split over pages unless it is longer than
    /// one.
    pub fn row(&mut self, cells: &[(Column, &str, Style)]) {
        let wrapped: Vec<Vec<String>> = cells
            .iter()
            .map(|(column, text, style)| self.fonts.wrapped(text, style.weight, style.size, column.width))
            .collect();
        let line_height = cells.iter().map(|(_, _, style)| style.size * LEADING).fold(0.0_f32, f32::max);
        let count = wrapped.iter().map(Vec::len).max().unwrap_or_default();
        let height = count as f32 * line_height;
        if height < BOTTOM - MARGIN {
            self.keep_together(height);
        }
        let block = self.block();
        for at in 0..count {
            self.keep_together(line_height);
            for ((column, _, style), lines) in cells.iter().zip(&wrapped) {
                if let Some(text) = lines.get(at).filter(|text| !text.is_empty()) {
                    let width = self.fonts.width(text, style.weight, style.size);
                    let x = if column.right { column.x + column.width - width } else { column.x };
                    self.line(x, text, *style, block);
                }
            }
            self.space(line_height);
        }
    }

    /// The pages, each with its foot: the text on the left, the page number on the right.
    #[must_use]
    pub fn finished(mut self, foot: &str) -> Paper {
        let count = self.pages.len();
        for (at, page) in self.pages.iter_mut().enumerate() {
            let number = format!("Page {} of {count}", at + 1);
            let right = PAGE_WIDTH - MARGIN - self.fonts.width(&number, SMALL.weight, SMALL.size);
            let lines = self.fonts.wrapped(foot, SMALL.weight, SMALL.size, WIDTH - 80.0);
            page.push(Mark::Box { x: MARGIN, y: BOTTOM + 10.0, width: WIDTH, height: 0.5, ink: Ink::Rule });
            let mut text = |x: f32, y: f32, text: String| {
                let Style { size, weight, ink } = SMALL;
                page.push(Mark::Text { x, y, size, weight, ink, text, block: None });
            };
            for (at, line) in lines.into_iter().take(2).enumerate() {
                text(MARGIN, BOTTOM + 23.0 + at as f32 * 10.5, line);
            }
            text(right, BOTTOM + 23.0, number);
        }
        Paper { pages: self.pages, blocks: self.blocks }
    }
}
