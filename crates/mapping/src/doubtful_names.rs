//! Names of columns that don't say enough: what a person has to know before one is taken.

use bordereau_tables::normalize_header;

use crate::field::{Field, ValueKind};
use crate::synonyms::{UNIT_WORDS, is_rate, named, other_unit, premium_with_charges, split_words, write_out};

/// Names that don't say enough, with the field they may be and what a person has to know.
const DOUBTFUL_NAMES: [(&[&str], Option<Field>, &str); 11] = [
    (
        &["amount", "gross", "gross amount", "transaction amount"],
        Some(Field::Premium),
        "It is the premium where taxes and fees are in columns of their own.",
    ),
    (
        &[
            "pro rata premium",
            "prorata premium",
            "prorated premium",
            "pro rated premium",
            "endorsement premium",
            "gross premium paid this time",
            "premium change",
            "premium chg",
            "premium difference",
            "change in premium",
            "difference in premium",
            "ap rp",
            "a p r p",
            "ap rp premium",
            "premium ap rp",
        ],
        Some(Field::Premium),
        "It is the transaction's premium where another column has the policy's.",
    ),
    (
        &[
            "deposit premium",
            "final premium",
            "m d premium",
            "min dep premium",
            "minimum and deposit premium",
            "minimum deposit premium",
        ],
        Some(Field::Premium),
        "It is the premium where it is what this transaction charges.",
    ),
    (
        &["annual premium", "annualized premium"],
        None,
        "It is the premium of a whole year. Match it to Premium where it is the transaction's.",
    ),
    (
        &[
            "cancel date",
            "cancel effective date",
            "cancellation date",
            "cancellation effective date",
            "canceled date",
        ],
        Some(Field::TransactionEffectiveDate),
        "It is the transaction's date in rows of cancellations.",
    ),
    (
        &[
            "mod",
            "policy mod",
            "policy module",
            "policy prefix",
            "policy suffix",
            "policy symbol",
            "policy sym",
            "prefix",
            "suffix",
            "symbol",
        ],
        None,
        "It may be a part of the policy number. Merge the two columns where it is.",
    ),
    (
        &["termination date"],
        Some(Field::PolicyExpirationDate),
        "It is the expiration date where the policy wasn't canceled before.",
    ),
    (
        &["credit", "credits", "debit", "debits"],
        None,
        "Merge debits and credits into Premium where they are the premium's.",
    ),
    (
        &[
            "additional fees",
            "misc charges",
            "misc fee",
            "misc fees",
            "miscellaneous charges",
            "miscellaneous fees",
            "non premium",
            "nonpremium",
            "nontaxable fees",
            "non taxable fees",
            "other charges",
            "other fees",
            "taxable fees",
        ],
        Some(Field::AgencyFee),
        "Its name doesn't say whose fees these are, the agency's or the insurer's.",
    ),
    (
        &["taxable premium", "premium subject to tax", "premium subject to taxes"],
        Some(Field::Premium),
        "It is the premium where all of it is taxable, and fees are in columns of their own.",
    ),
    (
        &["naics", "naics code", "naics number", "naics no"],
        None,
        "It is the insured's industry, and not the insurer's NAIC number.",
    ),
];

/// The field that a header may be, and what a person has to know.
pub fn doubtful_field(header: &str) -> Option<(Option<Field>, &'static str)> {
    let normal = normalize_header(&split_words(header));
    let rest: Vec<&str> = normal.split(' ').filter(|word| *word != "net").collect();
    if rest.len() < normal.split(' ').count() && named(&rest.join(" ")) == Some(Field::Premium) {
        let reason = "A net premium is usually without the commission, and taxes are on the whole premium.";
        return Some((Some(Field::Premium), reason));
    }
    if has_taxes_and_fees(&normal) {
        let reason =
            "It has taxes and fees in one amount. Leave it out where other columns have each of them.";
        return Some((None, reason));
    }
    let words = || normal.split(' ');
    if let Some(unit) = other_unit(&normal) {
        let says_unit = |word: &&str| *word == "in" || UNIT_WORDS.iter().any(|(known, _)| known == word);
        let rest: Vec<&str> = words().filter(|word| !says_unit(word)).collect();
        let is_amount = named(&rest.join(" ")).is_some_and(|field| field.kind() == ValueKind::Amount);
        let reason = match unit {
            "cents" => "Its amounts are in cents. Write dollars in the file, and import it again.",
            _ => "Its amounts are in thousands. Write them out in the file, and import it again.",
        };
        return is_amount.then_some((None, reason));
    }
    if premium_with_charges(&normal).is_some() {
        let reason =
            "It has premium and fees in one amount. Leave it out where other columns have each of them.";
        return Some((None, reason));
    }
    if words().any(|word| word == "share") && words().any(|word| matches!(word, "gwp" | "prem" | "premium")) {
        let reason = "It is the premium of one share. Match it to Premium where that is what is filed.";
        return Some((None, reason)).filter(|_| !is_rate(header));
    }
    let written_out = write_out(&normal);
    let mut known = DOUBTFUL_NAMES.iter();
    let (_, field, reason) = known.find(|(names, ..)| names.contains(&written_out.as_str()))?;
    Some((*field, reason))
}

/// `SL Taxes & Fees`: both, and nothing that says which.
fn has_taxes_and_fees(normal: &str) -> bool {
    let is_tax = |word: &str| matches!(word, "tax" | "taxes");
    let is_fee = |word: &str| matches!(word, "fee" | "fees" | "stamp" | "stamping");
    let says_nothing = |word: &str| {
        matches!(
            word,
            "all" | "and" | "line" | "lines" | "or" | "other" | "sl" | "state" | "surplus" | "total"
        )
    };
    let words = || normal.split(' ');
    words().any(is_tax)
        && words().any(is_fee)
        && words().all(|word| is_tax(word) || is_fee(word) || says_nothing(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_name_does_not_say_is_told() {
        for (header, field, reason) in [
            ("Premium ($000)", None, "in thousands"),
            ("Total in Thousands", None, "in thousands"),
            ("PREM_CENTS", None, "in cents"),
            ("Pol Sym", None, "part of the policy number"),
            ("Premium incl. Fees", None, "premium and fees in one amount"),
            ("Our Share Premium", None, "one share"),
            ("GWP Our Share", None, "one share"),
            ("Min & Dep Premium", Some(Field::Premium), "this transaction charges"),
            ("Premium AP/RP", Some(Field::Premium), "another column has the policy's"),
            ("Premium Subject to Tax", Some(Field::Premium), "all of it is taxable"),
        ] {
            let found = doubtful_field(header).unwrap_or_else(|| panic!("{header}"));
            assert!(found.0 == field && found.1.contains(reason), "{header}: {found:?}");
        }
        for header in ["Our Share %", "Rows 000", "Market Share"] {
            assert_eq!(doubtful_field(header), None, "{header}");
        }
    }
}
