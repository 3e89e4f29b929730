//! Diligent effort forms: offered, begun, checked, filled by the service and here, saved, opened, uploaded.

use std::time::Duration;

use bordereau_desk::api::*;

use crate::outbox_fixture::{OutboxFixture, many, rows, sent};
use crate::test_desk::{TestDesk, texas};

pub fn texas_form() -> FormsRequest {
    let values = [
        ("insured_name", "Café Example LLC"),
        ("insured_address", "12 Main Street"),
        ("coverage_description", "Bakery"),
        ("insurer_name", "Surplus Insurance"),
        ("producer_name", "P. Agent"),
        ("producer_license", "1"),
        ("broker_name", "B. Broker"),
        ("broker_license", "2"),
    ];
    let declination = |at: usize| FormDeclination {
        carrier: format!("Carrier {at}"),
        naic: format!("1000{at}"),
        contact: "A. Person".into(),
        date: "2026-02-02".into(),
        reason: "Class not written".into(),
    };
    FormsRequest {
        state: "TX".into(),
        transaction_type: "PN".into(),
        policy_effective_date: "2026-02-23".into(),
        values: values.into_iter().map(|(name, value)| (name.into(), value.into())).collect(),
        declinations: (1..=3).map(declination).collect(),
        ..FormsRequest::default()
    }
}

fn question(state: &str) -> FormsQuestion {
    FormsQuestion {
        state: state.into(),
        transaction_type: "PN".into(),
        policy_effective_date: "2026-02-23".into(),
        ..FormsQuestion::default()
    }
}

#[tokio::test]
async fn the_service_fills_and_the_file_is_saved() {
    let test = TestDesk::new().await;
    let filled = test.desk.form_fill(texas_form()).await.unwrap();
    let form = &filled.forms[0];
    assert!(form.service && form.complete && filled.note.is_empty(), "{filled:?}");
    let shown: Vec<&str> = form.pages[0].marks.iter().filter_map(|mark| mark.text.as_deref()).collect();
    assert!(
        shown.contains(&"Café Example LLC") && shown.iter().any(|text| text.contains("practice service"))
    );
    assert_eq!(form.file_name, "TX DEF Diligent effort form Café Example LLC.pdf");
    let path = test.answer_dialog("form.pdf");
    let handle = FormHandle { handle: form.handle.clone() };
    let saved = test.desk.form_save(handle).await.unwrap();
    let bytes = std::fs::read(path).unwrap();
    assert!(saved.saved && bytes.starts_with(b"%PDF-") && bytes.len() == form.bytes as usize);
    let carriers = test.desk.form_list(question("TX")).await.unwrap().carriers;
    assert_eq!(carriers.len(), 3, "remembered");
    assert_eq!((carriers[0].carrier.as_str(), carriers[0].naic.as_str()), ("Carrier 3", "10003"));
}

#[tokio::test]
async fn without_the_service_it_is_filled_here_and_says_so() {
    let test = TestDesk::offline();
    let filled = test.desk.form_fill(texas_form()).await.unwrap();
    assert!(
        !filled.forms[0].service && filled.note.starts_with("Filled on this computer"),
        "{}",
        filled.note
    );
    let asked = FormsRequest { offline: true, ..texas_form() };
    let filled = test.desk.form_fill(asked).await.unwrap();
    assert!(!filled.forms[0].service && filled.note.is_empty() && !filled.forms[0].pages.is_empty());
    let gone = test.desk.form_save(FormHandle { handle: "form-99".into() }).await.unwrap_err();
    assert_eq!(gone.code, ErrorCode::NotFound);
}

