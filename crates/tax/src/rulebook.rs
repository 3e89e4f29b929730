//! The rules of all jurisdictions, read once.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use bordereau_contract::Jurisdiction;
use chrono::NaiveDate;

use crate::answer::Confidence;
use crate::lines::BusinessLine;
use crate::rules::{self, RateLookup, RatedCharge, RuleProblem, StateRules};
use crate::{InputProblem, KentuckyTable, LinesTable, Quote, QuoteInput, TaxCalculation, calculate};

mod files;

/// Tables a person can replace. Cheap to clone.
#[derive(Clone, Debug)]
pub struct LocalTables {
    /// Lines of business.
    pub lines: LinesTable,
    /// Kentucky's cities and counties; the first table that has the name wins, so the user's own comes first.
    pub kentucky: Vec<KentuckyTable>,
}

impl Default for LocalTables {
    fn default() -> Self {
        LocalTables { lines: LinesTable::builtin(), kentucky: vec![KentuckyTable::builtin()] }
    }
}

/// What a form has to ask for a state, and how sure its rules are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StateSummary {
    /// How many values in force are not confirmed by a page of this or the previous year.
    pub unsure: u32,
    /// Whether city, ZIP code or municipality matter.
    pub asks_location: bool,
    /// Whether it matters that a commission is received.
    pub asks_commission: bool,
    /// Whether admitted business can be calculated.
    pub asks_admitted: bool,
    /// Whether the state taxes the retail agent's fee and the surplus lines licensee's fee differently.
    pub asks_fee_charged_by: bool,
    /// Generic codes of the lines on which it matters how the insured holds the dwelling.
    pub asks_occupancy_on: Vec<String>,
    /// Title of an assessment whose present rate was not found and may be entered.
    pub assessment_title: Option<String>,
    /// Generic codes of the lines that the assessment is on.
    pub asks_assessment_on: Vec<String>,
    /// Cities and counties with a local tax, by name.
    pub municipalities: Vec<String>,
}

/// The rules of all jurisdictions.
#[derive(Debug)]
pub struct RuleBook {
    states: Vec<StateRules>,
}

