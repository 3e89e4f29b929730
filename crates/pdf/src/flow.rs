//! Text flowing down pages. Positions are in points from the upper left corner.

use crate::fonts::{FontSet, FontWeight};
use crate::image::PageImage;

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
pub enum InkColor {
    /// Text.
    Black,
    /// Text of less weight.
    Gray,
    /// Lines.
    Rule,
    /// Text that warns.
    Alert,
    /// The background of such text.
    AlertGround,
}

/// What a block of text is to a screen reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockRole {
    /// The title of the document.
    Title,
    /// The heading of a section.
    Heading,
    /// Anything else.
    Paragraph,
}

/// Something on a page.
#[derive(Clone, Debug)]
pub enum PageElement {
    /// One line of text on its base line.
    Text {
        /// Left end, in points from the left edge.
        x: f32,
        /// Base line, in points from the upper edge.
        y: f32,
        /// Size in points.
        size: f32,
        /// Weight.
        weight: FontWeight,
        /// Ink.
        ink: InkColor,
        /// The line.
        text: String,
        /// Number of its block in [`LaidOutPages::blocks`]; `None` for a foot line, which is not read out.
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
        ink: InkColor,
    },
    /// A picture, such as a logo.
    Image {
        /// Left edge.
        x: f32,
        /// Upper edge.
        y: f32,
        /// Width.
        width: f32,
        /// Height.
        height: f32,
        /// The picture.
        image: PageImage,
    },
}

/// Pages that are laid out.
#[derive(Clone, Debug)]
pub struct LaidOutPages {
    /// The content of each page.
    pub pages: Vec<Vec<PageElement>>,
    /// What each block of text is, in reading order.
    pub blocks: Vec<BlockRole>,
}

/// How text looks.
#[derive(Clone, Copy)]
pub struct TextStyle {
    /// Size in points.
    pub size: f32,
    /// Weight.
    pub weight: FontWeight,
    /// Ink.
    pub ink: InkColor,
}

/// Text as usual.
pub const BODY: TextStyle = TextStyle { size: 9.0, weight: FontWeight::Regular, ink: InkColor::Black };
/// Emphasized text.
pub const BOLD: TextStyle = TextStyle { size: 9.0, weight: FontWeight::Bold, ink: InkColor::Black };
/// Remarks.
pub const SMALL: TextStyle = TextStyle { size: 7.5, weight: FontWeight::Regular, ink: InkColor::Gray };
/// Labels of columns and fields.
pub const LABEL: TextStyle = TextStyle { size: 7.5, weight: FontWeight::Bold, ink: InkColor::Gray };

/// A cell of a row: where it begins, how wide it is, and to which side it is set.
#[derive(Clone, Copy)]
pub struct RowColumn {
    /// Left edge, in points from the left margin.
    pub x: f32,
    /// Width in points.
    pub width: f32,
    /// Set to the right.
    pub right: bool,
}

impl RowColumn {
    /// Set to the left.
    pub const fn left_aligned(x: f32, width: f32) -> RowColumn {
        RowColumn { x, width, right: false }
    }

    /// Set to the right.
    pub const fn right_aligned(x: f32, width: f32) -> RowColumn {
        RowColumn { x, width, right: true }
    }
}

/// Pages being filled.
pub struct PageFlow<'f> {
    fonts: &'f FontSet,
    pages: Vec<Vec<PageElement>>,
    blocks: Vec<BlockRole>,
    y: f32,
}

impl<'f> PageFlow<'f> {
    /// One empty page.
    pub fn new(fonts: &'f FontSet) -> Self {
        PageFlow { fonts, pages: vec![Vec::new()], blocks: Vec::new(), y: MARGIN }
    }

