//! Why the database of an office cannot be used, in words without a row of it.

use std::error::Error;

use tokio_postgres::error::SqlState;

/// Why the database of an office cannot be used.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{obstacle:?}: {text}")]
pub struct OfficeError {
    /// What kind of reason it is.
    pub obstacle: OfficeObstacle,
    /// What the server or the system says.
    pub text: String,
}

/// What keeps the database of an office from being used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OfficeObstacle {
    /// What was set cannot be.
    Settings,
    /// Nobody answers there.
    Unreachable,
    /// The answer to a change was lost: it may be saved.
    Unanswered,
    /// The server's certificate is not trusted, or it has no TLS.
    Certificate,
    /// The person's own certificate or its key cannot be read, or they do not belong together.
    OwnCertificate,
    /// Name or password is wrong, or the server does not let this person in.
    SignIn,
    /// There is no such database.
    Database,
    /// There is no workspace of this name.
    Workspace,
    /// An earlier version made the workspace.
    Outdated,
    /// The person's role may not do it.
    Role,
    /// Others write and did not finish.
    Busy,
    /// The server lets nothing be written, or has no room.
    NotWritable,
    /// Anything else.
    Other,
}

impl OfficeError {
    /// Of this kind, in the words of the server or the system.
    pub fn of(obstacle: OfficeObstacle, text: impl Into<String>) -> OfficeError {
        OfficeError { obstacle, text: text.into() }
    }

    pub(crate) fn timed_out() -> OfficeError {
        OfficeError::of(OfficeObstacle::Unreachable, "no answer")
    }

    /// Of a change whose end wasn't answered.
    pub(crate) fn of_change(self) -> OfficeError {
        match self.obstacle {
            OfficeObstacle::Unreachable => OfficeError { obstacle: OfficeObstacle::Unanswered, ..self },
            _ => self,
        }
    }

    pub(crate) fn interrupted() -> OfficeError {
        OfficeError::of(OfficeObstacle::Other, "no thread for the connection")
    }
}

impl From<&tokio_postgres::Error> for OfficeError {
    fn from(error: &tokio_postgres::Error) -> OfficeError {
        if let Some(said) = error.as_db_error() {
            // Without its detail, which has values of rows.
            return OfficeError::of(
                obstacle_of(said.code()),
                format!("{} {}", said.code().code(), said.message()),
            );
        }
        let mut texts = vec![error.to_string()];
        let mut cause = error.source();
        while let Some(error) = cause {
            texts.push(error.to_string());
            cause = error.source();
        }
        let text = texts.join(": ");
        // The server refuses the person's certificate by an alert, such as `UnknownCA` or `DecryptError`; two other
        // alerts say that it does not speak our TLS.
        let is_refused_certificate = text.contains("received fatal alert")
            && !text.contains("HandshakeFailure")
            && !text.contains("ProtocolVersion");
        let obstacle = if is_refused_certificate {
            OfficeObstacle::SignIn
        } else if text.contains("certificate")
            || text.contains("TLS")
            || text.contains("tls")
            || text.contains("fatal alert")
        {
            OfficeObstacle::Certificate
        } else if text.contains("password") || text.contains("authentication") {
            OfficeObstacle::SignIn
        } else if error.is_closed() || text.contains("connect") || text.contains("communicating") {
            OfficeObstacle::Unreachable
        } else {
            OfficeObstacle::Other
        };
        OfficeError::of(obstacle, text)
    }
}

fn obstacle_of(state: &SqlState) -> OfficeObstacle {
    let code = state.code();
    match code {
        "3D000" => OfficeObstacle::Database,
        "3F000" | "42P01" => OfficeObstacle::Workspace,
        "42501" => OfficeObstacle::Role,
        "55P03" | "40P01" | "53300" => OfficeObstacle::Busy,
        "25006" | "53100" => OfficeObstacle::NotWritable,
        "25P03" | "57P01" | "57P02" | "57P03" => OfficeObstacle::Unreachable,
        _ if code.starts_with("28") => OfficeObstacle::SignIn,
        _ if code.starts_with("08") => OfficeObstacle::Unreachable,
        _ => OfficeObstacle::Other,
    }
}

impl OfficeObstacle {
    /// What happened, then what to do.
    #[must_use]
    pub const fn sentence(self) -> &'static str {
        match self {
            OfficeObstacle::Settings => "The office database is not set up correctly on this computer.",
            OfficeObstacle::Unreachable => {
                "The office database can't be reached: until it is, nothing is read or saved there. Check the address and the network, or try again."
            }
            OfficeObstacle::Unanswered => {
                "The connection to the office database was lost while it saved. It isn't known whether your last change was saved: look before you make it again."
            }
            OfficeObstacle::Certificate => {
                "The office database's certificate isn't trusted, or it has no TLS. Check the authority file."
            }
            OfficeObstacle::OwnCertificate => {
                "Your certificate and its key can't be used together. Choose both again, as PEM files."
            }
            OfficeObstacle::SignIn => {
                "The office database refused the sign-in. Check the name and the password or certificate."
            }
            OfficeObstacle::Database => "There is no database of this name on the server. Check its name.",
            OfficeObstacle::Workspace => {
                "There is no workspace of this name in the database, or you have no role in it. Ask your administrator."
            }
            OfficeObstacle::Outdated => {
                "An earlier version made this workspace. Ask your administrator to create it again with this version, which updates it and keeps everything."
            }
            OfficeObstacle::Role => {
                "Your role in the office doesn't allow this. Nothing was saved. Ask your administrator."
            }
            OfficeObstacle::Busy => {
                "Someone else is saving changes and did not finish in 30 seconds, or the server is full. Try again."
            }
            OfficeObstacle::NotWritable => {
                "The office database can't be written now: it is read-only or full. Nothing was saved. Try again, and tell your administrator if it stays so."
            }
            OfficeObstacle::Other => {
                "The office database reported an error. The change you were making, if any, wasn't saved. Try again, and tell your administrator if it happens again."
            }
        }
    }

    /// Whether it may be over when it is tried again.
    #[must_use]
    pub const fn is_passing(self) -> bool {
        matches!(self, OfficeObstacle::Unreachable | OfficeObstacle::Busy | OfficeObstacle::NotWritable)
    }
}
