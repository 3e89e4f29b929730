//! One row of cells into typed values and findings.

use bordereau_mapping::{
    ChargeRows, Field, Mapping, ValueKind, charge_word,
    words::{self, WordMeaning},
};
use bordereau_tables::amount::{self, AmountFault};
use bordereau_tables::date::{self, DateReading};
use bordereau_tables::{Cell, CellKind, DateOrder, DecimalMark, Table, trim_blanks};
use chrono::{Days, NaiveDate};

use crate::issue::{Code, Finding, FindingData};
use crate::layout::ColumnLayout;
use crate::policy_term::TermColumn;
use crate::row::{TypedCode, TypedRow};

/// What is needed to read rows.
pub(crate) struct RowReader<'a> {
    pub table: &'a Table,
    pub layout: &'a ColumnLayout,
    pub mapping: &'a Mapping,
    pub mark: DecimalMark,
    pub order: Option<DateOrder>,
    /// Fields that have a column or an entered value: the others cost nothing.
    pub active: Vec<ActiveField>,
    pub codes: CodesRead<'a>,
    /// The column that says what an amount is for, the amount's, and what is known of the words.
    pub charges: Vec<(u16, u16, &'a ChargeRows)>,
    /// The column with the terms of policies.
    pub term: Option<TermColumn>,
}

/// A field that has a column or an entered value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ActiveField {
    pub field: Field,
    kind: ValueKind,
    /// Its place among the amounts, dates or flags of a typed row.
    place: usize,
    /// Its column, where it has one only.
    column: u16,
    several: bool,
}

impl ActiveField {
    pub(crate) fn new(field: Field, layout: &ColumnLayout) -> ActiveField {
        let several = layout.columns_of(field).len() > 1;
        let kind = field.kind();
        let place = field.typed_index(kind).unwrap_or_default();
        ActiveField { field, kind, place, column: layout.column_of(field), several }
    }
}

impl<'a> RowReader<'a> {
    /// The first column's cell that is not blank, or the first column's.
    pub(crate) fn field_cell(&self, row: usize, field: Field) -> (u16, Cell<'a>) {
        let own = self.layout.columns_of(field);
        let at = |column: u16| (column, self.table.cell(row, usize::from(column)));
        match own {
            [] => at(self.layout.column_of(field)),
            [only] => at(*only),
            several => several
                .iter()
                .map(|c| at(*c))
                .find(|(_, cell)| !cell.text.is_empty())
                .unwrap_or_else(|| at(several[0])),
        }
    }

    /// The column [`RowReader::field_cell`] takes.
    pub(crate) fn field_column(&self, row: usize, field: Field) -> u16 {
        match self.layout.columns_of(field) {
            [] => self.layout.column_of(field),
            [only] => *only,
            _ => self.field_cell(row, field).0,
        }
    }

    /// The text of a field, trimmed; several columns of a text are joined.
    pub(crate) fn field_text(&self, row: usize, field: Field) -> String {
        let own = self.layout.columns_of(field);
        if own.len() < 2 || field.kind() != ValueKind::Text {
            return self.field_cell(row, field).1.text.trim().to_owned();
        }
        let parts = own.iter().map(|c| self.table.text_at(row, usize::from(*c)).trim());
        parts.filter(|p| !p.is_empty()).collect::<Vec<_>>().join(", ")
    }

    /// When the row's policy ends by its term.
    pub(crate) fn term_end(&self, row: usize, began: NaiveDate) -> Option<NaiveDate> {
        self.term.and_then(|term| term.end(self.table.text_at(row, usize::from(term.column)), began))
    }

