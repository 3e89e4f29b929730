//! The commands that the page may call.
//!
//! There is one command for all operations, not one for each: the names come from the one list that the
//! desk dispatches by, so the window cannot serve less or more than the HTTP host and the TypeScript
//! bindings know. A hand-kept list of handlers drifts. Both commands are `async`: a plain one would run
//! on the thread that draws.

use bordereau_desk::api::BoundaryError;
use bordereau_desk::dispatch;
use serde_json::Value;
use tauri::{Manager, Runtime, State, WebviewWindow};

use crate::desk_slot::DeskSlot;
use crate::open_request;
use crate::window::{self, FirstPaint, PaintStage};

/// Does an operation of the desk.
#[tauri::command]
pub(crate) async fn call(
    desk: State<'_, DeskSlot>,
    op: String,
    request: Value,
) -> Result<Value, BoundaryError> {
    dispatch(&desk.desk_for(&op).await?, &op, request).await
}

/// The page says how far it is. At the first word the window is shown, and the desk is opened beside the
/// page's scripts: earlier, both would take turns on the processor with the webview's own start.
#[tauri::command]
pub(crate) async fn ui_ready<R: Runtime>(
    shown: WebviewWindow<R>,
    first_paint: State<'_, FirstPaint>,
    desk: State<'_, DeskSlot>,
    stage: PaintStage,
) -> Result<(), BoundaryError> {
    if stage == PaintStage::Opens {
        open_request::page_listens(shown.app_handle());
        return Ok(());
    }
    if first_paint.report_stage(stage) {
        window::show_window(&shown);
        desk.open_soon();
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use bordereau_desk::api::OPERATIONS;
    use bordereau_desk::{Desk, DeskConfig, MemorySecrets, Ports, SystemClock};
    use bordereau_host::{InProcessPractice, NoBrowser, SavedFolder};
    use serde_json::{Value, json};
    use tauri::ipc::{CallbackFn, InvokeBody};
    use tauri::test::{INVOKE_KEY, MockRuntime, get_ipc_response, mock_builder};
    use tauri::webview::InvokeRequest;
    use tauri::{DragDropEvent, Listener, Manager, WindowEvent};

    use crate::desk_slot::DeskSlot;
    use crate::{application, drops, window};

    struct Window {
        webview: tauri::WebviewWindow<MockRuntime>,
        _app: tauri::App<MockRuntime>,
        data: tempfile::TempDir,
    }

    /// The real context with its capabilities and content security policy, without a display.
    fn window() -> Window {
        let data = tempfile::tempdir().unwrap();
        let ports = Ports {
            clock: Arc::new(SystemClock),
            secrets: Arc::new(MemorySecrets::new()),
            practice: Arc::new(InProcessPractice::new(None)),
            dialogs: Arc::new(SavedFolder::new(data.path().join("saved"))),
            browser: Arc::new(NoBrowser),
            policy: Arc::default(),
            sign_in: None,
        };
        let data_dir = data.path().to_owned();
        let slot = DeskSlot::new(Arc::clone(&ports.dialogs), move |_| {
            Desk::open_for_window(DeskConfig { data_dir: data_dir.clone(), ports: ports.clone() })
        });
        let app = application::configure_builder(mock_builder()).build(application::tauri_context()).unwrap();
        app.manage(slot);
        let webview =
            tauri::WebviewWindowBuilder::new(&app, window::LABEL, Default::default()).build().unwrap();
        Window { webview, _app: app, data }
    }

    impl Window {
        fn invoke(&self, command: &str, arguments: Value) -> Result<Value, Value> {
            let origin = if cfg!(windows) { "http://tauri.localhost" } else { "tauri://localhost" };
            let request = InvokeRequest {
                cmd: command.into(),
                callback: CallbackFn(0),
                error: CallbackFn(1),
                url: origin.parse().unwrap(),
                body: InvokeBody::Json(arguments),
                headers: Default::default(),
                invoke_key: INVOKE_KEY.to_string(),
            };
            get_ipc_response(&self.webview, request).map(|body| body.deserialize().unwrap())
        }
    }

    #[test]
    fn the_window_serves_exactly_the_list_of_operations() {
        let window = window();
        for operation in OPERATIONS {
            let answer = window.invoke("call", json!({ "op": operation, "request": "not an object" }));
            let message = answer.unwrap_err()["message"].as_str().unwrap_or_default().to_owned();
            assert!(
                message.contains(operation),
                "{operation} is served and refuses a bad request: {message}"
            );
        }
        let unknown = window.invoke("call", json!({ "op": "quote_everything", "request": {} })).unwrap_err();
        assert_eq!(unknown["code"], "internal", "{unknown}");
    }

    #[test]
    fn nothing_but_the_two_commands_and_hearing_is_allowed() {
        let window = window();
        assert_eq!(window.invoke("ui_ready", json!({ "stage": "frame" })), Ok(Value::Null));
        let listen = json!({ "event": "bordereau://dropped", "target": { "kind": "Any" }, "handler": 1 });
        assert!(window.invoke("plugin:event|listen", listen).is_ok(), "the page hears of drops");
        let emit = json!({ "event": "bordereau://dropped", "payload": {} });
        let refused = [
            ("plugin:window|close", json!({})),
            ("plugin:app|version", json!({})),
            ("plugin:event|emit", emit),
            ("plugin:webview|create_webview_window", json!({})),
            ("read_file", json!({})),
        ];
        for (command, arguments) in refused {
            assert!(window.invoke(command, arguments).is_err(), "{command} must be refused");
        }
    }

    /// The native event, as the webview library gives it; the path stays in the core.
    #[test]
    fn dropped_files_reach_the_page_as_handles() {
        let window = window();
        let file = window.data.path().join("rows.csv");
        std::fs::write(&file, "State,Premium\nTX,100\n").unwrap();
        let (send, heard) = std::sync::mpsc::channel();
        for event in [drops::DRAG, drops::DROPPED] {
            let send = send.clone();
            window.webview.listen(event, move |told| send.send((event, told.payload().to_owned())).unwrap());
        }
        let position = tauri::PhysicalPosition::new(1.0, 1.0);
        let paths = vec![file];
        for event in [
            DragDropEvent::Enter { paths: paths.clone(), position },
            DragDropEvent::Over { position },
            DragDropEvent::Over { position },
            DragDropEvent::Leave,
            DragDropEvent::Enter { paths: paths.clone(), position },
            DragDropEvent::Drop { paths, position },
        ] {
            drops::on_window_event(&window.webview.as_ref().window(), &WindowEvent::DragDrop(event));
        }
        let next = || {
            let (event, payload) = heard.recv_timeout(std::time::Duration::from_secs(10)).unwrap();
            (event, serde_json::from_str::<Value>(&payload).unwrap())
        };
        for over in [true, false, true, false] {
            assert_eq!(next(), (drops::DRAG, json!({ "over": over })), "once per change");
        }
        let (event, told) = next();
        assert_eq!((event, &told["files"][0]["name"]), (drops::DROPPED, &json!("rows.csv")));
        assert_eq!(told["files"][0]["bytes"], json!(21));
        let folder = window.data.path().to_string_lossy().into_owned();
        assert!(!told.to_string().contains(&folder), "no path crosses: {told}");

        let start = json!({ "source": { "kind": "dropped", "handle": told["files"][0]["handle"] } });
        let review = window.invoke("call", json!({ "op": "review_start", "request": start })).unwrap();
        assert_eq!(review["name"], "rows.csv", "{review}");
    }
}
