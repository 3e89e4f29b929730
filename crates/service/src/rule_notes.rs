//! Parts of the rules as they are answered: each is made at the first answer that has it.

use std::collections::HashMap;
use std::sync::Arc;

use bordereau_contract::{SharedPart, StateNote, StateProperties};
use bordereau_tax::{QuoteNote, StampWording};
use parking_lot::RwLock;

/// What answers say of a state's rules, whatever is asked.
#[derive(Default)]
pub(crate) struct RuleNotes {
    notes: AnsweredParts<QuoteNote, SharedPart<StateNote>>,
    of_state: AnsweredParts<[Arc<QuoteNote>], Arc<[SharedPart<StateNote>]>>,
    stamps: AnsweredParts<[StampWording], AnsweredStamps>,
}

/// The stamp wordings of a state.
#[derive(Clone)]
pub(crate) struct AnsweredStamps {
    /// The first of them.
    pub(crate) properties: SharedPart<StateProperties>,
    /// The others, each a note.
    pub(crate) others: Arc<[SharedPart<StateNote>]>,
}

impl RuleNotes {
    /// A note as it is answered.
    pub(crate) fn note_to_answer(
        &self,
        note: &Arc<QuoteNote>,
        make: impl FnOnce(&QuoteNote) -> StateNote,
    ) -> SharedPart<StateNote> {
        self.notes.find_or_make(note, |note| SharedPart::from(make(note)))
    }

    /// The notes that every answer of a state's rules has.
    pub(crate) fn state_notes_to_answer(
        &self,
        notes: &Arc<[Arc<QuoteNote>]>,
        make: impl Fn(&QuoteNote) -> StateNote,
    ) -> Arc<[SharedPart<StateNote>]> {
        self.of_state
            .find_or_make(notes, |notes| notes.iter().map(|note| SharedPart::from(make(note))).collect())
    }

    /// The stamp wordings as they are answered.
    pub(crate) fn stamps_to_answer(
        &self,
        stamps: &Arc<[StampWording]>,
        make: impl FnOnce(&[StampWording]) -> AnsweredStamps,
    ) -> AnsweredStamps {
        self.stamps.find_or_make(stamps, make)
    }
}

/// By the part's address, which is its own for as long as the part is kept beside it.
struct AnsweredParts<P: ?Sized, A>(RwLock<HashMap<usize, (Arc<P>, A)>>);

impl<P: ?Sized, A> Default for AnsweredParts<P, A> {
    fn default() -> Self {
        AnsweredParts(RwLock::default())
    }
}

impl<P: ?Sized, A: Clone> AnsweredParts<P, A> {
    fn find_or_make(&self, part: &Arc<P>, make: impl FnOnce(&P) -> A) -> A {
        // One that nothing else keeps was made for this answer.
        if Arc::strong_count(part) == 1 {
            return make(part);
        }
        let address = Arc::as_ptr(part).addr();
        if let Some((_, answered)) = self.0.read().get(&address) {
            return answered.clone();
        }
        let answered = make(part);
        self.0.write().insert(address, (Arc::clone(part), answered.clone()));
        answered
    }
}
