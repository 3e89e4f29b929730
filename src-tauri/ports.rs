//! The desk's ports in a window: native file dialogs and the system's browser.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, mpsc};
use std::time::Duration;

use bordereau_desk::{BoxFuture, Browser, EmailDraft, FileDialogs, FileFilter};
use rfd::{AsyncFileDialog, FileHandle};
use tauri::{AppHandle, Manager, Runtime};

use crate::{package_installer, window};

/// The system's openers say within this time that they found no program; one that is still running has opened something.
const REFUSAL_TIME: Duration = Duration::from_secs(2);
/// So long the person sees that it is installed.
const ANSWER_SHOWN: Duration = Duration::from_secs(2);

/// Native dialogs over the window.
pub(crate) struct NativeDialogs<R: Runtime>(pub(crate) AppHandle<R>);

impl<R: Runtime> NativeDialogs<R> {
    /// Dialogs are made on the thread that draws, and waited for elsewhere.
    async fn choose_path<F>(&self, ask: impl FnOnce(AsyncFileDialog) -> F + Send + 'static) -> Option<PathBuf>
    where
        F: Future<Output = Option<FileHandle>> + Send + 'static,
    {
        self.run_dialog(ask).await.map(|file| file.path().to_owned())
    }

    async fn run_dialog<F, T>(&self, ask: impl FnOnce(AsyncFileDialog) -> F + Send + 'static) -> Option<T>
    where
        F: Future<Output = Option<T>> + Send + 'static,
        T: Send + 'static,
    {
        let (send, answered) = tokio::sync::oneshot::channel();
        let parent = self.0.get_webview_window(window::LABEL);
        let asked = self.0.run_on_main_thread(move || {
            let dialog = AsyncFileDialog::new();
            let answer = ask(match &parent {
                Some(parent) => dialog.set_parent(parent),
                None => dialog,
            });
            tauri::async_runtime::spawn(async move { drop(send.send(answer.await)) });
        });
        if let Err(error) = asked {
            tracing::error!(%error, "no file dialog");
            return None;
        }
        answered.await.ok().flatten()
    }
}

impl<R: Runtime> FileDialogs for NativeDialogs<R> {
    fn choose_save_path(&self, suggested_name: String, filter: FileFilter) -> BoxFuture<'_, Option<PathBuf>> {
        Box::pin(async move {
            let extensions = filter.extensions.clone();
            let chosen = self
                .choose_path(move |dialog| {
                    dialog
                        .set_file_name(suggested_name)
                        .add_filter(filter.name, &filter.extensions)
                        .save_file()
                })
                .await?;
            Some(with_extension(chosen, &extensions))
        })
    }

    fn open(&self, title: String, filter: FileFilter) -> BoxFuture<'_, Option<PathBuf>> {
        Box::pin(self.choose_path(move |dialog| {
            dialog
                .set_title(title)
                .add_filter(filter.name, &filter.extensions)
                .add_filter("All files", &["*"])
                .pick_file()
        }))
    }

    fn open_many(&self, title: String, filter: FileFilter) -> BoxFuture<'_, Vec<PathBuf>> {
        Box::pin(async move {
            let files = self
                .run_dialog(move |dialog| {
                    dialog
                        .set_title(title)
                        .add_filter(filter.name, &filter.extensions)
                        .add_filter("All files", &["*"])
                        .pick_files()
                })
                .await;
            files.unwrap_or_default().iter().map(|file| file.path().to_owned()).collect()
        })
    }

    fn open_folder(&self, title: String) -> BoxFuture<'_, Option<PathBuf>> {
        Box::pin(self.choose_path(move |dialog| dialog.set_title(title).pick_folder()))
    }
}

/// GTK adds no extension by itself. One is added only where it hits no file: that would be overwritten
/// without the dialog having asked.
fn with_extension(chosen: PathBuf, extensions: &[String]) -> PathBuf {
    match extensions.first() {
        Some(extension) if chosen.extension().is_none() => {
            let named = chosen.with_extension(extension);
            if named.exists() { chosen } else { named }
        }
        _ => chosen,
    }
}

/// The system's own way to open an address; nothing passes a command interpreter.
pub(crate) struct SystemBrowser {
    /// The folder of the logs.
    pub(crate) logs: PathBuf,
    /// Closes the window, so that what was installed can take its place.
    pub(crate) close: Arc<dyn Fn() + Send + Sync>,
}

impl Browser for SystemBrowser {
    fn package_kind(&self) -> String {
        package_installer::package_kind()
    }

