//! Notices about due dates that come near: each due date once for each of the days ahead that the settings name.

use std::collections::BTreeMap;

use bordereau_api::{BoundaryError, DueEntry, DueNotice, DueRequest};
use bordereau_contract::{format_day, parse_calendar_day, parse_day, pluralize};
use bordereau_session::Context;
use bordereau_session::profile::active_profile;
use bordereau_session::settings::settings_load;
use bordereau_store::ValueName;
use chrono::NaiveDate;
use serde::{Deserialize, Serialize};

use super::operations::due_list;

/// Entries that a notice names.
const NAMED: usize = 3;

/// What was shown for a profile.
#[derive(Default, Serialize, Deserialize)]
struct ShownNotices {
    /// The day of the last look.
    looked_on: Option<NaiveDate>,
    /// By the entry's id.
    entries: BTreeMap<String, ShownEntry>,
}

/// The last notice about one entry.
#[derive(Serialize, Deserialize)]
struct ShownEntry {
    due: NaiveDate,
    /// Days ahead that it was shown for.
    lead: u32,
}

/// What is stored for a profile; before notices were kept by entry it was the day of the last look.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum StoredNotices {
    Shown(ShownNotices),
    LookedOn(NaiveDate),
}

/// When an entry is due, as a notice says it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum NoticeTime {
    /// Its day passed since the last look, as while the computer was off.
    Passed,
    /// Within so many days.
    Within(u32),
}

/// The notices that are due today for the profile in use, each returned once: also for what was fetched only now, and
/// for the days on which the computer was off.
///
/// # Errors
/// [`bordereau_api::ErrorCode::Storage`].
pub async fn due_notices(ctx: &Context) -> Result<Vec<DueNotice>, BoundaryError> {
    let leads = settings_load(ctx, Default::default()).await?.due_notice_days;
    let profile = active_profile(ctx).await?.id;
    let today = ctx.ports().clock.today();
    let stored = ctx.store().load_value::<BTreeMap<String, StoredNotices>>(ValueName::DueNotices).await?;
    let mut stored = stored.map(|(all, _)| all).unwrap_or_default();
    let mut shown = match stored.remove(&profile) {
        Some(StoredNotices::Shown(shown)) => shown,
        Some(StoredNotices::LookedOn(day)) => ShownNotices { looked_on: Some(day), ..Default::default() },
        None => ShownNotices::default(),
    };
    let list = due_list(ctx, DueRequest::default()).await?;
    let last_look = shown.looked_on;
    let notices = new_notices(&list.entries, &leads, &mut shown, today);
    if !notices.is_empty() || last_look != Some(today) {
        stored.insert(profile, StoredNotices::Shown(shown));
        ctx.store().save_value(ValueName::DueNotices, &stored, ctx.now_text()).await?;
    }
    Ok(notices)
}

/// One notice for each number of days, the nearest first. An entry is in the nearest that it reached, unless that or a
/// nearer one was shown for its day.
fn new_notices(
    entries: &[DueEntry],
    leads: &[u32],
    shown: &mut ShownNotices,
    today: NaiveDate,
) -> Vec<DueNotice> {
    let mut by_time: BTreeMap<NoticeTime, Vec<&DueEntry>> = BTreeMap::new();
    for entry in entries {
        let Some(due) = entry.due.as_deref().and_then(parse_calendar_day) else { continue };
        let Some(time) = notice_time(due, leads, shown.looked_on, today) else { continue };
        let lead = if let NoticeTime::Within(lead) = time { lead } else { 0 };
        if shown.entries.get(&entry.id).is_some_and(|last| last.due == due && last.lead <= lead) {
            continue;
        }
        shown.entries.insert(entry.id.clone(), ShownEntry { due, lead });
        by_time.entry(time).or_default().push(entry);
    }
    let looked_on = shown.looked_on.unwrap_or(today).min(today);
    shown.entries.retain(|_, last| last.due >= looked_on);
    shown.looked_on = Some(today);
    by_time.into_iter().map(|(time, entries)| due_notice(time, &entries)).collect()
}

/// The nearest of the times that a due date reached. What was past due at the first look is no news.
fn notice_time(
    due: NaiveDate,
    leads: &[u32],
    looked_on: Option<NaiveDate>,
    today: NaiveDate,
) -> Option<NoticeTime> {
    let days_left = (due - today).num_days();
    if days_left < 0 {
        let passed_now = leads.contains(&0) && looked_on.is_some_and(|day| due >= day);
        return passed_now.then_some(NoticeTime::Passed);
    }
    leads.iter().filter(|lead| days_left <= i64::from(**lead)).min().map(|lead| NoticeTime::Within(*lead))
}

