//! Profiles: the rules, the secrets that belong to them, signing in, testing the connection.

use bordereau_desk::api::*;
use bordereau_desk::{SecretName, SecretStore};

use crate::test_desk::{TestDesk, file_handle, profile, texas};

type Change = fn(&mut Profile);

#[tokio::test]
async fn what_a_profile_must_be() {
    let cases: &[(Change, &str, &str)] = &[
        (|p| p.name = " ".into(), "/name", "Enter a name for the profile"),
        (|p| p.name = "practice".into(), "/name", "another profile named"),
        (|p| p.name = "x".repeat(61), "/name", "longer than 60"),
        (|p| p.environment = Environment::Practice, "/environment", "built-in"),
        (|p| p.base_url = String::new(), "/base_url", "is missing"),
        (|p| p.base_url = "http://service.example".into(), "/base_url", "isn't allowed"),
        (|p| p.base_url = "ftp://service.example".into(), "/base_url", "ftp:// is not supported"),
        (|p| p.base_url = "service".into(), "/base_url", "not a valid address"),
        (|p| p.base_url = "https://me:pw@service.example".into(), "/base_url", "username or password"),
        (|p| p.base_url = "https://service.example?apikey=1".into(), "/base_url", "? or #"),
        (|p| p.token_path = "token".into(), "/token_path", "single /"),
        (|p| p.calculator_path = "//evil.example/x".into(), "/calculator_path", "single /"),
        (|p| p.calculator_path = "/a/../b".into(), "/calculator_path", "single /"),
        (|p| p.import_path = "api/import".into(), "/import_path", "single /"),
        (|p| p.results_path = "/results?batch=1".into(), "/results_path", "single /"),
        (|p| p.search_path = "/search?page=1".into(), "/search_path", "single /"),
        (|p| p.status_path = "status".into(), "/status_path", "single /"),
        (|p| p.documents_path = "//evil.example/x".into(), "/documents_path", "single /"),
        (|p| p.forms_path = "/a b".into(), "/forms_path", "single /"),
        (|p| p.single_path = "single".into(), "/single_path", "single /"),
        (|p| p.webhooks_path = "//x".into(), "/webhooks_path", "single /"),
        (|p| p.signature_header = "X Signature".into(), "/signature_header", "letters, digits and hyphens"),
        (|p| p.signature_prefix = "sha 256".into(), "/signature_prefix", "without blanks"),
        (
            |p| p.words = vec![word(WordKind::Batch, "Done", "done")],
            "/words/0",
            "isn't a meaning that is known here",
        ),
        (|p| p.words = vec![word(WordKind::Row, "", "success")], "/words/0", "belong together"),
        (|p| p.requests_per_minute = 10_001, "/requests_per_minute", "At most 10000"),
        (|p| p.rows_per_request = 1_001, "/rows_per_request", "At most 1000"),
        (|p| p.ca_file = "/etc/hostname".into(), "/ca_file", "Choose it again"),
        (|p| p.lines_file = "\\\\server\\x.csv".into(), "/lines_file", "Choose it again"),
        (|p| p.kentucky_file = "../desk.sqlite".into(), "/kentucky_file", "Choose it again"),
        (|p| p.fee_charged_by = "both".into(), "/fee_charged_by", "is not retail_agent or"),
    ];
    let test = TestDesk::offline();
    for (change, pointer, sentence) in cases {
        let mut request = profile("Sandbox");
        change(&mut request);
        let error = test.desk.profile_save(request).await.unwrap_err();
        assert_eq!(error.code, ErrorCode::Validation, "{pointer}");
        assert_eq!(error.details.len(), 1, "{:?}", error.details);
        assert_eq!(error.details[0].pointer, *pointer);
        assert!(error.details[0].message.contains(sentence), "{pointer}: {}", error.details[0].message);
    }
    assert_eq!(test.desk.profile_list(Nothing {}).await.unwrap().profiles.len(), 1);
}

