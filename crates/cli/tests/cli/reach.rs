//! What the window can do, the command line can do too.

use serde_json::{Value, json};

use crate::command::{Ended, Place};
use crate::imports::sample;
use crate::service::{Served, add};

const TEXAS: &str =
    "quote --state TX --line GEN-1002=1000 --agency-fee 100 --effective 2026-02-23 --written-as DC";

fn written(place: &Place, name: &str, content: &Value) -> String {
    let path = place.folder().join(name);
    std::fs::write(&path, content.to_string()).unwrap();
    path.to_string_lossy().into_owned()
}

fn answer(ended: &Ended) -> Value {
    serde_json::from_str(&ended.out).unwrap_or_else(|error| panic!("{error}: {ended:?}"))
}

#[test]
fn a_saved_quote_is_shown_renamed_printed_and_removed() {
    let place = Place::new();
    assert_eq!(place.line("saved list").out, "No quotes yet.\n");
    let quoted = place.run(TEXAS.split_whitespace().chain(["--offline", "--save", "Diner"]));
    assert!(
        quoted.code == 0 && quoted.err.contains("Saved as") && quoted.err.contains("Diner"),
        "{quoted:?}"
    );
    let saved = place.json("saved list")["saved"].clone();
    assert_eq!((saved.as_array().unwrap().len(), &saved[0]["name"]), (1, &json!("Diner")));
    let id = saved[0]["id"].as_str().unwrap();
    let file = place.folder().join("saved.pdf");
    let shown = place.line(&format!("saved show {id} --pdf {}", file.display()));
    assert!(shown.code == 0 && shown.out.contains("53.35"), "{shown:?}");
    assert!(std::fs::read(&file).unwrap().starts_with(b"%PDF-"));
    assert_eq!(place.json(&format!("saved show {id}"))["answer"]["total"], "1153.79");
    assert_eq!(place.json(&format!("saved name {id} Renamed"))["name"], "Renamed");
    assert_eq!(place.line(&format!("saved remove {id}")).out, "Removed.\n");
    for line in ["saved show nobody", "saved remove nobody", "saved name nobody X"] {
        let ended = place.line(line);
        assert!(ended.code == 2 && ended.err.contains("bordereau saved list"), "{line}: {ended:?}");
    }
}

/// What a quote does not know, and the service asks for.
fn rest_of_the_quote() -> Value {
    json!({
        "policy_number": "0012345678", "invoice_number": "10001", "risk_description": "a warehouse",
        "layered_risk": false, "risk_retention_group": 0, "mailing_insured_name": "Example Diner LLC",
        "insurance_company_list": ["AA-1120337"], "insurance_company_coverage": 100,
    })
}

#[test]
fn a_quote_is_filed_as_one_transaction_with_its_answer() {
    let place = Place::new();
    assert_eq!(place.run(TEXAS.split_whitespace().chain(["--save", "Diner"])).code, 0);
    let id = place.json("saved list")["saved"][0]["id"].as_str().unwrap().to_owned();

    let draft = place.line(&format!("transaction new --from-quote {id}"));
    assert_eq!(draft.code, 3, "{draft:?}");
    assert!(
        draft.out.contains("A required value that is missing") && draft.out.contains("Draft "),
        "{draft:?}"
    );
    assert_eq!(place.json("batch list")["batches"], json!([]), "nothing was sent");

    let rest = written(&place, "rest.json", &rest_of_the_quote());
    let sent = place.line(&format!("transaction new --from-quote {id} --data {rest} --send --json"));
    assert_eq!(sent.code, 0, "{sent:?}");
    let told = answer(&sent);
    assert_eq!(
        (&told["batch"]["is_single"], &told["row"]["stage"]),
        (&json!(true), &json!("processed")),
        "{told}"
    );
    assert_eq!(told["row"]["policy_number"], "0012345678");
    let number = told["row"]["transaction_id"].as_str().unwrap();
    let status = place.json(&format!("status {number}"));
    assert_eq!(
        (&status["row"]["taxes"], &status["row"]["state"]),
        (&json!("53.79"), &json!("TX")),
        "{status}"
    );

    let again = place.line(&format!("transaction new --from-quote {id} --data {rest} --send"));
    assert_eq!(again.code, 3, "what was sent is not sent again: {again:?}");
    assert!(again.err.contains("sent before") && again.err.contains("It stays as draft"), "{again:?}");
}

