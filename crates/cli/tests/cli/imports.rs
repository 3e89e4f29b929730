//! `bordereau import --check`: offline, with every answer given beforehand.

use std::path::PathBuf;

use serde_json::Value;

use crate::command::Place;

pub(crate) fn sample(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../samples/batches").join(name);
    path.canonicalize().unwrap().to_string_lossy().into_owned()
}

/// Nothing listens there: a check must not ask any service.
fn without_a_service() -> Place {
    Place::new().with("HTTPS_PROXY", "http://127.0.0.1:9").with("BORDEREAU_API_KEY", "not-used-0123456789")
}

fn written(place: &Place, name: &str, content: &[u8]) -> String {
    let path = place.folder().join(name);
    std::fs::write(&path, content).unwrap();
    path.to_string_lossy().into_owned()
}

#[test]
fn a_good_file_is_code_0_and_a_bad_one_3() {
    let place = without_a_service();
    let good = place.line(&format!("import {}", sample("good.csv")));
    assert_eq!((good.code, good.err.as_str()), (0, ""), "{good:?}");
    for said in ["60 ready, 0 rows with errors", "Delimiter", "a comma", "506475.79", "TX"] {
        assert!(good.out.contains(said), "{said}: {}", good.out);
    }
    let bad = place.line(&format!("import {} --check", sample("bad.csv")));
    assert_eq!((bad.code, bad.err.as_str()), (3, "bordereau: 33 rows have errors\n"), "{bad:?}");
    for said in
        ["3 rows  An amount that cannot be read", "\"about 900\"", "Row 3, column AD", "--repair set_date"]
    {
        assert!(bad.out.contains(said), "{said}: {}", bad.out);
    }
    assert_eq!(place.json("batch list")["batches"], serde_json::json!([]), "nothing is sent");
}

#[test]
fn a_check_in_json_has_the_counts_and_the_first_places() {
    let place = without_a_service();
    let ended = place.line(&format!("import {} --json", sample("bad.csv")));
    let found: Value = serde_json::from_str(&ended.out).unwrap();
    assert_eq!((ended.code, &found["counts"]["errors"]), (3, &serde_json::json!(33)));
    let groups = found["groups"].as_array().unwrap();
    let is_amount = |group: &&Value| group["code"].as_str().unwrap().starts_with("amount_unreadable:");
    let amounts: Vec<&Value> = groups.iter().filter(is_amount).collect();
    let places = |group: &&Value| group["first"].as_array().unwrap().len();
    assert_eq!(amounts.iter().map(|group| group["rows"].as_u64().unwrap()).sum::<u64>(), 3, "{amounts:?}");
    assert_eq!(amounts.iter().map(places).sum::<usize>(), 3);
    assert_eq!(found["totals"]["count"], 27);
}

#[test]
fn a_file_with_headers_only_has_nothing_to_import() {
    let place = without_a_service();
    let file = written(&place, "headers.csv", b"policy_number,transaction_type,premium\n");
    for more in ["", " --check", " --json", " --send valid --wait"] {
        let ended = place.line(&format!("import {file} --accept-matches{more}"));
        assert_eq!(ended.code, 3, "{more}: {ended:?}");
        assert!(ended.err.contains("there is nothing to import"), "{more}: {ended:?}");
    }
}

#[test]
fn what_is_no_table_is_refused_in_a_sentence() {
    let place = without_a_service();
    let cases: [(&str, &[u8], i32, &str); 4] = [
        ("a.pdf", b"%PDF-1.7 and so on", 3, "a PDF document, not a table"),
        ("empty.csv", b"  \n", 3, "The file is empty"),
        ("broken.xlsx", b"PK\x03\x04 but no archive", 3, "Open it in the spreadsheet program"),
        ("binary.csv", b"\x7fELF\x01\x02", 3, "a program, not a table"),
    ];
    for (name, content, code, says) in cases {
        let file = written(&place, name, content);
        let ended = place.run(["import", &file]);
        assert_eq!(ended.code, code, "{name}: {ended:?}");
        assert!(ended.err.contains(says) && ended.err.contains(name), "{name} says {says}: {ended:?}");
        assert_eq!((ended.out.as_str(), ended.err.trim_end().lines().count()), ("", 1), "{ended:?}");
    }
    for file in ["nowhere.csv", "."] {
        assert_eq!(place.run(["import", file]).code, 2, "{file}");
    }
}

const AMBIGUOUS: &str = "Policy Number,State,Type,Effective Date,Premium,SL Tax\n\
                         0001,TX,PN,03/04/2026,1000.00,48.50\n0002,TX,PN,05/06/2026,2000.00,97.00\n";

