//! `bordereau backup` and `bordereau export`, each as a process of its own.

use std::fs;

use crate::command::Place;
use crate::imports::sample;
use crate::service::{Served, add};
use crate::stored::stored;

#[test]
fn a_backup_is_made_checked_and_put_back_and_sends_nothing_twice() {
    let served = Served::start();
    let place = Place::new().with("BORDEREAU_API_KEY", served.text("api_key"));
    add(&place, &served, "sandbox", "");
    assert!(place.line("backup list").out.contains("No backups yet"));
    let made = place.json("backup make");
    let backup = &made["backups"][0];
    // The key of the environment is for this run: there is no keychain to keep another one in.
    assert_eq!(backup["sealed"], false, "{made}");
    let line = format!("import {} --send valid --wait --profile Office", sample("good.csv"));
    assert_eq!(place.line(&line).code, 0);
    assert_eq!(stored(&served).len(), 60);

    let checked = place.line(&format!("backup check {}", backup["name"].as_str().unwrap()));
    assert!(checked.code == 0 && checked.out.contains("is sound: 0 batches"), "{checked:?}");
    assert!(place.line("backup check").out.contains("was checked from end to end on"));
    assert_eq!(place.line("backup check nothing").code, 2);
    let refused = place.line("backup restore newest");
    assert!(refused.code == 2 && refused.err.contains("--yes"), "{refused:?}");
    assert_eq!(place.json("batch list")["batches"].as_array().unwrap().len(), 1, "nothing was restored");

    let restored = place.line("backup restore newest --yes");
    assert!(restored.code == 0 && restored.out.contains("only-copy --yes"), "{restored:?}");
    assert_eq!(place.json("batch list")["batches"].as_array().unwrap().len(), 0, "as it was before the send");
    assert!(place.folder().join("data/desk.sqlite.replaced-1").is_file(), "what was there is kept");
    assert_eq!(place.line("backup only-copy").code, 2);
    assert!(!place.line("backup only-copy --yes").out.contains("known as a copy"));
}

#[test]
fn a_recovery_key_is_asked_for_where_a_backup_is_from_elsewhere() {
    let place = Place::new();
    place.line("backup make");
    let name = place.json("backup list")["backups"][0]["name"].as_str().unwrap().to_owned();
    let file = place.folder().join("from elsewhere");
    fs::copy(place.folder().join("data/backups").join(name), &file).unwrap();
    let out = place.folder().join("key.txt");
    // Windows and macOS always have a keychain.
    if cfg!(target_os = "linux") {
        let no_keychain = place.run(["backup", "recovery-key", "--out", out.to_str().unwrap()]);
        assert!(no_keychain.code != 0 && no_keychain.err.contains("No keychain"), "{no_keychain:?}");
        assert!(!out.exists());
    }
    let wrong = place.typing("backup restore newest --recovery-key --yes", "not a key");
    assert!(wrong.code == 3 && wrong.err.contains("a recovery key"), "{wrong:?}");
    let restored = place.run(["backup", "restore", file.to_str().unwrap(), "--yes"]);
    assert!(restored.code == 0 && restored.out.contains("only-copy"), "{restored:?}");
}

#[test]
fn an_insured_is_erased_only_with_yes() {
    let place = Place::new();
    let named = ["data", "erase", "--insured", "Example Diner LLC"];
    let shown = place.run(named);
    assert!(
        shown.code == 0 && shown.out.contains("Would be erased") && shown.out.contains("--yes"),
        "{shown:?}"
    );
    assert!(!place.line("audit list").out.contains("Erased"));
    let erased = place.run(named.into_iter().chain(["--yes"]));
    assert!(erased.code == 0 && erased.out.contains("Proof"), "{erased:?}");
    let log = place.line("audit list").out;
    assert!(log.contains("Erased an insured") && !log.contains("Diner"), "{log}");
    assert_eq!(place.line("data erase").code, 2);
    assert_eq!(place.line("data erase --insured A --year 2020").code, 2);
}

