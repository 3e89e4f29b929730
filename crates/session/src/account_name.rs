//! The name of the person's account on this computer, for the audit log.

use std::sync::OnceLock;

/// The account's name: from the environment, else from the system.
pub fn account_name() -> String {
    static NAME: OnceLock<String> = OnceLock::new();
    NAME.get_or_init(|| named_by(|variable| std::env::var(variable).ok(), of_system)).clone()
}

fn named_by(variable: impl Fn(&str) -> Option<String>, system: impl FnOnce() -> Option<String>) -> String {
    let filled = |name: String| Some(name.trim().to_owned()).filter(|name| !name.is_empty());
    let named = ["USER", "LOGNAME", "USERNAME"].into_iter().find_map(|name| variable(name).and_then(filled));
    named.or_else(|| system().and_then(filled)).unwrap_or_else(|| "unknown account".to_owned())
}

/// The account's name by its number, from the system's user directory. A nightly run often has no environment.
#[cfg(unix)]
fn of_system() -> Option<String> {
    let output =
        std::process::Command::new("id").arg("-un").stdin(std::process::Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Windows always sets `USERNAME`.
#[cfg(not(unix))]
fn of_system() -> Option<String> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_is_asked_before_the_system() {
        type Case = (&'static [(&'static str, &'static str)], Option<&'static str>, &'static str);
        let cases: &[Case] = &[
            (&[("USER", "ana"), ("LOGNAME", "ben")], Some("cyd"), "ana"),
            (&[("USER", " "), ("LOGNAME", "ben")], Some("cyd"), "ben"),
            (&[("USERNAME", "dot")], None, "dot"),
            (&[], Some("cyd\n"), "cyd"),
            (&[], Some(""), "unknown account"),
            (&[], None, "unknown account"),
        ];
        for (variables, system, expected) in cases {
            let variable =
                |name: &str| variables.iter().find(|(n, _)| *n == name).map(|(_, value)| (*value).to_owned());
            assert_eq!(named_by(variable, || system.map(str::to_owned)), *expected, "{variables:?}");
        }
    }
}
