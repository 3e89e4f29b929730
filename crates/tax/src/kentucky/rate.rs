//! A rate of Kentucky's city and county tax, and what is said of it.

use std::sync::{Arc, LazyLock, OnceLock};

use bordereau_contract::Charge;
use bordereau_money::{Rate, Rounding, Usd};
use chrono::NaiveDate;

use super::{Municipality, TaxCategory};
use crate::ChargeRule;
use crate::answer::{
    Confidence, ConfidenceNote, CountyOrCity, FieldTitles, NoteLevel, QuoteNote, RuleSource, RuleText,
};

/// A rate of one jurisdiction and category.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocalRate {
    /// In force from this day, where that was found.
    pub from: Option<NaiveDate>,
    /// In force until this day, inclusive.
    pub until: Option<NaiveDate>,
    /// As a fraction; `None` where the source names no single rate.
    pub rate: Option<Rate>,
    /// A minimum per quarter and insurer, USD; told, not charged on a policy.
    pub minimum: Option<Usd>,
    /// Whether the page only proposes it.
    pub proposed: bool,
    /// How sure and how old it is.
    pub checked: ConfidenceNote,
    /// Where it comes from.
    pub sources: Arc<[RuleSource]>,
    /// A remark.
    pub note: Option<RuleText>,
    /// What is said of the rate beside an answer, written once: it is read far more often than it changes.
    said: Option<Arc<QuoteNote>>,
    /// The remark of a charge: how old the rate is, the note, and the minimum where there is one.
    remark: Option<RuleText>,
    /// What a charge at this rate says, written once with the titles of the rules that asked.
    rule: CachedChargeRule,
}

/// The rule of a charge beside the titles it was written with; two rates are the same whether it was or not.
#[derive(Clone, Debug, Default)]
struct CachedChargeRule(OnceLock<(Arc<FieldTitles>, Arc<ChargeRule>)>);

impl PartialEq for CachedChargeRule {
    fn eq(&self, _: &CachedChargeRule) -> bool {
        true
    }
}

impl Eq for CachedChargeRule {}

/// What a row of the table says of a rate.
pub(super) struct LocalValue {
    pub(super) from: Option<NaiveDate>,
    pub(super) until: Option<NaiveDate>,
    pub(super) rate: Option<Rate>,
    pub(super) minimum: Option<Usd>,
    pub(super) proposed: bool,
    pub(super) checked: ConfidenceNote,
    pub(super) sources: Arc<[RuleSource]>,
    pub(super) note: Option<RuleText>,
}

impl LocalRate {
    pub(super) fn new(value: LocalValue) -> LocalRate {
        let LocalValue { from, until, rate, minimum, proposed, checked, sources, note } = value;
        let remark = Some(remark_text(&checked, note.as_ref(), minimum));
        let (said, rule) = (None, CachedChargeRule::default());
        LocalRate { from, until, rate, minimum, proposed, checked, sources, note, said, remark, rule }
    }

    /// The same rate for one category of a place, with what is said of it.
    pub(super) fn with_note_for(&self, place: &str, category: TaxCategory) -> LocalRate {
        LocalRate { said: Some(rate_note(place, category, self)), ..self.clone() }
    }

    /// What is said beside an answer that looked the rate up.
    pub(crate) fn note_of(&self, place: &Municipality, category: TaxCategory) -> Arc<QuoteNote> {
        match &self.said {
            Some(said) => Arc::clone(said),
            None => rate_note(&place.name, category, self),
        }
    }

    /// What a charge at `rate` says: this rate, or what is left of it.
    pub(crate) fn rule_at_rate(
        &self,
        place: &Municipality,
        rate: Rate,
        titles: &Arc<FieldTitles>,
    ) -> Arc<ChargeRule> {
        if Some(rate) != self.rate {
            return Arc::new(self.build_rule(place, rate, titles));
        }
        let kept =
            self.rule.0.get_or_init(|| (titles.clone(), Arc::new(self.build_rule(place, rate, titles))));
        if Arc::ptr_eq(&kept.0, titles) {
            Arc::clone(&kept.1)
        } else {
            Arc::new(self.build_rule(place, rate, titles))
        }
    }

    fn build_rule(&self, place: &Municipality, rate: Rate, titles: &FieldTitles) -> ChargeRule {
        let field = match place.kind {
            CountyOrCity::City => Charge::MunicipalFee,
            CountyOrCity::County => Charge::CountyFee,
        };
        ChargeRule {
            kind: Arc::clone(&KIND),
            field,
            title: [titles.of(field), ": ", &place.name].concat().into(),
            rate: Some(rate),
            at_most: None,
            flat: None,
            rounding: Rounding::Cent,
            from: self.from,
            until: self.until,
            dated_by: Arc::clone(&DATED_BY),
            sources: Arc::clone(&self.sources),
            checked: self.checked.clone(),
            note: self.remark.clone(),
        }
    }
}

static KIND: LazyLock<RuleText> = LazyLock::new(|| "local_government_premium_tax".into());
static DATED_BY: LazyLock<RuleText> = LazyLock::new(|| {
    "first day of the policy term; premium of a mid-term change by the date of the change; a return at the rate it was collected (KRS 91A.080(3))".into()
});

/// How sure and how old the rate is, or why nothing is charged by it.
fn rate_note(place: &str, category: TaxCategory, rate: &LocalRate) -> Arc<QuoteNote> {
    let name = format!("{place}, {}", category.line_category());
    let Some(fraction) = rate.rate.filter(|_| !rate.proposed) else {
        let (code, words) = if rate.proposed {
            let words = format!("{name}: the rate is only a proposal, so nothing was charged.");
            ("local_rate_proposed", words)
        } else {
            let remark = rate.note.as_deref().unwrap_or_default();
            let words = format!("{name}: the source names no single rate, so nothing was charged. {remark}");
            ("local_rate_not_found", words)
        };
        return QuoteNote::new(NoteLevel::Warning, code, &words, None);
    };
    let words = format!("{name}: {}% ({}).", fraction.to_percent(), rate.checked.text);
    let confirmed = rate.checked.level == Confidence::Confirmed;
    let level = if confirmed { NoteLevel::Info } else { NoteLevel::Warning };
    QuoteNote::new(level, "local_rate_age", &words, rate.sources.first())
}

fn remark_text(checked: &ConfidenceNote, note: Option<&RuleText>, minimum: Option<Usd>) -> RuleText {
    let age = format!("Rate: {}.", checked.text);
    let minimum = minimum
        .map(|m| format!("Minimum {} per quarter and insurer, not applied to one policy.", m.to_grouped()));
    let parts = [Some(age.as_str()), note.map(|note| &**note), minimum.as_deref()];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" ").into()
}
