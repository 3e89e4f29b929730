//! Two desks change the same thing: the second one is told what both did, and overwrites nothing until it says so.

use bordereau_api::{
    BoundaryError, Conflict, DueMark, DueMarkKind, ErrorCode, FormDeclination, Profile, QuoteRequest,
    SavedQuote, revision_of,
};
use bordereau_store::declining_carriers::{list_declining_carriers, remember_carriers};
use bordereau_store::due_marks::{list_due_marks, mark_due};
use bordereau_store::profiles::{find_profile, remove_profile, store_profile};
use bordereau_store::quotes::{NewQuote, find_quote, remove_quote, save_quote};
use bordereau_store::{ActorTimestamp, Store, StoreError, ValueName, change_shared_value};
use serde_json::{Value, json};

pub async fn assert_both_are_said(ann: &Store, bob: &Store) {
    change_a_quote(ann, bob).await;
    change_a_profile(ann, bob).await;
    change_the_template(ann, bob).await;
    mark_a_due_date(ann, bob).await;
    remember_a_carrier(ann, bob).await;
}

/// Who is told, what both did, and the revision with which theirs is replaced.
fn told(error: StoreError, who: &str, differences: &[&str]) -> Option<String> {
    let told = BoundaryError::from(error);
    assert_eq!(told.code, ErrorCode::ChangedElsewhere, "{told:?}");
    assert!(told.message.starts_with(&format!("{who} changed this ")), "{told:?}");
    let said: Vec<_> = told.details.iter().map(|each| each.message.as_str()).collect();
    assert_eq!(said, differences);
    assert!(told.revision.is_some());
    told.revision
}

async fn change_a_quote(ann: &Store, bob: &Store) {
    let quote = |of: &SavedQuote, insured: &str, by: &str| NewQuote {
        id: of.id.clone(),
        name: of.name.clone(),
        request: QuoteRequest { insured: insured.into(), ..of.request.clone() },
        answer: None,
        at: "2026-03-01T12:00:00Z".into(),
        by: by.into(),
        revision: Some(of.revision.clone()),
    };
    let save = async |store: &Store, quote| store.with_connection(|db| save_quote(db, quote)).await;
    let empty = SavedQuote {
        id: String::new(),
        name: "Diner".into(),
        request: QuoteRequest::default(),
        answer: None,
        saved_at: String::new(),
        revision: String::new(),
    };
    let saved = save(ann, quote(&empty, "Diner LLC", "ann")).await.unwrap();
    let id = saved.id.clone();
    let seen = bob.with_connection(move |db| find_quote(db, &id)).await.unwrap();
    assert_eq!(seen, saved, "both have the same revision");
    let bobs = save(bob, quote(&seen, "Bob's Diner", "bob")).await.unwrap();
    let refused = save(ann, quote(&saved, "Ann's Diner", "ann")).await.unwrap_err();
    let now = told(refused, "bob", &["Insured: yours is \"Ann's Diner\", theirs is \"Bob's Diner\"."]);
    assert_eq!(now.as_deref(), Some(bobs.revision.as_str()));
    save(ann, quote(&saved, "Bob's Diner", "ann")).await.unwrap();
    save(ann, NewQuote { revision: now, ..quote(&saved, "Ann's Diner", "ann") }).await.unwrap();
    let refused = save(bob, quote(&bobs, "Bob's again", "bob")).await.unwrap_err();
    told(refused, "ann", &["Insured: yours is \"Bob's again\", theirs is \"Ann's Diner\"."]);
    let id = saved.id.clone();
    ann.with_connection(move |db| remove_quote(db, &id)).await.unwrap();
    let removed = save(bob, quote(&bobs, "Bob's again", "bob")).await.unwrap_err();
    assert!(matches!(removed, StoreError::Missing("quote")), "{removed}");
}

