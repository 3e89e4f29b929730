//! The receiver: what is let in, stored once, refused, and forwarded.

use std::net::TcpListener;
use std::time::Duration;

use bordereau_desk::api::*;
use bordereau_desk::{Desk, EventListener, EventPace, SecretText};
use reqwest::{Client, StatusCode};
use ring::hmac;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use crate::outbox_fixture::OutboxFixture;

const SECRET: &str = "secret of 20 letters";
const TOKEN: &str = "token of the desks that follow";

/// A receiver that listens until it is dropped.
struct Receiving {
    address: String,
    _stop: oneshot::Sender<()>,
    _task: JoinHandle<()>,
}

fn receiving(desk: &Desk) -> Receiving {
    let socket = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", socket.local_addr().unwrap());
    let header = ("X-Desk", SecretText::new("open sesame".into()));
    let token = Some(SecretText::new(TOKEN.into()));
    let listener = EventListener::for_profile(&practice(), SECRET, header, token);
    let (stop, stopped) = oneshot::channel();
    let desk = desk.clone();
    let task = tokio::spawn(async move {
        let stop = async { drop(stopped.await) };
        desk.receive_events(listener, socket, stop).await.unwrap();
    });
    Receiving { address, _stop: stop, _task: task }
}

fn signature(body: &str) -> String {
    let tag = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, SECRET.as_bytes()), body.as_bytes());
    tag.as_ref().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Plain HTTP; the library wants to know whose cryptography it would use.
fn client() -> Client {
    let _ = rustls::crypto::ring::default_provider().install_default();
    Client::builder().no_proxy().build().unwrap()
}

async fn bring(at: &Receiving, body: &str, signed: Option<&str>, header: Option<&str>) -> StatusCode {
    let mut request = client().post(format!("{}/events", at.address));
    if let Some(signed) = signed {
        request = request.header("X-HMAC-Signature", signed);
    }
    if let Some(header) = header {
        request = request.header("x-desk", header);
    }
    request.body(body.to_owned()).send().await.unwrap().status()
}

async fn events(desk: &Desk) -> Vec<EventView> {
    desk.events_list(EventsRequest { count: 200, ..EventsRequest::default() }).await.unwrap().events
}

fn filed(number: u32) -> String {
    format!(
        r#"{{"event_id":1,"event":"webhook.transaction.status.filed","timestamp":"2026-13-77 99:00:00","transaction_id":{number},"policy_number":"P-{number}","physical_state":"TX"}}"#
    )
}

#[tokio::test(flavor = "multi_thread")]
async fn only_what_is_proven_is_stored_and_once() {
    let test = OutboxFixture::dark();
    let desk = test.desk();
    let at = receiving(&desk);
    let (body, sesame) = (filed(17), Some("open sesame"));
    let right = signature(&body);
    let cases = [
        (None, sesame, 401),
        (Some("00".repeat(32)), sesame, 401),
        (Some(right.clone()), None, 401),
        (Some(right.clone()), Some("open barley"), 401),
        (Some(right.clone()), sesame, 200),
        (Some(right.to_uppercase()), sesame, 200),
    ];
    for (signed, header, status) in cases {
        assert_eq!(
            bring(&at, &body, signed.as_deref(), header).await.as_u16(),
            status,
            "{signed:?} {header:?}"
        );
    }
    let stored = events(&desk).await;
    assert_eq!(stored.len(), 1);
    let event = &stored[0];
    assert_eq!((event.what, event.repeats, event.read), (EventKind::Filed, 1, false));
    assert_eq!((event.transaction.as_str(), event.state.as_str()), ("17", "TX"));
    assert_eq!(event.said_at, "2026-13-77 99:00:00", "a date that is none is shown as it came");
    assert_eq!(event.signature, EventSignature::Valid);
    let refused = desk.events_refused(Nothing {}).await.unwrap().deliveries;
    assert_eq!(refused.len(), 4, "{refused:?}");
    assert_eq!(desk.events_status(Nothing {}).await.unwrap().refused, 4);

    for odd in ["", "not JSON", r#"{"event":""}"#, r#"{"event":"webhook.policy.bound","timestamp":1}"#] {
        assert_eq!(bring(&at, odd, Some(&signature(odd)), sesame).await, StatusCode::OK, "{odd}");
    }
    let stored = events(&desk).await;
    assert_eq!(stored.len(), 5);
    let raw = stored.iter().find(|event| event.event == "webhook.policy.bound").unwrap();
    let detail = desk.events_detail(EventId { id: raw.id.clone() }).await.unwrap();
    assert!(detail.body.contains("webhook.policy.bound") && raw.what == EventKind::Other, "{detail:?}");

    desk.events_mark(EventsMark { ids: vec![event.id.clone()], all: false, read: true }).await.unwrap();
    assert_eq!(
        events(&desk).await.last().map(|event| event.id.clone()),
        Some(event.id.clone()),
        "unread first"
    );
    desk.events_mark(EventsMark { ids: Vec::new(), all: true, read: true }).await.unwrap();
    assert_eq!(desk.events_status(Nothing {}).await.unwrap().unread, 0);
}

