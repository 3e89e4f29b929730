//! The shell: one window over the desk. Everything a person does happens in `bordereau-desk`; here are
//! the window itself, native dialogs, the guards against blank windows, and one command that passes an
//! operation on.

mod application;
mod desk_slot;
mod drops;
mod graphics;
mod lock_signals;
mod log_file;
mod menu;
mod notice_center;
mod notices;
mod open_request;
mod operations;
mod options;
mod package_installer;
mod placement;
mod ports;
#[cfg(all(test, target_os = "linux"))]
mod private_bus;
mod start_message;
mod system_sign_in;
mod tray;
mod window;
mod window_close;

pub use application::{StartFailure, run_window};
pub use open_request::{DeskLink, LinkKind, OpenRequest};
pub use options::{OptionError, RequestedStart, WindowOptions, read_arguments};
pub use start_message::{MessageLevel, show_message};
