//! The notes of an answer: its own, then the state's, which every answer shares.

use std::iter::Chain;
use std::slice;
use std::sync::Arc;

use crate::Note;

/// Notes in the order they are told.
#[derive(Clone, Debug)]
pub struct Notes {
    own: Vec<Arc<Note>>,
    of_state: Arc<[Arc<Note>]>,
}

impl Notes {
    pub(crate) fn new(own: Vec<Arc<Note>>, of_state: &Arc<[Arc<Note>]>) -> Notes {
        Notes { own, of_state: Arc::clone(of_state) }
    }

    /// Each note.
    pub fn iter(&self) -> Chain<slice::Iter<'_, Arc<Note>>, slice::Iter<'_, Arc<Note>>> {
        self.own.iter().chain(self.of_state.iter())
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.own.len() + self.of_state.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl PartialEq for Notes {
    fn eq(&self, other: &Notes) -> bool {
        self.iter().eq(other)
    }
}

impl Eq for Notes {}

impl<'n> IntoIterator for &'n Notes {
    type Item = &'n Arc<Note>;
    type IntoIter = Chain<slice::Iter<'n, Arc<Note>>, slice::Iter<'n, Arc<Note>>>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}
