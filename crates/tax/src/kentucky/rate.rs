//! A rate of Kentucky's city and county tax, and what is said of it.

use std::sync::{Arc, LazyLock, OnceLock};

use bordereau_contract::Charge;
use bordereau_money::{Rate, Rounding, Usd};
use chrono::NaiveDate;

use super::{Category, Municipality};
use crate::ChargeRule;
use crate::answer::{Checked, Confidence, CountyOrCity, Note, NoteLevel, Source, Text, Titles};

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
    pub checked: Checked,
    /// Where it comes from.
    pub sources: Arc<[Source]>,
    /// A remark.
    pub note: Option<Text>,
    /// What is said of the rate beside an answer, written once: it is read far more often than it changes.
    said: Option<Arc<Note>>,
    /// The remark of a charge: how old the rate is, the note, and the minimum where there is one.
    remark: Option<Text>,
    /// What a charge at this rate says, written once with the titles of the rules that asked.
    rule: Kept,
}

/// The rule of a charge beside the titles it was written with; two rates are the same whether it was or not.
#[derive(Clone, Debug, Default)]
struct Kept(OnceLock<(Arc<Titles>, Arc<ChargeRule>)>);

impl PartialEq for Kept {
    fn eq(&self, _: &Kept) -> bool {
        true
    }
}

impl Eq for Kept {}

/// What a row of the table says of a rate.
pub(super) struct LocalValue {
    pub(super) from: Option<NaiveDate>,
    pub(super) until: Option<NaiveDate>,
    pub(super) rate: Option<Rate>,
    pub(super) minimum: Option<Usd>,
    pub(super) proposed: bool,
    pub(super) checked: Checked,
    pub(super) sources: Arc<[Source]>,
    pub(super) note: Option<Text>,
}

impl LocalRate {
    pub(super) fn new(value: LocalValue) -> LocalRate {
        let LocalValue { from, until, rate, minimum, proposed, checked, sources, note } = value;
        let remark = Some(remark(&checked, note.as_ref(), minimum));
        let (said, rule) = (None, Kept::default());
        LocalRate { from, until, rate, minimum, proposed, checked, sources, note, said, remark, rule }
    }

    /// The same rate for one category of a place, with what is said of it.
    pub(super) fn said_of(&self, place: &str, category: Category) -> LocalRate {
        LocalRate { said: Some(said(place, category, self)), ..self.clone() }
    }

    /// What is said beside an answer that looked the rate up.
    pub(crate) fn note_of(&self, place: &Municipality, category: Category) -> Arc<Note> {
        match &self.said {
            Some(said) => Arc::clone(said),
            None => said(&place.name, category, self),
        }
    }

    /// What a charge at `rate` says: this rate, or what is left of it.
    pub(crate) fn rule(&self, place: &Municipality, rate: Rate, titles: &Arc<Titles>) -> Arc<ChargeRule> {
        if Some(rate) != self.rate {
            return Arc::new(self.written(place, rate, titles));
        }
        let kept = self.rule.0.get_or_init(|| (titles.clone(), Arc::new(self.written(place, rate, titles))));
        if Arc::ptr_eq(&kept.0, titles) {
            Arc::clone(&kept.1)
        } else {
            Arc::new(self.written(place, rate, titles))
        }
    }

    fn written(&self, place: &Municipality, rate: Rate, titles: &Titles) -> ChargeRule {
        let field = match place.kind {
            CountyOrCity::City => Charge::MunicipalFee,
            CountyOrCity::County => Charge::CountyFee,
        };
        ChargeRule {
            kind: Arc::clone(&KIND),
            field,
            title: [titles.of(field), ": ", &place.name].concat().into(),
            rate: Some(rate),
            flat: None,
            rounding: Rounding::CENT,
            from: self.from,
            until: self.until,
            dated_by: Arc::clone(&DATED_BY),
            sources: Arc::clone(&self.sources),
            checked: self.checked.clone(),
            note: self.remark.clone(),
        }
    }
}

static KIND: LazyLock<Text> = LazyLock::new(|| "local_government_premium_tax".into());
static DATED_BY: LazyLock<Text> = LazyLock::new(|| {
    "first day of the policy term; premium of a mid-term change by the date of the change; a return at the rate it was collected (KRS 91A.080(3))".into()
});

/// How sure and how old the rate is, or why nothing is charged by it.
fn said(place: &str, category: Category, rate: &LocalRate) -> Arc<Note> {
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
        return Note::new(NoteLevel::Warning, code, &words, None);
    };
    let words = format!("{name}: {}% ({}).", fraction.percent(), rate.checked.text);
    let confirmed = rate.checked.level == Confidence::Confirmed;
    let level = if confirmed { NoteLevel::Info } else { NoteLevel::Warning };
    Note::new(level, "local_rate_age", &words, rate.sources.first())
}

fn remark(checked: &Checked, note: Option<&Text>, minimum: Option<Usd>) -> Text {
    let age = format!("Rate: {}.", checked.text);
    let minimum = minimum
        .map(|m| format!("Minimum {} per quarter and insurer, not applied to one policy.", m.to_grouped()));
    let parts = [Some(age.as_str()), note.map(|note| &**note), minimum.as_deref()];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" ").into()
}
