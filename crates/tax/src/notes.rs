//! The notes of an answer: its own, then the state's, which every answer shares.

use std::iter::Chain;
use std::slice;
use std::sync::Arc;

use crate::QuoteNote;

/// Notes in the order they are reported.
#[derive(Clone, Debug)]
pub struct QuoteNotes {
    own: Vec<Arc<QuoteNote>>,
    of_state: Arc<[Arc<QuoteNote>]>,
}

impl QuoteNotes {
    pub(crate) fn new(own: Vec<Arc<QuoteNote>>, of_state: &Arc<[Arc<QuoteNote>]>) -> QuoteNotes {
        QuoteNotes { own, of_state: Arc::clone(of_state) }
    }

    /// Each note.
    pub fn iter(&self) -> Chain<slice::Iter<'_, Arc<QuoteNote>>, slice::Iter<'_, Arc<QuoteNote>>> {
        self.own.iter().chain(self.of_state.iter())
    }

    /// Those about the question.
    pub fn own(&self) -> &[Arc<QuoteNote>] {
        &self.own
    }

    /// Those of the state's rules, the same for every answer of them.
    pub fn of_state(&self) -> &Arc<[Arc<QuoteNote>]> {
        &self.of_state
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.own.len() + self.of_state.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl PartialEq for QuoteNotes {
    fn eq(&self, other: &QuoteNotes) -> bool {
        self.iter().eq(other)
    }
}

impl Eq for QuoteNotes {}

impl<'n> IntoIterator for &'n QuoteNotes {
    type Item = &'n Arc<QuoteNote>;
    type IntoIter = Chain<slice::Iter<'n, Arc<QuoteNote>>, slice::Iter<'n, Arc<QuoteNote>>>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}
