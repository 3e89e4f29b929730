//! Converts records into due entries, each thing once.

use std::collections::{BTreeMap, HashMap};

use bordereau_calendar::{Calendar, DueRule, Duty, DutySubject};
use bordereau_contract::{DueKind, TransactionRecord};
use chrono::NaiveDate;

use super::subject::{duty_amount, duty_subject};
use bordereau_api::{DueEntry, DueMarkView, DueUrgency};
use bordereau_contract::pluralize;
use bordereau_quotes::source_ref;

/// Days within which something is soon.
const SOON: i32 = 7;
/// Days a report or affidavit stays in the list after its day, unmarked: no record shows whether an older one
/// was done long before this desk knew of it.
const UNMARKED_FOR: i32 = 120;

/// All entries of the records, and how many records have no known due date.
pub(super) fn due_entries(
    records: &[TransactionRecord],
    marks: &HashMap<String, DueMarkView>,
    today: NaiveDate,
    calendar: &Calendar,
) -> (Vec<DueEntry>, u32) {
    let mut by_period: BTreeMap<String, DueEntry> = BTreeMap::new();
    let mut entries = Vec::new();
    let mut unreadable = 0;
    for record in records {
        let Some(subject) = duty_subject(record) else {
            unreadable += 1;
            continue;
        };
        for duty in calendar.duties_for(&subject) {
            if duty.done.is_some() || is_nothing_owed(record, &duty) {
                continue;
            }
            if duty.rule.kind.is_on_record() {
                let id = format!("{}-{}", record.id, duty_slug(&duty));
                entries.push(due_entry(id, record, &subject, (&duty, calendar), today));
                continue;
            }
            let id = period_id(&subject, &duty);
            let of_period = by_period
                .entry(id.clone())
                .or_insert_with(|| due_entry(id, record, &subject, (&duty, calendar), today));
            of_period.count += 1;
        }
    }
    let lasting = |entry: &DueEntry| {
        marks.contains_key(&entry.id) || entry.days_left.is_none_or(|left| left >= -UNMARKED_FOR)
    };
    entries.extend(by_period.into_values().filter(lasting));
    for entry in &mut entries {
        entry.mark = marks.get(&entry.id).cloned();
    }
    entries.sort_by(compare_entries);
    (entries, unreadable)
}

/// Overdue first, by day; what has no day comes last.
fn compare_entries(a: &DueEntry, b: &DueEntry) -> std::cmp::Ordering {
    let key = |entry: &DueEntry| (entry.due.is_none(), entry.due.clone());
    key(a).cmp(&key(b)).then_with(|| a.state.cmp(&b.state)).then_with(|| a.id.cmp(&b.id))
}

/// A charge of zero, or a credit, is not paid.
fn is_nothing_owed(record: &TransactionRecord, duty: &Duty<'_>) -> bool {
    use bordereau_money::Usd;
    let is_paid = matches!(duty.rule.kind, DueKind::Tax | DueKind::StampingFee | DueKind::OtherTax);
    is_paid && duty_amount(record, duty.rule.kind).is_some_and(|amount| amount <= Usd::ZERO)
}

/// Letters and digits of kind and title: distinguishes duties of one kind.
fn duty_slug(duty: &Duty<'_>) -> String {
    let title = duty.rule.title.to_lowercase();
    let words: Vec<&str> =
        title.split(|c: char| !c.is_ascii_alphanumeric()).filter(|w| !w.is_empty()).collect();
    format!("{}-{}", duty.rule.kind.word(), words.join("-"))
}

/// One entry for all transactions of a state and period.
fn period_id(subject: &DutySubject, duty: &Duty<'_>) -> String {
    let period = duty.period.map_or_else(|| "always".to_owned(), |(first, _)| first.to_string());
    format!("{}-{period}-{}", subject.state.code(), duty_slug(duty))
}

