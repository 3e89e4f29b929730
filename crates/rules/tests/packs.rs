//! Packs as an enemy or an accident would make them: each is refused, and says why.
#![allow(clippy::unwrap_used, reason = "in a test a panic is the answer")]

use bordereau_rules::{
    PACK_BYTES_MAX, PackProblem, PublicKey, RULES_ENGINE, RuleSet, RulesVersion, SigningKey,
    rule_differences, sign_builtin_rules, sign_payload, verify_pack,
};
use serde_json::{Value, json};

/// One key for each number.
fn new_key(number: u8) -> SigningKey {
    SigningKey::from_pem(&SigningKey::pem_of_seed([number; 32])).unwrap()
}

/// What a pack of the built-in rules says.
fn payload(key: &SigningKey) -> Value {
    let pack = sign_builtin_rules(key);
    let start = pack.windows(2).position(|pair| pair == b"\n{").unwrap() + 1;
    serde_json::from_slice(&pack[start..]).unwrap()
}

/// The same with one more change of the rules, so that it is newer.
fn newer(payload: &Value) -> Value {
    let mut newer = payload.clone();
    let changes = payload["changes"].as_str().unwrap();
    let (head, rest) = changes.split_once("\n## ").unwrap();
    newer["changes"] = format!("{head}\n## 2099-01-02\n\n- TX, all dates: a test.\n\n## {rest}").into();
    newer["version"] = "2099-01-02.1".into();
    newer
}

fn signed(payload: &Value, key: &SigningKey) -> Vec<u8> {
    sign_payload(payload.to_string().as_bytes(), key)
}

fn take(pack: &[u8], keys: &[PublicKey]) -> Result<RuleSet, PackProblem> {
    verify_pack(pack, keys, RuleSet::builtin().version())
}

#[test]
fn a_newer_pack_that_is_signed_is_used_and_says_what_changed() {
    let key = new_key(1);
    let mut payload = newer(&payload(&key));
    let texas = payload["tax"]["TX"].as_str().unwrap().replacen("rate = \"0.0485\"", "rate = \"0.0486\"", 1);
    payload["tax"]["TX"] = texas.into();
    let examples = payload["examples"].as_str().unwrap();
    let kept = examples.lines().filter(|line| !line.starts_with("TX,")).collect::<Vec<_>>().join("\n");
    payload["examples"] = kept.into();
    let dates = payload["calendar"]["TX"].as_str().unwrap().replacen("days = 60", "days = 61", 1);
    payload["calendar"]["TX"] = dates.into();

    let rules = take(&signed(&payload, &key), &[key.public_key()]).unwrap();
    assert_eq!(rules.version(), "2099-01-02.1".parse::<RulesVersion>().unwrap());
    assert_eq!(rules.pack_key(), Some(key.public_key()));
    assert_eq!(rules.changes()[0].text, "a test.");
    let found = rule_differences(&RuleSet::builtin(), &rules);
    let told: Vec<(&str, bool, &str)> =
        found.iter().map(|each| (each.state.code(), each.is_new, each.text.as_str())).collect();
    assert_eq!(told.len(), 3, "{told:?}");
    assert!(!told[0].1 && told[0].2.contains("4.85%"), "{told:?}");
    assert!(told[1].1 && told[1].2.contains("4.86%"), "{told:?}");
    assert_eq!(told[2], ("TX", true, "Due dates changed"));
}

#[test]
fn the_worked_examples_are_calculated_before_a_pack_is_used() {
    let key = new_key(1);
    let mut payload = newer(&payload(&key));
    let texas = payload["tax"]["TX"].as_str().unwrap().replacen("rate = \"0.0485\"", "rate = \"0.0486\"", 1);
    payload["tax"]["TX"] = texas.into();
    let refused = take(&signed(&payload, &key), &[key.public_key()]).unwrap_err().to_string();
    assert!(refused.starts_with("a worked example cannot be used: TX GEN-1002"), "{refused}");
}

