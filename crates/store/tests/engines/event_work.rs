//! What desks do with events, as further answers.

use bordereau_api::*;
use bordereau_store::events::inbox::{
    ConfirmedFact, Delivery, EventNumbers, ParsedEvent, list_deliveries_after, store_deliveries, store_facts,
};
use bordereau_store::events::{follows, listing, refusals, service_checks, watches, wordings};
use bordereau_store::{Connection, StoreError};

use crate::work::Answers;

fn event(key: &str, what: EventKind, transaction: &str, fact: Option<&str>) -> ParsedEvent {
    ParsedEvent {
        what,
        event: "transaction.changed".into(),
        event_id: key.into(),
        said_at: "2026-03-01".into(),
        subject: EventNumbers {
            transaction: transaction.into(),
            policy_number: "POL-1".into(),
            state: "TX".into(),
            ..EventNumbers::default()
        },
        fact: fact.map(str::to_owned),
        title: format!("Title {key} 100%"),
        dedup_key: key.into(),
    }
}

fn delivery(body: &[u8]) -> Delivery {
    Delivery {
        profile_id: "office".into(),
        body: body.to_vec(),
        signature: EventSignature::Valid,
        at: "2026-03-01T12:00:00Z".into(),
    }
}

/// Three deliveries, as each desk and each listener on a server may receive them.
pub fn receive_three(db: &mut Connection) -> Result<(), StoreError> {
    let came = ["e1", "e2", "e3"].map(|key| (delivery(b"{}"), event(key, EventKind::Other, "501", None)));
    store_deliveries(db, &came, None).map(|_| ())
}

pub async fn receive_events(answers: &mut Answers<'_>) {
    let fact = |key: &str| ConfirmedFact {
        key: key.into(),
        what: EventKind::Other,
        subject: EventNumbers { transaction: "502".into(), ..EventNumbers::default() },
        title: format!("Fact {key}"),
    };
    let facts = vec![fact("f1"), fact("f2"), fact("f1")];
    answers.tell("facts", move |db| store_facts(db, "office", &facts, "2026-03-01", true)).await;
    let came = vec![
        (delivery(br#"{"note": "Caf\u00e9 HARBOR"}"#), event("e1", EventKind::Other, "501", None)),
        (delivery(&[255, 254]), event("e2", EventKind::Other, "not a number", Some("f2"))),
        (delivery(b"{}"), event("e1", EventKind::Other, "501", None)),
    ];
    answers.tell("deliveries", move |db| store_deliveries(db, &came, None)).await;
    answers
        .tell("forwarded", |db| {
            let event = event("e3", EventKind::Other, "", Some("f9"));
            let came = [(delivery(b"{}"), event)];
            store_deliveries(db, &came, Some(("https://listener.example", 12))).map(|outcomes| outcomes[0])
        })
        .await;
    answers.tell("follow", |db| follows::last_followed_id(db, "office", "https://listener.example")).await;
    answers
        .tell("after", |db| {
            let list = list_deliveries_after(db, "office", 0, 10)?;
            Ok(list.into_iter().map(|one| (one.arrival, one.body)).collect::<Vec<_>>())
        })
        .await;
    let request = |change: &dyn Fn(&mut EventsRequest)| {
        let mut request = EventsRequest { count: 50, ..EventsRequest::default() };
        change(&mut request);
        request
    };
    let requests = [
        request(&|_| {}),
        request(&|it| it.search = "harbor".into()),
        request(&|it| it.search = "TITLE 100%".into()),
        request(&|it| it.search = "100_".into()),
        request(&|it| it.batch = "R-1".into()),
        request(&|it| it.transaction = "502".into()),
        request(&|it| (it.unread, it.missed) = (true, true)),
        request(&|it| it.state = "TX".into()),
    ];
    for request in requests {
        let what = format!("events {request:?}");
        answers.tell(&what, move |db| listing::list_events(db, "office", &request)).await;
    }
    let mark = EventsMark { ids: vec!["1".into(), "no".into()], all: false, read: true };
    answers.tell("mark", move |db| listing::mark_events(db, "office", &mark)).await;
    // In an office nobody else is told what was read, so fewer changes are counted.
    answers
        .tell("inbox", |db| Ok(EventsStatus { revision: 0, ..listing::inbox_status(db, "office")? }))
        .await;
    answers
        .tell("event", |db| {
            let found = listing::find_event(db, "office", "2")?;
            Ok((found.event, found.body, found.check_says, found.related))
        })
        .await;
    answers.tell("newer", |db| listing::list_events_after(db, Some(1), None)).await;
    answers.tell("newest", |db| listing::list_events_after(db, None, Some("office"))).await;
}

pub async fn follow_events(answers: &mut Answers<'_>) {
    answers
        .tell("unchecked", |db| {
            let found = service_checks::list_unchecked_events(db, 10)?;
            Ok(found.into_iter().map(|one| (one.seq, one.fact, one.transaction)).collect::<Vec<_>>())
        })
        .await;
    answers
        .tell("check", |db| service_checks::record_check(db, 1, EventCheck::Confirmed, "Same.", "2026-03-02"))
        .await;
    answers
        .tell("unannounced", |db| {
            let found = service_checks::list_unannounced_parts(db)?;
            Ok(found.into_iter().map(|one| (one.remote_id, one.is_processed)).collect::<Vec<_>>())
        })
        .await;
    answers.tell("is processed", |db| service_checks::is_part_processed(db, "R-1")).await;
    for turn in 0..2 {
        answers.tell("watch", move |db| watches::watch_sent_transactions(db, None, turn)).await;
    }
    answers.tell("watched", |db| watches::watched_among(db, "office", &[501, 9])).await;
    answers.tell("due now", |db| watches::make_watches_due(db, 50)).await;
    answers
        .tell("postpone", |db| {
            let asked = [watches::AskedTransaction { id: "501".into(), is_settled: false }];
            watches::postpone_watches(db, "office", &asked, false, 100, |times| i64::from(times) * 7)
        })
        .await;
    answers.tell("due", |db| watches::list_due_watches(db, 1_000, 10)).await;
    answers.tell("newest quote", |db| wordings::newest_quote(db)).await;
    answers.tell("adopt", |db| wordings::adopt_quotes(db, "office", "Office")).await;
    answers.tell("wordings", |db| wordings::list_due_wordings(db, 5, 5).map(|due| due.len())).await;
    for turn in 0..205 {
        let body = if turn == 204 { b"last".as_slice() } else { b"\0x" };
        answers
            .get(move |db| refusals::store_refusal(db, "office", "2026-03-01", "no signature", body))
            .await;
    }
    let list = answers.get(|db| refusals::list_refusals(db, "office")).await;
    answers.note("refusals", (list.deliveries.len(), list.deliveries.into_iter().next()));
}
