//! A bus of a test's own, in place of the session's and the system's.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use zbus::blocking::Connection;

/// Ended on drop.
pub(crate) struct PrivateBus(Child, String);

impl PrivateBus {
    /// `None` where the machine has no dbus-daemon, which a machine of CI has.
    pub(crate) fn start() -> Option<PrivateBus> {
        let mut command = Command::new("dbus-daemon");
        command.args(["--session", "--nofork", "--print-address"]).stdout(Stdio::piped());
        let Ok(mut daemon) = command.spawn() else {
            assert!(std::env::var_os("CI").is_none(), "there is no dbus-daemon");
            return None;
        };
        let mut address = String::new();
        BufReader::new(daemon.stdout.take()?).read_line(&mut address).ok()?;
        Some(PrivateBus(daemon, address.trim().to_owned()))
    }

    pub(crate) fn connect(&self) -> zbus::Result<Connection> {
        zbus::blocking::connection::Builder::address(self.1.as_str())?.build()
    }
}

impl Drop for PrivateBus {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
