//! Laid-out pages for the window: the same marks the PDF is printed from.

use bordereau_pdf::{FontSet, FontWeight, InkColor, LaidOutPages, PAGE_HEIGHT, PAGE_WIDTH, PageElement};

use bordereau_api::{FormPage, PageMark};

pub(super) fn form_pages(fonts: &FontSet, paper: &LaidOutPages) -> Vec<FormPage> {
    let page = |marks: &Vec<PageElement>| FormPage {
        width: PAGE_WIDTH,
        height: PAGE_HEIGHT,
        marks: marks.iter().map(|mark| page_mark(fonts, mark)).collect(),
    };
    paper.pages.iter().map(page).collect()
}

fn page_mark(fonts: &FontSet, mark: &PageElement) -> PageMark {
    match mark {
        PageElement::Text { x, y, size, weight, ink: color, text, .. } => PageMark {
            x: *x,
            y: *y,
            width: fonts.text_width(text, *weight, *size),
            height: *size,
            ink: ink_name(*color).into(),
            bold: *weight == FontWeight::Bold,
            text: Some(text.clone()),
        },
        PageElement::Box { x, y, width, height, ink: color } => PageMark {
            x: *x,
            y: *y,
            width: *width,
            height: *height,
            ink: ink_name(*color).into(),
            bold: false,
            text: None,
        },
    }
}

const fn ink_name(ink: InkColor) -> &'static str {
    match ink {
        InkColor::Black => "black",
        InkColor::Gray => "gray",
        InkColor::Rule => "rule",
        InkColor::Alert => "alert",
        InkColor::AlertGround => "alert_ground",
    }
}
