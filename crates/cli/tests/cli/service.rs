//! `bordereau serve`, and quotes against it as against any other service.

use std::io::{BufRead, BufReader};
use std::process::Child;

use serde_json::Value;

use crate::command::Place;

pub(crate) struct Served {
    child: Child,
    line: Value,
    secrets: Value,
    place: Place,
}

impl Served {
    pub(crate) fn start() -> Served {
        Served::start_in(Place::new())
    }

    fn start_in(place: Place) -> Served {
        let (data, secrets) = (place.folder().join("service"), place.folder().join("secrets.json"));
        let mut serve = place.command();
        serve.args(["serve", "--json", "--data"]).arg(&data).arg("--credentials-file").arg(&secrets);
        let mut child = serve.spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let secrets = serde_json::from_str(&std::fs::read_to_string(secrets).unwrap()).unwrap();
        Served { child, line: serde_json::from_str(&line).unwrap(), secrets, place }
    }

    #[cfg(target_os = "linux")]
    pub(crate) fn data(&self) -> std::path::PathBuf {
        self.place.folder().join("service")
    }

    #[cfg(target_os = "linux")]
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    pub(crate) fn text(&self, name: &str) -> &str {
        let found = self.line[name].as_str().or(self.secrets[name].as_str());
        found.unwrap_or_else(|| panic!("{name} in {}", self.line))
    }

    pub(crate) fn stop(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    #[cfg(unix)]
    fn end(&mut self, signal: &str) -> Option<i32> {
        let sent =
            std::process::Command::new("kill").args([signal, &self.child.id().to_string()]).status().unwrap();
        assert!(sent.success());
        self.child.wait().unwrap().code()
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub(crate) fn add(place: &Place, served: &Served, environment: &str, more: &str) {
    place.json(&format!(
        "profile add Office --environment {environment} --address {} --ca-file {} {more}",
        served.text("base_url"),
        served.text("ca_file")
    ));
}

pub(crate) const ASKED: &str = "quote --state TX --line GEN-1002=9521 --agency-fee 400 --inspection-fee 150.42 \
                     --effective 2026-02-23 --profile Office";

#[test]
fn a_quote_with_an_api_key_from_the_environment() {
    let served = Served::start();
    let place = Place::new().with("BORDEREAU_API_KEY", served.text("api_key"));
    add(&place, &served, "sandbox", "");
    assert_eq!(place.json(ASKED)["sl_tax"], "488.46");
    let table = place.line(ASKED).out;
    assert!(table.starts_with("SANDBOX") && table.contains("Office"), "{table}");
    let tested = place.line("profile test Office");
    assert_eq!(tested.code, 0, "{tested:?}");
    let list = place.json("profile list");
    let office = &list["profiles"][1];
    assert_eq!(office["has_key"], false, "the key of the environment is never stored: {office}");
}

#[test]
fn a_quote_with_a_password_from_the_environment() {
    let served = Served::start();
    let place = Place::new().with("BORDEREAU_PASSWORD", served.text("password"));
    add(&place, &served, "sandbox", &format!("--sign-in user --username {}", served.text("username")));
    assert_eq!(place.json(ASKED)["sl_tax"], "488.46");
}

#[test]
fn what_was_generated_is_good_after_a_restart_and_a_file_that_others_can_read_is_not_used() {
    let mut first = Served::start();
    first.stop();
    let secrets = first.secrets.clone();
    let file = first.place.folder().join("secrets.json");
    let mut second = Served::start_in(std::mem::replace(&mut first.place, Place::new()));
    assert_eq!(second.secrets, secrets);
    let place = Place::new().with("BORDEREAU_API_KEY", second.text("api_key"));
    add(&place, &second, "sandbox", "");
    assert_eq!(place.json(ASKED)["sl_tax"], "488.46");
    second.stop();
    for text in ["not JSON", "[]", "{\"api_key\": 1}"] {
        std::fs::write(&file, text).unwrap();
        second = Served::start_in(std::mem::replace(&mut second.place, Place::new()));
        assert_ne!(second.secrets["api_key"], secrets["api_key"], "{text}");
        second.stop();
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let before = second.secrets.clone();
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o640)).unwrap();
        let third = Served::start_in(std::mem::replace(&mut second.place, Place::new()));
        assert_ne!(third.secrets, before);
    }
}

#[test]
fn wrong_credentials_are_code_4() {
    let served = Served::start();
    let place = Place::new()
        .with("BORDEREAU_API_KEY", "not-the-key-0123456789")
        .with("BORDEREAU_PASSWORD", "not-the-password");
    add(&place, &served, "sandbox", "");
    for line in [ASKED, "profile test Office"] {
        let ended = place.line(line);
        assert_eq!(ended.code, 4, "{line}: {ended:?}");
        assert!(!ended.err.contains("not-the"), "secrets are not repeated: {ended:?}");
    }
}

#[test]
fn a_certificate_of_an_unknown_authority_is_code_5() {
    let served = Served::start();
    let place = Place::new().with("BORDEREAU_API_KEY", served.text("api_key"));
    place.json(&format!("profile add Office --environment sandbox --address {}", served.text("base_url")));
    let ended = place.line(ASKED);
    assert_eq!(ended.code, 5, "{ended:?}");
    assert!(ended.err.to_lowercase().contains("certificate"), "{ended:?}");
}

#[test]
#[cfg(unix)]
fn it_ends_cleanly_when_asked() {
    for signal in ["-INT", "-TERM"] {
        assert_eq!(Served::start().end(signal), Some(0), "{signal}");
    }
}
