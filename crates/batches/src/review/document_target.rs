//! Which transaction a document belongs to, by the numbers in its file name or in a documents.csv.

use std::collections::BTreeMap;

use bordereau_spreadsheets::{Code, Field};

use super::folder::ListedDocument;
use super::session::ReviewSession;
use bordereau_session::file_numbers::KnownNumbers;

/// The code of a document when neither its name nor the state says another.
const POLICY: &str = "POLIC";

/// The transaction a file belongs to.
pub struct MatchedTransaction {
    pub row: u32,
    pub policy_number: String,
    pub code: String,
    pub reason: String,
}

/// Policy and invoice numbers with the first rows of their transactions.
pub struct TransactionNumbers {
    numbers: KnownNumbers<u32>,
    /// Codes of documents that are missing, by row.
    missing: BTreeMap<u32, Vec<String>>,
}

impl TransactionNumbers {
    pub fn from_review(session: &ReviewSession) -> TransactionNumbers {
        let review = session.review();
        let table = &review.source().table;
        let mut numbers = TransactionNumbers { numbers: KnownNumbers::default(), missing: BTreeMap::new() };
        for transaction in 0..review.transactions().count() {
            let row = review.transactions().rows_of(transaction)[0];
            if review.is_excluded(row as usize) {
                continue;
            }
            let number = |field| table.text_at(row as usize, usize::from(review.layout().column_of(field)));
            numbers.numbers.add(number(Field::PolicyNumber), number(Field::InvoiceNumber), row);
        }
        for finding in review.findings().iter().filter(|f| f.code() == Code::DocumentMissing) {
            let code = finding.text().rsplit_once('(').map_or("", |(_, code)| code.trim_end_matches(')'));
            if let (Ok(row), false) = (u32::try_from(finding.row()), code.is_empty()) {
                numbers.missing.entry(row).or_default().push(code.to_owned());
            }
        }
        numbers
    }

    /// The transaction of a file, or why there is none.
    pub fn find_target(
        &self,
        session: &ReviewSession,
        file: &str,
        listed: Option<&ListedDocument>,
    ) -> Result<MatchedTransaction, String> {
        let (rows, reason, code) = match listed {
            Some(listed) => {
                let rows = self.numbers.find_by_numbers(&listed.policy_number, &listed.invoice_number);
                (rows, "documents.csv", listed.code.as_str())
            }
            None => {
                let (rows, reason) = self.numbers.find_by_name(file);
                (rows, reason, "")
            }
        };
        match rows.as_slice() {
            [] if listed.is_some() => {
                Err("documents.csv names a policy or invoice number that no row has.".into())
            }
            [] => {
                Err("No policy or invoice number of a row is in the file's name. Rename it, or list it in \
                       documents.csv."
                    .into())
            }
            [row] => Ok(self.target_named(session, *row, file, code, reason)),
            rows => Err(format!(
                "{} transactions have this number. Name the file by the invoice number, or list it in documents.csv.",
                rows.len()
            )),
        }
    }

    fn target_named(
        &self,
        session: &ReviewSession,
        row: u32,
        file: &str,
        code: &str,
        reason: &str,
    ) -> MatchedTransaction {
        let review = session.review();
        let column = usize::from(review.layout().column_of(Field::PolicyNumber));
        let policy_number = review.source().table.text_at(row as usize, column).trim().to_owned();
        let missing = self.missing.get(&row).map(Vec::as_slice).unwrap_or_default();
        let upper = file.to_uppercase();
        let in_name =
            missing.iter().find(|code| upper.split(|c: char| !c.is_alphanumeric()).any(|w| w == *code));
        let is_policy = upper.contains("POLICY") || upper.contains("DEC");
        let code = match (code, in_name) {
            ("", Some(code)) => code.clone(),
            ("", None) if is_policy => POLICY.to_owned(),
            ("", None) => missing.first().cloned().unwrap_or_else(|| POLICY.to_owned()),
            (said, _) => said.to_owned(),
        };
        MatchedTransaction { row, policy_number, code, reason: reason.to_owned() }
    }
}
