//! The trace of a charge: what it is computed on, at which rate, why, and where that is from.
//!
//! An answer is made far more often than it is read. What is the same in every answer at one rate is shared
//! with the rules, and the lines a charge is on are named by their places in the answer's own list.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use bordereau_contract::{Charge, format_money};
use bordereau_money::{Rate, Rounding, Usd};
use chrono::NaiveDate;

use crate::answer::{ConfidenceNote, LineResult, RuleSource, RuleText};
use crate::explanation::ChargeExplanation;

/// What a charge is computed on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChargeBasis {
    /// The premium in it, USD.
    pub premium: Usd,
    /// The agency fee in it, USD; zero where it is not taxable.
    pub agency_fee: Usd,
    /// The inspection fee in it, USD; zero where it is not taxable.
    pub inspection_fee: Usd,
    /// The portion of the premium that counts; 1 for the whole.
    pub portion: Rate,
    /// What the rate is applied to, USD: portion of premium, plus fees.
    pub total: Usd,
    /// In words, such as `premium and both fees`.
    pub text: RuleText,
}

impl ChargeBasis {
    /// In few words, for a table: `premium $2,800.00`, `40% of premium $2,000.00`,
    /// `$10,071.42 = premium + taxable fees`. The parts in figures stand in the charge's explanation.
    pub fn summary_text(&self) -> String {
        let portion = (!self.portion.is_whole()).then(|| format!("{}% of ", self.portion.to_percent()));
        let portion = portion.unwrap_or_default();
        // A fee's share in a base may be a long decimal; it is read to the cent.
        let money_text = |amount: Usd| format_money(amount.round(Rounding::Cent));
        let (premium, agency, inspection) =
            (!self.premium.is_zero(), !self.agency_fee.is_zero(), !self.inspection_fee.is_zero());
        let fees = match (agency, inspection) {
            (true, true) => "taxable fees",
            (true, false) => "agency fee",
            (false, true) => "inspection fee",
            (false, false) => "",
        };
        match (premium, fees, agency && inspection) {
            (false, "", _) => self.text.to_string(),
            (true, "", _) => format!("{portion}premium {}", money_text(self.premium)),
            (true, fees, _) => format!("{} = {portion}premium + {fees}", money_text(self.total)),
            (false, fees, true) => format!("{} = {fees}", money_text(self.total)),
            (false, fees, false) => format!("{fees} {}", money_text(self.total)),
        }
    }

    /// Premium and fees, where more than one of them is in it.
    pub(crate) fn sum(&self) -> Option<(Usd, Usd, Usd)> {
        let parts = [self.premium, self.agency_fee, self.inspection_fee];
        let several = parts.iter().filter(|part| !part.is_zero()).count() > 1;
        (several && self.portion.is_whole()).then_some(parts.into())
    }
}

/// What every charge at one rate has in common: written once, and shared by all answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChargeRule {
    /// Kind as in the rule file, such as `premium_tax`.
    pub kind: RuleText,
    /// The contract's field it falls on.
    pub field: Charge,
    /// The state's title, or the plain English one.
    pub title: RuleText,
    /// Rate as a fraction, for a percentage.
    pub rate: Option<Rate>,
    /// The most that is charged at the rate, USD.
    pub at_most: Option<Usd>,
    /// Amount in USD, for a flat charge.
    pub flat: Option<Usd>,
    /// Rounding applied.
    pub rounding: Rounding,
    /// In force from this day; `None` when the start was not found.
    pub from: Option<NaiveDate>,
    /// In force until this day, inclusive; `None` without a known end.
    pub until: Option<NaiveDate>,
    /// Which date the rate is looked up by and why, such as `policy effective date; an endorsement keeps its policy's rate`.
    pub dated_by: RuleText,
    /// Where it comes from.
    pub sources: Arc<[RuleSource]>,
    /// How sure it is.
    pub checked: ConfidenceNote,
    /// A remark of the rule file.
    pub note: Option<RuleText>,
}

/// One charge with everything that explains it; what it shares with others is read through [`Deref`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChargeTrace {
    /// What every charge at this rate has in common.
    pub rule: Arc<ChargeRule>,
    /// Codes of the lines it is charged on.
    pub lines: ChargedLines,
    /// What it is computed on.
    pub basis: ChargeBasis,
    /// Before rounding, USD; negative for a credit.
    pub unrounded: Usd,
    /// The charge, USD; negative for a credit.
    pub amount: Usd,
    /// The date the rate was looked up by.
    pub dated: NaiveDate,
    /// One line that recomputes it: `2,800.00 × 3.5% = 98.00, to the dollar, half up`.
    pub explanation: ChargeExplanation,
}

impl Deref for ChargeTrace {
    type Target = ChargeRule;

    fn deref(&self) -> &ChargeRule {
        &self.rule
    }
}

/// Codes of the lines a charge is on, in the order they were asked.
#[derive(Clone)]
pub struct ChargedLines {
    of: Arc<[LineResult]>,
    places: LineSet,
}

impl ChargedLines {
    pub(crate) fn new(of: &Arc<[LineResult]>, places: LineSet) -> ChargedLines {
        ChargedLines { of: Arc::clone(of), places }
    }

    /// The generic codes.
    pub fn iter(&self) -> impl Iterator<Item = &RuleText> {
        let lines = self.of.iter().enumerate().filter(|(at, _)| self.places.contains(*at));
        lines.map(|(_, line)| &line.generic_code)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }
}

impl PartialEq for ChargedLines {
    fn eq(&self, other: &ChargedLines) -> bool {
        self.iter().eq(other.iter())
    }
}

impl Eq for ChargedLines {}

impl fmt::Debug for ChargedLines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// Places in the list of a question's lines, of which there are at most [`LineSet::MAX`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct LineSet([u64; 2]);

impl LineSet {
    /// One more than the last place.
    pub(crate) const MAX: usize = 128;

    pub(crate) fn insert(&mut self, at: usize) {
        if let Some(places) = self.0.get_mut(at / 64) {
            *places |= 1 << (at % 64);
        }
    }

    /// Those of the other too.
    pub(crate) fn extend(&mut self, other: LineSet) {
        let ([low, high], [more_low, more_high]) = (self.0, other.0);
        self.0 = [low | more_low, high | more_high];
    }

    pub(crate) fn contains(self, at: usize) -> bool {
        self.0.get(at / 64).is_some_and(|places| places & (1 << (at % 64)) != 0)
    }

    pub(crate) fn is_empty(self) -> bool {
        self == LineSet::default()
    }

    pub(crate) fn len(self) -> usize {
        let [low, high] = self.0.map(u64::count_ones);
        (low + high) as usize
    }
}

impl FromIterator<usize> for LineSet {
    fn from_iter<I: IntoIterator<Item = usize>>(places: I) -> LineSet {
        let mut set = LineSet::default();
        places.into_iter().for_each(|at| set.insert(at));
        set
    }
}
