//! What a record is read with: the words of the profile's service, and the rules that say when it is due.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use bordereau_api::Profile;
use bordereau_calendar::Calendar;
use bordereau_rules::RuleSet;
use bordereau_session::Context;
use bordereau_session::profile::ServiceWords;

/// What a record is read with. Cheap to clone.
#[derive(Clone)]
pub(crate) struct RecordReading {
    pub(crate) words: ServiceWords,
    pub(crate) rules: Arc<RuleSet>,
}

impl RecordReading {
    /// For the records of a profile, now.
    pub(crate) fn for_profile(ctx: &Context, profile: &Profile) -> RecordReading {
        RecordReading { words: ServiceWords::from_profile(profile), rules: ctx.rules() }
    }

    /// Due dates.
    pub(crate) fn calendar(&self) -> &Calendar {
        self.rules.calendar()
    }

    /// Whether both read the same.
    pub(crate) fn is_like(&self, other: &RecordReading) -> bool {
        self.words == other.words && self.rules.version() == other.rules.version()
    }

    /// A number for what entries of the index are made with, another one for each: they are made again where it differs.
    pub(crate) fn table_number(&self) -> i32 {
        let words = self.words.status_table();
        if self.rules.pack_key().is_none() {
            return words;
        }
        let mut hasher = DefaultHasher::new();
        (words, self.rules.version().to_string()).hash(&mut hasher);
        i32::try_from(hasher.finish() >> 33).unwrap_or_default().max(1)
    }
}
