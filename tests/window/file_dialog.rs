//! The system's own dialog for files: what the page does not draw, WebDriver does not see. Keys reach it through
//! the screen, as from a keyboard.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use crate::driver::Desktop;

/// The window is drawn by the desktop's toolkit, which takes its time on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// What the tool for keys and windows answers on this screen.
pub fn xdotool(desktop: &Desktop, arguments: &[&str]) -> String {
    let output = Command::new("xdotool")
        .args(arguments)
        .env("DISPLAY", desktop.screen.display())
        .output()
        .expect("xdotool runs");
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}

fn window(desktop: &Desktop, title: &str) -> Option<String> {
    let found = xdotool(desktop, &["search", "--onlyvisible", "--name", title]);
    found.lines().last().map(str::to_owned).filter(|id| !id.is_empty())
}

/// Waits for another window with this title, a regular expression.
pub async fn waits_for_window(desktop: &Desktop, title: &str) -> String {
    let started = Instant::now();
    loop {
        if let Some(id) = window(desktop, title) {
            return id;
        }
        assert!(started.elapsed() < PATIENCE, "no window {title} came");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

/// The dialog for saving: the application's own window is named "... - Bordereau", and may begin with "Saved".
fn dialog_for_saving(desktop: &Desktop) -> Option<String> {
    let is_own = |id: &str| xdotool(desktop, &["getwindowname", id]).ends_with("Bordereau");
    let found = xdotool(desktop, &["search", "--onlyvisible", "--name", "^Save"]);
    found.lines().rev().find(|id| !id.is_empty() && !is_own(id)).map(str::to_owned)
}

/// Types a whole path into the dialog for saving and presses Enter; waits until the file is there.
pub async fn saves_as(desktop: &Desktop, path: &Path) {
    let started = Instant::now();
    let dialog = loop {
        if let Some(id) = dialog_for_saving(desktop) {
            break id;
        }
        assert!(started.elapsed() < PATIENCE, "no dialog for saving came");
        tokio::time::sleep(Duration::from_millis(100)).await;
    };
    while !path.exists() {
        assert!(started.elapsed() < PATIENCE, "{} was not written", path.display());
        // A dialog that was not yet ready for keys is given them once more.
        if dialog_for_saving(desktop).is_some_and(|id| id == dialog) {
            xdotool(desktop, &["windowfocus", &dialog]);
            tokio::time::sleep(Duration::from_millis(400)).await;
            xdotool(desktop, &["key", "ctrl+a"]);
            xdotool(desktop, &["type", "--delay", "20", &path.display().to_string()]);
            tokio::time::sleep(Duration::from_millis(400)).await;
            xdotool(desktop, &["key", "Return"]);
        }
        tokio::time::sleep(Duration::from_millis(600)).await;
    }
    // There is no window manager that would give the focus back.
    if let Some(id) = window(desktop, "Bordereau") {
        xdotool(desktop, &["windowfocus", &id]);
    }
}
