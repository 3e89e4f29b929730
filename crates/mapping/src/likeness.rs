//! What a word that is no code may mean: the trade's abbreviations first, then a likeness to a name. It is proposed with
//! the reason; a person takes it.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use bordereau_contract::TransactionType;
use bordereau_tax::LinesTable;
use strsim::osa_distance;

use crate::field::{Field, ValueKind};
use crate::words::{WordMeaning, find_meaning, titles_of};

/// Longer texts are no names.
pub(crate) const NAME_CHARS_MAX: usize = 60;
/// Shorter texts are like too many names.
const CHARS_MIN: usize = 4;
/// Of so many letters one may be wrong.
const LETTERS_PER_MISTAKE: usize = 4;

/// How many letters of a misspelled name may be wrong.
pub(crate) const fn mistakes_allowed(letters: usize) -> usize {
    letters / LETTERS_PER_MISTAKE
}

/// A code that a word may stand for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeProposal {
    /// The code.
    pub code: String,
    /// Why, as a sentence.
    pub reason: String,
}

/// Where the words of yes and no are.
const FLAG_WORDS: &str = "flag";
/// Where the forms are in which words of transactions are cut, or inflected.
const TRANSACTION_FORMS: &str = "transaction_form";

fn abbreviations() -> &'static BTreeMap<String, BTreeMap<String, String>> {
    static TABLE: OnceLock<BTreeMap<String, BTreeMap<String, String>>> = OnceLock::new();
    TABLE.get_or_init(|| {
        toml::from_str(include_str!("../data/likeness.toml")).expect("the abbreviations are tested")
    })
}

/// The words of a field; every yes or no is written alike.
fn words_for(field: Field) -> Option<&'static BTreeMap<String, String>> {
    abbreviations().get(match field {
        Field::MailingState => Field::PhysicalState.name(),
        _ if field.kind() == ValueKind::Flag => FLAG_WORDS,
        _ => field.name(),
    })
}

/// The trade's abbreviations of a code, in lower case without marks; `&` is `and`.
#[must_use]
pub fn trade_words_of(field: Field, code: &str) -> Vec<String> {
    let words = words_for(field).into_iter().flatten();
    words.filter(|(_, meant)| *meant == code).map(|(word, _)| word.clone()).collect()
}

/// What a word of a field may mean; nothing where two codes are as near.
#[must_use]
pub fn propose_code(field: Field, word: &str, lines: &LinesTable) -> Option<CodeProposal> {
    let plain = fold(word);
    if plain.is_empty() || plain.chars().count() > NAME_CHARS_MAX {
        return None;
    }
    let names = code_names(field, lines);
    if matches!(field, Field::PhysicalState | Field::MailingState)
        && let Some((code, title)) = names.iter().find(|(code, title)| is_state_with_more(word, code, title))
    {
        let reason = format!("\"{}\" is {title}.", word.trim());
        return Some(CodeProposal { code: code.clone(), reason });
    }
    let title_of =
        |code: &str| names.iter().find(|(known, _)| known == code).map(|(_, title)| title.as_str());
    // "HO-3" and "D/O" are "ho3" and "do".
    if let Some(code) = code_of_words(field, &plain).or_else(|| code_of_words(field, &plain.replace(' ', "")))
        && let Some(title) = title_of(code)
    {
        let reason = format!("\"{}\" usually means {title}.", word.trim());
        return Some(CodeProposal { code: code.to_owned(), reason });
    }
    // `NEW_BUSINESS` is "new business".
    if let WordMeaning::Code(code) | WordMeaning::StandsFor(code) = find_meaning(field, &plain)
        && let Some(title) = title_of(code)
    {
        let reason = format!("\"{}\" means {title}.", word.trim());
        return Some(CodeProposal { code: code.to_owned(), reason });
    }
    let like = |is_like: fn(&str, &str) -> bool| {
        let mut near =
            names.iter().filter(|(_, title)| forms(title).iter().any(|form| is_like(&plain, form)));
        match (near.next(), near.next()) {
            (Some(only), None) => Some(only),
            (Some(one), Some(other)) if one.0 == other.0 => Some(one),
            _ => None,
        }
    };
    let Some((code, title)) = like(is_misspelled).or_else(|| like(is_shortened)) else {
        return propose_for_beginning(field, word, lines);
    };
    Some(CodeProposal { code: code.clone(), reason: format!("\"{}\" looks like {title}.", word.trim()) })
}

