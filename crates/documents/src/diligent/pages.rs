//! Laid-out pages for the window: the same marks the PDF is printed from.

use bordereau_pdf::{Fonts, Ink, Mark, PAGE_HEIGHT, PAGE_WIDTH, Paper, Weight};

use bordereau_api::{FormPage, PageMark};

pub(super) fn pages(fonts: &Fonts, paper: &Paper) -> Vec<FormPage> {
    let page = |marks: &Vec<Mark>| FormPage {
        width: PAGE_WIDTH,
        height: PAGE_HEIGHT,
        marks: marks.iter().map(|mark| seen(fonts, mark)).collect(),
    };
    paper.pages.iter().map(page).collect()
}

fn seen(fonts: &Fonts, mark: &Mark) -> PageMark {
    match mark {
        Mark::Text { x, y, size, weight, ink: color, text, .. } => PageMark {
            x: *x,
            y: *y,
            width: fonts.width(text, *weight, *size),
            height: *size,
            ink: ink(*color).into(),
            bold: *weight == Weight::Bold,
            text: Some(text.clone()),
        },
        Mark::Box { x, y, width, height, ink: color } => PageMark {
            x: *x,
            y: *y,
            width: *width,
            height: *height,
            ink: ink(*color).into(),
            bold: false,
            text: None,
        },
    }
}

const fn ink(ink: Ink) -> &'static str {
    match ink {
        Ink::Black => "black",
        Ink::Grey => "grey",
        Ink::Rule => "rule",
        Ink::Alert => "alert",
        Ink::AlertGround => "alert_ground",
    }
}
