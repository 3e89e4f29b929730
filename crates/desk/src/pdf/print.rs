//! Laid-out pages as bytes of a PDF.

use krilla::color::rgb;
use krilla::configure::{ConfigurationBuilder, PdfVersion};
use krilla::geom::{PathBuilder, Point, Rect};
use krilla::metadata::Metadata;
use krilla::num::NormalizedF32;
use krilla::page::PageSettings;
use krilla::paint::{Fill, FillRule};
use krilla::surface::Surface;
use krilla::text::TextDirection;
use krilla::{Document, SerializeSettings};

use super::flow::{Ink, Mark, PAGE_HEIGHT, PAGE_WIDTH};
use super::fonts::Fonts;

/// `None` when a page cannot be made.
pub(super) fn document(fonts: &Fonts, pages: &[Vec<Mark>], title: &str) -> Option<Vec<u8>> {
    // PDF 1.4: every printer and viewer reads it.
    let configuration = ConfigurationBuilder::new().with_version(PdfVersion::Pdf14).finish().ok()?;
    let mut document =
        Document::new_with(SerializeSettings { configuration, ..SerializeSettings::default() });
    document.set_metadata(
        Metadata::new().title(title.to_owned()).creator("Bordereau".into()).language("en-US".into()),
    );
    for marks in pages {
        let mut page = document.start_page_with(PageSettings::from_wh(PAGE_WIDTH, PAGE_HEIGHT)?);
        let mut surface = page.surface();
        for mark in marks {
            put(&mut surface, fonts, mark)?;
        }
        surface.finish();
        page.finish();
    }
    document.finish().ok()
}

fn put(surface: &mut Surface<'_>, fonts: &Fonts, mark: &Mark) -> Option<()> {
    match mark {
        Mark::Text { x, y, size, weight, ink, text } => {
            surface.set_fill(Some(fill(*ink)));
            let font = fonts.font(*weight);
            surface.draw_text(Point::from_xy(*x, *y), font, *size, text, false, TextDirection::Auto);
        }
        Mark::Box { x, y, width, height, ink } => {
            surface.set_fill(Some(fill(*ink)));
            let mut path = PathBuilder::new();
            path.push_rect(Rect::from_xywh(*x, *y, *width, *height)?);
            surface.draw_path(&path.finish()?);
        }
    }
    Some(())
}

fn fill(ink: Ink) -> Fill {
    let (red, green, blue) = match ink {
        Ink::Black => (0x1a, 0x1d, 0x21),
        Ink::Grey => (0x55, 0x5c, 0x66),
        Ink::Rule => (0xb8, 0xbe, 0xc6),
        Ink::Alert => (0x8a, 0x4b, 0x00),
        Ink::AlertGround => (0xff, 0xf4, 0xe0),
    };
    Fill {
        paint: rgb::Color::new(red, green, blue).into(),
        opacity: NormalizedF32::ONE,
        rule: FillRule::default(),
    }
}
