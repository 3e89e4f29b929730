//! The words that find a transaction, and typed text as a query of the index.
//!
//! Both are tokenized in the same way: `POL-2026-001` is stored as `pol`, `2026`, `001` and joined from each part on
//! (`pol2026001`, `2026001`), so that it is found with, without and in the middle of its punctuation. An amount
//! is stored as dollars and cents after a character that nobody types.

use std::str::FromStr;

use bordereau_contract::{Charge, Jurisdiction, TransactionRecord, TransactionType};
use bordereau_money::Usd;
use chrono::NaiveDate;

/// Comes before an amount; a letter, so that the tokenizer keeps it with the digits.
const AMOUNT: char = '\u{0298}';
/// Between dollars and cents.
const POINT: char = 'd';
/// Parts of one word that are joined, words of one record, words of a question.
const PARTS_MAX: usize = 8;
const WORDS_MAX: usize = 400;
const ASKED_MAX: usize = 20;
/// Characters of one word.
const WORD_MAX: usize = 64;

/// All words of a record, separated by blanks, its amounts among them and the `sums` that are shown of it; `status`
/// is what its status is called and means.
pub fn list_words(record: &TransactionRecord, status: &str, sums: [Usd; 3]) -> String {
    let mut words = WordList::default();
    words.push(&record.id.to_string());
    let texts = [
        &record.policy_number,
        &record.mailing_insured_name,
        &record.extra_invoice_number,
        &record.unique_id,
        &record.transaction_id_number,
        &record.sl_tax_invoice_id,
        &record.stamping_fee_invoice_id,
        &record.filed_under_license_name,
        &record.filed_under_license_number,
        &record.municipal_name,
        &record.municipal_category,
        &record.created_by,
        &record.physical_state,
        &record.transaction_type,
    ];
    texts.into_iter().flatten().for_each(|text| words.text(text));
    if let Some(state) = record.physical_state.as_deref().and_then(|code| Jurisdiction::from_str(code).ok()) {
        words.text(state.title());
    }
    if let Some(kind) =
        record.transaction_type.as_deref().and_then(|code| TransactionType::from_str(code).ok())
    {
        words.text(kind.title());
    }
    words.text(status);
    for document in &record.transaction_documents {
        words.text(&document.name);
        words.text(&document.code);
    }
    let dates = [
        &record.policy_effective_date,
        &record.transaction_effective_date,
        &record.policy_expiration_date,
        &record.date_filed,
        &record.date_ready_to_file,
        &record.sl_tax_paid_date,
        &record.stamping_fee_paid_date,
        &record.other_taxes_paid_date,
    ];
    dates.into_iter().flatten().for_each(|date| words.push(&joined(&parts(date))));
    let charges = Charge::ALL.into_iter().filter_map(|charge| record.charge(charge));
    record.premium.into_iter().chain(charges).chain(sums).for_each(|amount| words.amount(amount));
    words.0.join(" ")
}

#[derive(Default)]
struct WordList(Vec<String>);

impl WordList {
    fn push(&mut self, word: &str) {
        let word: String = word.chars().take(WORD_MAX).collect();
        if !word.is_empty() && self.0.len() < WORDS_MAX && !self.0.contains(&word) {
            self.0.push(word);
        }
    }

    fn text(&mut self, text: &str) {
        for chunk in text.split(is_gap) {
            let parts = parts(chunk);
            parts.iter().for_each(|part| self.push(part));
            for first in 0..parts.len().saturating_sub(1) {
                self.push(&joined(&parts[first..]));
            }
        }
    }

    fn amount(&mut self, amount: Usd) {
        if !amount.is_zero() {
            let text = amount.abs().to_string();
            let (dollars, cents) = text.split_once('.').unwrap_or((&text, "00"));
            self.push(&format!("{AMOUNT}{dollars}{POINT}{cents}"));
        }
    }
}

/// The question of the index, or `None` where nothing was typed that could be found.
pub(super) fn match_query(typed: &str) -> Option<String> {
    let mut terms: Vec<String> = Vec::new();
    for chunk in typed.split_whitespace() {
        match (typed_date(chunk), typed_amount(chunk)) {
            (Some(date), _) => terms.push(begins(&date)),
            (None, Some(amount)) => {
                terms.push(format!("({} OR {})", begins(&joined(&parts(chunk))), begins(&amount)))
            }
            (None, None) => {
                let words = chunk.split(is_gap).map(|word| joined(&parts(word)));
                terms.extend(words.filter(|word| !word.is_empty()).map(|word| begins(&word)));
            }
        }
    }
    terms.truncate(ASKED_MAX);
    (!terms.is_empty()).then(|| terms.join(" AND "))
}

fn begins(word: &str) -> String {
    format!("\"{word}\"*")
}

fn is_gap(c: char) -> bool {
    c.is_whitespace() || matches!(c, ',' | ';')
}

/// Runs of letters and digits in small letters.
fn parts(chunk: &str) -> Vec<String> {
    let runs = chunk.split(|c: char| !c.is_alphanumeric()).filter(|run| !run.is_empty());
    runs.take(PARTS_MAX).map(str::to_lowercase).collect()
}

fn joined(parts: &[String]) -> String {
    parts.concat().chars().filter(|c| c.is_alphanumeric()).take(WORD_MAX).collect()
}

/// `02/23/2026` as the index has it.
fn typed_date(chunk: &str) -> Option<String> {
    let [month, day, year] = chunk.split('/').collect::<Vec<_>>()[..] else { return None };
    let number = |text: &str| text.parse::<u32>().ok();
    let date = NaiveDate::from_ymd_opt(
        year.parse().ok().filter(|_| year.len() == 4)?,
        number(month)?,
        number(day)?,
    )?;
    Some(date.format("%Y%m%d").to_string())
}

/// `$1,250.5` as the beginning of an amount in the index.
fn typed_amount(chunk: &str) -> Option<String> {
    let digits = chunk.trim_start_matches(['(', '-', '+', '$']).trim_end_matches(')');
    let is_amount = digits.starts_with(|c: char| c.is_ascii_digit())
        && digits.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | ','))
        && digits.matches('.').count() <= 1;
    if !is_amount {
        return None;
    }
    let digits = digits.replace(',', "");
    let (dollars, cents) = digits.split_once('.').unwrap_or((&digits, ""));
    let dollars = dollars.trim_start_matches('0');
    let dollars = if dollars.is_empty() { "0" } else { dollars };
    Some(format!("{AMOUNT}{dollars}{POINT}{cents}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typed_words_become_questions() {
        let cases = [
            ("", None),
            ("  -- ", None),
            ("Harbor din", Some("\"harbor\"* AND \"din\"*")),
            ("POL-2026-001", Some("\"pol2026001\"*")),
            ("Diner,LLC", Some("\"diner\"* AND \"llc\"*")),
            ("$1,250.5", Some("(\"12505\"* OR \"\u{298}1250d5\"*)")),
            ("1250", Some("(\"1250\"* OR \"\u{298}1250d\"*)")),
            ("2/23/2026", Some("\"20260223\"*")),
            ("a\" OR b", Some("\"a\"* AND \"or\"* AND \"b\"*")),
        ];
        for (typed, expected) in cases {
            assert_eq!(match_query(typed).as_deref(), expected, "{typed}");
        }
    }
}
