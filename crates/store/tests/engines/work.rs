//! What desks do with a store, as one list of answers.

use std::fmt::Debug;

use bordereau_api::*;
use bordereau_contract::ImportTransaction;
use bordereau_money::Usd;
use bordereau_store::assignments::{AssignedItem, assign, list_assignments};
use bordereau_store::batches::documents::BatchFile;
use bordereau_store::batches::outcome::{self, RowOutcome};
use bordereau_store::batches::queue::{NewBatch, OutgoingTransaction, QueueOutcome};
use bordereau_store::batches::transition::{self, PartChange, RemoteNumber};
use bordereau_store::batches::{decision, lookup_keys, rows, sent_rows, view};
use bordereau_store::erase::{EraseScope, IndexedTransactions, erase, preview_erasure};
use bordereau_store::events::listing;
use bordereau_store::quotes::{NewQuote, find_quote, list_quotes, remember_quote, remove_quote, save_quote};
use bordereau_store::uploads::{self, NewUpload, UploadChange};
use bordereau_store::{
    ActorTimestamp, Connection, StepChange, Store, StoreError, StoredReview, ValueName, WatchedFile, audit,
    declining_carriers, due_marks, export, health, profiles, retention, saved_searches, under_way,
    unread_answers,
};

use crate::event_work;

/// The answers; ids that the engines make are numbered, so that two runs compare.
pub struct Answers<'s> {
    store: &'s Store,
    lines: Vec<String>,
    ids: Vec<String>,
}

impl Answers<'_> {
    fn name(&mut self, id: &str) {
        self.ids.push(id.to_owned());
    }

    pub fn note(&mut self, what: &str, answer: impl Debug) {
        let mut line = format!("{what}: {answer:?}");
        for (number, id) in self.ids.iter().enumerate() {
            line = line.replace(id.as_str(), &format!("<{number}>"));
        }
        self.lines.push(line);
    }

    /// Does it, notes the answer or the error.
    pub async fn tell<T: Debug + Send + 'static>(
        &mut self,
        what: &str,
        work: impl FnOnce(&mut Connection) -> Result<T, StoreError> + Send + 'static,
    ) {
        let answer = self.store.with_connection(work).await;
        self.note(what, answer.map_err(|error| error.to_string()));
    }

    pub async fn get<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> T {
        self.store.with_connection(work).await.unwrap()
    }
}

/// Someone does it, nobody does it, only a note is left, nothing is left; and what isn't there.
async fn assign_work(answers: &mut Answers<'_>) {
    let item =
        |kind, profile: &str, id: &str| AssignedItem { kind, profile_id: profile.into(), id: id.into() };
    let due = |id: &str| item(WorkKind::DueDate, "office", id);
    let cases: [(Vec<AssignedItem>, &str, Option<&str>); 6] = [
        (vec![due("d1"), due("d2"), due("d3")], "ann", None),
        (vec![due("d1")], "bob", Some("the premium is missing")),
        (vec![due("d1"), due("d2")], "", None),
        (vec![due("d1"), item(WorkKind::Batch, "", "missing")], "ann", None),
        (vec![item(WorkKind::Event, "", "1")], "ann", Some("call them")),
        (vec![item(WorkKind::Draft, "", "missing")], "ann", None),
    ];
    for (items, person, note) in cases {
        answers.tell("assigned", move |db| assign(db, &items, person, note, &now(1))).await;
        answers
            .tell("due dates of people", |db| {
                let found = list_assignments(db, WorkKind::DueDate, "office")?;
                Ok(found.into_iter().collect::<std::collections::BTreeMap<_, _>>())
            })
            .await;
    }
    answers.tell("of another profile", |db| list_assignments(db, WorkKind::DueDate, "other")).await;
    for assigned_to in ["ann", ""] {
        let request =
            EventsRequest { count: 50, assigned_to: Some(assigned_to.into()), ..EventsRequest::default() };
        answers.tell("events of", move |db| listing::list_events(db, "office", &request)).await;
    }
}

