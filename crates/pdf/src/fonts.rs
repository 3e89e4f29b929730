//! The embedded typeface and how wide its letters are.
//!
//! Inter, as in the window: its figures here are all of one width, it covers Latin, Greek and Cyrillic, and its license
//! (`fonts/OFL.txt`) allows embedding. `fonts/README.md` says how the two files were made.

use krilla::text::Font;
use ttf_parser::Face;

/// A weight of the typeface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FontWeight {
    /// As usual.
    Regular,
    /// Bold.
    Bold,
}

/// Both weights, for measuring and for printing.
pub struct FontSet {
    regular: LoadedFont,
    bold: LoadedFont,
}

struct LoadedFont {
    face: Face<'static>,
    font: Font,
    /// Advance of each usual letter, in units of the typeface: looking it up in the file takes far longer.
    usual: Vec<Option<u16>>,
}

/// Latin, Greek and Cyrillic.
const USUAL: u32 = 0x500;

impl LoadedFont {
    fn read(bytes: &'static [u8]) -> Option<LoadedFont> {
        let face = Face::parse(bytes, 0).ok()?;
        let usual = (0..USUAL).map(|c| face_advance(&face, char::from_u32(c)?)).collect();
        Some(LoadedFont { face, font: Font::new(bytes.to_vec().into(), 0)?, usual })
    }

    /// `None` for a letter the typeface does not have.
    fn glyph_advance(&self, c: char) -> Option<u16> {
        match usize::try_from(u32::from(c)).ok().and_then(|at| self.usual.get(at)) {
            Some(known) => *known,
            None => face_advance(&self.face, c),
        }
    }
}

fn face_advance(face: &Face<'_>, c: char) -> Option<u16> {
    face.glyph_hor_advance(face.glyph_index(c)?)
}

impl FontSet {
    /// The embedded typeface; `None` where it is damaged.
    pub fn embedded() -> Option<FontSet> {
        Some(FontSet {
            regular: LoadedFont::read(include_bytes!("../fonts/Inter-Regular.ttf"))?,
            bold: LoadedFont::read(include_bytes!("../fonts/Inter-Bold.ttf"))?,
        })
    }

    fn font_of_weight(&self, weight: FontWeight) -> &LoadedFont {
        match weight {
            FontWeight::Regular => &self.regular,
            FontWeight::Bold => &self.bold,
        }
    }

    pub(crate) fn print_font(&self, weight: FontWeight) -> Font {
        self.font_of_weight(weight).font.clone()
    }

    /// Width in points.
    pub fn text_width(&self, text: &str, weight: FontWeight, size: f32) -> f32 {
        let loaded = self.font_of_weight(weight);
        let units: u32 = text.chars().filter_map(|c| loaded.glyph_advance(c)).map(u32::from).sum();
        units as f32 / f32::from(loaded.face.units_per_em()) * size
    }

    /// The text with what cannot be printed replaced, so that nothing vanishes unseen.
    pub fn replace_unprintable(&self, text: &str) -> String {
        let shown = |c: char| {
            if c.is_control() {
                ' '
            } else if self.regular.glyph_advance(c).is_some() {
                c
            } else {
                '?'
            }
        };
        text.chars().map(shown).collect()
    }

    /// The text in lines no wider than `width` points; a word wider than that is cut.
    pub fn wrap_text(&self, text: &str, weight: FontWeight, size: f32, width: f32) -> Vec<String> {
        let mut lines = Vec::new();
        for paragraph in text.lines() {
            let mut line = String::new();
            for word in self.replace_unprintable(paragraph).split_whitespace() {
                let longer = if line.is_empty() { word.to_owned() } else { format!("{line} {word}") };
                if self.text_width(&longer, weight, size) <= width {
                    line = longer;
                    continue;
                }
                if !line.is_empty() {
                    lines.push(std::mem::take(&mut line));
                }
                line = self.cut_word(word, weight, size, width, &mut lines);
            }
            lines.push(line);
        }
        lines
    }

    /// The rest of a word after whole lines of it.
    fn cut_word(
        &self,
        word: &str,
        weight: FontWeight,
        size: f32,
        width: f32,
        lines: &mut Vec<String>,
    ) -> String {
        let mut line = String::new();
        for c in word.chars() {
            line.push(c);
            if line.chars().count() > 1 && self.text_width(&line, weight, size) > width {
                line.pop();
                lines.push(std::mem::replace(&mut line, c.to_string()));
            }
        }
        line
    }
}
