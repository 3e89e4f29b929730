//! A window that is closed while a batch is being sent stays in the tray, and comes back from it.

use std::process::Command;
use std::sync::mpsc::{Sender, channel};
use std::time::{Duration, Instant};

use fantoccini::key::Key;
use zbus::blocking::{Connection, connection::Builder};

use crate::batches::{drops, sends, waits_for_rows};
use crate::driver::Desktop;
use crate::file_dialog::{waits_for_window, xdotool};
use crate::whole_way::tabs_to_named;
use crate::within_limit;

const CLOSE_WINDOW: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/window/close_window.py");
const PATIENCE: Duration = Duration::from_secs(30);

/// The tray of a desktop: programs tell it their items.
struct Tray(Sender<String>);

#[zbus::interface(name = "org.kde.StatusNotifierWatcher")]
impl Tray {
    fn register_status_notifier_item(&self, item: String) {
        self.0.send(item).expect("the test waits for it");
    }

    #[zbus(property)]
    fn is_status_notifier_host_registered(&self) -> bool {
        true
    }
}

/// Waits until the window is shown, or is not: its name ends so, those of its tooltips do not.
fn waits_until_shown(desktop: &Desktop, is_shown: bool) {
    let started = Instant::now();
    loop {
        let names = xdotool(desktop, &["search", "--onlyvisible", "--name", ".", "getwindowname", "%@"]);
        if names.lines().any(|name| name.ends_with("Bordereau")) == is_shown {
            return;
        }
        assert!(started.elapsed() < PATIENCE, "these windows are shown: {names}");
        std::thread::sleep(Duration::from_millis(100));
    }
}

/// As the button in its frame does.
fn closes_window(desktop: &Desktop) {
    let window = xdotool(desktop, &["search", "--onlyvisible", "--name", "Bordereau$"]);
    let status = Command::new("/usr/bin/python3")
        .args([CLOSE_WINDOW, window.lines().last().expect("a window")])
        .env("DISPLAY", desktop.screen.display())
        .status();
    assert!(status.is_ok_and(|status| status.success()), "the window was not asked to close");
}

/// The first of three buttons at the bottom.
fn stays_until_sent(desktop: &Desktop, dialog: &str) {
    let shape = xdotool(desktop, &["getwindowgeometry", "--shell", dialog]);
    let of = |name: &str| -> i32 {
        let value = shape.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix('='));
        value.and_then(|value| value.parse().ok()).expect("the shape of the dialog")
    };
    let (x, y) = (of("X") + of("WIDTH") / 6, of("Y") + of("HEIGHT") - 20);
    xdotool(desktop, &["mousemove", &x.to_string(), &y.to_string(), "click", "1"]);
}

#[test]
fn a_window_that_is_closed_while_it_sends_stays_in_the_tray() {
    within_limit(async {
        let desktop = Desktop::start().await;
        let person = desktop.open().await;
        let address = desktop.environment_of_window("DBUS_SESSION_BUS_ADDRESS");
        let (item, items) = channel();
        let bus = std::thread::spawn(move || -> Connection {
            let builder = Builder::address(address.as_str()).expect("the bus of the session");
            let builder = builder.name("org.kde.StatusNotifierWatcher").expect("a name");
            let builder = builder.serve_at("/StatusNotifierWatcher", Tray(item)).expect("a tray");
            builder.build().expect("the tray is on the bus")
        });
        let bus = bus.join().expect("a tray");
        // The service fails for long: the batch is still being sent when the window is closed.
        person.presses_control('9').await;
        tabs_to_named(&person, "Failure").await;
        person.presses('f').await;
        tabs_to_named(&person, "Number of requests").await;
        person.types("999").await;
        person.tabs_to_button("Simulate failures").await;
        person.presses(Key::Enter).await;
        person.waits_for_text(" left)").await;
        drops(&desktop, &[crate::batches::FILE.as_ref()]).await;
        waits_for_rows(&person, crate::batches::ROWS).await;
        sends(&person, crate::batches::ROWS).await;
        closes_window(&desktop);
        let dialog = waits_for_window(&desktop, "Still sending").await;
        stays_until_sent(&desktop, &dialog);
        let name = items.recv_timeout(PATIENCE).expect("an item in the tray");
        waits_until_shown(&desktop, false);
        std::thread::spawn(move || {
            let item = Some("org.kde.StatusNotifierItem");
            bus.call_method(Some(name.as_str()), "/StatusNotifierItem", item, "Activate", &(0_i32, 0_i32))
        })
        .join()
        .expect("it is asked")
        .expect("the item answers");
        waits_until_shown(&desktop, true);
        person.presses(Key::Escape).await;
        person.leaves().await;
    });
}
