//! The secret that a page must send before the HTTP host does anything for it.

use rand::Rng;
use rand::distr::Alphanumeric;

/// 40 letters and digits (about 238 bits), created at each start and kept in memory only.
#[derive(Clone, PartialEq, Eq)]
pub struct AccessToken(String);

impl AccessToken {
    /// A new one from the system's random numbers.
    pub fn new_random() -> AccessToken {
        AccessToken(rand::rng().sample_iter(Alphanumeric).take(40).map(char::from).collect())
    }

    /// A known one, for tests.
    pub fn from_text(text: &str) -> AccessToken {
        AccessToken(text.to_owned())
    }

    /// The text, for the caller that starts the host.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// Whether this is the token. Takes the same time wherever the first difference is, so that it can't be guessed
    /// letter by letter.
    pub fn matches(&self, shown: &[u8]) -> bool {
        let own = self.0.as_bytes();
        let differing = own.iter().enumerate().fold(own.len() ^ shown.len(), |all, (at, byte)| {
            all | usize::from(byte ^ shown.get(at).copied().unwrap_or(0))
        });
        std::hint::black_box(differing) == 0
    }
}

impl std::fmt::Debug for AccessToken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("AccessToken(hidden)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_same_text_matches() {
        let token = AccessToken::from_text("abcd");
        for (shown, expected) in [
            ("abcd", true),
            ("abce", false),
            ("abc", false),
            ("abcde", false),
            ("", false),
            ("abcd\0", false),
        ] {
            assert_eq!(token.matches(shown.as_bytes()), expected, "{shown:?}");
        }
        assert_ne!(AccessToken::new_random().reveal(), AccessToken::new_random().reveal());
        assert_eq!(AccessToken::new_random().reveal().len(), 40);
        assert!(!format!("{token:?}").contains("abcd"), "a token is not printed by accident");
    }
}
