//! Events: announced by the service, received, authenticated, stored once, and confirmed by asking the service.
//!
//! A delivery is answered with 200 only after it is stored. A fact learned by asking merges into the event that
//! reports it; a fact that no event reported is found by asking, and shown as such.

mod body;
mod event_content;
mod event_details;
mod follow;
mod intake;
mod listener;
mod operations;
mod pace;
mod parsed_event;
mod receiver;
mod reconcile;
mod settings;
mod signature;
mod stream;
mod subscribe;
mod watched_transactions;
mod webhooks;
mod wordings;
mod worker;

pub use event_content::EventFact;
pub use listener::ListenSecrets;
pub use operations::EventLook;
pub use pace::EventPace;
pub use receiver::EventListener;
pub use worker::EventInbox;
pub use worker::EventWork;

pub use listener::open_listener;
pub use operations::{
    events_detail, events_follow, events_list, events_mark, events_news, events_refused, events_secret,
    events_settings, events_settings_save, events_since, events_status,
};
pub use receiver::receive_events;
pub use reconcile::note_read;
pub use subscribe::{events_notices, events_send_again, events_subscribe, events_unsubscribe};
pub use webhooks::{
    deliveries_list, delivery_log, webhook_list, webhook_new_secret, webhook_remove, webhook_save,
    webhook_try,
};
pub use worker::{begin_events, set_event_pace};
