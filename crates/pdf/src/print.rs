//! Laid-out pages as bytes of a PDF.

use std::num::NonZeroU16;

use krilla::color::rgb;
use krilla::configure::{ConfigurationBuilder, PdfVersion};
use krilla::geom::{PathBuilder, Point, Rect, Size, Transform};
use krilla::metadata::Metadata;
use krilla::num::NormalizedF32;
use krilla::page::PageSettings;
use krilla::paint::{Fill, FillRule};
use krilla::surface::Surface;
use krilla::tagging::{Artifact, ArtifactType, ContentTag, SpanTag, Tag, TagGroup, TagTree};
use krilla::text::TextDirection;
use krilla::{Document, SerializeSettings};

use crate::flow::{BlockRole, InkColor, LaidOutPages, PAGE_HEIGHT, PAGE_WIDTH, PageElement};
use crate::fonts::FontSet;

/// The pages as a PDF whose text is tagged in reading order; `None` when a page cannot be made.
pub fn render_pdf(fonts: &FontSet, paper: &LaidOutPages, title: &str) -> Option<Vec<u8>> {
    // PDF 1.4: every printer and viewer reads it.
    let configuration = ConfigurationBuilder::new().with_version(PdfVersion::Pdf14).finish().ok()?;
    let mut document =
        Document::new_with(SerializeSettings { configuration, ..SerializeSettings::default() });
    document.set_metadata(
        Metadata::new().title(title.to_owned()).creator("Bordereau".into()).language("en-US".into()),
    );
    let mut groups: Vec<TagGroup> = paper.blocks.iter().map(|role| tag_group(*role)).collect();
    for marks in &paper.pages {
        let mut page = document.start_page_with(PageSettings::from_wh(PAGE_WIDTH, PAGE_HEIGHT)?);
        let mut surface = page.surface();
        for mark in marks {
            draw_element(&mut surface, fonts, mark, &mut groups)?;
        }
        surface.finish();
        page.finish();
    }
    let mut tree = TagTree::new().with_lang(Some("en-US".into()));
    groups.into_iter().filter(|group| !group.children.is_empty()).for_each(|group| tree.push(group));
    document.set_tag_tree(tree);
    document.finish().ok()
}

fn tag_group(role: BlockRole) -> TagGroup {
    let level = |level: NonZeroU16| TagGroup::new(Tag::Hn(level, None));
    match role {
        BlockRole::Title => level(NonZeroU16::MIN),
        BlockRole::Heading => level(NonZeroU16::MIN.saturating_add(1)),
        BlockRole::Paragraph => TagGroup::new(Tag::P),
    }
}

fn draw_element(
    surface: &mut Surface<'_>,
    fonts: &FontSet,
    mark: &PageElement,
    groups: &mut [TagGroup],
) -> Option<()> {
    let artifact = || ContentTag::Artifact(Artifact::with_kind(ArtifactType::Other));
    match mark {
        PageElement::Text { x, y, size, weight, ink, text, block } => {
            let group = block.and_then(|block| groups.get_mut(block));
            let tag = if group.is_some() { ContentTag::Span(SpanTag::empty()) } else { artifact() };
            let piece = surface.start_tagged(tag);
            if let Some(group) = group {
                group.push(piece);
            }
            surface.set_fill(Some(ink_fill(*ink)));
            let font = fonts.print_font(*weight);
            surface.draw_text(Point::from_xy(*x, *y), font, *size, text, false, TextDirection::Auto);
            surface.end_tagged();
        }
        PageElement::Box { x, y, width, height, ink } => {
            let _ = surface.start_tagged(artifact());
            surface.set_fill(Some(ink_fill(*ink)));
            let mut path = PathBuilder::new();
            path.push_rect(Rect::from_xywh(*x, *y, *width, *height)?);
            surface.draw_path(&path.finish()?);
            surface.end_tagged();
        }
        PageElement::Image { x, y, width, height, image } => {
            let _ = surface.start_tagged(artifact());
            surface.push_transform(&Transform::from_translate(*x, *y));
            surface.draw_image(image.print_image()?, Size::from_wh(*width, *height)?);
            surface.pop();
            surface.end_tagged();
        }
    }
    Some(())
}

fn ink_fill(ink: InkColor) -> Fill {
    let (red, green, blue) = match ink {
        InkColor::Black => (0x1a, 0x1d, 0x21),
        InkColor::Gray => (0x55, 0x5c, 0x66),
        InkColor::Rule => (0xb8, 0xbe, 0xc6),
        InkColor::Alert => (0x8a, 0x4b, 0x00),
        InkColor::AlertGround => (0xff, 0xf4, 0xe0),
    };
    Fill {
        paint: rgb::Color::new(red, green, blue).into(),
        opacity: NormalizedF32::ONE,
        rule: FillRule::default(),
    }
}
