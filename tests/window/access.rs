//! axe on every view of the real window, in every theme.

use serde_json::{Value, json};

use crate::driver::Desktop;
use crate::person::Person;
use crate::quotes::{TEXAS, quotes};
use crate::within_limit;

const AXE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/ui/node_modules/axe-core/axe.min.js");

/// What axe finds on the page; one line for each element.
async fn findings(person: &Person, view: &str) -> Vec<String> {
    let axe = std::fs::read_to_string(AXE).expect("axe-core of the UI: cargo xtask ui");
    let script = format!(
        "const done = arguments[arguments.length - 1];
         if (!window.axe) {{ {axe} }}
         window.axe.run(document).then(
           (found) => done(found.violations.flatMap((rule) =>
             rule.nodes.map((node) => rule.id + ': ' + node.target.join(' ') + ' ' + node.failureSummary))),
           (error) => done(['axe failed: ' + error]),
         );"
    );
    let found = person.asks_and_waits(&script, json!(null)).await;
    let lines = found.as_array().into_iter().flatten().map(Value::to_string);
    lines.map(|line| format!("{view}: {line}")).collect()
}

#[test]
fn axe_finds_nothing_on_any_view() {
    within_limit(async {
        let desktop = Desktop::start().await;
        let person = desktop.open().await;
        let mut found = findings(&person, "quote, empty").await;
        quotes(&person, &TEXAS).await;
        found.extend(findings(&person, "quote, answered").await);
        for (key, view) in [('2', "compare"), ('3', "saved"), (',', "settings")] {
            person.presses_control(key).await;
            let script = "return document.querySelector('nav [aria-current=page]') !== null
                && document.querySelector('main h1') !== null;";
            person.waits_until(script, view).await;
            person.pictures(&format!("view-{view}")).await;
            found.extend(findings(&person, view).await);
        }
        person.presses_control('1').await;
        person.waits_for_text("Calculate taxes").await;
        for theme in ["dark", "contrast"] {
            person.asks(&format!("document.documentElement.dataset.theme = '{theme}'; return null;")).await;
            // Colors change in a moment, not at once.
            let settled = "return document.getAnimations().every((each) => each.playState !== 'running');";
            person.waits_until(settled, "the colors of the theme").await;
            person.pictures(&format!("quote-in-{theme}")).await;
            found.extend(findings(&person, &format!("quote, {theme}")).await);
        }
        assert!(found.is_empty(), "{} findings\n{}", found.len(), found.join("\n"));
        person.leaves().await;
    });
}
