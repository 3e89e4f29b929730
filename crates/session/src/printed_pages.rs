//! Laid-out pages for the window: the same drawing marks from which the PDF is made.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bordereau_api::{FormPage, PageMark};
use bordereau_pdf::{
    FontSet, FontWeight, InkColor, LaidOutPages, PAGE_HEIGHT, PAGE_WIDTH, PageElement, PageImage,
};

/// The pages as the window draws them.
#[must_use]
pub fn page_views(fonts: &FontSet, paper: &LaidOutPages) -> Vec<FormPage> {
    let page = |marks: &Vec<PageElement>| FormPage {
        width: PAGE_WIDTH,
        height: PAGE_HEIGHT,
        marks: marks.iter().map(|mark| page_mark(fonts, mark)).collect(),
    };
    paper.pages.iter().map(page).collect()
}

fn page_mark(fonts: &FontSet, mark: &PageElement) -> PageMark {
    let blank = |x: &f32, y: &f32, width: f32, height: f32, ink: InkColor| PageMark {
        x: *x,
        y: *y,
        width,
        height,
        ink: ink_name(ink).into(),
        bold: false,
        text: None,
        image: None,
    };
    match mark {
        PageElement::Text { x, y, size, weight, ink, text, .. } => PageMark {
            bold: *weight == FontWeight::Bold,
            text: Some(text.clone()),
            ..blank(x, y, fonts.text_width(text, *weight, *size), *size, *ink)
        },
        PageElement::Box { x, y, width, height, ink } => blank(x, y, *width, *height, *ink),
        PageElement::Image { x, y, width, height, image } => {
            PageMark { image: Some(image_address(image)), ..blank(x, y, *width, *height, InkColor::Black) }
        }
    }
}

fn image_address(image: &PageImage) -> String {
    format!("data:{};base64,{}", image.media_type(), STANDARD.encode(image.bytes()))
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
