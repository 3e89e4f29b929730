//! The rules of one jurisdiction in the form the calculator reads.

use std::sync::Arc;

use bordereau_contract::{Charge, EntityType, Jurisdiction, TaxRule, TransactionType};
use bordereau_money::{Rate, Rounding, Usd};
use chrono::NaiveDate;
use serde::Deserialize;

use super::rate_series::{RateSeries, percent_amount};
use crate::ChargeRule;
use crate::answer::{Confidence, ConfidenceNote, FieldTitles, QuoteNote, RuleSource, RuleText, StampWording};
use crate::documents::DocumentRule;
use crate::lines::{BusinessLine, Class, LineNames, StateCodes};
use crate::{FeeChargedBy, Occupancy};

/// Everything about one jurisdiction.
#[derive(Debug)]
pub(crate) struct StateRules {
    pub state: Jurisdiction,
    pub checked_on: NaiveDate,
    pub titles: Arc<FieldTitles>,
    pub premium_rounding: Option<Rounding>,
    pub no_fee_with_commission: bool,
    pub local_tax: bool,
    pub agency: AgencyFee,
    pub inspection: FeeRule,
    pub caps: Vec<FeeCap>,
    pub exemptions: Vec<Exemption>,
    pub tax_exempt: Option<TaxExemptRule>,
    pub charges: Vec<RatedCharge>,
    pub recorded: Vec<RecordedValue>,
    pub notes: Arc<[Arc<QuoteNote>]>,
    /// Said only where a fee is entered.
    pub fee_notes: Vec<Arc<QuoteNote>>,
    /// Said only where one of these lines is asked.
    pub line_notes: Vec<(LineSelection, Arc<QuoteNote>)>,
    /// Wordings by the policy date from which they are used, oldest first.
    pub stamps: Vec<(Option<NaiveDate>, Arc<[StampWording]>)>,
    pub documents: Arc<[DocumentRule]>,
    /// The contract's form by the day from which it holds, oldest first.
    pub tax_rules: Vec<WireForm>,
}

impl StateRules {
    /// Whether a tax exempt insured pays no taxes: what holds where the state doesn't say otherwise.
    pub(crate) fn spares_tax_exempt(&self) -> bool {
        !self.tax_exempt.as_ref().is_some_and(|rule| rule.charged)
    }
}

/// The contract's form of the rule from one day on.
#[derive(Debug)]
pub(crate) struct WireForm {
    /// Holds from this day; `None` for the first.
    pub from: Option<NaiveDate>,
    /// Without a local rate.
    pub rule: Arc<TaxRule>,
}

impl WireForm {
    /// The form where a city or county was matched; with the city's rate, where it has one.
    pub fn with_local_rate(&self, city: Option<Rate>) -> TaxRule {
        let mut rule = TaxRule::clone(&self.rule);
        rule.is_municipal_fee_input_manual = false;
        if let Some(city) = city {
            rule.municipal_fee_amount = Some(percent_amount(city));
        }
        rule
    }
}

/// Whether a fee is in the tax base.
#[derive(Debug)]
pub(crate) struct FeeRule {
    pub taxed: bool,
    pub text: RuleText,
    pub checked: ConfidenceNote,
    pub sources: Arc<[RuleSource]>,
    /// Said when the fee is not zero and this is not sure.
    pub caution: Option<Arc<QuoteNote>>,
}

impl FeeRule {
    /// Whether the fee is taxed, where that was found.
    pub(crate) fn taxed_if_known(&self) -> Option<bool> {
        (self.checked.level != Confidence::NotFound).then_some(self.taxed)
    }
}

/// The agency fee: one field for the fees of two, which some states treat differently.
#[derive(Debug)]
pub(crate) struct AgencyFee {
    /// The same rule twice where the state does not part them.
    pub retail: Arc<FeeRule>,
    pub licensee: Arc<FeeRule>,
    /// Who is taken to charge it when that was not said.
    pub assumed: FeeChargedBy,
    /// What is said of who charges it, where the answer changes an amount.
    pub told: Option<FeeChargerNotes>,
}

/// Notes on who charges the agency fee: said by the person, or assumed.
#[derive(Debug)]
pub(crate) struct FeeChargerNotes {
    pub retail: Arc<QuoteNote>,
    pub licensee: Arc<QuoteNote>,
    pub assumed: Arc<QuoteNote>,
}

impl AgencyFee {
    /// The rule of the fee that this one charges.
    pub(crate) fn rule_for(&self, by: FeeChargedBy) -> &FeeRule {
        match by {
            FeeChargedBy::RetailAgent => &self.retail,
            FeeChargedBy::SurplusLinesLicensee => &self.licensee,
        }
    }

    /// Each rule once.
    pub(crate) fn distinct_rules(&self) -> impl Iterator<Item = &FeeRule> {
        let other = (!self.is_shared()).then_some(&*self.retail);
        [&*self.licensee].into_iter().chain(other)
    }