#[test]
fn a_draft_is_sent_later_and_wrong_words_send_nothing() {
    let place = Place::new();
    let mut values = rest_of_the_quote();
    for (name, value) in [
        ("physical_state", "TX"),
        ("policy_effective_date", "02/03/2026"),
        ("account_written_as", "DC"),
        ("premium", "1000"),
        ("line_of_business_list", "GEN-1002"),
        ("line_of_business_coverage", "1000"),
        ("sl_tax", "50.00"),
        ("stamping_fee", "0.40"),
    ] {
        values[name] = json!(value);
    }
    let file = written(&place, "one.json", &values);
    let draft = place.json(&format!("transaction new --data {file}"));
    let id = draft["draft"].as_str().unwrap();
    let codes: Vec<&Value> =
        draft["review"]["groups"].as_array().unwrap().iter().map(|group| &group["code"]).collect();
    assert!(codes.contains(&&json!("tax_differs")), "{codes:?}");
    let sent = place.line(&format!("transaction send {id} --repair use_calculated"));
    assert!(sent.code == 0 && sent.out.contains("of the service"), "{sent:?}");

    for (values, says) in [
        (json!({ "policy": "1" }), "no column \"policy\""),
        (json!(["policy_number"]), "one JSON object"),
        (json!({ "premium": { "usd": 1 } }), "premium is neither"),
    ] {
        let file = written(&place, "wrong.json", &values);
        let ended = place.line(&format!("transaction new --data {file} --send"));
        assert!(matches!(ended.code, 2 | 3) && ended.err.contains(says), "{values}: {ended:?}");
    }
    assert_eq!(place.line("transaction new").code, 2);
    assert_eq!(place.json("batch list")["batches"].as_array().unwrap().len(), 1);
}

#[test]
fn production_asks_before_one_transaction_too() {
    let served = Served::start();
    let place = Place::new().with("BORDEREAU_API_KEY", served.text("api_key"));
    add(&place, &served, "production", "");
    let mut values = rest_of_the_quote();
    values["physical_state"] = json!("TX");
    values["policy_effective_date"] = json!("2026-02-23");
    values["account_written_as"] = json!("DC");
    values["premium"] = json!(1000);
    values["line_of_business_list"] = json!("GEN-1002");
    values["line_of_business_coverage"] = json!("1000");
    let file = written(&place, "one.json", &values);
    let line = format!("transaction new --data {file} --send --repair use_calculated --profile Office");
    let refused = place.line(&line);
    assert!(refused.code == 2 && refused.err.contains("PRODUCTION"), "{refused:?}");
    assert!(crate::stored::stored(&served).is_empty());
    let sent = place.line(&format!("{line} --yes"));
    assert_eq!(sent.code, 0, "{sent:?}");
    assert_eq!(crate::stored::stored(&served).len(), 1);
}

/// One transaction is waited for as long as it is said, and an estimate is offered to who asked for a quote alone.
#[test]
fn without_the_service_one_transaction_stays_and_a_quote_can_be_estimated() {
    let mut served = Served::start();
    let place = Place::new().with("BORDEREAU_API_KEY", served.text("api_key"));
    add(&place, &served, "sandbox", "");
    served.stop();
    let mut values = rest_of_the_quote();
    values["physical_state"] = json!("TX");
    values["policy_effective_date"] = json!("2026-02-23");
    values["account_written_as"] = json!("DC");
    values["premium"] = json!(1000);
    values["line_of_business_list"] = json!("GEN-1002");
    values["line_of_business_coverage"] = json!("1000");
    let file = written(&place, "one.json", &values);
    let line =
        format!("transaction new --data {file} --send --repair use_calculated --at-most 0 --profile Office");
    let stays = place.line(&line);
    assert!(stays.code == 5 && stays.err.contains("stays in the outbox"), "{stays:?}");
    assert_eq!(place.json("batch list")["batches"][0]["counts"]["pending"], 1);
    for (line, is_offered) in [
        ("quote --state TX --line GEN-1002=1 --profile Office", true),
        ("search --policy-effective 2026-01-01..2026-12-31 --profile Office", false),
        ("status 17 --profile Office", false),
    ] {
        let ended = place.line(line);
        let hint = ended.err.contains("`bordereau quote --offline` works meanwhile");
        assert_eq!((ended.code, hint), (5, is_offered), "{line}: {ended:?}");
    }
}

