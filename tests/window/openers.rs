//! What the window hands to other programs: an e-mail, a folder. The desktop's own openers are replaced by programs that
//! write down what they were given.

use std::os::unix::fs::PermissionsExt;
use std::time::Duration;

use crate::driver::Desktop;
use crate::file_dialog::saves_as;
use crate::quotes::{TEXAS, quotes};
use crate::whole_way::uses;
use crate::within;

/// Replaces the desktop's own programs that open something, and writes down what each was given.
pub struct Openers {
    folder: tempfile::TempDir,
}

impl Openers {
    /// Each ends with this code.
    pub fn ending_with(code: u8) -> Openers {
        let folder = tempfile::tempdir().expect("a folder for programs");
        for name in ["xdg-email", "xdg-open"] {
            let program = folder.path().join(name);
            let script = format!(
                "#!/bin/sh\nprintf '%s\\n' \"$@\" > \"$0.new\" && mv \"$0.new\" \"$0.given\"\nexit {code}\n"
            );
            std::fs::write(&program, script).expect("a program");
            std::fs::set_permissions(&program, PermissionsExt::from_mode(0o755))
                .expect("a program that runs");
        }
        Openers { folder }
    }

    /// The path on which they are found first.
    pub fn search_path(&self) -> String {
        format!("{}:{}", self.folder.path().display(), std::env::var("PATH").unwrap_or_default())
    }

    /// What a program was given, once it was started.
    pub async fn given(&self, program: &str) -> String {
        let file = self.folder.path().join(format!("{program}.given"));
        for _ in 0..200 {
            if let Ok(text) = std::fs::read_to_string(&file) {
                return text;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!("{program} was not started");
    }
}

#[test]
fn the_folder_of_logs_is_opened() {
    within(Duration::from_secs(80), async {
        let openers = Openers::ending_with(0);
        let desktop = Desktop::start_on((1280, 720), &[("PATH", &openers.search_path())]).await;
        let person = desktop.open().await;
        person.presses_control(',').await;
        uses(&person, "About").await;
        uses(&person, "Open logs").await;
        let folder = desktop.data_dir().join("logs");
        assert_eq!(openers.given("xdg-open").await.trim(), folder.display().to_string());
        assert!(folder.is_dir(), "the folder is there");
        person.leaves().await;
    });
}

#[test]
fn where_no_mail_program_opens_the_sheet_is_saved_and_that_is_said() {
    within(Duration::from_secs(120), async {
        // What xdg-email and xdg-open end with where there is no program.
        let openers = Openers::ending_with(3);
        let desktop = Desktop::start_on((1280, 720), &[("PATH", &openers.search_path())]).await;
        let person = desktop.open().await;
        quotes(&person, &TEXAS).await;
        person.presses_control('p').await;
        person.waits_for_text("Sheet for the client").await;
        uses(&person, "E-mail").await;
        let folder = tempfile::tempdir().expect("a folder");
        let sheet = folder.path().join("sheet.pdf");
        saves_as(&desktop, &sheet).await;
        person.waits_for_text("The sheet is saved as sheet.pdf. No mail program could be started").await;
        person.pictures("no-mail-program").await;
        assert!(
            openers.given("xdg-open").await.starts_with("mailto:?subject=Quote"),
            "the other way was tried"
        );
        person.leaves().await;
    });
}
