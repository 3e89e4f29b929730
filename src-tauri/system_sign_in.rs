//! The computer's own sign-in, which unlocks the window: Windows Hello, Touch ID, the password of the account.

use std::sync::Arc;

use bordereau_desk::{BoxFuture, SystemSignIn};

/// What the system asks; none where it can't be asked. On Linux it is asked about an action that the packages
/// describe to polkit, so that a program that was not installed has none.
pub(crate) fn system_sign_in() -> Option<Arc<dyn SystemSignIn>> {
    if cfg!(target_os = "linux") && !std::path::Path::new(POLICY_FILE).exists() {
        return None;
    }
    Some(Arc::new(AccountSignIn))
}

/// Where the packages put what polkit is to know of it (`packaging/linux`).
const POLICY_FILE: &str = "/usr/share/polkit-1/actions/app.bordereau.desk.policy";

struct AccountSignIn;

impl SystemSignIn for AccountSignIn {
    fn confirm(&self) -> BoxFuture<'_, Result<bool, String>> {
        Box::pin(async {
            let asked = tokio::task::spawn_blocking(ask_person).await;
            asked.unwrap_or_else(|error| Err(error.to_string()))
        })
    }
}

#[cfg(target_os = "linux")]
fn ask_person() -> Result<bool, String> {
    let bus = zbus::blocking::Connection::system().map_err(|error| error.to_string())?;
    ask_polkit(&bus).map_err(|error| error.to_string())
}

/// Asks polkit about whoever this connection belongs to; the desktop shows its dialog for the password.
#[cfg(target_os = "linux")]
fn ask_polkit(bus: &zbus::blocking::Connection) -> zbus::Result<bool> {
    use std::collections::HashMap;

    use zbus::zvariant::Value;

    const ACTION: &str = "app.bordereau.desk.unlock";
    const ASK: u32 = 1;
    let polkit = zbus::blocking::Proxy::new(
        bus,
        "org.freedesktop.PolicyKit1",
        "/org/freedesktop/PolicyKit1/Authority",
        "org.freedesktop.PolicyKit1.Authority",
    )?;
    let name = bus.unique_name().map(ToString::to_string).unwrap_or_default();
    let subject = ("system-bus-name", HashMap::from([("name", Value::from(name))]));
    let asked = (subject, ACTION, HashMap::<&str, &str>::new(), ASK, "");
    let (is_confirmed, is_unanswered, details): (bool, bool, HashMap<String, String>) =
        polkit.call("CheckAuthorization", &asked)?;
    if is_unanswered && !details.contains_key("polkit.dismissed") {
        return Err(zbus::Error::Failure("there is no program on this desktop that asks".to_owned()));
    }
    Ok(is_confirmed)
}

#[cfg(not(target_os = "linux"))]
fn ask_person() -> Result<bool, String> {
    use std::sync::mpsc;

    use robius_authentication::{
        AndroidText, BiometricStrength, Context, Error, PolicyBuilder, Text, WindowsText,
    };

    let policy = PolicyBuilder::new()
        .biometrics(Some(BiometricStrength::Strong))
        .password(true)
        .companion(true)
        .build()
        .ok_or("the system takes no such question")?;
    let text = Text {
        android: AndroidText { title: "Bordereau", subtitle: None, description: None },
        apple: "unlock its window",
        windows: WindowsText::new_truncated("Bordereau", "Unlock the window of Bordereau."),
    };
    let (sender, answer) = mpsc::channel();
    let asked = Context::new(()).authenticate(text, &policy, move |answer| drop(sender.send(answer)));
    match asked.and_then(|()| answer.recv().unwrap_or(Err(Error::Unavailable))) {
        Ok(()) => Ok(true),
        Err(Error::Unavailable | Error::Unknown) => Err("the system can't ask".to_owned()),
        Err(_) => Ok(false),
    }
}

#[cfg(target_os = "linux")]
#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use zbus::zvariant::OwnedValue;

    use super::*;
    use crate::private_bus::PrivateBus;

    type Answer = (bool, bool, HashMap<String, String>);

    /// As polkit answers: for one action, whoever asks about the connection that asks.
    struct Polkit(Answer);

    #[zbus::interface(name = "org.freedesktop.PolicyKit1.Authority")]
    impl Polkit {
        fn check_authorization(
            &self,
            #[zbus(header)] header: zbus::message::Header<'_>,
            subject: (String, HashMap<String, OwnedValue>),
            action: String,
            details: HashMap<String, String>,
            flags: u32,
            cancellation: String,
        ) -> Answer {
            let name = subject.1.get("name").and_then(|name| name.downcast_ref::<String>().ok());
            assert_eq!(
                (subject.0.as_str(), name),
                ("system-bus-name", header.sender().map(ToString::to_string))
            );
            assert_eq!((action.as_str(), flags), ("app.bordereau.desk.unlock", 1));
            assert!(details.is_empty() && cancellation.is_empty());
            self.0.clone()
        }
    }

    fn answered(bus: &PrivateBus, answer: Answer) -> zbus::Result<bool> {
        let polkit = bus.connect().unwrap();
        polkit.object_server().at("/org/freedesktop/PolicyKit1/Authority", Polkit(answer)).unwrap();
        polkit.request_name("org.freedesktop.PolicyKit1").unwrap();
        // The name goes with the connection, so that the next one can have it.
        ask_polkit(&bus.connect().unwrap())
    }

    #[test]
    fn polkit_confirms_refuses_or_cannot_ask() {
        let Some(bus) = PrivateBus::start() else { return };
        assert!(ask_polkit(&bus.connect().unwrap()).is_err(), "there is no polkit");
        let dismissed = HashMap::from([("polkit.dismissed".to_owned(), "true".to_owned())]);
        assert!(answered(&bus, (true, false, HashMap::new())).unwrap());
        assert!(!answered(&bus, (false, false, HashMap::new())).unwrap(), "refused");
        assert!(!answered(&bus, (false, true, dismissed)).unwrap(), "canceled");
        assert!(answered(&bus, (false, true, HashMap::new())).is_err(), "nobody asks");
    }

    #[test]
    fn the_packages_describe_the_action_to_polkit() {
        let policy = std::fs::read_to_string(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/packaging/linux/app.bordereau.desk.policy"
        ));
        let policy = policy.unwrap();
        assert!(policy.contains("<action id=\"app.bordereau.desk.unlock\">"));
        // `auth_self_keep` would unlock without a word for minutes after.
        assert_eq!(policy.matches(">auth_self<").count(), 3);
        assert!(POLICY_FILE.ends_with("/app.bordereau.desk.policy"));
    }
}
