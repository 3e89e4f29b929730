//! From a transaction to what has to be done with it.

use bordereau_contract::{DueKind, Jurisdiction, PaidCharge, TransactionType};
use chrono::NaiveDate;

use crate::Calendar;
use crate::due_dates::{add_days, billing_dates, period_bounds, period_due};
use crate::rest_day::{is_business_day, next_business_day, previous_business_day};
use crate::rule::{CountedFrom, DueRule, DutyRule, PenaltyRule, PeriodBy, StateCalendar};

/// A transaction, as far as dates depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DutySubject {
    /// State.
    pub state: Jurisdiction,
    /// Its type.
    pub transaction_type: TransactionType,
    /// Effective date of the policy: decides which rules apply.
    pub policy_effective: NaiveDate,
    /// Effective date of the transaction: from it days are counted.
    pub effective: NaiveDate,
    /// Date of issue or invoice, where known.
    pub issued: Option<NaiveDate>,
    /// When it was filed.
    pub filed: Option<NaiveDate>,
    /// When each payment was made, in the order of [`PaidCharge::ALL`].
    pub paid: [Option<NaiveDate>; PaidCharge::ALL.len()],
}

/// Something that has to be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Duty<'a> {
    /// The rule it comes from.
    pub rule: &'a DutyRule,
    /// First and last day of the period it belongs to.
    pub period: Option<(NaiveDate, NaiveDate)>,
    /// The date as the rule has it; `None` where no day is known.
    pub statutory: Option<NaiveDate>,
    /// The last day to do it: moved to the next business day where the state says so.
    pub due: Option<NaiveDate>,
    /// The last business day not after `due`: by then it is certainly in time, also where it was not found
    /// whether a rest day moves the date.
    pub act_by: Option<NaiveDate>,
    /// First and last day on which it is billed.
    pub billed: Option<(NaiveDate, NaiveDate)>,
    /// What was assumed for an unknown date: the effective date for that of procurement, of issue or of
    /// filing. The date it gives is never too late, except that a procurement before the effective date
    /// would make it earlier.
    pub assumed: Option<&'static str>,
    /// When it was done, as far as the record tells.
    pub done: Option<NaiveDate>,
}

impl Calendar {
    /// Everything that has to be done with a transaction, done or not, in the order of the state's file.
    pub fn duties_for(&self, subject: &DutySubject) -> Vec<Duty<'_>> {
        // A binder is followed by its policy, which is what is filed and taxed.
        if subject.transaction_type == TransactionType::Binder {
            return Vec::new();
        }
        let state = self.state_calendar(subject.state);
        let applies = |rule: &&DutyRule| {
            rule.from.is_none_or(|from| from <= subject.policy_effective)
                && rule.until.is_none_or(|until| subject.policy_effective <= until)
        };
        state.duties.iter().filter(applies).map(|rule| build_duty(state, rule, subject)).collect()
    }

    /// What is known of being late with this.
    pub fn penalty_for(
        &self,
        state: Jurisdiction,
        kind: DueKind,
        effective: NaiveDate,
    ) -> Option<&PenaltyRule> {
        let penalties = self.state_calendar(state).penalties.iter();
        penalties.filter(|rule| rule.kind == kind).find(|rule| rule.from.is_none_or(|from| from <= effective))
    }
}

fn build_duty<'a>(state: &'a StateCalendar, rule: &'a DutyRule, subject: &DutySubject) -> Duty<'a> {
    let (statutory, period, assumed) = match &rule.when {
        DueRule::Undated(_) => (None, None, None),
        DueRule::After(days, from) => {
            let assumed = match from {
                CountedFrom::Procured | CountedFrom::EndOfMonth | CountedFrom::EndOfQuarter => {
                    Some("the effective date is used for the date of procurement")
                }
                CountedFrom::LaterOfEffectiveAndIssue if subject.issued.is_none() => {
                    Some("the effective date is used for the date of issue, which is not known")
                }
                _ => None,
            };
            (add_days(*days, *from, subject.effective, subject.issued), None, assumed)
        }
        DueRule::Period(rule) => {
            let (by, assumed) = match (rule.by, subject.filed) {
                (PeriodBy::Filed, Some(filed)) => (filed, None),
                (PeriodBy::Filed, None) => (
                    subject.effective,
                    Some("the effective date is used for the date of filing, until it is filed"),
                ),
                (PeriodBy::Effective, _) => (subject.effective, None),
            };
            let period = period_bounds(rule.length, by);
            (period.and_then(|(_, last)| period_due(rule, last)), period, assumed)
        }
    };
    let moves = rule.moves.unwrap_or(state.moves);
    let due = statutory.map(|day| if moves { next_business_day(day) } else { day });
    let billing = rule.billing.zip(period).and_then(|(billing, (_, last))| billing_dates(billing, last));
    Duty {
        rule,
        period,
        statutory,
        due,
        act_by: due.map(|day| if is_business_day(day) { day } else { previous_business_day(day) }),
        billed: billing,
        assumed,
        done: done_date(rule.kind, subject),
    }
}

fn done_date(kind: DueKind, subject: &DutySubject) -> Option<NaiveDate> {
    match kind {
        DueKind::Filing => subject.filed,
        kind => kind.payment().and_then(|payment| subject.paid[payment as usize]),
    }
}