    fn install_package(&self, package: &Path) -> BoxFuture<'_, Result<(), String>> {
        let package = package.to_owned();
        Box::pin(async move {
            let installed =
                tauri::async_runtime::spawn_blocking(move || package_installer::install_package(&package));
            installed.await.map_err(|error| error.to_string())??;
            let close = Arc::clone(&self.close);
            tauri::async_runtime::spawn(async move {
                tokio::time::sleep(ANSWER_SHOWN).await;
                close();
            });
            Ok(())
        })
    }

    fn open(&self, url: &str) -> Result<(), String> {
        if !url.starts_with("https://") {
            return Err("Only https addresses are opened.".into());
        }
        hand_over(url.as_ref())
            .map_err(|(program, error)| format!("No browser could be started ({program}: {error})."))
    }

    fn compose_email(&self, email: &EmailDraft) -> Result<bool, String> {
        if cfg!(target_os = "linux") && attach_email(email).is_ok() {
            return Ok(true);
        }
        hand_over(mail_address(email).as_ref())
            .map(|()| false)
            .map_err(|(program, error)| format!("No mail program could be started ({program}: {error})."))
    }

    fn open_logs(&self) -> Result<(), String> {
        hand_over(self.logs.as_os_str()).map_err(|(program, error)| {
            format!("The folder of the logs cannot be opened ({program}: {error}).")
        })
    }

    fn open_file(&self, path: &Path) -> Result<(), String> {
        // The path is absolute: it is never read as an option, nor looked for elsewhere.
        if !path.is_absolute() || !path.is_file() {
            return Err("The document is no longer there.".into());
        }
        hand_over(path.as_os_str())
            .map_err(|(program, error)| format!("No program could be started for it ({program}: {error})."))
    }
}

/// The desktop's own command, which knows how the mail program is given a file.
fn attach_email(email: &EmailDraft) -> std::io::Result<()> {
    let mut program = Command::new("xdg-email");
    program.args(["--utf8", "--subject", &email.subject, "--body", &email.body, "--attach"]);
    start_opener(program.arg(&email.attachment))
}

/// `mailto:` with subject and text; an attachment has no place in it.
fn mail_address(email: &EmailDraft) -> String {
    let encode = |text: &str| {
        let bytes = text.replace('\n', "\r\n").into_bytes();
        let letter = |byte: u8| match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' => char::from(byte).to_string(),
            other => format!("%{other:02X}"),
        };
        bytes.into_iter().map(letter).collect::<String>()
    };
    format!("mailto:?subject={}&body={}", encode(&email.subject), encode(&email.body))
}

/// What the system's own way to open an address or a file is; nothing passes a command interpreter.
fn hand_over(what: &OsStr) -> Result<(), (&'static str, std::io::Error)> {
    let (program, before): (&str, &[&str]) = if cfg!(windows) {
        // An address and a path alike.
        ("rundll32", &["url.dll,FileProtocolHandler"])
    } else if cfg!(target_os = "macos") {
        ("open", &[])
    } else {
        ("xdg-open", &[])
    };
    start_opener(Command::new(program).args(before).arg(what)).map_err(|error| (program, error))
}

/// Starts a program that opens something; an error where it ends at once without success.
fn start_opener(program: &mut Command) -> std::io::Result<()> {
    let mut opener = program.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
    let (ends, ended) = mpsc::channel();
    // Waited for on a thread of its own, so that no finished process stays behind.
    std::thread::spawn(move || ends.send(opener.wait()));
    match ended.recv_timeout(REFUSAL_TIME) {
        // What rundll32 ends with says nothing.
        Ok(status) if !cfg!(windows) && !status.as_ref().is_ok_and(|status| status.success()) => {
            Err(std::io::Error::other(status?.to_string()))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_without_extension_gets_one_unless_a_file_would_be_hit() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        std::fs::write(path("taken.pdf"), "").unwrap();
        let pdf = ["pdf".to_owned()];
        for (chosen, expected) in [
            ("quote", "quote.pdf"),
            ("quote.pdf", "quote.pdf"),
            ("quote.txt", "quote.txt"),
            ("taken", "taken"),
        ] {
            assert_eq!(with_extension(path(chosen), &pdf), path(expected), "{chosen}");
        }
    }

    #[test]
    fn an_email_is_written_into_its_address() {
        let email =
            EmailDraft { subject: "Quote & taxes".into(), body: "a\nb".into(), attachment: "x.pdf".into() };
        assert_eq!(mail_address(&email), "mailto:?subject=Quote%20%26%20taxes&body=a%0D%0Ab");
    }

    #[cfg(unix)]
    #[test]
    fn an_opener_that_finds_no_program_is_an_error() {
        assert!(start_opener(&mut Command::new("true")).is_ok());
        assert!(start_opener(Command::new("sleep").arg("3")).is_ok(), "what runs on has opened something");
        let none = start_opener(&mut Command::new("false")).unwrap_err();
        assert!(none.to_string().contains("exit status: 1"), "{none}");
    }

    #[test]
    fn only_https_is_opened() {
        let browser = SystemBrowser { logs: PathBuf::new(), close: Arc::new(|| {}) };
        for url in ["http://example.org", "file:///etc/passwd", "--version", ""] {
            assert!(browser.open(url).is_err(), "{url}");
        }
    }
}
