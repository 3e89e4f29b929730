//! Diligent effort forms: offered, begun, checked, filled by the service and here, saved, opened, uploaded.

use std::time::Duration;

use bordereau_desk::api::*;

use crate::other_service::{OtherService, Question, reply};
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

const FORMS: &str = "/api/v1/diligent-forms.json";

/// A service that answers forms with `body`; their files are under `/f/`.
async fn forms_service(status: u16, body: &'static str) -> (TestDesk, OtherService) {
    let service = OtherService::start(move |asked: &Question| match asked.path.as_str() {
        FORMS => Some((status, body.to_owned())),
        path if path.starts_with("/f/") => reply(format!("%PDF-1.7 {path}")),
        _ => Some((410, r#"{"message":"The link has expired"}"#.to_owned())),
    })
    .await;
    let test = TestDesk::offline();
    service.select(&test.desk, test.folder.path()).await;
    (test, service)
}

fn california_form() -> FormsRequest {
    FormsRequest { state: "CA".into(), ..texas_form() }
}

/// Code, name, whether the service filled it, and its file's name.
fn outlines(filled: &FilledForms) -> Vec<(&str, &str, bool, &str)> {
    filled
        .forms
        .iter()
        .map(|form| (form.code.as_str(), form.name.as_str(), form.service, form.file_name.as_str()))
        .collect()
}

#[tokio::test]
async fn every_form_of_the_service_is_kept_under_its_own_name() {
    let (test, _service) = forms_service(
        200,
        r#"{"forms":[{"code":"D1DISC","name":"D1","url":"/f/1","complete":true},
            {"code":"SL1","name":"SL1","download_url":"/gone"},
            {"code":"sl2","name":"SL2","download_url":"/f/3","complete":true,"missing_fields":["producer_name"]},
            {"code":"SL2","name":"SL2","download_url":"/f/4"},
            {"code":"AFFIDC","name":"Extra affidavit","download_url":"/f/5"},
            {"code":"OTHER","name":"Lost","download_url":"/gone"},
            {"content":"JVBERi0xLjcK"}]}"#,
    )
    .await;
    let filled = test.desk.form_fill(california_form()).await.unwrap();
    let insured = "Café Example LLC";
    let by_service: Vec<_> = outlines(&filled).into_iter().filter(|(_, _, service, _)| *service).collect();
    assert_eq!(
        by_service,
        [
            ("D1DISC", "D1", true, format!("CA D1DISC D1 {insured}.pdf").as_str()),
            ("SL2", "SL2", true, format!("CA SL2 SL2 {insured}.pdf").as_str()),
            ("SL2", "SL2", true, format!("CA SL2 SL2 {insured} (2).pdf").as_str()),
            ("AFFIDC", "Extra affidavit", true, format!("CA AFFIDC Extra affidavit {insured}.pdf").as_str()),
            ("MISC", "Form", true, format!("CA MISC Form {insured}.pdf").as_str()),
        ]
    );
    let here: Vec<&str> =
        filled.forms.iter().filter(|form| !form.service).map(|form| form.code.as_str()).collect();
    assert!(here.contains(&"SL1"), "{here:?}");
    for said in ["SL1", "The link has expired", "OTHER Lost of the service is missing"] {
        assert!(filled.note.contains(said), "{said}: {}", filled.note);
    }
    let complete: Vec<bool> =
        filled.forms.iter().filter(|form| form.service).map(|form| form.complete).collect();
    assert_eq!(complete, [true, false, false, false, false], "what names something missing is not complete");
}

#[tokio::test]
async fn a_refusal_of_the_service_is_not_filled_here() {
    for (status, body, expected) in [
        (200, r#"{"success":false,"message":"Producer license is required"}"#, Some(ErrorCode::Rejected)),
        (200, r#"{"message":"Producer license is required"}"#, Some(ErrorCode::Rejected)),
        (422, r#"{"message":"Producer license is required"}"#, Some(ErrorCode::Rejected)),
        (400, r#"{"message":"Producer license is required"}"#, Some(ErrorCode::Rejected)),
        (403, r#"{"message":"Producer license is required"}"#, Some(ErrorCode::NotPermitted)),
        (404, r#"{"message":"Producer license is required"}"#, None),
        (405, r#"{"message":"Producer license is required"}"#, None),
        (501, r#"{"message":"Producer license is required"}"#, None),
        (200, r#"{"forms":[]}"#, None),
    ] {
        let (test, _service) = forms_service(status, body).await;
        match (test.desk.form_fill(texas_form()).await, expected) {
            (Err(error), Some(code)) => {
                assert_eq!(error.code, code, "{status} {body}");
                assert!(error.message.contains("Producer license is required"), "{}", error.message);
            }
            (Ok(filled), None) => {
                assert!(filled.forms.iter().all(|form| !form.service), "{status} {body}");
                assert!(filled.note.starts_with("Filled on this computer, because"), "{}", filled.note);
            }
            (found, _) => panic!("{status} {body}: {found:?}"),
        }
    }
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