/// Several events in one delivery are events of their own: one signature for all, and a repeat of each is known.
#[tokio::test(flavor = "multi_thread")]
async fn a_delivery_may_bring_several_events() {
    let test = OutboxFixture::dark();
    let desk = test.desk();
    let at = receiving(&desk);
    let (one, two) = (filed(17), filed(18));
    for (body, count) in [
        (format!("[{one},{two}]"), 2),
        (format!(r#"{{"events":[{one},{}]}}"#, filed(19)), 3),
        (format!("{two}\n{}\n", filed(20)), 4),
        (one.clone(), 4),
        // None of them is one of several.
        ("[1,2]".to_owned(), 5),
        (r#"{"event":"e","events":[{"a":1},{"b":2}]}"#.to_owned(), 6),
    ] {
        let wrong = bring(&at, &body, Some(&signature(&one[1..])), Some("open sesame")).await;
        assert_eq!(wrong, StatusCode::UNAUTHORIZED, "{body}");
        let status = bring(&at, &body, Some(&signature(&body)), Some("open sesame")).await;
        assert_eq!((status, events(&desk).await.len()), (StatusCode::OK, count), "{body}");
    }
    let stored = events(&desk).await;
    let repeats = |number: &str| stored.iter().find(|event| event.transaction == number).unwrap().repeats;
    assert_eq!((repeats("17"), repeats("18"), repeats("19")), (2, 1, 0), "{stored:?}");
}

/// One more is told so, before anything is streamed: it would come back at once.
#[tokio::test(flavor = "multi_thread")]
async fn a_follower_beyond_the_bound_is_refused() {
    let test = OutboxFixture::dark();
    let desk = test.desk();
    let at = receiving(&desk);
    let client = client();
    let follow = || client.get(format!("{}/follow", at.address)).bearer_auth(TOKEN).send();
    let mut followers = Vec::new();
    for number in 1..=64 {
        let follower = follow().await.unwrap();
        assert_eq!(follower.status(), StatusCode::OK, "{number}");
        followers.push(follower);
    }
    assert_eq!(follow().await.unwrap().status(), StatusCode::SERVICE_UNAVAILABLE);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_too_large_or_lost_is_refused() {
    let test = OutboxFixture::dark();
    let desk = test.desk();
    let at = receiving(&desk);
    let large = "x".repeat(1024 * 1024 + 1);
    assert_eq!(bring(&at, &large, Some(&signature(&large)), Some("open sesame")).await.as_u16(), 413);
    // The event of a batch of 1,000 rows is read to its end, where its signature is wrong.
    let batch = "x".repeat(300 * 1024);
    assert_eq!(bring(&at, &batch, Some(&signature("{}")), Some("open sesame")).await.as_u16(), 401);
    let client = client();
    let status = |path: &str| client.get(format!("{}{path}", at.address)).send();
    for (path, expected) in [("/", 404), ("/events", 405), ("/events/other", 405), ("/follow", 401)] {
        assert_eq!(status(path).await.unwrap().status().as_u16(), expected, "{path}");
    }
    let wide = client.post(format!("{}/events", at.address)).header("x-wide", "w".repeat(20_000));
    assert_eq!(wide.send().await.unwrap().status().as_u16(), 431);
    let twice = client.post(format!("{}/events", at.address)).header("x-hmac-signature", signature("{}"));
    let twice = twice.header("x-desk", "open sesame").header("x-desk", "open sesame").body("{}");
    assert_eq!(twice.send().await.unwrap().status().as_u16(), 401, "a header sent twice proves nothing");
    assert!(events(&desk).await.is_empty());
}

/// Refused while it is still being written: the sender is told so all the same, and no broken connection.
#[tokio::test(flavor = "multi_thread")]
async fn a_refusal_is_heard_by_a_sender_that_still_writes() {
    let test = OutboxFixture::dark();
    let desk = test.desk();
    let at = receiving(&desk);
    let client = client();
    let large = "x".repeat(20 * 1024 * 1024);
    for (path, signed, status) in [
        ("/events", None, 401),
        ("/events", Some("00"), 401),
        ("/events", Some("0000000000000000000000000000000000000000000000000000000000000000"), 413),
        ("/events/other", Some("00"), 404),
        ("/elsewhere", Some("00"), 404),
        ("/follow", None, 405),
    ] {
        let mut request = client.post(format!("{}{path}", at.address)).body(large.clone());
        request = request.header("x-desk", "open sesame");
        if let Some(signed) = signed {
            request = request.header("X-HMAC-Signature", signed);
        }
        let answer = request.send().await.unwrap_or_else(|error| panic!("{path}: {error:?}"));
        assert_eq!(answer.status().as_u16(), status, "{path}");
    }
    assert!(events(&desk).await.is_empty());
}

/// Every delivery again and again, from receivers that end in between: each is shown once.
#[tokio::test(flavor = "multi_thread")]
async fn a_restart_shows_nothing_twice_and_loses_nothing() {
    let test = OutboxFixture::dark();
    let bodies: Vec<String> = (1..=12).map(filed).collect();
    for _ in 0..3 {
        let desk = test.desk();
        let at = receiving(&desk);
        for body in &bodies {
            assert_eq!(bring(&at, body, Some(&signature(body)), Some("open sesame")).await, StatusCode::OK);
        }
    }
    let desk = test.desk();
    let stored = events(&desk).await;
    assert_eq!(stored.len(), bodies.len());
    assert!(stored.iter().all(|event| event.repeats == 2), "{stored:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_desk_that_follows_gets_all_of_it_once_and_goes_on_where_it_was() {
    let server = OutboxFixture::dark();
    let listening = server.desk();
    let at = receiving(&listening);
    let office = OutboxFixture::dark();
    let bring_filed = async |number| {
        let body = filed(number);
        assert_eq!(bring(&at, &body, Some(&signature(&body)), Some("open sesame")).await, StatusCode::OK);
    };
    bring_filed(1).await;
    {
        let desk = office.desk();
        let follow = |token: &str| FollowListener { address: at.address.clone(), token: token.into() };
        desk.events_follow(follow("another token")).await.unwrap();
        let _work = desk.begin_events();
        until(&desk, "it is told that the token is wrong", |status| {
            status.receiver == ReceiverState::Trouble
        })
        .await;
        desk.events_follow(follow(TOKEN)).await.unwrap();
        until(&desk, "the first comes", |status| status.unread == 1).await;
        bring_filed(2).await;
        until(&desk, "the second comes at once", |status| status.unread == 2).await;
    }
    bring_filed(3).await;
    let desk = office.desk();
    desk.events_follow(FollowListener { address: at.address.clone(), token: TOKEN.into() }).await.unwrap();
    let _work = desk.begin_events();
    until(&desk, "the third comes after a restart", |status| status.unread == 3).await;
    let all = events(&desk).await;
    assert_eq!(all.iter().map(|event| event.repeats).sum::<u32>(), 0, "nothing was brought again: {all:?}");
    assert!(all.iter().all(|event| event.signature == EventSignature::Forwarded));
}

/// A listener can make up as many messages as it likes: what the service has not confirmed is bounded, and said.
#[tokio::test(flavor = "multi_thread")]
async fn what_a_listener_makes_up_is_bounded_in_number() {
    let server = OutboxFixture::dark();
    let at = receiving(&server.desk());
    for number in 1..=5 {
        let body = filed(number);
        assert_eq!(bring(&at, &body, Some(&signature(&body)), Some("open sesame")).await, StatusCode::OK);
    }
    let office = OutboxFixture::dark();
    let desk = office.desk();
    desk.set_event_pace(EventPace { unconfirmed_max: 3, ..EventPace::default() });
    desk.events_follow(FollowListener { address: at.address.clone(), token: TOKEN.into() }).await.unwrap();
    let _work = desk.begin_events();
    let status =
        until(&desk, "it is said that they are too many", |status| status.receiver == ReceiverState::Trouble)
            .await;
    assert!(status.trouble.contains("3 messages in a day that the service has not confirmed"), "{status:?}");
    assert_eq!(events(&desk).await.len(), 3);
}

/// A number that a listener never gave, as one of an earlier data folder or of a hostile one, hides nothing.
#[tokio::test(flavor = "multi_thread")]
async fn who_knows_a_number_that_was_never_given_gets_everything() {
    let server = OutboxFixture::dark();
    let listening = server.desk();
    let at = receiving(&listening);
    for number in [1, 2] {
        let body = filed(number);
        assert_eq!(bring(&at, &body, Some(&signature(&body)), Some("open sesame")).await, StatusCode::OK);
    }
    for (last, expected) in [("0", 1), ("1", 2), ("3", 1), ("9223372036854775807", 1), ("-9", 1)] {
        let request = client().get(format!("{}/follow", at.address)).bearer_auth(TOKEN);
        let mut answer = request.header("last-event-id", last).send().await.unwrap();
        let mut text = String::new();
        while !text.contains("id: ") {
            text += &String::from_utf8_lossy(&answer.chunk().await.unwrap().unwrap());
        }
        assert!(text.contains(&format!("id: {expected}\n")), "{last}: {text}");
    }
}

/// What was entered for one server must not reach another.
#[tokio::test(flavor = "multi_thread")]
async fn a_token_is_asked_for_again_at_another_server() {
    let test = OutboxFixture::dark();
    let desk = test.desk();
    let follow = async |address: &str, token: &str| {
        desk.events_follow(FollowListener { address: address.into(), token: token.into() }).await
    };
    follow("https://desk.example.com", TOKEN).await.unwrap();
    follow("https://desk.example.com/events", "").await.unwrap();
    for other in ["https://desk.example.org", "https://desk.example.com:8443"] {
        let refused = follow(other, "").await.unwrap_err();
        assert_eq!(refused.details[0].pointer, "/token", "{other}");
        assert!(refused.details[0].message.contains("another server"), "{refused:?}");
    }
    follow("https://desk.example.org", TOKEN).await.unwrap();
}

/// Waits for the inbox to be so.
pub async fn until(desk: &Desk, what: &str, is_so: impl Fn(&EventsStatus) -> bool) -> EventsStatus {
    let mut known = None;
    let waiting = async {
        loop {
            let status = desk.events_news(EventsNews { known, wait_ms: 500 }).await.unwrap();
            if is_so(&status) {
                return status;
            }
            known = Some(status.revision);
        }
    };
    match tokio::time::timeout(Duration::from_secs(90), waiting).await {
        Ok(status) => status,
        Err(_) => panic!("{what}: {:?}", desk.events_status(Nothing {}).await),
    }
}

fn practice() -> Profile {
    Profile { id: "practice".into(), ..Profile::default() }
}
