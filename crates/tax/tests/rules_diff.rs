//! What differs between two versions of the rules is said in words fit for their changelog.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "rules_diff/mod.rs"]
mod comparison;

const BEFORE: &str = r#"
state = "WA"
checked_on = "2026-11-21"

[fees.agency]
taxed = false
text = "Not found."
checked = { level = "not_found", text = "not found" }

[[exempt]]
entities = ["governmental"]
text = "The state is exempt."

[[charge]]
kind = "premium_tax"
field = "sl_tax"

[[charge.rate]]
rate = "0.02"
checked = { level = "confirmed", text = "confirmed 2025" }
source = [ { title = "a page", url = "https://a.example" } ]

[[charge]]
kind = "stamping_fee"
field = "stamping_fee"

[[charge.rate]]
from = "2011-07-01"
rate = "0.001"
checked = { level = "conflicting", text = "conflicting" }
source = [ { title = "a page", url = "https://a.example" } ]

[[charge]]
kind = "fire_tax"
field = "fm_tax"

[[charge.rate]]
rate = "0.004"

[[note]]
code = "stamping_fee_conflicting"
text = "One vendor names 0.30%."
"#;

const AFTER: &str = r#"
state = "WA"
checked_on = "2026-11-22"

[fees.agency]
taxed = true
text = "Not found."
checked = { level = "secondary", text = "two tables" }

[[charge]]
kind = "premium_tax"
field = "sl_tax"
except_classes = ["ocean_marine"]

[[charge.rate]]
rate = "0.0225"
checked = { level = "confirmed", text = "confirmed 2025" }
source = [ { title = "b page", url = "https://b.example" } ]

[[charge]]
kind = "stamping_fee"
field = "stamping_fee"

[[charge.rate]]
from = "2011-07-01"
until = "2024-12-31"
rate = "0.001"
checked = { level = "confirmed", text = "confirmed 2026" }
source = [ { title = "a page", url = "https://a.example" } ]

[[charge.rate]]
from = "2025-01-01"
rate = "0.003"
checked = { level = "secondary", text = "secondary 2026" }

[[charge]]
kind = "fire_tax"
field = "fm_tax"
classes = []

[[charge.rate]]
rate = "0.004"
from = "2023-01-01"

[[charge]]
kind = "healthy_homes"
field = "sl_service_charge"
classes = ["dwelling"]

[[charge.rate]]
flat = "12.00"
until = "2029-12-31"

[[note]]
code = "due"
text = "Due on March 1."
"#;

#[test]
fn differences_are_said_in_words() {
    let found = comparison::differences(BEFORE, AFTER).unwrap();
    assert_eq!(
        found,
        [
            "premium tax (sl tax), except classes: none -> ocean_marine",
            "premium tax (sl tax), without a first day, value: 2% -> 2.25%",
            "premium tax (sl tax), without a first day, no longer source https://a.example (a page)",
            "premium tax (sl tax), without a first day, new source https://b.example (b page)",
            "stamping fee, from 2011-07-01, how sure: conflicting -> confirmed",
            "stamping fee, from 2011-07-01, text: conflicting -> \"confirmed 2026\"",
            "stamping fee, from 2011-07-01, last day: none -> 2024-12-31",
            "stamping fee, new value 0.3% from 2025-01-01 (secondary 2026)",
            "fire tax (fm tax), classes: none -> none",
            "fire tax (fm tax), without a first day, first day: none -> 2023-01-01",
            "new charge healthy homes (sl service charge): value $12.00 without a first day until 2029-12-31; classes: dwelling",
            "no longer exempt: The state is exempt.",
            "agency fee, how sure: not_found -> secondary",
            "agency fee, text: \"not found\" -> \"two tables\"",
            "agency fee, taxed: no -> yes",
            "no longer note stamping fee conflicting: One vendor names 0.30%.",
            "new note due: Due on March 1.",
        ]
    );
    assert!(comparison::differences(BEFORE, BEFORE).unwrap().is_empty());
}

#[test]
fn the_fee_of_each_charger_is_compared_with_the_one_entry_before() {
    let before = "[fees.agency]\ntaxed = false\nchecked = { level = \"older\", text = \"older\" }";
    let after = "[fees]\nassumed = \"retail_agent\"\n[fees.retail]\ntaxed = false\nchecked = { level = \"older\", text = \"older\" }\n\
        [fees.licensee]\ntaxed = true\nchecked = { level = \"secondary\", text = \"one table\" }\n\
        source = [ { title = \"A private table\", private = true } ]";
    assert_eq!(
        comparison::differences(before, after).unwrap(),
        [
            "agency fee, who charges it when nobody says: none -> retail_agent",
            "surplus lines licensee's fee, how sure: older -> secondary",
            "surplus lines licensee's fee, text: older -> \"one table\"",
            "surplus lines licensee's fee, new source A private table",
            "surplus lines licensee's fee, taxed: no -> yes",
        ]
    );
}
