//! Words and comments in a line of source.

/// Whether `word` is in `text` with no letter, digit or underscore beside it.
pub fn has_word(text: &str, word: &str) -> bool {
    let inside = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(word).any(|(at, _)| {
        !text[..at].chars().next_back().is_some_and(inside)
            && !text[at + word.len()..].chars().next().is_some_and(inside)
    })
}

/// The line without a `//` comment; addresses such as `https://` stay.
pub fn without_comment(line: &str) -> &str {
    let start = line.match_indices("//").map(|(at, _)| at).find(|at| !line[..*at].ends_with(':'));
    start.map_or(line, |at| &line[..at])
}

#[test]
fn words_and_comments_are_distinguished() {
    assert!(has_word("fn a(b: f64)", "f64"));
    assert!(!has_word("as_f64()", "f64"));
    assert_eq!(without_comment("let a = 1; // f64"), "let a = 1; ");
    assert_eq!(without_comment("\"https://x\""), "\"https://x\"");
}