#[test]
fn warnings_are_kept_with_a_reason_that_the_audit_log_has() {
    let place = Place::new();
    let checked = answer(&place.line(&format!("import {} --json", sample("bad.csv"))));
    let groups = checked["groups"].as_array().unwrap();
    let warning = groups.iter().find(|group| group["severity"] == "warning").unwrap();
    let code = warning["code"].as_str().unwrap();
    let file = sample("bad.csv");
    let keep = format!("{code}=agreed with the state");
    let kept = place.run(["import", &file, "--json", "--keep", &keep]);
    let groups = answer(&kept)["groups"].as_array().unwrap().clone();
    assert!(groups.iter().all(|group| group["code"] != *code), "{groups:?}");
    assert!(groups.iter().any(|group| group["severity"] == "kept"), "{groups:?}");
    assert!(kept.err.contains("agreed with the state"), "{kept:?}");
    let unknown = place.run(["import", &file, "--keep", "nothing=because"]);
    assert!(unknown.err.contains("No row has the warning nothing; there are: "), "{unknown:?}");
    assert_eq!(place.run(["import", &file, "--keep", "nothing"]).code, 2);
}

#[test]
fn a_batch_is_canceled_looked_up_by_its_number_and_in_the_audit_log() {
    let mut served = Served::start();
    let place = Place::new().with("BORDEREAU_API_KEY", served.text("api_key"));
    add(&place, &served, "sandbox", "");
    let line = format!("import {} --send valid --wait --profile Office", sample("good.csv"));
    let sent = place.json(&line);
    let number = sent["batch"]["batch_ids"][0].as_str().unwrap();
    let found = place.json(&format!("batch results {number} --profile Office"));
    assert_eq!((&found["total"], &found["batch"]), (&json!(60), &sent["batch"]["id"]));
    let text = place.line(&format!("batch results {number} --profile Office")).out;
    assert!(text.contains("sent from here") && text.contains("60 transactions answered"), "{text}");
    let unknown = place.line("batch results 0123456789abcdef0123456789abcdef --profile Office");
    assert!(matches!(unknown.code, 2 | 3) && unknown.err.contains("has no batch"), "{unknown:?}");
    let id = sent["batch"]["id"].as_str().unwrap();
    let ended = place.line(&format!("batch cancel {id}"));
    assert!(ended.code == 3 && ended.err.contains("Nothing in this batch is still waiting"), "{ended:?}");
    assert_eq!(place.line("batch cancel nobody").code, 2);
    let log = place.line("audit list --limit 1");
    assert!(log.code == 0 && log.out.contains("the log is whole"), "{log:?}");
    assert_eq!(place.json("audit list")["intact"], true);
    audited(&place);

    served.stop();
    let file = place.folder().join("other.csv");
    std::fs::copy(sample("good.csv"), &file).unwrap();
    let text = std::fs::read_to_string(&file).unwrap().replace("INV-", "OTHER-");
    std::fs::write(&file, text).unwrap();
    // The service is gone: what is queued waits, and can be canceled.
    let file = file.to_string_lossy();
    let arguments = ["import", &file, "--send", "all", "--again", "--wait", "--profile", "Office"];
    let mut sending = place.command().args(arguments).spawn().unwrap();
    let id = loop {
        let newest = place.json("batch list")["batches"][0].clone();
        if newest["state"] == "queued" && newest["trouble"] != "" {
            break newest["id"].as_str().unwrap().to_owned();
        }
        std::thread::sleep(std::time::Duration::from_millis(100));
    };
    sending.kill().unwrap();
    sending.wait().unwrap();
    let canceled = place.json(&format!("batch cancel {id}"));
    assert_eq!(canceled["batch"]["state"], "canceled", "{canceled}");
}