#[test]
fn how_long_data_stays_is_changed_only_with_yes() {
    let place = Place::new();
    let shown = place.line("data retention");
    assert!(shown.code == 0 && shown.out.contains("documents 0 days"), "{shown:?}");
    assert!(shown.out.contains("rows      always") && !shown.out.contains("--yes"), "{shown:?}");
    let asked = place.line("data retention --rows 1825 --documents always");
    assert!(asked.out.contains("rows      1,825 days") && asked.out.contains("--yes"), "{asked:?}");
    assert_eq!(place.json("data retention")["rules"]["rows"], serde_json::Value::Null, "only asked");
    let changed = place.line("data retention --rows 1825 --documents always --yes");
    assert!(changed.code == 0 && changed.out.contains("Let go: nothing."), "{changed:?}");
    let rules = &place.json("data retention")["rules"];
    assert_eq!((&rules["rows"], &rules["events"]), (&1825.into(), &730.into()), "the others stay");
    assert!(place.line("audit list").out.contains(": documents always, rows 1,825 days"));
    assert_eq!(place.line("data retention --rows soon").code, 2);
    assert_eq!(place.line("data retention --rows 40000 --yes").code, 3);
}

#[test]
fn everything_is_saved_as_open_files() {
    let place = Place::new();
    let folder = place.folder().join("everything");
    let line = format!("export --all {}", folder.display());
    let done = place.line(&line);
    assert!(done.code == 0 && done.out.contains("each as CSV and JSON"), "{done:?}");
    let log = fs::read_to_string(folder.join("audit.csv")).unwrap();
    assert!(log.starts_with("number,at,by_whom,text,hash"), "{log}");
    assert_eq!(place.line(&line).code, 2, "nothing in a folder is written over");
}

#[cfg(unix)]
#[test]
fn a_folder_is_encrypted_with_a_key_file_where_no_keychain_is_reached() {
    use std::os::unix::fs::PermissionsExt;
    let place = Place::new();
    assert_eq!(place.json("data status")["encryption"], "off");
    assert_ne!(place.line("data encrypt").code, 0, "there is no key");
    let key = place.folder().join("data.key");
    let make = format!("data key new --to {}", key.display());
    let made = place.line(&make);
    assert!(made.code == 0 && !made.out.contains('-'), "the key isn't printed: {made:?}");
    let mode = |path: &std::path::Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&key), 0o600);
    let key_text = std::fs::read_to_string(&key).unwrap();
    assert_eq!(place.line(&make).code, 2, "a key that may open a folder is never written over");
    assert_eq!(std::fs::read_to_string(&key).unwrap(), key_text);
    let with_key = |line: &str| place.line(&format!("{line} --data-key-file {}", key.display()));
    std::fs::set_permissions(&key, std::fs::Permissions::from_mode(0o640)).unwrap();
    let refused = with_key("data encrypt");
    assert!(refused.code != 0 && refused.err.contains("0600"), "{refused:?}");
    std::fs::set_permissions(&key, std::fs::Permissions::from_mode(0o600)).unwrap();

    let encrypted = with_key("data encrypt");
    assert!(encrypted.code == 0 && encrypted.out.contains("is encrypted"), "{encrypted:?}");
    let missing = place.line("batch list");
    assert_eq!(missing.code, 5, "{missing:?}");
    assert!(
        missing.err.contains("--data-key-file") && missing.err.contains("Nothing was changed"),
        "{missing:?}"
    );
    assert_eq!(with_key("batch list").code, 0);
    let unattended =
        place.with("BORDEREAU_DATA_KEY_FILE", &key.display().to_string()).with("BORDEREAU_API_KEY", "k");
    assert_eq!(unattended.json("data status")["encryption"], "on");
    let saved = unattended.folder().join("again.key");
    assert_eq!(unattended.line(&format!("data key save --to {}", saved.display())).code, 0);
    assert_eq!(std::fs::read_to_string(&saved).unwrap(), key_text);

    assert_eq!(unattended.line("data decrypt").code, 2, "it is asked for");
    assert_eq!(unattended.json("data decrypt --yes")["encryption"], "off");
    assert_eq!(unattended.line("batch list").code, 0);
    // A folder that is made with a key file is encrypted from its first byte on.
    let new = Place::new().with("BORDEREAU_DATA_KEY_FILE", &key.display().to_string());
    assert_eq!(new.json("data status")["encryption"], "on");
    assert!(!fs::read(new.folder().join("data/desk.sqlite")).unwrap().starts_with(b"SQLite format 3"));
}
