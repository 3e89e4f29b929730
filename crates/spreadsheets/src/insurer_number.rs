//! Numbers of insurers: of a company by the NAIC, of an alien insurer, and what is written in their place.

/// A NAIC number (five digits) or an alien insurer's number (`AA-` and seven digits).
pub(crate) fn is_insurer_number(text: &str) -> bool {
    let digits = text.strip_prefix("AA-").or_else(|| text.strip_prefix("AA"));
    let (digits, length) = digits.map_or((text, 5), |rest| (rest, 7));
    is_digits(digits, length)
}

/// Whether a text is meant as a number: digits, with `AA` or `NAIC` before them or not. All else is a name.
pub(crate) fn has_number_shape(text: &str) -> bool {
    let digits = digits_of(text);
    !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())
}

/// `AA-1120337` of `aa 1120337`, `10899` of `NAIC #10899`, `0010899` and `10899.0`; `None` where the number is another
/// one, such as that of a group (four digits) or a tax number.
pub(crate) fn corrected_number(text: &str) -> Option<String> {
    let digits = digits_of(text);
    match is_alien(text) {
        true => is_digits(&digits, 7).then(|| format!("AA-{digits}")),
        false => {
            // A spreadsheet's number, and one that was filled up with zeros.
            let whole = text.strip_suffix(".0").map_or(digits, digits_of);
            let number = whole.trim_start_matches('0');
            (is_digits(number, 5) && !is_tax_number(text)).then(|| number.to_owned())
        }
    }
}

/// A federal tax number (FEIN) as it is written: `12-3456789`.
pub(crate) fn is_tax_number(text: &str) -> bool {
    text.split_once('-').is_some_and(|(prefix, rest)| is_digits(prefix, 2) && is_digits(rest, 7))
}

fn is_alien(text: &str) -> bool {
    text.get(..2).is_some_and(|prefix| prefix.eq_ignore_ascii_case("aa"))
}

fn digits_of(text: &str) -> String {
    let upper = text.to_ascii_uppercase();
    let number = ["NAIC", "AA"].iter().find_map(|prefix| upper.strip_prefix(prefix)).unwrap_or(&upper);
    number.chars().filter(|c| !matches!(c, ' ' | '-' | '#' | ':' | '.')).collect()
}

fn is_digits(text: &str, count: usize) -> bool {
    text.len() == count && text.bytes().all(|b| b.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_insurers_are_told_from_names_and_corrected_where_it_is_sure() {
        for (text, corrected) in [
            ("AA 1120337", Some("AA-1120337")),
            ("aa-1120337", Some("AA-1120337")),
            ("NAIC #10899", Some("10899")),
            ("NAIC: 10899", Some("10899")),
            ("0010899", Some("10899")),
            ("10899.0", Some("10899")),
            ("0001234", None),
            ("1234.0", None),
            ("1234", None),
            ("1120337", None),
            ("12-3456789", None),
            ("123456789", None),
            ("AA-112033", None),
        ] {
            assert!(!is_insurer_number(text) && has_number_shape(text), "{text}");
            assert_eq!(corrected_number(text).as_deref(), corrected, "{text}");
        }
        for name in
            ["Example Specialty Insurance", "AAA Insurance", "Lloyd's 2623", "NAIC", "-", "1st Mutual"]
        {
            assert!(!has_number_shape(name), "{name}");
        }
        assert!(is_tax_number("12-3456789") && !is_tax_number("AA-1120337"));
    }
}
