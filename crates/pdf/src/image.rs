//! Pictures on a page.

use std::sync::Arc;

use krilla::image::Image;

/// Bytes of a picture: a logo is small.
pub const IMAGE_BYTES_MAX: usize = 128 * 1024;
/// Pixels of a side: a small file can name a huge picture.
const SIDE_MAX: u32 = 2_000;

/// A PNG or JPEG that can be printed.
#[derive(Clone, Debug)]
pub struct PageImage {
    bytes: Arc<[u8]>,
    size: (u32, u32),
}

impl PageImage {
    /// Reads a picture; `None` where it is none, too large, or damaged.
    #[must_use]
    pub fn read(bytes: &[u8]) -> Option<PageImage> {
        let (width, height) = picture_size(bytes)?;
        if bytes.len() > IMAGE_BYTES_MAX || width.max(height) > SIDE_MAX || width.min(height) == 0 {
            return None;
        }
        decode(bytes)?;
        Some(PageImage { bytes: bytes.into(), size: (width, height) })
    }

    /// The bytes as they were read.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Its media type.
    #[must_use]
    pub fn media_type(&self) -> &'static str {
        if is_png(&self.bytes) { "image/png" } else { "image/jpeg" }
    }

    /// Width and height in pixels.
    pub(crate) fn size(&self) -> (f32, f32) {
        (self.size.0 as f32, self.size.1 as f32)
    }

    pub(crate) fn print_image(&self) -> Option<Image> {
        decode(&self.bytes)
    }
}

fn is_png(bytes: &[u8]) -> bool {
    bytes.starts_with(b"\x89PNG\r\n\x1a\n")
}

fn decode(bytes: &[u8]) -> Option<Image> {
    let data = bytes.to_vec().into();
    if is_png(bytes) { Image::from_png(data, true).ok() } else { Image::from_jpeg(data, true).ok() }
}

/// Width and height as the file's head says, before anything of it is decoded.
fn picture_size(bytes: &[u8]) -> Option<(u32, u32)> {
    if is_png(bytes) {
        let number = |at: usize| Some(u32::from_be_bytes(bytes.get(at..at + 4)?.try_into().ok()?));
        return Some((number(16)?, number(20)?));
    }
    if !bytes.starts_with(&[0xff, 0xd8]) {
        return None;
    }
    // From marker to marker until the frame's head, which has the size.
    let mut at = 2;
    loop {
        let [0xff, marker, high, low] = *bytes.get(at..at + 4)? else { return None };
        if matches!(marker, 0xc0..=0xcf) && !matches!(marker, 0xc4 | 0xc8 | 0xcc) {
            let [h1, h0, w1, w0] = *bytes.get(at + 5..at + 9)? else { return None };
            return Some((u32::from(u16::from_be_bytes([w1, w0])), u32::from(u16::from_be_bytes([h1, h0]))));
        }
        at += 2 + usize::from(u16::from_be_bytes([high, low]));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One gray pixel.
    const PNG: &[u8] = &[
        137, 80, 78, 71, 13, 10, 26, 10, 0, 0, 0, 13, 73, 72, 68, 82, 0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0,
        58, 126, 155, 85, 0, 0, 0, 10, 73, 68, 65, 84, 120, 156, 99, 104, 0, 0, 0, 130, 0, 129, 119, 205,
        114, 182, 0, 0, 0, 0, 73, 69, 78, 68, 174, 66, 96, 130,
    ];

    #[test]
    fn a_picture_is_read_and_anything_else_is_not() {
        let image = PageImage::read(PNG).expect("a picture");
        assert_eq!((image.size(), image.media_type()), ((1.0, 1.0), "image/png"));
        let mut huge = PNG.to_vec();
        huge[16..20].copy_from_slice(&60_000_u32.to_be_bytes());
        for bytes in [&b""[..], b"GIF89a", &PNG[..40], &huge, &[0xff, 0xd8, 0xff, 0xc0, 0, 2]] {
            assert!(PageImage::read(bytes).is_none(), "{bytes:?}");
        }
    }
}
