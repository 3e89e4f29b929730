//! A window that is closed while something is being sent says what, and can stay in the tray until it is
//! sent, or minimized where the system has no tray.

use std::time::Duration;

use bordereau_desk::Desk;
use bordereau_desk::api::{BatchState, BatchView, BoundaryError, Nothing};
use parking_lot::Mutex;
use tauri::{Manager, Runtime, Window, WindowEvent};

use crate::desk_slot::DeskSlot;
use crate::tray::TrayIcon;

/// How often a window that stays looks whether all is sent.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// A store that doesn't answer keeps no window open.
const ANSWER_WITHIN: Duration = Duration::from_secs(3);

const STAY: &str = "Stay until sent";
const CLOSE: &str = "Close now";
const BACK: &str = "Back";

/// How far the closing of the window is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum ClosingStage {
    /// Nobody closed it.
    #[default]
    Open,
    /// The person is asked.
    Asking,
    /// It is minimized, and closes by itself once all is sent.
    Minimized,
    /// The same, hidden behind its icon in the tray.
    InTray,
}

/// The stage of the one window.
#[derive(Default)]
pub(crate) struct ClosingState(Mutex<ClosingStage>);

impl ClosingState {
    /// Sets the stage and returns the one before.
    fn replace(&self, stage: ClosingStage) -> ClosingStage {
        let mut current = self.0.lock();
        std::mem::replace(&mut current, stage)
    }

    fn stage(&self) -> ClosingStage {
        *self.0.lock()
    }
}

/// Listens to the window.
pub(crate) fn on_window_event<R: Runtime>(window: &Window<R>, event: &WindowEvent) {
    let state = window.state::<ClosingState>();
    match event {
        WindowEvent::CloseRequested { api, .. } => {
            api.prevent_close();
            if state.replace(ClosingStage::Asking) != ClosingStage::Asking {
                tauri::async_runtime::spawn(ask_and_close(window.clone()));
            }
        }
        // The person is back: the window is no longer on its own. From the tray its icon brings it back.
        WindowEvent::Focused(true) if state.stage() == ClosingStage::Minimized => {
            state.replace(ClosingStage::Open);
        }
        _ => {}
    }
}

async fn ask_and_close<R: Runtime>(window: Window<R>) {
    let Some(text) = unsent_text(&window).await else { return destroy_window(&window) };
    match ask_person(&window, text).await.as_deref() {
        Some(STAY) => stay_until_sent(&window).await,
        Some(CLOSE) => destroy_window(&window),
        _ => {
            window.state::<ClosingState>().replace(ClosingStage::Open);
        }
    }
}

/// Brings a window back that stays in the tray: it is no longer on its own.
pub(crate) fn bring_back<R: Runtime>(window: &Window<R>) {
    window.state::<ClosingState>().replace(ClosingStage::Open);
    let shown = window.show().and_then(|()| window.unminimize()).and_then(|()| window.set_focus());
    if let Err(error) = shown {
        tracing::warn!(%error, "the window could not be brought back");
    }
}

/// Hidden behind an icon in the tray; minimized where there is none.
async fn stay_until_sent<R: Runtime>(window: &Window<R>) {
    let state = window.state::<ClosingState>();
    state.replace(ClosingStage::InTray);
    let icon = TrayIcon::show(window).await;
    let (stage, put_away) = match icon {
        Some(_) => (ClosingStage::InTray, window.hide()),
        None => {
            state.replace(ClosingStage::Minimized);
            (ClosingStage::Minimized, window.minimize())
        }
    };
    if let Err(error) = put_away {
        tracing::warn!(%error, "the window could not be put away");
    }
    while state.stage() == stage {
        if unsent_text(window).await.is_none() {
            return destroy_window(window);
        }
        tokio::time::sleep(LOOK_EVERY).await;
    }
}

fn destroy_window<R: Runtime>(window: &Window<R>) {
    if let Err(error) = window.destroy() {
        tracing::error!(%error, "the window could not be closed");
    }
}

/// What is still being sent, as a sentence; none where nothing is or where the store doesn't say.
async fn unsent_text<R: Runtime>(window: &Window<R>) -> Option<String> {
    let slot = window.state::<DeskSlot>().inner().clone();
    let look = async { describe_unsent(slot.desk().await?).await };
    match tokio::time::timeout(ANSWER_WITHIN, look).await {
        Ok(Ok(text)) => text,
        Ok(Err(error)) => {
            tracing::warn!("what is being sent is not known: {}", error.message);
            None
        }
        Err(_) => None,
    }
}

async fn describe_unsent(desk: &Desk) -> Result<Option<String>, BoundaryError> {
    let batches = desk.batch_list(Nothing {}).await?.batches;
    let uploads = desk.documents_queue(Nothing {}).await?.open;
    Ok(unsent_sentence(&batches, uploads))
}

/// Batches that are at the service are processed there whether the window is open or not.
fn unsent_sentence(batches: &[BatchView], uploads: u32) -> Option<String> {
    let is_unsent = |batch: &&BatchView| match batch.state {
        BatchState::Queued | BatchState::Sending => true,
        BatchState::Unknown => batch.goes_on,
        _ => false,
    };
    let mut parts: Vec<String> = batches
        .iter()
        .filter(is_unsent)
        .map(|batch| {
            let counts = batch.counts;
            format!("{} ({} of {} answered)", batch.name, counts.total - counts.pending, counts.total)
        })
        .collect();
    match uploads {
        0 => {}
        1 => parts.push("1 document".to_owned()),
        many => parts.push(format!("{many} documents")),
    }
    (!parts.is_empty()).then(|| parts.join("\n"))
}

async fn ask_person<R: Runtime>(window: &Window<R>, text: String) -> Option<String> {
    let (send, answered) = tokio::sync::oneshot::channel();
    let parent = window.clone();
    let asked = window.run_on_main_thread(move || {
        let answer = rfd::AsyncMessageDialog::new()
            .set_parent(&parent)
            .set_level(rfd::MessageLevel::Warning)
            .set_title("Still sending")
            .set_description(format!(
                "Still being sent:\n\n{text}\n\nBordereau can stay in the tray (minimized where there is no tray) and close \
                 when it is sent. If you close now, the rest is sent the next time Bordereau is open."
            ))
            .set_buttons(rfd::MessageButtons::YesNoCancelCustom(STAY.into(), CLOSE.into(), BACK.into()))
            .show();
        tauri::async_runtime::spawn(async move { drop(send.send(answer.await)) });
    });
    if let Err(error) = asked {
        tracing::error!(%error, "no dialog");
        return Some(CLOSE.to_owned());
    }
    Some(match answered.await.ok()? {
        rfd::MessageDialogResult::Yes => STAY.to_owned(),
        rfd::MessageDialogResult::No => CLOSE.to_owned(),
        rfd::MessageDialogResult::Custom(text) => text,
        _ => BACK.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notices::tests::batch;

    #[test]
    fn a_window_that_closes_says_what_is_still_being_sent() {
        use BatchState::{Accepted, Processed, Processing, Queued, Sending};
        let sentence = |batches: &[BatchView], uploads| unsent_sentence(batches, uploads);
        assert_eq!(sentence(&[batch("1", Processed), batch("2", Processing), batch("3", Accepted)], 0), None);
        assert_eq!(sentence(&[], 0), None);
        assert_eq!(
            sentence(&[batch("1", Sending), batch("2", Queued)], 2).as_deref(),
            Some("may.csv (10 of 10 answered)\nmay.csv (10 of 10 answered)\n2 documents")
        );
        assert_eq!(sentence(&[], 1).as_deref(), Some("1 document"));
    }
}