    /// An amount of a charge that nobody said the field of would be lost, and so would one that a column of its field
    /// has otherwise.
    pub(crate) fn find_lost_charges(&self, row: usize, findings: &mut Vec<Finding>) {
        for (charge, amount, known) in &self.charges {
            let word = self.table.text_at(row, usize::from(*charge)).trim();
            let text = self.table.text_at(row, usize::from(*amount)).trim();
            if text.is_empty() {
                continue;
            }
            let (code, text) = match known.fields.get(&charge_word(word)) {
                None => (Code::ChargeUnknown, word),
                Some(None) => continue,
                Some(Some(field)) => match self.field_cell(row, *field).1.text.trim() {
                    own if own == text || self.layout.columns_of(*field).is_empty() => continue,
                    own => (Code::ColumnsDiffer, own),
                },
            };
            let mut finding = Finding::at_cell(code, row, usize::from(*amount));
            finding.data = FindingData::Text(text.into());
            findings.push(finding);
        }
    }

    /// Reads every field of a row except lists, which the transaction reads.
    pub(crate) fn read(&self, row: usize, typed: &mut TypedRow, findings: &mut Vec<Finding>) {
        let cells = self.table.row_cells(row);
        for active in &self.active {
            let ActiveField { field, column, .. } = *active;
            if active.several {
                self.read_several(row, field, self.layout.columns_of(field), typed, findings);
                continue;
            }
            let cell = cells.cell(usize::from(column));
            if !cell.text.is_empty() {
                self.read_cell(cell, active, &mut CellFindings { row, column, field, findings }, typed);
            }
        }
    }

    fn read_several(
        &self,
        row: usize,
        field: Field,
        columns: &[u16],
        typed: &mut TypedRow,
        findings: &mut Vec<Finding>,
    ) {
        let adds = field.kind() == ValueKind::Amount && field.is_repeatable();
        let (mut sum, mut first) = (Some(0i64), None::<&str>);
        for column in columns {
            let cell = self.table.cell(row, usize::from(*column));
            if cell.text.trim().is_empty() {
                continue;
            }
            let mut at = CellFindings { row, column: *column, field, findings };
            if let Some(earlier) = first.filter(|_| !field.is_repeatable()) {
                // The same once more says nothing, and an amount is not added to itself.
                if earlier != cell.text.trim() {
                    at.push(Code::ColumnsDiffer, FindingData::Text(earlier.into()));
                }
                continue;
            }
            first.get_or_insert(cell.text.trim());
            if adds {
                typed.set_cents(field, None);
            }
            self.read_cell(cell, &ActiveField::new(field, self.layout), &mut at, typed);
            if adds {
                sum = sum.zip(typed.amount_cents(field)).and_then(|(sum, cents)| sum.checked_add(cents));
            }
        }
        if adds && first.is_some() {
            // Where one of them cannot be read, the others are not the whole.
            typed.set_cents(field, sum);
        }
    }

    /// Inlined by order: called three million times for a large file, the call alone was a tenth of reading.
    #[inline(always)]
    fn read_cell(
        &self,
        cell: Cell<'a>,
        active: &ActiveField,
        at: &mut CellFindings<'_>,
        typed: &mut TypedRow,
    ) {
        if trim_blanks(cell.text).is_empty() {
            return;
        }
        typed.mark_present(at.field);
        if is_failed_formula(cell) {
            at.push(Code::CellError, FindingData::None);
            return;
        }
        match active.kind {
            ValueKind::Amount => self.read_amount(cell, active.place, at, typed),
            ValueKind::Date => self.read_date(cell, active.place, at, typed),
            ValueKind::Identifier => check_identifier(cell, at),
            ValueKind::Text => check_text(cell, at),
            ValueKind::Flag => match self.read_flag(at.field, cell.text) {
                Some(flag) => typed.put_flag(active.place, flag),
                None => at.push(Code::FlagUnreadable, FindingData::None),
            },
            ValueKind::Code => self.read_code(cell, at, typed),
            ValueKind::Percent => match amount::rate_millionths(cell, self.mark) {
                Some(rate) => typed.assessment_rate = Some(rate),
                None => at.push(Code::PercentUnreadable, FindingData::None),
            },
            ValueKind::List | ValueKind::Shares => too_long(cell, at),
        }
    }

    fn read_flag(&self, field: Field, text: &str) -> Option<bool> {
        words::parse_flag(text).or_else(|| words::parse_flag(self.mapping.remembered_code(field, text)?))
    }

