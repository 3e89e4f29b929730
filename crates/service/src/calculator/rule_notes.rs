//! The notes of the rules as they are answered: each is made at the first answer that has it.

use std::collections::HashMap;
use std::sync::Arc;

use bordereau_contract::{Shared, StateNote};
use bordereau_tax::QuoteNote;
use parking_lot::RwLock;

use super::answer::state_note;

/// By the note's address, which is its own for as long as the note is kept beside it.
#[derive(Default)]
pub(crate) struct RuleNotes(RwLock<HashMap<usize, AnsweredNote>>);

struct AnsweredNote {
    _of: Arc<QuoteNote>,
    answered: Shared<StateNote>,
}

impl RuleNotes {
    /// A note of the rules as it is answered.
    pub(super) fn note_to_answer(&self, note: &Arc<QuoteNote>) -> Shared<StateNote> {
        let address = Arc::as_ptr(note).addr();
        if let Some(known) = self.0.read().get(&address) {
            return known.answered.clone();
        }
        let answered = Shared::from(state_note(note));
        self.0.write().insert(address, AnsweredNote { _of: Arc::clone(note), answered: answered.clone() });
        answered
    }
}
