//! Lines of business and insurers: known codes, or words that stand for them.

use super::Subject;
use crate::field::Field;
use crate::issue::{Code, Data};
use crate::reading::Place;
use crate::transaction::is_insurer_number;

/// The generic code of each line, `None` where it is not known.
pub(super) type Lines = Vec<Option<bordereau_tax::Text>>;

pub(super) fn check(subject: &mut Subject<'_, '_>) -> Lines {
    insurers(subject);
    let gathered = subject.gathered;
    let state = gathered.typed.state;
    let mut lines = Lines::with_capacity(gathered.lines.items.len());
    for item in &gathered.lines.items {
        let word = subject.reader.mapping.value(Field::LineOfBusiness, item.text).unwrap_or(item.text);
        let table = &subject.checks.local.lines;
        let state = state.unwrap_or(bordereau_contract::Jurisdiction::Tx);
        if let Some(line) = table.find(word, state) {
            lines.push(Some(line.code.clone()));
            continue;
        }
        let (row, column) = (item.row as usize, item.column);
        let mut at = Place { row, column, field: Field::LineOfBusiness, findings: subject.findings };
        let folded = word.to_uppercase();
        let named = table.iter().find(|l| l.name.eq_ignore_ascii_case(word) || *l.code == *folded);
        match named {
            Some(line) => {
                let text = format!("{}={}", item.text, line.code);
                at.push(Code::ValueMapped, Data::Text(text.into()));
                lines.push(Some(line.code.clone()));
            }
            None => {
                at.push(Code::LineUnknown, Data::Text(item.text.into()));
                lines.push(None);
            }
        }
    }
    lines
}

fn insurers(subject: &mut Subject<'_, '_>) {
    let gathered = subject.gathered;
    for item in &gathered.insurers.items {
        if is_insurer_number(item.text)
            || subject.reader.mapping.value(Field::InsuranceCompany, item.text).is_some()
        {
            continue;
        }
        let (row, column) = (item.row as usize, item.column);
        let mut at = Place { row, column, field: Field::InsuranceCompany, findings: subject.findings };
        at.push(Code::InsurerUnnumbered, Data::Text(item.text.into()));
    }
}
