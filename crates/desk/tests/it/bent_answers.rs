//! Every kind of answer that the practice service gives, bent as other services may write it: it is read with the same
//! meaning. Spoiled in one place, it is read without that place, which is reported, or not at all; never with another
//! meaning.

use std::fmt::Debug;

use bordereau_contract::{
    AccountWebhooks, CalculateResponse, DiligentForms, ImportResults, SearchAnswer, TransactionRecord,
    read_answer,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use crate::outbox_fixture::{OutboxFixture, many, sent};

/// Bends of each answer, and spoiled places of each.
const BENDS: u64 = 64;
const SPOILED: u64 = 300;

/// Numbers that are the same each time.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, below: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % below.max(1)
    }
}

/// One way of writing, held throughout an answer.
struct Way {
    case: usize,
    is_quoted: bool,
    is_single: bool,
    has_more: bool,
    keeps_nulls: bool,
    envelope: usize,
}

impl Way {
    fn of(dice: &mut Dice) -> Way {
        let mut flag = || dice.roll(2) == 1;
        let (is_quoted, is_single, has_more, keeps_nulls) = (flag(), flag(), flag(), flag());
        Way { case: dice.roll(4), is_quoted, is_single, has_more, keeps_nulls, envelope: dice.roll(4) }
    }

    fn name(&self, name: &str) -> String {
        match self.case {
            0 => name.to_owned(),
            1 => name.to_ascii_uppercase(),
            2 => name.replace('_', ""),
            _ => name.replace('_', "-"),
        }
    }

    fn bend(&self, value: &Value) -> Value {
        match value {
            Value::Object(members) => {
                let kept = members.iter().filter(|(_, inner)| self.keeps_nulls || !inner.is_null());
                let mut bent: Map<String, Value> =
                    kept.map(|(name, inner)| (self.name(name), self.bend_member(name, inner))).collect();
                if self.has_more {
                    bent.insert("office_code".to_owned(), json!({ "deep": [null, 7] }));
                }
                Value::Object(bent)
            }
            Value::Array(entries) => match entries.as_slice() {
                [one] if self.is_single && one.is_object() => self.bend(one),
                entries => entries.iter().map(|entry| self.bend(entry)).collect(),
            },
            Value::Number(number) if self.is_quoted => number.to_string().into(),
            other => other.clone(),
        }
    }

    /// What is keyed by field or by a name of the form has no member's names.
    fn bend_member(&self, name: &str, value: &Value) -> Value {
        if matches!(name, "warnings" | "errors" | "values") { value.clone() } else { self.bend(value) }
    }

    fn wrap(&self, value: Value) -> Value {
        match self.envelope {
            0 => value,
            1 => json!({ "data": value }),
            2 => json!({ "success": true, "result": value }),
            _ => json!({ "status": "ok", "response": { "data": value } }),
        }
    }
}

/// Every scalar of an answer, to be spoiled.
fn count_leaves(value: &Value) -> usize {
    match value {
        Value::Object(members) => members.values().map(count_leaves).sum(),
        Value::Array(entries) => entries.iter().map(count_leaves).sum(),
        _ => 1,
    }
}

fn spoil(value: &mut Value, at: &mut usize, junk: &Value) {
    match value {
        Value::Object(members) => members.values_mut().for_each(|inner| spoil(inner, at, junk)),
        Value::Array(entries) => entries.iter_mut().for_each(|inner| spoil(inner, at, junk)),
        leaf => {
            if *at == 0 {
                leaf.clone_from(junk);
            }
            *at = at.wrapping_sub(1);
        }
    }
}

/// Whether everything in one is in the other too, or is nothing.
fn is_part(found: &Value, of: &Value) -> bool {
    match (found, of) {
        (Value::Object(found), Value::Object(of)) => {
            found.iter().all(|(name, value)| is_part(value, of.get(name).unwrap_or(&Value::Null)))
        }
        (Value::Array(found), Value::Array(of)) => {
            found.iter().all(|entry| of.iter().any(|whole| is_part(entry, whole)))
        }
        (found, of) => {
            let is_nothing =
                found.is_null() || [json!(""), json!(0), json!(false), json!([]), json!({})].contains(found);
            found == of || is_nothing
        }
    }
}

