//! Locks the window with the system: when the screen is locked, and before the computer sleeps.

#[cfg(target_os = "linux")]
use zbus::blocking::{Connection, MessageIterator};

use crate::desk_slot::DeskSlot;

/// What the desktop announces on the session's bus.
#[cfg(target_os = "linux")]
const ON_SESSION_BUS: [&str; 2] = [
    "type='signal',interface='org.freedesktop.ScreenSaver',member='ActiveChanged'",
    "type='signal',interface='org.gnome.ScreenSaver',member='ActiveChanged'",
];
/// What the system announces on its own.
#[cfg(target_os = "linux")]
const ON_SYSTEM_BUS: [&str; 2] = [
    "type='signal',interface='org.freedesktop.login1.Manager',member='PrepareForSleep'",
    "type='signal',interface='org.freedesktop.login1.Session',member='Lock'",
];

/// Listens to what the desktop and the system announce, where either does.
#[cfg(target_os = "linux")]
pub(crate) fn lock_with_system(slot: DeskSlot) {
    type OpenBus = fn() -> zbus::Result<Connection>;
    let session = ON_SESSION_BUS.map(|rule| (Connection::session as OpenBus, rule));
    let system = ON_SYSTEM_BUS.map(|rule| (Connection::system as OpenBus, rule));
    for (connect, rule) in session.into_iter().chain(system) {
        let slot = slot.clone();
        let started = std::thread::Builder::new().name("lock signals".into()).spawn(move || {
            let listened = connect()
                .and_then(|bus| MessageIterator::for_match_rule(rule, &bus, None))
                .and_then(|messages| lock_at(messages, || lock_window(&slot)));
            if let Err(error) = listened {
                tracing::info!(rule, %error, "the window doesn't lock with this signal");
            }
        });
        if let Err(error) = started {
            tracing::warn!(%error, "the window doesn't lock with the system");
        }
    }
}

/// Locks at each signal that says that a lock or a sleep begins.
#[cfg(target_os = "linux")]
fn lock_at(messages: MessageIterator, mut lock: impl FnMut()) -> zbus::Result<()> {
    for message in messages {
        // A lock of the session says nothing else; the others say whether it begins or ends.
        if message?.body().deserialize::<bool>().unwrap_or(true) {
            lock();
        }
    }
    Ok(())
}

/// Windows and macOS announce it to native windows alone: there the idle time and the time slept lock it.
#[cfg(not(target_os = "linux"))]
pub(crate) fn lock_with_system(_slot: DeskSlot) {}

#[cfg(target_os = "linux")]
fn lock_window(slot: &DeskSlot) {
    let slot = slot.clone();
    tauri::async_runtime::spawn(async move {
        let locked = match slot.desk().await {
            Ok(desk) => desk.lock_now(bordereau_desk::api::Nothing {}).await,
            Err(error) => Err(error),
        };
        if let Err(error) = locked {
            tracing::warn!("the window was not locked: {}", error.message);
        }
    });
}

#[cfg(target_os = "linux")]
#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::time::Duration;

    use super::*;
    use crate::private_bus::PrivateBus;

    #[test]
    fn each_signal_that_begins_a_lock_or_a_sleep_locks_once() {
        let Some(bus) = PrivateBus::start() else { return };
        let (sender, locked) = mpsc::channel();
        for rule in ON_SESSION_BUS.into_iter().chain(ON_SYSTEM_BUS) {
            let messages = MessageIterator::for_match_rule(rule, &bus.connect().unwrap(), None).unwrap();
            let sender = sender.clone();
            std::thread::spawn(move || lock_at(messages, || sender.send(rule).unwrap()));
        }
        // As GNOME, KDE and logind send them.
        let desktop = bus.connect().unwrap();
        let send = |path: &str, interface: &str, member: &str, begins: Option<bool>| {
            let sent = match begins {
                Some(begins) => desktop.emit_signal(None::<&str>, path, interface, member, &begins),
                None => desktop.emit_signal(None::<&str>, path, interface, member, &()),
            };
            sent.unwrap();
        };
        for begins in [false, true] {
            for path in ["/org/freedesktop/ScreenSaver", "/ScreenSaver"] {
                send(path, "org.freedesktop.ScreenSaver", "ActiveChanged", Some(begins));
            }
            send("/org/gnome/ScreenSaver", "org.gnome.ScreenSaver", "ActiveChanged", Some(begins));
            send(
                "/org/freedesktop/login1",
                "org.freedesktop.login1.Manager",
                "PrepareForSleep",
                Some(begins),
            );
        }
        send("/org/freedesktop/login1/session/_32", "org.freedesktop.login1.Session", "Unlock", None);
        send("/org/freedesktop/login1/session/_32", "org.freedesktop.login1.Session", "Lock", None);
        let mut seen: Vec<&str> =
            (0..5).map(|_| locked.recv_timeout(Duration::from_secs(60)).unwrap()).collect();
        seen.sort_unstable();
        let mut expected = [ON_SESSION_BUS.as_slice(), &[ON_SESSION_BUS[0]], &ON_SYSTEM_BUS].concat();
        expected.sort_unstable();
        assert_eq!(seen, expected);
        assert!(locked.try_recv().is_err(), "what ends a lock or a sleep locks nothing");
    }
}
