//! An address and an insurer as a person types them on one place, taken apart into the columns of an import.

use bordereau_contract::Jurisdiction;
use bordereau_mapping::Field;

use crate::insurer_number::{corrected_number, is_insurer_number};
use crate::row_reader::is_zip_code;

/// The mailing address of typed lines: `12 Main Street`, then `Austin, TX 78701`. What can't be told apart stays in the
/// street's column.
#[must_use]
pub fn split_mailing_address(typed: &str) -> Vec<(Field, String)> {
    let mut parts: Vec<&str> =
        typed.split(['\n', ',']).map(str::trim).filter(|part| !part.is_empty()).collect();
    let mut cells = Vec::new();
    if let Some((state, zip)) = parts.last().and_then(|last| split_state(last)) {
        parts.pop();
        cells.push((Field::MailingState, state.code().to_owned()));
        cells.push((Field::MailingZip, zip.to_owned()));
        if parts.len() > 1
            && let Some(city) = parts.pop()
        {
            cells.push((Field::MailingCity, city.to_owned()));
        }
    }
    cells.push((Field::MailingAddress, parts.join(", ")));
    cells
}

/// `TX 78701` or `Texas 78701-1234`.
fn split_state(text: &str) -> Option<(Jurisdiction, &str)> {
    let (state, zip) = text.rsplit_once(' ')?;
    Some((Jurisdiction::from_name(state.trim())?, zip)).filter(|_| is_zip_code(zip))
}

/// The insurer's number within typed text: `Example Specialty (AA-1120337)`, `NAIC 10899`; `None` where there are two.
#[must_use]
pub fn find_insurer_number(typed: &str) -> Option<String> {
    let words = typed.split([' ', '(', ')', '[', ']', ',', ';', '#', ':', '/']);
    let words = words.map(|word| if is_insurer_number(word) { word } else { without_joined_name(word) });
    let mut numbers = words.filter(|word| is_insurer_number(word)).filter_map(corrected_number);
    let number = numbers.next()?;
    numbers.all(|other| other == number).then_some(number)
}

/// `19437` of `19437-Lexington` and of `NAIC-19437`.
fn without_joined_name(word: &str) -> &str {
    let is_name = |part: &str| !part.is_empty() && part.chars().all(char::is_alphabetic);
    match word.split_once('-') {
        Some((number, name)) if is_name(name) => number,
        Some((name, number)) if is_name(name) => number,
        _ => word,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_taken_apart_where_it_ends_with_state_and_zip() {
        use Field as F;
        let cases: [(&str, &[(Field, &str)]); 5] = [
            (
                "12 Main Street\nSuite 4\nAustin, TX 78701",
                &[
                    (F::MailingState, "TX"),
                    (F::MailingZip, "78701"),
                    (F::MailingCity, "Austin"),
                    (F::MailingAddress, "12 Main Street, Suite 4"),
                ],
            ),
            (
                "12 Main Street, New York, New York 10001-1234",
                &[
                    (F::MailingState, "NY"),
                    (F::MailingZip, "10001-1234"),
                    (F::MailingCity, "New York"),
                    (F::MailingAddress, "12 Main Street"),
                ],
            ),
            ("12 Main Street\nAustin", &[(F::MailingAddress, "12 Main Street, Austin")]),
            ("TX 78701", &[(F::MailingState, "TX"), (F::MailingZip, "78701"), (F::MailingAddress, "")]),
            ("", &[(F::MailingAddress, "")]),
        ];
        for (typed, expected) in cases {
            let found = split_mailing_address(typed);
            let found: Vec<(Field, &str)> =
                found.iter().map(|(field, text)| (*field, text.as_str())).collect();
            assert_eq!(found, expected, "{typed}");
        }
    }

    #[test]
    fn a_carriers_number_is_found_beside_its_name() {
        for (typed, number) in [
            ("Example Specialty (AA-1120337)", Some("AA-1120337")),
            ("NAIC 10899", Some("10899")),
            ("Example Specialty, NAIC: 10899", Some("10899")),
            ("Example Specialty / 10899", Some("10899")),
            ("10899 Example Specialty (10899)", Some("10899")),
            ("10899-Example Specialty", Some("10899")),
            ("Example Specialty NAIC-10899", Some("10899")),
            ("Suite 12-10899", None),
            ("10899/41297", None),
            ("Lloyd's 2623", None),
            ("Example Specialty", None),
        ] {
            assert_eq!(find_insurer_number(typed).as_deref(), number, "{typed}");
        }
    }
}
