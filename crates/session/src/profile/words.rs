//! The meanings of a service's own words: from the profile's table, else only where there is no doubt.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use bordereau_api::{Environment, FieldError, Profile, ServiceWord, WordKind};
use bordereau_contract::{
    BatchStatus, EventKind, ImportResult, ResultStatus, ServiceStatus, TransactionStatus,
};

/// Words of one profile.
const WORDS_MAX: usize = 200;
/// Characters of a word or of its meaning.
const CHARS_MAX: usize = 80;

/// The words of a profile's service. Cheap to clone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ServiceWords {
    /// Only the practice service's numbers are known without a table (contract, section 3).
    is_practice: bool,
    table: Arc<[ServiceWord]>,
}

impl ServiceWords {
    /// The words of a profile.
    pub fn from_profile(profile: &Profile) -> ServiceWords {
        ServiceWords {
            is_practice: profile.environment == Environment::Practice,
            table: profile.words.clone().into(),
        }
    }

    fn meaning(&self, kind: WordKind, word: &str) -> Option<&str> {
        let is_it = |entry: &&ServiceWord| entry.kind == kind && entry.word.eq_ignore_ascii_case(word.trim());
        self.table.iter().find(is_it).map(|entry| entry.meaning.as_str())
    }

    /// The meaning of a transaction status, if the table or the practice service defines it.
    pub fn transaction_status(&self, status: &ServiceStatus) -> Option<TransactionStatus> {
        match (self.meaning(WordKind::Transaction, &status.to_string()), status) {
            (Some(meaning), _) => status_of(meaning),
            (None, ServiceStatus::Number(number)) if self.is_practice => {
                TransactionStatus::from_number(*number)
            }
            _ => None,
        }
    }

    /// The same as a text.
    #[must_use]
    pub fn status_meaning(&self, status: &ServiceStatus) -> Option<&str> {
        let own = self.meaning(WordKind::Transaction, &status.to_string());
        let title = |status: TransactionStatus| status.title();
        own.map(|meaning| status_of(meaning).map_or(meaning, title))
            .or_else(|| self.transaction_status(status).map(title))
    }

    /// A transaction status for display: its meaning from the table, else as received. A guess would be worse.
    pub fn status_title(&self, status: &ServiceStatus) -> String {
        match (self.status_meaning(status), status) {
            (_, ServiceStatus::NotTold) => "Not given".to_owned(),
            (Some(meaning), _) => meaning.to_owned(),
            (None, ServiceStatus::Word(word)) => word.clone(),
            (None, ServiceStatus::Number(number)) => format!("Status {number}"),
        }
    }

    /// A number that identifies the table of statuses; 0 without one.
    #[must_use]
    pub fn status_table(&self) -> i32 {
        let mut hasher = DefaultHasher::new();
        let mut entries = self.table.iter().filter(|entry| entry.kind == WordKind::Transaction).peekable();
        if entries.peek().is_none() {
            return 0;
        }
        entries.for_each(|entry| (&entry.word, &entry.meaning).hash(&mut hasher));
        i32::try_from(hasher.finish() >> 33).unwrap_or_default().max(1)
    }

    /// The final status of a row; `None` for an unknown word: the row waits.
    pub fn result_status(&self, status: &ServiceStatus) -> Option<ResultStatus> {
        match self.meaning(WordKind::Row, &status.to_string()) {
            Some("success") => Some(ResultStatus::Success),
            Some("saved") => Some(ResultStatus::SavedIncomplete),
            Some(_) => Some(ResultStatus::Failed),
            None => ResultStatus::of(status),
        }
    }

    /// The same of a result of a batch that has ended: a flag says it where there is no status.
    pub fn ended_status(&self, result: &ImportResult) -> Option<ResultStatus> {
        self.result_status(&result.status).or(result.is_plain_failure().then_some(ResultStatus::Failed))
    }

    /// The state of a batch.
    pub fn batch_status(&self, status: &BatchStatus) -> BatchStatus {
        let word: &str = match status {
            BatchStatus::Unknown(word) => word,
            BatchStatus::Queued => "queued",
            BatchStatus::Processing => "processing",
            BatchStatus::Processed => "processed",
            BatchStatus::Failed => "failed",
        };
        self.meaning(WordKind::Batch, word).map_or_else(|| status.clone(), BatchStatus::of)
    }

    /// The kind of an event whose name isn't in the contract.
    pub fn event_kind(&self, name: &str) -> Option<EventKind> {
        self.meaning(WordKind::Event, name).and_then(EventKind::from_identifier)
    }
}

/// The status that a meaning names, by its title or first word.
fn status_of(meaning: &str) -> Option<TransactionStatus> {
    TransactionStatus::ALL.into_iter().find(|status| {
        let title = status.title();
        let short = title.split_once(" (").map_or(title, |(short, _)| short);
        [title, short].iter().any(|name| name.eq_ignore_ascii_case(meaning))
    })
}

