//! Files dropped anywhere on the window.
//!
//! The paths stay here: the desk takes them and the page hears of handles, names and sizes.

use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::json;
use tauri::{AppHandle, DragDropEvent, Emitter, Manager, Runtime, State, Window, WindowEvent};

use crate::desk_slot::DeskSlot;
use crate::window;

/// Files are held over the window, or no longer: `{ over }`.
pub(crate) const DRAG: &str = "bordereau://drag";
/// Files were dropped: `{ files: [{ handle, name, bytes, folder }] }`.
pub(crate) const DROPPED: &str = "bordereau://dropped";

/// Whether files are held over the window: the page hears of a change, not of every movement.
#[derive(Default)]
pub(crate) struct DragState(AtomicBool);

/// Listens to the window.
pub(crate) fn on_window_event<R: Runtime>(on: &Window<R>, event: &WindowEvent) {
    let WindowEvent::DragDrop(event) = event else { return };
    let app = on.app_handle();
    match event {
        DragDropEvent::Enter { .. } | DragDropEvent::Over { .. } => set_drag_state(app, true),
        DragDropEvent::Drop { paths, .. } => {
            set_drag_state(app, false);
            // A selection of text can be dropped too; it has no paths.
            if !paths.is_empty() {
                hand_over(app.clone(), paths.clone());
            }
        }
        _ => set_drag_state(app, false),
    }
}

fn set_drag_state<R: Runtime>(app: &AppHandle<R>, over: bool) {
    let held: State<'_, DragState> = app.state();
    if held.0.swap(over, Ordering::Relaxed) != over {
        emit_event(app, DRAG, json!({ "over": over }));
    }
}

/// The thread that draws must not wait for a slow disk.
pub(crate) fn hand_over<R: Runtime>(app: AppHandle<R>, paths: Vec<std::path::PathBuf>) {
    tauri::async_runtime::spawn(async move {
        let slot = app.state::<DeskSlot>().inner().clone();
        let desk = match slot.desk().await {
            Ok(desk) => desk.clone(),
            Err(error) => {
                tracing::error!(code = ?error.code, "dropped files could not be read: {}", error.message);
                return;
            }
        };
        let taken = tauri::async_runtime::spawn_blocking(move || desk.drop_files(paths)).await;
        match taken {
            Ok(files) => {
                tracing::info!(files = files.len(), "files were dropped");
                emit_event(&app, DROPPED, json!({ "files": files }));
            }
            Err(error) => tracing::error!(%error, "dropped files could not be read"),
        }
    });
}

pub(crate) fn emit_event<R: Runtime>(app: &AppHandle<R>, event: &str, payload: serde_json::Value) {
    if let Err(error) = app.emit_to(window::LABEL, event, payload) {
        tracing::warn!(event, %error, "the page was not told");
    }
}
