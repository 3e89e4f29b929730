//! Printed pages: text flowing down US Letter, in an embedded typeface, as a tagged PDF.
//!
//! What is laid out is kept as marks before it is printed, so that a window can draw the very same page.
//! Floats here are points of a page, never money.

mod flow;
mod fonts;
mod print;

pub use flow::{
    BODY, BOLD, Column, Flow, Ink, LABEL, MARGIN, Mark, PAGE_HEIGHT, PAGE_WIDTH, Paper, Role, SMALL, Style,
    WIDTH,
};
pub use fonts::{Fonts, Weight};
pub use print::pdf;