/// What `General Liability` means in `General Liability - Premises`, and `New business` in `New business (bound)`. The rest
/// may say more, or something else.
fn propose_for_beginning(field: Field, word: &str, lines: &LinesTable) -> Option<CodeProposal> {
    if !matches!(field, Field::LineOfBusiness | Field::TransactionType) {
        return None;
    }
    let beginning = [" - ", " – ", "(", ":", "/"].iter().filter_map(|mark| word.find(mark)).min()?;
    let (beginning, rest) = word.split_at_checked(beginning)?;
    let (beginning, rest) = (beginning.trim(), rest.trim_matches([' ', '-', '–', '(', ')', ':', '/']));
    // One letter of "A/P" says nothing.
    if beginning.chars().count() < 2 {
        return None;
    }
    let first = propose_title(field, beginning).or_else(|| propose_code(field, beginning, lines))?;
    let Some(second) = propose_code(field, rest, lines) else { return Some(first) };
    match (TransactionType::from_name(&first.code), TransactionType::from_name(&second.code)) {
        _ if first.code == second.code => Some(first),
        // "Endorsement" says what is done, and "return premium" which one it is.
        (
            Some(TransactionType::AdditionalPremium),
            Some(TransactionType::ReturnPremium | TransactionType::ZeroPremium),
        ) => Some(second),
        (Some(_), Some(TransactionType::Binder)) => Some(first),
        // "GL/Property" is two lines, and nobody knows what each has of the premium; "Cancel/Rewrite" is two
        // transactions.
        _ => None,
    }
}

/// What a code or its own words mean, as written.
fn propose_title(field: Field, word: &str) -> Option<CodeProposal> {
    let (WordMeaning::Code(code) | WordMeaning::StandsFor(code)) = find_meaning(field, word) else {
        return None;
    };
    let title = titles_of(field).into_iter().find(|(known, _)| known == code)?.1;
    Some(CodeProposal { code: code.to_owned(), reason: format!("\"{word}\" means {title}.") })
}

/// `US-TX`, `Texas (TX)`, `TX - Texas`: the code, and nothing but the country or the state's name beside it.
fn is_state_with_more(word: &str, code: &str, title: &str) -> bool {
    let rest = fold(word).replacen(&fold(title), " ", 1);
    let mut rest: Vec<&str> = rest.split(' ').filter(|part| !matches!(*part, "" | "us" | "usa")).collect();
    rest.dedup();
    matches!(rest.as_slice(), [only] if only.eq_ignore_ascii_case(code))
}

/// Codes of a field with each name they have.
fn code_names(field: Field, lines: &LinesTable) -> Vec<(String, String)> {
    if field == Field::LineOfBusiness {
        return lines.iter().map(|line| (line.code.to_string(), line.name.to_string())).collect();
    }
    titles_of(field)
}

/// Whether a word is a usual one for a code of the field.
pub fn is_trade_word(field: Field, word: &str) -> bool {
    trade_code(field, word).is_some()
}

/// The code that the trade has a word for.
pub fn trade_code(field: Field, word: &str) -> Option<&'static str> {
    code_of_words(field, &fold(word))
}

/// The code of words in lower case without marks.
fn code_of_words(field: Field, folded: &str) -> Option<&'static str> {
    let written = words_for(field)?.get(folded).map(String::as_str);
    if field != Field::TransactionType || written.is_some() {
        return written;
    }
    let whole = write_out(folded);
    // "Ret prem" is "return premium", which is a word of the type's own.
    let meant = match find_meaning(field, &whole) {
        WordMeaning::Code(code) | WordMeaning::StandsFor(code) if whole != folded => Some(code),
        _ => None,
    };
    meant.or_else(|| transaction_words().get(&sort_words(&whole)).copied().flatten())
}

/// The words of the trade for transactions, whole and in no order: "Cxl - flat" is "cancel flat".
fn transaction_words() -> &'static BTreeMap<String, Option<&'static str>> {
    static WORDS: OnceLock<BTreeMap<String, Option<&'static str>>> = OnceLock::new();
    WORDS.get_or_init(|| {
        let mut words: BTreeMap<String, Option<&'static str>> = BTreeMap::new();
        for (word, code) in words_for(Field::TransactionType).into_iter().flatten() {
            let of_it = words.entry(sort_words(&write_out(word))).or_insert(Some(code));
            *of_it = of_it.filter(|known| known == code);
        }
        words
    })
}

/// The words of a transaction, none of them cut or inflected.
fn write_out(folded: &str) -> String {
    let forms = abbreviations().get(TRANSACTION_FORMS);
    let whole = |word| forms.and_then(|forms| forms.get(word)).map_or(word, String::as_str);
    folded.split(' ').map(whole).collect::<Vec<_>>().join(" ")
}

fn sort_words(text: &str) -> String {
    let mut words: Vec<&str> = text.split(' ').collect();
    words.sort_unstable();
    words.join(" ")
}

/// The line of business of a word: one that the trade has for it, or the title of only one line.
pub fn line_named(word: &str) -> Option<String> {
    let titled = || titled_lines().get(&fold(word)).cloned().flatten();
    trade_code(Field::LineOfBusiness, word).map(str::to_owned).or_else(titled)
}