#[test]
fn nothing_is_taken_that_is_not_signed_by_a_known_key() {
    let (key, other) = (new_key(1), new_key(2));
    let good = signed(&newer(&payload(&key)), &key);
    let keys = [key.public_key()];
    assert!(take(&good, &keys).is_ok());
    assert_eq!(take(&good, &[]).unwrap_err(), PackProblem::UnknownKey(key.public_key()));
    assert_eq!(take(&good, &[other.public_key()]).unwrap_err(), PackProblem::UnknownKey(key.public_key()));
    let text = String::from_utf8(good.clone()).unwrap();
    let line = |at: usize| text.lines().nth(at).unwrap().to_owned();
    let without = |at: usize| text.replacen(&format!("{}\n", line(at)), "", 1);
    // Somebody else's signature under the name of the key.
    let others = String::from_utf8(signed(&newer(&payload(&key)), &other)).unwrap();
    let borrowed = others.replacen(&other.public_key().to_string(), &key.public_key().to_string(), 1);
    let cases = [
        (text.replacen("0.0485", "0.0185", 1), PackProblem::WrongSignature),
        (format!("{text} "), PackProblem::WrongSignature),
        (text[..text.len() - 1].to_owned(), PackProblem::WrongSignature),
        (borrowed, PackProblem::WrongSignature),
        (text.replacen(&line(2), "signature AAAA", 1), PackProblem::WrongSignature),
        (text.replacen(&line(2), "signature ", 1), PackProblem::WrongSignature),
        (text.replacen(&line(2), "signature ?", 1), PackProblem::Unsigned),
        (text.replacen(&line(1), "key short", 1), PackProblem::Unsigned),
        (without(2), PackProblem::Unsigned),
        (without(1), PackProblem::Unsigned),
        (without(0), PackProblem::NotAPack),
        (text.replacen("pack 1\n", "pack 2\n", 1), PackProblem::NotAPack),
        (text.replacen('\n', "\r\n", 1), PackProblem::NotAPack),
        (String::new(), PackProblem::NotAPack),
        ("x".repeat(1_000), PackProblem::NotAPack),
        ("\u{0}".repeat(1_000), PackProblem::NotAPack),
        ("bordereau-rules-pack 1\n".to_owned(), PackProblem::Unsigned),
    ];
    for (pack, problem) in cases {
        let start: String = pack.chars().take(60).collect();
        assert_eq!(take(pack.as_bytes(), &keys).unwrap_err(), problem, "{start:?}");
    }
    let large = vec![b'x'; usize::try_from(PACK_BYTES_MAX).unwrap() + 1];
    assert_eq!(take(&large, &keys).unwrap_err(), PackProblem::TooLarge);
}

#[test]
fn older_rules_and_those_of_another_engine_are_refused() {
    let key = new_key(1);
    let same = payload(&key);
    let used = RuleSet::builtin().version();
    assert_eq!(
        take(&signed(&same, &key), &[key.public_key()]).unwrap_err(),
        PackProblem::NotNewer { found: used, used }
    );
    let newer = newer(&same);
    let pack = signed(&newer, &key);
    let taken = take(&pack, &[key.public_key()]).unwrap().version();
    assert_eq!(
        verify_pack(&pack, &[key.public_key()], taken).unwrap_err(),
        PackProblem::NotNewer { found: taken, used: taken },
        "the same pack again"
    );
    for engine in [0, RULES_ENGINE + 1, u32::MAX] {
        let mut other = newer.clone();
        other["engine"] = engine.into();
        // Another engine may have another form: it is said first.
        other["unknown"] = json!({});
        let found = u64::from(engine);
        assert_eq!(
            take(&signed(&other, &key), &[key.public_key()]).unwrap_err(),
            PackProblem::OtherEngine { found }
        );
    }
}

#[test]
fn a_signed_pack_with_something_wrong_in_it_is_refused_whole() {
    let key = new_key(1);
    let good = newer(&payload(&key));
    let with = |change: &dyn Fn(&mut Value)| {
        let mut bad = good.clone();
        change(&mut bad);
        signed(&bad, &key)
    };
    let cases: [(Vec<u8>, &str); 12] = [
        (with(&|bad| bad["tax"]["TX"] = "nonsense".into()), "the rules of Texas cannot be used"),
        (with(&|bad| bad["tax"]["TX"] = bad["tax"]["NY"].clone()), "the file of TX is about NY"),
        (with(&|bad| drop(bad["tax"].as_object_mut().unwrap().remove("WY"))), "the file is missing"),
        (with(&|bad| bad["tax"]["ZZ"] = "".into()), "its content cannot be used"),
        (with(&|bad| bad["calendar"]["TX"] = "state = 1".into()), "the due dates cannot be used"),
        (with(&|bad| drop(bad["calendar"].as_object_mut().unwrap().remove("WY"))), "WY has no file"),
        (with(&|bad| bad["changes"] = "## yesterday".into()), "its changelog cannot be used"),
        (with(&|bad| bad["version"] = "2099-01-02.2".into()), "its version cannot be used"),
        (with(&|bad| bad["version"] = "9".into()), "its content cannot be used"),
        (with(&|bad| bad["examples"] = "".into()), "a worked example cannot be used"),
        (with(&|bad| bad["more"] = 1.into()), "unknown field"),
        (sign_payload("[".repeat(100_000).as_bytes(), &key), "its content cannot be used"),
    ];
    for (pack, reason) in cases {
        let found = take(&pack, &[key.public_key()]).unwrap_err().to_string();
        assert!(found.contains(reason), "{found}, expected {reason}");
    }
}

#[test]
fn keys_are_read_as_they_are_written_and_as_openssl_writes_them() {
    let pem = SigningKey::pem_of_seed([7; 32]);
    let key = SigningKey::from_pem(&pem).unwrap();
    assert_eq!(key.public_key().to_string().parse(), Ok(key.public_key()));
    // The first test vector of RFC 8032, in the form without a public part.
    let openssl = "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIJ1hsZ3v/VpguoRK9JLsLMREScVpezJpGXA7rAMcrn9g\n-----END PRIVATE KEY-----\n";
    let public = SigningKey::from_pem(openssl).unwrap().public_key().to_string();
    assert_eq!(public, "11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=");
    for text in ["", "-----BEGIN PRIVATE KEY-----\n-----END PRIVATE KEY-----", &pem[..pem.len() / 2], "AAAA"]
    {
        assert!(SigningKey::from_pem(text).is_err(), "{text}");
    }
}
