//! The one window: created hidden, shown when its page is painted, put where it was.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use bordereau_host::DataFolder;
use tauri::webview::NewWindowResponse;
use tauri::window::Color;
use tauri::{
    AppHandle, LogicalSize, Manager, PhysicalPosition, PhysicalSize, Runtime, State, Theme, Url, WebviewUrl,
    WebviewWindow, WebviewWindowBuilder,
};

use crate::graphics;
use crate::placement::{PixelArea, onto_a_monitor};
use crate::window_close::bring_back;

/// The window's label, which the capability names.
pub(crate) const LABEL: &str = "main";

/// Its size where nothing was kept, if the monitor is large enough.
const FIRST_SIZE: (u32, u32) = (1360, 860);

/// What it is called until its page says what it shows.
const NAME: &str = "Bordereau";

/// Characters of a name: a batch may be called anything.
const TITLE_CHARS_MAX: usize = 200;

/// Where its size and place are kept, in the data folder.
pub(crate) const KEPT_FILE: &str = "window.json";

/// Shown at the latest after this, painted or not: a window that never comes is worse than a flash.
/// (macOS may suspend a hidden page before it reports.)
const SHOW_AT_THE_LATEST: Duration = Duration::from_secs(3);
/// A page that has not painted by then will not.
const BLANK_AFTER: Duration = Duration::from_secs(15);

/// The paper of the light and of the dark theme (`ui/src` tokens), so that nothing else is seen before.
const PAPER_LIGHT: Color = Color(0xf6, 0xf7, 0xf4, 0xff);
const PAPER_DARK: Color = Color(0x15, 0x1a, 0x17, 0xff);

/// Where the page comes from while it is developed (`tauri.conf.json`).
const VITE_PORT: u16 = 1420;

/// The browser's own menu and its keys for loading a page again would lose what is not saved. Where text is typed or
/// selected the menu stays: it has copy and paste.
const NO_BROWSER_KEYS: &str = r"
addEventListener('contextmenu', (event) => {
  const typed = event.target instanceof Element && event.target.closest('input, textarea, [contenteditable]');
  if (!typed && String(getSelection()) === '') event.preventDefault();
});
addEventListener('keydown', (event) => {
  const reload = event.key === 'F5' || event.key === 'BrowserRefresh';
  if (reload || ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'r')) event.preventDefault();
}, true);
";

/// How far the page is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum PaintStage {
    /// Its frame is shown: there is something to see.
    Frame,
    /// The first view is there: there is something to type into.
    View,
    /// It listens to drops and links: what the program was started with can be opened.
    Opens,
}

/// Whether and when the page was painted.
pub(crate) struct FirstPaint {
    started: Instant,
    painted: AtomicBool,
}

impl FirstPaint {
    pub(crate) fn start_waiting() -> FirstPaint {
        FirstPaint { started: Instant::now(), painted: AtomicBool::new(false) }
    }

    /// Whether this is the page's first word.
    pub(crate) fn report_stage(&self, stage: PaintStage) -> bool {
        let after_ms = u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX);
        tracing::info!(after_ms, ?stage, "the page is there");
        !self.painted.swap(true, Ordering::SeqCst)
    }

    fn is_reported(&self) -> bool {
        self.painted.load(Ordering::SeqCst)
    }
}

