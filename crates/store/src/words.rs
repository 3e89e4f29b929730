//! Words of the API as they stand in the store: the same that cross to the UI.

/// A value of an enumeration as its word.
#[derive(Clone, Copy, Debug)]
pub struct Word<T>(pub T);
