//! The hash of rows.

use sha2::{Digest, Sha256};

use crate::Value;

/// A hash of rows that doesn't depend on their order and is the same on both engines: the sum of the rows' hashes.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct RowHash {
    rows: u64,
    sum: [u64; 4],
}

impl RowHash {
    /// Adds a row.
    pub fn add(&mut self, values: &[Value<'_>]) {
        self.add_row(values, |bytes| Sha256::digest(bytes).to_vec());
    }

    /// Adds a row whose bytes were already hashed.
    pub fn add_hashed(&mut self, values: &[Value<'_>]) {
        self.add_row(values, <[u8]>::to_vec);
    }

    fn add_row(&mut self, values: &[Value<'_>], hash_of: impl Fn(&[u8]) -> Vec<u8>) {
        let mut digest = Sha256::new();
        for value in values {
            let (kind, bytes) = match value {
                Value::Null(_) => (0, Vec::new()),
                Value::Integer(number) => (1, number.to_be_bytes().to_vec()),
                Value::Text(text) => (2, text.as_bytes().to_vec()),
                Value::Blob(bytes) => (3, hash_of(bytes)),
            };
            // Length first, so that no two rows have the same bytes.
            digest.update([kind]);
            digest.update(u64::try_from(bytes.len()).unwrap_or(u64::MAX).to_be_bytes());
            digest.update(bytes);
        }
        self.rows += 1;
        for (sum, part) in self.sum.iter_mut().zip(digest.finalize().chunks_exact(8)) {
            let part = part.iter().fold(0_u64, |number, byte| (number << 8) | u64::from(*byte));
            *sum = sum.wrapping_add(part);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_of_rows_is_none_of_it_and_every_value_is() {
        let hash = |rows: &[&[Value<'_>]]| {
            let mut hash = RowHash::default();
            rows.iter().for_each(|row| hash.add(row));
            hash
        };
        let (one, two) = ([Value::Text("a"), Value::Integer(1)], [Value::Text("a1"), Value::Blob(b"")]);
        assert_eq!(hash(&[&one, &two]), hash(&[&two, &one]));
        assert_ne!(hash(&[&one, &two]), hash(&[&one, &one]));
        assert_ne!(hash(&[&one]), hash(&[&[Value::Text("a"), Value::Integer(2)]]));
        assert_ne!(
            hash(&[&[Value::Text("ab"), Value::Text("")]]),
            hash(&[&[Value::Text("a"), Value::Text("b")]])
        );
    }
}