/// Creates the window, hidden. The window-state plugin puts it where it was, as kept in the file.
pub(crate) fn create_window<R: Runtime>(app: &AppHandle<R>, data: &DataFolder) -> tauri::Result<()> {
    let window = WebviewWindowBuilder::new(app, LABEL, WebviewUrl::default())
        .title(NAME)
        .inner_size(FIRST_SIZE.0.into(), FIRST_SIZE.1.into())
        .min_inner_size(900.0, 600.0)
        .center()
        .visible(false)
        .background_color(PAPER_LIGHT)
        .data_directory(data.join("webview"))
        // Whatever script ran in the page: it stays the page, and opens no other.
        .on_navigation(is_own_page)
        .on_new_window(|url, _| {
            tracing::warn!(scheme = url.scheme(), "a new window was refused");
            NewWindowResponse::Deny
        })
        .devtools(cfg!(debug_assertions))
        .initialization_script(if cfg!(debug_assertions) { "" } else { NO_BROWSER_KEYS })
        // The page names the view and what is open in it; task bars and screen readers read the window's name.
        .on_document_title_changed(|window, title| log_failure("title", window.set_title(&name_of(&title))))
        .build()?;
    if window.theme().is_ok_and(|theme| theme == Theme::Dark) {
        log_failure("background", window.set_background_color(Some(PAPER_DARK)));
    }
    log_failure("placement", keep_on_screen(&window, &data.join(KEPT_FILE)));
    watch_first_paint(window);
    Ok(())
}

/// Whether an address is the application's own page, as each system's webview writes it.
fn is_own_page(url: &Url) -> bool {
    let own = match (url.scheme(), url.host_str()) {
        ("tauri", Some("localhost")) | ("http" | "https", Some("tauri.localhost")) => url.port().is_none(),
        ("http", Some("localhost")) => cfg!(debug_assertions) && url.port() == Some(VITE_PORT),
        _ => false,
    };
    if !own {
        tracing::warn!(scheme = url.scheme(), "a way to another page was refused");
    }
    own
}

/// The window's name from the page's: one line of bounded length, never empty.
fn name_of(title: &str) -> String {
    let line: String =
        title.chars().map(|c| if c.is_control() { ' ' } else { c }).take(TITLE_CHARS_MAX).collect();
    let line = line.trim();
    if line.is_empty() { NAME.to_owned() } else { line.to_owned() }
}

/// Shows the window and brings it to the front.
pub(crate) fn show_window<R: Runtime>(window: &WebviewWindow<R>) {
    log_failure("show", window.show());
    log_failure("focus", window.set_focus());
}

/// A second start of the program: the first one's window comes to the front.
pub(crate) fn come_forward<R: Runtime>(app: &AppHandle<R>) {
    if let Some(window) = app.get_webview_window(LABEL) {
        bring_back(&window.as_ref().window());
    }
}

/// A place that was kept on a monitor that is gone or smaller now is corrected, and so is the first size on a small
/// monitor. It is read from the file, because GTK does not know the size of a window that was never shown.
fn keep_on_screen<R: Runtime>(window: &WebviewWindow<R>, kept: &Path) -> tauri::Result<()> {
    let monitors: Vec<PixelArea> =
        window.available_monitors()?.iter().map(|m| window_area(*m.position(), *m.size())).collect();
    let kept = std::fs::read(kept).ok().and_then(|bytes| saved_area(&bytes));
    let first = || {
        let scale = window.scale_factor().unwrap_or(1.0);
        window_area(PhysicalPosition::default(), LogicalSize::<u32>::from(FIRST_SIZE).to_physical(scale))
    };
    let wanted = kept.unwrap_or_else(first);
    if let Some(place) = onto_a_monitor(wanted, &monitors) {
        tracing::info!(?wanted, ?place, "the window was out of reach");
        window.set_size(PhysicalSize::new(place.width, place.height))?;
        window.set_position(PhysicalPosition::new(place.x, place.y))?;
    }
    Ok(())
}

/// The window's place as the window-state plugin writes it.
fn saved_area(file: &[u8]) -> Option<PixelArea> {
    let kept: serde_json::Value = serde_json::from_slice(file).ok()?;
    let number = |name: &str| kept[LABEL][name].as_i64();
    Some(PixelArea {
        x: i32::try_from(number("x")?).ok()?,
        y: i32::try_from(number("y")?).ok()?,
        width: u32::try_from(number("width")?).ok().filter(|width| *width > 0)?,
        height: u32::try_from(number("height")?).ok().filter(|height| *height > 0)?,
    })
}

fn window_area(position: PhysicalPosition<i32>, size: PhysicalSize<u32>) -> PixelArea {
    PixelArea { x: position.x, y: position.y, width: size.width, height: size.height }
}

