//! Diligent effort forms from the command line.

use crate::command::Place;

const DATA: &str = r#"{"policy_effective_date": "2026-02-23",
  "values": {"insured_name": "Café LLC", "insured_address": "12 Main Street", "coverage_description": "Bakery",
    "insurer_name": "Surplus Insurance", "producer_name": "P", "producer_license": "1", "broker_name": "B",
    "broker_license": "2"},
  "declinations": [
    {"carrier": "One", "naic": "10001", "contact": "A", "date": "2026-02-02", "reason": "Class"},
    {"carrier": "Two", "naic": "10002", "contact": "B", "date": "2026-02-03", "reason": "Class"}]}"#;

#[test]
fn forms_are_listed_with_source_and_fields() {
    let place = Place::new();
    let texas = place.line("forms list --state TX --effective 2026-02-23");
    assert_eq!(texas.code, 0, "{texas:?}");
    for part in ["Texas (TX): required", "https://", "DEF", "declinations: 3", "* insured_name"] {
        assert!(texas.out.contains(part), "{part} in {}", texas.out);
    }
    let florida = place.json("forms list --state FL --effective 2026-02-23");
    assert_eq!(
        (florida["status"].as_str(), florida["since"].as_str()),
        (Some("repealed"), Some("2025-07-01"))
    );
    for (line, said) in [("--state XX", "two letters"), ("--state TX --type NEW", "PN, PR")] {
        let refused = place.line(&format!("forms list {line}"));
        assert!(refused.code == 2 && refused.err.contains(said), "{refused:?}");
    }
}

#[test]
fn a_form_is_filled_saved_and_says_what_is_missing() {
    let place = Place::new();
    let (data, out) = (place.folder().join("data.json"), place.folder().join("out"));
    std::fs::write(&data, DATA).unwrap();
    for (way, by_service) in [("", true), ("--offline", false)] {
        let asked = format!("forms fill --state TX --data {} --out {} {way}", data.display(), out.display());
        let filled = place.json(&asked);
        let form = &filled["forms"][0];
        assert_eq!(form["by_service"], by_service, "{filled}");
        assert_eq!((&form["complete"], &form["missing_fields"][0]), (&false.into(), &"declinations".into()));
        let bytes = std::fs::read(form["file"].as_str().unwrap()).unwrap();
        assert!(bytes.starts_with(b"%PDF-"));
    }
    let onto_a_file = format!("forms fill --state TX --data {0} --out {0}", data.display());
    let refused = place.line(&onto_a_file);
    assert!(refused.code == 2 && refused.err.contains("is a file, not a folder"), "{refused:?}");
    let asked = format!("forms fill --state LA --data {} --out {}", data.display(), out.display());
    let none = place.line(&asked);
    assert!(none.code == 2 && none.err.contains("repealed"), "{none:?}");
    for (content, said) in [
        ("{", "cannot be read"),
        ("{}", "names no policy_effective_date"),
        (r#"{"state": "tx", "policy_effective_date": "2026-02-23"}"#, "is for tx, and --state says LA"),
    ] {
        std::fs::write(&data, content).unwrap();
        let broken = place.line(&asked);
        assert!(broken.code == 2 && broken.err.contains(said), "{broken:?}");
    }
}
