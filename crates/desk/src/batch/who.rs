//! Who is at this machine.

/// Name of the person's account on this machine; `unknown` where the system does not say.
pub(crate) fn account_name() -> String {
    let named = ["USER", "LOGNAME", "USERNAME"].into_iter().filter_map(|name| std::env::var(name).ok());
    let name = named.map(|name| name.trim().to_owned()).find(|name| !name.is_empty());
    name.unwrap_or_else(|| "unknown".to_owned())
}