    fn read_amount(&self, cell: Cell<'_>, place: usize, at: &mut CellFindings<'_>, typed: &mut TypedRow) {
        match amount::parse_cents(cell, self.mark) {
            Ok(cents) => typed.put_cents(place, cents),
            Err(AmountFault::Unreadable) => at.push(Code::AmountUnreadable, FindingData::None),
            Err(AmountFault::TooLarge) => at.push(Code::AmountTooLarge, FindingData::None),
            Err(AmountFault::TooPrecise(rounded)) => {
                at.push(Code::AmountTooPrecise, FindingData::Cents(rounded, rounded))
            }
        }
    }

    fn read_date(&self, cell: Cell<'_>, place: usize, at: &mut CellFindings<'_>, typed: &mut TypedRow) {
        let day = match date::read(cell, self.order) {
            DateReading::Day(day) => day,
            DateReading::Either(month_first, day_first) => {
                at.push(Code::DateOrderOpen, FindingData::Dates(month_first, day_first));
                return;
            }
            DateReading::Serial(day) => {
                let epoch = Days::new(self.table.epoch_days());
                let day = day.checked_add_days(epoch).unwrap_or(day);
                at.push(Code::DateSerial, FindingData::Dates(day, day));
                day
            }
            DateReading::Unreadable => {
                at.push(Code::DateUnreadable, FindingData::None);
                return;
            }
        };
        if date::is_likely(day) {
            typed.put_date(place, day);
        } else {
            at.push(Code::DateOutOfRange, FindingData::Dates(day, day));
        }
    }

    fn read_code(&self, cell: Cell<'a>, at: &mut CellFindings<'_>, typed: &mut TypedRow) {
        if let Some(code) = self.codes.find(at.field, cell.text) {
            typed.set_coded(at.field, code);
            return;
        }
        let remembered = self.mapping.remembered_code(at.field, cell.text);
        match words::find_meaning(at.field, remembered.unwrap_or(cell.text)) {
            WordMeaning::Code(code) => {
                if let Some(code) = TypedCode::from_code(at.field, code) {
                    typed.set_coded(at.field, code);
                    self.codes.remember_code(at.field, cell.text, code);
                }
            }
            WordMeaning::StandsFor(code) => {
                typed.set_code(at.field, code);
                at.push(Code::ValueMapped, FindingData::Text(code.into()));
            }
            WordMeaning::Unknown => at.push(Code::CodeUnknown, FindingData::None),
        }
    }
}

/// Codes of the cells read last: a column has few different ones, and each is read thousands of times.
pub(crate) struct CodesRead<'a>([std::cell::Cell<CodeRead<'a>>; CODES_KEPT]);

/// A field, a cell's text, and the code it is mapped to.
type CodeRead<'a> = Option<(Field, &'a str, TypedCode)>;

const CODES_KEPT: usize = 256;

impl Default for CodesRead<'_> {
    fn default() -> Self {
        CodesRead([const { std::cell::Cell::new(None) }; CODES_KEPT])
    }
}

impl<'a> CodesRead<'a> {
    fn cache_slot(&self, field: Field, text: &str) -> &std::cell::Cell<CodeRead<'a>> {
        let bytes = text.as_bytes();
        let (first, last) = (bytes.first().copied().unwrap_or(0), bytes.last().copied().unwrap_or(0));
        let mixed = usize::from(first) * 31 + usize::from(last) * 7 + field.index() * 61;
        &self.0[mixed % CODES_KEPT]
    }

    fn find(&self, field: Field, text: &str) -> Option<TypedCode> {
        let (known, same, code) = self.cache_slot(field, text).get()?;
        (known == field && same == text).then_some(code)
    }

    fn remember_code(&self, field: Field, text: &'a str, code: TypedCode) {
        self.cache_slot(field, text).set(Some((field, text, code)));
    }
}

/// Where findings of a cell go.
pub(crate) struct CellFindings<'f> {
    pub row: usize,
    pub column: u16,
    pub field: Field,
    pub findings: &'f mut Vec<Finding>,
}

