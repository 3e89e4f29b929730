//! Pictures for the documentation: a palette of 256 colors is a third of the bytes, and text looks the same.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufReader, BufWriter};
use std::path::Path;

use png::{BitDepth, ColorType, Compression, Decoder, Encoder, Transformations};

const COLORS_MAX: usize = 256;
/// Squared distance within which two colors look the same.
const ALIKE: u32 = 48;

type Color = [u8; 3];

/// Writes the picture again with its most frequent colors that don't look the same: with shades of gray alone, the red of a
/// small sign would be none of them. Each other color becomes the nearest of them.
pub fn reduce_colors(picture: &Path) {
    let mut decoder = Decoder::new(BufReader::new(File::open(picture).expect("the picture")));
    decoder.set_transformations(Transformations::normalize_to_color8());
    let mut reader = decoder.read_info().expect("a PNG");
    let mut bytes = vec![0; reader.output_buffer_size().expect("a picture of its size")];
    let frame = reader.next_frame(&mut bytes).expect("its pixels");
    let pixels = bytes.chunks_exact(frame.color_type.samples()).map(|pixel| [pixel[0], pixel[1], pixel[2]]);

    let mut counts: HashMap<Color, usize> = HashMap::new();
    pixels.clone().for_each(|color| *counts.entry(color).or_default() += 1);
    let mut colors: Vec<Color> = counts.keys().copied().collect();
    colors.sort_by_key(|color| (std::cmp::Reverse(counts[color]), *color));
    let mut palette: Vec<Color> = Vec::new();
    for color in &colors {
        if palette.len() < COLORS_MAX && palette.iter().all(|other| distance(*color, *other) > ALIKE) {
            palette.push(*color);
        }
    }
    let nearest = |color: Color| {
        let place =
            (0..palette.len()).min_by_key(|place| distance(color, palette[*place])).expect("a palette");
        u8::try_from(place).expect("a place in the palette")
    };
    let places: HashMap<Color, u8> = colors.iter().map(|color| (*color, nearest(*color))).collect();
    let indexed: Vec<u8> = pixels.map(|color| places[&color]).collect();

    let file = BufWriter::new(File::create(picture).expect("the picture"));
    let mut encoder = Encoder::new(file, frame.width, frame.height);
    encoder.set_color(ColorType::Indexed);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_compression(Compression::High);
    encoder.set_palette(palette.concat());
    let mut writer = encoder.write_header().expect("a header");
    writer.write_image_data(&indexed).expect("the pixels");
    writer.finish().expect("the end of the picture");
}

fn distance(color: Color, other: Color) -> u32 {
    color.iter().zip(other).map(|(a, b)| u32::from(a.abs_diff(b)).pow(2)).sum()
}
