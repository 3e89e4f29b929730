//! Templates of one's own, and files that are refused.

use bordereau_forms::FormBook;

use crate::{data, find_template, text_of};

const OWN: &str = r#"
state = "KS"
code = "DEF"
title = "Our own record"
prepares = "what our agency keeps"
transactions = ["PN"]
declinations = 2
checked = { level = "older", text = "house rule" }
source = [{ title = "handbook", url = "https://example.com/handbook" }]

[[section]]
block = "insured"

[[section]]
block = "declinations"

[[section]]
title = "Ours"
text = ["As our handbook says."]

[[section.field]]
name = "file_number"
label = "File number"
kind = "text"
required = true
"#;

#[test]
fn a_template_given_at_run_time_works() {
    let folder = std::env::temp_dir().join(format!("bordereau-forms-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("ks-own.toml"), OWN).unwrap();
    let mut book = FormBook::builtin().clone();
    for entry in std::fs::read_dir(&folder).unwrap() {
        let entry = entry.unwrap();
        let text = std::fs::read_to_string(entry.path()).unwrap();
        book.add(&entry.file_name().to_string_lossy(), &text).unwrap();
    }
    std::fs::remove_dir_all(&folder).unwrap();
    let template = find_template(&book, "ks-own").unwrap();
    let filled = template.fill_form(&data("KS"), "", None).unwrap();
    assert_eq!(filled.missing.iter().map(|m| m.name.as_str()).collect::<Vec<_>>(), ["file_number"]);
    let text = text_of(&filled.pdf);
    assert!(text.contains("As our handbook says.") && text.contains("NOT CONFIRMED: house rule"), "{text}");
}

#[test]
fn a_file_that_is_not_complete_is_refused_with_its_reason() {
    let no_source = OWN.replace("{ title = \"handbook\", url = \"https://example.com/handbook\" }", "");
    let endless = format!("{OWN}\n# {}", "x".repeat(300_000));
    let cases = [
        (
            OWN.replace("title = \"Our own record\"", "title = \"Our own record\"\ncolour = 1"),
            "unknown field",
        ),
        (no_source, "a source with title and address is missing"),
        (
            OWN.replace("https://example.com/handbook", "handbook"),
            "a source with title and address is missing",
        ),
        (OWN.replace("source = ", "#"), "missing field `source`"),
        (OWN.replace("\"house rule\"", "\" \""), "checked has no words"),
        (OWN.replace("state = \"KS\"", "state = \"XX\""), "XX"),
        (OWN.replace("\"DEF\"", "\"d e f\""), "code is capital letters"),
        (OWN.replace("block = \"insured\"", "block = \"insurd\""), "there is no block \"insurd\""),
        (OWN.replace("file_number", "insured_name"), "the field insured_name is listed twice"),
        (OWN.replace("file_number", "File Number"), "is no name of a field"),
        (OWN.replace("file_number", "file_date"), "its name ends in _date"),
        (OWN.replace("declinations = 2", "declinations = 99"), "at most 20"),
        (
            OWN.replace("declinations = 2", "fewer = [{ field = \"x\", declinations = 0 }]"),
            "there is no field x",
        ),
        (OWN.replace("block = \"declinations\"", "block = \"search\""), "no section lists them"),
        (OWN.replace("declinations = 2", "from = \"2026-13-01\""), "is not a date"),
        (
            OWN.replace("declinations = 2", "from = \"2026-02-01\"\nuntil = \"2026-01-01\""),
            "until is before from",
        ),
        (format!("{OWN}\n[own_pdf]\nfile = \"../secret.pdf\"\nfield = []\n"), "without a path"),
        (endless, "larger than"),
        ("not toml".to_owned(), "ks-own.toml"),
    ];
    for (text, reason) in cases {
        let mut book = FormBook::builtin().clone();
        let problem = book.add("ks-own.toml", &text).unwrap_err().to_string();
        assert!(problem.contains(reason), "{reason} in {problem}");
        assert!(find_template(&book, "ks-own").is_none());
    }
}