#[test]
fn the_practice_service_is_played_from_the_command_line() {
    let place = Place::new();
    let sent = place.json(&format!("import {} --send valid --wait", sample("good.csv")));
    let batch = sent["batch"]["batch_ids"][0].as_str().unwrap();
    let rows = place.json(&format!("batch show {}", sent["batch"]["id"].as_str().unwrap()));
    let number = rows["rows"][0]["transaction_id"].as_str().unwrap();
    for (line, says) in [
        (format!("practice file {number}"), "1 transaction changed."),
        (format!("practice file --batch {batch}"), "59 transactions changed."),
        (format!("practice pay {number}"), "1 transaction changed."),
        (format!("practice assign-numbers {number}"), "1 transaction changed."),
        ("practice stamp-wording tx --text Wording".to_owned(), "was changed"),
        ("practice simulate-failures error-before --times 2".to_owned(), "failure is set"),
        ("practice end-failures".to_owned(), "failures were removed"),
        // Their names of earlier versions.
        ("practice trouble error-before".to_owned(), "failure is set"),
        ("practice end-trouble".to_owned(), "failures were removed"),
        ("practice speed 10".to_owned(), "speed was changed"),
        ("practice move-clock -60".to_owned(), "clock shows"),
        ("practice dialects".to_owned(), "as the contract says"),
        ("practice role user".to_owned(), "role was changed"),
    ] {
        let ended = place.line(&line);
        assert!(ended.code == 0 && ended.out.contains(says), "{line}: {ended:?}");
    }
    let record = place.json(&format!("status {number}"));
    let field = |name: &str| {
        let fields = record["fields"].as_array().unwrap();
        fields.iter().find(|field| field["name"] == name).unwrap()["value"].clone()
    };
    assert_ne!(field("gl_moved"), "", "paid in full, it is in the ledger: {record}");
    let refused = place.line("practice new-key");
    assert!(refused.code != 0 && refused.err.contains("agency administrator"), "{refused:?}");
    assert_eq!(place.line("practice role agency-administrator").code, 0);
    let made = place.line("practice new-key");
    assert!(made.code == 0 && made.out.contains("API key: bdk_"), "{made:?}");
    let shown = place.line("practice show");
    assert!(shown.out.contains("Role: agency administrator"), "{shown:?}");
    assert_eq!(place.line("practice file").code, 2, "something has to be named");
}

#[test]
fn a_report_is_marked_as_done_and_opened_again() {
    let place = Place::new();
    let mut values = rest_of_the_quote();
    values["physical_state"] = json!("PA");
    // A period that is not over yet: its report is still to come.
    values["policy_effective_date"] = json!(chrono::Utc::now().date_naive().to_string());
    values["account_written_as"] = json!("DC");
    values["premium"] = json!(1000);
    values["line_of_business_list"] = json!("GEN-1002");
    values["line_of_business_coverage"] = json!("1000");
    let file = written(&place, "one.json", &values);
    let sent = place.line(&format!("transaction new --data {file} --send"));
    assert_eq!(sent.code, 0, "{sent:?}");
    assert_eq!(place.line("search").code, 0);
    let find = |id: Option<&str>| {
        let list = place.json("due");
        let entries = list["entries"].as_array().unwrap().clone();
        entries.into_iter().find(|entry| match id {
            Some(id) => entry["id"] == id,
            None => entry["kind"] == "report",
        })
    };
    let entry = find(None).expect("a report of a period");
    let id = entry["id"].as_str().unwrap();
    assert!(place.line("due").out.contains(&format!("bordereau due mark \"{id}\"")));
    assert_eq!(place.run(["due", "mark", id]).out, "Marked as done.\n");
    assert!(find(Some(id)).is_none());
    assert!(place.json("due --marked").to_string().contains(id));
    assert_eq!(place.run(["due", "mark", id, "--not-ours"]).code, 2, "no reason");
    let not_ours = place.run(["due", "mark", id, "--not-ours", "--note", "The retail agent files it"]);
    assert_eq!(not_ours.out, "Marked as not ours.\n");
    assert_eq!(place.run(["due", "mark", "X-1"]).code, 2, "nothing of this id");
    assert_eq!(place.run(["due", "mark", id, "--open"]).out, "Open again.\n");
    assert!(find(Some(id)).is_some());
}

