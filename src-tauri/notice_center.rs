//! Showing a notice with what the system has for it: the desktop's notices on Linux, toasts on Windows, the
//! notification center on macOS.

/// What a notice says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DesktopNotice {
    pub(crate) title: String,
    pub(crate) text: String,
}

/// Shows it and does not wait for what the person does with it. `identifier` is the program's.
#[cfg(target_os = "linux")]
pub(crate) fn show_notice(notice: &DesktopNotice, _identifier: &str) -> Result<(), zbus::Error> {
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
pub(crate) fn show_notice(
    notice: &DesktopNotice,
    identifier: &str,
) -> Result<(), tauri_winrt_notification::Error> {
    use tauri_winrt_notification::Toast;

    let is_known = std::env::current_exe().is_ok_and(|program| is_installed(&program));
    let toast = Toast::new(if is_known { identifier } else { Toast::POWERSHELL_APP_ID });
    toast.title(&notice.title).text1(&notice.text).show()
}

/// macOS shows notices of programs it knows by their bundle, and asks the person once. One that was just built has
/// none, and shows no notices.
#[cfg(target_os = "macos")]
pub(crate) fn show_notice(
    notice: &DesktopNotice,
    _identifier: &str,
) -> Result<(), mac_usernotifications::Error> {
    mac_usernotifications::check_bundle()?;
    mac_usernotifications::blocking::request_auth()?;
    let notice = mac_usernotifications::Notification::new().title(&notice.title).message(&notice.text);
    notice.send_blocking().map(drop)
}

/// Elsewhere the window and its status line show it.
#[cfg(not(any(target_os = "linux", windows, target_os = "macos")))]
pub(crate) fn show_notice(_notice: &DesktopNotice, _identifier: &str) -> Result<(), &'static str> {
    Err("not on this system")
}

/// Whether a program is where an installer puts it, and not where it was built (`target/release/...`).
#[cfg(any(windows, test))]
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
