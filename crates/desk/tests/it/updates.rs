//! A newer version of the application, from its list to the system's installer.

use std::collections::BTreeMap;
use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bordereau_desk::api::*;
use bordereau_desk::{
    BoxFuture, Browser, Desk, DeskConfig, ListedPackage, MemorySecrets, Policy, Ports, SystemClock,
    sha256_of, signed_text,
};
use bordereau_rules::SigningKey;
use serde_json::json;

use crate::other_service::OtherService;
use crate::outbox_fixture::{OutboxFixture, at_its_end, many, queue, quick};

const KIND: &str = "linux-x86_64-deb";
const CONTENT: &str = "the package of a newer version";

/// The system in place of which packages are installed.
struct InstallingSystem {
    data: PathBuf,
    kind: &'static str,
    refuses: bool,
    installed: Mutex<Vec<PathBuf>>,
}

impl Browser for InstallingSystem {
    fn open(&self, _url: &str) -> Result<(), String> {
        Ok(())
    }

    fn package_kind(&self) -> String {
        self.kind.to_owned()
    }

    fn install_package(&self, package: &Path) -> BoxFuture<'_, Result<(), String>> {
        assert_eq!(std::fs::read_to_string(package).unwrap(), CONTENT);
        assert_eq!(
            std::fs::read_dir(self.data.join("backups")).unwrap().count(),
            1,
            "the data is copied before"
        );
        for lock in ["outbox.lock", "uploads.lock"] {
            let file = File::options().write(true).open(self.data.join(lock)).unwrap();
            assert!(matches!(file.try_lock(), Err(TryLockError::WouldBlock)), "{lock} is held meanwhile");
        }
        self.installed.lock().unwrap().push(package.to_owned());
        Box::pin(async { if self.refuses { Err("It was not consented to.".to_owned()) } else { Ok(()) } })
    }
}

/// A place that lists versions and has their packages.
struct ReleasePlace {
    test: OutboxFixture,
    server: OtherService,
    pages: Arc<Mutex<BTreeMap<String, String>>>,
    key: SigningKey,
}

impl ReleasePlace {
    async fn new() -> ReleasePlace {
        let pages: Arc<Mutex<BTreeMap<String, String>>> = Arc::default();
        let served = Arc::clone(&pages);
        let server = OtherService::start(move |question| {
            Some(
                served
                    .lock()
                    .unwrap()
                    .get(&question.path)
                    .map_or((404, String::new()), |page| (200, page.clone())),
            )
        })
        .await;
        let key = SigningKey::from_pem(&SigningKey::pem_of_seed([1; 32])).unwrap();
        ReleasePlace { test: OutboxFixture::new().await, server, pages, key }
    }

    /// Lists a version as it was signed, or as somebody `changes` it.
    fn list(&self, version: &str, changes: impl FnOnce(&mut ListedPackage)) {
        let mut package = ListedPackage {
            kind: KIND.into(),
            address: format!("{}/package.deb", self.server.base_url),
            bytes: CONTENT.len() as u64,
            sha256: sha256_of(CONTENT.as_bytes()).unwrap(),
            key: self.key.public_key().to_string(),
            signature: String::new(),
        };
        package.signature = self.key.sign(signed_text("9.9.9", &package).as_bytes());
        changes(&mut package);
        let list = json!({ "versions": [{ "version": version, "packages": [package] }] });
        let mut pages = self.pages.lock().unwrap();
        pages.insert("/versions.json".into(), list.to_string());
        pages.insert("/package.deb".into(), CONTENT.into());
    }

    fn policy(&self) -> Policy {
        let mut policy = Policy::default();
        policy.updates.address = format!("{}/versions.json", self.server.base_url);
        policy.updates.keys = vec![self.key.public_key()];
        policy.network.authority_pem = self.server.ca_pem.clone();
        policy
    }

    fn open(&self, policy: Policy, kind: &'static str, refuses: bool) -> (Desk, Arc<InstallingSystem>) {
        let data = self.test.folder.path().join("desk");
        let installed = Mutex::default();
        let system = Arc::new(InstallingSystem { data: data.clone(), kind, refuses, installed });
        let ports = Ports {
            clock: Arc::new(SystemClock),
            secrets: Arc::new(MemorySecrets::new()),
            practice: self.test.switch.clone(),
            dialogs: self.test.person.clone(),
            browser: system.clone(),
            policy: Arc::new(policy),
            sign_in: None,
        };
        let desk = Desk::open(DeskConfig { data_dir: data, ports }).unwrap();
        desk.set_outbox_pace(quick());
        (desk, system)
    }
}

