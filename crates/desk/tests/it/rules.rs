//! Rules packs and the policy of the computer, as a person meets them.

use std::path::PathBuf;
use std::sync::Arc;

use bordereau_desk::api::*;
use bordereau_desk::{Desk, DeskConfig, MemorySecrets, Policy, Ports};
use bordereau_rules::{PublicKey, SigningKey, sign_builtin_rules, sign_payload};
use serde_json::Value;

use crate::review_flow::{HEAD, good, read};
use crate::test_desk::{FixedClock, Scripted, TestPractice, file_handle, profile, question};

struct PolicyDesk {
    folder: tempfile::TempDir,
    key: SigningKey,
}

impl PolicyDesk {
    fn new() -> PolicyDesk {
        let key = SigningKey::from_pem(&SigningKey::pem_of_seed([1; 32])).unwrap();
        PolicyDesk { folder: tempfile::tempdir().unwrap(), key }
    }

    /// As after a start of the program under this policy.
    fn open(&self, policy: Policy) -> Desk {
        let person = Arc::new(Scripted::default());
        let ports = Ports {
            clock: Arc::new(FixedClock),
            secrets: Arc::new(MemorySecrets::new()),
            practice: Arc::new(TestPractice(None)),
            dialogs: person.clone(),
            browser: person,
            policy: Arc::new(policy),
            sign_in: None,
        };
        Desk::open(DeskConfig { data_dir: self.folder.path().join("data"), ports }).unwrap()
    }

    fn trusting(&self, keys: &[PublicKey]) -> Policy {
        let mut policy = Policy::default();
        policy.rules.keys = keys.to_vec();
        policy
    }

    /// Texas at 4.86%, and one more change.
    fn write_pack(&self, day: &str) -> PathBuf {
        let pack = sign_builtin_rules(&self.key);
        let start = pack.windows(2).position(|pair| pair == b"\n{").unwrap() + 1;
        let mut payload: Value = serde_json::from_slice(&pack[start..]).unwrap();
        let edit =
            |text: &Value, from: &str, to: &str| Value::from(text.as_str().unwrap().replacen(from, to, 1));
        payload["tax"]["TX"] = edit(&payload["tax"]["TX"], "rate = \"0.0485\"", "rate = \"0.0486\"");
        payload["changes"] = edit(
            &payload["changes"],
            "\n## ",
            &format!("\n## {day}\n\n- TX, all dates: tax 4.85% -> 4.86%.\n\n## "),
        );
        payload["version"] = format!("{day}.1").into();
        let examples = payload["examples"].as_str().unwrap().lines().filter(|line| !line.starts_with("TX,"));
        payload["examples"] = examples.collect::<Vec<_>>().join("\n").into();
        let path = self.folder.path().join(format!("{day}.rules"));
        std::fs::write(&path, sign_payload(payload.to_string().as_bytes(), &self.key)).unwrap();
        path
    }
}

async fn take(desk: &Desk, pack: &std::path::Path) -> Result<RulesView, BoundaryError> {
    desk.rules_install(InstallRules { handle: file_handle(desk, pack) }).await
}

async fn texas_tax(desk: &Desk) -> QuoteAnswer {
    desk.quote_estimate(question("TX", "PN", &[("GEN-1002", "10000")])).await.unwrap()
}

#[tokio::test]
async fn an_open_draft_is_checked_with_a_new_pack_at_once() {
    let place = PolicyDesk::new();
    let desk = place.open(place.trusting(&[place.key.public_key()]));
    let source = ReviewSource::Pasted { text: format!("{HEAD}{}", good(1)).replace(',', "\t") };
    let view = read(&desk, desk.review_start(ReviewStart { source }).await.unwrap()).await;
    let differs = |view: &ReviewView| view.groups.iter().any(|group| group.code == "tax_differs");
    assert_eq!((view.stage, view.counts.ready, differs(&view)), (ReviewStage::Review, 1, false), "{view:#?}");
    take(&desk, &place.write_pack("2099-01-02")).await.unwrap();
    let after = read(&desk, desk.review_state(ReviewId { id: view.id }).await.unwrap()).await;
    assert!(differs(&after), "{:#?}", after.groups);
}

