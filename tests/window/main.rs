//! The real window, driven through tauri-driver and WebKitWebDriver as a person would: by keyboard.
//!
//! Each test has its own virtual screen, session bus, home and data folder (`xtask::desktop_session`), and
//! ends within a limit. Needs Xvfb, dbus-run-session, WebKitWebDriver, tauri-driver, xdotool and, for drops,
//! Python with GTK: `cargo xtask test` installs them.
#![cfg(target_os = "linux")]

mod access;
mod batches;
mod days;
mod driver;
mod events;
mod file_dialog;
mod grid;
mod life;
mod live;
mod messy;
mod openers;
mod palette;
mod papers;
mod person;
mod pictures;
mod printing;
mod quotes;
mod transactions;
mod tray;
mod whole_way;

use std::future::Future;
use std::time::Duration;

/// Runs a test to its end or to its limit: a hung WebDriver call never returns by itself.
fn within_limit(test: impl Future<Output = ()>) {
    within(Duration::from_secs(80), test);
}

/// The same with its own limit.
fn within(limit: Duration, test: impl Future<Output = ()>) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async { tokio::time::timeout(limit, test).await.expect("the window test timed out") });
}