    pub(crate) fn is_shared(&self) -> bool {
        Arc::ptr_eq(&self.retail, &self.licensee)
    }

    /// What is said of who charges it, where it matters.
    pub(crate) fn charger_note(&self, answered: Option<FeeChargedBy>) -> Option<&Arc<QuoteNote>> {
        self.told.as_ref().map(|told| match answered {
            Some(FeeChargedBy::RetailAgent) => &told.retail,
            Some(FeeChargedBy::SurplusLinesLicensee) => &told.licensee,
            None => &told.assumed,
        })
    }
}

/// Which lines a fee limit is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum CapScope {
    All,
    /// Every line is a personal one.
    Personal,
    /// At least one line is not.
    Commercial,
}

/// A limit of the agency fee: the largest of its alternatives.
#[derive(Debug)]
pub(crate) struct FeeCap {
    pub scope: CapScope,
    /// For policies effective from this day.
    pub from: Option<NaiveDate>,
    /// For policies effective until this day, inclusive.
    pub until: Option<NaiveDate>,
    pub alternatives: Vec<CapAlternative>,
    pub enforced: bool,
    pub text: RuleText,
    pub checked: ConfidenceNote,
    pub sources: Arc<[RuleSource]>,
}

impl FeeCap {
    /// Whether it limits the fee on a policy that is effective on this day.
    pub(crate) fn is_in_force(&self, policy: NaiveDate) -> bool {
        self.from.is_none_or(|from| from <= policy) && self.until.is_none_or(|until| policy <= until)
    }
}

/// One way to calculate a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CapAlternative {
    Flat(Usd),
    Percent(Rate, Option<Usd>),
}

/// What the state says of insureds that are marked tax exempt.
#[derive(Debug)]
pub(crate) struct TaxExemptRule {
    /// Whether the taxes stay.
    pub charged: bool,
    pub text: RuleText,
    pub checked: ConfidenceNote,
    pub sources: Arc<[RuleSource]>,
}

impl TaxExemptRule {
    pub(crate) fn title(&self) -> &'static str {
        if self.charged { "Tax exempt insureds: taxed" } else { "Tax exempt insureds: not taxed" }
    }
}

/// Insureds that do not pay.
#[derive(Debug)]
pub(crate) struct Exemption {
    pub entities: Vec<EntityType>,
    /// Kinds of the charges that are not due.
    pub charges: Vec<RuleText>,
    /// The lines on which they are not due.
    pub on: LineSelection,
    /// For policies effective from this day.
    pub from: Option<NaiveDate>,
    pub checked: ConfidenceNote,
    pub note: Arc<QuoteNote>,
}

impl Exemption {
    /// Whether the charge is among those that are not due.
    pub(crate) fn spares(&self, charge: &RatedCharge) -> bool {
        self.charges.contains(&charge.kind)
    }

    /// Whether it is about this insured and this policy.
    pub(crate) fn applies_to(&self, entity: EntityType, policy: NaiveDate) -> bool {
        self.entities.contains(&entity) && self.from.is_none_or(|from| from <= policy)
    }
}

/// Lines a charge falls on: those of the classes or of the generic codes, as far as the rest allows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LineSelection {
    /// One bit per class.
    pub classes: u64,
    /// Generic codes, beside the classes.
    pub lines: Vec<RuleText>,
    /// Generic codes that are excluded.
    pub except_lines: Vec<RuleText>,
    /// Only personal lines, or only others.
    pub personal: Option<bool>,
    /// Only where the insured holds the dwelling so; empty for any.
    pub occupancy: Vec<Occupancy>,
    /// Codes of the state; empty for any.
    pub state_codes: StateCodes,
}

impl LineSelection {
    /// Every class has its bit: there are fewer than 64.
    pub(crate) const ALL: u64 = u64::MAX;

    pub(crate) fn class_bit(class: Class) -> u64 {
        1 << (class as u64)
    }

    pub(crate) fn is_all(&self) -> bool {
        self.classes == LineSelection::ALL
            && self.except_lines.is_empty()
            && self.personal.is_none()
            && self.occupancy.is_empty()
            && self.state_codes.is_empty()
    }

    /// Whether it takes the line, whose names in the state are these, however the dwelling is held.
    pub(crate) fn includes_line(&self, line: &BusinessLine, names: &LineNames) -> bool {
        (self.classes & LineSelection::class_bit(line.class) != 0 || self.lines.contains(&line.code))
            && !self.except_lines.contains(&line.code)
            && self.personal.is_none_or(|personal| personal == line.personal)
            && (self.state_codes.is_empty() || self.state_codes.contain_line(names))
    }

