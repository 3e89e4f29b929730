//! What a file belongs to, by the policy or invoice number in its name.

use std::collections::HashMap;

use bordereau_contract::plain;

/// Shorter numbers are in every file name.
const NUMBER_MIN: usize = 3;
/// Words of a file name that may be one number together, such as `ESX-22-0481`.
const WORDS_MAX: usize = 6;

/// What may be a number in a file name, normalized, the longest first.
pub fn list_number_candidates(file: &str) -> Vec<String> {
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    let words: Vec<String> = stem
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    let mut candidates: Vec<String> = Vec::new();
    for begin in 0..words.len() {
        for end in begin + 1..=words.len().min(begin + WORDS_MAX) {
            candidates.push(words[begin..end].concat());
        }
    }
    candidates.retain(|candidate| candidate.len() >= NUMBER_MIN);
    candidates.sort_by_key(|candidate| std::cmp::Reverse(candidate.len()));
    candidates
}

/// Policy and invoice numbers with what has them.
pub struct KnownNumbers<T> {
    policies: HashMap<String, Vec<T>>,
    invoices: HashMap<String, Vec<T>>,
}

impl<T> Default for KnownNumbers<T> {
    fn default() -> Self {
        KnownNumbers { policies: HashMap::new(), invoices: HashMap::new() }
    }
}

impl<T: Copy + PartialEq> KnownNumbers<T> {
    /// Adds what has these two numbers; one that is too short isn't searched for.
    pub fn add(&mut self, policy: &str, invoice: &str, owner: T) {
        for (number, known) in [(policy, &mut self.policies), (invoice, &mut self.invoices)] {
            let number = plain(number);
            if number.len() >= NUMBER_MIN {
                known.entry(number).or_default().push(owner);
            }
        }
    }

    /// What has these numbers; one of the two may be empty.
    pub fn find_by_numbers(&self, policy: &str, invoice: &str) -> Vec<T> {
        let find = |known: &HashMap<String, Vec<T>>, number: &str| {
            known.get(&plain(number)).cloned().unwrap_or_default()
        };
        match (policy, invoice) {
            ("", invoice) => find(&self.invoices, invoice),
            (policy, "") => find(&self.policies, policy),
            (policy, invoice) => {
                let of_invoice = find(&self.invoices, invoice);
                find(&self.policies, policy).into_iter().filter(|owner| of_invoice.contains(owner)).collect()
            }
        }
    }

    /// What a file's name names, and by which number. The longest number in the name counts; policy and invoice number
    /// together decide among several.
    pub fn find_by_name(&self, file: &str) -> (Vec<T>, &'static str) {
        let candidates = list_number_candidates(file);
        let first =
            |known: &HashMap<String, Vec<T>>| candidates.iter().find_map(|number| known.get(number).cloned());
        match (first(&self.policies), first(&self.invoices)) {
            (Some(policy), Some(invoice)) => {
                let both: Vec<T> = policy.iter().copied().filter(|owner| invoice.contains(owner)).collect();
                if both.is_empty() { (policy, "policy number") } else { (both, "policy number") }
            }
            (Some(policy), None) => (policy, "policy number"),
            (None, Some(invoice)) => (invoice, "invoice number"),
            (None, None) => (Vec::new(), ""),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_in_a_file_name_decide() {
        let mut known = KnownNumbers::default();
        for (policy, invoice, owner) in [
            ("0000002", "INV00002", 2),
            ("0000003", "INV00003", 3),
            ("ESX-22-0481", "A-101", 4),
            ("ESX 22 0481", "A-102", 5),
            ("12", "", 6),
        ] {
            known.add(policy, invoice, owner);
        }
        let cases: [(&str, &[i32], &str); 9] = [
            ("0000002 policy.pdf", &[2], "policy number"),
            ("INV00003 Binder.pdf", &[3], "invoice number"),
            ("inv-00003_binder.pdf", &[3], "invoice number"),
            ("ESX220481.pdf", &[4, 5], "policy number"),
            ("esx.22.0481 A 102.pdf", &[5], "policy number"),
            ("0000002 INV00003.pdf", &[2], "policy number"),
            ("12.pdf", &[], ""),
            ("Acme Roofing affidavit.pdf", &[], ""),
            ("scan001.pdf", &[], ""),
        ];
        for (file, owners, reason) in cases {
            assert_eq!(known.find_by_name(file), (owners.to_vec(), reason), "{file}");
        }
        assert_eq!(known.find_by_numbers("esx220481", "a102"), [5]);
        assert_eq!(known.find_by_numbers("", "inv 00002"), [2]);
    }
}