/// Faults of a profile's table.
pub(super) fn word_faults(words: &[ServiceWord]) -> Vec<FieldError> {
    let fault = |at: usize, message: String| FieldError::at_pointer(format!("/words/{at}"), message);
    if words.len() > WORDS_MAX {
        return vec![fault(
            WORDS_MAX,
            format!("{} words are too many. At most {WORDS_MAX} are possible.", words.len()),
        )];
    }
    let mut faults = Vec::new();
    for (at, entry) in words.iter().enumerate() {
        let ServiceWord { kind, word, meaning } = entry;
        let same = |other: &ServiceWord| other.kind == *kind && other.word.eq_ignore_ascii_case(word);
        if word.is_empty() || meaning.is_empty() {
            faults.push(fault(
                at,
                "A word and its meaning belong together. Fill in both, or remove the line.".to_owned(),
            ));
        } else if [word, meaning]
            .iter()
            .any(|text| text.chars().count() > CHARS_MAX || text.chars().any(char::is_control))
        {
            faults.push(fault(
                at,
                format!("A word and its meaning have at most {CHARS_MAX} characters on one line."),
            ));
        } else if words[..at].iter().any(same) {
            faults.push(fault(at, format!("\"{word}\" is in the table twice. Remove one of the two.")));
        } else if !is_meaning(*kind, meaning) {
            faults.push(fault(
                at,
                format!("\"{meaning}\" isn't a meaning that is known here. {}", known_meanings(*kind)),
            ));
        }
    }
    faults
}

fn is_meaning(kind: WordKind, meaning: &str) -> bool {
    match kind {
        WordKind::Transaction => true,
        WordKind::Batch => ["queued", "processing", "processed", "failed"].contains(&meaning),
        WordKind::Row => ["success", "failed", "saved"].contains(&meaning),
        WordKind::Event => EventKind::from_identifier(meaning).is_some(),
    }
}

fn known_meanings(kind: WordKind) -> String {
    match kind {
        WordKind::Transaction => String::new(),
        WordKind::Batch => "A batch is queued, processing, processed or failed.".to_owned(),
        WordKind::Row => "A row is success, failed or saved.".to_owned(),
        WordKind::Event => {
            let known: Vec<&str> = EventKind::ALL.iter().map(|kind| kind.identifier()).collect();
            format!("An event is one of {}.", known.join(", "))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(kind: WordKind, word: &str, meaning: &str) -> ServiceWord {
        ServiceWord { kind, word: word.into(), meaning: meaning.into() }
    }

    fn words(is_practice: bool) -> ServiceWords {
        use WordKind::{Batch, Event, Row, Transaction};
        let environment = if is_practice { Environment::Practice } else { Environment::Sandbox };
        let words = vec![
            word(Transaction, "4", "filed"),
            word(Transaction, "Complete", "Sent to state"),
            word(Transaction, "7", "Withdrawn by us"),
            word(Batch, "Complete", "processed"),
            word(Row, "1", "success"),
            word(Row, "Accepted", "success"),
            word(Event, "policy.filed", "webhook.transaction.status.filed"),
        ];
        ServiceWords::from_profile(&Profile { environment, words, ..Profile::default() })
    }

    #[test]
    fn a_status_is_shown_by_the_table_or_as_it_came() {
        let none = ServiceWords::default();
        let practice = ServiceWords::from_profile(&crate::profile::new_practice_profile());
        let number = ServiceStatus::Number;
        let said = |text: &str| ServiceStatus::of(text);
        for (words, status, title, known) in [
            (&none, number(4), "Status 4", None),
            (&practice, number(4), "Filed", Some(TransactionStatus::Filed)),
            (&words(false), number(4), "Filed", Some(TransactionStatus::Filed)),
            (&words(false), said("4"), "Filed", Some(TransactionStatus::Filed)),
            (&words(false), said("COMPLETE"), "Sent to state", Some(TransactionStatus::SentToState)),
            (&words(false), number(7), "Withdrawn by us", None),
            (&words(false), said("In review"), "In review", None),
            (&words(false), number(9), "Status 9", None),
            (&practice, said("Filed"), "Filed", None),
            (&words(true), ServiceStatus::NotTold, "Not given", None),
        ] {
            assert_eq!(
                (words.status_title(&status).as_str(), words.transaction_status(&status)),
                (title, known)
            );
        }
    }

    #[test]
    fn the_table_comes_before_what_is_usual() {
        let (own, none) = (words(false), ServiceWords::default());
        let said = |text: &str| ServiceStatus::of(text);
        assert_eq!(own.result_status(&said("1")), Some(ResultStatus::Success));
        assert_eq!(none.result_status(&said("1")), Some(ResultStatus::Failed));
        assert_eq!(own.result_status(&said("accepted")), Some(ResultStatus::Success));
        assert_eq!(none.result_status(&said("accepted")), None, "it waits for a person");
        let unknown = BatchStatus::of("Complete");
        assert_eq!(own.batch_status(&unknown), BatchStatus::Processed);
        assert_eq!(none.batch_status(&unknown), unknown);
        assert_eq!(own.event_kind("policy.filed"), Some(EventKind::Filed));
        assert_eq!(none.event_kind("policy.filed"), None);
    }

    #[test]
    fn a_table_says_what_is_wrong_with_it() {
        use WordKind::{Batch, Event, Row, Transaction};
        for (entry, is_right) in [
            (word(Transaction, "4", "Filed"), true),
            (word(Transaction, "4", "whatever they say"), true),
            (word(Transaction, "", "Filed"), false),
            (word(Transaction, "4", ""), false),
            (word(Batch, "Complete", "processed"), true),
            (word(Batch, "Complete", "done"), false),
            (word(Row, "Accepted", "ok"), false),
            (word(Event, "filed", "webhook.filed"), false),
        ] {
            assert_eq!(word_faults(std::slice::from_ref(&entry)).is_empty(), is_right, "{entry:?}");
        }
        let twice = [word(Batch, "done", "processed"), word(Batch, "DONE", "failed")];
        assert_eq!(word_faults(&twice).len(), 1);
        assert_eq!(word_faults(&vec![word(Batch, "x", "failed"); 201]).len(), 1);
    }
}
