//! Profiles: what is kept, what is missing, what never reaches a file.

use crate::command::Place;
use crate::service::{Served, add};

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
    // Windows and macOS always have a keychain.
    let expected = if cfg!(target_os = "linux") { 4 } else { 0 };
    assert_eq!(ended.code, expected, "{ended:?}");
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

/// What a system unsealed for a unit, or mounted for a container.
#[test]
fn a_key_is_read_from_a_file_that_only_its_owner_can_read() {
    let served = Served::start();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("api.key");
    let named = file.display().to_string();
    let quote = |place: &Place| place.line("quote --state TX --line GEN-1002=1 --profile Office");
    let place = Place::new().with("BORDEREAU_API_KEY_FILE", &named);
    std::fs::write(&file, "key-for-nobody-0123456789").unwrap();
    set_mode(&file, 0o600);
    add(&place, &served, "sandbox", "");
    let wrong = quote(&place);
    assert_eq!(wrong.code, 4, "it is the file's key: {wrong:?}");

    for (content, mode, why) in [
        (format!("{}\r\n", served.text("api_key")), 0o600, None),
        (served.text("api_key").to_owned(), 0o400, None),
        (served.text("api_key").to_owned(), 0o640, Some("others can read it")),
        ("\n".to_owned(), 0o600, Some("it is empty")),
        ("k".repeat(20_000), 0o600, Some("it is larger than 16384 bytes")),
    ] {
        set_mode(&file, 0o600);
        std::fs::write(&file, &content).unwrap();
        set_mode(&file, mode);
        let ended = quote(&place);
        match why {
            // On Windows its folder protects it.
            Some("others can read it") if cfg!(windows) => {}
            None => assert_eq!(ended.code, 0, "{ended:?}"),
            Some(why) => {
                let told = format!("BORDEREAU_API_KEY_FILE names a file that isn't used: {why}");
                assert!(ended.code == 4 && ended.err.contains(&told), "{ended:?}");
            }
        }
    }
    set_mode(&file, 0o600);
    std::fs::remove_file(&file).unwrap();
    let ended = quote(&place);
    assert!(ended.code == 4 && ended.err.contains("it is no longer there"), "{ended:?}");
    let ended = quote(&place.with("BORDEREAU_API_KEY", served.text("api_key")));
    assert!(ended.code == 4 && ended.err.contains("are both set. Set one of them."), "{ended:?}");
    // Of the office's password nothing about the profile's key is said.
    let office = Place::new().with("BORDEREAU_WORKSPACE_PASSWORD_FILE", "/nowhere/password");
    let ended = quote(&office);
    let told = "BORDEREAU_WORKSPACE_PASSWORD_FILE names a file that isn't used: it is no longer there.";
    assert!(ended.code == 5 && ended.err.contains(told) && !ended.err.contains("set-key"), "{ended:?}");
}

#[cfg(unix)]
fn set_mode(file: &std::path::Path, mode: u32) {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(file, std::fs::Permissions::from_mode(mode)).unwrap();
}

#[cfg(not(unix))]
fn set_mode(_file: &std::path::Path, _mode: u32) {}

#[test]
fn a_profile_is_changed_shown_and_given_to_a_colleague() {
    let place = Place::new();
    place.json(
        "profile add Office --address https://filing.example --environment sandbox --username jane \
         --single-path /single --webhooks-path /hooks --has-calculator false --word transaction:4=Filed",
    );
    let edited = place.json(
        "profile edit Office --name Head --documents-path /t/{transaction_id}/documents --word batch:Done=processed \
         --word transaction:4= --deliveries header --signature-form hex",
    );
    let profile = &edited["profile"];
    assert_eq!(
        (profile["name"].as_str(), profile["username"].as_str()),
        (Some("Head"), Some("jane")),
        "what is not given stays"
    );
    assert_eq!(
        (profile["single_path"].as_str(), profile["has_no_calculator"].as_bool()),
        (Some("/single"), Some(true))
    );
    assert_eq!(profile["words"].as_array().map(Vec::len), Some(1), "{profile}");
    assert_eq!(profile["delivery_proof"], "header_pair");
    let shown = place.line("profile show Head").out;
    for line in ["single path", "/t/{transaction_id}/documents", "Done means processed", "has no calculator"]
    {
        assert!(shown.contains(line), "{line}: {shown}");
    }
    let file = place.folder().join("head.json");
    place.json(&format!("profile export Head --to {}", file.display()));
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(!text.contains("jane"), "{text}");
    assert_eq!(place.line(&format!("profile import {}", file.display())).code, 3, "the name is taken");
    let imported = place.json(&format!("profile import {} --name Branch", file.display()));
    assert_eq!(
        (imported["profile"]["name"].as_str(), imported["profile"]["webhooks_path"].as_str()),
        (Some("Branch"), Some("/hooks"))
    );
    for (line, says) in [
        ("profile edit Head --word 4=Filed", "KIND:WORD=MEANING"),
        ("profile edit Nobody --name X", "no profile Nobody"),
        ("profile edit practice --name X", "built in"),
    ] {
        let ended = place.line(line);
        assert!(ended.code != 0 && ended.err.contains(says), "{line}: {ended:?}");
    }
    let answers = place.line("profile answers Head");
    assert_eq!((answers.code, answers.out.as_str()), (0, "Every response so far was understood.\n"));
}
