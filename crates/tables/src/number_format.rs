//! Number formats that put leading zeros and marks around digits: `00000`, `000\-00\-0000`.
//!
//! A workbook stores 123 where it shows 00123. In the column of an identifier what is shown is what was meant, so
//! formats of digits alone are applied to whole numbers; any other format says nothing about an identifier.

/// Placeholders that are read; a whole number of a workbook has no more digits than it holds exactly.
const PLACES_MAX: usize = 30;
/// A workbook holds whole numbers of more digits no longer exactly.
const EXACT_DIGITS: usize = 15;

/// A format of zeros, dashes, blanks and parentheses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DigitFormat {
    /// `None` is a digit.
    places: Vec<Option<char>>,
    /// A section of its own says how zero is shown.
    has_zero_section: bool,
}

impl DigitFormat {
    /// The format of a code, where it is one of digits and changes anything.
    pub(crate) fn parse(code: &str) -> Option<DigitFormat> {
        let (first, sections) = sections(code)?;
        let mut places = Vec::new();
        let mut chars = locale_free(first).chars();
        while let Some(char) = chars.next() {
            match char {
                '0' => places.push(None),
                '-' | ' ' | '(' | ')' => places.push(Some(char)),
                '\\' => places.push(Some(chars.next().filter(|next| is_mark(*next))?)),
                '"' => loop {
                    match chars.next()? {
                        '"' => break,
                        quoted if is_mark(quoted) => places.push(Some(quoted)),
                        _ => return None,
                    }
                },
                _ => return None,
            }
        }
        let digits = places.iter().filter(|place| place.is_none()).count();
        let changes = digits > 1 || (digits == 1 && places.len() > 1);
        (changes && places.len() <= PLACES_MAX)
            .then_some(DigitFormat { places, has_zero_section: sections > 2 })
    }

    /// What is shown of a number; `None` where that is the number as it is stored.
    pub(crate) fn shown(&self, stored: &str) -> Option<String> {
        let is_whole = stored.len() <= EXACT_DIGITS && stored.bytes().all(|byte| byte.is_ascii_digit());
        if !is_whole || stored.is_empty() || (stored == "0" && self.has_zero_section) {
            return None;
        }
        let mut digits = stored.chars().rev();
        let mut shown = Vec::new();
        let first = self.places.iter().position(Option::is_none)?;
        for (at, place) in self.places.iter().enumerate().rev() {
            match place {
                Some(mark) => shown.push(*mark),
                None => shown.push(digits.next().unwrap_or('0')),
            }
            if at == first {
                // Digits beyond the places stand before the first of them.
                shown.extend(digits.by_ref());
            }
        }
        let shown: String = shown.into_iter().rev().collect();
        (shown != stored).then_some(shown)
    }
}

fn is_mark(char: char) -> bool {
    matches!(char, '-' | ' ' | '(' | ')')
}

/// The first section, which is that of numbers from zero on, and how many there are. `None` where a section has a
/// condition of its own.
fn sections(code: &str) -> Option<(&str, usize)> {
    let is_conditional = ["[<", "[>", "[="].iter().any(|condition| code.contains(condition));
    (!is_conditional).then(|| (code.split(';').next().unwrap_or_default(), code.split(';').count()))
}

/// Without the locale that some programs put first: `[$-409]`.
fn locale_free(section: &str) -> &str {
    match section.strip_prefix("[$-").and_then(|rest| rest.split_once(']')) {
        Some((locale, rest)) if locale.bytes().all(|byte| byte.is_ascii_hexdigit()) => rest,
        _ => section,
    }
}

#[cfg(test)]
mod tests {
    use super::DigitFormat;

    #[test]
    fn formats_of_digits_show_whole_numbers_and_others_are_left_alone() {
        // Format, number, what is shown.
        let cases = [
            ("00000", "2139", Some("02139")),
            ("0000000000", "12345678", Some("0012345678")),
            ("00\\-000\\-0", "12345", Some("01-234-5")),
            ("000-00-0000", "123456789", Some("123-45-6789")),
            ("\"(\"000\") \"000-0000", "2125550100", Some("(212) 555-0100")),
            ("(000)", "7", Some("(007)")),
            ("[$-409]00000", "12", Some("00012")),
            ("00000;@", "12", Some("00012")),
            ("000;-000", "0", Some("000")),
            ("000;-000;\"none\"", "0", None),
            ("00000\\-0000", "787010001234", Some("78701000-1234")),
            ("000", "12345", None),
            ("000", "-5", None),
            ("000", "1.5", None),
            ("000", "1000000000000000", None),
            ("000", "", None),
        ];
        for (code, number, shown) in cases {
            let format = DigitFormat::parse(code).unwrap_or_else(|| panic!("{code}"));
            assert_eq!(format.shown(number).as_deref(), shown, "{code} {number}");
        }
        let others = [
            "General",
            "0",
            "0.00",
            "#,##0",
            "#####",
            "0%",
            "0.00E+00",
            "mm/dd/yyyy",
            "@",
            "",
            "\"A\"000",
            "[<=9999999]###\\-####;\\(###\\)\\ ###\\-####",
            "00/00",
            "_(000",
            "000*-",
            "\"000",
            "00\\x",
            "?00",
            &"0".repeat(31),
        ];
        for code in others {
            assert_eq!(DigitFormat::parse(code), None, "{code}");
        }
    }
}
