//! What an import needs: the one table of what a transaction must and should have (section 3).

/// The key by which a service's messages name a field: `sl_tax` is `slTax` (section 3).
#[must_use]
pub fn message_key(field: &str) -> String {
    let mut words = field.split('_');
    let mut key = words.next().unwrap_or_default().to_owned();
    for word in words {
        let mut letters = word.chars();
        key.extend(letters.next().map(|letter| letter.to_ascii_uppercase()));
        key.push_str(letters.as_str());
    }
    key
}