/// Shows the window when the page does not report, and says what to do when it stays blank.
fn watch_first_paint<R: Runtime>(window: WebviewWindow<R>) {
    tauri::async_runtime::spawn(async move {
        let painted = |window: &WebviewWindow<R>| {
            let first_paint: State<'_, FirstPaint> = window.state();
            first_paint.is_reported()
        };
        tokio::time::sleep(SHOW_AT_THE_LATEST).await;
        if !painted(&window) {
            tracing::warn!("the page has not painted yet; showing the window anyway");
            show_window(&window);
        }
        tokio::time::sleep(BLANK_AFTER.saturating_sub(SHOW_AT_THE_LATEST)).await;
        if !painted(&window) && graphics::is_guarded() {
            tracing::error!("the page did not paint");
            offer_safe_graphics(&window).await;
        }
    });
}

async fn offer_safe_graphics<R: Runtime>(window: &WebviewWindow<R>) {
    let (send, answered) = tokio::sync::oneshot::channel();
    let asked = window.run_on_main_thread(move || {
        let answer = rfd::AsyncMessageDialog::new()
            .set_level(rfd::MessageLevel::Warning)
            .set_title("Bordereau")
            .set_description(
                "The window stays blank. This is usually the graphics driver.\n\nStart again without \
                 hardware acceleration? From a terminal: bordereau-desktop --safe-graphics",
            )
            .set_buttons(rfd::MessageButtons::OkCancelCustom("Start again".into(), "Wait".into()))
            .show();
        tauri::async_runtime::spawn(async move { drop(send.send(answer.await)) });
    });
    log_failure("message", asked);
    let again = answered.await.is_ok_and(|answer| match answer {
        rfd::MessageDialogResult::Ok => true,
        rfd::MessageDialogResult::Custom(text) => text == "Start again",
        _ => false,
    });
    if again {
        // Lets go of the single-instance name first, else the new start would only come to this one.
        window.app_handle().cleanup_before_exit();
        let error = graphics::restart_safely();
        tracing::error!(%error, "cannot start again");
    }
}

fn log_failure(what: &'static str, result: tauri::Result<()>) {
    if let Err(error) = result {
        tracing::warn!(what, %error, "the window did not obey");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_window_stays_on_its_page() {
        for (url, expected) in [
            ("tauri://localhost/", true),
            ("tauri://localhost/index.html#/events", true),
            ("http://tauri.localhost/", true),
            ("https://evil.example/?everything", false),
            ("https://tauri.localhost.evil.example/", false),
            ("http://tauri.localhost:8080/", false),
            ("tauri://evil.example/", false),
            ("http://localhost/", false),
            ("http://localhost:8080/", false),
            ("file:///etc/passwd", false),
            ("data:text/html,false page", false),
            ("javascript:alert(1)", false),
            ("about:blank", false),
        ] {
            assert_eq!(is_own_page(&url.parse().unwrap()), expected, "{url}");
        }
    }

    #[test]
    fn the_window_is_called_what_its_page_is() {
        for (title, name) in [
            ("week.csv - Bordereau", "week.csv - Bordereau"),
            (" two\nlines\u{7} ", "two lines"),
            ("  ", "Bordereau"),
        ] {
            assert_eq!(name_of(title), name);
        }
        assert_eq!(name_of(&"x".repeat(1_000)).len(), TITLE_CHARS_MAX);
    }

    #[test]
    fn a_kept_place_is_read_and_nonsense_is_not() {
        let kept = |text: &str| saved_area(text.as_bytes());
        let whole = r#"{"main":{"x":-5,"y":20,"width":1360,"height":860,"maximized":false}}"#;
        assert_eq!(kept(whole), Some(PixelArea { x: -5, y: 20, width: 1360, height: 860 }));
        for nonsense in ["", "{}", r#"{"main":{"x":0,"y":0,"width":0,"height":5}}"#, r#"{"main":{"x":1e99}}"#]
        {
            assert_eq!(kept(nonsense), None, "{nonsense}");
        }
    }
}
