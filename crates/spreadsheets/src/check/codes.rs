//! Lines of business and insurers: known codes, or words that stand for them; and the state beside its ZIP code.

use bordereau_mapping::Field;
use bordereau_tax::{BusinessLine, LinesTable, LocalTables};

use super::CheckSubject;
use crate::insurer_number::{corrected_number, has_number_shape, is_insurer_number};
use crate::issue::{Code, FindingData};
use crate::postal_address::find_insurer_number;
use crate::row_reader::{CellFindings, is_zip_code};
use bordereau_contract::states_of_zip;

/// Finds the line of each entry.
pub(super) fn check_codes<'c>(
    subject: &mut CheckSubject<'_, '_, 'c>,
    lines: &mut Vec<Option<&'c BusinessLine>>,
) {
    check_insurers(subject);
    let gathered = subject.gathered;
    let state = gathered.typed.state;
    let local: &'c LocalTables = subject.checks.local;
    let table = &local.lines;
    lines.clear();
    for item in &gathered.lines.items {
        let word =
            subject.reader.mapping.remembered_code(Field::LineOfBusiness, item.text).unwrap_or(item.text);
        let state = state.unwrap_or(bordereau_contract::Jurisdiction::Tx);
        if let Some(line) = table.find(word, state) {
            lines.push(Some(line));
            continue;
        }
        let (row, column) = (item.row as usize, item.column);
        let mut at = CellFindings { row, column, field: Field::LineOfBusiness, findings: subject.findings };
        match line_named(table, word) {
            Some(line) => {
                let text = format!("{}={}", item.text, line.code);
                at.push(Code::ValueMapped, FindingData::Text(text.into()));
                lines.push(Some(line));
            }
            None => {
                at.push(Code::LineUnknown, FindingData::Text(item.text.into()));
                lines.push(None);
            }
        }
    }
}

/// The line that a word names, where it is no code itself: the same code is sent for it.
pub(crate) fn line_named<'t>(table: &'t LinesTable, word: &str) -> Option<&'t BusinessLine> {
    let folded = word.to_uppercase();
    table.iter().find(|line| line.name.eq_ignore_ascii_case(word) || *line.code == *folded)
}

/// The state decides the taxes; a ZIP code beside it that is another's says that one of the two is wrong.
pub(super) fn check_zip_state(subject: &mut CheckSubject<'_, '_, '_>) {
    let Some(state) = subject.gathered.typed.state else { return };
    let zip = subject.reader.field_cell(subject.gathered.row, Field::PhysicalZip).1.text.trim();
    if is_zip_code(zip)
        && let [first, rest @ ..] = states_of_zip(zip)
        && state != *first
        && !rest.contains(&state)
    {
        let data = FindingData::Text(first.title().into());
        subject.add_finding(Field::PhysicalZip, Code::ZipOfOtherState, data);
    }
}

fn check_insurers(subject: &mut CheckSubject<'_, '_, '_>) {
    let gathered = subject.gathered;
    for item in &gathered.insurers.items {
        if is_insurer_number(item.text)
            || subject.reader.mapping.remembered_code(Field::InsuranceCompany, item.text).is_some()
        {
            continue;
        }
        let (row, column) = (item.row as usize, item.column);
        let mut at = CellFindings { row, column, field: Field::InsuranceCompany, findings: subject.findings };
        let is_name = !has_number_shape(item.text);
        let number = if is_name { find_insurer_number(item.text) } else { corrected_number(item.text) };
        if is_name && number.is_none() {
            at.push(Code::InsurerUnnumbered, FindingData::Text(item.text.into()));
            continue;
        }
        let text = match number {
            Some(number) => format!("{}={number}", item.text),
            None => item.text.to_owned(),
        };
        at.push(Code::InsurerNumberUnlikely, FindingData::Text(text.into()));
    }
}