#[test]
fn an_open_question_names_the_option_that_answers_it() {
    let place = without_a_service();
    let file = written(&place, "dates.csv", AMBIGUOUS.as_bytes());
    for more in ["--check", "--send valid"] {
        let ended = place.line(&format!("import {file} {more}"));
        assert_eq!(ended.code, 3, "{ended:?}");
        assert!(ended.err.contains("--date-order mdy"), "{ended:?}");
    }
    let day = |order: &str| {
        let ended = place.line(&format!("import {file} --date-order {order} --json"));
        let found: Value = serde_json::from_str(&ended.out).unwrap();
        assert_eq!(found["questions"], serde_json::json!([]), "{}", ended.out);
        let order = found["detected"].as_array().unwrap().iter().find(|d| d["what"] == "date_order").unwrap();
        order["value"].as_str().unwrap().to_owned()
    };
    assert_eq!((day("mdy"), day("dmy")), ("month_first".into(), "day_first".into()));
}

#[test]
fn standard_input_is_read_and_not_kept() {
    let place = without_a_service();
    let ended = place.typing("import - --date-order mdy", AMBIGUOUS);
    assert!(ended.out.contains("2 rows, 2 transactions"), "{ended:?}");
    let left: Vec<_> =
        std::fs::read_dir(place.folder().join("data")).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert!(!left.iter().any(|name| name.to_string_lossy().contains("standard")), "{left:?}");
}

#[test]
fn a_mapping_file_says_what_the_columns_are() {
    let place = without_a_service();
    let rows = AMBIGUOUS.replace("Premium", "Zahl");
    let file = written(&place, "own.csv", rows.as_bytes());
    let mapping = |header: &str| {
        let text = serde_json::json!({
            "version": 1, "date_order": "month_first", "columns": [{ "header": header, "field": "premium" }],
            "values": { "transaction_type": { "new": "PN" } },
        });
        written(&place, "mapping.json", text.to_string().as_bytes())
    };
    let named = mapping("Zahl");
    let ended = place.line(&format!("import {file} --mapping {named} --json"));
    let found: Value = serde_json::from_str(&ended.out).unwrap_or_else(|_| panic!("{ended:?}"));
    let columns = found["columns"].as_array().unwrap();
    let column = columns.iter().find(|column| column["header"] == "Zahl").unwrap();
    assert_eq!(column["field"], "premium", "{found}");
    assert_eq!(found["questions"], serde_json::json!([]), "the file answers: {found}");
    let missing = mapping("Nombre");
    let ended = place.line(&format!("import {file} --mapping {missing}"));
    assert_eq!(ended.code, 3, "{ended:?}");
    assert!(ended.err.contains("Nombre"), "{ended:?}");
    let unknown = place.line(&format!("import {file} --mapping nobody-saved-this"));
    assert_eq!(unknown.code, 2, "{unknown:?}");
}

/// A check takes nothing that is only proposed, and the next run is asked the same again.
#[test]
fn what_a_check_proposes_can_be_accepted_by_the_next_one() {
    let place = without_a_service();
    let text = "Policy Number,State,Type,Effective Date,Premium,Misc Fee\n1,TX,PN,03/15/2026,1000,35\n";
    let file = written(&place, "fees.csv", text.as_bytes());
    for _ in 0..2 {
        let ended = place.line(&format!("import {file} --check"));
        assert!(ended.err.contains("Column F \"Misc Fee\" is not imported."), "{ended:?}");
        assert!(ended.err.contains("--accept-matches imports it."), "{ended:?}");
    }
    let declined = serde_json::json!({ "version": 1, "columns": [
        { "header": "Policy Number", "occurrence": 0, "field": "policy_number" },
        { "header": "Misc Fee", "occurrence": 0, "field": null },
    ]});
    let declined = written(&place, "declined.json", declined.to_string().as_bytes());
    let imports = "Column F \"Misc Fee\" is imported as Agency fee.";
    for (more, is_imported) in [(format!(" --mapping {declined}"), false), (String::new(), true)] {
        let elsewhere = without_a_service();
        let place = if is_imported { &place } else { &elsewhere };
        let ended = place.line(&format!("import {file} --check --accept-matches{more}"));
        assert_eq!(ended.err.contains(imports), is_imported, "{more}: {ended:?}");
    }
}