fn due_entry(
    id: String,
    record: &TransactionRecord,
    subject: &DutySubject,
    (duty, calendar): (&Duty<'_>, &Calendar),
    today: NaiveDate,
) -> DueEntry {
    let rule = duty.rule;
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    let days_left = duty.due.map(|due| i32::try_from((due - today).num_days()).unwrap_or(i32::MAX));
    let standing = match days_left {
        None => DueUrgency::Undated,
        Some(left) if left < 0 => DueUrgency::Overdue,
        Some(left) if left <= SOON => DueUrgency::Soon,
        Some(_) => DueUrgency::Later,
    };
    let penalty = calendar.penalty_for(subject.state, rule.kind, subject.policy_effective);
    let span = |(first, last): (NaiveDate, NaiveDate)| (first.to_string(), last.to_string());
    let is_one = rule.kind.is_on_record();
    DueEntry {
        id,
        standing,
        kind: rule.kind.word().to_owned(),
        title: rule.title.clone(),
        state: subject.state.code().to_owned(),
        transaction_id: record.id.to_string(),
        count: u32::from(is_one),
        policy_number: text(&record.policy_number),
        insured: text(&record.mailing_insured_name),
        transaction_type: subject.transaction_type.code().to_owned(),
        due: duty.due.map(|day| day.to_string()),
        statutory: duty.statutory.filter(|day| Some(*day) != duty.due).map(|day| day.to_string()),
        act_by: duty.act_by.filter(|day| Some(*day) != duty.due).map(|day| day.to_string()),
        days_left,
        period: duty.period.map(span),
        by_filing: is_by_filing(&rule.when),
        billed: duty.billed.map(span),
        amount: if is_one { duty_amount(record, rule.kind).map(|amount| amount.to_string()) } else { None },
        rule: rule_words(&rule.when),
        assumed: duty.assumed.map(str::to_owned),
        condition: rule.condition.clone(),
        note: rule.note.clone(),
        late: penalty.map(|rule| rule.text.clone()),
        sureness: rule.checked.level,
        checked: rule.checked.text.to_string(),
        sources: rule.sources.iter().map(source_ref).collect(),
        mark: None,
        assigned: None,
    }
}

fn is_by_filing(when: &DueRule) -> bool {
    matches!(when, DueRule::Period(period) if matches!(period.by, bordereau_calendar::PeriodBy::Filed))
}

/// The rule in a few words.
fn rule_words(when: &DueRule) -> String {
    use bordereau_calendar::{CountedFrom, PeriodBy, PeriodLength};
    match when {
        DueRule::Undated(sentence) => sentence.clone(),
        DueRule::After(days, from) => {
            let from = match from {
                CountedFrom::Effective => "the effective date",
                CountedFrom::Procured => "procurement",
                CountedFrom::LaterOfEffectiveAndIssue => "the later of effective and issue date",
                CountedFrom::EndOfMonth => "the end of the month of procurement",
                CountedFrom::EndOfQuarter => "the end of the quarter",
            };
            format!("{} after {from}", pluralize(*days, "day"))
        }
        DueRule::Period(period) => {
            let length = match period.length {
                PeriodLength::Month => "month",
                PeriodLength::Quarter => "quarter",
                PeriodLength::HalfYear => "half-year",
                PeriodLength::Year => "year",
            };
            let by = match period.by {
                PeriodBy::Effective => "effective date",
                PeriodBy::Filed => "filing",
            };
            format!("By {length} of the {by}")
        }
    }
}

#[cfg(test)]
mod tests {
    use bordereau_money::Usd;

    use super::*;

    fn record(id: i64, state: &str, effective: &str) -> TransactionRecord {
        TransactionRecord {
            id,
            transaction_type: Some("PN".into()),
            physical_state: Some(state.into()),
            policy_number: Some(format!("P-{id}")),
            policy_effective_date: Some(effective.into()),
            transaction_effective_date: Some(effective.into()),
            sl_tax: Usd::parse("48.50").ok(),
            stamping_fee: Usd::parse("0").ok(),
            ..TransactionRecord::default()
        }
    }

    fn sent_under(records: &[TransactionRecord], marks: &[&str], today: &str) -> Vec<DueEntry> {
        let mark = DueMarkView {
            kind: bordereau_api::DueMarkKind::Done,
            note: String::new(),
            at: String::new(),
            by: String::new(),
            revision: String::new(),
        };
        let marks = marks.iter().map(|id| ((*id).to_owned(), mark.clone())).collect();
        due_entries(records, &marks, today.parse().unwrap(), Calendar::builtin()).0
    }

    #[test]
    fn overdue_comes_first_and_nothing_is_due_once_all_is_done() {
        let mut texas = record(1, "TX", "2026-02-23");
        let found = sent_under(&[record(2, "TX", "2026-06-01"), texas.clone()], &[], "2026-05-01");
        let shown: Vec<_> = found
            .iter()
            .map(|e| (e.kind.as_str(), e.transaction_id.as_str(), e.due.as_deref().unwrap()))
            .collect();
        assert_eq!(
            shown,
            [
                ("filing", "1", "2026-04-24"),
                ("filing", "2", "2026-07-31"),
                ("tax", "1", "2027-03-01"),
                ("tax", "2", "2027-03-01"),
            ]
        );
        assert_eq!((found[0].standing, found[0].days_left), (DueUrgency::Overdue, Some(-7)));
        assert_eq!(found[2].amount.as_deref(), Some("48.50"));
        texas.date_filed = Some("2026-04-01".into());
        texas.sl_tax_paid_date = Some("2026-04-02 10:00:00".into());
        assert!(sent_under(&[texas], &[], "2026-05-01").is_empty());
    }

    #[test]
    fn a_report_of_a_period_is_one_entry_until_it_is_marked() {
        let both = [record(1, "NH", "2026-06-02"), record(2, "NH", "2026-06-20")];
        let found = sent_under(&both, &[], "2026-07-01");
        let reports: Vec<_> = found.iter().filter(|entry| entry.kind == "report").collect();
        assert_eq!(reports.len(), 1);
        assert_eq!((reports[0].count, reports[0].due.as_deref()), (2, Some("2026-07-10")));
        assert!(reports[0].mark.is_none() && reports[0].standing == DueUrgency::Later);
        let marked = sent_under(&both, &[reports[0].id.as_str()], "2026-07-01");
        assert!(marked.iter().all(|entry| (entry.kind == "report") == entry.mark.is_some()));
        assert!(
            sent_under(&both, &[], "2027-03-01").iter().all(|entry| entry.kind != "report"),
            "too long ago"
        );
    }

    #[test]
    fn what_has_no_day_is_said_last_in_words() {
        let mut california = record(1, "CA", "2026-02-02");
        california.stamping_fee = Usd::parse("1.95").ok();
        let found = sent_under(&[california], &[], "2026-02-03");
        let kinds: Vec<_> = found.iter().map(|entry| (entry.kind.as_str(), entry.due.is_some())).collect();
        assert_eq!(kinds, [("filing", true), ("tax", true), ("stamping_fee", false)]);
        assert!(found[2].rule.contains("On receipt of the monthly invoice"));
    }

    #[test]
    fn credits_and_records_without_dates() {
        let mut credit = record(1, "TX", "2026-02-23");
        credit.transaction_type = Some("RPE".into());
        credit.sl_tax = Usd::parse("-10").ok();
        let kinds: Vec<_> =
            sent_under(&[credit], &[], "2026-03-01").into_iter().map(|entry| entry.kind).collect();
        assert_eq!(kinds, ["filing"]);
        // The same where the service gives no sign, and what a return may be charged with is due.
        let mut unsigned = record(1, "CA", "2026-02-23");
        unsigned.transaction_type = Some("RPE".into());
        unsigned.premium = Usd::parse("20935.24").ok();
        unsigned.stamping_fee = Usd::parse("37.68").ok();
        let paid = |record: &TransactionRecord| {
            let found = sent_under(std::slice::from_ref(record), &[], "2026-03-01");
            found.iter().filter(|entry| entry.amount.is_some()).count()
        };
        assert_eq!(paid(&unsigned), 0);
        unsigned.premium = Some(Usd::ZERO);
        assert_eq!(paid(&unsigned), 2);
        let (found, unreadable) = due_entries(
            &[record(1, "", "2026-02-23"), record(2, "TX", "soon")],
            &HashMap::new(),
            NaiveDate::from_ymd_opt(2026, 3, 1).unwrap(),
            Calendar::builtin(),
        );
        assert_eq!((found.len(), unreadable), (0, 2));
    }
}
