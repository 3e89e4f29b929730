//! The rules of a transaction, checked offline. What the service would warn of is found here first.

use std::collections::BTreeMap;
use std::sync::Arc;

use bordereau_contract::StateDocument;
use bordereau_tax::{FeeChargedBy, Line, LineInput, Local, RuleBook};
use chrono::NaiveDate;

use crate::field::Field;
use crate::issue::{Data, Finding};
use crate::reading::{Place, RowReader};
use crate::sent::SentKeys;
use crate::transaction::Gathered;

mod codes;
mod required;
mod shares;
mod taxes;
mod timing;

/// What rows are checked against.
pub struct Checks<'a> {
    /// The day of the check.
    pub today: NaiveDate,
    /// Tax rules.
    pub book: &'a RuleBook,
    /// Lines of business and local taxes.
    pub local: &'a Local,
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
pub(crate) struct Workspace<'c> {
    /// The line of each entry; `None` where it is not known.
    lines: Vec<Option<&'c Line>>,
    /// The lines of a question to the calculator.
    asked: Vec<LineInput>,
    documents: Documents,
}

/// Documents of the rules, each with this workspace's own copy.
#[derive(Default)]
struct Documents(Vec<(Arc<StateDocument>, Arc<StateDocument>)>);

impl Documents {
    /// The copy: two threads that counted the users of one document would wait for each other at every row.
    fn own(&mut self, document: &Arc<StateDocument>) -> Arc<StateDocument> {
        if let Some((_, own)) = self.0.iter().find(|(known, _)| Arc::ptr_eq(known, document)) {
            return Arc::clone(own);
        }
        let own = Arc::new(StateDocument::clone(document));
        self.0.push((Arc::clone(document), Arc::clone(&own)));
        own
    }
}

/// Checks one gathered transaction.
pub(crate) fn check<'t, 'c>(
    gathered: &Gathered<'t>,
    reader: &RowReader<'t>,
    checks: &Checks<'c>,
    workspace: &mut Workspace<'c>,
    findings: &mut Vec<Finding>,
) {
    let mut subject = Subject { gathered, reader, checks, findings };
    required::check(&mut subject);
    timing::check(&mut subject);
    codes::check(&mut subject, &mut workspace.lines);
    shares::check(&mut subject);
    taxes::check(&mut subject, workspace);
}

/// The calculation a gathered transaction is compared with; `None` where it lacks something.
pub(crate) fn quote<'t>(
    gathered: &Gathered<'t>,
    reader: &RowReader<'t>,
    checks: &Checks<'_>,
) -> Option<bordereau_tax::Quote> {
    let mut findings = Vec::new();
    let mut workspace = Workspace::default();
    let mut subject = Subject { gathered, reader, checks, findings: &mut findings };
    codes::check(&mut subject, &mut workspace.lines);
    taxes::quote(&subject, &mut workspace)
}

/// A transaction under check.
pub(crate) struct Subject<'s, 't, 'c> {
    pub gathered: &'s Gathered<'t>,
    pub reader: &'s RowReader<'t>,
    pub checks: &'s Checks<'c>,
    pub findings: &'s mut Vec<Finding>,
}

impl Subject<'_, '_, '_> {
    /// Adds a finding at the cell of a field.
    fn find(&mut self, field: Field, code: crate::issue::Code, data: Data) {
        let row = self.gathered.row;
        let column = self.reader.column(row, field);
        Place { row, column, field, findings: self.findings }.push(code, data);
    }
}
