//! The rules of a transaction, checked offline. What the service would warn of is found here first.

use std::collections::BTreeMap;
use std::sync::Arc;

use bordereau_contract::StateDocument;
use bordereau_mapping::Field;
use bordereau_tax::{BusinessLine, FeeChargedBy, LineInput, LocalTables, RuleBook};
use chrono::NaiveDate;

use crate::issue::{Finding, FindingData};
use crate::row_reader::{CellFindings, RowReader};
use crate::sent_rows::SentKeys;
use crate::transaction::GatheredTransaction;

mod codes;
pub(crate) use codes::line_named;
mod required_values;
mod shares;
mod taxes;
mod timing;

/// What rows are checked against.
pub struct CheckSettings<'a> {
    /// The day of the check.
    pub today: NaiveDate,
    /// Tax rules.
    pub book: &'a RuleBook,
    /// Lines of business and local taxes.
    pub local: &'a LocalTables,
    /// Who charges the agency fee where a row does not say.
    pub fee_charged_by: Option<FeeChargedBy>,
    /// What was sent before.
    pub sent: &'a SentKeys,
    /// Codes of documents attached to a row, apart from those its cells name; by row of the table.
    pub attached: &'a BTreeMap<usize, Vec<String>>,
    /// How many threads to check on; 1 for none besides this one.
    pub threads: usize,
}

/// What checking one transaction after another needs; reused, so that a row of a large file takes no memory of
/// its own and threads share no counters.
#[derive(Default)]
pub(crate) struct CheckWorkspace<'c> {
    /// The line of each entry; `None` where it is not known.
    lines: Vec<Option<&'c BusinessLine>>,
    /// The lines of a question to the calculator.
    asked: Vec<LineInput>,
    documents: DocumentCopies,
}

/// Documents of the rules, each with this workspace's own copy.
#[derive(Default)]
struct DocumentCopies(Vec<(Arc<StateDocument>, Arc<StateDocument>)>);

impl DocumentCopies {
    /// The copy: two threads that counted the users of one document would wait for each other at every row.
    fn own_copy(&mut self, document: &Arc<StateDocument>) -> Arc<StateDocument> {
        if let Some((_, own)) = self.0.iter().find(|(known, _)| Arc::ptr_eq(known, document)) {
            return Arc::clone(own);
        }
        let own = Arc::new(StateDocument::clone(document));
        self.0.push((Arc::clone(document), Arc::clone(&own)));
        own
    }
}

/// Checks one gathered transaction.
pub(crate) fn check_transaction<'t, 'c>(
    gathered: &GatheredTransaction<'t>,
    reader: &RowReader<'t>,
    checks: &CheckSettings<'c>,
    workspace: &mut CheckWorkspace<'c>,
    findings: &mut Vec<Finding>,
) {
    let mut subject = CheckSubject { gathered, reader, checks, findings };
    required_values::check_required(&mut subject);
    timing::check_timing(&mut subject);
    codes::check_codes(&mut subject, &mut workspace.lines);
    codes::check_zip_state(&mut subject);
    shares::check_shares(&mut subject);
    taxes::check_taxes(&mut subject, workspace);
}

/// The calculation a gathered transaction is compared with; `None` where it lacks something.
pub(crate) fn calculate_quote<'t>(
    gathered: &GatheredTransaction<'t>,
    reader: &RowReader<'t>,
    checks: &CheckSettings<'_>,
) -> Option<bordereau_tax::Quote> {
    let mut findings = Vec::new();
    let mut workspace = CheckWorkspace::default();
    let mut subject = CheckSubject { gathered, reader, checks, findings: &mut findings };
    codes::check_codes(&mut subject, &mut workspace.lines);
    taxes::quote_subject(&subject, &mut workspace)
}

/// A transaction under check.
pub(crate) struct CheckSubject<'s, 't, 'c> {
    pub gathered: &'s GatheredTransaction<'t>,
    pub reader: &'s RowReader<'t>,
    pub checks: &'s CheckSettings<'c>,
    pub findings: &'s mut Vec<Finding>,
}

impl CheckSubject<'_, '_, '_> {
    /// Adds a finding at the cell of a field.
    fn add_finding(&mut self, field: Field, code: crate::issue::Code, data: FindingData) {
        // Of several rows, at the one that has a value.
        let rows = &self.gathered.rows;
        let has_value = |row: &usize| !self.reader.field_cell(*row, field).1.text.trim().is_empty();
        let filled = if rows.len() > 1 { rows.iter().map(|row| *row as usize).find(has_value) } else { None };
        let row = filled.unwrap_or(self.gathered.row);
        let column = self.reader.field_column(row, field);
        CellFindings { row, column, field, findings: self.findings }.push(code, data);
    }

    /// Says of a cell that cannot be read what it most likely is.
    fn put_likely_value(&mut self, field: Field, code: crate::issue::Code, data: FindingData) {
        let row = self.gathered.row;
        let own = self.findings.iter_mut().rev().take_while(|finding| finding.row() >= row);
        let mut same = own.filter(|f| f.row() == row && f.field == Some(field) && f.code == code);
        if let Some(finding) = same.next() {
            finding.data = data;
        }
    }
}