#[tokio::test]
async fn a_profiles_files_are_copied_when_they_are_chosen_and_named_by_handle() {
    let test = TestDesk::offline();
    let path = test.folder.path().join("rates.csv");
    let kept = || {
        let folder = test.folder.path().join("data/profile-files");
        let files = std::fs::read_dir(folder).map_or(0, |entries| entries.count());
        u32::try_from(files).unwrap()
    };
    let missing = file_handle(&test.desk, &path);
    let request = Profile { lines_file: missing, ..profile("Office") };
    let error = test.desk.profile_save(request).await.unwrap_err();
    assert!(error.details[0].message.contains("\"rates.csv\" cannot be read"), "{error:?}");

    std::fs::write(&path, "code,name,class\nGEN-1001,Own,general_liability\n").unwrap();
    let request = Profile { lines_file: file_handle(&test.desk, &path), ..profile("Office") };
    let own = test.desk.profile_save(request).await.unwrap().profile;
    assert!(own.lines_file.ends_with("/rates.csv"), "{}", own.lines_file);
    let folder = test.folder.path().to_string_lossy().into_owned();
    assert!(!own.lines_file.contains(&folder), "no path reaches the page");
    assert_eq!(kept(), 1);
    // The copy is what counts, in another process too, and what is saved again stays.
    std::fs::remove_file(&path).unwrap();
    let again = test.again();
    let own = again.profile_save(Profile { name: "Renamed".into(), ..own }).await.unwrap().profile;
    again.profile_select(ProfileId { id: own.id.clone() }).await.unwrap();
    let reference = again.reference_data(Nothing {}).await.unwrap();
    assert!(reference.lines.iter().any(|line| line.name == "Own"), "{}", reference.lines_source);

    // Another profile cannot name it, and it goes with the last that does.
    let request = Profile { lines_file: own.lines_file.clone(), ..profile("Other") };
    assert!(again.profile_save(request).await.is_err());
    again.profile_save(Profile { lines_file: String::new(), ..own }).await.unwrap();
    assert_eq!(kept(), 0);
}

#[tokio::test]
async fn an_authority_that_is_none_is_refused_when_it_is_chosen() {
    let test = TestDesk::offline();
    let path = test.folder.path().join("ca.pem");
    for (text, says) in [
        ("nothing of the kind", "It holds no certificate"),
        (
            "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
            "A certificate in it cannot be used",
        ),
        ("-----BEGIN CERTIFICATE-----\n%%%%\n-----END CERTIFICATE-----\n", "not readable as PEM"),
    ] {
        std::fs::write(&path, text).unwrap();
        let request = Profile { ca_file: file_handle(&test.desk, &path), ..profile("Office") };
        let error = test.desk.profile_save(request).await.unwrap_err();
        assert_eq!(error.details[0].pointer, "/ca_file", "{error:?}");
        assert!(error.details[0].message.contains(says), "{error:?}");
    }
}

fn word(kind: WordKind, word: &str, meaning: &str) -> ServiceWord {
    ServiceWord { kind, word: word.into(), meaning: meaning.into() }
}

