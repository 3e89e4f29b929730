//! Events: what the service announces, received, proven, stored once, and checked against what it says when asked.
//!
//! A delivery is answered with 200 only after it stands in the store. The same fact learnt by asking merges
//! into the same event; what was never received is found by asking and shown as such.

pub mod account_webhooks;
mod body;
mod fact;
mod follow;
mod heard;
mod intake;
mod listening;
mod listing;
mod operations;
mod pace;
mod receiver;
mod reconcile;
mod said;
mod settings;
mod shelf;
mod signature;
mod stream;
mod subscribe;
mod watches;
mod webhooks;
mod wordings;
mod worker;

pub use fact::Fact;
pub use listening::ListenSecrets;
pub use operations::EventLook;
pub use pace::EventPace;
pub use receiver::Listener;
pub use worker::EventWork;
pub use worker::Inbox;

use bordereau_api::{EventCheck, EventSignature, EventWhat};
pub use listening::listener;
pub use operations::{
    events_detail, events_follow, events_list, events_mark, events_news, events_refused, events_secret,
    events_settings, events_settings_save, events_since, events_status,
};
pub use receiver::receive;
pub use reconcile::note_read;
pub use subscribe::{events_notices, events_send_again, events_subscribe, events_unsubscribe};
pub use webhooks::{
    deliveries_list, delivery_log, webhook_list, webhook_new_secret, webhook_remove, webhook_save,
    webhook_try,
};
pub use worker::{begin_events, set_event_pace};

const WHATS: [(EventWhat, &str); 9] = [
    (EventWhat::BatchProcessed, "batch_processed"),
    (EventWhat::BatchFailed, "batch_failed"),
    (EventWhat::Filed, "filed"),
    (EventWhat::StampingFeePaid, "stamping_fee_paid"),
    (EventWhat::SlTaxPaid, "sl_tax_paid"),
    (EventWhat::StateNumber, "state_number"),
    (EventWhat::StampWording, "stamp_wording"),
    (EventWhat::TaxesAndFeesPaid, "taxes_and_fees_paid"),
    (EventWhat::Other, "other"),
];

/// A kind as it stands in the store: the word that also crosses to the UI.
fn what_word(what: EventWhat) -> &'static str {
    WHATS.iter().find(|(known, _)| *known == what).map_or("other", |(_, word)| word)
}

fn what_of_word(word: &str) -> EventWhat {
    WHATS.iter().find(|(_, known)| *known == word).map_or(EventWhat::Other, |(what, _)| *what)
}

const fn signature_word(signature: EventSignature) -> &'static str {
    match signature {
        EventSignature::Valid => "valid",
        EventSignature::Forwarded => "forwarded",
        EventSignature::None => "none",
    }
}

fn signature_of_word(word: &str) -> EventSignature {
    match word {
        "valid" => EventSignature::Valid,
        "forwarded" => EventSignature::Forwarded,
        _ => EventSignature::None,
    }
}

const fn check_word(check: EventCheck) -> &'static str {
    match check {
        EventCheck::Unchecked => "unchecked",
        EventCheck::Confirmed => "confirmed",
        EventCheck::Differs => "differs",
    }
}

fn check_of_word(word: &str) -> EventCheck {
    match word {
        "confirmed" => EventCheck::Confirmed,
        "differs" => EventCheck::Differs,
        _ => EventCheck::Unchecked,
    }
}
