//! Repeats of an OpenDocument sheet: one cell can say that it stands for a thousand million.

use crate::limits::CELLS_MAX;
use crate::refusal::Refusal;

/// Refuses a sheet whose repeats make more cells than can be held. Empty cells and rows at the end, which
/// every such file repeats up to the sheet's edge, do not count.
pub(super) fn check_repeats(xml: &[u8]) -> Result<(), Refusal> {
    let (mut total, mut row_repeats) = (0u64, 1u64);
    let (mut cells, mut empty) = (0u64, 0u64);
    let mut at = 0;
    while let Some(n) = memchr::memmem::find(&xml[at..], b"<table:") {
        let tag = &xml[at + n..];
        let end = memchr::memchr(b'>', tag).unwrap_or(tag.len());
        let (tag, closed) = (&tag[..end], tag[..end].ends_with(b"/"));
        at += n + end.max(1);
        if tag.starts_with(b"<table:table-row") {
            total = total.saturating_add(cells.saturating_mul(row_repeats));
            (cells, empty) = (0, 0);
            row_repeats = number(tag, b"number-rows-repeated=");
        } else if tag.starts_with(b"<table:table-cell") || tag.starts_with(b"<table:covered-table-cell") {
            let repeats = number(tag, b"number-columns-repeated=");
            if closed && memchr::memmem::find(tag, b"value").is_none() {
                empty = empty.saturating_add(repeats);
            } else {
                cells = cells.saturating_add(empty).saturating_add(repeats);
                empty = 0;
            }
        }
    }
    total = total.saturating_add(cells.saturating_mul(row_repeats));
    if total > CELLS_MAX as u64 { Err(Refusal::TooManyCells) } else { Ok(()) }
}

/// The number of an attribute; 1 where it is absent, the largest where it is none.
fn number(tag: &[u8], name: &[u8]) -> u64 {
    let Some(at) = memchr::memmem::find(tag, name) else { return 1 };
    let digits = tag[at + name.len()..].iter().skip(1).take_while(|b| b.is_ascii_digit());
    digits.fold(0u64, |n, digit| n.saturating_mul(10).saturating_add(u64::from(digit - b'0'))).max(1)
}