#[tokio::test]
async fn a_profile_goes_to_a_colleague_as_a_file_without_secrets() {
    let test = TestDesk::new().await;
    let own = test
        .sandbox(|p| {
            p.username = "jane".into();
            p.documents_path = "/transactions/{transaction_id}/documents".into();
            p.webhooks_path = "/hooks".into();
            p.single_path = "/single".into();
            p.has_no_calculator = true;
            p.delivery_proof = DeliveryProofKind::HeaderPair;
            p.signature_header = "X-Signature".into();
            p.words =
                vec![word(WordKind::Transaction, "4", "Filed"), word(WordKind::Batch, "Done", "processed")];
        })
        .await
        .profile;
    let path = test.answer_dialog("office.json");
    let saved = test.desk.profile_export(ProfileId { id: own.id.clone() }).await.unwrap();
    assert!(saved.saved);
    let text = std::fs::read_to_string(&path).unwrap();
    for private in ["jane", "ca.pem", test.running().api_key.as_str(), own.id.as_str()] {
        assert!(!text.contains(private), "{private} is in {text}");
    }
    let opened =
        test.desk.profile_open(OpenProfile { handle: file_handle(&test.desk, &path) }).await.unwrap();
    let opened = opened.profile.unwrap();
    let expected =
        Profile { id: String::new(), username: String::new(), ca_file: String::new(), revision: None, ..own };
    assert_eq!(opened, expected);
    let colleague = TestDesk::offline();
    let view = colleague.desk.profile_save(opened).await.unwrap();
    assert_eq!(view.profile.words.len(), 2);
    assert!(!view.has_key);

    for (content, says) in [
        ("{}", "not the file of a profile"),
        (r#"{"bordereau_profile":2,"profile":{}}"#, "not the file of a profile"),
        (&text.replace("\"bordereau_profile\": 1", "\"bordereau_profile\": 9"), "A newer version"),
    ] {
        std::fs::write(&path, content).unwrap();
        let handle = file_handle(&colleague.desk, &path);
        let error = colleague.desk.profile_open(OpenProfile { handle }).await.unwrap_err();
        assert!(error.message.contains(says), "{}", error.message);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_service_without_a_calculator_passes_its_test_and_quotes_are_estimates() {
    let test = TestDesk::new().await;
    let view = test.sandbox(|p| p.has_no_calculator = true).await;
    let report = test.desk.profile_test(ProfileId { id: view.profile.id }).await.unwrap();
    assert!(report.ok, "{report:?}");
    let calculator = report.steps.last().unwrap();
    assert!(calculator.detail.contains("quotes are estimates"), "{calculator:?}");
    let answer = test.desk.quote_calculate(texas()).await.unwrap();
    assert_eq!(answer.by, AnsweredBy::Estimate);
    assert!(answer.notes.iter().any(|note| note.html.contains("has no calculator")), "{:?}", answer.notes);
    let compared =
        CompareRequest { request: texas(), states: vec!["TX".into(), "FL".into()], offline: false };
    let columns = test.desk.quote_compare(compared).await.unwrap().columns;
    assert!(
        columns.iter().all(|column| column.answer.as_ref().is_some_and(|a| a.by == AnsweredBy::Estimate))
    );
}

#[tokio::test]
async fn practice_is_there_and_cannot_be_changed() {
    let test = TestDesk::offline();
    let list = test.desk.profile_list(Nothing {}).await.unwrap().profiles;
    assert_eq!(list.len(), 1);
    assert!(list[0].active && list[0].built_in && list[0].missing.is_empty());
    let id = || "practice".to_owned();
    let errors = [
        test.desk.profile_save(Profile { id: id(), ..profile("x") }).await.unwrap_err(),
        test.desk.profile_remove(ProfileId { id: id() }).await.unwrap_err(),
        test.desk.profile_set_key(SetApiKey { id: id(), key: "k".into() }).await.unwrap_err(),
        test.desk.profile_sign_out(ProfileId { id: id() }).await.unwrap_err(),
    ];
    for error in errors {
        assert_eq!(error.code, ErrorCode::ProfileInvalid);
    }
}

#[tokio::test]
async fn a_profile_of_ones_own_is_kept_used_changed_and_removed() {
    let test = TestDesk::new().await;
    let view = test.sandbox(|_| {}).await;
    let id = view.profile.id.clone();
    assert!(view.has_key && view.missing.is_empty());
    let answer = test.desk.quote_calculate(texas()).await.unwrap();
    assert_eq!((answer.profile.as_str(), answer.total.as_str()), ("Sandbox", "10563.91"));

    let again = test.again();
    let list = again.profile_list(Nothing {}).await.unwrap().profiles;
    assert!(list[1].active && !list[0].active && list[1].has_key);
    again.profile_save(Profile { name: "Renamed".into(), ..list[1].profile.clone() }).await.unwrap();
    let answer = test.desk.quote_calculate(texas()).await.unwrap();
    assert_eq!(answer.profile, "Renamed", "a change by another process is seen");

    test.desk.profile_remove(ProfileId { id: id.clone() }).await.unwrap();
    assert!(test.secrets.get(&id, SecretName::ApiKey).unwrap().is_none());
    let list = test.desk.profile_list(Nothing {}).await.unwrap().profiles;
    assert!(list.len() == 1 && list[0].active, "practice takes its place");
}

#[tokio::test]
async fn a_new_host_loses_the_secrets_of_the_old_one() {
    let test = TestDesk::offline();
    let id = test.desk.profile_save(profile("Sandbox")).await.unwrap().profile.id;
    test.desk.profile_set_key(SetApiKey { id: id.clone(), key: "key-1".into() }).await.unwrap();
    let kept =
        Profile { id: id.clone(), base_url: "https://service.example/v2/".into(), ..profile("Sandbox") };
    let view = test.desk.profile_save(kept).await.unwrap();
    assert!(view.has_key, "same host");
    assert_eq!(view.profile.base_url, "https://service.example/v2");
    let moved = Profile { id, base_url: "https://other.example".into(), ..profile("Sandbox") };
    let view = test.desk.profile_save(moved).await.unwrap();
    assert!(!view.has_key);
    assert_eq!(view.missing, ["API key"]);
}

#[tokio::test]
async fn keys_are_stored_refused_and_removed() {
    let test = TestDesk::offline();
    let id = test.desk.profile_save(profile("Sandbox")).await.unwrap().profile.id;
    let set = |key: &str| SetApiKey { id: id.clone(), key: key.into() };
    assert!(test.desk.profile_set_key(set(" key-1\n")).await.unwrap().has_key);
    assert_eq!(test.secrets.get(&id, SecretName::ApiKey).unwrap().unwrap().as_str(), "key-1");
    for wrong in ["two words", "line\nbreak", "ключ"] {
        let error = test.desk.profile_set_key(set(wrong)).await.unwrap_err();
        assert_eq!(error.details[0].pointer, "/key");
        assert!(!format!("{error:?}").contains(wrong));
    }
    assert!(!test.desk.profile_set_key(set("")).await.unwrap().has_key);
    let error =
        test.desk.profile_set_key(SetApiKey { id: "nobody".into(), key: "k".into() }).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::NotFound);
}

#[tokio::test]
async fn signing_in_and_out() {
    let test = TestDesk::new().await;
    let view = test.sandbox(|profile| profile.sign_in = SignIn::User).await;
    let id = view.profile.id;
    assert_eq!(view.missing, ["Sign-in with username and password"]);
    let error = test.desk.quote_calculate(texas()).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::NoCredentials, "{error:?}");

    let sign_in = |password: &str| SignInRequest {
        id: id.clone(),
        username: test.running().username.clone(),
        password: password.into(),
    };
    let error = test.desk.profile_sign_in(sign_in("wrong-password")).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::NotAuthorized, "{error:?}");
    assert!(!error.message.contains("wrong-password"));
    let error = test.desk.profile_sign_in(sign_in("")).await.unwrap_err();
    assert_eq!(error.details[0].pointer, "/password");

    let view = test.desk.profile_sign_in(sign_in(&test.running().password)).await.unwrap();
    assert!(view.signed_in && view.missing.is_empty());
    assert_eq!(view.profile.username, test.running().username);
    assert_eq!(test.desk.quote_calculate(texas()).await.unwrap().total, "10563.91");

    let view = test.desk.profile_sign_out(ProfileId { id: id.clone() }).await.unwrap();
    assert!(!view.signed_in);
    assert!(test.secrets.get(&id, SecretName::RefreshToken).unwrap().is_none());
    assert_eq!(test.desk.quote_calculate(texas()).await.unwrap_err().code, ErrorCode::NoCredentials);
}

