//! Putting the parts together and running them.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use bordereau_desk::api::BoundaryError;
use bordereau_desk::{
    Desk, DeskConfig, KeyFileSecrets, KeyFileUse, KeychainSecrets, Ports, SecretStore, SystemClock,
    policy_path, read_policy,
};
use bordereau_host::{DataFolder, InProcessPractice, find_key_file};
use tauri::{App, AppHandle, Builder, Context, Manager, RunEvent, Runtime};
use tauri_plugin_window_state::StateFlags;

use crate::desk_slot::DeskSlot;
use crate::drops::DragState;
use crate::open_request::{self, PendingOpens};
use crate::options::{self, RequestedStart, WindowOptions};
use crate::ports::{NativeDialogs, SystemBrowser};
use crate::window::FirstPaint;
use crate::window_close::ClosingState;
use crate::{
    drops, graphics, lock_signals, log_file, notices, operations, system_sign_in, window, window_close,
};

/// Why the window could not be opened, and where more is written.
#[derive(Debug)]
pub struct StartFailure {
    reason: String,
    /// `None` before there is a log.
    logs: Option<PathBuf>,
}

impl std::fmt::Display for StartFailure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Bordereau cannot start: {}", self.reason)?;
        self.logs.as_ref().map_or(Ok(()), |logs| write!(f, "\nThe log is in {}.", logs.display()))
    }
}

impl std::error::Error for StartFailure {}

/// Opens the window and returns when it is closed.
///
/// # Errors
/// When there is no data folder, no display or no webview.
pub fn run_window(options: WindowOptions) -> Result<(), StartFailure> {
    graphics::prepare_graphics(options.safe_graphics);
    let find_folder = || -> Result<DataFolder, Box<dyn std::error::Error>> {
        let data = DataFolder::find(options.data_dir.clone())?;
        data.create_folder()?;
        Ok(data)
    };
    let data = find_folder().map_err(|error| StartFailure { reason: error.to_string(), logs: None })?;
    let logs = data.join("logs");
    log_file::begin_log(&logs);
    if let Some(sentence) = bordereau_desk::folder_exposure(data.path()) {
        tracing::warn!("{sentence}");
    }
    tracing::info!(version = env!("CARGO_PKG_VERSION"), "starting");
    open_window(options, data).map_err(|error| {
        tracing::error!(%error, "the window could not be opened");
        StartFailure { reason: error.to_string(), logs: Some(logs) }
    })
}

fn open_window(options: WindowOptions, data: DataFolder) -> tauri::Result<()> {
    let practice = Arc::new(InProcessPractice::new(Some(data.join("practice"))));
    let stopped_with_the_window = Arc::clone(&practice);
    let app = with_plugins(configure_builder(Builder::default()), &data)
        .setup(move |app| Ok(set_up(app, &data, practice)?))
        .build(tauri_context())?;
    open_request::open_requested(app.handle(), options.open);
    app.run(move |_app, event| match event {
        RunEvent::Exit => {
            stopped_with_the_window.stop();
            tracing::info!("closed");
        }
        // Files and links come to the running program there, and so do those it was started with.
        #[cfg(target_os = "macos")]
        RunEvent::Opened { urls } => {
            let mut request = open_request::OpenRequest::default();
            for url in urls {
                if !request.add_argument(url.as_str().as_ref(), Path::new("/")) {
                    tracing::warn!("something that is neither a file nor a link was to be opened");
                }
            }
            window::come_forward(_app);
            open_request::open_requested(_app, request);
        }
        _ => {}
    });
    Ok(())
}

/// What every runtime has, the mock runtime of the tests included.
pub(crate) fn configure_builder<R: Runtime>(builder: Builder<R>) -> Builder<R> {
    builder
        .manage(FirstPaint::start_waiting())
        .manage(DragState::default())
        .manage(PendingOpens::default())
        .manage(ClosingState::default())
        .on_window_event(drops::on_window_event)
        .on_window_event(window_close::on_window_event)
        .invoke_handler(tauri::generate_handler![operations::call, operations::ui_ready])
}

/// The UI, the capabilities and the content security policy, as built in.
pub(crate) fn tauri_context<R: Runtime>() -> Context<R> {
    tauri::generate_context!()
}

