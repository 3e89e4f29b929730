//! Text flowing down pages. Positions are in points from the upper left corner.

use super::fonts::{Fonts, Weight};

/// US Letter.
pub(super) const PAGE_WIDTH: f32 = 612.0;
pub(super) const PAGE_HEIGHT: f32 = 792.0;
pub(super) const MARGIN: f32 = 50.0;
/// Width of the text.
pub(super) const WIDTH: f32 = PAGE_WIDTH - 2.0 * MARGIN;
/// Below this the foot of the page begins.
const BOTTOM: f32 = PAGE_HEIGHT - 62.0;
/// Lines of text stand this many times their size apart.
const LEADING: f32 = 1.32;

/// A shade of grey or the one accent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ink {
    Black,
    Grey,
    Rule,
    Alert,
    AlertGround,
}

/// Something on a page.
#[derive(Clone, Debug)]
pub(super) enum Mark {
    /// One line of text on its base line.
    Text { x: f32, y: f32, size: f32, weight: Weight, ink: Ink, text: String },
    /// A filled rectangle, also as a rule.
    Box { x: f32, y: f32, width: f32, height: f32, ink: Ink },
}

/// How text looks.
#[derive(Clone, Copy)]
pub(super) struct Style {
    pub(super) size: f32,
    pub(super) weight: Weight,
    pub(super) ink: Ink,
}

pub(super) const BODY: Style = Style { size: 9.5, weight: Weight::Regular, ink: Ink::Black };
pub(super) const BOLD: Style = Style { size: 9.5, weight: Weight::Bold, ink: Ink::Black };
pub(super) const SMALL: Style = Style { size: 8.0, weight: Weight::Regular, ink: Ink::Grey };
pub(super) const LABEL: Style = Style { size: 8.0, weight: Weight::Bold, ink: Ink::Grey };

/// A cell of a row: where it begins, how wide it is, and to which side it is set.
#[derive(Clone, Copy)]
pub(super) struct Column {
    pub(super) x: f32,
    pub(super) width: f32,
    pub(super) right: bool,
}

/// Pages being filled.
pub(super) struct Flow<'f> {
    pub(super) fonts: &'f Fonts,
    pages: Vec<Vec<Mark>>,
    y: f32,
}

impl<'f> Flow<'f> {
    pub(super) fn new(fonts: &'f Fonts) -> Self {
        Flow { fonts, pages: vec![Vec::new()], y: MARGIN }
    }

    fn mark(&mut self, mark: Mark) {
        if let Some(page) = self.pages.last_mut() {
            page.push(mark);
        }
    }

    /// Begins a page where less than `height` points are left.
    pub(super) fn keep_together(&mut self, height: f32) {
        if self.y + height > BOTTOM && self.y > MARGIN {
            self.pages.push(Vec::new());
            self.y = MARGIN;
        }
    }

    pub(super) fn space(&mut self, height: f32) {
        self.y += height;
    }

    /// A paragraph, wrapped.
    pub(super) fn paragraph(&mut self, text: &str, style: Style) {
        self.row(&[(Column { x: 0.0, width: WIDTH, right: false }, text, style)]);
    }

    /// A heading with a rule below; it does not stand alone at the foot of a page.
    pub(super) fn heading(&mut self, text: &str) {
        self.space(12.0);
        self.keep_together(52.0);
        self.paragraph(text, Style { size: 11.0, weight: Weight::Bold, ink: Ink::Black });
        self.rule(0.8, Ink::Rule);
        self.space(4.0);
    }

    /// A rule across the page.
    pub(super) fn rule(&mut self, height: f32, ink: Ink) {
        self.space(2.0);
        let y = self.y;
        self.mark(Mark::Box { x: MARGIN, y, width: WIDTH, height, ink });
        self.space(2.0 + height);
    }

    /// A band across the page with a sentence in it.
    pub(super) fn band(&mut self, text: &str) {
        let style = Style { size: 10.0, weight: Weight::Bold, ink: Ink::Alert };
        let lines = self.fonts.wrapped(text, style.weight, style.size, WIDTH - 20.0);
        let height = lines.len() as f32 * style.size * LEADING + 10.0;
        self.keep_together(height);
        let top = self.y;
        self.mark(Mark::Box { x: MARGIN, y: top, width: WIDTH, height, ink: Ink::AlertGround });
        self.mark(Mark::Box { x: MARGIN, y: top, width: 4.0, height, ink: Ink::Alert });
        self.space(5.0);
        for line in lines {
            self.line(12.0, &line, style);
            self.space(style.size * LEADING);
        }
        self.y = top + height + 4.0;
    }

    fn line(&mut self, x: f32, text: &str, style: Style) {
        let y = self.y + style.size;
        let Style { size, weight, ink } = style;
        self.mark(Mark::Text { x: MARGIN + x, y, size, weight, ink, text: text.to_owned() });
    }

    /// A row of cells, each wrapped in its column; a row is not split over pages unless it is longer than
    /// one.
    pub(super) fn row(&mut self, cells: &[(Column, &str, Style)]) {
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
        for at in 0..count {
            self.keep_together(line_height);
            for ((column, _, style), lines) in cells.iter().zip(&wrapped) {
                if let Some(text) = lines.get(at).filter(|text| !text.is_empty()) {
                    let width = self.fonts.width(text, style.weight, style.size);
                    let x = if column.right { column.x + column.width - width } else { column.x };
                    self.line(x, text, *style);
                }
            }
            self.space(line_height);
        }
    }

    /// The pages, each with its foot: the text on the left, the page number on the right.
    pub(super) fn finished(mut self, foot: &str) -> Vec<Vec<Mark>> {
        let count = self.pages.len();
        for (at, page) in self.pages.iter_mut().enumerate() {
            let number = format!("Page {} of {count}", at + 1);
            let right = PAGE_WIDTH - MARGIN - self.fonts.width(&number, SMALL.weight, SMALL.size);
            let lines = self.fonts.wrapped(foot, SMALL.weight, SMALL.size, WIDTH - 80.0);
            page.push(Mark::Box { x: MARGIN, y: BOTTOM + 10.0, width: WIDTH, height: 0.5, ink: Ink::Rule });
            let mut text = |x: f32, y: f32, text: String| {
                page.push(Mark::Text { x, y, size: SMALL.size, weight: SMALL.weight, ink: SMALL.ink, text });
            };
            for (at, line) in lines.into_iter().take(2).enumerate() {
                text(MARGIN, BOTTOM + 23.0 + at as f32 * 10.5, line);
            }
            text(right, BOTTOM + 23.0, number);
        }
        self.pages
    }
}