async fn change_a_profile(ann: &Store, bob: &Store) {
    let save = async |store: &Store, profile| store.with_connection(|db| store_profile(db, profile)).await;
    let made = save(ann, Profile { name: "Agency".into(), ..Profile::default() }).await.unwrap();
    let id = made.id.clone();
    let seen = bob.with_connection(move |db| find_profile(db, &id)).await.unwrap().unwrap();
    assert_eq!(seen, made);
    save(bob, Profile { requests_per_minute: 60, ..seen.clone() }).await.unwrap();
    let mine = Profile { requests_per_minute: 90, ..made };
    let refused = save(ann, mine.clone()).await.unwrap_err();
    let revision = told(refused, "Someone else", &["Requests per minute: yours is 90, theirs is 60."]);
    let saved = save(ann, Profile { revision, ..mine }).await.unwrap();
    assert_eq!(saved.requests_per_minute, 90);
    let stored = saved.clone();
    ann.with_connection(move |db| remove_profile(db, &stored.id)).await.unwrap();
    let removed = save(bob, saved).await.unwrap_err();
    assert!(matches!(removed, StoreError::Missing("profile")), "a profile that was removed stays so");
}

async fn change_the_template(ann: &Store, bob: &Store) {
    let save = async |store: &Store, text: &str, read: &str| {
        let (mine, read) = (json!({ "line": [text] }), read.to_owned());
        let change = move |theirs: Option<Value>| {
            let theirs = theirs.unwrap_or_default();
            Conflict::ensure_none("template", "", Some(&read), &theirs, &mine)?;
            Ok(mine)
        };
        change_shared_value(store, ValueName::SheetTemplate, "2026-03-01T12:00:00Z".into(), change).await
    };
    let built_in = revision_of(&Value::Null);
    save(bob, "Bob", &built_in).await.unwrap();
    let refused = save(ann, "Ann", &built_in).await.unwrap_err();
    let now = told(refused, "Someone else", &["Line 1: yours is \"Ann\", theirs is \"Bob\"."]);
    save(ann, "Ann", &now.unwrap()).await.unwrap();
    let stored: Option<(Value, String)> = bob.load_value(ValueName::SheetTemplate).await.unwrap();
    assert_eq!(stored.unwrap().0, json!({ "line": ["Ann"] }));
}

async fn mark_a_due_date(ann: &Store, bob: &Store) {
    let mark = async |store: &Store, by: &str, kind, note: &str, read: Option<&str>| {
        let now = ActorTimestamp { at: "2026-03-01T12:00:00Z".into(), ms: 0, by: by.into() };
        let revision = read.map(str::to_owned);
        let mark = DueMark { id: "tx tax".into(), kind, note: note.into(), revision };
        store.with_connection(move |db| mark_due(db, "office", &mark, &now)).await
    };
    let bobs = mark(bob, "bob", DueMarkKind::NotOurs, "Cleo files it", Some("")).await.unwrap();
    let refused = mark(ann, "ann", DueMarkKind::Done, "", Some("")).await.unwrap_err();
    let both = [
        "Mark: yours is \"done\", theirs is \"not ours\".",
        "Note: yours is empty, theirs is \"Cleo files it\".",
    ];
    assert_eq!(told(refused, "bob", &both).as_deref(), Some(bobs.as_str()));
    mark(ann, "ann", DueMarkKind::NotOurs, "Cleo files it", Some("")).await.unwrap();
    let marks = ann.with_connection(|db| list_due_marks(db, "office")).await.unwrap();
    assert_eq!(marks["tx tax"].by, "bob", "who says the same takes nothing over");
    mark(ann, "ann", DueMarkKind::Open, "", Some(&bobs)).await.unwrap();
    let refused = mark(bob, "bob", DueMarkKind::Done, "", Some(&bobs)).await.unwrap_err();
    told(refused, "Someone else", &["Mark: yours is \"done\", theirs is \"open\"."]);
}

/// Suggestions of two people are beside each other.
async fn remember_a_carrier(ann: &Store, bob: &Store) {
    for (store, contact) in [(ann, "Jane"), (bob, "Joe"), (ann, "Jane"), (bob, "")] {
        let declined = FormDeclination {
            carrier: "Harbor Mutual".into(),
            naic: "10001".into(),
            contact: contact.into(),
            reason: "Class".into(),
            ..FormDeclination::default()
        };
        store.with_connection(move |db| remember_carriers(db, &[declined])).await.unwrap();
    }
    let known = bob.with_connection(|db| list_declining_carriers(db)).await.unwrap();
    let contacts: Vec<_> = known.iter().map(|each| each.contact.as_str()).collect();
    assert_eq!(contacts, ["", "Jane", "Joe"]);
}