#[test]
fn a_webhook_is_changed_and_gets_a_new_secret() {
    let served = Served::start();
    let place = Place::new().with("BORDEREAU_API_KEY", served.text("api_key"));
    add(&place, &served, "sandbox", "");
    let line = |words: &str| format!("webhook {words} --profile Office");
    let made = place.json(&line("add http://127.0.0.1:9/hook --state tx"));
    let (id, first) = (made["webhook"]["id"].as_str().unwrap(), made["secret"].as_str().unwrap());
    let changed = place.json(&line(&format!(
        "change {id} --title Ledger --event webhook.transaction.status.filed --all-states"
    )));
    let webhook = &changed["webhook"];
    assert_eq!(
        (&webhook["title"], &webhook["states"], webhook["events"].as_array().unwrap().len()),
        (&json!("Ledger"), &json!([]), 1),
        "{changed}"
    );
    assert_eq!(webhook["url"], "http://127.0.0.1:9/hook", "what is not named stays");
    let second = place.json(&line(&format!("new-secret {id}")));
    let second = second["secret"].as_str().unwrap();
    assert!(second.len() == 20 && second != first, "{second}");
    let unknown = place.line(&line("change nobody --title X"));
    assert!(unknown.code == 2 && unknown.err.contains("webhook list"), "{unknown:?}");
}

#[test]
fn rules_and_documents_of_the_service_are_in_the_answer() {
    let place = Place::new();
    let told = place.json(TEXAS);
    let rules = told["rules"].as_array().unwrap();
    let tax = rules.iter().find(|rule| rule["field"] == "sl_tax").unwrap();
    assert_eq!((&tax["service"], &tax["differs"]), (&json!("4.85%"), &json!(false)), "{tax}");
    let documents = told["documents"].as_array().unwrap();
    assert!(documents.iter().all(|document| document["left_out"].is_null()), "{documents:?}");
    let listed = place.line(&format!("{TEXAS} --all-documents")).out;
    assert!(listed.contains("Every document"), "{listed}");
    let folder = place.folder().join("templates");
    let saved = place.line(&format!("{TEXAS} --templates {}", folder.display()));
    let offered = documents.iter().filter(|document| document["downloadable"] == true).count();
    assert_eq!((saved.code, std::fs::read_dir(&folder).unwrap().count()), (0, offered), "{saved:?}");
}

/// The head of the log is kept elsewhere: a log that was rewritten whole does not fit to it.
fn audited(place: &Place) {
    let path = |name: &str| place.folder().join(name).display().to_string();
    let (head, table, sheet) = (path("head.json"), path("log.csv"), path("log.pdf"));
    for line in [
        format!("audit checkpoint --to {head}"),
        format!("audit export --to {table}"),
        format!("audit export --to {sheet}"),
    ] {
        let saved = place.line(&line);
        assert!(saved.code == 0 && saved.out.starts_with("Saved "), "{saved:?}");
    }
    let log = place.json("audit list")["entries"].as_array().unwrap().clone();
    let kept: serde_json::Value = serde_json::from_slice(&std::fs::read(&head).unwrap()).unwrap();
    assert_eq!((&kept["number"], &kept["hash"]), (&log[0]["number"], &log[0]["hash"]));
    let at = log[0]["at"].as_str().unwrap();
    assert!(at.ends_with('Z') && at.starts_with(kept["day"].as_str().unwrap()), "the day is of UTC: {at}");
    let text = std::fs::read_to_string(&table).unwrap();
    assert_eq!(text.lines().count(), log.len() + 1, "{text}");
    assert!(text.contains(log[0]["hash"].as_str().unwrap()));
    assert!(std::fs::read(&sheet).unwrap().starts_with(b"%PDF"));
    assert_eq!(place.line("audit export --to log.txt").code, 2);

    let verified = place.line(&format!("audit verify --checkpoint {head}"));
    assert!(verified.code == 0 && verified.out.contains("is as it was on"), "{verified:?}");
    let wrong = place.line(&format!("audit verify --head {table}"));
    assert!(wrong.code != 0 && wrong.err.contains("not a checkpoint of an audit log"), "{wrong:?}");
    // Another hash, as after the whole log was written again by somebody who knows how it is chained.
    let other = kept.to_string().replace(kept["hash"].as_str().unwrap(), &"0".repeat(64));
    std::fs::write(&head, other).unwrap();
    let rewritten = place.line(&format!("audit verify --head {head}"));
    assert!(rewritten.code == 5 && rewritten.err.contains("rewritten"), "{rewritten:?}");
    assert_eq!(place.json("audit verify")["holds"], true);
}
