//! The rules that answers are made with.

use std::sync::LazyLock;

use bordereau_calendar::Calendar;
use bordereau_tax::{RuleBook, RuleChange, rule_changes};

use crate::{PublicKey, RulesVersion};

/// The rules of taxes and of due dates, of one version.
#[derive(Debug, Default)]
pub struct RuleSet {
    /// None for the built-in ones.
    pack: Option<PackRules>,
}

#[derive(Debug)]
struct PackRules {
    version: RulesVersion,
    key: PublicKey,
    book: RuleBook,
    calendar: Calendar,
    changes: Vec<RuleChange>,
}

impl RuleSet {
    /// The rules that come with the program.
    #[must_use]
    pub fn builtin() -> RuleSet {
        RuleSet::default()
    }

    pub(crate) fn from_pack(
        version: RulesVersion,
        key: PublicKey,
        book: RuleBook,
        calendar: Calendar,
        changes: Vec<RuleChange>,
    ) -> RuleSet {
        RuleSet { pack: Some(PackRules { version, key, book, calendar, changes }) }
    }

    /// Rates, charges and exemptions.
    #[must_use]
    pub fn book(&self) -> &RuleBook {
        match &self.pack {
            Some(pack) => &pack.book,
            None => RuleBook::builtin(),
        }
    }

    /// Due dates.
    #[must_use]
    pub fn calendar(&self) -> &Calendar {
        match &self.pack {
            Some(pack) => &pack.calendar,
            None => Calendar::builtin(),
        }
    }

    /// The changelog of the rules.
    #[must_use]
    pub fn changes(&self) -> Vec<RuleChange> {
        self.pack.as_ref().map_or_else(rule_changes, |pack| pack.changes.clone())
    }

    /// Their version.
    ///
    /// # Panics
    /// Never: the built-in changelog has entries, which a test reads.
    #[must_use]
    pub fn version(&self) -> RulesVersion {
        static BUILTIN: LazyLock<RulesVersion> = LazyLock::new(|| {
            RulesVersion::from_changes(&rule_changes()).expect("the built-in changelog has entries")
        });
        self.pack.as_ref().map_or(*BUILTIN, |pack| pack.version)
    }

    /// The key of the pack that they are from; `None` for the built-in ones.
    #[must_use]
    pub fn pack_key(&self) -> Option<PublicKey> {
        self.pack.as_ref().map(|pack| pack.key)
    }
}
