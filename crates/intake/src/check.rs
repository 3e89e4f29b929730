//! The rules of a transaction, checked offline. What the service would warn of is found here first.

use std::collections::BTreeMap;

use bordereau_tax::{Local, RuleBook};
use jiff::civil::Date;

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
    pub today: Date,
    /// Tax rules.
    pub book: &'a RuleBook,
    /// Lines of business and local taxes.
    pub local: &'a Local,
    /// What was sent before.
    pub sent: &'a SentKeys,
    /// Codes of documents attached to a row, apart from those its cells name; by row of the table.
    pub attached: &'a BTreeMap<usize, Vec<String>>,
    /// How many threads to check on; 1 for none besides this one.
    pub threads: usize,
}

/// Checks one gathered transaction.
pub(crate) fn check<'t>(
    gathered: &Gathered<'t>,
    reader: &RowReader<'t>,
    checks: &Checks<'_>,
    findings: &mut Vec<Finding>,
) {
    let mut subject = Subject { gathered, reader, checks, findings };
    required::check(&mut subject);
    timing::check(&mut subject);
    let lines = codes::check(&mut subject);
    shares::check(&mut subject);
    taxes::check(&mut subject, &lines);
}

/// The calculation a gathered transaction is compared with; `None` where it lacks something.
pub(crate) fn quote<'t>(
    gathered: &Gathered<'t>,
    reader: &RowReader<'t>,
    checks: &Checks<'_>,
) -> Option<bordereau_tax::Quote> {
    let mut findings = Vec::new();
    let mut subject = Subject { gathered, reader, checks, findings: &mut findings };
    let lines = codes::check(&mut subject);
    taxes::quote(&subject, &lines)
}

/// A transaction under check.
pub(crate) struct Subject<'s, 't> {
    pub gathered: &'s Gathered<'t>,
    pub reader: &'s RowReader<'t>,
    pub checks: &'s Checks<'s>,
    pub findings: &'s mut Vec<Finding>,
}

impl Subject<'_, '_> {
    /// Adds a finding at the cell of a field.
    fn find(&mut self, field: Field, code: crate::issue::Code, data: Data) {
        let row = self.gathered.row;
        let column = self.reader.column(row, field);
        Place { row, column, field, findings: self.findings }.push(code, data);
    }
}