#[tokio::test]
async fn what_is_not_in_order_is_found_while_typing() {
    let test = TestDesk::offline();
    let mut typed = texas_form();
    typed.declinations[2].naic = "10001".into();
    typed.values.remove("producer_license");
    let check = test.desk.form_check(typed).await.unwrap();
    assert_eq!(check.findings[0].pointer, "/declinations/2/carrier");
    let names: Vec<&str> = check.forms[0].missing.iter().map(|missing| missing.name.as_str()).collect();
    assert_eq!(names, ["producer_license", "declinations"]);
    let unreadable = FormsRequest { policy_effective_date: "soon".into(), ..texas_form() };
    let check = test.desk.form_check(unreadable.clone()).await.unwrap();
    assert_eq!(check.findings[0].pointer, "/policy_effective_date");
    let error = test.desk.form_fill(unreadable).await.unwrap_err();
    assert_eq!((error.code, error.details.len()), (ErrorCode::Validation, 1));
}

#[tokio::test]
async fn a_state_without_a_form_says_why() {
    let test = TestDesk::offline();
    let louisiana = test.desk.form_list(question("LA")).await.unwrap();
    assert_eq!((louisiana.status.as_str(), louisiana.forms.len()), ("repealed", 0));
    assert!(!louisiana.sources.is_empty() && louisiana.text.contains("repealed"));
    let error = test.desk.form_fill(FormsRequest { state: "LA".into(), ..texas_form() }).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::NotFound);
    assert!(error.message.contains("Louisiana") && error.message.contains("repealed"), "{}", error.message);
}

#[tokio::test]
async fn a_form_begins_with_what_the_quote_says() {
    let test = TestDesk::offline();
    let begun = test.desk.form_prefill(FormsPrefill { quote: Some(texas()), ..FormsPrefill::default() });
    let begun = begun.await.unwrap();
    assert_eq!((begun.state.as_str(), begun.policy_effective_date.as_str()), ("TX", "2026-02-23"));
    assert_eq!(begun.values["insured_name"], "Example LLC");
    assert!(!begun.values["coverage_description"].is_empty());
    let nothing = test.desk.form_prefill(FormsPrefill::default()).await.unwrap_err();
    assert_eq!(nothing.code, ErrorCode::Validation);
}

#[tokio::test]
async fn a_template_of_ones_own_is_one_file_in_the_folder() {
    let test = TestDesk::offline();
    let folder = test.folder.path().join("data").join("forms");
    std::fs::create_dir_all(&folder).unwrap();
    let own = r#"
state = "LA"
code = "DEF"
title = "Our own record"
prepares = "what we keep"
transactions = ["PN"]
checked = { level = "older", text = "house rule" }
source = [{ title = "handbook", url = "https://example.com/handbook" }]
[[section]]
block = "insured"
"#;
    std::fs::write(folder.join("la-own.toml"), own).unwrap();
    std::fs::write(folder.join("broken.toml"), "state = 1").unwrap();
    let offer = test.desk.form_list(question("LA")).await.unwrap();
    assert!(offer.forms[0].own && offer.forms[0].title == "Our own record");
    assert!(offer.refused[0].starts_with("broken.toml"), "{:?}", offer.refused);
    let filled = test.desk.form_fill(FormsRequest { state: "LA".into(), ..texas_form() }).await.unwrap();
    assert!(filled.forms[0].complete && !filled.forms[0].service);
}

#[tokio::test]
async fn a_filled_form_goes_to_its_transaction_in_one_step() {
    let test = TestDesk::offline();
    let filled = test.desk.form_fill(FormsRequest { offline: true, ..texas_form() }).await.unwrap();
    let handle = filled.forms[0].handle.clone();
    let upload =
        |id: &str| FormUpload { handle: handle.clone(), transaction_id: id.into(), ..FormUpload::default() };
    let none = test.desk.form_upload(upload(" ")).await.unwrap_err();
    assert_eq!(none.details[0].pointer, "/transaction_id");
    let queued = test.desk.form_upload(upload("1042")).await.unwrap();
    assert_eq!((queued.code.as_str(), queued.transaction_id.as_str()), ("DEF", "1042"));
    assert_eq!(queued.sha256.len(), 64);
}

