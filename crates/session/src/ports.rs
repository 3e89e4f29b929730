//! The interface to the shells: a clock, secrets, dialogs, a browser and the practice service.
//!
//! Each shell has its own implementation; tests use fixed ones. Nothing else in this crate reads the clock or
//! opens a window.

use std::future::Future;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;

use bordereau_client::SharedExchange;
use bordereau_contract::{PracticeAction, PracticeAnswer};
use chrono::{DateTime, FixedOffset, Local, NaiveDate, Utc};

use crate::policy::Policy;
use crate::secrets::SecretStore;

/// A future without a name, for traits that are used behind a pointer.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// The ports of one desk.
#[derive(Clone)]
pub struct Ports {
    /// What time it is.
    pub clock: Arc<dyn Clock>,
    /// Where API keys and refresh tokens are.
    pub secrets: Arc<dyn SecretStore>,
    /// The practice service of this machine.
    pub practice: Arc<dyn PracticePort>,
    /// Native file dialogs.
    pub dialogs: Arc<dyn FileDialogs>,
    /// The system's browser.
    pub browser: Arc<dyn Browser>,
    /// What an administrator decided, read once at start.
    pub policy: Arc<Policy>,
    /// The computer's own sign-in; none where it has none that can be asked.
    pub sign_in: Option<Arc<dyn SystemSignIn>>,
}

/// The computer's own sign-in: Windows Hello, Touch ID, the password of the account.
pub trait SystemSignIn: Send + Sync {
    /// Has the system ask the person who is signed in to it. `false` where they cancel or are somebody else.
    ///
    /// # Errors
    /// Why the system didn't ask, in its own words.
    fn confirm(&self) -> BoxFuture<'_, Result<bool, String>>;
}

/// What time it is.
pub trait Clock: Send + Sync {
    /// The instant.
    fn now(&self) -> DateTime<Utc>;
    /// The day on the person's calendar.
    fn today(&self) -> NaiveDate;
    /// An instant on the person's clock; in UTC where there is no zone.
    fn local(&self, at: DateTime<Utc>) -> DateTime<FixedOffset> {
        at.fixed_offset()
    }
}

/// The machine's clock and time zone.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> DateTime<Utc> {
        Utc::now()
    }

    fn today(&self) -> NaiveDate {
        Local::now().date_naive()
    }

    fn local(&self, at: DateTime<Utc>) -> DateTime<FixedOffset> {
        at.with_timezone(&Local).fixed_offset()
    }
}

/// Where the practice service answers, and the credentials of its practice account.
///
/// They live in memory only: the account is created again with them at each start.
#[derive(Clone)]
pub struct PracticeEndpoint {
    /// `https://127.0.0.1:PORT`.
    pub base_url: String,
    /// Its own CA, trusted by this profile only.
    pub ca_pem: String,
    /// API key of the practice account.
    pub api_key: String,
    /// Username of the practice account.
    pub username: String,
    /// Its password.
    pub password: String,
}

/// The practice service of this machine.
pub trait PracticePort: Send + Sync {
    /// Where it answers; starts it when it does not run yet.
    ///
    /// # Errors
    /// A sentence on why it cannot be started.
    fn endpoint(&self) -> BoxFuture<'_, Result<PracticeEndpoint, String>>;

    /// What carries the requests of every profile instead of the network; none but in a simulation.
    fn exchange(&self) -> Option<SharedExchange> {
        None
    }

    /// Plays the state or looks behind the scenes: what exists apart from the contract.
    ///
    /// # Errors
    /// A sentence on why it cannot be done.
    fn perform_action(&self, action: PracticeAction) -> BoxFuture<'_, Result<PracticeAnswer, String>> {
        let _ = action;
        Box::pin(async { Err("this practice service cannot be acted on".to_owned()) })
    }
}

/// What a file dialog offers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileFilter {
    /// Such as `PDF document`.
    pub name: String,
    /// Without the point, such as `pdf`.
    pub extensions: Vec<String>,
}

/// Native file dialogs.
pub trait FileDialogs: Send + Sync {
    /// Asks where to save; `None` when the person canceled.
    fn choose_save_path(&self, suggested_name: String, filter: FileFilter) -> BoxFuture<'_, Option<PathBuf>>;
    /// Asks for a file; `None` when the person canceled.
    fn open(&self, title: String, filter: FileFilter) -> BoxFuture<'_, Option<PathBuf>>;
    /// Asks for several files; none when the person canceled. Without a dialog for several one is asked for.
    fn open_many(&self, title: String, filter: FileFilter) -> BoxFuture<'_, Vec<PathBuf>> {
        let one = self.open(title, filter);
        Box::pin(async move { one.await.into_iter().collect() })
    }
    /// Asks for a folder; `None` when the person canceled. Without a dialog for folders a file in it is asked
    /// for.
    fn open_folder(&self, title: String) -> BoxFuture<'_, Option<PathBuf>> {
        self.open(title, FileFilter { name: "Documents".into(), extensions: Vec::new() })
    }
}

/// An e-mail for the person to send.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EmailDraft {
    /// Subject.
    pub subject: String,
    /// Text.
    pub body: String,
    /// The file to attach.
    pub attachment: PathBuf,
}

/// The system's browser.
pub trait Browser: Send + Sync {
    /// Opens an `https://` address; the desk has checked that it is a known one.
    ///
    /// # Errors
    /// A sentence on why it cannot be opened.
    fn open(&self, url: &str) -> Result<(), String>;

    /// Opens the person's mail program with an e-mail to send; tells whether it was given the attachment.
    ///
    /// # Errors
    /// A sentence on why it cannot be opened.
    fn compose_email(&self, email: &EmailDraft) -> Result<bool, String> {
        let _ = email;
        Err("E-mail cannot be opened from here.".to_owned())
    }

    /// Opens the folder of the program's logs.
    ///
    /// # Errors
    /// A sentence on why it cannot be opened.
    fn open_logs(&self) -> Result<(), String> {
        Err("This program writes no log files.".to_owned())
    }

    /// Which kind of package this program was installed with, of [`crate::signed_package::PACKAGE_KINDS`], and so can be
    /// replaced by; empty where nothing is installed from here.
    fn package_kind(&self) -> String {
        String::new()
    }

    /// Has the system install a package, whose signature was checked, in place of this program, and closes this program.
    ///
    /// # Errors
    /// A sentence on why it isn't installed.
    fn install_package(&self, package: &std::path::Path) -> BoxFuture<'_, Result<(), String>> {
        let _ = package;
        Box::pin(async { Err("Packages are installed by the tools of this system.".to_owned()) })
    }

    /// Opens a document of this machine with the system's program for it; the desk has checked that by its
    /// content it is a document.
    ///
    /// # Errors
    /// A sentence on why it cannot be opened.
    fn open_file(&self, path: &std::path::Path) -> Result<(), String> {
        let _ = path;
        Err("Documents cannot be opened from here. Save it instead.".to_owned())
    }
}
