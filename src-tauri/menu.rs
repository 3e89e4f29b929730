//! The menu bar: on macOS, where copy and paste do not work without one; elsewhere there is none, and
//! everything is in the window and its palette.

use tauri::menu::{AboutMetadata, Menu, MenuBuilder, SubmenuBuilder};
use tauri::{AppHandle, Runtime};

/// The menu of macOS: application, edit, window.
#[cfg_attr(
    not(target_os = "macos"),
    allow(dead_code, reason = "compiled everywhere, so that it stays whole")
)]
pub(crate) fn build<R: Runtime>(app: &AppHandle<R>) -> tauri::Result<Menu<R>> {
    let about = AboutMetadata { version: Some(app.package_info().version.to_string()), ..Default::default() };
    let application = SubmenuBuilder::new(app, "Bordereau")
        .about(Some(about))
        .separator()
        .services()
        .separator()
        .hide()
        .hide_others()
        .show_all()
        .separator()
        .quit()
        .build()?;
    let edit = SubmenuBuilder::new(app, "Edit")
        .undo()
        .redo()
        .separator()
        .cut()
        .copy()
        .paste()
        .select_all()
        .build()?;
    let window =
        SubmenuBuilder::new(app, "Window").minimize().maximize().fullscreen().close_window().build()?;
    MenuBuilder::new(app).items(&[&application, &edit, &window]).build()
}
