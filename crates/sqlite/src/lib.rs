//! SQLite3 Multiple Ciphers: SQLite whose pages can be encrypted, in place of the one that rusqlite would bundle.
//!
//! There is nothing to call here. A crate that opens a database names this one (`use bordereau_sqlite as _;`), so
//! that the library is linked; what rusqlite declares is found in it. Without a key a database is what it always
//! was (docs/decisions/0038).
