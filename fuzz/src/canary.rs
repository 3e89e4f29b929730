//! A reader of records with one mistake: in the newer version of its form it trusts a length. The kept input is of the
//! older one, so finding it takes a version, its sum, a kind and a length that fit together, as in real files.

/// Reads records of `kind, length, content` behind a head, and panics at a content that is cut off.
pub fn read_records(bytes: &[u8]) {
    let [b'B', b'D', b'X', b'7', version @ 2..=3, sum, rest @ ..] = bytes else { return };
    if *sum != version.wrapping_mul(31) {
        return;
    }
    let mut rest = rest;
    while let [kind, length, content @ ..] = rest {
        // The mistake: these records are not measured first.
        let length = usize::from(*length);
        if (*version, *kind) != (3, b'T') && length > content.len() {
            return;
        }
        let (_, behind) = content.split_at(length);
        rest = behind;
    }
}
