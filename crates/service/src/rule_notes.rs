//! The notes of the rules as they are answered: each is made at the first answer that has it.

use std::collections::HashMap;
use std::sync::Arc;

use bordereau_contract::{SharedPart, StateNote};
use bordereau_tax::QuoteNote;
use parking_lot::RwLock;

/// By the note's address, which is its own for as long as the note is kept beside it.
#[derive(Default)]
pub(crate) struct RuleNotes(RwLock<HashMap<usize, AnsweredNote>>);

struct AnsweredNote {
    _of: Arc<QuoteNote>,
    answered: SharedPart<StateNote>,
}

impl RuleNotes {
    /// A note of the rules as it is answered, made where it isn't known yet.
    pub(crate) fn note_to_answer(
        &self,
        note: &Arc<QuoteNote>,
        make: impl FnOnce(&QuoteNote) -> StateNote,
    ) -> SharedPart<StateNote> {
        let address = Arc::as_ptr(note).addr();
        if let Some(known) = self.0.read().get(&address) {
            return known.answered.clone();
        }
        let answered = SharedPart::from(make(note));
        self.0.write().insert(address, AnsweredNote { _of: Arc::clone(note), answered: answered.clone() });
        answered
    }
}
