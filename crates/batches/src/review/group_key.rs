//! Which group a message belongs to, besides the groups of findings: the key of its card, of its filter and of its repair.

use bordereau_api::RowMessage;

/// The group of what was kept with a reason.
pub const KEPT: &str = "kept";

/// The group of a message of the service.
pub fn message_group(message: &RowMessage) -> String {
    if message.field.is_empty() { "service".to_owned() } else { format!("service:{}", message.field) }
}
