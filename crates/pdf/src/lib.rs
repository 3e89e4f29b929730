//! Printed pages: text flowing down US Letter, in an embedded typeface, as a tagged PDF.
//!
//! What is laid out is kept as marks before it is printed, so that a window can draw the very same page.
//! Floats here are points of a page, never money.

mod flow;
mod fonts;
mod image;
mod print;

pub use flow::{
    BODY, BOLD, BlockRole, InkColor, LABEL, LaidOutPages, MARGIN, PAGE_HEIGHT, PAGE_WIDTH, PageElement,
    PageFlow, RowColumn, SMALL, TextStyle, WIDTH,
};
pub use fonts::{FontSet, FontWeight};
pub use image::{IMAGE_BYTES_MAX, PageImage};
pub use print::render_pdf;