#[tokio::test]
async fn a_pack_is_used_at_once_and_after_a_start_and_quotes_keep_the_rules_they_were_made_with() {
    let place = PolicyDesk::new();
    let trusting = place.trusting(&[place.key.public_key()]);
    let desk = place.open(trusting.clone());
    let before = texas_tax(&desk).await;
    assert_eq!((before.taxes.as_str(), before.rules_from_pack), ("489.00", false));
    let saved = SaveQuote {
        id: None,
        name: "Before".into(),
        request: question("TX", "PN", &[("GEN-1002", "10000")]),
        answer: Some(before.clone()),
        revision: None,
    };
    let saved = desk.quote_save(saved).await.unwrap();

    let pack = place.write_pack("2099-01-02");
    let view = take(&desk, &pack).await.unwrap();
    assert_eq!((view.version.as_str(), view.from_pack, view.differences.len()), ("2099-01-02.1", true, 2));
    assert_eq!(view.signed_by, place.key.public_key().to_string());
    let changed = texas_tax(&desk).await;
    assert_eq!((changed.taxes.as_str(), changed.rules_version.as_str()), ("490.00", "2099-01-02.1"));
    assert_eq!(changed.rules_name(), "the rules pack 2099-01-02.1");
    let opened = desk.quote_open(QuoteId { id: saved.id }).await.unwrap().answer.unwrap();
    assert_eq!((opened.taxes, opened.rules_version), (before.taxes, before.rules_version));
    let rates = desk.rates_list(RatesRequest { state: "TX".into(), on: String::new() }).await.unwrap();
    assert!(rates.rules_from_pack && rates.states[0].rates.iter().any(|rate| rate.rate == "4.86%"));
    assert_eq!(desk.rules_changes(Nothing {}).await.unwrap().changes[0].published, "2099-01-02");
    assert!(desk.reference_data(Nothing {}).await.unwrap().rules_from_pack);

    let later = place.open(trusting.clone());
    assert_eq!(texas_tax(&later).await.taxes, "490.00", "it is still used after a start");
    let older = take(&later, &place.write_pack("2098-01-01")).await.unwrap_err();
    assert!(older.message.contains("not newer than version 2099-01-02.1 in use"), "{}", older.message);
    let view = later.rules_reset(Nothing {}).await.unwrap();
    assert!(!view.from_pack && view.differences.is_empty());
    assert_eq!(texas_tax(&place.open(trusting)).await.taxes, "489.00");
}

#[tokio::test]
async fn without_a_trusted_key_or_by_policy_no_pack_is_used() {
    let place = PolicyDesk::new();
    let pack = place.write_pack("2099-01-02");
    let mut off = place.trusting(&[place.key.public_key()]);
    off.rules.packs = false;
    let stranger = SigningKey::from_pem(&SigningKey::pem_of_seed([2; 32])).unwrap();
    let cases = [
        (Policy::default(), "no key to check their signature"),
        (off.clone(), "switched off by the policy"),
        (place.trusting(&[stranger.public_key()]), "a key that is not trusted here"),
    ];
    for (policy, reason) in cases {
        let desk = place.open(policy);
        let refused = take(&desk, &pack).await.unwrap_err();
        assert!(refused.message.contains(reason), "{}", refused.message);
        assert_eq!(texas_tax(&desk).await.taxes, "489.00");
    }
    take(&place.open(place.trusting(&[place.key.public_key()])), &pack).await.unwrap();
    // What was taken before is checked again at each start.
    let desk = place.open(off);
    assert!(desk.rules_show(Nothing {}).await.unwrap().unused.contains("switches rules packs off"));
    assert_eq!(texas_tax(&desk).await.taxes, "489.00");
    let stored = place.folder.path().join("data/rules.pack");
    let mut bytes = std::fs::read(&stored).unwrap();
    *bytes.last_mut().unwrap() = b' ';
    std::fs::write(&stored, bytes).unwrap();
    let desk = place.open(place.trusting(&[place.key.public_key()]));
    assert!(desk.rules_show(Nothing {}).await.unwrap().unused.contains("its signature is wrong"));
    assert_eq!(texas_tax(&desk).await.taxes, "489.00");
}