#[tokio::test]
async fn the_first_form_of_a_day_to_production_is_confirmed_by_a_word() {
    let test = TestDesk::offline();
    let profile =
        Profile { environment: Environment::Production, ..crate::test_desk::profile("Head office") };
    let id = test.desk.profile_save(profile).await.unwrap().profile.id;
    test.desk.profile_select(ProfileId { id }).await.unwrap();
    let filled = test.desk.form_fill(FormsRequest { offline: true, ..texas_form() }).await.unwrap();
    let upload = |typed: &str| FormUpload {
        handle: filled.forms[0].handle.clone(),
        transaction_id: "1042".into(),
        typed: typed.into(),
    };
    let refused = test.desk.form_upload(upload("")).await.unwrap_err();
    assert_eq!(refused.details[0].pointer, "/typed");
    assert!(test.desk.documents_queue(Nothing {}).await.unwrap().uploads.is_empty(), "nothing is stored");
    test.desk.form_upload(upload("head office")).await.unwrap();
}

/// A transaction at the service, and the form for it from prefilling to its content at the service.
#[tokio::test(flavor = "multi_thread")]
async fn a_form_begun_from_a_transaction_is_printed_and_uploaded_to_it() {
    let test = OutboxFixture::new().await;
    let desk = test.desk();
    let batch = sent(&desk, many("form", 1)).await;
    let id = rows(&desk, &batch.id, None, 0).await.remove(0).transaction_id.unwrap();
    desk.settings_save(Settings { agency: "Example Agency".into(), ..Settings::default() }).await.unwrap();

    let from = FormsPrefill { transaction_id: format!(" {id} "), ..FormsPrefill::default() };
    let begun = desk.form_prefill(from).await.unwrap();
    let record = desk.transaction_detail(TransactionId { id: id.clone() }).await.unwrap();
    assert_eq!((begun.state.as_str(), begun.transaction_type.as_str()), ("TX", "PN"));
    assert_eq!(begun.policy_effective_date, "2026-02-23");
    assert_eq!(begun.values["insured_name"], record.row.insured);
    assert_eq!(begun.values["policy_number"], record.row.policy_number);
    assert_eq!(begun.values["producer_agency"], "Example Agency");

    let mut values = texas_form().values;
    values.extend(begun.values);
    let request = FormsRequest { values, declinations: texas_form().declinations, ..begun };
    let filled = desk.form_fill(request).await.unwrap().forms.remove(0);
    assert!(filled.service && filled.complete, "{:?}", filled.missing);
    desk.form_print(FormHandle { handle: filled.handle.clone() }).await.unwrap();
    let opened = test.person.opened.lock().unwrap().pop().unwrap();
    assert!(opened.ends_with(&filled.file_name), "{opened}");
    let printed = std::fs::read(opened).unwrap();
    assert!(printed.starts_with(b"%PDF-") && printed.len() == filled.bytes as usize);

    let upload = FormUpload { handle: filled.handle, transaction_id: id.clone(), ..FormUpload::default() };
    let queued = desk.form_upload(upload).await.unwrap();
    let waited =
        tokio::time::timeout(Duration::from_secs(60), desk.documents_wait(std::slice::from_ref(&queued.id)))
            .await;
    assert_eq!(waited.unwrap().unwrap()[0].state, UploadState::Sent);
    let target = DocumentTarget { transaction_id: id, ..DocumentTarget::default() };
    let there = desk.transaction_documents(target.clone()).await.unwrap();
    assert!(there.documents.iter().any(|document| document.code == "DEF"), "{:?}", there.documents);
    let into = test.folder.path().join("down");
    std::fs::create_dir(&into).unwrap();
    let fetched = desk.documents_fetch(&target, &[], &into).await.unwrap();
    assert_eq!(fetched[0].sha256, queued.sha256, "the same pages at the service");
}
