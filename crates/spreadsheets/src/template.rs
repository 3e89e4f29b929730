//! The template: the contract's field names as headers, with one row to show what goes where.

use crate::field::Field;

/// The template as a CSV file. Dates in it are mm/dd/yyyy, as usual in this field.
pub fn template_csv() -> String {
    let headers: Vec<&str> = Field::ALL.iter().map(|f| f.name()).collect();
    let example: Vec<&str> = Field::ALL.iter().map(|f| f.example()).collect();
    format!("{}\r\n{}\r\n", headers.join(","), example.join(","))
}
