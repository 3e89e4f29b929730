//! A charge's rates over time: no gap that is not declared, no overlap, an exact answer for a day.

use std::sync::Arc;

use bordereau_money::{Rate, Usd};
use chrono::NaiveDate;

use crate::ChargeRule;
use crate::answer::{ConfidenceNote, QuoteNote, RuleSource, RuleText};

/// A percentage or a fixed amount.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RateValue {
    /// With the most that is charged, USD.
    Percent(Rate, Option<Usd>),
    Flat(Usd),
}

/// One value with its dates.
#[derive(Clone, Debug)]
pub(crate) struct DatedRate {
    pub from: Option<NaiveDate>,
    /// The first day a source shows the value, where its start was not found.
    pub known_from: Option<NaiveDate>,
    pub until: Option<NaiveDate>,
    pub end_not_found: bool,
    pub gap_after: bool,
    pub value: RateValue,
    pub announced: bool,
    pub checked: ConfidenceNote,
    pub sources: Arc<[RuleSource]>,
    pub note: Option<RuleText>,
    /// What every charge at this rate says.
    pub rule: Arc<ChargeRule>,
    /// Said beside every answer that uses this value while it is not sure.
    pub caution: Option<Arc<QuoteNote>>,
    /// Said on a later transaction of a policy that is charged so much at most.
    pub charged_before: Option<Arc<QuoteNote>>,
}

/// Values of one charge, oldest first.
#[derive(Clone, Debug)]
pub(crate) struct RateSeries {
    rates: Vec<DatedRate>,
    /// Nothing was charged before the first one.
    begins: bool,
    /// Nothing is charged after the last one.
    ends: bool,
}

/// What holds on a day.
#[derive(Debug)]
pub(crate) enum RateLookup<'r> {
    /// This value.
    Rate(&'r DatedRate),
    /// The charge did not exist.
    NotCharged,
    /// No value is known for the day.
    Unknown,
}

/// What is wrong with a series.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SeriesProblem {
    /// There is no value at all.
    #[error("there is no rate")]
    Empty,
    /// A value ends before it begins.
    #[error("a rate ends on {until}, before it begins on {from}")]
    Reversed {
        /// Its start.
        from: NaiveDate,
        /// Its end.
        until: NaiveDate,
    },
    /// Days without a value that the file does not declare.
    #[error("no rate between {after} and {before}, and the gap is not declared")]
    Gap {
        /// Last day of the earlier value.
        after: NaiveDate,
        /// First day of the later value.
        before: NaiveDate,
    },
    /// Two values on one day.
    #[error("two rates on {0}")]
    Overlap(NaiveDate),
    /// A value without start follows one whose end is known, or one without end is not the last.
    #[error("a rate {0} says neither where it begins nor where the one before it ends")]
    Open(usize),
}

impl RateSeries {
    pub(crate) fn new(rates: Vec<DatedRate>, begins: bool, ends: bool) -> Result<RateSeries, SeriesProblem> {
        if rates.is_empty() {
            return Err(SeriesProblem::Empty);
        }
        for rate in &rates {
            if let (Some(from), Some(until)) = (rate.from, rate.until)
                && until < from
            {
                return Err(SeriesProblem::Reversed { from, until });
            }
        }
        for (at, pair) in rates.windows(2).enumerate() {
            check_step(at + 1, &pair[0], &pair[1])?;
        }
        Ok(RateSeries { rates, begins, ends })
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &DatedRate> {
        self.rates.iter()
    }

    /// What holds on the day. Dates are few, so the newest first is the quickest way.
    pub(crate) fn value_on(&self, date: NaiveDate) -> RateLookup<'_> {
        for (at, rate) in self.rates.iter().enumerate().rev() {
            if self.start_date(at).is_some_and(|from| date < from) {
                continue;
            }
            let last = if rate.end_not_found { rate.from } else { rate.until };
            return if last.is_none_or(|last| date <= last) {
                RateLookup::Rate(rate)
            } else if self.ends_with(rate) {
                RateLookup::NotCharged
            } else {
                RateLookup::Unknown
            };
        }
        if self.begins { RateLookup::NotCharged } else { RateLookup::Unknown }
    }

    /// First day on which a value surely holds.
    fn start_date(&self, at: usize) -> Option<NaiveDate> {
        let rate = &self.rates[at];
        rate.from.or(rate.known_from)
    }

    /// Days on which a value begins.
    pub(crate) fn start_dates(&self) -> impl Iterator<Item = NaiveDate> {
        (0..self.rates.len()).filter_map(|at| self.start_date(at))
    }

    /// Whether it is known that nothing was charged before this value.
    pub(crate) fn begins_with(&self, rate: &DatedRate) -> bool {
        self.begins && self.rates.first().is_some_and(|first| std::ptr::eq(first, rate))
    }

    /// Whether it is known that nothing is charged after this value.
    pub(crate) fn ends_with(&self, rate: &DatedRate) -> bool {
        self.ends && self.rates.last().is_some_and(|last| std::ptr::eq(last, rate))
    }
}

fn check_step(at: usize, before: &DatedRate, after: &DatedRate) -> Result<(), SeriesProblem> {
    if before.end_not_found {
        // The days between are known to no one: the later value holds from where a source shows it.
        let start = after.from.or(after.known_from);
        let declared = before.until.is_none() && before.from.is_some_and(|from| Some(from) < start);
        return if declared { Ok(()) } else { Err(SeriesProblem::Open(at)) };
    }
    // After a declared gap it is enough to know from where a source shows the value.
    let shown = if before.gap_after { after.from.or(after.known_from) } else { after.from };
    let (Some(until), Some(from), true) =
        (before.until, shown, before.gap_after || after.known_from.is_none())
    else {
        return Err(SeriesProblem::Open(at));
    };
    if from <= until {
        return Err(SeriesProblem::Overlap(from));
    }
    if from != next_day(until) && !before.gap_after {
        return Err(SeriesProblem::Gap { after: until, before: from });
    }
    Ok(())
}

/// The day after; the last day of the calendar stays where it is.
pub(crate) fn next_day(date: NaiveDate) -> NaiveDate {
    date.succ_opt().unwrap_or(date)
}

/// A rate in percent as an amount of the contract's form; a rate is at most 100%, so it always fits.
pub(crate) fn percent_amount(rate: Rate) -> Usd {
    Usd::parse(&rate.to_percent().to_string()).unwrap_or(Usd::ZERO)
}
