//! `bordereau workspace`.

use std::path::{Path, PathBuf};

use bordereau_contract::{pluralize, pluralize_as};
use bordereau_desk::SecretText;
use bordereau_desk::api::{
    CopiedName, Nothing, OfficeCopy, OfficeName, OfficeSettings, OfficeSignIn, OfficeTrustKind, OfficeView,
};
use bordereau_desk::workspace::{self, OfficeDatabase, WorkspaceCheck, WorkspaceStatus};
use bordereau_host::{DataFolder, OFFICE_PASSWORD_VARIABLE, from_environment};
use clap::{Args, Subcommand};
use serde_json::json;

use crate::exit::CommandExit;
use crate::file_target::read_data;
use crate::shared_arguments::GlobalArgs;
use crate::workspace_files::{FilesCommand, run_files};
use crate::{open_desk, output, secret_entry};
use bordereau_host::terminal_text::on_one_line;

#[derive(Debug, Subcommand)]
pub(crate) enum WorkspaceCommand {
    /// Create the workspace and its roles, or update an older one to this version
    ///
    /// The person who creates it owns it and needs the right to create roles. People get theirs from
    /// PostgreSQL: GRANT
    /// NAME_reader, NAME_clerk, NAME_manager or NAME_administrator TO person, where NAME is the workspace's.
    Create(OfficeArguments),
    /// Show who is signed in, with which role, and what is in the workspace
    Status(OfficeInUse),
    /// Check that no entry of the audit log was changed, removed or inserted, and that no file outside of the database was
    Check(OfficeInUse),
    /// Set where the workspace stores larger files; existing files stay where they are
    ///
    /// Only an administrator can; a test file is written, read and removed there first.
    #[command(subcommand)]
    Files(FilesCommand),
    /// Use this workspace from now on, in every command and the window of this data folder
    ///
    /// This computer's own data stays where it is. The password is kept in the keychain; on a server name it with
    /// --password-file, or set BORDEREAU_WORKSPACE_PASSWORD for each command.
    Use(OfficeArguments),
    /// Use this computer's own data again
    Leave,
    /// Set the name that you are shown by on others' screens; the audit log keeps your database user
    Name {
        /// The name; empty to show the database user
        name: String,
        /// Whose name, by database user; only an administrator names others
        #[arg(long, value_name = "USER", default_value = "", hide_default_value = true)]
        of: String,
    },
    /// Copy a data folder into a workspace, or a workspace into a new data folder
    ///
    /// Copies everything or nothing, and compares every row. The source stays as it is; what is still being sent is not
    /// copied, since both sides would send it.
    #[command(subcommand)]
    Copy(CopyCommand),
}

#[derive(Debug, Subcommand)]
pub(crate) enum CopyCommand {
    /// Copy this data folder into the workspace, as its administrator; run again to add what is new
    In(OfficeArguments),
    /// Copy the workspace into this data folder, which must be new
    Out(OfficeArguments),
}

/// A named database; without one that which this data folder works on.
#[derive(Args, Debug)]
#[command(mut_args(|arg| arg.required(false)))]
pub(crate) struct OfficeInUse {
    #[command(flatten)]
    named: Option<OfficeArguments>,
}

#[derive(Args, Debug)]
pub(crate) struct OfficeArguments {
    /// Host of the database; with several, separated by commas, the writable one is used
    #[arg(long, value_name = "HOST")]
    host: String,
    /// Port of the database
    #[arg(long, value_name = "PORT", default_value_t = 5432)]
    port: u16,
    /// Name of the database
    #[arg(long, value_name = "NAME")]
    database: String,
    /// Name of the workspace in it
    #[arg(long, value_name = "NAME", default_value = "bordereau")]
    workspace: String,
    /// Database user
    #[arg(long, value_name = "NAME")]
    user: String,
    /// Ask for the password; without it BORDEREAU_WORKSPACE_PASSWORD is used where it is set
    #[arg(long)]
    password: bool,
    /// Read the password from this file, which only its owner can read
    #[arg(long, value_name = "FILE", conflicts_with = "password")]
    password_file: Option<PathBuf>,
    /// Sign in with this certificate, PEM
    #[arg(long, value_name = "FILE", requires = "client_key", conflicts_with_all = ["password", "password_file"])]
    client_certificate: Option<PathBuf>,
    /// Private key of the certificate, PEM, which only its owner can read
    #[arg(long, value_name = "FILE", requires = "client_certificate")]
    client_key: Option<PathBuf>,
    /// Trust only this certificate authority, PEM; default: the system's
    #[arg(long, value_name = "FILE")]
    authority: Option<PathBuf>,
    /// Without TLS: for a database on this computer only
    #[arg(long, conflicts_with = "authority")]
    no_tls: bool,
}