impl RuleBook {
    /// The rules that come with the application, parsed once.
    ///
    /// # Panics
    /// Never: a test reads every file.
    pub fn builtin() -> &'static RuleBook {
        static BOOK: OnceLock<RuleBook> = OnceLock::new();
        BOOK.get_or_init(|| RuleBook::read(&files::FILES).expect("the built-in rule files are tested"))
    }

    /// The texts of the built-in files.
    #[must_use]
    pub fn builtin_files() -> Vec<(Jurisdiction, &'static str)> {
        files::FILES.to_vec()
    }

    /// Reads rule files, one per jurisdiction.
    ///
    /// # Errors
    /// The file at fault and what is wrong with it; also when a jurisdiction is missing or there twice.
    pub fn read(files: &[(Jurisdiction, &str)]) -> Result<RuleBook, (Jurisdiction, RuleProblem)> {
        let mut states = Vec::with_capacity(files.len());
        for (state, text) in files {
            let rules = rules::read(text).map_err(|problem| (*state, problem))?;
            if rules.state != *state || states.iter().any(|have: &StateRules| have.state == *state) {
                let message = format!("the file of {state} is about {}", rules.state);
                return Err((*state, RuleProblem::Format(message)));
            }
            states.push(rules);
        }
        states.sort_unstable_by_key(|rules| rules.state);
        match Jurisdiction::ALL.iter().find(|state| states.iter().all(|have| have.state != **state)) {
            Some(missing) => Err((*missing, RuleProblem::Format("the file is missing".into()))),
            None => Ok(RuleBook { states }),
        }
    }

    pub(crate) fn rules_of(&self, state: Jurisdiction) -> &StateRules {
        // The codes stand in one order in the enum and here, and `read` lets no state be missing.
        &self.states[state as usize]
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &StateRules> {
        self.states.iter()
    }

    /// Calculates.
    ///
    /// # Errors
    /// Everything wrong with the question, by field.
    pub fn calculate(&self, input: &QuoteInput, local: &LocalTables) -> Result<Quote, Vec<InputProblem>> {
        self.calculate_amounts(input, local).map(|calculation| calculation.to_quote())
    }

    /// Calculates the amounts alone, for many questions one after another: no trace, no notes, no words.
    /// [`TaxCalculation::to_quote`] gives the rest of the same answer.
    ///
    /// # Errors
    /// Everything wrong with the question, by field.
    pub fn calculate_amounts<'a>(
        &'a self,
        input: &'a QuoteInput,
        local: &'a LocalTables,
    ) -> Result<TaxCalculation<'a>, Vec<InputProblem>> {
        calculate::calculate_amounts(self.rules_of(input.state), input, local)
    }

    /// The day the rules were last checked: the oldest of all files.
    pub fn rules_checked(&self) -> NaiveDate {
        self.states.iter().map(|rules| rules.checked_on).min().unwrap_or(NaiveDate::MIN)
    }

    /// What a form has to ask for a state, and how many of its values in force today's data are not sure.
    pub fn state_summary(&self, state: Jurisdiction) -> StateSummary {
        let rules = self.rules_of(state);
        let today = rules.checked_on;
        let unsure_rate = |charge: &&RatedCharge| match charge.series.value_on(today) {
            RateLookup::Rate(rate) => rate.checked.level != Confidence::Confirmed,
            RateLookup::NotCharged => false,
            RateLookup::Unknown => true,
        };
        let unsure_fee = |fee: &crate::rules::FeeRule| u32::from(fee.caution.is_some());
        let charges = rules.charges.iter().filter(unsure_rate).count();
        let assessed = rules.charges.iter().find(|charge| charge.entered.is_some());
        let table = LinesTable::builtin();
        let codes = |wanted: &dyn Fn(&RatedCharge, &BusinessLine) -> bool| {
            let bears = |line: &&BusinessLine| {
                let names = line.names_in(state);
                rules
                    .charges
                    .iter()
                    .any(|charge| charge.selection.includes_line(line, names) && wanted(charge, line))
            };
            table.iter().filter(bears).map(|line| line.code.to_string()).collect()
        };
        StateSummary {
            unsure: u32::try_from(charges).unwrap_or(u32::MAX)
                + rules.agency.distinct_rules().map(unsure_fee).sum::<u32>()
                + unsure_fee(&rules.inspection),
            asks_location: rules.local_tax,
            asks_commission: rules.no_fee_with_commission,
            asks_admitted: rules.charges.iter().any(|charge| charge.admitted),
            asks_fee_charged_by: rules.agency.told.is_some(),
            asks_occupancy_on: codes(&|charge, line| {
                charge.selection.matches_occupancy(line, None).is_none()
            }),
            assessment_title: assessed.map(|charge| charge.title.to_string()),
            asks_assessment_on: codes(&|charge, _| charge.entered.is_some()),
            municipalities: if rules.local_tax {
                KentuckyTable::builtin().iter().map(|m| m.name.to_string()).collect()
            } else {
                Vec::new()
            },
        }
    }

    /// Every address the rules name, each once; private sources have none.
    pub fn source_addresses(&self) -> impl Iterator<Item = &str> {
        let mut seen = BTreeSet::new();
        for rules in &self.states {
            for charge in &rules.charges {
                seen.extend(charge.series.iter().flat_map(|rate| rate.sources.iter()).map(|s| &*s.url));
            }
            seen.extend(rules.recorded.iter().flat_map(|r| r.sources.iter()).map(|s| &*s.url));
            seen.extend(rules.caps.iter().flat_map(|cap| cap.sources.iter()).map(|s| &*s.url));
            for fee in rules.agency.distinct_rules().chain([&rules.inspection]) {
                seen.extend(fee.sources.iter().map(|s| &*s.url));
            }
            seen.extend(rules.tax_exempt.iter().flat_map(|rule| rule.sources.iter()).map(|s| &*s.url));
            let notes = rules.notes.iter().chain(&rules.fee_notes);
            seen.extend(notes.filter_map(|note| note.source.as_ref()).map(|s| &*s.url));
            let stamps = rules.stamps.iter().flat_map(|(_, wordings)| wordings.iter());
            seen.extend(stamps.filter_map(|stamp| stamp.source.as_ref()).map(|s| &*s.url));
        }
        // A private source has no address.
        seen.remove("");
        seen.into_iter()
    }
}