/// Does all of it.
pub async fn run(store: &Store) -> Vec<String> {
    let mut answers = Answers { store, lines: Vec::new(), ids: Vec::new() };
    keep_profiles_and_values(&mut answers).await;
    keep_quotes(&mut answers).await;
    keep_drafts(&mut answers).await;
    send_batches(&mut answers).await;
    upload_documents(&mut answers).await;
    event_work::receive_events(&mut answers).await;
    event_work::follow_events(&mut answers).await;
    keep_the_rest(&mut answers).await;
    let_go(&mut answers).await;
    erase_an_insured(&mut answers).await;
    answers.lines
}

fn profile() -> Profile {
    Profile {
        id: "office".into(),
        name: "Office".into(),
        base_url: "https://s.example".into(),
        ..Profile::default()
    }
}

fn now(ms: i64) -> ActorTimestamp {
    ActorTimestamp {
        at: format!("2026-03-01T12:00:{:02}Z", ms % 60),
        ms: 1_772_366_400_000 + ms,
        by: "postgres".into(),
    }
}

async fn keep_profiles_and_values(answers: &mut Answers<'_>) {
    for name in ["Office", "Renamed \u{e9}'\"?1 \\"] {
        let stored = Profile { name: name.into(), ..profile() };
        answers.tell("store profile", move |db| profiles::store_profile(db, stored)).await;
    }
    let other = Profile { name: "Other".into(), ..Profile::default() };
    let other = answers.get(move |db| profiles::store_profile(db, other)).await;
    answers.name(&other.id);
    // Made of the content, and so of the id.
    answers.name(other.revision.as_deref().unwrap());
    assert_eq!(other.id.len(), 16);
    answers.tell("profiles", |db| profiles::list_profiles(db)).await;
    answers.tell("no profile", |db| profiles::find_profile(db, "missing")).await;
    answers.tell("remove", move |db| profiles::remove_profile(db, &other.id)).await;
    answers.tell("remove none", |db| profiles::remove_profile(db, "missing")).await;
    for value in ["first", "second"] {
        answers.store.save_value(ValueName::Draft, &value, "2026-03-01".into()).await.unwrap();
    }
    let value: Option<(String, String)> = answers.store.load_value(ValueName::Draft).await.unwrap();
    answers.note("value", value);
    let none: Option<(String, String)> = answers.store.load_value(ValueName::Settings).await.unwrap();
    answers.note("no value", none);
}

async fn keep_quotes(answers: &mut Answers<'_>) {
    let quote = |insured: &str| NewQuote {
        id: String::new(),
        name: insured.into(),
        request: QuoteRequest { state: "TX".into(), insured: insured.into(), ..QuoteRequest::default() },
        answer: None,
        at: "2026-02-23T10:00:00Z".into(),
        by: "ann".into(),
        revision: None,
    };
    let saved = quote("Harbor Diner");
    let saved = answers.get(move |db| save_quote(db, saved)).await;
    answers.name(&saved.id);
    answers.name(&saved.revision);
    let (id, removed) = (saved.id.clone(), saved.id);
    for turn in 0..25 {
        let asked = quote(&format!("asked {}", turn % 22));
        answers.get(move |db| remember_quote(db, &asked)).await;
    }
    let bobs = NewQuote { by: "bob".into(), ..quote("asked 3") };
    answers.get(move |db| remember_quote(db, &bobs)).await;
    for (person, recent) in [("ann", 20), ("bob", 1), ("cleo", 0)] {
        let list = answers.get(move |db| list_quotes(db, person)).await;
        assert_eq!(list.recent.len(), recent, "the recent quotes of {person} are their own");
        answers.note("quotes", (list.saved, list.recent.len()));
    }
    answers.tell("quote", move |db| find_quote(db, &id)).await;
    answers.tell("remove quote", move |db| remove_quote(db, &removed)).await;
    answers.tell("no quote", |db| find_quote(db, "missing")).await;
}

