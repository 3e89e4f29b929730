//! Showing a notice with what the system has for it: the desktop's notices on Linux, toasts on Windows, the
//! notification center on macOS.

/// What a notice says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Notice {
    pub(crate) title: String,
    pub(crate) text: String,
}

/// Shows it and does not wait for what the person does with it. `identifier` is the program's.
#[cfg(target_os = "linux")]
pub(crate) fn show(notice: &Notice, _identifier: &str) -> Result<(), zbus::Error> {
    use std::collections::HashMap;

    const NAME: &str = "org.freedesktop.Notifications";
    /// The desktop decides how long it is shown.
    const EXPIRES: i32 = -1;

    // The text may have markup on some desktops: what a file is called must not become any.
    let text = notice.text.replace('&', "&amp;").replace('<', "&lt;");
    let actions: [&str; 0] = [];
    let hints: HashMap<&str, zbus::zvariant::Value<'_>> =
        HashMap::from([("desktop-entry", zbus::zvariant::Value::from("bordereau-desktop"))]);
    let body = ("Bordereau", 0_u32, "bordereau-desktop", &notice.title, &text, &actions[..], hints, EXPIRES);
    let bus = zbus::blocking::Connection::session()?;
    bus.call_method(Some(NAME), "/org/freedesktop/Notifications", Some(NAME), "Notify", &body)?;
    Ok(())
}

/// Windows shows toasts only of programs it knows by a shortcut with this identifier, which the installers make.
/// One that was just built has none: its toasts are shown in the name of the system's own shell.
#[cfg(windows)]
pub(crate) fn show(notice: &Notice, identifier: &str) -> Result<(), notify_rust::error::Error> {
    let mut toast = notify_rust::Notification::new();
    toast.appname("Bordereau").summary(&notice.title).body(&notice.text);
    if std::env::current_exe().is_ok_and(|program| is_installed(&program)) {
        toast.app_id(identifier);
    }
    toast.show().map(drop)
}

/// macOS shows notices of programs it knows by their bundle. One that was just built has none: its notices are
/// shown in the terminal's name.
#[cfg(target_os = "macos")]
pub(crate) fn show(notice: &Notice, identifier: &str) -> Result<(), notify_rust::error::Error> {
    static NAMED: std::sync::Once = std::sync::Once::new();

    NAMED.call_once(|| {
        let is_installed = std::env::current_exe().is_ok_and(|program| is_installed(&program));
        let named =
            notify_rust::set_application(if is_installed { identifier } else { "com.apple.Terminal" });
        if let Err(error) = named {
            tracing::info!(%error, "notifications are not shown under the program's name");
        }
    });
    notify_rust::Notification::new().summary(&notice.title).body(&notice.text).show().map(drop)
}

/// Elsewhere the window and its status line tell.
#[cfg(not(any(target_os = "linux", windows, target_os = "macos")))]
pub(crate) fn show(_notice: &Notice, _identifier: &str) -> Result<(), &'static str> {
    Err("not on this system")
}

/// Whether a program is where an installer puts it, and not where it was built (`target/release/...`).
#[cfg(any(windows, target_os = "macos", test))]
fn is_installed(program: &std::path::Path) -> bool {
    !program.parent().is_some_and(|folder| folder.ends_with("debug") || folder.ends_with("release"))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn a_program_that_was_just_built_is_not_taken_for_an_installed_one() {
        for (program, expected) in [
            ("/Applications/Bordereau.app/Contents/MacOS/bordereau-desktop", true),
            ("/opt/released/bordereau-desktop", true),
            ("/home/me/bordereau/target/release/bordereau-desktop", false),
            ("/home/me/bordereau/target/debug/bordereau-desktop", false),
        ] {
            assert_eq!(is_installed(Path::new(program)), expected, "{program}");
        }
    }
}
