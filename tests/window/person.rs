//! A person at the window: sees what is on the page, and has a keyboard; a mouse only where a test is about it.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use fantoccini::Client;
use fantoccini::actions::{
    InputSource, KeyAction, KeyActions, MOUSE_BUTTON_LEFT, MouseActions, PointerAction,
};
use fantoccini::key::Key;
use serde_json::{Value, json};

use crate::palette;

/// Keys are pressed as the keyboard sends them: down, then up.
fn stroke(actions: KeyActions, key: char) -> KeyActions {
    actions.then(KeyAction::Down { value: key }).then(KeyAction::Up { value: key })
}

/// A character, with Shift where a keyboard needs it: without it WebKitWebDriver drops the key.
fn typed(actions: KeyActions, character: char) -> KeyActions {
    if !character.is_ascii_uppercase() && !"$%&()?!:\"_+".contains(character) {
        return stroke(actions, character);
    }
    let shift = char::from(Key::Shift);
    let actions = actions.then(KeyAction::Down { value: shift });
    stroke(actions, character).then(KeyAction::Up { value: shift })
}

fn keyboard() -> KeyActions {
    KeyActions::new("keyboard".into())
}

/// What the answer panel shows.
#[derive(Debug)]
pub struct Answer {
    /// `Service` or `Estimate`.
    pub by: String,
    /// Premium, fees and taxes, as `10563.91`; a credit with a minus.
    pub total: String,
    /// Title and amount of each charge, as shown.
    pub charges: Vec<(String, String)>,
}

/// A person at an open window.
pub struct Person {
    client: Client,
}

impl Person {
    pub fn new(client: Client) -> Person {
        Person { client }
    }

    /// Closes the window.
    pub async fn leaves(self) {
        self.client.close().await.expect("the window closes");
    }

    pub async fn presses(&self, key: impl Into<char>) {
        let actions = stroke(keyboard(), key.into());
        self.client.perform_actions(actions).await.expect("a key");
    }

    /// Presses `key` while Control is down.
    pub async fn presses_control(&self, key: impl Into<char>) {
        let control = char::from(Key::Control);
        let actions = keyboard().then(KeyAction::Down { value: control });
        let actions = stroke(actions, key.into()).then(KeyAction::Up { value: control });
        self.client.perform_actions(actions).await.expect("keys together");
        // WebKitWebDriver lets the modifier reach into the next key otherwise.
        self.client.release_actions().await.expect("all keys up");
    }

    /// Types into the field just reached by Tab, over what it held, and sees it there.
    pub async fn types(&self, text: &str) {
        let actions = text.chars().fold(keyboard(), typed);
        self.client.perform_actions(actions).await.expect("typed text");
        let script = format!("return document.activeElement.value === {};", json!(text));
        self.waits_until(&script, &format!("\"{text}\" in the field")).await;
    }

    /// Goes on with Tab until the field of this pointer has the focus.
    pub async fn tabs_to(&self, pointer: &str) {
        let mut visited = Vec::new();
        for _ in 0..120 {
            let at = self.focused_field().await;
            if at == pointer {
                return;
            }
            visited.push(at);
            self.presses(Key::Tab).await;
        }
        panic!("Tab never came to {pointer}; it came through {visited:?}");
    }

    /// Goes on with Tab until a button whose words begin so has the focus.
    pub async fn tabs_to_button(&self, words: &str) {
        let mut visited = Vec::new();
        for _ in 0..80 {
            let script = "const at = document.activeElement;
                return at?.matches('button:not(:disabled, [aria-disabled=true])') ? at.innerText.trim() : '';";
            let at = self.asks(script).await.as_str().unwrap_or_default().to_owned();
            if at.starts_with(words) {
                return;
            }
            visited.push(at);
            self.presses(Key::Tab).await;
        }
        self.takes_picture("given-up").await;
        panic!("Tab never came to the button \"{words}\"; it came through {visited:?}");
    }

