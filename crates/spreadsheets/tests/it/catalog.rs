//! Every code has its fixture, every message its parts, and `docs/errors.md` is current.

use std::collections::BTreeSet;

use bordereau_spreadsheets::Code;

use crate::fixture::{Fixture, catalog};

#[test]
fn each_fixture_says_what_is_expected() {
    for code in Code::ALL {
        let fixture = Fixture::of(*code);
        let expected = std::fs::read_to_string(fixture.path("expected.json")).unwrap_or_default();
        assert_eq!(fixture.expected_text(), expected, "{}: run the example `errors --expect`", code.code());
    }
}

#[test]
fn each_fixture_shows_its_code_and_nothing_else_but_what_follows_from_it() {
    for code in Code::ALL {
        let codes: BTreeSet<&str> = Fixture::of(*code).issues().iter().map(|i| i.code.code()).collect();
        assert!(codes.contains(code.code()), "{} is not shown: {codes:?}", code.code());
        assert!(codes.len() <= 3, "{} shows too much: {codes:?}", code.code());
    }
}

#[test]
fn no_folder_without_a_code() {
    let codes: BTreeSet<String> = Code::ALL.iter().map(|c| c.code().to_owned()).collect();
    let folder = Fixture::of(Code::Missing).path("../..");
    for entry in std::fs::read_dir(folder.join("errors")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(codes.contains(&name), "{name} is no code");
    }
}

#[test]
fn each_message_says_where_found_expected_and_what_to_do() {
    for code in Code::ALL {
        for issue in Fixture::of(*code).issues() {
            let message = &issue.message;
            assert!(message.starts_with("Row "), "{message}");
            assert!(message.contains(": found "), "{message}");
            assert!(message.contains(", expected "), "{message}");
            assert_ne!(issue.expected, "something else", "{}: no words of its own", code.code());
            assert!(message.ends_with('.') && !message.ends_with(".."), "{message}");
            assert!(message.matches(". ").count() >= 1, "no repair is said: {message}");
        }
    }
}

#[test]
fn the_document_is_current() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/errors.md");
    let there = std::fs::read_to_string(path).unwrap_or_default();
    assert_eq!(there, catalog(), "docs/errors.md is stale: write it with `cargo xtask codegen`");
}
