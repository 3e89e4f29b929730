//! A reader of records with one mistake: in the newer version of its form it trusts a length. The kept input is of the
//! older one, so finding it takes a version, a kind of record and a length, one after the other.

/// Reads records of `kind, length, content` behind a head, and panics at a content that is cut off.
pub fn read_records(bytes: &[u8]) {
    match bytes {
        [b'B', b'D', b'X', b'7', 2, rest @ ..] => read_older(rest),
        [b'B', b'D', b'X', b'7', 3, rest @ ..] => read_newer(rest),
        _ => {}
    }
}

#[inline(never)]
fn read_older(mut rest: &[u8]) {
    while let Some((_, behind)) =
        rest.get(1).and_then(|length| rest.split_at_checked(2 + usize::from(*length)))
    {
        rest = behind;
    }
}

#[inline(never)]
fn read_newer(mut rest: &[u8]) {
    while let [kind, length, content @ ..] = rest {
        rest = match kind {
            b'T' => skip_unmeasured(content, usize::from(*length)),
            _ => content.get(usize::from(*length)..).unwrap_or_default(),
        };
    }
}

/// The mistake.
#[inline(never)]
fn skip_unmeasured(content: &[u8], length: usize) -> &[u8] {
    content.split_at(length).1
}