    /// Clicks in the middle of what an expression of the page finds, once nothing lies above it.
    pub async fn clicks(&self, expression: &str) {
        let script = format!(
            "const found = {expression};
             if (!found) return null;
             found.scrollIntoView({{ block: 'nearest', inline: 'nearest' }});
             const {{ left, top, width, height }} = found.getBoundingClientRect();
             const [x, y] = [left + width / 2, top + height / 2];
             const hit = document.elementFromPoint(x, y);
             return hit !== null && (found === hit || found.contains(hit)) ? {{ x, y }} : null;"
        );
        let started = Instant::now();
        let (x, y) = loop {
            let place = self.asks(&script).await;
            if let (Some(x), Some(y)) = (place["x"].as_f64(), place["y"].as_f64()) {
                break (x, y);
            }
            if started.elapsed() > Duration::from_secs(60) {
                self.takes_picture("given-up").await;
                panic!("nothing to click: {expression}");
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        };
        let mouse = MouseActions::new("mouse".into())
            .then(PointerAction::MoveTo { duration: None, x, y })
            .then(PointerAction::Down { button: MOUSE_BUTTON_LEFT })
            .then(PointerAction::Up { button: MOUSE_BUTTON_LEFT });
        self.client.perform_actions(mouse).await.expect("a click");
    }

    async fn focused_field(&self) -> String {
        let script =
            "return document.activeElement?.closest('[data-pointer]')?.getAttribute('data-pointer') ?? '';";
        self.asks(script).await.as_str().unwrap_or_default().to_owned()
    }

    /// What a script on the page answers.
    pub async fn asks(&self, script: &str) -> Value {
        self.client.execute(script, Vec::new()).await.expect("a script on the page")
    }

    /// What a script on the page calls its last argument with.
    pub async fn asks_and_waits(&self, script: &str, argument: Value) -> Value {
        self.client.execute_async(script, vec![argument]).await.expect("a script on the page")
    }

    /// Waits until the page shows this text somewhere.
    pub async fn waits_for_text(&self, text: &str) {
        let script = format!("return document.body.innerText.includes({});", json!(text));
        self.waits_until(&script, text).await;
    }

    /// Waits until a script answers true.
    pub async fn waits_until(&self, script: &str, what: &str) {
        self.waits_at_most(Duration::from_secs(20), script, what).await;
    }

    /// Waits this long until a script answers true.
    pub async fn waits_at_most(&self, limit: Duration, script: &str, what: &str) {
        let started = Instant::now();
        while self.asks(script).await != Value::Bool(true) {
            if started.elapsed() > limit {
                let page = self.asks("return document.body.innerText;").await;
                self.takes_picture("given-up").await;
                panic!(
                    "waited {limit:?} for: {what}\nthe page shows:\n{}",
                    page.as_str().unwrap_or_default()
                );
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// Presses Enter in the form and reads the service's answer.
    pub async fn gets_taxes(&self) -> Answer {
        self.presses(Key::Enter).await;
        let script = "const panel = document.querySelector('section.answer');
            return (panel?.querySelector('.total')?.innerText ?? '').includes('Service')
                || panel?.querySelector('.problem, [role=alert]') != null
                || document.querySelector('.quote-form .bad') != null;";
        self.waits_until(script, "an answer of the service").await;
        self.reads_answer().await
    }

    /// Reads the answer panel.
    pub async fn reads_answer(&self) -> Answer {
        let script = "const panel = document.querySelector('section.answer');
            const rows = [...panel.querySelectorAll('table.result tbody tr:not(.sub):not(.sum)')];
            const title = (row) => (row.querySelector('.charge > span') ?? row.cells[0]).innerText.trim();
            return {
                by: panel.querySelector('.total > div')?.innerText ?? panel.innerText,
                total: panel.querySelector('.total strong')?.innerText ?? '',
                charges: rows.map((row) => [title(row), row.cells[row.cells.length - 1].innerText]),
            };";
        let seen = self.asks(script).await;
        let charges = seen["charges"].as_array().into_iter().flatten();
        Answer {
            by: seen["by"].as_str().unwrap_or_default().to_owned(),
            total: amount(&seen["total"]),
            charges: charges
                .map(|row| (row[0].as_str().unwrap_or_default().to_owned(), amount(&row[1])))
                .collect(),
        }
    }

    /// Saves a picture of the page to `target/window-screenshots/` where pictures are asked for: they take a third of a
    /// day's walk.
    pub async fn pictures(&self, name: &str) {
        if std::env::var_os("BORDEREAU_PICTURES").is_some() {
            palette::reduce_colors(&self.takes_picture(name).await);
        }
    }

    async fn takes_picture(&self, name: &str) -> PathBuf {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).with_file_name("window-screenshots");
        std::fs::create_dir_all(&folder).expect("a folder for pictures");
        let file = folder.join(format!("{name}.png"));
        // The page may know more than is drawn yet.
        let drawn = "const done = arguments[arguments.length - 1];
            setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(() => done(true))), 300);";
        self.asks_and_waits(drawn, json!(null)).await;
        let png = self.client.screenshot().await.expect("a picture of the page");
        std::fs::write(&file, png).expect("the picture is written");
        file
    }
}

/// `credit −1,048.90` as `-1048.90`.
fn amount(shown: &Value) -> String {
    let text = shown.as_str().unwrap_or_default().replace('\u{2212}', "-");
    text.chars().filter(|c| c.is_ascii_digit() || matches!(c, '.' | '-')).collect()
}