#[test]
fn the_rules_of_a_mapping_file_are_applied() {
    let place = without_a_service();
    let file = written(&place, "own.csv", b"Ref,Place,Premium\n1,Houston/TX,5\n2,Dallas/TX,6\n");
    let mapping = |column: &str| {
        let split = serde_json::json!({
            "from": { "header": column }, "cut": { "separators": ["/"] },
            "fields": ["physical_city", "physical_state"],
        });
        let text = serde_json::json!({
            "version": 1, "columns": [{ "header": "Premium", "field": "premium" }],
            "rules": { "defaults": { "transaction_type": "New business" }, "splits": [split] },
        });
        written(&place, "rules.json", text.to_string().as_bytes())
    };
    let named = mapping("Place");
    let ended = place.line(&format!("import {file} --mapping {named} --json"));
    let found: Value = serde_json::from_str(&ended.out).unwrap_or_else(|_| panic!("{ended:?}"));
    assert_eq!(found["totals"]["states"], serde_json::json!([]), "no row is ready: {found}");
    let by_rule = found["columns"].as_array().unwrap().iter().filter(|column| column["reason"] == "rule");
    let fields: Vec<&str> = by_rule.map(|column| column["field"].as_str().unwrap()).collect();
    assert_eq!(fields, ["transaction_type", "physical_city", "physical_state"]);
    let named = mapping("Ort");
    let ended = place.line(&format!("import {file} --mapping {named}"));
    assert_eq!(ended.code, 3, "{ended:?}");
    assert!(ended.err.contains("has a rule for a column that the file does not have: \"Ort\""), "{ended:?}");
}

#[test]
fn several_files_are_checked_as_one_batch() {
    let place = without_a_service();
    let good = std::fs::read(sample("good.csv")).unwrap();
    let (one, two) = (written(&place, "may.csv", &good), written(&place, "june.csv", b"id,premium\n1,5\n"));
    let ended = place.line(&format!("import {one} {two}"));
    assert_eq!(ended.code, 3, "{ended:?}");
    for said in ["may.csv and 1 more: 61 rows", "june.csv (1 row, without", "Row 2 of june.csv"] {
        assert!(ended.out.contains(said), "{said}: {}", ended.out);
    }
    let wrong = place.line(&format!("import {one} -"));
    assert_eq!(wrong.code, 2, "{wrong:?}");
    let copy = written(&place, "copy.csv", &good);
    let twice = place.line(&format!("import {one} {copy}"));
    assert_eq!(twice.code, 0, "nothing is missing: {twice:?}");
    assert!(twice.out.contains("copy.csv: It is the same file as may.csv"), "{twice:?}");
    let broken = written(&place, "scan.pdf", b"%PDF-1.7");
    let beside = place.line(&format!("import {one} {broken} --json"));
    assert_eq!(beside.code, 3, "{beside:?}");
    assert!(beside.err.contains("scan.pdf was not read: This is a PDF document"), "{beside:?}");
    let found: Value = serde_json::from_str(&beside.out).unwrap();
    assert_eq!(found["counts"]["rows"], 60);
}

#[test]
fn rejects_can_be_imported_again() {
    let place = without_a_service();
    let saved = place.folder().join("rejects.csv");
    let ended = place.line(&format!("import {} --rejects {}", sample("bad.csv"), saved.display()));
    assert_eq!(ended.code, 3, "{ended:?}");
    let again = place.line(&format!("import {} --json", saved.display()));
    let found: Value = serde_json::from_str(&again.out).unwrap_or_else(|_| panic!("{again:?}"));
    assert_eq!(found["counts"]["rows"], 33, "every row with an error, and no other");
    assert_eq!(found["questions"], serde_json::json!([]));
    let wrong = place.line(&format!("import {} --rejects rejects.doc", sample("bad.csv")));
    assert_eq!(wrong.code, 2, "{wrong:?}");
}

#[test]
fn what_stands_in_a_file_moves_no_cursor() {
    let place = without_a_service();
    let rows = AMBIGUOUS
        .replace("SL Tax", "SL \u{1b}[2JTax\u{202e}")
        .replace("0001", "\u{1b}]0;owned\u{7}01")
        .replace("48.50", "\u{9b}31mfree");
    let file = written(&place, "names.csv", rows.as_bytes());
    for more in ["", " --json"] {
        let ended = place.line(&format!("import {file} --date-order mdy --accept-matches{more}"));
        let acted_on = |c: char| (c.is_control() && c != '\n') || c == '\u{202e}';
        assert!(!ended.out.contains(acted_on) && !ended.err.contains(acted_on), "{ended:?}");
        assert!(ended.out.contains("1b"), "it is shown as its number: {ended:?}");
    }
}

