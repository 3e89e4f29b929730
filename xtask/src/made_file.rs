//! A file that is made from a list or a template, and committed.

/// A made file and its text.
pub struct MadeFile {
    /// Where it is committed.
    pub path: &'static str,
    /// What it has to be.
    pub text: String,
}