/// A list of one and its entry alone are the same.
fn one_form(value: Value) -> Value {
    match value {
        Value::Array(mut entries) if entries.len() == 1 => one_form(entries.remove(0)),
        Value::Array(entries) => entries.into_iter().map(one_form).collect(),
        Value::Object(members) => {
            members.into_iter().map(|(name, inner)| (name, one_form(inner))).collect::<Map<_, _>>().into()
        }
        other => other,
    }
}

fn check<T: DeserializeOwned + Serialize + PartialEq + Debug>(what: &str, answer: &Value) {
    let read = |value: &Value| read_answer::<T>(value.to_string().as_bytes());
    let plain = read(answer).unwrap_or_else(|fault| panic!("{what}: {fault} in {answer}"));
    assert_eq!(plain.losses, [], "{what}");
    let whole = serde_json::to_value(&plain.value).unwrap();
    for seed in 0..BENDS {
        let way = Way::of(&mut Dice(seed));
        let bent = way.wrap(way.bend(answer));
        let found = read(&bent).unwrap_or_else(|fault| panic!("{what}, {seed}: {fault} in {bent}"));
        let value = one_form(serde_json::to_value(&found.value).unwrap());
        assert_eq!(value, one_form(whole.clone()), "{what}, {seed}: {bent}");
        assert_eq!(found.losses, [], "{what}, {seed}: {bent}");
    }
    let junk = [json!({ "odd": 1 }), json!([[7]]), json!("???"), json!(-7.25), json!("99999999999999999999")];
    for seed in 0..SPOILED {
        let mut dice = Dice(seed);
        let (mut at, junk) = (dice.roll(count_leaves(answer)), &junk[dice.roll(junk.len())]);
        let mut spoiled = answer.clone();
        spoil(&mut spoiled, &mut at, junk);
        let Ok(found) = read(&spoiled) else { continue };
        if found.losses.is_empty() {
            // The place takes any text or number, or no one reads it: what came is shown as it came.
            continue;
        }
        let value = serde_json::to_value(&found.value).unwrap();
        assert!(is_part(&value, &whole), "{what}, {seed}: {:?}\n{value}\nof {whole}", found.losses);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_bent_by_another_service_means_the_same_or_is_told() {
    let test = OutboxFixture::new().await;
    let desk = test.desk();
    let batch = sent(&desk, many("b", 3)).await;
    let webhook = json!({ "title": "T", "events": ["webhook.transaction.status.filed"], "url": "https://127.0.0.1:9/x" });
    test.ask("POST", "api/v1/webhooks", webhook).await;
    let none = json!({});
    let results = format!("api/v4/transaction-import-results.json?batch_id={}", batch.batch_ids[0]);
    check::<ImportResults>("results", &test.ask("GET", &results, none.clone()).await);
    let status = "api/v1/get-transaction-status.json?id=b00000";
    check::<TransactionRecord>("status", &test.ask("GET", status, none.clone()).await);
    check::<SearchAnswer>(
        "search",
        &test.ask("POST", "api/v1/search-transactions?page=1", none.clone()).await,
    );
    check::<AccountWebhooks>("webhooks", &test.ask("GET", "api/v1/webhooks", none).await);
    for state in ["TX", "FL", "KY"] {
        let question = json!({ "physical_state": state, "transaction_type": "PN",
            "transaction_line_of_business_list": "GEN-1002", "transaction_line_of_business_coverage": "1000",
            "physical_address": "1 Main Street", "physical_city": "Louisville", "physical_zip_code": "40202" });
        let quote = test.ask("POST", "api/tax-calculator/calculate-general-taxes", question).await;
        check::<CalculateResponse>("quote", &quote);
    }
    let form = json!({ "state": "TX", "transaction_type": "PN", "policy_effective_date": "2026-02-23",
        "values": { "insured_name": "Example Diner" }, "declinations": [] });
    check::<DiligentForms>("forms", &test.ask("POST", "api/v1/diligent-forms.json", form).await);
}
