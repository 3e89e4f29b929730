//! Which transaction a document belongs to, by the numbers in its file name or in a documents.csv.

use bordereau_spreadsheets::Field;

use super::folder::ListedDocument;
use super::session::ReviewSession;
use bordereau_session::file_numbers::KnownNumbers;

/// The code of a document for which documents.csv has none: the one that states require.
const POLICY: &str = "POLIC";

/// The transaction a file belongs to.
pub struct MatchedTransaction {
    pub row: u32,
    pub policy_number: String,
    pub code: String,
    pub reason: String,
}

/// Policy and invoice numbers with the first rows of their transactions.
pub struct TransactionNumbers(KnownNumbers<u32>);

impl TransactionNumbers {
    pub fn from_review(session: &ReviewSession) -> TransactionNumbers {
        let review = session.review();
        let table = &review.source().table;
        let mut numbers = KnownNumbers::default();
        for transaction in 0..review.transactions().count() {
            let row = review.transactions().rows_of(transaction)[0];
            if review.is_excluded(row as usize) {
                continue;
            }
            let number = |field| table.text_at(row as usize, usize::from(review.layout().column_of(field)));
            numbers.add(number(Field::PolicyNumber), number(Field::InvoiceNumber), row);
        }
        TransactionNumbers(numbers)
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
                let rows = self.0.find_by_numbers(&listed.policy_number, &listed.invoice_number);
                (rows, "documents.csv", listed.code.as_str())
            }
            None => {
                let (rows, reason) = self.0.find_by_name(file);
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
            [row] => Ok(target_named(session, *row, code, reason)),
            rows => Err(format!(
                "{} transactions have this number. Name the file by the invoice number, or list it in documents.csv.",
                rows.len()
            )),
        }
    }
}

fn target_named(session: &ReviewSession, row: u32, code: &str, reason: &str) -> MatchedTransaction {
    let review = session.review();
    let column = usize::from(review.layout().column_of(Field::PolicyNumber));
    let policy_number = review.source().table.text_at(row as usize, column).trim().to_owned();
    let code = if code.is_empty() { POLICY } else { code };
    MatchedTransaction { row, policy_number, code: code.to_owned(), reason: reason.to_owned() }
}