#[tokio::test]
async fn a_wrong_key_is_not_authorized_and_a_new_one_works_at_once() {
    let test = TestDesk::new().await;
    let id = test.sandbox(|_| {}).await.profile.id;
    test.desk
        .profile_set_key(SetApiKey { id: id.clone(), key: "not-the-key-of-anybody".into() })
        .await
        .unwrap();
    let error = test.desk.quote_calculate(texas()).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::NotAuthorized, "{error:?}");
    assert!(!error.retryable);
    let key = test.running().api_key.clone();
    test.desk.profile_set_key(SetApiKey { id, key }).await.unwrap();
    test.desk.quote_calculate(texas()).await.unwrap();
}

#[tokio::test]
async fn testing_a_connection_names_each_step() {
    let test = TestDesk::new().await;
    let report = test.desk.profile_test(ProfileId { id: "practice".into() }).await.unwrap();
    assert!(report.ok, "{report:?}");
    let names: Vec<&str> = report.steps.iter().map(|step| step.name.as_str()).collect();
    assert_eq!(names, ["Address", "Name lookup", "Connection", "Certificate", "Sign-in", "Calculator"]);

    let id = test.sandbox(|_| {}).await.profile.id;
    assert!(test.desk.profile_test(ProfileId { id: id.clone() }).await.unwrap().ok);
    let untrusted =
        Profile { id: String::new(), name: "No CA".into(), ca_file: String::new(), ..sandbox(&test) };
    let id = test.desk.profile_save(untrusted).await.unwrap().profile.id;
    test.desk
        .profile_set_key(SetApiKey { id: id.clone(), key: test.running().api_key.clone() })
        .await
        .unwrap();
    let report = test.desk.profile_test(ProfileId { id: id.clone() }).await.unwrap();
    let failed = report.steps.iter().find(|step| step.outcome == TestOutcome::Failed).unwrap();
    assert_eq!(failed.name, "Certificate", "{report:?}");
    assert!(!report.ok && !failed.remedy.is_empty());
    test.desk.profile_select(ProfileId { id }).await.unwrap();
    let error = test.desk.quote_calculate(texas()).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::Untrusted, "{error:?}");
}