impl CellFindings<'_> {
    pub(crate) fn push(&mut self, code: Code, data: FindingData) {
        self.findings.push(Finding {
            row: u32::try_from(self.row).unwrap_or(u32::MAX),
            column: self.column,
            field: Some(self.field),
            code,
            data,
        });
    }
}

/// Whether a cell has a formula that failed, or that no program has worked out yet.
pub(crate) fn is_failed_formula(cell: Cell<'_>) -> bool {
    cell.kind == CellKind::Error || is_formula_error(cell.text)
}

/// What a failed formula leaves behind, in a workbook and in its CSV export: `#REF!`, `#N/A`, `Err:508`, and the
/// `#####` of a column that was too narrow.
fn is_formula_error(text: &str) -> bool {
    if let Some(rest) = text.strip_prefix('#') {
        let is_word =
            rest.bytes().all(|b| b.is_ascii_uppercase() || matches!(b, b'/' | b'0' | b'_' | b'!' | b'?'));
        return (rest.len() > 1 && rest.bytes().all(|b| b == b'#'))
            || (is_word && (rest.ends_with(['!', '?']) || matches!(rest, "N/A" | "GETTING_DATA")));
    }
    text.strip_prefix("Err:").is_some_and(|code| code.len() == 3 && code.bytes().all(|b| b.is_ascii_digit()))
}

fn check_identifier(cell: Cell<'_>, at: &mut CellFindings<'_>) {
    let text = cell.text;
    let trimmed = trim_blanks(text);
    let is_plain = text.bytes().all(|byte| (b' '..=b'~').contains(&byte));
    if trimmed.len() != text.len() || (!is_plain && text.contains(is_unseen)) {
        at.push(Code::Untrimmed, FindingData::None);
    }
    if has_lost_digits(cell.kind, trimmed) {
        at.push(Code::IdentifierRounded, FindingData::None);
    } else if trimmed.starts_with('=') {
        // A formula whose result was not written: in a text file nobody works it out.
        at.push(Code::CellError, FindingData::None);
    }
    match at.field {
        // 501 is 00501 in New York.
        Field::MailingZip | Field::PhysicalZip if has_lost_zeros(without_zip_tail(trimmed)) => {
            let zip = without_zip_tail(trimmed);
            at.push(Code::ZipZeroLost, FindingData::Text(format!("{zip:0>5}").into()));
        }
        // Mail goes abroad, too: a code with letters is another country's.
        Field::MailingZip if trimmed.contains(char::is_alphabetic) => {}
        Field::MailingZip | Field::PhysicalZip if !is_zip_code(trimmed) => {
            let zip = without_zip_tail(trimmed);
            let data = if is_zip_code(zip) { FindingData::Text(zip.into()) } else { FindingData::None };
            at.push(Code::ZipUnlikely, data);
        }
        Field::InsuredPhone if !is_phone_number(trimmed) => at.push(Code::PhoneUnlikely, FindingData::None),
        _ => {}
    }
    too_long(cell, at);
}

/// `75201` of `75201-`, whose other four digits are blank, and of `75201.0`, which programs make of numbers.
fn without_zip_tail(text: &str) -> &str {
    let text = text.strip_suffix(".0").unwrap_or(text);
    text.trim_end_matches(['-', ' '])
}

fn has_lost_zeros(zip: &str) -> bool {
    matches!(zip.len(), 3 | 4) && zip.bytes().all(|byte| byte.is_ascii_digit())
}

/// `78701`, `78701-1234`, `787011234`.
pub(crate) fn is_zip_code(text: &str) -> bool {
    let is_digits = |part: &str, count| part.len() == count && part.bytes().all(|b| b.is_ascii_digit());
    match text.split_once(['-', ' ']) {
        Some((zip, more)) => is_digits(zip, 5) && is_digits(more.trim_start_matches(['-', ' ']), 4),
        None => is_digits(text, 5) || is_digits(text, 9),
    }
}

