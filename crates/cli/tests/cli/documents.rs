//! `bordereau document` and `bordereau due` against a practice service of its own.

use serde_json::Value;

use crate::command::Place;
use crate::service::{Served, add};

const PDF: &[u8] = b"%PDF-1.7\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n";
const ROW: &str = "id,policy_number,policy_effective_date,transaction_type,account_written_as,risk_description,\
line_of_business_list,line_of_business_coverage,insurance_company_list,insurance_company_coverage,premium,\
mailing_insured_name,physical_state,invoice_number,invoice_date\n\
D-1,P-1,2026-02-23,PN,DC,a warehouse,GEN-1002,1000.00,AA-1120337,100,1000.00,Example Diner LLC,TX,INV-1,2026-02-23\n";

/// An office with one Texas transaction at the service; its number.
fn office(served: &Served) -> (Place, String) {
    office_at(served, "sandbox")
}

fn office_at(served: &Served, environment: &str) -> (Place, String) {
    let place = Place::new().with("BORDEREAU_API_KEY", served.text("api_key"));
    add(&place, served, environment, "");
    let file = place.folder().join("one.csv");
    std::fs::write(&file, ROW).unwrap();
    let line = format!("import {} --send all --wait --yes --profile Office --json", file.display());
    let sent: Value = serde_json::from_str(&place.line(&line).out).unwrap();
    let batch = sent["batch"]["id"].as_str().unwrap_or_else(|| panic!("{sent}")).to_owned();
    let shown = place.json(&format!("batch show {batch}"));
    let id = shown["rows"][0]["transaction_id"].as_str().unwrap_or_else(|| panic!("{shown}")).to_owned();
    (place, id)
}

#[test]
fn documents_go_up_come_down_and_are_counted() {
    let served = Served::start();
    let (place, id) = office(&served);
    let file = |name: &str, content: &[u8]| {
        let path = place.folder().join(name);
        std::fs::write(&path, content).unwrap();
        path.display().to_string()
    };
    let (policy, program) = (file("policy.pdf", PDF), file("setup.pdf", b"MZ\x90\0"));
    let listed = place.line(&format!("document list --transaction {id} --profile Office"));
    assert!(listed.out.contains("MISSING, required for the filing"), "{listed:?}");

    let both = place.line(&format!(
        "document upload {policy} {program} --transaction {id} --code POLIC --profile Office --json"
    ));
    assert_eq!(both.code, 3, "{both:?}");
    let both: Value = serde_json::from_str(&both.out).unwrap();
    assert_eq!(both["uploads"][0]["state"], "sent", "{both}");
    assert!(both["refused"][0]["reason"].as_str().unwrap().contains("a program"), "{both}");

    let again = place.json(&format!("document upload {policy} --invoice INV-1 --code MISC --profile Office"));
    assert_eq!(again["uploads"][0]["transaction_id"], id.as_str(), "{again}");
    let into = place.folder().join("down");
    std::fs::create_dir(&into).unwrap();
    let one = place.line(&format!("document download {id} --to {} --profile Office", into.display()));
    assert_eq!(one.code, 2, "two documents, and none is named: {one:?}");
    let all = place.json(&format!("document download {id} --all --to {} --profile Office", into.display()));
    assert_eq!(all["documents"].as_array().unwrap().len(), 2, "{all}");
    let path = all["documents"][0]["path"].as_str().unwrap();
    assert_eq!(std::fs::read(path).unwrap(), PDF);
    assert!(place.line("document missing --profile Office").out.contains("No document is missing"));
    for (line, code) in [
        (format!("document upload nowhere.pdf --transaction {id} --code POLIC"), 3),
        (format!("document upload {policy} --transaction 999999 --code POLIC"), 2),
        (format!("document upload {policy} --code POLIC"), 2),
        (format!("document upload {policy} --transaction {id} --invoice INV-1 --code POLIC"), 2),
        (format!("document download {id} --to {} --number 9", into.display()), 2),
        (format!("document download {id} --to {policy}"), 2),
    ] {
        let ended = place.line(&format!("{line} --profile Office"));
        assert_eq!(ended.code, code, "{line}: {ended:?}");
    }
}

/// A document whose answer was lost on another day, and which a person has sent once more.
#[test]
fn a_document_goes_to_production_once_more_only_with_yes() {
    let served = Served::start();
    let (place, id) = office_at(&served, "production");
    let policy = place.folder().join("policy.pdf");
    std::fs::write(&policy, PDF).unwrap();
    let line =
        format!("document upload {} --transaction {id} --code POLIC --profile Office", policy.display());
    let refused = place.line(&line);
    assert!(refused.code == 2 && refused.err.contains("PRODUCTION"), "{refused:?}");
    assert_eq!(place.line(&format!("{line} --yes")).code, 0);
    let upload =
        place.json("document queue --profile Office")["uploads"][0]["id"].as_str().unwrap().to_owned();
    let store = rusqlite::Connection::open(place.folder().join("data/desk.sqlite")).unwrap();
    let left = "UPDATE document_uploads SET state = 'unknown', asks = 1, ended_at = NULL, content_file = '', \
                day = '2020-01-01'";
    assert_eq!(store.execute(left, []).unwrap(), 1);
    store
        .execute(
            "INSERT INTO document_contents (upload, content) SELECT seq, ?1 FROM document_uploads",
            [PDF],
        )
        .unwrap();
    store.execute("UPDATE batches SET day = '2020-01-01'", []).unwrap();
    drop(store);
    let again = format!("document send-again {upload}");
    let refused = place.line(&format!("{again} --profile Office"));
    assert_eq!(refused.code, 2, "{refused:?}");
    assert!(refused.err.contains("PRODUCTION") && refused.err.contains("--yes"), "{refused:?}");
    // Whichever profile is in use.
    assert_eq!(place.line(&format!("{again} --profile Practice")).code, 2);
    let shown = place.json("document queue --profile Office");
    assert_eq!(shown["uploads"][0]["asks"], true, "nothing was begun: {shown}");
    let sent = place.line(&format!("{again} --profile Office --yes"));
    assert_eq!(sent.code, 0, "{sent:?}");
}

#[test]
fn what_is_due_is_listed_and_exported() {
    let served = Served::start();
    let (place, id) = office(&served);
    // Nothing was searched: an import that waits for its results brings what it filed.
    let list = place.json("due --profile Office");
    assert_eq!(list["entries"][0]["due"], "2026-04-24", "{list}");
    let missing = place.line("document missing --profile Office");
    assert!(missing.out.starts_with("04/24/2026  TX  transaction"), "{missing:?}");
    let found = place.line("search --offline --profile Office");
    assert!(found.out.contains("  02/23/2026  "), "{found:?}");
    assert_eq!(list["entries"][0]["transaction_id"], id.as_str());
    let file = place.folder().join("due.ics");
    let text = place.line(&format!("due --by 2026-12-31 --ics {} --profile Office", file.display()));
    assert!(text.out.contains("Filing with SLTX") && !text.out.contains("Premium tax"), "{text:?}");
    assert!(text.out.contains("saved due.ics ("), "{text:?}");
    let calendar = std::fs::read_to_string(file).unwrap();
    assert_eq!(calendar.matches("BEGIN:VEVENT\r\n").count(), 1, "{calendar}");
    assert_eq!(place.line("due --state FL --profile Office").out, "Nothing is due.\n");
    assert_eq!(place.line("due --by soon --profile Office").code, 3);
    assert_eq!(place.line("due --state Florida --profile Office").code, 2);
    assert_eq!(place.line("due --kind fine --profile Office").code, 2);
}
