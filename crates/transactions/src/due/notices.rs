//! Notices about due dates that come near: each once for each of the days that the settings name.

use std::collections::BTreeMap;

use bordereau_api::{BoundaryError, DueEntry, DueNotice, DueRequest};
use bordereau_contract::{format_day, parse_calendar_day, parse_day, pluralize};
use bordereau_session::Context;
use bordereau_session::profile::active_profile;
use bordereau_session::settings::settings_load;
use bordereau_store::ValueName;
use chrono::{Days, NaiveDate};

use super::operations::due_list;

/// Entries that a notice names.
const NAMED: usize = 3;

/// The notices that are due today for the profile in use, each returned once. A machine that was off on the day shows
/// them when it is on again.
///
/// # Errors
/// [`bordereau_api::ErrorCode::Storage`].
pub async fn due_notices(ctx: &Context) -> Result<Vec<DueNotice>, BoundaryError> {
    let leads = settings_load(ctx, Default::default()).await?.due_notice_days;
    let profile = active_profile(ctx).await?.id;
    let today = ctx.ports().clock.today();
    let stored = ctx.store().load_value::<BTreeMap<String, String>>(ValueName::DueNotices).await?;
    let mut shown_until = stored.map(|(days, _)| days).unwrap_or_default();
    // On the first day only what has its day today: all that is due at once would be no notice.
    let since = shown_until.get(&profile).and_then(|day| parse_calendar_day(day));
    let since = since.unwrap_or_else(|| today.checked_sub_days(Days::new(1)).unwrap_or(today));
    if since >= today {
        return Ok(Vec::new());
    }
    let list = due_list(ctx, DueRequest::default()).await?;
    let notices = notices_between(&list.entries, &leads, since, today);
    shown_until.insert(profile, today.to_string());
    ctx.store().save_value(ValueName::DueNotices, &shown_until, ctx.now_text()).await?;
    Ok(notices)
}

/// One notice for each number of days, the nearest first; an entry that reached several is in the nearest.
fn notices_between(
    entries: &[DueEntry],
    leads: &[u32],
    since: NaiveDate,
    today: NaiveDate,
) -> Vec<DueNotice> {
    let mut by_lead: BTreeMap<u32, Vec<&DueEntry>> = BTreeMap::new();
    for entry in entries {
        let Some(due) = entry.due.as_deref().and_then(parse_calendar_day).filter(|due| *due >= today) else {
            continue;
        };
        let reached = |lead: &&u32| {
            due.checked_sub_days(Days::new(u64::from(**lead))).is_some_and(|day| day > since && day <= today)
        };
        if let Some(lead) = leads.iter().filter(reached).min() {
            by_lead.entry(*lead).or_default().push(entry);
        }
    }
    by_lead.into_iter().map(|(lead, entries)| due_notice(lead, &entries)).collect()
}

fn due_notice(lead: u32, entries: &[&DueEntry]) -> DueNotice {
    let when = if lead == 0 { "today".to_owned() } else { format!("within {}", pluralize(lead, "day")) };
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
    use bordereau_api::{DueStanding, Sureness};

    use super::*;

    fn entry(due: &str) -> DueEntry {
        DueEntry {
            id: format!("1-filing-{due}"),
            standing: DueStanding::Later,
            kind: "filing".into(),
            title: "Filing with SLTX".into(),
            state: "TX".into(),
            transaction_id: "1".into(),
            count: 1,
            policy_number: "P-1".into(),
            insured: String::new(),
            transaction_type: "PN".into(),
            due: Some(due.into()),
            statutory: None,
            act_by: None,
            days_left: None,
            period: None,
            by_filing: false,
            billed: None,
            amount: None,
            rule: String::new(),
            assumed: None,
            condition: None,
            note: None,
            late: None,
            sureness: Sureness::Confirmed,
            checked: String::new(),
            sources: Vec::new(),
            mark: None,
            assigned: None,
        }
    }

    #[test]
    fn notices_come_on_the_days_that_are_switched_on() {
        let all: &[u32] = &[30, 15, 3, 0];
        let cases: [(&str, &str, &[u32], &[&str]); 7] = [
            ("2026-03-24", "2026-03-25", all, &["1 due within 30 days"]),
            ("2026-03-25", "2026-03-26", all, &[]),
            // The machine was off on the 15th day before.
            ("2026-03-25", "2026-04-12", all, &["1 due within 15 days"]),
            // Two of its days passed: the nearer one.
            ("2026-03-01", "2026-04-21", all, &["1 due within 3 days"]),
            ("2026-04-20", "2026-04-21", &[30, 15, 0], &[]),
            ("2026-04-23", "2026-04-24", all, &["1 due today"]),
            ("2026-04-23", "2026-04-25", all, &[]),
        ];
        for (since, today, leads, expected) in cases {
            let entries = [entry("2026-04-24"), DueEntry { due: None, ..entry("2026-04-24") }];
            let found = notices_between(&entries, leads, since.parse().unwrap(), today.parse().unwrap());
            let titles: Vec<_> = found.iter().map(|notice| notice.title.as_str()).collect();
            assert_eq!(titles, expected, "{since} to {today}");
        }
    }

    #[test]
    fn many_are_one_notice_for_each_day() {
        let entries = vec![entry("2026-04-24"); 5];
        let found =
            notices_between(&entries, &[3], "2026-04-20".parse().unwrap(), "2026-04-21".parse().unwrap());
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].title, "5 due within 3 days");
        assert!(found[0].text.starts_with("04/24/2026 TX: Filing with SLTX, P-1; "), "{}", found[0].text);
        assert!(found[0].text.ends_with("; and 2 more"));
    }
}