#[test]
fn an_option_that_does_not_fit_is_told_and_not_ignored() {
    let place = without_a_service();
    let (good, messy) = (sample("good.csv"), sample("messy-5000.xlsx"));
    let cases = [
        (format!("import {good} --sheet June"), "--sheet does not fit good.csv, which is not a workbook"),
        (
            format!("import {messy} --delimiter ;"),
            "--delimiter does not fit messy-5000.xlsx, which is a workbook",
        ),
        (format!("import {good} --check --wait"), "--wait goes with --send or --resume"),
    ];
    for (line, says) in cases {
        let ended = place.line(&line);
        assert_eq!(ended.code, 2, "{line}: {ended:?}");
        assert!(ended.err.contains(says), "{line}: {ended:?}");
    }
}

#[test]
fn a_check_reads_the_file_as_its_options_say() {
    let place = without_a_service();
    let semicolons = written(&place, "s.csv", b"March\nid;insured\nA-1;Zo\xeb, Inc\nA-2;B\n");
    let book = sample("messy-5000.xlsx");
    for (line, rows) in [
        (format!("{semicolons} --delimiter ; --header-row 2 --encoding windows-1252"), 2),
        (format!("{semicolons} --delimiter ; --header-row none"), 4),
        (format!("{book} --sheet *"), 5_001),
    ] {
        let ended = place.line(&format!("import {line} --check --json"));
        let found: Value = serde_json::from_str(&ended.out).unwrap_or_default();
        assert_eq!(found["counts"]["rows"], rows, "{line}: {ended:?}");
    }
}

#[test]
fn a_column_matched_by_its_content_is_asked_about_in_the_fields_own_words() {
    let place = without_a_service();
    let file = written(&place, "plain.csv", b"P-1,PN,1000.00,TX,GEN-1002\nP-2,PN,2000.00,TX,GEN-1002\n");
    let ended = place.line(&format!("import {file}"));
    assert!(ended.out.contains("looks like Transaction type. Answer with --accept-matches"), "{ended:?}");
}

#[test]
fn a_watched_folder_is_read_once_by_content_and_nothing_in_it_is_moved() {
    let place = without_a_service();
    let folder = place.folder().join("exports");
    std::fs::create_dir(&folder).unwrap();
    let good = std::fs::read(sample("good.csv")).unwrap();
    std::fs::write(folder.join("may.csv"), &good).unwrap();
    std::fs::write(folder.join("broken.csv"), b"\x89PNG").unwrap();
    std::fs::write(folder.join("notes.pdf"), b"%PDF-1.7").unwrap();
    let watch = format!("import --watch {} --once", folder.display());
    let first = place.line(&watch);
    assert_eq!(first.code, 3, "one of them cannot be read: {first:?}");
    assert!(first.out.contains("may.csv: 60 rows"), "{first:?}");
    assert!(first.err.contains("broken.csv") && first.err.contains("a picture"), "{first:?}");
    assert!(!first.err.contains("notes.pdf"), "{first:?}");
    std::fs::write(folder.join("copy.csv"), &good).unwrap();
    let second = place.line(&watch);
    assert_eq!((second.code, second.out.as_str()), (0, ""), "all of it was read before: {second:?}");
    assert!(second.err.contains("copy.csv: the same content was read on"), "{second:?}");
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 4, "nothing is moved");
    let wrong = place.line("import --watch /nonexistent --once");
    assert_eq!(wrong.code, 2, "{wrong:?}");
}

#[test]
fn mappings_are_managed_from_the_command_line() {
    let place = without_a_service();
    let mapping = |field: &str| {
        let columns = serde_json::json!([{ "header": "Ref", "field": field }]);
        let text = serde_json::json!({ "version": 1, "name": "AMS", "columns": columns }).to_string();
        written(&place, "ams.json", text.as_bytes())
    };
    assert_eq!(place.line(&format!("mapping add {}", mapping("policy_number"))).out, "Added AMS.\n");
    place.line(&format!("mapping add {}", mapping("agent_id")));
    place.line("mapping copy AMS Nightly");
    place.line("mapping rename Nightly Weekly");
    assert_eq!(place.json("mapping list")["mappings"], serde_json::json!(["AMS", "Weekly"]));
    let versions = place.line("mapping versions AMS");
    assert!(versions.out.contains("Column \"Ref\": Policy number, now Agent ID"), "{versions:?}");
    assert_eq!(place.line("mapping restore AMS 1").code, 0);
    let saved = place.folder().join("saved.json");
    assert_eq!(place.line(&format!("mapping save AMS {}", saved.display())).code, 0);
    assert!(std::fs::read_to_string(saved).unwrap().contains("\"policy_number\""));
    assert_eq!(place.line("mapping remove Weekly").code, 0);
    assert_eq!(place.json("mapping list")["mappings"], serde_json::json!(["AMS"]));
    assert_eq!(place.line("mapping remove Weekly").code, 2);
}
