//! The rules of one jurisdiction in the form the calculator reads.

use std::sync::{Arc, PoisonError, RwLock};

use bordereau_contract::{EntityType, Jurisdiction, TaxRule, TransactionType};
use bordereau_money::{Rate, Rounding, Usd};
use chrono::NaiveDate;

use super::dated::Series;
use super::load::percent;
use crate::answer::{Checked, Confidence, Field, Note, Source, StampWording, Text, Titles};
use crate::documents::DocumentRule;
use crate::lines::{Class, LineNames, StateCodes};

/// Everything about one jurisdiction.
#[derive(Debug)]
pub(crate) struct StateRules {
    pub state: Jurisdiction,
    pub checked_on: NaiveDate,
    pub titles: Arc<Titles>,
    pub premium_rounding: Option<Rounding>,
    pub no_fee_with_commission: bool,
    pub local_tax: bool,
    pub agency: FeeRule,
    pub inspection: FeeRule,
    pub caps: Vec<Cap>,
    pub exemptions: Vec<Exemption>,
    pub charges: Vec<Charge>,
    pub recorded: Vec<Recorded>,
    pub notes: Arc<[Arc<Note>]>,
    /// Wordings by the policy date from which they are used, oldest first.
    pub stamps: Vec<(Option<NaiveDate>, Arc<[StampWording]>)>,
    pub documents: Arc<[DocumentRule]>,
    /// The contract's form by the day from which it holds, oldest first.
    pub tax_rules: Vec<WireForm>,
}

/// The contract's form of the rule from one day on.
#[derive(Debug)]
pub(crate) struct WireForm {
    /// Holds from this day; `None` for the first.
    pub from: Option<NaiveDate>,
    /// Without a local rate.
    pub rule: Arc<TaxRule>,
    /// With the local rates that were asked for: a form has two dozen texts, and the rates are few.
    with_local_rate: RwLock<Vec<(Option<Rate>, Arc<TaxRule>)>>,
}

impl WireForm {
    /// Rates a form is kept for; a user's own table may have more.
    const KEPT_MAX: usize = 200;

    pub fn new(from: Option<NaiveDate>, rule: TaxRule) -> WireForm {
        WireForm { from, rule: Arc::new(rule), with_local_rate: RwLock::default() }
    }

    /// The form where a city or county was matched; with the city's rate, where it has one.
    pub fn with_local_rate(&self, city: Option<Rate>) -> Arc<TaxRule> {
        let kept = self.with_local_rate.read().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, rule)) = kept.iter().find(|(rate, _)| *rate == city) {
            return Arc::clone(rule);
        }
        drop(kept);
        let mut rule = TaxRule::clone(&self.rule);
        rule.is_municipal_fee_input_manual = false;
        if let Some(city) = city {
            rule.municipal_fee_amount = percent(city);
        }
        let rule = Arc::new(rule);
        let mut kept = self.with_local_rate.write().unwrap_or_else(PoisonError::into_inner);
        if kept.len() < WireForm::KEPT_MAX {
            kept.push((city, Arc::clone(&rule)));
        }
        rule
    }
}

/// Whether a fee is in the tax base.
#[derive(Debug)]
pub(crate) struct FeeRule {
    pub taxed: bool,
    pub text: Text,
    pub checked: Checked,
    pub sources: Arc<[Source]>,
    /// Said when the fee is not zero and this is not sure.
    pub caution: Option<Arc<Note>>,
}

impl FeeRule {
    /// Whether the fee is taxed, where that was found.
    pub(crate) fn known(&self) -> Option<bool> {
        (self.checked.level != Confidence::NotFound).then_some(self.taxed)
    }
}

/// Which lines a fee limit is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scope {
    All,
    /// Every line is a personal one.
    Personal,
    /// At least one line is not.
    Commercial,
}

/// A limit of the agency fee: the largest of its alternatives.
#[derive(Debug)]
pub(crate) struct Cap {
    pub scope: Scope,
    pub alternatives: Vec<CapAlternative>,
    pub other_pay_counts: bool,
    pub enforced: bool,
    pub text: Text,
    pub checked: Checked,
    pub sources: Arc<[Source]>,
}

/// One way to reckon a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CapAlternative {
    Flat(Usd),
    Percent(Rate, Option<Usd>),
}

/// Insureds that do not pay.
#[derive(Debug)]
pub(crate) struct Exemption {
    pub entities: Vec<EntityType>,
    pub fields: Vec<Field>,
    pub checked: Checked,
    pub note: Arc<Note>,
}

/// Lines a charge falls on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Selection {
    /// One bit per class.
    pub classes: u64,
    /// Codes of the state; empty for any.
    pub state_codes: StateCodes,
}

impl Selection {
    /// Every class has its bit: there are fewer than 64.
    pub(crate) const ALL: u64 = u64::MAX;

    pub(crate) fn bit(class: Class) -> u64 {
        1 << (class as u64)
    }

    pub(crate) fn is_all(&self) -> bool {
        self.classes == Selection::ALL && self.state_codes.is_empty()
    }

    /// Whether it takes a line of the class with these names in the state.
    pub(crate) fn takes(&self, class: Class, names: &LineNames) -> bool {
        self.classes & Selection::bit(class) != 0
            && (self.state_codes.is_empty() || self.state_codes.contain(names))
    }
}

/// When a return gives a charge back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Credit {
    Mirrored,
    FlatCancellationOnly,
    Never,
}

impl Credit {
    pub(crate) fn allows(self, transaction: TransactionType) -> bool {
        match self {
            Credit::Mirrored => true,
            Credit::FlatCancellationOnly => {
                !transaction.is_credit() || transaction == TransactionType::FlatCancellation
            }
            Credit::Never => !transaction.is_credit(),
        }
    }
}

/// What part of the premium counts for some codes of the state.
#[derive(Debug)]
pub(crate) struct Portion {
    pub state_codes: StateCodes,
    pub portion: Rate,
    pub name: Text,
}

/// One charge with its values over time.
#[derive(Debug)]
pub(crate) struct Charge {
    pub kind: Text,
    pub field: Field,
    pub title: Text,
    pub agency_fee: bool,
    pub inspection_fee: bool,
    pub basis_text: Text,
    pub selection: Selection,
    /// Parts of a line's premium by the state's code; each line is then a charge of its own.
    pub portions: Vec<Portion>,
    pub once_per_policy: bool,
    pub credit: Credit,
    pub rounding: Rounding,
    pub extension_by_own_date: bool,
    pub dated_by: Text,
    pub admitted: bool,
    pub unsure_lines: Option<Arc<Note>>,
    pub unknown_rate: Arc<Note>,
    pub payee: Option<Text>,
    pub series: Series,
}

impl Charge {
    /// Whether anything is charged on the line: it is selected, and a part of its premium counts.
    pub(crate) fn falls_on(&self, class: Class, names: &LineNames) -> bool {
        self.selection.takes(class, names) && (self.portions.is_empty() || self.portion(names).is_some())
    }

    /// What part of the line's premium counts.
    pub(crate) fn portion(&self, names: &LineNames) -> Option<Rate> {
        self.portions.iter().find(|p| p.state_codes.contain(names)).map(|p| p.portion)
    }
}

/// A value that is written down so that nobody charges it.
#[derive(Debug)]
pub(crate) struct Recorded {
    pub kind: Text,
    pub why: Text,
    pub value: Text,
    pub text: Text,
    pub checked: Checked,
    pub sources: Arc<[Source]>,
}
