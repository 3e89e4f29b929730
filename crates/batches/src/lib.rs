//! Batches: a file becomes rows with issues that are repaired and confirmed ([`review`]); what is sent, and what came
//! of it ([`outbox`]).

pub mod outbox;
pub mod review;

pub use outbox::{OutboxPace, Outgoing};
pub use review::ResumedDraft;