    /// Whether the dwelling is held as it asks; `None` where neither the line nor the person says how.
    pub(crate) fn matches_occupancy(&self, line: &BusinessLine, answered: Option<Occupancy>) -> Option<bool> {
        if self.occupancy.is_empty() {
            return Some(true);
        }
        line.occupancy.or(answered).map(|occupancy| self.occupancy.contains(&occupancy))
    }
}

/// When a return gives a charge back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum CreditRule {
    /// A return gives it back like any other amount.
    Mirrored,
    /// Given back only when the policy is canceled flat.
    FlatCancellationOnly,
    /// Fully earned.
    Never,
}

impl CreditRule {
    pub(crate) fn allows_for(self, transaction: TransactionType) -> bool {
        match self {
            CreditRule::Mirrored => true,
            CreditRule::FlatCancellationOnly => {
                // A back-out undoes the policy as a flat cancellation does.
                !transaction.is_credit()
                    || matches!(transaction, TransactionType::FlatCancellation | TransactionType::BackOut)
            }
            CreditRule::Never => !transaction.is_credit(),
        }
    }
}

/// What part of the premium counts for some lines.
#[derive(Debug)]
pub(crate) struct PremiumPortion {
    pub on: LineSelection,
    /// For policies effective from this day.
    pub from: Option<NaiveDate>,
    pub portion: Rate,
    pub name: RuleText,
}

/// One charge with its values over time.
#[derive(Debug)]
pub(crate) struct RatedCharge {
    pub kind: RuleText,
    pub field: Charge,
    pub title: RuleText,
    /// Whether a tax exempt insured is spared.
    pub is_tax: bool,
    /// Whether the retail agent's fee is in the base.
    pub retail_fee: bool,
    /// Whether the surplus lines licensee's is.
    pub licensee_fee: bool,
    pub inspection_fee: bool,
    pub basis_text: RuleText,
    pub selection: LineSelection,
    /// Parts of a line's premium; each line is then its own charge.
    pub portions: Vec<PremiumPortion>,
    /// What to enter for a property line whose part or code is not known.
    pub portion_advice: Option<RuleText>,
    /// What a charge at an entered rate says, but for the rate; `None` where none may be entered.
    pub entered: Option<ChargeRule>,
    pub once_per_policy: bool,
    pub credit: CreditRule,
    /// Whether a reinstatement is charged although a cancellation doesn't give the charge back.
    pub reinstatement_charged: bool,
    /// Whether it is not on policies of risk purchasing groups.
    pub except_purchasing_groups: bool,
    pub rounding: Rounding,
    pub extension_by_own_date: bool,
    pub dated_by: RuleText,
    pub admitted: bool,
    pub unsure_lines: Option<Arc<QuoteNote>>,
    /// Said where no one says how the dwelling is held.
    pub occupancy_unsaid: Option<Arc<QuoteNote>>,
    /// Said on a new policy: it may replace one on which this was charged.
    pub charged_once: Option<Arc<QuoteNote>>,
    /// Said on a return where no source says what becomes of it.
    pub return_unknown: Option<Arc<QuoteNote>>,
    /// Said on a reinstatement: the charge may have been given back.
    pub reinstated: Option<Arc<QuoteNote>>,
    pub unknown_rate: Arc<QuoteNote>,
    pub payee: Option<RuleText>,
    pub series: RateSeries,
}

impl RatedCharge {
    /// Whether anything is charged on the line on this date: it is selected, and a part of its premium counts.
    pub(crate) fn falls_on(&self, line: &BusinessLine, names: &LineNames, date: NaiveDate) -> bool {
        self.selection.includes_line(line, names)
            && (self.portions.is_empty() || self.portion(line, names, date).is_some())
    }

    /// What part of the line's premium counts on this date.
    pub(crate) fn portion(&self, line: &BusinessLine, names: &LineNames, date: NaiveDate) -> Option<Rate> {
        let counts =
            |p: &&PremiumPortion| p.on.includes_line(line, names) && p.from.is_none_or(|from| from <= date);
        self.portions.iter().find(counts).map(|p| p.portion)
    }

    /// Whether a part of each line's premium counts, by the kind of line and not by a code of the state.
    pub(crate) fn is_by_part(&self) -> bool {
        !self.portions.is_empty() && self.selection.state_codes.is_empty()
    }

    /// Whether the agency fee is in the base when this one charges it.
    pub(crate) fn agency_fee(&self, by: FeeChargedBy) -> bool {
        match by {
            FeeChargedBy::RetailAgent => self.retail_fee,
            FeeChargedBy::SurplusLinesLicensee => self.licensee_fee,
        }
    }
}

/// A value that is written down so that no one charges it.
#[derive(Debug)]
pub(crate) struct RecordedValue {
    pub kind: RuleText,
    pub why: RuleText,
    pub value: RuleText,
    pub text: RuleText,
    pub checked: ConfidenceNote,
    pub sources: Arc<[RuleSource]>,
}
