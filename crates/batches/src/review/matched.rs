//! Which transaction a document belongs to, by the numbers in its file name or in a documents.csv.

use std::collections::{BTreeMap, HashMap};

use bordereau_spreadsheets::{Code, Field};

use super::folder::Listed;
use super::session::ReviewSession;

/// The code of a document when neither its name nor the state says another.
const POLICY: &str = "POLIC";
/// Shorter numbers are in every file name.
const NUMBER_MIN: usize = 3;
/// Words of a file name that may be one number together, such as `ESX-22-0481`.
const WORDS_MAX: usize = 6;

/// The transaction a file belongs to.
pub struct Target {
    pub row: u32,
    pub policy_number: String,
    pub code: String,
    pub reason: String,
}

/// Policy and invoice numbers, in letters and digits only, with the first rows of their transactions.
pub struct Numbers {
    policies: HashMap<String, Vec<u32>>,
    invoices: HashMap<String, Vec<u32>>,
    /// Codes of documents that are missing, by row.
    missing: BTreeMap<u32, Vec<String>>,
}

fn bare(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

impl Numbers {
    pub fn of(session: &ReviewSession) -> Numbers {
        let review = session.review();
        let table = &review.source().table;
        let mut numbers =
            Numbers { policies: HashMap::new(), invoices: HashMap::new(), missing: BTreeMap::new() };
        for transaction in 0..review.transactions().count() {
            let row = review.transactions().rows(transaction)[0];
            if review.is_excluded(row as usize) {
                continue;
            }
            let number =
                |field| bare(table.text_at(row as usize, usize::from(review.layout().column_of(field))));
            for (field, known) in
                [(Field::PolicyNumber, &mut numbers.policies), (Field::InvoiceNumber, &mut numbers.invoices)]
            {
                let number = number(field);
                if number.len() >= NUMBER_MIN {
                    known.entry(number).or_default().push(row);
                }
            }
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
    pub fn target(
        &self,
        session: &ReviewSession,
        file: &str,
        listed: Option<&Listed>,
    ) -> Result<Target, String> {
        let (rows, reason, code) = match listed {
            Some(listed) => {
                let rows = self.of_numbers(&bare(&listed.policy_number), &bare(&listed.invoice_number));
                (rows, "documents.csv", listed.code.as_str())
            }
            None => {
                let (rows, reason) = self.of_name(file);
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
            [row] => Ok(self.named(session, *row, file, code, reason)),
            rows => Err(format!(
                "{} transactions have this number. Name the file by the invoice number, or list it in documents.csv.",
                rows.len()
            )),
        }
    }

    fn of_numbers(&self, policy: &str, invoice: &str) -> Vec<u32> {
        let rows =
            |known: &HashMap<String, Vec<u32>>, number: &str| known.get(number).cloned().unwrap_or_default();
        match (policy, invoice) {
            ("", invoice) => rows(&self.invoices, invoice),
            (policy, "") => rows(&self.policies, policy),
            (policy, invoice) => {
                let of_invoice = rows(&self.invoices, invoice);
                rows(&self.policies, policy).into_iter().filter(|row| of_invoice.contains(row)).collect()
            }
        }
    }

    /// The longest number in the name counts; policy and invoice number together decide among several.
    fn of_name(&self, file: &str) -> (Vec<u32>, &'static str) {
        let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
        let words: Vec<String> = stem
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .map(str::to_lowercase)
            .collect();
        let mut parts: Vec<String> = Vec::new();
        for begin in 0..words.len() {
            for end in begin + 1..=words.len().min(begin + WORDS_MAX) {
                parts.push(words[begin..end].concat());
            }
        }
        parts.sort_by_key(|part| std::cmp::Reverse(part.len()));
        let first =
            |known: &HashMap<String, Vec<u32>>| parts.iter().find_map(|part| known.get(part).cloned());
        match (first(&self.policies), first(&self.invoices)) {
            (Some(policy), Some(invoice)) => {
                let both: Vec<u32> = policy.iter().copied().filter(|row| invoice.contains(row)).collect();
                if both.is_empty() { (policy, "policy number") } else { (both, "policy number") }
            }
            (Some(policy), None) => (policy, "policy number"),
            (None, Some(invoice)) => (invoice, "invoice number"),
            (None, None) => (Vec::new(), ""),
        }
    }

    fn named(&self, session: &ReviewSession, row: u32, file: &str, code: &str, reason: &str) -> Target {
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
        Target { row, policy_number, code, reason: reason.to_owned() }
    }
}