#[tokio::test]
async fn a_profile_names_its_own_address_of_packs_and_the_policy_has_the_last_word() {
    let office = PolicyDesk::new();
    let address = |name: &str| format!("https://files.example.com/{name}.rules");
    let desk = office.open(Policy::default());
    let settings = desk.settings_load(Nothing {}).await.unwrap();
    desk.settings_save(Settings { rules_address: address("settings"), ..settings }).await.unwrap();
    let named = |view: RulesView| (view.address, view.address_by_policy, view.address_by_profile);
    assert_eq!(named(desk.rules_show(Nothing {}).await.unwrap()), (address("settings"), false, false));

    let wrong = Profile { rules_address: "http://files.example.com".into(), ..profile("Office") };
    let refused = desk.profile_save(wrong).await.unwrap_err();
    assert!(refused.details.iter().any(|fault| fault.pointer == "/rules_address"), "{refused:?}");
    let own = Profile { rules_address: address("office"), ..profile("Office") };
    let id = desk.profile_save(own).await.unwrap().profile.id;
    assert_eq!(named(desk.rules_show(Nothing {}).await.unwrap()).0, address("settings"), "not in use");
    desk.profile_select(ProfileId { id }).await.unwrap();
    assert_eq!(named(desk.rules_show(Nothing {}).await.unwrap()), (address("office"), false, true));

    drop(desk);
    let mut policy = Policy::default();
    policy.rules.address = address("policy");
    let view = office.open(policy).rules_show(Nothing {}).await.unwrap();
    assert_eq!(named(view), (address("policy"), true, false));
}

#[tokio::test]
async fn the_policy_switches_profiles_and_the_look_for_versions_off() {
    let place = PolicyDesk::new();
    let open = place.open(Policy::default());
    let live = Profile { environment: Environment::Production, ..profile("Live") };
    let id = open.profile_save(live.clone()).await.unwrap().profile.id;
    open.profile_set_key(SetApiKey { id: id.clone(), key: "key".into() }).await.unwrap();
    let why = open.updates_check(Nothing {}).await.unwrap_err();
    assert!(why.message.contains("No address of a list of versions"), "{}", why.message);

    let mut policy = Policy { place: "/etc/bordereau/policy.toml".into(), ..Policy::default() };
    policy.profiles.practice = false;
    policy.profiles.production = false;
    policy.updates.check = false;
    let desk = place.open(policy);
    let said = desk.policy_show(Nothing {}).await.unwrap();
    assert_eq!((said.sets.len(), said.fault.as_str()), (3, ""));
    let off = "by the policy of this computer";
    for refused in [
        desk.profile_select(ProfileId { id: id.clone() }).await.map(drop).unwrap_err(),
        desk.profile_save(live).await.map(drop).unwrap_err(),
        desk.quote_calculate(question("TX", "PN", &[("GEN-1002", "100")])).await.map(drop).unwrap_err(),
        desk.updates_check(Nothing {}).await.map(drop).unwrap_err(),
    ] {
        assert!(refused.message.contains(off), "{}", refused.message);
    }
    // A profile that was in use before the policy came is no way around it.
    open.profile_select(ProfileId { id }).await.unwrap();
    let asked = desk.quote_calculate(question("TX", "PN", &[("GEN-1002", "100")])).await.unwrap_err();
    assert!(asked.message.contains("Production profiles are switched off"), "{}", asked.message);
    let names: Vec<String> = desk
        .profile_list(Nothing {})
        .await
        .unwrap()
        .profiles
        .into_iter()
        .map(|view| view.profile.name)
        .collect();
    assert_eq!(names, ["Live"]);
    assert_eq!(texas_tax(&desk).await.taxes, "489.00", "estimates need no service");
}