/// Ten digits in any dress, with 1 before them or not, and an extension; abroad, `+` and 7 to 15 digits (E.164).
fn is_phone_number(text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    let number = text.split(['x', 'e', '#']).next().unwrap_or_default();
    if !number.chars().all(|c| c.is_ascii_digit() || " ()+-./\u{a0}\u{2010}\u{2011}\u{2013}".contains(c)) {
        return false;
    }
    let digits: String = number.chars().filter(char::is_ascii_digit).collect();
    match number.trim_start().strip_prefix('+') {
        Some(abroad) if !abroad.starts_with('1') => (7..=15).contains(&digits.len()),
        _ => digits.strip_prefix('1').unwrap_or(&digits).len() == 10,
    }
}

/// Blanks that are none, and characters that nobody sees: a number copied from a web page or a properties window
/// often brings a mark of direction along, and no service finds it again by what a person types.
pub(crate) fn is_unseen(c: char) -> bool {
    c.is_control()
        || bordereau_contract::changes_text_direction(c)
        || matches!(
            c,
            '\u{a0}' | '\u{ad}' | '\u{200b}'..='\u{200d}' | '\u{2060}'..='\u{2064}' | '\u{feff}'
        )
}

/// A spreadsheet keeps fifteen digits of a number; `1.2E+15` is what is left of an identifier after that. It
/// takes `1-2` for a date.
fn has_lost_digits(kind: CellKind, text: &str) -> bool {
    let bytes = text.as_bytes();
    match kind {
        CellKind::Number => return bytes.iter().filter(|b| b.is_ascii_digit()).count() > 15,
        CellKind::Date => return true,
        _ => {}
    }
    if bytes.len() < 5 || !bytes[0].is_ascii_digit() {
        return false;
    }
    let Some(at) = bytes.iter().position(|b| matches!(b, b'E' | b'e')) else { return false };
    let mantissa = &bytes[..at];
    let exponent = bytes[at + 1..].strip_prefix(b"+").unwrap_or_default();
    mantissa.iter().all(|b| b.is_ascii_digit() || matches!(b, b'.' | b','))
        && !exponent.is_empty()
        && exponent.iter().all(u8::is_ascii_digit)
}

fn check_text(cell: Cell<'_>, at: &mut CellFindings<'_>) {
    too_long(cell, at);
    if at.field == Field::InsuredEmail {
        let text = cell.text.trim();
        let host = text.rsplit_once('@').map(|(name, host)| (name.is_empty(), host));
        let likely = host.is_some_and(|(no_name, host)| {
            !no_name && host.contains('.') && !host.starts_with('.') && !host.ends_with('.')
        });
        if !likely || text.contains(char::is_whitespace) {
            at.push(Code::EmailUnlikely, FindingData::None);
        }
    }
}

fn too_long(cell: Cell<'_>, at: &mut CellFindings<'_>) {
    let max = at.field.chars_max();
    if cell.text.len() > max {
        let count = cell.text.trim().chars().count();
        if count > max {
            let small = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
            at.push(Code::TextTooLong, FindingData::Counts(small(count), small(max)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zip_codes_and_phone_numbers_in_any_dress() {
        for zip in ["78701", "78701-1234", "787011234", "78701 - 1234"] {
            assert!(is_zip_code(zip), "{zip}");
        }
        for zip in ["7870A", "787", "78701-12", "7870112", "78701-12345", "TX 78701"] {
            assert!(!is_zip_code(zip), "{zip}");
        }
        for (written, zip) in
            [("75201-", "75201"), ("75201.0", "75201"), ("2139.0", "2139"), ("78701-12", "78701-12")]
        {
            assert_eq!(without_zip_tail(written), zip);
        }
        let phones = [
            "5125550100",
            "512-555-0100",
            "(512) 555-0100",
            "1 (512) 555-0100",
            "+1.512.555.0100",
            "512/555-0100 ext. 12",
            "512-555-0100x12",
            "512\u{2011}555\u{2011}0100",
            "+44 20 7946 0958",
        ];
        for phone in phones {
            assert!(is_phone_number(phone), "{phone}");
        }
        for phone in ["555-0100", "see file", "51255501000", "5.12555E+09", "+44 123", "john@example.com"] {
            assert!(!is_phone_number(phone), "{phone}");
        }
    }
}