async fn install(desk: &Desk, version: &str) -> Result<Nothing, BoundaryError> {
    desk.updates_install(InstallUpdate { version: version.into() }).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_signed_newer_version_is_installed_and_nothing_is_sent_meanwhile() {
    let place = ReleasePlace::new().await;
    place.list("9.9.9", |_| {});
    let (desk, system) = place.open(place.policy(), KIND, false);
    let found = desk.updates_check(Nothing {}).await.unwrap();
    assert_eq!((found.newer.as_str(), found.install_obstacle.as_str()), ("9.9.9", ""));
    assert_eq!(place.server.count("/package.deb"), 0, "looking fetches no package");
    install(&desk, "9.9.9").await.unwrap();
    let installed = system.installed.lock().unwrap().clone();
    assert_eq!(installed, [system.data.join("updates/bordereau-9.9.9.deb")]);
    let batch = queue(&desk, "after.csv", many("a", 3)).await.unwrap();
    tokio::time::sleep(Duration::from_millis(600)).await;
    assert!(place.test.stored().await.is_empty(), "what is queued waits for the new version");
    let batches = desk.batch_list(Nothing {}).await.unwrap().batches;
    assert!(
        batches.iter().any(|each| each.id == batch.id && each.state == BatchState::Queued),
        "{batches:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn where_the_system_refuses_everything_goes_on() {
    let place = ReleasePlace::new().await;
    place.list("9.9.9", |_| {});
    let (desk, system) = place.open(place.policy(), KIND, true);
    let refused = install(&desk, "9.9.9").await.unwrap_err();
    assert_eq!(refused.message, "It was not consented to.");
    assert_eq!(system.installed.lock().unwrap().len(), 1);
    let batch = queue(&desk, "after.csv", many("a", 3)).await.unwrap();
    at_its_end(&desk, &batch.id).await;
    assert_eq!(place.test.stored().await.len(), 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_installed_that_is_older_unsigned_changed_or_not_allowed() {
    let place = ReleasePlace::new().await;
    let stranger = SigningKey::from_pem(&SigningKey::pem_of_seed([2; 32])).unwrap().public_key();
    let mut off = place.policy();
    off.updates.install = false;
    let mut unlooked = place.policy();
    unlooked.updates.check = false;
    let mut without_key = place.policy();
    without_key.updates.keys.clear();
    let mut other_key = place.policy();
    other_key.updates.keys = vec![stranger];
    type Case = (Policy, &'static str, &'static str, fn(&mut ListedPackage), &'static str);
    let trusting = || place.policy();
    let cases: [Case; 10] = [
        (off, KIND, "9.9.9", |_| {}, "leaves installing to its administrator"),
        (unlooked, KIND, "9.9.9", |_| {}, "switched off by the policy"),
        (without_key, KIND, "9.9.9", |_| {}, "without the project's key"),
        (other_key, KIND, "9.9.9", |_| {}, "isn't signed with a key that is trusted here"),
        (trusting(), "", "9.9.9", |_| {}, "use the tool that installed this version"),
        (trusting(), "windows-x86_64-setup", "9.9.9", |_| {}, "has no package for this computer"),
        (trusting(), KIND, "9.9.8", |_| {}, "its signature is wrong"),
        (trusting(), KIND, "0.1.0", |_| {}, "is no longer the newest version"),
        (trusting(), KIND, "9.9.9", |package| package.sha256 = "0".repeat(64), "its signature is wrong"),
        (trusting(), KIND, "9.9.9", |package| package.address = "http://127.0.0.1/".into(), "https://"),
    ];
    for (policy, kind, version, changes, reason) in cases {
        place.list(version, changes);
        let (desk, system) = place.open(policy, kind, false);
        let refused = install(&desk, version).await.unwrap_err();
        assert!(refused.message.contains(reason), "{reason}: {}", refused.message);
        assert!(system.installed.lock().unwrap().is_empty(), "{reason}");
        assert!(!system.data.join("updates").exists(), "{reason}");
    }
    // What is fetched isn't what was signed, though of the same size.
    place.list("9.9.9", |_| {});
    place.pages.lock().unwrap().insert("/package.deb".into(), CONTENT.replace("newer", "other"));
    let (desk, system) = place.open(place.policy(), KIND, false);
    let refused = install(&desk, "9.9.9").await.unwrap_err();
    assert!(refused.message.contains("its content isn't what was signed"), "{}", refused.message);
    assert!(system.installed.lock().unwrap().is_empty());
}