pub(crate) async fn run_workspace(place: &GlobalArgs, command: WorkspaceCommand) -> Result<(), CommandExit> {
    match command {
        WorkspaceCommand::Create(asked) => {
            let database = asked.open_database()?;
            workspace::create_workspace(database.clone()).await?;
            show_status(place, &workspace::workspace_status(database).await?)
        }
        WorkspaceCommand::Status(asked) => {
            show_status(place, &workspace::workspace_status(asked.open_database(place).await?).await?)
        }
        WorkspaceCommand::Check(asked) => {
            let WorkspaceCheck { audit_entries, files, faults } =
                workspace::check_workspace(asked.open_database(place).await?).await?;
            let intact = faults.is_empty();
            let answer = json!({
                "audit_entries": audit_entries, "files": files, "faults": faults, "intact": intact,
            });
            output::write_answer(place, &answer, || {
                let entries = pluralize_as(audit_entries, "entry", "entries");
                let log = if intact { "The audit log is whole" } else { "Read of the audit log" };
                format!("{log}: {entries}.\nFiles read outside of the database: {files}.\n")
            })?;
            if intact { Ok(()) } else { Err(CommandExit::with_failure(faults.join(" "))) }
        }
        WorkspaceCommand::Files(command) => run_files(place, command).await,
        WorkspaceCommand::Use(asked) => {
            let (settings, password) = asked.settings()?;
            let desk = open_desk::open_own(place)?;
            desk.use_office(settings, &password).await?;
            show_office(place, &desk.office_show(Nothing {}).await?)
        }
        WorkspaceCommand::Leave => {
            let desk = open_desk::open_own(place)?;
            show_office(place, &desk.office_leave(Nothing {}).await?)
        }
        WorkspaceCommand::Name { name, of } => {
            let desk = open_desk::open_desk(place)?;
            let people = desk.office_name_save(OfficeName { person: of, name }).await?;
            output::write_answer(place, &people, || "Saved.\n")
        }
        WorkspaceCommand::Copy(CopyCommand::In(asked)) => {
            let database = asked.open_with_key(place)?;
            let desk = open_desk::open_own(place)?;
            show_copy(place, &desk.copy_to_office(database).await?)
        }
        WorkspaceCommand::Copy(CopyCommand::Out(asked)) => {
            let database = asked.open_with_key(place)?;
            let data = DataFolder::find(place.data_dir.clone())?;
            let secrets = open_desk::open_secrets(place, data.path())?;
            show_copy(place, &workspace::copy_from_office(database, data.path().to_owned(), secrets).await?)
        }
    }
}

impl OfficeInUse {
    async fn open_database(self, place: &GlobalArgs) -> Result<OfficeDatabase, CommandExit> {
        match self.named {
            Some(named) => named.open_with_key(place),
            None => Ok(open_desk::open_own(place)?.office_in_use().await?),
        }
    }
}

impl OfficeArguments {
    fn open_database(self) -> Result<OfficeDatabase, CommandExit> {
        let (settings, password) = self.settings()?;
        workspace::open_settings(&settings, Some(&password))
            .map_err(|error| CommandExit::usage_error(error.message))
    }

    /// Opens it with this computer's key for the file storage.
    pub(crate) fn open_with_key(self, place: &GlobalArgs) -> Result<OfficeDatabase, CommandExit> {
        let data = DataFolder::find(place.data_dir.clone())?;
        let storage_key = workspace::storage_key_of(open_desk::open_secrets(place, data.path())?);
        Ok(OfficeDatabase { storage_key, ..self.open_database()? })
    }

