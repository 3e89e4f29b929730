//! Profiles: what is kept, what is missing, what never reaches a file.

use crate::command::Place;

#[test]
fn a_profile_is_added_used_and_removed() {
    let place = Place::new();
    let list = place.json("profile list");
    assert_eq!(list["profiles"][0]["profile"]["id"], "practice");
    assert_eq!(list["profiles"][0]["active"], true);
    let added = place.json("profile add Office --address https://filing.example --environment sandbox");
    assert_eq!(added["profile"]["name"], "Office");
    assert_eq!(added["active"], false);
    assert_eq!(place.json("profile use office")["active"], true, "found by name, whatever its case");
    assert!(
        place.line("profile list").out.lines().any(|l| l.starts_with("* Office")),
        "the one in use is marked"
    );
    place.json("profile remove Office");
    let left = place.json("profile list");
    assert_eq!(left["profiles"].as_array().unwrap().len(), 1);
    assert_eq!(left["profiles"][0]["active"], true, "practice takes its place");
}

#[test]
fn what_cannot_work_is_refused_when_added() {
    let place = Place::new();
    let cases = [
        ("profile add Office --address http://filing.example --environment sandbox", 3, "https"),
        ("profile add Office --address https://filing.example --environment practice", 2, "environment"),
        ("profile add Office --environment sandbox", 2, "--address"),
        (
            "profile add Office --address https://filing.example --environment sandbox --ca-file /nonexistent.pem",
            3,
            "",
        ),
        ("profile remove practice", 3, ""),
    ];
    for (line, code, says) in cases {
        let ended = place.line(line);
        assert_eq!(ended.code == 0, code == 0, "{line}: {ended:?}");
        if code == 2 {
            assert_eq!(ended.code, 2, "{line}: {ended:?}");
        }
        assert!(ended.err.contains(says), "{line}: {ended:?}");
    }
}

#[test]
fn without_a_key_nothing_is_asked() {
    let place = Place::new();
    place.json("profile add Office --address https://127.0.0.1:9 --environment sandbox");
    let ended = place.line("quote --state TX --line GEN-1002=1 --profile Office");
    assert_eq!(ended.code, 4, "{ended:?}");
    assert_eq!(ended.err.lines().count(), 1, "{ended:?}");
}

#[test]
fn a_service_that_cannot_be_reached_is_code_5() {
    let place = Place::new().with("BORDEREAU_API_KEY", "key-for-nobody-0123456789");
    // Port 9 (discard) listens nowhere any more.
    place.json("profile add Office --address https://127.0.0.1:9 --environment sandbox");
    let ended = place.line("quote --state TX --line GEN-1002=1 --profile Office");
    assert_eq!(ended.code, 5, "{ended:?}");
    let tested = place.line("profile test Office");
    assert_eq!(tested.code, 5, "{tested:?}");
    assert!(tested.out.contains("FAILED"), "{tested:?}");
    let offline = place.line("quote --state TX --line GEN-1002=1 --profile Office --offline");
    assert_eq!(offline.code, 0, "an estimate needs nobody: {offline:?}");
}

#[test]
fn a_key_is_read_from_standard_input_and_never_kept_in_a_file() {
    let place = Place::new();
    place.json("profile add Office --address https://127.0.0.1:9 --environment sandbox");
    let ended = place.typing("profile set-key Office", "very-secret-key-0123456789\n");
    assert_eq!(ended.code, 4, "there is no keychain here: {ended:?}");
    assert!(!ended.err.contains("very-secret"), "{ended:?}");
    assert_eq!(place.typing("profile set-key Office", "").code, 2, "nothing typed");
    for entry in std::fs::read_dir(place.folder().join("data")).unwrap() {
        let path = entry.unwrap().path();
        if path.is_file() {
            let bytes = std::fs::read(&path).unwrap();
            assert!(!bytes.windows(11).any(|w| w == b"very-secret"), "{} holds the key", path.display());
        }
    }
}