fn due_notice(time: NoticeTime, entries: &[&DueEntry]) -> DueNotice {
    let when = match time {
        NoticeTime::Passed => "before today".to_owned(),
        NoticeTime::Within(0) => "today".to_owned(),
        NoticeTime::Within(lead) => format!("within {}", pluralize(lead, "day")),
    };
    let named = entries.iter().take(NAMED).map(|entry| {
        let day = entry.due.as_deref().and_then(parse_day).map(format_day).unwrap_or_default();
        let whose =
            if entry.count > 1 { pluralize(entry.count, "transaction") } else { entry.policy_number.clone() };
        format!("{day} {}: {}, {whose}", entry.state, entry.title)
    });
    let mut text = named.collect::<Vec<_>>().join("; ");
    if entries.len() > NAMED {
        text.push_str(&format!("; and {} more", entries.len() - NAMED));
    }
    DueNotice { title: format!("{} due {when}", entries.len()), text }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(due: &str) -> DueEntry {
        let (id, policy_number) = (format!("1-filing-{due}"), "P-1".into());
        let any = crate::due::ics::tests::entry("");
        DueEntry { id, policy_number, due: Some(due.into()), ..any }
    }

    fn titles(entries: &[DueEntry], leads: &[u32], shown: &mut ShownNotices, today: &str) -> Vec<String> {
        let notices = new_notices(entries, leads, shown, today.parse().unwrap());
        notices.into_iter().map(|notice| notice.title).collect()
    }

    #[test]
    fn each_due_date_is_shown_once_for_the_nearest_of_its_days() {
        let all: &[u32] = &[30, 15, 3, 0];
        /// The days chosen, and the days on which the computer was on with what was shown for 04/24/2026.
        type Case<'c> = (&'c [u32], &'c [(&'c str, &'c str)]);
        let cases: [Case; 7] = [
            (all, &[("2026-03-24", ""), ("2026-03-25", "1 due within 30 days"), ("2026-03-26", "")]),
            // The computer was off on the 15th day before.
            (all, &[("2026-03-25", "1 due within 30 days"), ("2026-04-12", "1 due within 15 days")]),
            // Two of its days passed: the nearer one alone.
            (all, &[("2026-03-01", ""), ("2026-04-21", "1 due within 3 days"), ("2026-04-21", "")]),
            // Fetched only now, although today was looked at before.
            (all, &[("2026-04-20", "1 due within 15 days"), ("2026-04-20", "")]),
            (&[30, 0], &[("2026-04-21", "1 due within 30 days"), ("2026-04-24", "1 due today")]),
            // Its day passed while the computer was off.
            (
                all,
                &[
                    ("2026-04-22", "1 due within 3 days"),
                    ("2026-04-27", "1 due before today"),
                    ("2026-04-28", ""),
                ],
            ),
            // Long past due at the first look.
            (all, &[("2026-05-27", ""), ("2026-05-28", "")]),
        ];
        for (leads, days) in cases {
            let entries = [entry("2026-04-24"), DueEntry { due: None, ..entry("2026-04-24") }];
            let mut shown = ShownNotices::default();
            for (today, expected) in days {
                let found = titles(&entries, leads, &mut shown, today).join(" ");
                assert_eq!(&found, expected, "{today} of {days:?}");
            }
        }
    }

    #[test]
    fn what_is_fetched_later_is_shown_and_what_was_shown_is_not() {
        let (mut shown, today) = (ShownNotices::default(), "2026-04-21");
        let of = |id: &str, due: &str| DueEntry { id: id.into(), ..entry(due) };
        assert_eq!(titles(&[], &[15, 3], &mut shown, today), [""; 0]);
        let (first, second) = (of("1", "2026-04-24"), of("2", "2026-04-30"));
        assert_eq!(
            titles(std::slice::from_ref(&first), &[15, 3], &mut shown, today),
            ["1 due within 3 days"]
        );
        let both = [first, second];
        assert_eq!(titles(&both, &[15, 3], &mut shown, today), ["1 due within 15 days"]);
        // The index was made again and is empty for a moment.
        assert_eq!(titles(&[], &[15, 3], &mut shown, today), [""; 0]);
        assert_eq!(titles(&both, &[15, 3], &mut shown, today), [""; 0]);
        // The rule gives it another day.
        assert_eq!(titles(&[of("1", "2026-04-23")], &[15, 3], &mut shown, today), ["1 due within 3 days"]);
    }

    #[test]
    fn what_an_earlier_version_stored_is_read() {
        let stored: BTreeMap<String, StoredNotices> =
            serde_json::from_str(r#"{"practice":"2026-04-20"}"#).unwrap();
        assert!(matches!(stored["practice"], StoredNotices::LookedOn(_)));
        let text = serde_json::to_string(&StoredNotices::Shown(ShownNotices::default())).unwrap();
        assert!(matches!(serde_json::from_str(&text).unwrap(), StoredNotices::Shown(_)));
    }

    #[test]
    fn many_are_one_notice_for_each_day() {
        let entries: Vec<_> = (0..5).map(|n| DueEntry { id: n.to_string(), ..entry("2026-04-24") }).collect();
        let mut shown = ShownNotices::default();
        let found = new_notices(&entries, &[3], &mut shown, "2026-04-21".parse().unwrap());
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].title, "5 due within 3 days");
        assert!(found[0].text.starts_with("04/24/2026 TX: Filing with SLTX, P-1; "), "{}", found[0].text);
        assert!(found[0].text.ends_with("; and 2 more"));
    }
}
