//! The interface to the shells: a clock, secrets, dialogs, a browser and the practice service.
//!
//! Each shell has its own implementation; tests use fixed ones. Nothing else in this crate reads the clock or
//! opens a window.

use std::future::Future;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;

use bordereau_api::TableFormat;
use bordereau_client::SharedExchange;
use bordereau_contract::{PracticeAction, PracticeAnswer};
use chrono::{DateTime, FixedOffset, Local, NaiveDate, Utc};

use crate::policy::Policy;
use crate::secrets::SecretStore;

/// A future without a name, for traits used behind a pointer.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// The ports of one desk.
#[derive(Clone)]
pub struct Ports {
    /// The current time.
    pub clock: Arc<dyn Clock>,
    /// API keys, refresh tokens and other secrets.
    pub secrets: Arc<dyn SecretStore>,
    /// The practice service of this machine.
    pub practice: Arc<dyn PracticePort>,
    /// Native file dialogs.
    pub dialogs: Arc<dyn FileDialogs>,
    /// The system's browser.
    pub browser: Arc<dyn Browser>,
    /// The administrator's policy, read once at start.
    pub policy: Arc<Policy>,
    /// The computer's own sign-in; `None` where the system has none to ask.
    pub sign_in: Option<Arc<dyn SystemSignIn>>,
}

/// The computer's own sign-in: Windows Hello, Touch ID, the account's password.
pub trait SystemSignIn: Send + Sync {
    /// Asks the system to confirm the signed-in person. `false` where they cancel or it is someone else.
    ///
    /// # Errors
    /// Why the system didn't ask, in its own words.
    fn confirm(&self) -> BoxFuture<'_, Result<bool, String>>;
}

/// The current time.
pub trait Clock: Send + Sync {
    /// The current instant.
    fn now(&self) -> DateTime<Utc>;
    /// Today on the person's calendar.
    fn today(&self) -> NaiveDate;
    /// An instant in the person's time zone; in UTC where there is none.
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

/// Address of the practice service, and the credentials of its practice account.
///
/// They exist in memory only: the account is created again with them at each start.
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
    /// Its address and credentials; starts it if it doesn't run yet.
    ///
    /// # Errors
    /// A sentence on why it can't be started.
    fn endpoint(&self) -> BoxFuture<'_, Result<PracticeEndpoint, String>>;

    /// Carries the requests of every profile instead of the network; `None` except in a simulation.
    fn exchange(&self) -> Option<SharedExchange> {
        None
    }

    /// Simulates the state or inspects the service, which the contract doesn't cover.
    ///
    /// # Errors
    /// A sentence on why it can't be done.
    fn perform_action(&self, action: PracticeAction) -> BoxFuture<'_, Result<PracticeAnswer, String>> {
        let _ = action;
        Box::pin(async { Err("this practice service cannot be acted on".to_owned()) })
    }
}

/// A kind of file that a dialog offers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileFilter {
    /// Such as `PDF document`.
    pub name: String,
    /// Without the dot, such as `pdf`.
    pub extensions: Vec<String>,
}

impl FileFilter {
    /// A file of rows.
    #[must_use]
    pub fn for_table(format: TableFormat) -> FileFilter {
        FileFilter { name: format.title().to_owned(), extensions: vec![format.extension().to_owned()] }
    }
}

/// Native file dialogs.
pub trait FileDialogs: Send + Sync {
    /// Asks where to save; `None` when the person canceled.
    fn choose_save_path(&self, suggested_name: String, filter: FileFilter) -> BoxFuture<'_, Option<PathBuf>>;
    /// Asks for a file; `None` when the person canceled.
    fn open(&self, title: String, filter: FileFilter) -> BoxFuture<'_, Option<PathBuf>>;
    /// Asks for several files; empty when the person canceled. A shell without such a dialog asks for one file.
    fn open_many(&self, title: String, filter: FileFilter) -> BoxFuture<'_, Vec<PathBuf>> {
        let one = self.open(title, filter);
        Box::pin(async move { one.await.into_iter().collect() })
    }
    /// Asks for a folder; `None` when the person canceled. A shell without such a dialog asks for a file in it.
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
    /// Opens an `https://` address, which the desk has checked to be a known one.
    ///
    /// # Errors
    /// A sentence on why it can't be opened.
    fn open(&self, url: &str) -> Result<(), String>;

    /// Opens the person's mail program with an e-mail to send; returns whether it accepted the attachment.
    ///
    /// # Errors
    /// A sentence on why it can't be opened.
    fn compose_email(&self, email: &EmailDraft) -> Result<bool, String> {
        let _ = email;
        Err("No mail program can be opened from here: attach the file to an e-mail.".to_owned())
    }

    /// Opens the folder of the program's logs.
    ///
    /// # Errors
    /// A sentence on why it can't be opened.
    fn open_logs(&self) -> Result<(), String> {
        Err("This program writes no log files.".to_owned())
    }

    /// The kind of package this program was installed from, one of [`crate::signed_package::PACKAGE_KINDS`]: updates
    /// must be of that kind. Empty where nothing can be installed from here.
    fn package_kind(&self) -> String {
        String::new()
    }

    /// Has the system install a package in place of this program, and closes the program. The signature was checked
    /// before.
    ///
    /// # Errors
    /// A sentence on why it isn't installed.
    fn install_package(&self, package: &std::path::Path) -> BoxFuture<'_, Result<(), String>> {
        let _ = package;
        Box::pin(async { Err("Packages are installed by the tools of this system.".to_owned()) })
    }

    /// Opens a document on this computer with the system's program for it. The desk has checked that its content is
    /// a document.
    ///
    /// # Errors
    /// A sentence on why it can't be opened.
    fn open_file(&self, path: &std::path::Path) -> Result<(), String> {
        let _ = path;
        Err("Documents can't be opened from here.".to_owned())
    }
}