/// The built-in lines by the forms of their titles; of a form that two have, such as "flood", none.
fn titled_lines() -> &'static BTreeMap<String, Option<String>> {
    static LINES: OnceLock<BTreeMap<String, Option<String>>> = OnceLock::new();
    LINES.get_or_init(|| {
        let mut titled = BTreeMap::new();
        for line in LinesTable::builtin().iter() {
            for form in forms(&line.name) {
                let code = Some(line.code.to_string());
                titled.entry(form).and_modify(|other| *other = None).or_insert(code);
            }
        }
        titled
    })
}

/// Lower case words without marks; `&` is a word.
fn fold(text: &str) -> String {
    let spelled = text.to_lowercase().replace('&', " and ").replace(['\'', '’', '.'], "");
    let words = spelled.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join(" ")
}

/// A name as a whole, and without what is in brackets or behind a comma.
fn forms(title: &str) -> Vec<String> {
    let short = title.split(['(', ',', ':']).next().unwrap_or(title);
    let mut forms = vec![fold(title), fold(short)];
    forms.dedup();
    forms
}

/// Few letters are wrong, and no word is another one, or one more: "property - wind" is no way to write "property (fire)".
fn is_misspelled(word: &str, name: &str) -> bool {
    let letters = word.chars().count();
    if letters < CHARS_MIN || osa_distance(word, name) > mistakes_allowed(letters) {
        return false;
    }
    if word.split(' ').count() != name.split(' ').count() {
        return osa_distance(&word.replace(' ', ""), &name.replace(' ', "")) <= 1;
    }
    let allowed = |word: &str| mistakes_allowed(word.chars().count()).max(1);
    word.split(' ').zip(name.split(' ')).all(|(one, other)| osa_distance(one, other) <= allowed(one))
}