    /// The settings to store, and the password for the keychain.
    fn settings(self) -> Result<(OfficeSettings, SecretText), CommandExit> {
        // Stored paths must work from any folder.
        let whole = |file: &Path| match std::path::absolute(file) {
            Ok(path) => Ok(path.to_string_lossy().into_owned()),
            Err(error) => Err(CommandExit::usage_error(format!("{}: {error}", file.display()))),
        };
        let read = |file: &Option<PathBuf>| file.as_deref().map_or(Ok(String::new()), read_data);
        let password = match self.password {
            true => Some(secret_entry::ask_secret("password of the office database")?),
            false => from_environment(OFFICE_PASSWORD_VARIABLE)?,
        };
        let (sign_in, secret_file) = match (&self.client_key, &self.password_file) {
            (Some(key), _) => (OfficeSignIn::Certificate, whole(key)?),
            (_, Some(file)) => (OfficeSignIn::PasswordFile, whole(file)?),
            _ if password.is_some() => (OfficeSignIn::Password, String::new()),
            _ => (OfficeSignIn::Nothing, String::new()),
        };
        let settings = OfficeSettings {
            authority: read(&self.authority)?,
            certificate: read(&self.client_certificate)?,
            host: self.host,
            port: self.port,
            database: self.database,
            workspace: self.workspace,
            user: self.user,
            sign_in,
            trust: match self.authority {
                _ if self.no_tls => OfficeTrustKind::ThisComputer,
                Some(_) => OfficeTrustKind::Authority,
                None => OfficeTrustKind::System,
            },
            secret_file,
        };
        Ok((settings, SecretText::new(password.unwrap_or_default())))
    }
}

pub(crate) fn show_office(place: &GlobalArgs, view: &OfficeView) -> Result<(), CommandExit> {
    output::write_answer(place, &view, || match &view.office {
        Some(office) => format!(
            "This data folder works on the workspace {} of {} as {}.\n",
            on_one_line(&office.workspace),
            on_one_line(&office.host),
            on_one_line(&office.user)
        ),
        None => "This data folder works on its own data.\n".to_owned(),
    })
}

pub(crate) fn show_status(place: &GlobalArgs, status: &WorkspaceStatus) -> Result<(), CommandExit> {
    let fits = status.steps == status.known;
    if place.json {
        return output::write_json(&json!({
            "user": status.user, "role": status.role, "server": status.server, "schema": status.steps,
            "known_schema": status.known, "fits": fits, "batches": status.batches, "rows": status.rows,
            "files": status.files,
        }));
    }
    let role = if status.role.is_empty() { "no role in this workspace" } else { &status.role };
    let mut text = format!(
        "Signed in as {} ({role}), PostgreSQL {}.\n",
        on_one_line(&status.user),
        on_one_line(&status.server)
    );
    if fits {
        let batches = pluralize_as(status.batches, "batch", "batches");
        text.push_str(&format!("{batches}, {}.\n", pluralize(status.rows, "row")));
        text.push_str(&format!("{}\n", on_one_line(&status.files.to_string())));
    } else {
        text.push_str(&format!(
            "The workspace is of another version (schema {}; this version knows {}). An administrator updates it with: bordereau workspace create\n",
            status.steps, status.known
        ));
    }
    output::write(&text)
}

fn show_copy(place: &GlobalArgs, copied: &OfficeCopy) -> Result<(), CommandExit> {
    let OfficeCopy { tables, rows, present, different, renamed, .. } = copied;
    let mut text = format!("Copied {rows} rows of {tables} tables; both sides are equal.\n");
    text.push_str(&format!("Rows there already: {present}; of them different, and left so: {different}.\n"));
    for CopiedName { kind, name, new_name } in renamed {
        text.push_str(&on_one_line(&format!("The {kind} \"{name}\" is \"{new_name}\" there.")));
        text.push('\n');
    }
    output::write_answer(place, &copied, || text)
}