    fn add_element(&mut self, mark: PageElement) {
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
    pub fn add_space(&mut self, height: f32) {
        self.y += height;
    }

    /// A paragraph, wrapped.
    pub fn add_paragraph(&mut self, text: &str, style: TextStyle) {
        self.add_row(&[(RowColumn::left_aligned(0.0, WIDTH), text, style)]);
    }

    /// The title of the document.
    pub fn add_title(&mut self, text: &str) {
        self.add_titled(
            BlockRole::Title,
            text,
            TextStyle { size: 17.0, weight: FontWeight::Bold, ink: InkColor::Black },
        );
    }

    fn add_titled(&mut self, role: BlockRole, text: &str, style: TextStyle) {
        let block = self.blocks.len();
        self.add_paragraph(text, style);
        if let Some(of) = self.blocks.get_mut(block) {
            *of = role;
        }
    }

    /// A heading with a rule below; it does not stand alone at the foot of a page.
    pub fn add_heading(&mut self, text: &str) {
        self.add_space(12.0);
        self.keep_together(52.0);
        self.add_titled(
            BlockRole::Heading,
            text,
            TextStyle { size: 11.0, weight: FontWeight::Bold, ink: InkColor::Black },
        );
        self.add_rule(0.8, InkColor::Rule);
        self.add_space(4.0);
    }

    /// A picture at the right margin, beside what follows: no larger than this, its shape kept.
    pub fn add_image_right(&mut self, image: &PageImage, width: f32, height: f32) {
        let (wide, high) = image.size();
        let scale = (width / wide).min(height / high);
        let (width, height) = (wide * scale, high * scale);
        let (x, y, image) = (PAGE_WIDTH - MARGIN - width, self.y, image.clone());
        self.add_element(PageElement::Image { x, y, width, height, image });
    }

    /// How far down the page it is, in points.
    #[must_use]
    pub fn position(&self) -> f32 {
        self.y
    }

    /// A rule across the page.
    pub fn add_rule(&mut self, height: f32, ink: InkColor) {
        self.add_space(2.0);
        let y = self.y;
        self.add_element(PageElement::Box { x: MARGIN, y, width: WIDTH, height, ink });
        self.add_space(2.0 + height);
    }

    /// A line to write on, or below what is filled in.
    pub fn writing_line(&mut self, column: RowColumn) {
        let y = self.y;
        self.add_element(PageElement::Box {
            x: MARGIN + column.x,
            y,
            width: column.width,
            height: 0.5,
            ink: InkColor::Rule,
        });
        self.add_space(4.0);
    }

    /// A square to tick, before a sentence.
    pub fn add_checkbox(&mut self, ticked: bool, text: &str) {
        self.keep_together(BODY.size * LEADING);
        let y = self.y + 2.0;
        let edge = |x: f32, y: f32, width: f32, height: f32| PageElement::Box {
            x,
            y,
            width,
            height,
            ink: InkColor::Gray,
        };
        for part in [
            edge(MARGIN, y, 9.0, 0.7),
            edge(MARGIN, y + 8.3, 9.0, 0.7),
            edge(MARGIN, y, 0.7, 9.0),
            edge(MARGIN + 8.3, y, 0.7, 9.0),
        ] {
            self.add_element(part);
        }
        let sign = if ticked { "x" } else { "" };
        self.add_row(&[
            (RowColumn::left_aligned(1.9, 8.0), sign, BOLD),
            (RowColumn::left_aligned(15.0, WIDTH - 15.0), text, BODY),
        ]);
    }

    /// A band across the page with a sentence in it.
    pub fn add_band(&mut self, text: &str) {
        let style = TextStyle { size: 10.0, weight: FontWeight::Bold, ink: InkColor::Alert };
        let lines = self.fonts.wrap_text(text, style.weight, style.size, WIDTH - 20.0);
        let height = lines.len() as f32 * style.size * LEADING + 10.0;
        self.keep_together(height);
        let top = self.y;
        self.add_element(PageElement::Box {
            x: MARGIN,
            y: top,
            width: WIDTH,
            height,
            ink: InkColor::AlertGround,
        });
        self.add_element(PageElement::Box { x: MARGIN, y: top, width: 4.0, height, ink: InkColor::Alert });
        self.add_space(5.0);
        let block = self.begin_block();
        for line in lines {
            self.add_line(12.0, &line, style, block);
            self.add_space(style.size * LEADING);
        }
        self.y = top + height + 4.0;
    }

    fn begin_block(&mut self) -> usize {
        self.blocks.push(BlockRole::Paragraph);
        self.blocks.len() - 1
    }

    fn add_line(&mut self, x: f32, text: &str, style: TextStyle, block: usize) {
        let y = self.y + style.size;
        let TextStyle { size, weight, ink } = style;
        let (x, text, block) = (MARGIN + x, text.to_owned(), Some(block));
        self.add_element(PageElement::Text { x, y, size, weight, ink, text, block });
    }

    /// A row of cells, each wrapped in its column; a row is not split over pages unless it is longer than
    /// one.
    pub fn add_row(&mut self, cells: &[(RowColumn, &str, TextStyle)]) {
        let wrapped: Vec<Vec<String>> = cells
            .iter()
            .map(|(column, text, style)| self.fonts.wrap_text(text, style.weight, style.size, column.width))
            .collect();
        let line_height = cells.iter().map(|(_, _, style)| style.size * LEADING).fold(0.0_f32, f32::max);
        let count = wrapped.iter().map(Vec::len).max().unwrap_or_default();
        let height = count as f32 * line_height;
        if height < BOTTOM - MARGIN {
            self.keep_together(height);
        }
        let block = self.begin_block();
        for at in 0..count {
            self.keep_together(line_height);
            for ((column, _, style), lines) in cells.iter().zip(&wrapped) {
                if let Some(text) = lines.get(at).filter(|text| !text.is_empty()) {
                    let width = self.fonts.text_width(text, style.weight, style.size);
                    let x = if column.right { column.x + column.width - width } else { column.x };
                    self.add_line(x, text, *style, block);
                }
            }
            self.add_space(line_height);
        }
    }

    /// The pages, each with its foot: the text on the left, the page number on the right.
    pub fn finish_pages(mut self, foot: &str) -> LaidOutPages {
        let count = self.pages.len();
        for (at, page) in self.pages.iter_mut().enumerate() {
            let number = format!("Page {} of {count}", at + 1);
            let right = PAGE_WIDTH - MARGIN - self.fonts.text_width(&number, SMALL.weight, SMALL.size);
            let lines = self.fonts.wrap_text(foot, SMALL.weight, SMALL.size, WIDTH - 80.0);
            page.push(PageElement::Box {
                x: MARGIN,
                y: BOTTOM + 10.0,
                width: WIDTH,
                height: 0.5,
                ink: InkColor::Rule,
            });
            let mut text = |x: f32, y: f32, text: String| {
                let TextStyle { size, weight, ink } = SMALL;
                page.push(PageElement::Text { x, y, size, weight, ink, text, block: None });
            };
            for (at, line) in lines.into_iter().take(2).enumerate() {
                text(MARGIN, BOTTOM + 23.0 + at as f32 * 10.5, line);
            }
            text(right, BOTTOM + 23.0, number);
        }
        LaidOutPages { pages: self.pages, blocks: self.blocks }
    }
}