/// Each word of the text begins a word of the name, in its order, the first the first: `prof liab`.
fn is_shortened(word: &str, name: &str) -> bool {
    let mut rest = name.split(' ');
    let mut is_first = true;
    word.len() >= CHARS_MIN
        && word.split(' ').all(|part| {
            let found = if is_first {
                rest.next().is_some_and(|name| name.starts_with(part))
            } else {
                rest.any(|name| name.starts_with(part))
            };
            is_first = false;
            found && part.len() > 1
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_the_trade_are_proposed_with_their_reason() {
        let lines = LinesTable::builtin();
        let line = Field::LineOfBusiness;
        for (field, word, code, reason) in [
            (line, "PKG", "GEN-1004", "usually means Commercial multi-peril package."),
            (line, "PROF", "GEN-1006", "usually means Professional liability"),
            (line, "D&O", "GEN-1013", "usually means Directors and officers liability."),
            (line, "E & O", "GEN-1006", "usually means Professional liability"),
            (line, "CGL", "GEN-1002", "usually means Commercial general liability."),
            (line, "BOP", "GEN-1004", "usually means Commercial multi-peril package."),
            (line, "Comercial general liabilty", "GEN-1002", "looks like Commercial general liability."),
            (line, "Medical malpratice", "GEN-1011", "looks like Medical malpractice."),
            (line, "Comm Gen Liab", "GEN-1002", "looks like Commercial general liability."),
            (line, "Kidnap", "GEN-2022", "looks like Kidnap and ransom."),
            (Field::TransactionType, "Endorsement", "APE", "usually means Additional premium endorsement."),
            (line, "Commercial Auto", "GEN-1026", "usually means Commercial auto liability."),
            (Field::TransactionType, "Cancel", "PC", "usually means Pro rata cancellation."),
            (Field::TransactionType, "RN", "PR", "usually means Renewal."),
            (Field::TransactionType, "Renewl", "PR", "looks like Renewal."),
            (Field::TransactionType, "NEW_BUSINESS", "PN", "means New policy."),
            (Field::PhysicalState, "NEW_YORK", "NY", "means New York."),
            (Field::PhysicalState, "Texs", "TX", "looks like Texas."),
            (Field::TransactionType, "Cxl PR", "PC", "usually means Pro rata cancellation."),
            (Field::TransactionType, "Short-rate cancellation", "PC", "usually means Pro rata cancellation."),
            (Field::TransactionType, "Canceled - Flat", "FC", "usually means Flat cancellation."),
            (Field::TransactionType, "RP Endt", "RPE", "usually means Return premium endorsement."),
            (Field::TransactionType, "Addl Prem", "APE", "usually means Additional premium endorsement."),
            (Field::TransactionType, "Non-Prem Endt", "ZPE", "usually means Zero premium endorsement."),
            (Field::TransactionType, "Ret Prem", "RPE", "usually means Return premium endorsement."),
            (line, "General Liability - Premises", "GEN-1002", "usually means Commercial general liability."),
            (line, "Inland Marine/Miscellaneous", "GEN-1007", "looks like Inland marine"),
            (Field::TransactionType, "New Business (bound)", "PN", "means New policy."),
            (
                Field::TransactionType,
                "Endorsement: AP",
                "APE",
                "usually means Additional premium endorsement.",
            ),
            (line, "HO-3", "GEN-1005", "usually means Homeowners."),
            (line, "Gen. Liab.", "GEN-1002", "usually means Commercial general liability."),
            (Field::TransactionType, "A/P", "APE", "usually means Additional premium endorsement."),
            (Field::TransactionType, "R/P", "RPE", "usually means Return premium endorsement."),
            (Field::PhysicalState, "Tex.", "TX", "usually means Texas."),
            (Field::MailingState, "Fla.", "FL", "usually means Florida."),
            (Field::TransactionType, "FLAT CX", "FC", "usually means Flat cancellation."),
            (Field::PhysicalState, "US-TX", "TX", "is Texas."),
            (Field::MailingState, "West Virginia (WV)", "WV", "is West Virginia."),
            (Field::PhysicalState, "NY - New York, USA", "NY", "is New York."),
            (Field::InsuredEntity, "LLC", "commercial", "usually means Commercial."),
            (Field::InsuredEntity, "Tribe", "tribal", "usually means Tribal."),
            (
                Field::AgencyFeeChargedBy,
                "Wholesaler",
                "surplus_lines_licensee",
                "usually means Surplus lines",
            ),
            (Field::Occupancy, "Condo", "condominium", "usually means Condominium."),
            (Field::LayeredRisk, "X", "1", "usually means Yes."),
            (Field::Exempt, "N/A", "0", "usually means No."),
            (Field::PolicyType, "Std", "standard", "usually means Standard."),
        ] {
            let found = propose_code(field, word, &lines).unwrap_or_else(|| panic!("{word}"));
            assert_eq!(found.code, code, "{word}");
            let beginning = word.split([':', '(', '/']).next().and_then(|word| word.split(" - ").next());
            let is_named =
                found.reason.contains(word) || found.reason.contains(beginning.unwrap_or(word).trim());
            assert!(found.reason.contains(reason) && is_named, "{}", found.reason);
        }
        // What may be several, or nothing that is known.
        for (field, word) in [
            (line, "Commercial"),
            (line, "Liab"),
            (line, "Spaceships"),
            (line, "-"),
            (line, "Flood"),
            (line, "Inland Marine/Builders Risk"),
            (line, "GL/Property"),
            (line, "Commercial Property - Wind"),
            (Field::TransactionType, "Cancel/Rewrite"),
            (Field::TransactionType, "New/Renewal"),
            (Field::TransactionType, "E/O"),
            (Field::LayeredRisk, "maybe"),
            (Field::PhysicalState, "Carolina"),
            (Field::PhysicalState, "TX and OK"),
            (Field::PhysicalState, "Texas (OK)"),
            (Field::TransactionType, "XYZ"),
        ] {
            assert_eq!(propose_code(field, word, &lines), None, "{word}");
        }
    }

    #[test]
    fn what_stands_behind_a_word_says_which_one_it_is() {
        let lines = LinesTable::builtin();
        for (field, word, code) in [
            (Field::TransactionType, "Endorsement - Return Premium", "RPE"),
            (Field::TransactionType, "Endorsement (Return)", "RPE"),
            (Field::TransactionType, "Endorsement - RP", "RPE"),
            (Field::TransactionType, "Endorsement - No Premium Change", "ZPE"),
            (Field::TransactionType, "Endorsement - Additional Premium", "APE"),
            (Field::TransactionType, "Endorsement - Add a location", "APE"),
            (Field::TransactionType, "Cancellation - Short Rate", "PC"),
            (Field::TransactionType, "Audit - Return", "ARE"),
            (Field::LineOfBusiness, "Package - CPP", "GEN-1004"),
        ] {
            let found = propose_code(field, word, &lines).unwrap_or_else(|| panic!("{word}"));
            assert_eq!(found.code, code, "{word}");
        }
    }

    #[test]
    fn every_abbreviation_is_of_a_field_and_a_code() {
        let lines = LinesTable::builtin();
        for (name, words) in abbreviations().iter().filter(|(name, _)| *name != TRANSACTION_FORMS) {
            let field = if name == FLAG_WORDS { Some(Field::Exempt) } else { Field::by_name(name) };
            let field = field.unwrap_or_else(|| panic!("{name}"));
            let names = code_names(field, &lines);
            for (word, code) in words {
                assert_eq!(fold(word), *word, "{name}");
                assert!(names.iter().any(|(known, _)| known == code), "{name}: {word} = {code}");
                // A word with a meaning of its own would never be proposed.
                assert_eq!(find_meaning(field, word), WordMeaning::Unknown, "{name}: {word}");
            }
        }
    }
}
