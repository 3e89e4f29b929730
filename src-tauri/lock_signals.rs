//! Locks the window with the system: when the screen is locked, and before the computer sleeps.

use crate::desk_slot::DeskSlot;

/// Listens to what the desktop and the system announce, where either does.
#[cfg(target_os = "linux")]
pub(crate) fn lock_with_system(slot: DeskSlot) {
    use zbus::blocking::{Connection, MessageIterator};

    type BusOf = fn() -> zbus::Result<Connection>;
    let announced: [(BusOf, &'static str); 4] = [
        (Connection::session, "type='signal',interface='org.freedesktop.ScreenSaver',member='ActiveChanged'"),
        (Connection::session, "type='signal',interface='org.gnome.ScreenSaver',member='ActiveChanged'"),
        (
            Connection::system,
            "type='signal',interface='org.freedesktop.login1.Manager',member='PrepareForSleep'",
        ),
        (Connection::system, "type='signal',interface='org.freedesktop.login1.Session',member='Lock'"),
    ];
    for (connect, rule) in announced {
        let slot = slot.clone();
        let listen = move || -> zbus::Result<()> {
            for message in MessageIterator::for_match_rule(rule, &connect()?, None)? {
                // A lock of the session says nothing else; the others say whether it begins or ends.
                if message?.body().deserialize::<bool>().unwrap_or(true) {
                    lock_window(&slot);
                }
            }
            Ok(())
        };
        let started = std::thread::Builder::new().name("lock signals".into()).spawn(move || {
            if let Err(error) = listen() {
                tracing::info!(rule, %error, "the window doesn't lock with this signal");
            }
        });
        if let Err(error) = started {
            tracing::warn!(%error, "the window doesn't lock with the system");
        }
    }
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
