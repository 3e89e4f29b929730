//! The embedded typeface and how wide its letters are.
//!
//! DejaVu Sans Condensed: its figures are all of one width, it covers Latin, Greek and Cyrillic, and its
//! licence allows embedding.

use krilla::text::Font;
use ttf_parser::Face;

/// A weight of the typeface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Weight {
    Regular,
    Bold,
}

/// Both weights, for measuring and for printing.
pub(super) struct Fonts {
    regular: Loaded,
    bold: Loaded,
}

struct Loaded {
    face: Face<'static>,
    font: Font,
}

impl Loaded {
    fn read(bytes: &'static [u8]) -> Option<Loaded> {
        Some(Loaded { face: Face::parse(bytes, 0).ok()?, font: Font::new(bytes.to_vec().into(), 0)? })
    }
}

impl Fonts {
    pub(super) fn embedded() -> Option<Fonts> {
        use dejavu::sans_condensed;
        Some(Fonts {
            regular: Loaded::read(sans_condensed::regular())?,
            bold: Loaded::read(sans_condensed::bold())?,
        })
    }

    fn loaded(&self, weight: Weight) -> &Loaded {
        match weight {
            Weight::Regular => &self.regular,
            Weight::Bold => &self.bold,
        }
    }

    pub(super) fn font(&self, weight: Weight) -> Font {
        self.loaded(weight).font.clone()
    }

    /// Width in points.
    pub(super) fn width(&self, text: &str, weight: Weight, size: f32) -> f32 {
        let face = &self.loaded(weight).face;
        let units: u32 = text
            .chars()
            .filter_map(|c| face.glyph_index(c).and_then(|glyph| face.glyph_hor_advance(glyph)))
            .map(u32::from)
            .sum();
        units as f32 / f32::from(face.units_per_em()) * size
    }

    /// The text with what cannot be printed replaced, so that nothing vanishes unseen.
    pub(super) fn printable(&self, text: &str) -> String {
        let face = &self.regular.face;
        let shown = |c: char| {
            if c.is_control() {
                ' '
            } else if face.glyph_index(c).is_some() {
                c
            } else {
                '\u{fffd}'
            }
        };
        text.chars().map(shown).collect()
    }

    /// The text in lines no wider than `width` points; a word wider than that is cut.
    pub(super) fn wrapped(&self, text: &str, weight: Weight, size: f32, width: f32) -> Vec<String> {
        let mut lines = Vec::new();
        for paragraph in text.lines() {
            let mut line = String::new();
            for word in self.printable(paragraph).split_whitespace() {
                let longer = if line.is_empty() { word.to_owned() } else { format!("{line} {word}") };
                if self.width(&longer, weight, size) <= width {
                    line = longer;
                    continue;
                }
                if !line.is_empty() {
                    lines.push(std::mem::take(&mut line));
                }
                line = self.cut(word, weight, size, width, &mut lines);
            }
            lines.push(line);
        }
        lines
    }

    /// The rest of a word after whole lines of it.
    fn cut(&self, word: &str, weight: Weight, size: f32, width: f32, lines: &mut Vec<String>) -> String {
        let mut line = String::new();
        for c in word.chars() {
            line.push(c);
            if line.chars().count() > 1 && self.width(&line, weight, size) > width {
                line.pop();
                lines.push(std::mem::replace(&mut line, c.to_string()));
            }
        }
        line
    }
}
