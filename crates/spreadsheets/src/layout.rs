//! A mapping applied to a table: which columns make which field.

use bordereau_mapping::{ColumnName, FIELD_COUNT, Field, Mapping};
use bordereau_tables::{ImportSource, count_occurrences, normalize_header, source_headers};

/// Which columns make which field. A field without a column gets a place behind the table's last column, so
/// that a value can be entered for it in review.
#[derive(Clone, Debug)]
pub struct ColumnLayout {
    headers: Vec<String>,
    width: usize,
    fields: Vec<Option<Field>>,
    columns: Vec<Vec<u16>>,
}

impl ColumnLayout {
    pub(crate) fn new(source: &ImportSource, mapping: &Mapping) -> ColumnLayout {
        let headers = source_headers(source);
        let choices = mapping.column_choices();
        let mut fields = Vec::with_capacity(headers.len());
        let mut columns = vec![Vec::new(); FIELD_COUNT];
        for (column, (normal, nth)) in count_occurrences(&headers).into_iter().enumerate() {
            let field = choices.choice_for(&normal, nth).flatten();
            fields.push(field);
            if let (Some(field), Ok(column)) = (field, u16::try_from(column)) {
                columns[field.index()].push(column);
            }
        }
        ColumnLayout { width: headers.len(), headers, fields, columns }
    }

    /// The field of a column, places behind the last column included.
    pub fn field_of(&self, column: usize) -> Option<Field> {
        match self.fields.get(column) {
            Some(field) => *field,
            None => Field::ALL.get(column - self.width).copied(),
        }
    }

    /// The columns of the table that make a field.
    pub fn columns_of(&self, field: Field) -> &[u16] {
        &self.columns[field.index()]
    }

    /// Where a value of the field is entered: its first column, or its place behind the last column.
    pub fn column_of(&self, field: Field) -> u16 {
        let behind = u16::try_from(self.width + field.index()).unwrap_or(u16::MAX - 1);
        self.columns[field.index()].first().copied().unwrap_or(behind)
    }

    /// The column of this name.
    pub(crate) fn column_named(&self, name: &ColumnName) -> Option<u16> {
        let wanted = normalize_header(&name.header);
        let is_it = |header: &&String| normalize_header(header) == wanted;
        let nth = usize::from(name.occurrence);
        let column = self.headers.iter().enumerate().filter(|(_, header)| is_it(header)).nth(nth)?.0;
        u16::try_from(column).ok()
    }

    /// Whether the column is in the file.
    pub fn is_in_file(&self, column: usize) -> bool {
        column < self.width
    }

    /// The header of a column as found; the template's name for places behind the last column.
    pub fn header_of(&self, column: usize) -> &str {
        match self.headers.get(column) {
            Some(header) => header,
            None => self.field_of(column).map_or("", Field::name),
        }
    }
}
