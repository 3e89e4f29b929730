//! What holds for every date.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use bordereau_calendar::{
    Calendar, DutySubject, federal_holiday, is_business_day, next_business_day, previous_business_day,
};
use bordereau_contract::{Jurisdiction, TransactionType};
use chrono::{Datelike, Days, NaiveDate};
use proptest::prelude::*;

fn date(year: i32, month: u32, day: u32) -> NaiveDate {
    NaiveDate::from_ymd_opt(year, month, day).unwrap()
}

fn any_day() -> impl Strategy<Value = NaiveDate> {
    (0..60_000u64).prop_map(|days| date(1990, 1, 1).checked_add_days(Days::new(days)).unwrap())
}

fn subject(state: Jurisdiction, effective: NaiveDate, filed: Option<u64>) -> DutySubject {
    DutySubject {
        state,
        transaction_type: TransactionType::New,
        policy_effective: date(2026, 7, 1),
        effective,
        issued: None,
        filed: filed.map(|days| effective.checked_add_days(Days::new(days)).unwrap()),
        paid: [None; 3],
    }
}

proptest! {
    #[test]
    fn a_moved_date_is_a_business_day_and_the_nearest(day in any_day()) {
        let (next, previous) = (next_business_day(day), previous_business_day(day));
        prop_assert!(is_business_day(next) && is_business_day(previous));
        prop_assert!(previous <= day && day <= next);
        prop_assert!((next - previous).num_days() <= 5, "never more than a long weekend");
        prop_assert!(!is_business_day(day) || (next == day && previous == day));
    }

    #[test]
    fn a_year_has_ten_to_twelve_holidays(year in 2022..2100) {
        let mut day = date(year, 1, 1);
        let mut found = 0;
        while day.year() == year {
            found += usize::from(federal_holiday(day).is_some());
            day = day.succ_opt().unwrap();
        }
        prop_assert!((10..=12).contains(&found), "{found}");
    }

    #[test]
    fn dates_are_after_their_cause_and_where_the_state_wants_them(
        state in prop::sample::select(Jurisdiction::ALL),
        effective in any_day(),
        filed in prop::option::of(0..90u64),
    ) {
        let calendar = Calendar::builtin();
        let state_moves = calendar.state_calendar(state).moves;
        for duty in calendar.duties_for(&subject(state, effective, filed)) {
            let Some(due) = duty.due else { continue };
            prop_assert!(effective < due, "{state} {}", duty.rule.title);
            prop_assert!(duty.statutory.unwrap() <= due);
            prop_assert!(duty.act_by.unwrap() <= due);
            prop_assert!(is_business_day(duty.act_by.unwrap()));
            let moves = duty.rule.moves.unwrap_or(state_moves);
            prop_assert!(!moves || is_business_day(due), "{state} {due}");
            if let Some((first, last)) = duty.period {
                prop_assert!(first <= last && last < due);
            }
        }
    }

    #[test]
    fn a_later_transaction_is_never_due_earlier(
        state in prop::sample::select(Jurisdiction::ALL),
        effective in any_day(),
        later in 0..900u64,
    ) {
        let calendar = Calendar::builtin();
        let first = calendar.duties_for(&subject(state, effective, None));
        let second_day = effective.checked_add_days(Days::new(later)).unwrap();
        let second = calendar.duties_for(&subject(state, second_day, None));
        for (one, two) in first.iter().zip(&second) {
            prop_assert!(one.due <= two.due, "{state} {} {:?} {:?}", one.rule.title, one.due, two.due);
        }
    }
}