fn sandbox(test: &TestDesk) -> Profile {
    Profile { base_url: test.running().base_url.clone(), ..profile("Sandbox") }
}

#[tokio::test]
async fn only_known_addresses_are_opened() {
    let test = TestDesk::new().await;
    let known = bordereau_tax::RuleBook::builtin()
        .source_addresses()
        .find(|url| url.starts_with("https://"))
        .unwrap();
    test.desk.open_address(OpenAddress { url: known.into() }).await.unwrap();
    let own = format!("{}/help", test.running().base_url);
    assert!(test.desk.open_address(OpenAddress { url: own.clone() }).await.is_err());
    test.sandbox(|_| {}).await;
    test.desk.open_address(OpenAddress { url: own.clone() }).await.unwrap();
    for url in ["http://example.com", "https://example.com", "file:///etc/passwd", "javascript:alert(1)", "x"]
    {
        let error = test.desk.open_address(OpenAddress { url: url.into() }).await.unwrap_err();
        assert_eq!(error.details[0].pointer, "/url", "{url}");
    }
    assert_eq!(*test.person.opened.lock().unwrap(), [known.to_owned(), own]);
}

/// What was kept before there were such answers reads as nobody having said.
#[test]
fn a_profile_and_a_quote_of_an_earlier_version_are_read() {
    let mut kept = serde_json::to_value(profile("Sandbox")).unwrap();
    let members = kept.as_object_mut().unwrap();
    members.remove("fee_charged_by");
    members.remove("sends_quote_details");
    assert_eq!(serde_json::from_value::<Profile>(kept).unwrap(), profile("Sandbox"));

    let mut kept = serde_json::to_value(texas()).unwrap();
    for name in ["fee_charged_by", "occupancy", "assessment_rate"] {
        kept.as_object_mut().unwrap().remove(name);
    }
    assert_eq!(serde_json::from_value::<QuoteRequest>(kept).unwrap(), texas());
}

#[tokio::test]
async fn each_profile_remembers_who_charges_the_fee() {
    let test = TestDesk::new().await;
    let choose = async |code: &str| {
        let choice = FeeChargedByChoice { fee_charged_by: code.into() };
        test.desk.profile_fee_charged_by_save(choice).await
    };
    let remembered = async || test.again().reference_data(Nothing {}).await.unwrap().fee_charged_by;
    assert_eq!(remembered().await, "");
    assert!(choose("retail_agent").await.unwrap().profile.sends_quote_details, "practice understands it");
    assert_eq!(remembered().await, "retail_agent");

    let view = test.sandbox(|_| {}).await;
    assert!(!view.profile.sends_quote_details, "another service is told only where the person says so");
    assert_eq!(remembered().await, "", "another profile, another choice");
    assert!(choose("surplus_lines_licensee").await.unwrap().has_key, "the key stays");
    assert_eq!(remembered().await, "surplus_lines_licensee");
    assert_eq!(choose("both").await.unwrap_err().details[0].pointer, "/fee_charged_by");

    test.desk.profile_select(ProfileId { id: "practice".into() }).await.unwrap();
    assert_eq!(remembered().await, "retail_agent");
    let listed = test.desk.profile_list(Nothing {}).await.unwrap().profiles;
    assert_eq!(listed[0].profile.fee_charged_by, "retail_agent");
    choose("").await.unwrap();
    assert_eq!(remembered().await, "");
}
