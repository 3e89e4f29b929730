//! An amount as text without the detour through general formatting: nearly every amount is a small number
//! of cents, and is written far more often than anything else.

use rust_decimal::Decimal;

use crate::amount::small;

/// A sign, 19 digits, their separators and a point.
const LONGEST: usize = 32;

/// The text of an amount.
pub(crate) struct Written {
    bytes: [u8; LONGEST],
    start: usize,
}

impl Written {
    pub(crate) fn as_str(&self) -> &str {
        // Only ASCII is put there.
        self.bytes.get(self.start..).and_then(|text| std::str::from_utf8(text).ok()).unwrap_or_default()
    }

    fn push(&mut self, byte: u8) {
        if let Some(start) = self.start.checked_sub(1) {
            self.start = start;
            self.bytes[start] = byte;
        }
    }
}

/// With two decimals, and with separators at thousands where wanted; `None` for more decimals or very many digits.
pub(crate) fn quick(value: Decimal, grouped: bool) -> Option<Written> {
    let (mut units, mut scale) = (small(value)?, value.scale());
    while scale > 2 {
        if units % 10 != 0 {
            return None;
        }
        (units, scale) = (units / 10, scale - 1);
    }
    let cents = units.checked_mul([100, 10, 1][scale as usize])?;
    let mut left = cents.unsigned_abs();
    let mut written = Written { bytes: [b'0'; LONGEST], start: LONGEST };
    let mut digit = |written: &mut Written| {
        written.push(b'0' + (left % 10) as u8);
        left /= 10;
        left
    };
    digit(&mut written);
    digit(&mut written);
    written.push(b'.');
    let mut count = 0;
    while digit(&mut written) != 0 {
        count += 1;
        if grouped && count % 3 == 0 {
            written.push(b',');
        }
    }
    if cents < 0 {
        written.push(b'-');
    }
    Some(written)
}
