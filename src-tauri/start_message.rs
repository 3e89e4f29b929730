//! What the program says without its window: on a terminal where there is one, else in a message of the system.

/// How a start ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MessageLevel {
    /// What was asked for.
    Info,
    /// It did not start.
    Error,
}

/// Shows a text. Programs with a window have no terminal on Windows, and none on macOS when opened from the Finder.
pub fn show_message(level: MessageLevel, text: &str) {
    match level {
        MessageLevel::Info => println!("{text}"),
        MessageLevel::Error => eprintln!("bordereau-desktop: {text}"),
    }
    let is_unseen = cfg!(windows) || (cfg!(target_os = "macos") && level == MessageLevel::Error);
    if is_unseen {
        let level = match level {
            MessageLevel::Info => rfd::MessageLevel::Info,
            MessageLevel::Error => rfd::MessageLevel::Error,
        };
        rfd::MessageDialog::new().set_level(level).set_title("Bordereau").set_description(text).show();
    }
}
