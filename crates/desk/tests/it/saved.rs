//! Saved and recent quotes, the draft, settings: what survives closing and a crash.

use bordereau_desk::api::*;

use crate::test_desk::{TestDesk, question, texas};

fn save(id: Option<&str>, name: &str, request: QuoteRequest, answer: Option<QuoteAnswer>) -> SaveQuote {
    SaveQuote { id: id.map(str::to_owned), name: name.into(), request, answer, revision: None }
}

#[tokio::test]
async fn saved_quotes_survive_reopening() {
    let test = TestDesk::offline();
    let answer = test.desk.quote_estimate(texas()).await.unwrap();
    let saved = test.desk.quote_save(save(None, "", texas(), Some(answer.clone()))).await.unwrap();
    assert_eq!(saved.name, "TX PN Example LLC 02/23/2026");

    let again = test.again();
    let opened = again.quote_open(QuoteId { id: saved.id.clone() }).await.unwrap();
    let mut with_codes = QuoteRequest { state: "TX".into(), ..texas() };
    with_codes.lines[1].code = "GEN-1008".into();
    assert_eq!((opened.request, opened.answer), (with_codes, Some(answer)));
    let list = again.quote_list(Nothing {}).await.unwrap();
    assert_eq!(list.saved.len(), 1);
    assert_eq!(list.saved[0].total.as_deref(), Some("10563.91"));

    let duplicate = again.quote_save(save(None, "Copy", texas(), None)).await.unwrap();
    assert_ne!(duplicate.id, saved.id);
    let renamed = again.quote_save(save(Some(&saved.id), "Renamed", texas(), None)).await.unwrap();
    assert_eq!(renamed.id, saved.id);
    let names: Vec<String> =
        again.quote_list(Nothing {}).await.unwrap().saved.into_iter().map(|quote| quote.name).collect();
    assert_eq!(names, ["Renamed", "Copy"], "newest first");

    again.quote_remove(QuoteId { id: saved.id.clone() }).await.unwrap();
    for error in [
        again.quote_open(QuoteId { id: saved.id.clone() }).await.unwrap_err(),
        again.quote_remove(QuoteId { id: saved.id.clone() }).await.unwrap_err(),
        again.quote_save(save(Some(&saved.id), "x", texas(), None)).await.unwrap_err(),
    ] {
        assert_eq!(error.code, ErrorCode::NotFound);
        assert!(!error.message.contains(&saved.id));
    }
}

#[tokio::test]
async fn the_last_twenty_asked_are_recent_each_once() {
    let test = TestDesk::new().await;
    for premium in 1..=23 {
        let request = question("TX", "PN", &[("GEN-1002", &premium.to_string())]);
        test.desk.quote_calculate(request).await.unwrap();
    }
    test.desk.quote_calculate(question("TX", "PN", &[("GEN-1002", "10")])).await.unwrap();
    test.desk.quote_estimate(question("TX", "PN", &[("GEN-1002", "99")])).await.unwrap();
    let recent = test.desk.quote_list(Nothing {}).await.unwrap().recent;
    assert_eq!(recent.len(), 20);
    let opened = test.desk.quote_open(QuoteId { id: recent[0].id.clone() }).await.unwrap();
    assert_eq!(opened.request.lines[0].premium, "10", "asked again: moved to the top");
    let tens = recent.iter().filter(|quote| quote.total == recent[0].total).count();
    assert_eq!(tens, 1);

    // Saving a recent quote in place makes it a saved one.
    test.desk.quote_save(save(Some(&recent[0].id), "Kept", opened.request, opened.answer)).await.unwrap();
    let list = test.desk.quote_list(Nothing {}).await.unwrap();
    assert_eq!((list.saved.len(), list.recent.len()), (1, 19));
}

#[tokio::test]
async fn an_unfinished_form_survives_a_crash() {
    let test = TestDesk::offline();
    assert_eq!(test.desk.draft_load(Nothing {}).await.unwrap(), Draft::default());
    let typed = QuoteRequest { state: "T".into(), agency_fee: "12,".into(), ..QuoteRequest::default() };
    test.desk.draft_save(typed.clone()).await.unwrap();
    // Neither closed nor dropped: a second process reads what the first one wrote.
    let draft = test.again().draft_load(Nothing {}).await.unwrap();
    assert_eq!(draft.request, Some(typed));
    assert_eq!(draft.at, "2026-03-01T12:00:00Z");
}

#[tokio::test]
async fn settings_are_kept_and_checked() {
    let test = TestDesk::offline();
    let settings =
        Settings { theme: Theme::Dark, zoom: 125, agency: " Example Agency ".into(), ..Settings::default() };
    test.desk.settings_save(settings).await.unwrap();
    let loaded = test.again().settings_load(Nothing {}).await.unwrap();
    assert_eq!((loaded.theme, loaded.zoom, loaded.agency.as_str()), (Theme::Dark, 125, "Example Agency"));
    for (settings, pointer) in [
        (Settings { zoom: 79, ..Settings::default() }, "/zoom"),
        (Settings { zoom: 201, ..Settings::default() }, "/zoom"),
        (Settings { agency: "x".repeat(101), ..Settings::default() }, "/agency"),
    ] {
        assert_eq!(test.desk.settings_save(settings).await.unwrap_err().details[0].pointer, pointer);
    }
}
