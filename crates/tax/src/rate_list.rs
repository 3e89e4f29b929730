//! What each state charges: every value with its days, what it falls on, its source and how sure it is.

use bordereau_contract::Jurisdiction;
use chrono::NaiveDate;

use crate::RuleBook;
use crate::answer::{ConfidenceNote, RuleSource};
use crate::rates_page::{describe_cap, describe_charge, format_value};
use crate::rules::{AgencyFee, DatedRate, FeeRule, RateLookup, RatedCharge, StateRules};

/// Where a value is in time, seen from a day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RateTime {
    /// It no longer holds.
    Past,
    /// It holds on the day.
    Current,
    /// It begins later.
    Coming,
}

/// One value of a charge.
#[derive(Clone, Debug)]
pub struct RateLine<'r> {
    /// Title of the charge.
    pub charge: &'r str,
    /// `4.85%` or `$2.00`.
    pub rate: String,
    /// What it falls on, and how.
    pub basis: String,
    /// Where it is in time.
    pub time: RateTime,
    /// First day; none where the start was not found.
    pub from: Option<NaiveDate>,
    /// The first day a source shows it, where its start was not found.
    pub known_from: Option<NaiveDate>,
    /// Last day; none where no end is known.
    pub until: Option<NaiveDate>,
    /// Which day of a transaction it is looked up by.
    pub dated_by: &'r str,
    /// Remark on the value.
    pub note: Option<&'r str>,
    /// How sure it is.
    pub checked: &'r ConfidenceNote,
    /// Where it is from.
    pub sources: &'r [RuleSource],
}

/// A rule beside the rates: which fees are taxed, limits, exemptions, what is not charged.
#[derive(Clone, Debug)]
pub struct RateRemark<'r> {
    /// What it is about.
    pub title: String,
    /// The rule in words.
    pub text: &'r str,
    /// How sure it is.
    pub checked: &'r ConfidenceNote,
    /// Where it is from.
    pub sources: &'r [RuleSource],
}

/// What a state charges.
#[derive(Clone, Debug)]
pub struct StateRates<'r> {
    /// The state.
    pub state: Jurisdiction,
    /// Day its rules were checked.
    pub checked_on: NaiveDate,
    /// Values charge by charge, oldest first.
    pub lines: Vec<RateLine<'r>>,
    /// The other rules.
    pub remarks: Vec<RateRemark<'r>>,
}

impl RuleBook {
    /// What a state charges, seen from a day.
    #[must_use]
    pub fn state_rates(&self, state: Jurisdiction, on: NaiveDate) -> StateRates<'_> {
        let rules = self.rules_of(state);
        let lines = rules
            .charges
            .iter()
            .flat_map(|charge| charge.series.iter().map(move |rate| rate_line(charge, rate, on)))
            .collect();
        StateRates { state, checked_on: rules.checked_on, lines, remarks: remarks_of(rules) }
    }
}

fn rate_line<'r>(charge: &'r RatedCharge, rate: &'r DatedRate, on: NaiveDate) -> RateLine<'r> {
    let holds = matches!(charge.series.value_on(on), RateLookup::Rate(found) if std::ptr::eq(found, rate));
    let time = if holds {
        RateTime::Current
    } else if rate.from.or(rate.known_from).is_some_and(|from| from > on) {
        RateTime::Coming
    } else {
        RateTime::Past
    };
    RateLine {
        charge: &charge.title,
        rate: format_value(rate),
        basis: describe_charge(charge),
        time,
        from: rate.from,
        known_from: rate.known_from,
        until: rate.until,
        dated_by: &charge.dated_by,
        note: rate.note.as_deref(),
        checked: &rate.checked,
        sources: &rate.sources,
    }
}

fn remarks_of(rules: &StateRules) -> Vec<RateRemark<'_>> {
    let AgencyFee { retail, licensee, .. } = &rules.agency;
    let mut remarks = if rules.agency.is_shared() {
        vec![fee_remark("Agency fee", licensee)]
    } else {
        vec![
            fee_remark("Agency fee of the retail agent", retail),
            fee_remark("Agency fee of the surplus lines licensee", licensee),
        ]
    };
    remarks.push(fee_remark("Inspection fee", &rules.inspection));
    remarks.extend(rules.caps.iter().map(|cap| RateRemark {
        title: describe_cap(cap),
        text: &cap.text,
        checked: &cap.checked,
        sources: &cap.sources,
    }));
    remarks.extend(rules.exemptions.iter().map(|exemption| RateRemark {
        title: "Exemption".to_owned(),
        text: &exemption.note.text,
        checked: &exemption.checked,
        sources: &[],
    }));
    remarks.extend(rules.tax_exempt.iter().map(|rule| RateRemark {
        title: rule.title().to_owned(),
        text: &rule.text,
        checked: &rule.checked,
        sources: &rule.sources,
    }));
    remarks.extend(rules.recorded.iter().map(|record| RateRemark {
        title: format!("Not charged: {}, {}", record.kind, record.value),
        text: &record.text,
        checked: &record.checked,
        sources: &record.sources,
    }));
    remarks
}

fn fee_remark<'r>(what: &str, rule: &'r FeeRule) -> RateRemark<'r> {
    let taxed = match rule.taxed_if_known() {
        None => "not found whether it is taxed",
        Some(true) => "taxed",
        Some(false) => "not taxed",
    };
    let title = format!("{what}: {taxed}");
    RateRemark { title, text: &rule.text, checked: &rule.checked, sources: &rule.sources }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_that_changed_is_current_on_its_days_only() {
        let book = RuleBook::builtin();
        let on = |day: &str| {
            let rates = book.state_rates("TX".parse().unwrap(), day.parse().unwrap());
            let lines = rates.lines.into_iter().filter(|line| line.charge.contains("Stamping"));
            lines.map(|line| (line.rate, line.time)).collect::<Vec<_>>()
        };
        let current = |day| {
            on(day)
                .into_iter()
                .filter(|(_, time)| *time == RateTime::Current)
                .map(|(rate, _)| rate)
                .collect::<Vec<_>>()
        };
        assert_eq!(current("2026-11-22"), ["0.04%"]);
        assert_eq!(current("2023-06-01"), ["0.075%"]);
        assert!(on("2023-06-01").iter().any(|(rate, time)| rate == "0.04%" && *time == RateTime::Coming));
        assert!(on("2026-11-22").iter().any(|(rate, time)| rate == "0.075%" && *time == RateTime::Past));
    }

    #[test]
    fn every_value_has_a_source_or_says_that_none_was_found() {
        let book = RuleBook::builtin();
        for state in Jurisdiction::ALL.iter().copied() {
            let rates = book.state_rates(state, book.rules_checked());
            assert!(!rates.remarks.is_empty(), "{state:?}");
            for line in rates.lines {
                let found = line.checked.level != crate::Confidence::NotFound;
                assert!(!found || !line.sources.is_empty(), "{state:?} {}", line.charge);
            }
        }
    }
}