fn with_plugins<R: Runtime>(builder: Builder<R>, data: &DataFolder) -> Builder<R> {
    let single = tauri_plugin_single_instance::Builder::new()
        .callback(|app: &AppHandle<R>, arguments, folder| take_second_start(app, arguments, &folder))
        .dbus_id(instance_name(data));
    // Not VISIBLE: it would show the window before its page is painted.
    let kept = tauri_plugin_window_state::Builder::new()
        .with_state_flags(StateFlags::SIZE | StateFlags::POSITION | StateFlags::MAXIMIZED)
        .with_filename(data.join(window::KEPT_FILE).to_string_lossy());
    // First: a second start must end before it does anything else.
    let builder = builder.plugin(single.build()).plugin(kept.build());
    #[cfg(target_os = "macos")]
    let builder = builder.menu(crate::menu::build);
    builder
}

/// A second start ends at once: what it was given is opened here.
fn take_second_start<R: Runtime>(app: &AppHandle<R>, arguments: Vec<String>, folder: &str) {
    window::come_forward(app);
    // The first word is the program.
    match options::read_arguments(arguments.into_iter().skip(1).map(Into::into), Path::new(folder)) {
        Ok(RequestedStart::Window(options)) => open_request::open_requested(app, options.open),
        Ok(RequestedStart::Text(_)) => {}
        Err(error) => tracing::warn!(%error, "a second start was not understood"),
    }
}

/// One window per data folder: whoever keeps two folders apart may have both open. (Windows and macOS
/// know one window per person.)
fn instance_name(data: &DataFolder) -> String {
    let path = data.path().as_os_str().as_encoded_bytes();
    // FNV-1a: stable between versions, which the standard hasher is not.
    let hash = path.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("app.bordereau.desk.Data{hash:016x}")
}

fn set_up<R: Runtime>(
    app: &mut App<R>,
    data: &DataFolder,
    practice: Arc<InProcessPractice>,
) -> tauri::Result<()> {
    let ports = Ports {
        clock: Arc::new(SystemClock),
        secrets: Arc::new(KeychainSecrets::new(data.path())),
        practice,
        dialogs: Arc::new(NativeDialogs(app.handle().clone())),
        browser: Arc::new(SystemBrowser {
            logs: data.join("logs"),
            close: close_after_install(app.handle()),
        }),
        policy: Arc::new(read_policy(&policy_path())),
        sign_in: system_sign_in::system_sign_in(),
    };
    let data_dir = data.path().to_owned();
    let slot = DeskSlot::new(Arc::clone(&ports.dialogs), move |chosen| open_desk(&data_dir, &ports, chosen));
    app.manage(slot.clone());
    lock_signals::lock_with_system(slot.clone());
    tauri::async_runtime::spawn(notices::watch_notices(slot, app.config().identifier.clone()));
    exit_on_sigterm(app.handle().clone());
    window::create_window(app.handle(), data)
}

/// Nothing is being sent then: nobody is asked.
fn close_after_install<R: Runtime>(app: &AppHandle<R>) -> Arc<dyn Fn() + Send + Sync> {
    let app = app.clone();
    Arc::new(move || app.exit(0))
}

/// Opens the desk; with the key in the file that the person chose, which the keychain keeps from then on, or else in
/// the one that the environment names.
fn open_desk(data_dir: &Path, ports: &Ports, chosen: Option<PathBuf>) -> Result<Desk, BoundaryError> {
    let mut ports = ports.clone();
    let usage = if chosen.is_some() { KeyFileUse::Chosen } else { KeyFileUse::Unattended };
    let mut brought = None;
    if let Some(file) = chosen.or_else(|| find_key_file(None)) {
        let secrets = Arc::new(KeyFileSecrets::open(Arc::clone(&ports.secrets), &file, usage)?);
        ports.secrets = Arc::clone(&secrets) as Arc<dyn SecretStore>;
        brought = Some(secrets);
    }
    let desk = Desk::open_for_window(DeskConfig { data_dir: data_dir.to_owned(), ports })?;
    if let Some(secrets) = brought.filter(|_| usage == KeyFileUse::Chosen)
        && let Err(error) = secrets.remember_key()
    {
        tracing::warn!(%error, "the keychain does not keep the key of the data folder");
    }
    Ok(desk)
}

/// A session that ends asks with SIGTERM: the window's place is kept and the practice service stopped.
#[cfg(unix)]
fn exit_on_sigterm<R: Runtime>(app: AppHandle<R>) {
    use tokio::signal::unix::{SignalKind, signal};
    tauri::async_runtime::spawn(async move {
        let (terminate, interrupt) = (signal(SignalKind::terminate()), signal(SignalKind::interrupt()));
        if let (Ok(mut terminate), Ok(mut interrupt)) = (terminate, interrupt) {
            tokio::select! { _ = terminate.recv() => {}, _ = interrupt.recv() => {} }
            app.exit(0);
        }
    });
}

#[cfg(not(unix))]
fn exit_on_sigterm<R: Runtime>(_app: AppHandle<R>) {}
