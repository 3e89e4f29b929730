//! An icon in the system's tray, there while the window is hidden: it brings the window back.

use tauri::{Runtime, Window};

use crate::window_close::bring_back;

const TOOLTIP: &str = "Bordereau is still sending";
const OPEN: &str = "Open Bordereau";

/// The icon of a desktop with a tray, gone when this is dropped: Linux, where not each desktop has one.
#[cfg(target_os = "linux")]
pub(crate) struct TrayIcon<R: Runtime>(ksni::Handle<SendingItem<R>>);

#[cfg(target_os = "linux")]
impl<R: Runtime> TrayIcon<R> {
    /// `None` where the desktop has no tray.
    pub(crate) async fn show(window: &Window<R>) -> Option<TrayIcon<R>> {
        use ksni::TrayMethods;

        match (SendingItem { window: window.clone() }).spawn().await {
            Ok(handle) => Some(TrayIcon(handle)),
            Err(error) => {
                tracing::info!(%error, "no tray");
                None
            }
        }
    }
}

#[cfg(target_os = "linux")]
impl<R: Runtime> Drop for TrayIcon<R> {
    fn drop(&mut self) {
        // It goes once nobody holds it; nothing waits for that.
        drop(self.0.shutdown());
    }
}

/// What the desktop asks for on the session bus.
#[cfg(target_os = "linux")]
pub(crate) struct SendingItem<R: Runtime> {
    window: Window<R>,
}

#[cfg(target_os = "linux")]
impl<R: Runtime> ksni::Tray for SendingItem<R> {
    fn id(&self) -> String {
        "bordereau-desktop".into()
    }

    fn title(&self) -> String {
        TOOLTIP.into()
    }

    fn tool_tip(&self) -> ksni::ToolTip {
        ksni::ToolTip { title: TOOLTIP.into(), ..ksni::ToolTip::default() }
    }

    /// As pixels: a program that was not installed has no icon by name.
    fn icon_pixmap(&self) -> Vec<ksni::Icon> {
        use tauri::Manager;

        let icon = self.window.app_handle().default_window_icon();
        let side = |length: u32| i32::try_from(length).unwrap_or(i32::MAX);
        let pixels = |rgba: &[u8]| -> Vec<u8> {
            rgba.chunks_exact(4).flat_map(|pixel| [pixel[3], pixel[0], pixel[1], pixel[2]]).collect()
        };
        let item = |icon: &tauri::image::Image<'_>| ksni::Icon {
            width: side(icon.width()),
            height: side(icon.height()),
            data: pixels(icon.rgba()),
        };
        icon.map(item).into_iter().collect()
    }

    fn activate(&mut self, _x: i32, _y: i32) {
        bring_back(&self.window);
    }

    fn menu(&self) -> Vec<ksni::MenuItem<Self>> {
        let open = |item: &mut Self| bring_back(&item.window);
        vec![
            ksni::menu::StandardItem { label: OPEN.into(), activate: Box::new(open), ..Default::default() }
                .into(),
        ]
    }

    /// A tray that went away leaves no hidden window behind.
    fn watcher_offline(&self, _reason: ksni::OfflineReason) -> bool {
        bring_back(&self.window);
        true
    }
}

/// The icon in the tray of Windows or the menu bar of macOS, gone when this is dropped.
#[cfg(not(target_os = "linux"))]
pub(crate) struct TrayIcon<R: Runtime>(tauri::tray::TrayIcon<R>);

#[cfg(not(target_os = "linux"))]
impl<R: Runtime> TrayIcon<R> {
    /// `None` where the system refuses it.
    pub(crate) async fn show(window: &Window<R>) -> Option<TrayIcon<R>> {
        let built = build_icon(window);
        built.inspect_err(|error| tracing::warn!(%error, "no tray")).ok().map(TrayIcon)
    }
}

#[cfg(not(target_os = "linux"))]
fn build_icon<R: Runtime>(window: &Window<R>) -> tauri::Result<tauri::tray::TrayIcon<R>> {
    use tauri::Manager;
    use tauri::menu::MenuBuilder;
    use tauri::tray::{TrayIconBuilder, TrayIconEvent};

    let menu = MenuBuilder::new(window).text("open", OPEN).build()?;
    let mut builder = TrayIconBuilder::new().tooltip(TOOLTIP).menu(&menu).show_menu_on_left_click(false);
    if let Some(icon) = window.app_handle().default_window_icon() {
        builder = builder.icon(icon.clone());
    }
    let (by_menu, by_click) = (window.clone(), window.clone());
    builder
        .on_menu_event(move |_, _| bring_back(&by_menu))
        .on_tray_icon_event(move |_, event| {
            if matches!(event, TrayIconEvent::Click { .. }) {
                bring_back(&by_click);
            }
        })
        .build(window.app_handle())
}

#[cfg(not(target_os = "linux"))]
impl<R: Runtime> Drop for TrayIcon<R> {
    fn drop(&mut self) {
        self.0.app_handle().remove_tray_by_id(self.0.id());
    }
}