async fn keep_drafts(answers: &mut Answers<'_>) {
    let store = answers.store;
    let review = StoredReview {
        name: "march.csv".into(),
        body: "{}".into(),
        at: "2026-03-01".into(),
        ..Default::default()
    };
    let id = store.begin_review(review.clone(), false).await.unwrap();
    answers.name(&id);
    store.save_source(&id, &[0, 1, 2, 255].repeat(2_000_000)).await.unwrap();
    let kept = StoredReview { id: id.clone(), position: 1, rows: 7, ..review.clone() };
    for (number, body) in [(0, "a"), (1, "b"), (1, "c")] {
        store.save_review(kept.clone(), StepChange::New(number, body.into())).await.unwrap();
    }
    answers.note("draft", store.load_review(&id).await.unwrap());
    answers.note("source", store.review_source(&id).await.unwrap().len());
    answers.note("drafts", store.review_summaries().await.unwrap());
    let missing = StoredReview { id: "missing".into(), ..review.clone() };
    answers.note("no draft", store.save_review(missing, StepChange::None).await.unwrap_err().to_string());
    for _ in 0..3 {
        let own = store.begin_review(review.clone(), true).await.unwrap();
        answers.name(&own);
    }
    let opened = StoredReview { body: r#"{"is_unchanged":true}"#.into(), ..review.clone() };
    let first = store.begin_review(opened.clone(), false).await.unwrap();
    for left in (0..101).rev() {
        let next = store.begin_review(opened.clone(), false).await.unwrap();
        let is_there = store.load_review(&first).await.is_ok();
        assert_eq!(is_there, left > 0, "{left} more");
        answers.name(&next);
    }
    answers.note("of commands", store.unattended_reviews("march.csv").await.unwrap());
    answers.note("removed", store.remove_unattended(1).await.unwrap());
    store.remove_review(&id).await.unwrap();
    answers.note("source of none", store.review_source(&id).await.unwrap());
    for (name, headers) in [("Usual", "a,b"), ("", "a,b"), ("", "c"), ("Usual", "a,b")] {
        let body = format!("{name} {headers}");
        store.save_mapping(name, headers, body, "2026-03-01T12:00:00Z".into()).await.unwrap();
    }
    answers.note("mappings", store.list_mappings("c").await.unwrap());
    answers.note("mapping", store.load_mapping("Usual").await.unwrap());
    answers.note("names", store.mapping_names().await.unwrap());
    store.remove_mapping("Usual").await.unwrap();
    answers.note("no mapping", store.load_mapping("Usual").await.unwrap_err().to_string());
}

fn transaction(number: u32) -> ImportTransaction {
    ImportTransaction {
        policy_number: Some(format!("POL-{number}")),
        mailing_insured_name: Some(format!("Insured {number}")),
        physical_state: Some("TX".into()),
        transaction_type: Some("PN".into()),
        premium: Usd::parse("1000.10").ok(),
        transaction_effective_date: Some("02/23/2026".into()),
        ..ImportTransaction::default()
    }
}

/// A batch of this many rows, the first one with a document.
pub fn batch(name: &str, rows: u32) -> NewBatch {
    let row = |number| OutgoingTransaction {
        transaction: transaction(number),
        line: number + 2,
        row: number,
        documents: (number == 0)
            .then(|| BatchFile {
                name: "Policy".into(),
                code: "POLIC".into(),
                file_name: "p.pdf".into(),
                content: vec![0, 200, 7],
                ..BatchFile::default()
            })
            .into_iter()
            .collect(),
        document_count: u32::from(number == 0),
        kept: vec![KeptWarning { warning: "w".into(), reason: "r".into() }],
        ..OutgoingTransaction::default()
    };
    NewBatch {
        name: name.into(),
        review: name.into(),
        corrects: None,
        is_single: false,
        profile: profile(),
        by: "postgres".into(),
        at: "2026-03-01T12:00:00Z".into(),
        day: "2026-03-01".into(),
        rows: (0..rows).map(row).collect(),
        kept_back: Vec::new(),
        part_rows: 4,
    }
}

async fn queue(answers: &mut Answers<'_>, name: &str, rows: u32) -> Option<String> {
    queue_batch(answers, batch(name, rows)).await
}

async fn queue_batch(answers: &mut Answers<'_>, new: NewBatch) -> Option<String> {
    let totals = new.compute_totals();
    let stored = answers.get(move |db| new.store_batch(db, &totals)).await;
    let QueueOutcome::As(id) = stored else { return None };
    answers.name(&id);
    Some(id)
}

/// Puts one more batch into the queue.
pub async fn queue_one(store: &Store) {
    let mut answers = Answers { store, lines: Vec::new(), ids: Vec::new() };
    queue(&mut answers, "one more", 2).await.unwrap();
}

/// The same as another person than the owner, who is signed in.
pub async fn queue_one_by(store: &Store, person: &str) {
    let mut answers = Answers { store, lines: Vec::new(), ids: Vec::new() };
    let batch = NewBatch { by: person.to_owned(), ..batch("one more", 2) };
    queue_batch(&mut answers, batch).await.unwrap();
}

/// Sends rows of a draft.
pub async fn queue_review(store: &Store, review: &str) {
    let batch = NewBatch { review: review.to_owned(), by: "ann".into(), ..batch("of a draft", 2) };
    let confirmed = batch.compute_totals();
    let queued = store.with_connection(move |db| batch.store_batch(db, &confirmed)).await.unwrap();
    assert!(matches!(queued, QueueOutcome::As(_)));
}

/// A batch that the service took, row by row.
pub async fn send_one(store: &Store, name: &str) -> String {
    let mut answers = Answers { store, lines: Vec::new(), ids: Vec::new() };
    let id = queue(&mut answers, name, 2).await.unwrap();
    let sent = id.clone();
    answers
        .get(move |db| {
            let of_batch = "(SELECT seq FROM batches WHERE id = ?1)";
            for change in [
                "batch_parts SET state = 'processed', remote_id = 'R-' || batch WHERE batch",
                "batch_rows SET row_state = 'accepted', transaction_id = 700 + row WHERE batch",
                "batches SET state = 'processed' WHERE seq",
            ] {
                db.execute(&format!("UPDATE {change} = {of_batch}"), [&sent])?;
            }
            Ok(())
        })
        .await;
    id
}

async fn send_batches(answers: &mut Answers<'_>) {
    let store = answers.store;
    let id = queue(answers, "first", 6).await.unwrap();
    let again = queue(answers, "first", 6).await;
    answers.note("nothing twice", again);
    let other = ReviewTotals { count: 99, ..ReviewTotals::default() };
    let refused = answers.get(move |db| batch("third", 2).store_batch(db, &other)).await;
    answers.note("other totals", matches!(refused, QueueOutcome::OtherTotals));
    let parts = transition::open_parts(store, None).await.unwrap();
    answers.note("open", &parts);
    let waiting = transition::waiting_rows(store, &parts[0], true).await.unwrap();
    answers.note("waiting", waiting);
    answers.note("named", transition::named_rows(store, &parts[1]).await.unwrap());

    let sending = PartChange::to(BatchState::Sending);
    answers.note("sends", transition::change_part(store, &parts[0], sending.clone(), now(1)).await.unwrap());
    answers.note("moved", transition::change_part(store, &parts[0], sending, now(2)).await.unwrap());
    transition::recover_interrupted(store, None, now(3)).await.unwrap();
    let lost = transition::lost_parts(store, "office").await.unwrap();
    answers.note("lost", &lost);
    transition::add_observed(store, &lost[0], 1_500).await.unwrap();
    decision::request_decision(store, &lost[0], "Did it arrive?".into(), now(4)).await.unwrap();
    answers.note("asked about", transition::open_parts(store, None).await.unwrap());
    let id_asked = id.clone();
    answers.tell("asks", move |db| view::load_batch(db, &id_asked)).await;
    for said in [LostDecision::LookAgain, LostDecision::SendAgain] {
        let answer = decision::record_decision(store, &id, said, String::new(), now(5)).await.unwrap();
        answers.note("decided", answer);
    }
    let part = transition::open_parts(store, None).await.unwrap().remove(0);
    transition::change_part(store, &part, PartChange::to(BatchState::Sending), now(6)).await.unwrap();
    let part = transition::open_parts(store, None).await.unwrap().remove(0);
    let accepted = PartChange {
        remote_id: RemoteNumber::Known("R-1".into()),
        evidence: Some(StageEvidence::of("q", "a")),
        audit: "is known.".into(),
        ..PartChange::to(BatchState::Accepted)
    };
    answers.note("accepted", transition::change_part(store, &part, accepted, now(7)).await.unwrap());
    let part = transition::open_parts(store, None).await.unwrap().remove(0);
    let outcome = |state, number| RowOutcome {
        transaction_id: number,
        messages: vec![transition::local_message("warning", "documents.POLIC is missing")],
        evidence: Some(StageEvidence::of("results", "answer")),
        ..RowOutcome::from_state(state)
    };
    let processed = PartChange {
        outcomes: vec![
            (0, outcome(RowState::Accepted, Some(501))),
            (1, outcome(RowState::Warning, Some(502))),
            (2, outcome(RowState::Error, None)),
        ],
        trouble: "Some rows were refused.".into(),
        ..PartChange::to(BatchState::Processed)
    };
    answers.note("processed", transition::change_part(store, &part, processed, now(8)).await.unwrap());
    outcome::note_filed(store, "office", vec![(501, "filed".into())], "2026-03-02".into()).await.unwrap();
    transition::record_trouble(store, part.batch, "later".into()).await.unwrap();
    answers.note("canceled", transition::cancel_parts(store, &id, now(9)).await.unwrap());
    look_at_batches(answers, id).await;
}

async fn look_at_batches(answers: &mut Answers<'_>, id: String) {
    let store = answers.store;
    answers.tell("batches", |db| view::list_batches(db)).await;
    answers.tell("status", |db| view::outbox_status(db)).await;
    for state in [None, Some(RowState::Warning)] {
        let request = BatchRowsRequest { id: id.clone(), state, count: 100, ..BatchRowsRequest::default() };
        answers.tell("rows", move |db| view::load_rows(db, &request)).await;
    }
    let of = id.clone();
    answers.tell("causes", move |db| view::list_causes(db, &of)).await;
    let of = id.clone();
    let causes = store.with_connection(move |db| view::list_causes(db, &of)).await.unwrap();
    let cause = causes.first().expect("a row has a message").key.clone();
    let request = BatchRowsRequest { id: id.clone(), cause, count: 100, ..BatchRowsRequest::default() };
    answers.tell("rows of a cause", move |db| view::load_rows(db, &request)).await;
    let correct = id.clone();
    answers.tell("to correct", move |db| rows::open_rows(db, &correct)).await;
    answers
        .tell("sent keys", |db| rows::sent_keys(db, "office", None).map(|keys| format!("{keys:?}").len()))
        .await;
    let except = id.clone();
    answers
        .tell("other keys", move |db| {
            rows::sent_keys(db, "office", Some(&except)).map(|keys| format!("{keys:?}").len())
        })
        .await;
    answers
        .tell("sent rows", |db| {
            sent_rows::list_sent_rows(db, "office", "first-000001", 0).map(|found| found.len())
        })
        .await;
    answers.tell("numbers", |db| sent_rows::list_sent_numbers(db, "office", None)).await;
    answers.tell("sent days", |db| sent_rows::find_sent_days(db, "office", &[501, 999])).await;
    answers.tell("no batch", |db| view::load_batch(db, "missing")).await;
    answers.tell("pending", |db| under_way::count_in_progress(db, "office")).await;
    answers.tell("sent", |db| under_way::has_sent(db, "office", "2026-03-01", "Ann")).await;
    answers.note("profile of batch", view::profile_of_batch(store, id.clone()).await.unwrap());
    answers
        .note("newest", view::newest_batch_of_review(store, "first".into(), "office".into()).await.unwrap());
    answers.note("of remote", lookup_keys::batch_of_remote(store, "R-1").await.unwrap());
    answers.note("known", lookup_keys::is_remote_known(store, "R-2").await.unwrap());
    answers.note("of other", lookup_keys::is_number_of_other(store, "office", 501, "x").await.unwrap());
    queue(answers, "second", 2).await.unwrap();
    let part = transition::open_parts(store, None).await.unwrap().remove(0);
    answers.note("telling", lookup_keys::telling_rows(store, &part).await.unwrap());
    answers.note("known rows", lookup_keys::known_rows(store, &part, 5).await.unwrap());
}

async fn upload_documents(answers: &mut Answers<'_>) {
    let store = answers.store;
    let new = |sha256: &str, id: Option<i64>| NewUpload {
        transaction_id: id,
        invoice_number: id.is_none().then(|| "INV-1".to_owned()),
        name: "Policy".into(),
        code: "POLIC".into(),
        file_name: "p.pdf".into(),
        kind: "PDF".into(),
        bytes: 5_000_000_000,
        sha256: sha256.into(),
        content_file: sha256.into(),
        content: Vec::new(),
    };
    for (sha256, id) in [("aa", Some(502)), ("bb", None), ("aa", Some(502))] {
        let insert = uploads::insert_upload(store, profile(), new(sha256, id), now(1), "2026-03-01".into());
        let (view, insert) = insert.await.unwrap();
        answers.name(&view.id);
        answers.note("upload", (view, insert));
    }
    let open = uploads::open_uploads(store, None).await.unwrap();
    answers.note("open uploads", &open);
    answers.note("more", uploads::more_for_target(store, &open[1]).await.unwrap());
    let sending = UploadChange::to(UploadState::Sending);
    answers.note("begins", uploads::change_upload(store, &open[0], sending.clone(), now(2)).await.unwrap());
    answers
        .note("begins once", uploads::change_upload(store, &open[0], sending.clone(), now(2)).await.unwrap());
    let open = uploads::open_uploads(store, None).await.unwrap();
    let sent =
        UploadChange { evidence: Some(StageEvidence::of("q", "a")), ..UploadChange::to(UploadState::Sent) };
    answers.note("arrives", uploads::change_upload(store, &open[0], sent, now(3)).await.unwrap());
    uploads::change_upload(store, &open[1], sending, now(4)).await.unwrap();
    uploads::recover_uploads(store, None).await.unwrap();
    let lost = uploads::open_uploads(store, None).await.unwrap().remove(0);
    uploads::add_observed(store, lost.seq, 20).await.unwrap();
    uploads::keep_upload_message(store, lost.seq, "looked for".into()).await.unwrap();
    let decided =
        uploads::decide_upload(store, lost.id.clone(), LostDecision::SendAgain, now(5)).await.unwrap();
    answers.note("decided upload", decided);
    for to in [UploadState::Canceled, UploadState::Queued] {
        let turned = uploads::turn_upload(store, lost.id.clone(), to, now(6)).await.unwrap();
        answers.note("turned", turned);
    }
    answers.note("known uploads", uploads::known_uploads(store, &lost, 3).await.unwrap());
    answers.note("profile of upload", uploads::profile_of_upload(store, lost.id).await.unwrap());
    answers.note("no content", uploads::upload_content(store, 77).await.unwrap_err().to_string());
    answers.tell("queue", |db| uploads::load_queue(db)).await;
    answers.tell("of transaction", |db| uploads::of_transaction(db, "office", 502, Some("INV-1"))).await;
    answers.tell("codes", |db| uploads::available_codes(db, "office")).await;
    answers.tell("less to correct", |db| view::list_batches(db)).await;
}

async fn keep_the_rest(answers: &mut Answers<'_>) {
    for (name, carrier) in [("Harbor Mutual", ""), ("Harbor Mutual", ""), ("Coast", "123")] {
        let declined =
            FormDeclination { carrier: name.into(), naic: carrier.into(), ..FormDeclination::default() };
        answers.get(move |db| declining_carriers::remember_carriers(db, &[declined])).await;
    }
    answers.tell("carriers", |db| declining_carriers::list_declining_carriers(db)).await;
    for (kind, note) in [(DueMarkKind::Done, ""), (DueMarkKind::Done, "paid"), (DueMarkKind::Open, "")] {
        let mark = DueMark { id: format!("tx {}", note.is_empty()), kind, note: note.into(), revision: None };
        answers.get(move |db| due_marks::mark_due(db, "office", &mark, &now(1))).await;
    }
    answers.tell("marks", |db| due_marks::list_due_marks(db, "office")).await;
    assign_work(answers).await;
    for name in ["beta", "Alpha", "beta"] {
        let search = SavedSearch {
            name: name.into(),
            search: TransactionsSearch::default(),
            columns: vec!["id".into()],
        };
        answers.get(move |db| saved_searches::store_search(db, "office", &search)).await;
    }
    answers.tell("searches", |db| saved_searches::list_searches(db, "office")).await;
    answers.tell("remove search", |db| saved_searches::remove_search(db, "office", "beta")).await;
    for body in ["same", "same", "other"] {
        let answer = UnreadAnswerView { body: body.into(), ..UnreadAnswerView::default() };
        answers.get(move |db| unread_answers::keep_unread(db, "office", "2026-03-01", &answer)).await;
    }
    answers.tell("unread", |db| unread_answers::list_unread(db, "office")).await;
    answers.tell("writable", health::check_writable).await;
    answers.tell("sound", |db| health::full_check(db)).await;
    answers
        .tell("log", |db| {
            let log = audit::list_entries(db)?;
            let texts: Vec<_> =
                log.entries.into_iter().map(|entry| (entry.number, entry.at, entry.text)).collect();
            Ok((log.intact, texts))
        })
        .await;
    answers
        .tell("exported", |db| {
            let folder = tempfile::tempdir()?;
            export::export_tables(db, folder.path(), None).map(|found| found.documents)
        })
        .await;
}

/// Versions of a mapping, files of a watched folder, and what goes after its time.
async fn let_go(answers: &mut Answers<'_>) {
    let store = answers.store;
    for body in ["one", "two", "three"] {
        store.save_mapping("Kept", "", body.into(), "2026-03-01T12:00:00Z".into()).await.unwrap();
    }
    answers.note("versions", store.mapping_versions("Kept").await.unwrap());
    answers.note("version", store.load_mapping_version("Kept", 1).await.unwrap());
    store.move_mapping_versions("Kept", "Moved").await.unwrap();
    answers.note("moved", store.mapping_versions("Moved").await.unwrap());
    let file = |sha256: &str| WatchedFile {
        profile: "office".into(),
        reader: "window".into(),
        sha256: sha256.into(),
        name: "march.csv".into(),
    };
    for (sha256, at) in [("aa", "2026-03-01"), ("bb", "2026-03-02"), ("aa", "2026-03-03")] {
        store.record_watched_file(file(sha256), at.into()).await.unwrap();
    }
    for sha256 in ["aa", "bb", "cc"] {
        answers.note("read at", store.watched_file_read_at(&file(sha256)).await.unwrap());
    }
    answers.tell("with data", |db| retention::profiles_with_data(db)).await;
    let until = Some("2027-01-01".to_owned());
    let expiry = retention::ProfileExpiry {
        profile_id: "office".into(),
        documents: until.clone(),
        rows: until.clone(),
        events: until.clone(),
        uploads: until.clone(),
        drafts: until,
    };
    let counted = expiry.clone();
    answers.tell("expired", move |db| retention::count_expired(db, &counted)).await;
    answers.tell("expired quotes", |db| retention::count_expired_quotes(db, "2027-01-01")).await;
    answers
        .tell("let go", move |db| retention::remove_expired(db, &[expiry], Some("2027-01-01"), &now(5)))
        .await;
    answers.tell("after letting go", |db| view::list_batches(db)).await;
}

async fn erase_an_insured(answers: &mut Answers<'_>) {
    let indexed =
        [IndexedTransactions { profile: "office".into(), ids: vec![501], numbers: vec!["POL-1".into()] }];
    for scope in [EraseScope::Insured(" insured  1".into()), EraseScope::Year(2025), EraseScope::Year(2026)] {
        let (noted, at) = (indexed.clone(), scope.clone());
        answers.tell("preview", move |db| preview_erasure(db, &at, &noted)).await;
        let noted = indexed.clone();
        answers.tell("erased", move |db| erase(db, &scope, &noted, "proof", &now(3))).await;
    }
    answers.tell("after it", |db| view::list_batches(db)).await;
    answers
        .tell("events after it", |db| {
            listing::list_events(db, "office", &EventsRequest { count: 50, ..EventsRequest::default() })
        })
        .await;
}
